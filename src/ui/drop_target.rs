//! Where traces are dropped, and where the report or the question stands if they could not be opened.

use egui::{Align, Layout, Rect, RichText, Sense, Stroke, TextStyle, Ui, UiBuilder, vec2};

use crate::base::text;
use crate::ui::choice_card::choice_card_ui;
use crate::ui::failure_card::failure_card_ui;
use crate::ui::marks::{dashed_edge, emblem};
use crate::ui::panel::Cx;
use crate::ui::parts::line_ui;
use crate::view::Command;

const HEIGHT: f32 = 240.0;
const PATH_WIDTH: f32 = 360.0;
const WAYLAND: &str = "On Wayland drops do not arrive; Open files… and Ctrl O always work";

/// The target with what it holds.
pub(crate) fn drop_target_ui(ui: &mut Ui, cx: &Cx<'_>) {
    let theme = cx.theme;
    let hovering = ui.ctx().input(|it| it.raw.hovered_files.len());
    let top = ui.cursor().min;
    let width = ui.available_width();
    let back = ui.painter().add(egui::Shape::Noop);
    let inner = Rect::from_min_size(top, vec2(width, HEIGHT)).shrink(24.0);
    let is_card = cx.failure.is_some() || cx.choices.is_some();
    let layout = Layout::top_down(if is_card { Align::Min } else { Align::Center });
    let used = ui.scope_builder(
        UiBuilder::new().max_rect(inner).layout(layout),
        |ui| match (cx.choices, cx.failure, hovering) {
            (Some(choices), _, 0) => choice_card_ui(ui, cx, choices),
            (_, Some(failure), 0) => failure_card_ui(ui, cx, failure),
            _ => invitation_ui(ui, cx, hovering),
        },
    );
    let height = (used.response.rect.height() + 48.0).max(HEIGHT);
    let rect = Rect::from_min_size(top, vec2(width, height));
    let fill =
        egui::epaint::RectShape::filled(rect, theme.sizes.spacing.radius, theme.surface.field);
    ui.painter().set(back, fill);
    let edge = if hovering > 0 {
        Stroke::new(2.0, theme.state.focus)
    } else {
        Stroke::new(1.0, theme.line.border)
    };
    dashed_edge(ui.painter(), rect, edge);
    ui.advance_cursor_after_rect(rect);
}

fn invitation_ui(ui: &mut Ui, cx: &Cx<'_>, hovering: usize) {
    let theme = cx.theme;
    ui.add_space(18.0);
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width().min(420.0), 36.0), Sense::hover());
    emblem(ui.painter(), rect.center(), theme);
    response.on_hover_text(WAYLAND);
    ui.add_space(14.0);
    let size = TextStyle::Heading.resolve(ui.style()).size * 1.33;
    let head = if hovering == 0 {
        "Drop traces here".to_owned()
    } else {
        would_open(hovering)
    };
    line_ui(ui, RichText::new(head).size(size).color(theme.text.primary)).on_hover_text(WAYLAND);
    line_ui(
        ui,
        RichText::new("One file, several ranks, or a whole folder").color(theme.text.muted),
    )
    .on_hover_text(WAYLAND);
    ui.add_space(theme.sizes.spacing.m);
    buttons_ui(ui, cx);
    ui.add_space(theme.sizes.spacing.s);
    path_ui(ui, cx);
}

/// A path by keyboard: where the system has no file dialog this always works.
fn path_ui(ui: &mut Ui, cx: &Cx<'_>) {
    let id = egui::Id::unique("path to open");
    let mut path: String = ui.data(|it| it.get_temp(id)).unwrap_or_default();
    let hint = RichText::new("or type a path and press Enter").color(cx.theme.text.disabled);
    let field = egui::TextEdit::singleline(&mut path)
        .hint_text(hint)
        .desired_width(PATH_WIDTH.min(ui.available_width()));
    let response = ui.add(field);
    let label = || egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Path to open");
    response.widget_info(label);
    let entered = response.lost_focus() && ui.input(|it| it.key_pressed(egui::Key::Enter));
    if entered && !path.trim().is_empty() {
        let path = std::path::PathBuf::from(path.trim());
        cx.outbox.push(Command::Open(vec![path]));
    }
    ui.data_mut(|it| it.insert_temp(id, path));
}

fn would_open(count: usize) -> String {
    match count {
        1 => "Open 1 file as a run".to_owned(),
        _ => format!("Open {} files as one run", text::grouped(count as u64)),
    }
}

fn buttons_ui(ui: &mut Ui, cx: &Cx<'_>) {
    // A row centers itself only if its width is known; both words are, so it is taken from them.
    let words = ["Open files…", "Open folder…"];
    let font = TextStyle::Button.resolve(ui.style());
    let padding = 2.0 * ui.spacing().button_padding.x;
    let width = |word: &str| {
        ui.painter()
            .layout_no_wrap(word.to_owned(), font.clone(), cx.theme.text.primary)
            .size()
            .x
            + padding
    };
    let total = words.map(width).iter().sum::<f32>() + ui.spacing().item_spacing.x;
    ui.allocate_ui(vec2(total, cx.theme.sizes.spacing.button_height), |ui| {
        ui.horizontal(|ui| {
            for (word, folder) in words.into_iter().zip([false, true]) {
                if ui.button(word).clicked() {
                    cx.outbox.push(Command::AskOpen { folder });
                }
            }
        });
    });
}
