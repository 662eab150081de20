//! What code actions do to a text: after every one, an accepted file is still accepted, and a rejected one has no new error.

use std::collections::BTreeMap;

use wavelens_base::{Dialect, Options, Severity, TextEdit, TextRange, TextSize};
use wavelens_check::check_text;
use wavelens_ide::db::View;
use wavelens_ide::{Database, Document, features};
use wavelens_test_support::random::Random;

/// An edit that left an error.
#[derive(Debug)]
pub struct Problem {
    /// The line of the place, counted from 1.
    pub line: usize,
    /// Of the action.
    pub title: String,
    /// The first new error.
    pub error: String,
    /// The text after the edit.
    pub text: String,
}

/// What was tried at one place.
#[derive(Debug, Default)]
pub struct Tried {
    pub actions: usize,
    pub problems: Vec<Problem>,
}

/// A random place of a text: at its findings every other time, where fixes are.
pub fn place(dialect: Dialect, text: &str, random: &mut Random) -> usize {
    let findings = check_text(dialect, text, &Options::default());
    match findings.get(random.below(2 * findings.len().max(1))) {
        Some(finding) => finding.range.start().into(),
        None => random.offset(text),
    }
}

/// Applies every code action at a place, each to the text as it is.
pub fn try_actions(dialect: Dialect, text: &str, at: usize) -> Tried {
    let mut db = Database::default();
    let document = Document::new(&mut db, dialect, text, Options::default());
    let view = View::new(&db, document.file());
    let range = TextRange::empty(TextSize::new(at as u32));
    let actions = features::actions(view, range);
    let line = line_of(text, at);
    let before = errors(dialect, text, |_| true);
    let mut tried = Tried::default();
    for action in actions {
        tried.actions += 1;
        let mut problem = |error: String, text: String| {
            tried.problems.push(Problem { line, title: action.title.clone(), error, text });
        };
        let Some(edited) = TextEdit::apply_all(text, &action.edits) else {
            problem("the edits overlap".to_owned(), text.to_owned());
            continue;
        };
        let fixed = action.finding.as_ref().map(|f| line_of(text, f.range.start().into()));
        // An error on the line of the finding was hidden by it.
        let was_hidden = |line: usize| {
            let starts = action.edits.iter().filter(|e| line_of(text, e.range.start().into()) < line);
            let added: usize = starts.map(|e| e.text.matches('\n').count()).sum();
            fixed.is_some_and(|fixed| (line.saturating_sub(added)..=line).contains(&fixed))
        };
        let after = errors(dialect, &edited, |line| !was_hidden(line));
        let new = after.iter().find(|(error, count)| before.get(*error).is_none_or(|before| before < count));
        if let Some((error, _)) = new {
            problem(error.clone(), edited);
        }
    }
    tried
}

/// Counted from 1.
fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

/// The errors of a text on some lines, each with how often it is there. Numbers and suggestions, which an edit may change, do
/// not count.
fn errors(dialect: Dialect, text: &str, counts: impl Fn(usize) -> bool) -> BTreeMap<String, usize> {
    let mut all = BTreeMap::new();
    let found = check_text(dialect, text, &Options::default());
    let found = found.into_iter().filter(|f| f.severity == Severity::Error);
    for finding in found.filter(|f| counts(line_of(text, f.range.start().into()))) {
        let message = finding.message.split("; did you mean").next().unwrap_or_default();
        let words: String = message.chars().filter(|c| !c.is_ascii_digit()).collect();
        *all.entry(format!("{}: {words}", finding.rule.code)).or_default() += 1;
    }
    all
}
