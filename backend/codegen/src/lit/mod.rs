//! Running the RUN lines of a test: programs of a fixed list, without a shell, in a private folder, within limits.
//!
//! Everything is looked at before anything is started: one command that may not run, and none does. The programs see a copy of the
//! test in the private folder, so that no option can overwrite the test itself.

mod allow;
mod builtin;
mod exec;
pub mod filecheck;
mod options;
mod places;
mod update;

use std::path::{Path, PathBuf};

use self::places::Places;
use crate::private::Temporary;
use crate::process::{Cancel, Limits};

pub use allow::PROGRAMS;
pub use exec::{Ended, Ran};
pub use update::Script;

/// A test, as its RUN lines are to be run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Test {
    /// File name, without its folder.
    pub name: String,
    /// The whole file.
    pub text: String,
    /// The folder of the test, for `%S`.
    pub folder: Option<PathBuf>,
    /// Folders whose files may be read.
    pub roots: Vec<PathBuf>,
    /// In the order of the file.
    pub lines: Vec<Line>,
    /// Parts of the text that `split-file` writes: name and text.
    pub sections: Vec<(String, String)>,
}

/// One RUN line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line {
    /// Counted from 1 among the RUN lines.
    pub number: u32,
    /// In the order written.
    pub steps: Vec<Step>,
}

/// A pipeline, and when it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// When it runs.
    pub join: Join,
    /// Each reads what the one before it writes.
    pub pipeline: Vec<Command>,
}

/// When a pipeline runs, by the outcome of the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Join {
    /// After `;`, and at the start.
    Always,
    /// After `&&`.
    IfPassed,
    /// After `||`.
    IfFailed,
}

/// A program with its arguments, `not` included. Words may contain `%s`, `%t`, `%S` and `%p`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Command {
    /// The program first.
    pub words: Vec<String>,
    /// `< file`
    pub input: Option<String>,
    /// Where standard output goes.
    pub output: Target,
    /// Where standard error goes.
    pub error: Target,
}

/// Where a stream goes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Target {
    /// Output to the next program of the pipeline; what the last one writes, and errors, to the user.
    #[default]
    Default,
    /// `> file` and `>> file`.
    File {
        /// As it is written.
        path: String,
        /// The file keeps what it has.
        append: bool,
    },
    /// Errors go where output goes.
    Output,
    /// Output goes where errors go.
    Error,
    /// Errors go to the next program of the pipeline, in place of output.
    Next,
}

/// A command that may not run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Number of the RUN line.
    pub line: u32,
    /// Why, with the word that is to blame.
    pub reason: String,
}

/// What came of a test.
#[derive(Debug, Default)]
pub struct Report {
    /// The lines that ran, in order; the last one may have failed.
    pub lines: Vec<LineReport>,
}

/// What came of one RUN line.
#[derive(Debug)]
pub struct LineReport {
    /// Counted from 1 among the RUN lines.
    pub number: u32,
    /// Whether the whole line passed.
    pub passed: bool,
    /// The commands that ran, in order.
    pub commands: Vec<Ran>,
}

impl Report {
    /// Whether all lines passed.
    pub fn passed(&self) -> bool {
        self.lines.iter().all(|line| line.passed)
    }

    /// The command that a failed test failed with. Those after it had its output to read.
    pub fn failed(&self) -> Option<(&LineReport, &Ran)> {
        let line = self.lines.last().filter(|line| !line.passed)?;
        Some((line, line.commands.iter().find(|ran| !ran.passed).or(line.commands.last())?))
    }
}

/// Why nothing was run to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotRun {
    /// Commands that may not run; no command was started.
    Refused(Vec<Refusal>),
    /// The private folder could not be made.
    NoFolder(String),
    /// The caller did not wait for it.
    Cancelled,
}

/// The features that tests can require, by what `llc` says of itself.
pub fn features(llvm: Option<&Path>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    if cfg!(target_os = "linux") {
        found.push("system-linux".to_owned());
    }
    let limits = Limits { time: std::time::Duration::from_secs(5), ..Limits::default() };
    let Some(llc) = crate::tools::find_program("llc", llvm) else { return found };
    let mut command = std::process::Command::new(llc);
    let Ok(output) = crate::process::run(command.arg("--version"), b"", &limits, &Cancel::default()) else {
        return found;
    };
    let text = String::from_utf8_lossy(&output.stdout);
    if text.contains("with assertions") {
        found.push("asserts".to_owned());
    }
    const TARGETS: &[(&str, &str)] = &[
        ("amdgcn", "amdgpu"),
        ("x86-64", "x86"),
        ("aarch64", "aarch64"),
        ("arm", "arm"),
        ("nvptx64", "nvptx"),
        ("riscv64", "riscv"),
        ("spirv64", "spirv"),
        ("ppc64", "powerpc"),
    ];
    let targets = text.split_once("Registered Targets:").map_or("", |(_, targets)| targets);
    let has = |name: &str| targets.lines().any(|line| line.split_whitespace().next() == Some(name));
    let names = TARGETS.iter().filter(|(name, _)| has(name));
    found.extend(names.map(|(_, feature)| format!("{feature}-registered-target")));
    found
}

/// Runs the lines of a test until one fails. `llvm` is the folder in which LLVM's programs are looked for first.
///
/// # Errors
/// When a command may not run, or when cancelled.
pub fn run(test: &Test, llvm: Option<&Path>, limits: &Limits, cancel: &Cancel) -> Result<Report, NotRun> {
    // Paths are examined against the folders that are really there.
    let folder = Temporary::new("lit").map_err(|error| NotRun::NoFolder(error.to_string()))?;
    let places = Places::new(test, folder.path())
        .map_err(|error| NotRun::NoFolder(format!("no private folder: {error}")))?;
    let refused = allow::refusals(test, &places);
    if !refused.is_empty() {
        return Err(NotRun::Refused(refused));
    }
    exec::run(test, &places, llvm, limits, cancel)
}
