//! Words of time, text and work; knows nothing of traces.

pub mod text;
