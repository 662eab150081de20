//! Execution modes and the memory model (SPIR-V specification, sections 3.4 to 3.6).

use wavelens_syntax::spirv::tables::{
    AddressingModel, Capability, ExecutionMode, ExecutionModel, FPFastMathMode, Kind, MemoryModel, Op,
};
use wavelens_syntax::wording;

use crate::code::Inst;
use crate::context::RuleContext;
use crate::ops;
use crate::scope::model_name;
use wavelens_base::Severity;
use wavelens_base::{Verdict, fail_at};

wavelens_syntax::rules! {
    EXECUTION_MODE {
        code: "execution-mode",
        severity: Severity::Error,
        title: "an execution mode is set once, on an entry point whose execution model has it",
        explain: "An execution mode of another execution model has no effect that the specification defines. Modes with id operands require OpExecutionModeId.",
        example: r#"OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main OriginUpperLeft
%void = OpTypeVoid
%fn = OpTypeFunction %void
%main = OpFunction %void None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
"#,
        fixed: r#"OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%main = OpFunction %void None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
"#,
        source: "SPIR-V specification, section 3.6 (Execution Mode); SPIRV-Tools validate_mode_setting.cpp: \"Execution mode can only be used with\"; VUID-StandaloneSpirv-MeshEXT-07330, VUID-StandaloneSpirv-MeshEXT-07331, VUID-StandaloneSpirv-OriginLowerLeft-04653, VUID-StandaloneSpirv-PixelCenterInteger-04654",
    }

    MEMORY_MODEL {
        code: "memory-model",
        severity: Severity::Error,
        title: "the addressing and memory model fit the capabilities and the target environment",
        explain: "Vulkan and OpenCL allow only some addressing models, and the VulkanMemoryModel capability is meaningful only with the memory model Vulkan.",
        example: r#"OpCapability Shader
OpCapability Linkage
OpCapability VulkanMemoryModel
OpMemoryModel Logical GLSL450
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
OpCapability VulkanMemoryModel
OpMemoryModel Logical Vulkan
"#,
        source: "SPIR-V specification, sections 3.4 and 3.5; SPIRV-Tools validate_mode_setting.cpp: \"VulkanMemoryModelKHR capability must only be specified\"; VUID-StandaloneSpirv-None-04635",
    }
}

pub(super) fn mode_name(mode: u32) -> &'static str {
    Kind::ExecutionMode.valued(mode).map_or("the mode", |e| e.name)
}

/// Whether instructions of an opcode set a mode.
pub(super) fn concerns(op: Op) -> bool {
    matches!(op, Op::ExecutionMode | Op::ExecutionModeId | Op::MemoryModel | Op::Capability)
}

pub(super) fn instruction(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    match inst.op() {
        Op::ExecutionMode | Op::ExecutionModeId => {
            operands(m, inst)?;
            model(m, inst)?;
            combination(m, inst)
        }
        Op::MemoryModel => memory_model(m),
        Op::Capability
            if inst.operand(0) == Capability::CooperativeMatrixKHR
                && m.has_capability(Capability::Shader)
                && m.lacks_capability(Capability::VulkanMemoryModel) =>
        {
            fail_at(
                &MEMORY_MODEL,
                0,
                "in shaders, the CooperativeMatrixKHR capability requires the VulkanMemoryModel capability",
            )
        }
        _ => Ok(()),
    }
}

fn takes_ids(mode: u32) -> bool {
    type E = ExecutionMode;
    matches!(
        mode,
        E::SubgroupsPerWorkgroupId
            | E::LocalSizeHintId
            | E::LocalSizeId
            | E::OpacityMicromapIdKHR
            | E::FPFastMathDefault
            | E::IsApiEntryAMDX
            | E::MaxNodeRecursionAMDX
            | E::MaxNumWorkgroupsAMDX
            | E::ShaderIndexAMDX
            | E::SharesInputWithAMDX
            | E::StaticNumWorkgroupsAMDX
    )
}

fn operands(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let wrong = |operand: usize, message: String| fail_at(&EXECUTION_MODE, operand, message);
    let (entry, mode) = (inst.operand(0), inst.operand(1));
    // An entry point that could not be read is reported itself.
    let is_unread = m.scope.features.unread_entry_point || m.scope.features.unknown_line;
    let is_entry = is_unread || m.scope.entry_points_of(entry).next().is_some();
    if !is_entry {
        return wrong(0, format!("`{}` is not an entry point", m.name(entry)));
    }
    let ids = takes_ids(mode) || mode == ExecutionMode::MaximumRegistersIdINTEL;
    if inst.op() == Op::ExecutionMode {
        if takes_ids(mode) {
            return wrong(1, format!("{} takes ids; use OpExecutionModeId", mode_name(mode)));
        }
        return Ok(());
    }
    if !ids {
        return wrong(1, format!("{} does not take ids; use OpExecutionMode", mode_name(mode)));
    }
    for operand in 2..inst.count() {
        let id = inst.operand(operand);
        if mode == ExecutionMode::FPFastMathDefault {
            if operand == 2 {
                if !m.is_float(id) {
                    return wrong(operand, format!("`{}` is not a float type", m.name(id)));
                }
                continue;
            }
            let Some(value) = m.const_int32(id).1 else {
                return wrong(
                    operand,
                    "the default must be a constant that is not a specialization constant".to_owned(),
                );
            };
            let both = FPFastMathMode::AllowContract | FPFastMathMode::AllowReassoc;
            if value & 0xfff8_0000 != 0 || value & FPFastMathMode::Fast != 0 {
                return wrong(operand, "FPFastMathDefault must not include Fast or unknown bits".to_owned());
            }
            if value & FPFastMathMode::AllowTransform != 0 && value & both != both {
                return wrong(operand, "AllowTransform requires AllowContract and AllowReassoc".to_owned());
            }
        } else if mode != ExecutionMode::MaximumRegistersIdINTEL && !ops::is_constant(m.op(id)) {
            return wrong(operand, format!("`{}` is not a constant", m.name(id)));
        }
    }
    Ok(())
}

fn model(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    type E = ExecutionMode;
    type X = ExecutionModel;
    let mode = inst.operand(1);
    let nv = m.has_capability(Capability::MeshShadingNV);
    let ext = m.has_capability(Capability::MeshShadingEXT);
    let mesh = |model: u32| nv && model == X::MeshNV || ext && model == X::MeshEXT;
    let task = |model: u32| nv && model == X::TaskNV || ext && model == X::TaskEXT;
    let tessellation = |model: u32| matches!(model, X::TessellationControl | X::TessellationEvaluation);
    let allowed: Box<dyn Fn(u32) -> bool> = match mode {
        E::Invocations
        | E::InputPoints
        | E::InputLines
        | E::InputLinesAdjacency
        | E::InputTrianglesAdjacency
        | E::OutputLineStrip
        | E::OutputTriangleStrip => Box::new(|x| x == X::Geometry),
        E::OutputPoints => Box::new(move |x| x == X::Geometry || mesh(x)),
        E::SpacingEqual
        | E::SpacingFractionalEven
        | E::SpacingFractionalOdd
        | E::VertexOrderCw
        | E::VertexOrderCcw
        | E::PointMode
        | E::Quads
        | E::Isolines => Box::new(tessellation),
        E::Triangles => Box::new(move |x| x == X::Geometry || tessellation(x)),
        E::OutputVertices => Box::new(move |x| x == X::Geometry || tessellation(x) || mesh(x)),
        E::OutputLinesEXT | E::OutputTrianglesEXT | E::OutputPrimitivesEXT => {
            Box::new(|x| matches!(x, X::MeshEXT | X::MeshNV))
        }
        E::QuadDerivativesKHR => Box::new(|x| matches!(x, X::Fragment | X::GLCompute)),
        E::PixelCenterInteger
        | E::OriginUpperLeft
        | E::OriginLowerLeft
        | E::EarlyFragmentTests
        | E::DepthReplacing
        | E::DepthGreater
        | E::DepthLess
        | E::DepthUnchanged
        | E::NonCoherentColorAttachmentReadEXT
        | E::NonCoherentDepthAttachmentReadEXT
        | E::NonCoherentStencilAttachmentReadEXT
        | E::PixelInterlockOrderedEXT
        | E::PixelInterlockUnorderedEXT
        | E::SampleInterlockOrderedEXT
        | E::SampleInterlockUnorderedEXT
        | E::ShadingRateInterlockOrderedEXT
        | E::ShadingRateInterlockUnorderedEXT
        | E::EarlyAndLateFragmentTestsAMD
        | E::StencilRefUnchangedFrontAMD
        | E::StencilRefGreaterFrontAMD
        | E::StencilRefLessFrontAMD
        | E::StencilRefUnchangedBackAMD
        | E::StencilRefGreaterBackAMD
        | E::StencilRefLessBackAMD
        | E::RequireFullQuadsKHR => Box::new(|x| x == X::Fragment),
        E::LocalSizeHint | E::VecTypeHint | E::ContractionOff | E::LocalSizeHintId => {
            Box::new(|x| x == X::Kernel)
        }
        E::LocalSize | E::LocalSizeId => {
            if mode == E::LocalSizeId && !m.scope.features.allow_local_size_id {
                return fail_at(
                    &EXECUTION_MODE,
                    1,
                    format!(
                        "LocalSizeId is not supported in {}; the feature maintenance4 allows it",
                        m.scope.env.name()
                    ),
                );
            }
            Box::new(move |x| matches!(x, X::Kernel | X::GLCompute) || mesh(x) || task(x))
        }
        _ => return Ok(()),
    };
    for model in m.scope.models_of(inst.operand(0)) {
        if !allowed(*model) {
            return fail_at(
                &EXECUTION_MODE,
                1,
                format!(
                    "{} entry point must not have the execution mode {}",
                    wording::with_article(model_name(*model)),
                    mode_name(mode)
                ),
            );
        }
    }
    if m.scope.env.is_vulkan()
        && ext
        && matches!(mode, E::OutputVertices | E::OutputPrimitivesEXT)
        && inst.operand(2) == 0
    {
        let vuid = if mode == E::OutputVertices { "07330" } else { "07331" };
        let message =
            format!("{} must be greater than 0 [VUID-StandaloneSpirv-MeshEXT-{vuid}]", mode_name(mode));
        return fail_at(&EXECUTION_MODE, 2, message);
    }
    Ok(())
}

fn combination(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    type E = ExecutionMode;
    let (entry, mode) = (inst.operand(0), inst.operand(1));
    let has = |mode: u32| m.scope.has_mode(entry, mode);
    if mode == E::FPFastMathDefault && (has(E::ContractionOff) || has(E::SignedZeroInfNanPreserve)) {
        return fail_at(
            &EXECUTION_MODE,
            1,
            "FPFastMathDefault must not be used together with ContractionOff or SignedZeroInfNanPreserve",
        );
    }
    if m.scope.env.is_vulkan() {
        if matches!(mode, E::OriginLowerLeft | E::PixelCenterInteger) {
            let vuid = match mode {
                E::OriginLowerLeft => "OriginLowerLeft-04653",
                _ => "PixelCenterInteger-04654",
            };
            let message =
                format!("{} is not supported in Vulkan [VUID-StandaloneSpirv-{vuid}]", mode_name(mode));
            return fail_at(&EXECUTION_MODE, 1, message);
        }
        let power = |v: u32| v & v.wrapping_sub(1) == 0;
        if mode == E::TileShadingRateQCOM && !(power(inst.operand(2)) && power(inst.operand(3))) {
            return fail_at(&EXECUTION_MODE, 2, "the tile shading rates must be powers of 2");
        }
    }
    let per_operand = matches!(
        mode,
        E::DenormPreserve
            | E::DenormFlushToZero
            | E::SignedZeroInfNanPreserve
            | E::RoundingModeRTE
            | E::RoundingModeRTZ
            | E::FPFastMathDefault
            | E::RoundingModeRTPINTEL
            | E::RoundingModeRTNINTEL
            | E::FloatingPointModeALTINTEL
            | E::FloatingPointModeIEEEINTEL
    );
    let first = match per_operand {
        true => m.scope.first_mode_with(entry, mode, inst.operand(2)),
        false => m.scope.first_mode(entry, mode),
    };
    if first.is_some_and(|first| first.at < inst.at) {
        return fail_at(
            &EXECUTION_MODE,
            1,
            format!("{} is already set on `{}`", mode_name(mode), m.name(entry)),
        );
    }
    Ok(())
}

fn memory_model(m: &RuleContext<'_>) -> Verdict {
    let (addressing, memory) = (m.scope.addressing_model, m.scope.memory_model);
    if memory != Some(MemoryModel::Vulkan) && m.has_capability(Capability::VulkanMemoryModel) {
        return fail_at(
            &MEMORY_MODEL,
            1,
            "the VulkanMemoryModel capability requires the memory model Vulkan",
        );
    }
    if m.scope.env.is_opencl() {
        if !matches!(addressing, Some(AddressingModel::Physical32 | AddressingModel::Physical64)) {
            return fail_at(
                &MEMORY_MODEL,
                0,
                "in OpenCL, the addressing model must be Physical32 or Physical64",
            );
        }
        if memory != Some(MemoryModel::OpenCL) {
            return fail_at(&MEMORY_MODEL, 1, "in OpenCL, the memory model must be OpenCL");
        }
    }
    if m.scope.env.is_vulkan()
        && !matches!(addressing, Some(AddressingModel::Logical | AddressingModel::PhysicalStorageBuffer64))
    {
        return fail_at(
            &MEMORY_MODEL,
            0,
            "in Vulkan, the addressing model must be Logical or PhysicalStorageBuffer64 [VUID-StandaloneSpirv-None-04635]",
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::testing::marks;

    #[test]
    fn modes_fit_their_entry_point() {
        marks(expect![[r#"
            OpCapability Shader
            OpCapability Geometry
            OpMemoryModel Physical32 GLSL450
            ;             ^^^^^^^^^^ error[missing-capability]: Physical32 requires the Addresses capability
            OpEntryPoint Fragment %main "main"
            ;            ^^^^^^^^ error[entry-point]: a Fragment entry point must have exactly one of the execution modes OriginUpperLeft, OriginLowerLeft
            OpEntryPoint Fragment %main "main"
            ;                           ^^^^^^ error[entry-point]: redefinition of the Fragment entry point "main"
            OpEntryPoint GLCompute %other "other"
            ;                      ^^^^^^ error[entry-point]: entry point `%other` must not have parameters [VUID-StandaloneSpirv-None-04633]
            ;                           = line 18:1: defined here
            OpExecutionMode %main LocalSize 1 1 1
            ;                     ^^^^^^^^^ error[execution-mode]: a Fragment entry point must not have the execution mode LocalSize
            OpExecutionMode %void OriginUpperLeft
            ;               ^^^^^ error[execution-mode]: `%void` is not an entry point
            ;                   = line 10:1: defined here
            OpExecutionMode %other OriginUpperLeft
            ;                      ^^^^^^^^^^^^^^^ error[execution-mode]: a GLCompute entry point must not have the execution mode OriginUpperLeft
            %void = OpTypeVoid
            %float = OpTypeFloat 32
            %fn = OpTypeFunction %void
            %fn1 = OpTypeFunction %void %float
            %main = OpFunction %void None %fn
            %l1 = OpLabel
            OpReturn
            OpFunctionEnd
            %other = OpFunction %void None %fn1
            %p = OpFunctionParameter %float
            %l2 = OpLabel
            OpReturn
            OpFunctionEnd
        "#]]);
    }

    #[test]
    fn what_a_function_has_inside_is_not_an_entry_point() {
        marks(expect![[r#"
            OpCapability Kernel
            OpCapability Addresses
            OpMemoryModel Physical32 OpenCL
            OpEntryPoint Kernel %label "a"
            ;                   ^^^^^^ error[entry-point]: `%label` is the result of OpLabel, not a function
            OpEntryPoint Kernel %nowhere "b"
            ;                   ^^^^^^^^ error[undefined-id]: use of undefined id `%nowhere`
            %void = OpTypeVoid
            %fn = OpTypeFunction %void
            %main = OpFunction %void None %fn
            %label = OpLabel
            OpReturn
            OpFunctionEnd
        "#]]);
    }
}
