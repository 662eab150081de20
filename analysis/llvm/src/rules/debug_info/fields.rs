//! What each field of a debug-info node refers to, and which tags a node may have.
//!
//! Source: LLVM Language Reference, "Specialized Metadata Nodes", and what LLVM 22's verifier asks of them.

use rustc_hash::FxHashMap;

use super::node::{Node, what};
use super::problem::{Problem, Problems};
use crate::debug_info::Key;
use crate::metadata::{FieldName as F, MdKind};
use crate::metadata_view::Md;
use crate::operand::Value;

/// Lists with up to so many elements are looked through whenever something refers to them.
const FEW: usize = 16;

/// What a reference may be.
struct Want {
    /// As shown in messages.
    words: &'static str,
    is: fn(Node<'_>) -> bool,
    constant: bool,
    null: bool,
}

const fn optional(words: &'static str, is: fn(Node<'_>) -> bool) -> Want {
    Want { words, is, constant: false, null: true }
}

const fn required(words: &'static str, is: fn(Node<'_>) -> bool) -> Want {
    Want { words, is, constant: false, null: false }
}

const fn constant(words: &'static str, is: fn(Node<'_>) -> bool) -> Want {
    Want { words, is, constant: true, null: true }
}

const FILE: Want = optional("a `!DIFile`", |n| n.kind() == MdKind::DIFile);
const TYPE: Want = optional("a type", |n| n.is_type());
const SCOPE: Want = optional("a scope", |n| n.is_scope());
const LOCAL_SCOPE: Want = required("a subprogram or lexical block", |n| n.is_local_scope());
const SIZE: Want = constant("a constant", |_| false);
const VARIABLE_SIZE: Want = constant("a constant, a variable or an expression", is_computed);
const BOUND: Want = constant("a constant, a variable or an expression", is_computed);
const TYPE_BOUND: Want = constant("a constant, a variable, an expression or a `!DIDerivedType`", |n| {
    is_computed(n) || n.kind() == MdKind::DIDerivedType
});
const COMPUTED: Want = optional("a variable or an expression", is_computed);
const COMPUTED_BOUND: Want = required("a variable or an expression", is_computed);

fn is_computed(node: Node<'_>) -> bool {
    node.is_variable() || node.kind() == MdKind::DIExpression
}

const LOCATION: Want = optional("a `!DILocation`", |n| n.kind() == MdKind::DILocation);
const DERIVED: Want = optional("a `!DIDerivedType`", |n| n.kind() == MdKind::DIDerivedType);
const UNIT_FILE: Want = required("a `!DIFile`", |n| n.kind() == MdKind::DIFile);
const SIGNATURE: Want = optional("a `!DISubroutineType`", |n| n.kind() == MdKind::DISubroutineType);
const GLOBAL: Want = optional("a `!DIGlobalVariable`", |n| n.kind() == MdKind::DIGlobalVariable);
const VARIABLE: Want = required("a `!DIGlobalVariable`", |n| n.kind() == MdKind::DIGlobalVariable);
const LOCATED_GLOBAL: Want =
    required("a `!DIGlobalVariableExpression`", |n| n.kind() == MdKind::DIGlobalVariableExpression);
const IMPORT: Want = required("a `!DIImportedEntity`", |n| n.kind() == MdKind::DIImportedEntity);
const DECLARATION: Want = optional("a `!DISubprogram` that is a declaration", |n| {
    n.kind() == MdKind::DISubprogram && !n.is_definition()
});
const DATA_TYPE: Want = optional("a data type", |n| n.is_type() && n.kind() != MdKind::DISubroutineType);
const ENTITY: Want = optional("a declaration or scope", |n| n.is_entity());
const ENUMERATION: Want = required("an enumeration type", |n| {
    n.kind() == MdKind::DICompositeType && n.tag() == "DW_TAG_enumeration_type"
});
const RETAINED_TYPE: Want = required("a type or the declaration of a subprogram", |n| {
    n.is_type() || n.kind() == MdKind::DISubprogram && !n.is_definition()
});
const RETAINED: Want = required("a `!DILocalVariable`, `!DILabel` or `!DIImportedEntity`", |n| {
    matches!(n.kind(), MdKind::DILocalVariable | MdKind::DILabel | MdKind::DIImportedEntity)
});
const THROWN: Want = required("a type", |n| n.is_type());
/// LLVM asks no more of the elements of a type than to be there.
const ELEMENT: Want = Want { words: "a node", is: |_| true, constant: true, null: false };
const MACRO: Want = required("a macro", |n| n.is_macro());
const TEMPLATE_PARAMETER: Want = required("a template parameter", |n| {
    matches!(n.kind(), MdKind::DITemplateTypeParameter | MdKind::DITemplateValueParameter)
});

/// What the fields of a kind of node refer to.
fn references(kind: MdKind) -> &'static [(F, Want)] {
    match kind {
        MdKind::DILocation => &[(F::Scope, LOCAL_SCOPE), (F::InlinedAt, LOCATION)],
        MdKind::DISubrange => {
            &[(F::Count, BOUND), (F::LowerBound, BOUND), (F::UpperBound, BOUND), (F::Stride, BOUND)]
        }
        MdKind::DISubrangeType => &[
            (F::BaseType, TYPE),
            (F::LowerBound, TYPE_BOUND),
            (F::UpperBound, TYPE_BOUND),
            (F::Stride, BOUND),
            (F::Bias, BOUND),
            (F::Size, SIZE),
        ],
        MdKind::DIGenericSubrange => &[
            (F::Count, COMPUTED),
            (F::LowerBound, COMPUTED_BOUND),
            (F::UpperBound, COMPUTED),
            (F::Stride, COMPUTED_BOUND),
        ],
        MdKind::DIBasicType | MdKind::DIFixedPointType => &[(F::Size, SIZE)],
        MdKind::DIDerivedType => {
            &[(F::File, FILE), (F::Scope, SCOPE), (F::BaseType, TYPE), (F::Size, VARIABLE_SIZE)]
        }
        MdKind::DICompositeType => &[
            (F::File, FILE),
            (F::Scope, SCOPE),
            (F::BaseType, TYPE),
            (F::VtableHolder, TYPE),
            (F::Size, VARIABLE_SIZE),
            (F::Discriminator, DERIVED),
        ],
        MdKind::DICompileUnit => &[(F::File, UNIT_FILE)],
        MdKind::DISubprogram => &[
            (F::Scope, SCOPE),
            (F::File, FILE),
            (F::Type, SIGNATURE),
            (F::ContainingType, TYPE),
            (F::Declaration, DECLARATION),
        ],
        MdKind::DILexicalBlock | MdKind::DILexicalBlockFile => &[(F::Scope, LOCAL_SCOPE)],
        MdKind::DICommonBlock => &[(F::Scope, SCOPE), (F::Declaration, GLOBAL)],
        MdKind::DINamespace => &[(F::Scope, SCOPE)],
        MdKind::DIMacroFile => &[(F::File, FILE)],
        MdKind::DITemplateTypeParameter | MdKind::DITemplateValueParameter => &[(F::Type, TYPE)],
        MdKind::DIGlobalVariable => {
            &[(F::Scope, SCOPE), (F::File, FILE), (F::Type, TYPE), (F::Declaration, DERIVED)]
        }
        MdKind::DILocalVariable => &[(F::Scope, LOCAL_SCOPE), (F::File, FILE), (F::Type, DATA_TYPE)],
        MdKind::DIGlobalVariableExpression => &[(F::Var, VARIABLE)],
        MdKind::DIObjCProperty => &[(F::Type, TYPE), (F::File, FILE)],
        MdKind::DIImportedEntity => &[(F::Scope, SCOPE), (F::Entity, ENTITY)],
        _ => &[],
    }
}

/// The fields that are lists, and what is in them.
fn lists(kind: MdKind) -> &'static [(F, Want)] {
    match kind {
        MdKind::DICompositeType => &[(F::Elements, ELEMENT), (F::TemplateParams, TEMPLATE_PARAMETER)],
        MdKind::DISubroutineType => &[(F::Types, TYPE)],
        MdKind::DICompileUnit => &[
            (F::Enums, ENUMERATION),
            (F::RetainedTypes, RETAINED_TYPE),
            (F::Globals, LOCATED_GLOBAL),
            (F::Imports, IMPORT),
            (F::Macros, MACRO),
        ],
        MdKind::DISubprogram => {
            &[(F::TemplateParams, TEMPLATE_PARAMETER), (F::RetainedNodes, RETAINED), (F::ThrownTypes, THROWN)]
        }
        MdKind::DIMacroFile => &[(F::Nodes, MACRO)],
        _ => &[],
    }
}

/// The tags that a kind of node may have; empty where the parser sets it.
fn tags(kind: MdKind) -> &'static [&'static str] {
    match kind {
        MdKind::DIBasicType => &["DW_TAG_base_type", "DW_TAG_unspecified_type", "DW_TAG_string_type"],
        MdKind::DIFixedPointType => &["DW_TAG_base_type"],
        MdKind::DIStringType => &["DW_TAG_string_type"],
        MdKind::DIDerivedType => &[
            "DW_TAG_typedef",
            "DW_TAG_pointer_type",
            "DW_TAG_ptr_to_member_type",
            "DW_TAG_reference_type",
            "DW_TAG_rvalue_reference_type",
            "DW_TAG_const_type",
            "DW_TAG_immutable_type",
            "DW_TAG_volatile_type",
            "DW_TAG_restrict_type",
            "DW_TAG_atomic_type",
            "DW_TAG_LLVM_ptrauth_type",
            "DW_TAG_member",
            "DW_TAG_variable",
            "DW_TAG_inheritance",
            "DW_TAG_friend",
            "DW_TAG_set_type",
            "DW_TAG_template_alias",
        ],
        MdKind::DICompositeType => &[
            "DW_TAG_array_type",
            "DW_TAG_structure_type",
            "DW_TAG_union_type",
            "DW_TAG_enumeration_type",
            "DW_TAG_class_type",
            "DW_TAG_variant_part",
            "DW_TAG_variant",
            "DW_TAG_namelist",
        ],
        MdKind::DITemplateValueParameter => &[
            "DW_TAG_template_value_parameter",
            "DW_TAG_GNU_template_template_param",
            "DW_TAG_GNU_template_parameter_pack",
        ],
        MdKind::DIImportedEntity => &["DW_TAG_imported_module", "DW_TAG_imported_declaration"],
        _ => &[],
    }
}

impl Want {
    fn accepts(&self, node: Node<'_>, value: Md<'_>) -> bool {
        match value {
            Md::Unknown => true,
            Md::Null => self.null,
            Md::Node(at) => at.node.kind == MdKind::Unknown || (self.is)(Node { scope: node.scope, at }),
            Md::Int { .. } => self.constant,
            Md::Value(id, tables) => {
                self.constant && !matches!(tables.operand(id).value, Value::Local(_) | Value::Metadata(_))
            }
            // The elements of a composite type, where LLVM does not look closer.
            Md::String(_) => self.constant && !self.null,
        }
    }
}

/// The first element of a list that is not what a field of the node wants.
fn wrong_element(node: Node<'_>, list: Node<'_>, want: &Want) -> Option<usize> {
    list.elements().position(|element| !want.accepts(node, element))
}

/// What is wrong with the long lists that a node refers to: other nodes may share them.
pub(super) fn check_long_lists(node: Node<'_>, known: &mut FxHashMap<(Key, MdKind, F), Option<usize>>) {
    for (field, want) in lists(node.kind()) {
        let Some(list) = node.node(*field).filter(|list| list.is_tuple() && list.at.len() > FEW) else {
            continue;
        };
        if let Some(key) = list.at.module_key() {
            known.entry((key, node.kind(), *field)).or_insert_with(|| wrong_element(node, list, want));
        }
    }
}

/// Reports what refers to the wrong kind of thing, and a tag that the kind of node does not have.
pub(super) fn check<'s>(node: Node<'s>, problems: &mut Problems<'s>) {
    let kind = node.kind();
    let name = kind.name();
    let allowed = tags(kind);
    if !allowed.is_empty() && !allowed.contains(&node.tag()) {
        let message = match node.tag() {
            "" => format!("`!{name}` must have one of the tags {}", one_of(allowed)),
            tag => format!("`!{name}` must not have tag `{tag}`; expected {}", one_of(allowed)),
        };
        problems.push(Problem::field(F::Tag, message));
    }
    for (field, want) in references(kind) {
        let value = node.field(*field);
        if !want.accepts(node, value) {
            let field_name = field.text();
            let message = match node.has(*field) {
                false => format!("missing `{field_name}` of `!{name}`: expected {}", want.words),
                true => {
                    format!("expected {} for `{field_name}` of `!{name}`, found {}", want.words, what(value))
                }
            };
            problems.push(Problem::field(*field, message).of(node, value));
        }
    }
    for (field, want) in lists(kind) {
        let value = node.field(*field);
        let list = match value {
            Md::Null | Md::Unknown => continue,
            Md::Node(at) => Node { scope: node.scope, at },
            _ => {
                let message =
                    format!("expected a tuple for `{}` of `!{name}`, found {}", field.text(), what(value));
                problems.push(Problem::field(*field, message));
                continue;
            }
        };
        if !list.is_tuple() {
            let message =
                format!("expected a tuple for `{}` of `!{name}`, found {}", field.text(), what(value));
            problems.push(Problem::field(*field, message).of(node, value));
            continue;
        }
        let known = list.at.module_key().and_then(|key| node.scope.long_lists.get(&(key, kind, *field)));
        let wrong = known.copied().unwrap_or_else(|| wrong_element(node, list, want));
        if let Some((n, element)) = wrong.and_then(|n| Some((n, list.elements().nth(n)?))) {
            let message = format!(
                "expected {2} for element {n} of `{0}` of `!{name}`, found {1}",
                field.text(),
                what(element),
                want.words
            );
            let at = if element.node().is_some() { element } else { value };
            problems.push(Problem::field(*field, message).of(node, at));
        }
    }
}

/// `a`, `b` or `c`.
fn one_of(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => format!("`{one}`"),
        [most @ .., last] => {
            let most: Vec<_> = most.iter().map(|w| format!("`{w}`")).collect();
            format!("{} or `{last}`", most.join(", "))
        }
    }
}
