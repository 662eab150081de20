//! Sections: which one is current, how far it is filled, and the directives that switch.

use smol_str::SmolStr;
use wavelens_syntax::amdgpu::AmdgpuKind::*;

use super::cursor::{Cursor, unquote};
use super::expression::Expr;
use super::symbols::SectionId;
use crate::TextRange;
use crate::amdgpu::assembler::{Assembler, Parsed};

wavelens_syntax::rules! {
    SECTION {
        code: "section",
        severity: crate::Severity::Error,
        title: "a section must keep its type, and `.popsection` needs a `.pushsection`",
        explain: "The flags or the type are unknown, a known section gets a second type, or the stack of sections is empty.",
        example: ".popsection\n",
        fixed: ".pushsection .text\n.popsection\n",
        source: "LLVM ELFAsmParser: \".popsection without corresponding .pushsection\"",
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Section {
    pub name: SmolStr,
    /// Type, flags and entry size, once they were given.
    kind: Option<(u32, u32, i64)>,
    /// Bytes so far.
    pub(crate) offset: u64,
}

/// The sections of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sections {
    list: Vec<Section>,
    current: usize,
    previous: Option<usize>,
    stack: Vec<(usize, Option<usize>)>,
}

impl Default for Sections {
    fn default() -> Self {
        let text = Section {
            name: SmolStr::new_static(".text"),
            kind: Some((PROGBITS, ALLOC | EXEC, 0)),
            offset: 0,
        };
        Sections { list: vec![text], current: 0, previous: None, stack: Vec::new() }
    }
}

const PROGBITS: u32 = 1;
const NOTE: u32 = 7;
const NOBITS: u32 = 8;
const WRITE: u32 = 1;
const ALLOC: u32 = 2;
const EXEC: u32 = 4;
const MERGE: u32 = 0x10;
const LINK_ORDER: u32 = 0x80;
const GROUP: u32 = 0x200;

impl Sections {
    pub(crate) fn current(&self) -> SectionId {
        SectionId(self.current as u32)
    }

    pub(crate) fn name(&self, id: SectionId) -> &str {
        self.list.get(id.0 as usize).map_or("", |section| section.name.as_str())
    }

    pub(crate) fn offset(&self) -> u64 {
        self.list.get(self.current).map_or(0, |s| s.offset)
    }

    /// Whether the current section holds instructions.
    pub(crate) fn is_code(&self) -> bool {
        let found = self.list.get(self.current);
        found.is_some_and(|s| s.kind.map_or_else(|| default_flags(&s.name), |k| k.1) & EXEC != 0)
    }

    pub(crate) fn advance(&mut self, bytes: u64) {
        if let Some(section) = self.list.get_mut(self.current) {
            section.offset = section.offset.saturating_add(bytes);
        }
    }

    /// For the next chunk: addresses are not carried over.
    pub(crate) fn forget_offsets(&mut self) {
        self.list.iter_mut().for_each(|s| s.offset = 0);
    }

    fn switch(&mut self, to: usize) {
        self.previous = Some(self.current);
        self.current = to;
    }

    /// The section of a name, made when it is new. `true` when it was there.
    fn find(&mut self, name: &str, kind: (u32, u32, i64), unique: Option<i64>) -> (usize, bool) {
        let key = match unique {
            Some(id) => SmolStr::from(format!("{name}#{id}")),
            None => SmolStr::new(name),
        };
        if let Some(at) = self.list.iter().position(|s| s.name == key) {
            return (at, true);
        }
        self.list.push(Section { name: key, kind: Some(kind), offset: 0 });
        (self.list.len() - 1, false)
    }
}

fn has_prefix(name: &str, prefix: &str) -> bool {
    name.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn default_flags(name: &str) -> u32 {
    const DATA: &[&str] = &[".data", ".bss", ".init_array", ".fini_array", ".preinit_array"];
    match name {
        n if has_prefix(n, ".rodata") || n == ".rodata1" => ALLOC,
        n if n == ".fini" || n == ".init" || has_prefix(n, ".text") => ALLOC | EXEC,
        n if n == ".data1" || DATA.iter().any(|p| has_prefix(n, p)) => ALLOC | WRITE,
        n if has_prefix(n, ".tdata") || has_prefix(n, ".tbss") => ALLOC | WRITE | 0x400,
        _ => 0,
    }
}

fn default_type(name: &str) -> u32 {
    match name {
        n if n.starts_with(".note") => NOTE,
        n if has_prefix(n, ".init_array") => 14,
        n if has_prefix(n, ".fini_array") => 15,
        n if has_prefix(n, ".preinit_array") => 16,
        n if has_prefix(n, ".bss") || has_prefix(n, ".tbss") => NOBITS,
        _ => PROGBITS,
    }
}

fn named_type(name: &str) -> Option<u32> {
    Some(match name {
        "init_array" => 14,
        "fini_array" => 15,
        "preinit_array" => 16,
        "nobits" => NOBITS,
        "progbits" => PROGBITS,
        "note" => NOTE,
        "unwind" => 0x7000_0001,
        "llvm_odrtab" => 0x6fff_4c00,
        "llvm_linker_options" => 0x6fff_4c01,
        "llvm_call_graph_profile" => 0x6fff_4c09,
        "llvm_dependent_libraries" => 0x6fff_4c04,
        "llvm_sympart" => 0x6fff_4c05,
        "llvm_bb_addr_map" => 0x6fff_4c0a,
        "llvm_offloading" => 0x6fff_4c0b,
        "llvm_lto" => 0x6fff_4c0c,
        "llvm_jt_sizes" => 0x6fff_4c0d,
        _ => u32::try_from(super::cursor::integer(name)?).ok()?,
    })
}

fn flag_bits(flags: &str) -> Option<u32> {
    if let Some(number) = super::cursor::integer(flags) {
        return u32::try_from(number).ok();
    }
    flags.chars().try_fold(0, |bits, flag| {
        Some(
            bits | match flag {
                'a' => ALLOC,
                'e' => 0x8000_0000,
                'x' => EXEC,
                'w' => WRITE,
                'o' => LINK_ORDER,
                'M' => MERGE,
                'S' => 0x20,
                'T' => 0x400,
                'G' => GROUP,
                'R' => 0x20_0000,
                '?' => 0,
                _ => return None,
            },
        )
    })
}

impl Assembler<'_> {
    pub(crate) fn here(&self) -> Expr {
        match self.mode {
            crate::amdgpu::assembler::Mode::Outline => Expr::Unknown,
            _ => Expr::Here(self.sections.current(), self.sections.offset()),
        }
    }

    /// `.text`, `.data` and the like: a section whose kind the name says.
    pub(crate) fn plain_section(&mut self, c: &mut Cursor<'_>, name: &str) -> Parsed<()> {
        self.subsection_number(c)?;
        let (at, _) = self.sections.find(name, (default_type(name), default_flags(name), 0), None);
        self.sections.switch(at);
        Ok(())
    }

    /// The number of a subsection, if there is one.
    pub(crate) fn subsection_number(&mut self, c: &mut Cursor<'_>) -> Parsed<()> {
        if c.at_eol() {
            return Ok(());
        }
        let start = c.start();
        let number = self.absolute(c)?;
        if number.is_some_and(|n| i32::try_from(n).is_ok_and(|n| n < 0) || i32::try_from(n).is_err()) {
            let message = "subsections have numbers from 0 to 2147483647";
            return Err(self.error(c, &SECTION, c.since(start), message));
        }
        Ok(())
    }

    pub(crate) fn push_section(&mut self, c: &mut Cursor<'_>, directive: TextRange) -> Parsed<()> {
        let saved = (self.sections.current, self.sections.previous);
        self.section(c, directive, true)?;
        self.sections.stack.push(saved);
        Ok(())
    }

    pub(crate) fn pop_section(&mut self, c: &mut Cursor<'_>, directive: TextRange) -> Parsed<()> {
        let Some((current, previous)) = self.sections.stack.pop() else {
            if self.open {
                return Ok(());
            }
            return Err(self.error(c, &SECTION, directive, "`.popsection` without `.pushsection`"));
        };
        (self.sections.current, self.sections.previous) = (current, previous);
        Ok(())
    }

    pub(crate) fn previous_section(&mut self, c: &mut Cursor<'_>, directive: TextRange) -> Parsed<()> {
        let Some(previous) = self.sections.previous else {
            if self.open {
                return Ok(());
            }
            return Err(self.error(c, &SECTION, directive, "`.previous` without an earlier section"));
        };
        self.sections.switch(previous);
        Ok(())
    }

    fn section_name<'t>(&mut self, c: &mut Cursor<'t>) -> Parsed<&'t str> {
        if c.at(STRING) {
            let name = unquote(c.word());
            c.bump();
            return Ok(name);
        }
        let start = c.start();
        let mut end = start;
        while !c.at_eol() && !c.at(COMMA) && (end == start || c.start() == end) {
            end = c.range().end();
            c.bump();
        }
        if end == start {
            return Err(self.error(c, &SECTION, c.range(), "expected the section's name"));
        }
        Ok(c.slice(TextRange::new(start, end)))
    }

    pub(crate) fn section(&mut self, c: &mut Cursor<'_>, directive: TextRange, push: bool) -> Parsed<()> {
        let rule = &SECTION;
        let name = self.section_name(c)?;
        let mut flags = default_flags(name);
        let (mut given, mut kind, mut size, mut unique) = (false, None, 0, None);
        if c.eat(COMMA) && !(push && !c.at(STRING) && self.subsection(c)?) {
            if c.at(HASH) {
                given |= self.sun_flags(c, &mut flags)?;
            } else if c.at(STRING) {
                let range = c.range();
                let Some(bits) = flag_bits(unquote(c.word())) else {
                    return Err(self.error(c, rule, range, "unknown section flag"));
                };
                c.bump();
                flags |= bits;
                given |= bits != 0;
            } else {
                return Err(self.error(c, rule, c.range(), "expected the section's flags as a string"));
            }
            kind = self.section_type(c)?;
            if kind.is_none() && (flags & (MERGE | GROUP) != 0) {
                let message = "a section with `M` or `G` must name its type";
                return Err(self.error(c, rule, c.range(), message));
            }
            if kind.is_some() {
                if flags & MERGE != 0 {
                    self.comma(c)?;
                    size = self.absolute(c)?.unwrap_or(1);
                    if size <= 0 {
                        return Err(self.error(c, rule, c.range(), "the entry size must be positive"));
                    }
                }
                if flags & LINK_ORDER != 0 {
                    self.comma(c)?;
                    c.bump();
                }
                if flags & GROUP != 0 {
                    self.group(c)?;
                }
                if c.at(COMMA) && c.nth_word(1) == "unique" {
                    c.bump();
                    c.bump();
                    self.comma(c)?;
                    unique = self.absolute(c)?;
                    if unique.is_some_and(|id| !(0..0xffff_ffff).contains(&id)) {
                        return Err(self.error(c, rule, c.range(), "the unique number is out of range"));
                    }
                }
            }
        }
        self.end_of_line(c)?;
        let full = (kind.unwrap_or_else(|| default_type(name)), flags, size);
        let (at, was_there) = self.sections.find(name, full, unique);
        self.sections.switch(at);
        let known = self.sections.list.get(at).and_then(|s| s.kind);
        if let (true, Some(known)) = (was_there, known) {
            let wrong = match () {
                _ if kind.is_some() && known.0 != full.0 => "type",
                _ if (given || size != 0 || kind.is_some()) && known.1 != full.1 => "flags",
                _ if (given || size != 0 || kind.is_some()) && known.2 != full.2 => "entry size",
                _ => return Ok(()),
            };
            let message = format!("section `{name}` has another {wrong} above");
            self.error(c, rule, directive, message);
        }
        Ok(())
    }

    /// A subsection after `.pushsection NAME,`; `true` when nothing follows it.
    fn subsection(&mut self, c: &mut Cursor<'_>) -> Parsed<bool> {
        self.expression(c)?;
        Ok(!c.eat(COMMA))
    }

    fn sun_flags(&mut self, c: &mut Cursor<'_>, flags: &mut u32) -> Parsed<bool> {
        while c.eat(HASH) {
            *flags |= match c.word() {
                "alloc" => ALLOC,
                "execinstr" => EXEC,
                "write" => WRITE,
                "tls" => 0x400,
                _ => return Err(self.error(c, &SECTION, c.range(), "unknown section flag")),
            };
            c.bump();
            if !c.eat(COMMA) {
                break;
            }
        }
        Ok(true)
    }

    fn section_type(&mut self, c: &mut Cursor<'_>) -> Parsed<Option<u32>> {
        let rule = &SECTION;
        if !c.eat(COMMA) {
            return Ok(None);
        }
        if !matches!(c.kind(), AT | PERCENT | STRING) {
            let message = "expected the section's type: `@progbits`, `%note` or `\"nobits\"`";
            return Err(self.error(c, rule, c.range(), message));
        }
        if !c.at(STRING) {
            c.bump();
        }
        let range = c.range();
        if !matches!(c.kind(), IDENT | STRING | INT) {
            return Err(self.error(c, rule, range, "expected the section's type"));
        }
        let Some(kind) = named_type(unquote(c.word())) else {
            return Err(self.error(c, rule, range, "unknown section type"));
        };
        c.bump();
        Ok(Some(kind))
    }

    fn group(&mut self, c: &mut Cursor<'_>) -> Parsed<()> {
        let rule = &SECTION;
        self.comma(c)?;
        if c.at(INT) {
            c.bump();
        } else if c.name().is_none() {
            return Err(self.error(c, rule, c.range(), "expected the group's name"));
        }
        if c.at(COMMA) && c.nth_word(1) != "unique" {
            c.bump();
            if c.word() != "comdat" {
                return Err(self.error(c, rule, c.range(), "expected `comdat`"));
            }
            c.bump();
        }
        Ok(())
    }
}
