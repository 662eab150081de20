//! What is reported of waits, by generation and counter.

use expect_test::expect;

use crate::testing::{check, check_pedantic};
use wavelens_base::TextRange;

#[test]
fn waits_name_the_register_and_the_operation() {
    check(
        "gfx900",
        "flat_load_dword v0, v[2:3]\ns_waitcnt vmcnt(0) lgkmcnt(0)\nv_mov_b32 v1, v0\ns_load_dword s0, s[2:3], 0x0\ns_load_dword s1, s[2:3], 0x4\n\
s_waitcnt lgkmcnt(1)\ns_mov_b32 s4, s0\nds_read_b32 v5, v6\nglobal_load_dword v5, v[2:3], off\n",
        expect![[r#"
            7: missing-wait: missing `s_waitcnt lgkmcnt(0)` before this read of `s0`
            9: missing-wait: missing `s_waitcnt lgkmcnt(0)` before this write of `v5`
        "#]],
    );
}

#[test]
fn flat_accesses_are_done_when_both_counters_are_down() {
    let flat = "flat_load_dword v4, v[2:3]\n";
    check(
        "gfx942",
        &format!("{flat}global_load_dword v9, v[2:3], off\nv_mov_b32 v10, v4\nv_mov_b32 v11, v9\n"),
        expect![[r#"
            3: missing-wait: missing `s_waitcnt vmcnt(0) lgkmcnt(0)` before this read of `v4`
        "#]],
    );
    check(
        "gfx942",
        &format!("{flat}s_waitcnt vmcnt(0)\nv_mov_b32 v10, v4\n"),
        expect![[r#"
            3: missing-wait: missing `s_waitcnt lgkmcnt(0)` before this read of `v4`
        "#]],
    );
    check("gfx942", &format!("{flat}s_waitcnt vmcnt(0) lgkmcnt(0)\nv_mov_b32 v10, v4\n"), expect![""]);
    // Flat is the only way to memory before gfx9: a wait that is there may know that no access goes to LDS, a proposed one does not.
    check("gfx803", &format!("{flat}s_waitcnt vmcnt(0)\nv_mov_b32 v10, v4\n"), expect![""]);
    let two = format!("{flat}flat_load_dword v5, v[2:3]\n");
    check("gfx803", &format!("{two}s_waitcnt vmcnt(1)\nv_mov_b32 v10, v4\n"), expect![""]);
    check(
        "gfx803",
        &format!("{two}v_mov_b32 v10, v4\n"),
        expect![[r#"
        3: missing-wait: missing `s_waitcnt vmcnt(0) lgkmcnt(0)` before this read of `v4`
    "#]],
    );
    check(
        "gfx1200",
        "flat_load_b32 v4, v[2:3]\nv_mov_b32 v10, v4\n",
        expect![[r#"
            2: missing-wait: missing `s_wait_loadcnt_dscnt 0x0` before this read of `v4`
        "#]],
    );
}

#[test]
fn flat_accesses_are_out_of_order_before_gfx10() {
    let text = "global_load_dword v9, v[2:3], off\nflat_load_dword v4, v[2:3]\ns_waitcnt vmcnt(1)\nv_mov_b32 v10, v9\n";
    check(
        "gfx942",
        text,
        expect![[r#"
            4: missing-wait: missing `s_waitcnt vmcnt(0)` before this read of `v9`
        "#]],
    );
    check("gfx1030", text, expect![""]);
    let text = "ds_read_b32 v9, v0\nflat_store_dword v[2:3], v4\ns_waitcnt lgkmcnt(1)\nv_mov_b32 v10, v9\n";
    check(
        "gfx942",
        text,
        expect![[r#"
            4: missing-wait: missing `s_waitcnt lgkmcnt(0)` before this read of `v9`
        "#]],
    );
    check("gfx1030", text, expect![""]);
}

#[test]
fn a_wait_counts_on_the_shortest_way_until_a_branch_may_know_which_it_was() {
    let joined =
        "global_load_dword v0, v[2:3], off\ns_cbranch_scc0 on\nglobal_load_dword v1, v[2:3], off\non:\n";
    check(
        "gfx942",
        &format!("{joined}s_waitcnt vmcnt(1)\nv_mov_b32 v4, v0\n"),
        expect![[r#"
            6: missing-wait: missing `s_waitcnt vmcnt(0)` before this read of `v0`
        "#]],
    );
    check(
        "gfx942",
        &format!("{joined}s_cbranch_scc0 off\ns_waitcnt vmcnt(1)\nv_mov_b32 v4, v0\noff:\ns_endpgm\n"),
        expect![""],
    );
}

#[test]
fn the_old_wait_is_one_for_the_counters_that_took_its_place() {
    let text = "ds_load_b32 v1, v2\nimage_load v3, v4, s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_1D\n";
    let uses = "v_mov_b32 v5, v1\nv_mov_b32 v6, v3\n";
    check("gfx1201", &format!("{text}s_waitcnt vmcnt(0) lgkmcnt(0)\n{uses}"), expect![""]);
    check(
        "gfx1201",
        &format!("{text}s_waitcnt lgkmcnt(0)\n{uses}"),
        expect![[r#"
            5: missing-wait: missing `s_wait_loadcnt 0x0` before this read of `v3`
        "#]],
    );
}

#[test]
fn scalar_loads_can_end_before_older_reads_of_lds() {
    let check = |text: &str, expected| check("gfx942", text, expected);
    check(
        "ds_read_b32 v5, v6\ns_load_dword s0, s[2:3], 0x0\ns_waitcnt lgkmcnt(1)\nv_mov_b32 v7, v5\n",
        expect![[r#"
            4: missing-wait: missing `s_waitcnt lgkmcnt(0)` before this read of `v5`
        "#]],
    );
    check(
        "s_load_dword s0, s[2:3], 0x0\nds_read_b32 v5, v6\nds_read_b32 v8, v6\ns_waitcnt lgkmcnt(1)\nv_mov_b32 v7, v5\n",
        expect![[""]],
    );
}

#[test]
fn image_atomics_return_a_value_only_on_request() {
    let text = "image_atomic_umin v4, v192, s[28:35] dmask:0x1 unorm\nimage_atomic_umax v4, v192, s[28:35] dmask:0x1 unorm glc\n\
        v_mov_b32 v1, v4\n";
    check(
        "gfx90a",
        text,
        expect![[r#"
        3: missing-wait: missing `s_waitcnt vmcnt(0)` before this read of `v4`
    "#]],
    );
}

#[test]
fn a_full_counter_waits_for_operations_that_end_in_order() {
    let scalar: String = (0..20).map(|n| format!("s_load_dword s{}, s[2:3], 0x0\n", 8 + n)).collect();
    check(
        "gfx900",
        &format!("{scalar}s_mov_b32 s4, s8\n"),
        expect![[r#"
            21: missing-wait: missing `s_waitcnt lgkmcnt(0)` before this read of `s8`
        "#]],
    );
    let local: String = (0..20).map(|n| format!("ds_read_b32 v{}, v0\n", 8 + n)).collect();
    check("gfx900", &format!("{local}v_mov_b32 v1, v8\n"), expect![""]);
}

#[test]
fn one_missing_wait_is_reported_once_with_its_path() {
    let text = "global_load_dword v0, v[2:3], off\nglobal_load_dword v1, v[2:3], off\ns_cbranch_scc0 tail\n\
s_waitcnt vmcnt(0)\ntail:\ns_waitcnt vmcnt(2)\nv_mov_b32 v4, v0\nv_mov_b32 v5, v1\n";
    let options =
        wavelens_base::Options { target: Some("gfx900".into()), ..wavelens_base::Options::default() };
    let line = |range: TextRange| text[..usize::from(range.start())].matches('\n').count() + 1;
    let mut shown = String::new();
    for finding in wavelens_check::check_text(wavelens_base::Dialect::Amdgpu, text, &options) {
        shown.push_str(&format!("{}: {}\n", line(finding.range), finding.message));
        for related in finding.related {
            shown.push_str(&format!("    {}: {}\n", line(related.range), related.message));
        }
        shown.push_str(&format!("    {:?}\n", finding.fix.map(|f| f.edits[0].text.clone())));
    }
    expect![[r#"
        7: missing `s_waitcnt vmcnt(0)` before this read of `v0`
            1: this operation writes it
            6: this wait leaves 2 operations outstanding
            5: on the path through this label
            8: the wait also covers this use of `v1`
            Some("s_waitcnt vmcnt(0)\n")
    "#]]
    .assert_eq(&shown);
}

#[test]
fn a_missing_wait_hides_only_what_its_fix_covers() {
    // One wait covers both operations, but not the third, which starts after the first use.
    let start =
        "global_load_dwordx2 v[0:1], v[2:3], off\nglobal_load_dword v6, v[2:3], off\nv_mov_b32 v4, v0\n";
    check(
        "gfx900",
        &format!(
            "{start}global_load_dword v7, v[2:3], off\nv_mov_b32 v4, v1\nv_mov_b32 v4, v6\nv_mov_b32 v4, v7\n"
        ),
        expect![[r#"
            3: missing-wait: missing `s_waitcnt vmcnt(0)` before this read of `v0`
            7: missing-wait: missing `s_waitcnt vmcnt(0)` before this read of `v7`
        "#]],
    );
    check(
        "gfx900",
        &format!("{start}v_mov_b32 v4, v1\ns_waitcnt vmcnt(1)\nv_mov_b32 v4, v6\n"),
        expect![[r#"
            3: missing-wait: missing `s_waitcnt vmcnt(1)` before this read of `v0`
            6: missing-wait: missing `s_waitcnt vmcnt(0)` before this read of `v6`
        "#]],
    );
    // The wait in line 4 is another one, with a defect of its own.
    check(
        "gfx900",
        "s_load_dword s0, s[2:3], 0x0\ns_mov_b32 s4, s0\ns_load_dword s1, s[2:3], 0x0\ns_waitcnt lgkmcnt(1)\ns_mov_b32 s4, s1\n",
        expect![[r#"
            2: missing-wait: missing `s_waitcnt lgkmcnt(0)` before this read of `s0`
            5: missing-wait: missing `s_waitcnt lgkmcnt(0)` before this read of `s1`
        "#]],
    );
    // Two counters, one instruction.
    check(
        "gfx900",
        "global_load_dword v0, v[2:3], off\nds_read_b32 v1, v2\nv_add_u32 v4, v0, v1\nv_add_u32 v4, v0, v1\n",
        expect![[r#"
            3: missing-wait: missing `s_waitcnt vmcnt(0)` before this read of `v0`
            3: missing-wait: missing `s_waitcnt lgkmcnt(0)` before this read of `v1`
        "#]],
    );
}

#[test]
fn a_missing_wait_hides_nothing_on_ways_around_it() {
    check(
        "gfx900",
        "global_load_dword v0, v[2:3], off\ns_cbranch_scc0 other\nv_mov_b32 v4, v0\ns_branch both\nother:\n\
v_mov_b32 v5, v0\nboth:\nv_mov_b32 v6, v0\n",
        expect![[r#"
            3: missing-wait: missing `s_waitcnt vmcnt(0)` before this read of `v0`
            6: missing-wait: missing `s_waitcnt vmcnt(0)` before this read of `v0`
        "#]],
    );
}

#[test]
fn errors_elsewhere_do_not_hide_missing_waits() {
    let load = "global_load_dword v0, v[2:3], off\n";
    let read = "v_mov_b32 v4, v0\n";
    check(
        "gfx900",
        &format!("v_foo v9\n{load}{read}"),
        expect![[r#"
        1: unknown-instruction: unknown instruction `v_foo`
        3: missing-wait: missing `s_waitcnt vmcnt(0)` before this read of `v0`
    "#]],
    );
    check(
        "gfx900",
        &format!("{load}{read}v_foo v9\n.p2align 99\n"),
        expect![[r#"
            2: missing-wait: missing `s_waitcnt vmcnt(0)` before this read of `v0`
            3: unknown-instruction: unknown instruction `v_foo`
            4: directive-argument: the alignment must be at most 2^31, is 2^99
        "#]],
    );
    // What could not be read may be the wait.
    check(
        "gfx900",
        &format!("{load}v_foo v9\n{read}"),
        expect![[r#"
        2: unknown-instruction: unknown instruction `v_foo`
    "#]],
    );
}

#[test]
fn addresses_are_translated_before_registers_change() {
    check_pedantic(
        "gfx1250",
        "global_store_b32 v0, v1, s[0:1]\nv_mov_b32 v1, 0\n\
global_store_b32 v0, v1, s[0:1]\ns_wait_xcnt 0x0\nv_mov_b32 v1, 0\n\
global_load_b32 v2, v0, s[0:1]\ns_wait_loadcnt 0x0\ns_mov_b32 s0, 0\n\
global_store_b32 v0, v1, s[2:3]\nglobal_load_b32 v1, v0, s[2:3]\ns_mov_b32 s2, 0\n\
s_load_b32 s4, s[6:7], 0x0\ns_mov_b32 s6, 0\n",
        expect![[r#"
            2: missing-wait: missing `s_wait_xcnt 0x0` before this write of `v1`
            11: missing-wait: missing `s_wait_xcnt 0x0` before this write of `s2`
            13: missing-wait: missing `s_wait_xcnt 0x0` before this write of `s6`
        "#]],
    );
}

#[test]
fn addresses_matter_where_memory_is_replayed() {
    let text = "global_store_b32 v0, v1, s[0:1]\nv_mov_b32 v1, 0\n";
    check("gfx1250", text, expect![""]);
}

#[test]
fn instructions_written_as_data_count() {
    // The second word of the addition names a third source, which the hardware does not read.
    check(
        "gfx942",
        "global_load_dword v140, v[0:1], off\n.long 0xd1050004, 0x04031b8c\nv_mov_b32 v5, v140\ns_endpgm\n\
.long 0xd1050004, 0x04031b8c\n",
        expect![[r#"
            2: missing-wait: missing `s_waitcnt vmcnt(0)` before this read of `v140`
        "#]],
    );
    // What is not an instruction may be the wait.
    check(
        "gfx942",
        "global_load_dword v140, v[0:1], off\n.long 0xffffffff\nv_mov_b32 v5, v140\ns_endpgm\n",
        expect![""],
    );
}

#[test]
fn interpolation_waits_for_its_parameters() {
    check(
        "gfx1100",
        "lds_param_load v0, attr0.x wait_vdst:0\nlds_param_load v1, attr0.y wait_vdst:0\n\
v_interp_p10_f32 v2, v0, v3, v0 wait_exp:1\nv_interp_p10_f32 v4, v1, v3, v1 wait_exp:1\n",
        expect![[r#"
            4: missing-wait: missing `s_waitcnt expcnt(0)` before this read of `v1`
        "#]],
    );
}

#[test]
fn exports_read_exec_late() {
    check(
        "gfx900",
        "exp mrt0 v0, v1, v2, v3\ns_mov_b64 exec, 0\nexp mrt0 v0, v1, v2, v3\ns_waitcnt expcnt(0)\ns_mov_b64 exec, 0\n",
        expect![[r#"
            2: missing-wait: missing `s_waitcnt expcnt(0)` before this write of `exec_lo`
        "#]],
    );
}

#[test]
fn counts_are_those_of_the_way_with_the_most() {
    check(
        "gfx900",
        "global_load_dword v0, v[2:3], off\ns_cbranch_scc1 few\nglobal_load_dword v1, v[2:3], off\nfew:\n\
s_cbranch_scc1 all\ns_waitcnt vmcnt(1)\ns_branch use\nall:\ns_waitcnt vmcnt(0)\nuse:\nv_mov_b32 v4, v0\nv_mov_b32 v4, v1\n",
        expect![[r#"
            12: missing-wait: missing `s_waitcnt vmcnt(0)` before this read of `v1`
        "#]],
    );
}

#[test]
fn loops_start_with_the_fewest() {
    check(
        "gfx900",
        "global_load_dword v0, v[2:3], off\nagain:\nglobal_load_dword v1, v[2:3], off\ns_waitcnt vmcnt(2)\nv_mov_b32 v4, v0\n\
s_cbranch_scc1 again\n",
        expect![[r#"
            5: missing-wait: missing `s_waitcnt vmcnt(1)` before this read of `v0`
        "#]],
    );
}

#[test]
fn an_address_waits_even_where_the_load_replaces_it() {
    check(
        "gfx900",
        "s_load_dwordx2 s[0:1], s[2:3], 0x0\ns_load_dwordx2 s[0:1], s[0:1], 0x0\n\
global_load_short_d16 v0, v[2:3], off\nglobal_load_short_d16_hi v0, v[4:5], off\n",
        expect![[r#"
            2: missing-wait: missing `s_waitcnt lgkmcnt(0)` before this read of `s0`
        "#]],
    );
}
