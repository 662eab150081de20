//! Tokens of the dialect, as LLVM's `AsmLexer` cuts them for AMDGPU.
//!
//! `;` and `//` start comments anywhere, `#` only where a statement may start. A string ends at the end of its line:
//! LLVM reads on with a warning, which hides every mistake up to the next quote.
//!
//! What `llvm-objdump -d` writes around instructions is taken as comments, but for names of labels: its text is often pasted. So is
//! what AMD's own disassembler writes, as in Radeon GPU Analyzer: `shader main`, lines such as `asic(GFX11)`, and `end`.

use std::borrow::Cow;

use super::AmdgpuKind::{self, *};
use crate::machine::{Lexed, split};
use crate::wording;

/// Cuts a text into tokens.
pub fn lex(text: &str) -> Lexed<AmdgpuKind> {
    Lexer::new(text).lex_to(text.len())
}

/// Cuts a text into tokens segment by segment. Pieces end where chunks may, and have at least so many bytes, but for the last one.
pub fn lex_segments(text: &str, bytes: usize) -> impl Iterator<Item = Lexed<AmdgpuKind>> {
    let chunks = split::split(split::Lines::each(super::split::line_rule), text);
    let mut ends = chunks.into_iter().map(|chunk| usize::from(chunk.range.end()));
    let mut lexer = Lexer::new(text);
    std::iter::from_fn(move || {
        let enough = lexer.at.saturating_add(bytes);
        let end = ends.find(|end| *end >= enough).unwrap_or(text.len());
        (lexer.at < text.len()).then(|| lexer.lex_to(end))
    })
}

/// Why a token is [`BAD`], for a diagnostic.
pub fn lex_error(token: &str) -> Cow<'static, str> {
    let digits = |t: &str| t.starts_with(|c: char| c.is_ascii_digit());
    let problem = match token {
        t if t.starts_with('"') => "this string does not end on its line",
        t if t.starts_with("/*") => "this comment does not end",
        t if t.starts_with('\'') => "a character constant holds one character: `'a'`",
        t if t.starts_with("0x") || t.starts_with("0X") => "not a hexadecimal number",
        t if t.starts_with("0b") || t.starts_with("0B") => "not a binary number",
        t if digits(t) && t.contains('.') => "not a floating-point number",
        t if digits(t) => "not an octal number: a leading 0 means base 8",
        _ => return token.chars().next().map_or_else(Default::default, wording::unexpected_character).into(),
    };
    problem.into()
}

struct Lexer<'t> {
    bytes: &'t [u8],
    at: usize,
    /// Before the `>` of `0000000000000024 <name>:`.
    in_listed_label: bool,
    /// After `shader main`.
    in_shader: bool,
    starts_statement: bool,
    starts_line: bool,
    lexed: Lexed<AmdgpuKind>,
}

#[inline]
fn is_ident(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.' | b'?' | b'@')
}

impl<'t> Lexer<'t> {
    fn new(text: &'t str) -> Lexer<'t> {
        Lexer {
            bytes: text.as_bytes(),
            at: 0,
            in_listed_label: false,
            in_shader: false,
            starts_statement: true,
            starts_line: true,
            lexed: Lexed::with_capacity(0),
        }
    }

    /// The tokens from here up to the first one that ends at an offset, or after it.
    fn lex_to(&mut self, end: usize) -> Lexed<AmdgpuKind> {
        self.lexed = Lexed::starting_at(self.at, end.saturating_sub(self.at));
        self.run(end);
        std::mem::replace(&mut self.lexed, Lexed::with_capacity(0))
    }

    #[inline]
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    #[inline]
    fn skip(&mut self, accept: impl Fn(u8) -> bool) {
        while self.bytes.get(self.at).is_some_and(|b| accept(*b)) {
            self.at += 1;
        }
    }

    fn run(&mut self, end: usize) {
        while self.at < end
            && let Some(&byte) = self.bytes.get(self.at)
        {
            let start = self.at;
            if std::mem::replace(&mut self.starts_line, matches!(byte, b'\n' | b'\r')) && self.listing() {
                self.lexed.push(COMMENT, self.at);
                continue;
            }
            self.at += 1;
            let kind = match byte {
                b' ' | b'\t' | 0 => {
                    self.skip(|b| matches!(b, b' ' | b'\t' | 0));
                    WHITESPACE
                }
                b'\n' => EOL,
                b'\r' => {
                    if self.peek(0) == b'\n' {
                        self.at += 1;
                    }
                    EOL
                }
                b';' => self.line_comment(),
                b'#' if self.starts_statement => self.line_comment(),
                b'/' if self.peek(0) == b'/' => self.line_comment(),
                b'/' if self.peek(0) == b'*' => self.block_comment(),
                b'.' if self.peek(0).is_ascii_digit() => self.dot_digit(),
                b'.' if !is_ident(self.peek(0)) => DOT,
                b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'.' | b'$' => {
                    self.skip(is_ident);
                    IDENT
                }
                b'0'..=b'9' => self.number(byte),
                b'>' if std::mem::take(&mut self.in_listed_label) => COMMENT,
                b'"' => self.string(),
                b'\'' => self.character(),
                _ => self.punctuation(byte),
            };
            if kind == BAD && !byte.is_ascii() {
                // A whole character, so that tokens are text.
                self.skip(|b| b & 0xc0 == 0x80);
            }
            self.starts_statement = kind == EOL || (self.starts_statement && kind == WHITESPACE);
            debug_assert!(self.at > start);
            self.lexed.push(kind, self.at);
        }
    }

    /// Skips what only a disassembler writes at the start of a line: file names, headings, addresses, `...` for zeros.
    fn listing(&mut self) -> bool {
        let rest = self.bytes.get(self.at..).unwrap_or(&[]);
        // Most lines are instructions.
        if matches!(rest, [b'\t' | b' ', ..]) && !self.in_shader && !rest.starts_with(b"\t\t...") {
            return false;
        }
        let length = rest.iter().position(|b| matches!(b, b'\n' | b'\r')).unwrap_or(rest.len());
        let line = rest.get(..length).unwrap_or(&[]);
        if self.shader_line(line, rest) {
            self.at += length;
            return true;
        }
        let digits = line.iter().take_while(|b| b.is_ascii_hexdigit()).count();
        let after = line.get(digits..).unwrap_or(&[]);
        if matches!(digits, 8 | 16) && after.starts_with(b" <") && after.ends_with(b">:") {
            let name = after.get(2..after.len() - 2).unwrap_or(&[]);
            // `L0` counts from 0 again in each function.
            let is_local = matches!(name, [b'L', number @ ..] if number.iter().all(u8::is_ascii_digit));
            self.in_listed_label = !is_local && !name.is_empty() && name.iter().all(|b| is_ident(*b));
            self.at += if self.in_listed_label { digits + 2 } else { length };
            return true;
        }
        let is_heading = line.starts_with(b"Disassembly of section ")
            || line.ends_with(b":\tfile format elf64-amdgpu")
            || line.trim_ascii_end() == b"\t\t...";
        self.at += if is_heading { length } else { 0 };
        is_heading
    }

    /// Whether a line is one of those that AMD's disassembler writes around a shader. A large file may be read from its middle on.
    fn shader_line(&mut self, line: &[u8], rest: &[u8]) -> bool {
        const PROPERTIES: [&[u8]; 5] = [b"asic(", b"type(", b"sgpr_count(", b"vgpr_count(", b"wave_size("];
        if let Some(name) = line.strip_prefix(b"shader ") {
            self.in_shader = !name.is_empty() && name.iter().all(|b| is_ident(*b));
            return self.in_shader;
        }
        let word = line.trim_ascii();
        let is_last = || rest.trim_ascii().len() == word.len();
        if word == b"end" && line.starts_with(b"end") && (self.in_shader || is_last()) {
            self.in_shader = false;
            return true;
        }
        self.in_shader && word.ends_with(b")") && PROPERTIES.iter().any(|property| word.starts_with(property))
    }

    fn line_comment(&mut self) -> AmdgpuKind {
        self.skip(|b| b != b'\n' && b != b'\r');
        COMMENT
    }

    fn block_comment(&mut self) -> AmdgpuKind {
        self.at += 1;
        let rest = self.bytes.get(self.at..).unwrap_or(&[]);
        match rest.windows(2).position(|w| w == b"*/") {
            Some(end) => {
                self.at += end + 2;
                COMMENT
            }
            None => {
                self.at = self.bytes.len();
                BAD
            }
        }
    }

    fn dot_digit(&mut self) -> AmdgpuKind {
        self.skip(|b| b.is_ascii_digit());
        if !is_ident(self.peek(0)) || matches!(self.peek(0), b'e' | b'E') {
            return self.fraction();
        }
        self.skip(is_ident);
        IDENT
    }

    /// After the dot and perhaps some digits.
    fn fraction(&mut self) -> AmdgpuKind {
        self.skip(|b| b.is_ascii_digit());
        if matches!(self.peek(0), b'+' | b'-') {
            return BAD;
        }
        if matches!(self.peek(0), b'e' | b'E') {
            self.at += 1;
            if matches!(self.peek(0), b'+' | b'-') {
                self.at += 1;
            }
            self.skip(|b| b.is_ascii_digit());
        }
        REAL
    }

    fn number(&mut self, first: u8) -> AmdgpuKind {
        if first != b'0' || self.peek(0) == b'.' {
            self.skip(|b| b.is_ascii_digit());
            if matches!(self.peek(0), b'.' | b'e' | b'E') {
                if self.peek(0) == b'.' {
                    self.at += 1;
                }
                return self.fraction();
            }
            self.suffix();
            return INT;
        }
        match self.peek(0) {
            b'b' | b'B' => {
                if !self.peek(1).is_ascii_digit() {
                    // `0b` is the last label `0:`.
                    return INT;
                }
                self.at += 1;
                let digits = self.at;
                self.skip(|b| matches!(b, b'0' | b'1'));
                if self.at == digits {
                    return BAD;
                }
                self.suffix();
                INT
            }
            b'x' | b'X' => {
                self.at += 1;
                let digits = self.at;
                self.skip(|b| b.is_ascii_hexdigit());
                if matches!(self.peek(0), b'.' | b'p' | b'P') {
                    return self.hex_fraction(self.at > digits);
                }
                if self.at == digits {
                    return BAD;
                }
                self.suffix();
                INT
            }
            _ => {
                let digits = self.at;
                self.skip(|b| b.is_ascii_digit());
                if self.bytes.get(digits..self.at).unwrap_or(&[]).iter().any(|b| *b > b'7') {
                    return BAD;
                }
                self.suffix();
                INT
            }
        }
    }

    fn hex_fraction(&mut self, mut digits: bool) -> AmdgpuKind {
        if self.peek(0) == b'.' {
            self.at += 1;
            digits |= self.peek(0).is_ascii_hexdigit();
            self.skip(|b| b.is_ascii_hexdigit());
        }
        if !digits || !matches!(self.peek(0), b'p' | b'P') {
            return BAD;
        }
        self.at += 1;
        if matches!(self.peek(0), b'+' | b'-') {
            self.at += 1;
        }
        let exponent = self.at;
        self.skip(|b| b.is_ascii_digit());
        if self.at > exponent { REAL } else { BAD }
    }

    /// `u`, `l`, `ll`, `ul`, `ull` after a number mean nothing.
    fn suffix(&mut self) {
        if matches!(self.peek(0), b'u' | b'U') {
            self.at += 1;
        }
        for _ in 0..2 {
            if matches!(self.peek(0), b'l' | b'L') {
                self.at += 1;
            }
        }
    }

    fn string(&mut self) -> AmdgpuKind {
        loop {
            match self.bytes.get(self.at) {
                None | Some(b'\n' | b'\r') => return BAD,
                Some(b'"') => {
                    self.at += 1;
                    return STRING;
                }
                Some(b'\\') if !matches!(self.peek(1), b'\n' | b'\r') => self.at += 2,
                Some(_) => self.at += 1,
            }
            self.at = self.at.min(self.bytes.len());
        }
    }

    fn character(&mut self) -> AmdgpuKind {
        if self.peek(0) == b'\\' {
            self.at += 1;
        }
        if matches!(self.peek(0), b'\n' | b'\r' | 0) || !self.peek(0).is_ascii() {
            return BAD;
        }
        self.at += 1;
        if self.peek(0) == b'\'' {
            self.at += 1;
            return INT;
        }
        BAD
    }

    fn second(&mut self, next: u8, two: AmdgpuKind, one: AmdgpuKind) -> AmdgpuKind {
        if self.bytes.get(self.at) == Some(&next) {
            self.at += 1;
            two
        } else {
            one
        }
    }

    fn punctuation(&mut self, byte: u8) -> AmdgpuKind {
        match byte {
            b',' => COMMA,
            b':' => COLON,
            b'+' => PLUS,
            b'-' => self.second(b'>', ARROW, MINUS),
            b'~' => TILDE,
            b'*' => STAR,
            b'/' => SLASH,
            b'%' => PERCENT,
            b'(' => L_PAREN,
            b')' => R_PAREN,
            b'[' => L_BRACKET,
            b']' => R_BRACKET,
            b'{' => L_BRACE,
            b'}' => R_BRACE,
            b'@' => AT,
            b'#' => HASH,
            b'?' => QUESTION,
            b'\\' => BACKSLASH,
            b'^' => CARET,
            b'=' => self.second(b'=', EQUAL_EQUAL, EQUAL),
            b'|' => self.second(b'|', PIPE_PIPE, PIPE),
            b'&' => self.second(b'&', AMP_AMP, AMP),
            b'!' => self.second(b'=', EXCLAIM_EQUAL, EXCLAIM),
            b'<' => match self.peek(0) {
                b'<' => self.second(b'<', LESS_LESS, LESS),
                b'>' => self.second(b'>', LESS_GREATER, LESS),
                _ => self.second(b'=', LESS_EQUAL, LESS),
            },
            b'>' => match self.peek(0) {
                b'>' => self.second(b'>', GREATER_GREATER, GREATER),
                _ => self.second(b'=', GREATER_EQUAL, GREATER),
            },
            _ => BAD,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(text: &str) -> String {
        let lexed = lex(text);
        let words: Vec<String> = (0..lexed.len())
            .filter(|i| lexed.kind(*i) != WHITESPACE)
            .map(|i| format!("{:?} {:?}", lexed.kind(i), lexed.text(text, i)))
            .collect();
        words.join(", ")
    }

    #[test]
    fn segments_have_the_tokens_of_the_text() {
        let text = "f:\n# a\n  # b\ns_nop 0 # c\n/* d\n # e */ s_nop 1\n.macro m\n  s_nop 2\n.endm\n\
            0000000000000000 <f>:\r\nshader main\n  asic(GFX11)\n  s_nop 3\nend\nasic(x)\ns_nop 4\n"
            .repeat(100);
        let tokens = |lexed: &Lexed<AmdgpuKind>| -> Vec<_> {
            (0..lexed.len()).map(|i| (lexed.kind(i), lexed.range(i))).collect()
        };
        let counts = [0, 1, 6000, text.len()].map(|bytes| {
            let segments: Vec<_> = lex_segments(&text, bytes).collect();
            assert_eq!(segments.iter().flat_map(tokens).collect::<Vec<_>>(), tokens(&lex(&text)));
            segments.len()
        });
        expect_test::expect!["[101, 101, 3, 1]"].assert_eq(&format!("{counts:?}"));
    }

    #[test]
    fn numbers() {
        expect_test::expect![[r#"INT "1", IDENT "D", REAL "1e5", REAL "0x1p-3", INT "0", IDENT "b", INT "017", BAD "08", REAL ".5", IDENT ".5a", INT "10ull""#]]
            .assert_eq(&show("1D 1e5 0x1p-3 0b 017 08 .5 .5a 10ull"));
    }

    #[test]
    fn comments() {
        expect_test::expect![[r##"COMMENT "# a", EOL "\n", IDENT "x", HASH "#", IDENT "b", COMMENT "/* c\n */", COMMENT "; d", EOL "\r\n", COMMENT "// e""##]]
            .assert_eq(&show("  # a\nx # b /* c\n */; d\r\n// e"));
    }

    #[test]
    fn what_a_disassembler_writes_around_instructions_is_a_comment() {
        expect_test::expect![[r#"COMMENT "a.o:\tfile format elf64-amdgpu", EOL "\n", COMMENT "Disassembly of section .text:", EOL "\n", COMMENT "0000000000000000 <", IDENT "f", COMMENT ">", COLON ":", EOL "\n", IDENT "s_nop", INT "0", COMMENT "// 000000000000: BF800000", EOL "\n", COMMENT "0000000000000004 <L0>:", EOL "\n", COMMENT "\t\t...", EOL "\n", INT "00000004", LESS "<", IDENT "x", GREATER ">""#]]
            .assert_eq(&show("a.o:\tfile format elf64-amdgpu\nDisassembly of section .text:\n0000000000000000 <f>:\n\ts_nop 0 // 000000000000: BF800000\n0000000000000004 <L0>:\n\t\t...\n00000004 <x>"));
    }

    #[test]
    fn what_the_disassembler_of_amd_writes_around_instructions_is_a_comment() {
        expect_test::expect![[r#"COMMENT "shader main", EOL "\n", COMMENT "  asic(GFX11)", EOL "\n", COMMENT "  sgpr_count(14)", EOL "\n", IDENT "s_nop", INT "0", EOL "\n", COMMENT "end", EOL "\n", IDENT "asic", L_PAREN "(", IDENT "x", R_PAREN ")", EOL "\n", IDENT "shader", IDENT "a", IDENT "b", EOL "\n", IDENT "end", EOL "\n", COMMENT "end""#]]
            .assert_eq(&show("shader main\n  asic(GFX11)\n  sgpr_count(14)\n  s_nop 0\nend\nasic(x)\nshader a b\nend\nend"));
    }

    #[test]
    fn words_and_operators() {
        expect_test::expect![[r#"IDENT "v_mov_b32", IDENT "v0.l", COMMA ",", IDENT ".Lx@rel32@lo", PLUS "+", INT "4", LESS_GREATER "<>", DOT ".", BAD "\"a"#]]
            .assert_eq(&show("v_mov_b32 v0.l, .Lx@rel32@lo+4 <> . \"a").replace("\\\"a\"", "\\\"a"));
    }
}
