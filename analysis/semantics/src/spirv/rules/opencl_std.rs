//! Operand types of OpenCL.std (OpenCL Extended Instruction Set specification).

use wavelens_syntax::spirv::tables::{AddressingModel, ExtSet, Extension, OpenClStd as O, StorageClass};

use super::arithmetics::{unfit, wrong};
use crate::Verdict;
use crate::spirv::code::{Id, Inst};
use crate::spirv::context::RuleContext;
use crate::spirv::flat::NONE;

/// Where pointers that are written through may point.
const WRITABLE: &[u32] =
    &[StorageClass::Generic, StorageClass::CrossWorkgroup, StorageClass::Workgroup, StorageClass::Function];
const READABLE: &[u32] = &[
    StorageClass::UniformConstant,
    StorageClass::Generic,
    StorageClass::CrossWorkgroup,
    StorageClass::Workgroup,
    StorageClass::Function,
];

pub(super) fn check(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    if !inst.is_ext_inst() || inst.raw.set != Some(ExtSet::OpenClStd) {
        return Ok(());
    }
    let result = inst.ty();
    let ty = |i: usize| m.operand_type(inst, i);
    let floats = |id: Id| m.is_float_scalar_or_vector(id);
    let ints = |id: Id| m.is_int_scalar_or_vector(id);
    let float_result = || match floats(result) {
        true => sized(m, inst, 0, result),
        false => unfit(m, inst, 0, "a float scalar or vector as Result Type"),
    };
    let int_result = || match ints(result) {
        true => sized(m, inst, 0, result),
        false => unfit(m, inst, 0, "an integer scalar or vector as Result Type"),
    };
    let same = |from: usize, to: usize| {
        (from..to).try_for_each(|i| match ty(i) == result {
            true => Ok(()),
            false => unfit(m, inst, i, &format!("{}, the Result Type", m.type_name(result))),
        })
    };
    match inst.ext_number() {
        O::fract | O::modf | O::sincos => {
            float_result()?;
            same(4, 5)?;
            points_to(m, inst, 5, WRITABLE, |p| p == result, "Result Type")
        }
        O::frexp | O::lgamma_r | O::remquo => {
            float_result()?;
            let last = if inst.ext_number() == O::remquo { 6 } else { 5 };
            same(4, last)?;
            let fits = |p: Id| ints(p) && m.width(p) == 32 && m.dimension(p) == m.dimension(result);
            points_to(m, inst, last, WRITABLE, fits, "as many 32-bit integers as in Result Type")
        }
        O::ilogb => {
            int_result()?;
            if m.width(result) != 32 {
                return unfit(m, inst, 0, "a 32-bit integer scalar or vector as Result Type");
            }
            if !floats(ty(4)) || m.dimension(ty(4)) != m.dimension(result) {
                return unfit(m, inst, 4, "as many floats as Result Type has components");
            }
            Ok(())
        }
        O::ldexp | O::pown | O::rootn => {
            float_result()?;
            same(4, 5)?;
            if !ints(ty(5)) || m.width(ty(5)) != 32 || m.dimension(ty(5)) != m.dimension(result) {
                return unfit(m, inst, 5, "as many 32-bit integers as Result Type has components");
            }
            Ok(())
        }
        O::nan => {
            float_result()?;
            let code = ty(4);
            if !ints(code) || m.dimension(code) != m.dimension(result) || m.width(code) != m.width(result) {
                return unfit(m, inst, 4, "integers of the same size as Result Type");
            }
            Ok(())
        }
        O::u_upsample | O::s_upsample => {
            int_result()?;
            let half = ty(4);
            let width = m.width(result);
            if !matches!(width, 16 | 32 | 64) {
                return unfit(m, inst, 0, "integers of 16, 32 or 64 bits as Result Type");
            }
            if half != ty(5) {
                return wrong(5, "both operands must have the same type");
            }
            if m.dimension(half) != m.dimension(result) || m.width(half).checked_mul(2) != Some(width) {
                return unfit(m, inst, 4, "integers of half the width of Result Type");
            }
            Ok(())
        }
        O::s_mad24 | O::u_mad24 | O::s_mul24 | O::u_mul24 => {
            int_result()?;
            if m.width(result) != 32 {
                return unfit(m, inst, 0, "a 32-bit integer scalar or vector as Result Type");
            }
            same(4, inst.count())
        }
        O::cross => {
            if !m.is_float_vector(result) || !matches!(m.dimension(result), 3 | 4) {
                return unfit(m, inst, 0, "a vector of 3 or 4 floats as Result Type");
            }
            same(4, 6)
        }
        O::distance | O::fast_distance | O::length | O::fast_length => {
            if !m.is_float(result) {
                return unfit(m, inst, 0, "a float scalar as Result Type");
            }
            if !floats(ty(4)) || m.dimension(ty(4)) > 4 || m.component(ty(4)) != result {
                return unfit(m, inst, 4, "up to 4 floats of Result Type");
            }
            let two = matches!(inst.ext_number(), O::distance | O::fast_distance);
            if two && ty(4) != ty(5) {
                return wrong(5, "both points must have the same type");
            }
            Ok(())
        }
        O::normalize | O::fast_normalize => {
            if !floats(result) || m.dimension(result) > 4 {
                return unfit(m, inst, 0, "up to 4 floats as Result Type");
            }
            same(4, 5)
        }
        O::bitselect | O::select => {
            if !floats(result) && !ints(result) {
                return unfit(m, inst, 0, "an integer or float scalar or vector as Result Type");
            }
            sized(m, inst, 0, result)?;
            if inst.ext_number() == O::bitselect {
                return same(4, inst.count());
            }
            same(4, 6)?;
            let c = ty(6);
            if !ints(c) || m.dimension(c) != m.dimension(result) || m.width(c) != m.width(result) {
                return unfit(m, inst, 6, "integers of the same size as Result Type");
            }
            Ok(())
        }
        O::vloadn => {
            if !m.is_float_vector(result) && !m.is_int_vector(result) {
                return unfit(m, inst, 0, "a vector of integers or floats as Result Type");
            }
            sized(m, inst, 0, result)?;
            offset(m, inst, 4)?;
            points_to(
                m,
                inst,
                5,
                READABLE,
                |p| p == m.component(result),
                "the component type of Result Type",
            )?;
            count(m, inst, result)
        }
        O::vstoren => {
            void(m, inst)?;
            let data = ty(4);
            if !m.is_float_vector(data) && !m.is_int_vector(data) {
                return unfit(m, inst, 4, "a vector of integers or floats");
            }
            sized(m, inst, 4, data)?;
            offset(m, inst, 5)?;
            points_to(m, inst, 6, WRITABLE, |p| p == m.component(data), "the component type of the data")
        }
        O::vload_half | O::vload_halfn | O::vloada_halfn => {
            let one = inst.ext_number() == O::vload_half;
            if one && !m.is_float(result) || !one && !m.is_float_vector(result) {
                return unfit(m, inst, 0, "a float scalar or vector as Result Type");
            }
            sized(m, inst, 0, result)?;
            offset(m, inst, 4)?;
            points_to(m, inst, 5, READABLE, |p| is_half(m, p), "16-bit floats")?;
            if one { Ok(()) } else { count(m, inst, result) }
        }
        O::vstore_half
        | O::vstore_half_r
        | O::vstore_halfn
        | O::vstore_halfn_r
        | O::vstorea_halfn
        | O::vstorea_halfn_r => {
            void(m, inst)?;
            let data = ty(4);
            let one = matches!(inst.ext_number(), O::vstore_half | O::vstore_half_r);
            let fits = if one { m.is_float(data) } else { m.is_float_vector(data) };
            if !fits || !matches!(m.width(data), 32 | 64) {
                return unfit(m, inst, 4, "floats of 32 or 64 bits");
            }
            sized(m, inst, 4, data)?;
            offset(m, inst, 5)?;
            points_to(m, inst, 6, WRITABLE, |p| is_half(m, p), "16-bit floats")
        }
        O::shuffle | O::shuffle2 => shuffle(m, inst),
        O::printf => printf(m, inst),
        O::prefetch => {
            void(m, inst)?;
            let numbers = |p: Id| floats(p) || ints(p);
            points_to(m, inst, 4, &[StorageClass::CrossWorkgroup], numbers, "numbers")?;
            offset(m, inst, 5)
        }
        number if is_integer(number) => {
            int_result()?;
            same(4, inst.count())
        }
        number if number <= O::sign => {
            float_result()?;
            same(4, inst.count())
        }
        _ => Ok(()),
    }
}

/// Instructions on integers, all operands of the result's type.
fn is_integer(number: u32) -> bool {
    matches!(
        number,
        O::s_abs
            | O::s_abs_diff
            | O::s_add_sat
            | O::u_add_sat
            | O::s_hadd
            | O::u_hadd
            | O::s_rhadd
            | O::u_rhadd
            | O::s_clamp
            | O::u_clamp
            | O::clz
            | O::ctz
            | O::s_mad_hi
            | O::u_mad_sat
            | O::s_mad_sat
            | O::s_max
            | O::u_max
            | O::s_min
            | O::u_min
            | O::s_mul_hi
            | O::rotate
            | O::s_sub_sat
            | O::u_sub_sat
            | O::popcount
            | O::u_abs
            | O::u_abs_diff
            | O::u_mul_hi
            | O::u_mad_hi
    )
}

/// A scalar, or a vector of 2, 3, 4, 8 or 16.
fn sized(m: &RuleContext<'_>, inst: Inst<'_>, operand: usize, ty: Id) -> Verdict {
    match m.dimension(ty) {
        0..=4 | 8 | 16 => Ok(()),
        _ => unfit(m, inst, operand, "scalars, or vectors of 2, 3, 4, 8 or 16"),
    }
}

fn is_half(m: &RuleContext<'_>, ty: Id) -> bool {
    m.is_float(ty) && m.width(ty) == 16
}

fn void(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    if m.is_void(inst.ty()) { Ok(()) } else { unfit(m, inst, 0, "void as Result Type") }
}

/// The literal number of components, the last operand of loads.
fn count(m: &RuleContext<'_>, inst: Inst<'_>, ty: Id) -> Verdict {
    if inst.word(7) == m.dimension(ty) {
        return Ok(());
    }
    wrong(6, format!("expected {} components in Result Type, found {}", m.dimension(ty), inst.word(7)))
}

/// An operand of size_t.
fn offset(m: &RuleContext<'_>, inst: Inst<'_>, operand: usize) -> Verdict {
    let width = match m.scope.addressing_model {
        AddressingModel::Physical32 => 32,
        AddressingModel::Physical64 => 64,
        _ => return wrong(operand, "this instruction requires a physical addressing model"),
    };
    let ty = m.operand_type(inst, operand);
    if m.is_int(ty) && m.width(ty) == width {
        return Ok(());
    }
    unfit(m, inst, operand, &format!("a {width}-bit integer as size"))
}

/// An operand that points into some of these classes to what `fits`.
fn points_to(
    m: &RuleContext<'_>,
    inst: Inst<'_>,
    operand: usize,
    classes: &[u32],
    fits: impl Fn(Id) -> bool,
    what: &str,
) -> Verdict {
    let Some((class, pointee)) = m.pointer(m.operand_type(inst, operand)) else {
        return unfit(m, inst, operand, &format!("a pointer to {what}"));
    };
    if !classes.contains(&class) {
        return unfit(m, inst, operand, "a pointer to a storage class that this instruction can access");
    }
    if pointee == NONE || fits(pointee) {
        return Ok(());
    }
    unfit(m, inst, operand, &format!("a pointer to {what}"))
}

fn shuffle(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let result = inst.ty();
    let ty = |i: usize| m.operand_type(inst, i);
    let vector =
        |id: Id| (m.is_float_vector(id) || m.is_int_vector(id)) && matches!(m.dimension(id), 2 | 4 | 8 | 16);
    if !vector(result) {
        return unfit(m, inst, 0, "a vector of 2, 4, 8 or 16 components as Result Type");
    }
    let two = inst.ext_number() == O::shuffle2;
    if two && ty(4) != ty(5) {
        return wrong(5, "both vectors must have the same type");
    }
    if !vector(ty(4)) || m.component(ty(4)) != m.component(result) {
        return unfit(
            m,
            inst,
            4,
            "a vector of 2, 4, 8 or 16 components of the component type of Result Type",
        );
    }
    let at = if two { 6 } else { 5 };
    let mask = ty(at);
    if !m.is_int_vector(mask) || m.dimension(mask) != m.dimension(result) || m.width(mask) != m.width(result)
    {
        return unfit(m, inst, at, "a vector of integers of the same size as Result Type");
    }
    Ok(())
}

fn printf(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    if !m.is_int(inst.ty()) || m.width(inst.ty()) != 32 {
        return unfit(m, inst, 0, "a 32-bit integer as Result Type");
    }
    let relaxed = m.has_extension(Extension::SPV_EXT_relaxed_printf_string_address_space);
    let classes = if relaxed { READABLE } else { &[StorageClass::UniformConstant][..] };
    let byte = |p: Id| {
        let p = m
            .def(p)
            .filter(|d| d.op() == wavelens_syntax::spirv::tables::Op::TypeArray)
            .map_or(p, |d| d.word(2));
        m.is_int(p) && m.width(p) == 8
    };
    points_to(m, inst, 4, classes, byte, "8-bit integers")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::spirv::rules::testing::findings;

    #[test]
    fn operands_are_of_the_results_type() {
        let text = r#"; target-env: spv1.2
OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
%cl = OpExtInstImport "OpenCL.std"
OpMemoryModel Physical64 OpenCL
OpDecorate %f LinkageAttributes "f" Export
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%fn = OpTypeFunction %float %float %uint
%f = OpFunction %float None %fn
%a = OpFunctionParameter %float
%b = OpFunctionParameter %uint
%entry = OpLabel
%good = OpExtInst %float %cl fmax %a %a
%bad = OpExtInst %float %cl fmax %a %b
OpReturnValue %good
OpFunctionEnd
"#;
        expect![[r#"
            error[operand-type] 16:37 `%b`: expected float, the Result Type, found uint
        "#]]
        .assert_eq(&findings(text));
    }
}
