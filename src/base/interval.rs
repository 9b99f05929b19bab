//! Sets of instants as sorted, disjoint, non-touching half-open ranges, with the operations named as
//! in mathematics. Lengths of zero vanish; touching ranges become one.

use crate::base::time::{Dur, Time, TimeRange};

/// A sorted set of disjoint ranges that do not touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Intervals {
    ranges: Vec<TimeRange>,
}

impl Intervals {
    /// The union of ranges sorted by start; empty ones add nothing.
    pub fn from_sorted(ranges: impl IntoIterator<Item = TimeRange>) -> Self {
        let mut union: Vec<TimeRange> = Vec::new();
        for range in ranges {
            if range.is_empty() {
                continue;
            }
            match union.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => union.push(range),
            }
        }
        Self { ranges: union }
    }

    /// The union of ranges in any order.
    pub fn from_unsorted(mut ranges: Vec<TimeRange>) -> Self {
        ranges.sort_unstable_by_key(|it| (it.start, it.end));
        Self::from_sorted(ranges)
    }

    pub fn ranges(&self) -> &[TimeRange] {
        &self.ranges
    }

    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// The length of the set.
    pub fn total(&self) -> Dur {
        self.ranges
            .iter()
            .fold(Dur::ZERO, |sum, it| sum.plus(it.len()))
    }

    /// First start to last end, if there is anything.
    pub fn hull(&self) -> Option<TimeRange> {
        Some(TimeRange::new(
            self.ranges.first()?.start,
            self.ranges.last()?.end,
        ))
    }

    /// The holes between the first start and the last end, in order.
    pub fn holes(&self) -> Vec<TimeRange> {
        self.ranges
            .windows(2)
            .map(|pair| TimeRange::new(pair[0].end, pair[1].start))
            .collect()
    }

    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let mut all = self.ranges.clone();
        all.extend_from_slice(&other.ranges);
        Self::from_unsorted(all)
    }

    #[must_use]
    pub fn intersect(&self, other: &Self) -> Self {
        let (mut a, mut b) = (
            self.ranges.iter().peekable(),
            other.ranges.iter().peekable(),
        );
        let mut common = Vec::new();
        while let (Some(left), Some(right)) = (a.peek(), b.peek()) {
            let both = left.intersect(**right);
            if !both.is_empty() {
                common.push(both);
            }
            if left.end <= right.end {
                a.next()
            } else {
                b.next()
            };
        }
        Self { ranges: common }
    }

    #[must_use]
    pub fn subtract(&self, other: &Self) -> Self {
        let mut rest = Vec::new();
        let mut from = 0;
        for range in &self.ranges {
            let mut start = range.start;
            while other.ranges.get(from).is_some_and(|it| it.end <= start) {
                from += 1;
            }
            for cut in other
                .ranges
                .iter()
                .skip(from)
                .take_while(|it| it.start < range.end)
            {
                if cut.start > start {
                    rest.push(TimeRange::new(start, cut.start));
                }
                start = start.max(cut.end);
            }
            if start < range.end {
                rest.push(TimeRange::new(start, range.end));
            }
        }
        Self { ranges: rest }
    }
}

/// The running union of spans that arrive by start: its length so far and how far it reaches.
///
/// With it the length of the union up to any `t` is `total - max(0, reach - t)`, because every
/// span seen starts before `t`, so that what lies beyond `t` is one piece from `t` to `reach`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunningUnion {
    pub total: Dur,
    pub reach: Time,
}

impl Default for RunningUnion {
    fn default() -> Self {
        Self {
            total: Dur::ZERO,
            reach: Time::MIN,
        }
    }
}

impl RunningUnion {
    pub fn add(&mut self, range: TimeRange) {
        if range.end > self.reach && !range.is_empty() {
            let from = range.start.max(self.reach);
            self.total = self.total.plus(range.end.since(from));
            self.reach = range.end;
        }
    }

    /// The length of the union before `time`, if every span so far starts before it.
    pub fn before(self, time: Time) -> Dur {
        if self.reach <= time {
            self.total
        } else {
            Dur(self.total.0 - self.reach.since(time).0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ranges() -> impl Strategy<Value = Vec<TimeRange>> {
        let one = (0i64..60, 0i64..9).prop_map(|(s, d)| TimeRange::from_start(Time(s), Dur(d)));
        prop::collection::vec(one, 0..12)
    }

    fn bits(ranges: &[TimeRange]) -> Vec<bool> {
        (0..80)
            .map(|t| ranges.iter().any(|it| it.contains(Time(t))))
            .collect()
    }

    fn pairwise(a: &[bool], b: &[bool], op: impl Fn(bool, bool) -> bool) -> Vec<bool> {
        a.iter().zip(b).map(|(a, b)| op(*a, *b)).collect()
    }

    proptest! {
        #[test]
        fn operations_equal_a_bitmap(a in ranges(), b in ranges()) {
            let (x, y) = (Intervals::from_unsorted(a.clone()), Intervals::from_unsorted(b.clone()));
            let (p, q) = (bits(&a), bits(&b));
            prop_assert_eq!(bits(x.ranges()), p.clone());
            prop_assert_eq!(bits(x.union(&y).ranges()), pairwise(&p, &q, |a, b| a || b));
            prop_assert_eq!(bits(x.intersect(&y).ranges()), pairwise(&p, &q, |a, b| a && b));
            prop_assert_eq!(bits(x.subtract(&y).ranges()), pairwise(&p, &q, |a, b| a && !b));
            prop_assert_eq!(usize::try_from(x.total().0).unwrap(), p.iter().filter(|it| **it).count());
        }

        #[test]
        fn running_union_tells_the_length_before_any_time(mut a in ranges(), cut in 0i64..80) {
            a.sort_by_key(|it| it.start);
            let mut running = RunningUnion::default();
            for range in a.iter().filter(|it| it.start < Time(cut)) {
                running.add(*range);
            }
            let want = bits(&a).iter().take(usize::try_from(cut).unwrap()).filter(|it| **it).count();
            prop_assert_eq!(usize::try_from(running.before(Time(cut)).0).unwrap(), want);
        }
    }
}
