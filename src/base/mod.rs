//! Words of time and of work. Knows only the standard library; that traces exist is not known here.

mod interval;
mod job;
mod sketch;
pub mod text;
mod time;

pub use interval::{Intervals, RunningUnion};
pub use job::{Cancelled, Job, JobError, Stage, catch, spawn};
pub use sketch::Sketch;
pub use time::{Dur, Time, TimeRange};
