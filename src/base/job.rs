//! Work that runs in the background: a named thread, and a shared [`Job`] through which it tells
//! how far it is and hears that it should stop.
//!
//! Cancelling is cooperative: the work calls [`Job::advance`] or [`Job::check`] at least every few
//! milliseconds. It converts into no message: somebody who cancelled knows why.

use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use crate::base::sketch::Sketch;

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

/// Progress of one piece of background work, and the wish to end it. A [`Job::part`] of it shares both
/// and counts its own bytes beside.
#[derive(Clone, Debug, Default)]
pub struct Job {
    whole: Arc<Counts>,
    part: Option<Arc<Counts>>,
}

#[derive(Debug, Default)]
struct Counts {
    cancelled: AtomicBool,
    stage: AtomicU8,
    done_bytes: AtomicU64,
    total_bytes: AtomicU64,
    span_count: AtomicU64,
    issue_count: AtomicU64,
    sketch: Mutex<Sketch>,
    #[cfg(test)]
    fuse: Fuse,
}

impl Job {
    /// The same job for a part of its work: what it does counts for both, and a cancel reaches it.
    #[must_use]
    pub fn part(&self) -> Self {
        Self {
            whole: Arc::clone(&self.whole),
            part: Some(Arc::default()),
        }
    }

    pub fn cancel(&self) {
        self.whole.cancelled.store(true, Ordering::Relaxed);
    }

    pub fn is_cancelled(&self) -> bool {
        self.whole.cancelled.load(Ordering::Relaxed)
    }

    pub fn check(&self) -> Result<(), Cancelled> {
        #[cfg(test)]
        self.whole.fuse.burn(&self.whole);
        if self.is_cancelled() {
            Err(Cancelled)
        } else {
            Ok(())
        }
    }

    /// `bytes` more of the input are done.
    pub fn advance(&self, bytes: u64) -> Result<(), Cancelled> {
        for it in self.counts() {
            it.done_bytes.fetch_add(bytes, Ordering::Relaxed);
        }
        self.check()
    }

    pub fn kept(&self, spans: u64, issues: u64) {
        for it in self.counts() {
            it.span_count.fetch_add(spans, Ordering::Relaxed);
            it.issue_count.fetch_add(issues, Ordering::Relaxed);
        }
    }

    /// Spans that were read begin at these times.
    pub fn begins(&self, times: &[i64]) {
        self.own_sketch().add(times);
    }

    /// When the spans begin that were read so far.
    pub fn sketch(&self) -> Sketch {
        self.own_sketch().clone()
    }

    /// A thread that panicked leaves nothing in it that could mislead.
    fn own_sketch(&self) -> MutexGuard<'_, Sketch> {
        let sketch = self.own().sketch.lock();
        sketch.unwrap_or_else(PoisonError::into_inner)
    }

    pub fn expect_bytes(&self, bytes: u64) {
        for it in self.counts() {
            it.total_bytes.fetch_add(bytes, Ordering::Relaxed);
        }
    }

    /// A part turns out to have `bytes`, of which the whole already expects `guess`.
    pub fn expect_instead(&self, bytes: u64, guess: u64) {
        if let Some(part) = &self.part {
            part.total_bytes.fetch_add(bytes, Ordering::Relaxed);
        }
        let more = bytes.wrapping_sub(guess);
        self.whole.total_bytes.fetch_add(more, Ordering::Relaxed);
    }

    pub fn enter(&self, stage: Stage) {
        self.whole.stage.store(stage as u8, Ordering::Relaxed);
    }

    pub fn stage(&self) -> Stage {
        let index = usize::from(self.whole.stage.load(Ordering::Relaxed));
        Stage::ALL.get(index).copied().unwrap_or(Stage::FindFiles)
    }

    pub fn done_bytes(&self) -> u64 {
        self.own().done_bytes.load(Ordering::Relaxed)
    }

    pub fn total_bytes(&self) -> u64 {
        self.own().total_bytes.load(Ordering::Relaxed)
    }

    pub fn span_count(&self) -> u64 {
        self.own().span_count.load(Ordering::Relaxed)
    }

    pub fn issue_count(&self) -> u64 {
        self.own().issue_count.load(Ordering::Relaxed)
    }

    /// The counts of the part, or of the whole where it is no part.
    fn own(&self) -> &Counts {
        self.part.as_deref().unwrap_or(&self.whole)
    }

    fn counts(&self) -> impl Iterator<Item = &Counts> {
        std::iter::once(&*self.whole).chain(self.part.as_deref())
    }
}

/// Cancels a job at a check of a known number, and counts what is still done after that: promptness
/// measured in work, which no busy machine can make flicker.
#[cfg(test)]
#[derive(Debug, Default)]
struct Fuse {
    /// The number of the check that cancels; 0 never.
    at: AtomicU64,
    checks: AtomicU64,
    checks_after: AtomicU64,
    bytes_at: AtomicU64,
}

#[cfg(test)]
impl Fuse {
    fn burn(&self, counts: &Counts) {
        if counts.cancelled.load(Ordering::SeqCst) {
            self.checks_after.fetch_add(1, Ordering::SeqCst);
        }
        let number = self.checks.fetch_add(1, Ordering::SeqCst) + 1;
        if number == self.at.load(Ordering::SeqCst) {
            let bytes = counts.done_bytes.load(Ordering::SeqCst);
            self.bytes_at.store(bytes, Ordering::SeqCst);
            counts.cancelled.store(true, Ordering::SeqCst);
        }
    }
}

#[cfg(test)]
impl Job {
    /// A job that is cancelled by its check of this number.
    pub(crate) fn cancelled_by_check(number: u64) -> Self {
        let job = Self::default();
        job.whole.fuse.at.store(number, Ordering::SeqCst);
        job
    }

    pub(crate) fn check_count(&self) -> u64 {
        self.whole.fuse.checks.load(Ordering::SeqCst)
    }

    /// Checks and bytes after the cancel.
    pub(crate) fn work_after_cancel(&self) -> (u64, u64) {
        let fuse = &self.whole.fuse;
        let bytes = self.done_bytes() - fuse.bytes_at.load(Ordering::SeqCst);
        (fuse.checks_after.load(Ordering::SeqCst), bytes)
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

    #[test]
    fn a_part_counts_for_itself_and_for_the_whole() {
        let job = Job::default();
        let (a, b) = (job.part(), job.part());
        a.expect_bytes(10);
        b.expect_bytes(20);
        a.advance(4).unwrap();
        b.kept(3, 1);
        assert_eq!((a.done_bytes(), a.total_bytes()), (4, 10));
        assert_eq!((b.done_bytes(), b.span_count()), (0, 3));
        assert_eq!((job.done_bytes(), job.total_bytes()), (4, 30));
        assert_eq!((job.span_count(), job.issue_count()), (3, 1));
        job.cancel();
        assert_eq!(a.advance(1), Err(Cancelled));
    }

    #[test]
    fn a_part_that_is_larger_than_expected_corrects_the_whole() {
        let job = Job::default();
        job.expect_bytes(30);
        let (packed, gone) = (job.part(), job.part());
        packed.expect_instead(100, 10);
        gone.expect_instead(0, 20);
        assert_eq!((packed.total_bytes(), job.total_bytes()), (100, 100));
    }

    #[test]
    fn a_fuse_cancels_at_its_check_and_counts_what_follows() {
        let job = Job::cancelled_by_check(2);
        assert_eq!(job.advance(5), Ok(()));
        assert_eq!(job.part().advance(5), Err(Cancelled));
        assert_eq!(job.work_after_cancel(), (0, 0));
        assert_eq!(job.advance(7), Err(Cancelled));
        assert_eq!((job.check_count(), job.work_after_cancel()), (3, (1, 7)));
    }
}
