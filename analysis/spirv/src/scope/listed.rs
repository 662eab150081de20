//! The interfaces of entry points: which of them list a variable.

use rustc_hash::FxHashMap;
use wavelens_syntax::spirv::tables::Op;

use super::{EntryPoint, Scope};
use crate::code::{Id, Inst};
use crate::flat::NONE;

/// What the interfaces list.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Listed {
    /// For each id the entry points that list it, as indices in ascending order, with its last position in each interface.
    by: FxHashMap<Id, Vec<(u32, u32)>>,
    /// Variables that are listed, by the type that they hold; of arrays it is that of the elements.
    holders: FxHashMap<Id, Vec<Id>>,
}

impl Scope {
    /// Says of ids which entry points list them.
    pub(super) fn read_interfaces(&mut self) {
        let mut listed = Listed::default();
        for (index, entry) in (0..).zip(&self.entry_points) {
            for (position, id) in (0..).zip(&entry.interface) {
                let entries = listed.by.entry(*id).or_default();
                entries.pop_if(|(last, _)| *last == index);
                entries.push((index, position));
            }
        }
        let mut variables: Vec<Id> = listed.by.keys().copied().collect();
        variables.sort_unstable();
        for variable in variables {
            listed.holders.entry(self.held_element(variable)).or_default().push(variable);
        }
        self.listed = listed;
    }

    /// The type that a variable holds, without arrays around it; [`NONE`] for what is not a variable.
    pub(crate) fn held_element(&self, variable: Id) -> Id {
        let def = |id: Id, op: Op| self.def(id).filter(|def| def.op() == op);
        let pointer = self.def(variable).and_then(|variable| def(variable.ty(), Op::TypePointer));
        let mut ty = pointer.map_or(NONE, |pointer| pointer.operand(2));
        while let Some(array) = def(ty, Op::TypeArray) {
            ty = array.operand(1);
        }
        ty
    }

    /// Entry points, as indices in ascending order, whose interface lists an id, each with the last position of the id there.
    pub(crate) fn listed_by(&self, id: Id) -> &[(u32, u32)] {
        self.listed.by.get(&id).map_or(&[], Vec::as_slice)
    }

    /// The last position of an id in an interface.
    pub(crate) fn last_mention(&self, entry: &EntryPoint, id: Id) -> Option<u32> {
        let listed = self.listed_by(id);
        let inst = |index: u32| self.entry_points.get(index as usize).map_or(0, |entry| entry.inst);
        let at = listed.binary_search_by_key(&entry.inst, |(index, _)| inst(*index)).ok()?;
        listed.get(at).map(|(_, position)| *position)
    }

    /// Entry points, as indices in ascending order, each with a variable of its interface: the one that is decorated, or the first whose
    /// structure is.
    pub(crate) fn listed_with(&self, decorated: Inst<'_>) -> Vec<(u32, Id)> {
        let one = [decorated.id()];
        let variables = match decorated.op() {
            Op::TypeStruct => self.listed.holders.get(&decorated.id()).map_or(&[][..], Vec::as_slice),
            _ => &one,
        };
        let places = |variable: &Id| {
            let variable = *variable;
            self.listed_by(variable).iter().map(move |(index, position)| (*index, *position, variable))
        };
        let mut found: Vec<(u32, u32, Id)> = variables.iter().flat_map(places).collect();
        found.sort_unstable();
        found.dedup_by_key(|(index, ..)| *index);
        found.into_iter().map(|(index, _, variable)| (index, variable)).collect()
    }
}
