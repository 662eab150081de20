//! What a check came to: numbers of findings, in all and by code.

use std::cmp::Reverse;
use std::collections::HashMap;

use serde::Serialize;
use wavelens_base::{Rule, Severity};

use super::Outcome;
use super::output::count;
use super::rules::severity;
use crate::checked::Checked;
use crate::shown;

#[derive(Debug, Default)]
pub(super) struct Totals {
    pub(super) files: usize,
    pub(super) errors: usize,
    warnings: usize,
    hints: usize,
    /// Fixes applied, or shown.
    pub(super) fixed: usize,
    fixable: usize,
    codes: HashMap<(&'static str, Severity), OfCode>,
}

/// How often a code was reported.
#[derive(Debug)]
struct OfCode {
    rule: &'static Rule,
    count: usize,
    fixable: usize,
}

/// One object a line of `--statistics --format json`.
#[derive(Serialize)]
struct Line {
    code: &'static str,
    severity: &'static str,
    count: usize,
    fixable: usize,
    title: &'static str,
}

impl Totals {
    pub(super) fn add(&mut self, checked: &Checked) {
        self.files += 1;
        for found in &checked.found {
            let (rule, severity) = (found.finding.rule, found.finding.severity);
            match severity {
                Severity::Error => self.errors += 1,
                Severity::Warning => self.warnings += 1,
                Severity::Info | Severity::Hint => self.hints += 1,
            }
            let fixable = usize::from(found.suggestions.iter().any(|s| s.certain));
            self.fixable += fixable;
            let of_code =
                self.codes.entry((rule.code, severity)).or_insert(OfCode { rule, count: 0, fixable: 0 });
            of_code.count += 1;
            of_code.fixable += fixable;
        }
    }

    pub(super) fn outcome(&self, error_on_warning: bool) -> Outcome {
        match self.errors > 0 || error_on_warning && self.warnings > 0 {
            true => Outcome::ErrorsFound,
            false => Outcome::Clean,
        }
    }

    /// `3 files checked: 2 errors, 1 warning (1 can be fixed with --fix)`.
    pub(super) fn line(&self, fixes: bool, diff: bool) -> String {
        let mut line = format!("{} checked: ", count(self.files, "file"));
        if self.errors + self.warnings + self.hints == 0 {
            line += "no findings";
        } else {
            line += &format!("{}, {}", count(self.errors, "error"), count(self.warnings, "warning"));
        }
        if self.hints > 0 {
            line += &format!(", {}", count(self.hints, "hint"));
        }
        let fixed = format!("{} fix{}", self.fixed, if self.fixed == 1 { "" } else { "es" });
        if diff {
            line += &format!(" ({fixed} shown, nothing written)");
        } else if fixes {
            line += &format!(" ({fixed} applied)");
        } else if self.fixable > 0 {
            line += &format!(" ({} can be fixed with `--fix`)", self.fixable);
        }
        line
    }

    /// How often each code was reported, the most frequent first.
    pub(super) fn statistics(&self, is_json: bool) -> String {
        let mut codes: Vec<_> = self.codes.iter().collect();
        codes.sort_by_key(|((code, severity), of_code)| (Reverse(of_code.count), *code, *severity));
        let line = |((code, level), of_code): &(&(&'static str, Severity), &OfCode)| {
            let (count, fixable) = (of_code.count, of_code.fixable);
            let (code, severity, title) = (*code, severity(*level), of_code.rule.title);
            if is_json {
                return shown::json(&Line { code, severity, count, fixable, title }) + "\n";
            }
            let fixes = if fixable > 0 { format!("  {fixable} fixable") } else { String::new() };
            format!("{count:>7}  {severity:<7}  {code}{fixes}\n")
        };
        codes.iter().map(line).collect()
    }
}
