//! Training steps as the recording marks them: annotations `ProfilerStep#N` (formats.md 11.2), of the
//! first trace of the run that has any. A step of the host; work it launches may end later.

use crate::base::TimeRange;
use crate::model::{Kind, Run, TraceId};

/// One marked step, in run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub number: u64,
    pub range: TimeRange,
}

/// The steps by start.
pub fn steps(run: &Run) -> Vec<Step> {
    run.trace_ids()
        .map(|it| steps_of(run, it))
        .find(|it| !it.is_empty())
        .unwrap_or_default()
}

fn steps_of(run: &Run, trace: TraceId) -> Vec<Step> {
    let data = run.trace(trace);
    let number =
        |text: &str| -> Option<u64> { text.strip_prefix("ProfilerStep#")?.trim().parse().ok() };
    let numbers: Vec<Option<u64>> = data.names().texts().iter().map(|it| number(it)).collect();
    if numbers.iter().all(Option::is_none) {
        return Vec::new();
    }
    let spans = data.spans();
    let of_host = |i: &usize| {
        matches!(
            spans.kinds()[*i],
            Kind::Annotation | Kind::CpuOp | Kind::Python
        )
    };
    let mut found: Vec<Step> = (0..spans.len())
        .filter(|i| numbers[spans.names()[*i].index()].is_some())
        .filter(of_host)
        .filter_map(|i| {
            let span = data.span(crate::model::SpanId::from_index(i));
            let range = TimeRange::new(
                run.run_time(trace, span.start),
                run.run_time(trace, span.end()),
            );
            Some(Step {
                number: numbers[span.name.index()]?,
                range,
            })
        })
        .collect();
    found.sort_by_key(|it| (it.range.start, it.number));
    found.dedup_by_key(|it| it.number);
    found
}
