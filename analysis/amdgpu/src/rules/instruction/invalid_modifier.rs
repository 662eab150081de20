//! Modifiers that the instruction does not take, has already, or not with this value.

use wavelens_isa::{self as isa, Place, Problem, Term, Value};

use super::{RejectedLine, suggestion, with_suggestion};
use wavelens_base::Diagnostic;

wavelens_syntax::rules! {
    INVALID_MODIFIER {
        code: "invalid-modifier",
        severity: wavelens_base::Severity::Error,
        title: "a modifier must belong to the instruction, and be written once",
        explain: "The instruction does not have this modifier on this processor, has it twice, or does not take the value.",
        example: r#".amdgcn_target "amdgcn-amd-amdhsa--gfx900"
v_add_f32 v0, v1, v2 offset:4
"#,
        fixed: r#".amdgcn_target "amdgcn-amd-amdhsa--gfx900"
v_add_f32 v0, v1, v2 clamp
"#,
        source: "LLVM AMDGPUAsmParser: \"invalid operand for instruction\", \"not a valid operand\"",
    }
}

pub(super) fn report(line: &RejectedLine<'_>, problem: &Problem) -> Diagnostic {
    with_suggestion(line, &INVALID_MODIFIER, problem, suggested(line))
}

/// What may be meant instead.
fn suggested(line: &RejectedLine<'_>) -> Option<suggestion::Suggestion> {
    let Place::Operand(index) = line.error.place else { return None };
    let index = usize::from(index);
    let modifiers = suggestion::modifiers(line.target, line.line);
    match line.line.operands.get(index)?.value {
        Value::Named { name, value } if modifiers.contains(&name) => {
            let Some(Term::Word(word)) = line.line.terms(value).first() else { return None };
            let known = isa::values(line.target, name);
            suggestion::word(line, index, word, &suggestion::borrowed(&known))
        }
        Value::Word(word) | Value::Named { name: word, .. } => {
            suggestion::word(line, index, word, &modifiers)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn a_misspelled_modifier_or_value_has_a_fix() {
        marks(
            "gfx900",
            expect![[r#"
                exp mrt0 v0, v0, v0, v0 dnoe
                ;                       ^^^^ error[invalid-operand]: `exp`: expected `done`, found `dnoe`; did you mean `done`?
                ;                          = fix: exp mrt0 v0, v0, v0, v0 done
                v_mov_b32_sdwa v0, v1 src0_sel:WODR_1
                ;                     ^^^^^^^^^^^^^^^ error[invalid-modifier]: unknown value `WODR_1` of `src0_sel`; did you mean `WORD_1`?
                ;                                   = fix: v_mov_b32_sdwa v0, v1 src0_sel:WORD_1
            "#]],
        );
        marks(
            "gfx942",
            expect![[r#"
                global_load_dword v0, v[2:3], off ofset:4
                ;                                 ^^^^^^^ error[invalid-modifier]: unknown modifier `ofset:`; did you mean `offset`?
                ;                                       = fix: global_load_dword v0, v[2:3], off offset:4
            "#]],
        );
    }
}
