//! Casts and pointer arithmetic.

use wavelens_isa::mir::opcode::*;

use super::{GENERIC_CAST as RULE, Generic};
use crate::model::*;
use wavelens_base::{Verdict, fail_at};

pub(super) fn check_bitcast(g: &Generic<'_, '_>) -> Verdict {
    let Some([to, from]) = g.types([0, 1]) else { return Ok(()) };
    if to.is_pointer() != from.is_pointer() {
        return fail_at(
            &RULE,
            1,
            format!("a bitcast must not convert between pointers and other types: `{from}` to `{to}`"),
        );
    }
    if g.bits(to) != g.bits(from) || to.is_scalable() != from.is_scalable() {
        return fail_at(
            &RULE,
            1,
            format!(
                "a bitcast must not change the size: `{from}` has {} bits, but `{to}` has {}",
                g.bits(from),
                g.bits(to)
            ),
        );
    }
    if to == from {
        return fail_at(&RULE, 1, format!("a bitcast must change the type, found `{to}` on both sides"));
    }
    Ok(())
}

pub(super) fn check_pointer_cast(g: &Generic<'_, '_>) -> Verdict {
    let Some([to, from]) = g.types([0, 1]) else { return Ok(()) };
    g.check_same_lanes(&RULE, to, from, 1)?;
    let (to, from) = (to.element(), from.element());
    let (wrong, index, message) = match g.inst.desc.generic {
        G_INTTOPTR if !to.is_pointer() => return g.fail_not_a_pointer(&RULE, 0, "the result"),
        G_INTTOPTR => (from.is_pointer(), 1, "the source must not be a pointer"),
        G_PTRTOINT if !from.is_pointer() => return g.fail_not_a_pointer(&RULE, 1, "the source"),
        G_PTRTOINT => (to.is_pointer(), 0, "the result must not be a pointer"),
        _ if !to.is_pointer() || !from.is_pointer() => {
            (true, 1, "the source and the result must be pointers")
        }
        _ => (to == from, 1, "the address spaces must differ"),
    };
    if wrong {
        return fail_at(&RULE, index, message);
    }
    Ok(())
}

pub(super) fn check_pointer_add(g: &Generic<'_, '_>) -> Verdict {
    let Some([_, pointer, offset]) = g.types([0, 1, 2]) else { return Ok(()) };
    if !pointer.is_pointer_or_pointers() {
        return g.fail_not_a_pointer(&RULE, 1, "the base");
    }
    if offset.is_pointer_or_pointers() {
        return fail_at(&RULE, 2, "the offset must not be a pointer");
    }
    if let Type::Pointer(space) = pointer.element() {
        let index = u64::from(g.cx.pointer_bits(space).1);
        if g.scalar_bits(offset) != index {
            return fail_at(
                &RULE,
                2,
                format!("the offset must have {index} bits in address space {space}, found `{offset}`"),
            );
        }
    }
    Ok(())
}

pub(super) fn check_pointer_mask(g: &Generic<'_, '_>) -> Verdict {
    let Some([to, _, mask]) = g.types([0, 1, 2]) else { return Ok(()) };
    if !to.is_pointer_or_pointers() {
        return g.fail_not_a_pointer(&RULE, 0, "the result");
    }
    if !mask.element().is_scalar() {
        return fail_at(&RULE, 2, "the mask must be an integer");
    }
    g.check_same_lanes(&RULE, to, mask, 2)
}

pub(super) fn check_resize(g: &Generic<'_, '_>, extend: bool) -> Verdict {
    let Some([to, from]) = g.types([0, 1]) else { return Ok(()) };
    if to.is_pointer_or_pointers() || from.is_pointer_or_pointers() {
        return fail_at(&RULE, 1, "pointers must not be extended or truncated");
    }
    g.check_same_lanes(&RULE, to, from, 1)?;
    let (to_bits, from_bits) = (g.scalar_bits(to), g.scalar_bits(from));
    if extend && to_bits <= from_bits {
        return fail_at(
            &RULE,
            0,
            format!("the result must be wider than the source: it is `{to}`, and the source is `{from}`"),
        );
    }
    if !extend && to_bits >= from_bits {
        return fail_at(
            &RULE,
            0,
            format!("the result must be narrower than the source: it is `{to}`, and the source is `{from}`"),
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn sizes() {
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                %0:_(s32) = G_IMPLICIT_DEF
                %1:_(s64) = G_TRUNC %0
            ;   ^^^^^^^^^ error[generic-cast]: the result must be narrower than the source: it is `s64`, and the source is `s32`
            ...
        "#]]);
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                %0:_(s32) = G_IMPLICIT_DEF
                %1:_(s16) = G_ZEXT %0
            ;   ^^^^^^^^^ error[generic-cast]: the result must be wider than the source: it is `s16`, and the source is `s32`
            ...
        "#]]);
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                %0:_(s32) = G_IMPLICIT_DEF
                %1:_(p0) = G_BITCAST %0
            ;                        ^^ error[generic-cast]: a bitcast must not convert between pointers and other types: `s32` to `p0`
            ...
        "#]]);
    }
}
