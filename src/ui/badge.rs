//! How far the figures of a run can be trusted, as one sentence that is always in sight.

use egui::{Align2, Response, Role, Sense, Stroke, StrokeKind, TextStyle, Ui, WidgetInfo, vec2};

use crate::base::text;
use crate::model::{Issue, Run, Severity};
use crate::ui::marks::severity_mark;
use crate::ui::panel::Cx;
use crate::ui::theme::Theme;
use crate::view::{Tab, ViewCommand};

/// Severity of the worst that is true of a run, and the sentence of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Badge {
    pub(crate) severity: Severity,
    pub(crate) sentence: String,
}

impl Badge {
    pub(crate) fn of(run: &Run) -> Self {
        let mut severity = Severity::Note;
        let mut parts = Vec::new();
        if let Some(sentence) = not_loaded(run) {
            severity = Severity::High;
            parts.push(sentence);
        }
        // These two have sentences of their own, and notes change no figure.
        let told = [Issue::FileNotLoaded, Issue::ClocksNotAligned];
        let entries = run
            .ledger()
            .entries()
            .filter(|(issue, _)| !told.contains(issue));
        let counted = entries.filter(|(issue, _)| issue.severity() > Severity::Note);
        if let Some((issue, entry)) =
            counted.max_by_key(|(issue, entry)| (issue.severity(), entry.count))
        {
            severity = severity.max(issue.severity());
            parts.push(format!(
                "{} {}",
                text::grouped(entry.count),
                issue.says(entry.count)
            ));
        }
        if parts.is_empty() {
            parts.push(format!("all {}", gpu_spans(run)));
        }
        if run.island_count() > 1 {
            severity = severity.max(Issue::ClocksNotAligned.severity());
            parts.push("clocks not aligned".to_owned());
        }
        Self {
            severity,
            sentence: parts.join(" · "),
        }
    }
}

/// `9 100 GPU spans`.
pub(crate) fn gpu_spans(run: &Run) -> String {
    let traces = run.members().iter().map(|it| &it.trace);
    let count: usize = traces
        .flat_map(|it| it.work_tracks())
        .map(|it| it.1.len())
        .sum();
    text::plural(count as u64, "GPU span", "GPU spans")
}

fn not_loaded(run: &Run) -> Option<String> {
    let mut missing = run.absent().iter().filter(|it| !it.is_ignored);
    let first = missing.next()?;
    Some(match missing.count() {
        0 => format!("not loaded: {}", first.file),
        more => format!("{} files not loaded", text::grouped(more as u64 + 1)),
    })
}

/// Width of [`badge_ui`] if nothing is cut off.
pub(crate) fn badge_width(ui: &Ui, badge: &Badge) -> f32 {
    let font = TextStyle::Small.resolve(ui.style());
    let ink = ui.visuals().text_color();
    ui.painter()
        .layout_no_wrap(badge.sentence.clone(), font, ink)
        .size()
        .x
        + LEFT
        + RIGHT
}

const LEFT: f32 = 19.0;
const RIGHT: f32 = 9.0;

/// The pill; a click shows the import ledger.
pub(crate) fn badge_ui(ui: &mut Ui, cx: &Cx<'_>, badge: &Badge) -> Response {
    let theme = cx.theme;
    let size = vec2(badge_width(ui, badge).min(ui.available_width()), 20.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    paint(ui, theme, badge, rect, &response);
    response.widget_info(|| {
        WidgetInfo::labeled(
            Role::Button,
            true,
            format!("Data quality, {}", badge.sentence),
        )
    });
    if response.clicked() {
        cx.outbox.view(ViewCommand::ShowTab(Tab::Ledger));
    }
    response.on_hover_text(format!("{}\nShow the import ledger", badge.sentence))
}

fn paint(ui: &Ui, theme: &Theme, badge: &Badge, rect: egui::Rect, response: &Response) {
    let is_lit = response.hovered() || response.has_focus();
    let edge = if response.has_focus() {
        theme.state.focus
    } else {
        theme.line.border
    };
    let fill = if is_lit {
        theme.surface.raised
    } else {
        theme.surface.header
    };
    let stroke = Stroke::new(theme.sizes.stroke.hair, edge);
    ui.painter()
        .rect(rect, rect.height() / 2.0, fill, stroke, StrokeKind::Inside);
    severity_mark(
        ui.painter(),
        rect.left_center() + vec2(11.0, 0.0),
        badge.severity,
        theme,
    );
    let at = rect.left_center() + vec2(LEFT, 0.0);
    let painter = ui.painter().with_clip_rect(rect.shrink2(vec2(4.0, 0.0)));
    painter.text(
        at,
        Align2::LEFT_CENTER,
        &badge.sentence,
        TextStyle::Small.resolve(ui.style()),
        theme.text.primary,
    );
}
