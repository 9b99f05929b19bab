//! The words of the command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Opens GPU traces: `PyTorch` Profiler (Kineto) and Chrome trace JSON, packed or not.
///
/// Without a command it opens a window. Several paths are the ranks of one run; a folder is one run.
#[derive(Debug, Parser)]
#[command(
    name = "warpline",
    version,
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) window: WindowArgs,
}

/// What the window takes.
#[derive(Debug, Args)]
pub(crate) struct WindowArgs {
    /// Traces, folders, or archives of one run
    pub(crate) paths: Vec<PathBuf>,
    /// Colors; as the system says if not given
    #[arg(long, value_enum)]
    pub(crate) theme: Option<ThemeName>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Print what was read as one JSON object
    Facts(FactsArgs),
    /// Print what a person wants to know first
    Report(ReportArgs),
    /// Draw the window's content into a PNG file; needs no display and no GPU driver
    Screenshot(ScreenshotArgs),
}

#[derive(Debug, Args)]
pub(crate) struct FactsArgs {
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Short for --format json, the only format
    #[arg(long)]
    pub(crate) json: bool,
    #[arg(long, value_enum, default_value_t = FactsFormat::Json)]
    pub(crate) format: FactsFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FactsFormat {
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ScreenshotArgs {
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Where the picture goes
    #[arg(long, value_name = "FILE.png")]
    pub(crate) out: PathBuf,
    /// Part of the run: 12.5ms..40ms from its start, or step:13
    #[arg(long, value_name = "A..B")]
    pub(crate) range: Option<String>,
    /// Size in points
    #[arg(long, value_name = "WxH", default_value = "1600x1000")]
    pub(crate) size: String,
    /// Pixels per point
    #[arg(long, value_name = "S", default_value_t = 1.0)]
    pub(crate) scale: f32,
    #[arg(long, value_enum, default_value_t = ThemeName::Light)]
    pub(crate) theme: ThemeName,
    /// Select the longest span of the range whose name contains this text, as a click would
    #[arg(long, value_name = "TEXT")]
    pub(crate) select: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ThemeName {
    Dark,
    Light,
}
