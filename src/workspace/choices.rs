//! Whether traces are one run, and if not, which runs they are (settled in the plan, 0.1 point 19).
//!
//! Two traces *clash* if they are the same rank at the same time; if they were named one by one and
//! neither carries a rank; or if neither carries one and they were recorded so far apart that on one
//! axis neither could be seen: ranks of one job record together. Where traces clash, those that belong together are told apart by the
//! folder they lie in; within one folder by the words of their file names, numbers left out. Copies
//! of one rank under such equal names in one folder are no two runs but a fault that is counted.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::base::{Job, text};
use crate::workspace::discover::DiscoverError;
use crate::workspace::load::{LoadError, Loaded, assemble, name_of};
use crate::workspace::rank_name::rank_from_name;
use crate::workspace::ranks::Candidate;
use crate::workspace::read::{Origin, Read};

/// Runs that are told by name in a sentence.
const TOLD: usize = 6;

/// Beyond it two recordings are each thinner than a hundredth of the axis that shows both.
const FAR: i64 = 100;

/// A run that could be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    pub name: String,
    /// What to name to get it alone: its folder, or its files.
    pub place: String,
    pub rank_count: usize,
    pub file_count: usize,
    /// On disk.
    pub bytes: u64,
    /// Unix time of its first span in nanoseconds.
    pub recorded_ns: Option<i64>,
}

/// Traces that are several runs, all read, until somebody says which one is meant.
pub struct Undecided {
    groups: Vec<Group>,
    choices: Vec<Choice>,
    /// What belongs to none of them.
    rest: Read,
}

impl fmt::Debug for Undecided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.choices).finish()
    }
}

impl fmt::Display for Undecided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |it: &Choice| match it.rank_count {
            0 | 1 => it.place.clone(),
            ranks => format!("{} ({ranks} ranks)", it.place),
        };
        let mut told: Vec<String> = self.choices.iter().take(TOLD).map(name).collect();
        if let Some(more) = self.choices.len().checked_sub(TOLD).filter(|it| *it > 0) {
            told.push(format!("{} more", text::grouped(more as u64)));
        }
        let compare = if self.rest.intake.is_collection {
            ""
        } else {
            ", or compare two of them with --against"
        };
        write!(
            f,
            "{} runs are here, of which one can be open; name it alone{compare}: {}",
            self.choices.len(),
            told.join(", ")
        )
    }
}

impl Undecided {
    pub fn choices(&self) -> &[Choice] {
        &self.choices
    }

    /// Opens one of the choices, by its position. Nothing is read again.
    pub fn open(self, position: usize, job: &Job) -> Result<Loaded, LoadError> {
        let mut rest = self.rest;
        let chosen = self.groups.into_iter().zip(self.choices).nth(position);
        let (traces, choice) = chosen.ok_or(DiscoverError::NothingAsked)?;
        rest.traces = traces;
        assemble(choice.name, rest, job)
    }
}

type Group = Vec<(Candidate, Origin)>;

/// Gives the traces back if they are one run.
pub(crate) fn several_runs(mut read: Read) -> Result<Read, Box<Undecided>> {
    let is_collection = read.intake.is_collection;
    let Some(by) = apart_by(&read.traces, is_collection) else {
        return Ok(read);
    };
    let groups = groups(std::mem::take(&mut read.traces), by, is_collection);
    if groups.len() < 2 {
        read.traces = groups.into_iter().flatten().collect();
        return Ok(read);
    }
    let choices = groups.iter().map(|it| choice(it, by)).collect();
    Err(Box::new(Undecided {
        groups,
        choices,
        rest: read,
    }))
}

/// By what runs are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    Folder,
    Name,
}

fn apart_by(traces: &[(Candidate, Origin)], is_collection: bool) -> Option<By> {
    let mut by = None;
    for (i, (a, _)) in traces.iter().enumerate() {
        for (b, _) in traces.iter().skip(i + 1) {
            if !clash(a, b, is_collection) {
                continue;
            }
            if a.home == b.home {
                return Some(By::Name);
            }
            by = Some(By::Folder);
        }
    }
    by
}

fn clash(a: &Candidate, b: &Candidate, is_collection: bool) -> bool {
    match (a.any_rank(), b.any_rank()) {
        (Some(a_rank), Some(b_rank)) => a_rank == b_rank && a.overlaps(b),
        (None, None) => a.works() && b.works() && (!is_collection || are_far_apart(a, b)),
        _ => false,
    }
}

/// Whether the time between two recordings is longer than [`FAR`] times either.
fn are_far_apart(a: &Candidate, b: &Candidate) -> bool {
    let (Some(a), Some(b)) = (a.recorded(), b.recorded()) else {
        return false;
    };
    let between = a.start.max(b.start).since(a.end.min(b.end));
    between.0 > FAR.saturating_mul(a.len().max(b.len()).0)
}

fn groups(mut traces: Group, by: By, is_collection: bool) -> Vec<Group> {
    traces.sort_by(|(a, _), (b, _)| (&a.path, &a.file).cmp(&(&b.path, &b.file)));
    let mut families: BTreeMap<(PathBuf, String), Vec<Group>> = BTreeMap::new();
    for one in traces {
        let words = match by {
            By::Folder => String::new(),
            By::Name => without_numbers(&one.0.file),
        };
        let family = families
            .entry((family_home(&one.0.home), words))
            .or_default();
        let fits = |it: &Group| {
            !it.iter()
                .any(|(other, _)| splits(other, &one.0, is_collection))
        };
        match family.iter_mut().find(|it| fits(it)) {
            Some(group) => group.push(one),
            None => family.push(vec![one]),
        }
    }
    families.into_values().flatten().collect()
}

/// Whether two traces that look alike by their names are two runs all the same. In one folder of a
/// collection, one rank twice is a copy, which the ledger tells.
fn splits(a: &Candidate, b: &Candidate, is_collection: bool) -> bool {
    let is_copy = is_collection && a.home == b.home && a.any_rank().is_some();
    clash(a, b, is_collection) && !is_copy
}

/// The folder of a trace; folders that are one rank each are told apart from others by their words.
fn family_home(home: &Path) -> PathBuf {
    let name = home
        .file_name()
        .map_or_else(String::new, |it| it.to_string_lossy().into_owned());
    if rank_from_name(&name, None).is_some() {
        home.with_file_name(without_numbers(&name))
    } else {
        home.to_owned()
    }
}

/// `run_rank#.json` of `run_rank12.json`.
fn without_numbers(name: &str) -> String {
    let mut words = String::with_capacity(name.len());
    for letter in name.chars() {
        if !letter.is_ascii_digit() {
            words.push(letter);
        } else if !words.ends_with('#') {
            words.push('#');
        }
    }
    words
}

fn choice(group: &[(Candidate, Origin)], by: By) -> Choice {
    let mut ranks: Vec<_> = group.iter().filter_map(|it| it.0.any_rank()).collect();
    ranks.sort_unstable();
    ranks.dedup();
    let mut files: Vec<(&Path, u64)> = group
        .iter()
        .map(|it| (it.0.path.as_path(), it.0.bytes))
        .collect();
    files.dedup();
    let recorded = group.iter().filter_map(|it| it.0.recorded());
    let folder = match (by, group) {
        (By::Folder, [(first, _), rest @ ..]) => rest
            .iter()
            .all(|it| it.0.home == first.home)
            .then_some(&first.home),
        _ => None,
    };
    let folder_name = folder.and_then(|it| it.file_name());
    let place = match (folder, group) {
        (Some(folder), _) => folder.display().to_string(),
        (_, [(first, _)]) => first.path.display().to_string(),
        (_, [(first, _), rest @ ..]) => {
            let more = rest.len() as u64;
            format!("{} and {} more", first.path.display(), text::grouped(more))
        }
        (_, []) => String::new(),
    };
    Choice {
        name: folder_name.map_or_else(|| name_of(group), |it| it.to_string_lossy().into_owned()),
        place,
        rank_count: ranks.len(),
        file_count: files.len(),
        bytes: files.iter().map(|it| it.1).sum(),
        recorded_ns: recorded.map(|it| it.start.0).min(),
    }
}
