//! The integration tests: one binary, one module for each thing that is held to its promise from outside.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test that cannot go on fails, and its files are its own"
)]

mod architecture;
mod architecture_proof;
mod bad_input;
mod cases;
mod many_files;
mod scan;
