//! Use-list order directives.

use wavelens_syntax::llvm::LlvmKind::*;

use super::{LlvmNode, LlvmToken, Lower, text};
use crate::lower::rules::USE_LIST_ORDER as BAD_ORDER;
use crate::operand::Value;
use crate::summary::Ordered;

/// What is ordered, and the number of indexes; `None` if something about them was reported.
pub(super) fn use_list_order(l: &mut Lower, node: LlvmNode<'_>) -> Option<(Ordered, u32)> {
    let of = if node.token(USELISTORDER_BB_KW).is_some() { block(l, node) } else { value(l, node) };
    let count = indexes(l, node)?;
    Some((of?, count))
}

fn value(l: &mut Lower, node: LlvmNode<'_>) -> Option<Ordered> {
    let ty = node.child(TYPE).map(|n| l.ty(n)).filter(|ty| !ty.is_error())?;
    let (operand, range) = l.value(node.child(VALUE)?, ty);
    Some(match operand.value {
        // To order a global's uses is not to use it.
        Value::Global(symbol) => return Some(Ordered::Global(symbol)),
        Value::Local(local) => {
            l.push_operand(operand, range);
            Ordered::Local(local)
        }
        Value::Error => return None,
        _ => {
            l.push_operand(operand, range);
            Ordered::Constant
        }
    })
}

fn block(l: &mut Lower, node: LlvmNode<'_>) -> Option<Ordered> {
    let mut names = node.children().filter(|n| n.kind() == VALUE).filter_map(|n| n.first_token());
    let (function, block) = (names.next()?, names.next()?);
    if !matches!(function.kind(), GLOBAL | GLOBAL_ID) {
        l.report(&BAD_ORDER, function.range(), "the first operand of `uselistorder_bb` must be a function");
        return None;
    }
    if block.kind() != LOCAL {
        l.report(&BAD_ORDER, block.range(), "the block of `uselistorder_bb` must have a name");
        return None;
    }
    Some(Ordered::Block { function: l.symbol(function), block: l.symbol(block) })
}

/// The number of indexes, if they are a permutation that changes something.
fn indexes(l: &mut Lower, node: LlvmNode<'_>) -> Option<u32> {
    let brace = node.token(L_BRACE).map_or(node.range(), |t| t.range());
    let numbers: Vec<LlvmToken<'_>> =
        node.tokens().filter(|t| matches!(t.kind(), NUMBER | HEX_NUMBER)).collect();
    let mut seen = vec![false; numbers.len()];
    let mut ordered = true;
    let mut distinct = true;
    for (i, token) in numbers.iter().enumerate() {
        let index = match token.kind() {
            NUMBER => l.unsigned32(*token)?,
            _ => text::unsigned(token.text()).and_then(|index| index.try_into().ok())?,
        };
        ordered &= index as usize == i;
        match seen.get_mut(index as usize) {
            Some(slot) if !*slot => *slot = true,
            _ => distinct = false,
        }
    }
    // Braces without numbers come after a mistake.
    let problem = match numbers.len() {
        0 => return None,
        1 => "expected at least 2 indexes",
        _ if !distinct => "the indexes must be distinct and less than their number",
        _ if ordered => "the indexes do not change the order",
        count => return Some(count as u32),
    };
    l.report(&BAD_ORDER, brace, problem);
    None
}
