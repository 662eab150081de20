//! Processors, their features and the sizes of their register files.

/// Lanes of a wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WaveSize {
    W32,
    W64,
}

/// A processor: cheap to copy, compare and hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    processor: u8,
    wave: WaveSize,
}

impl Target {
    /// Looks up `gfx1100`, `tonga`, `gfx9-generic`, ... with the processor's default wave size.
    pub fn named(_name: &str) -> Option<Target> {
        Some(Target { processor: 0, wave: WaveSize::W64 })
    }

    /// All names, aliases included, in the order of the data.
    pub fn names() -> impl Iterator<Item = &'static str> {
        [].into_iter()
    }

    /// `gfx1100`.
    pub fn name(self) -> &'static str {
        let _ = self.processor;
        "gfx900"
    }

    pub fn wave_size(self) -> WaveSize {
        self.wave
    }

    /// The same processor with the other wave size, where it has both.
    pub fn with_wave_size(self, wave: WaveSize) -> Option<Target> {
        Some(Target { wave, ..self })
    }

    /// Registers and waves, in the units that occupancy is computed with.
    pub fn limits(self) -> Limits {
        Limits::default()
    }
}

/// Sizes for occupancy, for the target's wave size (source: LLVM's AMDGPUBaseInfo).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Limits {
    /// VGPRs that the waves of one SIMD share.
    pub total_vgprs: u32,
    /// VGPRs one wave can name (VGPRs and AGPRs together on gfx90a and later CDNA).
    pub addressable_vgprs: u32,
    /// VGPRs are handed out in multiples of this.
    pub vgpr_granule: u32,
    /// Multiples of this are written into kernel descriptors.
    pub vgpr_encoding_granule: u32,
    /// AGPRs share the file with VGPRs, and start at a multiple of 4.
    pub unified_agprs: bool,
    /// SGPRs of one SIMD; 0 where every wave has its own full set.
    pub total_sgprs: u32,
    pub addressable_sgprs: u32,
    pub sgpr_granule: u32,
    pub max_waves_per_eu: u32,
    pub eus_per_cu: u32,
    /// Bytes of LDS that one workgroup can have.
    pub lds_bytes: u32,
    pub lds_granule: u32,
}
