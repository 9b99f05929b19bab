//! The traces of one job on one clock.
//!
//! Columns stay in each file's own nanoseconds; a [`Clock`] per trace says where they lie in the
//! run, and nothing else shifts them. Names are merged into one table; only its ids leave `model`.

use std::sync::Arc;

use crate::base::{Dur, Time, TimeRange};
use crate::model::class::{Class, class_of_kernel};
use crate::model::ids::{NameId, RankId, SpanId, SpanRef, TraceId};
use crate::model::issues::{Issue, Ledger};
use crate::model::kind::{Flags, Kind};
use crate::model::labels::short_name;
use crate::model::names::NameTable;
use crate::model::spans::Span;
use crate::model::trace::Trace;

/// Where a trace lies in its run: run time = file time + `offset`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Clock {
    pub offset: Dur,
    /// Relative rate against the run's clock; 0 until something measures it.
    pub drift: f64,
    /// Traces of one island are placed against each other; across islands positions mean nothing.
    pub island: u32,
}

/// One trace with its place and its origin.
#[derive(Clone, Debug)]
pub struct Member {
    pub trace: Arc<Trace>,
    pub rank: Option<RankId>,
    pub clock: Clock,
    /// File name, without the folder.
    pub file: String,
    /// Size on disk.
    pub bytes: u64,
}

/// A file of the run that is not in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Absent {
    pub file: String,
    /// One sentence.
    pub reason: String,
    /// It is no trace, rather than a trace that failed.
    pub is_ignored: bool,
}

/// The traces of one job. Time 0 of the run is the start of its extent.
#[derive(Clone, Debug, Default)]
pub struct Run {
    name: String,
    members: Vec<Member>,
    absent: Vec<Absent>,
    extent: TimeRange,
    names: NameTable,
    /// Per trace: its ids to the run's.
    remaps: Vec<Vec<NameId>>,
    /// Per name of the run.
    classes: Vec<Class>,
    shorts: Vec<Arc<str>>,
    ledger: Ledger,
    epoch_ns: Option<i64>,
}

impl Run {
    /// Puts members together. Their clocks may have any common origin; it is moved so that the
    /// run starts at 0. `epoch_ns` is the Unix time of that common origin, if known.
    pub fn from_members(
        name: String,
        mut members: Vec<Member>,
        absent: Vec<Absent>,
        notes: &Ledger,
        epoch_ns: Option<i64>,
    ) -> Self {
        let hulls = members.iter().filter_map(|it| {
            let extent = it.trace.extent()?;
            Some(TimeRange::new(
                extent.start.plus(it.clock.offset),
                extent.end.plus(it.clock.offset),
            ))
        });
        let hull = hulls.reduce(TimeRange::hull).unwrap_or_default();
        for member in &mut members {
            member.clock.offset = Dur(member.clock.offset.0.saturating_sub(hull.start.0));
        }
        let mut names = NameTable::default();
        let remap = |it: &Member| -> Vec<NameId> {
            it.trace
                .names()
                .texts()
                .iter()
                .map(|text| names.intern_shared(text))
                .collect()
        };
        let remaps = members.iter().map(remap).collect();
        let classes = names.texts().iter().map(|it| class_of_kernel(it)).collect();
        let shorts = names
            .texts()
            .iter()
            .map(|it| Arc::from(short_name(it)))
            .collect();
        let mut ledger = notes.clone();
        for member in &members {
            ledger.merge(member.trace.ledger());
        }
        let worked = members
            .iter()
            .any(|it| it.trace.work_tracks().next().is_some());
        let drawn = members.iter().any(|it| !it.trace.spans().is_empty());
        if members.is_empty() || !drawn {
            ledger.add(Issue::NoEvents, None);
        } else if !worked && members.iter().all(|it| it.trace.unplaced().is_empty()) {
            ledger.add(Issue::NoGpuEvents, None);
        }
        Self {
            name,
            members,
            absent,
            extent: TimeRange::new(Time(0), Time(0).plus(hull.len())),
            names,
            remaps,
            classes,
            shorts,
            ledger,
            epoch_ns: epoch_ns.map(|it| it.saturating_add(hull.start.0)),
        }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn members(&self) -> &[Member] {
        &self.members
    }

    pub fn member(&self, id: TraceId) -> &Member {
        &self.members[id.index()]
    }

    pub fn trace(&self, id: TraceId) -> &Trace {
        &self.members[id.index()].trace
    }

    pub fn trace_ids(&self) -> impl Iterator<Item = TraceId> + use<> {
        (0..self.members.len()).map(TraceId::from_index)
    }

    pub fn absent(&self) -> &[Absent] {
        &self.absent
    }

    /// From 0 to the last end.
    pub fn extent(&self) -> TimeRange {
        self.extent
    }

    /// Unix time of the run's 0, in nanoseconds.
    pub fn epoch_ns(&self) -> Option<i64> {
        self.epoch_ns
    }

    /// What was wrong, over all traces and between them.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    pub fn names(&self) -> &NameTable {
        &self.names
    }

    /// Distinct ranks, ascending.
    pub fn ranks(&self) -> Vec<RankId> {
        let mut ranks: Vec<RankId> = self.members.iter().filter_map(|it| it.rank).collect();
        ranks.sort_unstable();
        ranks.dedup();
        ranks
    }

    /// Traces that stand on one clock: 1 if all do.
    pub fn island_count(&self) -> u32 {
        self.members
            .iter()
            .map(|it| it.clock.island + 1)
            .max()
            .unwrap_or(0)
    }

    pub fn span(&self, at: SpanRef) -> Span {
        self.trace(at.trace).span(at.span)
    }

    /// The name of a span in the run's table.
    pub fn name_of(&self, at: SpanRef) -> NameId {
        self.run_name(
            at.trace,
            self.trace(at.trace).spans().names()[at.span.index()],
        )
    }

    /// The run's number of a trace's name.
    pub fn run_name(&self, trace: TraceId, name: NameId) -> NameId {
        self.remaps[trace.index()][name.index()]
    }

    pub fn text(&self, name: NameId) -> &str {
        self.names.text(name)
    }

    pub fn short_name(&self, name: NameId) -> &Arc<str> {
        &self.shorts[name.index()]
    }

    /// Class of a GPU span.
    pub fn class_of(&self, at: SpanRef) -> Class {
        let spans = self.trace(at.trace).spans();
        let i = at.span.index();
        self.class(
            at.trace,
            spans.kinds()[i],
            spans.flags()[i],
            spans.names()[i],
        )
    }

    /// The same from the columns, for loops over many.
    pub fn class(&self, trace: TraceId, kind: Kind, flags: Flags, name: NameId) -> Class {
        match kind {
            Kind::Memcpy => Class::Copy,
            Kind::Memset => Class::Memset,
            _ if flags.has(Flags::COLLECTIVE) => Class::Communication,
            _ => self.classes[self.run_name(trace, name).index()],
        }
    }

    /// Where a span lies in the run.
    pub fn range_of(&self, at: SpanRef) -> TimeRange {
        let range = self.span(at).range();
        TimeRange::new(
            self.run_time(at.trace, range.start),
            self.run_time(at.trace, range.end),
        )
    }

    /// Run time of a time of the trace's own clock.
    pub fn run_time(&self, trace: TraceId, time: Time) -> Time {
        time.plus(self.member(trace).clock.offset)
    }

    /// The trace's own time of a run time.
    pub fn trace_time(&self, trace: TraceId, time: Time) -> Time {
        time.minus(self.member(trace).clock.offset)
    }

    pub fn trace_range(&self, trace: TraceId, range: TimeRange) -> TimeRange {
        TimeRange::new(
            self.trace_time(trace, range.start),
            self.trace_time(trace, range.end),
        )
    }

    /// `Rank 3`, or the file's name where it has no rank.
    pub fn title(&self, trace: TraceId) -> String {
        let member = self.member(trace);
        member
            .rank
            .map_or_else(|| member.file.clone(), |it| format!("Rank {}", it.0))
    }

    /// Every work span of `trace` with its id.
    pub fn work(&self, trace: TraceId) -> impl Iterator<Item = (SpanId, Span)> + '_ {
        let trace = self.trace(trace);
        trace
            .work_tracks()
            .flat_map(|(_, track)| track.span_ids())
            .map(|id| (id, trace.span(id)))
    }
}
