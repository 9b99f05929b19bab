//! The start screen: where files are dropped, what is built in, what can be read; and the card of a load
//! that failed.

use egui::{Align, Button, Layout, RichText, Sense, Shape, Stroke, Ui, UiBuilder, pos2, vec2};

use crate::ui::marks::severity_ui;
use crate::ui::panel::Cx;
use crate::view::Command;
use crate::workspace::Failure;

/// Points of the column in the middle.
const WIDTH: f32 = 760.0;
/// Reasons listed on a card.
const REASONS_MAX: usize = 8;

pub(crate) fn start_ui(ui: &mut Ui, cx: &Cx<'_>) {
    let area = ui.available_rect_before_wrap();
    let width = WIDTH.min(area.width() - 40.0);
    let top = area.top() + (area.height() * 0.12).min(115.0);
    let column = egui::Rect::from_min_max(
        pos2(area.center().x - width / 2.0, top),
        pos2(area.center().x + width / 2.0, area.bottom()),
    );
    let mut ui = ui.new_child(
        UiBuilder::new()
            .max_rect(column)
            .layout(Layout::top_down(Align::Min)),
    );
    target_ui(&mut ui, cx, width);
    ui.add_space(22.0);
    if !cx.samples.is_empty() {
        samples_ui(&mut ui, cx);
        ui.add_space(18.0);
    }
    reads_ui(&mut ui, cx);
    ui.add_space(18.0);
    ui.horizontal(|ui| {
        for (keys, what) in [("Ctrl O", "open"), ("Ctrl Shift O", "open folder")] {
            ui.label(
                RichText::new(keys)
                    .monospace()
                    .background_color(cx.theme.surface.raised),
            );
            ui.label(RichText::new(what).small().color(cx.theme.text.muted));
            ui.add_space(8.0);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.label(
                RichText::new("Nothing leaves this machine")
                    .small()
                    .color(cx.theme.text.muted),
            );
        });
    });
}

fn target_ui(ui: &mut Ui, cx: &Cx<'_>, width: f32) {
    let hovering = ui.input(|it| it.raw.hovered_files.len());
    let frame = egui::Frame::new()
        .fill(cx.theme.surface.field)
        .inner_margin(24);
    let inner = frame.show(ui, |ui| {
        ui.set_width(width - 48.0);
        match cx.failure {
            Some(failure) => failure_ui(ui, cx, failure),
            None => invitation_ui(ui, cx, hovering),
        }
    });
    let rect = inner.response.rect;
    let color = if hovering > 0 {
        cx.theme.state.focus
    } else {
        cx.theme.line.border
    };
    let corners = [
        rect.left_top(),
        rect.right_top(),
        rect.right_bottom(),
        rect.left_bottom(),
        rect.left_top(),
    ];
    ui.painter().extend(Shape::dashed_line(
        &corners,
        Stroke::new(1.0, color),
        6.0,
        4.0,
    ));
    inner
        .response
        .on_hover_text("On Wayland files that are dropped do not arrive; Open files… always works");
}

fn invitation_ui(ui: &mut Ui, cx: &Cx<'_>, hovering: usize) {
    ui.vertical_centered(|ui| {
        ui.add_space(16.0);
        emblem_ui(ui, cx);
        ui.add_space(16.0);
        let title = match hovering {
            0 => "Drop traces here".to_owned(),
            1 => "Open this file".to_owned(),
            many => format!("Open {many} files as one run"),
        };
        ui.label(RichText::new(title).size(21.0).color(cx.theme.text.primary));
        ui.label(
            RichText::new("One file, several ranks, or a whole folder").color(cx.theme.text.muted),
        );
        ui.add_space(10.0);
        ui.horizontal(|ui| {
            // Two buttons of known width, centered.
            ui.add_space((ui.available_width() - 204.0).max(0.0) / 2.0);
            if ui
                .add(Button::new("Open files…").min_size(vec2(96.0, 26.0)))
                .clicked()
            {
                cx.outbox.push(Command::AskOpen { folder: false });
            }
            if ui
                .add(Button::new("Open folder…").min_size(vec2(96.0, 26.0)))
                .clicked()
            {
                cx.outbox.push(Command::AskOpen { folder: true });
            }
        });
        ui.add_space(8.0);
    });
}

fn emblem_ui(ui: &mut Ui, cx: &Cx<'_>) {
    let (rect, _) = ui.allocate_exact_size(vec2(182.0, 30.0), Sense::hover());
    let data = &cx.theme.data;
    let bars = [
        (0.0, 32.0, 0.0, data.gemm),
        (36.0, 12.0, 0.0, data.elementwise),
        (52.0, 28.0, 0.0, data.attention),
        (132.0, 50.0, 0.0, data.gemm),
        (20.0, 56.0, 16.0, data.communication),
        (140.0, 28.0, 16.0, data.communication),
    ];
    for (x, width, y, color) in bars {
        let bar = egui::Rect::from_min_size(rect.min + vec2(x, y), vec2(width, 13.0));
        ui.painter().rect_filled(bar, 0.0, color);
    }
}

fn samples_ui(ui: &mut Ui, cx: &Cx<'_>) {
    ui.label(RichText::new("Samples").color(cx.theme.text.primary));
    ui.separator();
    for sample in cx.samples {
        ui.horizontal(|ui| {
            if ui.link(sample.name).clicked() {
                cx.outbox.push(Command::OpenSample(sample.name));
            }
            ui.label(
                RichText::new(sample.says)
                    .small()
                    .color(cx.theme.text.muted),
            );
        });
    }
}

fn reads_ui(ui: &mut Ui, cx: &Cx<'_>) {
    ui.label(RichText::new("Reads").color(cx.theme.text.primary));
    let rows = [
        ("PyTorch Profiler, Kineto", ".json  .pt.trace.json"),
        ("Chrome trace, JAX, rocprof", ".json"),
        ("Packed", ".gz  .zst  .zip  .tar  .tar.gz"),
    ];
    egui::Grid::new("reads")
        .num_columns(2)
        .spacing([60.0, 4.0])
        .show(ui, |ui| {
            for (what, endings) in rows {
                ui.label(RichText::new(what).small().color(cx.theme.text.secondary));
                ui.label(
                    RichText::new(endings)
                        .monospace()
                        .color(cx.theme.text.muted),
                );
                ui.end_row();
            }
        });
}

fn failure_ui(ui: &mut Ui, cx: &Cx<'_>, failure: &Failure) {
    ui.horizontal(|ui| {
        severity_ui(ui, crate::model::Severity::High, cx.theme);
        ui.label(
            RichText::new(format!("{} was not opened", failure.title))
                .size(15.0)
                .color(cx.theme.text.primary),
        );
    });
    ui.add_space(6.0);
    ui.label(&failure.sentence);
    let others = failure
        .absent
        .iter()
        .filter(|it| it.reason != failure.sentence);
    for absent in others.clone().take(REASONS_MAX) {
        ui.label(
            RichText::new(&absent.reason)
                .small()
                .color(cx.theme.text.muted),
        );
    }
    let more = others.count().saturating_sub(REASONS_MAX);
    if more > 0 {
        ui.label(
            RichText::new(format!("and {more} more"))
                .small()
                .color(cx.theme.text.muted),
        );
    }
    for (issue, entry) in failure.ledger.entries() {
        let line = format!(
            "{}, {}",
            crate::ui::top_bar::sentence(issue, entry.count),
            issue.done()
        );
        ui.label(RichText::new(line).small().color(cx.theme.text.muted));
    }
    ui.add_space(10.0);
    ui.horizontal(|ui| {
        if ui.button("Copy report").clicked() {
            let lines: Vec<String> = std::iter::once(failure.sentence.clone())
                .chain(failure.absent.iter().map(|it| it.reason.clone()))
                .collect();
            cx.outbox.push(Command::CopyText(lines.join("\n")));
        }
        if ui.button("Open files…").clicked() {
            cx.outbox.push(Command::AskOpen { folder: false });
        }
        if ui.button("Close").clicked() {
            cx.outbox.push(Command::Dismiss);
        }
    });
}
