//! What Details says of a span, in words. Worked out once per selection.

use egui::Color32;

use crate::base::{Dur, Time, text};
use crate::model::{Class, Flags, Kind, Role, Run, Span, SpanRef, visible};
use crate::ui::theme::Theme;
use crate::workspace::Workspace;

/// Launched spans that are listed: a graph launches hundreds.
const LAUNCHED_SHOWN: usize = 100;

/// A value, or why there is none.
pub(super) type Known<T> = Result<T, &'static str>;

/// A span that a fact leads to, by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) at: SpanRef,
    pub(super) name: String,
}

/// Work that a call launched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Launched {
    pub(super) work: Named,
    /// `21.4 µs after, stream 7, 3.28 ms`.
    pub(super) says: String,
}

/// The call that launched work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Launch {
    pub(super) call: Named,
    pub(super) thread: String,
    /// `launched 2.800 ms earlier`.
    pub(super) delay: String,
}

/// Everything that is told of a span but its record.
#[derive(Clone, Debug)]
pub(super) struct SpanFacts {
    pub(super) short: String,
    /// As written, control characters shown.
    pub(super) name: String,
    pub(super) chip: &'static str,
    pub(super) sort: Sort,
    /// As it counts.
    pub(super) duration: String,
    /// As the file has it, where that is not what counts.
    pub(super) as_written: Option<String>,
    /// What is wrong with the duration.
    pub(super) doubt: Option<&'static str>,
    pub(super) begins: String,
    pub(super) step: Option<String>,
    pub(super) ends: String,
    /// `Rank` and `3`; without a rank `File` and its name.
    pub(super) rank: (&'static str, String),
    pub(super) gpu: Option<String>,
    /// `Stream` and `7`, `Thread` and `41207`.
    pub(super) row: (&'static str, String),
    pub(super) op: Known<Named>,
    /// Python frames, outermost first.
    pub(super) stack: Known<Vec<String>>,
    /// Work only.
    pub(super) launch: Option<Known<Launch>>,
    /// Calls only: how many, and the first.
    pub(super) launched: Option<Known<(usize, Vec<Launched>)>>,
}

/// What decides the color of a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Work(Class),
    Other(Kind),
}

impl Sort {
    pub(super) fn ink(self, theme: &Theme) -> Color32 {
        match self {
            Self::Work(Class::Gemm) => theme.data.gemm,
            Self::Work(Class::Attention) => theme.data.attention,
            Self::Work(Class::Elementwise) => theme.data.elementwise,
            Self::Work(Class::Other) => theme.data.other,
            Self::Work(Class::Communication) => theme.data.communication,
            Self::Work(Class::Copy) => theme.data.copy,
            Self::Work(Class::Memset) => theme.data.memset,
            Self::Other(Kind::CpuOp) => theme.cpu.op,
            Self::Other(Kind::Runtime | Kind::Driver) => theme.cpu.runtime,
            Self::Other(Kind::Python) => theme.cpu.python,
            Self::Other(_) => theme.cpu.annotation,
        }
    }
}

impl SpanFacts {
    pub(super) fn of(workspace: &Workspace, at: SpanRef) -> Self {
        let run = workspace.run();
        let (trace, span) = (run.trace(at.trace), run.span(at));
        let track = trace.track(trace.track_of(at.span));
        let range = workspace.counted_range(at);
        let is_work = span.kind.is_work();
        let sort = if is_work {
            Sort::Work(run.class_of(at))
        } else {
            Sort::Other(span.kind)
        };
        let around = around(workspace, at);
        Self {
            short: run.short_name(run.name_of(at)).to_string(),
            name: visible(run.text(run.name_of(at))).into_owned(),
            chip: chip(sort),
            sort,
            duration: duration(span, range.len()),
            as_written: (range.len() != span.dur).then(|| text::duration_exact(span.dur.0)),
            doubt: doubt(span),
            begins: instant(range.start),
            step: step(workspace, range.start),
            ends: instant(range.end),
            rank: rank(run, at),
            gpu: track.key.device.map(|it| it.to_string()),
            row: (row_word(track.key.role), track.key.thread.to_string()),
            op: op(run, around.as_deref()),
            stack: stack(run, around.as_deref()),
            launch: is_work.then(|| launch(run, at, span)),
            launched: span.kind.is_call().then(|| launched(run, at)),
        }
    }
}

fn rank(run: &Run, at: SpanRef) -> (&'static str, String) {
    let member = run.member(at.trace);
    match member.rank {
        Some(rank) => ("Rank", rank.0.to_string()),
        None => ("File", member.file.clone()),
    }
}

fn chip(sort: Sort) -> &'static str {
    match sort {
        Sort::Work(Class::Gemm) => "GEMM",
        Sort::Work(Class::Other) => "other compute",
        Sort::Work(class) => class.word(),
        Sort::Other(kind) => kind.word(),
    }
}

fn row_word(role: Role) -> &'static str {
    match role {
        Role::Work | Role::Annotation => "Stream",
        Role::Cpu => "Thread",
        _ => "Row",
    }
}

fn duration(span: Span, counted: Dur) -> String {
    if span.flags.has(Flags::NO_DURATION) || span.flags.has(Flags::NEGATIVE) {
        return text::NOT_AVAILABLE.to_owned();
    }
    text::duration_exact(counted.0)
}

fn doubt(span: Span) -> Option<&'static str> {
    let doubts = [
        (
            Flags::IMPOSSIBLE,
            "Impossible duration, later work of its stream starts and ends inside; clipped at the next start",
        ),
        (
            Flags::NEGATIVE,
            "the file gives a negative duration; drawn as a mark, adds nothing to busy time",
        ),
        (
            Flags::NO_DURATION,
            "the file gives no duration; drawn as a mark, adds nothing to busy time",
        ),
        (
            Flags::OPEN,
            "never ended in the file; drawn to its last time",
        ),
    ];
    doubts
        .into_iter()
        .find(|it| span.flags.has(it.0))
        .map(|it| it.1)
}

/// A time of the run with all its digits: `1 234.567 890 ms`.
fn instant(time: Time) -> String {
    let ns = time.0.unsigned_abs();
    let (ms, rest) = (ns / 1_000_000, ns % 1_000_000);
    let sign = if time.0 < 0 { "-" } else { "" };
    format!(
        "{sign}{}.{:03} {:03} ms",
        text::grouped(ms),
        rest / 1_000,
        rest % 1_000
    )
}

/// `step 13 + 2.000 ms`.
pub(crate) fn step(workspace: &Workspace, time: Time) -> Option<String> {
    let step = workspace
        .steps()
        .iter()
        .find(|it| it.range.contains(time))?;
    Some(format!(
        "step {} + {}",
        step.number,
        text::duration_exact(time.since(step.range.start).0)
    ))
}

/// What happened on the host around a span: around the launch of work, else around the span itself.
fn around(workspace: &Workspace, at: SpanRef) -> Option<Vec<SpanRef>> {
    let span = workspace.run().span(at);
    let host = if span.kind.is_work() {
        span.launch?
    } else {
        at.span
    };
    let host = SpanRef {
        trace: at.trace,
        span: host,
    };
    Some(workspace.enclosing(host))
}

/// The operator that launched work.
pub(crate) fn op_name(workspace: &Workspace, at: SpanRef) -> Option<String> {
    let around = around(workspace, at)?;
    op(workspace.run(), Some(&around)).ok().map(|it| it.name)
}

fn named(run: &Run, at: SpanRef) -> Named {
    Named {
        at,
        name: run.short_name(run.name_of(at)).to_string(),
    }
}

fn op(run: &Run, around: Option<&[SpanRef]>) -> Known<Named> {
    let around = around.ok_or("the launch of this span is not in the file")?;
    let innermost = around
        .iter()
        .rev()
        .find(|it| run.span(**it).kind == Kind::CpuOp);
    innermost
        .map(|it| named(run, *it))
        .ok_or("no operator encloses it on its thread")
}

fn stack(run: &Run, around: Option<&[SpanRef]>) -> Known<Vec<String>> {
    let around = around.ok_or("the launch of this span is not in the file")?;
    let frames = around
        .iter()
        .filter(|it| run.span(**it).kind == Kind::Python);
    let names: Vec<String> = frames
        .map(|it| visible(run.text(run.name_of(*it))).into_owned())
        .collect();
    if names.is_empty() {
        Err("no Python frames were recorded here; the profiler writes them with with_stack=True")
    } else {
        Ok(names)
    }
}

fn launch(run: &Run, at: SpanRef, span: Span) -> Known<Launch> {
    let launch = span
        .launch
        .ok_or("the file has no call with the correlation id of this span")?;
    let trace = run.trace(at.trace);
    let call = SpanRef {
        trace: at.trace,
        span: launch,
    };
    let delay = span.start.since(trace.span(launch).start).0;
    let delay = if delay < 0 {
        format!(
            "launched {} later",
            text::duration_exact(delay.saturating_neg())
        )
    } else {
        format!("launched {} earlier", text::duration_exact(delay))
    };
    let thread = trace.track(trace.track_of(launch)).key.thread.to_string();
    Ok(Launch {
        call: named(run, call),
        thread,
        delay,
    })
}

fn launched(run: &Run, at: SpanRef) -> Known<(usize, Vec<Launched>)> {
    let trace = run.trace(at.trace);
    let spans = trace.launched_by(at.span);
    if spans.is_empty() {
        return Err("no GPU span in the file carries the correlation id of this call");
    }
    let call = trace.span(at.span).start;
    let first = spans.iter().take(LAUNCHED_SHOWN).map(|it| {
        let (span, key) = (trace.span(*it), &trace.track(trace.track_of(*it)).key);
        let delay = span.start.since(call).0;
        let order = if delay < 0 { "before" } else { "after" };
        Launched {
            work: named(
                run,
                SpanRef {
                    trace: at.trace,
                    span: *it,
                },
            ),
            says: format!(
                "{} {order}, stream {}, {}",
                text::duration(delay.saturating_abs()),
                key.thread,
                text::duration(span.dur.0)
            ),
        }
    });
    Ok((spans.len(), first.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_keeps_its_nanoseconds() {
        assert_eq!(instant(Time(1_234_567_890)), "1 234.567 890 ms");
        assert_eq!(instant(Time(-5)), "-0.000 005 ms");
        assert_eq!(instant(Time(0)), "0.000 000 ms");
    }

    fn named(workspace: &Workspace, name: &str) -> SpanRef {
        let run = workspace.run();
        let trace = run.trace_ids().next().unwrap();
        let ids = (0..run.trace(trace).spans().len()).map(crate::model::SpanId::from_index);
        ids.map(|span| SpanRef { trace, span })
            .find(|it| run.text(run.name_of(*it)) == name)
            .unwrap()
    }

    #[test]
    fn a_graph_lists_its_first_kernels_and_says_how_many_there_are() {
        let workspace = Workspace::drawn(&format!("thread 1 Og\nstream 7 ..{}", "G.".repeat(150)));
        let facts = SpanFacts::of(&workspace, named(&workspace, "cudaLaunchKernel"));
        let (count, listed) = facts.launched.unwrap().unwrap();
        assert_eq!((count, listed.len()), (150, LAUNCHED_SHOWN));
        assert_eq!(listed[0].says, "1 µs after, stream 7, 1 µs");
        assert_eq!(listed[1].work.name, "G");
        let second = SpanFacts::of(&workspace, listed[1].work.at);
        assert_eq!(second.begins, "0.004 000 ms");
    }

    #[test]
    fn an_impossible_duration_is_given_as_it_counts_and_as_it_is_written() {
        let path = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join("tests/cases/d04_impossible_duration.json");
        let loaded = crate::workspace::load(&[path], &crate::base::Job::default()).unwrap();
        let workspace = Workspace::new(loaded, 1);
        let facts = SpanFacts::of(&workspace, named(&workspace, "elementwise_mul"));
        assert!(facts.doubt.unwrap().starts_with("Impossible duration"));
        assert_eq!(facts.duration, "40.000 µs");
        assert_eq!(facts.as_written.unwrap(), "3.400 s");
        assert_eq!(facts.ends, "0.100 000 ms");
        assert_eq!(facts.rank.0, "File");
    }
}
