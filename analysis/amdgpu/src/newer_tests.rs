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

/// Only where the processor's own size is switched off.
#[test]
fn waves_of_a_size_that_the_processor_does_not_have() {
    let of = |features: &str| {
        let lines =
            "v_add_co_ci_u32 v5, vcc, v1, v2, vcc\nv_wmma_f32_16x16x4_f32 v[4:11], v[0:1], v[2:3], 1.0";
        codes_at_24("gfx1250", features, lines)
    };
    assert_eq!(of("-wavefrontsize32,+wavefrontsize64").len(), 1);
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
