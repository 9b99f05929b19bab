//! What is drawn over the lanes: outlines of the hovered and the selected span, and the lines from
//! launches to their work.

use egui::epaint::Shape;
use egui::{Pos2, Rect, Stroke, StrokeKind, Ui, pos2};

use crate::model::SpanRef;
use crate::ui::panel::{Cx, OpenRun};
use crate::ui::theme::Theme;
use crate::ui::timeline::paint::row_rect;
use crate::view::{Hit, LinkLine, Scene, row_of};

/// Outlines of what is hovered and selected, and the line of its launch.
pub(super) fn paint_marks(
    ui: &Ui,
    cx: &Cx<'_>,
    open: &OpenRun<'_>,
    scene: &Scene,
    area: Rect,
    hit: Option<&Hit>,
) {
    let painter = ui.painter().with_clip_rect(area);
    let theme = cx.theme;
    for link in &scene.links {
        paint_link(&painter, theme, link, area, scene.links.len() > 1);
    }
    if let Some(Hit::Span(at)) = hit
        && let Some(rect) = span_rect(open, scene, area, *at)
    {
        painter.rect_stroke(
            rect,
            1.0,
            Stroke::new(1.0, theme.state.hover),
            StrokeKind::Outside,
        );
    }
    if let Some(at) = open.view.selection()
        && let Some(rect) = span_rect(open, scene, area, at)
    {
        let halo = Stroke::new(
            theme.sizes.stroke.selection_halo,
            theme.state.selection_halo,
        );
        painter.rect_stroke(rect.expand(2.0), 2.0, halo, StrokeKind::Outside);
        let edge = Stroke::new(theme.sizes.stroke.selection, theme.state.selection);
        painter.rect_stroke(rect, 1.0, edge, StrokeKind::Outside);
    }
}

fn span_rect(open: &OpenRun<'_>, scene: &Scene, area: Rect, at: SpanRef) -> Option<Rect> {
    let run = open.workspace.run();
    let (lane, row) = row_of(run, &scene.lanes, at)?;
    let range = run.range_of(at);
    let rect = row_rect(area, lane, row);
    let left = area.left()
        + scene
            .axis
            .x_from_time(range.start)
            .clamp(-10.0, area.width() + 10.0);
    let right = area.left()
        + scene
            .axis
            .x_from_time(range.end)
            .clamp(-10.0, area.width() + 10.0);
    Some(Rect::from_min_max(
        pos2(left, rect.top() + 1.0),
        pos2(right.max(left + 1.0), rect.bottom() - 1.0),
    ))
}

/// The line from a launch to its work. Where one end is out of view, a dashed line to the border and
/// how far beyond it the end is.
fn paint_link(
    painter: &egui::Painter,
    theme: &Theme,
    link: &LinkLine,
    area: Rect,
    is_one_of_many: bool,
) {
    let faint = if is_one_of_many { 0.35 } else { 1.0 };
    let stroke = Stroke::new(1.0, theme.state.link.gamma_multiply(faint));
    let ends = [0, 1].map(|end| {
        let in_view = (0.0..=area.width()).contains(&link.x[end]);
        let y = link.y[end].filter(|_| in_view)?;
        Some(pos2(area.left() + link.x[end], area.top() + y))
    });
    match ends {
        [Some(from), Some(to)] => {
            painter.line_segment([from, to], stroke);
            painter.circle_filled(from, 2.5, theme.state.link);
            let tip = [
                to,
                pos2(to.x - 6.0, to.y - 3.0),
                pos2(to.x - 6.0, to.y + 3.0),
            ];
            let ink = theme.state.link;
            painter.add(Shape::convex_polygon(tip.to_vec(), ink, Stroke::NONE));
        }
        [None, Some(at)] => paint_far_end(painter, theme, link, (at, 0), area),
        [Some(at), None] => paint_far_end(painter, theme, link, (at, 1), area),
        [None, None] => {}
    }
}

/// From the end at `at` towards the one of number `far`.
fn paint_far_end(
    painter: &egui::Painter,
    theme: &Theme,
    link: &LinkLine,
    (at, far): (Pos2, usize),
    area: Rect,
) {
    let ink = theme.state.link;
    let row = at.y;
    // Below the row, so that it strikes through no label.
    let at = pos2(at.x, row + 12.0);
    let is_left = area.left() + link.x[far] < at.x;
    let edge = pos2(
        (area.left() + link.x[far]).clamp(area.left() + 4.0, area.right() - 4.0),
        at.y,
    );
    let delay = crate::base::text::duration(link.delay.0.saturating_abs());
    let [before, after] = if link.delay.0 < 0 {
        ["later", "earlier"]
    } else {
        ["earlier", "later"]
    };
    let text = if far == 0 {
        format!("launched {delay} {before}  [")
    } else {
        format!("runs {delay} {after}  ]")
    };
    let font = egui::FontId::proportional(theme.sizes.text.bar_label);
    let galley = painter.layout_no_wrap(text, font, ink);
    let width = galley.size().x;
    let left = if is_left {
        edge.x + 14.0
    } else {
        edge.x - 14.0 - width
    };
    let left = left.clamp(
        area.left() + 4.0,
        (area.right() - width - 4.0).max(area.left() + 4.0),
    );
    let dashes = Shape::dashed_line(&[at, edge], Stroke::new(1.0, ink), 3.0, 4.0);
    painter.extend(dashes);
    let back = if is_left { 6.0 } else { -6.0 };
    let tip = [
        edge,
        pos2(edge.x + back, edge.y - 3.0),
        pos2(edge.x + back, edge.y + 3.0),
    ];
    painter.add(Shape::convex_polygon(tip.to_vec(), ink, Stroke::NONE));
    // In the row where there is room, as half a label under it cannot be read; else under the span.
    let is_beside = (at.x - edge.x).abs() >= width + 24.0;
    let middle = if is_beside { row } else { at.y };
    let place = pos2(left, middle - galley.size().y / 2.0);
    let plate = Rect::from_min_size(place, galley.size()).expand2(egui::vec2(4.0, 1.0));
    let border = Stroke::new(theme.sizes.stroke.hair, theme.line.border);
    painter.rect(plate, 2.0, theme.surface.canvas, border, StrokeKind::Inside);
    painter.galley(place, galley, ink);
}
