//! Background work of the window: one load at a time, and the file dialog. Results come through one
//! channel; a result of a load that was replaced is dropped.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use egui::Context;

use crate::base::{Job, JobError, spawn};
use crate::view::Outline;
use crate::workspace::{Failure, LoadError, Loaded, Progress, load};

/// How often the progress of a load is drawn anew.
const TICK: Duration = Duration::from_millis(100);

/// What background work sends.
pub(crate) enum Answer {
    Loaded(Box<Loaded>, Outline),
    Failed(Failure),
    Cancelled,
    /// Something of our own broke; the window lives on.
    Fault(String),
    Chosen(Vec<PathBuf>),
}

struct Running {
    job: Arc<Job>,
    title: String,
    since: Instant,
    generation: u64,
}

/// The work that runs.
pub(crate) struct Jobs {
    running: Option<Running>,
    generation: u64,
    sender: Sender<(Option<u64>, Answer)>,
    receiver: Receiver<(Option<u64>, Answer)>,
}

impl Default for Jobs {
    fn default() -> Self {
        let (sender, receiver) = channel();
        Self {
            running: None,
            generation: 0,
            sender,
            receiver,
        }
    }
}

impl Jobs {
    /// Starts a load; one that runs is cancelled and its result dropped.
    pub(crate) fn load(&mut self, ctx: &Context, paths: Vec<PathBuf>) -> Result<(), JobError> {
        self.cancel();
        self.generation += 1;
        let generation = self.generation;
        let job = Arc::new(Job::default());
        let title = title_of(&paths);
        self.running = Some(Running {
            job: Arc::clone(&job),
            title: title.clone(),
            since: Instant::now(),
            generation,
        });
        let (sender, ctx) = (self.sender.clone(), ctx.clone());
        let work = move || match load(&paths, &job) {
            Ok(loaded) => {
                let outline = Outline::of_run(loaded.run());
                Answer::Loaded(Box::new(loaded), outline)
            }
            Err(LoadError::Cancelled(_)) => Answer::Cancelled,
            Err(error) => Answer::Failed(Failure::of_load(title, &error)),
        };
        let end = move |result: Result<Answer, JobError>| {
            let answer = result.unwrap_or_else(|error| Answer::Fault(error.to_string()));
            // Nobody listens any more only when the program ends.
            sender.send((Some(generation), answer)).ok();
            ctx.request_repaint();
        };
        spawn("load", work, end).map(drop)
    }

    /// Runs something that ends by calling `done`, such as a dialog.
    pub(crate) fn send(&self, ctx: &Context, start: impl FnOnce(Box<dyn FnOnce(Answer) + Send>)) {
        let (sender, ctx) = (self.sender.clone(), ctx.clone());
        start(Box::new(move |answer| {
            sender.send((None, answer)).ok();
            ctx.request_repaint();
        }));
    }

    pub(crate) fn cancel(&self) {
        if let Some(running) = &self.running {
            running.job.cancel();
        }
    }

    /// What arrived since the last frame.
    pub(crate) fn answers(&mut self) -> Vec<Answer> {
        let mut answers = Vec::new();
        while let Ok((generation, answer)) = self.receiver.try_recv() {
            let current = self.running.as_ref().map(|it| it.generation);
            match generation {
                None => answers.push(answer),
                Some(_) if generation == current => {
                    self.running = None;
                    answers.push(answer);
                }
                Some(_) => {}
            }
        }
        answers
    }

    pub(crate) fn progress(&self) -> Option<Progress> {
        let running = self.running.as_ref()?;
        Some(Progress::of(
            &running.title,
            &running.job,
            running.since.elapsed().as_secs_f64(),
        ))
    }

    /// While something runs the window is drawn ten times a second; else only when something happens.
    pub(crate) fn wake_again(&self, ctx: &Context) {
        if self.running.is_some() {
            ctx.request_repaint_after(TICK);
        }
    }
}

/// A file's name, or how many there are.
fn title_of(paths: &[PathBuf]) -> String {
    match paths {
        [one] => one.file_name().map_or_else(
            || Path::display(one).to_string(),
            |it| it.to_string_lossy().into_owned(),
        ),
        many => format!("{} files", many.len()),
    }
}
