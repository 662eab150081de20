//! Uses that are tied to definitions.

use wavelens_syntax::wording;

use crate::context::{Inst, Reg, RuleContext};
use crate::model::*;
use wavelens_base::{Verdict, fail_at};

wavelens_syntax::rules! {
    BAD_TIE {
        code: "bad-tied-operand",
        severity: wavelens_base::Severity::Error,
        title: "`tied-def N` names a definition of the instruction to which nothing else is tied",
        explain: "A tied use and its definition are assigned the same register.",
        example: r#"---
name: f
body: |
  bb.0:
    $sgpr0 = S_MOV_B32 $sgpr0(tied-def 7)
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    $sgpr0 = S_MOV_B32 $sgpr0
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::assignRegisterTies: \"use of invalid tied-def operand index\"",
    }

    WRONG_TIE {
        code: "wrong-tie",
        severity: wavelens_base::Severity::Error,
        title: "operands are tied exactly as the description of the instruction requires",
        explain: "Tied physical registers must be the same.",
        example: r#"---
name: f
body: |
  bb.0:
    $sgpr0 = S_MOV_B32 $sgpr1(tied-def 0)
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    $sgpr0 = S_MOV_B32 $sgpr1
    S_ENDPGM 0
...
"#,
        source: "LLVM MachineVerifier::visitMachineOperand: \"Operand should be tied\", \"Tied def doesn't match MCInstrDesc\"",
    }
}

/// `tied-def N` names a definition that is not tied yet.
pub(super) fn check_written(cx: &mut RuleContext<'_>, inst: &Inst<'_>) -> bool {
    let operands = inst.source.operands.of(&cx.f.operands);
    let mut taken = Vec::new();
    for operand in operands {
        let Some(tied) = operand.register().and_then(|r| r.tied) else { continue };
        let message = match operands.get(tied as usize) {
            None => format!(
                "operand {tied} is out of range: the instruction has {}",
                wording::number(operands.len(), "operands")
            ),
            Some(d) if d.register().is_none() || !d.is_def() => format!("operand {tied} is not a definition"),
            Some(_) if taken.contains(&tied) => format!("operand {tied} is already tied to another operand"),
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

/// Ties are those of the description.
pub(super) fn instructions(cx: &mut RuleContext<'_>) {
    let instructions = std::mem::take(&mut cx.instructions);
    for inst in instructions.iter().flatten() {
        let written = inst.source.operands.of(&cx.f.operands).iter();
        let has_ties = written.filter_map(Operand::register).any(|r| r.tied.is_some())
            || (0..inst.desc.operand_count()).any(|i| inst.desc.operand(i).is_some_and(|o| o.tied.is_some()));
        if !has_ties {
            continue;
        }
        for index in 0..inst.order.len() {
            let verdict = check_operand(cx, inst, index);
            cx.conclude(inst, verdict);
        }
    }
    cx.instructions = instructions;
}

fn check_operand(cx: &RuleContext<'_>, inst: &Inst<'_>, index: usize) -> Verdict {
    let Some(operand) = cx.operand(inst, index) else { return Ok(()) };
    let (defs, count) = (usize::from(inst.desc.defs), inst.desc.operand_count());
    let tied = operand.register().and_then(|_| cx.tied_to(inst, index));
    if (defs..count).contains(&index) {
        check_use(cx, inst, index, operand, tied)?;
    }
    let Some(tied) = tied else { return Ok(()) };
    if index < defs {
        let wrong = if tied < count {
            inst.desc.operand(tied).is_some_and(|o| o.tied.is_none())
        } else {
            !cx.operand(inst, tied).is_some_and(Operand::is_implicit)
        };
        if wrong {
            return fail_at(
                &WRONG_TIE,
                index,
                "this definition must not be tied: the instruction does not tie its operands here",
            );
        }
    }
    if !operand.is_def() && cx.tied_rewritten {
        let reg = |operand: &Operand| operand.register().map(|r| cx.reg(r));
        let (own, other) = (reg(operand), cx.operand(inst, tied).and_then(reg));
        if own != Some(Reg::None) && other.is_some() && own != other {
            return fail_at(&WRONG_TIE, index, "tied operands must be the same register here");
        }
    }
    Ok(())
}

/// A use that the description names.
fn check_use(
    cx: &RuleContext<'_>,
    inst: &Inst<'_>,
    index: usize,
    operand: &Operand,
    tied: Option<usize>,
) -> Verdict {
    let wanted = inst.desc.operand(index).and_then(|o| o.tied).map(usize::from);
    let message = match (wanted, operand.register(), tied) {
        (Some(_), None, _) => "a tied operand must be a register".to_owned(),
        (Some(def), Some(_), None) => format!("this operand must be tied to operand {def}"),
        (Some(def), Some(_), Some(other)) if other != def => {
            format!("this operand must be tied to operand {def}, is tied to {other}")
        }
        (Some(def), Some(register), Some(_)) => {
            let other = cx.operand(inst, def).and_then(Operand::register).map(|r| cx.reg(r));
            match (cx.reg(register), other) {
                (Reg::Physical(a), Some(Reg::Physical(b))) if a != b => {
                    format!(
                        "expected `${}`, the register of the definition it is tied to",
                        cx.t.register_name(b)
                    )
                }
                (Reg::Physical(_), None) => {
                    "the operand that this operand is tied to must be a register".to_owned()
                }
                _ => return Ok(()),
            }
        }
        (None, Some(_), Some(_)) => {
            "this operand must not be tied: the instruction does not tie its operands here".to_owned()
        }
        _ => return Ok(()),
    };
    fail_at(&WRONG_TIE, index, message)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn ties() {
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                %0:vgpr_32 = IMPLICIT_DEF
                %1:vgpr_32 = V_ADD_U32_e32 %0(tied-def 0), %0, implicit $exec
            ;   ^^^^^^^^^^ error[wrong-tie]: this definition must not be tied: the instruction does not tie its operands here
            ;                              ^^^^^^^^^^^^^^ error[wrong-tie]: this operand must not be tied: the instruction does not tie its operands here
            ...
        "#]]);
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                %0:vgpr_32 = IMPLICIT_DEF
                %1:vgpr_32 = COPY %0(tied-def 7)
            ;                     ^^^^^^^^^^^^^^ error[bad-tied-operand]: operand 7 is out of range: the instruction has 2 operands
            ...
        "#]]);
    }
}
