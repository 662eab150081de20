//! The generations of processors: what the processors of each have in common, a column for each fact.
//!
//! A row states only what differs from the row that it continues. Whoever asks about a processor asks for a column, never for the
//! number of a generation, so that a new generation is one row here. Features that LLVM names are in the generated table
//! ([`crate::tables`]), a bit for each processor.

mod rows;

use crate::target::{Level, Target};

/// A group of processors with the same encodings, oldest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "named as LLVM names their oldest processor")]
pub enum Generation {
    /// The processor that LLVM assumes with amdhsa if none is named.
    Unnamed,
    Gfx6,
    Gfx7,
    Gfx8,
    Gfx9,
    Gfx908,
    Gfx90a,
    /// gfx942
    Gfx940,
    Gfx950,
    Gfx10_1,
    Gfx10_3,
    Gfx11,
    Gfx11_5,
    Gfx11_7,
    Gfx12,
    Gfx12_5,
    Gfx13,
}

/// The first and the last generation that have something.
#[derive(Clone, Copy, Debug)]
pub struct Span(pub Generation, pub Generation);

/// The newest generation.
pub const NEWEST: Generation = Generation::Gfx13;

impl Span {
    /// Whether a generation is in the span.
    pub fn contains(self, generation: Generation) -> bool {
        (self.0..=self.1).contains(&generation)
    }
}

/// The fields of the operand of `s_waitcnt`: low bits, high bits, each as position and width.
pub(crate) type Field = [(u32, u32); 2];

/// How cache policies are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Policies {
    /// `glc`, `slc`, and `dlc` or `scc` where they exist.
    Bits,
    /// `sc0`, `nt`, `sc1`.
    Scopes,
    /// `th:TH_LOAD_NT scope:SCOPE_SE`.
    Hints,
}

/// The matrix core, by the waits that its results ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "named as AMD names the architectures")]
pub enum MatrixCore {
    /// None, or that of gfx908.
    Cdna1,
    Cdna2,
    Cdna3,
    Cdna4,
}

/// What the processors of a generation have in common.
#[derive(Clone, Copy, Debug)]
pub struct GenerationFacts {
    /// The architecture, as AMD names it.
    pub architecture: &'static str,
    /// First number of the version that the instruction set is named by; 0 for none.
    pub major: u8,

    // Registers.
    /// Scalar registers that an operand can name.
    pub(crate) named_sgprs: u16,
    /// Trap registers, and the number of the first in an operand.
    pub(crate) ttmps: u16,
    pub(crate) first_ttmp: u16,
    /// `s_set_vgpr_msb` selects among more vector registers than operands can name.
    pub has_vgpr_msb: bool,
    /// Vector tuples start at even registers.
    pub aligns_vector_tuples: bool,
    /// Except those of 6-bit transposing loads.
    pub(crate) loads_tr6_unaligned: bool,
    /// The number of `flat_scratch` in an operand.
    pub(crate) flat_scratch: Option<u16>,
    pub(crate) has_flat_scratch_base: bool,
    /// `src_shared_base` and the like.
    pub(crate) has_apertures: bool,
    pub(crate) has_pops_exiting_wave_id: bool,
    /// `tba` and `tma`.
    pub(crate) has_trap_addresses: bool,
    pub(crate) has_xnack_mask: bool,
    pub(crate) has_null: bool,
    pub(crate) m0: u16,
    pub(crate) null: u16,
    pub(crate) has_execz: bool,
    /// `lds_direct` is an operand of vector instructions.
    pub(crate) has_lds_direct_operand: bool,
    /// Both sizes of waves exist.
    pub(crate) has_both_wave_sizes: bool,
    /// Waves of 32 lanes exist, and are the default.
    pub has_wave32: bool,

    /// An operand can be half of a register.
    pub has_16_bit_registers: bool,

    // Vector instructions.
    /// `s_nop` counts so many bits of its operand.
    pub nop_bits: u32,
    /// There are instructions for numbers of 16 bits.
    pub has_16_bit_arithmetic: bool,
    /// 1/(2*pi) is an inline constant.
    pub has_inverse_pi: bool,
    /// The long encoding takes a literal.
    pub has_vop3_literals: bool,
    /// `v_add_i32`, `v_add_u32` and the like write a carry.
    pub plain_adds_carry: bool,
    /// Lanes read values of other lanes as operands.
    pub has_dpp: bool,
    /// SDWA comparisons have a `clamp`.
    pub clamps_sdwa_compares: bool,
    /// The matrix core.
    pub matrix_core: MatrixCore,
    /// Scalar values that a vector instruction can read.
    pub constant_bus_limit: usize,
    /// Operands can select a byte or a word.
    pub has_sdwa: bool,
    /// Shifts of 64 bits read as many of them as other instructions, but for left shifts.
    pub(crate) shifts_read_two_scalars: bool,
    /// SDWA takes scalar sources.
    pub sdwa_takes_scalars: bool,
    pub(crate) has_dpp8: bool,
    /// `row_share` and `row_xmask`.
    pub has_row_share: bool,
    /// `wave_shl` and the like, `row_bcast`.
    pub(crate) has_wave_shifts: bool,
    /// `row_newbcast`.
    pub has_row_newbcast: bool,
    /// The value of `bound_ctrl` is the bit; before, both values set it.
    pub(crate) bound_ctrl_is_bit: bool,
    /// The long encoding has a form with DPP.
    pub(crate) has_vop3_dpp: bool,
    /// 32-bit multiplications follow the rules of 64-bit operands with DPP.
    pub(crate) multiplies_as_dpp64: bool,
    /// A scalar source of packed 32-bit instructions is read for both halves.
    pub(crate) packs_scalars_once: bool,
    /// Dot products require the default `op_sel`.
    pub(crate) fixes_op_sel_of_dots: bool,
    /// Dot products in VOP3 ignore `op_sel`.
    pub(crate) ignores_op_sel_of_dots: bool,
    /// `neg:` takes the place of `blgp:` for products of f64.
    pub(crate) negates_f64_products: bool,
    /// `v_accvgpr_write` reads scalar registers.
    pub(crate) accumulator_writes_take_scalars: bool,
    pub(crate) has_vopd3: bool,
    /// The versions of LLVM for which both halves of a dual instruction may read one register.
    pub(crate) dual_halves_share_since: Option<Level>,
    /// `v_cmpx` writes `exec` only.
    pub(crate) compares_to_exec_only: bool,
    /// Fields of sources that an instruction does not have are 0 as an inline constant from LLVM 24 on.
    pub(crate) fills_unused_sources: bool,
    /// Interpolations are printed with `_e32`.
    pub(crate) prints_e32: bool,
    /// Conversions from 8-bit floats in VOP3 select a byte with `op_sel`.
    pub(crate) selects_bytes_of_floats: bool,

    // Memory.
    pub(crate) policies: Policies,
    pub(crate) has_dlc: bool,
    pub(crate) has_scc: bool,
    /// `nv` and `scale_offset`.
    pub has_scale_offset: bool,
    /// Scalar memory instructions have cache policies.
    pub(crate) has_scalar_policies: bool,
    /// Bits of offsets of flat instructions, with the sign.
    pub(crate) flat_offset_bits: u32,
    /// Offsets of `flat_` instructions, as those of `global_`, can be negative.
    pub(crate) flat_offset_is_signed: bool,
    /// Bits of offsets of scalar loads, with the sign where there is one.
    pub(crate) scalar_offset_bits: u32,
    pub(crate) scalar_offset_is_signed: bool,
    pub(crate) scalar_buffer_offset_bits: u32,
    /// The field of offsets of buffers is read with a sign too.
    pub(crate) scalar_buffer_field_is_signed: bool,
    /// Bits of offsets of buffer instructions.
    pub(crate) buffer_offset_bits: u32,
    /// Memory instructions reach accumulators.
    pub(crate) loads_accumulators: bool,
    /// The data of `ds_gws_` instructions is at an even register.
    pub(crate) aligns_gws_data: bool,
    /// `offset:swizzle(FFT, ...)` and `ROTATE`.
    pub(crate) has_fft_swizzle: bool,
    /// LDS instructions read no limit from `m0`.
    pub(crate) ignores_m0_in_lds: bool,

    /// Flat instructions exist.
    pub has_flat: bool,
    /// The global data share exists.
    pub has_gds: bool,
    /// Ordered operations of the global data share count dwords in their index.
    pub counts_ordered_dwords: bool,
    /// Scalar loads of 8 and 16 bits.
    pub has_small_scalar_loads: bool,
    /// Offsets of scalar loads count bytes, not dwords.
    pub scalar_offset_counts_bytes: bool,
    /// The offset of a scalar store in a register is in `m0`.
    pub stores_scalars_at_m0: bool,

    // Images and exports.
    /// Image instructions take coordinates of 16 bits.
    pub has_16_bit_coordinates: bool,
    /// Image instructions name their dimension, and the number of address registers follows from it.
    pub(crate) has_image_dim: bool,
    pub(crate) has_image_d16: bool,
    /// Most address registers that are named one by one; of sampling instructions as well.
    pub(crate) nsa_addresses: u32,
    pub(crate) nsa_sample_addresses: u32,
    /// The bit of `r128` is that of `a16`.
    pub(crate) has_a16_for_r128: bool,
    /// Data and numeric format of typed buffers are one number.
    pub has_unified_formats: bool,
    /// Packed formats have fewer numeric ones.
    pub(crate) has_fewer_packed_formats: bool,
    /// The name of the seventh numeric format.
    pub(crate) numeric_format_6: &'static str,

    // Counters and messages.
    pub(crate) vmcnt: Field,
    pub(crate) expcnt: Field,
    pub(crate) lgkmcnt: Field,
    /// Loads, samples, LDS and scalar loads have counters of their own.
    pub has_split_counters: bool,
    /// Stores have a counter of their own.
    pub(crate) counts_stores: bool,
    /// Buffer stores hold their data until `expcnt`.
    pub(crate) stores_count_exports: bool,
    /// Flat accesses finish in order.
    pub flat_is_in_order: bool,
    /// A flat access counts in both counters.
    pub flat_counts_twice: bool,
    /// Loads of 16 bits leave the other half of the register.
    pub loads_keep_halves: bool,
    /// Bits of the number of a message.
    pub(crate) message_bits: u32,
    /// `MSG_GS` and `MSG_GS_DONE` have operations and streams.
    pub(crate) has_gs_messages: bool,
    pub(crate) has_trap_acknowledge: bool,

    // Kernels.
    /// Kernels ask for a number of scalar registers.
    pub allocates_sgprs: bool,
    /// Registers that the hardware reserves count in addition to those that a wave can address.
    pub reserves_sgprs_on_top: bool,
    /// Kernels can reserve `flat_scratch`.
    pub reserves_flat_scratch: bool,
    /// A kernel's numbers of workgroups come in scalar registers that its descriptor asks for.
    pub has_workgroup_id_sgprs: bool,
    /// Bits of `.amdhsa_user_sgpr_count`.
    pub user_sgpr_count_bits: u32,
    /// SGPRs that a kernel can be started with.
    pub max_user_sgprs: u64,
    /// Bits of `.amdhsa_inst_pref_size`.
    pub inst_pref_size_bits: u8,
    /// Workgroups have barriers with names.
    pub has_named_barriers: bool,
    /// `.amdhsa_workgroup_processor_mode`.
    pub has_workgroup_processor_mode: bool,
    /// Accesses may be replayed whatever the target id says.
    pub always_replays: bool,
    /// There are accumulation registers.
    pub has_agprs: bool,
    /// Accumulators and vector registers share one file.
    pub unified_agprs: bool,
    /// Scratch is set up by the hardware: no scratch registers to ask for.
    pub architected_flat_scratch: bool,
    /// Kernel arguments can be preloaded into SGPRs.
    pub kernarg_preload: bool,
    /// A multiple of which descriptors count vector registers, where it does not depend on the size of waves.
    pub(crate) descriptor_vgpr_granule: Option<u64>,
    /// Bytes of LDS that a kernel can have.
    pub kernel_lds_bytes: u64,
    /// Bytes that `.amdgpu_lds` can ask for.
    pub(crate) lds_directive_bytes: i64,
    /// Scalar registers of a SIMD; 0 where every wave has its own full set.
    pub(crate) total_sgprs: u32,
    /// A multiple of which scalar registers are allocated.
    pub(crate) sgpr_granule: u32,
    /// Most waves of a SIMD.
    pub(crate) max_waves: u32,
    /// A multiple of which LDS is allocated.
    pub(crate) lds_granule: u32,
    /// Two compute units share LDS and barriers.
    pub(crate) pairs_compute_units: bool,
}

impl GenerationFacts {
    /// Whether offsets of buffer instructions have more bits than those of other instructions.
    pub(crate) fn has_wide_buffer_offset(&self) -> bool {
        self.buffer_offset_bits > 16
    }

    /// Whether both halves of a dual instruction may read one register.
    pub(crate) fn dual_halves_may_share(&self, target: Target) -> bool {
        self.dual_halves_share_since.is_some_and(|since| since == Level::Llvm22 || target.is_newer())
    }
}
