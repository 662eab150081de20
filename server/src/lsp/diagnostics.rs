//! Findings in the protocol's words.

use std::sync::PoisonError;

use lsp_types::{
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location,
    NumberOrString, Position, Uri,
};
use wavelens_base::{Finding, Severity, Tag};
use wavelens_ide::Checked;
use wavelens_ide::db::{self, findings_of};
use wavelens_ide::features::{self, Assembled};

use super::convert::location_at;
use super::job::{Outcome, guard_on, part};
use super::position::Positions;
use super::snapshot::{DocumentView, Snapshot};
use crate::rule_page::url;

/// Findings that are published right after an edit. Thousands take longer to write and to read than to find; those far from the edit
/// follow after a pause.
const FIRST: usize = 128;

/// All findings of a document.
pub(super) fn compute(snapshot: &Snapshot, document: &DocumentView) -> Vec<Diagnostic> {
    let (db, file) = (&snapshot.db, document.file);
    let find = |checked: &mut Checked| match db::checks_whole_later(db, file) {
        true => {
            features::check_whole(file.dialect(db), &snapshot.view(document).whole_text(), file.options(db)).0
        }
        false => checked.findings(db, file),
    };
    compute_with(snapshot, document, |checked| (find(checked), true)).0
}

/// The findings of a document around its last edit, and whether these are all.
pub(super) fn compute_first(snapshot: &Snapshot, document: &DocumentView) -> (Vec<Diagnostic>, bool) {
    let edited = document.positions.offset(Position::new(document.edited_line, 0));
    compute_with(snapshot, document, |checked| {
        checked.findings_around(&snapshot.db, document.file, edited, FIRST)
    })
}

fn compute_with(
    snapshot: &Snapshot,
    document: &DocumentView,
    find: impl FnOnce(&mut Checked) -> (Vec<Finding>, bool),
) -> (Vec<Diagnostic>, bool) {
    let found = guard_on(&snapshot.db, || {
        // Work that was cancelled or panicked left what it had checked until then.
        let mut checked = document.checked.lock().unwrap_or_else(PoisonError::into_inner);
        find(&mut checked)
    });
    let (found, is_all) = match found {
        Outcome::Done(found) => found,
        Outcome::Cancelled => std::panic::resume_unwind(Box::new(wavelens_ide::Cancelled::PendingWrite)),
        Outcome::Panicked(_) => {
            // One chunk's bug does not take the findings of the others.
            let view = snapshot.view(document);
            let chunks = 0..view.chunks().len();
            let found = chunks.filter_map(|index| part(&snapshot.db, || findings_of(view, index)));
            (found.flatten().collect(), true)
        }
    };
    let demangles = snapshot.config.demangle;
    (found.into_iter().map(|f| named(document, f, demangles)).collect(), is_all)
}

/// A diagnostic with the names of its symbols in the source, if these are wanted.
fn named(document: &DocumentView, finding: Finding, demangles: bool) -> Diagnostic {
    let mut diagnostic = diagnostic(document, finding);
    if demangles {
        add_source_names(&mut diagnostic, document);
    }
    diagnostic
}

/// The findings of the command line for a document, and its assembled form. The snapshot is given back before the work, which
/// no edit can end.
pub(super) fn check_whole(snapshot: Snapshot) -> (Vec<Diagnostic>, Option<Assembled>) {
    let Some(document) = snapshot.document().cloned() else { return (Vec::new(), None) };
    let text = document.positions.rope.to_string();
    let options = document.file.options(&snapshot.db).clone();
    let dialect = document.file.dialect(&snapshot.db);
    let demangles = snapshot.config.demangle;
    drop(snapshot);
    let (found, whole) = features::check_whole(dialect, &text, &options);
    (found.into_iter().map(|f| named(&document, f, demangles)).collect(), whole)
}

/// Adds what the mangled symbols in a message are called in the source.
fn add_source_names(diagnostic: &mut Diagnostic, document: &DocumentView) {
    let mut seen = Vec::new();
    // Names are between backticks.
    for symbol in diagnostic.message.split('`').skip(1).step_by(2) {
        let Some(name) = wavelens_ide::demangle(symbol).filter(|_| !seen.contains(&symbol)) else { continue };
        seen.push(symbol);
        let location = Location::new(document.uri.clone(), diagnostic.range);
        let message = format!("`{symbol}` is `{name}`");
        let related = diagnostic.related_information.get_or_insert_default();
        related.push(DiagnosticRelatedInformation { location, message });
    }
}

pub(super) fn diagnostic(document: &DocumentView, finding: Finding) -> Diagnostic {
    diagnostic_at(&document.uri, &document.positions, finding)
}

/// A finding in a file, which may not be open.
pub(super) fn diagnostic_at(uri: &Uri, positions: &Positions, finding: Finding) -> Diagnostic {
    let related: Vec<DiagnosticRelatedInformation> = finding
        .related
        .into_iter()
        .filter_map(|r| {
            let location = location_at(uri, positions, r.file.as_deref(), r.range)?;
            Some(DiagnosticRelatedInformation { location, message: r.message })
        })
        .collect();
    Diagnostic {
        range: positions.range(finding.range),
        severity: Some(match finding.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
            Severity::Info => DiagnosticSeverity::INFORMATION,
            Severity::Hint => DiagnosticSeverity::HINT,
        }),
        code: Some(NumberOrString::String(finding.rule.code.to_owned())),
        code_description: url(finding.rule).parse().ok().map(|href| CodeDescription { href }),
        source: Some("wavelens".to_owned()),
        message: finding.message,
        related_information: (!related.is_empty()).then_some(related),
        tags: finding.tag.map(|t| {
            vec![match t {
                Tag::Unnecessary => DiagnosticTag::UNNECESSARY,
                Tag::Deprecated => DiagnosticTag::DEPRECATED,
            }]
        }),
        data: None,
    }
}
