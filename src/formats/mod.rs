//! Bytes to facts: one importer per file format, and the sources that give them bytes.
//!
//! Meaning, other traces and pixels are not known here. Nothing in this room may panic, whatever
//! the bytes.
#![warn(clippy::indexing_slicing)]

mod container;
mod error;
mod importer;
mod inflate;
mod intake;
mod kineto;
mod sniff;
mod source;
mod source_error;
mod tape;
#[cfg(test)]
mod tests;
mod unpack;
mod utf16;

pub use error::ImportError;
pub use importer::{Fields, Importer, Match, Part};
pub use sniff::{Content, guess_from_name, what_is_it};
pub use source::{Opened, Source, open};
pub use source_error::{Ignored, NoteKind, SourceError, SourceNote, WhyIgnored};

/// Every format that can be read.
pub static IMPORTERS: &[&dyn Importer] = &[&kineto::Kineto];
