//! `STATEPOINT`: a call with a description of the live pointers for the garbage collector.
//!
//! Records follow the operands of the call: constants after a 2 (calling convention, flags), three counted lists (deoptimization
//! state, pointers, allocas) and the map of the pointers (`StatepointOpers` in LLVM's `StackMaps.h`).

use crate::context::{Inst, RuleContext};
use crate::model::*;
use wavelens_base::{Fault, Part, Verdict};

wavelens_syntax::rules! {
    STATEPOINT {
        code: "bad-statepoint",
        severity: wavelens_base::Severity::Error,
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

/// The mark before a constant in the stack map.
const CONSTANT: i64 = 2;

pub(super) fn check(cx: &RuleContext<'_>, inst: &Inst<'_>) -> Verdict {
    let defs = cx.operands(inst).take_while(|o| o.is_def() && !o.is_implicit()).count();
    let number = |index: usize, what: &str| match cx.operand(inst, index).and_then(Operand::immediate) {
        Some(number) => Ok(number),
        None => Err(fault(index, format!("expected {what} of the statepoint"))),
    };
    number(defs, "the id")?;
    number(defs + 1, "the number of bytes")?;
    let arguments = number(defs + 2, "the number of arguments")?;
    // The callee and its arguments follow the three numbers.
    let mut at = defs + 4 + usize::try_from(arguments).unwrap_or(usize::MAX / 2);
    constant(cx, inst, &mut at, "the calling convention")?;
    constant(cx, inst, &mut at, "the flags")?;
    list(cx, inst, &mut at, "deoptimization values")?;
    let pointers = list(cx, inst, &mut at, "pointers")?;
    list(cx, inst, &mut at, "allocas")?;
    constant(cx, inst, &mut at, "the size of the pointer map")?;
    for index in 0..defs {
        let message = match cx.tied_to(inst, index) {
            None => "a definition of a statepoint must be tied to a pointer",
            Some(pointer) if !pointers.contains(&pointer) => {
                "this definition is tied to an operand that is not one of the pointers"
            }
            Some(_) => continue,
        };
        return Err(fault(index, message));
    }
    Ok(())
}

fn fault(operand: usize, message: impl Into<String>) -> Box<Fault> {
    Fault::new(&STATEPOINT, message).at(Part::Operand(operand))
}

fn constant(cx: &RuleContext<'_>, inst: &Inst<'_>, at: &mut usize, what: &str) -> Result<i64, Box<Fault>> {
    let start = *at;
    let [mark, value] = [start, start + 1].map(|index| cx.operand(inst, index));
    *at += 2;
    let (Some(mark), Some(value)) = (mark, value) else {
        return Err(Fault::new(&STATEPOINT, format!("missing {what} of the statepoint")));
    };
    match value.immediate() {
        Some(value) if mark.immediate() == Some(CONSTANT) => Ok(value),
        _ => Err(fault(start, format!("expected {what} as a constant ({CONSTANT} and the number)"))),
    }
}

/// A count and as many records; the operands of the records.
fn list(
    cx: &RuleContext<'_>,
    inst: &Inst<'_>,
    at: &mut usize,
    what: &str,
) -> Result<std::ops::Range<usize>, Box<Fault>> {
    let count = constant(cx, inst, at, &format!("the number of {what}"))?;
    let start = *at;
    for _ in 0..count {
        let Some(operand) = cx.operand(inst, *at) else { break };
        // A number starts the description of a place in memory or of a constant.
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

    use crate::rules::findings;

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
