//! What is to be drawn, in points: the visible lanes with their bars, the ruler, the overview. A
//! function of view and workspace; nothing here knows how it will be painted.
//!
//! One file because each part of the drawing is a few lines over the same axis.
//!
//! The cost grows with visible rows and pixels, never with spans.

use rayon::prelude::*;

use crate::base::{Dur, TimeRange};
use crate::index::{Parts, Shares, Texel};
use crate::model::{Role, Run, SpanId, SpanRef, TraceId, TrackId};
use crate::view::axis::{Axis, Stretch};
use crate::view::bars::{Content, columns, content};
use crate::view::counter::{CounterBox, counter_box};
use crate::view::lane::{Lane, LaneKey};
use crate::view::outline::Outline;
use crate::view::state::View;
use crate::view::ticks::{Tick, ticks};
use crate::workspace::Workspace;

/// How large the drawing is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneSize {
    /// Points of the lanes area, without headers.
    pub width: f32,
    pub height: f32,
    pub pixels_per_point: f32,
}

/// The drawing.
#[derive(Clone, Debug)]
pub struct Scene {
    pub size: SceneSize,
    pub axis: Axis,
    pub ticks: Vec<Tick>,
    /// What the ruler counts from: `Step 13`, `Run`.
    pub origin: String,
    pub steps: Vec<StepBox>,
    /// Pinned ones first.
    pub lanes: Vec<LaneBox>,
    pub pinned_count: usize,
    /// Points from the top that pinned lanes take.
    pub pinned_height: f32,
    /// Launch of the selected work, or the works of the selected launch.
    pub links: Vec<LinkLine>,
}

/// A step on the ruler's lane.
#[derive(Clone, Debug, PartialEq)]
pub struct StepBox {
    pub number: u64,
    pub x: [f32; 2],
    pub dur: Dur,
}

/// A lane that is at least partly in view.
#[derive(Clone, Debug)]
pub struct LaneBox {
    pub lane: Lane,
    /// Top, in points from the top of the lanes area.
    pub y: f32,
    pub busy: Busy,
    pub rows: Vec<RowBox>,
    /// Overlap band or heat row: one entry per pixel column.
    pub shares: Vec<Shares>,
    pub counter: Option<CounterBox>,
}

/// The figure at the right of a header.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Busy {
    /// Nothing to say: no GPU row.
    None,
    /// Share of the view, 0 to 1.
    Share(f64),
    /// Of a device: its parts, which add up to the view.
    Parts(Parts),
}

/// One sub-lane of a lane.
#[derive(Clone, Debug)]
pub struct RowBox {
    pub track: TrackId,
    pub depth: u16,
    /// Points from the top of the lane.
    pub y: f32,
    pub height: f32,
    pub content: Content,
}

/// From a launch to its work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkLine {
    pub launch: SpanRef,
    pub work: SpanRef,
    /// Start of the call and of the work, in points; may lie outside.
    pub x: [f32; 2],
    /// Middle of each end's row, or of the lane into which it is folded, where that is in view.
    pub y: [Option<f32>; 2],
    pub delay: Dur,
}

/// Draws `view`.
pub fn scene(view: &View, workspace: &Workspace, outline: &Outline, size: SceneSize) -> Scene {
    let run = workspace.run();
    let axis = Axis::new(view.stretch(), size.width);
    let placed = visible(view, size.height);
    let under = view.pinned_height();
    let pinned_count = view.pinned().iter().filter(|it| it.top < under).count();
    let lanes: Vec<LaneBox> = placed
        .par_iter()
        .map(|(lane, y)| lane_box(lane, *y, workspace, outline, &axis, size))
        .collect();
    let (origin, origin_ns) = origin(workspace, &axis);
    let links = links(view, run, &lanes, &axis);
    Scene {
        size,
        axis,
        ticks: ticks(&axis, origin_ns),
        origin,
        steps: step_boxes(workspace, &axis),
        pinned_count,
        pinned_height: under,
        lanes,
        links,
    }
}

impl Scene {
    /// Lanes above the others.
    pub fn pinned(&self) -> &[LaneBox] {
        &self.lanes[..self.pinned_count]
    }

    /// Lanes that scroll.
    pub fn scrolled(&self) -> &[LaneBox] {
        &self.lanes[self.pinned_count..]
    }
}

/// Lanes that touch the area with their tops, pinned ones first.
fn visible(view: &View, height: f32) -> Vec<(&Lane, f32)> {
    let under = view.pinned_height();
    let pinned = view.pinned().iter().take_while(|it| it.top < under);
    let (from, to) = (view.scroll(), view.scroll() + height - under);
    let lanes = view.lanes();
    let first = lanes.partition_point(|it| it.bottom() <= from);
    let rest = lanes[first..].iter().take_while(|it| it.top < to);
    let placed = pinned.map(|it| (it, it.top));
    placed
        .chain(rest.map(|it| (it, under + it.top - from)))
        .collect()
}

fn lane_box(
    lane: &Lane,
    y: f32,
    workspace: &Workspace,
    outline: &Outline,
    axis: &Axis,
    size: SceneSize,
) -> LaneBox {
    let run = workspace.run();
    let trace = lane.key.trace();
    let index = workspace.index().trace(trace);
    let range = run.trace_range(trace, axis.stretch.range());
    let mut out = LaneBox {
        lane: lane.clone(),
        y,
        busy: Busy::None,
        rows: Vec::new(),
        shares: Vec::new(),
        counter: None,
    };
    let columns = columns(axis, size.pixels_per_point);
    match lane.key {
        LaneKey::Rank(_) => {
            let devices = run.trace(trace).devices();
            if let [device] = devices.as_slice() {
                out.busy = Busy::Parts(index.parts(*device, range));
            }
            if lane.is_heat {
                out.shares = mean_shares(workspace, &[trace], axis.stretch, columns);
            }
        }
        LaneKey::Device(_, device) => out.busy = Busy::Parts(index.parts(device, range)),
        LaneKey::Band(_, device) => {
            index.shares(device, range, columns, &mut out.shares);
        }
        LaneKey::Track(_, track) => {
            let data = run.trace(trace).track(track);
            if data.key.role == Role::Work {
                out.busy = Busy::Share(share(index.busy(track, range), range));
            }
            out.rows = rows(lane, run, index, trace, track, axis, size);
        }
        LaneKey::Threads(_) | LaneKey::Others(_) if lane.open == Some(false) => {
            let tracks = match lane.key {
                LaneKey::Threads(_) => &outline.of(trace).threads,
                _ => &outline.of(trace).others,
            };
            out.rows = union_row(lane, tracks, index, range, columns);
        }
        LaneKey::Threads(_) | LaneKey::Others(_) => {}
        LaneKey::Counter(_, number) => out.counter = counter_box(run, trace, number, axis, columns),
    }
    out
}

fn rows(
    lane: &Lane,
    run: &Run,
    index: &crate::index::TraceIndex,
    trace: TraceId,
    track: TrackId,
    axis: &Axis,
    size: SceneSize,
) -> Vec<RowBox> {
    let height =
        (lane.height - if lane.level == 2 { 2.0 } else { 0.0 }) / f32::from(lane.shown_rows.max(1));
    (0..lane.shown_rows)
        .filter_map(|depth| {
            let row = index.row(track, depth)?;
            let content = content(run, index, trace, &row, axis, size.pixels_per_point);
            Some(RowBox {
                track,
                depth,
                y: height * f32::from(depth),
                height,
                content,
            })
        })
        .collect()
}

/// Rows of one strip: more tell nothing more.
const UNION_ROWS_MAX: usize = 96;

/// The activity of several tracks as one strip, in which height is how much goes on at once: all their
/// rows, nested ones too, added up. It is a sketch that shows change: the quietest twentieth of the
/// busy columns is a quarter high, the fullest column is full. The ink is the innermost's.
fn union_row(
    lane: &Lane,
    tracks: &[TrackId],
    index: &crate::index::TraceIndex,
    range: TimeRange,
    columns: usize,
) -> Vec<RowBox> {
    let mut sums = vec![0_u32; columns];
    let mut inner: Vec<Texel> = vec![Texel::EMPTY; columns];
    let mut one = Vec::with_capacity(columns);
    let rows = tracks.iter().flat_map(|it| index.rows_of(*it));
    for row in rows.take(UNION_ROWS_MAX).filter_map(|it| index.row_of(it)) {
        index.strip(&row, range, columns, &mut one);
        for ((sum, into), from) in sums.iter_mut().zip(&mut inner).zip(&one) {
            *sum += u32::from(from.occupancy);
            if from.occupancy > 0 {
                *into = *from;
            }
        }
    }
    let Some(track) = tracks.first() else {
        return Vec::new();
    };
    let mut busy: Vec<u32> = sums.iter().copied().filter(|it| *it > 0).collect();
    busy.sort_unstable();
    let least = busy.get(busy.len() / 20).copied().unwrap_or(0);
    let most = busy.last().copied().unwrap_or(0);
    for (texel, sum) in inner.iter_mut().zip(sums) {
        let above = sum.saturating_sub(least) * 191;
        let height = match most - least {
            _ if sum == 0 => 0,
            0 => 128,
            whole => 64 + above.div_ceil(whole),
        };
        texel.occupancy = u8::try_from(height).unwrap_or(u8::MAX);
    }
    vec![RowBox {
        track: *track,
        depth: 0,
        y: 0.0,
        height: lane.height,
        content: Content::Strip(inner),
    }]
}

fn share(part: Dur, range: TimeRange) -> f64 {
    part.0 as f64 / (range.len().0 as f64).max(1.0)
}

/// The start of the step under the left third of the view, else the run's start.
fn origin(workspace: &Workspace, axis: &Axis) -> (String, f64) {
    let third = axis.time_from_x(axis.width / 3.0);
    let step = workspace
        .steps()
        .iter()
        .rev()
        .find(|it| it.range.contains(third));
    match step {
        Some(step) => (format!("Step {}", step.number), step.range.start.0 as f64),
        None => ("Run".to_owned(), 0.0),
    }
}

fn step_boxes(workspace: &Workspace, axis: &Axis) -> Vec<StepBox> {
    let view = axis.stretch.range();
    let touches = workspace
        .steps()
        .iter()
        .filter(|it| !it.range.intersect(view).is_empty());
    let boxed = touches.map(|it| StepBox {
        number: it.number,
        x: [
            axis.x_from_time(it.range.start),
            axis.x_from_time(it.range.end),
        ],
        dur: it.range.len(),
    });
    // Steps thinner than a point cannot be told apart.
    let boxed: Vec<StepBox> = boxed.take(20_000).collect();
    if boxed.len() > columns(axis, 1.0) {
        Vec::new()
    } else {
        boxed
    }
}

/// The whole run at a glance: the mean over all devices, one entry per pixel column; empty without GPU
/// work. It depends on the run and the width alone, so whoever draws keeps it.
pub fn overview(workspace: &Workspace, size: SceneSize) -> Vec<Shares> {
    let run = workspace.run();
    let traces: Vec<TraceId> = run
        .trace_ids()
        .filter(|it| !run.trace(*it).devices().is_empty())
        .collect();
    let axis = Axis::new(Stretch::of(run.extent()), size.width);
    mean_shares(
        workspace,
        &traces,
        axis.stretch,
        columns(&axis, size.pixels_per_point),
    )
}

/// The mean of the shares of every device of `traces`.
fn mean_shares(
    workspace: &Workspace,
    traces: &[TraceId],
    stretch: Stretch,
    columns: usize,
) -> Vec<Shares> {
    let run = workspace.run();
    let mut sums = vec![[0_u32; 4]; columns];
    let mut count = 0_u32;
    let mut one = Vec::with_capacity(columns);
    for trace in traces {
        let range = run.trace_range(*trace, stretch.range());
        for device in run.trace(*trace).devices() {
            one.clear();
            workspace
                .index()
                .trace(*trace)
                .shares(device, range, columns, &mut one);
            for (sum, it) in sums.iter_mut().zip(&one) {
                let parts = [
                    it.compute_alone,
                    it.overlapped,
                    it.exposed_communication,
                    it.exposed_copy,
                ];
                for (sum, part) in sum.iter_mut().zip(parts) {
                    *sum += u32::from(part);
                }
            }
            count += 1;
        }
    }
    if count == 0 {
        return Vec::new();
    }
    let mean = |it: u32| u8::try_from(it.div_ceil(count).min(255)).unwrap_or(u8::MAX);
    let shares = sums.into_iter().map(|[a, b, c, d]| Shares {
        compute_alone: mean(a),
        overlapped: mean(b),
        exposed_communication: mean(c),
        exposed_copy: mean(d),
    });
    shares.collect()
}

/// Works of one launch that are looked at: a graph launches hundreds.
const LINKS_MAX: usize = 4096;
/// Points from one line's end to the next: nearer ones would be a slab.
const LINKS_APART: f32 = 8.0;

/// The lines between the selected span and the other ends of its launch. Of those that lie out of
/// view only the first is told, of those that lie together one.
fn links(view: &View, run: &Run, lanes: &[LaneBox], axis: &Axis) -> Vec<LinkLine> {
    let Some(at) = view.selection() else {
        return Vec::new();
    };
    let trace = run.trace(at.trace);
    let pairs: Vec<(SpanId, SpanId)> = if let Some(launch) = trace.span(at.span).launch {
        vec![(launch, at.span)]
    } else {
        let works = trace.launched_by(at.span).iter().take(LINKS_MAX);
        works.map(|it| (at.span, *it)).collect()
    };
    let refer = |span: SpanId| SpanRef {
        trace: at.trace,
        span,
    };
    let start = |span: SpanId| run.range_of(refer(span)).start;
    let line = |(launch, work): (SpanId, SpanId)| LinkLine {
        launch: refer(launch),
        work: refer(work),
        x: [launch, work].map(|it| axis.x_from_time(start(it))),
        y: [launch, work].map(|it| middle_of_row(run, lanes, refer(it))),
        delay: start(work).since(start(launch)),
    };
    let is_in_view = |it: &LinkLine| {
        it.y.iter().all(Option::is_some) && it.x.iter().all(|x| (0.0..=axis.width).contains(x))
    };
    let mut lines: Vec<LinkLine> = pairs.into_iter().map(line).collect();
    let (mut number, mut last) = (0, f32::MIN);
    lines.retain(|it| {
        number += 1;
        let kept = number == 1 || is_in_view(it) && it.x[1] - last >= LINKS_APART;
        if kept {
            last = it.x[1];
        }
        kept
    });
    lines
}

fn middle_of_row(run: &Run, lanes: &[LaneBox], at: SpanRef) -> Option<f32> {
    if let Some((lane, row)) = row_of(run, lanes, at) {
        return Some(lane.y + row.y + row.height / 2.0);
    }
    let trace = run.trace(at.trace);
    let track = trace.track_of(at.span);
    // Below the rows that are shown, or folded into the lane of all threads.
    let lane = |key: LaneKey| lanes.iter().find(|it| it.lane.key == key);
    if let Some(own) = lane(LaneKey::Track(at.trace, track)) {
        return Some(own.y + own.lane.height);
    }
    if trace.track(track).key.role != Role::Cpu {
        return None;
    }
    let folded = lane(LaneKey::Threads(at.trace)).filter(|it| it.lane.open == Some(false))?;
    Some(folded.y + folded.lane.height / 2.0)
}

/// Where a span's row is drawn, if it is.
pub fn row_of<'a>(
    run: &Run,
    lanes: &'a [LaneBox],
    at: SpanRef,
) -> Option<(&'a LaneBox, &'a RowBox)> {
    let trace = run.trace(at.trace);
    let (track, depth) = (trace.track_of(at.span), trace.span(at.span).depth);
    let lane = lanes
        .iter()
        .find(|it| it.lane.key == LaneKey::Track(at.trace, track))?;
    Some((lane, lane.rows.iter().find(|it| it.depth == depth)?))
}
