//! Tracks: which row of the file a span stands on, and what that row is.

use std::ops::Range;

use crate::model::ids::SpanId;

/// A process, thread or stream as the file names it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RowId {
    Number(i64),
    Text(Box<str>),
}

impl RowId {
    pub fn number(&self) -> Option<i64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Text(_) => None,
        }
    }
}

impl std::fmt::Display for RowId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}

/// What the spans of a track are. Only [`Role::Work`] counts as busy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    Work,
    Annotation,
    Sync,
    Cpu,
    /// Rows of other accelerators and of unknown producers.
    Other,
    Async,
    Overhead,
}

/// What makes a track: spans with equal keys share it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TrackKey {
    pub role: Role,
    /// The GPU, for rows of a GPU.
    pub device: Option<i64>,
    pub process: RowId,
    /// The stream of a GPU row, else the thread.
    pub thread: RowId,
}

/// A row of spans.
#[derive(Clone, Debug)]
pub struct Track {
    pub key: TrackKey,
    /// What the file calls the thread or stream, if it does.
    pub label: Option<Box<str>>,
    /// What the file calls the process, if it does.
    pub process_label: Option<Box<str>>,
    /// Positions in the columns.
    pub spans: Range<u32>,
    /// Sub-lanes of a stream, or depth of a thread; 0 only if there is no span.
    pub lane_count: u16,
}

impl Track {
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    pub fn span_ids(&self) -> impl DoubleEndedIterator<Item = SpanId> + ExactSizeIterator + use<> {
        self.spans.clone().map(SpanId)
    }

    /// Positions in the columns, for slicing them.
    pub fn indices(&self) -> Range<usize> {
        self.spans.start as usize..self.spans.end as usize
    }
}
