//! Loads and stores of cooperative matrices and vectors.

use wavelens_syntax::spirv::tables::{CooperativeMatrixLayout, Op, StorageClass};

use super::arithmetics::{unfit, wrong};
use super::memory::memory_operands;
use crate::spirv::code::Inst;
use crate::spirv::flat::NONE;
use crate::spirv::module::{Check, Module};

pub(super) fn check(m: &Module<'_>, inst: Inst<'_>) -> Check {
    match inst.op() {
        Op::CooperativeMatrixLoadNV | Op::CooperativeMatrixStoreNV => matrix(m, inst, true),
        Op::CooperativeMatrixLoadKHR | Op::CooperativeMatrixStoreKHR => matrix(m, inst, false),
        Op::CooperativeMatrixLengthKHR | Op::CooperativeMatrixLengthNV => {
            if !m.is_unsigned(inst.ty()) || m.width(inst.ty()) != 32 {
                return unfit(m, inst, 0, "a 32-bit unsigned integer as result");
            }
            let fits = match inst.op() {
                Op::CooperativeMatrixLengthKHR => m.is_coop_matrix_khr(inst.operand(2)),
                _ => m.is_coop_matrix_nv(inst.operand(2)),
            };
            if !fits {
                return wrong(2, format!("`{}` is no cooperative matrix type", m.name(inst.operand(2))));
            }
            Ok(())
        }
        Op::CooperativeVectorLoadNV | Op::CooperativeVectorStoreNV => {
            let load = inst.op() == Op::CooperativeVectorLoadNV;
            let (object, pointer, access) = if load { (0, 2, 4) } else { (2, 0, 3) };
            let ty = if load { inst.ty() } else { m.operand_type(inst, object) };
            if !m.is_coop_vector(ty) {
                return unfit(m, inst, object, "a cooperative vector");
            }
            pointer_to_numbers(m, inst, pointer)?;
            memory_operands(m, inst, access)
        }
        _ => Ok(()),
    }
}

fn pointer_to_numbers(m: &Module<'_>, inst: Inst<'_>, operand: usize) -> Check {
    let Some((class, pointee)) = m.pointer(m.operand_type(inst, operand)) else {
        return unfit(m, inst, operand, "a pointer");
    };
    if !matches!(
        class,
        StorageClass::Workgroup | StorageClass::StorageBuffer | StorageClass::PhysicalStorageBuffer
    ) {
        return unfit(m, inst, operand, "a pointer to Workgroup, StorageBuffer or PhysicalStorageBuffer");
    }
    if pointee == NONE {
        return Ok(());
    }
    let numbers = |ty| m.is_int_scalar_or_vector(ty) || m.is_float_scalar_or_vector(ty);
    let array = matches!(m.op(pointee), Op::TypeArray | Op::TypeRuntimeArray) && numbers(m.element(pointee));
    if !numbers(pointee) && !array {
        return unfit(m, inst, operand, "a pointer to numbers");
    }
    Ok(())
}

fn matrix(m: &Module<'_>, inst: Inst<'_>, nv: bool) -> Check {
    let load = inst.ty() != NONE;
    let (object, pointer, rest) = if load { (0, 2, 3) } else { (1, 0, 2) };
    let ty = if load { inst.ty() } else { m.operand_type(inst, object) };
    let fits = if nv { m.is_coop_matrix_nv(ty) } else { m.is_coop_matrix_khr(ty) };
    if !fits {
        return unfit(m, inst, object, "a cooperative matrix");
    }
    let Some((class, pointee)) = m.pointer(m.operand_type(inst, pointer)) else {
        return unfit(m, inst, pointer, "a pointer");
    };
    if !matches!(
        class,
        StorageClass::Workgroup | StorageClass::StorageBuffer | StorageClass::PhysicalStorageBuffer
    ) {
        return unfit(m, inst, pointer, "a pointer to Workgroup, StorageBuffer or PhysicalStorageBuffer");
    }
    let number = |ty| m.is_int_scalar_or_vector(ty) || m.is_float_scalar_or_vector(ty);
    if pointee != NONE && !number(pointee) {
        return unfit(m, inst, pointer, "a pointer to a number or vector of numbers");
    }
    let int = |operand: usize| match m.is_int(m.operand_type(inst, operand)) {
        true => Ok(()),
        false => unfit(m, inst, operand, "an integer"),
    };
    if nv {
        int(rest)?;
        let column_major = inst.operand(rest + 1);
        if !m.is_bool(m.type_of(column_major)) || !crate::spirv::ops::is_constant(m.op(column_major)) {
            return unfit(m, inst, rest + 1, "a constant Boolean");
        }
        return memory_operands(m, inst, rest + 2);
    }
    int(rest)?;
    let layout = m.const_int32(inst.operand(rest)).1;
    let needs_stride = matches!(
        layout,
        Some(CooperativeMatrixLayout::RowMajorKHR | CooperativeMatrixLayout::ColumnMajorKHR)
    );
    if inst.count() > rest + 1 && inst.kind(rest + 1).is_some_and(|k| k.is_id()) {
        int(rest + 1)?;
        return memory_operands(m, inst, rest + 2);
    }
    if needs_stride {
        return wrong(rest, "this memory layout needs a stride");
    }
    Ok(())
}
