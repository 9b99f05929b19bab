//! A title in the row of tabs, underlined where its panel is shown.

use egui::{Align2, Rect, Role, Sense, Stroke, TextStyle, Ui, WidgetInfo, vec2};

use crate::ui::panel::{Cx, OpenRun, Panel};
use crate::view::ViewCommand;

/// One title at `left` of `row`; returns where the next begins.
pub(super) fn title_ui(
    ui: &Ui,
    cx: &Cx<'_>,
    open: &OpenRun<'_>,
    panel: &dyn Panel,
    (left, row): (f32, Rect),
) -> f32 {
    let theme = cx.theme;
    let is_shown = open.view.tab() == panel.tab();
    let font = TextStyle::Body.resolve(ui.style());
    let galley =
        ui.painter()
            .layout_no_wrap(panel.title().to_owned(), font.clone(), theme.text.primary);
    let width = galley.size().x + 2.0 * theme.sizes.spacing.l;
    let rect = Rect::from_min_size(
        row.min + vec2(left - row.left(), 0.0),
        vec2(width, row.height()),
    );
    let response = ui.interact(
        rect,
        ui.scope_id().with(("tab", panel.title())),
        Sense::click(),
    );
    response.widget_info(|| WidgetInfo::selected(Role::Tab, true, is_shown, panel.title()));
    let painter = ui.painter();
    if is_shown {
        painter.rect_filled(rect, 0.0, theme.surface.panel);
        let edge = Rect::from_min_max(rect.left_bottom() - vec2(0.0, 2.0), rect.right_bottom());
        painter.rect_filled(edge.shrink2(vec2(4.0, 0.0)), 0.0, theme.state.selection);
    }
    if response.has_focus() {
        let stroke = Stroke::new(theme.sizes.stroke.hair, theme.state.focus);
        painter.rect_stroke(rect.shrink(2.0), 2.0, stroke, egui::StrokeKind::Inside);
    }
    let ink = if is_shown || response.hovered() {
        theme.text.primary
    } else {
        theme.text.muted
    };
    painter.text(
        rect.center(),
        Align2::CENTER_CENTER,
        panel.title(),
        font,
        ink,
    );
    if response.clicked() {
        cx.outbox.view(ViewCommand::ShowTab(panel.tab()));
    }
    rect.right()
}
