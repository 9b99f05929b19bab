//! The loop around the interface: jobs, commands, and the hosts that show it.

mod dialog;
mod fill;
mod headless;
mod jobs;
#[cfg_attr(
    not(test),
    expect(dead_code, reason = "asked by the panels that follow")
)]
mod latest;
mod picture;
mod raster;
mod samples;
mod screenshot;
mod shell;
#[cfg(test)]
mod tests;
mod texture;
mod window;

pub use headless::Headless;
pub use picture::Picture;
pub use raster::Raster;
pub use screenshot::{Shot, screenshot};
pub use shell::{App, set_theme};
pub use window::{WindowError, open_window};
