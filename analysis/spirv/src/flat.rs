//! A chunk's instructions as the text gives them: operands typed by the grammar, names not yet ids of the module.

use std::ops::{Deref, DerefMut};

use smol_str::SmolStr;
use wavelens_syntax::spirv::tables::{Kind, Op};

/// No id: where an instruction has no type or no result.
pub const NONE: u32 = u32::MAX;

/// Could not be understood; a diagnostic says so. Rules pass over it and what it defines.
pub const BROKEN: u8 = 1;
/// Some operands wait for the module: typed literals, instructions of extended sets.
pub(crate) const DEFERRED: u8 = 2;
/// Words were injected with `!`: the grammar knows nothing of the operands.
pub(crate) const RAW: u8 = 4;
/// The last operand may be missing or repeated: the assembler looked at what follows.
pub(crate) const OPEN_END: u8 = 8;
/// A type that is made of one defined later, so perhaps of itself. Rules look at it, and not through it.
pub(crate) const FORWARD: u8 = 16;
/// A string without an end took what follows it: what is defined there is not known.
pub(crate) const OPEN_STRING: u8 = 32;

/// One instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlatInst {
    /// The opcode.
    pub op: Op,
    pub(crate) flags: u8,
    /// Index of the first operand in [`Flat::operands`].
    pub first: u32,
    /// How many operands.
    pub count: u32,
    /// Local name of the result type, or [`NONE`].
    pub ty: u32,
    /// Local name of the result, or [`NONE`].
    pub result: u32,
}

/// What an operand's value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A local name.
    Id,
    /// A word.
    Word,
    /// An index in [`Flat::strings`]: a string without quotes and escapes, or a token that waits for the module.
    Text,
}

/// An operand as written. There may be millions: packed, one takes 6 bytes instead of 8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(Rust, packed(2))]
pub struct FlatOperand {
    /// What the grammar expects there.
    pub kind: Kind,
    /// How it is written.
    pub form: Form,
    /// By its form: a number, or an index.
    pub value: u32,
}

/// A name mentioned in a chunk; its index is the local name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Name {
    /// Where its text starts in [`Names::texts`].
    start: u32,
    /// Equal for equal names in every chunk; numbers written differently (`%5`, `%0x5`) are one name.
    pub hash: u64,
    /// Index of the instruction that defines it here, or [`NONE`].
    pub def: u32,
}

/// The names of a chunk, with their texts in one piece: there may be millions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    all: Vec<Name>,
    texts: String,
}

impl Names {
    pub(crate) fn with_capacity(names: usize) -> Names {
        // Names have some six characters.
        Names { all: Vec::with_capacity(names), texts: String::with_capacity(6 * names) }
    }

    /// Appends a name that nothing defines yet, and returns its index.
    pub(crate) fn push(&mut self, text: &str, hash: u64) -> u32 {
        self.all.push(Name { start: self.texts.len() as u32, hash, def: NONE });
        self.texts.push_str(text);
        self.all.len() as u32 - 1
    }

    /// The text of a name, without `%`; empty without one.
    pub fn text(&self, index: u32) -> &str {
        self.texts.get(self.start(index)..self.start(index.saturating_add(1))).unwrap_or_default()
    }

    /// Whether a name's text starts with a digit.
    pub fn starts_with_digit(&self, index: u32) -> bool {
        self.texts.as_bytes().get(self.start(index)).is_some_and(u8::is_ascii_digit)
    }

    /// Where a name's text starts; the end of all texts without one.
    fn start(&self, index: u32) -> usize {
        self.all.get(index as usize).map_or(self.texts.len(), |name| name.start as usize)
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.all.shrink_to_fit();
        self.texts.shrink_to_fit();
    }
}

impl Deref for Names {
    type Target = [Name];

    fn deref(&self) -> &[Name] {
        &self.all
    }
}

impl DerefMut for Names {
    fn deref_mut(&mut self) -> &mut [Name] {
        &mut self.all
    }
}

/// All of a chunk but its ranges.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Flat {
    /// In the order of the text.
    pub insts: Vec<FlatInst>,
    /// Of all instructions.
    pub operands: Vec<FlatOperand>,
    /// Ids by name.
    pub names: Names,
    pub(crate) strings: Vec<SmolStr>,
}

impl Flat {
    /// The operands of an instruction.
    pub fn operands_of(&self, inst: &FlatInst) -> &[FlatOperand] {
        self.operands.get(inst.first as usize..(inst.first + inst.count) as usize).unwrap_or(&[])
    }

    pub(crate) fn string(&self, index: u32) -> &str {
        self.strings.get(index as usize).map_or("", SmolStr::as_str)
    }

    /// The text of an id without `%`.
    pub fn name(&self, index: u32) -> &str {
        self.names.text(index)
    }

    /// A chunk that starts with OpFunction keeps what is in it to itself.
    pub fn is_function(&self) -> bool {
        self.insts.first().is_some_and(|i| i.op == Op::Function && i.flags & BROKEN == 0)
    }

    /// Whether it is a function, and no other one follows.
    pub fn is_only_function(&self) -> bool {
        self.is_function() && !self.insts.iter().skip(1).any(|i| i.op == Op::Function)
    }
}

/// A map keyed by hashes that are good already.
pub(crate) type HashedMap<V> = std::collections::HashMap<u64, V, PassThrough>;

/// Uses a 64-bit hash as it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PassThrough;

impl std::hash::BuildHasher for PassThrough {
    type Hasher = PassHasher;

    fn build_hasher(&self) -> PassHasher {
        PassHasher(0)
    }
}

/// A hasher for keys that are hashes already.
#[derive(Debug, Default)]
pub struct PassHasher(u64);

impl std::hash::Hasher for PassHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for b in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*b);
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

fn mix(a: u64, b: u64) -> u64 {
    let wide = u128::from(a) * u128::from(b);
    (wide as u64) ^ (wide >> 64) as u64
}

fn hash_bytes(bytes: &[u8]) -> u64 {
    let mut hash = 0x9e37_79b9_7f4a_7c15 ^ bytes.len() as u64;
    let (words, rest) = bytes.as_chunks::<8>();
    for word in words {
        hash = mix(hash ^ u64::from_le_bytes(*word), 0xa076_1d64_78bd_642f);
    }
    mix(hash ^ number(rest), 0xe703_7ed1_a0b4_28db) ^ hash.rotate_right(23)
}

/// Up to seven bytes as a number.
fn number(bytes: &[u8]) -> u64 {
    let half = |bytes: &[u8; 4]| u64::from(u32::from_le_bytes(*bytes));
    match (bytes.first_chunk(), bytes.last_chunk()) {
        // The halves overlap, where both have the same bits.
        (Some(first), Some(last)) => half(first) | half(last) << (8 * (bytes.len() - 4)),
        _ => bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)),
    }
}

/// Hash of a name without `%`.
pub fn hash_name(name: &str) -> u64 {
    match name.as_bytes() {
        // The plain decimal number, which needs no reading.
        [b'1'..=b'9', ..] | [b'0'] | [] => hash_bytes(name.as_bytes()),
        [b'0', ..] => match super::literal::parse_u32(name) {
            Some(number) => hash_bytes(number.to_string().as_bytes()),
            None => hash_bytes(name.as_bytes()),
        },
        bytes => hash_bytes(bytes),
    }
}

/// Gives names of a chunk their local index.
#[derive(Debug)]
pub(crate) struct Interner {
    /// Open addressing by the low bits of hashes: local names, and [`NONE`] in at least a third of the slots. A map of the standard library
    /// takes twice as long for so few names.
    slots: Vec<u32>,
    pub(crate) names: Names,
}

impl Interner {
    pub(crate) fn with_capacity(names: usize) -> Self {
        let slots = vec![NONE; (names * 3 / 2).next_power_of_two()];
        Interner { slots, names: Names::with_capacity(names) }
    }

    /// The slot with a name of this hash, or the one where it is to be.
    fn slot(&self, hash: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while let Some(name) = self.slots.get(at).and_then(|name| self.names.get(*name as usize))
            && name.hash != hash
        {
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self) {
        self.slots = vec![NONE; 2 * self.slots.len()];
        for index in 0..self.names.len() as u32 {
            let slot = self.names.get(index as usize).map_or(0, |name| self.slot(name.hash));
            if let Some(slot) = self.slots.get_mut(slot) {
                *slot = index;
            }
        }
    }

    /// The local name of a text; `None` if it is not known and not valid. What is known was found valid before.
    pub(crate) fn intern_if(&mut self, text: &str, is_valid: impl Fn(&str) -> bool) -> Option<u32> {
        let hash = hash_name(text);
        let slot = self.slot(hash);
        let slot = self.slots.get_mut(slot)?;
        if *slot == NONE && is_valid(text) {
            *slot = self.names.push(text, hash);
            let new = *slot;
            if 3 * self.names.len() > 2 * self.slots.len() {
                self.grow();
            }
            return Some(new);
        }
        Some(*slot).filter(|name| *name != NONE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_their_index_while_the_table_grows() {
        let mut interner = Interner::with_capacity(0);
        for round in 0..2 {
            for index in 0..1000u32 {
                let name = format!("name{index}");
                let known = interner.intern_if(&name, |_| round == 0);
                assert_eq!(known, Some(index), "{name}");
            }
        }
        assert_eq!(interner.intern_if("a-b", |_| false), None);
        assert_eq!(interner.intern_if("0x5", |_| true), interner.intern_if("5", |_| true));
        assert_eq!(interner.names.len(), 1001);
        assert_eq!(interner.names.text(1000), "0x5");
    }
}
