//! Derivatives where not all invocations of a quad may come: what they give is undefined.

use rustc_hash::FxHashMap;
use wavelens_syntax::spirv::tables::{BuiltIn, Decoration, ExecutionModel, Op, StorageClass};

use crate::blocks::{Block, Body};
use crate::code::{Id, Inst};
use crate::context::RuleContext;
use crate::rules::execution_limitations::entry_points;
use wavelens_base::{Fault, Part, Severity};

wavelens_syntax::rules! {
    DIVERGENT {
        code: "divergent-derivative",
        severity: Severity::Hint,
        title: "derivatives are taken where all invocations of a quad come",
        explain: "A derivative is the difference between invocations that are next to each other. Sampling without a level of detail takes derivatives of the coordinate. In a branch that depends on an interpolated input, some of these invocations may be absent, and the result is undefined: wrong mip levels at edges. Sample before the branch, or give the level or the gradients (`OpImageSampleExplicitLod`).\n\nReported is a selection, or a branch that leaves a loop, whose condition is computed from an interpolated input of the fragment shader. Switch it off for images without mip levels.",
        example: r#"OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %uv %out %texture
OpExecutionMode %main OriginUpperLeft
OpDecorate %uv Location 0
OpDecorate %out Location 0
OpDecorate %texture DescriptorSet 0
OpDecorate %texture Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%float = OpTypeFloat 32
%vec2 = OpTypeVector %float 2
%vec4 = OpTypeVector %float 4
%half = OpConstant %float 0.5
%zero = OpConstant %float 0
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%sampled = OpTypeSampledImage %image
%psampled = OpTypePointer UniformConstant %sampled
%pvec2 = OpTypePointer Input %vec2
%pvec4 = OpTypePointer Output %vec4
%texture = OpVariable %psampled UniformConstant
%uv = OpVariable %pvec2 Input
%out = OpVariable %pvec4 Output
%main = OpFunction %void None %fn
%entry = OpLabel
%at = OpLoad %vec2 %uv
%t = OpLoad %sampled %texture
%x = OpCompositeExtract %float %at 0
%left = OpFOrdLessThan %bool %x %half
OpSelectionMerge %end None
OpBranchConditional %left %then %end
%then = OpLabel
%color = OpImageSampleImplicitLod %vec4 %t %at
OpStore %out %color
OpBranch %end
%end = OpLabel
OpReturn
OpFunctionEnd
"#,
        fixed: r#"OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %uv %out %texture
OpExecutionMode %main OriginUpperLeft
OpDecorate %uv Location 0
OpDecorate %out Location 0
OpDecorate %texture DescriptorSet 0
OpDecorate %texture Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%float = OpTypeFloat 32
%vec2 = OpTypeVector %float 2
%vec4 = OpTypeVector %float 4
%half = OpConstant %float 0.5
%zero = OpConstant %float 0
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%sampled = OpTypeSampledImage %image
%psampled = OpTypePointer UniformConstant %sampled
%pvec2 = OpTypePointer Input %vec2
%pvec4 = OpTypePointer Output %vec4
%texture = OpVariable %psampled UniformConstant
%uv = OpVariable %pvec2 Input
%out = OpVariable %pvec4 Output
%main = OpFunction %void None %fn
%entry = OpLabel
%at = OpLoad %vec2 %uv
%t = OpLoad %sampled %texture
%x = OpCompositeExtract %float %at 0
%left = OpFOrdLessThan %bool %x %half
OpSelectionMerge %end None
OpBranchConditional %left %then %end
%then = OpLabel
%color = OpImageSampleExplicitLod %vec4 %t %at Lod %zero
OpStore %out %color
OpBranch %end
%end = OpLabel
OpReturn
OpFunctionEnd
"#,
        source: "SPIR-V specification, section 2.2.5, derivative group, and OpImageSampleImplicitLod: the instruction consumes an implicit derivative; Vulkan specification, Derivative Operations: undefined if not executed by all invocations of the quad",
    }
}

/// Instructions that a walk to an input may look at.
const MOST: usize = 64;

/// Looks at the instructions of a function that take derivatives.
pub(crate) fn function(m: &RuleContext<'_>, body: &Body, to: &mut dyn FnMut(u32, Box<Fault>)) {
    let mut regions = None;
    for (index, block) in (0..).zip(&body.blocks) {
        for at in block.first + 1..block.last {
            let Some(inst) = m.inst(at).filter(|inst| inst.is_whole() && takes_derivatives(inst.op())) else {
                continue;
            };
            let mut models = entry_points(m, inst).map(|entry| entry.model).peekable();
            if models.peek().is_none() || models.any(|model| model != ExecutionModel::Fragment) {
                continue;
            }
            let mut regions = regions.get_or_insert_with(|| divergent_regions(m, body)).iter();
            if let Some(region) = regions.find(|region| region.contains(body, index)) {
                let message = format!(
                    "{} takes derivatives, but some invocations of a quad may {}: the condition `{}` depends on the input `{}`",
                    inst.op().name(),
                    if region.is_loop { "have left the loop" } else { "not come here" },
                    m.name(region.condition),
                    m.name(region.input)
                );
                to(at, Fault::new(&DIVERGENT, message).at(Part::Whole));
            }
        }
    }
}

fn takes_derivatives(op: Op) -> bool {
    matches!(
        op,
        Op::ImageSampleImplicitLod
            | Op::ImageSampleDrefImplicitLod
            | Op::ImageSampleProjImplicitLod
            | Op::ImageSampleProjDrefImplicitLod
            | Op::ImageSparseSampleImplicitLod
            | Op::ImageSparseSampleDrefImplicitLod
            | Op::ImageQueryLod
    ) || (Op::DPdx.0..=Op::FwidthCoarse.0).contains(&op.0)
}

/// The blocks of a selection or a loop that not all invocations of a quad may run.
struct Region {
    header: u32,
    end: u32,
    is_loop: bool,
    /// Of the selection, or of a branch that leaves the loop.
    condition: Id,
    /// The interpolated input that it depends on.
    input: Id,
}

impl Region {
    fn contains(&self, body: &Body, index: u32) -> bool {
        (self.is_loop || self.header != index)
            && body.dominates(self.header, index)
            && !body.dominates(self.end, index)
    }
}

fn divergent_regions(m: &RuleContext<'_>, body: &Body) -> Vec<Region> {
    let merge = |block: &Block| m.inst(block.merge?);
    let of_loop = |(header, block): (u32, &Block)| {
        let end = merge(block).filter(|merge| merge.op() == Op::LoopMerge)?.operand(0);
        Some((end, header))
    };
    let loops: FxHashMap<Id, u32> = (0..).zip(&body.blocks).filter_map(of_loop).collect();
    let mut found = Vec::new();
    for (index, block) in (0..).zip(&body.blocks) {
        let branch = m.inst(block.last);
        let Some(branch) = branch.filter(|b| matches!(b.op(), Op::BranchConditional | Op::Switch)) else {
            continue;
        };
        let selection = merge(block).filter(|merge| merge.op() == Op::SelectionMerge);
        let selected = selection.map(|merge| (index, merge.operand(0), false));
        // From the second iteration on those are absent that have left.
        let targets = if branch.op() == Op::Switch { 1..2 } else { 1..3 };
        let left = targets.into_iter().find_map(|n| {
            let end = branch.operand(n);
            loops.get(&end).map(|header| (*header, end, true))
        });
        for (header, end, is_loop) in selected.into_iter().chain(left) {
            let condition = branch.operand(0);
            let (Some(end), Some(input)) = (body.by_label.get(&end), varying(m, condition)) else { continue };
            found.push(Region { header, end: *end, is_loop, condition, input });
        }
    }
    found
}

/// The interpolated input that a value is computed from.
fn varying(m: &RuleContext<'_>, value: Id) -> Option<Id> {
    let (mut open, mut looked) = (vec![value], 0);
    while let Some(id) = open.pop() {
        looked += 1;
        if looked > MOST {
            return None;
        }
        let Some(inst) = m.def(id) else { continue };
        match inst.op() {
            Op::Load => {
                let variable = variable(m, inst.operand(2));
                if let Some(input) = variable.filter(|id| is_interpolated(m, *id)) {
                    return Some(input);
                }
            }
            Op::CompositeExtract => open.extend(part(m, inst)),
            // Values and the blocks that they come from.
            Op::Phi => open.extend((2..inst.count()).step_by(2).map(|n| inst.operand(n))),
            Op::ExtInst => open.extend((4..inst.count()).map(|n| inst.operand(n))),
            op if is_pure(op) => open.extend((2..inst.count()).map(|n| inst.operand(n))),
            _ => {}
        }
    }
    None
}

/// The value that a part is taken from: a constituent alone, where the composite is made of several.
fn part(m: &RuleContext<'_>, extract: Inst<'_>) -> Option<Id> {
    let composite = extract.operand(2);
    match m.def(composite)? {
        made if made.op() == Op::CompositeConstruct => {
            let constituent = made.opt_operand(2 + extract.opt_operand(3)? as usize)?;
            let is_one_of_many = m.op(m.type_of(composite)) != Op::TypeVector;
            (is_one_of_many && extract.count() == 4).then_some(constituent)
        }
        _ => Some(composite),
    }
}

fn variable(m: &RuleContext<'_>, pointer: Id) -> Option<Id> {
    let def = m.def(pointer)?;
    match def.op() {
        Op::Variable => Some(pointer),
        Op::AccessChain | Op::InBoundsAccessChain => variable(m, def.operand(2)),
        _ => None,
    }
}

/// Inputs of floats that are interpolated between the vertices, and the place of the fragment.
fn is_interpolated(m: &RuleContext<'_>, variable: Id) -> bool {
    let Some((StorageClass::Input, ty)) = m.pointer(m.type_of(variable)) else { return false };
    match m.decoration_word(variable, Decoration::BuiltIn) {
        Some(built_in) => matches!(built_in, BuiltIn::FragCoord | BuiltIn::PointCoord),
        None => {
            m.is_float_scalar_or_vector(ty)
                && !m.has_decoration(variable, Decoration::Flat)
                && m.has_decoration(variable, Decoration::Location)
        }
    }
}

/// Arithmetic, comparisons and selections: all operands are values.
fn is_pure(op: Op) -> bool {
    (Op::ConvertFToU.0..=Op::FConvert.0).contains(&op.0)
        || (Op::SNegate.0..=Op::Dot.0).contains(&op.0)
        || (Op::Any.0..=Op::FUnordGreaterThanEqual.0).contains(&op.0)
        || op == Op::CompositeConstruct
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::testing::findings;

    #[test]
    fn loops_that_some_invocations_leave() {
        let in_loop = |condition: &str| {
            let text = super::DIVERGENT.example;
            let start = text.find("OpSelectionMerge").unwrap_or(0);
            let head = text.get(..start).unwrap_or("");
            format!(
                "{head}OpBranch %head\n%head = OpLabel\n%n = OpPhi %float %x %entry %next %again\nOpLoopMerge %end %again None\n\
                 OpBranch %test\n%test = OpLabel\n%go = OpFOrdLessThan %bool {condition} %half\n\
                 OpBranchConditional %go %body %end\n%body = OpLabel\n%color = OpImageSampleImplicitLod %vec4 %t %at\n\
                 OpStore %out %color\nOpBranch %again\n%again = OpLabel\n%next = OpFAdd %float %n %half\nOpBranch %head\n\
                 %end = OpLabel\n%last = OpImageSampleImplicitLod %vec4 %t %at\nOpStore %out %last\nOpReturn\nOpFunctionEnd\n"
            )
        };
        expect![""].assert_eq(&findings(&in_loop("%n")));
        assert_eq!(findings(&in_loop("%zero")), "");
    }

    #[test]
    fn branches_on_interpolated_inputs() {
        let text = super::DIVERGENT.example;
        expect![[r#"
            hint[divergent-derivative] 34:1 `%color = OpImageSampleImplicitLod %vec4 %t %at`: OpImageSampleImplicitLod takes derivatives, but some invocations of a quad may not come here: the condition `%left` depends on the input `%uv`
        "#]].assert_eq(&findings(text));
        let quiet = |from: &str, to: &str| {
            assert!(text.contains(from), "{from}");
            let text = text.replace("%half =", "%s = OpTypeStruct %vec2 %float\n%half =");
            assert_eq!(findings(&text.replace(from, to)), "", "{to}");
        };
        // The same for all invocations.
        quiet("%bool %x %half", "%bool %zero %half");
        quiet("OpDecorate %uv Location 0", "OpDecorate %uv Location 0\nOpDecorate %uv Flat");
        // Next to an interpolated input in a structure.
        quiet(
            "%x = OpCompositeExtract %float %at 0",
            "%pair = OpCompositeConstruct %s %at %zero\n%x = OpCompositeExtract %float %pair 1",
        );
        // After the branch, where all come again.
        let sample = "%color = OpImageSampleImplicitLod %vec4 %t %at\nOpStore %out %color\n";
        let after =
            text.replace(sample, "").replace("%end = OpLabel\n", &format!("%end = OpLabel\n{sample}"));
        assert_eq!(findings(&after), "");
        // With its gradients.
        quiet("ImplicitLod %vec4 %t %at", "ExplicitLod %vec4 %t %at Grad %at %at");
    }
}
