//! Events into columns: one reader per chunk of a file.
//!
//! A reader interns names and rows by their bytes in the file, so that the common event costs a few
//! hash look-ups and no allocation. What a chunk cannot know (which begin an end belongs to, what a
//! process is called, whether a row is a GPU's) is handed on in its [`Piece`].
//!
//! One file because every phase of event fills the same columns.

use rustc_hash::FxHashMap;
use serde_json::{Map, Value};

use crate::formats::kineto::args::{Args, Picked};
use crate::formats::kineto::category::{kind_by_words, kind_of, role_of};
use crate::formats::kineto::cursor::{Scalar, is_plain};
use crate::formats::kineto::event::Event;
use crate::formats::kineto::number::{id, integer, nanoseconds};
use crate::formats::kineto::piece::{Edge, EdgePhase, MemoryEvent, Piece, Sample};
use crate::formats::kineto::rows::{Place, Row, Rows, row_id};
use crate::model::{Arrow, ArrowEnd, Flags, Issue, Kind, NameId, RawSpan, Role, RowId, Tie};

/// Fills a [`Piece`] from events of the bytes `'a`.
#[derive(Default)]
pub(super) struct Reader<'a> {
    pub(super) piece: Piece,
    names: FxHashMap<&'a [u8], NameId>,
    odd_names: FxHashMap<String, NameId>,
    rows: Rows<'a>,
}

/// An event on its way into the columns, whichever way it was read.
struct Record<'r, 'a> {
    at: u64,
    event: &'r Event<'r>,
    name: NameId,
    /// Of its category, if that is known.
    kind: Option<Kind>,
    args: Args<'r>,
    /// The row by texts that live as long as the file, if they do.
    row: Option<Row<'a>>,
}

impl<'a> Reader<'a> {
    /// Takes a plainly read event; false if one of its texts needs the slow reader.
    pub(super) fn take(&mut self, event: &Event<'a>, at: u64) -> bool {
        if event.is_empty {
            self.piece.batch.tally.read += 1;
            self.piece.batch.tally.empty += 1;
            return true;
        }
        let Some(name) = self.plain_name(event.name) else {
            return false;
        };
        let kind = kind_of(event.category);
        if event.phase.is_none() || kind.is_none() && !is_plain(event.category) {
            return false;
        }
        let args = match event.args {
            None => Args::None,
            Some(args) if event.has_flat_args => Args::Flat(args),
            Some(args) => Args::Plain(args),
        };
        let row = Some(Row {
            process: event.process,
            thread: event.thread,
        });
        self.place(&Record {
            at,
            event,
            name,
            kind,
            args,
            row,
        });
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
        let [process, thread, time, dur, id] = numbers.each_ref().map(|it| {
            it.as_ref().map(|(text, quoted)| Scalar {
                text: text.as_bytes(),
                quoted: *quoted,
            })
        });
        let phase = text("ph").as_bytes();
        let event = Event {
            phase: phase.first().copied().filter(|_| phase.len() == 1),
            category: text("cat").as_bytes(),
            name: text("name").as_bytes(),
            process,
            thread,
            time,
            dur,
            id,
            ..Event::default()
        };
        let name = self.odd_name(text("name"));
        let args = fields
            .get("args")
            .and_then(Value::as_object)
            .map_or(Args::None, Args::Mended);
        let kind = kind_of(event.category);
        self.place(&Record {
            at,
            event: &event,
            name,
            kind,
            args,
            row: None,
        });
    }

    fn plain_name(&mut self, text: &'a [u8]) -> Option<NameId> {
        if let Some(name) = self.names.get(text) {
            return Some(*name);
        }
        let decoded = if is_plain(text) {
            String::from_utf8_lossy(text).into_owned()
        } else {
            // Escapes and letters beyond ASCII, where they are as they should be.
            serde_json::from_slice(&[b"\"", text, b"\""].concat()).ok()?
        };
        let name = NameId::from_index(self.piece.batch.names.len());
        self.piece.batch.names.push(decoded);
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

    fn place(&mut self, record: &Record<'_, 'a>) {
        let piece = &mut self.piece;
        let event = record.event;
        piece.batch.tally.read += 1;
        match event.phase {
            Some(b'X') => self.span(record),
            Some(b'M') => {
                piece.batch.tally.labels += 1;
                piece.label(
                    event.name,
                    event.process.map(row_id),
                    event.thread.map(row_id),
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
                piece.batch.arrows.push(Arrow {
                    id: async_id(event),
                    end,
                    at: record.at,
                });
            }
            Some(b'i' | b'I' | b'R' | b'n') if event.name == b"[memory]" => self.memory(record),
            Some(b'i' | b'I' | b'R' | b'n') => {
                let Some(start) = self.time(record) else {
                    return;
                };
                let track = self.track(record, Place::of(Role::Cpu));
                let flags = Flags::default();
                self.push(RawSpan {
                    start,
                    dur: 0,
                    name: record.name,
                    track,
                    kind: Kind::Instant,
                    flags,
                    at: record.at,
                });
            }
            Some(b'C') => self.counter(record),
            Some(phase @ (b'B' | b'E' | b'b' | b'e')) => self.edge(record, phase),
            Some(_) => piece.counted(Issue::UnknownPhase, record.at),
            None => piece.counted(Issue::NotAnEvent, record.at),
        }
    }

    fn span(&mut self, record: &Record<'_, 'a>) {
        let event = record.event;
        let kind = record
            .kind
            .unwrap_or_else(|| kind_by_words(event.category, event.name));
        let Some(start) = self.time(record) else {
            return;
        };
        let (dur, mut flags) = self.duration(record);
        let mut picked = Picked::default();
        let mut role = role_of(kind);
        let has_tie = kind.is_work() || kind.is_call();
        if kind.is_call() {
            picked.correlation = record.args.correlation();
        } else if has_tie || matches!(role, Role::Annotation | Role::Sync) {
            picked = record.args.pick();
        }
        if kind == Kind::Other && !event.category.is_empty() {
            role = Role::Other;
        }
        if picked.is_collective {
            flags = flags.with(Flags::COLLECTIVE);
        }
        if picked.is_graph_node {
            flags = flags.with(Flags::GRAPH_NODE);
        }
        let track = self.track(
            record,
            Place {
                role,
                device: picked.device,
            },
        );
        if let Some(correlation) = picked.correlation.filter(|_| has_tie) {
            let span = u32::try_from(self.piece.batch.spans.len()).unwrap_or(u32::MAX);
            self.piece.batch.ties.push(Tie { span, correlation });
        }
        self.push(RawSpan {
            start,
            dur,
            name: record.name,
            track,
            kind,
            flags,
            at: record.at,
        });
    }

    fn push(&mut self, span: RawSpan) {
        self.piece.batch.spans.push(span);
        self.piece.batch.tally.spans += 1;
    }

    fn edge(&mut self, record: &Record<'_, 'a>, phase: u8) {
        let Some(time) = self.time(record) else {
            return;
        };
        let event = record.event;
        let phase = match phase {
            b'B' => EdgePhase::Begin,
            b'E' => EdgePhase::End,
            b'b' => EdgePhase::AsyncBegin,
            _ => EdgePhase::AsyncEnd,
        };
        let is_async = matches!(phase, EdgePhase::AsyncBegin | EdgePhase::AsyncEnd);
        // Begin and end of a thread may name different categories: both stand on its CPU row.
        let role = if is_async { Role::Async } else { Role::Cpu };
        let track = self.track(record, Place::of(role));
        let kind = record
            .kind
            .unwrap_or_else(|| kind_by_words(event.category, b""));
        let (kind, id) = if is_async {
            (Kind::Async, async_id(event))
        } else {
            (kind, 0)
        };
        self.piece.edges.push(Edge {
            track,
            time,
            name: record.name,
            kind,
            phase,
            id,
            at: record.at,
        });
        self.piece.batch.tally.edges += 1;
    }

    fn counter(&mut self, record: &Record<'_, 'a>) {
        let Some(time) = self.time(record) else {
            return;
        };
        let process = record.event.process.map_or(RowId::Number(0), row_id);
        let suffix = record
            .event
            .id
            .map(|it| String::from_utf8_lossy(it.text).into_owned());
        let piece = &mut self.piece;
        record.args.each(|key, value| {
            if let Some(value) = std::str::from_utf8(value.text)
                .ok()
                .and_then(|it| it.parse().ok())
            {
                let key = String::from_utf8_lossy(key).into_owned();
                let series = piece.series(process.clone(), record.name, key, suffix.clone());
                piece.samples.push(Sample {
                    series,
                    time,
                    value,
                });
            }
        });
        piece.batch.tally.samples += 1;
    }

    fn memory(&mut self, record: &Record<'_, 'a>) {
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

    fn time(&mut self, record: &Record<'_, 'a>) -> Option<i64> {
        let (time, dur) = (record.event.time, record.event.dur);
        let quoted = |it: Option<Scalar<'_>>| it.is_some_and(|it| it.quoted);
        if quoted(time) || quoted(dur) {
            self.piece
                .batch
                .ledger
                .add(Issue::StringNumber, Some(record.at));
        }
        let Some(nanos) = time.and_then(|it| nanoseconds(it.text)) else {
            let is_number = |it: Scalar<'_>| {
                it.text.len() > 15 && it.text.iter().all(|it| b"+-.eE0123456789".contains(it))
            };
            let issue = if time.is_some_and(is_number) {
                Issue::TimeOutOfRange
            } else {
                Issue::MissingTime
            };
            self.piece.counted(issue, record.at);
            return None;
        };
        self.piece.batch.has_fractions |= nanos.has_fraction;
        Some(nanos.value)
    }

    fn duration(&mut self, record: &Record<'_, 'a>) -> (i64, Flags) {
        match record.event.dur.and_then(|it| nanoseconds(it.text)) {
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

    fn track(&mut self, record: &Record<'_, 'a>, place: Place) -> u32 {
        let tracks = &mut self.piece.batch.tracks;
        if let Some(row) = record.row {
            return self.rows.track(row, place, tracks);
        }
        let row = Row {
            process: record.event.process,
            thread: record.event.thread,
        };
        self.rows.track_of_texts(row, place, tracks)
    }
}

/// What ties the ends of an arrow or an async span: its category, and its number or else a hash of
/// its text.
fn async_id(event: &Event<'_>) -> u64 {
    let own = event
        .id
        .map_or(0, |it| id(it.text).unwrap_or_else(|| hash(it.text)));
    own ^ hash(event.category).rotate_left(40)
}

fn hash(text: &[u8]) -> u64 {
    use std::hash::Hasher as _;
    let mut hasher = rustc_hash::FxHasher::default();
    hasher.write(text);
    hasher.finish()
}
