//! The generations of processors: what the processors of each have in common, a column for each fact.
//!
//! A row states only what differs from the row that it continues. Whoever asks about a processor asks for a column, never for the
//! number of a generation, so that a new generation is one row here. Features that LLVM names are in the generated table
//! ([`crate::tables`]), a bit for each processor.

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

const GFX6: GenerationFacts = GenerationFacts {
    architecture: "GCN 1",
    major: 6,
    named_sgprs: 104,
    ttmps: 12,
    first_ttmp: 112,
    has_vgpr_msb: false,
    aligns_vector_tuples: false,
    loads_tr6_unaligned: false,
    flat_scratch: None,
    has_flat_scratch_base: false,
    has_apertures: false,
    has_pops_exiting_wave_id: false,
    has_trap_addresses: true,
    has_xnack_mask: false,
    has_null: false,
    m0: 124,
    null: 125,
    has_execz: true,
    has_lds_direct_operand: true,
    has_16_bit_registers: false,
    nop_bits: 3,
    has_16_bit_arithmetic: false,
    has_inverse_pi: false,
    has_vop3_literals: false,
    plain_adds_carry: true,
    has_dpp: false,
    clamps_sdwa_compares: false,
    matrix_core: MatrixCore::Cdna1,
    has_flat: false,
    has_gds: true,
    counts_ordered_dwords: false,
    has_small_scalar_loads: false,
    scalar_offset_counts_bytes: false,
    stores_scalars_at_m0: false,
    has_16_bit_coordinates: false,
    kernel_lds_bytes: 32_768,
    has_both_wave_sizes: false,
    constant_bus_limit: 1,
    shifts_read_two_scalars: false,
    sdwa_takes_scalars: false,
    has_dpp8: false,
    has_row_share: false,
    has_wave_shifts: false,
    has_row_newbcast: false,
    bound_ctrl_is_bit: false,
    has_vop3_dpp: false,
    multiplies_as_dpp64: false,
    packs_scalars_once: false,
    fixes_op_sel_of_dots: false,
    ignores_op_sel_of_dots: false,
    negates_f64_products: false,
    accumulator_writes_take_scalars: false,
    has_vopd3: false,
    dual_halves_share_since: None,
    compares_to_exec_only: false,
    fills_unused_sources: false,
    prints_e32: false,
    selects_bytes_of_floats: false,
    policies: Policies::Bits,
    has_dlc: false,
    has_scc: false,
    has_scale_offset: false,
    has_scalar_policies: false,
    flat_offset_bits: 13,
    flat_offset_is_signed: false,
    scalar_offset_bits: 8,
    scalar_offset_is_signed: false,
    scalar_buffer_offset_bits: 8,
    buffer_offset_bits: 12,
    loads_accumulators: false,
    aligns_gws_data: false,
    has_fft_swizzle: false,
    ignores_m0_in_lds: false,
    has_image_dim: false,
    has_image_d16: false,
    nsa_addresses: 0,
    nsa_sample_addresses: 0,
    has_a16_for_r128: false,
    has_unified_formats: false,
    has_fewer_packed_formats: false,
    numeric_format_6: "SNORM_OGL",
    vmcnt: [(0, 4), (14, 0)],
    expcnt: [(4, 3), (0, 0)],
    lgkmcnt: [(8, 4), (0, 0)],
    has_split_counters: false,
    counts_stores: false,
    stores_count_exports: true,
    flat_is_in_order: false,
    flat_counts_twice: false,
    loads_keep_halves: false,
    message_bits: 4,
    has_gs_messages: true,
    has_trap_acknowledge: true,
    allocates_sgprs: true,
    reserves_sgprs_on_top: false,
    reserves_flat_scratch: false,
    has_workgroup_id_sgprs: true,
    user_sgpr_count_bits: 5,
    max_user_sgprs: 16,
    inst_pref_size_bits: 8,
    has_named_barriers: false,
    has_workgroup_processor_mode: false,
    always_replays: false,
    has_agprs: false,
    unified_agprs: false,
    architected_flat_scratch: false,
    kernarg_preload: false,
    pairs_compute_units: false,
    scalar_buffer_field_is_signed: false,
    has_wave32: false,
    has_sdwa: false,
    descriptor_vgpr_granule: None,
    lds_directive_bytes: 32_768,
    total_sgprs: 512,
    sgpr_granule: 8,
    max_waves: 10,
    lds_granule: 256,
};

const UNNAMED: GenerationFacts =
    GenerationFacts { has_flat: true, kernel_lds_bytes: 65_536, major: 0, numeric_format_6: "", ..GFX6 };

const GFX7: GenerationFacts = GenerationFacts {
    architecture: "GCN 2",
    has_flat: true,
    kernel_lds_bytes: 65_536,
    major: 7,
    flat_scratch: Some(104),
    scalar_offset_bits: 32,
    scalar_buffer_offset_bits: 32,
    stores_count_exports: false,
    reserves_flat_scratch: true,
    lds_directive_bytes: 65_536,
    lds_granule: 512,
    ..GFX6
};

const GFX8: GenerationFacts = GenerationFacts {
    architecture: "GCN 3 and 4",
    nop_bits: 4,
    has_16_bit_arithmetic: true,
    has_inverse_pi: true,
    has_dpp: true,
    clamps_sdwa_compares: true,
    scalar_offset_counts_bytes: true,
    stores_scalars_at_m0: true,
    major: 8,
    named_sgprs: 102,
    flat_scratch: Some(102),
    has_xnack_mask: true,
    has_wave_shifts: true,
    prints_e32: true,
    has_scalar_policies: true,
    scalar_offset_bits: 20,
    scalar_buffer_offset_bits: 20,
    has_image_d16: true,
    numeric_format_6: "RESERVED_6",
    reserves_sgprs_on_top: true,
    has_sdwa: true,
    total_sgprs: 800,
    sgpr_granule: 16,
    ..GFX7
};

const GFX9: GenerationFacts = GenerationFacts {
    architecture: "GCN 5 (Vega)",
    plain_adds_carry: false,
    clamps_sdwa_compares: false,
    stores_scalars_at_m0: false,
    has_16_bit_coordinates: true,
    major: 9,
    ttmps: 16,
    first_ttmp: 108,
    has_apertures: true,
    has_pops_exiting_wave_id: true,
    has_trap_addresses: false,
    sdwa_takes_scalars: true,
    scalar_offset_bits: 21,
    scalar_offset_is_signed: true,
    has_fft_swizzle: true,
    ignores_m0_in_lds: true,
    has_a16_for_r128: true,
    vmcnt: [(0, 4), (14, 2)],
    flat_counts_twice: true,
    has_trap_acknowledge: false,
    ..GFX8
};

const GFX908: GenerationFacts = GenerationFacts { architecture: "CDNA 1", has_agprs: true, ..GFX9 };

const GFX90A: GenerationFacts = GenerationFacts {
    architecture: "CDNA 2",
    has_gds: false,
    matrix_core: MatrixCore::Cdna2,
    aligns_vector_tuples: true,
    has_lds_direct_operand: false,
    has_row_newbcast: true,
    accumulator_writes_take_scalars: true,
    has_scc: true,
    loads_accumulators: true,
    aligns_gws_data: true,
    unified_agprs: true,
    kernarg_preload: true,
    descriptor_vgpr_granule: Some(8),
    max_waves: 8,
    ..GFX908
};

const GFX940: GenerationFacts = GenerationFacts {
    architecture: "CDNA 3",
    matrix_core: MatrixCore::Cdna3,
    fixes_op_sel_of_dots: true,
    negates_f64_products: true,
    policies: Policies::Scopes,
    architected_flat_scratch: true,
    ..GFX90A
};

const GFX950: GenerationFacts = GenerationFacts {
    architecture: "CDNA 4",
    matrix_core: MatrixCore::Cdna4,
    kernel_lds_bytes: 163_840,
    lds_directive_bytes: 163_840,
    lds_granule: 1280,
    ..GFX940
};

const GFX10_1: GenerationFacts = GenerationFacts {
    architecture: "RDNA 1",
    has_vop3_literals: true,
    counts_ordered_dwords: true,
    major: 10,
    named_sgprs: 106,
    flat_scratch: None,
    has_xnack_mask: false,
    has_null: true,
    has_both_wave_sizes: true,
    constant_bus_limit: 2,
    has_dpp8: true,
    has_row_share: true,
    has_wave_shifts: false,
    compares_to_exec_only: true,
    fills_unused_sources: true,
    has_dlc: true,
    flat_offset_bits: 12,
    has_image_dim: true,
    nsa_addresses: 5,
    nsa_sample_addresses: 5,
    has_a16_for_r128: false,
    has_unified_formats: true,
    numeric_format_6: "",
    lgkmcnt: [(8, 6), (0, 0)],
    counts_stores: true,
    flat_is_in_order: true,
    allocates_sgprs: false,
    has_workgroup_processor_mode: true,
    pairs_compute_units: true,
    has_wave32: true,
    lds_directive_bytes: 131_072,
    total_sgprs: 0,
    sgpr_granule: 128,
    max_waves: 20,
    lds_granule: 512,
    ..GFX9
};

const GFX10_3: GenerationFacts = GenerationFacts {
    architecture: "RDNA 2",
    nsa_addresses: 13,
    nsa_sample_addresses: 13,
    max_waves: 16,
    ..GFX10_1
};

const GFX11: GenerationFacts = GenerationFacts {
    architecture: "RDNA 3",
    has_16_bit_registers: true,
    major: 11,
    has_pops_exiting_wave_id: false,
    m0: 125,
    null: 124,
    has_execz: false,
    has_lds_direct_operand: false,
    bound_ctrl_is_bit: true,
    has_vop3_dpp: true,
    ignores_op_sel_of_dots: true,
    flat_offset_bits: 13,
    nsa_addresses: 5,
    nsa_sample_addresses: 5,
    has_fewer_packed_formats: true,
    vmcnt: [(10, 6), (14, 0)],
    expcnt: [(0, 3), (0, 0)],
    lgkmcnt: [(4, 6), (0, 0)],
    loads_keep_halves: true,
    message_bits: 8,
    has_gs_messages: false,
    inst_pref_size_bits: 6,
    architected_flat_scratch: true,
    has_sdwa: false,
    ..GFX10_3
};

const GFX11_5: GenerationFacts = GenerationFacts { architecture: "RDNA 3.5", ..GFX11 };

const GFX12: GenerationFacts = GenerationFacts {
    architecture: "RDNA 4",
    nop_bits: 7,
    has_gds: false,
    has_small_scalar_loads: true,
    major: 12,
    dual_halves_share_since: Some(Level::Llvm24),
    selects_bytes_of_floats: true,
    policies: Policies::Hints,
    flat_offset_bits: 24,
    flat_offset_is_signed: true,
    scalar_offset_bits: 24,
    scalar_buffer_offset_bits: 23,
    buffer_offset_bits: 23,
    nsa_sample_addresses: 4,
    has_split_counters: true,
    has_workgroup_id_sgprs: false,
    inst_pref_size_bits: 8,
    scalar_buffer_field_is_signed: true,
    ..GFX11
};

const GFX12_5: GenerationFacts = GenerationFacts {
    architecture: "GFX12.5",
    kernel_lds_bytes: 327_680,
    has_vgpr_msb: true,
    aligns_vector_tuples: true,
    loads_tr6_unaligned: true,
    has_flat_scratch_base: true,
    has_both_wave_sizes: false,
    shifts_read_two_scalars: true,
    multiplies_as_dpp64: true,
    packs_scalars_once: true,
    has_vopd3: true,
    dual_halves_share_since: Some(Level::Llvm22),
    has_scale_offset: true,
    user_sgpr_count_bits: 6,
    max_user_sgprs: 32,
    has_named_barriers: true,
    has_workgroup_processor_mode: false,
    always_replays: true,
    kernarg_preload: true,
    pairs_compute_units: false,
    descriptor_vgpr_granule: Some(16),
    lds_directive_bytes: 655_360,
    ..GFX12
};

const GFX13: GenerationFacts = GenerationFacts {
    architecture: "GFX13",
    kernel_lds_bytes: 65_536,
    major: 13,
    has_workgroup_processor_mode: true,
    aligns_vector_tuples: false,
    has_both_wave_sizes: true,
    always_replays: false,
    kernarg_preload: false,
    lds_directive_bytes: 131_072,
    ..GFX12_5
};

impl Generation {
    /// What its processors have in common.
    pub const fn facts(self) -> &'static GenerationFacts {
        match self {
            Generation::Unnamed => &UNNAMED,
            Generation::Gfx6 => &GFX6,
            Generation::Gfx7 => &GFX7,
            Generation::Gfx8 => &GFX8,
            Generation::Gfx9 => &GFX9,
            Generation::Gfx908 => &GFX908,
            Generation::Gfx90a => &GFX90A,
            Generation::Gfx940 => &GFX940,
            Generation::Gfx950 => &GFX950,
            Generation::Gfx10_1 => &GFX10_1,
            Generation::Gfx10_3 => &GFX10_3,
            Generation::Gfx11 => &GFX11,
            Generation::Gfx11_5 | Generation::Gfx11_7 => &GFX11_5,
            Generation::Gfx12 => &GFX12,
            Generation::Gfx12_5 => &GFX12_5,
            Generation::Gfx13 => &GFX13,
        }
    }
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
