//! How many things begin when, while they are still being read: a histogram that widens with what it is
//! given. It is for a first look; figures come from the columns.

use crate::base::time::{Time, TimeRange};

/// Bins: fine enough for a wide screen, and a few kilobytes.
const BINS: usize = 1024;

/// The histogram. Bins are `2^log2` ns wide, at multiples of that.
#[derive(Clone, Debug, Default)]
pub struct Sketch {
    log2: u32,
    /// Earliest and latest of all that was added.
    seen: Option<(i64, i64)>,
    counts: Vec<u32>,
}

impl Sketch {
    /// Counts more, in any order.
    pub fn add(&mut self, times: &[i64]) {
        let ends = times.iter().min().zip(times.iter().max());
        let Some((first, last)) = ends.map(|it| (*it.0, *it.1)) else {
            return;
        };
        let (first, last) = self
            .seen
            .map_or((first, last), |it| (it.0.min(first), it.1.max(last)));
        self.cover(first, last);
        for time in times {
            let bin = bin(*time, first, self.log2);
            self.counts[bin] = self.counts[bin].saturating_add(1);
        }
    }

    /// From the first to the last that was added.
    pub fn range(&self) -> Option<TimeRange> {
        self.seen
            .map(|it| TimeRange::new(Time(it.0), Time(it.1.saturating_add(1))))
    }

    /// How many begin in each bin of the range.
    pub fn counts(&self) -> &[u32] {
        let used = self.seen.map_or(0, |it| bin(it.1, it.0, self.log2) + 1);
        &self.counts[..used]
    }

    /// Makes the bins reach from `first` to `last`, which hold all that was seen.
    fn cover(&mut self, first: i64, last: i64) {
        let mut log2 = self.log2;
        while bin(last, first, log2) >= BINS {
            log2 += 1;
        }
        let old = std::mem::replace(&mut self.counts, vec![0; BINS]);
        if let Some((start, _)) = self.seen {
            for (number, count) in (0_i64..).zip(old).filter(|it| it.1 > 0) {
                let number = (start >> self.log2).saturating_add(number);
                let bin = bin(number << self.log2, first, log2);
                self.counts[bin] = self.counts[bin].saturating_add(count);
            }
        }
        (self.log2, self.seen) = (log2, Some((first, last)));
    }
}

/// The bin of a time, counted from that of `first`.
fn bin(time: i64, first: i64, log2: u32) -> usize {
    let bins = (time >> log2).saturating_sub(first >> log2).max(0);
    usize::try_from(bins).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn whatever_the_order_it_is_the_histogram_of_all(
            parts in prop::collection::vec(prop::collection::vec(-5000_i64..900_000, 0..40), 1..12),
        ) {
            let mut sketch = Sketch::default();
            for part in &parts {
                sketch.add(part);
            }
            let all = parts.concat();
            prop_assert_eq!(sketch.range().is_none(), all.is_empty());
            let first = all.iter().min().copied().unwrap_or(0);
            let mut want = vec![0_u32; sketch.counts().len()];
            for time in &all {
                want[bin(*time, first, sketch.log2)] += 1;
            }
            prop_assert_eq!(sketch.counts(), want);
            prop_assert!(sketch.counts().len() <= BINS);
        }
    }

    #[test]
    fn times_from_end_to_end_are_no_trouble() {
        let mut sketch = Sketch::default();
        sketch.add(&[0]);
        sketch.add(&[i64::MIN, i64::MAX]);
        assert_eq!(sketch.counts().iter().sum::<u32>(), 3);
        assert_eq!(sketch.counts().len(), BINS);
    }
}
