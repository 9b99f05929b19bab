//! Tracks given places: the tree of run, ranks, devices, streams, threads and counters as a list of
//! lanes from top to bottom (ui.md 3). The order of tracks is that of the `Outline`. One file because
//! the kinds of lane make one list.

use std::collections::BTreeSet;

use crate::model::{Counter, RankId, Role, Run, TraceId, Track, TrackId, Unit};
use crate::view::arrangement::Arrangement;
use crate::view::counter::counter_title;
use crate::view::lane::{Lane, LaneKey};
use crate::view::lane_heights::LaneHeights;
use crate::view::lane_titles::{other_title, others_words, thread_title};
use crate::view::outline::Outline;

/// Sub-lanes of a stream and depths of a thread that are drawn without asking.
const SUB_LANES_SHOWN: u16 = 4;
const DEPTHS_SHOWN: u16 = 3;
/// The same where one trace has the window to itself.
const DEPTHS_ALONE: u16 = 10;
/// Ranks that start open.
const OPEN_RANKS_MAX: usize = 8;

/// All lanes of a run as they open, whatever is pinned or hidden, without their places. `launching` is
/// the thread that launched the selection: it has a lane of its own.
pub(super) fn lanes(
    run: &Run,
    outline: &Outline,
    arrangement: &Arrangement,
    heights: &LaneHeights,
    launching: Option<(TraceId, TrackId)>,
) -> Vec<Lane> {
    let mut list = List {
        run,
        outline,
        arrangement,
        heights,
        launching,
        twice: ranks_with_several_files(run),
        lanes: Vec::new(),
        space: 0.0,
    };
    let mut traces: Vec<TraceId> = run.trace_ids().collect();
    arrangement.sort(&mut traces, |it| LaneKey::Rank(*it));
    for trace in traces {
        list.trace(trace);
    }
    list.lanes
}

fn ranks_with_several_files(run: &Run) -> BTreeSet<RankId> {
    let mut seen = BTreeSet::new();
    let ranks = run.members().iter().filter_map(|it| it.rank);
    ranks.filter(|it| !seen.insert(*it)).collect()
}

struct List<'a> {
    run: &'a Run,
    outline: &'a Outline,
    arrangement: &'a Arrangement,
    heights: &'a LaneHeights,
    launching: Option<(TraceId, TrackId)>,
    twice: BTreeSet<RankId>,
    lanes: Vec<Lane>,
    /// Above the lane that follows.
    space: f32,
}

impl List<'_> {
    fn is_open(&self, key: LaneKey, default: bool) -> bool {
        self.arrangement.open(key).unwrap_or(default)
    }

    fn add(
        &mut self,
        key: LaneKey,
        title: String,
        note: String,
        level: u8,
        height: f32,
    ) -> &mut Lane {
        let lane = Lane {
            key,
            title,
            note,
            level,
            space: std::mem::take(&mut self.space),
            top: 0.0,
            height,
            open: None,
            is_heat: false,
            shown_rows: 1,
            hidden_rows: 0,
        };
        self.lanes.push(lane);
        let last = self.lanes.len() - 1;
        &mut self.lanes[last]
    }

    fn trace(&mut self, id: TraceId) {
        let trace = self.run.trace(id);
        let devices = trace.devices();
        let many = self.run.members().len() > OPEN_RANKS_MAX;
        let key = LaneKey::Rank(id);
        let open = self.is_open(key, !many);
        let mut note = match devices.as_slice() {
            [one] => format!("GPU {one}"),
            [] if self.run.member(id).rank.is_some() || trace.spans().is_empty() => {
                "no GPU activity".to_owned()
            }
            [] => "CPU only".to_owned(),
            several => format!("{} GPUs", several.len()),
        };
        // Of two recordings of one rank only the files tell which is which.
        if self
            .run
            .member(id)
            .rank
            .is_some_and(|it| self.twice.contains(&it))
        {
            note = format!("{note} · {}", self.run.member(id).file);
        }
        let is_heat = !open && !devices.is_empty();
        let height = if is_heat {
            self.heights.of_heat(self.run.members().len())
        } else {
            self.heights.rank
        };
        let is_whole_run = self.run.members().len() == 1 && self.run.member(id).rank.is_none();
        let title = if is_whole_run {
            self.run.name().to_owned()
        } else {
            self.run.title(id)
        };
        let lane = self.add(key, title, note, 0, height);
        lane.open = Some(open);
        lane.is_heat = is_heat;
        if open {
            for device in &devices {
                if devices.len() > 1 {
                    self.device_header(id, *device);
                }
                if devices.len() == 1 || self.is_open(LaneKey::Device(id, *device), true) {
                    self.streams(id, *device);
                }
            }
            self.threads(id, devices.is_empty());
            self.others(id);
            self.counters(id);
        }
        if !many {
            self.space = self.heights.between;
        }
    }

    fn device_header(&mut self, id: TraceId, device: i64) {
        let key = LaneKey::Device(id, device);
        let open = self.is_open(key, true);
        let lane = self.add(
            key,
            format!("GPU {device}"),
            String::new(),
            1,
            self.heights.rank,
        );
        lane.open = Some(open);
    }

    fn streams(&mut self, id: TraceId, device: i64) {
        let (trace, outline) = (self.run.trace(id), self.outline);
        let mut streams: Vec<(TrackId, &str)> = outline.of(id).streams.clone();
        streams.retain(|it| trace.track(it.0).key.device == Some(device));
        let arrangement = self.arrangement;
        arrangement.sort(&mut streams, |it| LaneKey::Track(id, it.0));
        for (track, word) in &streams {
            let it = trace.track(*track);
            let key = LaneKey::Track(id, *track);
            let most = if self.is_open(key, false) {
                u16::MAX
            } else {
                SUB_LANES_SHOWN
            };
            let shown = it.lane_count.clamp(1, most);
            let height = if shown == 1 {
                self.heights.stream
            } else {
                self.heights.sub_lane * f32::from(shown)
            };
            let lane = self.add(
                key,
                format!("Stream {}", it.key.thread),
                (*word).to_owned(),
                1,
                height,
            );
            lane.shown_rows = shown;
            lane.hidden_rows = it.lane_count.saturating_sub(shown);
            lane.open = (it.lane_count > SUB_LANES_SHOWN).then_some(lane.hidden_rows == 0);
        }
        self.add(
            LaneKey::Band(id, device),
            String::new(),
            String::new(),
            1,
            self.heights.band,
        );
    }

    fn threads(&mut self, id: TraceId, is_main: bool) {
        let outline = self.outline;
        let mut threads = outline.of(id).threads.clone();
        let main = outline.of(id).main_thread;
        if let Some(main) = main {
            self.thread(id, main, 1, DEPTHS_ALONE);
        }
        // In a group that is open it stands among the others.
        let key = LaneKey::Threads(id);
        let open = self.is_open(key, is_main);
        let launching = self.launching.filter(|it| it.0 == id && !open);
        let launching = launching.filter(|it| threads.contains(&it.1));
        if let Some((_, track)) = launching {
            threads.retain(|it| *it != track);
            self.thread(id, track, 1, DEPTHS_SHOWN);
        }
        if threads.is_empty() {
            return;
        }
        let more = if main.is_some() || launching.is_some() {
            "more "
        } else {
            ""
        };
        let title = match threads.len() {
            1 => format!("1 {more}CPU thread"),
            count => format!("{count} {more}CPU threads"),
        };
        self.add(key, title, String::new(), 1, self.heights.collapsed)
            .open = Some(open);
        if !open {
            return;
        }
        let is_first = main.is_none() && self.run.members().len() <= OPEN_RANKS_MAX;
        let first = threads.first().copied();
        let arrangement = self.arrangement;
        arrangement.sort(&mut threads, |it| LaneKey::Track(id, *it));
        for track in threads {
            let depths = if is_first && first == Some(track) {
                DEPTHS_SHOWN
            } else {
                1
            };
            self.thread(id, track, 2, depths);
        }
    }

    fn thread(&mut self, id: TraceId, track: TrackId, level: u8, depths: u16) {
        let it = self.run.trace(id).track(track);
        self.row_lane(
            LaneKey::Track(id, track),
            it,
            level,
            depths,
            thread_title(it),
        );
    }

    /// A lane of nested rows. It has all of them once it was opened, one once it was closed, and
    /// `default` before: open is the one that hides nothing.
    fn row_lane(
        &mut self,
        key: LaneKey,
        track: &Track,
        level: u8,
        default: u16,
        (title, note): (String, String),
    ) {
        let shown = match self.arrangement.open(key) {
            Some(true) => track.lane_count,
            Some(false) => 1,
            None => track.lane_count.min(default),
        };
        let shown = shown.max(1);
        let apart = if level == 2 { 2.0 } else { 0.0 };
        let height = self.heights.cpu_row * f32::from(shown) + apart;
        let lane = self.add(key, title, note, level, height);
        lane.shown_rows = shown;
        lane.hidden_rows = track.lane_count.saturating_sub(shown);
        lane.open = (track.lane_count > 1).then_some(lane.hidden_rows == 0);
    }

    fn others(&mut self, id: TraceId) {
        let (trace, outline) = (self.run.trace(id), self.outline);
        let others = &outline.of(id).others;
        if others.is_empty() {
            return;
        }
        let key = LaneKey::Others(id);
        let has_main = trace
            .tracks()
            .iter()
            .any(|it| matches!(it.key.role, Role::Work | Role::Cpu));
        let open = self.is_open(key, !has_main);
        let count = others.len();
        let title = if count == 1 {
            "1 other row".to_owned()
        } else {
            format!("{count} other rows")
        };
        let roles = others.iter().map(|it| trace.track(*it).key.role);
        self.add(key, title, others_words(roles), 1, self.heights.collapsed)
            .open = Some(open);
        if open {
            for track in others {
                let it = trace.track(*track);
                let key = LaneKey::Track(id, *track);
                self.row_lane(key, it, 2, SUB_LANES_SHOWN, other_title(it));
            }
        }
    }

    fn counters(&mut self, id: TraceId) {
        let trace = self.run.trace(id);
        let alone = self.run.members().len() == 1;
        let mut counters: Vec<(usize, &Counter)> = trace.counters().iter().enumerate().collect();
        let number = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
        let arrangement = self.arrangement;
        arrangement.sort(&mut counters, |it| LaneKey::Counter(id, number(it.0)));
        for (position, counter) in counters {
            let is_memory = counter.unit == Unit::Bytes;
            let shown = alone || is_memory && counter.device.is_some();
            if !shown {
                continue;
            }
            let Some((title, note)) = counter_title(trace, position) else {
                continue;
            };
            let height = if is_memory {
                self.heights.memory
            } else {
                self.heights.counter
            };
            let key = LaneKey::Counter(id, number(position));
            self.add(key, title, note, 1, height);
        }
    }
}
