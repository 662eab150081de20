//! Symbols and what they stand for.

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::expression::Expr;
use crate::Place;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct SymbolId(pub(super) u32);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct SectionId(pub(super) u32);

#[derive(Debug, Clone, PartialEq, Default)]
pub(super) enum Definition {
    #[default]
    Undefined,
    Label {
        section: SectionId,
        /// Bytes from the start of the section.
        offset: u64,
    },
    /// `.set`, `.equ`, `=`
    Variable(Expr),
    /// `.comm`, `.lcomm`, `.amdgpu_lds`
    Storage,
    /// A label whose address this run does not know.
    Elsewhere,
    /// Has a value that this run does not know.
    Unknown,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Symbol {
    pub(super) definition: Definition,
    /// Where it got its first lasting definition.
    pub(super) place: Option<Place>,
    /// `.set` and `=` can be repeated, `.equiv` and labels cannot.
    pub(super) redefinable: bool,
    pub(super) used: bool,
    /// Defined, but not above this line.
    pub(super) defined_later: bool,
    /// A report about its missing value was made.
    pub(super) complained: bool,
    pub(super) imported: bool,
    pub(super) binding: Option<Binding>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Binding {
    Local,
    Global,
    Weak,
}

/// All symbols of a run.
#[derive(Debug, Default)]
pub(super) struct Symbols {
    ids: FxHashMap<SmolStr, SymbolId>,
    names: Vec<SmolStr>,
    symbols: Vec<Symbol>,
}

impl Symbols {
    pub(super) fn intern(&mut self, name: &str) -> SymbolId {
        if let Some(id) = self.ids.get(name) {
            return *id;
        }
        let id = SymbolId(self.symbols.len() as u32);
        let name = SmolStr::new(name);
        self.ids.insert(name.clone(), id);
        self.names.push(name);
        self.symbols.push(Symbol::default());
        id
    }

    pub(super) fn find(&self, name: &str) -> Option<SymbolId> {
        self.ids.get(name).copied()
    }

    pub(super) fn name(&self, id: SymbolId) -> &SmolStr {
        static EMPTY: SmolStr = SmolStr::new_static("");
        self.names.get(id.0 as usize).unwrap_or(&EMPTY)
    }

    pub(super) fn get(&self, id: SymbolId) -> &Symbol {
        static NONE: Symbol = Symbol {
            definition: Definition::Unknown,
            place: None,
            redefinable: true,
            used: false,
            defined_later: false,
            complained: false,
            imported: true,
            binding: None,
        };
        self.symbols.get(id.0 as usize).unwrap_or(&NONE)
    }

    /// Ids come from [`Symbols::intern`] alone, so there is always one.
    pub(super) fn get_mut(&mut self, id: SymbolId) -> &mut Symbol {
        let index = (id.0 as usize).min(self.symbols.len().saturating_sub(1));
        if self.symbols.is_empty() {
            self.symbols.push(Symbol::default());
        }
        &mut self.symbols[index]
    }
}

impl Symbol {
    pub(super) fn is_defined(&self) -> bool {
        self.definition != Definition::Undefined
    }
}
