//! Rules of intrinsics on vectors and numbers: lanes, widths, indices, and constrained floating point.
//!
//! Source: LLVM Language Reference, the intrinsic's own section.

use super::arguments::{Text, at, int, is_rounding, text, uint};
use crate::rules::call_site::Site;
use crate::types::TypeId;
use wavelens_base::Verdict;

pub(super) fn check(site: &Site<'_, '_>, short: &str) -> Verdict {
    let types = &site.cx.types;
    let param = |n: usize| site.params.get(n).copied().unwrap_or(TypeId::ERROR);
    if let Some(rest) = short.strip_prefix("vp.") {
        return predicated(site, rest);
    }
    if let Some(rest) = short.strip_prefix("experimental.constrained.") {
        return constrained(site, rest);
    }
    match short {
        "ucmp" | "scmp" => {
            let source = param(0);
            if types.int_bits(types.scalar(site.result)).is_some_and(|bits| bits < 2) {
                return site.wrong("the result must have at least 2 bits per element");
            }
            same_lanes(site, source, site.result)
        }
        "get.active.lane.mask" if types.scalar(site.result) != TypeId::I1 => site.wrong(format!(
            "expected a vector of `i1` as result, found `{}`",
            site.cx.display_ty(site.result)
        )),
        "masked.load" => same_lanes(site, param(site.params.len().saturating_sub(2)), site.result),
        "masked.store" => same_lanes(site, param(0), param(site.params.len().saturating_sub(1))),
        _ if short.starts_with("vector.reduce.") => reduction(site, short),
        "smul.fix" | "smul.fix.sat" | "sdiv.fix" | "sdiv.fix.sat" => fixed_point(site, 1),
        "umul.fix" | "umul.fix.sat" | "udiv.fix" | "udiv.fix.sat" => fixed_point(site, 0),
        "lrint" | "llrint" | "lround" | "llround" => {
            if !types.is_float_or_vector(param(0)) || !types.is_int_or_vector(site.result) {
                return site.wrong("the operand must be a floating-point value and the result an integer");
            }
            same_lanes(site, param(0), site.result)
        }
        "matrix.multiply" => {
            let (rows, inner, columns) = (uint(site, 2), uint(site, 3), uint(site, 4));
            shape(site, 0, rows, inner)?;
            shape(site, 1, inner, columns)?;
            elements(site, &[param(0), param(1)])?;
            result_shape(site, site.result, rows, columns)
        }
        "matrix.transpose" => {
            let (rows, columns) = (uint(site, 1), uint(site, 2));
            elements(site, &[param(0)])?;
            result_shape(site, site.result, rows, columns)
        }
        "matrix.column.major.load" => matrix_memory(site, 1, 3, site.result),
        "matrix.column.major.store" => matrix_memory(site, 2, 4, param(0)),
        "vector.splice" | "vector.splice.left" | "vector.splice.right" | "experimental.vp.splice" => {
            splice(site, short)
        }
        "stepvector" if types.int_bits(types.scalar(site.result)).is_none_or(|bits| bits < 8) => {
            let found = site.cx.display_ty(site.result);
            site.wrong(format!(
                "the elements of the result must be integers of at least 8 bits, found `{found}`"
            ))
        }
        "vector.insert" => part(site, param(0), param(1), 2, "inserted"),
        "vector.extract" => part(site, param(0), site.result, 1, "extracted"),
        "vector.partial.reduce.add" | "vector.partial.reduce.fadd" => {
            match (types.lanes(param(0)), types.lanes(param(1))) {
                (Some((to, _)), Some((from, _))) if to == 0 || from % to != 0 => {
                    site.wrong(format!("cannot reduce {from} elements to {to}"))
                }
                _ => Ok(()),
            }
        }
        "experimental.vector.match" => vector_match(site),
        "ptrmask" => ptrmask(site, param(0), param(1)),
        _ => Ok(()),
    }
}

/// The operand types of reductions.
fn reduction(site: &Site<'_, '_>, short: &str) -> Verdict {
    let types = &site.cx.types;
    let param = |n: usize| site.params.get(n).copied().unwrap_or(TypeId::ERROR);
    let (operand, fits, needed) = match short {
        "vector.reduce.and" | "vector.reduce.or" | "vector.reduce.xor" | "vector.reduce.add"
        | "vector.reduce.mul" | "vector.reduce.smax" | "vector.reduce.smin" | "vector.reduce.umax"
        | "vector.reduce.umin" => (0, types.is_int_or_vector(param(0)), "integers"),
        "vector.reduce.fmax" | "vector.reduce.fmin" => {
            (0, types.is_float_or_vector(param(0)), "floating-point values")
        }
        "vector.reduce.fadd" | "vector.reduce.fmul" => {
            (1, types.is_float_or_vector(param(1)), "floating-point values")
        }
        _ => return Ok(()),
    };
    if fits {
        return Ok(());
    }
    let found = site.cx.display_ty(param(operand));
    at(site, operand, format!("`{}` requires {needed}, found `{found}`", site.name))
}

fn vector_match(site: &Site<'_, '_>) -> Verdict {
    let types = &site.cx.types;
    let param = |n: usize| site.params.get(n).copied().unwrap_or(TypeId::ERROR);
    if types.lanes(param(1)).is_some_and(|(_, scalable)| scalable) {
        return at(site, 1, "the vector to search for must have a fixed length");
    }
    if types.scalar(param(0)) != types.scalar(param(1)) {
        let (a, b) = (site.cx.display_ty(param(0)), site.cx.display_ty(param(1)));
        return at(site, 1, format!("both vectors must have the same element type, found `{a}` and `{b}`"));
    }
    same_lanes(site, param(0), param(2))
}

fn same_lanes(site: &Site<'_, '_>, a: TypeId, b: TypeId) -> Verdict {
    let types = &site.cx.types;
    if a.is_error() || b.is_error() || types.lanes(a) == types.lanes(b) {
        return Ok(());
    }
    let (a, b) = (site.cx.display_ty(a), site.cx.display_ty(b));
    site.wrong(format!("`{a}` and `{b}` differ in their number of elements"))
}

fn width(site: &Site<'_, '_>, ty: TypeId) -> Option<u32> {
    let types = &site.cx.types;
    let scalar = types.scalar(ty);
    types.int_bits(scalar).or_else(|| types.float_bits(scalar))
}

fn fixed_point(site: &Site<'_, '_>, signed: u64) -> Verdict {
    let (Some(scale), Some(bits)) = (uint(site, 2), width(site, site.result)) else { return Ok(()) };
    if scale + signed > u64::from(bits) {
        return at(site, 2, format!("the scale {scale} does not fit operands of {bits} bits"));
    }
    Ok(())
}

fn shape(site: &Site<'_, '_>, n: usize, rows: Option<u64>, columns: Option<u64>) -> Verdict {
    let lanes = site.params.get(n).and_then(|ty| site.cx.types.lanes(*ty));
    match (lanes, rows, columns) {
        (Some((lanes, _)), Some(rows), Some(columns)) if u64::from(lanes) != rows.saturating_mul(columns) => {
            at(site, n, format!("expected {rows} x {columns} elements, found {lanes}"))
        }
        _ => Ok(()),
    }
}

fn result_shape(site: &Site<'_, '_>, ty: TypeId, rows: Option<u64>, columns: Option<u64>) -> Verdict {
    match (site.cx.types.lanes(ty), rows, columns) {
        (Some((lanes, _)), Some(rows), Some(columns)) if u64::from(lanes) != rows.saturating_mul(columns) => {
            site.wrong(format!("a {rows} x {columns} matrix does not fit {lanes} elements"))
        }
        _ => Ok(()),
    }
}

fn element(site: &Site<'_, '_>, matrix: TypeId) -> Verdict {
    let types = &site.cx.types;
    let element = types.scalar(matrix);
    match types.is_int(element) || types.is_float(element) {
        true => Ok(()),
        false => {
            let found = site.cx.display_ty(element);
            site.wrong(format!(
                "the elements of a matrix must be integers or floating-point values, found `{found}`"
            ))
        }
    }
}

fn elements(site: &Site<'_, '_>, operands: &[TypeId]) -> Verdict {
    element(site, site.result)?;
    let types = &site.cx.types;
    let wanted = types.scalar(site.result);
    if let Some(other) = operands.iter().map(|ty| types.scalar(*ty)).find(|ty| *ty != wanted) {
        let (other, wanted) = (site.cx.display_ty(other), site.cx.display_ty(wanted));
        return site.wrong(format!(
            "operands and result must have the same element type, found `{other}` and `{wanted}`"
        ));
    }
    Ok(())
}

fn matrix_memory(site: &Site<'_, '_>, stride: usize, rows: usize, ty: TypeId) -> Verdict {
    element(site, ty)?;
    let (rows_count, columns) = (uint(site, rows), uint(site, rows + 1));
    result_shape(site, ty, rows_count, columns)?;
    match (uint(site, stride), rows_count) {
        (Some(stride_value), Some(rows)) if stride_value < rows => at(
            site,
            stride,
            format!("the stride must be at least {rows}, the number of rows, is {stride_value}"),
        ),
        _ => Ok(()),
    }
}

fn splice(site: &Site<'_, '_>, short: &str) -> Verdict {
    // LLVM 23 made any index of a splice valid: what it reaches beyond the vectors is poison.
    if short.starts_with("vector.splice") && site.cx.scope.reads(23) {
        return Ok(());
    }
    use crate::attribute::{AttrKind, AttrValue};
    let (Some(index), Some((lanes, _))) = (int(site, 2), site.cx.types.lanes(site.result)) else {
        return Ok(());
    };
    let cx = site.cx;
    let own =
        crate::attribute_set::AttributeSet::new(cx.scope, &cx.summary.tables, cx.function.attrs, |_| {
            TypeId::ERROR
        });
    let least = match own.get(AttrKind::VScaleRange).map(|e| e.attr.value) {
        Some(AttrValue::Pair(least, _)) => i64::from(least),
        _ => 1,
    };
    let lanes = i64::from(lanes) * least;
    let (low, high) = match short {
        "vector.splice.left" => (0, lanes - 1),
        "vector.splice.right" => (0, lanes),
        _ => (-lanes, lanes - 1),
    };
    if (low..=high).contains(&index) {
        return Ok(());
    }
    at(site, 2, format!("the index must be between {low} and {high}, is {index}"))
}

/// A part of a vector that is put in or taken out.
fn part(site: &Site<'_, '_>, whole: TypeId, part: TypeId, index: usize, what: &str) -> Verdict {
    let types = &site.cx.types;
    if types.scalar(whole) != types.scalar(part) {
        let (whole, part) = (site.cx.display_ty(whole), site.cx.display_ty(part));
        return site
            .wrong(format!("both vectors must have the same element type, found `{whole}` and `{part}`"));
    }
    let (Some((n, a)), Some((m, b)), Some(at_index)) =
        (types.lanes(whole), types.lanes(part), uint(site, index))
    else {
        return Ok(());
    };
    let (n, m) = (u64::from(n), u64::from(m));
    if m == 0 || !at_index.is_multiple_of(m) {
        return at(
            site,
            index,
            format!("the start index of the {m} elements {what} must be a multiple of {m}, is {at_index}"),
        );
    }
    if a == b && at_index.saturating_add(m) > n {
        return at(site, index, {
            let (whole, part) = (site.cx.display_ty(whole), site.cx.display_ty(part));
            format!("`{part}` {what} at index {at_index} goes beyond the end of `{whole}`")
        });
    }
    Ok(())
}

fn ptrmask(site: &Site<'_, '_>, pointer: TypeId, mask: TypeId) -> Verdict {
    let types = &site.cx.types;
    if !types.is_ptr_or_vector(pointer) {
        return at(site, 0, "the operand must be a pointer or a vector of pointers");
    }
    same_lanes(site, pointer, mask)?;
    let bits = types.address_space(pointer).and_then(|space| site.cx.scope.index_bits(space));
    match (bits, width(site, mask)) {
        (Some(bits), Some(mask)) if bits != mask => {
            at(site, 1, format!("expected a mask of `i{bits}`, the index width, found `i{mask}`"))
        }
        _ => Ok(()),
    }
}

/// `vp.*`: casts and comparisons under a mask.
fn predicated(site: &Site<'_, '_>, rest: &str) -> Verdict {
    let types = &site.cx.types;
    let from = site.params.first().copied().unwrap_or(TypeId::ERROR);
    let to = site.result;
    let (int, float, pointer) =
        (|ty| types.is_int_or_vector(ty), |ty| types.is_float_or_vector(ty), |ty| types.is_ptr_or_vector(ty));
    let (right, wider): (bool, Option<bool>) = match rest {
        "trunc" => (int(from) && int(to), Some(false)),
        "zext" | "sext" => (int(from) && int(to), Some(true)),
        "fptrunc" => (float(from) && float(to), Some(false)),
        "fpext" => (float(from) && float(to), Some(true)),
        "fptoui" | "fptosi" | "lrint" | "llrint" => (float(from) && int(to), None),
        "uitofp" | "sitofp" => (int(from) && float(to), None),
        "ptrtoint" => (pointer(from) && int(to), None),
        "inttoptr" => (int(from) && pointer(to), None),
        "icmp" | "fcmp" => return predicate(site, rest == "fcmp", 2),
        _ => return Ok(()),
    };
    let (shown_from, shown_to) = (site.cx.display_ty(from), site.cx.display_ty(to));
    if !right {
        return site.wrong(format!("`vp.{rest}` cannot convert `{shown_from}` to `{shown_to}`"));
    }
    same_lanes(site, from, to)?;
    if let (Some(wider), Some(a), Some(b)) = (wider, width(site, from), width(site, to))
        && (if wider { b <= a } else { b >= a })
    {
        return site.wrong(format!("`vp.{rest}` cannot convert `{shown_from}` to `{shown_to}`"));
    }
    Ok(())
}

fn predicate(site: &Site<'_, '_>, float: bool, n: usize) -> Verdict {
    let right = |p: &str| {
        if float {
            matches!(
                p,
                "oeq"
                    | "ogt"
                    | "oge"
                    | "olt"
                    | "ole"
                    | "one"
                    | "ord"
                    | "uno"
                    | "ueq"
                    | "ugt"
                    | "uge"
                    | "ult"
                    | "ule"
                    | "une"
            )
        } else {
            matches!(p, "eq" | "ne" | "ugt" | "uge" | "ult" | "ule" | "sgt" | "sge" | "slt" | "sle")
        }
    };
    match text(site, n) {
        Text::String(p) if right(p) => Ok(()),
        Text::Unknown => Ok(()),
        _ => at(site, n, "invalid predicate of the comparison"),
    }
}

const ROUNDED: &[&str] = &[
    "fadd",
    "fsub",
    "fmul",
    "fdiv",
    "frem",
    "sitofp",
    "uitofp",
    "fptrunc",
    "acos",
    "asin",
    "atan",
    "atan2",
    "cos",
    "cosh",
    "exp",
    "exp2",
    "fma",
    "log",
    "log10",
    "log2",
    "lrint",
    "llrint",
    "nearbyint",
    "pow",
    "powi",
    "ldexp",
    "rint",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "fmuladd",
];

/// `experimental.constrained.*`: the environment of floating point operations.
fn constrained(site: &Site<'_, '_>, rest: &str) -> Verdict {
    let types = &site.cx.types;
    let from = site.params.first().copied().unwrap_or(TypeId::ERROR);
    let to = site.result;
    let count = site.args().len();
    match rest {
        "lrint" | "llrint" | "lround" | "llround" if types.is_vector(from) || types.is_vector(to) => {
            return site.wrong(format!("`{}` requires scalar operand and result", site.name));
        }
        "fcmp" | "fcmps" => predicate(site, true, 2)?,
        "fptosi" | "fptoui" => {
            if !types.is_float_or_vector(from) || !types.is_int_or_vector(to) {
                return site.wrong("the operand must be a floating-point value and the result an integer");
            }
            same_lanes(site, from, to)?;
        }
        "sitofp" | "uitofp" => {
            if !types.is_int_or_vector(from) || !types.is_float_or_vector(to) {
                return site.wrong("the operand must be an integer and the result a floating-point value");
            }
            same_lanes(site, from, to)?;
        }
        "fptrunc" | "fpext" => {
            if !types.is_float_or_vector(from) || !types.is_float_or_vector(to) {
                return site.wrong("operand and result must be floating-point values");
            }
            same_lanes(site, from, to)?;
            let (a, b) = (width(site, from), width(site, to));
            if if rest == "fptrunc" { a <= b } else { a >= b } {
                let (from, to) = (site.cx.display_ty(from), site.cx.display_ty(to));
                return site.wrong(format!("`{rest}` cannot convert `{from}` to `{to}`"));
            }
        }
        _ => {}
    }
    let Some(last) = count.checked_sub(1) else { return Ok(()) };
    match text(site, last) {
        Text::String("fpexcept.ignore" | "fpexcept.maytrap" | "fpexcept.strict") | Text::Unknown => {}
        _ => {
            return at(
                site,
                last,
                "the exception behavior must be `fpexcept.ignore`, `fpexcept.maytrap` or `fpexcept.strict`",
            );
        }
    }
    if ROUNDED.contains(&rest)
        && let Some(mode) = last.checked_sub(1)
    {
        match text(site, mode) {
            Text::String(text) if is_rounding(text) => {}
            Text::Unknown => {}
            _ => {
                return at(
                    site,
                    mode,
                    "the rounding mode must be `round.dynamic`, `round.tonearest`, `round.downward`, `round.upward`, `round.towardzero` or `round.tonearestaway`",
                );
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn faults() {
        marks(expect![[r#"
            define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
              %a = call <4 x i4> @llvm.stepvector.v4i4()
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-operands]: the elements of the result must be integers of at least 8 bits, found `<4 x i4>`
              ret void
            }
            declare <4 x i4> @llvm.stepvector.v4i4()
        "#]]);
        marks(expect![[r#"
            define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
              %a = call i1 @llvm.ucmp.i1.i32(i32 %i, i32 0)
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-operands]: the result must have at least 2 bits per element
              ret void
            }
            declare i1 @llvm.ucmp.i1.i32(i32, i32)
        "#]]);
        marks(expect![[r#"
            define void @f() {
              %a = call <4 x i8> @llvm.get.active.lane.mask.v4i8.i32(i32 0, i32 0)
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-operands]: expected a vector of `i1` as result, found `<4 x i8>`
            ;                                                                   ^ warning[poison-result]: `llvm.get.active.lane.mask` of 0 elements is poison
              ret void
            }
            declare <4 x i8> @llvm.get.active.lane.mask.v4i8.i32(i32, i32)
        "#]]);
        marks(expect![[r#"
            define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
              %a = call ptr @llvm.ptrmask.p0.i32(ptr %p, i32 0)
            ;                                                ^ error[intrinsic-operands]: expected a mask of `i64`, the index width, found `i32`
              ret void
            }
            declare ptr @llvm.ptrmask.p0.i32(ptr, i32)
        "#]]);
    }
}
