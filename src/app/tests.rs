//! The whole window, used as a person uses it: open, look, click, press keys.

use std::path::{Path, PathBuf};

use egui::{Key, Modifiers, Pos2, Rect, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use super::shell::{App, set_theme};
use crate::model::{Kind, SpanRef};
use crate::ui::install_fonts;
use crate::view::{
    Bars, Command, Content, LaneKey, Scene, SceneSize, Tab, ThemeChoice, ViewCommand, scene,
};

const SIZE: egui::Vec2 = vec2(1400.0, 900.0);

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("sample-traces")
        .join(name)
}

fn window(theme: ThemeChoice) -> Harness<'static, App> {
    let shown = match theme {
        ThemeChoice::Light => egui::Theme::Light,
        _ => egui::Theme::Dark,
    };
    let builder = Harness::builder()
        .with_size(SIZE)
        .with_theme(shown)
        .with_context_setup(move |ctx| {
            install_fonts(ctx);
            set_theme(ctx, theme);
        });
    builder.build_ui_state(
        |ui, app: &mut App| {
            app.logic(&ui.ctx().clone());
            app.ui(ui);
        },
        App::new(theme),
    )
}

/// Opens a path as a drop or the dialog would, and draws until it is there.
fn open(harness: &mut Harness<'_, App>, path: &Path) {
    harness
        .state()
        .command(Command::Open(vec![path.to_owned()]));
    harness.step();
    while harness.state().is_loading() {
        harness.step();
    }
    harness.run_steps(3);
}

fn lanes_rect(harness: &Harness<'_, App>) -> Rect {
    harness.get_by_label_contains("Timeline, ").rect()
}

fn drawn(harness: &Harness<'_, App>) -> Scene {
    let (workspace, outline, view) = harness.state().looked_at();
    let lanes = lanes_rect(harness);
    let size = SceneSize {
        width: lanes.width(),
        height: lanes.height(),
        pixels_per_point: 1.0,
    };
    scene(view, workspace, outline, size)
}

/// A kernel that is drawn as a bar of its own, and where.
fn some_kernel(harness: &Harness<'_, App>) -> (SpanRef, Pos2) {
    let (scene, lanes) = (drawn(harness), lanes_rect(harness));
    let run = harness.state().run().unwrap();
    for lane in &scene.lanes {
        for row in &lane.rows {
            let Content::Bars(bars) = &row.content else {
                continue;
            };
            for bar in bars {
                if let Bars::One(at) = bar.what
                    && run.span(at).kind == Kind::Kernel
                    && run.span(at).launch.is_some()
                    && bar.x[0] >= 0.0
                    && bar.x[1] <= lanes.width()
                    && bar.x[1] - bar.x[0] > 6.0
                {
                    let x = f32::midpoint(bar.x[0], bar.x[1]);
                    let y = lane.y + row.y + row.height / 2.0;
                    return (at, lanes.min + vec2(x, y));
                }
            }
        }
    }
    panic!("no kernel is wide enough to be clicked")
}

fn click(harness: &mut Harness<'_, App>, at: Pos2) {
    harness.hover_at(at);
    harness.run_steps(2);
    for pressed in [true, false] {
        harness.event(egui::Event::PointerButton {
            pos: at,
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        });
        harness.step();
    }
    harness.run_steps(2);
}

fn press(harness: &mut Harness<'_, App>, key: Key) {
    harness.key_press(key);
    harness.run_steps(3);
}

#[test]
fn a_person_opens_a_run_clicks_a_kernel_and_reads_its_arguments() {
    for theme in [ThemeChoice::Dark, ThemeChoice::Light] {
        let mut harness = window(theme);
        harness.run_steps(2);
        harness.get_by_label("Drop traces here");
        open(&mut harness, &sample("train-4rank"));
        for rank in ["Rank 0 GPU 0", "Rank 1 GPU 1"] {
            harness.get_by_label(rank);
        }
        // Far enough in for kernels to part.
        for _ in 0..14 {
            press(&mut harness, Key::W);
        }
        let (kernel, at) = some_kernel(&harness);
        click(&mut harness, at);
        let view = harness.state().looked_at().2;
        assert_eq!(view.selection(), Some(kernel));
        let workspace = harness.state().workspace().unwrap();
        let fields = workspace.fields(kernel).unwrap();
        let correlation = fields["args"]["correlation"].to_string();
        harness.get_by_label("correlation");
        harness.get_by_label(&correlation);
        press(&mut harness, Key::Escape);
        assert_eq!(harness.state().looked_at().2.selection(), None);
        harness.get_by_label("Import ledger").click();
        harness.run_steps(3);
        assert_eq!(harness.state().looked_at().2.tab(), Tab::Ledger);
        harness.get_by_label("Copy as text");
    }
}

/// Presses at `from`, moves in steps as a hand does, and releases at `to`.
fn drag(harness: &mut Harness<'_, App>, from: Pos2, to: Pos2, modifiers: Modifiers) {
    let button = |pos: Pos2, pressed: bool| egui::Event::PointerButton {
        pos,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers,
    };
    harness.hover_at(from);
    harness.run_steps(2);
    harness.event_modifiers(button(from, true), modifiers);
    harness.step();
    for share in [0.02, 0.1, 0.3, 0.6, 0.9, 1.0] {
        harness.event_modifiers(egui::Event::PointerMoved(from.lerp(to, share)), modifiers);
        harness.step();
    }
    harness.event(button(to, false));
    harness.run_steps(3);
}

#[test]
fn a_drag_along_the_ruler_or_with_alt_on_the_lanes_zooms_to_all_that_it_covers() {
    let mut harness = window(ThemeChoice::Dark);
    open(&mut harness, &sample("train-4rank"));
    let ruler = harness.get_by_label("Ruler: drag to zoom").rect();
    let lanes = lanes_rect(&harness);
    let drags = [
        (ruler.center().y, Modifiers::NONE),
        (lanes.center().y, Modifiers::ALT),
    ];
    for (y, modifiers) in drags {
        for (from, to) in [(200.0, 700.0), (700.0, 200.0)] {
            press(&mut harness, Key::Num0);
            let axis = drawn(&harness).axis;
            let x = |it: f32| Pos2::new(lanes.left() + it, y);
            drag(&mut harness, x(from), x(to), modifiers);
            let shown = harness.state().looked_at().2.stretch();
            let off = [
                (shown.start_ns - axis.ns_from_x(200.0)) / axis.ns_per_point(),
                (shown.end_ns() - axis.ns_from_x(700.0)) / axis.ns_per_point(),
            ];
            assert!(off.iter().all(|it| it.abs() <= 1.0), "{off:?}");
        }
    }
}

#[test]
fn a_window_at_rest_asks_for_no_frame() {
    let mut harness = window(ThemeChoice::Dark);
    let at_rest = |harness: &mut Harness<'_, App>| {
        harness.run_steps(30);
        let shown = harness.output().viewport_output.values();
        shown.map(|it| it.repaint_delay).min()
    };
    harness.get_by_label("Path to open").focus();
    assert_eq!(at_rest(&mut harness), Some(std::time::Duration::MAX));
    open(&mut harness, &sample("train-4rank"));
    assert_eq!(at_rest(&mut harness), Some(std::time::Duration::MAX));
}

#[test]
fn a_window_made_small_keeps_lanes_in_sight() {
    let mut harness = window(ThemeChoice::Dark);
    open(&mut harness, &sample("train-4rank"));
    harness.set_size(vec2(700.0, 480.0));
    harness.run_steps(4);
    let lanes = lanes_rect(&harness);
    assert!(lanes.height() > 120.0, "{lanes}");
}

#[test]
fn the_keys_of_the_readme_do_what_it_says() {
    let mut harness = window(ThemeChoice::Dark);
    open(&mut harness, &sample("train-4rank"));
    let stretch = |it: &Harness<'_, App>| it.state().looked_at().2.stretch();
    let whole = stretch(&harness);
    press(&mut harness, Key::W);
    assert!(stretch(&harness).len_ns < whole.len_ns, "W zooms in");
    let closer = stretch(&harness);
    press(&mut harness, Key::D);
    assert!(stretch(&harness).start_ns > closer.start_ns, "D pans right");
    assert_eq!(stretch(&harness).len_ns, closer.len_ns);
    press(&mut harness, Key::A);
    assert!((stretch(&harness).start_ns - closer.start_ns).abs() < 1.0);
    press(&mut harness, Key::S);
    assert!(stretch(&harness).len_ns > closer.len_ns, "S zooms out");
    for _ in 0..14 {
        press(&mut harness, Key::W);
    }
    let (kernel, at) = some_kernel(&harness);
    click(&mut harness, at);
    let selected = |it: &Harness<'_, App>| it.state().looked_at().2.selection();
    press(&mut harness, Key::Period);
    let next = selected(&harness).unwrap();
    assert!(next.span > kernel.span, ". goes to the next of the lane");
    press(&mut harness, Key::Comma);
    assert_eq!(selected(&harness), Some(kernel));
    press(&mut harness, Key::OpenBracket);
    let launch = selected(&harness).unwrap();
    let run = harness.state().run().unwrap();
    assert_eq!(run.span(kernel).launch, Some(launch.span));
    let shown = drawn(&harness);
    let track = run.trace(launch.trace).track_of(launch.span);
    let lane = LaneKey::Track(launch.trace, track);
    assert!(
        shown.lanes.iter().any(|it| it.lane.key == lane),
        "the launch is in sight"
    );
    press(&mut harness, Key::CloseBracket);
    assert_eq!(selected(&harness), Some(kernel));
    press(&mut harness, Key::F);
    press(&mut harness, Key::F);
    let range = harness.state().run().unwrap().range_of(kernel);
    let share = range.len().0 as f64 / stretch(&harness).len_ns;
    assert!((0.5..0.7).contains(&share), "F twice fits it: {share}");
    press(&mut harness, Key::Num0);
    assert_eq!(stretch(&harness), whole);
    press(&mut harness, Key::Escape);
    assert_eq!(selected(&harness), None);
}

#[test]
fn ctrl_o_asks_for_files_and_with_shift_for_a_folder() {
    // The dialog itself belongs to the system: that it is asked for is all there is to see.
    let setup = |ctx: &egui::Context| {
        install_fonts(ctx);
        set_theme(ctx, ThemeChoice::Dark);
    };
    let builder = Harness::builder().with_size(SIZE).with_context_setup(setup);
    let app = App::new(ThemeChoice::Dark);
    let mut harness = builder.build_ui_state(|ui, app: &mut App| app.ui(ui), app);
    for (modifiers, folder) in [
        (Modifiers::COMMAND, false),
        (Modifiers::COMMAND | Modifiers::SHIFT, true),
    ] {
        harness.key_press_modifiers(modifiers, Key::O);
        harness.run_steps(2);
        let asked = harness.state().asked();
        assert_eq!(asked, [Command::AskOpen { folder }]);
    }
}

#[test]
fn a_folder_with_two_runs_opens_the_one_that_is_chosen() {
    let root = tempfile::tempdir().unwrap();
    for name in ["monday", "tuesday"] {
        let folder = root.path().join(name);
        std::fs::create_dir(&folder).unwrap();
        let from = sample("train-4rank");
        for entry in from.read_dir().unwrap() {
            let entry = entry.unwrap();
            std::fs::copy(entry.path(), folder.join(entry.file_name())).unwrap();
        }
    }
    let mut harness = window(ThemeChoice::Light);
    open(&mut harness, root.path());
    harness.get_by_label("2 runs are here, which one?");
    press(&mut harness, Key::Num2);
    while harness.state().is_loading() {
        harness.step();
    }
    harness.run_steps(2);
    let run = harness.state().run().unwrap();
    assert_eq!(run.ranks().len(), 4);
    assert!(harness.query_by_label_contains("which one?").is_none());
    harness.get_by_label_contains("Timeline, ");
}

#[test]
fn a_failed_load_leaves_the_window_usable() {
    let mut harness = window(ThemeChoice::Dark);
    open(&mut harness, Path::new("/nowhere/at/all.json"));
    harness.get_by_label_contains("could not be opened");
    harness.get_by_label("Close").click();
    harness.run_steps(2);
    harness.get_by_label("Drop traces here");
    open(&mut harness, &sample("serving"));
    assert!(harness.state().run().is_some());
}

#[test]
fn a_trace_without_gpu_activity_says_so_above_its_lanes_and_why() {
    let mut harness = window(ThemeChoice::Dark);
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    open(&mut harness, &cases.join("d16_no_gpu_events.json"));
    harness.get_by_label_contains("This trace has no GPU activity: ");
    open(&mut harness, &sample("serving"));
    assert!(harness.query_by_label_contains("no GPU activity").is_none());
}

#[test]
fn in_the_overview_a_drag_takes_a_new_view_moves_the_box_or_one_of_its_edges() {
    let mut harness = window(ThemeChoice::Dark);
    open(&mut harness, &sample("train-4rank"));
    let overview = harness.get_by_label("Overview of the run").rect();
    let len = harness.state().run().unwrap().extent().len().0 as f64;
    // Where the box is, in shares of the overview.
    let shown = |harness: &Harness<'_, App>| {
        let it = harness.state().looked_at().2.stretch();
        [it.start_ns / len, it.end_ns() / len]
    };
    let drags = [
        ((0.2, 0.6), [0.2, 0.6], "elsewhere"),
        ((0.4, 0.5), [0.3, 0.7], "the box"),
        ((0.7, 0.9), [0.3, 0.9], "its end"),
        ((0.3, 0.5), [0.5, 0.9], "its start"),
        ((0.4, 0.1), [0.1, 0.4], "elsewhere again"),
        ((0.4, 0.05), [0.05, 0.1], "one edge beyond the other"),
    ];
    for ((from, to), wanted, what) in drags {
        let at = |share: f32| {
            let x = overview.left() + share * overview.width();
            Pos2::new(x, overview.center().y)
        };
        drag(&mut harness, at(from), at(to), Modifiers::NONE);
        let got = shown(&harness);
        let off = [got[0] - wanted[0], got[1] - wanted[1]];
        assert!(off.iter().all(|it| it.abs() < 0.003), "{what}: {got:?}");
    }
}

#[test]
fn what_lies_under_the_pinned_header_of_a_rank_is_not_under_the_pointer() {
    let mut harness = window(ThemeChoice::Dark);
    open(&mut harness, &sample("train-4rank"));
    for _ in 0..14 {
        press(&mut harness, Key::W);
    }
    let (_, at) = some_kernel(&harness);
    harness.hover_at(at);
    harness.run_steps(2);
    harness.get_by_label_contains(" on Rank 0, GPU 0, stream ");
    let top = lanes_rect(&harness).top();
    let points = at.y - top - 10.0;
    harness
        .state()
        .command(Command::View(ViewCommand::Scroll { points }));
    harness.hover_at(Pos2::new(at.x, top + 10.0));
    harness.run_steps(3);
    let under = harness.query_by_label_contains(" on Rank 0, GPU 0, stream ");
    assert!(under.is_none());
}

#[test]
fn where_more_lanes_are_than_fit_a_mark_shows_it_and_scrolls_them() {
    let mut harness = window(ThemeChoice::Dark);
    open(&mut harness, &sample("train-4rank"));
    let mark = harness.get_by_label("Scroll the lanes").rect();
    let end = lanes_rect(&harness).right_bottom();
    drag(&mut harness, mark.center(), end, Modifiers::NONE);
    let view = harness.state().looked_at().2;
    let lowest = view.total_height() - lanes_rect(&harness).height();
    assert!(view.scroll() > lowest - 1.0, "{} {lowest}", view.scroll());
    open(&mut harness, &sample("serving"));
    assert!(harness.query_by_label("Scroll the lanes").is_none());
}
