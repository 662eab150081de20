//! The instruction table, read in place from the generated blob.

mod generated;
pub(crate) mod kind;

use std::sync::LazyLock;

pub(crate) use generated::{
    FEATURE_NAMES, IMPLICIT, KINDS, NAMED, NAMES, NAMESPACES, PROCESSORS, Processor, SCHED, TOKENS,
    converter, feature, flag, name, special,
};
use kind::Kind;

use crate::assemble::ForcedEncoding;
use crate::target::{Level, Target};

/// Sets of [`flag`]s.
pub(crate) mod flag_set {
    use super::flag;

    /// Vector memory.
    pub(crate) const VMEM: u64 =
        flag::MUBUF | flag::MTBUF | flag::MIMG | flag::VIMAGE | flag::VSAMPLE | flag::FLAT;
    /// Untyped and typed buffer instructions.
    pub(crate) const BUFFER: u64 = flag::MUBUF | flag::MTBUF;
    /// Image instructions.
    pub(crate) const IMAGE: u64 = flag::MIMG | flag::VIMAGE | flag::VSAMPLE;
    /// Flat instructions that know their segment.
    pub(crate) const SEGMENT: u64 = flag::FLAT_GLOBAL | flag::FLAT_SCRATCH;
    /// Vector instructions of 64 bits.
    pub(crate) const LONG: u64 = flag::VOP3 | flag::VOP3P;
    /// What may read or write memory.
    pub(crate) const MEMORY: u64 = flag::MAY_LOAD | flag::MAY_STORE;
    /// Matrix instructions of waves.
    pub(crate) const WMMA: u64 = flag::IS_WMMA | flag::IS_SWMMAC;
    /// Atomics, with and without the old value.
    pub(crate) const ATOMIC: u64 = flag::IS_ATOMIC_RET | flag::IS_ATOMIC_NO_RET;
}

static BLOB: &[u8] = include_bytes!("../../tables/isa.bin");
const HEAD: usize = 8 + 14 * 8;

const fn u32_const(at: usize) -> usize {
    let b = BLOB;
    b[at] as usize | (b[at + 1] as usize) << 8 | (b[at + 2] as usize) << 16 | (b[at + 3] as usize) << 24
}

const fn section(i: usize) -> &'static [u8] {
    let (_, rest) = BLOB.split_at(HEAD + u32_const(8 + i * 8));
    rest.split_at(u32_const(12 + i * 8)).0
}

/// Valid UTF-8 as a whole, so that no name is looked at again.
static TEXT: LazyLock<&str> = LazyLock::new(|| std::str::from_utf8(section(0)).unwrap_or(""));
static STRINGS: &[u8] = section(1);
static HEADS: &[u8] = section(2);
static SLOTS: &[u8] = section(3);
static CANDIDATES: &[u8] = section(4);
static FORMALS: &[u8] = section(5);
static OPLISTS: &[u8] = section(6);
static LAYOUTS: &[u8] = section(7);
static ROWS: &[u8] = section(8);
static MASKS: &[u8] = section(9);
static AVAILS: &[u8] = section(10);
static REGSETS: &[u8] = section(11);
static TIES: &[u8] = section(12);
static RENAMES: &[u8] = section(13);

fn u16_at(s: &[u8], at: usize) -> u16 {
    match s.get(at..at + 2) {
        Some(b) => u16::from_le_bytes([b[0], b[1]]),
        None => 0,
    }
}

fn u32_at(s: &[u8], at: usize) -> usize {
    match s.get(at..at + 4) {
        Some(b) => u32::from_le_bytes([b[0], b[1], b[2], b[3]]) as usize,
        None => 0,
    }
}

fn u128_at(s: &[u8], at: usize) -> u128 {
    s.get(at..at + 16).and_then(|b| b.try_into().ok()).map_or(0, u128::from_le_bytes)
}

fn text(off: usize, len: usize) -> &'static str {
    TEXT.get(off..off + len).unwrap_or("")
}

fn string(id: u16) -> &'static str {
    let at = usize::from(id) * 6;
    text(u32_at(STRINGS, at), u16_at(STRINGS, at + 4).into())
}

/// The body of entry `id` of a section of variable-sized entries: a count, offsets, bodies.
fn listing(section: &'static [u8], id: u16) -> &'static [u8] {
    let bodies = 4 + 4 * u32_at(section, 0);
    section.get(bodies + u32_at(section, 4 + usize::from(id) * 4)..).unwrap_or(&[])
}

/// The kind of operand with number `id`.
pub(crate) fn kind_of(id: u16) -> &'static Kind {
    &KINDS[usize::from(id).min(KINDS.len() - 1)]
}

/// The word of a template with number `id`.
pub(crate) fn token(id: u16) -> &'static str {
    TOKENS.get(usize::from(id)).copied().unwrap_or("")
}

/// One operand or word of an assembly template.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Formal {
    Token(u16),
    /// A register that must be exactly this one, such as `vcc`.
    Single(u16),
    Operand {
        /// Index into the row's operands.
        index: u8,
        kind: u16,
    },
}

/// A list of fixed-size entries after a count byte.
#[derive(Clone, Copy)]
pub(crate) struct List {
    bytes: &'static [u8],
    len: u8,
    width: u8,
}

impl List {
    fn new(body: &'static [u8], width: u8) -> List {
        List { bytes: body.get(1..).unwrap_or(&[]), len: body.first().copied().unwrap_or(0), width }
    }

    pub(crate) fn len(self) -> usize {
        self.len.into()
    }

    fn at(self, i: usize) -> &'static [u8] {
        let w = usize::from(self.width);
        if i < self.len() { self.bytes.get(i * w..(i + 1) * w).unwrap_or(&[]) } else { &[] }
    }
}

/// Template of a row or alias.
#[derive(Clone, Copy)]
pub(crate) struct Formals(List);

impl Formals {
    pub(crate) fn new(id: u16) -> Formals {
        Formals(List::new(listing(FORMALS, id), 4))
    }

    pub(crate) fn len(self) -> usize {
        self.0.len()
    }

    pub(crate) fn get(self, i: usize) -> Option<Formal> {
        match *self.0.at(i) {
            [0, _, a, b] => Some(Formal::Token(u16::from_le_bytes([a, b]))),
            [2, _, a, b] => Some(Formal::Single(u16::from_le_bytes([a, b]))),
            [_, index, a, b] => Some(Formal::Operand { index, kind: u16::from_le_bytes([a, b]) }),
            _ => None,
        }
    }
}

/// A bit field: `count` bits of the operand's value from bit `first`, put at bit `pos`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    pub(crate) operand: u8,
    pub(crate) first: u8,
    pub(crate) count: u8,
    pub(crate) pos: u8,
}

/// One instruction in one encoding.
#[derive(Clone, Copy)]
pub(crate) struct Row(&'static [u8]);

const ROW: usize = 48;

impl Row {
    pub(crate) fn new(id: u16) -> Row {
        let at = usize::from(id) * ROW;
        Row(ROWS.get(at..at + ROW).unwrap_or(&[0; ROW]))
    }

    pub(crate) fn count() -> usize {
        ROWS.len() / ROW
    }

    fn byte(self, at: usize) -> u8 {
        self.0.get(at).copied().unwrap_or(0)
    }

    /// Constant bits.
    pub(crate) fn value(self) -> u128 {
        u128_at(self.0, 0)
    }

    /// Which bits are constant.
    pub(crate) fn mask(self) -> u128 {
        u128_at(MASKS, usize::from(u16_at(self.0, 16)) * 16)
    }

    pub(crate) fn fields(self) -> impl Iterator<Item = Field> {
        let l = List::new(listing(LAYOUTS, u16_at(self.0, 18)), 4);
        (0..l.len()).filter_map(move |i| match *l.at(i) {
            [operand, first, count, pos] => Some(Field { operand, first, count, pos }),
            _ => None,
        })
    }

    fn oplist(self) -> &'static [u8] {
        listing(OPLISTS, u16_at(self.0, 20))
    }

    /// Number of operands that are results; they come first.
    pub(crate) fn outs(self) -> usize {
        self.oplist().first().copied().unwrap_or(0).into()
    }

    pub(crate) fn operands(self) -> usize {
        self.oplist().get(1).copied().unwrap_or(0).into()
    }

    pub(crate) fn kind(self, i: usize) -> &'static Kind {
        kind_of(u16_at(self.oplist(), 2 + i * 4))
    }

    /// The operand's name: one of [`name`].
    pub(crate) fn name(self, i: usize) -> u16 {
        u16_at(self.oplist(), 4 + i * 4)
    }

    /// Index of the operand with this name.
    pub(crate) fn find(self, name: u16) -> Option<usize> {
        let list = self.oplist();
        let n = usize::from(list.get(1).copied().unwrap_or(0));
        (0..n).find(|i| u16_at(list, 4 + i * 4) == name)
    }

    pub(crate) fn mnemonic(self) -> &'static str {
        string(u16_at(self.0, 22))
    }

    /// The template after the mnemonic.
    pub(crate) fn tail(self) -> &'static str {
        string(u16_at(self.0, 24))
    }

    pub(crate) fn avail(self) -> u16 {
        u16_at(self.0, 28)
    }

    /// Bytes without literal.
    pub(crate) fn size(self) -> usize {
        self.byte(30).into()
    }

    pub(crate) fn variant(self) -> u8 {
        self.byte(31)
    }

    pub(crate) fn flags(self) -> u64 {
        self.0.get(32..40).and_then(|b| b.try_into().ok()).map_or(0, u64::from_le_bytes)
    }

    pub(crate) fn has(self, flags: u64) -> bool {
        self.flags() & flags != 0
    }

    /// The suffix of the mnemonic that asks for this encoding, without the underscore; empty for instructions with one encoding.
    pub(crate) fn encoding(self) -> &'static str {
        let has_others = !self.has(flag::IS_SINGLE);
        if self.has(flag::DPP) {
            if self.has(flag::VOP3) { "e64_dpp" } else { "dpp" }
        } else if self.has(flag::SDWA) {
            "sdwa"
        } else if self.has(flag::VOP3) && has_others {
            "e64"
        } else if self.has(flag::VOP1 | flag::VOP2 | flag::VOPC) && has_others {
            "e32"
        } else {
            ""
        }
    }

    /// Implicit writes, as indices into [`IMPLICIT`].
    pub(crate) fn defs(self) -> &'static [u8] {
        set(listing(REGSETS, self.byte(40).into()))
    }

    /// Implicit reads, as indices into [`IMPLICIT`].
    pub(crate) fn uses(self) -> &'static [u8] {
        set(listing(REGSETS, self.byte(41).into()))
    }

    /// Pairs of operands that are one register.
    pub(crate) fn ties(self) -> impl Iterator<Item = (usize, usize)> {
        let l = List::new(listing(TIES, self.byte(42).into()), 2);
        (0..l.len()).filter_map(move |i| match *l.at(i) {
            [a, b] => Some((a.into(), b.into())),
            _ => None,
        })
    }

    pub(crate) fn sched(self) -> &'static str {
        SCHED.get(usize::from(self.byte(43))).copied().unwrap_or("")
    }

    pub(crate) fn special(self) -> u8 {
        self.byte(44)
    }

    /// Decoder namespace; `None` for rows that only the assembler knows.
    pub(crate) fn namespace(self) -> Option<&'static str> {
        NAMESPACES.get(usize::from(self.byte(45))).copied()
    }

    /// One of [`converter`].
    pub(crate) fn converter(self) -> u8 {
        self.byte(47)
    }
}

/// The body of a byte set: a count, then the members.
fn set(body: &'static [u8]) -> &'static [u8] {
    let n = usize::from(body.first().copied().unwrap_or(0));
    body.get(1..1 + n).unwrap_or(&[])
}

/// Whether availability `id` includes processor `index` with this wave size at a level.
pub(crate) fn available(id: u16, index: u8, wave64: bool, level: Level) -> bool {
    let at = usize::from(id) * 64 + usize::from(wave64) * 16;
    let has = |at: usize| u128_at(AVAILS, at) >> index & 1 == 1;
    match level {
        Level::Llvm22 => has(at),
        Level::Llvm24 => has(at + 32),
        Level::Any => has(at + 32) || has(at),
    }
}

/// A row that a mnemonic may mean, with the template to match.
#[derive(Clone, Copy)]
pub(crate) struct Candidate {
    pub(crate) row: u16,
    pub(crate) formals: u16,
    pub(crate) avail: u16,
    pub(crate) variant: u8,
}

/// Rows of a mnemonic, by variant, in the order in which they are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Candidates {
    start: usize,
    len: usize,
    /// On some targets the mnemonic stands for another one.
    pub(crate) renamed: bool,
}

impl Candidates {
    /// Those with an encoding that a target has, without a record of what is read.
    pub(crate) fn available(self, target: Target, forced: ForcedEncoding) -> impl Iterator<Item = Candidate> {
        self.iter().filter(move |c| forced.variant(c.variant) && target.can(c.avail))
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = Candidate> + Clone {
        (self.start..self.start + self.len).map(|i| Candidate {
            row: u16_at(CANDIDATES, i * 8),
            formals: u16_at(CANDIDATES, i * 8 + 2),
            avail: u16_at(CANDIDATES, i * 8 + 4),
            variant: CANDIDATES.get(i * 8 + 6).copied().unwrap_or(0),
        })
    }
}

fn head(i: usize) -> (&'static str, Candidates) {
    let at = i * 12;
    let count = u16_at(HEADS, at + 10);
    let c = Candidates {
        start: u32_at(HEADS, at + 6),
        len: usize::from(count & 0x7FFF),
        renamed: count >> 15 == 1,
    };
    (text(u32_at(HEADS, at), u16_at(HEADS, at + 4).into()), c)
}

/// All mnemonics in alphabetical order.
pub(crate) fn mnemonics() -> impl Iterator<Item = (&'static str, Candidates)> {
    (0..HEADS.len() / 12).map(head)
}

/// The rows of a mnemonic in lower case, encoding suffix removed.
pub(crate) fn lookup(mnemonic: &str) -> Option<Candidates> {
    let mut h: u32 = 0xCBF2_9CE4;
    for b in mnemonic.bytes() {
        h = (h ^ u32::from(b)).wrapping_mul(0x0100_0193);
    }
    h ^= h >> 15;
    let size = SLOTS.len() / 2;
    let mut slot = h as usize & (size - 1);
    for _ in 0..size {
        let i = u16_at(SLOTS, slot * 2);
        if i == 0xFFFF {
            return None;
        }
        let (name, rows) = head(i.into());
        if name == mnemonic {
            return Some(rows);
        }
        slot = (slot + 1) & (size - 1);
    }
    None
}

/// Bytes of an entry of [`RENAMES`].
const RENAME: usize = 14;

/// A spelling, the mnemonic that it stands for, and where it does.
fn rename(index: usize) -> (&'static str, &'static str, u16) {
    let at = index * RENAME;
    (
        text(u32_at(RENAMES, at), u16_at(RENAMES, at + 4).into()),
        text(u32_at(RENAMES, at + 6), u16_at(RENAMES, at + 10).into()),
        u16_at(RENAMES, at + 12),
    )
}

/// Spellings that stand for another mnemonic, and where they do.
pub(crate) fn other_spellings() -> impl Iterator<Item = (&'static str, u16)> {
    (0..RENAMES.len() / RENAME).map(rename).map(|(spelling, _, avail)| (spelling, avail))
}

/// Other spellings of `mnemonic`: the one to use, where it holds.
pub(crate) fn renames(mnemonic: &str) -> impl Iterator<Item = (&'static str, u16)> {
    let n = RENAMES.len() / RENAME;
    let (mut lo, mut hi) = (0, n);
    while lo < hi {
        let mid = (lo + hi) / 2;
        if rename(mid).0 < mnemonic { lo = mid + 1 } else { hi = mid }
    }
    (lo..n)
        .map(rename)
        .take_while(move |e| e.0 == mnemonic)
        .map(|e| (e.1, e.2))
        .collect::<Vec<_>>()
        .into_iter()
}
