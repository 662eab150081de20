//! The facts about a processor that directives depend on (source: LLVM's AMDGPUBaseInfo and AMDGPU.td).

use crate::target::Target;

/// What directives ask about the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProcessorFacts {
    /// The processor, with its wave size.
    pub target: Target,
    /// First number of the version: 9 for gfx90a.
    pub major: u32,
    /// Second number of the version.
    pub minor: u32,
    /// Third number of the version.
    pub stepping: u32,
    /// gfx90a and the CDNA processors after it.
    pub unified_agprs: bool,
    /// Whether there are accumulation registers.
    pub has_agprs: bool,
    /// Scratch is set up by the hardware: no scratch registers to ask for.
    pub architected_flat_scratch: bool,
    /// Whether kernel arguments can be preloaded into SGPRs.
    pub kernarg_preload: bool,
    /// Whether XNACK is on.
    pub xnack: bool,
    pub(crate) sramecc: bool,
    /// Tonga and Iceland need a fixed number of scalar registers.
    pub sgpr_init_bug: bool,
    /// Both wave sizes: the descriptor says which.
    pub(crate) wave32_by_default: bool,
}

/// Version numbers of the processors that have a name of their own.
const NAMED: &[(&str, (u32, u32, u32))] = &[
    ("tahiti", (6, 0, 0)),
    ("pitcairn", (6, 0, 1)),
    ("verde", (6, 0, 1)),
    ("hainan", (6, 0, 2)),
    ("oland", (6, 0, 2)),
    ("kaveri", (7, 0, 0)),
    ("hawaii", (7, 0, 1)),
    ("kabini", (7, 0, 3)),
    ("mullins", (7, 0, 3)),
    ("bonaire", (7, 0, 4)),
    ("carrizo", (8, 0, 1)),
    ("iceland", (8, 0, 2)),
    ("tonga", (8, 0, 2)),
    ("fiji", (8, 0, 3)),
    ("polaris10", (8, 0, 3)),
    ("polaris11", (8, 0, 3)),
    ("tongapro", (8, 0, 5)),
    ("stoney", (8, 1, 0)),
    ("gfx9-generic", (9, 0, 0)),
    ("gfx9-4-generic", (9, 4, 0)),
    ("gfx10-1-generic", (10, 1, 0)),
    ("gfx10-3-generic", (10, 3, 0)),
    ("gfx11-generic", (11, 0, 3)),
    ("gfx12-generic", (12, 0, 0)),
    ("gfx11-7-generic", (11, 7, 0)),
    ("gfx12-5-generic", (12, 5, 0)),
    ("gfx1250-strict", (12, 5, 0)),
    ("gfx13-generic", (13, 1, 0)),
];

/// Microcode versions in the operand of `s_version`.
pub(crate) const MICROCODE_VERSIONS: [(&str, i64); 4] =
    [("UC_VERSION_GFX7", 0), ("UC_VERSION_GFX10", 4), ("UC_VERSION_GFX11", 6), ("UC_VERSION_GFX12", 9)];
/// Bits that are added to them.
pub(crate) const MICROCODE_BITS: [(&str, i64); 3] =
    [("UC_VERSION_W64_BIT", 0x2000), ("UC_VERSION_W32_BIT", 0x4000), ("UC_VERSION_MDP_BIT", 0x8000)];

/// Splits `gfx90a` into 9, 0, 10.
pub fn version(name: &str) -> Option<(u32, u32, u32)> {
    if let Some((_, version)) = NAMED.iter().find(|(n, _)| *n == name) {
        return Some(*version);
    }
    let digits = name.strip_prefix("gfx")?;
    let stepping = digits.chars().next_back()?.to_digit(16)?;
    let rest = digits.get(..digits.len().checked_sub(1)?)?;
    let minor = rest.chars().next_back()?.to_digit(16)?;
    let major = rest.get(..rest.len().checked_sub(1)?)?.parse().ok()?;
    Some((major, minor, stepping))
}

impl ProcessorFacts {
    /// The facts of a processor.
    pub fn of(target: Target) -> ProcessorFacts {
        let (major, minor, stepping) = version(target.name()).unwrap_or((9, 0, 0));
        let at = (major, minor, stepping);
        let gfx940 = major == 9 && minor >= 4;
        let unified_agprs = gfx940 || at == (9, 0, 10);
        ProcessorFacts {
            target,
            major,
            minor,
            stepping,
            unified_agprs,
            has_agprs: unified_agprs || at == (9, 0, 8),
            architected_flat_scratch: gfx940 || major >= 11,
            kernarg_preload: unified_agprs || (major == 12 && minor >= 5),
            xnack: matches!(at, (8, 0, 1) | (8, 1, 0) | (10, 1, _)) || major == 9,
            sramecc: matches!(at, (9, 0, 6) | (9, 0, 8) | (9, 0, 10)) || gfx940,
            sgpr_init_bug: matches!(at, (8, 0, 2) | (8, 0, 5)),
            wave32_by_default: major >= 10,
        }
    }

    /// SGPRs that a wave can address.
    pub fn addressable_sgprs(&self) -> u64 {
        match self.major {
            _ if self.sgpr_init_bug => 96,
            10.. => 106,
            8.. => 102,
            _ => 104,
        }
    }

    /// Memory accesses may be replayed: by choice of the target id, or always.
    pub fn replays(&self) -> bool {
        self.xnack || (self.major, self.minor) == (12, 5)
    }

    /// SGPRs after the numbered ones that the hardware reserves.
    pub fn extra_sgprs(&self, vcc: bool, flat_scratch: bool, xnack: bool) -> u32 {
        let vcc = if vcc { 2 } else { 0 };
        match self.major {
            10.. => vcc,
            8.. if flat_scratch || self.architected_flat_scratch => 6,
            8.. if xnack => 4,
            ..8 if flat_scratch => 4,
            _ => vcc,
        }
    }

    /// Register counts in descriptors are in multiples of this.
    pub fn vgpr_encoding_granule(&self, wave32: Option<bool>) -> u64 {
        match wave32.unwrap_or(self.wave32_by_default) {
            _ if self.unified_agprs => 8,
            _ if (self.major, self.minor) >= (12, 5) => 16,
            true => 8,
            false => 4,
        }
    }

    /// SGPRs that a kernel can be started with.
    pub fn max_user_sgprs(&self) -> u64 {
        if (self.major, self.minor) >= (12, 5) { 32 } else { 16 }
    }

    /// Bytes of LDS that `.amdgpu_lds` can ask for.
    pub fn local_memory(&self) -> i64 {
        let addressable = match (self.major, self.minor, self.stepping) {
            (6, ..) => 32768,
            (9, 5, 0) => 163_840,
            (12, 5, _) => 327_680,
            _ => 65536,
        };
        if self.major >= 10 { addressable * 2 } else { addressable }
    }

    /// The constants that LLVM defines before the first line.
    pub fn constants(&self) -> impl Iterator<Item = (&'static str, i64)> {
        let version = [self.major, self.minor, self.stepping].map(i64::from);
        ProcessorFacts::GENERATION.into_iter().zip(version).chain(MICROCODE_VERSIONS).chain(MICROCODE_BITS)
    }

    /// Symbols that tell the target's version.
    pub const GENERATION: [&'static str; 3] =
        [".amdgcn.gfx_generation_number", ".amdgcn.gfx_generation_minor", ".amdgcn.gfx_generation_stepping"];
}
