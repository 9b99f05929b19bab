//! Launches told by arrows, for files whose work carries no correlation id.
//!
//! An end of an arrow binds to the innermost span of its row that runs at its time or starts there. The
//! launch is where the arrow leaves a row of a CPU, the work is where it reaches a row of a GPU. Where
//! an id is used again, work belongs to the latest tail not after it, else to the first.

use std::collections::BTreeMap;

use crate::model::builder::ArrowEnd;
use crate::model::ids::SpanId;
use crate::model::spans::Spans;
use crate::model::track::{Role, RowId, Track};

/// One end of an arrow, and its place: row, and nanoseconds of the file's own clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrowPoint {
    pub id: u64,
    pub end: ArrowEnd,
    pub process: RowId,
    pub thread: RowId,
    pub time: i64,
}

/// A bound end: id, then time.
type Bound = (u64, i64, SpanId);

/// Launch and work of every arrow that has both, in the order of ids.
pub(crate) fn launches(
    tracks: &[Track],
    spans: &Spans,
    points: &[ArrowPoint],
) -> Vec<(SpanId, SpanId)> {
    let mut rows: BTreeMap<(&RowId, &RowId), Vec<&ArrowPoint>> = BTreeMap::new();
    for point in points {
        rows.entry((&point.process, &point.thread))
            .or_default()
            .push(point);
    }
    let (mut tails, mut heads) = (Vec::new(), Vec::new());
    for track in tracks {
        let Some(points) = rows.get(&(&track.key.process, &track.key.thread)) else {
            continue;
        };
        let bound = match track.key.role {
            Role::Cpu => &mut tails,
            Role::Work => &mut heads,
            _ => continue,
        };
        let is_cpu = track.key.role == Role::Cpu;
        let own = points
            .iter()
            .filter(|it| (it.end == ArrowEnd::Tail) == is_cpu);
        bind(track, spans, own.copied().collect(), bound);
    }
    tails.sort_unstable();
    heads.sort_unstable();
    let launch_of = |(id, time, work): Bound| {
        let from = tails.partition_point(|it: &Bound| it.0 < id);
        let after = tails.partition_point(|it| (it.0, it.1) <= (id, time));
        let tail = tails.get(after.saturating_sub(1).max(from))?;
        (tail.0 == id).then_some((tail.2, work))
    };
    heads.into_iter().filter_map(launch_of).collect()
}

/// Walks over a track with its points, both in order of time.
fn bind(track: &Track, spans: &Spans, mut points: Vec<&ArrowPoint>, bound: &mut Vec<Bound>) {
    points.sort_by_key(|it| it.time);
    let mut open: Vec<SpanId> = Vec::new();
    let mut ahead = track.span_ids().peekable();
    for point in points {
        while let Some(id) = ahead.next_if(|it| spans.get(*it).start.0 <= point.time) {
            open.push(id);
        }
        let runs = |it: &SpanId| {
            let span = spans.get(*it);
            span.end().0 > point.time || span.start.0 == point.time
        };
        while open.last().is_some_and(|it| !runs(it)) {
            open.pop();
        }
        if let Some(span) = open.last() {
            bound.push((point.id, point.time, *span));
        }
    }
}
