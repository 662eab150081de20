//! `wavelens check`.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::prelude::*;
use wavelens_base::Options;
use wavelens_check::dialect::includes_files;

use super::baseline::BaselineArguments;
use super::checked::Checker;
use super::compiled_file::is_run_line;
use super::gather::FileArguments;
use super::levels::{FINDINGS, LevelArguments};
use super::llvm_level::{LEVELS, level_named};
use super::output::{
    complain, count, detail, is_colored, is_quiet, is_verbose, note, print, print_document, print_error,
    redirect, say, shows_progress,
};
use super::target::{TARGET, TargetArguments};
use super::totals::Totals;
use super::{Outcome, fix, github, human, json, known_values, replace, sarif, watch};
use crate::checked::Checked;
use crate::includes::Search;
use crate::input::is_standard_input;
use crate::shown;
use crate::source::{Source, read};
use crate::target::target;

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    /// Each finding with the lines of the text.
    Human,
    /// One line for each: file:line:column: error: message [code].
    Concise,
    /// One object for each file, on a line of its own.
    Json,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// Annotations of GitHub Actions.
    Github,
}

impl Format {
    /// Whether it is for people, who also get a summary.
    pub(super) fn is_text(self) -> bool {
        matches!(self, Format::Human | Format::Concise)
    }
}

const FIXES: &str = "Fixes";
const REPORT: &str = "Report";

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    files: FileArguments,
    /// Check again whenever a file changes, until Ctrl-C.
    #[arg(long, conflicts_with_all = ["fix", "diff", "write_baseline"], help_heading = "Files")]
    watch: bool,
    #[command(flatten)]
    target: TargetArguments,
    /// Check under this RUN line alone, by its number; without, under all.
    #[arg(long, value_name = "N", help_heading = TARGET)]
    run_line: Option<u32>,
    /// Define an assembly symbol, as a build would.
    #[arg(short = 'D', long = "define", value_name = "SYM=VAL", help_heading = TARGET)]
    defines: Vec<String>,
    /// Folder in which to look for files that assembly includes.
    #[arg(short = 'I', long = "include-path", value_name = "FOLDER", help_heading = TARGET)]
    include_paths: Vec<PathBuf>,
    /// LLVM version whose rules apply.
    #[arg(long, value_name = LEVELS, value_parser = level_named, help_heading = TARGET)]
    llvm_level: Option<u8>,
    #[command(flatten)]
    levels: LevelArguments,
    /// Report also hazards that only LLVM's hazard recognizer knows and waits that are stronger than needed, as hints.
    #[arg(long, help_heading = FINDINGS)]
    pedantic: bool,
    #[command(flatten)]
    baseline: BaselineArguments,
    /// Stop after so many errors.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = FINDINGS)]
    max_errors: Option<u64>,
    /// Apply all fixes that are certain and write the files; the fixed text of standard input goes to standard output.
    #[arg(long, help_heading = FIXES)]
    fix: bool,
    /// Apply fixes that are only likely too, where a finding has just one.
    #[arg(long, help_heading = FIXES)]
    unsafe_fixes: bool,
    /// Print what `--fix` would change, as a unified diff, and write nothing.
    #[arg(long, help_heading = FIXES)]
    diff: bool,
    /// Output format.
    #[arg(long, value_enum, default_value = "human", help_heading = REPORT)]
    format: Format,
    /// Write the report to this file instead of standard output.
    #[arg(short, long, value_name = "FILE", conflicts_with = "watch", help_heading = REPORT)]
    output: Option<PathBuf>,
    /// Print how often each code is reported, and not the findings.
    #[arg(long, conflicts_with_all = ["fix", "diff"], help_heading = REPORT)]
    statistics: bool,
    /// Files and folders, default: the current folder; `-` is standard input.
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
}

/// What came of one file.
struct Done {
    checked: Checked,
    fixed: Option<Fixed>,
    time: Duration,
    /// What the file was checked for, if that is wanted.
    target: Option<String>,
}

/// What `--fix` did with a file.
struct Fixed {
    /// The text that was read.
    before: String,
    count: usize,
    /// Why the file is as it was.
    problem: Option<std::io::Error>,
}

/// Files checked at once, between two writes of the output.
const BATCH: usize = 64;

pub(super) fn run(arguments: &Arguments) -> Outcome {
    if arguments.watch {
        return watch::run(|| run_once(arguments));
    }
    run_once(arguments).0
}

/// Also the files that were checked.
fn run_once(arguments: &Arguments) -> (Outcome, Vec<PathBuf>) {
    let prepared = prepare(arguments).and_then(|checker| {
        let gathered = arguments.files.gather(&arguments.paths, arguments.target.dialect)?;
        let baseline = arguments.baseline.read()?;
        arguments.output.as_deref().map_or(Ok(()), redirect)?;
        Ok((checker, gathered, baseline))
    });
    let (checker, gathered, mut baseline) = match prepared {
        Ok(prepared) => prepared,
        Err(message) => return (complain(message), Vec::new()),
    };
    let mut outcome = if gathered.unreadable > 0 { Outcome::CouldNotWork } else { Outcome::Clean };
    let files = gathered.files;
    if files.is_empty() {
        return (Outcome::CouldNotWork, files);
    }
    let progress = progress(&files);
    let done = stop_on_interrupt(files.len(), progress.clone());
    let mut sarif = sarif::Log::default();
    let mut totals = Totals::default();
    let mut complaints = HashSet::new();
    let mut errors_left = arguments.max_errors;
    'all: for batch in files.chunks(BATCH) {
        let checked: Vec<Result<Done, String>> = batch
            .par_iter()
            .map(|path| {
                let result = check_file(path, arguments, &checker);
                done.fetch_add(1, Ordering::Relaxed);
                progress.inc(1);
                result
            })
            .collect();
        for result in checked {
            let Done { mut checked, fixed, time, target } = match result {
                Ok(done) => done,
                Err(message) => {
                    outcome = Outcome::CouldNotWork;
                    sarif.failed(&message);
                    // Many files have one project file.
                    if complaints.insert(message.clone()) {
                        progress.suspend(|| complain(&message));
                    }
                    continue;
                }
            };
            baseline.leave_out_known(&mut checked);
            checked.stop_after(&mut errors_left);
            totals.add(&checked);
            progress.suspend(|| {
                detail(|| {
                    let findings = count(checked.found.len(), "finding");
                    let (path, dialect) = (shown::path(&checked.path), checked.source.dialect);
                    format!("{path}: {dialect}, {findings}, {} ms", time.as_millis())
                });
                for row in target.iter().flat_map(|target| target.lines()) {
                    detail(|| format!("  {row}"));
                }
                if let Some(fixed) = fixed {
                    outcome = outcome.max(show_fixed(&checked, &fixed, arguments.diff, &mut totals));
                }
                if !arguments.statistics {
                    show(&checked, arguments, &mut sarif);
                }
            });
            if errors_left == Some(0) {
                progress.suspend(|| note(format!("stopped after {}", count(totals.errors, "error"))));
                break 'all;
            }
        }
    }
    progress.finish_and_clear();
    match arguments.format {
        _ if arguments.statistics => print(&totals.statistics(arguments.format == Format::Json)),
        Format::Sarif => print(&sarif.finish()),
        _ => {}
    }
    if totals.files > 0 && arguments.format.is_text() && !is_quiet() {
        print_error(&format!("{}\n", totals.line(arguments.fix, arguments.diff)));
    }
    if let Err(message) = baseline.finish() {
        outcome = outcome.max(complain(message));
    }
    (outcome.max(totals.outcome(arguments.levels.error_on_warning)), files)
}

/// How files are checked.
///
/// # Errors
/// An option has a wrong value.
fn prepare(arguments: &Arguments) -> Result<Checker, String> {
    let levels = arguments.levels.levels()?;
    let fixes = arguments.fix || arguments.diff;
    let has_stdin = arguments.paths.iter().any(|p| is_standard_input(p));
    if fixes && !arguments.format.is_text() && (arguments.diff || has_stdin) {
        return Err("`--diff` and `--fix -` print text: they need `--format human` or `concise`".to_owned());
    }
    let mut options = Options {
        run: arguments.run_line,
        defines: arguments.defines.iter().map(|d| split_define(d)).collect(),
        llvm_level: arguments.llvm_level,
        pedantic: arguments.pedantic,
        follow_on: true,
        disabled: levels.allowed.clone(),
        ..arguments.target.options()
    };
    known_values(&mut options)?;
    known_folders(&arguments.include_paths)?;
    Ok(Checker { options, levels, unsafe_fixes: arguments.unsafe_fixes })
}

/// Prints the findings of a file.
fn show(checked: &Checked, arguments: &Arguments, sarif: &mut sarif::Log) {
    let human = |stream: &dyn Fn() -> bool| match arguments.format {
        Format::Concise => human::concise(checked, stream()),
        _ => human::file(checked, stream()),
    };
    match arguments.format {
        Format::Json => json::print_file(checked),
        Format::Sarif => sarif.add(checked),
        Format::Github => print(&github::file(checked)),
        // The fixed text or the diff has standard output for itself.
        _ if arguments.diff || arguments.fix && is_standard_input(&checked.path) => {
            print_error(&human(&|| is_colored(&std::io::stderr())));
        }
        _ => print(&human(&|| is_colored(&std::io::stdout()))),
    }
}

/// A panic while checking one file must not hide the verdicts on the others.
fn check_file(path: &Path, arguments: &Arguments, checker: &Checker) -> Result<Done, String> {
    let start = Instant::now();
    catch_unwind(AssertUnwindSafe(|| {
        let mut source = read(path, arguments.target.dialect)?;
        if let Some(number) = arguments.run_line {
            is_run_line(&source.text, number)
                .map_err(|message| format!("{}: {message}", shown::path(path)))?;
        }
        let options = super::target::with_project(&checker.options, path)?;
        let options = with_includes(&options, &source, path, &arguments.include_paths);
        let mut findings = checker.findings(source.dialect, &source.text, &options);
        let mut fixed = None;
        if (arguments.fix || arguments.diff) && source.is_exact {
            let found = fix::fix(&source, findings.clone(), &options, checker);
            let is_written = !arguments.diff && !is_standard_input(path) && found.count > 0;
            let written = is_written.then(|| replace::write(path, &source.text, &found.text));
            match written {
                // What was found is still in the file.
                Some(Err(problem)) => {
                    fixed = Some(Fixed { before: String::new(), count: 0, problem: Some(problem) });
                }
                _ => {
                    findings = found.left;
                    let before = std::mem::replace(&mut source.text, found.text);
                    fixed = Some(Fixed { before, count: found.count, problem: None });
                }
            }
        }
        let time = start.elapsed();
        let target = is_verbose().then(|| target(source.dialect, &source.text, &options).human());
        let checked = Checked::new(path, source, findings, &options);
        Ok(Done { checked, fixed, time, target })
    }))
    .unwrap_or_else(|_| {
        let path = shown::path(path);
        Err(format!("{path}: internal error while checking; please report it with the file"))
    })
}

/// Prints a fixed text that belongs to standard output, or what changed, or why nothing did.
fn show_fixed(checked: &Checked, fixed: &Fixed, diff: bool, totals: &mut Totals) -> Outcome {
    if diff {
        print_document(&fix::diff(&checked.path, &fixed.before, &checked.source.text, &std::io::stdout()));
    } else if is_standard_input(&checked.path) {
        print_document(&checked.source.text);
    } else if let Some(problem) = &fixed.problem {
        return complain(format!("{}: not fixed: {problem}", shown::path(&checked.path)));
    }
    totals.fixed += fixed.count;
    // A change that would be made fails a check, as a finding does.
    if diff && fixed.count > 0 { Outcome::ErrorsFound } else { Outcome::Clean }
}

/// The options with the files that assembly includes.
pub(super) fn with_includes(options: &Options, source: &Source, path: &Path, folders: &[PathBuf]) -> Options {
    let mut options = options.clone();
    if includes_files(source.dialect) {
        let main = if path == Path::new("-") { Path::new("./-") } else { path };
        let main = std::path::absolute(main).unwrap_or_else(|_| main.to_owned());
        let found = super::target::project_of(path);
        let own = found.as_ref().and_then(|found| found.project.as_ref());
        let own = own.map(|project| (project.folder(), project.include_paths().collect()));
        let search = beside(&main, folders, own);
        options.includes = search.load(source.dialect, &source.text, &main, |_| None);
    }
    options
}

/// Whether folders in which to look for included files are there.
///
/// # Errors
/// One line that names the first that is not.
pub(super) fn known_folders(folders: &[PathBuf]) -> Result<(), String> {
    match folders.iter().find(|folder| !folder.is_dir()) {
        Some(missing) => Err(format!("`-I {}`: not a folder", shown::path(missing))),
        None => Ok(()),
    }
}

pub(super) fn split_define(define: &str) -> (String, String) {
    let (name, value) = define.split_once('=').unwrap_or((define, "1"));
    (name.to_owned(), value.to_owned())
}

/// Larger files (bytes) take long enough for a spinner.
const LARGE: u64 = 4 << 20;

/// A bar over many files, a spinner for a large one; only on a terminal.
fn progress(files: &[PathBuf]) -> ProgressBar {
    let size = |path: &PathBuf| std::fs::metadata(path).map_or(0, |m| m.len());
    let (bar, template) = match files {
        _ if !shows_progress() => return ProgressBar::hidden(),
        [file] if size(file) < LARGE => return ProgressBar::hidden(),
        [file] => {
            let bar = ProgressBar::new_spinner();
            (bar.with_message(shown::path(file)), "{spinner} checking {msg}  {elapsed}")
        }
        _ => (ProgressBar::new(files.len() as u64), "{bar:30} {pos}/{len} files  {eta} left"),
    };
    bar.set_draw_target(ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Ctrl-C stops at once and says what was done.
fn stop_on_interrupt(files: usize, progress: ProgressBar) -> Arc<AtomicUsize> {
    let done = Arc::new(AtomicUsize::new(0));
    let checked = done.clone();
    // Without a handler the default one stops the program too.
    let _ = ctrlc::set_handler(move || {
        progress.finish_and_clear();
        // Not in the middle of a file.
        let _writing = replace::writing();
        say(format!("interrupted after {} of {}", checked.load(Ordering::Relaxed), count(files, "file")));
        std::process::exit(130);
    });
    done
}

/// For a file named on the command line: below the working folder or next to the file, and in the folders that the user asks for.
/// Names are also looked up in the folders of `project`, but a project file allows nothing that is not in its own folder: it may have
/// come with the files.
fn beside(main: &Path, paths: &[PathBuf], project: Option<(&Path, Vec<PathBuf>)>) -> Search {
    let mut paths: Vec<PathBuf> = paths.iter().filter_map(|p| std::path::absolute(p).ok()).collect();
    let mut roots = paths.clone();
    roots.extend(std::env::current_dir());
    let main = std::path::absolute(main).ok();
    roots.extend(main.and_then(|m| Some(m.parent()?.to_owned())));
    if let Some((folder, own)) = project {
        roots.extend(std::path::absolute(folder).ok().filter(|folder| folder.parent().is_some()));
        paths.extend(own.iter().filter_map(|p| std::path::absolute(p).ok()));
    }
    Search { roots, paths }
}
