//! An R*-tree over blocks of up to 256 consecutive spans of a row: which blocks lie in a window, and
//! which span is meant by a point.
//!
//! A tree of spans would cost more memory than the columns, see `reference/performance.md`; within a
//! block the row's own order serves. Rectangles are floats from the trace's start and only choose
//! candidates: what is returned was compared in integers.

use std::cmp::Reverse;
use std::ops::Range;

use rstar::{AABB, RTree, RTreeObject};

use crate::base::{Dur, Time, TimeRange};
use crate::index::rows::{BLOCK, Row, Rows};
use crate::model::{SpanId, Spans};

/// Consecutive spans of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    pub row: u32,
    /// Positions in the row's ids.
    pub positions: Range<usize>,
    /// First start to last end.
    pub hull: TimeRange,
}

#[derive(Clone, Copy, Debug)]
struct Leaf {
    x: [f64; 2],
    row: u32,
    /// Position among the blocks of the row.
    block: u32,
}

impl RTreeObject for Leaf {
    type Envelope = AABB<[f64; 2]>;

    fn envelope(&self) -> Self::Envelope {
        let y = f64::from(self.row);
        AABB::from_corners([self.x[0], y], [self.x[1], y])
    }
}

/// The blocks of a trace.
#[derive(Debug)]
pub(crate) struct Blocks {
    tree: RTree<Leaf>,
    origin: Time,
}

impl Blocks {
    pub(crate) fn build(rows: &Rows, spans: &Spans, origin: Time) -> Self {
        let mut leaves = Vec::new();
        for row in (0..).map_while(|number| rows.row(spans, number)) {
            for (block, hull) in (0..).zip(row.hulls()) {
                leaves.push(Leaf {
                    x: x_of(origin, *hull),
                    row: row.number(),
                    block,
                });
            }
        }
        Self {
            tree: RTree::bulk_load(leaves),
            origin,
        }
    }

    /// Blocks whose hull meets `range`, by row and time. A hull that ends where the range starts
    /// meets it, because a span of zero length may stand there.
    pub(crate) fn window(
        &self,
        rows: &Rows,
        spans: &Spans,
        range: TimeRange,
        numbers: Range<u32>,
    ) -> Vec<Block> {
        if range.is_empty() || numbers.is_empty() {
            return Vec::new();
        }
        let x = x_of(self.origin, range);
        let y = [f64::from(numbers.start), f64::from(numbers.end - 1)];
        let window = AABB::from_corners([x[0], y[0]], [x[1], y[1]]);
        let mut leaves: Vec<Leaf> = self
            .tree
            .locate_in_envelope_intersecting(window)
            .copied()
            .collect();
        leaves.sort_unstable_by_key(|it| (it.row, it.block));
        let blocks = leaves
            .into_iter()
            .filter_map(|it| block(&rows.row(spans, it.row)?, it.block));
        blocks
            .filter(|it| it.hull.start < range.end && it.hull.end >= range.start)
            .collect()
    }

    /// The span of `row` that covers `time`, else the nearest within `slack`; of several the one
    /// that starts latest. A span of zero length covers its start.
    pub(crate) fn pick(&self, row: &Row<'_>, time: Time, slack: Dur) -> Option<SpanId> {
        self.nearest(row, time, Dur(0))
            .or_else(|| self.nearest(row, time, slack))
    }

    fn nearest(&self, row: &Row<'_>, time: Time, slack: Dur) -> Option<SpanId> {
        let slack = Dur(slack.0.max(0));
        let x = x_of(
            self.origin,
            TimeRange::new(time.minus(slack), time.plus(slack)),
        );
        let y = f64::from(row.number());
        let window = AABB::from_corners([x[0], y], [x[1], y]);
        let mut near: Vec<(u64, u32)> = Vec::new();
        for leaf in self.tree.locate_in_envelope_intersecting(window) {
            let hull = row.hulls().get(leaf.block as usize)?;
            near.push((distance(*hull, time).1, leaf.block));
        }
        near.sort_unstable();
        let mut best = None;
        for (away, number) in near {
            // Another block as near as the best may hold a later start.
            if best.is_some_and(|(Reverse((_, it)), _, _)| it < away) {
                break;
            }
            for position in block(row, number)?.positions {
                let range = row.range(position);
                let rank = (
                    Reverse(distance(range, time)),
                    range.start,
                    row.ids()[position],
                );
                best = best.max(Some(rank));
            }
        }
        let (Reverse((misses, away)), _, id) = best?;
        (!misses || away <= slack.0.unsigned_abs()).then_some(id)
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        // Entries of all nodes take the size of an inner node; one in six is one.
        self.tree.size() * 7 / 6 * (size_of::<AABB<[f64; 2]>>() + size_of::<Vec<Leaf>>())
    }
}

/// Whether `time` lies outside, and how far.
fn distance(range: TimeRange, time: Time) -> (bool, u64) {
    let covers = range.contains(time) || time == range.start;
    let away = if time < range.start {
        time.0.abs_diff(range.start.0)
    } else if time > range.end {
        time.0.abs_diff(range.end.0)
    } else {
        0
    };
    (!covers, away)
}

fn x_of(origin: Time, range: TimeRange) -> [f64; 2] {
    [
        range.start.since(origin).0 as f64,
        range.end.since(origin).0 as f64,
    ]
}

fn block(row: &Row<'_>, number: u32) -> Option<Block> {
    let hull = *row.hulls().get(number as usize)?;
    let first = number as usize * BLOCK;
    Some(Block {
        row: row.number(),
        positions: first..(first + BLOCK).min(row.ids().len()),
        hull,
    })
}
