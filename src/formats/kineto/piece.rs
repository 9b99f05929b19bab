//! What one chunk of a file gives, before the chunks are put together.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::formats::kineto::args::Args;
use crate::model::{Batch, Issue, Kind, NameId, RowId};

/// Which end of a span that is written as two events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EdgePhase {
    Begin,
    End,
    AsyncBegin,
    AsyncEnd,
}

/// A begin or an end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// In the batch of the piece.
    pub(super) track: u32,
    pub(super) time: i64,
    pub(super) name: NameId,
    pub(super) kind: Kind,
    pub(super) phase: EdgePhase,
    /// What ties the ends of an async span; 0 for threads.
    pub(super) id: u64,
    pub(super) at: u64,
}

/// A reading of a counter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    /// Position in the piece's `series_keys`.
    pub(super) series: u32,
    pub(super) time: i64,
    pub(super) value: f64,
}

/// What makes a counter series: process, name, argument key, and id where one is given.
pub(super) type SeriesKey = (RowId, NameId, String, Option<String>);

/// A `[memory]` instant (formats.md 2.8). Bytes are negative where memory was freed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MemoryEvent {
    pub(super) time: i64,
    pub(super) at: u64,
    /// 0 is the CPU.
    pub(super) device_type: Option<i64>,
    pub(super) device: Option<i64>,
    pub(super) bytes: i64,
    pub(super) allocated: Option<i64>,
    pub(super) reserved: Option<i64>,
}

/// The result of one chunk.
#[derive(Debug, Default)]
pub(super) struct Piece {
    pub(super) batch: Batch,
    pub(super) edges: Vec<Edge>,
    pub(super) samples: Vec<Sample>,
    pub(super) series_keys: Vec<SeriesKey>,
    series_ids: FxHashMap<SeriesKey, u32>,
    pub(super) memory: Vec<MemoryEvent>,
    /// What processes are called; the last word holds.
    pub(super) processes: BTreeMap<RowId, String>,
    pub(super) threads: BTreeMap<(RowId, RowId), String>,
    /// How many spans the whole file is likely to give, if it goes on like this.
    pub(super) expected_spans: usize,
}

impl Piece {
    /// An event that has no place.
    pub(super) fn counted(&mut self, issue: Issue, at: u64) {
        self.batch.tally.counted += 1;
        self.batch.ledger.add(issue, Some(at));
    }

    pub(super) fn series(
        &mut self,
        process: RowId,
        name: NameId,
        key: String,
        id: Option<String>,
    ) -> u32 {
        let next = u32::try_from(self.series_keys.len()).unwrap_or(u32::MAX);
        let keys = &mut self.series_keys;
        *self
            .series_ids
            .entry((process, name, key, id))
            .or_insert_with_key(|key| {
                keys.push(key.clone());
                next
            })
    }

    /// Takes a metadata event. `process_labels` of Kineto is only `CPU` or `GPU 0`, which other fields
    /// say as well.
    pub(super) fn label(
        &mut self,
        what: &[u8],
        process: Option<RowId>,
        thread: Option<RowId>,
        args: &Args<'_>,
    ) {
        let process = process.unwrap_or(RowId::Number(0));
        match what {
            b"process_name" => {
                if let Some(name) = args.text("name") {
                    self.processes.insert(process, name);
                }
            }
            b"thread_name" => {
                let thread = thread.unwrap_or_else(|| process.clone());
                if let Some(name) = args.text("name") {
                    self.threads.insert((process, thread), name);
                }
            }
            _ => {}
        }
    }
}
