//! Which rank each trace is, and whether the traces are one run (settled in the plan, 0.1 point 19;
//! order of trust in formats.md 2.15: content, then file name).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::base::TimeRange;
use crate::formats::Source;
use crate::model::{Groups, Issue, Ledger, RankId, Trace, ranks_in_groups};
use crate::workspace::load::{LoadError, Origin, folder_of};
use crate::workspace::rank_name::rank_from_name;

/// A trace on its way into a run.
pub(crate) struct Candidate {
    pub(crate) trace: Arc<Trace>,
    pub(crate) rank: Option<RankId>,
    name_rank: Option<u32>,
    groups: Option<Groups>,
    pub(crate) file: String,
    pub(crate) bytes: u64,
    folder: PathBuf,
}

impl Candidate {
    pub(crate) fn new(trace: Arc<Trace>, source: &Source, path: &Path) -> Self {
        let folder = folder_of(path);
        let parent = folder
            .file_name()
            .map(|it| it.to_string_lossy().into_owned());
        let name_rank = rank_from_name(&source.file_name(), parent.as_deref());
        let groups = Groups::from_file_name(&source.file_name());
        let rank = trace.head().rank;
        Self {
            trace,
            rank,
            name_rank,
            groups,
            file: source.name(),
            bytes: source.input_bytes(),
            folder,
        }
    }

    fn works(&self) -> bool {
        self.trace.work_tracks().next().is_some()
    }

    /// When it was recorded, on the clock of the world.
    fn recorded(&self) -> Option<TimeRange> {
        let extent = self.trace.extent()?;
        let epoch = crate::base::Dur(self.trace.head().epoch_ns?);
        Some(TimeRange::new(
            extent.start.plus(epoch),
            extent.end.plus(epoch),
        ))
    }

    /// Whether both were recorded at one time, as far as is known.
    fn overlaps(&self, other: &Self) -> bool {
        match (self.recorded(), other.recorded()) {
            (Some(a), Some(b)) => !a.intersect(b).is_empty(),
            _ => true,
        }
    }
}

/// Gives every trace its rank and orders them by it. Files that are left out are named in `doubles`.
pub(crate) fn settle(
    mut traces: Vec<(Candidate, Origin)>,
    is_collection: bool,
    ledger: &mut Ledger,
    doubles: &mut Vec<String>,
) -> Result<Vec<(Candidate, Origin)>, LoadError> {
    for (it, _) in &mut traces {
        match (it.rank, it.name_rank) {
            (Some(rank), Some(name)) if rank.0 != name => ledger.add(Issue::RankMismatch, None),
            (None, Some(name)) => it.rank = Some(RankId(name)),
            _ => {}
        }
    }
    if traces.len() > 1 {
        rank_by_groups(&mut traces);
        *doubles = merged_doubles(&traces);
        traces.retain(|it| !doubles.contains(&it.0.file));
        number_unranked(&mut traces, is_collection, ledger)?;
    }
    traces.sort_by(|(a, _), (b, _)| {
        let key = |it: &Candidate| (it.rank.is_none(), it.rank, it.recorded().map(|it| it.start));
        key(a).cmp(&key(b)).then_with(|| a.file.cmp(&b.file))
    });
    for pair in traces.windows(2) {
        let [(a, _), (b, _)] = pair else { continue };
        let Some(rank) = a.rank.filter(|it| b.rank == Some(*it)) else {
            continue;
        };
        if !a.overlaps(b) {
            continue;
        }
        if is_collection && a.folder != b.folder {
            return Err(LoadError::SeveralRuns(folders(&traces)));
        }
        if !is_collection {
            let (first, second) = (a.file.clone(), b.file.clone());
            return Err(LoadError::SameRank {
                rank: rank.0,
                first,
                second,
            });
        }
        if ledger.count(Issue::DuplicateRank) == 0 {
            ledger.add(Issue::DuplicateRank, None);
        }
    }
    Ok(traces)
}

/// Files of several ranks, each of which another file of the folder gives as well: a merger left the
/// parts beside the whole.
fn merged_doubles(traces: &[(Candidate, Origin)]) -> Vec<String> {
    let mut ranks_of: BTreeMap<&str, u32> = BTreeMap::new();
    for (it, _) in traces {
        *ranks_of.entry(&it.file).or_default() += 1;
    }
    let is_merged = |file: &str| ranks_of.get(file).is_some_and(|it| *it > 1);
    let is_there_alone = |whole: &Candidate| {
        traces.iter().any(|(part, _)| {
            let same = part.rank.is_some() && part.rank == whole.rank;
            same && !is_merged(&part.file) && part.folder == whole.folder && part.overlaps(whole)
        })
    };
    let is_double = |file: &str| {
        let mut own = traces.iter().filter(|it| it.0.file == file);
        own.all(|it| is_there_alone(&it.0))
    };
    let merged = ranks_of.keys().filter(|it| is_merged(it));
    merged
        .filter(|it| is_double(it))
        .map(|it| (*it).to_owned())
        .collect()
}

/// Files whose names place them in groups of parallelism take their ranks from the names of all of
/// them, where their own ranks are missing or, as those of replicas, the same in different places.
fn rank_by_groups(traces: &mut [(Candidate, Origin)]) {
    let placed: Vec<(Groups, Option<RankId>)> = traces
        .iter()
        .filter_map(|it| Some((it.0.groups?, it.0.rank)))
        .collect();
    let mut owners: BTreeMap<RankId, Groups> = BTreeMap::new();
    let is_told = placed.iter().all(|(groups, rank)| {
        rank.is_some_and(|rank| *owners.entry(rank).or_insert(*groups) == *groups)
    });
    if is_told {
        return;
    }
    let places: Vec<Groups> = placed.iter().map(|it| it.0).collect();
    let own = traces.iter_mut().filter(|it| it.0.groups.is_some());
    for (it, rank) in own.zip(ranks_in_groups(&places)) {
        it.0.rank = Some(RankId(rank));
    }
}

/// Traces of a folder that carry no rank but work on a GPU count up from 0; others stay without.
fn number_unranked(
    traces: &mut [(Candidate, Origin)],
    is_collection: bool,
    ledger: &mut Ledger,
) -> Result<(), LoadError> {
    let mut used: Vec<u32> = traces
        .iter()
        .filter_map(|it| it.0.rank)
        .map(|it| it.0)
        .collect();
    let mut unranked: Vec<&mut Candidate> = traces
        .iter_mut()
        .map(|it| &mut it.0)
        .filter(|it| it.rank.is_none() && it.works())
        .collect();
    if !is_collection && let [first, second, ..] = unranked.as_slice() {
        let (first, second) = (first.file.clone(), second.file.clone());
        return Err(LoadError::NoRanks { first, second });
    }
    if unranked.len() == 1 && used.is_empty() {
        return Ok(());
    }
    unranked.sort_by(|a, b| a.file.cmp(&b.file));
    let mut next = 0;
    for it in unranked {
        while used.contains(&next) {
            next += 1;
        }
        it.rank = Some(RankId(next));
        used.push(next);
        ledger.add(Issue::RankCounted, None);
    }
    Ok(())
}

fn folders(traces: &[(Candidate, Origin)]) -> Vec<String> {
    let mut names: Vec<String> = traces
        .iter()
        .map(|it| {
            it.0.folder
                .file_name()
                .map_or_else(String::new, |it| it.to_string_lossy().into_owned())
        })
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}
