//! What the linker fills in: the relocations of an object that is not linked yet (source: LLVM's AMDGPU usage guide, "Relocation
//! Records").

use std::collections::BTreeMap;

use object::Endianness;
use object::elf::{FileHeader64, Rela64};
use object::read::elf::{SectionHeader, SectionTable, Sym};

/// Number, suffix of the symbol, bytes.
const KINDS: &[(u32, &str, usize)] = &[
    (1, "@abs32@lo", 4),
    (2, "@abs32@hi", 4),
    (3, "", 8),
    (4, "@rel32", 4),
    (5, "@rel64", 8),
    (6, "", 4),
    (7, "@gotpcrel", 4),
    (8, "@gotpcrel32@lo", 4),
    (9, "@gotpcrel32@hi", 4),
    (10, "@rel32@lo", 4),
    (11, "@rel32@hi", 4),
    (14, "", 2),
];
const REL16: u32 = 14;
const ABS64: u32 = 3;
const ABS32: u32 = 6;

/// One place that waits for a symbol.
pub(super) struct Relocation {
    symbol: String,
    kind: &'static (u32, &'static str, usize),
    addend: i64,
}

impl Relocation {
    /// `helper@rel32@lo+4`
    pub(super) fn expression(&self) -> String {
        let (number, suffix, _) = self.kind;
        // A branch counts from the next instruction.
        let addend = if *number == REL16 { 0 } else { self.addend };
        match addend {
            0 => format!("{}{suffix}", self.symbol),
            addend => format!("{}{suffix}{addend:+}", self.symbol),
        }
    }

    pub(super) fn is_branch(&self) -> bool {
        self.kind.0 == REL16
    }

    /// Bytes that are written.
    pub(super) fn size(&self) -> usize {
        self.kind.2
    }

    /// The directive of data that asks for it.
    pub(super) fn directive(&self) -> Option<&'static str> {
        match self.kind.0 {
            ABS64 => Some(".quad"),
            ABS32 => Some(".long"),
            _ => None,
        }
    }

    /// An instruction's text with the expression in place of its literal.
    pub(super) fn within(&self, line: &str) -> Option<String> {
        let start = line.find("lit(").or_else(|| line.find("lit64("))?;
        let end = start + line.get(start..)?.find(')')? + 1;
        Some(format!("{}{}{}", line.get(..start)?, self.expression(), line.get(end..)?))
    }
}

/// All relocations of sections with contents, by section and offset. What cannot be read is left out.
pub(super) fn read(
    table: &SectionTable<'_, FileHeader64<Endianness>>,
    endian: Endianness,
    bytes: &[u8],
) -> BTreeMap<(usize, u64), Relocation> {
    let mut all = BTreeMap::new();
    for section in table.iter() {
        let Ok(Some((rows, link))) = section.rela(endian, bytes) else { continue };
        let Ok(symbols) = table.symbol_table_by_index(endian, bytes, link) else { continue };
        let goal = section.info_link(endian).0;
        for row in rows {
            let row: &Rela64<Endianness> = row;
            let number = row.r_type(endian, false).0;
            let Some(kind) = KINDS.iter().find(|kind| kind.0 == number) else { continue };
            let index = object::SymbolIndex(row.r_sym(endian, false) as usize);
            let Ok(symbol) = symbols.symbol(index) else { continue };
            let name = match symbols.symbol_name(endian, symbol) {
                Ok(b"") => table
                    .section(object::SectionIndex(symbol.st_shndx(endian).0.into()))
                    .and_then(|s| table.section_name(endian, s)),
                name => name,
            };
            let Ok(name) = name else { continue };
            let symbol = String::from_utf8_lossy(name).into_owned();
            all.insert(
                (goal, row.r_offset.get(endian)),
                Relocation { symbol, kind, addend: row.r_addend.get(endian) },
            );
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn each_kind_has_its_expression() {
        let mut shown = String::new();
        for kind in KINDS {
            let relocation = |addend| Relocation { symbol: "s".to_owned(), kind, addend };
            let of = relocation(-8);
            let line = of.within("s_add_u32 s0, s0, lit(0x0)").unwrap_or_default();
            shown += &format!(
                "{}: {} {} {}, {} bytes, {}, {}\n",
                kind.0,
                of.expression(),
                relocation(0).expression(),
                relocation(4).expression(),
                of.size(),
                of.directive().unwrap_or("no directive"),
                if of.is_branch() { "branch" } else { &line },
            );
        }
        expect![[r#"
            1: s@abs32@lo-8 s@abs32@lo s@abs32@lo+4, 4 bytes, no directive, s_add_u32 s0, s0, s@abs32@lo-8
            2: s@abs32@hi-8 s@abs32@hi s@abs32@hi+4, 4 bytes, no directive, s_add_u32 s0, s0, s@abs32@hi-8
            3: s-8 s s+4, 8 bytes, .quad, s_add_u32 s0, s0, s-8
            4: s@rel32-8 s@rel32 s@rel32+4, 4 bytes, no directive, s_add_u32 s0, s0, s@rel32-8
            5: s@rel64-8 s@rel64 s@rel64+4, 8 bytes, no directive, s_add_u32 s0, s0, s@rel64-8
            6: s-8 s s+4, 4 bytes, .long, s_add_u32 s0, s0, s-8
            7: s@gotpcrel-8 s@gotpcrel s@gotpcrel+4, 4 bytes, no directive, s_add_u32 s0, s0, s@gotpcrel-8
            8: s@gotpcrel32@lo-8 s@gotpcrel32@lo s@gotpcrel32@lo+4, 4 bytes, no directive, s_add_u32 s0, s0, s@gotpcrel32@lo-8
            9: s@gotpcrel32@hi-8 s@gotpcrel32@hi s@gotpcrel32@hi+4, 4 bytes, no directive, s_add_u32 s0, s0, s@gotpcrel32@hi-8
            10: s@rel32@lo-8 s@rel32@lo s@rel32@lo+4, 4 bytes, no directive, s_add_u32 s0, s0, s@rel32@lo-8
            11: s@rel32@hi-8 s@rel32@hi s@rel32@hi+4, 4 bytes, no directive, s_add_u32 s0, s0, s@rel32@hi-8
            14: s s s, 2 bytes, no directive, branch
        "#]].assert_eq(&shown);
        let of = Relocation { symbol: "s".to_owned(), kind: &KINDS[0], addend: 4 };
        assert_eq!(
            of.within("s_mov_b64 s[0:1], lit64(0x0)").as_deref(),
            Some("s_mov_b64 s[0:1], s@abs32@lo+4")
        );
        assert_eq!(
            of.within("v_add_u32 v0, lit(0x0), v1").as_deref(),
            Some("v_add_u32 v0, s@abs32@lo+4, v1")
        );
        assert_eq!(of.within("s_nop 0"), None);
    }
}
