//! The strip of a load that runs: stage, bytes, rate, what was kept, time left, cancel.

use egui::{Align, Button, Layout, ProgressBar, RichText, Ui};

use crate::base::{Stage, text};
use crate::ui::panel::Cx;
use crate::view::Command;
use crate::workspace::Progress;

pub(crate) fn loading_strip_ui(ui: &mut Ui, cx: &Cx<'_>, progress: &Progress) {
    let muted = |it: String| {
        RichText::new(it)
            .size(cx.theme.sizes.text.small)
            .color(cx.theme.text.muted)
    };
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        ui.vertical(|ui| {
            ui.set_width(300.0);
            ui.label(format!("{} · {}", progress.stage.title(), progress.title));
            let stage = format!("stage {} of {}", progress.stage.number(), Stage::ALL.len());
            ui.label(muted(format!(
                "{stage}: find files, read spans, align clocks, build the index"
            )));
        });
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui.add(Button::new("Cancel").shortcut_text("Esc")).clicked() {
                cx.outbox.push(Command::Cancel);
            }
            ui.label(RichText::new(format!("{} %", text::percent(progress.share()))).monospace());
            ui.vertical(|ui| {
                #[expect(clippy::cast_possible_truncation, reason = "a share of 1")]
                let share = progress.share() as f32;
                let bar = ProgressBar::new(share)
                    .desired_height(6.0)
                    .fill(cx.theme.text.secondary);
                ui.add_space(5.0);
                ui.add(bar);
                ui.label(muted(figures(progress)));
            });
        });
    });
    ui.add_space(6.0);
}

fn figures(progress: &Progress) -> String {
    let mut parts = vec![format!(
        "{} of {}",
        text::bytes(progress.done_bytes),
        text::bytes(progress.total_bytes)
    )];
    parts.extend(progress.rate().map(text::rate));
    let counted = if progress.issue_count > 0 {
        format!(
            ", {} counted as issues",
            text::grouped(progress.issue_count)
        )
    } else {
        String::new()
    };
    parts.push(format!(
        "{} kept{counted}",
        text::plural(progress.span_count, "span", "spans")
    ));
    parts.extend(progress.left_s().map(|it| format!("about {it:.0} s left")));
    parts.join("   ")
}
