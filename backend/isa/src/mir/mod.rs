//! What code generators know of their machines and Machine IR can name: opcodes with operand descriptors, physical
//! registers, register classes and banks, subregister indices, register masks, target flags.
//!
//! The tables come from the target descriptions of LLVM 22 (Apache-2.0 WITH LLVM-exception), made by `cargo xtask tables`. They are
//! read in place: nothing is built at start-up. Besides AMDGPU they cover the targets of most Machine IR files; checkers stay
//! quiet for targets without tables.

mod newer;
#[allow(missing_docs, reason = "LLVM's own names")]
pub mod opcode;
mod table;

use std::collections::HashMap;
use std::sync::OnceLock;

pub use newer::{
    has_newer_operands, is_newer_memory_flag, is_newer_opcode, is_newer_register, is_newly_allocatable,
    is_removed_register,
};
pub use table::Tables;

/// The targets that have tables.
#[allow(missing_docs, reason = "LLVM's names of targets")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Machine {
    Amdgpu,
    X86,
    Aarch64,
    Arm,
    Avr,
    Hexagon,
    Loongarch64,
    M68k,
    Mips,
    Nvptx,
    Powerpc,
    Riscv32,
    Riscv64,
    Systemz,
    Wasm,
}

impl Machine {
    /// All of them, in the order of the tables.
    pub const ALL: [Machine; 15] = [
        Machine::Amdgpu,
        Machine::X86,
        Machine::Aarch64,
        Machine::Arm,
        Machine::Avr,
        Machine::Hexagon,
        Machine::Loongarch64,
        Machine::M68k,
        Machine::Mips,
        Machine::Nvptx,
        Machine::Powerpc,
        Machine::Riscv32,
        Machine::Riscv64,
        Machine::Systemz,
        Machine::Wasm,
    ];

    /// From a target triple; `None` for targets without tables.
    pub fn from_triple(triple: &str) -> Option<Machine> {
        match triple.split('-').next().unwrap_or("") {
            _ if crate::is_amdgpu(triple) => Some(Machine::Amdgpu),
            "x86_64" | "x86_64h" | "amd64" => Some(Machine::X86),
            "i386" | "i486" | "i586" | "i686" | "i786" | "i886" | "i986" => Some(Machine::X86),
            "avr" => Some(Machine::Avr),
            "hexagon" => Some(Machine::Hexagon),
            "loongarch64" => Some(Machine::Loongarch64),
            "m68k" => Some(Machine::M68k),
            "nvptx" | "nvptx64" => Some(Machine::Nvptx),
            "riscv32" => Some(Machine::Riscv32),
            "riscv64" => Some(Machine::Riscv64),
            "s390x" | "systemz" => Some(Machine::Systemz),
            "wasm32" | "wasm64" => Some(Machine::Wasm),
            arch if arch.starts_with("aarch64") || arch.starts_with("arm64") => Some(Machine::Aarch64),
            arch if arch.starts_with("arm") || arch.starts_with("thumb") => Some(Machine::Arm),
            arch if arch.starts_with("mips") => Some(Machine::Mips),
            arch if arch.starts_with("powerpc") || arch.starts_with("ppc") => Some(Machine::Powerpc),
            _ => None,
        }
    }

    /// Whether the data layout and the DWARF register numbers of the table hold for all processors. Other machines have those of
    /// their baseline processor in the table.
    pub fn is_uniform(self) -> bool {
        matches!(self, Machine::Amdgpu | Machine::X86 | Machine::Aarch64)
    }

    /// The pointers of the data layout for a triple, where the width in the table may be another one.
    pub fn addresses(self, triple: &str) -> Option<&'static str> {
        let arch = triple.split('-').next().unwrap_or("");
        match self {
            _ if self.is_uniform() => None,
            Machine::Avr => Some("p:16:8"),
            Machine::M68k => Some("p:32:16:32"),
            Machine::Systemz => Some("p:64:64"),
            _ if arch.contains("64") => Some("p:64:64"),
            _ => Some("p:32:32"),
        }
    }

    /// Whether a triple has 32-bit addresses on a 64-bit machine, such as x32: the pointer register classes of the tables do not
    /// apply then.
    pub fn has_short_pointers(triple: &str) -> bool {
        let arch = triple.split('-').next().unwrap_or("");
        triple.ends_with("x32") || arch.ends_with("64_32") || (arch.starts_with('i') && arch.ends_with("86"))
    }

    /// Whether the pointer register classes of the tables hold for a triple. Those of PowerPC are the classes of 64-bit processors.
    pub fn has_pointer_classes(self, triple: &str) -> bool {
        match self {
            Machine::Powerpc => self.addresses(triple) == Some("p:64:64"),
            _ => self.is_uniform() && !Machine::has_short_pointers(triple),
        }
    }

    /// The machine's tables, read on first use.
    pub fn tables(self) -> &'static Tables {
        static TABLES: [OnceLock<Tables>; Machine::ALL.len()] =
            [const { OnceLock::new() }; Machine::ALL.len()];
        TABLES[self as usize].get_or_init(|| Tables::new(self.data()))
    }

    fn data(self) -> &'static [u8] {
        match self {
            Machine::Amdgpu => include_bytes!("tables/amdgpu.bin"),
            Machine::X86 => include_bytes!("tables/x86.bin"),
            Machine::Aarch64 => include_bytes!("tables/aarch64.bin"),
            Machine::Arm => include_bytes!("tables/arm.bin"),
            Machine::Avr => include_bytes!("tables/avr.bin"),
            Machine::Hexagon => include_bytes!("tables/hexagon.bin"),
            Machine::Loongarch64 => include_bytes!("tables/loongarch64.bin"),
            Machine::M68k => include_bytes!("tables/m68k.bin"),
            Machine::Mips => include_bytes!("tables/mips.bin"),
            Machine::Nvptx => include_bytes!("tables/nvptx.bin"),
            Machine::Powerpc => include_bytes!("tables/powerpc.bin"),
            Machine::Riscv32 => include_bytes!("tables/riscv32.bin"),
            Machine::Riscv64 => include_bytes!("tables/riscv64.bin"),
            Machine::Systemz => include_bytes!("tables/systemz.bin"),
            Machine::Wasm => include_bytes!("tables/wasm.bin"),
        }
    }
}

/// An opcode of one machine: its place in the sorted table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Opcode(pub(crate) u16);

/// A physical register of one machine; 0 is `$noreg`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Register(pub u16);

impl Register {
    /// `$noreg`
    pub const NONE: Register = Register(0);
}

/// A register class of one machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Class(pub u16);

/// A subregister index of one machine; 0 is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SubIndex(pub u16);

/// A register bank of one machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bank {
    /// LLVM's name, such as `VGPR`.
    pub name: String,
    /// Widest value it holds, in bits.
    pub size: u32,
}

/// What an opcode expects in one explicit operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OperandDesc {
    /// A class number, or, with [`OperandDesc::by_mode`], an index into the processor's table; negative for none.
    class: i16,
    flags: u8,
    /// See the constants of [`operand_kind`].
    pub kind: u8,
    /// The definition that this use must be tied to.
    pub tied: Option<u8>,
    pub(crate) early_clobber: bool,
}

/// Values of [`OperandDesc::kind`].
pub mod operand_kind {
    /// Nothing is known.
    pub const UNKNOWN: u8 = 0;
    /// A number.
    pub const IMMEDIATE: u8 = 1;
    /// A register.
    pub const REGISTER: u8 = 2;
    /// A branch target.
    pub const PC_RELATIVE: u8 = 4;
    /// Type index `kind - GENERIC` of a generic opcode, up to [`GENERIC_LAST`].
    pub(crate) const GENERIC: u8 = 6;
    pub(crate) const GENERIC_LAST: u8 = 11;
    /// A number of a generic opcode.
    pub const GENERIC_IMMEDIATE: u8 = 12;
}

impl OperandDesc {
    /// The number of the type that a generic opcode's operand has.
    pub fn type_index(&self) -> Option<u8> {
        (operand_kind::GENERIC..=operand_kind::GENERIC_LAST)
            .contains(&self.kind)
            .then(|| self.kind - operand_kind::GENERIC)
    }

    /// Whether it is a definition that may be `$noreg`, as ARM's `cc_out`.
    pub fn is_optional_def(&self) -> bool {
        self.flags & 4 != 0
    }

    /// Whether it is not of a register class.
    pub fn has_no_class(&self) -> bool {
        self.class < 0
    }

    fn by_mode(&self) -> bool {
        self.flags & 1 != 0
    }
}

/// Bits of [`Desc::flags`], numbered as LLVM's `MCID::Flag`.
pub mod flag {
    /// Exists only before instruction selection.
    pub const PRE_ISEL: u64 = 1 << 0;
    /// Takes more operands than described.
    pub const VARIADIC: u64 = 1 << 1;
    /// Does not encode to a machine instruction.
    pub const PSEUDO: u64 = 1 << 3;
    /// Makes no code.
    pub const META: u64 = 1 << 4;
    /// Returns.
    pub const RETURN: u64 = 1 << 5;
    /// Calls.
    pub const CALL: u64 = 1 << 7;
    /// Control never goes on to the next instruction.
    pub const BARRIER: u64 = 1 << 8;
    /// Ends a block.
    pub const TERMINATOR: u64 = 1 << 9;
    /// Branches.
    pub const BRANCH: u64 = 1 << 10;
    /// Branches to an address in a register.
    pub const INDIRECT_BRANCH: u64 = 1 << 11;
    /// May read memory.
    pub const MAY_LOAD: u64 = 1 << 19;
    /// May write memory.
    pub const MAY_STORE: u64 = 1 << 20;
    /// Has effects that operands do not show.
    pub const SIDE_EFFECTS: u64 = 1 << 24;
    /// Two sources may be exchanged.
    pub const COMMUTABLE: u64 = 1 << 25;
    /// Depends on which lanes run it.
    pub const CONVERGENT: u64 = 1 << 36;
    /// Further operands are definitions.
    pub const VARIADIC_DEFS: u64 = 1 << 39;
}

/// What is known of an opcode.
#[derive(Debug, Clone, Copy)]
pub struct Desc {
    /// See [`flag`].
    pub(crate) flags: u64,
    /// The target's own flags; AMDGPU only.
    pub target_flags: u64,
    /// Leading operands that are definitions.
    pub defs: u8,
    /// The number that all targets share, see [`opcode`]; `opcode::NONE` for a target's own opcode.
    pub generic: u16,
    operands: &'static [u8],
    implicit: &'static [u8],
    names: &'static [u8],
}

impl Desc {
    /// Whether it has any of the bits of [`flag`].
    pub fn is(&self, flag: u64) -> bool {
        self.flags & flag != 0
    }

    /// How many explicit operands are described.
    pub fn operand_count(&self) -> usize {
        self.operands.len() / 6
    }

    /// What explicit operand `index` must be.
    pub fn operand(&self, index: usize) -> Option<OperandDesc> {
        let b = self.operands.get(index * 6..index * 6 + 6)?;
        Some(OperandDesc {
            class: i16::from_le_bytes([b[0], b[1]]),
            flags: b[2],
            kind: b[3],
            tied: (b[4] != 0xff).then_some(b[4]),
            early_clobber: b[5] != 0,
        })
    }

    /// Physical registers that it writes without naming them.
    pub fn implicit_defs(&self) -> impl Iterator<Item = Register> + use<> {
        let count = table::u16_at(self.implicit, 0) as usize;
        let implicit = self.implicit;
        (0..count).map(move |i| Register(table::u16_at(implicit, 1 + i)))
    }

    /// Physical registers that it reads without naming them.
    pub fn implicit_uses(&self) -> impl Iterator<Item = Register> + use<> {
        let implicit = self.implicit;
        let count = table::u16_at(implicit, 0) as usize;
        (1 + count..implicit.len() / 2).map(move |i| Register(table::u16_at(implicit, i)))
    }
}

/// Facts that are text in the table, parsed on first use.
#[derive(Debug, Default)]
pub struct Facts {
    /// The machine's data layout string.
    pub data_layout: String,
    /// Width of a vector index, in bits.
    pub vector_index_bits: u32,
    /// Opcodes that set up and destroy a call frame.
    pub call_frame: [Opcode; 2],
    /// Whether immediates may be written as target mnemonics (`.id0_VALU_DEP_1`).
    pub(crate) has_formatter: bool,
    /// Number of register units.
    pub units: usize,
    /// Numbers that `stack-id:` may have.
    pub stack_ids: Vec<u32>,
    /// Register banks, in LLVM's order.
    pub banks: Vec<Bank>,
    /// Names in `target-index(...)`.
    pub target_indices: Vec<String>,
    /// Names in `target-flags(...)`, of which an operand has one.
    pub direct_flags: Vec<String>,
    /// Names in `target-flags(...)` that can be combined.
    pub bitmask_flags: Vec<String>,
    /// The target's names of flags of memory operands.
    pub memory_flags: Vec<String>,
    /// Names in `flags:` of `registers:`.
    pub register_flags: Vec<String>,
    /// Names of register masks.
    pub masks: Vec<String>,
    /// Processor name to its rows of operand classes and reserved registers.
    cpus: HashMap<String, CpuRows>,
    /// In the order of their names.
    classes: Vec<(String, Class)>,
    sub_indices: HashMap<String, u16>,
    /// The classes for values of a low-level type: see [`Tables::is_for_type`].
    typed_classes: HashMap<(u16, u16), Vec<Class>>,
    /// Classes of tuples and the like, which are for values of any type.
    untyped_classes: Vec<Class>,
    /// Rank of each register in the table of names.
    register_ranks: Vec<u16>,
}

/// What differs between the processors of a machine: rows of operand classes and of reserved registers.
#[derive(Debug, Clone, Copy, Default)]
pub struct CpuRows {
    /// `None` where they are not known.
    operand_classes: Option<u16>,
    reserved: u16,
}

impl CpuRows {
    /// For addresses of another width than the tables': classes of pointers are not known.
    pub fn without_pointers(self) -> Self {
        CpuRows { operand_classes: None, ..self }
    }
}

impl Default for Opcode {
    fn default() -> Self {
        Opcode(u16::MAX)
    }
}
