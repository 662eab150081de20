//! ELF code objects as assembly: what `llvm-mc` assembles back to the same bytes.
//!
//! Instructions that our own encoder would write differently are shown as `.long`, with the instruction in a comment. Where there is
//! debug information, `.file` and `.loc` name the source, as a compiler writes them.

mod container;
mod descriptor;
mod lines;
mod notes;
mod relocations;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::Range;

use object::elf::{
    EM_AMDGPU, FileHeader64, SHF_ALLOC, SHF_EXECINSTR, SHT_NOTE, SHT_PROGBITS, STT_FUNC, STT_OBJECT,
};
use object::read::elf::{FileHeader, SectionHeader, Sym};
use object::{Endianness, SymbolIndex};
use wavelens_isa::{Decoded, Level, Target, decode, effects, print, unknown_length};

use self::lines::Lines;
use self::relocations::Relocation;
use super::encode;
use wavelens_base::Options;
use wavelens_isa::processor::{PROCESSORS, ProcessorFacts, version};

/// Whether bytes start as an ELF file or a bundle of device code does.
pub fn is_object(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x7fELF") || container::is_bundle(bytes)
}

/// A code object and what it holds.
#[derive(Debug)]
pub struct CodeObject<'b> {
    /// `gfx942`; empty for one that is not known.
    pub processor: &'static str,
    /// Names of its kernels.
    pub kernels: Vec<String>,
    /// The ELF file.
    pub bytes: Cow<'b, [u8]>,
}

/// The code objects in a file: the file itself, or those of a bundle, of a program or library for the host, or of an archive; and what
/// else of them is device code, by its bytes.
///
/// # Errors
/// A bundle cannot be read.
pub fn images(bytes: &[u8], is_other: impl Fn(&[u8]) -> bool) -> Result<Vec<Cow<'_, [u8]>>, String> {
    container::images(bytes, |bytes| container::is_code_object(bytes) || is_other(bytes))
}

/// The code objects alone.
///
/// # Errors
/// As [`images`].
pub fn code_objects(bytes: &[u8]) -> Result<Vec<CodeObject<'_>>, String> {
    Ok(images(bytes, |_| false)?.into_iter().map(described).collect())
}

/// A code object with its processor and kernels.
pub fn described(bytes: Cow<'_, [u8]>) -> CodeObject<'_> {
    let (processor, kernels) = match read(&bytes) {
        Ok(object) => (object.target.map_or("", Target::name), object.kernels().map(str::to_owned).collect()),
        Err(_) => ("", Vec::new()),
    };
    CodeObject { processor, kernels, bytes }
}

/// By its facts the descriptors of an unknown processor are read.
const NEWEST: &str = "gfx1250";

/// A symbol with a place.
struct Symbol {
    name: String,
    section: usize,
    /// Bytes from the start of its section.
    offset: u64,
    /// `function` or `object`.
    kind: Option<&'static str>,
    global: bool,
}

/// One section with contents.
struct Section<'d> {
    index: usize,
    name: String,
    code: bool,
    data: &'d [u8],
    address: u64,
}

struct Object<'d> {
    /// `None` for a processor that is not known: its code is shown as data.
    target: Option<Target>,
    /// What its descriptors are read by.
    facts: ProcessorFacts,
    /// As `.amdgcn_target` names it.
    target_id: String,
    sections: Vec<Section<'d>>,
    symbols: Vec<Symbol>,
    metadata: Option<String>,
    lines: Lines,
    /// By section and offset.
    relocations: BTreeMap<(usize, u64), Relocation>,
}

impl Object<'_> {
    /// Functions that have a descriptor.
    fn kernels(&self) -> impl Iterator<Item = &str> {
        self.symbols.iter().filter_map(|s| s.name.strip_suffix(".kd"))
    }
}

/// Writes a code object as assembly.
///
/// # Errors
/// It is not a 64-bit ELF file, not for AMDGPU, or its tables reach past its end.
pub fn disassemble(bytes: &[u8]) -> Result<String, String> {
    let mut object = read(bytes)?;
    let Some(target) = object.target.map(|t| t.at_level(Level::Llvm24)) else {
        return Ok(write(&object, &BTreeSet::new()).0);
    };
    // What does not assemble back becomes data. Older versions of LLVM encode some instructions in another way: the text is for the
    // one that the object was written by.
    let mut best = (0, target.at_level(Level::Llvm22), BTreeSet::new());
    for level in [Level::Llvm22, Level::Llvm24] {
        let target = target.at_level(level);
        object.target = Some(target);
        let (read, raw) = faithful(&object);
        if read > best.0 {
            best = (read, target, raw);
        }
    }
    let (_, target, raw) = best;
    object.target = Some(target);
    Ok(write(&object, &raw).0)
}

/// How many bytes have a text that assembles to them, and where one assembles to others, as section and offset.
fn faithful(object: &Object<'_>) -> (usize, BTreeSet<(usize, usize)>) {
    let (mut read, mut raw) = (0, BTreeSet::new());
    let Some(target) = object.target else { return (read, raw) };
    let (text, places) = write(object, &raw);
    let level = if target.level() == Level::Llvm22 { 22 } else { 24 };
    let options =
        Options { target: Some(target.name().into()), llvm_level: Some(level), ..Options::default() };
    let (lines, _) = encode(&text, &options);
    let encoded: BTreeMap<usize, &[u8]> =
        lines.iter().map(|l| (usize::from(l.range.start()), l.bytes.as_slice())).collect();
    for place in &places {
        let found = encoded.get(&place.text).copied().unwrap_or_default();
        let section = object.sections.iter().find(|s| s.index == place.section);
        let wanted = section.and_then(|s| s.data.get(place.offset..place.offset + place.len));
        // what the linker writes is compared by nobody
        let fixed = |bytes: &[u8]| -> Vec<u8> {
            let own = bytes.iter().enumerate().filter(|(i, _)| !place.linked.contains(i));
            own.map(|(_, byte)| *byte).collect()
        };
        let is_same =
            wanted.is_some_and(|wanted| wanted.len() == found.len() && fixed(wanted) == fixed(found));
        if is_same {
            read += place.len;
        } else {
            raw.insert((place.section, place.offset));
        }
    }
    (read, raw)
}

fn read(bytes: &[u8]) -> Result<Object<'_>, String> {
    let broken =
        |what: &'static str| move |e: object::Error| format!("the code object's {what} cannot be read: {e}");
    let header = FileHeader64::<Endianness>::parse(bytes).map_err(|_| "not a 64-bit ELF file".to_owned())?;
    let endian = header.endian().map_err(broken("header"))?;
    if header.e_machine(endian) != EM_AMDGPU {
        return Err("this ELF file is not for AMDGPU".into());
    }
    let flags = header.e_flags(endian).0;
    let name = PROCESSORS.iter().find(|p| p.elf == Some(flags & 0xff)).map(|p| p.name);
    let target = name.and_then(Target::of_id);
    let table = header.sections(endian, bytes).map_err(broken("section table"))?;
    let mut sections = Vec::new();
    let mut metadata = None;
    for (index, section) in table.iter().enumerate() {
        let data = section.data(endian, bytes).map_err(broken("section"))?;
        if section.sh_type(endian) == SHT_NOTE {
            metadata = metadata.or_else(|| notes::metadata(data));
        }
        let flags = section.sh_flags(endian);
        if section.sh_type(endian) == SHT_PROGBITS && flags.contains(SHF_ALLOC) && !data.is_empty() {
            let name = table.section_name(endian, section).map_err(broken("section name"))?;
            let code = flags.contains(SHF_EXECINSTR);
            let name = String::from_utf8_lossy(name).into_owned();
            sections.push(Section { index, name, code, data, address: section.sh_addr(endian) });
        }
    }
    let mut symbols = Vec::new();
    let kinds = [object::elf::SHT_SYMTAB, object::elf::SHT_DYNSYM];
    for kind in kinds {
        let all = table.symbols(endian, bytes, kind).map_err(broken("symbol table"))?;
        for number in 0..all.len() {
            let Ok(symbol) = all.symbol(SymbolIndex(number)) else { continue };
            let index = usize::from(symbol.st_shndx(endian).0);
            let Some(section) = sections.iter().find(|s| s.index == index) else { continue };
            let name = all.symbol_name(endian, symbol).map_err(broken("symbol name"))?;
            let offset = symbol.st_value(endian).wrapping_sub(section.address);
            let plain = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$' | b'@');
            if name.is_empty() || !name.iter().all(plain) || offset > section.data.len() as u64 {
                continue;
            }
            symbols.push(Symbol {
                name: String::from_utf8_lossy(name).into_owned(),
                section: index,
                offset,
                kind: match symbol.st_type() {
                    STT_FUNC => Some("function"),
                    STT_OBJECT => Some("object"),
                    _ => None,
                },
                global: symbol.st_bind() == object::elf::STB_GLOBAL,
            });
        }
        if !symbols.is_empty() {
            break;
        }
    }
    symbols.sort_by(|a, b| (a.section, a.offset, &a.name).cmp(&(b.section, b.offset, &b.name)));
    symbols.dedup_by(|a, b| a.name == b.name);
    // The metadata names processors that the header's table does not have.
    let stated = metadata.as_deref().and_then(|m| m.lines().find_map(|l| l.strip_prefix("amdhsa.target:")));
    let stated = stated.map(|id| id.trim().trim_matches('\'').to_owned());
    let facts = ProcessorFacts::of(
        target
            .or_else(|| closest(stated.as_deref()?))
            .or_else(|| Target::named(NEWEST))
            .ok_or("no processor is known")?,
    );
    let target_id = match name {
        Some(name) => target_id(name, flags),
        None => stated.unwrap_or_else(|| format!("processor {:#x}", flags & 0xff)),
    };
    let is_relocatable = header.e_type(endian) == object::elf::ET_REL;
    // Sections that are not linked yet all start at address 0.
    let lines = match is_relocatable && sections.iter().filter(|s| s.code).count() > 1 {
        true => Lines::default(),
        false => Lines::read(header, endian, bytes),
    };
    let relocations = relocations::read(&table, endian, bytes);
    Ok(Object { target, facts, target_id, sections, symbols, metadata, lines, relocations })
}

/// The known processor closest to one that is not: of its generation, or the newest.
fn closest(id: &str) -> Option<Target> {
    let name = id.rsplit_once("--").map_or(id, |(_, name)| name).split(':').next()?;
    let (major, minor, _) = version(name)?;
    let mut known: Vec<_> = PROCESSORS.iter().filter(|p| p.elf.is_some()).collect();
    known.sort_by_key(|p| std::cmp::Reverse(p.elf));
    let same = known.iter().find(|p| (p.version.0, p.version.1) == (major, minor));
    Target::named(same.or_else(|| known.iter().find(|p| p.version.0 == major))?.name)
}

/// `amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-`
fn target_id(name: &str, flags: u32) -> String {
    let mut id = format!("amdgcn-amd-amdhsa--{name}");
    for (feature, shift) in [("sramecc", 10), ("xnack", 8)] {
        match flags >> shift & 3 {
            2 => id.push_str(&format!(":{feature}-")),
            3 => id.push_str(&format!(":{feature}+")),
            _ => {}
        }
    }
    id
}

/// Where an instruction is in the text and in its section.
struct Placed {
    text: usize,
    section: usize,
    offset: usize,
    len: usize,
    /// The bytes that the linker writes.
    linked: Range<usize>,
}

fn write(object: &Object<'_>, raw: &BTreeSet<(usize, usize)>) -> (String, Vec<Placed>) {
    let mut out = match object.target {
        Some(target) => {
            let note = match target.level() {
                Level::Llvm22 => "",
                _ => "\t; encoded as by LLVM 24",
            };
            format!("\t.amdgcn_target \"{}\"{note}\n", object.target_id)
        }
        None => format!("\t; unknown processor: {}\n", object.target_id),
    };
    object.lines.write_files(&mut out);
    let mut places = Vec::new();
    for section in object.sections.iter().filter(|s| s.code) {
        code(object, section, raw, &mut out, &mut places);
    }
    for section in object.sections.iter().filter(|s| !s.code) {
        data(object, section, &mut out);
    }
    if let Some(metadata) = &object.metadata {
        let _ = write!(out, "\n\t.amdgpu_metadata\n---\n{metadata}...\n\t.end_amdgpu_metadata\n");
    }
    (out, places)
}

fn section_line(name: &str, code: bool) -> String {
    match name {
        ".text" => "\n\t.text\n".to_owned(),
        _ if code => format!("\n\t.section {name},\"ax\",@progbits\n"),
        ".rodata" => "\n\t.section .rodata,\"a\",@progbits\n".to_owned(),
        _ => format!("\n\t.section {name},\"aw\",@progbits\n"),
    }
}

fn labels(object: &Object<'_>, section: &Section<'_>, offset: usize, out: &mut String) {
    for symbol in object.symbols.iter().filter(|s| s.section == section.index && s.offset == offset as u64) {
        if symbol.name.ends_with(".kd") {
            continue;
        }
        out.push('\n');
        if symbol.global {
            let _ = writeln!(out, "\t.globl {}", symbol.name);
        }
        if let Some(kind) = symbol.kind {
            let _ = writeln!(out, "\t.type {},@{kind}", symbol.name);
        }
        let _ = writeln!(out, "{}:", symbol.name);
    }
}

/// The offset that a branch goes to.
fn goal(target: Target, offset: usize, found: &Decoded) -> Option<usize> {
    if !effects(target, &found.inst).branch {
        return None;
    }
    let dwords = found.inst.number("simm16")? as i16;
    (offset + found.len).checked_add_signed(isize::from(dwords) * 4)
}

fn code(
    object: &Object<'_>,
    section: &Section<'_>,
    raw: &BTreeSet<(usize, usize)>,
    out: &mut String,
    places: &mut Vec<Placed>,
) {
    let target = object.target;
    let mut found: Vec<(usize, usize, Option<Decoded>)> = Vec::new();
    let mut at = 0;
    while at < section.data.len() {
        let rest = section.data.get(at..).unwrap_or_default();
        let decoded = target.and_then(|t| decode(t, rest)).filter(|d| d.len > 0 && d.len <= rest.len());
        let len = match (decoded, target) {
            (Some(d), _) => d.len,
            (None, Some(target)) => unknown_length(target, rest).min(rest.len()),
            // a line of data ends where a label or a source line starts
            (None, None) => 4.min(rest.len()),
        };
        found.push((at, len, decoded));
        at += len;
    }
    let starts: BTreeSet<usize> = found.iter().map(|(at, ..)| *at).collect();
    let goals: BTreeSet<usize> = found
        .iter()
        .filter_map(|(at, _, d)| goal(target?, *at, d.as_ref()?))
        .filter(|goal| starts.contains(goal))
        .collect();
    let label = |offset: usize| format!(".L_{offset:04x}");
    out.push_str(&section_line(&section.name, true));
    out.push_str("\t.p2align 8\n");
    let mut source_line = None;
    for (at, len, decoded) in found {
        labels(object, section, at, out);
        if goals.contains(&at) {
            let _ = writeln!(out, "{}:", label(at));
        }
        object.lines.write_line(section.address + at as u64, &mut source_line, out);
        let bytes = section.data.get(at..(at + len).min(section.data.len())).unwrap_or_default();
        let relocation =
            object.relocations.range((section.index, at as u64)..(section.index, (at + len) as u64)).next();
        let to = decoded.and_then(|d| goal(target?, at, &d)).filter(|g| goals.contains(g));
        let mut linked = 0..0;
        let line = decoded.zip(target).map(|(d, target)| {
            let line = print(target, &d.inst);
            let last = |word: &str| {
                let head = line.rsplit_once(' ').map_or(line.as_str(), |(head, _)| head);
                format!("{head} {word}")
            };
            match (relocation, to) {
                (Some((_, relocation)), _) if relocation.is_branch() => {
                    linked = 0..2;
                    last(&relocation.expression())
                }
                (Some(((_, offset), relocation)), _) => {
                    let first = *offset as usize - at;
                    linked = first..first + relocation.size();
                    relocation.within(&line).unwrap_or(line)
                }
                (None, Some(goal)) => {
                    linked = 0..2;
                    last(&label(goal))
                }
                (None, None) => line,
            }
        });
        match line.filter(|l| !l.is_empty()) {
            Some(line) if !raw.contains(&(section.index, at)) => {
                places.push(Placed { text: out.len() + 1, section: section.index, offset: at, len, linked });
                let _ = writeln!(out, "\t{line}");
            }
            line => dump(bytes, line.as_deref(), out),
        }
    }
}

/// Bytes as data, 4 at a time.
fn dump(bytes: &[u8], comment: Option<&str>, out: &mut String) {
    let words = bytes.chunks_exact(4);
    let rest = words.remainder();
    let words: Vec<String> =
        words.filter_map(|w| Some(format!("{:#010x}", u32::from_le_bytes(w.try_into().ok()?)))).collect();
    if !words.is_empty() {
        let comment = comment.map(|c| format!("\t; {c}")).unwrap_or_default();
        let _ = writeln!(out, "\t.long {}{comment}", words.join(", "));
    }
    if !rest.is_empty() {
        let rest: Vec<String> = rest.iter().map(|b| format!("{b:#04x}")).collect();
        let _ = writeln!(out, "\t.byte {}", rest.join(", "));
    }
}

fn data(object: &Object<'_>, section: &Section<'_>, out: &mut String) {
    out.push_str(&section_line(&section.name, false));
    out.push_str("\t.p2align 6\n");
    let own: Vec<&Symbol> = object.symbols.iter().filter(|s| s.section == section.index).collect();
    let mut cuts: BTreeSet<usize> = own.iter().map(|s| s.offset as usize).collect();
    cuts.extend([0, section.data.len()]);
    let own_relocations = object.relocations.range((section.index, 0)..(section.index + 1, 0));
    cuts.extend(own_relocations.map(|((_, offset), _)| *offset as usize));
    let mut at = 0;
    while at < section.data.len() {
        let kernel = own.iter().find(|s| s.offset == at as u64).and_then(|s| s.name.strip_suffix(".kd"));
        let bytes = section.data.get(at..at + 64);
        if let (Some(kernel), Some(bytes)) = (kernel, bytes) {
            descriptor::write(&object.facts, kernel, bytes, out);
            at += 64;
            continue;
        }
        labels(object, section, at, out);
        if let Some(relocation) = object.relocations.get(&(section.index, at as u64))
            && let Some(directive) = relocation.directive()
        {
            let _ = writeln!(out, "\t{directive} {}", relocation.expression());
            at += relocation.size();
            continue;
        }
        let end = cuts.range(at + 1..).next().copied().unwrap_or(section.data.len()).min(at + 16);
        dump(section.data.get(at..end).unwrap_or_default(), None, out);
        at = end;
    }
}

#[cfg(test)]
mod written_tests;

#[cfg(test)]
mod tests {
    use super::disassemble;

    #[test]
    fn what_is_no_code_object_is_refused() {
        for bytes in [&b"\x7fELF"[..], b"", b"\x7fELF\x02\x01\x01\x40\x00\x00\x00\x00\x00\x00\x00\x00"] {
            assert_eq!(disassemble(bytes), Err("not a 64-bit ELF file".to_owned()));
        }
    }
}
