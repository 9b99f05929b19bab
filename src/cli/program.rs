//! Runs one command of the command line. Exit codes: 0 done, 1 findings at or above the asked
//! severity, 2 could not.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser as _;

use crate::app::{Shot, open_window, screenshot};
use crate::base::{Job, catch};
use crate::cli::args::{Cli, Command, FactsArgs, ScreenshotArgs, ThemeName, WindowArgs};
use crate::cli::report::{range_of, report};
use crate::cli::{facts, print};
use crate::view::{Command as ViewerCommand, ThemeChoice};
use crate::workspace::{Workspace, load};

const DONE: u8 = 0;
const COULD_NOT: u8 = 2;

/// The whole program.
pub fn main() -> ExitCode {
    let code = match Cli::try_parse() {
        Ok(cli) => {
            catch("warpline", || run(cli)).unwrap_or_else(|error| could_not(&error.to_string()))
        }
        Err(error) => {
            let failed = error.use_stderr();
            // Where help cannot be printed there is nobody to tell.
            error.print().ok();
            if failed { COULD_NOT } else { DONE }
        }
    };
    ExitCode::from(code)
}

fn run(cli: Cli) -> u8 {
    match cli.command {
        Some(Command::Facts(args)) => print_facts(&args),
        Some(Command::Report(args)) => print_report(&args.paths),
        Some(Command::Screenshot(args)) => take_screenshot(&args),
        None => window(cli.window),
    }
}

fn could_not(sentence: &str) -> u8 {
    print::err(sentence);
    COULD_NOT
}

fn say(text: &str, code: u8) -> u8 {
    match print::out(text) {
        Ok(()) => code,
        Err(error) => could_not(&format!("standard output cannot be written: {error}")),
    }
}

fn print_facts(args: &FactsArgs) -> u8 {
    let job = Job::default();
    match load(&args.paths, &job) {
        Ok(loaded) => match facts::facts(&Workspace::new(loaded, 0), &job) {
            Ok(value) => say(&format!("{value:#}\n"), DONE),
            Err(cancelled) => could_not(&cancelled.to_string()),
        },
        Err(error) => {
            print::err(&error.to_string());
            say(&format!("{:#}\n", facts::refused(&error)), COULD_NOT)
        }
    }
}

fn print_report(paths: &[PathBuf]) -> u8 {
    let job = Job::default();
    let loaded = match load(paths, &job) {
        Ok(loaded) => loaded,
        Err(error) => return could_not(&error.to_string()),
    };
    match report(&Workspace::new(loaded, 0), &job) {
        Ok(text) => say(&text, DONE),
        Err(cancelled) => could_not(&cancelled.to_string()),
    }
}

/// Opens the window; where there is no display the report is printed instead, so that the command is
/// useful on every machine.
fn window(args: WindowArgs) -> u8 {
    let theme = args.theme.map_or(ThemeChoice::System, choice);
    let paths = args.paths;
    let commands = if paths.is_empty() {
        Vec::new()
    } else {
        vec![ViewerCommand::Open(paths.clone())]
    };
    match open_window(theme, commands) {
        Ok(()) => DONE,
        Err(error) if paths.is_empty() => could_not(&format!(
            "{error}. Name a trace to read its report, or draw it with `warpline screenshot PATH --out FILE.png`"
        )),
        Err(error) => {
            print::err(&format!(
                "{error}. Here is the report instead; `warpline screenshot PATH --out FILE.png` draws the window"
            ));
            print_report(&paths)
        }
    }
}

fn choice(name: ThemeName) -> ThemeChoice {
    match name {
        ThemeName::Dark => ThemeChoice::Dark,
        ThemeName::Light => ThemeChoice::Light,
    }
}

fn take_screenshot(args: &ScreenshotArgs) -> u8 {
    let Some(size) = size_of(&args.size) else {
        return could_not(&format!(
            "a size is two numbers of points from 320x200 to 8192x8192, such as 1600x1000: {}",
            args.size
        ));
    };
    if !(0.5..=4.0).contains(&args.scale) || size.iter().any(|it| it * args.scale > 16_384.0) {
        return could_not(&format!(
            "a scale is a number from 0.5 to 4 that leaves at most 16384 pixels a side: {}",
            args.scale
        ));
    }
    let loaded = match load(&args.paths, &Job::default()) {
        Ok(loaded) => loaded,
        Err(error) => return could_not(&error.to_string()),
    };
    let mut range = None;
    if let Some(text) = &args.range {
        range = range_of(text, &Workspace::new(loaded.clone(), 0));
        if range.is_none() {
            return could_not(&format!(
                "a range is 12.5ms..40ms from the run's start, or step:13 for a step that the run has: {text}"
            ));
        }
    }
    let shot = Shot {
        size,
        scale: args.scale,
        theme: choice(args.theme),
        range,
        select: args.select.clone(),
    };
    let png = match screenshot(loaded, &shot).png(&[("Software", "Warpline")]) {
        Ok(png) => png,
        Err(error) => return could_not(&format!("the picture cannot be packed: {error}")),
    };
    match std::fs::write(&args.out, png) {
        Ok(()) => DONE,
        Err(error) => could_not(&format!(
            "the picture cannot be written, {error}: {}",
            args.out.display()
        )),
    }
}

fn size_of(text: &str) -> Option<[f32; 2]> {
    let (width, height) = text.split_once(['x', 'X', '×'])?;
    let size = [
        width.trim().parse::<f32>().ok()?,
        height.trim().parse::<f32>().ok()?,
    ];
    let fits = (320.0..=8192.0).contains(&size[0]) && (200.0..=8192.0).contains(&size[1]);
    fits.then_some(size)
}
