//! Metadata.

use rustc_hash::FxHashSet;
use wavelens_syntax::llvm::LlvmKind::*;
use wavelens_syntax::machine::Element;

use super::{LlvmNode, Lower, text};
use crate::arena::Attachment;
use crate::metadata::{FieldName, MdField, MdKind, MdNode, MdValue};
use crate::types::Span;

/// So many attachments are compared one by one.
const FEW: usize = 8;

impl Lower {
    /// `!dbg !7`.
    pub(super) fn attachment(&mut self, node: LlvmNode<'_>) {
        let Some(name) = node.token(METADATA_NAME) else { return };
        let kind = self.tables.names.intern(&text::unescape(name.text().get(1..).unwrap_or("")));
        let value = node.children().next().map_or(MdValue::Error, |n| self.metadata(n));
        self.tables.cold.attachments.push(Attachment { kind, value });
        self.ranges.cold.attachments.push(node.range());
    }

    /// Takes the kind from the attachments of an instruction that a later one of their kind replaces: rules do not look at them.
    pub(super) fn replace_attachments(&mut self, span: Span) {
        let list = self.tables.cold.attachments.get_mut(span.range()).unwrap_or_default();
        // Nearly all instructions have few.
        let is_few = list.len() <= FEW;
        let mut kinds = FxHashSet::default();
        for n in (0..list.len()).rev() {
            let (earlier, later) = list.split_at_mut(n + 1);
            let Some(attachment) = earlier.last_mut() else { continue };
            let is_replaced = match is_few {
                true => later.iter().any(|later| later.kind == attachment.kind),
                false => !kinds.insert(attachment.kind),
            };
            if is_replaced {
                attachment.kind = self.tables.names.intern("");
            }
        }
    }

    /// Any of the metadata nodes of the grammar.
    pub(super) fn metadata(&mut self, node: LlvmNode<'_>) -> MdValue {
        match node.kind() {
            METADATA_REF => match node.token(NUMBER) {
                Some(number) => self.metadata_number(number),
                None => MdValue::Error,
            },
            METADATA_STRING => match node.token(STRING) {
                Some(string) => MdValue::String(self.string(string)),
                None => MdValue::Error,
            },
            METADATA_VALUE => self.metadata_value(node),
            METADATA_NODE => MdValue::Node(self.metadata_node(node, false)),
            _ => MdValue::Error,
        }
    }

    pub(super) fn metadata_number(&mut self, token: super::LlvmToken<'_>) -> MdValue {
        match self.unsigned32(token) {
            Some(number) => MdValue::Number(number),
            None => MdValue::Error,
        }
    }

    fn metadata_value(&mut self, node: LlvmNode<'_>) -> MdValue {
        let (Some(ty), Some(value)) = (node.child(TYPE), node.child(VALUE)) else { return MdValue::Error };
        let ty = self.ty(ty);
        let (operand, range) = self.value(value, ty);
        MdValue::Value(self.push_operand(operand, range))
    }

    /// Lowers `!{...}` or `!DIFile(...)` and gives its index.
    pub(super) fn metadata_node(&mut self, node: LlvmNode<'_>, distinct: bool) -> u32 {
        let name = node.first_token().filter(|t| t.kind() == METADATA_NAME);
        // A node that a syntax error cuts short does not have all its fields: its kind is unknown.
        let is_whole = || matches!(node.elements().last(), Some(Element::Token(last)) if matches!(last.kind(), R_PAREN | R_BRACE));
        let kind = match name {
            _ if !is_whole() => MdKind::Unknown,
            Some(name) => MdKind::from_name(name.text().get(1..).unwrap_or("")).unwrap_or(MdKind::Unknown),
            None => MdKind::Tuple,
        };
        let mut fields: Vec<(MdField, wavelens_base::TextRange)> = Vec::new();
        // Only argument lists and values outside nodes may refer to locals.
        let local = kind == MdKind::DIArgList;
        let mut fill = |l: &mut Self| match kind {
            MdKind::Tuple | MdKind::DIExpression | MdKind::DIArgList => {
                for element in node.elements() {
                    let value = match element {
                        Element::Node(n) => l.metadata(n),
                        Element::Token(t) => match t.kind() {
                            NULL_KW => MdValue::Null,
                            NUMBER | HEX_NUMBER => number(t.text()),
                            WORD => MdValue::Word(l.tables.names.intern(t.text())),
                            _ => continue,
                        },
                    };
                    fields.push((MdField { name: FieldName::None, value }, element.range()));
                }
            }
            _ => {
                for field in node.children().filter(|n| n.kind() == FIELD) {
                    fields.push(l.field(field));
                }
            }
        };
        if local {
            fill(self)
        } else {
            self.without_locals(|l| fill(l))
        }
        let start = self.tables.cold.md_fields.len() as u32;
        let len = fields.len() as u32;
        for (field, range) in fields {
            self.tables.cold.md_fields.push(field);
            self.ranges.cold.md_fields.push(range);
        }
        self.tables.cold.md_nodes.push(MdNode { kind, distinct, fields: Span { start, len } });
        self.ranges.cold.md_nodes.push(node.range());
        self.tables.cold.md_nodes.len() as u32 - 1
    }

    fn field(&mut self, node: LlvmNode<'_>) -> (MdField, wavelens_base::TextRange) {
        let mut elements = node.elements();
        let label = match elements.next() {
            Some(Element::Token(label)) => label.text().strip_suffix(':'),
            _ => None,
        };
        let name = label.map_or(FieldName::Unknown, FieldName::from_text);
        let value = match elements.next() {
            Some(Element::Node(n)) => self.metadata(n),
            Some(Element::Token(t)) => match t.kind() {
                NUMBER | HEX_NUMBER => number(t.text()),
                TRUE_KW => MdValue::Bool(true),
                FALSE_KW => MdValue::Bool(false),
                NULL_KW => MdValue::Null,
                STRING => MdValue::Text(self.string(t)),
                WORD => {
                    // The words of a flag list, as written.
                    let range = node.range();
                    let start = usize::from(t.range().start() - range.start());
                    let words = node.text().get(start..).unwrap_or("");
                    MdValue::Word(self.tables.names.intern(words))
                }
                _ => MdValue::Error,
            },
            None => MdValue::Error,
        };
        // The value of an unknown field does not matter; its name does, for the message.
        let value = match (name, label) {
            (FieldName::Unknown, Some(label)) => MdValue::Word(self.tables.names.intern(label)),
            (FieldName::Unknown, None) => MdValue::Error,
            _ => value,
        };
        (MdField { name, value }, node.range())
    }

    /// Adds a value to the list that operands and records point into.
    pub(super) fn push_md_value(&mut self, value: MdValue, range: wavelens_base::TextRange) -> u32 {
        self.ranges.cold.md_values.push(range);
        self.tables.cold.md_values.push(value);
        self.tables.cold.md_values.len() as u32 - 1
    }
}

fn number(digits: &str) -> MdValue {
    if let Ok(number) = digits.parse() {
        return MdValue::Unsigned(number);
    }
    if let Ok(number) = digits.parse() {
        return MdValue::Negative(number);
    }
    let Some(value) = text::wide(digits) else { return MdValue::Wide };
    match (&value.words[..], value.negative) {
        ([], _) => MdValue::Unsigned(0),
        ([word], false) => MdValue::Unsigned(*word),
        _ => MdValue::Wide,
    }
}
