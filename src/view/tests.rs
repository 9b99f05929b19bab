//! Laws of the view, and scenes as text: what is drawn where, without a window.

use std::fmt::Write as _;

use proptest::prelude::*;

use crate::base::{Time, TimeRange};
use crate::model::{SpanId, SpanRef, TraceId};
use crate::view::{
    Bars, Busy, Content, Hit, LaneHeights, LaneKey, Outline, Scene, SceneSize, Stretch, View,
    ViewCommand, scene,
};
use crate::workspace::Workspace;

const STEP: &str = "
rank 0
  step       1111111111222222
  thread 1   OOOOOOOO........
  thread 1   .ab.............
  stream 7   ...AAAA..BBBB...
  stream 20  ......NNNNNN....
";

const OTHER_RANK: &str = "
rank 1
  stream 7   A...............
";

struct Stand {
    workspace: Workspace,
    outline: Outline,
    view: View,
}

impl Stand {
    fn new(workspace: Workspace) -> Self {
        let outline = Outline::of_run(workspace.run());
        let mut view = View::of_run(workspace.run(), &outline, &LaneHeights::default());
        view.set_lanes_height(400.0);
        Self {
            workspace,
            outline,
            view,
        }
    }

    fn drawn(drawing: &str) -> Self {
        Self::new(Workspace::drawn(drawing))
    }

    fn apply(&mut self, command: ViewCommand) -> Stretch {
        let heights = LaneHeights::default();
        self.view
            .apply(command, &self.workspace, &self.outline, &heights);
        self.view.stretch()
    }

    /// 16 points a character where the whole run of 16 is shown.
    fn scene(&self) -> Scene {
        let size = SceneSize {
            width: 256.0,
            height: 400.0,
            pixels_per_point: 1.0,
        };
        scene(&self.view, &self.workspace, &self.outline, size)
    }

    fn named(&self, name: &str) -> SpanRef {
        let trace = self.workspace.run().trace(TraceId(0));
        let mut ids = (0..trace.spans().len()).map(SpanId::from_index);
        let span = ids.find(|it| trace.name(*it) == name).unwrap();
        SpanRef {
            trace: TraceId(0),
            span,
        }
    }
}

/// A long run of 3 s in short: the length is the drawing's, the laws do not care.
fn long() -> Stand {
    Stand::drawn(&format!("stream 7 A{}B", ".".repeat(3000)))
}

fn near(a: Stretch, b: Stretch) -> bool {
    let scale = b.len_ns.max(b.start_ns.abs());
    (a.start_ns - b.start_ns).abs() <= scale * 1e-9 && (a.len_ns - b.len_ns).abs() <= scale * 1e-9
}

fn any_command() -> impl Strategy<Value = ViewCommand> {
    prop_oneof![
        (-1e7..1e7_f64, 1e-6..1e6_f64)
            .prop_map(|(about_ns, factor)| ViewCommand::Zoom { about_ns, factor }),
        (-100.0..100.0_f64).prop_map(|share| ViewCommand::Pan { share }),
        (-1e12..1e12_f64).prop_map(|ns| ViewCommand::PanBy { ns }),
        (any::<i64>(), any::<i64>())
            .prop_map(|(a, b)| ViewCommand::Show(TimeRange::new(Time(a), Time(b)))),
        (-5_000_000..5_000_000_i64, 0..5_000_000_i64, 0.01..1.0_f64).prop_map(
            |(start, len, share)| ViewCommand::Frame {
                range: TimeRange::new(Time(start), Time(start + len)),
                share,
            }
        ),
        Just(ViewCommand::WholeRun),
        Just(ViewCommand::FitSelection),
        (-1e5..1e5_f32).prop_map(|points| ViewCommand::Scroll { points }),
    ]
}

proptest! {
    #[test]
    fn zooming_in_and_out_again_returns(about in 0.2..0.8_f64, factor in 0.01..1.0_f64) {
        let mut stand = long();
        let before = stand.apply(ViewCommand::Zoom { about_ns: 1.5e6, factor: 0.3 });
        let about_ns = before.start_ns + about * before.len_ns;
        let there = stand.apply(ViewCommand::Zoom { about_ns, factor });
        prop_assert!(there.len_ns < before.len_ns);
        let share = (about_ns - there.start_ns) / there.len_ns;
        prop_assert!((share - about).abs() < 1e-9, "what is under the pointer stays");
        let back = stand.apply(ViewCommand::Zoom { about_ns, factor: 1.0 / factor });
        prop_assert!(near(back, before), "{before:?} {back:?}");
    }

    #[test]
    fn panning_there_and_back_returns(share in -2.0..2.0_f64) {
        let mut stand = long();
        let before = stand.apply(ViewCommand::Zoom { about_ns: 1.5e6, factor: 0.05 });
        stand.apply(ViewCommand::Pan { share });
        let back = stand.apply(ViewCommand::Pan { share: -share });
        prop_assert!(near(back, before), "{before:?} {back:?}");
        let ns = share * 1e5;
        stand.apply(ViewCommand::PanBy { ns });
        let back = stand.apply(ViewCommand::PanBy { ns: -ns });
        prop_assert!(near(back, before), "{before:?} {back:?}");
    }

    #[test]
    fn whatever_is_done_the_run_stays_in_view(
        commands in prop::collection::vec(any_command(), 1..20),
    ) {
        let mut stand = long();
        let whole = stand.workspace.run().extent().len().0 as f64;
        for command in commands {
            let it = stand.apply(command);
            prop_assert!(it.len_ns >= 1.0 && it.len_ns <= whole * 1.1, "{command:?} {it:?}");
            prop_assert!(it.start_ns < whole && it.end_ns() > 0.0, "{command:?} {it:?}");
            prop_assert!(stand.view.scroll() >= 0.0);
            let drawn = stand.scene();
            prop_assert!(!drawn.lanes.is_empty());
        }
    }
}

#[test]
fn the_whole_run_is_the_whole_run_however_often_it_is_asked_for() {
    let mut stand = long();
    let first = stand.view.stretch();
    stand.apply(ViewCommand::Zoom {
        about_ns: 7e5,
        factor: 1e-3,
    });
    assert_eq!(stand.apply(ViewCommand::WholeRun), first);
    assert_eq!(stand.apply(ViewCommand::WholeRun), first);
}

#[test]
fn the_shortest_view_is_a_nanosecond() {
    let mut stand = long();
    for _ in 0..3 {
        let about_ns = 1_234_567.0;
        let factor = 1e-9;
        let it = stand.apply(ViewCommand::Zoom { about_ns, factor });
        assert_eq!(it.len_ns, 1.0);
        assert!(it.start_ns <= about_ns && it.end_ns() >= about_ns);
    }
}

#[test]
fn walking_to_the_next_span_and_back_returns() {
    let mut stand = Stand::drawn(STEP);
    let a = stand.named("A");
    stand.apply(ViewCommand::Select(Some(a)));
    stand.apply(ViewCommand::PreviousSpan);
    assert_eq!(stand.view.selection(), Some(a), "it is the first");
    stand.apply(ViewCommand::NextSpan);
    assert_eq!(stand.view.selection(), Some(stand.named("B")));
    stand.apply(ViewCommand::PreviousSpan);
    assert_eq!(stand.view.selection(), Some(a));
}

/// A scene as text: a line for each lane, its bars as `name from-to`.
fn text(stand: &Stand, scene: &Scene) -> String {
    let run = stand.workspace.run();
    let mut out = String::new();
    let ticks: Vec<String> = scene
        .ticks
        .iter()
        .map(|it| format!("{}@{:.0}", it.label, it.x))
        .collect();
    writeln!(out, "{} + {}", scene.origin, ticks.join(" ")).unwrap();
    for step in &scene.steps {
        writeln!(
            out,
            "step {} {:.0}-{:.0}",
            step.number, step.x[0], step.x[1]
        )
        .unwrap();
    }
    for lane in &scene.lanes {
        let busy = match lane.busy {
            Busy::None => String::new(),
            Busy::Share(share) => format!(" {:.0}%", share * 100.0),
            Busy::Parts(it) => format!(
                " compute {} overlapped {} exposed {} idle {}",
                it.compute_alone.0, it.overlapped.0, it.exposed_communication.0, it.idle.0
            ),
        };
        let title = format!("{} {}", lane.lane.title, lane.lane.note);
        let (y, height) = (lane.y, lane.lane.height);
        writeln!(out, "{y:>3} {height:>2} {}{busy}", title.trim()).unwrap();
        for row in &lane.rows {
            let bars = match &row.content {
                Content::Bars(bars) => bars.iter().map(|bar| {
                    let what = match bar.what {
                        Bars::One(at) => run.short_name(run.name_of(at)).to_string(),
                        Bars::Folded { count, .. } => format!("({count})"),
                    };
                    format!("{what} {:.0}-{:.0}", bar.x[0], bar.x[1])
                }),
                Content::Strip(strip) => {
                    let lit = strip.iter().filter(|it| it.occupancy > 0).count();
                    writeln!(out, "       strip, {lit} of {} lit", strip.len()).unwrap();
                    continue;
                }
            };
            let bars: Vec<String> = bars.collect();
            writeln!(out, "       {}", bars.join(" | ")).unwrap();
        }
    }
    for link in &scene.links {
        writeln!(out, "link {:.0?} {:?} {}", link.x, link.y, link.delay.0).unwrap();
    }
    out
}

#[test]
fn a_small_run_is_drawn_as_it_is() {
    let mut stand = Stand::drawn(STEP);
    stand.apply(ViewCommand::Show(TimeRange::new(Time(0), Time(16_000))));
    let expected = "\
Step 1 + 0@0 +10 µs@160
step 1 0-160
step 2 160-256
  0 20 Rank 0 GPU 0 compute 4000 overlapped 4000 exposed 2000 idle 6000
 20 22 Stream 7 compute 50%
       A 48-112 | B 144-208
 42 22 Stream 20 communication 38%
       AllReduce 96-192
 64  7
 71 45 Thread 1
       ProfilerStep#1 0-160 | ProfilerStep#2 160-256
       op_O 0-128
       cudaLaunchKernel 16-32 | cudaLaunchKernel 32-48
";
    let drawn = text(&stand, &stand.scene());
    let drawn: Vec<&str> = drawn.lines().map(str::trim_end).collect();
    assert_eq!(drawn, expected.lines().collect::<Vec<_>>());
}

#[test]
fn a_selected_kernel_is_tied_to_its_launch_wherever_that_is_drawn() {
    let mut stand = Stand::drawn(&format!("{STEP}{OTHER_RANK}"));
    stand.apply(ViewCommand::Show(TimeRange::new(Time(0), Time(16_000))));
    let b = stand.named("B");
    stand.apply(ViewCommand::Select(Some(b)));
    // The thread that launched it has a lane of its own now; the line begins on the row of the call.
    let thread = |it: &Scene| {
        let lane = it
            .lanes
            .iter()
            .find(|it| it.lane.title == "Thread 1")
            .unwrap();
        (lane.y, lane.lane.shown_rows)
    };
    let drawn = stand.scene();
    let [line] = drawn.links[..] else { panic!() };
    assert_eq!((line.x, line.delay.0), ([32.0, 144.0], 7_000));
    let (top, rows) = thread(&drawn);
    assert_eq!((rows, line.y[0]), (3, Some(top + 37.5)));
    // Without a selection threads are folded again.
    stand.apply(ViewCommand::Select(None));
    assert!(stand.view.lanes().iter().all(|it| it.title != "Thread 1"));
    stand.apply(ViewCommand::Select(Some(b)));
    stand.apply(ViewCommand::ToLaunch);
    let followed = stand.scene();
    let [line] = followed.links[..] else { panic!() };
    assert_eq!(line.work, b);
    assert_eq!(thread(&followed), (top, rows), "nothing moved");
}

#[test]
fn in_a_run_of_one_rank_the_thread_of_the_steps_is_open_and_says_what_it_hides() {
    let call = |it: usize| format!("thread 1  {}{}", ".".repeat(it), "O".repeat(32 - 2 * it));
    let calls = (0..12).map(call).collect::<Vec<_>>().join("\n");
    let mut stand = Stand::drawn(&format!(
        "step      11111111111111111111111111111111\n{calls}\nthread 2  ..abc...........\nstream 7  .....A.B.C......"
    ));
    let rows = |it: &Stand| -> Vec<(String, Option<bool>, u16, u16)> {
        let lanes = it.view.lanes().iter().skip(3);
        let told = lanes.map(|it| (it.title.clone(), it.open, it.shown_rows, it.hidden_rows));
        told.collect()
    };
    let named = |title: &str, open, shown, hidden| (title.to_owned(), open, shown, hidden);
    let other = named("1 more CPU thread", Some(false), 1, 0);
    let key = stand.view.lanes()[3].key;
    // Closed until it hides nothing, so that the first click shows all of it.
    for (open, shown, hidden) in [(false, 10, 3), (true, 13, 0), (false, 1, 12), (true, 13, 0)] {
        let main = named("Thread 1", Some(open), shown, hidden);
        assert_eq!(rows(&stand), [main, other.clone()]);
        stand.apply(ViewCommand::Toggle(key));
    }
}

#[test]
fn following_to_a_hidden_depth_opens_its_lane_and_no_other() {
    let mut stand = Stand::drawn(
        "thread 1  OOOOOOOO........\nthread 1  .PPPPP..........\nthread 1  ..QQQ...........\nthread 1  ...a............\nthread 2  ..X.............\nstream 7  .....A..........",
    );
    let kernel = stand.named("A");
    stand.apply(ViewCommand::Select(Some(kernel)));
    stand.apply(ViewCommand::ToLaunch);
    let open: Vec<_> = stand
        .view
        .lanes()
        .iter()
        .skip(3)
        .map(|it| it.open)
        .collect();
    assert_eq!(open, [Some(true), Some(false)]);
}

#[test]
fn a_lane_that_is_brought_into_sight_does_not_stick_to_the_edge() {
    let ranks = (0..8).map(|it| format!("rank {it}\nstream 7  AAAAAAAA\n"));
    let mut stand = Stand::drawn(&ranks.collect::<String>());
    stand.view.set_lanes_height(200.0);
    let lane = stand.view.lanes()[3 * 5 + 1].clone();
    assert!(lane.top > 200.0);
    stand.apply(ViewCommand::Reveal(lane.key));
    let bottom = lane.top + lane.height - stand.view.scroll();
    assert!((150.0..=180.0).contains(&bottom), "{bottom} of 200");
}

#[test]
fn a_graph_has_a_line_to_each_of_its_kernels() {
    let mut stand = Stand::drawn("thread 1 g..........\nstream 7 .GG.GG.GG.G");
    let launch = stand.named("cudaLaunchKernel");
    stand.apply(ViewCommand::Select(Some(launch)));
    assert_eq!(stand.scene().links.len(), 4);
    // Out of view only the first is told.
    stand.apply(ViewCommand::Show(TimeRange::new(Time(7_000), Time(11_000))));
    let starts: Vec<f32> = stand.scene().links.iter().map(|it| it.x[1]).collect();
    assert_eq!(starts.len(), 1, "{starts:?}");
}

#[test]
fn lines_to_the_kernels_of_a_large_graph_do_not_become_a_slab() {
    let stand = {
        let drawing = format!("thread 1 g\nstream 7 .{}", "G.".repeat(400));
        let mut stand = Stand::drawn(&drawing);
        let launch = stand.named("cudaLaunchKernel");
        assert_eq!(
            stand
                .workspace
                .run()
                .trace(launch.trace)
                .launched_by(launch.span)
                .len(),
            400
        );
        stand.apply(ViewCommand::Select(Some(launch)));
        stand
    };
    let ends: Vec<f32> = stand.scene().links.iter().map(|it| it.x[1]).collect();
    assert!(ends.len() > 20, "{}", ends.len());
    assert!(ends.windows(2).all(|it| it[1] - it[0] >= 8.0));
    assert!(ends.last().unwrap() - ends[0] > 200.0, "over all of them");
}

#[test]
fn folded_threads_show_when_much_goes_on_at_once() {
    let drawing = "rank 0\nthread 1  OOOOOOOOOOOOOOOO\nthread 1  ....PPPP........\nthread 2  ....QQQQ....RRRR\nstream 7  A...............";
    let stand = Stand::drawn(&format!("{drawing}{OTHER_RANK}"));
    let scene = stand.scene();
    let lane = scene
        .lanes
        .iter()
        .find(|it| it.lane.key == LaneKey::Threads(TraceId(0)))
        .unwrap();
    let Content::Strip(strip) = &lane.rows[0].content else {
        panic!()
    };
    // A character is a sixteenth of the strip, which has a little air at each end.
    let at = |it: usize| strip[it * 256 / 16 + 8].occupancy;
    assert_eq!([at(1), at(5), at(10), at(14)], [64, 255, 64, 160]);
}

#[test]
fn a_heat_row_tells_the_time_under_the_pointer_as_a_band_does() {
    let ranks = (0..9).map(|it| format!("rank {it}\nstream 7  AAAAAAAA.......B\n"));
    let stand = Stand::drawn(&ranks.collect::<String>());
    let scene = stand.scene();
    let lane = &scene.lanes[3];
    assert!(lane.lane.is_heat);
    let of = |x: f32| match scene.hit(&stand.workspace, x, lane.y + 5.0) {
        Some(Hit::Band { parts, range, .. }) => (parts.compute_alone, parts.idle, range.len()),
        other => panic!("{other:?}"),
    };
    let (busy, idle, all) = of(64.0);
    assert_eq!((busy, idle.0), (all, 0));
    let (busy, idle, all) = of(190.0);
    assert!(busy.0 == 0 && idle.0 > 0 && idle <= all);
}

#[test]
fn allocated_and_reserved_memory_are_one_lane() {
    let folder = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let paths = [folder.join("sample-traces/train-4rank/rank0.pt.trace.json.gz")];
    let loaded = crate::workspace::load(&paths, &crate::base::Job::default()).unwrap();
    let stand = Stand::new(Workspace::new(loaded, 1));
    let lanes = stand.scene().lanes;
    let memory: Vec<_> = lanes.iter().filter(|it| it.counter.is_some()).collect();
    let [lane] = memory[..] else {
        panic!("{} lanes", memory.len())
    };
    assert_eq!(lane.lane.title, "GPU memory");
    let counter = lane.counter.as_ref().unwrap();
    let trace = stand.workspace.run().trace(TraceId(0));
    let highest = |end: &str| {
        let of = |it: &&crate::model::Counter| trace.names().text(it.name).ends_with(end);
        let counter = trace.counters().iter().find(of).unwrap();
        counter.values.iter().copied().fold(0.0, f64::max)
    };
    assert_eq!(counter.range[1], highest("allocated"));
    assert_eq!(counter.top(), highest("reserved"));
    let hit = stand.scene().hit(&stand.workspace, 128.0, lane.y + 5.0);
    let Some(Hit::Counter {
        title,
        time,
        value,
        reserved: Some(reserved),
        is_bytes: true,
    }) = hit
    else {
        panic!("{hit:?}")
    };
    assert!(value <= reserved, "{value} of {reserved}");
    assert_eq!(title, "GPU memory");
    assert_eq!(time, stand.scene().axis.time_from_x(128.0));
}

#[test]
fn a_nanosecond_in_a_second_can_be_seen_and_clicked() {
    let event = |name, ts, dur| {
        format!(
            r#"{{"ph":"X","cat":"kernel","name":"{name}","pid":0,"tid":7,"ts":{ts},"dur":{dur},"args":{{"device":0,"stream":7}}}}"#
        )
    };
    let events = [
        event("first", "0.000", "1.000"),
        event("tiny", "500000.000", "0.001"),
        event("last", "999999.000", "1.000"),
    ];
    let file = tempfile::NamedTempFile::with_suffix(".json").unwrap();
    let json = format!(r#"{{"traceEvents":[{}]}}"#, events.join(","));
    std::fs::write(file.path(), json).unwrap();
    let paths = [file.path().to_owned()];
    let loaded = crate::workspace::load(&paths, &crate::base::Job::default()).unwrap();
    let mut stand = Stand::new(Workspace::new(loaded, 1));
    assert_eq!(stand.workspace.run().extent().len().0, 1_000_000_000);
    let tiny = stand.named("tiny");
    for factor in [1.0, 1e-3, 1e-6, 1e-9] {
        stand.apply(ViewCommand::WholeRun);
        let about_ns = 500_000_000.5;
        stand.apply(ViewCommand::Zoom { about_ns, factor });
        let scene = stand.scene();
        let is_work = |it: &&crate::view::LaneBox| matches!(it.busy, Busy::Share(_));
        let lane = scene.lanes.iter().find(is_work).unwrap();
        let Content::Bars(bars) = &lane.rows[0].content else {
            panic!("three spans are bars")
        };
        let bar = bars.iter().find(|it| it.what == Bars::One(tiny)).unwrap();
        let x = f32::midpoint(bar.x[0].max(0.0), bar.x[1].min(scene.axis.width));
        for off in [-1.5, 0.0, 1.5] {
            let hit = scene.hit(&stand.workspace, x + off, lane.y + 11.0);
            assert_eq!(hit, Some(Hit::Span(tiny)), "{off} points off at {factor}");
        }
    }
}

#[test]
fn two_recordings_of_one_rank_are_told_apart_by_their_files() {
    let notes = |drawing: &str| -> Vec<String> {
        let stand = Stand::drawn(drawing);
        let headers = stand.view.lanes().iter().filter(|it| it.level == 0);
        headers.map(|it| it.note.clone()).collect()
    };
    let twice = "GPU 0 · rank1.json";
    assert_eq!(notes(&OTHER_RANK.repeat(2)), [twice, twice]);
    assert_eq!(notes(&format!("{STEP}{OTHER_RANK}")), ["GPU 0", "GPU 0"]);
}
