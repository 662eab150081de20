//! Decorations of the whole module: repeated, contradicting, missing.

mod buffers;
mod each;
mod entry_points;

use buffers::{check_buffers, check_forbidden_layout};
use each::{check_decorations, check_linkage, check_repeated};
use entry_points::check_entry_points;
use wavelens_syntax::spirv::tables::Op;

use crate::code::{Id, Inst};
use crate::context::RuleContext;
use crate::flat::NONE;
use crate::scope::EntryPoint;
use wavelens_base::{Rule, Severity};

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
        source: "SPIR-V specification, sections 2.16 and 3.20; Vulkan specification, Standalone SPIR-V Validation; SPIRV-Tools validate_decorations.cpp: \"multiple times is not allowed\", \"is missing\"; VUID-StandaloneSpirv-Component-04920, VUID-StandaloneSpirv-Component-04921, VUID-StandaloneSpirv-Component-04922, VUID-StandaloneSpirv-Component-04923, VUID-StandaloneSpirv-Component-07703, VUID-StandaloneSpirv-Component-10583, VUID-StandaloneSpirv-FPRoundingMode-04675, VUID-StandaloneSpirv-Flat-04744, VUID-StandaloneSpirv-Flat-06201, VUID-StandaloneSpirv-Flat-06202, VUID-StandaloneSpirv-Location-04915, VUID-StandaloneSpirv-Location-04919, VUID-StandaloneSpirv-OpEntryPoint-06674, VUID-StandaloneSpirv-OpEntryPoint-09658, VUID-StandaloneSpirv-OpEntryPoint-09659, VUID-StandaloneSpirv-PushConstant-06675, VUID-StandaloneSpirv-Uniform-06676, VUID-StandaloneSpirv-UniformConstant-06677",
    }
}

/// Findings about instructions of the scope's code.
#[derive(Default)]
pub(crate) struct Found(pub(crate) Vec<ModuleFinding>);

/// A finding about an instruction of the scope's code.
pub(crate) struct ModuleFinding {
    pub(crate) inst: u32,
    /// The operand that it is about; without one, the instruction.
    pub(crate) operand: Option<u32>,
    pub(crate) rule: &'static Rule,
    pub(crate) message: String,
    /// Another instruction of the scope's code, and what it is.
    pub(crate) related: Option<(u32, &'static str)>,
    /// An operand that the instruction lacks, and whether nothing else can be meant.
    pub(crate) lacks: Option<(String, bool)>,
}

impl Found {
    pub(super) fn push(&mut self, inst: u32, rule: &'static Rule, message: impl Into<String>) {
        self.add(ModuleFinding::new(inst, rule, message));
    }

    pub(super) fn add(&mut self, finding: ModuleFinding) {
        self.0.push(finding);
    }
}

impl ModuleFinding {
    pub(super) fn new(inst: u32, rule: &'static Rule, message: impl Into<String>) -> Self {
        ModuleFinding { inst, operand: None, rule, message: message.into(), related: None, lacks: None }
    }

    /// At the last mention of a variable in the interface of an entry point.
    pub(super) fn in_interface(
        m: &RuleContext<'_>,
        entry: &EntryPoint,
        variable: Id,
        rule: &'static Rule,
        message: impl Into<String>,
    ) -> Self {
        // Execution Model, Entry Point and Name come first.
        let operand = m.scope.last_mention(entry, variable).map(|position| position + 3);
        ModuleFinding { operand, ..ModuleFinding::new(entry.inst, rule, message) }
    }

    pub(super) fn related(self, inst: Option<u32>, message: &'static str) -> Self {
        ModuleFinding { related: inst.map(|inst| (inst, message)), ..self }
    }

    /// With the fix that adds an operand at the end.
    pub(super) fn lacks(self, operand: String, is_certain: bool) -> Self {
        ModuleFinding { lacks: Some((operand, is_certain)), ..self }
    }
}

pub(crate) fn check(m: &RuleContext<'_>, found: &mut Found) {
    check_repeated(m, found);
    check_linkage(m, found);
    check_entry_points(m, found);
    check_buffers(m, found);
    check_decorations(m, found);
    if m.scope.env.is_vulkan() {
        check_forbidden_layout(m, found);
    }
}

/// Instructions of the preamble that define variables.
pub(crate) fn variables<'m>(m: &'m RuleContext<'_>) -> impl Iterator<Item = Inst<'m>> {
    m.scope.code.iter().filter(|i| i.is_whole() && matches!(i.op(), Op::Variable | Op::UntypedVariableKHR))
}

/// The type that a variable holds; [`NONE`] where an untyped one does not say.
pub(crate) fn held(m: &RuleContext<'_>, variable: Inst<'_>) -> Id {
    match variable.op() {
        Op::UntypedVariableKHR => variable.opt_operand(3).unwrap_or(NONE),
        _ => m.pointer(variable.ty()).map_or(NONE, |p| p.1),
    }
}
