//! The parser that grammars drive: it builds the flat tree as nodes are opened and closed.
//!
//! Convention of every grammar: a rule `x` always makes a node or an error; a rule `opt_x` may make nothing.

use rowan::{TextRange, TextSize};

use super::tree::{FlatNode, Parse};
use super::{Kind, Lexed};
use crate::diagnostic::{Diagnostic, Place, Related, Rule};
use crate::wording;

/// A parser over the significant tokens of a chunk. Trivia never reaches the grammar.
pub struct Parser<'t, K: Kind> {
    text: &'t str,
    lexed: Lexed<K>,
    /// Index of the current significant token.
    position: usize,
    /// One past the index of the last consumed token.
    consumed: usize,
    /// In pre-order, the root first.
    nodes: Vec<FlatNode<K>>,
    errors: Vec<Diagnostic>,
    syntax_rule: &'static Rule,
    /// Look-aheads since the last bump: a grammar that makes no progress is stopped.
    idle: u32,
    depth: u32,
}

const IDLE_LIMIT: u32 = 10_000_000;
/// Nesting of constants, types and expressions beyond which a grammar must not recurse.
const DEPTH_LIMIT: u32 = 200;

impl<'t, K: Kind> Parser<'t, K> {
    /// `syntax_rule` is the rule that plain syntax errors carry.
    pub fn new(text: &'t str, lexed: Lexed<K>, syntax_rule: &'static Rule) -> Self {
        let position = lexed.skip_trivia(0);
        let mut nodes = Vec::with_capacity(lexed.len() / 3 + 1);
        nodes.push(FlatNode { kind: K::ROOT, first: 0, end: lexed.len() as u32, next: 0 });
        Parser {
            text,
            lexed,
            position,
            consumed: 0,
            nodes,
            errors: Vec::new(),
            syntax_rule,
            idle: 0,
            depth: 0,
        }
    }

    /// The kind of the current token; end of input once the grammar consumes nothing.
    #[inline]
    pub fn current(&mut self) -> K {
        self.idle += 1;
        if self.idle > IDLE_LIMIT {
            // A grammar bug; end of input makes every rule stop.
            return K::EOF;
        }
        self.lexed.kind(self.position)
    }

    /// Whether the current token has a kind.
    #[inline]
    pub fn at(&mut self, kind: K) -> bool {
        self.current() == kind
    }

    /// Whether the current token has one of several kinds.
    pub fn at_any(&mut self, kinds: &[K]) -> bool {
        let current = self.current();
        kinds.contains(&current)
    }

    /// Whether no token is left.
    #[inline]
    pub fn at_end(&mut self) -> bool {
        self.at(K::EOF)
    }

    /// The kind of the `n`-th significant token from here; 0 is the current one.
    pub fn nth(&mut self, n: usize) -> K {
        self.idle += 1;
        self.lexed.kind(self.nth_index(n))
    }

    /// The text of the `n`-th significant token from here.
    pub fn nth_text(&self, n: usize) -> &'t str {
        self.lexed.text(self.text, self.nth_index(n))
    }

    /// The range of the `n`-th significant token from here.
    pub fn nth_range(&self, n: usize) -> TextRange {
        self.lexed.range(self.nth_index(n))
    }

    fn nth_index(&self, n: usize) -> usize {
        (0..n).fold(self.position, |i, _| self.lexed.skip_trivia(i + 1))
    }

    /// The current token's text; `""` at the end.
    #[inline]
    pub fn text(&self) -> &'t str {
        self.lexed.text(self.text, self.position)
    }

    /// The text from the end of the last consumed token to the current one: where line ends matter.
    pub fn trivia_before(&self) -> &'t str {
        let gap = self.last_end() as usize..self.lexed.start(self.position) as usize;
        self.text.get(gap).unwrap_or("")
    }

    /// Whether there is a line end between the last consumed token and the current one (true at the end of input).
    pub fn at_line_start(&mut self) -> bool {
        self.trivia_before().contains('\n') || self.lexed.kind(self.position) == K::EOF
    }

    /// The current token's range.
    pub fn range(&self) -> TextRange {
        self.lexed.range(self.position)
    }

    /// Just after the last consumed token, where something missing should have been.
    pub fn end_of_last(&self) -> TextRange {
        TextRange::empty(TextSize::new(self.last_end()))
    }

    /// End offset of the last consumed token.
    fn last_end(&self) -> u32 {
        if self.consumed == 0 { 0 } else { self.lexed.start(self.consumed) }
    }

    /// Consumes the current token. Nothing happens at the end.
    #[inline]
    pub fn bump(&mut self) {
        if self.position < self.lexed.len() {
            self.consumed = self.position + 1;
            self.position = self.lexed.skip_trivia(self.consumed);
            self.idle = 0;
        }
    }

    /// Consumes the current token if it has a kind.
    #[inline]
    pub fn eat(&mut self, kind: K) -> bool {
        let at = self.at(kind);
        if at {
            self.bump();
        }
        at
    }

    /// Consumes `kind` or reports `expected {what}` at the current token.
    pub fn expect(&mut self, kind: K, what: &str) -> bool {
        let ok = self.eat(kind);
        if !ok {
            self.expected(what);
        }
        ok
    }

    /// Reports `expected {what}, found ...` at the current token.
    pub fn expected(&mut self, what: &str) {
        let message = wording::expected_token(what, self.text().lines().next());
        self.error(message);
    }

    /// Reports a syntax error at the current token.
    pub fn error(&mut self, message: impl Into<String>) {
        let range = self.range();
        self.report(Diagnostic::new(self.syntax_rule, range, message));
    }

    /// Reports a syntax error over everything from `start` to the last consumed token.
    pub fn error_since(&mut self, start: TextSize, message: impl Into<String>) {
        let range = TextRange::new(start, self.end_of_last().end());
        self.report(Diagnostic::new(self.syntax_rule, range, message));
    }

    /// Reports a finding; a second one at the same place, or at the end of the text where the first one has its other place, is
    /// dropped: one mistake, one diagnostic.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        let at = diagnostic.range.start();
        let is_end = at == TextSize::of(self.text);
        let is_told = |last: &Diagnostic| {
            let is_here = |other: &Related| matches!(other.place, Place::Here(range) if range.start() == at);
            last.range.start() == at || is_end && last.related.iter().any(is_here)
        };
        if !self.errors.last().is_some_and(is_told) {
            self.errors.push(diagnostic);
        }
    }

    /// Removes the newest findings of a rule that start at `from` or later and have the rule's severity: one finding about the
    /// whole construct follows.
    pub fn retract(&mut self, rule: &'static Rule, from: TextSize) {
        let covered =
            |e: &Diagnostic| e.rule == rule && e.severity == rule.severity && e.range.start() >= from;
        while self.errors.last().is_some_and(covered) {
            self.errors.pop();
        }
    }

    /// A part of the text.
    pub fn slice(&self, range: TextRange) -> &'t str {
        self.text.get(std::ops::Range::<usize>::from(range)).unwrap_or("")
    }

    /// Errors reported so far.
    pub fn error_count(&self) -> usize {
        self.errors.len()
    }

    /// Wraps the current token in an error node and reports `message`.
    pub fn error_and_bump(&mut self, message: impl Into<String>) {
        let m = self.start();
        self.error(message);
        self.bump();
        m.complete(self, K::ERROR);
    }

    /// Wraps tokens up to one that `stop` accepts (or the end) in an error node, without a report. Makes no node if
    /// there is nothing to skip.
    pub fn skip_until(&mut self, mut stop: impl FnMut(&mut Self) -> bool) {
        if self.at_end() || stop(self) {
            return;
        }
        let m = self.start();
        while !self.at_end() && !stop(self) {
            self.bump();
        }
        m.complete(self, K::ERROR);
    }

    /// Goes one nesting level deeper; `false`, and no deeper, where the input nests too deeply.
    pub fn enter(&mut self) -> bool {
        let ok = self.depth < DEPTH_LIMIT;
        self.depth += u32::from(ok);
        ok
    }

    /// Leaves what [`Parser::enter`] entered.
    pub fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// Whether there is a line end before the `n`-th significant token from here.
    pub fn nth_at_line_start(&self, n: usize) -> bool {
        let index = self.nth_index(n);
        let before = self.nth_index(n.saturating_sub(1));
        let gap = self.lexed.start(before + 1) as usize..self.lexed.start(index) as usize;
        index >= self.lexed.len() || self.text.get(gap).is_some_and(|t| t.contains('\n'))
    }

    /// Runs a rule one nesting level deeper, or reports and skips one token where the input nests too deeply.
    pub fn nested<R: Default>(&mut self, rule: impl FnOnce(&mut Self) -> R) -> R {
        if self.depth >= DEPTH_LIMIT {
            self.error_and_bump("nested too deeply");
            return R::default();
        }
        self.depth += 1;
        let result = rule(self);
        self.depth -= 1;
        result
    }

    /// Opens a node whose kind is decided when it is completed.
    #[inline]
    pub fn start(&mut self) -> Marker {
        let first = self.position as u32;
        self.nodes.push(FlatNode { kind: K::ERROR, first, end: first, next: 0 });
        Marker(self.nodes.len() as u32 - 1)
    }

    /// Closes the chunk's root, taking whatever is left as an error, and builds the tree.
    pub fn finish(mut self) -> Parse<K> {
        if self.lexed.kind(self.position) != K::EOF {
            self.expected("the end of the input");
            let m = self.start();
            while self.position < self.lexed.len() {
                self.bump();
            }
            m.complete(&mut self, K::ERROR);
        }
        // There can be millions of chunks with one error each.
        self.errors.shrink_to_fit();
        self.nodes[0].next = self.nodes.len() as u32;
        Parse { lexed: self.lexed, nodes: self.nodes, errors: self.errors }
    }
}

/// An open node. Complete or abandon it.
#[derive(Debug)]
#[must_use]
pub struct Marker(u32);

impl Marker {
    /// Closes the node, as one of a kind.
    #[inline]
    pub fn complete<K: Kind>(self, p: &mut Parser<'_, K>, kind: K) {
        let (consumed, next) = (p.consumed as u32, p.nodes.len() as u32);
        if let Some(node) = p.nodes.get_mut(self.0 as usize) {
            *node = FlatNode { kind, end: consumed.max(node.first), next, ..*node };
        }
    }

    /// Drops the node; its children become children of the node around it.
    pub fn abandon<K: Kind>(self, p: &mut Parser<'_, K>) {
        let own = self.0 as usize;
        p.nodes.remove(own);
        for node in p.nodes.get_mut(own..).unwrap_or(&mut []) {
            node.next -= 1;
        }
    }
}
