//! Which work took the time: spans by full name, with count and sum of durations, longest first.
//!
//! Durations of impossible spans are summed as written and the row is marked, so that a ranking never
//! puts such a row first without a word.

use std::collections::BTreeMap;

use crate::base::{Cancelled, Dur, Job};
use crate::model::{Class, Flags, NameId, Run, SpanRef};

/// One name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelRow {
    pub name: NameId,
    pub class: Class,
    pub count: u64,
    pub sum: Dur,
    pub longest: Dur,
    /// A span of positive or zero length that is the first of its name in the run.
    pub first: SpanRef,
    /// Spans whose duration cannot be.
    pub impossible_count: u64,
}

/// All GPU work by name, by falling sum; impossible durations last.
pub fn kernels(run: &Run, job: &Job) -> Result<Vec<KernelRow>, Cancelled> {
    let mut rows: BTreeMap<NameId, KernelRow> = BTreeMap::new();
    for trace in run.trace_ids() {
        for (count, (id, span)) in run.work(trace).enumerate() {
            if count.is_multiple_of(1 << 16) {
                job.check()?;
            }
            let at = SpanRef { trace, span: id };
            let name = run.name_of(at);
            let row = rows.entry(name).or_insert_with(|| KernelRow {
                name,
                class: run.class_of(at),
                count: 0,
                sum: Dur::ZERO,
                longest: Dur::ZERO,
                first: at,
                impossible_count: 0,
            });
            row.count += 1;
            row.sum = row.sum.plus(span.dur);
            row.longest = row.longest.max(span.dur);
            row.impossible_count += u64::from(span.flags.has(Flags::IMPOSSIBLE));
        }
    }
    let mut rows: Vec<KernelRow> = rows.into_values().collect();
    rows.sort_by_key(|it| (it.impossible_count > 0, std::cmp::Reverse(it.sum), it.name));
    Ok(rows)
}
