//! Renaming keeps a module right: what had no findings has none afterwards, and its names lead to the same places.

use wavelens_ide::db::View;
use wavelens_ide::{Database, Document, features};
use wavelens_semantics::{Dialect, Options, TextSize, check_text};
use wavelens_tests::random::Random;

/// Renames what is at random places, each from the original text.
fn rename_here_and_there(dialect: Dialect, text: &str, times: usize) {
    let errors = |text: &str| check_text(dialect, text, &Options::default()).len();
    let before = errors(text);
    let mut random = Random::new(text.len() as u64);
    let mut db = Database::default();
    let document = Document::new(&mut db, dialect, text, Options::default());
    let view = View::new(&db, document.file());
    let mut done = 0;
    for _ in 0..times * 40 {
        let at = TextSize::new(random.offset(text) as u32);
        if done == times {
            return;
        }
        if features::prepare_rename(view, at).is_none() {
            continue;
        }
        let Ok(edits) = features::rename(view, at, "a_new_name") else { continue };
        done += 1;
        let mut renamed = text.to_owned();
        for edit in edits.iter().rev() {
            renamed.replace_range(std::ops::Range::<usize>::from(edit.range), &edit.text);
        }
        let after = errors(&renamed);
        assert_eq!(after, before, "{dialect} at {at:?}: {edits:?}\n{renamed}");
    }
}

fn rename_in_examples(dialect: Dialect) {
    for text in wavelens_tests::examples(dialect) {
        rename_here_and_there(dialect, &text, 40);
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
