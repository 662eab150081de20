//! Transform feedback: the captured bytes of each buffer, and the mode that switches capturing on.

use std::collections::BTreeMap;

use wavelens_syntax::spirv::tables::{Decoration, ExecutionMode, ExecutionModel, Op, StorageClass};

use crate::code::Id;
use crate::context::RuleContext;
use crate::rules::decorations::{Found, ModuleFinding, held, variables};
use wavelens_base::Severity;

wavelens_syntax::rules! {
    TRANSFORM_FEEDBACK {
        code: "transform-feedback",
        severity: Severity::Warning,
        title: "captured outputs have a stride, a place of their own and one stream for each buffer",
        explain: "An output with XfbBuffer is written to that buffer at its Offset, every XfbStride bytes. All outputs of one buffer share its stride and its stream, are within the stride and do not overlap; those with 64-bit numbers are aligned to 8 bytes, others to 4. Without the execution mode Xfb nothing is captured.\n\nSwitch it off for modules whose decorations are left over.",
        example: r#"OpCapability Shader
OpCapability TransformFeedback
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %a
OpDecorate %a Location 0
OpDecorate %a XfbBuffer 0
OpDecorate %a XfbStride 16
OpDecorate %a Offset 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%ptr = OpTypePointer Output %float
%a = OpVariable %ptr Output
%main = OpFunction %void None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
"#,
        fixed: r#"OpCapability Shader
OpCapability TransformFeedback
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %a
OpExecutionMode %main Xfb
OpDecorate %a Location 0
OpDecorate %a XfbBuffer 0
OpDecorate %a XfbStride 16
OpDecorate %a Offset 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%ptr = OpTypePointer Output %float
%a = OpVariable %ptr Output
%main = OpFunction %void None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
"#,
        source: "SPIR-V specification, section 3.20 (XfbBuffer, XfbStride, Offset, Stream) and 3.6 (Xfb); Vulkan specification, Transform Feedback",
    }
}

/// An output, or a member of a block, that is captured.
struct Capture {
    name: String,
    variable: Id,
    /// The instruction that says where it is.
    inst: u32,
    buffer: u32,
    stride: Option<u32>,
    stream: u32,
    offset: u32,
    size: u32,
    alignment: u32,
}

pub(super) fn module(m: &RuleContext<'_>, found: &mut Found) {
    let captures = captures(m);
    if captures.is_empty() {
        return;
    }
    modes(m, &captures, found);
    let mut buffers: BTreeMap<u32, Vec<&Capture>> = BTreeMap::new();
    for capture in &captures {
        buffers.entry(capture.buffer).or_default().push(capture);
    }
    for (buffer, mut captures) in buffers {
        let Some(first) = captures.first().copied() else { continue };
        let mut report = |capture: &Capture, message: String, other: Option<&Capture>| {
            let finding = ModuleFinding::new(capture.inst, &TRANSFORM_FEEDBACK, message);
            found.add(finding.related(other.map(|other| other.inst), "the other output"));
        };
        for capture in &captures {
            if capture.stride != first.stride
                && let (Some(a), Some(b)) = (first.stride, capture.stride)
            {
                let message = format!(
                    "{} has XfbStride {b}, but another output of buffer {buffer} has {a}",
                    capture.name
                );
                report(capture, message, Some(first));
            }
            if capture.stream != first.stream {
                let message = format!(
                    "{} is in stream {}, but another output of buffer {buffer} in stream {}",
                    capture.name, capture.stream, first.stream
                );
                report(capture, message, Some(first));
            }
            if capture.alignment > 0 && !capture.offset.is_multiple_of(capture.alignment) {
                let message = format!(
                    "{} at offset {} must be aligned to {} bytes",
                    capture.name, capture.offset, capture.alignment
                );
                report(capture, message, None);
            }
            if let Some(stride) = capture.stride
                && capture.offset.saturating_add(capture.size) > stride
            {
                let message = format!(
                    "{} ends at byte {}, after the XfbStride of {stride}",
                    capture.name,
                    capture.offset.saturating_add(capture.size)
                );
                report(capture, message, None);
            }
        }
        captures.sort_by_key(|capture| (capture.offset, capture.inst));
        for (before, after) in captures.iter().zip(captures.iter().skip(1)) {
            if before.stream == after.stream && before.offset.saturating_add(before.size) > after.offset {
                let message = format!("{} overlaps {} in buffer {buffer}", after.name, before.name);
                report(after, message, Some(before));
            }
        }
    }
}

fn captures(m: &RuleContext<'_>) -> Vec<Capture> {
    let mut captures = Vec::new();
    for variable in variables(m).filter(|variable| variable.operand(2) == StorageClass::Output) {
        let id = variable.id();
        let word = |kind| m.decoration_word(id, kind);
        let ty = held(m, variable);
        let stream = word(Decoration::Stream).unwrap_or(0);
        if let (Some(buffer), Some(offset)) = (word(Decoration::XfbBuffer), word(Decoration::Offset)) {
            let inst = m.decorations_of(id, Decoration::Offset).next().map_or(variable.at, |d| d.inst);
            let stride = word(Decoration::XfbStride);
            let Some((size, alignment)) = measure(m, ty, 0) else { continue };
            let name = format!("`{}`", m.name(id));
            captures.push(Capture {
                name,
                variable: id,
                inst,
                buffer,
                stride,
                stream,
                offset,
                size,
                alignment,
            });
        }
        for (index, member) in (0..).zip(m.members(ty)) {
            let own = |kind| m.member_decoration_word(ty, index, kind);
            let buffer = own(Decoration::XfbBuffer).or_else(|| word(Decoration::XfbBuffer));
            let (Some(buffer), Some(offset)) = (buffer, own(Decoration::Offset)) else { continue };
            let inst = m.member_decorations(ty, index).find(|d| d.kind == Decoration::Offset);
            let inst = inst.map_or(variable.at, |d| d.inst);
            let stride = own(Decoration::XfbStride).or_else(|| word(Decoration::XfbStride));
            let Some((size, alignment)) = measure(m, *member, 0) else { continue };
            let name = format!("member {index} of `{}`", m.name(ty));
            let stream = own(Decoration::Stream).unwrap_or(stream);
            captures.push(Capture {
                name,
                variable: id,
                inst,
                buffer,
                stride,
                stream,
                offset,
                size,
                alignment,
            });
        }
    }
    captures
}

/// Size and alignment of what is captured, in bytes: numbers without padding.
fn measure(m: &RuleContext<'_>, ty: Id, depth: u32) -> Option<(u32, u32)> {
    if depth > 16 {
        return None;
    }
    match m.op(ty) {
        Op::TypeInt | Op::TypeFloat => {
            let bytes = m.width(ty) / 8;
            Some((bytes, bytes.max(4)))
        }
        Op::TypeVector | Op::TypeMatrix => {
            let (bytes, alignment) = measure(m, m.element(ty), depth + 1)?;
            Some((bytes.checked_mul(m.dimension(ty))?, alignment))
        }
        Op::TypeArray => {
            let (bytes, alignment) = measure(m, m.element(ty), depth + 1)?;
            let count = m.const_int32(m.def(ty)?.word(3)).1?;
            Some((bytes.checked_mul(count)?, alignment))
        }
        _ => None,
    }
}

/// Entry points that capture need the mode.
fn modes(m: &RuleContext<'_>, captures: &[Capture], found: &mut Found) {
    let stages = [ExecutionModel::Vertex, ExecutionModel::TessellationEvaluation, ExecutionModel::Geometry];
    for entry in m.scope.entry_points.iter().filter(|entry| stages.contains(&entry.model)) {
        if m.scope.has_mode(entry.function, ExecutionMode::Xfb) {
            continue;
        }
        if let Some(capture) = captures.iter().find(|capture| entry.interface.contains(&capture.variable)) {
            let message = format!(
                "{} is captured by transform feedback, but the entry point does not have the execution mode Xfb",
                capture.name
            );
            let finding =
                ModuleFinding::in_interface(m, entry, capture.variable, &TRANSFORM_FEEDBACK, message);
            found.add(finding.related(Some(capture.inst), "the decoration"));
        }
    }
}
