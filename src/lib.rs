//! Warpline: a native viewer for GPU performance traces.
//!
//! # The plan at the door
//!
//! A trace file is *bytes*. An importer turns them into *facts*: columns of spans on tracks. The traces
//! of all ranks on one clock are a *run*. From a run grow an *index* (where is something, how dense is
//! it) and *figures* (what does it mean). A *view* says which part is looked at; view, run and index
//! give a *scene*, a flat list of things to draw. The interface paints the scene and turns input into
//! *commands*; commands change the view or start jobs. All but the view is immutable once built.
//!
//! | room | in one sentence |
//! |---|---|
//! | [`base`] | words of time and of work: ranges, interval sets, jobs, texts of numbers |
//! | [`model`] | the facts of a trace and a run, as columns |
//! | [`formats`] | bytes to facts: sources, containers, importers |
//! | [`index`] | facts arranged for looking up: blocks, density, busy time, overlap |
//! | [`analysis`] | facts to figures |
//! | [`workspace`] | what is open: finds, loads, places on one clock |
//! | [`view`] | which part is looked at, and the scene that follows |
//! | [`ui`] | egui: paints, and turns input into commands |
//! | [`app`] | the loop: jobs, commands, the window and the headless host |
//! | [`cli`] | words in, words out, exit codes |
//!
//! # Invariants
//!
//! 1. Imports only go down that list, read from the bottom; `formats`, `index` and `analysis` do not
//!    see each other. An outsider enters a room by its `mod.rs`. `tests/it/architecture.rs` is the wall.
//! 2. `egui` only in `ui` and `app`; `rstar` only in `index/rtree.rs`; `unsafe` and the memory map only
//!    in `formats/source.rs`, where files are opened; folders are listed in `workspace/discover.rs`.
//! 3. A trace, a run and an index never change after they are built.
//! 4. Time is integer nanoseconds in half-open ranges until `view/axis.rs`.
//! 5. Spans of a track are contiguous and ordered by start, longer first; depth is set once.
//! 6. Nothing read is silently lost: read = kept + counted, and the ledger says what was counted.
//! 7. Same bytes, same output, whatever the number of threads.
//! 8. The work of a frame grows with pixels and visible rows, never with the trace.
//! 9. Whatever a person can do is a [`view::Command`].
//! 10. No network, ever.
//!
//! # Where the code differs from the first plan
//!
//! - A zoomed-out row is a strip of texels in the scene, but painted as merged quads rather than as a
//!   texture: the height of a fold is its coverage, which one texel a lane cannot show.
//! - The index keeps an order of spans by row (track and depth), 4 bytes a span: rows of a thread are
//!   then as quick to look up as streams, and each has its own density.
//! - The `wide` crate gives the scanner vector registers without `unsafe`.

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
