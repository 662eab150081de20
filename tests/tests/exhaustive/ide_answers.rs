//! Every answer for editors at random places of good and damaged files: none panics, and all ranges are inside the file.

use wavelens_base::{Dialect, Options, TextRange, TextSize};
use wavelens_ide::db::View;
use wavelens_ide::{Database, Document, Edit};
use wavelens_tests::properties;
use wavelens_tests::random::{self, Random};

fn survive(dialect: Dialect) {
    let texts = wavelens_tests::examples(dialect);
    assert!(!texts.is_empty(), "no example of {dialect}");
    for (seed, original) in texts.iter().enumerate() {
        let mut random = Random::new(seed as u64 + 1);
        let mut db = Database::default();
        let mut document = Document::new(&mut db, dialect, original, Options::default());
        let mut text = original.clone();
        for round in 0..60 {
            let view = View::new(&db, document.file());
            properties::answers(view, &text);
            (0..12).for_each(|_| properties::answers_at(view, &text, random.offset(&text)));
            if round % 12 == 11 {
                text.clone_from(original);
                document.set_text(&mut db, &text);
                continue;
            }
            let edit = random::edit(&mut random, &text);
            let range =
                TextRange::new(TextSize::new(edit.range.start as u32), TextSize::new(edit.range.end as u32));
            text.replace_range(edit.range, &edit.text);
            document.edit(&mut db, &Edit { range, text: edit.text });
        }
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
