//! Counters in view: values over time as steps. What was allocated and what was reserved of one memory
//! are one lane, a waterline.

use crate::model::{Counter, Run, Trace, TraceId, Unit};
use crate::view::axis::Axis;

/// How the two counters of a memory end in the names that the importer gives them.
const ALLOCATED: &str = " allocated";
const RESERVED: &str = " reserved";

/// Left edge of each step, and its value; the last goes on to the right edge.
pub type Steps = Vec<(f32, f64)>;

/// A counter in view.
#[derive(Clone, Debug, PartialEq)]
pub struct CounterBox {
    pub steps: Steps,
    /// Lowest and highest in view.
    pub range: [f64; 2],
    /// What was reserved, over what was allocated; with its highest in view.
    pub reserved: Option<(Steps, f64)>,
    pub is_bytes: bool,
}

impl CounterBox {
    /// The value that stands at `x`, and what was reserved there.
    pub fn at(&self, x: f32) -> Option<(f64, Option<f64>)> {
        let value = |steps: &Steps| steps.iter().rev().find(|it| it.0 <= x).map(|it| it.1);
        let reserved = self.reserved.as_ref().and_then(|it| value(&it.0));
        Some((value(&self.steps)?, reserved))
    }

    /// The highest that is drawn.
    pub fn top(&self) -> f64 {
        let reserved = self.reserved.as_ref().map_or(f64::MIN, |it| it.1);
        self.range[1].max(reserved)
    }
}

/// The lane of counter `number`: its title without what its kind says, and a note. None where it is
/// drawn on the lane of another.
pub(crate) fn counter_title(trace: &Trace, number: usize) -> Option<(String, String)> {
    let counter = trace.counters().get(number)?;
    let name = trace.names().text(counter.name);
    let memory = |end: &str| {
        name.strip_suffix(end)
            .filter(|_| counter.unit == Unit::Bytes)
    };
    if memory(RESERVED).is_some() && twin(trace, counter, RESERVED, ALLOCATED).is_some() {
        return None;
    }
    Some(match memory(ALLOCATED) {
        Some(memory) if twin(trace, counter, ALLOCATED, RESERVED).is_some() => {
            (memory.to_owned(), "allocated, reserved".to_owned())
        }
        Some(memory) => (memory.to_owned(), "allocated".to_owned()),
        None => (name.to_owned(), String::new()),
    })
}

/// The counter of the same memory that ends in `to` rather than in `from`.
fn twin<'a>(trace: &'a Trace, of: &Counter, from: &str, to: &str) -> Option<&'a Counter> {
    let memory = trace.names().text(of.name).strip_suffix(from)?;
    let is_twin = |it: &&Counter| {
        let name = trace.names().text(it.name);
        name.strip_suffix(to) == Some(memory) && it.device == of.device && it.process == of.process
    };
    trace.counters().iter().find(is_twin)
}

pub(crate) fn counter_box(
    run: &Run,
    trace: TraceId,
    number: u32,
    axis: &Axis,
    columns: usize,
) -> Option<CounterBox> {
    let data = run.trace(trace);
    let counter = data.counters().get(number as usize)?;
    let (steps, range) = steps(run, trace, counter, axis, columns);
    let reserved = twin(data, counter, ALLOCATED, RESERVED)
        .map(|it| self::steps(run, trace, it, axis, columns))
        .filter(|it| !it.0.is_empty())
        .map(|(steps, range)| (steps, range[1]));
    (!steps.is_empty()).then_some(CounterBox {
        steps,
        range,
        reserved,
        is_bytes: counter.unit == Unit::Bytes,
    })
}

fn steps(
    run: &Run,
    trace: TraceId,
    counter: &Counter,
    axis: &Axis,
    columns: usize,
) -> (Steps, [f64; 2]) {
    let range = run.trace_range(trace, axis.stretch.range());
    let from = counter
        .times
        .partition_point(|it| *it <= range.start)
        .saturating_sub(1);
    let to = counter.times.partition_point(|it| *it < range.end);
    let mut steps = Steps::new();
    let mut bounds = [f64::MAX, f64::MIN];
    // At most two samples a column: the highest, so that a peak is never lost.
    let stride = ((to.saturating_sub(from)) / (columns * 2).max(1)).max(1);
    let mut at = from;
    while at < to {
        let end = (at + stride).min(to);
        let values = &counter.values[at..end];
        let peak = values.iter().copied().fold(f64::MIN, f64::max);
        bounds = [
            values.iter().copied().fold(bounds[0], f64::min),
            bounds[1].max(peak),
        ];
        let x = axis.x_from_time(run.run_time(trace, counter.times[at]));
        steps.push((x, peak));
        at = end;
    }
    (steps, bounds)
}
