//! Tokens and nodes.

use crate::machine::kinds;

kinds! {
    /// Tokens and nodes of the dialect.
    pub enum AmdgpuKind, AmdgpuLanguage {
        trivia { WHITESPACE, COMMENT }
        /// The end of a line: statements end here.
        EOL,
        /// `v_add_f32`, `.amdhsa_kernel`, `.Lfoo@rel32@lo`; never a lone dot.
        IDENT,
        INT,
        REAL,
        STRING,
        /// What the lexer could not read; [`super::lex_error`] says why.
        BAD,
        DOT,
        COMMA,
        COLON,
        PLUS,
        MINUS,
        TILDE,
        STAR,
        SLASH,
        PERCENT,
        L_PAREN,
        R_PAREN,
        L_BRACKET,
        R_BRACKET,
        L_BRACE,
        R_BRACE,
        AT,
        HASH,
        QUESTION,
        DOLLAR,
        BACKSLASH,
        EQUAL,
        EQUAL_EQUAL,
        PIPE,
        PIPE_PIPE,
        CARET,
        AMP,
        AMP_AMP,
        EXCLAIM,
        EXCLAIM_EQUAL,
        LESS,
        LESS_LESS,
        LESS_EQUAL,
        LESS_GREATER,
        GREATER,
        GREATER_GREATER,
        GREATER_EQUAL,
        ARROW,
        /// Labels, then at most one of the next three, and the end of the line.
        STATEMENT,
        /// `name:`
        LABEL,
        /// A mnemonic (or a macro's name) and its operands.
        INSTRUCTION,
        /// A word that starts with a dot, and its arguments.
        DIRECTIVE,
        /// `name = expression`
        ASSIGNMENT,
        /// What is between two commas outside of brackets.
        OPERAND,
    }
}
