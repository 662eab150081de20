//! What each directive does, but for those with a file of their own.

use wavelens_syntax::amdgpu::AmdgpuKind::*;

use super::cursor::{Cursor, unquote};
use super::kernel_descriptor;
use crate::assembler::{Assembler, Parsed, Reported};
use crate::rules::directive::directive_argument::DIRECTIVE_ARGUMENT;
use crate::rules::directive::macro_definition::MACRO_DEFINITION;
use crate::rules::directive::unknown_directive::{self, UNKNOWN_DIRECTIVE};
use crate::rules::directive::user_error::{self, USER_ERROR};
use crate::rules::directive::user_warning::USER_WARNING;
use wavelens_base::{Diagnostic, Severity, TextRange};

/// Directives that a misspelled one may mean.
pub const COMMON: &[&str] = &[
    ".align",
    ".amdgcn_target",
    ".amdgpu_lds",
    ".amdgpu_metadata",
    ".amdgpu_pal_metadata",
    ".amdhsa_code_object_version",
    ".amdhsa_kernel",
    ".ascii",
    ".asciz",
    ".balign",
    ".bss",
    ".byte",
    ".cfi_endproc",
    ".cfi_sections",
    ".cfi_startproc",
    ".comm",
    ".data",
    ".double",
    ".else",
    ".elseif",
    ".endif",
    ".endm",
    ".endr",
    ".equ",
    ".error",
    ".exitm",
    ".file",
    ".fill",
    ".float",
    ".global",
    ".globl",
    ".hidden",
    ".ident",
    ".if",
    ".ifdef",
    ".ifndef",
    ".incbin",
    ".include",
    ".int",
    ".irp",
    ".irpc",
    ".loc",
    ".local",
    ".long",
    ".macro",
    ".org",
    ".p2align",
    ".popsection",
    ".previous",
    ".print",
    ".protected",
    ".purgem",
    ".pushsection",
    ".quad",
    ".reloc",
    ".rept",
    ".rodata",
    ".section",
    ".set",
    ".short",
    ".sleb128",
    ".size",
    ".skip",
    ".space",
    ".string",
    ".text",
    ".type",
    ".uleb128",
    ".warning",
    ".weak",
    ".zero",
];

impl Assembler<'_> {
    /// Does what a directive says, whose word was read.
    pub(crate) fn directive(&mut self, c: &mut Cursor<'_>, name: &str, range: TextRange) -> Parsed<()> {
        if self.target_directive(c, name, range)? || self.symbol_directive(c, name, range)? {
            return Ok(());
        }
        let name = &name.to_ascii_lowercase();
        let is_known = self.data_directive(c, name, range)?
            || self.macro_directive(c, name, range)?
            || self.other_directive(c, name, range)?;
        if is_known { Ok(()) } else { self.unknown_directive(c, name, range) }
    }

    /// Does what a directive of sections or symbols says, which is written in lower case. Whether it is one.
    fn symbol_directive(&mut self, c: &mut Cursor<'_>, name: &str, range: TextRange) -> Parsed<bool> {
        match name {
            ".data" | ".text" | ".bss" | ".rodata" | ".tdata" | ".tbss" => {
                self.plain_section(c, name)?;
            }
            ".section" => self.section(c, range, false)?,
            ".pushsection" => self.push_section(c, range)?,
            ".popsection" => self.pop_section(c, range)?,
            ".previous" => self.previous_section(c, range)?,
            ".subsection" => {
                self.subsection_number(c)?;
                self.end_of_line(c)?;
                self.sections.stay();
            }
            ".size" => self.size(c)?,
            ".type" => self.symbol_type(c)?,
            ".ident" | ".version" => {
                self.raw_string(c)?;
                self.end_of_line(c)?;
            }
            ".symver" => self.symbol_version(c, range)?,
            ".weakref" => {
                self.two_symbols(c)?;
                self.end_of_line(c)?;
            }
            ".weak" | ".local" | ".protected" | ".internal" | ".hidden" => self.binding(c, name)?,
            ".cg_profile" => {
                self.two_symbols(c)?;
                self.comma(c)?;
                self.absolute(c)?;
                self.end_of_line(c)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Does what a directive of repetitions or macros says. Whether it is one.
    fn macro_directive(&mut self, c: &mut Cursor<'_>, name: &str, range: TextRange) -> Parsed<bool> {
        match name {
            ".rept" | ".rep" | ".irp" | ".irpc" => self.repetition(c, name, range)?,
            ".endr" if !self.expansions.is_empty() => {}
            ".endr" => return Err(self.error(c, &MACRO_DEFINITION, range, "`.endr` without a repetition")),
            ".macro" => self.define_macro(c, range)?,
            ".exitm" => self.exit_macro(c, range)?,
            ".endm" | ".endmacro" => {
                return Err(self.error(c, &MACRO_DEFINITION, range, format!("`{name}` without `.macro`")));
            }
            ".purgem" => self.purge_macro(c, range)?,
            ".altmacro" | ".noaltmacro" => {
                self.end_of_line(c)?;
                self.altmacro = name == ".altmacro";
            }
            ".macros_on" | ".macros_off" => {
                self.end_of_line(c)?;
                self.macros_off = name == ".macros_off";
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Does what any other directive says. Whether it is one.
    fn other_directive(&mut self, c: &mut Cursor<'_>, name: &str, range: TextRange) -> Parsed<bool> {
        match name {
            ".set" | ".equ" | ".equiv" => {
                let Some((symbol, place)) = c.name() else {
                    return Err(self.error(c, &DIRECTIVE_ARGUMENT, c.range(), c.expected("a symbol")));
                };
                let assigned = match self.comma(c) {
                    Ok(()) => self.assignment(c, symbol, place, name != ".equiv"),
                    Err(reported) => Err(reported),
                };
                assigned.inspect_err(|_| self.lose(symbol, place))?;
            }
            ".extern" => {
                c.skip_line();
            }
            ".globl" | ".global" => self.binding(c, ".globl")?,
            ".no_dead_strip" | ".weak_reference" | ".memtag" => self.binding(c, name)?,
            ".lazy_reference"
            | ".symbol_resolver"
            | ".private_extern"
            | ".reference"
            | ".weak_definition"
            | ".weak_def_can_be_hidden"
            | ".cold"
                if !c.at_eol() =>
            {
                let message = format!("`{name}` is not a directive for ELF files");
                return Err(self.error(c, &UNKNOWN_DIRECTIVE, range, message));
            }
            ".comm" | ".common" => self.common(c, false)?,
            ".lcomm" => self.common(c, true)?,
            ".abort" => return Err(self.error(c, &USER_ERROR, range, user_error::ABORT)),
            ".include" => self.include(c)?,
            ".incbin" => self.incbin(c)?,
            ".err" | ".error" => self.user_error(c, name, range)?,
            ".warning" => self.user_warning(c, range)?,
            ".print" => {
                self.raw_string(c)?;
                self.end_of_line(c)?;
            }
            ".end" => {
                self.end_of_line(c)?;
                // The rest of the file is not looked at.
                while !c.at(EOF) {
                    c.bump();
                }
            }
            ".addrsig" => self.end_of_line(c)?,
            ".addrsig_sym" => {
                self.symbol_name(c)?;
                self.end_of_line(c)?;
            }
            ".file" => self.debug_file(c, range)?,
            ".line" => {
                c.eat(INT);
                self.end_of_line(c)?;
            }
            ".loc" => self.debug_loc(c)?,
            ".loc_label" => {
                self.symbol_name(c)?;
                self.end_of_line(c)?;
            }
            ".pseudoprobe" => self.pseudo_probe(c)?,
            ".lto_discard" => self.many(c, |this, c| this.symbol_name(c).map(|_| ()))?,
            ".lto_set_conditional" => {
                self.two_symbols(c)?;
                self.end_of_line(c)?;
            }
            _ if name.starts_with(".cfi_") => self.cfi(c, name, range)?,
            _ if name.starts_with(".cv_") => self.codeview(c, name, range)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn unknown_directive(&mut self, c: &mut Cursor<'_>, name: &str, range: TextRange) -> Parsed<()> {
        if let Some(message) = unknown_directive::elsewhere(name) {
            return Err(self.error(c, &UNKNOWN_DIRECTIVE, range, message));
        }
        let message = match name {
            ".end_amdgpu_metadata" | ".end_amdgpu_pal_metadata" => {
                return Err(self.stray_metadata(c, name, range));
            }
            _ if name.contains("amdhsa_") && self.is_reported_above(c, range) => return Err(Reported),
            ".end_amdhsa_kernel" => unknown_directive::outside_descriptor(name),
            _ if kernel_descriptor::is_field(name) => unknown_directive::outside_descriptor(name),
            // A file that could not be read may define a macro of the name.
            _ if self.open => {
                c.skip_line();
                self.program.gap();
                return Ok(());
            }
            _ => {
                let reported = self.unknown_word(c, &UNKNOWN_DIRECTIVE, range, "directive", COMMON);
                // `.tetx`: what follows may belong to another section.
                self.incomplete |= c.at_eol();
                // `.sett size, 4`
                if c.nth(1) == COMMA
                    && let Some((symbol, place)) = c.name()
                {
                    self.lose(symbol, place);
                }
                return Err(reported);
            }
        };
        Err(self.error(c, &UNKNOWN_DIRECTIVE, range, message))
    }

    /// Whether an error in the lines of the same kernel descriptor above explains what is wrong here.
    fn is_reported_above(&self, c: &Cursor<'_>, range: TextRange) -> bool {
        let is_error = |d: &&Diagnostic| self.expansions.is_empty() && d.rule.severity == Severity::Error;
        let Some(last) = self.diagnostics.last().filter(is_error) else { return false };
        let (above, below) = c.text.split_at(c.text.floor_char_boundary(last.range.start().into()));
        let between = below.get(..usize::from(range.start()).saturating_sub(above.len())).unwrap_or("");
        let is_setting = |line: &str| line.contains(".amdhsa_");
        let is_code = |line: &&str| {
            let line = line.trim_start();
            !line.is_empty() && !line.starts_with("//") && !line.starts_with(';')
        };
        // The line of the error itself may be damaged.
        let mut lines = between.lines().filter(is_code).skip(1);
        let before = above.lines().rev().find(is_code);
        (between.starts_with(".amdhsa_") || before.is_some_and(is_setting)) && lines.all(is_setting)
    }

    fn two_symbols(&mut self, c: &mut Cursor<'_>) -> Parsed<()> {
        self.symbol_name(c)?;
        self.comma(c)?;
        self.symbol_name(c)?;
        Ok(())
    }

    fn user_error(&mut self, c: &mut Cursor<'_>, name: &str, range: TextRange) -> Parsed<()> {
        let message = match c.at(STRING) && name == ".error" {
            true => unquote(c.word()).to_owned(),
            false => user_error::reached(name),
        };
        c.skip_line();
        self.error(c, &USER_ERROR, range, message);
        Ok(())
    }

    fn user_warning(&mut self, c: &mut Cursor<'_>, range: TextRange) -> Parsed<()> {
        let mut message = user_error::reached(".warning");
        if !c.at_eol() {
            if !c.at(STRING) {
                return Err(self.error(c, &DIRECTIVE_ARGUMENT, c.range(), c.expected("a string")));
            }
            message = unquote(c.word()).to_owned();
            c.bump();
        }
        self.end_of_line(c)?;
        self.error(c, &USER_WARNING, range, message);
        Ok(())
    }

    /// Runs `item` for each comma-separated operand; none is fine.
    pub(crate) fn many(
        &mut self,
        c: &mut Cursor<'_>,
        mut item: impl FnMut(&mut Self, &mut Cursor<'_>) -> Parsed<()>,
    ) -> Parsed<()> {
        if c.at_eol() {
            return Ok(());
        }
        loop {
            item(self, c)?;
            if c.at_eol() {
                return Ok(());
            }
            self.comma(c)?;
        }
    }
}
