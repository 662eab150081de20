//! OpVariable and OpUntypedVariableKHR.

use crate::type_names::storage_class_name;
use wavelens_syntax::spirv::tables::{AddressingModel, Capability, Decoration, Dim, Kind, Op, StorageClass};
use wavelens_syntax::wording;

use super::VARIABLE;
use crate::code::{Id, Inst};
use crate::contents::Content;
use crate::context::RuleContext;
use crate::flat::NONE;
use crate::ops;
use crate::rules::{annotation, execution_limitations};
use wavelens_base::{Fault, Part, Verdict, fail_at};

fn var_wrong(operand: usize, message: impl Into<String>) -> Verdict {
    fail_at(&VARIABLE, operand, message)
}

pub(super) fn variable(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let untyped = inst.op() == Op::UntypedVariableKHR;
    let (op, expected) = super::pointer_type(untyped);
    if m.op(inst.ty()) != op {
        return var_wrong(0, format!("expected {expected} as Result Type, found {}", m.type_name(inst.ty())));
    }
    let class = inst.operand(2);
    let value = if untyped {
        data_type(m, inst, class)?
    } else {
        m.pointer(inst.ty()).map_or(NONE, |(_, pointee)| pointee)
    };
    let position = if untyped { 4 } else { 3 };
    let initializer = inst.opt_operand(position).map(|id| (position, id));
    if let Some((operand, id)) = initializer {
        check_initializer(m, operand, id, value)?;
    }
    check_class(m, inst, class)?;
    holds_no_bool(m, inst, class, value)?;
    if m.scope.addressing_model == Some(AddressingModel::Logical) && m.op(value) == Op::TypePointer {
        if !m.has_capability(Capability::VariablePointersStorageBuffer) {
            return var_wrong(0, "in the Logical addressing model, a variable must not hold a pointer");
        }
        if !matches!(class, StorageClass::Function | StorageClass::Private) {
            return var_wrong(0, "a variable that holds a pointer must be in Function or Private");
        }
    }
    if m.scope.env.is_vulkan() {
        vulkan_variable(m, inst, class, value, initializer)?;
    }
    if initializer.is_some()
        && matches!(
            class,
            StorageClass::TaskPayloadWorkgroupEXT | StorageClass::Input | StorageClass::HitObjectAttributeNV
        )
    {
        return var_wrong(position, "a variable in this storage class must not have an initializer");
    }
    if class == StorageClass::PhysicalStorageBuffer {
        return var_wrong(2, "a variable must not be in PhysicalStorageBuffer");
    }
    if m.scope.env.is_vulkan() {
        vulkan_runtime_arrays(m, class, value)?;
    }
    if !matches!(class, StorageClass::Function | StorageClass::Private)
        && value != NONE
        // Long vectors may be in other classes; which, is not looked into.
        && !m.has_capability(Capability::LongVectorEXT)
        && m.contains(value, Content::CooperativeMatrixOrVector)
    {
        return var_wrong(
            0,
            "a variable that holds a cooperative matrix or vector must be in Function or Private",
        );
    }
    if m.has_capability(Capability::Shader) && value != NONE {
        small_numbers(m, class, value)?;
    }
    tile_attachment(m, inst, class)
}

/// The Data Type of an untyped variable, or [`NONE`] where it may be omitted.
fn data_type(m: &RuleContext<'_>, inst: Inst<'_>, class: u32) -> Result<Id, Box<Fault>> {
    let missing = |message: String| Err(Fault::new(&VARIABLE, message).at(Part::Operand(2)));
    match inst.opt_operand(3) {
        Some(ty) if ops::generates_type(m.op(ty)) => Ok(ty),
        Some(_) => Err(Fault::new(&VARIABLE, "Data Type must be a type").at(Part::Operand(3))),
        None if matches!(class, StorageClass::Function | StorageClass::Private | StorageClass::Workgroup) => {
            let class = storage_class_name(class);
            missing(format!("missing Data Type, which an untyped variable in {class} requires"))
        }
        None if m.scope.env.is_vulkan() && !annotation::is_heap(m, inst.id()) => missing(
            "missing Data Type, which Vulkan requires for an untyped variable [VUID-StandaloneSpirv-OpUntypedVariableKHR-11167]".to_owned(),
        ),
        None => Ok(NONE),
    }
}

fn check_initializer(m: &RuleContext<'_>, operand: usize, id: Id, value: Id) -> Verdict {
    let is_global = m.def(id).is_some_and(|d| {
        matches!(d.op(), Op::Variable | Op::UntypedVariableKHR) && d.operand(2) != StorageClass::Function
    });
    if !ops::is_constant(m.op(id)) && !is_global {
        let message = format!("Initializer `{}` must be a constant or a global variable", m.name(id));
        return var_wrong(operand, message);
    }
    if m.type_of(id) != value {
        let message = format!(
            "Initializer `{}` is {}, but the variable holds {}",
            m.name(id),
            m.describe(id),
            m.type_name(value)
        );
        return var_wrong(operand, message);
    }
    Ok(())
}

/// The storage class fits the variable's place and Result Type.
fn check_class(m: &RuleContext<'_>, inst: Inst<'_>, class: u32) -> Verdict {
    let in_function = execution_limitations::function_of(m, inst) != NONE;
    if class == StorageClass::Generic {
        return var_wrong(2, "the storage class of a variable must not be Generic");
    }
    if in_function != (class == StorageClass::Function) {
        let is_misplaced = match in_function {
            true => m.function_end().is_some_and(|end| end < inst.at),
            false => follows_label(m, inst),
        };
        if is_misplaced {
            // Its place, or that of its block, is what is wrong.
            return Ok(());
        }
        if in_function {
            let found = storage_class_name(class);
            let message =
                format!("a variable in a function must have the storage class Function, found {found}");
            return var_wrong(2, message);
        }
        return var_wrong(2, "a variable with the storage class Function must be inside a function");
    }
    if let Some((own, _)) = m.pointer(inst.ty()).filter(|(own, _)| *own != class) {
        let (class, own) = (storage_class_name(class), storage_class_name(own));
        return var_wrong(
            2,
            format!("the storage class of the variable is {class}, but Result Type points to {own}"),
        );
    }
    Ok(())
}

/// Whether an instruction outside functions is in what looks like the body of one whose OpFunction is missing.
fn follows_label(m: &RuleContext<'_>, inst: Inst<'_>) -> bool {
    let ops = (m.first..inst.at).rev().filter_map(|at| Some(m.inst(at)?.op()));
    ops.take_while(|op| *op != Op::FunctionEnd).any(|op| op == Op::Label)
}

fn holds_no_bool(m: &RuleContext<'_>, inst: Inst<'_>, class: u32, value: Id) -> Verdict {
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
    let builtin =
        interface && (m.is_decorated(inst.id(), Decoration::BuiltIn) || m.may_be_decorated(inst.id()));
    let content = if interface { Content::BoolOfNoBuiltIn } else { Content::Bool };
    if !builtin && m.contains(value, content) {
        return var_wrong(
            0,
            format!(
                "a variable in {} must not hold Booleans, but its type is {}{}",
                storage_class_name(class),
                m.type_name(value),
                if interface { " [VUID-StandaloneSpirv-Input-07290]" } else { "" }
            ),
        );
    }
    Ok(())
}

fn is_or_array_of(m: &RuleContext<'_>, ty: Id, allowed: &[Op]) -> bool {
    allowed.contains(&m.op(ty))
        || matches!(m.op(ty), Op::TypeArray | Op::TypeRuntimeArray) && allowed.contains(&m.op(m.element(ty)))
}

fn vulkan_variable(
    m: &RuleContext<'_>,
    inst: Inst<'_>,
    class: u32,
    value: Id,
    initializer: Option<(usize, Id)>,
) -> Verdict {
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
                return var_wrong(
                    0,
                    "in Vulkan, a variable in PushConstant must be a structure [VUID-StandaloneSpirv-PushConstant-06808]",
                );
            }
            StorageClass::UniformConstant if !is_or_array_of(m, value, &resources) => {
                return var_wrong(
                    0,
                    "in Vulkan, a variable in UniformConstant must be an image, a sampler, an acceleration structure or an array of them [VUID-StandaloneSpirv-UniformConstant-04655]",
                );
            }
            StorageClass::Uniform | StorageClass::StorageBuffer
                if !is_or_array_of(m, value, &[Op::TypeStruct]) =>
            {
                return var_wrong(
                    0,
                    "in Vulkan, a variable in Uniform or StorageBuffer must be a structure or an array of structures [VUID-StandaloneSpirv-Uniform-06807]",
                );
            }
            _ => {}
        }
    }
    if !matches!(class, StorageClass::Input | StorageClass::Output) {
        let structure = m.op(value) == Op::TypeStruct && m.is_decorated(value, Decoration::Invariant);
        if m.has_decoration(inst.id(), Decoration::Invariant) || structure {
            return var_wrong(
                2,
                "in Vulkan, Invariant can decorate only variables in Input or Output [VUID-StandaloneSpirv-Invariant-04677]",
            );
        }
    }
    if let Some((operand, id)) = initializer {
        match class {
            StorageClass::Output | StorageClass::Private | StorageClass::Function => {}
            StorageClass::Workgroup if m.op(id) == Op::ConstantNull => {}
            StorageClass::Workgroup => {
                return var_wrong(
                    operand,
                    "in Vulkan, Initializer of a variable in Workgroup must be OpConstantNull [VUID-StandaloneSpirv-OpVariable-04734]",
                );
            }
            _ => {
                return var_wrong(
                    operand,
                    "in Vulkan, a variable in this storage class must not have an initializer [VUID-StandaloneSpirv-OpVariable-04651]",
                );
            }
        }
    }
    Ok(())
}

fn vulkan_runtime_arrays(m: &RuleContext<'_>, class: u32, value: Id) -> Verdict {
    if m.op(value) == Op::TypeRuntimeArray {
        if m.lacks_capability(Capability::RuntimeDescriptorArray) {
            return var_wrong(
                0,
                "in Vulkan, a runtime array of descriptors requires the RuntimeDescriptorArray capability [VUID-StandaloneSpirv-OpTypeRuntimeArray-04680]",
            );
        }
        if !matches!(
            class,
            StorageClass::StorageBuffer | StorageClass::Uniform | StorageClass::UniformConstant
        ) {
            return var_wrong(
                0,
                "in Vulkan, a variable with a runtime array must be in StorageBuffer, Uniform or UniformConstant [VUID-StandaloneSpirv-OpTypeRuntimeArray-04680]",
            );
        }
    }
    let holds_runtime_array = || m.members(value).iter().rev().any(|ty| m.op(*ty) == Op::TypeRuntimeArray);
    if !m.contains(value, Content::RuntimeArray) || !holds_runtime_array() {
        return Ok(());
    }
    let needed = match class {
        StorageClass::StorageBuffer | StorageClass::PhysicalStorageBuffer => Decoration::Block,
        StorageClass::Uniform => Decoration::BufferBlock,
        _ => {
            return var_wrong(
                0,
                "in Vulkan, a structure with a runtime array must be in StorageBuffer, PhysicalStorageBuffer or Uniform [VUID-StandaloneSpirv-OpTypeRuntimeArray-04680]",
            );
        }
    };
    if !m.has_decoration(value, needed) && !m.may_be_decorated(value) {
        return var_wrong(
            0,
            format!(
                "in Vulkan, a structure with a runtime array requires the {} decoration [VUID-StandaloneSpirv-OpTypeRuntimeArray-04680]",
                annotation::name(needed)
            ),
        );
    }
    Ok(())
}

fn small_numbers(m: &RuleContext<'_>, class: u32, value: Id) -> Verdict {
    let lacks =
        |capability: u32, content: Content| !m.has_capability(capability) && m.contains(value, content);
    let wide = lacks(Capability::Int16, Content::Int16) || lacks(Capability::Float16, Content::Float16);
    let narrow = lacks(Capability::Int8, Content::Int8);
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
    let is_in_buffer = |storage: u32| {
        let inner = if matches!(m.op(ty), Op::TypeArray | Op::TypeRuntimeArray) { m.element(ty) } else { ty };
        m.has_capability(storage) && m.has_decoration(inner, Decoration::BufferBlock)
    };
    for (concerned, bits) in [(wide, 16), (narrow, 8)] {
        if !concerned {
            continue;
        }
        // The capability for all of the storage class, and the one for blocks in it.
        let storage = match (class, bits) {
            (StorageClass::StorageBuffer | StorageClass::PhysicalStorageBuffer, 16) => {
                Some(Capability::StorageBuffer16BitAccess)
            }
            (StorageClass::StorageBuffer | StorageClass::PhysicalStorageBuffer, _) => {
                Some(Capability::StorageBuffer8BitAccess)
            }
            (StorageClass::Uniform, 16) => Some(Capability::UniformAndStorageBuffer16BitAccess),
            (StorageClass::Uniform, _) => Some(Capability::UniformAndStorageBuffer8BitAccess),
            (StorageClass::PushConstant, 16) => Some(Capability::StoragePushConstant16),
            (StorageClass::PushConstant, _) => Some(Capability::StoragePushConstant8),
            (StorageClass::Input | StorageClass::Output, 16) => Some(Capability::StorageInputOutput16),
            (StorageClass::Workgroup, 16) => Some(Capability::WorkgroupMemoryExplicitLayout16BitAccessKHR),
            (StorageClass::Workgroup, _) => Some(Capability::WorkgroupMemoryExplicitLayout8BitAccessKHR),
            _ => None,
        };
        let in_buffers = match (class, bits) {
            (StorageClass::Uniform, 16) => is_in_buffer(Capability::StorageBuffer16BitAccess),
            (StorageClass::Uniform, _) => is_in_buffer(Capability::StorageBuffer8BitAccess),
            _ => false,
        };
        if !in_buffers && storage.is_none_or(|capability| m.lacks_capability(capability)) {
            let arithmetic: &[u32] = match bits {
                16 => &[Capability::Int16, Capability::Float16],
                _ => &[Capability::Int8],
            };
            let needed = storage.iter().chain(arithmetic).filter_map(|c| Kind::Capability.valued(*c));
            let message = format!(
                "a variable with {bits}-bit types in {} requires the {} capability",
                Kind::StorageClass.valued(class).map_or("this storage class", |e| e.name),
                wording::alternatives(needed.map(|e| e.name))
            );
            return var_wrong(0, message);
        }
    }
    Ok(())
}

fn tile_attachment(m: &RuleContext<'_>, inst: Inst<'_>, class: u32) -> Verdict {
    if class != StorageClass::TileAttachmentQCOM || !m.has_capability(Capability::TileShadingQCOM) {
        return Ok(());
    }
    if let Some((_, pointee)) = m.pointer(inst.ty())
        && let Some(image) = m.def(pointee).filter(|d| d.op() == Op::TypeImage)
        && (image.word(3) != Dim::_2D || !matches!(image.word(7), 1 | 2))
    {
        return var_wrong(0, "a variable in TileAttachmentQCOM must be a sampled or storage image of Dim 2D");
    }
    let decorated = |kind: u32| m.has_decoration(inst.id(), kind);
    let is_bound = decorated(Decoration::DescriptorSet) && decorated(Decoration::Binding);
    if !is_bound && !m.may_be_decorated(inst.id()) {
        return var_wrong(
            0,
            "missing DescriptorSet or Binding decoration on a variable in TileAttachmentQCOM",
        );
    }
    if decorated(Decoration::Component) {
        return var_wrong(0, "a variable in TileAttachmentQCOM must not have a Component decoration");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::testing::Shader;

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
            error[variable] `%float`: expected a typed pointer as Result Type, found float
              11:1 `%float`: defined here
            error[variable] `Function`: a variable with the storage class Function must be inside a function
            error[variable] `%i0`: Initializer `%i0` is int, but the variable holds float
              18:1 `%i0`: defined here
            error[variable] `%q`: a variable in Uniform must not hold Booleans, but its type is bool
              33:1 `%q`: defined here
            error[variable] `%r`: in Vulkan, a variable in UniformConstant must be an image, a sampler, an acceleration structure or an array of them [VUID-StandaloneSpirv-UniformConstant-04655]
              35:1 `%r`: defined here
            error[variable] `Private`: a variable in a function must have the storage class Function, found Private
        "#]].assert_eq(&shader.findings());
    }
}
