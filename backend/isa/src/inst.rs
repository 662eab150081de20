//! A matched or decoded instruction.

use crate::tables::{Row, kind::Ty};
use crate::{literal, register::Reg, target::Target};

/// A row of the instruction table: one instruction in one encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RowId(pub(crate) u16);

impl RowId {
    /// Its place in the table: the same for equal instructions, whatever their operands.
    pub fn number(self) -> u16 {
        self.0
    }

    pub(crate) fn row(self) -> Row {
        Row::new(self.0)
    }

    pub(crate) fn operand_name(self, i: usize) -> &'static str {
        crate::tables::NAMES.get(usize::from(self.row().name(i))).copied().unwrap_or("")
    }

    /// The place of the operand of a name.
    pub(crate) fn operand_index(self, name: &str) -> Option<usize> {
        (0..self.row().operands()).find(|i| self.operand_name(*i) == name)
    }
}

/// Most operands that a row has.
pub(crate) const MAX_OPERANDS: usize = 30;

/// One operand in the order of the row.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum MachineOperand {
    /// Not given, and not a number: `off` of an export.
    #[default]
    None,
    /// A register.
    Reg(Reg),
    /// A number as stored: inline constants and literals by value, modifiers by code.
    Imm(i64),
    /// Waits for a symbol: index of the operand as written.
    Symbol(u8),
}

/// A matched instruction: its row and the operands in the order of the row, defaults filled in.
#[derive(Clone, Copy, PartialEq)]
pub struct Inst {
    pub(crate) row: RowId,
    pub(crate) ops: [MachineOperand; MAX_OPERANDS],
    /// Numbers that are literals even where an inline constant would do (`lit(1.0)`), a bit for each operand.
    pub(crate) literals: u32,
    /// Those of them that have 32 bits although the operand has 64: LLVM 24's `lit(1.0)`, not `lit64(1.0)`.
    pub(crate) short_literals: u32,
}

impl std::fmt::Debug for Inst {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Inst")
            .field("mnemonic", &self.mnemonic())
            .field("operands", &self.operands())
            .finish()
    }
}

impl Inst {
    pub(crate) fn new(row: u16) -> Inst {
        Inst { row: RowId(row), ops: [MachineOperand::None; MAX_OPERANDS], literals: 0, short_literals: 0 }
    }

    /// The mnemonic without encoding suffix.
    pub fn mnemonic(&self) -> &'static str {
        self.row.row().mnemonic()
    }

    /// LLVM's scheduling class, such as `WriteVMEM` or `Write64Bit`: a hint of latency and rate.
    pub fn schedule_class(&self) -> &'static str {
        self.row.row().sched()
    }

    /// Size in bytes without literals and extra address registers.
    pub fn size(&self) -> usize {
        self.row.row().size()
    }

    /// Operands in the order of the instruction table, results first.
    pub fn operands(&self) -> &[MachineOperand] {
        self.ops.get(..self.row.row().operands()).unwrap_or(&self.ops)
    }

    /// The name of operand `i` in the instruction table, such as `vdst`.
    pub fn operand_name(&self, i: usize) -> &'static str {
        self.row.operand_name(i)
    }

    /// The type that operand `i` has as a number, such as `f32` or `v2i16`; `None` for operands that are not sources.
    pub fn operand_type(&self, i: usize) -> Option<&'static str> {
        Some(self.row.row().kind(i).optype.src()?.name())
    }

    /// Pairs of operands that are one register.
    pub fn ties(&self) -> impl Iterator<Item = (usize, usize)> {
        self.row.row().ties()
    }

    pub(crate) fn is_forced(&self, i: usize) -> bool {
        self.literals >> i.min(31) & 1 == 1
    }

    /// Makes the number at `i` a literal whatever it is.
    pub(crate) fn force(&mut self, i: usize, short: bool) {
        self.literals |= 1 << i.min(31);
        self.short_literals |= u32::from(short) << i.min(31);
    }

    /// The selector of the forced literal at `i`.
    pub(crate) fn forced_code(&self, i: usize, ty: Ty, t: Target) -> u16 {
        let is_short = self.short_literals >> i.min(31) & 1 == 1;
        if is_short { literal::LITERAL } else { literal::forced_code(ty, t) }
    }

    pub(crate) fn named(&self, name: u16) -> Option<MachineOperand> {
        self.row.row().find(name).map(|i| self.ops[i.min(MAX_OPERANDS - 1)])
    }

    /// The number in a named operand; 0 when there is none.
    pub(crate) fn imm(&self, name: u16) -> i64 {
        match self.named(name) {
            Some(MachineOperand::Imm(v)) => v,
            _ => 0,
        }
    }

    pub(crate) fn reg(&self, name: u16) -> Option<Reg> {
        match self.named(name) {
            Some(MachineOperand::Reg(r)) => Some(r),
            _ => None,
        }
    }
}
