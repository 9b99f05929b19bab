//! Whatever a person can do, as a value.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::base::{Time, TimeRange};
use crate::model::SpanRef;
use crate::view::lane::LaneKey;

/// Something to do. `View` commands change the view; the others are the app's.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Open these as one run.
    Open(Vec<PathBuf>),
    /// Open a run that is built in, by its name.
    OpenSample(&'static str),
    /// Ask for files, or for a folder.
    AskOpen {
        folder: bool,
    },
    /// Open one of several runs that were found together, by its position.
    Choose(usize),
    /// Stop the load that runs.
    Cancel,
    /// Close the run.
    Close,
    /// Take the message of a failed load, or a question, away.
    Dismiss,
    SetTheme(ThemeChoice),
    CopyText(String),
    /// Copies what is selected: a range, spans, a lane.
    Copy,
    View(ViewCommand),
    /// Lays something over the window, or takes it away.
    Show(Option<Overlay>),
    /// Takes away the last of: overlay, search, range, selection.
    ClearOneLevel,
    /// Moves the focus of the keys to the next part of the window.
    NextFocus,
    Quit,
}

/// Something that lies over the window until it is done with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlay {
    /// All commands, to be searched and done.
    Palette,
    /// All lanes, to be searched and gone to.
    Lanes,
    /// All keys.
    Keys,
    About,
}

/// A part of the window that keys can act on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Focus {
    Search,
    #[default]
    Lanes,
    Findings,
    Tabs,
}

impl Focus {
    /// The order of ui.md 9.1.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Search => Self::Lanes,
            Self::Lanes => Self::Findings,
            Self::Findings => Self::Tabs,
            Self::Tabs => Self::Search,
        }
    }
}

/// What the ruler counts from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// The step under the left third of the view, else the run's start.
    #[default]
    Step,
    Run,
    /// The start of the selection, or of the range.
    Selection,
    /// The time of day, in UTC.
    Clock,
}

/// Light, dark, or as the system says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ThemeChoice {
    #[default]
    System,
    Dark,
    Light,
}

/// A tab of the bottom panel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Tab {
    #[default]
    Details,
    Ledger,
}

/// A change of how the run is looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ViewCommand {
    /// Shows `factor` times as much time; what stands at `about_ns` stays.
    Zoom {
        about_ns: f64,
        factor: f64,
    },
    /// Moves by a share of the view, to later if positive.
    Pan {
        share: f64,
    },
    PanBy {
        ns: f64,
    },
    /// Shows a range, with nothing beside it.
    Show(TimeRange),
    /// Shows a range so that it fills this share of the view.
    Frame {
        range: TimeRange,
        share: f64,
    },
    WholeRun,
    /// Centers the selection; once more fits it.
    FitSelection,
    Scroll {
        points: f32,
    },
    /// Scrolls as little as is needed to show the lane.
    Reveal(LaneKey),
    Select(Option<SpanRef>),
    /// Adds a span to the selection, or takes it out.
    AlsoSelect(SpanRef),
    SelectLane(Option<LaneKey>),
    NextLane,
    PreviousLane,
    /// Selects a span, opens its lane and moves to it.
    GoTo(SpanRef),
    /// Brings a lane into sight and selects it.
    GoToLane(LaneKey),
    NextSpan,
    PreviousSpan,
    ToKernel,
    ToLaunch,
    /// The next and the previous work of the launch of the selected one.
    NextOfLaunch,
    PreviousOfLaunch,
    /// Selects a range of time.
    SetRange(Option<TimeRange>),
    /// The range from the first start to the last end of what is selected.
    RangeFromSelection,
    /// A range begins here and ends at the next click.
    MeasureFrom(Option<Time>),
    /// Draws the edges of the selection through all lanes, until it is done again.
    Mark,
    Unmark,
    /// Opens or closes a lane.
    Toggle(LaneKey),
    Pin(LaneKey),
    Hide(LaneKey),
    /// Shows a lane alone, or all again.
    Solo(LaneKey),
    /// Makes a lane twice as high, or as high as it was.
    Heighten(LaneKey),
    /// Puts a lane before another of its siblings, or behind them.
    MoveLane {
        lane: LaneKey,
        before: Option<LaneKey>,
    },
    ShowAllLanes,
    OnlyBands,
    SetOrigin(Origin),
    Store(Slot),
    Recall(Slot),
    Undo,
    Redo,
    /// Takes away the last of range and selection.
    ClearOneLevel,
    ShowTab(Tab),
    ToggleBottomPanel,
}

/// One of nine bookmarks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot(u8);

impl Slot {
    /// From 1 to 9.
    pub fn new(number: u8) -> Option<Self> {
        (1..=9).contains(&number).then_some(Self(number))
    }

    pub fn number(self) -> u8 {
        self.0
    }

    pub(crate) fn index(self) -> usize {
        usize::from(self.0 - 1)
    }
}
