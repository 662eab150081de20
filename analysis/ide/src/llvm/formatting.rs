//! The layout of `llvm-dis`: what comes before each token.

use wavelens_base::{Severity, TextEdit, TextRange};
use wavelens_syntax::llvm::LlvmKind::{self, *};
use wavelens_syntax::llvm::parse;
use wavelens_syntax::machine::{Element, Node, Parse};

use crate::formatting::{Blank, ChunkText, Gap, Gaps};

/// Indentation of instructions.
const BODY: usize = 2;
/// Indentation of debug records and of the cases of a switch.
const RECORD: usize = 4;
/// Indentation of the clauses of a landing pad, and of the labels of an invoke.
const CLAUSE: usize = 10;

/// Edits that lay out a chunk.
pub(crate) fn format(chunk: &ChunkText<'_>) -> Vec<TextEdit> {
    let parse = parse(chunk.text);
    format_parsed(chunk, &parse, 0)
}

/// Edits that lay out a parsed chunk, indented by `base` columns.
pub(crate) fn format_parsed(chunk: &ChunkText<'_>, parse: &Parse<LlvmKind>, base: usize) -> Vec<TextEdit> {
    let errors = parse.errors.iter().filter(|e| e.rule.severity == Severity::Error);
    let mut printer = Printer {
        text: chunk.text,
        gaps: Gaps::new(chunk.text, parse.lexed(), chunk.newline, chunk.is_first),
        errors: errors.map(|e| e.range).collect(),
        base,
        previous: (EOF, ROOT),
        opcode: EOF,
        keeps: false,
    };
    printer.gaps.padding = base;
    let mut before = None;
    for entity in parse.root(chunk.text).elements() {
        printer.entity(entity, before);
        before = Some(entity);
    }
    let blank = match before {
        // The end of a module in Machine IR.
        Some(_) if chunk.next.starts_with("...") => Blank::Optional,
        Some(before) => blank_between(ends_with_body(before), before, next_kind(chunk.next)),
        None => Blank::Optional,
    };
    printer.gaps.finish(chunk.next.is_empty(), blank)
}

/// What the next chunk starts with.
fn next_kind(next: &str) -> LlvmKind {
    let line = next.trim_start();
    match () {
        () if line.starts_with("define") => DEFINE_KW,
        () if line.starts_with("declare") => DECLARE_KW,
        () => EOF,
    }
}

fn ends_with_body(element: Element<'_, LlvmKind>) -> bool {
    matches!(element, Element::Node(node) if node.kind() == FUNCTION && node.child(BODY_NODE).is_some())
}

const BODY_NODE: LlvmKind = LlvmKind::BODY;

/// The blank line between two entities: after a function's body, and before a function unless declarations are written in a row.
fn blank_between(body: bool, before: Element<'_, LlvmKind>, next: LlvmKind) -> Blank {
    let declares = |element: Element<'_, LlvmKind>| element.text().starts_with("declare");
    match next {
        _ if body => Blank::Required,
        DEFINE_KW => Blank::Wanted,
        DECLARE_KW if !declares(before) => Blank::Wanted,
        _ => Blank::Optional,
    }
}

struct Printer<'t> {
    text: &'t str,
    gaps: Gaps<'t, LlvmKind>,
    errors: Vec<TextRange>,
    base: usize,
    /// The token before, and the node that holds it.
    previous: (LlvmKind, LlvmKind),
    /// Of the instruction around.
    opcode: LlvmKind,
    /// In a part that stays as it is.
    keeps: bool,
}

impl Printer<'_> {
    /// Whether an error is in a range, or at the token after it, where something that should be in it was found missing.
    fn is_broken(&self, range: TextRange) -> bool {
        self.errors.iter().any(|e| self.follows(range, *e) || range.intersect(*e).is_some())
    }

    fn follows(&self, range: TextRange, error: TextRange) -> bool {
        let between = usize::from(range.end())..usize::from(error.start()).max(usize::from(range.end()));
        error.start() >= range.end() && self.text[between].trim().is_empty()
    }

    fn line(&self, indent: usize, blank: Blank) -> Gap {
        Gap::Line { indent: self.base + indent, blank }
    }

    fn entity(&mut self, entity: Element<'_, LlvmKind>, before: Option<Element<'_, LlvmKind>>) {
        let next = first_kind(entity);
        let blank = before.map_or(Blank::Optional, |b| blank_between(ends_with_body(b), b, next));
        let line = self.line(0, blank);
        match entity {
            Element::Token(token) => self.token(token.kind(), ROOT, Gap::Keep),
            Element::Node(node) if node.kind() == ERROR => self.verbatim(node),
            Element::Node(node) if node.kind() == FUNCTION => self.function(node, line),
            Element::Node(node) if self.is_broken(node.range()) => self.verbatim(node),
            Element::Node(node) => self.node(node, Some(line)),
        }
    }

    /// A function, whose body may have errors; one with errors elsewhere stays as it is.
    fn function(&mut self, node: Node<'_, LlvmKind>, line: Gap) {
        let inside = |body: Node<'_, LlvmKind>, error: &TextRange| {
            body.children().any(|block| {
                block.kind() == ERROR && block.range().contains_range(*error)
                    || block.kind() == BLOCK
                        && block.children().any(|i| {
                            i.range().contains_range(*error) && !error.is_empty()
                                || self.follows(i.range(), *error)
                        })
            })
        };
        let body = node.child(BODY_NODE);
        let errors = self
            .errors
            .iter()
            .filter(|e| node.range().contains_range(**e) || node.range().intersect(**e).is_some());
        let is_whole = errors.clone().all(|e| body.is_some_and(|body| inside(body, e)));
        if !is_whole {
            return self.verbatim(node);
        }
        let mut line = Some(line);
        for element in node.elements() {
            match element {
                Element::Node(body) if body.kind() == BODY_NODE => self.body(body),
                Element::Node(child) => self.node(child, line.take()),
                Element::Token(token) => self.spaced(token.kind(), FUNCTION, line.take()),
            }
        }
    }

    fn body(&mut self, body: Node<'_, LlvmKind>) {
        let mut is_first = true;
        for element in body.elements() {
            match element {
                Element::Token(token) => {
                    let gap =
                        if token.kind() == R_BRACE { self.line(0, Blank::Optional) } else { Gap::Space };
                    self.token(token.kind(), BODY_NODE, gap);
                }
                Element::Node(node) if node.kind() == BLOCK => {
                    self.block(node, is_first);
                    is_first = false;
                }
                Element::Node(node) if node.kind() == ERROR => self.verbatim(node),
                Element::Node(node) => self.node(node, Some(self.line(BODY, Blank::Optional))),
            }
        }
    }

    fn block(&mut self, block: Node<'_, LlvmKind>, is_first: bool) {
        for element in block.elements() {
            match element {
                Element::Token(token) => self.token(token.kind(), BLOCK, Gap::Keep),
                Element::Node(node) if node.kind() == ERROR || self.is_broken(node.range()) => {
                    self.verbatim(node);
                }
                Element::Node(node) => match node.kind() {
                    LABEL_DEF => {
                        let blank = if is_first { Blank::Optional } else { Blank::Wanted };
                        self.node(node, Some(self.line(0, blank)));
                    }
                    DEBUG_RECORD => self.node(node, Some(self.line(RECORD, Blank::Optional))),
                    _ => self.instruction(node),
                },
            }
        }
    }

    fn instruction(&mut self, node: Node<'_, LlvmKind>) {
        let opcodes = [PHI_KW, SWITCH_KW, LANDINGPAD_KW, INVOKE_KW, CALLBR_KW];
        self.opcode = node.tokens().map(|t| t.kind()).take(4).find(|k| opcodes.contains(k)).unwrap_or(EOF);
        self.node(node, Some(self.line(BODY, Blank::Optional)));
        self.opcode = EOF;
    }

    /// A node whose first token has its gap decided already, if one is given.
    fn node(&mut self, node: Node<'_, LlvmKind>, first: Option<Gap>) {
        let (mut first, mut before) = (first, EOF);
        for element in node.elements() {
            let gap = first.take().or_else(|| self.case(node.kind(), before, element));
            before = element.kind();
            match element {
                Element::Node(child) => self.node(child, gap),
                Element::Token(token) => self.spaced(token.kind(), node.kind(), gap),
            }
        }
    }

    /// The parts of an instruction that have lines of their own.
    fn case(&self, parent: LlvmKind, before: LlvmKind, next: Element<'_, LlvmKind>) -> Option<Gap> {
        if parent != INST {
            return None;
        }
        let indent = match (self.opcode, before, next.kind()) {
            (LANDINGPAD_KW, _, CATCH_KW | FILTER_KW | CLEANUP_KW) => CLAUSE,
            (INVOKE_KW | CALLBR_KW, _, TO_KW) => CLAUSE,
            (SWITCH_KW, _, R_BRACKET) => BODY,
            // A case starts after the bracket, and after the label of the one before.
            (SWITCH_KW, L_BRACKET | VALUE, TYPE) => RECORD,
            _ => return None,
        };
        Some(self.line(indent, Blank::Optional))
    }

    fn verbatim(&mut self, node: Node<'_, LlvmKind>) {
        self.keeps = true;
        self.node(node, None);
        self.keeps = false;
    }

    fn spaced(&mut self, kind: LlvmKind, parent: LlvmKind, gap: Option<Gap>) {
        let gap = gap.unwrap_or_else(|| between(self.previous, (kind, parent), self.opcode));
        self.token(kind, parent, gap);
    }

    fn token(&mut self, kind: LlvmKind, parent: LlvmKind, gap: Gap) {
        self.gaps.token(if self.keeps { Gap::Keep } else { gap });
        self.previous = (kind, parent);
    }
}

fn first_kind(element: Element<'_, LlvmKind>) -> LlvmKind {
    match element {
        Element::Token(token) => token.kind(),
        Element::Node(node) => node.first_token().map_or(EOF, |t| t.kind()),
    }
}

/// The gap between two tokens of a line, each with the node that holds it.
fn between(before: (LlvmKind, LlvmKind), next: (LlvmKind, LlvmKind), opcode: LlvmKind) -> Gap {
    match (before, next) {
        (_, (COMMA | R_PAREN | STAR | GREATER | COLON, _)) => Gap::None,
        ((L_PAREN | EXCLAIM | HASH | LESS | C_KW, _), _) => Gap::None,
        ((L_BRACE, METADATA_NODE | NAMED_METADATA_DEF), _) => Gap::None,
        (_, (R_BRACE, METADATA_NODE | NAMED_METADATA_DEF)) => Gap::None,
        ((L_BRACE, _), (R_BRACE, _)) | ((L_BRACKET, _), (R_BRACKET, _)) => Gap::None,
        // `key="value"` and `align=4`, `allocsize(0,1)`
        ((EQUAL, ATTR), _) | (_, (EQUAL, ATTR)) => Gap::None,
        ((COMMA, ATTR), _) | ((CC_NUMBER_KW, _), _) => Gap::Squeeze,
        // The incoming values of a phi, operand bundles.
        ((L_BRACKET, INST), _) | (_, (R_BRACKET, INST)) if opcode == PHI_KW => Gap::Space,
        ((L_BRACKET, BUNDLE_LIST), _) | (_, (R_BRACKET, BUNDLE_LIST)) => Gap::Space,
        ((L_BRACKET, _), _) | (_, (R_BRACKET, _)) => Gap::None,
        (_, (L_PAREN, parent)) => parenthesis(before, parent),
        _ => Gap::Space,
    }
}

/// The gap before an opening parenthesis.
fn parenthesis((before, _): (LlvmKind, LlvmKind), parent: LlvmKind) -> Gap {
    match (before, parent) {
        (_, ARG_LIST | PARAM_LIST | BUNDLE | DEBUG_RECORD) => Gap::None,
        (METADATA_NAME | ADDRSPACE_KW | SYNCSCOPE_KW | THREAD_LOCAL_KW | COMDAT_KW | BLOCKADDRESS_KW, _) => {
            Gap::None
        }
        (TARGET_KW | INRANGE_KW, _) => Gap::None,
        (COMMA | COLON | EQUAL | SPLAT_KW | PTRAUTH_KW | GETELEMENTPTR_KW | INBOUNDS_KW | CAST_KW, _) => {
            Gap::Space
        }
        (R_PAREN, TYPE | VALUE) => Gap::Space,
        (_, TYPE) => Gap::Space,
        (_, ATTR) => Gap::None,
        _ => Gap::Squeeze,
    }
}
