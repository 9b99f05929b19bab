//! The answer to the latest of a series of questions: a filter that is typed, a range that is dragged.
//! One thread works at a time and is let finish, so that answers come while questions still change;
//! then it takes up the newest question. Answers keep their question, so nobody takes an old one for new.

use std::sync::mpsc::{Receiver, Sender, channel};

use egui::Context;

use crate::base::{Cancelled, Job, JobError, spawn};

/// A question `Q` that changes, and its answers `A`.
pub(crate) struct Latest<Q, A> {
    name: &'static str,
    wanted: Option<Q>,
    running: Option<(Q, Job)>,
    answer: Option<(Q, A)>,
    sender: Sender<Done<Q, A>>,
    receiver: Receiver<Done<Q, A>>,
}

/// How a question ended.
struct Done<Q, A> {
    question: Q,
    result: Result<Result<A, Cancelled>, JobError>,
}

impl<Q: Clone + PartialEq + Send + 'static, A: Send + 'static> Latest<Q, A> {
    /// `name` is the thread's.
    pub(crate) fn new(name: &'static str) -> Self {
        let (sender, receiver) = channel();
        Self {
            name,
            wanted: None,
            running: None,
            answer: None,
            sender,
            receiver,
        }
    }

    /// Asks `question`, which `work` answers; nothing happens if it is the one that was asked last.
    /// `None` forgets question and answer. An error is a sentence for the person.
    pub(crate) fn ask(
        &mut self,
        ctx: &Context,
        question: Option<Q>,
        work: impl FnOnce(&Q, &Job) -> Result<A, Cancelled> + Send + 'static,
    ) -> Result<(), JobError> {
        let fault = self.collect();
        self.wanted = question;
        let Some(wanted) = self.wanted.clone() else {
            self.answer = None;
            if let Some((_, job)) = &self.running {
                job.cancel();
            }
            return fault;
        };
        if self.running.is_some() || self.is_answered() {
            return fault;
        }
        let job = Job::default();
        self.running = Some((wanted.clone(), job.clone()));
        let (sender, ctx) = (self.sender.clone(), ctx.clone());
        let question = wanted.clone();
        let end = move |result| {
            // Nobody listens any more only when the program ends.
            sender.send(Done { question, result }).ok();
            ctx.request_repaint();
        };
        let started = spawn(self.name, move || work(&wanted, &job), end);
        if started.is_err() {
            self.running = None;
        }
        started?;
        fault
    }

    /// The newest answer with its question, which may be older than the one asked last.
    pub(crate) fn answer(&self) -> Option<(&Q, &A)> {
        self.answer.as_ref().map(|it| (&it.0, &it.1))
    }

    /// Whether the answer is that of the question asked last.
    pub(crate) fn is_answered(&self) -> bool {
        self.wanted == self.answer.as_ref().map(|it| it.0.clone())
    }

    /// Takes what the thread sent.
    fn collect(&mut self) -> Result<(), JobError> {
        let mut fault = Ok(());
        while let Ok(Done { question, result }) = self.receiver.try_recv() {
            self.running = None;
            match result {
                Ok(Ok(answer)) if self.wanted.is_some() => self.answer = Some((question, answer)),
                Ok(_) => {}
                Err(error) => {
                    fault = Err(error);
                    // Asked again it would break again.
                    self.wanted = None;
                }
            }
        }
        fault
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::sync_channel;

    use super::*;

    fn settle(latest: &mut Latest<u32, u32>, ctx: &Context, question: u32) {
        while latest.answer().is_none_or(|it| *it.0 != question) {
            latest
                .ask(ctx, Some(question), |it, _| Ok(it * 10))
                .unwrap();
        }
    }

    #[test]
    fn of_questions_asked_while_one_is_answered_only_the_newest_follows() {
        let ctx = Context::default();
        let mut latest = Latest::new("test");
        let (release, held) = sync_channel::<()>(0);
        let slow = move |it: &u32, _: &Job| {
            held.recv().ok();
            Ok(it * 10)
        };
        latest.ask(&ctx, Some(1), slow).unwrap();
        for skipped in [2, 3] {
            let never = |_: &u32, _: &Job| -> Result<u32, Cancelled> { panic!("a thread runs") };
            latest.ask(&ctx, Some(skipped), never).unwrap();
        }
        assert_eq!(latest.answer(), None);
        release.send(()).unwrap();
        settle(&mut latest, &ctx, 4);
        assert_eq!(latest.answer(), Some((&4, &40)));
    }

    #[test]
    fn a_question_that_is_taken_back_leaves_no_answer() {
        let ctx = Context::default();
        let mut latest = Latest::new("test");
        settle(&mut latest, &ctx, 7);
        let never = |_: &u32, _: &Job| -> Result<u32, Cancelled> { panic!("nothing is asked") };
        latest.ask(&ctx, None, never).unwrap();
        assert_eq!(latest.answer(), None);
        assert!(latest.is_answered());
    }

    #[test]
    fn an_answer_that_breaks_is_told_once_and_the_next_question_is_answered() {
        let ctx = Context::default();
        let mut latest: Latest<u32, u32> = Latest::new("test");
        let breaks = |_: &u32, _: &Job| -> Result<u32, Cancelled> { panic!("a bad day") };
        latest.ask(&ctx, Some(1), breaks).unwrap();
        let told = loop {
            if let Err(error) = latest.ask(&ctx, None, |it, _| Ok(*it)) {
                break error.to_string();
            }
        };
        assert_eq!(told, "test stopped on an internal fault: a bad day");
        settle(&mut latest, &ctx, 2);
    }
}
