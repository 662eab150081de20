//! Types of two modules, compared by what they are made of.

use wavelens_syntax::spirv::tables::Op;

use super::stage::Number;
use crate::code::Id;
use crate::context::RuleContext;

/// Parts of types that are compared at most; beyond it types count as equal.
const PARTS: u32 = 4096;

/// The number that a scalar type holds.
pub(super) fn number(m: &RuleContext<'_>, ty: Id) -> Option<Number> {
    let def = m.def(ty)?;
    match def.op() {
        Op::TypeInt => Some(Number { op: Op::TypeInt, width: def.word(2), signed: def.word(3) == 1 }),
        Op::TypeFloat => Some(Number { op: Op::TypeFloat, width: def.word(2), signed: true }),
        _ => None,
    }
}

/// A type and the module that declares it.
#[derive(Clone, Copy)]
pub(super) struct TypeOf<'m, 'a>(pub(super) &'m RuleContext<'a>, pub(super) Id);

/// Whether two types are declared alike. What is not known is alike.
pub(super) fn same_type(a: TypeOf<'_, '_>, b: TypeOf<'_, '_>) -> bool {
    same_at(a, b, &mut { PARTS })
}

fn same_at(first: TypeOf<'_, '_>, second: TypeOf<'_, '_>, parts: &mut u32) -> bool {
    let (TypeOf(m, a), TypeOf(n, b)) = (first, second);
    let (Some(first), Some(second)) = (m.def(a), n.def(b)) else { return true };
    if *parts == 0 {
        return true;
    }
    *parts -= 1;
    if first.op() != second.op() {
        return false;
    }
    let mut same = |a: Id, b: Id| same_at(TypeOf(m, a), TypeOf(n, b), parts);
    match first.op() {
        Op::TypeInt => first.words().get(2..) == second.words().get(2..),
        Op::TypeFloat => first.words().get(2..) == second.words().get(2..),
        Op::TypeVector | Op::TypeMatrix => {
            first.word(3) == second.word(3) && same(first.word(2), second.word(2))
        }
        Op::TypeArray => {
            let lengths = (m.const_int32(first.word(3)).1, n.const_int32(second.word(3)).1);
            let is_same_length =
                matches!(lengths, (Some(a), Some(b)) if a == b) || lengths.0.is_none() || lengths.1.is_none();
            is_same_length && same(first.word(2), second.word(2))
        }
        Op::TypeRuntimeArray => same(first.word(2), second.word(2)),
        Op::TypeStruct => {
            let (own, other) = (m.members(a), n.members(b));
            own.len() == other.len() && own.iter().zip(other).all(|(a, b)| same(*a, *b))
        }
        _ => true,
    }
}
