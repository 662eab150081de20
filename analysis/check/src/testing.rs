//! The findings about a text, for `expect!` tests next to the rules.

use std::fmt::Write as _;
use std::ops::Range;

use crate::check_text;
use wavelens_base::Finding;
use wavelens_base::{Dialect, Options, Severity, TextRange};

/// Every finding: severity, code, place, the text it is about, message; indented below it the other ends, and the lines that
/// its fix changes, as they are after it.
pub fn findings(dialect: Dialect, text: &str) -> String {
    findings_with(dialect, text, &Options::default())
}

/// The same with options.
pub fn findings_with(dialect: Dialect, text: &str, options: &Options) -> String {
    let mut out = String::new();
    for finding in check_text(dialect, text, options) {
        let severity = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "info",
            Severity::Hint => "hint",
        };
        let (place, code) = (place(text, finding.range), finding.rule.code);
        let _ = writeln!(out, "{severity}[{code}] {place}: {}", finding.message);
        for related in &finding.related {
            let _ = writeln!(out, "  {}: {}", self::place(text, related.range), related.message);
        }
        fix(text, &finding, &mut out);
    }
    out
}

/// `line:column` and the first line of the text there.
fn place(text: &str, range: TextRange) -> String {
    let before = text.get(..usize::from(range.start())).unwrap_or("");
    let line = before.matches('\n').count() + 1;
    let column = before.len() - before.rfind('\n').map_or(0, |n| n + 1) + 1;
    let slice = text.get(Range::<usize>::from(range)).unwrap_or("");
    format!("{line}:{column} `{}`", slice.lines().next().unwrap_or(""))
}

fn fix(text: &str, finding: &Finding, out: &mut String) {
    let Some(fix) = &finding.fix else { return };
    let _ = writeln!(out, "  fix: {}", fix.title);
    let mut fixed = text.to_owned();
    let mut edits: Vec<_> = fix.edits.iter().collect();
    edits.sort_by_key(|e| std::cmp::Reverse(e.range.start()));
    for edit in edits {
        fixed.replace_range(Range::<usize>::from(edit.range), &edit.text);
    }
    let (old, new): (Vec<_>, Vec<_>) = (text.lines().collect(), fixed.lines().collect());
    let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (&old[same..], &new[same..]);
    let tail = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    for line in &new_rest[..new_rest.len() - tail] {
        let _ = writeln!(out, "  | {line}");
    }
}
