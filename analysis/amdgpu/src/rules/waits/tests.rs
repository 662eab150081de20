//! What is reported of waits, by generation and counter.

use expect_test::expect;

use crate::testing::{marks, marks_pedantic};

#[test]
fn waits_name_the_register_and_the_operation() {
    marks(
        "gfx900",
        expect![[r#"
            flat_load_dword v0, v[2:3]
            s_waitcnt vmcnt(0) lgkmcnt(0)
            v_mov_b32 v1, v0
            s_load_dword s0, s[2:3], 0x0
            s_load_dword s1, s[2:3], 0x4
            s_waitcnt lgkmcnt(1)
            s_mov_b32 s4, s0
            ;             ^^ warning[missing-wait]: missing `s_waitcnt lgkmcnt(0)` before this read of `s0`
            ;              = line 4:1: this operation writes it
            ;              = line 6:1: this wait leaves 1 operation outstanding
            ;              = fix: s_waitcnt lgkmcnt(0)
            ds_read_b32 v5, v6
            global_load_dword v5, v[2:3], off
            ;                 ^^ warning[missing-wait]: missing `s_waitcnt lgkmcnt(0)` before this write of `v5`
            ;                  = line 8:1: this operation writes it later
            ;                  = fix: s_waitcnt lgkmcnt(0)
        "#]],
    );
}

#[test]
fn flat_accesses_are_done_when_both_counters_are_down() {
    marks(
        "gfx942",
        expect![[r#"
            flat_load_dword v4, v[2:3]
            global_load_dword v9, v[2:3], off
            v_mov_b32 v10, v4
            ;              ^^ warning[missing-wait]: missing `s_waitcnt vmcnt(0) lgkmcnt(0)` before this read of `v4`
            ;               = line 1:1: this operation writes it
            ;               = fix: s_waitcnt vmcnt(0) lgkmcnt(0)
            v_mov_b32 v11, v9
        "#]],
    );
    marks(
        "gfx942",
        expect![[r#"
            flat_load_dword v4, v[2:3]
            s_waitcnt vmcnt(0)
            v_mov_b32 v10, v4
            ;              ^^ warning[missing-wait]: missing `s_waitcnt lgkmcnt(0)` before this read of `v4`
            ;               = line 1:1: this operation writes it
            ;               = fix: s_waitcnt lgkmcnt(0)
        "#]],
    );
    marks(
        "gfx942",
        expect![[r#"
            flat_load_dword v4, v[2:3]
            s_waitcnt vmcnt(0) lgkmcnt(0)
            v_mov_b32 v10, v4
        "#]],
    );
    // Flat is the only way to memory before gfx9: a wait that is there may know that no access goes to LDS, a proposed one does not.
    marks(
        "gfx803",
        expect![[r#"
            flat_load_dword v4, v[2:3]
            s_waitcnt vmcnt(0)
            v_mov_b32 v10, v4
        "#]],
    );
    marks(
        "gfx803",
        expect![[r#"
            flat_load_dword v4, v[2:3]
            flat_load_dword v5, v[2:3]
            s_waitcnt vmcnt(1)
            v_mov_b32 v10, v4
        "#]],
    );
    marks(
        "gfx803",
        expect![[r#"
            flat_load_dword v4, v[2:3]
            flat_load_dword v5, v[2:3]
            v_mov_b32 v10, v4
            ;              ^^ warning[missing-wait]: missing `s_waitcnt vmcnt(0) lgkmcnt(0)` before this read of `v4`
            ;               = line 1:1: this operation writes it
            ;               = fix: s_waitcnt vmcnt(0) lgkmcnt(0)
        "#]],
    );
    marks(
        "gfx1200",
        expect![[r#"
            flat_load_b32 v4, v[2:3]
            v_mov_b32 v10, v4
            ;              ^^ warning[missing-wait]: missing `s_wait_loadcnt_dscnt 0x0` before this read of `v4`
            ;               = line 1:1: this operation writes it
            ;               = fix: s_wait_loadcnt_dscnt 0x0
        "#]],
    );
}

#[test]
fn flat_accesses_are_out_of_order_before_gfx10() {
    marks(
        "gfx942",
        expect![[r#"
            global_load_dword v9, v[2:3], off
            flat_load_dword v4, v[2:3]
            s_waitcnt vmcnt(1)
            v_mov_b32 v10, v9
            ;              ^^ warning[missing-wait]: missing `s_waitcnt vmcnt(0)` before this read of `v9`
            ;               = line 1:1: this operation writes it
            ;               = line 3:1: this wait leaves 1 operation outstanding
            ;               = fix: s_waitcnt vmcnt(0)
        "#]],
    );
    marks(
        "gfx1030",
        expect![[r#"
            global_load_dword v9, v[2:3], off
            flat_load_dword v4, v[2:3]
            s_waitcnt vmcnt(1)
            v_mov_b32 v10, v9
        "#]],
    );
    marks(
        "gfx942",
        expect![[r#"
            ds_read_b32 v9, v0
            flat_store_dword v[2:3], v4
            s_waitcnt lgkmcnt(1)
            v_mov_b32 v10, v9
            ;              ^^ warning[missing-wait]: missing `s_waitcnt lgkmcnt(0)` before this read of `v9`
            ;               = line 1:1: this operation writes it
            ;               = line 3:1: this wait leaves 1 operation outstanding
            ;               = fix: s_waitcnt lgkmcnt(0)
        "#]],
    );
    marks(
        "gfx1030",
        expect![[r#"
            ds_read_b32 v9, v0
            flat_store_dword v[2:3], v4
            s_waitcnt lgkmcnt(1)
            v_mov_b32 v10, v9
        "#]],
    );
}

#[test]
fn a_wait_counts_on_the_shortest_way_until_a_branch_may_know_which_it_was() {
    marks(
        "gfx942",
        expect![[r#"
            global_load_dword v0, v[2:3], off
            s_cbranch_scc0 on
            global_load_dword v1, v[2:3], off
            on:
            s_waitcnt vmcnt(1)
            v_mov_b32 v4, v0
            ;             ^^ warning[missing-wait]: missing `s_waitcnt vmcnt(0)` before this read of `v0`
            ;              = line 1:1: this operation writes it
            ;              = line 5:1: this wait leaves 1 operation outstanding
            ;              = line 4:1: on the path through this label
            ;              = fix: s_waitcnt vmcnt(0)
        "#]],
    );
    marks(
        "gfx942",
        expect![[r#"
            global_load_dword v0, v[2:3], off
            s_cbranch_scc0 on
            global_load_dword v1, v[2:3], off
            on:
            s_cbranch_scc0 off
            s_waitcnt vmcnt(1)
            v_mov_b32 v4, v0
            off:
            s_endpgm
        "#]],
    );
}

#[test]
fn the_old_wait_is_one_for_the_counters_that_took_its_place() {
    marks(
        "gfx1201",
        expect![[r#"
            ds_load_b32 v1, v2
            image_load v3, v4, s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_1D
            s_waitcnt vmcnt(0) lgkmcnt(0)
            v_mov_b32 v5, v1
            v_mov_b32 v6, v3
        "#]],
    );
    marks(
        "gfx1201",
        expect![[r#"
            ds_load_b32 v1, v2
            image_load v3, v4, s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_1D
            s_waitcnt lgkmcnt(0)
            v_mov_b32 v5, v1
            v_mov_b32 v6, v3
            ;             ^^ warning[missing-wait]: missing `s_wait_loadcnt 0x0` before this read of `v3`
            ;              = line 2:1: this operation writes it
            ;              = fix: s_wait_loadcnt 0x0
        "#]],
    );
}

#[test]
fn scalar_loads_can_end_before_older_reads_of_lds() {
    marks(
        "gfx942",
        expect![[r#"
            ds_read_b32 v5, v6
            s_load_dword s0, s[2:3], 0x0
            s_waitcnt lgkmcnt(1)
            v_mov_b32 v7, v5
            ;             ^^ warning[missing-wait]: missing `s_waitcnt lgkmcnt(0)` before this read of `v5`
            ;              = line 1:1: this operation writes it
            ;              = line 3:1: this wait leaves 1 operation outstanding
            ;              = fix: s_waitcnt lgkmcnt(0)
        "#]],
    );
    marks(
        "gfx942",
        expect![[r#"
            s_load_dword s0, s[2:3], 0x0
            ds_read_b32 v5, v6
            ds_read_b32 v8, v6
            s_waitcnt lgkmcnt(1)
            v_mov_b32 v7, v5
        "#]],
    );
}

#[test]
fn image_atomics_return_a_value_only_on_request() {
    marks(
        "gfx90a",
        expect![[r#"
            image_atomic_umin v4, v192, s[28:35] dmask:0x1 unorm
            image_atomic_umax v4, v192, s[28:35] dmask:0x1 unorm glc
            v_mov_b32 v1, v4
            ;             ^^ warning[missing-wait]: missing `s_waitcnt vmcnt(0)` before this read of `v4`
            ;              = line 2:1: this operation writes it
            ;              = fix: s_waitcnt vmcnt(0)
        "#]],
    );
}

#[test]
fn a_full_counter_waits_for_operations_that_end_in_order() {
    marks(
        "gfx900",
        expect![[r#"
            s_load_dword s8, s[2:3], 0x0
            s_load_dword s9, s[2:3], 0x0
            s_load_dword s10, s[2:3], 0x0
            s_load_dword s11, s[2:3], 0x0
            s_load_dword s12, s[2:3], 0x0
            s_load_dword s13, s[2:3], 0x0
            s_load_dword s14, s[2:3], 0x0
            s_load_dword s15, s[2:3], 0x0
            s_load_dword s16, s[2:3], 0x0
            s_load_dword s17, s[2:3], 0x0
            s_load_dword s18, s[2:3], 0x0
            s_load_dword s19, s[2:3], 0x0
            s_load_dword s20, s[2:3], 0x0
            s_load_dword s21, s[2:3], 0x0
            s_load_dword s22, s[2:3], 0x0
            s_load_dword s23, s[2:3], 0x0
            s_load_dword s24, s[2:3], 0x0
            s_load_dword s25, s[2:3], 0x0
            s_load_dword s26, s[2:3], 0x0
            s_load_dword s27, s[2:3], 0x0
            s_mov_b32 s4, s8
            ;             ^^ warning[missing-wait]: missing `s_waitcnt lgkmcnt(0)` before this read of `s8`
            ;              = line 1:1: this operation writes it
            ;              = fix: s_waitcnt lgkmcnt(0)
        "#]],
    );
    marks(
        "gfx900",
        expect![[r#"
            ds_read_b32 v8, v0
            ds_read_b32 v9, v0
            ds_read_b32 v10, v0
            ds_read_b32 v11, v0
            ds_read_b32 v12, v0
            ds_read_b32 v13, v0
            ds_read_b32 v14, v0
            ds_read_b32 v15, v0
            ds_read_b32 v16, v0
            ds_read_b32 v17, v0
            ds_read_b32 v18, v0
            ds_read_b32 v19, v0
            ds_read_b32 v20, v0
            ds_read_b32 v21, v0
            ds_read_b32 v22, v0
            ds_read_b32 v23, v0
            ds_read_b32 v24, v0
            ds_read_b32 v25, v0
            ds_read_b32 v26, v0
            ds_read_b32 v27, v0
            v_mov_b32 v1, v8
        "#]],
    );
}

#[test]
fn addresses_are_translated_before_registers_change() {
    marks_pedantic(
        "gfx1250",
        expect![[r#"
            global_store_b32 v0, v1, s[0:1]
            v_mov_b32 v1, 0
            ;         ^^ hint[missing-wait]: missing `s_wait_xcnt 0x0` before this write of `v1`
            ;          = line 1:1: this operation may have to read it again
            ;          = fix: s_wait_xcnt 0x0
            global_store_b32 v0, v1, s[0:1]
            s_wait_xcnt 0x0
            v_mov_b32 v1, 0
            global_load_b32 v2, v0, s[0:1]
            s_wait_loadcnt 0x0
            s_mov_b32 s0, 0
            global_store_b32 v0, v1, s[2:3]
            global_load_b32 v1, v0, s[2:3]
            s_mov_b32 s2, 0
            ;         ^^ hint[missing-wait]: missing `s_wait_xcnt 0x0` before this write of `s2`
            ;          = line 10:1: this operation may have to read it again
            ;          = fix: s_wait_xcnt 0x0
            s_load_b32 s4, s[6:7], 0x0
            s_mov_b32 s6, 0
            ;         ^^ hint[missing-wait]: missing `s_wait_xcnt 0x0` before this write of `s6`
            ;          = line 12:1: this operation may have to read it again
            ;          = fix: s_wait_xcnt 0x0
        "#]],
    );
}

#[test]
fn some_instructions_wait_for_translations_themselves() {
    marks_pedantic(
        "gfx1250",
        expect![[r#"
            global_prefetch_b8 v0, s[64:65] scope:SCOPE_SE
            v_mov_b32 v0, 0
            global_store_b32 v0, v1, s[0:1]
            s_set_vgpr_msb 0
            v_mov_b32 v1, 0
            global_store_b32 v2, v3, s[0:1]
            s_getreg_b32 s5, hwreg(HW_REG_IB_STS2, 6, 4)
            v_mov_b32 v3, 0
            global_store_b32 v2, v3, s[0:1]
            s_barrier_signal -1
            s_barrier_wait -1
            v_mov_b32 v3, 0
            global_store_b32 v2, v3, s[0:1]
            s_cbranch_scc0 l
            v_mov_b32 v3, 0
            l:
            v_mov_b32 v2, 0
            s_endpgm
        "#]],
    );
}

#[test]
fn addresses_matter_where_memory_is_replayed() {
    marks(
        "gfx1250",
        expect![[r#"
            global_store_b32 v0, v1, s[0:1]
            v_mov_b32 v1, 0
        "#]],
    );
}

#[test]
fn instructions_written_as_data_count() {
    // The second word of the addition names a third source, which the hardware does not read.
    marks(
        "gfx942",
        expect![[r#"
            global_load_dword v140, v[0:1], off
            .long 0xd1050004, 0x04031b8c
            ;^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[missing-wait]: missing `s_waitcnt vmcnt(0)` before this read of `v140`
            ;                          = line 1:1: this operation writes it
            ;                          = fix: s_waitcnt vmcnt(0)
            v_mov_b32 v5, v140
            s_endpgm
            .long 0xd1050004, 0x04031b8c
        "#]],
    );
    // What is not an instruction may be the wait.
    marks(
        "gfx942",
        expect![[r#"
            global_load_dword v140, v[0:1], off
            .long 0xffffffff
            v_mov_b32 v5, v140
            s_endpgm
        "#]],
    );
}

#[test]
fn interpolation_waits_for_its_parameters() {
    marks(
        "gfx1100",
        expect![[r#"
            lds_param_load v0, attr0.x wait_vdst:0
            lds_param_load v1, attr0.y wait_vdst:0
            v_interp_p10_f32 v2, v0, v3, v0 wait_exp:1
            v_interp_p10_f32 v4, v1, v3, v1 wait_exp:1
            ;                    ^^ warning[missing-wait]: missing `s_waitcnt expcnt(0)` before this read of `v1`
            ;                     = line 2:1: this operation writes it
            ;                     = fix: s_waitcnt expcnt(0)
        "#]],
    );
}

#[test]
fn exports_read_exec_late() {
    marks(
        "gfx900",
        expect![[r#"
            exp mrt0 v0, v1, v2, v3
            s_mov_b64 exec, 0
            ;         ^^^^ warning[missing-wait]: missing `s_waitcnt expcnt(0)` before this write of `exec_lo`
            ;            = line 1:1: this operation reads it later
            ;            = fix: s_waitcnt expcnt(0)
            exp mrt0 v0, v1, v2, v3
            s_waitcnt expcnt(0)
            s_mov_b64 exec, 0
        "#]],
    );
}

#[test]
fn counts_are_those_of_the_way_with_the_most() {
    marks(
        "gfx900",
        expect![[r#"
            global_load_dword v0, v[2:3], off
            s_cbranch_scc1 few
            global_load_dword v1, v[2:3], off
            few:
            s_cbranch_scc1 all
            s_waitcnt vmcnt(1)
            s_branch use
            all:
            s_waitcnt vmcnt(0)
            use:
            v_mov_b32 v4, v0
            v_mov_b32 v4, v1
            ;             ^^ warning[missing-wait]: missing `s_waitcnt vmcnt(0)` before this read of `v1`
            ;              = line 3:1: this operation writes it
            ;              = line 6:1: this wait leaves 1 operation outstanding
            ;              = line 4:1: on the path through this label
            ;              = line 10:1: on the path through this label
            ;              = fix: s_waitcnt vmcnt(0)
        "#]],
    );
}

#[test]
fn loops_start_with_the_fewest() {
    marks(
        "gfx900",
        expect![[r#"
            global_load_dword v0, v[2:3], off
            again:
            global_load_dword v1, v[2:3], off
            s_waitcnt vmcnt(2)
            v_mov_b32 v4, v0
            ;             ^^ warning[missing-wait]: missing `s_waitcnt vmcnt(1)` before this read of `v0`
            ;              = line 1:1: this operation writes it
            ;              = line 4:1: this wait leaves 2 operations outstanding
            ;              = line 2:1: on the path through this label
            ;              = fix: s_waitcnt vmcnt(1)
            s_cbranch_scc1 again
        "#]],
    );
}

#[test]
fn an_address_waits_even_where_the_load_replaces_it() {
    marks(
        "gfx900",
        expect![[r#"
            s_load_dwordx2 s[0:1], s[2:3], 0x0
            s_load_dwordx2 s[0:1], s[0:1], 0x0
            ;                      ^^^^^^ warning[missing-wait]: missing `s_waitcnt lgkmcnt(0)` before this read of `s0`
            ;                           = line 1:1: this operation writes it
            ;                           = fix: s_waitcnt lgkmcnt(0)
            global_load_short_d16 v0, v[2:3], off
            global_load_short_d16_hi v0, v[4:5], off
        "#]],
    );
}

#[test]
fn a_wait_for_a_load_belongs_before_caches_are_invalidated() {
    marks(
        "gfx1201",
        expect![[r#"
            global_atomic_or_b32 v4, v[0:1], v4, off th:TH_ATOMIC_RETURN scope:SCOPE_DEV
            global_inv scope:SCOPE_DEV
            v_mov_b32 v5, v4
            ;             ^^ warning[missing-wait]: missing `s_wait_loadcnt 0x0` before this read of `v4`
            ;              = line 1:1: this operation writes it
            ;              = line 2:1: the operation must be done before caches are invalidated here
            ;              = fix: s_wait_loadcnt 0x0
        "#]],
    );
    marks(
        "gfx942",
        expect![[r#"
            flat_atomic_add v4, v[0:1], v4 sc0
            buffer_inv sc1
            v_mov_b32 v5, v4
            ;             ^^ warning[missing-wait]: missing `s_waitcnt vmcnt(0) lgkmcnt(0)` before this read of `v4`
            ;              = line 1:1: this operation writes it
            ;              = line 2:1: the operation must be done before caches are invalidated here
            ;              = fix: s_waitcnt vmcnt(0) lgkmcnt(0)
        "#]],
    );
    // A label of debug information is between.
    marks(
        "gfx1201",
        expect![[r#"
            global_load_b32 v4, v[0:1], off
            .Ltmp1:
            global_inv scope:SCOPE_DEV
            .Ltmp2:
            v_mov_b32 v5, v4
            ;             ^^ warning[missing-wait]: missing `s_wait_loadcnt 0x0` before this read of `v4`
            ;              = line 1:1: this operation writes it
            ;              = line 2:1: on the path through this label
            ;              = line 4:1: on the path through this label
            ;              = line 3:1: the operation must be done before caches are invalidated here
            ;              = fix: s_wait_loadcnt 0x0
        "#]],
    );
    // Of what is loaded after it, nothing changes.
    marks(
        "gfx1201",
        expect![[r#"
            global_inv scope:SCOPE_DEV
            global_load_b32 v4, v[0:1], off
            global_load_b32 v5, v[0:1], off
            v_mov_b32 v6, v4
            ;             ^^ warning[missing-wait]: missing `s_wait_loadcnt 0x1` before this read of `v4`
            ;              = line 2:1: this operation writes it
            ;              = fix: s_wait_loadcnt 0x1
        "#]],
    );
}

#[test]
fn the_address_of_a_callee_is_read() {
    marks(
        "gfx1201",
        expect![[r#"
            s_load_b64 s[50:51], s[0:1], 0x0
            s_load_b64 s[30:31], s[0:1], 0x8
            s_load_b64 s[40:41], s[0:1], 0x8
            s_swappc_b64 s[30:31], s[50:51]
            ;                      ^^^^^^^^ warning[missing-wait]: missing `s_wait_kmcnt 0x0` before this read of `s50`
            ;                             = line 1:1: this operation writes it
            ;                             = fix: s_wait_kmcnt 0x0
            s_endpgm
        "#]],
    );
}
