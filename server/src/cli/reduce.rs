//! `wavelens reduce`: makes a file smaller while it keeps a finding, crashes a compiler, or passes a command's test.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget};
use wavelens_codegen::{Cancel, Compiler, Failure, Limits, private, process};
use wavelens_ide::codegen::Detail;
use wavelens_semantics::reduce::{Reduced, reduce};
use wavelens_semantics::{Severity, check_text, dialect};

use super::compiled_file::CompiledFile;
use super::output::{complain, is_quiet, print, print_error, shows_progress, write_file};
use super::{Outcome, shown};
use crate::compile::{Job, machine_code};

/// Wait between two drawings of the progress.
const REDRAW: Duration = Duration::from_millis(200);

#[derive(Debug, clap::Args)]
#[group(id = "interest", required = true, args = ["condition", "command"])]
pub(super) struct Arguments {
    /// Keep what has a finding of this code and no errors of other codes than before; `crash`: keep what crashes the compiler.
    #[arg(long = "while", value_name = "CODE|crash", conflicts_with = "command")]
    condition: Option<String>,
    /// Write the smallest text here, again whenever there is a smaller one; default: standard output, at the end.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// End after so many seconds with the smallest text so far.
    #[arg(long, value_name = "SECONDS")]
    time_limit: Option<u64>,
    /// AMDGPU processor, for files that name none.
    #[arg(long, value_name = "gfxNNN")]
    mcpu: Option<String>,
    #[command(flatten)]
    input: CompiledFile,
    /// Keep what this command exits with 0 for; the text's file replaces `{}`, or is the last argument.
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

/// What keeps a text interesting.
enum Interest {
    Finding { code: String, errors: HashSet<&'static str> },
    Crash(Box<Compiler>),
    Command { words: Vec<String>, file: PathBuf },
}

impl Interest {
    fn of(arguments: &Arguments, compiler: Compiler, job: &Job, folder: &Path) -> Result<Interest, String> {
        match arguments.condition.as_deref() {
            None => {
                let name = arguments.input.path.file_name().unwrap_or("input".as_ref());
                Ok(Interest::Command { words: arguments.command.clone(), file: folder.join(name) })
            }
            Some("crash") => Ok(Interest::Crash(Box::new(compiler))),
            Some(code) if dialect::rule(code).is_none() => {
                Err(format!("unknown code `{code}`; `wavelens explain` lists all codes"))
            }
            Some(code) => {
                let findings = check_text(job.dialect, &job.text, &job.options);
                let errors = findings.iter().filter(|f| f.severity == Severity::Error);
                Ok(Interest::Finding { code: code.to_owned(), errors: errors.map(|f| f.rule.code).collect() })
            }
        }
    }

    /// Why a text that is not interesting is none.
    fn absence(&self) -> String {
        match self {
            Interest::Finding { code, .. } => format!("no finding of `{code}`"),
            Interest::Crash(_) => "the compiler does not crash".to_owned(),
            Interest::Command { words, .. } => {
                format!("`{}` does not exit with 0", words.first().map_or("", String::as_str))
            }
        }
    }

    fn holds(&self, job: &Job, text: &str) -> Result<bool, String> {
        match self {
            Interest::Finding { code, errors } => {
                let findings = check_text(job.dialect, text, &job.options);
                let is_new = |f: &&wavelens_semantics::Finding| {
                    f.severity == Severity::Error && !errors.contains(f.rule.code)
                };
                Ok(findings.iter().any(|f| f.rule.code == *code) && !findings.iter().any(|f| is_new(&f)))
            }
            Interest::Crash(compiler) => {
                let job = Job { text: text.to_owned(), ..job.clone() };
                match machine_code(compiler, &job, Detail::Costs, &Cancel::default()) {
                    Err(Failure::Crashed { .. }) => Ok(true),
                    Err(Failure::NoTool(problem)) => Err(problem),
                    _ => Ok(false),
                }
            }
            Interest::Command { words, file } => command_succeeds(words, file, text),
        }
    }
}

fn command_succeeds(words: &[String], file: &Path, text: &str) -> Result<bool, String> {
    std::fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))?;
    let Some((program, rest)) = words.split_first() else { return Ok(false) };
    let mut command = Command::new(program);
    let mut is_named = false;
    for word in rest {
        is_named |= word.contains("{}");
        command.arg(word.replace("{}", &file.to_string_lossy()));
    }
    if !is_named {
        command.arg(file);
    }
    match process::run(&mut command, b"", &Limits::default(), &Cancel::default()) {
        Ok(output) => Ok(output.status.success()),
        Err(process::Stopped::NotStarted(problem)) => Err(format!("{program}: {problem}")),
        Err(_) => Ok(false),
    }
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
    let outcome = match Interest::of(arguments, compiler, &job, &folder) {
        Ok(interest) => reduce_while(arguments, &job, &interest),
        Err(message) => complain(message),
    };
    // What is left there is temporary.
    let _ = std::fs::remove_dir_all(&folder);
    outcome
}

fn reduce_while(arguments: &Arguments, job: &Job, interest: &Interest) -> Outcome {
    let path = shown::path(&arguments.input.path);
    match interest.holds(job, &job.text) {
        Ok(true) => {}
        Ok(false) => return complain(format!("{path}: nothing to keep: {}", interest.absence())),
        Err(problem) => return complain(format!("{path}: {problem}")),
    }
    let start = Instant::now();
    let reduced = shrink(job, arguments.time_limit, &mut |text| {
        let kept = interest.holds(job, text)?;
        if let (true, Some(output)) = (kept, &arguments.output) {
            write_file(output, text.as_bytes())?;
        }
        Ok(kept)
    });
    let reduced = match reduced {
        Ok(reduced) => reduced,
        Err(problem) => return complain(format!("{path}: {problem}")),
    };
    match &arguments.output {
        Some(output) => {
            if let Err(error) = write_file(output, reduced.text.as_bytes()) {
                return complain(error);
            }
        }
        None => print(&reduced.text),
    }
    if !is_quiet() {
        print_error(&summary(&job.text, &reduced, start.elapsed()));
    }
    Outcome::Clean
}

/// The smallest text for which `holds`, searched for at most `limit` seconds.
pub(super) fn shrink(
    job: &Job,
    limit: Option<u64>,
    holds: &mut dyn FnMut(&str) -> Result<bool, String>,
) -> Result<Reduced, String> {
    let end = limit.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let mut problem = None;
    let bar = progress();
    let mut tests = 0;
    let reduced = reduce(job.dialect, &job.text, &mut |text| {
        tests += 1;
        if end.is_some_and(|end| Instant::now() >= end) {
            return ControlFlow::Break(());
        }
        match holds(text) {
            Ok(kept) => {
                if kept {
                    bar.set_message(format!(
                        "{} of {} bytes after {tests} tests",
                        text.len(),
                        job.text.len()
                    ));
                }
                bar.tick();
                ControlFlow::Continue(kept)
            }
            Err(message) => {
                problem = Some(message);
                ControlFlow::Break(())
            }
        }
    });
    bar.finish_and_clear();
    problem.map_or(Ok(reduced), Err)
}

fn progress() -> ProgressBar {
    if !shows_progress() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    bar.enable_steady_tick(REDRAW);
    bar
}

fn summary(before: &str, reduced: &Reduced, time: Duration) -> String {
    let percent = 100.0 * reduced.text.len() as f64 / before.len().max(1) as f64;
    let ended = if reduced.is_complete { "" } else { "; the time limit ended it" };
    format!(
        "reduced {} bytes to {} ({percent:.1} %) in {} tests, {:.1} s{ended}\n",
        before.len(),
        reduced.text.len(),
        reduced.tests,
        time.as_secs_f64()
    )
}
