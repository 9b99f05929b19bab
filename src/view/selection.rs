//! What is selected: spans, a lane, a range of time; and the range that is being measured.

use crate::base::{Time, TimeRange};
use crate::model::{Run, SpanRef};
use crate::view::lane::LaneKey;

/// Spans that can be selected one by one.
const SPANS_MAX: usize = 10_000;

/// What is selected.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    /// In the order in which they were selected.
    spans: Vec<SpanRef>,
    lane: Option<LaneKey>,
    range: Option<TimeRange>,
    /// Where a range begins that ends at the next click.
    measured_from: Option<Time>,
    /// Drawn through all lanes.
    mark: Option<TimeRange>,
}

impl Selection {
    pub fn spans(&self) -> &[SpanRef] {
        &self.spans
    }

    /// The span that was selected last.
    pub fn last(&self) -> Option<SpanRef> {
        self.spans.last().copied()
    }

    pub fn lane(&self) -> Option<LaneKey> {
        self.lane
    }

    pub fn range(&self) -> Option<TimeRange> {
        self.range
    }

    pub fn measured_from(&self) -> Option<Time> {
        self.measured_from
    }

    pub fn mark(&self) -> Option<TimeRange> {
        self.mark
    }

    /// From the first start to the last end of the spans, else the range.
    pub fn hull(&self, run: &Run) -> Option<TimeRange> {
        let ranges = self.spans.iter().map(|it| run.range_of(*it));
        ranges.reduce(TimeRange::hull).or(self.range)
    }

    pub(super) fn set_span(&mut self, span: Option<SpanRef>) {
        self.spans = span.into_iter().collect();
        self.lane = None;
    }

    pub(super) fn toggle_span(&mut self, span: SpanRef) {
        let count = self.spans.len();
        self.spans.retain(|it| *it != span);
        if self.spans.len() == count && count < SPANS_MAX {
            self.spans.push(span);
        }
        self.lane = None;
    }

    pub(super) fn set_lane(&mut self, lane: Option<LaneKey>) {
        self.lane = lane;
        self.spans.clear();
    }

    pub(super) fn set_range(&mut self, range: Option<TimeRange>) {
        self.range = range.filter(|it| !it.is_empty());
        self.measured_from = None;
    }

    pub(super) fn measure_from(&mut self, time: Option<Time>) {
        self.measured_from = time;
    }

    pub(super) fn set_mark(&mut self, mark: Option<TimeRange>) {
        self.mark = mark;
    }

    /// Takes away the last of: a measurement, the range, spans and lane, the mark.
    pub(super) fn clear_one_level(&mut self) {
        if self.measured_from.take().is_some() || self.range.take().is_some() {
            return;
        }
        if self.spans.is_empty() && self.lane.is_none() {
            self.mark = None;
        }
        self.set_span(None);
    }
}
