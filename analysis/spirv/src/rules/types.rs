//! Type declarations (SPIR-V specification, section 3.52.6).

use rustc_hash::FxHashMap;
use wavelens_syntax::spirv::tables::{Capability, Decoration, FPEncoding, Op, StorageClass};
use wavelens_syntax::wording;

use crate::code::{Id, Inst};
use crate::contents::Content;
use crate::context::RuleContext;
use crate::ops;
use crate::scope::Scope;
use wavelens_base::Severity;
use wavelens_base::{Verdict, fail, fail_at};

wavelens_syntax::rules! {
    TYPE_DECLARATION {
        code: "type-declaration",
        severity: Severity::Error,
        title: "a type is declared with operands that SPIR-V allows for it",
        explain: "Integers have 8, 16, 32 or 64 bits, vectors 2 to 4 scalar components, matrices columns of float vectors, arrays a constant length of at least 1; other widths and sizes require capabilities.",
        example: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%float = OpTypeFloat 32
%vec5 = OpTypeVector %float 5
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%float = OpTypeFloat 32
%vec4 = OpTypeVector %float 4
"#,
        source: "SPIR-V specification, Type-Declaration Instructions; SPIRV-Tools validate_type.cpp: \"Illegal number of components\"; VUID-StandaloneSpirv-None-04643, VUID-StandaloneSpirv-None-04667, VUID-StandaloneSpirv-OpTypeForwardPointer-04711, VUID-StandaloneSpirv-OpTypeRuntimeArray-04680, VUID-StandaloneSpirv-OpTypeUntypedPointerKHR-11417",
    }

    DUPLICATE_TYPE {
        code: "duplicate-type",
        severity: Severity::Error,
        title: "a type other than an aggregate or pointer is declared once",
        explain: "Two ids of types are compared by id: values of the second declaration would not fit where the first is required.",
        example: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%uint = OpTypeInt 32 0
%u32 = OpTypeInt 32 0
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%uint = OpTypeInt 32 0
%i32 = OpTypeInt 32 1
"#,
        source: "SPIR-V specification, section 2.8 (Types and Variables); SPIRV-Tools validate_type.cpp: \"Duplicate non-aggregate type declarations are not allowed\"",
    }
}

/// Finds types that are declared twice.
pub(crate) fn unique(scope: &mut Scope) {
    // An extension for tests of the reference validator.
    let extensions = scope.code.iter().filter(|i| i.op() == Op::Extension);
    if extensions.into_iter().any(|i| i.string(0) == "SPV_VALIDATOR_ignore_type_decl_unique") {
        return;
    }
    let mut seen: FxHashMap<Vec<u32>, Id> = FxHashMap::default();
    let mut found = Vec::new();
    for inst in scope.code.iter().filter(|i| i.is_whole()) {
        if inst.op() == Op::TypeForwardPointer {
            let pointer = inst.operand(0);
            if seen.insert(inst.words().to_vec(), pointer).is_some() {
                found.push((inst.at, pointer));
            }
        }
        if !ops::generates_type(inst.op()) {
            continue;
        }
        if matches!(
            inst.op(),
            Op::TypeArray
                | Op::TypeRuntimeArray
                | Op::TypeNodePayloadArrayAMDX
                | Op::TypeStruct
                | Op::TypePointer
                | Op::TypeUntypedPointerKHR
        ) {
            continue;
        }
        let key: Vec<u32> =
            inst.words().iter().enumerate().filter(|(i, _)| *i != 1).map(|(_, w)| *w).collect();
        if let Some(first) = seen.insert(key, inst.id()).filter(|first| *first != inst.id()) {
            found.push((inst.at, first));
        }
    }
    for (at, first) in found {
        let name = scope.texts.get(first as usize).cloned().unwrap_or_default();
        scope.report(
            at,
            &DUPLICATE_TYPE,
            format!("duplicate type: `%{name}` is already declared with the same operands"),
        );
        let declared = scope.defs.get(first as usize).and_then(|d| scope.origin.get(*d as usize)).copied();
        if let Some(declared) = declared {
            scope.relate(declared, wording::PREVIOUS);
        }
    }
}

pub(super) fn instruction(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    match inst.op() {
        Op::TypeInt => int(m, inst),
        Op::TypeFloat => float(m, inst),
        Op::TypeVector => vector(m, inst),
        Op::TypeMatrix => matrix(m, inst),
        Op::TypeArray | Op::TypeRuntimeArray => array(m, inst),
        Op::TypeStruct => structure(m, inst),
        Op::TypePointer => {
            if m.op(inst.operand(2)) != Op::TypeFunction
                || !m.has_capability(Capability::FunctionPointersINTEL)
            {
                is_type(m, inst, 2)?;
            }
            storage_class(m, inst.operand(1))
        }
        Op::TypeFunction => function(m, inst),
        Op::TypeForwardPointer => forward_pointer(m, inst),
        Op::TypeUntypedPointerKHR if m.scope.env.is_vulkan() => match inst.operand(1) {
            StorageClass::Workgroup if m.lacks_capability(Capability::WorkgroupMemoryExplicitLayoutKHR) => {
                wrong(
                    1,
                    "in Vulkan, an untyped pointer to Workgroup requires the WorkgroupMemoryExplicitLayoutKHR capability [VUID-StandaloneSpirv-OpTypeUntypedPointerKHR-11417]",
                )
            }
            StorageClass::UniformConstant | StorageClass::Image
                if m.has_capability(Capability::DescriptorHeapEXT) =>
            {
                Ok(())
            }
            StorageClass::Workgroup
            | StorageClass::StorageBuffer
            | StorageClass::PhysicalStorageBuffer
            | StorageClass::Uniform
            | StorageClass::PushConstant => Ok(()),
            _ => wrong(
                1,
                "in Vulkan, an untyped pointer must point to a storage class with explicit layout [VUID-StandaloneSpirv-OpTypeUntypedPointerKHR-11417]",
            ),
        },
        // These are another family's.
        Op::TypeCooperativeMatrixNV
        | Op::TypeCooperativeMatrixKHR
        | Op::TypeVectorIdEXT
        | Op::TypeTensorLayoutNV
        | Op::TypeTensorViewNV
        | Op::TypeTensorARM
        | Op::AsmINTEL => Ok(()),
        op if op != Op::Function
            && !ops::is_debug(op)
            && !inst.is_non_semantic()
            && !ops::is_decoration(op) =>
        {
            for (index, _, id) in inst.ids() {
                if m.op(id) == Op::TypeFunction {
                    return fail_at(
                        &TYPE_DECLARATION,
                        index,
                        format!("function type `{}` can be used only by OpFunction", m.name(id)),
                    );
                }
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

pub(super) fn wrong(operand: usize, message: impl Into<String>) -> Verdict {
    fail_at(&TYPE_DECLARATION, operand, message)
}

pub(super) fn is_int32(m: &RuleContext<'_>, id: Id) -> bool {
    m.is_int(m.type_of(id)) && m.width(m.type_of(id)) == 32
}

pub(super) fn is_type(m: &RuleContext<'_>, inst: Inst<'_>, operand: usize) -> Verdict {
    let id = inst.operand(operand);
    if ops::generates_type(m.op(id)) {
        return no_function_type(m, inst, operand);
    }
    wrong(operand, format!("`{}` is not a type", m.name(id)))
}

fn no_function_type(m: &RuleContext<'_>, inst: Inst<'_>, operand: usize) -> Verdict {
    if m.op(inst.operand(operand)) != Op::TypeFunction {
        return Ok(());
    }
    wrong(
        operand,
        format!("function type `{}` can be used only by OpFunction", m.name(inst.operand(operand))),
    )
}

fn int(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let needs = |what: &str| wrong(1, format!("{}-bit integers require {what}", inst.operand(1)));
    match inst.operand(1) {
        8 if m.scope.features.declare_int8 => Ok(()),
        8 => needs("the Int8 capability"),
        16 if m.scope.features.declare_int16 => Ok(()),
        16 => needs("the Int16 capability"),
        64 if m.has_capability(Capability::Int64) => Ok(()),
        64 => needs("the Int64 capability"),
        32 => {
            let signedness = inst.operand(2);
            if signedness > 1 {
                return wrong(2, format!("Signedness must be 0 or 1, is {signedness}"));
            }
            if signedness == 1 && m.has_capability(Capability::Kernel) {
                return wrong(2, "Signedness must be 0 with the Kernel capability");
            }
            Ok(())
        }
        4 if m.has_capability(Capability::Int4TypeINTEL) => Ok(()),
        1.. if m.has_capability(Capability::ArbitraryPrecisionIntegersALTERA) => Ok(()),
        4 => needs("the Int4TypeINTEL or ArbitraryPrecisionIntegersALTERA capability"),
        bits => wrong(1, format!("Width of an integer type must be 8, 16, 32 or 64, is {bits}")),
    }
}

/// Whether the declaration of a type is reported, and not only for a capability that it needs: what uses the type may be right.
pub(crate) fn is_wrong(m: &RuleContext<'_>, declaration: Inst<'_>) -> bool {
    match (declaration.op(), declaration.word(2)) {
        (Op::TypeInt, 4 | 8 | 16 | 32 | 64) | (Op::TypeFloat, 4 | 6 | 8 | 16 | 32 | 64) => false,
        (Op::TypeInt, 1..) => !m.has_capability(Capability::ArbitraryPrecisionIntegersALTERA),
        (Op::TypeInt | Op::TypeFloat, _) => true,
        (Op::TypeVector | Op::TypeMatrix | Op::TypeArray, _) => instruction(m, declaration).is_err(),
        _ => false,
    }
}

fn float(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    type E = FPEncoding;
    let encoded = |encodings: &[u32]| match inst.opt_operand(2) {
        Some(encoding) if encodings.contains(&encoding) => Ok(()),
        Some(_) if encodings.is_empty() => {
            wrong(2, format!("{}-bit floats must not have an FP encoding", inst.operand(1)))
        }
        Some(_) => wrong(2, format!("this is not an encoding for {}-bit floats", inst.operand(1))),
        None if encodings.is_empty() || inst.operand(1) == 16 => Ok(()),
        None => wrong(1, format!("missing FP encoding, which {}-bit floats require", inst.operand(1))),
    };
    match inst.operand(1) {
        4 => encoded(&[E::Float4E2M1EXT]),
        6 => encoded(&[E::Float6E2M3EXT, E::Float6E3M2EXT]),
        8 if !m.scope.features.declare_float8 => {
            wrong(1, "8-bit floats require the Float8EXT, Float8UnsignedE8M0EXT or MXInt8EXT capability")
        }
        8 => encoded(&[E::Float8E4M3EXT, E::Float8E5M2EXT, E::Float8UnsignedE8M0EXT, E::MXInt8EXT]),
        16 if inst.opt_operand(2).is_none() && !m.scope.features.declare_float16 => {
            wrong(1, "16-bit floats require the Float16 or Float16Buffer capability")
        }
        16 => encoded(&[E::BFloat16KHR]),
        32 => encoded(&[]),
        64 if m.has_capability(Capability::Float64) => encoded(&[]),
        64 => wrong(1, "64-bit floats require the Float64 capability"),
        bits => wrong(1, format!("Width of a float type must be 8, 16, 32 or 64, is {bits}")),
    }
}

fn vector(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let component = inst.operand(1);
    let masked = m.has_capability(Capability::MaskedGatherScatterINTEL);
    if !m.is_scalar(component) && !(masked && m.op(component) == Op::TypePointer) {
        return wrong(
            1,
            format!("expected a scalar type as Component Type, found {}", m.type_name(component)),
        );
    }
    match inst.operand(2) {
        2..=4 => Ok(()),
        1.. if m.has_capability(Capability::LongVectorEXT) => Ok(()),
        n @ (8 | 16) if !m.has_capability(Capability::Vector16) => {
            wrong(2, format!("vectors of {n} components require the Vector16 or LongVectorEXT capability"))
        }
        8 | 16 => Ok(()),
        n => wrong(
            2,
            format!("Component Count must be 2, 3 or 4 (8 or 16 with the Vector16 capability), is {n}"),
        ),
    }
}

fn matrix(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let column = inst.operand(1);
    if m.op(column) != Op::TypeVector {
        return wrong(1, format!("expected a vector as Column Type, found {}", m.type_name(column)));
    }
    if !m.is_float(m.element(column)) {
        return wrong(1, format!("expected a float vector as Column Type, found {}", m.type_name(column)));
    }
    match inst.operand(2) {
        2..=4 => Ok(()),
        n => wrong(2, format!("Column Count must be 2, 3 or 4, is {n}")),
    }
}

/// A constant integer of at least 1.
pub(super) fn positive_length(m: &RuleContext<'_>, inst: Inst<'_>, operand: usize) -> Verdict {
    let length = inst.operand(operand);
    if !ops::is_constant(m.op(length)) {
        return wrong(operand, format!("Length `{}` is not a constant", m.name(length)));
    }
    let ty = m.type_of(length);
    if !m.is_int(ty) {
        return wrong(operand, format!("expected an integer as Length, found {}", m.type_name(ty)));
    }
    match m.sint(length) {
        Some(n) if n == 0 || n < 0 && !m.is_unsigned(ty) => {
            wrong(operand, format!("Length must be at least 1, is {n}"))
        }
        _ => Ok(()),
    }
}

fn array(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    is_type(m, inst, 1)?;
    let element = inst.operand(1);
    if m.is_void(element) {
        return wrong(1, "Element Type must not be void");
    }
    if m.has_capability(Capability::Shader)
        && m.op(element) == Op::TypeStruct
        && m.is_block(element)
        && m.has_decoration(inst.id(), Decoration::ArrayStride)
    {
        return wrong(0, "an array of blocks must not have an ArrayStride decoration");
    }
    if m.scope.env.is_vulkan() && m.op(element) == Op::TypeRuntimeArray {
        return wrong(
            1,
            "in Vulkan, Element Type of an array must not be a runtime array [VUID-StandaloneSpirv-OpTypeRuntimeArray-04680]",
        );
    }
    if inst.op() == Op::TypeRuntimeArray {
        return Ok(());
    }
    positive_length(m, inst, 2)
}

fn structure(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    for index in 1..inst.count() {
        let member = inst.operand(index);
        if member == inst.id() {
            return wrong(index, "a structure must not contain itself");
        }
        is_type(m, inst, index)?;
        if m.is_void(member) {
            return wrong(index, "a structure must not contain void");
        }
        if m.op(member) == Op::TypeStruct && m.scope.builtin_structures.contains(&m.global(member)) {
            return wrong(
                index,
                format!(
                    "`{}` has built-in members and must not be a member of another structure",
                    m.name(member)
                ),
            );
        }
        if m.scope.env.is_vulkan() && m.op(member) == Op::TypeRuntimeArray {
            if index + 1 != inst.count() {
                return wrong(
                    index,
                    "in Vulkan, only the last member can be a runtime array [VUID-StandaloneSpirv-OpTypeRuntimeArray-04680]",
                );
            }
            if !m.is_block(inst.id()) && !m.may_be_decorated(inst.id()) {
                return wrong(
                    index,
                    "in Vulkan, a structure with a runtime array requires the Block or BufferBlock decoration [VUID-StandaloneSpirv-OpTypeRuntimeArray-04680]",
                );
            }
        }
    }
    let nested = || (1..inst.count()).find(|i| m.contains(inst.operand(*i), Content::Block));
    if m.is_block(inst.id())
        && let Some(index) = nested()
    {
        let member = m.name(inst.operand(index));
        return wrong(
            index,
            format!(
                "a structure with the Block or BufferBlock decoration must not contain another one; `{member}` is or contains one"
            ),
        );
    }
    let mut builtin: Vec<u32> =
        m.decorations_of(inst.id(), Decoration::BuiltIn).filter_map(|d| d.member).collect();
    builtin.retain(|member| (*member as usize) < inst.count() - 1);
    builtin.sort_unstable();
    builtin.dedup();
    let are_some = !builtin.is_empty() && builtin.len() != inst.count() - 1;
    if are_some && !m.may_be_decorated(inst.id()) {
        let plain = (0..inst.count() as u32 - 1).find(|member| !builtin.contains(member)).unwrap_or(0);
        let message = format!(
            "member {} is decorated with BuiltIn, but member {plain} is not: all members of a structure must be, or none",
            builtin[0]
        );
        return wrong(0, message);
    }
    // Descriptors and images without a binding may be in structures; which, is not looked into.
    let takes_opaque =
        m.has_capability(Capability::DescriptorHeapEXT) || m.has_capability(Capability::BindlessTextureNV);
    if m.scope.env.is_vulkan() && !takes_opaque && m.contains(inst.id(), Content::Opaque) {
        return wrong(
            0,
            "in Vulkan, a structure must not contain an opaque type [VUID-StandaloneSpirv-None-04667]",
        );
    }
    Ok(())
}

fn storage_class(m: &RuleContext<'_>, class: u32) -> Verdict {
    let known = matches!(
        class,
        StorageClass::UniformConstant
            | StorageClass::Uniform
            | StorageClass::StorageBuffer
            | StorageClass::Input
            | StorageClass::Output
            | StorageClass::Image
            | StorageClass::Workgroup
            | StorageClass::Private
            | StorageClass::Function
            | StorageClass::PushConstant
            | StorageClass::PhysicalStorageBuffer
            | StorageClass::RayPayloadKHR
            | StorageClass::IncomingRayPayloadKHR
            | StorageClass::HitAttributeKHR
            | StorageClass::CallableDataKHR
            | StorageClass::IncomingCallableDataKHR
            | StorageClass::ShaderRecordBufferKHR
            | StorageClass::TaskPayloadWorkgroupEXT
            | StorageClass::HitObjectAttributeNV
            | StorageClass::TileImageEXT
            | StorageClass::NodePayloadAMDX
            | StorageClass::TileAttachmentQCOM
    );
    if known || !m.scope.env.is_vulkan() {
        return Ok(());
    }
    wrong(1, "this storage class is not supported in Vulkan [VUID-StandaloneSpirv-None-04643]")
}

fn function(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    is_type(m, inst, 1)?;
    for index in 2..inst.count() {
        is_type(m, inst, index)?;
        if m.is_void(inst.operand(index)) {
            return wrong(index, "a parameter must not be void");
        }
    }
    if inst.count() > 2 + 255 {
        return fail(&crate::lower::rules::LIMIT, "a function must not have more than 255 parameters");
    }
    Ok(())
}

fn forward_pointer(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let Some(pointer) = m.def(inst.operand(0)) else { return Ok(()) };
    if pointer.op() != Op::TypePointer {
        return wrong(0, format!("`{}` is not a pointer type", m.name(inst.operand(0))));
    }
    if pointer.operand(1) != inst.operand(1) {
        return wrong(1, "Storage Class differs from that of the pointer type");
    }
    if m.op(pointer.operand(2)) != Op::TypeStruct {
        return wrong(0, "a forward pointer must point to a structure");
    }
    if m.scope.env.is_vulkan() && inst.operand(1) != StorageClass::PhysicalStorageBuffer {
        return wrong(
            1,
            "in Vulkan, a forward pointer must point to PhysicalStorageBuffer [VUID-StandaloneSpirv-OpTypeForwardPointer-04711]",
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests;
