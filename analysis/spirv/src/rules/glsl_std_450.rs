//! Operand types of GLSL.std.450 (GLSL Extended Instruction Set specification).

use wavelens_syntax::spirv::tables::{
    Capability, ExecutionModel, ExtSet, Extension, GlslStd450 as G, StorageClass,
};

use super::arithmetics::wrong;
use super::execution_limitations::require_models;
use super::ext_inst::ExtInst;
use super::instruction;
use crate::code::{Id, Inst};
use crate::context::RuleContext;
use wavelens_base::{Verdict, fail_at};

pub(super) fn instruction(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    // Some instructions also take cooperative vectors, component by component.
    if !inst.is_ext_inst() || inst.raw.set != Some(ExtSet::GlslStd450) || m.is_coop_vector(inst.ty()) {
        return Ok(());
    }
    let x = ExtInst::new(m, inst);
    let operands = 4..inst.count();
    match inst.ext_number() {
        number if is_float_operation(number) => {
            x.expect_float_result()?;
            x.expect_result_type(operands)
        }
        number if is_transcendental(number) => {
            if !m.is_float_scalar_or_vector(x.result) || !matches!(m.width(x.result), 16 | 32) {
                return x.unfit(0, "a 16- or 32-bit float scalar or vector as Result Type");
            }
            x.expect_result_type(operands)
        }
        G::SAbs | G::SSign | G::SMin | G::SMax | G::SClamp | G::UMin | G::UMax | G::UClamp => {
            x.expect_int_result()?;
            operands.into_iter().try_for_each(|i| match x.has_ints_of_result_size(i) {
                true => Ok(()),
                false => x.unfit(i, &format!("integers of the same size as {}", m.type_name(x.result))),
            })
        }
        G::FindUMsb | G::FindSMsb | G::FindILsb => find_bit(&x),
        G::Determinant => determinant(&x),
        G::MatrixInverse => {
            if m.matrix(x.result).is_none_or(|(rows, columns, _, c)| rows != columns || !m.is_float(c)) {
                return x.unfit(0, "a square float matrix as Result Type");
            }
            x.expect_result_type(operands)
        }
        G::Modf => modf(&x),
        G::ModfStruct => match m.members(x.result) {
            [a, b] if a == b && m.is_float_scalar_or_vector(*a) && x.ty(4) == *a => Ok(()),
            _ => x.unfit(0, "a structure of two identical float types as Result Type"),
        },
        G::Frexp => frexp(&x),
        G::FrexpStruct => frexp_struct(&x),
        G::Ldexp => {
            x.expect_float_result()?;
            x.expect_result_type(4..5)?;
            match x.has_int_per_component(5) {
                true => Ok(()),
                false => x.unfit(5, "an integer for each component of Result Type"),
            }
        }
        G::Length | G::Distance => length(&x),
        G::Cross => {
            x.expect_float_result()?;
            if m.dimension(x.result) != 3 {
                return x.unfit(0, "a vector of 3 components as Result Type");
            }
            x.expect_result_type(operands)
        }
        G::Refract => {
            x.expect_float_result()?;
            x.expect_result_type(4..6)?;
            if m.is_float(x.ty(6)) { Ok(()) } else { x.unfit(6, "a float") }
        }
        G::InterpolateAtCentroid | G::InterpolateAtSample | G::InterpolateAtOffset => interpolate(&x),
        G::PackSnorm4x8 | G::PackUnorm4x8 => pack(&x, 4),
        G::PackSnorm2x16 | G::PackUnorm2x16 | G::PackHalf2x16 => pack(&x, 2),
        G::UnpackSnorm4x8 | G::UnpackUnorm4x8 => unpack(&x, 4),
        G::UnpackSnorm2x16 | G::UnpackUnorm2x16 | G::UnpackHalf2x16 => unpack(&x, 2),
        G::PackDouble2x32 => pack_double(&x),
        G::UnpackDouble2x32 => unpack_double(&x),
        G::IMix => wrong(3, "IMix is not supported; use OpSelect"),
        _ => Ok(()),
    }
}

/// Instructions on floats, all operands of the result's type.
fn is_float_operation(number: u32) -> bool {
    matches!(
        number,
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
            | G::NClamp
    )
}

/// Exponential and trigonometric functions, all operands of the result's type.
fn is_transcendental(number: u32) -> bool {
    matches!(
        number,
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
            | G::Pow
    )
}

fn length(x: &ExtInst<'_>) -> Verdict {
    let m = x.m;
    if !m.is_float(x.result) {
        return x.unfit(0, "a float as Result Type");
    }
    (4..x.inst.count()).try_for_each(|i| {
        let ty = x.ty(i);
        match m.is_float_scalar_or_vector(ty) && m.component(ty) == x.result && ty == x.ty(4) {
            true => Ok(()),
            false => x.unfit(i, &format!("{} or a vector of it", m.type_name(x.result))),
        }
    })
}

fn modf(x: &ExtInst<'_>) -> Verdict {
    x.expect_float_result()?;
    x.expect_result_type(4..5)?;
    match x.m.pointer(x.ty(5)) {
        Some((_, pointee)) if pointee == x.result => Ok(()),
        _ => x.unfit(5, &format!("a pointer to {}", x.m.type_name(x.result))),
    }
}

fn frexp(x: &ExtInst<'_>) -> Verdict {
    x.expect_float_result()?;
    x.expect_result_type(4..5)?;
    let Some((_, pointee)) = x.m.pointer(x.ty(5)) else { return x.unfit(5, "a pointer") };
    exponent(x, 5, pointee, x.result)
}

fn frexp_struct(x: &ExtInst<'_>) -> Verdict {
    let &[fraction, power] = x.m.members(x.result) else {
        return x.unfit(0, "a structure of two members as Result Type");
    };
    if !x.m.is_float_scalar_or_vector(fraction) || x.ty(4) != fraction {
        return x.unfit(4, "a float of the same type as the first member of Result Type");
    }
    exponent(x, 0, power, fraction)
}

fn find_bit(x: &ExtInst<'_>) -> Verdict {
    let m = x.m;
    x.expect_int_result()?;
    if !x.has_int_per_component(4) {
        return x.unfit(4, "an integer for each component of Result Type");
    }
    let (width, operand_width) = (m.width(x.result), m.width(x.ty(4)));
    if x.inst.ext_number() != G::FindILsb && (width != 32 || operand_width != 32) {
        return x.unfit(4, "a 32-bit integer scalar or vector");
    }
    if width != operand_width {
        return x.unfit(4, "integers of the same width as Result Type");
    }
    Ok(())
}

fn determinant(x: &ExtInst<'_>) -> Verdict {
    let m = x.m;
    let Some((rows, columns, _, component)) = m.matrix(x.ty(4)).filter(|x| m.is_float(x.3)) else {
        return x.unfit(4, "a float matrix");
    };
    if rows != columns {
        return x.unfit(4, "a square matrix");
    }
    if component != x.result {
        return x.unfit(0, &format!("{} as Result Type", m.type_name(component)));
    }
    Ok(())
}

/// A 32-bit integer for each component of a float.
fn exponent(x: &ExtInst<'_>, operand: usize, ty: Id, float: Id) -> Verdict {
    let m = x.m;
    let fits = m.is_int_scalar_or_vector(ty)
        && (m.width(ty) == 32 || m.has_extension(Extension::SPV_AMD_gpu_shader_int16) && m.width(ty) == 16)
        && m.dimension(ty) == m.dimension(float);
    if fits { Ok(()) } else { x.unfit(operand, "a 32-bit integer for each component") }
}

fn is_dword_pair(m: &RuleContext<'_>, ty: Id) -> bool {
    m.is_int_vector(ty) && m.dimension(ty) == 2 && m.width(ty) == 32
}

fn pack(x: &ExtInst<'_>, components: u32) -> Verdict {
    let (m, ty) = (x.m, x.ty(4));
    if !m.is_int(x.result) || m.width(x.result) != 32 {
        return x.unfit(0, "a 32-bit integer as Result Type");
    }
    if !m.is_float_vector(ty) || m.dimension(ty) != components || m.width(ty) != 32 {
        return x.unfit(4, &format!("{components} 32-bit floats"));
    }
    Ok(())
}

fn unpack(x: &ExtInst<'_>, components: u32) -> Verdict {
    let (m, ty) = (x.m, x.ty(4));
    if !m.is_float_vector(x.result) || m.dimension(x.result) != components || m.width(x.result) != 32 {
        return x.unfit(0, &format!("{components} 32-bit floats as Result Type"));
    }
    if !m.is_int(ty) || m.width(ty) != 32 {
        return x.unfit(4, "a 32-bit integer");
    }
    Ok(())
}

fn pack_double(x: &ExtInst<'_>) -> Verdict {
    if !x.m.is_float(x.result) || x.m.width(x.result) != 64 {
        return x.unfit(0, "a 64-bit float as Result Type");
    }
    if is_dword_pair(x.m, x.ty(4)) { Ok(()) } else { x.unfit(4, "a vector of two 32-bit integers") }
}

fn unpack_double(x: &ExtInst<'_>) -> Verdict {
    if !is_dword_pair(x.m, x.result) {
        return x.unfit(0, "a vector of two 32-bit integers as Result Type");
    }
    if !x.m.is_float(x.ty(4)) || x.m.width(x.ty(4)) != 64 {
        return x.unfit(4, "a 64-bit float");
    }
    Ok(())
}

fn interpolate(x: &ExtInst<'_>) -> Verdict {
    let (m, inst) = (x.m, x.inst);
    if m.lacks_capability(Capability::InterpolationFunction) {
        return fail_at(
            &instruction::MISSING_CAPABILITY,
            3,
            "interpolation functions require the InterpolationFunction capability",
        );
    }
    if m.has_extension(Extension::SPV_AMD_gpu_shader_half_float) {
        if !m.is_float_scalar_or_vector(x.result) || !matches!(m.width(x.result), 16 | 32) {
            return x.unfit(0, "a 16- or 32-bit float scalar or vector as Result Type");
        }
    } else if !m.is_float_scalar_or_vector(x.result) || m.width(x.result) != 32 {
        return x.unfit(0, "a 32-bit float scalar or vector as Result Type");
    }
    let Some((class, pointee)) = m.pointer(x.ty(4)) else { return x.unfit(4, "a pointer") };
    if class != StorageClass::Input {
        return x.unfit(4, "a pointer to Input");
    }
    if pointee != x.result {
        return x.unfit(4, &format!("a pointer to {}", m.type_name(x.result)));
    }
    let ty = x.ty(5);
    match inst.ext_number() {
        G::InterpolateAtSample if !m.is_int(ty) || m.width(ty) != 32 => {
            return x.unfit(5, "a 32-bit integer");
        }
        G::InterpolateAtOffset if !m.is_float_vector(ty) || m.dimension(ty) != 2 || m.width(ty) != 32 => {
            return x.unfit(5, "a vector of two 32-bit floats");
        }
        _ => {}
    }
    require_models(m, inst, &[ExecutionModel::Fragment])
}

#[cfg(test)]
mod tests;
