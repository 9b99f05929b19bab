//! What file names say: the rank of one file, and the name of the run that several share. Names are the second
//! choice; a rank written in the trace itself wins.
//!
//! In order: `rank3`, `rank-3`, `rank_3`; `TP-3` as `SGLang` writes it; `…_3.json`. Several `rank` words: the first that
//! is not `local_rank`. `TP-3` is the rank as long as there is one pipeline stage and one replica; with `PP` or `DP`
//! above 0 the sizes of the groups are needed, so such a name gives none alone. The names of all files of a run
//! together do (`ranks_in_groups`).

use std::collections::BTreeSet;
use std::path::Path;

/// Larger numbers are process ids or times.
const RANK_DIGITS_MAX: usize = 6;
/// The same for the weakest pattern.
const BARE_DIGITS_MAX: usize = 4;
/// A run of digits that long is a time or a process id.
const TIME_DIGITS_MIN: usize = 8;

/// Numbers behind these words count something else than ranks.
const NO_RANK_WORDS: [&str; 16] = [
    "activities",
    "batch",
    "bs",
    "cycle",
    "epoch",
    "iter",
    "iteration",
    "part",
    "pid",
    "run",
    "sample",
    "step",
    "steps",
    "v",
    "version",
    "workers",
];

const ENDINGS: [&str; 9] = [
    ".json", ".gz", ".zst", ".zip", ".tar", ".tgz", ".trace", ".pt", ".chrome",
];

/// Words at the end of a shared beginning that say which file it is, not which run.
const RANK_WORDS: [&str; 17] = [
    "rank", "ranks", "r", "gpu", "device", "worker", "node", "host", "dp", "pp", "tp", "ep", "dcp",
    "cp", "trace", "pt", "json",
];

/// Where a file's name places its process in the groups of a job: data, pipeline, expert and tensor parallel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Groups {
    dp: u32,
    pp: u32,
    ep: u32,
    tp: u32,
}

/// The groups in a name of `SGLang` (`…-TP-1-DP-0-PP-1…`) or vLLM (`dp0_pp1_tp0…`); the tensor one has to be there.
pub(crate) fn groups_from_name(name: &str) -> Option<Groups> {
    let of = |sglang: &str, vllm: &str| companion(name, sglang).or_else(|| companion(name, vllm));
    Some(Groups {
        tp: of("TP-", "tp")?,
        dp: of("DP-", "dp").unwrap_or(0),
        pp: of("PP-", "pp").unwrap_or(0),
        ep: of("EP-", "ep").unwrap_or(0),
    })
}

/// The ranks of processes placed so, in order: a rank for each place, counted over as few groups as tell the places
/// apart. Replicas with attention of their own and experts lie inside the tensor group, so these two count only where
/// places are equal without them. The size of a group is what the names show of it.
pub(crate) fn ranks_in_groups(places: &[Groups]) -> Vec<u32> {
    type Key = fn(&Groups) -> [u32; 4];
    const KEYS: [Key; 3] = [
        |it| [0, it.pp, 0, it.tp],
        |it| [it.dp, it.pp, 0, it.tp],
        |it| [it.dp, it.pp, it.ep, it.tp],
    ];
    let count = |key: Key| places.iter().map(key).collect::<BTreeSet<_>>().len();
    let wanted = places.iter().collect::<BTreeSet<_>>().len();
    let key = KEYS.into_iter().find(|it| count(*it) == wanted);
    let key = key.unwrap_or(|it| [it.dp, it.pp, it.ep, it.tp]);
    let sizes = places.iter().map(key).fold([1_u32; 4], |most, it| {
        let mut sizes = most;
        for (size, value) in sizes.iter_mut().zip(it) {
            *size = value.saturating_add(1).max(*size);
        }
        sizes
    });
    let rank = |it: &Groups| {
        let digits = key(it).into_iter().zip(sizes);
        digits.fold(0_u32, |rank, (digit, size)| {
            rank.saturating_mul(size).saturating_add(digit)
        })
    };
    places.iter().map(rank).collect()
}

/// The rank that a file's name tells, else the rank that its folder's name tells.
pub fn rank_from_name(file_name: &str, parent_folder: Option<&str>) -> Option<u32> {
    rank_word(file_name)
        .or_else(|| sglang_rank(file_name))
        .or_else(|| bare_number(file_name))
        .or_else(|| {
            let folder = parent_folder?;
            rank_word(folder).or_else(|| sglang_rank(folder))
        })
}

/// `rank[-_]?(\d+)`, where `rank` begins a word.
fn rank_word(name: &str) -> Option<u32> {
    let lower = name.to_ascii_lowercase();
    let mut local = None;
    for (at, word) in lower.match_indices("rank") {
        let before = lower.get(..at).unwrap_or_default();
        if before.ends_with(|it: char| it.is_ascii_alphabetic()) {
            continue;
        }
        let behind = lower.get(at + word.len()..).unwrap_or_default();
        let digits = behind.strip_prefix(['-', '_']).unwrap_or(behind);
        let Some(rank) = leading_number(digits, RANK_DIGITS_MAX) else {
            continue;
        };
        if !before.ends_with("local_") && !before.ends_with("local-") {
            return Some(rank);
        }
        local = local.or(Some(rank));
    }
    local
}

fn sglang_rank(name: &str) -> Option<u32> {
    let is_zero = |key| companion(name, key).is_none_or(|it| it == 0);
    companion(name, "TP-").filter(|_| is_zero("PP-") && is_zero("DP-"))
}

/// The number behind `TP-` and its like, where that begins a word.
fn companion(name: &str, key: &str) -> Option<u32> {
    name.match_indices(key).find_map(|(at, _)| {
        let before = name.get(..at)?;
        if before.ends_with(|it: char| it.is_ascii_alphanumeric()) {
            return None;
        }
        leading_number(name.get(at + key.len()..)?, RANK_DIGITS_MAX)
    })
}

/// `_(\d+)\.json`, as Accelerate names its files.
fn bare_number(name: &str) -> Option<u32> {
    let at = name.find(".json")?;
    let (words, digits) = name.get(..at)?.rsplit_once('_')?;
    let is_whole = !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit());
    let word = words.rsplit(['_', '-', '.']).next()?.to_ascii_lowercase();
    if !is_whole || NO_RANK_WORDS.contains(&word.as_str()) {
        return None;
    }
    leading_number(digits, BARE_DIGITS_MAX)
}

fn leading_number(text: &str, digits_max: usize) -> Option<u32> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 || digits > digits_max {
        return None;
    }
    text.get(..digits)?.parse().ok()
}

/// The name of a run from the files it was read from: their common beginning, else the name of the folder they lie
/// in, else the first file's name.
pub fn run_name(files: &[&Path]) -> String {
    let name_of = |path: &Path| path.file_name().map(|it| it.to_string_lossy().into_owned());
    let names: Vec<String> = files.iter().filter_map(|it| name_of(it)).collect();
    let stem = common_stem(&names.iter().map(String::as_str).collect::<Vec<_>>());
    if !stem.is_empty() {
        return stem;
    }
    let folders = files.iter().filter_map(|it| it.parent());
    let shared = folders.reduce(|a, b| a.ancestors().find(|it| b.starts_with(it)).unwrap_or(a));
    shared
        .and_then(name_of)
        .or_else(|| names.first().cloned())
        .unwrap_or_default()
}

/// The common beginning of file names without rank words, times and separators at its end; of one file, its name
/// without endings and time. Empty if nothing telling is left: take the folder's name then, as `run_name` does.
pub fn common_stem(names: &[&str]) -> String {
    let stem = match names {
        [] => "",
        [name] => return without_times(without_endings(name)).to_owned(),
        [first, others @ ..] => others.iter().fold(*first, |a, b| common_prefix(a, b)),
    };
    let mut stem = without_times(without_endings(stem));
    loop {
        let (rest, word) = last_word(stem);
        let letters = word.trim_end_matches(|it: char| it.is_ascii_digit());
        let is_rank_word = RANK_WORDS.contains(&letters.to_ascii_lowercase().as_str());
        let is_time = letters.is_empty() && word.len() >= TIME_DIGITS_MIN;
        if stem.is_empty() || !(is_rank_word || is_time || word.is_empty()) {
            break;
        }
        stem = rest;
    }
    stem.to_owned()
}

/// Never ends inside a number: of `rank1` and `rank10` it is `rank`.
fn common_prefix<'a>(a: &'a str, b: &str) -> &'a str {
    let shared = a.chars().zip(b.chars()).take_while(|(a, b)| a == b);
    let length = shared.map(|(it, _)| it.len_utf8()).sum();
    let is_digit_next = |it: &str| {
        it.get(length..)
            .is_some_and(|it| it.starts_with(|it: char| it.is_ascii_digit()))
    };
    let prefix = a.get(..length).unwrap_or_default();
    if is_digit_next(a) || is_digit_next(b) {
        return prefix.trim_end_matches(|it: char| it.is_ascii_digit());
    }
    prefix
}

fn last_word(stem: &str) -> (&str, &str) {
    let is_separator = |it: char| matches!(it, '-' | '_' | '.' | ' ' | '(' | '[' | '#' | '=');
    match stem.rfind(is_separator) {
        Some(at) => {
            let (rest, word) = stem.split_at(at);
            (rest, word.trim_start_matches(is_separator))
        }
        None => ("", stem),
    }
}

fn without_endings(name: &str) -> &str {
    let mut name = name;
    while let Some(shorter) = ENDINGS.iter().find_map(|it| name.strip_suffix(it)) {
        name = shorter;
    }
    name
}

fn without_times(name: &str) -> &str {
    let (rest, word) = last_word(name);
    let is_time = word.len() >= TIME_DIGITS_MIN && word.bytes().all(|it| it.is_ascii_digit());
    if is_time && !rest.is_empty() {
        rest
    } else {
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_read_as_frameworks_write_them() {
        let cases = [
            (
                "dp0_pp0_tp1_dcp0_ep1_rank1.1767225600000000001.pt.trace.json.gz",
                Some(1),
            ),
            (
                "graph_capture_rank_0.1767225600000000003.pt.trace.json.gz",
                Some(0),
            ),
            ("rank-0.Apr_03_18_51_38.1102.pt.trace.json.gz", Some(0)),
            (
                "v100_ns_resolution_rank-0.Apr_03_18_51_38.1102.pt.trace.json.gz",
                Some(0),
            ),
            ("rank13_trace.json", Some(13)),
            ("Rank7.json", Some(7)),
            ("bs_32_rank0.json.gz", Some(0)),
            ("local_rank_1_global_rank_9.json", Some(9)),
            ("local_rank1.json", Some(1)),
            ("profile_3.json", Some(3)),
            ("1767225600.1-TP-5.trace.json.gz", Some(5)),
            ("1767225600.1-TP-5-PP-0-EP-2-DECODE.trace.json.gz", Some(5)),
            ("1767225600.1-TP-5-PP-1.trace.json.gz", None),
            ("cuda_graph_capture-x-TP-2.json.gz", Some(2)),
            ("node_async_llm.1767225600000000003.pt.trace.json", None),
            ("worker0_step_12.1694128201545.pt.trace.json", None),
            ("libkineto_activities_123.json", None),
            ("num_workers_0.1623143566756000000.pt.trace.json", None),
            ("host_12345.json", None),
            ("step_12.json", None),
            ("crank3.json", None),
            ("ranks_8.txt", None),
            ("rank1767225600.json", None),
            ("train.json", None),
            ("", None),
        ];
        for (name, rank) in cases {
            assert_eq!(rank_from_name(name, None), rank, "{name}");
        }
        assert_eq!(rank_from_name("trace.json", Some("rank_4")), Some(4));
        assert_eq!(rank_from_name("rank2.json", Some("rank_4")), Some(2));
        assert_eq!(rank_from_name("trace.json", Some("iteration_10")), None);
    }

    #[test]
    fn groups_of_parallelism_give_distinct_ranks() {
        let ranks = |names: &[&str]| {
            let places: Vec<Groups> = names.iter().filter_map(|it| groups_from_name(it)).collect();
            assert_eq!(places.len(), names.len());
            ranks_in_groups(&places)
        };
        let id = "1767225600.1-";
        let named = |rest: &[&str]| -> Vec<String> {
            rest.iter()
                .map(|it| format!("{id}{it}.trace.json.gz"))
                .collect()
        };
        let cases: [(&[&str], &[u32]); 6] = [
            (&["TP-0", "TP-1", "TP-2"], &[0, 1, 2]),
            (
                &["TP-0-PP-0", "TP-1-PP-0", "TP-0-PP-1", "TP-1-PP-1"],
                &[0, 1, 2, 3],
            ),
            // Data parallel attention lies inside of the tensor group.
            (
                &[
                    "TP-0-DP-0-EP-0",
                    "TP-1-DP-0-EP-1",
                    "TP-2-DP-1-EP-2",
                    "TP-3-DP-1-EP-3",
                ],
                &[0, 1, 2, 3],
            ),
            // Replicas do not.
            (
                &["TP-0-DP-0", "TP-1-DP-0", "TP-0-DP-1", "TP-1-DP-1"],
                &[0, 1, 2, 3],
            ),
            (
                &[
                    "TP-0-DP-1-PP-1",
                    "TP-0-DP-0-PP-0",
                    "TP-0-DP-0-PP-1",
                    "TP-0-DP-1-PP-0",
                ],
                &[3, 0, 1, 2],
            ),
            // Two stages of one process are one rank.
            (
                &["TP-1-PP-1-EXTEND", "TP-1-PP-1-DECODE", "TP-0-PP-0-DECODE"],
                &[3, 3, 0],
            ),
        ];
        for (rest, want) in cases {
            let names = named(rest);
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            assert_eq!(ranks(&names), want, "{names:?}");
        }
        let vllm = [
            "dp0_pp0_tp0_dcp0_ep0_rank0.json",
            "dp1_pp0_tp0_dcp0_ep1_rank0.json",
        ];
        assert_eq!(ranks(&vllm), [0, 1]);
        assert_eq!(groups_from_name("http-3.json"), None);
        assert_eq!(groups_from_name("rank3.json"), None);
    }

    #[test]
    fn several_ranks_share_the_name_of_their_run() {
        let cases: [(&[&str], &str); 8] = [
            (
                &["llama-1b-fsdp4_rank0.json", "llama-1b-fsdp4_rank1.json"],
                "llama-1b-fsdp4",
            ),
            (&["x.rank1.json.gz", "x.rank10.json.gz"], "x"),
            (&["rank0.json", "rank1.json"], ""),
            (
                &[
                    "gpt_dp0_pp0_tp0_rank0.1.json",
                    "gpt_dp0_pp0_tp1_rank1.2.json",
                ],
                "gpt",
            ),
            (
                &[
                    "1767225600000000001-TP-0.trace.json.gz",
                    "1767225600000000001-TP-1.trace.json.gz",
                ],
                "",
            ),
            (
                &[
                    "a.1694128201545.pt.trace.json",
                    "a.1694128209999.pt.trace.json",
                ],
                "a",
            ),
            (&["run.json.gz"], "run"),
            (&["worker0.1694128201545.pt.trace.json"], "worker0"),
        ];
        for (names, stem) in cases {
            assert_eq!(common_stem(names), stem, "{names:?}");
        }
        let files = [
            Path::new("/x/job7/rank0.json"),
            Path::new("/x/job7/rank1.json"),
        ];
        assert_eq!(run_name(&files), "job7");
        let nested = [
            Path::new("/x/job8/a/trace.json"),
            Path::new("/x/job8/b/other.json"),
        ];
        assert_eq!(run_name(&nested), "job8");
    }
}
