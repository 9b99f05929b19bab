//! What Ctrl+C takes along of a selection: a table of its spans, its range, or the lane's name. Times
//! are whole nanoseconds from the start of the run, so that a sheet can work with them.

use crate::base::TimeRange;
use crate::model::{Role, Run, SpanRef, visible};
use crate::view::lane::LaneKey;
use crate::view::state::View;

const HEAD: &str = "name\tclass\trank\tgpu\trow\tstart_ns\tduration_ns";

/// The text, or nothing where nothing is selected.
pub fn copied(run: &Run, view: &View) -> Option<String> {
    let selection = view.selected();
    if !selection.spans().is_empty() {
        let lines = selection.spans().iter().map(|it| line(run, *it));
        let lines: Vec<String> = std::iter::once(HEAD.to_owned()).chain(lines).collect();
        return Some(lines.join("\n"));
    }
    let lane = || view.lane().and_then(|it| lane_text(run, view, it));
    view.range().map(range_text).or_else(lane)
}

fn line(run: &Run, at: SpanRef) -> String {
    let trace = run.trace(at.trace);
    let key = &trace.track(trace.track_of(at.span)).key;
    let span = run.span(at);
    let class = if span.kind.is_work() {
        run.class_of(at).word()
    } else {
        span.kind.word()
    };
    let row = match key.role {
        Role::Work | Role::Annotation => format!("stream {}", key.thread),
        Role::Cpu => format!("thread {}", key.thread),
        _ => format!("row {}", key.thread),
    };
    let rank = run.member(at.trace).rank;
    let [rank, gpu] = [rank.map(|it| i64::from(it.0)), key.device]
        .map(|it| it.map_or_else(String::new, |it| it.to_string()));
    // A tab inside of a name would be a column of its own.
    let name = visible(run.text(run.name_of(at)));
    let start = run.range_of(at).start.0;
    format!(
        "{name}\t{class}\t{rank}\t{gpu}\t{row}\t{start}\t{}",
        span.dur.0
    )
}

fn range_text(range: TimeRange) -> String {
    format!(
        "start_ns\tend_ns\tlength_ns\n{}\t{}\t{}",
        range.start.0,
        range.end.0,
        range.len().0
    )
}

fn lane_text(run: &Run, view: &View, key: LaneKey) -> Option<String> {
    let lane = view.all_lanes().find(|it| it.key == key)?;
    let rank = run.title(key.trace());
    let parts = [rank.as_str(), &lane.title, &lane.note];
    let told: Vec<&str> = parts.into_iter().filter(|it| !it.is_empty()).collect();
    Some(told.join(" · "))
}
