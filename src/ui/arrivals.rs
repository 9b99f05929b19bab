//! The first picture of a load: a row for each file, with what its GPUs did as soon as it is read; until
//! then with how far it is, and when the spans begin that are read so far.

use std::borrow::Cow;

use egui::epaint::{Mesh, Shape};
use egui::{Align2, FontId, Painter, Rect, Sense, Stroke, Ui, pos2, vec2};

use crate::base::{Time, TimeRange, text};
use crate::ui::panel::Cx;
use crate::ui::theme::Theme;
use crate::ui::timeline::paint_shares;
use crate::view::{Axis, Stretch, ticks};
use crate::workspace::{Arrival, FirstPicture, Picture, State};

/// Points of a row, where there is room and where there is not.
const ROW_MAX: f32 = 46.0;
const ROW_MIN: f32 = 18.0;
/// Below this a row has one line of text.
const TWO_LINES: f32 = 32.0;

/// One row: a trace that is read, or a file that is not.
struct Row<'a> {
    title: String,
    file: &'a str,
    arrival: &'a Arrival,
    picture: Option<Cow<'a, FirstPicture>>,
}

/// Fills the room below the strip.
pub(crate) fn arrivals_ui(ui: &mut Ui, cx: &Cx<'_>, files: &[Arrival]) {
    let theme = cx.theme;
    let room = ui.available_rect_before_wrap();
    ui.painter().rect_filled(room, 0.0, theme.surface.canvas);
    let rows = rows(files);
    let left = (room.left() + theme.sizes.lane_header_width).min(room.right() - 1.0);
    let (ruler, below) = room.split_top_bottom_at_y(room.top() + theme.sizes.ruler);
    let placed = rows.iter().filter_map(|it| it.picture.as_deref());
    let whole = hull(placed);
    let axis = Axis::new(Stretch::of(whole.unwrap_or_default()), room.right() - left);
    paint_ruler(
        ui.painter(),
        theme,
        ruler,
        left,
        whole.map(|it| (it, &axis)),
    );
    let height = (below.height() / rows.len().max(1) as f32)
        .floor()
        .clamp(ROW_MIN, ROW_MAX);
    let mut area = ui.new_child(egui::UiBuilder::new().max_rect(below));
    area.spacing_mut().item_spacing.y = 0.0;
    egui::ScrollArea::vertical().auto_shrink(false).show_rows(
        &mut area,
        height,
        rows.len(),
        |ui, shown| {
            for row in rows.iter().skip(shown.start).take(shown.len()) {
                let size = vec2(ui.available_width(), height);
                let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
                response.widget_info(|| {
                    let label = format!("{}, {}", row.title, how_far(row.arrival));
                    egui::WidgetInfo::labeled(egui::Role::Label, true, label)
                });
                paint_row(ui.painter(), theme, row, rect, left, whole, &axis);
            }
        },
    );
    ui.advance_cursor_after_rect(room);
}

fn rows(files: &[Arrival]) -> Vec<Row<'_>> {
    let mut rows = Vec::new();
    let mut files: Vec<&Arrival> = files.iter().collect();
    files.sort_by_cached_key(|it| in_order(&it.file));
    for arrival in files {
        let row = |title: String, picture| Row {
            title,
            file: &arrival.file,
            arrival,
            picture,
        };
        match &arrival.state {
            State::Done(pictures) => rows.extend(pictures.iter().map(|it| {
                let title = it
                    .rank
                    .map_or_else(|| arrival.file.clone(), |it| format!("Rank {}", it.0));
                row(title, Some(Cow::Borrowed(it)))
            })),
            _ => rows.push(row(arrival.file.clone(), arrival.so_far().map(Cow::Owned))),
        }
    }
    rows
}

/// The parts of a name by which `rank2` comes before `rank10`.
fn in_order(name: &str) -> Vec<(u64, String)> {
    let mut parts = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let words = rest.find(|it: char| it.is_ascii_digit());
        let (words, behind) = rest.split_at(words.unwrap_or(rest.len()));
        let digits = behind.find(|it: char| !it.is_ascii_digit());
        let (digits, behind) = behind.split_at(digits.unwrap_or(behind.len()));
        parts.push((0, words.to_owned()));
        parts.push((digits.parse().unwrap_or(u64::MAX), String::new()));
        rest = behind;
    }
    parts
}

/// Where a picture lies: those without a clock begin where the others begin.
fn place(picture: &FirstPicture, whole: TimeRange) -> TimeRange {
    if picture.is_on_world_clock {
        picture.extent
    } else {
        TimeRange::from_start(whole.start, picture.extent.len())
    }
}

/// From the first start to the last end of what is read.
fn hull<'a>(pictures: impl Iterator<Item = &'a FirstPicture> + Clone) -> Option<TimeRange> {
    let on_world = pictures.clone().filter(|it| it.is_on_world_clock);
    let start = on_world.map(|it| it.extent.start).min().unwrap_or(Time(0));
    let empty = TimeRange::new(start, start);
    pictures
        .map(|it| place(it, empty))
        .reduce(TimeRange::hull)
        .map(|it| TimeRange::new(start.min(it.start), it.end))
}

fn paint_ruler(
    painter: &Painter,
    theme: &Theme,
    ruler: Rect,
    left: f32,
    placed: Option<(TimeRange, &Axis)>,
) {
    painter.rect_filled(ruler, 0.0, theme.surface.panel);
    let line = Stroke::new(theme.sizes.stroke.hair, theme.line.separator);
    painter.hline(ruler.x_range(), ruler.bottom() - 0.5, line);
    painter.text(
        ruler.left_center() + vec2(10.0, 0.0),
        Align2::LEFT_CENTER,
        "First picture, refines as files land",
        FontId::proportional(theme.sizes.text.small),
        theme.text.muted,
    );
    let Some((whole, axis)) = placed else { return };
    let font = FontId::monospace(theme.sizes.text.ruler);
    for tick in ticks(axis, whole.start.0 as f64) {
        let x = (left + tick.x).round() + 0.5;
        let foot = ruler.bottom() - 5.0..=ruler.bottom();
        painter.vline(x, foot, Stroke::new(1.0, theme.line.border));
        let at = pos2(x + 4.0, ruler.center().y);
        painter.text(
            at,
            Align2::LEFT_CENTER,
            tick.label,
            font.clone(),
            theme.text.secondary,
        );
    }
}

fn paint_row(
    painter: &Painter,
    theme: &Theme,
    row: &Row<'_>,
    rect: Rect,
    left: f32,
    whole: Option<TimeRange>,
    axis: &Axis,
) {
    let (header, lane) = rect.split_left_right_at_x(left);
    painter.rect_filled(header, 0.0, theme.surface.panel);
    let line = Stroke::new(theme.sizes.stroke.hair, theme.line.separator);
    painter.hline(rect.x_range(), rect.bottom() - 0.5, line);
    painter.vline(left - 0.5, rect.y_range(), line);
    paint_header(painter, theme, row, header);
    let inset = if rect.height() < TWO_LINES { 2.0 } else { 5.0 };
    let lane = lane.shrink2(vec2(0.0, inset));
    let painter = painter.with_clip_rect(lane.intersect(painter.clip_rect()));
    if let (Some(picture), Some(whole)) = (row.picture.as_deref(), whole) {
        let range = place(picture, whole);
        let x = |it: Time| lane.left() + axis.x_from_time(it);
        let from = x(range.start);
        let to = x(range.end).max(from + 1.0);
        let rect = Rect::from_x_y_ranges(from..=to, lane.y_range());
        painter.add(Shape::mesh(mesh(theme, picture, rect)));
        return;
    }
    let at = lane.left_center() + vec2(8.0, 0.0);
    let font = FontId::proportional(theme.sizes.text.small);
    let says = match &row.arrival.state {
        State::Absent(reason) => reason,
        _ => "not read yet",
    };
    painter.text(at, Align2::LEFT_CENTER, says, font, theme.text.muted);
}

fn mesh(theme: &Theme, picture: &FirstPicture, rect: Rect) -> Mesh {
    let mut mesh = Mesh::default();
    match &picture.picture {
        Picture::Work(shares) => {
            let columns_per_point = shares.len() as f32 / rect.width();
            paint_shares(&mut mesh, theme, shares, rect, columns_per_point);
        }
        Picture::Starts(counts) => {
            let step = rect.width() / counts.len().max(1) as f32;
            for (number, count) in counts.iter().enumerate().filter(|it| *it.1 > 0) {
                let x = rect.left() + step * number as f32;
                let top = rect.bottom() - rect.height() * f32::from(*count) / 255.0;
                let bar = Rect::from_min_max(pos2(x, top), pos2(x + step, rect.bottom()));
                mesh.add_colored_rect(bar, theme.cpu.op);
            }
        }
    }
    mesh
}

fn paint_header(painter: &Painter, theme: &Theme, row: &Row<'_>, rect: Rect) {
    let is_high = rect.height() >= TWO_LINES && row.title != row.file;
    let small = FontId::proportional(theme.sizes.text.small);
    let right = rect.right_center() - vec2(10.0, 0.0);
    let above = if is_high { -8.0 } else { 0.0 };
    let told = painter.text(
        right + vec2(0.0, above),
        Align2::RIGHT_CENTER,
        how_far(row.arrival),
        small.clone(),
        theme.text.secondary,
    );
    let is_done = matches!(row.arrival.state, State::Done(_));
    if let Some(share) = row.arrival.share().filter(|_| !is_done) {
        paint_share(painter, theme, rect, share);
    }
    let room = Rect::from_min_max(
        rect.min + vec2(24.0, 0.0),
        pos2(told.left() - 6.0, rect.bottom()),
    );
    let painter = painter.with_clip_rect(room.intersect(painter.clip_rect()));
    let at = room.left_center() + vec2(0.0, above);
    let body = FontId::proportional(theme.sizes.text.body);
    painter.text(
        at,
        Align2::LEFT_CENTER,
        &row.title,
        body,
        theme.text.primary,
    );
    if is_high {
        let at = room.left_center() + vec2(0.0, 9.0);
        painter.text(at, Align2::LEFT_CENTER, row.file, small, theme.text.muted);
    }
}

/// A thin bar at the right of a header.
fn paint_share(painter: &Painter, theme: &Theme, rect: Rect, share: f64) {
    if rect.height() < TWO_LINES {
        return;
    }
    let groove = Rect::from_min_size(
        pos2(rect.right() - 60.0, rect.center().y + 9.0),
        vec2(50.0, 3.0),
    );
    painter.rect_filled(groove, 1.0, theme.surface.field);
    #[expect(clippy::cast_possible_truncation, reason = "a share of 1")]
    let width = groove.width() * share as f32;
    let done = Rect::from_min_size(groove.min, vec2(width, groove.height()));
    painter.rect_filled(done, 1.0, theme.data.elementwise);
}

/// `done`, `61 %`, `waiting`.
fn how_far(arrival: &Arrival) -> String {
    match (&arrival.state, arrival.share()) {
        (State::Done(_), _) => "done".to_owned(),
        (State::Absent(_), _) => "not a trace".to_owned(),
        (State::Waiting, _) => "waiting".to_owned(),
        (_, Some(share)) => format!("{:.0} %", (share * 100.0).floor()),
        (State::Opening(bytes), None) => format!("opening {}", text::bytes(*bytes)),
        (State::Reading, None) => "opening".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{in_order, rows};
    use crate::workspace::{Arrival, Picture, State};

    #[test]
    fn a_large_file_shows_what_is_read_of_it() {
        // A mapped file is never heard of again once it is open.
        for state in [State::Reading, State::Opening(0)] {
            let arrival = Arrival::new("rank0.json".to_owned(), state);
            assert!(rows(std::slice::from_ref(&arrival))[0].picture.is_none());
            arrival.job.begins(&[100, 101, 2000]);
            assert_is_drawn(&arrival);
        }
        let waiting = Arrival::new("rank1.json".to_owned(), State::Waiting);
        waiting.job.begins(&[1]);
        assert!(rows(std::slice::from_ref(&waiting))[0].picture.is_none());
    }

    fn assert_is_drawn(arrival: &Arrival) {
        let rows = rows(std::slice::from_ref(arrival));
        let picture = rows[0].picture.as_deref().unwrap();
        assert_eq!(picture.extent.len().0, 1901);
        let Picture::Starts(bins) = &picture.picture else {
            panic!("no bins");
        };
        // Bins of two nanoseconds: two spans in the first, one in the last.
        assert_eq!((bins[0], bins.len()), (255, 951));
        assert_eq!(bins.iter().filter(|it| **it > 0).count(), 2);
    }

    #[test]
    fn the_second_rank_stands_before_the_tenth() {
        let mut names = ["rank10.json", "rank2.json", "notes.txt", "rank2.b.json"];
        names.sort_by_key(|it| in_order(it));
        assert_eq!(
            names,
            ["notes.txt", "rank2.b.json", "rank2.json", "rank10.json"]
        );
    }
}
