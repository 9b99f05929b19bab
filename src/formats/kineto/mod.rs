//! `PyTorch` Profiler (Kineto) and Chrome trace JSON, of all generations and writers (formats.md 2, 3).

mod args;
mod arrows;
mod assemble;
mod category;
mod cursor;
mod document;
mod event;
mod head;
mod importer;
mod layout;
mod mend;
mod number;
mod pairs;
mod piece;
mod reader;
mod rows;
mod scan;
mod skip;
#[cfg(test)]
mod tests;

pub(super) use importer::Kineto;
