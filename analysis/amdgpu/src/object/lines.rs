//! Source lines of a code object: the line tables of DWARF, by address.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use gimli::{
    AttributeValue, DebugLineOffset, Dwarf, DwarfSections, EndianSlice, IncompleteLineProgram, LittleEndian,
    Section as _,
};
use object::Endianness;
use object::elf::{ET_REL, FileHeader64, SHF_COMPRESSED};
use object::read::elf::{FileHeader, Rela, SectionHeader, SectionTable, Sym, SymbolTable};
use rustc_hash::FxHashMap;

type Slice<'d> = EndianSlice<'d, LittleEndian>;
type Elf = FileHeader64<Endianness>;

/// Bytes of an address.
const ADDRESS_SIZE: u8 = 8;

/// A place in a source file. Lines and columns count from 1; line 0 is code that the compiler made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SourceLine {
    /// The number of its `.file` directive.
    file: usize,
    line: u64,
    column: u64,
}

/// A source file: its folder and its name.
type SourceFile = (String, String);

/// The source files of a code object, and where the code of their lines begins.
#[derive(Debug, Default)]
pub(super) struct Lines {
    files: Vec<SourceFile>,
    numbers: FxHashMap<SourceFile, usize>,
    starts: BTreeMap<u64, SourceLine>,
}

impl Lines {
    /// Reads what there is. Debug information that cannot be read is left out.
    pub(super) fn read(header: &Elf, endian: Endianness, bytes: &[u8]) -> Lines {
        let mut lines = Lines::default();
        let Ok(table) = header.sections(endian, bytes) else { return lines };
        let Ok(symbols) = table.symbols(endian, bytes, object::elf::SHT_SYMTAB) else { return lines };
        let is_relocatable = header.e_type(endian) == ET_REL;
        let load = |id: gimli::SectionId| {
            let section = table.section_by_name(endian, id.name().as_bytes());
            let Some((index, section)) = section else { return Ok(Cow::Borrowed(&[][..])) };
            let data = section.data(endian, bytes).unwrap_or_default();
            Ok::<_, gimli::Error>(match is_relocatable {
                _ if section.sh_flags(endian).contains(SHF_COMPRESSED) => Cow::Borrowed(&[][..]),
                true => relocated(&table, endian, bytes, index, &symbols, data),
                false => Cow::Borrowed(data),
            })
        };
        if let Ok(sections) = DwarfSections::load(load) {
            let dwarf = sections.borrow(|data| EndianSlice::new(data, LittleEndian));
            // What was read before a mistake stays.
            let _ = lines.add_tables(&dwarf);
        }
        lines
    }

    fn add_tables(&mut self, dwarf: &Dwarf<Slice<'_>>) -> gimli::Result<()> {
        let mut folders = FxHashMap::default();
        let mut units = dwarf.units();
        // Assembly may have lines and no units.
        while let Ok(Some(header)) = units.next() {
            let Ok(unit) = dwarf.unit(header) else { continue };
            if let (Some(program), Some(folder)) = (&unit.line_program, unit.comp_dir) {
                folders.insert(program.header().offset().0, folder);
            }
        }
        let mut at = 0;
        while at < dwarf.debug_line.reader().len() {
            let folder = folders.get(&at).copied();
            let program = dwarf.debug_line.program(DebugLineOffset(at), ADDRESS_SIZE, folder, None)?;
            let header = program.header();
            at += usize::from(header.format().initial_length_size()) + header.unit_length();
            self.add_table(dwarf, program, folder)?;
        }
        Ok(())
    }

    /// `base` is the folder of the compilation.
    fn add_table<'d>(
        &mut self,
        dwarf: &Dwarf<Slice<'d>>,
        program: IncompleteLineProgram<Slice<'d>>,
        base: Option<Slice<'d>>,
    ) -> gimli::Result<()> {
        let text = |value: AttributeValue<Slice<'d>>| {
            Some(dwarf.attr_line_string(value).ok()?.to_string_lossy().into_owned())
        };
        let first = program.header().directory(0).and_then(text).unwrap_or_default();
        let base = base.map_or(first, |folder| folder.to_string_lossy().into_owned());
        let mut files: FxHashMap<u64, Option<usize>> = FxHashMap::default();
        let mut rows = program.rows();
        while let Some((header, row)) = rows.next_row()? {
            if row.end_sequence() {
                continue;
            }
            let known = files.entry(row.file_index()).or_insert_with(|| {
                let entry = header.file(row.file_index())?;
                let folder = entry.directory(header).and_then(text).unwrap_or_default();
                let file = source_file(&base, &folder, &text(entry.path_name())?)?;
                Some(self.number(file))
            });
            let Some(file) = *known else { continue };
            let column = match row.column() {
                gimli::ColumnType::LeftEdge => 0,
                gimli::ColumnType::Column(column) => column.get(),
            };
            let line = row.line().map_or(0, u64::from);
            self.starts.insert(row.address(), SourceLine { file, line, column });
        }
        Ok(())
    }

    /// The number of a file, from 1.
    fn number(&mut self, file: SourceFile) -> usize {
        *self.numbers.entry(file.clone()).or_insert_with(|| {
            self.files.push(file);
            self.files.len()
        })
    }

    /// Writes the `.file` directives.
    pub(super) fn write_files(&self, out: &mut String) {
        for (index, (folder, name)) in self.files.iter().enumerate() {
            let folder = if folder.is_empty() { String::new() } else { format!("\"{folder}\" ") };
            let _ = writeln!(out, "\t.file\t{} {folder}\"{name}\"", index + 1);
        }
    }

    /// Writes the `.loc` directive of an address where the code of another line begins.
    pub(super) fn write_line(&self, address: u64, last: &mut Option<SourceLine>, out: &mut String) {
        let Some(found) = self.starts.get(&address).filter(|found| Some(**found) != *last) else { return };
        *last = Some(*found);
        let SourceLine { file, line, column } = *found;
        let name = self.files.get(file - 1).map_or("", |(_, name)| name.rsplit('/').next().unwrap_or(name));
        let _ = writeln!(out, "\t.loc\t{file} {line} {column}\t; {name}:{line}:{column}");
    }
}

/// A file as its directive names it; `None` if the directive cannot. Slashes go forward, which every system reads.
fn source_file(base: &str, folder: &str, name: &str) -> Option<SourceFile> {
    let [base, folder, name] = [base, folder, name].map(|path| path.replace('\\', "/"));
    let is_absolute = |path: &str| path.starts_with('/') || path.get(1..3) == Some(":/");
    let folder = match () {
        () if is_absolute(&name) => String::new(),
        () if is_absolute(&folder) || base.is_empty() => folder,
        () if folder.is_empty() => base,
        () => format!("{}/{folder}", base.trim_end_matches('/')),
    };
    let is_plain = |text: &str| !text.contains(|c: char| c == '"' || c.is_control());
    (is_plain(&folder) && is_plain(&name) && !name.is_empty()).then_some((folder, name))
}

/// A debug section of a file that is not linked yet: its addresses and its offsets into other sections are filled in.
fn relocated<'d>(
    table: &SectionTable<'d, Elf>,
    endian: Endianness,
    bytes: &'d [u8],
    index: object::SectionIndex,
    symbols: &SymbolTable<'d, Elf>,
    data: &'d [u8],
) -> Cow<'d, [u8]> {
    // Source: LLVM's AMDGPU usage guide, "Relocation Records".
    const R_AMDGPU_ABS64: u32 = 3;
    const R_AMDGPU_ABS32: u32 = 6;
    let own = table.iter().filter(|section| section.sh_info(endian) as usize == index.0);
    let own = own.filter_map(|section| section.rela(endian, bytes).ok().flatten());
    let mut data = Cow::Borrowed(data);
    for relocation in own.flat_map(|(relocations, _)| relocations) {
        let size = match relocation.r_type(endian, false).0 {
            R_AMDGPU_ABS64 => 8,
            R_AMDGPU_ABS32 => 4,
            _ => continue,
        };
        let symbol = relocation.symbol(endian, false).and_then(|index| symbols.symbol(index).ok());
        let value = symbol
            .map_or(0, |symbol| symbol.st_value(endian))
            .wrapping_add_signed(relocation.r_addend(endian));
        let place = usize::try_from(relocation.r_offset(endian)).ok();
        if let Some(place) = place.and_then(|at| data.to_mut().get_mut(at..at.checked_add(size)?))
            && let Some(value) = value.to_le_bytes().get(..size)
        {
            place.copy_from_slice(value);
        }
    }
    data
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_folders_are_below_that_of_the_compilation() {
        let file = |base, folder, name| {
            source_file(base, folder, name).map(|(folder, name)| format!("{folder}|{name}"))
        };
        assert_eq!(file("/src", "", "a.hip").as_deref(), Some("/src|a.hip"));
        assert_eq!(file("/src/", "lib", "a.hip").as_deref(), Some("/src/lib|a.hip"));
        assert_eq!(file("/src", "/usr/include", "a.h").as_deref(), Some("/usr/include|a.h"));
        assert_eq!(file("/src", "lib", "/a.h").as_deref(), Some("|/a.h"));
        assert_eq!(file("C:\\src", "lib", "a.hip").as_deref(), Some("C:/src/lib|a.hip"));
        assert_eq!(file("", "lib", "a.hip").as_deref(), Some("lib|a.hip"));
        assert_eq!(file("/src", "", "a\".hip"), None);
        assert_eq!(file("/src", "", ""), None);
    }
}
