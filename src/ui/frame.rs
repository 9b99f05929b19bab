//! The whole window: bars at the edges, the start screen or the timeline in the middle. Knows nothing
//! of its host.

use egui::{CentralPanel, Frame, Key, Modifiers, Panel as EdgePanel, Ui};

use crate::ui::arrivals::arrivals_ui;
use crate::ui::banner::{BANNER_HEIGHT, banner_ui, lack};
use crate::ui::choice_card::{choice_card_ui, choice_keys};
use crate::ui::loading::{LOADING_STRIP_HEIGHT, loading_strip_ui};
use crate::ui::panel::Cx;
use crate::ui::start::start_ui;
use crate::ui::status_bar::status_bar_ui;
use crate::ui::tabs::Tabs;
use crate::ui::timeline::{Timeline, TimelineFeedback};
use crate::ui::top_bar::top_bar_ui;
use crate::view::Command;

/// Points of a card over an open run.
const CARD_WIDTH: f32 = 640.0;

/// Points that bars, overview, ruler and a few lanes keep however high the tabs were drawn.
const REST_MIN: f32 = 280.0;

/// The window's content and what its parts keep between frames.
#[derive(Default)]
pub struct Window {
    timeline: Timeline,
    tabs: Tabs,
    hovered: Option<String>,
}

impl Window {
    /// Draws a frame; commands are left in `cx.outbox`.
    pub fn ui(&mut self, ui: &mut Ui, cx: &Cx<'_>) -> TimelineFeedback {
        let sizes = &cx.theme.sizes;
        let surface = &cx.theme.surface;
        keys(ui, cx);
        let bar = |fill| {
            Frame::new()
                .fill(fill)
                .inner_margin(egui::Margin::symmetric(10, 0))
        };
        EdgePanel::top("top_bar")
            .exact_size(sizes.top_bar)
            .resizable(false)
            .frame(bar(surface.header))
            .show(ui, |ui| {
                top_bar_ui(ui, cx);
            });
        if let Some(progress) = cx.loading {
            EdgePanel::top("loading")
                .exact_size(LOADING_STRIP_HEIGHT)
                .resizable(false)
                .frame(bar(surface.panel))
                .show(ui, |ui| {
                    loading_strip_ui(ui, cx, progress);
                });
        }
        let lack = cx.open.as_ref().and_then(|it| lack(it.workspace.run()));
        if let Some(sentence) = lack {
            EdgePanel::top("banner")
                .exact_size(BANNER_HEIGHT)
                .resizable(false)
                .frame(bar(surface.panel))
                .show(ui, |ui| banner_ui(ui, cx, &sentence));
        }
        EdgePanel::bottom("status_bar")
            .exact_size(sizes.status_bar)
            .resizable(false)
            .frame(bar(surface.header))
            .show(ui, |ui| {
                status_bar_ui(ui, cx, self.hovered.as_deref());
            });
        let Some(open) = &cx.open else {
            CentralPanel::default()
                .frame(Frame::new().fill(surface.canvas))
                .show(ui, |ui| match cx.loading {
                    Some(progress) => arrivals_ui(ui, cx, &progress.files),
                    None => start_ui(ui, cx),
                });
            return TimelineFeedback::default();
        };
        if let Some(choices) = cx.choices {
            let question = egui::Modal::new(egui::Id::unique("which run"));
            question.show(ui.ctx(), |ui| {
                ui.set_width(CARD_WIDTH.min(ui.ctx().content_rect().width() - 40.0));
                choice_card_ui(ui, cx, choices);
            });
        }
        if open.view.bottom_open() {
            let height = ui.ctx().content_rect().height();
            let sizes = &sizes.bottom_panel;
            let most = (height * sizes.max_fraction).min(height - REST_MIN);
            EdgePanel::bottom("tabs")
                .resizable(true)
                .default_size(sizes.height.min(height * 0.34))
                .min_size(sizes.min)
                .max_size(most.max(sizes.min))
                .frame(Frame::new().fill(surface.panel))
                .show(ui, |ui| self.tabs.tabs_ui(ui, cx, open));
        }
        let feedback = CentralPanel::default()
            .frame(Frame::new().fill(surface.canvas))
            .show(ui, |ui| self.timeline.ui(ui, cx, open))
            .inner;
        self.hovered.clone_from(&feedback.hovered);
        feedback
    }
}

/// Keys that work with and without a run.
fn keys(ui: &Ui, cx: &Cx<'_>) {
    if let Some(choices) = cx.choices {
        choice_keys(ui, cx, choices);
    }
    let pressed = |modifiers, key| ui.input_mut(|it| it.consume_key(modifiers, key));
    if pressed(Modifiers::COMMAND | Modifiers::SHIFT, Key::O) {
        cx.outbox.push(Command::AskOpen { folder: true });
    }
    if pressed(Modifiers::COMMAND, Key::O) {
        cx.outbox.push(Command::AskOpen { folder: false });
    }
    if cx.open.is_some() && pressed(Modifiers::COMMAND, Key::W) {
        cx.outbox.push(Command::Close);
    }
    if pressed(Modifiers::COMMAND, Key::Q) {
        cx.outbox.push(Command::Quit);
    }
    if cx.loading.is_some() && pressed(Modifiers::NONE, Key::Escape) {
        cx.outbox.push(Command::Cancel);
    }
    let dropped = ui.input(|it| it.raw.dropped_files.clone());
    let paths: Vec<std::path::PathBuf> = dropped.iter().map(|it| it.path().to_path_buf()).collect();
    if !paths.is_empty() {
        cx.outbox.push(Command::Open(paths));
    }
}
