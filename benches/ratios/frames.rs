//! What a frame costs, in CPU of one thread: the scene alone, the whole frame before GL, and what a
//! pointer asks for. Everything runs in a pool of one thread, so that nothing is left out.

use egui::{Context, Pos2, RawInput, Rect, vec2};
use warpline::app::{App, set_theme};
use warpline::model::{SpanId, SpanRef};
use warpline::ui::install_fonts;
use warpline::view::{
    Command, LaneHeights, Outline, SceneSize, ThemeChoice, View, ViewCommand, scene,
};
use warpline::workspace::{Loaded, Workspace};

use crate::clock::{median, p95, thread_ms};
use crate::table;

/// Pixel columns of the lanes.
const WIDTH: f32 = 1920.0;
/// Room for 64 lanes.
const HEIGHT: f32 = 2400.0;
const SIZE: SceneSize = SceneSize {
    width: WIDTH,
    height: HEIGHT,
    pixels_per_point: 1.0,
};
/// Halvings of the whole run.
const ZOOMS: usize = 24;

/// At most, in milliseconds, for so many spans: scene and frame.
pub(crate) fn limits(spans: usize) -> (f64, f64) {
    match spans {
        ..2_000_000 => (1.0, 4.0),
        2_000_000..20_000_000 => (1.5, 5.0),
        _ => (3.0, 8.0),
    }
}

pub(crate) fn measure(loaded: &Loaded) {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    pool.install(|| {
        let workspace = Workspace::new(loaded.clone(), 1);
        scenes(&workspace);
        windows(loaded);
        questions(&workspace);
    });
}

fn span_count(workspace: &Workspace) -> usize {
    let run = workspace.run();
    run.trace_ids().map(|it| run.trace(it).spans().len()).sum()
}

/// A view of the whole run with every lane open, and what opens them.
fn opened(workspace: &Workspace, outline: &Outline) -> (View, Vec<ViewCommand>) {
    let heights = LaneHeights::default();
    let mut view = View::of_run(workspace.run(), outline, &heights);
    view.set_lanes_height(HEIGHT);
    let mut commands = Vec::new();
    while let Some(lane) = view.lanes().iter().find(|it| it.open == Some(false)) {
        let command = ViewCommand::Toggle(lane.key);
        commands.push(command);
        view.apply(command, workspace, outline, &heights);
    }
    (view, commands)
}

fn scenes(workspace: &Workspace) {
    let (outline, heights) = (Outline::of_run(workspace.run()), LaneHeights::default());
    let mut view = opened(workspace, &outline).0;
    let about_ns = workspace.run().extent().len().0 as f64 * 0.43;
    let (mut each, mut most) = (Vec::new(), 0);
    for _ in 0..ZOOMS {
        let draw = || scene(&view, workspace, &outline, SIZE);
        let rows: usize = draw().lanes.iter().map(|it| it.rows.len()).sum();
        most = most.max(rows);
        each.push(median((0..9).map(|_| thread_ms(draw).0).collect()));
        let closer = ViewCommand::Zoom {
            about_ns,
            factor: 0.5,
        };
        view.apply(closer, workspace, &outline, &heights);
    }
    let spans = span_count(workspace);
    let bytes = workspace.index().memory_bytes() as f64 / spans as f64;
    table::note(&format!("{spans} spans, index {bytes:.1} bytes a span"));
    let words: Vec<String> = each.iter().map(|it| format!("{it:.2}")).collect();
    table::note(&format!("scene by halvings, ms: {}", words.join(" ")));
    let worst = each.into_iter().fold(0.0, f64::max);
    let what = format!("scene of {most} rows, worst zoom");
    table::row(&what, worst, limits(spans).0, "ms");
}

/// The window's frames while somebody zooms in and pans, then out again.
fn windows(loaded: &Loaded) {
    let outline = Outline::of_run(loaded.run());
    let about_ns = loaded.run().extent().len().0 as f64 * 0.43;
    let mut app = App::new(ThemeChoice::Dark);
    app.show(loaded.clone(), outline);
    let workspace = app.workspace().unwrap();
    let spans = span_count(workspace);
    for command in opened(workspace, &Outline::of_run(loaded.run())).1 {
        app.command(Command::View(command));
    }
    let ctx = Context::default();
    install_fonts(&ctx);
    set_theme(&ctx, ThemeChoice::Dark);
    let mut frames = Vec::new();
    let mut frame = |app: &mut App| frames.push(thread_ms(|| draw(&ctx, app)).0);
    for _ in 0..4 {
        draw(&ctx, &mut app);
    }
    for factor in [0.8, 1.25] {
        for step in 0..60 {
            app.command(Command::View(ViewCommand::Zoom { about_ns, factor }));
            frame(&mut app);
            let share = if step % 2 == 0 { 0.1 } else { -0.1 };
            app.command(Command::View(ViewCommand::Pan { share }));
            frame(&mut app);
        }
    }
    table::row(
        "frame before GL, zoom and pan, p95",
        p95(frames),
        limits(spans).1,
        "ms",
    );
}

/// A frame up to what a GPU is given; returns how many triangles.
pub(crate) fn draw(ctx: &Context, app: &mut App) -> usize {
    let size = vec2(WIDTH + 200.0, HEIGHT + 400.0);
    let input = RawInput {
        screen_rect: Some(Rect::from_min_size(Pos2::ZERO, size)),
        max_texture_side: Some(8192),
        ..RawInput::default()
    };
    app.logic(ctx);
    let output = ctx.run_ui(input, |ui| app.ui(ui));
    let primitives = ctx.tessellate(output.shapes, output.pixels_per_point);
    primitives.len()
}

fn questions(workspace: &Workspace) {
    let outline = Outline::of_run(workspace.run());
    let view = opened(workspace, &outline).0;
    let drawn = scene(&view, workspace, &outline, SIZE);
    let places: Vec<(f32, f32)> = (0_u16..2000)
        .map(|it| {
            (
                f32::from(it % 50) * WIDTH / 50.0,
                f32::from(it) * HEIGHT / 2000.0,
            )
        })
        .collect();
    let (ms, hits) = thread_ms(|| {
        let hit = |at: &&(f32, f32)| drawn.hit(workspace, at.0, at.1).is_some();
        places.iter().filter(hit).count()
    });
    let what = format!("pick under the pointer ({hits} of {} hit)", places.len());
    table::row(&what, ms * 1e3 / places.len() as f64, 50.0, "us");
    let trace = workspace.run().trace_ids().next().unwrap();
    let count = workspace.run().trace(trace).spans().len();
    let spans = (0..200).map(|it| SpanId::from_index(it * (count / 200)));
    let refs: Vec<SpanRef> = spans.map(|span| SpanRef { trace, span }).collect();
    if workspace.fields(refs[0]).is_err() {
        return; // made in memory
    }
    let (ms, _) = thread_ms(|| {
        let fields = refs.iter().map(|it| workspace.fields(*it).unwrap().len());
        fields.sum::<usize>()
    });
    table::row(
        "arguments of the clicked span",
        ms / refs.len() as f64,
        1.0,
        "ms",
    );
}
