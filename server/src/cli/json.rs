//! One JSON object a file.

use std::path::Path;

use serde::Serialize;
use wavelens_semantics::{Finding, Severity, TextRange};

use super::check::Checked;
use crate::LineIndex;

#[derive(Serialize)]
struct File<'a> {
    file: &'a str,
    dialect: &'a str,
    diagnostics: Vec<Diagnostic<'a>>,
}

#[derive(Serialize)]
struct Diagnostic<'a> {
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    severity: &'static str,
    code: &'static str,
    message: &'a str,
    related: Vec<Related<'a>>,
}

#[derive(Serialize)]
struct Related<'a> {
    /// Another file than the checked one.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a Path>,
    line: u32,
    column: u32,
    message: &'a str,
}

pub(super) fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
        Severity::Hint => "hint",
    }
}

/// The object of one file, with a line end.
pub(super) fn file(checked: &Checked) -> String {
    let index = (!checked.findings.is_empty()).then(|| LineIndex::new(&checked.source.text));
    let diagnostics =
        index.iter().flat_map(|index| checked.findings.iter().map(|f| diagnostic(f, index))).collect();
    let object = File { file: &checked.path, dialect: checked.source.dialect.name(), diagnostics };
    let mut line = serde_json::to_string(&object).unwrap_or_default();
    line.push('\n');
    line
}

fn diagnostic<'a>(finding: &'a Finding, index: &LineIndex) -> Diagnostic<'a> {
    let ((line, column), (end_line, end_column)) = lines_and_columns(index, finding.range);
    let related = finding.related.iter().map(|r| {
        let other = r.file.as_ref().map(|f| LineIndex::new(&f.text));
        let ((line, column), _) = lines_and_columns(other.as_ref().unwrap_or(index), r.range);
        Related { file: r.file.as_ref().map(|f| f.path.as_path()), line, column, message: &r.message }
    });
    Diagnostic {
        line,
        column,
        end_line,
        end_column,
        severity: severity(finding.severity),
        code: finding.rule.code,
        message: &finding.message,
        related: related.collect(),
    }
}

/// Start and end, counted from 1, columns in bytes.
pub(super) fn lines_and_columns(index: &LineIndex, range: TextRange) -> ((u32, u32), (u32, u32)) {
    let from_one = |(line, column): (u32, u32)| (line + 1, column + 1);
    (from_one(index.position(range.start())), from_one(index.position(range.end())))
}
