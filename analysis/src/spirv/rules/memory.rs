//! Variables, loads, stores, copies and access chains (SPIR-V specification, section 3.52.8).

use wavelens_syntax::spirv::tables::{
    AddressingModel, Capability, Decoration, Dim, ExecutionModel, MemoryAccess, Op, StorageClass,
};

use super::cooperative;
use super::execution_limitations::entry_points;
use super::scopes;
use crate::spirv::code::{Id, Inst};
use crate::spirv::flat::NONE;
use crate::spirv::module::{Check, Module, fail, fail_at};
use crate::spirv::ops;
use crate::{Rule, Severity};

pub static MEMORY_ACCESS: Rule = Rule {
    code: "memory-access",
    severity: Severity::Error,
    explain: "Loads and stores go through a pointer to the type that is moved, with memory operands that fit the storage class.\n\n\
        Source: SPIR-V specification, section 3.52.8 (Memory Instructions) and 3.26 (Memory Operands).",
};

pub static VARIABLE: Rule = Rule {
    code: "variable",
    severity: Severity::Error,
    explain: "A variable's storage class is that of its pointer type, stands where the class allows, holds types that the class allows, \
        and is initialized by a constant of its type.\n\n\
        Source: SPIR-V specification, OpVariable and section 3.7 (Storage Class); Vulkan specification, Standalone SPIR-V Validation.",
};

pub static ACCESS_CHAIN: Rule = Rule {
    code: "access-chain",
    severity: Severity::Error,
    explain: "An access chain starts from a pointer, its indexes are integers (constants into structures), and its result points to what the \
        indexes lead to, in the same storage class.\n\nSource: SPIR-V specification, OpAccessChain.",
};

fn wrong(operand: usize, message: impl Into<String>) -> Check {
    fail_at(&MEMORY_ACCESS, operand, message)
}

pub(super) fn check(m: &Module<'_>, inst: Inst<'_>) -> Check {
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

fn access_words(mask: u32) -> usize {
    let bits = [MemoryAccess::Aligned, MemoryAccess::MakePointerAvailable, MemoryAccess::MakePointerVisible];
    1 + bits.iter().filter(|b| mask & **b != 0).count()
}

/// Storage classes of the pointers that an instruction goes through: target, and source of a copy.
fn storage_classes(m: &Module<'_>, inst: Inst<'_>) -> (Option<u32>, Option<u32>) {
    let class = |operand: usize| m.pointer(m.operand_type(inst, operand)).map(|(class, _)| class);
    match inst.op() {
        Op::CopyMemory | Op::CopyMemorySized => (class(0), class(1)),
        _ if inst.ty() != NONE => (class(2), None),
        _ => (class(0), None),
    }
}

/// The memory operands from operand `index` on.
pub(super) fn memory_operands(m: &Module<'_>, inst: Inst<'_>, index: usize) -> Check {
    let (target, source) = storage_classes(m, inst);
    let physical = target == Some(StorageClass::PhysicalStorageBuffer)
        || source == Some(StorageClass::PhysicalStorageBuffer);
    let Some(mask) = inst.opt_operand(index) else {
        if physical {
            return fail(&MEMORY_ACCESS, "accesses to PhysicalStorageBuffer need Aligned");
        }
        return Ok(());
    };
    let has = |bit: u32| mask & bit != 0;
    let scope_at = |bit: u32| index - 1 + access_words(mask & (bit | (bit - 1)));
    let loads = inst.ty() != NONE;
    let copies = source.is_some() || matches!(inst.op(), Op::CopyMemory | Op::CopyMemorySized);
    if has(MemoryAccess::MakePointerAvailable) {
        if loads {
            return wrong(index, "MakePointerAvailable is for stores");
        }
        if !has(MemoryAccess::NonPrivatePointer) {
            return wrong(index, "MakePointerAvailable needs NonPrivatePointer");
        }
        scopes::memory(m, inst, scope_at(MemoryAccess::MakePointerAvailable))?;
    }
    if has(MemoryAccess::MakePointerVisible) {
        if !loads && !copies {
            return wrong(index, "MakePointerVisible is for loads");
        }
        if !has(MemoryAccess::NonPrivatePointer) {
            return wrong(index, "MakePointerVisible needs NonPrivatePointer");
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
        if !target.is_none_or(shared) || !source.is_none_or(shared) {
            return wrong(index, "NonPrivatePointer is for storage that invocations share");
        }
    }
    if !has(MemoryAccess::Aligned) {
        if physical {
            return wrong(index, "accesses to PhysicalStorageBuffer need Aligned");
        }
        return Ok(());
    }
    let alignment = inst.operand(index + 1);
    if !alignment.is_power_of_two() {
        return wrong(index + 1, format!("the alignment {alignment} is no power of two"));
    }
    Ok(())
}

/// A pointer that the addressing model lets an access go through.
fn accessible(m: &Module<'_>, inst: Inst<'_>, operand: usize) -> Check {
    let id = inst.operand(operand);
    let op = m.op(id);
    if m.scope.addressing_model == AddressingModel::Logical {
        let logical = match m.scope.features.variable_pointers {
            true => ops::returns_logical_variable_pointer(op),
            false => ops::returns_logical_pointer(op),
        };
        if !logical {
            return wrong(
                operand,
                format!("`{}` is the result of {}, not a logical pointer", m.name(id), op.name()),
            );
        }
    }
    if !m.is_pointer(m.type_of(id)) {
        return wrong(operand, format!("`{}` is {}, not a pointer", m.name(id), m.type_name(m.type_of(id))));
    }
    Ok(())
}

fn is_small(m: &Module<'_>, ty: Id) -> bool {
    m.has_capability(Capability::Shader)
        && m.contains_limited_use(ty)
        && m.op(ty) != Op::TypePointer
        && !matches!(m.op(ty), Op::TypeInt | Op::TypeFloat | Op::TypeVector | Op::TypeMatrix)
}

fn load(m: &Module<'_>, inst: Inst<'_>) -> Check {
    accessible(m, inst, 2)?;
    if let Some((_, pointee)) = m.pointer(m.operand_type(inst, 2))
        && pointee != NONE
        && pointee != inst.ty()
    {
        return wrong(
            0,
            format!(
                "`{}` points to {}, not {}",
                m.name(inst.operand(2)),
                m.type_name(pointee),
                m.type_name(inst.ty())
            ),
        );
    }
    if m.contains_type(inst.ty(), false, &|m, id| m.op(id) == Op::TypeRuntimeArray) {
        return wrong(0, "a runtime array cannot be loaded");
    }
    memory_operands(m, inst, 3)?;
    if is_small(m, inst.ty()) {
        return wrong(0, "8- and 16-bit numbers are loaded as scalars, vectors or matrices");
    }
    Ok(())
}

fn store(m: &Module<'_>, inst: Inst<'_>) -> Check {
    accessible(m, inst, 0)?;
    let pointer = inst.operand(0);
    let Some((class, pointee)) = m.pointer(m.type_of(pointer)) else { return Ok(()) };
    if m.is_void(pointee) {
        return wrong(0, "the pointer is to void");
    }
    match class {
        StorageClass::UniformConstant
        | StorageClass::Input
        | StorageClass::PushConstant
        | StorageClass::ShaderRecordBufferKHR => {
            return wrong(0, format!("`{}` points to storage that is read only", m.name(pointer)));
        }
        StorageClass::HitAttributeKHR
            if entry_points(m, inst)
                .any(|e| matches!(e.model, ExecutionModel::AnyHitKHR | ExecutionModel::ClosestHitKHR)) =>
        {
            return wrong(0, "hit attributes are read only in any-hit and closest-hit shaders");
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
                    return wrong(0, "a uniform block is read only in Vulkan");
                }
            }
        }
        _ => {}
    }
    let object = m.operand_type(inst, 1);
    if object == NONE || m.is_void(object) {
        return wrong(1, format!("`{}` is no object to store", m.name(inst.operand(1))));
    }
    if pointee != NONE && object != pointee {
        return wrong(
            1,
            format!(
                "`{}` is {}, but `{}` points to {}",
                m.name(inst.operand(1)),
                m.type_name(object),
                m.name(pointer),
                m.type_name(pointee)
            ),
        );
    }
    memory_operands(m, inst, 2)?;
    let opaque = |m: &Module<'_>, id: Id| {
        matches!(
            m.op(id),
            Op::TypeImage | Op::TypeSampler | Op::TypeSampledImage | Op::TypeAccelerationStructureKHR
        )
    };
    if m.scope.env.is_vulkan() && m.contains_type(object, true, &opaque) {
        return wrong(1, "images, samplers and acceleration structures cannot be stored in Vulkan");
    }
    Ok(())
}

fn copy(m: &Module<'_>, inst: Inst<'_>) -> Check {
    let mut pointees = [NONE; 2];
    for (operand, slot) in pointees.iter_mut().enumerate() {
        let Some((_, pointee)) = m.pointer(m.operand_type(inst, operand)) else {
            return wrong(operand, format!("`{}` is no pointer", m.name(inst.operand(operand))));
        };
        *slot = pointee;
        if inst.op() == Op::CopyMemory && m.is_void(pointee) {
            return wrong(operand, "the pointer is to void");
        }
    }
    let [target, source] = pointees;
    let sized = inst.op() == Op::CopyMemorySized;
    if !sized {
        if target != NONE && source != NONE && target != source {
            return wrong(1, format!("{} cannot be copied to {}", m.type_name(source), m.type_name(target)));
        }
        if target == NONE && source == NONE {
            return wrong(0, "one of both pointers says its type");
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
                return wrong(second, "two memory operands need SPIR-V 1.4");
            }
            memory_operands(m, inst, second)?;
            if mask & MemoryAccess::MakePointerVisible != 0 {
                return wrong(first, "the target's memory operands cannot have MakePointerVisible");
            }
            if other & MemoryAccess::MakePointerAvailable != 0 {
                return wrong(second, "the source's memory operands cannot have MakePointerAvailable");
            }
        }
    }
    let mut pointee = target;
    while let Some((_, inner)) = m.pointer(pointee) {
        pointee = inner;
    }
    if pointee != NONE && m.has_capability(Capability::Shader) && m.contains_limited_use(pointee) {
        return wrong(
            0,
            "8- and 16-bit numbers cannot be copied without the capability for arithmetic on them",
        );
    }
    Ok(())
}

fn size(m: &Module<'_>, inst: Inst<'_>) -> Check {
    let id = inst.operand(2);
    let ty = m.type_of(id);
    if !m.is_int(ty) {
        return wrong(2, "the size is an integer");
    }
    match (m.uint(id), m.sint(id)) {
        (Some(0), _) => return wrong(2, "the size is not 0"),
        (_, Some(n)) if n < 0 && !m.is_unsigned(ty) => return wrong(2, "the size is not negative"),
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
        return wrong(2, "the size is a multiple of 4");
    }
    if !value.is_multiple_of(2) && !int8 && !(small(0, 8) && small(1, 8)) {
        return wrong(2, "the size is a multiple of 2");
    }
    Ok(())
}

fn chain_wrong(operand: usize, message: impl Into<String>) -> Check {
    fail_at(&ACCESS_CHAIN, operand, message)
}

fn access_chain(m: &Module<'_>, inst: Inst<'_>) -> Check {
    let untyped = ops::generates_untyped_pointer(inst.op());
    let result = m.op(inst.ty());
    if result != if untyped { Op::TypeUntypedPointerKHR } else { Op::TypePointer } {
        return chain_wrong(0, format!("the result is a pointer, not {}", m.type_name(inst.ty())));
    }
    let base_at = if untyped { 3 } else { 2 };
    if untyped && (!ops::generates_type(m.op(inst.operand(2))) || m.is_pointer(inst.operand(2))) {
        return chain_wrong(2, "the base type is a type, and no pointer");
    }
    let base = inst.operand(base_at);
    let Some((class, pointee)) =
        m.pointer(m.type_of(base)).filter(|_| untyped || m.op(m.type_of(base)) == Op::TypePointer)
    else {
        return chain_wrong(
            base_at,
            format!("`{}` is {}, not a pointer", m.name(base), m.type_name(m.type_of(base))),
        );
    };
    let Some((result_class, result_pointee)) = m.pointer(inst.ty()) else { return Ok(()) };
    if class != result_class {
        return chain_wrong(
            0,
            format!("the result is a pointer to another storage class than `{}`", m.name(base)),
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
    if inst.count().saturating_sub(first) > 255 {
        return chain_wrong(first, "more than 255 indexes");
    }
    let mut ty = if untyped { inst.operand(2) } else { pointee };
    for operand in first..inst.count() {
        let index = inst.operand(operand);
        if !m.is_int(m.type_of(index)) {
            return chain_wrong(operand, format!("the index `{}` is no integer", m.name(index)));
        }
        let Some(def) = m.def(ty) else { return Ok(()) };
        ty = match def.op() {
            Op::TypeMatrix
            | Op::TypeVector
            | Op::TypeCooperativeVectorNV
            | Op::TypeCooperativeMatrixNV
            | Op::TypeCooperativeMatrixKHR
            | Op::TypeArray
            | Op::TypeRuntimeArray
            | Op::TypeNodePayloadArrayAMDX => def.word(2),
            Op::TypeStruct => {
                let Some(value) = m.sint(index) else {
                    return chain_wrong(
                        operand,
                        format!("the index `{}` into a structure is an OpConstant", m.name(index)),
                    );
                };
                let members = m.members(ty);
                match usize::try_from(value).ok().and_then(|v| members.get(v)) {
                    Some(member) => *member,
                    None => {
                        return chain_wrong(
                            operand,
                            format!(
                                "{} has {} members: there is no member {value}",
                                m.type_name(ty),
                                members.len()
                            ),
                        );
                    }
                }
            }
            _ => return chain_wrong(operand, format!("{} has no parts to index", m.type_name(ty))),
        };
    }
    if !untyped && ty != result_pointee {
        return chain_wrong(
            0,
            format!(
                "the indexes lead to {}, but the result points to {}",
                m.type_name(ty),
                m.type_name(result_pointee)
            ),
        );
    }
    Ok(())
}

fn pointer_access_chain(m: &Module<'_>, inst: Inst<'_>) -> Check {
    if m.scope.addressing_model == AddressingModel::Logical
        && inst.op() == Op::PtrAccessChain
        && !m.scope.features.variable_pointers
    {
        return fail(
            &ACCESS_CHAIN,
            "OpPtrAccessChain needs VariablePointers or VariablePointersStorageBuffer",
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
    {
        return chain_wrong(2, format!("the pointer type `{}` needs ArrayStride", m.name(base_type)));
    }
    if !m.scope.env.is_vulkan() {
        return Ok(());
    }
    let untyped = untyped && m.has_capability(Capability::UntypedPointersKHR);
    match class {
        StorageClass::Workgroup if !m.has_capability(Capability::VariablePointers) && !untyped => {
            chain_wrong(2, "in Vulkan, OpPtrAccessChain in Workgroup needs VariablePointers")
        }
        StorageClass::StorageBuffer if !m.scope.features.variable_pointers && !untyped => {
            chain_wrong(2, "in Vulkan, OpPtrAccessChain in StorageBuffer needs variable pointers")
        }
        StorageClass::Workgroup | StorageClass::StorageBuffer | StorageClass::PhysicalStorageBuffer => Ok(()),
        _ if untyped => Ok(()),
        _ => chain_wrong(
            2,
            "in Vulkan, OpPtrAccessChain is for Workgroup, StorageBuffer and PhysicalStorageBuffer",
        ),
    }
}

fn raw_access_chain(m: &Module<'_>, inst: Inst<'_>) -> Check {
    let Some((class, _)) = m.pointer(inst.ty()).filter(|_| m.op(inst.ty()) == Op::TypePointer) else {
        return chain_wrong(0, "the result is a pointer");
    };
    if !matches!(
        class,
        StorageClass::StorageBuffer | StorageClass::PhysicalStorageBuffer | StorageClass::Uniform
    ) {
        return chain_wrong(0, "the result points to StorageBuffer, PhysicalStorageBuffer or Uniform");
    }
    let Some((base, _)) = m.pointer(m.operand_type(inst, 2)) else {
        return chain_wrong(2, "the base is a pointer");
    };
    if base != class {
        return chain_wrong(2, "base and result are pointers to one storage class");
    }
    for operand in 3..6 {
        if !m.is_int(m.operand_type(inst, operand)) || m.width(m.operand_type(inst, operand)) != 32 {
            return chain_wrong(operand, "stride, index and offset are 32-bit integers");
        }
    }
    Ok(())
}

fn array_length(m: &Module<'_>, inst: Inst<'_>) -> Check {
    if !m.is_unsigned(inst.ty()) || m.width(inst.ty()) != 32 {
        return wrong(0, "the length is a 32-bit unsigned integer");
    }
    let untyped = inst.op() == Op::UntypedArrayLengthKHR;
    let pointer_at = if untyped { 3 } else { 2 };
    let pointer = m.operand_type(inst, pointer_at);
    if m.op(pointer) != if untyped { Op::TypeUntypedPointerKHR } else { Op::TypePointer } {
        return wrong(pointer_at, "the structure is given by a pointer");
    }
    let structure = if untyped { inst.operand(2) } else { m.pointer(pointer).map_or(NONE, |p| p.1) };
    let members = m.members(structure);
    if m.op(structure) != Op::TypeStruct || members.last().is_none_or(|t| m.op(*t) != Op::TypeRuntimeArray) {
        return wrong(pointer_at, "the pointer is to a structure that ends in a runtime array");
    }
    if inst.operand(pointer_at + 1) as usize != members.len() - 1 {
        return wrong(pointer_at + 1, format!("the runtime array is member {}", members.len() - 1));
    }
    Ok(())
}

fn comparison(m: &Module<'_>, inst: Inst<'_>) -> Check {
    let logical = m.scope.addressing_model == AddressingModel::Logical;
    if logical && !m.scope.features.variable_pointers {
        return fail(&MEMORY_ACCESS, format!("{} needs a variable pointers capability", inst.op().name()));
    }
    let difference = inst.op() == Op::PtrDiff;
    if difference && !m.is_int(inst.ty()) || !difference && !m.is_bool(inst.ty()) {
        return wrong(0, if difference { "the difference is an integer" } else { "the result is a Boolean" });
    }
    let (left, right) = (m.operand_type(inst, 2), m.operand_type(inst, 3));
    let (Some((class, _)), Some((other, _))) = (m.pointer(left), m.pointer(right)) else {
        return wrong(2, "pointers are compared");
    };
    let untyped = [left, right].iter().any(|t| m.op(*t) == Op::TypeUntypedPointerKHR);
    let same = if untyped && !difference { class == other } else { left == right };
    if !same {
        return wrong(3, "both pointers are of one type");
    }
    if logical {
        if !matches!(class, StorageClass::Workgroup | StorageClass::StorageBuffer) {
            return wrong(2, "the pointers are to Workgroup or StorageBuffer");
        }
        if class == StorageClass::Workgroup && !m.has_capability(Capability::VariablePointers) {
            return wrong(2, "pointers to Workgroup are compared with VariablePointers only");
        }
    } else if class == StorageClass::PhysicalStorageBuffer {
        return wrong(2, "pointers to PhysicalStorageBuffer cannot be compared");
    }
    Ok(())
}

fn var_wrong(operand: usize, message: impl Into<String>) -> Check {
    fail_at(&VARIABLE, operand, message)
}

fn variable(m: &Module<'_>, inst: Inst<'_>) -> Check {
    let untyped = inst.op() == Op::UntypedVariableKHR;
    if m.op(inst.ty()) != if untyped { Op::TypeUntypedPointerKHR } else { Op::TypePointer } {
        return var_wrong(0, format!("a variable is a pointer, not {}", m.type_name(inst.ty())));
    }
    let class = inst.operand(2);
    let mut value = NONE;
    if untyped {
        match inst.opt_operand(3) {
            Some(ty) if ops::generates_type(m.op(ty)) => value = ty,
            Some(_) => return var_wrong(3, "the data type is a type"),
            None if matches!(
                class,
                StorageClass::Function | StorageClass::Private | StorageClass::Workgroup
            ) =>
            {
                return var_wrong(2, "an untyped variable in this storage class says its data type");
            }
            None if m.scope.env.is_vulkan() => {
                return var_wrong(2, "in Vulkan, an untyped variable says its data type");
            }
            None => {}
        }
    } else if let Some((_, pointee)) = m.pointer(inst.ty()) {
        value = pointee;
    }
    let initializer = if untyped { 4 } else { 3 };
    let initialized = inst.opt_operand(initializer);
    if let Some(id) = initialized {
        let global = m.def(id).is_some_and(|d| {
            matches!(d.op(), Op::Variable | Op::UntypedVariableKHR) && d.operand(2) != StorageClass::Function
        });
        if !ops::is_constant(m.op(id)) && !global {
            return var_wrong(
                initializer,
                format!("`{}` is neither a constant nor a global variable", m.name(id)),
            );
        }
        if m.type_of(id) != value {
            return var_wrong(
                initializer,
                format!(
                    "`{}` is {}, but the variable holds {}",
                    m.name(id),
                    m.type_name(m.type_of(id)),
                    m.type_name(value)
                ),
            );
        }
    }
    holds_no_bool(m, inst, class, value)?;
    let in_function = super::execution_limitations::function_of(m, inst) != NONE;
    if class == StorageClass::Generic {
        return var_wrong(2, "a variable cannot be in Generic");
    }
    if in_function != (class == StorageClass::Function) {
        let message = if in_function {
            "in a function, variables are in Function"
        } else {
            "variables in Function stand in functions"
        };
        return var_wrong(2, message);
    }
    if m.pointer(inst.ty()).is_some_and(|(own, _)| own != class) {
        return var_wrong(2, "the pointer type names another storage class");
    }
    if m.scope.addressing_model == AddressingModel::Logical && m.op(value) == Op::TypePointer {
        if !m.has_capability(Capability::VariablePointersStorageBuffer) {
            return var_wrong(0, "in the Logical addressing model, variables hold no pointers");
        }
        if !matches!(class, StorageClass::Function | StorageClass::Private) {
            return var_wrong(0, "variables that hold pointers are in Function or Private");
        }
    }
    if m.scope.env.is_vulkan() {
        vulkan_variable(m, inst, class, value, initialized.map(|id| (initializer, id)))?;
    }
    if initialized.is_some()
        && matches!(
            class,
            StorageClass::TaskPayloadWorkgroupEXT | StorageClass::Input | StorageClass::HitObjectAttributeNV
        )
    {
        return var_wrong(initializer, "a variable in this storage class has no initializer");
    }
    if class == StorageClass::PhysicalStorageBuffer {
        return var_wrong(2, "a variable cannot be in PhysicalStorageBuffer");
    }
    if m.scope.env.is_vulkan() {
        vulkan_runtime_arrays(m, class, value)?;
    }
    if !matches!(class, StorageClass::Function | StorageClass::Private)
        && value != NONE
        && m.contains_type(value, true, &|m, id| m.is_coop_matrix(id) || m.is_coop_vector(id))
    {
        return var_wrong(0, "cooperative matrices and vectors are held in Function or Private");
    }
    if m.has_capability(Capability::Shader) && value != NONE {
        small_numbers(m, class, value)?;
    }
    tile_attachment(m, inst, class)
}

/// Whether a type holds Booleans that something outside could see.
fn holds_bool(m: &Module<'_>, ty: Id, skip_builtin: bool, depth: u32) -> bool {
    let Some(def) = m.def(ty).filter(|_| depth < 300) else { return false };
    if skip_builtin && m.decorations(ty).iter().any(|d| d.kind == Decoration::BuiltIn) {
        return false;
    }
    match def.op() {
        Op::TypeBool => true,
        Op::TypeVector | Op::TypeMatrix | Op::TypeArray | Op::TypeRuntimeArray => {
            holds_bool(m, def.word(2), skip_builtin, depth + 1)
        }
        Op::TypeStruct => m.members(ty).iter().any(|t| holds_bool(m, *t, skip_builtin, depth + 1)),
        _ => false,
    }
}

fn holds_no_bool(m: &Module<'_>, inst: Inst<'_>, class: u32, value: Id) -> Check {
    let hidden = matches!(
        class,
        StorageClass::Workgroup
            | StorageClass::CrossWorkgroup
            | StorageClass::Private
            | StorageClass::Function
            | StorageClass::UniformConstant
            | StorageClass::RayPayloadKHR
            | StorageClass::IncomingRayPayloadKHR
            | StorageClass::HitAttributeKHR
            | StorageClass::CallableDataKHR
            | StorageClass::IncomingCallableDataKHR
            | StorageClass::TaskPayloadWorkgroupEXT
            | StorageClass::HitObjectAttributeNV
            | StorageClass::NodePayloadAMDX
    );
    if hidden {
        return Ok(());
    }
    let interface = matches!(class, StorageClass::Input | StorageClass::Output);
    let builtin = interface && m.decorations(inst.id()).iter().any(|d| d.kind == Decoration::BuiltIn);
    if !builtin && holds_bool(m, value, interface, 0) {
        return var_wrong(
            0,
            format!("{} holds Booleans, which have no size outside of the shader", m.type_name(value)),
        );
    }
    Ok(())
}

fn is_or_array_of(m: &Module<'_>, ty: Id, allowed: &[Op]) -> bool {
    allowed.contains(&m.op(ty))
        || matches!(m.op(ty), Op::TypeArray | Op::TypeRuntimeArray) && allowed.contains(&m.op(m.element(ty)))
}

fn vulkan_variable(
    m: &Module<'_>,
    inst: Inst<'_>,
    class: u32,
    value: Id,
    initializer: Option<(usize, Id)>,
) -> Check {
    let resources = [
        Op::TypeImage,
        Op::TypeSampler,
        Op::TypeSampledImage,
        Op::TypeTensorARM,
        Op::TypeAccelerationStructureKHR,
    ];
    if value != NONE {
        match class {
            StorageClass::PushConstant if m.op(value) != Op::TypeStruct => {
                return var_wrong(0, "in Vulkan, a push constant is a structure");
            }
            StorageClass::UniformConstant if !is_or_array_of(m, value, &resources) => {
                return var_wrong(
                    0,
                    "in Vulkan, UniformConstant holds images, samplers, acceleration structures, or arrays of them",
                );
            }
            StorageClass::Uniform | StorageClass::StorageBuffer
                if !is_or_array_of(m, value, &[Op::TypeStruct]) =>
            {
                return var_wrong(0, "in Vulkan, a buffer is a structure or an array of structures");
            }
            _ => {}
        }
    }
    if !matches!(class, StorageClass::Input | StorageClass::Output) {
        let structure = m.op(value) == Op::TypeStruct
            && m.decorations(value).iter().any(|d| d.kind == Decoration::Invariant);
        if m.has_decoration(inst.id(), Decoration::Invariant) || structure {
            return var_wrong(2, "in Vulkan, Invariant is for Input and Output");
        }
    }
    if let Some((operand, id)) = initializer {
        match class {
            StorageClass::Output | StorageClass::Private | StorageClass::Function => {}
            StorageClass::Workgroup if m.op(id) == Op::ConstantNull => {}
            StorageClass::Workgroup => {
                return var_wrong(operand, "in Vulkan, Workgroup is initialized by OpConstantNull only");
            }
            _ => return var_wrong(operand, "in Vulkan, a variable in this storage class has no initializer"),
        }
    }
    Ok(())
}

fn vulkan_runtime_arrays(m: &Module<'_>, class: u32, value: Id) -> Check {
    if m.op(value) == Op::TypeRuntimeArray {
        if !m.has_capability(Capability::RuntimeDescriptorArray) {
            return var_wrong(
                0,
                "in Vulkan, an array of descriptors without length needs RuntimeDescriptorArray",
            );
        }
        if !matches!(
            class,
            StorageClass::StorageBuffer | StorageClass::Uniform | StorageClass::UniformConstant
        ) {
            return var_wrong(
                0,
                "in Vulkan, arrays without length are in StorageBuffer, Uniform or UniformConstant",
            );
        }
    }
    if !m.members(value).iter().any(|t| m.op(*t) == Op::TypeRuntimeArray) {
        return Ok(());
    }
    let needed = match class {
        StorageClass::StorageBuffer | StorageClass::PhysicalStorageBuffer => Decoration::Block,
        StorageClass::Uniform => Decoration::BufferBlock,
        _ => {
            return var_wrong(
                0,
                "in Vulkan, a structure with a runtime array is in StorageBuffer, PhysicalStorageBuffer or Uniform",
            );
        }
    };
    if !m.has_decoration(value, needed) {
        return var_wrong(
            0,
            format!("in Vulkan, a structure with a runtime array needs {}", super::annotation::name(needed)),
        );
    }
    Ok(())
}

fn small_numbers(m: &Module<'_>, class: u32, value: Id) -> Check {
    let lacks = |capability: u32, op: Op, bits: u32| {
        !m.has_capability(capability) && m.contains_sized(value, op, bits)
    };
    let wide = lacks(Capability::Int16, Op::TypeInt, 16) || lacks(Capability::Float16, Op::TypeFloat, 16);
    let narrow = lacks(Capability::Int8, Op::TypeInt, 8);
    if !wide && !narrow {
        return Ok(());
    }
    let (mut class, mut ty) = (class, value);
    for _ in 0..300 {
        match m.def(ty).filter(|d| d.op() == Op::TypePointer) {
            Some(pointer) => (class, ty) = (pointer.operand(1), pointer.operand(2)),
            None => break,
        }
    }
    let cap = |c: u32| m.has_capability(c);
    let block = |both: u32, storage: u32| {
        if cap(both) {
            return true;
        }
        let inner = if matches!(m.op(ty), Op::TypeArray | Op::TypeRuntimeArray) { m.element(ty) } else { ty };
        cap(storage) && m.has_decoration(inner, Decoration::BufferBlock)
    };
    for (concerned, bits) in [(wide, 16), (narrow, 8)] {
        if !concerned {
            continue;
        }
        let allowed = match (class, bits) {
            (StorageClass::StorageBuffer | StorageClass::PhysicalStorageBuffer, 16) => {
                cap(Capability::StorageBuffer16BitAccess)
            }
            (StorageClass::StorageBuffer | StorageClass::PhysicalStorageBuffer, _) => {
                cap(Capability::StorageBuffer8BitAccess)
            }
            (StorageClass::Uniform, 16) => {
                block(Capability::UniformAndStorageBuffer16BitAccess, Capability::StorageBuffer16BitAccess)
            }
            (StorageClass::Uniform, _) => {
                block(Capability::UniformAndStorageBuffer8BitAccess, Capability::StorageBuffer8BitAccess)
            }
            (StorageClass::PushConstant, 16) => cap(Capability::StoragePushConstant16),
            (StorageClass::PushConstant, _) => cap(Capability::StoragePushConstant8),
            (StorageClass::Input | StorageClass::Output, 16) => cap(Capability::StorageInputOutput16),
            (StorageClass::Workgroup, 16) => cap(Capability::WorkgroupMemoryExplicitLayout16BitAccessKHR),
            (StorageClass::Workgroup, _) => cap(Capability::WorkgroupMemoryExplicitLayout8BitAccessKHR),
            _ => false,
        };
        if !allowed {
            return var_wrong(0, format!("{bits}-bit numbers in this storage class need a capability"));
        }
    }
    Ok(())
}

fn tile_attachment(m: &Module<'_>, inst: Inst<'_>, class: u32) -> Check {
    if class != StorageClass::TileAttachmentQCOM || !m.has_capability(Capability::TileShadingQCOM) {
        return Ok(());
    }
    if let Some((_, pointee)) = m.pointer(inst.ty())
        && let Some(image) = m.def(pointee).filter(|d| d.op() == Op::TypeImage)
        && (image.word(3) != Dim::_2D || !matches!(image.word(7), 1 | 2))
    {
        return var_wrong(0, "a tile attachment is a 2D image, sampled or for storage");
    }
    let decorated = |kind: u32| m.has_decoration(inst.id(), kind);
    if !decorated(Decoration::DescriptorSet) || !decorated(Decoration::Binding) {
        return var_wrong(0, "a tile attachment has DescriptorSet and Binding");
    }
    if decorated(Decoration::Component) {
        return var_wrong(0, "a tile attachment has no Component");
    }
    Ok(())
}
