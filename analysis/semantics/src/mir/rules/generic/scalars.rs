//! Comparisons, shifts, rounding, PHIs.

use super::{GENERIC_SCALAR as RULE, GENERIC_TYPE, Generic};

type Done = Option<()>;

pub(super) fn phi(g: &mut Generic<'_, '_>) -> Done {
    let to = g.ty(0)?;
    for index in 1..g.count() {
        if g.operand(index)?.register().is_none() {
            continue;
        }
        let ty = g.ty(index);
        if ty != Some(to) {
            let have = ty.map_or("no type".to_owned(), |t| format!("the type {t}"));
            g.report(&GENERIC_TYPE, index, format!("this value has {have}, but the PHI has type {to}"));
            return None;
        }
    }
    None
}

pub(super) fn select(g: &mut Generic<'_, '_>) -> Done {
    let (to, condition) = (g.ty(0)?, g.ty(1)?);
    if condition.is_vector() {
        g.same_lanes(&RULE, to, condition, 1);
    }
    None
}

pub(super) fn compare(g: &mut Generic<'_, '_>) -> Done {
    let (to, from) = (g.ty(0)?, g.ty(2)?);
    g.same_lanes(&RULE, to, from, 0);
    None
}

pub(super) fn three_way(g: &mut Generic<'_, '_>) -> Done {
    let (to, from) = (g.ty(0)?, g.ty(1)?);
    if from.is_pointer_or_pointers() {
        g.report(&RULE, 1, "operands of a three-way comparison must not be pointers");
    } else if to.is_pointer_or_pointers() {
        g.report(&RULE, 0, "the result must not be a pointer");
    } else if g.scalar_bits(to) < 2 {
        g.report(&RULE, 0, "the result must have at least 2 bits");
    } else {
        g.same_lanes(&RULE, to, from, 0);
    }
    None
}

pub(super) fn byte_swap(g: &mut Generic<'_, '_>) -> Done {
    let to = g.ty(0)?;
    if !g.scalar_bits(to).is_multiple_of(16) {
        g.report(&RULE, 0, "the size of a byte swap must be a multiple of 16 bits");
    }
    None
}

pub(super) fn shift(g: &mut Generic<'_, '_>) -> Done {
    let (value, amount) = (g.ty(1)?, g.ty(2)?);
    if value.is_vector() != amount.is_vector() {
        g.report(
            &RULE,
            2,
            format!("the value ({value}) and the amount ({amount}) must both be vectors or both be scalars"),
        );
    }
    None
}

pub(super) fn bit_field(g: &mut Generic<'_, '_>) -> Done {
    if g.ty(0)?.is_vector() {
        g.report(&RULE, 0, "the source of a bit field extraction must be a scalar");
    }
    None
}

pub(super) fn round(g: &mut Generic<'_, '_>) -> Done {
    let (to, from) = (g.ty(0)?, g.ty(1)?);
    if to.is_pointer() || from.is_pointer() {
        g.report(&RULE, usize::from(from.is_pointer()), "operands of a rounding must not be pointers");
    } else if from.is_scalar() {
        if !to.is_scalar() {
            g.report(&RULE, 0, "all operands must be scalars");
        }
    } else if from.is_vector() {
        g.same_lanes(&RULE, from, to, 0);
    }
    None
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::mir::rules::findings;

    #[test]
    fn types() {
        expect![[r#"
            error[generic-type-mismatch] 6:23 `%0`: expected type s64, but `%0` has type s32
            error[generic-type-mismatch] 6:27 `%0`: expected type s64, but `%0` has type s32
        "#]]
        .assert_eq(&findings("", "  bb.0:\n    %0:_(s32) = G_IMPLICIT_DEF\n    %1:_(s64) = G_ADD %0, %0\n"));
        expect![[r#"
            error[generic-type-mismatch] 6:26 `%0`: expected type p0, but `%0` has type s32
        "#]]
        .assert_eq(&findings(
            "",
            "  bb.0:\n    %0:_(s32) = G_IMPLICIT_DEF\n    %1:_(p0) = G_PTR_ADD %0, %0\n",
        ));
    }
}
