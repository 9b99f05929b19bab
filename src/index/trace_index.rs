//! Everything that is looked up in one trace. All times are the trace's own nanoseconds: the clock
//! of the run shifts no index.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use crate::base::{Cancelled, Dur, Job, Time, TimeRange};
use crate::index::bands::{Bands, Shares};
use crate::index::busy::Busy;
use crate::index::clip::Clips;
use crate::index::density::{Density, Detail};
use crate::index::ink::{Inks, Texel};
use crate::index::parts::{Facts, Parts, Work};
use crate::index::rows::{Row, Rows};
use crate::index::rtree::{Block, Blocks};
use crate::model::{Run, SpanId, Trace, TraceId, TrackId};

/// The index of a trace.
#[derive(Debug)]
pub struct TraceIndex {
    trace: Arc<Trace>,
    inks: Inks,
    clips: Clips,
    rows: Rows,
    blocks: Blocks,
    density: Density,
    busy: Busy,
    devices: Vec<(Work, Bands)>,
}

impl TraceIndex {
    pub(crate) fn build(run: &Run, id: TraceId, job: &Job) -> Result<Self, Cancelled> {
        let trace = Arc::clone(&run.member(id).trace);
        let inks = Inks::of(run, id);
        let clips = Clips::of(&trace);
        let rows = Rows::build(&trace, job)?;
        let origin = trace.extent().map(|it| it.start).unwrap_or_default();
        let blocks = Blocks::build(&rows, trace.spans(), origin);
        job.check()?;
        let density = Density::build(&trace, &rows, &inks, job)?;
        let busy = Busy::build(&trace, &clips, job)?;
        let facts = Facts {
            trace: &trace,
            inks: &inks,
            clips: &clips,
        };
        let one = |device: i64| {
            let work = Work::build(facts, device, job)?;
            let bands = Bands::build(facts, &work, job)?;
            Ok((work, bands))
        };
        let devices = trace
            .devices()
            .into_par_iter()
            .map(one)
            .collect::<Result<_, Cancelled>>()?;
        Ok(Self {
            trace,
            inks,
            clips,
            rows,
            blocks,
            density,
            busy,
            devices,
        })
    }

    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// The spans of `track` at `depth`.
    pub fn row(&self, track: TrackId, depth: u16) -> Option<Row<'_>> {
        let mut numbers = self.rows.numbers(track);
        self.row_of(numbers.nth(usize::from(depth))?)
    }

    /// The numbers of a track's rows, by depth.
    pub fn rows_of(&self, track: TrackId) -> Range<u32> {
        self.rows.numbers(track)
    }

    /// The row of a number.
    pub fn row_of(&self, number: u32) -> Option<Row<'_>> {
        self.rows.row(self.trace.spans(), number)
    }

    /// The blocks of rows `numbers` that meet `range`, by row and time.
    pub fn window(&self, range: TimeRange, numbers: Range<u32>) -> Vec<Block> {
        self.blocks
            .window(&self.rows, self.trace.spans(), range, numbers)
    }

    /// The span that covers `time`, else the nearest within `slack`; of several the one that starts
    /// latest.
    pub fn pick(&self, row: &Row<'_>, time: Time, slack: Dur) -> Option<SpanId> {
        self.blocks.pick(row, time, slack)
    }

    /// Whether `range` of a row is better drawn by spans or by a strip.
    pub fn detail(&self, row: &Row<'_>, range: TimeRange, columns: usize) -> Detail {
        Detail::of(row.positions(range).len(), columns)
    }

    /// Sets `out` to one texel per column of `range`. A column of occupancy 0 is idle; one that is
    /// not has a span in it, or less than a column away. Returns how many bins and spans were read.
    pub fn strip(
        &self,
        row: &Row<'_>,
        range: TimeRange,
        columns: usize,
        out: &mut Vec<Texel>,
    ) -> usize {
        self.density
            .strip((&self.trace, &self.inks), row, range, columns, out)
    }

    /// How long a track is busy in `range`.
    pub fn busy(&self, track: TrackId, range: TimeRange) -> Dur {
        self.busy.busy(&self.trace, &self.clips, track, range)
    }

    /// Where the time of a GPU goes; all idle where it does no work.
    pub fn parts(&self, device: i64, range: TimeRange) -> Parts {
        let idle = || Parts {
            idle: range.len(),
            ..Parts::default()
        };
        self.device(device)
            .map_or_else(idle, |it| it.0.parts(self.facts(), range))
    }

    /// Sets `out` to the same as shares of each column of `range`. Returns how many bins and spans
    /// were read.
    pub fn shares(
        &self,
        device: i64,
        range: TimeRange,
        columns: usize,
        out: &mut Vec<Shares>,
    ) -> usize {
        if let Some((work, bands)) = self.device(device) {
            return bands.shares(self.facts(), work, range, columns, out);
        }
        out.clear();
        out.resize(columns, Shares::default());
        0
    }

    /// Without the columns, which are the trace's.
    pub fn memory_bytes(&self) -> usize {
        self.inks.memory_bytes()
            + self.clips.memory_bytes()
            + self.rows.memory_bytes()
            + self.blocks.memory_bytes()
            + self.density.memory_bytes()
            + self.busy.memory_bytes()
            + self
                .devices
                .iter()
                .map(|it| it.0.memory_bytes() + it.1.memory_bytes())
                .sum::<usize>()
    }

    fn device(&self, device: i64) -> Option<&(Work, Bands)> {
        self.devices.iter().find(|it| it.0.device == device)
    }

    fn facts(&self) -> Facts<'_> {
        Facts {
            trace: &self.trace,
            inks: &self.inks,
            clips: &self.clips,
        }
    }
}
