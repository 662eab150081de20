//! Classes of opcodes (SPIRV-Tools, source/opcode.cpp).

use wavelens_syntax::spirv::tables::Op;

/// Whether it declares a type.
pub fn generates_type(op: Op) -> bool {
    matches!(
        op,
        Op::TypeVoid
            | Op::TypeBool
            | Op::TypeInt
            | Op::TypeFloat
            | Op::TypeVector
            | Op::TypeMatrix
            | Op::TypeImage
            | Op::TypeSampler
            | Op::TypeSampledImage
            | Op::TypeArray
            | Op::TypeRuntimeArray
            | Op::TypeStruct
            | Op::TypeOpaque
            | Op::TypePointer
            | Op::TypeFunction
            | Op::TypeEvent
            | Op::TypeDeviceEvent
            | Op::TypeReserveId
            | Op::TypeQueue
            | Op::TypePipe
            | Op::TypePipeStorage
            | Op::TypeNamedBarrier
            | Op::TypeAccelerationStructureNV
            | Op::TypeCooperativeMatrixNV
            | Op::TypeCooperativeMatrixKHR
            | Op::TypeVectorIdEXT
            | Op::TypeRayQueryKHR
            | Op::TypeHitObjectNV
            | Op::TypeHitObjectEXT
            | Op::TypeUntypedPointerKHR
            | Op::TypeNodePayloadArrayAMDX
            | Op::TypeTensorLayoutNV
            | Op::TypeTensorViewNV
            | Op::TypeTensorARM
            | Op::TypeTaskSequenceALTERA
            | Op::TypeGraphARM
            | Op::TypeBufferEXT
    )
}

/// Whether it declares a constant, specialization constants included.
pub fn is_constant(op: Op) -> bool {
    matches!(
        op,
        Op::ConstantTrue
            | Op::ConstantFalse
            | Op::Constant
            | Op::ConstantComposite
            | Op::ConstantCompositeReplicateEXT
            | Op::ConstantSampler
            | Op::ConstantNull
            | Op::ConstantFunctionPointerINTEL
            | Op::ConstantStringAMDX
            | Op::SpecConstantStringAMDX
            | Op::GraphConstantARM
            | Op::AsmTargetINTEL
            | Op::AsmINTEL
            | Op::ConstantSizeOfEXT
            | Op::ConstantDataKHR
    ) || is_spec_constant(op)
}

/// Whether it declares a specialization constant.
pub fn is_spec_constant(op: Op) -> bool {
    matches!(
        op,
        Op::SpecConstantTrue
            | Op::SpecConstantFalse
            | Op::SpecConstant
            | Op::SpecConstantComposite
            | Op::SpecConstantCompositeReplicateEXT
            | Op::SpecConstantOp
            | Op::SpecConstantDataKHR
            | Op::SpecConstantArchitectureINTEL
            | Op::SpecConstantTargetINTEL
            | Op::SpecConstantCapabilitiesINTEL
    )
}

pub(crate) fn is_scalar_spec_constant(op: Op) -> bool {
    matches!(op, Op::SpecConstantTrue | Op::SpecConstantFalse | Op::SpecConstant)
}

pub(crate) fn is_constant_or_undef(op: Op) -> bool {
    matches!(op, Op::Undef | Op::PoisonKHR) || is_constant(op)
}

pub(crate) fn is_composite(op: Op) -> bool {
    matches!(
        op,
        Op::TypeVector
            | Op::TypeMatrix
            | Op::TypeArray
            | Op::TypeStruct
            | Op::TypeRuntimeArray
            | Op::TypeCooperativeMatrixNV
            | Op::TypeCooperativeMatrixKHR
            | Op::TypeVectorIdEXT
    )
}

/// Whether it decorates.
pub fn is_decoration(op: Op) -> bool {
    matches!(
        op,
        Op::Decorate
            | Op::DecorateId
            | Op::MemberDecorate
            | Op::MemberDecorateIdEXT
            | Op::GroupDecorate
            | Op::GroupMemberDecorate
            | Op::DecorateString
            | Op::MemberDecorateString
    )
}

pub(crate) fn is_debug(op: Op) -> bool {
    matches!(
        op,
        Op::Name
            | Op::MemberName
            | Op::Source
            | Op::SourceContinued
            | Op::SourceExtension
            | Op::String
            | Op::Line
            | Op::NoLine
            | Op::ModuleProcessed
    )
}

pub(crate) fn is_branch(op: Op) -> bool {
    matches!(op, Op::Branch | Op::BranchConditional | Op::Switch)
}

pub(crate) fn is_return(op: Op) -> bool {
    matches!(op, Op::Return | Op::ReturnValue)
}

pub(crate) fn is_return_or_abort(op: Op) -> bool {
    is_return(op)
        || matches!(
            op,
            Op::Kill
                | Op::Unreachable
                | Op::TerminateInvocation
                | Op::TerminateRayKHR
                | Op::IgnoreIntersectionKHR
                | Op::EmitMeshTasksEXT
                | Op::AbortKHR
        )
}

/// Whether it ends a block (SPIR-V section 3.49.17).
pub fn is_terminator(op: Op) -> bool {
    is_branch(op) || is_return_or_abort(op)
}

pub(crate) fn generates_untyped_pointer(op: Op) -> bool {
    matches!(
        op,
        Op::UntypedVariableKHR
            | Op::UntypedAccessChainKHR
            | Op::UntypedInBoundsAccessChainKHR
            | Op::UntypedPtrAccessChainKHR
            | Op::UntypedInBoundsPtrAccessChainKHR
    )
}

pub(crate) fn is_base_opaque_type(op: Op) -> bool {
    matches!(
        op,
        Op::TypeImage
            | Op::TypeSampler
            | Op::TypeSampledImage
            | Op::TypeOpaque
            | Op::TypeEvent
            | Op::TypeDeviceEvent
            | Op::TypeReserveId
            | Op::TypeQueue
            | Op::TypePipe
            | Op::TypeForwardPointer
            | Op::TypePipeStorage
            | Op::TypeNamedBarrier
    )
}

pub(crate) fn returns_logical_variable_pointer(op: Op) -> bool {
    returns_logical_pointer(op)
        || matches!(
            op,
            Op::Select
                | Op::Phi
                | Op::FunctionCall
                | Op::PtrAccessChain
                | Op::UntypedPtrAccessChainKHR
                | Op::Load
                | Op::ConstantNull
        )
}

pub(crate) fn returns_logical_pointer(op: Op) -> bool {
    matches!(
        op,
        Op::Variable
            | Op::UntypedVariableKHR
            | Op::AccessChain
            | Op::InBoundsAccessChain
            | Op::UntypedAccessChainKHR
            | Op::UntypedInBoundsAccessChainKHR
            | Op::BufferPointerEXT
            | Op::FunctionParameter
            | Op::ImageTexelPointer
            | Op::UntypedImageTexelPointerEXT
            | Op::CopyObject
            | Op::RawAccessChainNV
            | Op::AllocateNodePayloadsAMDX
    )
}

pub(crate) fn is_atomic(op: Op) -> bool {
    (Op::AtomicLoad.0..=Op::AtomicXor.0).contains(&op.0)
        || matches!(
            op,
            Op::AtomicFlagTestAndSet
                | Op::AtomicFlagClear
                | Op::AtomicFAddEXT
                | Op::AtomicFMinEXT
                | Op::AtomicFMaxEXT
        )
}
