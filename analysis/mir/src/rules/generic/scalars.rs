//! Comparisons, shifts, rounding, PHIs.

use super::{GENERIC_SCALAR as RULE, GENERIC_TYPE, Generic};
use crate::model::Type;
use wavelens_base::{Verdict, fail_at};

pub(super) fn check_phi(g: &Generic<'_, '_>) -> Verdict {
    let Some(to) = g.ty(0) else { return Ok(()) };
    for index in 1..g.count() {
        if !g.is_register(index) {
            continue;
        }
        let ty = g.ty(index);
        if ty != Some(to) {
            let have = ty.map_or("no type".to_owned(), |t| format!("type `{t}`"));
            return fail_at(
                &GENERIC_TYPE,
                index,
                format!("this value has {have}, but the PHI has type `{to}`"),
            );
        }
    }
    Ok(())
}

pub(super) fn check_select(g: &Generic<'_, '_>) -> Verdict {
    let Some([to, condition]) = g.types([0, 1]) else { return Ok(()) };
    if condition.is_vector() {
        g.check_same_lanes(&RULE, to, condition, 1)?;
    }
    Ok(())
}

pub(super) fn check_compare(g: &Generic<'_, '_>) -> Verdict {
    let Some([to, from]) = g.types([0, 2]) else { return Ok(()) };
    g.check_same_lanes(&RULE, to, from, 0)
}

pub(super) fn check_three_way(g: &Generic<'_, '_>) -> Verdict {
    let Some([to, from]) = g.types([0, 1]) else { return Ok(()) };
    if from.is_pointer_or_pointers() {
        return fail_at(&RULE, 1, "operands of a three-way comparison must not be pointers");
    } else if to.is_pointer_or_pointers() {
        return fail_at(&RULE, 0, "the result must not be a pointer");
    } else if g.scalar_bits(to) < 2 {
        return fail_at(&RULE, 0, "the result must have at least 2 bits");
    } else {
        g.check_same_lanes(&RULE, to, from, 0)?;
    }
    Ok(())
}

pub(super) fn check_extremum(g: &Generic<'_, '_>) -> Verdict {
    if g.ty(0).is_some_and(Type::is_pointer_or_pointers) {
        return fail_at(&RULE, 0, "the operands of an integer minimum or maximum must not be pointers");
    }
    Ok(())
}

pub(super) fn check_byte_swap(g: &Generic<'_, '_>) -> Verdict {
    let Some(to) = g.ty(0) else { return Ok(()) };
    if !g.scalar_bits(to).is_multiple_of(16) {
        return fail_at(&RULE, 0, "the size of a byte swap must be a multiple of 16 bits");
    }
    Ok(())
}

pub(super) fn check_shift(g: &Generic<'_, '_>) -> Verdict {
    let Some([value, amount]) = g.types([1, 2]) else { return Ok(()) };
    if value.is_vector() != amount.is_vector() {
        return fail_at(
            &RULE,
            2,
            format!("the value ({value}) and the amount ({amount}) must both be vectors or both be scalars"),
        );
    }
    Ok(())
}

pub(super) fn check_bit_field(g: &Generic<'_, '_>) -> Verdict {
    if g.ty(0).is_some_and(Type::is_vector) {
        return fail_at(&RULE, 0, "the source of a bit field extraction must be a scalar");
    }
    Ok(())
}

pub(super) fn check_round(g: &Generic<'_, '_>) -> Verdict {
    let Some([to, from]) = g.types([0, 1]) else { return Ok(()) };
    if to.is_pointer() || from.is_pointer() {
        return fail_at(&RULE, usize::from(from.is_pointer()), "operands of a rounding must not be pointers");
    } else if from.is_scalar() {
        if !to.is_scalar() {
            return fail_at(&RULE, 0, "all operands must be scalars");
        }
    } else if from.is_vector() {
        g.check_same_lanes(&RULE, from, to, 0)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::{findings, marks};

    #[test]
    fn minimums_of_pointers() {
        let of = |ty: &str| {
            findings(
                "",
                &format!("  bb.0:\n    %0:_({ty}) = G_IMPLICIT_DEF\n    %1:_({ty}) = G_UMIN %0, %0\n"),
            )
        };
        expect![[r#"
            error[generic-scalar] 6:5 `%1:_(p0)`: the operands of an integer minimum or maximum must not be pointers
        "#]].assert_eq(&of("p0"));
        expect![[r#"
            error[generic-scalar] 6:5 `%1:_(<2 x p0>)`: the operands of an integer minimum or maximum must not be pointers
        "#]].assert_eq(&of("<2 x p0>"));
        expect![""].assert_eq(&of("s64"));
    }

    #[test]
    fn types() {
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                %0:_(s32) = G_IMPLICIT_DEF
                %1:_(s64) = G_ADD %0, %0
            ;   ^^^^^^^^^ error[generic-type-mismatch]: `%1` has type `s64`, but must have the type of `%0`, `s32`
            ...
        "#]]);
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                %0:_(s32) = G_IMPLICIT_DEF
                %1:_(p0) = G_PTR_ADD %0, %0
            ;                        ^^ error[generic-type-mismatch]: `%0` has type `s32`, but must have the type of `%1`, `p0`
            ...
        "#]]);
    }
}
