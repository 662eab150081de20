//! Versions of LLVM: the ones that can be chosen, and which words of the grammar are newer than LLVM 22, whose lexer the other words come from.

macro_rules! newest {
    () => {
        24
    };
}

/// The newest version of LLVM that is known; `newest!` is the one place of the number.
pub const NEWEST: u8 = newest!();

/// What `--llvm-level` takes, as its help shows it.
pub const LEVELS: &str = concat!("15..", newest!(), "|installed");

/// The first version of LLVM after the one that the generated tables come from.
pub const NEWER_SINCE: u8 = 23;

/// Words that came after LLVM 22, with the first version that reads them.
static WORDS: &[(&str, u8)] = &[
    ("denormal_fpenv", 23),
    ("elementwise", 23),
    ("flatten", 23),
    ("fmaximumnum", 23),
    ("fminimumnum", 23),
    ("noRenameOnPromotion", 23),
    ("nofreeobj", 23),
    ("noipa", 23),
    ("nooutline", 23),
    ("prefalign", 23),
    ("target_mem", 23),
];

/// The first version that reads a word, if it came after LLVM 22.
pub(super) fn word_since(word: &str) -> Option<u8> {
    WORDS.iter().find(|(known, _)| *known == word).map(|(_, since)| *since)
}

/// The first version that reads what the grammar reports as newer at `text`. Byte types, literals and flags are in no table: all came with
/// [`NEWER_SINCE`].
pub fn newer_since(text: &str) -> u8 {
    word_since(text).unwrap_or(NEWER_SINCE)
}
