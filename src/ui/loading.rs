//! The strip under the top bar while a run is read.

use egui::{ProgressBar, Rect, RichText, Ui, UiBuilder, pos2, vec2};

use crate::base::{Stage, text};
use crate::ui::panel::Cx;
use crate::ui::parts::{elided_ui, line_ui, small, title};
use crate::workspace::Progress;

/// Height of the strip.
pub const LOADING_STRIP_HEIGHT: f32 = 56.0;

const STAGES: &str = "find files, read spans, align clocks, build index";

/// How far the load is; needs [`LOADING_STRIP_HEIGHT`].
pub fn loading_strip_ui(ui: &mut Ui, cx: &Cx<'_>, progress: &Progress) {
    let width = ui.available_width();
    let (rect, _) = ui.allocate_exact_size(vec2(width, LOADING_STRIP_HEIGHT), egui::Sense::hover());
    ui.painter().rect_filled(rect, 0.0, cx.theme.surface.panel);
    let line = egui::Stroke::new(cx.theme.sizes.stroke.hair, cx.theme.line.separator);
    ui.painter()
        .hline(rect.x_range(), rect.bottom() - 0.5, line);
    let inner = rect.shrink2(vec2(16.0, 8.0));
    let part = |from: f32, to: f32| {
        let x = |share: f32| inner.left() + inner.width() * share;
        Rect::from_min_max(pos2(x(from), inner.top()), pos2(x(to), inner.bottom()))
    };
    stage_ui(&mut child(ui, part(0.0, 0.255)), cx, progress);
    bar_ui(&mut child(ui, part(0.265, 0.79)), cx, progress);
    end_ui(&mut child(ui, part(0.81, 1.0)), cx, progress);
}

fn child(ui: &mut Ui, rect: Rect) -> Ui {
    let mut child = ui.new_child(
        UiBuilder::new()
            .max_rect(rect)
            .id_salt(("strip", rect.left().to_bits())),
    );
    child.shrink_clip_rect(rect.expand(2.0));
    child
}

fn stage_ui(ui: &mut Ui, cx: &Cx<'_>, progress: &Progress) {
    elided_ui(ui, title(progress.stage.title()));
    let number = progress.stage.number();
    let line = format!("stage {number} of {} · {STAGES}", Stage::ALL.len());
    elided_ui(ui, small(line, cx.theme.text.muted));
}

fn bar_ui(ui: &mut Ui, cx: &Cx<'_>, progress: &Progress) {
    let theme = cx.theme;
    ui.add_space(5.0);
    #[expect(clippy::cast_possible_truncation, reason = "a share")]
    let share = progress.share() as f32;
    let bar = ProgressBar::new(share)
        .desired_height(6.0)
        .fill(theme.data.elementwise)
        .corner_radius(3.0);
    ui.add(bar);
    ui.add_space(2.0);
    let room = ui.available_rect_before_wrap();
    let mut cell = |from: f32, to: f32, text: RichText| {
        let x = |share: f32| room.left() + room.width() * share;
        let rect = Rect::from_min_max(pos2(x(from), room.top()), pos2(x(to), room.bottom()));
        elided_ui(&mut child(ui, rect), text);
    };
    let mono = |text: String, ink| RichText::new(text).monospace().color(ink);
    cell(0.0, 0.24, mono(of_total(progress), theme.text.primary));
    cell(
        0.25,
        0.42,
        mono(
            progress.rate().map_or_else(String::new, text::rate),
            theme.text.muted,
        ),
    );
    cell(0.43, 0.84, small(counts(progress), theme.text.muted));
    ui.with_layout(egui::Layout::right_to_left(egui::Align::TOP), |ui| {
        let left = progress.left_s().map(left).unwrap_or_default();
        line_ui(ui, small(left, theme.text.secondary));
    });
}

fn end_ui(ui: &mut Ui, cx: &Cx<'_>, progress: &Progress) {
    let percent = format!("{:.0} %", (progress.share() * 100.0).floor());
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        let percent = RichText::new(percent)
            .monospace()
            .size(cx.theme.sizes.text.heading);
        line_ui(ui, percent.color(cx.theme.text.primary));
    });
}

/// `5.35 of 7.94 GB`, each with its unit where they differ.
fn of_total(progress: &Progress) -> String {
    if progress.total_bytes == 0 {
        return "size not known yet".to_owned();
    }
    let (done, total) = (
        text::bytes(progress.done_bytes),
        text::bytes(progress.total_bytes),
    );
    match (done.split_once(' '), total.split_once(' ')) {
        (Some((figure, a)), Some((_, b))) if a == b => format!("{figure} of {total}"),
        _ => format!("{done} of {total}"),
    }
}

fn counts(progress: &Progress) -> String {
    let spans = text::plural(progress.span_count, "span kept", "spans kept");
    match progress.issue_count {
        0 => spans,
        1 => format!("{spans}, 1 counted as an issue"),
        many => format!("{spans}, {} counted as issues", text::grouped(many)),
    }
}

fn left(seconds: f64) -> String {
    match seconds.ceil() {
        whole if whole <= 1.0 => "about 1 s left".to_owned(),
        whole if whole < 90.0 => format!("about {whole:.0} s left"),
        whole => format!("about {:.0} min left", (whole / 60.0).ceil()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_a_load_read_as_people_say_them() {
        let mut progress = Progress {
            title: "16 files".to_owned(),
            stage: Stage::ReadSpans,
            done_bytes: 5_350_000_000,
            total_bytes: 7_940_000_000,
            span_count: 23_781_004,
            issue_count: 4,
            elapsed_s: 13.0,
            files: Vec::new(),
        };
        assert_eq!(of_total(&progress), "5.35 of 7.94 GB");
        assert_eq!(
            counts(&progress),
            "23 781 004 spans kept, 4 counted as issues"
        );
        assert_eq!(left(5.4), "about 6 s left");
        assert_eq!(left(200.0), "about 4 min left");
        progress.done_bytes = 999_000;
        progress.issue_count = 0;
        assert_eq!(of_total(&progress), "999 kB of 7.94 GB");
        assert_eq!(counts(&progress), "23 781 004 spans kept");
    }
}
