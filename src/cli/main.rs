//! Runs one command of the command line. Exit codes: 0 done, 1 findings at or above the asked
//! severity, 2 could not.

use std::process::ExitCode;

use clap::Parser as _;

use crate::base::Job;
use crate::cli::args::{Cli, Command, FactsArgs};
use crate::cli::{facts, print};
use crate::workspace::{Workspace, load};

const DONE: u8 = 0;
const COULD_NOT: u8 = 2;

/// The whole program.
pub fn main() -> ExitCode {
    let code = match Cli::try_parse() {
        Ok(cli) => run(cli),
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
        _ => COULD_NOT,
    }
}

fn print_facts(args: &FactsArgs) -> u8 {
    let job = Job::default();
    let (value, code) = match load(&args.paths, &job) {
        Ok(loaded) => match facts::facts(&Workspace::new(loaded, 0), &job) {
            Ok(value) => (value, DONE),
            Err(_) => return COULD_NOT,
        },
        Err(error) => {
            print::err(&error.to_string());
            (facts::refused(&error), COULD_NOT)
        }
    };
    match print::out(&format!("{value:#}\n")) {
        Ok(()) => code,
        Err(error) => {
            print::err(&format!("standard output cannot be written: {error}"));
            COULD_NOT
        }
    }
}
