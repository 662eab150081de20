//! Type declarations (SPIR-V specification, section 3.52.6).

use rustc_hash::FxHashMap;
use wavelens_syntax::spirv::tables::{
    Capability, Decoration, ExecutionMode, FPEncoding, Op, Scope as ScopeValue, StorageClass, TensorClampMode,
};

use crate::spirv::code::{Id, Inst};
use crate::spirv::context::{Check, Definition, Module, fail, fail_at};
use crate::spirv::ops;
use crate::spirv::scope::Scope;
use crate::{Rule, Severity};

pub static TYPE_DECLARATION: Rule = Rule {
    code: "type-declaration",
    severity: Severity::Error,
    explain: "A type is built from types that may be its parts, in sizes that exist: integers of 8, 16, 32 or 64 bits, vectors of 2 to 4 \
        scalars, matrices of float vectors, arrays of a constant length of at least 1.\n\n\
        Source: SPIR-V specification, section 3.52.6 (Type-Declaration Instructions) and 2.16.1.",
    ..Rule::UNDOCUMENTED
};

pub static DUPLICATE_TYPE: Rule = Rule {
    code: "duplicate-type",
    severity: Severity::Error,
    explain: "Types that are no arrays, structures or pointers are declared once: two declarations with the same operands \
        would be one type with two names.\n\nSource: SPIR-V specification, section 2.8 (Types and Variables).",
    ..Rule::UNDOCUMENTED
};

/// Finds types that are declared twice.
pub fn unique(scope: &mut Scope) {
    // An extension for tests of the reference validator.
    let extensions = scope.code.iter().filter(|i| i.op() == Op::Extension);
    if extensions.into_iter().any(|i| i.string(0) == "SPV_VALIDATOR_ignore_type_decl_unique") {
        return;
    }
    let mut seen: FxHashMap<Vec<u32>, Id> = FxHashMap::default();
    let mut found = Vec::new();
    for inst in scope.code.iter().filter(|i| i.is_whole() && ops::generates_type(i.op())) {
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
        scope.report(at, &DUPLICATE_TYPE, format!("this type is already declared as `%{name}`"));
        let declared = scope.defs.get(first as usize).and_then(|d| scope.origin.get(*d as usize)).copied();
        if let Some(declared) = declared {
            scope.relate(declared, "declared here");
        }
    }
}

pub(super) fn check(m: &Module<'_>, inst: Inst<'_>) -> Check {
    match inst.op() {
        Op::TypeInt => int(m, inst),
        Op::TypeFloat => float(m, inst),
        Op::TypeVector => vector(m, inst),
        Op::TypeMatrix => matrix(m, inst),
        Op::TypeArray | Op::TypeRuntimeArray => array(m, inst),
        Op::TypeStruct => structure(m, inst),
        Op::TypePointer => {
            is_type(m, inst, 2)?;
            storage_class(m, inst.operand(1))
        }
        Op::TypeFunction => function(m, inst),
        Op::TypeForwardPointer => forward_pointer(m, inst),
        Op::TypeCooperativeMatrixNV | Op::TypeCooperativeMatrixKHR => coop_matrix(m, inst),
        Op::TypeCooperativeVectorNV => {
            if !m.is_int(inst.operand(1)) && !m.is_float(inst.operand(1)) {
                return wrong(1, "the component of a cooperative vector is an integer or float type");
            }
            positive_length(m, inst, 2)
        }
        Op::TypeUntypedPointerKHR if m.scope.env.is_vulkan() => match inst.operand(1) {
            StorageClass::Workgroup if !m.has_capability(Capability::WorkgroupMemoryExplicitLayoutKHR) => {
                wrong(1, "untyped pointers to Workgroup need WorkgroupMemoryExplicitLayoutKHR in Vulkan")
            }
            StorageClass::Workgroup
            | StorageClass::StorageBuffer
            | StorageClass::PhysicalStorageBuffer
            | StorageClass::Uniform
            | StorageClass::PushConstant => Ok(()),
            _ => wrong(1, "in Vulkan, untyped pointers go to storage with explicit layout only"),
        },
        Op::TypeTensorLayoutNV => {
            tensor_dimension(m, inst)?;
            let clamp = inst.operand(2);
            if !is_int32(m, clamp) {
                return wrong(2, "the clamp mode is a 32-bit integer");
            }
            if m.uint(clamp).is_some_and(|v| v > u64::from(TensorClampMode::RepeatMirrored)) {
                return wrong(2, "there is no such clamp mode");
            }
            Ok(())
        }
        Op::TypeTensorViewNV => tensor_view(m, inst),
        Op::TypeTensorARM => tensor_arm(m, inst),
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
                        format!("only OpFunction uses a function type; `{}` is one", m.name(id)),
                    );
                }
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

fn wrong(operand: usize, message: impl Into<String>) -> Check {
    fail_at(&TYPE_DECLARATION, operand, message)
}

fn is_int32(m: &Module<'_>, id: Id) -> bool {
    m.is_int(m.type_of(id)) && m.width(m.type_of(id)) == 32
}

fn is_type(m: &Module<'_>, inst: Inst<'_>, operand: usize) -> Check {
    let id = inst.operand(operand);
    if ops::generates_type(m.op(id)) {
        return no_function_type(m, inst, operand);
    }
    wrong(operand, format!("`{}` is no type", m.name(id)))
}

fn no_function_type(m: &Module<'_>, inst: Inst<'_>, operand: usize) -> Check {
    if m.op(inst.operand(operand)) != Op::TypeFunction {
        return Ok(());
    }
    wrong(
        operand,
        format!("only OpFunction uses a function type; `{}` is one", m.name(inst.operand(operand))),
    )
}

fn int(m: &Module<'_>, inst: Inst<'_>) -> Check {
    let needs = |what: &str| wrong(1, format!("{}-bit integers need {what}", inst.operand(1)));
    match inst.operand(1) {
        8 if m.scope.features.declare_int8 => Ok(()),
        8 => needs("the capability Int8"),
        16 if m.scope.features.declare_int16 => Ok(()),
        16 => needs("the capability Int16"),
        64 if m.has_capability(Capability::Int64) => Ok(()),
        64 => needs("the capability Int64"),
        32 => {
            let signedness = inst.operand(2);
            if signedness > 1 {
                return wrong(2, format!("signedness is 0 or 1, not {signedness}"));
            }
            if signedness == 1 && m.has_capability(Capability::Kernel) {
                return wrong(2, "with the capability Kernel, integers have signedness 0");
            }
            Ok(())
        }
        bits => wrong(1, format!("there are no {bits}-bit integers")),
    }
}

fn float(m: &Module<'_>, inst: Inst<'_>) -> Check {
    let encoding = inst.opt_operand(2);
    match inst.operand(1) {
        32 => Ok(()),
        16 if encoding.is_some() || m.scope.features.declare_float16 => Ok(()),
        16 => wrong(1, "16-bit floats need the capability Float16 or Float16Buffer"),
        8 if !m.scope.features.declare_float8 => wrong(1, "8-bit floats need the capability Float8EXT"),
        8 => match encoding {
            Some(FPEncoding::Float8E4M3EXT | FPEncoding::Float8E5M2EXT) => Ok(()),
            Some(_) => wrong(2, "this is no 8-bit encoding"),
            None => wrong(1, "8-bit floats need an encoding"),
        },
        64 if m.has_capability(Capability::Float64) => Ok(()),
        64 => wrong(1, "64-bit floats need the capability Float64"),
        bits => wrong(1, format!("there are no {bits}-bit floats")),
    }
}

fn vector(m: &Module<'_>, inst: Inst<'_>) -> Check {
    let component = inst.operand(1);
    let masked = m.has_capability(Capability::MaskedGatherScatterINTEL);
    if !m.is_scalar(component) && !(masked && m.op(component) == Op::TypePointer) {
        return wrong(
            1,
            format!("the component of a vector is a scalar type, not {}", m.type_name(component)),
        );
    }
    match inst.operand(2) {
        2..=4 => Ok(()),
        n @ (8 | 16) if !m.has_capability(Capability::Vector16) => {
            wrong(2, format!("vectors of {n} components need the capability Vector16"))
        }
        8 | 16 => Ok(()),
        n => wrong(2, format!("there are no vectors of {n} components")),
    }
}

fn matrix(m: &Module<'_>, inst: Inst<'_>) -> Check {
    let column = inst.operand(1);
    if !m.is_vector(column) {
        return wrong(1, format!("the columns of a matrix are vectors, not {}", m.type_name(column)));
    }
    if !m.is_float(m.element(column)) {
        return wrong(1, format!("the columns of a matrix are float vectors, not {}", m.type_name(column)));
    }
    match inst.operand(2) {
        2..=4 => Ok(()),
        n => wrong(2, format!("a matrix has 2, 3 or 4 columns, not {n}")),
    }
}

/// A constant integer of at least 1.
fn positive_length(m: &Module<'_>, inst: Inst<'_>, operand: usize) -> Check {
    let length = inst.operand(operand);
    if !ops::is_constant(m.op(length)) {
        return wrong(operand, format!("the length `{}` is no constant", m.name(length)));
    }
    let ty = m.type_of(length);
    if !m.is_int(ty) {
        return wrong(operand, format!("the length is an integer, not {}", m.type_name(ty)));
    }
    match m.sint(length) {
        Some(n) if n == 0 || n < 0 && !m.is_unsigned(ty) => {
            wrong(operand, format!("the length is at least 1, not {n}"))
        }
        _ => Ok(()),
    }
}

fn array(m: &Module<'_>, inst: Inst<'_>) -> Check {
    is_type(m, inst, 1)?;
    let element = inst.operand(1);
    if m.is_void(element) {
        return wrong(1, "an array cannot hold void");
    }
    let is_block =
        |id| m.has_decoration(id, Decoration::Block) || m.has_decoration(id, Decoration::BufferBlock);
    if m.has_capability(Capability::Shader)
        && m.op(element) == Op::TypeStruct
        && is_block(element)
        && m.has_decoration(inst.id(), Decoration::ArrayStride)
    {
        return wrong(0, "an array of blocks has no ArrayStride");
    }
    if m.scope.env.is_vulkan() && m.op(element) == Op::TypeRuntimeArray {
        return wrong(1, "in Vulkan, an array cannot hold runtime arrays");
    }
    if inst.op() == Op::TypeRuntimeArray {
        return Ok(());
    }
    positive_length(m, inst, 2)
}

/// Whether any member is decorated as built-in.
fn has_builtin_members(m: &Module<'_>, id: Id) -> bool {
    m.decorations(id).iter().any(|d| d.kind == Decoration::BuiltIn && d.member.is_some())
}

fn structure(m: &Module<'_>, inst: Inst<'_>) -> Check {
    let is_block = |m: &Module<'_>, id| {
        m.has_decoration(id, Decoration::Block) || m.has_decoration(id, Decoration::BufferBlock)
    };
    for index in 1..inst.count() {
        let member = inst.operand(index);
        if member == inst.id() {
            return wrong(index, "a structure cannot hold itself");
        }
        is_type(m, inst, index)?;
        if m.is_void(member) {
            return wrong(index, "a structure cannot hold void");
        }
        if m.op(member) == Op::TypeStruct && has_builtin_members(m, member) {
            return wrong(index, format!("`{}` has built-in members and cannot be a member", m.name(member)));
        }
        if m.scope.env.is_vulkan() && m.op(member) == Op::TypeRuntimeArray {
            if index + 1 != inst.count() {
                return wrong(index, "in Vulkan, only the last member can be a runtime array");
            }
            if !is_block(m, inst.id()) {
                return wrong(index, "in Vulkan, only a Block can hold a runtime array");
            }
        }
    }
    let nested = || {
        (1..inst.count()).find(|i| {
            m.contains_type(inst.operand(*i), false, &|m, id| m.op(id) == Op::TypeStruct && is_block(m, id))
        })
    };
    if is_block(m, inst.id())
        && let Some(index) = nested()
    {
        return wrong(index, "a block cannot be in a block");
    }
    let mut builtin: Vec<u32> = m
        .decorations(inst.id())
        .iter()
        .filter(|d| d.kind == Decoration::BuiltIn)
        .filter_map(|d| d.member)
        .collect();
    builtin.sort_unstable();
    builtin.dedup();
    if !builtin.is_empty() && builtin.len() != inst.count() - 1 {
        return wrong(0, "either all members of a structure are built-ins, or none");
    }
    let opaque = |m: &Module<'_>, id: Id| {
        let op = m.op(id);
        ops::is_base_opaque_type(op)
            && !(m.has_capability(Capability::BindlessTextureNV)
                && matches!(op, Op::TypeImage | Op::TypeSampler | Op::TypeSampledImage))
    };
    if m.scope.env.is_vulkan() && m.contains_type(inst.id(), true, &opaque) {
        return wrong(0, "in Vulkan, a structure cannot hold opaque types");
    }
    Ok(())
}

fn storage_class(m: &Module<'_>, class: u32) -> Check {
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
    wrong(1, "Vulkan has no such storage class")
}

fn function(m: &Module<'_>, inst: Inst<'_>) -> Check {
    is_type(m, inst, 1)?;
    for index in 2..inst.count() {
        is_type(m, inst, index)?;
        if m.is_void(inst.operand(index)) {
            return wrong(index, "a parameter cannot be void");
        }
    }
    if inst.count() > 2 + 255 {
        return fail(&super::instruction::LIMIT, "a function has at most 255 parameters");
    }
    Ok(())
}

fn forward_pointer(m: &Module<'_>, inst: Inst<'_>) -> Check {
    let Some(pointer) = m.def(inst.operand(0)) else { return Ok(()) };
    if pointer.op() != Op::TypePointer {
        return wrong(0, format!("`{}` is no pointer type", m.name(inst.operand(0))));
    }
    if pointer.operand(1) != inst.operand(1) {
        return wrong(1, "the pointer is declared with another storage class");
    }
    if m.op(pointer.operand(2)) != Op::TypeStruct {
        return wrong(0, "a forward pointer points to a structure");
    }
    if m.scope.env.is_vulkan() && inst.operand(1) != StorageClass::PhysicalStorageBuffer {
        return wrong(1, "in Vulkan, a forward pointer is to PhysicalStorageBuffer");
    }
    Ok(())
}

fn coop_matrix(m: &Module<'_>, inst: Inst<'_>) -> Check {
    let component = inst.operand(1);
    if !m.is_int(component) && !m.is_float(component) {
        return wrong(1, "the component of a cooperative matrix is an integer or float type");
    }
    if m.is_bfloat16(component) && !m.has_capability(Capability::BFloat16CooperativeMatrixKHR) {
        return wrong(1, "bfloat16 components need the capability BFloat16CooperativeMatrixKHR");
    }
    if m.is_fp8(component) && !m.has_capability(Capability::Float8CooperativeMatrixEXT) {
        return wrong(1, "8-bit float components need the capability Float8CooperativeMatrixEXT");
    }
    let last = if inst.op() == Op::TypeCooperativeMatrixKHR { 5 } else { 4 };
    for operand in 2..=last {
        let id = inst.operand(operand);
        if !m.is_int(m.type_of(id)) || !ops::is_constant(m.op(id)) {
            return wrong(operand, format!("`{}` is no integer constant", m.name(id)));
        }
    }
    if m.uint(inst.operand(2)) == Some(u64::from(ScopeValue::Workgroup)) {
        for entry in &m.scope.entry_points {
            let size = m
                .scope
                .modes_of(entry.function)
                .iter()
                .rev()
                .find(|(mode, _)| matches!(*mode, ExecutionMode::LocalSize | ExecutionMode::LocalSizeId));
            let Some((_, size)) = size else {
                return wrong(
                    2,
                    "matrices of Workgroup scope need LocalSize or LocalSizeId on every entry point",
                );
            };
            let Some(size) = m.scope.code.inst(*size).filter(|s| s.op() == Op::ExecutionModeId) else {
                continue;
            };
            let late = |id: &Id| matches!(m.definition(*id), Definition::Module(at) if at > inst.at);
            if let Some(id) = (2..5).map(|i| size.operand(i)).find(late) {
                let message =
                    format!("a matrix of Workgroup scope stands after its LocalSizeId, `{}`", m.name(id));
                return wrong(2, message);
            }
        }
    }
    Ok(())
}

fn tensor_dimension(m: &Module<'_>, inst: Inst<'_>) -> Check {
    let dim = inst.operand(1);
    if !is_int32(m, dim) {
        return wrong(1, "the dimension is a 32-bit integer");
    }
    match m.uint(dim) {
        Some(0 | 6..) => wrong(1, "a tensor has 1 to 5 dimensions"),
        _ => Ok(()),
    }
}

fn tensor_view(m: &Module<'_>, inst: Inst<'_>) -> Check {
    tensor_dimension(m, inst)?;
    if !m.is_bool(m.type_of(inst.operand(2))) {
        return wrong(2, "HasDimensions is a Boolean");
    }
    let dims = inst.count().saturating_sub(3) as u64;
    let (mut mask, mut known) = (0u64, true);
    for operand in 3..inst.count() {
        let id = inst.operand(operand);
        if !is_int32(m, id) {
            return wrong(operand, "a permutation is a 32-bit integer");
        }
        match m.uint(id) {
            Some(v) if v >= dims => return wrong(operand, "there is no such dimension"),
            Some(v) => mask |= 1 << v.min(63),
            None => known = false,
        }
    }
    if known && dims < 64 && mask != (1 << dims) - 1 {
        return wrong(3, "these numbers are no permutation of the dimensions");
    }
    match m.uint(inst.operand(1)) {
        Some(n) if n != dims => wrong(1, format!("{n} dimensions need {n} permutation values, not {dims}")),
        _ => Ok(()),
    }
}

fn tensor_arm(m: &Module<'_>, inst: Inst<'_>) -> Check {
    if !m.is_scalar(inst.operand(1)) {
        return wrong(1, "the element of a tensor is a scalar type");
    }
    let Some(rank) = inst.opt_operand(2) else { return Ok(()) };
    if !ops::is_constant(m.op(rank)) || !m.is_int(m.type_of(rank)) {
        return wrong(2, "the rank is an integer constant");
    }
    let value = m.uint(rank);
    if value == Some(0) {
        return wrong(2, "the rank is at least 1");
    }
    let Some(shape) = inst.opt_operand(3).and_then(|id| m.def(id)) else { return Ok(()) };
    if !ops::is_constant(shape.op()) {
        return wrong(3, "the shape is a constant");
    }
    let array = m.def(shape.ty()).filter(|d| d.op() == Op::TypeArray && m.is_int(d.word(2)));
    let length = array.and_then(|a| m.uint(a.word(3)));
    if array.is_none() || value.is_some() && length.is_some() && value != length {
        return wrong(3, "the shape is an array of integers, one for each dimension");
    }
    if (2..shape.count()).any(|i| m.uint(shape.operand(i)) == Some(0)) {
        return wrong(3, "every dimension is at least 1");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::spirv::rules::testing::Shader;

    #[test]
    fn types_are_made_of_what_they_can_hold() {
        let shader = Shader {
            types: "%a = OpTypeInt 7 0
%b = OpTypeInt 64 0
%c = OpTypeVector %float 5
%d = OpTypeVector %vec2 2
%e = OpTypeMatrix %float 2
%f = OpTypeArray %float %i0
%g = OpTypeArray %void %i1
%h = OpTypeStruct %void
%i = OpTypeFunction %void %void
%j = OpTypeFloat 32
%k = OpTypeInt 32 2",
            ..Shader::NEW
        };
        expect![[r#"
            error[type-declaration] `7`: there are no 7-bit integers
            error[type-declaration] `64`: 64-bit integers need the capability Int64
            error[type-declaration] `5`: there are no vectors of 5 components
            error[type-declaration] `%vec2`: the component of a vector is a scalar type, not vec2
            error[type-declaration] `%float`: the columns of a matrix are vectors, not float
            error[type-declaration] `%i0`: the length is at least 1, not 0
            error[type-declaration] `%void`: an array cannot hold void
            error[type-declaration] `%void`: a structure cannot hold void
            error[type-declaration] `%void`: a parameter cannot be void
            error[duplicate-type] `%j = OpTypeFloat 32`: this type is already declared as `%float`
              12:1 `%float = OpTypeFloat 32`: declared here
            error[type-declaration] `2`: signedness is 0 or 1, not 2
        "#]]
        .assert_eq(&shader.findings());
    }
}
