//! What people really drop on a viewer: each gets its sentence, and nothing else is lost.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::cases::warpline;

pub(crate) const GOOD: &[u8] = br#"{"traceEvents": [{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 1, "dur": 2, "args": {"device": 0}}]}"#;

pub(crate) struct Folder(pub(crate) tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }
}

/// The path is refused with one sentence that holds `words` and ends with the path.
pub(crate) fn refused(path: &Path, words: &str) {
    let output = warpline(&["facts", "--json"], path);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains(words), "{said}");
    assert_eq!(said.trim_end().lines().count(), 1, "{said}");
    assert!(
        said.trim_end().ends_with(&path.display().to_string()),
        "{said}"
    );
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(printed["facts"]["refused"], true);
}

pub(crate) fn facts(path: &Path) -> Value {
    let output = warpline(&["facts", "--json"], path);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn what_is_no_trace_is_refused_with_what_to_do() {
    let folder = Folder::new();
    refused(&folder.file("empty.json", b""), "empty");
    refused(&folder.file("paper.pdf", b"%PDF-1.7\n1 0 obj"), "PDF");
    refused(
        &folder.file("run.nsys-rep", b"\x00\x01binary\x02\x03"),
        "nsys export --type sqlite",
    );
    refused(
        &folder.file("kernel.ncu-rep", b"NVR\0\x01\x02"),
        "ncu --import",
    );
    refused(&folder.file("numbers.json", b"[1, 2, 3]"), "plain values");
    refused(&folder.0.path().join("absent.json"), "");
}

#[test]
fn a_folder_without_traces_says_so() {
    let folder = Folder::new();
    refused(folder.0.path(), "the folder holds no files");
    folder.file("paper.pdf", b"%PDF-1.7\n1 0 obj");
    refused(folder.0.path(), "the one file in this folder is no trace");
    folder.file("rank0.json", b"{\"a\": 1}");
    refused(
        folder.0.path(),
        "none of the 2 files in this folder is a trace",
    );
}

#[test]
fn a_gzip_bomb_is_refused_in_a_moment() {
    let folder = Folder::new();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    let zeros = vec![0_u8; 1 << 20];
    for _ in 0..300 {
        packed.write_all(&zeros).unwrap();
    }
    refused(&folder.file("bomb.json.gz", &packed.finish().unwrap()), "");
}

#[test]
fn a_tower_of_brackets_costs_one_event() {
    let folder = Folder::new();
    let mut text =
        br#"{"traceEvents": [{"ph": "X", "name": "tower", "ts": 1, "dur": 1, "args": {"a": "#
            .to_vec();
    text.extend(std::iter::repeat_n(b'[', 100_000));
    text.extend(std::iter::repeat_n(b']', 100_000));
    text.extend_from_slice(b"}},");
    text.extend_from_slice(GOOD.strip_prefix(br#"{"traceEvents": ["#).unwrap());
    let printed = facts(&folder.file("tower.json", &text));
    assert_eq!(printed["warnings"]["depth-limit"], 1);
    assert_eq!(printed["facts"]["spans_total"], 1);
}

#[test]
fn a_name_of_a_megabyte_is_kept() {
    let folder = Folder::new();
    let name = "n".repeat(1 << 20);
    let text = String::from_utf8(GOOD.to_vec())
        .unwrap()
        .replace("\"k\"", &format!("\"{name}\""));
    let printed = facts(&folder.file("long.json", text.as_bytes()));
    assert_eq!(printed["facts"]["max_name_chars"], 1 << 20);
}

#[test]
fn impossible_durations_and_base_times_do_not_stop_the_report() {
    let folder = Folder::new();
    for (name, base) in [("rank0.json", i64::MIN), ("rank1.json", i64::MAX)] {
        let kernel = |name: &str, ts: u32| {
            format!(
                r#"{{"ph": "X", "cat": "kernel", "name": "{name}", "pid": 0, "tid": 7, "ts": {ts}, "dur": 9223372036854775}}"#
            )
        };
        let (a, b) = (kernel("a", 1), kernel("b", 2));
        let text = format!(r#"{{"baseTimeNanoseconds": {base}, "traceEvents": [{a}, {b}]}}"#);
        folder.file(name, text.as_bytes());
    }
    assert_eq!(facts(folder.0.path())["facts"]["spans_total"], 4);
    let output = warpline(&["report"], folder.0.path());
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{said}");
}

#[test]
fn a_broken_file_among_good_ones_loses_nothing_else() {
    let folder = Folder::new();
    folder.file("rank0.json", GOOD);
    folder.file("rank1.json", GOOD);
    folder.file("rank2.json", b"");
    let printed = facts(folder.0.path());
    assert_eq!(printed["facts"]["ranks"], serde_json::json!([0, 1]));
    let absent = printed["absent"].as_array().unwrap();
    assert!(
        absent
            .iter()
            .any(|it| it["file"].as_str().unwrap().contains("rank2")),
        "{absent:?}"
    );
}

#[test]
fn secrets_in_the_head_of_a_trace_are_never_shown() {
    let folder = Folder::new();
    let head = br#"{"metadata": {"HF_TOKEN": "hf_secret"}, "host_name": "gpu-host-17", "traceName": "/home/somebody/x.json", "#;
    let mut text = head.to_vec();
    text.extend_from_slice(GOOD.strip_prefix(b"{").unwrap());
    let path = folder.file("rank0.json", &text);
    for command in ["facts", "report"] {
        let printed = String::from_utf8(warpline(&[command], &path).stdout).unwrap();
        assert!(printed.contains("rank0"), "{printed}");
        for secret in ["hf_secret", "gpu-host-17", "somebody"] {
            assert!(!printed.contains(secret), "{secret} in {command}");
        }
    }
}

#[test]
fn two_runs_are_not_mixed() {
    let folder = Folder::new();
    let (a, b) = (folder.file("a.json", GOOD), folder.file("b.json", GOOD));
    let output = warpline(&["report", a.to_str().unwrap()], &b);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--against"));
}

#[test]
fn a_picture_is_the_same_from_run_to_run() {
    let folder = Folder::new();
    let trace = folder.file("rank0.json", GOOD);
    let draw = |name: &str| {
        let out = folder.0.path().join(name);
        let args = [
            "screenshot",
            "--size",
            "800x500",
            "--theme",
            "dark",
            "--out",
            out.to_str().unwrap(),
        ];
        assert_eq!(warpline(&args, &trace).status.code(), Some(0));
        std::fs::read(out).unwrap()
    };
    let first = draw("1.png");
    assert!(first.starts_with(b"\x89PNG") && first == draw("2.png"));
}

#[test]
fn without_a_display_the_report_is_printed_and_screenshot_named() {
    let folder = Folder::new();
    let trace = folder.file("rank0.json", GOOD);
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_warpline"))
        .arg(&trace)
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(
        said.contains("warpline screenshot") && !said.contains(".rs:"),
        "{said}"
    );
    assert!(
        String::from_utf8(output.stdout)
            .unwrap()
            .contains("GPU work by name")
    );
}
