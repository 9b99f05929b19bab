//! How the tests read a text, and the words into which they put what came out.

use std::fmt::Write as _;
use std::path::Path;

use crate::base::Job;
use crate::formats::error::ImportError;
use crate::formats::kineto::importer::traces_of;
use crate::model::{Role, SpanId, Trace, Track};

/// Reads a text; whatever it is, every element is kept or counted.
pub(super) fn read(text: impl AsRef<[u8]>) -> Result<Vec<Trace>, ImportError> {
    let traces = traces_of(text.as_ref(), Path::new("trace.json"), &[], &Job::default())?;
    let (mut read, mut accounted) = (0, 0);
    for trace in &traces {
        read += trace.tally().read;
        accounted += trace.tally().kept() + trace.tally().counted;
    }
    assert_eq!(read, accounted, "kept and counted are not what was read");
    Ok(traces)
}

/// Reads a text that is one trace.
pub(super) fn only(text: impl AsRef<[u8]>) -> Trace {
    let mut traces = read(text).unwrap();
    assert_eq!(traces.len(), 1);
    traces.remove(0)
}

/// A document with these events.
pub(super) fn document(events: &[&str]) -> String {
    format!("{{\"traceEvents\": [\n{}\n]}}", events.join(",\n"))
}

/// One line a span, in the order of the tracks: `work g0 0/7: k kernel 10000+5000`.
pub(super) fn spans(trace: &Trace) -> Vec<String> {
    let line = |track: &Track, id: SpanId| {
        let span = trace.span(id);
        format!(
            "{}: {} {} {}+{}",
            row(track),
            trace.name(id),
            span.kind.word(),
            span.start.0,
            span.dur.0
        )
    };
    trace
        .tracks()
        .iter()
        .flat_map(|track| track.span_ids().map(move |id| line(track, id)))
        .collect()
}

fn row(track: &Track) -> String {
    let role = match track.key.role {
        Role::Work => "work",
        Role::Annotation => "annotation",
        Role::Sync => "sync",
        Role::Cpu => "cpu",
        Role::Other => "other",
        Role::Async => "async",
        Role::Overhead => "overhead",
    };
    let device = track
        .key
        .device
        .map_or_else(String::new, |it| format!(" g{it}"));
    format!("{role}{device} {}/{}", track.key.process, track.key.thread)
}

/// `word: count` for everything in the ledger.
pub(super) fn issues(trace: &Trace) -> Vec<String> {
    let line = |(issue, entry): (crate::model::Issue, crate::model::Entry)| {
        format!("{}: {}", issue.word(), entry.count)
    };
    trace.ledger().entries().map(line).collect()
}

/// Everything that a trace says, as text: equal texts are equal facts.
pub(super) fn dump(trace: &Trace) -> String {
    let mut out = format!("{:?}\n{:?}\n", trace.head(), trace.tally());
    let mut put = |line: String| writeln!(out, "{line}").unwrap();
    for track in trace.tracks() {
        put(format!(
            "{} {:?} {:?} x{}",
            row(track),
            track.process_label,
            track.label,
            track.lane_count
        ));
        for id in track.span_ids() {
            let span = trace.span(id);
            let name = trace.name(id);
            put(format!("  {name:?} {:?}", (span, span.launch)));
        }
    }
    for counter in trace.counters() {
        put(format!("{} {counter:?}", trace.names().text(counter.name)));
    }
    put(format!("{:?} {:?}", trace.unplaced(), trace.ties()));
    put(format!("{:?} {:?}", trace.ledger(), trace.extent()));
    put(format!("{:?}", trace.names().texts()));
    out
}
