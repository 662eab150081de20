//! An extended instruction, as the rules of GLSL.std.450 and OpenCL.std look at it.

use std::ops::Range;

use super::arithmetics::unfit;
use crate::code::{Id, Inst};
use crate::context::RuleContext;
use wavelens_base::Verdict;

/// An OpExtInst with its Result Type. Its own operands start at index 4.
pub(super) struct ExtInst<'m> {
    pub(super) m: &'m RuleContext<'m>,
    pub(super) inst: Inst<'m>,
    pub(super) result: Id,
}

impl<'m> ExtInst<'m> {
    pub(super) fn new(m: &'m RuleContext<'m>, inst: Inst<'m>) -> ExtInst<'m> {
        ExtInst { m, inst, result: inst.ty() }
    }

    /// The type of an operand.
    pub(super) fn ty(&self, operand: usize) -> Id {
        self.m.operand_type(self.inst, operand)
    }

    /// Reports an operand, or with 0 the Result Type, of another type than `expected`.
    pub(super) fn unfit(&self, operand: usize, expected: &str) -> Verdict {
        unfit(self.m, self.inst, operand, expected)
    }

    pub(super) fn expect_float_result(&self) -> Verdict {
        match self.m.is_float_scalar_or_vector(self.result) {
            true => Ok(()),
            false => self.unfit(0, "a float scalar or vector as Result Type"),
        }
    }

    pub(super) fn expect_int_result(&self) -> Verdict {
        match self.m.is_int_scalar_or_vector(self.result) {
            true => Ok(()),
            false => self.unfit(0, "an integer scalar or vector as Result Type"),
        }
    }

    /// The operands have the Result Type.
    pub(super) fn expect_result_type(&self, operands: Range<usize>) -> Verdict {
        operands.into_iter().try_for_each(|operand| match self.ty(operand) == self.result {
            true => Ok(()),
            false => self.unfit(operand, &format!("{}, the Result Type", self.m.type_name(self.result))),
        })
    }

    /// Whether an operand has as many integers as the Result Type has components.
    pub(super) fn has_int_per_component(&self, operand: usize) -> bool {
        let ty = self.ty(operand);
        self.m.is_int_scalar_or_vector(ty) && self.m.dimension(ty) == self.m.dimension(self.result)
    }

    /// Whether an operand has as many integers as the Result Type has components, each as wide as these.
    pub(super) fn has_ints_of_result_size(&self, operand: usize) -> bool {
        self.has_int_per_component(operand) && self.m.width(self.ty(operand)) == self.m.width(self.result)
    }
}
