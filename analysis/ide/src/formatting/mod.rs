//! Formatting: plain functions from text to edits.
//!
//! A dialect lays out one chunk in `<dialect>/formatting.rs`, by naming the white space that it wants before each token ([`Gaps`]).
//! The driver here cuts the file into chunks, and drops the edits of a chunk if the tokens were not the same afterwards.

mod gaps;
#[cfg(test)]
mod tests;

use rayon::prelude::*;
use wavelens_semantics::{Dialect, TextEdit};
use wavelens_syntax::machine::{Kind, Lexed};

pub(crate) use gaps::{Blank, Gap, Gaps};

/// What can be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Style {
    /// Of SPIR-V.
    pub spirv: SpirvLayout,
}

/// The layouts that `spirv-dis` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SpirvLayout {
    /// Opcodes in one column, result ids right-aligned before it.
    #[default]
    Aligned,
    /// As aligned, and opcodes indented by the structure of control flow: `spirv-dis --nested-indent`.
    Nested,
    /// No indentation: `spirv-dis --no-indent`.
    Plain,
}

impl SpirvLayout {
    /// Every layout, the default first.
    pub const ALL: [SpirvLayout; 3] = [SpirvLayout::Aligned, SpirvLayout::Nested, SpirvLayout::Plain];

    /// The name in settings and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            SpirvLayout::Aligned => "aligned",
            SpirvLayout::Nested => "nested",
            SpirvLayout::Plain => "plain",
        }
    }

    /// The layout of a name in settings and on the command line.
    pub fn from_name(name: &str) -> Option<SpirvLayout> {
        SpirvLayout::ALL.into_iter().find(|l| l.name() == name)
    }
}

/// A chunk, and what its layout depends on outside of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChunkText<'t> {
    pub(crate) text: &'t str,
    /// The chunk starts the file.
    pub(crate) is_first: bool,
    /// The start of what follows; empty at the end of the file.
    pub(crate) next: &'t str,
    /// How lines end.
    pub(crate) newline: &'static str,
    pub(crate) style: Style,
    /// Assembly: names of the macros of the file.
    pub(crate) macros: &'t [&'t str],
}

/// How the lines of a text end: as its first one does.
pub(crate) fn newline_of(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// Edits that lay out a file; none overlap, and each replaces white space by white space.
pub fn format(dialect: Dialect, text: &str, style: Style) -> Vec<TextEdit> {
    if counts_lines(text) {
        return Vec::new();
    }
    let spans = wavelens_syntax::split(dialect, text);
    let macros = macros_of(dialect, [text].into_iter());
    let newline = newline_of(text);
    let edits: Vec<Vec<TextEdit>> = spans
        .par_iter()
        .enumerate()
        .map(|(index, span)| {
            let range = std::ops::Range::<usize>::from(span.range);
            let next = &text[range.end..];
            let chunk =
                ChunkText { text: &text[range], is_first: index == 0, next, newline, style, macros: &macros };
            let mut edits = format_chunk(dialect, &chunk);
            edits.iter_mut().for_each(|e| e.range += span.range.start());
            edits
        })
        .collect();
    edits.into_iter().flatten().collect()
}

/// Test tools count the lines and columns of such a file: moving its text would break its checks.
pub(crate) fn counts_lines(text: &str) -> bool {
    text.contains("@LINE")
}

/// Names of the macros that assembly defines.
pub(crate) fn macros_of<'t>(dialect: Dialect, texts: impl Iterator<Item = &'t str>) -> Vec<&'t str> {
    match dialect {
        Dialect::Amdgpu => texts.flat_map(crate::amdgpu::formatting::macros).collect(),
        _ => Vec::new(),
    }
}

/// Edits that lay out a chunk, relative to its start.
pub(crate) fn format_chunk(dialect: Dialect, chunk: &ChunkText<'_>) -> Vec<TextEdit> {
    let edits = match dialect {
        Dialect::Llvm => crate::llvm::formatting::format(chunk),
        Dialect::Mir => crate::mir::formatting::format(chunk),
        Dialect::Spirv => crate::spirv::formatting::format(chunk),
        Dialect::Amdgpu => crate::amdgpu::formatting::format(chunk),
    };
    if edits.is_empty()
        || TextEdit::apply_all(chunk.text, &edits)
            .is_some_and(|after| has_same_tokens(dialect, chunk.text, &after))
    {
        return edits;
    }
    debug_assert!(false, "formatting changed the tokens of {}", chunk.text);
    Vec::new()
}

/// Whether two texts differ in white space only: the same tokens and comments in the same order, and as many statements.
fn has_same_tokens(dialect: Dialect, before: &str, after: &str) -> bool {
    use wavelens_syntax::{amdgpu, llvm, spirv};
    match dialect {
        Dialect::Llvm => same(before, &llvm::lex(before), after, &llvm::lex(after), None),
        Dialect::Mir => crate::mir::formatting::has_same_tokens(before, after),
        Dialect::Spirv => same(before, &spirv::lex(before), after, &spirv::lex(after), None),
        Dialect::Amdgpu => {
            same(before, &amdgpu::lex(before), after, &amdgpu::lex(after), Some(amdgpu::AmdgpuKind::EOL))
        }
    }
}

/// Compares tokens and comments; several line ends in a row are one, and those at the end are none.
pub(crate) fn same<K: Kind>(
    before: &str,
    old: &Lexed<K>,
    after: &str,
    new: &Lexed<K>,
    line_end: Option<K>,
) -> bool {
    visible(before, old, line_end).eq(visible(after, new, line_end))
}

/// The tokens and comments, each with whether a line ends before it.
fn visible<'t, K: Kind>(
    text: &'t str,
    lexed: &'t Lexed<K>,
    line_end: Option<K>,
) -> impl Iterator<Item = (K, &'t str, bool)> {
    let mut ended = true;
    (0..lexed.len()).filter_map(move |index| {
        let (kind, text) = (lexed.kind(index), lexed.text(text, index));
        if Some(kind) == line_end {
            ended = true;
            return None;
        }
        if kind.is_trivia() && text.trim().is_empty() {
            return None;
        }
        Some((kind, text, std::mem::replace(&mut ended, false)))
    })
}
