//! Launches told by arrows, for files whose work carries no correlation id.
//!
//! On a row of a CPU an end of an arrow binds to the innermost span that runs at its time or starts
//! there: the launch. On a row of a GPU it binds to the work that starts at its time; arrows of
//! synchronization end inside of work and tie nothing. Where an id is used again, work belongs to the
//! latest launch not after it, else to the first. Some writers leave the tail of an arrow out and
//! write a head at the launch as well: it stands in for the tail.

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
    for row in rows.values_mut() {
        row.sort_by_key(|it| it.time);
    }
    let (mut tails, mut stand_ins, mut works) = (Vec::new(), Vec::new(), Vec::new());
    for track in tracks {
        let Some(points) = rows.get(&(&track.key.process, &track.key.thread)) else {
            continue;
        };
        let (own, others): (Vec<&ArrowPoint>, Vec<&ArrowPoint>) =
            points.iter().partition(|it| it.end == ArrowEnd::Tail);
        match track.key.role {
            Role::Cpu => {
                bind_running(track, spans, &own, &mut tails);
                bind_running(track, spans, &others, &mut stand_ins);
            }
            Role::Work => bind_starting(track, spans, &others, &mut works),
            _ => {}
        }
    }
    tails.sort_unstable();
    stand_ins.sort_unstable();
    works.sort_unstable();
    let pair = |it: Bound| {
        Some((
            launch_of(it, &tails).or_else(|| launch_of(it, &stand_ins))?,
            it.2,
        ))
    };
    works.into_iter().filter_map(pair).collect()
}

/// The latest launch of the arrow that is not after its work, else the first.
fn launch_of((id, time, _): Bound, launches: &[Bound]) -> Option<SpanId> {
    let from = launches.partition_point(|it| it.0 < id);
    let after = launches.partition_point(|it| (it.0, it.1) <= (id, time));
    let launch = launches.get(after.saturating_sub(1).max(from))?;
    (launch.0 == id).then_some(launch.2)
}

/// Binds points, which are in order of time, to what runs then.
fn bind_running(track: &Track, spans: &Spans, points: &[&ArrowPoint], bound: &mut Vec<Bound>) {
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
        bound.extend(open.last().map(|it| (point.id, point.time, *it)));
    }
}

/// Binds points to what starts then.
fn bind_starting(track: &Track, spans: &Spans, points: &[&ArrowPoint], bound: &mut Vec<Bound>) {
    let range = track.indices();
    let starts = &spans.starts()[range.clone()];
    for point in points {
        let behind = starts.partition_point(|it| *it <= point.time);
        if let Some(last) = behind.checked_sub(1).filter(|it| starts[*it] == point.time) {
            bound.push((point.id, point.time, SpanId::from_index(range.start + last)));
        }
    }
}
