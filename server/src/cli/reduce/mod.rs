//! `wavelens reduce`: makes a file smaller while it keeps a finding, crashes a compiler, or passes a command's test.

mod interest;
mod problem;
mod search;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use wavelens_codegen::{Cancel, private};
use wavelens_ide::features::format_text;
use wavelens_semantics::TextEdit;
use wavelens_semantics::reduce::Reduced;

use self::interest::Interest;
use self::search::INTERRUPTED;
pub(super) use self::search::{Bounds, shrink};
use super::compiled_file::CompiledFile;
use super::output::{complain, is_quiet, print, print_error, write_file};
use super::{Outcome, shown};
use crate::compile::Job;

#[derive(Debug, clap::Args)]
#[group(id = "interest", required = true, args = ["condition", "command"])]
pub(super) struct Arguments {
    /// Keep what has a finding of this code and no errors of other codes than before; `crash`: keep what crashes the compiler in the same way.
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
    /// Write a report for the compiler's issue tracker here: command, version, failing pass, stack, reduced file.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// AMDGPU processor, for files that name none.
    #[arg(long, value_name = "gfxNNN")]
    mcpu: Option<String>,
    #[command(flatten)]
    input: CompiledFile,
    /// Keep what this command exits with 0 for; the text's file replaces `{}`, or is the last argument.
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let (compiler, job) = match arguments.input.open_whole(arguments.mcpu.as_deref()) {
        Ok(opened) => opened,
        Err(message) => return complain(message),
    };
    let folder = match private::new_folder(&std::env::temp_dir(), "wavelens-reduce-") {
        Ok(folder) => folder,
        Err(error) => return complain(format!("temporary folder: {error}")),
    };
    let cancel = search::cancel_on_interrupt();
    let outcome = match Interest::of(arguments, compiler, &job, &folder) {
        Ok(interest) => reduce_while(arguments, &job, interest, &cancel),
        Err(message) => complain(message),
    };
    // What is left there is temporary.
    let _ = std::fs::remove_dir_all(&folder);
    if cancel.is_cancelled() {
        std::process::exit(INTERRUPTED);
    }
    outcome
}

fn reduce_while(arguments: &Arguments, job: &Job, mut interest: Interest, cancel: &Cancel) -> Outcome {
    let path = shown::path(&arguments.input.path);
    match interest.begins(job, cancel) {
        Ok(true) => {}
        Ok(false) => return complain(format!("{path}: nothing to keep: {}", interest.absence())),
        Err(problem) => return complain(format!("{path}: {problem}")),
    }
    let start = Instant::now();
    // A finding is looked for by the check that would tell whether the text is valid.
    let is_checked = !arguments.invalid && !matches!(interest, Interest::Finding { .. });
    let bounds = Bounds { valid: is_checked.then_some(&job.options), limit: arguments.time_limit, cancel };
    let reduced = shrink(job, bounds, &mut |text| {
        let kept = interest.holds(job, text, cancel)?;
        if let (true, Some(output)) = (kept, &arguments.output) {
            write_file(output, text.as_bytes())?;
        }
        Ok(kept)
    });
    let reduced = reduced.map(|reduced| formatted(job, reduced, &interest, cancel));
    let written = reduced.and_then(|reduced| {
        match &arguments.output {
            Some(output) => write_file(output, reduced.text.as_bytes())?,
            None => print(&reduced.text),
        }
        if let Some(report) = &arguments.report {
            problem::write(report, arguments, job, &reduced, &interest)?;
        }
        Ok(reduced)
    });
    match written {
        Ok(reduced) if !is_quiet() => {
            print_error(&summary(&job.text, &reduced, start.elapsed(), cancel.is_cancelled()));
        }
        Ok(_) => {}
        Err(problem) => return complain(format!("{path}: {problem}")),
    }
    Outcome::Clean
}

/// The text as the formatter writes it, if it is still interesting: a reduction leaves blanks where something was.
fn formatted(job: &Job, reduced: Reduced, interest: &Interest, cancel: &Cancel) -> Reduced {
    let edits = format_text(job.dialect, &reduced.text, Default::default());
    let Some(text) = TextEdit::apply_all(&reduced.text, &edits) else { return reduced };
    if text == reduced.text || interest.holds(job, &text, cancel) != Ok(true) {
        return reduced;
    }
    Reduced { text, tests: reduced.tests + 1, ..reduced }
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
