//! `wavelens lit`: runs the RUN lines of tests.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use wavelens_base::{Dialect, Options};
use wavelens_codegen::Cancel;

use super::check::Format;
use super::compiled_file::is_run_line;
use super::gather::FileArguments;
use super::output::{complain, count, detail, is_colored, is_quiet, print, print_error};
use super::{Outcome, github, human, json, sarif};
use crate::checked::Checked;
use crate::lit::{self, Excerpt, Setup, Verdict, transcript};
use crate::shown;
use crate::source::read;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Output format; json prints one object for each test, github annotates pull requests.
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
    /// llvm, mir, spirv or amdgpu; without it, the file name decides, then the content.
    #[arg(long)]
    dialect: Option<Dialect>,
    /// Run this RUN line alone, by its number, after those before it that write files.
    #[arg(long, value_name = "N")]
    run_line: Option<u32>,
    /// Print what each program wrote.
    #[arg(long)]
    show_output: bool,
    /// Folder with LLVM's tools, searched first.
    #[arg(long, value_name = "FOLDER")]
    llvm_path: Option<PathBuf>,
    /// Write the CHECK lines again with LLVM's update_*_test_checks.py.
    #[arg(long, requires = "llvm_source", conflicts_with_all = ["run_line", "show_output", "format"])]
    update_checks: bool,
    /// Folder of an LLVM source tree, for --update-checks.
    #[arg(long, value_name = "FOLDER")]
    llvm_source: Option<PathBuf>,
    /// Run only tests with this in their path.
    #[arg(long, value_name = "TEXT", help_heading = "Files")]
    filter: Option<String>,
    #[command(flatten)]
    files: FileArguments,
    /// Test files and folders; default: the current folder.
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
}

/// Tests run between two writes of the output.
const BATCH: usize = 64;

struct Done {
    checked: Checked,
    outcome: lit::Outcome,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let mut gathered = match arguments.files.gather(&arguments.paths, arguments.dialect) {
        Ok(gathered) => gathered,
        Err(message) => return complain(message),
    };
    let mut outcome = if gathered.unreadable > 0 { Outcome::CouldNotWork } else { Outcome::Clean };
    if gathered.files.is_empty() {
        return Outcome::CouldNotWork;
    }
    if let Some(text) = &arguments.filter {
        gathered.files.retain(|path| path.to_string_lossy().contains(text));
        if gathered.files.is_empty() {
            return complain(format!("no test has `{text}` in its path"));
        }
    }
    let setup = Setup::find(arguments.llvm_path.as_deref());
    if arguments.update_checks {
        return outcome.max(update_all(&gathered.files, arguments, &setup));
    }
    let mut sarif = sarif::Log::default();
    let (mut verdicts, mut failed) = (Vec::new(), Vec::new());
    for batch in gathered.files.chunks(BATCH) {
        let done: Vec<_> = batch.par_iter().map(|path| run_test(path, arguments, &setup)).collect();
        for result in done {
            let Done { checked, outcome: test } = match result {
                Ok(done) => done,
                Err(message) => {
                    outcome = outcome.max(complain(&message));
                    sarif.failed(&message);
                    continue;
                }
            };
            let (path, verdict) = (shown::path(&checked.path), test.verdict());
            outcome = outcome.max(outcome_of(&path, &test));
            detail(|| format!("{path}: {}", verdict.name()));
            if matches!(verdict, Verdict::Failed | Verdict::UnexpectedlyPassed) {
                failed.push(path.clone());
            }
            verdicts.push(verdict);
            match arguments.format {
                Format::Json => json::print_test(&checked, verdict),
                Format::Sarif => sarif.add(&checked),
                Format::Github => print(&github::file(&checked)),
                Format::Concise => print(&human::concise(&checked, is_colored(&std::io::stdout()))),
                Format::Human => {
                    if arguments.show_output {
                        print(&transcript(&test.report));
                    }
                    let colored = is_colored(&std::io::stdout());
                    print(&human::file(&checked, colored));
                    if let Some(excerpt) = &test.excerpt {
                        print(&around(excerpt, colored));
                    }
                }
            }
        }
    }
    if arguments.format == Format::Sarif {
        print(&sarif.finish());
    }
    if arguments.format.is_text() && !is_quiet() && !verdicts.is_empty() {
        if verdicts.len() > 1 && !failed.is_empty() {
            print_error(&format!("failed tests:\n  {}\n", failed.join("\n  ")));
        }
        print_error(&format!("{}\n", summary(&verdicts)));
    }
    outcome
}

/// The output around the place of a mismatch, as a diff from what is expected to what is there.
fn around(excerpt: &Excerpt, is_colored: bool) -> String {
    let colored = |line: String, color: u8| match is_colored {
        true => format!("\u{1b}[{color}m{line}\u{1b}[0m\n"),
        false => line + "\n",
    };
    let mut out = format!("output of RUN line {}:\n", excerpt.run);
    let expected = colored(format!("-       {}", excerpt.expected), 31);
    let at = excerpt.closest.unwrap_or(excerpt.search + 1);
    let mut is_shown = false;
    for (number, line) in &excerpt.lines {
        if *number >= at && !is_shown {
            out.push_str(&expected);
            is_shown = true;
        }
        out.push_str(&match excerpt.closest == Some(*number) {
            true => colored(format!("+{number:>5}  {line}"), 32),
            false => format!(" {number:>5}  {line}\n"),
        });
    }
    if !is_shown {
        out.push_str(&expected);
    }
    out + "\n"
}

/// A test that could not be run is a failure of this program, with its reason.
fn outcome_of(path: &str, test: &lit::Outcome) -> Outcome {
    match test.verdict() {
        Verdict::Passed | Verdict::ExpectedlyFailed => Outcome::Clean,
        Verdict::Failed | Verdict::UnexpectedlyPassed => Outcome::ErrorsFound,
        Verdict::Unsupported => {
            let why = test.reason.as_deref().unwrap_or_default();
            super::output::note(format!("{path}: unsupported: {why}"));
            Outcome::Clean
        }
        Verdict::NotRun => complain(format!("{path}: {}", test.reason.as_deref().unwrap_or("not run"))),
    }
}

/// Writes the CHECK lines of each test again.
fn update_all(files: &[PathBuf], arguments: &Arguments, setup: &Setup) -> Outcome {
    let update = |path: &PathBuf| {
        let source = read(path, arguments.dialect)?;
        let new =
            lit::update(path, &source.text, arguments.llvm_source.as_deref(), setup, &Cancel::default())
                .map_err(|why| format!("{}: {why}", shown::path(path)))?;
        if new == source.text {
            return Ok(false);
        }
        super::replace::write(path, &source.text, &new)
            .map(|()| true)
            .map_err(|error| format!("{}: {error}", shown::path(path)))
    };
    let updated: Vec<Result<bool, String>> = files.par_iter().map(update).collect();
    let mut outcome = Outcome::Clean;
    for (path, result) in files.iter().zip(&updated) {
        match result {
            Ok(changed) => detail(|| {
                format!("{}: {}", shown::path(path), if *changed { "updated" } else { "up to date" })
            }),
            Err(message) => outcome = outcome.max(complain(message)),
        }
    }
    let changed = updated.iter().filter(|result| matches!(result, Ok(true))).count();
    if !is_quiet() {
        print_error(&format!("{} of {} updated\n", changed, count(files.len(), "test")));
    }
    outcome
}

fn run_test(path: &Path, arguments: &Arguments, setup: &Setup) -> Result<Done, String> {
    catch_unwind(AssertUnwindSafe(|| {
        let source = read(path, arguments.dialect)?;
        if let Some(number) = arguments.run_line {
            is_run_line(&source.text, number)
                .map_err(|message| format!("{}: {message}", shown::path(path)))?;
        }
        let mut outcome = lit::run(path, &source.text, arguments.run_line, setup, &Cancel::default());
        let findings = std::mem::take(&mut outcome.findings);
        Ok(Done { checked: Checked::new(path, source, findings, &Options::default()), outcome })
    }))
    .unwrap_or_else(|_| {
        let path = shown::path(path);
        Err(format!("{path}: internal error while running; please report it with the file"))
    })
}

/// `3 tests: 2 passed, 1 failed`.
fn summary(verdicts: &[Verdict]) -> String {
    const ALL: [Verdict; 6] = [
        Verdict::Passed,
        Verdict::Failed,
        Verdict::ExpectedlyFailed,
        Verdict::UnexpectedlyPassed,
        Verdict::Unsupported,
        Verdict::NotRun,
    ];
    let number = |verdict: Verdict| verdicts.iter().filter(|v| **v == verdict).count();
    let parts = ALL.into_iter().filter(|v| number(*v) > 0).map(|v| format!("{} {}", number(v), v.name()));
    format!("{}: {}", count(verdicts.len(), "test"), parts.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_counts_each_verdict() {
        let verdicts = [Verdict::Passed, Verdict::Failed, Verdict::Passed, Verdict::NotRun];
        assert_eq!(summary(&verdicts), "4 tests: 2 passed, 1 failed, 1 not run");
    }
}
