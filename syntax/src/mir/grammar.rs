//! The grammar of the YAML around machine functions, after LLVM's `YAMLParser`.

use rowan::TextRange;

use super::lexer::Piece;
use super::{MirKind, SYNTAX_ERROR, body};
use crate::diagnostic::{Diagnostic, Place};
use crate::machine::Parser;
use crate::wording;

struct Yaml<'p, 't> {
    p: &'p mut Parser<'t, MirKind>,
    pieces: Vec<Piece>,
    at: usize,
    failed: bool,
}

pub(super) fn chunk(p: &mut Parser<'_, MirKind>, pieces: Vec<Piece>) {
    let mut y = Yaml { p, pieces, at: 0, failed: false };
    if y.peek() == Some(Piece::Ir) {
        y.block_scalar(Piece::Ir);
    }
    while !y.p.at_end() && !y.failed {
        y.document();
    }
    while !y.p.at_end() {
        y.p.bump();
    }
}

impl Yaml<'_, '_> {
    fn peek(&self) -> Option<Piece> {
        self.pieces.get(self.at).copied()
    }

    /// Consumes the current piece and its token.
    fn bump(&mut self) {
        self.at += 1;
        self.p.bump();
    }

    /// Consumes a piece that has no token.
    fn skip(&mut self) {
        self.at += 1;
    }

    /// LLVM gives up on the rest of the file here.
    fn fail(&mut self, message: &str) {
        if !self.failed {
            let message = match self.peek() {
                Some(Piece::Stop(message)) => message,
                _ => message,
            };
            let wrong = Diagnostic::new(&SYNTAX_ERROR, self.p.range(), message);
            let wrong = match self.late_colon() {
                Some(colon) => wrong.related(Place::Here(colon), wording::REFERENCE),
                None => wrong,
            };
            self.p.report(wrong);
        }
        self.failed = true;
    }

    /// Something else was expected here.
    fn fail_expected(&mut self, expected: &str) {
        let message = self.expected(expected);
        self.fail(&message);
    }

    /// "expected {expected}, found `x`".
    fn expected(&mut self, expected: &str) -> String {
        let is_line_end = self.p.text().is_empty() || self.p.text().starts_with('\n');
        match self.p.at_end() {
            true => wording::expected_token(expected, None),
            false if is_line_end => wording::expected_token(expected, Some("")),
            false => wording::expected_token(expected, self.p.text().lines().next()),
        }
    }

    /// The `:` of an unexpected mapping whose first key has several lines: LLVM starts the mapping there.
    fn late_colon(&mut self) -> Option<TextRange> {
        let starts = self.peek() == Some(Piece::MappingStart) && self.p.text().contains('\n');
        (starts && self.p.nth(1) == MirKind::Y_COLON).then(|| self.p.nth_range(1))
    }

    /// The beginning of this line, without its indentation.
    fn own_line(&self) -> &str {
        self.before().lines().next_back().unwrap_or("").trim_start()
    }

    /// Without its indentation.
    fn line_above(&self) -> &str {
        self.before().lines().rev().nth(1).unwrap_or("").trim_start()
    }

    fn before(&self) -> &str {
        self.p.slice(TextRange::new(0.into(), self.p.range().start()))
    }

    /// Why a value of a mapping or list does not start here.
    fn fail_indented(&mut self, expected: &str) {
        let indentation = self.p.trivia_before().rsplit('\n').next().unwrap_or("");
        if indentation.contains('\t') {
            self.fail("this line is indented with a tab, which YAML does not count: use spaces");
        } else if self.p.text().starts_with("bb.") {
            self.fail("this block is not in a body: expected `body: |` above it");
        } else if ["define ", "declare ", "@", "!"].iter().any(|start| self.p.text().starts_with(start)) {
            self.fail(&format!("{expected}; LLVM IR needs `--- |` before it"));
        } else {
            self.fail(expected);
        }
    }

    fn document(&mut self) {
        let m = self.p.start();
        while self.peek() == Some(Piece::Directive) {
            self.bump();
        }
        if self.peek() == Some(Piece::DocumentStart) {
            self.bump();
        }
        if self.peek() == Some(Piece::Unread) {
            self.bump();
            m.complete(self.p, MirKind::DOCUMENT);
            return;
        }
        if self.peek().is_some_and(|p| p != Piece::DocumentEnd && p != Piece::DocumentStart) {
            self.node(true);
        }
        let ended = self.peek() == Some(Piece::DocumentEnd);
        while self.peek() == Some(Piece::DocumentEnd) {
            self.bump();
        }
        // What is left over would be the root of another document, which is never a machine function.
        let starts = |p| matches!(p, Piece::DocumentStart | Piece::Directive | Piece::Unread);
        if !self.failed && !ended && self.peek().is_some_and(|p| !starts(p)) {
            let key = self.p.text();
            match self.p.nth(1) == MirKind::Y_COLON && !key.contains('\n') {
                true => {
                    self.fail(&format!("`{key}` must be indented like the first key of the machine function"))
                }
                false => {
                    let line = key.lines().next();
                    self.fail(&wording::expected_token("a key of the machine function or `...`", line));
                }
            }
            let m = self.p.start();
            while !self.p.at_end() {
                self.p.bump();
            }
            m.complete(self.p, MirKind::LEFTOVER);
        }
        m.complete(self.p, MirKind::DOCUMENT);
    }

    /// Any value. `root` is the outermost of a document.
    fn node(&mut self, root: bool) {
        while let Some(Piece::Anchor | Piece::Tag) = self.peek() {
            self.bump();
        }
        match self.peek() {
            Some(Piece::Alias) => {
                let m = self.p.start();
                self.bump();
                m.complete(self.p, MirKind::SCALAR);
            }
            Some(Piece::BlockEntry) => self.nest(|y| y.sequence(true)),
            Some(Piece::SequenceStart) => {
                self.skip();
                self.nest(|y| y.sequence(false));
            }
            Some(Piece::MappingStart) => {
                self.skip();
                self.nest(Self::mapping);
            }
            Some(Piece::FlowSequenceStart) => self.nest(Self::flow_sequence),
            Some(Piece::FlowMappingStart) => self.nest(Self::flow_mapping),
            Some(Piece::Key) => {
                let m = self.p.start();
                self.nest(Self::entry);
                m.complete(self.p, MirKind::MAPPING);
            }
            Some(Piece::Scalar) => {
                let m = self.p.start();
                self.bump();
                m.complete(self.p, MirKind::SCALAR);
            }
            Some(piece @ (Piece::BlockScalar | Piece::Body | Piece::Ir)) => self.block_scalar(piece),
            Some(Piece::FlowMappingEnd | Piece::FlowSequenceEnd | Piece::FlowEntry) if root => {
                self.fail_expected("a key of the machine function such as `name:`");
            }
            Some(Piece::Stop(message)) => self.fail(message),
            _ => self.null(),
        }
    }

    fn nest(&mut self, rule: impl FnOnce(&mut Self)) {
        // The parser's own depth guard works on the parser alone; count by open markers instead.
        if self.p.enter() {
            rule(self);
            self.p.leave();
        } else {
            self.fail("nested too deeply");
        }
    }

    fn null(&mut self) {
        let m = self.p.start();
        m.complete(self.p, MirKind::NULL);
    }

    fn block_scalar(&mut self, piece: Piece) {
        self.at += 1;
        if piece == Piece::Body {
            let m = self.p.start();
            self.p.bump();
            body::body(self.p);
            m.complete(self.p, MirKind::BODY);
            return;
        }
        let m = self.p.start();
        if self.p.at(MirKind::BLOCK_INDICATOR) {
            self.p.bump();
        }
        if self.p.at_any(&[MirKind::BLOCK_TEXT, MirKind::IR_TEXT]) {
            self.p.bump();
        }
        m.complete(self.p, MirKind::BLOCK_SCALAR);
    }

    fn mapping(&mut self) {
        let m = self.p.start();
        loop {
            match self.peek() {
                _ if self.failed => break,
                Some(Piece::Key | Piece::Scalar) => self.entry(),
                Some(Piece::BlockEnd) => {
                    self.skip();
                    break;
                }
                None => break,
                Some(_) if self.p.at(MirKind::Y_COLON) => {
                    let before = TextRange::new(0.into(), self.p.range().start());
                    let word = self.p.slice(before).split_whitespace().next_back().unwrap_or_default();
                    let message = match self.p.at_line_start() {
                        true => "missing key before `:`",
                        false if word.starts_with("bb.") => {
                            "this block is not in a body: expected `body: |` above it"
                        }
                        false if self.line_above().starts_with('!') => {
                            "expected a key in the line above, found metadata of LLVM IR: it must be between `--- |` and `...`"
                        }
                        false if self.own_line().starts_with(';') => {
                            "unexpected `:`; a comment starts with `#` outside of IR and function bodies"
                        }
                        false if self.own_line().starts_with("- ") => {
                            "expected a key such as `liveins:` before the list item"
                        }
                        false => {
                            "unexpected `:`: each key must be on its own line, with the indentation of the keys before"
                        }
                    };
                    self.fail(message);
                    break;
                }
                Some(_) => {
                    let message = match self.p.text() {
                        "-" => "expected a key such as `liveins:` before the list item".to_owned(),
                        key if self.p.nth(1) == MirKind::Y_COLON && !key.contains('\n') => format!(
                            "unexpected key `{key}`: the line above it has no `:`, or the other keys have another indentation"
                        ),
                        _ => self.expected("a key"),
                    };
                    self.fail_indented(&message);
                    break;
                }
            }
        }
        m.complete(self.p, MirKind::MAPPING);
    }

    fn flow_mapping(&mut self) {
        let m = self.p.start();
        self.bump();
        loop {
            match self.peek() {
                _ if self.failed => break,
                Some(Piece::FlowEntry) => self.bump(),
                Some(Piece::FlowMappingEnd) => {
                    self.bump();
                    break;
                }
                Some(Piece::Key | Piece::Scalar) => self.entry(),
                _ => {
                    self.fail_expected("a key, `,` or `}`");
                    break;
                }
            }
        }
        m.complete(self.p, MirKind::FLOW_MAPPING);
    }

    fn entry(&mut self) {
        let m = self.p.start();
        if self.peek() == Some(Piece::Key) {
            self.at += 1;
            if self.p.at(MirKind::QUESTION) {
                self.p.bump();
            }
        }
        match self.peek() {
            Some(Piece::BlockEnd | Piece::Value) | None => self.null(),
            _ => self.node(false),
        }
        match self.peek() {
            _ if self.failed => {}
            Some(Piece::Value) => {
                self.bump();
                match self.peek() {
                    Some(Piece::BlockEnd | Piece::Key) | None => self.null(),
                    _ => self.node(false),
                }
            }
            Some(Piece::BlockEnd | Piece::FlowMappingEnd | Piece::Key | Piece::FlowEntry) | None => {
                self.null()
            }
            Some(_) => self.fail_expected("`:` and a value"),
        }
        m.complete(self.p, MirKind::ENTRY);
    }

    /// A sequence of `-` entries; one without indentation ends at anything other than an entry.
    fn sequence(&mut self, indentless: bool) {
        let m = self.p.start();
        loop {
            match self.peek() {
                _ if self.failed => break,
                Some(Piece::BlockEntry) => {
                    self.bump();
                    self.node(false);
                }
                _ if indentless => break,
                Some(Piece::BlockEnd) => {
                    self.skip();
                    break;
                }
                None => break,
                Some(_) => {
                    let message = self.expected("a list item (`-`), or less indentation");
                    self.fail_indented(&message);
                    break;
                }
            }
        }
        m.complete(self.p, MirKind::SEQUENCE);
    }

    fn flow_sequence(&mut self) {
        let m = self.p.start();
        self.bump();
        let mut after_comma = true;
        loop {
            match self.peek() {
                _ if self.failed => break,
                Some(Piece::FlowEntry) => {
                    self.bump();
                    after_comma = true;
                }
                Some(Piece::FlowSequenceEnd) => {
                    self.bump();
                    break;
                }
                None | Some(Piece::DocumentStart | Piece::DocumentEnd) => {
                    self.fail("missing `]` to close this `[`");
                    break;
                }
                Some(Piece::Stop(message)) => {
                    self.fail(message);
                    break;
                }
                Some(_) if !after_comma => {
                    self.fail_expected("`,` or `]` after this entry of the list");
                    break;
                }
                Some(_) => {
                    let before = self.at;
                    self.node(false);
                    after_comma = false;
                    if self.at == before {
                        self.fail_expected("an entry of the list or `]`");
                    }
                }
            }
        }
        m.complete(self.p, MirKind::FLOW_SEQUENCE);
    }
}
