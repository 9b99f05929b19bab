//! Bytes in, facts out.
#![warn(clippy::indexing_slicing)]

mod container;
mod inflate;
mod intake;
mod sniff;
mod source;
mod source_error;
#[cfg(test)]
mod source_tests;
mod unpack;
mod utf16;

pub use sniff::{Content, guess_from_name, what_is_it};
pub use source::{Opened, Source, open};
pub use source_error::{Ignored, NoteKind, SourceError, SourceNote, WhyIgnored};
