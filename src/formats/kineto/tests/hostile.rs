//! Files made to do harm: each costs one event, and the rest is there.

use std::fmt::Write as _;

use crate::model::Issue;

use super::reading::{document, issues, only, read, spans};

const GOOD: &str = r#"{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 1, "dur": 2, "args": {"device": 0}}"#;
const LATER: &str = r#"{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 5, "dur": 2, "args": {"device": 0}}"#;

#[test]
fn an_event_over_64_mib_is_left_out_and_the_rest_is_there() {
    let mut text = format!("{{\"traceEvents\": [{GOOD},");
    text.push_str(r#"{"ph": "X", "name": "huge", "ts": 1, "dur": 1, "args": {"a": ""#);
    text.push_str(&"x{[".repeat((64 << 20) / 3 + 1));
    write!(text, "\"}}}}, {LATER}]}}").unwrap();
    let trace = only(&text);
    assert_eq!(issues(&trace), ["size-limit: 1"]);
    assert_eq!((trace.tally().spans, trace.tally().partial), (2, 1));
}

#[test]
fn a_tower_in_the_head_does_not_cost_the_events() {
    let tower = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let trace = only(format!(
        "{{\"metadata\": {tower}, \"traceEvents\": [{GOOD}]}}"
    ));
    assert_eq!(spans(&trace), ["work g0 0/7: k kernel 1000+2000"]);
    assert_eq!(issues(&trace), ["json-syntax: 1"]);
    let trace = only(format!(
        "{{\"traceEvents\": [{GOOD}], \"metadata\": {tower}}}"
    ));
    assert_eq!(trace.tally().spans, 1);
}

#[test]
fn a_tower_as_an_element_of_the_list_is_one_event_left_out() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let tower = format!("{}1{}", open.repeat(100_000), close.repeat(100_000));
        let trace = only(document(&[GOOD, &tower, LATER]));
        assert_eq!(issues(&trace), ["depth-limit: 1"]);
        assert_eq!(trace.tally().spans, 2);
    }
}

#[test]
fn a_tower_that_never_closes_keeps_what_stands_before() {
    let trace = only(format!(
        "{{\"traceEvents\": [{GOOD}, {}",
        "{\"a\": [".repeat(100_000)
    ));
    assert_eq!(trace.tally().spans, 1);
    assert_eq!(trace.tally().partial, 1);
    assert!(!trace.ledger().is_empty());
}

#[test]
fn a_name_of_a_megabyte_in_a_damaged_event_costs_that_event_only() {
    let long = format!(
        r#"{{"ph": "X", "name": "{}\q" x", "pid": 0, "tid": 1, "ts": 1, "dur": 1}}"#,
        "n".repeat(1 << 20)
    );
    let trace = only(document(&[GOOD, &long, LATER]));
    assert_eq!(trace.ledger().count(Issue::BadEscape), 1);
    let longest = trace.names().texts().iter().map(|it| it.len()).max();
    assert_eq!((trace.tally().spans, longest), (3, Some((1 << 20) + 5)));
}

#[test]
fn a_missing_quote_costs_its_own_event_only() {
    let open = r#"{"ph": "X", "name": "x, "ts": 1},"#.repeat(10_000);
    let trace = only(format!("{{\"traceEvents\": [{GOOD}, {open} {LATER}]}}"));
    assert_eq!((trace.tally().spans, trace.tally().partial), (2, 10_000));
    assert_eq!(issues(&trace), ["json-syntax: 10000"]);
    // A quote in a name is no such thing.
    let trace = only(document(&[
        r#"{"ph": "X", "name": "say "hi" and, {"so" on", "pid": 1, "tid": 1, "ts": 1, "dur": 1}"#,
        LATER,
    ]));
    assert_eq!(issues(&trace), ["bad-escape: 1"]);
    assert_eq!(trace.tally().spans, 2);
}

#[test]
fn numbers_beyond_every_type_are_counted() {
    let event = |ts: &str, dur: &str, pid: &str| {
        format!(r#"{{"ph": "X", "name": "n", "pid": {pid}, "tid": 1, "ts": {ts}, "dur": {dur}}}"#)
    };
    let events = [
        event("1e400", "1", "1"),
        event("99999999999999999999999", "1", "1"),
        event("1", "99999999999999999999999", "1"),
        event("9223372036854775", "9223372036854775", "1"),
        event("-9223372036854775", "1", "-9223372036854775808"),
        event("1", "1", "18446744073709551616"),
        event("1", "-1e9", "1e5"),
    ];
    let texts: Vec<&str> = events.iter().map(String::as_str).collect();
    let trace = only(document(&texts));
    assert_eq!(trace.tally().read, 7);
    assert_eq!(trace.ledger().count(Issue::TimeOutOfRange), 1);
    assert_eq!(trace.ledger().count(Issue::MissingTime), 1);
    assert_eq!(trace.ledger().count(Issue::MissingDuration), 1);
    assert_eq!(trace.ledger().count(Issue::NegativeDuration), 1);
}

#[test]
fn bytes_that_are_no_trace_end_in_an_error() {
    for text in [
        &b""[..],
        b"{",
        b"[1",
        b"{\"a\"",
        b"{\"traceEvents\"",
        b"{\"traceEvents\":",
        b"{\"traceEvents\": 7}",
        b"nonsense",
        b"\xff\xff",
    ] {
        assert!(read(text).is_err(), "{}", String::from_utf8_lossy(text));
    }
}
