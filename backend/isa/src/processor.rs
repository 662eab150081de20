//! The facts about a processor that directives depend on (source: LLVM's AMDGPUBaseInfo and AMDGPU.td).

use crate::generation::Generation::{self, *};
use crate::generation::{GenerationFacts, Span};
use crate::target::{Level, Target};

/// What directives ask about the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProcessorFacts {
    /// The processor, with its wave size.
    pub target: Target,
    /// Its generation.
    pub generation: Generation,
    /// First number of the version: 9 for gfx90a.
    pub major: u32,
    /// Second number of the version.
    pub minor: u32,
    /// Third number of the version.
    pub stepping: u32,
    /// Whether XNACK is on.
    pub xnack: bool,
    pub(crate) sramecc: bool,
    /// Tonga and Iceland need a fixed number of scalar registers.
    pub sgpr_init_bug: bool,
}

/// What is known of a processor besides the features of its generated table.
#[derive(Debug)]
pub struct Processor {
    /// As `-mcpu` names it.
    pub name: &'static str,
    /// Its generation.
    pub generation: Generation,
    /// The version of its instruction set.
    pub version: (u32, u32, u32),
    /// How triples name it: the family, whose name stands for all its processors, and its own subarchitecture.
    pub(crate) triple: Option<(&'static str, &'static str)>,
    /// The low byte of the flags of code objects.
    pub elf: Option<u32>,
    /// The first version of LLVM that knows it.
    pub(crate) since: Level,
    /// Its matrix core takes at least twice as long as that of gfx1250 (LLVM's `gfx125x-lowest-rate-wmma`).
    pub(crate) has_slow_matrix_core: bool,
}

const fn row(name: &'static str, generation: Generation, version: (u32, u32, u32)) -> Processor {
    let (triple, elf, since) = (None, None, Level::Llvm22);
    Processor { name, generation, version, triple, elf, since, has_slow_matrix_core: false }
}

impl Processor {
    const fn triple(self, family: &'static str, own: &'static str) -> Processor {
        Processor { triple: Some((family, own)), ..self }
    }

    const fn elf(self, flags: u32) -> Processor {
        Processor { elf: Some(flags), ..self }
    }

    const fn since_24(self) -> Processor {
        Processor { since: Level::Llvm24, ..self }
    }

    const fn slow_matrix_core(self) -> Processor {
        Processor { has_slow_matrix_core: true, ..self }
    }

    /// The processors that AMD names by their version, not by a code name, of each architecture; newest first.
    pub fn by_architecture() -> Vec<(&'static str, Vec<&'static str>)> {
        let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
        let mut named: Vec<&Processor> = PROCESSORS.iter().filter(|p| p.name.starts_with("gfx")).collect();
        named.sort_by_key(|p| std::cmp::Reverse(p.generation));
        for processor in named {
            let architecture = processor.architecture();
            match groups.last_mut().filter(|(name, _)| *name == architecture) {
                Some((_, all)) => all.push(processor.name),
                None => groups.push((architecture, vec![processor.name])),
            }
        }
        groups
    }

    /// The name of its family: `RDNA 3`.
    pub fn architecture(&self) -> &'static str {
        self.generation.facts().architecture
    }

    /// The processor of a name.
    pub fn named(name: &str) -> Option<&'static Processor> {
        PROCESSORS.iter().find(|p| p.name == name)
    }
}

/// Every processor, in the order of the generated table. A new one is a row here and one in the generator.
///
/// Sources: LLVM's AMDGPU usage guide ("Processors", "ELF Header") and `AMDGPUTargetParser` (Apache License v2.0 with LLVM Exceptions).
#[rustfmt::skip]
pub static PROCESSORS: &[Processor] = &[
    row("generic", Gfx6, (9, 0, 0)),
    row("generic-hsa", Unnamed, (9, 0, 0)),
    row("gfx600", Gfx6, (6, 0, 0)).triple("6", "6.00").elf(0x20),
    row("tahiti", Gfx6, (6, 0, 0)),
    row("gfx601", Gfx6, (6, 0, 1)).triple("6", "6.01").elf(0x21),
    row("pitcairn", Gfx6, (6, 0, 1)),
    row("verde", Gfx6, (6, 0, 1)),
    row("gfx602", Gfx6, (6, 0, 2)).triple("6", "6.02").elf(0x3a),
    row("hainan", Gfx6, (6, 0, 2)),
    row("oland", Gfx6, (6, 0, 2)),
    row("gfx700", Gfx7, (7, 0, 0)).triple("7", "7.00").elf(0x22),
    row("kaveri", Gfx7, (7, 0, 0)),
    row("gfx701", Gfx7, (7, 0, 1)).triple("7", "7.01").elf(0x23),
    row("hawaii", Gfx7, (7, 0, 1)),
    row("gfx702", Gfx7, (7, 0, 2)).triple("7", "7.02").elf(0x24),
    row("gfx703", Gfx7, (7, 0, 3)).triple("7", "7.03").elf(0x25),
    row("kabini", Gfx7, (7, 0, 3)),
    row("mullins", Gfx7, (7, 0, 3)),
    row("gfx704", Gfx7, (7, 0, 4)).triple("7", "7.04").elf(0x26),
    row("bonaire", Gfx7, (7, 0, 4)),
    row("gfx705", Gfx7, (7, 0, 5)).triple("7", "7.05").elf(0x3b),
    row("gfx801", Gfx8, (8, 0, 1)).triple("8", "8.01").elf(0x28),
    row("carrizo", Gfx8, (8, 0, 1)),
    row("gfx802", Gfx8, (8, 0, 2)).triple("8", "8.02").elf(0x29),
    row("iceland", Gfx8, (8, 0, 2)),
    row("tonga", Gfx8, (8, 0, 2)),
    row("gfx803", Gfx8, (8, 0, 3)).triple("8", "8.03").elf(0x2a),
    row("fiji", Gfx8, (8, 0, 3)),
    row("polaris10", Gfx8, (8, 0, 3)),
    row("polaris11", Gfx8, (8, 0, 3)),
    row("gfx805", Gfx8, (8, 0, 5)).triple("8", "8.05").elf(0x3c),
    row("tongapro", Gfx8, (8, 0, 5)),
    row("gfx810", Gfx8, (8, 1, 0)).triple("8.10", "8.10").elf(0x2b),
    row("stoney", Gfx8, (8, 1, 0)),
    row("gfx900", Gfx9, (9, 0, 0)).triple("9", "9.00").elf(0x2c),
    row("gfx902", Gfx9, (9, 0, 2)).triple("9", "9.02").elf(0x2d),
    row("gfx904", Gfx9, (9, 0, 4)).triple("9", "9.04").elf(0x2e),
    row("gfx906", Gfx9, (9, 0, 6)).triple("9", "9.06").elf(0x2f),
    row("gfx908", Gfx908, (9, 0, 8)).triple("9.08", "9.08").elf(0x30),
    row("gfx909", Gfx9, (9, 0, 9)).triple("9", "9.09").elf(0x31),
    row("gfx90a", Gfx90a, (9, 0, 10)).triple("9.0a", "9.0a").elf(0x3f),
    row("gfx90c", Gfx9, (9, 0, 12)).triple("9", "9.0c").elf(0x32),
    row("gfx942", Gfx940, (9, 4, 2)).triple("9.4", "9.42").elf(0x4c),
    row("gfx950", Gfx950, (9, 5, 0)).triple("9.4", "9.50").elf(0x4f),
    row("gfx9-generic", Gfx9, (9, 0, 0)).triple("9", "9").elf(0x51),
    row("gfx9-4-generic", Gfx940, (9, 4, 0)).triple("9.4", "9.4").elf(0x5f),
    row("gfx1010", Gfx10_1, (10, 1, 0)).triple("10.1", "10.10").elf(0x33),
    row("gfx1011", Gfx10_1, (10, 1, 1)).triple("10.1", "10.11").elf(0x34),
    row("gfx1012", Gfx10_1, (10, 1, 2)).triple("10.1", "10.12").elf(0x35),
    row("gfx1013", Gfx10_1, (10, 1, 3)).triple("10.1", "10.13").elf(0x42),
    row("gfx1030", Gfx10_3, (10, 3, 0)).triple("10.3", "10.30").elf(0x36),
    row("gfx1031", Gfx10_3, (10, 3, 1)).triple("10.3", "10.31").elf(0x37),
    row("gfx1032", Gfx10_3, (10, 3, 2)).triple("10.3", "10.32").elf(0x38),
    row("gfx1033", Gfx10_3, (10, 3, 3)).triple("10.3", "10.33").elf(0x39),
    row("gfx1034", Gfx10_3, (10, 3, 4)).triple("10.3", "10.34").elf(0x3e),
    row("gfx1035", Gfx10_3, (10, 3, 5)).triple("10.3", "10.35").elf(0x3d),
    row("gfx1036", Gfx10_3, (10, 3, 6)).triple("10.3", "10.36").elf(0x45),
    row("gfx10-1-generic", Gfx10_1, (10, 1, 0)).triple("10.1", "10.1").elf(0x52),
    row("gfx10-3-generic", Gfx10_3, (10, 3, 0)).triple("10.3", "10.3").elf(0x53),
    row("gfx1100", Gfx11, (11, 0, 0)).triple("11", "11.00").elf(0x41),
    row("gfx1101", Gfx11, (11, 0, 1)).triple("11", "11.01").elf(0x46),
    row("gfx1102", Gfx11, (11, 0, 2)).triple("11", "11.02").elf(0x47),
    row("gfx1103", Gfx11, (11, 0, 3)).triple("11", "11.03").elf(0x44),
    row("gfx1150", Gfx11_5, (11, 5, 0)).triple("11", "11.50").elf(0x43),
    row("gfx1151", Gfx11_5, (11, 5, 1)).triple("11", "11.51").elf(0x4a),
    row("gfx1152", Gfx11_5, (11, 5, 2)).triple("11", "11.52").elf(0x55),
    row("gfx1153", Gfx11_5, (11, 5, 3)).triple("11", "11.53").elf(0x58),
    row("gfx11-generic", Gfx11, (11, 0, 3)).triple("11", "11").elf(0x54),
    row("gfx1154", Gfx11_5, (11, 5, 4)).triple("11", "11.54").elf(0x57).since_24(),
    row("gfx1170", Gfx11_7, (11, 7, 0)).triple("11.7", "11.70").elf(0x5d).since_24(),
    row("gfx1171", Gfx11_7, (11, 7, 1)).triple("11.7", "11.71").elf(0x5e).since_24(),
    row("gfx1172", Gfx11_7, (11, 7, 2)).triple("11.7", "11.72").elf(0x5c).since_24(),
    row("gfx11-7-generic", Gfx11_7, (11, 7, 0)).triple("11.7", "11.7").elf(0x62).since_24(),
    row("gfx1200", Gfx12, (12, 0, 0)).triple("12", "12.00").elf(0x48),
    row("gfx1201", Gfx12, (12, 0, 1)).triple("12", "12.01").elf(0x4e),
    row("gfx12-generic", Gfx12, (12, 0, 0)).triple("12", "12").elf(0x59),
    row("gfx1250", Gfx12_5, (12, 5, 0)).triple("12.5", "12.50").elf(0x49),
    row("gfx1251", Gfx12_5, (12, 5, 1)).triple("12.5", "12.51").elf(0x5a).slow_matrix_core(),
    row("gfx1250-strict", Gfx12_5, (12, 5, 0)).triple("12.5", "12.50s").elf(0xeb).since_24(),
    row("gfx12-5-generic", Gfx12_5, (12, 5, 0)).triple("12.5", "12.5").elf(0x5b).since_24().slow_matrix_core(),
    row("gfx1310", Gfx13, (13, 1, 0)).triple("13", "13.10").elf(0x50).since_24(),
    row("gfx13-generic", Gfx13, (13, 1, 0)).triple("13", "13").elf(0x63).since_24(),
];

/// Microcode versions in the operand of `s_version`.
pub(crate) const MICROCODE_VERSIONS: [(&str, i64); 4] =
    [("UC_VERSION_GFX7", 0), ("UC_VERSION_GFX10", 4), ("UC_VERSION_GFX11", 6), ("UC_VERSION_GFX12", 9)];
/// Bits that are added to them.
pub(crate) const MICROCODE_BITS: [(&str, i64); 3] =
    [("UC_VERSION_W64_BIT", 0x2000), ("UC_VERSION_W32_BIT", 0x4000), ("UC_VERSION_MDP_BIT", 0x8000)];

/// Splits `gfx90a` into 9, 0, 10, also for processors that are not known.
pub fn version(name: &str) -> Option<(u32, u32, u32)> {
    if let Some(known) = Processor::named(name).filter(|p| !p.name.starts_with("generic")) {
        return Some(known.version);
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
        // Directives take a processor without a version to be of gfx9.
        let is_unnamed = target.name().starts_with("generic");
        let generation = if is_unnamed { Gfx9 } else { target.generation() };
        let at = (major, minor, stepping);
        ProcessorFacts {
            target,
            generation,
            major,
            minor,
            stepping,
            xnack: matches!(at, (8, 0, 1) | (8, 1, 0)) || Span(Gfx9, Gfx10_1).contains(generation),
            sramecc: at == (9, 0, 6) || Span(Gfx908, Gfx950).contains(generation),
            sgpr_init_bug: matches!(at, (8, 0, 2) | (8, 0, 5)),
        }
    }

    /// What its generation has.
    pub fn facts(&self) -> &'static GenerationFacts {
        self.generation.facts()
    }

    /// SGPRs that a wave can address.
    pub fn addressable_sgprs(&self) -> u64 {
        if self.sgpr_init_bug { 96 } else { self.facts().named_sgprs.into() }
    }

    /// Memory accesses may be replayed: by choice of the target id, or always.
    pub fn replays(&self) -> bool {
        self.xnack || self.facts().always_replays
    }

    /// SGPRs after the numbered ones that the hardware reserves.
    pub fn extra_sgprs(&self, vcc: bool, flat_scratch: bool, xnack: bool) -> u32 {
        let vcc = if vcc { 2 } else { 0 };
        let facts = self.facts();
        if !facts.allocates_sgprs {
            return vcc;
        }
        match facts.has_xnack_mask {
            true if flat_scratch || facts.architected_flat_scratch => 6,
            true if xnack => 4,
            false if flat_scratch => 4,
            _ => vcc,
        }
    }

    /// Register counts in descriptors are in multiples of this.
    pub fn vgpr_encoding_granule(&self, wave32: Option<bool>) -> u64 {
        let is_wave32 = wave32.unwrap_or(self.facts().has_wave32);
        self.facts().descriptor_vgpr_granule.unwrap_or(if is_wave32 { 8 } else { 4 })
    }

    /// SGPRs that a kernel can be started with.
    pub fn max_user_sgprs(&self) -> u64 {
        self.facts().max_user_sgprs
    }

    /// Bytes of LDS that `.amdgpu_lds` can ask for.
    pub fn local_memory(&self) -> i64 {
        self.facts().lds_directive_bytes
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_processor_of_the_generated_table_has_a_row() {
        let rows: Vec<&str> = PROCESSORS.iter().map(|p| p.name).collect();
        assert_eq!(Target::names().collect::<Vec<_>>(), rows);
    }

    #[test]
    fn architectures_come_newest_first() {
        let groups: Vec<String> = Processor::by_architecture()
            .iter()
            .map(|(name, all)| format!("{name}: {}", all.join(" ")))
            .collect();
        expect_test::expect![[r#"
            GFX13: gfx1310 gfx13-generic
            GFX12.5: gfx1250 gfx1251 gfx1250-strict gfx12-5-generic
            RDNA 4: gfx1200 gfx1201 gfx12-generic
            RDNA 3.5: gfx1170 gfx1171 gfx1172 gfx11-7-generic gfx1150 gfx1151 gfx1152 gfx1153 gfx1154
            RDNA 3: gfx1100 gfx1101 gfx1102 gfx1103 gfx11-generic
            RDNA 2: gfx1030 gfx1031 gfx1032 gfx1033 gfx1034 gfx1035 gfx1036 gfx10-3-generic
            RDNA 1: gfx1010 gfx1011 gfx1012 gfx1013 gfx10-1-generic
            CDNA 4: gfx950
            CDNA 3: gfx942 gfx9-4-generic
            CDNA 2: gfx90a
            CDNA 1: gfx908
            GCN 5 (Vega): gfx900 gfx902 gfx904 gfx906 gfx909 gfx90c gfx9-generic
            GCN 3 and 4: gfx801 gfx802 gfx803 gfx805 gfx810
            GCN 2: gfx700 gfx701 gfx702 gfx703 gfx704 gfx705
            GCN 1: gfx600 gfx601 gfx602"#]]
        .assert_eq(&groups.join("\n"));
    }

    #[test]
    fn numbers_and_triples_are_unique() {
        let mut elf: Vec<_> = PROCESSORS.iter().filter_map(|p| p.elf).collect();
        let mut triples: Vec<_> = PROCESSORS.iter().filter_map(|p| Some(p.triple?.1)).collect();
        let counts = (elf.len(), triples.len());
        elf.sort_unstable();
        elf.dedup();
        triples.sort_unstable();
        triples.dedup();
        assert_eq!((elf.len(), triples.len()), counts);
    }

    #[test]
    fn facts_follow_the_features_that_llvm_names() {
        for target in Target::names().filter_map(Target::named) {
            let facts = target.facts();
            let has = |name| target.has_feature(name);
            assert_eq!(facts.unified_agprs, has("gfx90a-insts"), "{target}");
            assert_eq!(facts.has_vgpr_msb, has("gfx1250-insts"), "{target}");
            assert_eq!(facts.negates_f64_products, has("gfx940-insts"), "{target}");
        }
    }
}
