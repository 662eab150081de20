//! Access chains, array lengths and pointer comparison.

use crate::type_names::storage_class_name;
use wavelens_syntax::spirv::tables::{
    AddressingModel, Capability, Decoration, Op, RawAccessChainOperands, StorageClass,
};
use wavelens_syntax::wording;

use super::{ACCESS_CHAIN, MEMORY_ACCESS, wrong};
use crate::code::Inst;
use crate::context::RuleContext;
use crate::flat::NONE;
use crate::ops;
use wavelens_base::{Verdict, fail, fail_at};

fn chain_wrong(operand: usize, message: impl Into<String>) -> Verdict {
    fail_at(&ACCESS_CHAIN, operand, message)
}

pub(super) fn access_chain(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let untyped = ops::generates_untyped_pointer(inst.op());
    let (op, expected) = super::pointer_type(untyped);
    if m.op(inst.ty()) != op {
        return chain_wrong(
            0,
            format!("expected {expected} as Result Type, found {}", m.type_name(inst.ty())),
        );
    }
    let base_at = if untyped { 3 } else { 2 };
    if untyped && (!ops::generates_type(m.op(inst.operand(2))) || m.is_pointer(inst.operand(2))) {
        return chain_wrong(2, "Base Type must be a type other than a pointer");
    }
    let base = inst.operand(base_at);
    let Some((class, pointee)) =
        m.pointer(m.type_of(base)).filter(|_| untyped || m.op(m.type_of(base)) == Op::TypePointer)
    else {
        // Of a variable that is reported where it is.
        if m.op(base) == Op::Variable && !m.is_pointer(m.type_of(base)) {
            return Ok(());
        }
        return chain_wrong(base_at, format!("`{}` is {}, not a pointer", m.name(base), m.describe(base)));
    };
    let Some((result_class, result_pointee)) = m.pointer(inst.ty()) else { return Ok(()) };
    if class != result_class {
        return chain_wrong(
            0,
            format!(
                "Result Type points to {}, but `{}` points to {}",
                storage_class_name(result_class),
                m.name(base),
                storage_class_name(class)
            ),
        );
    }
    let element = matches!(
        inst.op(),
        Op::PtrAccessChain
            | Op::InBoundsPtrAccessChain
            | Op::UntypedPtrAccessChainKHR
            | Op::UntypedInBoundsPtrAccessChainKHR
    );
    let first = base_at + 1 + usize::from(element);
    let mut ty = if untyped { inst.operand(2) } else { pointee };
    if element {
        let value = inst.operand(base_at + 1);
        if !m.is_int(m.type_of(value)) {
            let found = m.describe_operand(inst, base_at + 1);
            return chain_wrong(base_at + 1, wording::expected("an integer as Element", found));
        }
        if m.op(ty) == Op::TypeStruct && m.is_block(ty) && m.uint(value).is_some_and(|element| element != 0) {
            let message = format!("Element must be 0, because {} is a block", m.type_name(ty));
            return chain_wrong(base_at + 1, message);
        }
    }
    if inst.count().saturating_sub(first) > 255 {
        return chain_wrong(first, "more than 255 indexes exceed the limit");
    }
    for operand in first..inst.count() {
        let index = inst.operand(operand);
        if !m.is_int(m.type_of(index)) {
            let index = format!("an integer as index `{}`", m.name(index));
            return chain_wrong(operand, wording::expected(&index, m.describe_operand(inst, operand)));
        }
        let Some(def) = m.def(ty) else { return Ok(()) };
        ty = match def.op() {
            Op::TypeMatrix
            | Op::TypeVector
            | Op::TypeVectorIdEXT
            | Op::TypeCooperativeMatrixNV
            | Op::TypeCooperativeMatrixKHR
            | Op::TypeArray
            | Op::TypeRuntimeArray
            | Op::TypeNodePayloadArrayAMDX => def.word(2),
            Op::TypeStruct => {
                let Some(value) = m.sint(index) else {
                    return chain_wrong(
                        operand,
                        format!("index `{}` into a structure must be an OpConstant", m.name(index)),
                    );
                };
                let members = m.members(ty);
                match usize::try_from(value).ok().and_then(|v| members.get(v)) {
                    Some(member) => *member,
                    None => {
                        return chain_wrong(
                            operand,
                            format!(
                                "index {value} (`{}`) is out of range: {} has {}",
                                m.name(index),
                                m.type_name(ty),
                                wording::number(members.len(), "members")
                            ),
                        );
                    }
                }
            }
            // An operand that is not a type is reported where the type is declared.
            op if !ops::generates_type(op) => return Ok(()),
            _ => {
                return chain_wrong(
                    operand,
                    format!(
                        "index `{}` has nothing to select: {} is not a composite",
                        m.name(index),
                        m.type_name(ty)
                    ),
                );
            }
        };
    }
    if !untyped && ty != result_pointee {
        let (selected, expected) = m.type_names(ty, result_pointee);
        return chain_wrong(
            0,
            format!("the indexes select {selected}, but Result Type points to {expected}"),
        );
    }
    Ok(())
}

pub(super) fn pointer_access_chain(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    if m.scope.addressing_model == Some(AddressingModel::Logical)
        && inst.op() == Op::PtrAccessChain
        && !m.scope.features.variable_pointers
    {
        return fail(
            &ACCESS_CHAIN,
            "OpPtrAccessChain requires the VariablePointers or VariablePointersStorageBuffer capability",
        );
    }
    access_chain(m, inst)?;
    let untyped = ops::generates_untyped_pointer(inst.op());
    let base_type = if untyped { inst.operand(2) } else { m.operand_type(inst, 2) };
    let class = m.def(base_type).map_or(NONE, |d| d.operand(1));
    let laid_out = matches!(
        class,
        StorageClass::Uniform
            | StorageClass::StorageBuffer
            | StorageClass::PhysicalStorageBuffer
            | StorageClass::PushConstant
    ) || class == StorageClass::Workgroup
        && m.has_capability(Capability::WorkgroupMemoryExplicitLayoutKHR);
    if m.has_capability(Capability::Shader)
        && laid_out
        && !m.has_decoration(base_type, Decoration::ArrayStride)
        && !m.may_be_decorated(base_type)
    {
        return chain_wrong(
            2,
            format!("missing ArrayStride decoration on the pointer type `{}`", m.name(base_type)),
        );
    }
    if !m.scope.env.is_vulkan() {
        return Ok(());
    }
    let untyped = untyped && m.has_capability(Capability::UntypedPointersKHR);
    match class {
        StorageClass::Workgroup if m.lacks_capability(Capability::VariablePointers) && !untyped => {
            chain_wrong(
                2,
                "in Vulkan, OpPtrAccessChain on Workgroup requires the VariablePointers capability [VUID-StandaloneSpirv-Base-07651]",
            )
        }
        StorageClass::StorageBuffer if !m.scope.features.variable_pointers && !untyped => chain_wrong(
            2,
            "in Vulkan, OpPtrAccessChain on StorageBuffer requires the VariablePointers or VariablePointersStorageBuffer capability [VUID-StandaloneSpirv-Base-07652]",
        ),
        StorageClass::Workgroup | StorageClass::StorageBuffer | StorageClass::PhysicalStorageBuffer => Ok(()),
        _ if untyped => Ok(()),
        _ => chain_wrong(
            2,
            "in Vulkan, Base of OpPtrAccessChain must point to Workgroup, StorageBuffer or PhysicalStorageBuffer [VUID-StandaloneSpirv-Base-07650]",
        ),
    }
}

pub(super) fn raw_access_chain(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let Some((class, pointee)) = m.pointer(inst.ty()).filter(|_| m.op(inst.ty()) == Op::TypePointer) else {
        return chain_wrong(0, "Result Type must be a pointer");
    };
    if !matches!(
        class,
        StorageClass::StorageBuffer | StorageClass::PhysicalStorageBuffer | StorageClass::Uniform
    ) {
        return chain_wrong(
            0,
            "the storage class of Result Type must be StorageBuffer, PhysicalStorageBuffer or Uniform",
        );
    }
    if matches!(m.op(pointee), Op::TypeArray | Op::TypeMatrix | Op::TypeStruct) {
        return chain_wrong(0, "Result Type must point to a scalar or vector");
    }
    let stride = inst.operand(3);
    if m.op(stride) != Op::Constant || !m.is_int(m.type_of(stride)) {
        return chain_wrong(
            3,
            format!("Byte Stride must be an integer OpConstant, `{}` is not", m.name(stride)),
        );
    }
    for operand in 4..6 {
        if !m.is_int(m.operand_type(inst, operand)) || m.width(m.operand_type(inst, operand)) != 32 {
            return chain_wrong(operand, "Element Index and Byte Offset must be 32-bit integers");
        }
    }
    type R = RawAccessChainOperands;
    let robust = inst.operand(6) & (R::RobustnessPerComponentNV | R::RobustnessPerElementNV);
    if robust & R::RobustnessPerElementNV != 0 && m.uint(stride) == Some(0) {
        return chain_wrong(3, "Byte Stride must not be 0 with RobustnessPerElementNV");
    }
    if robust != 0 && class == StorageClass::PhysicalStorageBuffer {
        return chain_wrong(6, "robustness operands must not be used with PhysicalStorageBuffer");
    }
    if robust.count_ones() == 2 {
        return chain_wrong(
            6,
            "RobustnessPerComponentNV and RobustnessPerElementNV must not be used together",
        );
    }
    Ok(())
}

pub(super) fn array_length(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    if !m.is_unsigned(inst.ty()) || !matches!(m.width(inst.ty()), 32 | 64) {
        return wrong(
            0,
            wording::expected("an unsigned integer of 32 or 64 bits as Result Type", m.type_name(inst.ty())),
        );
    }
    let untyped = inst.op() == Op::UntypedArrayLengthKHR;
    let pointer_at = if untyped { 3 } else { 2 };
    let pointer = m.operand_type(inst, pointer_at);
    if m.op(pointer) != if untyped { Op::TypeUntypedPointerKHR } else { Op::TypePointer } {
        return wrong(pointer_at, "Structure must be a pointer");
    }
    let structure = if untyped { inst.operand(2) } else { m.pointer(pointer).map_or(NONE, |p| p.1) };
    let members = m.members(structure);
    if m.op(structure) != Op::TypeStruct || members.last().is_none_or(|t| m.op(*t) != Op::TypeRuntimeArray) {
        return wrong(pointer_at, "Structure must point to a structure that ends in a runtime array");
    }
    if inst.operand(pointer_at + 1) as usize != members.len() - 1 {
        return wrong(
            pointer_at + 1,
            format!("the array member must be the last member, {}", members.len() - 1),
        );
    }
    Ok(())
}

pub(super) fn comparison(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let logical = m.scope.addressing_model == Some(AddressingModel::Logical);
    if logical && !m.scope.features.variable_pointers {
        return fail(
            &MEMORY_ACCESS,
            format!(
                "{} requires the VariablePointers or VariablePointersStorageBuffer capability",
                inst.op().name()
            ),
        );
    }
    let difference = inst.op() == Op::PtrDiff;
    if difference && !m.is_int(inst.ty()) || !difference && !m.is_bool(inst.ty()) {
        return wrong(
            0,
            if difference {
                "Result Type must be an integer scalar"
            } else {
                "Result Type must be a Boolean"
            },
        );
    }
    let (left, right) = (m.operand_type(inst, 2), m.operand_type(inst, 3));
    let (Some((class, _)), Some((other, _))) = (m.pointer(left), m.pointer(right)) else {
        return wrong(2, format!("expected a pointer, found {}", m.describe_operand(inst, 2)));
    };
    let untyped = [left, right].iter().any(|t| m.op(*t) == Op::TypeUntypedPointerKHR);
    let same = if untyped && !difference { class == other } else { left == right };
    if !same {
        return wrong(3, "both pointers must have the same type");
    }
    if logical {
        if !matches!(class, StorageClass::Workgroup | StorageClass::StorageBuffer) {
            return wrong(2, "the pointers must point to Workgroup or StorageBuffer");
        }
        if class == StorageClass::Workgroup && m.lacks_capability(Capability::VariablePointers) {
            return wrong(2, "comparing pointers to Workgroup requires the VariablePointers capability");
        }
    } else if class == StorageClass::PhysicalStorageBuffer {
        return wrong(2, "pointers to PhysicalStorageBuffer must not be compared");
    }
    Ok(())
}

#[cfg(test)]
mod pointer_tests;
#[cfg(test)]
mod tests;
