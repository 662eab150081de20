//! Operand types of OpenCL.std (OpenCL Extended Instruction Set specification).

use wavelens_syntax::spirv::tables::{AddressingModel, ExtSet, Extension, Op, OpenClStd as O, StorageClass};

use super::arithmetics::wrong;
use super::ext_inst::ExtInst;
use crate::code::{Id, Inst};
use crate::context::RuleContext;
use crate::flat::NONE;
use wavelens_base::Verdict;

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

pub(super) fn instruction(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    if !inst.is_ext_inst() || inst.raw.set != Some(ExtSet::OpenClStd) {
        return Ok(());
    }
    let x = ExtInst::new(m, inst);
    match inst.ext_number() {
        O::fract | O::modf | O::sincos => {
            float_result(&x)?;
            x.expect_result_type(4..5)?;
            points_to(&x, 5, WRITABLE, |p| p == x.result, "Result Type")
        }
        O::frexp | O::lgamma_r | O::remquo => {
            float_result(&x)?;
            let last = if inst.ext_number() == O::remquo { 6 } else { 5 };
            x.expect_result_type(4..last)?;
            let fits = |p: Id| {
                m.is_int_scalar_or_vector(p) && m.width(p) == 32 && m.dimension(p) == m.dimension(x.result)
            };
            points_to(&x, last, WRITABLE, fits, "as many 32-bit integers as in Result Type")
        }
        O::ilogb => {
            dword_result(&x)?;
            let ty = x.ty(4);
            if !m.is_float_scalar_or_vector(ty) || m.dimension(ty) != m.dimension(x.result) {
                return x.unfit(4, "as many floats as Result Type has components");
            }
            Ok(())
        }
        O::ldexp | O::pown | O::rootn => {
            float_result(&x)?;
            x.expect_result_type(4..5)?;
            if !x.has_int_per_component(5) || m.width(x.ty(5)) != 32 {
                return x.unfit(5, "as many 32-bit integers as Result Type has components");
            }
            Ok(())
        }
        O::nan => {
            float_result(&x)?;
            match x.has_ints_of_result_size(4) {
                true => Ok(()),
                false => x.unfit(4, "integers of the same size as Result Type"),
            }
        }
        O::u_upsample | O::s_upsample => upsample(&x),
        O::s_mad24 | O::u_mad24 | O::s_mul24 | O::u_mul24 => {
            dword_result(&x)?;
            x.expect_result_type(4..inst.count())
        }
        O::cross => {
            if !m.is_float_vector(x.result) || !matches!(m.dimension(x.result), 3 | 4) {
                return x.unfit(0, "a vector of 3 or 4 floats as Result Type");
            }
            x.expect_result_type(4..6)
        }
        O::distance | O::fast_distance => {
            length(&x)?;
            if x.ty(4) != x.ty(5) {
                return wrong(5, "both points must have the same type");
            }
            Ok(())
        }
        O::length | O::fast_length => length(&x),
        O::normalize | O::fast_normalize => {
            if !m.is_float_scalar_or_vector(x.result) || m.dimension(x.result) > 4 {
                return x.unfit(0, "up to 4 floats as Result Type");
            }
            x.expect_result_type(4..5)
        }
        O::bitselect => {
            number_result(&x)?;
            x.expect_result_type(4..inst.count())
        }
        O::select => {
            number_result(&x)?;
            x.expect_result_type(4..6)?;
            match x.has_ints_of_result_size(6) {
                true => Ok(()),
                false => x.unfit(6, "integers of the same size as Result Type"),
            }
        }
        O::shuffle | O::shuffle2 => shuffle(&x),
        O::printf => printf(&x),
        number if is_integer(number) => {
            int_result(&x)?;
            x.expect_result_type(4..inst.count())
        }
        number if number <= O::sign => {
            float_result(&x)?;
            x.expect_result_type(4..inst.count())
        }
        _ => memory(&x),
    }
}

/// Instructions that load, store and prefetch.
fn memory(x: &ExtInst<'_>) -> Verdict {
    let m = x.m;
    match x.inst.ext_number() {
        O::vloadn => {
            if !is_number_vector(m, x.result) {
                return x.unfit(0, "a vector of integers or floats as Result Type");
            }
            sized(x, 0, x.result)?;
            offset(x, 4)?;
            let component = m.component(x.result);
            points_to(x, 5, READABLE, |p| p == component, "the component type of Result Type")?;
            count(x)
        }
        O::vstoren => {
            void(x)?;
            let data = x.ty(4);
            if !is_number_vector(m, data) {
                return x.unfit(4, "a vector of integers or floats");
            }
            sized(x, 4, data)?;
            offset(x, 5)?;
            points_to(x, 6, WRITABLE, |p| p == m.component(data), "the component type of the data")
        }
        O::vload_half => load_half(x, m.is_float(x.result)),
        O::vload_halfn | O::vloada_halfn => {
            load_half(x, m.is_float_vector(x.result))?;
            count(x)
        }
        O::vstore_half | O::vstore_half_r => store_half(x, m.is_float(x.ty(4))),
        O::vstore_halfn | O::vstore_halfn_r | O::vstorea_halfn | O::vstorea_halfn_r => {
            store_half(x, m.is_float_vector(x.ty(4)))
        }
        O::prefetch => {
            void(x)?;
            let numbers = |p: Id| m.is_float_scalar_or_vector(p) || m.is_int_scalar_or_vector(p);
            points_to(x, 4, &[StorageClass::CrossWorkgroup], numbers, "numbers")?;
            offset(x, 5)
        }
        _ => Ok(()),
    }
}

fn load_half(x: &ExtInst<'_>, has_float_result: bool) -> Verdict {
    if !has_float_result {
        return x.unfit(0, "a float scalar or vector as Result Type");
    }
    sized(x, 0, x.result)?;
    offset(x, 4)?;
    points_to(x, 5, READABLE, |p| is_half(x.m, p), "16-bit floats")
}

fn store_half(x: &ExtInst<'_>, is_float: bool) -> Verdict {
    void(x)?;
    let data = x.ty(4);
    if !is_float || !matches!(x.m.width(data), 32 | 64) {
        return x.unfit(4, "floats of 32 or 64 bits");
    }
    sized(x, 4, data)?;
    offset(x, 5)?;
    points_to(x, 6, WRITABLE, |p| is_half(x.m, p), "16-bit floats")
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

fn float_result(x: &ExtInst<'_>) -> Verdict {
    x.expect_float_result()?;
    sized(x, 0, x.result)
}

fn int_result(x: &ExtInst<'_>) -> Verdict {
    x.expect_int_result()?;
    sized(x, 0, x.result)
}

fn dword_result(x: &ExtInst<'_>) -> Verdict {
    int_result(x)?;
    match x.m.width(x.result) {
        32 => Ok(()),
        _ => x.unfit(0, "a 32-bit integer scalar or vector as Result Type"),
    }
}

fn number_result(x: &ExtInst<'_>) -> Verdict {
    if !x.m.is_float_scalar_or_vector(x.result) && !x.m.is_int_scalar_or_vector(x.result) {
        return x.unfit(0, "an integer or float scalar or vector as Result Type");
    }
    sized(x, 0, x.result)
}

fn upsample(x: &ExtInst<'_>) -> Verdict {
    let m = x.m;
    int_result(x)?;
    let (half, width) = (x.ty(4), m.width(x.result));
    if !matches!(width, 16 | 32 | 64) {
        return x.unfit(0, "integers of 16, 32 or 64 bits as Result Type");
    }
    if half != x.ty(5) {
        return wrong(5, "both operands must have the same type");
    }
    if m.dimension(half) != m.dimension(x.result) || m.width(half).checked_mul(2) != Some(width) {
        return x.unfit(4, "integers of half the width of Result Type");
    }
    Ok(())
}

fn length(x: &ExtInst<'_>) -> Verdict {
    let (m, ty) = (x.m, x.ty(4));
    if !m.is_float(x.result) {
        return x.unfit(0, "a float scalar as Result Type");
    }
    if !m.is_float_scalar_or_vector(ty) || m.dimension(ty) > 4 || m.component(ty) != x.result {
        return x.unfit(4, "up to 4 floats of Result Type");
    }
    Ok(())
}

/// A scalar, or a vector of 2, 3, 4, 8 or 16.
fn sized(x: &ExtInst<'_>, operand: usize, ty: Id) -> Verdict {
    match x.m.dimension(ty) {
        0..=4 | 8 | 16 => Ok(()),
        _ => x.unfit(operand, "scalars, or vectors of 2, 3, 4, 8 or 16"),
    }
}

fn is_half(m: &RuleContext<'_>, ty: Id) -> bool {
    m.is_float(ty) && m.width(ty) == 16
}

fn is_number_vector(m: &RuleContext<'_>, ty: Id) -> bool {
    m.is_float_vector(ty) || m.is_int_vector(ty)
}

fn void(x: &ExtInst<'_>) -> Verdict {
    if x.m.is_void(x.result) { Ok(()) } else { x.unfit(0, "void as Result Type") }
}

/// The literal number of components, the last operand of loads.
fn count(x: &ExtInst<'_>) -> Verdict {
    let (count, components) = (x.inst.word(7), x.m.dimension(x.result));
    if count == components {
        return Ok(());
    }
    wrong(6, format!("expected {components} components in Result Type, found {count}"))
}

/// An operand of size_t.
fn offset(x: &ExtInst<'_>, operand: usize) -> Verdict {
    let (m, ty) = (x.m, x.ty(operand));
    let width = match m.scope.addressing_model {
        Some(AddressingModel::Physical32) => 32,
        Some(AddressingModel::Physical64) => 64,
        None => return Ok(()),
        _ => return wrong(operand, "this instruction requires a physical addressing model"),
    };
    if m.is_int(ty) && m.width(ty) == width {
        return Ok(());
    }
    x.unfit(operand, &format!("a {width}-bit integer as size"))
}

/// An operand that points into some of these classes to what `fits`.
fn points_to(
    x: &ExtInst<'_>,
    operand: usize,
    classes: &[u32],
    fits: impl Fn(Id) -> bool,
    what: &str,
) -> Verdict {
    let Some((class, pointee)) = x.m.pointer(x.ty(operand)) else {
        return x.unfit(operand, &format!("a pointer to {what}"));
    };
    if !classes.contains(&class) {
        return x.unfit(operand, "a pointer to a storage class that this instruction can access");
    }
    if pointee == NONE || fits(pointee) {
        return Ok(());
    }
    x.unfit(operand, &format!("a pointer to {what}"))
}

fn shuffle(x: &ExtInst<'_>) -> Verdict {
    let m = x.m;
    let vector = |id: Id| is_number_vector(m, id) && matches!(m.dimension(id), 2 | 4 | 8 | 16);
    if !vector(x.result) {
        return x.unfit(0, "a vector of 2, 4, 8 or 16 components as Result Type");
    }
    let two = x.inst.ext_number() == O::shuffle2;
    if two && x.ty(4) != x.ty(5) {
        return wrong(5, "both vectors must have the same type");
    }
    if !vector(x.ty(4)) || m.component(x.ty(4)) != m.component(x.result) {
        return x.unfit(4, "a vector of 2, 4, 8 or 16 components of the component type of Result Type");
    }
    let mask = if two { 6 } else { 5 };
    if !m.is_int_vector(x.ty(mask)) || !x.has_ints_of_result_size(mask) {
        return x.unfit(mask, "a vector of integers of the same size as Result Type");
    }
    Ok(())
}

fn printf(x: &ExtInst<'_>) -> Verdict {
    let m = x.m;
    if !m.is_int(x.result) || m.width(x.result) != 32 {
        return x.unfit(0, "a 32-bit integer as Result Type");
    }
    let relaxed = m.has_extension(Extension::SPV_EXT_relaxed_printf_string_address_space);
    let classes = if relaxed { READABLE } else { &[StorageClass::UniformConstant][..] };
    let byte = |p: Id| {
        let p = m.def(p).filter(|d| d.op() == Op::TypeArray).map_or(p, |d| d.word(2));
        m.is_int(p) && m.width(p) == 8
    };
    points_to(x, 4, classes, byte, "8-bit integers")
}

#[cfg(test)]
mod tests;
