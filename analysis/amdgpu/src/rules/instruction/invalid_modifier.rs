//! Modifiers that the instruction does not take, has already, or not with this value.

use wavelens_isa::{self as isa, Place, Problem, Term, Value};

use super::{RejectedLine, suggestion, with_suggestion};
use wavelens_base::{Diagnostic, TextEdit};

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
    let mut found = with_suggestion(line, &INVALID_MODIFIER, problem, suggested(line));
    if let Some(instead) = instead(line) {
        found.message.push_str(&format!("; use {instead}"));
    }
    if line.is_in_file && line.word() == "glc" && instead(line).is_some() && is_atomic(line) {
        let text = "th:TH_ATOMIC_RETURN";
        found.set_guess(format!("Replace with `{text}`"), vec![TextEdit::new(line.range(), text)]);
    }
    found
}

fn is_atomic(line: &RejectedLine<'_>) -> bool {
    line.line.mnemonic.contains("_atomic_")
}

/// What took the place of the bits for caches.
fn instead(line: &RejectedLine<'_>) -> Option<&'static str> {
    let is_old = matches!(line.word(), "glc" | "slc" | "dlc") && line.target.facts().has_split_counters;
    let is_return = line.word() == "glc" && is_atomic(line);
    is_old.then_some(if is_return { "`th:TH_ATOMIC_RETURN`" } else { "`th:` and `scope:`" })
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
    fn bits_for_caches_have_other_names_on_gfx12() {
        marks(
            "gfx1201",
            expect![[r#"
                global_load_b32 v1, v[2:3], off glc
                ;                               ^^^ error[invalid-modifier]: `global_load_b32` does not take `glc` on gfx1201; it does on gfx1100; use `th:` and `scope:`
                global_atomic_add_u32 v1, v[2:3], v4, off glc
                ;                                         ^^^ error[invalid-modifier]: `global_atomic_add_u32` does not take `glc` on gfx1201; it does on gfx1100; use `th:TH_ATOMIC_RETURN`
                ;                                           = guess: global_atomic_add_u32 v1, v[2:3], v4, off th:TH_ATOMIC_RETURN
                s_barrier
                ;^^^^^^^^ error[instruction-not-on-target]: `s_barrier` is not supported on gfx1201; use `s_barrier_signal -1` and `s_barrier_wait -1`
                ;       = guess: s_barrier_signal -1
                ;       = guess: s_barrier_wait -1
            "#]],
        );
    }

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
