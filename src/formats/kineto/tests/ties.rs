//! Launches of files whose work carries no correlation id: told by arrows.

use crate::model::{SpanId, Trace};

use super::reading::{document, issues, only};

/// `kernel <- launch` for each span of work.
fn launches(trace: &Trace) -> Vec<String> {
    let work = trace.work_tracks().flat_map(|it| it.1.span_ids());
    let launch = |it: SpanId| {
        trace
            .span(it)
            .launch
            .map_or("nothing", |launch| trace.name(launch))
    };
    work.map(|it| format!("{} <- {}", trace.name(it), launch(it)))
        .collect()
}

const EVENTS: [&str; 10] = [
    r#"{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 9, "tid": 9, "ts": 1, "dur": 20}"#,
    r#"{"ph": "X", "cat": "cuda_runtime", "name": "launch a", "pid": 9, "tid": 9, "ts": 2, "dur": 3}"#,
    r#"{"ph": "s", "cat": "ac2g", "name": "ac2g", "id": 1, "pid": 9, "tid": 9, "ts": 2}"#,
    r#"{"ph": "X", "cat": "cuda_runtime", "name": "launch b", "pid": 9, "tid": 9, "ts": 6, "dur": 3}"#,
    r#"{"ph": "s", "cat": "ac2g", "name": "ac2g", "id": "2", "pid": "9", "tid": "9", "ts": "7.5"}"#,
    r#"{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 30, "dur": 5, "args": {"device": 0, "stream": 7}}"#,
    r#"{"ph": "f", "cat": "ac2g", "name": "ac2g", "id": 1, "pid": 0, "tid": 7, "ts": 30, "bp": "e"}"#,
    r#"{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": 35, "dur": 5, "args": {"device": 0, "stream": 7}}"#,
    r#"{"ph": "f", "cat": "ac2g", "name": "ac2g", "id": 2, "pid": 0, "tid": "stream 7", "ts": 35, "bp": "e"}"#,
    r#"{"ph": "X", "cat": "kernel", "name": "c", "pid": 0, "tid": 7, "ts": 50, "dur": 5, "args": {"device": 0, "stream": 7}}"#,
];

#[test]
fn kernels_without_a_correlation_id_find_their_launch_by_its_arrow() {
    let trace = only(document(&EVENTS));
    assert_eq!(
        launches(&trace),
        ["a <- launch a", "b <- launch b", "c <- nothing"]
    );
    let ties = trace.ties();
    assert_eq!(
        (ties.launch_count, ties.linked_count, ties.unlinked_count),
        (2, 2, 1)
    );
    assert_eq!((ties.arrows_paired, ties.arrows_loose), (2, 0));
    assert_eq!(issues(&trace), ["missing-launch: 1"]);
    // And the way back.
    let launch = trace.names().find("launch a");
    let launch = (0..trace.spans().len())
        .map(SpanId::from_index)
        .find(|it| Some(trace.span(*it).name) == launch)
        .unwrap();
    assert_eq!(trace.launched_by(launch).len(), 1);
}

#[test]
fn correlation_ids_count_more_than_arrows() {
    let with_ids: Vec<String> = EVENTS
        .iter()
        .map(|it| match *it {
            it if it.contains("\"launch b\"") => {
                it.replace("\"dur\": 3", r#""dur": 3, "args": {"correlation": 5}"#)
            }
            it if it.contains("\"name\": \"a\"") => {
                it.replace("\"device\": 0", r#""device": 0, "correlation": 5"#)
            }
            it => it.to_owned(),
        })
        .collect();
    let texts: Vec<&str> = with_ids.iter().map(String::as_str).collect();
    let trace = only(document(&texts));
    assert_eq!(
        launches(&trace),
        ["a <- launch b", "b <- nothing", "c <- nothing"]
    );
}

#[test]
fn an_arrow_into_a_graph_launch_ties_all_its_kernels_and_a_repeated_id_the_latest() {
    let trace = only(document(&[
        r#"{"ph": "X", "cat": "cuda_runtime", "name": "first", "pid": 9, "tid": 9, "ts": 2, "dur": 3}"#,
        r#"{"ph": "X", "cat": "cuda_runtime", "name": "second", "pid": 9, "tid": 9, "ts": 40, "dur": 3}"#,
        r#"{"ph": "s", "cat": "ac2g", "name": "ac2g", "id": 1, "pid": 9, "tid": 9, "ts": 2}"#,
        r#"{"ph": "s", "cat": "ac2g", "name": "ac2g", "id": 1, "pid": 9, "tid": 9, "ts": 41}"#,
        r#"{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 30, "dur": 2}"#,
        r#"{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": 32, "dur": 2}"#,
        r#"{"ph": "X", "cat": "kernel", "name": "c", "pid": 0, "tid": 7, "ts": 50, "dur": 2}"#,
        r#"{"ph": "f", "cat": "ac2g", "name": "ac2g", "id": 1, "pid": 0, "tid": 7, "ts": 30}"#,
        r#"{"ph": "f", "cat": "ac2g", "name": "ac2g", "id": 1, "pid": 0, "tid": 7, "ts": 32}"#,
        r#"{"ph": "f", "cat": "ac2g", "name": "ac2g", "id": 1, "pid": 0, "tid": 7, "ts": 50}"#,
    ]));
    assert_eq!(
        launches(&trace),
        ["a <- first", "b <- first", "c <- second"]
    );
}

#[test]
fn arrows_of_rocm_tools_tie_hip_calls_to_kernels() {
    let trace = only(
        r#"{"traceEvents": [{},
        {"args": {"name": "CPU HIP API"}, "ph": "M", "pid": 2, "name": "process_name"},
        {"args": {"name": "GPU4"}, "ph": "M", "pid": 10, "name": "process_name"},
        {"ph": "X", "name": "hipLaunchKernel", "pid": "2", "tid": "19147", "ts": "100", "dur": "9"},
        {"ph": "X", "name": "vecAdd", "pid": "10", "tid": "1", "ts": "120", "dur": "8"},
        {"ts": 104, "ph": "s", "cat": "DataFlow", "id": 0, "pid": 2, "tid": 19147, "name": "dep"},
        {"ts": 120, "ph": "t", "cat": "DataFlow", "id": 0, "pid": 10, "tid": 1, "name": "dep"}]}"#,
    );
    assert_eq!(launches(&trace), ["vecAdd <- hipLaunchKernel"]);
}

#[test]
fn an_arrow_of_a_synchronization_ties_no_kernel() {
    let trace = only(document(&[
        r#"{"ph": "X", "cat": "cuda_runtime", "name": "copy", "pid": 9, "tid": 9, "ts": 2, "dur": 1}"#,
        r#"{"ph": "X", "cat": "cuda_runtime", "name": "synchronize", "pid": 9, "tid": 9, "ts": 4, "dur": 30}"#,
        r#"{"ph": "s", "cat": "ac2g", "name": "ac2g", "id": 2, "pid": 9, "tid": 9, "ts": 2}"#,
        r#"{"ph": "s", "cat": "ac2g", "name": "ac2g", "id": 1, "pid": 9, "tid": 9, "ts": 4}"#,
        r#"{"ph": "X", "cat": "gpu_memcpy", "name": "a", "pid": 0, "tid": 7, "ts": 10, "dur": 20}"#,
        r#"{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": 31, "dur": 2}"#,
        r#"{"ph": "f", "cat": "ac2g", "name": "ac2g", "id": 1, "pid": 0, "tid": 7, "ts": 12, "bp": "e"}"#,
        r#"{"ph": "f", "cat": "ac2g", "name": "ac2g", "id": 1, "pid": 0, "tid": 7, "ts": 32, "bp": "e"}"#,
        r#"{"ph": "f", "cat": "ac2g", "name": "ac2g", "id": 2, "pid": 0, "tid": 7, "ts": 10, "bp": "e"}"#,
    ]));
    assert_eq!(launches(&trace), ["a <- copy", "b <- nothing"]);
}

#[test]
fn a_graph_launch_without_the_tail_of_its_arrow_still_has_its_kernels() {
    let trace = only(document(&[
        r#"{"ph": "X", "cat": "cuda_runtime", "name": "hipGraphLaunch", "pid": 9, "tid": 9, "ts": 2, "dur": 30}"#,
        r#"{"ph": "f", "cat": "ac2g", "name": "ac2g", "id": 1, "pid": 9, "tid": 9, "ts": 2, "bp": "e"}"#,
        r#"{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 10, "dur": 2}"#,
        r#"{"ph": "f", "cat": "ac2g", "name": "ac2g", "id": 1, "pid": 0, "tid": 7, "ts": 10, "bp": "e"}"#,
        r#"{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": 12, "dur": 2}"#,
        r#"{"ph": "f", "cat": "ac2g", "name": "ac2g", "id": 1, "pid": 0, "tid": 7, "ts": 12, "bp": "e"}"#,
    ]));
    assert_eq!(
        launches(&trace),
        ["a <- hipGraphLaunch", "b <- hipGraphLaunch"]
    );
}

#[test]
fn arrows_between_operators_stay_counted_and_tie_no_work() {
    let trace = only(document(&[
        r#"{"ph": "X", "cat": "cpu_op", "name": "forward", "pid": 9, "tid": 9, "ts": 1, "dur": 2}"#,
        r#"{"ph": "X", "cat": "cpu_op", "name": "backward", "pid": 9, "tid": 8, "ts": 5, "dur": 2}"#,
        r#"{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 6, "dur": 2}"#,
        r#"{"ph": "s", "cat": "fwdbwd", "name": "fwdbwd", "id": 1, "pid": 9, "tid": 9, "ts": 1}"#,
        r#"{"ph": "f", "cat": "fwdbwd", "name": "fwdbwd", "id": 1, "pid": 9, "tid": 8, "ts": 5, "bp": "e"}"#,
    ]));
    assert_eq!(launches(&trace), ["a <- nothing"]);
    assert_eq!(
        (trace.ties().arrows_paired, trace.ties().launch_count),
        (1, 0)
    );
    assert!(trace.ledger().is_empty(), "{:?}", issues(&trace));
}
