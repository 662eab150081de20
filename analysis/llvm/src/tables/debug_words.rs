//! Words that debug-info metadata may name: `DW_TAG_member`, `DIFlagPublic`.

use super::debug_word_data::WORDS;

/// Whether LLVM 22 knows the word.
pub fn is_debug_word(word: &str) -> bool {
    WORDS.binary_search(&word).is_ok()
}

/// Languages that later versions added, without the prefix. Asked of LLVM 24.
const NEWER_LANGUAGES: [&str; 11] =
    ["Algol68", "C23", "C_plus_plus_23", "Elixir", "Erlang", "Fortran23", "Gleam", "Nim", "Odin", "P4", "V"];

/// Whether LLVM 23 or 24 added the word.
pub fn is_newer_debug_word(word: &str) -> bool {
    match (word.strip_prefix("DW_LANG_"), word.strip_prefix("DW_LNAME_")) {
        (Some(language), _) => NEWER_LANGUAGES.contains(&language),
        (_, Some(name)) => name == "HIP" || NEWER_LANGUAGES.contains(&name) && !name.ends_with("23"),
        _ => false,
    }
}

/// All of them, sorted.
pub fn all() -> &'static [&'static str] {
    WORDS
}
