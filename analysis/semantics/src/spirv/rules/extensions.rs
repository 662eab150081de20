//! Extensions and extended instruction sets (SPIR-V specification, section 3.52.4).

use wavelens_syntax::closest;
use wavelens_syntax::spirv::tables::{
    Capability, EXTENSIONS, ExtSet, Extension, GlslStd450, Op, StorageClass, extension,
};

use super::arithmetics::{unfit, wrong};
use super::execution_limitations::require_models;
use super::instruction;
use crate::spirv::code::{Id, Inst};
use crate::spirv::context::RuleContext;
use crate::{Severity, Verdict, fail_at};

wavelens_syntax::rules! {
    UNKNOWN_EXTENSION {
        code: "unknown-extension",
        severity: Severity::Warning,
        title: "the name of an extension is not misspelled",
        explain: "Tools ignore extensions that they do not know, so that a misspelled name does not enable anything. Only names close to a known one are reported. Switch it off for extensions that are newer than this program.",
        example: r#"OpCapability Shader
OpCapability Linkage
OpExtension "SPV_KHR_16bit_storag"
OpMemoryModel Logical GLSL450
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
OpExtension "SPV_KHR_16bit_storage"
OpMemoryModel Logical GLSL450
"#,
        source: "Khronos SPIR-V Registry, Extension Specifications; SPIRV-Tools extensions.cpp: \"Found unrecognized extension\"",
    }
}

/// A known extension with almost the same name; not another number of it, and not one that the module declares as well.
fn misspelled(m: &RuleContext<'_>, name: &str) -> Option<&'static str> {
    let near = closest(name, EXTENSIONS.iter().copied())?;
    let letters = |name: &str| name.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    let is_declared = extension(near).is_some_and(|known| m.has_extension(known));
    (letters(near) != letters(name) && !is_declared).then_some(near)
}

pub(super) fn check(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    match inst.op() {
        Op::Extension => {
            let needed = match extension(&inst.string(0)) {
                Some(Extension::SPV_KHR_vulkan_memory_model) => 0x10300,
                Some(
                    Extension::SPV_KHR_workgroup_memory_explicit_layout
                    | Extension::SPV_EXT_mesh_shader
                    | Extension::SPV_NV_shader_invocation_reorder
                    | Extension::SPV_NV_cluster_acceleration_structure
                    | Extension::SPV_NV_linear_swept_spheres,
                ) => 0x10400,
                Some(_) => return Ok(()),
                None => {
                    let name = inst.string(0);
                    return misspelled(m, &name).map_or(Ok(()), |near| {
                        let message = format!("unknown extension \"{name}\"; did you mean \"{near}\"?");
                        fail_at(&UNKNOWN_EXTENSION, 0, message)
                    });
                }
            };
            if m.scope.version < needed {
                let message = format!("{} requires SPIR-V 1.{}", inst.string(0), needed >> 8 & 0xff);
                return fail_at(&instruction::WRONG_VERSION, 0, message);
            }
            Ok(())
        }
        Op::ExtInstImport => {
            let name = inst.string(1);
            if name.starts_with("NonSemantic.")
                && m.scope.version <= 0x10500
                && !m.has_extension(Extension::SPV_KHR_non_semantic_info)
            {
                let message = "before SPIR-V 1.6, non-semantic instruction sets require the SPV_KHR_non_semantic_info extension";
                return fail_at(&instruction::MISSING_EXTENSION, 1, message);
            }
            Ok(())
        }
        Op::ExtInst | Op::ExtInstWithForwardRefsKHR if inst.raw.set == Some(ExtSet::GlslStd450) => {
            glsl(m, inst)
        }
        _ => Ok(()),
    }
}

/// Operand types of GLSL.std.450.
fn glsl(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    type G = GlslStd450;
    let result = inst.ty();
    // Some instructions also take cooperative vectors, component by component.
    if m.is_coop_vector(result) {
        return Ok(());
    }
    let ty = |i: usize| m.operand_type(inst, i);
    let all_result = || {
        (4..inst.count()).try_for_each(|i| match ty(i) == result {
            true => Ok(()),
            false => unfit(m, inst, i, &format!("{}, the Result Type", m.type_name(result))),
        })
    };
    let float_result = || match m.is_float_scalar_or_vector(result) {
        true => Ok(()),
        false => unfit(m, inst, 0, "a float scalar or vector as Result Type"),
    };
    let int_operands = |signed: bool| {
        if !m.is_int_scalar_or_vector(result) || !signed && !m.is_unsigned_scalar_or_vector(result) {
            return unfit(m, inst, 0, "an integer scalar or vector as Result Type");
        }
        (4..inst.count()).try_for_each(|i| {
            let fits = m.is_int_scalar_or_vector(ty(i))
                && m.dimension(ty(i)) == m.dimension(result)
                && m.width(ty(i)) == m.width(result);
            match fits {
                true => Ok(()),
                false => unfit(m, inst, i, &format!("integers of the same size as {}", m.type_name(result))),
            }
        })
    };
    let small_float = || match m.is_float_scalar_or_vector(result) && matches!(m.width(result), 16 | 32) {
        true => Ok(()),
        false => unfit(m, inst, 0, "a 16- or 32-bit float scalar or vector as Result Type"),
    };
    match inst.ext_number() {
        G::Round
        | G::RoundEven
        | G::FAbs
        | G::Trunc
        | G::FSign
        | G::Floor
        | G::Ceil
        | G::Fract
        | G::Sqrt
        | G::InverseSqrt
        | G::FMin
        | G::FMax
        | G::FClamp
        | G::FMix
        | G::Step
        | G::SmoothStep
        | G::Fma
        | G::Normalize
        | G::FaceForward
        | G::Reflect
        | G::NMin
        | G::NMax
        | G::NClamp => {
            float_result()?;
            all_result()
        }
        G::SAbs | G::SSign | G::SMin | G::SMax | G::SClamp => int_operands(true),
        G::UMin | G::UMax | G::UClamp => int_operands(true),
        G::FindUMsb | G::FindSMsb | G::FindILsb => {
            if !m.is_int_scalar_or_vector(result) {
                return unfit(m, inst, 0, "an integer scalar or vector as Result Type");
            }
            if !m.is_int_scalar_or_vector(ty(4)) || m.dimension(ty(4)) != m.dimension(result) {
                return unfit(m, inst, 4, "an integer for each component of Result Type");
            }
            if inst.ext_number() != G::FindILsb && (m.width(result) != 32 || m.width(ty(4)) != 32) {
                return unfit(m, inst, 4, "a 32-bit integer scalar or vector");
            }
            if m.width(result) != m.width(ty(4)) {
                return unfit(m, inst, 4, "integers of the same width as Result Type");
            }
            Ok(())
        }
        G::Radians
        | G::Degrees
        | G::Sin
        | G::Cos
        | G::Tan
        | G::Asin
        | G::Acos
        | G::Atan
        | G::Sinh
        | G::Cosh
        | G::Tanh
        | G::Asinh
        | G::Acosh
        | G::Atanh
        | G::Exp
        | G::Exp2
        | G::Log
        | G::Log2
        | G::Atan2
        | G::Pow => {
            small_float()?;
            all_result()
        }
        G::Determinant => {
            let Some((rows, columns, _, component)) = m.matrix(ty(4)).filter(|x| m.is_float(x.3)) else {
                return unfit(m, inst, 4, "a float matrix");
            };
            if rows != columns {
                return unfit(m, inst, 4, "a square matrix");
            }
            if component != result {
                return unfit(m, inst, 0, &format!("{} as Result Type", m.type_name(component)));
            }
            Ok(())
        }
        G::MatrixInverse => {
            if m.matrix(result).is_none_or(|(rows, columns, _, c)| rows != columns || !m.is_float(c)) {
                return unfit(m, inst, 0, "a square float matrix as Result Type");
            }
            all_result()
        }
        G::Modf => {
            float_result()?;
            if ty(4) != result {
                return unfit(m, inst, 4, &format!("{}, the Result Type", m.type_name(result)));
            }
            points_to(m, inst, 5, result)
        }
        G::ModfStruct => {
            let fits = matches!(m.members(result), [a, b] if a == b && m.is_float_scalar_or_vector(*a) && ty(4) == *a);
            if !fits {
                return unfit(m, inst, 0, "a structure of two identical float types as Result Type");
            }
            Ok(())
        }
        G::Frexp => {
            float_result()?;
            if ty(4) != result {
                return unfit(m, inst, 4, &format!("{}, the Result Type", m.type_name(result)));
            }
            let Some((_, pointee)) = m.pointer(ty(5)) else { return unfit(m, inst, 5, "a pointer") };
            exponent(m, inst, 5, pointee, result)
        }
        G::FrexpStruct => {
            let &[fraction, power] = m.members(result) else {
                return unfit(m, inst, 0, "a structure of two members as Result Type");
            };
            if !m.is_float_scalar_or_vector(fraction) || ty(4) != fraction {
                return unfit(m, inst, 4, "a float of the same type as the first member of Result Type");
            }
            exponent(m, inst, 0, power, fraction)
        }
        G::Ldexp => {
            float_result()?;
            if ty(4) != result {
                return unfit(m, inst, 4, &format!("{}, the Result Type", m.type_name(result)));
            }
            if !m.is_int_scalar_or_vector(ty(5)) || m.dimension(ty(5)) != m.dimension(result) {
                return unfit(m, inst, 5, "an integer for each component of Result Type");
            }
            Ok(())
        }
        G::Length | G::Distance => {
            if !m.is_float(result) {
                return unfit(m, inst, 0, "a float as Result Type");
            }
            (4..inst.count()).try_for_each(|i| {
                let fits =
                    m.is_float_scalar_or_vector(ty(i)) && m.component(ty(i)) == result && ty(i) == ty(4);
                match fits {
                    true => Ok(()),
                    false => unfit(m, inst, i, &format!("{} or a vector of it", m.type_name(result))),
                }
            })
        }
        G::Cross => {
            float_result()?;
            if m.dimension(result) != 3 {
                return unfit(m, inst, 0, "a vector of 3 components as Result Type");
            }
            all_result()
        }
        G::Refract => {
            float_result()?;
            for i in [4, 5] {
                if ty(i) != result {
                    return unfit(m, inst, i, &format!("{}, the Result Type", m.type_name(result)));
                }
            }
            if !m.is_float(ty(6)) {
                return unfit(m, inst, 6, "a float");
            }
            Ok(())
        }
        G::InterpolateAtCentroid | G::InterpolateAtSample | G::InterpolateAtOffset => interpolate(m, inst),
        G::PackSnorm4x8 | G::PackUnorm4x8 => pack(m, inst, 4, 32),
        G::PackSnorm2x16 | G::PackUnorm2x16 | G::PackHalf2x16 => pack(m, inst, 2, 32),
        G::UnpackSnorm4x8 | G::UnpackUnorm4x8 => unpack(m, inst, 4),
        G::UnpackSnorm2x16 | G::UnpackUnorm2x16 | G::UnpackHalf2x16 => unpack(m, inst, 2),
        G::PackDouble2x32 => {
            if !m.is_float(result) || m.width(result) != 64 {
                return unfit(m, inst, 0, "a 64-bit float as Result Type");
            }
            if !m.is_int_vector(ty(4)) || m.dimension(ty(4)) != 2 || m.width(ty(4)) != 32 {
                return unfit(m, inst, 4, "a vector of two 32-bit integers");
            }
            Ok(())
        }
        G::UnpackDouble2x32 => {
            if !m.is_int_vector(result) || m.dimension(result) != 2 || m.width(result) != 32 {
                return unfit(m, inst, 0, "a vector of two 32-bit integers as Result Type");
            }
            if !m.is_float(ty(4)) || m.width(ty(4)) != 64 {
                return unfit(m, inst, 4, "a 64-bit float");
            }
            Ok(())
        }
        G::IMix => wrong(3, "IMix is not supported; use OpSelect"),
        _ => Ok(()),
    }
}

fn points_to(m: &RuleContext<'_>, inst: Inst<'_>, operand: usize, needed: Id) -> Verdict {
    match m.pointer(m.operand_type(inst, operand)) {
        Some((_, pointee)) if pointee == needed => Ok(()),
        _ => unfit(m, inst, operand, &format!("a pointer to {}", m.type_name(needed))),
    }
}

/// A 32-bit integer for each component of a float.
fn exponent(m: &RuleContext<'_>, inst: Inst<'_>, operand: usize, ty: Id, float: Id) -> Verdict {
    let fits = m.is_int_scalar_or_vector(ty)
        && (m.width(ty) == 32 || m.has_extension(Extension::SPV_AMD_gpu_shader_int16) && m.width(ty) == 16)
        && m.dimension(ty) == m.dimension(float);
    if fits {
        return Ok(());
    }
    unfit(m, inst, operand, "a 32-bit integer for each component")
}

fn pack(m: &RuleContext<'_>, inst: Inst<'_>, components: u32, width: u32) -> Verdict {
    if !m.is_int(inst.ty()) || m.width(inst.ty()) != 32 {
        return unfit(m, inst, 0, "a 32-bit integer as Result Type");
    }
    let ty = m.operand_type(inst, 4);
    if !m.is_float_vector(ty) || m.dimension(ty) != components || m.width(ty) != width {
        return unfit(m, inst, 4, &format!("{components} {width}-bit floats"));
    }
    Ok(())
}

fn unpack(m: &RuleContext<'_>, inst: Inst<'_>, components: u32) -> Verdict {
    if !m.is_float_vector(inst.ty()) || m.dimension(inst.ty()) != components || m.width(inst.ty()) != 32 {
        return unfit(m, inst, 0, &format!("{components} 32-bit floats as Result Type"));
    }
    let ty = m.operand_type(inst, 4);
    if !m.is_int(ty) || m.width(ty) != 32 {
        return unfit(m, inst, 4, "a 32-bit integer");
    }
    Ok(())
}

fn interpolate(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    if !m.has_capability(Capability::InterpolationFunction) {
        return fail_at(
            &instruction::MISSING_CAPABILITY,
            3,
            "interpolation functions require the InterpolationFunction capability",
        );
    }
    if m.has_extension(Extension::SPV_AMD_gpu_shader_half_float) {
        if !m.is_float_scalar_or_vector(inst.ty()) || !matches!(m.width(inst.ty()), 16 | 32) {
            return unfit(m, inst, 0, "a 16- or 32-bit float scalar or vector as Result Type");
        }
    } else if !m.is_float_scalar_or_vector(inst.ty()) || m.width(inst.ty()) != 32 {
        return unfit(m, inst, 0, "a 32-bit float scalar or vector as Result Type");
    }
    let Some((class, pointee)) = m.pointer(m.operand_type(inst, 4)) else {
        return unfit(m, inst, 4, "a pointer");
    };
    if class != StorageClass::Input {
        return unfit(m, inst, 4, "a pointer to Input");
    }
    if pointee != inst.ty() {
        return unfit(m, inst, 4, &format!("a pointer to {}", m.type_name(inst.ty())));
    }
    let ty = m.operand_type(inst, 5);
    match inst.ext_number() {
        GlslStd450::InterpolateAtSample if !m.is_int(ty) || m.width(ty) != 32 => {
            return unfit(m, inst, 5, "a 32-bit integer");
        }
        GlslStd450::InterpolateAtOffset
            if !m.is_float_vector(ty) || m.dimension(ty) != 2 || m.width(ty) != 32 =>
        {
            return unfit(m, inst, 5, "a vector of two 32-bit floats");
        }
        _ => {}
    }
    require_models(m, inst, &[wavelens_syntax::spirv::tables::ExecutionModel::Fragment])
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::spirv::rules::testing::findings;

    #[test]
    fn extended_instructions_take_fitting_operands() {
        let text = r#"OpCapability Shader
OpCapability Linkage
OpExtension "SPV_KHR_16bit_storag"
OpExtension "SPV_KHR_no_such_thing"
%glsl = OpExtInstImport "GLSL.std.450"
%what = OpExtInstImport "No.such.set"
%near = OpExtInstImport "GLSL.std.45"
OpMemoryModel Logical GLSL450
%void = OpTypeVoid
%int = OpTypeInt 32 1
%float = OpTypeFloat 32
%vec2 = OpTypeVector %float 2
%i1 = OpConstant %int 1
%f1 = OpConstant %float 1
%v2 = OpConstantNull %vec2
%fn = OpTypeFunction %void
%f = OpFunction %void None %fn
%entry = OpLabel
%a = OpExtInst %int %glsl FMax %i1 %i1
%b = OpExtInst %float %glsl FMax %f1 %i1
%c = OpExtInst %float %glsl Length %f1 %f1
%d = OpExtInst %vec2 %glsl Cross %v2 %v2
%e = OpExtInst %float %glsl Maximum %f1 %f1
OpReturn
OpFunctionEnd
"#;
        expect![[r#"
            warning[unknown-extension] 3:13 `"SPV_KHR_16bit_storag"`: unknown extension "SPV_KHR_16bit_storag"; did you mean "SPV_KHR_16bit_storage"?
            error[invalid-operand] 6:25 `"No.such.set"`: unknown extended instruction set "No.such.set"
            error[invalid-operand] 7:25 `"GLSL.std.45"`: unknown extended instruction set "GLSL.std.45"; did you mean "GLSL.std.450"?
            error[operand-type] 19:16 `%int`: expected a float scalar or vector as Result Type, found int
            error[operand-type] 20:38 `%i1`: expected float, the Result Type, found int
            error[invalid-operand] 21:40 `%f1`: unexpected operand `%f1` of Length
            error[operand-type] 22:16 `%vec2`: expected a vector of 3 components as Result Type, found vec2
            error[invalid-operand] 23:29 `Maximum`: unknown instruction `Maximum` of the set GlslStd450
        "#]]
        .assert_eq(&findings(text));
    }
}
