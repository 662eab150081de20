//! `.file`, `.loc` and the call frame directives.

use wavelens_syntax::amdgpu::AmdgpuKind::*;

use super::codeview::CodeView;
use super::cursor::{Cursor, integer};
use super::directives::COMMON;
use super::registers::at_register;
use super::symbols::SectionId;
use crate::assembler::{Assembler, Mode, Parsed};
use crate::rules::directive::cfi::{self, CFI};
use crate::rules::directive::debug_line::{self, DEBUG_LINE, Files};
use crate::rules::directive::directive_argument::DIRECTIVE_ARGUMENT;
use crate::rules::directive::unknown_directive::UNKNOWN_DIRECTIVE;
use crate::rules::instruction::no_such_register::NO_SUCH_REGISTER;
use wavelens_base::{Lack, TextRange};

/// Source files and the open call frame.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct DebugInfo {
    /// Numbers that `.file` gave.
    files: Vec<i64>,
    dwarf5: bool,
    pub(crate) codeview: CodeView,
    /// Sections of the frames that are not closed: each section may have one.
    frames: Vec<SectionId>,
    /// The frame that was started last is not closed. LLVM looks at no other at the end of the file.
    pub(crate) is_last_frame_open: bool,
}

impl Assembler<'_> {
    pub(crate) fn debug_file(&mut self, c: &mut Cursor<'_>, directive: TextRange) -> Parsed<()> {
        let rule = &DEBUG_LINE;
        let mut number = None;
        if c.at(INT) {
            number = integer(c.word()).map(|n| n as i64);
            c.bump();
        }
        // Declared by its number, also where the rest of the line is wrong.
        let is_used = number.is_some_and(|n| n != 0 && self.debug.files.contains(&n));
        self.debug.dwarf5 |= number == Some(0);
        self.debug.files.extend(number);
        self.string(c)?;
        if c.at(STRING) {
            if number.is_none() {
                return Err(self.error(c, rule, c.range(), "a directory needs a file number before it"));
            }
            self.string(c)?;
        }
        while !c.at_eol() {
            let (word, range) = (c.word(), c.range());
            c.bump();
            match word {
                "md5" if number.is_some() && c.at(INT) => c.bump(),
                "source" if number.is_some() => {
                    self.string(c)?;
                }
                _ => return Err(self.error(c, rule, range, format!("`{word}` does not belong here"))),
            }
        }
        if let Some(number) = number.filter(|_| is_used && self.mode == Mode::Whole) {
            let message = format!("file number {number} is already used");
            return Err(self.error(c, rule, directive, message));
        }
        Ok(())
    }

    pub(crate) fn debug_loc(&mut self, c: &mut Cursor<'_>) -> Parsed<()> {
        let rule = &DEBUG_LINE;
        let range = c.range();
        if !c.at(INT) {
            return Err(self.error(c, rule, range, "expected a file number"));
        }
        let number = integer(c.word()).unwrap_or(0) as i64;
        c.bump();
        let files = Files { numbers: &self.debug.files, is_dwarf5: self.debug.dwarf5, is_open: self.open };
        if let Some(message) = debug_line::undeclared(number, &files) {
            let reported = self.error(c, rule, range, message);
            if let Some(found) = self.last_finding() {
                found.lack = Some(Lack::InFile(format!(".file {number}").into()));
            }
            return Err(reported);
        }
        c.eat(INT);
        c.eat(INT);
        while !c.at_eol() {
            let range = c.range();
            let Some((word, _)) = c.name() else {
                return Err(self.error(c, rule, range, format!("`{}` does not belong here", c.word())));
            };
            match word {
                "basic_block" | "prologue_end" | "epilogue_begin" => {}
                "is_stmt" => self.is_stmt(c)?,
                "isa" | "discriminator" => {
                    let start = c.start();
                    let value = self.absolute(c)?;
                    if word == "isa" && value.is_some_and(|v| v < 0) {
                        return Err(self.error(c, rule, c.since(start), "`isa` is not negative"));
                    }
                }
                _ => return Err(self.error(c, rule, range, format!("`{word}` does not belong here"))),
            }
        }
        Ok(())
    }

    pub(crate) fn is_stmt(&mut self, c: &mut Cursor<'_>) -> Parsed<()> {
        let start = c.start();
        let value = self.absolute(c)?;
        if value.is_some_and(|v| v != 0 && v != 1) {
            return Err(self.error(c, &DEBUG_LINE, c.since(start), "`is_stmt` is 0 or 1"));
        }
        Ok(())
    }

    /// `.pseudoprobe function index kind attributes [discriminator] [@ function:index]... name`
    pub(crate) fn pseudo_probe(&mut self, c: &mut Cursor<'_>) -> Parsed<()> {
        const HAS_DISCRIMINATOR: u128 = 4;
        let mut attributes = 0;
        for _ in 0..4 {
            if !c.at(INT) {
                return Err(self.error(c, &DIRECTIVE_ARGUMENT, c.range(), c.expected("a number")));
            }
            attributes = integer(c.word()).unwrap_or(0);
            c.bump();
        }
        if attributes & HAS_DISCRIMINATOR != 0 && !c.eat(INT) {
            return Err(self.error(c, &DIRECTIVE_ARGUMENT, c.range(), c.expected("a discriminator")));
        }
        while c.eat(AT) {
            c.eat(INT);
            c.eat(COLON);
            c.eat(INT);
        }
        self.symbol_name(c)?;
        self.end_of_line(c)
    }

    pub(crate) fn cfi(&mut self, c: &mut Cursor<'_>, name: &str, directive: TextRange) -> Parsed<()> {
        let rule = &CFI;
        match name {
            ".cfi_sections" => {
                return self.many(c, |this, c| {
                    // Other names are passed over.
                    if !matches!(c.kind(), IDENT | STRING) {
                        return Err(this.error(c, rule, c.range(), "expected `.eh_frame` or `.debug_frame`"));
                    }
                    c.bump();
                    Ok(())
                });
            }
            ".cfi_startproc" => {
                if !c.at_eol() && c.word() != "simple" {
                    return Err(self.error(c, rule, c.range(), "expected `simple` or the end of the line"));
                }
                c.skip_line();
                let section = self.sections.current();
                if self.debug.frames.last() == Some(&section) {
                    return Err(self.error(c, rule, directive, "the previous frame has no `.cfi_endproc`"));
                }
                self.debug.frames.push(section);
                self.debug.is_last_frame_open = true;
                return Ok(());
            }
            _ => {}
        }
        let operands: &[u8] = match name {
            ".cfi_endproc"
            | ".cfi_remember_state"
            | ".cfi_restore_state"
            | ".cfi_signal_frame"
            | ".cfi_window_save" => b"",
            ".cfi_def_cfa" | ".cfi_offset" | ".cfi_rel_offset" | ".cfi_val_offset" => b"rn",
            ".cfi_def_cfa_offset" | ".cfi_adjust_cfa_offset" => b"n",
            ".cfi_def_cfa_register"
            | ".cfi_same_value"
            | ".cfi_restore"
            | ".cfi_undefined"
            | ".cfi_return_column" => b"r",
            ".cfi_register" => b"rr",
            ".cfi_llvm_def_aspace_cfa" => b"rnn",
            ".cfi_escape" => b"*",
            ".cfi_personality" | ".cfi_lsda" => b"?",
            ".cfi_label" => b"s",
            ".cfi_llvm_register_pair" | ".cfi_llvm_vector_register_mask" if self.is_newer() => b"rrnrn",
            ".cfi_llvm_vector_offset" if self.is_newer() => b"rnrnn",
            ".cfi_llvm_vector_registers" if self.is_newer() => b"r+",
            ".cfi_llvm_register_pair"
            | ".cfi_llvm_vector_register_mask"
            | ".cfi_llvm_vector_offset"
            | ".cfi_llvm_vector_registers" => return Err(self.newer_directive(c, name, directive)),
            _ => {
                return Err(self.unknown_word(c, &UNKNOWN_DIRECTIVE, directive, "directive", COMMON));
            }
        };
        for (index, kind) in operands.iter().enumerate() {
            if index > 0 {
                self.comma(c)?;
            }
            match kind {
                b'n' => {
                    self.absolute(c)?;
                }
                b'r' => self.frame_register(c)?,
                b's' => {
                    self.symbol_name(c)?;
                }
                b'*' if c.at_eol() => {
                    return Err(self.error(c, rule, c.range(), c.expected("at least one byte")));
                }
                b'*' => self.many(c, |this, c| this.absolute(c).map(|_| ()))?,
                b'+' => self.frame_lanes(c)?,
                _ => self.frame_pointer(c)?,
            }
        }
        self.end_of_line(c)?;
        self.frame_directive(c, name, directive);
        Ok(())
    }

    /// Checks the frame that a directive belongs to, and closes it at the end.
    fn frame_directive(&mut self, c: &Cursor<'_>, name: &str, directive: TextRange) {
        let section = self.sections.current();
        let has_place =
            !matches!(name, ".cfi_signal_frame" | ".cfi_personality" | ".cfi_lsda" | ".cfi_return_column");
        match self.debug.frames.last() {
            _ if self.open => {}
            None => {
                self.error(c, &CFI, directive, cfi::outside(name));
            }
            // Its distance from the start of the frame is not known.
            Some(frame) if *frame != section && has_place => {
                let [own, frame] = [section, *frame].map(|id| self.sections.name(id));
                let message = cfi::other_section(name, own, frame);
                self.error(c, &CFI, directive, message);
            }
            Some(_) => {}
        }
        if name == ".cfi_endproc" {
            self.debug.frames.pop();
            self.debug.is_last_frame_open = false;
        }
    }

    /// A register by its DWARF number or its name.
    fn frame_register(&mut self, c: &mut Cursor<'_>) -> Parsed<()> {
        if !c.at(IDENT) {
            return self.absolute(c).map(|_| ());
        }
        if !at_register(c) {
            let message = format!("`{}` is not a register", c.word());
            return Err(self.error(c, &NO_SUCH_REGISTER, c.range(), message));
        }
        while !c.at_eol() && !c.at(COMMA) {
            c.bump();
        }
        Ok(())
    }

    /// Lanes of vector registers, one or more: register, lane, bits.
    fn frame_lanes(&mut self, c: &mut Cursor<'_>) -> Parsed<()> {
        loop {
            self.frame_register(c)?;
            for _ in 0..2 {
                self.comma(c)?;
                self.absolute(c)?;
            }
            if !c.eat(COMMA) {
                return Ok(());
            }
        }
    }

    /// How a pointer is written (DW_EH_PE), and its symbol; 255 stands for no pointer.
    fn frame_pointer(&mut self, c: &mut Cursor<'_>) -> Parsed<()> {
        let start = c.start();
        let encoding = self.absolute(c)?;
        let range = c.since(start);
        if encoding == Some(0xff) {
            return Ok(());
        }
        if encoding.is_some_and(|e| !cfi::is_pointer_encoding(e)) {
            return Err(self.error(c, &CFI, range, "no pointer is encoded like this"));
        }
        self.comma(c)?;
        self.symbol_name(c).map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use wavelens_base::Dialect;

    fn check(body: &str, expected: Expect) {
        let text = format!(".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n{body}");
        expected.assert_eq(&wavelens_check::testing::findings(Dialect::Amdgpu, &text));
    }

    #[test]
    fn places_of_registers_since_llvm_23() {
        let frame = |directives: &str| format!(".cfi_startproc\n{directives}.cfi_endproc\n");
        check(
            &frame(
                ".cfi_llvm_register_pair 16, 62, 32, s63, 32\n.cfi_llvm_vector_registers 16, 62, 0, 32, 63, 0, 32\n\
                 .cfi_llvm_vector_offset 16, 32, 17, 64, 0\n.cfi_llvm_vector_register_mask 16, 17, 32, 17, 64\n",
            ),
            expect![""],
        );
        check(
            &frame(".cfi_llvm_register_pair 16, 62, 32, 63\n.cfi_llvm_vector_registers 16\n"),
            expect![[r#"
                error[syntax-error] 3:39 ``: expected `,`, found the end of the line
                error[syntax-error] 4:30 ``: expected `,`, found the end of the line
            "#]],
        );
    }

    const OTHER: &str = ".section .other,\"ax\",@progbits\n";

    #[test]
    fn a_frame_that_ends_without_a_start() {
        check(
            ".cfi_endproc\n.cfi_offset 1, 2\n",
            expect![[r#"
            error[cfi] 2:1 `.cfi_endproc`: `.cfi_endproc` without `.cfi_startproc`
            error[cfi] 3:1 `.cfi_offset`: `.cfi_offset` must be between `.cfi_startproc` and `.cfi_endproc`
        "#]],
        );
    }

    #[test]
    fn each_section_has_its_own_frame() {
        check(
            &format!(
                ".cfi_startproc\ns_nop 0\n{OTHER}.cfi_startproc\ns_nop 0\n.cfi_endproc\n.text\n.cfi_endproc\n"
            ),
            expect![""],
        );
        // LLVM looks at the frame that was started last.
        check(&format!(".cfi_startproc\n{OTHER}.cfi_startproc\n.cfi_endproc\n"), expect![""]);
        check(
            &format!(
                ".cfi_startproc\n.cfi_startproc\n.cfi_endproc\n{OTHER}.cfi_def_cfa_offset 16\n.data\n.cfi_startproc\n"
            ),
            expect![[r#"
                error[cfi] 3:1 `.cfi_startproc`: the previous frame has no `.cfi_endproc`
                error[cfi] 6:1 `.cfi_def_cfa_offset`: `.cfi_def_cfa_offset` must be between `.cfi_startproc` and `.cfi_endproc`
                error[cfi] 9:1 ``: the last `.cfi_startproc` has no `.cfi_endproc`
            "#]],
        );
    }

    #[test]
    fn a_frame_does_not_reach_into_another_section() {
        check(
            &format!(".cfi_startproc\n{OTHER}.cfi_signal_frame\n.cfi_def_cfa_offset 16\n.cfi_endproc\n"),
            expect![[r#"
                error[cfi] 5:1 `.cfi_def_cfa_offset`: `.cfi_def_cfa_offset` is in section `.other`, but its frame starts in `.text`
                error[cfi] 6:1 `.cfi_endproc`: `.cfi_endproc` is in section `.other`, but its frame starts in `.text`
            "#]],
        );
    }
}
