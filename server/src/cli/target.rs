//! `wavelens target`: what a file is checked and compiled for, and where each value comes from.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

use wavelens_base::{Dialect, Options};

use super::compiled_file::has_run_line;
use super::output::count;
use super::{Format, Outcome, complain, known_values, print, shown};
use crate::project::{self, Found};
use crate::source::{Source, read};
use crate::target::target;

/// Heading of the options about what a file is checked for.
pub(super) const TARGET: &str = "Target";

/// The language and the target of files, instead of what they say themselves.
#[derive(Debug, clap::Args)]
pub(super) struct TargetArguments {
    /// llvm, mir, spirv or amdgpu; without it, the file name decides, then the content.
    #[arg(long, help_heading = TARGET)]
    pub(super) dialect: Option<Dialect>,
    /// AMDGPU processor, whatever the file says.
    #[arg(long, value_name = "gfxNNN", help_heading = TARGET)]
    mcpu: Option<String>,
    /// SPIR-V environment, whatever the file says.
    #[arg(long, value_name = "ENV", help_heading = TARGET)]
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

/// Which project file holds.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct ProjectArguments {
    /// Read this project file instead of the nearest wavelens.toml above each file.
    #[arg(long, value_name = "FILE", global = true, help_heading = "Configuration")]
    config: Option<PathBuf>,
    /// Read no project file.
    #[arg(long, global = true, conflicts_with = "config", help_heading = "Configuration")]
    no_config: bool,
}

/// The one project file of all files, or none; unset: the nearest above each.
static ONLY: OnceLock<Option<Arc<Found>>> = OnceLock::new();

impl ProjectArguments {
    /// Holds from here on for all files.
    ///
    /// # Errors
    /// The file that is named cannot be used.
    pub(super) fn set(&self) -> Result<(), String> {
        if self.no_config {
            let _ = ONLY.set(None);
        }
        if let Some(path) = &self.config {
            let path = absolute(path);
            let found = project::read(&path).map_err(|error| format!("{}: {error}", shown::path(&path)))?;
            if let Some(complaint) = complaint(&found) {
                return Err(complaint);
            }
            let _ = ONLY.set(Some(Arc::new(found)));
        }
        Ok(())
    }
}

/// The project file that holds for a file.
pub(super) fn project_of(path: &Path) -> Option<Arc<Found>> {
    static KNOWN: LazyLock<Mutex<HashMap<PathBuf, Option<Arc<Found>>>>> = LazyLock::new(Mutex::default);
    if let Some(only) = ONLY.get() {
        return only.clone();
    }
    if path == Path::new("-") {
        return None;
    }
    let path = absolute(path);
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.entry(folder).or_insert_with(|| project::find(&path).map(Arc::new)).clone()
}

/// What is wrong with a project file, as one line.
fn complaint(found: &Found) -> Option<String> {
    let mut complaints = found.complaints();
    let first = complaints.next()?;
    Some(match complaints.count() {
        0 => first,
        more => format!("{first} (and {} more)", count(more, "mistake")),
    })
}

/// The options with what the file's project says, and what a compiler noted next to it.
///
/// # Errors
/// The project file has a mistake: what would be checked is not what is meant.
pub(super) fn with_project(options: &Options, path: &Path) -> Result<Options, String> {
    let mut options = options.clone();
    if let Some(found) = project_of(path) {
        if let Some(complaint) = complaint(&found) {
            return Err(complaint);
        }
        if let Some(project) = &found.project {
            options = project.apply(&absolute(path), &options);
        }
    }
    if let Some(noted) = (path != Path::new("-")).then(|| project::noted_processor(path)).flatten() {
        options.fallback.target = Some(noted);
    }
    Ok(options)
}

pub(super) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let mut options = Options { run: arguments.run_line, ..arguments.target.options() };
    if let Err(message) = known_values(&mut options) {
        return complain(message);
    }
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
            outcome = outcome.max(complain(format!("{}: {message}", shown::path(path))));
            continue;
        }
        let options = match with_project(&options, path) {
            Ok(options) => options,
            Err(message) => {
                outcome = outcome.max(complain(message));
                continue;
            }
        };
        let Source { dialect, text, .. } = source;
        let target = target(dialect, &text, &options);
        let path = shown::path(path);
        print(&match arguments.format {
            Format::Json => serde_json::json!({ "path": path, "target": target }).to_string() + "\n",
            Format::Human if arguments.paths.len() > 1 => format!("{path}\n{}\n", target.human()),
            Format::Human => target.human(),
        });
    }
    outcome
}
