//! From paths to a run: finds files, reads them in parallel, decides whether they are one run, places
//! clocks, builds the index.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use crate::base::{Cancelled, Job, Stage};
use crate::index::Index;
use crate::model::{Absent, Ledger, Member, Run, Trace};
use crate::workspace::align::place;
use crate::workspace::arrivals::Arrivals;
use crate::workspace::choices::{Undecided, several_runs};
use crate::workspace::discover::{DiscoverError, Found, FoundFile, find};
use crate::workspace::rank_name::run_name;
use crate::workspace::ranks::{Candidate, merged_doubles, rank_by_groups, settle};
use crate::workspace::read::{Intake, Origin, Read, read_file};

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

    /// A run that comes from no file: nothing more can be read of its spans.
    pub fn from_run(run: Run, job: &Job) -> Result<Self, Cancelled> {
        let index = Index::build(&run, job)?;
        Ok(Self {
            run: Arc::new(run),
            index: Arc::new(index),
            origins: Vec::new(),
            intake: Intake::default(),
        })
    }
}

/// Nothing could be opened.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error(transparent)]
    Discover(#[from] DiscoverError),
    /// No file gave a trace; the first reason is the sentence.
    #[error("{}", .0.first().map_or("nothing to open", |it| it.reason.as_str()))]
    NothingLoaded(Vec<Absent>, Box<Ledger>),
    /// All is read; somebody has to say which of the runs is meant.
    #[error("{0}")]
    SeveralRuns(Box<Undecided>),
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// Opens `paths` as one run.
pub fn load(paths: &[PathBuf], job: &Job) -> Result<Loaded, LoadError> {
    load_watched(paths, job, &Arrivals::default())
}

/// The same; `arrivals` shows meanwhile what has been read of each file.
pub fn load_watched(
    paths: &[PathBuf],
    job: &Job,
    arrivals: &Arrivals,
) -> Result<Loaded, LoadError> {
    job.enter(Stage::FindFiles);
    let Found {
        files,
        failed,
        skipped_folders,
        ..
    } = find(paths)?;
    let from_folder = files.iter().any(|it| it.from_folder);
    job.enter(Stage::ReadSpans);
    // So that the share that is read never falls but where packed files turn out larger.
    job.expect_bytes(files.iter().map(|it| it.bytes).sum());
    arrivals.expect(files.iter().map(|it| (it.name(), job.part())));
    let results: Vec<Read> = files
        .par_iter()
        .enumerate()
        .map(|(number, it)| {
            let read = read_file(it, &arrivals.begin(number), &|bytes| {
                arrivals.opening(number, bytes);
            })?;
            arrivals.arrived(number, &read);
            Ok(read)
        })
        .collect::<Result<_, Cancelled>>()?;
    let mut all = Read::default();
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
    let name = run_name(&files.iter().map(|it| it.path.as_path()).collect::<Vec<_>>());
    rank_by_groups(&mut all.traces);
    for file in merged_doubles(&all.traces) {
        all.traces.retain(|it| it.0.file != file);
        let reason = "it holds the ranks of the other files once more";
        all.ignore(file, reason.to_owned());
    }
    match several_runs(all) {
        Ok(one) => assemble(name, one, job),
        Err(undecided) => Err(LoadError::SeveralRuns(undecided)),
    }
}

/// Puts traces that are one run together.
pub(crate) fn assemble(name: String, mut read: Read, job: &Job) -> Result<Loaded, LoadError> {
    job.enter(Stage::AlignClocks);
    job.check()?;
    let settled = settle(read.traces, &mut read.ledger);
    let traces: Vec<&Trace> = settled.iter().map(|it| &*it.0.trace).collect();
    let placing = place(&traces);
    read.ledger.merge(&placing.notes);
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
        read.absent,
        &read.ledger,
        placing.epoch_ns,
    );
    job.enter(Stage::BuildIndex);
    Ok(Loaded {
        origins,
        intake: read.intake,
        ..Loaded::from_run(run, job)?
    })
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

/// The name of the run that the traces of some files are.
pub(crate) fn name_of(traces: &[(Candidate, Origin)]) -> String {
    let mut paths: Vec<&Path> = traces.iter().map(|it| it.0.path.as_path()).collect();
    paths.dedup();
    run_name(&paths)
}
