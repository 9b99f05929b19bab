//! Which part of the run is looked at, and the scene that follows. egui is not known here.

mod axis;
mod bars;
mod command;
mod counter;
mod hit;
mod lane_heights;
mod lane_titles;
mod lanes;
mod outline;
mod scene;
mod state;
#[cfg(test)]
mod tests;
mod ticks;

pub use crate::index::{Ink, Parts, Shares, Texel};
pub use axis::{Axis, Stretch};
pub use bars::{Bar, Bars, Content};
pub use command::{Command, Tab, ThemeChoice, ViewCommand};
pub use counter::{CounterBox, Steps};
pub use hit::Hit;
pub use lane_heights::LaneHeights;
pub use lanes::{Lane, LaneKey};
pub use outline::Outline;
pub use scene::{
    Busy, LaneBox, LinkLine, RowBox, Scene, SceneSize, StepBox, overview, row_of, scene,
};
pub use state::View;
pub use ticks::{Tick, ticks};
