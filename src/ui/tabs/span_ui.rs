//! The two columns that say what a span is and where it comes from.

use egui::{RichText, Ui};

use crate::base::text;
use crate::model::Severity;
use crate::ui::marks::severity_mark;
use crate::ui::panel::Cx;
use crate::ui::parts::{
    chip_ui, field_ui, line_ui, link_ui, not_available_ui, small, title, value_ui,
};
use crate::ui::tabs::span_facts::{Known, Launched, SpanFacts};
use crate::view::{Command, ViewCommand};

/// Frames of a stack that are shown unless asked for more.
const FRAMES_SHOWN: usize = 6;

/// Name, sort, times and place.
pub(super) fn span_ui(ui: &mut Ui, cx: &Cx<'_>, facts: &SpanFacts) {
    let theme = cx.theme;
    ui.horizontal_wrapped(|ui| {
        value_ui(ui, title(&facts.short).color(theme.text.primary));
        chip_ui(ui, theme, facts.chip, facts.sort.ink(theme));
    });
    if facts.name != facts.short {
        value_ui(ui, small(&facts.name, theme.text.secondary).monospace());
    }
    ui.add_space(theme.sizes.spacing.xs);
    let mono = |text: &str| RichText::new(text).monospace().color(theme.text.primary);
    field_ui(ui, theme, "Duration", |ui| {
        if let Some(doubt) = facts.doubt {
            doubt_ui(ui, cx, doubt);
        }
        value_ui(ui, mono(&facts.duration));
        if let Some(written) = &facts.as_written {
            value_ui(
                ui,
                mono(&format!("{written} as written")).color(theme.text.muted),
            );
        }
    });
    field_ui(ui, theme, "Begins", |ui| {
        value_ui(ui, mono(&facts.begins));
        if let Some(step) = &facts.step {
            value_ui(ui, mono(step).color(theme.text.muted));
        }
    });
    field_ui(ui, theme, "Ends", |ui| {
        value_ui(ui, mono(&facts.ends));
    });
    field_ui(ui, theme, facts.rank.0, |ui| {
        value_ui(ui, mono(&facts.rank.1));
    });
    if let Some(gpu) = &facts.gpu {
        field_ui(ui, theme, "GPU", |ui| {
            value_ui(ui, mono(gpu));
        });
    }
    field_ui(ui, theme, facts.row.0, |ui| {
        value_ui(ui, mono(&facts.row.1));
    });
    ui.add_space(theme.sizes.spacing.s);
    if ui.button("Copy name").clicked() {
        cx.outbox.push(Command::CopyText(facts.name.clone()));
    }
}

fn doubt_ui(ui: &mut Ui, cx: &Cx<'_>, doubt: &str) {
    ui.horizontal_top(|ui| {
        let (rect, _) = ui.allocate_exact_size(egui::vec2(10.0, 14.0), egui::Sense::hover());
        severity_mark(ui.painter(), rect.center(), Severity::Medium, cx.theme);
        value_ui(ui, small(doubt, cx.theme.text.secondary));
    });
}

/// What the span was caused by, or what it caused.
pub(super) fn origin_ui(ui: &mut Ui, cx: &Cx<'_>, facts: &SpanFacts) {
    let theme = cx.theme;
    let head = if facts.launched.is_some() {
        "What it started, and from where"
    } else {
        "Where it comes from"
    };
    // As high as a title beside a chip or button, so that the columns stand on one line.
    ui.horizontal(|ui| line_ui(ui, title(head)));
    ui.add_space(theme.sizes.spacing.xs);
    if let Some(launch) = &facts.launch {
        field_ui(ui, theme, "Launch", |ui| match launch {
            Ok(launch) => {
                if link_ui(ui, &launch.call.name)
                    .on_hover_text("Go to the launch, [")
                    .clicked()
                {
                    cx.outbox.view(ViewCommand::ToLaunch);
                }
                let line = format!("{}, thread {}", launch.delay, launch.thread);
                value_ui(ui, RichText::new(line).color(theme.text.secondary));
            }
            Err(reason) => not_available_ui(ui, theme, reason),
        });
    }
    if let Some(launched) = &facts.launched {
        field_ui(ui, theme, "Launched", |ui| launched_ui(ui, cx, launched));
    }
    field_ui(ui, theme, "Op", |ui| match &facts.op {
        Ok(op) => {
            if link_ui(ui, &op.name)
                .on_hover_text("Go to the operator")
                .clicked()
            {
                cx.outbox.view(ViewCommand::GoTo(op.at));
            }
        }
        Err(reason) => not_available_ui(ui, theme, reason),
    });
    field_ui(ui, theme, "Stack", |ui| match &facts.stack {
        Ok(frames) => stack_ui(ui, cx, frames),
        Err(reason) => not_available_ui(ui, theme, reason),
    });
}

fn launched_ui(ui: &mut Ui, cx: &Cx<'_>, launched: &Known<(usize, Vec<Launched>)>) {
    let (count, listed) = match launched {
        Ok(found) => found,
        Err(reason) => return not_available_ui(ui, cx.theme, reason),
    };
    let spans = text::plural(*count as u64, "GPU span", "GPU spans");
    value_ui(ui, RichText::new(spans).color(cx.theme.text.primary));
    for it in listed {
        ui.horizontal_wrapped(|ui| {
            if link_ui(ui, &it.work.name)
                .on_hover_text("Go to the GPU span; ] goes to the first")
                .clicked()
            {
                cx.outbox.view(ViewCommand::GoTo(it.work.at));
            }
            value_ui(ui, small(&it.says, cx.theme.text.muted));
        });
    }
    if let Some(more) = count.checked_sub(listed.len()).filter(|it| *it > 0) {
        let line = format!("and {} more", text::grouped(more as u64));
        value_ui(ui, small(line, cx.theme.text.muted));
    }
}

/// The innermost frames; the others once asked for.
fn stack_ui(ui: &mut Ui, cx: &Cx<'_>, frames: &[String]) {
    let id = ui.scope_id().with("whole stack");
    let mut is_whole = ui
        .ctx()
        .data(|it| it.get_temp::<bool>(id))
        .unwrap_or_default();
    let hidden = frames.len().saturating_sub(FRAMES_SHOWN);
    if hidden > 0 {
        let word = if is_whole {
            "Show less".to_owned()
        } else {
            format!("Show {} outer frames", text::grouped(hidden as u64))
        };
        if link_ui(ui, &word).clicked() {
            is_whole = !is_whole;
            ui.ctx().data_mut(|it| it.insert_temp(id, is_whole));
        }
    }
    for frame in frames.iter().skip(if is_whole { 0 } else { hidden }) {
        value_ui(ui, RichText::new(frame).color(cx.theme.text.secondary));
    }
}
