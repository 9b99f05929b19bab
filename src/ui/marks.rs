//! Small painted signs: shapes of severity, the menu's three lines, an arrow that opens.

use egui::{Color32, Painter, Pos2, Shape, Stroke, pos2, vec2};

use crate::model::Severity;
use crate::ui::theme::Theme;

/// A filled triangle is high, a filled diamond medium, a ring low, a dot a note.
pub(crate) fn severity_mark(painter: &Painter, center: Pos2, severity: Severity, theme: &Theme) {
    let half = theme.sizes.stroke.severity_mark / 2.0;
    let at = |x: f32, y: f32| center + vec2(x * half, y * half);
    let polygon =
        |points: Vec<Pos2>, ink: Color32| Shape::convex_polygon(points, ink, Stroke::NONE);
    let ink = severity_ink(severity, theme);
    painter.add(match severity {
        Severity::High => polygon(vec![at(0.0, -1.0), at(1.1, 0.9), at(-1.1, 0.9)], ink),
        Severity::Medium => polygon(
            vec![at(0.0, -1.15), at(1.15, 0.0), at(0.0, 1.15), at(-1.15, 0.0)],
            ink,
        ),
        Severity::Low => Shape::circle_stroke(center, half * 0.85, Stroke::new(1.5, ink)),
        Severity::Note => Shape::circle_filled(center, half * 0.5, ink),
    });
}

fn severity_ink(severity: Severity, theme: &Theme) -> Color32 {
    match severity {
        Severity::High => theme.severity.high,
        Severity::Medium => theme.severity.medium,
        Severity::Low => theme.severity.low,
        Severity::Note => theme.severity.good,
    }
}

/// Three lines, one above the other.
pub(crate) fn menu_mark(painter: &Painter, center: Pos2, ink: Color32) {
    for y in [-4.0, 0.0, 4.0] {
        let ends = [center + vec2(-6.0, y), center + vec2(6.0, y)];
        painter.line_segment(ends, Stroke::new(1.5, ink));
    }
}

/// A rectangle of dashes.
pub(crate) fn dashed_edge(painter: &Painter, rect: egui::Rect, stroke: Stroke) {
    let rect = rect.shrink(0.5);
    let corners = [
        rect.left_top(),
        rect.right_top(),
        rect.right_bottom(),
        rect.left_bottom(),
        rect.left_top(),
    ];
    painter.extend(Shape::dashed_line(&corners, stroke, 5.0, 4.0));
}

/// Bars of two streams with a gap, as the start screen shows them; 182 by 30 points.
pub(crate) fn emblem(painter: &Painter, center: Pos2, theme: &Theme) {
    let (data, gap) = (&theme.data, theme.gap.data_loading);
    let origin = center - vec2(91.0, 15.0);
    let bars = [
        (0.0, 32.0, 0.0, data.gemm),
        (36.0, 12.0, 0.0, data.elementwise),
        (52.0, 28.0, 0.0, data.attention),
        (132.0, 50.0, 0.0, data.gemm),
        (20.0, 56.0, 16.0, data.communication),
        (140.0, 28.0, 16.0, data.communication),
    ];
    for (x, width, y, ink) in bars {
        let rect = egui::Rect::from_min_size(origin + vec2(x, y), vec2(width, 13.0));
        painter.rect_filled(rect, 1.0, ink.gamma_multiply(0.85));
    }
    let rect = egui::Rect::from_min_size(origin + vec2(84.0, 0.0), vec2(46.0, 29.0));
    crossed_hatch(
        painter,
        rect,
        theme.sizes.gap_mark.hatch_pitch,
        Stroke::new(1.0, gap.gamma_multiply(0.5)),
    );
    for x in [rect.left(), rect.right()] {
        painter.vline(x, rect.y_range(), Stroke::new(1.5, gap));
    }
}

fn crossed_hatch(painter: &Painter, rect: egui::Rect, pitch: f32, stroke: Stroke) {
    let painter = painter.with_clip_rect(rect);
    let mut x = rect.left() - rect.height();
    while x < rect.right() {
        let (left, right) = (x, x + rect.height());
        painter.line_segment([pos2(left, rect.bottom()), pos2(right, rect.top())], stroke);
        painter.line_segment([pos2(left, rect.top()), pos2(right, rect.bottom())], stroke);
        x += pitch;
    }
}
