//! Words that debug-info metadata may name: `DW_TAG_member`, `DIFlagPublic`.

use super::debug_word_data::WORDS;

/// Whether LLVM 22 knows the word.
pub fn is_debug_word(word: &str) -> bool {
    WORDS.binary_search(&word).is_ok()
}

/// All of them, sorted.
pub fn all() -> &'static [&'static str] {
    WORDS
}
