//! From one span to another: along its row, to its launch, to its work.

use crate::model::{Role, Run, SpanId, SpanRef, TraceId, TrackId};
use crate::workspace::Workspace;

/// The span `by` places further on the row of `at`.
pub(super) fn along_row(workspace: &Workspace, at: SpanRef, by: isize) -> Option<SpanRef> {
    let trace = workspace.run().trace(at.trace);
    let depth = trace.span(at.span).depth;
    let index = workspace.index().trace(at.trace);
    let row = index.row(trace.track_of(at.span), depth)?;
    let here = row.ids().partition_point(|it| *it < at.span);
    let next = row.ids().get(here.checked_add_signed(by)?)?;
    Some(beside(at, *next))
}

/// The first work that `at` launched.
pub(super) fn to_work(run: &Run, at: SpanRef) -> Option<SpanRef> {
    let works = run.trace(at.trace).launched_by(at.span);
    works.first().map(|it| beside(at, *it))
}

pub(super) fn to_launch(run: &Run, at: SpanRef) -> Option<SpanRef> {
    let launch = run.span(at).launch?;
    Some(beside(at, launch))
}

/// The work `by` places further among those of the launch of `at`; of a launch its first.
pub(super) fn along_launch(run: &Run, at: SpanRef, by: isize) -> Option<SpanRef> {
    let Some(launch) = run.span(at).launch else {
        return to_work(run, at);
    };
    let works = run.trace(at.trace).launched_by(launch);
    let here = works.iter().position(|it| *it == at.span)?;
    let next = works.get(here.checked_add_signed(by)?)?;
    Some(beside(at, *next))
}

/// The CPU thread that launched `at`, or on which it stands itself.
pub(super) fn thread_of(run: &Run, at: SpanRef) -> Option<(TraceId, TrackId)> {
    let trace = run.trace(at.trace);
    let on_thread = |span: SpanId| {
        let track = trace.track_of(span);
        (trace.track(track).key.role == Role::Cpu).then_some((at.trace, track))
    };
    on_thread(at.span).or_else(|| on_thread(trace.span(at.span).launch?))
}

fn beside(at: SpanRef, span: SpanId) -> SpanRef {
    SpanRef {
        trace: at.trace,
        span,
    }
}
