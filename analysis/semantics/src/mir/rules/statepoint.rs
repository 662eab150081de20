//! `STATEPOINT`: a call at which the garbage collector knows where its pointers are.
//!
//! Behind the call's own operands stand records: constants with a 2 in front (calling convention, flags), then three counted lists
//! (deoptimization state, pointers, allocas), then the map of the pointers (`StatepointOpers` in LLVM's `StackMaps.h`).

use crate::TextRange;
use crate::mir::context::{Inst, RuleContext};
use crate::mir::model::*;

wavelens_syntax::rules! {
    STATEPOINT {
        code: "bad-statepoint",
        severity: crate::Severity::Error,
        title: "a STATEPOINT has its constants, its callee with arguments and its counted lists",
        explain: "The stack map describes the live pointers for the garbage collector by position.",
        example: r#"---
name: f
body: |
  bb.0:
    STATEPOINT 0, 0, 0, undef $sgpr0_sgpr1, 2, 0, 2, 0
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    STATEPOINT 0, 0, 0, undef $sgpr0_sgpr1, 2, 0, 2, 0, 2, 1, 2, 7, 2, 0, 2, 0, 2, 0
    S_ENDPGM 0
...
"#,
        source: "LLVM MachineVerifier::verifyStatepoint; visitMachineInstrBefore: \"meta operands to STATEPOINT not constant!\"",
    }
}

/// What stands before a constant in the stack map.
const CONSTANT: i64 = 2;

pub(super) fn check(cx: &mut RuleContext<'_>, inst: &Inst<'_>) {
    if let Err((range, message)) = records(cx, inst) {
        cx.report(&STATEPOINT, range, message);
    }
}

type Problem = (TextRange, String);

fn records(cx: &RuleContext<'_>, inst: &Inst<'_>) -> Result<(), Problem> {
    let defs = cx.operands(inst).take_while(|o| o.is_def() && !o.is_implicit()).count();
    let mut numbers = [0; 3];
    for (number, what) in numbers.iter_mut().zip(["the id", "the number of bytes", "the number of arguments"])
    {
        let index = defs + usize::from(what != "the id") + usize::from(what == "the number of arguments");
        let operand = cx.operand(inst, index);
        *number = operand.and_then(Operand::immediate).ok_or_else(|| {
            (
                operand.map_or(inst.source.opcode_range, |o| o.range),
                format!("expected {what} of the statepoint"),
            )
        })?;
    }
    // Behind the three numbers and the callee.
    let mut at = defs + 4 + usize::try_from(numbers[2]).unwrap_or(usize::MAX / 2);
    constant(cx, inst, &mut at, "the calling convention")?;
    constant(cx, inst, &mut at, "the flags")?;
    list(cx, inst, &mut at, "deoptimization values")?;
    let pointers = list(cx, inst, &mut at, "pointers")?;
    list(cx, inst, &mut at, "allocas")?;
    constant(cx, inst, &mut at, "the size of the pointer map")?;
    for index in 0..defs {
        let range = cx.operand(inst, index).map_or(inst.source.range, |o| o.range);
        match cx.tied_to(inst, index) {
            None => return Err((range, "a definition of a statepoint must be tied to a pointer".to_owned())),
            Some(pointer) if !pointers.contains(&pointer) => {
                return Err((
                    range,
                    "this definition is tied to an operand that is not one of the pointers".to_owned(),
                ));
            }
            Some(_) => {}
        }
    }
    Ok(())
}

fn constant(cx: &RuleContext<'_>, inst: &Inst<'_>, at: &mut usize, what: &str) -> Result<i64, Problem> {
    let [mark, value] = [*at, *at + 1].map(|index| cx.operand(inst, index));
    *at += 2;
    let (Some(mark), Some(value)) = (mark, value) else {
        return Err((inst.source.opcode_range, format!("missing {what} of the statepoint")));
    };
    match value.immediate() {
        Some(value) if mark.immediate() == Some(CONSTANT) => Ok(value),
        _ => Err((mark.range, format!("expected {what} as a constant ({CONSTANT} and the number)"))),
    }
}

/// A count and as many records; where they stand.
fn list(
    cx: &RuleContext<'_>,
    inst: &Inst<'_>,
    at: &mut usize,
    what: &str,
) -> Result<std::ops::Range<usize>, Problem> {
    let count = constant(cx, inst, at, &format!("the number of {what}"))?;
    let start = *at;
    for _ in 0..count {
        let Some(operand) = cx.operand(inst, *at) else { break };
        // A number in front tells how a place in memory or a constant is described.
        *at += match operand.immediate() {
            Some(0) => 3,
            Some(1) => 4,
            Some(_) => 2,
            None => 1,
        };
    }
    Ok(start..*at)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::mir::rules::findings;

    #[test]
    fn records() {
        let statepoint = |tail: &str| {
            let body =
                format!("  bb.0:\n    STATEPOINT 0, 0, 0, undef $sgpr0_sgpr1, {tail}\n    S_ENDPGM 0\n");
            findings("", &body)
        };
        expect![""].assert_eq(&statepoint("2, 0, 2, 0, 2, 1, 2, 7, 2, 0, 2, 0, 2, 0"));
        expect![[r#"
            error[bad-statepoint] 5:5 `STATEPOINT`: missing the number of deoptimization values of the statepoint
        "#]]
        .assert_eq(&statepoint("2, 0, 2, 0"));
        expect![[r#"
            error[bad-statepoint] 5:51 `1`: expected the flags as a constant (2 and the number)
        "#]]
        .assert_eq(&statepoint("2, 0, 1, 0, 2, 0, 2, 0, 2, 0, 2, 0"));
    }
}
