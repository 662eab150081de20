//! Directives that belong together: macros, kernel descriptors, metadata.

use expect_test::expect;

use crate::testing::marks;

#[test]
fn metadata_without_its_first_directive_is_reported_once() {
    marks(
        "gfx900",
        expect![[r#"
            .amdgcn_target "amdgcn-amd-amdhsa--gfx900"
            k:
            s_endpgm
            ---
            ;^ error[metadata]: metadata must be between `.amdgpu_metadata` and `.end_amdgpu_metadata`; `.amdgpu_metadata` is missing
            ;= line 11:1: the metadata ends here
            amdhsa.kernels:
              - .name: k
                .sgpr_count: 8
              - .name: l
                .sgpr_count: 8
            ...
            .end_amdgpu_metadata
            s_nop
            ;^^^^ error[operand-count]: missing operand of `s_nop`: expected a number
        "#]],
    );
    marks(
        "gfx900",
        expect![[r#"
            .amdgcn_target "amdgcn-amd-amdhsa--gfx900"
            k:
            s_endpgm
            .amdgpu_metadat
            ;^^^^^^^^^^^^^^ error[unknown-directive]: unknown directive `.amdgpu_metadat`; did you mean `.amdgpu_metadata`?
            ;             = fix: .amdgpu_metadata
            ---
            amdhsa.kernels:
              - .name: k
                .sgpr_count: 8
              - .name: l
                .sgpr_count: 8
            ...
            .end_amdgpu_metadata
            s_nop
            ;^^^^ error[operand-count]: missing operand of `s_nop`: expected a number
        "#]],
    );
}

#[test]
fn a_kernel_descriptor_without_its_first_directive_is_reported_once() {
    marks(
        "gfx900",
        expect![[r#"
            .amdgcn_target "amdgcn-amd-amdhsa--gfx900"
            k:
            s_endpgm
            .amdhsa_kernel k
            .amdhsa_next_free_vgpr 4
            .amdhsa_next_fr @@ 8
            ;               ^ error[expression]: expected an expression, found `@`
            .amdhsa_ieee_mode 1
            .end_amdhsa_kernel
        "#]],
    );
    marks(
        "gfx900",
        expect![[r#"
            .amdgcn_target "amdgcn-amd-amdhsa--gfx900"
            k:
            s_endpgm
            .amdhsa_kernle k
            ;^^^^^^^^^^^^^ error[unknown-directive]: unknown directive `.amdhsa_kernle`; did you mean `.amdhsa_kernel`?
            ;            = fix: .amdhsa_kernel k
            .amdhsa_next_free_vgpr 4
            .amdhsa_next_free_sgpr 8
            .end_amdhsa_kernel
            s_nop
            ;^^^^ error[operand-count]: missing operand of `s_nop`: expected a number
            .amdhsa_next_free_sgpr 8
            ;^^^^^^^^^^^^^^^^^^^^^ error[unknown-directive]: `.amdhsa_next_free_sgpr` must be between `.amdhsa_kernel` and `.end_amdhsa_kernel`
        "#]],
    );
}

#[test]
fn a_kernel_descriptor_without_its_last_directive_is_reported_once() {
    marks(
        "gfx900",
        expect![[r#"
            .amdgcn_target "amdgcn-amd-amdhsa--gfx900"
            k:
            s_endpgm
            .amdhsa_kernel k
            .amdhsa_next_free_vgpr 4
            .amdhsa_next_free_sgpr 8
            s_nop 0
            ;^^^^ error[kernel-descriptor]: expected an `.amdhsa_` directive or `.end_amdhsa_kernel`, found `s_nop`
            s_nop 0
            l:
            s_endpgm
            .end_amdhsa_kernel
            ;^^^^^^^^^^^^^^^^^ error[unknown-directive]: `.end_amdhsa_kernel` without `.amdhsa_kernel`
        "#]],
    );
}

#[test]
fn kernel_descriptors_are_complete() {
    marks(
        "gfx900",
        expect![[r#"
            .amdhsa_kernel k
            .amdhsa_next_free_vgpr 8
            .amdhsa_next_free_vgpr 8
            ;^^^^^^^^^^^^^^^^^^^^^ error[kernel-descriptor]: duplicate `.amdhsa_next_free_vgpr` in this kernel descriptor
            ;                    = line 2:1: the first value is here
            .end_amdhsa_kernel
            .amdhsa_kernel l
            .amdhsa_next_free_vgpr 8
            .amdhsa_tg_split 1
            ;^^^^^^^^^^^^^^^ error[kernel-descriptor]: `.amdhsa_tg_split` exists on gfx90a and later CDNA processors, and this is gfx900
            .end_amdhsa_kernel
            .amdhsa_kernel n
            .amdhsa_next_free_vgpr 8
            .end_amdhsa_kernel
            ;^^^^^^^^^^^^^^^^^ error[kernel-descriptor]: missing `.amdhsa_next_free_sgpr`
        "#]],
    );
}

#[test]
fn masks_of_replays_are_reserved_unless_the_target_id_switches_replay_off() {
    marks(
        "gfx1250",
        expect![[r#"
            .amdhsa_kernel k
            .amdhsa_next_free_vgpr 8
            .amdhsa_next_free_sgpr 8
            .amdhsa_reserve_xnack_mask 1
            .end_amdhsa_kernel
        "#]],
    );
    marks(
        "gfx1250",
        expect![[r#"
            .amdhsa_kernel k
            .amdhsa_next_free_vgpr 8
            .amdhsa_next_free_sgpr 8
            .amdhsa_reserve_xnack_mask 0
            ;^^^^^^^^^^^^^^^^^^^^^^^^^ error[kernel-descriptor]: gfx1250 has an XNACK mask to reserve
            .end_amdhsa_kernel
        "#]],
    );
    marks(
        "gfx1200",
        expect![[r#"
            .amdhsa_kernel k
            .amdhsa_next_free_vgpr 8
            .amdhsa_next_free_sgpr 8
            .amdhsa_reserve_xnack_mask 1
            ;^^^^^^^^^^^^^^^^^^^^^^^^^ error[kernel-descriptor]: gfx1200 has no XNACK mask to reserve
            .end_amdhsa_kernel
        "#]],
    );
    marks(
        "gfx1250:xnack-",
        expect![[r#"
            .amdhsa_kernel k
            .amdhsa_next_free_vgpr 8
            .amdhsa_next_free_sgpr 8
            .amdhsa_reserve_xnack_mask 0
            .end_amdhsa_kernel
        "#]],
    );
    marks(
        "gfx906",
        expect![[r#"
            .amdhsa_kernel k
            .amdhsa_next_free_vgpr 8
            .amdhsa_next_free_sgpr 8
            .amdhsa_reserve_xnack_mask 0
            ;^^^^^^^^^^^^^^^^^^^^^^^^^ error[kernel-descriptor]: gfx906 has an XNACK mask to reserve
            .end_amdhsa_kernel
        "#]],
    );
    marks(
        "gfx906:xnack+",
        expect![[r#"
            .amdhsa_kernel k
            .amdhsa_next_free_vgpr 8
            .amdhsa_next_free_sgpr 8
            .amdhsa_reserve_xnack_mask 0
            ;^^^^^^^^^^^^^^^^^^^^^^^^^ error[kernel-descriptor]: gfx906 has an XNACK mask to reserve
            .end_amdhsa_kernel
        "#]],
    );
    marks(
        "gfx906:xnack-",
        expect![[r#"
            .amdhsa_kernel k
            .amdhsa_next_free_vgpr 8
            .amdhsa_next_free_sgpr 8
            .amdhsa_reserve_xnack_mask 0
            .end_amdhsa_kernel
        "#]],
    );
    marks(
        "gfx906:xnack-",
        expect![[r#"
            .amdhsa_kernel k
            .amdhsa_next_free_vgpr 8
            .amdhsa_next_free_sgpr 8
            .amdhsa_reserve_xnack_mask 1
            ;^^^^^^^^^^^^^^^^^^^^^^^^^ error[kernel-descriptor]: without XNACK, gfx906 has no XNACK mask to reserve
            .end_amdhsa_kernel
        "#]],
    );
}

#[test]
fn macros_take_defaults_names_and_the_rest() {
    marks(
        "gfx900",
        expect![[r#"
            .macro m a, b=2, c:vararg
            .if \a + \b != 3
            .error "\a \b"
            .endif
            .endm
            m 1
            m b=1, a=2
            m 1, 2, 3, 4
            m 5
            ;^^ error[user-error]: 5 2
            ; = line 3:1: in the expansion of `m`: `.error "5 2"`
            m d=1
            ; ^ error[macro-call]: macro `m` has no parameter `d`
        "#]],
    );
}

#[test]
fn macros_that_never_end_are_named() {
    marks(
        "gfx900",
        expect![[r#"
            .macro m a
            m \a
            .endm
            .macro n
            o
            .endm
            .macro o
            n
            .endm
            m 1
            ;^^ error[macro-call]: macro `m` calls itself more than 20 levels deep
            ; = line 2:1: in the expansion of `m`: `m 1`
            n
            ;^ error[macro-call]: macros call each other more than 20 levels deep
            ;= line 8:1: in the expansion of `o`: `n`
        "#]],
    );
}

#[test]
fn mistakes_in_expansions_are_at_the_call() {
    marks(
        "gfx900",
        expect![[r#"
            .macro m
            .byte 256
            .endm
            m
            ;^ error[data-out-of-range]: 256 does not fit into 1 byte
            ;= line 2:1: in the expansion of `m`: `.byte 256`
            .rept 2
            ;^^^^ error[data-out-of-range]: 256 does not fit into 1 byte
            ;   = line 2:1: in the expansion of `m`: `.byte 256`
            m
            .endr
        "#]],
    );
}

#[test]
fn repeated_values_are_checked_as_single_ones() {
    marks(
        "gfx900",
        expect![[r#"
            .dcb.b 3, 300
            ;         ^^^ error[data-out-of-range]: 300 does not fit into 1 byte
            .dcb.w 2, 0x12345
            ;         ^^^^^^^ error[data-out-of-range]: 74565 does not fit into 2 bytes
            .dcb.w -1
            .dcb.w -1, 4
            ;        ^ error[syntax-error]: expected the end of the line, found `,`
            .dcb.l 3, 1
        "#]],
    );
    marks(
        "gfx900",
        expect![[r#"
            .dcb.b 3, u
            ;         ^ error[undefined-symbol]: `u` is not defined in this file, and the linker cannot write an address of fewer than 32 bits
            .dcb.l 3, u
            .org v + 4
            ;    ^^^^^ error[undefined-symbol]: `v` is not defined here, so it tells no address
        "#]],
    );
}

#[test]
fn probes_of_profiles_have_numbers_and_a_function() {
    marks(
        "gfx900",
        expect![[r#"
            f:
            .pseudoprobe 1 2 3 0 f
            .pseudoprobe 1 2 3 4 5 @ 3:4 @ 5:6 f
            .pseudoprobe 1 2 3 4 f
            ;                    ^ error[directive-argument]: expected a discriminator, found `f`
            .pseudoprobe a 2 3 0 f
            ;            ^ error[directive-argument]: expected a number, found `a`
            .pseudoprobe 1 2 3 0
            ;                   ^ error[directive-argument]: expected a symbol, found the end of the line
        "#]],
    );
}

#[test]
fn metadata_of_pal_is_a_document() {
    marks(
        "gfx900",
        expect![[r#"
            .amdgpu_pal_metadata
            ---
            amdpal.pipelines:
              - .hardware_stages:
                  .ps:
                    .scratch_memory_size: 0
                .registers:
                  0x2c0a (SPI_SHADER_PGM_RSRC1_VS): 0
            ...
            .end_amdgpu_pal_metadata
            .amdgpu_pal_metadata
            ---
            amdpal.pipelines:
              - .hardware_stages:
                  :.ps
                    .scratch_memory_size: 0
                    .sgpr_count: 1
            ;       ^^^^^^^^^^^^^^ error[metadata]: the key before has a value: a key that is indented below it cannot belong to it
            ;                    = line 19:1: LLVM reports it here
            ...
            .end_amdgpu_pal_metadata
        "#]],
    );
}
