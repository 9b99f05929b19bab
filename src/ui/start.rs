//! The screen without a run: where to drop traces, samples to try, what can be read.

use egui::{
    Align, Layout, Rect, RichText, Role, Sense, Stroke, Ui, UiBuilder, WidgetInfo, pos2, vec2,
};

use crate::ui::drop_target::drop_target_ui;
use crate::ui::panel::{Cx, Sample};
use crate::ui::parts::{elided_ui, key_ui, line_ui, small, title};
use crate::view::Command;

/// Width of the column in the middle.
const COLUMN: f32 = 760.0;
/// Height of a line of what is read.
const READS_ROW: f32 = 15.0;

/// What is read, and the usual endings of it.
const READS: [(&str, &str); 3] = [
    (
        "PyTorch Profiler, Kineto",
        ".json  .json.gz  .pt.trace.json",
    ),
    ("Chrome trace", ".json"),
    ("Packed", ".gz  .zst  .zip  .tar"),
];

/// The whole start screen, in the middle of the room it is given.
pub fn start_ui(ui: &mut Ui, cx: &Cx<'_>) {
    let room = ui.available_rect_before_wrap();
    ui.painter().rect_filled(room, 0.0, cx.theme.surface.canvas);
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .show(ui, |ui| {
            let width = COLUMN
                .min(room.width() - 2.0 * cx.theme.sizes.spacing.xl)
                .max(0.0);
            let left = room.center().x - width / 2.0;
            let top = room.top() + (room.height() * 0.12).clamp(cx.theme.sizes.spacing.xl, 120.0);
            let column = Rect::from_min_max(
                pos2(left, ui.cursor().top() + top - room.top()),
                pos2(left + width, f32::INFINITY),
            );
            ui.scope_builder(UiBuilder::new().max_rect(column), |ui| column_ui(ui, cx));
        });
}

fn column_ui(ui: &mut Ui, cx: &Cx<'_>) {
    let theme = cx.theme;
    ui.set_width(ui.available_width());
    drop_target_ui(ui, cx);
    ui.add_space(theme.sizes.spacing.xl);
    if !cx.samples.is_empty() {
        line_ui(ui, title("Samples"));
        rule_ui(ui, cx);
        for sample in cx.samples {
            sample_ui(ui, cx, sample);
        }
        ui.add_space(theme.sizes.spacing.l);
    }
    line_ui(ui, title("Reads"));
    for (what, endings) in READS {
        reads_ui(ui, cx, what, endings);
    }
    ui.add_space(theme.sizes.spacing.l);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme.sizes.spacing.xl;
        key_ui(ui, theme, "Ctrl O", "open");
        key_ui(ui, theme, "Ctrl Shift O", "open folder");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            elided_ui(ui, small("Nothing leaves this machine", theme.text.muted));
        });
    });
    ui.add_space(theme.sizes.spacing.xl);
}

fn reads_ui(ui: &mut Ui, cx: &Cx<'_>, what: &str, endings: &str) {
    let size = vec2(ui.available_width(), READS_ROW);
    ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
        let left = ui.cursor().left();
        line_ui(ui, RichText::new(what).color(cx.theme.text.secondary));
        ui.add_space((left + 180.0 - ui.cursor().left()).max(0.0));
        line_ui(
            ui,
            RichText::new(endings)
                .monospace()
                .color(cx.theme.text.muted),
        );
    });
}

fn rule_ui(ui: &mut Ui, cx: &Cx<'_>) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 1.0), Sense::hover());
    let stroke = Stroke::new(cx.theme.sizes.stroke.hair, cx.theme.line.separator);
    ui.painter().hline(rect.x_range(), rect.center().y, stroke);
    ui.add_space(-ui.spacing().item_spacing.y);
}

/// One row of the list; a click opens it.
fn sample_ui(ui: &mut Ui, cx: &Cx<'_>, sample: &Sample) {
    let theme = cx.theme;
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 30.0), Sense::click());
    response.widget_info(|| {
        WidgetInfo::labeled(Role::Button, true, format!("Open sample {}", sample.name))
    });
    if response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect, 0.0, theme.surface.header);
    }
    if response.has_focus() {
        let stroke = Stroke::new(theme.sizes.stroke.hair, theme.state.focus);
        ui.painter()
            .rect_stroke(rect, 0.0, stroke, egui::StrokeKind::Inside);
    }
    let line = Stroke::new(theme.sizes.stroke.hair, theme.line.separator);
    ui.painter()
        .hline(rect.x_range(), rect.bottom() - 0.5, line);
    let inner = rect.shrink2(vec2(10.0, 0.0));
    let (name, says) = inner.split_left_right_at_x(inner.left() + (inner.width() * 0.28));
    for (rect, text) in [
        (name, RichText::new(sample.name).color(theme.text.primary)),
        (says, small(sample.says, theme.text.muted)),
    ] {
        let layout = Layout::left_to_right(Align::Center);
        let mut cell = ui.new_child(UiBuilder::new().max_rect(rect).layout(layout));
        elided_ui(&mut cell, text);
    }
    ui.add_space(-ui.spacing().item_spacing.y);
    if response.clicked() {
        cx.outbox.push(Command::OpenSample(sample.name));
    }
}
