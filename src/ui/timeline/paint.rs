//! Lanes as one mesh: bars, strips, bands, counters; then labels.

use std::sync::Arc;

use egui::epaint::{Mesh, Shape, Vertex, WHITE_UV};
use egui::{Color32, Pos2, Rect, Stroke, Ui, pos2};

use crate::model::Flags;
use crate::ui::panel::{Cx, OpenRun};
use crate::ui::theme::Theme;
use crate::ui::timeline::area::snapped;
use crate::ui::timeline::chips::Chip;
use crate::ui::timeline::inks::color_of;
use crate::ui::timeline::labels::Labels;
use crate::ui::timeline::shares::paint_shares;
use crate::view::{
    Bar, Bars, Content, CounterBox, Ink, LaneBox, LaneKey, RowBox, Scene, Steps, Texel,
};

/// Alpha of what stands for several spans.
const FOLD_ALPHA: f32 = 0.85;
/// Alpha of the activity of collapsed rows.
const UNION_ALPHA: f32 = 0.55;
/// The least share of its row that a fold is high.
const COVERAGE_MIN: f32 = 0.25;
/// Labels drawn in one frame.
const LABELS_MAX: usize = 6000;

/// The meshes of the lanes that scroll and of those above them.
pub(super) type Meshes = [Arc<Mesh>; 2];

pub(super) fn paint_lanes(
    ui: &Ui,
    cx: &Cx<'_>,
    open: &OpenRun<'_>,
    (scene, chips): (&Scene, &[Chip]),
    area: Rect,
    meshes: &mut Meshes,
    labels: &mut Labels,
) {
    paint_grid(&ui.painter().with_clip_rect(area), cx.theme, scene, area);
    let [under, above] = halves(scene, area);
    let parts = [(scene.scrolled(), under), (scene.pinned(), above)];
    for ((lanes, clip), mesh) in parts.into_iter().zip(meshes) {
        let painter = ui.painter().with_clip_rect(clip);
        let texts = fill_mesh(ui, cx, lanes, area, own(mesh));
        painter.add(Shape::Mesh(Arc::clone(mesh)));
        for text in texts.iter().take(LABELS_MAX) {
            labels.paint(&painter, cx.theme, open, text, chips);
        }
    }
    if !scene.pinned().is_empty() {
        let hair = Stroke::new(cx.theme.sizes.stroke.hair, cx.theme.line.border);
        let y = under.top().round() - 0.5;
        ui.painter().hline(area.x_range(), y, hair);
    }
}

/// The part of `area` in which lanes scroll, and the part above it.
pub(super) fn halves(scene: &Scene, area: Rect) -> [Rect; 2] {
    let (above, under) = area.split_top_bottom_at_y(area.top() + scene.pinned_height);
    [under, above]
}

/// The half in which a lane stands.
pub(super) fn half_of(scene: &Scene, area: Rect, lane: &LaneBox) -> Rect {
    let [under, above] = halves(scene, area);
    let is_pinned = scene.pinned().iter().any(|it| it.lane.key == lane.lane.key);
    if is_pinned { above } else { under }
}

/// The mesh of the frame before, emptied: its room is already there.
fn own(mesh: &mut Arc<Mesh>) -> &mut Mesh {
    if Arc::get_mut(mesh).is_none() {
        *mesh = Arc::default();
    }
    let mesh = Arc::make_mut(mesh);
    mesh.clear();
    mesh
}

/// Adds what all lanes show, and returns the bars that are wide enough for a label.
fn fill_mesh(
    ui: &Ui,
    cx: &Cx<'_>,
    lanes: &[LaneBox],
    area: Rect,
    mesh: &mut Mesh,
) -> Vec<LabelSpot> {
    let pixels = ui.ctx().pixels_per_point();
    let mut texts = Vec::new();
    for lane in lanes {
        for row in &lane.rows {
            let rect = row_rect(area, lane, row);
            match &row.content {
                Content::Bars(bars) => {
                    add_bars(mesh, cx.theme, bars, rect, pixels, &mut texts);
                }
                Content::Strip(strip) => {
                    add_strip(mesh, cx.theme, strip, rect, look_of(lane), pixels);
                }
            }
        }
        if !lane.shares.is_empty() {
            let heat = lane.lane.is_heat;
            let rect = lane_rect(area, lane).shrink2(egui::vec2(0.0, if heat { 1.0 } else { 0.0 }));
            paint_shares(mesh, cx.theme, &lane.shares, rect, pixels);
        }
        if let Some(counter) = &lane.counter {
            add_counter(
                mesh,
                cx.theme,
                counter,
                lane_rect(area, lane).shrink2(egui::vec2(0.0, 2.0)),
            );
        }
    }
    texts
}

/// Alpha of a strip, and in how many steps its height tells how full it is. Rows that stand for
/// several tracks are fainter than rows of their own, and all that they tell is their height.
fn look_of(lane: &LaneBox) -> (f32, u16) {
    match lane.lane.key {
        LaneKey::Threads(_) | LaneKey::Others(_) => (UNION_ALPHA, 14),
        _ => (FOLD_ALPHA, 4),
    }
}

/// A bar that is wide enough for a label.
pub(super) struct LabelSpot {
    pub(super) rect: Rect,
    pub(super) name: crate::model::NameId,
    pub(super) ink: Ink,
}

fn paint_grid(painter: &egui::Painter, theme: &Theme, scene: &Scene, area: Rect) {
    let hair = Stroke::new(theme.sizes.stroke.hair, theme.line.grid);
    for tick in &scene.ticks {
        painter.vline(area.left() + tick.x.round() + 0.5, area.y_range(), hair);
    }
    for lane in scene
        .scrolled()
        .iter()
        .filter(|it| it.lane.level == 0 && it.lane.space > 0.0)
    {
        painter.hline(
            area.x_range(),
            (area.top() + lane.y).round() - 2.5,
            Stroke::new(1.0, theme.line.separator),
        );
    }
}

pub(super) fn lane_rect(area: Rect, lane: &LaneBox) -> Rect {
    let top = area.top() + lane.y;
    Rect::from_min_max(
        pos2(area.left(), top),
        pos2(area.right(), top + lane.lane.height),
    )
}

pub(super) fn row_rect(area: Rect, lane: &LaneBox, row: &RowBox) -> Rect {
    let top = area.top() + lane.y + row.y;
    Rect::from_min_max(pos2(area.left(), top), pos2(area.right(), top + row.height))
}

fn add_bars(
    mesh: &mut Mesh,
    theme: &Theme,
    bars: &[Bar],
    row: Rect,
    pixels: f32,
    texts: &mut Vec<LabelSpot>,
) {
    mesh.reserve_vertices(bars.len() * 4);
    mesh.reserve_triangles(bars.len() * 2);
    let bar_sizes = &theme.sizes.bar;
    for bar in bars {
        let rect = bar_rect(theme, bar, row, pixels);
        let color = color_of(theme, bar.ink);
        match bar.what {
            Bars::One(_) if bar.is_tick => add_tick(mesh, rect, color),
            Bars::One(_) if bar.flags.has(Flags::IMPOSSIBLE) => {
                add_ragged(mesh, theme, rect, color);
            }
            Bars::One(_) => {
                add_rect(mesh, rect, color);
                if bar.flags.has(Flags::OPEN) {
                    let edge = Rect::from_min_max(pos2(rect.right() - 2.0, rect.top()), rect.max);
                    add_rect(mesh, edge.intersect(row), theme.surface.canvas);
                }
            }
            Bars::Folded { coverage, .. } => {
                let height = rect.height() * coverage.max(COVERAGE_MIN);
                let top = pos2(rect.left(), rect.bottom() - height);
                add_rect(
                    mesh,
                    Rect::from_min_max(top, rect.max),
                    color.gamma_multiply(FOLD_ALPHA),
                );
            }
        }
        let shown = rect.intersect(row);
        if let Some(name) = bar.label
            && shown.width() >= bar_sizes.label_min
        {
            texts.push(LabelSpot {
                rect: shown,
                name,
                ink: bar.ink,
            });
        }
    }
}

/// Where a bar is drawn: inset, at least a point wide, a point of canvas after it where there is room.
fn bar_rect(theme: &Theme, bar: &Bar, row: Rect, pixels: f32) -> Rect {
    let sizes = &theme.sizes.bar;
    let (from, to) = (
        row.left() + bar.x[0].max(-8.0),
        row.left() + bar.x[1].min(row.width() + 8.0),
    );
    let gap = if to - from > 3.0 {
        sizes.gap_min_x
    } else {
        0.0
    };
    let right = (to - gap).max(from + 1.0);
    let rect = Rect::from_min_max(
        pos2(from, row.top() + sizes.inset_y),
        pos2(right, row.bottom() - sizes.inset_y),
    );
    snapped(rect, pixels)
}

/// A span without length: a line with a cap.
fn add_tick(mesh: &mut Mesh, rect: Rect, color: Color32) {
    let line = Rect::from_min_max(rect.min, pos2(rect.left() + 1.0, rect.bottom()));
    add_rect(mesh, line, color);
    let cap = Rect::from_min_max(
        pos2(rect.left() - 1.0, rect.top()),
        pos2(rect.left() + 2.0, rect.top() + 2.0),
    );
    add_rect(mesh, cap, color);
}

/// A duration that cannot be: the right edge is torn.
fn add_ragged(mesh: &mut Mesh, theme: &Theme, rect: Rect, color: Color32) {
    add_rect(mesh, rect, color.gamma_multiply(0.6));
    let teeth = 4;
    let step = rect.height() / teeth as f32;
    for i in 0..teeth {
        let top = rect.top() + step * i as f32;
        let corners = [
            pos2(rect.right(), top),
            pos2((rect.right() - 5.0).max(rect.left()), top + step / 2.0),
            pos2(rect.right(), top + step),
        ];
        add_triangle(mesh, corners, theme.surface.canvas);
    }
}

fn add_triangle(mesh: &mut Mesh, corners: [Pos2; 3], color: Color32) {
    let first = u32::try_from(mesh.vertices.len()).unwrap_or(u32::MAX);
    for corner in corners {
        mesh.colored_vertex(corner, color);
    }
    mesh.add_triangle(first, first + 1, first + 2);
}

/// As `Mesh::add_colored_rect`, which grows its lists one by one.
pub(super) fn add_rect(mesh: &mut Mesh, rect: Rect, color: Color32) {
    let first = u32::try_from(mesh.vertices.len()).unwrap_or(u32::MAX);
    let uv = WHITE_UV;
    let corner = |pos| Vertex { pos, uv, color };
    let corners = [rect.min, rect.right_top(), rect.left_bottom(), rect.max];
    mesh.vertices.extend_from_slice(&corners.map(corner));
    let triangles = [0, 1, 2, 2, 1, 3].map(|it| first + it);
    mesh.indices.extend_from_slice(&triangles);
}

/// Neighbouring columns of one look become one quad; height is coverage in steps.
fn add_strip(
    mesh: &mut Mesh,
    theme: &Theme,
    strip: &[Texel],
    row: Rect,
    (alpha, steps): (f32, u16),
    pixels: f32,
) {
    let inset = theme.sizes.bar.inset_y;
    let (top, bottom) = (row.top() + inset, row.bottom() - inset);
    let level_of = |it: &Texel| (u16::from(it.occupancy) * steps).div_ceil(255);
    let mut last: Option<(Ink, Color32)> = None;
    let mut at = 0;
    while at < strip.len() {
        let texel = strip[at];
        let level = level_of(&texel);
        let same = |it: &&Texel| level_of(it) == level && (level == 0 || it.ink == texel.ink);
        let run = strip[at..].iter().take_while(same).count();
        if level > 0 {
            let height = (bottom - top) * f32::from(level) / f32::from(steps);
            let x = |it: usize| row.left() + it as f32 / pixels;
            let rect = Rect::from_min_max(pos2(x(at), bottom - height), pos2(x(at + run), bottom));
            let color = match last {
                Some((ink, color)) if ink == texel.ink => color,
                _ => color_of(theme, texel.ink).gamma_multiply(alpha),
            };
            last = Some((texel.ink, color));
            add_rect(mesh, rect, color);
        }
        at += run;
    }
}

/// A filled step line; what was reserved as a line above it.
fn add_counter(mesh: &mut Mesh, theme: &Theme, counter: &CounterBox, rect: Rect) {
    let top = counter.top().max(1.0);
    let ink = theme.memory.allocated;
    add_steps(mesh, &counter.steps, top, rect, (ink, Some(0.35)));
    if let Some((steps, _)) = &counter.reserved {
        add_steps(mesh, steps, top, rect, (theme.memory.reserved, None));
    }
}

/// The line, and with an alpha what is below it.
fn add_steps(
    mesh: &mut Mesh,
    steps: &Steps,
    top: f64,
    rect: Rect,
    (ink, fill): (Color32, Option<f32>),
) {
    let y = |value: f64| {
        #[expect(clippy::cast_possible_truncation, reason = "a share of 1")]
        let share = (value / top).clamp(0.0, 1.0) as f32;
        rect.bottom() - share * rect.height()
    };
    let mut before = None;
    for (i, (x, value)) in steps.iter().enumerate() {
        let from = (rect.left() + x).max(rect.left());
        let next = steps.get(i + 1).map(|it| rect.left() + it.0);
        let to = next.unwrap_or_else(|| rect.right()).min(rect.right());
        if to > from {
            let at = y(*value);
            let below = Rect::from_min_max(pos2(from, at), pos2(to, rect.bottom()));
            if let Some(alpha) = fill {
                add_rect(mesh, below, ink.gamma_multiply(alpha));
            }
            let line = Rect::from_min_max(pos2(from, at), pos2(to, at + 1.0));
            add_rect(mesh, line, ink);
            // A peak narrower than a point is a line all the same.
            if let Some(before) = before.replace(at) {
                let riser = pos2(from, at.min(before))..pos2(from + 1.0, at.max(before) + 1.0);
                add_rect(mesh, Rect::from_min_max(riser.start, riser.end), ink);
            }
        }
    }
}
