//! What each directive does, but for those with a file of their own.

use wavelens_isa::Target;
use wavelens_syntax::amdgpu::AmdgpuKind::*;

use super::cursor::{Cursor, unquote};
use super::expression::Expr;
use super::layout::DATA_RANGE;
use super::macros::MACRO_DEFINITION;
use crate::amdgpu::assembler::{Assembler, Mode, Parsed};
use crate::configuration::{Os, processor_name, unknown_processor};
use crate::{TextRange, TextSize};

wavelens_syntax::rules! {
    DIRECTIVE_ARGUMENT {
        code: "directive-argument",
        severity: crate::Severity::Error,
        title: "a directive must have the arguments that it takes",
        explain: "An argument is missing, of the wrong kind, or out of range.",
        example: ".p2align 99\n",
        fixed: ".p2align 8\n",
        source: "LLVM AsmParser: the parser of each directive, such as \"invalid alignment value\"",
    }
    UNKNOWN_DIRECTIVE {
        code: "unknown-directive",
        severity: crate::Severity::Error,
        title: "a directive must exist for AMDGPU",
        explain: "A word that starts with a dot is a directive. The assembler has no directive of this name for this target, and \
            the file defines no macro of this name.",
        example: ".algin 4\n",
        fixed: ".align 4\n",
        source: "LLVM AsmParser::parseStatement: \"unknown directive\"",
    }
    USER_ERROR {
        code: "user-error",
        severity: crate::Severity::Error,
        title: "`.error` and `.err` report an error",
        explain: "The source asks for this error, usually under a condition about its configuration.",
        example: ".error \"unsupported tile size\"\n",
        fixed: ".if 0\n.error \"unsupported tile size\"\n.endif\n",
        source: "LLVM AsmParser::parseDirectiveError",
    }
    USER_WARNING {
        code: "user-warning",
        severity: crate::Severity::Warning,
        title: "`.warning` reports a warning",
        explain: "The source asks for this warning, usually under a condition about its configuration.",
        example: ".warning \"slow path\"\n",
        fixed: ".if 0\n.warning \"slow path\"\n.endif\n",
        source: "LLVM AsmParser::parseDirectiveWarning",
    }
    TARGET_MISMATCH {
        code: "target-mismatch",
        severity: crate::Severity::Error,
        title: "`.amdgcn_target` must agree with the processor that the file is assembled for",
        explain: "The directive names another processor, or other settings of XNACK or SRAM ECC, than the command line or the settings \
do.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n.amdgcn_target \"amdgcn-amd-amdhsa--gfx906\"\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n.amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n",
        source: "LLVM AMDGPUAsmParser::ParseDirectiveAMDGCNTarget: \"target id must match\"",
    }
}

/// Directives that a misspelled one may mean.
pub(super) const COMMON: &[&str] = &[
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
    pub(crate) fn directive(&mut self, c: &mut Cursor<'_>, name: &str, range: TextRange) -> Parsed<()> {
        match name {
            ".amdgcn_target" => return self.target_id(c),
            ".amdhsa_kernel" if self.os == Os::Amdhsa => return self.kernel_descriptor(c, range),
            ".amdhsa_code_object_version" if self.os == Os::Amdhsa => {
                if !matches!(c.kind(), INT | IDENT) {
                    return Err(self.error(c, &DIRECTIVE_ARGUMENT, c.range(), "expected a version number"));
                }
                self.absolute(c)?;
                return Ok(());
            }
            ".amdgpu_metadata" if self.os == Os::Amdhsa => return self.hsa_metadata(c, range),
            ".amd_kernel_code_t" if self.os != Os::Amdhsa => return self.kernel_code(c, range),
            ".amdgpu_hsa_kernel" if self.os != Os::Amdhsa => {
                self.symbol_name(c)?;
                self.begin_kernel();
                return self.end_of_line(c);
            }
            ".amd_amdgpu_isa" if self.os != Os::Amdhsa => return self.target_id(c),
            ".amd_amdgpu_pal_metadata" if self.os == Os::Amdpal => {
                return self.many(c, |this, c| this.absolute(c).map(|_| ()));
            }
            ".amdgpu_pal_metadata" => return self.pal_metadata(c, range),
            ".amdgpu_lds" => return self.amdgpu_lds(c),
            ".data" | ".text" | ".bss" | ".rodata" | ".tdata" | ".tbss" => {
                return self.plain_section(c, name);
            }
            ".section" => return self.section(c, range, false),
            ".pushsection" => return self.push_section(c, range),
            ".popsection" => return self.pop_section(c, range),
            ".previous" => return self.previous_section(c, range),
            ".subsection" => {
                self.subsection_number(c)?;
                return self.end_of_line(c);
            }
            ".size" => return self.size(c),
            ".type" => return self.symbol_type(c),
            ".ident" | ".version" => {
                self.string(c)?;
                return self.end_of_line(c);
            }
            ".symver" => return self.symbol_version(c, range),
            ".weakref" => {
                self.symbol_name(c)?;
                self.comma(c)?;
                self.symbol_name(c)?;
                return self.end_of_line(c);
            }
            ".weak" | ".local" | ".protected" | ".internal" | ".hidden" => return self.binding(c, name),
            ".cg_profile" => {
                self.symbol_name(c)?;
                self.comma(c)?;
                self.symbol_name(c)?;
                self.comma(c)?;
                self.absolute(c)?;
                return self.end_of_line(c);
            }
            _ => {}
        }
        let name = name.to_ascii_lowercase();
        match name.as_str() {
            ".set" | ".equ" | ".equiv" => {
                let Some((symbol, place)) = c.name() else {
                    return Err(self.error(c, &DIRECTIVE_ARGUMENT, c.range(), "expected a symbol"));
                };
                self.comma(c)?;
                self.assignment(c, symbol, place, name != ".equiv")
            }
            ".ascii" => self.strings(c, false),
            ".asciz" | ".string" => self.strings(c, true),
            ".byte" | ".dc.b" => self.values(c, 1),
            ".dc" | ".dc.w" | ".short" | ".value" | ".2byte" => self.values(c, 2),
            ".long" | ".int" | ".4byte" | ".dc.l" => {
                let (start, offset) = (range.start(), self.sections.offset());
                self.words.clear();
                let read = self.values(c, 4);
                self.instructions_as_data(c.since(start), offset);
                read
            }
            ".quad" | ".8byte" | ".dc.a" => self.values(c, 8),
            ".octa" => self.octas(c),
            ".single" | ".float" | ".dc.s" => self.reals(c, 4),
            ".double" | ".dc.d" => self.reals(c, 8),
            ".align" | ".balign" | ".align32" | ".balignw" | ".balignl" => {
                self.align(c, false, name == ".balign" || name == ".align")
            }
            ".p2align" => self.align(c, true, true),
            ".p2alignw" | ".p2alignl" => self.align(c, true, false),
            ".org" => self.org(c),
            ".fill" => self.fill(c),
            ".zero" | ".skip" | ".space" => self.space(c),
            ".dcb" | ".dcb.w" => self.repeated(c, 2),
            ".dcb.b" => self.repeated(c, 1),
            ".dcb.l" => self.repeated(c, 4),
            ".dcb.s" | ".dcb.d" => {
                self.absolute(c)?;
                self.comma(c)?;
                self.real_value(c)?;
                self.end_of_line(c)
            }
            ".ds" | ".ds.w" => self.reserved(c, 2),
            ".ds.b" => self.reserved(c, 1),
            ".ds.l" | ".ds.s" => self.reserved(c, 4),
            ".ds.d" => self.reserved(c, 8),
            ".ds.p" | ".ds.x" => self.reserved(c, 12),
            ".sleb128" | ".uleb128" => self.leb128(c),
            ".extern" => {
                c.skip_line();
                Ok(())
            }
            ".globl" | ".global" => self.binding(c, ".globl"),
            ".no_dead_strip" | ".weak_reference" | ".memtag" => self.binding(c, &name),
            ".lazy_reference"
            | ".symbol_resolver"
            | ".private_extern"
            | ".reference"
            | ".weak_definition"
            | ".weak_def_can_be_hidden"
            | ".cold" => Err(self.error(
                c,
                &UNKNOWN_DIRECTIVE,
                range,
                format!("`{name}` is not a directive for ELF files"),
            )),
            ".comm" | ".common" => self.common(c, false),
            ".lcomm" => self.common(c, true),
            ".abort" => Err(self.error(c, &USER_ERROR, range, "`.abort` stops the assembly here")),
            ".include" => self.include(c),
            ".incbin" => self.incbin(c),
            ".rept" | ".rep" | ".irp" | ".irpc" => self.repetition(c, &name, range),
            ".endr" => match self.expansions.is_empty() {
                true => Err(self.error(c, &MACRO_DEFINITION, range, "`.endr` without a repetition")),
                false => Ok(()),
            },
            ".macro" => self.define_macro(c, range),
            ".exitm" => self.exit_macro(c, range),
            ".endm" | ".endmacro" => {
                Err(self.error(c, &MACRO_DEFINITION, range, format!("`{name}` without `.macro`")))
            }
            ".purgem" => self.purge_macro(c, range),
            ".altmacro" | ".noaltmacro" => {
                self.end_of_line(c)?;
                self.altmacro = name == ".altmacro";
                Ok(())
            }
            ".macros_on" | ".macros_off" => {
                self.end_of_line(c)?;
                self.macros_off = name == ".macros_off";
                Ok(())
            }
            ".err" | ".error" => self.user_error(c, &name, range),
            ".warning" => self.user_warning(c, range),
            ".print" => {
                self.string(c)?;
                self.end_of_line(c)
            }
            ".end" => {
                self.end_of_line(c)?;
                // The rest of the file is not looked at.
                while !c.at(EOF) {
                    c.bump();
                }
                Ok(())
            }
            ".addrsig" => self.end_of_line(c),
            ".addrsig_sym" => {
                self.symbol_name(c)?;
                self.end_of_line(c)
            }
            ".file" => self.debug_file(c, range),
            ".line" => {
                c.eat(INT);
                self.end_of_line(c)
            }
            ".loc" => self.debug_loc(c),
            ".loc_label" => {
                self.symbol_name(c)?;
                self.end_of_line(c)
            }
            ".reloc" => self.relocation_directive(c),
            ".pseudoprobe" => self.pseudo_probe(c),
            ".lto_discard" => self.many(c, |this, c| this.symbol_name(c).map(|_| ())),
            ".lto_set_conditional" => {
                self.symbol_name(c)?;
                self.comma(c)?;
                self.symbol_name(c)?;
                self.end_of_line(c)
            }
            _ if name.starts_with(".cfi_") => self.cfi(c, &name, range),
            _ if name.starts_with(".cv_") => self.codeview(c, &name, range),
            _ => {
                let message = match name.as_str() {
                    ".amd_kernel_code_t"
                    | ".amdgpu_hsa_kernel"
                    | ".hsa_code_object_version"
                    | ".hsa_code_object_isa" => {
                        format!("`{name}` belongs to code objects before version 3: use `.amdhsa_kernel`")
                    }
                    ".amdhsa_kernel" | ".amdhsa_code_object_version" | ".amdgpu_metadata" => {
                        format!("`{name}` needs the operating system amdhsa in the target triple")
                    }
                    ".amd_amdgpu_pal_metadata" => {
                        format!("`{name}` needs the operating system amdpal in the target triple")
                    }
                    _ if name.starts_with(".amdhsa_") => {
                        format!("`{name}` must be between `.amdhsa_kernel` and `.end_amdhsa_kernel`")
                    }
                    // A file that could not be read may define a macro of the name.
                    _ if self.open => {
                        c.skip_line();
                        self.program.gap();
                        return Ok(());
                    }
                    _ => return Err(self.unknown_word(c, &UNKNOWN_DIRECTIVE, range, "directive", COMMON)),
                };
                Err(self.error(c, &UNKNOWN_DIRECTIVE, range, message))
            }
        }
    }

    /// Reads a string and gives its bytes' number, escapes counted once.
    pub(crate) fn string(&mut self, c: &mut Cursor<'_>) -> Parsed<usize> {
        let rule = &DIRECTIVE_ARGUMENT;
        if c.at(BAD) {
            return Err(self.bad_token(c));
        }
        if !c.at(STRING) {
            return Err(self.error(c, rule, c.range(), "expected a string"));
        }
        let range = c.range();
        let length = match string_length(unquote(c.word())) {
            Ok(length) => length,
            Err(at) => {
                let place = TextRange::at(range.start() + TextSize::new(at as u32 + 1), TextSize::new(1));
                return Err(self.error(c, rule, place, "unknown escape in this string"));
            }
        };
        c.bump();
        Ok(length)
    }

    fn user_error(&mut self, c: &mut Cursor<'_>, name: &str, range: TextRange) -> Parsed<()> {
        let message = match c.at(STRING) && name == ".error" {
            true => unquote(c.word()).to_owned(),
            false => format!("`{name}` is reached"),
        };
        c.skip_line();
        self.error(c, &USER_ERROR, range, message);
        Ok(())
    }

    fn user_warning(&mut self, c: &mut Cursor<'_>, range: TextRange) -> Parsed<()> {
        let mut message = "`.warning` is reached".to_owned();
        if !c.at_eol() {
            if !c.at(STRING) {
                return Err(self.error(c, &DIRECTIVE_ARGUMENT, c.range(), "expected a string"));
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

    fn strings(&mut self, c: &mut Cursor<'_>, zero: bool) -> Parsed<()> {
        self.many(c, |this, c| {
            loop {
                let length = this.string(c)?;
                this.sections.advance(length as u64);
                if zero || !c.at(STRING) {
                    break;
                }
            }
            this.sections.advance(u64::from(zero));
            Ok(())
        })
    }

    fn values(&mut self, c: &mut Cursor<'_>, size: u32) -> Parsed<()> {
        self.many(c, |this, c| this.value_of(c, size, 1))
    }

    /// One value, `count` times.
    fn value_of(&mut self, c: &mut Cursor<'_>, size: u32, count: u64) -> Parsed<()> {
        let start = c.start();
        let expr = self.expression(c)?;
        let range = c.since(start);
        if size == 4 && count == 1 {
            self.words.push(if let Expr::Const(value) = expr { Some(value as u32) } else { None });
        }
        if let Expr::Const(value) = expr {
            let bits = 8 * size;
            if bits < 64 && !(-(1i64 << (bits - 1))..1i64 << bits).contains(&value) {
                let message =
                    format!("{value} does not fit into {size} byte{}", if size == 1 { "" } else { "s" });
                return Err(self.error(c, &DATA_RANGE, range, message));
            }
        } else if count > 0 {
            self.add_data_fixup(c, expr, range, size);
        }
        self.sections.advance(u64::from(size).saturating_mul(count));
        Ok(())
    }

    fn octas(&mut self, c: &mut Cursor<'_>) -> Parsed<()> {
        self.many(c, |this, c| {
            if !c.at(INT) || super::cursor::integer(c.word()).is_none() {
                return Err(this.error(c, &DIRECTIVE_ARGUMENT, c.range(), "expected a number of 128 bits"));
            }
            c.bump();
            this.sections.advance(16);
            Ok(())
        })
    }

    fn real_value(&mut self, c: &mut Cursor<'_>) -> Parsed<()> {
        if matches!(c.kind(), MINUS | PLUS) {
            c.bump();
        }
        let ok = match c.kind() {
            INT => true,
            REAL => super::cursor::real(c.word()).is_some(),
            IDENT => matches!(c.word().to_ascii_lowercase().as_str(), "infinity" | "inf" | "nan"),
            _ => false,
        };
        if !ok {
            return Err(self.error(c, &DIRECTIVE_ARGUMENT, c.range(), "expected a floating-point number"));
        }
        c.bump();
        Ok(())
    }

    fn reals(&mut self, c: &mut Cursor<'_>, size: u64) -> Parsed<()> {
        self.many(c, |this, c| {
            this.real_value(c)?;
            this.sections.advance(size);
            Ok(())
        })
    }

    fn align(&mut self, c: &mut Cursor<'_>, power: bool, bytes: bool) -> Parsed<()> {
        let rule = &DIRECTIVE_ARGUMENT;
        if power && bytes && c.at_eol() {
            return Ok(());
        }
        let start = c.start();
        let value = self.absolute(c)?;
        let range = c.since(start);
        let mut limit = None;
        if c.eat(COMMA) {
            if !c.at(COMMA) {
                self.absolute(c)?;
            }
            if c.eat(COMMA) {
                let start = c.start();
                let value = self.absolute(c)?;
                limit = value.map(|v| (v, c.since(start)));
            }
        }
        self.end_of_line(c)?;
        let Some(value) = value else { return Ok(()) };
        let alignment = match (power, value) {
            (true, 0..32) => 1u64 << value,
            (true, ..0) => 1,
            (true, _) => {
                return Err(self.error(
                    c,
                    rule,
                    range,
                    format!("2 to the {value} is too large an alignment"),
                ));
            }
            (false, 0) => 1,
            (false, _) if value > 0 && (value as u64).is_power_of_two() && value < 1 << 32 => value as u64,
            (false, _) => {
                return Err(self.error(
                    c,
                    rule,
                    range,
                    format!("expected a power of two below 2^32, found {value}"),
                ));
            }
        };
        let offset = self.sections.offset();
        let padding = offset.next_multiple_of(alignment) - offset;
        match limit {
            Some((..1, range)) => {
                self.error(c, rule, range, "no padding is this short");
            }
            Some((most, _)) if most < alignment as i64 && padding > most as u64 => return Ok(()),
            _ => {}
        }
        self.sections.advance(padding);
        Ok(())
    }

    fn org(&mut self, c: &mut Cursor<'_>) -> Parsed<()> {
        let start = c.start();
        let expr = self.expression(c)?;
        let range = c.since(start);
        if c.eat(COMMA) {
            self.absolute(c)?;
        }
        self.end_of_line(c)?;
        self.move_to(c, expr, range)
    }

    /// `.reloc offset, name[, value]`
    fn relocation_directive(&mut self, c: &mut Cursor<'_>) -> Parsed<()> {
        const NAMES: &[&str] = &[
            "R_AMDGPU_NONE",
            "R_AMDGPU_ABS32_LO",
            "R_AMDGPU_ABS32_HI",
            "R_AMDGPU_ABS64",
            "R_AMDGPU_REL32",
            "R_AMDGPU_REL64",
            "R_AMDGPU_ABS32",
            "R_AMDGPU_GOTPCREL",
            "R_AMDGPU_GOTPCREL32_LO",
            "R_AMDGPU_GOTPCREL32_HI",
            "R_AMDGPU_REL32_LO",
            "R_AMDGPU_REL32_HI",
            "R_AMDGPU_RELATIVE64",
            "R_AMDGPU_REL16",
            "BFD_RELOC_NONE",
            "BFD_RELOC_32",
            "BFD_RELOC_64",
        ];
        self.expression(c)?;
        self.comma(c)?;
        let (name, range) = self.symbol_name(c)?;
        if !NAMES.contains(&name) {
            return Err(self.unknown_word(c, &DIRECTIVE_ARGUMENT, range, "relocation", NAMES));
        }
        if c.eat(COMMA) {
            self.expression(c)?;
        }
        self.end_of_line(c)
    }

    fn fill(&mut self, c: &mut Cursor<'_>) -> Parsed<()> {
        let start = c.start();
        let count = self.expression(c)?;
        let range = c.since(start);
        let mut size = 1;
        if c.eat(COMMA) {
            size = self.absolute(c)?.unwrap_or(1);
            if c.eat(COMMA) {
                self.absolute(c)?;
            }
        }
        self.end_of_line(c)?;
        // A negative count has no effect.
        if size >= 0 && !matches!(count, Expr::Const(..0)) {
            self.reserve(c, count, range, size.min(8));
        }
        Ok(())
    }

    fn space(&mut self, c: &mut Cursor<'_>) -> Parsed<()> {
        let start = c.start();
        let count = self.expression(c)?;
        let range = c.since(start);
        if c.eat(COMMA) {
            self.absolute(c)?;
        }
        self.end_of_line(c)?;
        self.reserve(c, count, range, 1);
        Ok(())
    }

    fn repeated(&mut self, c: &mut Cursor<'_>, size: u32) -> Parsed<()> {
        // a negative count has no effect, but then nothing may follow it
        if let count @ 0.. = self.absolute(c)?.unwrap_or(0) {
            self.comma(c)?;
            self.value_of(c, size, count as u64)?;
        }
        self.end_of_line(c)
    }

    fn reserved(&mut self, c: &mut Cursor<'_>, size: u64) -> Parsed<()> {
        let count = self.absolute(c)?.unwrap_or(0);
        self.end_of_line(c)?;
        self.sections.advance(size.saturating_mul(count.max(0) as u64));
        Ok(())
    }

    fn leb128(&mut self, c: &mut Cursor<'_>) -> Parsed<()> {
        self.many(c, |this, c| {
            let start = c.start();
            let expr = this.expression(c)?;
            let bytes = match expr {
                Expr::Const(value) => u64::from((64 - value.unsigned_abs().leading_zeros()) / 7 + 1),
                expr => {
                    this.add_bits(expr, c.since(start));
                    1
                }
            };
            this.sections.advance(bytes);
            Ok(())
        })
    }

    /// `.amdgcn_target` and `.amd_amdgpu_isa`, after the word: the target that the file says it is for is the one it is assembled for.
    fn target_id(&mut self, c: &mut Cursor<'_>) -> Parsed<()> {
        let range = c.range();
        let name = unquote(c.word());
        self.string(c)?;
        if self.mode == Mode::Outline {
            return Ok(());
        }
        let Some(configuration) = self.configuration.clone() else { return Ok(()) };
        let message = match (configuration.target(), Target::of_id(name)) {
            (None, _) if configuration.is_asked() => {
                "the processor of the command line or the settings is unknown".to_owned()
            }
            (None, None) => unknown_processor(processor_name(name)),
            (None, Some(_)) => return Ok(()),
            (Some(_), _) => {
                let expected = configuration.target_id();
                // Where nothing sets them, the features XNACK and SRAMECC are free.
                let is_free = !configuration.is_asked() && configuration.run.is_none();
                let plain = if is_free { name.split(':').next().unwrap_or(name) } else { name };
                if plain == expected || is_free && expected.split(':').next() == Some(plain) {
                    return Ok(());
                }
                format!("the file is assembled for `{expected}`, but this names `{name}`")
            }
        };
        Err(self.error(c, &TARGET_MISMATCH, range, message))
    }

    /// `.amd_kernel_code_t` to its end. What is in it is not checked.
    fn kernel_code(&mut self, c: &mut Cursor<'_>, directive: TextRange) -> Parsed<()> {
        c.skip_line();
        c.eat(EOL);
        self.text_block(c, directive, ".end_amd_kernel_code_t").map(|_| ())
    }
}

/// Bytes of a string's contents, or where an escape is wrong.
fn string_length(text: &str) -> Result<usize, usize> {
    let bytes = text.as_bytes();
    let (mut at, mut length) = (0, 0);
    while let Some(byte) = bytes.get(at) {
        length += 1;
        if *byte != b'\\' {
            at += 1;
            continue;
        }
        let escape = at;
        at += 2;
        match bytes.get(escape + 1) {
            Some(b'x' | b'X') => {
                let digits =
                    bytes.get(at..).unwrap_or(&[]).iter().take_while(|b| b.is_ascii_hexdigit()).count();
                if digits == 0 {
                    return Err(escape);
                }
                at += digits;
            }
            Some(b'0'..=b'7') => {
                let more =
                    bytes.get(at..).unwrap_or(&[]).iter().take(2).take_while(|b| (b'0'..=b'7').contains(b));
                at += more.count();
            }
            Some(b'b' | b'f' | b'n' | b'r' | b't' | b'"' | b'\\') => {}
            _ => return Err(escape),
        }
    }
    Ok(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn string_lengths() {
        assert_eq!(string_length("a\\n\\x41\\101"), Ok(4));
        assert_eq!(string_length("a\\q"), Err(1));
    }

    fn findings(triple: &str, text: &str) -> Vec<String> {
        let text = format!("// RUN: llvm-mc -triple={triple} -mcpu=gfx900 %s\n{text}");
        let found = crate::check_text(crate::Dialect::Amdgpu, &text, &crate::Options::default());
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
    }

    #[test]
    fn a_target_id_is_that_of_the_triple_and_the_processor() {
        let of = |triple: &str, id: &str| findings(triple, &format!(".amdgcn_target \"{id}\"\n")).is_empty();
        assert!(of("amdgcn-amd-amdpal", "amdgcn-amd-amdpal--gfx900"));
        assert!(!of("amdgcn-amd-amdpal", "amdgcn-amd-amdhsa--gfx900"));
        assert!(of("amdgcn--amdhsa", "amdgcn-unknown-amdhsa--gfx900"));
        assert!(!of("amdgcn--amdhsa", "amdgcn-unknown-amdhsa--gfx900:xnack+"));
    }
}
