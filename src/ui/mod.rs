//! The interface: paints scenes and reports, turns input into commands.

mod arrivals;
mod badge;
mod banner;
mod choice_card;
mod drop_target;
mod failure_card;
mod fonts;
mod frame;
mod loading;
mod marks;
mod panel;
mod parts;
mod sizes;
mod start;
mod status_bar;
mod style;
mod tabs;
#[cfg(test)]
mod tests;
mod theme;
mod timeline;
mod top_bar;

pub use fonts::install_fonts;
pub use frame::Window;
pub use loading::{LOADING_STRIP_HEIGHT, loading_strip_ui};
pub use panel::{Cx, OpenRun, Outbox, Panel, Sample, lane_heights};
pub use sizes::{
    BarSizes, BottomPanelSizes, GapMarkSizes, LaneSizes, Motion, RightPanelSizes, Sizes, Spacing,
    StrokeSizes, TextSizes,
};
pub use start::start_ui;
pub use status_bar::status_bar_ui;
pub use style::{BAR_LABEL, RULER, TINY, TITLE};
pub use tabs::Tabs;
pub use theme::{
    BandInks, CpuInks, DataInks, DeltaInks, GapCode, GapCodes, GapInks, Hatch, LineInks,
    MemoryInks, RunInks, SeverityInks, StateInks, SurfaceInks, TextInks, Theme,
};
pub use timeline::{Timeline, TimelineFeedback};
pub use top_bar::top_bar_ui;
