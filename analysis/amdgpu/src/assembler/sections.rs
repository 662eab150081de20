//! Sections: which one is current, how far it is filled, and the directives that switch.

use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use wavelens_syntax::amdgpu::AmdgpuKind::*;

use super::cursor::{Cursor, unquote};
use super::expression::Expr;
use super::symbols::{Definition, SectionId};
use crate::assembler::{Assembler, Mode, Parsed};
use crate::rules::directive::section::{self, SECTION};
use wavelens_base::TextRange;

/// What the header of an ELF section says of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct SectionKind {
    /// `sh_type`.
    number: u32,
    /// `sh_flags`.
    flags: u32,
    /// `sh_entsize`.
    entry_size: i64,
}

impl SectionKind {
    const fn new(number: u32, flags: u32, entry_size: i64) -> SectionKind {
        SectionKind { number, flags, entry_size }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Section {
    pub name: SmolStr,
    /// Once it was given.
    kind: Option<SectionKind>,
    /// Bytes so far.
    pub(crate) offset: u64,
}

/// So many sections are compared one by one.
const FEW: usize = 16;

/// The sections of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sections {
    list: Vec<Section>,
    /// Where the sections are in the list, if there are more than [`FEW`].
    index: FxHashMap<SmolStr, usize>,
    current: usize,
    previous: Option<usize>,
    stack: Vec<(usize, Option<usize>)>,
}

impl Default for Sections {
    fn default() -> Self {
        let text = Section {
            name: SmolStr::new_static(".text"),
            kind: Some(SectionKind::new(PROGBITS, ALLOC | EXEC, 0)),
            offset: 0,
        };
        Sections {
            list: vec![text],
            index: FxHashMap::default(),
            current: 0,
            previous: None,
            stack: Vec::new(),
        }
    }
}

const PROGBITS: u32 = 1;
const NOTE: u32 = 7;
const NOBITS: u32 = 8;
const WRITE: u32 = 1;
const ALLOC: u32 = 2;
const EXEC: u32 = 4;
const MERGE: u32 = 0x10;
const STRINGS: u32 = 0x20;
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
        found.is_some_and(|s| s.kind.map_or_else(|| default_flags(&s.name), |k| k.flags) & EXEC != 0)
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

    /// A subsection: the section before `.previous` is this one.
    pub(crate) fn stay(&mut self) {
        self.switch(self.current);
    }

    /// The section of a name, made when it is new. `part` tells sections of one name apart: their groups, their numbers.
    fn find(&mut self, name: &str, kind: SectionKind, part: &str) -> usize {
        let key = SmolStr::from_iter([name, part]);
        let known = match self.index.is_empty() {
            true => self.list.iter().position(|section| section.name == key),
            false => self.index.get(&key).copied(),
        };
        if let Some(at) = known {
            return at;
        }
        let predefined = if part.is_empty() { predefined(name) } else { None };
        self.list.push(Section { name: key, kind: Some(predefined.unwrap_or(kind)), offset: 0 });
        if self.list.len() > FEW {
            let new = if self.index.is_empty() { 0 } else { self.list.len() - 1 };
            let named = (new..).zip(&self.list[new..]).map(|(at, section)| (section.name.clone(), at));
            self.index.extend(named);
        }
        self.list.len() - 1
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

/// The kind of the sections that LLVM makes before it reads a file (MCObjectFileInfo).
fn predefined(name: &str) -> Option<SectionKind> {
    let kind = SectionKind::new;
    const EXCLUDE: u32 = 0x8000_0000;
    const DEBUG: &[&str] = &[
        "abbrev",
        "addr",
        "aranges",
        "cu_index",
        "frame",
        "gnu_pubnames",
        "gnu_pubtypes",
        "info",
        "line",
        "loc",
        "loclists",
        "macinfo",
        "macro",
        "names",
        "pubnames",
        "pubtypes",
        "ranges",
        "rnglists",
        "str_offsets",
        "tu_index",
    ];
    const SPLIT: &[&str] = &[
        "abbrev",
        "info",
        "line",
        "loc",
        "loclists",
        "macinfo",
        "macro",
        "rnglists",
        "str_offsets",
        "types",
    ];
    if let Some(debug) = name.strip_prefix(".debug_") {
        return match debug {
            "str" | "line_str" => Some(kind(PROGBITS, MERGE | STRINGS, 1)),
            "str.dwo" => Some(kind(PROGBITS, MERGE | STRINGS | EXCLUDE, 1)),
            _ if debug.strip_suffix(".dwo").is_some_and(|part| SPLIT.contains(&part)) => {
                Some(kind(PROGBITS, EXCLUDE, 0))
            }
            _ => DEBUG.contains(&debug).then_some(kind(PROGBITS, 0, 0)),
        };
    }
    Some(match name {
        ".data.rel.ro" => kind(PROGBITS, ALLOC | WRITE, 0),
        ".eh_frame" | ".gcc_except_table" | ".llvm_stackmaps" | ".llvm_faultmaps" => kind(PROGBITS, ALLOC, 0),
        ".sframe" => kind(0x6fff_fff4, ALLOC, 0),
        ".stack_sizes" | ".pseudo_probe" | ".pseudo_probe_desc" | ".llvm_stats" => kind(PROGBITS, 0, 0),
        ".apple_names" | ".apple_namespaces" | ".apple_objc" | ".apple_types" => kind(PROGBITS, 0, 0),
        _ => {
            let size = name.strip_prefix(".rodata.cst")?;
            let size = ["4", "8", "16", "32"].contains(&size).then(|| size.parse().ok())??;
            kind(PROGBITS, ALLOC | MERGE, size)
        }
    })
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

const TYPES: &[(&str, u32)] = &[
    ("progbits", PROGBITS),
    ("nobits", NOBITS),
    ("note", NOTE),
    ("init_array", 14),
    ("fini_array", 15),
    ("preinit_array", 16),
    ("unwind", 0x7000_0001),
    ("llvm_odrtab", 0x6fff_4c00),
    ("llvm_linker_options", 0x6fff_4c01),
    ("llvm_dependent_libraries", 0x6fff_4c04),
    ("llvm_sympart", 0x6fff_4c05),
    ("llvm_call_graph_profile", 0x6fff_4c09),
    ("llvm_bb_addr_map", 0x6fff_4c0a),
    ("llvm_offloading", 0x6fff_4c0b),
    ("llvm_lto", 0x6fff_4c0c),
    ("llvm_jt_sizes", 0x6fff_4c0d),
];

fn named_type(name: &str) -> Option<u32> {
    match TYPES.iter().find(|t| t.0 == name) {
        Some(known) => Some(known.1),
        None => u32::try_from(super::cursor::integer(name)?).ok(),
    }
}

/// A type as it is written.
fn type_text(number: u32) -> String {
    match TYPES.iter().find(|t| t.1 == number) {
        Some((name, _)) => format!("@{name}"),
        None => format!("@{number:#x}"),
    }
}

/// The letter of each flag.
const FLAGS: &[(char, u32)] = &[
    ('a', ALLOC),
    ('e', 0x8000_0000),
    ('x', EXEC),
    ('w', WRITE),
    ('o', LINK_ORDER),
    ('M', MERGE),
    ('S', STRINGS),
    ('T', 0x400),
    ('G', GROUP),
    ('R', 0x20_0000),
    ('?', 0),
];

/// Flags as they are written, without quotes.
fn flags_text(bits: u32) -> String {
    FLAGS.iter().filter(|f| f.1 & bits != 0).map(|f| f.0).collect()
}

fn flag_bits(flags: &str) -> Option<u32> {
    if let Some(number) = super::cursor::integer(flags) {
        return u32::try_from(number).ok();
    }
    flags.chars().try_fold(0, |bits, flag| Some(bits | FLAGS.iter().find(|f| f.0 == flag)?.1))
}

impl Assembler<'_> {
    pub(crate) fn here(&self) -> Expr {
        match self.mode {
            crate::assembler::Mode::Outline => Expr::Unknown,
            _ => Expr::Here(self.sections.current(), self.sections.offset()),
        }
    }

    /// `.text`, `.data` and the like: a section whose kind the name says.
    pub(crate) fn plain_section(&mut self, c: &mut Cursor<'_>, name: &str) -> Parsed<()> {
        self.subsection_number(c)?;
        let at = self.sections.find(name, SectionKind::new(default_type(name), default_flags(name), 0), "");
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
        if number.is_some_and(|n| !section::is_subsection(n)) {
            return Err(self.error(c, &SECTION, c.since(start), section::SUBSECTION));
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
            return Err(self.error(c, &SECTION, c.range(), c.expected("the section's name")));
        }
        Ok(c.slice(TextRange::new(start, end)))
    }

    pub(crate) fn section(&mut self, c: &mut Cursor<'_>, directive: TextRange, push: bool) -> Parsed<()> {
        let rule = &SECTION;
        let name = self.section_name(c)?;
        let mut flags = default_flags(name);
        let (mut given, mut kind, mut size, mut part) = (false, None, 0, String::new());
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
                return Err(self.error(c, rule, c.range(), c.expected("the section's flags as a string")));
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
                    part = format!(">{}", self.linked(c)?);
                }
                if flags & GROUP != 0 {
                    part += &format!("@{}", self.group(c)?);
                }
                if c.at(COMMA) && c.nth_word(1) == "unique" {
                    c.bump();
                    c.bump();
                    self.comma(c)?;
                    let unique = self.absolute(c)?;
                    if unique.is_some_and(|id| !(0..0xffff_ffff).contains(&id)) {
                        return Err(self.error(c, rule, c.range(), "the unique number is out of range"));
                    }
                    part += &unique.map_or("#?".into(), |id| format!("#{id}"));
                }
            }
        }
        self.end_of_line(c)?;
        let full = SectionKind::new(kind.unwrap_or_else(|| default_type(name)), flags, size);
        let at = self.sections.find(name, full, &part);
        self.sections.switch(at);
        let Some(known) = self.sections.list.get(at).and_then(|s| s.kind) else { return Ok(()) };
        given |= size != 0 || kind.is_some();
        let has = match () {
            _ if kind.is_some() && known.number != full.number => {
                format!("already has the type `{}`", type_text(known.number))
            }
            _ if given && known.flags != full.flags => match flags_text(known.flags) {
                flags if flags.is_empty() => "has no flags".to_owned(),
                flags => format!("already has the flags `{flags}`"),
            },
            _ if given && known.entry_size != full.entry_size => {
                format!("already has the entry size {}", known.entry_size)
            }
            _ => return Ok(()),
        };
        self.error(c, rule, directive, format!("section `{name}` {has}"));
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

    /// The section that one with `o` follows, named by a symbol in it, or 0.
    fn linked<'t>(&mut self, c: &mut Cursor<'t>) -> Parsed<&'t str> {
        let range = c.range();
        let name = unquote(c.word());
        if c.at(INT) && name == "0" {
            c.bump();
            return Ok(name);
        }
        if c.name().is_none() {
            return Err(self.error(c, &SECTION, range, c.expected("a symbol of the linked section, or 0")));
        }
        let is_section = self.sections.list.iter().any(|section| section.name == name);
        if self.mode != Mode::Outline && !self.open && !is_section {
            let id = self.symbol(name);
            let is_constant = matches!(self.symbols.get(id).definition, Definition::Variable(Expr::Const(_)));
            if is_constant || !self.symbols.get(id).is_defined() {
                let message = section::not_linked(name);
                return Err(self.error(c, &SECTION, range, message));
            }
        }
        Ok(name)
    }

    /// The group's name.
    fn group<'t>(&mut self, c: &mut Cursor<'t>) -> Parsed<&'t str> {
        let rule = &SECTION;
        self.comma(c)?;
        let name = unquote(c.word());
        if c.at(INT) {
            c.bump();
        } else if c.name().is_none() {
            return Err(self.error(c, rule, c.range(), c.expected("the group's name")));
        }
        if c.at(COMMA) && c.nth_word(1) != "unique" {
            c.bump();
            if c.word() != "comdat" {
                return Err(self.error(c, rule, c.range(), "expected `comdat`"));
            }
            c.bump();
        }
        Ok(name)
    }
}

#[cfg(test)]
mod tests;
