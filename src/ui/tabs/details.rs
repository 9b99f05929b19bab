//! All that is known of the selected span: what it is, where it ran, what launched it, and every
//! argument that the file gives. The record is read from the file once per selection.

use egui::{Grid, Label, RichText, Ui};
use serde_json::Value;

use crate::base::text;
use crate::model::{Flags, Kind, SpanRef, visible};
use crate::ui::panel::{Cx, OpenRun, Panel};
use crate::view::{Command, Tab, ViewCommand};
use crate::workspace::{Fields, Workspace};

/// Bytes of a value or name that are shown (settled in the plan, 0.1 point 24).
const SHOWN_BYTES_MAX: usize = 64 << 10;
/// Frames of a stack that are shown without asking.
const FRAMES_SHOWN: usize = 6;

/// The tab.
#[derive(Default)]
pub(crate) struct Details {
    record: Option<Record>,
}

/// What was read for a selection.
struct Record {
    at: SpanRef,
    revision: u64,
    fields: Result<Fields, String>,
    /// The spans around the span, or around its launch, outermost first.
    around: Vec<SpanRef>,
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
            nothing_ui(ui, cx, open);
            return;
        };
        let revision = open.workspace.revision();
        if self
            .record
            .as_ref()
            .is_none_or(|it| it.at != at || it.revision != revision)
        {
            self.record = Some(Record::read(open.workspace, at));
        }
        if let Some(record) = &self.record {
            ui.columns(3, |columns| {
                let [left, middle, right] = columns else {
                    return;
                };
                span_ui(left, cx, open, at);
                context_ui(middle, cx, open, record);
                arguments_ui(right, cx, record);
            });
        }
    }
}

impl Record {
    fn read(workspace: &Workspace, at: SpanRef) -> Self {
        let span = workspace.run().span(at);
        let host = span.launch.map_or(at, |it| SpanRef {
            trace: at.trace,
            span: it,
        });
        let mut around = workspace.enclosing(host);
        if host != at {
            around.push(host);
        }
        let fields = workspace.fields(at).map_err(|it| it.to_string());
        Self {
            at,
            revision: workspace.revision(),
            fields,
            around,
        }
    }
}

fn nothing_ui(ui: &mut Ui, cx: &Cx<'_>, open: &OpenRun<'_>) {
    let run = open.workspace.run();
    ui.label(
        RichText::new("Click a span to read all that the file says of it")
            .color(cx.theme.text.secondary),
    );
    ui.add_space(6.0);
    Grid::new("run")
        .num_columns(2)
        .spacing([24.0, 4.0])
        .show(ui, |ui| {
            let spans: u64 = run
                .members()
                .iter()
                .map(|it| it.trace.spans().len() as u64)
                .sum();
            row_ui(
                ui,
                cx,
                "Length",
                &text::duration_exact(run.extent().len().0),
            );
            row_ui(ui, cx, "Files", &run.members().len().to_string());
            row_ui(ui, cx, "Spans", &text::grouped(spans));
            if let Some(epoch) = run.epoch_ns() {
                row_ui(ui, cx, "Recorded", &text::utc(epoch));
            }
        });
}

fn row_ui(ui: &mut Ui, cx: &Cx<'_>, what: &str, value: &str) {
    ui.label(RichText::new(what).color(cx.theme.text.muted));
    ui.add(Label::new(RichText::new(value).monospace()).wrap());
    ui.end_row();
}

fn shown(text: &str) -> String {
    let mut end = text.len().min(SHOWN_BYTES_MAX);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let cut = if end < text.len() { "…" } else { "" };
    format!("{}{cut}", visible(&text[..end]))
}

fn span_ui(ui: &mut Ui, cx: &Cx<'_>, open: &OpenRun<'_>, at: SpanRef) {
    let run = open.workspace.run();
    let span = run.span(at);
    let name = run.name_of(at);
    ui.horizontal_wrapped(|ui| {
        ui.label(
            RichText::new(shown(run.short_name(name)))
                .size(cx.theme.sizes.text.heading)
                .color(cx.theme.text.primary),
        );
        let class = if span.kind.is_work() {
            run.class_of(at).word()
        } else {
            span.kind.word()
        };
        ui.label(
            RichText::new(class)
                .small()
                .background_color(cx.theme.surface.raised),
        );
    });
    ui.add_space(4.0);
    let range = run.range_of(at);
    let trace = run.trace(at.trace);
    let key = &trace.track(trace.track_of(at.span)).key;
    Grid::new("span")
        .num_columns(2)
        .spacing([20.0, 4.0])
        .show(ui, |ui| {
            row_ui(ui, cx, "Duration", &duration(open, at));
            row_ui(ui, cx, "Begins", &begins(open, at));
            row_ui(ui, cx, "Ends", &text::duration_exact(range.end.0));
            row_ui(ui, cx, "Rank", &shown(&run.title(at.trace)));
            if let Some(device) = key.device {
                row_ui(ui, cx, "GPU", &device.to_string());
                row_ui(ui, cx, "Stream", &key.thread.to_string());
            } else {
                row_ui(ui, cx, "Thread", &shown(&key.thread.to_string()));
            }
            row_ui(ui, cx, "File", &shown(&run.member(at.trace).file));
        });
    ui.add_space(6.0);
    let full = run.text(name);
    if full != &**run.short_name(name) {
        ui.label(
            RichText::new("Full name")
                .small()
                .color(cx.theme.text.muted),
        );
        ui.add(
            Label::new(RichText::new(shown(full)).monospace().small())
                .wrap()
                .selectable(true),
        );
    }
    if ui.small_button("Copy name").clicked() {
        cx.outbox.push(Command::CopyText(full.to_owned()));
    }
}

/// The duration as written, and what is wrong with it.
fn duration(open: &OpenRun<'_>, at: SpanRef) -> String {
    let run = open.workspace.run();
    let span = run.span(at);
    let exact = text::duration_exact(span.dur.0);
    if span.flags.has(Flags::IMPOSSIBLE) {
        let clipped = open.workspace.clipped(at).map_or_else(String::new, |it| {
            format!("{} cut at the next start; ", text::duration_exact(it.0))
        });
        format!("{clipped}{exact} as written, which is impossible")
    } else if span.flags.has(Flags::NEGATIVE) {
        "– negative in the file, held as 0".to_owned()
    } else if span.flags.has(Flags::NO_DURATION) {
        "– not in the file, held as 0".to_owned()
    } else if span.flags.has(Flags::OPEN) {
        format!("{exact}, never ended: open to the last time of the file")
    } else {
        exact
    }
}

/// Run time, and time in the step that holds it.
fn begins(open: &OpenRun<'_>, at: SpanRef) -> String {
    let start = open.workspace.run().range_of(at).start;
    let of_run = text::duration_exact(start.0);
    let step = open
        .workspace
        .steps()
        .iter()
        .rev()
        .find(|it| it.range.contains(start));
    match step {
        Some(step) => format!(
            "{of_run} · step {} + {}",
            step.number,
            text::duration_exact(start.since(step.range.start).0)
        ),
        None => of_run,
    }
}

fn context_ui(ui: &mut Ui, cx: &Cx<'_>, open: &OpenRun<'_>, record: &Record) {
    let run = open.workspace.run();
    let span = run.span(record.at);
    heading_ui(ui, cx, "Launch");
    if span.kind.is_work() {
        launch_ui(ui, cx, open, record);
    } else if span.kind.is_call() {
        launched_ui(ui, cx, open, record.at);
    } else {
        ui.label(RichText::new("Not GPU work").color(cx.theme.text.disabled));
    }
    ui.add_space(8.0);
    let op = record
        .around
        .iter()
        .rev()
        .find(|it| run.span(**it).kind == Kind::CpuOp);
    if let Some(op) = op {
        heading_ui(ui, cx, "Op");
        span_link_ui(ui, cx, open, *op);
        ui.add_space(8.0);
    }
    if !record.around.is_empty() {
        heading_ui(ui, cx, "Stack");
        let hidden = record.around.len().saturating_sub(FRAMES_SHOWN);
        if hidden > 0 {
            ui.collapsing(format!("{hidden} outer"), |ui| {
                for it in &record.around[..hidden] {
                    span_link_ui(ui, cx, open, *it);
                }
            });
        }
        for it in &record.around[hidden..] {
            span_link_ui(ui, cx, open, *it);
        }
    }
}

fn heading_ui(ui: &mut Ui, cx: &Cx<'_>, what: &str) {
    ui.label(RichText::new(what).color(cx.theme.text.primary));
}

fn launch_ui(ui: &mut Ui, cx: &Cx<'_>, open: &OpenRun<'_>, record: &Record) {
    let run = open.workspace.run();
    let span = run.span(record.at);
    let Some(launch) = span.launch else {
        ui.label(RichText::new("–").color(cx.theme.text.muted))
            .on_hover_text("No call in the file has the correlation id of this span");
        return;
    };
    let call = SpanRef {
        trace: record.at.trace,
        span: launch,
    };
    let delay = span.start.since(run.span(call).start);
    let when = if delay.0 < 0 {
        format!("launched {} later", text::duration_exact(-delay.0))
    } else {
        format!("launched {} earlier", text::duration_exact(delay.0))
    };
    ui.label(RichText::new(when).monospace());
    ui.horizontal(|ui| {
        if ui.small_button("Launch call").clicked() {
            cx.outbox.view(ViewCommand::ToLaunch);
        }
        ui.label(RichText::new(run.text(run.name_of(call))).color(cx.theme.text.secondary));
    });
}

fn launched_ui(ui: &mut Ui, cx: &Cx<'_>, open: &OpenRun<'_>, at: SpanRef) {
    let work = open.workspace.run().trace(at.trace).launched_by(at.span);
    if work.is_empty() {
        ui.label(
            RichText::new("No GPU span has the correlation id of this call")
                .color(cx.theme.text.disabled),
        );
        return;
    }
    ui.label(format!(
        "Launched {}",
        text::plural(work.len() as u64, "GPU span", "GPU spans")
    ));
    for span in work.iter().take(FRAMES_SHOWN) {
        span_link_ui(
            ui,
            cx,
            open,
            SpanRef {
                trace: at.trace,
                span: *span,
            },
        );
    }
}

/// A span's name; a click selects it.
fn span_link_ui(ui: &mut Ui, cx: &Cx<'_>, open: &OpenRun<'_>, at: SpanRef) {
    let run = open.workspace.run();
    let name = visible(run.short_name(run.name_of(at))).into_owned();
    let line = format!("{name}  {}", text::duration(run.span(at).dur.0));
    let link = ui.add(
        Label::new(RichText::new(line).small().color(cx.theme.text.secondary))
            .truncate()
            .sense(egui::Sense::click()),
    );
    if link.on_hover_text("Select").clicked() {
        cx.outbox.view(ViewCommand::GoTo(at));
    }
}

fn arguments_ui(ui: &mut Ui, cx: &Cx<'_>, record: &Record) {
    heading_ui(ui, cx, "Arguments");
    let fields = match &record.fields {
        Ok(fields) => fields,
        Err(reason) => {
            ui.label(RichText::new(format!("– {reason}")).color(cx.theme.text.muted));
            return;
        }
    };
    let args = fields.get("args").and_then(Value::as_object);
    let rest = fields
        .iter()
        .filter(|it| !matches!(it.0.as_str(), "args" | "name"));
    Grid::new("arguments")
        .num_columns(2)
        .spacing([20.0, 3.0])
        .show(ui, |ui| {
            for (key, value) in args.into_iter().flatten().chain(rest) {
                ui.label(
                    RichText::new(visible(key))
                        .small()
                        .color(cx.theme.text.muted),
                );
                let value = match value {
                    Value::String(text) => shown(text),
                    Value::Null => "not a number".to_owned(),
                    other => shown(&other.to_string()),
                };
                ui.add(
                    Label::new(RichText::new(value).monospace().small())
                        .wrap()
                        .selectable(true),
                );
                ui.end_row();
            }
        });
}
