//! The line at the bottom: what is selected or under the pointer, and the keys that work here.

use egui::{Align, Layout, Ui};

use crate::base::text;
use crate::model::{Flags, Role, SpanRef};
use crate::ui::badge::gpu_spans;
use crate::ui::panel::{Cx, OpenRun};
use crate::ui::parts::{elided_ui, in_sentence, line_ui, small};
use crate::workspace::Workspace;

const KEYS: &str = "W S zoom   A D pan   F fit selection   . , next on lane   ] [ launch";
/// The keys are left out where the sentence would have less than this.
const SENTENCE_MIN: f32 = 320.0;

/// Content of the status bar; `hovered` says what is under the pointer.
pub fn status_bar_ui(ui: &mut Ui, cx: &Cx<'_>, hovered: Option<&str>) {
    let muted = cx.theme.text.muted;
    ui.horizontal_centered(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let width = ui.available_width();
            if cx.open.is_some() && width > SENTENCE_MIN * 2.4 {
                line_ui(ui, small(KEYS, muted));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                elided_ui(ui, small(sentence(cx, hovered), cx.theme.text.secondary));
            });
        });
    });
}

fn sentence(cx: &Cx<'_>, hovered: Option<&str>) -> String {
    if let Some(notice) = cx.notice {
        return notice.to_owned();
    }
    let Some(open) = &cx.open else {
        return format!("Warpline {}", env!("CARGO_PKG_VERSION"));
    };
    match (open.view.selection(), hovered) {
        (Some(at), _) => selected(open.workspace, at),
        (None, Some(hovered)) => hovered.to_owned(),
        (None, None) => at_rest(open),
    }
}

fn at_rest(open: &OpenRun<'_>) -> String {
    let lanes = text::plural(open.view.lanes().len() as u64, "lane", "lanes");
    format!("{lanes} · {}", gpu_spans(open.workspace.run()))
}

/// `Selected nvjet 256x128 on rank 1, stream 7, 412 µs`.
pub(crate) fn selected(workspace: &Workspace, at: SpanRef) -> String {
    let run = workspace.run();
    let span = run.span(at);
    let trace = run.trace(at.trace);
    let track = trace.track(trace.track_of(at.span));
    let row = match track.key.role {
        Role::Work | Role::Annotation => format!("stream {}", track.key.thread),
        Role::Cpu => format!("thread {}", track.key.thread),
        _ => format!("row {}", track.key.thread),
    };
    let name = run.short_name(run.name_of(at));
    let place = in_sentence(&run.title(at.trace));
    let has_duration = !span.flags.has(Flags::NO_DURATION) && !span.flags.has(Flags::NEGATIVE);
    let dur = if span.flags.has(Flags::IMPOSSIBLE) {
        let counted = text::duration(workspace.counted_range(at).len().0);
        format!("impossible duration clipped to {counted}")
    } else if has_duration {
        text::duration(span.dur.0)
    } else {
        "no valid duration".to_owned()
    };
    format!("Selected {name} on {place}, {row}, {dur}")
}
