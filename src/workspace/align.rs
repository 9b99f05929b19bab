//! Places the traces of a run on one clock.
//!
//! Today by what the files say: a base time or times since the Unix epoch put a trace on the clock
//! of the world; a trace that counts from an unknown start stands alone (an *island*) and is drawn
//! from the start of the run. Correction by matched collectives will go here.

use crate::base::Dur;
use crate::model::{Clock, Issue, Ledger, Trace};

/// The clock of each trace, in order, and what there is to say about them.
pub(crate) struct Placing {
    pub(crate) clocks: Vec<Clock>,
    /// Unix time of the clocks' common zero, if they have one.
    pub(crate) epoch_ns: Option<i64>,
    pub(crate) notes: Ledger,
}

/// Places `traces` by their epochs.
pub(crate) fn place(traces: &[&Trace]) -> Placing {
    let mut notes = Ledger::default();
    let start = |it: &&Trace| it.extent().map_or(0, |it| it.start.0);
    let on_world: Vec<&&Trace> = traces
        .iter()
        .filter(|it| it.head().epoch_ns.is_some())
        .collect();
    let world_start = on_world
        .iter()
        .filter(|it| it.extent().is_some())
        .map(|it| start(it).saturating_add(it.head().epoch_ns.unwrap_or(0)))
        .min();
    let mut bases: Vec<i64> = on_world
        .iter()
        .filter(|it| it.head().has_base_time)
        .filter_map(|it| it.head().epoch_ns)
        .collect();
    bases.sort_unstable();
    bases.dedup();
    if bases.len() > 1 {
        notes.add(Issue::BaseTimeDiffers, None);
    }
    let mut island = u32::from(world_start.is_some());
    let mut alone = 0;
    let clocks = traces
        .iter()
        .map(|it| {
            if let Some(epoch) = it.head().epoch_ns {
                return Clock {
                    offset: Dur(epoch),
                    drift: 0.0,
                    island: 0,
                };
            }
            let own = island;
            island += 1;
            alone += 1;
            let offset = world_start.unwrap_or(0).saturating_sub(start(it));
            Clock {
                offset: Dur(if traces.len() == 1 { 0 } else { offset }),
                drift: 0.0,
                island: own,
            }
        })
        .collect();
    if alone > 0 && traces.len() > 1 {
        notes.add_many(Issue::ClocksNotAligned, alone, None);
        notes.add_many(Issue::SharedStart, alone, None);
    }
    Placing {
        clocks,
        epoch_ns: world_start.map(|_| 0),
        notes,
    }
}
