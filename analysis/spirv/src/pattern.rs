//! Operand patterns: what the grammar expects next, the last entry first.

use wavelens_syntax::spirv::tables::{Kind, Operand, Quantifier};

/// Puts one turn of a repeated operand on top of the pattern.
pub(super) fn expand(kind: Kind, pattern: &mut Vec<Operand>) {
    let one = |kind| Operand { kind, quantifier: Quantifier::One };
    let optional = |kind| Operand { kind, quantifier: Quantifier::Optional };
    match kind {
        Kind::PairLiteralId => pattern.extend([one(Kind::Id), optional(Kind::TypedLiteral)]),
        Kind::PairIdLiteral => pattern.extend([one(Kind::LiteralInteger), optional(Kind::Id)]),
        _ => pattern.push(optional(kind)),
    }
}

/// Pushes what follows a mask, so that the lowest bit's operands come first.
pub(super) fn push_mask_parameters(kind: Kind, mask: u32, pattern: &mut Vec<Operand>) {
    if mask == 0 {
        pattern.extend(kind.valued(0).into_iter().flat_map(|e| e.parameters.iter().rev()));
        return;
    }
    for bit in (0..32).rev().map(|n| 1u32 << n).filter(|bit| mask & bit != 0) {
        pattern.extend(kind.valued(bit).into_iter().flat_map(|e| e.parameters.iter().rev()));
    }
}
