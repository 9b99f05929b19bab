//! Words of work in the background.

/// Somebody no longer wants the answer. No fault, and never shown as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;
