//! Operands that are missing, or that the instruction does not have.

use wavelens_isa::{ErrorKind, Place, Problem, Value};

use super::{RejectedLine, invalid_operand, lane_mask, words};
use wavelens_base::Diagnostic;

wavelens_syntax::rules! {
    OPERAND_COUNT {
        code: "operand-count",
        severity: wavelens_base::Severity::Error,
        title: "an instruction must have as many operands as its encoding",
        explain: "An operand is missing, or there are more operands than the instruction has.",
        example: r#".amdgcn_target "amdgcn-amd-amdhsa--gfx900"
v_mov_b32 v0
"#,
        fixed: r#".amdgcn_target "amdgcn-amd-amdhsa--gfx900"
v_mov_b32 v0, v1
"#,
        source: "LLVM AMDGPUAsmParser: \"too few operands for instruction\"",
    }
}

pub(super) fn report(line: &RejectedLine<'_>, problem: &Problem) -> Diagnostic {
    if line.error.kind == ErrorKind::MissingOperand {
        return Diagnostic::new(&OPERAND_COUNT, line.range(), words::problem(problem, line.word()));
    }
    if let Some(right) = lane_mask::own(line.target, line.word()) {
        let mask = Some(lane_mask::message(line.target, right, line.word()));
        return invalid_operand::report_as(line, &OPERAND_COUNT, problem, mask);
    }
    match is_after_float(line) {
        true => invalid_operand::report_as(line, &OPERAND_COUNT, &FLOAT_IN_EXPRESSION, None),
        false => invalid_operand::report_as(line, &OPERAND_COUNT, problem, None),
    }
}

static FLOAT_IN_EXPRESSION: Problem =
    Problem::of("a floating-point number must not be part of an expression");

/// Whether the operand goes on with an expression that a floating-point number began: `+ 1.0`.
fn is_after_float(line: &RejectedLine<'_>) -> bool {
    let Place::Operand(index) = line.error.place else { return false };
    let before = usize::from(index).checked_sub(1).and_then(|before| line.line.operands.get(before));
    before.is_some_and(|before| matches!(before.value, Value::Float(_)))
        && line.word().starts_with(['+', '-', '*', '/'])
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn missing_and_extra_operands() {
        marks(
            "gfx900",
            expect![[r#"
                v_mov_b32 v0
                ;^^^^^^^^ error[operand-count]: missing operand of `v_mov_b32`: expected a vector or scalar register or an immediate
                v_mov_b32 v0, v1, v2
                ;                 ^^ error[operand-count]: too many operands for `v_mov_b32`
                v_mov_b32 v0, 1.0 + 1.0
                ;                 ^^^^^ error[operand-count]: a floating-point number must not be part of an expression
            "#]],
        );
    }
}
