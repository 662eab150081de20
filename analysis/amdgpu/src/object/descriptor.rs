//! A kernel descriptor's 64 bytes as directives (source: LLVM's AMDGPU usage guide, "Kernel Descriptor").

use std::fmt::Write as _;

use crate::assembler::kernel_descriptor::exists;
use wavelens_isa::processor::ProcessorFacts;

/// Bits of a descriptor: byte where the field's word starts, first bit, number of bits.
const FIELDS: &[(&str, usize, u32, u32)] = &[
    ("group_segment_fixed_size", 0, 0, 32),
    ("private_segment_fixed_size", 4, 0, 32),
    ("kernarg_size", 8, 0, 32),
    ("user_sgpr_count", 52, 1, 5),
    ("user_sgpr_private_segment_buffer", 56, 0, 1),
    ("user_sgpr_dispatch_ptr", 56, 1, 1),
    ("user_sgpr_queue_ptr", 56, 2, 1),
    ("user_sgpr_kernarg_segment_ptr", 56, 3, 1),
    ("user_sgpr_dispatch_id", 56, 4, 1),
    ("user_sgpr_flat_scratch_init", 56, 5, 1),
    ("user_sgpr_private_segment_size", 56, 6, 1),
    ("user_sgpr_kernarg_preload_length", 56, 16, 7),
    ("user_sgpr_kernarg_preload_offset", 56, 23, 9),
    ("wavefront_size32", 56, 10, 1),
    ("uses_dynamic_stack", 56, 11, 1),
    ("system_sgpr_private_segment_wavefront_offset", 52, 0, 1),
    ("enable_private_segment", 52, 0, 1),
    ("system_sgpr_workgroup_id_x", 52, 7, 1),
    ("system_sgpr_workgroup_id_y", 52, 8, 1),
    ("system_sgpr_workgroup_id_z", 52, 9, 1),
    ("system_sgpr_workgroup_info", 52, 10, 1),
    ("system_vgpr_workitem_id", 52, 11, 2),
    ("float_round_mode_32", 48, 12, 2),
    ("float_round_mode_16_64", 48, 14, 2),
    ("float_denorm_mode_32", 48, 16, 2),
    ("float_denorm_mode_16_64", 48, 18, 2),
    ("dx10_clamp", 48, 21, 1),
    ("round_robin_scheduling", 48, 21, 1),
    ("ieee_mode", 48, 23, 1),
    ("fp16_overflow", 48, 26, 1),
    ("workgroup_processor_mode", 48, 29, 1),
    ("memory_ordered", 48, 30, 1),
    ("forward_progress", 48, 31, 1),
    ("tg_split", 44, 16, 1),
    ("shared_vgpr_count", 44, 0, 4),
    ("inst_pref_size", 44, 4, 8),
    ("named_barrier_count", 44, 14, 3),
    ("exception_fp_ieee_invalid_op", 52, 24, 1),
    ("exception_fp_denorm_src", 52, 25, 1),
    ("exception_fp_ieee_div_zero", 52, 26, 1),
    ("exception_fp_ieee_overflow", 52, 27, 1),
    ("exception_fp_ieee_underflow", 52, 28, 1),
    ("exception_fp_ieee_inexact", 52, 29, 1),
    ("exception_int_div_zero", 52, 30, 1),
];

pub(super) fn write(machine: &ProcessorFacts, kernel: &str, bytes: &[u8], out: &mut String) {
    let word = |at: usize| {
        let bytes = bytes.get(at..at + 4).and_then(|b| b.try_into().ok());
        u32::from_le_bytes(bytes.unwrap_or_default())
    };
    let bits = |at: usize, first: u32, count: u32| (u64::from(word(at)) >> first) & ((1 << count) - 1);
    let wave32 = machine.facts().has_wave32.then(|| bits(56, 10, 1) != 0);
    let mut body = String::new();
    for (name, at, first, count) in FIELDS {
        let count = match *name {
            "user_sgpr_count" => machine.facts().user_sgpr_count_bits,
            "inst_pref_size" => machine.facts().inst_pref_size_bits.into(),
            _ => *count,
        };
        if exists(machine, name) {
            let _ = writeln!(body, "\t\t.amdhsa_{name} {}", bits(*at, *first, count));
        }
    }
    let vgprs = (bits(48, 0, 6) + 1) * machine.vgpr_encoding_granule(wave32);
    // gfx6 cannot say that it does without.
    let flat_scratch = !machine.facts().reserves_flat_scratch;
    let extra = u64::from(machine.extra_sgprs(false, flat_scratch, machine.xnack));
    let sgprs = match machine.facts().allocates_sgprs {
        false => 0,
        true if machine.sgpr_init_bug => 96 - extra,
        // The last granule has room for more than can be asked for.
        true => ((bits(48, 6, 4) + 1) * 8).saturating_sub(extra).min(machine.addressable_sgprs()),
    };
    let _ = writeln!(out, "\n\t.amdhsa_kernel {kernel}");
    out.push_str(&body);
    let _ = writeln!(out, "\t\t.amdhsa_next_free_vgpr {vgprs}\n\t\t.amdhsa_next_free_sgpr {sgprs}");
    out.push_str("\t\t.amdhsa_reserve_vcc 0\n");
    if machine.facts().reserves_flat_scratch && !machine.facts().architected_flat_scratch {
        out.push_str("\t\t.amdhsa_reserve_flat_scratch 0\n");
    }
    if machine.facts().unified_agprs {
        let _ = writeln!(out, "\t\t.amdhsa_accum_offset {}", (bits(44, 0, 6) + 1) * 4);
    }
    out.push_str("\t.end_amdhsa_kernel\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The last granule of gfx942 ends after `s101` and the registers that the hardware reserves.
    #[test]
    fn scalar_registers_are_as_many_as_can_be_asked_for() {
        let machine = ProcessorFacts::of(wavelens_isa::Target::named("gfx942").expect("a known processor"));
        let written = |granules: u32| {
            let mut bytes = [0; 64];
            bytes[48..52].copy_from_slice(&(granules << 6).to_le_bytes());
            let mut out = String::new();
            write(&machine, "k", &bytes, &mut out);
            let (_, rest) = out.split_once(".amdhsa_next_free_sgpr ").expect("the directive");
            rest.lines().next().map(str::to_owned)
        };
        assert_eq!(written(13).as_deref(), Some("102"));
        assert_eq!(written(11).as_deref(), Some("90"));
    }
}
