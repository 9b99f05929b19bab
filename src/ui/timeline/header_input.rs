//! What hands do with headers: a click selects the lane, a double-click or its arrow opens it, a drag
//! moves it among its siblings, the other button asks what else there is. Each is a labelled control.

use egui::{Rect, Response, Sense, Stroke, Ui};

use crate::base::text;
use crate::ui::panel::{Cx, OpenRun};
use crate::ui::timeline::area::Areas;
use crate::ui::timeline::headers::{ARROW, arrow_left, header_rect};
use crate::ui::timeline::lane_menu::lane_menu_ui;
use crate::ui::timeline::paint::half_of;
use crate::ui::timeline::sticky::Sticky;
use crate::view::{Busy, LaneBox, LaneKey, Scene, ViewCommand};

pub(super) fn headers_input(
    ui: &Ui,
    cx: &Cx<'_>,
    open: &OpenRun<'_>,
    (scene, areas): (&Scene, &Areas),
    sticky: Option<&Sticky>,
) {
    for lane in &scene.lanes {
        let half = half_of(scene, areas.headers, lane);
        header_input(ui, cx, open, (scene, areas), (lane, half));
    }
    if let Some(sticky) = sticky {
        header_input(ui, cx, open, (scene, areas), (sticky.lane(), areas.headers));
    }
}

fn header_input(
    ui: &Ui,
    cx: &Cx<'_>,
    open: &OpenRun<'_>,
    (scene, areas): (&Scene, &Areas),
    (lane, half): (&LaneBox, Rect),
) {
    let whole = header_rect(areas, lane);
    let rect = whole.intersect(half);
    let key = lane.lane.key;
    if rect.height() < 1.0 || matches!(key, LaneKey::Band(..)) {
        return;
    }
    let id = ui.scope_id().with(("header", key.id()));
    let response = ui.interact(rect, id, Sense::click_and_drag());
    let label = format!("{} {}", lane.lane.title, lane.lane.note);
    response.widget_info(|| match lane.lane.open {
        Some(open) => egui::WidgetInfo::selected(egui::Role::Button, true, open, label.trim()),
        None => egui::WidgetInfo::labeled(egui::Role::Button, true, label.trim()),
    });
    let opens = lane.lane.open.is_some();
    let pointer = response.interact_pointer_pos();
    let on_arrow = pointer.is_some_and(|it| it.x < arrow_left(lane, whole) + ARROW);
    // A group of rows is nothing but what it opens to.
    let is_group = matches!(key, LaneKey::Threads(_) | LaneKey::Others(_));
    let by_arrow = response.clicked() && (on_arrow || is_group);
    let by_two = response.double_clicked() && !on_arrow && !is_group;
    if opens && (by_arrow || by_two) {
        cx.outbox.view(ViewCommand::Toggle(key));
    } else if response.clicked() {
        cx.outbox.view(ViewCommand::SelectLane(Some(key)));
    }
    drag_input(ui, cx, (scene, areas), lane, &response);
    response.context_menu(|ui| lane_menu_ui(ui, cx, open, key));
    if !response.context_menu_opened() {
        tell(response, lane, scene, label.trim());
    }
}

/// A drag shows where the lane would go, and puts it there.
fn drag_input(
    ui: &Ui,
    cx: &Cx<'_>,
    (scene, areas): (&Scene, &Areas),
    lane: &LaneBox,
    response: &Response,
) {
    let is_dragged = response.dragged() && ui.input(|it| it.pointer.is_decidedly_dragging());
    if !is_dragged && !response.drag_stopped() {
        return;
    }
    let Some(pointer) = response.interact_pointer_pos() else {
        return;
    };
    let siblings: Vec<&LaneBox> = scene
        .scrolled()
        .iter()
        .filter(|it| is_sibling(lane, it))
        .collect();
    let y = pointer.y - areas.headers.top();
    let below = |it: &&&LaneBox| it.y + it.lane.height / 2.0 > y;
    let before = siblings.iter().find(below).copied();
    if response.drag_stopped() {
        let before = before.map(|it| it.lane.key);
        let moves = before != Some(lane.lane.key) && siblings.len() > 1;
        // Back before the one that follows it already is where it stands.
        let next = siblings
            .iter()
            .skip_while(|it| it.lane.key != lane.lane.key);
        if moves && before != next.clone().nth(1).map(|it| it.lane.key) {
            let lane = lane.lane.key;
            cx.outbox.view(ViewCommand::MoveLane { lane, before });
        }
        return;
    }
    ui.ctx().set_cursor_icon(egui::CursorIcon::Grabbing);
    let end = siblings.last().map_or(0.0, |it| it.y + it.lane.height);
    let y = areas.headers.top() + before.map_or(end, |it| it.y);
    let stroke = Stroke::new(cx.theme.sizes.stroke.selection, cx.theme.state.focus);
    let painter = ui.painter().with_clip_rect(areas.headers);
    painter.hline(areas.headers.x_range(), y, stroke);
}

/// Lanes of one kind below one parent change places.
fn is_sibling(a: &LaneBox, b: &LaneBox) -> bool {
    let (a, b) = (&a.lane, &b.lane);
    let one_rank = a.level == 0 || a.key.trace() == b.key.trace();
    a.level == b.level && one_rank && a.key.id().0 == b.key.id().0
}

fn tell(response: Response, lane: &LaneBox, scene: &Scene, label: &str) {
    if lane.counter.is_some() {
        response.on_hover_text(lane.lane.title.as_str());
    } else if lane.lane.open == Some(false) && lane.lane.hidden_rows > 0 {
        let more = text::plural(u64::from(lane.lane.hidden_rows), "row", "rows");
        response.on_hover_text(format!("{label}, double-click to show {more} more"));
    } else if lane.lane.is_heading() || matches!(lane.busy, Busy::Share(_)) {
        response.on_hover_ui(|ui| {
            header_tooltip_ui(ui, lane, scene);
        });
    }
}

/// The identity of a device's time, or the busy time of a stream, to the nanosecond.
fn header_tooltip_ui(ui: &mut Ui, lane: &LaneBox, scene: &Scene) {
    ui.strong(format!("{} {}", lane.lane.title, lane.lane.note));
    let view = scene.axis.stretch.range().len();
    let mut row = |what: &str, ns: i64| {
        ui.monospace(format!(
            "{:>16} ns  {what}",
            text::grouped(ns.unsigned_abs())
        ));
    };
    match lane.busy {
        Busy::Parts(parts) => {
            row("compute alone", parts.compute_alone.0);
            row("overlapped", parts.overlapped.0);
            row("exposed communication", parts.exposed_communication.0);
            row("exposed copy", parts.exposed_copy.0);
            row("idle", parts.idle.0);
            row("view", view.0);
        }
        Busy::Share(share) => {
            row("view", view.0);
            ui.label(format!("{} % of the view is busy", text::percent(share)));
        }
        Busy::None => {}
    }
}
