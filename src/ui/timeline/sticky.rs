//! The header of the rank whose lanes are at the top, where it has scrolled out: it stays at the top of
//! the lanes that scroll, and the next rank pushes it up.

use egui::{Stroke, Ui};

use crate::ui::panel::OpenRun;
use crate::ui::theme::Theme;
use crate::ui::timeline::area::Areas;
use crate::ui::timeline::paint::{halves, lane_rect};
use crate::view::{Busy, Lane, LaneBox, LaneKey, Scene};

/// The header that stays.
pub(super) struct Sticky {
    lane: LaneBox,
    /// Points from the top of the lanes that scroll.
    y: f32,
}

impl Sticky {
    pub(super) fn of(open: &OpenRun<'_>, scene: &Scene) -> Option<Self> {
        let under = scene.pinned_height;
        let first = scene.scrolled().first()?;
        if first.lane.level == 0 && first.y >= under {
            return None;
        }
        let key = LaneKey::Rank(first.lane.key.trace());
        let lane: &Lane = open.view.lanes().iter().find(|it| it.key == key)?;
        if lane.is_heat {
            return None;
        }
        let mut lanes = scene.scrolled().iter();
        let next = lanes.find(|it| it.lane.level == 0 && it.y > under);
        let y = next.map_or(0.0, |it| (it.y - under - lane.height).min(0.0));
        let known = scene.scrolled().iter().find(|it| it.lane.key == key);
        let lane = LaneBox {
            lane: lane.clone(),
            y: under + y,
            busy: known.map_or_else(|| busy_of(open, scene, lane), |it| it.busy),
            rows: Vec::new(),
            shares: Vec::new(),
            counter: None,
        };
        Some(Self { lane, y })
    }

    pub(super) fn lane(&self) -> &LaneBox {
        &self.lane
    }

    /// Points from the top of the lanes that scroll that it covers.
    pub(super) fn covers(&self) -> f32 {
        self.y + self.lane.lane.height
    }

    /// Whether it covers a place so many points from the top of all lanes.
    pub(super) fn is_over(&self, y: f32) -> bool {
        let under = self.lane.y - self.y;
        (under..under + self.covers()).contains(&y)
    }

    /// Its row, so that nobody takes the lanes below it for those of the header.
    pub(super) fn paint_row(&self, ui: &Ui, theme: &Theme, scene: &Scene, areas: &Areas) {
        let painter = ui.painter().with_clip_rect(halves(scene, areas.lanes)[0]);
        let row = lane_rect(areas.lanes, &self.lane);
        painter.rect_filled(row, 0.0, theme.surface.header);
        let line = Stroke::new(theme.sizes.stroke.hair, theme.line.separator);
        painter.hline(row.x_range(), row.bottom() - 0.5, line);
    }
}

fn busy_of(open: &OpenRun<'_>, scene: &Scene, lane: &Lane) -> Busy {
    open.workspace
        .parts_of_only_device(lane.key.trace(), scene.axis.stretch.range())
        .map_or(Busy::None, Busy::Parts)
}
