//! The tabs of the bottom panel: a row of titles, and below it the one that is shown.

mod details;
mod key;
mod ledger;
mod record;
mod span_facts;
mod span_ui;
mod tab_title;

use egui::{Stroke, Ui, UiBuilder, vec2};

use crate::ui::panel::{Cx, OpenRun, Panel};
use crate::ui::tabs::tab_title::title_ui;

pub(crate) use span_facts::{op_name, step};

/// The panels with what they remember between frames.
pub struct Tabs {
    panels: Vec<Box<dyn Panel>>,
}

impl std::fmt::Debug for Tabs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list()
            .entries(self.panels.iter().map(|it| it.title()))
            .finish()
    }
}

impl Default for Tabs {
    fn default() -> Self {
        Self {
            panels: vec![
                Box::new(details::Details::default()),
                Box::new(ledger::LedgerTab),
            ],
        }
    }
}

impl Tabs {
    /// Fills the bottom panel: the row of titles and the shown panel below.
    pub fn tabs_ui(&mut self, ui: &mut Ui, cx: &Cx<'_>, open: &OpenRun<'_>) {
        let room = ui.available_rect_before_wrap();
        let height = cx.theme.sizes.spacing.table_header + 4.0;
        let (row, body) = room.split_top_bottom_at_y(room.top() + height);
        ui.painter().rect_filled(row, 0.0, cx.theme.surface.header);
        let line = Stroke::new(cx.theme.sizes.stroke.hair, cx.theme.line.separator);
        ui.painter().hline(row.x_range(), row.bottom() - 0.5, line);
        let mut left = row.left() + cx.theme.sizes.spacing.s;
        for panel in &self.panels {
            left = title_ui(ui, cx, open, panel.as_ref(), (left, row));
        }
        let inner = body.shrink2(vec2(cx.theme.sizes.spacing.xl, cx.theme.sizes.spacing.m));
        let shown = self
            .panels
            .iter_mut()
            .find(|it| it.tab() == open.view.tab());
        if let Some(panel) = shown.filter(|_| inner.is_positive()) {
            let mut child = ui.new_child(UiBuilder::new().max_rect(inner).id_salt(panel.title()));
            child.shrink_clip_rect(body);
            panel.ui(&mut child, cx, open);
        }
        ui.advance_cursor_after_rect(room);
    }
}
