//! Replaces instructions that newer versions of SPIR-V gave another name, or another instruction.

use wavelens_base::{TextEdit, TextRange, TextSize};
use wavelens_syntax::spirv::tables::{Extension, Op};

use super::Here;
use crate::answers::Action;

pub(super) fn actions(here: &Here<'_>) -> Vec<Action> {
    [alias(here), kill(here)].into_iter().flatten().collect()
}

/// The place of the opcode's word in the chunk, and the word.
pub(super) fn word<'a>(here: &Here<'a>) -> Option<(TextRange, &'a str)> {
    let range = here.range();
    let text = here.cx.slice(range);
    let start = if text.starts_with('%') { text.find("Op")? } else { 0 };
    let rest = text.get(start..)?;
    let word = rest.split(|c: char| !c.is_ascii_alphanumeric()).next()?;
    Some((TextRange::at(range.start() + TextSize::new(start as u32), TextSize::of(word)), word))
}

/// An opcode under the name it had in a vendor's extension.
fn alias(here: &Here<'_>) -> Option<Action> {
    let (range, word) = word(here)?;
    let name = here.inst.op().info()?.name;
    if word == name || Op::from_name(word.strip_prefix("Op")?)?.op != here.inst.op() {
        return None;
    }
    let edit = TextEdit { range, text: name.to_owned() };
    Some(Action::rewrite(format!("Replace {word} with its current name, {name}"), vec![edit]))
}

/// SPIR-V 1.6 deprecates OpKill (SPIR-V specification, OpKill).
fn kill(here: &Here<'_>) -> Option<Action> {
    let known =
        here.m.scope.version >= 0x10600 || here.m.has_extension(Extension::SPV_KHR_terminate_invocation);
    if here.inst.op() != Op::Kill || !known {
        return None;
    }
    let (range, _) = word(here)?;
    let edit = TextEdit { range, text: "OpTerminateInvocation".to_owned() };
    Some(Action::rewrite("Replace the deprecated OpKill with OpTerminateInvocation", vec![edit]))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::tests::check;

    #[test]
    fn old_names_become_new_ones() {
        check(
            "current name",
            "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\nOp$0DecorateStringGOOGLE %1 UserSemantic \"x\"\n%1 = OpTypeInt 32 0\n",
            expect![[r#"
                [Rewrite] Replace OpDecorateStringGOOGLE with its current name, OpDecorateString
                ---
                OpCapability Shader
                OpCapability Linkage
                OpMemoryModel Logical GLSL450
                OpDecorateString %1 UserSemantic "x"
                %1 = OpTypeInt 32 0
            "#]],
        );
    }

    #[test]
    fn kill_terminates_the_invocation() {
        check(
            "OpKill",
            "; target-env: spv1.6\nOpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n%v = OpTypeVoid\n%t = OpTypeFunction %v\n%f = OpFunction %v None %t\n%l = OpLabel\nOp$0Kill\nOpFunctionEnd\n",
            expect![[r#"
                [Rewrite] Replace the deprecated OpKill with OpTerminateInvocation
                ---
                ; target-env: spv1.6
                OpCapability Shader
                OpCapability Linkage
                OpMemoryModel Logical GLSL450
                %v = OpTypeVoid
                %t = OpTypeFunction %v
                %f = OpFunction %v None %t
                %l = OpLabel
                OpTerminateInvocation
                OpFunctionEnd
            "#]],
        );
    }
}
