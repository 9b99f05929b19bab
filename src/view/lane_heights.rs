//! How high each kind of lane is.

/// Points that the lanes have in a small window.
const IN_SIGHT: f32 = 320.0;

/// Heights in points, from the theme's table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LaneHeights {
    pub rank: f32,
    pub stream: f32,
    pub sub_lane: f32,
    pub band: f32,
    pub cpu_row: f32,
    pub collapsed: f32,
    pub counter: f32,
    pub memory: f32,
    pub heat: f32,
    /// The same where there are many.
    pub heat_least: f32,
    pub between: f32,
}

impl Default for LaneHeights {
    fn default() -> Self {
        Self {
            rank: 20.0,
            stream: 22.0,
            sub_lane: 14.0,
            band: 7.0,
            cpu_row: 15.0,
            collapsed: 16.0,
            counter: 28.0,
            memory: 40.0,
            heat: 22.0,
            heat_least: 8.0,
            between: 6.0,
        }
    }
}

impl LaneHeights {
    /// Heat rows shrink so that the ranks of a job stay in sight together, also in a small window.
    pub(crate) fn of_heat(&self, ranks: usize) -> f32 {
        let fair = (IN_SIGHT / ranks.max(1) as f32).floor();
        fair.clamp(self.heat_least, self.heat)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ranks_of_a_job_are_in_sight_together_in_a_small_window_until_rows_cannot_be_lower() {
        let heights = LaneHeights::default();
        let of = |ranks| heights.of_heat(ranks);
        assert_eq!([9, 16, 24, 32].map(of), [22.0, 20.0, 13.0, 10.0]);
        assert_eq!([64, 4096].map(of), [heights.heat_least; 2]);
    }
}
