//! A generic instruction and the types of its operands.

use super::{scalar_bits, type_bits};
use crate::context::{Inst, RuleContext};
use crate::model::*;
use wavelens_base::{Verdict, fail_at};

/// One generic instruction with access to the types of its operands.
pub(super) struct Generic<'c, 'a> {
    pub(super) cx: &'c RuleContext<'a>,
    pub(super) inst: &'c Inst<'a>,
}

impl<'a> Generic<'_, 'a> {
    pub(super) fn operand(&self, index: usize) -> Option<&'a Operand> {
        self.cx.operand(self.inst, index)
    }

    pub(super) fn count(&self) -> usize {
        self.inst.order.len()
    }

    pub(super) fn kind(&self, index: usize) -> Option<OperandKind> {
        self.operand(index).map(|o| o.kind)
    }

    pub(super) fn is_register(&self, index: usize) -> bool {
        self.operand(index).is_some_and(|o| o.register().is_some())
    }

    /// The type of a register operand; rules are quiet where it is unknown.
    pub(super) fn ty(&self, index: usize) -> Option<Type> {
        self.cx.type_of(self.operand(index)?)
    }

    /// The types of several register operands, if all are known.
    pub(super) fn types<const N: usize>(&self, indices: [usize; N]) -> Option<[Type; N]> {
        let mut types = [Type::Token; N];
        for (ty, index) in types.iter_mut().zip(indices) {
            *ty = self.ty(index)?;
        }
        Some(types)
    }

    pub(super) fn immediate(&self, index: usize) -> Option<i64> {
        self.operand(index)?.immediate()
    }

    pub(super) fn memory(&self) -> &'a [MemoryOperand] {
        let f: &'a Function = self.cx.f;
        self.inst.source.memory.of(&f.memory)
    }

    pub(super) fn bits(&self, ty: Type) -> u64 {
        type_bits(self.cx, ty).unwrap_or(0)
    }

    pub(super) fn scalar_bits(&self, ty: Type) -> u64 {
        scalar_bits(self.cx, ty)
    }

    pub(super) fn name(&self) -> &'a str {
        let f: &'a Function = self.cx.f;
        f.opcode_text(self.inst.source)
    }

    /// `what`, the operand at `index`, is not the pointer that it must be.
    pub(super) fn fail_not_a_pointer(
        &self,
        rule: &'static wavelens_base::Rule,
        index: usize,
        what: &str,
    ) -> Verdict {
        let found = self.ty(index).map(|ty| format!(", found `{ty}`")).unwrap_or_default();
        fail_at(rule, index, format!("{what} must be a pointer{found}"))
    }

    /// Both are vectors with the same number of lanes, or both are scalars.
    pub(super) fn check_same_lanes(
        &self,
        rule: &'static wavelens_base::Rule,
        a: Type,
        b: Type,
        index: usize,
    ) -> Verdict {
        let message = if a.is_vector() != b.is_vector() {
            "the operands must all be vectors or all be scalars"
        } else if a.is_vector() && a.lanes() != b.lanes() {
            "the operands must have the same number of lanes"
        } else {
            return Ok(());
        };
        fail_at(rule, index, format!("{message}, found `{a}` and `{b}`"))
    }
}
