//! Loading a file against touching it, against a plain reader, and packed against plain; and what the
//! run holds in memory then.

use std::fs::File;
use std::io::copy;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use warpline::base::Job;
use warpline::formats::{Source, open};
use warpline::workspace::{Loaded, load};

use crate::clock::{median, peak_kb, process_s};
use crate::plain;
use crate::table;

const ROUNDS: usize = 5;

pub(crate) fn measure(path: &Path) -> Loaded {
    let megabytes = path.metadata().unwrap().len() as f64 / 1e6;
    let (peak_kb, held_kb, loaded) = peak_kb(|| loaded(path));
    let folder = tempfile::tempdir().unwrap();
    let packed = pack(path, folder.path());
    let mut rounds = [const { Vec::new() }; 4];
    for _ in 0..ROUNDS {
        rounds[0].push(process_s(|| touch(path)).0);
        rounds[1].push(process_s(|| plain::read(map(path).bytes())).0);
        rounds[2].push(process_s(|| loaded_len(path)).0);
        rounds[3].push(process_s(|| loaded_len(&packed)).0);
    }
    let [touched, streamed, read, read_packed] = rounds.map(median);
    table::note(&format!(
        "{megabytes:.0} MB, CPU s: touch {touched:.2}, serde_json {streamed:.2}, load {read:.2}, load of .gz {read_packed:.2}"
    ));
    let at_most = if megabytes > 1000.0 { 12.0 } else { 8.0 };
    table::row(
        "load / serde_json into the same columns",
        read / streamed,
        0.5,
        "",
    );
    table::row("load / touching every byte", read / touched, at_most, "");
    table::row("load of .json.gz / .json", read_packed / read, 2.2, "");
    let run = loaded.run();
    let spans: usize = run.trace_ids().map(|it| run.trace(it).spans().len()).sum();
    table::row(
        "private memory of a span (first file only)",
        held_kb * 1024.0 / spans as f64,
        64.0,
        "B",
    );
    let share = peak_kb * 0.1024 / megabytes;
    table::row(
        "peak while loading, of the file (first file only)",
        share,
        25.0,
        "%",
    );
    loaded
}

fn loaded(path: &Path) -> Loaded {
    load(&[path.to_owned()], &Job::default()).unwrap()
}

fn loaded_len(path: &Path) -> i64 {
    loaded(path).run().extent().len().0
}

fn map(path: &Path) -> Source {
    open(path, &|_| Ok(())).unwrap().sources.remove(0)
}

fn touch(path: &Path) -> i64 {
    let source = map(path);
    let words = source.bytes().as_chunks::<8>().0.iter();
    words.fold(0, |sum, it| sum.wrapping_add(i64::from_le_bytes(*it)))
}

fn pack(path: &Path, folder: &Path) -> PathBuf {
    let packed = folder.join("packed.json.gz");
    let file = File::create(&packed).unwrap();
    let mut encoder = GzEncoder::new(file, Compression::new(6));
    copy(&mut File::open(path).unwrap(), &mut encoder).unwrap();
    encoder.finish().unwrap();
    packed
}
