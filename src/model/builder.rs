//! From spans in any order to a [`Trace`]: batches are appended, `finish` sorts them onto tracks,
//! sets depths, ties work to launches and closes the ledger.
//!
//! An importer opens one builder per process of a recording. Whatever the order of batches made in
//! parallel, they are appended in the order of the file, so the result never depends on threads.
//!
//! One file because taking batches, splitting and finishing share the raw columns.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::base::{Cancelled, Job, Time};
use crate::model::arrows::{ArrowPoint, launches};
use crate::model::counters::Counter;
use crate::model::finish::{Rows, depths, extent, pair_arrows, tie};
use crate::model::ids::NameId;
use crate::model::issues::{Issue, Ledger};
use crate::model::kind::{Flags, Kind};
use crate::model::names::NameTable;
use crate::model::spans::{Link, Spans};
use crate::model::trace::{Tally, Trace, TraceHead, Unplaced};
use crate::model::track::{Role, RowId, TrackKey};

/// A span as it is read, before it has a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawSpan {
    pub start: i64,
    pub dur: i64,
    pub name: NameId,
    /// Position in the batch's `tracks`.
    pub track: u32,
    pub kind: Kind,
    pub flags: Flags,
    pub at: u64,
}

/// Such spans as columns of equal length.
#[derive(Clone, Debug, Default)]
pub struct RawSpans {
    pub start: Vec<i64>,
    pub dur: Vec<i64>,
    pub name: Vec<NameId>,
    pub track: Vec<u32>,
    pub kind: Vec<Kind>,
    pub flags: Vec<Flags>,
    pub at: Vec<u64>,
}

impl RawSpans {
    pub fn len(&self) -> usize {
        self.start.len()
    }

    pub fn is_empty(&self) -> bool {
        self.start.is_empty()
    }

    #[inline]
    pub fn push(&mut self, span: RawSpan) {
        self.start.push(span.start);
        self.dur.push(span.dur);
        self.name.push(span.name);
        self.track.push(span.track);
        self.kind.push(span.kind);
        self.flags.push(span.flags);
        self.at.push(span.at);
    }

    fn get(&self, i: usize) -> RawSpan {
        RawSpan {
            start: self.start[i],
            dur: self.dur[i],
            name: self.name[i],
            track: self.track[i],
            kind: self.kind[i],
            flags: self.flags[i],
            at: self.at[i],
        }
    }

    /// Makes room for as many more.
    pub fn reserve(&mut self, count: usize) {
        self.start.reserve(count);
        self.dur.reserve(count);
        self.name.reserve(count);
        self.track.reserve(count);
        self.kind.reserve(count);
        self.flags.reserve(count);
        self.at.reserve(count);
    }

    fn append(&mut self, other: &mut Self) {
        self.start.append(&mut other.start);
        self.dur.append(&mut other.dur);
        self.name.append(&mut other.name);
        self.track.append(&mut other.track);
        self.kind.append(&mut other.kind);
        self.flags.append(&mut other.flags);
        self.at.append(&mut other.at);
    }
}

/// A span with its correlation id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tie {
    /// Position in the spans of the batch.
    pub span: u32,
    pub correlation: u64,
}

/// Which end of an arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ArrowEnd {
    Tail,
    Middle,
    Head,
}

/// One end of an arrow. Its row and time are read from its handle where they are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrow {
    pub id: u64,
    pub end: ArrowEnd,
    pub at: u64,
}

/// What one piece of input gives.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    pub spans: RawSpans,
    /// Texts by the batch's own `NameId`s.
    pub names: Vec<String>,
    pub tracks: Vec<TrackKey>,
    pub ties: Vec<Tie>,
    pub arrows: Vec<Arrow>,
    pub ledger: Ledger,
    pub tally: Tally,
    /// Some time had a fraction of a microsecond.
    pub has_fractions: bool,
}

/// Collects the batches of one trace.
#[derive(Debug, Default)]
pub struct TraceBuilder {
    head: TraceHead,
    ledger: Ledger,
    tally: Tally,
    spans: RawSpans,
    names: NameTable,
    tracks: Vec<TrackKey>,
    track_ids: FxHashMap<TrackKey, u32>,
    ties: Vec<Tie>,
    arrows: Vec<Arrow>,
    arrow_points: Vec<ArrowPoint>,
    counters: Vec<Counter>,
    process_labels: FxHashMap<RowId, Box<str>>,
    thread_labels: FxHashMap<(RowId, RowId), Box<str>>,
    has_fractions: bool,
}

impl TraceBuilder {
    pub fn head_mut(&mut self) -> &mut TraceHead {
        &mut self.head
    }

    /// Notes something wrong, with its place in the file.
    pub fn issue(&mut self, issue: Issue, at: Option<u64>) {
        self.ledger.add(issue, at);
    }

    pub fn issues(&mut self, ledger: &Ledger) {
        self.ledger.merge(ledger);
    }

    /// Makes room for as many spans as are likely to come, so that columns need not be moved.
    pub fn expect_spans(&mut self, count: usize) {
        self.spans.reserve(count.saturating_sub(self.spans.len()));
    }

    /// A text's number in this trace.
    pub fn name(&mut self, text: &str) -> NameId {
        self.names.intern(text)
    }

    pub fn text(&self, name: NameId) -> &str {
        self.names.text(name)
    }

    /// The number of the track of `key`.
    pub fn track(&mut self, key: TrackKey) -> u32 {
        let next = u32::try_from(self.tracks.len()).unwrap_or(u32::MAX);
        *self.track_ids.entry(key).or_insert_with_key(|key| {
            self.tracks.push(key.clone());
            next
        })
    }

    pub fn label_process(&mut self, process: RowId, label: &str) {
        self.process_labels.insert(process, label.trim().into());
    }

    pub fn label_thread(&mut self, process: RowId, thread: RowId, label: &str) {
        self.thread_labels
            .insert((process, thread), label.trim().into());
    }

    pub fn counter(&mut self, counter: Counter) {
        self.counters.push(counter);
    }

    /// The arrows, if launches are to be told by them: there is work, and none of it carries a
    /// correlation id.
    pub fn arrows_wanted(&self) -> &[Arrow] {
        let has_id = |it: &Tie| self.spans.kind[it.span as usize].is_work();
        if self.ties.iter().any(has_id) || !self.spans.kind.iter().any(|it| it.is_work()) {
            return &[];
        }
        &self.arrows
    }

    /// Gives the places of the arrows that were wanted.
    pub fn place_arrows(&mut self, points: Vec<ArrowPoint>) {
        self.arrow_points = points;
    }

    pub fn span_count(&self) -> usize {
        self.spans.len()
    }

    /// Takes a batch; batches come in the order of the file.
    pub fn append(&mut self, mut batch: Batch) {
        let names: Vec<NameId> = batch.names.iter().map(|it| self.names.intern(it)).collect();
        let tracks: Vec<u32> = batch.tracks.into_iter().map(|it| self.track(it)).collect();
        let base = u32::try_from(self.spans.len()).unwrap_or(u32::MAX);
        for name in &mut batch.spans.name {
            *name = names[name.index()];
        }
        for track in &mut batch.spans.track {
            *track = tracks[*track as usize];
        }
        self.spans.append(&mut batch.spans);
        self.ties.extend(batch.ties.iter().map(|it| Tie {
            span: it.span + base,
            ..*it
        }));
        self.arrows.append(&mut batch.arrows);
        self.ledger.merge(&batch.ledger);
        self.tally.add(&batch.tally);
        self.has_fractions |= batch.has_fractions;
    }

    /// Rows of processes that hold a GPU's streams under another name become work, see `rows`.
    pub fn keys_mut(&mut self) -> impl Iterator<Item = &mut TrackKey> {
        self.tracks.iter_mut()
    }

    pub fn process_label(&self, process: &RowId) -> Option<&str> {
        self.process_labels.get(process).map(|it| &**it)
    }

    pub fn thread_label(&self, process: &RowId, thread: &RowId) -> Option<&str> {
        self.thread_labels
            .get(&(process.clone(), thread.clone()))
            .map(|it| &**it)
    }

    pub fn track_keys(&self) -> &[TrackKey] {
        &self.tracks
    }

    /// Gives the spans of `track` another kind, told by their names.
    pub fn rekind(&mut self, is_track: impl Fn(u32) -> bool, kind: impl Fn(&str) -> Kind) {
        for i in 0..self.spans.len() {
            if is_track(self.spans.track[i]) && self.spans.kind[i] != Kind::Instant {
                self.spans.kind[i] = kind(self.names.text(self.spans.name[i]));
            }
        }
    }

    /// Splits into one builder per value of `part`, spans and all, in order of the values.
    pub fn split(self, part: impl Fn(&TrackKey) -> u32) -> Vec<(u32, Self)> {
        let parts: Vec<u32> = self.tracks.iter().map(part).collect();
        let mut values = parts.clone();
        values.sort_unstable();
        values.dedup();
        let mut ties = FxHashMap::default();
        for tie in &self.ties {
            ties.insert(tie.span, tie.correlation);
        }
        let one = |(position, value): (usize, &u32)| {
            let mut builder = Self {
                head: self.head.clone(),
                names: self.names.clone(),
                tracks: self.tracks.clone(),
                track_ids: self.track_ids.clone(),
                process_labels: self.process_labels.clone(),
                thread_labels: self.thread_labels.clone(),
                has_fractions: self.has_fractions,
                // Each part finds its own rows.
                arrow_points: self.arrow_points.clone(),
                ..Self::default()
            };
            if position == 0 {
                builder.ledger = self.ledger.clone();
                builder.tally = self.tally;
                builder.arrows.clone_from(&self.arrows);
            }
            for i in 0..self.spans.len() {
                if parts[self.spans.track[i] as usize] == *value {
                    builder.take_span(&self.spans, i, &ties);
                }
            }
            (*value, builder)
        };
        values.iter().enumerate().map(one).collect()
    }

    fn take_span(&mut self, from: &RawSpans, i: usize, ties: &FxHashMap<u32, u64>) {
        let key = u32::try_from(i).unwrap_or(u32::MAX);
        if let Some(correlation) = ties.get(&key) {
            let span = u32::try_from(self.spans.len()).unwrap_or(u32::MAX);
            self.ties.push(Tie {
                span,
                correlation: *correlation,
            });
        }
        self.spans.push(from.get(i));
    }

    /// Sorts everything into place. What was read is kept, counted, or written into the ledger as
    /// unaccounted; nothing is lost silently.
    pub fn finish(mut self, job: &Job) -> Result<Trace, Cancelled> {
        self.head.tick_ns = if self.has_fractions { 1 } else { 1000 };
        let unplaced = self.set_aside_unplaced();
        job.check()?;
        let Rows {
            tracks: mut rows,
            order,
        } = Rows::sort(
            &self.spans,
            &self.tracks,
            &self.process_labels,
            &self.thread_labels,
        );
        job.check()?;
        let mut spans = Spans::default();
        let raw = std::mem::take(&mut self.spans);
        gather(raw, &order, &mut spans);
        job.check()?;
        let notes = depths(&mut rows, &mut spans, self.head.tick_ns);
        self.ledger.merge(&notes);
        let by_arrows = launches(&rows, &spans, &self.arrow_points);
        let (mut ties, launched, notes) = tie(&mut spans, &order, &self.ties, &by_arrows);
        (ties.arrows_paired, ties.arrows_loose) = pair_arrows(std::mem::take(&mut self.arrows));
        self.ledger.merge(&notes);
        let accounted = self.tally.kept() + self.tally.counted;
        if self.tally.read != accounted {
            let lost = self.tally.read.abs_diff(accounted);
            self.ledger.add_many(Issue::NotAnEvent, lost, None);
            self.tally.counted += self.tally.read.saturating_sub(accounted);
        }
        self.names.shrink();
        let extent = extent(&rows, &spans);
        let work = rows.iter().filter(|it| it.key.role == Role::Work);
        let mut devices: Vec<i64> = work.filter_map(|it| it.key.device).collect();
        devices.sort_unstable();
        devices.dedup();
        Ok(Trace {
            head: self.head,
            names: self.names,
            tracks: rows,
            spans,
            counters: self.counters,
            unplaced,
            ties,
            tally: self.tally,
            ledger: self.ledger,
            extent,
            launched,
            devices,
        })
    }

    /// GPU work stamped 0 with no length, in a file whose other times are not 0, is no picture of
    /// 1970: it is listed instead.
    fn set_aside_unplaced(&mut self) -> Vec<Unplaced> {
        let spans = &self.spans;
        let at_zero =
            |i: &usize| spans.start[*i] == 0 && spans.dur[*i] == 0 && spans.kind[*i].is_work();
        let zeros: Vec<usize> = (0..spans.len()).filter(at_zero).collect();
        let others_at_zero = spans.start.iter().filter(|it| **it == 0).count() - zeros.len();
        if zeros.is_empty() || spans.len() == zeros.len() + others_at_zero {
            return Vec::new();
        }
        let first = zeros.first().map(|i| spans.at[*i]);
        self.ledger
            .add_many(Issue::ZeroTimestamp, zeros.len() as u64, first);
        let list: Vec<Unplaced> = zeros
            .iter()
            .map(|i| Unplaced {
                name: spans.name[*i],
                at: spans.at[*i],
            })
            .collect();
        self.remove(&zeros);
        list
    }

    fn remove(&mut self, gone: &[usize]) {
        let mut keep = vec![true; self.spans.len()];
        for i in gone {
            keep[*i] = false;
        }
        let mut moved = vec![u32::MAX; keep.len()];
        let mut next = 0;
        for (i, kept) in keep.iter().enumerate() {
            if *kept {
                moved[i] = next;
                next += 1;
            }
        }
        let spans = &mut self.spans;
        retain(&mut spans.start, &keep);
        retain(&mut spans.dur, &keep);
        retain(&mut spans.name, &keep);
        retain(&mut spans.track, &keep);
        retain(&mut spans.kind, &keep);
        retain(&mut spans.flags, &keep);
        retain(&mut spans.at, &keep);
        self.ties.retain_mut(|it| {
            it.span = moved[it.span as usize];
            it.span != u32::MAX
        });
    }
}

fn retain<T>(column: &mut Vec<T>, keep: &[bool]) {
    let mut flags = keep.iter();
    column.retain(|_| flags.next().copied().unwrap_or(true));
}

/// Brings each column into `order`, one after the other so that only one is held twice.
fn gather(raw: RawSpans, order: &[u32], spans: &mut Spans) {
    fn column<T: Copy + Send + Sync>(raw: Vec<T>, order: &[u32]) -> Vec<T> {
        let sorted = order
            .par_iter()
            .with_min_len(1 << 16)
            .map(|i| raw[*i as usize])
            .collect();
        drop(raw);
        sorted
    }
    drop(raw.track);
    spans.start = column(raw.start, order);
    spans.dur = column(raw.dur, order);
    spans.name = column(raw.name, order);
    spans.kind = column(raw.kind, order);
    spans.flags = column(raw.flags, order);
    spans.at = column(raw.at, order);
    spans.depth = vec![0; order.len()];
    spans.launch = vec![Link::NONE; order.len()];
}

/// The last time a batch reaches, for spans that never ended.
pub fn last_end(spans: &RawSpans) -> Option<Time> {
    spans
        .start
        .iter()
        .zip(&spans.dur)
        .map(|(s, d)| Time(s.saturating_add(*d)))
        .max()
}
