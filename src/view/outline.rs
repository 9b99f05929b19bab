//! The tracks of each trace in the order in which they are shown, worked out once per run because it
//! looks at spans: streams by first use, compute first; threads with the one that marks steps first, then
//! by how many launches they make, then by their spans. Never by hash.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::model::{Class, Role, Run, TraceId, Track, TrackId};

/// Spans of a stream that say what it is for.
const SAMPLE: usize = 2000;

/// How the name of a step begins.
const STEP: &str = "ProfilerStep#";

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
    /// The first thread, where it has a lane of its own: in a run of one rank.
    pub(crate) main_thread: Option<TrackId>,
    /// The other threads.
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
    let mut threads = threads(run, id);
    let is_alone = run.members().len() == 1;
    let main_thread = (is_alone && !threads.is_empty()).then(|| threads.remove(0));
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
        main_thread,
        threads,
        others: rest.map(|it| it.0).collect(),
    }
}

/// The CPU threads: the one that marks steps runs the training loop, whichever launches most.
fn threads(run: &Run, id: TraceId) -> Vec<TrackId> {
    let trace = run.trace(id);
    let spans = trace.spans();
    let texts = trace.names().texts();
    let is_step: Vec<bool> = texts.iter().map(|it| it.starts_with(STEP)).collect();
    let has_steps = |it: &Track| {
        let mut names = spans.names()[it.indices()].iter();
        names.any(|it| is_step[it.index()])
    };
    let calls = |it: &Track| {
        let kinds = spans.kinds()[it.indices()].iter();
        kinds.filter(|it| it.is_call()).count()
    };
    let mut threads: Vec<TrackId> = trace
        .track_ids()
        .filter(|it| trace.track(*it).key.role == Role::Cpu)
        .collect();
    threads.sort_by_cached_key(|track| {
        let it = trace.track(*track);
        (Reverse((has_steps(it), calls(it), it.len())), *track)
    });
    threads
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
