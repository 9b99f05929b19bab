//! What is open: finds and loads files, puts their traces on one clock, holds runs and indexes.
//! How they are looked at is not known here.

mod align;
mod discover;
mod load;
mod open;
mod progress;
mod rank_name;
mod ranks;

pub use crate::formats::Fields;
pub use discover::{DiscoverError, Found, FoundFile, find};
pub use load::{Intake, LoadError, Loaded, load};
pub use open::{FieldsError, Workspace};
pub use progress::{Failure, Progress};
pub use rank_name::{common_stem, rank_from_name, run_name};
