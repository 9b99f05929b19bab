//! Words of time: an instant, a length and a half-open range, all in integer nanoseconds.
//!
//! An instant counts from an origin its holder names (a file's own zero, a run's start); nothing
//! here knows which. Arithmetic saturates: absurd input must give absurd figures, never a panic.

use serde::{Deserialize, Serialize};

/// An instant in nanoseconds from the holder's origin.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Time(pub i64);

/// A length in nanoseconds.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Dur(pub i64);

/// The instants `start <= t < end`. Empty where `end <= start`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TimeRange {
    pub start: Time,
    pub end: Time,
}

impl Time {
    pub const MIN: Self = Self(i64::MIN);
    pub const MAX: Self = Self(i64::MAX);

    #[must_use]
    pub fn plus(self, dur: Dur) -> Self {
        Self(self.0.saturating_add(dur.0))
    }

    #[must_use]
    pub fn minus(self, dur: Dur) -> Self {
        Self(self.0.saturating_sub(dur.0))
    }

    /// How long after `earlier` this instant is; negative if it is before.
    pub fn since(self, earlier: Self) -> Dur {
        Dur(self.0.saturating_sub(earlier.0))
    }
}

impl Dur {
    pub const ZERO: Self = Self(0);

    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl TimeRange {
    pub fn new(start: Time, end: Time) -> Self {
        Self { start, end }
    }

    pub fn from_start(start: Time, dur: Dur) -> Self {
        Self::new(start, start.plus(dur))
    }

    pub fn len(self) -> Dur {
        Dur(self.end.since(self.start).0.max(0))
    }

    pub fn is_empty(self) -> bool {
        self.end <= self.start
    }

    pub fn contains(self, time: Time) -> bool {
        self.start <= time && time < self.end
    }

    /// The common part; empty where the two do not meet.
    #[must_use]
    pub fn intersect(self, other: Self) -> Self {
        let start = self.start.max(other.start);
        Self::new(start, self.end.min(other.end).max(start))
    }

    /// The smallest range that holds both.
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        Self::new(self.start.min(other.start), self.end.max(other.end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_half_open_and_saturate() {
        let range = TimeRange::from_start(Time(10), Dur(5));
        assert!(range.contains(Time(10)) && range.contains(Time(14)) && !range.contains(Time(15)));
        assert_eq!(
            range.intersect(TimeRange::new(Time(14), Time(20))).len(),
            Dur(1)
        );
        assert!(
            range
                .intersect(TimeRange::new(Time(15), Time(20)))
                .is_empty()
        );
        assert_eq!(
            range.hull(TimeRange::new(Time(0), Time(1))),
            TimeRange::new(Time(0), Time(15))
        );
        assert_eq!(TimeRange::new(Time::MIN, Time::MAX).len(), Dur(i64::MAX));
        assert_eq!(Time::MAX.plus(Dur(1)), Time::MAX);
    }
}
