//! Where a view stands: the stretch of time, and how far the lanes are scrolled.

use serde::{Deserialize, Serialize};

use crate::base::TimeRange;
use crate::model::Run;
use crate::view::axis::Stretch;

/// The shortest view.
const SHORTEST_NS: f64 = 1.0;
/// How much wider than the run a view may be.
const BEYOND: f64 = 1.1;

/// A place to which a view can come back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Position {
    pub stretch: Stretch,
    /// Points from the top of the lanes that scroll.
    pub scroll: f32,
}

/// The run and a little air, so that its first and last spans do not touch the border.
pub(super) fn whole(run: &Run) -> Stretch {
    let len = length(run);
    Stretch {
        start_ns: -len * 0.005,
        len_ns: len * 1.01,
    }
}

/// `len_ns` from `start_ns`, within the limits: the run stays in view.
pub(super) fn within(run: &Run, start_ns: f64, len_ns: f64) -> Stretch {
    let whole = length(run);
    let len = len_ns.clamp(SHORTEST_NS, (whole * BEYOND).max(SHORTEST_NS));
    let start = start_ns.clamp(-len * 0.9, (whole - len * 0.1).max(-len * 0.9));
    Stretch {
        start_ns: start,
        len_ns: len,
    }
}

/// `factor` times as much time as `from` shows; what stands at `about_ns` in `shown` stays there.
pub(super) fn zoomed(
    run: &Run,
    from: Stretch,
    shown: Stretch,
    about_ns: f64,
    factor: f64,
) -> Stretch {
    let most = (length(run) * BEYOND).max(SHORTEST_NS);
    let len = (from.len_ns * factor).clamp(SHORTEST_NS, most);
    let share = (about_ns - shown.start_ns) / shown.len_ns;
    within(run, about_ns - share * len, len)
}

/// `range` so that it fills `share` of the view.
pub(super) fn framed(run: &Run, range: TimeRange, share: f64) -> Stretch {
    let len = (range.len().0 as f64 / share).max(10.0);
    centered(run, range, len)
}

/// `len_ns` with the middle of `range` in the middle.
pub(super) fn centered(run: &Run, range: TimeRange, len_ns: f64) -> Stretch {
    let middle = f64::midpoint(range.start.0 as f64, range.end.0 as f64);
    within(run, middle - len_ns / 2.0, len_ns)
}

fn length(run: &Run) -> f64 {
    (run.extent().len().0 as f64).max(1.0)
}

/// A change of the stretch while it is under way: it eases out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Glide {
    from: Stretch,
    /// 0 at the start, 1 at the end.
    progress: f64,
}

impl Glide {
    pub(super) fn new(from: Stretch) -> Self {
        Self {
            from,
            progress: 0.0,
        }
    }

    /// A share of the whole way later; false at the end.
    pub(super) fn advance(&mut self, share: f64) -> bool {
        self.progress += share;
        self.progress < 1.0
    }

    /// Both ends move alike, so that a time that stays put at the end stays put on the way.
    pub(super) fn shown(&self, to: Stretch) -> Stretch {
        let left = 1.0 - self.progress.clamp(0.0, 1.0);
        let done = 1.0 - left * left * left;
        let between = |a: f64, b: f64| a + (b - a) * done;
        Stretch {
            start_ns: between(self.from.start_ns, to.start_ns),
            len_ns: between(self.from.len_ns, to.len_ns),
        }
    }
}
