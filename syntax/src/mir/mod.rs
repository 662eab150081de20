//! `.mir`, LLVM Machine IR.
//!
//! A chunk is a YAML document, or a part of the document that embeds an LLVM IR module. The text of that module is one
//! token here ([`ir_text`] gives it to the LLVM dialect).
//!
//! `body`, `operand` and `memory` import each other because they nest: an instruction has operands and memory operands, a memory operand has
//! operands of its own.

mod body;
mod grammar;
mod kind;
mod lexer;
mod memory;
mod mi_lexer;
mod operand;
pub mod split;

use std::borrow::Cow;

pub use self::mi_lexer::CFI_WORDS;
pub use self::operand::{
    ASM_WORD, FLOAT_PREDICATES, INTEGER_PREDICATES, asm_words, newer_since, sized_type, vector_elements,
};
pub use kind::{MirKind, MirLanguage};

use rowan::{TextRange, TextSize};

use crate::diagnostic::{Diagnostic, Rule, Severity};
use crate::machine::{Lexed, Parse, Parser};
use crate::wording;

/// What may precede the text of a file.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// What the grammar reports.
pub static SYNTAX_ERROR: Rule = Rule {
    code: "syntax-error",
    severity: Severity::Error,
    title: "the text follows the grammar of Machine IR",
    explain: "What does not follow the grammar cannot be read by llc. The rest of the construct is not checked.",
    example: "---\nname: f\nbody: |\n  bb.0:\n    S_NOP 0 )\n    S_ENDPGM 0\n...\n",
    fixed: "---\nname: f\nbody: |\n  bb.0:\n    S_NOP 0\n    S_ENDPGM 0\n...\n",
    source: "LLVM MIParser and MIRParser: \"expected a machine operand\"",
};

/// What only versions of LLVM after the one that the tables follow read.
pub static NEWER: Rule = Rule {
    code: "newer-key",
    severity: Severity::Error,
    title: "keys, types and operands exist in the LLVM version that the file is for",
    explain: "An older version of LLVM does not read a machine function with a key that it does not know, with a \
        low-level type such as `i32`, `f16` or `bf16`, or with the flags of `INLINEASM` as words. It is reported only \
        where `llvm-version` (option `--llvm-level`) names such a version.",
    example: "---\nname: f # with `llvm-version` 22\nframeInfo:\n  framePointerPolicy: none\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n",
    fixed: "---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n",
    source: "LLVM MIRYamlMapping.h, MIParser.cpp and SIMachineFunctionInfo.h of LLVM 22 and 24",
};

/// Parses one chunk. Never fails: the tree holds the whole text.
pub fn parse(text: &str) -> Parse<MirKind> {
    parse_as(text, chunk_kind(text))
}

/// The tokens of a chunk's tree.
pub fn lex(text: &str) -> Lexed<MirKind> {
    lexer::lex(text, chunk_kind(text)).0
}

/// Where LLVM stops reading a text as YAML, whatever it holds.
pub fn yaml_error(text: &str) -> Option<TextRange> {
    parse_as(text, ChunkKind::Function).errors.iter().map(|e| e.range).min_by_key(|range| range.start())
}

fn parse_as(text: &str, kind: ChunkKind) -> Parse<MirKind> {
    let (lexed, structure) = lexer::lex(text, kind);
    let mut p = Parser::new(text, lexed, &SYNTAX_ERROR);
    grammar::chunk(&mut p, structure);
    let mut parse = p.finish();
    if let Some(range) = unprintable(text)
        && !parse.errors.iter().any(|e| e.range.contains_range(range))
        && parse.lexed().kind(parse.lexed().at_offset(range.start())) != MirKind::UNREAD
    {
        let c = text.get(std::ops::Range::<usize>::from(range)).and_then(|c| c.chars().next());
        let message = wording::unexpected_character(c.unwrap_or_default());
        parse.errors.push(Diagnostic::new(&SYNTAX_ERROR, range, message));
    }
    parse
}

/// Whether YAML allows a character. Source: YAML 1.2, production `c-printable`.
pub fn is_printable(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' | '\u{85}' => true,
        ..' ' | '\u{7f}'..'\u{a0}' | BYTE_ORDER_MARK | '\u{fffe}' | '\u{ffff}' => false,
        _ => true,
    }
}

/// The first character that YAML does not allow, not even in a comment or in the text of a block.
fn unprintable(text: &str) -> Option<TextRange> {
    if text.bytes().all(|b| matches!(b, b'\t' | b'\n' | b'\r' | b' '..=b'~')) {
        return None;
    }
    let text_start = text.trim_start_matches(BYTE_ORDER_MARK);
    let (at, c) = text_start.char_indices().find(|(_, c)| !is_printable(*c))?;
    let at = text.len() - text_start.len() + at;
    Some(TextRange::at(TextSize::new(at as u32), TextSize::of(c)))
}

/// What a chunk holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChunkKind {
    /// The start of an embedded IR module; its text is in this range, the header line and what follows it are not.
    IrStart,
    /// More of the embedded IR module of the chunk before.
    IrMore,
    /// A machine function.
    Function,
    /// Nothing but comments.
    Empty,
}

/// What a chunk holds, from its first lines.
pub fn chunk_kind(text: &str) -> ChunkKind {
    kind_and_header(text).0
}

/// Where the embedded IR begins in a chunk that holds some.
pub fn ir_start(text: &str) -> Option<usize> {
    match kind_and_header(text) {
        (ChunkKind::IrStart, header) => Some(header),
        (ChunkKind::IrMore, _) => Some(0),
        (ChunkKind::Function | ChunkKind::Empty, _) => None,
    }
}

/// What a chunk holds, and the length of the lines that tell it.
fn kind_and_header(text: &str) -> (ChunkKind, usize) {
    let (mut length, mut is_document) = (0, false);
    for line in text.split_inclusive('\n') {
        length += line.len();
        let line = line.trim_start_matches(BYTE_ORDER_MARK);
        let after_dashes = line.strip_prefix("---").filter(|_| !is_document);
        is_document |= after_dashes.is_some();
        let content = after_dashes.unwrap_or(line).trim();
        if is_block_header(content) {
            return (ChunkKind::IrStart, length);
        }
        if content.is_empty() || content.starts_with('#') || !is_document && line.trim_end() == "..." {
            continue;
        }
        let is_more = !is_document && line.starts_with([' ', '\t']);
        return (if is_more { ChunkKind::IrMore } else { ChunkKind::Function }, length);
    }
    (if is_document { ChunkKind::Function } else { ChunkKind::Empty }, length)
}

/// Whether a line without blanks around it, or what follows `---`, begins a block of text: `|`, `|-`, `| # comment`.
fn is_block_header(content: &str) -> bool {
    content.strip_prefix('|').is_some_and(|rest| {
        let rest = rest.trim_start_matches(['+', '-', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
        rest.is_empty() || rest.starts_with([' ', '\t'])
    })
}

/// The text of the embedded IR in a chunk: it ends where the IR does. What precedes the IR is blanked, so that offsets agree.
pub fn ir_text(text: &str) -> Option<Cow<'_, str>> {
    let start = ir_start(text)?;
    let (mut end, mut last) = (start, start);
    for line in text.get(start..).unwrap_or("").split_inclusive('\n') {
        if !line.starts_with([' ', '\t', '\r', '\n']) {
            // Blank lines at the end of a block are not its text.
            end = last;
            break;
        }
        end += line.len();
        if !line.trim().is_empty() {
            last = end;
        }
    }
    if start == 0 {
        return text.get(..end).map(Cow::Borrowed);
    }
    let before = text.get(..start).unwrap_or("").bytes();
    let mut ir: String = before.map(|b| if b == b'\n' { '\n' } else { ' ' }).collect();
    ir.push_str(text.get(start..end).unwrap_or(""));
    Some(Cow::Owned(ir))
}

/// Lexes a piece of the body language that stands alone in a YAML value (`$sgpr0`, `%bb.1`, `!5`): kinds and texts, without blanks.
pub fn lex_fragment(text: &str) -> Vec<(MirKind, &str)> {
    let mut lexed = Lexed::with_capacity(text.len());
    mi_lexer::lex(text, 0, text.len(), &mut lexed);
    (0..lexed.len())
        .map(|i| (lexed.kind(i), lexed.text(text, i)))
        .filter(|(kind, _)| !matches!(kind, MirKind::WHITESPACE | MirKind::COMMENT))
        .collect()
}
