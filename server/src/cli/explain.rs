//! `wavelens explain`.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde::Serialize;
use wavelens_base::Dialect;
use wavelens_check::dialect::{self, codes};

use super::output::{bold, is_colored, wrapped};
use super::rules::{Entry, entries, severity, sorted};
use super::{Format, Outcome, complain, levels, page, print};
use crate::rule_page::url;
use crate::shown;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Output format; json prints one object for each code.
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
    /// Write the page of every code into this folder, as Markdown.
    #[arg(long, value_name = "FOLDER", conflicts_with = "format")]
    out: Option<PathBuf>,
    /// Codes of findings, such as undefined-value, or words to look for in all codes; without any, all codes are listed.
    #[arg(conflicts_with = "out", value_name = "CODE|WORD")]
    words: Vec<String>,
}

/// A code as an object.
#[derive(Serialize)]
struct Page<'a> {
    code: &'a str,
    severity: &'a str,
    dialects: Vec<&'static str>,
    title: &'a str,
    explanation: &'a str,
    example: &'a str,
    corrected: &'a str,
    source: &'a str,
    page: String,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    if let Some(folder) = &arguments.out {
        return match page::write_all(folder) {
            Ok(()) => Outcome::Clean,
            Err(error) => complain(format!("{}: {error}", shown::path(folder))),
        };
    }
    // As it is printed: `error[undefined-value]`.
    let bare =
        |word: &String| word.rsplit('[').next().unwrap_or("").trim_end_matches([']', ':']).to_lowercase();
    let words: Vec<String> = arguments.words.iter().map(bare).collect();
    let (known, unknown): (Vec<&String>, Vec<&String>) =
        words.iter().partition(|word| !entries(word).is_empty());
    let found: Vec<&str> = codes().into_iter().filter(|code| has_words(code, &words)).collect();
    if known.is_empty() || !unknown.is_empty() && !found.is_empty() {
        return match (&found[..], arguments.format) {
            ([], _) => {
                complain(format!("unknown code `{}`; {}", words.join(" "), levels::advice(&words.join("-"))))
            }
            ([code], _) => {
                print(&text(&entries(code), arguments.format));
                Outcome::Clean
            }
            (found, Format::Json) => {
                found.iter().for_each(|code| print(&text(&entries(code), Format::Json)));
                Outcome::Clean
            }
            (found, Format::Human) => {
                print(&list(found));
                Outcome::Clean
            }
        };
    }
    let texts: Vec<String> = known.iter().map(|code| text(&entries(code), arguments.format)).collect();
    print(&texts.join(if arguments.format == Format::Human { "\n" } else { "" }));
    let complaints =
        unknown.iter().map(|code| complain(format!("unknown code `{code}`; {}", levels::advice(code))));
    complaints.max().unwrap_or(Outcome::Clean)
}

/// Whether the words are in a code, or all in what it requires.
fn has_words(code: &str, words: &[String]) -> bool {
    entries(code).iter().any(|entry| {
        let title = entry.rule.title.to_lowercase();
        words.iter().all(|word| code.contains(word.as_str()) || title.contains(word.as_str()))
    })
}

fn text(entries: &[Entry], format: Format) -> String {
    match format {
        Format::Human => entries.iter().map(human).collect::<Vec<_>>().join("\n"),
        Format::Json => entries.iter().map(|entry| shown::json(&page_of(entry)) + "\n").collect(),
    }
}

fn page_of<'e>(entry: &'e Entry) -> Page<'e> {
    let rule = entry.rule;
    Page {
        code: rule.code,
        severity: severity(rule.severity),
        dialects: entry.dialects.iter().map(|dialect| dialect.name()).collect(),
        title: rule.title,
        explanation: rule.explain.trim(),
        example: rule.example,
        corrected: rule.fixed,
        source: rule.source,
        page: url(rule),
    }
}

/// The rule with its examples, for a terminal.
fn human(entry: &Entry) -> String {
    let rule = entry.rule;
    let colored = is_colored(&std::io::stdout());
    let heading = format!("({}; {}): {}", severity(rule.severity), entry.languages(), rule.title);
    let mut out =
        wrapped(&format!("{} {heading}", rule.code)).replacen(rule.code, &bold(rule.code, colored), 1);
    let _ = write!(out, "\n{}", wrapped(rule.explain.trim()));
    if !rule.example.is_empty() {
        let _ = write!(out, "\n{}\n\n{}\n", bold("Example:", colored), indented(rule.example));
        let _ = writeln!(out, "{}", indented(entry.printed(colored).trim_end()));
        let _ = write!(out, "{}\n\n{}", bold("Corrected:", colored), indented(rule.fixed));
    }
    if !rule.source.is_empty() {
        let _ = write!(out, "\n{}", wrapped(&format!("Source: {}", rule.source)));
    }
    let _ = writeln!(out, "Page: {}", url(rule));
    out
}

fn indented(text: &str) -> String {
    let lines =
        text.lines().map(|line| if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") });
    lines.collect()
}

/// Each dialect's codes with severity and title, those of a list alone.
fn list(shown: &[&str]) -> String {
    let mut out = String::new();
    let own = Dialect::ALL.into_iter().map(|d| (d.name(), dialect::rules(d).to_vec()));
    for (name, rules) in own.chain([("tests and comments", dialect::test_rules().collect())]) {
        let mut rules = sorted(rules);
        rules.retain(|rule| shown.contains(&rule.code));
        if rules.is_empty() {
            continue;
        }
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
