//! Definition, references and highlights, for every dialect.

use super::{Occurrence, Role, SymbolKey, ask};
use crate::db::View;
use crate::{TextRange, TextSize};

/// Where a name leads, in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The name's range where the question was asked.
    pub origin: TextRange,
    pub range: TextRange,
}

/// Every name in a chunk, with ranges relative to it, in no particular order.
pub(super) fn occurrences(view: View<'_>, index: usize) -> Vec<Occurrence> {
    ask!(view, index, occurrences::occurrences()).unwrap_or_default()
}

/// The name at an offset of the file: index of its chunk, and the name with its range relative to the chunk.
///
/// An offset at the end of a name counts as on it when no other name starts there.
pub fn occurrence_at(view: View<'_>, offset: TextSize) -> Option<(usize, Occurrence)> {
    let (index, _, at) = view.chunk_at(offset)?;
    let touching = occurrences(view, index).into_iter().filter(|o| o.range.contains_inclusive(at));
    // A written name wins over an unwritten one, a name that starts here over one that ends here.
    let best = touching.max_by_key(|o| (!o.range.is_empty(), o.range.start()))?;
    Some((index, best))
}

/// Every place in the file that names `key`; `home` is the chunk that a local key belongs to. Ranges are in the file, in order.
pub(super) fn places(view: View<'_>, home: usize, key: &SymbolKey) -> Vec<(TextRange, Role)> {
    let chunks = if key.owner.is_some() { home..home + 1 } else { 0..view.chunks().len() };
    // A name with unusual characters may be written with escapes, and a number may be unwritten: then the text does not tell.
    let written =
        key.name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-' | b'$'))
            && !key.name.bytes().all(|b| b.is_ascii_digit());
    let mut places = Vec::new();
    for index in chunks {
        let Some(chunk) = view.chunks().get(index) else { continue };
        view.db.unwind_if_revision_cancelled();
        if written && key.owner.is_none() && !view.text(*chunk).contains(key.name.as_str()) {
            continue;
        }
        let start = view.start(index);
        let found = occurrences(view, index).into_iter().filter(|o| o.key == *key);
        places.extend(found.map(|o| (o.range + start, o.role)));
    }
    places.sort_by_key(|(range, _)| (range.start(), range.end()));
    places.dedup();
    places
}

fn lead(view: View<'_>, offset: TextSize, wanted: [Role; 2]) -> Vec<Target> {
    let Some((index, occurrence)) = occurrence_at(view, offset) else { return Vec::new() };
    let origin = occurrence.range + view.start(index);
    let places = places(view, index, &occurrence.key);
    let with = |role: Role| {
        places.iter().filter(move |(_, r)| *r == role).map(|(range, _)| Target { origin, range: *range })
    };
    let first: Vec<Target> = with(wanted[0]).collect();
    if first.is_empty() { with(wanted[1]).collect() } else { first }
}

/// Where the name at `offset` is defined; where it is declared when nothing defines it.
pub fn definition(view: View<'_>, offset: TextSize) -> Vec<Target> {
    lead(view, offset, [Role::Definition, Role::Declaration])
}

/// Where the name at `offset` is declared; where it is defined when nothing declares it.
pub fn declaration(view: View<'_>, offset: TextSize) -> Vec<Target> {
    lead(view, offset, [Role::Declaration, Role::Definition])
}

/// Every use of the name at `offset`, in order, with definitions and declarations if asked for.
pub fn references(view: View<'_>, offset: TextSize, declarations: bool) -> Vec<TextRange> {
    let Some((index, occurrence)) = occurrence_at(view, offset) else { return Vec::new() };
    let places = places(view, index, &occurrence.key);
    let wanted = places.into_iter().filter(|(_, role)| declarations || !role.introduces());
    wanted.map(|(range, _)| range).collect()
}

/// Every place of the name at `offset`, with what it does there.
pub fn highlights(view: View<'_>, offset: TextSize) -> Vec<(TextRange, Role)> {
    let Some((index, occurrence)) = occurrence_at(view, offset) else { return Vec::new() };
    let mut places = places(view, index, &occurrence.key);
    places.retain(|(range, _)| !range.is_empty());
    places
}
