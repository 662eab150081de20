//! `wavelens doctor`: what was found of other programs, what lacks without the others, and where our own files are.

use std::path::{Path, PathBuf};

use serde::Serialize;
use wavelens_codegen::Cancel;
use wavelens_codegen::cache::default_folder;
use wavelens_codegen::radv::driver::find_driver;
use wavelens_codegen::tools::look_up;

use super::output::{bold, is_colored, wrapped_after};
use super::target::project_of;
use super::{Format, Outcome, print, shown};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Output format.
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
    /// Folder with LLVM's tools, searched first.
    #[arg(long, value_name = "FOLDER")]
    llvm_path: Option<PathBuf>,
}

/// A program that commands use, what for, and how to install it on Debian and Ubuntu.
struct Known {
    name: &'static str,
    purpose: &'static str,
    package: &'static str,
}

const fn known(name: &'static str, purpose: &'static str, package: &'static str) -> Known {
    Known { name, purpose, package }
}

const PROGRAMS: &[Known] = &[
    known("llc", "isa, compare, advise, passes, trace, remarks, reduce --while crash, lit, report", "llvm"),
    known("opt", "passes before llc (--passes), trace, lit", "llvm"),
    known("llvm-mc", "lit, report, a second opinion on encodings", "llvm"),
    known("llvm-mca", "cycles in isa, isa --cycles", "llvm"),
    known("llvm-as", "report, lit", "llvm"),
    known("llvm-dis", "bitcode files (.bc)", "llvm"),
    known("FileCheck", "lit", "llvm-22-tools"),
    known("spirv-as", "report, lit", "spirv-tools"),
    known("spirv-val", "report, lit", "spirv-tools"),
    known("spirv-dis", "lit", "spirv-tools"),
    known("llvm-spirv", "isa of OpenCL SPIR-V", "llvm-spirv-15"),
    known("python3", "lit --update-checks", "python3"),
];

#[derive(Serialize)]
struct Report {
    version: &'static str,
    tools: Vec<Tool>,
    paths: Vec<OwnPath>,
}

#[derive(Serialize)]
struct Tool {
    name: &'static str,
    /// Absent if it was not found.
    path: Option<PathBuf>,
    version: Option<String>,
    used_by: &'static str,
    /// The command that installs it on Debian and Ubuntu.
    install: String,
}

#[derive(Serialize)]
struct OwnPath {
    name: &'static str,
    /// Absent if there is none.
    path: Option<PathBuf>,
    purpose: &'static str,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let found = |known: &Known| {
        let found = look_up(known.name, arguments.llvm_path.as_deref(), &Cancel::default());
        let (path, version) = found.map_or((None, None), |(path, version)| (Some(path), version));
        let install = format!("apt-get install {}", known.package);
        Tool { name: known.name, path, version, used_by: known.purpose, install }
    };
    let mut tools: Vec<Tool> = PROGRAMS.iter().map(found).collect();
    tools.push(Tool {
        name: "radv",
        path: find_driver(None),
        version: None,
        used_by: "isa and compare of Vulkan SPIR-V",
        install: "apt-get install mesa-vulkan-drivers".to_owned(),
    });
    let caches = default_folder().and_then(|folder| Some(folder.parent()?.to_owned()));
    let below = |name: &str| caches.as_ref().map(|folder| folder.join(name));
    let own = |name, path, purpose| OwnPath { name, path, purpose };
    let project = project_of(Path::new("file")).map(|found| found.path.clone());
    let paths = vec![
        own("project file", project, "of the current folder; nothing is read from elsewhere"),
        own("cache", below("codegen"), "what editors compiled; may be deleted"),
        own("versions", below("tools"), "what programs answered to --version; may be deleted"),
        own("index", below("index"), "names in the workspaces of editors; may be deleted"),
    ];
    let report = Report { version: super::version::SHORT, tools, paths };
    print(&match arguments.format {
        Format::Json => shown::json(&report) + "\n",
        Format::Human => human(&report, is_colored(&std::io::stdout())),
    });
    Outcome::Clean
}

/// Columns of names.
const NAME: usize = 12;

fn human(report: &Report, is_colored: bool) -> String {
    let mut out = format!("wavelens {}: checking is built in, for all four languages\n\n", report.version);
    for tool in &report.tools {
        let name = bold(&format!("{:<NAME$}", tool.name), is_colored);
        out += &match &tool.path {
            Some(path) => {
                let version = tool.version.as_ref().map(|version| format!("{version}, ")).unwrap_or_default();
                format!("{name} {version}{}\n", shown::path(path))
            }
            None => {
                let lacks = format!("not found, for {}; `{}`", tool.used_by, tool.install);
                format!("{name} {}", wrapped_after(NAME + 1, &lacks))
            }
        };
    }
    out.push('\n');
    for own in &report.paths {
        let name = bold(&format!("{:<NAME$}", own.name), is_colored);
        let path = own.path.as_ref().map_or_else(|| "none".to_owned(), |path| shown::path(path));
        out += &format!("{name} {path}\n{:NAME$} {}\n", "", own.purpose);
    }
    out
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn what_lacks_is_told_with_what_needs_it() {
        let tool = |name, path: Option<&str>, version: Option<&str>| Tool {
            name,
            path: path.map(PathBuf::from),
            version: version.map(str::to_owned),
            used_by: "isa, compare, advise, passes, trace, remarks, lit",
            install: "apt-get install llvm".to_owned(),
        };
        let report = Report {
            version: "1.0",
            tools: vec![tool("llc", Some("/bin/llc"), Some("LLVM 22.1")), tool("opt", None, None)],
            paths: vec![OwnPath { name: "project file", path: None, purpose: "of the current folder" }],
        };
        expect![[r#"
            wavelens 1.0: checking is built in, for all four languages

            llc          LLVM 22.1, /bin/llc
            opt          not found, for isa, compare, advise, passes, trace, remarks, lit;
                         `apt-get install llvm`

            project file none
                         of the current folder
        "#]]
        .assert_eq(&human(&report, false));
    }
}
