//! Background work of the window: one load at a time, and the file dialog. Results come through one
//! channel; a result of a load that was replaced is dropped.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use egui::Context;

use crate::base::{Job, JobError, spawn};
use crate::view::Outline;
use crate::workspace::{Arrivals, Failure, LoadError, Loaded, Progress, Undecided, load_watched};

/// How often the progress of a load is drawn anew.
const TICK: Duration = Duration::from_millis(100);

/// What background work sends.
pub(crate) enum Answer {
    Loaded(Box<Loaded>, Outline),
    Failed(Failure),
    /// All is read, but it is several runs.
    Undecided(Box<Undecided>),
    Cancelled,
    /// Something of our own broke; the window lives on.
    Fault(String),
    Chosen(Vec<PathBuf>),
}

struct Running {
    job: Job,
    arrivals: Arc<Arrivals>,
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
        let title = title_of(&paths);
        let failed = title.clone();
        self.start(ctx, title, move |job, arrivals| {
            answer(failed, load_watched(&paths, job, arrivals))
        })
    }

    /// Opens one of several runs that are read.
    pub(crate) fn choose(
        &mut self,
        ctx: &Context,
        undecided: Undecided,
        position: usize,
    ) -> Result<(), JobError> {
        let chosen = undecided.choices().get(position);
        let title = chosen.map_or_else(String::new, |it| it.name.clone());
        let failed = title.clone();
        self.start(ctx, title, move |job, _| {
            answer(failed, undecided.open(position, job))
        })
    }

    /// Runs `work` on a thread; a panic in it becomes an answer like any other.
    fn start(
        &mut self,
        ctx: &Context,
        title: String,
        work: impl FnOnce(&Job, &Arrivals) -> Answer + Send + 'static,
    ) -> Result<(), JobError> {
        self.cancel();
        self.generation += 1;
        let generation = self.generation;
        let (job, arrivals) = (Job::default(), Arc::new(Arrivals::default()));
        self.running = Some(Running {
            job: job.clone(),
            arrivals: Arc::clone(&arrivals),
            title: title.clone(),
            since: Instant::now(),
            generation,
        });
        let (sender, ctx) = (self.sender.clone(), ctx.clone());
        let end = move |result: Result<Answer, JobError>| {
            let answer = result.unwrap_or_else(|error| {
                Answer::Failed(Failure::of_sentence(title, error.to_string()))
            });
            // Nobody listens any more only when the program ends.
            sender.send((Some(generation), answer)).ok();
            ctx.request_repaint();
        };
        let started = spawn("load", move || work(&job, &arrivals), end);
        if started.is_err() {
            self.running = None;
        }
        started.map(drop)
    }

    /// Runs something that ends by calling `done`, such as a dialog.
    pub(crate) fn send(&self, ctx: &Context, start: impl FnOnce(Box<dyn FnOnce(Answer) + Send>)) {
        let (sender, ctx) = (self.sender.clone(), ctx.clone());
        start(Box::new(move |answer| {
            sender.send((None, answer)).ok();
            ctx.request_repaint();
        }));
    }

    /// Lets go of what runs: its thread hears of it at its next check, and whatever it still sends is
    /// dropped, so that the window need not wait for it. False if nothing ran.
    pub(crate) fn cancel(&mut self) -> bool {
        let running = self.running.take();
        if let Some(running) = &running {
            running.job.cancel();
        }
        running.is_some()
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
            running.arrivals.now(),
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

fn answer(title: String, result: Result<Loaded, LoadError>) -> Answer {
    match result {
        Ok(loaded) => {
            let outline = Outline::of_run(loaded.run());
            Answer::Loaded(Box::new(loaded), outline)
        }
        Err(LoadError::Cancelled(_)) => Answer::Cancelled,
        Err(LoadError::SeveralRuns(undecided)) => Answer::Undecided(undecided),
        Err(error) => Answer::Failed(Failure::of_load(title, &error)),
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::sync_channel;

    fn only(jobs: &mut Jobs) -> Answer {
        // The thread answers when it is done; nothing is waited for by a clock.
        loop {
            if let Some(answer) = jobs.answers().pop() {
                return answer;
            }
            std::hint::spin_loop();
        }
    }

    #[test]
    fn a_load_that_panics_is_told_and_the_next_one_works() {
        let (ctx, mut jobs) = (Context::default(), Jobs::default());
        let broken = jobs.start(&ctx, "rank0.json".to_owned(), |_, arrivals| {
            arrivals.now();
            panic!("index out of bounds")
        });
        broken.unwrap();
        let Answer::Failed(failure) = only(&mut jobs) else {
            panic!("no failure")
        };
        assert_eq!(failure.title, "rank0.json");
        assert_eq!(
            failure.sentence,
            "load stopped on an internal fault: index out of bounds"
        );
        assert!(jobs.progress().is_none());
        let next = jobs.start(&ctx, "next".to_owned(), |_, _| Answer::Cancelled);
        next.unwrap();
        assert!(matches!(only(&mut jobs), Answer::Cancelled));
    }

    #[test]
    fn the_window_lets_go_of_a_load_that_does_not_hear_the_cancel() {
        let (ctx, mut jobs) = (Context::default(), Jobs::default());
        let (release, held) = sync_channel::<()>(0);
        let deaf = jobs.start(&ctx, "deaf".to_owned(), move |job, _| {
            held.recv().ok();
            assert!(job.is_cancelled());
            Answer::Fault("too late".to_owned())
        });
        deaf.unwrap();
        assert!(jobs.progress().is_some());
        assert!(jobs.cancel());
        assert!(jobs.progress().is_none(), "gone before the thread is");
        release.send(()).unwrap();
        jobs.start(&ctx, "next".to_owned(), |_, _| Answer::Cancelled)
            .unwrap();
        // Only the answer of the load that is meant arrives.
        assert!(matches!(only(&mut jobs), Answer::Cancelled));
        assert!(!jobs.cancel());
    }
}
