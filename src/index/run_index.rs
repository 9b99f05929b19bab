//! The indexes of a run's traces, built in parallel; the count of threads changes no result.

use rayon::prelude::*;

use crate::base::{Cancelled, Job};
use crate::index::trace_index::TraceIndex;
use crate::model::{Run, TraceId};

/// The index of a run.
#[derive(Debug)]
pub struct Index {
    traces: Vec<TraceIndex>,
}

impl Index {
    pub fn build(run: &Run, job: &Job) -> Result<Self, Cancelled> {
        let ids: Vec<TraceId> = run.trace_ids().collect();
        let traces = ids
            .into_par_iter()
            .map(|id| TraceIndex::build(run, id, job));
        Ok(Self {
            traces: traces.collect::<Result<_, Cancelled>>()?,
        })
    }

    /// The index of a trace, which must be of the run this was built from.
    pub fn trace(&self, id: TraceId) -> &TraceIndex {
        &self.traces[id.index()]
    }

    pub fn traces(&self) -> &[TraceIndex] {
        &self.traces
    }

    pub fn memory_bytes(&self) -> usize {
        self.traces.iter().map(TraceIndex::memory_bytes).sum()
    }
}
