//! Facts to figures. Files, indexes and pixels are not known here.

mod activity;
mod kernels;
mod steps;

pub use activity::{Figures, GpuActivity, StreamActivity, activity};
pub use kernels::{KernelRow, kernels};
pub use steps::{Step, steps};
