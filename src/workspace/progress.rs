//! A load as it is told to people: how far it is, or why it failed.

use crate::base::{Job, Stage};
use crate::model::{Absent, Ledger};
use crate::workspace::arrivals::Arrival;
use crate::workspace::load::LoadError;

/// How far a load is.
#[derive(Clone, Debug)]
pub struct Progress {
    /// What is being opened: a file's name, or `4 files`.
    pub title: String,
    pub stage: Stage,
    pub done_bytes: u64,
    /// 0 while it is not known.
    pub total_bytes: u64,
    pub span_count: u64,
    pub issue_count: u64,
    pub elapsed_s: f64,
    /// What there is of each file.
    pub files: Vec<Arrival>,
}

impl Progress {
    pub fn of(title: &str, job: &Job, files: Vec<Arrival>, elapsed_s: f64) -> Self {
        Self {
            title: title.to_owned(),
            stage: job.stage(),
            done_bytes: job.done_bytes().min(job.total_bytes()),
            total_bytes: job.total_bytes(),
            span_count: job.span_count(),
            issue_count: job.issue_count(),
            elapsed_s,
            files,
        }
    }

    /// Share of the bytes that are read, 0 to 1.
    pub fn share(&self) -> f64 {
        if self.total_bytes == 0 {
            0.0
        } else {
            self.done_bytes as f64 / self.total_bytes as f64
        }
    }

    /// Bytes a second so far, once there is something to divide.
    pub fn rate(&self) -> Option<f64> {
        (self.elapsed_s > 0.2 && self.done_bytes > 0)
            .then(|| self.done_bytes as f64 / self.elapsed_s)
    }

    /// Seconds left, told only after two.
    pub fn left_s(&self) -> Option<f64> {
        let left = self.total_bytes.saturating_sub(self.done_bytes) as f64;
        self.rate()
            .filter(|_| self.elapsed_s > 2.0)
            .map(|it| left / it)
    }
}

/// Why nothing was opened.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// What was to be opened.
    pub title: String,
    /// What was wrong, path last.
    pub sentence: String,
    /// The same for each file, where there are several.
    pub absent: Vec<Absent>,
    pub ledger: Ledger,
}

impl Failure {
    pub fn of_load(title: String, error: &LoadError) -> Self {
        let (absent, ledger) = match error {
            LoadError::NothingLoaded(absent, ledger) => (absent.clone(), (**ledger).clone()),
            _ => (Vec::new(), Ledger::default()),
        };
        Self {
            title,
            sentence: error.to_string(),
            absent,
            ledger,
        }
    }

    pub fn of_sentence(title: String, sentence: String) -> Self {
        Self {
            title,
            sentence,
            absent: Vec::new(),
            ledger: Ledger::default(),
        }
    }
}
