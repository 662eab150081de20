//! Semantic tokens.

use wavelens_base::TextRange;

/// What a token is, for colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum TokenKind {
    /// A comment.
    Comment,
    /// A word of the language.
    Keyword,
    /// An instruction's name.
    Opcode,
    /// A flag or other word that changes an instruction (`nsw`, `glc`).
    Modifier,
    /// A type.
    Type,
    /// A function.
    Function,
    /// A global variable or symbol.
    Variable,
    /// A parameter of a function or macro.
    Parameter,
    /// A value local to a function.
    Local,
    /// A basic block, or a label of assembly.
    Label,
    /// A register of the machine, or a virtual one.
    Register,
    /// A metadata node or string.
    Metadata,
    /// An attribute or decoration.
    Attribute,
    /// A directive of the assembler.
    Directive,
    /// A macro.
    Macro,
    /// A named constant or member of an enumeration (`undef`, `slt`, `Function`).
    Constant,
    /// A number.
    Number,
    /// A string.
    String,
    /// Punctuation that means something.
    Operator,
    /// `RUN:`, and the word of a CHECK line.
    CheckPrefix,
    /// What a CHECK line expects, and the rest of a RUN line.
    CheckBody,
    /// A regular expression.
    Regex,
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
        TokenKind::CheckPrefix,
        TokenKind::CheckBody,
        TokenKind::Regex,
    ];
}

/// A set of modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct TokenModifiers(pub u8);

impl TokenModifiers {
    /// Nothing.
    pub const NONE: TokenModifiers = TokenModifiers(0);
    /// The name is defined here.
    pub const DEFINITION: TokenModifiers = TokenModifiers(1);
    /// The name is declared here.
    pub const DECLARATION: TokenModifiers = TokenModifiers(2);
    /// It cannot be assigned.
    pub const READONLY: TokenModifiers = TokenModifiers(4);
    /// It should not be used in new code.
    pub const DEPRECATED: TokenModifiers = TokenModifiers(8);
}

/// A token with its meaning. Spans do not overlap and do not cross lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenSpan {
    /// Where it is.
    pub range: TextRange,
    /// What it is.
    pub kind: TokenKind,
    /// What else is known of it.
    pub modifiers: TokenModifiers,
}
