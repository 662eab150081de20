//! Formatting of a text, of a document, or of a part of it.
//!
//! The file is cut into chunks, which the dialects lay out. The edits of a chunk are dropped if its tokens were not the same
//! afterwards.

#[cfg(test)]
mod tests;

use rayon::prelude::*;
use wavelens_base::{Dialect, Severity, TextEdit, TextRange, TextSize};
use wavelens_check::dialect::Scope;

use crate::db::View;
use crate::formatting::{ChunkText, Style, newline_of, same};

/// Edits that lay out the document, or what a range of it holds. Chunks outside of the range are not looked at.
pub fn format(view: View<'_>, range: Option<TextRange>, style: Style) -> Vec<TextEdit> {
    let texts: Vec<&str> = view.chunks().iter().map(|c| view.text(*c)).collect();
    let indexes = range.map_or(0..texts.len(), |range| view.chunks_in(range));
    if texts.get(indexes.clone()).unwrap_or(&[]).iter().any(|text| counts_lines(text)) {
        return Vec::new();
    }
    let macros: Vec<&str> = match view.scope() {
        Scope::Amdgpu(scope) => scope.macro_names().collect(),
        _ => Vec::new(),
    };
    let newline = newline_of(texts.first().unwrap_or(&""));
    let dialect = view.dialect();
    let edits: Vec<Vec<TextEdit>> = indexes
        .clone()
        .into_par_iter()
        .map(|index| {
            let next = texts.get(index + 1).unwrap_or(&"");
            let chunk =
                ChunkText { text: texts[index], is_first: index == 0, next, newline, style, macros: &macros };
            format_chunk(dialect, &chunk)
        })
        .collect();
    let is_wanted = |edit: &TextEdit| match range {
        None => true,
        Some(range) if range.is_empty() => edit.range.intersect(range).is_some(),
        Some(range) => edit.range.end() >= range.start() && edit.range.start() < range.end(),
    };
    let place = |index: usize, edits: Vec<TextEdit>| {
        let start: TextSize = view.start(index);
        edits.into_iter().map(move |e| TextEdit { range: e.range + start, ..e })
    };
    indexes.zip(edits).flat_map(|(index, edits)| place(index, edits)).filter(is_wanted).collect()
}

/// Edits that lay out a text; none overlap, and each replaces white space by white space.
pub fn format_text(dialect: Dialect, text: &str, style: Style) -> Vec<TextEdit> {
    if counts_lines(text) {
        return Vec::new();
    }
    let spans = wavelens_syntax::split(dialect, text);
    let macros = macros_of(dialect, text);
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

/// What a formatted text leaves as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LeftAlone {
    /// Nothing is formatted: its test counts lines.
    Whole,
    /// What these syntax errors are in.
    Errors(Vec<TextRange>),
}

/// What [`format_text`] leaves as it is. SPIR-V and assembly are laid out line by line, whatever is wrong in them.
pub fn left_alone(dialect: Dialect, text: &str) -> LeftAlone {
    if counts_lines(text) {
        return LeftAlone::Whole;
    }
    let errors_in = |text: &str| match dialect {
        Dialect::Llvm => wavelens_syntax::llvm::parse(text).errors,
        Dialect::Mir => wavelens_syntax::mir::parse(text).errors,
        Dialect::Spirv | Dialect::Amdgpu => Vec::new(),
    };
    let spans = wavelens_syntax::split(dialect, text);
    let errors: Vec<Vec<TextRange>> = spans
        .par_iter()
        .map(|span| {
            let found = errors_in(&text[std::ops::Range::<usize>::from(span.range)]);
            let errors = found.iter().filter(|error| error.rule.severity == Severity::Error);
            errors.map(|error| error.range + span.range.start()).collect()
        })
        .collect();
    LeftAlone::Errors(errors.concat())
}

/// Test tools count the lines and columns of such a file: moving its text would break its checks.
fn counts_lines(text: &str) -> bool {
    text.contains("@LINE")
}

/// Names of the macros that assembly defines.
fn macros_of(dialect: Dialect, text: &str) -> Vec<&str> {
    match dialect {
        Dialect::Amdgpu => crate::amdgpu::formatting::macros(text).collect(),
        _ => Vec::new(),
    }
}

/// Edits that lay out a chunk, relative to its start.
fn format_chunk(dialect: Dialect, chunk: &ChunkText<'_>) -> Vec<TextEdit> {
    let mut edits = match dialect {
        Dialect::Llvm => crate::llvm::formatting::format(chunk),
        Dialect::Mir => crate::mir::formatting::format(chunk),
        Dialect::Spirv => crate::spirv::formatting::format(chunk),
        Dialect::Amdgpu => crate::amdgpu::formatting::format(chunk),
    };
    let changes_tokens = |edits: &[TextEdit]| {
        let after = TextEdit::apply_all(chunk.text, edits);
        !edits.is_empty() && !after.is_some_and(|after| has_same_tokens(dialect, chunk.text, &after))
    };
    if !changes_tokens(&edits) {
        return edits;
    }
    // A line break after text that goes on to the end of the file (an open string, what follows a NUL) would be a part of it.
    edits.pop_if(|edit| edit.range == TextRange::empty(TextSize::of(chunk.text)));
    if !changes_tokens(&edits) {
        return edits;
    }
    let after = TextEdit::apply_all(chunk.text, &edits);
    debug_assert!(false, "formatting changed the tokens of {}\nto {}", chunk.text, after.unwrap_or_default());
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
