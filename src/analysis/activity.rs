//! How long each GPU worked.
//!
//! *Busy* is the length of the union of the work spans of a GPU over all its streams; *wall* goes
//! from the first start to the last end of spans of positive length; *gaps* are the holes of the
//! union between these two. Touching spans leave no gap; spans of length 0 neither fill nor split
//! one. *Overlap* within a stream is the sum of its durations minus the length of its union.
//! *Communication* and *compute* are the unions of kernels by class, *exposed* what of
//! communication no compute covers (analyses.md 4.1). *Clipped* figures cut each impossible span at
//! the next start on its stream; they are given where there is such a span.

use rayon::prelude::*;

use crate::base::{Cancelled, Dur, Intervals, Job, Time, TimeRange};
use crate::model::{Class, Flags, Run, SpanId, TraceId, Track, TrackId};

/// One GPU of one trace.
#[derive(Clone, Debug)]
pub struct GpuActivity {
    pub trace: TraceId,
    pub device: i64,
    pub figures: Figures,
    /// The same with impossible spans clipped, where there are any.
    pub clipped: Option<Figures>,
    pub streams: Vec<StreamActivity>,
}

/// Figures over the union of some work, in nanoseconds of the trace's own clock.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    pub busy: Dur,
    pub wall: Option<TimeRange>,
    pub gaps: Vec<TimeRange>,
    pub communication: Dur,
    pub compute: Dur,
    pub overlap: Dur,
    pub exposed_communication: Dur,
}

/// One stream.
#[derive(Clone, Debug)]
pub struct StreamActivity {
    pub track: TrackId,
    pub span_count: usize,
    /// Plain sum of durations.
    pub sum: Dur,
    /// Length of the union.
    pub busy: Dur,
    pub overlap: Dur,
    pub clipped: Option<(Dur, Vec<TimeRange>)>,
}

/// The activity of every GPU, in the order of traces and devices.
pub fn activity(run: &Run, job: &Job) -> Result<Vec<GpuActivity>, Cancelled> {
    let gpus: Vec<(TraceId, i64)> = run
        .trace_ids()
        .flat_map(|trace| {
            run.trace(trace)
                .devices()
                .into_iter()
                .map(move |it| (trace, it))
        })
        .collect();
    gpus.into_par_iter()
        .map(|(trace, device)| {
            job.check()?;
            Ok(gpu_activity(run, trace, device))
        })
        .collect()
}

fn gpu_activity(run: &Run, trace: TraceId, device: i64) -> GpuActivity {
    let data = run.trace(trace);
    let tracks: Vec<(TrackId, &Track)> = data
        .work_tracks()
        .filter(|it| it.1.key.device == Some(device))
        .collect();
    let streams: Vec<StreamActivity> = tracks
        .iter()
        .map(|(id, track)| stream_activity(run, trace, *id, track))
        .collect();
    let spans = || {
        tracks
            .iter()
            .flat_map(|(_, track)| clips(run, trace, track))
    };
    let figures = figures(run, trace, spans().map(|it| (it.span, it.written)));
    let any_clipped = streams.iter().any(|it| it.clipped.is_some());
    let clipped =
        any_clipped.then(|| self::figures(run, trace, spans().map(|it| (it.span, it.clipped))));
    GpuActivity {
        trace,
        device,
        figures,
        clipped,
        streams,
    }
}

fn figures(run: &Run, trace: TraceId, spans: impl Iterator<Item = (SpanId, TimeRange)>) -> Figures {
    let data = run.trace(trace).spans();
    let (mut all, mut communication, mut compute) = (Vec::new(), Vec::new(), Vec::new());
    for (span, range) in spans {
        let i = span.index();
        all.push(range);
        match run.class(trace, data.kinds()[i], data.flags()[i], data.names()[i]) {
            Class::Communication => communication.push(range),
            Class::Copy | Class::Memset => {}
            _ => compute.push(range),
        }
    }
    let all = Intervals::from_unsorted(all);
    let communication = Intervals::from_unsorted(communication);
    let compute = Intervals::from_unsorted(compute);
    Figures {
        busy: all.total(),
        wall: all.hull(),
        gaps: all.holes(),
        communication: communication.total(),
        compute: compute.total(),
        overlap: communication.intersect(&compute).total(),
        exposed_communication: communication.subtract(&compute).total(),
    }
}

fn stream_activity(run: &Run, trace: TraceId, id: TrackId, track: &Track) -> StreamActivity {
    let sum = clips(run, trace, track).fold(Dur::ZERO, |sum, it| sum.plus(it.written.len()));
    let union = Intervals::from_sorted(clips(run, trace, track).map(|it| it.written));
    let flags = &run.trace(trace).spans().flags()[track.indices()];
    let clipped = flags.iter().any(|it| it.has(Flags::IMPOSSIBLE)).then(|| {
        let union = Intervals::from_sorted(clips(run, trace, track).map(|it| it.clipped));
        (union.total(), union.holes())
    });
    let busy = union.total();
    StreamActivity {
        track: id,
        span_count: track.len(),
        sum,
        busy,
        overlap: Dur(sum.0 - busy.0),
        clipped,
    }
}

/// A work span as written, and cut at the next start of its stream where it is impossible.
struct Clip {
    span: SpanId,
    written: TimeRange,
    clipped: TimeRange,
}

fn clips<'a>(run: &'a Run, trace: TraceId, track: &'a Track) -> impl Iterator<Item = Clip> + 'a {
    let data = run.trace(trace);
    track.span_ids().map(move |id| {
        let span = data.span(id);
        let written = span.range();
        let mut clipped = written;
        if span.flags.has(Flags::IMPOSSIBLE) {
            let later = (id.0 + 1..track.spans.end).map(|it| data.span(SpanId(it)));
            let next = later.map(|it| it.start).find(|it| *it > span.start);
            clipped.end = next.unwrap_or(Time::MAX).min(written.end);
        }
        Clip {
            span: id,
            written,
            clipped,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::drawing::run;

    /// Busy, communication, compute and exposed communication of the only GPU, in microseconds.
    fn figures_of(drawing: &str) -> [i64; 4] {
        let found = activity(&run(drawing), &Job::default()).unwrap();
        let it = &found[0].figures;
        [
            it.busy,
            it.communication,
            it.compute,
            it.exposed_communication,
        ]
        .map(|it| it.0 / 1000)
    }

    #[test]
    fn communication_under_compute_is_not_exposed() {
        let drawing = "
            stream 7   ..AAAA..BBBB....
            stream 20  ....NNNNNN..NN..";
        // Alone it stands between the kernels and after them.
        assert_eq!(figures_of(drawing), [12, 8, 8, 4]);
    }

    #[test]
    fn copies_keep_a_gpu_busy_and_are_neither() {
        let drawing = "
            stream 7   AA..BB..
            stream 13  ..MM..M.";
        assert_eq!(figures_of(drawing), [7, 0, 4, 0]);
    }

    #[test]
    fn touching_kernels_leave_no_gap_and_others_do() {
        let found = activity(&run("stream 7 AABB..CC"), &Job::default()).unwrap();
        let gaps = &found[0].figures.gaps;
        assert_eq!(gaps.len(), 1);
        assert_eq!((gaps[0].start.0, gaps[0].end.0), (4_000, 6_000));
    }

    #[test]
    fn every_gpu_of_a_rank_has_figures_of_its_own() {
        let drawing = "
            gpu 0
            stream 7   AAAA....
            gpu 1
            stream 7   BB......
            stream 8   ..NN....";
        let found = activity(&run(drawing), &Job::default()).unwrap();
        let busy: Vec<(i64, i64)> = found
            .iter()
            .map(|it| (it.device, it.figures.busy.0))
            .collect();
        assert_eq!(busy, [(0, 4_000), (1, 4_000)]);
    }
}
