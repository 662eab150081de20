//! The lowered body of a function: blocks of flat instructions, operands as small ids.
//!
//! Invariants, which hold for every input:
//! - Names are resolved: [`Value::Local`] points into [`Body::locals`]; what is defined nowhere is a local of kind
//!   [`LocalKind::Undefined`], already reported. Two definitions of one name are both there; uses mean the first.
//! - What could not be understood is [`TypeId::ERROR`], [`Value::Error`], [`Opcode::Error`] or a short operand list. A rule that does not
//!   find the operands it wants passes over the instruction ([`Body::operand`] gives an error operand past the end).
//! - Operand ranges (in [`Body::ranges`]) cover the value without its type; instruction ranges the whole instruction.
//! - Types are local to the body's table; rules use the canonical ones through the check context.

use thin_vec::ThinVec;

use super::arena::{Attachment, Ranges, Tables};
use super::metadata::MdValue;
use super::names::Symbol;
pub use super::opcode::{Flags, Opcode, OrderingWord, Predicate, RmwOp};
use super::operand::{LocalId, Operand, OperandId, Value};
use super::types::{Span, TypeId};
use wavelens_base::TextRange;
use wavelens_base::lazy_box::{LazyBox, empty};

/// One function's body.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Body {
    /// Index of the function in its chunk's [`super::summary::Summary::functions`].
    pub function: u32,
    /// Values and types that the ids point into.
    pub tables: Tables,
    /// Where they are written.
    pub ranges: Ranges,
    /// Arguments, blocks and results, numbered by [`LocalId`].
    pub locals: ThinVec<Local>,
    /// Arguments are the first locals, in order: `0..arguments`.
    pub arguments: u32,
    /// In the order of the text.
    pub blocks: ThinVec<Block>,
    /// Of all blocks, in the order of the text.
    pub insts: ThinVec<Inst>,
    /// Range of each instruction.
    pub inst_ranges: ThinVec<TextRange>,
    /// Call sites, see [`Body::call`].
    pub calls: ThinVec<Call>,
    /// What few functions have.
    pub cold: LazyBox<ColdBody>,
    /// Range of the body from brace to brace.
    pub range: TextRange,
}

/// What few function bodies have.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ColdBody {
    /// Attributes of each call argument, into [`Tables::attrs`].
    pub(crate) arg_attrs: ThinVec<Span>,
    /// Operand bundles of calls.
    pub bundles: ThinVec<Bundle>,
    pub(crate) atomics: ThinVec<Atomic>,
    /// Lists of numbers, each led by its length; read with [`Body::index_list`].
    pub(crate) indices: ThinVec<u32>,
    pub(crate) records: ThinVec<DebugRecord>,
    /// Blocks of this function that a `blockaddress` in it names, with the ranges of the names.
    pub block_address_uses: ThinVec<(Symbol, TextRange)>,
    /// Values of this function, with the number of indexes and the range of the directive.
    pub(crate) use_list_orders: ThinVec<(LocalId, u32, TextRange)>,
}

empty!(ColdBody);

impl Body {
    /// The numbers of the nodes of the source's variables that debug records say a value is, in order.
    pub fn source_variables(&self, local: LocalId) -> impl Iterator<Item = u32> {
        self.cold.records.iter().filter_map(move |record| {
            let (value, rest) = record.values.of(&self.tables.cold.md_values).split_first()?;
            let MdValue::Value(operand) = *value else { return None };
            match rest.first() {
                Some(MdValue::Number(variable))
                    if self.tables.operand(operand).value == Value::Local(local) =>
                {
                    Some(*variable)
                }
                _ => None,
            }
        })
    }

    /// Gives back what vectors have reserved: there is one of these for each chunk or function.
    pub(crate) fn shrink(&mut self) {
        self.tables.shrink();
        self.ranges.shrink();
        self.locals.shrink_to_fit();
        self.blocks.shrink_to_fit();
        self.insts.shrink_to_fit();
        self.inst_ranges.shrink_to_fit();
        self.calls.shrink_to_fit();
        let Some(cold) = self.cold.written() else { return };
        cold.arg_attrs.shrink_to_fit();
        cold.bundles.shrink_to_fit();
        cold.atomics.shrink_to_fit();
        cold.indices.shrink_to_fit();
        cold.records.shrink_to_fit();
        cold.block_address_uses.shrink_to_fit();
        cold.use_list_orders.shrink_to_fit();
    }
}

/// Something that a `%` name means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Local {
    /// Name or number, without `%`.
    pub name: Symbol,
    /// What defines it.
    pub kind: LocalKind,
    /// The defining name; of an unnamed argument, block or result the thing itself; of an undefined local its first use.
    pub range: TextRange,
}

/// What defines a local value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LocalKind {
    /// The n-th parameter.
    Argument(u32),
    /// Index into [`Body::blocks`].
    Block(u32),
    /// Index into [`Body::insts`].
    Inst(u32),
    /// Nothing: it is only used.
    Undefined,
}

/// A basic block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    /// The block's label.
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
    /// The opcode.
    pub opcode: Opcode,
    /// Comparisons: the [`Predicate`]; `atomicrmw`: the [`RmwOp`].
    pub sub: u8,
    /// `align N` as log2(N) + 1; 0 where there is none (or a wrong one, already reported).
    pub align: u8,
    pub(crate) flags: Flags,
    /// The type that the instruction names.
    pub ty: TypeId,
    /// Operands in the order of the text, see [`Body::operands`].
    pub operands: Span,
    /// Index into the opcode's own table; [`NO_EXTRA`] where there is none.
    pub(crate) extra: u32,
    /// What it defines.
    pub result: Option<LocalId>,
    /// Into [`super::arena::ColdTables::attachments`].
    pub attachments: Span,
}

pub(crate) const NO_EXTRA: u32 = u32::MAX;

/// A call site: `call`, `invoke`, `callbr`. [`Inst::ty`] is the type as written before the callee: the result type, or the whole
/// function type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Call {
    /// The called value.
    pub callee: OperandId,
    pub(crate) cc: u32,
    /// `addrspace(n)` of the call itself.
    pub address_space: Option<u32>,
    /// Operands, one for each argument.
    pub args: Span,
    /// Into [`ColdBody::arg_attrs`], side by side with `args`.
    pub(crate) arg_attrs: Span,
    pub(crate) ret_attrs: Span,
    pub(crate) fn_attrs: Span,
    /// Into [`ColdBody::bundles`].
    pub bundles: Span,
    /// `invoke`: normal and unwind destination; `callbr`: default destination and all indirect ones. Operands of type label.
    pub destinations: Span,
    /// Whether `...` closed the argument list.
    pub(crate) ellipsis: bool,
}

/// An operand bundle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bundle {
    pub(crate) tag: super::names::NameId,
    /// Its operands, see [`Body::operands`].
    pub operands: Span,
    pub(crate) range: TextRange,
}

/// What is atomic about a load, store, fence, cmpxchg or atomicrmw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Atomic {
    pub(crate) ordering: Ordering,
    /// `cmpxchg` only.
    pub failure: Ordering,
    pub(crate) scope: Option<super::names::NameId>,
}

/// Atomic orderings, weakest first (LLVM Language Reference, Atomic Memory Ordering Constraints).
#[allow(missing_docs, reason = "LLVM's own names")]
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
pub(crate) struct DebugRecord {
    pub(crate) kind: DebugRecordKind,
    pub(crate) block: u32,
    /// The instruction that follows it (may be one past the block's last).
    pub(crate) before: InstId,
    /// The arguments in order, into [`super::arena::ColdTables::md_values`]; the last is the location.
    pub(crate) values: Span,
    pub(crate) range: TextRange,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DebugRecordKind {
    Value,
    Declare,
    DeclareValue,
    Assign,
    Label,
}

/// Whether a call of this function is the older form of a record.
pub(crate) fn is_debug_call(name: &str) -> bool {
    matches!(name, "llvm.dbg.declare" | "llvm.dbg.value" | "llvm.dbg.assign")
}

impl Body {
    /// The n-th operand of an instruction; an error operand past the end.
    #[inline]
    pub fn operand(&self, inst: &Inst, n: u32) -> Operand {
        self.operand_id(inst, n)
            .map_or(Operand { ty: TypeId::ERROR, value: Value::Error }, |id| self.tables.operand(id))
    }

    #[inline]
    pub(crate) fn operand_id(&self, inst: &Inst, n: u32) -> Option<OperandId> {
        (n < inst.operands.len).then(|| OperandId(inst.operands.start + n))
    }

    /// Range of the n-th operand's value; the whole instruction past the end.
    pub fn operand_range(&self, id: InstId, n: u32) -> TextRange {
        let inst = self.insts.get(id.0 as usize);
        inst.and_then(|i| self.operand_id(i, n))
            .map_or_else(|| self.inst_range(id), |o| self.ranges.operand(o))
    }

    /// The calls that name what they call, without sigil.
    pub(crate) fn named_calls(&self) -> impl Iterator<Item = (InstId, &Call, &str)> {
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

    /// Range of an instruction in the chunk.
    pub fn inst_range(&self, id: InstId) -> TextRange {
        self.inst_ranges.get(id.0 as usize).copied().unwrap_or_default()
    }

    /// The operands of a span.
    pub fn operands(&self, span: Span) -> &[Operand] {
        span.of(&self.tables.operands)
    }

    /// The call site, where the instruction is one.
    pub fn call(&self, inst: &Inst) -> Option<&Call> {
        if inst.opcode.is_call() { self.calls.get(inst.extra as usize) } else { None }
    }

    pub(crate) fn atomic(&self, inst: &Inst) -> Option<&Atomic> {
        match inst.opcode {
            Opcode::Load | Opcode::Store | Opcode::Fence | Opcode::CmpXchg | Opcode::AtomicRmw => {
                self.cold.atomics.get(inst.extra as usize)
            }
            _ => None,
        }
    }

    /// Numbers of extractvalue and insertvalue, clause kinds of landingpad (0 catch, 1 filter).
    pub(crate) fn index_list(&self, inst: &Inst) -> &[u32] {
        match inst.opcode {
            Opcode::ExtractValue | Opcode::InsertValue | Opcode::LandingPad if inst.extra != NO_EXTRA => {
                let start = inst.extra as usize;
                let len = self.cold.indices.get(start).copied().unwrap_or(0) as usize;
                self.cold.indices.get(start + 1..start + 1 + len).unwrap_or(&[])
            }
            _ => &[],
        }
    }

    /// The local value; `None` for an id of another body.
    pub fn local(&self, id: LocalId) -> Option<&Local> {
        self.locals.get(id.0 as usize)
    }

    /// The instruction whose result an operand is.
    pub(crate) fn defining_inst(&self, operand: Operand) -> Option<InstId> {
        match (operand.value, self.local_of(operand)?.kind) {
            (Value::Local(_), LocalKind::Inst(i)) => Some(InstId(i)),
            _ => None,
        }
    }

    /// The argument, block or result that an operand names.
    pub fn local_of(&self, operand: Operand) -> Option<&Local> {
        match operand.value {
            Value::Local(id) => self.local(id),
            _ => None,
        }
    }

    /// The block that an operand of type label names.
    pub(crate) fn block_of(&self, operand: Operand) -> Option<u32> {
        match self.local_of(operand)?.kind {
            LocalKind::Block(block) => Some(block),
            _ => None,
        }
    }

    /// Instructions of a block with their ids.
    pub(crate) fn block_insts(&self, block: u32) -> impl Iterator<Item = (InstId, &Inst)> {
        let span = self.blocks.get(block as usize).map(|b| b.insts).unwrap_or_default();
        span.of(&self.insts).iter().enumerate().map(move |(i, inst)| (InstId(span.start + i as u32), inst))
    }

    /// The terminator of a block, if it has one.
    pub fn terminator(&self, block: u32) -> Option<(InstId, &Inst)> {
        let span = self.blocks.get(block as usize)?.insts;
        let id = span.start + span.len.checked_sub(1)?;
        // Where a branch goes whose operands could not be read is not known.
        let is_read = |i: &Inst| i.opcode != Opcode::Br || matches!(i.operands.len, 1 | 3);
        let inst = self.insts.get(id as usize).filter(|i| i.opcode.is_terminator() && is_read(i))?;
        Some((InstId(id), inst))
    }

    pub(crate) fn attachments(&self, inst: &Inst) -> &[Attachment] {
        self.tables.attachments(inst.attachments)
    }
}
