//! The outline of a file, and names over all open files.

use wavelens_semantics::TextSize;

use super::ask;
use crate::answers::{Symbol, SymbolKind};
use crate::db::View;

/// Outline entries of one chunk, moved into the file.
pub(super) fn chunk_outline(view: View<'_>, index: usize) -> Vec<Symbol> {
    let mut symbols = ask!(view, index, outline::outline()).unwrap_or_default();
    let start = view.start(index);
    symbols.iter_mut().for_each(|s| s.shift(start));
    symbols
}

/// The outline of a file, in the order of the text. Groups of the same name that follow each other are made one.
pub fn outline(view: View<'_>) -> Vec<Symbol> {
    let mut all: Vec<Symbol> = Vec::new();
    for index in 0..view.chunks().len() {
        view.db.unwind_if_revision_cancelled();
        for symbol in chunk_outline(view, index) {
            match all.iter_mut().find(|s| {
                s.kind == SymbolKind::Group && symbol.kind == SymbolKind::Group && s.name == symbol.name
            }) {
                Some(group) => {
                    group.range = group.range.cover(symbol.range);
                    group.children.extend(symbol.children);
                }
                None => all.push(symbol),
            }
        }
    }
    all
}

/// The innermost function-like outline entry around an offset of the file.
pub fn enclosing_symbol(view: View<'_>, offset: TextSize) -> Option<Symbol> {
    let (index, ..) = view.chunk_at(offset)?;
    chunk_outline(view, index).into_iter().find(|s| {
        s.range.contains_inclusive(offset) && matches!(s.kind, SymbolKind::Function | SymbolKind::EntryPoint)
    })
}

/// Outline entries, without their children, whose names match: every character of the query in order, ignoring case.
pub fn workspace_symbols(view: View<'_>, query: &str) -> Vec<Symbol> {
    let mut found = Vec::new();
    for index in 0..view.chunks().len() {
        view.db.unwind_if_revision_cancelled();
        for symbol in chunk_outline(view, index) {
            let group = symbol.kind == SymbolKind::Group;
            let (own, children) = (Symbol { children: Vec::new(), ..symbol.clone() }, symbol.children);
            if !group && matches(&own.name, query) {
                found.push(own);
            }
            if group {
                found.extend(children.into_iter().filter(|c| matches(&c.name, query)));
            }
        }
    }
    found
}

fn matches(name: &str, query: &str) -> bool {
    let mut rest = name.chars().flat_map(char::to_lowercase);
    query.chars().flat_map(char::to_lowercase).all(|q| rest.any(|c| c == q))
}
