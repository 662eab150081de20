//! Syntax kinds as small integers.

use std::fmt::Debug;

/// A dialect's enumeration of tokens and nodes. Made with [`kinds!`].
pub trait Kind: Copy + Eq + Debug + Send + Sync + 'static {
    /// What the parser sees past the last token; never in a tree.
    const EOF: Self;
    /// A node around tokens that fit nowhere.
    const ERROR: Self;
    /// The outermost node of a chunk.
    const ROOT: Self;

    /// The number of the kind in a tree.
    fn to_raw(self) -> u16;
    /// The inverse of [`Kind::to_raw`]; numbers out of range give [`Kind::ERROR`].
    fn from_raw(raw: u16) -> Self;
    /// Spaces, line ends and comments: in the tree, not in the grammar.
    fn is_trivia(self) -> bool;
}

/// Declares a dialect's kinds: `kinds! { pub enum LlvmKind, LlvmLanguage { trivia { WHITESPACE, COMMENT } A, B } }`.
/// `EOF`, `ERROR` and `ROOT` are added in front.
macro_rules! kinds {
    ($(#[$meta:meta])* pub enum $name:ident, $language:ident { trivia { $($trivia:ident),* $(,)? } $($(#[$doc:meta])* $kind:ident),* $(,)? }) => {
        $(#[$meta])*
        #[allow(missing_docs, reason = "tokens and nodes are named as the grammars name them")]
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        // One byte for each token: files have millions.
        #[repr(u8)]
        pub enum $name { EOF, ERROR, ROOT, $($trivia,)* $($(#[$doc])* $kind,)* }

        impl $name {
            const ALL: &'static [$name] = &[$name::EOF, $name::ERROR, $name::ROOT, $($name::$trivia,)* $($name::$kind,)*];
        }

        impl $crate::machine::Kind for $name {
            const EOF: Self = $name::EOF;
            const ERROR: Self = $name::ERROR;
            const ROOT: Self = $name::ROOT;

            #[inline]
            fn to_raw(self) -> u16 {
                self as u16
            }

            #[inline]
            fn from_raw(raw: u16) -> Self {
                Self::ALL.get(usize::from(raw)).copied().unwrap_or($name::ERROR)
            }

            #[inline]
            fn is_trivia(self) -> bool {
                matches!(self, $($name::$trivia)|*)
            }
        }

        /// The rowan language of this dialect.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $language {}

        impl rowan::Language for $language {
            type Kind = $name;

            fn kind_from_raw(raw: rowan::SyntaxKind) -> $name {
                <$name as $crate::machine::Kind>::from_raw(raw.0)
            }

            fn kind_to_raw(kind: $name) -> rowan::SyntaxKind {
                rowan::SyntaxKind(kind as u16)
            }
        }
    };
}
pub(crate) use kinds;
