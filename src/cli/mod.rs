//! Words in, words out, exit codes.

mod args;
mod facts;
mod print;
mod program;
mod report;

pub use program::main;
