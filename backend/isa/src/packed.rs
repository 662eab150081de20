//! Assembled instructions as a program keeps them: a word of 32 bits for each operand, where [`Inst`] has room for those of any row.

use std::ops::Deref;

use crate::{
    assemble::Encoded,
    inst::{Inst, MAX_OPERANDS, MachineOperand, RowId},
    register::Reg,
    traits::Traits,
};

/// An [`Encoded`] in as few bytes as it needs. Operands that are asked for are unpacked one by one.
#[derive(Clone, Debug, PartialEq)]
pub struct Packed(Words);

/// The bytes; a word for each operand; the numbers that need words of their own; [`Inst::literals`], if there are any. Zeros at the
/// end are left out.
#[derive(Clone, Debug, PartialEq)]
enum Words {
    /// Of most instructions: without an allocation. Zeros follow.
    Few {
        row: RowId,
        size: u8,
        words: [u32; FEW],
    },
    Many {
        row: RowId,
        size: u8,
        words: Box<[u32]>,
    },
}

/// As many as fit where the other variant has a pointer and a length.
const FEW: usize = 5;

// Flags in the byte that says how many bytes there are.
/// See [`Encoded::unknown`].
const UNKNOWN: u8 = 0x80;
const HAS_LITERALS: u8 = 0x40;
const SIZE: u8 = 0x3F;

/// Of the longest instruction.
const MAX_DWORDS: usize = 6;

/// Bytes of one instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    bytes: [u8; 4 * MAX_DWORDS],
    size: u8,
}

impl Deref for Code {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.size)).unwrap_or(&self.bytes)
    }
}

// The low bits of a word say what it is.
/// 0 as a word is the number 0, which the last operands of most instructions are: those are left out.
const NUMBER: u32 = 0;
const SYMBOL: u32 = 1;
const NONE: u32 = 2;
/// A number of more than 29 bits, which is in the words from this index on.
const LONG_NUMBER: u32 = 3;
const REGISTER: u32 = 4;
const KIND_BITS: u32 = 3;

/// A number as one word, if it fits.
fn short_number(value: i64) -> Option<u32> {
    let short = (value as i32) << KIND_BITS;
    (i64::from(short >> KIND_BITS) == value).then_some(NUMBER | short as u32)
}

impl Packed {
    /// Packs an encoded instruction.
    pub fn new(encoded: &Encoded) -> Packed {
        Packed::of(&encoded.inst, encoded.bytes(), encoded.unknown)
    }

    /// Of an instruction that was decoded from these bytes.
    pub fn decoded(inst: &Inst, bytes: &[u8]) -> Packed {
        Packed::of(inst, bytes, false)
    }

    fn of(inst: &Inst, bytes: &[u8], unknown: bool) -> Packed {
        let operands = inst.operands();
        let mut words = [0; MAX_DWORDS + 3 * MAX_OPERANDS + 1];
        for (word, part) in words.iter_mut().zip(bytes.chunks(4)) {
            let mut dword = [0; 4];
            dword.iter_mut().zip(part).for_each(|(to, from)| *to = *from);
            *word = u32::from_le_bytes(dword);
        }
        let first = bytes.len().div_ceil(4);
        let mut len = first + operands.len();
        for (at, operand) in (first..).zip(operands) {
            words[at] = match *operand {
                MachineOperand::None => NONE,
                MachineOperand::Symbol(index) => SYMBOL | u32::from(index) << KIND_BITS,
                MachineOperand::Imm(value) => short_number(value).unwrap_or_else(|| {
                    (words[len], words[len + 1]) = (value as u32, (value >> 32) as u32);
                    len += 2;
                    LONG_NUMBER | (len as u32 - 2) << KIND_BITS
                }),
                MachineOperand::Reg(reg) => REGISTER | reg.pack() << KIND_BITS,
            };
        }
        let plain = first + operands.len();
        if len == plain && inst.literals == 0 {
            len -= words[first..plain].iter().rev().take_while(|word| **word == NUMBER).count();
        }
        let mut size = bytes.len() as u8 | if unknown { UNKNOWN } else { 0 };
        if inst.literals != 0 {
            (words[len], size) = (inst.literals, size | HAS_LITERALS);
            len += 1;
        }
        let row = inst.row;
        let mut few = [0; FEW];
        Packed(match few.get_mut(..len) {
            Some(to) => {
                to.copy_from_slice(&words[..len]);
                Words::Few { row, size, words: few }
            }
            None => Words::Many { row, size, words: words[..len].into() },
        })
    }

    /// How many bytes, and flags.
    fn size_and_flags(&self) -> u8 {
        match &self.0 {
            Words::Few { size, .. } | Words::Many { size, .. } => *size,
        }
    }

    fn words(&self) -> &[u32] {
        match &self.0 {
            Words::Few { words, .. } => words,
            Words::Many { words, .. } => words,
        }
    }

    fn words_mut(&mut self) -> &mut [u32] {
        match &mut self.0 {
            Words::Few { words, .. } => words,
            Words::Many { words, .. } => words,
        }
    }

    fn word(&self, index: usize) -> u32 {
        self.words().get(index).copied().unwrap_or(NUMBER)
    }

    /// How many bytes.
    fn size(&self) -> usize {
        usize::from(self.size_and_flags() & SIZE)
    }

    /// See [`Encoded::unknown`].
    pub fn unknown(&self) -> bool {
        self.size_and_flags() & UNKNOWN != 0
    }

    fn literals(&self) -> u32 {
        if self.size_and_flags() & HAS_LITERALS == 0 {
            return 0;
        }
        // They follow the operands and the long numbers.
        let first = self.size().div_ceil(4);
        let operands = self.words().get(first..first + self.operands()).unwrap_or(&[]);
        let is_long = |word: &&u32| **word & ((1 << KIND_BITS) - 1) == LONG_NUMBER;
        self.word(first + operands.len() + 2 * operands.iter().filter(is_long).count())
    }

    fn operand_at(&self, index: usize) -> MachineOperand {
        let word = self.word(self.size().div_ceil(4) + index);
        let value = word >> KIND_BITS;
        match word & ((1 << KIND_BITS) - 1) {
            SYMBOL => MachineOperand::Symbol(value as u8),
            NUMBER => MachineOperand::Imm(i64::from(word as i32 >> KIND_BITS)),
            LONG_NUMBER => {
                let (low, high) = (self.word(value as usize), self.word(value as usize + 1));
                MachineOperand::Imm((u64::from(high) << 32 | u64::from(low)) as i64)
            }
            REGISTER => MachineOperand::Reg(Reg::unpack(value)),
            _ => MachineOperand::None,
        }
    }

    /// The instruction with room for all operands.
    pub fn inst(&self) -> Inst {
        let mut inst = Inst::new(self.row().number());
        for (index, operand) in inst.ops.iter_mut().enumerate().take(self.operands().min(MAX_OPERANDS)) {
            *operand = self.operand_at(index);
        }
        inst.literals = self.literals();
        inst
    }

    /// 4 to 20 bytes, little endian. Bytes under a fixup are zero until something writes them.
    pub fn bytes(&self) -> Code {
        let mut code = Code { bytes: [0; 4 * MAX_DWORDS], size: self.size() as u8 };
        for (to, from) in code.bytes.chunks_mut(4).zip(self.words()) {
            to.copy_from_slice(&from.to_le_bytes());
        }
        code
    }

    /// Writes what a fixup waited for into the bytes, at an offset from the start of the instruction.
    pub fn patch(&mut self, offset: usize, value: &[u8]) {
        for (at, byte) in (offset..self.size()).zip(value) {
            if let Some(word) = self.words_mut().get_mut(at / 4) {
                let shift = 8 * (at % 4);
                *word = *word & !(0xFF << shift) | u32::from(*byte) << shift;
            }
        }
    }

    fn operands(&self) -> usize {
        self.row().row().operands()
    }

    /// The instruction's row in the table.
    pub fn row(&self) -> RowId {
        match &self.0 {
            Words::Few { row, .. } | Words::Many { row, .. } => *row,
        }
    }

    /// See [`Inst::mnemonic`].
    pub fn mnemonic(&self) -> &'static str {
        self.row().row().mnemonic()
    }

    /// See [`Inst::traits`].
    pub fn traits(&self) -> Traits {
        self.row().traits()
    }

    /// See [`Inst::operand_name`].
    pub fn operand_name(&self, i: usize) -> &'static str {
        self.row().operand_name(i)
    }

    /// See [`Inst::operand`].
    pub(crate) fn operand(&self, name: &str) -> Option<MachineOperand> {
        Some(self.operand_at(self.row().operand_index(name)?))
    }

    /// See [`Inst::number`].
    pub fn number(&self, name: &str) -> Option<i64> {
        match self.operand(name)? {
            MachineOperand::Imm(value) => Some(value),
            _ => None,
        }
    }

    /// See [`Inst::register`].
    pub fn register(&self, name: &str) -> Option<Reg> {
        match self.operand(name)? {
            MachineOperand::Reg(reg) => Some(reg),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Packed;
    use crate::{MachineOperand, Target, decode};

    /// What random words decode to comes back as it was.
    fn check(name: &str) {
        let target = Target::named(name).expect("a known processor");
        let mut count = 0;
        let mut random = 1u64;
        for _ in 0..40_000 {
            let mut next = || {
                random =
                    random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (random >> 16) as u32
            };
            let bytes: Vec<u8> = (0..5).flat_map(|_| next().to_le_bytes()).collect();
            let Some(decoded) = decode(target, &bytes) else { continue };
            let bytes = &bytes[..decoded.len];
            let packed = Packed::of(&decoded.inst, bytes, false);
            assert_eq!(packed.inst(), decoded.inst);
            assert_eq!(&*packed.bytes(), bytes);
            assert_eq!(packed.number("simm16"), decoded.inst.number("simm16"));
            let written = match decoded.inst.operand("vdst") {
                Some(MachineOperand::Reg(register)) => Some(register),
                _ => None,
            };
            assert_eq!(packed.register("vdst"), written);
            count += 1;
        }
        assert!(count > 1000, "{count}");
    }

    #[test]
    fn nothing_is_lost() {
        check("gfx942");
        check("gfx1250");
    }

    #[test]
    fn an_instruction_takes_few_bytes() {
        assert!(size_of::<Packed>() <= 24);
    }
}
