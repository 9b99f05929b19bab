//! Severity as a shape: triangle, diamond, ring, dot.

use egui::{Painter, Pos2, Shape, Stroke, vec2};

use crate::model::Severity;
use crate::ui::theme::Theme;

/// Paints the mark of a severity around `center`.
pub(crate) fn severity_mark(painter: &Painter, center: Pos2, severity: Severity, theme: &Theme) {
    let half = theme.sizes.stroke.severity_mark / 2.0;
    match severity {
        Severity::High => {
            let points =
                [vec2(0.0, -half), vec2(half, half), vec2(-half, half)].map(|it| center + it);
            painter.add(Shape::convex_polygon(
                points.to_vec(),
                theme.severity.high,
                Stroke::NONE,
            ));
        }
        Severity::Medium => {
            let points = [
                vec2(0.0, -half),
                vec2(half, 0.0),
                vec2(0.0, half),
                vec2(-half, 0.0),
            ]
            .map(|it| center + it);
            painter.add(Shape::convex_polygon(
                points.to_vec(),
                theme.severity.medium,
                Stroke::NONE,
            ));
        }
        Severity::Low => {
            painter.circle_stroke(center, half - 1.0, Stroke::new(1.5, theme.severity.low));
        }
        Severity::Note => {
            painter.circle_filled(center, 2.0, theme.severity.good);
        }
    }
}

/// The mark as a widget of its own size.
pub(crate) fn severity_ui(ui: &mut egui::Ui, severity: Severity, theme: &Theme) {
    let (rect, response) = ui.allocate_exact_size(vec2(12.0, 14.0), egui::Sense::hover());
    severity_mark(ui.painter(), rect.center(), severity, theme);
    response.on_hover_text(severity.word());
}
