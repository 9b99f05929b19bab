//! What is drawn over the lanes: outlines of the hovered and the selected span, the lines from launches
//! to their work, and what tells how far one of them is.

use egui::epaint::Shape;
use egui::{Rect, Stroke, StrokeKind, Ui, pos2};

use crate::model::SpanRef;
use crate::ui::panel::{Cx, OpenRun};
use crate::ui::theme::Theme;
use crate::ui::timeline::chips::{Chip, ends};
use crate::ui::timeline::paint::{half_of, row_rect};
use crate::view::{Hit, LinkLine, Scene, row_of};

/// Outlines of what is hovered and selected, and the line of its launch.
pub(super) fn paint_marks(
    ui: &Ui,
    cx: &Cx<'_>,
    open: &OpenRun<'_>,
    (scene, chips): (&Scene, &[Chip]),
    area: Rect,
    hit: Option<&Hit>,
) {
    let painter = ui.painter().with_clip_rect(area);
    let theme = cx.theme;
    for link in &scene.links {
        paint_link(&painter, theme, link, area, scene.links.len() > 1);
    }
    for chip in chips {
        chip.paint(&painter, theme);
    }
    if let Some(Hit::Span(at)) = hit
        && let Some((rect, half)) = span_rect(open, scene, area, *at)
    {
        painter.with_clip_rect(half).rect_stroke(
            rect,
            1.0,
            Stroke::new(1.0, theme.state.hover),
            StrokeKind::Outside,
        );
    }
    for at in open.view.selected().spans() {
        if let Some((rect, half)) = span_rect(open, scene, area, *at) {
            paint_selected(&painter.with_clip_rect(half), theme, rect);
        }
    }
}

fn paint_selected(painter: &egui::Painter, theme: &Theme, rect: Rect) {
    let halo = Stroke::new(
        theme.sizes.stroke.selection_halo,
        theme.state.selection_halo,
    );
    painter.rect_stroke(rect.expand(2.0), 2.0, halo, StrokeKind::Outside);
    let edge = Stroke::new(theme.sizes.stroke.selection, theme.state.selection);
    painter.rect_stroke(rect, 1.0, edge, StrokeKind::Outside);
}

/// Where a span is drawn, and in which half of the lanes.
fn span_rect(open: &OpenRun<'_>, scene: &Scene, area: Rect, at: SpanRef) -> Option<(Rect, Rect)> {
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
    let rect = Rect::from_min_max(
        pos2(left, rect.top() + 1.0),
        pos2(right.max(left + 1.0), rect.bottom() - 1.0),
    );
    Some((rect, half_of(scene, area, lane)))
}

/// The line from a launch to its work where both are in view.
fn paint_link(
    painter: &egui::Painter,
    theme: &Theme,
    link: &LinkLine,
    area: Rect,
    is_one_of_many: bool,
) {
    let faint = if is_one_of_many { 0.35 } else { 1.0 };
    let stroke = Stroke::new(1.0, theme.state.link.gamma_multiply(faint));
    let [Some(from), Some(to)] = ends(link, area) else {
        return;
    };
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
