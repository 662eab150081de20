//! Why no instruction of the processor fits a line: the rules about instructions, and their reports.

use wavelens_isa::{self as isa, ErrorKind, Line, MatchError};

use super::cursor::Cursor;
use crate::amdgpu::assembler::{Assembler, Parsed};
use crate::amdgpu::rules;
use crate::{Rule, TextRange};

wavelens_syntax::rules! {
    UNKNOWN_INSTRUCTION {
        code: "unknown-instruction",
        severity: crate::Severity::Error,
        title: "an instruction must exist on some AMDGPU processor, or be a macro that is already defined",
        explain: "The word at the start of a statement is neither an instruction of any processor nor a macro. A macro must be defined \
above its first use.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_ad_f32 v0, v1, v2\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_add_f32 v0, v1, v2\n",
        source: "LLVM AMDGPUAsmParser: \"invalid instruction\"",
    }
    WRONG_TARGET {
        code: "instruction-not-on-target",
        severity: crate::Severity::Error,
        title: "an instruction must be supported by the processor that the file is assembled for",
        explain: "Each generation adds and removes instructions. The processor comes from the command line, the settings or \
`.amdgcn_target`.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\ns_wait_loadcnt 0x0\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\ns_waitcnt vmcnt(0)\n",
        source: "LLVM AMDGPUAsmParser: \"instruction not supported on this GPU\"",
    }
    WRONG_ENCODING {
        code: "encoding-not-on-target",
        severity: crate::Severity::Error,
        title: "a mnemonic suffix must name an encoding that the instruction has on the processor",
        explain: "The suffixes `_e32`, `_e64`, `_dpp` and `_sdwa` ask for one encoding. Without a suffix the assembler takes the shortest \
one that fits.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_add3_u32_e32 v0, v1, v2, v3\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_add3_u32 v0, v1, v2, v3\n",
        source: "LLVM AMDGPUAsmParser: \"e32 variant of this instruction is not supported\"",
    }
    INVALID_OPERAND {
        code: "invalid-operand",
        severity: crate::Severity::Error,
        title: "an operand must be of a kind that the instruction takes at this place",
        explain: "The register is in the wrong register file, the tuple has the wrong size, or a constant is written where only a \
register is possible.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_mov_b32 s0, v1\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_mov_b32 v0, v1\n",
        source: "LLVM AMDGPUAsmParser: \"invalid operand for instruction\"",
    }
    OPERAND_COUNT {
        code: "operand-count",
        severity: crate::Severity::Error,
        title: "an instruction must have as many operands as its encoding",
        explain: "An operand is missing, or there are more operands than the instruction has.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_mov_b32 v0\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_mov_b32 v0, v1\n",
        source: "LLVM AMDGPUAsmParser: \"too few operands for instruction\"",
    }
    NO_SUCH_REGISTER {
        code: "no-such-register",
        severity: crate::Severity::Error,
        title: "a register must exist on the processor",
        explain: "Register files differ in size between generations, and some named registers exist only on some processors.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_mov_b32 v256, v0\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_mov_b32 v255, v0\n",
        source: "LLVM AMDGPUAsmParser: \"register index is out of range\", \"register not available on this GPU\"",
    }
    REGISTER_ALIGNMENT {
        code: "register-alignment",
        severity: crate::Severity::Error,
        title: "a register tuple must start at a register of the right alignment",
        explain: "Scalar pairs start at even registers, larger scalar tuples at multiples of 4, and vector tuples at even registers on \
gfx90a, gfx942 and gfx950.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\ns_mov_b64 s[1:2], 0\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\ns_mov_b64 s[2:3], 0\n",
        source: "LLVM AMDGPUAsmParser: \"invalid register alignment\"",
    }
    OPERAND_RANGE {
        code: "operand-out-of-range",
        severity: crate::Severity::Error,
        title: "a number must fit into its field of the encoding",
        explain: "Offsets, counters and masks have a few bits each; how many depends on the instruction and the generation.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nds_read_b32 v0, v1 offset:70000\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nds_read_b32 v0, v1 offset:65532\n",
        source: "LLVM AMDGPUAsmParser: \"expected a 16-bit unsigned offset\"",
    }
    INVALID_MODIFIER {
        code: "invalid-modifier",
        severity: crate::Severity::Error,
        title: "a modifier must belong to the instruction, and be written once",
        explain: "The instruction does not have this modifier on this processor, has it twice, or does not take the value.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_add_f32 v0, v1, v2 offset:4\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_add_f32 v0, v1, v2 clamp\n",
        source: "LLVM AMDGPUAsmParser: \"invalid operand for instruction\", \"not a valid operand\"",
    }
    LITERAL {
        code: "literal-not-allowed",
        severity: crate::Severity::Error,
        title: "a literal constant needs an encoding with room for it",
        explain: "A 32-bit literal takes a dword after the instruction. Some encodings have no room for it, and none has room for two \
different ones. Inline constants (-16 to 64, 0.5, 1.0, 2.0, 4.0 and their negatives) can always be used.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_add3_u32 v0, 0x12345, v1, v2\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_add3_u32 v0, 64, v1, v2\n",
        source: "LLVM AMDGPUAsmParser: \"literal operands are not supported\", \"only one unique literal operand is allowed\"",
    }
    CONSTANT_BUS {
        code: "constant-bus-limit",
        severity: crate::Severity::Error,
        title: "a vector instruction must not read more scalar values than the constant bus carries",
        explain: "A vector instruction reads one scalar value before gfx10, and two from gfx10 on. Scalar registers, literals and `vcc` \
count; the same register counts once.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_add3_u32 v0, s0, s1, v2\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_add3_u32 v0, s0, s0, v2\n",
        source: "LLVM AMDGPUAsmParser::validateConstantBusLimitations: \"invalid operand (violates constant bus restrictions)\"",
    }
    OPERAND_CONFLICT {
        code: "operand-conflict",
        severity: crate::Severity::Error,
        title: "operands that must be equal or disjoint must be so",
        explain: "Some instructions take a register twice, and some write their result before they have read all sources: there, the \
operands must be the same registers or share none.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx908\"\nv_mfma_f32_16x16x1f32 a[2:17], v0, v1, a[0:15]\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx908\"\nv_mfma_f32_16x16x1f32 a[0:15], v0, v1, a[0:15]\n",
        source: "LLVM AMDGPUAsmParser::validateMFMA: \"source 2 operand must not partially overlap with dst\"",
    }
}

impl Assembler<'_> {
    /// After a malformed operand: replaces that report if the instruction itself does not exist.
    pub(super) fn blame_mnemonic(
        &mut self,
        c: &mut Cursor<'_>,
        target: isa::Target,
        mnemonic: &str,
        range: TextRange,
    ) -> Parsed<()> {
        let mut line = Line::default();
        line.clear(mnemonic);
        if let Err(error) = isa::assemble(target, &line)
            && matches!(error.kind, ErrorKind::UnknownMnemonic | ErrorKind::WrongTarget)
        {
            self.diagnostics.pop();
            if error.kind == ErrorKind::WrongTarget || !self.open {
                self.mismatch(c, &error, range, range, &[]);
            }
        }
        c.skip_line();
        Ok(())
    }

    pub(super) fn mismatch(
        &mut self,
        c: &Cursor<'_>,
        error: &MatchError,
        mnemonic: TextRange,
        whole: TextRange,
        operands: &[TextRange],
    ) {
        let range = match error.place {
            isa::Place::Mnemonic => mnemonic,
            isa::Place::Operand(index) => operands.get(usize::from(index)).copied().unwrap_or(whole),
            isa::Place::End => mnemonic,
        };
        let mut message = error.message.clone();
        if error.kind == ErrorKind::WrongTarget && !error.targets.is_empty() && error.targets.len() <= 40 {
            message = format!("{message}; these have it: {}", error.targets.join(", "));
        }
        self.error(c, rule_of(error.kind), range, message);
    }
}

fn rule_of(kind: ErrorKind) -> &'static Rule {
    match kind {
        ErrorKind::UnknownMnemonic => &rules::UNKNOWN_INSTRUCTION,
        ErrorKind::WrongTarget => &rules::WRONG_TARGET,
        ErrorKind::WrongEncoding => &rules::WRONG_ENCODING,
        ErrorKind::MissingOperand | ErrorKind::ExtraOperand => &rules::OPERAND_COUNT,
        ErrorKind::InvalidOperand => &rules::INVALID_OPERAND,
        ErrorKind::NoSuchRegister => &rules::NO_SUCH_REGISTER,
        ErrorKind::Alignment => &rules::REGISTER_ALIGNMENT,
        ErrorKind::OutOfRange => &rules::OPERAND_RANGE,
        ErrorKind::InvalidModifier => &rules::INVALID_MODIFIER,
        ErrorKind::Literal => &rules::LITERAL,
        ErrorKind::ConstantBus => &rules::CONSTANT_BUS,
        ErrorKind::Conflict => &rules::OPERAND_CONFLICT,
    }
}
