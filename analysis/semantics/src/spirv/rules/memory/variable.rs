//! OpVariable and OpUntypedVariableKHR.

use rustc_hash::FxHashSet;
use wavelens_syntax::spirv::tables::{AddressingModel, Capability, Decoration, Dim, Op, StorageClass};

use super::VARIABLE;
use crate::spirv::code::{Id, Inst};
use crate::spirv::context::{Check, Module, fail_at};
use crate::spirv::flat::NONE;
use crate::spirv::ops;
use crate::spirv::rules::{annotation, execution_limitations};

fn var_wrong(operand: usize, message: impl Into<String>) -> Check {
    fail_at(&VARIABLE, operand, message)
}

pub(super) fn variable(m: &Module<'_>, inst: Inst<'_>) -> Check {
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
    let in_function = execution_limitations::function_of(m, inst) != NONE;
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
fn holds_bool(m: &Module<'_>, ty: Id, skip_builtin: bool, seen: &mut FxHashSet<Id>) -> bool {
    let Some(def) = m.def(ty).filter(|d| d.op() != Op::TypeStruct || seen.insert(ty)) else { return false };
    if skip_builtin && m.decorations(ty).iter().any(|d| d.kind == Decoration::BuiltIn) {
        return false;
    }
    match def.op() {
        Op::TypeBool => true,
        Op::TypeVector | Op::TypeMatrix | Op::TypeArray | Op::TypeRuntimeArray => {
            holds_bool(m, def.word(2), skip_builtin, seen)
        }
        Op::TypeStruct => m.members(ty).iter().any(|t| holds_bool(m, *t, skip_builtin, seen)),
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
    if !builtin && holds_bool(m, value, interface, &mut FxHashSet::default()) {
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
            format!("in Vulkan, a structure with a runtime array needs {}", annotation::name(needed)),
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

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::spirv::rules::testing::Shader;

    #[test]
    fn a_variable_is_a_pointer_of_its_class() {
        let shader = Shader {
            head: "; target-env: vulkan1.1",
            types: "%p = OpTypePointer Private %float
%a = OpVariable %float Private
%b = OpVariable %p Function
%c = OpVariable %p Private %i0
%q = OpTypePointer Uniform %bool
%d = OpVariable %q Uniform
%r = OpTypePointer UniformConstant %float
%e = OpVariable %r UniformConstant",
            body: "%g = OpVariable %p Private",
            ..Shader::NEW
        };
        expect![[r#"
            error[variable] `%float`: a variable is a pointer, not float
            error[variable] `Function`: variables in Function stand in functions
            error[variable] `%i0`: `%i0` is int, but the variable holds float
            error[variable] `%q`: bool holds Booleans, which have no size outside of the shader
            error[variable] `%r`: in Vulkan, UniformConstant holds images, samplers, acceleration structures, or arrays of them
            error[variable] `Private`: in a function, variables are in Function
        "#]].assert_eq(&shader.findings());
    }
}
