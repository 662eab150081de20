//! Editor features of LLVM IR.

mod accesses;
pub mod actions;
mod attached;
pub(crate) mod attributes;
pub mod cfg;
pub mod completion;
mod decode;
mod extract;
pub(crate) mod folding;
pub(crate) mod formatting;
mod help;
pub mod hints;
pub mod hover;
pub mod instrument;
pub mod occurrences;
pub mod outline;
mod place;
mod renumber;
mod show;
pub mod signature;
pub mod slice;
pub mod source;
mod strings;
#[cfg(test)]
mod tests;
pub mod tokens;
pub(crate) mod trace;

use wavelens_llvm::{Lowered, Scope};

/// What an answer for an editor may read.
pub(crate) type Cx<'db> = crate::answers::ChunkCx<'db, Lowered, Scope>;

/// What a word of LLVM IR means, in a sentence: a predicate, a type, a constant.
pub(crate) fn word(word: &str) -> Option<&'static str> {
    help::word(word).map(|help| help.text)
}

/// What a word of debug information means.
pub(crate) fn debug_word(word: &str) -> Option<String> {
    help::debug_word(word)
}

/// The value of a floating-point literal in hexadecimal digits.
pub(crate) fn literal(text: &str) -> Option<String> {
    decode::hex_float(text).map(|value| format!("equals {value}"))
}
