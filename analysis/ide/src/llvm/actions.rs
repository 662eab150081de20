//! Code actions in LLVM IR, beyond the fixes of findings.

use wavelens_base::{TextEdit, TextRange};
use wavelens_llvm::body::{InstId, Opcode, Predicate};
use wavelens_syntax::llvm::LlvmKind::{self, *};
use wavelens_syntax::machine::Node;

use super::extract::extract;
use super::place::{Tree, body_at, function_cx, function_span, spell};
use super::renumber::renumber;
use super::{Cx, decode};
use crate::answers::Action;

/// What can be changed in a range of the chunk, besides fixes of findings.
pub fn actions(cx: &Cx<'_>, range: TextRange) -> Vec<Action> {
    let mut actions = extract(cx, range);
    let tree = Tree::new(cx.text);
    let Some((token, path)) = tree.at(range.start()) else { return actions };
    if token.kind() == HEX_FLOAT
        && let Some(value) = decode::hex_float(token.text())
        && let Ok(exact) = value.parse::<f64>()
        && token.text().strip_prefix("0x").and_then(|d| u64::from_str_radix(d, 16).ok())
            == Some(exact.to_bits())
        && exact.is_finite()
    {
        let text = format!("{exact:e}").replace('e', "e+").replace("e+-", "e-");
        let text = if text.contains('.') { text } else { text.replacen('e', ".0e", 1) };
        let title = format!("Replace with the decimal number {text}");
        actions.push(Action::rewrite(title, vec![TextEdit { range: token.range(), text }]));
    }
    if let Some(inst) = path.iter().rev().find(|n| n.kind() == INST) {
        actions.extend(swap(cx, *inst));
    }
    actions.extend(declare(cx, range));
    if let Some(body) = body_at(cx, range.start()) {
        let edits = renumber(cx, body);
        if !edits.is_empty() {
            actions.push(Action::rewrite("Renumber the unnamed values of the function", edits));
        }
    }
    actions
}

/// Swaps the sides of a commutative operation or a comparison.
fn swap(cx: &Cx<'_>, inst: Node<'_, LlvmKind>) -> Option<Action> {
    let body = body_at(cx, inst.range().start())?;
    let index = body.inst_ranges.iter().position(|r| *r == inst.range())?;
    let lowered = body.insts.get(index)?;
    let predicate = Predicate::from_raw(lowered.sub);
    let word = match lowered.opcode {
        Opcode::Add | Opcode::Mul | Opcode::And | Opcode::Or | Opcode::Xor | Opcode::FAdd | Opcode::FMul => {
            None
        }
        Opcode::ICmp | Opcode::FCmp => {
            let word = predicate?.word();
            let flipped = match word.split_at_checked(1)? {
                (sign, "gt") => format!("{sign}lt"),
                (sign, "ge") => format!("{sign}le"),
                (sign, "lt") => format!("{sign}gt"),
                (sign, "le") => format!("{sign}ge"),
                _ => word.to_owned(),
            };
            Some((word, flipped))
        }
        _ => return None,
    };
    let id = InstId(index as u32);
    let (left, right) = (body.operand_range(id, 0), body.operand_range(id, 1));
    let mut edits = vec![
        TextEdit { range: left, text: cx.slice(right).to_owned() },
        TextEdit { range: right, text: cx.slice(left).to_owned() },
    ];
    if let Some((word, flipped)) = word.filter(|(word, flipped)| word != flipped) {
        let token = inst.tokens().find(|t| t.text() == word)?;
        edits.insert(0, TextEdit { range: token.range(), text: flipped });
    }
    Some(Action::rewrite("Swap the operands", edits))
}

/// Declares the function that a call here calls, if the module does not define it.
fn declare(cx: &Cx<'_>, range: TextRange) -> Option<Action> {
    let body = body_at(cx, range.start())?;
    let index = body.inst_ranges.iter().position(|r| r.contains_inclusive(range.start()))?;
    let inst = body.insts.get(index)?;
    let call = body.call(inst)?;
    let view = function_cx(cx, body)?;
    let name = view.callee_name(call)?;
    if cx.scope.global_named(name).is_some() {
        return None;
    }
    let ty = view.call_ty(inst);
    let wavelens_llvm::types::Type::Function { result, params, vararg } = view.types.get(ty) else {
        return None;
    };
    let mut list: Vec<String> = view.types.list(params).iter().map(|p| view.display_ty(*p)).collect();
    if vararg {
        list.push("...".to_owned());
    }
    let name = spell("@", name);
    let text = format!("declare {} {name}({})\n\n", view.display_ty(result), list.join(", "));
    let at = TextRange::empty(function_span(cx, body).start());
    Some(Action::rewrite(format!("Declare `{name}`"), vec![TextEdit { range: at, text }]))
}
