//! Every sample and every small case, cut and bent: it is read or refused, never a crash, and every
//! element is kept or counted.

use std::path::{Path, PathBuf};

use crate::formats::source::open;

use super::reading::read;

/// Bytes of a large file that are bent: its head, and as many from its middle and its end.
const PART_BYTES: usize = 8 << 10;
/// How many cuts, and how many flips, each file gets.
const PLACES: usize = 48;

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = folder
        .read_dir()
        .unwrap()
        .map(|it| it.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else if path.to_string_lossy().contains(".json") && !path.ends_with("truth.json") {
            found.push(path);
        }
    }
}

/// The unpacked texts of all samples and cases.
fn texts() -> Vec<(PathBuf, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    files(&root.join("sample-traces"), &mut found);
    files(&root.join("tests/cases"), &mut found);
    let text = |path: PathBuf| {
        let opened = open(&path, &|_| Ok(())).unwrap();
        (path, opened.sources[0].bytes().to_vec())
    };
    found.into_iter().map(text).collect()
}

/// A large text becomes its head, a piece that starts inside of an event, and its end.
fn shortened(text: &[u8]) -> Vec<u8> {
    if text.len() <= 3 * PART_BYTES {
        return text.to_vec();
    }
    let middle = text.len() / 2;
    [
        &text[..PART_BYTES],
        &text[middle..middle + PART_BYTES],
        &text[text.len() - PART_BYTES..],
    ]
    .concat()
}

#[test]
fn no_sample_cut_anywhere_loses_an_element_unseen() {
    let texts = texts();
    assert!(texts.len() > 25);
    for (path, text) in texts {
        let whole = shortened(&text);
        let mut most = 0;
        for place in 0..=PLACES {
            // Odd steps, so that cuts fall into every part of an event.
            let at = (whole.len() * place / PLACES + place % 7).min(whole.len());
            let Ok(traces) = read(&whole[..at]) else {
                assert!(most == 0, "{}: refused at {at}", path.display());
                continue;
            };
            let kept: u64 = traces.iter().map(|it| it.tally().read).sum();
            assert!(kept >= most, "{}: fewer at {at}", path.display());
            most = kept;
        }
        assert!(most > 0, "{}", path.display());
    }
}

#[test]
fn no_sample_with_a_flipped_byte_ends_in_a_crash() {
    let mut opened = 0;
    for (_, text) in texts() {
        let whole = shortened(&text);
        for place in (0..PLACES).step_by(2) {
            let at = whole.len() * place / PLACES + place % 11;
            for with in [b'"', b'{', b'}', b'[', b',', b'\\', 0, 0xff, b'9'] {
                let mut bent = whole.clone();
                if let Some(byte) = bent.get_mut(at) {
                    *byte = with;
                }
                // `read` checks that every element is accounted for.
                opened += u32::from(read(&bent).is_ok());
            }
        }
    }
    assert!(opened > 5000, "{opened}");
}
