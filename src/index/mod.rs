//! Facts arranged for looking up: where a span is, how dense a stretch is, how long a track is busy.
//! Files and pixels are not known here: a column is a part of a range.

mod bands;
mod brush;
mod busy;
mod clip;
mod columns;
mod density;
mod ink;
mod pages;
mod parts;
mod rows;
mod rtree;
mod run_index;
mod sampler;
#[cfg(test)]
mod tests;
mod trace_index;

pub use bands::Shares;
pub use density::Detail;
pub use ink::{Ink, Texel};
pub use parts::Parts;
pub use rows::Row;
pub use rtree::Block;
pub use run_index::Index;
pub use trace_index::TraceIndex;
