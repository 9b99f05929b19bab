//! What a file format must be able to do.

use serde_json::{Map, Value};

use crate::base::Job;
use crate::formats::error::ImportError;
use crate::formats::source::Source;
use crate::model::Trace;

/// How sure an importer is that a source is its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Match {
    No,
    /// Could be: tried after every `Yes`.
    Maybe,
    Yes,
}

/// One thing that a source holds.
#[derive(Debug)]
pub enum Part {
    /// A process of a recording.
    Trace(Box<Trace>),
}

/// A record as the file gives it, by key.
pub type Fields = Map<String, Value>;

/// A file format.
pub trait Importer: Sync {
    /// `kineto`: as the command line and errors say it.
    fn name(&self) -> &'static str;

    /// Usual endings, for the open dialog only.
    fn endings(&self) -> &'static [&'static str];

    /// Looks at the first bytes; cannot fail.
    fn sniff(&self, source: &Source) -> Match;

    /// Reads everything. Bad records go to the ledger of their trace; an error means that nothing
    /// could be read.
    fn import(&self, source: &Source, job: &Job) -> Result<Vec<Part>, ImportError>;

    /// All that the file says of the record with handle `at`.
    fn args(&self, source: &Source, at: u64) -> Result<Fields, ImportError>;
}
