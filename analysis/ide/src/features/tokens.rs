//! Semantic tokens.

use wavelens_semantics::TextRange;

use super::ask;
use crate::db::View;

/// What a token is, for colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum TokenKind {
    Comment,
    Keyword,
    /// An instruction's name.
    Opcode,
    /// A flag or other word that changes an instruction (`nsw`, `glc`).
    Modifier,
    Type,
    Function,
    Variable,
    Parameter,
    /// A value local to a function.
    Local,
    Label,
    Register,
    Metadata,
    Attribute,
    Directive,
    Macro,
    /// A named constant or member of an enumeration (`undef`, `slt`, `Function`).
    Constant,
    Number,
    String,
    Operator,
}

impl TokenKind {
    /// Every kind, in the order of its number.
    pub const ALL: &'static [TokenKind] = &[
        TokenKind::Comment,
        TokenKind::Keyword,
        TokenKind::Opcode,
        TokenKind::Modifier,
        TokenKind::Type,
        TokenKind::Function,
        TokenKind::Variable,
        TokenKind::Parameter,
        TokenKind::Local,
        TokenKind::Label,
        TokenKind::Register,
        TokenKind::Metadata,
        TokenKind::Attribute,
        TokenKind::Directive,
        TokenKind::Macro,
        TokenKind::Constant,
        TokenKind::Number,
        TokenKind::String,
        TokenKind::Operator,
    ];
}

/// A set of modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct TokenModifiers(pub u8);

impl TokenModifiers {
    pub const NONE: TokenModifiers = TokenModifiers(0);
    pub const DEFINITION: TokenModifiers = TokenModifiers(1);
    pub const DECLARATION: TokenModifiers = TokenModifiers(2);
    pub const READONLY: TokenModifiers = TokenModifiers(4);
    pub const DEPRECATED: TokenModifiers = TokenModifiers(8);
}

/// A token with its meaning. Spans do not overlap and do not cross lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenSpan {
    pub range: TextRange,
    pub kind: TokenKind,
    pub modifiers: TokenModifiers,
}

/// The tokens in a range of the file, in order; the chunks that the range touches, whole.
pub fn tokens(view: View<'_>, range: TextRange) -> Vec<TokenSpan> {
    let mut all = Vec::new();
    for index in view.chunks_in(range) {
        view.db.unwind_if_revision_cancelled();
        let start = view.start(index);
        let own = ask!(view, index, tokens::tokens()).unwrap_or_default();
        all.extend(own.into_iter().map(|t| TokenSpan { range: t.range + start, ..t }));
    }
    all
}
