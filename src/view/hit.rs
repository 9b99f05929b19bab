//! What stands under the pointer, asked of the index: never of what was painted.

use crate::base::{Dur, Time, TimeRange};
use crate::index::Parts;
use crate::model::{Run, SpanId, SpanRef, TraceId};
use crate::view::lane::LaneKey;
use crate::view::scene::{LaneBox, Scene};
use crate::workspace::Workspace;

/// What stands under the pointer.
#[derive(Clone, Debug, PartialEq)]
pub enum Hit {
    Span(SpanRef),
    /// Several spans too thin to part: the longest, how many, their time range and busy time.
    Fold {
        longest: SpanRef,
        count: u32,
        range: TimeRange,
        covered: Dur,
    },
    Band {
        parts: Parts,
        time: Time,
        range: TimeRange,
    },
    Counter {
        /// The lane's.
        title: String,
        time: Time,
        value: f64,
        /// What was reserved, where the value is what was allocated.
        reserved: Option<f64>,
        is_bytes: bool,
    },
}

impl Scene {
    /// The lane at `y` points from the top of the lanes area.
    pub fn lane_at(&self, y: f32) -> Option<&LaneBox> {
        let lanes = if y < self.pinned_height {
            self.pinned()
        } else {
            self.scrolled()
        };
        lanes
            .iter()
            .find(|it| it.y <= y && y < it.y + it.lane.height)
    }

    /// What stands at a place, within two points.
    pub fn hit(&self, workspace: &Workspace, x: f32, y: f32) -> Option<Hit> {
        let lane = self.lane_at(y)?;
        let run = workspace.run();
        let trace = lane.lane.key.trace();
        let index = workspace.index().trace(trace);
        let time = run.trace_time(trace, self.axis.time_from_x(x));
        if let Some(counter) = &lane.counter {
            let (value, reserved) = counter.at(x)?;
            return Some(Hit::Counter {
                title: lane.lane.title.clone(),
                time: self.axis.time_from_x(x),
                value,
                reserved,
                is_bytes: counter.is_bytes,
            });
        }
        let column = TimeRange::new(
            self.axis.time_from_x(x),
            self.axis
                .time_from_x(x + 1.0)
                .max(self.axis.time_from_x(x).plus(Dur(1))),
        );
        if let Some(device) = device_of_shares(run, lane) {
            let parts = index.parts(device, run.trace_range(trace, column));
            return Some(Hit::Band {
                parts,
                time: column.start,
                range: column,
            });
        }
        let LaneKey::Track(_, track) = lane.lane.key else {
            return None;
        };
        let row = lane.rows.iter().rev().find(|it| lane.y + it.y <= y)?;
        let slots = index.row(track, row.depth)?;
        let inside = slots.spans_in(run.trace_range(trace, column));
        if inside.len() > 1 && self.axis.ns_per_point() > 1.0 {
            return fold(run, trace, inside, column);
        }
        #[expect(clippy::cast_possible_truncation, reason = "two points of a view")]
        let slack = Dur((self.axis.ns_per_point() * 2.0).ceil() as i64);
        let span = index.pick(&slots, time, slack)?;
        Some(Hit::Span(SpanRef { trace, span }))
    }
}

/// The device whose time a band shows, or the heat row of a rank that has only one.
fn device_of_shares(run: &Run, lane: &LaneBox) -> Option<i64> {
    match lane.lane.key {
        LaneKey::Band(_, device) => Some(device),
        LaneKey::Rank(trace) if lane.lane.is_heat => {
            let devices = run.trace(trace).devices();
            <[i64; 1]>::try_from(devices).ok().map(|[only]| only)
        }
        _ => None,
    }
}

/// Spans under a fold that are looked at one by one; of more the first so many.
const FOLD_SPANS_MAX: usize = 4096;

fn fold(run: &Run, trace: TraceId, spans: &[SpanId], column: TimeRange) -> Option<Hit> {
    let data = run.trace(trace);
    let seen = || spans.iter().take(FOLD_SPANS_MAX);
    let longest = *seen().max_by_key(|it| data.span(**it).dur)?;
    let at = SpanRef {
        trace,
        span: longest,
    };
    if run.range_of(at).len() >= column.len() {
        return Some(Hit::Span(at));
    }
    let first = run.run_time(trace, data.span(*spans.first()?).start);
    let last = run.run_time(trace, data.span(*spans.last()?).end());
    let covered = seen().fold(Dur::ZERO, |sum, it| sum.plus(data.span(*it).dur));
    let count = u32::try_from(spans.len()).unwrap_or(u32::MAX);
    Some(Hit::Fold {
        longest: at,
        count,
        range: TimeRange::new(first, last),
        covered,
    })
}
