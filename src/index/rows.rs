//! The rows of a trace: a row is the spans of one sub-lane of a stream, or of one depth of a thread,
//! by start.
//!
//! By construction the spans of a row lie one after the other, but for a tick of overlap on streams
//! and zero lengths. How far that goes is measured, as `lead`, and never assumed.

use std::ops::Range;

use rayon::prelude::*;

use crate::base::{Cancelled, Job, Time, TimeRange};
use crate::model::{SpanId, Spans, Trace, Track, TrackId};

/// Spans to a block: the grain of the R-tree and of searching.
pub(crate) const BLOCK: usize = 256;

/// All rows of a trace, by track and depth.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    /// Spans by (track, depth, start): 4 bytes each.
    order: Vec<SpanId>,
    /// Number of each track's first row, and the count of rows.
    of_track: Vec<u32>,
    places: Vec<Place>,
    /// First start and last end of each block.
    hulls: Vec<TimeRange>,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    track: TrackId,
    /// Position in `order`, and how many.
    first: u32,
    count: u32,
    first_hull: u32,
    lead: u32,
}

/// One row.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    number: u32,
    track: TrackId,
    ids: &'a [SpanId],
    hulls: &'a [TimeRange],
    lead: usize,
    spans: &'a Spans,
}

impl Rows {
    pub(crate) fn build(trace: &Trace, job: &Job) -> Result<Self, Cancelled> {
        let mut order = vec![SpanId(0); trace.spans().len()];
        let mut parts = Vec::new();
        let mut rest = order.as_mut_slice();
        for track in trace.tracks() {
            let (part, after) = rest.split_at_mut(track.len());
            parts.push(part);
            rest = after;
        }
        let spans = trace.spans();
        let found: Vec<Vec<(u32, u32, Vec<TimeRange>)>> = trace
            .tracks()
            .par_iter()
            .zip(parts)
            .map(|(track, part)| {
                job.check()?;
                let counts = sort_by_depth(track, spans.depths(), part);
                job.check()?;
                let mut from = 0;
                let rows = counts.into_iter().map(|count| {
                    let ids = &part[from..from + count as usize];
                    from += count as usize;
                    let (lead, hulls) = survey(ids, spans);
                    (count, lead, hulls)
                });
                Ok(rows.collect())
            })
            .collect::<Result<_, Cancelled>>()?;
        let mut all = Self {
            order,
            ..Self::default()
        };
        let mut first = 0;
        for (i, rows) in found.into_iter().enumerate() {
            all.of_track.push(number(all.places.len()));
            for (count, lead, mut hulls) in rows {
                let (track, first_hull) = (TrackId::from_index(i), number(all.hulls.len()));
                all.places.push(Place {
                    track,
                    first,
                    count,
                    first_hull,
                    lead,
                });
                all.hulls.append(&mut hulls);
                first += count;
            }
        }
        all.of_track.push(number(all.places.len()));
        Ok(all)
    }

    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// The numbers of a track's rows, by depth.
    pub(crate) fn numbers(&self, track: TrackId) -> Range<u32> {
        let i = track.index();
        let of = |i: usize| self.of_track.get(i).copied().unwrap_or_default();
        of(i)..of(i + 1)
    }

    pub(crate) fn row<'a>(&'a self, spans: &'a Spans, number: u32) -> Option<Row<'a>> {
        let place = self.places.get(number as usize)?;
        let (first, count) = (place.first as usize, place.count as usize);
        let hull = place.first_hull as usize;
        Some(Row {
            number,
            track: place.track,
            ids: &self.order[first..first + count],
            hulls: &self.hulls[hull..hull + count.div_ceil(BLOCK)],
            lead: place.lead as usize,
            spans,
        })
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.order.capacity() * size_of::<SpanId>()
            + self.of_track.capacity() * size_of::<u32>()
            + self.places.capacity() * size_of::<Place>()
            + self.hulls.capacity() * size_of::<TimeRange>()
    }
}

impl<'a> Row<'a> {
    /// Among the rows of its trace, which count by track and depth.
    pub fn number(&self) -> u32 {
        self.number
    }

    pub fn track(&self) -> TrackId {
        self.track
    }

    /// All spans, by start.
    pub fn ids(&self) -> &'a [SpanId] {
        self.ids
    }

    /// The shortest stretch that holds every span which touches `range`; one of zero length touches
    /// where it starts.
    pub fn spans_in(&self, range: TimeRange) -> &'a [SpanId] {
        &self.ids[self.positions(range)]
    }

    pub(crate) fn positions(&self, range: TimeRange) -> Range<usize> {
        if range.is_empty() {
            return 0..0;
        }
        let end = self.before(range.end.0);
        let mut first = self.reaching(self.before(range.start.0));
        while first < end && !self.touches(first, range) {
            first += 1;
        }
        first..end
    }

    /// How many spans start before `time`.
    pub(crate) fn before(&self, time: i64) -> usize {
        let blocks = self.hulls.partition_point(|it| it.start.0 < time);
        let from = blocks.saturating_sub(1) * BLOCK;
        let to = (blocks * BLOCK).min(self.ids.len());
        let starts = self.spans.starts();
        from + self.ids[from..to].partition_point(|it| starts[it.index()] < time)
    }

    /// The first span that may reach to or beyond a time before which `position` spans start.
    pub(crate) fn reaching(&self, position: usize) -> usize {
        position.saturating_sub(1 + self.lead)
    }

    pub(crate) fn start(&self, position: usize) -> i64 {
        self.spans.starts()[self.ids[position].index()]
    }

    /// Start and end of a span.
    #[inline]
    pub(crate) fn range(&self, position: usize) -> TimeRange {
        let i = self.ids[position].index();
        let start = self.spans.starts()[i];
        TimeRange::new(
            Time(start),
            Time(start.saturating_add(self.spans.durs()[i])),
        )
    }

    /// How many spans back one may lie that reaches into another.
    pub(crate) fn lead(&self) -> usize {
        self.lead
    }

    pub(crate) fn hulls(&self) -> &'a [TimeRange] {
        self.hulls
    }

    pub(crate) fn spans(&self) -> &'a Spans {
        self.spans
    }

    fn touches(&self, position: usize, range: TimeRange) -> bool {
        let it = self.range(position);
        it.start < range.end && (it.end > range.start || it.start >= range.start)
    }
}

/// Puts the ids of a track by depth, keeping their order; returns how many each depth has.
fn sort_by_depth(track: &Track, depths: &[u16], order: &mut [SpanId]) -> Vec<u32> {
    let depths = &depths[track.indices()];
    let deepest = depths.iter().copied().max().unwrap_or_default();
    if deepest == 0 {
        for (slot, id) in order.iter_mut().zip(track.span_ids()) {
            *slot = id;
        }
        return vec![number(order.len())];
    }
    let mut counts = vec![0_u32; usize::from(deepest) + 1];
    for depth in depths {
        counts[usize::from(*depth)] += 1;
    }
    let mut next = Vec::with_capacity(counts.len());
    let mut from = 0;
    for count in &counts {
        next.push(from);
        from += *count;
    }
    for (depth, id) in depths.iter().zip(track.span_ids()) {
        let slot = &mut next[usize::from(*depth)];
        order[*slot as usize] = id;
        *slot += 1;
    }
    counts
}

/// The lead of a row and the hulls of its blocks.
fn survey(ids: &[SpanId], spans: &Spans) -> (u32, Vec<TimeRange>) {
    let (starts, durs) = (spans.starts(), spans.durs());
    let end_of = |id: SpanId| starts[id.index()].saturating_add(durs[id.index()]);
    let mut lead = 0;
    let mut open = 0; // everything before it has ended
    let mut hulls = Vec::with_capacity(ids.len().div_ceil(BLOCK));
    for (number, block) in ids.chunks(BLOCK).enumerate() {
        let mut hull = TimeRange::new(Time::MAX, Time::MIN);
        for (i, id) in block.iter().enumerate() {
            let (at, start) = (number * BLOCK + i, starts[id.index()]);
            while open < at && end_of(ids[open]) <= start {
                open += 1;
            }
            lead = lead.max(at - open);
            hull = hull.hull(TimeRange::new(Time(start), Time(end_of(*id))));
        }
        hulls.push(hull);
    }
    (number(lead), hulls)
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
