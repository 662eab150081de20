//! Merging, splitting, building and shuffling.

use super::{GENERIC_VECTOR as RULE, Generic};
use crate::model::*;
use wavelens_base::{Verdict, fail_at};

/// The register operands from `from` on have the type of the one at `from`.
fn check_same_types(g: &Generic<'_, '_>, from: usize) -> Verdict {
    let first = g.ty(from);
    for index in from + 1..g.count() {
        let ty = g.ty(index);
        if g.operand(index).is_some_and(|o| o.register().is_some()) && ty != first {
            let message = "all sources must have the same type";
            return match first.zip(ty) {
                Some((first, ty)) => {
                    fail_at(&RULE, index, format!("{message}: the first is `{first}`, and this is `{ty}`"))
                }
                None => fail_at(&RULE, index, message),
            };
        }
    }
    Ok(())
}

pub(super) fn check_merge(g: &Generic<'_, '_>) -> Verdict {
    let Some([to, from]) = g.types([0, 1]) else { return Ok(()) };
    if to.is_vector() || from.is_vector() {
        return fail_at(
            &RULE,
            0,
            "operands of G_MERGE_VALUES must be scalars; use G_BUILD_VECTOR or G_CONCAT_VECTORS for vectors",
        );
    }
    let sources = g.count() as u64 - 1;
    if g.bits(to) != g.bits(from) * sources {
        return fail_at(
            &RULE,
            0,
            format!(
                "the sources together must have as many bits as the result: `{to}` has {}, but the {sources} of `{from}` have {}",
                g.bits(to),
                g.bits(from) * sources
            ),
        );
    }
    check_same_types(g, 1)
}

pub(super) fn check_unmerge(g: &Generic<'_, '_>) -> Verdict {
    let results = g.count() - 1;
    let Some(to) = g.ty(0) else { return Ok(()) };
    for index in 1..results {
        if g.ty(index) != Some(to) {
            return fail_at(&RULE, index, "all results must have the same type");
        }
    }
    let Some(from) = g.ty(results) else { return Ok(()) };
    let size_differs = g.bits(from) != results as u64 * g.bits(to);
    let wrong = if to.is_vector() {
        !from.is_vector()
            || (from.element() != to.element() && !from.is_pointer_or_pointers())
            || from.is_scalable() != to.is_scalable()
            || size_differs
    } else {
        size_differs
    };
    if wrong {
        let message = match size_differs {
            true => {
                let all = results as u64 * g.bits(to);
                format!(
                    "the results together must have as many bits as the source: `{from}` has {}, but the {results} of `{to}` have {all}",
                    g.bits(from)
                )
            }
            false => format!("expected a vector of `{}`, found `{from}`", to.element()),
        };
        return fail_at(&RULE, results, message);
    }
    Ok(())
}

fn check_builds_vector(to: Type, from: Type) -> Verdict {
    if !to.is_vector() {
        return fail_at(&RULE, 0, format!("the result must be a vector, found `{to}`"));
    } else if from.is_vector() {
        return fail_at(&RULE, 1, format!("the sources must be scalars or pointers, found `{from}`"));
    }
    Ok(())
}

pub(super) fn check_build(g: &Generic<'_, '_>) -> Verdict {
    let Some([to, from]) = g.types([0, 1]) else { return Ok(()) };
    check_builds_vector(to, from)?;
    if to.element() != from {
        return fail_at(
            &RULE,
            1,
            format!("the elements of `{to}` are `{}`, but a source is `{from}`", to.element()),
        );
    }
    if to.lanes().0 != g.count() as u64 - 1 {
        return fail_at(
            &RULE,
            0,
            format!("expected {} sources for `{to}`, found {}", to.lanes().0, g.count() - 1),
        );
    }
    check_same_types(g, 1)
}

pub(super) fn check_build_truncating(g: &Generic<'_, '_>) -> Verdict {
    let Some([to, from]) = g.types([0, 1]) else { return Ok(()) };
    check_builds_vector(to, from)?;
    check_same_types(g, 1)?;
    if g.bits(from) <= g.scalar_bits(to) {
        return fail_at(&RULE, 1, format!("`{from}` must be larger than the elements of `{to}`"));
    }
    Ok(())
}

pub(super) fn check_concat(g: &Generic<'_, '_>) -> Verdict {
    let Some([to, from]) = g.types([0, 1]) else { return Ok(()) };
    if !to.is_vector() {
        return fail_at(&RULE, 0, format!("the result must be a vector, found `{to}`"));
    } else if !from.is_vector() {
        return fail_at(&RULE, 1, format!("the sources must be vectors, found `{from}`"));
    }
    if g.count() < 3 {
        return fail_at(&RULE, 1, "expected at least 2 sources");
    }
    check_same_types(g, 1)?;
    let sources = g.count() as u64 - 1;
    if to.lanes() != (from.lanes().0 * sources, from.lanes().1) {
        return fail_at(
            &RULE,
            0,
            format!("the size of {sources} sources of `{from}` differs from that of `{to}`"),
        );
    }
    Ok(())
}

/// As LLVM adds them: a negative offset is not past the end.
fn is_past(bits: u64, offset: i64, end: u64) -> bool {
    (bits as i64).wrapping_add(offset) > end as i64
}

pub(super) fn check_extract(g: &Generic<'_, '_>) -> Verdict {
    if !g.is_register(1) {
        return fail_at(&RULE, 1, "the source must be a register");
    }
    let Some(offset) = g.immediate(2) else {
        return fail_at(&RULE, 2, "the offset must be an immediate");
    };
    let Some([to, from]) = g.types([0, 1]).map(|types| types.map(|ty| g.bits(ty))) else { return Ok(()) };
    if to == from {
        return fail_at(&RULE, 1, "the source must be larger than the result");
    }
    if is_past(to, offset, from) {
        return fail_at(
            &RULE,
            2,
            format!("{to} bits from bit {offset} exceed the {from} bits of the source"),
        );
    }
    Ok(())
}

pub(super) fn check_insert(g: &Generic<'_, '_>) -> Verdict {
    if !g.is_register(2) {
        return fail_at(&RULE, 2, "the inserted value must be a register");
    }
    let Some(offset) = g.immediate(3) else {
        return fail_at(&RULE, 3, "the offset must be an immediate");
    };
    let Some([to, part]) = g.types([0, 2]).map(|types| types.map(|ty| g.bits(ty))) else { return Ok(()) };
    if to <= part {
        return fail_at(&RULE, 2, "the inserted value must be smaller than the register");
    }
    if is_past(part, offset, to) {
        return fail_at(
            &RULE,
            3,
            format!("{part} bits at bit {offset} exceed the {to} bits of the register"),
        );
    }
    Ok(())
}

/// Rules that both subvector opcodes share; `big` and `small` are operand indices.
fn check_subvector(g: &Generic<'_, '_>, big: usize, small: usize, index: usize) -> Verdict {
    let Some([big_type, small_type]) = g.types([big, small]) else { return Ok(()) };
    let Some(position) = g.immediate(index).map(|position| position as u64) else { return Ok(()) };
    let (have, want) = (big_type.lanes().0, small_type.lanes().0);
    if !big_type.is_vector() {
        return fail_at(&RULE, big, "expected a vector");
    } else if !small_type.is_vector() {
        return fail_at(&RULE, small, "expected a vector");
    } else if big_type.element() != small_type.element() {
        return fail_at(&RULE, small, format!("the elements must be {}", big_type.element()));
    } else if big_type.is_scalable() != small_type.is_scalable() {
        return fail_at(&RULE, small, "either both vectors or neither must be scalable");
    } else if want > have {
        return fail_at(&RULE, small, format!("{small_type} is larger than {big_type}"));
    } else if !position.is_multiple_of(want) {
        return fail_at(&RULE, index, format!("the index must be a multiple of {want}"));
    } else if position >= have || position + want > have {
        return fail_at(
            &RULE,
            index,
            format!("{want} elements from {position} exceed the {have} elements of the vector"),
        );
    }
    Ok(())
}

pub(super) fn check_insert_subvector(g: &Generic<'_, '_>) -> Verdict {
    for index in [1, 2] {
        if !g.is_register(index) {
            return fail_at(&RULE, index, "expected a register");
        }
    }
    if g.immediate(3).is_none() {
        return fail_at(&RULE, 3, "the index must be an immediate");
    }
    check_subvector(g, 0, 2, 3)
}

pub(super) fn check_extract_subvector(g: &Generic<'_, '_>) -> Verdict {
    if !g.is_register(1) {
        return fail_at(&RULE, 1, "expected a register");
    }
    if g.immediate(2).is_none() {
        return fail_at(&RULE, 2, "the index must be an immediate");
    }
    check_subvector(g, 1, 0, 2)
}

pub(super) fn check_shuffle(g: &Generic<'_, '_>) -> Verdict {
    let Some(OperandKind::ShuffleMask(span)) = g.kind(3) else {
        return fail_at(&RULE, 3, "expected a mask (`shufflemask(0, 1)`)");
    };
    let Some([to, a, b]) = g.types([0, 1, 2]) else { return Ok(()) };
    if a != b {
        return fail_at(&RULE, 2, format!("both sources must have the same type, found `{a}` and `{b}`"));
    }
    if !a.is_vector() {
        return fail_at(&RULE, 1, format!("the sources must be vectors, found `{a}`"));
    }
    if a.element() != to.element() {
        return fail_at(&RULE, 0, format!("a shuffle must not change the element type `{}`", a.element()));
    }
    let mask = span.of(&g.cx.f.masks);
    if mask.len() < 2 {
        return fail_at(
            &RULE,
            3,
            "a mask must have at least 2 entries; use G_EXTRACT_VECTOR_ELT for one element",
        );
    }
    if mask.len() as u64 != to.lanes().0 {
        return fail_at(
            &RULE,
            3,
            format!("the mask has {} entries, but the result has {} lanes", mask.len(), to.lanes().0),
        );
    }
    let limit = 2 * a.lanes().0;
    if let Some(wrong) = mask.iter().find(|i| **i >= 0 && **i as u64 >= limit) {
        return fail_at(&RULE, 3, format!("mask index {wrong} exceeds the {limit} elements of both sources"));
    }
    Ok(())
}

pub(super) fn check_splat(g: &Generic<'_, '_>) -> Verdict {
    let Some([to, from]) = g.types([0, 1]) else { return Ok(()) };
    if !to.is_scalable() {
        return fail_at(&RULE, 0, "the result must be a scalable vector");
    } else if from.is_vector() {
        return fail_at(&RULE, 1, "the source must be a scalar or a pointer");
    } else if g.scalar_bits(to) > g.bits(from) {
        return fail_at(&RULE, 1, format!("the elements of `{to}` are larger than `{from}`"));
    }
    Ok(())
}

/// A register has the width of a vector index.
fn check_index(g: &Generic<'_, '_>, index: usize) -> Verdict {
    let Some(ty) = g.ty(index) else { return Ok(()) };
    let want = u64::from(g.cx.t.facts().vector_index_bits);
    if g.bits(ty) != want {
        return fail_at(
            &RULE,
            index,
            format!("the index must have {want} bits on this target, has {}", g.bits(ty)),
        );
    }
    Ok(())
}

pub(super) fn check_extract_element(g: &Generic<'_, '_>) -> Verdict {
    let Some([to, from]) = g.types([0, 1]) else { return Ok(()) };
    if to.is_vector() {
        return fail_at(&RULE, 0, "the result must be a scalar or a pointer");
    }
    if !from.is_vector() {
        return fail_at(&RULE, 1, "the source must be a vector");
    }
    check_index(g, 2)
}

pub(super) fn check_insert_element(g: &Generic<'_, '_>) -> Verdict {
    let Some([to, vector, element]) = g.types([0, 1, 2]) else { return Ok(()) };
    if !to.is_vector() {
        return fail_at(&RULE, 0, "the result must be a vector");
    }
    if vector != to {
        return Ok(());
    }
    if element.is_vector() {
        return fail_at(&RULE, 2, "the inserted value must be a scalar or a pointer");
    }
    check_index(g, 3)
}

pub(super) fn check_reduce(g: &Generic<'_, '_>, sequential: bool) -> Verdict {
    let is_wrong = |index, is: fn(Type) -> bool| g.ty(index).is_some_and(|ty| !is(ty));
    if is_wrong(0, Type::is_scalar) {
        return fail_at(&RULE, 0, "the result of a reduction must be a scalar");
    }
    if sequential {
        if is_wrong(1, Type::is_scalar) {
            return fail_at(&RULE, 1, "the start value must be a scalar");
        }
        if is_wrong(2, Type::is_vector) {
            return fail_at(&RULE, 2, "the source of a reduction must be a vector");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::{findings, marks};

    #[test]
    fn lanes() {
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                %0:_(s32) = G_IMPLICIT_DEF
                %1:_(<3 x s32>) = G_BUILD_VECTOR %0, %0
            ;   ^^^^^^^^^^^^^^^ error[generic-vector]: expected 3 sources for `<3 x s32>`, found 2
            ...
        "#]]);
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                %0:_(<2 x s32>) = G_IMPLICIT_DEF
                %1:_(<2 x s32>) = G_SHUFFLE_VECTOR %0, %0, shufflemask(0, 9)
            ;                                              ^^^^^^^^^^^^^^^^^ error[generic-vector]: mask index 9 exceeds the 4 elements of both sources
            ...
        "#]]);
    }

    #[test]
    fn bits_past_the_end() {
        let of = |instruction: &str| {
            let wide = "    %0:_(s64) = G_IMPLICIT_DEF\n    %1:_(s32) = G_IMPLICIT_DEF\n";
            findings("", &format!("  bb.0:\n{wide}    {instruction}\n    S_ENDPGM 0\n"))
        };
        expect![[r#"
            error[generic-vector] 7:31 `33`: 32 bits from bit 33 exceed the 64 bits of the source
        "#]]
        .assert_eq(&of("%2:_(s32) = G_EXTRACT %0, 33"));
        expect![[r#"
            error[generic-vector] 7:34 `33`: 32 bits at bit 33 exceed the 64 bits of the register
        "#]]
        .assert_eq(&of("%2:_(s64) = G_INSERT %0, %1, 33"));
        for fits in [
            "%2:_(s32) = G_EXTRACT %0, 32",
            "%2:_(s32) = G_EXTRACT %0, -1",
            "%2:_(s64) = G_INSERT %0, %1, -40",
        ] {
            assert_eq!(of(fits), "");
        }
    }
}
