//! Drawn timelines, the language of test fixtures: one character is one microsecond, a run of equal
//! letters is a span, `.` is idle.
//!
//! ```text
//! rank 0
//!   step       1111111111222222
//!   thread 1   OOOOOOOO........
//!   thread 1   .ab.............
//!   stream 7   ...AAAA..BBBB...
//!   stream 20  ......NNNNNN....
//! ```
//!
//! On a stream `N` is a collective, `M` a memcpy, and every other letter a kernel called by it. On a
//! thread a capital is an op and a small letter the call that launches the work drawn with its
//! capital, the first the first and so on; a call that draws nothing else of its letter launches it
//! all. A row that is named twice is one track, so that nesting and crossing can be drawn. `gpu 1`
//! names the device of the streams below it. Traces have the bare clock of their file, 0 at the left.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;

use crate::base::{Dur, Job, TimeRange};
use crate::model::builder::{Batch, RawSpan, Tie, TraceBuilder};
use crate::model::ids::{NameId, RankId, TraceId};
use crate::model::issues::Ledger;
use crate::model::kind::{Flags, Kind};
use crate::model::run::{Clock, Member, Run};
use crate::model::trace::Trace;
use crate::model::track::{Role, RowId, TrackKey};

/// Nanoseconds of one character.
pub(crate) const CHAR_NS: i64 = 1_000;

/// The run that is drawn; its ranks share a clock.
pub(crate) fn run(drawing: &str) -> Run {
    let mut ranks: Vec<(u32, Vec<&str>)> = Vec::new();
    for line in drawing.lines().filter(|it| !it.trim().is_empty()) {
        if let Some(rank) = line.trim().strip_prefix("rank ") {
            ranks.push((rank.trim().parse().expect("a rank"), Vec::new()));
        } else if let Some((_, lines)) = ranks.last_mut() {
            lines.push(line);
        } else {
            ranks.push((0, vec![line]));
        }
    }
    let members = ranks.into_iter().map(|(rank, lines)| Member {
        trace: Arc::new(trace_of(&lines)),
        rank: Some(RankId(rank)),
        clock: Clock {
            offset: Dur(0),
            drift: 0.0,
            island: 0,
        },
        file: format!("rank{rank}.json"),
        bytes: 0,
    });
    let members = members.collect();
    Run::from_members(
        "drawn".to_owned(),
        members,
        Vec::new(),
        &Ledger::default(),
        None,
    )
}

/// The trace of one rank.
pub(crate) fn trace(drawing: &str) -> Trace {
    let lines: Vec<&str> = drawing
        .lines()
        .filter(|it| !it.trim().is_empty() && !it.trim().starts_with("rank "))
        .collect();
    trace_of(&lines)
}

/// What a row is called, as it stands in the drawing.
struct RowName {
    word: String,
    key: TrackKey,
}

fn row_name(words: &str, device: i64) -> RowName {
    let (word, id) = words.split_once(' ').unwrap_or((words, "1"));
    let number = RowId::Number(id.trim().parse().expect("the number of a row"));
    let (role, device) = match word {
        "stream" => (Role::Work, Some(device)),
        "thread" | "step" => (Role::Cpu, None),
        other => panic!("no such row: {other}"),
    };
    let process = RowId::Number(device.unwrap_or(100));
    RowName {
        word: word.to_owned(),
        key: TrackKey {
            role,
            device,
            process,
            thread: number,
        },
    }
}

fn trace_of(lines: &[&str]) -> Trace {
    let mut drawn = Drawn::default();
    let mut device = 0;
    for line in lines {
        if let Some(number) = line.trim().strip_prefix("gpu ") {
            device = number.trim().parse().expect("a GPU");
            continue;
        }
        let line = line.trim();
        let (words, picture) = line.rsplit_once(' ').expect("a row and its picture");
        drawn.row(&row_name(words.trim(), device), picture);
    }
    drawn.tie();
    let mut builder = TraceBuilder::default();
    // Times between microseconds keep one character of overlap from being a touch.
    drawn.batch.has_fractions = true;
    drawn.batch.tally.spans = drawn.batch.spans.len() as u64;
    drawn.batch.tally.read = drawn.batch.tally.spans;
    builder.append(drawn.batch);
    builder.finish(&Job::default()).expect("nobody cancels")
}

#[derive(Default)]
struct Drawn {
    batch: Batch,
    /// Positions in the batch of calls and of work, by the capital letter.
    calls: BTreeMap<char, Vec<u32>>,
    work: BTreeMap<char, Vec<u32>>,
}

impl Drawn {
    fn row(&mut self, row: &RowName, picture: &str) {
        let tracks = &mut self.batch.tracks;
        let track = tracks.iter().position(|it| *it == row.key);
        let track = track.unwrap_or_else(|| {
            tracks.push(row.key.clone());
            tracks.len() - 1
        });
        for (letter, range) in letters(picture) {
            let (kind, name) = meaning(&row.word, letter);
            let id = NameId::from_index(self.batch.names.len());
            self.batch.names.push(name);
            let position = u32::try_from(self.batch.spans.len()).expect("a small drawing");
            match kind {
                Kind::Runtime => self.calls.entry(letter.to_ascii_uppercase()),
                _ if kind.is_work() => self.work.entry(letter),
                _ => self.calls.entry('.'),
            }
            .or_default()
            .push(position);
            self.batch.spans.push(RawSpan {
                start: range.start,
                dur: range.end - range.start,
                name: id,
                track: u32::try_from(track).expect("a small drawing"),
                kind,
                flags: Flags::default(),
                at: u64::from(position),
            });
        }
    }

    fn tie(&mut self) {
        for (letter, calls) in &self.calls {
            let Some(work) = self.work.get(letter) else {
                continue;
            };
            let mut tie = |span: u32, correlation: u32| {
                let correlation = u64::from(correlation) + 1;
                self.batch.ties.push(Tie { span, correlation });
            };
            for call in calls {
                tie(*call, *call);
            }
            for (number, span) in work.iter().enumerate() {
                // One call for all: a graph.
                if let Some(call) = calls
                    .get(number)
                    .or_else(|| calls.last().filter(|_| calls.len() == 1))
                {
                    tie(*span, *call);
                }
            }
        }
    }
}

/// Each run of equal letters with its time.
fn letters(picture: &str) -> Vec<(char, Range<i64>)> {
    let mut found: Vec<(char, Range<i64>)> = Vec::new();
    for (at, letter) in (0..).zip(picture.chars()) {
        let range = at * CHAR_NS..(at + 1) * CHAR_NS;
        match found.last_mut() {
            Some((last, before)) if *last == letter && before.end == range.start => {
                before.end = range.end;
            }
            _ if letter == '.' => {}
            _ => found.push((letter, range)),
        }
    }
    found
}

fn meaning(row: &str, letter: char) -> (Kind, String) {
    match (row, letter) {
        ("step", _) => (Kind::Annotation, format!("ProfilerStep#{letter}")),
        ("thread", 'a'..='z') => (Kind::Runtime, "cudaLaunchKernel".to_owned()),
        ("thread", _) => (Kind::CpuOp, format!("op_{letter}")),
        (_, 'N') => (
            Kind::Kernel,
            "ncclDevKernel_AllReduce_Sum_f32_RING_LL".to_owned(),
        ),
        (_, 'M') => (Kind::Memcpy, "Memcpy HtoD".to_owned()),
        _ => (Kind::Kernel, letter.to_string()),
    }
}

/// The streams of a run as a drawing, a character for each of its microseconds; several spans on one
/// are `*`.
pub(crate) fn draw(run: &Run) -> String {
    let mut out = String::new();
    for id in run.trace_ids() {
        writeln!(out, "{}", run.title(id).to_lowercase()).expect("memory");
        let trace = run.trace(id);
        for (_, track) in trace.work_tracks() {
            let columns = (run.extent().len().0 / CHAR_NS).unsigned_abs();
            let picture = (0..i64::try_from(columns).expect("a small drawing")).map(|at| {
                let column = TimeRange::new(
                    run.extent().start.plus(Dur(at * CHAR_NS)),
                    run.extent().start.plus(Dur((at + 1) * CHAR_NS)),
                );
                letter_in(run, id, track.span_ids(), column)
            });
            let picture: String = picture.collect();
            writeln!(
                out,
                "  stream {:<3} {picture}",
                track.key.thread.to_string()
            )
            .expect("memory");
        }
    }
    out
}

fn letter_in(
    run: &Run,
    id: TraceId,
    spans: impl Iterator<Item = crate::model::ids::SpanId>,
    column: TimeRange,
) -> char {
    let trace = run.trace(id);
    let mut found = '.';
    for it in spans {
        let span = crate::model::ids::SpanRef {
            trace: id,
            span: it,
        };
        if run.range_of(span).intersect(column).is_empty() {
            continue;
        }
        if found != '.' {
            return '*';
        }
        found = match trace.name(it) {
            name if name.starts_with("nccl") => 'N',
            name if name.starts_with("Memcpy") => 'M',
            name => name.chars().next().unwrap_or('?'),
        };
    }
    found
}

mod tests {
    use super::*;
    use crate::model::class::Class;
    use crate::model::ids::{SpanId, SpanRef};

    const TWO_STREAMS: &str = "
rank 0
  step       1111111111222222
  thread 1   OOOOOOOO........
  thread 1   .ab.............
  stream 7   ...AAAA..BBBB...
  stream 20  ......NNNNNN....
";

    #[test]
    fn a_drawing_becomes_a_run_and_a_run_a_drawing() {
        let run = run(TWO_STREAMS);
        assert_eq!(
            draw(&run),
            "rank 0\n  stream 7   ...AAAA..BBBB...\n  stream 20  ......NNNNNN....\n"
        );
        let trace = run.trace(TraceId(0));
        let ids = || (0..trace.spans().len()).map(SpanId::from_index);
        let named = |name: &str| ids().find(|it| trace.name(*it) == name).unwrap();
        let b = trace.span(named("B"));
        assert_eq!((b.start.0, b.dur.0), (9_000, 4_000));
        let call = trace.span(b.launch.unwrap());
        assert_eq!((call.start.0, call.kind), (2_000, Kind::Runtime));
        let op = trace.span(named("op_O"));
        assert_eq!(
            (op.depth, call.depth),
            (1, 2),
            "below the step, above the call"
        );
        let collective = SpanRef {
            trace: TraceId(0),
            span: named("ncclDevKernel_AllReduce_Sum_f32_RING_LL"),
        };
        assert_eq!(run.class_of(collective), Class::Communication);
    }

    #[test]
    fn one_call_launches_all_of_its_letter() {
        let trace = trace("thread 1 g.....\nstream 7 .GG.G.");
        let call = (0..3)
            .map(SpanId)
            .find(|it| trace.span(*it).kind == Kind::Runtime);
        assert_eq!(trace.launched_by(call.unwrap()).len(), 2);
    }

    #[test]
    fn rows_of_one_name_are_one_track() {
        let trace = trace("stream 7 AAAA..\nstream 7 ..BBBB");
        assert_eq!(trace.tracks().len(), 1);
        assert_eq!(trace.tracks()[0].lane_count, 2);
    }
}
