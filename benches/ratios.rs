//! Ratios measured in one run, never timed tests: `cargo bench -- FILE.json`.
//!
//! CPU seconds of the process, medians of interleaved rounds: touching every byte of the file, reading
//! it with `serde_json` into columns of the same kind, and loading it. Then what a frame asks for: the
//! scene at several zooms, a pick, and the arguments of a span.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a bench prints, and a bench that cannot go on stops"
)]

use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use warpline::base::Job;
use warpline::model::{SpanId, SpanRef};
use warpline::view::{LaneHeights, Outline, SceneSize, View, ViewCommand, scene};
use warpline::workspace::{Workspace, load};

const ROUNDS: usize = 3;

fn main() {
    let Some(file) = std::env::args().skip(1).find(|it| !it.starts_with("--")) else {
        println!("name a trace: cargo bench -- FILE.json");
        return;
    };
    let path = PathBuf::from(file);
    let mut times = [const { Vec::new() }; 3];
    for _ in 0..ROUNDS {
        times[0].push(cpu_of(|| touch(&path)));
        times[1].push(cpu_of(|| stream(&path)));
        times[2].push(cpu_of(|| {
            load(std::slice::from_ref(&path), &Job::default())
                .unwrap()
                .run()
                .extent()
                .len()
                .0
        }));
    }
    let [touch, stream, load_s] = times.map(median);
    println!("CPU s: touch {touch:.3}, serde_json stream {stream:.3}, load {load_s:.3}");
    println!(
        "load / touch {:.1}   load / stream {:.2}",
        load_s / touch,
        load_s / stream
    );
    frames(&path);
}

fn median(mut of: Vec<f64>) -> f64 {
    of.sort_by(f64::total_cmp);
    of[of.len() / 2]
}

/// CPU seconds of the whole process that `work` takes, all threads.
fn cpu_of(work: impl FnOnce() -> i64) -> f64 {
    let before = cpu();
    std::hint::black_box(work());
    cpu() - before
}

fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = stat
        .rsplit(')')
        .next()
        .unwrap()
        .split_whitespace()
        .collect();
    let ticks: f64 = fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap();
    ticks / 100.0
}

fn map(path: &Path) -> warpline::formats::Source {
    warpline::formats::open(path, &|_| Ok(()))
        .unwrap()
        .sources
        .remove(0)
}

fn touch(path: &Path) -> i64 {
    let source = map(path);
    let words = source.bytes().as_chunks::<8>().0.iter();
    words.fold(0_i64, |sum, it| sum.wrapping_add(i64::from_le_bytes(*it)))
}

/// Columns as a plain reader would fill them.
#[derive(Default)]
struct Columns {
    start: Vec<i64>,
    dur: Vec<i64>,
    name: Vec<u32>,
    names: std::collections::BTreeMap<String, u32>,
}

fn stream(path: &Path) -> i64 {
    let source = map(path);
    let mut columns = Columns::default();
    let mut reader = serde_json::Deserializer::from_slice(source.bytes());
    Document(&mut columns).deserialize(&mut reader).unwrap();
    i64::try_from(columns.start.len() + columns.dur.len() + columns.name.len()).unwrap()
}

struct Document<'c>(&'c mut Columns);

impl<'de> DeserializeSeed<'de> for Document<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        reader.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Document<'_> {
    type Value = ();
    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a trace")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            if key == "traceEvents" {
                map.next_value_seed(Events(self.0))?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

struct Events<'c>(&'c mut Columns);

impl<'de> DeserializeSeed<'de> for Events<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        reader.deserialize_seq(self)
    }
}

#[derive(serde::Deserialize)]
struct Event<'a> {
    #[serde(borrow)]
    ph: std::borrow::Cow<'a, str>,
    #[serde(borrow)]
    name: Option<std::borrow::Cow<'a, str>>,
    ts: Option<f64>,
    dur: Option<f64>,
}

impl<'de> Visitor<'de> for Events<'_> {
    type Value = ();
    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("events")
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a plain reader does just this"
    )]
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while let Some(event) = seq.next_element::<Event<'de>>()? {
            let (Some(name), Some(ts), Some(dur), "X") =
                (event.name, event.ts, event.dur, &*event.ph)
            else {
                continue;
            };
            let next = u32::try_from(self.0.names.len()).unwrap();
            let id = match self.0.names.get(&*name) {
                Some(id) => *id,
                None => *self.0.names.entry(name.into_owned()).or_insert(next),
            };
            self.0.start.push((ts * 1000.0) as i64);
            self.0.dur.push((dur * 1000.0) as i64);
            self.0.name.push(id);
        }
        Ok(())
    }
}

fn frames(path: &Path) {
    let loaded = load(&[path.to_owned()], &Job::default()).unwrap();
    let outline = Outline::of_run(loaded.run());
    let heights = LaneHeights::default();
    let workspace = Workspace::new(loaded, 1);
    let run = workspace.run();
    let spans = run
        .trace_ids()
        .map(|it| run.trace(it).spans().len())
        .sum::<usize>();
    println!(
        "{spans} spans, index {:.1} bytes a span",
        workspace.index().memory_bytes() as f64 / spans as f64
    );
    let size = SceneSize {
        width: 1920.0,
        height: 1200.0,
        pixels_per_point: 1.0,
    };
    let mut view = View::of_run(run, &outline, &heights);
    view.set_lanes_height(size.height);
    let keys: Vec<_> = view
        .lanes()
        .iter()
        .filter(|it| it.open == Some(false))
        .map(|it| it.key)
        .collect();
    for key in keys {
        view.apply(ViewCommand::Toggle(key), &workspace, &outline, &heights);
    }
    let about_ns = run.extent().len().0 as f64 * 0.43;
    for zoom in [1.0, 0.1, 0.1, 0.1, 0.1] {
        view.apply(
            ViewCommand::Zoom {
                about_ns,
                factor: zoom,
            },
            &workspace,
            &outline,
            &heights,
        );
        let took: Vec<f64> = (0..15)
            .map(|_| {
                let since = Instant::now();
                let drawn = scene(&view, &workspace, &outline, size);
                std::hint::black_box(drawn.lanes.len());
                since.elapsed().as_secs_f64() * 1e3
            })
            .collect();
        let rows: usize = scene(&view, &workspace, &outline, size)
            .lanes
            .iter()
            .map(|it| it.rows.len())
            .sum();
        println!(
            "scene of {:.4} of the run, {rows} rows: {:.2} ms",
            view.stretch().len_ns / run.extent().len().0 as f64,
            median(took)
        );
    }
    let drawn = scene(&view, &workspace, &outline, size);
    let since = Instant::now();
    let mut hits = 0;
    for x in 0_u16..1000 {
        hits += usize::from(drawn.hit(&workspace, f32::from(x) * 1.9, 30.0).is_some());
    }
    println!(
        "pick {:.1} µs ({hits} of 1000 hit)",
        since.elapsed().as_secs_f64() * 1e3
    );
    let trace = run.trace_ids().next().unwrap();
    let since = Instant::now();
    for i in 0..200_usize {
        let span = SpanId::from_index(i * (run.trace(trace).spans().len() / 200));
        std::hint::black_box(workspace.fields(SpanRef { trace, span }).unwrap().len());
    }
    println!(
        "arguments of a span {:.1} µs",
        since.elapsed().as_secs_f64() * 1e6 / 200.0
    );
}
