//! `wavelens target`: what a file is checked and compiled for, and where each value comes from.

use std::path::{Path, PathBuf};

use serde::Serialize;
use wavelens_ide::codegen::configuration;
use wavelens_ide::codegen::parts;
use wavelens_semantics::configuration::several::checked_runs;
use wavelens_semantics::configuration::{Configuration, Stated};
use wavelens_semantics::{Dialect, Options};

use super::output::say;
use super::{Format, Outcome, complain, note_unknown, print, shown};
use crate::project;
use crate::source::{Source, read};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Output format.
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
    /// llvm, mir, spirv or amdgpu; without it, the file name decides, then the content.
    #[arg(long)]
    dialect: Option<Dialect>,
    /// AMDGPU processor, whatever the file says.
    #[arg(long, value_name = "gfxNNN")]
    mcpu: Option<String>,
    /// SPIR-V environment, whatever the file says.
    #[arg(long, value_name = "ENV")]
    target_env: Option<String>,
    /// The RUN line to use, by its number.
    #[arg(long, value_name = "N")]
    run_line: Option<u32>,
    /// Files; `-` is standard input.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
}

/// One value.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) value: String,
    /// Empty where nothing else could be.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) origin: String,
}

/// The configuration of a file, for people and for programs.
#[derive(Debug, Serialize)]
pub(crate) struct Target {
    pub(crate) rows: Vec<Row>,
    /// Targets of functions that name their own: processor and functions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) functions: Vec<(String, Vec<String>)>,
    /// The targets of all RUN lines that the file is checked under: number and name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) run_lines: Vec<(u32, String)>,
}

/// The configuration of a text.
pub(crate) fn target(dialect: Dialect, text: &str, options: &Options) -> Target {
    let row = |(name, value, origin)| Row { name, value, origin };
    let rows = configuration(dialect, text, options).rows().into_iter().map(row).collect();
    let functions = match dialect {
        Dialect::Llvm => {
            parts(text, options).into_iter().map(|part| (part.processor, part.functions)).collect()
        }
        Dialect::Mir | Dialect::Spirv | Dialect::Amdgpu => Vec::new(),
    };
    let stated = Stated::of(dialect, text);
    let name = |number: u32| {
        let options = Options { run: Some(number), ..options.clone() };
        Configuration::decide(dialect, &stated, &options).name().to_string()
    };
    let runs = checked_runs(dialect, text, options);
    let run_lines = runs.iter().map(|run| (run.number, name(run.number))).collect();
    Target { rows, functions, run_lines }
}

impl Target {
    pub(crate) fn human(&self) -> String {
        let width = |length: fn(&Row) -> usize| self.rows.iter().map(length).max().unwrap_or(0);
        // A command is long and comes last.
        let value = |row: &Row| if row.name == "command" { 0 } else { row.value.len() };
        let (name, value) = (width(|row| row.name.len()), width(value));
        let mut out = String::new();
        for row in &self.rows {
            let line = format!("{:<name$}  {:<value$}  {}", row.name, row.value, row.origin);
            out.push_str(line.trim_end());
            out.push('\n');
        }
        for (processor, functions) in &self.functions {
            out.push_str(&format!("{:<name$}  {processor} for {}\n", "functions", functions.join(", ")));
        }
        for (number, target) in &self.run_lines {
            out.push_str(&format!("{:<name$}  {target} (RUN line {number})\n", "also checked"));
        }
        out
    }
}

/// The options with what the file's project says. Mistakes in the project file are reported once.
pub(super) fn with_project(options: &Options, path: &Path) -> Options {
    if path == Path::new("-") {
        return options.clone();
    }
    let Some(found) = project::find(path) else { return options.clone() };
    for complaint in found.complaints() {
        report_once(&complaint);
    }
    found.project.map_or_else(|| options.clone(), |project| project.apply(&absolute(path), options))
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
    let options = Options {
        target: arguments.mcpu.clone(),
        target_env: arguments.target_env.clone(),
        run: arguments.run_line,
        ..Options::default()
    };
    note_unknown(&options);
    let mut outcome = Outcome::Clean;
    for path in &arguments.paths {
        let Source { dialect, text, .. } = match read(path, arguments.dialect) {
            Ok(source) => source,
            Err(message) => {
                outcome = outcome.max(complain(message));
                continue;
            }
        };
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

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn the_target_is_shown_with_its_origins() {
        let text = "// RUN: llvm-mc -triple=amdgcn--amdpal -mcpu=gfx1030 %s\n// RUN: llvm-mc -triple=amdgcn -mcpu=gfx900 %s\n";
        expect![[r#"
            dialect       amdgpu
            triple        amdgcn--amdpal  RUN line 1
            processor     gfx1030         RUN line 1
            wave size     32              default
            LLVM version  22              default
            command       llvm-mc -triple=amdgcn--amdpal -mcpu=gfx1030 %s  RUN line 1
            also checked  gfx1030 (RUN line 1)
            also checked  gfx900 (RUN line 2)
        "#]]
        .assert_eq(&target(Dialect::Amdgpu, text, &Options::default()).human());
    }

    #[test]
    fn functions_with_a_processor_of_their_own_are_listed() {
        let text = "define void @f() \"target-cpu\"=\"gfx942\" {\n  ret void\n}\n";
        expect![[r#"
            dialect       llvm
            LLVM version  22    default
            functions     gfx942 for f
        "#]]
        .assert_eq(&target(Dialect::Llvm, text, &Options::default()).human());
    }
}
