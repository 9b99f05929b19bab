//! Values over time: allocated bytes, utilization, queue lengths.

use crate::base::Time;
use crate::model::ids::NameId;
use crate::model::track::RowId;

/// One series. Samples are ordered by time; a value holds until the next.
#[derive(Clone, Debug, PartialEq)]
pub struct Counter {
    pub name: NameId,
    pub unit: Unit,
    /// The GPU it is about, where the file says so.
    pub device: Option<i64>,
    pub process: RowId,
    pub times: Vec<Time>,
    pub values: Vec<f64>,
    /// Values that were derived from differences because the file gives no total.
    pub derived_count: u64,
}

/// What a counter counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unit {
    Bytes,
    /// The file names no unit.
    Plain,
}
