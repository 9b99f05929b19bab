//! The bar at the top: menu, what run is open, how far it can be trusted.

use std::collections::BTreeSet;

use egui::{Button, Popup, RichText, Role, Sense, Ui, WidgetInfo, vec2};

use crate::base::text;
use crate::model::Run;
use crate::ui::badge::{Badge, badge_ui, badge_width};
use crate::ui::marks::menu_mark;
use crate::ui::panel::Cx;
use crate::ui::parts::{button_with_key_ui, elided_ui, small, title};
use crate::view::{Command, ThemeChoice};
use crate::workspace::Progress;

/// Files that are listed on hover.
const FILES_SHOWN: usize = 24;
/// The least that an elided identity line is worth showing.
const IDENTITY_MIN: f32 = 60.0;

/// Content of the top bar.
pub fn top_bar_ui(ui: &mut Ui, cx: &Cx<'_>) {
    ui.horizontal_centered(|ui| {
        menu_ui(ui, cx);
        match (&cx.open, cx.loading) {
            (_, Some(progress)) => loading_ui(ui, cx, progress),
            (Some(open), None) => run_ui(ui, cx, open.workspace.run()),
            (None, None) => nothing_open_ui(ui, cx),
        }
    });
}

/// What is being opened, and the way to stop it.
fn loading_ui(ui: &mut Ui, cx: &Cx<'_>, progress: &Progress) {
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        if button_with_key_ui(ui, cx.theme, "Cancel", "Esc").clicked() {
            cx.outbox.push(Command::Cancel);
        }
        ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
            elided_ui(ui, title(&progress.title));
            ui.add_space(ui.spacing().item_spacing.x);
            elided_ui(ui, small(of_what(progress), cx.theme.text.muted));
        });
    });
}

/// `16 files · 7.94 GB`, as far as it is known.
fn of_what(progress: &Progress) -> String {
    let files = text::plural(progress.files.len() as u64, "file", "files");
    let mut parts = Vec::new();
    if !progress.files.is_empty() && files != progress.title {
        parts.push(files);
    }
    if progress.total_bytes > 0 {
        parts.push(text::bytes(progress.total_bytes));
    }
    parts.join(" · ")
}

fn nothing_open_ui(ui: &mut Ui, cx: &Cx<'_>) {
    elided_ui(ui, title("Warpline"));
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        if ui
            .button("Open…")
            .on_hover_text("Open files, Ctrl O")
            .clicked()
        {
            cx.outbox.push(Command::AskOpen { folder: false });
        }
    });
}

fn run_ui(ui: &mut Ui, cx: &Cx<'_>, run: &Run) {
    let badge = Badge::of(run);
    let gap = ui.spacing().item_spacing.x;
    let room = (ui.available_width() - badge_width(ui, &badge) - 2.0 * gap).max(0.0);
    let names = ui.scope(|ui| {
        ui.set_max_width(room);
        elided_ui(ui, title(run.name()));
        ui.add_space(gap);
        if ui.available_width() > IDENTITY_MIN {
            elided_ui(ui, small(identity(run), cx.theme.text.muted));
        }
    });
    names.response.on_hover_ui(|ui| {
        ui.label(small(files(run), cx.theme.text.secondary).monospace());
    });
    ui.add_space(gap);
    badge_ui(ui, cx, &badge);
}

/// `4 ranks · 4 × H100 SXM5 80GB · Kineto · CUDA 12.4 · 2026-11-21 09:14:07 UTC`.
pub(crate) fn identity(run: &Run) -> String {
    let ranks = run.ranks().len() as u64;
    let mut parts = vec![match ranks {
        0 => text::plural(run.members().len() as u64, "trace", "traces"),
        _ => text::plural(ranks, "rank", "ranks"),
    }];
    parts.extend(devices(run));
    let heads = || run.members().iter().map(|it| it.trace.head());
    let writers: BTreeSet<&str> = heads()
        .map(|it| it.writer)
        .filter(|it| !it.is_empty())
        .collect();
    parts.extend(writers.into_iter().map(str::to_owned));
    let software: BTreeSet<&String> = heads().flat_map(|it| &it.software).collect();
    parts.extend(software.into_iter().cloned());
    parts.extend(run.epoch_ns().map(text::utc));
    parts.join(" · ")
}

/// `4 × H100 SXM5 80GB`, once per name, of the GPUs that worked.
pub(crate) fn devices(run: &Run) -> Vec<String> {
    let mut names: Vec<(String, u64)> = Vec::new();
    for member in run.members() {
        let gpus = &member.trace.head().gpus;
        for device in member.trace.devices() {
            let found = gpus
                .iter()
                .find(|it| it.ordinal == device)
                .and_then(|it| it.name.clone());
            let name = found.unwrap_or_else(|| "GPU".to_owned());
            match names.iter_mut().find(|it| it.0 == name) {
                Some(it) => it.1 += 1,
                None => names.push((name, 1)),
            }
        }
    }
    names
        .into_iter()
        .map(|(name, count)| format!("{} × {name}", text::grouped(count)))
        .collect()
}

/// A line for every file with its size.
fn files(run: &Run) -> String {
    let members = run.members();
    let mut lines: Vec<String> = members
        .iter()
        .take(FILES_SHOWN)
        .map(|it| format!("{}  {}", it.file, text::bytes(it.bytes)))
        .collect();
    if members.len() > FILES_SHOWN {
        lines.push(format!(
            "and {} more",
            text::grouped((members.len() - FILES_SHOWN) as u64)
        ));
    }
    lines.join("\n")
}

fn menu_ui(ui: &mut Ui, cx: &Cx<'_>) {
    let (rect, response) = ui.allocate_exact_size(vec2(26.0, 24.0), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Menu"));
    if response.hovered() || response.has_focus() {
        ui.painter()
            .rect_filled(rect, cx.theme.sizes.spacing.radius, cx.theme.surface.raised);
    }
    menu_mark(ui.painter(), rect.center(), cx.theme.text.primary);
    Popup::menu(&response).show(|ui| {
        ui.set_min_width(200.0);
        item_ui(
            ui,
            cx,
            "Open files…",
            "Ctrl O",
            Command::AskOpen { folder: false },
        );
        item_ui(
            ui,
            cx,
            "Open folder…",
            "Ctrl Shift O",
            Command::AskOpen { folder: true },
        );
        if cx.open.is_some() {
            item_ui(ui, cx, "Close run", "Ctrl W", Command::Close);
        }
        ui.separator();
        ui.menu_button("Theme", |ui| {
            let choices = [
                ("System", ThemeChoice::System),
                ("Dark", ThemeChoice::Dark),
                ("Light", ThemeChoice::Light),
            ];
            for (word, choice) in choices {
                if ui.radio(cx.theme_choice == choice, word).clicked() {
                    cx.outbox.push(Command::SetTheme(choice));
                    ui.close();
                }
            }
        });
        ui.separator();
        item_ui(ui, cx, "Quit", "Ctrl Q", Command::Quit);
    });
}

fn item_ui(ui: &mut Ui, cx: &Cx<'_>, word: &str, key: &str, command: Command) {
    let key = RichText::new(key).small().color(cx.theme.text.muted);
    let response = ui.add(Button::new(word).shortcut_text(key));
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, word));
    if response.clicked() {
        cx.outbox.push(command);
        ui.close();
    }
}
