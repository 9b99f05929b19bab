//! The walls of the house, as tests: which room may import which, by which door, where files, threads and `unsafe`
//! live, how long a file may be and what it may not be called.
//!
//! Every rule is a function over a `House`; the same functions judge `src/` here and, in `architecture_proof.rs`,
//! invented files that break them.

use std::collections::BTreeMap;
use std::path::Path as FilePath;

use crate::scan::{Path, Source};

/// What each room may import. Its own files are always allowed.
const ARROWS: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("model", &["base"]),
    ("formats", &["model", "base"]),
    ("index", &["model", "base"]),
    ("analysis", &["model", "base"]),
    (
        "workspace",
        &["formats", "index", "analysis", "model", "base"],
    ),
    ("view", &["workspace", "analysis", "index", "model", "base"]),
    ("ui", &["view", "workspace", "analysis", "model", "base"]),
    (
        "app",
        &[
            "ui",
            "view",
            "workspace",
            "analysis",
            "index",
            "formats",
            "model",
            "base",
        ],
    ),
    (
        "cli",
        &[
            "app",
            "ui",
            "view",
            "workspace",
            "analysis",
            "index",
            "formats",
            "model",
            "base",
        ],
    ),
];

/// Rooms that see of `analysis` only what `analysis/report.rs` defines.
const REPORT_READERS: &[&str] = &["view"];

/// Submodules that an outsider may name, because their functions read better with it.
const ALLOWED_SUBMODULES: &[&str] = &["base::text"];

/// Files over 700 lines that are one thing all the same. Meant to stay empty.
const LONG_FILES: &[&str] = &[];

const FORBIDDEN_NAMES: &[&str] = &[
    "utils", "util", "common", "helpers", "helper", "core", "manager", "handler", "data", "info",
    "misc",
];

/// A crate and the places that may name it. A place is a folder or file under `src/`, without `.rs`.
const CRATES: &[(&str, &[&str])] = &[
    ("egui", &["ui", "app"]),
    ("egui_extras", &["ui", "app"]),
    ("epaint", &["ui", "app"]),
    ("eframe", &["app"]),
    ("egui_plot", &["ui/plot"]),
    ("rstar", &["index/rtree"]),
    ("rfd", &["app"]),
    ("memmap2", &["formats/source"]),
];

/// Words of the standard library that touch the disk or start threads, and where they may stand.
const STD_PATHS: &[(&[&str], &[&str])] = &[
    (
        &["std", "fs"],
        &[
            "formats/source",
            "formats/intake", // reads from the file that source opened
            "workspace/store",
            "workspace/discover",
            "cli",
            "app",
        ],
    ),
    (&["File", "open"], &["formats/source", "workspace/store"]),
    (&["fs", "read"], &["formats/source", "workspace/store"]),
    (
        &["fs", "read_to_string"],
        &["formats/source", "workspace/store"],
    ),
    (
        &["File", "create"],
        &["formats/source", "workspace/store", "cli", "app"],
    ),
    (
        &["fs", "write"],
        &["formats/source", "workspace/store", "cli", "app"],
    ),
    (&["std", "thread"], &["base/job"]),
];

/// The same for single words, which may also be methods.
const WORDS: &[(&str, &[&str])] = &[
    (
        "OpenOptions",
        &["formats/source", "workspace/store", "cli", "app"],
    ),
    ("read_dir", &["workspace/discover"]),
    ("unsafe", &["formats/source"]),
];

/// The source files that are judged together.
pub(crate) struct House {
    files: Vec<Source>,
}

impl House {
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        Self {
            files: files
                .iter()
                .map(|(path, text)| Source::new(path, text))
                .collect(),
        }
    }

    /// This repository: `src`, `tests` and `benches`.
    fn here() -> Self {
        let root = FilePath::new(env!("CARGO_MANIFEST_DIR"));
        let mut found = BTreeMap::new();
        for folder in ["src", "tests", "benches"] {
            collect(root, folder, &mut found);
        }
        Self {
            files: found
                .iter()
                .map(|(path, text)| Source::new(path, text))
                .collect(),
        }
    }

    fn src(&self) -> impl Iterator<Item = &Source> {
        self.files
            .iter()
            .filter(|source| source.path.starts_with("src/"))
    }

    /// True if `module` (below `src`) has a child of this name.
    fn has_child(&self, module: &[String], child: &str) -> bool {
        let stem = format!("src/{}/{child}", module.join("/"));
        self.src()
            .any(|it| it.path == format!("{stem}.rs") || it.path.starts_with(&format!("{stem}/")))
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a test of the source reads the source"
)]
fn collect(root: &FilePath, folder: &str, found: &mut BTreeMap<String, String>) {
    let Ok(entries) = std::fs::read_dir(root.join(folder)) else {
        return;
    };
    for entry in entries.flatten() {
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            collect(root, &path, found);
        } else if entry.path().extension().is_some_and(|it| it == "rs")
            && let Ok(text) = std::fs::read_to_string(entry.path())
        {
            found.insert(path, text);
        }
    }
}

fn finding(source: &Source, line: usize, what: &str) -> String {
    format!("{}:{line}: {what}", source.path)
}

fn report(rule: &str, findings: &[String]) {
    assert!(
        findings.is_empty(),
        "{rule}:\n  {}\n",
        findings.join("\n  ")
    );
}

fn stands_in(source: &Source, places: &[&str]) -> bool {
    places.iter().any(|place| {
        let stem = format!("src/{place}");
        source.path == format!("{stem}.rs") || source.path.starts_with(&format!("{stem}/"))
    })
}

// ---- the rules ----

/// (a) Imports go down only, and the wings do not see each other.
pub(crate) fn arrows(house: &House) -> Vec<String> {
    let mut out = Vec::new();
    for source in house.src() {
        let room = source.room();
        let allowed = ARROWS
            .iter()
            .find(|(name, _)| *name == room)
            .map(|(_, allowed)| *allowed);
        if !room.is_empty() && allowed.is_none() {
            out.push(finding(
                source,
                1,
                &format!("`{room}` is no room of the plan"),
            ));
        }
        for path in source.paths.iter().filter(|path| path.inside) {
            let target = path.segments.first().map_or("", String::as_str);
            let fits = match (source.path.as_str(), allowed) {
                ("src/main.rs", _) => target == "cli",
                (_, Some(allowed)) => target == room || allowed.contains(&target),
                _ => false,
            };
            if !fits {
                let from = if room.is_empty() { &source.path } else { room };
                out.push(finding(
                    source,
                    path.line,
                    &format!("`{from}` may not import `{}`", path.text()),
                ));
            }
        }
    }
    out
}

/// (a) A view speaks of findings, and so sees the report and no analysis.
pub(crate) fn report_only(house: &House) -> Vec<String> {
    let face: Vec<&str> = house
        .src()
        .filter(|source| stands_in(source, &["analysis/report"]))
        .flat_map(|source| source.code.windows(3))
        .filter_map(|window| match window {
            [public, kind, name] if public.text == "pub" && kind.text != "(" => {
                Some(name.text.as_str())
            }
            _ => None,
        })
        .collect();
    let mut out = Vec::new();
    for source in house
        .src()
        .filter(|source| REPORT_READERS.contains(&source.room()))
    {
        for path in source
            .paths
            .iter()
            .filter(|path| path.inside && path.starts_with(&["analysis"]))
        {
            let name = path.segments.get(1).map_or("", String::as_str);
            if !face.contains(&name) {
                let what = format!(
                    "`{}` is not in analysis/report.rs, all that `view` may see",
                    path.text()
                );
                out.push(finding(source, path.line, &what));
            }
        }
    }
    out
}

/// (b) An outsider enters by `mod.rs`: no path from outside names a file of a room, and none is `pub mod`.
pub(crate) fn doors(house: &House) -> Vec<String> {
    let mut out = Vec::new();
    for source in house.src() {
        for path in source.paths.iter().filter(|path| path.inside) {
            let [target, file, _, ..] = path.segments.as_slice() else {
                continue;
            };
            let is_file = file.starts_with(char::is_lowercase);
            let listed = ALLOWED_SUBMODULES.contains(&format!("{target}::{file}").as_str());
            if target != source.room() && is_file && !listed {
                let what = format!(
                    "`{}` enters `{target}` by a file and not by its door",
                    path.text()
                );
                out.push(finding(source, path.line, &what));
            }
        }
        if source.file_name() == "mod.rs" {
            for index in 0..source.code.len() {
                let here = source.code.iter().skip(index).take(6);
                let words: Vec<&str> = here.map(|token| token.text.as_str()).collect();
                let (["pub", "mod", name, ..] | ["pub", "(", "crate", ")", "mod", name]) =
                    words.as_slice()
                else {
                    continue;
                };
                let line = source.code.get(index).map_or(1, |token| token.line);
                let path = format!("{}::{name}", source.module().join("::"));
                if !ALLOWED_SUBMODULES.contains(&path.as_str()) {
                    out.push(finding(
                        source,
                        line,
                        &format!("`{path}` is open to all: `mod {name}` and `pub use`"),
                    ));
                }
            }
        }
    }
    out
}

/// (b) Inside a room the file is named: no file imports from a `mod.rs` above it.
pub(crate) fn own_door(house: &House) -> Vec<String> {
    let mut out = Vec::new();
    for source in house.src().filter(|source| !source.room().is_empty()) {
        let module = source.module();
        for path in source.paths.iter().filter(|path| path.inside) {
            let through_door = (1..module.len()).any(|depth| {
                let (above, _) = module.split_at(depth);
                let (stem, rest) = path.segments.split_at(depth.min(path.segments.len()));
                stem == above
                    && rest
                        .first()
                        .is_none_or(|next| !house.has_child(above, next))
            });
            if through_door {
                let what = format!("`{}` comes from a mod.rs above: name its file", path.text());
                out.push(finding(source, path.line, &what));
            }
        }
    }
    out
}

/// (c) Crates, files, threads and `unsafe` each have their place.
pub(crate) fn places(house: &House) -> Vec<String> {
    let mut out = Vec::new();
    for source in house.src() {
        let mut judge = |line: usize, word: &str, allowed: &[&str]| {
            if !stands_in(source, allowed) {
                let what = format!("`{word}` belongs in {} only", allowed.join(", "));
                out.push(finding(source, line, &what));
            }
        };
        for path in source.paths.iter().filter(|path| !path.inside) {
            for (name, allowed) in CRATES.iter().filter(|(name, _)| path.starts_with(&[name])) {
                judge(path.line, name, allowed);
            }
            for (words, allowed) in STD_PATHS.iter().filter(|(words, _)| path.names(words)) {
                judge(path.line, &words.join("::"), allowed);
            }
        }
        for (word, allowed) in WORDS {
            for line in Source::lines_with(&source.code, &[word]) {
                judge(line, word, allowed);
            }
        }
    }
    out
}

/// (d) Sizes.
pub(crate) fn sizes(house: &House) -> Vec<String> {
    let mut out = Vec::new();
    for source in house.src() {
        let lines = source.lines;
        let most = match source.file_name() {
            "main.rs" => 30,
            "mod.rs" => 80,
            _ if LONG_FILES.contains(&source.path.as_str()) => usize::MAX,
            _ => 700,
        };
        if lines > most {
            out.push(finding(
                source,
                most + 1,
                &format!("{lines} lines without tests, {most} at most"),
            ));
        } else if lines > 400 && !source.head.contains("One file because") {
            out.push(finding(
                source,
                1,
                &format!("{lines} lines: the head must say `One file because …`"),
            ));
        }
    }
    out
}

/// (d) Every file says in its head what it is for.
pub(crate) fn heads(house: &House) -> Vec<String> {
    let empty = |source: &&Source| source.head.trim().is_empty();
    house
        .files
        .iter()
        .filter(empty)
        .map(|source| finding(source, 1, "no `//!` head on the first line"))
        .collect()
}

/// (e) Names that say nothing.
pub(crate) fn file_names(house: &House) -> Vec<String> {
    let vague = |source: &&Source| {
        let parts = source.path.trim_end_matches(".rs").split('/');
        parts
            .into_iter()
            .any(|part| FORBIDDEN_NAMES.contains(&part))
    };
    house
        .files
        .iter()
        .filter(vague)
        .map(|source| finding(source, 1, "a name that says nothing"))
        .collect()
}

/// (f) Nothing unfinished, nothing switched off; in tests too.
pub(crate) fn unfinished(house: &House) -> Vec<String> {
    let mut out = Vec::new();
    for source in &house.files {
        for words in [
            ["todo", "!"].as_slice(),
            &["unimplemented", "!"],
            &["dbg", "!"],
            &["#", "[", "ignore"],
        ] {
            for line in Source::lines_with(&source.all, words) {
                out.push(finding(
                    source,
                    line,
                    &format!("`{}` is unfinished work", words.concat()),
                ));
            }
        }
    }
    out
}

/// (g) No container whose order is by chance; in tests too.
pub(crate) fn chance_order(house: &House) -> Vec<String> {
    let chance = |path: &&Path| {
        ["HashMap", "HashSet", "*"]
            .iter()
            .any(|name| path.names(&["collections", name]))
            || path.names(&["hash_map", "HashMap"])
            || path.names(&["hash_set", "HashSet"])
    };
    let found = |source: &Source| {
        let paths = source.all_paths.iter().filter(chance);
        paths
            .map(|path| {
                finding(
                    source,
                    path.line,
                    &format!("`{}`: order by chance", path.text()),
                )
            })
            .collect::<Vec<_>>()
    };
    house.files.iter().flat_map(found).collect()
}

/// The crate root is a plan and a list of rooms.
pub(crate) fn root(house: &House) -> Vec<String> {
    let lib = house.src().filter(|source| source.path == "src/lib.rs");
    lib.flat_map(|source| {
        let lines = Source::lines_with(&source.code, &["use"]);
        lines
            .into_iter()
            .map(|line| finding(source, line, "lib.rs re-exports nothing"))
            .collect::<Vec<_>>()
    })
    .collect()
}

// ---- this house ----

#[test]
fn the_house_is_found() {
    let house = House::here();
    assert!(
        house.src().any(|source| source.path == "src/lib.rs"),
        "src/lib.rs is not read"
    );
    for (room, _) in ARROWS {
        assert!(
            house.src().any(|source| source.room() == *room),
            "no file of room {room} is read"
        );
    }
}

#[test]
fn imports_only_go_down() {
    report("imports only go down (3, 10.1)", &arrows(&House::here()));
}

#[test]
fn the_view_sees_only_reports() {
    report(
        "view knows analysis by its report",
        &report_only(&House::here()),
    );
}

#[test]
fn rooms_are_entered_by_their_door() {
    report("an outsider enters by mod.rs (3)", &doors(&House::here()));
}

#[test]
fn no_file_imports_from_its_own_door() {
    report("an insider names the file (3)", &own_door(&House::here()));
}

#[test]
fn crates_files_and_threads_have_their_place() {
    report("each thing in its place (10.2)", &places(&House::here()));
}

#[test]
fn files_are_short() {
    report("sizes (11)", &sizes(&House::here()));
}

#[test]
fn every_file_has_a_head() {
    report("heads (13)", &heads(&House::here()));
}

#[test]
fn names_say_something() {
    report("names (12)", &file_names(&House::here()));
}

#[test]
fn nothing_is_unfinished() {
    report("nothing unfinished", &unfinished(&House::here()));
}

#[test]
fn no_order_by_chance() {
    report(
        "no std HashMap or HashSet (10.7)",
        &chance_order(&House::here()),
    );
}

#[test]
fn the_root_is_a_list_of_rooms() {
    report("lib.rs", &root(&House::here()));
}
