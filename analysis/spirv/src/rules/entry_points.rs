//! Entry points and the execution modes that each must have (SPIR-V specification, OpEntryPoint and section 3.6).

use wavelens_syntax::spirv::tables::{Capability, ExecutionMode, ExecutionModel, Op};

use super::mode_setting::mode_name;
use crate::code::Inst;
use crate::context::RuleContext;
use crate::scope::model_name;
use wavelens_base::{Fault, Place, Severity, Verdict, fail_at};

wavelens_syntax::rules! {
    ENTRY_POINT {
        code: "entry-point",
        severity: Severity::Error,
        title: "an entry point is a void function without parameters, with a unique name and a valid interface",
        explain: "The API finds an entry point by its name and execution model and calls it without arguments.",
        example: r#"OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpEntryPoint GLCompute %main "main"
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
OpEntryPoint GLCompute %main "other"
%void = OpTypeVoid
%fn = OpTypeFunction %void
%main = OpFunction %void None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
"#,
        source: "SPIR-V specification, section 2.16.1 and OpEntryPoint; SPIRV-Tools validate.cpp: \"2 Entry points cannot share the same name and ExecutionMode\"; validate_mode_setting.cpp: \"function parameter count is not zero\"; VUID-StandaloneSpirv-Execution-10687, VUID-StandaloneSpirv-Execution-10688, VUID-StandaloneSpirv-NonCoherentTileAttachmentReadQCOM-10690, VUID-StandaloneSpirv-None-04633, VUID-StandaloneSpirv-None-04634, VUID-StandaloneSpirv-None-10685, VUID-StandaloneSpirv-TileShadingQCOM-10686, VUID-StandaloneSpirv-TileShadingRateQCOM-10691, VUID-StandaloneSpirv-TileShadingRateQCOM-10692",
    }
}

pub(super) fn instruction(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    if inst.op() != Op::EntryPoint {
        return Ok(());
    }
    entry_point(m, inst)?;
    check_exclusive_modes(m, inst)?;
    if m.scope.env.is_vulkan() {
        check_vulkan_modes(m, inst)?;
    }
    local_size(m, inst)
}

fn entry_point(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let wrong = |operand: usize, message: String| fail_at(&ENTRY_POINT, operand, message);
    let id = inst.operand(1);
    let op = m.op(id);
    if !matches!(op, Op::Function | Op::Nop) {
        return wrong(1, format!("`{}` is the result of {}, not a function", m.name(id), op.name()));
    }
    let Some(function) = m.def(id) else { return Ok(()) };
    let name = inst.string(2);
    let entries = &m.scope.entry_points;
    let own = entries.binary_search_by_key(&inst.at, |entry| entry.inst).ok().and_then(|at| entries.get(at));
    if own.is_some_and(|entry| entry.is_redefinition) {
        return wrong(
            2,
            format!("redefinition of the {} entry point \"{name}\"", model_name(inst.operand(0))),
        );
    }
    let ty = m.def(function.operand(3)).filter(|d| d.op() == Op::TypeFunction);
    if inst.operand(0) != ExecutionModel::Kernel && ty.is_some_and(|t| t.count() > 2) {
        return wrong(
            1,
            format!(
                "entry point `{}` must not have parameters [VUID-StandaloneSpirv-None-04633]",
                m.name(id)
            ),
        );
    }
    if m.def(function.ty()).is_some() && !m.is_void(function.ty()) {
        return wrong(
            1,
            format!(
                "entry point `{}` must return void, returns {} [VUID-StandaloneSpirv-None-04633]",
                m.name(id),
                m.type_name(function.ty())
            ),
        );
    }
    let (is_called, is_recursive) =
        m.scope.functions.get(&id).map_or((false, false), |f| (f.is_called, f.is_recursive));
    if is_called {
        return wrong(1, format!("entry point `{}` must not be called by a function", m.name(id)));
    }
    if m.scope.env.is_vulkan() && is_recursive {
        return wrong(1, "in Vulkan, the call graph of an entry point must not have a cycle [VUID-StandaloneSpirv-None-04634]".to_owned());
    }
    Ok(())
}

/// The execution modes of which an execution model requires one, or allows one at most.
fn check_exclusive_modes(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let has = |mode: u32| m.scope.has_mode(inst.operand(1), mode);
    let model = inst.operand(0);
    let count = |list: &[u32]| list.iter().filter(|mode| has(**mode)).count();
    let names = |list: &[u32]| list.iter().map(|x| mode_name(*x)).collect::<Vec<_>>().join(", ");
    let wrong = |message: String| fail_at(&ENTRY_POINT, 0, message);
    let at_most_one = |list: &[u32]| match count(list) {
        0 | 1 => Ok(()),
        _ => wrong(format!(
            "a {} entry point must have at most one of the execution modes {}",
            model_name(model),
            names(list)
        )),
    };
    let exactly_one = |list: &[u32]| match count(list) {
        1 => Ok(()),
        0 if m.scope.features.unread_mode => Ok(()),
        _ => wrong(format!(
            "a {} entry point must have exactly one of the execution modes {}",
            model_name(model),
            names(list)
        )),
    };
    type E = ExecutionMode;
    if !m.has_capability(Capability::Shader) {
        return Ok(());
    }
    match model {
        ExecutionModel::Fragment => {
            exactly_one(&[E::OriginUpperLeft, E::OriginLowerLeft])?;
            at_most_one(&[E::DepthGreater, E::DepthLess, E::DepthUnchanged])?;
            at_most_one(&[
                E::PixelInterlockOrderedEXT,
                E::PixelInterlockUnorderedEXT,
                E::SampleInterlockOrderedEXT,
                E::SampleInterlockUnorderedEXT,
                E::ShadingRateInterlockOrderedEXT,
                E::ShadingRateInterlockUnorderedEXT,
            ])?;
            at_most_one(&[
                E::StencilRefUnchangedFrontAMD,
                E::StencilRefLessFrontAMD,
                E::StencilRefGreaterFrontAMD,
            ])?;
            at_most_one(&[
                E::StencilRefUnchangedBackAMD,
                E::StencilRefLessBackAMD,
                E::StencilRefGreaterBackAMD,
            ])?;
        }
        ExecutionModel::TessellationControl | ExecutionModel::TessellationEvaluation => {
            at_most_one(&[E::SpacingEqual, E::SpacingFractionalEven, E::SpacingFractionalOdd])?;
            at_most_one(&[E::Triangles, E::Quads, E::Isolines])?;
            at_most_one(&[E::VertexOrderCw, E::VertexOrderCcw])?;
        }
        ExecutionModel::Geometry => {
            exactly_one(&[
                E::InputPoints,
                E::InputLines,
                E::InputLinesAdjacency,
                E::Triangles,
                E::InputTrianglesAdjacency,
            ])?;
            exactly_one(&[E::OutputPoints, E::OutputLineStrip, E::OutputTriangleStrip])?;
        }
        ExecutionModel::MeshEXT => {
            exactly_one(&[E::OutputPoints, E::OutputLinesEXT, E::OutputTrianglesEXT])?;
            if count(&[E::OutputPrimitivesEXT, E::OutputVertices]) != 2 && !m.scope.features.unread_mode {
                return wrong(
                    "missing OutputPrimitivesEXT or OutputVertices on a MeshEXT entry point".to_owned(),
                );
            }
        }
        _ => {}
    }
    Ok(())
}

/// The modes of compute shaders and of tile shading in Vulkan.
fn check_vulkan_modes(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    type E = ExecutionMode;
    let model = inst.operand(0);
    let has = |mode: u32| m.scope.has_mode(inst.operand(1), mode);
    let wrong = |message: &str| fail_at(&ENTRY_POINT, 0, message);
    let tiles = m.has_capability(Capability::TileShadingQCOM);
    let rate = has(E::TileShadingRateQCOM);
    let non_coherent = has(E::NonCoherentTileAttachmentReadQCOM);
    if model == ExecutionModel::GLCompute {
        let sized = has(E::LocalSize)
            || m.scope.features.local_size_id
            || m.scope.features.workgroup_size
            || m.scope.features.unread_mode
            || tiles && rate;
        if !sized {
            return wrong(
                "missing LocalSize, LocalSizeId or WorkgroupSize on a compute entry point [VUID-StandaloneSpirv-None-10685]",
            );
        }
        if tiles && rate && (has(E::LocalSize) || has(E::LocalSizeId)) {
            return wrong(
                "TileShadingRateQCOM must not be used with LocalSize or LocalSizeId [VUID-StandaloneSpirv-TileShadingRateQCOM-10692]",
            );
        }
        if tiles && non_coherent {
            return wrong(
                "NonCoherentTileAttachmentReadQCOM can be used only for Fragment [VUID-StandaloneSpirv-Execution-10687]",
            );
        }
        if !tiles && rate {
            return wrong(
                "TileShadingRateQCOM requires the TileShadingQCOM capability [VUID-StandaloneSpirv-TileShadingRateQCOM-10691]",
            );
        }
        return Ok(());
    }
    if rate {
        return wrong(
            "TileShadingRateQCOM can be used only for GLCompute [VUID-StandaloneSpirv-Execution-10688]",
        );
    }
    if model == ExecutionModel::Fragment {
        if non_coherent && !tiles {
            return wrong(
                "NonCoherentTileAttachmentReadQCOM requires the TileShadingQCOM capability [VUID-StandaloneSpirv-NonCoherentTileAttachmentReadQCOM-10690]",
            );
        }
    } else if non_coherent {
        return wrong(
            "NonCoherentTileAttachmentReadQCOM can be used only for Fragment [VUID-StandaloneSpirv-Execution-10687]",
        );
    } else if tiles {
        return wrong(
            "the TileShadingQCOM capability allows only GLCompute and Fragment entry points [VUID-StandaloneSpirv-TileShadingQCOM-10686]",
        );
    }
    Ok(())
}

fn local_size(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let Some(size) = m.scope.local_size(inst.operand(1)) else { return Ok(()) };
    let sides: Vec<Option<u64>> = (2..5)
        .map(|i| match size.operand(1) {
            ExecutionMode::LocalSize => Some(u64::from(size.operand(i))),
            _ => m.uint(size.operand(i)),
        })
        .collect();
    let zero = sides.iter().position(|side| *side == Some(0)).filter(|_| sides.iter().all(Option::is_some));
    let Some(dimension) = zero.and_then(|at| ["x", "y", "z"].get(at)) else { return Ok(()) };
    let message = format!("the {dimension} size of LocalSize must be at least 1, is 0");
    let place = m.scope.origin.get(size.at as usize);
    Err(match place.map(|(chunk, item)| Place::Item { chunk: *chunk, item: *item }) {
        Some(place) => Fault::new(&ENTRY_POINT, message).related(place, "the local size is set here"),
        None => Fault::new(&ENTRY_POINT, message),
    })
}
