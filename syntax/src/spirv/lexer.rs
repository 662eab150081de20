//! Tokens of the dialect.

use super::SpirvKind;
use crate::machine::Lexed;

pub(super) fn lex(text: &str) -> Lexed<SpirvKind> {
    let mut lexed = Lexed::with_capacity(text.len());
    let mut at = 0;
    for piece in text.split_inclusive(char::is_whitespace) {
        let word = piece.trim_end();
        lexed.push(SpirvKind::WORD, at + word.len());
        at += piece.len();
        lexed.push(SpirvKind::WHITESPACE, at);
    }
    lexed
}
