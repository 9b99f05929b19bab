//! Whatever a person can do, as a value.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::base::TimeRange;
use crate::model::SpanRef;
use crate::view::lanes::LaneKey;

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
    View(ViewCommand),
    Quit,
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
    /// Selects a span, opens its lane and moves to it.
    GoTo(SpanRef),
    NextSpan,
    PreviousSpan,
    ToKernel,
    ToLaunch,
    /// Opens or closes a lane.
    Toggle(LaneKey),
    ShowTab(Tab),
    ToggleBottomPanel,
}
