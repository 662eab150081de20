//! Merging, splitting, building and shuffling.

use super::{GENERIC_VECTOR as RULE, Generic};
use crate::mir::model::*;

type Done = Option<()>;

/// Whether the register operands from `from` on have the type of the one at `from`.
fn homogeneous(g: &mut Generic<'_, '_>, from: usize) {
    let first = g.ty(from);
    for index in from + 1..g.count() {
        if g.operand(index).is_some_and(|o| o.register().is_some()) && g.ty(index) != first {
            g.report(&RULE, index, "all sources must have the same type");
            return;
        }
    }
}

pub(super) fn merge(g: &mut Generic<'_, '_>) -> Done {
    let (to, from) = (g.ty(0)?, g.ty(1)?);
    if to.is_vector() || from.is_vector() {
        g.report(
            &RULE,
            0,
            "operands of G_MERGE_VALUES must be scalars; use G_BUILD_VECTOR or G_CONCAT_VECTORS for vectors",
        );
    }
    let sources = g.count() as u64 - 1;
    if g.bits(to) != g.bits(from) * sources {
        g.report(&RULE, 0, format!("the size of {sources} sources of {from} differs from that of {to}"));
    }
    homogeneous(g, 1);
    None
}

pub(super) fn unmerge(g: &mut Generic<'_, '_>) -> Done {
    let results = g.count() - 1;
    let to = g.ty(0)?;
    for index in 1..results {
        if g.ty(index) != Some(to) {
            g.report(&RULE, index, "all results must have the same type");
            break;
        }
    }
    let from = g.ty(results)?;
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
        g.report(
            &RULE,
            results,
            format!("the size of {from} differs from that of {results} results of {to}"),
        );
    }
    None
}

pub(super) fn build(g: &mut Generic<'_, '_>) -> Done {
    let (to, from) = (g.ty(0)?, g.ty(1)?);
    if !to.is_vector() || from.is_vector() {
        g.report(&RULE, 0, "G_BUILD_VECTOR must build a vector from scalars");
        return None;
    }
    if to.element() != from {
        g.report(&RULE, 1, format!("the elements of {to} are {}, but a source is {from}", to.element()));
    }
    if to.lanes().0 != g.count() as u64 - 1 {
        g.report(&RULE, 0, format!("{to} needs {} elements, not {}", to.lanes().0, g.count() - 1));
    }
    homogeneous(g, 1);
    None
}

pub(super) fn build_truncating(g: &mut Generic<'_, '_>) -> Done {
    let (to, from) = (g.ty(0)?, g.ty(1)?);
    if !to.is_vector() || from.is_vector() {
        g.report(&RULE, 0, "G_BUILD_VECTOR_TRUNC must build a vector from scalars");
    }
    homogeneous(g, 1);
    if g.bits(from) <= g.scalar_bits(to) {
        g.report(&RULE, 1, format!("{from} must be larger than the elements of {to}"));
    }
    None
}

pub(super) fn concat(g: &mut Generic<'_, '_>) -> Done {
    let (to, from) = (g.ty(0)?, g.ty(1)?);
    if !to.is_vector() || !from.is_vector() {
        g.report(&RULE, 0, "G_CONCAT_VECTORS must build a vector from vectors");
    }
    if g.count() < 3 {
        g.report(&RULE, 1, "expected at least 2 sources");
    }
    homogeneous(g, 1);
    let sources = g.count() as u64 - 1;
    if to.lanes() != (from.lanes().0 * sources, from.lanes().1) {
        g.report(&RULE, 0, format!("the size of {sources} sources of {from} differs from that of {to}"));
    }
    None
}

pub(super) fn extract(g: &mut Generic<'_, '_>) -> Done {
    if g.operand(1)?.register().is_none() {
        g.report(&RULE, 1, "the source must be a register");
        return None;
    }
    let Some(offset) = g.immediate(2) else {
        g.report(&RULE, 2, "the offset must be an immediate");
        return None;
    };
    let (to, from) = (g.bits(g.ty(0)?), g.bits(g.ty(1)?));
    if to == from {
        g.report(&RULE, 1, "the source must be larger than the result");
    }
    if to.wrapping_add(offset as u64) > from {
        g.report(&RULE, 2, format!("{to} bits from bit {offset} exceed the {from} bits of the source"));
    }
    None
}

pub(super) fn insert(g: &mut Generic<'_, '_>) -> Done {
    if g.operand(2)?.register().is_none() {
        g.report(&RULE, 2, "the inserted value must be a register");
        return None;
    }
    let Some(offset) = g.immediate(3) else {
        g.report(&RULE, 3, "the offset must be an immediate");
        return None;
    };
    let (to, part) = (g.bits(g.ty(0)?), g.bits(g.ty(2)?));
    if to <= part {
        g.report(&RULE, 2, "the inserted value must be smaller than the register");
    }
    if part.wrapping_add(offset as u64) > to {
        g.report(&RULE, 3, format!("{part} bits at bit {offset} exceed the {to} bits of the register"));
    }
    None
}

/// Rules that both subvector opcodes share; `big` and `small` are operand indices.
fn subvector(g: &mut Generic<'_, '_>, big: usize, small: usize, index: usize) -> Done {
    let (big_type, small_type) = (g.ty(big)?, g.ty(small)?);
    let position = g.immediate(index)? as u64;
    let (have, want) = (big_type.lanes().0, small_type.lanes().0);
    if !big_type.is_vector() {
        g.report(&RULE, big, "expected a vector");
    } else if !small_type.is_vector() {
        g.report(&RULE, small, "expected a vector");
    } else if big_type.element() != small_type.element() {
        g.report(&RULE, small, format!("the elements must be {}", big_type.element()));
    } else if big_type.is_scalable() != small_type.is_scalable() {
        g.report(&RULE, small, "either both vectors or neither must be scalable");
    } else if want > have {
        g.report(&RULE, small, format!("{small_type} is larger than {big_type}"));
    } else if !position.is_multiple_of(want) {
        g.report(&RULE, index, format!("the index must be a multiple of {want}"));
    } else if position >= have || position + want > have {
        g.report(
            &RULE,
            index,
            format!("{want} elements from {position} exceed the {have} elements of the vector"),
        );
    }
    None
}

pub(super) fn insert_subvector(g: &mut Generic<'_, '_>) -> Done {
    for index in [1, 2] {
        if g.operand(index)?.register().is_none() {
            g.report(&RULE, index, "expected a register");
            return None;
        }
    }
    if g.immediate(3).is_none() {
        g.report(&RULE, 3, "the index must be an immediate");
    }
    subvector(g, 0, 2, 3)
}

pub(super) fn extract_subvector(g: &mut Generic<'_, '_>) -> Done {
    if g.operand(1)?.register().is_none() {
        g.report(&RULE, 1, "expected a register");
        return None;
    }
    if g.immediate(2).is_none() {
        g.report(&RULE, 2, "the index must be an immediate");
    }
    subvector(g, 1, 0, 2)
}

pub(super) fn shuffle(g: &mut Generic<'_, '_>) -> Done {
    let OperandKind::ShuffleMask(span) = g.operand(3)?.kind else {
        g.report(&RULE, 3, "expected a mask (`shufflemask(0, 1)`)");
        return None;
    };
    let (to, a, b) = (g.ty(0)?, g.ty(1)?, g.ty(2)?);
    if a != b {
        g.report(&RULE, 2, format!("both sources must have the same type: {a} and {b}"));
    }
    if !a.is_vector() {
        g.report(&RULE, 1, format!("the sources must be vectors, not {a}"));
    }
    if a.element() != to.element() {
        g.report(&RULE, 0, format!("a shuffle must not change the element type {}", a.element()));
    }
    let mask = span.of(&g.cx.f.masks);
    if mask.len() < 2 {
        g.report(&RULE, 3, "a mask must have at least 2 entries; use G_EXTRACT_VECTOR_ELT for one element");
        return None;
    }
    if mask.len() as u64 != to.lanes().0 {
        g.report(
            &RULE,
            3,
            format!("the mask has {} entries, but the result has {} lanes", mask.len(), to.lanes().0),
        );
    }
    let limit = 2 * a.lanes().0;
    if let Some(wrong) = mask.iter().find(|i| **i >= 0 && **i as u64 >= limit) {
        g.report(&RULE, 3, format!("mask index {wrong} exceeds the {limit} elements of both sources"));
    }
    None
}

pub(super) fn splat(g: &mut Generic<'_, '_>) -> Done {
    let (to, from) = (g.ty(0)?, g.ty(1)?);
    if !to.is_scalable() {
        g.report(&RULE, 0, "the result must be a scalable vector");
    } else if from.is_vector() {
        g.report(&RULE, 1, "the source must be a scalar or a pointer");
    } else if g.scalar_bits(to) > g.bits(from) {
        g.report(&RULE, 1, format!("the elements of {to} are larger than {from}"));
    }
    None
}

/// Whether a register has the width of a vector index.
fn check_index(g: &mut Generic<'_, '_>, index: usize) -> Done {
    let ty = g.ty(index)?;
    let want = u64::from(g.cx.t.facts().vector_index_bits);
    if g.bits(ty) != want {
        g.report(&RULE, index, format!("the index must have {want} bits on this target"));
    }
    None
}

pub(super) fn extract_element(g: &mut Generic<'_, '_>) -> Done {
    let (to, from) = (g.ty(0)?, g.ty(1)?);
    if to.is_vector() {
        g.report(&RULE, 0, "the result must be a scalar or a pointer");
        return None;
    }
    if !from.is_vector() {
        g.report(&RULE, 1, "the source must be a vector");
        return None;
    }
    check_index(g, 2)
}

pub(super) fn insert_element(g: &mut Generic<'_, '_>) -> Done {
    let (to, vector, element) = (g.ty(0)?, g.ty(1)?, g.ty(2)?);
    if !to.is_vector() {
        g.report(&RULE, 0, "the result must be a vector");
        return None;
    }
    if vector != to {
        return None;
    }
    if element.is_vector() {
        g.report(&RULE, 2, "the inserted value must be a scalar or a pointer");
        return None;
    }
    check_index(g, 3)
}

pub(super) fn reduce(g: &mut Generic<'_, '_>, sequential: bool) -> Done {
    if !g.ty(0)?.is_scalar() {
        g.report(&RULE, 0, "the result of a reduction must be a scalar");
    }
    if sequential {
        if !g.ty(1)?.is_scalar() {
            g.report(&RULE, 1, "the start value must be a scalar");
        }
        if !g.ty(2)?.is_vector() {
            g.report(&RULE, 2, "the source of a reduction must be a vector");
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::mir::rules::findings;

    #[test]
    fn lanes() {
        expect![[r#"
            error[generic-vector] 6:5 `%1:_(<3 x s32>)`: <3 x s32> needs 3 elements, not 2
        "#]]
        .assert_eq(&findings(
            "",
            "  bb.0:\n    %0:_(s32) = G_IMPLICIT_DEF\n    %1:_(<3 x s32>) = G_BUILD_VECTOR %0, %0\n",
        ));
        expect![[r#"
            error[generic-vector] 6:48 `shufflemask(0, 9)`: mask index 9 exceeds the 4 elements of both sources
        "#]].assert_eq(&findings("", "  bb.0:\n    %0:_(<2 x s32>) = G_IMPLICIT_DEF\n    %1:_(<2 x s32>) = G_SHUFFLE_VECTOR %0, %0, shufflemask(0, 9)\n"));
    }
}
