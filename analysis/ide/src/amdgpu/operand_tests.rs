//! What editors show about each kind of operand, by generation.

use expect_test::{Expect, expect};
use wavelens_base::Dialect;

use crate::features;
use crate::features::tests::at_cursor;

/// One line for each case: the text that the hover is about, and what it says. `$0` is the cursor.
pub(super) fn hovers(processor: &str, cases: &[&str], expected: Expect) {
    let mut shown = String::new();
    for case in cases {
        let text = format!(".amdgcn_target \"amdgcn-amd-amdhsa--{processor}\"\n{case}\n");
        at_cursor(Dialect::Amdgpu, &text, |view, at| {
            let whole = view.whole_text();
            let answer = features::hover(view, at).map_or_else(
                || "nothing".to_owned(),
                |h| {
                    let covered = whole.get(std::ops::Range::<usize>::from(h.range)).unwrap_or("");
                    format!("{covered} | {}", h.markdown.replace('\n', " "))
                },
            );
            shown.push_str(&format!("{answer}\n"));
        });
    }
    expected.assert_eq(&shown);
}

#[test]
fn numbers_are_what_the_operand_makes_of_them() {
    hovers(
        "gfx900",
        &[
            "s_load_dwordx2 s[0:1], s[2:3], $00x18",
            "global_load_dword v0, v[2:3], off offset:$064",
            "global_load_dword v0, v[2:3], off $0offset:-8",
            "ds_read_b32 v0, v1 offset:$016",
            "ds_read2_b32 v[0:1], v2 offset0:$01 offset1:2",
            "s_nop $03",
            "v_add_u32 v0, -$04, v1",
            "v_add_u32 v0, $0-4, v1",
            "v_mul_f32 v0, $00.15915494, v1",
            "v_mul_f32 v0, $00.3, v1",
            "v_mul_f32 v0, $064, v1",
            "v_add_f16 v0, $01.0, v1",
            "v_pk_add_f16 v0, $01.0, v1",
            "v_fma_f64 v[0:1], $01.0, v[2:3], v[4:5]",
            "s_mov_b64 s[0:1], $0-1",
            "v_add_u32 v0, $00x12345, v1",
            "s_movk_i32 s0, $00xffff",
            "v_madak_f32 v0, v1, v2, $00x40490fdb",
        ],
        expect![[r#"
            0x18 | Offset 24 bytes (`0x18`); from -1048576 to 1048575 on gfx900
            offset:64 | Offset 64 bytes (`0x40`); from -4096 to 4095 on gfx900
            offset:-8 | Offset -8 bytes (`-0x8`); from -4096 to 4095 on gfx900
            offset:16 | Offset 16 bytes (`0x10`); from 0 to 65535 on gfx900
            offset0:1 | `offset0` = 1: Offset of the first value, in elements (or in 64 elements with `st64`).
            3 | `simm16` = 3: Waits 4 cycles.
            -4 | `-4` as `src0` (32-bit integer): inline constant 196, `-4` = `0xfffffffc`
            -4 | `-4` as `src0` (32-bit integer): inline constant 196, `-4` = `0xfffffffc`
            0.15915494 | `0.15915494` as `src0` (f32): inline constant 248, `0.15915494 = 0x3e22f983`
            0.3 | `0.3` as `src0` (f32): literal, a dword after the instruction, `0.3 = 0x3e99999a`
            64 | `64` as `src0` (f32): inline constant 192, the bits of the integer 64
            1.0 | `1.0` as `src0` (f16): inline constant 242, `1.0 = 0x3c00`
            1.0 | `1.0` as `src0` (two f16): inline constant 242, `1.0 = 0x3c00`
            1.0 | `1.0` as `src0` (f64): inline constant 242, `1.0 = 0x3ff0000000000000`
            -1 | `-1` as `src0` (64-bit integer): inline constant 193, `-1` = `0xffffffffffffffff`
            0x12345 | `0x12345` as `src0` (32-bit integer): literal, a dword after the instruction, `74565` = `0x12345`
            0xffff | `simm16`, a 16-bit constant: 65535 = `0xffff` (as i16 -1)
            0x40490fdb | `0x40490fdb` as `imm` (f32): literal, `3.1415927 = 0x40490fdb`
        "#]],
    );
}

#[test]
fn waits_and_controls_are_decoded() {
    hovers(
        "gfx942",
        &[
            "s_waitcnt $0vmcnt(0)",
            "s_waitcnt vmcnt($03) & lgkmcnt(0)",
            "s_waitcnt $00xc07f",
            "s_getreg_b32 s0, $0hwreg(HW_REG_HW_ID, 8, 4)",
            "s_getreg_b32 s0, hwreg($0HW_REG_HW_ID, 8, 4)",
            "s_sendmsg sendmsg($0MSG_INTERRUPT)",
            "s_setprio $02",
            "v_mov_b32_dpp v0, v1 $0row_shl:1 row_mask:0xf bank_mask:0xf",
            "v_mov_b32_dpp v0, v1 row_shl:1 row_mask:$00xf bank_mask:0xf",
            "v_mov_b32_dpp v0, v1 quad_perm:[0,$01,2,3] row_mask:0xf bank_mask:0xf",
            "v_add_u32_sdwa v0, v1, v2 dst_sel:DWORD src0_sel:$0BYTE_1 src1_sel:DWORD",
            "v_pk_fma_f16 v0, v1, v2, v3 $0op_sel:[0,1,0]",
            "v_pk_fma_f16 v0, v1, v2, v3 $0op_sel_hi:[1,0,1]",
            "v_mul_f32 v0, |$0v1|, v2 mul:2",
            "v_mul_f32 v0, |v1|, v2 mul:$02",
            "v_mul_f32 v0, $0abs(v1), v2",
            "global_load_dword v0, v[2:3], $0off",
            "global_store_dword v[2:3], v0, off $0sc0 sc1",
            "global_store_dword v[2:3], v0, off sc0 $0sc1",
            "buffer_load_dword v0, v1, s[0:3], 0 $0offen",
            "v_add_f32_e64 v0, v1, v2 $0clamp",
            "ds_swizzle_b32 v0, v1 offset:swizzle($0SWAP,16)",
            "v_mfma_f32_32x32x8_f16 a[0:15], v[0:1], v[2:3], a[0:15] $0cbsz:1",
        ],
        expect![[r#"
            vmcnt(0) | `vmcnt`: Vector memory: loads (and, before gfx10, stores) that have not returned. Waits until none is outstanding. Values from 0 to 63 on gfx942.
            vmcnt(3) | `vmcnt`: Vector memory: loads (and, before gfx10, stores) that have not returned. Waits until at most 3 are outstanding. Values from 0 to 63 on gfx942.
            0xc07f | `0xc07f` waits for `lgkmcnt(0)`
            hwreg(HW_REG_HW_ID, 8, 4) | Bits 11:8 of hardware register `HW_REG_HW_ID`. Where the wave runs: wave slot, SIMD, compute unit, shader engine.
            HW_REG_HW_ID | `HW_REG_HW_ID` (number 4): Where the wave runs: wave slot, SIMD, compute unit, shader engine.
            MSG_INTERRUPT | `MSG_INTERRUPT` (number 1): Raises an interrupt of the host; `m0` holds the payload.
            2 | `simm16` = 2: Priority 2 of 0 to 3.
            row_shl:1 | `row_shl` = 1: DPP: reads from the lane this many places higher in the row of 16.
            row_mask:0xf | `row_mask` = 15: DPP: rows that are written, one bit for each row of 16; other rows keep the result register. Rows written here: 0, 1, 2, 3.
            quad_perm:[0,1,2,3] | `quad_perm` = [0,1,2,3]: DPP: permutes the four lanes of each quad; the numbers name the source lane of each.
            BYTE_1 | `BYTE_1`: Bits 15:8.
            op_sel:[0,1,0] | `op_sel`: Selects the high half of 16-bit operands: one bit for each source, then one for the result. Set for: `src1`.
            op_sel_hi:[1,0,1] | `op_sel_hi`: Which half of each source feeds the high result of a packed operation; 1 is the high half. Set for: `src0`, `src2`.
            v1 | `v1`, read here  - has a value when the function starts - read in line 2
            mul:2 | `mul` = 2: Multiplies the result by 2 or 4 (output modifier).
            abs | Absolute value of a source; applied before `neg`.
            off | `off`: No register: the address comes from the other operands alone, or the export skips this component.
            sc0 | `sc0`: Scope bit 0: with `sc1`, the scope is wave (neither), workgroup (sc0), agent (sc1) or system (both); for atomics, returns the old value.
            sc1 | `sc1`: Scope bit 1: with `sc0`, the scope is wave (neither), workgroup (sc0), agent (sc1) or system (both).
            offen | `offen`: The offset register is a vector register: `vaddr` holds bytes.
            clamp | `clamp`: Clamps the result: floating point to 0.0 to 1.0, integers to their range instead of wrapping.
            SWAP | `SWAP`: Swaps neighbouring groups: size of the group.
            cbsz:1 | `cbsz` = 1: Matrix: broadcasts one block of A to 2 ** cbsz blocks; for some types, the format of A.
        "#]],
    );
    hovers(
        "gfx1100",
        &[
            "s_delay_alu instid0($0VALU_DEP_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)",
            "s_delay_alu $00x481",
            "s_delay_alu instid0(VALU_DEP_1) | $0instskip(SKIP_1)",
            "s_sendmsg_rtn_b32 s0, sendmsg($0MSG_RTN_GET_REALTIME)",
            "s_waitcnt_vscnt null, $00x0",
            "s_waitcnt_depctr $0depctr_va_vdst(0)",
            "exp $0mrt0 v0, v1, v2, v3 done",
            "image_sample v[0:3], v[0:1], s[0:7], s[8:11] $0dmask:0x5 dim:SQ_RSRC_IMG_2D",
            "image_sample v[0:3], v[0:1], s[0:7], s[8:11] dmask:0xf dim:$0SQ_RSRC_IMG_2D",
            "s_clause $00x3",
            "v_dual_mov_b32 v0, v2 :: $0v_dual_mul_f32 v1, v3, v4",
            "v_mov_b32_dpp v0, v1 $0dpp8:[7,6,5,4,3,2,1,0]",
        ],
        expect![[r#"
            VALU_DEP_1 | `VALU_DEP_1`: Depends on the previous vector instruction.
            0x481 | `0x481` means `instid0(VALU_DEP_1) | instid1(SALU_CYCLE_1)`
            | instskip(SKIP_1) | Which instruction `instid1` is about.
            MSG_RTN_GET_REALTIME | `MSG_RTN_GET_REALTIME` (number 131): Returns the constant-rate clock.
            0x0 | `simm16` = 0: At most 0 may be outstanding. Vector memory stores that have not been written.
            depctr_va_vdst(0) | `depctr_va_vdst`: Vector instructions whose vector results are not written. Waits until none is outstanding. Values from 0 to 15 on gfx1100.
            mrt0 | Render target 0.
            dmask:0x5 | `dmask` = 5: Which of the four components are transferred: bit 0 is x, bit 3 is w. Here: x, z.
            SQ_RSRC_IMG_2D | `SQ_RSRC_IMG_2D`: A two-dimensional image.
            0x3 | `simm16` = 3: The next 4 instructions stay together.
            :: v_dual_mul_f32 | Half of a dual instruction. Multiplies (f32): `D = S0 * S1`  On gfx11 to gfx13
            dpp8:[7,6,5,4,3,2,1,0] | `dpp8`: DPP: permutes each group of 8 lanes; the numbers name the source lane of each.
        "#]],
    );
    hovers(
        "gfx1250",
        &[
            "s_wait_loadcnt $00x2",
            "global_load_b32 v0, v1, s[0:1] $0th:TH_LOAD_NT scope:SCOPE_SE",
            "global_load_b32 v0, v1, s[0:1] th:$0TH_LOAD_NT scope:SCOPE_SE",
            "global_load_b32 v0, v1, s[0:1] th:TH_LOAD_NT scope:$0SCOPE_SE",
            "global_load_b32 v0, v1, s[0:1] $0offset:-4",
        ],
        expect![[r#"
            0x2 | `simm16` = 2: At most 2 may be outstanding. Vector memory loads that have not returned.
            th:TH_LOAD_NT | `th`: Temporal hint: how long the data is expected to stay useful in the caches.
            TH_LOAD_NT | `TH_LOAD_NT`: nontemporal: not used again soon.
            SCOPE_SE | `SCOPE_SE`: Coherent within the shader engine.
            offset:-4 | Offset -4 bytes (`-0x4`); from -8388608 to 8388607 on gfx1250
        "#]],
    );
}

#[test]
fn registers_labels_and_directives() {
    hovers(
        "gfx900",
        &[
            "v_mov_b32 v2, 0\nv_mov_b32 v3, 0\nglobal_store_dword v[$02:3], v2, off",
            "global_store_dword $0v[2:3], v2, off",
            "l:\ns_branch $0l",
            "s_branch $0l\nv_mov_b32 v0, 0\nl:\ns_endpgm",
            "N = 4 ; four\nv_mov_b32 v0, $0N",
            "$0.p2align 8",
            ".amdhsa_kernel k\n$0.amdhsa_next_free_vgpr 4\n.amdhsa_next_free_sgpr 8\n.end_amdhsa_kernel",
            ".amdhsa_kernel k\n.amdhsa_ieee_mode $01\n.amdhsa_next_free_vgpr 4\n.amdhsa_next_free_sgpr 8\n.end_amdhsa_kernel",
            ".amdgpu_metadata\n---\namdhsa.kernels:\n  - $0.vgpr_count: 4\n...\n.end_amdgpu_metadata",
            ".amdgpu_metadata\n---\namdhsa.kernels:\n  - .vgpr_count: $04\n...\n.end_amdgpu_metadata",
            "v_mov_b32 v0, v1 ; $0nothing here",
            ".macro m r\nv_mov_b32 v0, $00x10\n.endm",
        ],
        expect![[r#"
            v[2:3] | `v[2:3]`, 2 registers, read here  - written in lines 2, 3 - read in line 4 - live between lines 2 and 4
            v[2:3] | `v[2:3]`, 2 registers, read here  - has a value when the function starts - read in line 2
            l | Label `l` in line 2, 1 dword back
            l | Label `l` in line 4, 1 dword forward
            N | `N` as `src0` (32-bit integer): inline constant 132, `4`
            .p2align | ```amdgpu .p2align POWER[, FILL[, MAX]] ``` Aligns to a power of two.
            .amdhsa_next_free_vgpr | ```amdgpu .amdhsa_next_free_vgpr COUNT ``` The highest vector register that is used, plus one; sets how many the wave gets.
            1 | ```amdgpu .amdhsa_ieee_mode 0 or 1 ``` Floating-point operations follow IEEE 754 for signaling NaN.  `1` = `0x1` 
            .vgpr_count | Vector registers of a wave, accumulators included where they share the file.
            4 | Vector registers of a wave, accumulators included where they share the file.
            nothing
            0x10 | `0x10` = 16 
        "#]],
    );
}

/// The first suggestions at the cursor, with what is inserted.
fn completions(processor: &str, case: &str, expected: Expect) {
    let text = format!(".amdgcn_target \"amdgcn-amd-amdhsa--{processor}\"\n{case}\n");
    at_cursor(Dialect::Amdgpu, &text, |view, at| {
        let found = features::complete(view, at);
        let labels: Vec<&str> = found.items.iter().take(12).map(|i| i.insert.as_str()).collect();
        expected.assert_eq(&format!("{}: {}\n", found.items.len(), labels.join(" ")));
    });
}

#[test]
fn suggestions_fit_the_operand() {
    completions(
        "gfx90a",
        "v_mov_b32 v7, 0\nglobal_load_dwordx2 $0",
        expect![[r#"
            256: v[0:1] v[2:3] v[4:5] v[6:7] v[8:9] v[10:11] v[12:13] v[14:15] v[16:17] v[18:19] v[20:21] v[22:23]
        "#]],
    );
    completions(
        "gfx90a",
        "v_mov_b32 v7, 0\nglobal_load_dwordx2 v[$0",
        expect![[r#"
        128: v[0:1] v[2:3] v[4:5] v[6:7] v[8:9] v[10:11] v[12:13] v[14:15] v[16:17] v[18:19] v[20:21] v[22:23]
    "#]],
    );
    completions(
        "gfx90a",
        "global_load_dwordx2 v[0:1], v[2:3], $0",
        expect![[r#"
        1: off
    "#]],
    );
    completions(
        "gfx90a",
        "global_load_dwordx2 v[0:1], v[2:3], off $0",
        expect![[r#"
        4: glc offset: scc slc
    "#]],
    );
    completions(
        "gfx942",
        "s_waitcnt $0",
        expect![[r#"
        3: expcnt($1) lgkmcnt($1) vmcnt($1)
    "#]],
    );
    completions(
        "gfx942",
        "s_getreg_b32 s0, hwreg(HW_REG_$0",
        expect![[r#"
        17: HW_REG_GPR_ALLOC HW_REG_HW_ID HW_REG_IB_STS HW_REG_LDS_ALLOC HW_REG_MODE HW_REG_SH_MEM_BASES HW_REG_SQ_PERF_SNAPSHOT_DATA HW_REG_SQ_PERF_SNAPSHOT_DATA1 HW_REG_SQ_PERF_SNAPSHOT_PC_HI HW_REG_SQ_PERF_SNAPSHOT_PC_LO HW_REG_STATUS HW_REG_TBA_HI
    "#]],
    );
    completions(
        "gfx900",
        "s_sendmsg sendmsg(MSG_GS, $0",
        expect![[r#"
        3: GS_OP_CUT GS_OP_EMIT GS_OP_EMIT_CUT
    "#]],
    );
    completions(
        "gfx1100",
        "s_delay_alu instid0($0",
        expect![[r#"
        12: FMA_ACCUM_CYCLE_1 NO_DEP SALU_CYCLE_1 SALU_CYCLE_2 SALU_CYCLE_3 TRANS32_DEP_1 TRANS32_DEP_2 TRANS32_DEP_3 VALU_DEP_1 VALU_DEP_2 VALU_DEP_3 VALU_DEP_4
    "#]],
    );
    completions(
        "gfx900",
        "start:\ns_branch $0\nend:",
        expect![[r#"
            2: start end
        "#]],
    );
    completions(
        "gfx1200",
        "global_store_b32 v0, v1, s[0:1] th:$0",
        expect![[r#"
        10: TH_DEFAULT TH_STORE_BYPASS TH_STORE_HT TH_STORE_NT TH_STORE_NT_HT TH_STORE_NT_RT TH_STORE_NT_WB TH_STORE_RT TH_STORE_RT_NT TH_STORE_WB
    "#]],
    );
    completions(
        "gfx900",
        "v_add_u32_sdwa v0, v1, v2 dst_sel:$0",
        expect![[r#"
        7: BYTE_0 BYTE_1 BYTE_2 BYTE_3 DWORD WORD_0 WORD_1
    "#]],
    );
    completions(
        "gfx900",
        ".amdhsa_kernel k\n.amdhsa_ieee_mode $0",
        expect![[r#"
        2: 0 1
    "#]],
    );
    completions(
        "gfx900",
        "s_load_dwordx4 s[$0",
        expect![[r#"
        25: s[0:3] s[4:7] s[8:11] s[12:15] s[16:19] s[20:23] s[24:27] s[28:31] s[32:35] s[36:39] s[40:43] s[44:47]
    "#]],
    );
}

fn signatures(processor: &str, cases: &[&str], expected: Expect) {
    let mut shown = String::new();
    for case in cases {
        let text = format!(".amdgcn_target \"amdgcn-amd-amdhsa--{processor}\"\n{case}\n");
        at_cursor(Dialect::Amdgpu, &text, |view, at| {
            let Some(found) = features::signature(view, at) else { return shown.push_str("nothing\n") };
            let active =
                found.active.and_then(|a| found.parameters.get(a)).and_then(|r| found.label.get(r.clone()));
            shown.push_str(&format!("{} | {}\n", found.label, active.unwrap_or("-")));
        });
    }
    expected.assert_eq(&shown);
}

#[test]
fn signatures_name_operands_of_incomplete_lines() {
    signatures(
        "gfx900",
        &[
            "v_add_f32 $0",
            "v_add_f32 v0, $0",
            "v_add_f32 v0, v1, v$02",
            "global_load_dword v0, v[2:3], off $0",
            "global_load_dword v0, v[2:3], off offset:4 $0glc",
            "s_waitcnt $0vmcnt(0)",
            "buffer_load_dword v0, v1, s[0:3], $0",
            "v_fma_f32 v0, $0",
        ],
        expect![[r#"
            v_add_f32 vdst, src0, src1 | vdst
            v_add_f32 vdst, src0, src1 | src0
            v_add_f32 vdst, src0, src1 | src1
            global_load_dword vdst, vaddr, off [offset:...] [cache policy] | [offset:...]
            global_load_dword vdst, vaddr, off [offset:...] [cache policy] | [cache policy]
            s_waitcnt counters | counters
            buffer_load_dword vdata, vaddr, srsrc, soffset, idxen [offset:...] [cache policy] | soffset
            v_fma_f32 vdst, src0, src1, src2 [clamp] [mul:...] | src0
        "#]],
    );
}

#[test]
fn words_are_known_in_lines_with_errors() {
    let line = |cursor: &str| {
        "v_foo_dpp v0, -v1, |v2| row_mask:0x3 dpp8:[7,6,5,4] src0_sel:BYTE_1 unorm offset:swizzle(SWAP,2) 77"
            .replacen(cursor, &format!("$0{cursor}"), 1)
    };
    let words =
        ["-", "|", "row_mask", "0x3", "dpp8", "6,5", "src0_sel", "BYTE_1", "unorm", "swizzle", "SWAP", "77"];
    let lines: Vec<String> = words.map(line).into();
    let cases: Vec<&str> = lines.iter().map(String::as_str).collect();
    hovers(
        "gfx900",
        &cases,
        expect![[r#"
        - | Negates a source.
        | | Absolute value of a source; applied before `neg`.
        row_mask | `row_mask`: DPP: rows that are written, one bit for each row of 16; other rows keep the result register.
        0x3 | `row_mask` = 3: DPP: rows that are written, one bit for each row of 16; other rows keep the result register. Rows written here: 0, 1.
        dpp8 | `dpp8`: DPP: permutes each group of 8 lanes; the numbers name the source lane of each.
        6 | `dpp8`: DPP: permutes each group of 8 lanes; the numbers name the source lane of each.
        src0_sel | `src0_sel`: SDWA: which part of the first source is read.
        BYTE_1 | `BYTE_1`: Bits 15:8.
        unorm | `unorm`: Coordinates are not normalized: they count texels.
        swizzle | `swizzle`: The pattern by which lanes exchange values.
        SWAP | `SWAP`: Swaps neighbouring groups: size of the group.
        77 | `77` = `0x4d` 
    "#]],
    );
}

#[test]
fn signs_and_controls_of_operands_are_described() {
    hovers(
        "gfx1100",
        &[
            "v_add_f32 v0, $0-v1, v2",
            "v_permlane16_b32 v5, v1, s2, s3 op_sel:$0[1,0]",
            "s_waitcnt_depctr depctr_va_vcc$0(0) depctr_va_vcc(0)",
            "lds_direct_load v15 wait_vdst:$016",
            "v_mov_b32_dpp v0, v1 dpp8:[0,1,2,3,4,5,6,7] fi:$00",
            "v_mov_b32_dpp v0, v1 row_shl:1 bound_ctrl:$00",
        ],
        expect![[r#"
            - | Negates a source.
            op_sel:[1,0] | `op_sel`: Two controls: `fi` reads inactive lanes too, `bound_ctrl` reads 0 where there is no lane. Set for: `fi`.
            depctr_va_vcc | `depctr_va_vcc`: Vector instructions whose results in `vcc` are not written.
            16 | `wait_vdst` = 16: Waits until at most this many vector instructions have not written their results.
            fi:0 | `fi` = 0: DPP: reads inactive lanes too (fetch inactive). Here it is switched off.
            bound_ctrl:0 | `bound_ctrl` = 0: DPP: lanes that would read outside of their row or from an inactive lane read 0 instead of keeping the result. 0 switches it off from gfx11 on, and on before.
        "#]],
    );
}

#[test]
fn strings_symbols_and_relocations_of_directives_are_described() {
    hovers(
        "gfx900",
        &[
            ".amdgcn_target \"amdgcn-amd-amdhsa--gfx$090a\"",
            ".byte .amdgcn.next_free_$0vgpr",
            ".reloc 0, R_AMDGPU_$0REL32, .data",
            ".amdgpu_metadata\namdhsa.version:\n  - 1\n  - $02\n.end_amdgpu_metadata",
            ".long $00x2cd2",
        ],
        expect![[r#"
            "amdgcn-amd-amdhsa--gfx90a" | Processor `gfx90a`: waves of 64 lanes; at most 8 waves on a SIMD, which share 512 VGPRs
            .amdgcn.next_free_vgpr | One more than the highest VGPR that was named since the symbol was last set.
            R_AMDGPU_REL32 | `R_AMDGPU_REL32`: the distance from here to the symbol, in 32 bits
            2 | Version of the metadata, two numbers.
            0x2cd2 | `0x2cd2` = 11474 
        "#]],
    );
}

#[test]
fn words_are_known_without_a_processor() {
    at_cursor(Dialect::Amdgpu, "v_floor_f16_sdwa v255, v1 dst_sel:DWORD src0_sel:$0WORD_1\n", |view, at| {
        let found = features::hover(view, at).map(|hover| hover.markdown);
        expect![[r#"`WORD_1`: Bits 31:16."#]].assert_eq(&found.unwrap_or_default());
    });
    at_cursor(Dialect::Amdgpu, "v_ceil_f16 v127, -v127 row_xmask:15 bank_mask:$00x1\n", |view, at| {
        let found = features::hover(view, at).map(|hover| hover.markdown);
        expect![[r#"`bank_mask` = 1: DPP: banks that are written, one bit for each group of 4 lanes in a row; others keep the result register. Banks written here: 0."#]].assert_eq(&found.unwrap_or_default());
    });
}

#[test]
fn signs_attributes_and_calls_are_known_in_lines_with_errors() {
    hovers(
        "gfx900",
        &[
            "v_foo v0, $0-1, v2",
            "v_foo v0, -$01, v2",
            "v_foo v0, -$02.5, v2",
            "v_foo v0, $0-v1",
            "v_foo v0, attr$031.w",
            "s_sendmsg sendmsg(-1$0)",
            "s_mov_b32 s220, s$00",
            "v_rcp_f64 [v1,v2$0], [v2,v3]",
        ],
        expect![[r#"
            -1 | `-1` = `0xffffffff`
            -1 | `-1` = `0xffffffff`
            -2.5 | `-2.5`  - f16 `0xc100` - f32 `0xc0200000` - f64 `0xc004000000000000`
            - | Negates a source.
            attr31.w | `attr31.w`: Component w of attribute 31
            sendmsg | `sendmsg`: A message to the hardware or the host: its name or number, an operation and a stream.
            s0 | Register `s0`
            v2 | Register `v2`
        "#]],
    );
}

#[test]
fn mnemonics_are_described_as_they_are_written() {
    let described = |processor: &str, line: &str, expected: Expect| {
        let text = format!(".amdgcn_target \"amdgcn-amd-amdhsa--{processor}\"\n{line}\n");
        at_cursor(Dialect::Amdgpu, &text, |view, at| {
            let markdown = features::hover(view, at).map(|hover| hover.markdown).unwrap_or_default();
            let lines = markdown.lines().filter(|l| !l.is_empty() && !l.contains("```")).take(3);
            expected.assert_eq(&lines.collect::<Vec<_>>().join(" | "));
        });
    };
    described(
        "gfx1200",
        "s_addk_$0i32 s0, 1",
        expect![
            "s_addk_co_i32 s0, 0x1 | Adds a 16-bit constant with overflow in `scc` (i32): `D += simm16; scc = overflow` | On gfx6 to gfx13"
        ],
    );
    described(
        "gfx1100",
        "v_cvt_pknorm_$0i16_f16 v5, v1, v2",
        expect![
            "v_cvt_pk_norm_i16_f16 v5, v1, v2 | Converts from f16 to i16, two values, normalized: `D = i16(S0)` | On gfx9 to gfx13"
        ],
    );
    described(
        "gfx1100",
        "v_swap_b32_$0e64 v1, v2",
        expect!["Swaps two registers (32 bits): `D, S0 = S0, D` | On gfx9 to gfx13, without `_e64`"],
    );
    described(
        "gfx1200",
        "v_dot4_f32_$0fp8_bf8 v0, v1, v2, v3",
        expect![
            "v_dot4_f32_fp8_bf8 v0, v1, v2, v3 | Dot product of 4 elements (f32 from fp8 and bf8): `D = sum(S0[i] * S1[i]) + S2` | On gfx1170, gfx1171, gfx1172; gfx12 except gfx1250, gfx1251, gfx1250-strict"
        ],
    );
    described(
        "gfx900",
        "ds_write_$0addtid_b32 v8",
        expect![
            "ds_write_addtid_b32 v8 | Stores 4 bytes, at an address that includes the lane's number, to LDS | On gfx9 to gfx13"
        ],
    );
    described(
        "gfx700",
        "v_add_$0i32 v1, vcc, v2, v3",
        expect![
            "v_add_i32_e32 v1, vcc, v2, v3 | Adds with carry-out (i32): `D = S0 + S1; carry = overflow` | On gfx6 to gfx7; gfx9; gfx11 to gfx13"
        ],
    );
    described(
        "gfx900",
        "v_add_$0i32 v1, v2, v3",
        expect!["v_add_i32 v1, v2, v3 | Adds (i32): `D = S0 + S1` | On gfx6 to gfx7; gfx9; gfx11 to gfx13"],
    );
    described(
        "gfx900",
        "v_add_i32_$0e32 v1, v2, v3",
        expect![[r#"Adds with carry-out (i32): `D = S0 + S1; carry = overflow` | On gfx6 to gfx7"#]],
    );
}

#[test]
fn symbols_in_memory_sections_and_labels_are_described() {
    hovers(
        "gfx900",
        &[".amdgpu_lds lds$02, 12", ".reloc 0, R_AMDGPU_REL32, .da$0ta", "here$0:\ns_branch here", "i1$0=1"],
        expect![[r#"
            lds2 | Symbol `lds2`: `12` bytes of LDS, declared in line 2
            .data | The start of section `.data`
            here | Label `here` in line 2
            i1 | Symbol `i1` = `1` in line 2
        "#]],
    );
}

#[test]
fn a_file_may_begin_with_a_number() {
    at_cursor(Dialect::Amdgpu, "$03, v0\n", |view, at| {
        expect![[r#"
            `3` = `0x3`
        "#]]
        .assert_eq(&features::hover(view, at).map_or_else(String::new, |h| h.markdown));
    });
}
