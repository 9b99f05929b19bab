//! The import ledger: what was read, kept and counted, and all that was wrong.

use egui::{Align, Label, Layout, RichText, Role, ScrollArea, Sense, Ui, WidgetInfo, vec2};
use egui_extras::{Column, TableBuilder};

use crate::base::text;
use crate::model::{Entry, Issue, Run, Severity, Tally, TraceId};
use crate::ui::marks::severity_mark;
use crate::ui::panel::{Cx, OpenRun, Panel};
use crate::ui::parts::{elided_ui, in_sentence, line_ui, not_available_ui, small};
use crate::view::{Command, Tab};

/// The tab.
#[derive(Debug)]
pub(super) struct LedgerTab;

impl Panel for LedgerTab {
    fn tab(&self) -> Tab {
        Tab::Ledger
    }

    fn title(&self) -> &'static str {
        "Import ledger"
    }

    fn ui(&mut self, ui: &mut Ui, cx: &Cx<'_>, open: &OpenRun<'_>) {
        let run = open.workspace.run();
        let rows = rows(run);
        ui.horizontal(|ui| {
            line_ui(
                ui,
                RichText::new(header(run))
                    .monospace()
                    .color(cx.theme.text.primary),
            );
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if ui.button("Copy as text").clicked() {
                    cx.outbox.push(Command::CopyText(as_text(run, &rows)));
                }
            });
        });
        if rows.is_empty() {
            let text = "Nothing was wrong with the files of this run";
            ui.add(Label::new(RichText::new(text).color(cx.theme.text.secondary)).wrap());
            return;
        }
        ScrollArea::horizontal()
            .auto_shrink(false)
            .show(ui, |ui| table_ui(ui, cx, &rows));
    }
}

/// A line of the table.
struct Row {
    severity: Severity,
    kind: String,
    count: String,
    says: String,
    place: Result<String, &'static str>,
    done: String,
}

/// `20 481 read = 20 477 kept + 4 counted`.
pub(crate) fn header(run: &Run) -> String {
    let mut all = Tally::default();
    for member in run.members() {
        all.add(member.trace.tally());
    }
    let [read, kept, counted] = [all.read, all.kept(), all.counted].map(text::grouped);
    let line = format!("{read} read = {kept} kept + {counted} counted");
    match all.partial {
        0 => line,
        partial => format!(
            "{line}, beside {} in part",
            text::plural(partial, "event", "events")
        ),
    }
}

fn rows(run: &Run) -> Vec<Row> {
    let mut entries: Vec<(Issue, Entry)> = run.ledger().entries().collect();
    entries.sort_by_key(|(issue, _)| std::cmp::Reverse(issue.severity()));
    let entries = entries.into_iter().map(|(issue, entry)| Row {
        severity: issue.severity(),
        kind: issue.word().to_owned(),
        count: text::grouped(entry.count),
        says: issue.says(entry.count).to_owned(),
        place: entry
            .first_at
            .map(|at| place(run, issue, at))
            .ok_or("it has no place in the text"),
        done: issue.done().to_owned(),
    });
    let absent = run.absent().iter().map(|it| Row {
        severity: if it.is_ignored {
            Severity::Note
        } else {
            Severity::High
        },
        kind: if it.is_ignored {
            "ignored"
        } else {
            "not loaded"
        }
        .to_owned(),
        count: "1".to_owned(),
        says: it.file.clone(),
        place: Err("the file as a whole"),
        done: it.reason.clone(),
    });
    entries.chain(absent).collect()
}

/// `byte 88 214 502`, with the trace where there are several.
fn place(run: &Run, issue: Issue, at: u64) -> String {
    let byte = format!("byte {}", text::grouped(at));
    let has_it = |id: &TraceId| {
        run.trace(*id)
            .ledger()
            .entries()
            .any(|(it, entry)| it == issue && entry.first_at == Some(at))
    };
    match run.trace_ids().find(has_it) {
        Some(id) if run.members().len() > 1 => format!("{} {byte}", in_sentence(&run.title(id))),
        _ => byte,
    }
}

fn as_text(run: &Run, rows: &[Row]) -> String {
    let mut lines = vec![
        header(run),
        [
            "severity",
            "kind",
            "count",
            "what",
            "first place",
            "what was done",
        ]
        .join("\t"),
    ];
    lines.extend(rows.iter().map(|it| {
        let place = it.place.as_deref().unwrap_or(text::NOT_AVAILABLE);
        [
            it.severity.word(),
            &it.kind,
            &it.count,
            &it.says,
            place,
            &it.done,
        ]
        .join("\t")
    }));
    lines.join("\n")
}

fn table_ui(ui: &mut Ui, cx: &Cx<'_>, rows: &[Row]) {
    let sizes = &cx.theme.sizes.spacing;
    ui.spacing_mut().item_spacing = vec2(0.0, 0.0);
    let column = |width: f32| Column::exact(width).clip(true);
    let table = TableBuilder::new(ui)
        .id_salt("ledger")
        .auto_shrink(false)
        .min_scrolled_height(0.0)
        .cell_layout(Layout::left_to_right(Align::Center))
        .column(column(190.0))
        .column(column(100.0))
        .column(column(330.0))
        .column(column(210.0))
        .column(Column::remainder().at_least(200.0).clip(true));
    let table = table.header(sizes.table_header, |mut row| {
        for (number, word) in ["Kind", "Count", "What", "First place", "What was done"]
            .into_iter()
            .enumerate()
        {
            row.col(|ui| {
                cell_ui(ui, cx, number == 1, |ui| {
                    drop(elided_ui(ui, small(word, cx.theme.text.muted)));
                });
            });
        }
    });
    table.body(|body| {
        body.rows(sizes.table_row, rows.len(), |mut row| {
            let Some(it) = rows.get(row.index()) else {
                return;
            };
            row.set_overline(true);
            let count = RichText::new(&it.count)
                .monospace()
                .color(cx.theme.text.primary);
            let says = RichText::new(&it.says).color(cx.theme.text.primary);
            let done = RichText::new(&it.done).color(cx.theme.text.secondary);
            row.col(|ui| cell_ui(ui, cx, false, |ui| kind_ui(ui, cx, it)));
            row.col(|ui| cell_ui(ui, cx, true, |ui| drop(line_ui(ui, count))));
            row.col(|ui| cell_ui(ui, cx, false, |ui| drop(elided_ui(ui, says))));
            row.col(|ui| cell_ui(ui, cx, false, |ui| place_ui(ui, cx, it)));
            row.col(|ui| cell_ui(ui, cx, false, |ui| drop(elided_ui(ui, done))));
        });
    });
}

/// A cell with room at its right; figures stand there.
fn cell_ui(ui: &mut Ui, cx: &Cx<'_>, is_figure: bool, content_ui: impl FnOnce(&mut Ui)) {
    let layout = if is_figure {
        Layout::right_to_left(Align::Center)
    } else {
        Layout::left_to_right(Align::Center)
    };
    let mut rect = ui.available_rect_before_wrap();
    rect.set_right((rect.right() - cx.theme.sizes.spacing.l).max(rect.left()));
    content_ui(&mut ui.new_child(egui::UiBuilder::new().max_rect(rect).layout(layout)));
}

fn place_ui(ui: &mut Ui, cx: &Cx<'_>, row: &Row) {
    match &row.place {
        Ok(place) => drop(elided_ui(
            ui,
            RichText::new(place)
                .monospace()
                .color(cx.theme.text.secondary),
        )),
        Err(reason) => not_available_ui(ui, cx.theme, reason),
    }
}

fn kind_ui(ui: &mut Ui, cx: &Cx<'_>, row: &Row) {
    ui.spacing_mut().item_spacing.x = cx.theme.sizes.spacing.s;
    let (rect, response) = ui.allocate_exact_size(vec2(12.0, 12.0), Sense::hover());
    severity_mark(ui.painter(), rect.center(), row.severity, cx.theme);
    response.widget_info(|| {
        WidgetInfo::labeled(
            Role::Label,
            true,
            format!("Severity {}", row.severity.word()),
        )
    });
    response.on_hover_text(row.severity.word());
    elided_ui(
        ui,
        RichText::new(&row.kind)
            .monospace()
            .color(cx.theme.text.secondary),
    );
}
