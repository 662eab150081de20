//! Decorations of types and values that they are not for: RelaxedPrecision on other widths than 32, and two ways to declare storage buffers.

use wavelens_syntax::spirv::tables::{Decoration, Op, StorageClass};

use crate::code::Id;
use crate::context::RuleContext;
use crate::flat::NONE;
use crate::rules::decorations::{Found, ModuleFinding, variables};
use wavelens_base::Severity;

wavelens_syntax::rules! {
    RELAXED {
        code: "relaxed-precision",
        severity: Severity::Warning,
        title: "RelaxedPrecision decorates 32-bit numbers",
        explain: "RelaxedPrecision lets a consumer compute 32-bit numbers with 16 bits. Of numbers of other widths it says nothing.\n\nSwitch it off for generators that decorate all results.",
        example: r#"OpCapability Shader
OpCapability Linkage
OpCapability Float64
OpMemoryModel Logical GLSL450
OpDecorate %v RelaxedPrecision
%double = OpTypeFloat 64
%ptr = OpTypePointer Private %double
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
        source: "SPIR-V specification, section 2.14 (Relaxed Precision): the RelaxedPrecision decoration allows 32-bit integer and 32-bit floating-point operations to execute with a relaxed precision",
    }

    TWO_BUFFER_FORMS {
        code: "buffer-form",
        severity: Severity::Warning,
        title: "a module declares storage buffers in one way",
        explain: "A storage buffer is a Block in StorageBuffer, or in older modules a BufferBlock in Uniform. The two forms come from different versions; one that mixes them is most likely linked from modules for different targets.\n\nSwitch it off for modules that are linked so.",
        example: r#"; Version: 1.3
OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
OpDecorate %A Block
OpDecorate %B BufferBlock
OpMemberDecorate %A 0 Offset 0
OpMemberDecorate %B 0 Offset 0
%int = OpTypeInt 32 0
%A = OpTypeStruct %int
%B = OpTypeStruct %int
%pa = OpTypePointer StorageBuffer %A
%pb = OpTypePointer Uniform %B
%a = OpVariable %pa StorageBuffer
%b = OpVariable %pb Uniform
"#,
        fixed: r#"; Version: 1.3
OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
OpDecorate %A Block
OpDecorate %B Block
OpMemberDecorate %A 0 Offset 0
OpMemberDecorate %B 0 Offset 0
%int = OpTypeInt 32 0
%A = OpTypeStruct %int
%B = OpTypeStruct %int
%pa = OpTypePointer StorageBuffer %A
%pb = OpTypePointer StorageBuffer %B
%a = OpVariable %pa StorageBuffer
%b = OpVariable %pb StorageBuffer
"#,
        source: "SPIR-V specification, section 3.20 (BufferBlock: deprecated, use Block-decorated StorageBuffer) and SPV_KHR_storage_buffer_storage_class",
    }
}

pub(super) fn module(m: &RuleContext<'_>, found: &mut Found) {
    for inst in m.scope.code.iter().filter(|inst| inst.is_whole()) {
        let (target, ty) = match inst.op() {
            Op::Decorate if inst.operand(1) == Decoration::RelaxedPrecision => {
                let target = inst.operand(0);
                (format!("`{}`", m.name(target)), m.type_of(target))
            }
            Op::MemberDecorate if inst.operand(2) == Decoration::RelaxedPrecision => {
                let (structure, member) = (inst.operand(0), inst.operand(1));
                let ty = m.members(structure).get(member as usize).copied().unwrap_or(NONE);
                (format!("member {member} of `{}`", m.name(structure)), ty)
            }
            _ => continue,
        };
        if m.is_bool_scalar_or_vector(m.pointer(ty).map_or(ty, |(_, pointee)| pointee)) {
            let message = format!("RelaxedPrecision is for 32-bit numbers, but {target} is a Boolean");
            found.push(inst.at, &RELAXED, message);
            continue;
        }
        let width = number_width(m, ty);
        if !matches!(width, 0 | 1 | 32) {
            let message = format!("RelaxedPrecision is for 32-bit numbers, but {target} has {width} bits");
            found.push(inst.at, &RELAXED, message);
        }
    }
    buffers(m, found);
}

/// The width of the numbers in a type, through pointers and arrays; 0 where it has none or several.
fn number_width(m: &RuleContext<'_>, ty: Id) -> u32 {
    let mut ty = m.pointer(ty).map_or(ty, |(_, pointee)| pointee);
    for _ in 0..16 {
        match m.op(ty) {
            Op::TypeArray | Op::TypeRuntimeArray => ty = m.element(ty),
            Op::TypeInt | Op::TypeFloat | Op::TypeVector | Op::TypeMatrix => return m.width(ty),
            _ => return 0,
        }
    }
    0
}

fn buffers(m: &RuleContext<'_>, found: &mut Found) {
    let storage = variables(m).find(|variable| variable.operand(2) == StorageClass::StorageBuffer);
    let Some(storage) = storage else { return };
    let mut decorations = m.scope.code.iter().filter(|inst| {
        inst.is_whole() && inst.op() == Op::Decorate && inst.operand(1) == Decoration::BufferBlock
    });
    if let Some(block) = decorations.next() {
        let message = format!(
            "`{}` is a BufferBlock, but this module also has buffers in StorageBuffer",
            m.name(block.operand(0))
        );
        let finding = ModuleFinding::new(block.at, &TWO_BUFFER_FORMS, message);
        found.add(finding.related(Some(storage.at), "a buffer in StorageBuffer"));
    }
}
