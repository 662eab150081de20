//! Whether a `!DIExpression` is one: its operators, their arguments and their order.
//!
//! Source: LLVM Language Reference, "DIExpression".

use super::node::Node;
use crate::debug_info::{Expression, Fragment, Key};
use crate::metadata::MdValue;

/// The operators that LLVM deals with: number and arguments. Source: DWARF 5, table 7.9; LLVM's own begin at 0x1000.
const OPERATORS: &[(&str, u64, usize)] = &[
    ("DW_OP_deref", 0x06, 0),
    ("DW_OP_constu", 0x10, 1),
    ("DW_OP_consts", 0x11, 1),
    ("DW_OP_dup", 0x12, 0),
    ("DW_OP_over", 0x14, 0),
    ("DW_OP_swap", 0x16, 0),
    ("DW_OP_xderef", 0x18, 0),
    ("DW_OP_and", 0x1a, 0),
    ("DW_OP_div", 0x1b, 0),
    ("DW_OP_minus", 0x1c, 0),
    ("DW_OP_mod", 0x1d, 0),
    ("DW_OP_mul", 0x1e, 0),
    ("DW_OP_not", 0x20, 0),
    ("DW_OP_or", 0x21, 0),
    ("DW_OP_plus", 0x22, 0),
    ("DW_OP_plus_uconst", 0x23, 1),
    ("DW_OP_shl", 0x24, 0),
    ("DW_OP_shr", 0x25, 0),
    ("DW_OP_shra", 0x26, 0),
    ("DW_OP_xor", 0x27, 0),
    ("DW_OP_eq", 0x29, 0),
    ("DW_OP_ge", 0x2a, 0),
    ("DW_OP_gt", 0x2b, 0),
    ("DW_OP_le", 0x2c, 0),
    ("DW_OP_lt", 0x2d, 0),
    ("DW_OP_ne", 0x2e, 0),
    ("DW_OP_lit0", 0x30, 0),
    ("DW_OP_regx", 0x90, 1),
    ("DW_OP_bregx", 0x92, 2),
    ("DW_OP_deref_size", 0x94, 1),
    ("DW_OP_push_object_address", 0x97, 0),
    ("DW_OP_stack_value", 0x9f, 0),
    ("DW_OP_LLVM_fragment", 0x1000, 2),
    ("DW_OP_LLVM_convert", 0x1001, 2),
    ("DW_OP_LLVM_tag_offset", 0x1002, 1),
    ("DW_OP_LLVM_entry_value", 0x1003, 1),
    ("DW_OP_LLVM_implicit_pointer", 0x1004, 0),
    ("DW_OP_LLVM_arg", 0x1005, 1),
    ("DW_OP_LLVM_extract_bits_sext", 0x1006, 2),
    ("DW_OP_LLVM_extract_bits_zext", 0x1007, 2),
];

/// An operator of an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator<'s> {
    Known(&'static str, usize),
    /// One of `DW_OP_reg0` to `DW_OP_breg31`: what follows is not looked at.
    Register,
    Unknown(&'s str),
    UnknownNumber(u64),
}

fn operator<'s>(node: Node<'s>, value: MdValue) -> Option<Operator<'s>> {
    match value {
        MdValue::Word(word) => {
            let word = node.at.tables.name(word);
            let number = word.strip_prefix("DW_OP_breg").or_else(|| word.strip_prefix("DW_OP_reg"));
            if number.and_then(|n| n.parse::<u8>().ok()).is_some_and(|n| n < 32) {
                return Some(Operator::Register);
            }
            let known = OPERATORS.iter().find(|(w, ..)| *w == word);
            Some(known.map_or(Operator::Unknown(word), |(w, _, count)| Operator::Known(w, *count)))
        }
        MdValue::Unsigned(0x50..=0x8f) => Some(Operator::Register),
        MdValue::Unsigned(number) => {
            let known = OPERATORS.iter().find(|(_, n, _)| *n == number);
            Some(known.map_or(Operator::UnknownNumber(number), |(w, _, count)| Operator::Known(w, *count)))
        }
        _ => None,
    }
}

/// Expressions with up to so many elements are read whenever something refers to them.
const FEW: usize = 16;

/// Reads an expression; the error says what is wrong with it.
pub(super) fn read(node: Node<'_>) -> Result<Expression, String> {
    let known = node.at.module_key().and_then(|key| node.scope.long_expressions.get(&key));
    known.cloned().unwrap_or_else(|| read_elements(node))
}

/// The same for an expression that is long; many nodes may refer to it.
pub(super) fn long(node: Node<'_>) -> Option<(Key, Result<Expression, String>)> {
    let key = node.at.module_key().filter(|_| node.at.fields().len() > FEW)?;
    Some((key, read_elements(node)))
}

fn read_elements(node: Node<'_>) -> Result<Expression, String> {
    let elements = node.at.fields();
    let mut expression = Expression::default();
    let number = |at: usize| match elements.get(at).map(|f| f.value) {
        Some(MdValue::Unsigned(n)) => Some(n),
        _ => None,
    };
    let mut at = 0;
    while let Some(element) = elements.get(at) {
        let (word, count) = match operator(node, element.value) {
            None | Some(Operator::Register) => return Ok(expression),
            Some(Operator::Known(word, count)) => (word, count),
            Some(Operator::Unknown(word)) => {
                return Err(format!("operator `{word}` is not supported in an expression"));
            }
            Some(Operator::UnknownNumber(number)) => {
                return Err(format!("expected an operator in the expression, found {number}"));
            }
        };
        let end = at + 1 + count;
        if end > elements.len() {
            let arguments = if count == 1 { "argument" } else { "arguments" };
            return Err(format!(
                "operator `{word}` requires {count} {arguments}, but the expression ends before"
            ));
        }
        let next = elements.get(end).map(|f| operator(node, f.value));
        match word {
            "DW_OP_LLVM_fragment" => {
                if end != elements.len() {
                    return Err("`DW_OP_LLVM_fragment` must be last in an expression".into());
                }
                if let (Some(offset), Some(size)) = (number(at + 1), number(at + 2)) {
                    expression.fragment = Some(Fragment { offset, size });
                }
            }
            "DW_OP_stack_value"
                if !matches!(next, None | Some(Some(Operator::Known("DW_OP_LLVM_fragment", _)))) =>
            {
                return Err("only `DW_OP_LLVM_fragment` may follow `DW_OP_stack_value`".into());
            }
            "DW_OP_swap" if elements.len() == 1 => {
                return Err("`DW_OP_swap` requires two values on the stack".into());
            }
            "DW_OP_LLVM_entry_value" => {
                let first = elements.first().and_then(|f| operator(node, f.value));
                let after_arg = at == 2
                    && matches!(first, Some(Operator::Known("DW_OP_LLVM_arg", _)))
                    && number(1) == Some(0);
                if at != 0 && !after_arg {
                    return Err("`DW_OP_LLVM_entry_value` must be first in an expression".into());
                }
                if number(at + 1) != Some(1) {
                    return Err("the argument of `DW_OP_LLVM_entry_value` must be 1".into());
                }
                expression.is_entry_value = true;
                // Nothing after it is looked at, but a fragment still says which part this is.
                expression.fragment = (end..elements.len()).find_map(|n| {
                    let operator = operator(node, elements.get(n)?.value)?;
                    matches!(operator, Operator::Known("DW_OP_LLVM_fragment", _))
                        .then_some(Fragment { offset: number(n + 1)?, size: number(n + 2)? })
                });
                return Ok(expression);
            }
            _ => {}
        }
        at = end;
    }
    Ok(expression)
}
