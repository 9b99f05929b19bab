//! The open run, and the questions that need its files.

use std::sync::Arc;

use crate::analysis::{Step, steps};
use crate::formats::{Fields, ImportError};
use crate::base::TimeRange;
use crate::index::{Index, Parts};
use crate::model::{Run, SpanRef, TraceId};
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
        Self { loaded, steps, revision }
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
        let [device] = devices.as_slice() else { return None };
        Some(self.index().trace(trace).parts(*device, run.trace_range(trace, range)))
    }

    /// All that the file says of a span. The file is looked at again; it may be gone.
    pub fn fields(&self, at: SpanRef) -> Result<Fields, FieldsError> {
        let origin = self.loaded.origins.get(at.trace.index()).ok_or(FieldsError::NoOrigin)?;
        origin.source.check_unchanged()?;
        Ok(origin.importer.args(&origin.source, self.run().span(at).at)?)
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
