//! Lays out the central area and ties its parts together. The scene is drawn anew only when the view,
//! the run or the size changes.

use std::sync::Arc;

use egui::{Rect, Sense, Ui, pos2, vec2};

use crate::ui::panel::{Cx, OpenRun};
use crate::ui::timeline::chips::Chip;
use crate::ui::timeline::header_input::headers_input;
use crate::ui::timeline::headers::paint_headers;
use crate::ui::timeline::input::{keys, lanes_input, ruler_input};
use crate::ui::timeline::labels::Labels;
use crate::ui::timeline::marks::paint_marks;
use crate::ui::timeline::overview::overview_ui;
use crate::ui::timeline::paint::{Meshes, paint_lanes};
use crate::ui::timeline::ruler::{paint_ruler, paint_steps};
use crate::ui::timeline::scroll_mark::scroll_mark_ui;
use crate::ui::timeline::sticky::Sticky;
use crate::ui::timeline::tooltip::{hit_sentence, hit_ui};
use crate::view::{Hit, Scene, SceneSize, Shares, overview, scene};

/// What a frame of the timeline tells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TimelineFeedback {
    /// Points of the lanes area, which bounds scrolling.
    pub lanes_height: f32,
    /// What is under the pointer, in one sentence.
    pub hovered: Option<String>,
}

/// The timeline and what it keeps between frames.
#[derive(Default)]
pub struct Timeline {
    scene: Option<(Key, Arc<Scene>)>,
    overview: Option<(Key, Arc<[Shares]>)>,
    labels: Labels,
    /// What the lanes were painted with last.
    meshes: Meshes,
}

/// What a drawing depends on.
#[derive(Clone, Copy, PartialEq)]
struct Key {
    view: u64,
    workspace: u64,
    size: SceneSize,
}

/// The rectangles of the area.
#[derive(Clone, Copy)]
pub(super) struct Areas {
    pub(super) overview: Rect,
    pub(super) ruler: Rect,
    pub(super) steps: Rect,
    pub(super) headers: Rect,
    pub(super) lanes: Rect,
}

impl Areas {
    fn of(rect: Rect, header_width: f32, heights: [f32; 3]) -> Self {
        let left = (rect.left() + header_width).min(rect.right() - 1.0);
        let mut top = rect.top();
        let mut row = |height: f32| {
            let row = Rect::from_min_max(pos2(left, top), pos2(rect.right(), top + height));
            top += height;
            row
        };
        let [overview, ruler, steps] = heights.map(&mut row);
        let lanes = Rect::from_min_max(pos2(left, top), rect.max.max(pos2(left + 1.0, top + 1.0)));
        let headers = Rect::from_min_max(pos2(rect.left(), top), pos2(left, lanes.bottom()));
        Self {
            overview,
            ruler,
            steps,
            headers,
            lanes,
        }
    }

    /// The part of the header column beside a row.
    pub(super) fn beside(&self, row: Rect) -> Rect {
        Rect::from_min_max(
            pos2(self.headers.left(), row.top()),
            pos2(row.left(), row.bottom()),
        )
    }
}

impl Timeline {
    pub fn ui(&mut self, ui: &mut Ui, cx: &Cx<'_>, open: &OpenRun<'_>) -> TimelineFeedback {
        let sizes = &cx.theme.sizes;
        let rect = ui.available_rect_before_wrap();
        let low = ui.ctx().content_rect().height() < 700.0;
        let run = open.workspace.run();
        let has_overview = !run.members().is_empty();
        let has_work = run
            .members()
            .iter()
            .any(|it| !it.trace.devices().is_empty());
        let heights = [
            if has_overview {
                if low || !has_work {
                    28.0
                } else {
                    sizes.overview
                }
            } else {
                0.0
            },
            sizes.ruler,
            if open.workspace.steps().is_empty() {
                0.0
            } else {
                sizes.lane.steps
            },
        ];
        let areas = Areas::of(rect, sizes.lane_header_width, heights);
        let scene = self.scene(ui, open, areas.lanes);
        ui.painter().rect_filled(rect, 0.0, cx.theme.surface.canvas);
        let response = ui.interact(
            areas.lanes,
            ui.scope_id().with("lanes"),
            Sense::click_and_drag(),
        );
        response.widget_info(|| {
            let lanes = format!("Timeline, {} lanes in view", scene.lanes.len());
            egui::WidgetInfo::labeled(egui::Role::Canvas, true, lanes)
        });
        let shares = self.shares(open, scene.size);
        overview_ui(ui, cx, open, (&scene, &shares), &areas);
        paint_ruler(ui, cx, open, &scene, &areas);
        paint_steps(ui, cx, &scene, &areas);
        let sticky = Sticky::of(open, &scene);
        let hit = hovered(ui, open, &scene, areas.lanes, &response)
            .filter(|it| sticky.as_ref().is_none_or(|sticky| !sticky.is_over(it.1)))
            .map(|it| it.0);
        let chips = Chip::of_links(ui, cx.theme, &scene, areas.lanes);
        paint_lanes(
            ui,
            cx,
            open,
            (&scene, &chips),
            areas.lanes,
            &mut self.meshes,
            &mut self.labels,
        );
        paint_marks(ui, cx, open, (&scene, &chips), areas.lanes, hit.as_ref());
        paint_headers(ui, cx, open, (&scene, &areas), sticky.as_ref());
        headers_input(ui, cx, open, (&scene, &areas), sticky.as_ref());
        scroll_mark_ui(ui, cx, open, areas.lanes);
        ruler_input(ui, cx, &scene, &areas);
        lanes_input(ui, cx, open, &scene, &areas, &response, hit.as_ref());
        keys(ui, cx, &scene, areas.lanes);
        let hovered = hit.as_ref().map(|it| hit_sentence(open, it));
        if let Some(hit) = &hit {
            let at_pointer = response.on_hover_ui_at_pointer(|ui| hit_ui(ui, cx, open, hit));
            drop(at_pointer);
        }
        ui.advance_cursor_after_rect(rect);
        TimelineFeedback {
            lanes_height: areas.lanes.height(),
            hovered,
        }
    }

    /// The overview of the run, made anew only with the run or the width.
    fn shares(&mut self, open: &OpenRun<'_>, size: SceneSize) -> Arc<[Shares]> {
        let size = SceneSize {
            height: 0.0,
            ..size
        };
        let key = Key {
            view: 0,
            workspace: open.workspace.revision(),
            size,
        };
        if let Some((old, shares)) = &self.overview
            && *old == key
        {
            return Arc::clone(shares);
        }
        let shares: Arc<[Shares]> = overview(open.workspace, size).into();
        self.overview = Some((key, Arc::clone(&shares)));
        shares
    }

    fn scene(&mut self, ui: &Ui, open: &OpenRun<'_>, lanes: Rect) -> Arc<Scene> {
        let size = SceneSize {
            width: lanes.width(),
            height: lanes.height(),
            pixels_per_point: ui.ctx().pixels_per_point(),
        };
        let key = Key {
            view: open.view.revision(),
            workspace: open.workspace.revision(),
            size,
        };
        if let Some((old, scene)) = &self.scene
            && *old == key
        {
            return Arc::clone(scene);
        }
        if self
            .scene
            .as_ref()
            .is_none_or(|it| it.0.workspace != key.workspace)
        {
            self.labels = Labels::default();
        }
        let scene = Arc::new(scene(open.view, open.workspace, open.outline, size));
        self.scene = Some((key, Arc::clone(&scene)));
        scene
    }
}

/// What is under the pointer, and how far below the top of the lanes.
fn hovered(
    ui: &Ui,
    open: &OpenRun<'_>,
    scene: &Scene,
    lanes: Rect,
    response: &egui::Response,
) -> Option<(Hit, f32)> {
    let at = response.hover_pos().filter(|it| lanes.contains(*it))?;
    if ui.input(|it| it.pointer.is_decidedly_dragging()) {
        return None;
    }
    let place = at - lanes.min;
    let hit = scene.hit(open.workspace, place.x, place.y)?;
    Some((hit, place.y))
}

/// Rounds to whole pixels, so that hairlines and bars stand sharp.
pub(super) fn snapped(rect: Rect, pixels_per_point: f32) -> Rect {
    let snap = |it: f32| (it * pixels_per_point).round() / pixels_per_point;
    Rect::from_min_size(
        pos2(snap(rect.left()), snap(rect.top())),
        vec2(
            snap(rect.right()) - snap(rect.left()),
            snap(rect.bottom()) - snap(rect.top()),
        ),
    )
}
