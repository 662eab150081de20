//! The columns of assembly: labels, mnemonics, operands and comments.
//!
//! The bodies of macros and repetitions, and metadata, are text to the assembler: they stay as they are.

use wavelens_base::TextEdit;
use wavelens_syntax::amdgpu::AmdgpuKind::{self, *};
use wavelens_syntax::amdgpu::parse;
use wavelens_syntax::machine::{Element, Node, Token};

use crate::formatting::{Blank, ChunkText, Gap, Gaps};

/// The columns of mnemonics, of their operands, and of comments after them.
const MNEMONIC: usize = 4;
const OPERANDS: usize = 24;
const COMMENTS: usize = 56;
/// Indentation of what belongs to a kernel descriptor.
const DESCRIPTOR: usize = MNEMONIC + 2;

/// What opens parts that stay as they are, and what ends them.
pub(super) const VERBATIM: &[(&[&str], &[&str])] = &[
    (&[".macro"], &[".endm", ".endmacro"]),
    (&[".rept", ".rep", ".irp", ".irpc"], &[".endr"]),
    (&[".amdgpu_metadata"], &[".end_amdgpu_metadata"]),
    (&[".amdgpu_pal_metadata"], &[".end_amdgpu_pal_metadata"]),
    (&[".amd_kernel_code_t"], &[".end_amd_kernel_code_t"]),
];

/// How the names of instructions start.
const FAMILIES: [&str; 12] = [
    "s_", "v_", "ds_", "buffer_", "tbuffer_", "global_", "flat_", "scratch_", "image_", "exp", "lds_",
    "cluster_",
];

/// Names of the macros that a text defines.
pub(crate) fn macros(text: &str) -> impl Iterator<Item = &str> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || "_$.?@".contains(c);
    text.match_indices(".macro").filter_map(move |(at, word)| {
        let rest = text.get(at + word.len()..)?.strip_prefix([' ', '\t'])?.trim_start_matches([' ', '\t']);
        let name = rest.get(..rest.find(|c| !is_name(c)).unwrap_or(rest.len()))?;
        (!name.is_empty()).then_some(name)
    })
}

/// Edits that lay out a chunk.
pub(crate) fn format(chunk: &ChunkText<'_>) -> Vec<TextEdit> {
    let parse = parse(chunk.text);
    let gaps = Gaps::new(chunk.text, parse.lexed(), chunk.newline, chunk.is_first);
    let gaps = gaps.with_line_end(EOL).with_comments_at(COMMENTS);
    let mut printer = Printer { gaps, chunk, open: None, in_descriptor: false };
    for element in parse.root(chunk.text).elements() {
        if let Element::Node(statement) = element {
            printer.statement(statement);
        }
    }
    printer.gaps.finish(chunk.next.is_empty(), Blank::Optional)
}

struct Printer<'t> {
    gaps: Gaps<'t, AmdgpuKind>,
    chunk: &'t ChunkText<'t>,
    /// The kind and the depth of a part that stays as it is.
    open: Option<(usize, u32)>,
    in_descriptor: bool,
}

type Statement<'t> = Node<'t, AmdgpuKind>;

impl Printer<'_> {
    fn statement(&mut self, statement: Statement<'_>) {
        let directive = statement.child(DIRECTIVE).and_then(|d| d.first_token()).map_or("", |t| t.text());
        let was_open = self.open.is_some();
        self.note(directive);
        if was_open || self.open.is_some() || !self.is_sound(statement) {
            return all_tokens(statement).for_each(|_| self.gaps.token(Gap::Keep));
        }
        if directive == ".end_amdhsa_kernel" {
            self.in_descriptor = false;
        }
        let indent = if self.in_descriptor { DESCRIPTOR } else { MNEMONIC };
        if directive == ".amdhsa_kernel" {
            self.in_descriptor = true;
        }
        let mut has_label = false;
        for part in statement.elements() {
            match part {
                Element::Token(token) if token.kind() == EOL => {}
                Element::Token(_) => self.gaps.token(Gap::Keep),
                Element::Node(label) if label.kind() == LABEL => {
                    self.gaps.token(line(0));
                    self.gaps.token(Gap::Squeeze);
                    has_label = true;
                }
                Element::Node(node) => {
                    let start = if has_label { Gap::Column(indent) } else { line(indent) };
                    match node.kind() {
                        INSTRUCTION => self.instruction(node, start),
                        ASSIGNMENT => self.assignment(node, start),
                        _ => self.directive(node, start),
                    }
                }
            }
        }
    }

    /// Follows what opens and ends parts that stay as they are.
    fn note(&mut self, directive: &str) {
        self.open = match self.open {
            None => VERBATIM.iter().position(|(open, _)| open.contains(&directive)).map(|kind| (kind, 1)),
            Some((kind, depth)) => match VERBATIM.get(kind) {
                Some((open, _)) if open.contains(&directive) => Some((kind, depth + 1)),
                Some((_, end)) if end.contains(&directive) => (depth > 1).then(|| (kind, depth - 1)),
                _ => Some((kind, depth)),
            },
        };
    }

    /// Whether a statement can be read, and no preprocessor takes its line for the end of another one.
    fn is_sound(&self, statement: Statement<'_>) -> bool {
        let start = usize::from(statement.range().start());
        let before = self.chunk.text.get(..start).unwrap_or("").trim_end_matches([' ', '\t']);
        let is_continued =
            before.strip_suffix('\n').is_some_and(|l| l.trim_end_matches('\r').ends_with('\\'));
        !is_continued && all_tokens(statement).all(|t| !matches!(t.kind(), BAD | BACKSLASH))
    }

    fn instruction(&mut self, node: Statement<'_>, start: Gap) {
        let mnemonic = node.first_token().map_or("", |t| t.text());
        let is_known =
            FAMILIES.iter().any(|f| mnemonic.starts_with(f)) && !self.chunk.macros.contains(&mnemonic);
        let mut before = None;
        for (index, token) in all_tokens(node).enumerate() {
            let gap = match (before, token.kind()) {
                (None, _) => start,
                (Some(IDENT), _) if index == 1 => {
                    if self.gaps.touches_next() {
                        Gap::Keep
                    } else {
                        Gap::Column(OPERANDS)
                    }
                }
                _ if !is_known => Gap::Keep,
                (_, COMMA) => Gap::None,
                (Some(COMMA), _) => Gap::Space,
                _ => Gap::Squeeze,
            };
            self.gaps.token(gap);
            before = Some(token.kind());
        }
    }

    fn assignment(&mut self, node: Statement<'_>, start: Gap) {
        let mut start = Some(start);
        let mut before = EOF;
        for token in all_tokens(node) {
            let around = token.kind() == EQUAL || before == EQUAL;
            let gap = start.take().unwrap_or(if around { Gap::Space } else { Gap::Squeeze });
            self.gaps.token(gap);
            before = token.kind();
        }
    }

    /// What a directive's arguments mean is its own business: they stay as they are.
    fn directive(&mut self, node: Statement<'_>, start: Gap) {
        for (index, _) in all_tokens(node).enumerate() {
            self.gaps.token(match index {
                0 => start,
                1 => Gap::Squeeze,
                _ => Gap::Keep,
            });
        }
    }
}

fn line(indent: usize) -> Gap {
    Gap::Line { indent, blank: Blank::Optional }
}

/// All significant tokens of a node but line ends, in order.
fn all_tokens<'t>(node: Statement<'t>) -> impl Iterator<Item = Token<'t, AmdgpuKind>> {
    node.all_tokens().filter(|token| token.kind() != EOL)
}
