//! What every panel is given, and the one way by which it can change anything: commands.

use std::cell::RefCell;

use crate::ui::theme::Theme;
use crate::view::{
    Command, Focus, LaneHeights, Outline, Overlay, Tab, ThemeChoice, View, ViewCommand,
};
use crate::workspace::{Choice, Failure, Progress, Workspace};

/// Collects commands during a frame. Panels hold it shared: what they want done is done after it.
#[derive(Debug, Default)]
pub struct Outbox {
    commands: RefCell<Vec<Command>>,
}

impl Outbox {
    pub fn push(&self, command: Command) {
        self.commands.borrow_mut().push(command);
    }

    pub fn view(&self, command: ViewCommand) {
        self.push(Command::View(command));
    }

    pub fn drain(&self) -> Vec<Command> {
        std::mem::take(&mut self.commands.borrow_mut())
    }
}

/// The open run with how it is looked at.
#[derive(Clone, Copy)]
pub struct OpenRun<'a> {
    pub workspace: &'a Workspace,
    pub view: &'a View,
    pub outline: &'a Outline,
}

/// A built-in run for the start screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    pub name: &'static str,
    /// What there is to see in it.
    pub says: &'static str,
}

/// The context of a frame.
pub struct Cx<'a> {
    pub open: Option<OpenRun<'a>>,
    pub loading: Option<&'a Progress>,
    pub failure: Option<&'a Failure>,
    /// Runs of which one can be opened.
    pub choices: Option<&'a [Choice]>,
    pub samples: &'a [Sample],
    pub theme: &'static Theme,
    pub theme_choice: ThemeChoice,
    pub outbox: &'a Outbox,
    /// A line for the status bar: a job that failed, something copied.
    pub notice: Option<&'a str>,
    /// What lies over the window.
    pub overlay: Option<Overlay>,
    /// The part of the window that is to have the keys from now on.
    pub focus: Option<Focus>,
}

/// A tab of the bottom panel.
pub trait Panel {
    fn tab(&self) -> Tab;
    fn title(&self) -> &'static str;
    fn ui(&mut self, ui: &mut egui::Ui, cx: &Cx<'_>, open: &OpenRun<'_>);
}

/// Heights of lanes from the theme's table.
pub fn lane_heights(theme: &Theme) -> LaneHeights {
    let lane = &theme.sizes.lane;
    LaneHeights {
        rank: lane.rank_header,
        stream: lane.stream,
        sub_lane: lane.sub_lane,
        band: lane.band,
        cpu_row: lane.cpu_row,
        collapsed: lane.cpu_collapsed,
        counter: lane.counter,
        memory: lane.memory,
        heat: lane.stream,
        heat_least: lane.heat_row,
        between: lane.gap_between_devices,
    }
}
