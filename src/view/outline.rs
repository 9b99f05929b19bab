//! The tracks of each trace in the order in which they are shown, worked out once per run because it
//! looks at spans: streams by first use, compute first; threads by how many launches they make, then
//! by their spans. Never by hash.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::model::{Class, Role, Run, TraceId, Track, TrackId};

/// Spans of a stream that say what it is for.
const SAMPLE: usize = 2000;

/// The order of tracks of a run.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    traces: Vec<TraceOutline>,
}

/// The order of tracks of a trace.
#[derive(Clone, Debug, Default)]
pub(crate) struct TraceOutline {
    /// With a word for what the stream is used for.
    pub(crate) streams: Vec<(TrackId, &'static str)>,
    pub(crate) threads: Vec<TrackId>,
    pub(crate) others: Vec<TrackId>,
}

impl Outline {
    /// Looks at every span once.
    pub fn of_run(run: &Run) -> Self {
        Self {
            traces: run.trace_ids().map(|it| outline(run, it)).collect(),
        }
    }

    pub(crate) fn of(&self, trace: TraceId) -> &TraceOutline {
        &self.traces[trace.index()]
    }
}

fn outline(run: &Run, id: TraceId) -> TraceOutline {
    let trace = run.trace(id);
    let of_role = |roles: &'static [Role]| {
        let tracks = trace.track_ids().map(|it| (it, trace.track(it)));
        tracks.filter(move |it| roles.contains(&it.1.key.role))
    };
    let mut streams: Vec<(TrackId, &Track, Class)> = of_role(&[Role::Work])
        .map(|(track, it)| (track, it, main_class(run, id, it)))
        .collect();
    let first = |it: &Track| trace.spans().starts()[it.indices().start];
    streams
        .sort_by_key(|(track, it, class)| (it.key.device, !class.is_compute(), first(it), *track));
    let calls = |it: &Track| {
        trace.spans().kinds()[it.indices()]
            .iter()
            .filter(|it| it.is_call())
            .count()
    };
    let mut threads: Vec<(TrackId, &Track)> = of_role(&[Role::Cpu]).collect();
    threads.sort_by_cached_key(|(track, it)| (Reverse((calls(it), it.len())), *track));
    let rest = of_role(&[
        Role::Annotation,
        Role::Sync,
        Role::Other,
        Role::Async,
        Role::Overhead,
    ]);
    TraceOutline {
        streams: streams
            .into_iter()
            .map(|(track, _, class)| (track, use_word(class)))
            .collect(),
        threads: threads.into_iter().map(|it| it.0).collect(),
        others: rest.map(|it| it.0).collect(),
    }
}

/// What most of the first spans of a stream are.
fn main_class(run: &Run, trace: TraceId, track: &Track) -> Class {
    let mut counts: BTreeMap<Class, usize> = BTreeMap::new();
    let spans = run.trace(trace).spans();
    for i in track.indices().take(SAMPLE) {
        let class = run.class(trace, spans.kinds()[i], spans.flags()[i], spans.names()[i]);
        *counts
            .entry(if class.is_compute() {
                Class::Gemm
            } else {
                class
            })
            .or_default() += 1;
    }
    counts
        .into_iter()
        .max_by_key(|it| it.1)
        .map_or(Class::Other, |it| it.0)
}

fn use_word(class: Class) -> &'static str {
    match class {
        Class::Communication => "communication",
        Class::Copy => "copies",
        Class::Memset => "memsets",
        _ => "compute",
    }
}
