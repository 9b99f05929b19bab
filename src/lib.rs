//! Warpline: a native viewer for GPU performance traces.

pub mod analysis;
pub mod app;
pub mod base;
pub mod cli;
pub mod formats;
pub mod index;
pub mod model;
pub mod ui;
pub mod view;
pub mod workspace;
