//! Decorations of the whole module: repeated, contradicting, missing.

mod buffers;
mod each;
mod entry_points;

use buffers::{buffers, forbidden_layout};
use each::{each, linkage, repeated};
use entry_points::entry_points;
use wavelens_syntax::spirv::tables::Op;

use crate::spirv::code::{Id, Inst};
use crate::spirv::context::Module;
use crate::spirv::flat::NONE;
use crate::{Rule, Severity};

pub(super) use each::{local_variable, rounding};

pub static DECORATION: Rule = Rule {
    code: "decoration",
    severity: Severity::Error,
    explain: "A decoration stands once on its target, does not contradict another one, and goes with what the target is; resources of a \
        shader say where they are bound.\n\n\
        Source: SPIR-V specification, section 2.16 and 3.20; Vulkan specification, Standalone SPIR-V Validation.",
    ..Rule::UNDOCUMENTED
};

/// Findings about instructions of the scope's code.
pub(super) struct Found(pub(super) Vec<(u32, &'static Rule, String)>);

impl Found {
    pub(super) fn push(&mut self, at: u32, rule: &'static Rule, message: impl Into<String>) {
        self.0.push((at, rule, message.into()));
    }
}

pub(super) fn check(m: &Module<'_>, found: &mut Found) {
    repeated(m, found);
    linkage(m, found);
    entry_points(m, found);
    buffers(m, found);
    each(m, found);
    if m.scope.env.is_vulkan() {
        forbidden_layout(m, found);
    }
}

/// Instructions of the preamble that define variables.
pub(super) fn variables<'m>(m: &'m Module<'_>) -> impl Iterator<Item = Inst<'m>> {
    m.scope.code.iter().filter(|i| i.is_whole() && matches!(i.op(), Op::Variable | Op::UntypedVariableKHR))
}

/// The type that a variable holds; [`NONE`] where an untyped one does not say.
pub(super) fn held(m: &Module<'_>, variable: Inst<'_>) -> Id {
    match variable.op() {
        Op::UntypedVariableKHR => variable.opt_operand(3).unwrap_or(NONE),
        _ => m.pointer(variable.ty()).map_or(NONE, |p| p.1),
    }
}
