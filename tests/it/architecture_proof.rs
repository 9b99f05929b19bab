//! The rules of `architecture.rs` put to the test: each must catch what it forbids in invented files, and let the
//! neighbor pass.

use crate::architecture::{
    House, arrows, chance_order, doors, file_names, heads, own_door, places, report_only, root,
    sizes, unfinished,
};

#[track_caller]
fn caught(rule: fn(&House) -> Vec<String>, files: &[(&str, &str)], expected: &[&str]) {
    let found = rule(&House::of(files));
    let places: Vec<&str> = found
        .iter()
        .filter_map(|it| it.split_once(": ").map(|(place, _)| place))
        .collect();
    assert_eq!(places, expected, "{found:#?}");
}

#[test]
fn a_forbidden_import_is_reported() {
    let files = [
        (
            "src/model/trace.rs",
            "//! x\nuse crate::{\n    base::Time,\n    view::Scene,\n};\n",
        ),
        (
            "src/index/rtree.rs",
            "//! x\nuse crate::analysis::Report;\nuse crate::model::Trace;\n",
        ),
        (
            "src/analysis/gaps.rs",
            "//! x\nfn f() { crate::formats::open(); }\n",
        ),
        (
            "src/base/job.rs",
            "//! x\nuse super::super::model::Trace;\n",
        ),
        (
            "src/ui/panel.rs",
            "//! x\nuse crate::index::Index;\nuse crate::view::Scene;\n",
        ),
        (
            "src/app/jobs.rs",
            "//! x\nuse crate::cli::Args;\nuse crate::index::Index;\n",
        ),
        ("src/misplaced/a.rs", "//! x\n"),
        (
            "src/main.rs",
            "//! x\nfn main() { warpline::cli::run(); warpline::app::run(); }\n",
        ),
    ];
    let expected = [
        "src/model/trace.rs:4",
        "src/index/rtree.rs:2",
        "src/analysis/gaps.rs:2",
        "src/base/job.rs:2",
        "src/ui/panel.rs:2",
        "src/app/jobs.rs:2",
        "src/misplaced/a.rs:1",
        "src/main.rs:2",
    ];
    caught(arrows, &files, &expected);
}

#[test]
fn a_forbidden_import_in_a_test_a_comment_or_a_text_is_no_import() {
    let text = "//! x\n// use crate::ui::A;\nconst A: &str = \"crate::ui::A\";\n#[cfg(test)]\nmod tests { use crate::ui::A; }\n";
    caught(
        arrows,
        &[
            ("src/model/trace.rs", text),
            ("src/model/tests.rs", "//! x\nuse crate::ui::A;"),
        ],
        &[],
    );
}

#[test]
fn an_analysis_in_the_view_is_reported() {
    let files = [
        (
            "src/analysis/report.rs",
            "//! x\npub struct Report;\npub enum Place {}\n",
        ),
        (
            "src/view/scene.rs",
            "//! x\nuse crate::analysis::{Place, Report};\nuse crate::analysis::gaps;\n",
        ),
    ];
    caught(report_only, &files, &["src/view/scene.rs:3"]);
}

#[test]
fn a_side_door_is_reported() {
    let files = [
        (
            "src/view/axis.rs",
            "//! x\nuse crate::model::Trace;\nuse crate::model::trace::Trace;\nuse crate::base::text::short;\n\
             use crate::model::short_name;\nfn f() { crate::model::Trace::new(); crate::index::rtree::pick(); }\n",
        ),
        (
            "src/model/run.rs",
            "//! x\nuse crate::model::trace::Trace;\n",
        ),
        (
            "src/model/mod.rs",
            "//! x\nmod run;\npub mod trace;\npub use run::Run;\nfn f() {}\n",
        ),
        (
            "src/base/mod.rs",
            "//! x\nmod time;\npub use time::Time;\npub mod text;\npub mod job;\n",
        ),
    ];
    caught(
        doors,
        &files,
        &[
            "src/view/axis.rs:3",
            "src/view/axis.rs:6",
            "src/model/mod.rs:3",
            "src/base/mod.rs:5",
        ],
    );
}

#[test]
fn an_import_from_the_own_door_is_reported() {
    let files = [
        (
            "src/model/mod.rs",
            "//! x\nmod ids;\nmod trace;\npub use ids::RankId;\n",
        ),
        ("src/model/ids.rs", "//! x\nuse self::inner::A;\n"),
        (
            "src/model/trace.rs",
            "//! x\nuse super::ids::RankId;\nuse super::RankId;\nuse super::*;\nuse crate::model::RankId;\n",
        ),
        (
            "src/ui/timeline/mod.rs",
            "//! x\nuse crate::ui::theme::Ink;\nuse crate::ui::Panel;\n",
        ),
        (
            "src/ui/timeline/paint.rs",
            "//! x\nuse super::Timeline;\nuse super::super::theme::Ink;\n",
        ),
        ("src/ui/theme.rs", "//! x\n"),
    ];
    let expected = [
        "src/model/trace.rs:3",
        "src/model/trace.rs:4",
        "src/model/trace.rs:5",
        "src/ui/timeline/mod.rs:3",
        "src/ui/timeline/paint.rs:2",
    ];
    caught(own_door, &files, &expected);
}

#[test]
fn a_thing_out_of_place_is_reported() {
    let files = [
        (
            "src/view/scene.rs",
            "//! x\nuse egui::Pos2;\nfn f(egui: u8) { g(egui) }\n",
        ),
        (
            "src/ui/panel.rs",
            "//! x\nuse egui::Ui;\nuse egui_plot::Plot;\nuse eframe::App;\nuse rfd;\n",
        ),
        ("src/ui/plot.rs", "//! x\nuse egui_plot::Plot;\n"),
        ("src/index/density.rs", "//! x\nuse rstar::RTree;\n"),
        (
            "src/formats/source.rs",
            "//! x\nuse memmap2::Mmap;\nuse std::fs::File;\nfn f() { unsafe {} }\n",
        ),
        (
            "src/formats/ncu.rs",
            "//! x\nuse std::{fs, io};\nfn f() { unsafe {} }\n",
        ),
        (
            "src/workspace/discover.rs",
            "//! x\nfn f() { std::fs::read_dir(p); File::open(p); }\n",
        ),
        (
            "src/cli/print.rs",
            "//! x\nfn f() { std::fs::write(p, b); std::fs::read(p); p.read_dir(); }\n",
        ),
        ("src/base/job.rs", "//! x\nuse std::thread;\n"),
        (
            "src/app/jobs.rs",
            "//! x\nfn f() { std::thread::spawn(g); }\n",
        ),
    ];
    let expected = [
        "src/view/scene.rs:2",
        "src/ui/panel.rs:3",
        "src/ui/panel.rs:4",
        "src/ui/panel.rs:5",
        "src/index/density.rs:2",
        "src/formats/ncu.rs:2",
        "src/formats/ncu.rs:3",
        "src/workspace/discover.rs:2",
        "src/cli/print.rs:2",
        "src/cli/print.rs:2",
        "src/app/jobs.rs:2",
    ];
    caught(places, &files, &expected);
}

#[test]
fn a_long_file_is_reported() {
    let code = |lines: usize| format!("//! x\n{}", "fn f() {}\n".repeat(lines - 1));
    let tests = format!(
        "//! x\n#[cfg(test)]\nmod tests {{\n{}}}\n",
        "fn f() {}\n".repeat(900)
    );
    let told = format!(
        "//! x. One file\n//! because y.\n{}",
        "fn f() {}\n".repeat(500)
    );
    let files = [
        ("src/main.rs", code(31)),
        ("src/base/mod.rs", code(81)),
        ("src/base/a.rs", code(701)),
        ("src/base/b.rs", code(401)),
        ("src/base/c.rs", code(400)),
        ("src/base/d.rs", tests),
        ("src/base/e.rs", told),
    ];
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (*path, text.as_str()))
        .collect();
    caught(
        sizes,
        &files,
        &[
            "src/main.rs:31",
            "src/base/mod.rs:81",
            "src/base/a.rs:701",
            "src/base/b.rs:1",
        ],
    );
}

#[test]
fn a_missing_head_a_vague_name_and_unfinished_work_are_reported() {
    caught(
        heads,
        &[
            ("src/base/a.rs", "use std::io;\n"),
            ("src/base/b.rs", "//! b\n"),
        ],
        &["src/base/a.rs:1"],
    );
    let named = [
        ("src/base/utils.rs", "//! x\n"),
        ("src/core/a.rs", "//! x\n"),
        ("src/base/database.rs", "//! x\n"),
    ];
    caught(
        file_names,
        &named,
        &["src/base/utils.rs:1", "src/core/a.rs:1"],
    );
    let text = "//! todo!\nfn f() { todo!() }\n#[cfg(test)]\nmod tests {\n    #[ignore = \"later\"]\n    fn g() { dbg!(1); }\n}\n";
    caught(
        unfinished,
        &[("src/base/a.rs", text)],
        &["src/base/a.rs:2", "src/base/a.rs:6", "src/base/a.rs:5"],
    );
}

#[test]
fn a_std_hash_map_is_reported() {
    let text = "//! x\nuse std::collections::{BTreeMap, HashMap};\nuse rustc_hash::FxHashMap;\n\
                use std::collections::hash_map::Entry;\nfn f() { std::collections::HashSet::new(); }\n";
    caught(
        chance_order,
        &[("src/base/a.rs", text)],
        &["src/base/a.rs:2", "src/base/a.rs:5"],
    );
    caught(
        root,
        &[("src/lib.rs", "//! x\npub mod base;\npub use base::Time;\n")],
        &["src/lib.rs:3"],
    );
}
