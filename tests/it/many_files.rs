//! Folders, archives and lists of files: which traces they are, and what is said of those that fail.

use std::path::Path;

use serde_json::{Value, json};

use crate::bad_input::{Folder, GOOD, facts};
use crate::cases::warpline;

fn report(path: &Path) -> String {
    let output = warpline(&["report"], path);
    assert_eq!(output.status.code(), Some(0));
    String::from_utf8(output.stdout).unwrap()
}

/// The good file, with a rank of its own.
fn with_rank(rank: u32) -> Vec<u8> {
    let head = format!("{{\"distributedInfo\": {{\"rank\": {rank}, \"world_size\": 4}}, ");
    [head.as_bytes(), GOOD.strip_prefix(b"{").unwrap()].concat()
}

fn tar_of(members: &[&str]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for name in members {
        let mut header = tar::Header::new_ustar();
        header.set_size(GOOD.len() as u64);
        builder.append_data(&mut header, name, GOOD).unwrap();
    }
    builder.into_inner().unwrap()
}

#[test]
fn a_damaged_member_of_an_archive_is_named_in_the_report() {
    let folder = Folder::new();
    let mut bytes = tar_of(&["rank0.json", "rank1.json", "rank2.json"]);
    bytes[2 * 512 + 100] ^= 1;
    let path = folder.file("ranks.tar", &bytes);
    assert_eq!(facts(&path)["facts"]["ranks"], json!([0, 2]));
    let said = report(&path);
    assert!(
        said.contains("not loaded: ranks.tar › rank1.json: it is damaged"),
        "{said}"
    );
}

#[test]
fn a_file_that_ends_early_is_named_in_the_report() {
    let folder = Folder::new();
    folder.file("rank0.json", GOOD);
    folder.file("rank1.json", &GOOD[..GOOD.len() - 1]);
    let said = report(folder.0.path());
    let lines: Vec<&str> = said.lines().map(str::trim).collect();
    let second = lines
        .iter()
        .position(|it| it.ends_with("rank1.json"))
        .unwrap();
    assert!(lines[second + 1].starts_with("file ends early"), "{said}");
    assert!(!lines[second - 1].starts_with("file ends early"), "{said}");
}

#[test]
fn a_file_without_gpu_events_says_so_in_the_report() {
    let folder = Folder::new();
    let text = br#"[{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 1, "dur": 1, "args": {"correlation": 3}}]"#;
    let said = report(&folder.file("cpu.json", text));
    assert!(
        said.contains("no GPU activity was recorded: 1 launch and no GPU span"),
        "{said}"
    );
    assert!(said.contains("busy time is not available"), "{said}");
    assert!(!said.contains('%'), "{said}");
}

#[test]
fn files_of_an_sglang_run_are_one_run_with_a_rank_each() {
    let folder = Folder::new();
    let id = "1767225600.123456";
    for place in ["TP-0-PP-0", "TP-1-PP-0", "TP-0-PP-1", "TP-1-PP-1"] {
        folder.file(&format!("{id}-{place}.trace.json"), GOOD);
    }
    let printed = facts(folder.0.path());
    assert_eq!(printed["facts"]["ranks"], json!([0, 1, 2, 3]));
    let file = |rank: usize| printed["files"][rank]["file"].as_str().unwrap().to_owned();
    assert!(file(2).contains("TP-0-PP-1") && file(3).contains("TP-1-PP-1"));
    assert_eq!(printed["warnings"].get("duplicate-rank"), None::<&Value>);
}

#[test]
fn replicas_of_an_sglang_run_keep_apart_though_each_counts_its_ranks_from_0() {
    let folder = Folder::new();
    for (place, rank) in [
        ("TP-0-DP-0", 0),
        ("TP-1-DP-0", 1),
        ("TP-0-DP-1", 0),
        ("TP-1-DP-1", 1),
    ] {
        let name = format!("1767225600.1-{place}-EP-0-DECODE.trace.json");
        folder.file(&name, &with_rank(rank));
    }
    let printed = facts(folder.0.path());
    assert_eq!(printed["facts"]["ranks"], json!([0, 1, 2, 3]));
    assert_eq!(printed["warnings"].get("duplicate-rank"), None::<&Value>);
}

#[test]
fn ranks_in_the_files_count_more_than_places_in_their_names() {
    let folder = Folder::new();
    for (place, rank) in [("TP-0-PP-0", 0), ("TP-0-PP-1", 3)] {
        folder.file(&format!("1.5-{place}.trace.json"), &with_rank(rank));
    }
    assert_eq!(facts(folder.0.path())["facts"]["ranks"], json!([0, 3]));
}

#[test]
fn a_merged_file_beside_its_parts_is_not_counted_twice() {
    let folder = Folder::new();
    let kernel = |pid: &str| {
        format!(
            r#"{{"ph": "X", "cat": "kernel", "name": "k", "pid": "{pid}", "tid": 7, "ts": 1, "dur": 2, "args": {{"device": 0}}}}"#
        )
    };
    let merged = format!("[{}, {}]", kernel("[TP00] 0"), kernel("[TP01] 0"));
    folder.file("merged-1.5.trace.json", merged.as_bytes());
    assert_eq!(facts(folder.0.path())["facts"]["ranks"], json!([0, 1]));
    for rank in 0..2 {
        folder.file(&format!("1.5-TP-{rank}.trace.json"), GOOD);
    }
    let printed = facts(folder.0.path());
    assert_eq!(printed["facts"]["ranks"], json!([0, 1]));
    assert_eq!(printed["facts"]["spans_total"], 2);
    assert_eq!(printed["absent"][0]["file"], "merged-1.5.trace.json");
    assert_eq!(printed["warnings"].get("duplicate-rank"), None::<&Value>);
}
