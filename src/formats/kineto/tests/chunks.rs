//! However a file is cut into chunks, and however many threads read them: the same trace.

use std::fmt::Write as _;

use proptest::prelude::*;

use crate::base::Job;
use crate::formats::kineto::assemble::Assembly;
use crate::formats::kineto::document::Head;
use crate::formats::kineto::scan::scan_by;

use super::reading::dump;

/// Reads a bare list in chunks of about so many bytes.
fn read_by(chunk_bytes: usize, text: &[u8]) -> String {
    let job = Job::default();
    let mut assembly = Assembly::default();
    scan_by(chunk_bytes, text, 1, &job, |piece| assembly.take(piece)).unwrap();
    let traces = assembly.finish(&Head::default(), text, &job).unwrap();
    traces.iter().map(dump).collect()
}

/// Elements of a list as writers, and breakers, write them.
fn element() -> impl Strategy<Value = String> {
    let times = (0_u32..5000, 0_u32..90);
    let name = "[a-z]{1,3}|[{},\\[\\]]{1,4}|ph|é";
    let span = (name, 0..3_u8, times).prop_map(|(name, row, (ts, dur))| {
        let cat = ["kernel", "cpu_op", "cuda_runtime"][usize::from(row)];
        format!(
            r#"{{"ph": "X", "cat": "{cat}", "name": "{name}", "pid": {row}, "tid": 7, "ts": {ts}.{dur:03}, "dur": {dur}, "args": {{"correlation": {dur}, "n": [{{"ph": "X"}}, {{"name": "}}, {{"}}]}}}}"#
        )
    });
    let edge = ("[BE]", 0..3_u8, 0_u32..5000).prop_map(|(phase, row, ts)| {
        format!(r#"{{"name": "e", "ph": "{phase}", "tid": {row}, "ts": {ts}, "pid": "w"}}"#)
    });
    let other = prop::sample::select(vec![
        r#"{"ph": "C", "name": "queue", "pid": 1, "ts": 4, "args": {"a": 1, "b": 2.5}}"#,
        r#"{"ph": "M", "name": "thread_name", "pid": 0, "tid": 7, "args": {"name": "stream 7 "}}"#,
        r#"{"ph": "s", "id": 3, "pid": 1, "tid": 7, "ts": 4, "cat": "ac2g", "name": "ac2g"}"#,
        r#"{"ph": "X", "name": "bad \escape", "pid": 1, "tid": 7, "ts": 4, "dur": NaN}"#,
        r#"{"ph": "X", "name": "a quote " inside", "pid": 1, "tid": 7, "ts": 4, "dur": 1}"#,
        r#"{"ph": "X", "ts": 1, tid": 0}"#,
        r#"{"ph": "X", "name": "no time"}"#,
        "{}",
        "7",
        r#""text""#,
        "[]",
        "",
    ]);
    prop_oneof![6 => span, 2 => edge, 2 => other.prop_map(str::to_owned)]
}

fn list() -> impl Strategy<Value = String> {
    let between = prop::sample::select(vec![",", ",\n", "\n,  ", " , \n\n\t"]);
    let end = prop::sample::select(vec!["]", "\n]\n", "", ", ]"]);
    (prop::collection::vec((element(), between), 1..40), end).prop_map(|(elements, end)| {
        let mut text = "[".to_owned();
        for (i, (element, between)) in elements.iter().enumerate() {
            if i > 0 {
                text.push_str(between);
            }
            text.push_str(element);
        }
        text.push_str(end);
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn the_size_of_chunks_changes_nothing(text in list(), chunk_bytes in 1_usize..700) {
        let whole = read_by(usize::MAX, text.as_bytes());
        prop_assert_eq!(read_by(chunk_bytes, text.as_bytes()), whole);
    }
}

#[test]
fn a_waiting_person_is_told_when_the_spans_begin_that_are_read() {
    let events: Vec<String> = (0..400)
        .map(|it| {
            format!(r#"{{"ph": "X", "name": "k", "pid": 0, "tid": 7, "ts": {it}, "dur": 1}}"#)
        })
        .collect();
    let text = format!("[{}]", events.join(",\n"));
    let job = Job::default();
    let told = || job.sketch().counts().iter().sum::<u32>();
    let mut seen = Vec::new();
    scan_by(1000, text.as_bytes(), 1, &job, |_| seen.push(told())).unwrap();
    assert!(
        seen.len() > 10 && seen.is_sorted_by(|a, b| a < b),
        "{seen:?}"
    );
    assert_eq!(told(), 400);
}

#[test]
fn one_thread_and_four_read_the_same() {
    let mut text = "[".to_owned();
    for i in 0..4000 {
        let (row, ts, dur) = (i % 5, i * 3 + 1, i % 11);
        write!(text,
            r#"{{"ph": "X", "cat": "kernel", "name": "k{}", "pid": {row}, "tid": {}, "ts": {ts}, "dur": {dur}, "args": {{"correlation": {i}}}}},"#,
            i % 37,
            i % 3,
        ).unwrap();
        write!(text,
            r#"{{"ph": "X", "cat": "cuda_runtime", "name": "launch", "pid": 99, "tid": {row}, "ts": {ts}, "dur": 1, "args": {{"correlation": {i}}}}},"#
        ).unwrap();
    }
    text.push_str("{}]");
    let with_threads = |count: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(count)
            .build()
            .unwrap();
        pool.install(|| read_by(10_000, text.as_bytes()))
    };
    let one = with_threads(1);
    assert!(one.contains("linked_count: 4000"), "{}", &one[..2000]);
    assert_eq!(one, with_threads(4));
}
