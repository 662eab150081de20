//! Memory semantics (SPIR-V specification, section 3.25).

use wavelens_syntax::spirv::tables::{Capability, MemoryModel, MemorySemantics as M, Op, Scope};

use crate::code::Inst;
use crate::context::RuleContext;
use crate::ops;
use crate::ops::is_atomic;
use wavelens_base::Severity;
use wavelens_base::{Verdict, fail_at};

wavelens_syntax::rules! {
    MEMORY_SEMANTICS {
        code: "memory-semantics",
        severity: Severity::Error,
        title: "memory semantics are a 32-bit constant mask with at most one memory order",
        explain: "Acquire, Release, AcquireRelease and SequentiallyConsistent exclude each other. The memory model and the environment require or forbid further bits.",
        example: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%group = OpConstant %uint 2
%semantics = OpConstant %uint 0x106
%fn = OpTypeFunction %void
%f = OpFunction %void None %fn
%entry = OpLabel
OpMemoryBarrier %group %semantics
OpReturn
OpFunctionEnd
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%group = OpConstant %uint 2
%semantics = OpConstant %uint 0x108
%fn = OpTypeFunction %void
%f = OpFunction %void None %fn
%entry = OpLabel
OpMemoryBarrier %group %semantics
OpReturn
OpFunctionEnd
"#,
        source: "SPIR-V specification, section 3.25 (Memory Semantics); SPIRV-Tools validate_memory_semantics.cpp: \"Memory Semantics can have at most one of the following\"; VUID-StandaloneSpirv-MemorySemantics-10866, VUID-StandaloneSpirv-MemorySemantics-10867, VUID-StandaloneSpirv-MemorySemantics-10868, VUID-StandaloneSpirv-MemorySemantics-10869, VUID-StandaloneSpirv-MemorySemantics-10870, VUID-StandaloneSpirv-MemorySemantics-10871, VUID-StandaloneSpirv-None-04641",
    }
}

/// How many memory orders a mask has.
fn orders(mask: u32) -> u32 {
    (mask & (M::Acquire | M::Release | M::AcquireRelease | M::SequentiallyConsistent)).count_ones()
}

/// `operand` and `scope` are the operands with the memory semantics and the memory scope.
pub(super) fn check(m: &RuleContext<'_>, inst: Inst<'_>, operand: usize, scope: usize) -> Verdict {
    let wrong = |message: &str| fail_at(&MEMORY_SEMANTICS, operand, message);
    let id = inst.operand(operand);
    let (is_int, value) = m.const_int32(id);
    if !is_int {
        return wrong("expected a 32-bit integer as memory semantics");
    }
    let Some(value) = value else {
        if m.has_capability(Capability::Shader) {
            if !m.has_capability(Capability::CooperativeMatrixNV) {
                return wrong("in shaders, memory semantics must be an OpConstant");
            }
            if !ops::is_constant(m.op(id)) {
                return wrong("memory semantics must be a constant");
            }
        }
        return Ok(());
    };
    let has = |mask: u32| value & mask != 0;
    if orders(value) > 1 {
        return wrong(
            "memory semantics must not have more than one of Acquire, Release, AcquireRelease and SequentiallyConsistent",
        );
    }
    if m.scope.memory_model == Some(MemoryModel::Vulkan) && has(M::SequentiallyConsistent) {
        return wrong("SequentiallyConsistent is not allowed with the Vulkan memory model");
    }
    let of_vulkan = M::MakeAvailable | M::MakeVisible | M::OutputMemory | M::Volatile;
    if has(of_vulkan) && m.lacks_capability(Capability::VulkanMemoryModel) {
        return wrong(
            "MakeAvailable, MakeVisible, OutputMemory and Volatile require the VulkanMemoryModel capability",
        );
    }
    if has(M::Volatile) && !is_atomic(inst.op()) {
        return wrong("Volatile can be used only with atomic instructions");
    }
    if has(M::UniformMemory) && m.lacks_capability(Capability::Shader) {
        return wrong("UniformMemory requires the Shader capability");
    }
    let storage = M::UniformMemory
        | M::SubgroupMemory
        | M::WorkgroupMemory
        | M::CrossWorkgroupMemory
        | M::AtomicCounterMemory
        | M::ImageMemory
        | M::OutputMemory;
    if has(M::MakeAvailable | M::MakeVisible) && !has(storage) {
        return wrong("MakeAvailable and MakeVisible require a storage class in the memory semantics");
    }
    if has(M::MakeVisible) && !has(M::Acquire | M::AcquireRelease) {
        return wrong("MakeVisible requires Acquire or AcquireRelease");
    }
    if has(M::MakeAvailable) && !has(M::Release | M::AcquireRelease) {
        return wrong("MakeAvailable requires Release or AcquireRelease");
    }
    if m.scope.env.is_vulkan() {
        check_vulkan(m, inst, operand, scope, value)?;
    }
    match inst.op() {
        Op::AtomicFlagClear if has(M::Acquire | M::AcquireRelease) => {
            wrong("the semantics of OpAtomicFlagClear must not be Acquire or AcquireRelease")
        }
        Op::AtomicCompareExchange if operand == 5 && has(M::Release | M::AcquireRelease) => {
            wrong("the Unequal semantics must not be Release or AcquireRelease")
        }
        Op::AtomicLoad if has(M::Release | M::AcquireRelease) => wrong(
            "the semantics of OpAtomicLoad must not be Release or AcquireRelease [VUID-StandaloneSpirv-MemorySemantics-10868]",
        ),
        Op::AtomicStore if has(M::Acquire | M::AcquireRelease) => wrong(
            "the semantics of OpAtomicStore must not be Acquire or AcquireRelease [VUID-StandaloneSpirv-MemorySemantics-10867]",
        ),
        _ => Ok(()),
    }
}

/// The memory order and storage class that Vulkan requires. `value` is the mask.
fn check_vulkan(m: &RuleContext<'_>, inst: Inst<'_>, operand: usize, scope: usize, value: u32) -> Verdict {
    let wrong = |message: &str| fail_at(&MEMORY_SEMANTICS, operand, message);
    let has_order = orders(value) > 0;
    let has_class = value & (M::UniformMemory | M::WorkgroupMemory | M::ImageMemory | M::OutputMemory) != 0;
    if value & M::SequentiallyConsistent != 0 {
        return wrong(
            "in Vulkan, memory semantics must not include SequentiallyConsistent [VUID-StandaloneSpirv-MemorySemantics-10866]",
        );
    }
    if inst.op() == Op::MemoryBarrier && !has_order {
        return wrong(
            "in Vulkan, the semantics of a memory barrier must include a memory order [VUID-StandaloneSpirv-MemorySemantics-10869]",
        );
    }
    if has_order && !has_class {
        return wrong(
            "in Vulkan, memory semantics with a memory order must include a storage class [VUID-StandaloneSpirv-MemorySemantics-10870]",
        );
    }
    if has_class && !has_order {
        return wrong(
            "in Vulkan, memory semantics with a storage class must include a memory order [VUID-StandaloneSpirv-MemorySemantics-10871]",
        );
    }
    if has_order && m.const_int32(inst.operand(scope)).1 == Some(Scope::Invocation) {
        return wrong(
            "in Vulkan, memory semantics must be None with the scope Invocation [VUID-StandaloneSpirv-None-04641]",
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests;
