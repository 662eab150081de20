//! Tokens of the dialect.

use super::MirKind;
use crate::machine::Lexed;

pub(super) fn lex(text: &str) -> Lexed<MirKind> {
    let mut lexed = Lexed::with_capacity(text.len());
    let mut at = 0;
    for piece in text.split_inclusive(char::is_whitespace) {
        let word = piece.trim_end();
        lexed.push(MirKind::WORD, at + word.len());
        at += piece.len();
        lexed.push(MirKind::WHITESPACE, at);
    }
    lexed
}
