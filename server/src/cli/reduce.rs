//! `wavelens reduce`: makes a file smaller while it keeps a finding, crashes a compiler, or passes a command's test.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget};
use wavelens_codegen::private::Temporary;
use wavelens_codegen::{Cancel, Compiler};

use super::compiled_file::CompiledFile;
use super::output::{complain, is_quiet, print_document, print_error, shows_progress, write_file};
use super::{Outcome, shown};
use crate::compile::Job;
use crate::reduce::{Bounds, Interest, Reduced, reduce, report};

/// Wait between two drawings of the progress.
const REDRAW: Duration = Duration::from_millis(200);
/// Exit status after Ctrl-C, as shells give it.
const INTERRUPTED: i32 = 130;

#[derive(Debug, clap::Args)]
#[group(id = "interest", required = true, args = ["condition", "command"])]
pub(super) struct Arguments {
    /// Keep what has a finding of this code and no errors of other codes than before; `crash`: keep what makes the compiler fail in the same way.
    #[arg(long = "while", value_name = "CODE|crash", conflicts_with = "command")]
    condition: Option<String>,
    /// Also test texts with errors of codes that the file does not have: slower, for compilers that fail on invalid input.
    #[arg(long)]
    invalid: bool,
    /// Write the smallest text here, again whenever there is a smaller one; default: standard output, at the end.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// End after so many seconds with the smallest text so far.
    #[arg(long, value_name = "SECONDS")]
    time_limit: Option<u64>,
    /// Test at most so many texts at the same time, 1 or 2: 1 for a command that always writes to the same files.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=2))]
    jobs: u8,
    /// Write a report for the compiler's issue tracker here: command, version, failing pass, stack, reduced file.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    #[command(flatten)]
    input: CompiledFile,
    /// Keep what this command exits with 0 for; the text's file replaces `{}`, or is the last argument.
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let (compiler, job) = match arguments.input.open_whole() {
        Ok(opened) => opened,
        Err(message) => return complain(message),
    };
    let folder = match Temporary::new("reduce") {
        Ok(folder) => folder,
        Err(error) => return complain(error.to_string()),
    };
    let cancel = cancel_on_interrupt();
    let outcome = match interest(arguments, &compiler, &job, folder.path()) {
        Ok(interest) => reduce_while(arguments, &job, interest, &cancel),
        Err(message) => complain(message),
    };
    // `exit` drops nothing.
    drop(folder);
    if cancel.is_cancelled() {
        std::process::exit(INTERRUPTED);
    }
    outcome
}

fn interest<'c>(
    arguments: &Arguments,
    compiler: &'c Compiler,
    job: &Job,
    folder: &Path,
) -> Result<Interest<'c>, String> {
    match arguments.condition.as_deref() {
        Some(condition) => Interest::of(condition, compiler, job),
        None => {
            let name = arguments.input.path.file_name().unwrap_or("input".as_ref());
            // It finds the text below the folder, in a file of this name.
            let (words, folder, name) = (arguments.command.clone(), folder.to_owned(), name.to_owned());
            Ok(Interest::Command { words, folder, name, wants_symbols: false })
        }
    }
}

fn reduce_while(arguments: &Arguments, job: &Job, mut interest: Interest<'_>, cancel: &Cancel) -> Outcome {
    let start = Instant::now();
    // A finding is looked for by the check that would tell whether the text is valid.
    let is_checked = !arguments.invalid && !matches!(interest, Interest::Finding { .. });
    let bar = progress();
    let bounds = Bounds {
        valid: is_checked.then_some(&job.options),
        has_target: !matches!(interest, Interest::Command { .. }),
        limit: arguments.time_limit,
        jobs: arguments.jobs.into(),
        cancel,
        progress: &|message| bar.set_message(message),
    };
    let reduced = reduce(job, &mut interest, bounds, &mut |text| match &arguments.output {
        Some(output) => write_file(output, text.as_bytes()),
        None => Ok(()),
    });
    bar.finish_and_clear();
    let written = reduced.and_then(|reduced| {
        write(arguments, job, &reduced, &interest)?;
        Ok(reduced)
    });
    match written {
        Ok(reduced) if !is_quiet() => {
            print_error(&summary(&job.text, &reduced, start.elapsed(), cancel.is_cancelled()));
        }
        Ok(_) => {}
        Err(problem) => return complain(format!("{}: {problem}", shown::path(&arguments.input.path))),
    }
    Outcome::Clean
}

fn write(arguments: &Arguments, job: &Job, reduced: &Reduced, interest: &Interest<'_>) -> Result<(), String> {
    match &arguments.output {
        Some(output) => write_file(output, reduced.text.as_bytes())?,
        None => print_document(&reduced.text),
    }
    let Some(path) = &arguments.report else { return Ok(()) };
    let file = arguments.input.path.file_name().map_or_else(|| "input".into(), |name| name.to_string_lossy());
    write_file(path, report(&file, job, reduced, interest)?.as_bytes())
}

/// The first Ctrl-C ends the search with the best text so far, a second one the program.
fn cancel_on_interrupt() -> Cancel {
    let cancel = Cancel::default();
    let handle = cancel.clone();
    // Without a handler the default one stops the program.
    let _ = ctrlc::set_handler(move || {
        if handle.is_cancelled() {
            std::process::exit(INTERRUPTED);
        }
        handle.cancel();
    });
    cancel
}

/// What shows how far a search is.
pub(super) fn progress() -> ProgressBar {
    if !shows_progress() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    bar.enable_steady_tick(REDRAW);
    bar
}

fn summary(before: &str, reduced: &Reduced, time: Duration, is_interrupted: bool) -> String {
    let percent = 100.0 * reduced.text.len() as f64 / before.len().max(1) as f64;
    let ended = match (reduced.is_complete, is_interrupted) {
        (true, _) => "",
        (false, true) => "; interrupted",
        (false, false) => "; the time limit ended it",
    };
    format!(
        "reduced {} bytes to {} ({percent:.1} %) in {} tests, {:.1} s{ended}\n",
        before.len(),
        reduced.text.len(),
        reduced.tests,
        time.as_secs_f64()
    )
}
