//! Work that runs in the background: a named thread, and a shared [`Job`] through which it tells
//! how far it is and hears that it should stop.
//!
//! Cancelling is cooperative: the work calls [`Job::advance`] or [`Job::check`] at least every few
//! milliseconds. It converts into no message: somebody who cancelled knows why.

use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::thread::JoinHandle;

/// The work was told to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

/// What a load is doing, in the order in which it does it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    FindFiles,
    ReadSpans,
    AlignClocks,
    BuildIndex,
}

impl Stage {
    pub const ALL: [Self; 4] = [
        Self::FindFiles,
        Self::ReadSpans,
        Self::AlignClocks,
        Self::BuildIndex,
    ];

    pub fn title(self) -> &'static str {
        match self {
            Self::FindFiles => "Finding files",
            Self::ReadSpans => "Reading spans",
            Self::AlignClocks => "Aligning clocks",
            Self::BuildIndex => "Building the index",
        }
    }

    /// Position in [`Stage::ALL`], from 1.
    pub fn number(self) -> usize {
        self as usize + 1
    }
}

/// Progress of one piece of background work, and the wish to end it.
#[derive(Debug, Default)]
pub struct Job {
    cancelled: AtomicBool,
    stage: AtomicU8,
    done_bytes: AtomicU64,
    total_bytes: AtomicU64,
    span_count: AtomicU64,
    issue_count: AtomicU64,
}

impl Job {
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    pub fn check(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() {
            Err(Cancelled)
        } else {
            Ok(())
        }
    }

    /// `bytes` more of the input are done.
    pub fn advance(&self, bytes: u64) -> Result<(), Cancelled> {
        self.done_bytes.fetch_add(bytes, Ordering::Relaxed);
        self.check()
    }

    pub fn kept(&self, spans: u64, issues: u64) {
        self.span_count.fetch_add(spans, Ordering::Relaxed);
        self.issue_count.fetch_add(issues, Ordering::Relaxed);
    }

    pub fn expect_bytes(&self, bytes: u64) {
        self.total_bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    pub fn enter(&self, stage: Stage) {
        self.stage.store(stage as u8, Ordering::Relaxed);
    }

    pub fn stage(&self) -> Stage {
        let index = usize::from(self.stage.load(Ordering::Relaxed));
        Stage::ALL.get(index).copied().unwrap_or(Stage::FindFiles)
    }

    pub fn done_bytes(&self) -> u64 {
        self.done_bytes.load(Ordering::Relaxed)
    }

    pub fn total_bytes(&self) -> u64 {
        self.total_bytes.load(Ordering::Relaxed)
    }

    pub fn span_count(&self) -> u64 {
        self.span_count.load(Ordering::Relaxed)
    }

    pub fn issue_count(&self) -> u64 {
        self.issue_count.load(Ordering::Relaxed)
    }
}

/// How a piece of background work ended other than with its result.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    #[error("the system gave no thread for {name}: {cause}")]
    NoThread {
        name: &'static str,
        cause: std::io::Error,
    },
    #[error("{name} stopped on an internal fault: {what}")]
    Panicked { name: &'static str, what: String },
}

/// Runs `work` on a thread called `name`. A panic in it ends the thread, is caught at its border
/// and given to `end` as an error: the window lives on.
pub fn spawn<T: Send + 'static>(
    name: &'static str,
    work: impl FnOnce() -> T + Send + 'static,
    end: impl FnOnce(Result<T, JobError>) + Send + 'static,
) -> Result<JoinHandle<()>, JobError> {
    std::thread::Builder::new()
        .name(name.to_owned())
        .spawn(move || end(catch(name, work)))
        .map_err(|cause| JobError::NoThread { name, cause })
}

/// Runs `work` here and turns a panic into an error.
pub fn catch<T>(name: &'static str, work: impl FnOnce() -> T) -> Result<T, JobError> {
    std::panic::catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let what = payload
            .downcast_ref::<&str>()
            .map(|it| (*it).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "no message".to_owned());
        JobError::Panicked { name, what }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn a_panic_in_a_job_arrives_as_an_error_with_its_name() {
        let (send, receive) = channel();
        let thread = spawn(
            "load",
            || -> u32 { panic!("a bad day") },
            move |it| {
                send.send(it).unwrap();
            },
        );
        thread.unwrap().join().unwrap();
        let error = receive.recv().unwrap().unwrap_err();
        assert_eq!(
            error.to_string(),
            "load stopped on an internal fault: a bad day"
        );
    }

    #[test]
    fn cancel_is_heard_at_the_next_step() {
        let job = Job::default();
        assert_eq!(job.advance(5), Ok(()));
        job.cancel();
        assert_eq!(job.advance(5), Err(Cancelled));
        assert_eq!(job.done_bytes(), 10);
    }
}
