//! Names in a chunk of AMDGPU assembly.

use wavelens_base::TextEdit;

use super::Cx;
use crate::amdgpu::words::{Word, words};
use crate::answers::{Occurrence, Role, Space, SymbolKey};

/// Every name in the chunk.
pub fn occurrences(cx: &Cx<'_>) -> Vec<Occurrence> {
    let mut all = Vec::new();
    words(cx.text, &cx.lowered.lexed, |range, word, kind| {
        let (space, role) = match kind {
            Word::Label => (Space::Global, Role::Definition),
            // The first value is the definition; later ones change it.
            Word::Assigned
                if all.iter().any(|o: &Occurrence| o.key.name == word && o.role == Role::Definition) =>
            {
                (Space::Global, Role::Write)
            }
            Word::Assigned => (Space::Global, Role::Definition),
            Word::Symbol | Word::Reference => (Space::Global, Role::Reference),
            Word::MacroName => (Space::Macro, Role::Definition),
            Word::Mnemonic
                if cx.scope.has_macro(word)
                    || cx.lowered.defines_macro(word)
                    || wavelens_amdgpu::assembler::includes::define_macro(
                        &cx.scope.settings.includes,
                        word,
                    ) =>
            {
                (Space::Macro, Role::Call)
            }
            _ => return,
        };
        // Relocations are written after the name.
        let name = word.split('@').next().unwrap_or(word);
        let range = wavelens_base::TextRange::at(range.start(), wavelens_base::TextSize::of(name));
        all.push(Occurrence { key: SymbolKey::module(space, name), range, role });
    });
    all.extend(super::registers::occurrences(cx));
    all
}

/// The key that a name gets by renaming `key` to what the user typed.
///
/// # Errors
/// Why the language does not allow the name.
pub fn renamed(_cx: &Cx<'_>, key: &SymbolKey, new_name: &str) -> Result<SymbolKey, String> {
    let mut bytes = new_name.bytes();
    let starts = bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || matches!(b, b'_' | b'.' | b'$'));
    if !starts || !bytes.all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$')) {
        return Err(format!(
            "`{new_name}` is not a symbol: expected letters, digits, `_`, `.` and `$`, not starting with a digit"
        ));
    }
    if wavelens_isa::named_register(new_name).is_some() {
        return Err(format!("`{new_name}` is a register"));
    }
    Ok(SymbolKey { name: new_name.into(), ..key.clone() })
}

/// How an occurrence is written once it has the new name, with sigil and quotes as they are needed there.
pub(crate) fn spell(_cx: &Cx<'_>, _occurrence: &Occurrence, new: &SymbolKey) -> String {
    new.name.to_string()
}

/// Takes a rename over from the shared code, when it changes more than the name's places. Edits are in the file.
pub fn rename(cx: &Cx<'_>, occurrence: &Occurrence, new_name: &str) -> Option<Result<Vec<TextEdit>, String>> {
    (occurrence.key.space == Space::Register)
        .then(|| super::registers::move_value(cx, occurrence.range, new_name))
}
