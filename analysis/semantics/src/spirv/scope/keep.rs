//! Whether the module stays the same when the body of a function changes.

use super::{Id, Scope};
use crate::spirv::flat::{HashedMap, NONE};
use crate::spirv::scope::summary::{FunctionSummary, Summary};

/// How many instructions of function bodies define each name, by its hash. A name that several functions define is reported with the
/// module, so the module depends on where they are.
#[derive(Debug, Default)]
pub struct Definitions(HashedMap<u32>);

impl Definitions {
    /// Counts what a chunk's function defines. Returns whether nothing else defines these names.
    pub fn add(&mut self, summary: &Summary) -> bool {
        let mut is_alone = true;
        for def in defs(summary) {
            let count = self.0.entry(def).or_default();
            *count += 1;
            is_alone &= *count == 1;
        }
        is_alone
    }

    /// Takes back what [`Definitions::add`] counted. Returns whether nothing else defines these names.
    pub fn remove(&mut self, summary: &Summary) -> bool {
        let mut is_alone = true;
        for def in defs(summary) {
            match self.0.get_mut(&def) {
                Some(count) if *count > 1 => {
                    *count -= 1;
                    is_alone = false;
                }
                _ => {
                    self.0.remove(&def);
                }
            }
        }
        is_alone
    }
}

fn defs(summary: &Summary) -> impl Iterator<Item = u64> {
    let function = match summary {
        Summary::Function(function) => Some(function),
        Summary::Preamble { .. } => None,
    };
    function.into_iter().flat_map(|function| function.defs.iter()).map(|def| def.hash)
}

impl Scope {
    /// Whether the module made with `new` in place of `old`, a summary that it was made with, is this one. `definitions` has counted
    /// `old` among all others and counts `new` afterwards. Takes as long as the two functions are large.
    pub fn stays(&self, old: &Summary, new: &Summary, definitions: &mut Definitions) -> bool {
        let was_alone = definitions.remove(old);
        let is_alone = definitions.add(new);
        match (old, new) {
            _ if old == new => true,
            (Summary::Function(old), Summary::Function(new)) => {
                was_alone
                    && is_alone
                    && self.facts_of(old).is_some_and(|facts| Some(facts) == self.facts_of(new))
            }
            _ => false,
        }
    }

    /// All that [`super::build`] takes from a function whose names nothing else defines; `None` if the module defines one.
    fn facts_of<'a>(&self, function: &'a FunctionSummary) -> Option<FunctionFacts<'a>> {
        let id = |hash: &u64| self.names.get(hash).copied();
        let mut bodies = Vec::new();
        let mut types = Vec::new();
        for def in function.defs.iter() {
            let ty = id(&def.ty);
            if let Some(body) = id(&def.hash) {
                if self.defs.get(body as usize).is_some_and(|d| *d != NONE) {
                    return None;
                }
                bodies.push((body, def.op, ty));
            }
            types.extend(ty.filter(|ty| self.is_physical_pointer(*ty)));
        }
        types.sort_unstable();
        types.dedup();
        let mut used: Vec<Id> =
            function.used.iter().filter_map(id).filter(|id| self.is_tracked(*id)).collect();
        used.sort_unstable();
        Some(FunctionFacts {
            function,
            calls: function.calls.iter().filter_map(id).collect(),
            bodies,
            types,
            used,
        })
    }
}

/// What the module knows of a function.
struct FunctionFacts<'a> {
    function: &'a FunctionSummary,
    calls: Vec<Id>,
    bodies: Vec<(Id, wavelens_syntax::spirv::tables::Op, Option<Id>)>,
    types: Vec<Id>,
    used: Vec<Id>,
}

impl PartialEq for FunctionFacts<'_> {
    fn eq(&self, other: &FunctionFacts<'_>) -> bool {
        let (a, b) = (self.function, other.function);
        (a.has_body, a.is_open, a.next_module) == (b.has_body, b.is_open, b.next_module)
            && a.head == b.head
            && (&self.calls, &self.bodies, &self.types, &self.used)
                == (&other.calls, &other.bodies, &other.types, &other.used)
    }
}
