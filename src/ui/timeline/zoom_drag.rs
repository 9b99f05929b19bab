//! A drag that shades a stretch of time and then shows it: along the ruler, and with Alt on the lanes.

use egui::{CursorIcon, Id, PointerButton, Rect, Response, Stroke, Ui};

use crate::base::{Time, TimeRange};
use crate::ui::panel::Cx;
use crate::view::{Axis, ViewCommand};

/// Points a zoom drag must be long.
const DRAG_MIN: f32 = 4.0;

/// Where a drag began. It is kept here because the toolkit forgets the place of the press with the
/// release; it is a time, so that what is under it stays shaded when the view moves meanwhile.
#[derive(Clone, Copy)]
struct Press {
    ns: f64,
}

fn id(response: &Response) -> Id {
    response.id.with("zoom drag")
}

/// Whether such a drag goes on, which its end decides, not the keys that are down by then.
pub(super) fn is_zoom_drag(ui: &Ui, response: &Response) -> bool {
    ui.data(|it| it.get_temp::<Press>(id(response)).is_some())
}

/// Follows the drag from press to release; `area` is what it shades.
pub(super) fn zoom_drag(ui: &Ui, cx: &Cx<'_>, axis: &Axis, area: Rect, response: &Response) {
    let id = id(response);
    let is_down = response.is_pointer_button_down_on()
        && ui.input(|it| it.pointer.button_down(PointerButton::Primary));
    let (origin, at) = ui.input(|it| (it.pointer.press_origin(), it.pointer.latest_pos()));
    let known = ui.data(|it| it.get_temp::<Press>(id));
    let press = known.or_else(|| {
        let ns = axis.ns_from_x(origin?.x - area.left());
        is_down.then_some(Press { ns })
    });
    let (Some(press), Some(at)) = (press, at) else {
        return;
    };
    let from = area.left() + axis.x_from_ns(press.ns);
    let left = from.min(at.x).max(area.left());
    let right = from.max(at.x).min(area.right());
    let is_range = right - left >= DRAG_MIN;
    if is_down {
        ui.data_mut(|it| it.insert_temp(id, press));
        if response.dragged() && is_range {
            shade(ui, cx, area, left, right);
        }
        return;
    }
    ui.data_mut(|it| it.remove::<Press>(id));
    if response.drag_stopped() && is_range {
        let time = |x: f32| axis.time_from_x(x - area.left());
        let range = TimeRange::new(time(left), time(right).max(Time(time(left).0 + 1)));
        cx.outbox.view(ViewCommand::Show(range));
    }
}

fn shade(ui: &Ui, cx: &Cx<'_>, area: Rect, left: f32, right: f32) {
    ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
    let painter = ui.painter().with_clip_rect(area);
    let range = Rect::from_x_y_ranges(left..=right, area.y_range());
    painter.rect_filled(range, 0.0, cx.theme.state.range_fill);
    for x in [left, right] {
        let edge = Stroke::new(1.0, cx.theme.state.range_edge);
        painter.vline(x, area.y_range(), edge);
    }
}
