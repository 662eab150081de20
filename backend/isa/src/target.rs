//! Processors, their features and the sizes of their register files.

use std::fmt;

use std::sync::{LazyLock, OnceLock};

use crate::generation::{Generation, GenerationFacts};
use crate::processor::Processor;
use crate::tables::{
    FEATURE_NAMES, NAMED, PROCESSORS, Processor as TableRow, available, feature, mnemonics, other_spellings,
};
use crate::triple::split_target_id;

/// Lanes of a wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WaveSize {
    /// 32 lanes.
    W32,
    /// 64 lanes.
    W64,
}

impl WaveSize {
    /// How many lanes.
    pub fn lanes(self) -> u32 {
        match self {
            WaveSize::W32 => 32,
            WaveSize::W64 => 64,
        }
    }
}

/// The version of LLVM whose assembler a target follows: what its tables say of rows and encodings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Level {
    /// LLVM 22 and older.
    #[default]
    Llvm22,
    /// LLVM 23 and 24.
    Llvm24,
    /// What any known version accepts; where they encode it in different ways, as the newest does.
    Any,
}

impl Level {
    /// The level of a version of LLVM, such as 22.
    pub fn of(version: u32) -> Level {
        if version <= 22 { Level::Llvm22 } else { Level::Llvm24 }
    }
}

/// A feature of processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Feature(u16);

impl Feature {
    /// Looks up a name as `-mattr` takes it.
    pub fn named(name: &str) -> Option<Feature> {
        FEATURE_NAMES.iter().position(|n| *n == name).map(|feature| Feature(feature as u16))
    }
}

/// A processor with a wave size: cheap to copy, compare and hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    processor: u8,
    wave: WaveSize,
    level: Level,
}

/// Its name; the processor that LLVM assumes if none is named is "the generic processor".
impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            "generic" => f.write_str("the generic processor"),
            name => f.write_str(name),
        }
    }
}

impl Target {
    /// Looks up `gfx1100`, `tonga`, `gfx9-generic`, ... with the processor's default wave size.
    pub fn named(name: &str) -> Option<Target> {
        let i = PROCESSORS.iter().position(|p| p.name == name)?;
        let t = Target { processor: i as u8, wave: WaveSize::W64, level: Level::default() }
            .at_level(Level::default());
        let is_wave32 = t.facts().has_wave32 && !t.has(feature::WAVEFRONT_SIZE64);
        let wave = if is_wave32 { WaveSize::W32 } else { WaveSize::W64 };
        Some(Target { wave, ..t })
    }

    /// The processor of a name, of a target id or of a triple with one: `amdgcn-amd-amdhsa--gfx90a:xnack+`, `amdgpu9.42-amd-amdhsa`.
    pub fn of_id(id: &str) -> Option<Target> {
        let (_, id) = split_target_id(id);
        let mut parts = id.split(':');
        let target = Target::named(parts.next().unwrap_or(id))?;
        let wave = parts.find_map(|feature| match feature {
            "wavefrontsize32" => Some(WaveSize::W32),
            "wavefrontsize64" => Some(WaveSize::W64),
            _ => None,
        });
        wave.and_then(|w| target.with_wave_size(w)).or(Some(target))
    }

    /// The same processor as another version of LLVM knows it. One that is newer than that version is as the first knows it that has it.
    pub fn at_level(self, level: Level) -> Target {
        let is_newer =
            level == Level::Llvm22 && Processor::named(self.name()).is_some_and(|p| p.since != level);
        Target { level: if is_newer { Level::Llvm24 } else { level }, ..self }
    }

    /// The version of LLVM that it follows.
    pub fn level(self) -> Level {
        self.level
    }

    /// Whether encodings are those of LLVM 24.
    pub(crate) fn is_newer(self) -> bool {
        self.level != Level::Llvm22
    }

    /// All names, aliases included, oldest first.
    pub fn names() -> impl Iterator<Item = &'static str> + Clone {
        PROCESSORS.iter().take(NAMED).map(|p| p.name)
    }

    /// The same processor with or without halves of vector registers as operands (`v0.l`), which LLVM calls `real-true16`; `None` for a
    /// processor without the instructions that take them.
    pub fn with_register_halves(self, has: bool) -> Option<Target> {
        let is_twin = |t: &Target| t.name() == self.name() && t.has_register_halves() == has;
        let all = (0..PROCESSORS.len() as u8).map(|processor| Target { processor, ..self });
        all.filter(|t| t.has(feature::TRUE16_BIT_INSTS)).find(is_twin)
    }

    /// Whether halves of vector registers are operands. Since LLVM 24 that is the default of processors before gfx13.
    fn has_register_halves(self) -> bool {
        match self.level {
            Level::Llvm24 if self.has(feature::TRUE16_BIT_INSTS) => {
                (self.number() < NAMED) != (self.major() >= 13)
            }
            _ => self.has(feature::REAL_TRUE16_INSTS),
        }
    }

    fn data(self) -> &'static TableRow {
        &PROCESSORS[usize::from(self.processor).min(PROCESSORS.len() - 1)]
    }

    /// `gfx1100`; in messages it is written as [`Display`](fmt::Display) does.
    pub fn name(self) -> &'static str {
        self.data().name
    }

    /// Lanes of a wave: what is chosen, or the processor's own.
    pub fn wave_size(self) -> WaveSize {
        self.wave
    }

    /// Position among the processors.
    pub(crate) fn number(self) -> usize {
        self.processor.into()
    }

    pub(crate) fn wave64(self) -> bool {
        self.wave_size() == WaveSize::W64
    }

    /// The same processor with the other wave size, where it has both.
    pub fn with_wave_size(self, wave: WaveSize) -> Option<Target> {
        (self.facts().has_both_wave_sizes || wave == self.wave).then_some(Target { wave, ..self })
    }

    /// The same processor with a wave size that it does not have: the assembler takes it where the processor's own is switched off.
    pub fn with_other_wave_size(self, wave: WaveSize) -> Option<Target> {
        self.facts().has_wave32.then_some(Target { wave, ..self })
    }

    /// LLVM's name for the processor's schedule.
    pub fn schedule(self) -> &'static str {
        self.data().sched
    }

    /// Mnemonics that the target has, without encoding suffixes, in alphabetical order.
    pub fn mnemonics(self) -> impl Iterator<Item = &'static str> {
        mnemonics().filter(move |(_, c)| c.iter().any(|c| self.can(c.avail))).map(|(n, _)| n)
    }

    /// [`Target::mnemonics`], and the names of other generations that the assembler accepts for them.
    /// Collected once for each target, since suggestions for misspelt mnemonics compare with all of them.
    pub fn spellings(self) -> &'static [&'static str] {
        // By processor, level and wave size.
        static ALL: OnceLock<Vec<OnceLock<Vec<&'static str>>>> = OnceLock::new();
        let all = ALL.get_or_init(|| vec![OnceLock::new(); PROCESSORS.len() * 6]);
        let index = (usize::from(self.processor) * 3 + self.level as usize) * 2 + usize::from(self.wave64());
        let own = all.get(index);
        own.map_or(&[], |names| {
            names.get_or_init(|| {
                let others = other_spellings().filter(|(_, avail)| self.can(*avail)).map(|(name, _)| name);
                self.mnemonics().chain(others).collect()
            })
        })
    }

    /// Names of the features, as `-mattr` takes them.
    pub fn features(self) -> impl Iterator<Item = &'static str> {
        FEATURE_NAMES.iter().enumerate().filter(move |(i, _)| self.has(*i as u16)).map(|(_, n)| *n)
    }

    /// Whether the processor has a feature by itself.
    pub fn has_feature(self, name: &str) -> bool {
        Feature::named(name).is_some_and(|feature| self.provides(feature))
    }

    /// Whether the processor has a feature by itself.
    pub fn provides(self, feature: Feature) -> bool {
        match feature.0 {
            feature::REAL_TRUE16_INSTS => self.has_register_halves(),
            feature => self.has(feature),
        }
    }

    pub(crate) fn has(self, feature: u16) -> bool {
        self.data().features[usize::from(feature / 64) & 3] >> (feature % 64) & 1 == 1
    }

    pub(crate) fn can(self, avail: u16) -> bool {
        available(avail, self.processor, self.wave == WaveSize::W64, self.level)
    }

    /// The generation that it belongs to.
    pub fn generation(self) -> Generation {
        // By the position in the table, whose last rows are variants of named processors.
        static ALL: LazyLock<Vec<Generation>> = LazyLock::new(|| {
            let of = |p: &TableRow| Processor::named(p.name).map_or(Generation::Unnamed, |p| p.generation);
            PROCESSORS.iter().map(of).collect()
        });
        ALL.get(self.number()).copied().unwrap_or(Generation::Unnamed)
    }

    /// What the processors of its generation have in common.
    pub fn facts(self) -> &'static GenerationFacts {
        self.generation().facts()
    }

    /// Whether a result of the matrix core takes at least twice as long as on gfx1250.
    pub fn has_slow_matrix_core(self) -> bool {
        Processor::named(self.name()).is_some_and(|p| p.has_slow_matrix_core)
    }

    /// First number of the version of its instruction set: 6 (Southern Islands) to 13; 0 for `generic-hsa`.
    pub fn major(self) -> u8 {
        self.facts().major
    }

    /// Registers and waves, in the units that occupancy is computed with.
    pub fn limits(self) -> Limits {
        let w32 = self.wave == WaveSize::W32;
        let facts = self.facts();
        let gfx90a = facts.unified_agprs;
        let large = self.has(feature::F1_5X_VGPRS);
        let gfx10_3 = self.has(feature::GFX10_3_INSTS);
        let total_vgprs = if gfx90a {
            512
        } else if !facts.has_wave32 {
            256
        } else if large {
            if w32 { 1536 } else { 768 }
        } else if w32 {
            1024
        } else {
            512
        };
        let vgpr_granule = if gfx90a {
            8
        } else if large {
            if w32 { 24 } else { 12 }
        } else if gfx10_3 {
            if w32 { 16 } else { 8 }
        } else if w32 {
            8
        } else {
            4
        };
        Limits {
            total_vgprs,
            addressable_vgprs: if gfx90a { 512 } else { 256 },
            vgpr_granule,
            vgpr_encoding_granule: if gfx90a || w32 { 8 } else { 4 },
            unified_agprs: gfx90a,
            total_sgprs: facts.total_sgprs,
            addressable_sgprs: if self.has(feature::SGPRINIT_BUG) { 96 } else { facts.named_sgprs.into() },
            sgpr_granule: facts.sgpr_granule,
            max_waves_per_eu: facts.max_waves,
            // From gfx1250 on, four units always work together.
            eus_per_cu: if self.facts().pairs_compute_units && self.has(feature::CU_MODE) { 2 } else { 4 },
            lds_bytes: if self.has(feature::GFX1250_INSTS) {
                327_680
            } else if self.has(feature::ADDRESSABLE_LOCAL_MEMORY_SIZE163840) {
                163_840
            } else if self.has(feature::ADDRESSABLE_LOCAL_MEMORY_SIZE65536) {
                65_536
            } else {
                32_768
            },
            lds_granule: facts.lds_granule,
        }
    }
}

impl Target {
    /// Most waves of a SIMD that workgroups of one of these sizes (smallest and largest, in lanes) have with so many bytes of LDS each
    /// (source: `getOccupancyWithWorkGroupSizes` of LLVM's AMDGPUSubtarget).
    pub fn waves_of_workgroups(self, lds: u32, smallest: u32, largest: u32) -> u32 {
        let limits = self.limits();
        let has_pairs = self.facts().pairs_compute_units;
        let is_shared_by_two_units = has_pairs && limits.eus_per_cu == 4;
        let (memory, barriers) = match is_shared_by_two_units {
            true => (limits.lds_bytes * 2, 32),
            false => (limits.lds_bytes, 16),
        };
        let by_lds = memory / lds.max(1);
        if by_lds == 0 {
            return 1;
        }
        let lanes = self.wave.lanes();
        let slots = limits.max_waves_per_eu * limits.eus_per_cu;
        let waves_of = |size: u32| size.max(1).div_ceil(lanes);
        let groups_of = |waves: u32| if waves == 1 { slots } else { (slots / waves).min(barriers) };
        let (few, many) = (waves_of(smallest), waves_of(largest.max(smallest)));
        let (most_groups, least_groups) = (groups_of(few).min(by_lds), groups_of(many).min(by_lds));
        let mut waves = few * most_groups;
        if least_groups * many >= waves {
            waves = least_groups * many;
        } else if let Some(left) = slots.saturating_sub(most_groups * few).checked_div(most_groups) {
            // A size between the two can fill the slots that are left.
            waves += most_groups * left.min(many - few);
        }
        waves.div_ceil(limits.eus_per_cu).clamp(1, limits.max_waves_per_eu)
    }

    /// Waves of a SIMD by the scalar registers of each (source: `getOccupancyWithNumSGPRs` of LLVM's AMDGPUBaseInfo).
    pub fn waves_of_sgprs(self, sgprs: u32) -> u32 {
        let waves = match (self.limits().total_sgprs, sgprs) {
            (0, _) => return self.limits().max_waves_per_eu,
            (800, ..=80) | (_, ..=48) => 10,
            (800, ..=88) | (512, ..=56) => 9,
            (800, ..=100) | (512, ..=64) => 8,
            (800, _) | (_, ..=72) => 7,
            (_, ..=80) => 6,
            _ => 5,
        };
        waves.min(self.limits().max_waves_per_eu)
    }
}

/// Sizes for occupancy, for the target's wave size (source: LLVM's AMDGPUBaseInfo).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Limits {
    /// VGPRs that the waves of one SIMD share.
    pub total_vgprs: u32,
    /// VGPRs one wave can name (VGPRs and AGPRs together on gfx90a and later CDNA).
    pub(crate) addressable_vgprs: u32,
    /// VGPRs are handed out in multiples of this.
    pub vgpr_granule: u32,
    /// Multiples of this are written into kernel descriptors.
    pub(crate) vgpr_encoding_granule: u32,
    /// AGPRs share the file with VGPRs, and start at a multiple of 4.
    pub unified_agprs: bool,
    /// SGPRs of one SIMD; 0 where every wave has its own full set.
    pub total_sgprs: u32,
    /// SGPRs one wave can name.
    pub addressable_sgprs: u32,
    /// SGPRs are allocated in multiples of this.
    pub sgpr_granule: u32,
    /// Most waves of a SIMD.
    pub max_waves_per_eu: u32,
    pub(crate) eus_per_cu: u32,
    /// Bytes of LDS that one workgroup can have.
    pub(crate) lds_bytes: u32,
    pub(crate) lds_granule: u32,
}
