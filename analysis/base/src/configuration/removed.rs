//! Processors that LLVM once had.

use wavelens_isa::Target;
use wavelens_syntax::wording;

/// Name, the LLVM version that removed it (0: before 15), and what to use in its place.
const REMOVED: &[(&str, u8, &str)] =
    &[("gfx800", 0, "gfx802"), ("gfx804", 0, "gfx803"), ("gfx940", 20, "gfx942"), ("gfx941", 20, "gfx942")];

/// Whether an LLVM version no longer knows a processor of older ones.
pub(super) fn is_removed(name: &str, level: u8) -> bool {
    REMOVED.iter().any(|(removed, version, _)| *removed == name && *version <= level)
}

/// What to use in place of a processor that LLVM no longer knows.
pub(super) fn successor(name: &str) -> Option<Target> {
    let (.., new) = REMOVED.iter().find(|(removed, ..)| *removed == name)?;
    Target::named(new)
}

/// Why LLVM does not know a processor of older ones.
pub fn removed_processor(name: &str) -> Option<String> {
    let (_, version, new) = REMOVED.iter().find(|(removed, ..)| *removed == name)?;
    Some(match version {
        0 => format!("processor `{name}` was removed from LLVM; use `{new}`"),
        version => format!("processor `{name}` was removed in LLVM {version}; use `{new}`"),
    })
}

/// Why LLVM does not know a processor.
pub fn unknown_processor(name: &str) -> String {
    removed_processor(name).unwrap_or_else(|| wording::unknown("processor", name, Target::names()))
}

/// Why a module with a triple, or a file that is for it, cannot be for a processor.
pub fn other_processor(name: &str, triple: &str) -> String {
    format!("processor `{name}` does not agree with the triple `{triple}`")
}
