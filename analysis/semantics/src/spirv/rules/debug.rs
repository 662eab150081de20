//! Names and source lines.

use wavelens_syntax::spirv::tables::Op;

use crate::spirv::code::Inst;
use crate::spirv::context::{Check, Module, fail_at};
use crate::{Rule, Severity};

pub static DEBUG_TARGET: Rule = Rule {
    code: "debug-target",
    severity: Severity::Error,
    explain: "OpMemberName names a member that the structure has; OpLine names a file by an OpString.\n\n\
        Source: SPIR-V specification, section 3.52.2 (Debug Instructions).",
    ..Rule::UNDOCUMENTED
};

pub(super) fn check(m: &Module<'_>, inst: Inst<'_>) -> Check {
    let target = inst.operand(0);
    match inst.op() {
        Op::MemberName => {
            if m.op(target) != Op::TypeStruct {
                return fail_at(&DEBUG_TARGET, 0, format!("`{}` is no structure type", m.name(target)));
            }
            let count = m.members(target).len();
            if inst.operand(1) as usize >= count {
                return fail_at(
                    &DEBUG_TARGET,
                    1,
                    format!(
                        "`{}` has {count} members: there is no member {}",
                        m.name(target),
                        inst.operand(1)
                    ),
                );
            }
            Ok(())
        }
        Op::Line if m.op(target) != Op::String => {
            fail_at(&DEBUG_TARGET, 0, format!("`{}` is no OpString", m.name(target)))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::spirv::rules::testing::Shader;

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
            error[debug-target] `%float`: `%float` is no structure type
            error[debug-target] `1`: `%s` has 1 members: there is no member 1
            error[undefined-id] `%float`: `%float` is used before its definition
        "#]]
        .assert_eq(&shader.findings());
    }
}
