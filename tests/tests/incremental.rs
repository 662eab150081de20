//! Random edits leave the incremental tree and findings equal to those from scratch.

use wavelens_analysis::{Database, Dialect, Document, Edit, Options, TextRange, TextSize};
use wavelens_tests::random::{self, Random};
use wavelens_tests::{examples, properties};

/// Edits `text` and undoes some edits; compares after each `stride`-th.
fn survive_edits(dialect: Dialect, text: &str, edits: usize, stride: usize) {
    let mut random = Random::new(edits as u64);
    let mut db = Database::default();
    let mut document = Document::new(&mut db, dialect, text, Options::default());
    let mut text = text.to_owned();
    let limit = text.len() * 2 + 1000;
    let original = text.clone();
    for step in 0..edits {
        let edit = random::edit(&mut random, &text);
        let before = text.clone();
        text.replace_range(edit.range.clone(), &edit.text);
        let range = |r: std::ops::Range<usize>| {
            TextRange::new(TextSize::new(r.start as u32), TextSize::new(r.end as u32))
        };
        let new_range = edit.range.start..edit.range.start + edit.text.len();
        document.edit(&mut db, &Edit { range: range(edit.range.clone()), text: edit.text });
        if random.below(4) == 0 {
            let undo = Edit { range: range(new_range), text: before[edit.range].to_owned() };
            document.edit(&mut db, &undo);
            text = before;
        }
        if text.len() > limit {
            text.clone_from(&original);
            document.set_text(&mut db, &text);
        }
        if step % stride == 0 {
            properties::equals_scratch(&mut db, &document, dialect, &text);
        }
    }
}

fn survive(dialect: Dialect) {
    let texts = examples(dialect);
    assert!(!texts.is_empty(), "no example of {dialect}");
    for text in &texts {
        survive_edits(dialect, text, 10_000 / texts.len(), 20);
    }
}

#[test]
fn llvm() {
    survive(Dialect::Llvm);
}

#[test]
fn mir() {
    survive(Dialect::Mir);
}

#[test]
fn spirv() {
    survive(Dialect::Spirv);
}

#[test]
fn amdgpu() {
    survive(Dialect::Amdgpu);
}
