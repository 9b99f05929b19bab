//! What file names say: the rank of one file, and the name of the run that several share. Names are the second
//! choice; a rank written in the trace itself wins.
//!
//! In order: `rank3`, `rank-3`, `rank_3`; `TP-3` as `SGLang` writes it; `…_3.json`. Several `rank` words: the first that
//! is not `local_rank`. `TP-3` is the rank as long as there is one pipeline stage and one replica; with `PP` or `DP`
//! above 0 the sizes of the groups are needed, so such a name gives none alone. The names of all files of a run
//! together do (`model::ranks_in_groups`).

use std::path::Path;

use crate::model::Groups;

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
    Groups::from_sglang_name(name)?.rank_alone()
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
