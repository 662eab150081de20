//! What editors show about the numbers and words of program control, exports, images and cache policies.

use expect_test::expect;

use super::operand_tests::hovers;

#[test]
fn numbers_of_program_control() {
    hovers(
        "gfx1100",
        &[
            "s_nop $00",
            "s_nop $015",
            "s_nop $016",
            "s_sleep $01",
            "s_sleep $0127",
            "s_sleep $0128",
            "s_setprio $03",
            "s_setprio $04",
            "s_sethalt $00",
            "s_sethalt $01",
            "s_sethalt $02",
            "s_clause $00",
            "s_clause $062",
            "s_clause $064",
            "s_round_mode $00",
            "s_round_mode $01",
            "s_round_mode $00xe",
            "s_round_mode $00x10",
            "s_denorm_mode $00",
            "s_denorm_mode $01",
            "s_denorm_mode $00xe",
            "s_denorm_mode $00xf",
            "s_trap $02",
            "s_trap $0255",
            "s_trap $0256",
            "s_waitcnt_vscnt null, $00x3",
            "s_inst_prefetch $01",
            "s_endpgm $01",
        ],
        expect![[r#"
            0 | `simm16` = 0: Waits 1 cycle.
            15 | `simm16` = 15: Waits 16 cycles.
            16 | `simm16` = 16: Waits 1 cycle.
            1 | `simm16` = 1: Sleeps for about 64 cycles.
            127 | `simm16` = 127: Sleeps for about 8128 cycles.
            128 | `simm16` = 128: Sleeps for about 0 cycles.
            3 | `simm16` = 3: Priority 3 of 0 to 3.
            4 | `simm16` = 4: Priority 0 of 0 to 3.
            0 | `simm16` = 0: Resumes the wave.
            1 | `simm16` = 1: Halts the wave.
            2 | `simm16` = 2: Resumes the wave.
            0 | `simm16` = 0: The next instruction is a clause of its own.
            62 | `simm16` = 62: The next 63 instructions stay together.
            64 | `simm16` = 64: The next instruction is a clause of its own.
            0 | `simm16` = 0: f32 rounds nearest even, f64 and f16 round nearest even.
            1 | `simm16` = 1: f32 rounds toward +infinity, f64 and f16 round nearest even.
            0xe | `simm16` = 14: f32 rounds toward -infinity, f64 and f16 round toward zero.
            0x10 | `simm16` = 16: f32 rounds nearest even, f64 and f16 round nearest even.
            0 | `simm16` = 0: f32 flushes source and result denormals, f64 and f16 flush source and result denormals.
            1 | `simm16` = 1: f32 flushes result denormals, f64 and f16 flush source and result denormals.
            0xe | `simm16` = 14: f32 flushes source denormals, f64 and f16 keep denormals.
            0xf | `simm16` = 15: f32 keeps denormals, f64 and f16 keep denormals.
            2 | `simm16` = 2: Trap number 2.
            255 | `simm16` = 255: Trap number 255.
            256 | `simm16` = 256: Trap number 0.
            0x3 | `simm16` = 3: At most 3 may be outstanding. Vector memory stores that have not been written.
            1 | `simm16`, a 16-bit constant: 1 = `0x1`
            1 | `simm16`: 1 = `0x1`
        "#]],
    );
    hovers(
        "gfx700",
        &["s_nop $07", "s_nop $08"],
        expect![[r#"
        7 | `simm16` = 7: Waits 8 cycles.
        8 | `simm16` = 8: Waits 1 cycle.
    "#]],
    );
    hovers(
        "gfx1200",
        &[
            "s_wait_loadcnt $00x3",
            "s_wait_storecnt $00",
            "s_wait_dscnt $01",
            "s_wait_kmcnt $02",
            "s_wait_samplecnt $01",
            "s_wait_bvhcnt $01",
            "s_wait_expcnt $07",
            "s_wait_loadcnt_dscnt $00x102",
        ],
        expect![[r#"
            0x3 | `simm16` = 3: At most 3 may be outstanding. Vector memory loads that have not returned.
            0 | `simm16` = 0: At most 0 may be outstanding. Vector memory stores that have not been written.
            1 | `simm16` = 1: At most 1 may be outstanding. LDS operations that have not returned.
            2 | `simm16` = 2: At most 2 may be outstanding. Scalar memory operations and messages that have not returned.
            1 | `simm16` = 1: At most 1 may be outstanding. Image samples that have not returned.
            1 | `simm16` = 1: At most 1 may be outstanding. Ray intersections that have not returned.
            7 | `simm16` = 7: At most 7 may be outstanding. Exports and GDS accesses that have not read their registers.
            0x102 | `simm16`, a 16-bit constant: 258 = `0x102`
        "#]],
    );
}

#[test]
fn words_of_exports_and_images() {
    hovers(
        "gfx1100",
        &[
            "exp $0mrt0 v0, v1, v2, v3 done",
            "exp $0mrtz v0, v1, v2, v3",
            "exp $0pos3 v0, v1, v2, v3",
            "exp $0prim v0, off, off, off",
            "exp $0dual_src_blend1 v0, v1, v2, v3",
        ],
        expect![[r#"
            mrt0 | Render target 0.
            mrtz | Depth, stencil and coverage mask.
            pos3 | Position 3 of a vertex.
            prim | Primitive data.
            dual_src_blend1 | Source 1 of dual-source blending.
        "#]],
    );
    hovers(
        "gfx900",
        &["exp $0null off, off, off, off", "exp $0param4 v0, v1, v2, v3"],
        expect![[r#"
        null | Register `null`  Reads as 0; writes are dropped.
        param4 | Parameter 4 of a vertex.
    "#]],
    );
    hovers(
        "gfx1030",
        &[
            "image_load v0, v1, s[0:7] dmask:0x1 dim:$0SQ_RSRC_IMG_1D",
            "image_load v0, v1, s[0:7] dmask:0x1 dim:$0SQ_RSRC_IMG_2D",
            "image_load v0, v1, s[0:7] dmask:0x1 dim:$0SQ_RSRC_IMG_3D",
            "image_load v0, v1, s[0:7] dmask:0x1 dim:$0SQ_RSRC_IMG_CUBE",
            "image_load v0, v1, s[0:7] dmask:0x1 dim:$0SQ_RSRC_IMG_1D_ARRAY",
            "image_load v0, v1, s[0:7] dmask:0x1 dim:$0SQ_RSRC_IMG_2D_ARRAY",
            "image_load v0, v1, s[0:7] dmask:0x1 dim:$0SQ_RSRC_IMG_2D_MSAA",
            "image_load v0, v1, s[0:7] dmask:0x1 dim:$0SQ_RSRC_IMG_2D_MSAA_ARRAY",
        ],
        expect![[r#"
            SQ_RSRC_IMG_1D | `SQ_RSRC_IMG_1D`: A one-dimensional image.
            SQ_RSRC_IMG_2D | `SQ_RSRC_IMG_2D`: A two-dimensional image.
            SQ_RSRC_IMG_3D | `SQ_RSRC_IMG_3D`: A three-dimensional image.
            SQ_RSRC_IMG_CUBE | `SQ_RSRC_IMG_CUBE`: A cube map.
            SQ_RSRC_IMG_1D_ARRAY | `SQ_RSRC_IMG_1D_ARRAY`: A 1D array image.
            SQ_RSRC_IMG_2D_ARRAY | `SQ_RSRC_IMG_2D_ARRAY`: A 2D array image.
            SQ_RSRC_IMG_2D_MSAA | `SQ_RSRC_IMG_2D_MSAA`: A 2D multisampled image.
            SQ_RSRC_IMG_2D_MSAA_ARRAY | `SQ_RSRC_IMG_2D_MSAA_ARRAY`: A 2D multisampled array image.
        "#]],
    );
}

#[test]
fn words_of_cache_policies() {
    hovers(
        "gfx1200",
        &[
            "global_load_b32 v0, v[2:3], off th:$0TH_DEFAULT",
            "global_load_b32 v0, v[2:3], off th:$0TH_LOAD_RT",
            "global_load_b32 v0, v[2:3], off th:$0TH_LOAD_NT",
            "global_load_b32 v0, v[2:3], off th:$0TH_LOAD_HT",
            "global_load_b32 v0, v[2:3], off th:$0TH_LOAD_LU",
            "global_load_b32 v0, v[2:3], off th:$0TH_LOAD_BYPASS",
            "global_load_b32 v0, v[2:3], off th:$0TH_LOAD_NT_RT",
            "global_load_b32 v0, v[2:3], off th:$0TH_LOAD_RT_NT",
            "global_load_b32 v0, v[2:3], off th:$0TH_LOAD_NT_HT",
            "global_store_b32 v[2:3], v0, off th:$0TH_STORE_RT",
            "global_store_b32 v[2:3], v0, off th:$0TH_STORE_NT",
            "global_store_b32 v[2:3], v0, off th:$0TH_STORE_HT",
            "global_store_b32 v[2:3], v0, off th:$0TH_STORE_WB",
            "global_store_b32 v[2:3], v0, off th:$0TH_STORE_BYPASS",
            "global_store_b32 v[2:3], v0, off th:$0TH_STORE_NT_RT",
            "global_store_b32 v[2:3], v0, off th:$0TH_STORE_RT_NT",
            "global_store_b32 v[2:3], v0, off th:$0TH_STORE_NT_HT",
            "global_store_b32 v[2:3], v0, off th:$0TH_STORE_NT_WB",
            "global_atomic_add_u32 v0, v[2:3], v1, off th:$0TH_ATOMIC_RT",
            "global_atomic_add_u32 v0, v[2:3], v1, off th:$0TH_ATOMIC_RETURN",
            "global_atomic_add_u32 v0, v[2:3], v1, off th:$0TH_ATOMIC_NT",
            "global_atomic_add_u32 v0, v[2:3], v1, off th:$0TH_ATOMIC_NT_RETURN",
            "global_atomic_add_u32 v0, v[2:3], v1, off th:$0TH_ATOMIC_CASCADE_RT",
            "global_atomic_add_u32 v0, v[2:3], v1, off th:$0TH_ATOMIC_CASCADE_NT",
            "global_load_b32 v0, v[2:3], off scope:$0SCOPE_CU",
            "global_load_b32 v0, v[2:3], off scope:$0SCOPE_SE",
            "global_load_b32 v0, v[2:3], off scope:$0SCOPE_DEV",
            "global_load_b32 v0, v[2:3], off scope:$0SCOPE_SYS",
        ],
        expect![[r#"
            TH_DEFAULT | `TH_DEFAULT`: regular.
            TH_LOAD_RT | `TH_LOAD_RT`: regular.
            TH_LOAD_NT | `TH_LOAD_NT`: nontemporal: not used again soon.
            TH_LOAD_HT | `TH_LOAD_HT`: high temporal: used again soon.
            TH_LOAD_LU | `TH_LOAD_LU`: last use.
            TH_LOAD_BYPASS | `TH_LOAD_BYPASS`: bypasses the caches.
            TH_LOAD_NT_RT | `TH_LOAD_NT_RT`: Near caches, then far caches: nontemporal: not used again soon, regular.
            TH_LOAD_RT_NT | `TH_LOAD_RT_NT`: Near caches, then far caches: regular, nontemporal: not used again soon.
            TH_LOAD_NT_HT | `TH_LOAD_NT_HT`: Near caches, then far caches: nontemporal: not used again soon, high temporal: used again soon.
            TH_STORE_RT | `TH_STORE_RT`: regular.
            TH_STORE_NT | `TH_STORE_NT`: nontemporal: not used again soon.
            TH_STORE_HT | `TH_STORE_HT`: high temporal: used again soon.
            TH_STORE_WB | `TH_STORE_WB`: write back.
            TH_STORE_BYPASS | `TH_STORE_BYPASS`: bypasses the caches.
            TH_STORE_NT_RT | `TH_STORE_NT_RT`: Near caches, then far caches: nontemporal: not used again soon, regular.
            TH_STORE_RT_NT | `TH_STORE_RT_NT`: Near caches, then far caches: regular, nontemporal: not used again soon.
            TH_STORE_NT_HT | `TH_STORE_NT_HT`: Near caches, then far caches: nontemporal: not used again soon, high temporal: used again soon.
            TH_STORE_NT_WB | `TH_STORE_NT_WB`: Near caches, then far caches: nontemporal: not used again soon, write back.
            TH_ATOMIC_RT | `TH_ATOMIC_RT`: regular.
            TH_ATOMIC_RETURN | `TH_ATOMIC_RETURN`: returns the old value.
            TH_ATOMIC_NT | `TH_ATOMIC_NT`: nontemporal: not used again soon.
            TH_ATOMIC_NT_RETURN | `TH_ATOMIC_NT_RETURN`: nontemporal: not used again soon, returns the old value.
            TH_ATOMIC_CASCADE_RT | `TH_ATOMIC_CASCADE_RT`: atomics are combined, regular.
            TH_ATOMIC_CASCADE_NT | `TH_ATOMIC_CASCADE_NT`: atomics are combined, nontemporal: not used again soon.
            SCOPE_CU | `SCOPE_CU`: Coherent within the compute unit.
            SCOPE_SE | `SCOPE_SE`: Coherent within the shader engine.
            SCOPE_DEV | `SCOPE_DEV`: Coherent within the device.
            SCOPE_SYS | `SCOPE_SYS`: Coherent within the system.
        "#]],
    );
}

#[test]
fn registers_with_names() {
    hovers(
        "gfx1030",
        &[
            "s_mov_b32 s0, $0m0",
            "s_mov_b64 s[0:1], $0vcc",
            "s_mov_b32 s0, $0vcc_lo",
            "s_mov_b32 s0, $0vcc_hi",
            "s_mov_b64 s[0:1], $0exec",
            "s_mov_b32 s0, $0exec_lo",
            "s_mov_b32 s0, $0exec_hi",
            "s_mov_b32 s0, $0null",
            "s_mov_b32 s0, $0src_shared_base",
            "s_mov_b32 s0, $0src_private_limit",
            "s_mov_b32 s0, $0src_scc",
            "s_mov_b32 s0, $0src_vccz",
            "s_mov_b32 s0, $0src_execz",
            "s_mov_b32 s0, $0src_lds_direct",
            "s_mov_b32 s0, $0scc",
            "s_mov_b32 s0, $0flat_scratch_lo",
            "s_mov_b32 s0, $0ttmp3",
        ],
        expect![[r#"
            m0 | `m0`, read here  - has a value when the function starts - read in line 2  Memory register: LDS limits and offsets, message payloads, indexes of relative moves. What an instruction takes it for is in its description.
            vcc | `vcc`, 2 registers, read here  - has a value when the function starts - read in line 2  Vector condition code: a lane mask. Vector comparisons write it, `v_cndmask` and additions with carry read it; bit n belongs to lane n. In wave32 only `vcc_lo` is used.
            vcc_lo | `vcc_lo`, read here  - has a value when the function starts - read in line 2  Vector condition code: a lane mask. Vector comparisons write it, `v_cndmask` and additions with carry read it; bit n belongs to lane n. In wave32 only `vcc_lo` is used.
            vcc_hi | `vcc_hi`, read here  - has a value when the function starts - read in line 2  Vector condition code: a lane mask. Vector comparisons write it, `v_cndmask` and additions with carry read it; bit n belongs to lane n. In wave32 only `vcc_lo` is used.
            exec | `exec`, 2 registers, read here  - has a value when the function starts - read in line 2  The mask of active lanes: a vector instruction or memory operation has an effect only in the lanes whose bit is 1. Divergent control flow narrows it and restores it. In wave32 only `exec_lo` is used.
            exec_lo | `exec_lo`, read here  - has a value when the function starts - read in line 2  The mask of active lanes: a vector instruction or memory operation has an effect only in the lanes whose bit is 1. Divergent control flow narrows it and restores it. In wave32 only `exec_lo` is used.
            exec_hi | `exec_hi`, read here  - has a value when the function starts - read in line 2  The mask of active lanes: a vector instruction or memory operation has an effect only in the lanes whose bit is 1. Divergent control flow narrows it and restores it. In wave32 only `exec_lo` is used.
            null | Register `null`  Reads as 0; writes are dropped.
            src_shared_base | `src_shared_base`, 2 registers, read here  - has a value when the function starts - read in line 2  Base of LDS in the flat address space.
            src_private_limit | `src_private_limit`, 2 registers, read here  - has a value when the function starts - read in line 2  End of scratch memory in the flat address space.
            src_scc | `src_scc`, read here  - has a value when the function starts - read in line 2  Scalar condition code: one bit. Scalar comparisons write their result, additions their carry, bitwise operations whether the result is not 0; `s_cbranch_scc0`, `s_cbranch_scc1` and `s_cselect` read it.
            src_vccz | `src_vccz`, read here  - has a value when the function starts - read in line 2  Set when `vcc` is 0.
            src_execz | `src_execz`, read here  - has a value when the function starts - read in line 2  Set when `exec` is 0.
            src_lds_direct | Register `src_lds_direct`  A value of LDS at the address in `m0`.
            scc | `src_scc`, read here  - has a value when the function starts - read in line 2  Scalar condition code: one bit. Scalar comparisons write their result, additions their carry, bitwise operations whether the result is not 0; `s_cbranch_scc0`, `s_cbranch_scc1` and `s_cselect` read it.
            flat_scratch_lo | Register `flat_scratch_lo`  Base of scratch memory.
            ttmp3 | `ttmp3`, read here  - has a value when the function starts - read in line 2  Trap temporary: what the trap handler works with; kernels may only read it.
        "#]],
    );
    hovers(
        "gfx900",
        &[
            "s_mov_b32 s0, $0flat_scratch_lo",
            "s_mov_b32 s0, $0xnack_mask_hi",
            "s_mov_b32 s0, $0src_pops_exiting_wave_id",
        ],
        expect![[r#"
            flat_scratch_lo | `flat_scratch_lo`, read here  - has a value when the function starts - read in line 2  Base of scratch memory.
            xnack_mask_hi | `xnack_mask_hi`, read here  - has a value when the function starts - read in line 2  Lanes whose memory access must be replayed.
            src_pops_exiting_wave_id | `src_pops_exiting_wave_id`, read here  - has a value when the function starts - read in line 2  Number of the wave that leaves the ordered section.
        "#]],
    );
}
