//! `warpline facts`: what was read, as one JSON object for tests and scripts. The keys are those of
//! `tests/cases/CASES.md`; a key that is absent is not available. Lists are cut at [`LIST_MAX`], with
//! `NAME_count` beside them. One file because the keys are one list.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::analysis::{Figures, GpuActivity, activity};
use crate::base::{Cancelled, Dur, Job, TimeRange};
use crate::model::{Counter, Flags, Kind, Ledger, Run, SpanId, SpanRef, Tally, TraceId, Unit};
use crate::workspace::{LoadError, Workspace};

/// Version of the layout of this object.
const SCHEMA: &str = "warpline-facts/1";

/// Entries that a list may have.
const LIST_MAX: usize = 10_000;

/// The object for an open run.
pub(crate) fn facts(workspace: &Workspace, job: &Job) -> Result<Value, Cancelled> {
    let run = workspace.run();
    let mut facts = Facts {
        workspace,
        run,
        out: Map::new(),
    };
    facts.general();
    facts.counts();
    facts.ties();
    facts.ranks();
    facts.names();
    facts.memory();
    facts.gpus(&activity(run, job)?);
    let files: Vec<Value> = run
        .members()
        .iter()
        .map(|it| json!({"file": it.file, "bytes": it.bytes, "rank": it.rank}))
        .collect();
    let absent: Vec<Value> = run
        .absent()
        .iter()
        .map(|it| json!({"file": it.file, "reason": it.reason, "ignored": it.is_ignored}))
        .collect();
    Ok(json!({
        "schema": SCHEMA,
        "facts": facts.out,
        "warnings": warnings(run.ledger()),
        "places": places(run.ledger()),
        "files": files,
        "absent": absent,
    }))
}

/// The object for input that was refused.
pub(crate) fn refused(error: &LoadError) -> Value {
    let mut out = json!({
        "schema": SCHEMA,
        "facts": {"refused": true},
        "warnings": {},
        "error": error.to_string(),
    });
    if let LoadError::NothingLoaded(absent, ledger) = error {
        out["warnings"] = Value::Object(warnings(ledger));
        out["absent"] = absent
            .iter()
            .map(|it| json!({"file": it.file, "reason": it.reason}))
            .collect();
    }
    out
}

fn warnings(ledger: &Ledger) -> Map<String, Value> {
    ledger
        .entries()
        .map(|(issue, entry)| (issue.word().to_owned(), json!(entry.count)))
        .collect()
}

fn places(ledger: &Ledger) -> Map<String, Value> {
    let with_place = ledger
        .entries()
        .filter_map(|(issue, entry)| Some((issue, entry.first_at?)));
    with_place
        .map(|(issue, at)| (issue.word().to_owned(), json!(at)))
        .collect()
}

struct Facts<'a> {
    workspace: &'a Workspace,
    run: &'a Run,
    out: Map<String, Value>,
}

impl Facts<'_> {
    fn set(&mut self, key: &str, value: Value) {
        self.out.insert(key.to_owned(), value);
    }

    fn list(&mut self, key: &str, mut values: Vec<Value>) {
        if values.len() > LIST_MAX {
            self.set(&format!("{key}_count"), json!(values.len()));
            values.truncate(LIST_MAX);
        }
        self.set(key, Value::Array(values));
    }

    fn general(&mut self) {
        let mut tally = Tally::default();
        for member in self.run.members() {
            tally.add(member.trace.tally());
        }
        self.set("refused", json!(false));
        self.set("elements", json!(tally.read));
        self.set("partial_elements", json!(tally.partial));
        self.set("elements_kept", json!(tally.kept()));
        self.set("elements_counted", json!(tally.counted));
        let intake = self.workspace.intake().clone();
        if let Some(members) = intake.gzip_members {
            self.set("gzip_members", json!(members));
        }
        if let Some(bytes) = intake.inflated_bytes {
            self.set("inflated_bytes", json!(bytes));
        }
        if intake.is_collection {
            self.set("ignored_entries", json!(intake.ignored_count));
        }
    }

    fn counts(&mut self) {
        let mut by_kind: BTreeMap<Kind, u64> = BTreeMap::new();
        let mut cpu_rows = 0;
        let mut unplaced = 0;
        for member in self.run.members() {
            let trace = &member.trace;
            unplaced += trace.unplaced().len();
            for kind in trace.spans().kinds() {
                *by_kind.entry(*kind).or_default() += 1;
            }
            let is_cpu = |range: std::ops::Range<usize>| {
                trace.spans().kinds()[range].iter().any(|it| it.is_cpu())
            };
            let rows: BTreeSet<_> = trace
                .tracks()
                .iter()
                .filter(|it| is_cpu(it.indices()))
                .map(|it| (it.key.process.clone(), it.key.thread.clone()))
                .collect();
            cpu_rows += rows.len();
        }
        let sum = |of: fn(Kind) -> bool| {
            by_kind
                .iter()
                .filter(|it| of(*it.0))
                .map(|it| it.1)
                .sum::<u64>()
        };
        self.set("spans_total", json!(sum(Kind::is_work)));
        self.set("cpu_spans", json!(sum(Kind::is_cpu)));
        self.set("all_spans", json!(sum(|_| true)));
        self.set("sync_spans", json!(sum(|it| it == Kind::Sync)));
        self.set(
            "gpu_annotations",
            json!(sum(|it| it == Kind::GpuAnnotation)),
        );
        self.set("python_spans", json!(sum(|it| it == Kind::Python)));
        self.set("cpu_threads", json!(cpu_rows));
        self.set("cpu_rows", json!(cpu_rows));
        self.set("unplaced", json!(unplaced));
    }

    fn ties(&mut self) {
        let (mut launches, mut links, mut unlinked, mut paired, mut loose) = (0, 0, 0, 0, 0);
        let mut delays: Vec<(i64, i64)> = Vec::new();
        for trace in self.run.trace_ids() {
            let ties = self.run.trace(trace).ties();
            launches += ties.launch_count;
            links += ties.linked_count;
            unlinked += ties.unlinked_count;
            paired += ties.arrows_paired;
            loose += ties.arrows_loose;
            delays.extend(self.run.work(trace).filter_map(|(_, span)| {
                let launch = self.run.trace(trace).span(span.launch?);
                Some((
                    self.run.run_time(trace, span.start).0,
                    span.start.since(launch.start).0,
                ))
            }));
        }
        delays.sort_by_key(|it| it.0);
        self.set("launches", json!(launches));
        self.set("links", json!(links));
        self.set("unlinked", json!(unlinked));
        self.set("flows_paired", json!(paired));
        self.set("flows_loose", json!(loose));
        self.list(
            "launch_delay_ns",
            delays.into_iter().map(|it| json!(it.1)).collect(),
        );
    }

    fn ranks(&mut self) {
        let ranks: Vec<u32> = self
            .run
            .members()
            .iter()
            .filter_map(|it| it.rank)
            .map(|it| it.0)
            .collect();
        let unranked = self.run.members().len() - ranks.len();
        self.set("ranks", json!(ranks));
        self.set("ranks_total", json!(self.run.ranks().len()));
        self.set("unranked_files", json!(unranked));
        let ranked = || {
            self.run
                .trace_ids()
                .filter(|it| self.run.member(*it).rank.is_some())
        };
        let works = ranked().filter_map(|trace| {
            let spans = self.run.work(trace).filter(|it| it.1.dur > Dur::ZERO);
            let hull = spans.map(|it| it.1.range()).reduce(TimeRange::hull)?;
            Some(TimeRange::new(
                self.run.run_time(trace, hull.start),
                self.run.run_time(trace, hull.end),
            ))
        });
        let hull = works.reduce(TimeRange::hull);
        if let Some(hull) = hull {
            self.set("merged_wall_ns", json!(hull.len()));
            if let Some(epoch) = self.run.epoch_ns() {
                self.set(
                    "first_work_epoch_ns",
                    json!(epoch.saturating_add(hull.start.0)),
                );
            }
        }
        let heads = ranked().map(|it| self.run.trace(it).head());
        let bases: Vec<i64> = heads
            .filter(|it| it.has_base_time)
            .filter_map(|it| it.epoch_ns)
            .collect();
        if let (Some(low), Some(high)) = (bases.iter().min(), bases.iter().max()) {
            self.set("base_time_spread_ns", json!(high.saturating_sub(*low)));
        }
    }

    /// Names of work and Python frames in the order of the files, and what the Python tree says.
    fn names(&mut self) {
        let mut names = Vec::new();
        let mut longest = 0;
        for trace in self.run.trace_ids() {
            let data = self.run.trace(trace);
            let mut found: Vec<(u64, &str)> = (0..data.spans().len())
                .filter(|i| {
                    data.spans().kinds()[*i].is_work() || data.spans().kinds()[*i] == Kind::Python
                })
                .map(|i| {
                    (
                        data.span(SpanId::from_index(i)).at,
                        data.name(SpanId::from_index(i)),
                    )
                })
                .collect();
            found.sort_unstable();
            longest = found
                .iter()
                .map(|it| it.1.chars().count())
                .fold(longest, usize::max);
            names.extend(found.into_iter().map(|it| json!(it.1)));
        }
        self.list("names", names);
        self.set("max_name_chars", json!(longest));
        self.python();
        self.begin_end();
    }

    /// Depth by parent ids, and frames cut at their parent's end.
    fn python(&mut self) {
        let mut depth_max = 0;
        let mut clamped = Map::new();
        for trace in self.run.trace_ids() {
            let data = self.run.trace(trace);
            let mut frames: BTreeMap<i64, (Option<i64>, SpanId)> = BTreeMap::new();
            for i in (0..data.spans().len()).filter(|i| data.spans().kinds()[*i] == Kind::Python) {
                let id = SpanId::from_index(i);
                let Ok(fields) = self.workspace.fields(SpanRef { trace, span: id }) else {
                    continue;
                };
                let number = |key: &str| fields.get("args")?.get(key)?.as_i64();
                if let Some(own) = number("Python id") {
                    frames.insert(own, (number("Python parent id"), id));
                }
            }
            for (parent, id) in frames.values() {
                let mut depth = 1;
                let mut next = *parent;
                while let Some((up, _)) = next
                    .and_then(|it| frames.get(&it))
                    .filter(|_| depth <= frames.len())
                {
                    depth += 1;
                    next = *up;
                }
                depth_max = depth_max.max(depth);
                let span = data.span(*id);
                if let Some((_, above)) = parent.and_then(|it| frames.get(&it)) {
                    let end = data.span(*above).end();
                    if span.end() > end && clamped.len() < LIST_MAX {
                        clamped.insert(data.name(*id).to_owned(), json!(end.since(span.start)));
                    }
                }
            }
        }
        self.set("python_depth", json!(depth_max));
        self.set("clamped_ns", Value::Object(clamped));
    }

    fn begin_end(&mut self) {
        let mut spans: Vec<(String, i64, i64)> = Vec::new();
        for trace in self.run.trace_ids() {
            let data = self.run.trace(trace);
            for i in 0..data.spans().len() {
                let span = data.span(SpanId::from_index(i));
                if span.flags.has(Flags::FROM_EDGES) {
                    spans.push((
                        data.names().text(span.name).to_owned(),
                        span.start.0,
                        span.end().0,
                    ));
                }
            }
        }
        spans.sort();
        self.list(
            "begin_end_spans_ns",
            spans
                .into_iter()
                .map(|it| json!([it.0, it.1, it.2]))
                .collect(),
        );
    }

    fn memory(&mut self) {
        let counters = || self.run.members().iter().flat_map(|it| it.trace.counters());
        let on_gpu0 = |it: &&Counter| it.unit == Unit::Bytes && it.device == Some(0);
        let text = |it: &Counter| {
            let owner = self
                .run
                .members()
                .iter()
                .find(|member| member.trace.counters().iter().any(|c| std::ptr::eq(c, it)));
            owner
                .map_or("", |member| member.trace.names().text(it.name))
                .to_owned()
        };
        let levels = counters()
            .filter(|it| it.unit == Unit::Bytes)
            .filter(|it| text(it).ends_with("allocated"));
        let events: usize = levels.map(|it| it.times.len()).sum();
        let of = |word: &str| {
            counters()
                .filter(on_gpu0)
                .find(|it| text(it).ends_with(word))
                .map(|it| it.values.clone())
        };
        let (allocated, reserved) = (of("allocated"), of("reserved"));
        self.set("memory_events", json!(events));
        #[expect(
            clippy::cast_possible_truncation,
            reason = "bytes that came from integers"
        )]
        let whole = |it: f64| json!(it.round() as i64);
        let peak = |it: &[f64]| it.iter().copied().fold(f64::MIN, f64::max);
        if let Some(values) = allocated {
            self.set("memory_peak_gpu0", whole(peak(&values)));
            self.list("memory_curve_gpu0", values.into_iter().map(whole).collect());
        }
        if let Some(values) = reserved {
            self.set("memory_reserved_peak_gpu0", whole(peak(&values)));
        }
    }

    fn gpus(&mut self, gpus: &[GpuActivity]) {
        let with_rank = self.workspace.intake().is_collection || self.run.ranks().len() > 1;
        let mut tables: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
        let mut put = |table: &'static str, key: &str, value: Value| {
            tables
                .entry(table)
                .or_default()
                .insert(key.to_owned(), value);
        };
        let mut each: BTreeMap<&str, BTreeSet<Vec<i64>>> = BTreeMap::new();
        for gpu in gpus {
            let key = gpu_key(self.run, gpu.trace, gpu.device, with_rank);
            let figures = &gpu.figures;
            put("busy_ns", &key, json!(figures.busy));
            put("wall_ns", &key, json!(wall(figures)));
            put("gaps_ns", &key, lengths(&figures.gaps));
            put("comm_ns", &key, json!(figures.communication));
            put("compute_ns", &key, json!(figures.compute));
            put("overlap_ns", &key, json!(figures.overlap));
            put(
                "exposed_comm_ns",
                &key,
                json!(figures.exposed_communication),
            );
            each.entry("busy_ns_each")
                .or_default()
                .insert(vec![figures.busy.0]);
            each.entry("wall_ns_each")
                .or_default()
                .insert(vec![wall(figures).0]);
            let gaps = figures.gaps.iter().map(|it| it.len().0).collect();
            each.entry("gaps_ns_each").or_default().insert(gaps);
            for stream in &gpu.streams {
                let row = &self.run.trace(gpu.trace).track(stream.track).key.thread;
                let key = format!("{key}/s{row}");
                put("gpu_spans", &key, json!(stream.span_count));
                put("stream_sum_ns", &key, json!(stream.sum));
                put("same_stream_overlap_ns", &key, json!(stream.overlap));
                if let Some((busy, gaps)) = &stream.clipped {
                    put("clipped_busy_ns", &key, json!(busy));
                    put("clipped_gaps_ns", &key, lengths(gaps));
                }
            }
            if let Some(clipped) = &gpu.clipped {
                put("clipped_busy_ns", &key, json!(clipped.busy));
                put("clipped_gaps_ns", &key, lengths(&clipped.gaps));
            }
        }
        for (table, values) in tables {
            self.set(table, Value::Object(values));
        }
        for (key, values) in each {
            let is_list = key == "gaps_ns_each";
            let flat = |it: Vec<i64>| {
                if is_list {
                    json!(it)
                } else {
                    json!(it.first())
                }
            };
            self.list(key, values.into_iter().map(flat).collect());
        }
    }
}

fn gpu_key(run: &Run, trace: TraceId, device: i64, with_rank: bool) -> String {
    match run.member(trace).rank {
        Some(rank) if with_rank => format!("r{}/g{device}", rank.0),
        _ => format!("g{device}"),
    }
}

fn wall(figures: &Figures) -> Dur {
    figures.wall.map_or(Dur::ZERO, TimeRange::len)
}

fn lengths(ranges: &[TimeRange]) -> Value {
    ranges
        .iter()
        .take(LIST_MAX)
        .map(|it| json!(it.len()))
        .collect()
}
