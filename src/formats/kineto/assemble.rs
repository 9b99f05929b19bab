//! Pieces of a file to traces: labels, begin and end pairs, counters, rows that turn out to be a
//! GPU's, what the head says, and the split of a merged file by rank.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::base::{Cancelled, Job, Time};
use crate::formats::kineto::arrows::points;
use crate::formats::kineto::category::{
    device_of_process, device_of_queues, kind_of_work, stream_of_thread,
};
use crate::formats::kineto::document::Head;
use crate::formats::kineto::head::read_head;
use crate::formats::kineto::piece::{Edge, EdgePhase, MemoryEvent, Piece};
use crate::model::{
    Batch, Counter, Flags, Groups, Issue, Kind, NameId, RankId, RawSpan, Role, RowId, Trace,
    TraceBuilder, TrackKey, Unit, last_end, ranks_in_groups,
};

/// Collects pieces in the order of the file.
#[derive(Default)]
pub(super) struct Assembly {
    builder: TraceBuilder,
    edges: Vec<Edge>,
    memory: Vec<MemoryEvent>,
    series: BTreeMap<(RowId, String), Vec<(i64, f64)>>,
    processes: BTreeMap<RowId, String>,
    threads: BTreeMap<(RowId, RowId), String>,
    last_end: Option<Time>,
    is_kineto: bool,
}

impl Assembly {
    pub(super) fn take(&mut self, piece: Piece) {
        self.builder.expect_spans(piece.expected_spans);
        let Piece {
            batch,
            edges,
            samples,
            series_keys,
            memory,
            processes,
            threads,
            ..
        } = piece;
        self.is_kineto |= batch
            .spans
            .kind
            .iter()
            .any(|it| it.is_work() || it.is_call());
        self.last_end = self.last_end.max(last_end(&batch.spans));
        let texts = batch.names.clone();
        let text = |name: NameId| texts.get(name.index()).map_or("", |it| it);
        let names: Vec<NameId> = batch.names.iter().map(|it| self.builder.name(it)).collect();
        let tracks: Vec<u32> = batch
            .tracks
            .iter()
            .map(|it| self.builder.track(it.clone()))
            .collect();
        for edge in edges {
            self.last_end = self.last_end.max(Some(Time(edge.time)));
            let name = names.get(edge.name.index()).copied().unwrap_or_default();
            let track = tracks.get(edge.track as usize).copied().unwrap_or_default();
            self.edges.push(Edge {
                track,
                name,
                ..edge
            });
        }
        let title = |(process, name, key, id): &(RowId, NameId, String, Option<String>)| {
            let mut title = text(*name).to_owned();
            for part in [Some(key), id.as_ref()]
                .into_iter()
                .flatten()
                .filter(|it| !it.is_empty())
            {
                title.push(' ');
                title.push_str(part);
            }
            (process.clone(), title)
        };
        let titles: Vec<(RowId, String)> = series_keys.iter().map(title).collect();
        for sample in samples {
            if let Some(title) = titles.get(sample.series as usize) {
                self.series
                    .entry(title.clone())
                    .or_default()
                    .push((sample.time, sample.value));
            }
        }
        self.memory.extend(memory);
        self.processes.extend(processes);
        self.threads.extend(threads);
        self.builder.append(batch);
    }

    /// Puts everything together: one trace, or one a rank for a merged file.
    /// `bytes` are what the pieces were read from.
    pub(super) fn finish(
        mut self,
        head: &Head,
        bytes: &[u8],
        job: &Job,
    ) -> Result<Vec<Trace>, Cancelled> {
        self.builder.issues(&head.ledger);
        self.pair_edges();
        self.memory_counters();
        for ((process, title), mut samples) in std::mem::take(&mut self.series) {
            samples.sort_by_key(|it| it.0);
            let name = self.builder.name(&title);
            self.builder.counter(Counter {
                name,
                unit: Unit::Plain,
                device: None,
                process,
                times: samples.iter().map(|it| Time(it.0)).collect(),
                values: samples.iter().map(|it| it.1).collect(),
                derived_count: 0,
            });
        }
        read_head(head, self.is_kineto, self.last_end, &mut self.builder);
        for (process, label) in &self.processes {
            self.builder.label_process(process.clone(), label);
        }
        for ((process, thread), label) in &self.threads {
            self.builder
                .label_thread(process.clone(), thread.clone(), label);
        }
        self.find_gpu_rows();
        let places = points(bytes, self.builder.arrows_wanted());
        self.builder.place_arrows(places);
        let ranks = self.ranks_of_processes();
        if ranks
            .values()
            .collect::<std::collections::BTreeSet<_>>()
            .len()
            < 2
        {
            return Ok(vec![self.builder.finish(job)?]);
        }
        let rank = |key: &TrackKey| ranks.get(&key.process).copied().unwrap_or(u32::MAX);
        let parts = self.builder.split(rank);
        let finish = |(rank, mut builder): (u32, TraceBuilder)| {
            builder.head_mut().rank = (rank != u32::MAX).then_some(RankId(rank));
            builder.finish(job)
        };
        parts.into_iter().map(finish).collect()
    }

    /// An end closes the latest open begin of its thread; async ends that of the same id. What is
    /// never closed is open to the last time of the file.
    fn pair_edges(&mut self) {
        let mut edges = std::mem::take(&mut self.edges);
        if edges.is_empty() {
            return;
        }
        edges.sort_by_key(|it| (it.track, it.id, it.time));
        let mut batch = Batch {
            tracks: self.builder.track_keys().to_vec(),
            ..Batch::default()
        };
        let mut names = Names::default();
        for group in edges.chunk_by(|a, b| (a.track, a.id) == (b.track, b.id)) {
            let mut open: Vec<&Edge> = Vec::new();
            for edge in group {
                match edge.phase {
                    EdgePhase::Begin | EdgePhase::AsyncBegin => open.push(edge),
                    EdgePhase::End | EdgePhase::AsyncEnd => match open.pop() {
                        Some(begin) => names.push(
                            &mut batch,
                            begin,
                            edge.time,
                            Flags::default(),
                            &self.builder,
                        ),
                        None => self.builder.issue(Issue::UnbalancedEnd, Some(edge.at)),
                    },
                }
            }
            for begin in open {
                let end = self.last_end.map_or(begin.time, |it| it.0);
                self.builder.issue(Issue::UnbalancedBegin, Some(begin.at));
                names.push(&mut batch, begin, end, Flags::OPEN, &self.builder);
            }
        }
        self.builder.append(batch);
    }

    /// Bytes over time per device; a level without a total is derived from the bytes.
    fn memory_counters(&mut self) {
        let mut by_device: BTreeMap<(i64, i64), Vec<MemoryEvent>> = BTreeMap::new();
        for event in std::mem::take(&mut self.memory) {
            if event.allocated.is_none() {
                self.builder
                    .issue(Issue::MemoryTotalMissing, Some(event.at));
            }
            let device = event.device.unwrap_or(0);
            by_device
                .entry((event.device_type.unwrap_or(0), device))
                .or_default()
                .push(event);
        }
        for ((device_type, device), mut events) in by_device {
            events.sort_by_key(|it| it.time);
            let on_gpu = (device_type != 0).then_some(device);
            let place = if device_type == 0 { "CPU" } else { "GPU" };
            let mut level = 0_i64;
            let mut derived_count = 0;
            let mut allocated = Vec::new();
            let mut reserved = Vec::new();
            for event in &events {
                derived_count += u64::from(event.allocated.is_none());
                level = event
                    .allocated
                    .unwrap_or_else(|| level.saturating_add(event.bytes));
                allocated.push((event.time, level as f64));
                if let Some(bytes) = event.reserved.filter(|it| *it > 0) {
                    reserved.push((event.time, bytes as f64));
                }
            }
            let levels = [
                ("allocated", allocated, derived_count),
                ("reserved", reserved, 0),
            ];
            for (what, samples, derived_count) in levels {
                if samples.is_empty() {
                    continue;
                }
                let name = self.builder.name(&format!("{place} memory {what}"));
                self.builder.counter(Counter {
                    name,
                    unit: Unit::Bytes,
                    device: on_gpu,
                    process: RowId::Number(device),
                    times: samples.iter().map(|it| Time(it.0)).collect(),
                    values: samples.iter().map(|it| it.1).collect(),
                    derived_count,
                });
            }
        }
    }

    /// Spans without a known category on a stream's row of a process called `/device:GPU:n` or
    /// `Device n`, or on any numbered row of one called `GPUn`, are that GPU's work; its other rows
    /// count as nothing.
    fn find_gpu_rows(&mut self) {
        let mut work: FxHashMap<TrackKey, TrackKey> = FxHashMap::default();
        for key in self.builder.track_keys() {
            if !matches!(key.role, Role::Cpu | Role::Other) {
                continue;
            }
            let process = self
                .builder
                .process_label(&key.process)
                .or_else(|| text_of(&key.process));
            let thread = self
                .builder
                .thread_label(&key.process, &key.thread)
                .or_else(|| text_of(&key.thread));
            let queue = process.and_then(device_of_queues);
            let device = process.and_then(device_of_process).or(queue);
            let stream = thread
                .and_then(stream_of_thread)
                .or_else(|| key.thread.number().filter(|_| queue.is_some()));
            if let Some(device) = device {
                let role = if stream.is_some() {
                    Role::Work
                } else {
                    Role::Other
                };
                let thread = stream
                    .filter(|_| key.thread.number().is_none())
                    .map_or_else(|| key.thread.clone(), RowId::Number);
                let new = TrackKey {
                    role,
                    device: Some(device),
                    process: key.process.clone(),
                    thread,
                };
                work.insert(key.clone(), new);
            }
        }
        if work.is_empty() {
            return;
        }
        let mut is_work = vec![false; self.builder.track_keys().len()];
        for (key, flag) in self.builder.keys_mut().zip(&mut is_work) {
            if let Some(new) = work.get(key) {
                *flag = new.role == Role::Work;
                *key = new.clone();
            }
        }
        self.builder.rekind(
            |track| is_work.get(track as usize) == Some(&true),
            kind_of_work,
        );
    }

    /// Ranks that a merged file writes into its process names or ids.
    fn ranks_of_processes(&self) -> BTreeMap<RowId, u32> {
        let mut places = BTreeMap::new();
        for key in self.builder.track_keys() {
            let label = self
                .builder
                .process_label(&key.process)
                .and_then(Groups::from_process);
            let place = label.or_else(|| text_of(&key.process).and_then(Groups::from_process));
            if let Some(place) = place {
                places.insert(key.process.clone(), place);
            }
        }
        let ranks = ranks_in_groups(&places.values().copied().collect::<Vec<_>>());
        places.into_keys().zip(ranks).collect()
    }
}

fn text_of(row: &RowId) -> Option<&str> {
    match row {
        RowId::Text(text) => Some(text),
        RowId::Number(_) => None,
    }
}

/// Builder names to batch names, for spans made of edges.
#[derive(Default)]
struct Names {
    ids: FxHashMap<NameId, NameId>,
}

impl Names {
    fn push(
        &mut self,
        batch: &mut Batch,
        begin: &Edge,
        end: i64,
        flags: Flags,
        builder: &TraceBuilder,
    ) {
        let next = NameId::from_index(batch.names.len());
        let name = *self.ids.entry(begin.name).or_insert_with(|| {
            batch.names.push(builder.text(begin.name).to_owned());
            next
        });
        batch.spans.push(RawSpan {
            start: begin.time,
            dur: end.saturating_sub(begin.time).max(0),
            name,
            track: begin.track,
            // A begin stands on a row of the CPU, where nothing is work.
            kind: if begin.kind.is_work() {
                Kind::Other
            } else {
                begin.kind
            },
            flags: flags.with(Flags::FROM_EDGES),
            at: begin.at,
        });
    }
}
