//! A lane: a track given a place on the screen, and the key by which it is remembered.

use serde::{Deserialize, Serialize};

use crate::model::{TraceId, TrackId};

/// What a lane shows, and by what the view remembers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum LaneKey {
    /// A trace: its header, and its first device where it has one.
    Rank(TraceId),
    /// A further device of a trace.
    Device(TraceId, i64),
    /// A stream, thread or other row.
    Track(TraceId, TrackId),
    /// The overlap band of a device.
    Band(TraceId, i64),
    /// The CPU threads of a trace; the other rows of a trace.
    Threads(TraceId),
    Others(TraceId),
    /// A counter, by its position.
    Counter(TraceId, u32),
}

impl LaneKey {
    pub fn trace(self) -> TraceId {
        match self {
            Self::Rank(it) | Self::Threads(it) | Self::Others(it) => it,
            Self::Device(it, _) | Self::Track(it, _) | Self::Band(it, _) | Self::Counter(it, _) => {
                it
            }
        }
    }
}

impl LaneKey {
    /// The key as a value that hashes, for the ids of controls.
    pub fn id(self) -> (u8, u32, i64) {
        let trace = self.trace().0;
        match self {
            Self::Rank(_) => (0, trace, 0),
            Self::Device(_, device) => (1, trace, device),
            Self::Track(_, track) => (2, trace, i64::from(track.0)),
            Self::Band(_, device) => (3, trace, device),
            Self::Threads(_) => (4, trace, 0),
            Self::Others(_) => (5, trace, 0),
            Self::Counter(_, number) => (6, trace, i64::from(number)),
        }
    }
}

/// A lane with its place, in points from the top of the first lane.
#[derive(Clone, Debug, PartialEq)]
pub struct Lane {
    pub key: LaneKey,
    pub title: String,
    /// Beside the title, muted.
    pub note: String,
    /// Indentation.
    pub level: u8,
    /// Points that are left free above it.
    pub space: f32,
    pub top: f32,
    pub height: f32,
    /// Whether it can be opened, and is.
    pub open: Option<bool>,
    /// A rank drawn as one heat row.
    pub is_heat: bool,
    /// Sub-lanes or depths that are drawn.
    pub shown_rows: u16,
    /// Rows that do not fit.
    pub hidden_rows: u16,
}

impl Lane {
    /// Whether it heads other lanes, without rows of its own.
    pub fn is_heading(&self) -> bool {
        matches!(self.key, LaneKey::Rank(_) | LaneKey::Device(..))
    }

    pub fn bottom(&self) -> f32 {
        self.top + self.height
    }
}
