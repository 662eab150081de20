//! Directives that belong to AMDGPU: the target, kernels, and what the runtime reads.

use wavelens_syntax::amdgpu::AmdgpuKind::*;
use wavelens_syntax::llvm::NEWER_SINCE;

use super::cursor::{Cursor, unquote};
use crate::assembler::{Assembler, Mode, Parsed, Reported};
use crate::rules::directive::directive_argument::DIRECTIVE_ARGUMENT;
use crate::rules::directive::target_mismatch::{self, TARGET_MISMATCH};
use crate::rules::directive::unknown_directive::{self, UNKNOWN_DIRECTIVE};
use wavelens_base::TextRange;
use wavelens_base::configuration::Os;

/// LLVM ends with an error at others.
const CODE_OBJECT_VERSIONS: std::ops::RangeInclusive<i64> = 4..=6;

fn is_function_info(name: &str) -> bool {
    matches!(
        name,
        ".amdgpu_info"
            | ".end_amdgpu_info"
            | ".amdgpu_flags"
            | ".amdgpu_num_vgpr"
            | ".amdgpu_num_agpr"
            | ".amdgpu_num_sgpr"
            | ".amdgpu_private_segment_size"
            | ".amdgpu_occupancy"
            | ".amdgpu_wave_size"
            | ".amdgpu_use"
            | ".amdgpu_call"
            | ".amdgpu_indirect_call"
            | ".amdgpu_typeid"
    )
}

impl Assembler<'_> {
    /// Does what a directive of AMDGPU says. Whether it is one.
    pub(super) fn target_directive(
        &mut self,
        c: &mut Cursor<'_>,
        name: &str,
        range: TextRange,
    ) -> Parsed<bool> {
        match name {
            ".amdgcn_target" => self.target_id(c)?,
            ".amdhsa_kernel" if self.os == Os::Amdhsa => self.kernel_descriptor(c, range)?,
            ".amdhsa_code_object_version" if self.os == Os::Amdhsa => {
                if !matches!(c.kind(), INT | IDENT) {
                    return Err(self.error(
                        c,
                        &DIRECTIVE_ARGUMENT,
                        c.range(),
                        c.expected("a version number"),
                    ));
                }
                let start = c.start();
                let version = self.absolute(c)?;
                if version.is_some_and(|version| !CODE_OBJECT_VERSIONS.contains(&version)) {
                    let message = "the code object version must be 4, 5 or 6";
                    return Err(self.error(c, &DIRECTIVE_ARGUMENT, c.since(start), message));
                }
            }
            ".amdgpu_metadata" if self.os == Os::Amdhsa => self.hsa_metadata(c, range)?,
            ".amd_kernel_code_t" if self.os != Os::Amdhsa => self.kernel_code(c, range)?,
            ".amdgpu_hsa_kernel" if self.os != Os::Amdhsa => {
                self.symbol_name(c)?;
                self.begin_kernel();
                self.end_of_line(c)?;
            }
            ".amd_amdgpu_isa" if self.os != Os::Amdhsa => self.target_id(c)?,
            ".amd_amdgpu_pal_metadata" if self.os == Os::Amdpal => {
                self.register_values(c)?;
            }
            ".amdgpu_pal_metadata" => self.pal_metadata(c, range)?,
            ".amdgpu_lds" => self.amdgpu_lds(c)?,
            _ if is_function_info(name) => {
                if !self.is_newer() {
                    return Err(self.newer_directive(c, name, range));
                }
                self.function_info(c, name)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Pairs of a register and its value. LLVM reads each as an expression that begins with a number or a name.
    fn register_values(&mut self, c: &mut Cursor<'_>) -> Parsed<()> {
        let mut count = 0;
        loop {
            if !c.at(INT) && !c.at(IDENT) {
                return Err(self.error(c, &DIRECTIVE_ARGUMENT, c.range(), "expected a number or a symbol"));
            }
            self.absolute(c)?;
            count += 1;
            if c.eat(COMMA) {
                continue;
            }
            if count % 2 == 0 {
                return Ok(());
            }
            let message = "expected an even number of values: registers, each with its value";
            return Err(self.error(c, &DIRECTIVE_ARGUMENT, c.range(), message));
        }
    }

    /// Whether directives that LLVM 23 and 24 added are known.
    pub(super) fn is_newer(&self) -> bool {
        self.configuration().is_none_or(|c| c.llvm_level.value >= NEWER_SINCE)
    }

    pub(super) fn newer_directive(&mut self, c: &Cursor<'_>, name: &str, range: TextRange) -> Reported {
        self.error(c, &UNKNOWN_DIRECTIVE, range, unknown_directive::newer(name))
    }

    /// `.amdgpu_info function`, `.end_amdgpu_info`, and the lines between, which tell the linker what a function uses.
    fn function_info(&mut self, c: &mut Cursor<'_>, name: &str) -> Parsed<()> {
        match name {
            ".amdgpu_info" | ".amdgpu_use" | ".amdgpu_call" => {
                self.symbol_name(c)?;
            }
            ".amdgpu_indirect_call" | ".amdgpu_typeid" => {
                self.string(c)?;
            }
            ".end_amdgpu_info" => {}
            _ => {
                self.absolute(c)?;
            }
        }
        self.end_of_line(c)
    }

    /// `.amdgcn_target` and `.amd_amdgpu_isa`, after the word: the target that the file says it is for is the one it is assembled for.
    fn target_id(&mut self, c: &mut Cursor<'_>) -> Parsed<()> {
        let range = c.range();
        let name = unquote(c.word());
        self.string(c)?;
        if self.mode == Mode::Outline {
            return Ok(());
        }
        let Some(configuration) = self.configuration() else { return Ok(()) };
        match target_mismatch::message(&configuration, name) {
            Some(message) => Err(self.error(c, &TARGET_MISMATCH, range, message)),
            None => Ok(()),
        }
    }

    /// `.amd_kernel_code_t` to its end. What is in it is not checked.
    fn kernel_code(&mut self, c: &mut Cursor<'_>, directive: TextRange) -> Parsed<()> {
        c.skip_line();
        c.eat(EOL);
        self.text_block(c, directive, ".end_amd_kernel_code_t").map(|_| ())
    }
}

#[cfg(test)]
mod tests {

    fn findings(triple: &str, text: &str) -> Vec<String> {
        let text = format!("// RUN: llvm-mc -triple={triple} -mcpu=gfx900 %s\n{text}");
        let found = wavelens_check::check_text(
            wavelens_base::Dialect::Amdgpu,
            &text,
            &wavelens_base::Options::default(),
        );
        found.into_iter().map(|f| f.message).collect()
    }

    #[test]
    fn the_operating_system_decides_which_directives_and_symbols_there_are() {
        let symbols = ".if .option.machine_version_major != 9\n.err\n.endif\n.amdgpu_hsa_kernel k\nk:\n\
            v_mov_b32 v4, 0\n.if .kernel.vgpr_count != 5\n.err\n.endif\n.amd_kernel_code_t\n  x = 1\n.end_amd_kernel_code_t\n";
        assert_eq!(findings("amdgcn", symbols), [""; 0]);
        assert_eq!(findings("amdgcn--amdpal", symbols), [""; 0]);
        assert_ne!(findings("amdgcn--amdhsa", symbols), [""; 0]);
        let pal = ".amd_amdgpu_pal_metadata 0x1, 0x2\n";
        assert_eq!(findings("amdgcn--amdpal", pal), [""; 0]);
        let needed = "`.amd_amdgpu_pal_metadata` needs the operating system amdpal in the target triple";
        assert_eq!(findings("amdgcn", pal), [needed]);
        let needed = "`.amdhsa_code_object_version` needs the operating system amdhsa in the target triple";
        assert_eq!(findings("amdgcn--amdpal", ".amdhsa_code_object_version 4\n"), [needed]);
        assert_eq!(findings("amdgcn--amdhsa", ".amdhsa_code_object_version 4\n"), [""; 0]);
        let wrong = "the code object version must be 4, 5 or 6";
        assert_eq!(findings("amdgcn--amdhsa", ".amdhsa_code_object_version 3\n"), [wrong]);
        assert_eq!(findings("amdgcn--amdhsa", ".amdhsa_code_object_version 6\n"), [""; 0]);
        assert_eq!(findings("amdgcn--amdhsa", ".amdhsa_code_object_version 7\n"), [wrong]);
    }

    #[test]
    fn what_a_function_uses_is_written_for_the_linker() {
        let info = |lines: &str| {
            findings("amdgcn--amdhsa", &format!(".amdgpu_info k\n{lines}.end_amdgpu_info\nk:\n  s_endpgm\n"))
        };
        assert_eq!(
            info(
                ".amdgpu_flags 0\n.amdgpu_num_vgpr 4\n.amdgpu_use a\n.amdgpu_call k\n.amdgpu_typeid \"vi\"\n"
            ),
            [""; 0]
        );
        assert_eq!(info(".amdgpu_call 4\n"), ["expected a symbol, found `4`"]);
        assert_eq!(info(".amdgpu_typeid k\n"), ["expected a string, found `k`"]);
        assert_eq!(info(".amdgpu_num_vgprs 4\n").len(), 1);
    }

    #[test]
    fn registers_of_pal_have_values() {
        let of =
            |values: &str| findings("amdgcn--amdpal", &format!("x = 1\n.amd_amdgpu_pal_metadata {values}\n"));
        assert_eq!(of("1+1, x, x, 0x12345678"), [""; 0]);
        for wrong in ["1, 2,", "(1), 2", "-1, 2", "1, 2.0", ""] {
            assert_eq!(of(wrong), ["expected a number or a symbol"], "{wrong}");
        }
        for odd in ["1", "1, 2, 3"] {
            assert_eq!(
                of(odd),
                ["expected an even number of values: registers, each with its value"],
                "{odd}"
            );
        }
    }

    #[test]
    fn the_driver_defines_the_scratch_descriptor() {
        let of = |name: &str| {
            findings(
                "amdgcn--amdhsa",
                &format!("s_branch {name}\ns_call_b64 s[0:1], {name}\n.byte {name}\n.short {name}\n"),
            )
        };
        assert_eq!(of("SCRATCH_RSRC_DWORD0"), [""; 0]);
        assert_ne!(of("SCRATCH_RSRC_DWORD2"), [""; 0]);
    }

    #[test]
    fn accumulation_registers_count_as_vector_registers() {
        let on = |processor: &str, text: &str| {
            let text = format!("// RUN: llvm-mc -triple=amdgcn--amdpal -mcpu={processor} %s\n{text}");
            let found = wavelens_check::check_text(
                wavelens_base::Dialect::Amdgpu,
                &text,
                &wavelens_base::Options::default(),
            );
            found.into_iter().map(|f| f.message).collect::<Vec<_>>()
        };
        let counts = |vgprs: u32| {
            format!(
                "v_mov_b32 v9, 0\nv_accvgpr_write_b32 a255, v0\n.if .kernel.agpr_count != 256\n.err\n.endif\n\
                .if .kernel.vgpr_count != {vgprs}\n.err\n.endif\n"
            )
        };
        assert_eq!(on("gfx908", &counts(256)), [""; 0]);
        assert_eq!(on("gfx90a", &counts(268)), [""; 0]);
        let byte = "v_accvgpr_write_b32 a255, v0\n.byte .kernel.agpr_count\n";
        assert_eq!(on("gfx90a", byte), ["256 does not fit into 1 byte"]);
    }

    #[test]
    fn a_target_id_is_that_of_the_triple_and_the_processor() {
        let of = |triple: &str, id: &str| findings(triple, &format!(".amdgcn_target \"{id}\"\n")).is_empty();
        assert!(of("amdgcn-amd-amdpal", "amdgcn-amd-amdpal--gfx900"));
        assert!(!of("amdgcn-amd-amdpal", "amdgcn-amd-amdhsa--gfx900"));
        assert!(of("amdgcn--amdhsa", "amdgcn-unknown-amdhsa--gfx900"));
        assert!(!of("amdgcn--amdhsa", "amdgcn-unknown-amdhsa--gfx906:xnack+"));
        // LLVM 24 compares the parts, and a feature that nothing sets is free.
        assert!(of("amdgcn--amdhsa", "amdgcn-unknown-amdhsa--gfx900:xnack+"));
        assert!(of("amdgcn-amd-amdhsa", "amdgpu9.00-amd-amdhsa-unknown-gfx900"));
        assert!(of("amdgcn-amd-amdhsa", "amdgpu9-amd-amdhsa--gfx900"));
        assert!(!of("amdgcn-amd-amdhsa", "amdgpu9.06-amd-amdhsa--gfx900"));
        assert!(!of("amdgcn-amd-amdhsa", "amdgpu-amd-amdhsa--gfx900"));
    }
}
