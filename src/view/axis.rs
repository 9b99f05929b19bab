//! Time to points and back. Here time becomes floating point, and nowhere before: run times are exact
//! in a double up to 104 days, and a view of a few nanoseconds may begin between two of them.
#![expect(
    clippy::cast_possible_truncation,
    reason = "points are f32 and columns are few: the last step to the screen"
)]

use serde::{Deserialize, Serialize};

use crate::base::{Time, TimeRange};

/// A stretch of run time, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stretch {
    pub start_ns: f64,
    pub len_ns: f64,
}

impl Stretch {
    pub fn of(range: TimeRange) -> Self {
        Self {
            start_ns: range.start.0 as f64,
            len_ns: range.len().0 as f64,
        }
    }

    pub fn end_ns(self) -> f64 {
        self.start_ns + self.len_ns
    }

    /// The whole nanoseconds that it touches.
    pub fn range(self) -> TimeRange {
        TimeRange::new(
            Time(self.start_ns.floor() as i64),
            Time(self.end_ns().ceil() as i64),
        )
    }
}

/// A stretch laid over a width.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Axis {
    pub stretch: Stretch,
    /// Points that the stretch fills, from x = 0.
    pub width: f32,
}

impl Axis {
    pub fn new(stretch: Stretch, width: f32) -> Self {
        Self {
            stretch,
            width: width.max(1.0),
        }
    }

    pub fn ns_per_point(&self) -> f64 {
        self.stretch.len_ns / f64::from(self.width)
    }

    pub fn x_from_time(&self, time: Time) -> f32 {
        self.x_from_ns(time.0 as f64)
    }

    pub fn x_from_ns(&self, ns: f64) -> f32 {
        let points_per_ns = f64::from(self.width) / self.stretch.len_ns;
        let x = (ns - self.stretch.start_ns) * points_per_ns;
        // Far outside, exact places mean nothing but must stay finite.
        x.clamp(-1e7, 1e7) as f32
    }

    pub fn ns_from_x(&self, x: f32) -> f64 {
        self.stretch.start_ns + f64::from(x) * self.ns_per_point()
    }

    pub fn time_from_x(&self, x: f32) -> Time {
        Time(self.ns_from_x(x).floor() as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_far_from_zero_stays_put_to_a_tenth_of_a_point() {
        let start = 3_600_000_000_000.0;
        let axis = Axis::new(
            Stretch {
                start_ns: start + 0.5,
                len_ns: 10.0,
            },
            1000.0,
        );
        let x = axis.x_from_time(Time(3_600_000_000_004));
        assert!((x - 350.0).abs() < 0.1, "{x}");
        assert!((axis.ns_from_x(350.0) - (start + 4.0)).abs() < 1e-3);
        assert_eq!(axis.time_from_x(351.0), Time(3_600_000_000_004));
    }
}
