//! Undefined values, clocks, hints, derivatives, primitives, and types that few instructions take.

use wavelens_syntax::spirv::tables::{Capability, ExecutionMode, ExecutionModel, Op, Scope};
use wavelens_syntax::wording;

use super::arithmetics::{OPERAND_TYPE, unfit, wrong};
use super::execution_limitations::{require_models, require_modes};
use super::instruction;
use crate::code::Inst;
use crate::context::RuleContext;
use crate::flat::NONE;
use crate::ops;
use wavelens_base::Verdict;

pub(super) fn instruction(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let result = inst.ty();
    match inst.op() {
        Op::Undef => {
            if m.is_void(result) {
                return wrong(0, "OpUndef must not be void");
            }
            if m.has_capability(Capability::Shader)
                && !m.is_pointer(result)
                && let Some(capability) = m.missing_arithmetic(result)
            {
                let what = format!("OpUndef of {}", m.type_name(result));
                return wrong(0, wording::requires(what, format_args!("the {capability} capability")));
            }
            Ok(())
        }
        Op::SamplerImageAddressingModeNV if !matches!(inst.operand(0), 32 | 64) => {
            wrong(0, "Bit Width must be 32 or 64")
        }
        Op::BeginInvocationInterlockEXT | Op::EndInvocationInterlockEXT => {
            require_models(m, inst, &[ExecutionModel::Fragment])?;
            let modes = [
                ExecutionMode::PixelInterlockOrderedEXT,
                ExecutionMode::PixelInterlockUnorderedEXT,
                ExecutionMode::SampleInterlockOrderedEXT,
                ExecutionMode::SampleInterlockUnorderedEXT,
                ExecutionMode::ShadingRateInterlockOrderedEXT,
                ExecutionMode::ShadingRateInterlockUnorderedEXT,
            ];
            require_modes(m, inst, &[ExecutionModel::Fragment], &modes)
        }
        Op::DemoteToHelperInvocation => require_models(m, inst, &[ExecutionModel::Fragment]),
        Op::IsHelperInvocationEXT => {
            require_models(m, inst, &[ExecutionModel::Fragment])?;
            if !m.is_bool(result) {
                return unfit(m, inst, 0, "a Boolean as Result Type");
            }
            Ok(())
        }
        Op::ReadClockKHR => clock(m, inst),
        Op::AssumeTrueKHR if !m.is_bool(m.operand_type(inst, 0)) => unfit(m, inst, 0, "a Boolean"),
        Op::ExpectKHR => {
            if !m.is_bool_scalar_or_vector(result) && !m.is_int_scalar_or_vector(result) {
                return unfit(m, inst, 0, "an integer or Boolean as Result Type");
            }
            (2..4).try_for_each(|i| match m.operand_type(inst, i) == result {
                true => Ok(()),
                false => unfit(m, inst, i, &format!("{}, the Result Type", m.type_name(result))),
            })
        }
        Op::DPdx
        | Op::DPdy
        | Op::Fwidth
        | Op::DPdxFine
        | Op::DPdyFine
        | Op::FwidthFine
        | Op::DPdxCoarse
        | Op::DPdyCoarse
        | Op::FwidthCoarse => derivative(m, inst),
        Op::EmitVertex | Op::EndPrimitive => require_models(m, inst, &[ExecutionModel::Geometry]),
        Op::EmitStreamVertex | Op::EndStreamPrimitive => {
            require_models(m, inst, &[ExecutionModel::Geometry])?;
            if !m.is_int(m.operand_type(inst, 0)) || !ops::is_constant(m.op(inst.operand(0))) {
                return unfit(m, inst, 0, "a constant integer as Stream");
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

fn clock(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let (is_int, value) = m.const_int32(inst.operand(2));
    if !is_int {
        return unfit(m, inst, 2, "a 32-bit integer as Scope");
    }
    if let Some(value) = value {
        let vulkan = matches!(value, Scope::Subgroup | Scope::Device);
        if m.scope.env.is_vulkan() && !vulkan
            || m.scope.env.is_opencl() && !vulkan && value != Scope::Workgroup
            || value > Scope::ShaderCallKHR
        {
            return wrong(
                2,
                "Scope of OpReadClockKHR must be Subgroup or Device [VUID-StandaloneSpirv-OpReadClockKHR-04652]",
            );
        }
    } else if m.has_capability(Capability::Shader) && !m.has_capability(Capability::CooperativeMatrixNV) {
        return wrong(2, "in shaders, Scope must be an OpConstant");
    }
    if !m.is_unsigned_64_bit_handle(inst.ty()) {
        return unfit(m, inst, 0, "a 64-bit unsigned integer or a vector of two 32-bit ones as Result Type");
    }
    Ok(())
}

fn derivative(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let result = inst.ty();
    if !m.is_float_scalar_or_vector(result) || m.width(result) != 32 {
        return unfit(m, inst, 0, "a 32-bit float scalar or vector as Result Type");
    }
    if m.operand_type(inst, 2) != result {
        return unfit(m, inst, 2, &format!("{}, the Result Type", m.type_name(result)));
    }
    let others = [ExecutionModel::GLCompute, ExecutionModel::MeshEXT, ExecutionModel::TaskEXT];
    let all = [others[0], others[1], others[2], ExecutionModel::Fragment];
    require_models(m, inst, &all)?;
    let modes = [ExecutionMode::DerivativeGroupLinearKHR, ExecutionMode::DerivativeGroupQuadsKHR];
    require_modes(m, inst, &others, &modes)
}

/// bfloat16 and 8-bit floats go through conversions, copies and cooperative matrices only.
pub(super) fn invalid_type(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let op = inst.op();
    let (operand, ty) = match op {
        Op::ExtInst
        | Op::FAdd
        | Op::FSub
        | Op::FMul
        | Op::FDiv
        | Op::FRem
        | Op::FMod
        | Op::FNegate
        | Op::VectorTimesScalar
        | Op::VectorTimesMatrix
        | Op::MatrixTimesVector
        | Op::DPdx
        | Op::DPdy
        | Op::Fwidth
        | Op::DPdxFine
        | Op::DPdyFine
        | Op::FwidthFine
        | Op::DPdxCoarse
        | Op::DPdyCoarse
        | Op::FwidthCoarse
        | Op::AtomicFAddEXT
        | Op::AtomicFMinEXT
        | Op::AtomicFMaxEXT
        | Op::AtomicLoad
        | Op::AtomicExchange
        | Op::GroupNonUniformRotateKHR
        | Op::GroupNonUniformBroadcast
        | Op::GroupNonUniformShuffle
        | Op::GroupNonUniformShuffleXor
        | Op::GroupNonUniformShuffleUp
        | Op::GroupNonUniformShuffleDown
        | Op::GroupNonUniformQuadBroadcast
        | Op::GroupNonUniformQuadSwap
        | Op::GroupNonUniformBroadcastFirst
        | Op::GroupNonUniformFAdd
        | Op::GroupNonUniformFMul
        | Op::GroupNonUniformFMin => (0, inst.ty()),
        Op::IsNan
        | Op::IsInf
        | Op::IsFinite
        | Op::IsNormal
        | Op::SignBitSet
        | Op::FOrdEqual
        | Op::FUnordEqual
        | Op::FOrdNotEqual
        | Op::FUnordNotEqual
        | Op::FOrdLessThan
        | Op::FUnordLessThan
        | Op::FOrdGreaterThan
        | Op::FUnordGreaterThan
        | Op::FOrdLessThanEqual
        | Op::FUnordLessThanEqual
        | Op::FOrdGreaterThanEqual
        | Op::FUnordGreaterThanEqual => (2, m.operand_type(inst, 2)),
        Op::GroupNonUniformAllEqual => (3, m.operand_type(inst, 3)),
        Op::MatrixTimesScalar | Op::MatrixTimesMatrix | Op::OuterProduct => {
            (0, m.matrix(inst.ty()).map_or(NONE, |x| x.3))
        }
        // bfloat16 has a capability of its own.
        Op::Dot if m.is_fp8(inst.ty()) => (0, inst.ty()),
        _ => return Ok(()),
    };
    if m.is_bfloat16_scalar_or_vector(ty) || m.is_fp8_scalar_or_vector(ty) {
        return wrong(operand, format!("{} must not use {}", op.name(), m.type_name(ty)));
    }
    Ok(())
}

/// Whether there are numbers that [`small_type_use`] may find.
pub(super) fn has_limited_numbers(m: &RuleContext<'_>) -> bool {
    m.has_capability(Capability::Shader) && m.has_limited_numbers()
}

/// 8- and 16-bit results are stored, copied and converted, unless a capability allows arithmetic.
pub(super) fn small_type_use(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    if matches!(
        inst.op(),
        Op::Decorate
            | Op::DecorateId
            | Op::CopyObject
            | Op::Store
            | Op::FConvert
            | Op::UConvert
            | Op::SConvert
    ) {
        return Ok(());
    }
    for (operand, kind, id) in inst.ids() {
        if kind == wavelens_syntax::spirv::tables::Kind::TypeId {
            continue;
        }
        let ty = m.type_of(id);
        if ty != NONE
            && !m.is_pointer(ty)
            && let Some(capability) = m.missing_arithmetic(ty)
        {
            let what = format!("the use of {} in {}", m.type_name(ty), inst.op().name());
            return Err(instruction::missing_arithmetic(&OPERAND_TYPE, operand, &what, capability));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::testing::{Shader, marks};

    #[test]
    fn undefined_values_have_a_type() {
        let shader = Shader {
            types: "%h = OpTypeFunction %float",
            body: "%a = OpUndef %void
%b = OpCopyObject %int %f1",
            ..Shader::NEW
        };
        expect![[r#"
            error[operand-type] `%void`: OpUndef must not be void
              8:1 `%void`: defined here
            error[composite-type] `%f1`: expected int, but `%f1` is float
              25:1 `%f1`: defined here
        "#]]
        .assert_eq(&shader.findings());
    }

    #[test]
    fn handles_have_32_or_64_bits() {
        marks(expect![[r#"
            OpCapability Shader
            OpCapability Linkage
            OpCapability BindlessTextureNV
            OpExtension "SPV_NV_bindless_texture"
            OpMemoryModel Logical GLSL450
            OpSamplerImageAddressingModeNV 16
            ;                              ^^ error[operand-type]: Bit Width must be 32 or 64
        "#]]);
    }
}
