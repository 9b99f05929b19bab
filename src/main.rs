//! Hands the arguments to `cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    warpline::cli::main()
}
