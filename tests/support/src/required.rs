//! Tools and data that a test needs. A test without them is skipped, or fails where `WAVELENS_REQUIRE_TOOLS` is set, as in CI:
//! there a test cannot pass by skipping.

use std::fmt::Display;
use std::process::Command;

/// The environment variable that makes missing tools failures; empty and `0` mean unset.
pub const VARIABLE: &str = "WAVELENS_REQUIRE_TOOLS";

fn is_required() -> bool {
    std::env::var_os(VARIABLE).is_some_and(|value| !value.is_empty() && value != "0")
}

/// Reports that a test is skipped, or fails it where tools are required.
#[track_caller]
pub fn skip(why: impl Display) {
    assert!(!is_required(), "{why}, and {VARIABLE} is set");
    eprintln!("skipped: {why}");
}

/// Passes a tool or a piece of data on; without it the test is to be skipped.
#[track_caller]
pub fn some<T>(found: Option<T>, name: &str) -> Option<T> {
    if found.is_none() {
        skip(format_args!("{name} is not installed"));
    }
    found
}

/// Whether a program is installed; without it the test is to be skipped.
#[track_caller]
pub fn program(name: &str) -> bool {
    let starts = Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success());
    some(starts.then_some(()), name).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The variable belongs to the whole process, so one test looks at both of its states.
    #[test]
    fn a_missing_program_is_skipped_or_fails() {
        assert!(program("cargo"));
        let missing = std::panic::catch_unwind(|| program("no-such-program"));
        match is_required() {
            true => assert!(missing.is_err()),
            false => assert!(matches!(missing, Ok(false))),
        }
    }
}
