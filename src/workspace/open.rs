//! The open run, and the questions that need its files.

use std::sync::Arc;

use crate::analysis::{Step, steps};
use crate::formats::{Fields, ImportError};
use crate::index::Index;
use crate::model::{Run, SpanRef};
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
