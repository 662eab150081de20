//! Uses that are tied to definitions.

use crate::mir::context::{Cx, Inst, Reg};
use crate::mir::model::*;

rule!(
    BAD_TIE,
    "bad-tied-operand",
    "`tied-def N` names the N-th operand of its instruction, which must be a definition that nothing else is tied to."
);
rule!(
    WRONG_TIE,
    "wrong-tie",
    "An operand must be tied where the instruction's description says so, to the definition it says, and nowhere else; physical registers that are tied must be the same."
);

pub(in crate::mir) const RULES: &[&crate::Rule] = &[&BAD_TIE, &WRONG_TIE];

/// What LLVM's parser checks while it ties.
pub(in crate::mir) fn assign(cx: &mut Cx<'_>, inst: &Inst<'_>) -> bool {
    let operands = inst.source.operands.of(&cx.f.operands);
    let mut taken = Vec::new();
    for operand in operands {
        let Some(tied) = operand.register().and_then(|r| r.tied) else { continue };
        let message = match operands.get(tied as usize) {
            None => format!("the instruction has only {} operands", operands.len()),
            Some(d) if d.register().is_none() || !d.is_def() => format!("operand {tied} is no definition"),
            Some(_) if taken.contains(&tied) => format!("another operand is tied to operand {tied} already"),
            Some(_) => {
                taken.push(tied);
                continue;
            }
        };
        cx.report(&BAD_TIE, operand.range, message);
        return false;
    }
    true
}

/// Ties against the description.
pub(super) fn check(cx: &mut Cx<'_>) {
    let instructions = std::mem::take(&mut cx.instructions);
    for inst in instructions.iter().flatten() {
        let count = inst.desc.operand_count();
        let any_tie = inst
            .source
            .operands
            .of(&cx.f.operands)
            .iter()
            .any(|o| o.register().is_some_and(|r| r.tied.is_some()));
        let by_desc = (0..count).any(|i| inst.desc.operand(i).is_some_and(|o| o.tied.is_some()));
        if !any_tie && !by_desc {
            continue;
        }
        for index in 0..inst.order.len() {
            one(cx, inst, index, count);
        }
    }
    cx.instructions = instructions;
}

fn one(cx: &mut Cx<'_>, inst: &Inst<'_>, index: usize, count: usize) {
    let Some(operand) = cx.operand(inst, index) else { return };
    let defs = usize::from(inst.desc.defs);
    let register = operand.register();
    let tied = register.and_then(|_| cx.tied_to(inst, index));
    let reg = register.map(|r| cx.reg(r));
    if (defs..count).contains(&index) {
        let wanted = inst.desc.operand(index).and_then(|o| o.tied).map(usize::from);
        let message = match (wanted, register, tied) {
            (Some(_), None, _) => Some("a tied operand must be a register".to_owned()),
            (Some(def), Some(_), None) => Some(format!("this operand must be tied to operand {def}")),
            (Some(def), Some(_), Some(other)) if other != def => {
                Some(format!("this operand must be tied to operand {def}, not {other}"))
            }
            (Some(def), Some(_), Some(_)) => {
                let other = cx.operand(inst, def).and_then(Operand::register).map(|r| cx.reg(r));
                match (reg, other) {
                    (Some(Reg::Physical(a)), Some(Reg::Physical(b))) if a != b => {
                        Some("tied physical registers must be the same".to_owned())
                    }
                    (Some(Reg::Physical(_)), None) => {
                        Some("the operand it is tied to must be a register".to_owned())
                    }
                    _ => None,
                }
            }
            (None, Some(_), Some(_)) => Some("the description ties this operand to nothing".to_owned()),
            _ => None,
        };
        if let Some(message) = message {
            cx.report(&WRONG_TIE, operand.range, message);
            return;
        }
    }
    if let (Some(other), true) = (tied, index < defs) {
        let other_operand = cx.operand(inst, other);
        let wrong = if other < count {
            inst.desc.operand(other).is_some_and(|o| o.tied.is_none())
        } else {
            !other_operand.is_some_and(Operand::is_implicit)
        };
        if wrong {
            cx.report(
                &WRONG_TIE,
                operand.range,
                "this definition is tied to an operand that its description does not tie",
            );
            return;
        }
    }
    if let (Some(def), true, Some(reg)) = (tied, !operand.is_def() && cx.tied_rewritten, reg) {
        let other = cx.operand(inst, def).and_then(Operand::register).map(|r| cx.reg(r));
        if reg != Reg::None && other.is_some_and(|o| o != reg) {
            cx.report(&WRONG_TIE, operand.range, "tied operands must be the same register here");
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::mir::rules::findings;

    #[test]
    fn ties() {
        expect![[r#"
            error[wrong-tie] 6:5 `%1:vgpr_32`: this definition is tied to an operand that its description does not tie
            error[wrong-tie] 6:32 `%0(tied-def 0)`: the description ties this operand to nothing
        "#]].assert_eq(&findings("", "  bb.0:\n    %0:vgpr_32 = IMPLICIT_DEF\n    %1:vgpr_32 = V_ADD_U32_e32 %0(tied-def 0), %0, implicit $exec\n"));
        expect![[r#"
            error[bad-tied-operand] 6:23 `%0(tied-def 7)`: the instruction has only 2 operands
        "#]]
        .assert_eq(&findings(
            "",
            "  bb.0:\n    %0:vgpr_32 = IMPLICIT_DEF\n    %1:vgpr_32 = COPY %0(tied-def 7)\n",
        ));
    }
}
