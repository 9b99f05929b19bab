//! Names for positions: `u32` newtypes, so that a track is never taken for a span.

use serde::{Deserialize, Serialize};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u32);

        impl $name {
            /// The id of position `index`. Tables stop growing at `u32::MAX` entries, see the builder.
            pub fn from_index(index: usize) -> Self {
                Self(u32::try_from(index).unwrap_or(u32::MAX))
            }

            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// A process of a distributed job, as its launcher counts them.
    RankId
);
id!(
    /// Position of a trace (one process of one recording) in its run.
    TraceId
);
id!(
    /// Position of a track in its trace.
    TrackId
);
id!(
    /// Position of a span in the columns of its trace.
    SpanId
);
id!(
    /// Position of a text in a [`NameTable`](crate::model::NameTable): of a trace, or of a run.
    NameId
);

/// One span of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SpanRef {
    pub trace: TraceId,
    pub span: SpanId,
}

/// One track of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TrackRef {
    pub trace: TraceId,
    pub track: TrackId,
}
