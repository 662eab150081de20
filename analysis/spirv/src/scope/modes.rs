//! The execution modes of functions. Thousands of entry points can name one function, and thousands of modes too.

use rustc_hash::FxHashMap;
use wavelens_syntax::spirv::tables::ExecutionMode;

use super::Scope;
use crate::code::{Id, Inst};

/// The modes of one function.
#[derive(Debug, PartialEq, Default)]
pub(super) struct Modes {
    /// The first and the last instruction that set a mode.
    set: FxHashMap<u32, (u32, u32)>,
    /// The first one that sets a mode with a first operand.
    first_with: FxHashMap<(u32, u32), u32>,
    /// The last LocalSize or LocalSizeId.
    local_size: Option<u32>,
}

impl Modes {
    pub(super) fn add(&mut self, inst: Inst<'_>) {
        let mode = inst.operand(1);
        self.set.entry(mode).or_insert((inst.at, inst.at)).1 = inst.at;
        if let Some(operand) = inst.opt_operand(2) {
            self.first_with.entry((mode, operand)).or_insert(inst.at);
        }
        if matches!(mode, ExecutionMode::LocalSize | ExecutionMode::LocalSizeId) {
            self.local_size = Some(inst.at);
        }
    }
}

impl Scope {
    /// The execution modes of a function, each once, in no order.
    pub(super) fn modes_of(&self, function: Id) -> impl Iterator<Item = u32> {
        self.modes.get(&function).into_iter().flat_map(|modes| modes.set.keys().copied())
    }

    /// Whether a function has an execution mode.
    pub(crate) fn has_mode(&self, function: Id, mode: u32) -> bool {
        self.modes.get(&function).is_some_and(|modes| modes.set.contains_key(&mode))
    }

    /// The first instruction that sets a mode of a function.
    pub(crate) fn first_mode(&self, function: Id, mode: u32) -> Option<Inst<'_>> {
        self.code.inst(self.modes.get(&function)?.set.get(&mode)?.0)
    }

    /// The first instruction that sets a mode of a function with this first operand.
    pub(crate) fn first_mode_with(&self, function: Id, mode: u32, operand: u32) -> Option<Inst<'_>> {
        self.code.inst(*self.modes.get(&function)?.first_with.get(&(mode, operand))?)
    }

    /// The last instruction that sets a mode of a function.
    pub(crate) fn last_mode(&self, function: Id, mode: u32) -> Option<Inst<'_>> {
        self.code.inst(self.modes.get(&function)?.set.get(&mode)?.1)
    }

    /// The instruction that sets the local size of a function, the last of them.
    pub(crate) fn local_size(&self, function: Id) -> Option<Inst<'_>> {
        self.code.inst(self.modes.get(&function)?.local_size?)
    }
}
