#![no_main]
//! Every answer for editors about any text, at the place that the input names.

use libfuzzer_sys::fuzz_target;
use wavelens_analysis::db::View;
use wavelens_analysis::{Database, Document, Options};
use wavelens_fuzz::Input;
use wavelens_tests::properties;

fuzz_target!(|data: &[u8]| {
    let Some(Input { dialect, text, seed }) = Input::read(data) else { return };
    let mut db = Database::default();
    let document = Document::new(&mut db, dialect, &text, Options::default());
    let view = View::new(&db, document.file());
    properties::answers(view, &text);
    properties::answers_at(view, &text, wavelens_tests::random::Random::new(seed).offset(&text));
});
