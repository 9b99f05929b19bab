//! A pyramid of equal time bins that is only as fine as there are spans: the shape that density and
//! bands share.
//!
//! Level `k` has bins of `2^k` ns, at multiples of that, kept in pages of 64. A page is kept only
//! where at least `least` spans start in it, so that each half of it either has a page of its own
//! one level down or few enough spans to visit. Whatever the zoom and however uneven the trace, a
//! query reads at most two bins a column, or `least` spans per page that is not kept.

use std::ops::Range;

use crate::base::{Job, Time, TimeRange};

/// Bins to a page.
pub(crate) const PAGE: usize = 64;
const PAGE_LOG2: u32 = 6;
const HALF: usize = PAGE / 2;
/// The widest bins: with them two pages are all of time.
const WIDEST: u32 = 63 - PAGE_LOG2;

/// The levels from the finest that is kept anywhere, to one where two pages hold everything.
#[derive(Debug)]
pub(crate) struct Pages<B> {
    finest: u32,
    levels: Vec<Level<B>>,
}

#[derive(Debug)]
struct Level<B> {
    pages: Vec<Page>,
    bins: Vec<B>,
}

#[derive(Clone, Copy, Debug)]
struct Page {
    /// Its start is `key << (k + 6)`.
    key: i64,
    /// Positions of the spans that start in it.
    first: u32,
    next: u32,
}

/// Bins of `2^log2` ns from `start` on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    pub(crate) start: i64,
    pub(crate) log2: u32,
}

impl Grid {
    /// The start of bin `i`.
    pub(crate) fn border(self, i: usize) -> i64 {
        let into = i128::try_from(i).unwrap_or(i128::MAX) << self.log2;
        i64::try_from(i128::from(self.start) + into).unwrap_or(i64::MAX)
    }
}

/// A stretch of the answer to a query.
pub(crate) enum Piece<'a, B> {
    /// Bins that follow each other, as many as there are.
    Bins { grid: Grid, bins: &'a [B] },
    /// No bins are fine enough: the spans at `positions` start here.
    Spans {
        range: TimeRange,
        positions: Range<usize>,
    },
}

/// How to build: spans are positions `0..count` by start.
pub(crate) struct Recipe<'a, S, F, P> {
    pub(crate) start: &'a dyn Fn(usize) -> i64,
    pub(crate) count: usize,
    pub(crate) least: usize,
    /// Adds what lies in the bins of a grid, whose spans start at the positions. Grids come in
    /// order of time and do not overlap.
    pub(crate) fill: F,
    /// A bin from its two halves.
    pub(crate) merge: fn(S, S) -> S,
    pub(crate) pack: P,
}

impl<B> Pages<B> {
    /// Without any page: every query is answered by spans.
    pub(crate) fn none() -> Self {
        Self {
            finest: 0,
            levels: Vec::new(),
        }
    }

    /// Stops early, with a part of the pages, when `job` is cancelled.
    pub(crate) fn build<S, F, P>(recipe: Recipe<'_, S, F, P>, job: &Job) -> Self
    where
        S: Copy + Default,
        F: FnMut(&mut [S], Grid, Range<usize>),
        P: Fn(S) -> B,
    {
        if recipe.count < recipe.least.max(1) {
            return Self::none();
        }
        let (first, last) = ((recipe.start)(0), (recipe.start)(recipe.count - 1));
        let key = |time: i64, log2: u32| time >> (log2 + PAGE_LOG2);
        let far = |log2: &u32| key(last, *log2) - key(first, *log2) > 1;
        let widest = (0..WIDEST).find(|it| !far(it)).unwrap_or(WIDEST);
        let levels = (0..=widest)
            .map(|_| Level {
                pages: Vec::new(),
                bins: Vec::new(),
            })
            .collect();
        let (top, count) = (key(first, widest), recipe.count);
        let border = Grid {
            start: top << (widest + PAGE_LOG2),
            log2: widest,
        }
        .border(PAGE);
        let mut builder = Builder {
            recipe,
            pages: Self { finest: 0, levels },
            job,
        };
        let split = if key(last, widest) > top {
            builder.split(0..count, border)
        } else {
            count
        };
        let mut unused = [S::default(); HALF];
        for (key, spans) in [(top, 0..split), (top + 1, split..count)] {
            if spans.len() >= builder.recipe.least {
                builder.page(widest, key, spans, &mut unused);
            }
        }
        let mut pages = builder.pages;
        let empty = pages
            .levels
            .iter()
            .take_while(|it| it.pages.is_empty())
            .count();
        pages.levels.drain(..empty);
        pages.finest = u32::try_from(empty).unwrap_or_default();
        for level in &mut pages.levels {
            level.pages.shrink_to_fit();
            level.bins.shrink_to_fit();
        }
        pages.levels.shrink_to_fit();
        pages
    }

    /// The pieces of `range` in order, with bins of at most `2^log2` ns where there are any. The
    /// spans that start in `range` are at `positions`.
    pub(crate) fn walk<'a>(
        &'a self,
        range: TimeRange,
        positions: Range<usize>,
        log2: Option<u32>,
        mut piece: impl FnMut(Piece<'a, B>),
    ) {
        let step = log2.and_then(|it| it.checked_sub(self.finest));
        let coarsest = self.levels.len().saturating_sub(1);
        let i = step.map(|it| (it as usize).min(coarsest));
        let Some((i, level)) = i.and_then(|i| Some((i, self.levels.get(i)?))) else {
            return piece(Piece::Spans { range, positions });
        };
        let log2 = self.finest + u32::try_from(i).unwrap_or_default();
        let mut at = range.start;
        let mut next = positions.start;
        let from = level
            .pages
            .partition_point(|it| it.key < range.start.0 >> (log2 + PAGE_LOG2));
        let mut pages = level.pages.get(from..).unwrap_or_default();
        let mut bins = level.bins.get(from * PAGE..).unwrap_or_default();
        while let Some(page) = pages.first() {
            let start_of = |key: i64| key << (log2 + PAGE_LOG2);
            let grid = Grid {
                start: start_of(page.key),
                log2,
            };
            if grid.start >= range.end.0 {
                break;
            }
            if grid.start > at.0 {
                let to = (page.first as usize).clamp(next, positions.end);
                piece(Piece::Spans {
                    range: TimeRange::new(at, Time(grid.start)),
                    positions: next..to,
                });
            }
            // Pages that follow each other are one piece.
            let follows = |(it, key): &(&Page, i64)| it.key == *key && start_of(*key) < range.end.0;
            let run = pages.iter().zip(page.key..).take_while(follows).count();
            let (now, after) = pages.split_at(run);
            let (here, behind) = bins.split_at(run * PAGE);
            let end = grid.border(here.len()).min(range.end.0);
            let bin =
                |time: i64| usize::try_from(time.saturating_sub(grid.start) >> log2).unwrap_or(0);
            let (low, high) = (bin(at.0), (bin(end - 1) + 1).min(here.len()));
            piece(Piece::Bins {
                grid: Grid {
                    start: grid.border(low),
                    log2,
                },
                bins: here.get(low..high).unwrap_or_default(),
            });
            at = Time(end);
            next = now.last().map_or(next, |it| it.next as usize);
            next = next.clamp(positions.start, positions.end);
            (pages, bins) = (after, behind);
        }
        if at < range.end {
            piece(Piece::Spans {
                range: TimeRange::new(at, range.end),
                positions: next..positions.end,
            });
        }
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        let level = |it: &Level<B>| {
            it.pages.capacity() * size_of::<Page>() + it.bins.capacity() * size_of::<B>()
        };
        self.levels.capacity() * size_of::<Level<B>>()
            + self.levels.iter().map(level).sum::<usize>()
    }
}

struct Builder<'a, S, B, F, P> {
    recipe: Recipe<'a, S, F, P>,
    pages: Pages<B>,
    job: &'a Job,
}

impl<S, B, F, P> Builder<'_, S, B, F, P>
where
    S: Copy + Default,
    F: FnMut(&mut [S], Grid, Range<usize>),
    P: Fn(S) -> B,
{
    /// Makes a page and all below it, and gives its bins in pairs to the half page above.
    fn page(&mut self, log2: u32, key: i64, spans: Range<usize>, above: &mut [S]) {
        if self.job.is_cancelled() {
            return;
        }
        let mut bins = [S::default(); PAGE];
        let grid = Grid {
            start: key << (log2 + PAGE_LOG2),
            log2,
        };
        let middle = grid.border(HALF);
        let split = self.split(spans.clone(), middle);
        let (left, right) = bins.split_at_mut(HALF);
        let halves = [
            (left, grid.start, spans.start..split),
            (right, middle, split..spans.end),
        ];
        for (side, (half, start, spans)) in (0..).zip(halves) {
            if log2 > 0 && spans.len() >= self.recipe.least {
                self.page(log2 - 1, key * 2 + side, spans, half);
            } else {
                (self.recipe.fill)(half, Grid { start, log2 }, spans);
            }
        }
        let number = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
        if let Some(level) = self.pages.levels.get_mut(log2 as usize) {
            level.pages.push(Page {
                key,
                first: number(spans.start),
                next: number(spans.end),
            });
            level
                .bins
                .extend(bins.iter().map(|it| (self.recipe.pack)(*it)));
        }
        for (to, pair) in above.iter_mut().zip(bins.chunks_exact(2)) {
            *to = (self.recipe.merge)(pair[0], pair[1]);
        }
    }

    /// The first of `spans` that does not start before `time`.
    fn split(&self, spans: Range<usize>, time: i64) -> usize {
        let (mut low, mut high) = (spans.start, spans.end);
        while low < high {
            let middle = low.midpoint(high);
            if (self.recipe.start)(middle) < time {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}
