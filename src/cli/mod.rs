//! Words in, words out, exit codes.

mod args;
mod facts;
mod main;
mod print;
mod report;

pub use main::main;
