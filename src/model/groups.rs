//! Where a process stands in the groups of a job (data, pipeline, expert and tensor parallel), as names
//! say it, and the ranks that follow for all processes together.

use std::collections::BTreeSet;

/// Larger numbers are process ids or times.
const DIGITS_MAX: usize = 6;

/// The place of a process in the groups of a job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Groups {
    dp: u32,
    pp: u32,
    ep: u32,
    tp: u32,
}

impl Groups {
    /// From a file's name: as `SGLang` writes it (`…-TP-1-DP-0-PP-1…`), else as vLLM does
    /// (`dp0_pp1_tp0…`).
    pub fn from_file_name(name: &str) -> Option<Self> {
        Self::from_sglang_name(name).or_else(|| {
            number_of(name, "pp")?;
            Self::from_words(name, ["tp", "dp", "pp", "ep"])
        })
    }

    /// From a file's name as `SGLang` writes it.
    pub fn from_sglang_name(name: &str) -> Option<Self> {
        Self::from_words(name, ["TP-", "DP-", "PP-", "EP-"])
    }

    /// From the name of a process in a merged file: `[TP01-DP00] python`, `TP00 4711`.
    pub fn from_process(label: &str) -> Option<Self> {
        let rest = label.trim_start().trim_start_matches('[');
        rest.starts_with("TP").then_some(())?;
        let ranks = rest.split([']', ' ']).next().unwrap_or_default();
        Self::from_sglang_name(ranks).or_else(|| Self::from_words(ranks, ["TP", "DP", "PP", "EP"]))
    }

    fn from_words(text: &str, [tp, dp, pp, ep]: [&str; 4]) -> Option<Self> {
        Some(Self {
            tp: number_of(text, tp)?,
            dp: number_of(text, dp).unwrap_or(0),
            pp: number_of(text, pp).unwrap_or(0),
            ep: number_of(text, ep).unwrap_or(0),
        })
    }

    /// The rank, if the place tells it without the sizes of the groups.
    pub fn rank_alone(self) -> Option<u32> {
        (self.pp == 0 && self.dp == 0).then_some(self.tp)
    }
}

/// The ranks of processes at these places, in order: one for each place, counted over as few groups as
/// tell the places apart. Replicas with attention of their own and experts lie inside the tensor group,
/// so these two count only where places are equal without them. The size of a group is what the
/// places show of it.
pub fn ranks_in_groups(places: &[Groups]) -> Vec<u32> {
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
    let mut sizes = [1_u32; 4];
    for place in places {
        for (size, value) in sizes.iter_mut().zip(key(place)) {
            *size = value.saturating_add(1).max(*size);
        }
    }
    let rank = |it: &Groups| {
        let digits = key(it).into_iter().zip(sizes);
        digits.fold(0_u32, |rank, (digit, size)| {
            rank.saturating_mul(size).saturating_add(digit)
        })
    };
    places.iter().map(rank).collect()
}

/// The number behind a word like `TP-`, where that begins a word.
fn number_of(text: &str, word: &str) -> Option<u32> {
    text.match_indices(word).find_map(|(at, _)| {
        let before = text.get(..at)?;
        if before.ends_with(|it: char| it.is_ascii_alphanumeric()) {
            return None;
        }
        let behind = text.get(at + word.len()..)?;
        let digits = behind.bytes().take_while(u8::is_ascii_digit).count();
        let number = behind.get(..digits)?;
        number.parse().ok().filter(|_| digits <= DIGITS_MAX)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranks(names: &[&str]) -> Vec<u32> {
        let places: Vec<Groups> = names
            .iter()
            .map(|it| Groups::from_file_name(&format!("1767225600.1-{it}.trace.json.gz")).unwrap())
            .collect();
        ranks_in_groups(&places)
    }

    #[test]
    fn pipeline_stages_follow_each_other() {
        assert_eq!(ranks(&["TP-0", "TP-1", "TP-2"]), [0, 1, 2]);
        let names = ["TP-0-PP-0", "TP-1-PP-0", "TP-0-PP-1", "TP-1-PP-1"];
        assert_eq!(ranks(&names), [0, 1, 2, 3]);
    }

    #[test]
    fn attention_and_experts_lie_inside_the_tensor_group() {
        let names = ["TP-0-DP-0-EP-0", "TP-1-DP-0-EP-1", "TP-2-DP-1-EP-2"];
        assert_eq!(ranks(&names), [0, 1, 2]);
    }

    #[test]
    fn replicas_follow_each_other() {
        let names = ["TP-0-DP-0", "TP-1-DP-0", "TP-0-DP-1", "TP-1-DP-1"];
        assert_eq!(ranks(&names), [0, 1, 2, 3]);
        let names = ["TP-0-DP-1-PP-1", "TP-0-DP-0-PP-0", "TP-0-DP-0-PP-1"];
        assert_eq!(ranks(&names), [3, 0, 1]);
        let vllm = ["dp0_pp0_tp0_dcp0_ep0_rank0", "dp1_pp0_tp0_dcp0_ep1_rank0"];
        assert_eq!(ranks(&vllm), [0, 1]);
    }

    #[test]
    fn two_stages_of_one_process_are_one_rank() {
        let names = ["TP-1-PP-1-EXTEND", "TP-1-PP-1-DECODE", "TP-0-PP-0-DECODE"];
        assert_eq!(ranks(&names), [3, 3, 0]);
    }

    #[test]
    fn names_that_give_sizes_or_nothing_give_no_place() {
        for name in [
            "run_tp4.json",
            "http-3.json",
            "rank3.json",
            "TP-.json",
            "TP-1767225600.json",
        ] {
            assert_eq!(Groups::from_file_name(name), None, "{name}");
        }
    }

    #[test]
    fn processes_of_merged_files_are_placed() {
        let place = |tp, dp, pp, ep| Some(Groups { dp, pp, ep, tp });
        assert_eq!(Groups::from_process("[TP12] python"), place(12, 0, 0, 0));
        assert_eq!(Groups::from_process("TP00 4711"), place(0, 0, 0, 0));
        assert_eq!(Groups::from_process("[TP-3] python"), place(3, 0, 0, 0));
        assert_eq!(
            Groups::from_process("[TP01-DP02-PP03-EP04] 4711"),
            place(1, 2, 3, 4)
        );
        assert_eq!(Groups::from_process("python"), None);
        assert_eq!(Groups::from_process("python [TP01]"), None);
    }
}
