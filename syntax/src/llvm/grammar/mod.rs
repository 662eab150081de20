//! The grammar of LLVM IR: what LLVM's parser reads, in the order in which it reads it.
//!
//! Errors are reported at the token at which LLVM stops. From then on the grammar sees the end of the input, so that every
//! rule closes its nodes and returns; the driver of the instruction or entity then skips to where the next one seems to start.
//!
//! The files import each other in circles because the language nests: types hold attributes that hold types, values hold types
//! and expressions that hold values, a module holds functions that end where its next entity starts.

mod attributes;
mod calls;
mod foreign;
mod function;
mod instruction;
mod memory;
mod metadata;
mod module;
mod newer;
mod opcodes;
mod removed;
mod summary;
mod terminators;
mod types;
mod values;

pub use removed::removed_since;
pub(super) use types::is_type_start;

use super::LlvmKind::{self, *};
use super::{SYNTAX_ERROR, words};
use rowan::TextRange;

use crate::diagnostic::{Diagnostic, Place, TextEdit};
use crate::machine::{Marker, Parser};
use crate::wording;

/// The parser, with the state of having failed.
pub(super) struct P<'p, 't> {
    inner: &'p mut Parser<'t, LlvmKind>,
    /// Cached kind of the current token; `EOF` after a failure.
    current: LlvmKind,
    failed: bool,
    /// Of the function that is being read.
    returns_void: bool,
}

pub(super) fn chunk(parser: &mut Parser<'_, LlvmKind>) {
    let current = parser.current();
    let mut p = P { inner: parser, current, failed: false, returns_void: false };
    while !p.at(EOF) {
        module::entity(&mut p);
        if p.failed {
            p.recover(|p| p.at_line_start() && module::is_entity_start(p));
        }
    }
}

/// What an unknown word is called where one of many names is expected.
fn unknown_kind(what: &str) -> Option<&'static str> {
    match what {
        "an attribute" => Some("attribute"),
        "an instruction" => Some("instruction"),
        "a type" => Some("type"),
        _ => None,
    }
}

/// Whether a word occurs in types, attributes and heads of definitions, and not only in instructions.
fn is_outside_instructions(kind: LlvmKind) -> bool {
    let is_inside = matches!(
        kind,
        CALLER_KW | CATCH_KW | CLEANUP_KW | EXACT_KW | FILTER_KW | FROM_KW | TO_KW | UNWIND_KW | WITHIN_KW
    ) || matches!(kind, ORDERING_KW | PREDICATE_KW | RMW_KW | FAST_FLAG_KW | NSW_KW);
    !is_inside && !opcodes::is_opcode(kind)
}

impl<'t> P<'_, 't> {
    #[inline]
    fn at(&self, kind: LlvmKind) -> bool {
        self.current == kind
    }

    #[inline]
    fn bump(&mut self) {
        if !self.failed {
            self.inner.bump();
            self.current = self.inner.current();
        }
    }

    #[inline]
    fn eat(&mut self, kind: LlvmKind) -> bool {
        let at = self.current == kind || kind == NUMBER && self.at_unsigned_hex();
        if at {
            self.bump();
        }
        at
    }

    /// At `u0x...`, which LLVM reads wherever it reads an unsigned number.
    fn at_unsigned_hex(&self) -> bool {
        self.current == HEX_NUMBER && self.text().starts_with('u')
    }

    fn text(&self) -> &'t str {
        if self.failed { "" } else { self.inner.text() }
    }

    fn at_word(&self, word: &str) -> bool {
        self.current == WORD && self.text() == word
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let at = self.at_word(word);
        if at {
            self.bump();
        }
        at
    }

    fn nth(&mut self, n: usize) -> LlvmKind {
        if self.failed { EOF } else { self.inner.nth(n) }
    }

    #[inline]
    fn start(&mut self) -> Marker {
        self.inner.start()
    }

    #[inline]
    fn complete(&mut self, marker: Marker, kind: LlvmKind) {
        marker.complete(self.inner, kind);
    }

    fn fail(&mut self) {
        self.failed = true;
        self.current = EOF;
    }

    fn expect(&mut self, kind: LlvmKind, what: &str) {
        if !self.eat(kind) {
            self.expected(what);
        }
    }

    /// Reports `expected {what}, found ...` here and fails.
    fn expected(&mut self, what: &str) {
        if !self.failed {
            self.report_expected(what);
            self.fail();
        }
    }

    /// Reports what was expected at an earlier token, and fails.
    fn expected_at(&mut self, range: TextRange, what: &str, found: &str) {
        if !self.failed {
            let message = wording::expected_token(what, Some(found));
            self.report(Diagnostic::new(&SYNTAX_ERROR, range, message));
            self.fail();
        }
    }

    fn report_expected(&mut self, what: &str) {
        if self.is_line_cut(what) {
            let (end, found) = (self.inner.end_of_last(), self.inner.range());
            let message = wording::expected_token(what, Some(""));
            let cut = Diagnostic::new(&SYNTAX_ERROR, end, message);
            return self.report(cut.related(Place::Here(found), wording::REFERENCE));
        }
        let word = self.text();
        // A word that a foreign space ends looks right.
        let next = self.inner.nth_text(1).chars().next();
        if let Some(c) = next.filter(|c| !c.is_ascii() && wording::is_invisible(*c)) {
            let range = self.inner.nth_range(1);
            return self.report(Diagnostic::new(&SYNTAX_ERROR, range, wording::unexpected_character(c)));
        }
        if what == "a type" && word == "i" {
            return self.inner.error("expected the width of the integer type after `i`, such as `i32`");
        }
        // Where words are expected by name, no other can be meant.
        let quoted = what.split('`').skip(1).step_by(2);
        let listed =
            what.split_once('(').and_then(|(_, rest)| rest.split_once(')')).map_or("", |(list, _)| list);
        let named = quoted.chain(listed.split(", ")).filter(|name| name.starts_with(char::is_alphabetic));
        let near = match named.clone().next() {
            Some(_) => crate::spelling::closest(word, named),
            None if what == "a type" => words::closest_type(word),
            None if what == "an attribute" => words::closest(word, is_outside_instructions),
            None if what == "an instruction" => words::closest(word, opcodes::is_opcode),
            None if what.contains("name") => None,
            None => words::closest(word, |_| true),
        };
        match near.filter(|_| self.at(WORD)) {
            Some(near) => {
                let range = self.inner.range();
                let message = match unknown_kind(what) {
                    Some(kind) => format!("unknown {kind} `{word}`; did you mean `{near}`?"),
                    None => format!("expected {what}, found `{word}`; did you mean `{near}`?"),
                };
                let edit = TextEdit::new(range, near);
                let diagnostic = Diagnostic::new(&SYNTAX_ERROR, range, message);
                self.report(diagnostic.respell(format!("Replace with `{near}`"), edit, word, near));
            }
            None if self.at(EOF) => {
                let (end, found) = (self.inner.end_of_last(), self.inner.range());
                let message = format!("expected {what}, found the end of the definition");
                match self.inner.slice(TextRange::new(end.end(), found.start())).contains('\n') {
                    true => {
                        let cut = Diagnostic::new(&SYNTAX_ERROR, end, message);
                        self.report(cut.related(Place::Here(found), wording::REFERENCE));
                    }
                    false => self.inner.error(message),
                }
            }
            None if self.at(WORD) && matches!(what, "a value" | "a type") && self.missing_sigil() => {}
            None if what.starts_with("`,`") && self.at_operand() => {
                let (range, found) = (self.inner.range(), Some(word));
                let missing = Diagnostic::new(&SYNTAX_ERROR, range, wording::expected_token(what, found));
                let before = TextRange::empty(self.inner.end_of_last().start());
                self.report(missing.guess("Insert `,`", before, ","));
            }
            None if self.at(WORD) && what == "an attribute" => {
                self.inner.error(wording::unknown("attribute", word, std::iter::empty()));
            }
            None => self.inner.expected(what),
        }
    }

    /// At an operand on the line of what precedes it.
    fn at_operand(&mut self) -> bool {
        let starts = types::is_type_start(self.current)
            || matches!(
                self.current,
                LOCAL | LOCAL_ID | GLOBAL | GLOBAL_ID | NUMBER | NULL_KW | UNDEF_KW | POISON_KW
            );
        starts && !self.at_line_start()
    }

    /// Reports a callee without `@`, or a block without `%`, at a word where a value is expected.
    fn missing_sigil(&mut self) -> bool {
        let range = self.inner.range();
        let word = self.text();
        let is_block = self.inner.slice(self.inner.end_of_last()) == "label";
        let sigil = match self.nth(1) {
            _ if is_block => "%",
            L_PAREN if !is_block => "@",
            _ => return false,
        };
        let message = format!("missing `{sigil}` before `{word}`");
        let missing = Diagnostic::new(&SYNTAX_ERROR, range, message);
        let before = TextRange::empty(range.start());
        self.report(missing.guess(format!("Insert `{sigil}`"), before, sigil));
        true
    }

    /// Whether the next statement begins where something else was expected: what is missing belongs to the line before.
    fn is_line_cut(&mut self, what: &str) -> bool {
        let is_statement = matches!(what, "an instruction" | "a basic block" | "a top-level entity");
        !is_statement && !self.at(EOF) && function::is_resume_point(self)
    }

    /// At the result of the next instruction, where the rest of this one is missing.
    fn at_next_result(&mut self) -> bool {
        matches!(self.current, LOCAL | LOCAL_ID) && self.at_line_start() && self.nth(1) == EQUAL
    }

    /// At an unknown word in a list of attributes: reports it and continues after it.
    fn skip_unknown_word(&mut self, what: &str) {
        self.report_expected(what);
        self.bump();
    }

    /// Reports a message here and fails.
    fn error(&mut self, message: impl Into<String>) {
        if !self.failed {
            self.inner.error(message);
            self.fail();
        }
    }

    /// Reports that the current name, which is meant as a value, has no type. LLVM takes it for a type, and misses the value at the next
    /// token.
    fn missing_type(&mut self) {
        if !self.failed {
            let message = format!("missing type before `{}`", self.text());
            let missing = Diagnostic::new(&SYNTAX_ERROR, self.inner.range(), message);
            let next = Place::Here(self.inner.nth_range(1));
            let is_line_end = self.inner.nth_at_line_start(1) && self.nth(1) != EOF;
            self.report(match is_line_end {
                true => missing.related(next, wording::REFERENCE),
                false => missing,
            });
            self.fail();
        }
    }

    /// Reports something that the grammar can go on after.
    fn report(&mut self, diagnostic: Diagnostic) {
        if !self.failed {
            self.inner.report(diagnostic);
        }
    }

    fn at_line_start(&mut self) -> bool {
        self.inner.at_line_start()
    }

    fn nested(&mut self, rule: impl FnOnce(&mut Self)) {
        if self.failed {
            return;
        }
        if !self.inner.enter() {
            self.error("nested too deeply");
            return;
        }
        rule(self);
        self.inner.leave();
    }

    /// Skips to the next token that `stop` accepts, and goes on from there.
    fn recover(&mut self, mut stop: impl FnMut(&mut Self) -> bool) {
        self.failed = false;
        self.current = self.inner.current();
        if self.at(EOF) || stop(self) {
            return;
        }
        let m = self.start();
        loop {
            self.bump();
            if self.at(EOF) || stop(self) {
                break;
            }
        }
        self.complete(m, ERROR);
    }
}
