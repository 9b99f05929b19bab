//! The ruler with its ticks, and the lane of steps below it. Both stay put while lanes scroll.

use egui::{Align2, FontId, Rect, Stroke, Ui, pos2};

use crate::base::text;
use crate::ui::panel::{Cx, OpenRun};
use crate::ui::theme::Theme;
use crate::ui::timeline::area::Areas;
use crate::ui::timeline::overview::stride;
use crate::view::{Scene, StepBox};

/// Points beside the texts of a step.
const STEP_PAD: f32 = 5.0;

pub(super) fn paint_ruler(ui: &Ui, cx: &Cx<'_>, open: &OpenRun<'_>, scene: &Scene, areas: &Areas) {
    let theme = cx.theme;
    let whole = areas.beside(areas.ruler).union(areas.ruler);
    let painter = ui.painter().with_clip_rect(whole);
    painter.rect_filled(whole, 0.0, theme.surface.panel);
    painter.hline(
        whole.x_range(),
        whole.bottom() - 0.5,
        Stroke::new(1.0, theme.line.separator),
    );
    let beside = areas.beside(areas.ruler);
    let small = FontId::proportional(theme.sizes.text.small);
    let left = pos2(beside.left() + 10.0, beside.center().y);
    painter.text(
        left,
        Align2::LEFT_CENTER,
        format!("{} + t", scene.origin),
        small.clone(),
        theme.text.muted,
    );
    if !open
        .workspace
        .run()
        .members()
        .iter()
        .all(|it| it.trace.devices().is_empty())
    {
        let right = pos2(beside.right() - 10.0, beside.center().y);
        painter.text(
            right,
            Align2::RIGHT_CENTER,
            "busy %",
            small,
            theme.text.muted,
        );
    }
    let painter = ui.painter().with_clip_rect(areas.ruler);
    let font = FontId::monospace(theme.sizes.text.ruler);
    for tick in &scene.ticks {
        let x = (areas.ruler.left() + tick.x).round() + 0.5;
        painter.vline(
            x,
            areas.ruler.bottom() - 5.0..=areas.ruler.bottom(),
            Stroke::new(1.0, theme.line.border),
        );
        let color = if tick.is_origin {
            theme.text.primary
        } else {
            theme.text.secondary
        };
        let galley = painter.layout_no_wrap(tick.label.clone(), font.clone(), color);
        let at = pos2(x + 4.0, areas.ruler.center().y - galley.size().y / 2.0);
        // Half a figure would be another figure.
        if at.x + galley.size().x <= areas.ruler.right() {
            painter.galley(at, galley, color);
        }
    }
}

pub(super) fn paint_steps(ui: &Ui, cx: &Cx<'_>, scene: &Scene, areas: &Areas) {
    if areas.steps.height() < 1.0 {
        return;
    }
    let theme = cx.theme;
    let beside = areas.beside(areas.steps);
    let painter = ui.painter().with_clip_rect(beside.union(areas.steps));
    painter.rect_filled(beside.union(areas.steps), 0.0, theme.surface.panel);
    let small = FontId::proportional(theme.sizes.text.small);
    let at = pos2(beside.left() + 37.0, beside.center().y);
    painter.text(
        at,
        Align2::LEFT_CENTER,
        "Steps",
        small.clone(),
        theme.text.muted,
    );
    let painter = ui.painter().with_clip_rect(areas.steps);
    let stride = stride_of(&scene.steps);
    let place = |step: &StepBox| {
        let [from, to] = step.x.map(|it| areas.steps.left() + it);
        Rect::from_x_y_ranges(from..=to, areas.steps.y_range())
    };
    for step in &scene.steps {
        let shown = place(step).intersect(areas.steps);
        let fill = theme.surface.header;
        painter.rect_filled(shown.shrink2(egui::vec2(0.0, 1.0)), 0.0, fill);
        let ink = if step.number.is_multiple_of(stride) {
            theme.line.step
        } else {
            theme.line.border
        };
        let x = place(step).left().round() + 0.5;
        painter.vline(x, areas.steps.y_range(), Stroke::new(1.0, ink));
    }
    for step in &scene.steps {
        let shown = place(step).intersect(areas.steps);
        step_texts(&painter, theme, step, shown, stride);
    }
}

/// Of how many steps one has its number: all, where they have room.
fn stride_of(steps: &[StepBox]) -> u64 {
    let (Some(first), Some(last)) = (steps.first(), steps.last()) else {
        return 1;
    };
    stride(steps.len(), last.x[1] - first.x[0])
}

/// Name and duration of a step; where that is too much its number and duration, then its number alone.
/// Where steps are narrower than numbers, the numbers of some reach over the next ones.
fn step_texts(painter: &egui::Painter, theme: &Theme, step: &StepBox, room: Rect, stride: u64) {
    let small = FontId::proportional(theme.sizes.text.small);
    let mono = FontId::monospace(theme.sizes.text.ruler);
    let laid = |text: String, font: &FontId, color| {
        let galley = painter.layout_no_wrap(text, font.clone(), color);
        let width = galley.size().x + 2.0 * STEP_PAD;
        (galley, width)
    };
    let (duration, duration_width) = laid(text::duration(step.dur.0), &mono, theme.text.muted);
    let place = |x: f32, height: f32| pos2(x, room.center().y - height / 2.0);
    for (name, and_duration) in [
        (format!("ProfilerStep#{}", step.number), true),
        (step.number.to_string(), true),
        (step.number.to_string(), false),
    ] {
        let (name, width) = laid(name, &small, theme.text.secondary);
        let beside = if and_duration { duration_width } else { 0.0 };
        let may_reach_over = !and_duration && stride > 1;
        if width + beside > room.width() && !may_reach_over {
            continue;
        }
        if may_reach_over && !step.number.is_multiple_of(stride) {
            return;
        }
        let at = place(room.left() + STEP_PAD, name.size().y);
        if may_reach_over {
            let plate = Rect::from_min_size(at, name.size());
            painter.rect_filled(plate, 0.0, theme.surface.header);
        }
        painter.galley(at, name, theme.text.secondary);
        if and_duration {
            let x = room.right() - STEP_PAD - duration.size().x;
            let height = duration.size().y;
            painter.galley(place(x, height), duration, theme.text.muted);
        }
        return;
    }
}
