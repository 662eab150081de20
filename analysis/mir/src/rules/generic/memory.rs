//! Loads, stores and block operations.

use wavelens_isa::mir::opcode::*;

use super::{GENERIC_MEMORY as RULE, Generic};
use crate::context::fail_in;
use crate::ir::Metadata;
use crate::model::*;
use wavelens_base::{Verdict, fail, fail_at};

/// Bits that a memory operand touches; `None` where it is unknown.
fn memory_bits(g: &Generic<'_, '_>, m: &MemoryOperand) -> Option<u64> {
    match m.size {
        MemorySize::Bytes(bytes) => bytes.checked_mul(8),
        MemorySize::Type(ty) => Some(g.bits(ty)),
        MemorySize::Unknown => None,
    }
}

pub(super) fn check_access(g: &Generic<'_, '_>) -> Verdict {
    let store = g.inst.is(G_STORE);
    if !g.ty(1).is_some_and(Type::is_pointer) {
        return g.fail_not_a_pointer(&RULE, 1, "the address");
    }
    let [m] = g.memory() else {
        let count = g.memory().len();
        return fail(&RULE, format!("expected one memory operand, found {count}"));
    };
    let Some(value) = g.ty(0) else { return Ok(()) };
    let bits = g.bits(value);
    if let Some(size) = memory_bits(g, m) {
        let bytes = |bits: u64| bits.div_ceil(8);
        let name = g.name();
        let message = match g.inst.desc.generic {
            G_ZEXTLOAD | G_SEXTLOAD if size >= bits => {
                Some(format!("`{name}` must load fewer bits than its result has, {bits}"))
            }
            G_LOAD if bytes(size) > bytes(bits) => {
                Some(format!("the memory operand loads {size} bits, but the result has {bits}"))
            }
            G_STORE if bytes(bits) < bytes(size) => {
                Some(format!("the memory operand stores {size} bits, but the value has {bits}"))
            }
            _ => None,
        };
        if let Some(message) = message {
            return fail_in(&RULE, m.range, message);
        }
    }
    if g.inst.is(G_LOAD) {
        check_range(g, m, value)?;
    }
    let wrong = match m.ordering {
        Ordering::AcqRel => true,
        Ordering::Acquire => store,
        Ordering::Release => !store,
        _ => false,
    };
    if wrong {
        let what = if store {
            "the ordering of a store must not be acquire or acq_rel"
        } else {
            "the ordering of a load must not be release or acq_rel"
        };
        return fail_in(&RULE, m.range, what);
    }
    Ok(())
}

/// `!range` describes each element in memory; the result must have as many.
fn check_range(g: &Generic<'_, '_>, m: &MemoryOperand, value: Type) -> Verdict {
    let range = m.metadata.iter().find(|(word, ..)| g.cx.f.names.get(*word) == "!range");
    let Some((_, number, at)) = range else { return Ok(()) };
    let (Some(Metadata::Integers(bits)), MemorySize::Type(memory)) =
        (g.cx.scope.metadata.get(number), m.size)
    else {
        return Ok(());
    };
    let fits = memory.element() == Type::Scalar(*bits)
        && value.is_scalar() == memory.is_scalar()
        && (!value.is_vector() || value.lanes() == memory.lanes());
    if !fits {
        let element = memory.element();
        let message = match element == Type::Scalar(*bits) {
            true => format!(
                "a load with `!range` must have as many elements in memory as its result: `{memory}`, `{value}`"
            ),
            false => format!("`!range` must be of the element type in memory, `{element}`, found `i{bits}`"),
        };
        return fail_in(&RULE, *at, message);
    }
    Ok(())
}

/// Whether a memory operand is in a pointer's address space. IR values have their own.
fn is_in(m: &MemoryOperand, space: u32) -> bool {
    match m.pointer {
        Pointer::IrValue(_) | Pointer::Global(_) if m.address_space.is_none() => true,
        _ => m.address_space.unwrap_or(0) == space,
    }
}

fn pointer_space(ty: Option<Type>) -> Option<u32> {
    match ty {
        Some(Type::Pointer(space)) => Some(space),
        _ => None,
    }
}

fn check_tail_flag(g: &Generic<'_, '_>, index: usize) -> Verdict {
    if !g.immediate(index).is_some_and(|v| v == 0 || v == 1) {
        return fail_at(&RULE, index, "the `tail` flag must be an immediate 0 or 1");
    }
    Ok(())
}

pub(super) fn check_copy(g: &Generic<'_, '_>) -> Verdict {
    let [to, from] = g.memory() else {
        let count = g.memory().len();
        let message = format!("expected two memory operands, the store and the load, found {count}");
        return fail(&RULE, message);
    };
    if !to.store || to.load || from.store || !from.load {
        return fail_in(&RULE, to.range, "the first memory operand must be a store and the second a load");
    }
    let (stored, loaded) = (memory_bits(g, to), memory_bits(g, from));
    if stored != loaded {
        let sizes = match (stored, loaded) {
            (Some(stored), Some(loaded)) => format!(": {stored} bits are stored, {loaded} loaded"),
            _ => String::new(),
        };
        let message = format!("both memory operands must have the same size{sizes}");
        return fail_in(&RULE, from.range, message);
    }
    let (Some(to_space), Some(from_space)) = (pointer_space(g.ty(0)), pointer_space(g.ty(1))) else {
        let (index, end) = if pointer_space(g.ty(0)).is_none() { (0, "destination") } else { (1, "source") };
        let found = g.ty(index).map(|ty| format!(", found type `{ty}`")).unwrap_or_default();
        return fail_at(&RULE, index, format!("expected a pointer as the address of the {end}{found}"));
    };
    if !is_in(to, to_space) {
        return fail_in(&RULE, to.range, format!("the store's address space must be {to_space}"));
    }
    if !is_in(from, from_space) {
        return fail_in(&RULE, from.range, format!("the load's address space must be {from_space}"));
    }
    if !g.inst.is(G_MEMCPY_INLINE) {
        check_tail_flag(g, 3)?;
    }
    Ok(())
}

pub(super) fn check_set(g: &Generic<'_, '_>) -> Verdict {
    let [to] = g.memory() else {
        return fail(&RULE, format!("expected one memory operand, found {}", g.memory().len()));
    };
    if !to.store || to.load {
        return fail_in(&RULE, to.range, "the memory operand must store");
    }
    let Some(own) = pointer_space(g.ty(0)) else {
        return g.fail_not_a_pointer(&RULE, 0, "the address");
    };
    if !is_in(to, own) {
        return fail_in(&RULE, to.range, format!("the store's address space must be {own}"));
    }
    let last = g.count().saturating_sub(1);
    check_tail_flag(g, last)
}

pub(super) fn check_dynamic_alloca(g: &Generic<'_, '_>) -> Verdict {
    if !g.ty(0).is_some_and(Type::is_pointer) {
        return g.fail_not_a_pointer(&RULE, 0, "the result");
    } else if !g.ty(1).is_some_and(Type::is_scalar) {
        return fail_at(&RULE, 1, "the size must be a scalar register");
    } else if g.immediate(2).is_none() {
        return fail_at(&RULE, 2, "the alignment must be an immediate");
    }
    Ok(())
}

pub(super) fn check_ptrauth(g: &Generic<'_, '_>) -> Verdict {
    if !g.ty(1).is_some_and(Type::is_pointer) {
        return g.fail_not_a_pointer(&RULE, 1, "the address");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn operands() {
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                %0:_(s32) = G_IMPLICIT_DEF
                %1:_(s32) = G_LOAD %0 :: (load (s32))
            ;                      ^^ error[generic-memory]: the address must be a pointer, found `s32`
            ...
        "#]]);
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                %0:_(p1) = G_IMPLICIT_DEF
                %1:_(s32) = G_LOAD %0
            ;               ^^^^^^ error[generic-memory]: expected one memory operand, found 0
            ...
        "#]]);
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                %0:_(p1) = G_IMPLICIT_DEF
                %1:_(s32) = G_LOAD %0 :: (load (s64))
            ;                            ^^^^^^^^^^^^ error[generic-memory]: the memory operand loads 64 bits, but the result has 32
            ...
        "#]]);
    }
}
