//! Semantic tokens of AMDGPU assembly.

use wavelens_base::TextRange;
use wavelens_syntax::amdgpu::AmdgpuKind::*;

use super::Cx;
use crate::amdgpu::words::{Word, words};
use crate::answers::{TokenKind, TokenModifiers, TokenSpan};

/// The chunk's tokens, in order.
pub fn tokens(cx: &Cx<'_>) -> Vec<TokenSpan> {
    let lexed = &cx.lowered.lexed;
    let mut spans = Vec::new();
    let mut add = |range: TextRange, kind, modifiers| spans.push(TokenSpan { range, kind, modifiers });
    for index in 0..lexed.len() {
        let kind = match lexed.kind(index) {
            COMMENT => TokenKind::Comment,
            INT | REAL => TokenKind::Number,
            STRING => TokenKind::String,
            _ => continue,
        };
        let range = lexed.range(index);
        // Spans do not cross lines.
        let text = lexed.text(cx.text, index);
        let mut at = range.start();
        for line in text.split_inclusive('\n') {
            let shown = line.trim_end_matches(['\n', '\r']);
            if !shown.is_empty() {
                add(TextRange::at(at, wavelens_base::TextSize::of(shown)), kind, TokenModifiers::NONE);
            }
            at += wavelens_base::TextSize::of(line);
        }
    }
    words(cx.text, lexed, |range, word, kind| {
        let (kind, modifiers) = match kind {
            Word::Label => (TokenKind::Label, TokenModifiers::DEFINITION),
            Word::Assigned => (TokenKind::Variable, TokenModifiers::DEFINITION),
            Word::Mnemonic if cx.scope.has_macro(word) || cx.lowered.defines_macro(word) => {
                (TokenKind::Macro, TokenModifiers::NONE)
            }
            Word::Mnemonic => (TokenKind::Opcode, TokenModifiers::NONE),
            Word::Directive => (TokenKind::Directive, TokenModifiers::NONE),
            Word::Symbol => (TokenKind::Function, TokenModifiers::NONE),
            Word::MacroName => (TokenKind::Macro, TokenModifiers::DEFINITION),
            Word::Parameter => (TokenKind::Parameter, TokenModifiers::DEFINITION),
            Word::Argument => (TokenKind::Parameter, TokenModifiers::NONE),
            Word::Register => (TokenKind::Register, TokenModifiers::NONE),
            Word::Modifier => (TokenKind::Modifier, TokenModifiers::NONE),
            Word::Constant => (TokenKind::Constant, TokenModifiers::NONE),
            Word::Reference => (TokenKind::Variable, TokenModifiers::NONE),
        };
        if !word.starts_with('"') && !word.starts_with(|c: char| c.is_ascii_digit()) {
            add(range, kind, modifiers);
        }
    });
    spans.sort_by_key(|s| s.range.start());
    spans
}
