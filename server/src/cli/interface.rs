//! `wavelens interface`: whether the shaders of a pipeline fit together.

use std::path::{Path, PathBuf};

use wavelens_base::{Finding, Options, Severity};
use wavelens_check::check_text;
use wavelens_check::stages::{DIALECT, Module, check};

use super::levels::LevelArguments;
use super::output::{complain, count, is_colored, is_quiet, note, print, print_error};
use super::{Format, Outcome, human, json};
use crate::checked::Checked;
use crate::shown;
use crate::source::{Source, read};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Output format; json prints one object for each file.
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
    /// SPIR-V environment, whatever the files say.
    #[arg(long, value_name = "ENV")]
    target_env: Option<String>,
    /// Name of an entry point of the pipeline; once for each. Default: all.
    #[arg(long = "entry", value_name = "NAME")]
    entries: Vec<String>,
    #[command(flatten)]
    levels: LevelArguments,
    /// SPIR-V assembly or binaries, one for each stage or with several stages.
    #[arg(required = true, value_name = "FILE")]
    paths: Vec<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let levels = match arguments.levels.levels() {
        Ok(levels) => levels,
        Err(message) => return complain(message),
    };
    let mut options = Options {
        target_env: arguments.target_env.clone(),
        disabled: levels.allowed.clone(),
        ..Options::default()
    };
    if let Err(message) = super::known_values(&mut options) {
        return complain(message);
    }
    let mut files: Vec<(&Path, Source)> = Vec::new();
    for path in &arguments.paths {
        match read(path, Some(DIALECT)) {
            Ok(source) => files.push((path, source)),
            Err(message) => return complain(message),
        }
    }
    let (mut modules, mut owners) = (Vec::new(), Vec::new());
    for (index, (path, source)) in files.iter().enumerate() {
        let options = match super::target::with_project(&options, path) {
            Ok(options) => options,
            Err(message) => return complain(message),
        };
        let errors = check_text(DIALECT, &source.text, &options);
        let errors = errors.iter().filter(|f| f.severity == Severity::Error).count();
        if errors > 0 {
            let errors = count(errors, "error");
            note(format!("{}: {errors}; `wavelens check` reports them", shown::path(path)));
        }
        let own = Module::read(path.to_path_buf(), &source.text, &options);
        owners.extend(own.iter().map(|_| index));
        modules.extend(own);
    }
    let found = match check(&modules, &arguments.entries, &options) {
        Ok(found) => found,
        Err(message) => return complain(message),
    };
    let mut findings: Vec<Vec<Finding>> = files.iter().map(|_| Vec::new()).collect();
    for (owner, mut own) in owners.into_iter().zip(found) {
        own.iter_mut().for_each(|finding| levels.apply(finding));
        findings[owner].extend(own);
    }
    let all = findings.iter().flatten();
    let of = |severity| all.clone().filter(|finding| finding.severity == severity).count();
    let (errors, warnings) = (of(Severity::Error), of(Severity::Warning));
    for ((path, source), findings) in files.into_iter().zip(findings) {
        let checked = Checked::new(path, source, findings, &options);
        match arguments.format {
            Format::Json => json::print_file(&checked),
            Format::Human => print(&human::file(&checked, is_colored(&std::io::stdout()))),
        }
    }
    if arguments.format == Format::Human && !is_quiet() {
        let modules = count(modules.len(), "module");
        let found = match errors + warnings {
            0 => "no findings".to_owned(),
            _ => format!("{}, {}", count(errors, "error"), count(warnings, "warning")),
        };
        print_error(&format!("{modules} compared: {found}\n"));
    }
    match errors > 0 || arguments.levels.error_on_warning && warnings > 0 {
        true => Outcome::ErrorsFound,
        false => Outcome::Clean,
    }
}
