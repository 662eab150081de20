//! The side tables that ids point into: one set for a chunk's module-level entities, one for each function body.

use thin_vec::ThinVec;

use super::attribute::Attr;
use super::metadata::{MdField, MdNode, MdValue};
use super::names::{NameId, Names};
use super::operand::{
    BlockAddress, Const, ConstExpr, ConstId, HexFloat, InlineAsm, Operand, OperandId, Value, WideInt,
};
use super::types::{Span, Types};
use wavelens_base::TextRange;
use wavelens_base::lazy_box::{LazyBox, empty};

/// Flat tables. No ranges: two chunks that mean the same are equal.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tables {
    /// Names of values, types and metadata.
    pub names: Names,
    /// Types.
    pub types: Types,
    /// Values with their types.
    pub operands: ThinVec<Operand>,
    pub(crate) consts: ThinVec<Const>,
    /// Attributes.
    pub attrs: ThinVec<Attr>,
    /// What few functions have.
    pub cold: LazyBox<ColdTables>,
}

/// The tables that few functions need.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ColdTables {
    pub(crate) wide: ThinVec<WideInt>,
    pub(crate) hex_floats: ThinVec<HexFloat>,
    /// Constant expressions.
    pub exprs: ThinVec<ConstExpr>,
    /// `blockaddress` constants.
    pub block_addresses: ThinVec<BlockAddress>,
    pub(crate) asms: ThinVec<InlineAsm>,
    /// Lower (inclusive) and upper (exclusive) ends that `range(...)` and `initializes(...)` attributes point to; ends that
    /// need more than 128 bits are cut.
    pub(crate) attr_ranges: ThinVec<(i128, i128)>,
    /// Metadata nodes that are written here, numbered or inline.
    pub md_nodes: ThinVec<MdNode>,
    pub(crate) md_fields: ThinVec<MdField>,
    /// Metadata that operands ([`Value::Metadata`]) and attachments mean.
    pub(crate) md_values: ThinVec<MdValue>,
    /// Metadata attachments.
    pub attachments: ThinVec<Attachment>,
}

empty!(ColdTables, ColdRanges);

impl Tables {
    /// Gives back what vectors have reserved: there is one of these for each chunk or function.
    pub(crate) fn shrink(&mut self) {
        self.names.shrink();
        self.types.shrink();
        self.operands.shrink_to_fit();
        self.consts.shrink_to_fit();
        self.attrs.shrink_to_fit();
        let Some(cold) = self.cold.written() else { return };
        cold.wide.shrink_to_fit();
        cold.hex_floats.shrink_to_fit();
        cold.exprs.shrink_to_fit();
        cold.block_addresses.shrink_to_fit();
        cold.asms.shrink_to_fit();
        cold.attr_ranges.shrink_to_fit();
        cold.md_nodes.shrink_to_fit();
        cold.md_fields.shrink_to_fit();
        cold.md_values.shrink_to_fit();
        cold.attachments.shrink_to_fit();
    }
}

/// `!kind !5` on an instruction, a function or a global.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attachment {
    /// The name of its kind: `dbg`, `prof`.
    pub kind: NameId,
    /// The node or value.
    pub value: MdValue,
}

/// A `^7` within an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct IndexUse {
    pub(crate) number: u32,
    pub(crate) kind: IndexKind,
    /// The entry that contains it.
    pub(crate) item: u32,
    pub(crate) range: TextRange,
}

/// What an entry of a ThinLTO summary describes; references want one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum IndexKind {
    Module,
    GlobalValue,
    TypeId,
    /// Flags and the block count: nothing refers to them.
    Other,
}

/// Ranges in the chunk of the entries of a [`Tables`], with the same indices.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ranges {
    /// Of the value alone, without its type.
    pub operands: ThinVec<TextRange>,
    pub(crate) attrs: ThinVec<TextRange>,
    /// Of what few functions have.
    pub cold: LazyBox<ColdRanges>,
}

/// Ranges of the entries of a [`ColdTables`], and of what else few functions have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ColdRanges {
    pub(crate) md_nodes: ThinVec<TextRange>,
    pub(crate) md_fields: ThinVec<TextRange>,
    /// Of the metadata attachments.
    pub attachments: ThinVec<TextRange>,
    pub(crate) md_values: ThinVec<TextRange>,
    /// Where each named type is first used in this table's entities.
    pub(crate) named_types: ThinVec<(super::names::Symbol, TextRange)>,
    /// Side by side with [`super::summary::Summary::named_metadata_values`].
    pub(crate) named_metadata_values: ThinVec<TextRange>,
    /// References among the entries of a ThinLTO summary.
    pub(crate) index_uses: ThinVec<IndexUse>,
    /// Names of global values in the entries of a ThinLTO summary, each with its entry's item.
    pub(crate) index_names: ThinVec<(NameId, u32, TextRange)>,
}

impl Ranges {
    /// Gives back what vectors have reserved: there is one of these for each chunk or function.
    pub(crate) fn shrink(&mut self) {
        self.operands.shrink_to_fit();
        self.attrs.shrink_to_fit();
        let Some(cold) = self.cold.written() else { return };
        cold.md_nodes.shrink_to_fit();
        cold.md_fields.shrink_to_fit();
        cold.attachments.shrink_to_fit();
        cold.md_values.shrink_to_fit();
        cold.named_types.shrink_to_fit();
        cold.named_metadata_values.shrink_to_fit();
        cold.index_uses.shrink_to_fit();
        cold.index_names.shrink_to_fit();
    }
}

impl Tables {
    /// The text of a name.
    pub fn name(&self, id: NameId) -> &str {
        self.names.get(id)
    }

    /// An error operand for an id of another table.
    #[inline]
    pub fn operand(&self, id: OperandId) -> Operand {
        self.operands
            .get(id.0 as usize)
            .copied()
            .unwrap_or(Operand { ty: super::types::TypeId::ERROR, value: Value::Error })
    }

    pub(crate) fn constant(&self, id: ConstId) -> Const {
        self.consts.get(id.0 as usize).copied().unwrap_or(Const::Error)
    }

    /// The constant that an operand is, if it is one.
    pub fn const_of(&self, operand: Operand) -> Option<Const> {
        match operand.value {
            Value::Const(id) => Some(self.constant(id)),
            _ => None,
        }
    }

    /// The value of an integer literal that fits 64 bits (`true` is 1), as written.
    pub fn int_of(&self, operand: Operand) -> Option<i64> {
        match self.const_of(operand)? {
            Const::Int(value) => Some(value),
            Const::Bool(value) => Some(i64::from(value)),
            Const::ZeroInitializer => Some(0),
            _ => None,
        }
    }

    /// The value of an `i32`. LLVM cuts what is written to the width of the type.
    pub(crate) fn i32_of(&self, operand: Operand) -> Option<u32> {
        match self.const_of(operand)? {
            Const::Wide(index) => {
                let wide = self.cold.wide.get(index as usize)?;
                let low = *wide.words.first()? as u32;
                Some(if wide.negative { low.wrapping_neg() } else { low })
            }
            _ => self.int_of(operand).map(|value| value as u32),
        }
    }

    /// Attributes.
    pub fn attrs(&self, span: Span) -> &[Attr] {
        span.of(&self.attrs)
    }

    pub(crate) fn attachments(&self, span: Span) -> &[Attachment] {
        span.of(&self.cold.attachments)
    }

    /// The attachment of a kind (`dbg`, `tbaa`, ...).
    pub fn attachment(&self, span: Span, kind: &str) -> Option<Attachment> {
        let kind = self.names.find(kind)?;
        self.attachments(span).iter().find(|a| a.kind == kind).copied()
    }

    /// The fields of a metadata node.
    pub fn fields(&self, node: &MdNode) -> &[MdField] {
        node.fields.of(&self.cold.md_fields)
    }
}

impl Ranges {
    /// Where an operand is, relative to the chunk.
    pub fn operand(&self, id: OperandId) -> TextRange {
        self.operands.get(id.0 as usize).copied().unwrap_or_default()
    }
}
