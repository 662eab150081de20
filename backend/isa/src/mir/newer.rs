//! Opcodes of AMDGPU that came after the LLVM whose descriptions the tables are made of: only their names are known.

/// Opcodes without encoding, sorted: those of LLVM 24 (Apache-2.0 WITH LLVM-exception; development version of October 2026, in the wheel
/// triton 3.9.0) that LLVM 22 does not have.
static NAMES: &str = include_str!("tables/amdgpu_newer.txt");

/// Opcodes whose operands LLVM 23 changed, by how they begin.
const CHANGED: [&str; 3] = ["TENSOR_", "V_SWMMAC_", "V_WMMA_"];

/// Whether a newer LLVM may have an opcode; `is_known`: the tables have an opcode of this name. Opcodes with an encoding are named after
/// the processors that have it: `V_PK_MUL_F32_gfx1250`.
pub fn is_newer_opcode(name: &str, is_known: impl Fn(&str) -> bool) -> bool {
    let is_listed = |name: &str| NAMES.lines().any(|line| line == name);
    let base =
        name.rsplit_once("_gfx").filter(|(_, suffix)| suffix.starts_with(|c: char| c.is_ascii_digit()));
    is_listed(name) || base.is_some_and(|(base, _)| is_known(base) || is_listed(base))
}

/// Whether a newer LLVM may ask other operands of an opcode than the tables do.
pub fn has_newer_operands(name: &str) -> bool {
    CHANGED.iter().any(|start| name.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mir::Machine;

    #[test]
    fn opcodes_of_newer_versions() {
        let tables = Machine::Amdgpu.tables();
        let is_newer = |name: &str| is_newer_opcode(name, |name| tables.opcode(name).is_some());
        assert!(is_newer("G_AMDGPU_FMAX3") && is_newer("V_PK_MUL_F32_gfx1250"));
        assert!(!is_newer("V_PK_MULL_F32_gfx1250") && !is_newer("V_FOO") && !is_newer("V_PK_MUL_F32_gfx"));
        assert!(NAMES.lines().is_sorted() && NAMES.lines().all(|name| tables.opcode(name).is_none()));
        assert!(
            has_newer_operands("V_WMMA_F32_16X16X32_F16_w32_twoaddr") && !has_newer_operands("V_ADD_F32_e32")
        );
    }
}
