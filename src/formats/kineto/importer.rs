//! The importer's face: sniffing, reading, and the arguments of one event.

use std::path::Path;

use serde_json::Value;

use crate::base::Job;
use crate::formats::error::ImportError;
use crate::formats::importer::{Fields, Importer, Match, Part};
use crate::formats::kineto::assemble::Assembly;
use crate::formats::kineto::document::read_document;
use crate::formats::kineto::mend::mend;
use crate::formats::sniff::Content;
use crate::formats::source::Source;
use crate::formats::source_error::SourceNote;
use crate::model::Trace;

/// `PyTorch` Profiler and Chrome trace JSON.
pub(crate) struct Kineto;

impl Importer for Kineto {
    fn name(&self) -> &'static str {
        "kineto"
    }

    fn endings(&self) -> &'static [&'static str] {
        &["json", "gz", "zst", "zip", "tar", "tgz"]
    }

    fn sniff(&self, source: &Source) -> Match {
        if source.content() != Content::Json {
            return Match::No;
        }
        let bytes = source.bytes();
        let head = bytes.get(..bytes.len().min(1 << 16)).unwrap_or_default();
        let has = |key: &[u8]| memchr::memmem::find(head, key).is_some();
        if has(b"\"traceEvents\"") || has(b"\"ph\"") {
            Match::Yes
        } else {
            Match::Maybe
        }
    }

    fn import(&self, source: &Source, job: &Job) -> Result<Vec<Part>, ImportError> {
        let traces = traces_of(source.bytes(), source.path(), source.notes(), job)?;
        Ok(traces
            .into_iter()
            .map(|it| Part::Trace(Box::new(it)))
            .collect())
    }

    fn args(&self, source: &Source, at: u64) -> Result<Fields, ImportError> {
        let missing = || ImportError::NoRecord {
            at,
            path: source.path().to_owned(),
        };
        let start = usize::try_from(at).ok().ok_or_else(missing)?;
        let mended = mend(source.bytes(), start).ok().ok_or_else(missing)?;
        match serde_json::from_str(&mended.text) {
            Ok(Value::Object(fields)) => Ok(fields),
            _ => Err(missing()),
        }
    }
}

/// The traces in the text of a file: one, or one a rank for a merged file. What unpacking noted goes
/// into the ledger of the first.
pub(super) fn traces_of(
    bytes: &[u8],
    path: &Path,
    notes: &[SourceNote],
    job: &Job,
) -> Result<Vec<Trace>, ImportError> {
    let mut assembly = Assembly::default();
    let mut head = read_document(bytes, path, job, &mut |it| assembly.take(it))?;
    for note in notes {
        head.ledger
            .add_many(note.kind.issue(), note.count, Some(note.at));
    }
    Ok(assembly.finish(&head, bytes, job)?)
}
