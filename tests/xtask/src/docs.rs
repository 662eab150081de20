//! `cargo xtask docs`: writes what the book takes from elsewhere: the page of each code, the table of contents, the features of
//! editors, and the output shown below `$ wavelens ...`.

use std::path::{Path, PathBuf};
use std::process::Command;

use wavelens_test_support::features::{self, Features};

use crate::repository::{Profile, failed_at, names, output, program, read_text, root, write};
use crate::{Failure, Outcome};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Ask this program instead of building one
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
}

/// The line of the table of contents below which every code has a line.
const CODES: &str = "- [Codes](codes/README.md)\n";

/// What starts a block with the output of the program.
const SHOWN: &str = "```text\n$ wavelens ";

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let program = program(arguments.program.as_deref(), Profile::Debug)?;
    let docs = root().join("docs");
    let codes = docs.join("codes");
    if codes.is_dir() {
        std::fs::remove_dir_all(&codes).map_err(failed_at(&codes))?;
    }
    output(Command::new(&program).args(["explain", "--out"]).arg(&codes))?;
    let commands = output(Command::new(&program).args(["man", "--markdown"]))?;
    write(&docs.join("commands.md"), commands)?;
    let editors = docs.join("editors.md");
    let features = Features::read(&read_text(&root().join(features::FILE))?)?;
    write(&editors, with_table(&read_text(&editors)?, &features)?)?;
    let summary = docs.join("SUMMARY.md");
    write(&summary, contents(&read_text(&summary)?, &pages(&codes)?)?)?;
    for page in pages(&docs)?.iter().map(|name| docs.join(name)).chain([root().join("README.md")]) {
        let text = read_text(&page)?;
        let renewed = renew(&text, &program)?;
        if renewed != text {
            write(&page, renewed)?;
        }
    }
    Ok(())
}

/// The Markdown files of a folder, sorted.
fn pages(folder: &Path) -> Outcome<Vec<String>> {
    let mut names = names(folder)?;
    names.retain(|name| name.ends_with(".md"));
    Ok(names)
}

/// The table of contents with a line for each code.
fn contents(summary: &str, pages: &[String]) -> Outcome<String> {
    let (head, tail) = summary.split_once(CODES).ok_or_else(|| format!("SUMMARY.md has no line {CODES}"))?;
    let rest: String = tail.split_inclusive('\n').skip_while(|line| line.starts_with("  - [")).collect();
    let own = pages.iter().filter_map(|page| page.strip_suffix(".md")).filter(|code| *code != "README");
    let lines: String = own.map(|code| format!("  - [{code}](codes/{code}.md)\n")).collect();
    Ok(format!("{head}{CODES}{lines}{rest}"))
}

/// The page about editors with the table of their features, between its heading's introduction and the next paragraph.
fn with_table(page: &str, features: &Features) -> Outcome<String> {
    let (head, rest) = page.split_once("| feature |").ok_or("editors.md has no table of features")?;
    let end = rest.find("\nOn macOS").ok_or("editors.md says nothing about macOS below the table")?;
    Ok(format!("{head}{}{}", features.table(), rest.get(end..).unwrap_or_default()))
}

/// A page whose blocks show what the program prints now. A block with a line `[...]` is an extract, which a test checks.
fn renew(text: &str, program: &Path) -> Outcome<String> {
    let mut parts = text.split(SHOWN);
    let mut renewed = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (block, rest) = part.split_once("\n```").ok_or_else(|| Failure::from("a block does not end"))?;
        let (command, shown) = block.split_once('\n').unwrap_or((block, ""));
        renewed += SHOWN;
        renewed += command;
        renewed += "\n";
        if shown.lines().any(|line| line == "[...]") {
            renewed += shown;
        } else {
            let mut run = Command::new(program);
            // Findings are an exit status other than 0.
            let printed =
                run.current_dir(root()).args(command.split(' ')).output().map_err(|e| e.to_string())?;
            renewed += String::from_utf8_lossy(&printed.stdout).trim_end();
        }
        renewed += "\n```";
        renewed += rest;
    }
    Ok(renewed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_listed_below_their_heading() {
        let old = "# Summary\n\n- [Codes](codes/README.md)\n  - [old](codes/old.md)\n- [Last](last.md)\n";
        let pages = ["README.md", "a.md", "b-c.md"].map(str::to_owned);
        let new = contents(old, &pages).expect("the summary lists codes");
        assert_eq!(
            new,
            "# Summary\n\n- [Codes](codes/README.md)\n  - [a](codes/a.md)\n  - [b-c](codes/b-c.md)\n- [Last](last.md)\n"
        );
        assert!(contents("# Summary\n", &pages).is_err());
    }

    #[test]
    fn blocks_are_renewed_unless_they_are_extracts() {
        let text = "a\n```text\n$ wavelens 1 2\nold\n```\nb\n```text\n$ wavelens x\nkept\n[...]\n```\nc\n";
        let renewed = renew(text, Path::new("echo")).expect("echo runs");
        assert_eq!(
            renewed,
            "a\n```text\n$ wavelens 1 2\n1 2\n```\nb\n```text\n$ wavelens x\nkept\n[...]\n```\nc\n"
        );
    }
}
