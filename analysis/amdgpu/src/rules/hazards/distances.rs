//! How far apart two instructions must be, measured for every pair that the families name: no number changes unnoticed.

use expect_test::expect;

use wavelens_base::{Dialect, Options, Severity};
use wavelens_check::check_text;

/// More than any distance.
const FAR: usize = 24;

/// The hazards of two instructions with some others between them.
fn hazards(target: &str, lines: [&str; 3], between: usize, pedantic: bool) -> Vec<String> {
    let [first, filler, second] = lines;
    let text = format!("{first}\n{}{second}\n", format!("{filler}\n").repeat(between));
    let options = Options { target: Some(target.into()), pedantic, ..Options::default() };
    let findings = check_text(Dialect::Amdgpu, &text, &options);
    let error = findings.iter().find(|f| f.severity == Severity::Error).map(|f| &f.message);
    assert_eq!(error, None, "on {target}");
    let hazards = findings.iter().filter(|f| f.rule.code.starts_with("hazard-"));
    hazards.map(|f| f.message.clone()).collect()
}

/// How many instructions a message says are missing; 0 where it asks for something else.
fn missing(messages: &[String]) -> usize {
    let [message] = messages else { return 0 };
    let needed = message.split_once("; ").map_or("", |(_, needed)| needed);
    match needed.split_once(" more ") {
        Some((number, _)) => number.parse().unwrap_or(0),
        None => usize::from(needed.starts_with("a vector instruction is needed")),
    }
}

/// The least number of instructions between two at which nothing is reported. The message says the same.
fn distance(target: &str, lines: [&str; 3], pedantic: bool) -> usize {
    let messages = |between| hazards(target, lines, between, pedantic);
    let start = messages(0);
    let distance = match missing(&start) {
        0 => (0..FAR).find(|between| messages(*between).is_empty()).unwrap_or(FAR),
        distance => {
            assert_eq!(missing(&messages(distance - 1)), 1, "{lines:?} on {target}");
            distance
        }
    };
    assert!(messages(distance).is_empty(), "{lines:?} on {target}");
    assert!(distance == 0 || !messages(distance - 1).is_empty(), "{lines:?} on {target}");
    distance
}

/// What the manual asks for; in parentheses what LLVM's hazard recognizer asks for, where that is more.
fn distances(target: &str, lines: [&str; 3]) -> String {
    match (distance(target, lines, false), distance(target, lines, true)) {
        (manual, recognizer) if manual == recognizer => manual.to_string(),
        (manual, recognizer) => format!("{manual} ({recognizer})"),
    }
}

/// Processors, then pairs of instructions.
fn table(filler: &str, rows: &[(&str, &str, &str)]) -> String {
    let row = |(targets, first, second): &(&str, &str, &str)| {
        let found: Vec<String> =
            targets.split(' ').map(|t| format!("{t} {}", distances(t, [first, filler, second]))).collect();
        format!("{}: {first}; {second}\n", found.join(", "))
    };
    rows.iter().map(row).collect()
}

#[test]
fn the_longest_wait_is_long_enough() {
    let lines = |nop| ["v_cmp_eq_u32 vcc, v0, v1", nop, "v_div_fmas_f32 v2, v3, v4, v5"];
    for nop in ["s_nop 0xffff", "s_nop 0xffffffff", "s_nop -1"] {
        assert_eq!(hazards("gfx900", lines(nop), 1, false), [""; 0], "{nop}");
    }
}

#[test]
fn wait_states() {
    let rows = [
        ("gfx700 gfx900", "v_cmp_eq_u32 vcc, v0, v1", "v_div_fmas_f32 v2, v3, v4, v5"),
        ("gfx803 gfx900", "v_mov_b32 v1, v0", "v_mov_b32_dpp v2, v1 row_shl:1 row_mask:0xf bank_mask:0xf"),
        (
            "gfx803 gfx900",
            "v_cmpx_eq_u32 vcc, v0, v1",
            "v_mov_b32_dpp v2, v3 row_shl:1 row_mask:0xf bank_mask:0xf",
        ),
        ("gfx700 gfx900", "v_readfirstlane_b32 s0, v0", "v_readlane_b32 s1, v1, s0"),
        ("gfx700 gfx900", "v_readfirstlane_b32 s0, v0", "v_writelane_b32 v1, 1, s0"),
        ("gfx803 gfx900", "s_mov_b32 m0, 1", "s_sendmsg sendmsg(MSG_INTERRUPT)"),
        ("gfx803 gfx900", "s_mov_b32 m0, 1", "s_sendmsghalt sendmsg(MSG_INTERRUPT)"),
        ("gfx803 gfx900", "s_mov_b32 m0, 1", "s_ttracedata"),
        ("gfx803 gfx900", "s_mov_b32 m0, 1", "s_movrels_b32 s0, s1"),
        ("gfx803 gfx900", "s_mov_b32 m0, 1", "v_interp_p1_f32 v0, v1, attr2.y"),
        ("gfx803 gfx900", "s_mov_b32 m0, 1", "ds_gws_init v0 gds"),
        ("gfx803 gfx900", "s_mov_b32 m0, 1", "ds_write_b32 v0, v1 gds"),
        ("gfx803 gfx900", "s_mov_b32 m0, 1", "ds_write_b32 v0, v1"),
        ("gfx900", "s_mov_b32 m0, 1", "ds_read_addtid_b32 v0"),
        ("gfx900", "s_mov_b32 m0, 1", "ds_write_addtid_b32 v0"),
        ("gfx900", "s_mov_b32 m0, 1", "v_mov_b32 v0, src_lds_direct"),
        ("gfx900", "s_mov_b32 s0, 1", "s_sendmsg sendmsg(MSG_INTERRUPT)"),
        ("gfx700 gfx803", "s_setreg_b32 hwreg(HW_REG_MODE), s0", "s_getreg_b32 s1, hwreg(HW_REG_MODE)"),
        ("gfx700 gfx803", "s_setreg_b32 hwreg(HW_REG_MODE), s0", "s_setreg_b32 hwreg(HW_REG_MODE), s1"),
        ("gfx900", "s_setreg_b32 hwreg(HW_REG_MODE), s0", "s_setreg_b32 hwreg(HW_REG_STATUS), s1"),
        ("gfx700 gfx803", "s_setreg_b32 hwreg(HW_REG_TRAPSTS), s0", "s_rfe_b64 s[2:3]"),
        ("gfx600", "v_readfirstlane_b32 s4, v0", "s_load_dword s0, s[4:5], 0x0"),
        ("gfx600 gfx700 gfx803 gfx900", "v_readfirstlane_b32 s4, v0", "buffer_load_dword v1, off, s[4:7], 0"),
        ("gfx700 gfx803 gfx900 gfx942", "buffer_store_dwordx4 v[4:7], off, s[0:3], 0", "v_mov_b32 v7, 0"),
        ("gfx700 gfx803 gfx900 gfx942", "buffer_store_dwordx3 v[4:6], off, s[0:3], 0", "v_mov_b32 v4, 0"),
        ("gfx700 gfx900", "buffer_store_dwordx2 v[4:5], off, s[0:3], 0", "v_mov_b32 v4, 0"),
        ("gfx700 gfx900", "buffer_store_dwordx4 v[4:7], off, s[0:3], s4", "v_mov_b32 v7, 0"),
        ("gfx900 gfx942", "global_store_dwordx4 v[0:1], v[4:7], off", "v_mov_b32 v7, 0"),
        ("gfx1030 gfx1100", "global_atomic_fmin v[0:1], v2, off", "s_denorm_mode 0"),
        ("gfx1030", "global_atomic_umin v[0:1], v2, off", "s_denorm_mode 0"),
        (
            "gfx1010 gfx1030",
            "image_sample_d v[0:3], [v4, v6, v8, v10, v12, v14], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D",
            "buffer_load_dword v20, off, s[12:15], 0 offset:2",
        ),
        (
            "gfx1010",
            "image_sample_d v[0:3], [v4, v6, v8, v10, v12, v14], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D",
            "buffer_load_dword v20, off, s[12:15], 0 offset:8",
        ),
        ("gfx950", "v_mov_b32 v0, 1", "v_permlane32_swap_b32 v0, v1"),
        ("gfx950", "v_cmpx_eq_u32 v0, v1", "v_permlane16_swap_b32 v2, v3"),
        ("gfx900 gfx942 gfx950", "v_rcp_f32 v0, v1", "v_add_f32 v2, v0, v0"),
        ("gfx942", "v_readfirstlane_b32 s0, v0", "v_mov_b32 v1, s0"),
        ("gfx942", "v_cmp_eq_u32 vcc, v0, v1", "v_mov_b32 v2, vcc_lo"),
        ("gfx942", "v_cmp_eq_u32 s[0:1], v0, v1", "v_cndmask_b32 v2, v3, v4, s[0:1]"),
        ("gfx942", "v_cmp_eq_u32 vcc, v0, v1", "v_addc_co_u32 v2, vcc, v3, v4, vcc"),
        ("gfx942", "v_cmpx_eq_u32 vcc, v0, v1", "v_readlane_b32 s0, v0, 1"),
        ("gfx942", "v_cmpx_eq_u32 vcc, v0, v1", "v_readfirstlane_b32 s0, v0"),
        ("gfx942", "v_cmpx_eq_u32 vcc, v0, v1", "v_writelane_b32 v0, 1, 2"),
        ("gfx942", "v_mov_b32 v0, v1", "v_readlane_b32 s0, v0, 1"),
        ("gfx942", "v_mov_b32 v0, v1", "v_readfirstlane_b32 s0, v0"),
        (
            "gfx942",
            "v_add_u16_sdwa v0, v1, v2 dst_sel:WORD_1 src0_sel:DWORD src1_sel:DWORD",
            "v_mov_b32 v3, v0",
        ),
        (
            "gfx942",
            "v_add_u16_sdwa v0, v1, v2 dst_sel:DWORD src0_sel:DWORD src1_sel:DWORD",
            "v_mov_b32 v3, v0",
        ),
        ("gfx942", "v_mad_f16 v0, v1, v2, v3 op_sel:[0,0,0,1]", "v_mov_b32 v3, v0"),
        ("gfx942", "v_mad_f16 v0, v1, v2, v3 op_sel:[1,1,1,0]", "v_mov_b32 v3, v0"),
    ];
    expect![[r#"
        gfx700 4, gfx900 4: v_cmp_eq_u32 vcc, v0, v1; v_div_fmas_f32 v2, v3, v4, v5
        gfx803 2, gfx900 2: v_mov_b32 v1, v0; v_mov_b32_dpp v2, v1 row_shl:1 row_mask:0xf bank_mask:0xf
        gfx803 5, gfx900 5: v_cmpx_eq_u32 vcc, v0, v1; v_mov_b32_dpp v2, v3 row_shl:1 row_mask:0xf bank_mask:0xf
        gfx700 4, gfx900 4: v_readfirstlane_b32 s0, v0; v_readlane_b32 s1, v1, s0
        gfx700 4, gfx900 4: v_readfirstlane_b32 s0, v0; v_writelane_b32 v1, 1, s0
        gfx803 1, gfx900 1: s_mov_b32 m0, 1; s_sendmsg sendmsg(MSG_INTERRUPT)
        gfx803 1, gfx900 1: s_mov_b32 m0, 1; s_sendmsghalt sendmsg(MSG_INTERRUPT)
        gfx803 1, gfx900 1: s_mov_b32 m0, 1; s_ttracedata
        gfx803 0, gfx900 1: s_mov_b32 m0, 1; s_movrels_b32 s0, s1
        gfx803 0, gfx900 1: s_mov_b32 m0, 1; v_interp_p1_f32 v0, v1, attr2.y
        gfx803 1, gfx900 1: s_mov_b32 m0, 1; ds_gws_init v0 gds
        gfx803 1, gfx900 1: s_mov_b32 m0, 1; ds_write_b32 v0, v1 gds
        gfx803 0, gfx900 0: s_mov_b32 m0, 1; ds_write_b32 v0, v1
        gfx900 1: s_mov_b32 m0, 1; ds_read_addtid_b32 v0
        gfx900 1: s_mov_b32 m0, 1; ds_write_addtid_b32 v0
        gfx900 1: s_mov_b32 m0, 1; v_mov_b32 v0, src_lds_direct
        gfx900 0: s_mov_b32 s0, 1; s_sendmsg sendmsg(MSG_INTERRUPT)
        gfx700 2, gfx803 2: s_setreg_b32 hwreg(HW_REG_MODE), s0; s_getreg_b32 s1, hwreg(HW_REG_MODE)
        gfx700 1, gfx803 2: s_setreg_b32 hwreg(HW_REG_MODE), s0; s_setreg_b32 hwreg(HW_REG_MODE), s1
        gfx900 0: s_setreg_b32 hwreg(HW_REG_MODE), s0; s_setreg_b32 hwreg(HW_REG_STATUS), s1
        gfx700 0, gfx803 1: s_setreg_b32 hwreg(HW_REG_TRAPSTS), s0; s_rfe_b64 s[2:3]
        gfx600 4: v_readfirstlane_b32 s4, v0; s_load_dword s0, s[4:5], 0x0
        gfx600 0, gfx700 0, gfx803 5, gfx900 5: v_readfirstlane_b32 s4, v0; buffer_load_dword v1, off, s[4:7], 0
        gfx700 1, gfx803 1, gfx900 1, gfx942 2: buffer_store_dwordx4 v[4:7], off, s[0:3], 0; v_mov_b32 v7, 0
        gfx700 1, gfx803 1, gfx900 1, gfx942 2: buffer_store_dwordx3 v[4:6], off, s[0:3], 0; v_mov_b32 v4, 0
        gfx700 0, gfx900 0: buffer_store_dwordx2 v[4:5], off, s[0:3], 0; v_mov_b32 v4, 0
        gfx700 0, gfx900 0: buffer_store_dwordx4 v[4:7], off, s[0:3], s4; v_mov_b32 v7, 0
        gfx900 1, gfx942 2: global_store_dwordx4 v[0:1], v[4:7], off; v_mov_b32 v7, 0
        gfx1030 0 (3), gfx1100 0: global_atomic_fmin v[0:1], v2, off; s_denorm_mode 0
        gfx1030 0: global_atomic_umin v[0:1], v2, off; s_denorm_mode 0
        gfx1010 0 (1), gfx1030 0: image_sample_d v[0:3], [v4, v6, v8, v10, v12, v14], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D; buffer_load_dword v20, off, s[12:15], 0 offset:2
        gfx1010 0: image_sample_d v[0:3], [v4, v6, v8, v10, v12, v14], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D; buffer_load_dword v20, off, s[12:15], 0 offset:8
        gfx950 2: v_mov_b32 v0, 1; v_permlane32_swap_b32 v0, v1
        gfx950 4: v_cmpx_eq_u32 v0, v1; v_permlane16_swap_b32 v2, v3
        gfx900 0, gfx942 1, gfx950 1: v_rcp_f32 v0, v1; v_add_f32 v2, v0, v0
        gfx942 2: v_readfirstlane_b32 s0, v0; v_mov_b32 v1, s0
        gfx942 2: v_cmp_eq_u32 vcc, v0, v1; v_mov_b32 v2, vcc_lo
        gfx942 0 (2): v_cmp_eq_u32 s[0:1], v0, v1; v_cndmask_b32 v2, v3, v4, s[0:1]
        gfx942 0 (2): v_cmp_eq_u32 vcc, v0, v1; v_addc_co_u32 v2, vcc, v3, v4, vcc
        gfx942 4: v_cmpx_eq_u32 vcc, v0, v1; v_readlane_b32 s0, v0, 1
        gfx942 4: v_cmpx_eq_u32 vcc, v0, v1; v_readfirstlane_b32 s0, v0
        gfx942 4: v_cmpx_eq_u32 vcc, v0, v1; v_writelane_b32 v0, 1, 2
        gfx942 1: v_mov_b32 v0, v1; v_readlane_b32 s0, v0, 1
        gfx942 1: v_mov_b32 v0, v1; v_readfirstlane_b32 s0, v0
        gfx942 1: v_add_u16_sdwa v0, v1, v2 dst_sel:WORD_1 src0_sel:DWORD src1_sel:DWORD; v_mov_b32 v3, v0
        gfx942 0: v_add_u16_sdwa v0, v1, v2 dst_sel:DWORD src0_sel:DWORD src1_sel:DWORD; v_mov_b32 v3, v0
        gfx942 1: v_mad_f16 v0, v1, v2, v3 op_sel:[0,0,0,1]; v_mov_b32 v3, v0
        gfx942 0: v_mad_f16 v0, v1, v2, v3 op_sel:[1,1,1,0]; v_mov_b32 v3, v0
    "#]].assert_eq(&table("s_nop 0", &rows));
}

#[test]
fn vector_instructions() {
    let matrix = "v_wmma_f32_16x16x32_f16 v[24:31], v[0:7], v[8:15], v[16:23]";
    let bytes = "v_wmma_i32_16x16x64_iu8 v[24:31], v[0:7], v[8:15], v[16:23]";
    let sparse = "v_swmmac_f32_16x16x64_f16 v[24:31], v[0:7], v[8:23], v32";
    let sparse_bytes = "v_swmmac_i32_16x16x128_iu8 v[24:31], v[0:7], v[8:23], v[32:33]";
    let next = "v_wmma_f32_16x16x32_f16 v[40:47], v[24:31], v[8:15], v[16:23]";
    let rows = [
        ("gfx1250", matrix, "v_mov_b32 v50, v24"),
        ("gfx1250", matrix, "v_mov_b32 v31, 1"),
        ("gfx1250", matrix, "v_mov_b32 v15, 1"),
        ("gfx1250", matrix, "v_mov_b32 v16, 1"),
        ("gfx1250", matrix, next),
        ("gfx1250", bytes, "v_mov_b32 v50, v24"),
        ("gfx1250", bytes, next),
        ("gfx1250", sparse, "v_mov_b32 v50, v24"),
        ("gfx1250", sparse, "v_mov_b32 v32, 1"),
        ("gfx1250", sparse, next),
        ("gfx1250", sparse, "v_swmmac_f32_16x16x64_f16 v[40:47], v[0:7], v[8:23], v24"),
        ("gfx1250", sparse_bytes, "v_mov_b32 v50, v24"),
        ("gfx1250", sparse_bytes, next),
        ("gfx1250 gfx1200", "v_rcp_f32 v0, v1", "v_add_f32 v2, v0, v3"),
        ("gfx1250", "v_rcp_f32 v0, v1", "v_mov_b32 v1, v3"),
        ("gfx1100 gfx1150", "v_rcp_f32 v0, v1", "v_add_f32 v2, v0, v0"),
        (
            "gfx1100",
            "v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]",
            "v_wmma_f32_16x16x16_f16 v[24:31], v[0:7], v[16:23], v[24:31]",
        ),
        (
            "gfx1200",
            "v_wmma_f32_16x16x16_f16 v[0:7], v[8:11], v[12:15], v[0:7]",
            "v_wmma_f32_16x16x16_f16 v[24:31], v[0:3], v[12:15], v[24:31]",
        ),
    ];
    let transcendental = [("gfx1100", "v_rcp_f32 v0, v1", "v_add_f32 v2, v0, v0")];
    let shown = table("v_nop", &rows) + &table("v_rcp_f32 v8, v9", &transcendental);
    expect![[r#"
        gfx1250 4: v_wmma_f32_16x16x32_f16 v[24:31], v[0:7], v[8:15], v[16:23]; v_mov_b32 v50, v24
        gfx1250 4: v_wmma_f32_16x16x32_f16 v[24:31], v[0:7], v[8:15], v[16:23]; v_mov_b32 v31, 1
        gfx1250 4: v_wmma_f32_16x16x32_f16 v[24:31], v[0:7], v[8:15], v[16:23]; v_mov_b32 v15, 1
        gfx1250 4: v_wmma_f32_16x16x32_f16 v[24:31], v[0:7], v[8:15], v[16:23]; v_mov_b32 v16, 1
        gfx1250 5: v_wmma_f32_16x16x32_f16 v[24:31], v[0:7], v[8:15], v[16:23]; v_wmma_f32_16x16x32_f16 v[40:47], v[24:31], v[8:15], v[16:23]
        gfx1250 8: v_wmma_i32_16x16x64_iu8 v[24:31], v[0:7], v[8:15], v[16:23]; v_mov_b32 v50, v24
        gfx1250 9: v_wmma_i32_16x16x64_iu8 v[24:31], v[0:7], v[8:15], v[16:23]; v_wmma_f32_16x16x32_f16 v[40:47], v[24:31], v[8:15], v[16:23]
        gfx1250 2: v_swmmac_f32_16x16x64_f16 v[24:31], v[0:7], v[8:23], v32; v_mov_b32 v50, v24
        gfx1250 2: v_swmmac_f32_16x16x64_f16 v[24:31], v[0:7], v[8:23], v32; v_mov_b32 v32, 1
        gfx1250 3: v_swmmac_f32_16x16x64_f16 v[24:31], v[0:7], v[8:23], v32; v_wmma_f32_16x16x32_f16 v[40:47], v[24:31], v[8:15], v[16:23]
        gfx1250 3: v_swmmac_f32_16x16x64_f16 v[24:31], v[0:7], v[8:23], v32; v_swmmac_f32_16x16x64_f16 v[40:47], v[0:7], v[8:23], v24
        gfx1250 4: v_swmmac_i32_16x16x128_iu8 v[24:31], v[0:7], v[8:23], v[32:33]; v_mov_b32 v50, v24
        gfx1250 5: v_swmmac_i32_16x16x128_iu8 v[24:31], v[0:7], v[8:23], v[32:33]; v_wmma_f32_16x16x32_f16 v[40:47], v[24:31], v[8:15], v[16:23]
        gfx1250 1, gfx1200 0: v_rcp_f32 v0, v1; v_add_f32 v2, v0, v3
        gfx1250 1: v_rcp_f32 v0, v1; v_mov_b32 v1, v3
        gfx1100 0 (6), gfx1150 0: v_rcp_f32 v0, v1; v_add_f32 v2, v0, v0
        gfx1100 1: v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]; v_wmma_f32_16x16x16_f16 v[24:31], v[0:7], v[16:23], v[24:31]
        gfx1200 1: v_wmma_f32_16x16x16_f16 v[0:7], v[8:11], v[12:15], v[0:7]; v_wmma_f32_16x16x16_f16 v[24:31], v[0:3], v[12:15], v[24:31]
        gfx1100 0 (2): v_rcp_f32 v0, v1; v_add_f32 v2, v0, v0
    "#]].assert_eq(&shown);
}

/// Each column is a way to use the registers of a matrix instruction.
fn matrix_table(targets: &[&str], first: &[&str], second: &[&str]) -> String {
    let mut out = String::new();
    for target in targets {
        for first in first {
            let row: Vec<String> =
                second.iter().map(|second| distances(target, [first, "s_nop 0", second])).collect();
            out.push_str(&format!("{target} {first}: {}\n", row.join(" | ")));
        }
    }
    out
}

#[test]
fn matrix_core() {
    // The result begins at v0, and matrix C at v80.
    let first = [
        "v_mfma_f32_4x4x1f32 v[0:3], v40, v41, v[80:83]",
        "v_mfma_f32_4x4x4f16 v[0:3], v[40:41], v[42:43], v[80:83]",
        "v_mfma_f32_16x16x4f32 v[0:3], v40, v41, v[80:83]",
        "v_mfma_f32_16x16x16f16 v[0:3], v[40:41], v[42:43], v[80:83]",
        "v_mfma_f32_32x32x1f32 v[0:31], v40, v41, v[80:111]",
        "v_mfma_f32_32x32x8f16 v[0:15], v[40:41], v[42:43], v[80:95]",
        "v_mfma_f32_32x32x4f16 v[0:31], v[40:41], v[42:43], v[80:111]",
        "v_mfma_f64_4x4x4f64 v[0:1], v[40:41], v[42:43], v[80:81]",
        "v_mfma_f64_16x16x4f64 v[0:7], v[40:41], v[42:43], v[80:87]",
    ];
    let second = [
        "v_mfma_f32_4x4x1f32 v[60:63], v0, v59, v[60:63]",
        "v_mfma_f32_4x4x1f32 v[60:63], v58, v59, v[0:3]",
        "v_mfma_f32_4x4x4f16 v[60:63], v[56:57], v[58:59], v[0:3]",
        "v_mfma_f64_4x4x4f64 v[60:61], v[56:57], v[58:59], v[0:1]",
        "v_mov_b32 v70, v0",
        "v_mov_b32 v0, v70",
        "v_mov_b32 v80, v70",
        "global_store_dword v[72:73], v0, off",
        "v_fma_f64 v[70:71], v[72:73], v[74:75], v[76:77]",
    ];
    expect![[r#"
        gfx90a v_mfma_f32_4x4x1f32 v[0:3], v40, v41, v[80:83]: 5 | 0 | 0 | 3 | 5 | 5 | 1 | 5 | 0
        gfx90a v_mfma_f32_4x4x4f16 v[0:3], v[40:41], v[42:43], v[80:83]: 5 | 0 | 0 | 3 | 5 | 5 | 1 | 5 | 0
        gfx90a v_mfma_f32_16x16x4f32 v[0:3], v40, v41, v[80:83]: 11 | 0 | 0 | 9 | 11 | 11 | 7 | 11 | 0
        gfx90a v_mfma_f32_16x16x16f16 v[0:3], v[40:41], v[42:43], v[80:83]: 11 | 0 | 0 | 9 | 11 | 11 | 7 | 11 | 0
        gfx90a v_mfma_f32_32x32x1f32 v[0:31], v40, v41, v[80:111]: 19 | 16 | 16 | 17 | 19 | 19 | 15 | 19 | 0
        gfx90a v_mfma_f32_32x32x8f16 v[0:15], v[40:41], v[42:43], v[80:95]: 19 | 16 | 16 | 17 | 19 | 19 | 15 | 19 | 0
        gfx90a v_mfma_f32_32x32x4f16 v[0:31], v[40:41], v[42:43], v[80:111]: 19 | 16 | 16 | 17 | 19 | 19 | 15 | 19 | 0
        gfx90a v_mfma_f64_4x4x4f64 v[0:1], v[40:41], v[42:43], v[80:81]: 6 | 0 | 0 | 4 | 6 | 6 | 0 | 9 | 2
        gfx90a v_mfma_f64_16x16x4f64 v[0:7], v[40:41], v[42:43], v[80:87]: 11 | 0 | 0 | 9 | 11 | 11 | 0 | 18 | 2
        gfx942 v_mfma_f32_4x4x1f32 v[0:3], v40, v41, v[80:83]: 4 | 2 | 2 | 2 | 4 | 4 | 0 | 4 | 0
        gfx942 v_mfma_f32_4x4x4f16 v[0:3], v[40:41], v[42:43], v[80:83]: 5 | 2 | 2 | 3 | 5 | 5 | 1 | 5 | 0
        gfx942 v_mfma_f32_16x16x4f32 v[0:3], v40, v41, v[80:83]: 10 | 0 | 0 | 8 | 10 | 10 | 0 | 10 | 0
        gfx942 v_mfma_f32_16x16x16f16 v[0:3], v[40:41], v[42:43], v[80:83]: 7 | 0 | 0 | 5 | 7 | 7 | 3 | 7 | 0
        gfx942 v_mfma_f32_32x32x1f32 v[0:31], v40, v41, v[80:111]: 18 | 16 | 0 | 16 | 18 | 18 | 0 | 18 | 0
        gfx942 v_mfma_f32_32x32x8f16 v[0:15], v[40:41], v[42:43], v[80:95]: 11 | 9 | 9 | 9 | 11 | 11 | 7 | 11 | 0
        gfx942 v_mfma_f32_32x32x4f16 v[0:31], v[40:41], v[42:43], v[80:111]: 19 | 17 | 17 | 17 | 19 | 19 | 15 | 19 | 0
        gfx942 v_mfma_f64_4x4x4f64 v[0:1], v[40:41], v[42:43], v[80:81]: 6 | 4 | 0 | 4 | 6 | 6 | 0 | 9 | 2
        gfx942 v_mfma_f64_16x16x4f64 v[0:7], v[40:41], v[42:43], v[80:87]: 11 | 9 | 0 | 9 | 11 | 11 | 0 | 18 | 2
        gfx950 v_mfma_f32_4x4x1f32 v[0:3], v40, v41, v[80:83]: 4 | 2 | 2 | 2 | 4 | 4 | 0 | 4 | 0
        gfx950 v_mfma_f32_4x4x4f16 v[0:3], v[40:41], v[42:43], v[80:83]: 5 | 2 | 2 | 3 | 5 | 5 | 1 | 5 | 0
        gfx950 v_mfma_f32_16x16x4f32 v[0:3], v40, v41, v[80:83]: 10 | 0 | 0 | 8 | 10 | 10 | 0 | 10 | 0
        gfx950 v_mfma_f32_16x16x16f16 v[0:3], v[40:41], v[42:43], v[80:83]: 8 | 0 | 0 | 6 | 8 | 8 | 3 | 8 | 0
        gfx950 v_mfma_f32_32x32x1f32 v[0:31], v40, v41, v[80:111]: 18 | 16 | 0 | 16 | 18 | 18 | 0 | 18 | 0
        gfx950 v_mfma_f32_32x32x8f16 v[0:15], v[40:41], v[42:43], v[80:95]: 12 | 10 | 10 | 10 | 12 | 12 | 7 | 12 | 0
        gfx950 v_mfma_f32_32x32x4f16 v[0:31], v[40:41], v[42:43], v[80:111]: 20 | 18 | 18 | 18 | 20 | 20 | 15 | 20 | 0
        gfx950 v_mfma_f64_4x4x4f64 v[0:1], v[40:41], v[42:43], v[80:81]: 6 | 4 | 0 | 4 | 6 | 6 | 0 | 9 | 2
        gfx950 v_mfma_f64_16x16x4f64 v[0:7], v[40:41], v[42:43], v[80:87]: 19 | 17 | 0 | 17 | 19 | 11 | 0 | 18 | 2
    "#]].assert_eq(&matrix_table(&["gfx90a", "gfx942", "gfx950"], &first, &second));
    let first = [
        "v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[40:43]",
        "v_mfma_f32_16x16x1f32 a[0:15], v0, v1, a[40:55]",
        "v_mfma_f32_32x32x1f32 a[0:31], v0, v1, a[40:71]",
        "v_accvgpr_write_b32 a1, v9",
        "v_accvgpr_read_b32 v8, a40",
        "v_mov_b32 v8, v9",
        "v_cmpx_eq_u32 vcc, v8, v9",
    ];
    let second = [
        "v_accvgpr_read_b32 v4, a1",
        "v_accvgpr_write_b32 a1, v8",
        "v_accvgpr_write_b32 a40, v9",
        "v_mfma_f32_4x4x1f32 a[80:83], v4, v8, a[1:4]",
        "global_store_dword v[4:5], v8, off",
        "ds_write_b32 v4, v8",
    ];
    expect![[r#"
        gfx908 v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[40:43]: 4 | 1 | 0 | 2 | 0 | 0
        gfx908 v_mfma_f32_16x16x1f32 a[0:15], v0, v1, a[40:55]: 10 | 7 | 5 | 2 | 0 | 0
        gfx908 v_mfma_f32_32x32x1f32 a[0:31], v0, v1, a[40:71]: 18 | 15 | 13 | 2 | 0 | 0
        gfx908 v_accvgpr_write_b32 a1, v9: 3 | 3 | 0 | 1 | 0 | 0
        gfx908 v_accvgpr_read_b32 v8, a40: 0 | 2 | 0 | 2 | 2 | 2
        gfx908 v_mov_b32 v8, v9: 0 | 2 | 0 | 2 | 0 | 0
        gfx908 v_cmpx_eq_u32 vcc, v8, v9: 0 | 4 | 4 | 4 | 0 | 0
    "#]]
    .assert_eq(&matrix_table(&["gfx908"], &first, &second));
    let pairs = [
        ("gfx90a gfx942", "v_dot2_f32_f16 v50, v40, v41, v50", "v_mov_b32 v51, v50"),
        ("gfx90a gfx942", "v_dot2_f32_f16 v50, v40, v41, v50", "v_mov_b32 v50, 0"),
        ("gfx90a gfx942", "v_dot2_f32_f16 v50, v40, v41, v50", "v_dot2_f32_f16 v50, v40, v41, v50"),
        ("gfx90a gfx942", "v_dot2_f32_f16 v50, v40, v41, v50", "v_dot2_f32_f16 v51, v50, v41, v51"),
        ("gfx90a gfx942", "v_mov_b32 v40, v1", "v_mfma_f32_4x4x1f32 v[0:3], v40, v41, v[80:83]"),
        ("gfx90a gfx942", "v_cmpx_eq_u32 vcc, v0, v1", "v_mfma_f32_4x4x1f32 v[0:3], v40, v41, v[80:83]"),
    ];
    expect![[r#"
        gfx90a 3, gfx942 3: v_dot2_f32_f16 v50, v40, v41, v50; v_mov_b32 v51, v50
        gfx90a 3, gfx942 3: v_dot2_f32_f16 v50, v40, v41, v50; v_mov_b32 v50, 0
        gfx90a 0, gfx942 0: v_dot2_f32_f16 v50, v40, v41, v50; v_dot2_f32_f16 v50, v40, v41, v50
        gfx90a 3, gfx942 3: v_dot2_f32_f16 v50, v40, v41, v50; v_dot2_f32_f16 v51, v50, v41, v51
        gfx90a 2, gfx942 2: v_mov_b32 v40, v1; v_mfma_f32_4x4x1f32 v[0:3], v40, v41, v[80:83]
        gfx90a 4, gfx942 4: v_cmpx_eq_u32 vcc, v0, v1; v_mfma_f32_4x4x1f32 v[0:3], v40, v41, v[80:83]
    "#]]
    .assert_eq(&table("s_nop 0", &pairs));
}
