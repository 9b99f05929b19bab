//! The application without a host: what is open, the load that runs, and the loop between them.
//!
//! [`App::logic`] collects what jobs send and does what the last frame asked for; [`App::ui`] draws.
//! A window or a headless host calls the two in turn; neither is special.

use std::path::PathBuf;

use egui::{Context, Ui};

use crate::app::dialog::ask;
use crate::app::jobs::{Answer, Jobs};
use crate::app::samples::{SAMPLES, sample_paths};
use crate::model::Run;
use crate::ui::{Cx, OpenRun, Outbox, Theme, Window, lane_heights};
use crate::view::{Command, Focus, Outline, Overlay, ThemeChoice, View, ViewCommand, copied};
use crate::workspace::{Failure, Loaded, Undecided, Workspace};

/// The open run with its view.
struct Opened {
    workspace: Workspace,
    outline: Outline,
    view: View,
}

/// The application.
pub struct App {
    open: Option<Opened>,
    jobs: Jobs,
    failure: Option<Failure>,
    undecided: Option<Undecided>,
    notice: Option<String>,
    overlay: Option<Overlay>,
    /// The part of the window that has the keys, and the one that is to get them.
    focused: Focus,
    focus: Option<Focus>,
    theme_choice: ThemeChoice,
    window: Window,
    outbox: Outbox,
    revision: u64,
    /// Keeps the files of a built-in run while it is open.
    sample_folder: Option<tempfile::TempDir>,
    wants_quit: bool,
}

impl App {
    pub fn new(theme_choice: ThemeChoice) -> Self {
        Self {
            open: None,
            jobs: Jobs::default(),
            failure: None,
            undecided: None,
            notice: None,
            overlay: None,
            focused: Focus::default(),
            focus: None,
            theme_choice,
            window: Window::default(),
            outbox: Outbox::default(),
            revision: 0,
            sample_folder: None,
            wants_quit: false,
        }
    }

    /// Does what a command says, as if somebody had asked for it.
    pub fn command(&self, command: Command) {
        self.outbox.push(command);
    }

    pub fn wants_quit(&self) -> bool {
        self.wants_quit
    }

    pub fn run(&self) -> Option<&Run> {
        self.open.as_ref().map(|it| &**it.workspace.run())
    }

    pub fn workspace(&self) -> Option<&Workspace> {
        self.open.as_ref().map(|it| &it.workspace)
    }

    /// Takes finished jobs and does what was asked.
    pub fn logic(&mut self, ctx: &Context) {
        for answer in self.jobs.answers() {
            match answer {
                Answer::Loaded(loaded, outline) => self.show(*loaded, outline),
                Answer::Failed(failure) => self.failed(failure),
                Answer::Undecided(undecided) => self.undecided = Some(*undecided),
                Answer::Cancelled => self.notice = Some("Cancelled".to_owned()),
                Answer::Fault(sentence) => self.notice = Some(sentence),
                Answer::Chosen(paths) => self.outbox.push(Command::Open(paths)),
            }
        }
        for command in self.outbox.drain() {
            self.apply(ctx, command);
        }
        self.jobs.wake_again(ctx);
        self.glide(ctx);
    }

    /// Moves the view on where it is under way. Without animations it is there at once.
    fn glide(&mut self, ctx: &Context) {
        let Some(open) = &mut self.open else { return };
        let seconds = ctx.global_style().animation_time;
        open.view.set_moves(seconds > 0.0);
        let whole_s = Theme::dark().sizes.motion.zoom_ms / 1000.0;
        let share = f64::from(ctx.input(|it| it.stable_dt).min(whole_s) / whole_s);
        if open.view.advance(share) {
            ctx.request_repaint();
        }
    }

    /// Draws a frame.
    pub fn ui(&mut self, ui: &mut Ui) {
        let progress = self.jobs.progress();
        let cx = Cx {
            open: self.open.as_ref().map(|it| OpenRun {
                workspace: &it.workspace,
                view: &it.view,
                outline: &it.outline,
            }),
            loading: progress.as_ref(),
            failure: self.failure.as_ref(),
            choices: self.undecided.as_ref().map(Undecided::choices),
            samples: SAMPLES,
            theme: Theme::of(ui.ctx()),
            theme_choice: self.theme_choice,
            outbox: &self.outbox,
            notice: self.notice.as_deref(),
            overlay: self.overlay,
            focus: self.focus,
        };
        let feedback = self.window.ui(ui, &cx);
        self.focused = self.focus.take().unwrap_or(self.focused);
        if let Some(open) = &mut self.open {
            open.view.set_lanes_height(feedback.lanes_height);
        }
    }

    /// Opens a loaded run in place of what was open.
    pub fn show(&mut self, loaded: Loaded, outline: Outline) {
        self.revision += 1;
        let view = View::of_run(loaded.run(), &outline, &lane_heights(Theme::dark()));
        let workspace = Workspace::new(loaded, self.revision);
        self.failure = None;
        self.notice = None;
        self.open = Some(Opened {
            workspace,
            outline,
            view,
        });
    }

    fn failed(&mut self, failure: Failure) {
        // With a run open the card would hide it: one line is enough, and the run stays.
        if self.open.is_some() {
            self.notice = Some(format!("Not opened: {}", failure.sentence));
        } else {
            self.failure = Some(failure);
        }
    }

    fn apply(&mut self, ctx: &Context, command: Command) {
        match command {
            Command::Open(paths) => self.load(ctx, paths),
            Command::OpenSample(name) => self.open_sample(ctx, name),
            Command::AskOpen { folder } => self.jobs.send(ctx, |done| ask(folder, done)),
            Command::Choose(position) => self.choose(ctx, position),
            Command::Cancel => {
                if self.jobs.cancel() {
                    self.notice = Some("Cancelled".to_owned());
                }
            }
            Command::Close => self.open = None,
            Command::Dismiss => {
                self.failure = None;
                self.undecided = None;
            }
            Command::SetTheme(choice) => {
                self.theme_choice = choice;
                set_theme(ctx, choice);
            }
            Command::CopyText(text) => self.copy_text(ctx, text),
            Command::Copy => self.copy(ctx),
            Command::Show(overlay) => self.overlay = overlay,
            Command::ClearOneLevel => self.clear_one_level(),
            Command::NextFocus => self.focus = Some(self.focused.next()),
            Command::View(command) => self.view(command),
            Command::Quit => self.wants_quit = true,
        }
        ctx.request_repaint();
    }

    fn view(&mut self, command: ViewCommand) {
        if let Some(Opened {
            workspace,
            outline,
            view,
        }) = &mut self.open
        {
            self.notice = None;
            view.apply(command, workspace, outline, &lane_heights(Theme::dark()));
        }
    }

    fn copy(&mut self, ctx: &Context) {
        let open = self.open.as_ref();
        match open.and_then(|it| copied(it.workspace.run(), &it.view)) {
            Some(text) => self.copy_text(ctx, text),
            None => self.notice = Some("Nothing is selected".to_owned()),
        }
    }

    fn copy_text(&mut self, ctx: &Context, text: String) {
        ctx.copy_text(text);
        self.notice = Some("Copied".to_owned());
    }

    /// An overlay goes first, then what is selected.
    fn clear_one_level(&mut self) {
        if self.overlay.take().is_none() {
            self.view(ViewCommand::ClearOneLevel);
        }
    }

    fn load(&mut self, ctx: &Context, paths: Vec<PathBuf>) {
        self.failure = None;
        self.undecided = None;
        self.notice = None;
        if let Err(error) = self.jobs.load(ctx, paths) {
            self.notice = Some(error.to_string());
        }
    }

    fn choose(&mut self, ctx: &Context, position: usize) {
        let is_there = |it: &Undecided| position < it.choices().len();
        let Some(undecided) = self.undecided.take_if(|it| is_there(it)) else {
            return;
        };
        if let Err(error) = self.jobs.choose(ctx, undecided, position) {
            self.notice = Some(error.to_string());
        }
    }

    fn open_sample(&mut self, ctx: &Context, name: &str) {
        match sample_paths(name) {
            Ok((folder, path)) => {
                self.sample_folder = Some(folder);
                self.load(ctx, vec![path]);
            }
            Err(error) => self.notice = Some(format!("The sample cannot be unpacked: {error}")),
        }
    }
}

/// Makes egui follow the choice.
pub fn set_theme(ctx: &Context, choice: ThemeChoice) {
    Theme::dark().apply(ctx);
    let light_by_system = ctx.system_theme() == Some(egui::Theme::Light);
    let light = choice == ThemeChoice::Light || choice == ThemeChoice::System && light_by_system;
    if light {
        Theme::light().apply(ctx);
    }
}

#[cfg(test)]
impl App {
    /// What is open, its order, and how it is looked at.
    pub(super) fn looked_at(&self) -> (&Workspace, &Outline, &View) {
        let it = self.open.as_ref().unwrap();
        (&it.workspace, &it.outline, &it.view)
    }

    pub(super) fn is_loading(&self) -> bool {
        self.jobs.progress().is_some()
    }

    /// What the last frame asked for.
    pub(super) fn asked(&self) -> Vec<Command> {
        self.outbox.drain()
    }
}
