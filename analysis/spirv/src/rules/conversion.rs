//! Conversions (SPIR-V specification, section 3.52.11).

use wavelens_syntax::spirv::tables::{
    AddressingModel, Capability, CooperativeMatrixUse, Decoration, Extension, Op, StorageClass,
};
use wavelens_syntax::wording;

use super::arithmetics::{OPERAND_TYPE, same_length, same_shape, unfit, unfit_dimension, wrong};
use crate::code::{Id, Inst};
use crate::contents::Content;
use crate::context::RuleContext;
use crate::flat::NONE;
use crate::rules::instruction;
use wavelens_base::Verdict;

pub(super) fn instruction(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    match inst.op() {
        Op::ConvertFToU
        | Op::ConvertFToS
        | Op::ConvertSToF
        | Op::ConvertUToF
        | Op::UConvert
        | Op::SConvert
        | Op::FConvert => {
            numbers(m, inst)?;
        }
        Op::QuantizeToF16 => {
            if !m.is_float_scalar_or_vector(inst.ty()) || m.width(inst.ty()) != 32 {
                return unfit(m, inst, 0, "a 32-bit float scalar or vector as Result Type");
            }
            if m.operand_type(inst, 2) != inst.ty() {
                return unfit(m, inst, 2, &format!("{}, the Result Type", m.type_name(inst.ty())));
            }
        }
        Op::ConvertPtrToU | Op::ConvertUToPtr => pointer_number(m, inst)?,
        Op::SatConvertSToU | Op::SatConvertUToS => {
            if !m.is_int_scalar_or_vector(inst.ty()) {
                return unfit(m, inst, 0, "an integer scalar or vector as Result Type");
            }
            let ty = m.operand_type(inst, 2);
            if !m.is_int_scalar_or_vector(ty) || m.dimension(ty) != m.dimension(inst.ty()) {
                return unfit(
                    m,
                    inst,
                    2,
                    "an integer scalar or vector with as many components as Result Type",
                );
            }
        }
        Op::PtrCastToGeneric | Op::GenericCastToPtr | Op::GenericCastToPtrExplicit => generic(m, inst)?,
        Op::Bitcast => bitcast(m, inst)?,
        Op::ConvertUToAccelerationStructureKHR => {
            if !m.is_acceleration_structure(inst.ty()) {
                return unfit(m, inst, 0, "an acceleration structure as Result Type");
            }
            if !m.is_unsigned_64_bit_handle(m.operand_type(inst, 2)) {
                return unfit(m, inst, 2, "a 64-bit unsigned integer or a vector of two 32-bit ones");
            }
        }
        Op::CooperativeMatrixConvertUseEXT | Op::CooperativeMatrixTransposeNV => {
            let transpose = inst.op() == Op::CooperativeMatrixTransposeNV;
            let ty = m.operand_type(inst, 2);
            if !m.is_coop_matrix(inst.ty()) {
                return unfit(m, inst, 0, "a cooperative matrix as Result Type");
            }
            if !m.is_coop_matrix(ty) {
                return unfit(m, inst, 2, "a cooperative matrix");
            }
            same_shape(m, inst.ty(), ty, true, transpose != is_transposed(m, inst))?;
            let (from, into) = (m.element(ty), m.element(inst.ty()));
            let differ_in_sign = m.is_int(from) && m.is_int(into) && m.width(from) == m.width(into);
            if !transpose && from != into && !differ_in_sign {
                return unfit(m, inst, 2, "components of the same type as in Result Type");
            }
            if transpose && m.coop_matrix_use(inst.ty()) != Some(CooperativeMatrixUse::MatrixBKHR) {
                return unfit(m, inst, 0, "a cooperative matrix with use B as Result Type");
            }
        }
        _ => return Ok(()),
    }
    let numeric = matches!(
        inst.op(),
        Op::ConvertFToU | Op::ConvertFToS | Op::ConvertSToF | Op::ConvertUToF | Op::Bitcast
    );
    if numeric && m.has_capability(Capability::Shader) {
        for operand in [0, 2] {
            let ty = if operand == 0 { inst.ty() } else { m.operand_type(inst, 2) };
            if m.contains_limited_use(ty) {
                let what = format!("the use of {} in {}", m.type_name(ty), inst.op().name());
                if let Some(capability) = m.missing_arithmetic(ty) {
                    return Err(instruction::missing_arithmetic(&OPERAND_TYPE, operand, &what, capability));
                }
                let needed = "a capability for arithmetic on 8- and 16-bit types";
                return wrong(operand, wording::requires(what, needed));
            }
        }
    }
    Ok(())
}

fn numbers(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let (op, result, input) = (inst.op(), inst.ty(), m.operand_type(inst, 2));
    let int = |ty: Id| m.is_int_scalar_or_vector(ty) || m.is_int_coop_matrix(ty) || m.is_int_coop_vector(ty);
    let unsigned = |ty: Id| {
        m.is_unsigned_scalar_or_vector(ty) || m.is_unsigned_coop_matrix(ty) || m.is_unsigned_coop_vector(ty)
    };
    let float =
        |ty: Id| m.is_float_scalar_or_vector(ty) || m.is_float_coop_matrix(ty) || m.is_float_coop_vector(ty);
    let (fits, needed) = match op {
        Op::ConvertFToU | Op::UConvert => {
            (unsigned(result), "an unsigned integer scalar or vector as Result Type")
        }
        Op::ConvertFToS | Op::SConvert => (int(result), "an integer scalar or vector as Result Type"),
        _ => (float(result), "a float scalar or vector as Result Type"),
    };
    if !fits {
        return unfit(m, inst, 0, needed);
    }
    let from_float = matches!(op, Op::ConvertFToU | Op::ConvertFToS | Op::FConvert);
    if input == NONE || !(if from_float { float(input) } else { int(input) }) {
        let needed = if from_float { "a float scalar or vector" } else { "an integer scalar or vector" };
        return unfit(m, inst, 2, needed);
    }
    if m.is_coop_vector(result) || m.is_coop_vector(input) {
        same_length(m, result, input)?;
    } else if m.is_coop_matrix(result) || m.is_coop_matrix(input) {
        same_shape(m, result, input, true, is_transposed(m, inst))?;
    } else if m.dimension(result) != m.dimension(input) {
        return unfit_dimension(m, inst, 2);
    }
    match op {
        Op::UConvert | Op::SConvert if m.width(result) == m.width(input) => {
            unfit(m, inst, 2, &format!("a type whose width differs from that of {}", m.type_name(result)))
        }
        Op::FConvert if m.component(result) == m.component(input) => {
            unfit(m, inst, 2, &format!("another component type than that of {}", m.type_name(result)))
        }
        _ => Ok(()),
    }
}

fn pointer_number(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let (result, input) = (inst.ty(), m.operand_type(inst, 2));
    let to_number = inst.op() == Op::ConvertPtrToU;
    let (pointer, number, pointer_at, number_at) =
        if to_number { (input, result, 2, 0) } else { (result, input, 0, 2) };
    // Vectors of pointers are not looked into.
    if m.has_capability(Capability::MaskedGatherScatterINTEL) && m.is_vector(number) {
        return Ok(());
    }
    if to_number && !m.is_unsigned(number) || !m.is_int(number) {
        return unfit(m, inst, number_at, "an unsigned integer");
    }
    let Some((class, _)) = m.pointer(pointer) else { return unfit(m, inst, pointer_at, "a pointer") };
    match m.scope.addressing_model {
        Some(AddressingModel::Logical) => {
            unfit(m, inst, pointer_at, "a pointer in a physical addressing model")
        }
        Some(AddressingModel::PhysicalStorageBuffer64) => {
            if class != StorageClass::PhysicalStorageBuffer {
                return unfit(m, inst, pointer_at, "a pointer to PhysicalStorageBuffer");
            }
            if m.scope.env.is_vulkan() && m.width(number) != 64 {
                return unfit(
                    m,
                    inst,
                    number_at,
                    "a 64-bit integer in Vulkan [VUID-StandaloneSpirv-PhysicalStorageBuffer64-04710]",
                );
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Whether a conversion of a cooperative matrix also transposes it.
fn is_transposed(m: &RuleContext<'_>, inst: Inst<'_>) -> bool {
    m.has_decoration(inst.id(), Decoration::CooperativeMatrixTransposeEXT)
}

fn generic(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let Some((to, to_pointee)) = m.pointer(inst.ty()) else {
        return unfit(m, inst, 0, "a pointer as Result Type");
    };
    let Some((from, from_pointee)) = m.pointer(m.operand_type(inst, 2)) else {
        return unfit(m, inst, 2, "a pointer");
    };
    let is_specific = |class: u32| {
        matches!(
            class,
            StorageClass::Workgroup
                | StorageClass::CrossWorkgroup
                | StorageClass::Function
                | StorageClass::CodeSectionINTEL
        )
    };
    let up = inst.op() == Op::PtrCastToGeneric;
    let (generic, specific) = if up { (to, from) } else { (from, to) };
    if inst.op() == Op::GenericCastToPtrExplicit && to != inst.operand(3) {
        return unfit(m, inst, 0, "a pointer to the given storage class as Result Type");
    }
    if generic != StorageClass::Generic {
        return unfit(m, inst, if up { 0 } else { 2 }, "a pointer to Generic");
    }
    if !is_specific(specific) {
        return unfit(
            m,
            inst,
            if up { 2 } else { 0 },
            "a pointer to Workgroup, CrossWorkgroup, Function or CodeSectionINTEL",
        );
    }
    if to_pointee != from_pointee {
        return unfit(m, inst, 2, "a pointer to the type that Result Type points to");
    }
    Ok(())
}

fn bitcast(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let (result, input) = (inst.ty(), m.operand_type(inst, 2));
    let castable = |ty: Id| {
        m.is_pointer(ty)
            || m.is_coop_matrix(ty)
            || m.is_coop_vector(ty)
            || m.is_int_scalar_or_vector(ty)
            || m.is_float_scalar_or_vector(ty)
    };
    if !castable(result) {
        return unfit(m, inst, 0, "a pointer, a number or a vector of numbers as Result Type");
    }
    if !castable(input) {
        return unfit(m, inst, 2, "a pointer, a number or a vector of numbers");
    }
    if m.is_coop_vector(result) != m.is_coop_vector(input)
        || m.is_coop_matrix(result) != m.is_coop_matrix(input)
    {
        return unfit(m, inst, 2, "a cooperative type if and only if Result Type is one");
    }
    if m.is_coop_vector(result) {
        same_length(m, result, input)?;
    }
    if m.is_coop_matrix(result) {
        same_shape(m, result, input, false, false)?;
    }
    let vectors = m.scope.version >= 0x10500 || m.has_extension(Extension::SPV_KHR_physical_storage_buffer);
    let number = |ty: Id| m.is_int(ty) || vectors && m.is_int_vector(ty) && m.contains(ty, Content::Int32);
    let (to_pointer, from_pointer) = (m.is_pointer(result), m.is_pointer(input));
    if to_pointer && !from_pointer && !number(input) {
        return unfit(m, inst, 2, "a pointer or integer, because Result Type is a pointer");
    }
    if from_pointer && !to_pointer && !number(result) {
        return unfit(m, inst, 0, "a pointer or integer as Result Type, because the operand is a pointer");
    }
    if !to_pointer && !from_pointer {
        let bits = |ty: Id| u64::from(m.width(ty)) * u64::from(m.dimension(ty));
        // Types without bits are errors themselves.
        if bits(result) != bits(input) && bits(result) != 0 {
            let size = format!("a type of {} bits, the size of Result Type", bits(result));
            return unfit(m, inst, 2, &size);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
