//! Which part of the run is looked at, and the scene that follows. egui is not known here.

mod arrangement;
mod axis;
mod bars;
mod command;
mod copied;
mod counter;
mod history;
mod hit;
mod lane;
mod lane_heights;
mod lane_titles;
mod lanes;
mod outline;
mod position;
mod scene;
mod selection;
mod stack;
mod state;
#[cfg(test)]
mod tests;
mod ticks;
mod walk;

pub use crate::index::{Ink, Parts, Shares, Texel};
pub use arrangement::Arrangement;
pub use axis::{Axis, Stretch};
pub use bars::{Bar, Bars, Content};
pub use command::{Command, Focus, Origin, Overlay, Slot, Tab, ThemeChoice, ViewCommand};
pub use copied::copied;
pub use counter::{CounterBox, Steps};
pub use hit::Hit;
pub use lane::{Lane, LaneKey};
pub use lane_heights::LaneHeights;
pub use outline::Outline;
pub use position::Position;
pub use scene::{
    Busy, LaneBox, LinkLine, RowBox, Scene, SceneSize, StepBox, overview, row_of, scene,
};
pub use selection::Selection;
pub use state::View;
pub use ticks::{Tick, ticks};
