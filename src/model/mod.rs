//! The facts of a trace and of a run, as columns. Files and pixels are not known here.

mod arrows;
mod builder;
mod class;
mod counters;
#[cfg(test)]
pub(crate) mod drawing;
mod finish;
mod groups;
mod ids;
mod issues;
mod kind;
mod labels;
mod lanes;
mod names;
mod run;
mod spans;
mod symbol;
mod trace;
mod track;

pub use arrows::ArrowPoint;
pub use builder::{Arrow, ArrowEnd, Batch, RawSpan, RawSpans, Tie, TraceBuilder, last_end};
pub use class::{Class, class_of_kernel, is_fused};
pub use counters::{Counter, Unit};
pub use groups::{Groups, ranks_in_groups};
pub use ids::{NameId, RankId, SpanId, SpanRef, TraceId, TrackId, TrackRef};
pub use issues::{Entry, Issue, Ledger, Severity};
pub use kind::{Flags, Kind};
pub use labels::{family_and_tile, family_word, short_name, visible};
pub use names::NameTable;
pub use run::{Absent, Clock, Member, Run};
pub use spans::{Span, Spans};
pub use trace::{Gpu, Tally, Ties, Trace, TraceHead, Unplaced};
pub use track::{Role, RowId, Track, TrackKey};
