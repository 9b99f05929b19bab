//! Lanes given places: those that are hidden left out, pinned ones above the others.

use crate::model::{Run, TraceId, TrackId};
use crate::view::arrangement::Arrangement;
use crate::view::lane::{Lane, LaneKey};
use crate::view::lane_heights::LaneHeights;
use crate::view::lanes::lanes;
use crate::view::outline::Outline;

/// What lanes follow from.
pub(super) struct Ground<'a> {
    pub(super) run: &'a Run,
    pub(super) outline: &'a Outline,
    pub(super) heights: &'a LaneHeights,
    /// The thread that launched the selection.
    pub(super) launching: Option<(TraceId, TrackId)>,
}

/// The lanes in two lists, each from its own top.
#[derive(Clone, Debug, Default)]
pub(super) struct Stack {
    pub(super) pinned: Vec<Lane>,
    pub(super) rest: Vec<Lane>,
    pub(super) hidden_count: usize,
}

impl Stack {
    /// Costs what there are lanes, whatever the number of spans.
    pub(super) fn of(ground: &Ground<'_>, arrangement: &Arrangement) -> Self {
        let all = lanes(
            ground.run,
            ground.outline,
            arrangement,
            ground.heights,
            ground.launching,
        );
        let mut stack = Self::default();
        let mut pinned: Vec<(usize, Lane)> = Vec::new();
        let mut parents: Vec<(u8, LaneKey)> = Vec::new();
        for mut lane in all {
            parents.retain(|it| it.0 < lane.level);
            let above: Vec<LaneKey> = parents.iter().map(|it| it.1).collect();
            parents.push((lane.level, lane.key));
            if !arrangement.shows(&lane, &above) {
                stack.hidden_count += 1;
                continue;
            }
            if arrangement.is_high(lane.key) {
                lane.height *= 2.0;
            }
            let pins = arrangement.pinned();
            let place = |it: &LaneKey| pins.iter().position(|other| other == it);
            match place(&lane.key).or_else(|| above.iter().find_map(place)) {
                Some(place) => {
                    if lane.level > 0 && above.iter().all(|it| !pins.contains(it)) {
                        lane.title =
                            format!("{} · {}", ground.run.title(lane.key.trace()), lane.title);
                    }
                    pinned.push((place, lane));
                }
                None => stack.rest.push(lane),
            }
        }
        pinned.sort_by_key(|it| it.0);
        stack.pinned = pinned.into_iter().map(|it| it.1).collect();
        place(&mut stack.pinned);
        place(&mut stack.rest);
        stack
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Lane> {
        self.pinned.iter().chain(&self.rest)
    }

    pub(super) fn find(&self, key: LaneKey) -> Option<&Lane> {
        self.all().find(|it| it.key == key)
    }

    /// Lanes that can change places with `key`, as they stand.
    pub(super) fn siblings(&self, key: LaneKey) -> Vec<LaneKey> {
        let Some(lane) = self.find(key) else {
            return Vec::new();
        };
        let is_sibling = |it: &&Lane| {
            let same_parent =
                it.level == lane.level && (lane.level == 0 || it.key.trace() == key.trace());
            same_parent && it.key.id().0 == key.id().0
        };
        self.rest
            .iter()
            .filter(is_sibling)
            .map(|it| it.key)
            .collect()
    }
}

/// Height of a list of lanes.
pub(super) fn height(lanes: &[Lane]) -> f32 {
    lanes.last().map_or(0.0, Lane::bottom)
}

/// One below the other.
fn place(lanes: &mut [Lane]) {
    let mut top = 0.0;
    for (i, lane) in lanes.iter_mut().enumerate() {
        lane.top = if i == 0 { top } else { top + lane.space };
        top = lane.bottom();
    }
}
