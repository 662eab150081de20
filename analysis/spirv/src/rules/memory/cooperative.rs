//! Loads and stores of cooperative matrices and vectors.

use wavelens_syntax::spirv::tables::{
    CooperativeMatrixLayout, Kind, Op, StorageClass, TensorAddressingOperands,
};

use super::access::memory_operands;
use crate::code::{Id, Inst};
use crate::context::RuleContext;
use crate::flat::NONE;
use crate::rules::arithmetics::{unfit, wrong};
use wavelens_base::Verdict;

pub(super) fn check(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    match inst.op() {
        Op::CooperativeMatrixLoadNV | Op::CooperativeMatrixStoreNV => matrix(m, inst, true),
        Op::CooperativeMatrixLoadKHR | Op::CooperativeMatrixStoreKHR => matrix(m, inst, false),
        Op::CooperativeMatrixLengthKHR | Op::CooperativeMatrixLengthNV => {
            if !m.is_unsigned(inst.ty()) || m.width(inst.ty()) != 32 {
                return unfit(m, inst, 0, "a 32-bit unsigned integer as Result Type");
            }
            let fits = match inst.op() {
                Op::CooperativeMatrixLengthKHR => m.is_coop_matrix_khr(inst.operand(2)),
                _ => m.is_coop_matrix_nv(inst.operand(2)),
            };
            if !fits {
                return wrong(2, format!("`{}` is not a cooperative matrix type", m.name(inst.operand(2))));
            }
            Ok(())
        }
        Op::CooperativeMatrixLoadTensorNV | Op::CooperativeMatrixStoreTensorNV => through_tensor(m, inst),
        Op::CooperativeVectorLoadNV | Op::CooperativeVectorStoreNV => {
            let load = inst.op() == Op::CooperativeVectorLoadNV;
            let (object, pointer, access) = if load { (0, 2, 4) } else { (2, 0, 3) };
            let ty = if load { inst.ty() } else { m.operand_type(inst, object) };
            if !m.is_coop_vector(ty) {
                return unfit(m, inst, object, "a cooperative vector");
            }
            pointer_to_array(m, inst, pointer)?;
            written_operands(m, inst, access)
        }
        _ => Ok(()),
    }
}

/// The reference asks nothing of an access without memory operands, not even Aligned for PhysicalStorageBuffer.
fn written_operands(m: &RuleContext<'_>, inst: Inst<'_>, index: usize) -> Verdict {
    if inst.count() > index { memory_operands(m, inst, index) } else { Ok(()) }
}

fn pointer_to_array(m: &RuleContext<'_>, inst: Inst<'_>, operand: usize) -> Verdict {
    let Some((class, pointee)) = m.pointer(m.operand_type(inst, operand)) else {
        return unfit(m, inst, operand, "a pointer");
    };
    if !is_shared(class) {
        return unfit(m, inst, operand, "a pointer to Workgroup, StorageBuffer or PhysicalStorageBuffer");
    }
    if pointee == NONE {
        return Ok(());
    }
    let numbers = |ty| m.is_int_scalar_or_vector(ty) || m.is_float_scalar_or_vector(ty);
    if !matches!(m.op(pointee), Op::TypeArray | Op::TypeRuntimeArray) || !numbers(m.element(pointee)) {
        return unfit(m, inst, operand, "a pointer to an array of numbers");
    }
    Ok(())
}

/// Loads and stores through a tensor layout.
fn through_tensor(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let load = inst.op() == Op::CooperativeMatrixLoadTensorNV;
    let (object, pointer, layout, access) = if load { (3, 2, 4, 5) } else { (1, 0, 2, 3) };
    let ty = if load { inst.ty() } else { m.operand_type(inst, object) };
    if !m.is_coop_matrix_khr(ty) {
        return unfit(m, inst, if load { 0 } else { object }, "a cooperative matrix");
    }
    let pointer_type = m.operand_type(inst, pointer);
    let Some((class, _)) = m.pointer(pointer_type).filter(|_| m.op(pointer_type) == Op::TypePointer) else {
        return unfit(m, inst, pointer, "a pointer");
    };
    if !is_shared(class) {
        return unfit(m, inst, pointer, "a pointer to Workgroup, StorageBuffer or PhysicalStorageBuffer");
    }
    if m.operand_type(inst, object) != ty {
        return unfit(m, inst, object, &format!("{}, the Result Type", m.type_name(ty)));
    }
    let layout_type = m.operand_type(inst, layout);
    if m.op(layout_type) != Op::TypeTensorLayoutNV {
        return unfit(m, inst, layout, "a tensor layout");
    }
    memory_operands(m, inst, access)?;
    let kinds = (access..inst.count()).find(|i| inst.kind(*i) == Some(Kind::TensorAddressingOperands));
    let Some(mask_at) = kinds else { return Ok(()) };
    let mask = inst.operand(mask_at);
    let mut next = mask_at + 1;
    if mask & TensorAddressingOperands::TensorView != 0 {
        if m.op(m.operand_type(inst, next)) != Op::TypeTensorViewNV {
            return unfit(m, inst, next, "a tensor view");
        }
        next += 1;
    }
    if mask & TensorAddressingOperands::DecodeFunc != 0 {
        if !load {
            return wrong(mask_at, "DecodeFunc can be used only for loads");
        }
        return decoder(m, inst, next, m.element(ty), layout_type);
    }
    Ok(())
}

/// A function that makes a component from a pointer, the coordinates of a block, and those in it.
fn decoder(m: &RuleContext<'_>, inst: Inst<'_>, operand: usize, component: Id, layout: Id) -> Verdict {
    let function = inst.operand(operand);
    let ty = m.def(function).filter(|d| d.op() == Op::Function).and_then(|d| m.def(d.operand(3)));
    let Some(ty) = ty else { return wrong(operand, format!("`{}` is not a function", m.name(function))) };
    if ty.operand(1) != component {
        let message = format!("`{}` must return {}", m.name(function), m.type_name(component));
        return wrong(operand, message);
    }
    if m.pointer(ty.operand(2)).is_none_or(|(class, _)| class != StorageClass::PhysicalStorageBuffer) {
        let message = format!(
            "the first parameter of `{}` must be a pointer to PhysicalStorageBuffer",
            m.name(function)
        );
        return wrong(operand, message);
    }
    let dimensions = m.def(layout).and_then(|d| m.uint(d.operand(1)));
    for parameter in 3..5 {
        let array = m.def(ty.operand(parameter)).filter(|d| d.op() == Op::TypeArray);
        let length = array.map(|a| m.uint(a.word(3)));
        let fits = length.is_some_and(|n| n.is_none() || dimensions.is_none() || n == dimensions);
        if !fits {
            let message = format!(
                "the second and third parameters of `{}` must be arrays with an integer for each dimension",
                m.name(function)
            );
            return wrong(operand, message);
        }
    }
    Ok(())
}

/// Whether invocations of a workgroup share what is in a storage class.
fn is_shared(class: u32) -> bool {
    matches!(
        class,
        StorageClass::Workgroup | StorageClass::StorageBuffer | StorageClass::PhysicalStorageBuffer
    )
}

fn matrix(m: &RuleContext<'_>, inst: Inst<'_>, nv: bool) -> Verdict {
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
    if (nv || m.scope.env.is_vulkan()) && !is_shared(class) {
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
        if !m.is_bool(m.type_of(column_major)) || !crate::ops::is_constant(m.op(column_major)) {
            return unfit(m, inst, rest + 1, "a constant Boolean");
        }
        return written_operands(m, inst, rest + 2);
    }
    let layout = inst.operand(rest);
    if !m.is_int(m.type_of(layout)) || !crate::ops::is_constant(m.op(layout)) {
        let name = m.name(layout);
        return wrong(rest, format!("the memory layout must be an integer constant, `{name}` is not"));
    }
    const WITH_STRIDE: [u32; 2] =
        [CooperativeMatrixLayout::RowMajorKHR, CooperativeMatrixLayout::ColumnMajorKHR];
    let needs_stride = m.uint(layout).is_some_and(|layout| WITH_STRIDE.map(u64::from).contains(&layout));
    if inst.count() > rest + 1 && inst.kind(rest + 1).is_some_and(|k| k.is_id()) {
        int(rest + 1)?;
        return written_operands(m, inst, rest + 2);
    }
    if needs_stride {
        return wrong(rest, "this memory layout requires a Stride");
    }
    Ok(())
}

#[cfg(test)]
mod tests;
