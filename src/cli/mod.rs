//! Words in, words out, exit codes.

mod args;
mod facts;
mod main;
mod print;

pub use main::main;
