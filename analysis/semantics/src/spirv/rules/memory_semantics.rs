//! Memory semantics (SPIR-V specification, section 3.25).

use wavelens_syntax::spirv::tables::{Capability, MemoryModel, MemorySemantics, Op, Scope};

use super::atomics::is_atomic;
use crate::spirv::code::Inst;
use crate::spirv::context::{Check, Module, fail_at};
use crate::spirv::ops;
use crate::{Rule, Severity};

pub static MEMORY_SEMANTICS: Rule = Rule {
    code: "memory-semantics",
    severity: Severity::Error,
    explain: "Memory semantics are a 32-bit mask, constant in shaders, with at most one memory order, and with what the memory model and \
        the environment ask for.\n\nSource: SPIR-V specification, section 3.25 (Memory Semantics); Vulkan specification, Standalone SPIR-V Validation.",
    ..Rule::UNDOCUMENTED
};

/// `scope` is the operand with the memory scope.
pub(super) fn check(m: &Module<'_>, inst: Inst<'_>, operand: usize, scope: usize) -> Check {
    let wrong = |message: &str| fail_at(&MEMORY_SEMANTICS, operand, message);
    let id = inst.operand(operand);
    let (is_int, value) = m.const_int32(id);
    if !is_int {
        return wrong("memory semantics are a 32-bit integer");
    }
    let Some(value) = value else {
        if m.has_capability(Capability::Shader) {
            if !m.has_capability(Capability::CooperativeMatrixNV) {
                return wrong("in shaders, memory semantics are an OpConstant");
            }
            if !ops::is_constant(m.op(id)) {
                return wrong("memory semantics are a constant");
            }
        }
        return Ok(());
    };
    type M = MemorySemantics;
    let has = |mask: u32| value & mask != 0;
    let orders =
        (value & (M::Acquire | M::Release | M::AcquireRelease | M::SequentiallyConsistent)).count_ones();
    if orders > 1 {
        return wrong("memory semantics have one memory order at most");
    }
    if m.scope.memory_model == Some(MemoryModel::Vulkan) && has(M::SequentiallyConsistent) {
        return wrong("the Vulkan memory model has no SequentiallyConsistent");
    }
    let vulkan_model = m.has_capability(Capability::VulkanMemoryModel);
    if has(M::MakeAvailable | M::MakeVisible | M::OutputMemory | M::Volatile) && !vulkan_model {
        return wrong(
            "MakeAvailable, MakeVisible, OutputMemory and Volatile need the capability VulkanMemoryModel",
        );
    }
    if has(M::Volatile) && !is_atomic(inst.op()) {
        return wrong("Volatile semantics are for atomic instructions");
    }
    if has(M::UniformMemory) && !m.has_capability(Capability::Shader) {
        return wrong("UniformMemory needs the capability Shader");
    }
    let storage = M::UniformMemory
        | M::SubgroupMemory
        | M::WorkgroupMemory
        | M::CrossWorkgroupMemory
        | M::AtomicCounterMemory
        | M::ImageMemory
        | M::OutputMemory;
    if has(M::MakeAvailable | M::MakeVisible) && !has(storage) {
        return wrong("MakeAvailable and MakeVisible need a storage class");
    }
    if has(M::MakeVisible) && !has(M::Acquire | M::AcquireRelease) {
        return wrong("MakeVisible needs Acquire or AcquireRelease");
    }
    if has(M::MakeAvailable) && !has(M::Release | M::AcquireRelease) {
        return wrong("MakeAvailable needs Release or AcquireRelease");
    }
    if m.scope.env.is_vulkan() {
        let known = has(M::UniformMemory | M::WorkgroupMemory | M::ImageMemory | M::OutputMemory);
        match inst.op() {
            Op::MemoryBarrier => {
                if orders == 0 {
                    return wrong("in Vulkan, a memory barrier has a memory order");
                }
                if !known {
                    return wrong("in Vulkan, a memory barrier names a storage class");
                }
            }
            op => {
                if orders > 0 && m.const_int32(inst.operand(scope)).1 == Some(Scope::Invocation) {
                    return wrong("in Vulkan, semantics are None in the scope Invocation");
                }
                if op == Op::ControlBarrier && value != 0 {
                    if orders == 0 {
                        return wrong("in Vulkan, semantics other than None have a memory order");
                    }
                    if !known {
                        return wrong("in Vulkan, semantics other than None name a storage class");
                    }
                }
            }
        }
    }
    match inst.op() {
        Op::AtomicFlagClear if has(M::Acquire | M::AcquireRelease) => {
            wrong("OpAtomicFlagClear cannot acquire")
        }
        Op::AtomicCompareExchange if operand == 5 && has(M::Release | M::AcquireRelease) => {
            wrong("the semantics for unequal values cannot release")
        }
        Op::AtomicLoad
            if m.scope.env.is_vulkan() && has(M::Release | M::AcquireRelease | M::SequentiallyConsistent) =>
        {
            wrong("in Vulkan, a load cannot release")
        }
        Op::AtomicStore
            if m.scope.env.is_vulkan() && has(M::Acquire | M::AcquireRelease | M::SequentiallyConsistent) =>
        {
            wrong("in Vulkan, a store cannot acquire")
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::spirv::rules::testing::Shader;

    #[test]
    fn one_order_and_classes_that_exist() {
        let shader = Shader {
            head: "; target-env: vulkan1.1",
            types: "%both = OpConstant %uint 6
%none = OpConstant %uint 8",
            body: "OpMemoryBarrier %u1 %both
OpMemoryBarrier %u1 %none
OpMemoryBarrier %u1 %u0",
            ..Shader::NEW
        };
        expect![[r#"
            error[memory-semantics] `%both`: memory semantics have one memory order at most
            error[memory-semantics] `%none`: in Vulkan, a memory barrier names a storage class
            error[memory-semantics] `%u0`: in Vulkan, a memory barrier has a memory order
        "#]]
        .assert_eq(&shader.findings());
    }
}
