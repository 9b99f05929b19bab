//! How much of the lanes is in sight, at the right edge; shown where there is more, and can be dragged.

use egui::{Rect, Sense, Ui, pos2, vec2};

use crate::ui::panel::{Cx, OpenRun};
use crate::view::ViewCommand;

const WIDTH: f32 = 4.0;
/// Points beside the mark that take hold of it.
const REACH: f32 = 6.0;
/// A mark that is lower is hard to catch.
const HEIGHT_MIN: f32 = 24.0;

pub(super) fn scroll_mark_ui(ui: &Ui, cx: &Cx<'_>, open: &OpenRun<'_>, lanes: Rect) {
    let total = open.view.total_height();
    if total <= lanes.height() + 1.0 {
        return;
    }
    let height = (lanes.height() * lanes.height() / total).clamp(HEIGHT_MIN, lanes.height());
    let way = (lanes.height() - height).max(1.0);
    let hidden = total - lanes.height();
    let top = lanes.top() + way * (open.view.scroll() / hidden).clamp(0.0, 1.0);
    let mark = Rect::from_min_size(pos2(lanes.right() - WIDTH - 1.0, top), vec2(WIDTH, height));
    let id = ui.scope_id().with("scroll mark");
    let reach = mark.expand2(vec2(REACH, 0.0)).intersect(lanes);
    let response = ui.interact(reach, id, Sense::drag());
    response
        .widget_info(|| egui::WidgetInfo::labeled(egui::Role::ScrollBar, true, "Scroll the lanes"));
    if response.dragged() {
        let points = response.drag_delta().y * hidden / way;
        cx.outbox.view(ViewCommand::Scroll { points });
    }
    let ink = if response.hovered() || response.dragged() {
        cx.theme.text.muted
    } else {
        cx.theme.line.border
    };
    ui.painter().rect_filled(mark, WIDTH / 2.0, ink);
}
