//! The integration tests: one binary, one module for each thing that is held to its promise from outside.

mod architecture;
mod architecture_proof;
mod scan;
