//! Reading a statement token by token.

use wavelens_syntax::amdgpu::AmdgpuKind::{self, *};
use wavelens_syntax::machine::Lexed;
use wavelens_syntax::wording;

use wavelens_base::{TextRange, TextSize};

/// A place in the significant tokens of a text. Copy it to look ahead.
#[derive(Debug, Clone, Copy)]
pub struct Cursor<'t> {
    pub(crate) text: &'t str,
    pub(crate) lexed: &'t Lexed<AmdgpuKind>,
    at: usize,
}

impl<'t> Cursor<'t> {
    /// At the first token that is not white space.
    pub fn new(text: &'t str, lexed: &'t Lexed<AmdgpuKind>) -> Self {
        Cursor { text, lexed, at: lexed.skip_trivia(0) }
    }

    /// Index of the current token among all of them.
    pub(crate) fn index(&self) -> usize {
        self.at
    }

    pub(crate) fn seek(&mut self, index: usize) {
        self.at = self.lexed.skip_trivia(index);
    }

    /// Kind of the current token.
    #[inline]
    pub fn kind(&self) -> AmdgpuKind {
        self.lexed.kind(self.at)
    }

    /// Whether the current token has this kind.
    #[inline]
    pub fn at(&self, kind: AmdgpuKind) -> bool {
        self.kind() == kind
    }

    /// Whether the statement ends here.
    #[inline]
    pub fn at_eol(&self) -> bool {
        matches!(self.kind(), EOL | EOF)
    }

    /// Text of the current token.
    #[inline]
    pub fn word(&self) -> &'t str {
        self.lexed.text(self.text, self.at)
    }

    /// "expected `]`, found `slc`".
    pub(crate) fn expected(&self, what: &str) -> String {
        wording::expected_token(what, Some(if self.at_eol() { "" } else { self.word() }))
    }

    /// The kind of the token `n` places on; 0 is the current one.
    #[inline]
    pub fn nth(&self, n: usize) -> AmdgpuKind {
        self.lexed.kind(self.nth_index(n))
    }

    pub(crate) fn nth_word(&self, n: usize) -> &'t str {
        self.lexed.text(self.text, self.nth_index(n))
    }

    fn nth_index(&self, n: usize) -> usize {
        (0..n).fold(self.at, |i, _| self.lexed.skip_trivia(i + 1))
    }

    /// Whether the next token follows without white space.
    pub fn next_is_adjacent(&self) -> bool {
        self.nth_index(1) == self.at + 1
    }

    /// Range of the current token in the chunk.
    #[inline]
    pub fn range(&self) -> TextRange {
        self.lexed.range(self.at)
    }

    #[inline]
    pub(crate) fn start(&self) -> TextSize {
        TextSize::new(self.lexed.start(self.at))
    }

    /// From `start` to the end of the last token before the current one.
    pub fn since(&self, start: TextSize) -> TextRange {
        let mut last = self.at;
        while last > 0 && matches!(self.lexed.kind(last - 1), WHITESPACE | COMMENT) {
            last -= 1;
        }
        TextRange::new(start, TextSize::new(self.lexed.start(last)).max(start))
    }

    /// Goes on to the next token.
    #[inline]
    pub fn bump(&mut self) {
        if self.at < self.lexed.len() {
            self.at = self.lexed.skip_trivia(self.at + 1);
        }
    }

    /// Goes on if the current token has this kind, and returns whether it has.
    #[inline]
    pub fn eat(&mut self, kind: AmdgpuKind) -> bool {
        let at = self.at(kind);
        if at {
            self.bump();
        }
        at
    }

    /// Takes a word or a quoted name.
    pub(crate) fn name(&mut self) -> Option<(&'t str, TextRange)> {
        let found = match self.kind() {
            IDENT => self.word(),
            STRING => unquote(self.word()),
            AT | DOLLAR if matches!(self.nth(1), IDENT | INT) && self.next_is_adjacent() => {
                let start = self.range().start();
                self.bump();
                let range = TextRange::new(start, self.range().end());
                self.bump();
                return Some((self.text.get(std::ops::Range::<usize>::from(range)).unwrap_or(""), range));
            }
            _ => return None,
        };
        let range = self.range();
        self.bump();
        Some((found, range))
    }

    /// Goes to the end of the line.
    pub fn skip_line(&mut self) {
        while !self.at_eol() {
            self.bump();
        }
    }

    /// The raw text up to the end of the statement, comments cut off.
    pub(crate) fn rest(&mut self) -> &'t str {
        let start = self.start();
        self.skip_line();
        self.slice(self.since(start))
    }

    /// The texts of all tokens but comments in a range that starts and ends between tokens.
    pub(crate) fn tokens_between(&self, start: TextSize, end: TextSize) -> impl Iterator<Item = &'t str> {
        let (text, lexed) = (self.text, self.lexed);
        (lexed.at_offset(start)..lexed.len())
            .take_while(move |i| lexed.start(*i) < u32::from(end))
            .filter(move |i| lexed.kind(*i) != COMMENT)
            .map(move |i| lexed.text(text, i))
    }

    pub(crate) fn slice(&self, range: TextRange) -> &'t str {
        self.text.get(std::ops::Range::<usize>::from(range)).unwrap_or("")
    }
}

/// A string's text without its quotes, escapes as written.
pub fn unquote(string: &str) -> &str {
    string.strip_prefix('"').and_then(|s| s.strip_suffix('"')).unwrap_or(string)
}

/// The value of an integer or character token; `None` when it needs more than 128 bits.
pub fn integer(token: &str) -> Option<u128> {
    if let Some(inner) = token.strip_prefix('\'') {
        let mut chars = inner.chars();
        return Some(match (chars.next()?, chars.next()) {
            ('\\', Some('t')) => 9,
            ('\\', Some('n')) => 10,
            ('\\', Some('b')) => 8,
            ('\\', Some('f')) => 12,
            ('\\', Some('r')) => 13,
            ('\\', Some(c)) if c != '\'' || inner.len() > 2 => c as u128,
            (c, _) => c as u128,
        });
    }
    let digits = token.trim_end_matches(['u', 'U', 'l', 'L']);
    let (digits, radix) = match digits.get(..2) {
        Some("0x" | "0X") => (digits.get(2..)?, 16),
        Some("0b" | "0B") => (digits.get(2..)?, 2),
        _ if digits.len() > 1 && digits.starts_with('0') => (digits, 8),
        _ => (digits, 10),
    };
    u128::from_str_radix(digits, radix).ok()
}

/// The nearest double of a floating-point token, hexadecimal ones included.
pub fn real(token: &str) -> Option<f64> {
    let Some(hex) = token.strip_prefix("0x").or_else(|| token.strip_prefix("0X")) else {
        // An exponent without digits is 0 (LLVM, APFloat.cpp, readExponent).
        let number = match token.split_once(['e', 'E']) {
            Some((number, "" | "+" | "-")) => number,
            _ => token,
        };
        return number.trim_end_matches('.').parse().ok();
    };
    use rustc_apfloat::Float;
    let value =
        rustc_apfloat::ieee::Double::from_str_r(&format!("0x{hex}"), rustc_apfloat::Round::NearestTiesToEven);
    Some(f64::from_bits(value.ok()?.value.to_bits() as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!(integer("0x1F"), Some(31));
        assert_eq!(integer("017ull"), Some(15));
        assert_eq!(integer("0b101"), Some(5));
        assert_eq!(integer("'a'"), Some(97));
        assert_eq!(integer("'\\n'"), Some(10));
        assert_eq!(real("1.5e1"), Some(15.0));
        assert_eq!(real("2."), Some(2.0));
        assert_eq!((real("1e"), real("2.E+"), real("2.5e-")), (Some(1.0), Some(2.0), Some(2.5)));
        assert_eq!((real("e"), real("1e+-")), (None, None));
        assert_eq!(real("0x1.8p1"), Some(3.0));
    }
}
