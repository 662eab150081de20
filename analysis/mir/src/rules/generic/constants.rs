//! Immediates and constants.

use wavelens_isa::mir::opcode::*;

use super::{GENERIC_CONSTANT as RULE, Generic};
use crate::context::{Reg, VirtualKind};
use crate::model::*;
use wavelens_base::{Verdict, fail_at};

pub(super) fn check_extension_width(g: &Generic<'_, '_>) -> Verdict {
    let assert = !g.inst.is(G_SEXT_INREG);
    let name = g.name();
    let Some(width) = g.immediate(2) else {
        return fail_at(&RULE, 2, format!("the width of `{name}` must be an immediate"));
    };
    let bits = g.ty(1).map(|t| g.scalar_bits(t));
    if width <= 0 {
        return fail_at(&RULE, 2, "the width must be at least 1");
    }
    if let Some(bits) = bits.filter(|bits| width as u64 >= *bits) {
        let message = format!("the width must be less than the size of the value, {bits} bits, is {width}");
        return fail_at(&RULE, 2, message);
    }
    if !assert {
        return Ok(());
    }
    let kind = |g: &Generic<'_, '_>, index: usize| match g
        .operand(index)
        .and_then(Operand::register)
        .map(|r| g.cx.reg(r))
    {
        Some(Reg::Virtual(v)) => g.cx.virtual_of(v).kind,
        _ => VirtualKind::Unknown,
    };
    let (to, from) = (kind(g, 0), kind(g, 1));
    let bank = |k: VirtualKind| matches!(k, VirtualKind::Bank(_)).then_some(k);
    // Only the target knows the bank of a class.
    if bank(to).is_some() && bank(to) != bank(from) && !matches!(from, VirtualKind::Class(_)) {
        return fail_at(&RULE, 0, format!("`{name}` must not change the register bank"));
    } else if matches!(to, VirtualKind::Class(_)) && to != from {
        return fail_at(&RULE, 0, "source and destination must have the same register class");
    }
    Ok(())
}

pub(super) fn check_alignment(g: &Generic<'_, '_>) -> Verdict {
    if g.immediate(2).is_none_or(|v| v < 1) {
        return fail_at(&RULE, 2, "the alignment must be an immediate of at least 1");
    }
    Ok(())
}

pub(super) fn check_integer(g: &Generic<'_, '_>) -> Verdict {
    let ty = g.ty(0);
    if ty.is_some_and(Type::is_vector) {
        return fail_at(&RULE, 0, "a constant must be a scalar; use G_BUILD_VECTOR for a vector");
    }
    let Some(OperandKind::TypedImmediate { bits, .. }) = g.kind(1) else {
        return fail_at(&RULE, 1, "expected an integer constant with its type (`i32 7`)");
    };
    let Some(size) = ty.map(|ty| g.bits(ty)) else { return Ok(()) };
    if size != u64::from(bits) {
        return fail_at(&RULE, 1, format!("the constant has {bits} bits, but the register has {size}"));
    }
    Ok(())
}

pub(super) fn check_float(g: &Generic<'_, '_>) -> Verdict {
    let ty = g.ty(0);
    if ty.is_some_and(Type::is_vector) {
        return fail_at(&RULE, 0, "a constant must be a scalar; use G_BUILD_VECTOR for a vector");
    }
    let Some(OperandKind::FpImmediate { bits, .. }) = g.kind(1) else {
        return fail_at(&RULE, 1, "expected a floating point constant with its type (`float 1.0`)");
    };
    let Some(size) = ty.map(|ty| g.bits(ty)) else { return Ok(()) };
    if size != u64::from(bits) {
        return fail_at(&RULE, 1, format!("the constant has {bits} bits, but the register has {size}"));
    }
    Ok(())
}

pub(super) fn check_vscale(g: &Generic<'_, '_>) -> Verdict {
    match g.kind(1) {
        Some(OperandKind::TypedImmediate { value: Some(0), .. }) => {
            return fail_at(&RULE, 1, "the factor must not be 0");
        }
        Some(OperandKind::TypedImmediate { .. }) => {}
        _ => return fail_at(&RULE, 1, "expected an integer constant with its type (`i32 7`)"),
    }
    Ok(())
}

pub(super) fn check_step_vector(g: &Generic<'_, '_>) -> Verdict {
    let Some(OperandKind::TypedImmediate { bits, value, .. }) = g.kind(1) else {
        return fail_at(&RULE, 1, "expected an integer constant with its type (`i32 1`)");
    };
    if value.is_some_and(|v| v <= 0) {
        return fail_at(&RULE, 1, "the step must be positive");
    }
    let Some(ty) = g.ty(0) else { return Ok(()) };
    let message = if !ty.is_scalable() {
        "the result must be a scalable vector".to_owned()
    } else if !ty.element().is_scalar() {
        "the result's elements must be scalars".to_owned()
    } else if g.scalar_bits(ty) != u64::from(bits) {
        format!("the step has {bits} bits, but the elements have {}", g.scalar_bits(ty))
    } else {
        return Ok(());
    };
    fail_at(&RULE, 0, message)
}

pub(super) fn check_trap(g: &Generic<'_, '_>) -> Verdict {
    match g.immediate(0) {
        None => return fail_at(&RULE, 0, "the kind of crash must be an immediate"),
        Some(kind) if i8::try_from(kind).is_err() => {
            return fail_at(&RULE, 0, "the kind of crash must fit in 8 bits");
        }
        Some(_) => {}
    }
    Ok(())
}

pub(super) fn check_prefetch(g: &Generic<'_, '_>) -> Verdict {
    if !g.ty(0).is_some_and(Type::is_pointer) {
        return g.fail_not_a_pointer(&RULE, 0, "the address");
    }
    for (index, limit, what) in [(1, 2, "read or write"), (2, 4, "the locality"), (3, 2, "the cache type")] {
        if !g.immediate(index).is_some_and(|v| (0..limit).contains(&v)) {
            return fail_at(&RULE, index, format!("{what} must be an immediate between 0 and {}", limit - 1));
        }
    }
    Ok(())
}

pub(super) fn check_jump_table(g: &Generic<'_, '_>) -> Verdict {
    let branch = g.inst.is(G_BRJT);
    if !g.ty(0).is_some_and(Type::is_pointer) {
        return g.fail_not_a_pointer(&RULE, 0, "the table's address");
    }
    if !matches!(g.kind(1), Some(OperandKind::JumpTable(_))) {
        return fail_at(&RULE, 1, "expected a jump table (`%jump-table.0`)");
    }
    if branch && (!g.is_register(2) || g.ty(2).is_some_and(Type::is_pointer)) {
        return fail_at(&RULE, 2, "the index must be a scalar register");
    }
    Ok(())
}

pub(super) fn check_constant_pool(g: &Generic<'_, '_>) -> Verdict {
    if !matches!(g.kind(1), Some(OperandKind::ConstantPool(_))) {
        return fail_at(&RULE, 1, "expected a constant pool item (`%const.0`)");
    }
    if !g.ty(0).is_some_and(Type::is_pointer) {
        return g.fail_not_a_pointer(&RULE, 0, "the result");
    }
    Ok(())
}

pub(super) fn check_class_test(g: &Generic<'_, '_>) -> Verdict {
    let Some([to, from]) = g.types([0, 1]) else { return Ok(()) };
    if !to.element().is_scalar() {
        return fail_at(&RULE, 0, "the result must be a scalar or a vector of scalars");
    } else if !from.element().is_scalar() {
        return fail_at(&RULE, 1, "the value must be a scalar or a vector of scalars");
    }
    g.check_same_lanes(&RULE, to, from, 1)?;
    match g.immediate(2) {
        None => fail_at(&RULE, 2, "the classes must be an immediate"),
        Some(classes) if !(0..=0x3ff).contains(&classes) => {
            fail_at(&RULE, 2, "the classes must fit in 10 bits")
        }
        Some(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn widths() {
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                %0:_(s32) = G_CONSTANT i64 0
            ;                          ^^^^^ error[generic-constant]: the constant has 64 bits, but the register has 32
            ...
        "#]]);
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                %0:_(s32) = G_FCONSTANT double 0.0
            ;                           ^^^^^^^^^^ error[generic-constant]: the constant has 64 bits, but the register has 32
            ...
        "#]]);
    }
}
