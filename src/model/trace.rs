//! What one process of one recording says: columns, tracks, counters, and the ledger of what was
//! wrong. Never changes after it is built.

use crate::base::TimeRange;
use crate::model::counters::Counter;
use crate::model::ids::{NameId, RankId, SpanId, TrackId};
use crate::model::issues::Ledger;
use crate::model::names::NameTable;
use crate::model::spans::{Span, Spans};
use crate::model::track::{Role, Track};

/// A GPU as the file describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gpu {
    pub ordinal: i64,
    /// `None` where the file leaves it empty.
    pub name: Option<String>,
    pub memory_bytes: Option<u64>,
}

/// What the head of a file says of the recording. Host names, paths, environment values and the
/// like are left in the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TraceHead {
    pub rank: Option<RankId>,
    pub world_size: Option<u32>,
    /// `Kineto`, `Chrome trace`.
    pub writer: &'static str,
    /// `CUDA 12.4`, `ROCm 6.2`: what is known of the software, in words.
    pub software: Vec<String>,
    pub gpus: Vec<Gpu>,
    /// Nanoseconds of the Unix epoch that stand for time 0; `None`: the clock counts from an
    /// unknown start.
    pub epoch_ns: Option<i64>,
    /// The file gives `epoch_ns` itself, rather than through its large times.
    pub has_base_time: bool,
    /// One tick of the times in the file, in nanoseconds: 1 or 1000.
    pub tick_ns: i64,
}

/// What became of the elements that were read. Their sum is `read`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub read: u64,
    pub spans: u64,
    /// Begin and end events, of threads and of async spans.
    pub edges: u64,
    pub arrows: u64,
    pub samples: u64,
    pub labels: u64,
    pub empty: u64,
    /// Could not be placed: stands in the ledger.
    pub counted: u64,
    /// Whole events the text did not let us read, and one cut off at its end. Not in `read`.
    pub partial: u64,
}

impl Tally {
    pub fn kept(&self) -> u64 {
        self.spans + self.edges + self.arrows + self.samples + self.labels + self.empty
    }

    pub fn add(&mut self, other: &Self) {
        self.read += other.read;
        self.spans += other.spans;
        self.edges += other.edges;
        self.arrows += other.arrows;
        self.samples += other.samples;
        self.labels += other.labels;
        self.empty += other.empty;
        self.counted += other.counted;
        self.partial += other.partial;
    }
}

/// A GPU span without a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unplaced {
    pub name: NameId,
    pub at: u64,
}

/// How GPU work and calls are tied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ties {
    /// Calls that carry a correlation id, and those that only an arrow ties to work.
    pub launch_count: u64,
    /// Work spans with a launch.
    pub linked_count: u64,
    /// Work spans without.
    pub unlinked_count: u64,
    /// Ids of arrows with both ends, with one.
    pub arrows_paired: u64,
    pub arrows_loose: u64,
}

/// One trace.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    pub(crate) head: TraceHead,
    pub(crate) names: NameTable,
    pub(crate) tracks: Vec<Track>,
    pub(crate) spans: Spans,
    pub(crate) counters: Vec<Counter>,
    pub(crate) unplaced: Vec<Unplaced>,
    pub(crate) ties: Ties,
    pub(crate) tally: Tally,
    pub(crate) ledger: Ledger,
    pub(crate) extent: Option<TimeRange>,
    /// Work spans, ordered by launch, for the way from a launch to its kernels.
    pub(crate) launched: Vec<SpanId>,
    pub(crate) devices: Vec<i64>,
}

impl Trace {
    pub fn head(&self) -> &TraceHead {
        &self.head
    }

    pub fn names(&self) -> &NameTable {
        &self.names
    }

    /// Ordered by role, device, process and thread.
    pub fn tracks(&self) -> &[Track] {
        &self.tracks
    }

    pub fn track(&self, id: TrackId) -> &Track {
        &self.tracks[id.index()]
    }

    pub fn track_ids(&self) -> impl Iterator<Item = TrackId> + use<> {
        (0..self.tracks.len()).map(TrackId::from_index)
    }

    pub fn spans(&self) -> &Spans {
        &self.spans
    }

    pub fn span(&self, id: SpanId) -> Span {
        self.spans.get(id)
    }

    pub fn name(&self, id: SpanId) -> &str {
        self.names.text(self.spans.names()[id.index()])
    }

    /// The track that holds span `id`.
    pub fn track_of(&self, id: SpanId) -> TrackId {
        TrackId::from_index(self.tracks.partition_point(|it| it.spans.end <= id.0))
    }

    pub fn counters(&self) -> &[Counter] {
        &self.counters
    }

    pub fn unplaced(&self) -> &[Unplaced] {
        &self.unplaced
    }

    pub fn ties(&self) -> &Ties {
        &self.ties
    }

    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// First start to last end of what is placed, on the file's own clock; without the profiler's
    /// own rows where there is anything else.
    pub fn extent(&self) -> Option<TimeRange> {
        self.extent
    }

    /// The work that `launch` started, in order of time.
    pub fn launched_by(&self, launch: SpanId) -> &[SpanId] {
        let of = |it: &SpanId| self.spans.get(*it).launch;
        let from = self.launched.partition_point(|it| of(it) < Some(launch));
        let to = self.launched.partition_point(|it| of(it) <= Some(launch));
        &self.launched[from..to]
    }

    pub fn work_tracks(&self) -> impl Iterator<Item = (TrackId, &Track)> {
        let all = self.tracks.iter().enumerate();
        all.filter(|(_, it)| it.key.role == Role::Work)
            .map(|(i, it)| (TrackId::from_index(i), it))
    }

    /// Ordinals of the GPUs that worked, ascending.
    pub fn devices(&self) -> Vec<i64> {
        self.devices.clone()
    }

    /// The spans of `track` that enclose the start of `span`, outermost first, without itself.
    pub fn enclosing(&self, span: SpanId) -> Vec<SpanId> {
        let track = self.track(self.track_of(span));
        let it = self.span(span);
        let mut found = Vec::new();
        let mut depth = it.depth;
        for id in (track.spans.start..span.0).rev().map(SpanId) {
            if depth == 0 {
                break;
            }
            let before = self.span(id);
            if before.depth < depth && before.end() > it.start {
                depth = before.depth;
                found.push(id);
            }
        }
        found.reverse();
        found
    }
}
