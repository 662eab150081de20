//! Options, passes and features of LLVM's programs, as RUN lines name them.

use std::collections::BTreeSet;
use std::process::{Command, Stdio};

use super::{Made, places};
use crate::Outcome;
use crate::repository::{Scratch, output, root};

/// Programs with options of their own.
const PROGRAMS: [&str; 5] = ["llc", "opt", "llvm-mc", "llvm-as", "FileCheck"];

/// Options that only builds with assertions have.
const ASSERTIONS: [&str; 2] = ["debug", "debug-only"];

type Names = BTreeSet<String>;

pub(crate) fn make() -> Outcome<Vec<Made>> {
    let registered = registered()?;
    let of_kind = |kind: &str| -> Names {
        let names = registered.lines().filter_map(|line| line.strip_prefix(kind)?.strip_prefix(' '));
        names.map(str::to_owned).collect()
    };
    let mut library = of_kind("option");
    library.extend(ASSERTIONS.map(str::to_owned));
    let mut own_of_opt = Vec::new();
    let mut sections = vec![("options".to_owned(), library.clone())];
    for program in PROGRAMS {
        let help = output(Command::new(format!("{program}-22")).arg("--help-hidden"))?;
        let own = option_names(&String::from_utf8_lossy(&help));
        if program == "opt" {
            own_of_opt = own.difference(&library).cloned().collect();
        }
        sections.push((format!("options {program}"), own.difference(&library).cloned().collect()));
    }
    sections.push(("passes llc".to_owned(), of_kind("pass")));
    let passes = output(Command::new("opt-22").arg("--print-passes"))?;
    sections.push(("passes opt".to_owned(), indented_names(&String::from_utf8_lossy(&passes))));
    let mut features = Command::new("llc-22");
    let features = features.args(["-march=amdgcn", "-mattr=help"]).stdin(Stdio::null()).output();
    let features = features.map_err(|why| format!("llc-22 cannot be started: {why}"))?;
    let features = String::from_utf8_lossy(&features.stderr).into_owned();
    let features = features.split_once("Available features").map_or("", |(_, list)| list);
    sections.push(("features amdgcn".to_owned(), indented_names(features)));
    let mut text = String::from(
        "# Written by `cargo xtask tables lit` from LLVM 22 (Apache-2.0 WITH LLVM-exception).\n",
    );
    for (name, names) in sections {
        text.push_str(&format!("[{name}]\n"));
        names.iter().for_each(|name| text.push_str(&format!("{name}\n")));
    }
    // The libraries' options are those of `llc`; the help shows not all.
    let hidden = [("llc", library.into_iter().collect()), ("opt", own_of_opt)];
    let options = super::options::table(&hidden)?;
    Ok(vec![Made::new(places::LIT, "names.txt", text), Made::new(places::RUN, "options.txt", options)])
}

/// What LLVM's libraries register, as a small program prints it.
fn registered() -> Outcome<String> {
    let scratch = Scratch::new("lit-names")?;
    let program = scratch.path().join("names");
    let config = |option: &str| {
        let flags = output(Command::new("llvm-config-22").args(option.split(' ')))?;
        let flags = String::from_utf8_lossy(&flags).into_owned();
        Ok::<_, String>(flags.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    };
    let mut compile = Command::new("clang++-22");
    compile.args(config("--cxxflags")?).args(["-O0", "-std=c++17", "-w"]);
    compile.arg(root().join(places::GENERATORS).join("lit/names.cpp")).arg("-o").arg(&program);
    output(compile.args(config("--ldflags --libs")?))?;
    Ok(String::from_utf8_lossy(&output(&mut Command::new(program))?).into_owned())
}

/// The names in the text of `--help-hidden`.
fn option_names(help: &str) -> Names {
    let name = |line: &str| {
        let line = line.trim_start();
        let name = line.trim_start_matches('-');
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let name = name.split(|c| !is_part(c)).next().filter(|name| !name.is_empty());
        name.filter(|_| line.starts_with('-')).map(str::to_owned)
    };
    help.lines().filter_map(name).collect()
}

/// The first words of the lines that are indented by two spaces, without parameters.
fn indented_names(text: &str) -> Names {
    let name = |line: &str| {
        let name = line.strip_prefix("  ")?.split([' ', '<']).next()?;
        (!name.is_empty()).then(|| name.to_owned())
    };
    text.lines().filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_end_before_values_and_parameters() {
        let list = |names: Names| names.into_iter().collect::<Vec<_>>().join(" ");
        assert_eq!(
            list(option_names("OPTIONS:\n  --mcpu=<cpu>  - CPU\n  -o <file> - x\n    =elf - ELF\n")),
            "mcpu o"
        );
        assert_eq!(list(indented_names("Module passes:\n  print<x>\n  dce  - D\n\nother\n")), "dce print");
    }
}
