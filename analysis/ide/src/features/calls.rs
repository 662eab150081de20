//! Call hierarchy, for every dialect.

use wavelens_base::{TextRange, TextSize};

use super::navigation::{occurrences, places};
use super::occurrence_at;
use super::outline::chunk_outline;
use crate::answers::{Role, Space, Symbol, SymbolKind};
use crate::db::View;

/// A function that calls or is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Callable {
    /// With its sigil.
    pub name: String,
    /// A short addition, such as its type.
    pub detail: String,
    /// The whole function.
    pub range: TextRange,
    /// Its name.
    pub selection: TextRange,
}

/// The other side of calls, and the calls' ranges in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The function that calls, or that is called.
    pub other: Callable,
    /// The calls.
    pub ranges: Vec<TextRange>,
}

impl From<Symbol> for Callable {
    fn from(s: Symbol) -> Self {
        Callable { name: s.name, detail: s.detail, range: s.range, selection: s.selection }
    }
}

/// The functions that the name at `offset` means.
pub fn call_items(view: View<'_>, offset: TextSize) -> Vec<Callable> {
    let Some((index, occurrence)) = occurrence_at(view, offset) else { return Vec::new() };
    if !callable_space(occurrence.key.space) {
        return Vec::new();
    }
    let introduced = places(view, index, &occurrence.key).into_iter().filter(|(_, role)| role.introduces());
    introduced.filter_map(|(range, _)| callable_at(view, range)).collect()
}

/// Who calls the function named at `offset`.
pub fn incoming_calls(view: View<'_>, offset: TextSize) -> Vec<Call> {
    let Some((index, occurrence)) = occurrence_at(view, offset) else { return Vec::new() };
    let mut calls: Vec<Call> = Vec::new();
    for (range, role) in places(view, index, &occurrence.key) {
        if role == Role::Call
            && let Some(caller) = super::enclosing_symbol(view, range.start())
        {
            add(&mut calls, caller.into(), range);
        }
    }
    calls
}

/// Whom the function defined at `offset` calls, as far as the file introduces them.
pub fn outgoing_calls(view: View<'_>, offset: TextSize) -> Vec<Call> {
    let Some(function) = super::enclosing_symbol(view, offset) else { return Vec::new() };
    let mut calls: Vec<Call> = Vec::new();
    for index in view.chunks_in(function.range) {
        let start = view.start(index);
        for o in occurrences(view, index) {
            let range = o.range + start;
            if o.role != Role::Call || !function.range.contains_range(range) {
                continue;
            }
            let callee = places(view, index, &o.key).into_iter().find(|(_, role)| role.introduces());
            if let Some(callee) = callee.and_then(|(range, _)| callable_at(view, range)) {
                add(&mut calls, callee, range);
            }
        }
    }
    calls
}

fn callable_space(space: Space) -> bool {
    matches!(space, Space::Global | Space::Id | Space::Macro)
}

/// The function whose outline entry has its name at `range`.
fn callable_at(view: View<'_>, range: TextRange) -> Option<Callable> {
    let (index, ..) = view.chunk_at(range.start())?;
    let mut entries = chunk_outline(view, index);
    // Declarations are in groups.
    let inner: Vec<Symbol> = entries
        .iter_mut()
        .filter(|s| s.kind == SymbolKind::Group)
        .flat_map(|s| std::mem::take(&mut s.children))
        .collect();
    entries.extend(inner);
    let callable = |s: &Symbol| {
        matches!(s.kind, SymbolKind::Function | SymbolKind::EntryPoint | SymbolKind::Declaration)
    };
    entries.into_iter().find(|s| callable(s) && s.selection.intersect(range).is_some()).map(Callable::from)
}

fn add(calls: &mut Vec<Call>, other: Callable, range: TextRange) {
    match calls.iter_mut().find(|c| c.other.selection == other.selection) {
        Some(call) => call.ranges.push(range),
        None => calls.push(Call { other, ranges: vec![range] }),
    }
}
