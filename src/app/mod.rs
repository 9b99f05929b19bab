//! The loop around the interface, and its hosts.

mod fill;
mod headless;
mod picture;
mod raster;
mod texture;

pub use headless::Headless;
pub use picture::Picture;
pub use raster::Raster;
