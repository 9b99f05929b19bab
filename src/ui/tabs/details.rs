//! Details of what is selected: what it is, where it comes from, and its record in the file.

use egui::{Rect, RichText, ScrollArea, Stroke, Ui, UiBuilder, pos2};

use crate::base::text;
use crate::model::{Run, SpanRef};
use crate::ui::badge::gpu_spans;
use crate::ui::panel::{Cx, OpenRun, Panel};
use crate::ui::parts::{field_ui, line_ui, sentence, title, value_ui};
use crate::ui::tabs::key::key_ui;
use crate::ui::tabs::record::{Record, record_ui};
use crate::ui::tabs::span_facts::SpanFacts;
use crate::ui::tabs::span_ui::{origin_ui, span_ui};
use crate::ui::top_bar::devices;
use crate::view::Tab;
use crate::workspace::Workspace;

/// Below this the first two columns stand under each other.
const THREE_COLUMNS: f32 = 900.0;

/// The tab; keeps what it found out of the selection.
#[derive(Debug, Default)]
pub(super) struct Details {
    shown: Option<Shown>,
}

#[derive(Debug)]
struct Shown {
    /// Which run, and which span of it.
    of: (u64, SpanRef),
    facts: SpanFacts,
    record: Result<Record, String>,
}

impl Shown {
    fn of(workspace: &Workspace, at: SpanRef) -> Self {
        let fields = workspace.fields(at);
        Self {
            of: (workspace.revision(), at),
            facts: SpanFacts::of(workspace, at),
            record: fields
                .map(|it| Record::of(&it))
                .map_err(|it| sentence(&it.to_string())),
        }
    }
}

impl Panel for Details {
    fn tab(&self) -> Tab {
        Tab::Details
    }

    fn title(&self) -> &'static str {
        "Details"
    }

    fn ui(&mut self, ui: &mut Ui, cx: &Cx<'_>, open: &OpenRun<'_>) {
        let Some(at) = open.view.selection() else {
            self.shown = None;
            summary_ui(ui, cx, open);
            return;
        };
        let wanted = (open.workspace.revision(), at);
        if self.shown.as_ref().is_none_or(|it| it.of != wanted) {
            self.shown = Some(Shown::of(open.workspace, at));
        }
        if let Some(shown) = &self.shown {
            columns_ui(ui, cx, shown);
        }
    }
}

fn columns_ui(ui: &mut Ui, cx: &Cx<'_>, shown: &Shown) {
    let room = ui.max_rect();
    let is_wide = room.width() >= THREE_COLUMNS;
    let borders: &[f32] = if is_wide {
        &[0.0, 0.3, 0.62, 1.0]
    } else {
        &[0.0, 0.5, 1.0]
    };
    for (number, ends) in borders.windows(2).enumerate() {
        let mut column = column(ui, cx, room, [ends[0], ends[1]]);
        let is_last = number + 2 == borders.len();
        if is_last {
            record_ui(&mut column, cx, &shown.record);
            continue;
        }
        let salt = ("details", number, shown.of.1);
        ScrollArea::vertical()
            .id_salt(salt)
            .auto_shrink(false)
            .show(&mut column, |ui| {
                if number == 0 {
                    span_ui(ui, cx, &shown.facts);
                }
                if !is_wide {
                    ui.add_space(cx.theme.sizes.spacing.m);
                }
                if number == 1 || !is_wide {
                    origin_ui(ui, cx, &shown.facts);
                }
            });
    }
}

/// The room between two shares of the width, with a line at its left unless it is the first.
fn column(ui: &mut Ui, cx: &Cx<'_>, room: Rect, ends: [f32; 2]) -> Ui {
    let gap = cx.theme.sizes.spacing.xl;
    let [left, right] = ends.map(|it| (room.left() + it * room.width()).round());
    let is_first = ends[0] == 0.0;
    if !is_first {
        let stroke = Stroke::new(cx.theme.sizes.stroke.hair, cx.theme.line.separator);
        ui.painter().vline(left + 0.5, room.y_range(), stroke);
    }
    let from = if is_first { left } else { left + gap };
    let to = if ends[1] == 1.0 {
        right
    } else {
        right - gap / 2.0
    };
    let rect = Rect::from_min_max(pos2(from, room.top()), pos2(to, room.bottom()));
    let mut column = ui.new_child(
        UiBuilder::new()
            .max_rect(rect)
            .id_salt(("column", left.to_bits())),
    );
    column.shrink_clip_rect(rect.expand2(egui::vec2(2.0, 0.0)));
    column
}

/// What there is where nothing is selected: the run, and the key where there is room.
fn summary_ui(ui: &mut Ui, cx: &Cx<'_>, open: &OpenRun<'_>) {
    let room = ui.max_rect();
    if room.width() < THREE_COLUMNS {
        run_summary_ui(ui, cx, open);
        return;
    }
    run_summary_ui(&mut column(ui, cx, room, [0.0, 0.4]), cx, open);
    key_ui(&mut column(ui, cx, room, [0.4, 1.0]), cx);
}

fn run_summary_ui(ui: &mut Ui, cx: &Cx<'_>, open: &OpenRun<'_>) {
    let theme = cx.theme;
    let run = open.workspace.run();
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        line_ui(ui, title(run.name()));
        line_ui(
            ui,
            RichText::new("Click a span to read all that the file says of it")
                .color(theme.text.secondary),
        );
        ui.add_space(theme.sizes.spacing.m);
        let count = |it: usize| text::grouped(it as u64);
        let spans: usize = run.members().iter().map(|it| it.trace.spans().len()).sum();
        let mut fields = vec![
            ("Files", count(run.members().len())),
            ("Ranks", ranks(run)),
            ("Devices", devices_of(run)),
            (
                "Spans",
                format!("{}, of these {}", count(spans), gpu_spans(run)),
            ),
            ("Length", text::duration_exact(run.extent().len().0)),
        ];
        let steps = open.workspace.steps();
        if let (Some(first), Some(last)) = (steps.first(), steps.last()) {
            let steps = if first.number == last.number {
                first.number.to_string()
            } else {
                format!("{} to {}", first.number, last.number)
            };
            fields.push(("Steps", steps));
        }
        for (label, value) in fields {
            field_ui(ui, theme, label, |ui| {
                value_ui(
                    ui,
                    RichText::new(value).monospace().color(theme.text.primary),
                );
            });
        }
    });
}

fn devices_of(run: &Run) -> String {
    let devices = devices(run);
    if devices.is_empty() {
        return format!("{} the files have no GPU activity", text::NOT_AVAILABLE);
    }
    devices.join(", ")
}

fn ranks(run: &Run) -> String {
    match run.ranks().len() {
        0 => format!("{} the files name none", text::NOT_AVAILABLE),
        count => text::grouped(count as u64),
    }
}
