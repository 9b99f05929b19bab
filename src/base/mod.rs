//! Words of time and of work.

mod job;

pub use job::Cancelled;
