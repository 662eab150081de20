//! The outline of a file, and names over all open files.

use std::collections::BTreeMap;

use wavelens_base::parts::{ASSEMBLY, Part, parts};
use wavelens_base::{TextRange, TextSize};

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

/// The outline of a file, in the order of the text.
///
/// The entries of a section of a split file, or of a snapshot in a log, are below its name.
pub fn document_outline(view: View<'_>) -> Vec<Symbol> {
    let (parts, mut symbols) = (parts_of(view), outline(view));
    let take = |part: Part| {
        let inside = |symbol: &mut Symbol| part.range.contains_range(symbol.range);
        let children = symbols.extract_if(.., inside).collect();
        part_symbol(part, children)
    };
    let parts: Vec<Symbol> = parts.into_iter().map(take).collect();
    symbols.extend(parts);
    symbols.sort_by_key(|symbol| symbol.range.start());
    symbols
}

/// The sections of a split file, or the snapshots of a log.
pub(super) fn parts_of(view: View<'_>) -> Vec<Part> {
    // Both are recognised by a word that few files have.
    let has_word = |index: usize| {
        let text = view.chunks().get(index).map_or("", |chunk| view.text(*chunk));
        ["split-file", "*** IR Dump ", "# Machine code for ", ASSEMBLY].iter().any(|word| text.contains(word))
    };
    let few = view.chunks().len().min(FIRST_CHUNKS);
    if (0..few).any(has_word) { parts(view.dialect(), &view.whole_text()) } else { Vec::new() }
}

/// Chunks at the start of a file that tell whether it has parts.
const FIRST_CHUNKS: usize = 4;

fn part_symbol(part: Part, children: Vec<Symbol>) -> Symbol {
    Symbol {
        name: part.name,
        detail: String::new(),
        kind: SymbolKind::Section,
        range: TextRange::new(part.name_range.start(), part.range.end()),
        selection: part.name_range,
        children,
    }
}

/// The entries of all chunks, in the order of the text. Groups of the same name are made one where only groups are between them: one
/// that covered a function would hide its name from whoever looks for what is around a line.
pub fn outline(view: View<'_>) -> Vec<Symbol> {
    let mut all: Vec<Symbol> = Vec::new();
    for index in 0..view.chunks().len() {
        view.db.unwind_if_revision_cancelled();
        for symbol in chunk_outline(view, index) {
            let is_group = symbol.kind == SymbolKind::Group;
            let mut before = all.iter_mut().rev().take_while(|s| is_group && s.kind == SymbolKind::Group);
            match before.find(|s| s.name == symbol.name) {
                Some(group) => {
                    group.range = group.range.cover(symbol.range);
                    group.children.extend(symbol.children);
                }
                None => all.push(symbol),
            }
        }
    }
    // Compilers write each declaration after the function that uses it first.
    let mut groups: BTreeMap<String, u32> = BTreeMap::new();
    for group in all.iter().filter(|s| s.kind == SymbolKind::Group) {
        *groups.entry(group.name.clone()).or_default() += 1;
    }
    for symbol in all.iter_mut().filter(|s| s.kind == SymbolKind::Group && s.children.len() == 1) {
        if groups.get(&symbol.name).is_some_and(|count| *count > 1)
            && let Some(only) = symbol.children.pop()
        {
            *symbol = only;
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
            if !group && is_meant(&own.name, query) {
                found.push(own);
            }
            if group {
                found.extend(children.into_iter().filter(|c| is_meant(&c.name, query)));
            }
        }
    }
    found
}

/// Whether a symbol or its name in the source matches a query: every character of it in order, ignoring case.
pub fn is_meant(name: &str, query: &str) -> bool {
    matches(name, query) || crate::demangle(name).is_some_and(|source| matches(&source, query))
}

fn matches(name: &str, query: &str) -> bool {
    // A search looks at all names of a workspace.
    if name.is_ascii() && query.is_ascii() {
        let mut rest = name.bytes();
        return query.bytes().all(|q| rest.any(|c| c.eq_ignore_ascii_case(&q)));
    }
    let mut rest = name.chars().flat_map(char::to_lowercase);
    query.chars().flat_map(char::to_lowercase).all(|q| rest.any(|c| c == q))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use wavelens_base::{Dialect, TextRange, TextSize};

    use crate::answers::{Symbol, SymbolKind};
    use crate::features;
    use crate::features::tests::at_cursor;

    #[test]
    fn no_group_covers_a_function() {
        let function = |name: &str| format!("define void @{name}() {{\n  ret void\n}}\n");
        let text = format!(
            "declare void @a()\ndeclare void @b()\n{}declare void @c()\n{}declare void @d()\ndeclare void @e()\n",
            function("f"),
            function("g")
        );
        let shown = at_cursor(Dialect::Llvm, &text, |view, _| {
            let all = features::outline(view);
            let functions: Vec<TextRange> =
                all.iter().filter(|s| s.kind == SymbolKind::Function).map(|s| s.range).collect();
            let covers = |s: &&Symbol| {
                s.kind == SymbolKind::Group
                    && functions
                        .iter()
                        .any(|f| f.intersect(s.range).is_some_and(|r| r.len() > TextSize::new(0)))
            };
            assert!(!all.iter().any(|s| covers(&s)));
            all.iter().map(|s| format!("{:?} {} {}\n", s.kind, s.name, s.children.len())).collect::<String>()
        });
        expect![[r#"
            Group declarations 2
            Function @f 0
            Declaration @c 0
            Function @g 0
            Group declarations 2
        "#]]
        .assert_eq(&shown);
    }
}
