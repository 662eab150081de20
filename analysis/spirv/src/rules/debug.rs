//! Names and source lines.

use wavelens_syntax::spirv::tables::Op;
use wavelens_syntax::wording;

use crate::code::Inst;
use crate::context::RuleContext;
use wavelens_base::Severity;
use wavelens_base::{Verdict, fail_at};

wavelens_syntax::rules! {
    DEBUG_TARGET {
        code: "debug-target",
        severity: Severity::Error,
        title: "OpMemberName names an existing member, and OpLine refers to an OpString",
        explain: "Debuggers and disassemblers look up the name or the file and would show another one.",
        example: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
OpMemberName %View 1 "scale"
%float = OpTypeFloat 32
%View = OpTypeStruct %float
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
OpMemberName %View 0 "scale"
%float = OpTypeFloat 32
%View = OpTypeStruct %float
"#,
        source: "SPIR-V specification, Debug Instructions; SPIRV-Tools validate_debug.cpp: \"index is larger than Type\", \"is not an OpString\"",
    }
}

pub(super) fn instruction(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let target = inst.operand(0);
    match inst.op() {
        Op::MemberName => {
            if m.op(target) != Op::TypeStruct {
                return fail_at(&DEBUG_TARGET, 0, m.not_a_structure(target));
            }
            let count = m.members(target).len();
            if inst.operand(1) as usize >= count {
                return fail_at(
                    &DEBUG_TARGET,
                    1,
                    format!(
                        "member {} is out of range: `{}` has {}",
                        inst.operand(1),
                        m.name(target),
                        wording::number(count, "members")
                    ),
                );
            }
            Ok(())
        }
        Op::Line if m.op(target) != Op::String => {
            fail_at(&DEBUG_TARGET, 0, format!("`{}` is not the result of OpString", m.name(target)))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::testing::Shader;

    #[test]
    fn names_are_of_what_has_members() {
        let shader = Shader {
            annotations: "OpMemberName %float 0 \"x\"
OpMemberName %s 1 \"y\"
OpLine %float 1 1",
            types: "%s = OpTypeStruct %float",
            ..Shader::NEW
        };
        expect![[r#"
            error[debug-target] `%float`: `%float` is the result of OpTypeFloat, not a structure type
              14:1 `%float`: defined here
            error[debug-target] `1`: member 1 is out of range: `%s` has 1 member
            error[undefined-id] `%float`: use of `%float` before its definition
              14:1 `%float`: defined here
        "#]]
        .assert_eq(&shader.findings());
    }
}
