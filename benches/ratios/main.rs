//! Ratios measured in one run, never timed tests:
//! `cargo bench -- [FILE.json]... [--made MILLIONS]...`
//!
//! Times are CPU, medians of interleaved rounds, so that other programs on the machine matter little.
//! Of a file: loading it against touching every byte and against a plain reader, packed against plain,
//! memory, the window meanwhile, and its frames. With `--made`: frames of a run made in memory.
//! Linux only: the figures are read from `/proc`.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a bench that cannot go on stops"
)]

mod clock;
mod file;
mod frames;
mod host;
mod made;
mod plain;
mod table;

use std::path::Path;

use made::Rows;

fn main() {
    table::head();
    let mut words = std::env::args().skip(1).filter(|it| it != "--bench");
    while let Some(word) = words.next() {
        if word == "--made" {
            let millions: usize = words.next().unwrap().trim_end_matches('M').parse().unwrap();
            for rows in [Rows::Streams, Rows::Threads] {
                table::note(&format!("== made: {millions} M spans, {rows:?}"));
                frames::measure(&made::run(millions * 1_000_000, rows));
            }
        } else {
            table::note(&format!("== {word}"));
            let loaded = file::measure(Path::new(&word));
            frames::measure(&loaded);
            drop(loaded);
            host::measure(Path::new(&word));
        }
    }
}
