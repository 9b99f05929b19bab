//! The open run, and the questions that need its files.

use std::sync::Arc;

use crate::analysis::{Step, steps};
use crate::base::{Dur, TimeRange};
use crate::formats::{Fields, ImportError};
use crate::index::{Index, Parts};
use crate::model::{Run, SpanId, SpanRef, TraceId};
use crate::workspace::load::{Intake, Loaded};

/// A loaded run with what follows from it once.
pub struct Workspace {
    loaded: Loaded,
    steps: Vec<Step>,
    /// Rises with every run that is opened.
    revision: u64,
}

impl Workspace {
    pub fn new(loaded: Loaded, revision: u64) -> Self {
        let steps = steps(&loaded.run);
        Self {
            loaded,
            steps,
            revision,
        }
    }

    pub fn run(&self) -> &Arc<Run> {
        &self.loaded.run
    }

    pub fn index(&self) -> &Arc<Index> {
        &self.loaded.index
    }

    pub fn intake(&self) -> &Intake {
        &self.loaded.intake
    }

    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Where the time of a trace's device went in a range of run time, if it has just one device.
    pub fn parts_of_only_device(&self, trace: TraceId, range: TimeRange) -> Option<Parts> {
        let run = self.run();
        let devices = run.trace(trace).devices();
        let [device] = devices.as_slice() else {
            return None;
        };
        Some(
            self.index()
                .trace(trace)
                .parts(*device, run.trace_range(trace, range)),
        )
    }

    /// The spans of its thread or row around a span, outermost first, without itself.
    pub fn enclosing(&self, at: SpanRef) -> Vec<SpanRef> {
        let trace = self.run().trace(at.trace);
        let span = trace.span(at.span);
        let track = trace.track_of(at.span);
        let index = self.index().trace(at.trace);
        let above = (0..span.depth).filter_map(|depth| {
            let row = index.row(track, depth)?;
            let found = index.pick(&row, span.start, Dur(0))?;
            let holds =
                trace.span(found).end() > span.start || trace.span(found).range() == span.range();
            holds.then_some(SpanRef {
                trace: at.trace,
                span: found,
            })
        });
        above.collect()
    }

    /// The length of an impossible span cut at the next start on its stream.
    pub fn clipped(&self, at: SpanRef) -> Option<Dur> {
        let trace = self.run().trace(at.trace);
        let span = trace.span(at.span);
        let later = at.span.0 + 1..trace.track(trace.track_of(at.span)).spans.end;
        let next = later
            .map(|it| trace.span(SpanId(it)).start)
            .find(|it| *it > span.start)?;
        Some(next.since(span.start))
    }

    /// All that the file says of a span. The file is looked at again; it may be gone.
    pub fn fields(&self, at: SpanRef) -> Result<Fields, FieldsError> {
        let origin = self
            .loaded
            .origins
            .get(at.trace.index())
            .ok_or(FieldsError::NoOrigin)?;
        origin.source.check_unchanged()?;
        Ok(origin
            .importer
            .args(&origin.source, self.run().span(at).at)?)
    }
}

/// Why a span's record cannot be read again.
#[derive(Debug, thiserror::Error)]
pub enum FieldsError {
    #[error("this span comes from no file")]
    NoOrigin,
    #[error(transparent)]
    Changed(#[from] crate::formats::SourceError),
    #[error(transparent)]
    Record(#[from] ImportError),
}
