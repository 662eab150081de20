//! Symbols and what they stand for.

use std::num::NonZeroU32;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::expression::Expr;
use wavelens_base::Place;

/// Index of a symbol in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymbolId(NonZeroU32);

impl SymbolId {
    pub(super) fn new(index: usize) -> SymbolId {
        SymbolId(NonZeroU32::MIN.saturating_add(index as u32))
    }

    fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct SectionId(pub(crate) u32);

#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) enum Definition {
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
pub(crate) struct Symbol {
    pub(crate) definition: Definition,
    /// Where it got its first lasting definition.
    pub(crate) place: Option<Place>,
    /// `.set` and `=` can be repeated, `.equiv` and labels cannot.
    pub(crate) redefinable: bool,
    pub(crate) used: bool,
    /// Defined, but not above this line.
    pub(crate) defined_later: bool,
    /// A report about its missing value was made.
    pub(crate) complained: bool,
    pub(crate) imported: bool,
    pub(crate) binding: Option<Binding>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Binding {
    Local,
    Global,
    Weak,
}

/// All symbols of a run.
#[derive(Debug, Default)]
pub struct Symbols {
    ids: FxHashMap<SmolStr, SymbolId>,
    names: Vec<SmolStr>,
    symbols: Vec<Symbol>,
}

impl Symbols {
    pub(crate) fn intern(&mut self, name: &str) -> SymbolId {
        if let Some(id) = self.find(name) {
            return id;
        }
        let id = SymbolId::new(self.symbols.len());
        let name = SmolStr::new(name);
        self.ids.insert(name.clone(), id);
        self.names.push(name);
        self.symbols.push(Symbol::default());
        id
    }

    pub(crate) fn find(&self, name: &str) -> Option<SymbolId> {
        self.ids.get(name).copied()
    }

    /// The name; empty for an id of another table.
    pub fn name(&self, id: SymbolId) -> &SmolStr {
        static EMPTY: SmolStr = SmolStr::new_static("");
        self.names.get(id.index()).unwrap_or(&EMPTY)
    }

    pub(crate) fn get(&self, id: SymbolId) -> &Symbol {
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
        self.symbols.get(id.index()).unwrap_or(&NONE)
    }

    /// Ids come from [`Symbols::intern`] alone, so there is always one.
    pub(crate) fn get_mut(&mut self, id: SymbolId) -> &mut Symbol {
        let index = id.index().min(self.symbols.len().saturating_sub(1));
        if self.symbols.is_empty() {
            self.symbols.push(Symbol::default());
        }
        &mut self.symbols[index]
    }
}

impl Symbol {
    pub(crate) fn is_defined(&self) -> bool {
        self.definition != Definition::Undefined
    }
}
