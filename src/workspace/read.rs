//! From files to traces: opens each, finds its importer, reads it. One file that fails is told and
//! the rest goes on.

use std::sync::Arc;

use crate::base::{Cancelled, Job};
use crate::formats::{
    Content, IMPORTERS, ImportError, Importer, Match, Part, Source, SourceError, WhyIgnored, open,
};
use crate::model::{Absent, Issue, Ledger};
use crate::workspace::discover::FoundFile;
use crate::workspace::ranks::Candidate;

/// The bytes of a trace and the importer that reads them.
#[derive(Clone)]
pub(crate) struct Origin {
    pub(crate) source: Arc<Source>,
    pub(crate) importer: &'static dyn Importer,
}

/// What unpacking saw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Intake {
    /// The paths were a folder or an archive.
    pub is_collection: bool,
    pub gzip_members: Option<u64>,
    pub inflated_bytes: Option<u64>,
    /// Members of archives and files of folders that are no trace.
    pub ignored_count: u64,
}

/// What one file gave, or several.
#[derive(Default)]
pub(crate) struct Read {
    pub(crate) traces: Vec<(Candidate, Origin)>,
    pub(crate) absent: Vec<Absent>,
    pub(crate) ledger: Ledger,
    pub(crate) intake: Intake,
}

impl Read {
    pub(crate) fn refuse(&mut self, file: String, reason: String) {
        self.ledger.add(Issue::FileNotLoaded, None);
        self.absent.push(Absent {
            file,
            reason,
            is_ignored: false,
        });
    }

    /// Counts what unpacking saw of a source that gave no trace; a trace carries it itself.
    fn note(&mut self, source: &Source) {
        for note in source.notes() {
            self.ledger
                .add_many(note.kind.issue(), note.count, Some(note.at));
        }
    }

    pub(crate) fn ignore(&mut self, file: String, reason: String) {
        self.intake.ignored_count += 1;
        self.absent.push(Absent {
            file,
            reason,
            is_ignored: true,
        });
    }

    pub(crate) fn merge(&mut self, other: Self) {
        self.traces.extend(other.traces);
        self.absent.extend(other.absent);
        self.ledger.merge(&other.ledger);
        self.intake.is_collection |= other.intake.is_collection;
        self.intake.ignored_count += other.intake.ignored_count;
        let sum = |a: Option<u64>, b: Option<u64>| a.map_or(b, |a| Some(a + b.unwrap_or(0)));
        self.intake.gzip_members = sum(self.intake.gzip_members, other.intake.gzip_members);
        self.intake.inflated_bytes = sum(self.intake.inflated_bytes, other.intake.inflated_bytes);
    }
}

/// Reads one file. `opening` hears how many of its bytes have come from disk.
pub(crate) fn read_file(
    file: &FoundFile,
    job: &Job,
    opening: &dyn Fn(u64),
) -> Result<Read, Cancelled> {
    let mut result = Read::default();
    let title = file.name();
    let progress = |bytes| {
        opening(bytes);
        job.check()
    };
    let opened = match open(&file.path, &progress) {
        Ok(opened) => opened,
        Err(SourceError::Cancelled(cancelled)) => return Err(cancelled),
        Err(error) => {
            job.expect_instead(0, file.bytes);
            if let Some(issue) = error.kind().and_then(issue_of) {
                result.ledger.add(issue, None);
            }
            result.refuse(title, error.to_string());
            return Ok(result);
        }
    };
    for ignored in &opened.ignored {
        match ignored.why.kind().and_then(issue_of) {
            Some(issue) => {
                result.ledger.add(issue, None);
                result.absent.push(Absent {
                    file: ignored.name.clone(),
                    reason: ignored.why.to_string(),
                    is_ignored: false,
                });
            }
            None => result.ignore(ignored.name.clone(), ignored.why.to_string()),
        }
        result.intake.is_collection |= matches!(ignored.why, WhyIgnored::NotATrace(_));
    }
    let total: u64 = opened
        .sources
        .iter()
        .map(|it| it.bytes().len() as u64)
        .sum();
    job.expect_instead(total, file.bytes);
    result.intake.is_collection |= opened.sources.iter().any(|it| it.member().is_some());
    if opened.sources.is_empty() {
        result.refuse(
            title,
            format!(
                "no member of this archive is a trace: {}",
                file.path.display()
            ),
        );
    }
    for source in opened.sources {
        let (bytes, before) = (source.bytes().len() as u64, job.done_bytes());
        read_source(&Arc::new(source), file, job, &mut result)?;
        // What stands around the events, and what is no trace.
        let told = job.done_bytes().saturating_sub(before);
        job.advance(bytes.saturating_sub(told))?;
    }
    Ok(result)
}

fn read_source(
    source: &Arc<Source>,
    file: &FoundFile,
    job: &Job,
    out: &mut Read,
) -> Result<(), Cancelled> {
    let title = source.name();
    let from_many = file.from_folder || source.member().is_some();
    let Some(importer) = best_importer(source) else {
        let content = source.content();
        let reason = format!("{}: {}", content.advice(), source.path().display());
        out.note(source);
        // In a folder or archive other files are no fault; one that was named is refused.
        if from_many && content != Content::Empty {
            out.ignore(title, reason);
        } else {
            out.ledger.add(Issue::UnsupportedFormat, None);
            out.refuse(title, reason);
        }
        return Ok(());
    };
    out.intake.gzip_members = source
        .gzip_members()
        .map(u64::from)
        .or(out.intake.gzip_members);
    out.intake.inflated_bytes = source.inflated_bytes().or(out.intake.inflated_bytes);
    let parts = match importer.import(source, job) {
        Ok(parts) => parts,
        Err(ImportError::Cancelled(cancelled)) => return Err(cancelled),
        Err(error) => {
            out.note(source);
            if from_many {
                out.ignore(title, error.to_string());
            } else {
                out.ledger.add(Issue::UnsupportedFormat, None);
                out.refuse(title, error.to_string());
            }
            return Ok(());
        }
    };
    if source.check_unchanged().is_err() {
        out.ledger.add(Issue::FileChanged, None);
    }
    for Part::Trace(trace) in parts {
        let candidate = Candidate::new(Arc::from(trace), source, &file.path);
        out.traces.push((
            candidate,
            Origin {
                source: Arc::clone(source),
                importer,
            },
        ));
    }
    Ok(())
}

/// The importer that is surest.
fn best_importer(source: &Source) -> Option<&'static dyn Importer> {
    let sure = IMPORTERS.iter().map(|it| (it.sniff(source), *it));
    sure.filter(|it| it.0 != Match::No)
        .max_by_key(|it| it.0)
        .map(|it| it.1)
}

fn issue_of(kind: &str) -> Option<Issue> {
    Issue::ALL.iter().copied().find(|it| it.word() == kind)
}
