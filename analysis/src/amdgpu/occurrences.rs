//! Names in a chunk of AMDGPU assembly.

use super::Cx;
use crate::TextEdit;
use crate::ide::{Occurrence, SymbolKey};

/// Every name in the chunk.
pub fn occurrences(_cx: &Cx<'_>) -> Vec<Occurrence> {
    Vec::new()
}

/// The key that a name gets by renaming `key` to what the user typed.
///
/// # Errors
/// Why the language does not allow the name.
pub fn renamed(_cx: &Cx<'_>, key: &SymbolKey, new_name: &str) -> Result<SymbolKey, String> {
    Ok(SymbolKey { name: new_name.into(), ..key.clone() })
}

/// How an occurrence is written once it has the new name, with sigil and quotes as they are needed there.
pub fn spell(_cx: &Cx<'_>, _occurrence: &Occurrence, new: &SymbolKey) -> String {
    new.name.to_string()
}

/// Takes a rename over from the shared code, when it changes more than the name's places. Edits are relative to the chunk.
pub fn rename(
    _cx: &Cx<'_>,
    _occurrence: &Occurrence,
    _new_name: &str,
) -> Option<Result<Vec<TextEdit>, String>> {
    None
}
