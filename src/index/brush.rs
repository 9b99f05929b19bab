//! Bins and spans onto pixel columns: how covered each column is, and by what most.

use std::ops::Range;

use crate::base::TimeRange;
use crate::index::columns::{Columns, ONE};
use crate::index::ink::{INK_COUNT, Ink, Inks, Texel, decode};
use crate::index::pages::Grid;
use crate::index::sampler::Sampler;
use crate::model::{SpanId, Spans};

/// A bin of the density pyramid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bin {
    pub(crate) occupancy: u8,
    pub(crate) ink: u8,
}

/// Fills columns from left to right, without a branch for most of what comes: a column is written
/// anew with everything that is added to it.
pub(crate) struct Brush<'a> {
    columns: Columns,
    out: &'a mut [Texel],
    is_work: bool,
    inks: [Ink; INK_COUNT],
    /// The column that was written last; those before it are done.
    at: usize,
    /// What is in that column, in 255 parts of a column's `ONE`.
    total: u64,
    most: u64,
    ink: u8,
    /// By ink, for the column at which it was last seen.
    sums: [u64; INK_COUNT],
    seen: [usize; INK_COUNT],
}

impl<'a> Brush<'a> {
    pub(crate) fn new(columns: Columns, out: &'a mut [Texel], is_work: bool) -> Self {
        let mut code = 0;
        let inks = [(); INK_COUNT].map(|()| {
            let ink = decode(code, is_work);
            code += 1;
            ink
        });
        let (sums, seen) = ([0; INK_COUNT], [usize::MAX; INK_COUNT]);
        Self {
            columns,
            out,
            is_work,
            inks,
            at: 0,
            total: 0,
            most: 0,
            ink: 0,
            sums,
            seen,
        }
    }

    /// Bins that follow each other. Whole columns in them are sampled; what stands out is added.
    pub(crate) fn bins(&mut self, grid: Grid, bins: &[Bin]) {
        let all = self.columns.at(grid.start)..self.columns.at(grid.border(bins.len()));
        let whole = Columns::column(all.start + ONE - 1)..Columns::column(all.end);
        let sampler = Sampler::new(self.columns, whole.start, grid, bins);
        let Some(mut sampler) = sampler.filter(|_| !whole.is_empty()) else {
            return self.add_bins(grid, bins, 0, all);
        };
        let border = ONE * whole.start as u64;
        self.add_bins(grid, bins, 0, all.start..border);
        if let Some(columns) = self.out.get_mut(whole.clone()) {
            sampler.fill(columns, &self.inks);
        }
        (self.at, self.total, self.most) = (whole.end, 0, 0);
        self.add_bins(grid, bins, sampler.bin(), ONE * whole.end as u64..all.end);
    }

    /// What bins from `first` on cover of `part`.
    fn add_bins(&mut self, grid: Grid, bins: &[Bin], first: usize, part: Range<u64>) {
        let mut left = part.start;
        for (i, bin) in (first + 1..).zip(bins.get(first..).unwrap_or_default()) {
            if left >= part.end {
                break;
            }
            let right = self.columns.at(grid.border(i)).min(part.end);
            if bin.occupancy > 0 {
                self.add(left, right, bin.occupancy, bin.ink);
            }
            left = right.max(left);
        }
    }

    #[inline]
    fn texel(&self, total: u64, ink: u8) -> Texel {
        Texel {
            occupancy: occupancy(total),
            ink: self.inks[usize::from(ink) % INK_COUNT],
        }
    }

    /// The parts of spans that lie in `range`.
    pub(crate) fn spans(&mut self, spans: &Spans, inks: &Inks, ids: &[SpanId], range: TimeRange) {
        let (starts, durs) = (spans.starts(), spans.durs());
        // Rows of a thread lie scattered over the columns: a run of loads that wait for nothing
        // hides most of the way to memory.
        let mut near = [(0, 0, 0); 32];
        for ids in ids.chunks(near.len()) {
            for (it, id) in near.iter_mut().zip(ids) {
                let i = id.index();
                *it = (starts[i], durs[i], inks.code(spans, i, self.is_work));
            }
            for (start, dur, code) in near.iter().take(ids.len()) {
                let end = start.saturating_add(*dur);
                if end > range.start.0 || *start >= range.start.0 {
                    let left = self.columns.at((*start).max(range.start.0));
                    let right = self.columns.at(end.min(range.end.0));
                    self.add(left, right, 255, *code);
                }
            }
        }
    }

    /// What covers a share, of 255, of the columns from `left` to `right`. Calls come by `left`;
    /// where they overlap, a column that is done stays as it is.
    #[inline]
    pub(crate) fn add(&mut self, left: u64, right: u64, share: u8, ink: u8) {
        let left = left.max(ONE * self.at as u64);
        let right = right.max(left);
        let (first, last) = (
            Columns::column(left),
            Columns::column(right.max(left + 1) - 1),
        );
        let full = self.texel(u64::from(share) * ONE, ink);
        let share = u64::from(share);
        if first == last {
            return self.put(first, (right - left) * share, ink);
        }
        self.put(first, (ONE - left % ONE) * share, ink);
        if let Some(whole) = self.out.get_mut(first + 1..last) {
            whole.fill(full);
        }
        self.put(last, (right - ONE * last as u64) * share, ink);
    }

    #[inline]
    fn put(&mut self, column: usize, weight: u64, ink: u8) {
        let column = column.min(self.out.len() - 1);
        let weight = weight.max(1);
        let is_new = column != self.at;
        self.total = if is_new { weight } else { self.total + weight };
        self.most = if is_new { 0 } else { self.most };
        self.at = column;
        let i = usize::from(ink) % INK_COUNT;
        let before = if self.seen[i] == column {
            self.sums[i]
        } else {
            0
        };
        (self.sums[i], self.seen[i]) = (before + weight, column);
        self.ink = if self.sums[i] > self.most {
            ink
        } else {
            self.ink
        };
        self.most = self.most.max(self.sums[i]);
        self.out[column] = self.texel(self.total, self.ink);
    }
}

/// From 255 parts of `ONE`; 0 only for nothing at all.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "between 0 and 255")]
fn occupancy(parts: u64) -> u8 {
    ((parts + ONE / 2) / ONE).clamp(u64::from(parts > 0), 255) as u8
}
