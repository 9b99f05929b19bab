//! A range cut into equal columns, as the pixels of a lane cut it.
//!
//! Column `c` is the times `start + len * c / count` up to the same of `c + 1`, as real numbers: a
//! column may be thinner than a nanosecond. Positions are counted in 2^-32 of a column, and what is
//! less than that touches no column.

use crate::base::TimeRange;
use crate::index::pages::Grid;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Columns {
    start: i64,
    ns: i64,
    count: usize,
    /// `ONE * count / ns` is `factor >> shift`, rounded up.
    factor: u64,
    shift: u32,
}

/// A column, as positions count.
pub(crate) const ONE: u64 = 1 << 32;
/// More columns than any screen has.
const COUNT_MAX: usize = 1 << 20;

impl Columns {
    /// `None` where there is nothing to fill.
    pub(crate) fn new(range: TimeRange, count: usize) -> Option<Self> {
        let ns = range.len().0;
        if ns <= 0 || count == 0 || count > COUNT_MAX {
            return None;
        }
        let (whole, ns_wide) = (
            u128::from(ONE) * count as u128,
            u128::from(ns.unsigned_abs()),
        );
        let shift = (62 + ns_wide.ilog2()).saturating_sub(whole.ilog2());
        let factor = u64::try_from((whole << shift).div_ceil(ns_wide)).ok()?;
        Some(Self {
            start: range.start.0,
            ns,
            count,
            factor,
            shift,
        })
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Nanoseconds of a column.
    pub(crate) fn width(&self) -> f64 {
        self.ns as f64 / self.count as f64
    }

    /// Where `time` lies, in columns of `ONE`, rounded down; borders of columns come out exactly.
    #[inline]
    pub(crate) fn at(&self, time: i64) -> u64 {
        let into = time.saturating_sub(self.start).clamp(0, self.ns);
        let x = (u128::from(into.unsigned_abs()) * u128::from(self.factor)) >> self.shift;
        u64::try_from(x).unwrap_or(u64::MAX)
    }

    #[inline]
    pub(crate) fn column(x: u64) -> usize {
        usize::try_from(x / ONE).unwrap_or(usize::MAX)
    }

    /// The largest power of two of nanoseconds that is no wider than a column, as its exponent.
    /// `None` where a column is thinner than a nanosecond.
    pub(crate) fn log2_ns(&self) -> Option<u32> {
        (self.ns / i64::try_from(self.count).unwrap_or(i64::MAX)).checked_ilog2()
    }

    /// How far into `grid` column `c` begins, and how wide a column is, in 2^-32 of a bin. `None` where
    /// it begins before the grid.
    pub(crate) fn in_bins(&self, c: usize, grid: Grid) -> Option<(u64, u64)> {
        let (count, ns) = (i128::try_from(self.count).ok()?, i128::from(self.ns));
        let ahead = i128::from(self.start) - i128::from(grid.start);
        let into = ahead * count + ns * i128::try_from(c).ok()?;
        let of_one = |it: i128| u64::try_from((it << 32) / (count << grid.log2)).ok();
        Some((of_one(into)?, of_one(ns)?))
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
        self.start
            .saturating_add(i64::try_from(into).unwrap_or(i64::MAX))
    }
}
