//! A range cut into equal columns, as the pixels of a lane cut it.
//!
//! Column `c` is the times `start + len * c / count` up to the same of `c + 1`, as real numbers: a
//! column may be thinner than a nanosecond. Positions are floats only within one query.

use crate::base::TimeRange;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Columns {
    start: i64,
    ns: i64,
    count: usize,
}

impl Columns {
    /// `None` where there is nothing to fill.
    pub(crate) fn new(range: TimeRange, count: usize) -> Option<Self> {
        let ns = range.len().0;
        (ns > 0 && count > 0).then_some(Self { start: range.start.0, ns, count })
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Where `time` lies, in columns. Divides last, so that borders that are whole columns are
    /// hit exactly while `ns * count` has less than 53 bits.
    pub(crate) fn x(&self, time: i64) -> f64 {
        time.saturating_sub(self.start) as f64 * self.count as f64 / self.ns as f64
    }

    /// Columns per nanosecond.
    pub(crate) fn scale(&self) -> f64 {
        self.count as f64 / self.ns as f64
    }

    /// The largest power of two of nanoseconds that is no wider than a column, as its exponent.
    /// `None` where a column is thinner than a nanosecond.
    pub(crate) fn log2_ns(&self) -> Option<u32> {
        (self.ns / i64::try_from(self.count).unwrap_or(i64::MAX)).checked_ilog2()
    }

    /// The column that holds `x`, the last one for what lies beyond.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a float cast saturates")]
    pub(crate) fn at(&self, x: f64) -> usize {
        (x as usize).min(self.count - 1)
    }

    /// The whole nanoseconds of column `c`: at least one, which thin columns share.
    pub(crate) fn whole_ns(&self, c: usize) -> (i64, i64) {
        let (from, to) = (self.border(c), self.border(c + 1));
        (from, to.max(from.saturating_add(1)))
    }

    fn border(&self, c: usize) -> i64 {
        let count = i128::try_from(self.count).unwrap_or(i128::MAX);
        let c = i128::try_from(c).unwrap_or(i128::MAX);
        let into = i128::from(self.ns).saturating_mul(c) / count;
        self.start.saturating_add(i64::try_from(into).unwrap_or(i64::MAX))
    }
}
