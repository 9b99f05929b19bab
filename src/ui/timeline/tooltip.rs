//! What is under the pointer, in a few lines.

use egui::Ui;

use crate::base::{Dur, text};
use crate::model::{Flags, SpanRef, visible};
use crate::ui::panel::{Cx, OpenRun};
use crate::ui::tabs::{op_name, step};
use crate::view::{Hit, Parts};

/// Characters of a full name in a tooltip.
const NAME_MAX: usize = 400;

pub(super) fn hit_ui(ui: &mut Ui, cx: &Cx<'_>, open: &OpenRun<'_>, hit: &Hit) {
    ui.set_max_width(520.0);
    match hit {
        Hit::Span(at) => span_ui(ui, cx, open, *at),
        Hit::Fold { .. } => {
            ui.label(hit_sentence(open, hit));
            ui.weak("Click to zoom until they part");
        }
        Hit::Band { parts, .. } => {
            for (what, dur) in named(parts) {
                ui.monospace(format!("{:>12}  {what}", text::duration(dur.0)));
            }
        }
        Hit::Counter { .. } => {
            ui.label(hit_sentence(open, hit));
        }
    }
}

fn span_ui(ui: &mut Ui, cx: &Cx<'_>, open: &OpenRun<'_>, at: SpanRef) {
    let run = open.workspace.run();
    let span = run.span(at);
    let name = run.name_of(at);
    ui.strong(visible(run.short_name(name)));
    let range = run.range_of(at);
    let begins =
        step(open.workspace, range.start).unwrap_or_else(|| text::duration_exact(range.start.0));
    let mut line = format!("{} at {begins}", duration_text(open, at));
    if let Some(launch) = span.launch {
        let delay = span.start.since(run.trace(at.trace).span(launch).start);
        let far = text::duration(delay.0.saturating_abs());
        let word = if delay.0 < 0 { "later" } else { "earlier" };
        line = format!("{line} · launched {far} {word}");
    }
    ui.monospace(line);
    ui.label(place(open, at));
    if span.kind.is_work()
        && let Some(op) = op_name(open.workspace, at)
    {
        ui.label(format!("op {}", visible(&op)));
    }
    let full = run.text(name);
    if full != &**run.short_name(name) {
        let cut: String = visible(full).chars().take(NAME_MAX).collect();
        ui.label(egui::RichText::new(cut).small().color(cx.theme.text.muted));
    }
}

fn named(parts: &Parts) -> [(&'static str, Dur); 5] {
    [
        ("compute alone", parts.compute_alone),
        ("overlapped", parts.overlapped),
        ("exposed communication", parts.exposed_communication),
        ("exposed copy", parts.exposed_copy),
        ("idle", parts.idle),
    ]
}

/// What most of the time is.
fn largest(parts: &Parts) -> (&'static str, Dur) {
    let [first, rest @ ..] = named(parts);
    rest.into_iter()
        .fold(first, |most, it| if it.1 > most.1 { it } else { most })
}

/// The duration, with what is wrong with it.
fn duration_text(open: &OpenRun<'_>, at: SpanRef) -> String {
    let span = open.workspace.run().span(at);
    let exact = text::duration_exact(span.dur.0);
    let flags = span.flags;
    if flags.has(Flags::IMPOSSIBLE) {
        let counted = open.workspace.counted_range(at).len();
        let clipped = text::duration_exact(counted.0);
        format!("impossible duration, clipped to {clipped}, {exact} as written")
    } else if flags.has(Flags::NEGATIVE) {
        "negative duration in the file".to_owned()
    } else if flags.has(Flags::NO_DURATION) {
        "no duration in the file".to_owned()
    } else if flags.has(Flags::OPEN) {
        format!("never ended, {exact} to the last time of the file")
    } else {
        exact
    }
}

/// `rank 1, GPU 1, stream 7`.
fn place(open: &OpenRun<'_>, at: SpanRef) -> String {
    let run = open.workspace.run();
    let trace = run.trace(at.trace);
    let key = &trace.track(trace.track_of(at.span)).key;
    let kind = trace.span(at.span).kind;
    let class = if kind.is_work() {
        run.class_of(at).word()
    } else {
        kind.word()
    };
    match key.device {
        Some(device) => format!(
            "{class} on {}, GPU {device}, stream {}",
            run.title(at.trace),
            key.thread
        ),
        None => format!("{class} on {}, thread {}", run.title(at.trace), key.thread),
    }
}

/// The same in one sentence, for the status bar and the screen reader.
pub(super) fn hit_sentence(open: &OpenRun<'_>, hit: &Hit) -> String {
    let run = open.workspace.run();
    match hit {
        Hit::Span(at) => {
            let name = visible(run.short_name(run.name_of(*at))).into_owned();
            format!("{name}, {}, {}", duration_text(open, *at), place(open, *at))
        }
        Hit::Fold {
            longest,
            count,
            range,
            covered,
        } => {
            let name = visible(run.short_name(run.name_of(*longest))).into_owned();
            let share = covered.0 as f64 / (range.len().0 as f64).max(1.0);
            format!(
                "{}, {}, {} % busy, longest {name} {}",
                text::plural(u64::from(*count), "span", "spans"),
                text::duration(range.len().0),
                text::percent(share.min(1.0)),
                text::duration(run.span(*longest).dur.0),
            )
        }
        Hit::Band { parts, range, .. } => {
            let (what, dur) = largest(parts);
            let share = text::percent(dur.0 as f64 / (range.len().0 as f64).max(1.0));
            format!(
                "{share} % {what} at {}",
                text::duration_exact(range.start.0)
            )
        }
        Hit::Counter {
            title,
            time,
            value,
            reserved,
            is_bytes,
        } => {
            let value = counter_text(*value, *is_bytes);
            let at = text::duration_exact(time.0);
            match reserved {
                Some(reserved) => {
                    let reserved = counter_text(*reserved, *is_bytes);
                    format!("{title} {value} allocated, {reserved} reserved at {at}")
                }
                None => format!("{title} {value} at {at}"),
            }
        }
    }
}

fn counter_text(value: f64, is_bytes: bool) -> String {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "bytes in a tooltip"
    )]
    if is_bytes {
        text::bytes(value.max(0.0) as u64)
    } else {
        format!("{value}")
    }
}
