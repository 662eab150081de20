//! Operands that must be equal, or must share no register.

use wavelens_isa::Conflict;

wavelens_syntax::rules! {
    OPERAND_CONFLICT {
        code: "operand-conflict",
        severity: wavelens_base::Severity::Error,
        title: "operands that must be equal or disjoint must be so",
        explain: "Some instructions take a register twice, and some write their result before they have read all sources: there, the \
operands must be the same registers or share none.",
        example: r#".amdgcn_target "amdgcn-amd-amdhsa--gfx908"
v_mfma_f32_16x16x1f32 a[2:17], v0, v1, a[0:15]
"#,
        fixed: r#".amdgcn_target "amdgcn-amd-amdhsa--gfx908"
v_mfma_f32_16x16x1f32 a[0:15], v0, v1, a[0:15]
"#,
        source: "LLVM AMDGPUAsmParser::validateMFMA: \"source 2 operand must not partially overlap with dst\"",
    }
}

pub(super) fn message(fault: Conflict) -> String {
    match fault {
        Conflict::OpSel => "op_sel says another half than the register's suffix".to_owned(),
        Conflict::AddressSize { registers, a16 } => {
            let registers = format!("{registers} register{}", if registers == 1 { "" } else { "s" });
            let verb = if a16 { "must not have" } else { "requires" };
            format!("an address of {registers} {verb} `a16`")
        }
        Conflict::PartialOverlap => {
            "the third source must be the same registers as the result, or share none of them".to_owned()
        }
        Conflict::DualResults => "the two results must be different registers".to_owned(),
        Conflict::DualParity => "one result must be an even register and the other an odd one".to_owned(),
        Conflict::DualBanks(source) => {
            format!("src{source} of the two halves must be in different VGPR banks")
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn a_source_overlaps_the_result_in_part() {
        marks(
            "gfx908",
            expect![[r#"
                v_mfma_f32_16x16x1f32 a[2:17], v0, v1, a[0:15]
                ;                                      ^^^^^^^ error[operand-conflict]: the third source must be the same registers as the result, or share none of them
                v_mfma_f32_16x16x1f32 a[0:15], v0, v1, a[0:15]
            "#]],
        );
    }

    #[test]
    fn the_halves_of_a_dual_instruction_use_different_banks() {
        marks(
            "gfx1100",
            expect![[r#"
                v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v2, v3
                ;                                       ^^ error[operand-conflict]: one result must be an even register and the other an odd one
                v_dual_add_f32 v0, v1, v2 :: v_dual_add_f32 v3, v5, v7
                ;                                               ^^ error[operand-conflict]: src0 of the two halves must be in different VGPR banks
                v_dual_add_f32 v0, v1, v2 :: v_dual_add_f32 v3, v4, v7
            "#]],
        );
    }
}
