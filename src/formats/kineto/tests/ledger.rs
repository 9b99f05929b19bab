//! What is counted as a fault, and what only looks like one.

use crate::model::Issue;

use super::reading::{document, issues, only, spans};

const EVENT: &str = r#"{"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 1}"#;

#[test]
fn keys_given_twice_inside_of_a_value_of_the_head_are_no_fault() {
    let trace = only(format!(
        r#"{{"otherData": {{"version": 1, "version": 2, "a": {{"b": 1, "b": 2}}}},
            "distributedInfo": {{"rank": 1, "rank": 3}}, "traceEvents": [{EVENT}]}}"#
    ));
    assert!(trace.ledger().is_empty(), "{:?}", issues(&trace));
    assert_eq!(trace.head().rank.map(|it| it.0), Some(3));
}

#[test]
fn documents_in_a_row_may_have_the_same_keys() {
    let one = format!(r#"{{"schemaVersion": 1, "otherData": {{}}, "traceEvents": [{EVENT}]}}"#);
    let trace = only(format!("{one}\n{one} {one}"));
    assert!(trace.ledger().is_empty(), "{:?}", issues(&trace));
    assert_eq!(trace.tally().spans, 3);
}

#[test]
fn keys_given_twice_in_the_head_or_in_an_event_are_counted() {
    let trace = only(format!(
        r#"{{"schemaVersion": 1, "schemaVersion": 1, "traceEvents": [{EVENT},
            {{"ph": "X", "ts": 9, "name": "b", "ts": 2, "pid": 1, "tid": 1, "dur": 1, "args": {{"x": 1, "x": 2}}}}]}}"#
    ));
    assert_eq!(issues(&trace), ["duplicate-key: 2"]);
    assert_eq!(spans(&trace)[1], "cpu 1/1: b span 2000+1000");
}

#[test]
fn odd_bytes_anywhere_in_an_event_are_counted() {
    let events: [&[u8]; 7] = [
        b"{\"ph\": \"X\", \"cat\": \"my\xff_cat\", \"name\": \"a\", \"pid\": 1, \"tid\": 1, \"ts\": 1, \"dur\": 1}",
        b"{\"ph\": \"X\", \"cat\": \"mine\", \"name\": \"a\xfe\", \"pid\": 1, \"tid\": 1, \"ts\": 1, \"dur\": 1}",
        b"{\"ph\": \"X\", \"cat\": \"mine\", \"name\": \"a\", \"pid\": 1, \"tid\": 1, \"ts\": 1, \"dur\": 1, \"args\": {\"x\": \"\xff\"}}",
        b"{\"ph\": \"X\", \"cat\": \"mine\", \"name\": \"a\", \"pid\": \"\xff\", \"tid\": 1, \"ts\": 1, \"dur\": 1}",
        b"{\"ph\": \"X\", \"cat\": \"mine\", \"name\": \"a\", \"pid\": 1, \"tid\": 1, \"ts\": 1, \"dur\": 1, \"cname\": \"\xff\"}",
        b"{\"ph\": \"i\", \"cat\": \"mine\xff\", \"name\": \"a\", \"pid\": 1, \"tid\": 1, \"ts\": 1}",
        b"{\"ph\": \"X\xff\", \"cat\": \"mine\", \"name\": \"a\", \"pid\": 1, \"tid\": 1, \"ts\": 1, \"dur\": 1}",
    ];
    for event in events {
        // A plain event of the same name and category before must not hide it.
        let plain =
            br#"{"ph": "X", "cat": "mine", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 1}"#;
        let text = [&b"["[..], plain, b",", event, b"]"].concat();
        let trace = only(&text);
        let count = trace.ledger().count(Issue::InvalidUtf8);
        assert_eq!(count, 1, "{}", String::from_utf8_lossy(event));
        assert_eq!(trace.tally().read, 2);
    }
}

#[test]
fn a_list_converted_from_nsight_systems_has_its_gpu() {
    let trace = only(
        r#"[{"name": "k", "ph": "X", "cat": "cuda", "ts": 15057.495, "dur": 1.312, "tid": "CUDA API 7", "pid": "Device 0", "args": {"NVTXRegions": [null]}},
            {"name": "[CUDA memcpy HtoD]", "ph": "X", "cat": "cuda", "ts": 15060, "dur": 2, "tid": "Stream 13", "pid": "Device 1", "args": {}},
            {"name": "Setup", "ph": "X", "cat": "nvtx-kernel", "ts": 15057.495, "dur": 1.312, "tid": "NVTX 9946", "pid": "Device 0", "args": {}},
            {"name": "cuLaunchKernel", "ph": "X", "cat": "cuda_api", "ts": 14778.264, "dur": 3.859, "tid": "CUDA API 9946", "pid": "Host 0", "args": {"correlationId": 4696}},
            {"name": "Setup", "ph": "X", "cat": "nvtx", "ts": 14883.704, "dur": 185.687, "tid": "NVTX 9946", "pid": "Host 0", "args": {}}]"#,
    );
    let want = [
        "work g0 Device 0/7: k kernel 15057495+1312",
        "work g1 Device 1/13: [CUDA memcpy HtoD] memcpy 15060000+2000",
        "annotation g0 Device 0/NVTX 9946: Setup GPU annotation 15057495+1312",
        "cpu Host 0/CUDA API 9946: cuLaunchKernel runtime call 14778264+3859",
        "cpu Host 0/NVTX 9946: Setup annotation 14883704+185687",
    ];
    assert_eq!(spans(&trace), want);
    assert_eq!(trace.devices(), [0, 1]);
}

#[test]
fn an_event_of_another_phase_is_counted_and_no_other_event_is() {
    let other = r#"{"ph": "O", "name": "object", "pid": 1, "ts": 1, "id": "0x1"}"#;
    let trace = only(document(&[EVENT, other, r#"{"name": "no phase"}"#, "7"]));
    assert_eq!(issues(&trace), ["not-an-event: 2", "unknown-phase: 1"]);
    assert_eq!((trace.tally().kept(), trace.tally().counted), (1, 3));
}
