//! What is wrong within a debug-info node whose references are each of the right kind.
//!
//! Source: LLVM Language Reference, "Specialized Metadata Nodes", and what LLVM 22's verifier asks of them.

use super::expression;
use super::node::{Node, what};
use super::problem::{Problem, Problems};
use crate::debug_info::Fragment;
use crate::metadata::{FieldName as F, MdKind, MdValue};
use crate::metadata_view::Md;

pub(super) fn check<'s>(node: Node<'s>, problems: &mut Problems<'s>) {
    match node.kind() {
        MdKind::DILocation => definition_scope(node, problems),
        MdKind::GenericDINode if node.number(F::Tag) == Some(0) => {
            problems.push(Problem::field(F::Tag, "the tag of a `!GenericDINode` must not be 0"));
        }
        MdKind::DISubrange => subrange(node, problems),
        MdKind::DIGenericSubrange => one_end(node, problems),
        MdKind::DIFixedPointType => fixed_point(node, problems),
        MdKind::DIDerivedType => derived(node, problems),
        MdKind::DICompositeType => composite(node, problems),
        MdKind::DISubroutineType => reference_flags(node, problems),
        MdKind::DIFile => file(node, problems),
        MdKind::DICompileUnit => {
            if let Some(file) = node.node(F::File)
                && file.text(F::Filename) == Some("")
            {
                let message = "`file` of a `!DICompileUnit` must have a non-empty `filename`";
                problems.push(Problem::field(F::File, message).of(node, node.field(F::File)));
            }
        }
        MdKind::DISubprogram => subprogram(node, problems),
        MdKind::DILexicalBlock => {
            definition_scope(node, problems);
            if node.number(F::Line) == Some(0) && !matches!(node.number(F::Column), Some(0) | None) {
                problems.push(Problem::field(F::Column, "a `!DILexicalBlock` with a column requires a line"));
            }
        }
        MdKind::DILexicalBlockFile => definition_scope(node, problems),
        MdKind::DIMacro => {
            one_of_types(node, &[(1, "DW_MACINFO_define"), (2, "DW_MACINFO_undef")], problems);
            named(node, problems);
        }
        MdKind::DIMacroFile if node.at.field(F::Type).is_some() => {
            one_of_types(node, &[(3, "DW_MACINFO_start_file")], problems);
        }
        MdKind::DIModule => named(node, problems),
        MdKind::DIGlobalVariable => {
            let is_definition = node.at.field(F::IsDefinition) != Some(MdValue::Bool(false));
            if is_definition && matches!(node.field(F::Type), Md::Null) {
                problems.push(Problem::new("missing `type` of a `!DIGlobalVariable` that is a definition"));
            }
        }
        MdKind::DIAssignID if !node.is_distinct() => {
            problems.push(Problem::new("a `!DIAssignID` must be `distinct`"));
        }
        MdKind::DIExpression => {
            if let Err(message) = expression::read(node) {
                problems.push(Problem::new(message));
            }
        }
        MdKind::DIGlobalVariableExpression => {
            if let (Some(variable), Some(expression)) = (node.node(F::Var), node.node(F::Expr))
                && let Ok(Some(fragment)) = expression::read(expression).map(|e| e.fragment)
            {
                fragment_of(fragment, variable, problems);
            }
        }
        _ => {}
    }
}

/// A fragment is a proper part of its variable.
pub(super) fn fragment_of<'s>(fragment: Fragment, variable: Node<'s>, problems: &mut Problems<'s>) {
    let Some(bits) = variable.variable_bits() else { return };
    let Fragment { offset, size } = fragment;
    let message = if size.wrapping_add(offset) > bits {
        format!("the fragment ends at bit {}, but the variable has {bits} bits", offset.wrapping_add(size))
    } else if size == bits {
        format!("the fragment covers all {bits} bits of its variable; omit it")
    } else {
        return;
    };
    problems.push(Problem::new(message).about(variable, "the variable"));
}

/// Code is in definitions of subprograms, not in their declarations.
fn definition_scope<'s>(node: Node<'s>, problems: &mut Problems<'s>) {
    if let Some(scope) = node.node(F::Scope)
        && scope.kind() == MdKind::DISubprogram
        && !scope.is_definition()
    {
        let message = format!("`scope` of `!{}` is a subprogram without a definition", node.kind().name());
        problems.push(Problem::field(F::Scope, message).of(node, node.field(F::Scope)));
    }
}

fn one_end<'s>(node: Node<'s>, problems: &mut Problems<'s>) {
    let given = |name| !matches!((node.at.field(name), node.field(name)), (None, _) | (Some(_), Md::Null));
    if given(F::Count) && given(F::UpperBound) {
        let message =
            format!("`count` and `upperBound` of a `!{}` are mutually exclusive", node.kind().name());
        problems.push(Problem::field(F::UpperBound, message));
    }
}

fn subrange<'s>(node: Node<'s>, problems: &mut Problems<'s>) {
    one_end(node, problems);
    if let Md::Int { bits, value: Some(value) } = node.field(F::Count)
        && (1..=64).contains(&bits)
        && ((value << (64 - bits)) as i64) >> (64 - bits) < -1
    {
        problems.push(Problem::field(F::Count, "`count` of a `!DISubrange` must be at least -1"));
    }
}

fn fixed_point<'s>(node: Node<'s>, problems: &mut Problems<'s>) {
    let encoding = match node.at.field(F::Encoding) {
        Some(MdValue::Unsigned(number)) => matches!(number, 0x0d | 0x0e),
        _ => matches!(node.word(F::Encoding), Some("DW_ATE_signed_fixed" | "DW_ATE_unsigned_fixed")),
    };
    if !encoding {
        let message =
            "`encoding` of a `!DIFixedPointType` must be `DW_ATE_signed_fixed` or `DW_ATE_unsigned_fixed`";
        problems.push(Problem::field(F::Encoding, message));
    }
    let is_zero = |name| matches!(node.number(name), Some(0));
    let is_rational = node.word(F::Kind) == Some("Rational") || node.number(F::Kind) == Some(2);
    if is_rational && !is_zero(F::Factor) {
        problems.push(Problem::field(F::Factor, "a rational fixed-point type must not have a `factor`"));
    }
    for name in [F::Numerator, F::Denominator] {
        if !is_rational && !is_zero(name) {
            let message =
                format!("a fixed-point type that is not rational must not have a `{}`", name.text());
            problems.push(Problem::field(name, message));
        }
    }
}

fn derived<'s>(node: Node<'s>, problems: &mut Problems<'s>) {
    let tag = node.tag();
    if tag == "DW_TAG_variable" && !node.has_flag(F::Flags, "DIFlagStaticMember", 12) {
        let message = "a `!DIDerivedType` with tag `DW_TAG_variable` requires `flags: DIFlagStaticMember`";
        problems.push(Problem::field(F::Tag, message));
    }
    extra_data(node, tag, problems);
    if tag == "DW_TAG_set_type"
        && let Some(base) = node.node(F::BaseType)
        && base.is_type()
        && !set_base(base)
    {
        let message = "`baseType` of a set must be an enumeration or a basic type of integers or booleans";
        problems.push(Problem::field(F::BaseType, message).of(node, node.field(F::BaseType)));
    }
    let points =
        matches!(tag, "DW_TAG_pointer_type" | "DW_TAG_reference_type" | "DW_TAG_rvalue_reference_type");
    if node.at.field(F::DwarfAddressSpace).is_some() && !points {
        let message = "`dwarfAddressSpace` applies only to pointers and references";
        problems.push(Problem::field(F::DwarfAddressSpace, message));
    }
}

fn extra_data<'s>(node: Node<'s>, tag: &str, problems: &mut Problems<'s>) {
    let value = node.field(F::ExtraData);
    let is_constant = |md: Md<'_>| matches!(md, Md::Int { .. } | Md::Value(..) | Md::Unknown);
    let (right, words) = match tag {
        "DW_TAG_ptr_to_member_type" => (
            value.node().is_some_and(|at| Node { at, ..node }.is_type()),
            "the type that contains the member",
        ),
        "DW_TAG_template_alias" => (value.node().is_some_and(|at| at.is_tuple()), "a tuple of parameters"),
        "DW_TAG_member" | "DW_TAG_inheritance" | "DW_TAG_variable" => {
            let right = match value {
                Md::Node(at) if at.is_tuple() => at.len() == 1 && is_constant(at.operand(node.scope, 0)),
                Md::Node(at) => at.node.kind == MdKind::DIObjCProperty,
                _ => true,
            };
            (right, "a constant, a string, a `!DIObjCProperty` or a tuple of one constant")
        }
        _ => return,
    };
    if !right && !matches!(value, Md::Null | Md::Unknown) {
        let message = format!("expected {words} for `extraData` with tag `{tag}`, found {}", what(value));
        problems.push(Problem::field(F::ExtraData, message).of(node, value));
    }
}

fn set_base(base: Node<'_>) -> bool {
    match base.kind() {
        MdKind::DICompositeType => base.tag() == "DW_TAG_enumeration_type",
        MdKind::DIBasicType => match base.at.field(F::Encoding) {
            Some(MdValue::Unsigned(encoding)) => matches!(encoding, 2 | 5..=8),
            _ => matches!(
                base.word(F::Encoding),
                Some(
                    "DW_ATE_unsigned"
                        | "DW_ATE_signed"
                        | "DW_ATE_unsigned_char"
                        | "DW_ATE_signed_char"
                        | "DW_ATE_boolean"
                )
            ),
        },
        _ => false,
    }
}

fn reference_flags<'s>(node: Node<'s>, problems: &mut Problems<'s>) {
    let pairs = [
        (("DIFlagLValueReference", 13), ("DIFlagRValueReference", 14)),
        (("DIFlagTypePassByValue", 22), ("DIFlagTypePassByReference", 23)),
    ];
    for ((a, a_bit), (b, b_bit)) in pairs {
        if node.has_flag(F::Flags, a, a_bit) && node.has_flag(F::Flags, b, b_bit) {
            problems.push(Problem::field(F::Flags, format!("`{a}` and `{b}` are mutually exclusive")));
        }
    }
}

fn composite<'s>(node: Node<'s>, problems: &mut Problems<'s>) {
    reference_flags(node, problems);
    if node.has_flag(F::Flags, "DIFlagReservedBit4", 4) {
        let message = "the flag of bit 4 (blocks by reference) is no longer supported";
        problems.push(Problem::field(F::Flags, message));
    }
    let tag = node.tag();
    if node.has_flag(F::Flags, "DIFlagVector", 11) {
        let mut elements = node.node(F::Elements).into_iter().flat_map(Node::elements);
        let is_subrange = |md: Option<Md<'_>>| match md {
            Some(Md::Node(at)) => Node { at, ..node }.tag() == "DW_TAG_subrange_type",
            Some(Md::Unknown) => true,
            _ => false,
        };
        if !is_subrange(elements.next()) || elements.next().is_some() {
            problems.push(Problem::field(F::Flags, "`elements` of a vector must be one `!DISubrange`"));
        }
    }
    let only = |name: F, with: &str, problems: &mut Problems<'s>| {
        if tag != with && !matches!(node.field(name), Md::Null) {
            let message = format!("`{}` requires tag `{with}`, found `{tag}`", name.text());
            problems.push(Problem::field(name, message));
        }
    };
    only(F::Discriminator, "DW_TAG_variant_part", problems);
    for name in [F::DataLocation, F::Associated, F::Allocated, F::Rank] {
        only(name, "DW_TAG_array_type", problems);
    }
    if tag == "DW_TAG_array_type" && matches!(node.field(F::BaseType), Md::Null) {
        problems.push(Problem::new("missing `baseType` of an array type"));
    }
}

fn file<'s>(node: Node<'s>, problems: &mut Problems<'s>) {
    let digits = match node.word(F::ChecksumKind) {
        Some("CSK_MD5") => 32,
        Some("CSK_SHA1") => 40,
        Some("CSK_SHA256") => 64,
        _ => return,
    };
    let Some(sum) = node.text(F::Checksum) else { return };
    if sum.len() != digits {
        let message = format!("expected {digits} digits of the checksum, found {}", sum.len());
        problems.push(Problem::field(F::Checksum, message));
    } else if !sum.bytes().all(|b| b.is_ascii_hexdigit()) {
        problems.push(Problem::field(F::Checksum, "a checksum must consist of hexadecimal digits"));
    }
}

fn subprogram<'s>(node: Node<'s>, problems: &mut Problems<'s>) {
    reference_flags(node, problems);
    let no_file = node.at.field(F::File).is_none_or(|v| v == MdValue::Null);
    if no_file && !matches!(node.number(F::Line), Some(0) | None) {
        problems.push(Problem::field(F::Line, "a `!DISubprogram` with a line requires a file"));
    }
    let unit = node.field(F::Unit);
    if node.is_definition() {
        let is_unit = unit.node().is_some_and(|n| n.node.kind == MdKind::DICompileUnit);
        if matches!(unit, Md::Null) {
            let message = "missing `unit` of a `!DISubprogram` that is a definition";
            problems.push(Problem::new(message));
        } else if !is_unit && !unit.is_unknown() {
            let message =
                format!("expected a `!DICompileUnit` for `unit` of a `!DISubprogram`, found {}", what(unit));
            problems.push(Problem::field(F::Unit, message).of(node, unit));
        }
        retained(node, problems);
        return;
    }
    for name in [F::Unit, F::Declaration] {
        if !matches!(node.field(name), Md::Null | Md::Unknown) {
            let message = format!("a `!DISubprogram` that is a declaration must not have `{}`", name.text());
            problems.push(Problem::field(name, message));
        }
    }
    retained(node, problems);
    if node.has_flag(F::Flags, "DIFlagAllCallsDescribed", 29) {
        let message = "`DIFlagAllCallsDescribed` requires a definition, found a declaration";
        problems.push(Problem::field(F::Flags, message));
    }
}

/// What a subprogram retains is its own.
fn retained<'s>(node: Node<'s>, problems: &mut Problems<'s>) {
    let Some(list) = node.node(F::RetainedNodes) else { return };
    for element in list.elements().filter_map(|e| e.node()).map(|at| Node { at, ..node }) {
        let Some(scope) = element.node(F::Scope) else { continue };
        let message = if !scope.is_local_scope() {
            "is not local to it"
        } else if scope.subprogram().is_some_and(|s| !s.same(node)) {
            "belongs to another subprogram"
        } else {
            continue;
        };
        let message =
            format!("a `!{}` in `retainedNodes` of this `!DISubprogram` {message}", element.kind().name());
        problems.push(Problem::field(F::RetainedNodes, message).about(element, "retained here"));
        return;
    }
}

fn named<'s>(node: Node<'s>, problems: &mut Problems<'s>) {
    if node.text(F::Name) == Some("") {
        let message = format!("`name` of a `!{}` must not be empty", node.kind().name());
        problems.push(Problem::field(F::Name, message));
    }
}

fn one_of_types<'s>(node: Node<'s>, allowed: &[(u64, &str)], problems: &mut Problems<'s>) {
    let right = match node.at.field(F::Type) {
        Some(MdValue::Unsigned(number)) => allowed.iter().any(|(n, _)| *n == number),
        Some(MdValue::Word(word)) => allowed.iter().any(|(_, w)| *w == node.at.tables.name(word)),
        _ => true,
    };
    if !right {
        let words: Vec<_> = allowed.iter().map(|(_, w)| format!("`{w}`")).collect();
        let message = format!("invalid `type` of a `!{}`: {}", node.kind().name(), words.join(" or "));
        problems.push(Problem::field(F::Type, message));
    }
}
