//! The `wavelens` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    wavelens::cli::run()
}
