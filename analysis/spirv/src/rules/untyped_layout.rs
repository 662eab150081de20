//! What is reached through untyped pointers is laid out like what typed pointers of their storage class go to (Vulkan
//! specification, Offset and Stride Assignment).

use wavelens_syntax::spirv::tables::{Capability, Decoration, Op, StorageClass};

use super::block_layout::{BLOCK_LAYOUT, Layout};
use crate::code::{Id, Inst};
use crate::context::RuleContext;
use wavelens_base::{Verdict, fail};

/// Whether a module can have such pointers.
pub(super) fn concerns(m: &RuleContext<'_>) -> bool {
    m.has_capability(Capability::UntypedPointersKHR) && m.scope.env.is_vulkan()
}

pub(super) fn instruction(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let Some((pointer, data)) = access(m, inst) else { return Ok(()) };
    let Some((class, _)) = m.pointer(pointer) else { return Ok(()) };
    let is_block = |ty: Id, kind: u32| m.is_decorated(ty, kind);
    let element = m.element(data);
    let descriptors = matches!(m.op(data), Op::TypeArray | Op::TypeRuntimeArray)
        && m.op(element) == Op::TypeStruct
        && (is_block(element, Decoration::Block) || is_block(element, Decoration::BufferBlock));
    let data = if descriptors { element } else { data };
    let uniform = class == StorageClass::Uniform
        && !(m.op(data) == Op::TypeStruct && is_block(data, Decoration::BufferBlock));
    m.untyped_layouts
        .get_or((data, class, uniform), || Layout::new(m, uniform).check_pointee(data, class))
        .or_else(|wrong| fail(&BLOCK_LAYOUT, format!("in this {}, {}", inst.op().name(), wrong.message)))
}

/// The pointer type and the type of what an instruction reaches through it.
fn access(m: &RuleContext<'_>, inst: Inst<'_>) -> Option<(Id, Id)> {
    let untyped = |ty: Id| m.op(ty) == Op::TypeUntypedPointerKHR;
    match inst.op() {
        Op::UntypedAccessChainKHR
        | Op::UntypedInBoundsAccessChainKHR
        | Op::UntypedPtrAccessChainKHR
        | Op::UntypedInBoundsPtrAccessChainKHR => Some((inst.ty(), inst.operand(2))),
        Op::Load => Some((m.operand_type(inst, 2), inst.ty())).filter(|(pointer, _)| untyped(*pointer)),
        Op::Store => {
            Some((m.operand_type(inst, 0), m.operand_type(inst, 1))).filter(|(pointer, _)| untyped(*pointer))
        }
        Op::UntypedArrayLengthKHR => Some((m.operand_type(inst, 3), inst.operand(2))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::testing::marks;

    #[test]
    fn a_structure_behind_an_untyped_pointer_is_aligned() {
        marks(expect![[r#"
            ; target-env: vulkan1.4
            OpCapability Shader
            OpCapability UntypedPointersKHR
            OpExtension "SPV_KHR_untyped_pointers"
            OpMemoryModel Logical GLSL450
            OpEntryPoint GLCompute %main "main" %variable
            OpExecutionMode %main LocalSize 1 1 1
            OpDecorate %block Block
            OpMemberDecorate %block 0 Offset 0
            OpMemberDecorate %other 0 Offset 2
            OpDecorate %other Block
            OpDecorate %variable DescriptorSet 0
            OpDecorate %variable Binding 0
            %void = OpTypeVoid
            %uint = OpTypeInt 32 0
            %0u = OpConstant %uint 0
            %block = OpTypeStruct %uint
            %other = OpTypeStruct %uint
            %pointer = OpTypeUntypedPointerKHR StorageBuffer
            %variable = OpUntypedVariableKHR %pointer StorageBuffer %block
            %fn = OpTypeFunction %void
            %main = OpFunction %void None %fn
            %entry = OpLabel
            %good = OpUntypedAccessChainKHR %pointer %block %variable %0u
            %bad = OpUntypedAccessChainKHR %pointer %other %variable %0u
            ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[block-layout]: in this OpUntypedAccessChainKHR, member 0 of `%other` in StorageBuffer at offset 2 is not aligned to 4 bytes (storage buffer layout rules)
            %again = OpUntypedAccessChainKHR %pointer %other %variable %0u
            ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[block-layout]: in this OpUntypedAccessChainKHR, member 0 of `%other` in StorageBuffer at offset 2 is not aligned to 4 bytes (storage buffer layout rules)
            OpReturn
            OpFunctionEnd
        "#]]);
    }
}
