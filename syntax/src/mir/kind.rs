//! Tokens and nodes.

use crate::machine::kinds;

kinds! {
    /// Tokens and nodes of the dialect.
    pub enum MirKind, MirLanguage {
        trivia { WHITESPACE, COMMENT }
        WORD,
        LINE,
    }
}
