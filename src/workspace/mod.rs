//! What is open: finds and loads files, puts their traces on one clock, holds runs and indexes.
//! How they are looked at is not known here.

mod align;
mod arrivals;
mod choices;
mod discover;
mod first_picture;
mod load;
mod open;
mod progress;
mod rank_name;
mod ranks;
mod read;
#[cfg(test)]
mod tests;

pub use crate::formats::Fields;
pub use arrivals::{Arrival, Arrivals, State};
pub use choices::{Choice, Undecided};
pub use discover::{DiscoverError, Found, FoundFile, find};
pub use first_picture::{FirstPicture, Picture};
pub use load::{LoadError, Loaded, load, load_watched};
pub use open::{FieldsError, Workspace};
pub use progress::{Failure, Progress};
pub use rank_name::{common_stem, rank_from_name, run_name};
pub use read::Intake;
