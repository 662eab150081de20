//! What LLVM 24 assembles otherwise than LLVM 22.

use wavelens_base::{Dialect, Options, Severity};
use wavelens_check::check_text;

#[test]
fn halves_of_registers_are_operands_where_the_feature_is_on() {
    let at = |level: Option<u8>, processor: &str, feature: &str| -> Vec<&str> {
        let run = format!("// RUN: llvm-mc -triple=amdgcn -mcpu={processor} -mattr={feature} %s\n");
        let text = format!("{run}v_add_f16_e32 v0.l, v1.l, v2.h\nv_add_f16_e32 v0, v1, v2\n");
        let options = Options { llvm_level: level, ..Options::default() };
        check_text(Dialect::Amdgpu, &text, &options).into_iter().map(|f| f.rule.code).collect()
    };
    for level in [Some(22), None] {
        assert_eq!(at(level, "gfx1100", "+wavefrontsize32"), [""; 0]);
        assert_eq!(at(level, "gfx1100", "-real-true16"), ["invalid-operand"]);
        assert_eq!(at(level, "gfx1200", "+real-true16"), [""; 0]);
        assert_eq!(at(level, "gfx1030", "+real-true16"), [""; 0]);
    }
    // LLVM 22 has whole registers by default, LLVM 24 halves.
    assert_eq!(at(Some(22), "gfx1200", "+wavefrontsize32"), ["invalid-operand"]);
    assert_eq!(at(Some(24), "gfx1200", "+wavefrontsize32"), ["invalid-operand"]);
    assert_eq!(at(None, "gfx1200", "+wavefrontsize32"), [""; 0]);
    // Both are as the feature says, and gfx13 has whole ones by default.
    for (processor, feature, right) in [
        ("gfx1200", "-real-true16", "v_add_f16_e32 v0, v1, v2"),
        ("gfx1250", "+real-true16", "v_tanh_f16 v5.l, v1.h\nv_rcp_bf16 v5.h, v1.l"),
        ("gfx1250", "-real-true16", "v_tanh_f16 v5, v1\nv_rcp_bf16 v5, v1"),
        ("gfx1310", "+real-true16", "v_ashr_pk_i8_i32 v2.l, s4, v7, v8\nv_cvt_f32_bf16_e32 v5, v1.l"),
        ("gfx1310", "-real-true16", "v_bitop3_b16 v5, v1, v2, s3\nv_ashr_pk_i8_i32 v2, s4, v7, v8"),
    ] {
        assert_eq!(codes_at_24(processor, feature, right), [""; 0], "{processor} {feature}");
    }
}

fn codes_at_24(processor: &str, feature: &str, lines: &str) -> Vec<&'static str> {
    let text = format!("// RUN: llvm-mc -triple=amdgcn -mcpu={processor} -mattr={feature} %s\n{lines}\n");
    let options = Options { llvm_level: Some(24), ..Options::default() };
    let found = check_text(Dialect::Amdgpu, &text, &options).into_iter();
    found.filter(|f| f.severity == Severity::Error).map(|f| f.rule.code).collect()
}

/// LLVM 22 asks for the processor's own size to be switched off.
#[test]
fn waves_of_a_size_that_the_processor_does_not_have() {
    let of = |features: &str| {
        let lines =
            "v_add_co_ci_u32 v5, vcc, v1, v2, vcc\nv_wmma_f32_16x16x4_f32 v[4:11], v[0:1], v[2:3], 1.0";
        codes_at_24("gfx1250", features, lines)
    };
    assert_eq!(of("-wavefrontsize32,+wavefrontsize64").len(), 1);
    // It is switched on next to the processor's own, and the operands of both are read.
    assert_eq!(of("+wavefrontsize64"), [""; 0]);
    let both = "v_cmp_le_f16_sdwa s0, v3, v4\nv_cmp_le_f16_sdwa s[0:1], v3, v4\nv_cmp_ge_i32_e32 vcc, s0, v2";
    assert_eq!(codes_at_24("gfx1010", "+wavefrontsize32,+wavefrontsize64", both), [""; 0]);
    assert_eq!(
        codes_at_24("gfx1250", "-wavefrontsize32", "v_add_co_ci_u32 v5, vcc_lo, v1, v2, vcc_lo"),
        [""; 0]
    );
}

#[test]
fn words_that_say_what_is_absent() {
    for (processor, line, count) in [
        ("gfx1010", "exp mrt0 v0, v0, v0, v0 nodone", 0),
        ("gfx1010", "exp mrt0 v0, v0, v0, v0 nodone vm", 0),
        ("gfx1010", "exp mrt0 v0, v0, v0, v0 norow_en", 1),
        ("gfx1100", "exp mrt0 v0, v0, v0, v0 norow_en", 0),
        ("gfx1100", "exp mrt0 v0, v0, v0, v0 nodone norow_en", 0),
        ("gfx900", "buffer_load_dword v1, off, s[0:3], s4 nolds glc", 0),
        ("gfx900", "buffer_store_dword v1, off, s[0:3], s4 nolds", 1),
        ("gfx900", "ds_ordered_count v8, v2 nogds", 0),
        ("gfx900", "ds_gws_init v0 nogds", 1),
    ] {
        assert_eq!(codes_at_24(processor, "", line).len(), count, "{processor} {line}");
    }
    let text = "// RUN: llvm-mc -triple=amdgcn -mcpu=gfx1010 %s\nexp mrt0 v0, v0, v0, v0 nodone\n";
    let options = Options { llvm_level: Some(22), ..Options::default() };
    assert_eq!(check_text(Dialect::Amdgpu, text, &options).len(), 1);
}

#[test]
fn tuples_and_offsets_of_gfx13() {
    let lines = "v_ceil_f64 v[5:6], vcc\nflat_load_b32 v1, v[2:3] offset:8388607\nds_load_b64 v[1:2], v0";
    assert_eq!(codes_at_24("gfx1310", "", lines), [""; 0]);
    assert_eq!(codes_at_24("gfx1310", "", "ds_add_f64 v1, v[2:3]").len(), 1);
}

/// Some need a row of the instruction table, some a name that LLVM 24 added.
#[test]
fn operands_of_gfx12_5_and_gfx13() {
    for (processor, line, count) in [
        ("gfx1251", "v_pk_add_f64 v[4:7], v[8:11], 1.0 neg_lo:[1,0]", 0),
        ("gfx1251", "v_pk_add_f64 v[4:7], src_scc, ttmp[4:7]", 0),
        ("gfx1251", "v_pk_add_f64 v[4:7], v[8:11], v[12:15] op_sel:[1,0]", 1),
        ("gfx1251", "v_pk_add_f64 v[5:8], v[8:11], v[12:15]", 1),
        ("gfx1250", "v_pk_add_f64 v[4:7], v[8:11], v[12:15]", 1),
        ("gfx1251", "v_pk_lshl_add_u64 v[4:7], v[8:11], 1, s[16:19]", 0),
        ("gfx1251", "v_pk_lshl_add_u64 v[4:7], v[8:11], 1, s[16:19] clamp", 1),
        ("gfx1251", "v_wmma_f64_16x16x4_f64 v[8:23], v[0:3], v[4:7], 1", 0),
        ("gfx1251", "v_lshl_add_u64 v[2:3], v[4:5], s3, 1 row_share:0", 0),
        ("gfx1250", "v_lshl_add_u64 v[2:3], v[4:5], s3, 1 row_share:0", 1),
        ("gfx1250", "v_add_max_i32 v0, v1, v2, v3 clamp row_share:0", 0),
        ("gfx1250", "v_cos_bf16_e64 v5.l, v1.l mul:2", 0),
        ("gfx1250", "v_ashr_pk_i8_i32 v2, v4, v7, v8 row_share:0", 0),
        ("gfx1250", "v_ashr_pk_i8_i32 v2.h, v4, v7, v8 row_share:0", 0),
        ("gfx1250", "s_prefetch_data s[18:19], 100, s10, 7 th:TH_LOAD_HT nv", 0),
        ("gfx1200", "s_prefetch_data s[18:19], 100, s10, 7 th:TH_LOAD_HT", 1),
        ("gfx1250", "global_load_b96_tr_b6 v[2:4], v0, s[0:1]", 0),
        ("gfx1250", "s_sendmsg sendmsg(MSG_RTN_SAVE_WAVE_HAS_TDM)", 0),
        ("gfx1310", "s_wakeup 32", 0),
        ("gfx1310", "image_atomic_min_num_flt v5, v1, s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_1D", 0),
        ("gfx1310", "image_atomic_max_flt v5, v1, s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_1D", 0),
        ("gfx1310", "image_atomic_fmin v5, v1, s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_1D", 1),
        ("gfx1200", "image_atomic_min_num_flt v5, v1, s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_1D", 0),
        ("gfx1310", "v_cvt_scalef32_sr_pk32_fp6_f32 v[0:5], v[6:37], s3, 100.0", 0),
        ("gfx1310", "export param31 v0, off, off, off", 0),
        ("gfx1200", "export param31 v0, off, off, off", 1),
        ("gfx1200", "s_version UC_VERSION_GFX12 | UC_VERSION_W32_BIT", 0),
        ("gfx1250", "v_fmamk_f64 v[4:5], lit64(0x7e8), 1e-320, v[8:9]", 0),
        ("gfx1250", "v_add_f64 v[0:1], v[0:1], lit64(1.0)", 1),
        ("gfx1250", "v_tanh_bf16 v5.l, 1.0", 1),
        ("gfx1250", "v_tanh_bf16 v5.l, 3.0", 0),
        ("gfx1250", "v_tanh_bf16_e64 v5.l, 1.0 op_sel:[1,0]", 0),
        ("gfx950", "v_dot2c_f32_bf16 v5, 1.0, v2", 0),
        ("gfx1250", "v_cvt_sr_bf8_f16 v1, v2, v3", 0),
        ("gfx1250", "v_cvt_sr_bf8_f16 v1, v2.l, v3", 0),
        ("gfx1250", "v_cvt_sr_bf8_f16 v1, v2.h, v3", 1),
        ("gfx1250", "v_cvt_pk_bf8_f16 v0.l, v2 clamp", 1),
        ("gfx1250", "s_mov_b64 s[0:1], src_private_base", 1),
        ("gfx1250", "s_mov_b64 s[0:1], src_shared_base", 0),
        ("gfx1250", "s_monitor_sleep 32768", 1),
        ("gfx1200", "global_atomic_add_u32 v[2:3], v5, off th:TH_ATOMIC_RETURN", 1),
        ("gfx1250", "s_prefetch_data s[18:19], 100, s10, 7 scale_offset", 1),
        ("gfx1250", "global_load_addtid_b32 v5, s[2:3] scale_offset", 1),
        ("gfx1250", "s_load_b32 s0, s[18:19], s10 scale_offset", 0),
        ("gfx1310", "s_monitor_sleep 32768", 0),
        ("gfx1250", "tensor_load_to_lds s[0:3], s[4:11], null, null", 0),
        ("gfx1250", "tensor_load_to_lds null, s[4:11]", 1),
        ("gfx1250", "v_wmma_f32_16x16x4_f32 v[4:11], v[0:1], v[2:3], v[4:11] neg_lo:[1,0,0]", 1),
        ("gfx1250", "v_wmma_f32_16x16x4_f32 v[4:11], v[0:1], v[2:3], v[4:11] neg_lo:[0,0,1]", 0),
        ("gfx1250", "v_wmma_i32_16x16x64_iu8 v[16:23], v[0:7], v[8:15], v[16:23] neg_lo:[1,0,0]", 0),
        ("gfx1200", ".set a, min(1, 2)", 0),
        ("gfx1200", ".set a, alignto(1)", 1),
    ] {
        assert_eq!(codes_at_24(processor, "", line).len(), count, "{processor} {line}");
    }
}

/// A scale other than E8 needs a matrix of FP4, and two of them must agree.
#[test]
fn formats_of_scales() {
    for (formats, count) in [
        ("matrix_b_fmt:MATRIX_FMT_FP4 matrix_b_scale_fmt:MATRIX_SCALE_FMT_E4M3", 0),
        ("matrix_b_fmt:MATRIX_FMT_FP4 matrix_a_scale_fmt:MATRIX_SCALE_FMT_E4M3", 1),
        ("matrix_b_fmt:MATRIX_FMT_FP4", 0),
    ] {
        let line = "v_wmma_scale_f32_16x16x128_f8f6f4 v[0:7], v[8:23], v[24:31], v[40:47], v1, v2";
        assert_eq!(codes_at_24("gfx1250", "", &format!("{line} {formats}")).len(), count, "{formats}");
    }
}

/// What an older generation has and what a processor lacks are not the same at each level.
#[test]
fn instructions_that_a_processor_lost() {
    for (processor, line) in [
        ("gfx942", "v_cubeid_f32 v0, v1, v2, v3"),
        ("gfx1250", "v_wmma_i32_16x16x32_iu4 v[0:7], v[8:9], v[10:11], v[0:7]"),
        ("gfx1250", "v_dual_mov_b32 v3, v4 :: v_dual_dot2acc_f32_f16 v0, v1, v2"),
        ("gfx12-5-generic", "v_sad_u8 v0, v1, v2, v3"),
        ("gfx1310", "s_setkill 1"),
    ] {
        assert_eq!(codes_at_24(processor, "", line).len(), 1, "{processor} {line}");
    }
    assert_eq!(codes_at_24("gfx1250", "", "v_sad_u8 v0, v1, v2, v3"), [""; 0]);
    assert_eq!(codes_at_24("gfx950", "", "v_tanh_f16_t16 v0, v1").len(), 1);
    assert_eq!(codes_at_24("gfx1250", "", "v_tanh_f16_t16 v0.l, v1.l"), [""; 0]);
}

#[test]
fn tuples_that_continue_in_vcc() {
    let of = |level: u8, processor: &str, line: &str| -> Vec<String> {
        let text = format!("// RUN: llvm-mc -triple=amdgcn -mcpu={processor} %s\n{line}\n");
        let options = Options { llvm_level: Some(level), ..Options::default() };
        check_text(Dialect::Amdgpu, &text, &options).into_iter().map(|f| f.message.to_string()).collect()
    };
    let line = "s_load_dwordx4 [s104,s105,vcc_lo,vcc_hi], s[0:1], s1";
    assert_eq!(of(24, "gfx1100", line), [""; 0]);
    assert_eq!(of(22, "gfx1100", line), ["`[s104,s105,vcc_lo,vcc_hi]` is not a tuple on gfx1100"]);
    assert_eq!(of(24, "gfx1100", "s_load_dwordx4 s[104:107], s[0:1], s1").len(), 1);
    assert_eq!(of(24, "gfx1100", "s_load_dwordx4 [s103,s104,s105,vcc_lo], s[0:1], s1").len(), 1);
    assert_eq!(of(24, "gfx900", line).len(), 1);
}

/// By its field, which has another name from gfx12 on.
#[test]
fn events() {
    for (processor, line, count) in [
        ("gfx1100", "s_wait_event { dont_wait_export_ready: 1 }", 0),
        ("gfx1100", "s_wait_event { export_ready: 1 }", 1),
        ("gfx1200", "s_wait_event { export_ready: 1 }", 0),
        ("gfx1200", "s_wait_event { export_ready: 2 }", 1),
        ("gfx1200", "s_wait_event { }", 0),
        ("gfx1200", "s_wait_event -1", 1),
        ("gfx1200", "s_wait_event 0xffff", 0),
    ] {
        assert_eq!(codes_at_24(processor, "", line).len(), count, "{processor} {line}");
    }
}
