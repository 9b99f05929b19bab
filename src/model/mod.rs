//! The facts of a trace and a run.

mod class;
mod labels;
mod symbol;

pub use class::{Class, class_of_kernel, is_fused};
pub use labels::{family_and_tile, family_word, short_name, visible};
