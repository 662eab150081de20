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
            // Most words have one space between them.
            b' ' if matches!(bytes.get(at + 1), Some(b'%' | b'=' | b'0'..=b'9' | b'A'..=b'z')) => {
                (WHITESPACE, at + 1)
            }
            b' ' | b'\t' | b'\r' | b'\n' => {
                (WHITESPACE, skip(bytes, at + 1, |b| matches!(b, b' ' | b'\t' | b'\r' | b'\n')))
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

fn skip(bytes: &[u8], mut at: usize, inside: impl Fn(u8) -> bool) -> usize {
    while bytes.get(at).is_some_and(|byte| inside(*byte)) {
        at += 1;
    }
    at
}

/// A backslash escapes the next byte, in a string or not.
fn word_end(bytes: &[u8], mut at: usize) -> usize {
    let (mut quoting, mut escaping) = (false, false);
    loop {
        let plain = skip(bytes, at, |byte| !SPECIAL[usize::from(byte)]);
        escaping &= plain == at;
        at = plain;
        match bytes.get(at) {
            None | Some(0) => return at,
            Some(b'\\') => escaping = !escaping,
            Some(byte) => {
                if *byte != b'"' && !escaping && !quoting {
                    return at;
                }
                quoting ^= *byte == b'"' && !escaping;
                escaping = false;
            }
        }
        at += 1;
    }
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
