//! Loads as a person sees them: which run a folder is, what shows while it is read, how soon a cancel
//! is heard.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::base::{Job, Stage};
use crate::model::Issue;
use crate::workspace::{
    Arrivals, LoadError, Loaded, Picture, State, Undecided, load, load_watched,
};

/// A trace with `kernels` kernels of 2 µs, one each 10 µs from `start_us` of the Unix epoch.
fn kineto(rank: Option<u32>, start_us: u64, kernels: u64) -> String {
    let mut text = String::from("{");
    if let Some(rank) = rank {
        write!(
            text,
            r#""distributedInfo":{{"rank":{rank},"world_size":2}},"#
        )
        .unwrap();
    }
    text += r#""traceEvents":["#;
    for i in 0..kernels {
        let (comma, ts) = (if i > 0 { "," } else { "" }, start_us + 10 * i);
        write!(
            text,
            r#"{comma}
{{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":{ts},"dur":2,"args":{{"device":0,"stream":7,"correlation":{i}}}}}"#
        )
        .unwrap();
    }
    text.push_str("]}");
    text
}

const START: u64 = 1_795_252_447_000_000;

fn folder(files: &[(&str, String)]) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = root.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    root
}

fn undecided(paths: &[PathBuf]) -> Undecided {
    match load(paths, &Job::default()) {
        Err(LoadError::SeveralRuns(undecided)) => *undecided,
        Err(error) => panic!("{error}"),
        Ok(loaded) => panic!("one run, {}", loaded.run().name()),
    }
}

fn one_run(root: &Path) -> Loaded {
    load(&[root.to_owned()], &Job::default()).unwrap()
}

fn names(undecided: &Undecided) -> Vec<(&str, usize)> {
    let of = undecided.choices().iter();
    of.map(|it| (it.name.as_str(), it.rank_count)).collect()
}

#[test]
fn a_folder_with_two_runs_asks_which_one() {
    let root = folder(&[
        ("monday/rank0.json", kineto(Some(0), START, 3)),
        ("monday/rank1.json", kineto(Some(1), START, 3)),
        ("tuesday/rank0.json", kineto(Some(0), START, 5)),
        ("tuesday/rank1.json", kineto(Some(1), START, 5)),
    ]);
    let undecided = undecided(&[root.path().to_owned()]);
    assert_eq!(names(&undecided), [("monday", 2), ("tuesday", 2)]);
    let at = |it: &str| root.path().join(it).display().to_string();
    assert_eq!(
        undecided.to_string(),
        format!(
            "2 runs are here, of which one can be open; name it alone: {} (2 ranks), {} (2 ranks)",
            at("monday"),
            at("tuesday")
        )
    );
    let second = undecided.choices()[1].clone();
    assert_eq!((second.file_count, second.place), (2, at("tuesday")));
    assert_eq!(
        second.recorded_ns,
        Some(i64::try_from(START).unwrap() * 1000)
    );
    let loaded = undecided.open(1, &Job::default()).unwrap();
    assert_eq!(loaded.run().name(), "tuesday");
    assert_eq!(loaded.run().ranks().len(), 2);
    let spans = loaded.run().members().iter();
    let spans: usize = spans.map(|it| it.trace.spans().len()).sum();
    assert_eq!(spans, 10, "only its own");
}

#[test]
fn runs_in_one_folder_are_told_apart_by_the_words_of_their_names() {
    let root = folder(&[
        ("base_rank0.json", kineto(None, START, 3)),
        ("base_rank1.json", kineto(None, START, 3)),
        ("fused_rank0.json", kineto(None, START, 3)),
        ("fused_rank1.json", kineto(None, START, 3)),
    ]);
    let undecided = undecided(&[root.path().to_owned()]);
    assert_eq!(names(&undecided), [("base", 2), ("fused", 2)]);
}

#[test]
fn folders_of_one_rank_each_are_put_together() {
    let file = |rank| kineto(Some(rank), START, 2);
    let root = folder(&[
        ("a_rank0/trace.json", file(0)),
        ("a_rank1/trace.json", file(1)),
        ("b_rank0/trace.json", file(0)),
        ("b_rank1/trace.json", file(1)),
    ]);
    let undecided = undecided(&[root.path().to_owned()]);
    let ranks = undecided.choices().iter().map(|it| it.rank_count);
    assert_eq!(ranks.collect::<Vec<_>>(), [2, 2]);
}

#[test]
fn two_files_without_ranks_are_two_runs_unless_a_folder_holds_them() {
    let root = folder(&[
        ("old.json", kineto(None, START, 2)),
        ("new.json", kineto(None, START, 2)),
    ]);
    let paths = ["old.json", "new.json"].map(|it| root.path().join(it));
    let undecided = undecided(&paths);
    assert_eq!(names(&undecided), [("new", 0), ("old", 0)]);
    let sentence = undecided.to_string();
    assert!(sentence.contains("--against"), "{sentence}");
    assert_eq!(
        undecided.open(1, &Job::default()).unwrap().run().name(),
        "old"
    );
    assert_eq!(one_run(root.path()).run().ranks().len(), 2);
}

#[test]
fn recordings_of_different_days_are_not_ranks_of_one_run() {
    let root = folder(&[
        ("workers_0.100.json", kineto(None, START, 50)),
        (
            "workers_4.200.json",
            kineto(None, START + 69_667_000_000, 50),
        ),
    ]);
    let undecided = undecided(&[root.path().to_owned()]);
    assert_eq!(names(&undecided).len(), 2);
    let together = folder(&[
        ("workers_0.100.json", kineto(None, START, 50)),
        ("workers_4.200.json", kineto(None, START + 1_000, 50)),
    ]);
    assert_eq!(one_run(together.path()).run().ranks().len(), 2);
}

#[test]
fn copies_of_a_rank_in_a_folder_are_counted_and_two_recordings_are_one_rank() {
    let file = |start| kineto(Some(0), start, 3);
    let copies = folder(&[("w.1.json", file(START)), ("w.2.json", file(START))]);
    let loaded = one_run(copies.path());
    assert_eq!(loaded.run().ledger().count(Issue::DuplicateRank), 1);
    let later = [("w.1.json", file(START)), ("x.2.json", file(START + 1000))];
    let loaded = one_run(folder(&later).path());
    assert_eq!(loaded.run().ledger().count(Issue::DuplicateRank), 0);
    assert_eq!(loaded.run().members().len(), 2);
}

#[test]
fn a_file_shows_its_first_picture_as_soon_as_it_is_read() {
    let root = folder(&[
        ("rank0.json", kineto(Some(0), START, 100)),
        ("rank1.json", kineto(Some(1), START, 50)),
        ("readme.txt", "not a trace".to_owned()),
    ]);
    let arrivals = Arrivals::default();
    load_watched(&[root.path().to_owned()], &Job::default(), &arrivals).unwrap();
    let files = arrivals.now();
    let states: Vec<&State> = files.iter().map(|it| &it.state).collect();
    let [
        State::Done(first),
        State::Done(second),
        State::Absent(reason),
    ] = states[..]
    else {
        panic!("{states:?}")
    };
    assert!(reason.contains("readme.txt"), "{reason}");
    assert_eq!(files[0].share(), Some(1.0));
    assert_eq!(
        first[0].extent.len().0,
        2 * second[0].extent.len().0 + 8_000
    );
    let Picture::Work(shares) = &first[0].picture else {
        panic!("kernels are work")
    };
    // 2 µs of each 10 are busy; what is there at all shows.
    let busy: u32 = shares.iter().map(|it| u32::from(it.compute_alone)).sum();
    let mean = busy as usize / shares.len();
    assert!((45..60).contains(&mean), "{mean}");
    assert!(shares.iter().all(|it| it.exposed_communication == 0));
}

#[test]
fn when_all_is_read_all_bytes_are_done() {
    use std::io::Write as _;
    let root = folder(&[
        ("rank0.json", kineto(Some(0), START, 100)),
        ("notes.txt", "not a trace ".repeat(1000)),
        ("broken.json.gz", "not packed at all".to_owned()),
    ]);
    let packed = std::fs::File::create(root.path().join("rank1.json.gz")).unwrap();
    let mut packed = flate2::write::GzEncoder::new(packed, flate2::Compression::fast());
    packed
        .write_all(kineto(Some(1), START, 5000).as_bytes())
        .unwrap();
    packed.finish().unwrap();
    let job = Job::default();
    load(&[root.path().to_owned()], &job).unwrap();
    assert!(job.total_bytes() > 500_000, "as it is unpacked");
    assert_eq!(job.done_bytes(), job.total_bytes());
}

#[test]
fn a_cancel_is_heard_before_much_more_is_read() {
    let events = 40_000;
    let root = folder(&[
        ("rank0.json", kineto(Some(0), START, events)),
        ("rank1.json", kineto(Some(1), START, events)),
    ]);
    let paths = [root.path().to_owned()];
    let whole = Job::default();
    load(&paths, &whole).unwrap();
    let (checks, bytes) = (whole.check_count(), whole.done_bytes());
    assert!(checks > 60, "{checks}");
    let event_bytes = bytes / (2 * events) + 1;
    let threads = rayon::current_num_threads() as u64;
    let mut stages = Vec::new();
    for at in (1..checks).step_by(5).chain([checks]) {
        let job = Job::cancelled_by_check(at);
        let result = load(&paths, &job);
        assert!(matches!(result, Err(LoadError::Cancelled(_))), "check {at}");
        let (checks_after, bytes_after) = job.work_after_cancel();
        // A thread hears of it at its next check, and reads at most 1024 events up to there.
        assert!(checks_after <= 4 * threads, "{checks_after} at {at}");
        let bound = 4 * threads * 1024 * event_bytes;
        assert!(bytes_after <= bound, "{bytes_after} at {at}");
        stages.push(job.stage());
    }
    for stage in [Stage::ReadSpans, Stage::BuildIndex] {
        assert!(stages.contains(&stage), "{stages:?}");
    }
}
