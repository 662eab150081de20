//! Operands and modifiers at their limits: the last that is accepted, and the first that is not.

use expect_test::expect;

use crate::testing::marks;

#[test]
fn on_gfx11() {
    marks(
        "gfx1100",
        expect![[r#"
            v_mov_b32_dpp v0, v1 row_shl:1
            v_mov_b32_dpp v0, v1 row_shl:0
            ;                    ^^^^^^^^^ error[invalid-modifier]: `row_shl` must be between 1 and 15, is 0
            v_mov_b32_dpp v0, v1 row_shl:15
            v_mov_b32_dpp v0, v1 row_shl:16
            ;                    ^^^^^^^^^^ error[invalid-modifier]: `row_shl` must be between 1 and 15, is 16
            v_mov_b32_dpp v0, v1 row_shr:15
            v_mov_b32_dpp v0, v1 row_shr:16
            ;                    ^^^^^^^^^^ error[invalid-modifier]: `row_shr` must be between 1 and 15, is 16
            v_mov_b32_dpp v0, v1 row_ror:15
            v_mov_b32_dpp v0, v1 row_ror:16
            ;                    ^^^^^^^^^^ error[invalid-modifier]: `row_ror` must be between 1 and 15, is 16
            v_mov_b32_dpp v0, v1 row_share:0
            v_mov_b32_dpp v0, v1 row_share:15
            v_mov_b32_dpp v0, v1 row_share:16
            ;                    ^^^^^^^^^^^^ error[invalid-modifier]: `row_share` must be between 0 and 15, is 16
            v_mov_b32_dpp v0, v1 row_xmask:0
            v_mov_b32_dpp v0, v1 row_xmask:15
            v_mov_b32_dpp v0, v1 row_xmask:16
            ;                    ^^^^^^^^^^^^ error[invalid-modifier]: `row_xmask` must be between 0 and 15, is 16
            v_mov_b32_dpp v0, v1 row_bcast:15
            ;                    ^^^^^^^^^^^^ error[invalid-modifier]: `v_mov_b32_dpp` does not take `row_bcast:` on gfx1100; it does on gfx801, gfx900, gfx90a and 2 others
            v_mov_b32_dpp v0, v1 row_mirror row_mask:0xf bank_mask:0xf
            v_mov_b32_dpp v0, v1 row_mirror row_mask:16 bank_mask:0xf
            v_mov_b32_dpp v0, v1 row_mirror row_mask:0xf bank_mask:16
            v_mov_b32_dpp v0, v1 row_half_mirror bound_ctrl:1
            v_mov_b32_dpp v0, v1 quad_perm:[3,2,1,0]
            v_mov_b32_dpp v0, v1 quad_perm:[4,2,1,0]
            ;                    ^^^^^^^^^^^^^^^^^^^ error[invalid-modifier]: `quad_perm` takes numbers from 0 to 3, found 4
            v_mov_b32_dpp v0, v1 quad_perm:[3,2,1]
            ;                    ^^^^^^^^^^^^^^^^^ error[invalid-modifier]: `quad_perm` takes 4 numbers, found 3
            v_mov_b32_dpp v0, v1 dpp8:[7,6,5,4,3,2,1,0] fi:1
            v_mov_b32_dpp v0, v1 dpp8:[7,6,5,4,3,2,1]
            ;                    ^^^^^^^^^^^^^^^^^^^^ error[invalid-modifier]: `dpp8` takes 8 numbers, found 7
            s_getreg_b32 s0, hwreg(HW_REG_MODE, 31, 1)
            s_getreg_b32 s0, hwreg(HW_REG_MODE, 32, 1)
            ;                ^^^^^^^^^^^^^^^^^^^^^^^^^ error[invalid-operand]: the bit offset must be between 0 and 31, is 32
            s_getreg_b32 s0, hwreg(HW_REG_MODE, 0, 32)
            s_getreg_b32 s0, hwreg(HW_REG_MODE, 0, 33)
            ;                ^^^^^^^^^^^^^^^^^^^^^^^^^ error[invalid-operand]: the size must be between 1 and 32 bits, is 33
            s_getreg_b32 s0, hwreg(HW_REG_MODE, 0, 0)
            ;                ^^^^^^^^^^^^^^^^^^^^^^^^ error[invalid-operand]: the size must be between 1 and 32 bits, is 0
            s_getreg_b32 s0, hwreg(63)
            s_getreg_b32 s0, hwreg(64)
            ;                ^^^^^^^^^ error[invalid-operand]: the number of a hardware register must be between 0 and 63, is 64
            s_getreg_b32 s0, 0xffff
            s_getreg_b32 s0, 0x10000
            ;                ^^^^^^^ error[invalid-operand]: the number must be between 0 and 65535, is 0x10000
            s_sendmsg sendmsg(MSG_RTN_GET_DOORBELL)
            s_sendmsg sendmsg(255)
            s_sendmsg sendmsg(256)
            ;         ^^^^^^^^^^^^ error[invalid-operand]: the number of a message must be between 0 and 255, is 256
            s_sendmsg 0xffff
            s_sendmsg 0x10000
            ;         ^^^^^^^ error[invalid-operand]: the number must be between 0 and 65535, is 0x10000
            s_sendmsg_rtn_b32 s0, sendmsg(MSG_RTN_GET_DOORBELL)
            s_waitcnt vmcnt(63) expcnt(7) lgkmcnt(63)
            s_waitcnt vmcnt(64)
            ;         ^^^^^^^^^ error[invalid-operand]: `vmcnt` must be between 0 and 63 on gfx1100, is 64
            s_waitcnt expcnt(8)
            ;         ^^^^^^^^^ error[invalid-operand]: `expcnt` must be between 0 and 7 on gfx1100, is 8
            s_waitcnt lgkmcnt(64)
            ;         ^^^^^^^^^^^ error[invalid-operand]: `lgkmcnt` must be between 0 and 63 on gfx1100, is 64
            s_waitcnt 0xffff
            s_waitcnt 0x10000
            s_waitcnt_depctr depctr_va_vdst(15)
            s_waitcnt_depctr depctr_va_vdst(16)
            ;                ^^^^^^^^^^^^^^^^^^ error[invalid-operand]: `depctr_va_vdst` must be between 0 and 15, is 16
            s_waitcnt_depctr depctr_vm_vsrc(7) & depctr_sa_sdst(1)
            s_waitcnt_depctr depctr_sa_sdst(2)
            ;                ^^^^^^^^^^^^^^^^^ error[invalid-operand]: `depctr_sa_sdst` must be between 0 and 1, is 2
            s_delay_alu instid0(VALU_DEP_4) | instskip(SKIP_4) | instid1(SALU_CYCLE_3)
            s_delay_alu instskip(SKIP_5)
            ;           ^^^^^^^^^^^^^^^^ error[invalid-operand]: unknown value `SKIP_5` of `instskip`; expected one of SAME, NEXT, SKIP_1, SKIP_2, SKIP_3, SKIP_4
            s_delay_alu instid1(VALU_DEP_1)
            ds_swizzle_b32 v0, v1 offset:swizzle(QUAD_PERM, 3, 2, 1, 0)
            ds_swizzle_b32 v0, v1 offset:swizzle(BROADCAST, 32, 31)
            ds_swizzle_b32 v0, v1 offset:swizzle(BROADCAST, 2, 2)
            ;                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[invalid-modifier]: the lane must be at least 0 and less than the group size, is 2
            ds_swizzle_b32 v0, v1 offset:swizzle(BROADCAST, 64, 1)
            ;                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[invalid-modifier]: the group size must be a power of two from 2 to 32, is 64
            ds_swizzle_b32 v0, v1 offset:swizzle(SWAP, 16)
            ds_swizzle_b32 v0, v1 offset:swizzle(SWAP, 32)
            ;                     ^^^^^^^^^^^^^^^^^^^^^^^^ error[invalid-modifier]: the group size must be a power of two from 1 to 16, is 32
            ds_swizzle_b32 v0, v1 offset:swizzle(REVERSE, 32)
            ds_swizzle_b32 v0, v1 offset:swizzle(REVERSE, 64)
            ;                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[invalid-modifier]: the group size must be a power of two from 2 to 32, is 64
            ds_swizzle_b32 v0, v1 offset:swizzle(BITMASK_PERM, "01pi0")
            ds_swizzle_b32 v0, v1 offset:swizzle(BITMASK_PERM, "01pi")
            ;                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[invalid-modifier]: expected a mask of 5 characters, found 4
            ds_swizzle_b32 v0, v1 offset:swizzle(BITMASK_PERM, "01pix")
            ;                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[invalid-modifier]: a mask has the characters 0, 1, p and i, found "01pix"
            ds_swizzle_b32 v0, v1 offset:0xffff
            ds_swizzle_b32 v0, v1 offset:0x10000
            ;                     ^^^^^^^^^^^^^^ error[invalid-modifier]: `offset` must be between 0 and 65535, is 0x10000
            exp mrt0 v0, v1, v2, v3 done
            exp mrt7 v0, v0, v0, v0
            exp mrt8 v0, v0, v0, v0
            ;   ^^^^ error[invalid-modifier]: unknown export target `mrt8`
            exp pos4 v0, v0, v0, v0
            exp pos5 v0, v0, v0, v0
            ;   ^^^^ error[invalid-modifier]: unknown export target `pos5`
            exp param31 v0, v0, v0, v0
            ;   ^^^^^^^ error[invalid-modifier]: export target `param31` does not exist on gfx1100
            exp dual_src_blend1 v0, v0, v0, v0
            tbuffer_load_format_x v0, off, s[0:3], s0 format:[BUF_FMT_8_UNORM]
            ;                     ^^ warning[missing-wait]: missing `s_waitcnt expcnt(0)` before this write of `v0`
            ;                      = line 72:1: this operation reads it later
            ;                      = fix: s_waitcnt expcnt(0)
            tbuffer_load_format_x v0, off, s[0:3], s0 format:[BUF_FMT_32_32_32_32_FLOAT] offset:4095
            tbuffer_load_format_x v0, off, s[0:3], s0 format:127 offset:4096
            tbuffer_load_format_x v0, off, s[0:3], s0 format:128
            ;                                         ^^^^^^^^^^ error[invalid-modifier]: `format` must be between 0 and 127, is 128
            tbuffer_load_format_x v0, off, s[0:3], s0 format:[BUF_DATA_FORMAT_8,BUF_NUM_FORMAT_UINT]
            buffer_load_b32 v0, off, s[0:3], s0 offset:4095 glc dlc slc
            buffer_load_b32 v0, off, s[0:3], s0 offset:4096
            global_load_b32 v0, v[1:2], off offset:4095
            global_load_b32 v0, v[1:2], off offset:4096
            ;                               ^^^^^^^^^^^ error[operand-out-of-range]: the offset must be between -4096 and 4095, is 4096
            global_load_b32 v0, v[1:2], off offset:-4096
            global_load_b32 v0, v[1:2], off offset:-4097
            ;                               ^^^^^^^^^^^^ error[operand-out-of-range]: the offset must be between -4096 and 4095, is -4097
            flat_load_b32 v0, v[1:2] offset:4095
            flat_load_b32 v0, v[1:2] offset:-1
            ;                        ^^^^^^^^^ error[operand-out-of-range]: the offset must be between 0 and 4095, is -1
            scratch_load_b32 v0, v1, off offset:-4096
            ds_load_b32 v0, v1 offset:65535
            ;           ^^ warning[missing-wait]: missing `s_waitcnt vmcnt(0)` before this write of `v0`
            ;            = line 86:1: this operation writes it later
            ;            = fix: s_waitcnt vmcnt(0)
            ds_load_b32 v0, v1 offset:65536
            ;                  ^^^^^^^^^^^^ error[operand-out-of-range]: the offset must be between 0 and 65535, is 65536
            ds_load_2addr_b32 v[0:1], v2 offset0:255 offset1:256
            ;                                        ^^^^^^^^^^^ error[invalid-modifier]: `offset1` must be between 0 and 255, is 256
            s_load_b32 s0, s[2:3], 0xfffff
            s_load_b32 s0, s[2:3], 0x100000
            ;                      ^^^^^^^^ error[operand-out-of-range]: the offset must be between -1048576 and 1048575, is 0x100000
            s_load_b32 s0, s[2:3], -0x100000
            s_load_b32 s0, s[2:3], -0x100001
            ;                      ^^^^^^^^^ error[operand-out-of-range]: the offset must be between -1048576 and 1048575, is -0x100001
            s_buffer_load_b32 s0, s[4:7], -1
            ;                             ^^ error[operand-out-of-range]: the offset must be between 0 and 1048575, is -1
            v_add_f32_e64 v0, v1, v2 mul:2
            v_add_f32_e64 v0, v1, v2 mul:4 clamp
            ;                              ^^^^^ error[invalid-modifier]: `v_add_f32_e64` does not take `clamp` here
            v_add_f32_e64 v0, v1, v2 mul:8
            ;                        ^^^^^ error[invalid-modifier]: `mul` must be 1, 2 or 4, is 8
            v_add_f32_e64 v0, v1, v2 div:2
            v_add_f32_e64 v0, v1, v2 div:4
            ;                        ^^^^^ error[invalid-modifier]: `div` must be 1 or 2, is 4
            v_pk_add_f16 v0, v1, v2 op_sel:[1,0] op_sel_hi:[0,1] neg_lo:[1,0] neg_hi:[0,1]
            v_pk_add_f16 v0, v1, v2 op_sel:[2,0]
            ;                       ^^^^^^^^^^^^ error[invalid-modifier]: `op_sel` takes bits: 0 or 1, found 2
            v_pk_add_f16 v0, v1, v2 op_sel:[1,0,0]
            image_sample v[0:3], v[4:5], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D unorm tfe
            ;            ^^^^^^ error[invalid-operand]: `dmask` selects 5 registers, but the data operand has 4; did you mean `v[0:4]`?
            ;                 = guess: image_sample v[0:4], v[4:5], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D unorm tfe
            image_load v0, v1, s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_1D
            image_load v0, v1, s[0:7] dmask:0x10 dim:SQ_RSRC_IMG_1D
            image_load v0, v1, s[0:7] dmask:0x1 dim:7
            ;                                   ^^^^^ error[invalid-modifier]: expected an image dimension such as SQ_RSRC_IMG_2D, found 7
            image_load v0, v1, s[0:7] dmask:0x1 dim:8
            ;                                   ^^^^^ error[invalid-modifier]: expected an image dimension such as SQ_RSRC_IMG_2D, found 8
            image_load v0, v1, s[0:7] dmask:0x0 dim:1D
            v_interp_p10_f32 v0, v1, v2, v3 wait_exp:7
            v_interp_p10_f32 v0, v1, v2, v3 wait_exp:8
            ;                               ^^^^^^^^^^ error[invalid-modifier]: `wait_exp` must be between 0 and 7, is 8
            lds_param_load v0, attr32.w wait_vdst:15
            lds_param_load v0, attr33.w wait_vdst:16
            ;                  ^^^^^^^^ error[invalid-operand]: `attr33.w` is not an attribute: expected attr0 to attr32 with a channel, such as attr0.x
            s_nop 15
            s_nop 16
            s_setprio 3
            s_movk_i32 s0, 0xffff
            s_movk_i32 s0, 0x10000
            ;              ^^^^^^^ error[invalid-operand]: `s_movk_i32`: expected a 16-bit number, found 0x10000
            s_movk_i32 s0, -0x8000
            s_movk_i32 s0, -0x8001
            ;              ^^^^^^^ error[invalid-operand]: `s_movk_i32`: expected a 16-bit number, found -0x8001
            s_clause 62
            s_clause 64
        "#]],
    );
}

#[test]
fn on_gfx9() {
    marks(
        "gfx900",
        expect![[r#"
            v_mov_b32_dpp v0, v1 wave_shl:1
            v_mov_b32_dpp v0, v1 wave_shl:2
            ;                    ^^^^^^^^^^ error[invalid-modifier]: `wave_shl` must be 1, is 2
            v_mov_b32_dpp v0, v1 wave_ror:1
            v_mov_b32_dpp v0, v1 row_bcast:15
            v_mov_b32_dpp v0, v1 row_bcast:31
            v_mov_b32_dpp v0, v1 row_bcast:16
            ;                    ^^^^^^^^^^^^ error[invalid-modifier]: `row_bcast` must be 15 or 31, is 16
            v_mov_b32_dpp v0, v1 row_share:1
            ;                    ^^^^^^^^^^^ error[invalid-modifier]: `v_mov_b32_dpp` does not take `row_share:` on gfx900; it does on gfx1010, gfx1030, gfx1100 and 2 others
            v_mov_b32_dpp v0, v1 dpp8:[7,6,5,4,3,2,1,0]
            ;                    ^^^^^^^^^^^^^^^^^^^^^^ error[invalid-modifier]: `v_mov_b32_dpp` does not take `dpp8:` on gfx900; it does on gfx1010, gfx1030, gfx1100 and 2 others
            v_mov_b32_sdwa v0, v1 dst_sel:BYTE_3 dst_unused:UNUSED_SEXT src0_sel:WORD_1
            v_mov_b32_sdwa v0, v1 dst_sel:BYTE_4
            ;                     ^^^^^^^^^^^^^^ error[invalid-modifier]: unknown value `BYTE_4` of `dst_sel`; expected one of BYTE_0, BYTE_1, BYTE_2, BYTE_3, WORD_0, WORD_1, DWORD
            v_mov_b32_sdwa v0, v1 dst_unused:UNUSED_X
            ;                     ^^^^^^^^^^^^^^^^^^^ error[invalid-modifier]: unknown value `UNUSED_X` of `dst_unused`; expected one of UNUSED_PAD, UNUSED_SEXT, UNUSED_PRESERVE
            v_add_f32_sdwa v0, s1, v2 src0_sel:BYTE_0 src1_sel:DWORD
            s_waitcnt vmcnt(63)
            s_waitcnt vmcnt(64)
            ;         ^^^^^^^^^ error[invalid-operand]: `vmcnt` must be between 0 and 63 on gfx900, is 64
            s_waitcnt lgkmcnt(15)
            s_waitcnt lgkmcnt(16)
            ;         ^^^^^^^^^^^ error[invalid-operand]: `lgkmcnt` must be between 0 and 15 on gfx900, is 16
            s_sendmsg sendmsg(MSG_GS, GS_OP_EMIT_CUT, 3)
            s_sendmsg sendmsg(MSG_GS, GS_OP_EMIT_CUT, 4)
            ;         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[invalid-operand]: the stream of a message must be between 0 and 3, is 4
            s_sendmsg sendmsg(MSG_GS, GS_OP_NOP)
            ;         ^^^^^^^^^^^^^^^^^^^^^^^^^^ error[invalid-operand]: `MSG_GS` does not have `GS_OP_NOP`
            s_sendmsg sendmsg(MSG_GS_DONE, GS_OP_NOP)
            s_sendmsg sendmsg(MSG_SYSMSG, SYSMSG_OP_ECC_ERR_INTERRUPT)
            s_sendmsg sendmsg(MSG_SYSMSG, 7)
            ;         ^^^^^^^^^^^^^^^^^^^^^^ error[invalid-operand]: `MSG_SYSMSG` does not have operation 7
            s_sendmsg sendmsg(MSG_INTERRUPT, 1)
            ;         ^^^^^^^^^^^^^^^^^^^^^^^^^ error[invalid-operand]: `MSG_INTERRUPT` does not take an operation
            s_sendmsg sendmsg(15)
            s_sendmsg sendmsg(16)
            ;         ^^^^^^^^^^^ error[invalid-operand]: the number of a message must be between 0 and 15, is 16
            s_set_gpr_idx_on s0, gpr_idx(SRC0,SRC1,SRC2,DST)
            s_set_gpr_idx_on s0, gpr_idx(SRC0,SRC0)
            ;                    ^^^^^^^^^^^^^^^^^^ error[invalid-operand]: duplicate mode `SRC0` of gpr_idx
            s_set_gpr_idx_on s0, gpr_idx()
            s_set_gpr_idx_on s0, 15
            s_set_gpr_idx_on s0, 16
            ;                    ^^ error[invalid-operand]: the number must be between 0 and 15, is 16
            s_getreg_b32 s0, hwreg(HW_REG_TRAPSTS)
            s_getreg_b32 s0, hwreg(HW_REG_FLAT_SCR_LO)
            ;                ^^^^^^^^^^^^^^^^^^^^^^^^^ error[invalid-operand]: hardware register `HW_REG_FLAT_SCR_LO` does not exist on gfx900
            tbuffer_load_format_x v0, off, s[0:3], s0 format:[BUF_DATA_FORMAT_8,BUF_NUM_FORMAT_UINT]
            tbuffer_load_format_x v0, off, s[0:3], s0 dfmt:15 nfmt:7
            ;                                         ^^^^^^^ error[invalid-modifier]: `tbuffer_load_format_x` does not take `dfmt:` here
            tbuffer_load_format_x v0, off, s[0:3], s0 dfmt:16 nfmt:7
            ;                                         ^^^^^^^ error[invalid-modifier]: `tbuffer_load_format_x` does not take `dfmt:` here
            tbuffer_load_format_x v0, off, s[0:3], s0 dfmt:15 nfmt:8
            ;                                         ^^^^^^^ error[invalid-modifier]: `tbuffer_load_format_x` does not take `dfmt:` here
            global_load_dword v0, v[1:2], off offset:-4096
            global_load_dword v0, v[1:2], off offset:-4097
            ;                                 ^^^^^^^^^^^^ error[operand-out-of-range]: the offset must be between -4096 and 4095, is -4097
            flat_load_dword v0, v[1:2] offset:4095
            flat_load_dword v0, v[1:2] offset:4096
            ;                          ^^^^^^^^^^^ error[operand-out-of-range]: the offset must be between 0 and 4095, is 4096
            s_load_dword s0, s[2:3], 0x1fffff
            ;                        ^^^^^^^^ error[operand-out-of-range]: the offset must be between -1048576 and 1048575, is 0x1fffff
            s_load_dword s0, s[2:3], -1
            s_nop 15
            s_nop 16
            s_sleep 127
            v_interp_p1_f32 v0, v1, attr32.w
            v_interp_p1_f32 v0, v1, attr33.x
            ;                       ^^^^^^^^ error[invalid-operand]: `attr33.x` is not an attribute: expected attr0 to attr32 with a channel, such as attr0.x
            v_interp_mov_f32 v0, p20, attr0.x
            exp mrtz v0, v0, v0, off
            exp null off, off, off, off done vm
            exp pos3 v0, v0, v0, v0
            exp pos4 v0, v0, v0, v0
            ;   ^^^^ error[invalid-modifier]: export target `pos4` does not exist on gfx900
            exp param0 v0, v0, v0, v0 compr
            v_cmp_lt_f16_e32 vcc, 0x3118, v1
            v_add_f16_e32 v0, 0x3118, v1
            ;             ^^ warning[missing-wait]: missing `s_waitcnt expcnt(0)` before this write of `v0`
            ;              = line 53:1: this operation reads it later
            ;              = fix: s_waitcnt expcnt(0)
            v_add_f16_e64 v0, 0.15915494, v1
            v_add_f16_e64 v0, 0.1, v1
            ;                 ^^^ error[literal-not-allowed]: the VOP3 encoding, which these operands need, has no room for a literal on gfx900
            v_add_f16_e32 v0, 65504.0, v1
            v_add_f16_e32 v0, 65520.0, v1
            ;                 ^^^^^^^ error[invalid-operand]: `v_add_f16_e32` cannot represent `65520.0` in its literal
            v_add_f16_e32 v0, 0x12345, v1
            ;                 ^^^^^^^ error[invalid-operand]: a literal of `v_add_f16_e32` must fit in 16 bits
            v_add_f32_e32 v0, 0x123456789, v1
            ;                 ^^^^^^^^^^^ error[invalid-operand]: a literal of `v_add_f32_e32` must fit in 32 bits
            v_add_f64 v[0:1], 0.1, v[2:3]
            ;                 ^^^ error[literal-not-allowed]: the VOP3 encoding, which these operands need, has no room for a literal on gfx900
            v_add_f64 v[0:1], 0.5, v[2:3]
            v_add_u16_e64 v0, 64, v1
            v_add_u16_e64 v0, 65, v1
            ;                 ^^ error[literal-not-allowed]: the VOP3 encoding, which these operands need, has no room for a literal on gfx900
            v_add_u16_e64 v0, -16, v1
            v_add_u16_e64 v0, -17, v1
            ;                 ^^^ error[literal-not-allowed]: the VOP3 encoding, which these operands need, has no room for a literal on gfx900
        "#]],
    );
}
