//! The pieces of the interface with a real run: what they say, and what their buttons ask for.

use std::path::PathBuf;
use std::sync::LazyLock;

use egui::vec2;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use super::badge::Badge;
use super::tabs::Tabs;
use super::{Cx, OpenRun, Outbox, Sample, Theme, install_fonts, lane_heights};
use crate::base::{Job, Stage};
use crate::model::{Absent, Kind, Ledger, Severity, SpanId, SpanRef, TraceId};
use crate::view::{Command, Outline, Tab, ThemeChoice, View, ViewCommand};
use crate::workspace::{Choice, Failure, Progress, Workspace, load};

pub(super) static TRAIN: LazyLock<Workspace> = LazyLock::new(|| {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("sample-traces/train-4rank");
    Workspace::new(load(&[folder], &Job::default()).unwrap(), 1)
});

const SAMPLES: [Sample; 2] = [
    Sample {
        name: "train-4rank",
        says: "Four ranks of a training job, one of them waits for data",
    },
    Sample {
        name: "serving",
        says: "A server that decodes",
    },
];

/// Everything a frame is shown from.
pub(super) struct Stand {
    pub(super) view: View,
    pub(super) outline: Outline,
    pub(super) outbox: Outbox,
    pub(super) failure: Option<Failure>,
    pub(super) loading: Option<Progress>,
    pub(super) choices: Option<Vec<Choice>>,
    pub(super) theme: &'static Theme,
}

impl Stand {
    pub(super) fn new(theme: &'static Theme) -> Self {
        let run = TRAIN.run();
        let outline = Outline::of_run(run);
        let view = View::of_run(run, &outline, &lane_heights(theme));
        Self {
            view,
            outline,
            outbox: Outbox::default(),
            failure: None,
            loading: None,
            choices: None,
            theme,
        }
    }

    pub(super) fn apply(&mut self, command: ViewCommand) {
        self.view
            .apply(command, &TRAIN, &self.outline, &lane_heights(self.theme));
    }

    fn open(&self) -> OpenRun<'_> {
        OpenRun {
            workspace: &TRAIN,
            view: &self.view,
            outline: &self.outline,
        }
    }

    pub(super) fn cx(&self, is_open: bool) -> Cx<'_> {
        Cx {
            open: is_open.then(|| self.open()),
            loading: self.loading.as_ref(),
            failure: self.failure.as_ref(),
            choices: self.choices.as_deref(),
            samples: &SAMPLES,
            theme: self.theme,
            theme_choice: ThemeChoice::System,
            outbox: &self.outbox,
            notice: None,
            overlay: None,
            focus: None,
        }
    }
}

fn harness<'a>(stand: &Stand, size: egui::Vec2, ui: impl FnMut(&mut egui::Ui) + 'a) -> Harness<'a> {
    let theme = stand.theme;
    let setup = move |ctx: &egui::Context| {
        install_fonts(ctx);
        theme.apply(ctx);
    };
    let shown = if theme.dark_mode {
        egui::Theme::Dark
    } else {
        egui::Theme::Light
    };
    let builder = Harness::builder()
        .with_size(size)
        .with_theme(shown)
        .with_context_setup(setup);
    let mut harness = builder.build_ui(ui);
    harness.run_steps(3);
    harness
}

pub(super) fn first_of(wanted: impl Fn(SpanRef) -> bool) -> SpanRef {
    let trace = TraceId(0);
    let count = TRAIN.run().trace(trace).spans().len();
    (0..count)
        .map(|it| SpanRef {
            trace,
            span: SpanId::from_index(it),
        })
        .find(|it| wanted(*it))
        .unwrap()
}

pub(super) fn launched_kernel() -> SpanRef {
    first_of(|it| {
        TRAIN.run().span(it).kind == Kind::Kernel && TRAIN.run().span(it).launch.is_some()
    })
}

#[test]
fn the_top_bar_tells_the_run_and_its_quality_and_leads_to_the_ledger() {
    let stand = Stand::new(Theme::dark());
    let mut harness = harness(&stand, vec2(1600.0, 36.0), |ui| {
        super::top_bar_ui(ui, &stand.cx(true));
    });
    harness.get_by_label_contains("train-4rank");
    harness.get_by_label_contains("4 ranks · 4 × ");
    let badge = Badge::of(TRAIN.run());
    harness
        .get_by_label(&format!("Data quality, {}", badge.sentence))
        .click();
    harness.run_steps(2);
    assert_eq!(
        stand.outbox.drain(),
        [Command::View(ViewCommand::ShowTab(Tab::Ledger))]
    );
}

#[test]
fn the_menu_opens_closes_and_quits() {
    let stand = Stand::new(Theme::light());
    let wanted = [
        ("Open files…", Command::AskOpen { folder: false }),
        ("Open folder…", Command::AskOpen { folder: true }),
        ("Close run", Command::Close),
        ("Quit", Command::Quit),
    ];
    let mut harness = harness(&stand, vec2(800.0, 400.0), |ui| {
        super::top_bar_ui(ui, &stand.cx(true));
    });
    for (label, command) in wanted {
        harness.get_by_label("Menu").click();
        harness.run_steps(3);
        harness.get_by_label(label).click();
        harness.run_steps(3);
        assert_eq!(stand.outbox.drain(), [command]);
    }
}

#[test]
fn a_run_without_faults_has_all_its_spans() {
    let badge = Badge::of(TRAIN.run());
    let work: usize = TRAIN
        .run()
        .members()
        .iter()
        .flat_map(|it| it.trace.work_tracks())
        .map(|it| it.1.len())
        .sum();
    assert!(work > 4000);
    if badge.severity == Severity::Note {
        assert!(badge.sentence.starts_with("all "), "{}", badge.sentence);
    }
}

#[test]
fn the_status_bar_says_what_is_selected_and_which_keys_work() {
    let mut stand = Stand::new(Theme::dark());
    {
        let harness = harness(&stand, vec2(1200.0, 22.0), |ui| {
            super::status_bar_ui(ui, &stand.cx(true), None);
        });
        harness.get_by_label_contains("GPU spans");
        harness.get_by_label_contains("W S zoom");
    }
    {
        let ui = |ui: &mut egui::Ui| super::status_bar_ui(ui, &stand.cx(true), Some("Two spans"));
        harness(&stand, vec2(1200.0, 22.0), ui).get_by_label("Two spans");
    }
    stand.apply(ViewCommand::Select(Some(launched_kernel())));
    let harness = harness(&stand, vec2(1200.0, 22.0), |ui| {
        super::status_bar_ui(ui, &stand.cx(true), Some("Two spans"));
    });
    harness.get_by_label_contains("on rank 0, stream 7, ");
}

#[test]
fn the_start_screen_opens_files_folders_and_samples() {
    let stand = Stand::new(Theme::dark());
    let mut harness = harness(&stand, vec2(1200.0, 800.0), |ui| {
        super::start_ui(ui, &stand.cx(false));
    });
    harness.get_by_label("Drop traces here");
    harness.get_by_label("Nothing leaves this machine");
    let wanted = [
        ("Open files…", Command::AskOpen { folder: false }),
        ("Open folder…", Command::AskOpen { folder: true }),
        ("Open sample serving", Command::OpenSample("serving")),
    ];
    for (label, command) in wanted {
        harness.get_by_label(label).click();
        harness.run_steps(2);
        assert_eq!(stand.outbox.drain(), [command]);
    }
}

#[test]
fn files_over_the_window_are_told_what_will_happen() {
    let stand = Stand::new(Theme::light());
    let mut harness = harness(&stand, vec2(1200.0, 800.0), |ui| {
        super::start_ui(ui, &stand.cx(false));
    });
    harness.input_mut().hovered_files = vec![egui::HoveredFile::default(); 16];
    harness.step();
    harness.get_by_label("Open 16 files as one run");
}

#[derive(Debug)]
struct Dropped(PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &std::path::Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        Err("only its path is asked for".to_owned())
    }
}

#[test]
fn files_dropped_on_the_window_open_as_one_run() {
    let stand = Stand::new(Theme::dark());
    let mut window = super::Window::default();
    let mut harness = harness(&stand, vec2(1200.0, 800.0), |ui| {
        window.ui(ui, &stand.cx(false));
    });
    let paths = ["/data/rank0.json", "/data/rank1.json"].map(PathBuf::from);
    for path in &paths {
        let dropped = std::sync::Arc::new(Dropped(path.clone()));
        harness.input_mut().dropped_files.push(dropped);
    }
    harness.step();
    assert_eq!(stand.outbox.drain(), [Command::Open(paths.to_vec())]);
}

#[test]
fn a_path_can_be_typed_where_there_is_no_dialog() {
    let stand = Stand::new(Theme::light());
    let mut harness = harness(&stand, vec2(1200.0, 800.0), |ui| {
        super::start_ui(ui, &stand.cx(false));
    });
    harness.get_by_label("Path to open").focus();
    harness.run_steps(2);
    harness
        .get_by_label("Path to open")
        .type_text("/data/run 7 ");
    harness.run_steps(2);
    assert_eq!(stand.outbox.drain(), []);
    harness.key_press(egui::Key::Enter);
    harness.run_steps(2);
    let path = PathBuf::from("/data/run 7");
    assert_eq!(stand.outbox.drain(), [Command::Open(vec![path])]);
}

pub(super) fn failure(count: usize) -> Failure {
    let absent = |it: usize| Absent {
        file: format!("rank{it}.json"),
        reason: "ends before its first event, at byte 1 024".to_owned(),
        is_ignored: false,
    };
    Failure {
        title: format!("{count} files"),
        sentence: "no file of these is a trace: /data/run".to_owned(),
        absent: (0..count).map(absent).collect(),
        ledger: Ledger::default(),
    }
}

#[test]
fn a_failure_lists_its_files_and_can_be_copied_and_closed() {
    let mut stand = Stand::new(Theme::dark());
    stand.failure = Some(failure(11));
    let mut harness = harness(&stand, vec2(1200.0, 900.0), |ui| {
        super::start_ui(ui, &stand.cx(false));
    });
    harness.get_by_label("11 files could not be opened");
    harness.get_by_label("rank7.json");
    assert!(harness.query_by_label("rank8.json").is_none());
    harness.get_by_label("and 3 more");
    harness.get_by_label("Copy report").click();
    harness.run_steps(2);
    let [Command::CopyText(report)] = &stand.outbox.drain()[..] else {
        panic!()
    };
    assert!(report.contains("rank10.json\tends before"), "{report}");
    harness.get_by_label("Close").click();
    harness.run_steps(2);
    assert_eq!(stand.outbox.drain(), [Command::Dismiss]);
}

#[test]
fn a_file_that_is_no_trace_is_told_once() {
    let mut stand = Stand::new(Theme::dark());
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("LICENSE-MIT");
    let error = load(&[path], &Job::default()).err().unwrap();
    stand.failure = Some(Failure::of_load("LICENSE-MIT".to_owned(), &error));
    let harness = harness(&stand, vec2(1200.0, 900.0), |ui| {
        super::start_ui(ui, &stand.cx(false));
    });
    harness.get_by_label_contains("open the .json file");
    assert!(harness.query_by_label_contains("refused").is_none());
    assert!(harness.query_by_label_contains("rank is missing").is_none());
}

pub(super) fn progress() -> Progress {
    Progress {
        title: "llama-1b-fsdp16".to_owned(),
        stage: Stage::ReadSpans,
        done_bytes: 5_350_000_000,
        total_bytes: 7_940_000_000,
        span_count: 23_781_004,
        issue_count: 4,
        elapsed_s: 13.05,
        files: Vec::new(),
    }
}

#[test]
fn a_load_tells_how_far_it_is() {
    let stand = Stand::new(Theme::dark());
    let told = progress();
    let ui = |ui: &mut egui::Ui| super::loading_strip_ui(ui, &stand.cx(false), &told);
    let harness = harness(&stand, vec2(1600.0, 60.0), ui);
    for label in [
        "Reading spans",
        "5.35 of 7.94 GB",
        "23 781 004 spans kept, 4 counted as issues",
        "about 7 s left",
    ] {
        harness.get_by_label(label);
    }
}

#[test]
fn a_load_can_be_cancelled_from_the_bar_at_the_top_and_by_key() {
    let mut stand = Stand::new(Theme::dark());
    stand.loading = Some(progress());
    let mut window = super::Window::default();
    let mut harness = harness(&stand, vec2(1200.0, 700.0), |ui| {
        window.ui(ui, &stand.cx(false));
    });
    harness.get_by_label("llama-1b-fsdp16");
    harness.get_by_label("7.94 GB");
    harness.get_by_label("Cancel").click();
    harness.run_steps(2);
    assert_eq!(stand.outbox.drain(), [Command::Cancel]);
    harness.key_press(egui::Key::Escape);
    harness.run_steps(2);
    assert_eq!(stand.outbox.drain(), [Command::Cancel]);
}

#[test]
fn while_files_are_read_each_has_a_row_with_its_picture_or_how_far_it_is() {
    use crate::workspace::{Arrivals, State, load_watched};
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("sample-traces/train-4rank");
    let arrivals = Arrivals::default();
    load_watched(&[folder], &Job::default(), &arrivals).unwrap();
    let mut files = arrivals.now();
    files.truncate(2);
    let more = [
        ("rank2.json.gz", State::Opening(3_000_000)),
        ("rank3.json", State::Waiting),
        ("notes.txt", State::Absent("this is text".to_owned())),
    ];
    files.extend(more.map(|(file, state)| crate::workspace::Arrival::new(file.to_owned(), state)));
    for theme in [Theme::dark(), Theme::light()] {
        let stand = Stand::new(theme);
        let harness = harness(&stand, vec2(1200.0, 300.0), |ui| {
            super::arrivals::arrivals_ui(ui, &stand.cx(false), &files);
        });
        for label in [
            "Rank 0, done",
            "Rank 1, done",
            "rank2.json.gz, opening 3 MB",
            "rank3.json, waiting",
            "notes.txt, not a trace",
        ] {
            harness.get_by_label(label);
        }
    }
}

fn choice(name: &str, rank_count: usize) -> Choice {
    Choice {
        name: name.to_owned(),
        place: format!("/data/{name}"),
        rank_count,
        file_count: 4,
        bytes: 212_600_000,
        recorded_ns: Some(1_795_252_447_000_000_000),
    }
}

#[test]
fn several_runs_are_offered_to_mouse_and_keyboard() {
    let mut stand = Stand::new(Theme::dark());
    stand.choices = Some(vec![choice("monday", 4), choice("tuesday", 0)]);
    for is_open in [false, true] {
        let mut window = super::Window::default();
        let mut harness = harness(&stand, vec2(1200.0, 800.0), |ui| {
            window.ui(ui, &stand.cx(is_open));
        });
        harness.get_by_label("2 runs are here, which one?");
        let second = "Open tuesday, 4 files · 212.6 MB · 2026-11-21 09:14:07 UTC";
        harness.get_by_label(second).click();
        harness.run_steps(2);
        assert_eq!(stand.outbox.drain(), [Command::Choose(1)]);
        for (key, command) in [
            (egui::Key::Num1, Command::Choose(0)),
            (egui::Key::Num2, Command::Choose(1)),
            (egui::Key::Escape, Command::Dismiss),
        ] {
            harness.key_press(key);
            harness.run_steps(2);
            assert_eq!(stand.outbox.drain(), [command]);
        }
    }
}

#[test]
fn the_first_run_has_the_focus_and_arrows_and_enter_choose() {
    let mut stand = Stand::new(Theme::light());
    stand.choices = Some(vec![choice("monday", 4), choice("tuesday", 4)]);
    let mut harness = harness(&stand, vec2(1200.0, 800.0), |ui| {
        super::start_ui(ui, &stand.cx(false));
    });
    harness.key_press(egui::Key::Enter);
    harness.run_steps(2);
    assert_eq!(stand.outbox.drain(), [Command::Choose(0)]);
    harness.key_press(egui::Key::ArrowDown);
    harness.run_steps(2);
    harness.key_press(egui::Key::Enter);
    harness.run_steps(2);
    assert_eq!(stand.outbox.drain(), [Command::Choose(1)]);
}

fn tabs_harness(stand: &Stand) -> Harness<'_> {
    let mut tabs = Tabs::default();
    harness(stand, vec2(1600.0, 288.0), move |ui| {
        tabs.tabs_ui(ui, &stand.cx(true), &stand.open());
    })
}

#[test]
fn details_of_a_kernel_have_its_launch_and_its_record() {
    let mut stand = Stand::new(Theme::dark());
    let at = launched_kernel();
    stand.apply(ViewCommand::Select(Some(at)));
    let mut harness = tabs_harness(&stand);
    let fields = TRAIN.fields(at).unwrap();
    harness.get_by_label("correlation");
    harness.get_by_label(&fields["args"]["correlation"].to_string());
    harness.get_by_label("Duration");
    harness.get_by_label_contains(" earlier, thread ");
    let launch = SpanRef {
        trace: at.trace,
        span: TRAIN.run().span(at).launch.unwrap(),
    };
    let launch = TRAIN.run().text(TRAIN.run().name_of(launch)).to_owned();
    harness.get_by_label(&launch).click();
    harness.run_steps(2);
    assert_eq!(stand.outbox.drain(), [Command::View(ViewCommand::ToLaunch)]);
    harness.get_by_label("Copy name").click();
    harness.run_steps(2);
    let name = TRAIN.run().text(TRAIN.run().name_of(at)).to_owned();
    assert_eq!(stand.outbox.drain(), [Command::CopyText(name)]);
}

#[test]
fn details_of_a_call_lead_to_what_it_launched() {
    let run = TRAIN.run();
    let mut stand = Stand::new(Theme::light());
    stand.apply(ViewCommand::Select(Some(first_of(|it| {
        run.trace(it.trace).launched_by(it.span).len() == 1
    }))));
    let mut harness = tabs_harness(&stand);
    harness.get_by_label("1 GPU span");
    let at = stand.view.selection().unwrap();
    let kernel = run.trace(at.trace).launched_by(at.span)[0];
    let name = run.short_name(run.name_of(SpanRef {
        trace: at.trace,
        span: kernel,
    }));
    harness.get_by_label(name).click();
    harness.run_steps(2);
    let kernel = SpanRef {
        trace: at.trace,
        span: kernel,
    };
    let go = Command::View(ViewCommand::GoTo(kernel));
    assert_eq!(stand.outbox.drain(), [go]);
}

#[test]
fn without_a_selection_details_say_what_is_open() {
    let stand = Stand::new(Theme::dark());
    let mut harness = tabs_harness(&stand);
    harness.get_by_label("Click a span to read all that the file says of it");
    let tab = harness.get_by_label("Import ledger");
    assert_eq!(
        tab.accesskit_node().toggled(),
        Some(egui::accesskit::Toggled::False)
    );
    tab.click();
    harness.run_steps(2);
    assert_eq!(
        stand.outbox.drain(),
        [Command::View(ViewCommand::ShowTab(Tab::Ledger))]
    );
}

#[test]
fn the_ledger_adds_up_and_can_be_copied() {
    let mut stand = Stand::new(Theme::dark());
    stand.apply(ViewCommand::ShowTab(Tab::Ledger));
    let mut harness = tabs_harness(&stand);
    let tallies = || TRAIN.run().members().iter().map(|it| *it.trace.tally());
    let (read, kept): (u64, u64) = (
        tallies().map(|it| it.read).sum(),
        tallies().map(|it| it.kept()).sum(),
    );
    let counted: u64 = tallies().map(|it| it.counted).sum();
    assert_eq!(read, kept + counted);
    let [read, kept, counted] = [read, kept, counted].map(crate::base::text::grouped);
    let header = format!("{read} read = {kept} kept + {counted} counted");
    harness.get_by_label(&header);
    harness.get_by_label("Copy as text").click();
    harness.run_steps(2);
    let [Command::CopyText(text)] = &stand.outbox.drain()[..] else {
        panic!()
    };
    assert!(text.starts_with(&header));
}
