//! Pieces that several panels are made of: texts by level, a row of label and value, a key cap, a
//! chip, a button with a key.

use egui::text::{LayoutJob, TextFormat};
use egui::{
    Button, Color32, Label, Response, RichText, Role, Sense, Stroke, TextStyle, Ui, WidgetInfo,
    vec2,
};

use crate::ui::style::TITLE;
use crate::ui::theme::Theme;

pub(crate) fn title(text: impl Into<String>) -> RichText {
    RichText::new(text).text_style(TextStyle::Name(TITLE.into()))
}

pub(crate) fn small(text: impl Into<String>, ink: Color32) -> RichText {
    RichText::new(text).text_style(TextStyle::Small).color(ink)
}

/// A label that does not break and tells what was cut off on hover.
pub(crate) fn elided_ui(ui: &mut Ui, text: RichText) -> Response {
    ui.add(Label::new(text).truncate().selectable(false))
}

/// A line that stays on one line however little room there is.
pub(crate) fn line_ui(ui: &mut Ui, text: RichText) -> Response {
    ui.add(Label::new(text).extend().selectable(false))
}

/// `label` muted in a column of its own, then what `value_ui` shows.
pub(crate) fn field_ui(ui: &mut Ui, theme: &Theme, label: &str, value_ui: impl FnOnce(&mut Ui)) {
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        let left = ui.cursor().left();
        line_ui(ui, RichText::new(label).color(theme.text.muted));
        ui.add_space((left + FIELD_LABEL_WIDTH - ui.cursor().left()).max(0.0));
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing = vec2(theme.sizes.spacing.m, theme.sizes.spacing.xs);
            value_ui(ui);
        });
    });
}

/// Width of the labels of [`field_ui`].
pub(crate) const FIELD_LABEL_WIDTH: f32 = 92.0;

/// A value that can be marked and copied.
pub(crate) fn value_ui(ui: &mut Ui, text: RichText) -> Response {
    ui.add(Label::new(text).wrap().selectable(true))
}

/// `–`, with the reason on hover.
pub(crate) fn not_available_ui(ui: &mut Ui, theme: &Theme, reason: &str) {
    let text = RichText::new(crate::base::text::NOT_AVAILABLE)
        .monospace()
        .color(theme.text.muted);
    let response = ui
        .add(Label::new(text).sense(Sense::hover()))
        .on_hover_text(reason);
    response
        .widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("Not available, {reason}")));
}

/// A key as it stands on a keyboard, then what it does.
pub(crate) fn key_ui(ui: &mut Ui, theme: &Theme, key: &str, does: &str) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let frame = egui::Frame::new()
            .stroke(Stroke::new(theme.sizes.stroke.hair, theme.line.border))
            .corner_radius(theme.sizes.spacing.s)
            .inner_margin(egui::Margin::symmetric(4, 1));
        frame.show(ui, |ui| {
            line_ui(
                ui,
                RichText::new(key)
                    .monospace()
                    .size(theme.sizes.text.tiny + 0.5)
                    .color(theme.text.secondary),
            )
        });
        line_ui(ui, small(does, theme.text.muted));
    });
}

/// A small framed word in its own ink.
pub(crate) fn chip_ui(ui: &mut Ui, theme: &Theme, word: &str, ink: Color32) {
    let frame = egui::Frame::new()
        .stroke(Stroke::new(theme.sizes.stroke.hair, ink))
        .corner_radius(theme.sizes.spacing.s)
        .inner_margin(egui::Margin::symmetric(6, 1));
    frame.show(ui, |ui| {
        ui.spacing_mut().item_spacing.x = 5.0;
        let (rect, _) = ui.allocate_exact_size(vec2(8.0, 8.0), Sense::hover());
        ui.painter().rect_filled(rect, 1.0, ink);
        line_ui(ui, small(word, theme.text.primary));
    });
}

/// A button that shows the key beside its word.
pub(crate) fn button_with_key_ui(ui: &mut Ui, theme: &Theme, word: &str, key: &str) -> Response {
    let mut job = LayoutJob::default();
    let style = ui.style();
    let format = |text_style: TextStyle, ink| TextFormat::simple(text_style.resolve(style), ink);
    job.append(word, 0.0, format(TextStyle::Button, theme.text.primary));
    job.append(
        key,
        theme.sizes.spacing.m,
        format(TextStyle::Small, theme.text.muted),
    );
    let response = ui.add(Button::new(job));
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, word));
    response
}

/// A click on words that leads elsewhere.
pub(crate) fn link_ui(ui: &mut Ui, text: &str) -> Response {
    ui.add(egui::Link::new(text))
}

/// `text`, cut after `most` characters.
pub(crate) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// An error as a sentence: its first letter large, unless it begins with a name or path.
pub(crate) fn sentence(error: &str) -> String {
    let first = error.split_whitespace().next().unwrap_or_default();
    let is_word = first
        .trim_end_matches(',')
        .chars()
        .all(|it| it.is_ascii_lowercase());
    match error.chars().next() {
        Some(letter) if is_word => format!(
            "{}{}",
            letter.to_ascii_uppercase(),
            &error[letter.len_utf8()..]
        ),
        _ => error.to_owned(),
    }
}

/// `rank 3` of `Rank 3`, for the middle of a sentence; names of files stay.
pub(crate) fn in_sentence(title: &str) -> String {
    title
        .strip_prefix("Rank ")
        .map_or_else(|| title.to_owned(), |it| format!("rank {it}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_become_sentences_but_names_stay() {
        assert_eq!(sentence("no such file: /a"), "No such file: /a");
        assert_eq!(
            sentence("rank0.json and rank1.json carry no rank"),
            "rank0.json and rank1.json carry no rank"
        );
        assert_eq!(sentence("4 runs are here"), "4 runs are here");
        assert_eq!(sentence(""), "");
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(cut("矩阵乘法", 2), "矩阵…");
        assert_eq!(cut("gemm", 4), "gemm");
        assert_eq!(in_sentence("Rank 3"), "rank 3");
        assert_eq!(in_sentence("Ranking.json"), "Ranking.json");
    }
}
