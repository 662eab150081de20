//! Opcodes of AMDGPU that came after the LLVM whose descriptions the tables are made of: only their names are known.

use crate::generation::Generation;
use crate::processor::{PROCESSORS, Processor};

/// Opcodes without encoding, sorted: those of LLVM 24 (Apache-2.0 WITH LLVM-exception; development version of October 2026, in the wheel
/// triton 3.9.0) that LLVM 22 does not have.
static NAMES: &str = include_str!("tables/amdgpu_newer.txt");

/// Opcodes whose operands LLVM 23 changed, by how they begin.
const CHANGED: [&str; 3] = ["TENSOR_", "V_SWMMAC_", "V_WMMA_"];

/// Names that LLVM 24 gave tuples of SGPRs which end with `vcc` or special registers.
const REGISTERS: [&str; 8] = [
    "sgpr100_224",
    "sgpr100_256",
    "sgpr104_128",
    "sgpr104_96",
    "sgpr76_1024",
    "sgpr92_512",
    "sgpr96_352",
    "sgpr96_384",
];

/// Whether a newer LLVM has a register.
pub fn is_newer_register(name: &str) -> bool {
    REGISTERS.contains(&name)
}

/// Whether a newer LLVM allocates registers of a class that was not allocatable.
pub fn is_newly_allocatable(class: &str) -> bool {
    class == "vgpr_16_lo128"
}

/// Whether LLVM 24 removed a register: the upper halves of all but VGPRs.
pub fn is_removed_register(name: &str) -> bool {
    name.ends_with("_hi16") && !name.starts_with("vgpr")
}

/// Flags of memory operands that LLVM 22 does not have.
const MEMORY_FLAGS: [&str; 1] = ["amdgpu-thread-private"];

/// Generations of which the tables have no processor, each with one whose register classes they have.
const STAND_INS: [(Generation, &str); 2] = [(Generation::Gfx11_7, "gfx1150"), (Generation::Gfx13, "gfx1201")];

/// Processors whose register classes a newer one may have: those of its generation, or the one whose tables serve for it.
pub(super) fn stand_ins(cpu: &str) -> impl Iterator<Item = &'static str> + use<> {
    let own = Processor::named(cpu).map(|processor| processor.generation);
    let alike = PROCESSORS.iter().filter(move |processor| Some(processor.generation) == own);
    let other = STAND_INS.iter().filter(move |(generation, _)| Some(*generation) == own);
    alike.map(|processor| processor.name).chain(other.map(|(_, known)| *known))
}

/// Whether a newer LLVM has a flag of memory operands.
pub fn is_newer_memory_flag(name: &str) -> bool {
    MEMORY_FLAGS.contains(&name)
}

/// Whether a newer LLVM may have an opcode; `is_known`: the tables have an opcode of this name. Opcodes with an encoding are named after
/// the processors that have it: `V_PK_MUL_F32_gfx1250`.
pub fn is_newer_opcode(name: &str, is_known: impl Fn(&str) -> bool) -> bool {
    let is_listed = |name: &str| NAMES.lines().any(|line| line == name);
    let base =
        name.rsplit_once("_gfx").filter(|(_, suffix)| suffix.starts_with(|c: char| c.is_ascii_digit()));
    // The tables have instructions with two operations for gfx11 and gfx12 only.
    let known_elsewhere =
        |base: &str| ["_gfx11", "_gfx12", "_gfx1250"].iter().any(|of| is_known(&format!("{base}{of}")));
    // Buffer instructions whose descriptor is in an indexed register.
    let is_indexed = |name: &str| is_known(&name.replacen("_VBUFFER_indexed_", "_VBUFFER_", 1));
    is_listed(name)
        || is_indexed(base.map_or(name, |(base, _)| base))
        || base.is_some_and(|(base, _)| is_known(base) || is_listed(base) || known_elsewhere(base))
}

/// Whether a newer LLVM may ask other operands of an opcode than the tables do.
pub fn has_newer_operands(name: &str) -> bool {
    // Loads to LDS got one more immediate.
    let loads_to_lds = name.contains("_LDS_") && (name.starts_with("BUFFER_") || name.starts_with("GLOBAL_"));
    loads_to_lds || CHANGED.iter().any(|start| name.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mir::Machine;

    #[test]
    fn opcodes_of_newer_versions() {
        let tables = Machine::Amdgpu.tables();
        let is_newer = |name: &str| is_newer_opcode(name, |name| tables.opcode(name).is_some());
        assert!(is_newer("V_DUAL_MOV_B32_e32_X_MOV_B32_e32_gfx13"));
        assert!(is_newer("G_AMDGPU_FMAX3") && is_newer("V_PK_MUL_F32_gfx1250"));
        assert!(is_newer("BUFFER_ATOMIC_ADD_VBUFFER_indexed_OFFEN_RTN_gfx13") && is_newer("ASYNCMARK"));
        assert!(!is_newer("BUFFER_ATOMIC_ADDD_VBUFFER_indexed_OFFEN"));
        assert!(!is_newer("V_PK_MULL_F32_gfx1250") && !is_newer("V_FOO") && !is_newer("V_PK_MUL_F32_gfx"));
        assert!(NAMES.lines().is_sorted() && NAMES.lines().all(|name| tables.opcode(name).is_none()));
        assert!(
            has_newer_operands("BUFFER_LOAD_DWORD_LDS_OFFSET")
                && has_newer_operands("V_WMMA_F32_16X16X32_F16_w32_twoaddr")
                && !has_newer_operands("V_ADD_F32_e32")
        );
    }

    /// A generation that the tables do not have needs a processor whose tables serve for it.
    #[test]
    fn every_processor_has_register_classes() {
        let tables = Machine::Amdgpu.tables();
        let cpus = &tables.facts().cpus;
        let is_known = |name: &str| cpus.contains_key(name);
        let unknown = PROCESSORS.iter().map(|processor| processor.name);
        let unknown: Vec<&str> =
            unknown.filter(|name| !is_known(name) && !stand_ins(name).any(is_known)).collect();
        assert_eq!(unknown, [""; 0]);
        assert_eq!(stand_ins("gfx1170").find(|name| is_known(name)), Some("gfx1150"));
    }
}
