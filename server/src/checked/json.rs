//! The findings of a file as a JSON object.

use serde::{Serialize, Serializer};
use wavelens_base::{Fix, Severity};
use wavelens_syntax::wording;

use super::positions::{Point, Positions, Text};
use super::{Checked, Found};
use crate::lit::Verdict;

#[derive(Serialize)]
struct File<'a> {
    file: String,
    dialect: &'a str,
    /// Of a test that was run.
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<Verdict>,
    diagnostics: Diagnostics<'a>,
}

/// The findings of a file, each made when it is written: there can be millions.
struct Diagnostics<'a> {
    found: &'a [Found],
    /// `None` without findings.
    positions: Option<Positions<'a>>,
}

#[derive(Serialize)]
struct Diagnostic<'a> {
    #[serde(flatten)]
    range: Range,
    severity: &'static str,
    /// An error that the test expects: people see it as information, and it does not count for the exit status.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    expected: bool,
    code: &'static str,
    message: &'a str,
    related: Vec<Related<'a>>,
    /// What could be done, for people.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    help: Vec<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<FixObject<'a>>,
}

/// Lines and columns count from 1.
#[derive(Serialize)]
struct Range {
    line: u32,
    /// In bytes.
    column: u32,
    end_line: u32,
    end_column: u32,
    utf16_column: u32,
    utf16_end_column: u32,
}

#[derive(Serialize)]
struct Related<'a> {
    /// Another file than the checked one.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(flatten)]
    range: Range,
    message: &'a str,
}

#[derive(Serialize)]
struct FixObject<'a> {
    title: &'a str,
    /// `--fix` applies it.
    certain: bool,
    edits: Vec<Edit<'a>>,
}

/// A range of the file and the text that replaces it.
#[derive(Serialize)]
struct Edit<'a> {
    #[serde(flatten)]
    range: Range,
    text: &'a str,
}

impl From<(Point, Point)> for Range {
    fn from((start, end): (Point, Point)) -> Self {
        Range {
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            utf16_column: start.utf16,
            utf16_end_column: end.utf16,
        }
    }
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
        Severity::Hint => "hint",
    }
}

/// The object of a file; `verdict` is that of a test that was run.
pub(crate) fn object(checked: &Checked, verdict: Option<Verdict>) -> impl Serialize {
    let positions = (!checked.found.is_empty()).then(|| Positions::new(checked));
    let diagnostics = Diagnostics { found: &checked.found, positions };
    let file = checked.path.to_string_lossy().into_owned();
    File { file, dialect: checked.source.dialect.name(), verdict, diagnostics }
}

impl Serialize for Diagnostics<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let all = self
            .positions
            .iter()
            .flat_map(|positions| self.found.iter().map(move |f| diagnostic(f, positions)));
        serializer.collect_seq(all)
    }
}

fn diagnostic<'a>(found: &'a Found, positions: &Positions<'_>) -> Diagnostic<'a> {
    let finding = &found.finding;
    // Where the reference tool reports it comes first: results of both can be compared by line.
    let reference = finding.related.iter().find(|r| wording::is_reference(&r.message));
    let related = finding.related.iter().map(|r| {
        let is_reference = wording::is_reference(&r.message);
        Related {
            file: r.file.as_ref().map(|f| f.path.to_string_lossy().into_owned()),
            range: match is_reference {
                true => positions.own().points(finding.range).into(),
                false => positions.of_related(r.file.as_ref()).points(r.range).into(),
            },
            message: if is_reference { "the mistake is here" } else { &r.message },
        }
    });
    Diagnostic {
        range: positions.own().points(reference.map_or(finding.range, |r| r.range)).into(),
        // The tools that a test calls reject the file: programs that compare with them see an error.
        severity: severity(if finding.expected { Severity::Error } else { finding.severity }),
        expected: finding.expected,
        code: finding.rule.code,
        message: &finding.message,
        related: related.collect(),
        help: found.suggestions.iter().map(|s| s.title.as_str()).collect(),
        fixes: found.suggestions.iter().map(|s| fix(s, positions.own())).collect(),
    }
}

fn fix<'a>(fix: &'a Fix, text: Text<'_>) -> FixObject<'a> {
    let edits = fix.edits.iter().map(|e| Edit { range: text.points(e.range).into(), text: &e.text });
    FixObject { title: &fix.title, certain: fix.certain, edits: edits.collect() }
}
