//! Words, as SPIRV-Tools cuts them (source/text_handler.cpp).

use std::ops::Range;

use super::SpirvKind;
use super::SpirvKind::*;
use crate::machine::{Kind, Lexed, Words};

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
    let bytes = text.as_bytes();
    let mut lexed = Lexed::with_capacity(bytes.len());
    let mut at = 0;
    while let Some((kind, end)) = token(bytes, at) {
        lexed.push(kind, end);
        at = end;
    }
    lexed
}

/// The words of a part of a chunk that starts where a word or trivia does; offsets are those in the chunk. A NUL is the last of them.
pub fn words(text: &str, range: Range<usize>) -> Words<SpirvKind> {
    let bytes = text.as_bytes().get(..range.end).unwrap_or_default();
    let mut words = Words::with_capacity(range.len() / 6 + 1, range.end);
    let mut at = range.start;
    while let Some((kind, end)) = token(bytes, at) {
        if !kind.is_trivia() {
            words.push(kind, at, end);
        }
        // Most words have one space between them.
        at = end + usize::from(bytes.get(end) == Some(&b' '));
    }
    words
}

/// The kind and the end of what starts at a byte offset; `None` at the end of the text.
#[inline(always)] // Most of the time of cutting goes to a few instructions for each word.
fn token(bytes: &[u8], at: usize) -> Option<(SpirvKind, usize)> {
    Some(match bytes.get(at)? {
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
    })
}

fn skip(bytes: &[u8], mut at: usize, inside: impl Fn(u8) -> bool) -> usize {
    while bytes.get(at).is_some_and(|byte| inside(*byte)) {
        at += 1;
    }
    at
}

/// A byte repeated in eight.
const fn eight(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// The first byte, at `at` or after it, that [`SPECIAL`] names; the end of the text if there is none.
#[inline(always)] // See `token`.
fn skip_plain(bytes: &[u8], mut at: usize) -> usize {
    // The high bit of a byte that is 0 or below `-`. Only the lowest of these bits is certain.
    let zero = |bytes: u64| bytes.wrapping_sub(eight(1)) & !bytes;
    let low = |bytes: u64| bytes.wrapping_sub(eight(b'-')) & !bytes;
    while bytes.get(at).is_some_and(|byte| !SPECIAL[usize::from(*byte)]) {
        at += 1;
        if let Some(next) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
            let next = u64::from_le_bytes(*next);
            let found = low(next) | zero(next ^ eight(b';')) | zero(next ^ eight(b'\\'));
            at += (found & eight(0x80)).trailing_zeros() as usize / 8;
        }
    }
    at
}

#[inline(always)] // See `token`.
fn word_end(bytes: &[u8], at: usize) -> usize {
    let end = skip_plain(bytes, at);
    if matches!(bytes.get(end), Some(b'"' | b'\\')) { quoted_end(bytes, at) } else { end }
}

/// A backslash escapes the next byte, in a string or not.
fn quoted_end(bytes: &[u8], mut at: usize) -> usize {
    let (mut quoting, mut escaping) = (false, false);
    loop {
        let plain = skip_plain(bytes, at);
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

    fn tokens(text: &str) -> Vec<(SpirvKind, &str)> {
        let lexed = lex(text);
        let all = (0..lexed.len()).map(|i| (lexed.kind(i), lexed.text(text, i)));
        let all: Vec<_> = all.filter(|(kind, _)| *kind != WHITESPACE).collect();
        let words = words(text, 0..text.len());
        let alone = (0..words.kinds().len()).map(|i| (words.kind(i), words.text(text, i)));
        let without_comments = all.iter().copied().filter(|(kind, _)| *kind != COMMENT);
        assert!(alone.eq(without_comments), "{words:?}");
        all
    }

    #[test]
    fn words_of_any_length_end_at_any_special_byte() {
        for end in 0..=255u8 {
            for length in 0..20 {
                let text = [b"%".as_slice(), &b"aZ_09.\xff\x80"[..].repeat(3)[..length], &[end], b"x1234567"]
                    .concat();
                let plain = (length + 1..text.len()).find(|at| SPECIAL[usize::from(text[*at])]);
                assert_eq!(skip_plain(&text, 0), plain.unwrap_or(text.len()), "{end} after {length}");
            }
        }
    }

    #[test]
    fn brackets_and_commas_are_words_and_a_nul_ends_the_text() {
        assert_eq!(
            tokens("OpUnknown(1,2)\t\r\n  %a ,)(\0 OpNop"),
            [
                (OPCODE, "OpUnknown"),
                (L_PAREN, "("),
                (NUMBER, "1"),
                (COMMA, ","),
                (NUMBER, "2"),
                (R_PAREN, ")"),
                (ID, "%a"),
                (COMMA, ","),
                (R_PAREN, ")"),
                (L_PAREN, "("),
                (EOF, "\0 OpNop")
            ]
        );
        assert_eq!(
            tokens("= !1 .5 -x Shader \"a"),
            [(EQ, "="), (IMMEDIATE, "!1"), (NUMBER, ".5"), (WORD, "-x"), (WORD, "Shader"), (STRING, "\"a")]
        );
    }

    #[test]
    fn words_end_outside_strings_only() {
        assert_eq!(
            tokens("%1=OpName %a \"x ;\\\" y\" ; z\n-0x1p+2"),
            [(ID, "%1=OpName"), (ID, "%a"), (STRING, "\"x ;\\\" y\""), (COMMENT, "; z"), (NUMBER, "-0x1p+2")]
        );
    }
}
