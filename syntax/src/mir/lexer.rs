//! Tokens of a chunk, and the structure that YAML's indentation adds to them, after LLVM's `YAMLParser`.

use super::mi_lexer;
use super::{BYTE_ORDER_MARK, ChunkKind, MirKind};
use crate::machine::Lexed;

/// What YAML's grammar sees. Those without a token of their own are marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece {
    Scalar,
    /// One indicator token and one text token at most.
    BlockScalar,
    /// One indicator token and body tokens.
    Body,
    /// More of an IR module; one text token.
    Ir,
    /// May stand for no token.
    Key,
    Value,
    FlowEntry,
    BlockEntry,
    /// No token.
    MappingStart,
    /// No token.
    SequenceStart,
    /// No token.
    BlockEnd,
    FlowMappingStart,
    FlowMappingEnd,
    FlowSequenceStart,
    FlowSequenceEnd,
    DocumentStart,
    DocumentEnd,
    Directive,
    /// An unknown directive and the rest of the chunk.
    Unread,
    Alias,
    Anchor,
    Tag,
    /// The scanner stopped here; the rest of the chunk is one token.
    Stop(&'static str),
}

struct SimpleKey {
    /// Index in the pieces.
    piece: usize,
    line: u32,
    column: u32,
    flow: u32,
}

struct Scanner<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    line: u32,
    line_start: usize,
    indent: i64,
    indents: Vec<i64>,
    flow: u32,
    key_allowed: bool,
    adjacent_value: bool,
    keys: Vec<SimpleKey>,
    pieces: Vec<Piece>,
    lexed: Lexed<MirKind>,
    last_scalar: (usize, usize),
}

/// Lexes a chunk of a kind.
pub(super) fn lex(text: &str, kind: ChunkKind) -> (Lexed<MirKind>, Vec<Piece>) {
    let mut s = Scanner {
        text,
        bytes: text.as_bytes(),
        at: 0,
        line: 0,
        line_start: 0,
        indent: -1,
        indents: Vec::new(),
        flow: 0,
        key_allowed: true,
        adjacent_value: false,
        keys: Vec::new(),
        pieces: Vec::new(),
        lexed: Lexed::with_capacity(text.len()),
        last_scalar: (0, 0),
    };
    if text.starts_with(BYTE_ORDER_MARK) {
        s.at = BYTE_ORDER_MARK.len_utf8();
        s.line_start = s.at;
        s.lexed.push(MirKind::WHITESPACE, s.at);
    }
    if kind == ChunkKind::IrMore {
        s.skip_blank_lines();
        s.block_lines(MirKind::IR_TEXT, Piece::Ir);
    }
    while s.step() {}
    (s.lexed, s.pieces)
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

impl Scanner<'_> {
    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn column(&self) -> u32 {
        (self.at - self.line_start) as u32
    }

    fn blank_at(&self, ahead: usize) -> bool {
        self.peek(ahead).is_some_and(is_blank)
    }

    fn blank_or_end(&self, ahead: usize) -> bool {
        self.peek(ahead).is_none_or(is_blank)
    }

    /// Whether a plain scalar may go on here.
    fn plain_safe(&self, ahead: usize) -> bool {
        self.peek(ahead)
            .is_some_and(|b| !(is_blank(b) || self.flow > 0 && matches!(b, b',' | b'[' | b']' | b'{' | b'}')))
    }

    fn new_line(&mut self) {
        self.at += 1;
        self.line += 1;
        self.line_start = self.at;
    }

    fn skip_blank_lines(&mut self) {
        loop {
            let line = self.bytes.get(self.at..).unwrap_or(&[]);
            let length = line.iter().position(|b| *b == b'\n').map_or(line.len(), |p| p + 1);
            let line = &line[..length];
            let comment = line.first() == Some(&b'#');
            if line.is_empty() || !(comment || line.iter().all(|b| is_blank(*b))) {
                return;
            }
            self.at += length;
            self.line += 1;
            self.line_start = self.at;
            self.lexed.push(if comment { MirKind::COMMENT } else { MirKind::WHITESPACE }, self.at);
        }
    }

    fn stop(&mut self, message: &'static str) -> bool {
        self.pieces.push(Piece::Stop(message));
        self.at = self.bytes.len();
        self.lexed.push(MirKind::Y_BAD, self.at);
        false
    }

    /// Whether the last line in the first column is the label of a block.
    fn is_below_label(&self) -> bool {
        let before = self.bytes.get(..self.at).unwrap_or_default();
        let mut lines = before.rsplit(|byte| *byte == b'\n');
        lines
            .find(|line| line.first().is_some_and(|byte| !is_blank(*byte)))
            .is_some_and(|l| l.starts_with(b"bb."))
    }

    /// Whether tabs indent this line.
    fn is_after_tab(&self) -> bool {
        let before = self.bytes.get(..self.at).unwrap_or_default();
        before.iter().rev().take_while(|byte| is_blank(**byte)).any(|byte| *byte == b'\t')
    }

    /// Blanks, comments and line ends before the next token.
    fn skip_trivia(&mut self) {
        loop {
            while matches!(self.peek(0), Some(b' ' | b'\t')) {
                self.at += 1;
            }
            if self.peek(0) == Some(b'#') {
                self.lexed.push(MirKind::WHITESPACE, self.at);
                while self.peek(0).is_some_and(|b| !matches!(b, b'\n' | b'\r')) {
                    self.at += 1;
                }
                self.lexed.push(MirKind::COMMENT, self.at);
            }
            match self.peek(0) {
                Some(b'\r') if self.peek(1) == Some(b'\n') => {
                    self.at += 1;
                    self.new_line();
                }
                Some(b'\n' | b'\r') => self.new_line(),
                _ => break,
            }
            if self.flow == 0 {
                self.key_allowed = true;
            }
        }
        self.lexed.push(MirKind::WHITESPACE, self.at);
    }

    fn drop_stale_keys(&mut self) {
        let (line, column) = (self.line, self.column());
        self.keys.retain(|k| k.line == line && k.column + 1024 >= column);
    }

    fn drop_key_on_level(&mut self) {
        if self.keys.last().is_some_and(|k| k.flow == self.flow) {
            self.keys.pop();
        }
    }

    fn save_key(&mut self, column: u32) {
        if self.key_allowed {
            let piece = self.pieces.len() - 1;
            self.keys.push(SimpleKey { piece, line: self.line, column, flow: self.flow });
        }
    }

    fn unroll(&mut self, column: i64) {
        if self.flow > 0 {
            return;
        }
        while self.indent > column {
            self.pieces.push(Piece::BlockEnd);
            self.indent = self.indents.pop().unwrap_or(-1);
        }
    }

    fn roll(&mut self, column: i64, piece: Piece, at: usize) {
        if self.flow == 0 && self.indent < column {
            self.indents.push(self.indent);
            self.indent = column;
            self.pieces.insert(at.min(self.pieces.len()), piece);
        }
    }

    /// Consumes `length` bytes as one token.
    fn take(&mut self, length: usize, kind: MirKind, piece: Piece) {
        self.at += length;
        self.lexed.push(kind, self.at);
        self.pieces.push(piece);
    }

    fn reset_for_document(&mut self) {
        self.unroll(-1);
        self.keys.clear();
        self.key_allowed = false;
        self.adjacent_value = false;
    }

    /// One token; false at the end.
    fn step(&mut self) -> bool {
        self.skip_trivia();
        let Some(byte) = self.peek(0) else {
            self.flow = 0;
            self.unroll(-1);
            return false;
        };
        self.drop_stale_keys();
        let column = self.column();
        self.unroll(column.into());
        if column == 0 {
            let rest = self.bytes.get(self.at..).unwrap_or(&[]);
            if byte == b'%' {
                self.reset_for_document();
                let is_known = |name: &[u8]| {
                    rest.strip_prefix(name).is_some_and(|r| r.first().is_none_or(|b| is_blank(*b)))
                };
                if !is_known(b"%YAML") && !is_known(b"%TAG") {
                    // LLVM reads nothing after it and reports nothing.
                    self.take(rest.len(), MirKind::UNREAD, Piece::Unread);
                    return false;
                }
                let length = rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
                self.take(length, MirKind::DIRECTIVE, Piece::Directive);
                return true;
            }
            if rest.starts_with(b"---") && self.blank_or_end(3) {
                self.reset_for_document();
                self.take(3, MirKind::DOC_START, Piece::DocumentStart);
                return true;
            }
            if rest.starts_with(b"...") && self.blank_or_end(3) {
                self.reset_for_document();
                self.take(3, MirKind::DOC_END, Piece::DocumentEnd);
                return true;
            }
        }
        match byte {
            b'[' => self.flow_start(MirKind::Y_LBRACKET, Piece::FlowSequenceStart),
            b'{' => self.flow_start(MirKind::Y_LBRACE, Piece::FlowMappingStart),
            b']' => self.flow_end(MirKind::Y_RBRACKET, Piece::FlowSequenceEnd),
            b'}' => self.flow_end(MirKind::Y_RBRACE, Piece::FlowMappingEnd),
            b',' => {
                self.drop_key_on_level();
                self.key_allowed = true;
                self.adjacent_value = false;
                self.take(1, MirKind::Y_COMMA, Piece::FlowEntry);
            }
            b'-' if self.blank_or_end(1) => {
                let end = self.pieces.len();
                self.roll(column.into(), Piece::SequenceStart, end);
                self.drop_key_on_level();
                self.key_allowed = true;
                self.adjacent_value = false;
                self.take(1, MirKind::DASH, Piece::BlockEntry);
            }
            b'?' if self.blank_or_end(1) => {
                let end = self.pieces.len();
                self.roll(column.into(), Piece::MappingStart, end);
                self.drop_key_on_level();
                self.key_allowed = self.flow == 0;
                self.adjacent_value = false;
                self.take(1, MirKind::QUESTION, Piece::Key);
            }
            b':' if !self.plain_safe(1) || self.adjacent_value => self.value(column),
            b'*' => return self.anchor(MirKind::ALIAS, Piece::Alias, column),
            b'&' => return self.anchor(MirKind::ANCHOR, Piece::Anchor, column),
            b'!' => {
                let rest = self.bytes.get(self.at..).unwrap_or(&[]);
                let length = rest.iter().position(|b| is_blank(*b)).unwrap_or(rest.len());
                self.take(length, MirKind::TAG, Piece::Tag);
                self.save_key(column);
                self.key_allowed = false;
                self.adjacent_value = false;
            }
            b'|' | b'>' if self.flow == 0 => return self.block_scalar(),
            b'\'' | b'"' => return self.quoted(byte, column),
            b'-' | b'?' | b':' if self.plain_safe(1) => return self.plain(column),
            b'%' if self.is_below_label() => {
                return self.stop(
                    "this is outside of `body: |`, which ends at the label above: the label is not indented",
                );
            }
            b'%' if self.is_after_tab() => {
                return self.stop("YAML does not count tabs as indentation: indent the line with spaces");
            }
            b'%' => {
                return self.stop(
                    "a YAML value cannot start with `%`: indent the line if it belongs to the block above",
                );
            }
            b'@' => return self.stop("a YAML value cannot start with `@`, unless it is in quotes"),
            b'-' | b'?' | b':' | b'#' | b'|' | b'>' | b'`' => {
                return self.stop("a YAML value cannot start with this character, unless it is in quotes");
            }
            _ => return self.plain(column),
        }
        true
    }

    fn flow_start(&mut self, kind: MirKind, piece: Piece) {
        let column = self.column();
        self.take(1, kind, piece);
        self.save_key(column);
        self.key_allowed = true;
        self.adjacent_value = false;
        self.flow += 1;
    }

    fn flow_end(&mut self, kind: MirKind, piece: Piece) {
        self.drop_key_on_level();
        self.key_allowed = false;
        self.adjacent_value = true;
        self.take(1, kind, piece);
        self.flow = self.flow.saturating_sub(1);
    }

    fn value(&mut self, column: u32) {
        if let Some(key) = self.keys.pop() {
            self.pieces.insert(key.piece.min(self.pieces.len()), Piece::Key);
            self.roll(key.column.into(), Piece::MappingStart, key.piece);
            self.key_allowed = false;
        } else {
            let end = self.pieces.len();
            self.roll(column.into(), Piece::MappingStart, end);
            self.key_allowed = self.flow == 0;
        }
        self.adjacent_value = false;
        self.take(1, MirKind::Y_COLON, Piece::Value);
    }

    fn anchor(&mut self, kind: MirKind, piece: Piece, column: u32) -> bool {
        let rest = self.bytes.get(self.at + 1..).unwrap_or(&[]);
        let ends = |b: &u8| is_blank(*b) || matches!(b, b'[' | b']' | b'{' | b'}' | b',' | b':');
        let length = rest.iter().position(ends).unwrap_or(rest.len());
        if length == 0 {
            let line = self.bytes.get(..self.at).unwrap_or(&[]).rsplit(|b| *b == b'\n').next().unwrap_or(&[]);
            return self.stop(match kind {
                _ if line.trim_ascii_start().starts_with(b";") => {
                    "`;` does not start a comment outside of IR and function bodies: use `#`"
                }
                MirKind::ALIAS => "missing name of a YAML alias after `*`",
                _ => "missing name of a YAML anchor after `&`",
            });
        }
        self.take(length + 1, kind, piece);
        self.save_key(column);
        self.key_allowed = false;
        self.adjacent_value = false;
        true
    }

    fn quoted(&mut self, quote: u8, column: u32) -> bool {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek(0) {
                None => {
                    self.at = start;
                    return self.stop("unterminated quoted value");
                }
                Some(b'\\') if quote == b'"' => self.at += 2,
                Some(b'\'') if quote == b'\'' && self.peek(1) == Some(b'\'') => self.at += 2,
                Some(b) if b == quote => break,
                // LLVM does not count the lines of a double-quoted value.
                Some(b'\n') if quote == b'\'' => self.new_line(),
                Some(_) => self.at += 1,
            }
        }
        self.last_scalar = (start, self.at + 1);
        let kind = if quote == b'"' { MirKind::DOUBLE_QUOTED } else { MirKind::SINGLE_QUOTED };
        self.take(1, kind, Piece::Scalar);
        self.save_key(column);
        self.key_allowed = false;
        self.adjacent_value = true;
        true
    }

    fn plain(&mut self, column: u32) -> bool {
        let start = self.at;
        let indent = self.indent + 1;
        let mut end = self.at;
        loop {
            match self.peek(0) {
                None | Some(b'#') => break,
                _ => {}
            }
            let before = self.at;
            while self
                .peek(0)
                .is_some_and(|b| if b == b':' { self.plain_safe(1) } else { self.plain_safe(0) })
            {
                self.at += 1;
            }
            if self.at > before {
                end = self.at;
            }
            if !self.blank_at(0) {
                break;
            }
            let (line, line_start) = (self.line, self.line_start);
            while self.blank_at(0) {
                if self.peek(0) == Some(b'\n') {
                    self.new_line();
                } else if self.peek(0) == Some(b'\t') && self.line > line && i64::from(self.column()) < indent
                {
                    self.scalar(start, end);
                    return self.stop("a tab must not indent a line of YAML");
                } else {
                    self.at += 1;
                }
            }
            if self.flow == 0 && i64::from(self.column()) < indent {
                // The next line belongs to something outside; the state of lines is LLVM's: already past.
                self.at = end;
                self.line_start = line_start;
                self.line = line;
                break;
            }
        }
        if end == start {
            return self.stop("expected a value");
        }
        self.scalar(start, end);
        self.save_key(column);
        self.key_allowed = false;
        self.adjacent_value = false;
        true
    }

    /// A plain scalar up to `end`, and the blanks after it up to here.
    fn scalar(&mut self, start: usize, end: usize) {
        self.lexed.push(MirKind::PLAIN, end);
        self.pieces.push(Piece::Scalar);
        self.last_scalar = (start, end);
        self.at = self.at.max(end);
        self.lexed.push(MirKind::WHITESPACE, self.at);
    }

    fn block_scalar(&mut self) -> bool {
        let start = self.at;
        self.at += 1;
        while matches!(self.peek(0), Some(b'+' | b'-' | b'1'..=b'9')) {
            self.at += 1;
        }
        let is_body = self.indents.len() == 1
            && self.pieces.last() == Some(&Piece::Value)
            && self.text.get(self.last_scalar.0..self.last_scalar.1) == Some("body")
            && self.bytes.get(start) == Some(&b'|');
        let is_ir = matches!(self.pieces.last(), None | Some(Piece::DocumentStart));
        self.lexed.push(MirKind::BLOCK_INDICATOR, self.at);
        while matches!(self.peek(0), Some(b' ' | b'\t')) {
            self.at += 1;
        }
        self.lexed.push(MirKind::WHITESPACE, self.at);
        if self.peek(0) == Some(b'#') {
            while self.peek(0).is_some_and(|b| b != b'\n') {
                self.at += 1;
            }
            self.lexed.push(MirKind::COMMENT, self.at);
        }
        // Of files whose line breaks were converted twice, too.
        while self.peek(0) == Some(b'\r') {
            self.at += 1;
        }
        match self.peek(0) {
            None => {
                self.pieces.push(if is_body { Piece::Body } else { Piece::BlockScalar });
                return true;
            }
            Some(b'\n') => self.new_line(),
            Some(_) => return self.stop("expected the end of the line after `|`"),
        }
        self.lexed.push(MirKind::WHITESPACE, self.at);
        let (kind, piece) = match (is_body, is_ir) {
            (true, _) => (MirKind::NEWLINE, Piece::Body),
            (_, true) => (MirKind::IR_TEXT, Piece::Ir),
            _ => (MirKind::BLOCK_TEXT, Piece::BlockScalar),
        };
        self.block_lines(kind, piece)
    }

    /// The lines of a block scalar. `NEWLINE` as kind means body tokens.
    fn block_lines(&mut self, kind: MirKind, piece: Piece) -> bool {
        let exit = self.indent.max(0) as usize;
        let from = self.at;
        let mut indent = None;
        let mut problem = false;
        while let Some(rest) = self.bytes.get(self.at..).filter(|r| !r.is_empty()) {
            let length = rest.iter().position(|b| *b == b'\n').map_or(rest.len(), |p| p + 1);
            let spaces = rest.iter().position(|b| *b != b' ').unwrap_or(rest.len());
            let blank = matches!(rest.get(spaces), None | Some(b'\n' | b'\r'));
            if !blank {
                if spaces <= exit {
                    break;
                }
                // A chunk of IR may start anywhere in the block, so its first line tells nothing.
                if kind != MirKind::IR_TEXT && spaces < *indent.get_or_insert(spaces) {
                    problem = rest.get(spaces) != Some(&b'#');
                    break;
                }
            }
            self.at += length;
            self.line += 1;
            self.line_start = self.at;
        }
        if kind == MirKind::NEWLINE {
            mi_lexer::lex(self.text, from, self.at, &mut self.lexed);
        } else {
            self.lexed.push(kind, self.at);
        }
        self.pieces.push(piece);
        if self.flow == 0 {
            self.key_allowed = true;
        }
        self.adjacent_value = false;
        if problem {
            return self.stop("this line is less indented than the block it is in");
        }
        true
    }
}
