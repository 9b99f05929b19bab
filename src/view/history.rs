//! Undo and redo of where one looked and how lanes were arranged.
//!
//! A gesture is one step: turning the wheel ten times is undone at once. It ends with another kind of
//! gesture, and where it went far: what is undone should be no farther away than one can see.

use std::sync::Arc;

use crate::view::arrangement::Arrangement;
use crate::view::position::Position;

/// Steps that are kept.
const KEPT_MAX: usize = 200;
/// A gesture is over when it zoomed by more than this, or moved by more than this many views.
const FAR: f64 = 8.0;

/// What can be come back to.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Look {
    pub(super) position: Position,
    pub(super) arrangement: Arc<Arrangement>,
}

/// Changes that follow each other and are undone together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gesture {
    Zoom,
    Pan,
    /// Each stands for itself.
    Jump,
}

#[derive(Clone, Debug, Default)]
pub(super) struct History {
    past: Vec<Look>,
    future: Vec<Look>,
    /// The gesture that made the last step.
    last: Option<Gesture>,
}

impl History {
    /// `before` was left by `gesture` for a place at `now`.
    pub(super) fn left(&mut self, before: Look, gesture: Gesture, now: Position) {
        self.future.clear();
        let goes_on = self.last == Some(gesture) && gesture != Gesture::Jump;
        let is_near = |it: &Look| is_near(it.position, now);
        if goes_on && self.past.last().is_some_and(is_near) {
            return;
        }
        self.last = Some(gesture);
        self.past.push(before);
        if self.past.len() > KEPT_MAX {
            self.past.remove(0);
        }
    }

    pub(super) fn undo(&mut self, now: Look) -> Option<Look> {
        let then = self.past.pop()?;
        self.future.push(now);
        self.last = None;
        Some(then)
    }

    pub(super) fn redo(&mut self, now: Look) -> Option<Look> {
        let then = self.future.pop()?;
        self.past.push(now);
        self.last = None;
        Some(then)
    }

    pub(super) fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    pub(super) fn can_redo(&self) -> bool {
        !self.future.is_empty()
    }
}

fn is_near(a: Position, b: Position) -> bool {
    let (a, b) = (a.stretch, b.stretch);
    let zoom = (a.len_ns / b.len_ns).max(b.len_ns / a.len_ns);
    let moved = (a.start_ns - b.start_ns).abs() / a.len_ns.max(b.len_ns);
    zoom < FAR && moved < FAR
}
