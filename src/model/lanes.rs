//! Sub-lanes of a stream: spans that run at one time stand below each other, and none hides another.
//!
//! A span takes the lowest lane that is free when it starts. Overlap of at most a tick of the file's
//! clock is rounding and counts as touching, as long as of every span on the lane something stays
//! visible: a span no longer than a tick never overlaps another of its lane, and of a longer one the
//! part between its neighbors stays. A span of length 0 stands alone at its nanosecond.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

/// Lanes that a track can have. Spans beyond share the last one.
const LANES_MAX: u16 = u16::MAX;

#[derive(Default)]
struct Lanes {
    /// When each lane is free again.
    ends: Vec<i64>,
    /// Taken, by the time from which an overlap of a tick is allowed.
    busy: BinaryHeap<Reverse<(i64, u16)>>,
    /// Those where that time has come, by lane and by end. Entries of `closing_ends` with another end
    /// than the lane's are out of date.
    closing: BTreeSet<u16>,
    closing_ends: BinaryHeap<Reverse<(i64, u16)>>,
    free: BTreeSet<u16>,
}

/// Sets the lane of each span, which are ordered by start, longer first, and returns how many lanes
/// there are. `tick_ns` is the resolution of the times.
pub(crate) fn sub_lanes(start: &[i64], dur: &[i64], tick_ns: i64, lane: &mut [u16]) -> u16 {
    let mut lanes = Lanes::default();
    for ((start, dur), slot) in start.iter().zip(dur).zip(lane) {
        lanes.release(*start);
        let end = start.saturating_add((*dur).max(1));
        if let Some(lane) = lanes.take(*dur > tick_ns) {
            lanes.occupy(lane, *start, end, tick_ns);
            *slot = lane;
        } else {
            *slot = LANES_MAX - 1;
            let shared = &mut lanes.ends[usize::from(LANES_MAX - 1)];
            *shared = end.max(*shared);
        }
    }
    u16::try_from(lanes.ends.len()).unwrap_or(LANES_MAX)
}

impl Lanes {
    /// Time has come to `now`.
    fn release(&mut self, now: i64) {
        while let Some(Reverse((_, lane))) = self.busy.peek().copied().filter(|it| it.0.0 <= now) {
            self.busy.pop();
            self.closing.insert(lane);
            self.closing_ends
                .push(Reverse((self.ends[usize::from(lane)], lane)));
        }
        while let Some(Reverse((end, lane))) =
            self.closing_ends.peek().copied().filter(|it| it.0.0 <= now)
        {
            self.closing_ends.pop();
            if self.ends[usize::from(lane)] == end && self.closing.remove(&lane) {
                self.free.insert(lane);
            }
        }
    }

    /// The lowest lane that a span may have, if there is one.
    fn take(&mut self, may_overlap: bool) -> Option<u16> {
        let closing = self.closing.first().filter(|_| may_overlap).copied();
        let free = self.free.first().copied();
        if let Some(lane) = closing.filter(|it| free.is_none_or(|free| *it < free)) {
            self.closing.remove(&lane);
            return Some(lane);
        }
        self.free.pop_first().or_else(|| {
            let next = u16::try_from(self.ends.len()).ok()?;
            (next < LANES_MAX).then(|| self.ends.push(i64::MIN))?;
            Some(next)
        })
    }

    fn occupy(&mut self, lane: u16, start: i64, end: i64, tick_ns: i64) {
        let before = std::mem::replace(&mut self.ends[usize::from(lane)], end);
        let visible_from = start.max(before);
        let overlap_from = end
            .saturating_sub(tick_ns)
            .max(visible_from.saturating_add(1))
            .min(end);
        self.busy.push(Reverse((overlap_from, lane)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lanes_of(spans: &[(i64, i64)], tick_ns: i64) -> (Vec<u16>, u16) {
        let start: Vec<i64> = spans.iter().map(|it| it.0).collect();
        let dur: Vec<i64> = spans.iter().map(|it| it.1).collect();
        let mut lane = vec![0; spans.len()];
        let count = sub_lanes(&start, &dur, tick_ns, &mut lane);
        (lane, count)
    }

    #[test]
    fn a_kernel_of_a_tick_is_not_hidden_by_one_that_ends_a_tick_later() {
        // The last one stood on the lane of the second, inside of its last nanosecond.
        assert_eq!(
            lanes_of(&[(0, 900), (0, 900), (899, 500), (899, 1)], 1),
            (vec![0, 1, 0, 2], 3)
        );
        assert_eq!(
            lanes_of(&[(0, 10), (1, 8), (9, 5), (9, 1)], 1),
            (vec![0, 1, 0, 1], 2)
        );
    }

    #[test]
    fn rounding_by_a_tick_needs_no_lane_of_its_own() {
        let spans = [(0, 5000), (4000, 5000), (8000, 2000), (10_000, 1000)];
        assert_eq!(lanes_of(&spans, 1000), (vec![0; 4], 1));
    }

    #[test]
    fn a_kernel_is_not_covered_by_its_two_neighbors_together() {
        assert_eq!(lanes_of(&[(0, 10), (9, 2), (10, 9)], 1), (vec![0, 0, 1], 2));
    }

    #[test]
    fn marks_at_one_nanosecond_stand_below_each_other() {
        assert_eq!(
            lanes_of(&[(5, 0), (5, 0), (6, 0), (6, 3)], 1).0[..3],
            [0, 1, 0]
        );
    }

    #[test]
    fn seventy_thousand_spans_at_once_do_not_wrap_around() {
        let spans: Vec<(i64, i64)> = (0..70_000).map(|i| (i, 1_000_000 - i)).collect();
        let (lanes, count) = lanes_of(&spans, 1);
        assert_eq!(count, LANES_MAX);
        assert!(lanes.iter().all(|it| *it < count));
        assert!((0..u16::MAX).all(|it| lanes[usize::from(it)] == it));
    }

    /// Nanoseconds that a span covers; one of length 0 covers its own.
    fn covers(span: (i64, i64), at: i64) -> bool {
        (span.0..span.0 + span.1.max(1)).contains(&at)
    }

    proptest! {
        #[test]
        fn something_of_every_span_is_visible(
            mut spans in prop::collection::vec((0_i64..60, 0_i64..12), 1..60),
            tick_ns in prop::sample::select(vec![1, 3]),
        ) {
            spans.sort_by_key(|it| (it.0, Reverse(it.1)));
            let (lanes, count) = lanes_of(&spans, tick_ns);
            for (i, a) in spans.iter().enumerate() {
                prop_assert!(lanes[i] < count);
                let others: Vec<(i64, i64)> = (0..spans.len())
                    .filter(|j| *j != i && lanes[*j] == lanes[i])
                    .map(|j| spans[j])
                    .collect();
                let visible = (a.0..a.0 + a.1.max(1)).any(|at| !others.iter().any(|b| covers(*b, at)));
                prop_assert!(visible, "{a:?} is hidden by {others:?}");
                for b in others {
                    let common = (a.0 + a.1).min(b.0 + b.1) - a.0.max(b.0);
                    prop_assert!(common <= tick_ns);
                }
            }
            let most = (0..80).map(|at| spans.iter().filter(|it| covers(**it, at)).count()).max();
            prop_assert!(usize::from(count) <= most.unwrap_or(0));
        }
    }
}
