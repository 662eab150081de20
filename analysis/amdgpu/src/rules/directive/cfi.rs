//! Directives of call frames.

wavelens_syntax::rules! {
    CFI {
        code: "cfi",
        severity: wavelens_base::Severity::Error,
        title: "a call frame directive must be inside `.cfi_startproc` and `.cfi_endproc`",
        explain: "The directives describe one function at a time, and the last one must be closed.",
        example: ".cfi_endproc\n",
        fixed: ".cfi_startproc\n.cfi_endproc\n",
        source: "LLVM MCStreamer: \"this directive must appear between .cfi_startproc and .cfi_endproc directives\"",
    }
}

/// The message about a frame that is open at the end of the file.
pub(crate) const UNCLOSED: &str = "the last `.cfi_startproc` has no `.cfi_endproc`";

/// The message about a directive outside of a frame.
pub(crate) fn outside(directive: &str) -> String {
    match directive {
        ".cfi_endproc" => "`.cfi_endproc` without `.cfi_startproc`".to_owned(),
        _ => format!("`{directive}` must be between `.cfi_startproc` and `.cfi_endproc`"),
    }
}

/// The message about a directive whose distance from the start of its frame is not known.
pub(crate) fn other_section(directive: &str, own: &str, frame: &str) -> String {
    format!("`{directive}` is in section `{own}`, but its frame starts in `{frame}`")
}

/// Whether DWARF has this encoding of a pointer (`DW_EH_PE`, "Linux Standard Base", section 10.5).
pub(crate) fn is_pointer_encoding(encoding: i64) -> bool {
    (0..=0xff).contains(&encoding)
        && matches!(encoding & 0xf, 0 | 2..=4 | 8 | 10..=12)
        && matches!(encoding & 0x70, 0 | 0x10)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn frames_have_a_beginning_and_an_end() {
        marks(
            "gfx900",
            expect![[r#"
                .cfi_endproc
                ;^^^^^^^^^^^ error[cfi]: `.cfi_endproc` without `.cfi_startproc`
                .cfi_def_cfa_offset 8
                ;^^^^^^^^^^^^^^^^^^ error[cfi]: `.cfi_def_cfa_offset` must be between `.cfi_startproc` and `.cfi_endproc`
                .cfi_startproc
                .cfi_endproc
                .cfi_startproc
                ;             ^ error[cfi]: the last `.cfi_startproc` has no `.cfi_endproc`
            "#]],
        );
    }

    #[test]
    fn directives_are_in_the_section_of_their_frame() {
        marks(
            "gfx900",
            expect![[r#"
                .text
                .cfi_startproc
                .data
                .cfi_def_cfa_offset 8
                ;^^^^^^^^^^^^^^^^^^ error[cfi]: `.cfi_def_cfa_offset` is in section `.data`, but its frame starts in `.text`
                .text
                .cfi_endproc
            "#]],
        );
    }

    #[test]
    fn pointers_are_encoded_as_dwarf_defines() {
        marks(
            "gfx900",
            expect![[r#"
                .cfi_startproc
                .cfi_personality 0x9b, f
                .cfi_lsda 0xff
                .cfi_personality 5, f
                ;                ^ error[cfi]: no pointer is encoded like this
                .cfi_endproc
            "#]],
        );
    }
}
