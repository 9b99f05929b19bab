//! What tells how far beyond the view a launch or its work is: a dashed line to the border and a chip
//! with the time. Laid out before labels are painted, so that none stands half under a chip.

use std::sync::Arc;

use egui::epaint::Shape;
use egui::{FontId, Galley, Painter, Pos2, Rect, Stroke, StrokeKind, Ui, pos2, vec2};

use crate::base::text;
use crate::ui::theme::Theme;
use crate::view::{LinkLine, Scene};

/// Points from the middle of a row to the dashed line: below the row, so that it strikes no label.
const BELOW: f32 = 12.0;

/// A chip with its line.
pub(super) struct Chip {
    /// From the end in view to the border.
    line: [Pos2; 2],
    plate: Rect,
    text: Arc<Galley>,
}

impl Chip {
    /// One for each link of which one end is in view.
    pub(super) fn of_links(ui: &Ui, theme: &Theme, scene: &Scene, area: Rect) -> Vec<Self> {
        let far = |link: &LinkLine| match ends(link, area) {
            [None, Some(at)] => Some(Self::new(ui, theme, link, (at, 0), area)),
            [Some(at), None] => Some(Self::new(ui, theme, link, (at, 1), area)),
            _ => None,
        };
        scene.links.iter().filter_map(far).collect()
    }

    /// From the end at `at` towards the one of number `far`.
    fn new(ui: &Ui, theme: &Theme, link: &LinkLine, (at, far): (Pos2, usize), area: Rect) -> Self {
        let font = FontId::proportional(theme.sizes.text.bar_label);
        let says = says(link, far);
        let text = ui.painter().layout_no_wrap(says, font, theme.state.link);
        let size = text.size();
        let far_x = area.left() + link.x[far];
        let edge = far_x.clamp(area.left() + 4.0, area.right() - 4.0);
        let left = if far_x < at.x {
            edge + 14.0
        } else {
            edge - 14.0 - size.x
        };
        let most = (area.right() - size.x - 4.0).max(area.left() + 4.0);
        let left = left.clamp(area.left() + 4.0, most);
        // In the row where there is room, else under the span.
        let is_beside = (at.x - edge).abs() >= size.x + 24.0;
        let middle = if is_beside { at.y } else { at.y + BELOW };
        let plate = Rect::from_min_size(pos2(left, middle - size.y / 2.0), size);
        Self {
            line: [pos2(at.x, at.y + BELOW), pos2(edge, at.y + BELOW)],
            plate: plate.expand2(vec2(4.0, 1.0)),
            text,
        }
    }

    pub(super) fn covers(&self, rect: Rect) -> bool {
        self.plate.intersects(rect)
    }

    pub(super) fn paint(&self, painter: &Painter, theme: &Theme) {
        let ink = theme.state.link;
        let dashes = Shape::dashed_line(&self.line, Stroke::new(1.0, ink), 3.0, 4.0);
        painter.extend(dashes);
        let [from, edge] = self.line;
        let back = if edge.x < from.x { 6.0 } else { -6.0 };
        let tip = [edge, edge + vec2(back, -3.0), edge + vec2(back, 3.0)];
        painter.add(Shape::convex_polygon(tip.to_vec(), ink, Stroke::NONE));
        let border = Stroke::new(theme.sizes.stroke.hair, theme.line.border);
        let fill = theme.surface.canvas;
        painter.rect(self.plate, 2.0, fill, border, StrokeKind::Inside);
        let at = self.plate.min + vec2(4.0, 1.0);
        painter.galley(at, Arc::clone(&self.text), ink);
    }
}

/// Where launch and work of a link are, as far as they are in view.
pub(super) fn ends(link: &LinkLine, area: Rect) -> [Option<Pos2>; 2] {
    [0, 1].map(|end| {
        let in_view = (0.0..=area.width()).contains(&link.x[end]);
        let y = link.y[end].filter(|_| in_view)?;
        Some(pos2(area.left() + link.x[end], area.top() + y))
    })
}

/// `launched 2.8 ms earlier  [`, with the key that leads there.
fn says(link: &LinkLine, far: usize) -> String {
    let delay = text::duration(link.delay.0.saturating_abs());
    let [before, after] = if link.delay.0 < 0 {
        ["later", "earlier"]
    } else {
        ["earlier", "later"]
    };
    if far == 0 {
        format!("launched {delay} {before}  [")
    } else {
        format!("runs {delay} {after}  ]")
    }
}
