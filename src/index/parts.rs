//! Where the time of a device goes: five parts of any range that add up to its length.
//!
//! With A = the union of its compute, B = of its communication, C = of its copies and memsets, over
//! all streams: overlapped = |A| + |B| - |A∪B|, compute alone = |A| - overlapped, exposed
//! communication = |A∪B| - |A|, exposed copy = |A∪B∪C| - |A∪B|, idle = the rest. Impossible
//! durations count as they are clipped.

use crate::base::{Cancelled, Dur, Job, RunningUnion, Time, TimeRange};
use crate::index::busy::EVERY;
use crate::index::clip::Clips;
use crate::index::ink::Inks;
use crate::model::{Class, SpanId, Trace};

/// The parts of a range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    pub compute_alone: Dur,
    pub overlapped: Dur,
    pub exposed_communication: Dur,
    pub exposed_copy: Dur,
    pub idle: Dur,
}

/// What the parts are told by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts<'a> {
    pub(crate) trace: &'a Trace,
    pub(crate) inks: &'a Inks,
    pub(crate) clips: &'a Clips,
}

/// |A|, |B|, |A∪B| and |A∪B∪C| before some time.
pub(crate) type Lengths = [i64; 4];

/// The unions of A, B, A∪B and A∪B∪C as far as they were added up.
type Unions = [RunningUnion; 4];

/// The work of a device over its streams.
#[derive(Debug)]
pub(crate) struct Work {
    pub(crate) device: i64,
    /// By start.
    order: Vec<SpanId>,
    /// The state before every 64th span.
    states: Vec<Unions>,
}

impl Work {
    pub(crate) fn build(facts: Facts<'_>, device: i64, job: &Job) -> Result<Self, Cancelled> {
        let tracks = facts
            .trace
            .work_tracks()
            .filter(|(_, it)| it.key.device == Some(device));
        let ids: Vec<SpanId> = tracks.flat_map(|(_, it)| it.span_ids()).collect();
        let starts = facts.trace.spans().starts();
        let order = if ids.is_sorted_by_key(|it| starts[it.index()]) {
            ids
        } else {
            // Streams are runs by start, which a stable sort finds and merges.
            let mut keyed: Vec<(i64, SpanId)> =
                ids.into_iter().map(|it| (starts[it.index()], it)).collect();
            keyed.sort_by_key(|it| it.0);
            keyed.into_iter().map(|it| it.1).collect()
        };
        job.check()?;
        let mut states = Vec::with_capacity(order.len().div_ceil(EVERY));
        let mut unions = Unions::default();
        for block in order.chunks(EVERY) {
            states.push(unions);
            for id in block {
                add(&mut unions, facts, *id);
            }
        }
        Ok(Self {
            device,
            order,
            states,
        })
    }

    pub(crate) fn order(&self) -> &[SpanId] {
        &self.order
    }

    pub(crate) fn parts(&self, facts: Facts<'_>, range: TimeRange) -> Parts {
        if range.is_empty() {
            return Parts::default();
        }
        let mut sweep = Sweep::new(self, facts);
        sweep.jump(range.start);
        let from = sweep.to(range.start);
        sweep.jump(range.end);
        Parts::between(from, sweep.to(range.end), range.len())
    }

    /// How many spans start before `time`.
    pub(crate) fn before(&self, facts: Facts<'_>, time: Time) -> usize {
        let starts = facts.trace.spans().starts();
        self.order.partition_point(|it| starts[it.index()] < time.0)
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.order.capacity() * size_of::<SpanId>() + self.states.capacity() * size_of::<Unions>()
    }
}

impl Parts {
    /// Of a stretch of length `whole`, from the lengths before its start and before its end.
    pub(crate) fn between(from: Lengths, to: Lengths, whole: Dur) -> Self {
        let [compute, communication, both, all]: Lengths = std::array::from_fn(|i| to[i] - from[i]);
        let overlapped = compute + communication - both;
        Self {
            compute_alone: Dur(compute - overlapped),
            overlapped: Dur(overlapped),
            exposed_communication: Dur(both - compute),
            exposed_copy: Dur(all - both),
            idle: Dur(whole.0 - all),
        }
    }
}

/// Adds work up in order of time.
pub(crate) struct Sweep<'a> {
    work: &'a Work,
    facts: Facts<'a>,
    at: usize,
    unions: Unions,
    read: usize,
}

impl<'a> Sweep<'a> {
    pub(crate) fn new(work: &'a Work, facts: Facts<'a>) -> Self {
        Self {
            work,
            facts,
            at: 0,
            unions: Unions::default(),
            read: 0,
        }
    }

    /// Goes to the last note not after `time`, unless it stands beyond that note already.
    pub(crate) fn jump(&mut self, time: Time) {
        let note = self.work.before(self.facts, time) / EVERY;
        let note = note.min(self.work.states.len().saturating_sub(1));
        if note * EVERY > self.at {
            self.at = note * EVERY;
            self.unions = self.work.states.get(note).copied().unwrap_or_default();
        }
    }

    /// The lengths before `time`, which never goes back.
    pub(crate) fn to(&mut self, time: Time) -> Lengths {
        let starts = self.facts.trace.spans().starts();
        while let Some(id) = self
            .work
            .order
            .get(self.at)
            .filter(|it| starts[it.index()] < time.0)
        {
            add(&mut self.unions, self.facts, *id);
            self.at += 1;
            self.read += 1;
        }
        self.unions.map(|it| it.before(time).0)
    }

    /// How many spans were added.
    pub(crate) fn read(&self) -> usize {
        self.read
    }
}

fn add([a, b, ab, abc]: &mut Unions, facts: Facts<'_>, id: SpanId) {
    let spans = facts.trace.spans();
    let range = facts.clips.range(spans, id.index());
    let class = facts.inks.class(spans, id.index());
    if class.is_compute() {
        a.add(range);
        ab.add(range);
    } else if class == Class::Communication {
        b.add(range);
        ab.add(range);
    }
    abc.add(range);
}
