//! Rename, for every dialect.

use wavelens_base::{TextEdit, TextRange, TextSize};

use super::navigation::{named, places};
use super::{ask, occurrence_at};
use crate::answers::{Occurrence, Space};
use crate::db::View;

/// The range of the name at `offset` and the name as it is written, if it can be renamed.
pub fn prepare_rename(view: View<'_>, offset: TextSize) -> Option<(TextRange, String)> {
    let (index, occurrence) = occurrence_at(view, offset)?;
    let is_fixed = occurrence.key.space == Space::PhysicalRegister;
    if is_fixed || occurrence.range.is_empty() || !is_introduced(view, index, &occurrence) {
        return None;
    }
    let text = view.text(*view.chunks().get(index)?);
    let written = text.get(std::ops::Range::<usize>::from(occurrence.range))?;
    Some((occurrence.range + view.start(index), written.to_owned()))
}

/// The edits, in order, that give the name at `offset` a new name. The new name may be written with its sigil or without.
///
/// # Errors
/// A message for the user: nothing to rename at the cursor, a name that exists, a name that the language does not allow.
pub fn rename(view: View<'_>, offset: TextSize, new_name: &str) -> Result<Vec<TextEdit>, String> {
    let (index, occurrence) = occurrence_at(view, offset).ok_or("no name at the cursor")?;
    if !is_introduced(view, index, &occurrence) {
        let chunk = view.chunks().get(index).map_or("", |c| view.text(*c));
        let written = chunk.get(std::ops::Range::<usize>::from(occurrence.range)).unwrap_or("");
        return Err(format!("`{written}` is not defined in this file"));
    }
    if let Some(own) = ask!(view, index, occurrences::rename(&occurrence, new_name)).flatten() {
        return own;
    }
    let new_key =
        ask!(view, index, occurrences::renamed(&occurrence.key, new_name)).ok_or("no such chunk")??;
    if new_key != occurrence.key && !places(view, index, &new_key).is_empty() {
        return Err(format!("the name `{new_name}` is already in use"));
    }
    let mut edits = Vec::new();
    for (at, o) in named(view, index, &occurrence.key) {
        if !o.range.is_empty() {
            let text = ask!(view, at, occurrences::spell(&o, &new_key)).unwrap_or_default();
            edits.push(TextEdit { range: o.range + view.start(at), text });
        }
    }
    edits.sort_by_key(|e| (e.range.start(), e.range.end()));
    edits.dedup();
    Ok(edits)
}

fn is_introduced(view: View<'_>, index: usize, occurrence: &Occurrence) -> bool {
    occurrence.role.introduces()
        || places(view, index, &occurrence.key).iter().any(|(_, role)| role.introduces())
}
