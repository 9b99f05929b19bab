//! What importing saw: `read = kept + counted`, each kind of issue with its count, first place and what
//! was done, and the files that are not in the run.

use egui::{RichText, Ui};
use egui_extras::{Column, TableBuilder};

use crate::base::text;
use crate::model::{Run, Tally};
use crate::ui::marks::severity_ui;
use crate::ui::panel::{Cx, OpenRun, Panel};
use crate::ui::top_bar::sentence;
use crate::view::{Command, Tab};

/// The tab.
pub(crate) struct LedgerTab;

impl Panel for LedgerTab {
    fn tab(&self) -> Tab {
        Tab::Ledger
    }

    fn title(&self) -> &'static str {
        "Import ledger"
    }

    fn ui(&mut self, ui: &mut Ui, cx: &Cx<'_>, open: &OpenRun<'_>) {
        let run = open.workspace.run();
        ui.horizontal(|ui| {
            ui.label(RichText::new(balance(run)).monospace());
            if ui.small_button("Copy as text").clicked() {
                cx.outbox.push(Command::CopyText(as_text(run)));
            }
        });
        ui.add_space(4.0);
        if run.ledger().is_empty() {
            ui.label(RichText::new("Nothing was wrong with the input").color(cx.theme.text.muted));
        } else {
            table_ui(ui, cx, run);
        }
        for absent in run.absent() {
            let what = if absent.is_ignored {
                "passed over"
            } else {
                "not loaded"
            };
            ui.label(
                RichText::new(format!("{what}: {}", absent.reason))
                    .small()
                    .color(cx.theme.text.muted),
            );
        }
    }
}

/// `12 034 elements read = 12 030 kept + 4 counted`.
fn balance(run: &Run) -> String {
    let mut tally = Tally::default();
    for member in run.members() {
        tally.add(member.trace.tally());
    }
    let partial = if tally.partial > 0 {
        format!(", {} cut off or unreadable", text::grouped(tally.partial))
    } else {
        String::new()
    };
    format!(
        "{} elements read = {} kept + {} counted{partial}",
        text::grouped(tally.read),
        text::grouped(tally.kept()),
        text::grouped(tally.counted)
    )
}

fn table_ui(ui: &mut Ui, cx: &Cx<'_>, run: &Run) {
    let mut entries: Vec<_> = run.ledger().entries().collect();
    entries.sort_by_key(|it| std::cmp::Reverse(it.0.severity()));
    let spacing = &cx.theme.sizes.spacing;
    TableBuilder::new(ui)
        .vscroll(false)
        .column(Column::exact(18.0))
        .column(Column::initial(170.0))
        .column(Column::initial(70.0))
        .column(Column::initial(300.0))
        .column(Column::initial(150.0))
        .column(Column::remainder())
        .header(spacing.table_header, |mut header| {
            for title in ["", "Kind", "Count", "What", "First place", "What was done"] {
                header.col(|ui| {
                    ui.label(RichText::new(title).small().color(cx.theme.text.muted));
                });
            }
        })
        .body(|body| {
            body.rows(spacing.table_row, entries.len(), |mut row| {
                let (issue, entry) = entries[row.index()];
                row.col(|ui| severity_ui(ui, issue.severity(), cx.theme));
                let place = entry.first_at.map_or_else(
                    || "–".to_owned(),
                    |it| format!("byte {}", text::grouped(it)),
                );
                let cells = [
                    issue.word().to_owned(),
                    text::grouped(entry.count),
                    sentence(issue, entry.count),
                    place,
                    issue.done().to_owned(),
                ];
                for (column, cell) in cells.into_iter().enumerate() {
                    row.col(|ui| {
                        let text = if matches!(column, 1 | 3) {
                            RichText::new(cell).monospace()
                        } else {
                            RichText::new(cell)
                        };
                        ui.add(egui::Label::new(text).truncate());
                    });
                }
            });
        });
}

fn as_text(run: &Run) -> String {
    let mut lines = vec![balance(run)];
    for (issue, entry) in run.ledger().entries() {
        let place = entry
            .first_at
            .map_or_else(String::new, |it| format!(" (first at byte {it})"));
        lines.push(format!(
            "{}\t{}{place}\t{}",
            issue.word(),
            sentence(issue, entry.count),
            issue.done()
        ));
    }
    lines.extend(run.absent().iter().map(|it| it.reason.clone()));
    lines.join("\n")
}
