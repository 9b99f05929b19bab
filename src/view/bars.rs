//! What is drawn on one row: exact bars where there is room, folded where they are thinner than a
//! point, or a strip of texels where there are many. The choice is made here and nowhere else.

use crate::base::{Dur, Time, TimeRange};
use crate::index::{Detail, Ink, Row, Texel, TraceIndex};
use crate::model::{Flags, Kind, NameId, Run, SpanId, SpanRef, TraceId};
use crate::view::axis::Axis;

/// Points under which neighbours fold into one bar.
const FOLD_BELOW: f32 = 1.0;

/// One bar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bar {
    /// Points from the left edge of the lanes.
    pub x: [f32; 2],
    pub ink: Ink,
    pub what: Bars,
    /// The name whose label may stand on it, in the run's table.
    pub label: Option<NameId>,
    pub flags: Flags,
    /// A span without length: drawn as a tick with a cap.
    pub is_tick: bool,
}

/// What a bar stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bars {
    One(SpanRef),
    /// Consecutive spans from `first` on the row, and what share of the bar they cover.
    Folded {
        first: SpanRef,
        count: u32,
        coverage: f32,
    },
}

/// What a row shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    Bars(Vec<Bar>),
    /// One texel per pixel column.
    Strip(Vec<Texel>),
}

/// The content of `row` of trace `trace` on `axis`, at so many pixels a point.
pub(crate) fn content(
    run: &Run,
    index: &TraceIndex,
    trace: TraceId,
    row: &Row<'_>,
    axis: &Axis,
    pixels_per_point: f32,
) -> Content {
    let range = run.trace_range(trace, axis.stretch.range());
    let columns = columns(axis, pixels_per_point);
    match index.detail(row, range, columns) {
        Detail::Exact => Content::Bars(bars(run, trace, row.spans_in(range), axis)),
        Detail::Density => {
            let mut strip = Vec::with_capacity(columns);
            index.strip(row, range, columns, &mut strip);
            Content::Strip(strip)
        }
    }
}

/// Pixel columns of an axis.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a width of the screen"
)]
pub(crate) fn columns(axis: &Axis, pixels_per_point: f32) -> usize {
    (axis.width * pixels_per_point).round().max(1.0) as usize
}

/// A fold while it grows.
struct Fold {
    first: SpanRef,
    count: u32,
    start: Time,
    end: Time,
    covered: Dur,
    longest: Dur,
    ink: Ink,
    flags: Flags,
    is_tick: bool,
    label: NameId,
}

fn bars(run: &Run, id: TraceId, spans: &[SpanId], axis: &Axis) -> Vec<Bar> {
    let mut bars: Vec<Bar> = Vec::with_capacity(spans.len());
    let mut fold: Option<Fold> = None;
    for span_id in spans {
        let span = run.trace(id).span(*span_id);
        let at = SpanRef {
            trace: id,
            span: *span_id,
        };
        let start = run.run_time(id, span.start);
        let end = start.plus(span.dur);
        let thin = axis.x_from_time(end) - axis.x_from_time(start) < FOLD_BELOW;
        let one = Fold {
            first: at,
            count: 1,
            start,
            end,
            covered: span.dur,
            longest: span.dur,
            ink: ink_of(run, at, span.kind),
            flags: span.flags,
            is_tick: span.dur == Dur::ZERO,
            label: run.run_name(id, span.name),
        };
        if let Some(open) = fold.as_mut().filter(|it| thin && joins(it, start, axis)) {
            open.take(&one);
            continue;
        }
        if let Some(done) = fold.replace(one) {
            bars.push(done.bar(axis));
        }
    }
    bars.extend(fold.map(|it| it.bar(axis)));
    bars
}

/// Whether a thin span that starts at `start` falls on the same point as the fold.
fn joins(fold: &Fold, start: Time, axis: &Axis) -> bool {
    let (from, to) = (axis.x_from_time(fold.start), axis.x_from_time(fold.end));
    to - from < FOLD_BELOW && axis.x_from_time(start) - from < FOLD_BELOW
}

impl Fold {
    fn take(&mut self, other: &Self) {
        self.count += 1;
        self.end = self.end.max(other.end);
        self.covered = self.covered.plus(other.covered);
        self.flags = self.flags.with(other.flags);
        self.is_tick &= other.is_tick;
        if other.longest > self.longest {
            self.longest = other.longest;
            self.ink = other.ink;
            self.label = other.label;
        }
    }

    fn bar(self, axis: &Axis) -> Bar {
        let x = [axis.x_from_time(self.start), axis.x_from_time(self.end)];
        let length = TimeRange::new(self.start, self.end).len();
        let what = if self.count == 1 {
            Bars::One(self.first)
        } else {
            let coverage = if length.0 > 0 {
                (self.covered.0 as f64 / length.0 as f64).min(1.0)
            } else {
                0.0
            };
            #[expect(clippy::cast_possible_truncation, reason = "a share of 1")]
            Bars::Folded {
                first: self.first,
                count: self.count,
                coverage: coverage as f32,
            }
        };
        let label = (self.count == 1).then_some(self.label);
        Bar {
            x,
            ink: self.ink,
            what,
            label,
            flags: self.flags,
            is_tick: self.is_tick,
        }
    }
}

/// The ink of one span: its class where it is work, else its kind.
pub(crate) fn ink_of(run: &Run, at: SpanRef, kind: Kind) -> Ink {
    if kind.is_work() {
        Ink::Class(run.class_of(at))
    } else {
        Ink::Kind(kind)
    }
}
