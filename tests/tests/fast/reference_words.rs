//! Every word that a reference of the four languages explains has a hover.
//!
//! The lists are `data/reference_words/*.txt`: a line with `== ` is a text (`\n` ends a line in it) in which WORD stands for each of the words in the
//! lines below it.

use wavelens_base::{Dialect, Options, TextSize};
use wavelens_ide::db::View;
use wavelens_ide::features::hover;
use wavelens_ide::{Database, Document};

/// Whether the word at an offset has a hover. A sigil or a quote before it is passed over.
fn has_hover(dialect: Dialect, text: &str, offset: usize, word: &str) -> bool {
    let sigil = word.len() > 1 && word.starts_with(['"', '!', '@', '%', '~', '=', '{', '&']);
    let mut db = Database::default();
    let document = Document::new(&mut db, dialect, text, Options::default());
    hover(View::new(&db, document.file()), TextSize::new((offset + usize::from(sigil)) as u32)).is_some()
}

/// The words without a hover, each with its text. How many there are in all.
fn without_hover(dialect: Dialect, list: &str) -> (Vec<String>, usize) {
    let (mut missing, mut count) = (Vec::new(), 0);
    for section in list.split("\n== ").skip(1) {
        let (template, words) = section.split_once('\n').unwrap_or((section, ""));
        let template = template.replace("\\n", "\n");
        let offset = template.find("WORD").expect("a text names WORD");
        for word in words.split_whitespace() {
            count += 1;
            // Names in strings may have spaces, which the lists write `_`.
            let spellings = [word.to_owned(), word.replace('_', " ")];
            let found =
                spellings.iter().any(|w| has_hover(dialect, &template.replacen("WORD", w, 1), offset, w));
            if !found {
                missing.push(template.replacen("WORD", word, 1));
            }
        }
    }
    (missing, count)
}

#[test]
fn words_of_the_references_have_hovers() {
    let lists = [
        (Dialect::Llvm, include_str!("../../data/reference_words/llvm.txt"), 1000),
        (Dialect::Mir, include_str!("../../data/reference_words/mir.txt"), 190),
        (Dialect::Spirv, include_str!("../../data/reference_words/spirv.txt"), 850),
        (Dialect::Amdgpu, include_str!("../../data/reference_words/amdgpu.txt"), 130),
    ];
    for (dialect, list, at_least) in lists {
        let (missing, count) = without_hover(dialect, list);
        assert!(count >= at_least, "{dialect:?}: only {count} words");
        assert!(missing.is_empty(), "{dialect:?}: no hover in\n{}", missing.join("\n"));
    }
}
