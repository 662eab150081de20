//! Lines to bytes and back, one of every family.

use expect_test::{Expect, expect};
use wavelens_isa::{Fault, Line, Target, assemble, decode, effects, print};

use crate::line;

/// Bytes and what they decode to, or what is wrong.
fn check(target: &str, text: &str, expect: Expect) {
    let t = Target::named(target).expect("a target");
    let mut l = Line::default();
    let answer = match line::read(text, &mut l) {
        None => "no instruction".to_owned(),
        Some(()) => match assemble(t, &l) {
            Ok(e) => {
                let hex: String = e.bytes().iter().map(|b| format!("{b:02x}")).collect();
                let back = decode(t, e.bytes()).map_or("?".to_owned(), |d| print(t, &d.inst));
                format!("{hex} {back}")
            }
            Err(e) => match e.fault {
                Fault::Operand(problem) => format!("{:?} {:?}: {}", e.place, e.kind, problem.text),
                _ => format!("{:?} {:?}", e.place, e.kind),
            },
        },
    };
    expect.assert_eq(&answer);
}

#[test]
fn mandatory_literals_are_written_once() {
    check(
        "gfx1150",
        "s_fmamk_f32 s5, 0x11213141, 0x11213141, s105",
        expect!["ff6905a341312111 s_fmamk_f32 s5, 0x11213141, 0x11213141, s105"],
    );
    check(
        "gfx1100",
        "v_fmaak_f32 v5, 0x11213141, v1, 0x11213141",
        expect!["ff020a5a41312111 v_fmaak_f32 v5, 0x11213141, v1, 0x11213141"],
    );
    check(
        "gfx1100",
        "v_dual_fmaak_f32 v255, 0xaf123456, v2, 0xaf123456 :: v_dual_and_b32 v6, null, v3",
        expect![
            "ff0464c87c0606ff563412af v_dual_fmaak_f32 v255, 0xaf123456, v2, 0xaf123456 :: v_dual_and_b32 v6, null, v3"
        ],
    );
}

#[test]
fn negative_mandatory_literals_of_16_bits_keep_their_sign() {
    check("gfx900", "v_madak_f16 v0, v1, v2, -17", expect!["0105004aefffffff v_madak_f16 v0, v1, v2, -17"]);
    check(
        "gfx900",
        "v_madak_f16 v0, v1, v2, 0xffef",
        expect!["0105004aefff0000 v_madak_f16 v0, v1, v2, 0xffef"],
    );
    check(
        "gfx900",
        "v_madmk_f16 v0, v1, -32768, v2",
        expect!["010500480080ffff v_madmk_f16 v0, v1, -32768, v2"],
    );
    check(
        "gfx1030",
        "v_fmaak_f16 v0, -17, v1, -17",
        expect!["ff020070efffffff v_fmaak_f16 v0, 0xffef, v1, -17"],
    );
}

/// What the disassembler of LLVM prints.
#[test]
fn texts_of_decoded_instructions() {
    check(
        "gfx1100",
        "v_cmpx_gt_i16_e64 v1.l, v2.h",
        expect!["7e10b4d401050200 v_cmpx_gt_i16_e64 v1.l, v2.h op_sel:[0,1]"],
    );
    check(
        "gfx1010",
        "v_mul_lo_u16 v0, 64, v255 op_sel:[1,0,0] clamp",
        expect!["008805d7c0fe0300 v_mul_lo_u16 v0, 64, v255 op_sel:[1,0,0] clamp"],
    );
    check(
        "gfx90a",
        "flat_atomic_xor a0, v[2:3], a2 glc",
        expect!["000029dd02028000 flat_atomic_xor a0, v[2:3], a2 glc"],
    );
    check(
        "gfx1200",
        "s_load_b32 s5, s[4:5], s0",
        expect!["420100f400000000 s_load_b32 s5, s[4:5], s0 offset:0x0"],
    );
    check(
        "gfx1200",
        "global_atomic_add_u32 v0, v1, v2, s[2:3] th:TH_ATOMIC_RETURN",
        expect!["02400dee0000100101000000 global_atomic_add_u32 v0, v1, v2, s[2:3] th:TH_ATOMIC_RETURN"],
    );
    check("gfx1100", "s_version 0x2006", expect!["062080b0 s_version UC_VERSION_GFX11 | UC_VERSION_W64_BIT"]);
    check(
        "gfx1250",
        "v_min_u64 v[0:1], s[4:5], 64",
        expect!["000018d704800100 v_min_u64 v[0:1], s[4:5], 64"],
    );
}

#[test]
fn the_status_bit_is_an_offset_behind_a_resource() {
    check(
        "gfx900",
        "buffer_load_dword v5, off, s[8:11], src_scc offset:4095",
        expect!["ff0f50e0000502fd buffer_load_dword v5, off, s[8:11], src_scc offset:4095"],
    );
    check(
        "gfx900",
        "buffer_load_dword v5, off, s[8:11], s3 scc",
        expect!["Operand(4) InvalidModifier: `scc` does not exist on gfx900"],
    );
    check(
        "gfx90a",
        "buffer_load_dword v5, off, s[8:11], s3 scc",
        expect!["008050e000050203 buffer_load_dword v5, off, s[8:11], s3 scc"],
    );
}

#[test]
fn scalar() {
    check("gfx900", "s_mov_b32 s0, 0x12345678", expect!["ff0080be78563412 s_mov_b32 s0, 0x12345678"]);
    check("gfx900", "s_add_u32 s0, s1, 1.0", expect!["01f20080 s_add_u32 s0, s1, 1.0"]);
    check("gfx1100", "s_waitcnt vmcnt(0) & lgkmcnt(1)", expect!["170089bf s_waitcnt vmcnt(0) lgkmcnt(1)"]);
    check("gfx900", "s_mov_b64 s[1:2], 0", expect!["no instruction"]);
    check("gfx900", "s_add_u32 s0, 0x1234, 0x5678", expect!["Operand(2) Literal"]);
}

#[test]
fn vector() {
    check("gfx900", "v_add_f32 v0, v1, v2", expect!["01050002 v_add_f32_e32 v0, v1, v2"]);
    check(
        "gfx900",
        "v_add_f32 v0, -v1, |v2| clamp",
        expect!["008201d101050220 v_add_f32_e64 v0, -v1, |v2| clamp"],
    );
    check("gfx900", "v_add_f32 v0, s1, s2", expect!["Operand(2) ConstantBus"]);
    check("gfx1030", "v_add_f32 v0, s1, s2", expect!["000003d501040000 v_add_f32_e64 v0, s1, s2"]);
    check("gfx1100", "v_cos_f16 v1, -|1.5|", expect!["ffc2027e00be0000 v_cos_f16_e32 v1.l, 0xbe00"]);
    check("gfx900", "v_fma_f32 v0, v1, v2, 0x1234", expect!["Operand(3) Literal"]);
    check(
        "gfx1100",
        "v_mov_b32_dpp v0, v1 quad_perm:[3,2,1,0]",
        expect!["fa02007e011b00ff v_mov_b32_dpp v0, v1 quad_perm:[3,2,1,0] row_mask:0xf bank_mask:0xf"],
    );
    check("gfx906", "v_dot2c_f32_f16 v0, v1, v2", expect!["Mnemonic WrongTarget"]);
    check("gfx900", "v_frobnicate v0", expect!["Mnemonic UnknownMnemonic"]);
}

#[test]
fn dual() {
    check(
        "gfx1100",
        "v_dual_mul_f32 v0, v1, v2 :: v_dual_mov_b32 v3, v4",
        expect!["0105d0c804010200 v_dual_mul_f32 v0, v1, v2 :: v_dual_mov_b32 v3, v4"],
    );
    check("gfx1100", "v_dual_mul_f32 v0, v1, v2 :: v_dual_mov_b32 v2, v4", expect!["Operand(4) Conflict"]);
}

#[test]
fn memory() {
    check(
        "gfx900",
        "global_load_dwordx4 v[0:3], v[4:5], off offset:16",
        expect!["10805cdc04007f00 global_load_dwordx4 v[0:3], v[4:5], off offset:16"],
    );
    check("gfx90a", "global_load_dwordx2 v[1:2], v[4:5], off", expect!["Operand(0) Alignment"]);
    check("gfx900", "global_load_dword v0, v[4:5], off offset:5000", expect!["Operand(3) OutOfRange"]);
    check("gfx900", "global_load_dword v[2:3], off offset:5000 lds", expect!["Operand(2) OutOfRange"]);
    check(
        "gfx1200",
        "global_load_b32 v0, v[2:3], off th:TH_LOAD_NT scope:SCOPE_DEV",
        expect!["7c0005ee0000180002000000 global_load_b32 v0, v[2:3], off th:TH_LOAD_NT scope:SCOPE_DEV"],
    );
    check(
        "gfx1030",
        "image_sample v[0:3], [v4, v6], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D",
        expect![
            "0a0f80f00400400006000000 image_sample  v[0:3], [v4, v6], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D"
        ],
    );
}

#[test]
fn facts() {
    let check = |processor: &str, text: &str, expected: expect_test::Expect| {
        let t = Target::named(processor).expect("a target");
        let mut l = Line::default();
        line::read(text, &mut l).expect("a line");
        let e = effects(t, &assemble(t, &l).expect("an instruction").inst);
        let names =
            |list: &[wavelens_isa::Access]| list.iter().map(|a| a.reg().name()).collect::<Vec<_>>().join(" ");
        expected.assert_eq(&format!("{} = {} {:?}", names(&e.writes), names(&e.reads), e.counters));
    };
    check("gfx900", "global_load_dword v7, v[4:5], off", expect!["v7 = v[4:5] exec [Vm]"]);
    // Only those that return the old value write a register.
    let image = "image_atomic_add v0, v[2:3], s[0:7] dmask:1 dim:SQ_RSRC_IMG_2D";
    check("gfx1030", image, expect![" = v0 v[2:3] s[0:7] exec_lo [Vs]"]);
    check("gfx1030", &format!("{image} glc"), expect!["v0 = v0 v[2:3] s[0:7] exec_lo [Vm]"]);
    let image = "image_atomic_add_uint v0, [v2, v3], s[0:7] dmask:1 dim:SQ_RSRC_IMG_2D";
    check("gfx1200", image, expect![" = v0 v2 v3 s[0:7] exec_lo [Store]"]);
    check("gfx1200", &format!("{image} th:TH_ATOMIC_RETURN"), expect!["v0 = v0 v2 v3 s[0:7] exec_lo [Load]"]);
}

#[test]
fn gfx1250() {
    let t = "gfx1250";
    check(
        t,
        "v_bitop3_b32 v1, v2, v3, v4 bitop3:0xff",
        expect!["010734d6020712fc v_bitop3_b32 v1, v2, v3, v4 bitop3:0xff"],
    );
    check(
        t,
        "v_cvt_scale_pk8_f32_fp8 v[2:9], v[10:11], v12 scale_sel:15",
        expect!["0278aad60a190200 v_cvt_scale_pk8_f32_fp8 v[2:9], v[10:11], v12 scale_sel:15"],
    );
    check(
        t,
        "v_wmma_scale_f32_16x16x128_f8f6f4 v[0:7], v[8:23], v[24:39], v[40:47], v1, v2 matrix_a_reuse",
        expect![
            "002035cc01050204000033cc0831a204 v_wmma_scale_f32_16x16x128_f8f6f4 v[0:7], v[8:23], v[24:39], v[40:47], v1, v2 matrix_a_reuse"
        ],
    );
    check(
        t,
        "global_load_b32 v0, v1, s[2:3] scale_offset nv",
        expect!["820005ee0000010001000000 global_load_b32 v0, v1, s[2:3] scale_offset nv"],
    );
    check(
        t,
        "global_load_b32 v0, v[2:3], off scale_offset",
        expect!["Operand(3) InvalidModifier: `global_load_b32` cannot scale its offset"],
    );
    check(
        t,
        "v_pk_add_f32 v[0:1], s[2:3], v[2:3]",
        expect![
            "Operand(1) InvalidModifier: a scalar source 0 gives both halves its first register: op_sel and op_sel_hi must be 0 for it"
        ],
    );
    check(t, "v_mov_b32 v0, lit(1.0)", expect!["ff02007e0000803f v_mov_b32_e32 v0, lit(0x3f800000)"]);
    check(
        "gfx1251",
        "v_ceil_f64_dpp v[0:1], v[2:3] row_share:3",
        expect!["fa30007e025301ff v_ceil_f64_dpp v[0:1], v[2:3] row_share:3 row_mask:0xf bank_mask:0xf"],
    );
    check(
        t,
        "global_store_b128 v2, v[254:257], s[52:53]",
        expect!["344007ee0000007f02000000 global_store_b128 v2, v[254:257], s[52:53]"],
    );
    check(
        "gfx1200",
        "global_store_b128 v2, v[254:257], s[52:53]",
        expect!["Operand(1) NoSuchRegister: register `v[254:257]` does not exist on gfx1200"],
    );
}

#[test]
fn literals_that_could_be_inline_constants_say_so() {
    let back = |target: &str, bytes: &[u8]| {
        let t = Target::named(target).expect("a target");
        decode(t, bytes).map_or("?".to_owned(), |d| print(t, &d.inst))
    };
    check("gfx1100", "v_mov_b32 v0, lit(1.0)", expect!["ff02007e0000803f v_mov_b32_e32 v0, lit(0x3f800000)"]);
    check(
        "gfx1250",
        "s_mov_b64 s[0:1], lit64(1)",
        expect!["fe0180be0100000000000000 s_mov_b64 s[0:1], lit64(0x1)"],
    );
    check(
        "gfx1250",
        "s_mov_b64 s[0:1], 0x123456789",
        expect!["fe0180be8967452301000000 s_mov_b64 s[0:1], 0x123456789"],
    );
    check(
        "gfx1250",
        "v_add_f64_e64 v[0:1], v[2:3], lit(5)",
        expect!["000002d502fd01000500000000000000 v_add_f64_e64 v[0:1], v[2:3], lit64(0x5)"],
    );
    check(
        "gfx1250",
        "v_lshlrev_b64_e64 v[0:1], lit(5), v[2:3]",
        expect!["00001fd5ff04020005000000 v_lshlrev_b64_e64 v[0:1], lit(0x5), v[2:3]"],
    );
    assert_eq!(back("gfx900", &[0xff, 0x02, 0x00, 0x7e, 0, 0, 0, 0]), "v_mov_b32_e32 v0, lit(0x0)");
}

#[test]
fn bytes_are_read_as_the_target_s_generation_reads_them() {
    check(
        "gfx90a",
        "v_fmac_f64 v[0:1], v[2:3], v[4:5]",
        expect!["02090008 v_fmac_f64_e32 v[0:1], v[2:3], v[4:5]"],
    );
    check(
        "gfx700",
        "image_get_lod v0, v255, s[48:55], s[8:11] dmask:0x1 da",
        expect!["004180f1ff004c00 image_get_lod v0, v255, s[48:55], s[8:11] dmask:0x1 da"],
    );
    check("gfx1250", "v_sub_f32 v0, v1, v2", expect!["01050008 v_sub_f32_e32 v0, v1, v2"]);
}

/// LLVM takes the word for a source only where that source has `neg` and `abs`.
#[test]
fn comparisons_with_dpp_can_leave_out_their_result() {
    check(
        "gfx1150",
        "v_cmp_eq_i16_dpp v2.h, v63.h row_mirror",
        expect!["fa7e657c824001ff v_cmp_eq_i16 vcc_lo, v2.h, v63.h row_mirror row_mask:0xf bank_mask:0xf"],
    );
    check(
        "gfx1150",
        "v_cmp_eq_f16_dpp v2.h, v63.h row_mirror",
        expect![
            "Operand(2) InvalidOperand: this word is read as an operand here: write the result, such as vcc, as well"
        ],
    );
}

/// `llvm-mc -disassemble` ignores the third source of instructions that have two.
#[test]
fn unused_sources_are_not_looked_at() {
    for (target, bytes) in
        [("gfx942", [4, 0, 5, 0xd1, 0x8c, 0x1b, 3, 4]), ("gfx1100", [4, 0, 8, 0xd5, 0x8c, 0x1b, 3, 4])]
    {
        let target = Target::named(target).expect("a target");
        let found = decode(target, &bytes).expect("an instruction");
        assert_eq!(print(target, &found.inst), "v_mul_f32_e64 v4, v140, v141");
    }
}
