//! How somebody arranged the lanes of a run: open, pinned, hidden, alone, high, moved. Kept by key, so
//! that it holds whatever else changes which lanes there are.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::view::lane::{Lane, LaneKey};

/// What was changed about the lanes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Arrangement {
    /// Opened or closed by hand.
    open: BTreeMap<LaneKey, bool>,
    /// Above the others, in the order in which they were pinned.
    pinned: Vec<LaneKey>,
    hidden: BTreeSet<LaneKey>,
    alone: Option<LaneKey>,
    /// Twice as high.
    high: BTreeSet<LaneKey>,
    /// Siblings that were moved, as they follow each other.
    order: Vec<LaneKey>,
    only_bands: bool,
}

impl Arrangement {
    /// Whether a lane was opened or closed by hand.
    pub(crate) fn open(&self, key: LaneKey) -> Option<bool> {
        self.open.get(&key).copied()
    }

    pub(crate) fn set_open(&mut self, key: LaneKey, open: bool) {
        self.open.insert(key, open);
    }

    pub fn is_pinned(&self, key: LaneKey) -> bool {
        self.pinned.contains(&key)
    }

    pub(crate) fn pinned(&self) -> &[LaneKey] {
        &self.pinned
    }

    pub(crate) fn toggle_pin(&mut self, key: LaneKey) {
        if self.is_pinned(key) {
            self.pinned.retain(|it| *it != key);
        } else {
            self.pinned.push(key);
        }
    }

    pub(crate) fn hide(&mut self, key: LaneKey) {
        self.hidden.insert(key);
        self.pinned.retain(|it| *it != key);
    }

    /// Nothing is hidden any more.
    pub(crate) fn show_all(&mut self) {
        self.hidden.clear();
        self.alone = None;
        self.only_bands = false;
    }

    pub fn is_alone(&self, key: LaneKey) -> bool {
        self.alone == Some(key)
    }

    pub(crate) fn toggle_alone(&mut self, key: LaneKey) {
        self.alone = (!self.is_alone(key)).then_some(key);
    }

    pub fn is_high(&self, key: LaneKey) -> bool {
        self.high.contains(&key)
    }

    pub(crate) fn toggle_high(&mut self, key: LaneKey) {
        if !self.high.remove(&key) {
            self.high.insert(key);
        }
    }

    /// Only headers and overlap bands are shown.
    pub fn only_bands(&self) -> bool {
        self.only_bands
    }

    pub(crate) fn toggle_only_bands(&mut self) {
        self.only_bands = !self.only_bands;
    }

    /// Puts `lane` before `before`, or last, among `siblings` as they stand.
    pub(crate) fn put(&mut self, lane: LaneKey, before: Option<LaneKey>, siblings: &[LaneKey]) {
        let mut order: Vec<LaneKey> = siblings.iter().copied().filter(|it| *it != lane).collect();
        let place = before.and_then(|it| order.iter().position(|other| *other == it));
        order.insert(place.unwrap_or(order.len()), lane);
        self.order.retain(|it| !order.contains(it));
        self.order.append(&mut order);
    }

    /// Siblings in the order into which they were moved; those that were not keep theirs, behind.
    pub(crate) fn sort<T>(&self, siblings: &mut [T], key: impl Fn(&T) -> LaneKey) {
        if self.order.is_empty() {
            return;
        }
        siblings.sort_by_key(|it| {
            let place = self.order.iter().position(|other| *other == key(it));
            place.unwrap_or(usize::MAX)
        });
    }

    /// Whether a lane below these parents, outermost first, is to be seen.
    pub(crate) fn shows(&self, lane: &Lane, parents: &[LaneKey]) -> bool {
        let is_hidden = |it: &LaneKey| self.hidden.contains(it);
        if is_hidden(&lane.key) || parents.iter().any(is_hidden) {
            return false;
        }
        if self.only_bands && !lane.is_heading() && !matches!(lane.key, LaneKey::Band(..)) {
            return false;
        }
        // What is alone keeps its headings: they say where it is.
        self.alone.is_none_or(|it| {
            let is_heading_of_it = lane.is_heading() && it.trace() == lane.key.trace();
            it == lane.key || parents.contains(&it) || is_heading_of_it
        })
    }
}
