//! Lines for each encoding of each instruction become bytes, and the bytes become the line again.

use std::collections::BTreeMap;

use expect_test::{Expect, expect};
use wavelens_isa::{Level, Line, Target, all_mnemonics, assemble, decode, print};
use wavelens_tests::isa_samples::Samples;

use crate::line;

fn bytes(target: Target, text: &str) -> Option<Vec<u8>> {
    let mut operands = Line::default();
    line::read(text, &mut operands)?;
    Some(assemble(target, &operands).ok()?.bytes().to_vec())
}

/// The registers of a line, without their signs and halves, and its modifiers with their values. Image instructions can have more registers
/// for an address than they read.
fn parts(text: &str) -> impl Iterator<Item = String> {
    let is_image = text.starts_with("image_");
    let words = text.split(' ').skip(1).filter(move |word| !(is_image && word.starts_with(['v', 'o', '['])));
    words.filter_map(|word| part(word.trim_matches(|c: char| !c.is_ascii_alphanumeric() && c != ']')))
}

fn part(word: &str) -> Option<String> {
    let word = word.trim_start_matches("sext(").trim_start_matches("neg(");
    let word = word.trim_end_matches(".l").trim_end_matches(".h");
    let value = |text: &str| match text.split_once("0x") {
        Some((sign, digits)) => i64::from_str_radix(&format!("{sign}{digits}"), 16).ok(),
        None => text.parse().ok(),
    };
    match word.split_once(':') {
        _ if !word.starts_with(|c: char| c.is_ascii_lowercase()) || word.contains('(') => None,
        None if matches!(word, "label" | "somewhere") => None,
        Some((_, number)) if value(number) == Some(0) => None,
        Some((name, number)) if value(number).is_some() => Some(format!("{name}:{}", value(number)?)),
        // Zeros at the end of a list can be left out.
        Some((name, list)) if list.starts_with('[') && (name.contains('_') || name == "neg") => {
            let list = list.trim_end_matches([',', '0', ']']);
            (list != "[").then(|| format!("{name}:{list}"))
        }
        _ => Some(word.to_owned()),
    }
}

/// What is lost of a line that becomes bytes and text again.
fn lost(target: Target, text: &str, first: &[u8]) -> Option<String> {
    let Some(decoded) = decode(target, first) else { return Some("no instruction".to_owned()) };
    let back = print(target, &decoded.inst);
    // A number of 16 bits can have a sign in the bytes that it does not have in the text.
    let again = bytes(target, &back).and_then(|bytes| decode(target, &bytes));
    if decoded.len != first.len() || again.map(|again| print(target, &again.inst)).as_ref() != Some(&back) {
        return Some(back);
    }
    let kept: Vec<String> = parts(&back).collect();
    parts(text).any(|part| !kept.contains(&part)).then_some(back)
}

/// Compares the lines of which something is lost, one for each mnemonic, and checks that most mnemonics have a line that is right.
fn check(processor: &str, expected: Expect) {
    let target = Target::named(processor).expect("a processor").at_level(Level::Llvm24);
    let mut samples = Samples::new(target);
    let (mut wrong, mut without) = (BTreeMap::new(), Vec::new());
    for mnemonic in all_mnemonics() {
        let lines = samples.lines(mnemonic, 4);
        let mut assembled = lines.iter().filter_map(|text| Some((text, bytes(target, text)?))).peekable();
        if !lines.is_empty() && assembled.peek().is_none() {
            without.push(mnemonic);
        }
        for (text, bytes) in assembled {
            if let Some(back) = lost(target, text, &bytes) {
                wrong.entry(mnemonic).or_insert_with(|| format!("{text} -> {back}\n"));
            }
        }
    }
    let without = format!("without a line: {}\n", without.join(" "));
    expected.assert_eq(&(wrong.into_values().collect::<String>() + &without));
}

#[test]
fn of_gfx8() {
    check(
        "gfx803",
        expect![[r#"
        exp mrt0 v255, v128, off, v128 compr -> exp mrt0, v255, v255, off, off compr
        without a line: image_atomic_cmpswap v_div_fmas_f32 v_div_fmas_f64
    "#]],
    );
}

#[test]
fn of_gfx9() {
    check(
        "gfx942",
        expect![[r#"
            v_pk_fmac_f16_e64 v255, |-16|, -|src_pops_exiting_wave_id| op_sel:[1,0,0] clamp -> v_pk_fmac_f16_e64 v255, |-16|, -|src_pops_exiting_wave_id| clamp
            without a line: ds_gws_barrier ds_gws_init ds_gws_sema_br ds_wrxchg2_rtn_b32 ds_wrxchg2_rtn_b64 ds_wrxchg2st64_rtn_b32 ds_wrxchg2st64_rtn_b64 v_div_fmas_f32 v_div_fmas_f64 v_dot2_f32_f16 v_dot2_i32_i16 v_dot2_u32_u16
        "#]],
    );
}

#[test]
fn of_gfx10() {
    check(
        "gfx1030",
        expect![[r#"
            exp mrt0 v255, v128, off, v128 compr -> exp mrt0, v255, v255, off, off compr
            s_version -32768 -> s_version UC_VERSION_GFX7 | UC_VERSION_MDP_BIT
            without a line: 
        "#]],
    );
}

#[test]
fn of_gfx11() {
    check(
        "gfx1100",
        expect![[r#"
            s_version -32768 -> s_version UC_VERSION_GFX7 | UC_VERSION_MDP_BIT
            s_wait_event 0 -> s_wait_event { dont_wait_export_ready: 0 }
            v_dot4_i32_i8 v0, s105, -16, 0xffffffff neg_lo:[1,0,0] neg_hi:[0,0,1] -> v_dot4_i32_i8 v0, s105, -16, -1 neg_hi:[0,0,1]
            v_dot8_i32_i4 v0, s105, -16, 0xffffffff neg_lo:[1,0,0] neg_hi:[0,0,1] -> v_dot8_i32_i4 v0, s105, -16, -1 neg_hi:[0,0,1]
            v_fmac_f16_e64 v255.h, v53.h, ttmp12 clamp div:2 -> v_fmac_f16_e64 v255.h, v53.h, ttmp12 op_sel:[1,0,0,1] clamp div:2
            without a line: image_msaa_load s_waitcnt_expcnt s_waitcnt_lgkmcnt s_waitcnt_vmcnt s_waitcnt_vscnt v_dual_fmaak_f32 v_dual_fmamk_f32 v_dual_mov_b32
        "#]],
    );
}

#[test]
fn of_gfx12() {
    check(
        "gfx1250",
        expect![[r#"
            s_get_barrier_state src_flat_scratch_base_hi, 64 -> s_get_barrier_state s103, 64
            s_version -32768 -> s_version UC_VERSION_GFX7 | UC_VERSION_MDP_BIT
            v_dot4_i32_i8 v0, s105, -16, 0xffffffff neg_lo:[1,0,0] neg_hi:[0,0,1] -> v_dot4_i32_iu8 v0, s105, -16, -1 neg_lo:[1,1,0] neg_hi:[0,0,1]
            v_dot8_i32_i4 v0, s105, -16, 0xffffffff neg_lo:[1,0,0] neg_hi:[0,0,1] -> v_dot8_i32_iu4 v0, s105, -16, -1 neg_lo:[1,1,0] neg_hi:[0,0,1]
            v_fmac_f16_e64 v255.h, v53.h, ttmp13 clamp div:2 -> v_fmac_f16_e64 v255.h, v53.h, ttmp13 op_sel:[1,0,0,1] clamp div:2
            v_wmma_f32_16x16x128_f8f6f4 v[0:7], v[248:255], v[120:135], v[248:255] matrix_a_fmt:MATRIX_FMT_FP4 matrix_b_fmt:MATRIX_FMT_FP8 neg_hi:[0,0,0] -> v_wmma_f32_16x16x128_f8f6f4 v[0:7], v[248:255], v[120:135], v[248:255] matrix_a_fmt:MATRIX_FMT_FP4
            v_wmma_ld_scale16_paired_b64 v[0:1], s[104:105] matrix_a_scale:MATRIX_SCALE_ROW0 matrix_a_scale_fmt:MATRIX_SCALE_FMT_E5M3 matrix_b_scale_fmt:MATRIX_SCALE_FMT_E4M3 matrix_b_reuse -> v_wmma_ld_scale16_paired_b64 v[0:1], s[104:105] matrix_a_scale_fmt:MATRIX_SCALE_FMT_E5M3 matrix_b_scale_fmt:MATRIX_SCALE_FMT_E4M3 matrix_b_reuse
            v_wmma_ld_scale_paired_b32 v0, s105 matrix_a_scale:MATRIX_SCALE_ROW0 matrix_a_scale_fmt:MATRIX_SCALE_FMT_E5M3 matrix_b_scale_fmt:MATRIX_SCALE_FMT_E4M3 matrix_b_reuse -> v_wmma_ld_scale_paired_b32 v0, s105 matrix_a_scale_fmt:MATRIX_SCALE_FMT_E5M3 matrix_b_scale_fmt:MATRIX_SCALE_FMT_E4M3 matrix_b_reuse
            without a line: v_dual_add_f64 v_dual_fma_f32 v_dual_fma_f64 v_dual_fmaak_f32 v_dual_fmamk_f32 v_dual_max_num_f64 v_dual_min_num_f64 v_dual_mul_f64 v_wmma_scale16_f32_16x16x128_f8f6f4 v_wmma_scale_f32_16x16x128_f8f6f4
        "#]],
    );
}
