//! What is legal and still not meant: unreachable blocks, branches that always go one way, stores to constants, stack slots made in
//! loops, intrinsics of old. Each can be switched off by its code.

use super::super::body::Opcode;
use super::super::check::FunctionCx;
use super::super::fixes;
use super::super::intrinsic_match::is_upgraded;
use super::super::operand::{Const, OperandId};
use super::super::tables::Intrinsic;
use crate::{Diagnostic, Rule, Severity, Tag};

pub(super) static UNREACHABLE: Rule = Rule {
    code: "unreachable-block",
    severity: Severity::Hint,
    explain: "No path leads from the function's entry to this block: optimizers drop it.\n\n\
              Source: none; LLVM accepts unreachable blocks.",
};

pub(super) static CONSTANT_BRANCH: Rule = Rule {
    code: "constant-branch",
    severity: Severity::Hint,
    explain: "A conditional branch whose condition is a constant, or whose two destinations are one, always goes the same way.\n\n\
              ```llvm\nbr i1 true, label %a, label %b\n```",
};

pub(super) static STORE_TO_CONSTANT: Rule = Rule {
    code: "store-to-constant",
    severity: Severity::Warning,
    explain: "A store to a global that is declared `constant` is undefined behavior.\n\n\
              ```llvm\n@c = constant i32 1\nstore i32 2, ptr @c\n```\n\n\
              Source: LLVM Language Reference, \"Global Variables\".",
};

pub(super) static ALLOCA: Rule = Rule {
    code: "alloca-outside-entry",
    severity: Severity::Hint,
    explain: "A stack slot of fixed size outside of the entry block is made anew each time that control comes by, and is not promoted to a \
              register. Put it into the entry block.\n\n\
              Source: LLVM, \"Performance Tips for Frontend Authors\".",
};

pub(super) static DEPRECATED: Rule = Rule {
    code: "deprecated-intrinsic",
    severity: Severity::Hint,
    explain: "LLVM no longer has this intrinsic: where it is read, it is replaced by newer code. Tools that do not read modules through \
              LLVM's upgrade will not know it.\n\n\
              Source: LLVM, lib/IR/AutoUpgrade.cpp.",
};

pub(super) const RULES: &[&Rule] =
    &[&UNREACHABLE, &CONSTANT_BRANCH, &STORE_TO_CONSTANT, &ALLOCA, &DEPRECATED];

pub(super) fn function(cx: &mut FunctionCx<'_>) {
    let mut found: Vec<Diagnostic> = Vec::new();
    unreachable(cx, &mut found);
    for (id, inst) in cx.insts() {
        match inst.opcode {
            Opcode::Br if inst.operands.len == 3 => {
                let body = cx.body;
                let condition = match cx.constant(body.operand(inst, 0)) {
                    Some(Const::Bool(value)) => Some(value),
                    Some(Const::Int(value)) => Some(value & 1 == 1),
                    _ => None,
                };
                let same = body.operand(inst, 1).value == body.operand(inst, 2).value;
                if condition.is_some() || same {
                    let way = if condition == Some(false) { 2 } else { 1 };
                    let target = cx.display_value(body.operand(inst, way));
                    let message = format!("this branch always goes to {target}");
                    found.push(Diagnostic::new(&CONSTANT_BRANCH, body.operand_range(id, 0), message));
                }
            }
            Opcode::Store => {
                let global = cx.global(cx.body.operand(inst, 1));
                let Some((_, variable)) = global.and_then(|g| cx.scope.variable(g)) else { continue };
                if variable.is_constant {
                    let message = format!("{} is constant", cx.display_value(cx.body.operand(inst, 1)));
                    let mut diagnostic =
                        Diagnostic::new(&STORE_TO_CONSTANT, cx.body.operand_range(id, 1), message);
                    if let Some(global) = global {
                        diagnostic = diagnostic
                            .related(cx.scope.place(global.summary, global.head.item), "declared here");
                    }
                    found.push(diagnostic);
                }
            }
            Opcode::Alloca if cx.block_of_inst(id) != 0 => {
                let fixed = inst.operands.is_empty() || cx.constant(cx.body.operand(inst, 0)).is_some();
                if fixed {
                    let message = "this stack slot is made anew each time: put it into the entry block";
                    found.push(Diagnostic::new(&ALLOCA, cx.body.inst_range(id), message));
                }
            }
            Opcode::Call => {
                let Some(call) = cx.body.call(inst) else { continue };
                let name = cx.callee_name(call).unwrap_or("");
                if name.starts_with("llvm.")
                    && Intrinsic::lookup(name).is_none()
                    && is_upgraded(name, call.args.len as usize)
                {
                    let range = cx.operand_range(OperandId(call.callee.0));
                    let message = format!("`@{name}` is of an older LLVM: newer code takes its place");
                    found.push(Diagnostic::new(&DEPRECATED, range, message).tag(Tag::Deprecated));
                }
            }
            _ => {}
        }
    }
    cx.diagnostics.append(&mut found);
}

fn unreachable(cx: &FunctionCx<'_>, found: &mut Vec<Diagnostic>) {
    let body = cx.body;
    if (0..body.blocks.len() as u32).any(|block| body.terminator(block).is_none()) {
        // Unfinished: nobody knows yet what leads where.
        return;
    }
    let mut reached = vec![false; body.blocks.len()];
    for block in cx.cfg().reverse_post_order() {
        if let Some(slot) = reached.get_mut(block as usize) {
            *slot = true;
        }
    }
    for (number, (block, reached)) in body.blocks.iter().zip(&reached).enumerate() {
        // A block that only says so is a common way to end a `switch`.
        let only_unreachable = block.insts.len == 1
            && block.insts.of(&body.insts).first().is_some_and(|i| i.opcode == Opcode::Unreachable);
        // What only such a block leads to is its consequence.
        let led_to = cx.cfg().predecessors(number as u32).iter().any(|from| *from != number as u32);
        if *reached || only_unreachable || led_to {
            continue;
        }
        let Some(local) = body.local(block.local) else { continue };
        // Where LLVM printed that itself, it is no news.
        let line = fixes::line(cx.text, local.range.start());
        if cx.text.get(std::ops::Range::<usize>::from(line)).is_some_and(|l| l.contains("; No predecessors!"))
        {
            continue;
        }
        let message = format!("nothing leads to block {}", cx.display_local(local.name));
        found.push(Diagnostic::new(&UNREACHABLE, local.range, message).tag(Tag::Unnecessary));
    }
}
