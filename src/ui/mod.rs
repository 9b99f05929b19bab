//! The interface: paints scenes and reports, turns input into commands.

mod fonts;
mod frame;
mod loading;
mod marks;
mod panel;
mod sizes;
mod start;
mod status_bar;
mod style;
mod tabs;
mod theme;
mod timeline;
mod top_bar;

pub use fonts::install_fonts;
pub use frame::Window;
pub use panel::{Cx, OpenRun, Outbox, Panel, Sample, lane_heights};
pub use sizes::{
    BarSizes, BottomPanelSizes, GapMarkSizes, LaneSizes, Motion, RightPanelSizes, Sizes, Spacing,
    StrokeSizes, TextSizes,
};
pub use style::{BAR_LABEL, RULER, TINY, TITLE};
pub use theme::{
    BandInks, CpuInks, DataInks, DeltaInks, GapCode, GapCodes, GapInks, Hatch, LineInks,
    MemoryInks, RunInks, SeverityInks, StateInks, SurfaceInks, TextInks, Theme,
};
pub use timeline::{Timeline, TimelineFeedback};
