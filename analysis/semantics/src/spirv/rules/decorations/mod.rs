//! Decorations of the whole module: repeated, contradicting, missing.

mod buffers;
mod each;
mod entry_points;

use buffers::{buffers, forbidden_layout};
use each::{each, linkage, repeated};
use entry_points::entry_points;
use wavelens_syntax::spirv::tables::Op;

use crate::spirv::code::{Id, Inst};
use crate::spirv::context::RuleContext;
use crate::spirv::flat::NONE;
use crate::{Rule, Severity};

pub(super) use each::{local_variable, rounding};

wavelens_syntax::rules! {
    DECORATION {
        code: "decoration",
        severity: Severity::Error,
        title: "the decorations of an id are unique, do not contradict each other and are complete",
        explain: "Repeated or contradicting decorations have no defined meaning. Vulkan requires some, such as DescriptorSet and Binding on resources.",
        example: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
OpDecorate %v RelaxedPrecision
OpDecorate %v RelaxedPrecision
%float = OpTypeFloat 32
%ptr = OpTypePointer Private %float
%v = OpVariable %ptr Private
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
OpDecorate %v RelaxedPrecision
%float = OpTypeFloat 32
%ptr = OpTypePointer Private %float
%v = OpVariable %ptr Private
"#,
        source: "SPIR-V specification, sections 2.16 and 3.20; Vulkan specification, Standalone SPIR-V Validation; SPIRV-Tools validate_decorations.cpp: \"multiple times is not allowed\", \"is missing\"",
    }
}

/// Findings about instructions of the scope's code.
pub(in crate::spirv) struct Found(pub(in crate::spirv) Vec<(u32, &'static Rule, String)>);

impl Found {
    pub(super) fn push(&mut self, at: u32, rule: &'static Rule, message: impl Into<String>) {
        self.0.push((at, rule, message.into()));
    }
}

pub(in crate::spirv) fn check(m: &RuleContext<'_>, found: &mut Found) {
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
pub(super) fn variables<'m>(m: &'m RuleContext<'_>) -> impl Iterator<Item = Inst<'m>> {
    m.scope.code.iter().filter(|i| i.is_whole() && matches!(i.op(), Op::Variable | Op::UntypedVariableKHR))
}

/// The type that a variable holds; [`NONE`] where an untyped one does not say.
pub(super) fn held(m: &RuleContext<'_>, variable: Inst<'_>) -> Id {
    match variable.op() {
        Op::UntypedVariableKHR => variable.opt_operand(3).unwrap_or(NONE),
        _ => m.pointer(variable.ty()).map_or(NONE, |p| p.1),
    }
}
