//! Operands of branches: the literals of OpSwitch, and branch weights.

use rustc_hash::FxHashMap;
use wavelens_syntax::spirv::tables::Op;

use crate::code::Inst;
use crate::context::RuleContext;
use wavelens_base::{Severity, Verdict, fail_at};

wavelens_syntax::rules! {
    BRANCH_OPERANDS {
        code: "branch-operands",
        severity: Severity::Warning,
        title: "the literals of OpSwitch differ, and the branch weights have a sum other than 0",
        explain: "Of two equal literals, it is not defined which target is taken. Branch weights say how much more often one target is taken than the other: two zeros say nothing, and their sum must fit in 32 bits. The reference validator accepts all of these.\n\nSwitch it off for modules that are made to test consumers.",
        example: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%void = OpTypeVoid
%int = OpTypeInt 32 0
%one = OpConstant %int 1
%fn = OpTypeFunction %void
%f = OpFunction %void None %fn
%entry = OpLabel
OpSelectionMerge %end None
OpSwitch %one %end 0 %a 0 %b
%a = OpLabel
OpBranch %end
%b = OpLabel
OpBranch %end
%end = OpLabel
OpReturn
OpFunctionEnd
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%void = OpTypeVoid
%int = OpTypeInt 32 0
%one = OpConstant %int 1
%fn = OpTypeFunction %void
%f = OpFunction %void None %fn
%entry = OpLabel
OpSelectionMerge %end None
OpSwitch %one %end 0 %a 1 %b
%a = OpLabel
OpBranch %end
%b = OpLabel
OpBranch %end
%end = OpLabel
OpReturn
OpFunctionEnd
"#,
        source: "SPIR-V specification, OpSwitch (it is invalid for any two literals to be equal to each other) and OpBranchConditional (at least one weight must be non-zero; the two weights must not overflow a 32-bit unsigned integer when added together)",
    }
}

pub(super) fn check(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    match inst.op() {
        Op::Switch => {
            let mut seen: FxHashMap<&[u32], usize> = FxHashMap::default();
            for operand in (2..inst.count()).step_by(2) {
                if let Some(first) = seen.insert(inst.operand_words(operand), operand) {
                    let (target, other) = (inst.operand(operand + 1), inst.operand(first + 1));
                    let message = format!(
                        "this literal was given before: `{}` or `{}` is taken",
                        m.name(other),
                        m.name(target)
                    );
                    return fail_at(&BRANCH_OPERANDS, operand, message);
                }
            }
            Ok(())
        }
        Op::BranchConditional if inst.count() == 5 => match inst.operand(3).checked_add(inst.operand(4)) {
            Some(0) => fail_at(&BRANCH_OPERANDS, 3, "at least one branch weight must not be 0"),
            Some(_) => Ok(()),
            None => fail_at(&BRANCH_OPERANDS, 3, "the sum of the branch weights must not overflow 32 bits"),
        },
        _ => Ok(()),
    }
}
