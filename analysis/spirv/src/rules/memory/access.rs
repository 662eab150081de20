//! OpLoad, OpStore, OpCopyMemory and their memory operands.

use crate::type_names::storage_class_name;
use wavelens_syntax::spirv::tables::{
    AddressingModel, Capability, Decoration, ExecutionModel, MemoryAccess, Op, StorageClass,
};
use wavelens_syntax::wording;

use super::{MEMORY_ACCESS, wrong};
use crate::code::{Id, Inst};
use crate::contents::Content;
use crate::context::RuleContext;
use crate::flat::NONE;
use crate::ops;
use crate::rules::execution_limitations::entry_points;
use crate::rules::scopes;
use wavelens_base::{Verdict, fail};

fn access_words(mask: u32) -> usize {
    let bits = [MemoryAccess::Aligned, MemoryAccess::MakePointerAvailable, MemoryAccess::MakePointerVisible];
    1 + bits.iter().filter(|b| mask & **b != 0).count()
}

/// Storage classes of the pointers that an instruction goes through: target, and source of a copy.
fn storage_classes(m: &RuleContext<'_>, inst: Inst<'_>) -> (Option<u32>, Option<u32>) {
    let class = |operand: usize| m.pointer(m.operand_type(inst, operand)).map(|(class, _)| class);
    match inst.op() {
        Op::CopyMemory | Op::CopyMemorySized => (class(0), class(1)),
        _ if inst.ty() != NONE => (class(2), None),
        _ => (class(0), None),
    }
}

/// The memory operands from operand `index` on.
pub(super) fn memory_operands(m: &RuleContext<'_>, inst: Inst<'_>, index: usize) -> Verdict {
    let (target, source) = storage_classes(m, inst);
    let physical = target == Some(StorageClass::PhysicalStorageBuffer)
        || source == Some(StorageClass::PhysicalStorageBuffer);
    let Some(mask) = inst.opt_operand(index) else {
        if physical {
            return fail(
                &MEMORY_ACCESS,
                "missing memory operand Aligned for an access to PhysicalStorageBuffer [VUID-StandaloneSpirv-PhysicalStorageBuffer64-04708]",
            );
        }
        return Ok(());
    };
    let has = |bit: u32| mask & bit != 0;
    let scope_at = |bit: u32| index - 1 + access_words(mask & (bit | (bit - 1)));
    let loads = inst.ty() != NONE;
    let copies = source.is_some() || matches!(inst.op(), Op::CopyMemory | Op::CopyMemorySized);
    if has(MemoryAccess::MakePointerAvailable) {
        if loads {
            return wrong(index, "MakePointerAvailable can be used only for stores");
        }
        if !has(MemoryAccess::NonPrivatePointer) {
            return wrong(index, "MakePointerAvailable requires NonPrivatePointer");
        }
        scopes::memory(m, inst, scope_at(MemoryAccess::MakePointerAvailable))?;
    }
    if has(MemoryAccess::MakePointerVisible) {
        if !loads && !copies {
            return wrong(index, "MakePointerVisible can be used only for loads");
        }
        if !has(MemoryAccess::NonPrivatePointer) {
            return wrong(index, "MakePointerVisible requires NonPrivatePointer");
        }
        scopes::memory(m, inst, scope_at(MemoryAccess::MakePointerVisible))?;
    }
    if has(MemoryAccess::NonPrivatePointer) {
        let shared = |class: u32| {
            matches!(
                class,
                StorageClass::Uniform
                    | StorageClass::Workgroup
                    | StorageClass::CrossWorkgroup
                    | StorageClass::Generic
                    | StorageClass::Image
                    | StorageClass::StorageBuffer
                    | StorageClass::PhysicalStorageBuffer
            )
        };
        if let Some(class) = [target, source].into_iter().flatten().find(|class| !shared(*class)) {
            let class = storage_class_name(class);
            return wrong(
                index,
                format!(
                    "NonPrivatePointer requires a pointer to memory that invocations share, not to {class}"
                ),
            );
        }
    }
    if !has(MemoryAccess::Aligned) {
        if physical {
            return wrong(
                index,
                "these memory operands must include Aligned, because the access is to PhysicalStorageBuffer [VUID-StandaloneSpirv-PhysicalStorageBuffer64-04708]",
            );
        }
        return Ok(());
    }
    let alignment = inst.operand(index + 1);
    if !alignment.is_power_of_two() {
        return wrong(index + 1, format!("the alignment {alignment} is not a power of two"));
    }
    Ok(())
}

/// A pointer that the addressing model lets an access go through.
fn accessible(m: &RuleContext<'_>, inst: Inst<'_>, operand: usize) -> Verdict {
    let id = inst.operand(operand);
    let op = m.op(id);
    if m.scope.addressing_model == Some(AddressingModel::Logical) {
        let logical = match m.scope.features.variable_pointers {
            true => ops::returns_logical_variable_pointer(op),
            false => ops::returns_logical_pointer(op),
        };
        if !logical {
            return wrong(
                operand,
                format!("`{}` is the result of {}, which is not a logical pointer", m.name(id), op.name()),
            );
        }
    }
    // Of a variable that is reported where it is.
    if !m.is_pointer(m.type_of(id)) && m.op(id) != Op::Variable {
        return wrong(operand, format!("`{}` is {}, not a pointer", m.name(id), m.describe(id)));
    }
    Ok(())
}

fn is_small(m: &RuleContext<'_>, ty: Id) -> bool {
    m.has_capability(Capability::Shader)
        && m.contains_limited_use(ty)
        && m.op(ty) != Op::TypePointer
        && !matches!(m.op(ty), Op::TypeInt | Op::TypeFloat | Op::TypeVector | Op::TypeMatrix)
}

pub(super) fn load(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    accessible(m, inst, 2)?;
    if let Some((_, pointee)) = m.pointer(m.operand_type(inst, 2))
        && pointee != NONE
        && pointee != inst.ty()
    {
        let (pointee, result) = m.type_names(pointee, inst.ty());
        let pointer = m.name(inst.operand(2));
        return wrong(0, format!("`{pointer}` points to type {pointee}, but Result Type is {result}"));
    }
    if m.contains(inst.ty(), Content::RuntimeArray) {
        return wrong(0, "a runtime array must not be loaded");
    }
    memory_operands(m, inst, 3)?;
    if is_small(m, inst.ty()) {
        return wrong(0, "8- and 16-bit types can be loaded only as scalars, vectors or matrices");
    }
    Ok(())
}

pub(super) fn store(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    accessible(m, inst, 0)?;
    let pointer = inst.operand(0);
    let Some((class, pointee)) = m.pointer(m.type_of(pointer)) else { return Ok(()) };
    if m.is_void(pointee) {
        return wrong(0, "the pointer must not point to void");
    }
    match class {
        StorageClass::UniformConstant
        | StorageClass::Input
        | StorageClass::PushConstant
        | StorageClass::ShaderRecordBufferKHR => {
            return wrong(0, format!("`{}` points to read-only storage", m.name(pointer)));
        }
        StorageClass::HitAttributeKHR
            if entry_points(m, inst)
                .any(|e| matches!(e.model, ExecutionModel::AnyHitKHR | ExecutionModel::ClosestHitKHR)) =>
        {
            return wrong(
                0,
                "hit attributes are read-only in any-hit and closest-hit shaders [VUID-StandaloneSpirv-HitAttributeKHR-04703]",
            );
        }
        StorageClass::Uniform if m.scope.env.is_vulkan() => {
            let base = m.trace_pointer(pointer);
            if m.op(base) == Op::Variable
                && let Some((_, mut ty)) = m.pointer(m.type_of(base))
            {
                if matches!(m.op(ty), Op::TypeArray | Op::TypeRuntimeArray) {
                    ty = m.element(ty);
                }
                if m.has_decoration(ty, Decoration::Block) {
                    return wrong(
                        0,
                        "in Vulkan, a uniform block is read-only [VUID-StandaloneSpirv-Uniform-06925]",
                    );
                }
            }
        }
        _ => {}
    }
    let object = m.operand_type(inst, 1);
    if object == NONE || m.is_void(object) {
        return wrong(1, format!("`{}` is not a value that can be stored", m.name(inst.operand(1))));
    }
    if pointee != NONE && object != pointee {
        let (name, pointer) = (m.name(inst.operand(1)), m.name(pointer));
        let (object, pointee) = m.type_names(object, pointee);
        return wrong(1, format!("`{name}` is {object}, but `{pointer}` points to {pointee}"));
    }
    memory_operands(m, inst, 2)?;
    if m.scope.env.is_vulkan() && m.contains(object, Content::Resource) {
        return wrong(
            1,
            "in Vulkan, images, samplers and acceleration structures must not be stored [VUID-StandaloneSpirv-OpTypeImage-06924]",
        );
    }
    Ok(())
}

pub(super) fn copy(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let mut pointees = [NONE; 2];
    for (operand, slot) in pointees.iter_mut().enumerate() {
        let Some((_, pointee)) = m.pointer(m.operand_type(inst, operand)) else {
            return wrong(operand, format!("`{}` is not a pointer", m.name(inst.operand(operand))));
        };
        *slot = pointee;
        if inst.op() == Op::CopyMemory && m.is_void(pointee) {
            return wrong(operand, "the pointer must not point to void");
        }
    }
    let [target, source] = pointees;
    let sized = inst.op() == Op::CopyMemorySized;
    if !sized {
        if target != NONE && source != NONE && target != source {
            return wrong(
                1,
                format!("cannot copy {} to {}: the types differ", m.type_name(source), m.type_name(target)),
            );
        }
        if target == NONE && source == NONE {
            return wrong(0, "at least one of Target and Source must be a typed pointer");
        }
    } else {
        size(m, inst)?;
    }
    let first = if sized { 3 } else { 2 };
    memory_operands(m, inst, first)?;
    if let Some(mask) = inst.opt_operand(first) {
        let second = first + access_words(mask);
        if let Some(other) = inst.opt_operand(second) {
            if m.scope.version < 0x10400 {
                return wrong(second, "two sets of memory operands require SPIR-V 1.4");
            }
            memory_operands(m, inst, second)?;
            if mask & MemoryAccess::MakePointerVisible != 0 {
                return wrong(first, "the memory operands of Target must not include MakePointerVisible");
            }
            if other & MemoryAccess::MakePointerAvailable != 0 {
                return wrong(second, "the memory operands of Source must not include MakePointerAvailable");
            }
        }
    }
    let pointee = m.last_pointee(target);
    if pointee != NONE
        && m.has_capability(Capability::Shader)
        && let Some(capability) = m.missing_arithmetic(pointee)
    {
        let what = format!("copying {}", m.type_name(pointee));
        return wrong(0, wording::requires(what, format_args!("the {capability} capability")));
    }
    Ok(())
}

fn size(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let id = inst.operand(2);
    let ty = m.type_of(id);
    if !m.is_int(ty) {
        return wrong(2, "Size must be an integer scalar");
    }
    match (m.uint(id), m.sint(id)) {
        (Some(0), _) => return wrong(2, "Size must not be 0"),
        (_, Some(n)) if n < 0 && !m.is_unsigned(ty) => return wrong(2, "Size must not be negative"),
        _ => {}
    }
    let Some(value) = m.const_int32(id).1.filter(|_| m.has_capability(Capability::Shader)) else {
        return Ok(());
    };
    let cap = |c: u32| m.has_capability(c);
    let (int8, int16) = (cap(Capability::Int8), cap(Capability::Int16));
    let small = |operand: usize, bits: u32| {
        let Some((class, _)) = m.pointer(m.operand_type(inst, operand)) else { return true };
        let uniform8 = cap(Capability::UniformAndStorageBuffer8BitAccess);
        let uniform16 = cap(Capability::StorageUniform16) || uniform8;
        let storage8 = cap(Capability::StorageBuffer8BitAccess) || uniform8;
        let push8 = cap(Capability::StoragePushConstant8);
        match (class, bits) {
            (StorageClass::StorageBuffer, 8) => storage8,
            (StorageClass::StorageBuffer, _) => {
                cap(Capability::StorageBuffer16BitAccess) || uniform16 || storage8
            }
            (StorageClass::Uniform, 8) => uniform8,
            (StorageClass::Uniform, _) => uniform16,
            (StorageClass::PushConstant, 8) => push8,
            (StorageClass::PushConstant, _) => cap(Capability::StoragePushConstant16) || push8,
            (StorageClass::Input | StorageClass::Output, 16) => cap(Capability::StorageInputOutput16),
            (StorageClass::Workgroup, 8) => cap(Capability::WorkgroupMemoryExplicitLayout8BitAccessKHR),
            (StorageClass::Workgroup, _) => cap(Capability::WorkgroupMemoryExplicitLayout16BitAccessKHR),
            _ => false,
        }
    };
    if !value.is_multiple_of(4) && !int8 && !int16 && !(small(0, 16) && small(1, 16)) {
        return wrong(2, "Size must be a multiple of 4");
    }
    if !value.is_multiple_of(2) && !int8 && !(small(0, 8) && small(1, 8)) {
        return wrong(2, "Size must be a multiple of 2");
    }
    Ok(())
}

#[cfg(test)]
mod tests;
