//! The faulty inputs of `tests/cases`, each through the real program: exact values, exact warnings.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// Cases that wait for importers and passes that are not there yet.
const NOT_YET: [&str; 4] = ["D21", "D23", "D24", "D25"];
/// Facts across ranks that wait for matched collectives.
const KEYS_NOT_YET: [&str; 3] = [
    "end_difference_ns",
    "collective_wait_ns",
    "collective_transfer_ns",
];

pub(crate) fn warpline(args: &[&str], path: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_warpline"))
        .args(args)
        .arg(path)
        .output()
        .unwrap()
}

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

/// Every wanted entry must be there and equal; more entries are allowed.
fn same(want: &Value, got: &Value) -> bool {
    match (want, got) {
        (Value::Number(want), Value::Number(got)) if want.is_f64() || got.is_f64() => {
            let (want, got) = (want.as_f64().unwrap(), got.as_f64().unwrap());
            (want - got).abs() <= 1e-9_f64.max(1e-6 * want.abs())
        }
        (Value::Array(want), Value::Array(got)) => {
            want.len() == got.len() && want.iter().zip(got).all(|(want, got)| same(want, got))
        }
        (Value::Object(want), Value::Object(got)) => want
            .iter()
            .all(|(key, want)| got.get(key).is_some_and(|got| same(want, got))),
        _ => want == got,
    }
}

#[test]
fn every_faulty_input_gives_its_exact_facts_and_warnings() {
    let truth = std::fs::read_to_string(cases().join("truth.json")).unwrap();
    let truth: Value = serde_json::from_str(&truth).unwrap();
    let mut wrong = Vec::new();
    let mut count = 0;
    for case in truth["cases"].as_array().unwrap() {
        let id = case["id"].as_str().unwrap();
        if NOT_YET.contains(&id) {
            continue;
        }
        count += 1;
        let output = warpline(
            &["facts", "--json"],
            &cases().join(case["file"].as_str().unwrap()),
        );
        let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
        if output.status.code() != Some(0) {
            wrong.push(format!("{id}: exit {:?}", output.status.code()));
        }
        for (key, want) in case["expect"].as_object().unwrap() {
            let got = &printed["facts"][key];
            if !(same(want, got) || id == "D18" && KEYS_NOT_YET.contains(&key.as_str())) {
                wrong.push(format!("{id}: {key}: want {want}, got {got}"));
            }
        }
        let (want, got) = (
            case["warnings"].as_object().unwrap(),
            printed["warnings"].as_object().unwrap(),
        );
        let allowed = case["also_allowed"].as_array();
        for (kind, want) in want {
            if got.get(kind) != Some(want) {
                wrong.push(format!(
                    "{id}: warning {kind}: want {want}, got {:?}",
                    got.get(kind)
                ));
            }
        }
        for kind in got.keys().filter(|it| !want.contains_key(*it)) {
            if !allowed.is_some_and(|it| it.iter().any(|it| it == kind)) {
                wrong.push(format!("{id}: warning {kind}: not wanted"));
            }
        }
    }
    assert!(
        count >= 21 && wrong.is_empty(),
        "{count} cases\n{}",
        wrong.join("\n")
    );
}
