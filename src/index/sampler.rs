//! Bins read column by column: the way of most zooms, where a bin is half a column to a whole one. A
//! column then meets three bins at most, and its texel is made in one go, without a branch.

use crate::index::brush::Bin;
use crate::index::columns::{Columns, ONE};
use crate::index::ink::{INK_COUNT, Ink, Texel};
use crate::index::pages::Grid;

/// Where columns lie among bins, in 2^-32 of a bin.
pub(crate) struct Sampler<'a> {
    bins: &'a [Bin],
    /// Where the next column begins.
    at: u64,
    /// The width of a column: one bin to two.
    step: u64,
}

impl<'a> Sampler<'a> {
    /// For columns from `first` on, which must begin in the bins. `None` where columns are too thin or
    /// too wide.
    pub(crate) fn new(columns: Columns, first: usize, grid: Grid, bins: &'a [Bin]) -> Option<Self> {
        let (at, step) = columns.in_bins(first, grid)?;
        let fits = (ONE..2 * ONE).contains(&step);
        fits.then_some(Self { bins, at, step })
    }

    /// The bin in which the next column begins.
    pub(crate) fn bin(&self) -> usize {
        Columns::column(self.at)
    }

    /// Makes the next columns, which must end in the bins.
    pub(crate) fn fill(&mut self, out: &mut [Texel], inks: &[Ink; INK_COUNT]) {
        let Some(last) = self.bins.len().checked_sub(1) else {
            return;
        };
        let part = 1.0 / self.step as f32;
        for texel in out {
            let next = self.at + self.step;
            let (from, to) = (Columns::column(self.at), Columns::column(next));
            let (head, tail) = (ONE - self.at % ONE, next % ONE);
            // All ones where the column meets three bins.
            let wide = u64::from(to > from + 1).wrapping_neg();
            let shares = [head, tail ^ ((tail ^ ONE) & wide), tail & wide];
            let met = [from, from + 1, from + 2].map(|it| self.bins[it.min(last)]);
            let [a, b, c] = std::array::from_fn(|i| shares[i] * u64::from(met[i].occupancy));
            let same = |i: usize, j: usize| u64::from(met[i].ink == met[j].ink);
            // Of equal sums the first wins. The ink rides along, so that the largest is found without
            // a branch, which would be guessed wrong all the time.
            let rank = |sum: u64, i: usize| sum << 8 | (2 - i as u64) << 4 | u64::from(met[i].ink);
            let most = rank(a + b * same(0, 1) + c * same(0, 2), 0)
                .max(rank(b + c * same(1, 2), 1))
                .max(rank(c, 2));
            let total = a + b + c;
            *texel = Texel {
                occupancy: rounded(total as f32 * part).max(u8::from(total > 0)),
                ink: inks[usize::try_from(most % 16).unwrap_or(0)],
            };
            self.at = next;
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "between 0 and 255"
)]
fn rounded(occupancy: f32) -> u8 {
    (occupancy + 0.5) as u8
}
