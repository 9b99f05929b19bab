//! What has been read so far of each file of a load, for whoever waits. Written by the threads that
//! read, looked at by the window ten times a second; each file's entry is replaced whole.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::base::Job;
use crate::workspace::first_picture::FirstPicture;
use crate::workspace::read::Read;

/// How far one file is.
#[derive(Clone, Debug, PartialEq)]
pub enum State {
    Waiting,
    /// Being brought into memory, unpacked where it is packed: bytes from disk.
    Opening(u64),
    Reading,
    /// One picture for each of its traces.
    Done(Arc<[FirstPicture]>),
    /// It gave no trace: why.
    Absent(String),
}

/// One file.
#[derive(Clone, Debug)]
pub struct Arrival {
    pub file: String,
    pub state: State,
    /// Its part of the load.
    pub job: Job,
}

impl Arrival {
    pub fn new(file: String, state: State) -> Self {
        Self {
            file,
            state,
            job: Job::default().part(),
        }
    }

    /// What is there of it while it is being read.
    pub fn so_far(&self) -> Option<FirstPicture> {
        let spans = usize::try_from(self.job.span_count()).unwrap_or(usize::MAX);
        let is_reading = matches!(self.state, State::Opening(_) | State::Reading);
        FirstPicture::so_far(&self.job.sketch(), spans).filter(|_| is_reading)
    }

    /// Share of its bytes that are read, 0 to 1, once its size is known.
    pub fn share(&self) -> Option<f64> {
        if matches!(self.state, State::Done(_)) {
            return Some(1.0);
        }
        let total = self.job.total_bytes();
        (total > 0).then(|| self.job.done_bytes().min(total) as f64 / total as f64)
    }
}

/// All files of a load, in the order in which they were found.
#[derive(Debug, Default)]
pub struct Arrivals {
    files: Mutex<Vec<Arrival>>,
}

impl Arrivals {
    /// How far each file is now.
    pub fn now(&self) -> Vec<Arrival> {
        self.files().clone()
    }

    /// Nothing in here can be left half written, so that a thread that panicked spoils nothing.
    fn files(&self) -> MutexGuard<'_, Vec<Arrival>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn expect(&self, files: impl Iterator<Item = (String, Job)>) {
        let waiting = files.map(|(file, job)| Arrival {
            file,
            state: State::Waiting,
            job,
        });
        *self.files() = waiting.collect();
    }

    fn set(&self, number: usize, state: State) {
        if let Some(it) = self.files().get_mut(number) {
            it.state = state;
        }
    }

    /// The part of the job by which file `number` is read.
    pub(crate) fn begin(&self, number: usize) -> Job {
        self.set(number, State::Reading);
        let job = self.files().get(number).map(|it| it.job.clone());
        job.unwrap_or_default()
    }

    pub(crate) fn opening(&self, number: usize, bytes: u64) {
        self.set(number, State::Opening(bytes));
    }

    pub(crate) fn arrived(&self, number: usize, read: &Read) {
        if read.traces.is_empty() {
            let reason = read.absent.first().map(|it| it.reason.clone());
            self.set(number, State::Absent(reason.unwrap_or_default()));
            return;
        }
        let pictures = read
            .traces
            .iter()
            .map(|(it, _)| FirstPicture::of(&it.trace, it.any_rank()));
        let pictures: Vec<FirstPicture> = pictures.collect();
        self.set(number, State::Done(pictures.into()));
    }
}
