//! What a missing wait hides, and what hides it.

use expect_test::expect;

use crate::testing::{marks, marks_pedantic};

#[test]
fn one_missing_wait_is_reported_once_with_its_path() {
    marks(
        "gfx900",
        expect![[r#"
            global_load_dword v0, v[2:3], off
            global_load_dword v1, v[2:3], off
            s_cbranch_scc0 tail
            s_waitcnt vmcnt(0)
            tail:
            s_waitcnt vmcnt(2)
            v_mov_b32 v4, v0
            ;             ^^ warning[missing-wait]: missing `s_waitcnt vmcnt(0)` before this read of `v0`
            ;              = line 1:1: this operation writes it
            ;              = line 6:1: this wait leaves 2 operations outstanding
            ;              = line 5:1: on the path through this label
            ;              = line 8:1: the wait also covers this use of `v1`
            ;              = fix: s_waitcnt vmcnt(0)
            v_mov_b32 v5, v1
        "#]],
    );
}

#[test]
fn a_missing_wait_hides_only_what_its_fix_covers() {
    // One wait covers both operations, but not the third, which starts after the first use.
    marks(
        "gfx900",
        expect![[r#"
            global_load_dwordx2 v[0:1], v[2:3], off
            global_load_dword v6, v[2:3], off
            v_mov_b32 v4, v0
            ;             ^^ warning[missing-wait]: missing `s_waitcnt vmcnt(0)` before this read of `v0`
            ;              = line 1:1: this operation writes it
            ;              = line 6:1: the wait also covers this use of `v6`
            ;              = fix: s_waitcnt vmcnt(0)
            global_load_dword v7, v[2:3], off
            v_mov_b32 v4, v1
            v_mov_b32 v4, v6
            v_mov_b32 v4, v7
            ;             ^^ warning[missing-wait]: missing `s_waitcnt vmcnt(0)` before this read of `v7`
            ;              = line 4:1: this operation writes it
            ;              = fix: s_waitcnt vmcnt(0)
        "#]],
    );
    marks(
        "gfx900",
        expect![[r#"
            global_load_dwordx2 v[0:1], v[2:3], off
            global_load_dword v6, v[2:3], off
            v_mov_b32 v4, v0
            ;             ^^ warning[missing-wait]: missing `s_waitcnt vmcnt(1)` before this read of `v0`
            ;              = line 1:1: this operation writes it
            ;              = fix: s_waitcnt vmcnt(1)
            v_mov_b32 v4, v1
            s_waitcnt vmcnt(1)
            v_mov_b32 v4, v6
            ;             ^^ warning[missing-wait]: missing `s_waitcnt vmcnt(0)` before this read of `v6`
            ;              = line 2:1: this operation writes it
            ;              = line 5:1: this wait leaves 1 operation outstanding
            ;              = fix: s_waitcnt vmcnt(0)
        "#]],
    );
    // The wait in line 4 is another one, with a defect of its own.
    marks(
        "gfx900",
        expect![[r#"
            s_load_dword s0, s[2:3], 0x0
            s_mov_b32 s4, s0
            ;             ^^ warning[missing-wait]: missing `s_waitcnt lgkmcnt(0)` before this read of `s0`
            ;              = line 1:1: this operation writes it
            ;              = fix: s_waitcnt lgkmcnt(0)
            s_load_dword s1, s[2:3], 0x0
            s_waitcnt lgkmcnt(1)
            s_mov_b32 s4, s1
            ;             ^^ warning[missing-wait]: missing `s_waitcnt lgkmcnt(0)` before this read of `s1`
            ;              = line 3:1: this operation writes it
            ;              = line 4:1: this wait leaves 1 operation outstanding
            ;              = fix: s_waitcnt lgkmcnt(0)
        "#]],
    );
    // Two counters, one instruction.
    marks(
        "gfx900",
        expect![[r#"
            global_load_dword v0, v[2:3], off
            ds_read_b32 v1, v2
            v_add_u32 v4, v0, v1
            ;             ^^ warning[missing-wait]: missing `s_waitcnt vmcnt(0)` before this read of `v0`
            ;              = line 1:1: this operation writes it
            ;              = fix: s_waitcnt vmcnt(0)
            ;                 ^^ warning[missing-wait]: missing `s_waitcnt lgkmcnt(0)` before this read of `v1`
            ;                  = line 2:1: this operation writes it
            ;                  = fix: s_waitcnt lgkmcnt(0)
            v_add_u32 v4, v0, v1
        "#]],
    );
}

#[test]
fn a_missing_wait_hides_nothing_on_ways_around_it() {
    marks(
        "gfx900",
        expect![[r#"
            global_load_dword v0, v[2:3], off
            s_cbranch_scc0 other
            v_mov_b32 v4, v0
            ;             ^^ warning[missing-wait]: missing `s_waitcnt vmcnt(0)` before this read of `v0`
            ;              = line 1:1: this operation writes it
            ;              = fix: s_waitcnt vmcnt(0)
            s_branch both
            other:
            v_mov_b32 v5, v0
            ;             ^^ warning[missing-wait]: missing `s_waitcnt vmcnt(0)` before this read of `v0`
            ;              = line 1:1: this operation writes it
            ;              = line 5:1: on the path through this label
            ;              = fix: s_waitcnt vmcnt(0)
            both:
            v_mov_b32 v6, v0
        "#]],
    );
}

#[test]
fn errors_elsewhere_do_not_hide_missing_waits() {
    marks(
        "gfx900",
        expect![[r#"
            v_foo v9
            ;^^^^ error[unknown-instruction]: unknown instruction `v_foo`
            global_load_dword v0, v[2:3], off
            v_mov_b32 v4, v0
            ;             ^^ warning[missing-wait]: missing `s_waitcnt vmcnt(0)` before this read of `v0`
            ;              = line 2:1: this operation writes it
            ;              = fix: s_waitcnt vmcnt(0)
        "#]],
    );
    marks(
        "gfx900",
        expect![[r#"
            global_load_dword v0, v[2:3], off
            v_mov_b32 v4, v0
            ;             ^^ warning[missing-wait]: missing `s_waitcnt vmcnt(0)` before this read of `v0`
            ;              = line 1:1: this operation writes it
            ;              = fix: s_waitcnt vmcnt(0)
            v_foo v9
            ;^^^^ error[unknown-instruction]: unknown instruction `v_foo`
            .p2align 99
            ;        ^^ error[directive-argument]: the alignment must be at most 2^31, is 2^99
        "#]],
    );
    // What could not be read may be the wait.
    marks(
        "gfx900",
        expect![[r#"
            global_load_dword v0, v[2:3], off
            v_foo v9
            ;^^^^ error[unknown-instruction]: unknown instruction `v_foo`
            v_mov_b32 v4, v0
        "#]],
    );
}

#[test]
fn skipped_instructions_are_not_counted() {
    marks(
        "gfx942",
        expect![[r#"
            global_load_dword v2, v[0:1], off
            s_setvskip s4, 0
            global_load_dword v3, v[0:1], off
            s_setvskip 0, 0
            v_mov_b32 v4, v2
            ;             ^^ warning[missing-wait]: missing `s_waitcnt vmcnt(0)` before this read of `v2`
            ;              = line 1:1: this operation writes it
            ;              = fix: s_waitcnt vmcnt(0)
            s_endpgm
        "#]],
    );
    marks(
        "gfx942",
        expect![[r#"
            global_load_lds_dword v[0:1], off
            s_setvskip s4, 0
            global_load_dword v3, v[0:1], off
            s_setvskip 0, 0
            ds_read_b32 v2, v5
            ;^^^^^^^^^^^^^^^^^ warning[lds-copy-wait]: missing `s_waitcnt vmcnt(0)` before this read of LDS, which a load fills
            ;                = line 1:1: this load may still be open
            ;                = fix: s_waitcnt vmcnt(0)
            s_endpgm
        "#]],
    );
}

#[test]
fn a_flat_access_with_a_scalar_address_may_go_to_lds() {
    marks(
        "gfx1250",
        expect![[r#"
            flat_load_b64 v[0:1], v0, s[0:1] scale_offset
            v_mov_b32 v4, v0
            ;             ^^ warning[missing-wait]: missing `s_wait_loadcnt_dscnt 0x0` before this read of `v0`
            ;              = line 1:1: this operation writes it
            ;              = fix: s_wait_loadcnt_dscnt 0x0
            s_endpgm
        "#]],
    );
}

#[test]
fn a_write_back_is_counted() {
    marks(
        "gfx942",
        expect![[r#"
            global_load_dword v1, v0, s[2:3]
            buffer_wbl2 sc0 sc1
            v_mov_b32 v4, v1
            ;             ^^ warning[missing-wait]: missing `s_waitcnt vmcnt(1)` before this read of `v1`
            ;              = line 1:1: this operation writes it
            ;              = fix: s_waitcnt vmcnt(1)
            s_waitcnt vmcnt(1)
            v_mov_b32 v4, v1
            s_endpgm
        "#]],
    );
}

#[test]
fn asynchronous_accesses_are_not_repeated() {
    marks_pedantic(
        "gfx1250",
        expect![[r#"
            global_load_async_to_lds_b32 v4, v14, s[10:11]
            v_mov_b32 v4, v0
            s_endpgm
        "#]],
    );
}
