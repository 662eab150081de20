//! The page of a code, as Markdown.

use std::fmt::Write as _;
use std::path::Path;

use wavelens_base::{Dialect, Severity};
use wavelens_check::dialect::{self, codes};

use super::rules::{Entry, entries, language, severity, sorted};

/// Writes the page of every code, and README.md with the list of them.
pub(super) fn write_all(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join("README.md"), list())?;
    for code in codes() {
        std::fs::write(folder.join(format!("{code}.md")), page(code, &entries(code)))?;
    }
    Ok(())
}

/// A code and what each language says about it.
fn page(code: &str, entries: &[Entry]) -> String {
    let mut out = format!("# {code}\n");
    for entry in entries {
        let heading = match entries {
            [_] => "##",
            _ => {
                let _ = write!(out, "\n## {}\n", entry.languages());
                "###"
            }
        };
        section(&mut out, entry, heading);
    }
    level(&mut out, code, entries);
    out
}

fn section(out: &mut String, entry: &Entry, heading: &str) {
    let rule = entry.rule;
    let _ =
        write!(out, "\n**{}** ({}, {})\n", sentence(rule.title), severity(rule.severity), entry.languages());
    let _ = write!(out, "\n{}\n", rule.explain.trim());
    if !rule.example.is_empty() {
        let tag = tag(entry.dialect());
        let _ = write!(out, "\n{heading} Example\n\n{}", fenced(tag, rule.example));
        let _ = write!(out, "\n{}", fenced("text", &entry.printed(false)));
        let _ = write!(out, "\n{heading} Corrected\n\n{}", fenced(tag, rule.fixed));
    }
    if !rule.source.is_empty() {
        let _ = write!(out, "\n{heading} Source\n\n{}\n", rule.source);
    }
}

/// How the level is changed.
fn level(out: &mut String, code: &str, entries: &[Entry]) {
    let is_error = entries.iter().any(|e| e.rule.severity == Severity::Error);
    let other = if is_error { "warning" } else { "error" };
    out.push_str("\n## Change the level\n\n");
    let _ = write!(
        out,
        "- in the file: a comment `wavelens: allow({code})` on the line, or alone on the line before\n\
        - command line: `wavelens check --allow {code}`, or `--severity {code}={other}`\n\
        - `wavelens.toml`: `allow = [\"{code}\"]`, or `severity.{code} = \"{other}\"`\n\
        - editors: `\"wavelens.allow\": [\"{code}\"]`\n"
    );
    out.push_str("\nSee [configuration](../configuration.md) and [command line](../command-line.md).\n");
}

/// All codes by language, each with a link to its page.
fn list() -> String {
    let mut out = String::from(
        "# Codes\n\nEvery finding has a code. `wavelens explain CODE` prints its page without a network.\n",
    );
    let own = Dialect::ALL.into_iter().map(|d| (language(d), dialect::rules(d).to_vec()));
    for (name, rules) in own.chain([("Tests and comments", dialect::test_rules().collect())]) {
        let _ = write!(out, "\n## {name}\n\n| code | level | requires |\n|---|---|---|\n");
        for rule in sorted(rules) {
            let title = rule.title.replace('|', "\\|");
            let _ = writeln!(out, "| [{0}]({0}.md) | {1} | {title} |", rule.code, severity(rule.severity));
        }
    }
    out
}

fn sentence(title: &str) -> String {
    let mut characters = title.chars();
    // Names such as `wave32` or OpLoad keep their case.
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => String::new(),
    }
}

/// The language of a fenced block, as highlighters name it.
fn tag(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Llvm => "llvm",
        Dialect::Mir => "mir",
        Dialect::Spirv => "spirv",
        Dialect::Amdgpu => "asm",
    }
}

/// A fence that is longer than any in the text.
fn fenced(tag: &str, text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{tag}\n{}\n{fence}\n", text.trim_end())
}
