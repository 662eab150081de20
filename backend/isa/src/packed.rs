//! Assembled instructions as a program keeps them: a word for each operand, where [`Inst`] has room for those of any row.

use std::ops::Deref;

use crate::{
    assemble::Encoded,
    inst::{Inst, MAX_OPERANDS, MachineOperand, RowId},
    register::{Half, Reg, RegFile},
    traits::Traits,
};

/// An [`Encoded`] in as few bytes as it needs. Operands that are asked for are unpacked one by one.
#[derive(Clone, Debug, PartialEq)]
pub struct Packed {
    /// The operands; the numbers that need a word of their own; the bytes.
    words: Box<[u64]>,
    literals: u32,
    row: RowId,
    /// How many bytes.
    size: u8,
    /// See [`Encoded::unknown`].
    pub unknown: bool,
}

/// Bytes of one instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    bytes: [u8; 24],
    size: u8,
}

impl Deref for Code {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.size)).unwrap_or(&self.bytes)
    }
}

// The low bits of a word say what it is.
const NONE: u64 = 0;
const SYMBOL: u64 = 1;
const NUMBER: u64 = 2;
/// A number of more than 61 bits, which is in the word of this index.
const LONG_NUMBER: u64 = 3;
const REGISTER: u64 = 4;
const KIND_BITS: u32 = 3;

const FILES: [RegFile; 5] = [RegFile::Vgpr, RegFile::Agpr, RegFile::Sgpr, RegFile::Ttmp, RegFile::Special];
const HALVES: [Half; 3] = [Half::Full, Half::Lo, Half::Hi];

fn pack_register(reg: Reg) -> u64 {
    let file = FILES.iter().position(|f| *f == reg.file).unwrap_or(0) as u64;
    let half = HALVES.iter().position(|h| *h == reg.half).unwrap_or(0) as u64;
    file | half << 8 | u64::from(reg.dwords) << 16 | u64::from(reg.index) << 24
}

fn unpack_register(bits: u64) -> Reg {
    Reg {
        file: FILES.get((bits & 0xFF) as usize).copied().unwrap_or(RegFile::Vgpr),
        half: HALVES.get((bits >> 8 & 0xFF) as usize).copied().unwrap_or_default(),
        dwords: (bits >> 16) as u8,
        index: (bits >> 24) as u16,
    }
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
        let mut words = Vec::with_capacity(operands.len() + bytes.len().div_ceil(8));
        let mut long = Vec::new();
        for operand in operands {
            words.push(match *operand {
                MachineOperand::None => NONE,
                MachineOperand::Symbol(index) => SYMBOL | u64::from(index) << KIND_BITS,
                MachineOperand::Imm(value) if value << KIND_BITS >> KIND_BITS == value => {
                    NUMBER | (value << KIND_BITS) as u64
                }
                MachineOperand::Imm(value) => {
                    long.push(value as u64);
                    LONG_NUMBER | ((operands.len() + long.len() - 1) as u64) << KIND_BITS
                }
                MachineOperand::Reg(reg) => REGISTER | pack_register(reg) << KIND_BITS,
            });
        }
        words.append(&mut long);
        for part in bytes.chunks(8) {
            let mut word = [0; 8];
            word.iter_mut().zip(part).for_each(|(to, from)| *to = *from);
            words.push(u64::from_le_bytes(word));
        }
        Packed {
            words: words.into_boxed_slice(),
            literals: inst.literals,
            row: inst.row,
            size: bytes.len() as u8,
            unknown,
        }
    }

    fn operand_at(&self, index: usize) -> MachineOperand {
        let word = self.words.get(index).copied().unwrap_or(NONE);
        let value = word >> KIND_BITS;
        match word & ((1 << KIND_BITS) - 1) {
            SYMBOL => MachineOperand::Symbol(value as u8),
            NUMBER => MachineOperand::Imm(word as i64 >> KIND_BITS),
            LONG_NUMBER => MachineOperand::Imm(self.words.get(value as usize).copied().unwrap_or(0) as i64),
            REGISTER => MachineOperand::Reg(unpack_register(value)),
            _ => MachineOperand::None,
        }
    }

    /// The instruction with room for all operands.
    pub fn inst(&self) -> Inst {
        let mut inst = Inst::new(self.row.number());
        for (index, operand) in inst.ops.iter_mut().enumerate().take(self.operands().min(MAX_OPERANDS)) {
            *operand = self.operand_at(index);
        }
        inst.literals = self.literals;
        inst
    }

    /// 4 to 20 bytes, little endian. Bytes under a fixup are zero until something writes them.
    pub fn bytes(&self) -> Code {
        let mut code = Code { bytes: [0; 24], size: self.size };
        let first = self.words.len().saturating_sub(usize::from(self.size).div_ceil(8));
        for (to, from) in code.bytes.chunks_mut(8).zip(self.words.get(first..).unwrap_or(&[])) {
            to.copy_from_slice(&from.to_le_bytes());
        }
        code
    }

    /// Writes what a fixup waited for into the bytes, at an offset from the start of the instruction.
    pub fn patch(&mut self, offset: usize, value: &[u8]) {
        let first = self.words.len().saturating_sub(usize::from(self.size).div_ceil(8));
        for (at, byte) in (offset..usize::from(self.size)).zip(value) {
            if let Some(word) = self.words.get_mut(first + at / 8) {
                let shift = 8 * (at % 8);
                *word = *word & !(0xFF << shift) | u64::from(*byte) << shift;
            }
        }
    }

    fn operands(&self) -> usize {
        self.row.row().operands()
    }

    /// The instruction's row in the table.
    pub fn row(&self) -> RowId {
        self.row
    }

    /// See [`Inst::mnemonic`].
    pub fn mnemonic(&self) -> &'static str {
        self.row.row().mnemonic()
    }

    /// See [`Inst::traits`].
    pub fn traits(&self) -> Traits {
        self.row.traits()
    }

    /// See [`Inst::operand_name`].
    pub fn operand_name(&self, i: usize) -> &'static str {
        self.row.operand_name(i)
    }

    /// See [`Inst::operand`].
    pub(crate) fn operand(&self, name: &str) -> Option<MachineOperand> {
        Some(self.operand_at(self.row.operand_index(name)?))
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
