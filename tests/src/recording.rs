//! What recorded answers are made of.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};
use wavelens_semantics::TextSize;

/// The start of the SHA-256 of a long answer, as 8 hexadecimal digits.
pub fn digest(text: &str) -> String {
    Sha256::digest(text).iter().take(4).fold(String::new(), |mut out, byte| {
        _ = write!(out, "{byte:02x}");
        out
    })
}

/// `line:column` of an offset in a text, both counted from 1, columns in bytes.
pub fn place(text: &str, at: TextSize) -> String {
    let before = &text[..usize::from(at)];
    let column = before.len() - before.rfind('\n').map_or(0, |newline| newline + 1) + 1;
    format!("{}:{column}", before.matches('\n').count() + 1)
}
