//! Definition, references and highlights, for every dialect.

use std::sync::Arc;

use wavelens_base::includes::IncludedFile;
use wavelens_base::{TextRange, TextSize};
use wavelens_check::dialect::{Lowered, Scope};

use super::{ask, test_lines};
use crate::answers::{ChunkCx, Occurrence, Role, Space, SymbolKey};
use crate::db::View;

/// Where a name leads, in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The name's range where the question was asked.
    pub origin: TextRange,
    /// Where it leads.
    pub range: TextRange,
    /// Another file than the one asked about.
    pub file: Option<Arc<IncludedFile>>,
}

/// Every name in a chunk, with ranges relative to it, in no particular order.
pub(super) fn occurrences(view: View<'_>, index: usize) -> Vec<Occurrence> {
    ask!(view, index, occurrences::occurrences()).unwrap_or_default()
}

/// The name at an offset of the file: index of its chunk, and the name with its range relative to the chunk.
///
/// An offset at the end of a name counts as on it when no other name starts there.
pub(crate) fn occurrence_at(view: View<'_>, offset: TextSize) -> Option<(usize, Occurrence)> {
    let (index, _, at) = view.chunk_at(offset)?;
    let touching = occurrences(view, index).into_iter().filter(|o| o.range.contains_inclusive(at));
    // A written name wins over an unwritten one, a name that starts here over one that ends here.
    let best = touching.max_by_key(|o| (!o.range.is_empty(), o.range.start()))?;
    Some((index, best))
}

/// What a chunk's text must hold for `key` to be named in it; `None` if that is not known.
fn needle(key: &SymbolKey) -> Option<String> {
    let number = key.name.bytes().all(|b| b.is_ascii_digit());
    let sigil = match key.space {
        _ if !number => "",
        Space::Metadata => "!",
        Space::AttributeGroup => "#",
        Space::SummaryEntry => "^",
        Space::Global => "@",
        Space::Id => "%",
        _ => return None,
    };
    // A name with other characters may be written with escapes.
    let plain = key.name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-' | b'$'));
    plain.then(|| format!("{sigil}{}", key.name))
}

/// Every occurrence of `key` in the file with the index of its chunk; `home` is the chunk that a local key belongs to. Ranges are
/// relative to the chunk.
pub(super) fn named(view: View<'_>, home: usize, key: &SymbolKey) -> Vec<(usize, Occurrence)> {
    let chunks = if key.owner.is_some() { home..home + 1 } else { 0..view.chunks().len() };
    let needle = if key.owner.is_some() { None } else { needle(key) };
    let mut all = Vec::new();
    for index in chunks {
        let Some(chunk) = view.chunks().get(index) else { continue };
        view.db.unwind_if_revision_cancelled();
        if needle.as_ref().is_none_or(|needle| view.text(*chunk).contains(needle.as_str())) {
            let found = occurrences(view, index).into_iter().filter(|o| o.key == *key);
            all.extend(found.map(|o| (index, o)));
        }
    }
    all
}

/// As [`named`], with ranges in the file, in order.
pub(super) fn places(view: View<'_>, home: usize, key: &SymbolKey) -> Vec<(TextRange, Role)> {
    let all = named(view, home, key).into_iter();
    let mut places: Vec<_> = all.map(|(index, o)| (o.range + view.start(index), o.role)).collect();
    places.sort_by_key(|(range, _)| (range.start(), range.end()));
    places.dedup();
    places
}

/// Like [`places`]; of a register of the machine also those of registers that share a part with it.
fn overlapping_places(view: View<'_>, home: usize, key: &SymbolKey) -> Vec<(TextRange, Role)> {
    let mut all = places(view, home, key);
    let (Space::PhysicalRegister, Scope::Mir(scope)) = (key.space, view.scope()) else { return all };
    let shares = |o: &Occurrence| {
        o.key.space == Space::PhysicalRegister
            && o.key.name != key.name
            && crate::mir::physical::overlap(scope, &o.key.name, &key.name)
    };
    let others = occurrences(view, home).into_iter().filter(shares);
    all.extend(others.map(|o| (o.range + view.start(home), o.role)));
    all.sort_by_key(|(range, _)| (range.start(), range.end()));
    all.dedup();
    all
}

fn lead(view: View<'_>, offset: TextSize, wanted: [Role; 2]) -> Vec<Target> {
    let Some((index, occurrence)) = occurrence_at(view, offset) else { return Vec::new() };
    let origin = occurrence.range + view.start(index);
    let places = places(view, index, &occurrence.key);
    let with = |role: Role| {
        places.iter().filter(move |(_, r)| *r == role).map(|(range, _)| Target {
            origin,
            range: *range,
            file: None,
        })
    };
    let first: Vec<Target> = with(wanted[0]).collect();
    if first.is_empty() { with(wanted[1]).collect() } else { first }
}

/// Where the name at `offset` is defined; where it is declared when nothing defines it.
pub fn definition(view: View<'_>, offset: TextSize) -> Vec<Target> {
    let found = lead(view, offset, [Role::Definition, Role::Declaration]);
    let found = if found.is_empty() { included(view, offset).into_iter().collect() } else { found };
    if found.is_empty() { test_lines::definition(view, offset) } else { found }
}

/// Where the name at `offset` is defined in an included file, or where the file of that name begins.
fn included(view: View<'_>, offset: TextSize) -> Option<Target> {
    let (index, chunk, at) = view.chunk_at(offset)?;
    let (Lowered::Amdgpu(lowered), Scope::Amdgpu(scope)) = (view.lowered(chunk), view.scope()) else {
        return None;
    };
    let key = occurrence_at(view, offset).map(|(_, o)| o.key);
    let cx = ChunkCx::new(view, index, chunk, &**lowered, &**scope);
    let (origin, file, range) = crate::amdgpu::definition_in_include(&cx, at, key.as_ref())?;
    Some(Target { origin: origin + view.start(index), range, file: Some(file) })
}

/// Where the name at `offset` is declared; where it is defined when nothing declares it.
pub fn declaration(view: View<'_>, offset: TextSize) -> Vec<Target> {
    lead(view, offset, [Role::Declaration, Role::Definition])
}

/// Every use of the name at `offset`, in order, with definitions and declarations if asked for.
pub fn references(view: View<'_>, offset: TextSize, declarations: bool) -> Vec<TextRange> {
    let places = match occurrence_at(view, offset) {
        Some((index, occurrence)) => overlapping_places(view, index, &occurrence.key),
        None => test_lines::places(view, offset),
    };
    let wanted = places.into_iter().filter(|(_, role)| declarations || !role.introduces());
    wanted.map(|(range, _)| range).collect()
}

/// Every place of the name at `offset`, with what it does there.
pub fn highlights(view: View<'_>, offset: TextSize) -> Vec<(TextRange, Role)> {
    let Some((index, occurrence)) = occurrence_at(view, offset) else {
        return test_lines::places(view, offset);
    };
    let mut places = overlapping_places(view, index, &occurrence.key);
    places.retain(|(range, _)| !range.is_empty());
    places
}
