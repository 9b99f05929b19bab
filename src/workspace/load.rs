//! From paths to a run: finds files, reads them in parallel, decides ranks, places clocks, builds
//! the index. One file that fails is told and the rest goes on.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use crate::base::{Cancelled, Job, Stage};
use crate::formats::{
    Content, IMPORTERS, Importer, Match, Part, Source, SourceError, WhyIgnored, open,
};
use crate::index::Index;
use crate::model::{Absent, Issue, Ledger, Member, Run, Trace};
use crate::workspace::align::place;
use crate::workspace::discover::{DiscoverError, Found, FoundFile, find};
use crate::workspace::rank_name::run_name;
use crate::workspace::ranks::{Candidate, settle};

/// A run, its index, and where each of its traces came from.
#[derive(Clone)]
pub struct Loaded {
    pub(crate) run: Arc<Run>,
    pub(crate) index: Arc<Index>,
    pub(crate) origins: Vec<Origin>,
    pub(crate) intake: Intake,
}

impl Loaded {
    pub fn run(&self) -> &Run {
        &self.run
    }
}

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

/// Nothing could be opened.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error(transparent)]
    Discover(#[from] DiscoverError),
    /// No file gave a trace; the first reason is the sentence.
    #[error("{}", .0.first().map_or("nothing to open", |it| it.reason.as_str()))]
    NothingLoaded(Vec<Absent>, Box<Ledger>),
    #[error("{} runs are here, of which one can be open: {}", .0.len(), .0.join(", "))]
    SeveralRuns(Vec<String>),
    #[error(
        "{first} and {second} are both rank {rank} at the same time: two runs. Open one of them, or compare them with --against"
    )]
    SameRank {
        rank: u32,
        first: String,
        second: String,
    },
    #[error(
        "{first} and {second} carry no rank: two runs. Open one of them, compare them with --against, or put the ranks of one run into a folder"
    )]
    NoRanks { first: String, second: String },
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// What one file gave.
#[derive(Default)]
struct FileResult {
    traces: Vec<(Candidate, Origin)>,
    absent: Vec<Absent>,
    ledger: Ledger,
    intake: Intake,
}

/// Opens `paths` as one run.
pub fn load(paths: &[PathBuf], job: &Job) -> Result<Loaded, LoadError> {
    job.enter(Stage::FindFiles);
    let Found {
        files,
        failed,
        skipped_folders,
        ..
    } = find(paths)?;
    let from_folder = files.iter().any(|it| it.from_folder);
    job.enter(Stage::ReadSpans);
    let results: Vec<FileResult> = files
        .par_iter()
        .map(|it| read_file(it, job))
        .collect::<Result<_, Cancelled>>()?;
    let mut all = FileResult::default();
    for error in failed {
        all.refuse(error.to_string(), error.to_string());
    }
    for result in results {
        all.merge(result);
    }
    all.intake.is_collection |= from_folder;
    if all.traces.is_empty() {
        if let Some(reason) = no_trace_in_folder(paths, &files, skipped_folders) {
            let file = run_name(&paths.iter().map(PathBuf::as_path).collect::<Vec<_>>());
            let is_ignored = false;
            all.absent.insert(
                0,
                Absent {
                    file,
                    reason,
                    is_ignored,
                },
            );
        }
        return Err(LoadError::NothingLoaded(all.absent, Box::new(all.ledger)));
    }
    job.enter(Stage::AlignClocks);
    let name = run_name(&files.iter().map(|it| it.path.as_path()).collect::<Vec<_>>());
    let is_collection = all.intake.is_collection;
    let mut doubles = Vec::new();
    let traces = std::mem::take(&mut all.traces);
    let settled = settle(traces, is_collection, &mut all.ledger, &mut doubles)?;
    for file in doubles {
        all.ignore(
            file,
            "it holds the ranks of the other files once more".to_owned(),
        );
    }
    let traces: Vec<&Trace> = settled.iter().map(|it| &*it.0.trace).collect();
    let placing = place(&traces);
    all.ledger.merge(&placing.notes);
    let (candidates, origins): (Vec<Candidate>, Vec<Origin>) = settled.into_iter().unzip();
    let members = candidates
        .into_iter()
        .zip(&placing.clocks)
        .map(|(it, clock)| Member {
            trace: it.trace,
            rank: it.rank,
            clock: *clock,
            file: it.file,
            bytes: it.bytes,
        });
    let run = Run::from_members(
        name,
        members.collect(),
        all.absent,
        &all.ledger,
        placing.epoch_ns,
    );
    job.enter(Stage::BuildIndex);
    let index = Index::build(&run, job)?;
    Ok(Loaded {
        run: Arc::new(run),
        index: Arc::new(index),
        origins,
        intake: all.intake,
    })
}

impl FileResult {
    fn refuse(&mut self, file: String, reason: String) {
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

    fn ignore(&mut self, file: String, reason: String) {
        self.intake.ignored_count += 1;
        self.absent.push(Absent {
            file,
            reason,
            is_ignored: true,
        });
    }

    fn merge(&mut self, other: Self) {
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

/// What to say of a folder in which no file is a trace; the files have their own reasons.
fn no_trace_in_folder(paths: &[PathBuf], files: &[FoundFile], deeper: u32) -> Option<String> {
    let [folder] = paths else { return None };
    if !files.iter().all(|it| it.from_folder) {
        return None;
    }
    let counted = match files.len() {
        1 => "the one file in this folder is no trace, open it to learn why".to_owned(),
        count => {
            format!("none of the {count} files in this folder is a trace, open one to learn why")
        }
    };
    let below = match deeper {
        0 => String::new(),
        _ => format!(" (folders are read two levels deep, {deeper} lie deeper)"),
    };
    Some(format!("{counted}{below}: {}", folder.display()))
}

fn read_file(file: &FoundFile, job: &Job) -> Result<FileResult, Cancelled> {
    let mut result = FileResult::default();
    let title = file
        .path
        .file_name()
        .map_or_else(String::new, |it| it.to_string_lossy().into_owned());
    let opened = match open(&file.path, &|_| job.check()) {
        Ok(opened) => opened,
        Err(SourceError::Cancelled(cancelled)) => return Err(cancelled),
        Err(error) => {
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
    job.expect_bytes(total);
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
        read_source(&Arc::new(source), file, job, &mut result)?;
    }
    Ok(result)
}

fn read_source(
    source: &Arc<Source>,
    file: &FoundFile,
    job: &Job,
    out: &mut FileResult,
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
        Err(crate::formats::ImportError::Cancelled(cancelled)) => return Err(cancelled),
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

/// The folder a file lies in, for telling runs apart.
pub(crate) fn folder_of(path: &Path) -> PathBuf {
    path.parent().map(Path::to_owned).unwrap_or_default()
}
