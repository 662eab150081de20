//! Metadata as rules see it: what an operand of a node is.

use super::arena::Tables;
use super::metadata::{MdKind, MdValue};
use super::operand::{Const, OperandId, Value};
use super::scope::{NodeRef, Scope};
use super::types::Type;

/// What a metadata value is.
#[derive(Debug, Clone, Copy)]
pub enum Md<'s> {
    /// `null`.
    Null,
    /// A node of the module.
    Node(NodeRef<'s>),
    /// A metadata string, as written between the quotes.
    String(&'s str),
    /// An integer constant of this many bits, cut to them (unsigned); `None` for a value of more than 64 bits.
    Int {
        /// Of its type.
        bits: u32,
        /// Cut to the bits.
        value: Option<u64>,
    },
    /// Another value: the operand in `tables`.
    Value(OperandId, &'s Tables),
    /// Not known: rules pass over it.
    Unknown,
}

impl<'s> Md<'s> {
    /// `tables` are those that `value` points into; `summary` is their summary, as in [`NodeRef`].
    pub(crate) fn new(scope: &'s Scope, tables: &'s Tables, summary: Option<u32>, value: MdValue) -> Md<'s> {
        match value {
            MdValue::Null => Md::Null,
            MdValue::Number(_) | MdValue::Node(_) => {
                let node = scope.resolve(value, tables, summary).filter(|at| at.node.kind != MdKind::Unknown);
                node.map_or(Md::Unknown, Md::Node)
            }
            MdValue::String(name) => Md::String(tables.name(name)),
            MdValue::Value(id) => {
                let operand = tables.operand(id);
                let constant = match operand.value {
                    Value::Const(c) => tables.constant(c),
                    Value::Error => return Md::Unknown,
                    _ => return Md::Value(id, tables),
                };
                match (tables.types.get(operand.ty), constant) {
                    (Type::Error | Type::Named(_), _) | (_, Const::Error | Const::Expr(_)) => Md::Unknown,
                    (Type::Int(bits), Const::Wide(_)) => Md::Int { bits, value: None },
                    (Type::Int(bits), Const::Int(_) | Const::Bool(_) | Const::ZeroInitializer) => {
                        let value = tables.int_of(operand).map(|v| cut(v, bits));
                        Md::Int { bits, value }
                    }
                    _ => Md::Value(id, tables),
                }
            }
            _ => Md::Unknown,
        }
    }

    pub(crate) fn is_unknown(self) -> bool {
        matches!(self, Md::Unknown)
    }

    /// The node, if it is one.
    pub fn node(self) -> Option<NodeRef<'s>> {
        match self {
            Md::Node(node) => Some(node),
            _ => None,
        }
    }
}

/// An integer as written, as the unsigned value of its `bits`.
pub(crate) fn cut(value: i64, bits: u32) -> u64 {
    if bits >= 64 { value as u64 } else { value as u64 & ((1 << bits) - 1) }
}

impl<'s> NodeRef<'s> {
    /// Number of operands of a tuple.
    pub fn len(self) -> usize {
        self.node.fields.len as usize
    }

    /// Whether a tuple has no operands.
    pub fn is_empty(self) -> bool {
        self.node.fields.is_empty()
    }

    pub(crate) fn kind(self) -> MdKind {
        self.node.kind
    }

    pub(crate) fn is_tuple(self) -> bool {
        self.node.kind == MdKind::Tuple
    }

    /// The n-th operand of a tuple; [`Md::Unknown`] past the end and for other nodes.
    pub fn operand(self, scope: &'s Scope, n: usize) -> Md<'s> {
        match self.fields().get(n) {
            Some(field) if self.is_tuple() => Md::new(scope, self.tables, self.summary, field.value),
            _ => Md::Unknown,
        }
    }

    /// The operands of the node, in their order; none if it is not one.
    pub fn operands(self, scope: &'s Scope) -> impl Iterator<Item = Md<'s>> {
        let fields = if self.is_tuple() { self.fields() } else { &[] };
        fields.iter().map(move |f| Md::new(scope, self.tables, self.summary, f.value))
    }

    /// Identity, to remember nodes by while one function is looked at.
    pub fn key(self) -> (u32, u32) {
        (self.summary.unwrap_or(u32::MAX), self.index)
    }

    /// Identity in the module; `None` for a node that is written inside a function.
    pub(crate) fn module_key(self) -> Option<(u32, u32)> {
        self.summary.map(|summary| (summary, self.index))
    }
}
