//! The lowered body of a function: blocks of flat instructions, operands as small ids.
//!
//! Invariants, which hold for every input:
//! - Names are resolved: [`Value::Local`] points into [`Body::locals`]; what is defined nowhere is a local of kind
//!   [`LocalKind::Undefined`], already reported. Two definitions of one name are both there; uses mean the first.
//! - What could not be understood is [`TypeId::ERROR`], [`Value::Error`], [`Opcode::Error`] or a short operand list. A rule that does not
//!   find the operands it wants passes over the instruction ([`Body::operand`] gives an error operand past the end).
//! - Operand ranges (in [`Body::ranges`]) cover the value without its type; instruction ranges the whole instruction.
//! - Types are local to the body's table; rules use the canonical ones through the check context.

use super::arena::{Attachment, Ranges, Tables};
use super::names::Symbol;
use super::operand::{LocalId, Operand, OperandId, Value};
use super::types::{Span, TypeId};
use crate::TextRange;

/// One function's body.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Body {
    /// Index of the function in its chunk's [`super::summary::Summary::functions`].
    pub function: u32,
    pub tables: Tables,
    pub ranges: Ranges,
    pub locals: Vec<Local>,
    /// Arguments are the first locals, in order: `0..arguments`.
    pub arguments: u32,
    pub blocks: Vec<Block>,
    pub insts: Vec<Inst>,
    pub inst_ranges: Vec<TextRange>,
    pub calls: Vec<Call>,
    /// Attributes of each call argument, into [`Tables::attrs`].
    pub arg_attrs: Vec<Span>,
    pub bundles: Vec<Bundle>,
    pub atomics: Vec<Atomic>,
    /// Lists of numbers, each led by its length; read with [`Body::index_list`].
    pub indices: Vec<u32>,
    pub records: Vec<DebugRecord>,
    /// Blocks of this function that a `blockaddress` in it names, with the ranges of the names.
    pub block_address_uses: Vec<(Symbol, TextRange)>,
    /// Range of the body from brace to brace.
    pub range: TextRange,
}

/// Something that a `%` name means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Local {
    pub name: Symbol,
    pub kind: LocalKind,
    /// The defining name; of an unnamed argument, block or result the thing itself; of an undefined local its first use.
    pub range: TextRange,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LocalKind {
    /// The n-th parameter.
    Argument(u32),
    /// Index into [`Body::blocks`].
    Block(u32),
    /// Index into [`Body::insts`].
    Inst(u32),
    Undefined,
}

/// A basic block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    pub local: LocalId,
    /// Into [`Body::insts`].
    pub insts: Span,
}

/// Index into [`Body::insts`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InstId(pub u32);

/// One instruction. What the fields mean for each opcode is said at [`Opcode`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Inst {
    pub opcode: Opcode,
    /// Comparisons: the [`Predicate`]; `atomicrmw`: the [`RmwOp`].
    pub sub: u8,
    /// `align N` as log2(N) + 1; 0 where there is none (or a wrong one, already reported).
    pub align: u8,
    pub flags: Flags,
    pub ty: TypeId,
    pub operands: Span,
    /// Index into the opcode's own table; [`NO_EXTRA`] where there is none.
    pub extra: u32,
    pub result: Option<LocalId>,
    /// Into [`Tables::attachments`].
    pub attachments: Span,
}

pub const NO_EXTRA: u32 = u32::MAX;

impl Inst {
    /// The alignment in bytes.
    pub fn alignment(&self) -> Option<u64> {
        (self.align > 0).then(|| 1u64 << (self.align - 1).min(63))
    }
}

/// A call site: `call`, `invoke`, `callbr`. [`Inst::ty`] is the type as written before the callee: the result type, or the whole
/// function type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Call {
    pub callee: OperandId,
    pub cc: u32,
    /// `addrspace(n)` of the call itself.
    pub address_space: Option<u32>,
    /// Operands, one for each argument.
    pub args: Span,
    /// Into [`Body::arg_attrs`], side by side with `args`.
    pub arg_attrs: Span,
    pub ret_attrs: Span,
    pub fn_attrs: Span,
    /// Into [`Body::bundles`].
    pub bundles: Span,
    /// `invoke`: normal and unwind destination; `callbr`: default destination and all indirect ones. Operands of type label.
    pub destinations: Span,
    /// Whether `...` closed the argument list.
    pub ellipsis: bool,
}

/// An operand bundle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bundle {
    pub tag: super::names::NameId,
    pub operands: Span,
    pub range: TextRange,
}

/// What is atomic about a load, store, fence, cmpxchg or atomicrmw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Atomic {
    pub ordering: Ordering,
    /// `cmpxchg` only.
    pub failure: Ordering,
    pub scope: Option<super::names::NameId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ordering {
    NotAtomic,
    Unordered,
    Monotonic,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

/// `#dbg_value(...)` and its kin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DebugRecord {
    pub kind: DebugRecordKind,
    pub block: u32,
    /// The instruction that follows it (may be one past the block's last).
    pub before: InstId,
    /// The arguments in order, into [`Tables::md_values`]; the last is the location.
    pub values: Span,
    pub range: TextRange,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DebugRecordKind {
    Value,
    Declare,
    DeclareValue,
    Assign,
    Label,
}

/// Whether a call of this function is the older form of a record.
pub fn is_debug_call(name: &str) -> bool {
    matches!(name, "llvm.dbg.declare" | "llvm.dbg.value" | "llvm.dbg.assign")
}

macro_rules! opcodes {
    ($($(#[$doc:meta])* $variant:ident $text:literal),* $(,)?) => {
        /// What an instruction (or a constant expression) does. The documentation lists `operands` and what `ty` and `extra` hold.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Opcode {
            /// Not understood; already reported.
            Error,
            $($(#[$doc])* $variant,)*
        }

        impl Opcode {
            pub fn from_word(word: &str) -> Option<Opcode> {
                match word {
                    $($text => Some(Opcode::$variant),)*
                    _ => None,
                }
            }

            pub fn word(self) -> &'static str {
                match self {
                    Opcode::Error => "",
                    $(Opcode::$variant => $text,)*
                }
            }
        }
    };
}

opcodes! {
    /// `value`, or nothing for void.
    Ret "ret",
    /// `destination`, or `condition, if true, if false`.
    Br "br",
    /// `condition, default`, then `value, destination` for each case.
    Switch "switch",
    /// `address`, then destinations.
    IndirectBr "indirectbr",
    /// The arguments; `extra`: [`Call`].
    Invoke "invoke",
    /// The arguments; `extra`: [`Call`].
    CallBr "callbr",
    /// `value`.
    Resume "resume",
    /// Parent pad, handlers, then the unwind destination unless [`Flags::UNWIND_TO_CALLER`].
    CatchSwitch "catchswitch",
    /// `pad, destination`.
    CatchRet "catchret",
    /// `pad`, then the unwind destination unless [`Flags::UNWIND_TO_CALLER`].
    CleanupRet "cleanupret",
    Unreachable "unreachable",
    /// `value`.
    FNeg "fneg",
    /// Both sides, as for all binary operators.
    Add "add", FAdd "fadd", Sub "sub", FSub "fsub", Mul "mul", FMul "fmul", UDiv "udiv", SDiv "sdiv", FDiv "fdiv",
    URem "urem", SRem "srem", FRem "frem", Shl "shl", LShr "lshr", AShr "ashr", And "and", Or "or", Xor "xor",
    /// `vector, index`.
    ExtractElement "extractelement",
    /// `vector, element, index`.
    InsertElement "insertelement",
    /// `vector, vector, mask`.
    ShuffleVector "shufflevector",
    /// `aggregate`; numbers by [`Body::index_list`].
    ExtractValue "extractvalue",
    /// `aggregate, element`; numbers as for extractvalue.
    InsertValue "insertvalue",
    /// The number of elements, if written; `ty`: the allocated type; `extra`: the address space, if written.
    Alloca "alloca",
    /// `pointer`; `ty`: the loaded type; `extra`: [`Atomic`].
    Load "load",
    /// `value, pointer`; `extra`: [`Atomic`].
    Store "store",
    /// `extra`: [`Atomic`].
    Fence "fence",
    /// `pointer, compare, new`; `extra`: [`Atomic`].
    CmpXchg "cmpxchg",
    /// `pointer, value`; `sub`: [`RmwOp`]; `extra`: [`Atomic`].
    AtomicRmw "atomicrmw",
    /// `pointer`, then indices; `ty`: the source element type.
    GetElementPtr "getelementptr",
    /// `value`; `ty`: the type cast to, as for all casts.
    Trunc "trunc", ZExt "zext", SExt "sext", FpTrunc "fptrunc", FpExt "fpext", FpToUi "fptoui", FpToSi "fptosi",
    UiToFp "uitofp", SiToFp "sitofp", PtrToInt "ptrtoint", PtrToAddr "ptrtoaddr", IntToPtr "inttoptr",
    BitCast "bitcast", AddrSpaceCast "addrspacecast",
    /// Both sides; `sub`: [`Predicate`].
    ICmp "icmp",
    /// Both sides; `sub`: [`Predicate`].
    FCmp "fcmp",
    /// `value, block` for each incoming edge; `ty`: the type.
    Phi "phi",
    /// `condition, if true, if false`.
    Select "select",
    /// `value`.
    Freeze "freeze",
    /// The arguments; `extra`: [`Call`].
    Call "call",
    /// `list`; `ty`: the type read.
    VaArg "va_arg",
    /// Clause values; `ty`: the result type; clause kinds by [`Body::index_list`]; [`Flags::CLEANUP`].
    LandingPad "landingpad",
    /// Parent, then arguments.
    CatchPad "catchpad",
    /// Parent, then arguments.
    CleanupPad "cleanuppad",
}

impl Opcode {
    pub fn is_terminator(self) -> bool {
        matches!(
            self,
            Opcode::Ret
                | Opcode::Br
                | Opcode::Switch
                | Opcode::IndirectBr
                | Opcode::Invoke
                | Opcode::CallBr
                | Opcode::Resume
                | Opcode::CatchSwitch
                | Opcode::CatchRet
                | Opcode::CleanupRet
                | Opcode::Unreachable
        )
    }

    pub fn is_binary(self) -> bool {
        self.is_int_binary() || self.is_float_binary()
    }

    pub fn is_int_binary(self) -> bool {
        matches!(
            self,
            Opcode::Add
                | Opcode::Sub
                | Opcode::Mul
                | Opcode::UDiv
                | Opcode::SDiv
                | Opcode::URem
                | Opcode::SRem
                | Opcode::Shl
                | Opcode::LShr
                | Opcode::AShr
                | Opcode::And
                | Opcode::Or
                | Opcode::Xor
        )
    }

    pub fn is_float_binary(self) -> bool {
        matches!(self, Opcode::FAdd | Opcode::FSub | Opcode::FMul | Opcode::FDiv | Opcode::FRem)
    }

    pub fn is_cast(self) -> bool {
        matches!(
            self,
            Opcode::Trunc
                | Opcode::ZExt
                | Opcode::SExt
                | Opcode::FpTrunc
                | Opcode::FpExt
                | Opcode::FpToUi
                | Opcode::FpToSi
                | Opcode::UiToFp
                | Opcode::SiToFp
                | Opcode::PtrToInt
                | Opcode::PtrToAddr
                | Opcode::IntToPtr
                | Opcode::BitCast
                | Opcode::AddrSpaceCast
        )
    }

    pub fn is_call(self) -> bool {
        matches!(self, Opcode::Call | Opcode::Invoke | Opcode::CallBr)
    }

    /// `landingpad`, `catchpad`, `cleanuppad`, `catchswitch`.
    pub fn is_eh_pad(self) -> bool {
        matches!(self, Opcode::LandingPad | Opcode::CatchPad | Opcode::CleanupPad | Opcode::CatchSwitch)
    }
}

/// Flag words of an instruction, as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flags(pub u32);

impl Flags {
    pub const NUW: Flags = Flags(1);
    pub const NSW: Flags = Flags(1 << 1);
    pub const EXACT: Flags = Flags(1 << 2);
    pub const DISJOINT: Flags = Flags(1 << 3);
    pub const NNEG: Flags = Flags(1 << 4);
    pub const SAMESIGN: Flags = Flags(1 << 5);
    pub const INBOUNDS: Flags = Flags(1 << 6);
    pub const NUSW: Flags = Flags(1 << 7);
    pub const NNAN: Flags = Flags(1 << 8);
    pub const NINF: Flags = Flags(1 << 9);
    pub const NSZ: Flags = Flags(1 << 10);
    pub const ARCP: Flags = Flags(1 << 11);
    pub const CONTRACT: Flags = Flags(1 << 12);
    pub const AFN: Flags = Flags(1 << 13);
    pub const REASSOC: Flags = Flags(1 << 14);
    /// All seven of the floating point ones.
    pub const FAST: Flags = Flags(0x7f << 8);
    pub const VOLATILE: Flags = Flags(1 << 15);
    pub const ATOMIC: Flags = Flags(1 << 16);
    pub const WEAK: Flags = Flags(1 << 17);
    pub const TAIL: Flags = Flags(1 << 18);
    pub const MUSTTAIL: Flags = Flags(1 << 19);
    pub const NOTAIL: Flags = Flags(1 << 20);
    pub const INALLOCA: Flags = Flags(1 << 21);
    pub const SWIFTERROR: Flags = Flags(1 << 22);
    pub const CLEANUP: Flags = Flags(1 << 23);
    pub const UNWIND_TO_CALLER: Flags = Flags(1 << 24);

    pub fn has(self, flag: Flags) -> bool {
        self.0 & flag.0 == flag.0
    }

    pub fn any(self, flags: Flags) -> bool {
        self.0 & flags.0 != 0
    }

    pub fn insert(&mut self, flag: Flags) {
        self.0 |= flag.0;
    }
}

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($variant:ident $text:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum $name { $($variant,)* }

        impl $name {
            const ALL: &'static [$name] = &[$($name::$variant,)*];

            pub fn from_word(word: &str) -> Option<$name> {
                match word {
                    $($text => Some($name::$variant),)*
                    _ => None,
                }
            }

            pub fn word(self) -> &'static str {
                match self {
                    $($name::$variant => $text,)*
                }
            }

            /// The inverse of `as u8`.
            pub fn from_raw(raw: u8) -> Option<$name> {
                Self::ALL.get(usize::from(raw)).copied()
            }
        }
    };
}

words! {
    /// The predicate of a comparison; `ugt`, `uge`, `ult` and `ule` occur in both `icmp` and `fcmp`.
    Predicate {
        False "false", Oeq "oeq", Ogt "ogt", Oge "oge", Olt "olt", Ole "ole", One "one", Ord "ord", Uno "uno", Ueq "ueq",
        Une "une", True "true", Eq "eq", Ne "ne", Ugt "ugt", Uge "uge", Ult "ult", Ule "ule", Sgt "sgt", Sge "sge", Slt "slt", Sle "sle",
    }
}

words! {
    /// What an `atomicrmw` does.
    RmwOp {
        Xchg "xchg", Add "add", Sub "sub", And "and", Nand "nand", Or "or", Xor "xor", Max "max", Min "min", UMax "umax",
        UMin "umin", FAdd "fadd", FSub "fsub", FMax "fmax", FMin "fmin", FMaximum "fmaximum", FMinimum "fminimum",
        UIncWrap "uinc_wrap", UDecWrap "udec_wrap", USubCond "usub_cond", USubSat "usub_sat",
    }
}

words! {
    /// Memory orderings of atomic instructions.
    OrderingWord {
        Unordered "unordered", Monotonic "monotonic", Acquire "acquire", Release "release", AcqRel "acq_rel", SeqCst "seq_cst",
    }
}

impl Body {
    /// The n-th operand of an instruction; an error operand past the end.
    #[inline]
    pub fn operand(&self, inst: &Inst, n: u32) -> Operand {
        self.operand_id(inst, n)
            .map_or(Operand { ty: TypeId::ERROR, value: Value::Error }, |id| self.tables.operand(id))
    }

    #[inline]
    pub fn operand_id(&self, inst: &Inst, n: u32) -> Option<OperandId> {
        (n < inst.operands.len).then(|| OperandId(inst.operands.start + n))
    }

    /// Range of the n-th operand's value; the whole instruction past the end.
    pub fn operand_range(&self, id: InstId, n: u32) -> TextRange {
        let inst = self.insts.get(id.0 as usize);
        inst.and_then(|i| self.operand_id(i, n))
            .map_or_else(|| self.inst_range(id), |o| self.ranges.operand(o))
    }

    /// The calls that name what they call, without sigil.
    pub fn named_calls(&self) -> impl Iterator<Item = (InstId, &Call, &str)> {
        self.insts.iter().enumerate().filter_map(|(id, inst)| {
            let call = self.call(inst)?;
            match self.tables.operand(call.callee).value {
                Value::Global(symbol) => {
                    Some((InstId(id as u32), call, self.tables.names.get(symbol.as_name()?)))
                }
                _ => None,
            }
        })
    }

    pub fn inst_range(&self, id: InstId) -> TextRange {
        self.inst_ranges.get(id.0 as usize).copied().unwrap_or_default()
    }

    pub fn operands(&self, span: Span) -> &[Operand] {
        span.of(&self.tables.operands)
    }

    pub fn call(&self, inst: &Inst) -> Option<&Call> {
        if inst.opcode.is_call() { self.calls.get(inst.extra as usize) } else { None }
    }

    pub fn atomic(&self, inst: &Inst) -> Option<&Atomic> {
        match inst.opcode {
            Opcode::Load | Opcode::Store | Opcode::Fence | Opcode::CmpXchg | Opcode::AtomicRmw => {
                self.atomics.get(inst.extra as usize)
            }
            _ => None,
        }
    }

    /// Numbers of extractvalue and insertvalue, clause kinds of landingpad (0 catch, 1 filter).
    pub fn index_list(&self, inst: &Inst) -> &[u32] {
        match inst.opcode {
            Opcode::ExtractValue | Opcode::InsertValue | Opcode::LandingPad if inst.extra != NO_EXTRA => {
                let start = inst.extra as usize;
                let len = self.indices.get(start).copied().unwrap_or(0) as usize;
                self.indices.get(start + 1..start + 1 + len).unwrap_or(&[])
            }
            _ => &[],
        }
    }

    pub fn local(&self, id: LocalId) -> Option<&Local> {
        self.locals.get(id.0 as usize)
    }

    /// The instruction whose result an operand is.
    pub fn defining_inst(&self, operand: Operand) -> Option<InstId> {
        match (operand.value, self.local_of(operand)?.kind) {
            (Value::Local(_), LocalKind::Inst(i)) => Some(InstId(i)),
            _ => None,
        }
    }

    pub fn local_of(&self, operand: Operand) -> Option<&Local> {
        match operand.value {
            Value::Local(id) => self.local(id),
            _ => None,
        }
    }

    /// The block that an operand of type label names.
    pub fn block_of(&self, operand: Operand) -> Option<u32> {
        match self.local_of(operand)?.kind {
            LocalKind::Block(block) => Some(block),
            _ => None,
        }
    }

    /// Instructions of a block with their ids.
    pub fn block_insts(&self, block: u32) -> impl Iterator<Item = (InstId, &Inst)> {
        let span = self.blocks.get(block as usize).map(|b| b.insts).unwrap_or_default();
        span.of(&self.insts).iter().enumerate().map(move |(i, inst)| (InstId(span.start + i as u32), inst))
    }

    /// The terminator of a block, if it has one.
    pub fn terminator(&self, block: u32) -> Option<(InstId, &Inst)> {
        let span = self.blocks.get(block as usize)?.insts;
        let id = span.start + span.len.checked_sub(1)?;
        self.insts.get(id as usize).filter(|i| i.opcode.is_terminator()).map(|i| (InstId(id), i))
    }

    pub fn attachments(&self, inst: &Inst) -> &[Attachment] {
        self.tables.attachments(inst.attachments)
    }
}
