//! Which of several runs to open. A card with a row for each: a click opens it, and so do its number
//! and Enter; the arrows walk.

use egui::{Align, WidgetInfo, pos2, vec2};
use egui::{Key, Label, Layout, Modifiers, Rect, RichText, Role, Sense, Stroke, Ui, UiBuilder};

use crate::base::text;
use crate::ui::panel::Cx;
use crate::ui::parts::{elided_ui, line_ui, small, title, value_ui};
use crate::view::Command;
use crate::workspace::Choice;

const ROW: f32 = 40.0;
/// Rows in sight; more scroll.
const ROWS_SHOWN: f32 = 8.0;

/// The question with its answers.
pub(crate) fn choice_card_ui(ui: &mut Ui, cx: &Cx<'_>, choices: &[Choice]) {
    let theme = cx.theme;
    let head = format!("{} runs are here, which one?", choices.len());
    ui.add(Label::new(title(head)).wrap());
    value_ui(
        ui,
        RichText::new("Files of one run have different ranks and were recorded together")
            .color(theme.text.secondary),
    );
    ui.add_space(theme.sizes.spacing.s);
    egui::ScrollArea::vertical()
        .max_height(ROW * ROWS_SHOWN)
        .auto_shrink([false, true])
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for (position, choice) in choices.iter().enumerate() {
                row_ui(ui, cx, position, choice);
            }
        });
    ui.add_space(theme.sizes.spacing.m);
    ui.horizontal(|ui| {
        if ui.button("Close").clicked() {
            cx.outbox.push(Command::Dismiss);
        }
        if ui.button("Open files…").clicked() {
            cx.outbox.push(Command::AskOpen { folder: false });
        }
    });
}

fn row_ui(ui: &mut Ui, cx: &Cx<'_>, position: usize, choice: &Choice) {
    let theme = cx.theme;
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    response.widget_info(|| {
        let label = format!("Open {}, {}", choice.name, facts(choice));
        WidgetInfo::labeled(Role::Button, true, label)
    });
    // Somebody with a keyboard can answer at once.
    if position == 0 && ui.memory(|it| it.focused().is_none()) {
        response.request_focus();
    }
    if response.has_focus() {
        response.scroll_to_me(None);
    }
    paint_row(ui, cx, rect, &response);
    let inner = rect.shrink2(vec2(10.0, 3.0));
    let number = Rect::from_min_size(inner.min, vec2(22.0, inner.height()));
    let texts = Rect::from_min_max(pos2(number.right(), inner.top()), inner.max);
    let (upper, lower) = texts.split_top_bottom_at_fraction(0.5);
    let mono = |text: String| RichText::new(text).monospace().color(theme.text.muted);
    if position < 9 {
        cell_ui(ui, number, Align::Min, mono((position + 1).to_string()));
    }
    let (name, said) = upper.split_left_right_at_fraction(0.4);
    cell_ui(
        ui,
        name,
        Align::Min,
        RichText::new(&choice.name).color(theme.text.primary),
    );
    cell_ui(
        ui,
        said,
        Align::Max,
        small(facts(choice), theme.text.secondary),
    );
    cell_ui(
        ui,
        lower,
        Align::Min,
        small(&choice.place, theme.text.muted),
    );
    if response.clicked() {
        cx.outbox.push(Command::Choose(position));
    }
}

fn paint_row(ui: &Ui, cx: &Cx<'_>, rect: Rect, response: &egui::Response) {
    let theme = cx.theme;
    let painter = ui.painter();
    if response.hovered() || response.has_focus() {
        painter.rect_filled(rect, 0.0, theme.surface.header);
    }
    let hair = theme.sizes.stroke.hair;
    painter.hline(
        rect.x_range(),
        rect.bottom() - 0.5,
        Stroke::new(hair, theme.line.separator),
    );
    if response.has_focus() {
        let stroke = Stroke::new(hair, theme.state.focus);
        painter.rect_stroke(rect, 0.0, stroke, egui::StrokeKind::Inside);
    }
}

fn cell_ui(ui: &mut Ui, rect: Rect, align: Align, text: RichText) {
    let layout = if align == Align::Max {
        Layout::right_to_left(Align::Center)
    } else {
        Layout::left_to_right(Align::Center)
    };
    let mut cell = ui.new_child(UiBuilder::new().max_rect(rect).layout(layout));
    cell.shrink_clip_rect(rect);
    if align == Align::Max {
        line_ui(&mut cell, text);
    } else {
        elided_ui(&mut cell, text);
    }
}

/// `4 ranks · 212.6 MB · 2026-11-21 09:14:07 UTC`.
fn facts(choice: &Choice) -> String {
    let mut parts = vec![match choice.rank_count {
        0 => text::plural(choice.file_count as u64, "file", "files"),
        ranks => text::plural(ranks as u64, "rank", "ranks"),
    }];
    parts.push(text::bytes(choice.bytes));
    parts.extend(choice.recorded_ns.map(text::utc));
    parts.join(" · ")
}

/// Numbers open a run, Esc takes the question away.
pub(crate) fn choice_keys(ui: &Ui, cx: &Cx<'_>, choices: &[Choice]) {
    const NUMBERS: [Key; 9] = [
        Key::Num1,
        Key::Num2,
        Key::Num3,
        Key::Num4,
        Key::Num5,
        Key::Num6,
        Key::Num7,
        Key::Num8,
        Key::Num9,
    ];
    let pressed = |key| ui.input_mut(|it| it.consume_key(Modifiers::NONE, key));
    for (position, key) in NUMBERS.into_iter().enumerate().take(choices.len()) {
        if pressed(key) {
            cx.outbox.push(Command::Choose(position));
        }
    }
    if pressed(Key::Escape) {
        cx.outbox.push(Command::Dismiss);
    }
}
