//! The layout of `llc`: YAML values in a column, blocks and instructions indented, the embedded module as `llvm-dis` prints it.

use wavelens_base::{Severity, TextEdit, TextRange, TextSize};
use wavelens_syntax::llvm;
use wavelens_syntax::machine::{Element, Node};
use wavelens_syntax::mir::MirKind::{self, *};
use wavelens_syntax::mir::{ChunkKind, chunk_kind, ir_start, ir_text, parse};

use crate::formatting::{self, Blank, ChunkText, Gap, Gaps};

/// Columns from a key to its value.
const VALUE: usize = 17;
/// Indentation of blocks, of instructions, and of each level of YAML and of bundles.
const BLOCKS: usize = 2;
const INSTRUCTIONS: usize = 4;
const STEP: usize = 2;
/// Levels of bundles that are indented. No machine nests them; thousands would make a text quadratically larger.
const DEEP: usize = 16;

type Tree<'t> = Node<'t, MirKind>;

/// Edits that lay out a chunk.
pub(crate) fn format(chunk: &ChunkText<'_>) -> Vec<TextEdit> {
    match chunk_kind(chunk.text) {
        ChunkKind::IrStart | ChunkKind::IrMore => module(chunk),
        ChunkKind::Function | ChunkKind::Empty => document(chunk),
    }
}

/// The part of an embedded module in a chunk.
fn module(chunk: &ChunkText<'_>) -> Vec<TextEdit> {
    let Some(range) = module_range(chunk.text) else { return Vec::new() };
    let text = &chunk.text[range.clone()];
    let base =
        text.lines().find(|l| !l.trim().is_empty()).map_or(0, |l| l.len() - l.trim_start_matches(' ').len());
    if text.contains('\t') && text.lines().any(|l| l.trim_start_matches(' ').starts_with('\t')) {
        return Vec::new();
    }
    // What follows the module is not a part of it.
    let next = if range.end < chunk.text.len() || chunk.next.is_empty() { "..." } else { chunk.next };
    let inner = ChunkText { text, is_first: false, next, ..*chunk };
    let parse = llvm::parse(text);
    let mut edits = crate::llvm::formatting::format_parsed(&inner, &parse, base);
    edits.iter_mut().for_each(|e| e.range += TextSize::new(range.start as u32));
    edits
}

/// Where the text of the module is in a chunk.
fn module_range(text: &str) -> Option<std::ops::Range<usize>> {
    let end = ir_text(text)?.len();
    let start = ir_start(text)?;
    (start < end).then_some(start..end)
}

/// Whether two chunks differ in white space only, and have the same structure.
pub(crate) fn has_same_tokens(before: &str, after: &str) -> bool {
    if let (Some(old), Some(new)) = (module_range(before), module_range(after)) {
        let (old, new) = ((&before[..old.start], &before[old]), (&after[..new.start], &after[new]));
        return old.0 == new.0 && formatting::same(old.1, &llvm::lex(old.1), new.1, &llvm::lex(new.1), None);
    }
    let (old, new) = (parse(before), parse(after));
    let kinds = |root: Tree<'_>| root.descendants().map(Node::kind).collect::<Vec<_>>();
    kinds(old.root(before)) == kinds(new.root(after))
        && formatting::same(before, old.lexed(), after, new.lexed(), Some(NEWLINE))
}

/// A machine function.
fn document(chunk: &ChunkText<'_>) -> Vec<TextEdit> {
    let parse = parse(chunk.text);
    let errors = parse.errors.iter().filter(|e| e.rule.severity == Severity::Error);
    let gaps = Gaps::new(chunk.text, parse.lexed(), chunk.newline, chunk.is_first).with_line_end(NEWLINE);
    let root = parse.root(chunk.text);
    let mut printer = Printer {
        gaps,
        text: chunk.text,
        errors: errors.map(|e| e.range).collect(),
        before: (EOF, ROOT),
        column: 0,
    };
    printer.gaps.padding = BLOCKS;
    for element in root.elements() {
        match element {
            Element::Node(node) if node.kind() == DOCUMENT && printer.is_plain(node) => {
                printer.document(node)
            }
            Element::Node(node) => printer.verbatim(node),
            Element::Token(token) => printer.token(token.kind(), ROOT, Gap::Keep),
        }
    }
    printer.gaps.finish(chunk.next.is_empty(), Blank::Optional)
}

struct Printer<'t> {
    gaps: Gaps<'t, MirKind>,
    text: &'t str,
    errors: Vec<TextRange>,
    /// The token before, and the node that holds it.
    before: (MirKind, MirKind),
    /// The column of the keys around.
    column: usize,
}

impl Printer<'_> {
    /// Whether the YAML of a document has no errors, and nothing whose layout means something.
    fn is_plain(&self, document: Tree<'_>) -> bool {
        let body = document.descendants().find(|n| n.kind() == BODY).map(Node::range);
        let inside = |range: TextRange| body.is_some_and(|b| b.contains_range(range) && !range.is_empty());
        let is_odd = |token: wavelens_syntax::machine::Token<'_, MirKind>| {
            matches!(token.kind(), QUESTION | ANCHOR | ALIAS | TAG | DIRECTIVE | BLOCK_TEXT | IR_TEXT | Y_BAD)
                || !token.kind().is_body() && token.text().contains(['\n', '\t'])
        };
        self.errors.iter().all(|e| inside(*e)) && !document.all_tokens().any(is_odd)
    }

    fn token(&mut self, kind: MirKind, parent: MirKind, gap: Gap) {
        self.gaps.token(gap);
        self.before = (kind, parent);
    }

    fn verbatim(&mut self, node: Tree<'_>) {
        for element in node.elements() {
            match element {
                Element::Node(child) => self.verbatim(child),
                Element::Token(token) if token.kind() == NEWLINE => {}
                Element::Token(token) => self.token(token.kind(), node.kind(), Gap::Keep),
            }
        }
    }

    fn document(&mut self, document: Tree<'_>) {
        for element in document.elements() {
            match element {
                Element::Token(token) => self.token(token.kind(), DOCUMENT, line(0)),
                Element::Node(node) => self.value(node, 0),
            }
        }
    }

    /// A value whose keys or dashes are in a column, on lines of their own.
    fn value(&mut self, node: Tree<'_>, column: usize) {
        match node.kind() {
            MAPPING => self.mapping(node, column, false),
            SEQUENCE => self.sequence(node, column),
            BODY => self.body(node),
            _ => self.flow(node, None),
        }
    }

    /// `inline`: the first key may be on the line that is open.
    fn mapping(&mut self, mapping: Tree<'_>, column: usize, inline: bool) {
        let mut inline = inline;
        for entry in mapping.children() {
            let is_after_dash = std::mem::take(&mut inline) && !self.gaps.is_at_line_start();
            let mut start = Some(if is_after_dash { Gap::Space } else { line(column) });
            let mut is_value = false;
            for element in entry.elements() {
                match element {
                    Element::Token(token) if token.kind() == Y_COLON => {
                        self.token(Y_COLON, ENTRY, Gap::None);
                        is_value = true;
                    }
                    Element::Token(token) => {
                        self.token(token.kind(), ENTRY, start.take().unwrap_or(Gap::Squeeze))
                    }
                    Element::Node(node) if !is_value => self.flow(node, start.take()),
                    Element::Node(node) if matches!(node.kind(), MAPPING | SEQUENCE) => {
                        self.value(node, column + STEP);
                    }
                    Element::Node(node) => {
                        self.column = column;
                        match node.kind() {
                            BODY => self.body(node),
                            _ => self.flow(node, Some(Gap::Column(column + VALUE))),
                        }
                    }
                }
            }
        }
    }

    fn sequence(&mut self, sequence: Tree<'_>, column: usize) {
        for element in sequence.elements() {
            match element {
                Element::Token(token) => self.token(token.kind(), SEQUENCE, line(column)),
                Element::Node(node) if node.kind() == MAPPING => self.mapping(node, column + STEP, true),
                Element::Node(node) if node.kind() == SEQUENCE => self.verbatim(node),
                Element::Node(node) => self.flow(node, Some(Gap::Space)),
            }
        }
    }

    /// Scalars, and what is in braces and brackets; its line breaks stay.
    fn flow(&mut self, node: Tree<'_>, first: Option<Gap>) {
        let mut first = first;
        for element in node.elements() {
            match element {
                Element::Node(child) => self.flow(child, first.take()),
                Element::Token(token) => {
                    let gap = first.take().unwrap_or_else(|| flow_gap(self.before.0, token.kind()));
                    let is_kept = self.gaps.is_at_line_start() && !matches!(gap, Gap::Line { .. });
                    self.token(token.kind(), node.kind(), if is_kept { Gap::Keep } else { gap });
                }
            }
        }
    }

    fn body(&mut self, body: Tree<'_>) {
        let indicator = body.first_token().map_or("", |t| t.text());
        // The first line decides how far a block scalar is indented.
        let content = usize::from(body.range().start()) + indicator.len();
        let mut lines = self.text.get(content..).unwrap_or("").lines().skip(1);
        let first = lines.find(|l| !l.trim().is_empty()).unwrap_or("");
        let indent = first.len() - first.trim_start_matches(' ').len();
        let is_comment = first.trim_start().starts_with(';');
        if indicator != "|"
            || self.column > 0
            || is_comment && indent != BLOCKS
            || first.trim_start_matches(' ').starts_with('\t')
        {
            return self.verbatim(body);
        }
        for element in body.elements() {
            match element {
                Element::Token(token) if token.kind() == NEWLINE => {}
                Element::Token(token) => self.token(token.kind(), BODY, Gap::Column(VALUE + 1)),
                Element::Node(block) if block.kind() == BLOCK => self.block(block),
                Element::Node(node) => self.verbatim(node),
            }
        }
    }

    fn block(&mut self, block: Tree<'_>) {
        let mut depth = 0;
        for element in block.elements() {
            match element {
                Element::Token(token) => match token.kind() {
                    NEWLINE => {}
                    LBRACE => {
                        depth += 1;
                        self.token(LBRACE, BLOCK, Gap::Space);
                    }
                    RBRACE => {
                        depth = usize::saturating_sub(depth, 1);
                        let gap = self.own_line(INSTRUCTIONS + depth.min(DEEP) * STEP);
                        self.token(RBRACE, BLOCK, gap);
                    }
                    kind => self.token(kind, BLOCK, Gap::Keep),
                },
                Element::Node(node) if self.is_broken(node) => self.verbatim(node),
                Element::Node(node) => {
                    let first = match node.kind() {
                        BLOCK_HEADER if !self.gaps.is_at_line_start() => Gap::Keep,
                        BLOCK_HEADER if self.before.1 == BODY => line(BLOCKS),
                        BLOCK_HEADER => Gap::Line { indent: BLOCKS, blank: Blank::Wanted },
                        _ => self.own_line(INSTRUCTIONS + depth.min(DEEP) * STEP),
                    };
                    self.code(node, Some(first));
                }
            }
        }
    }

    /// Line ends are tokens of the machine language: what shares a line still does.
    fn own_line(&self, indent: usize) -> Gap {
        if self.gaps.is_at_line_start() { line(indent) } else { Gap::Space }
    }

    fn is_broken(&self, node: Tree<'_>) -> bool {
        let touches = |e: &TextRange| node.range().intersect(*e).is_some();
        node.kind() == BROKEN || self.errors.iter().any(touches)
    }

    /// A node of the machine language; the gap before its first token is given.
    fn code(&mut self, node: Tree<'_>, first: Option<Gap>) {
        let mut first = first;
        for element in node.elements() {
            match element {
                Element::Node(child) => self.code(child, first.take()),
                Element::Token(token) if token.kind() == NEWLINE => {}
                Element::Token(token) => {
                    let next = (token.kind(), node.kind());
                    let gap = first.take().unwrap_or_else(|| between(self.before, next));
                    self.token(token.kind(), node.kind(), gap);
                }
            }
        }
    }
}

fn line(indent: usize) -> Gap {
    Gap::Line { indent, blank: Blank::Optional }
}

/// The gap between two tokens in braces and brackets of YAML.
fn flow_gap(before: MirKind, next: MirKind) -> Gap {
    match (before, next) {
        (Y_LBRACE, Y_RBRACE) | (Y_LBRACKET, Y_RBRACKET) => Gap::Keep,
        (_, Y_COMMA | Y_COLON) => Gap::None,
        (Y_COMMA | Y_COLON | Y_LBRACE | Y_LBRACKET, _) | (_, Y_RBRACE | Y_RBRACKET) => Gap::Space,
        _ => Gap::Squeeze,
    }
}

/// The gap between two tokens of a machine instruction or a block's lists, each with the node that holds it.
fn between(before: (MirKind, MirKind), next: (MirKind, MirKind)) -> Gap {
    match (before, next) {
        (_, (COMMA | RPAREN, _)) | ((LPAREN, _), _) => Gap::None,
        ((COMMA, CUSTOM_MASK), _) => Gap::Squeeze,
        ((COMMA, _), _) => Gap::Space,
        (_, (LPAREN, BLOCK_HEADER)) => Gap::Space,
        (_, (EQUAL | COLON_COLON, _)) | ((EQUAL | COLON_COLON, _), _) => Gap::Space,
        (_, (COLON, BLOCK_HEADER | LIVEINS | SUCCESSORS)) => Gap::None,
        ((COLON, LIVEINS | SUCCESSORS), _) => Gap::Space,
        _ => Gap::Squeeze,
    }
}
