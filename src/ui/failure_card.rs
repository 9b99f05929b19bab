//! Why nothing was opened: what was wrong, file by file, and what was counted.

use egui::{Label, RichText, Sense, Ui, vec2};

use crate::base::text;
use crate::model::{Absent, Issue, Severity};
use crate::ui::marks::severity_mark;
use crate::ui::panel::Cx;
use crate::ui::parts::{line_ui, sentence, small, title, value_ui};
use crate::view::Command;
use crate::workspace::Failure;

/// Files whose reasons are listed.
const REASONS_SHOWN: usize = 8;

pub(crate) fn failure_card_ui(ui: &mut Ui, cx: &Cx<'_>, failure: &Failure) {
    let theme = cx.theme;
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(12.0, 12.0), Sense::hover());
        severity_mark(ui.painter(), rect.center(), Severity::High, theme);
        ui.add(Label::new(title(format!("{} could not be opened", failure.title))).wrap());
    });
    ui.add_space(theme.sizes.spacing.s);
    value_ui(
        ui,
        RichText::new(sentence(&failure.sentence)).color(theme.text.primary),
    );
    let absent = reasons(failure);
    if !absent.is_empty() {
        ui.add_space(theme.sizes.spacing.s);
        for absent in absent.iter().take(REASONS_SHOWN) {
            // Rows of text need not be as high as buttons.
            ui.spacing_mut().interact_size.y = 0.0;
            ui.horizontal_wrapped(|ui| {
                value_ui(
                    ui,
                    RichText::new(&absent.file)
                        .monospace()
                        .color(theme.text.secondary),
                );
                value_ui(ui, small(&absent.reason, theme.text.muted));
            });
        }
        if let Some(more) = absent.len().checked_sub(REASONS_SHOWN).filter(|it| *it > 0) {
            line_ui(
                ui,
                small(
                    format!("and {} more", text::grouped(more as u64)),
                    theme.text.muted,
                ),
            );
        }
    }
    for line in counted(failure) {
        value_ui(ui, small(line, theme.text.muted));
    }
    ui.add_space(theme.sizes.spacing.m);
    ui.spacing_mut().interact_size.y = theme.sizes.spacing.button_height;
    ui.horizontal(|ui| {
        if ui.button("Copy report").clicked() {
            cx.outbox.push(Command::CopyText(report(failure)));
        }
        if ui.button("Close").clicked() {
            cx.outbox.push(Command::Dismiss);
        }
        ui.add_space(theme.sizes.spacing.m);
        if ui.button("Open files…").clicked() {
            cx.outbox.push(Command::AskOpen { folder: false });
        }
    });
}

/// The files with their reasons, but for what the sentence has said.
fn reasons(failure: &Failure) -> Vec<&Absent> {
    let is_said = |it: &&Absent| it.reason == failure.sentence;
    let is_new = |it: &&Absent| failure.absent.len() > 1 && !is_said(it);
    failure.absent.iter().filter(is_new).collect()
}

/// `2 files end early, every whole event before the cut is kept`. That files were refused is what the
/// whole card says.
fn counted(failure: &Failure) -> impl Iterator<Item = String> + '_ {
    let said = [Issue::UnsupportedFormat, Issue::FileNotLoaded];
    let entries = failure.ledger.entries();
    let entries = entries.filter(move |(issue, _)| !said.contains(issue));
    entries.map(|(issue, entry)| {
        let count = text::grouped(entry.count);
        format!("{count} {}, {}", issue.says(entry.count), issue.done())
    })
}

/// The card as text, with every file.
fn report(failure: &Failure) -> String {
    let mut lines = vec![
        format!("Warpline {}", env!("CARGO_PKG_VERSION")),
        format!("{} could not be opened", failure.title),
        failure.sentence.clone(),
    ];
    lines.extend(
        failure
            .absent
            .iter()
            .map(|it| format!("{}\t{}", it.file, it.reason)),
    );
    lines.extend(counted(failure));
    lines.join("\n")
}
