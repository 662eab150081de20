//! Asking for answers in tests: a fixture with `$0` where the cursor is.

use wavelens_base::{Dialect, Options, TextSize};

use crate::db::{Database, View};
use crate::document::Document;

/// Calls `ask` with a view of the fixture and the cursor's offset.
pub(crate) fn at_cursor<R>(dialect: Dialect, fixture: &str, ask: impl FnOnce(View<'_>, TextSize) -> R) -> R {
    wavelens_check::testing::tell(fixture);
    let offset = fixture.find("$0").unwrap_or(0);
    let text = fixture.replacen("$0", "", 1);
    let mut db = Database::default();
    let document = Document::new(&mut db, dialect, &text, Options::default());
    ask(View::new(&db, document.file()), TextSize::new(offset as u32))
}

/// The texts at ranges, with line and column, one a line.
pub(crate) fn places(view: View<'_>, ranges: impl IntoIterator<Item = wavelens_base::TextRange>) -> String {
    let text = view.whole_text();
    let mut out = String::new();
    for range in ranges {
        let before = text.get(..usize::from(range.start())).unwrap_or("");
        let line = before.matches('\n').count() + 1;
        let column = before.len() - before.rfind('\n').map_or(0, |n| n + 1) + 1;
        let slice = text.get(std::ops::Range::<usize>::from(range)).unwrap_or("");
        out.push_str(&format!("{line}:{column} {slice}\n"));
    }
    out
}

/// The text after some edits.
pub(crate) fn edited(view: View<'_>, mut edits: Vec<wavelens_base::TextEdit>) -> String {
    let mut text = view.whole_text();
    edits.sort_by_key(|e| std::cmp::Reverse(e.range.start()));
    for edit in edits {
        text.replace_range(std::ops::Range::<usize>::from(edit.range), &edit.text);
    }
    text
}
