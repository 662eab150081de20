//! Directives that do not exist for this target, or not here.

wavelens_syntax::rules! {
    UNKNOWN_DIRECTIVE {
        code: "unknown-directive",
        severity: wavelens_base::Severity::Error,
        title: "a directive must exist for AMDGPU",
        explain: "A word that starts with a dot is a directive. The assembler has no directive of this name for this target, and \
            the file defines no macro of this name.",
        example: ".algin 4\n",
        fixed: ".align 4\n",
        source: "LLVM AsmParser::parseStatement: \"unknown directive\"",
    }
}

/// The message about a directive that LLVM's assembler has, but not here.
pub(crate) fn elsewhere(name: &str) -> Option<String> {
    Some(match name {
        ".amd_kernel_code_t" | ".amdgpu_hsa_kernel" | ".hsa_code_object_version" | ".hsa_code_object_isa" => {
            format!("`{name}` belongs to code objects before version 3: use `.amdhsa_kernel`")
        }
        ".amdhsa_kernel" | ".amdhsa_code_object_version" | ".amdgpu_metadata" => {
            format!("`{name}` needs the operating system amdhsa in the target triple")
        }
        ".amd_amdgpu_pal_metadata" => {
            format!("`{name}` needs the operating system amdpal in the target triple")
        }
        _ => return None,
    })
}

/// The message about a directive of kernel descriptors outside of one.
pub(crate) fn outside_descriptor(name: &str) -> String {
    match name {
        ".end_amdhsa_kernel" => "`.end_amdhsa_kernel` without `.amdhsa_kernel`".to_owned(),
        _ => format!("`{name}` must be between `.amdhsa_kernel` and `.end_amdhsa_kernel`"),
    }
}

/// The message about a directive that a later version of LLVM has.
pub(crate) fn newer(name: &str) -> String {
    format!("`{name}` requires LLVM 24")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn directives_exist() {
        marks(
            "gfx900",
            expect![[r#"
                .algin 4
                ;^^^^^ error[unknown-directive]: unknown directive `.algin`; did you mean `.align`?
                ;    = fix: .align 4
                .align 4
                .macro .own
                .endm
                .own
            "#]],
        );
    }

    #[test]
    fn directives_of_descriptors_are_inside_of_one() {
        marks(
            "gfx900",
            expect![[r#"
                .amdhsa_next_free_vgpr 4
                ;^^^^^^^^^^^^^^^^^^^^^ error[unknown-directive]: `.amdhsa_next_free_vgpr` must be between `.amdhsa_kernel` and `.end_amdhsa_kernel`
                .byte 1
                .end_amdhsa_kernel
                ;^^^^^^^^^^^^^^^^^ error[unknown-directive]: `.end_amdhsa_kernel` without `.amdhsa_kernel`
            "#]],
        );
    }

    #[test]
    fn directives_of_earlier_code_objects_are_gone() {
        marks(
            "gfx900",
            expect![[r#"
                .hsa_code_object_version 2, 1
                ;^^^^^^^^^^^^^^^^^^^^^^^ error[unknown-directive]: `.hsa_code_object_version` belongs to code objects before version 3: use `.amdhsa_kernel`
                .amdgpu_hsa_kernel k
                ;^^^^^^^^^^^^^^^^^ error[unknown-directive]: `.amdgpu_hsa_kernel` belongs to code objects before version 3: use `.amdhsa_kernel`
            "#]],
        );
    }
}
