//! What goes into which section.

use expect_test::expect;

use crate::testing::marks;

#[test]
fn sections_keep_what_they_are() {
    marks(
        "gfx900",
        expect![[r#"
            .section .eh_frame
            .section .eh_frame,"a",@progbits
            .section .eh_frame,"aw"
            ;^^^^^^^ error[section]: section `.eh_frame` already has the flags `a`
            .section .debug_info,"a"
            ;^^^^^^^ error[section]: section `.debug_info` has no flags
            .section .debug_str,"MS",@progbits,2
            ;^^^^^^^ error[section]: section `.debug_str` already has the entry size 1
            .section .rodata.cst8,"aM",@progbits,8
            .section .debug_line.dwo,"a"
            ;^^^^^^^ error[section]: section `.debug_line.dwo` already has the flags `e`
            .section .a,"a"
            .section .a
            .section .a,"w"
            ;^^^^^^^ error[section]: section `.a` already has the flags `a`
            .section .a,"a",@0x7
            ;^^^^^^^ error[section]: section `.a` already has the type `@progbits`
            .section .a,"aG",@note,group
            .section .a,"aG",@note,group,comdat,unique,1
            .section .a,"ax",@nobits,unique,1
        "#]],
    );
}

#[test]
fn a_subsection_is_a_section_before_the_next() {
    marks(
        "gfx900",
        expect![[r#"
            .subsection 1
            .previous
            .previous
        "#]],
    );
    marks(
        "gfx900",
        expect![[r#"
            .previous
            ;^^^^^^^^ error[section]: `.previous` without an earlier section
        "#]],
    );
}

/// LLVM names it at no line.
#[test]
fn a_kernel_has_one_descriptor() {
    marks(
        "gfx900",
        expect![[r#"
            k: s_endpgm
            .amdhsa_kernel k
            .amdhsa_next_free_vgpr 4
            .amdhsa_next_free_sgpr 4
            .end_amdhsa_kernel
        "#]],
    );
    marks(
        "gfx900",
        expect![[r#"
            k: s_endpgm
            .amdhsa_kernel k
            .amdhsa_next_free_vgpr 4
            .amdhsa_next_free_sgpr 4
            .end_amdhsa_kernel
            .amdhsa_kernel k
            ;              ^ error[symbol-redefinition]: `k.kd` is already defined
            ;              = line 2:16: the first definition
            .amdhsa_next_free_vgpr 4
            .amdhsa_next_free_sgpr 4
            .end_amdhsa_kernel
        "#]],
    );
    marks(
        "gfx900",
        expect![[r#"
            k: s_endpgm
            .amdhsa_kernel k
            .amdhsa_next_free_vgpr 4
            .amdhsa_next_free_sgpr 4
            .end_amdhsa_kernel
            k.kd:
            ;^^^ error[symbol-redefinition]: `k.kd` is already defined
            ;  = line 2:16: the first definition
        "#]],
    );
    marks(
        "gfx900",
        expect![[r#"
            k.kd:
            k: s_endpgm
            .amdhsa_kernel k
            ;              ^ error[symbol-redefinition]: `k.kd` is already defined
            ;              = line 1:1: the first definition
            .amdhsa_next_free_vgpr 4
            .amdhsa_next_free_sgpr 4
            .end_amdhsa_kernel
        "#]],
    );
}

#[test]
fn identifications_are_strings_without_escapes() {
    marks(
        "gfx900",
        expect![[r#"
            .ident "\q"
            .version "\777"
            .print "\q"
            .ident 1
            ;      ^ error[directive-argument]: expected a string, found `1`
        "#]],
    );
}
