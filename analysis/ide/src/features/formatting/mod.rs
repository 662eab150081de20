//! Formatting of a document, or of a part of it.

use rayon::prelude::*;
use wavelens_semantics::dialect::Scope;
use wavelens_semantics::{TextEdit, TextRange, TextSize};

use crate::db::View;
use crate::formatting::{ChunkText, Style, counts_lines, format_chunk, newline_of};

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
