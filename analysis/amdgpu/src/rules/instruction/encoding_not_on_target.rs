//! Suffixes of encodings that the instruction does not have.

use wavelens_isa as isa;

use super::{RejectedLine, instruction_not_on_target};
use wavelens_base::Diagnostic;

wavelens_syntax::rules! {
    WRONG_ENCODING {
        code: "encoding-not-on-target",
        severity: wavelens_base::Severity::Error,
        title: "a mnemonic suffix must name an encoding that the instruction has on the processor",
        explain: "The suffixes `_e32`, `_e64`, `_dpp` and `_sdwa` ask for one encoding. Without a suffix the assembler takes the shortest \
one that fits.",
        example: r#".amdgcn_target "amdgcn-amd-amdhsa--gfx900"
v_add3_u32_e32 v0, v1, v2, v3
"#,
        fixed: r#".amdgcn_target "amdgcn-amd-amdhsa--gfx900"
v_add3_u32 v0, v1, v2, v3
"#,
        source: "LLVM AMDGPUAsmParser: \"e32 variant of this instruction is not supported\"",
    }
}

pub(super) fn report(line: &RejectedLine<'_>, suffix: &str) -> Diagnostic {
    let (mnemonic, target) = (line.line.mnemonic, line.target);
    let message = match suffix {
        "" => format!("`{mnemonic}` has no encoding with these operands on {target}"),
        suffix => format!("`{}` has no {suffix} encoding on {target}", isa::split_mnemonic(mnemonic).0),
    };
    let message = match line.unknown_processor {
        Some(processor) => instruction_not_on_target::assumed(&message, processor),
        None => message,
    };
    Diagnostic::new(&WRONG_ENCODING, line.range(), message)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn an_encoding_that_the_instruction_does_not_have() {
        marks(
            "gfx900",
            expect![[r#"
                v_add3_u32_e32 v0, v1, v2, v3
                ;^^^^^^^^^^^^^ error[encoding-not-on-target]: `v_add3_u32` has no e32 encoding on gfx900
                v_cvt_pkrtz_f16_f32_e32 v255, v1, v2
                ;^^^^^^^^^^^^^^^^^^^^^^ error[encoding-not-on-target]: `v_cvt_pkrtz_f16_f32` has no e32 encoding on gfx900
            "#]],
        );
    }
}
