//! Tokens of the dialect.

use super::LlvmKind;
use crate::machine::Lexed;

pub(super) fn lex(text: &str) -> Lexed<LlvmKind> {
    let mut lexed = Lexed::with_capacity(text.len());
    let mut at = 0;
    for piece in text.split_inclusive(char::is_whitespace) {
        let word = piece.trim_end();
        lexed.push(LlvmKind::WORD, at + word.len());
        at += piece.len();
        lexed.push(LlvmKind::WHITESPACE, at);
    }
    lexed
}
