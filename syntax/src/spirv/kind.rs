//! Tokens and nodes.

use crate::machine::kinds;

kinds! {
    /// Tokens and nodes of SPIR-V assembly. A token is a word as SPIRV-Tools reads it: it ends at white space, `;`, `,`
    /// and parentheses outside a string.
    pub enum SpirvKind, SpirvLanguage {
        trivia { WHITESPACE, COMMENT }
        /// `%name`.
        ID,
        /// `OpName`: starts an instruction anywhere.
        OPCODE,
        /// An enumerant, a mask, an instruction of an extended set, or what is none of the others.
        WORD,
        /// Starts with a digit, or a sign and a digit or point.
        NUMBER,
        /// Starts with a quotation mark.
        STRING,
        /// `!0x10`.
        IMMEDIATE,
        EQ,
        COMMA,
        L_PAREN,
        R_PAREN,
        /// One instruction with its result.
        INSTRUCTION,
        /// `%name =`.
        RESULT,
    }
}
