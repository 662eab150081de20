//! The distance that a branch can go.

wavelens_syntax::rules! {
    BRANCH_RANGE {
        code: "branch-range",
        severity: wavelens_base::Severity::Error,
        title: "a branch must reach its label",
        explain: "A branch holds a signed 16-bit number of dwords, counted from the next instruction. For longer distances use \
`s_getpc_b64` and `s_setpc_b64`.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\ns_branch far\n.fill 40000, 4, 0\nfar:\ns_endpgm\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\ns_branch far\n.fill 30000, 4, 0\nfar:\ns_endpgm\n",
        source: "LLVM AMDGPUAsmBackend: \"branch size exceeds simm16\"",
    }
}

/// The distance that a branch holds, or the message about a label out of its reach.
pub(crate) fn reach(dwords: i64) -> Result<i16, String> {
    i16::try_from(dwords)
        .map_err(|_| format!("the label is {dwords} dwords away, and a branch reaches -32768 to 32767"))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn a_branch_holds_16_bits_of_dwords() {
        marks(
            "gfx900",
            expect![[r#"
                s_branch far
                ;        ^^^ error[branch-range]: the label is 32769 dwords away, and a branch reaches -32768 to 32767
                s_branch near
                .fill 32767, 4, 0
                near:
                .fill 1, 4, 0
                far:
                s_endpgm
            "#]],
        );
    }
}
