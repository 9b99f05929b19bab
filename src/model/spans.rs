//! The spans of a trace as columns: 36 bytes each. Spans of a track are contiguous and ordered by
//! start, longer first; `depth` is the sub-lane of a stream or the nesting on a thread.

use crate::base::{Dur, Time, TimeRange};
use crate::model::ids::{NameId, SpanId};
use crate::model::kind::{Flags, Kind};

/// One span, read out of the columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub start: Time,
    pub dur: Dur,
    /// In the table of its trace.
    pub name: NameId,
    pub kind: Kind,
    pub flags: Flags,
    pub depth: u16,
    /// The launch of work.
    pub launch: Option<SpanId>,
    /// Handle by which the importer finds the record again: for JSON its byte offset.
    pub at: u64,
}

impl Span {
    pub fn range(&self) -> TimeRange {
        TimeRange::from_start(self.start, self.dur)
    }

    pub fn end(&self) -> Time {
        self.start.plus(self.dur)
    }
}

/// A launch, or none, in four bytes; none comes last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Link(u32);

impl Link {
    pub(crate) const NONE: Self = Self(u32::MAX);

    pub(crate) fn to(span: SpanId) -> Self {
        Self(span.0)
    }

    fn get(self) -> Option<SpanId> {
        (self != Self::NONE).then_some(SpanId(self.0))
    }
}

/// The columns.
#[derive(Clone, Debug, Default)]
pub struct Spans {
    pub(crate) start: Vec<i64>,
    pub(crate) dur: Vec<i64>,
    pub(crate) name: Vec<NameId>,
    pub(crate) kind: Vec<Kind>,
    pub(crate) flags: Vec<Flags>,
    pub(crate) depth: Vec<u16>,
    pub(crate) launch: Vec<Link>,
    pub(crate) at: Vec<u64>,
}

impl Spans {
    pub fn len(&self) -> usize {
        self.start.len()
    }

    pub fn is_empty(&self) -> bool {
        self.start.is_empty()
    }

    /// The span `id`, which must be of this trace.
    pub fn get(&self, id: SpanId) -> Span {
        let i = id.index();
        Span {
            start: Time(self.start[i]),
            dur: Dur(self.dur[i]),
            name: self.name[i],
            kind: self.kind[i],
            flags: self.flags[i],
            depth: self.depth[i],
            launch: self.launch[i].get(),
            at: self.at[i],
        }
    }

    /// Starts in nanoseconds of the file's own clock.
    pub fn starts(&self) -> &[i64] {
        &self.start
    }

    /// Durations in nanoseconds, never negative.
    pub fn durs(&self) -> &[i64] {
        &self.dur
    }

    pub fn names(&self) -> &[NameId] {
        &self.name
    }

    pub fn kinds(&self) -> &[Kind] {
        &self.kind
    }

    pub fn flags(&self) -> &[Flags] {
        &self.flags
    }

    pub fn depths(&self) -> &[u16] {
        &self.depth
    }
}
