//! A call site as the rules about calls see it.

use crate::attribute::AttrKind;
use crate::attribute_set::AttributeSet;
use crate::body::{Call, Inst, InstId};
use crate::context::RuleContext;
use crate::operand::Operand;
use crate::tables::Intrinsic;
use crate::types::TypeId;
use wavelens_base::{Fault, Part, Rule, TextRange, Verdict, fail, fail_at};

/// A call site with what rules about it need.
#[derive(Clone, Copy)]
pub(super) struct Site<'a, 'c> {
    /// The rule that is checked: faults are reported under it.
    pub(super) rule: &'static Rule,
    pub(super) cx: &'c RuleContext<'a>,
    pub(super) id: InstId,
    pub(super) inst: &'a Inst,
    pub(super) call: &'a Call,
    /// Name of the function called directly, without sigil; `""` for others.
    pub(super) name: &'a str,
    pub(super) result: TypeId,
    pub(super) params: &'c [TypeId],
    pub(super) vararg: bool,
}

impl<'a> Site<'a, '_> {
    pub(super) fn args(&self) -> &'a [Operand] {
        self.cx.body.operands(self.call.args)
    }

    pub(super) fn arg_attrs(&self, n: usize) -> AttributeSet<'a> {
        let body = self.cx.body;
        let span = self.call.arg_attrs.of(&body.cold.arg_attrs).get(n).copied().unwrap_or_default();
        AttributeSet::new(self.cx.scope, &body.tables, span, |ty| self.cx.ty(ty))
    }

    pub(super) fn ret_attrs(&self) -> AttributeSet<'a> {
        AttributeSet::new(self.cx.scope, &self.cx.body.tables, self.call.ret_attrs, |ty| self.cx.ty(ty))
    }

    pub(super) fn fn_attrs(&self) -> AttributeSet<'a> {
        AttributeSet::new(self.cx.scope, &self.cx.body.tables, self.call.fn_attrs, |ty| self.cx.ty(ty))
    }

    /// The same call, for another rule.
    pub(super) fn under(self, rule: &'static Rule) -> Self {
        Site { rule, ..self }
    }

    /// A fault of the whole call.
    pub(super) fn wrong(&self, message: impl Into<String>) -> Verdict {
        fail(self.rule, message)
    }

    /// A fault of the n-th argument.
    pub(super) fn wrong_argument(&self, n: usize, message: impl Into<String>) -> Verdict {
        fail_at(self.rule, n, message)
    }

    /// A fault of another part.
    pub(super) fn wrong_at(&self, range: TextRange, message: impl Into<String>) -> Verdict {
        Err(Fault::new(self.rule, message).at(Part::Range(range)))
    }

    /// Attributes that the callee declares for its n-th parameter.
    pub(super) fn callee_attrs(&self, n: usize) -> Option<AttributeSet<'a>> {
        let global = self.cx.global(self.cx.body.tables.operand(self.call.callee))?;
        // A function that is called with another type is none that LLVM knows.
        if global.value_type != self.cx.call_ty(self.inst) {
            return None;
        }
        let (summary, function) = self.cx.scope.function(global)?;
        let param = summary.params(function).get(n)?;
        // LLVM replaces what is written at an intrinsic by what it knows.
        if param.attrs.is_empty() || Intrinsic::lookup(self.name).is_some() {
            return None;
        }
        let (scope, at) = (self.cx.scope, global.summary);
        Some(AttributeSet::new(scope, &summary.tables, param.attrs, |ty| scope.canonical(at, ty)))
    }

    /// The n-th parameter has it, here or at the callee.
    pub(super) fn param_has(&self, n: usize, kind: AttrKind) -> bool {
        self.arg_attrs(n).has(kind) || self.callee_attrs(n).is_some_and(|s| s.has(kind))
    }
}
