//! Which rank each trace is (order of trust in formats.md 2.15: content, then file name). Whether the
//! traces are one run is told in `choices.rs`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::base::TimeRange;
use crate::formats::Source;
use crate::model::{Groups, Issue, Ledger, RankId, Trace, ranks_in_groups};
use crate::workspace::rank_name::rank_from_name;
use crate::workspace::read::Origin;

/// A trace on its way into a run.
pub(crate) struct Candidate {
    pub(crate) trace: Arc<Trace>,
    pub(crate) rank: Option<RankId>,
    name_rank: Option<u32>,
    groups: Option<Groups>,
    pub(crate) file: String,
    pub(crate) bytes: u64,
    /// The file on disk, and the folder in which the trace lies, be it inside of an archive.
    pub(crate) path: PathBuf,
    pub(crate) home: PathBuf,
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
        let home = source
            .member()
            .map_or(folder, |it| folder_of(&path.join(it)));
        Self {
            trace,
            rank,
            name_rank,
            groups,
            file: source.name(),
            bytes: source.input_bytes(),
            path: path.to_owned(),
            home,
        }
    }

    /// The rank by content, else by name.
    pub(crate) fn any_rank(&self) -> Option<RankId> {
        self.rank.or_else(|| self.name_rank.map(RankId))
    }

    pub(crate) fn works(&self) -> bool {
        self.trace.work_tracks().next().is_some()
    }

    /// When it was recorded, on the clock of the world.
    pub(crate) fn recorded(&self) -> Option<TimeRange> {
        let extent = self.trace.extent()?;
        let epoch = crate::base::Dur(self.trace.head().epoch_ns?);
        Some(TimeRange::new(
            extent.start.plus(epoch),
            extent.end.plus(epoch),
        ))
    }

    /// Whether both were recorded at one time, as far as is known.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        match (self.recorded(), other.recorded()) {
            (Some(a), Some(b)) => !a.intersect(b).is_empty(),
            _ => true,
        }
    }
}

/// Gives every trace of a run its rank and orders them by it.
pub(crate) fn settle(
    mut traces: Vec<(Candidate, Origin)>,
    ledger: &mut Ledger,
) -> Vec<(Candidate, Origin)> {
    for (it, _) in &mut traces {
        match (it.rank, it.name_rank) {
            (Some(rank), Some(name)) if rank.0 != name => ledger.add(Issue::RankMismatch, None),
            (None, Some(name)) => it.rank = Some(RankId(name)),
            _ => {}
        }
    }
    if traces.len() > 1 {
        number_unranked(&mut traces, ledger);
    }
    traces.sort_by(|(a, _), (b, _)| {
        let key = |it: &Candidate| (it.rank.is_none(), it.rank, it.recorded().map(|it| it.start));
        key(a).cmp(&key(b)).then_with(|| a.file.cmp(&b.file))
    });
    let is_double = |pair: &[(Candidate, Origin)]| {
        let [(a, _), (b, _)] = pair else { return false };
        a.rank.is_some() && a.rank == b.rank && a.overlaps(b)
    };
    if traces.windows(2).any(is_double) {
        ledger.add(Issue::DuplicateRank, None);
    }
    traces
}

/// Files of several ranks, each of which another file of the folder gives as well: a merger left the
/// parts beside the whole.
pub(crate) fn merged_doubles(traces: &[(Candidate, Origin)]) -> Vec<String> {
    let mut ranks_of: BTreeMap<&str, u32> = BTreeMap::new();
    for (it, _) in traces {
        *ranks_of.entry(&it.file).or_default() += 1;
    }
    let is_merged = |file: &str| ranks_of.get(file).is_some_and(|it| *it > 1);
    let is_there_alone = |whole: &Candidate| {
        traces.iter().any(|(part, _)| {
            let same = part.any_rank().is_some() && part.any_rank() == whole.any_rank();
            same && !is_merged(&part.file) && part.home == whole.home && part.overlaps(whole)
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
pub(crate) fn rank_by_groups(traces: &mut [(Candidate, Origin)]) {
    let placed: Vec<(Groups, Option<RankId>)> = traces
        .iter()
        .filter_map(|it| Some((it.0.groups?, it.0.any_rank())))
        .collect();
    let mut owners: BTreeMap<RankId, Groups> = BTreeMap::new();
    let is_told = placed.len() < 2
        || placed.iter().all(|(groups, rank)| {
            rank.is_some_and(|rank| *owners.entry(rank).or_insert(*groups) == *groups)
        });
    if is_told {
        return;
    }
    let places: Vec<Groups> = placed.iter().map(|it| it.0).collect();
    let own = traces.iter_mut().filter(|it| it.0.groups.is_some());
    for (it, rank) in own.zip(ranks_in_groups(&places)) {
        it.0.rank = Some(RankId(rank));
        it.0.name_rank = None;
    }
}

/// Traces that carry no rank but work on a GPU count up from 0; others stay without.
fn number_unranked(traces: &mut [(Candidate, Origin)], ledger: &mut Ledger) {
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
    if unranked.len() == 1 && used.is_empty() {
        return;
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
}

/// The folder a file lies in.
fn folder_of(path: &Path) -> PathBuf {
    path.parent().map(Path::to_owned).unwrap_or_default()
}
