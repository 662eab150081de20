//! Immediates and constants.

use wavelens_isa::mir::opcode::*;

use super::{GENERIC_CONSTANT as RULE, Generic};
use crate::mir::context::{Reg, VirtualKind};
use crate::mir::model::*;

type Done = Option<()>;

pub(super) fn extension_width(g: &mut Generic<'_, '_>) -> Done {
    let assert = !g.inst.is(G_SEXT_INREG);
    let name = g.name();
    let Some(width) = g.immediate(2) else {
        g.report(&RULE, 2, format!("the width of `{name}` must be an immediate"));
        return None;
    };
    let bits = g.ty(1).map(|t| g.scalar_bits(t));
    if width <= 0 {
        g.report(&RULE, 2, "the width must be at least 1");
        return None;
    }
    if bits.is_some_and(|b| width as u64 >= b) || bits.is_none() {
        let bits = bits.unwrap_or(0);
        g.report(&RULE, 2, format!("the width must be less than the size of the value, {bits} bits"));
        return None;
    }
    if !assert {
        return None;
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
    // A class stands for a bank that only the target knows.
    if bank(to).is_some() && bank(to) != bank(from) && !matches!(from, VirtualKind::Class(_)) {
        g.report(&RULE, 0, format!("`{name}` must not change the register bank"));
    } else if matches!(to, VirtualKind::Class(_)) && to != from {
        g.report(&RULE, 0, "source and destination must have the same register class");
    }
    None
}

pub(super) fn alignment(g: &mut Generic<'_, '_>) -> Done {
    if g.immediate(2).is_none_or(|v| v < 1) {
        g.report(&RULE, 2, "the alignment must be an immediate of at least 1");
    }
    None
}

pub(super) fn integer(g: &mut Generic<'_, '_>) -> Done {
    let ty = g.ty(0);
    if ty.is_some_and(Type::is_vector) {
        g.report(&RULE, 0, "a constant must be a scalar; use G_BUILD_VECTOR for a vector");
    }
    let OperandKind::TypedImmediate { bits, .. } = g.operand(1)?.kind else {
        g.report(&RULE, 1, "expected an integer constant with its type (`i32 7`)");
        return None;
    };
    let size = g.bits(ty?);
    if size != u64::from(bits) {
        g.report(&RULE, 1, format!("the constant has {bits} bits, but the register has {size}"));
    }
    None
}

pub(super) fn float(g: &mut Generic<'_, '_>) -> Done {
    let ty = g.ty(0);
    if ty.is_some_and(Type::is_vector) {
        g.report(&RULE, 0, "a constant must be a scalar; use G_BUILD_VECTOR for a vector");
    }
    let OperandKind::FpImmediate { bits, .. } = g.operand(1)?.kind else {
        g.report(&RULE, 1, "expected a floating point constant with its type (`float 1.0`)");
        return None;
    };
    let size = g.bits(ty?);
    if size != u64::from(bits) {
        g.report(&RULE, 1, format!("the constant has {bits} bits, but the register has {size}"));
    }
    None
}

pub(super) fn vscale(g: &mut Generic<'_, '_>) -> Done {
    match g.operand(1)?.kind {
        OperandKind::TypedImmediate { value: Some(0), .. } => g.report(&RULE, 1, "the factor must not be 0"),
        OperandKind::TypedImmediate { .. } => {}
        _ => g.report(&RULE, 1, "expected an integer constant with its type (`i32 7`)"),
    }
    None
}

pub(super) fn step_vector(g: &mut Generic<'_, '_>) -> Done {
    let OperandKind::TypedImmediate { bits, value, .. } = g.operand(1)?.kind else {
        g.report(&RULE, 1, "expected an integer constant with its type (`i32 1`)");
        return None;
    };
    if value.is_some_and(|v| v <= 0) {
        g.report(&RULE, 1, "the step must be positive");
        return None;
    }
    let ty = g.ty(0)?;
    let message = if !ty.is_scalable() {
        "the result must be a scalable vector".to_owned()
    } else if !ty.element().is_scalar() {
        "the result's elements must be scalars".to_owned()
    } else if g.scalar_bits(ty) != u64::from(bits) {
        format!("the step has {bits} bits, but the elements have {}", g.scalar_bits(ty))
    } else {
        return None;
    };
    g.report(&RULE, 0, message);
    None
}

pub(super) fn trap(g: &mut Generic<'_, '_>) -> Done {
    match g.immediate(0) {
        None => g.report(&RULE, 0, "the kind of crash must be an immediate"),
        Some(kind) if i8::try_from(kind).is_err() => {
            g.report(&RULE, 0, "the kind of crash must fit in 8 bits")
        }
        Some(_) => {}
    }
    None
}

pub(super) fn prefetch(g: &mut Generic<'_, '_>) -> Done {
    if !g.ty(0).is_some_and(Type::is_pointer) {
        g.report(&RULE, 0, "the address must be a pointer");
        return None;
    }
    for (index, limit, what) in [(1, 2, "read or write"), (2, 4, "the locality"), (3, 2, "the cache type")] {
        if !g.immediate(index).is_some_and(|v| (0..limit).contains(&v)) {
            g.report(&RULE, index, format!("{what} must be an immediate between 0 and {}", limit - 1));
            return None;
        }
    }
    None
}

pub(super) fn jump_table(g: &mut Generic<'_, '_>) -> Done {
    let branch = g.inst.is(G_BRJT);
    if !g.ty(0).is_some_and(Type::is_pointer) {
        g.report(&RULE, 0, "the table's address must be a pointer");
    }
    if !matches!(g.operand(1)?.kind, OperandKind::JumpTable(_)) {
        g.report(&RULE, 1, "expected a jump table (`%jump-table.0`)");
    }
    if branch && (g.operand(2)?.register().is_none() || g.ty(2).is_some_and(Type::is_pointer)) {
        g.report(&RULE, 2, "the index must be a scalar register");
    }
    None
}

pub(super) fn constant_pool(g: &mut Generic<'_, '_>) -> Done {
    if !matches!(g.operand(1)?.kind, OperandKind::ConstantPool(_)) {
        g.report(&RULE, 1, "expected a constant pool item (`%const.0`)");
    }
    if !g.ty(0).is_some_and(Type::is_pointer) {
        g.report(&RULE, 0, "the result must be a pointer");
    }
    None
}

pub(super) fn class_test(g: &mut Generic<'_, '_>) -> Done {
    let (to, from) = (g.ty(0)?, g.ty(1)?);
    if !to.element().is_scalar() {
        g.report(&RULE, 0, "the result must be a scalar or a vector of scalars");
    } else if !from.element().is_scalar() {
        g.report(&RULE, 1, "the value must be a scalar or a vector of scalars");
    } else if g.same_lanes(&RULE, to, from, 1) {
        match g.immediate(2) {
            None => g.report(&RULE, 2, "the classes must be an immediate"),
            Some(classes) if !(0..=0x3ff).contains(&classes) => {
                g.report(&RULE, 2, "the classes must fit in 10 bits")
            }
            Some(_) => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::mir::rules::findings;

    #[test]
    fn widths() {
        expect![[r#"
            error[generic-constant] 5:28 `i64 0`: the constant has 64 bits, but the register has 32
        "#]]
        .assert_eq(&findings("", "  bb.0:\n    %0:_(s32) = G_CONSTANT i64 0\n"));
        expect![[r#"
            error[generic-constant] 5:29 `double 0.0`: the constant has 64 bits, but the register has 32
        "#]]
        .assert_eq(&findings("", "  bb.0:\n    %0:_(s32) = G_FCONSTANT double 0.0\n"));
    }
}
