//! Renaming keeps a module right: a module without findings stays without them, and its names lead to the same places.

use std::collections::BTreeMap;
use std::ops::Range;

use wavelens_base::{Dialect, Options, TextEdit, TextSize};
use wavelens_check::check_text;
use wavelens_ide::db::View;
use wavelens_ide::{Database, Document, features};
use wavelens_tests::random::Random;

/// Where names lead: the offset of a name, and the ranges of its definitions.
type Definitions = BTreeMap<usize, Vec<Range<usize>>>;

/// The definitions of all names of a text.
fn definitions(view: View<'_>, text: &str) -> Definitions {
    let is_word = |c: char| c.is_alphanumeric() || "_.$-".contains(c);
    let mut found = Definitions::new();
    let mut last = ' ';
    for (at, c) in text.char_indices() {
        // A name is looked at where its first word begins, after a sigil.
        let begins = is_word(c) && !is_word(last);
        last = c;
        if !begins {
            continue;
        }
        let targets = features::definition(view, TextSize::new(at as u32));
        let Some(first) = targets.first() else { continue };
        let ranges = targets.iter().filter(|t| t.file.is_none()).map(|t| Range::<usize>::from(t.range));
        found.insert(usize::from(first.origin.start()), ranges.collect());
    }
    found
}

/// Moves offsets as edits move them.
struct Moves<'e>(&'e [TextEdit]);

impl Moves<'_> {
    /// What begins at an offset, or ends there, begins or ends at the result.
    fn of(&self, offset: usize, is_end: bool) -> usize {
        let mut moved = offset as isize;
        for edit in self.0 {
            let Range { start, end } = Range::<usize>::from(edit.range);
            if end < offset || end == offset && (is_end || start < end) {
                moved += edit.text.len() as isize - (end - start) as isize;
            }
        }
        moved as usize
    }

    fn all(&self, definitions: &Definitions) -> Definitions {
        let range = |range: &Range<usize>| self.of(range.start, false)..self.of(range.end, true);
        let moved = definitions.iter();
        moved.map(|(at, ranges)| (self.of(*at, false), ranges.iter().map(range).collect())).collect()
    }
}

/// Renames what is at random places, each from the original text.
fn rename_here_and_there(dialect: Dialect, text: &str, times: usize) {
    let errors = |text: &str| check_text(dialect, text, &Options::default()).len();
    let before = errors(text);
    let mut random = Random::new(text.len() as u64);
    let mut db = Database::default();
    let document = Document::new(&mut db, dialect, text, Options::default());
    let view = View::new(&db, document.file());
    let led = definitions(view, text);
    let mut done = 0;
    for _ in 0..times * 40 {
        let at = TextSize::new(random.offset(text) as u32);
        if done == times {
            break;
        }
        if features::prepare_rename(view, at).is_none() {
            continue;
        }
        let Ok(edits) = features::rename(view, at, "a_new_name") else { continue };
        done += 1;
        let mut renamed = text.to_owned();
        for edit in edits.iter().rev() {
            renamed.replace_range(Range::<usize>::from(edit.range), &edit.text);
        }
        let after = errors(&renamed);
        assert_eq!(after, before, "{dialect} at {at:?}: {edits:?}\n{renamed}");

        let mut db = Database::default();
        let document = Document::new(&mut db, dialect, &renamed, Options::default());
        let leads = definitions(View::new(&db, document.file()), &renamed);
        let (wanted, word) = (Moves(&edits).all(&led), |r: &Range<usize>| renamed.get(r.clone()));
        for (at, ranges) in &wanted {
            let found = leads.get(at);
            let words: Vec<_> = ranges.iter().map(word).collect();
            assert_eq!(
                found,
                Some(ranges),
                "{dialect}: the name at {at} leads to {words:?}: {edits:?}\n{renamed}"
            );
        }
        assert_eq!(leads.len(), wanted.len(), "{dialect}: names that lead somewhere: {edits:?}\n{renamed}");
    }
    assert!(done > 0, "{dialect}: nothing was renamed in\n{text}");
}

fn rename_in_examples(dialect: Dialect) {
    for text in wavelens_tests::examples(dialect) {
        // Each costs as many questions as the text has words.
        rename_here_and_there(dialect, &text, (40_000 / text.len()).clamp(4, 40));
    }
}

#[test]
fn llvm() {
    rename_in_examples(Dialect::Llvm);
}

#[test]
fn mir() {
    rename_in_examples(Dialect::Mir);
}

#[test]
fn spirv() {
    rename_in_examples(Dialect::Spirv);
}

#[test]
fn amdgpu() {
    rename_in_examples(Dialect::Amdgpu);
}
