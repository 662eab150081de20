//! Literal constants, for which most encodings have room for one or none.

use wavelens_isa::{Encoded, Line, Literal, MachineOperand, Target, Value};

wavelens_syntax::rules! {
    LITERAL {
        code: "literal-not-allowed",
        severity: wavelens_base::Severity::Error,
        title: "a literal constant needs an encoding with room for it",
        explain: "A 32-bit literal takes a dword after the instruction. Some encodings have no room for it, and none has room for two \
different ones. Inline constants (-16 to 64, 0.5, 1.0, 2.0, 4.0 and their negatives) can always be used.",
        example: r#".amdgcn_target "amdgcn-amd-amdhsa--gfx900"
v_add3_u32 v0, 0x12345, v1, v2
"#,
        fixed: r#".amdgcn_target "amdgcn-amd-amdhsa--gfx900"
v_add3_u32 v0, 64, v1, v2
"#,
        source: "LLVM AMDGPUAsmParser: \"literal operands are not supported\", \"only one unique literal operand is allowed\"",
    }
}

pub(super) fn message(fault: Literal, target: Target) -> String {
    match fault {
        Literal::Second => "a second literal value: an instruction must have at most one".to_owned(),
        Literal::Wide => "this literal does not fit in 32 bits".to_owned(),
        Literal::NoRoom { encoding, is_symbol } => {
            let what = if is_symbol { "the value of a symbol" } else { "a literal" };
            format!("the {encoding} encoding, which these operands need, has no room for {what} on {target}")
        }
    }
}

/// The double of 1 / (2 * pi), which is an inline constant.
const INVERSE_OF_2_PI: u64 = 0x3FC4_5F30_6DC9_C882;

/// The operand, as written, whose number loses its lower half in a literal of 32 bits, and the number that is left.
pub(crate) fn rounded(line: &Line<'_>, encoded: &Encoded) -> Option<(usize, f64)> {
    let inst = &encoded.inst;
    if encoded.bytes().len() != inst.size() + 4 {
        return None;
    }
    let is_taken = |bits: u64| {
        let is_same = |operand: &MachineOperand| matches!(operand, MachineOperand::Imm(v) if *v as u64 >> 32 == bits >> 32);
        let mut sources = inst.operands().iter().enumerate();
        sources.any(|(index, operand)| inst.operand_type(index) == Some("f64") && is_same(operand))
    };
    line.operands.iter().enumerate().find_map(|(index, operand)| match operand.value {
        Value::Float(bits) if bits as u32 != 0 && bits != INVERSE_OF_2_PI && is_taken(bits) => {
            Some((index, f64::from_bits(bits & !u64::from(u32::MAX))))
        }
        _ => None,
    })
}

/// What is wrong with such an operand.
pub(crate) fn of_double(written: &str, taken: f64) -> String {
    format!(
        "a literal holds the upper 32 bits of a 64-bit floating-point number: `{written}` becomes {taken:?}"
    )
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn an_encoding_without_room_for_a_literal() {
        marks(
            "gfx900",
            expect![[r#"
                v_add3_u32 v0, 0x12345, v1, v2
                ;              ^^^^^^^ error[literal-not-allowed]: the VOP3 encoding, which these operands need, has no room for a literal on gfx900
                v_add3_u32 v0, 64, v1, v2
                v_mov_b32 v255, 0x12345
            "#]],
        );
    }

    #[test]
    fn an_encoding_has_room_for_one_literal() {
        marks(
            "gfx1030",
            expect![[r#"
                s_add_u32 s0, 0x12345, 0x12346
                ;                      ^^^^^^^ error[literal-not-allowed]: a second literal value: an instruction must have at most one
                s_add_u32 s0, 0x12345, 0x12345
                v_add3_u32 v0, 0x12345, 0x12346, v2
                ;                       ^^^^^^^ error[literal-not-allowed]: a second literal value: an instruction must have at most one
            "#]],
        );
    }
}
