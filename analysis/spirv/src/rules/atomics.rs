//! Atomic instructions (SPIR-V specification, section 3.52.18).

use wavelens_syntax::spirv::tables::{Capability, MemorySemantics, Op, StorageClass};

use super::arithmetics::{OPERAND_TYPE, unfit, wrong};
use super::{instruction, memory_semantics, scopes};
use crate::code::{Id, Inst};
use crate::context::RuleContext;
use crate::flat::NONE;
use crate::ops::is_atomic;
use wavelens_base::Verdict;
use wavelens_base::configuration::Env;

/// Two or four 16-bit floats.
fn is_half_vector(m: &RuleContext<'_>, ty: Id) -> bool {
    m.is_float_vector(ty) && matches!(m.dimension(ty), 2 | 4) && m.width(ty) == 16
}

pub(super) fn instruction(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let op = inst.op();
    if !is_atomic(op) {
        return Ok(());
    }
    let result = inst.ty();
    let float_op = matches!(op, Op::AtomicFAddEXT | Op::AtomicFMinEXT | Op::AtomicFMaxEXT);
    let half = m.has_capability(Capability::AtomicFloat16VectorNV) && is_half_vector(m, result);
    let returns = !matches!(op, Op::AtomicStore | Op::AtomicFlagClear);
    if returns {
        let (fits, needed) = match op {
            Op::AtomicFlagTestAndSet => (m.is_bool(result), "a Boolean as Result Type"),
            Op::AtomicLoad | Op::AtomicExchange => (
                m.is_float(result) || m.is_int(result) || op == Op::AtomicExchange && half,
                "an integer or float as Result Type",
            ),
            _ if float_op => (m.is_float(result) || half, "a float as Result Type"),
            _ => (m.is_int(result), "an integer as Result Type"),
        };
        if !fits {
            return unfit(m, inst, 0, needed);
        }
    }
    let mut at = if returns { 2 } else { 0 };
    let pointer = at;
    let Some((class, pointee)) = m.pointer(m.operand_type(inst, pointer)) else {
        return unfit(m, inst, pointer, "a pointer");
    };
    let flag = matches!(op, Op::AtomicFlagTestAndSet | Op::AtomicFlagClear);
    let data = match pointee {
        NONE if flag => return unfit(m, inst, pointer, "a typed pointer"),
        NONE if op == Op::AtomicStore => m.operand_type(inst, 3),
        NONE => result,
        pointee => pointee,
    };
    if m.is_int(data) && m.width(data) == 64 && !m.has_capability(Capability::Int64Atomics) {
        return wrong(pointer, "64-bit atomics require the Int64Atomics capability");
    }
    storage(m, inst, pointer, class)?;
    if m.has_capability(Capability::Shader) && float_op {
        float_capability(m, inst)?;
    }
    if flag {
        if !m.is_int(data) || m.width(data) != 32 {
            return unfit(m, inst, pointer, "a pointer to a 32-bit integer");
        }
    } else if op == Op::AtomicStore {
        if !m.is_float(data) && !m.is_int(data) {
            return unfit(m, inst, pointer, "a pointer to an integer or float");
        }
    } else if data != result {
        return unfit(m, inst, pointer, &format!("a pointer to {}, the Result Type", m.type_name(result)));
    }
    let scope = at + 1;
    scopes::memory(m, inst, scope)?;
    memory_semantics::check(m, inst, at + 2, scope)?;
    at += 3;
    let exchange = matches!(op, Op::AtomicCompareExchange | Op::AtomicCompareExchangeWeak);
    if exchange {
        memory_semantics::check(m, inst, at, scope)?;
        let volatile = |i: usize| m.const_int32(inst.operand(i)).1.map(|v| v & MemorySemantics::Volatile);
        if let (Some(a), Some(b)) = (volatile(at - 1), volatile(at))
            && a != b
        {
            return wrong(at, "Volatile must be set in both memory semantics or in neither");
        }
        at += 1;
    }
    let needed = if op == Op::AtomicStore { data } else { result };
    let values = match op {
        Op::AtomicLoad
        | Op::AtomicIIncrement
        | Op::AtomicIDecrement
        | Op::AtomicFlagTestAndSet
        | Op::AtomicFlagClear => 0,
        _ if exchange => 2,
        _ => 1,
    };
    (at..at + values).try_for_each(|i| match m.operand_type(inst, i) == needed {
        true => Ok(()),
        false => unfit(m, inst, i, &m.type_name(needed)),
    })
}

fn storage(m: &RuleContext<'_>, inst: Inst<'_>, pointer: usize, class: u32) -> Verdict {
    let universal = matches!(
        class,
        StorageClass::Uniform
            | StorageClass::StorageBuffer
            | StorageClass::Workgroup
            | StorageClass::CrossWorkgroup
            | StorageClass::Generic
            | StorageClass::AtomicCounter
            | StorageClass::Image
            | StorageClass::Function
            | StorageClass::PhysicalStorageBuffer
            | StorageClass::TaskPayloadWorkgroupEXT
    );
    if !universal {
        return unfit(m, inst, pointer, "a pointer to a storage class that allows atomics");
    }
    if m.has_capability(Capability::Shader) {
        let vulkan = matches!(
            class,
            StorageClass::Uniform
                | StorageClass::StorageBuffer
                | StorageClass::Workgroup
                | StorageClass::Image
                | StorageClass::PhysicalStorageBuffer
                | StorageClass::TaskPayloadWorkgroupEXT
        );
        if m.scope.env.is_vulkan() && !vulkan {
            return unfit(
                m,
                inst,
                pointer,
                "a pointer to a storage class that allows atomics in Vulkan [VUID-StandaloneSpirv-None-04686]",
            );
        }
        if !m.scope.env.is_vulkan() && class == StorageClass::Function {
            return unfit(m, inst, pointer, "a pointer to a storage class other than Function in shaders");
        }
    }
    if m.scope.env.is_opencl() {
        let opencl = matches!(
            class,
            StorageClass::Function
                | StorageClass::Workgroup
                | StorageClass::CrossWorkgroup
                | StorageClass::Generic
        );
        if !opencl || m.scope.env == Env::OpenCl12 && class == StorageClass::Generic {
            return unfit(m, inst, pointer, "a pointer to a storage class that allows atomics in OpenCL");
        }
    }
    Ok(())
}

fn float_capability(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let ty = inst.ty();
    let add = inst.op() == Op::AtomicFAddEXT;
    let needed = match (m.width(ty), add) {
        (16, _) if is_half_vector(m, ty) => Capability::AtomicFloat16VectorNV,
        (16, true) => Capability::AtomicFloat16AddEXT,
        (32, true) => Capability::AtomicFloat32AddEXT,
        (64, true) => Capability::AtomicFloat64AddEXT,
        (16, false) => Capability::AtomicFloat16MinMaxEXT,
        (32, false) => Capability::AtomicFloat32MinMaxEXT,
        (64, false) => Capability::AtomicFloat64MinMaxEXT,
        _ => return Ok(()),
    };
    if !m.lacks_capability(needed) {
        return Ok(());
    }
    let name = wavelens_syntax::spirv::tables::Kind::Capability.valued(needed).map_or("", |e| e.name);
    let what = format!("the use of {} in {}", m.type_name(ty), inst.op().name());
    Err(instruction::missing_arithmetic(&OPERAND_TYPE, 0, &what, name))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::testing::Shader;

    #[test]
    fn atomics_take_pointers_to_numbers() {
        let shader = Shader {
            types: "%p = OpTypePointer Workgroup %float
%q = OpTypePointer Workgroup %uint
%f = OpVariable %p Workgroup
%u = OpVariable %q Workgroup",
            body: "%a = OpAtomicIAdd %uint %f %u1 %u0 %u1
%b = OpAtomicIAdd %uint %u %u1 %u0 %f1
%c = OpAtomicLoad %uint %u1 %u1 %u0
OpAtomicStore %u %u1 %u0 %f1",
            ..Shader::NEW
        };
        expect![[r#"
            error[operand-type] `%f`: expected a pointer to uint, the Result Type, found ptr Workgroup float
              32:1 `%f`: defined here
            error[operand-type] `%f1`: expected uint, found float
              25:1 `%f1`: defined here
            error[operand-type] `%u1`: expected a pointer, found uint
              22:1 `%u1`: defined here
            error[operand-type] `%f1`: expected uint, found float
              25:1 `%f1`: defined here
        "#]]
        .assert_eq(&shader.findings());
    }

    #[test]
    fn both_semantics_of_an_exchange_are_volatile_or_neither() {
        let shader = Shader {
            head: "OpCapability Shader\nOpCapability VulkanMemoryModel\nOpExtension \"SPV_KHR_vulkan_memory_model\"",
            types: "%q = OpTypePointer Workgroup %uint
%u = OpVariable %q Workgroup
%volatile = OpConstant %uint 32768",
            body: "%a = OpAtomicCompareExchange %uint %u %u2 %volatile %volatile %u1 %u0
%b = OpAtomicCompareExchange %uint %u %u2 %volatile %u0 %u1 %u0
%c = OpAtomicCompareExchange %uint %u %u2 %u0 %volatile %u1 %u0
%d = OpAtomicExchange %uint %u %u2 %volatile %u0",
            ..Shader::NEW
        };
        expect![[r#"
            error[operand-type] `%u0`: Volatile must be set in both memory semantics or in neither
              22:1 `%u0`: defined here
            error[operand-type] `%volatile`: Volatile must be set in both memory semantics or in neither
              33:1 `%volatile`: defined here
        "#]]
        .assert_eq(&shader.findings());
    }

    /// A float atomic requires the capability for its width, and for its operation.
    #[test]
    fn float_atomics_have_their_capabilities() {
        let of = |capability: &str| {
            let head = format!(
                "; target-env: spv1.3\nOpCapability Shader\nOpCapability VulkanMemoryModel\nOpCapability Float16\nOpCapability Float64\n\
                 {capability}OpExtension \"SPV_KHR_vulkan_memory_model\"\nOpExtension \"SPV_EXT_shader_atomic_float_add\"\n\
                 OpExtension \"SPV_EXT_shader_atomic_float16_add\"\nOpExtension \"SPV_EXT_shader_atomic_float_min_max\"\n\
                 OpExtension \"SPV_NV_shader_atomic_fp16_vector\""
            );
            let shader = Shader {
                head: &head,
                types: "%half = OpTypeFloat 16
%half2 = OpTypeVector %half 2
%double = OpTypeFloat 64
%p16 = OpTypePointer Workgroup %half
%pv = OpTypePointer Workgroup %half2
%p32 = OpTypePointer Workgroup %float
%p64 = OpTypePointer Workgroup %double
%v16 = OpVariable %p16 Workgroup
%vv = OpVariable %pv Workgroup
%v32 = OpVariable %p32 Workgroup
%v64 = OpVariable %p64 Workgroup
%c16 = OpConstant %half 1
%cv = OpConstantComposite %half2 %c16 %c16
%c64 = OpConstant %double 1",
                body: "%a = OpAtomicFAddEXT %half %v16 %u2 %u0 %c16
%b = OpAtomicFAddEXT %float %v32 %u2 %u0 %f1
%c = OpAtomicFAddEXT %double %v64 %u2 %u0 %c64
%d = OpAtomicFAddEXT %half2 %vv %u2 %u0 %cv
%e = OpAtomicFMinEXT %half %v16 %u2 %u0 %c16
%f = OpAtomicFMaxEXT %float %v32 %u2 %u0 %f1
%g = OpAtomicFMinEXT %double %v64 %u2 %u0 %c64
%h = OpAtomicFMaxEXT %half2 %vv %u2 %u0 %cv",
                ..Shader::NEW
            };
            shader
                .findings()
                .lines()
                .filter(|line| !line.starts_with(' '))
                .map(|l| format!("{l}\n"))
                .collect::<String>()
        };
        let all = [
            "",
            "AtomicFloat16AddEXT",
            "AtomicFloat32AddEXT",
            "AtomicFloat64AddEXT",
            "AtomicFloat16MinMaxEXT",
            "AtomicFloat32MinMaxEXT",
            "AtomicFloat64MinMaxEXT",
            "AtomicFloat16VectorNV",
        ];
        let found = all.map(|name| match name {
            "" => of(""),
            name => format!("with {name}:\n{}", of(&format!("OpCapability {name}\n"))),
        });
        expect![[r#"
            error[missing-capability] `%a = OpAtomicFAddEXT %half %v16 %u2 %u0 %c16`: OpAtomicFAddEXT requires the AtomicFloat16AddEXT, AtomicFloat32AddEXT, AtomicFloat64AddEXT or AtomicFloat16VectorNV capability
            error[missing-capability] `%e = OpAtomicFMinEXT %half %v16 %u2 %u0 %c16`: OpAtomicFMinEXT requires the AtomicFloat16MinMaxEXT, AtomicFloat32MinMaxEXT, AtomicFloat64MinMaxEXT or AtomicFloat16VectorNV capability
            with AtomicFloat16AddEXT:
            error[operand-type] `%float`: the use of float in OpAtomicFAddEXT requires the AtomicFloat32AddEXT capability
            error[operand-type] `%double`: the use of double in OpAtomicFAddEXT requires the AtomicFloat64AddEXT capability
            error[operand-type] `%half2`: expected a float as Result Type, found f16vec2
            error[missing-capability] `%e = OpAtomicFMinEXT %half %v16 %u2 %u0 %c16`: OpAtomicFMinEXT requires the AtomicFloat16MinMaxEXT, AtomicFloat32MinMaxEXT, AtomicFloat64MinMaxEXT or AtomicFloat16VectorNV capability
            with AtomicFloat32AddEXT:
            error[operand-type] `%half`: the use of float16_t in OpAtomicFAddEXT requires the AtomicFloat16AddEXT capability
            error[operand-type] `%double`: the use of double in OpAtomicFAddEXT requires the AtomicFloat64AddEXT capability
            error[operand-type] `%half2`: expected a float as Result Type, found f16vec2
            error[missing-capability] `%e = OpAtomicFMinEXT %half %v16 %u2 %u0 %c16`: OpAtomicFMinEXT requires the AtomicFloat16MinMaxEXT, AtomicFloat32MinMaxEXT, AtomicFloat64MinMaxEXT or AtomicFloat16VectorNV capability
            with AtomicFloat64AddEXT:
            error[operand-type] `%half`: the use of float16_t in OpAtomicFAddEXT requires the AtomicFloat16AddEXT capability
            error[operand-type] `%float`: the use of float in OpAtomicFAddEXT requires the AtomicFloat32AddEXT capability
            error[operand-type] `%half2`: expected a float as Result Type, found f16vec2
            error[missing-capability] `%e = OpAtomicFMinEXT %half %v16 %u2 %u0 %c16`: OpAtomicFMinEXT requires the AtomicFloat16MinMaxEXT, AtomicFloat32MinMaxEXT, AtomicFloat64MinMaxEXT or AtomicFloat16VectorNV capability
            with AtomicFloat16MinMaxEXT:
            error[missing-capability] `%a = OpAtomicFAddEXT %half %v16 %u2 %u0 %c16`: OpAtomicFAddEXT requires the AtomicFloat16AddEXT, AtomicFloat32AddEXT, AtomicFloat64AddEXT or AtomicFloat16VectorNV capability
            error[operand-type] `%float`: the use of float in OpAtomicFMaxEXT requires the AtomicFloat32MinMaxEXT capability
            error[operand-type] `%double`: the use of double in OpAtomicFMinEXT requires the AtomicFloat64MinMaxEXT capability
            error[operand-type] `%half2`: expected a float as Result Type, found f16vec2
            with AtomicFloat32MinMaxEXT:
            error[missing-capability] `%a = OpAtomicFAddEXT %half %v16 %u2 %u0 %c16`: OpAtomicFAddEXT requires the AtomicFloat16AddEXT, AtomicFloat32AddEXT, AtomicFloat64AddEXT or AtomicFloat16VectorNV capability
            error[operand-type] `%half`: the use of float16_t in OpAtomicFMinEXT requires the AtomicFloat16MinMaxEXT capability
            error[operand-type] `%double`: the use of double in OpAtomicFMinEXT requires the AtomicFloat64MinMaxEXT capability
            error[operand-type] `%half2`: expected a float as Result Type, found f16vec2
            with AtomicFloat64MinMaxEXT:
            error[missing-capability] `%a = OpAtomicFAddEXT %half %v16 %u2 %u0 %c16`: OpAtomicFAddEXT requires the AtomicFloat16AddEXT, AtomicFloat32AddEXT, AtomicFloat64AddEXT or AtomicFloat16VectorNV capability
            error[operand-type] `%half`: the use of float16_t in OpAtomicFMinEXT requires the AtomicFloat16MinMaxEXT capability
            error[operand-type] `%float`: the use of float in OpAtomicFMaxEXT requires the AtomicFloat32MinMaxEXT capability
            error[operand-type] `%half2`: expected a float as Result Type, found f16vec2
            with AtomicFloat16VectorNV:
            error[operand-type] `%half`: the use of float16_t in OpAtomicFAddEXT requires the AtomicFloat16AddEXT capability
            error[operand-type] `%float`: the use of float in OpAtomicFAddEXT requires the AtomicFloat32AddEXT capability
            error[operand-type] `%double`: the use of double in OpAtomicFAddEXT requires the AtomicFloat64AddEXT capability
            error[operand-type] `%half`: the use of float16_t in OpAtomicFMinEXT requires the AtomicFloat16MinMaxEXT capability
            error[operand-type] `%float`: the use of float in OpAtomicFMaxEXT requires the AtomicFloat32MinMaxEXT capability
            error[operand-type] `%double`: the use of double in OpAtomicFMinEXT requires the AtomicFloat64MinMaxEXT capability
        "#]].assert_eq(&found.concat());
    }
}
