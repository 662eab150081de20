//! `wavelens target`: what a file is checked and compiled for, and where each value comes from.

use std::path::{Path, PathBuf};

use wavelens_base::{Dialect, Options};

use super::compiled_file::has_run_line;
use super::output::say;
use super::{Format, Outcome, complain, note_unknown, print, shown};
use crate::project;
use crate::source::{Source, read};
use crate::target::target;

/// The language and the target of files, instead of what they say themselves.
#[derive(Debug, clap::Args)]
pub(super) struct TargetArguments {
    /// llvm, mir, spirv or amdgpu; without it, the file name decides, then the content.
    #[arg(long)]
    pub(super) dialect: Option<Dialect>,
    /// AMDGPU processor, whatever the file says.
    #[arg(long, value_name = "gfxNNN")]
    mcpu: Option<String>,
    /// SPIR-V environment, whatever the file says.
    #[arg(long, value_name = "ENV")]
    target_env: Option<String>,
    /// Features of the Vulkan device, such as scalar-block-layout or maintenance4; separated by commas.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    device_feature: Vec<String>,
}

impl TargetArguments {
    /// Options with this target.
    pub(super) fn options(&self) -> Options {
        Options {
            target: self.mcpu.clone(),
            target_env: self.target_env.clone(),
            device_features: self.device_feature.clone(),
            ..Options::default()
        }
    }
}

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Output format.
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
    #[command(flatten)]
    target: TargetArguments,
    /// The RUN line to use, by its number.
    #[arg(long, value_name = "N")]
    run_line: Option<u32>,
    /// Files; `-` is standard input.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
}

/// The options with what the file's project says, and what a compiler noted next to it. Mistakes in the project file are reported once.
pub(super) fn with_project(options: &Options, path: &Path) -> Options {
    let mut options = options.clone();
    if path == Path::new("-") {
        return options;
    }
    let found = project::find(path);
    for complaint in found.iter().flat_map(|found| found.complaints()) {
        report_once(&complaint);
    }
    if let Some(project) = found.and_then(|found| found.project) {
        options = project.apply(&absolute(path), &options);
    }
    if let Some(noted) = project::noted_processor(path) {
        options.fallback.target = Some(noted);
    }
    options
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// Many files have one project file.
fn report_once(complaint: &str) {
    use std::sync::{LazyLock, Mutex, PoisonError};
    static REPORTED: LazyLock<Mutex<std::collections::HashSet<String>>> = LazyLock::new(Mutex::default);
    if REPORTED.lock().unwrap_or_else(PoisonError::into_inner).insert(complaint.to_owned()) {
        say(complaint);
    }
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let options = Options { run: arguments.run_line, ..arguments.target.options() };
    note_unknown(&options);
    let mut outcome = Outcome::Clean;
    for path in &arguments.paths {
        let source = match read(path, arguments.target.dialect) {
            Ok(source) => source,
            Err(message) => {
                outcome = outcome.max(complain(message));
                continue;
            }
        };
        if let Some(number) = arguments.run_line
            && let Err(message) = has_run_line(&source, number)
        {
            outcome = outcome.max(complain(message));
            continue;
        }
        let Source { dialect, text, .. } = source;
        let target = target(dialect, &text, &with_project(&options, path));
        let path = shown::path(path);
        print(&match arguments.format {
            Format::Json => serde_json::json!({ "path": path, "target": target }).to_string() + "\n",
            Format::Human if arguments.paths.len() > 1 => format!("{path}\n{}\n", target.human()),
            Format::Human => target.human(),
        });
    }
    outcome
}
