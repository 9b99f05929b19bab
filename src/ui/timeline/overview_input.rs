//! The pointer on the overview: the box pans, its edges resize, a drag elsewhere is a new view, a click
//! centers, a double-click shows the whole run, the wheel zooms (ui.md 2.2).

use egui::{CursorIcon, Id, Rect, Response, Sense, Ui};

use crate::base::{Time, TimeRange};
use crate::ui::panel::Cx;
use crate::ui::timeline::zoom_drag::zoom_drag;
use crate::view::{Axis, Scene, ViewCommand};

/// Points beside an edge of the box that take hold of it.
const EDGE: f32 = 4.0;
/// Share of the overview from which on a box is no use to pan.
const WHOLE: f32 = 0.97;

/// What a drag took hold of.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Grip {
    Box,
    /// An edge; the other one stays where it is.
    Edge {
        other_ns: f64,
    },
    Elsewhere,
}

impl Grip {
    fn at(scene: &Scene, area: Rect, view: Rect, x: f32) -> Self {
        let edge = EDGE.min(view.width() / 4.0);
        let stretch = scene.axis.stretch;
        let is_near = |at: f32| (x - at).abs() <= edge;
        if is_near(view.left()) && view.left() > area.left() + 1.0 {
            let other_ns = stretch.end_ns();
            Self::Edge { other_ns }
        } else if is_near(view.right()) && view.right() < area.right() - 1.0 {
            let other_ns = stretch.start_ns;
            Self::Edge { other_ns }
        } else if view.x_range().contains(x) && view.width() < area.width() * WHOLE {
            Self::Box
        } else {
            Self::Elsewhere
        }
    }

    fn cursor(self) -> CursorIcon {
        match self {
            Self::Box => CursorIcon::Grab,
            Self::Edge { .. } => CursorIcon::ResizeHorizontal,
            Self::Elsewhere => CursorIcon::PointingHand,
        }
    }
}

pub(super) fn overview_input(
    ui: &Ui,
    cx: &Cx<'_>,
    scene: &Scene,
    axis: &Axis,
    area: Rect,
    view: Rect,
) {
    let id = ui.scope_id().with("overview");
    let response = ui.interact(area, id, Sense::click_and_drag());
    response
        .widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, "Overview of the run"));
    if response.double_clicked() {
        cx.outbox.view(ViewCommand::WholeRun);
    } else if response.clicked()
        && let Some(at) = response.interact_pointer_pos()
    {
        let half = scene.axis.stretch.len_ns / 2.0;
        let ns = axis.ns_from_x(at.x - area.left()) - half - scene.axis.stretch.start_ns;
        cx.outbox.view(ViewCommand::PanBy { ns });
    }
    drag(ui, cx, axis, area, &response, |x| {
        Grip::at(scene, area, view, x)
    });
    if let Some(at) = response.hover_pos() {
        ui.ctx()
            .set_cursor_icon(Grip::at(scene, area, view, at.x).cursor());
        wheel(ui, cx, axis.ns_from_x(at.x - area.left()));
    }
}

/// What was taken hold of with the press follows the pointer until the release.
fn drag(
    ui: &Ui,
    cx: &Cx<'_>,
    axis: &Axis,
    area: Rect,
    response: &Response,
    grip_at: impl Fn(f32) -> Grip,
) {
    let id: Id = response.id.with("grip");
    let origin = ui.input(|it| it.pointer.press_origin());
    if response.is_pointer_button_down_on()
        && ui.input(|it| it.pointer.any_pressed())
        && let Some(origin) = origin
    {
        ui.data_mut(|it| it.insert_temp(id, grip_at(origin.x)));
    }
    let Some(grip) = ui.data(|it| it.get_temp::<Grip>(id)) else {
        return;
    };
    match grip {
        Grip::Elsewhere => zoom_drag(ui, cx, axis, area, response),
        Grip::Box if response.dragged() => {
            let ns = f64::from(response.drag_delta().x) * axis.ns_per_point();
            cx.outbox.view(ViewCommand::PanBy { ns });
        }
        Grip::Edge { other_ns } if response.dragged() => {
            if let Some(at) = ui.input(|it| it.pointer.latest_pos()) {
                let x = at.x.clamp(area.left(), area.right());
                let ns = axis.ns_from_x(x - area.left());
                cx.outbox.view(ViewCommand::Show(between(
                    ns.min(other_ns),
                    ns.max(other_ns),
                )));
            }
        }
        Grip::Box | Grip::Edge { .. } => {}
    }
    if !response.is_pointer_button_down_on() {
        ui.data_mut(|it| it.remove::<Grip>(id));
    }
}

#[expect(clippy::cast_possible_truncation, reason = "times of the run")]
fn between(from: f64, to: f64) -> TimeRange {
    let (from, to) = (Time(from as i64), Time(to as i64));
    TimeRange::new(from, to.max(Time(from.0 + 1)))
}

fn wheel(ui: &Ui, cx: &Cx<'_>, about_ns: f64) {
    let wheel = ui.input(|it| it.smooth_scroll_delta().y);
    if wheel != 0.0 {
        cx.outbox.view(ViewCommand::Zoom {
            about_ns,
            factor: f64::from((-wheel / 200.0).exp()),
        });
    }
}
