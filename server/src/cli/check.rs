//! `wavelens check`.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use wavelens_semantics::includes::includes_files;
use wavelens_semantics::{Dialect, Finding, Options, Severity, check_text};

use super::{Outcome, complain, human, json, note_unknown, print, sarif};
use crate::includes::Search;
use crate::source::{Source, read};

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Human,
    Json,
    Sarif,
}

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Output format.
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
    /// llvm, mir, spirv or amdgpu, instead of the file's ending.
    #[arg(long)]
    dialect: Option<Dialect>,
    /// AMDGPU processor, for files that name none.
    #[arg(long, value_name = "gfxNNN")]
    mcpu: Option<String>,
    /// SPIR-V environment, for files that name none.
    #[arg(long, value_name = "ENV")]
    target_env: Option<String>,
    /// Assembly symbols that a build would define.
    #[arg(short = 'D', value_name = "SYM=VAL")]
    defines: Vec<String>,
    /// Folders in which assembly looks for the files that it includes.
    #[arg(short = 'I', value_name = "FOLDER")]
    include_paths: Vec<PathBuf>,
    /// LLVM version to be strict about.
    #[arg(long, value_name = "15..22", value_parser = clap::value_parser!(u8).range(15..=22))]
    llvm_level: Option<u8>,
    /// Warnings to switch off, by code.
    #[arg(long = "allow", value_name = "CODE", value_delimiter = ',')]
    disabled: Vec<String>,
    /// Files and folders; `-` is standard input.
    #[arg(required = true)]
    paths: Vec<String>,
}

/// A checked file, in the form that the formats print.
#[derive(Debug)]
pub(super) struct Checked {
    pub(super) path: String,
    pub(super) source: Source,
    pub(super) findings: Vec<Finding>,
}

/// Files checked at once, between two writes of the output.
const BATCH: usize = 64;

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let options = Options {
        target: arguments.mcpu.clone(),
        target_env: arguments.target_env.clone(),
        defines: arguments.defines.iter().map(|d| split_define(d)).collect(),
        llvm_level: arguments.llvm_level,
        follow_on: true,
        disabled: arguments.disabled.clone(),
        ..Options::default()
    };
    note_unknown(&options);
    let mut outcome = Outcome::Clean;
    let files = gather(&arguments.paths, arguments.dialect, &mut outcome);
    let done = stop_on_interrupt(files.len());
    let progress = progress_bar(files.len());
    let mut sarif = sarif::Log::default();
    let mut totals = human::Totals::default();
    for batch in files.chunks(BATCH) {
        let checked: Vec<Result<Checked, String>> = batch
            .par_iter()
            .map(|path| {
                let result = check_file(path, arguments, &options);
                done.fetch_add(1, Ordering::Relaxed);
                progress.inc(1);
                result
            })
            .collect();
        for result in checked {
            let file = match result {
                Ok(file) => file,
                Err(message) => {
                    outcome = outcome.max(complain(message));
                    continue;
                }
            };
            if file.findings.iter().any(|f| f.severity == Severity::Error) {
                outcome = outcome.max(Outcome::ErrorsFound);
            }
            match arguments.format {
                Format::Json => print(&json::file(&file)),
                Format::Human => progress.suspend(|| print(&human::file(&file, &mut totals))),
                Format::Sarif => sarif.add(&file),
            }
        }
    }
    progress.finish_and_clear();
    match arguments.format {
        Format::Sarif => print(&sarif.finish()),
        Format::Human => eprintln!("{}", totals.line()),
        Format::Json => {}
    }
    outcome
}

/// A panic while checking one file must not hide the verdicts on the others.
fn check_file(path: &str, arguments: &Arguments, options: &Options) -> Result<Checked, String> {
    catch_unwind(AssertUnwindSafe(|| {
        let source = read(path, arguments.dialect)?;
        let options = with_includes(options, &source, path, &arguments.include_paths);
        let findings = check_text(source.dialect, &source.text, &options);
        Ok(Checked { path: path.to_owned(), source, findings })
    }))
    .unwrap_or_else(|_| Err(format!("{path}: internal error while checking; please report it with the file")))
}

/// The options with the files that assembly includes.
pub(super) fn with_includes(options: &Options, source: &Source, path: &str, folders: &[PathBuf]) -> Options {
    let mut options = options.clone();
    if includes_files(source.dialect) {
        let main = Path::new(if path == "-" { "./-" } else { path });
        let main = std::path::absolute(main).unwrap_or_else(|_| main.to_owned());
        options.includes = Search::beside(&main, folders).load(source.dialect, &source.text, &main, |_| None);
    }
    options
}

pub(super) fn split_define(define: &str) -> (String, String) {
    let (name, value) = define.split_once('=').unwrap_or((define, "1"));
    (name.to_owned(), value.to_owned())
}

/// The files named, and those in the folders named that look like one of the dialects, in order.
fn gather(paths: &[String], dialect: Option<Dialect>, outcome: &mut Outcome) -> Vec<String> {
    let mut files = Vec::new();
    for path in paths {
        if path == "-" || !Path::new(path).is_dir() {
            files.push(path.clone());
            continue;
        }
        let mut walk = ignore::WalkBuilder::new(path);
        walk.standard_filters(false).hidden(true).sort_by_file_path(Ord::cmp);
        for entry in walk.build() {
            match entry {
                Ok(entry) if entry.file_type().is_some_and(|t| t.is_file()) => {
                    let name = entry.file_name().to_string_lossy();
                    if Dialect::from_file_name(&name).is_some_and(|d| wanted(d, dialect, entry.path())) {
                        files.push(entry.path().to_string_lossy().into_owned());
                    }
                }
                Ok(_) => {}
                Err(error) => *outcome = (*outcome).max(complain(error)),
            }
        }
    }
    files
}

/// `.s` files belong to many assemblers: in a folder only those that look like AMDGPU's are taken.
fn wanted(found: Dialect, asked: Option<Dialect>, path: &Path) -> bool {
    if asked.is_some_and(|asked| asked != found) {
        return false;
    }
    found != Dialect::Amdgpu
        || asked.is_some()
        || std::fs::read(path)
            .is_ok_and(|b| Dialect::from_content(&crate::source::decode(b)) == Some(Dialect::Amdgpu))
}

fn progress_bar(files: usize) -> ProgressBar {
    // indicatif draws on a terminal only.
    let bar = if files > 1 { ProgressBar::new(files as u64) } else { ProgressBar::hidden() };
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} files  {eta} left") {
        bar.set_style(style);
    }
    bar
}

/// Ctrl-C stops at once and says what was done.
fn stop_on_interrupt(files: usize) -> Arc<AtomicUsize> {
    let done = Arc::new(AtomicUsize::new(0));
    let count = done.clone();
    // Without a handler the default one stops the program too.
    let _ = ctrlc::set_handler(move || {
        eprintln!("wavelens: interrupted after {} of {files} files", count.load(Ordering::Relaxed));
        std::process::exit(130);
    });
    done
}
