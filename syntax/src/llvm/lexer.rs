//! Tokens of LLVM IR, as LLVM's own lexer cuts them.

use rowan::TextRange;

use super::LlvmKind::{self, *};
use super::words;
use crate::machine::Lexed;

const NONE: u8 = 0;
/// Of names and labels: letters, digits, `-`, `$`, `.`, `_`.
const NAME: u8 = 1;
const DIGIT: u8 = 2;
/// Of keywords: letters, digits, `_`.
const WORD_PART: u8 = 4;
const SPACE: u8 = 8;
/// Starts a word: letters and `_`.
const WORD_START: u8 = 16;

const CLASSES: [u8; 256] = {
    let mut classes = [NONE; 256];
    let mut c = 0;
    while c < 256 {
        let b = c as u8;
        classes[c] = if b.is_ascii_alphabetic() || b == b'_' {
            NAME | WORD_PART | WORD_START
        } else if b.is_ascii_digit() {
            NAME | DIGIT | WORD_PART
        } else if b == b'-' || b == b'$' || b == b'.' {
            NAME
        } else if b == b' ' || b == b'\t' || b == b'\n' || b == b'\r' || b == 0 {
            SPACE
        } else {
            NONE
        };
        c += 1;
    }
    classes
};

#[inline]
fn is(byte: u8, class: u8) -> bool {
    CLASSES[usize::from(byte)] & class != 0
}

struct Lexer<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    /// Inside `memory(...)`, `captures(...)` and summary entries a colon is a token of its own and makes no label.
    colons: Colons,
}

#[derive(PartialEq)]
enum Colons {
    Labels,
    /// Until the next `)`.
    Parenthesis,
    /// Until the end of the line.
    Line,
}

/// Cuts a chunk into tokens that cover it.
pub fn lex(text: &str) -> Lexed<LlvmKind> {
    let mut lexed = Lexed::with_capacity(text.len());
    let mut lexer = Lexer { text, bytes: text.as_bytes(), at: 0, colons: Colons::Labels };
    while lexer.at < text.len() {
        let kind = lexer.token();
        lexed.push(kind, lexer.at);
    }
    lexed
}

/// The same for some ranges of a chunk, in order, each of which starts and ends between tokens. What lies outside them is white space.
pub(super) fn lex_ranges(text: &str, ranges: &[TextRange]) -> Lexed<LlvmKind> {
    let mut lexed = Lexed::with_capacity(ranges.iter().map(|range| usize::from(range.len())).sum());
    for range in ranges {
        lexed.push(WHITESPACE, range.start().into());
        let piece = text.get(..usize::from(range.end())).unwrap_or(text);
        let mut lexer =
            Lexer { text: piece, bytes: piece.as_bytes(), at: range.start().into(), colons: Colons::Labels };
        while lexer.at < piece.len() {
            let kind = lexer.token();
            lexed.push(kind, lexer.at);
        }
    }
    lexed.push(WHITESPACE, text.len());
    lexed
}

impl Lexer<'_> {
    #[inline]
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    #[inline]
    fn skip(&mut self, class: u8) {
        while self.bytes.get(self.at).is_some_and(|b| is(*b, class)) {
            self.at += 1;
        }
    }

    /// After `!`: the name of metadata, or nothing of it.
    fn exclamation(&mut self) -> LlvmKind {
        let start = |b: u8| is(b, NAME) && !is(b, DIGIT) || b == b'\\';
        if start(self.peek(0)) {
            while is(self.peek(0), NAME) || self.peek(0) == b'\\' {
                self.at += 1;
            }
            METADATA_NAME
        } else {
            EXCLAIM
        }
    }

    /// After `$`: a label or a comdat.
    fn dollar(&mut self) -> LlvmKind {
        if self.label_tail() {
            LABEL
        } else if self.peek(0) == b'"' {
            self.at += 1;
            if self.quoted() { COMDAT } else { BAD }
        } else if is(self.peek(0), NAME) && !is(self.peek(0), DIGIT) {
            self.skip(NAME);
            COMDAT
        } else {
            BAD
        }
    }

    /// After `.`: a label or the rest of `...`.
    fn dot(&mut self) -> LlvmKind {
        if self.label_tail() {
            LABEL
        } else if self.bytes[self.at..].starts_with(b"..") {
            self.at += 2;
            ELLIPSIS
        } else {
            BAD
        }
    }

    /// After `+`: a number with a fraction has a sign; others do not.
    fn plus(&mut self) -> LlvmKind {
        let start = self.at;
        if is(self.peek(0), DIGIT) {
            self.skip(DIGIT);
            if self.peek(0) == b'.' {
                self.fraction();
                return FLOAT;
            }
            if self.bytes.get(start..self.at) == Some(b"0") && self.hexadecimal(true) {
                return HEX_FLOAT;
            }
            self.at = start;
        }
        if self.special_float() { HEX_FLOAT } else { BAD }
    }

    /// After a sign: `inf`, `qnan`, `nan(0x1)` or `snan(0x1)`.
    fn special_float(&mut self) -> bool {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let word = rest.iter().take_while(|b| is(**b, WORD_PART)).count();
        let length = match rest.get(..word) {
            Some(b"inf" | b"qnan") => word,
            Some(b"nan" | b"snan") if rest.get(word..).is_some_and(|rest| rest.starts_with(b"(0x")) => {
                let payload = rest.get(word + 3..).unwrap_or_default();
                let digits = payload.iter().take_while(|b| b.is_ascii_hexdigit()).count();
                if digits == 0 || payload.get(digits) != Some(&b')') {
                    return false;
                }
                word + 3 + digits + 1
            }
            _ => return false,
        };
        self.at += length;
        true
    }

    fn token(&mut self) -> LlvmKind {
        let start = self.at;
        let first = self.peek(0);
        if is(first, SPACE) {
            self.skip(SPACE);
            if self.colons == Colons::Line && self.bytes[start..self.at].contains(&b'\n') {
                self.colons = Colons::Labels;
            }
            return WHITESPACE;
        }
        if is(first, WORD_START) {
            return self.word();
        }
        self.at += 1;
        match first {
            b'%' => self.name(LOCAL, LOCAL_ID),
            b'@' => self.name(GLOBAL, GLOBAL_ID),
            b',' => COMMA,
            b'=' => EQUAL,
            b'0'..=b'9' | b'-' => self.number(),
            b'!' => self.exclamation(),
            b'(' => L_PAREN,
            b')' => {
                if self.colons == Colons::Parenthesis {
                    self.colons = Colons::Labels;
                }
                R_PAREN
            }
            b';' => {
                let rest = &self.bytes[self.at..];
                self.at += rest.iter().position(|b| *b == b'\n' || *b == b'\r').unwrap_or(rest.len());
                COMMENT
            }
            b'"' => {
                if !self.quoted() {
                    return BAD;
                }
                if self.peek(0) == b':' {
                    self.at += 1;
                    LABEL
                } else {
                    STRING
                }
            }
            b'[' => L_BRACKET,
            b']' => R_BRACKET,
            b'{' => L_BRACE,
            b'}' => R_BRACE,
            b'<' => LESS,
            b'>' => GREATER,
            b'*' => STAR,
            b'|' => BAR,
            b':' => COLON,
            b'#' => {
                if is(self.peek(0), DIGIT) {
                    self.skip(DIGIT);
                    ATTR_GROUP_ID
                } else {
                    HASH
                }
            }
            b'^' => {
                if !is(self.peek(0), DIGIT) {
                    return BAD;
                }
                self.skip(DIGIT);
                self.colons = Colons::Line;
                SUMMARY_ID
            }
            b'$' => self.dollar(),
            b'.' => self.dot(),
            b'+' => self.plus(),
            b'/' if self.peek(0) == b'*' => {
                match self.text.get(self.at + 1..).and_then(|rest| rest.find("*/")) {
                    Some(end) => {
                        self.at += 1 + end + 2;
                        COMMENT
                    }
                    None => {
                        self.at = self.bytes.len();
                        BAD
                    }
                }
            }
            _ => {
                while !self.text.is_char_boundary(self.at) {
                    self.at += 1;
                }
                BAD
            }
        }
    }

    /// After the opening quote. A string that does not end goes to the end of its line.
    fn quoted(&mut self) -> bool {
        let rest = &self.bytes[self.at..];
        match rest.iter().position(|b| *b == b'"') {
            Some(end) => {
                self.at += end + 1;
                true
            }
            None => {
                self.at += rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
                false
            }
        }
    }

    /// After `%` or `@`.
    fn name(&mut self, name: LlvmKind, id: LlvmKind) -> LlvmKind {
        let next = self.peek(0);
        if is(next, DIGIT) {
            self.skip(DIGIT);
            id
        } else if is(next, NAME) {
            self.skip(NAME);
            name
        } else if next == b'"' {
            self.at += 1;
            if self.quoted() { name } else { BAD }
        } else {
            BAD
        }
    }

    /// Goes past the rest of a label and its colon, if there is one.
    fn label_tail(&mut self) -> bool {
        let mut end = self.at;
        while self.bytes.get(end).is_some_and(|b| is(*b, NAME)) {
            end += 1;
        }
        let found = self.bytes.get(end) == Some(&b':');
        if found {
            self.at = end + 1;
        }
        found
    }

    fn word(&mut self) -> LlvmKind {
        let start = self.at;
        self.skip(WORD_PART);
        let end = self.at;
        let mut tail = end;
        while self.bytes.get(tail).is_some_and(|b| is(*b, NAME)) {
            tail += 1;
        }
        if self.bytes.get(tail) == Some(&b':') && self.colons == Colons::Labels {
            self.at = tail + 1;
            return LABEL;
        }
        let word = &self.text[start..end];
        if let Some(rest) = word.strip_prefix('i') {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            if digits > 0 {
                self.at = start + 1 + digits;
                return INT_TYPE;
            }
        }
        let kind = words::kind(word);
        match kind {
            MEMORY_KW | CAPTURES_KW | DENORMAL_FPENV_KW if self.colons == Colons::Labels => {
                self.colons = Colons::Parenthesis
            }
            WORD => {
                let bytes = word.as_bytes();
                if bytes.len() > 3 && (word.starts_with("u0x") || word.starts_with("s0x")) {
                    return if bytes[3..].iter().all(u8::is_ascii_hexdigit) { HEX_NUMBER } else { BAD };
                }
                // `f0x3F800000` has the bits of a number.
                if bytes.len() > 3 && word.starts_with("f0x") {
                    return if bytes[3..].iter().all(u8::is_ascii_hexdigit) { HEX_FLOAT } else { BAD };
                }
                // `cc10` is a calling convention and its number.
                if word.len() > 2 && word.starts_with("cc") && bytes[2..].iter().all(u8::is_ascii_digit) {
                    self.at = start + 2;
                    return CC_NUMBER_KW;
                }
            }
            _ => {}
        }
        kind
    }

    /// After the first digit or the sign.
    fn number(&mut self) -> LlvmKind {
        let start = self.at - 1;
        let negative = self.bytes[start] == b'-';
        if negative && !is(self.peek(0), DIGIT) {
            return match self.label_tail() {
                true => LABEL,
                false if self.special_float() => HEX_FLOAT,
                false => BAD,
            };
        }
        self.skip(DIGIT);
        let next = self.peek(0);
        if next == b':' && !negative && self.colons != Colons::Line {
            self.at += 1;
            return LABEL_ID;
        }
        if (is(next, NAME) || next == b':') && self.colons != Colons::Line && self.label_tail() {
            return LABEL;
        }
        if next == b'.' {
            self.fraction();
            return FLOAT;
        }
        let digits = start + usize::from(negative);
        if self.bytes.get(digits..self.at) == Some(b"0") && self.hexadecimal(negative) {
            return HEX_FLOAT;
        }
        NUMBER
    }

    /// At the `x` of `0x3F800000`, the bits of a number, or of `0x1.8p3`, the only form that may have a sign.
    fn hexadecimal(&mut self, is_signed: bool) -> bool {
        let start = self.at;
        let prefix = match self.peek(1) {
            b'K' | b'L' | b'M' | b'H' | b'R' if !is_signed => 2,
            _ => 1,
        };
        if self.peek(0) != b'x' || !self.peek(prefix).is_ascii_hexdigit() {
            return false;
        }
        self.at += prefix;
        while self.peek(0).is_ascii_hexdigit() {
            self.at += 1;
        }
        let has_exponent = prefix == 1 && self.binary_exponent();
        if is_signed && !has_exponent {
            self.at = start;
        }
        !is_signed || has_exponent
    }

    /// At the point of `0x1.8p3`, if there is one.
    fn binary_exponent(&mut self) -> bool {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let Some(rest) = rest.strip_prefix(b".") else { return false };
        let fraction = rest.iter().take_while(|b| b.is_ascii_hexdigit()).count();
        let sign = usize::from(matches!(rest.get(fraction + 1), Some(b'+' | b'-')));
        let exponent = rest.get(fraction + 1 + sign..).unwrap_or_default();
        let digits = exponent.iter().take_while(|b| b.is_ascii_digit()).count();
        let is_exponent = matches!(rest.get(fraction), Some(b'p' | b'P')) && digits > 0;
        if is_exponent {
            self.at += 1 + fraction + 1 + sign + digits;
        }
        is_exponent
    }

    /// At the point: fraction and exponent.
    fn fraction(&mut self) {
        self.at += 1;
        self.skip(DIGIT);
        if matches!(self.peek(0), b'e' | b'E') {
            let sign = usize::from(matches!(self.peek(1), b'+' | b'-'));
            if is(self.peek(1 + sign), DIGIT) {
                self.at += 1 + sign;
                self.skip(DIGIT);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::machine::Kind;

    fn check(text: &str, expected: Expect) {
        let lexed = lex(text);
        let tokens: Vec<_> = (0..lexed.len())
            .filter(|i| !lexed.kind(*i).is_trivia())
            .map(|i| format!("{:?} {}", lexed.kind(i), lexed.text(text, i)))
            .collect();
        // A zero byte would make this file a binary one for other tools.
        expected.assert_eq(&tokens.join("\n").replace('\0', "\\0"));
    }

    #[test]
    fn an_instruction() {
        check(
            "%1 = add nsw i32 %a, -1, !dbg !7 ; note",
            expect![[r#"
                LOCAL_ID %1
                EQUAL =
                ARITH_KW add
                NSW_KW nsw
                INT_TYPE i32
                LOCAL %a
                COMMA ,
                NUMBER -1
                COMMA ,
                METADATA_NAME !dbg
                EXCLAIM !
                NUMBER 7"#]],
        );
    }

    #[test]
    fn labels_and_colons() {
        check(
            "a.b: 7: \"q r\": -1: memory(argmem: read) x: ^0 = module: (path: \"a\")\ny:",
            expect![[r#"
                LABEL a.b:
                LABEL_ID 7:
                LABEL "q r":
                LABEL -1:
                MEMORY_KW memory
                L_PAREN (
                WORD argmem
                COLON :
                WORD read
                R_PAREN )
                LABEL x:
                SUMMARY_ID ^0
                EQUAL =
                MODULE_KW module
                COLON :
                L_PAREN (
                WORD path
                COLON :
                STRING "a"
                R_PAREN )
                LABEL y:"#]],
        );
    }

    #[test]
    fn numbers() {
        check(
            "1.5e+3 0xK4000 0x3FF u0xFF s0x1G cc10 1. i32x",
            expect![[r#"
                FLOAT 1.5e+3
                HEX_FLOAT 0xK4000
                HEX_FLOAT 0x3FF
                HEX_NUMBER u0xFF
                BAD s0x1G
                CC_NUMBER_KW cc
                NUMBER 10
                FLOAT 1.
                INT_TYPE i32
                X_KW x"#]],
        );
    }

    #[test]
    fn damaged() {
        check(
            "\"open\n@\"é\" % é + \u{0}",
            expect![[r#"
                STRING "open
                @"
                BAD é
                BAD " % é + \0"#]],
        );
    }
}
