//! Why a file cannot be read: what is wrong, at which byte, and last the path.

use std::path::PathBuf;

use crate::base::Cancelled;

/// Nothing could be read of this source.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error("no list of trace events was found in {length} bytes of JSON: {path}")]
    NoEvents { length: usize, path: PathBuf },
    #[error("the JSON breaks at byte {at} before any event could be read: {path}")]
    Syntax { at: usize, path: PathBuf },
    #[error("this is {what}, not a trace. {advice}: {path}")]
    OtherJson {
        what: &'static str,
        advice: &'static str,
        path: PathBuf,
    },
    #[error("no record starts at byte {at}: {path}")]
    NoRecord { at: u64, path: PathBuf },
    #[error("no importer knows this content. {advice}: {path}")]
    Unknown { advice: &'static str, path: PathBuf },
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}
