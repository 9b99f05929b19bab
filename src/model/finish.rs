//! The passes by which raw spans find their place: rows and order, depth or sub-lane, launches.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::base::{Time, TimeRange};
use crate::model::builder::{Arrow, ArrowEnd, RawSpans, Tie};
use crate::model::ids::SpanId;
use crate::model::issues::{Issue, Ledger};
use crate::model::kind::{Flags, Kind};
use crate::model::lanes::sub_lanes;
use crate::model::spans::{Link, Spans};
use crate::model::trace::Ties;
use crate::model::track::{Role, RowId, Track, TrackKey};

/// Tracks in their order, and for each place in the columns the raw span that goes there.
pub(crate) struct Rows {
    pub(crate) tracks: Vec<Track>,
    pub(crate) order: Vec<u32>,
}

impl Rows {
    /// Counting sort by track, then each track by start, longer first, then as in the file.
    pub(crate) fn sort(
        raw: &RawSpans,
        keys: &[TrackKey],
        processes: &FxHashMap<RowId, Box<str>>,
        threads: &FxHashMap<(RowId, RowId), Box<str>>,
    ) -> Self {
        let mut counts = vec![0_u32; keys.len()];
        for track in &raw.track {
            counts[*track as usize] += 1;
        }
        let mut sequence: Vec<usize> = (0..keys.len()).filter(|i| counts[*i] > 0).collect();
        sequence.sort_by(|a, b| keys[*a].cmp(&keys[*b]).then(a.cmp(b)));
        let mut next = vec![0_u32; keys.len()];
        let mut tracks: Vec<Track> = Vec::with_capacity(sequence.len());
        let mut from = 0;
        for i in sequence {
            let key = keys[i].clone();
            next[i] = from;
            // Keys that became equal after their spans were read share a track.
            if let Some(last) = tracks.last_mut().filter(|it| it.key == key) {
                last.spans.end = from + counts[i];
            } else {
                let row = (key.process.clone(), key.thread.clone());
                tracks.push(Track {
                    label: threads.get(&row).cloned(),
                    process_label: processes.get(&key.process).cloned(),
                    key,
                    spans: from..from + counts[i],
                    lane_count: 0,
                });
            }
            from += counts[i];
        }
        let mut order = vec![0_u32; raw.len()];
        for (i, track) in raw.track.iter().enumerate() {
            let slot = &mut next[*track as usize];
            order[*slot as usize] = u32::try_from(i).unwrap_or(u32::MAX);
            *slot += 1;
        }
        let key = |i: &u32| (raw.start[*i as usize], Reverse(raw.dur[*i as usize]), *i);
        slices(&mut order, &tracks)
            .into_par_iter()
            .for_each(|part| {
                if !part.is_sorted_by_key(key) {
                    part.sort_by_key(key);
                }
            });
        Self { tracks, order }
    }
}

/// A column cut at the borders of tracks.
fn slices<'a, T>(mut column: &'a mut [T], tracks: &[Track]) -> Vec<&'a mut [T]> {
    let mut parts = Vec::with_capacity(tracks.len());
    for track in tracks {
        let (part, rest) = column.split_at_mut(track.len());
        parts.push(part);
        column = rest;
    }
    parts
}

/// Sets depth and lane count of every track, marks impossible spans, and notes what was seen.
pub(crate) fn depths(tracks: &mut [Track], spans: &mut Spans, tick_ns: i64) -> Ledger {
    let (start, dur, kind, at) = (&spans.start, &spans.dur, &spans.kind, &spans.at);
    let depth_parts = slices(&mut spans.depth, tracks);
    let flag_parts = slices(&mut spans.flags, tracks);
    let notes: Vec<Ledger> = tracks
        .par_iter_mut()
        .zip(depth_parts)
        .zip(flag_parts)
        .map(|((track, depth), flags)| {
            let range = track.indices();
            let row = Row {
                start: &start[range.clone()],
                dur: &dur[range.clone()],
                at: &at[range.clone()],
            };
            let mut notes = Ledger::default();
            track.lane_count = match track.key.role {
                Role::Work => {
                    row.mark_impossible(flags, &mut notes);
                    row.note_overlaps(flags, tick_ns, &mut notes);
                    sub_lanes(row.start, row.dur, tick_ns, depth)
                }
                Role::Cpu => row.nest(depth, &kind[range], &mut notes),
                _ => sub_lanes(row.start, row.dur, tick_ns, depth),
            };
            notes
        })
        .collect();
    let mut all = Ledger::default();
    for note in &notes {
        all.merge(note);
    }
    all
}

/// The columns of one track.
struct Row<'a> {
    start: &'a [i64],
    dur: &'a [i64],
    at: &'a [u64],
}

impl Row<'_> {
    fn end(&self, i: usize) -> i64 {
        self.start[i].saturating_add(self.dur[i])
    }

    /// Notes spans that start before an earlier one has ended; impossible ones are noted as such.
    fn note_overlaps(&self, flags: &[Flags], tick_ns: i64, notes: &mut Ledger) {
        let mut reach = i64::MIN;
        for (i, flag) in flags.iter().enumerate() {
            if self.dur[i] == 0 {
                continue;
            }
            if reach > self.start[i].saturating_add(tick_ns) {
                notes.add(Issue::SameStreamOverlap, Some(self.at[i]));
            }
            if !flag.has(Flags::IMPOSSIBLE) {
                reach = reach.max(self.end(i));
            }
        }
    }

    /// Marks spans inside which a later one of positive length starts and ends.
    fn mark_impossible(&self, flags: &mut [Flags], notes: &mut Ledger) {
        let mut open: BTreeSet<(i64, usize)> = BTreeSet::new();
        // Spans of one start cannot make each other impossible: they join `open` when time moves on.
        let mut same_start: Vec<usize> = Vec::new();
        for i in (0..self.start.len()).filter(|i| self.dur[*i] > 0) {
            let (start, end) = (self.start[i], self.end(i));
            if same_start.first().is_some_and(|it| self.start[*it] < start) {
                open.extend(same_start.drain(..).map(|it| (self.end(it), it)));
            }
            if open.last().is_none_or(|it| it.0 <= start) {
                open.clear();
            }
            for (_, outer) in open.split_off(&(end.saturating_add(1), 0)) {
                flags[outer] = flags[outer].with(Flags::IMPOSSIBLE);
                notes.add(Issue::ImpossibleDuration, Some(self.at[outer]));
            }
            same_start.push(i);
        }
    }

    /// One below the deepest span still open: equals the nesting where spans nest, and never puts
    /// two crossing spans onto one lane.
    fn nest(&self, depth: &mut [u16], kind: &[Kind], notes: &mut Ledger) -> u16 {
        let mut open: Vec<usize> = Vec::new();
        let mut lanes = 0;
        for i in 0..self.start.len() {
            while open
                .last()
                .is_some_and(|top| self.end(*top) <= self.start[i])
            {
                open.pop();
            }
            if let Some(top) = open.last() {
                depth[i] = depth[*top].saturating_add(1).min(u16::MAX - 1);
                let both = kind[i] == Kind::Python && kind[*top] == Kind::Python;
                if both && self.end(i) > self.end(*top) {
                    notes.add(Issue::ChildOutlivesParent, Some(self.at[i]));
                }
            }
            lanes = lanes.max(depth[i].saturating_add(1));
            if self.dur[i] > 0 {
                open.push(i);
            }
        }
        lanes
    }
}

/// Ties work to the launch of the same correlation id: the latest not after it, else the nearest;
/// and work without such an id to the launch that an arrow names. Returns the counts, the linked
/// work in order of launch, and what was noted.
pub(crate) fn tie(
    spans: &mut Spans,
    order: &[u32],
    ties: &[Tie],
    by_arrows: &[(SpanId, SpanId)],
) -> (Ties, Vec<SpanId>, Ledger) {
    let mut place = vec![0_u32; order.len()];
    for (to, from) in order.iter().enumerate() {
        place[*from as usize] = u32::try_from(to).unwrap_or(u32::MAX);
    }
    let mut sorted: Vec<(u64, u32)> = ties
        .iter()
        .map(|it| (it.correlation, place[it.span as usize]))
        .collect();
    drop(place);
    // Files are mostly in order already, which a stable sort is quick with.
    sorted.par_sort();
    let mut notes = Ledger::default();
    let mut counts = Ties::default();
    let mut launched = Vec::new();
    let mut calls = Vec::new();
    for group in sorted.chunk_by(|a, b| a.0 == b.0) {
        calls.clear();
        let all = group.iter().map(|it| it.1 as usize);
        calls.extend(all.filter(|i| spans.kind[*i].is_call()));
        tie_group(
            spans,
            group,
            &mut calls,
            &mut counts,
            &mut launched,
            &mut notes,
        );
    }
    let mut arrow_calls = BTreeSet::new();
    for (call, work) in by_arrows {
        if spans.launch[work.index()] == Link::NONE {
            if spans.start[work.index()] < spans.start[call.index()] {
                notes.add(Issue::KernelBeforeLaunch, Some(spans.at[work.index()]));
            }
            spans.launch[work.index()] = Link::to(*call);
            launched.push(*work);
            arrow_calls.insert(call.0);
        }
    }
    counts.linked_count = launched.len() as u64;
    for (_, span) in &sorted {
        arrow_calls.remove(span);
    }
    counts.launch_count += arrow_calls.len() as u64;
    let work_count = spans.kind.iter().filter(|it| it.is_work()).count() as u64;
    counts.unlinked_count = work_count - counts.linked_count;
    if counts.launch_count > 0 && counts.linked_count > 0 && counts.unlinked_count > 0 {
        let lonely = (0..spans.len())
            .filter(|i| spans.kind[*i].is_work() && spans.launch[*i] == Link::NONE)
            .map(|i| spans.at[i])
            .min();
        notes.add_many(Issue::MissingLaunch, counts.unlinked_count, lonely);
    }
    launched.par_sort_by_key(|it: &SpanId| {
        let i = it.index();
        (spans.launch[i], spans.start[i], *it)
    });
    (counts, launched, notes)
}

/// Ties the work of one correlation id to its `calls`, which come in any order.
fn tie_group(
    spans: &mut Spans,
    group: &[(u64, u32)],
    calls: &mut [usize],
    counts: &mut Ties,
    launched: &mut Vec<SpanId>,
    notes: &mut Ledger,
) {
    calls.sort_unstable_by_key(|i| (spans.start[*i], *i));
    counts.launch_count += calls.len() as u64;
    if calls.is_empty() {
        return;
    }
    let mut plain_count = 0;
    for i in group.iter().map(|it| it.1 as usize) {
        if !spans.kind[i].is_work() {
            continue;
        }
        let start = spans.start[i];
        let after = calls.partition_point(|call| spans.start[*call] <= start);
        let call = calls[after.saturating_sub(1)];
        if after == 0 {
            notes.add(Issue::KernelBeforeLaunch, Some(spans.at[i]));
        }
        spans.launch[i] = Link::to(SpanId::from_index(call));
        launched.push(SpanId::from_index(i));
        plain_count += u32::from(!spans.flags[i].has(Flags::GRAPH_NODE));
    }
    if calls.len() > 1 && plain_count > 1 {
        notes.add(
            Issue::ReusedCorrelation,
            calls.first().map(|i| spans.at[*i]),
        );
    }
}

/// Ids of arrows with a tail and a head, and with only one of them.
pub(crate) fn pair_arrows(mut arrows: Vec<Arrow>) -> (u64, u64) {
    arrows.par_sort_by_key(|it| (it.id, it.end));
    let mut paired = 0;
    let mut loose = 0;
    for group in arrows.chunk_by(|a, b| a.id == b.id) {
        let tail = group.first().is_some_and(|it| it.end == ArrowEnd::Tail);
        let head = group.last().is_some_and(|it| it.end != ArrowEnd::Tail);
        if tail && head {
            paired += 1;
        } else {
            loose += 1;
        }
    }
    (paired, loose)
}

/// First start to last end over what is placed; the profiler's own rows only where nothing else is.
pub(crate) fn extent(tracks: &[Track], spans: &Spans) -> Option<TimeRange> {
    let hull = |own: bool| {
        tracks
            .par_iter()
            .filter(|it| (it.key.role == Role::Overhead) == own)
            .filter_map(|track| {
                let range = track.indices();
                let first = *spans.start.get(range.start)?;
                let ends = spans.start[range.clone()].iter().zip(&spans.dur[range]);
                let last = ends.map(|(s, d)| s.saturating_add(*d)).max()?;
                Some(TimeRange::new(Time(first), Time(last)))
            })
            .reduce_with(TimeRange::hull)
    };
    hull(false).or_else(|| hull(true))
}
