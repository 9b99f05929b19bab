//! The record of a span as its file has it, as a table of keys and values.

use egui::{Label, RichText, Ui};
use egui_extras::{Column, TableBuilder};
use serde_json::Value;

use crate::ui::panel::Cx;
use crate::ui::parts::{cut, line_ui, small, title};
use crate::workspace::Fields;

/// Characters of a value that are shown in its row, and on hover.
const ROW_CHARS: usize = 400;
const HOVER_CHARS: usize = 4000;

/// The record: its arguments, then the keys beside them.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    rows: Vec<Line>,
    arg_count: usize,
}

#[derive(Clone, Debug)]
struct Line {
    key: String,
    value: String,
}

impl Record {
    pub(super) fn of(fields: &Fields) -> Self {
        let line = |(key, value): (&String, &Value)| Line {
            key: key.clone(),
            value: plain(value),
        };
        let args = fields.get("args").and_then(Value::as_object);
        let mut rows: Vec<Line> = args.into_iter().flatten().map(line).collect();
        let arg_count = rows.len();
        rows.extend(
            fields
                .iter()
                .filter(|(key, _)| key.as_str() != "args" || args.is_none())
                .map(line),
        );
        Self { rows, arg_count }
    }

    fn copy_text(&self) -> String {
        let lines: Vec<String> = self
            .rows
            .iter()
            .map(|it| format!("{}\t{}", it.key, it.value))
            .collect();
        lines.join("\n")
    }
}

/// Texts without quotes, all else as compact JSON.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The table under its title.
pub(super) fn record_ui(ui: &mut Ui, cx: &Cx<'_>, record: &Result<Record, String>) {
    let theme = cx.theme;
    ui.horizontal(|ui| {
        line_ui(ui, title("As recorded"));
        if let Ok(record) = record {
            let args = match record.arg_count {
                0 => "no arguments".to_owned(),
                count => crate::base::text::plural(count as u64, "argument", "arguments"),
            };
            line_ui(ui, small(args, theme.text.muted));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                if ui.button("Copy record").clicked() {
                    cx.outbox
                        .push(crate::view::Command::CopyText(record.copy_text()));
                }
            });
        }
    });
    match record {
        Ok(record) => table_ui(ui, cx, record),
        Err(sentence) => {
            ui.add(Label::new(RichText::new(sentence).color(theme.text.secondary)).wrap());
        }
    }
}

fn table_ui(ui: &mut Ui, cx: &Cx<'_>, record: &Record) {
    let theme = cx.theme;
    ui.spacing_mut().item_spacing = egui::vec2(theme.sizes.spacing.l, 0.0);
    let table = TableBuilder::new(ui)
        .id_salt("record")
        .auto_shrink(false)
        .column(Column::exact(150.0).clip(true))
        .column(Column::remainder().clip(true))
        .min_scrolled_height(0.0);
    table.body(|body| {
        body.rows(18.0, record.rows.len(), |mut row| {
            let is_arg = row.index() < record.arg_count;
            let Some(line) = record.rows.get(row.index()) else {
                return;
            };
            let (label, value) = if is_arg {
                (theme.text.secondary, theme.text.primary)
            } else {
                (theme.text.muted, theme.text.secondary)
            };
            row.col(|ui| {
                cell_ui(
                    ui,
                    RichText::new(cut(&line.key, 80)).color(label),
                    &line.key,
                );
            });
            row.col(|ui| {
                cell_ui(
                    ui,
                    RichText::new(cut(&line.value, ROW_CHARS))
                        .monospace()
                        .color(value),
                    &line.value,
                );
            });
        });
    });
}

/// One line that can be marked; what does not fit is told on hover.
fn cell_ui(ui: &mut Ui, text: RichText, whole: &str) {
    let label = Label::new(text)
        .truncate()
        .selectable(true)
        .show_tooltip_when_elided(false);
    let response = ui.add(label);
    if whole.chars().count() > 24 {
        response.on_hover_text(cut(whole, HOVER_CHARS));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_come_first_and_nested_values_stay_compact() {
        let json = r#"{"ph":"X","name":"k","args":{"grid":[20,1,1],"stream":7,"Name":"a \"b\""},"ts":98765000665.252}"#;
        let record = Record::of(&serde_json::from_str(json).unwrap());
        let keys: Vec<&str> = record.rows.iter().map(|it| it.key.as_str()).collect();
        assert_eq!(keys, ["grid", "stream", "Name", "ph", "name", "ts"]);
        assert_eq!(record.rows[0].value, "[20,1,1]");
        assert_eq!(record.rows[2].value, "a \"b\"");
        assert_eq!(record.arg_count, 3);
        assert_eq!(record.rows[5].value, "98765000665.252");
    }

    #[test]
    fn arguments_that_are_no_object_stay_in_the_list() {
        let record = Record::of(&serde_json::from_str(r#"{"ph":"i","args":3}"#).unwrap());
        assert_eq!(record.rows.len(), 2);
        assert_eq!(record.arg_count, 0);
    }
}
