//! Labels that this file does not define.

use std::fmt::Display;

use wavelens_base::{Diagnostic, TextEdit, TextRange, TextSize};
use wavelens_syntax::{closest_name, wording};

wavelens_syntax::rules! {
    UNDEFINED_LABEL {
        code: "undefined-label",
        severity: wavelens_base::Severity::Error,
        title: "a branch must go to a label of this file",
        explain: "The label is missing, or a numbered label (`1b`, `1f`) is not defined in this direction.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\ns_branch done\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\ns_branch done\ndone:\ns_endpgm\n",
        source: "LLVM MCAssembler: an undefined label becomes a relocation, which the linker refuses",
    }
}

/// The message about a numbered label; `direction` is `before` or `after`.
pub(crate) fn numbered(number: impl Display, direction: &str) -> String {
    format!("undefined label `{number}:` {direction} this line")
}

/// The finding about a label, with the one that is likely meant.
pub(crate) fn report<'l>(name: &str, range: TextRange, labels: impl Iterator<Item = &'l str>) -> Diagnostic {
    let near = closest_name(name, labels);
    let message = wording::undefined("label", name, near.into_iter());
    let diagnostic = Diagnostic::new(&UNDEFINED_LABEL, range, message);
    // In an expansion the range is that of the call.
    let Some(near) = near.filter(|_| range.len() == TextSize::of(name)) else { return diagnostic };
    let title = format!("Replace with `{near}`");
    // Numbers tell labels apart: another one is not certainly meant.
    let digits = |name: &str| name.chars().filter(char::is_ascii_digit).collect::<String>();
    match digits(name) == digits(near) {
        true => diagnostic.respell(title, TextEdit::new(range, near), name, near),
        false => diagnostic.guess(title, range, near.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn branches_go_to_labels_of_the_file() {
        marks(
            "gfx900",
            expect![[r#"
                s_branch done
                ;        ^^^^ error[undefined-label]: use of undefined label `done`; did you mean `dome`?
                ;           = fix: s_branch dome
                dome:
                s_branch 1b
                ;        ^^ error[undefined-label]: undefined label `1:` before this line
                1:
                s_branch 1b
                s_branch 2f
                ;        ^^ error[undefined-label]: undefined label `2:` after this line
                s_endpgm
            "#]],
        );
    }
}
