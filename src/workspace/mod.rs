//! What is open.

mod discover;
mod rank_name;

pub use discover::{DiscoverError, Found, FoundFile, find};
pub use rank_name::{common_stem, rank_from_name, run_name};
