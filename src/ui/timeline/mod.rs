//! The central area: overview, ruler, lane headers and lanes.

mod area;
mod chips;
mod header_input;
mod headers;
mod inks;
mod input;
mod labels;
mod lane_menu;
mod marks;
mod overview;
mod overview_input;
mod paint;
mod ruler;
mod scroll_mark;
mod shares;
mod sticky;
mod tooltip;
mod zoom_drag;

pub use area::{Timeline, TimelineFeedback};
pub(super) use shares::paint_shares;
