//! The bar at the top: menu, what is open, and how good its data are.

use egui::{Align, Button, Layout, RichText, Ui};

use crate::base::text;
use crate::model::{Issue, Run, Severity};
use crate::ui::marks::severity_ui;
use crate::ui::panel::{Cx, OpenRun};
use crate::view::{Command, Tab, ThemeChoice, ViewCommand};

pub(crate) fn top_bar_ui(ui: &mut Ui, cx: &Cx<'_>) {
    menu_ui(ui, cx);
    let Some(open) = &cx.open else {
        ui.label(
            RichText::new("Warpline")
                .size(cx.theme.sizes.text.title)
                .color(cx.theme.text.primary),
        );
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui.add(Button::new("Open…")).clicked() {
                cx.outbox.push(Command::AskOpen { folder: false });
            }
        });
        return;
    };
    let run = open.workspace.run();
    let name = RichText::new(run.name())
        .size(cx.theme.sizes.text.title)
        .color(cx.theme.text.primary);
    let files: Vec<String> = run
        .members()
        .iter()
        .take(40)
        .map(|it| {
            format!(
                "{}  {}",
                crate::model::visible(&it.file),
                text::bytes(it.bytes)
            )
        })
        .collect();
    ui.label(name).on_hover_text(files.join("\n"));
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        if ui.add(Button::new("Open…")).clicked() {
            cx.outbox.push(Command::AskOpen { folder: false });
        }
        badge_ui(ui, cx, open);
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            let identity = RichText::new(identity(run))
                .small()
                .color(cx.theme.text.muted);
            ui.add(egui::Label::new(identity).truncate());
        });
    });
}

fn menu_ui(ui: &mut Ui, cx: &Cx<'_>) {
    let menu = ui.menu_button(RichText::new("≡").size(20.0), |ui| {
        let item = |ui: &mut Ui, name: &str, keys: &str, enabled: bool, command: Command| {
            if ui
                .add_enabled(enabled, Button::new(name).shortcut_text(keys))
                .clicked()
            {
                cx.outbox.push(command);
                ui.close();
            }
        };
        item(
            ui,
            "Open files…",
            "Ctrl O",
            true,
            Command::AskOpen { folder: false },
        );
        item(
            ui,
            "Open folder…",
            "Ctrl Shift O",
            true,
            Command::AskOpen { folder: true },
        );
        item(ui, "Close run", "", cx.open.is_some(), Command::Close);
        ui.separator();
        for (name, choice) in [
            ("Theme as the system", ThemeChoice::System),
            ("Dark theme", ThemeChoice::Dark),
            ("Light theme", ThemeChoice::Light),
        ] {
            if ui.radio(cx.theme_choice == choice, name).clicked() {
                cx.outbox.push(Command::SetTheme(choice));
                ui.close();
            }
        }
        ui.separator();
        item(ui, "Quit", "", true, Command::Quit);
    });
    menu.response.on_hover_text("Menu");
}

/// `4 ranks · 4 × H100 · Kineto · CUDA 12.4 · 2026-11-21 09:14:07 UTC`.
fn identity(run: &Run) -> String {
    let mut parts = Vec::new();
    let ranks = run.ranks().len() as u64;
    if ranks > 0 {
        parts.push(text::plural(ranks, "rank", "ranks"));
    } else {
        parts.push(text::plural(run.members().len() as u64, "file", "files"));
    }
    parts.extend(gpus(run));
    if let Some(first) = run.members().first() {
        let head = first.trace.head();
        parts.push(head.writer.to_owned());
        parts.extend(head.software.iter().cloned());
    }
    if let Some(epoch) = run.epoch_ns() {
        parts.push(text::utc(epoch));
    }
    parts.join(" · ")
}

/// `4 × NAME` of the devices that worked.
fn gpus(run: &Run) -> Vec<String> {
    let mut names: std::collections::BTreeMap<String, u64> = std::collections::BTreeMap::new();
    for member in run.members() {
        for device in member.trace.devices() {
            let gpu = member
                .trace
                .head()
                .gpus
                .iter()
                .find(|it| it.ordinal == device);
            let name = gpu
                .and_then(|it| it.name.clone())
                .unwrap_or_else(|| "GPU".to_owned());
            *names.entry(name).or_default() += 1;
        }
    }
    names
        .into_iter()
        .map(|(name, count)| format!("{count} × {name}"))
        .collect()
}

fn badge_ui(ui: &mut Ui, cx: &Cx<'_>, open: &OpenRun<'_>) {
    let (severity, sentence) = quality(open);
    let frame = egui::Frame::new()
        .stroke(egui::Stroke::new(1.0, cx.theme.line.border))
        .corner_radius(10)
        .inner_margin(egui::Margin::symmetric(8, 1));
    let inner = frame.show(ui, |ui| {
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            severity_ui(ui, severity, cx.theme);
            ui.add(egui::Label::new(RichText::new(&sentence).small()).selectable(false));
        });
    });
    let response = inner.response.interact(egui::Sense::click());
    response.widget_info(|| {
        egui::WidgetInfo::labeled(egui::Role::Button, true, format!("Data quality {sentence}"))
    });
    if response.on_hover_text("Show the import ledger").clicked() {
        cx.outbox.view(ViewCommand::ShowTab(Tab::Ledger));
    }
}

/// The worst true sentence about the data.
pub(crate) fn quality(open: &OpenRun<'_>) -> (Severity, String) {
    let run = open.workspace.run();
    let missing = run.absent().iter().filter(|it| !it.is_ignored).count() as u64;
    if missing > 0 {
        return (
            Severity::High,
            format!("{} not loaded", text::plural(missing, "file", "files")),
        );
    }
    if run.island_count() > 1 {
        return (Severity::Medium, "clocks not aligned".to_owned());
    }
    // Of two equally bad kinds the more frequent one is told.
    let worst = run
        .ledger()
        .entries()
        .max_by_key(|(issue, entry)| (issue.severity(), entry.count));
    if let Some((issue, entry)) = worst.filter(|it| it.0.severity() > Severity::Note) {
        return (issue.severity(), sentence(issue, entry.count));
    }
    let work: u64 = run
        .members()
        .iter()
        .map(|it| {
            it.trace
                .work_tracks()
                .map(|it| it.1.len() as u64)
                .sum::<u64>()
        })
        .sum();
    (
        Severity::Note,
        format!("all {} GPU spans", text::grouped(work)),
    )
}

/// `7 spans clipped`, `trace without GPU activity`.
pub(crate) fn sentence(issue: Issue, count: u64) -> String {
    if count == 1 {
        issue.says(1).to_owned()
    } else {
        format!("{} {}", text::grouped(count), issue.says(count))
    }
}
