//! Suggestions for words of directives.

use wavelens_syntax::{closest, is_one_slip, wording};

use super::cursor::Cursor;
use crate::assembler::{Assembler, Mode, Reported};
use wavelens_base::{Diagnostic, Rule, TextEdit, TextRange};

impl Assembler<'_> {
    /// Reports a word that is not one of `known`.
    pub(super) fn unknown_word(
        &mut self,
        c: &Cursor<'_>,
        rule: &'static Rule,
        range: TextRange,
        kind: &str,
        known: &[&str],
    ) -> Reported {
        let word = c.slice(range);
        let reported = self.error(c, rule, range, wording::unknown(kind, word, known.iter().copied()));
        if let Some(near) = closest(word, known.iter().copied())
            && let Some(found) = self.last_finding()
        {
            let edits = vec![TextEdit::new(range, near)];
            match is_one_slip(word, near) {
                true => found.set_fix(format!("Replace with `{near}`"), edits),
                false => found.set_guess(format!("Replace with `{near}`"), edits),
            }
        }
        reported
    }

    /// The finding reported last, if it is one of the text and not of an expansion.
    pub(super) fn last_finding(&mut self) -> Option<&mut Diagnostic> {
        let is_of_text = self.expansions.is_empty() && self.mode != Mode::Outline;
        self.diagnostics.last_mut().filter(|_| is_of_text)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn a_misspelled_word_of_a_directive_gets_a_suggestion() {
        marks(
            "gfx900",
            expect![[r#"
                .siez foo, 8
                ;^^^^ error[unknown-directive]: unknown directive `.siez`; did you mean `.size`?
                ;   = fix: .size foo, 8
                .cfi_startproc
                .cfi_endporc
                ;^^^^^^^^^^^ error[unknown-directive]: unknown directive `.cfi_endporc`; did you mean `.cfi_endproc`?
                ;          = fix: .cfi_endproc
                .reloc 0, R_AMDPGU_REL32_LO, .data
                ;         ^^^^^^^^^^^^^^^^^ error[directive-argument]: unknown relocation `R_AMDPGU_REL32_LO`; did you mean `R_AMDGPU_REL32_LO`?
                ;                         = fix: .reloc 0, R_AMDGPU_REL32_LO, .data
                .long x@rel2
                ;       ^^^^ error[expression]: unknown relocation `rel2`
                .long foo@gotpcrl
                ;         ^^^^^^^ error[expression]: unknown relocation `gotpcrl`; did you mean `gotpcrel`?
                ;               = fix: .long foo@gotpcrel
                .amdhsa_kernel k
                .amdhsa_next_fre_sgpr 8
                ;^^^^^^^^^^^^^^^^^^^^ error[kernel-descriptor]: unknown directive `.amdhsa_next_fre_sgpr`; did you mean `.amdhsa_next_free_sgpr`?
                ;                   = fix: .amdhsa_next_free_sgpr 8
                .end_amdhsa_kernel
                ;                 ^ error[cfi]: the last `.cfi_startproc` has no `.cfi_endproc`
            "#]],
        );
    }

    #[test]
    fn a_misspelled_label_has_a_certain_fix_unless_it_differs_in_a_number() {
        marks(
            "gfx900",
            expect![[r#"
                loop:
                  s_branch lopo
                ;          ^^^^ error[undefined-label]: use of undefined label `lopo`; did you mean `loop`?
                ;             = fix:   s_branch loop
                loop_1:
                  s_branch loop_2
                ;          ^^^^^^ error[undefined-label]: use of undefined label `loop_2`
            "#]],
        );
    }

    #[test]
    fn a_misspelled_key_of_metadata_has_a_certain_fix() {
        marks(
            "gfx900",
            expect![[r#"
                .amdgpu_metadata
                ---
                amdhsa.version: [ 1, 2 ]
                amdhsa.kernel: []
                ;^^^^^^^^^^^^^^^^ error[metadata]: unknown key `amdhsa.kernel`; did you mean `amdhsa.kernels`?
                ;               = line 6:1: LLVM reports it here
                ;               = fix: amdhsa.kernels: []
                ...
                .end_amdgpu_metadata
            "#]],
        );
    }
}
