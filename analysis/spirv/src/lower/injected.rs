//! Reads instructions with injected words (`!123`) anew, as whoever loads the assembled module reads them: by the grammar.
//!
//! After the first injected word the assembler knows nothing of the operands. Where the words fit the instruction's grammar
//! the rules can look at it like at any other; where they do not, no consumer accepts the module. An injected word in the place of an id stays
//! unread: which name it means is known only after all names have numbers.

use wavelens_syntax::spirv::tables::{Kind, Op, Operand, Quantifier, is_spec_constant_op};

use super::rules;
use crate::flat::{DEFERRED, Flat, FlatInst, FlatOperand, Form, RAW};
use crate::pattern::{expand, push_mask_parameters};
use wavelens_base::Rule;

/// What is wrong with an operand, by its index in the instruction; one past the last for a missing one.
pub(super) struct Malformed {
    pub(super) operand: u32,
    pub(super) rule: &'static Rule,
    pub(super) message: String,
}

/// How the reading of an instruction ends if not with an operand that does not fit.
enum Outcome {
    Read,
    /// The words can only be judged in the assembled module.
    Unknown,
}

/// Gives the operands of an instruction with injected words the kinds that its grammar has for them.
pub(super) fn reread(flat: &mut Flat, inst: &mut FlatInst) -> Result<(), Malformed> {
    let whole = *inst;
    let mut operands = flat.operands_of(inst).to_vec();
    if inst.op == Op::Nop {
        // The first word says opcode and length.
        let Some((first, rest)) = operands.split_first() else { return Ok(()) };
        let words = 1 + rest.iter().map(|o| words_of(flat, o)).sum::<usize>();
        let (op, count) = (Op(first.value as u16), first.value >> 16);
        if count as usize != words {
            return Ok(());
        }
        if op.info().is_none() {
            let message = format!("unknown opcode {}", op.0);
            return Err(Malformed { operand: 0, rule: &rules::UNKNOWN_OPCODE, message });
        }
        inst.op = op;
        inst.first += 1;
        inst.count -= 1;
        operands.remove(0);
    }
    match assign(inst, &mut operands) {
        Ok(Outcome::Read) => {
            inst.flags &= !RAW;
            if let Some(own) = flat.operands.get_mut(inst.first as usize..(inst.first + inst.count) as usize)
            {
                own.copy_from_slice(&operands);
            }
            Ok(())
        }
        Ok(Outcome::Unknown) => {
            *inst = whole;
            Ok(())
        }
        Err(malformed) => {
            let skipped = inst.first - whole.first;
            *inst = whole;
            Err(Malformed { operand: malformed.operand + skipped, ..malformed })
        }
    }
}

fn assign(inst: &mut FlatInst, operands: &mut [FlatOperand]) -> Result<Outcome, Malformed> {
    let Some(info) = inst.op.info() else { return Ok(Outcome::Unknown) };
    if matches!(inst.op, Op::ExtInst | Op::ExtInstWithForwardRefsKHR) {
        return Ok(Outcome::Unknown);
    }
    let invalid =
        |operand: u32, message: String| Malformed { operand, rule: &rules::INVALID_OPERAND, message };
    let mut pattern: Vec<Operand> = info.operands.iter().rev().copied().collect();
    let count = operands.len() as u32;
    let mut rest = operands.iter_mut().zip(0u32..).peekable();
    while let Some(spec) = pattern.pop() {
        if spec.quantifier == Quantifier::Many {
            if rest.peek().is_none() {
                break;
            }
            pattern.push(spec);
            expand(spec.kind, &mut pattern);
            continue;
        }
        let Some((operand, index)) = rest.next() else {
            if spec.quantifier == Quantifier::Optional {
                break;
            }
            let message = rules::missing_operand(info.name, None, spec.kind);
            return Err(Malformed { operand: count, rule: &rules::MISSING_OPERAND, message });
        };
        match (spec.kind, operand.form) {
            (Kind::TypeId, Form::Id) => inst.ty = operand.value,
            (Kind::ResultId, Form::Id) => inst.result = operand.value,
            (kind, Form::Id) if kind.is_id() => {}
            (Kind::LiteralString, Form::Text) if operand.kind == Kind::LiteralString => {}
            (Kind::LiteralInteger | Kind::LiteralFloat, Form::Word) => {}
            (Kind::TypedLiteral, Form::Word) => {
                inst.flags |= DEFERRED;
                // The type says how many words make the number.
                while inst.op != Op::Switch
                    && let Some((more, _)) = rest.next_if(|(o, _)| o.form == Form::Word)
                {
                    more.kind = Kind::TypedLiteral;
                }
            }
            (Kind::TypedLiteral, Form::Text) if operand.kind == Kind::TypedLiteral => {}
            (Kind::SpecConstantOp, Form::Word) => {
                let operation = u16::try_from(operand.value).map(Op).ok();
                match operation.filter(|op| is_spec_constant_op(*op)).and_then(Op::info) {
                    Some(known) => {
                        pattern.extend(known.operands.get(2..).unwrap_or_default().iter().rev());
                    }
                    None => {
                        let message = format!("{} is not an operation that OpSpecConstantOp supports", {
                            operand.value
                        });
                        return Err(invalid(index, message));
                    }
                }
            }
            (kind, _) if kind.is_id() => return Ok(Outcome::Unknown),
            (
                Kind::LiteralString
                | Kind::LiteralInteger
                | Kind::LiteralFloat
                | Kind::TypedLiteral
                | Kind::SpecConstantOp,
                _,
            ) => return Ok(Outcome::Unknown),
            (kind, Form::Word) if kind.is_mask() => {
                let unknown = (0..32)
                    .map(|n| 1u32 << n)
                    .find(|bit| operand.value & bit != 0 && kind.valued(*bit).is_none());
                if let Some(bit) = unknown {
                    return Err(invalid(index, format!("unknown bit {bit:#x} of {kind:?}")));
                }
                push_mask_parameters(kind, operand.value, &mut pattern);
            }
            (kind, Form::Word) => match kind.valued(operand.value) {
                Some(value) => pattern.extend(value.parameters.iter().rev()),
                None => return Err(invalid(index, format!("{} is not a {kind:?}", { operand.value }))),
            },
            _ => return Ok(Outcome::Unknown),
        }
        operand.kind = spec.kind;
    }
    match rest.next() {
        Some((_, index)) => Err(invalid(index, format!("unexpected operand of {}", info.name))),
        None => Ok(Outcome::Read),
    }
}

/// Words that an operand takes.
fn words_of(flat: &Flat, operand: &FlatOperand) -> usize {
    match operand.form {
        Form::Id | Form::Word => 1,
        Form::Text => flat.string(operand.value).len() / 4 + 1,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use wavelens_base::Dialect;
    use wavelens_check::testing;

    fn findings(text: &str) -> String {
        testing::findings(Dialect::Spirv, text)
    }

    #[test]
    fn injected_words_are_read_by_the_grammar() {
        let text = r#"; target-env: spv1.3
OpCapability Shader
OpCapability Int16
OpMemoryModel !0 !1
OpEntryPoint !5 %main "main"
OpExecutionMode %main !17 1 1 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%odd = OpTypeFloat !17
%short = OpTypeInt 16 !1
%double = OpTypeFloat 32
%a = OpConstant %short !0x7fff
%b = OpConstant %short !0x8000
%c = OpConstant %short !1 !2
%d = OpConstantTrue !3
%main = OpFunction %void !64 %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
"#;
        expect![[r#"
            error[type-declaration] 9:20 `!17`: Width of a float type must be 8, 16, 32 or 64, is 17
            error[invalid-literal] 13:24 `!0x8000`: the upper 16 bits are not the sign or zero extension of the lower 16
            error[invalid-literal] 14:24 `!1`: expected a number of 16 bits, found 2 words
            error[invalid-operand] 16:26 `!64`: unknown bit 0x40 of FunctionControl
        "#]]
        .assert_eq(&findings(text));
    }

    #[test]
    fn an_injected_opcode_makes_an_instruction_of_its_length() {
        let head = "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n";
        expect![[r#"
            error[type-declaration] 5:18 `!33`: Width of an integer type must be 8, 16, 32 or 64, is 33
        "#]]
        .assert_eq(&findings(&format!("{head}%void = OpTypeVoid\n!0x00040015 %int !33 !0\n")));
        expect![[r#"
            error[unknown-opcode] 4:1 `OpUnknown`: unknown opcode 65535
        "#]]
        .assert_eq(&findings(&format!("{head}OpUnknown(65535, 2) %a\n")));
    }

    #[test]
    fn an_injected_opnop_has_a_place() {
        let head = "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n";
        expect![[r#"
            error[module-layout] 4:1 `!0x00010000`: OpNop is outside a function
        "#]]
        .assert_eq(&findings(&format!("{head}!0x00010000\n%void = OpTypeVoid\n")));
    }
}
