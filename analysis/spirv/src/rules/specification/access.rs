//! Accesses that declarations exclude: constant indices outside of arrays and vectors, and stores through NonWritable memory.

use wavelens_syntax::spirv::tables::{Decoration, ExecutionModel, Op, StorageClass};

use crate::code::{Id, Inst};
use crate::context::RuleContext;
use crate::flat::NONE;
use crate::rules::execution_limitations::entry_points;
use wavelens_base::{Severity, Verdict, fail_at};

wavelens_syntax::rules! {
    CONSTANT_INDEX {
        code: "constant-index",
        severity: Severity::Warning,
        title: "a constant index is within the array, the vector or the matrix",
        explain: "An access past the end has undefined behavior, or undefined values with robust access. The reference validator checks the indices of structures only.\n\nSwitch it off for code that is not executed.",
        example: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%void = OpTypeVoid
%int = OpTypeInt 32 0
%two = OpConstant %int 2
%array = OpTypeArray %int %two
%ptr = OpTypePointer Private %array
%element = OpTypePointer Private %int
%v = OpVariable %ptr Private
%fn = OpTypeFunction %void
%f = OpFunction %void None %fn
%entry = OpLabel
%x = OpAccessChain %element %v %two
OpReturn
OpFunctionEnd
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%void = OpTypeVoid
%int = OpTypeInt 32 0
%one = OpConstant %int 1
%two = OpConstant %int 2
%array = OpTypeArray %int %two
%ptr = OpTypePointer Private %array
%element = OpTypePointer Private %int
%v = OpVariable %ptr Private
%fn = OpTypeFunction %void
%f = OpFunction %void None %fn
%entry = OpLabel
%x = OpAccessChain %element %v %one
OpReturn
OpFunctionEnd
"#,
        source: "SPIR-V specification, OpAccessChain: each index must be in bounds of what it indexes; OpVectorExtractDynamic: behavior is undefined if Index is out of bounds",
    }

    READ_ONLY {
        code: "read-only-memory",
        severity: Severity::Warning,
        title: "memory that is NonWritable is not written through its variable",
        explain: "NonWritable says that the module does not write to the memory through this variable or member: consumers may read it early, or from a cache. The payload of a task shader is read-only in mesh shaders. The reference validator does not look at the stores.\n\nSwitch it off for code that is not executed.",
        example: r#"; Version: 1.3
OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
OpDecorate %B BufferBlock
OpMemberDecorate %B 0 Offset 0
OpMemberDecorate %B 0 NonWritable
%void = OpTypeVoid
%int = OpTypeInt 32 0
%zero = OpConstant %int 0
%B = OpTypeStruct %int
%ptr = OpTypePointer Uniform %B
%member = OpTypePointer Uniform %int
%b = OpVariable %ptr Uniform
%fn = OpTypeFunction %void
%f = OpFunction %void None %fn
%entry = OpLabel
%x = OpAccessChain %member %b %zero
OpStore %x %zero
OpReturn
OpFunctionEnd
"#,
        fixed: r#"; Version: 1.3
OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
OpDecorate %B BufferBlock
OpMemberDecorate %B 0 Offset 0
%void = OpTypeVoid
%int = OpTypeInt 32 0
%zero = OpConstant %int 0
%B = OpTypeStruct %int
%ptr = OpTypePointer Uniform %B
%member = OpTypePointer Uniform %int
%b = OpVariable %ptr Uniform
%fn = OpTypeFunction %void
%f = OpFunction %void None %fn
%entry = OpLabel
%x = OpAccessChain %member %b %zero
OpStore %x %zero
OpReturn
OpFunctionEnd
"#,
        source: "SPIR-V specification, section 3.20, NonWritable: this module does not write to the memory of this object; SPV_EXT_mesh_shader, TaskPayloadWorkgroupEXT: read-only in MeshEXT",
    }

    WRITE_ONLY {
        code: "write-only-memory",
        severity: Severity::Warning,
        title: "memory that is NonReadable is not read through its variable",
        explain: "NonReadable says that the module does not read the memory through this variable or member: a consumer may bind memory that cannot be read. The reference validator does not look at the loads.\n\nSwitch it off for code that is not executed.",
        example: r#"; Version: 1.3
OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
OpDecorate %B BufferBlock
OpMemberDecorate %B 0 Offset 0
OpMemberDecorate %B 0 NonReadable
%void = OpTypeVoid
%int = OpTypeInt 32 0
%zero = OpConstant %int 0
%B = OpTypeStruct %int
%ptr = OpTypePointer Uniform %B
%member = OpTypePointer Uniform %int
%b = OpVariable %ptr Uniform
%fn = OpTypeFunction %void
%f = OpFunction %void None %fn
%entry = OpLabel
%x = OpAccessChain %member %b %zero
%y = OpLoad %int %x
OpReturn
OpFunctionEnd
"#,
        fixed: r#"; Version: 1.3
OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
OpDecorate %B BufferBlock
OpMemberDecorate %B 0 Offset 0
%void = OpTypeVoid
%int = OpTypeInt 32 0
%zero = OpConstant %int 0
%B = OpTypeStruct %int
%ptr = OpTypePointer Uniform %B
%member = OpTypePointer Uniform %int
%b = OpVariable %ptr Uniform
%fn = OpTypeFunction %void
%f = OpFunction %void None %fn
%entry = OpLabel
%x = OpAccessChain %member %b %zero
OpStore %x %zero
OpReturn
OpFunctionEnd
"#,
        source: "SPIR-V specification, section 3.20, NonReadable: this module does not read from the memory of this object",
    }
}

pub(super) fn check(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    match inst.op() {
        Op::AccessChain | Op::InBoundsAccessChain => chain(m, inst, 3),
        Op::PtrAccessChain | Op::InBoundsPtrAccessChain => chain(m, inst, 4),
        Op::VectorExtractDynamic => vector(m, inst, 2, 3),
        Op::VectorInsertDynamic => vector(m, inst, 2, 4),
        Op::CopyMemory | Op::CopyMemorySized => {
            written(m, inst, 0)?;
            read(m, inst, 1)
        }
        Op::Store | Op::AtomicStore | Op::AtomicFlagClear => written(m, inst, 0),
        Op::AtomicExchange
        | Op::AtomicCompareExchange
        | Op::AtomicIIncrement
        | Op::AtomicIDecrement
        | Op::AtomicIAdd
        | Op::AtomicISub
        | Op::AtomicSMin
        | Op::AtomicUMin
        | Op::AtomicSMax
        | Op::AtomicUMax
        | Op::AtomicAnd
        | Op::AtomicOr
        | Op::AtomicXor
        | Op::AtomicFAddEXT
        | Op::AtomicFMinEXT
        | Op::AtomicFMaxEXT => {
            written(m, inst, 2)?;
            read(m, inst, 2)
        }
        Op::Load => {
            // What is loaded from there is a handle of an image or a sampler, not memory.
            let class = m.pointer(m.operand_type(inst, 2)).map(|(class, _)| class);
            if class.is_some_and(|class| class == StorageClass::UniformConstant) {
                return Ok(());
            }
            read(m, inst, 2)
        }
        Op::AtomicLoad => read(m, inst, 2),
        Op::ImageRead | Op::ImageSparseRead => {
            let image = m.def(inst.operand(2)).filter(|def| def.op() == Op::Load);
            match image {
                Some(load) if is_decorated(m, load.operand(2), Decoration::NonReadable) => {
                    let root = m.trace_pointer(load.operand(2));
                    fail_at(&WRITE_ONLY, 2, format!("`{}` is NonReadable, but this reads it", m.name(root)))
                }
                _ => Ok(()),
            }
        }
        Op::SpecConstantOp => extracted(m, inst),
        Op::ImageWrite => {
            let image = m.def(inst.operand(0)).filter(|def| def.op() == Op::Load);
            match image {
                Some(load) if is_read_only(m, load.operand(2)) => fail_at(
                    &READ_ONLY,
                    0,
                    format!(
                        "`{}` is NonWritable, but this writes to it",
                        m.name(m.trace_pointer(load.operand(2)))
                    ),
                ),
                _ => Ok(()),
            }
        }
        _ => Ok(()),
    }
}

/// How many elements a type has that an index can name; `None` where only the running program knows.
fn length(m: &RuleContext<'_>, ty: Id) -> Option<u64> {
    match m.op(ty) {
        Op::TypeArray => m.uint(m.def(ty)?.word(3)),
        Op::TypeVector | Op::TypeMatrix => Some(u64::from(m.dimension(ty))),
        _ => None,
    }
}

fn chain(m: &RuleContext<'_>, inst: Inst<'_>, first: usize) -> Verdict {
    let Some((_, mut ty)) = m.pointer(m.operand_type(inst, 2)) else { return Ok(()) };
    for operand in first..inst.count() {
        let index = inst.operand(operand);
        if let (Some(length), Some(value)) = (length(m, ty), m.sint(index))
            && !u64::try_from(value).is_ok_and(|value| value < length)
        {
            let message =
                format!("index {value} is out of bounds of {}, which has {length} elements", m.type_name(ty));
            return fail_at(&CONSTANT_INDEX, operand, message);
        }
        ty = match m.op(ty) {
            Op::TypeStruct => {
                let member = m.uint(index).and_then(|n| m.members(ty).get(usize::try_from(n).ok()?));
                member.copied().unwrap_or(NONE)
            }
            Op::TypeArray | Op::TypeRuntimeArray | Op::TypeVector | Op::TypeMatrix => m.element(ty),
            _ => return Ok(()),
        };
    }
    Ok(())
}

fn vector(m: &RuleContext<'_>, inst: Inst<'_>, vector: usize, index: usize) -> Verdict {
    let ty = m.operand_type(inst, vector);
    match (length(m, ty), m.sint(inst.operand(index))) {
        (Some(length), Some(value)) if !u64::try_from(value).is_ok_and(|value| value < length) => {
            let message = format!(
                "index {value} is out of bounds of {}, which has {length} components",
                m.type_name(ty)
            );
            fail_at(&CONSTANT_INDEX, index, message)
        }
        _ => Ok(()),
    }
}

fn written(m: &RuleContext<'_>, inst: Inst<'_>, operand: usize) -> Verdict {
    let pointer = inst.operand(operand);
    let is_payload = m
        .pointer(m.type_of(pointer))
        .is_some_and(|(class, _)| class == StorageClass::TaskPayloadWorkgroupEXT);
    if is_payload && entry_points(m, inst).any(|entry| entry.model == ExecutionModel::MeshEXT) {
        return fail_at(&READ_ONLY, operand, "a mesh shader only reads the payload of its task shader");
    }
    if !is_read_only(m, pointer) {
        return Ok(());
    }
    let root = m.trace_pointer(pointer);
    fail_at(&READ_ONLY, operand, format!("`{}` is NonWritable, but this writes to it", m.name(root)))
}

fn read(m: &RuleContext<'_>, inst: Inst<'_>, operand: usize) -> Verdict {
    let pointer = inst.operand(operand);
    if !is_decorated(m, pointer, Decoration::NonReadable) {
        return Ok(());
    }
    let root = m.trace_pointer(pointer);
    fail_at(&WRITE_ONLY, operand, format!("`{}` is NonReadable, but this reads it", m.name(root)))
}

/// The literal indices of an OpSpecConstantOp CompositeExtract or CompositeInsert.
fn extracted(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let composite = match inst.opt_operand(2).and_then(|number| u16::try_from(number).ok()).map(Op) {
        Some(Op::CompositeExtract) => 3,
        Some(Op::CompositeInsert) => 4,
        _ => return Ok(()),
    };
    let mut ty = m.operand_type(inst, composite);
    for operand in composite + 1..inst.count() {
        let index = inst.operand(operand) as usize;
        let count = match m.op(ty) {
            Op::TypeStruct => Some(m.members(ty).len() as u64),
            _ => length(m, ty),
        };
        if let Some(count) = count.filter(|count| index as u64 >= *count) {
            let message =
                format!("index {index} is out of bounds of {}, which has {count} elements", m.type_name(ty));
            return fail_at(&CONSTANT_INDEX, operand, message);
        }
        ty = match m.op(ty) {
            Op::TypeStruct => m.members(ty).get(index).copied().unwrap_or(NONE),
            Op::TypeArray | Op::TypeVector | Op::TypeMatrix => m.element(ty),
            _ => return Ok(()),
        };
    }
    Ok(())
}

/// Whether a pointer is, or leads into, something that is decorated as read-only.
fn is_read_only(m: &RuleContext<'_>, pointer: Id) -> bool {
    is_decorated(m, pointer, Decoration::NonWritable)
}

/// Whether a pointer is, or leads into, something that has a decoration.
fn is_decorated(m: &RuleContext<'_>, mut pointer: Id, decoration: u32) -> bool {
    for _ in 0..64 {
        if m.has_decoration(pointer, decoration) {
            return true;
        }
        let Some(def) = m.def(pointer) else { return false };
        let first = match def.op() {
            Op::AccessChain | Op::InBoundsAccessChain => 3,
            Op::CopyObject => {
                pointer = def.operand(2);
                continue;
            }
            _ => return false,
        };
        let base = def.operand(2);
        let Some((_, mut ty)) = m.pointer(m.type_of(base)) else { return false };
        for operand in first..def.count() {
            ty = match m.op(ty) {
                Op::TypeStruct => {
                    let Some(member) = m.uint(def.operand(operand)).and_then(|n| u32::try_from(n).ok())
                    else {
                        return false;
                    };
                    if m.has_member_decoration(ty, member, decoration) {
                        return true;
                    }
                    m.members(ty).get(member as usize).copied().unwrap_or(NONE)
                }
                Op::TypeArray | Op::TypeRuntimeArray | Op::TypeVector | Op::TypeMatrix => m.element(ty),
                _ => return false,
            };
        }
        pointer = base;
    }
    false
}
