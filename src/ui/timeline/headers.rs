//! The header column: names of lanes at the left, busy share of the view at the right. The header of a
//! rank stays at the top while its lanes scroll under it.

use egui::{Align2, FontId, Pos2, Rect, Sense, Shape, Stroke, Ui, pos2, vec2};

use crate::base::text;
use crate::ui::panel::{Cx, OpenRun};
use crate::ui::theme::Theme;
use crate::ui::timeline::area::Areas;
use crate::ui::timeline::paint::{is_header, lane_rect};
use crate::view::{Busy, Lane, LaneBox, LaneKey, Scene, ViewCommand};

/// The smallest text of a header.
const TEXT_MIN: f32 = 8.0;
/// Points that a header must be high to have a note beside its title.
const NOTE_MIN: f32 = 11.0;

pub(super) fn paint_headers(
    ui: &Ui,
    cx: &Cx<'_>,
    scene: &Scene,
    areas: &Areas,
    pinned: Option<&Pinned>,
) {
    let painter = ui.painter().with_clip_rect(areas.headers);
    let theme = cx.theme;
    painter.rect_filled(areas.headers, 0.0, theme.surface.panel);
    let free_top = areas.headers.top() + pinned.map_or(0.0, Pinned::bottom);
    for lane in &scene.lanes {
        paint_header(&painter, theme, lane, header_rect(areas, lane), free_top);
    }
    if let Some(Pinned(lane)) = pinned {
        let rect = header_rect(areas, lane);
        paint_header(&painter, theme, lane, rect, rect.top());
        paint_pinned_row(ui, theme, lane, areas);
    }
    painter.vline(
        areas.headers.right() - 0.5,
        areas.headers.y_range(),
        Stroke::new(1.0, theme.line.separator),
    );
}

fn header_rect(areas: &Areas, lane: &LaneBox) -> Rect {
    let top = areas.headers.top() + lane.y;
    Rect::from_min_size(
        pos2(areas.headers.left(), top),
        vec2(areas.headers.width(), lane.lane.height),
    )
}

/// The header of a lane; the name of a tall one stays below `free_top` while its rows scroll.
fn paint_header(painter: &egui::Painter, theme: &Theme, lane: &LaneBox, rect: Rect, free_top: f32) {
    let top_level = lane.lane.level == 0;
    painter.rect_filled(
        rect,
        0.0,
        if top_level {
            theme.surface.header
        } else {
            theme.surface.panel
        },
    );
    if matches!(lane.lane.key, LaneKey::Band(..)) {
        return;
    }
    // The name of a counter has a line of its own, its range the one below.
    let is_counter = lane.counter.is_some() && rect.height() >= 24.0;
    let line = if is_counter {
        rect.center().y - 7.0
    } else if rect.height() > 30.0 {
        let lowest = (rect.bottom() - 11.0).max(rect.top() + 11.0);
        (rect.top().max(free_top) + 11.0).min(lowest)
    } else {
        rect.center().y
    };
    let figure_line = if is_counter {
        rect.center().y + 7.0
    } else {
        line
    };
    let mut x = rect.left() + 10.0 + f32::from(lane.lane.level) * 14.0;
    if let Some(open) = lane.lane.open {
        let scale = ((rect.height() - 2.0) / 10.0).clamp(0.4, 1.0);
        paint_arrow(painter, theme, pos2(x + 3.0, line), open, scale);
    }
    x += 13.0;
    let figure = busy_text(lane);
    // Rows of a large job are lower than a line of text: figures are less high than their line.
    let fit = |size: f32| size.min((rect.height() - 1.0).max(TEXT_MIN));
    let mono = FontId::monospace(fit(theme.sizes.text.small));
    let figure_left = if figure.is_empty() {
        rect.right() - 6.0
    } else {
        let at = pos2(rect.right() - 10.0, figure_line);
        let ink = theme.text.secondary;
        let told = painter.text(at, Align2::RIGHT_CENTER, &figure, mono, ink);
        if is_counter {
            rect.right() - 6.0
        } else {
            told.left() - 6.0
        }
    };
    let size = if top_level {
        theme.sizes.text.title
    } else {
        theme.sizes.text.body
    };
    let font = FontId::proportional(fit(size));
    let color = if top_level {
        theme.text.primary
    } else {
        theme.text.secondary
    };
    let is_track = matches!(lane.lane.key, LaneKey::Track(..)) && !lane.lane.note.is_empty();
    let title = if is_track {
        format!("{} · {}", lane.lane.title, lane.lane.note)
    } else {
        lane.lane.title.clone()
    };
    let right = elided(painter, pos2(x, line), figure_left, &title, font, color);
    let note = FontId::proportional(fit(theme.sizes.text.small));
    if !is_track && rect.height() >= NOTE_MIN {
        elided(
            painter,
            pos2(right + 6.0, line),
            figure_left,
            &lane.lane.note,
            note.clone(),
            theme.text.muted,
        );
    }
    if lane.lane.hidden_rows > 0 && rect.height() > 26.0 {
        let at = pos2(rect.right() - 10.0, rect.bottom() - 8.0);
        painter.text(
            at,
            Align2::RIGHT_CENTER,
            format!("+{}", lane.lane.hidden_rows),
            note,
            theme.text.muted,
        );
    }
}

/// Text cut at `right`; returns where it ends.
fn elided(
    painter: &egui::Painter,
    at: Pos2,
    right: f32,
    text: &str,
    font: FontId,
    color: egui::Color32,
) -> f32 {
    if text.is_empty() || right - at.x < 12.0 {
        return at.x;
    }
    let shown = crate::model::visible(text);
    let mut job = egui::text::LayoutJob::simple_singleline(shown.into_owned(), font, color);
    job.wrap = egui::text::TextWrapping::truncate_at_width(right - at.x);
    let galley = painter.layout_job(job);
    let width = galley.size().x;
    painter.galley(pos2(at.x, at.y - galley.size().y / 2.0), galley, color);
    at.x + width
}

fn paint_arrow(painter: &egui::Painter, theme: &Theme, center: Pos2, open: bool, scale: f32) {
    let corners = if open {
        [vec2(-4.0, -2.5), vec2(4.0, -2.5), vec2(0.0, 3.0)]
    } else {
        [vec2(-2.5, -4.0), vec2(3.0, 0.0), vec2(-2.5, 4.0)]
    };
    let points = corners.map(|it| center + it * scale).to_vec();
    let ink = theme.text.muted;
    painter.add(Shape::convex_polygon(points, ink, Stroke::NONE));
}

/// Busy share of the view, or a counter's range.
fn busy_text(lane: &LaneBox) -> String {
    if let Some(counter) = &lane.counter {
        let number = |it: f64| {
            if counter.is_bytes {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "bytes on a header"
                )]
                text::bytes(it.max(0.0) as u64)
            } else {
                format!("{it:.6}")
                    .trim_end_matches('0')
                    .trim_end_matches('.')
                    .to_owned()
            }
        };
        let range = joined(counter.range.map(number), "–");
        return match &counter.reserved {
            Some((_, highest)) => joined([range, number(*highest)], " of "),
            None => range,
        };
    }
    match lane.busy {
        Busy::None => String::new(),
        Busy::Share(share) => text::percent(share),
        Busy::Parts(parts) => {
            let busy = parts.compute_alone.0
                + parts.overlapped.0
                + parts.exposed_communication.0
                + parts.exposed_copy.0;
            text::percent(busy as f64 / ((busy + parts.idle.0) as f64).max(1.0))
        }
    }
}

/// Two figures, with a unit that both have said once.
fn joined([a, b]: [String; 2], between: &str) -> String {
    match (a.split_once(' '), b.split_once(' ')) {
        _ if a == b => b,
        (Some((figure, a)), Some((_, unit))) if a == unit => format!("{figure}{between}{b}"),
        _ => format!("{a}{between}{b}"),
    }
}

/// The header of the rank whose lanes are at the top, where it has scrolled out: it stays at the top,
/// and the next rank pushes it up.
pub(super) struct Pinned(LaneBox);

impl Pinned {
    pub(super) fn of(open: &OpenRun<'_>, scene: &Scene) -> Option<Self> {
        let first = scene.lanes.first()?;
        if first.lane.level == 0 && first.y >= 0.0 {
            return None;
        }
        let key = LaneKey::Rank(first.lane.key.trace());
        let lane: &Lane = open.view.lanes().iter().find(|it| it.key == key)?;
        if lane.is_heat {
            return None;
        }
        let mut lanes = scene.lanes.iter();
        let next = lanes.find(|it| it.lane.level == 0 && it.y > 0.0);
        let y = next.map_or(0.0, |it| (it.y - lane.height).min(0.0));
        let known = scene.lanes.iter().find(|it| it.lane.key == key);
        Some(Self(LaneBox {
            lane: lane.clone(),
            y,
            busy: known.map_or_else(|| busy_of(open, scene, lane), |it| it.busy),
            rows: Vec::new(),
            shares: Vec::new(),
            counter: None,
        }))
    }

    /// Points from the top of the lanes that it covers.
    pub(super) fn bottom(&self) -> f32 {
        self.0.y + self.0.lane.height
    }
}

/// The row of a pinned header, so that nobody takes the lanes below it for those of the header.
fn paint_pinned_row(ui: &Ui, theme: &Theme, lane: &LaneBox, areas: &Areas) {
    let painter = ui.painter().with_clip_rect(areas.lanes);
    let row = lane_rect(areas.lanes, lane);
    painter.rect_filled(row, 0.0, theme.surface.header);
    let line = Stroke::new(theme.sizes.stroke.hair, theme.line.separator);
    painter.hline(row.x_range(), row.bottom() - 0.5, line);
}

fn busy_of(open: &OpenRun<'_>, scene: &Scene, lane: &Lane) -> Busy {
    open.workspace
        .parts_of_only_device(lane.key.trace(), scene.axis.stretch.range())
        .map_or(Busy::None, Busy::Parts)
}

/// Clicks on headers open and close lanes; each is a labelled control.
pub(super) fn toggle_ui(
    ui: &Ui,
    cx: &Cx<'_>,
    scene: &Scene,
    areas: &Areas,
    pinned: Option<&Pinned>,
) {
    let boxes = scene.lanes.iter().chain(pinned.map(|it| &it.0));
    for lane in boxes {
        let rect = header_rect(areas, lane);
        let rect = rect.intersect(areas.headers);
        if rect.height() < 1.0 || matches!(lane.lane.key, LaneKey::Band(..)) {
            continue;
        }
        let response = ui.interact(
            rect,
            ui.scope_id().with(("header", lane.lane.key.id())),
            Sense::click(),
        );
        let label = format!("{} {}", lane.lane.title, lane.lane.note);
        response.widget_info(|| match lane.lane.open {
            Some(open) => egui::WidgetInfo::selected(egui::Role::Button, true, open, label.trim()),
            None => egui::WidgetInfo::labeled(egui::Role::Label, true, label.trim()),
        });
        if response.clicked() && lane.lane.open.is_some() {
            cx.outbox.view(ViewCommand::Toggle(lane.lane.key));
        }
        if lane.counter.is_some() {
            response.on_hover_text(lane.lane.title.as_str());
        } else if lane.lane.open == Some(false) && lane.lane.hidden_rows > 0 {
            let more = text::plural(u64::from(lane.lane.hidden_rows), "row", "rows");
            response.on_hover_text(format!("{}, click to show {more} more", label.trim()));
        } else if is_header(lane) || matches!(lane.busy, Busy::Share(_)) {
            response.on_hover_ui(|ui| {
                header_tooltip_ui(ui, lane, scene);
            });
        }
    }
}

/// The identity of a device's time, or the busy time of a stream, to the nanosecond.
fn header_tooltip_ui(ui: &mut Ui, lane: &LaneBox, scene: &Scene) {
    ui.strong(format!("{} {}", lane.lane.title, lane.lane.note));
    let view = scene.axis.stretch.range().len();
    let mut row = |what: &str, ns: i64| {
        ui.monospace(format!(
            "{:>16} ns  {what}",
            text::grouped(ns.unsigned_abs())
        ));
    };
    match lane.busy {
        Busy::Parts(parts) => {
            row("compute alone", parts.compute_alone.0);
            row("overlapped", parts.overlapped.0);
            row("exposed communication", parts.exposed_communication.0);
            row("exposed copy", parts.exposed_copy.0);
            row("idle", parts.idle.0);
            row("view", view.0);
        }
        Busy::Share(share) => {
            row("view", view.0);
            ui.label(format!("{} % of the view is busy", text::percent(share)));
        }
        Busy::None => {}
    }
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn a_unit_is_said_once_where_both_have_it() {
        let of = |a: &str, b: &str| joined([a.to_owned(), b.to_owned()], "–");
        assert_eq!(of("1.41 GB", "2.1 GB"), "1.41–2.1 GB");
        assert_eq!(of("917.4 MB", "2.71 GB"), "917.4 MB–2.71 GB");
        assert_eq!(of("2.19 GB", "2.19 GB"), "2.19 GB");
        assert_eq!(of("0", "12"), "0–12");
        let range = of("1.41 GB", "2.1 GB");
        assert_eq!(
            joined([range, "2.19 GB".to_owned()], " of "),
            "1.41–2.1 of 2.19 GB"
        );
    }
}
