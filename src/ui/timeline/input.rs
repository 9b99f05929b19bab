//! Pointer and keys on the lanes, as commands (ui.md 9).

use egui::{CursorIcon, Key, Modifiers, PointerButton, Rect, Response, Sense, Ui};

use crate::ui::panel::{Cx, OpenRun};
use crate::ui::timeline::area::Areas;
use crate::ui::timeline::zoom_drag::{is_zoom_drag, zoom_drag};
use crate::view::{Command, Hit, Scene, ViewCommand};

/// Zoom of one key press, and share of the view of one pan.
const KEY_ZOOM: f64 = 0.7;
const KEY_PAN: f64 = 0.15;

pub(super) fn lanes_input(
    ui: &Ui,
    cx: &Cx<'_>,
    open: &OpenRun<'_>,
    scene: &Scene,
    areas: &Areas,
    response: &Response,
    hit: Option<&Hit>,
) {
    let zooms = is_zoom_drag(ui, response);
    let presses = ui.input(|it| it.modifiers.alt && it.pointer.any_pressed());
    if zooms || presses {
        zoom_drag(ui, cx, &scene.axis, areas.lanes, response);
    } else if response.dragged_by(PointerButton::Primary)
        || response.dragged_by(PointerButton::Middle)
    {
        ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
        let delta = response.drag_delta();
        if delta.x != 0.0 {
            cx.outbox.view(ViewCommand::PanBy {
                ns: -f64::from(delta.x) * scene.axis.ns_per_point(),
            });
        }
        if delta.y != 0.0 {
            cx.outbox.view(ViewCommand::Scroll { points: -delta.y });
        }
    }
    if response.double_clicked() {
        if let Some(Hit::Span(at)) = hit {
            cx.outbox.view(ViewCommand::Frame {
                range: open.workspace.run().range_of(*at),
                share: 0.6,
            });
        }
    } else if response.clicked() {
        match hit {
            Some(Hit::Span(at)) => cx.outbox.view(ViewCommand::Select(Some(*at))),
            Some(Hit::Fold { range, .. }) => cx.outbox.view(ViewCommand::Frame {
                range: *range,
                share: 0.4,
            }),
            _ => cx.outbox.view(ViewCommand::Select(None)),
        }
    }
    wheel(ui, cx, scene, areas, response);
}

fn wheel(ui: &Ui, cx: &Cx<'_>, scene: &Scene, areas: &Areas, response: &Response) {
    let over_headers = ui.rect_contains_pointer(areas.headers);
    if !response.hovered() && !over_headers {
        return;
    }
    let (zoom, scroll) = ui.input(|it| (it.zoom_delta(), it.smooth_scroll_delta()));
    if zoom != 1.0 {
        let x = ui
            .input(|it| it.pointer.hover_pos())
            .map_or_else(|| areas.lanes.width() / 2.0, |it| it.x - areas.lanes.left());
        let about_ns = scene.axis.ns_from_x(x.max(0.0));
        cx.outbox.view(ViewCommand::Zoom {
            about_ns,
            factor: 1.0 / f64::from(zoom),
        });
        return;
    }
    if scroll.x != 0.0 {
        cx.outbox.view(ViewCommand::PanBy {
            ns: -f64::from(scroll.x) * scene.axis.ns_per_point(),
        });
    }
    if scroll.y != 0.0 {
        cx.outbox.view(ViewCommand::Scroll { points: -scroll.y });
    }
}

/// A drag along the ruler zooms to what it covers.
pub(super) fn ruler_input(ui: &Ui, cx: &Cx<'_>, scene: &Scene, areas: &Areas) {
    let response = ui.interact(
        areas.ruler,
        ui.scope_id().with("ruler"),
        Sense::click_and_drag(),
    );
    response
        .widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, "Ruler: drag to zoom"));
    zoom_drag(
        ui,
        cx,
        &scene.axis,
        areas.ruler.union(areas.lanes),
        &response,
    );
}

/// Keys that act wherever the pointer is, unless text is typed.
pub(super) fn keys(ui: &Ui, cx: &Cx<'_>, scene: &Scene, lanes: Rect) {
    if ui.ctx().egui_wants_keyboard_input() {
        return;
    }
    let pointer = ui
        .input(|it| it.pointer.hover_pos())
        .filter(|it| lanes.contains(*it));
    let x = pointer.map_or_else(|| lanes.width() / 2.0, |it| it.x - lanes.left());
    let about_ns = scene.axis.ns_from_x(x);
    let pan = |share: f64| Command::View(ViewCommand::Pan { share });
    let zoom = |factor: f64| Command::View(ViewCommand::Zoom { about_ns, factor });
    let table = [
        (Key::W, zoom(KEY_ZOOM)),
        (Key::S, zoom(1.0 / KEY_ZOOM)),
        (Key::A, pan(-KEY_PAN)),
        (Key::D, pan(KEY_PAN)),
        (Key::ArrowLeft, pan(-KEY_PAN)),
        (Key::ArrowRight, pan(KEY_PAN)),
        (Key::F, Command::View(ViewCommand::FitSelection)),
        (Key::Num0, Command::View(ViewCommand::WholeRun)),
        (Key::Period, Command::View(ViewCommand::NextSpan)),
        (Key::Comma, Command::View(ViewCommand::PreviousSpan)),
        (Key::CloseBracket, Command::View(ViewCommand::ToKernel)),
        (Key::OpenBracket, Command::View(ViewCommand::ToLaunch)),
        (Key::Q, Command::View(ViewCommand::ToggleBottomPanel)),
        (
            Key::PageUp,
            Command::View(ViewCommand::Scroll {
                points: -lanes.height() * 0.8,
            }),
        ),
        (
            Key::PageDown,
            Command::View(ViewCommand::Scroll {
                points: lanes.height() * 0.8,
            }),
        ),
        (Key::Escape, Command::View(ViewCommand::Select(None))),
    ];
    for (key, command) in table {
        let far = matches!(command, Command::View(ViewCommand::Pan { .. }));
        let shift = far && ui.input_mut(|it| it.consume_key(Modifiers::SHIFT, key));
        if shift && let Command::View(ViewCommand::Pan { share }) = command {
            cx.outbox.view(ViewCommand::Pan { share: share * 4.0 });
        } else if ui.input_mut(|it| it.consume_key(Modifiers::NONE, key)) {
            cx.outbox.push(command);
        }
    }
}
