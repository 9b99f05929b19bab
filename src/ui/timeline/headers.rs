//! The header column: names of lanes at the left, busy share of the view at the right.

use egui::{Align2, FontId, Pos2, Rect, Shape, Stroke, Ui, pos2, vec2};

use crate::base::text;
use crate::ui::panel::{Cx, OpenRun};
use crate::ui::theme::Theme;
use crate::ui::timeline::area::Areas;
use crate::ui::timeline::paint::halves;
use crate::ui::timeline::sticky::Sticky;
use crate::view::{Busy, LaneBox, LaneKey, Scene};

/// The smallest text of a header.
const TEXT_MIN: f32 = 8.0;
/// Points that a header must be high to have a note beside its title.
const NOTE_MIN: f32 = 11.0;

pub(super) fn paint_headers(
    ui: &Ui,
    cx: &Cx<'_>,
    open: &OpenRun<'_>,
    (scene, areas): (&Scene, &Areas),
    sticky: Option<&Sticky>,
) {
    let theme = cx.theme;
    let whole = ui.painter().with_clip_rect(areas.headers);
    whole.rect_filled(areas.headers, 0.0, theme.surface.panel);
    let [under, above] = halves(scene, areas.headers);
    let free_top = under.top() + sticky.map_or(0.0, Sticky::covers);
    for (lanes, clip) in [(scene.scrolled(), under), (scene.pinned(), above)] {
        let painter = ui.painter().with_clip_rect(clip);
        for lane in lanes {
            let rect = header_rect(areas, lane);
            paint_header(&painter, theme, lane, rect, free_top);
            if open.view.lane() == Some(lane.lane.key) {
                paint_selected(&painter, theme, rect);
            }
        }
    }
    if let Some(sticky) = sticky {
        let rect = header_rect(areas, sticky.lane());
        let painter = ui.painter().with_clip_rect(under);
        paint_header(&painter, theme, sticky.lane(), rect, rect.top());
        sticky.paint_row(ui, theme, scene, areas);
    }
    whole.vline(
        areas.headers.right() - 0.5,
        areas.headers.y_range(),
        Stroke::new(1.0, theme.line.separator),
    );
}

/// A bar at the left edge: headers stand close, and an outline would touch the next.
fn paint_selected(painter: &egui::Painter, theme: &Theme, rect: Rect) {
    let bar = Rect::from_min_size(rect.min, vec2(theme.sizes.stroke.selection, rect.height()));
    painter.rect_filled(bar, 0.0, theme.state.selection);
}

pub(super) fn header_rect(areas: &Areas, lane: &LaneBox) -> Rect {
    let top = areas.headers.top() + lane.y;
    Rect::from_min_size(
        pos2(areas.headers.left(), top),
        vec2(areas.headers.width(), lane.lane.height),
    )
}

/// Points that the arrow of a lane that opens takes.
pub(super) const ARROW: f32 = 13.0;

/// Where the arrow of a lane begins.
pub(super) fn arrow_left(lane: &LaneBox, rect: Rect) -> f32 {
    rect.left() + 10.0 + f32::from(lane.lane.level) * 14.0
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
    let mut x = arrow_left(lane, rect);
    if let Some(open) = lane.lane.open {
        let scale = ((rect.height() - 2.0) / 10.0).clamp(0.4, 1.0);
        paint_arrow(painter, theme, pos2(x + 3.0, line), open, scale);
    }
    x += ARROW;
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
