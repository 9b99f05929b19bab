//! Where spans of an impossible duration are cut for unions: at the next later start on their
//! stream. All others count as written.

use crate::base::{Time, TimeRange};
use crate::model::{Flags, SpanId, Spans, Trace};

/// The ends of impossible spans, by id.
#[derive(Debug)]
pub(crate) struct Clips {
    ends: Vec<(SpanId, i64)>,
}

impl Clips {
    pub(crate) fn of(trace: &Trace) -> Self {
        let spans = trace.spans();
        let (starts, flags) = (spans.starts(), spans.flags());
        let mut ends = Vec::new();
        for (_, track) in trace.work_tracks() {
            let range = track.indices();
            let mut later = range.start;
            for i in range.clone().filter(|i| flags[*i].has(Flags::IMPOSSIBLE)) {
                later = later.max(i);
                while later < range.end && starts[later] <= starts[i] {
                    later += 1;
                }
                let end = starts[i].saturating_add(spans.durs()[i]);
                let cut = if later < range.end {
                    end.min(starts[later])
                } else {
                    end
                };
                ends.push((SpanId::from_index(i), cut));
            }
        }
        Self { ends }
    }

    /// What counts of span `i`.
    #[inline]
    pub(crate) fn range(&self, spans: &Spans, i: usize) -> TimeRange {
        let start = spans.starts()[i];
        let mut end = start.saturating_add(spans.durs()[i]);
        if spans.flags()[i].has(Flags::IMPOSSIBLE) {
            let found = self.ends.binary_search_by_key(&i, |it| it.0.index());
            end = found
                .ok()
                .and_then(|it| self.ends.get(it))
                .map_or(end, |it| it.1);
        }
        TimeRange::new(Time(start), Time(end))
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.ends.capacity() * size_of::<(SpanId, i64)>()
    }
}
