//! How full each row is and of what, at any zoom.
//!
//! A bin is two bytes: occupancy, the share of its time that is covered (0 only if no span touches
//! it, so that 1 may stand for next to nothing), and the ink with the longest time in it. A span of
//! zero length touches the bin, or the column, in which it starts.

use rayon::prelude::*;

use crate::base::{Cancelled, Job, TimeRange};
use crate::index::columns::Columns;
use crate::index::ink::{INK_COUNT, Ink, Inks, Texel, decode};
use crate::index::pages::{Grid, Pages, Piece, Recipe};
use crate::index::rows::{Row, Rows};
use crate::model::{Role, Trace, TrackId};

/// Spans that a page of 64 bins must have: 3 to 6 spans a bin where they are finest.
const LEAST: usize = 192;
/// A row whose spans overlap that deep is no row, and is always visited.
const LEAD_MAX: usize = 64;
/// The weight of what has no length: enough to be seen, too little to win.
const TRACE_OF: f32 = 1e-9;

/// Whether a row is worth drawing span by span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Two columns or more for a span and its gap: ask for the spans.
    Exact,
    /// Ask for a strip.
    Density,
}

impl Detail {
    pub fn of(span_count: usize, columns: usize) -> Self {
        if span_count <= columns / 2 { Self::Exact } else { Self::Density }
    }
}

#[derive(Clone, Copy, Debug)]
struct Bin {
    occupancy: u8,
    ink: u8,
}

/// The pyramids of a trace's rows.
#[derive(Debug)]
pub(crate) struct Density {
    rows: Vec<Pages<Bin>>,
}

/// Time by ink, as shares of a bin.
type Sums = [f32; INK_COUNT];

impl Density {
    pub(crate) fn build(trace: &Trace, rows: &Rows, inks: &Inks, job: &Job) -> Result<Self, Cancelled> {
        let one = |number: usize| {
            job.check()?;
            let row = u32::try_from(number).ok().and_then(|it| rows.row(trace.spans(), it));
            Ok(row.map_or_else(Pages::none, |it| pages(&it, inks, is_work(trace, it.track()), job)))
        };
        let rows = (0..rows.len()).into_par_iter().map(one).collect::<Result<_, Cancelled>>()?;
        job.check()?;
        Ok(Self { rows })
    }

    /// Sets `out` to one texel per column of `range`; returns how many bins and spans were read.
    pub(crate) fn strip(
        &self,
        cx: (&Trace, &Inks),
        row: &Row<'_>,
        range: TimeRange,
        columns: usize,
        out: &mut Vec<Texel>,
    ) -> usize {
        out.clear();
        out.resize(columns, Texel::EMPTY);
        let (Some(columns), Some(pages)) = (Columns::new(range, columns), self.rows.get(row.number() as usize)) else {
            return 0;
        };
        let is_work = is_work(cx.0, row.track());
        let mut brush = Brush::new(columns, out, is_work);
        let touching = row.positions(range);
        let starting = row.before(range.start.0)..touching.end;
        let mut read = 0;
        pages.walk(range, starting, columns.log2_ns(), |piece| match piece {
            Piece::Bins { grid, bins } => {
                read += bins.len();
                brush.bins(grid, bins);
            }
            Piece::Spans { range, positions } => {
                for position in row.reaching(positions.start).max(touching.start)..positions.end {
                    read += 1;
                    let it = row.range(position);
                    if it.end > range.start || it.start >= range.start {
                        let code = cx.1.code(row.spans(), row.ids()[position].index(), is_work);
                        let (from, to) = (it.start.max(range.start), it.end.min(range.end));
                        brush.add(columns.x(from.0), columns.x(to.0), 1.0, code);
                    }
                }
            }
        });
        brush.flush();
        read
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.rows.capacity() * size_of::<Pages<Bin>>() + self.rows.iter().map(Pages::memory_bytes).sum::<usize>()
    }
}

fn is_work(trace: &Trace, track: TrackId) -> bool {
    trace.track(track).key.role == Role::Work
}

fn pages(row: &Row<'_>, inks: &Inks, is_work: bool, job: &Job) -> Pages<Bin> {
    if row.lead() > LEAD_MAX {
        return Pages::none();
    }
    let fill = |bins: &mut [Sums], grid: Grid, positions: std::ops::Range<usize>| {
        for position in row.reaching(positions.start)..positions.end {
            let range = row.range(position);
            let code = inks.code(row.spans(), row.ids()[position].index(), is_work);
            spread(bins, grid, range, usize::from(code));
        }
    };
    let recipe = Recipe {
        start: &|position| row.start(position),
        count: row.ids().len(),
        least: LEAST,
        fill,
        merge: |a: Sums, b: Sums| std::array::from_fn(|i| f32::midpoint(a[i], b[i])),
        pack: |sums| pack(&sums),
    };
    Pages::build(recipe, job)
}

/// Adds the time of a span to the bins that it touches.
fn spread(bins: &mut [Sums], grid: Grid, range: TimeRange, ink: usize) {
    let end = grid.border(bins.len());
    let (from, to) = (range.start.0.max(grid.start), range.end.0.min(end));
    if from > to || from >= end || (from == to && range.start.0 != from) {
        return;
    }
    let (from, to) = (from - grid.start, to - grid.start);
    let bin = |it: i64| usize::try_from(it >> grid.log2).unwrap_or(0);
    let width = 1_i64 << grid.log2;
    let share = |ns: i64| (ns as f32 / width as f32).max(TRACE_OF);
    let into = |it: i64| it & (width - 1);
    let (first, last) = (bin(from), bin((to - 1).max(from)));
    let Some(touched) = bins.get_mut(first..=last) else { return };
    match touched {
        [one] => one[ink] += share(to - from),
        [head, middle @ .., tail] => {
            head[ink] += share(width - into(from));
            for it in middle {
                it[ink] += 1.0;
            }
            tail[ink] += share(into(to - 1) + 1);
        }
        [] => {}
    }
}

fn pack(sums: &Sums) -> Bin {
    let (mut total, mut ink, mut most) = (0.0, 0, 0.0);
    for (code, share) in (0..).zip(sums) {
        total += *share;
        if *share > most {
            (ink, most) = (code, *share);
        }
    }
    Bin { occupancy: occupancy(total), ink }
}

/// 0 only for nothing at all.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 1 and 255")]
fn occupancy(share: f32) -> u8 {
    if share > 0.0 { (share * 255.0).round().clamp(1.0, 255.0) as u8 } else { 0 }
}

/// Fills columns from left to right.
struct Brush<'a> {
    columns: Columns,
    out: &'a mut [Texel],
    inks: [Ink; INK_COUNT],
    /// The column that is being filled; those before it are done.
    at: usize,
    sums: Sums,
    /// The inks in `sums`, as bits.
    used: u32,
}

impl<'a> Brush<'a> {
    fn new(columns: Columns, out: &'a mut [Texel], is_work: bool) -> Self {
        let mut code = 0;
        let inks = [(); INK_COUNT].map(|()| {
            let ink = decode(code, is_work);
            code += 1;
            ink
        });
        Self { columns, out, inks, at: 0, sums: [0.0; INK_COUNT], used: 0 }
    }

    fn bins(&mut self, grid: Grid, bins: &[Bin]) {
        let (mut x, last) = (self.columns.x(grid.start), self.columns.count() as f64);
        let width = self.columns.scale() * (1_u64 << grid.log2) as f64;
        let left = x;
        for (i, bin) in (1_u32..).zip(bins) {
            let end = left + f64::from(i) * width;
            if bin.occupancy > 0 {
                self.add(x.max(0.0), end.min(last), f32::from(bin.occupancy) / 255.0, bin.ink);
            }
            x = end;
        }
    }

    /// What covers a share of the columns from `left` to `right`. Calls come by `left`; where they
    /// overlap, a column that is done stays as it is.
    fn add(&mut self, left: f64, right: f64, share: f32, ink: u8) {
        let first = self.columns.at(left);
        let last = self.columns.at(right.ceil() - 1.0).max(first);
        if first > self.at {
            self.flush();
            self.at = first;
        }
        if last < self.at {
            return;
        }
        let left = left.max(self.at as f64);
        if last == self.at {
            return self.put(right - left, share, ink);
        }
        self.put((self.at + 1) as f64 - left, share, ink);
        self.flush();
        let full = Texel { occupancy: occupancy(share), ink: self.inks[usize::from(ink) % INK_COUNT] };
        self.out[self.at + 1..last].fill(full);
        self.at = last;
        self.put(right - last as f64, share, ink);
    }

    #[expect(clippy::cast_possible_truncation, reason = "a part of a column needs no more digits")]
    fn put(&mut self, width: f64, share: f32, ink: u8) {
        let i = usize::from(ink) % INK_COUNT;
        self.sums[i] += (width as f32 * share).max(TRACE_OF);
        self.used |= 1 << i;
    }

    fn flush(&mut self) {
        let (mut total, mut ink, mut most) = (0.0, 0, 0.0);
        while self.used != 0 {
            let i = self.used.trailing_zeros() as usize;
            self.used &= self.used - 1;
            let share = std::mem::take(&mut self.sums[i]);
            total += share;
            if share > most {
                (ink, most) = (i, share);
            }
        }
        if total > 0.0 {
            self.out[self.at] = Texel { occupancy: occupancy(total), ink: self.inks[ink] };
        }
    }
}
