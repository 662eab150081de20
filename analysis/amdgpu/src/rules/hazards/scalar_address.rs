//! Memory instructions read a scalar register that a vector instruction just wrote.

use wavelens_isa::Generation::Gfx7;
use wavelens_isa::Traits;

use super::{Code, Hazard, Mitigation, is_vector};

wavelens_syntax::rules! {
    RULE {
        code: "hazard-scalar-address",
        severity: wavelens_base::Severity::Warning,
        title: "on gfx8 and gfx9, vector memory must be 5 wait states after the vector instruction that writes a scalar register of its \
address",
        explain: "The instruction set manual requires it: the hardware does not check. The rule reports warnings. The memory instruction \
would use the old address or descriptor. On gfx6, scalar memory needs 4.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_readfirstlane_b32 s4, v0\n\
buffer_load_dword v1, off, s[4:7], 0\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_readfirstlane_b32 s4, v0\ns_nop 4\n\
buffer_load_dword v1, off, s[4:7], 0\n",
        source: "instruction set manuals, \"Manually Inserted Wait States\": VALU writes SGPR, VMEM reads that SGPR; LLVM \
GCNHazardRecognizer::checkVMEMHazards",
    }
}

pub(super) fn check(code: &Code<'_>, index: usize) -> Option<Hazard> {
    let (memory, states) = match code.is_from(Gfx7) {
        false => (Traits::SMEM, 4),
        true => (Traits::VMEM, 5),
    };
    if !code.is(index, memory) {
        return None;
    }
    let hazards = code.sources(index).filter(|r| !is_vector(*r)).filter_map(|reg| {
        let (missing, producer) = code.vector_write(index, reg, states)?;
        Some((missing, producer, reg))
    });
    let (missing, producer, reg) = hazards.max_by_key(|h| h.0)?;
    let what = format!("`{}` is read by memory before its new value is there", reg.name());
    Some(Hazard { producer, what, cause: "written here", mitigation: Mitigation::States(missing) })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks_pedantic;

    #[test]
    fn addresses_need_five_states() {
        marks_pedantic(
            "gfx900",
            expect![[r#"
                v_readfirstlane_b32 s4, v0
                s_mov_b32 s5, 0
                global_load_dword v1, v0, s[4:5]
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[hazard-scalar-address]: `s[4:5]` is read by memory before its new value is there; 4 more wait states are needed: `s_nop 3`
                ;                              = line 1:1: written here
                ;                              = fix: s_nop 3
            "#]],
        );
        marks_pedantic(
            "gfx1030",
            expect![[r#"
                v_readfirstlane_b32 s4, v0
                s_mov_b32 s5, 0
                global_load_dword v1, v0, s[4:5]
            "#]],
        );
    }
}
