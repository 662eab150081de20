//! Sections and the stack of them.

wavelens_syntax::rules! {
    SECTION {
        code: "section",
        severity: wavelens_base::Severity::Error,
        title: "a section must keep its type, and `.popsection` needs a `.pushsection`",
        explain: "The flags or the type are unknown, a known section gets a second type, or the stack of sections is empty.",
        example: ".popsection\n",
        fixed: ".pushsection .text\n.popsection\n",
        source: "LLVM ELFAsmParser: \".popsection without corresponding .pushsection\"",
    }
}

/// Whether a subsection has this number.
pub(crate) fn is_subsection(number: i64) -> bool {
    i32::try_from(number).is_ok_and(|n| n >= 0)
}

/// The message about the number of a subsection.
pub(crate) const SUBSECTION: &str = "subsections have numbers from 0 to 2147483647";

/// The message about a section that is linked to one that this file does not have above.
pub(crate) fn not_linked(name: &str) -> String {
    format!("`{name}` must be defined in a section above to be linked to")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn sections_are_popped_after_they_are_pushed() {
        marks(
            "gfx900",
            expect![[r#"
                .popsection
                ;^^^^^^^^^^ error[section]: `.popsection` without `.pushsection`
                .pushsection .data
                .popsection
                .section .own, "q"
                ;              ^^^ error[section]: unknown section flag
                .section .text, "aw", @note
                ;^^^^^^^ error[section]: section `.text` already has the type `@progbits`
                .subsection -1
                ;           ^^ error[section]: subsections have numbers from 0 to 2147483647
            "#]],
        );
    }
}
