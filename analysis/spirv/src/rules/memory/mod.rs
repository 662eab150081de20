//! Variables, loads, stores, copies and access chains (SPIR-V specification, section 3.52.8).

mod access;
mod chain;
mod cooperative;
mod variable;

use access::{copy, load, store};
use chain::{access_chain, array_length, comparison, pointer_access_chain, raw_access_chain};
use variable::variable;
use wavelens_syntax::spirv::tables::Op;

use crate::code::Inst;
use crate::context::RuleContext;
use wavelens_base::Severity;
use wavelens_base::{Verdict, fail_at};

/// The type of pointer that an instruction makes, and its name in messages.
fn pointer_type(untyped: bool) -> (Op, &'static str) {
    match untyped {
        true => (Op::TypeUntypedPointerKHR, "an untyped pointer"),
        false => (Op::TypePointer, "a typed pointer"),
    }
}

wavelens_syntax::rules! {
    MEMORY_ACCESS {
        code: "memory-access",
        severity: Severity::Error,
        title: "a load, store or copy has a pointer to the accessed type and valid memory operands",
        explain: "SPIR-V does not convert on access: the pointee and the value must be the same type. Memory operands such as Aligned and MakePointerVisible depend on the storage class and the memory model.",
        example: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%void = OpTypeVoid
%float = OpTypeFloat 32
%one = OpConstant %float 1
%uint = OpTypeInt 32 0
%two = OpConstant %uint 2
%ptr = OpTypePointer Private %uint
%p = OpVariable %ptr Private
%fn = OpTypeFunction %void
%f = OpFunction %void None %fn
%entry = OpLabel
OpStore %p %one
OpReturn
OpFunctionEnd
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%void = OpTypeVoid
%float = OpTypeFloat 32
%one = OpConstant %float 1
%uint = OpTypeInt 32 0
%two = OpConstant %uint 2
%ptr = OpTypePointer Private %uint
%p = OpVariable %ptr Private
%fn = OpTypeFunction %void
%f = OpFunction %void None %fn
%entry = OpLabel
OpStore %p %two
OpReturn
OpFunctionEnd
"#,
        source: "SPIR-V specification, Memory Instructions and section 3.26 (Memory Operands); SPIRV-Tools validate_memory.cpp: \"does not match Pointer\"; VUID-StandaloneSpirv-HitAttributeKHR-04703, VUID-StandaloneSpirv-OpTypeImage-06924, VUID-StandaloneSpirv-PhysicalStorageBuffer64-04708, VUID-StandaloneSpirv-Uniform-06925",
    }

    VARIABLE {
        code: "variable",
        severity: Severity::Error,
        title: "a variable has the storage class of its pointer type, an allowed type and a constant initializer",
        explain: "The storage class decides where the variable can be declared, which types it can hold and whether it can be initialized.",
        example: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%float = OpTypeFloat 32
%ptr = OpTypePointer Private %float
%v = OpVariable %ptr Workgroup
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%float = OpTypeFloat 32
%ptr = OpTypePointer Private %float
%v = OpVariable %ptr Private
"#,
        source: "SPIR-V specification, OpVariable and section 3.7 (Storage Class); Vulkan specification, Standalone SPIR-V Validation; SPIRV-Tools validate_memory.cpp: \"Storage class must match result type storage class\"; VUID-StandaloneSpirv-Input-07290, VUID-StandaloneSpirv-Invariant-04677, VUID-StandaloneSpirv-OpTypeRuntimeArray-04680, VUID-StandaloneSpirv-OpUntypedVariableKHR-11167, VUID-StandaloneSpirv-OpVariable-04651, VUID-StandaloneSpirv-OpVariable-04734, VUID-StandaloneSpirv-PushConstant-06808, VUID-StandaloneSpirv-Uniform-06807, VUID-StandaloneSpirv-UniformConstant-04655",
    }

    ACCESS_CHAIN {
        code: "access-chain",
        severity: Severity::Error,
        title: "an access chain has integer indexes within its base, and a Result Type that points to the selected part",
        explain: "Indexes into structures must be constants, because the type of the result depends on them.",
        example: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%zero = OpConstant %uint 0
%one = OpConstant %uint 1
%S = OpTypeStruct %float
%ptr = OpTypePointer Private %S
%to_float = OpTypePointer Private %float
%p = OpVariable %ptr Private
%fn = OpTypeFunction %void
%f = OpFunction %void None %fn
%entry = OpLabel
%x = OpAccessChain %to_float %p %one
OpReturn
OpFunctionEnd
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%zero = OpConstant %uint 0
%one = OpConstant %uint 1
%S = OpTypeStruct %float
%ptr = OpTypePointer Private %S
%to_float = OpTypePointer Private %float
%p = OpVariable %ptr Private
%fn = OpTypeFunction %void
%f = OpFunction %void None %fn
%entry = OpLabel
%x = OpAccessChain %to_float %p %zero
OpReturn
OpFunctionEnd
"#,
        source: "SPIR-V specification, OpAccessChain; SPIRV-Tools validate_memory.cpp: \"reached non-composite type while indexes\"; VUID-StandaloneSpirv-Base-07650, VUID-StandaloneSpirv-Base-07651, VUID-StandaloneSpirv-Base-07652",
    }
}

fn wrong(operand: usize, message: impl Into<String>) -> Verdict {
    fail_at(&MEMORY_ACCESS, operand, message)
}

pub(super) fn instruction(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    match inst.op() {
        Op::Variable | Op::UntypedVariableKHR => variable(m, inst),
        Op::Load => load(m, inst),
        Op::Store => store(m, inst),
        Op::CopyMemory | Op::CopyMemorySized => copy(m, inst),
        Op::PtrAccessChain | Op::UntypedPtrAccessChainKHR | Op::UntypedInBoundsPtrAccessChainKHR => {
            pointer_access_chain(m, inst)
        }
        Op::AccessChain
        | Op::InBoundsAccessChain
        | Op::InBoundsPtrAccessChain
        | Op::UntypedAccessChainKHR
        | Op::UntypedInBoundsAccessChainKHR => access_chain(m, inst),
        Op::RawAccessChainNV => raw_access_chain(m, inst),
        Op::ArrayLength | Op::UntypedArrayLengthKHR => array_length(m, inst),
        Op::PtrEqual | Op::PtrNotEqual | Op::PtrDiff => comparison(m, inst),
        _ => cooperative::check(m, inst),
    }
}
