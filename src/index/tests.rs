//! The index against plain linear scans over random traces of several shapes.

use std::sync::Arc;

use proptest::prelude::*;

use crate::base::{Dur, Intervals, Job, Time, TimeRange};
use crate::index::columns::Columns;
use crate::index::density::LEAST;
use crate::index::run_index::Index;
use crate::index::trace_index::TraceIndex;
use crate::index::{Ink, Row, Shares, Texel};
use crate::model::{
    Batch, Clock, Flags, Kind, Ledger, Member, NameId, Role, RowId, Run, SpanId, SpanRef,
    TraceBuilder, TraceId, TrackKey,
};

const NAMES: [&str; 4] = [
    "ampere_sgemm_128x64_tn",
    "ncclDevKernel_AllReduce_Sum_f32_RING_LL",
    "some_kernel",
    "flash_fwd_kernel",
];
const ONLY: TraceId = TraceId(0);
const STREAM: u32 = 0;

/// A small source of numbers, so that traces of thousands of spans are cheap to draw.
#[derive(Clone, Copy)]
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: i64) -> i64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        i64::try_from((self.0 >> 1) % u64::try_from(n).unwrap()).unwrap()
    }
}

/// How a random trace is laid out.
#[derive(Clone, Copy, Debug)]
enum Shape {
    Scattered,
    /// One after the other, as on a stream.
    InLine,
    /// Tight clusters, far apart.
    Clusters,
    OneInstant,
    /// In line, with one span over everything.
    Giant,
    /// Crossing and nested on few rows.
    Crossing,
}

#[derive(Clone, Debug)]
struct Plan {
    seed: u64,
    count: usize,
    shape: Shape,
    base: i64,
    fractions: bool,
}

fn plans(most: usize) -> impl Strategy<Value = Plan> {
    use Shape::{Clusters, Crossing, Giant, InLine, OneInstant, Scattered};
    let shape = prop::sample::select(vec![
        Scattered, InLine, Clusters, OneInstant, Giant, Crossing,
    ]);
    let base = prop::sample::select(vec![
        0,
        17,
        -40_000,
        1_700_000_000_000_000_000,
        -9_000_000_000_000_000_000,
    ]);
    (1_u64.., 0..most, shape, base, any::<bool>()).prop_map(
        |(seed, count, shape, base, fractions)| Plan {
            seed,
            count,
            shape,
            base,
            fractions,
        },
    )
}

fn key(row: u32) -> TrackKey {
    let (role, device) = match row {
        0 | 1 => (Role::Work, Some(0)),
        2 => (Role::Work, Some(1)),
        3 => (Role::Cpu, None),
        _ => (Role::Async, None),
    };
    TrackKey {
        role,
        device,
        process: RowId::Number(1),
        thread: RowId::Number(i64::from(row)),
    }
}

fn draw(plan: &Plan) -> Batch {
    let mut dice = Dice(plan.seed);
    let mut batch = Batch {
        names: NAMES.map(str::to_owned).to_vec(),
        tracks: (0..5).map(key).collect(),
        has_fractions: plan.fractions,
        ..Batch::default()
    };
    let mut at = 0;
    for i in 0..plan.count {
        let (start, dur) = match plan.shape {
            Shape::Scattered => (dice.below(100_000), dice.below(60)),
            Shape::InLine | Shape::Giant => (at + dice.below(3) * dice.below(30), dice.below(90)),
            Shape::Clusters => (
                at + if dice.below(300) == 0 {
                    9_000_000_000
                } else {
                    0
                },
                dice.below(20),
            ),
            Shape::OneInstant => (500, dice.below(3) * dice.below(2)),
            Shape::Crossing => (dice.below(3_000), dice.below(900)),
        };
        let row = if dice.below(4) == 0 {
            dice.below(5)
        } else {
            i64::from(STREAM)
        };
        let giant = matches!(plan.shape, Shape::Giant) && i == plan.count / 7;
        at = start + dur;
        let row = u32::try_from(row).unwrap();
        let kind = match (row, dice.below(6)) {
            (0..=2, 0) => Kind::Memcpy,
            (0..=2, _) => Kind::Kernel,
            (3, 0) => Kind::Python,
            (3, _) => Kind::CpuOp,
            _ => Kind::Async,
        };
        let spans = &mut batch.spans;
        spans.start.push(plan.base + start);
        spans.dur.push(if giant { 1_000_000 } else { dur });
        spans
            .name
            .push(NameId(u32::try_from(dice.below(4)).unwrap()));
        spans.track.push(row);
        spans.kind.push(kind);
        spans.flags.push(Flags::default());
        spans.at.push(i as u64);
    }
    batch
}

fn run_of(batch: Batch) -> Run {
    let mut builder = TraceBuilder::default();
    builder.append(batch);
    let trace = Arc::new(builder.finish(&Job::default()).unwrap());
    let clock = Clock {
        offset: Dur(123),
        drift: 0.0,
        island: 0,
    };
    let member = Member {
        trace,
        rank: None,
        clock,
        file: "a.json".into(),
        bytes: 0,
    };
    Run::from_members(
        "a".into(),
        vec![member],
        Vec::new(),
        &Ledger::default(),
        None,
    )
}

fn indexed(plan: &Plan) -> (Run, Index) {
    let run = run_of(draw(plan));
    let index = Index::build(&run, &Job::default()).unwrap();
    (run, index)
}

fn rows(index: &TraceIndex) -> impl Iterator<Item = Row<'_>> {
    (0..).map_while(|it| index.row_of(it))
}

#[expect(clippy::cast_possible_truncation, reason = "a float cast saturates")]
fn part_of(ns: i64, share: f64) -> i64 {
    (ns as f64 * share) as i64
}

fn signed(count: usize) -> i64 {
    i64::try_from(count).unwrap()
}

/// A range over, within or beyond a trace, by two shares of its extent.
fn range_in(run: &Run, from: f64, len: f64) -> TimeRange {
    let all = run.trace(ONLY).extent().unwrap_or_default();
    let of = |share: f64| Dur(part_of(all.len().0, share));
    TimeRange::from_start(all.start.plus(of(from)), Dur(of(len).0 + 1))
}

fn ranges() -> impl Strategy<Value = (f64, f64)> {
    let len = prop_oneof![Just(1.3), 0.0..1.0_f64, 0.0..0.02_f64, Just(0.0)];
    (-0.1..1.1_f64, len)
}

fn touches(it: TimeRange, range: TimeRange) -> bool {
    it.start < range.end && (it.end > range.start || it.start >= range.start)
}

fn exact_range(run: &Run, id: SpanId) -> TimeRange {
    run.trace(ONLY).span(id).range()
}

/// The range of a span as unions count it.
fn counted(run: &Run, id: SpanId) -> TimeRange {
    let trace = run.trace(ONLY);
    let range = exact_range(run, id);
    if !trace.span(id).flags.has(Flags::IMPOSSIBLE) {
        return range;
    }
    let track = trace.track(trace.track_of(id));
    let next = track
        .span_ids()
        .map(|it| trace.span(it).start)
        .find(|it| *it > range.start);
    TimeRange::new(range.start, next.map_or(range.end, |it| it.min(range.end)))
}

fn covered(ranges: impl Iterator<Item = TimeRange>, window: TimeRange) -> i64 {
    Intervals::from_unsorted(ranges.map(|it| it.intersect(window)).collect())
        .total()
        .0
}

/// Whether a span touches column `c`, in integers.
fn in_column(it: TimeRange, range: TimeRange, columns: usize, c: i128) -> bool {
    let (columns, ns) = (columns as i128, i128::from(range.len().0));
    let x = |time: Time| i128::from(time.0 - range.start.0) * columns;
    let least = ns >> 31;
    touches(it, range) && x(it.start.max(range.start)) < (c + 1) * ns && {
        let end = x(it.end);
        end > c * ns + least || (it.is_empty() && x(it.start) >= c * ns)
    }
}

fn ink_of(run: &Run, id: SpanId) -> Ink {
    let trace = run.trace(ONLY);
    match trace.track(trace.track_of(id)).key.role {
        Role::Work => Ink::Class(run.class_of(SpanRef {
            trace: ONLY,
            span: id,
        })),
        _ => Ink::Kind(trace.span(id).kind),
    }
}

fn check_strip(
    run: &Run,
    index: &TraceIndex,
    range: TimeRange,
    columns: usize,
) -> Result<(), TestCaseError> {
    let mut strip = Vec::new();
    for row in rows(index) {
        index.strip(&row, range, columns, &mut strip);
        prop_assert_eq!(strip.len(), columns);
        let spans: Vec<(TimeRange, Ink)> = row
            .ids()
            .iter()
            .map(|it| (exact_range(run, *it), ink_of(run, *it)))
            .collect();
        let by_spans =
            row.ids().len() < LEAST || Columns::new(range, columns).unwrap().log2_ns().is_none();
        for (c, texel) in (0..).zip(&strip) {
            let inks = |c: i128| {
                spans
                    .iter()
                    .filter(move |it| in_column(it.0, range, columns, c))
                    .map(|it| it.1)
            };
            if by_spans {
                prop_assert_eq!(
                    texel.occupancy > 0,
                    inks(c).next().is_some(),
                    "column {}",
                    c
                );
            }
            if texel.occupancy > 0 {
                let near = (c - 1..=c + 1).flat_map(inks).any(|it| it == texel.ink);
                // At the border of the range a bin may hold a span that lies just outside.
                prop_assert!(near || c == 0 || c + 1 == columns as i128, "column {}", c);
            } else {
                prop_assert!(inks(c).next().is_none(), "column {} is not idle", c);
            }
        }
    }
    Ok(())
}

/// On columns that are whole bins, occupancy and shares are exact but for rounding.
fn check_aligned(
    run: &Run,
    index: &TraceIndex,
    log2: u32,
    columns: usize,
) -> Result<(), TestCaseError> {
    let Some(extent) = run.trace(ONLY).extent() else {
        return Ok(());
    };
    let start = extent.start.0 >> (log2 + 6) << (log2 + 6);
    let width = 1_i64 << log2;
    let range = TimeRange::from_start(Time(start), Dur(width * signed(columns)));
    let column = |c: usize| TimeRange::from_start(Time(start + width * signed(c)), Dur(width));
    let mut strip: Vec<Texel> = Vec::new();
    for row in rows(index).filter(|it| it.lead() == 0) {
        index.strip(&row, range, columns, &mut strip);
        for (c, texel) in strip.iter().enumerate() {
            let want = covered(row.ids().iter().map(|it| exact_range(run, *it)), column(c)) as f64;
            let got = f64::from(texel.occupancy) / 255.0;
            prop_assert!(
                (got - want / width as f64).abs() < 0.008,
                "column {}: {} of {}",
                c,
                got,
                want
            );
            // Columns wider than the widest bins have the ink of most bins, not of most time.
            let reach = row.start(row.ids().len() - 1) - row.start(0);
            if row.ids().len() >= LEAST && reach < 64 * width {
                continue;
            }
            let time = |ink: Ink| {
                let same = row.ids().iter().filter(|it| ink_of(run, **it) == ink);
                covered(same.map(|it| exact_range(run, *it)), column(c))
            };
            let most = row
                .ids()
                .iter()
                .map(|it| time(ink_of(run, *it)))
                .max()
                .unwrap_or(0);
            prop_assert!(
                want == 0.0 || time(texel.ink) * 1000 >= most * 999,
                "ink of column {}",
                c
            );
        }
    }
    let mut shares: Vec<Shares> = Vec::new();
    for device in run.trace(ONLY).devices() {
        index.shares(device, range, columns, &mut shares);
        for (c, it) in shares.iter().enumerate() {
            let parts = index.parts(device, column(c));
            let got = [
                it.compute_alone,
                it.overlapped,
                it.exposed_communication,
                it.exposed_copy,
                it.idle(),
            ];
            let want = [
                parts.compute_alone,
                parts.overlapped,
                parts.exposed_communication,
                parts.exposed_copy,
                parts.idle,
            ];
            for (got, want) in got.into_iter().zip(want) {
                let off = f64::from(got) / 255.0 - want.0 as f64 / width as f64;
                prop_assert!(
                    off.abs() < 0.013,
                    "column {}: {:?} of {:?}",
                    c,
                    shares[c],
                    parts
                );
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn rows_hold_every_span_once_by_depth_and_start(plan in plans(1500), (from, len) in ranges()) {
        let (run, index) = indexed(&plan);
        let (trace, index) = (run.trace(ONLY), index.trace(ONLY));
        let range = range_in(&run, from, len);
        let mut seen = 0;
        for row in rows(index) {
            seen += row.ids().len();
            let depth = trace.span(row.ids()[0]).depth;
            prop_assert_eq!(index.row(row.track(), depth).unwrap().ids(), row.ids());
            prop_assert!(row.ids().iter().all(|it| trace.span(*it).depth == depth));
            prop_assert!(row.ids().is_sorted());
            let inside: Vec<SpanId> =
                row.ids().iter().copied().filter(|it| touches(exact_range(&run, *it), range)).collect();
            let got = row.spans_in(range);
            let tight = |it: &SpanId| touches(exact_range(&run, *it), range);
            prop_assert!(got.first().is_none_or(tight));
            let got: Vec<SpanId> = got.iter().copied().filter(tight).collect();
            prop_assert_eq!(got, inside);
        }
        prop_assert_eq!(seen, trace.spans().len());
    }

    #[test]
    fn window_equals_a_linear_scan(plan in plans(1500), (from, len) in ranges(), low in 0_u32..8, count in 0_u32..9) {
        let (run, index) = indexed(&plan);
        let index = index.trace(ONLY);
        let range = range_in(&run, from, len);
        let blocks = index.window(range, low..low + count);
        prop_assert!(blocks.is_sorted_by_key(|it| (it.row, it.positions.start)));
        let mut want = Vec::new();
        for row in rows(index).filter(|it| (low..low + count).contains(&it.number())) {
            for (number, ids) in row.ids().chunks(256).enumerate() {
                let hull = ids.iter().map(|it| exact_range(&run, *it)).reduce(TimeRange::hull).unwrap();
                if hull.start < range.end && hull.end >= range.start {
                    want.push((row.number(), number * 256..number * 256 + ids.len(), hull));
                }
            }
        }
        let got: Vec<_> = blocks.into_iter().map(|it| (it.row, it.positions, it.hull)).collect();
        prop_assert_eq!(got, want);
    }

    #[test]
    fn pick_equals_a_linear_scan(plan in plans(1500), at in -0.1..1.1_f64, slack in 0_i64..3000) {
        let (run, index) = indexed(&plan);
        let index = index.trace(ONLY);
        let time = range_in(&run, at, 0.0).start;
        for row in rows(index) {
            let rank = |id: SpanId| {
                let it = exact_range(&run, id);
                let covers = it.contains(time) || it.start == time;
                let away = (it.start.0 - time.0).max(time.0 - it.end.0).max(0);
                (covers || away <= slack).then_some((covers, -away, it.start, id))
            };
            let want = row.ids().iter().filter_map(|it| rank(*it)).max();
            prop_assert_eq!(index.pick(&row, time, Dur(slack)), want.map(|it| it.3));
        }
    }

    #[test]
    fn a_column_is_idle_only_where_no_span_touches_it(plan in plans(1200), (from, len) in ranges(), columns in 1_usize..90) {
        let (run, index) = indexed(&plan);
        check_strip(&run, index.trace(ONLY), range_in(&run, from, len), columns)?;
    }

    #[test]
    fn whole_bins_give_exact_occupancy_and_shares(plan in plans(1200), log2 in 0_u32..14, columns in 1_usize..70) {
        let (run, index) = indexed(&plan);
        check_aligned(&run, index.trace(ONLY), log2, columns)?;
    }

    #[test]
    fn busy_and_parts_equal_unions(plan in plans(1500), (from, len) in ranges()) {
        let (run, index) = indexed(&plan);
        let (trace, index) = (run.trace(ONLY), index.trace(ONLY));
        let range = range_in(&run, from, len);
        for track in trace.track_ids() {
            let want = covered(trace.track(track).span_ids().map(|it| counted(&run, it)), range);
            prop_assert_eq!(index.busy(track, range), Dur(want));
        }
        for device in trace.devices() {
            let work = |of: &dyn Fn(Ink) -> bool| {
                let tracks = trace.work_tracks().filter(|it| it.1.key.device == Some(device));
                let ids = tracks.flat_map(|it| it.1.span_ids()).filter(|it| of(ink_of(&run, *it)));
                covered(ids.map(|it| counted(&run, it)), range)
            };
            let is_compute = |it: Ink| matches!(it, Ink::Class(class) if class.is_compute());
            let is_communication = |it: Ink| it == Ink::Class(crate::model::Class::Communication);
            let (a, b) = (work(&is_compute), work(&is_communication));
            let (ab, abc) = (work(&|it| is_compute(it) || is_communication(it)), work(&|_| true));
            let got = index.parts(device, range);
            prop_assert_eq!(got.overlapped, Dur(a + b - ab));
            prop_assert_eq!(got.compute_alone.plus(got.overlapped), Dur(a));
            prop_assert_eq!(got.exposed_communication, Dur(ab - a));
            prop_assert_eq!(got.exposed_copy, Dur(abc - ab));
            prop_assert_eq!(got.idle, Dur(range.len().0 - abc));
        }
    }

    #[test]
    fn shares_at_any_zoom_add_up_to_the_parts(plan in plans(1500), (from, len) in ranges(), columns in 1_usize..200) {
        let (run, index) = indexed(&plan);
        let index = index.trace(ONLY);
        let range = range_in(&run, from, len);
        let mut shares = Vec::new();
        for device in run.trace(ONLY).devices() {
            index.shares(device, range, columns, &mut shares);
            prop_assert_eq!(shares.len(), columns);
            let parts = index.parts(device, range);
            let mean = |of: fn(&Shares) -> u8| shares.iter().map(|it| f64::from(of(it))).sum::<f64>() / 255.0;
            let share = |it: Dur| it.0 as f64 / range.len().0 as f64 * columns as f64;
            // Bins at the border of the range are cut as if they were even; thin columns share ns.
            let limit = columns as f64 * 0.012 + 2.0 + if range.len().0 < signed(columns) { columns as f64 } else { 0.0 };
            prop_assert!((mean(|it| it.compute_alone) - share(parts.compute_alone)).abs() < limit);
            prop_assert!((mean(|it| it.overlapped) - share(parts.overlapped)).abs() < limit);
            prop_assert!((mean(|it| it.exposed_communication) - share(parts.exposed_communication)).abs() < limit);
            prop_assert!((mean(|it| it.exposed_copy) - share(parts.exposed_copy)).abs() < limit);
            prop_assert!((mean(|it| it.idle()) - share(parts.idle)).abs() < limit);
        }
    }
}

/// Spans on one stream: `burst` of them back to back, then a pause, over and over.
fn bursts(count: i64, burst: i64, pause: i64) -> (Run, Index) {
    let mut batch = Batch {
        names: NAMES.map(str::to_owned).to_vec(),
        tracks: vec![key(STREAM)],
        has_fractions: true,
        ..Batch::default()
    };
    for i in 0..count {
        batch
            .spans
            .start
            .push(1_700_000_000_000_000_000 + i * 1_000 + i / burst * pause);
        batch.spans.dur.push(900);
        batch.spans.name.push(NameId(u32::try_from(i % 4).unwrap()));
        batch.spans.track.push(0);
        batch.spans.kind.push(Kind::Kernel);
        batch.spans.flags.push(Flags::default());
        batch.spans.at.push(0);
    }
    let run = run_of(batch);
    let index = Index::build(&run, &Job::default()).unwrap();
    (run, index)
}

#[test]
fn the_work_of_a_query_does_not_grow_with_the_trace() {
    let columns = 400;
    for (burst, pause) in [(i64::MAX, 0), (1_000, 90_000_000), (40, 70_000)] {
        for count in [15_000, 150_000] {
            let (run, index) = bursts(count, burst, pause);
            let index = index.trace(ONLY);
            let all = run.trace(ONLY).extent().unwrap();
            for zoom in 0..40 {
                let len = Dur((all.len().0 >> zoom).max(1));
                let range = TimeRange::from_start(all.start.plus(Dur(all.len().0 / 3)), len);
                let read = index.strip(&index.row_of(0).unwrap(), range, columns, &mut Vec::new());
                assert!(
                    read <= 8 * columns + 400,
                    "strip of {count} at zoom {zoom} reads {read}"
                );
                let read = index.shares(0, range, columns, &mut Vec::new());
                assert!(
                    read <= 24 * columns + 1_600,
                    "shares of {count} at zoom {zoom} reads {read}"
                );
            }
        }
    }
}

#[test]
fn thread_count_changes_nothing() {
    let plan = Plan {
        seed: 5,
        count: 4_000,
        shape: Shape::Clusters,
        base: 9,
        fractions: false,
    };
    let run = run_of(draw(&plan));
    let built = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| format!("{:?}", Index::build(&run, &Job::default()).unwrap()))
    };
    assert!(built(1) == built(4));
}

#[test]
fn a_cancelled_build_says_so() {
    let plan = Plan {
        seed: 5,
        count: 100,
        shape: Shape::InLine,
        base: 0,
        fractions: false,
    };
    let job = Job::default();
    job.cancel();
    assert!(Index::build(&run_of(draw(&plan)), &job).is_err());
}

#[test]
fn a_run_without_spans_has_an_empty_index() {
    let run = run_of(Batch::default());
    let index = Index::build(&run, &Job::default()).unwrap();
    let index = index.trace(ONLY);
    assert!(index.row_of(0).is_none());
    let range = TimeRange::new(Time(0), Time(10));
    assert!(index.window(range, 0..4).is_empty());
    assert_eq!(index.parts(0, range).idle, Dur(10));
}

#[test]
fn what_lies_between_two_thick_spans_is_seen_at_every_zoom() {
    let (run, index) = bursts(20_000, 1, 1_000_000);
    let index = index.trace(ONLY);
    let all = run.trace(ONLY).extent().unwrap();
    let mut strip = Vec::new();
    for columns in [1, 7, 100, 1920] {
        for zoom in 0..12 {
            let range = TimeRange::from_start(all.start, Dur(all.len().0 >> zoom));
            index.strip(&index.row_of(0).unwrap(), range, columns, &mut strip);
            let spans = index.row_of(0).unwrap().spans_in(range).len();
            let seen = strip.iter().filter(|it| it.occupancy > 0).count();
            assert!(
                seen >= spans.min(columns),
                "{seen} of {spans} in {columns} columns"
            );
        }
    }
}
