//! How full each row is and of what, at any zoom.
//!
//! A bin is two bytes: occupancy, the share of its time that is covered (0 only if no span touches
//! it, so that 1 may stand for next to nothing), and the ink with the longest time in it. A span of
//! zero length touches the bin, or the column, in which it starts.

use rayon::prelude::*;

use crate::base::{Cancelled, Job, TimeRange};
use crate::index::brush::{Bin, Brush};
use crate::index::columns::Columns;
use crate::index::ink::{INK_COUNT, Inks, Texel};
use crate::index::pages::{Grid, Pages, Piece, Recipe};
use crate::index::rows::{Row, Rows};
use crate::model::{Role, SpanId, Trace, TrackId};

/// Spans that a page of 64 bins must have, a third to two thirds a bin where they are finest: rows with
/// fewer in a view are drawn exactly, so that spans are read one by one only where they are few.
pub(crate) const LEAST: usize = 24;
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
        if span_count <= columns / 2 {
            Self::Exact
        } else {
            Self::Density
        }
    }
}

/// The pyramids of a trace's rows.
#[derive(Debug)]
pub(crate) struct Density {
    rows: Vec<Pages<Bin>>,
}

/// Time by ink, as shares of a bin: by the `N` inks of a row.
#[derive(Clone, Copy)]
struct Sums<const N: usize>([f32; N]);

impl<const N: usize> Default for Sums<N> {
    fn default() -> Self {
        Self([0.0; N])
    }
}

impl Density {
    pub(crate) fn build(
        trace: &Trace,
        rows: &Rows,
        inks: &Inks,
        job: &Job,
    ) -> Result<Self, Cancelled> {
        let one = |number: usize| {
            job.check()?;
            let row = u32::try_from(number)
                .ok()
                .and_then(|it| rows.row(trace.spans(), it));
            Ok(row.map_or_else(Pages::none, |it| {
                pages(&it, inks, is_work(trace, it.track()), job)
            }))
        };
        let rows = (0..rows.len())
            .into_par_iter()
            .map(one)
            .collect::<Result<_, Cancelled>>()?;
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
        let (Some(columns), Some(pages)) = (
            Columns::new(range, columns),
            self.rows.get(row.number() as usize),
        ) else {
            return 0;
        };
        let mut brush = Brush::new(columns, out, is_work(cx.0, row.track()));
        let touching = row.positions(range);
        let starting = row.before(range.start.0)..touching.end;
        let mut read = 0;
        pages.walk(range, starting, columns.log2_ns(), |piece| match piece {
            Piece::Bins { grid, bins } => {
                read += bins.len();
                brush.bins(grid, bins);
            }
            Piece::Spans { range, positions } => {
                let first = row.reaching(positions.start).max(touching.start);
                read += positions.end.saturating_sub(first);
                let ids = row.ids().get(first..positions.end).unwrap_or_default();
                brush.spans(row.spans(), cx.1, ids, range);
            }
        });
        read
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.rows.capacity() * size_of::<Pages<Bin>>()
            + self.rows.iter().map(Pages::memory_bytes).sum::<usize>()
    }
}

fn is_work(trace: &Trace, track: TrackId) -> bool {
    trace.track(track).key.role == Role::Work
}

fn pages(row: &Row<'_>, inks: &Inks, is_work: bool, job: &Job) -> Pages<Bin> {
    if row.lead() > LEAD_MAX || row.ids().len() < LEAST {
        return Pages::none();
    }
    let code_of = |id: SpanId| inks.code(row.spans(), id.index(), is_work);
    let mut is_used = [false; INK_COUNT];
    for id in row.ids() {
        is_used[usize::from(code_of(*id))] = true;
    }
    // Most rows have one ink or a few, and time by ink is what building costs.
    match is_used.iter().filter(|it| **it).count() {
        ..2 => pages_of::<1>(row, code_of, is_used, job),
        2..5 => pages_of::<4>(row, code_of, is_used, job),
        5..9 => pages_of::<8>(row, code_of, is_used, job),
        _ => pages_of::<INK_COUNT>(row, code_of, is_used, job),
    }
}

fn pages_of<const N: usize>(
    row: &Row<'_>,
    code_of: impl Fn(SpanId) -> u8,
    is_used: [bool; INK_COUNT],
    job: &Job,
) -> Pages<Bin> {
    let (mut slots, mut codes, mut next) = ([0; INK_COUNT], [0; N], 0);
    for (code, slot) in (0..).zip(&mut slots) {
        if is_used[usize::from(code)] {
            (*slot, codes[next]) = (next, code);
            next += 1;
        }
    }
    let fill = |bins: &mut [Sums<N>], grid: Grid, positions: std::ops::Range<usize>| {
        for position in row.reaching(positions.start)..positions.end {
            let code = code_of(row.ids()[position]);
            let slot = slots[usize::from(code)];
            spread(bins, grid, row.range(position), slot);
        }
    };
    let recipe = Recipe {
        start: &|position| row.start(position),
        count: row.ids().len(),
        least: LEAST,
        fill,
        merge: |a: Sums<N>, b: Sums<N>| {
            Sums(std::array::from_fn(|i| f32::midpoint(a.0[i], b.0[i])))
        },
        pack: |sums: Sums<N>| pack(&sums.0, &codes),
    };
    Pages::build(recipe, job)
}

/// Adds the time of a span to the bins that it touches.
fn spread<const N: usize>(bins: &mut [Sums<N>], grid: Grid, range: TimeRange, slot: usize) {
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
    let Some(touched) = bins.get_mut(first..=last) else {
        return;
    };
    match touched {
        [one] => one.0[slot] += share(to - from),
        [head, middle @ .., tail] => {
            head.0[slot] += share(width - into(from));
            for it in middle {
                it.0[slot] += 1.0;
            }
            tail.0[slot] += share(into(to - 1) + 1);
        }
        [] => {}
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "between 0 and 255"
)]
fn pack(sums: &[f32], codes: &[u8]) -> Bin {
    let (mut total, mut ink, mut most) = (0.0_f32, 0, 0.0);
    for (code, share) in codes.iter().zip(sums) {
        total += *share;
        if *share > most {
            (ink, most) = (*code, *share);
        }
    }
    let rounded = (total * 255.0 + 0.5).clamp(0.0, 255.0) as u8;
    Bin {
        occupancy: rounded.max(u8::from(total > 0.0)),
        ink,
    }
}
