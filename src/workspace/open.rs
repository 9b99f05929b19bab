//! The open run, and the questions that need its files.

use std::sync::Arc;

use crate::analysis::{Step, steps};
use crate::base::{Dur, Time, TimeRange};
use crate::formats::{Fields, ImportError};
use crate::index::{Index, Parts};
use crate::model::{Flags, Role, Run, SpanRef, TraceId};
use crate::workspace::load::Loaded;
use crate::workspace::read::Intake;

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

    /// The spans of a thread inside of which a span starts, outermost first, without itself. Work
    /// has none: sub-lanes of a stream are beside each other.
    pub fn enclosing(&self, at: SpanRef) -> Vec<SpanRef> {
        let trace = self.run().trace(at.trace);
        let (track, span) = (trace.track_of(at.span), trace.span(at.span));
        if trace.track(track).key.role == Role::Work {
            return Vec::new();
        }
        let index = self.index().trace(at.trace);
        let above = (0..span.depth).filter_map(|depth| {
            let found = index.pick(&index.row(track, depth)?, span.start, Dur::ZERO)?;
            let holds = trace.span(found).range().contains(span.start);
            holds.then_some(SpanRef {
                trace: at.trace,
                span: found,
            })
        });
        above.collect()
    }

    /// What counts of a span in every figure, in run time: as written, but one of an impossible duration
    /// is cut at the next later start on its stream.
    pub fn counted_range(&self, at: SpanRef) -> TimeRange {
        let run = self.run();
        let mut range = run.range_of(at);
        if run.span(at).flags.has(Flags::IMPOSSIBLE) {
            let trace = run.trace(at.trace);
            let track = trace.track(trace.track_of(at.span)).indices();
            let starts = &trace.spans().starts()[track];
            let later = starts.partition_point(|it| *it <= run.span(at).start.0);
            if let Some(next) = starts.get(later) {
                range.end = range.end.min(run.run_time(at.trace, Time(*next)));
            }
        }
        range
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

#[cfg(test)]
impl Workspace {
    /// The run of a drawing, see `model/drawing.rs`; it comes from no file.
    pub(crate) fn drawn(drawing: &str) -> Self {
        let run = crate::model::drawing::run(drawing);
        let loaded = Loaded::from_run(run, &crate::base::Job::default());
        Self::new(loaded.unwrap(), 1)
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

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::Workspace;
    use crate::base::Job;
    use crate::model::{Kind, SpanId, SpanRef};
    use crate::workspace::load;

    #[test]
    fn an_impossible_duration_counts_up_to_the_next_start_of_its_stream() {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join("tests/cases/d04_impossible_duration.json");
        let workspace = Workspace::new(load(&[path], &Job::default()).unwrap(), 1);
        let run = workspace.run();
        let id = run.trace_ids().next().unwrap();
        let (mut written, mut counted) = (0, 0);
        for (span, it) in run.work(id).filter(|it| it.1.kind == Kind::Kernel) {
            let at = SpanRef { trace: id, span };
            assert_eq!(workspace.counted_range(at).start, run.range_of(at).start);
            written += it.dur.0;
            counted += workspace.counted_range(at).len().0;
        }
        // Both figures as the case states them for this stream.
        assert_eq!((written, counted), (3_400_145_000, 185_000));
    }

    #[test]
    fn enclosing_spans_are_those_of_a_scan() {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("sample-traces/train-4rank");
        let workspace = Workspace::new(load(&[folder], &Job::default()).unwrap(), 1);
        let run = workspace.run();
        let id = run.trace_ids().next().unwrap();
        let trace = run.trace(id);
        let (mut nested, mut work) = (0, 0);
        for span in (0..trace.spans().len()).map(SpanId::from_index) {
            let found = workspace.enclosing(SpanRef { trace: id, span });
            if trace.span(span).kind.is_work() {
                assert!(found.is_empty());
                work += 1;
            } else if trace.span(span).kind == Kind::Runtime {
                let found: Vec<SpanId> = found.iter().map(|it| it.span).collect();
                assert_eq!(found, trace.enclosing(span));
                nested += usize::from(!found.is_empty());
            }
        }
        assert!(nested > 1000 && work > 1000, "{nested} {work}");
    }
}
