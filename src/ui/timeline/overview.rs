//! The whole run at a glance: compute from the bottom, exposed communication on it, and the box of
//! the view. Drag moves the box, a click centers it, a double-click shows everything.

use egui::epaint::Mesh;
use egui::{Align2, FontId, Rect, Shape, Stroke, StrokeKind, Ui, pos2};

use crate::base::text;
use crate::ui::panel::{Cx, OpenRun};
use crate::ui::theme::Theme;
use crate::ui::timeline::area::Areas;
use crate::ui::timeline::overview_input::overview_input;
use crate::view::{Axis, Scene, Shares, Stretch};

/// Points that the view box is wide at least.
const BOX_MIN: f32 = 4.0;

/// Points from the number of one step to the next, in the mean.
const NUMBERS_APART: f32 = 40.0;

/// Points from one line of text to the next.
const LINE: f32 = 15.0;

pub(super) fn overview_ui(
    ui: &Ui,
    cx: &Cx<'_>,
    open: &OpenRun<'_>,
    (scene, shares): (&Scene, &[Shares]),
    areas: &Areas,
) {
    let area = areas.overview;
    if area.height() < 1.0 {
        return;
    }
    let theme = cx.theme;
    let axis = Axis::new(Stretch::of(open.workspace.run().extent()), area.width());
    let painter = ui.painter().with_clip_rect(areas.beside(area).union(area));
    painter.rect_filled(areas.beside(area), 0.0, theme.surface.panel);
    paint_texts(&painter, theme, open, scene, areas.beside(area));
    let chart = Rect::from_min_max(
        pos2(
            area.left(),
            area.top() + if area.height() > 40.0 { 16.0 } else { 2.0 },
        ),
        area.max,
    );
    painter.add(Shape::mesh(density(
        theme,
        shares,
        chart,
        ui.ctx().pixels_per_point(),
    )));
    paint_step_numbers(&painter, theme, open, &axis, area);
    let view = view_box(scene, &axis, area);
    for dimmed in [
        Rect::from_min_max(area.min, pos2(view.left(), area.bottom())),
        Rect::from_min_max(pos2(view.right(), area.top()), area.max),
    ] {
        painter.rect_filled(dimmed, 0.0, theme.surface.canvas.gamma_multiply(0.45));
    }
    painter.rect_stroke(
        view,
        0.0,
        Stroke::new(1.0, theme.state.range_edge),
        StrokeKind::Inside,
    );
    painter.hline(
        area.x_range(),
        area.bottom() - 0.5,
        Stroke::new(1.0, theme.line.separator),
    );
    overview_input(ui, cx, scene, &axis, area, view);
}

fn paint_texts(
    painter: &egui::Painter,
    theme: &Theme,
    open: &OpenRun<'_>,
    scene: &Scene,
    beside: Rect,
) {
    let body = FontId::proportional(theme.sizes.text.body);
    let small = FontId::proportional(theme.sizes.text.small);
    let left = beside.left() + 10.0;
    let whole = text::duration(open.workspace.run().extent().len().0);
    let steps = open.workspace.steps().len() as u64;
    let mut lines = vec![("Overview".to_owned(), body, theme.text.secondary)];
    let of_run = if steps > 0 {
        format!("{whole} · {}", text::plural(steps, "step", "steps"))
    } else {
        whole
    };
    lines.push((of_run, small.clone(), theme.text.muted));
    let shown = scene.axis.stretch.range().len();
    lines.push((
        format!("view {}", text::duration(shown.0)),
        small,
        theme.text.muted,
    ));
    if beside.height() < 40.0 {
        lines.drain(..2);
    }
    let first = beside.center().y - LINE * (lines.len() as f32 - 1.0) / 2.0;
    for (i, (line, font, color)) in lines.into_iter().enumerate() {
        let y = first + LINE * i as f32;
        painter.text(pos2(left, y), Align2::LEFT_CENTER, line, font, color);
    }
}

fn density(theme: &Theme, shares: &[Shares], chart: Rect, pixels: f32) -> Mesh {
    let mut mesh = Mesh::default();
    let mut at = 0;
    while at < shares.len() {
        let it = shares[at];
        let run = shares[at..]
            .iter()
            .take_while(|other| **other == it)
            .count();
        let x = |it: usize| chart.left() + it as f32 / pixels;
        let mut bottom = chart.bottom();
        let parts = [
            (it.compute_alone, theme.band.compute),
            (it.overlapped, theme.band.overlapped),
            (it.exposed_communication, theme.band.exposed_communication),
            (it.exposed_copy, theme.band.exposed_copy),
        ];
        let busy: f32 = parts.iter().map(|it| f32::from(it.0)).sum();
        // Where anything runs there is a point of it at least.
        let point = (chart.height() / 255.0).max(1.0 / busy.max(1.0));
        for (share, color) in parts.into_iter().filter(|it| it.0 > 0) {
            let top = bottom - point * f32::from(share);
            mesh.add_colored_rect(
                Rect::from_min_max(pos2(x(at), top), pos2(x(at + run), bottom)),
                color,
            );
            bottom = top;
        }
        at += run;
    }
    mesh
}

/// Boundaries and numbers of the steps; where steps stand close, those of every 2nd, 5th, 10th, ….
fn paint_step_numbers(
    painter: &egui::Painter,
    theme: &Theme,
    open: &OpenRun<'_>,
    axis: &Axis,
    area: Rect,
) {
    let steps = open.workspace.steps();
    if area.height() < 40.0 {
        return;
    }
    let font = FontId::monospace(theme.sizes.text.tiny);
    let stride = stride(steps.len(), area.width());
    // Counted off, not searched for: a frame costs the same however many steps there are.
    let (first, every) = first_and_every(steps.first().map_or(0, |it| it.number), stride);
    for step in steps.iter().skip(first).step_by(every) {
        let x = (area.left() + axis.x_from_time(step.range.start)).round() + 0.5;
        painter.vline(x, area.y_range(), Stroke::new(1.0, theme.line.grid_major));
        let at = pos2(x + 3.0, area.top() + 8.0);
        let number = step.number.to_string();
        let ink = theme.text.muted;
        painter.text(at, Align2::LEFT_CENTER, number, font.clone(), ink);
    }
}

/// How many steps stand before the first round number, and from one such to the next.
fn first_and_every(number: u64, stride: u64) -> (usize, usize) {
    let before = (stride - number % stride) % stride;
    let count = |it| usize::try_from(it).unwrap_or(usize::MAX);
    (count(before), count(stride))
}

/// Of how many steps one has its number, so that numbers stand [`NUMBERS_APART`] points apart.
pub(super) fn stride(steps: usize, width: f32) -> u64 {
    let fit = (width / NUMBERS_APART).max(1.0);
    let least = steps as f32 / fit;
    let powers = (0..19).map(|it| 10_u64.pow(it));
    let mut strides = powers.flat_map(|it| [it, it.saturating_mul(2), it.saturating_mul(5)]);
    strides.find(|it| *it as f32 >= least).unwrap_or(u64::MAX)
}

fn view_box(scene: &Scene, axis: &Axis, area: Rect) -> Rect {
    let stretch = scene.axis.stretch;
    let [from, to] = [stretch.start_ns, stretch.end_ns()]
        .map(|it| area.left() + axis.x_from_ns(it).clamp(0.0, area.width()));
    let grow = (BOX_MIN - (to - from)).max(0.0) / 2.0;
    Rect::from_min_max(
        pos2(from - grow, area.top()),
        pos2(to + grow, area.bottom()),
    )
    .intersect(area)
}

#[cfg(test)]
mod tests {
    use super::{first_and_every, stride};

    #[test]
    fn the_numbers_of_many_steps_stand_apart_and_are_round() {
        let strides = [5, 30, 258, 5000].map(|steps| stride(steps, 1200.0));
        assert_eq!(strides, [1, 1, 10, 200]);
        let placed = [(5, 1), (5, 10), (20, 10), (258, 200)].map(|it| first_and_every(it.0, it.1));
        assert_eq!(placed, [(0, 1), (5, 10), (0, 10), (142, 200)]);
    }
}
