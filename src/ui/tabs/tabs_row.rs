//! The row of tabs, and the one that is shown below it.

use egui::{RichText, ScrollArea, Stroke, Ui};

use crate::ui::panel::{Cx, OpenRun, Panel};
use crate::ui::tabs::details::Details;
use crate::ui::tabs::ledger::LedgerTab;
use crate::view::ViewCommand;

/// Every tab.
pub(crate) struct Tabs {
    panels: Vec<Box<dyn Panel>>,
}

impl Default for Tabs {
    fn default() -> Self {
        Self {
            panels: vec![Box::new(Details::default()), Box::new(LedgerTab)],
        }
    }
}

impl Tabs {
    pub(crate) fn ui(&mut self, ui: &mut Ui, cx: &Cx<'_>, open: &OpenRun<'_>) {
        let row = ui.horizontal(|ui| {
            ui.add_space(8.0);
            for panel in &self.panels {
                let chosen = panel.tab() == open.view.tab();
                let color = if chosen {
                    cx.theme.text.primary
                } else {
                    cx.theme.text.muted
                };
                let text = RichText::new(panel.title()).color(color);
                let response = ui.add(
                    egui::Button::new(text)
                        .frame(false)
                        .min_size(egui::vec2(0.0, 26.0)),
                );
                response.widget_info(|| {
                    egui::WidgetInfo::selected(egui::Role::Tab, true, chosen, panel.title())
                });
                if chosen {
                    let y = response.rect.bottom();
                    ui.painter().hline(
                        response.rect.x_range(),
                        y,
                        Stroke::new(2.0, cx.theme.state.selection),
                    );
                }
                if response.clicked() {
                    cx.outbox.view(ViewCommand::ShowTab(panel.tab()));
                }
                ui.add_space(10.0);
            }
        });
        let y = row.response.rect.bottom() + 1.0;
        ui.painter().hline(
            ui.max_rect().x_range(),
            y,
            Stroke::new(1.0, cx.theme.line.separator),
        );
        if let Some(panel) = self
            .panels
            .iter_mut()
            .find(|it| it.tab() == open.view.tab())
        {
            egui::Frame::new()
                .inner_margin(egui::Margin::symmetric(14, 8))
                .show(ui, |ui| {
                    ScrollArea::vertical()
                        .id_salt(panel.title())
                        .auto_shrink([false, false])
                        .show(ui, |ui| {
                            panel.ui(ui, cx, open);
                        });
                });
        }
    }
}
