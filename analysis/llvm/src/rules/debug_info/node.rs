//! A debug-info node as the rules see it: its kind's family, its fields with their defaults, its tag and its flags.

use crate::metadata::{FieldName, MdKind, MdValue};
use crate::metadata_view::Md;
use crate::scope::{NodeRef, Scope};
use wavelens_base::Place;

#[derive(Clone, Copy)]
pub(super) struct Node<'s> {
    pub(super) scope: &'s Scope,
    pub(super) at: NodeRef<'s>,
}

/// Types through which the size of a variable is looked for: variables can share a long chain of them.
const MAX_TYPES: usize = 500;

/// Tags that the rules compare with, for files that write numbers. Source: DWARF 5, table 7.3, and its vendors' extensions.
const TAGS: &[(u64, &str)] = &[
    (0x01, "DW_TAG_array_type"),
    (0x02, "DW_TAG_class_type"),
    (0x04, "DW_TAG_enumeration_type"),
    (0x08, "DW_TAG_imported_declaration"),
    (0x0d, "DW_TAG_member"),
    (0x0f, "DW_TAG_pointer_type"),
    (0x10, "DW_TAG_reference_type"),
    (0x12, "DW_TAG_string_type"),
    (0x13, "DW_TAG_structure_type"),
    (0x16, "DW_TAG_typedef"),
    (0x17, "DW_TAG_union_type"),
    (0x19, "DW_TAG_variant"),
    (0x1c, "DW_TAG_inheritance"),
    (0x1f, "DW_TAG_ptr_to_member_type"),
    (0x20, "DW_TAG_set_type"),
    (0x24, "DW_TAG_base_type"),
    (0x26, "DW_TAG_const_type"),
    (0x2a, "DW_TAG_friend"),
    (0x2b, "DW_TAG_namelist"),
    (0x30, "DW_TAG_template_value_parameter"),
    (0x33, "DW_TAG_variant_part"),
    (0x34, "DW_TAG_variable"),
    (0x35, "DW_TAG_volatile_type"),
    (0x37, "DW_TAG_restrict_type"),
    (0x3a, "DW_TAG_imported_module"),
    (0x3b, "DW_TAG_unspecified_type"),
    (0x42, "DW_TAG_rvalue_reference_type"),
    (0x43, "DW_TAG_template_alias"),
    (0x47, "DW_TAG_atomic_type"),
    (0x4b, "DW_TAG_immutable_type"),
    (0x4106, "DW_TAG_GNU_template_template_param"),
    (0x4107, "DW_TAG_GNU_template_parameter_pack"),
    (0x4300, "DW_TAG_LLVM_ptrauth_type"),
];

impl<'s> Node<'s> {
    pub(super) fn kind(self) -> MdKind {
        self.at.node.kind
    }

    pub(super) fn is_distinct(self) -> bool {
        self.at.node.distinct
    }

    /// The metadata of a field; [`Md::Null`] where it is left out.
    pub(super) fn field(self, name: FieldName) -> Md<'s> {
        self.at.field(name).map_or(Md::Null, |value| self.metadata(value))
    }

    pub(super) fn has(self, name: FieldName) -> bool {
        self.at.field(name).is_some()
    }

    fn metadata(self, value: MdValue) -> Md<'s> {
        Md::new(self.scope, self.at.tables, self.at.summary, value)
    }

    pub(super) fn node(self, name: FieldName) -> Option<Node<'s>> {
        self.field(name).node().map(|at| Node { scope: self.scope, at })
    }

    /// The elements of a tuple.
    pub(super) fn elements(self) -> impl Iterator<Item = Md<'s>> {
        self.at.operands(self.scope)
    }

    pub(super) fn is_tuple(self) -> bool {
        self.at.is_tuple()
    }

    /// A field's number; 0 where it is left out.
    pub(super) fn number(self, name: FieldName) -> Option<u64> {
        match self.at.field(name) {
            None => Some(0),
            Some(MdValue::Unsigned(n)) => Some(n),
            Some(_) => None,
        }
    }

    /// A field's string; empty where it is left out.
    pub(super) fn text(self, name: FieldName) -> Option<&'s str> {
        match self.at.field(name) {
            None => Some(""),
            Some(MdValue::Text(text)) => Some(self.at.tables.name(text)),
            Some(_) => None,
        }
    }

    /// A field's word.
    pub(super) fn word(self, name: FieldName) -> Option<&'s str> {
        match self.at.field(name)? {
            MdValue::Word(word) => Some(self.at.tables.name(word)),
            _ => None,
        }
    }

    pub(super) fn is_true(self, name: FieldName) -> bool {
        self.at.field(name) == Some(MdValue::Bool(true))
    }

    /// The word for the node's tag, also where a number is written; `""` for a number that no rule knows.
    pub(super) fn tag(self) -> &'s str {
        match self.at.field(FieldName::Tag) {
            Some(MdValue::Word(word)) => self.at.tables.name(word),
            Some(MdValue::Unsigned(number)) => {
                TAGS.iter().find(|(n, _)| *n == number).map_or("", |(_, word)| word)
            }
            Some(_) => "",
            None => match self.kind() {
                MdKind::DIBasicType | MdKind::DIFixedPointType => "DW_TAG_base_type",
                MdKind::DIStringType => "DW_TAG_string_type",
                MdKind::DITemplateValueParameter => "DW_TAG_template_value_parameter",
                MdKind::DISubrange | MdKind::DISubrangeType => "DW_TAG_subrange_type",
                _ => "",
            },
        }
    }

    /// Whether a field of flags has one, by its word or its bit.
    pub(super) fn has_flag(self, name: FieldName, flag: &str, bit: u32) -> bool {
        match self.at.field(name) {
            Some(MdValue::Unsigned(flags)) => flags >> bit & 1 == 1,
            Some(MdValue::Word(words)) => {
                let words = self.at.tables.name(words);
                let has =
                    |word: &str| word == flag || word.parse::<u64>().is_ok_and(|flags| flags >> bit & 1 == 1);
                // Most have one: each location asks its subprogram, and splitting took 1 % of a check.
                words == flag || words.split('|').any(|word| has(word.trim()))
            }
            _ => false,
        }
    }

    pub(super) fn is_type(self) -> bool {
        matches!(
            self.kind(),
            MdKind::DIBasicType
                | MdKind::DIFixedPointType
                | MdKind::DIStringType
                | MdKind::DISubrangeType
                | MdKind::DIDerivedType
                | MdKind::DICompositeType
                | MdKind::DISubroutineType
        )
    }

    /// A scope within a function.
    pub(super) fn is_local_scope(self) -> bool {
        matches!(self.kind(), MdKind::DISubprogram | MdKind::DILexicalBlock | MdKind::DILexicalBlockFile)
    }

    pub(super) fn is_scope(self) -> bool {
        self.is_type()
            || self.is_local_scope()
            || matches!(
                self.kind(),
                MdKind::DIFile
                    | MdKind::DICompileUnit
                    | MdKind::DINamespace
                    | MdKind::DICommonBlock
                    | MdKind::DIModule
            )
    }

    pub(super) fn is_variable(self) -> bool {
        matches!(self.kind(), MdKind::DIGlobalVariable | MdKind::DILocalVariable)
    }

    pub(super) fn is_macro(self) -> bool {
        matches!(self.kind(), MdKind::DIMacro | MdKind::DIMacroFile)
    }

    /// A node that describes an entity of the source: what LLVM calls a `DINode`.
    pub(super) fn is_entity(self) -> bool {
        self.is_scope()
            || self.is_variable()
            || matches!(
                self.kind(),
                MdKind::GenericDINode
                    | MdKind::DISubrange
                    | MdKind::DIGenericSubrange
                    | MdKind::DIEnumerator
                    | MdKind::DITemplateTypeParameter
                    | MdKind::DITemplateValueParameter
                    | MdKind::DILabel
                    | MdKind::DIObjCProperty
                    | MdKind::DIImportedEntity
            )
    }

    /// Whether a subprogram is a definition and no part of the type hierarchy.
    pub(super) fn is_definition(self) -> bool {
        match self.at.field(FieldName::SpFlags) {
            Some(_) => self.has_flag(FieldName::SpFlags, "DISPFlagDefinition", 3),
            None => self.at.field(FieldName::IsDefinition) != Some(MdValue::Bool(false)),
        }
    }

    /// The subprogram that a local scope is in; `None` where the way there is broken.
    pub(super) fn subprogram(self) -> Option<Node<'s>> {
        let mut scope = self;
        // A chain of blocks is never this deep: a cycle ends here.
        for _ in 0..10_000 {
            match scope.kind() {
                MdKind::DISubprogram => return Some(scope),
                MdKind::DILexicalBlock | MdKind::DILexicalBlockFile => {
                    scope = scope.node(FieldName::Scope)?
                }
                _ => return None,
            }
        }
        None
    }

    /// The size of a variable's type in bits, through what is derived from it.
    pub(super) fn variable_bits(self) -> Option<u64> {
        let mut ty = self.node(FieldName::Type)?;
        for _ in 0..MAX_TYPES {
            match ty.at.field(FieldName::Size) {
                Some(MdValue::Unsigned(0)) | None => {}
                Some(MdValue::Unsigned(bits)) => return Some(bits),
                Some(_) => match ty.field(FieldName::Size) {
                    Md::Int { value: Some(bits), .. } if bits > 0 => return Some(bits),
                    Md::Null | Md::Node(_) => {}
                    _ => return None,
                },
            }
            if ty.kind() != MdKind::DIDerivedType {
                return None;
            }
            ty = ty.node(FieldName::BaseType)?;
        }
        None
    }

    /// Whether two nodes are one: the same definition, or equal ones that LLVM makes one of.
    pub(super) fn same(self, other: Node<'_>) -> bool {
        let equal = |a: MdValue, b: MdValue| match (a, b) {
            (MdValue::Text(a), MdValue::Text(b)) | (MdValue::Word(a), MdValue::Word(b)) => {
                self.at.tables.name(a) == other.at.tables.name(b)
            }
            (MdValue::Node(_), _) => false,
            _ => a == b,
        };
        let fields = || {
            let (a, b) = (self.at.fields(), other.at.fields());
            a.len() == b.len() && a.iter().all(|f| other.at.field(f.name).is_some_and(|v| equal(f.value, v)))
        };
        self.at.same(other.at)
            || self.kind() == other.kind() && !self.is_distinct() && !other.is_distinct() && fields()
    }

    /// Where a numbered node is defined.
    pub(super) fn place(self) -> Option<Place> {
        let summary = self.at.summary?;
        let metadata = &self.scope.summary(summary)?.cold.metadata;
        let def = metadata.get(metadata.partition_point(|def| def.node < self.at.index))?;
        Some(self.scope.place(summary, def.item))
    }
}

/// A description of a value for messages.
pub(super) fn what(value: Md<'_>) -> String {
    match value {
        Md::Null => "null".into(),
        Md::Node(node) if node.is_tuple() => "a tuple".into(),
        Md::Node(node) => format!("a `!{}`", node.node.kind.name()),
        Md::String(_) => "a string".into(),
        Md::Int { .. } | Md::Value(..) | Md::Unknown => "a value".into(),
    }
}
