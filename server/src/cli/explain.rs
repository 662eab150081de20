//! `wavelens explain`.

use std::fmt::Write as _;
use std::path::PathBuf;

use wavelens_base::Dialect;
use wavelens_check::dialect;

use super::rules::{Entry, entries, severity, sorted};
use super::{Outcome, complain, levels, page, print};
use crate::rule_page::url;
use crate::shown;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Write the page of every code into this folder, as Markdown.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// The code of a finding, such as undefined-value; without it, all codes are listed.
    #[arg(conflicts_with = "out")]
    code: Option<String>,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    if let Some(folder) = &arguments.out {
        return match page::write_all(folder) {
            Ok(()) => Outcome::Clean,
            Err(error) => complain(format!("{}: {error}", shown::path(folder))),
        };
    }
    let Some(code) = &arguments.code else {
        print(&list());
        return Outcome::Clean;
    };
    let entries = entries(code);
    if entries.is_empty() {
        return complain(format!("unknown code `{code}`; {}", levels::advice(code)));
    }
    print(&entries.iter().map(human).collect::<Vec<_>>().join("\n"));
    Outcome::Clean
}

/// The rule with its examples, for a terminal.
fn human(entry: &Entry) -> String {
    let rule = entry.rule;
    let mut out =
        format!("{} ({}; {}): {}\n", rule.code, severity(rule.severity), entry.languages(), rule.title);
    let _ = write!(out, "\n{}\n", rule.explain.trim());
    if !rule.example.is_empty() {
        let _ = write!(out, "\nExample:\n\n{}\n", indented(rule.example));
        let _ = writeln!(out, "{}", indented(entry.printed(&std::io::stdout()).trim_end()));
        let _ = write!(out, "Corrected:\n\n{}", indented(rule.fixed));
    }
    if !rule.source.is_empty() {
        let _ = write!(out, "\nSource: {}\n", rule.source);
    }
    let _ = writeln!(out, "Page: {}", url(rule));
    out
}

fn indented(text: &str) -> String {
    let lines =
        text.lines().map(|line| if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") });
    lines.collect()
}

/// Each dialect's codes with severity and title.
fn list() -> String {
    let mut out = String::new();
    let own = Dialect::ALL.into_iter().map(|d| (d.name(), dialect::rules(d).to_vec()));
    for (name, rules) in own.chain([("tests", dialect::test_rules().collect())]) {
        let rules = sorted(rules);
        let width = rules.iter().map(|r| r.code.len()).max().unwrap_or(0);
        let _ = writeln!(out, "{name}:");
        for rule in rules {
            let _ = writeln!(out, "  {:<width$}  {:<7}  {}", rule.code, severity(rule.severity), rule.title);
        }
        out.push('\n');
    }
    out.push_str("`wavelens explain CODE` explains one.\n");
    out
}
