//! Which errors an edit adds and removes.

use std::cell::OnceCell;

use wavelens_base::finding::{finish, to_finding};
use wavelens_base::{Diagnostic, Dialect, Finding, Severity, TextEdit, TextSize};
use wavelens_check::{check_text, dialect, is_checked_once};
use wavelens_syntax::split;

use crate::db::{View, check, summary};

/// How many times faster a text is split into chunks than checked.
const SPLIT: usize = 16;

/// Errors before and after an edit. Errors of chunks that the edit cannot change are in neither.
#[derive(Debug)]
pub struct Difference {
    /// Without the edit.
    pub before: Vec<Finding>,
    /// With the edit.
    pub after: Vec<Finding>,
}

/// A document on which edits are tried.
#[derive(Debug)]
pub struct Trial<'db> {
    view: View<'db>,
    text: String,
    is_checked_once: OnceCell<bool>,
    /// All errors of the document, for edits that may change any.
    errors: OnceCell<Vec<Finding>>,
}

impl<'db> Trial<'db> {
    /// Edits of a document in its current state.
    pub fn new(view: View<'db>) -> Self {
        Trial { view, text: view.whole_text(), is_checked_once: OnceCell::new(), errors: OnceCell::new() }
    }

    /// The text without edits.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What some edits do together; `None` if they overlap.
    pub fn try_edits(&self, edits: &[TextEdit]) -> Option<Difference> {
        let edited = TextEdit::apply_all(&self.text, edits)?;
        Some(self.difference_in_chunks(&edited).unwrap_or_else(|| {
            let before = self.errors.get_or_init(|| self.errors(&self.text)).clone();
            Difference { before, after: self.errors(&edited) }
        }))
    }

    /// How much text is checked to try an edit at an offset, in bytes.
    pub fn cost(&self, at: TextSize) -> usize {
        let chunk = self.view.chunk_at(at).filter(|_| self.is_checked_in_chunks());
        chunk.map_or(self.text.len(), |(_, chunk, _)| self.view.text(chunk).len() + self.text.len() / SPLIT)
    }

    /// Whether an edit is checked where it changes the text.
    fn is_checked_in_chunks(&self) -> bool {
        *self.is_checked_once.get_or_init(|| self.is_checked_once(&self.text))
    }

    /// Whether findings depend on no more than a chunk and the scope.
    fn is_checked_once(&self, text: &str) -> bool {
        let dialect = self.view.dialect();
        dialect != Dialect::Amdgpu && is_checked_once(dialect, text, self.view.file.options(self.view.db))
    }

    fn errors(&self, text: &str) -> Vec<Finding> {
        errors(check_text(self.view.dialect(), text, self.view.file.options(self.view.db)))
    }

    /// The difference of the chunks whose text changes. `None` where other chunks may have other findings too: the edit changes what
    /// they see, or findings depend on more than a chunk and the scope.
    fn difference_in_chunks(&self, edited: &str) -> Option<Difference> {
        let (view, db) = (self.view, self.view.db);
        let (dialect, options) = (view.dialect(), view.file.options(db));
        if !self.is_checked_in_chunks() || !self.is_checked_once(edited) {
            return None;
        }
        let spans = split(dialect, edited);
        if spans.len() != view.chunks().len() {
            return None;
        }
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let place = |found: Vec<Diagnostic>, start: TextSize| {
            let place = move |d| to_finding(d, start, &options.includes, |id, item| view.item(id, item));
            found.into_iter().map(place)
        };
        for (index, (span, chunk)) in spans.iter().zip(view.chunks()).enumerate() {
            let text = edited.get(std::ops::Range::<usize>::from(span.range))?;
            if text == view.text(*chunk) {
                continue;
            }
            let lowered = dialect::lower(dialect, text);
            if summary(db, chunk.bundle).get(chunk.place) != Some(&dialect::summarize(&lowered)) {
                return None;
            }
            let found = dialect::check(&lowered, view.scope(), chunk.id(db), text);
            after.extend(place(found, span.range.start()));
            let found = check(db, view.file, chunk.bundle).get(chunk.place)?.clone();
            before.extend(place(found, view.start(index)));
        }
        let of = |found| errors(finish(found, options));
        Some(Difference { before: of(before), after: of(after) })
    }
}

fn errors(mut found: Vec<Finding>) -> Vec<Finding> {
    found.retain(|f| f.severity == Severity::Error);
    found
}

/// The titles of what is offered for each error of a text.
#[cfg(test)]
pub(super) fn offered(
    dialect: wavelens_base::Dialect,
    text: &str,
    offer: impl Fn(View<'_>, &Finding, &Trial<'_>) -> Vec<crate::answers::Action>,
) -> String {
    let options = wavelens_base::Options::default();
    let mut db = crate::Database::default();
    let document = crate::Document::new(&mut db, dialect, text, options.clone());
    let view = View::new(&db, document.file());
    let trial = Trial::new(view);
    let mut shown = String::new();
    for finding in wavelens_check::check_text(dialect, text, &options) {
        if finding.severity == wavelens_base::Severity::Error {
            shown += &format!("{}\n", finding.message);
            for action in offer(view, &finding, &trial) {
                shown += &format!("  {}\n", action.title);
            }
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use wavelens_base::{Options, TextRange};

    use super::*;
    use crate::{Database, Document};

    /// Replaces the first `from` by `to`, and compares the errors of changed chunks with those of the whole text.
    fn check(dialect: Dialect, text: &str, from: &str, to: &str, expected: Expect) {
        let mut db = Database::default();
        let document = Document::new(&mut db, dialect, text, Options::default());
        let trial = Trial::new(View::new(&db, document.file()));
        let at = TextSize::new(text.find(from).unwrap() as u32);
        let edit = TextEdit { range: TextRange::at(at, TextSize::of(from)), text: to.to_owned() };
        let edited = TextEdit::apply_all(text, std::slice::from_ref(&edit)).unwrap();
        let local = trial.difference_in_chunks(&edited);
        let shown = match &local {
            Some(local) => format!("{} -> {}", local.before.len(), local.after.len()),
            None => "unknown".to_owned(),
        };
        expected.assert_eq(&shown);
        let change = |before: &[Finding], after: &[Finding]| after.len() as isize - before.len() as isize;
        let whole = change(&trial.errors(text), &trial.errors(&edited));
        let tried = trial.try_edits(&[edit]).unwrap();
        assert_eq!(change(&tried.before, &tried.after), whole);
    }

    #[test]
    fn only_the_chunk_of_an_edit_is_checked() {
        let function =
            |name: &str, opcode: &str| format!("---\nname: {name}\nbody: |\n  bb.0:\n    {opcode}\n...\n");
        let text = function("f", "S_FOO 0") + &function("g", "S_BAR 0");
        check(Dialect::Mir, &text, "S_FOO", "S_NOP", expect!["1 -> 0"]);
        check(Dialect::Mir, &text, "S_FOO 0", "S_FOO 0\n    S_BAZ 1", expect!["1 -> 2"]);
        check(Dialect::Mir, &text, "name: f", "name: g", expect!["unknown"]);
        let text =
            "define i32 @f() {\n  ret i32 %x\n}\ndefine i32 @g() {\n  %x = call i32 @f()\n  ret i64 %x\n}\n";
        check(Dialect::Llvm, text, "ret i32 %x", "ret i32 0", expect!["1 -> 0"]);
        check(Dialect::Llvm, text, "define i32 @f", "define i64 @f", expect!["unknown"]);
    }

    #[test]
    fn files_under_several_run_lines_are_checked_as_a_whole() {
        let text = "; RUN: not llvm-as %s\ndefine i32 @f() {\n  ret i32 %x\n}\n";
        check(Dialect::Llvm, text, "ret i32 %x", "ret i32 0", expect!["unknown"]);
        check(Dialect::Amdgpu, "s_foo\ns_endpgm\n", "s_foo", "s_nop 0", expect!["unknown"]);
    }
}
