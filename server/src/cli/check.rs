//! `wavelens check`.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::prelude::*;
use wavelens_base::{LLVM_VERSIONS, Options, Severity};
use wavelens_check::dialect::includes_files;

use super::checked::Checker;
use super::gather::gather;
use super::levels::LevelArguments;
use super::output::{
    complain, count, detail, is_quiet, is_verbose, print, print_document, print_error, say, shows_progress,
};
use super::target::TargetArguments;
use super::{Outcome, fix, github, human, json, note_unknown, replace, sarif};
use crate::checked::Checked;
use crate::includes::Search;
use crate::shown;
use crate::source::{Source, read};
use crate::target::target;

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    Human,
    Json,
    Sarif,
    Github,
}

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Output format; json prints one object for each file, github annotates pull requests.
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
    #[command(flatten)]
    target: TargetArguments,
    /// Check under this RUN line alone, by its number; without, under all.
    #[arg(long, value_name = "N")]
    run_line: Option<u32>,
    /// Define an assembly symbol, as a build would.
    #[arg(short = 'D', value_name = "SYM=VAL")]
    defines: Vec<String>,
    /// Folder in which to look for files that assembly includes.
    #[arg(short = 'I', value_name = "FOLDER")]
    include_paths: Vec<PathBuf>,
    /// LLVM version whose rules apply.
    #[arg(long, value_name = "15..24", value_parser = clap::value_parser!(u8).range(llvm_versions()))]
    llvm_level: Option<u8>,
    /// Report also hazards that only LLVM's hazard recognizer knows and waits that are stronger than needed, as hints.
    #[arg(long)]
    pedantic: bool,
    #[command(flatten)]
    levels: LevelArguments,
    /// Apply all fixes that are certain and write the files; the fixed text of standard input goes to standard output.
    #[arg(long)]
    fix: bool,
    /// Apply fixes that are only likely too, where a finding has just one.
    #[arg(long)]
    unsafe_fixes: bool,
    /// Print what `--fix` would change, as a unified diff, and write nothing.
    #[arg(long)]
    diff: bool,
    /// Files and folders; `-` is standard input.
    #[arg(required = true, value_name = "PATH")]
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

pub(super) fn llvm_versions() -> std::ops::RangeInclusive<i64> {
    i64::from(*LLVM_VERSIONS.start())..=i64::from(*LLVM_VERSIONS.end())
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let levels = match arguments.levels.levels() {
        Ok(levels) => levels,
        Err(message) => return complain(message),
    };
    let fixes = arguments.fix || arguments.diff;
    let has_stdin = arguments.paths.iter().any(|p| p == Path::new("-"));
    if fixes && arguments.format != Format::Human && (arguments.diff || has_stdin) {
        return complain("`--diff` and `--fix -` print text: they need `--format human`");
    }
    let options = Options {
        run: arguments.run_line,
        defines: arguments.defines.iter().map(|d| split_define(d)).collect(),
        llvm_level: arguments.llvm_level,
        pedantic: arguments.pedantic,
        follow_on: true,
        disabled: levels.allowed.clone(),
        ..arguments.target.options()
    };
    note_unknown(&options);
    let checker = Checker { options, levels, unsafe_fixes: arguments.unsafe_fixes };
    let gathered = gather(&arguments.paths, arguments.target.dialect);
    let mut outcome = if gathered.unreadable > 0 { Outcome::CouldNotWork } else { Outcome::Clean };
    gathered.report(&arguments.paths);
    let files = gathered.files;
    if files.is_empty() {
        return Outcome::CouldNotWork;
    }
    let progress = progress(&files);
    let done = stop_on_interrupt(files.len(), progress.clone());
    let mut sarif = sarif::Log::default();
    let mut totals = Totals::default();
    for batch in files.chunks(BATCH) {
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
            let Done { checked, fixed, time, target } = match result {
                Ok(done) => done,
                Err(message) => {
                    outcome = outcome.max(progress.suspend(|| complain(&message)));
                    sarif.failed(&message);
                    continue;
                }
            };
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
                match arguments.format {
                    Format::Json => json::print_file(&checked),
                    Format::Sarif => sarif.add(&checked),
                    Format::Github => print(&github::file(&checked)),
                    Format::Human if arguments.diff => {}
                    // The fixed text has standard output for itself.
                    Format::Human if fixes && checked.path == Path::new("-") => {
                        print_error(&human::file(&checked, &std::io::stderr()));
                    }
                    Format::Human => print(&human::file(&checked, &std::io::stdout())),
                }
            });
        }
    }
    progress.finish_and_clear();
    if arguments.format == Format::Sarif {
        print(&sarif.finish());
    }
    if totals.files > 0 && arguments.format == Format::Human && !is_quiet() {
        print_error(&format!("{}\n", totals.line(arguments)));
    }
    outcome.max(totals.outcome(arguments.levels.error_on_warning))
}

/// A panic while checking one file must not hide the verdicts on the others.
fn check_file(path: &Path, arguments: &Arguments, checker: &Checker) -> Result<Done, String> {
    let start = Instant::now();
    catch_unwind(AssertUnwindSafe(|| {
        let mut source = read(path, arguments.target.dialect)?;
        let options = super::target::with_project(&checker.options, path);
        let options = with_includes(&options, &source, path, &arguments.include_paths);
        let mut findings = checker.findings(source.dialect, &source.text, &options);
        let mut fixed = None;
        if (arguments.fix || arguments.diff) && source.is_exact {
            let found = fix::fix(&source, findings.clone(), &options, checker);
            let is_written = !arguments.diff && path != Path::new("-") && found.count > 0;
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
    } else if checked.path == Path::new("-") {
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
        let own = crate::project::find(&main).and_then(|found| found.project);
        let own = own.as_ref().map(|project| (project.folder(), project.include_paths().collect()));
        let search = Search::beside(&main, folders, own);
        options.includes = search.load(source.dialect, &source.text, &main, |_| None);
    }
    options
}

pub(super) fn split_define(define: &str) -> (String, String) {
    let (name, value) = define.split_once('=').unwrap_or((define, "1"));
    (name.to_owned(), value.to_owned())
}

#[derive(Debug, Default)]
struct Totals {
    files: usize,
    errors: usize,
    warnings: usize,
    hints: usize,
    fixed: usize,
    fixable: usize,
}

impl Totals {
    fn add(&mut self, checked: &Checked) {
        self.files += 1;
        for found in &checked.found {
            match found.finding.severity {
                Severity::Error => self.errors += 1,
                Severity::Warning => self.warnings += 1,
                Severity::Info | Severity::Hint => self.hints += 1,
            }
            self.fixable += usize::from(found.suggestions.iter().any(|s| s.certain));
        }
    }

    fn outcome(&self, error_on_warning: bool) -> Outcome {
        match self.errors > 0 || error_on_warning && self.warnings > 0 {
            true => Outcome::ErrorsFound,
            false => Outcome::Clean,
        }
    }

    /// `3 files checked: 2 errors, 1 warning (1 can be fixed with --fix)`.
    fn line(&self, arguments: &Arguments) -> String {
        let mut line = format!("{} checked: ", count(self.files, "file"));
        if self.errors + self.warnings + self.hints == 0 {
            line += "no findings";
        } else {
            line += &format!("{}, {}", count(self.errors, "error"), count(self.warnings, "warning"));
        }
        if self.hints > 0 {
            line += &format!(", {}", count(self.hints, "hint"));
        }
        let fixed = count(self.fixed, "fix");
        let fixed = fixed.replace("fixs", "fixes");
        if arguments.diff {
            line += &format!(" ({fixed} shown, nothing written)");
        } else if arguments.fix {
            line += &format!(" ({fixed} applied)");
        } else if self.fixable > 0 {
            line += &format!(" ({} can be fixed with `--fix`)", self.fixable);
        }
        line
    }
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
