//! How long a track is busy in a range: the length of the union of its spans there, to the
//! nanosecond. Touching and nested spans count once, zero lengths nothing, impossible durations as
//! they are clipped.
//!
//! The running union is noted every 64 spans; what a range needs beyond that is added anew.

use rayon::prelude::*;

use crate::base::{Cancelled, Dur, Job, RunningUnion, Time, TimeRange};
use crate::index::clip::Clips;
use crate::model::{Trace, TrackId};

/// Spans between two notes.
pub(crate) const EVERY: usize = 64;

/// The unions of a trace's tracks.
#[derive(Debug)]
pub(crate) struct Busy {
    /// Per track the state before every 64th span.
    tracks: Vec<Vec<RunningUnion>>,
}

impl Busy {
    pub(crate) fn build(trace: &Trace, clips: &Clips, job: &Job) -> Result<Self, Cancelled> {
        let one = |track: TrackId| {
            job.check()?;
            let indices = trace.track(track).indices();
            let mut states = Vec::with_capacity(indices.len().div_ceil(EVERY));
            let mut union = RunningUnion::default();
            for (i, span) in indices.enumerate() {
                if i % EVERY == 0 {
                    states.push(union);
                }
                union.add(clips.range(trace.spans(), span));
            }
            Ok(states)
        };
        let ids: Vec<TrackId> = trace.track_ids().collect();
        let tracks = ids
            .into_par_iter()
            .map(one)
            .collect::<Result<_, Cancelled>>()?;
        Ok(Self { tracks })
    }

    pub(crate) fn busy(
        &self,
        trace: &Trace,
        clips: &Clips,
        track: TrackId,
        range: TimeRange,
    ) -> Dur {
        if range.is_empty() {
            return Dur::ZERO;
        }
        let until = |time| self.until(trace, clips, track, time).0;
        Dur(until(range.end) - until(range.start))
    }

    /// The length of the union before `time`.
    fn until(&self, trace: &Trace, clips: &Clips, track: TrackId, time: Time) -> Dur {
        let indices = trace.track(track).indices();
        let count = trace.spans().starts()[indices.clone()].partition_point(|it| *it < time.0);
        let note = count / EVERY;
        let states = self.tracks.get(track.index());
        let Some(mut union) =
            states.and_then(|it| it.get(note.min(it.len().checked_sub(1)?)).copied())
        else {
            return Dur::ZERO;
        };
        let from = note.min(indices.len().saturating_sub(1) / EVERY) * EVERY;
        for i in indices.start + from..indices.start + count {
            union.add(clips.range(trace.spans(), i));
        }
        union.before(time)
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        let track = |it: &Vec<RunningUnion>| it.capacity() * size_of::<RunningUnion>();
        self.tracks.capacity() * size_of::<Vec<RunningUnion>>()
            + self.tracks.iter().map(track).sum::<usize>()
    }
}
