//! The parts of a device (see `parts.rs`) as shares of each pixel column, at any zoom: the overview,
//! the overlap band, heat rows and the view of many ranks all read it.
//!
//! A share is a byte, 255 for the whole column. A part that is there at all has at least 1, and the
//! four together have at most 255: what is left is idle.

use crate::base::{Cancelled, Job, Time, TimeRange};
use crate::index::columns::{Columns, ONE};
use crate::index::pages::{Grid, Pages, Piece, Recipe};
use crate::index::parts::{Facts, Lengths, Parts, Sweep, Work};

/// Spans that a page of 64 bins must have: 2 to 4 a bin where they are finest.
const LEAST: usize = 128;

/// What a column is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shares {
    pub compute_alone: u8,
    pub overlapped: u8,
    pub exposed_communication: u8,
    pub exposed_copy: u8,
}

impl Shares {
    pub fn idle(self) -> u8 {
        self.bytes().into_iter().fold(255, u8::saturating_sub)
    }

    fn bytes(self) -> [u8; 4] {
        [
            self.compute_alone,
            self.overlapped,
            self.exposed_communication,
            self.exposed_copy,
        ]
    }

    /// From shares of 1 whose sum is at most 1.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and 255"
    )]
    fn from_parts(parts: [f32; 4]) -> Self {
        let mut bytes = [0_u8; 4];
        let (mut sum, mut given) = (0.0, 0_u8);
        for (byte, part) in bytes.iter_mut().zip(parts) {
            sum += part.max(0.0);
            let until = (sum * 255.0 + 0.5).clamp(0.0, 255.0) as u8;
            *byte = until.saturating_sub(given).max(u8::from(part > 0.0));
            given = until.max(given);
        }
        // What the smallest were given is taken from the largest.
        while bytes.iter().map(|it| u16::from(*it)).sum::<u16>() > 255 {
            if let Some(largest) = bytes.iter_mut().max() {
                *largest -= 1;
            }
        }
        let [
            compute_alone,
            overlapped,
            exposed_communication,
            exposed_copy,
        ] = bytes;
        Self {
            compute_alone,
            overlapped,
            exposed_communication,
            exposed_copy,
        }
    }
}

/// The pyramid of a device.
#[derive(Debug)]
pub(crate) struct Bands {
    pages: Pages<Shares>,
}

impl Bands {
    pub(crate) fn build(facts: Facts<'_>, work: &Work, job: &Job) -> Result<Self, Cancelled> {
        let starts = facts.trace.spans().starts();
        let order = work.order();
        let mut sweep = Sweep::new(work, facts);
        let fill = |bins: &mut [[f32; 4]], grid: Grid, _| {
            let mut from = sweep.to(Time(grid.start));
            for (i, bin) in (1..).zip(bins) {
                let to = sweep.to(Time(grid.border(i)));
                let width = (1_u64 << grid.log2) as f64;
                *bin = shares(from, to).map(|it| narrow(it / width));
                from = to;
            }
        };
        let recipe = Recipe {
            start: &|position| starts[order[position].index()],
            count: order.len(),
            least: LEAST,
            fill,
            merge: |a: [f32; 4], b: [f32; 4]| std::array::from_fn(|i| f32::midpoint(a[i], b[i])),
            pack: Shares::from_parts,
        };
        let pages = Pages::build(recipe, job);
        job.check()?;
        Ok(Self { pages })
    }

    /// Sets `out` to the mean of each column of `range`; returns how many bins and spans were read.
    pub(crate) fn shares(
        &self,
        facts: Facts<'_>,
        work: &Work,
        range: TimeRange,
        columns: usize,
        out: &mut Vec<Shares>,
    ) -> usize {
        out.clear();
        out.resize(columns, Shares::default());
        let Some(columns) = Columns::new(range, columns) else {
            return 0;
        };
        let mut sums = vec![Sum::default(); columns.count()];
        let mut sweep = Sweep::new(work, facts);
        let mut read = 0;
        let positions = work.before(facts, range.start)..work.before(facts, range.end);
        self.pages
            .walk(range, positions, columns.log2_ns(), |piece| match piece {
                Piece::Bins { grid, bins } => {
                    read += bins.len();
                    add_bins(&mut sums, columns, grid, bins);
                }
                Piece::Spans { range, .. } => {
                    sweep.jump(range.start);
                    add_spans(&mut sums, columns, range, &mut sweep);
                }
            });
        for (shares, sum) in out.iter_mut().zip(&sums) {
            if sum.ns > 0.0 {
                *shares = Shares::from_parts(sum.parts.map(|it| narrow(it / sum.ns)));
            }
        }
        read + sweep.read()
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.pages.memory_bytes()
    }
}

/// What was added to a column, in nanoseconds.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    parts: [f64; 4],
    ns: f64,
}

fn add_bins(sums: &mut [Sum], columns: Columns, grid: Grid, bins: &[Shares]) {
    let ns_of_one = columns.width() / ONE as f64;
    let mut left = columns.at(grid.start);
    for (i, bin) in (1..).zip(bins) {
        let right = columns.at(grid.border(i));
        while left < right {
            let column = Columns::column(left);
            let border = right.min(left - left % ONE + ONE);
            if let Some(sum) = sums.get_mut(column) {
                let ns = (border - left) as f64 * ns_of_one;
                sum.ns += ns;
                for (part, byte) in sum.parts.iter_mut().zip(bin.bytes()) {
                    *part += f64::from(byte) / 255.0 * ns;
                }
            }
            left = border;
        }
    }
}

/// Columns thinner than a nanosecond share one, and so its lengths.
fn add_spans(sums: &mut [Sum], columns: Columns, range: TimeRange, sweep: &mut Sweep<'_>) {
    let mut at = range.start;
    let mut from = sweep.to(at);
    let mut before = (at, from);
    let first = Columns::column(columns.at(at.0)).saturating_sub(1);
    for (c, sum) in sums.iter_mut().enumerate().skip(first) {
        let (start, end) = columns.whole_ns(c);
        let (start, end) = (Time(start).max(range.start), Time(end).min(range.end));
        if start >= range.end {
            break;
        }
        if start >= end {
            continue;
        }
        if end > at {
            before = (at, from);
            (at, from) = (end, sweep.to(end));
        }
        let ns = at.since(before.0).0 as f64;
        sum.ns += ns;
        for (part, length) in sum.parts.iter_mut().zip(shares(before.1, from)) {
            *part += length;
        }
    }
}

fn shares(from: Lengths, to: Lengths) -> [f64; 4] {
    let parts = Parts::between(from, to, crate::base::Dur::ZERO);
    let lengths = [
        parts.compute_alone,
        parts.overlapped,
        parts.exposed_communication,
        parts.exposed_copy,
    ];
    lengths.map(|it| it.0 as f64)
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a share needs no more digits"
)]
fn narrow(share: f64) -> f32 {
    share as f32
}
