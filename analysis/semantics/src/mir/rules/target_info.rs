//! The target's own section of the YAML: registers of AMDGPU functions.

use wavelens_isa::mir::Machine;

use super::{names, registers};
use crate::mir::context::Cx;
use crate::mir::model::Text;

rule!(
    WRONG_FIELD_CLASS,
    "wrong-register-for-field",
    "A field of `machineFunctionInfo` takes registers of one class only: `scratchRSrcReg` four SGPRs, `frameOffsetReg` one SGPR, `workItemIDX` a VGPR, and so on."
);

pub(in crate::mir) const RULES: &[&crate::Rule] = &[&WRONG_FIELD_CLASS];

/// Registers in the target's section.
pub(super) fn yaml_values(cx: &mut Cx<'_>) -> bool {
    if cx.machine != Machine::Amdgpu {
        return true;
    }
    let f = cx.f;
    let mut ok = true;
    for (key, text) in &f.properties.target_values {
        let class = match key.as_str() {
            "scavengeFI" => {
                ok &= frame_index(cx, text);
                continue;
            }
            "scratchRSrcReg" | "privateSegmentBuffer.reg" => "sgpr_128",
            "frameOffsetReg" | "stackPtrOffsetReg" => "sgpr_32",
            "dispatchPtr.reg"
            | "queuePtr.reg"
            | "kernargSegmentPtr.reg"
            | "dispatchID.reg"
            | "flatScratchInit.reg"
            | "implicitArgPtr.reg"
            | "implicitBufferPtr.reg" => "sreg_64",
            "privateSegmentSize.reg"
            | "LDSKernelId.reg"
            | "workGroupIDX.reg"
            | "workGroupIDY.reg"
            | "workGroupIDZ.reg"
            | "workGroupInfo.reg"
            | "privateSegmentWaveByteOffset.reg" => "sgpr_32",
            "workItemIDX.reg" | "workItemIDY.reg" | "workItemIDZ.reg" => "vgpr_32",
            "vgprForAGPRCopy" | "sgprForEXECCopy" | "longBranchReservedReg" if text.text.is_empty() => {
                continue;
            }
            "vgprForAGPRCopy"
            | "sgprForEXECCopy"
            | "longBranchReservedReg"
            | "wwmReservedRegs"
            | "spillPhysVGPRs" => "",
            _ => continue,
        };
        let Some(register) = registers::physical_text(cx, text) else {
            ok = false;
            continue;
        };
        let special =
            matches!(text.text.trim(), "$private_rsrc_reg" | "$fp_reg" | "$sp_reg") && !key.contains('.');
        let Some(wanted) = cx.t.class(class) else { continue };
        if !special && !cx.t.contains(wanted, register) {
            ok = false;
            cx.report(
                &WRONG_FIELD_CLASS,
                text.range,
                format!("`{key}` takes a register of the class {class}"),
            );
        }
    }
    ok
}

/// `scavengeFI` counts the objects in their order, whatever their ids.
fn frame_index(cx: &mut Cx<'_>, text: &Text) -> bool {
    let (fixed, number) = match text.text.trim().strip_prefix("%fixed-stack.") {
        Some(number) => (true, number),
        None => (false, text.text.trim().strip_prefix("%stack.").unwrap_or("")),
    };
    let Ok(number) = number.parse::<usize>() else { return true };
    let count = cx.f.frame.iter().filter(|o| o.fixed == fixed).count();
    if number < count {
        return true;
    }
    let key = if fixed { "fixedStack" } else { "stack" };
    cx.report(
        &names::UNDEFINED_FRAME_OBJECT,
        text.range,
        format!("object {number} is asked for, but `{key}` has only {count}"),
    );
    false
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::mir::rules::findings;

    #[test]
    fn scavenged_objects() {
        expect![[r#"
            error[undefined-frame-object] 4:16 `%stack.0`: object 0 is asked for, but `stack` has only 0
        "#]]
        .assert_eq(&findings(
            "machineFunctionInfo:\n  scavengeFI: '%stack.0'\n",
            "  bb.0:\n    S_ENDPGM 0\n",
        ));
    }

    #[test]
    fn registers_of_fields() {
        expect![[r#"
            error[wrong-register-for-field] 4:19 `$sgpr0`: `scratchRSrcReg` takes a register of the class sgpr_128
        "#]].assert_eq(&findings(
            "machineFunctionInfo:\n  scratchRSrcReg: $sgpr0\n",
            "  bb.0:\n    S_ENDPGM 0\n",
        ));
        expect![[r#"
            error[wrong-register-for-field] 4:22 `$vgpr0`: `stackPtrOffsetReg` takes a register of the class sgpr_32
        "#]].assert_eq(&findings(
            "machineFunctionInfo:\n  stackPtrOffsetReg: $vgpr0\n",
            "  bb.0:\n    S_ENDPGM 0\n",
        ));
    }
}
