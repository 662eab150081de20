//! What the words in operands mean: modifiers, counters, messages, hardware registers, controls.

use wavelens_isa::Target;

type Entry = (&'static str, &'static str);

fn look(table: &[Entry], word: &str) -> Option<&'static str> {
    table.iter().find(|e| e.0 == word).map(|e| e.1)
}

/// Modifiers and bare words of operands.
#[rustfmt::skip]
const WORDS: &[Entry] = &[
    ("off", "No register: the address comes from the other operands alone, or the export skips this component."),
    ("clamp", "Clamps the result: floating point to 0.0 to 1.0, integers to their range instead of wrapping."),
    ("mul", "Multiplies the result by 2 or 4 (output modifier)."),
    ("div", "Divides the result by 2 (output modifier)."),
    ("op_sel", "Selects the high half of 16-bit operands: one bit for each source, then one for the result."),
    ("op_sel_hi", "Which half of each source feeds the high result of a packed operation; 1 is the high half."),
    ("neg_lo", "Negates each source for the low result of a packed operation."),
    ("neg_hi", "Negates each source for the high result of a packed operation."),
    ("neg", "Negates a source."),
    ("abs", "Absolute value of a source; applied before `neg`."),
    ("sext", "Extends the sign of the selected bytes of a source."),
    ("lit", "Encodes the number as a literal even if an inline constant exists."),
    ("lit64", "Encodes the number as a 64-bit literal."),
    ("offset", "A number of bytes added to the address."),
    ("inst_offset", "A number of bytes added to the address."),
    ("offset0", "Offset of the first value, in elements (or in 64 elements with `st64`)."),
    ("offset1", "Offset of the second value, in elements (or in 64 elements with `st64`)."),
    ("offen", "The offset register is a vector register: `vaddr` holds bytes."),
    ("idxen", "The index is a vector register: `vaddr` holds element numbers, scaled by the stride of the buffer."),
    ("addr64", "The address register is a pair that holds a 64-bit address."),
    ("lds", "The loaded data goes to LDS at the address in `m0`."),
    ("gds", "The instruction works on global data share (GDS) instead of LDS."),
    ("tfe", "Texture fail: one more result register receives whether the access failed."),
    ("lwe", "LOD warning: one more result register receives whether a texel was not resident."),
    ("da", "The image is an array."),
    ("unorm", "Coordinates are not normalized: they count texels."),
    ("r128", "The resource descriptor has 128 bits."),
    ("a16", "Addresses are 16-bit values, two in a register."),
    ("d16", "Data is 16-bit values."),
    ("dmask", "Which of the four components are transferred: bit 0 is x, bit 3 is w."),
    ("dim", "The dimensions of the image."),
    ("format", "The format of an element of a typed buffer."),
    ("dfmt", "The data format of an element of a typed buffer."),
    ("nfmt", "The numeric format of an element of a typed buffer."),
    ("glc", "Globally coherent: bypasses the cache of the compute unit; for atomics, returns the old value."),
    ("slc", "System level coherent: streaming access in the L2 cache."),
    ("dlc", "Device level coherent: bypasses the L1 cache of the shader array."),
    ("scc", "System coherence."),
    ("sc0", "Scope bit 0: with `sc1`, the scope is wave (neither), workgroup (sc0), agent (sc1) or system (both); for atomics, returns the old value."),
    ("sc1", "Scope bit 1: with `sc0`, the scope is wave (neither), workgroup (sc0), agent (sc1) or system (both)."),
    ("nt", "Nontemporal: the data is not expected to be used again soon."),
    ("nv", "The memory is not volatile."),
    ("th", "Temporal hint: how long the data is expected to stay useful in the caches."),
    ("scope", "The scope of coherence: which caches must see the access."),
    ("scale_offset", "The offset register counts elements: it is scaled by the size of the data."),
    ("done", "The last export of this kind by the wave."),
    ("vm", "The export's `exec` mask is the valid mask of pixels."),
    ("compr", "Data is compressed: two 16-bit values in a register."),
    ("row_en", "The row number of the export is in `m0`."),
    ("high", "Interpolates into or from the high half."),
    ("p10", "The parameter P1 - P0."),
    ("p20", "The parameter P2 - P0."),
    ("p0", "The parameter P0."),
    ("quad_perm", "DPP: permutes the four lanes of each quad; the numbers name the source lane of each."),
    ("row_shl", "DPP: reads from the lane this many places higher in the row of 16."),
    ("row_shr", "DPP: reads from the lane this many places lower in the row of 16."),
    ("row_ror", "DPP: rotates the lanes of each row of 16 to the right."),
    ("row_mirror", "DPP: reverses the lanes of each row of 16."),
    ("row_half_mirror", "DPP: reverses the lanes of each half row of 8."),
    ("row_share", "DPP: all lanes of a row of 16 read this lane of the row."),
    ("row_newbcast", "DPP: all lanes of a row of 16 read this lane of the row."),
    ("row_xmask", "DPP: lane numbers within the row are combined with this mask by exclusive or."),
    ("row_bcast", "DPP: the last lane of each row (15) or of the first half (31) is broadcast to the next row."),
    ("wave_shl", "DPP: shifts the lanes of the wave left by 1."),
    ("wave_shr", "DPP: shifts the lanes of the wave right by 1."),
    ("wave_rol", "DPP: rotates the lanes of the wave left by 1."),
    ("wave_ror", "DPP: rotates the lanes of the wave right by 1."),
    ("row_mask", "DPP: rows that are written, one bit for each row of 16; other rows keep the result register."),
    ("bank_mask", "DPP: banks that are written, one bit for each group of 4 lanes in a row; others keep the result register."),
    ("bound_ctrl", "DPP: lanes that would read outside of their row or from an inactive lane read 0 instead of keeping the result."),
    ("fi", "DPP: reads inactive lanes too (fetch inactive)."),
    ("dpp8", "DPP: permutes each group of 8 lanes; the numbers name the source lane of each."),
    ("dst_sel", "SDWA: which part of the result register is written."),
    ("src0_sel", "SDWA: which part of the first source is read."),
    ("src1_sel", "SDWA: which part of the second source is read."),
    ("dst_unused", "SDWA: what happens to the bits of the result register that are not selected."),
    ("cbsz", "Matrix: broadcasts one block of A to 2 ** cbsz blocks; for some types, the format of A."),
    ("abid", "Matrix: which block of A is broadcast."),
    ("blgp", "Matrix: the pattern of lanes of B, or the negated sources of f64; for some types, the format of B."),
    ("bitop3", "The truth table: bit (4 * S0 + 2 * S1 + S2) is the result for those bits."),
    ("byte_sel", "Which byte of the register is read or written."),
    ("scale_sel", "Which scale of the register is used."),
    ("index_key", "Which indexes of the register are used by the sparse matrix instruction."),
    ("matrix_a_fmt", "The format of the elements of A."),
    ("matrix_b_fmt", "The format of the elements of B."),
    ("matrix_a_scale", "Which row of scales is used for A."),
    ("matrix_b_scale", "Which row of scales is used for B."),
    ("matrix_a_scale_fmt", "The format of the scales of A."),
    ("matrix_b_scale_fmt", "The format of the scales of B."),
    ("matrix_a_reuse", "A is the same as in the previous matrix instruction."),
    ("matrix_b_reuse", "B is the same as in the previous matrix instruction."),
    ("wait_exp", "Waits until at most this many exports are outstanding."),
    ("wait_vdst", "Waits until at most this many vector instructions have not written their results."),
    ("wait_va_vdst", "Waits until at most this many vector instructions have not written their results."),
    ("wait_vm_vsrc", "0 waits until memory instructions have read their registers."),
];

/// Values of modifiers, and arguments of calls.
#[rustfmt::skip]
const VALUES: &[Entry] = &[
    ("BYTE_0", "Bits 7:0."), ("BYTE_1", "Bits 15:8."), ("BYTE_2", "Bits 23:16."), ("BYTE_3", "Bits 31:24."),
    ("WORD_0", "Bits 15:0."), ("WORD_1", "Bits 31:16."), ("DWORD", "All 32 bits."),
    ("UNUSED_PAD", "The other bits become 0."),
    ("UNUSED_SEXT", "The bits above are filled with the sign, the bits below become 0."),
    ("UNUSED_PRESERVE", "The other bits keep their old value."),
    ("SCOPE_CU", "Coherent within the compute unit."),
    ("SCOPE_SE", "Coherent within the shader engine."),
    ("SCOPE_DEV", "Coherent within the device."),
    ("SCOPE_SYS", "Coherent within the system."),
    ("QUAD_PERM", "Permutes the lanes of each quad."),
    ("BITMASK_PERM", "Changes the bits of the lane number: 0, 1, p (keep), i (invert), from bit 4 down."),
    ("BROADCAST", "Broadcasts a lane within each group: size of the group, lane."),
    ("REVERSE", "Reverses the lanes of each group: size of the group."),
    ("SWAP", "Swaps neighbouring groups: size of the group."),
    ("FFT", "Exchanges lanes for a fast Fourier transform."),
    ("ROTATE", "Rotates the lanes of each group: direction (0 left, 1 right), distance."),
    ("NO_DEP", "No dependency."),
    ("SAME", "`instid1` is about the same instruction as `instid0`."),
    ("NEXT", "`instid1` is about the next instruction after that of `instid0`."),
    ("FMA_ACCUM_CYCLE_1", "One cycle between fused multiply-adds that accumulate."),
    ("SRC0", "The first source is indexed."), ("SRC1", "The second source is indexed."),
    ("SRC2", "The third source is indexed."), ("DST", "The destination is indexed."),
    ("swizzle", "The pattern by which lanes exchange values."),
];

/// Counters of wait instructions.
#[rustfmt::skip]
const COUNTERS: &[Entry] = &[
    ("vmcnt", "Vector memory: loads (and, before gfx10, stores) that have not returned."),
    ("expcnt", "Exports and GDS accesses that have not read their registers."),
    ("lgkmcnt", "LDS, GDS, scalar memory (constants) and messages that have not returned."),
    ("vscnt", "Vector memory stores that have not been written."),
    ("loadcnt", "Vector memory loads that have not returned."),
    ("samplecnt", "Image samples that have not returned."),
    ("bvhcnt", "Ray intersections that have not returned."),
    ("storecnt", "Vector memory stores that have not been written."),
    ("dscnt", "LDS operations that have not returned."),
    ("kmcnt", "Scalar memory operations and messages that have not returned."),
    ("asynccnt", "Asynchronous transfers between memory and LDS that have not ended."),
    ("tensorcnt", "Tensor transfers that have not ended."),
    ("xcnt", "Memory instructions whose addresses are not translated yet."),
    ("depctr_hold_cnt", "Instructions that hold back others."),
    ("depctr_sa_sdst", "Scalar results that are not written."),
    ("depctr_va_vdst", "Vector instructions whose vector results are not written."),
    ("depctr_va_sdst", "Vector instructions whose scalar results are not written."),
    ("depctr_va_ssrc", "Vector instructions that have not read their scalar sources."),
    ("depctr_va_vcc", "Vector instructions whose results in `vcc` are not written."),
    ("depctr_vm_vsrc", "Memory instructions that have not read their vector registers."),
];

/// Messages of `s_sendmsg`.
#[rustfmt::skip]
const MESSAGES: &[Entry] = &[
    ("MSG_INTERRUPT", "Raises an interrupt of the host; `m0` holds the payload."),
    ("MSG_GS", "Geometry shader message."),
    ("MSG_GS_DONE", "The geometry shader is done."),
    ("MSG_SAVEWAVE", "Asks for a save of the wave."),
    ("MSG_STALL_WAVE_GEN", "Stops the generation of waves."),
    ("MSG_HALT_WAVES", "Halts all waves."),
    ("MSG_ORDERED_PS_DONE", "The ordered section of the pixel shader is done."),
    ("MSG_EARLY_PRIM_DEALLOC", "Frees space of primitives early."),
    ("MSG_GS_ALLOC_REQ", "Asks for space for vertices and primitives; `m0` holds the numbers."),
    ("MSG_GET_DOORBELL", "Asks for the doorbell number."),
    ("MSG_GET_DDID", "Asks for the number of the draw or dispatch."),
    ("MSG_HS_TESSFACTOR", "Tells which tessellation factors are all 0 or 1."),
    ("MSG_DEALLOC_VGPRS", "Frees the wave's vector registers before its end; stores may still be outstanding."),
    ("MSG_SYSMSG", "System message; the operation tells which."),
    ("MSG_RTN_GET_DOORBELL", "Returns the doorbell number."),
    ("MSG_RTN_GET_DDID", "Returns the number of the draw or dispatch."),
    ("MSG_RTN_GET_TMA", "Returns the trap memory address."),
    ("MSG_RTN_GET_REALTIME", "Returns the constant-rate clock."),
    ("MSG_RTN_SAVE_WAVE", "Tells that the wave is ready to be saved."),
    ("MSG_RTN_GET_TBA", "Returns the trap handler's address."),
    ("MSG_RTN_GET_TBA_TO_PC", "Jumps to the trap handler."),
    ("MSG_RTN_GET_SE_AID_ID", "Returns the numbers of the shader engine and the die."),
    ("MSG_RTN_GET_CLUSTER_BARRIER_STATE", "Returns the state of the cluster's barrier."),
    ("MSG_SAVEWAVE_HAS_TDM", "The saved wave has tensor transfers."),
    ("GS_OP_NOP", "Nothing."), ("GS_OP_CUT", "Ends the primitive strip."), ("GS_OP_EMIT", "Emits a vertex."),
    ("GS_OP_EMIT_CUT", "Emits a vertex and ends the primitive strip."),
    ("SYSMSG_OP_ECC_ERR_INTERRUPT", "Reports an ECC error."), ("SYSMSG_OP_REG_RD", "Answers the read of a register."),
    ("SYSMSG_OP_HOST_TRAP_ACK", "Acknowledges a trap by the host."), ("SYSMSG_OP_TTRACE_PC", "Sends the program counter to the thread trace."),
];

/// Registers with names of their own, without `src_`, `_lo` and `_hi`.
#[rustfmt::skip]
const NAMED: &[Entry] = &[
    ("vcc", "Vector condition code: a lane mask. Vector comparisons write it, `v_cndmask` and additions with carry read it; bit n belongs to lane n. In wave32 only `vcc_lo` is used."),
    ("exec", "The mask of active lanes: a vector instruction or memory operation has an effect only in the lanes whose bit is 1. Divergent control flow narrows it and restores it. In wave32 only `exec_lo` is used."),
    ("m0", "Memory register: LDS limits and offsets, message payloads, indexes of relative moves. What an instruction takes it for is in its description."),
    ("scc", "Scalar condition code: one bit. Scalar comparisons write their result, additions their carry, bitwise operations whether the result is not 0; `s_cbranch_scc0`, `s_cbranch_scc1` and `s_cselect` read it."),
    ("mode", "Floating-point modes: round (bits 3:0), denormals (bits 7:4), DX10 clamp, IEEE, exceptions."),
    ("vccz", "Set when `vcc` is 0."),
    ("execz", "Set when `exec` is 0."),
    ("null", "Reads as 0; writes are dropped."),
    ("flat_scratch", "Base of scratch memory."),
    ("flat_scratch_base", "Base of scratch memory in the flat address space."),
    ("xnack_mask", "Lanes whose memory access must be replayed."),
    ("lds_direct", "A value of LDS at the address in `m0`."),
    ("ttmp", "Trap temporary: what the trap handler works with; kernels may only read it."),
    ("tba", "Trap handler's address."),
    ("tma", "Trap memory address."),
    ("shared_base", "Base of LDS in the flat address space."),
    ("shared_limit", "End of LDS in the flat address space."),
    ("private_base", "Base of scratch memory in the flat address space."),
    ("private_limit", "End of scratch memory in the flat address space."),
    ("pops_exiting_wave_id", "Number of the wave that leaves the ordered section."),
];

/// Hardware registers, without `HW_REG_` and `WAVE_`.
#[rustfmt::skip]
const REGISTERS: &[Entry] = &[
    ("MODE", "Floating-point modes: round (bits 3:0), denormals (bits 7:4), DX10 clamp, IEEE, exceptions."),
    ("STATUS", "Status of the wave: `scc`, priority, halt, `execz`, `vccz`, trap and debug state."),
    ("TRAPSTS", "Exceptions that occurred, and the trap state."),
    ("STATE_PRIV", "Privileged state of the wave."),
    ("EXCP_FLAG_PRIV", "Privileged exception flags."), ("EXCP_FLAG_USER", "Exception flags of floating-point operations."),
    ("TRAP_CTRL", "Which exceptions trap."),
    ("HW_ID", "Where the wave runs: wave slot, SIMD, compute unit, shader engine."),
    ("HW_ID1", "Where the wave runs: wave slot, SIMD, workgroup processor, shader array, shader engine."),
    ("HW_ID2", "Which queue, pipe and process the wave belongs to."),
    ("GPR_ALLOC", "Base and size of the wave's registers."), ("LDS_ALLOC", "Base and size of the workgroup's LDS."),
    ("IB_STS", "Counters of outstanding operations and the state of the instruction buffer."),
    ("IB_STS2", "More of the state of the instruction buffer."),
    ("SH_MEM_BASES", "Apertures of LDS (shared) and scratch (private) in the flat address space."),
    ("TBA_LO", "Trap handler's address, low half."), ("TBA_HI", "Trap handler's address, high half."),
    ("TMA_LO", "Trap memory address, low half."), ("TMA_HI", "Trap memory address, high half."),
    ("FLAT_SCR_LO", "Base of scratch memory, low half."), ("FLAT_SCR_HI", "Base of scratch memory, high half."),
    ("SCRATCH_BASE_LO", "Base of scratch memory, low half."), ("SCRATCH_BASE_HI", "Base of scratch memory, high half."),
    ("XNACK_MASK", "Lanes whose memory access must be replayed."),
    ("POPS_PACKER", "Packer of ordered pixel shading."),
    ("SHADER_CYCLES", "Cycle counter of the shader."), ("SHADER_CYCLES_LO", "Cycle counter, low half."),
    ("SHADER_CYCLES_HI", "Cycle counter, high half."),
    ("SCHED_MODE", "Mode of the scheduler."),
    ("DVGPR_ALLOC_LO", "Dynamic vector registers, low half."), ("DVGPR_ALLOC_HI", "Dynamic vector registers, high half."),
    ("XCC_ID", "Number of the accelerator die."),
];

/// What a word of an operand means: a modifier, a flag or a register-like word.
pub(super) fn word(word: &str) -> Option<&'static str> {
    look(WORDS, word).or_else(|| look(WORDS, word.strip_prefix("no")?))
}

pub(super) fn counter(name: &str) -> Option<&'static str> {
    look(COUNTERS, name.strip_suffix("_sat").unwrap_or(name))
}

/// What an argument of a call or the value of a modifier means.
pub(super) fn value(word: &str) -> Option<String> {
    let plain = look(VALUES, word).or_else(|| look(MESSAGES, word)).map(str::to_owned);
    plain
        .or_else(|| hardware_register(word))
        .or_else(|| delay(word))
        .or_else(|| hint(word))
        .or_else(|| dimension(word))
}

fn hardware_register(word: &str) -> Option<String> {
    let name = word.strip_prefix("HW_REG_")?;
    let name = name.strip_prefix("WAVE_").unwrap_or(name);
    let known = look(REGISTERS, name).map(str::to_owned);
    let snapshot = name.contains("PERF_SNAPSHOT").then(|| "Sample of the performance snapshot.".to_owned());
    known.or(snapshot)
}

/// `VALU_DEP_1`, `SKIP_2`.
fn delay(word: &str) -> Option<String> {
    let number = |prefix: &str| word.strip_prefix(prefix)?.parse::<u32>().ok();
    let back = |n: u32, kind: &str| match n {
        1 => format!("Depends on the previous {kind} instruction."),
        n => format!("Depends on the {kind} instruction {n} before this one."),
    };
    if let Some(n) = number("VALU_DEP_") {
        return Some(back(n, "vector"));
    }
    if let Some(n) = number("TRANS32_DEP_") {
        return Some(back(n, "transcendental"));
    }
    if let Some(n) = number("SALU_CYCLE_") {
        return Some(format!("Waits {n} cycle{} for a scalar instruction.", if n == 1 { "" } else { "s" }));
    }
    let n = number("SKIP_")?;
    Some(format!("`instid1` is about the instruction after that of `instid0`, with {n} between them."))
}

/// `TH_LOAD_NT_HT`.
fn hint(word: &str) -> Option<String> {
    let rest = word.strip_prefix("TH_")?;
    let (kind, hints) = rest.split_once('_').unwrap_or(("", rest));
    let one = |hint: &str| {
        Some(match hint {
            "DEFAULT" | "RT" => "regular",
            "NT" => "nontemporal: not used again soon",
            "HT" => "high temporal: used again soon",
            "LU" => "last use",
            "WB" => "write back",
            "BYPASS" => "bypasses the caches",
            "RETURN" => "returns the old value",
            "CASCADE" => "atomics are combined",
            _ => return None,
        })
    };
    let parts: Option<Vec<&str>> = hints.split('_').map(one).collect();
    let near = match kind {
        "LOAD" | "STORE" if hints.contains('_') => "Near caches, then far caches: ",
        _ => "",
    };
    Some(format!("{near}{}.", parts?.join(", ")))
}

fn dimension(word: &str) -> Option<String> {
    let name = word.strip_prefix("SQ_RSRC_IMG_")?;
    Some(match name {
        "1D" => "A one-dimensional image.".to_owned(),
        "2D" => "A two-dimensional image.".to_owned(),
        "3D" => "A three-dimensional image.".to_owned(),
        "CUBE" => "A cube map.".to_owned(),
        _ => format!("A {} image.", name.replace("_ARRAY", " array").replace("_MSAA", " multisampled")),
    })
}

/// What a register with a name of its own holds.
pub(super) fn register(reg: wavelens_isa::Reg) -> Option<&'static str> {
    named_register(&reg.name())
}

/// What a register holds, by its name in assembly or in Machine IR: `exec_lo`, `sgpr_null`, `vcc_hi_lo16`.
pub(crate) fn named_register(name: &str) -> Option<&'static str> {
    let half =
        |name: &'_ str, ends: [&str; 2]| ends.iter().find_map(|end| name.strip_suffix(end)).map(str::len);
    let cut = |name: &'_ str, ends| half(name, ends).unwrap_or(name.len());
    let name = name.get(..cut(name, ["_lo16", "_hi16"]))?;
    let name = name.get(..cut(name, ["_lo", "_hi"]))?;
    let name = name.strip_prefix("src_").or_else(|| name.strip_prefix("sgpr_")).unwrap_or(name);
    match name {
        "flat_scr" => look(NAMED, "flat_scratch"),
        "null64" => look(NAMED, "null"),
        _ if name.starts_with("ttmp") => look(NAMED, "ttmp"),
        _ => look(NAMED, name),
    }
}

/// An export target such as `mrt0`.
pub(super) fn export_target(word: &str) -> Option<String> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (kind, number) = word.split_at(digits);
    Some(match kind {
        "mrt" => format!("Render target {number}."),
        "mrtz" => "Depth, stencil and coverage mask.".to_owned(),
        "null" => "No target.".to_owned(),
        "pos" => format!("Position {number} of a vertex."),
        "param" => format!("Parameter {number} of a vertex."),
        "prim" => "Primitive data.".to_owned(),
        "dual_src_blend" => format!("Source {number} of dual-source blending."),
        _ => return None,
    })
}

/// What the number after a scalar program-control instruction does.
pub(super) fn control(target: Target, mnemonic: &str, value: i64) -> Option<String> {
    let low = |bits: u32| value & ((1 << bits) - 1);
    Some(match mnemonic {
        "s_nop" => {
            let n = low(target.facts().nop_bits) + 1;
            format!("Waits {n} cycle{}.", if n == 1 { "" } else { "s" })
        }
        "s_sleep" => format!("Sleeps for about {} cycles.", 64 * low(7)),
        "s_setprio" => format!("Priority {} of 0 to 3.", low(2)),
        "s_sethalt" => if low(1) == 1 { "Halts the wave." } else { "Resumes the wave." }.to_owned(),
        "s_clause" => match low(6) + 1 {
            1 => "The next instruction is a clause of its own.".to_owned(),
            count => format!("The next {count} instructions stay together."),
        },
        "s_round_mode" => {
            const MODES: [&str; 4] = ["nearest even", "toward +infinity", "toward -infinity", "toward zero"];
            let mode = |bits: i64| MODES.get(bits as usize & 3).copied().unwrap_or_default();
            format!("f32 rounds {}, f64 and f16 round {}.", mode(value), mode(value >> 2))
        }
        "s_denorm_mode" => {
            const MODES: [&str; 4] = [
                "flushes source and result denormals",
                "flushes result denormals",
                "flushes source denormals",
                "keeps denormals",
            ];
            let mode = |bits: i64| MODES.get(bits as usize & 3).copied().unwrap_or_default();
            let both = mode(value >> 2).replacen("flushes", "flush", 1).replacen("keeps", "keep", 1);
            format!("f32 {}, f64 and f16 {both}.", mode(value))
        }
        "s_trap" => format!("Trap number {}.", low(8)),
        _ => {
            let name = mnemonic.strip_prefix("s_wait_").or_else(|| mnemonic.strip_prefix("s_waitcnt_"))?;
            let what = counter(name)?;
            format!("At most {value} may be outstanding. {what}")
        }
    })
}
