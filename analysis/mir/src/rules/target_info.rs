//! The target's own section of the YAML: registers of AMDGPU functions.

use wavelens_isa::mir::Machine;
use wavelens_syntax::wording;

use super::{frame_objects, register_declarations};
use crate::context::RuleContext;
use crate::model::Text;

wavelens_syntax::rules! {
    WRONG_FIELD_CLASS {
        code: "wrong-register-for-field",
        severity: wavelens_base::Severity::Error,
        title: "a register in `machineFunctionInfo` is in the register class of its field",
        explain: "For example `scratchRSrcReg` is four SGPRs and `workItemIDX` a VGPR.",
        example: r#"---
name: f
machineFunctionInfo:
  scratchRSrcReg: '$vgpr0'
body: |
  bb.0:
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
machineFunctionInfo:
  scratchRSrcReg: '$sgpr0_sgpr1_sgpr2_sgpr3'
body: |
  bb.0:
    S_ENDPGM 0
...
"#,
        source: "LLVM GCNTargetMachine::parseMachineFunctionInfo: \"incorrect register class for field\"",
    }
}

/// The class of the register that a field names.
pub fn class_of_field(field: &str) -> Option<&'static str> {
    Some(match field {
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
        | "firstKernArgPreloadReg.reg"
        | "privateSegmentWaveByteOffset.reg" => "sgpr_32",
        "workItemIDX.reg" | "workItemIDY.reg" | "workItemIDZ.reg" => "vgpr_32",
        _ => return None,
    })
}

/// Registers in the target's section.
pub(super) fn check(cx: &mut RuleContext<'_>) -> bool {
    if cx.machine != Machine::Amdgpu {
        return true;
    }
    let f = cx.f;
    let mut ok = true;
    for (key, text) in &f.properties.target_values {
        let class = match key.as_str() {
            "scavengeFI" => {
                ok &= check_frame_index(cx, text);
                continue;
            }
            "vgprForAGPRCopy" | "sgprForEXECCopy" | "longBranchReservedReg" if text.text.is_empty() => {
                continue;
            }
            "vgprForAGPRCopy"
            | "sgprForEXECCopy"
            | "longBranchReservedReg"
            | "wwmReservedRegs"
            | "spillPhysVGPRs" => "",
            _ => match class_of_field(key) {
                Some(class) => class,
                None => continue,
            },
        };
        let Some(register) = register_declarations::physical_text(cx, text) else {
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
                format!("`{key}` must be a register of class `{class}`"),
            );
        }
    }
    ok
}

/// `scavengeFI` counts the objects in their order, whatever their ids.
fn check_frame_index(cx: &mut RuleContext<'_>, text: &Text) -> bool {
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
        &frame_objects::UNDEFINED_FRAME_OBJECT,
        text.range,
        format!("use of undefined object {number}: `{key}` has {}", wording::number(count, "objects")),
    );
    false
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn scavenged_objects() {
        marks(expect![[r#"
            ---
            name: f
            machineFunctionInfo:
              scavengeFI: '%stack.0'
            ;              ^^^^^^^^ error[undefined-frame-object]: use of undefined object 0: `stack` has 0 objects
            body: |
              bb.0:
                S_ENDPGM 0
            ...
        "#]]);
    }

    #[test]
    fn registers_of_fields() {
        marks(expect![[r#"
            ---
            name: f
            machineFunctionInfo:
              scratchRSrcReg: $sgpr0
            ;                 ^^^^^^ error[wrong-register-for-field]: `scratchRSrcReg` must be a register of class `sgpr_128`
            body: |
              bb.0:
                S_ENDPGM 0
            ...
        "#]]);
        marks(expect![[r#"
            ---
            name: f
            machineFunctionInfo:
              stackPtrOffsetReg: $vgpr0
            ;                    ^^^^^^ error[wrong-register-for-field]: `stackPtrOffsetReg` must be a register of class `sgpr_32`
            body: |
              bb.0:
                S_ENDPGM 0
            ...
        "#]]);
    }
}
