//! Events into columns: one reader per chunk of a file.
//!
//! A reader interns names and rows by their bytes in the file, so that the common event costs a few
//! hash look-ups and no allocation. What a chunk cannot know (which begin an end belongs to, what a
//! process is called, whether a row is a GPU's) is handed on in its [`Piece`]. One file because every phase of event fills the same columns.

use rustc_hash::FxHashMap;
use serde_json::{Map, Value};

use crate::formats::kineto::args::{Args, Picked};
use crate::formats::kineto::category::{kind_of, kind_of_work, role_of, stream_of_thread};
use crate::formats::kineto::event::{Event, Scalar, is_plain};
use crate::formats::kineto::number::{id, integer, nanoseconds};
use crate::formats::kineto::piece::{Edge, EdgePhase, MemoryEvent, Piece, Sample};
use crate::model::{Arrow, ArrowEnd, Flags, Issue, Kind, NameId, Role, RowId, Tie, TrackKey};

type RowTexts<'a> = (Option<Scalar<'a>>, Option<Scalar<'a>>, Role, Option<i64>);

/// Fills a [`Piece`] from events of the bytes `'a`.
pub(super) struct Reader<'a> {
    pub(super) piece: Piece,
    names: FxHashMap<&'a [u8], NameId>,
    odd_names: FxHashMap<String, NameId>,
    rows: FxHashMap<RowTexts<'a>, u32>,
    last_row: Option<(RowTexts<'a>, u32)>,
    keys: FxHashMap<TrackKey, u32>,
}

/// An event whose fields are known, whichever way it was read.
struct Record<'r> {
    at: u64,
    phase: Option<u8>,
    category: &'r [u8],
    process: Option<Scalar<'r>>,
    thread: Option<Scalar<'r>>,
    time: Option<Scalar<'r>>,
    dur: Option<Scalar<'r>>,
    id: Option<Scalar<'r>>,
    args: Args<'r>,
}

impl<'a> Reader<'a> {
    pub(super) fn new() -> Self {
        Self {
            piece: Piece::default(),
            names: FxHashMap::default(),
            odd_names: FxHashMap::default(),
            rows: FxHashMap::default(),
            last_row: None,
            keys: FxHashMap::default(),
        }
    }

    /// Takes a plainly read event; false if its name needs the slow reader.
    pub(super) fn take(&mut self, event: &Event<'a>, at: u64) -> bool {
        if event.is_empty {
            self.piece.batch.tally.read += 1;
            self.piece.batch.tally.empty += 1;
            return true;
        }
        let Some(name) = self.plain_name(event.name) else {
            return false;
        };
        let record = Record {
            at,
            phase: event.phase,
            category: event.category,
            process: event.process,
            thread: event.thread,
            time: event.time,
            dur: event.dur,
            id: event.id,
            args: event.args.map_or(Args::None, Args::Plain),
        };
        self.place(
            &record,
            name,
            event.name,
            Some((event.process, event.thread)),
        );
        true
    }

    /// Takes an event that was mended.
    pub(super) fn take_mended(&mut self, fields: &Map<String, Value>, at: u64) {
        if fields.is_empty() {
            self.piece.batch.tally.read += 1;
            self.piece.batch.tally.empty += 1;
            return;
        }
        let text = |key: &str| fields.get(key).and_then(Value::as_str).unwrap_or_default();
        let numbers = ["pid", "tid", "ts", "dur", "id"].map(|key| match fields.get(key) {
            Some(Value::Number(it)) => Some((it.to_string(), false)),
            Some(Value::String(it)) => Some((it.clone(), true)),
            _ => None,
        });
        let [process, thread, time, dur, id] = &numbers;
        let phase = text("ph").as_bytes();
        let record = Record {
            at,
            phase: phase.first().copied().filter(|_| phase.len() == 1),
            category: text("cat").as_bytes(),
            process: scalar(process.as_ref()),
            thread: scalar(thread.as_ref()),
            time: scalar(time.as_ref()),
            dur: scalar(dur.as_ref()),
            id: scalar(id.as_ref()),
            args: fields
                .get("args")
                .and_then(Value::as_object)
                .map_or(Args::None, Args::Mended),
        };
        let name = text("name");
        let number = self.odd_name(name);
        self.place(&record, number, name.as_bytes(), None);
    }

    fn plain_name(&mut self, text: &'a [u8]) -> Option<NameId> {
        if let Some(name) = self.names.get(text) {
            return Some(*name);
        }
        if !is_plain(text) {
            return None;
        }
        let name = NameId::from_index(self.piece.batch.names.len());
        self.piece
            .batch
            .names
            .push(String::from_utf8_lossy(text).into_owned());
        self.names.insert(text, name);
        Some(name)
    }

    fn odd_name(&mut self, text: &str) -> NameId {
        if let Some(name) = self.odd_names.get(text) {
            return *name;
        }
        let name = NameId::from_index(self.piece.batch.names.len());
        self.piece.batch.names.push(text.to_owned());
        self.odd_names.insert(text.to_owned(), name);
        name
    }

    fn place(
        &mut self,
        record: &Record<'_>,
        name: NameId,
        text: &[u8],
        raw: Option<(Option<Scalar<'a>>, Option<Scalar<'a>>)>,
    ) {
        let piece = &mut self.piece;
        piece.batch.tally.read += 1;
        match record.phase {
            Some(b'X') => self.span(record, name, text, raw),
            Some(b'M') => {
                piece.batch.tally.labels += 1;
                piece.label(
                    text,
                    row_id(record.process),
                    row_id(record.thread),
                    &record.args,
                );
            }
            Some(phase @ (b's' | b't' | b'f')) => {
                piece.batch.tally.arrows += 1;
                let end = match phase {
                    b's' => ArrowEnd::Tail,
                    b't' => ArrowEnd::Middle,
                    _ => ArrowEnd::Head,
                };
                let id = record.id.map_or(0, id_of) ^ hash(record.category).rotate_left(40);
                piece.batch.arrows.push(Arrow { id, end });
            }
            Some(b'i' | b'I' | b'R' | b'n') if text == b"[memory]" => self.memory(record),
            Some(b'i' | b'I' | b'R' | b'n') => self.instant(record, name, raw),
            Some(b'C') => self.counter(record, name),
            Some(phase @ (b'B' | b'E' | b'b' | b'e')) => self.edge(record, phase, name, raw),
            Some(_) => piece.counted(Issue::UnknownPhase, record.at),
            None => piece.counted(Issue::NotAnEvent, record.at),
        }
    }

    fn span(
        &mut self,
        record: &Record<'_>,
        name: NameId,
        text: &[u8],
        raw: Option<(Option<Scalar<'a>>, Option<Scalar<'a>>)>,
    ) {
        let kind = kind_of_record(record.category, text);
        let Some(start) = self.time(record) else {
            return;
        };
        let (dur, mut flags) = self.duration(record);
        let mut picked = Picked::default();
        let mut role = role_of(kind);
        if kind.is_work() || kind.is_call() || matches!(role, Role::Annotation | Role::Sync) {
            picked = record.args.pick();
        }
        if kind == Kind::Other && !record.category.is_empty() {
            role = Role::Other;
        }
        if picked.is_collective {
            flags = flags.with(Flags::COLLECTIVE);
        }
        if picked.is_graph_node {
            flags = flags.with(Flags::GRAPH_NODE);
        }
        let track = self.track(record, role, picked.device, raw);
        let spans = &mut self.piece.batch.spans;
        if let Some(correlation) = picked
            .correlation
            .filter(|_| kind.is_work() || kind.is_call())
        {
            let span = u32::try_from(spans.len()).unwrap_or(u32::MAX);
            self.piece.batch.ties.push(Tie { span, correlation });
        }
        spans.start.push(start);
        spans.dur.push(dur);
        spans.name.push(name);
        spans.track.push(track);
        spans.kind.push(kind);
        spans.flags.push(flags);
        spans.at.push(record.at);
        self.piece.batch.tally.spans += 1;
    }

    fn instant(
        &mut self,
        record: &Record<'_>,
        name: NameId,
        raw: Option<(Option<Scalar<'a>>, Option<Scalar<'a>>)>,
    ) {
        let Some(start) = self.time(record) else {
            return;
        };
        let track = self.track(record, Role::Cpu, None, raw);
        let spans = &mut self.piece.batch.spans;
        spans.start.push(start);
        spans.dur.push(0);
        spans.name.push(name);
        spans.track.push(track);
        spans.kind.push(Kind::Instant);
        spans.flags.push(Flags::default());
        spans.at.push(record.at);
        self.piece.batch.tally.spans += 1;
    }

    fn edge(
        &mut self,
        record: &Record<'_>,
        phase: u8,
        name: NameId,
        raw: Option<(Option<Scalar<'a>>, Option<Scalar<'a>>)>,
    ) {
        let Some(time) = self.time(record) else {
            return;
        };
        let kind = kind_of_record(record.category, b"");
        let (phase, role) = match phase {
            b'B' => (EdgePhase::Begin, role_of(kind)),
            b'E' => (EdgePhase::End, role_of(kind)),
            b'b' => (EdgePhase::AsyncBegin, Role::Async),
            _ => (EdgePhase::AsyncEnd, Role::Async),
        };
        let is_async = role == Role::Async;
        let id = is_async.then(|| record.id.map_or(0, id_of) ^ hash(record.category));
        // Begin and end of a thread may name different categories: both stand on its CPU row.
        let track = self.track(record, if is_async { role } else { Role::Cpu }, None, raw);
        let kind = if is_async { Kind::Async } else { kind };
        self.piece.edges.push(Edge {
            track,
            time,
            name,
            kind,
            phase,
            id: id.unwrap_or(0),
            at: record.at,
        });
        self.piece.batch.tally.edges += 1;
    }

    fn counter(&mut self, record: &Record<'_>, name: NameId) {
        let Some(time) = self.time(record) else {
            return;
        };
        let process = row_id(record.process).unwrap_or(RowId::Number(0));
        let suffix = record
            .id
            .map(|it| String::from_utf8_lossy(it.text).into_owned());
        let piece = &mut self.piece;
        record.args.each(|key, value| {
            if let Some(value) = std::str::from_utf8(value.text)
                .ok()
                .and_then(|it| it.parse().ok())
            {
                let key = String::from_utf8_lossy(key).into_owned();
                let series = piece.series(process.clone(), name, key, suffix.clone());
                piece.samples.push(Sample {
                    series,
                    time,
                    value,
                });
            }
        });
        piece.batch.tally.samples += 1;
    }

    fn memory(&mut self, record: &Record<'_>) {
        let Some(time) = self.time(record) else {
            return;
        };
        let mut event = MemoryEvent {
            time,
            at: record.at,
            ..MemoryEvent::default()
        };
        record.args.each(|key, value| {
            let number = integer(value.text);
            match key {
                b"Device Type" => event.device_type = number,
                b"Device Id" => event.device = number,
                b"Bytes" => event.bytes = number.unwrap_or(0),
                b"Total Allocated" => event.allocated = number,
                b"Total Reserved" => event.reserved = number,
                _ => {}
            }
        });
        self.piece.memory.push(event);
        self.piece.batch.tally.samples += 1;
    }

    fn time(&mut self, record: &Record<'_>) -> Option<i64> {
        let quoted = |it: Option<Scalar<'_>>| it.is_some_and(|it| it.quoted);
        let ledger = &mut self.piece.batch.ledger;
        if quoted(record.time) || quoted(record.dur) {
            ledger.add(Issue::StringNumber, Some(record.at));
        }
        let Some(time) = record.time.and_then(|it| nanoseconds(it.text)) else {
            let beyond = record.time.is_some_and(|it| {
                it.text.len() > 15 && it.text.iter().all(|it| b"+-.eE0123456789".contains(it))
            });
            self.piece.counted(
                if beyond {
                    Issue::TimeOutOfRange
                } else {
                    Issue::MissingTime
                },
                record.at,
            );
            return None;
        };
        self.piece.batch.has_fractions |= time.has_fraction;
        Some(time.value)
    }

    fn duration(&mut self, record: &Record<'_>) -> (i64, Flags) {
        match record.dur.and_then(|it| nanoseconds(it.text)) {
            Some(dur) if dur.value < 0 => {
                self.piece
                    .batch
                    .ledger
                    .add(Issue::NegativeDuration, Some(record.at));
                (0, Flags::NEGATIVE)
            }
            Some(dur) => {
                self.piece.batch.has_fractions |= dur.has_fraction;
                (dur.value, Flags::default())
            }
            None => {
                self.piece
                    .batch
                    .ledger
                    .add(Issue::MissingDuration, Some(record.at));
                (0, Flags::NO_DURATION)
            }
        }
    }

    fn track(
        &mut self,
        record: &Record<'_>,
        role: Role,
        device: Option<i64>,
        raw: Option<(Option<Scalar<'a>>, Option<Scalar<'a>>)>,
    ) -> u32 {
        let Some((process, thread)) = raw else {
            return self.track_of(row_key(record.process, record.thread, role, device));
        };
        let texts = (process, thread, role, device);
        if let Some((_, track)) = self.last_row.filter(|it| it.0 == texts) {
            return track;
        }
        let track = if let Some(track) = self.rows.get(&texts) {
            *track
        } else {
            let track = self.track_of(row_key(process, thread, role, device));
            self.rows.insert(texts, track);
            track
        };
        self.last_row = Some((texts, track));
        track
    }

    fn track_of(&mut self, key: TrackKey) -> u32 {
        let tracks = &mut self.piece.batch.tracks;
        *self.keys.entry(key).or_insert_with_key(|key| {
            tracks.push(key.clone());
            u32::try_from(tracks.len() - 1).unwrap_or(u32::MAX)
        })
    }
}

/// The kind of an event, where the category `cuda` leaves it to the name.
fn kind_of_record(category: &[u8], name: &[u8]) -> Kind {
    if let Some(kind) = kind_of(category) {
        return kind;
    }
    let ends =
        |word: &[u8]| category.len() > word.len() && category.to_ascii_lowercase().ends_with(word);
    match category {
        b"cuda" => kind_of_work(&String::from_utf8_lossy(name)),
        b"nvtx" => Kind::Annotation,
        b"nvtx-kernel" => Kind::GpuAnnotation,
        _ if ends(b"_runtime") || ends(b"_api") => Kind::Runtime,
        _ if ends(b"_driver") => Kind::Driver,
        _ => Kind::Other,
    }
}

/// Rows of the profiler carry texts where others carry numbers (formats.md 2.7).
fn row_key(
    process: Option<Scalar<'_>>,
    thread: Option<Scalar<'_>>,
    role: Role,
    device: Option<i64>,
) -> TrackKey {
    let process = row_id(process).unwrap_or(RowId::Number(0));
    let thread = row_id(thread).unwrap_or_else(|| process.clone());
    let of_profiler =
        matches!(&process, RowId::Text(it) if matches!(&**it, "" | "Spans" | "Traces"));
    let role = if of_profiler && role == Role::Cpu {
        Role::Overhead
    } else {
        role
    };
    if !matches!(role, Role::Work | Role::Annotation | Role::Sync) {
        return TrackKey {
            role,
            device: None,
            process,
            thread,
        };
    }
    let thread = match &thread {
        RowId::Text(text) => stream_of_thread(text).map_or_else(|| thread.clone(), RowId::Number),
        RowId::Number(_) => thread,
    };
    TrackKey {
        role,
        device: device.or_else(|| process.number()),
        process,
        thread,
    }
}

fn scalar(written: Option<&(String, bool)>) -> Option<Scalar<'_>> {
    written.map(|(text, quoted)| Scalar {
        text: text.as_bytes(),
        quoted: *quoted,
    })
}

fn row_id(scalar: Option<Scalar<'_>>) -> Option<RowId> {
    let scalar = scalar?;
    let number = integer(scalar.text);
    Some(number.map_or_else(
        || RowId::Text(String::from_utf8_lossy(scalar.text).into()),
        RowId::Number,
    ))
}

/// The id of an arrow: its number, else a hash of its text.
fn id_of(scalar: Scalar<'_>) -> u64 {
    id(scalar.text).unwrap_or_else(|| hash(scalar.text))
}

fn hash(text: &[u8]) -> u64 {
    use std::hash::Hasher as _;
    let mut hasher = rustc_hash::FxHasher::default();
    hasher.write(text);
    hasher.finish()
}
