//! Signature help in SPIR-V assembly.

use wavelens_base::TextSize;
use wavelens_syntax::spirv::tables::{Kind, Operand, Quantifier};

use super::Cx;
use super::place::{Typing, requirements, typing};
use crate::answers::Signature;

/// The signature of the call or instruction around an offset of the chunk.
pub fn signature(cx: &Cx<'_>, at: TextSize) -> Option<Signature> {
    let typing = typing(cx, at)?;
    let info = typing.op?.info()?;
    let mut line = Line::default();
    if info.has_result {
        line.label.push_str("%result = ");
    }
    line.label.push_str(info.name);
    for (index, (operand, name)) in info.operands.iter().zip(info.operand_names()).enumerate() {
        match (operand.kind, typing.inst) {
            (Kind::ResultId, _) => {}
            (Kind::ExtInstNumber, Some(known)) => {
                line.label.push(' ');
                line.label.push_str(known.name);
                for (index, (operand, name)) in known.operands.iter().zip(known.operand_names()).enumerate() {
                    line.add(*operand, name, typing.in_inst == Some(index));
                }
            }
            _ => line.add(*operand, name, is_active(&typing, index)),
        }
    }
    let documentation =
        requirements(info.capabilities, info.extensions, info.first_version, info.last_version);
    Some(Signature { label: line.label, parameters: line.parameters, active: line.active, documentation })
}

fn is_active(typing: &Typing, index: usize) -> bool {
    typing.index == index
}

#[derive(Default)]
struct Line {
    label: String,
    parameters: Vec<std::ops::Range<usize>>,
    active: Option<usize>,
}

impl Line {
    fn add(&mut self, operand: Operand, name: &str, is_active: bool) {
        self.label.push(' ');
        let start = self.label.len();
        let mark = match operand.quantifier {
            Quantifier::One => "",
            Quantifier::Optional => "?",
            Quantifier::Many => "*",
        };
        self.label.push_str(&format!("<{name}>{mark}"));
        if is_active {
            self.active = Some(self.parameters.len());
        }
        self.parameters.push(start..self.label.len());
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use wavelens_base::Dialect;

    use crate::features;
    use crate::features::tests::at_cursor;

    fn check(line: &str, expected: Expect) {
        let fixture = format!("%glsl = OpExtInstImport \"GLSL.std.450\"\n{line}\n");
        let found = at_cursor(Dialect::Spirv, &fixture, features::signature);
        let text = found.map(|s| {
            let active = s.active.and_then(|a| s.label.get(s.parameters.get(a)?.clone())).unwrap_or("-");
            format!("{}\n{active}\n{}", s.label, s.documentation)
        });
        expected.assert_eq(&text.unwrap_or_default());
    }

    #[test]
    fn operands_have_the_names_of_the_specification() {
        check(
            "%1 = OpLoad %2 $0",
            expect![[r#"
            %result = OpLoad <Result Type> <Pointer> <Memory Access>?
            <Pointer>
        "#]],
        );
        check(
            "%1 = OpLoad %2 %3 Al$0",
            expect![[r#"
            %result = OpLoad <Result Type> <Pointer> <Memory Access>?
            <Memory Access>?
        "#]],
        );
        check(
            "OpEntryPoint Fragment %1 \"main\" %2 %$03",
            expect![[r#"
            OpEntryPoint <Execution Model> <Entry Point> <Name> <Interface>*
            <Interface>*
        "#]],
        );
        check(
            "OpDecorateString %1 $0",
            expect![[r#"
            OpDecorateString <Target> <Decoration>
            <Decoration>
            Extension: `SPV_GOOGLE_decorate_string`, `SPV_GOOGLE_hlsl_functionality1`  
            Since SPIR-V 1.4"#]],
        );
    }

    #[test]
    fn extended_instructions_have_their_own() {
        check(
            "%1 = OpExtInst %2 %glsl $0",
            expect![[r#"
            %result = OpExtInst <Result Type> <Set> <Instruction>
            <Instruction>
        "#]],
        );
        check(
            "%1 = OpExtInst %2 %glsl FMix %3 $0",
            expect![[r#"
            %result = OpExtInst <Result Type> <Set> FMix <x> <y> <a>
            <y>
        "#]],
        );
    }
}
