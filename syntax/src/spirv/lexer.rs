//! Words, as SPIRV-Tools cuts them (source/text_handler.cpp).

use std::ops::Range;

use super::SpirvKind;
use super::SpirvKind::*;
use crate::machine::Lexed;

/// Bytes that end a word outside a string, and those that need a closer look inside one.
const fn table() -> [bool; 256] {
    let mut special = [false; 256];
    let bytes = *b" \t\r\n;,()\"\\\0";
    let mut i = 0;
    while i < bytes.len() {
        special[bytes[i] as usize] = true;
        i += 1;
    }
    special
}

static SPECIAL: [bool; 256] = table();

/// Cuts a chunk into words and trivia.
pub fn lex(text: &str) -> Lexed<SpirvKind> {
    lex_range(text, 0..text.len())
}

/// The same for a part of a chunk that starts where a word or trivia does; offsets are those in the chunk.
pub fn lex_range(text: &str, range: Range<usize>) -> Lexed<SpirvKind> {
    let bytes = text.as_bytes().get(..range.end).unwrap_or_default();
    let mut lexed = Lexed::starting_at(range.start, range.len());
    let mut at = range.start;
    while let Some(&byte) = bytes.get(at) {
        let (kind, end) = match byte {
            b' ' | b'\t' | b'\r' | b'\n' => {
                (WHITESPACE, skip(bytes, at, |b| matches!(b, b' ' | b'\t' | b'\r' | b'\n')))
            }
            b';' => (COMMENT, skip(bytes, at, |b| b != b'\n')),
            // A NUL ends the text.
            0 => (EOF, bytes.len()),
            b',' => (COMMA, at + 1),
            b'(' => (L_PAREN, at + 1),
            b')' => (R_PAREN, at + 1),
            _ => {
                let end = word_end(bytes, at);
                (classify(bytes.get(at..end).unwrap_or_default()), end)
            }
        };
        lexed.push(kind, end);
        at = end;
    }
    lexed
}

fn skip(bytes: &[u8], at: usize, inside: impl Fn(u8) -> bool) -> usize {
    bytes.get(at..).and_then(|rest| rest.iter().position(|b| !inside(*b))).map_or(bytes.len(), |n| at + n)
}

/// A backslash escapes the next byte, in a string or not.
fn word_end(bytes: &[u8], mut at: usize) -> usize {
    let (mut quoting, mut escaping) = (false, false);
    while let Some(&byte) = bytes.get(at) {
        if SPECIAL[usize::from(byte)] {
            match byte {
                b'\\' => {
                    escaping = !escaping;
                    at += 1;
                    continue;
                }
                b'"' if !escaping => quoting = !quoting,
                b'"' => {}
                0 => return at,
                _ if !escaping && !quoting => return at,
                _ => {}
            }
        }
        escaping = false;
        at += 1;
    }
    at
}

fn classify(word: &[u8]) -> SpirvKind {
    match word {
        [b'%', ..] => ID,
        [b'O', b'p', b'A'..=b'Z', ..] => OPCODE,
        [b'"', ..] => STRING,
        [b'='] => EQ,
        [b'!', ..] => IMMEDIATE,
        [b'0'..=b'9', ..] | [b'-' | b'+' | b'.', b'0'..=b'9' | b'.', ..] => NUMBER,
        _ => WORD,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<(SpirvKind, &str)> {
        let lexed = lex(text);
        (0..lexed.len())
            .filter(|i| lexed.kind(*i) != WHITESPACE)
            .map(|i| (lexed.kind(i), lexed.text(text, i)))
            .collect()
    }

    #[test]
    fn words_end_outside_strings_only() {
        assert_eq!(
            words("%1=OpName %a \"x ;\\\" y\" ; z\n-0x1p+2"),
            [(ID, "%1=OpName"), (ID, "%a"), (STRING, "\"x ;\\\" y\""), (COMMENT, "; z"), (NUMBER, "-0x1p+2")]
        );
    }
}
