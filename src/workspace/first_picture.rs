//! A coarse picture of one trace as soon as it is read, before clocks and index: what its GPUs did in
//! each of a few hundred columns. The figures of the open run come from the index, never from here.

use crate::base::{Intervals, Sketch, Time, TimeRange};
use crate::index::Shares;
use crate::model::{Class, Flags, Kind, RankId, Trace, class_of_kernel};

/// Columns of a picture: fine enough for a wide screen, and a few hundred bytes.
const COLUMNS: usize = 1024;

/// What there is to see of a trace.
#[derive(Clone, Debug, PartialEq)]
pub enum Picture {
    /// Where the time of its GPUs went, their mean.
    Work(Vec<Shares>),
    /// It has no work; how many of its spans begin in each column, 255 for the most.
    Starts(Vec<u8>),
}

/// The picture and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstPicture {
    pub rank: Option<RankId>,
    /// On the clock of the world where the file tells it, else from the start of the trace.
    pub extent: TimeRange,
    pub is_on_world_clock: bool,
    pub span_count: usize,
    pub picture: Picture,
}

impl FirstPicture {
    pub(crate) fn of(trace: &Trace, rank: Option<RankId>) -> Self {
        let own = trace.extent().unwrap_or_default();
        let epoch = trace.head().epoch_ns;
        let shift = |it: Time| match epoch {
            Some(epoch) => Time(it.0.saturating_add(epoch)),
            None => Time(it.0.saturating_sub(own.start.0)),
        };
        let picture = if trace.devices().is_empty() {
            Picture::Starts(starts(trace, own))
        } else {
            Picture::Work(work(trace, own))
        };
        Self {
            rank,
            extent: TimeRange::new(shift(own.start), shift(own.end)),
            is_on_world_clock: epoch.is_some(),
            span_count: trace.spans().len(),
            picture,
        }
    }

    /// What is there of a file that is still being read.
    pub(crate) fn so_far(sketch: &Sketch, span_count: usize) -> Option<Self> {
        let range = sketch.range()?;
        Some(Self {
            rank: None,
            extent: TimeRange::from_start(Time(0), range.len()),
            is_on_world_clock: false,
            span_count,
            picture: Picture::Starts(shares_of_most(sketch.counts())),
        })
    }
}

fn starts(trace: &Trace, own: TimeRange) -> Vec<u8> {
    let mut counts = vec![0_u32; COLUMNS];
    let columns = Columns::of(own);
    for start in trace.spans().starts() {
        if let Some(it) = counts.get_mut(columns.number(*start)) {
            *it += 1;
        }
    }
    shares_of_most(&counts)
}

fn shares_of_most(counts: &[u32]) -> Vec<u8> {
    let most = u64::from(counts.iter().copied().max().unwrap_or(0).max(1));
    let share = |it: &u32| u8::try_from((u64::from(*it) * 255).div_ceil(most)).unwrap_or(u8::MAX);
    counts.iter().map(share).collect()
}

fn work(trace: &Trace, own: TimeRange) -> Vec<Shares> {
    let names = trace.names().texts();
    let classes: Vec<Class> = names.iter().map(|it| class_of_kernel(it)).collect();
    let devices = trace.devices();
    let mut sums = vec![[0_u64; 4]; COLUMNS];
    for device in &devices {
        let [compute, communication, copy] = unions(trace, *device, &classes);
        let overlapped = compute.intersect(&communication);
        let busy = compute.union(&communication);
        let parts = [
            compute.subtract(&communication),
            overlapped,
            communication.subtract(&compute),
            copy.subtract(&busy),
        ];
        let columns = Columns::of(own);
        for (part, intervals) in parts.iter().enumerate() {
            columns.add(intervals, |column, ns| {
                if let Some(it) = sums.get_mut(column) {
                    it[part] += ns;
                }
            });
        }
    }
    let whole = Columns::of(own).width_ns().max(1) * devices.len().max(1) as u64;
    let share = |ns: u64| u8::try_from((ns * 255).div_ceil(whole).min(255)).unwrap_or(u8::MAX);
    let shares = sums.into_iter().map(|it| {
        let [
            compute_alone,
            overlapped,
            exposed_communication,
            exposed_copy,
        ] = it.map(share);
        Shares {
            compute_alone,
            overlapped,
            exposed_communication,
            exposed_copy,
        }
    });
    shares.collect()
}

/// When a GPU computed, communicated and copied. Impossible durations would fill everything and
/// are left out; so are spans of no length.
fn unions(trace: &Trace, device: i64, classes: &[Class]) -> [Intervals; 3] {
    let mut ranges: [Vec<TimeRange>; 3] = Default::default();
    for (_, track) in trace.work_tracks() {
        if track.key.device != Some(device) {
            continue;
        }
        for id in track.span_ids() {
            let span = trace.span(id);
            if span.flags.has(Flags::IMPOSSIBLE) {
                continue;
            }
            let of_name = classes.get(span.name.index()).copied();
            let part = match (span.kind, of_name) {
                (Kind::Memcpy | Kind::Memset, _) => 2,
                _ if span.flags.has(Flags::COLLECTIVE) => 1,
                (_, Some(Class::Communication)) => 1,
                (_, Some(Class::Copy | Class::Memset)) => 2,
                _ => 0,
            };
            ranges[part].push(span.range());
        }
    }
    ranges.map(Intervals::from_unsorted)
}

/// The columns of a range, rounded up to whole nanoseconds.
#[derive(Clone, Copy)]
struct Columns {
    start: i64,
    width: i64,
}

impl Columns {
    fn of(range: TimeRange) -> Self {
        let columns = i64::try_from(COLUMNS).unwrap_or(i64::MAX);
        Self {
            start: range.start.0,
            width: range.len().0.div_euclid(columns).saturating_add(1),
        }
    }

    fn width_ns(self) -> u64 {
        self.width.unsigned_abs()
    }

    /// The column of a time; what lies before the range is in the first.
    fn number(self, time: i64) -> usize {
        let number = time.saturating_sub(self.start) / self.width;
        usize::try_from(number).unwrap_or(0).min(COLUMNS - 1)
    }

    fn add(self, intervals: &Intervals, mut put: impl FnMut(usize, u64)) {
        for range in intervals.ranges() {
            let mut from = range.start.0;
            while from < range.end.0 {
                let column = self.number(from);
                let next = i64::try_from(column + 1).unwrap_or(i64::MAX);
                let border = self.start.saturating_add(next.saturating_mul(self.width));
                // The last column takes all that is left.
                let to = if border > from {
                    border.min(range.end.0)
                } else {
                    range.end.0
                };
                put(column, from.abs_diff(to));
                from = to;
            }
        }
    }
}
