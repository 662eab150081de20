#![no_main]
//! Ten edits of any text leave the document equal to one opened with the result.

use libfuzzer_sys::fuzz_target;
use wavelens_analysis::{Database, Document, Edit, Options, TextRange, TextSize};
use wavelens_fuzz::Input;
use wavelens_tests::properties;
use wavelens_tests::random::{self, Random};

fuzz_target!(|data: &[u8]| {
    let Some(Input { dialect, mut text, seed }) = Input::read(data) else { return };
    let mut random = Random::new(seed);
    let mut db = Database::default();
    let mut document = Document::new(&mut db, dialect, &text, Options::default());
    for _ in 0..10 {
        let edit = random::edit(&mut random, &text);
        let range =
            TextRange::new(TextSize::new(edit.range.start as u32), TextSize::new(edit.range.end as u32));
        text.replace_range(edit.range, &edit.text);
        document.edit(&mut db, &Edit { range, text: edit.text });
    }
    properties::equals_scratch(&mut db, &document, dialect, &text);
});
