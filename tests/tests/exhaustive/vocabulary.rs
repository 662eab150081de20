//! What editors say about words that completion proposes: each proposed word has a hover or none, and completion goes on after it.

use wavelens_base::TextSize;
use wavelens_ide::db::View;
use wavelens_ide::{Database, Document, features};
use wavelens_test_support::texts::vocabulary::{Place, places};
use wavelens_tests::{inputs, properties};

/// Of so many words proposed one is written.
const PART: usize = 40;

/// What is proposed at the end of `before`, after every answer there was looked at.
fn proposed(place: &Place, before: &str) -> Vec<String> {
    let text = format!("{before}{}", place.after);
    let dialect = inputs::dialect(place.extension);
    let options = inputs::options(dialect, place.machine, &text);
    let mut db = Database::default();
    let document = Document::new(&mut db, dialect, &text, options);
    let view = View::new(&db, document.file());
    properties::answers_at(view, &text, before.len());
    features::complete(view, TextSize::of(before)).items.into_iter().map(|item| item.label).collect()
}

fn words(extension: &str) {
    for place in places().iter().filter(|place| place.extension == extension) {
        for start in place.starts {
            let words = proposed(place, &format!("{}{start}", place.before));
            for word in words.iter().step_by(PART) {
                proposed(place, &format!("{}{word} ", place.before));
            }
        }
    }
}

#[test]
fn words_of_spirv() {
    words("spvasm");
}

#[test]
fn words_of_llvm() {
    words("ll");
}

#[test]
fn words_of_mir() {
    words("mir");
}

#[test]
fn words_of_amdgpu() {
    words("s");
}
