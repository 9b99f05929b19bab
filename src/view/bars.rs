//! What is drawn on one row: exact bars where there is room, folded where they are thinner than a
//! point, or a strip of texels where there are many. The choice is made here and nowhere else.

use crate::base::Time;
use crate::index::{Detail, Ink, Row, Texel, TraceIndex};
use crate::model::{Flags, Kind, NameId, Run, SpanId, SpanRef, TraceId};
use crate::view::axis::Axis;

/// Points under which neighbours fold into one bar.
const FOLD_BELOW: f64 = 1.0;

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

fn bars(run: &Run, id: TraceId, ids: &[SpanId], axis: &Axis) -> Vec<Bar> {
    let spans = run.trace(id).spans();
    let (starts, durs, flags) = (spans.starts(), spans.durs(), spans.flags());
    let thin = axis.ns_per_point() * FOLD_BELOW;
    let mut bars = Vec::with_capacity(ids.len());
    let mut fold: Option<Fold> = None;
    for span in ids {
        let (start, dur) = (starts[span.index()], durs[span.index()]);
        let one = Fold {
            first: *span,
            count: 1,
            start,
            end: start.saturating_add(dur),
            covered: dur,
            longest: *span,
            flags: flags[span.index()],
        };
        match &mut fold {
            Some(open) if (dur as f64) < thin && open.is_near(start, thin) => {
                open.take(&one, durs);
            }
            _ => bars.extend(fold.replace(one).map(|it| it.bar(run, id, axis))),
        }
    }
    bars.extend(fold.map(|it| it.bar(run, id, axis)));
    bars
}

/// A fold while it grows, in the time of its trace.
struct Fold {
    first: SpanId,
    count: u32,
    start: i64,
    end: i64,
    covered: i64,
    longest: SpanId,
    flags: Flags,
}

impl Fold {
    /// Whether a thin span that starts at `start` falls on the same point.
    fn is_near(&self, start: i64, thin: f64) -> bool {
        ((self.end - self.start) as f64) < thin && ((start - self.start) as f64) < thin
    }

    fn take(&mut self, other: &Self, durs: &[i64]) {
        self.count += 1;
        self.end = self.end.max(other.end);
        self.covered = self.covered.saturating_add(other.covered);
        self.flags = self.flags.with(other.flags);
        if other.covered > durs[self.longest.index()] {
            self.longest = other.longest;
        }
    }

    fn bar(self, run: &Run, trace: TraceId, axis: &Axis) -> Bar {
        let refer = |span| SpanRef { trace, span };
        let spans = run.trace(trace).spans();
        let what = if self.count == 1 {
            Bars::One(refer(self.first))
        } else {
            let length = ((self.end - self.start) as f64).max(1.0);
            #[expect(clippy::cast_possible_truncation, reason = "a share of 1")]
            Bars::Folded {
                first: refer(self.first),
                count: self.count,
                coverage: (self.covered as f64 / length).min(1.0) as f32,
            }
        };
        let name = run.run_name(trace, spans.names()[self.longest.index()]);
        let x = |time: i64| axis.x_from_time(run.run_time(trace, Time(time)));
        Bar {
            x: [x(self.start), x(self.end)],
            ink: ink_of(
                run,
                refer(self.longest),
                spans.kinds()[self.longest.index()],
            ),
            what,
            label: (self.count == 1).then_some(name),
            flags: self.flags,
            is_tick: self.covered == 0,
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
