//! Debug records, and the calls of `llvm.dbg.*` that LLVM makes records of: what each part of one is.
//!
//! Source: LLVM, "Source Level Debugging", *Debug Records*; what LLVM 22's verifier asks of them.

use rustc_hash::FxHashMap;

use super::expression;
use super::functions::{name_of, own_subprogram};
use super::kinds::fragment_of;
use super::node::{Node, what};
use super::problem::{Problem, Problems, dropped};
use crate::attribute::AttrKind;
use crate::body::{Call, DebugRecordKind, InstId, LocalKind, is_debug_call};
use crate::context::RuleContext;
use crate::debug_info::DebugInfo;
use crate::metadata::{FieldName as F, MdKind, MdValue};
use crate::metadata_view::Md;
use crate::operand::{Const, LocalId, Operand, Value};
use crate::summary::DebugFormat;
use crate::types::TypeId;
use wavelens_base::{Severity, TextRange};

wavelens_syntax::rules! {
    MIXED {
        code: "mixed-debug-info",
        severity: Severity::Error,
        title: "a module uses debug records or debug intrinsics, not both",
        explain: "A module describes its variables with records (`#dbg_value`) or with calls of `llvm.dbg.*`. LLVM \
            converts one form to the other for a whole module and does not read a mixture.",
        example: r#"define void @f(i32 %x) !dbg !3 {
  #dbg_value(i32 %x, !7, !DIExpression(), !4)
  call void @llvm.dbg.value(metadata i32 %x, metadata !7, metadata !DIExpression()), !dbg !4
  ret void
}
declare void @llvm.dbg.value(metadata, metadata, metadata)
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DILocation(line: 1, scope: !3)
!5 = !DISubroutineType(types: !6)
!6 = !{null}
!7 = !DILocalVariable(name: "x", scope: !3, file: !1, line: 1)
"#,
        fixed: r#"define void @f(i32 %x) !dbg !3 {
  #dbg_value(i32 %x, !7, !DIExpression(), !4)
  #dbg_value(i32 0, !7, !DIExpression(), !4)
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DILocation(line: 1, scope: !3)
!5 = !DISubroutineType(types: !6)
!6 = !{null}
!7 = !DILocalVariable(name: "x", scope: !3, file: !1, line: 1)
"#,
        source: "LLVM `LLParser`: \"llvm.dbg intrinsic should not appear in a module using non-intrinsic debug \
            info\"; LLVM, \"Source Level Debugging\"",
    }
}

/// A record, written as one or as a call.
struct Record {
    kind: DebugRecordKind,
    /// Its parts but the location.
    values: Vec<MdValue>,
    location: Option<MdValue>,
    range: TextRange,
}

pub(super) fn check(cx: &mut RuleContext<'_>) {
    let body = cx.body;
    let mut found = Vec::new();
    // The variable of each argument of the function.
    let mut arguments: FxHashMap<u64, Node<'_>> = FxHashMap::default();
    let written = body.cold.records.iter().map(|record| {
        let mut values = record.values.of(&body.tables.cold.md_values).to_vec();
        let location = values.pop();
        Record { kind: record.kind, values, location, range: record.range }
    });
    let calls = cx.insts().filter_map(|(id, _)| called(cx, id));
    let records: Vec<_> = written.chain(calls).collect();
    for record in &records {
        let mut problems = Vec::new();
        match record.kind {
            DebugRecordKind::Label => label(cx, record, &mut problems),
            _ => variable(cx, record, &mut arguments, &mut problems),
        }
        found.extend(problems.iter().map(|p| dropped(record.range, p)));
    }
    cx.diagnostics.append(&mut found);
}

/// Reports the first record in a module of calls, and the first call in one of records.
pub(super) fn one_format(cx: &mut RuleContext<'_>, facts: &DebugInfo) {
    let body = cx.body;
    let found = match facts.format {
        None => None,
        Some(DebugFormat::Calls) => body.cold.records.first().map(|record| {
            let message = "debug record in a module with calls of `llvm.dbg.*`";
            (record.range, message)
        }),
        Some(DebugFormat::Records) => body
            .named_calls()
            .find(|(.., name)| is_debug_call(name))
            .map(|(id, ..)| (body.inst_range(id), "call of `llvm.dbg.*` in a module with debug records")),
    };
    if let Some((range, message)) = found {
        cx.report(&MIXED, range, message);
    }
}

/// The kind of record that LLVM makes of calls of an intrinsic, and how many arguments it takes for it.
fn kind_of(intrinsic: &str) -> Option<(DebugRecordKind, usize)> {
    Some(match intrinsic.strip_prefix("llvm.dbg.")? {
        "value" => (DebugRecordKind::Value, 3),
        "declare" => (DebugRecordKind::Declare, 3),
        "assign" => (DebugRecordKind::Assign, 6),
        "label" => (DebugRecordKind::Label, 1),
        _ => return None,
    })
}

/// Whether LLVM can make a record of a call: the result and additional arguments may be anything.
pub(in crate::rules) fn becomes_record(cx: &RuleContext<'_>, call: &Call) -> bool {
    let Some((kind, count)) = cx.callee_name(call).and_then(kind_of) else { return false };
    let is_metadata = |arg: &Operand| matches!(arg.value, Value::Metadata(_));
    match cx.body.operands(call.args) {
        // With the offset that the intrinsic once had.
        [value, offset, variable, expression] if kind == DebugRecordKind::Value && !is_metadata(offset) => {
            [value, variable, expression].into_iter().all(is_metadata)
        }
        // What is missing, LLVM takes as null and drops the record.
        args => args.iter().take(count).all(is_metadata),
    }
}

/// A call of `llvm.dbg.*` as the record that LLVM makes of it.
fn called(cx: &RuleContext<'_>, id: InstId) -> Option<Record> {
    let body = cx.body;
    let inst = cx.inst(id)?;
    let call = body.call(inst)?;
    let (kind, count) = kind_of(cx.callee_name(call)?)?;
    let args = body.operands(call.args);
    let mut values: Vec<_> = args
        .iter()
        .map(|arg| match arg.value {
            Value::Metadata(at) => {
                body.tables.cold.md_values.get(at as usize).copied().unwrap_or(MdValue::Error)
            }
            _ => MdValue::Error,
        })
        .collect();
    // An argument that is a node of one constant, or of null, is what is in it.
    for value in &mut values {
        if let Some(node) = cx.node(*value).filter(|n| n.is_tuple() && n.len() == 1)
            && matches!(node.operand(cx.scope, 0), Md::Null | Md::Int { .. } | Md::Value(..))
        {
            *value = MdValue::Error;
        }
    }
    if kind == DebugRecordKind::Value && values.len() == 4 {
        // The offset that the intrinsic once had: LLVM drops the call if it is not 0.
        if args.get(1).and_then(|offset| body.tables.int_of(*offset)) != Some(0) {
            return None;
        }
        values.remove(1);
    }
    values.truncate(count);
    let location = body.tables.attachment(inst.attachments, "dbg").map(|a| a.value);
    // Of another kind it is reported as for any instruction.
    let is_other = |value: MdValue| match part(cx, value) {
        Md::Node(node) => node.node.kind != MdKind::DILocation,
        _ => false,
    };
    let location = location.map(|value| if is_other(value) { MdValue::Error } else { value });
    Some(Record { kind, values, location, range: body.inst_range(id) })
}

/// What a value of the body is.
fn part<'a>(cx: &RuleContext<'a>, value: MdValue) -> Md<'a> {
    Md::new(cx.scope, &cx.body.tables, None, value)
}

/// The part as a node of the right kind; otherwise what it should have been. `None`: not known.
fn wanted<'a>(
    cx: &RuleContext<'a>,
    value: Option<MdValue>,
    kind: MdKind,
    name: &str,
    problems: &mut Problems<'a>,
) -> Option<Node<'a>> {
    let value = value.map_or(Md::Null, |v| part(cx, v));
    match value {
        Md::Node(at) if at.node.kind == kind => return Some(Node { scope: cx.scope, at }),
        Md::Unknown => {}
        Md::Node(at) => {
            let message = format!(
                "expected a `!{}` for the {name} of a debug record, found {}",
                kind.name(),
                what(value)
            );
            let node = Node { scope: cx.scope, at };
            problems.push(Problem::new(message).about(node, "the referenced node"));
        }
        Md::Null => problems
            .push(Problem::new(format!("missing {name} of this debug record or call of `llvm.dbg.*`"))),
        _ => {
            let message = format!(
                "expected a `!{}` for the {name} of a debug record, found {}",
                kind.name(),
                what(value)
            );
            problems.push(Problem::new(message));
        }
    }
    None
}

fn label<'a>(cx: &RuleContext<'a>, record: &Record, problems: &mut Problems<'a>) {
    let label = wanted(cx, record.values.first().copied(), MdKind::DILabel, "label", problems);
    let location = record.location.and_then(|v| part(cx, v).node()).map(|at| Node { scope: cx.scope, at });
    if let (Some(label), Some(location)) = (label, location) {
        one_subprogram(label, location, "label", problems);
    }
}

fn variable<'a>(
    cx: &RuleContext<'a>,
    record: &Record,
    arguments: &mut FxHashMap<u64, Node<'a>>,
    problems: &mut Problems<'a>,
) {
    let value = |n: usize| record.values.get(n).copied();
    let operand = value(0).and_then(|v| match v {
        MdValue::Value(id) => Some(cx.body.tables.operand(id)),
        _ => None,
    });
    place(cx, value(0), true, problems);
    if let (Some(operand), DebugRecordKind::Declare) = (operand, record.kind) {
        let ty = type_of(cx, operand);
        if !ty.is_error() && !cx.types.is_ptr(ty) && cx.types.int_bits(ty).is_none() {
            let message = format!(
                "expected a pointer for the address of `#dbg_declare`, found `{}`",
                cx.display_ty(ty)
            );
            problems.push(Problem::new(message));
        }
    }
    let variable = wanted(cx, value(1), MdKind::DILocalVariable, "variable", problems);
    let expression = wanted(cx, value(2), MdKind::DIExpression, "expression", problems);
    if record.kind == DebugRecordKind::Assign {
        wanted(cx, value(3), MdKind::DIAssignID, "assignment", problems);
        place(cx, value(4), false, problems);
        wanted(cx, value(5), MdKind::DIExpression, "address expression", problems);
    }
    let location = wanted(cx, record.location, MdKind::DILocation, "location", problems);
    if let Some(read) = expression.and_then(|e| expression::read(e).ok()) {
        if let (Some(fragment), Some(variable)) = (read.fragment, variable)
            && !variable.has_flag(F::Flags, "DIFlagArtificial", 6)
        {
            fragment_of(fragment, variable, problems);
        }
        if read.is_entry_value && !operand.is_some_and(|o| may_be_entry_value(cx, o)) {
            let message = "`DW_OP_LLVM_entry_value` applies only to `swiftasync` arguments";
            problems.push(Problem::new(message));
        }
    }
    let (Some(variable), Some(location)) = (variable, location) else { return };
    if !one_subprogram(variable, location, "variable", problems) {
        return;
    }
    if own_subprogram(cx).is_none() || location.node(F::InlinedAt).is_some() {
        return;
    }
    let Some(number @ 1..) = variable.number(F::Arg) else { return };
    match arguments.get(&number) {
        Some(first) if !first.same(variable) => {
            let message = format!("two variables have `arg: {number}`");
            problems.push(Problem::new(message).about(*first, "the other variable"));
        }
        Some(_) => {}
        None => _ = arguments.insert(number, variable),
    }
}

/// A value, a list of them, or `!{}` where there is none.
fn place<'a>(cx: &RuleContext<'a>, value: Option<MdValue>, list: bool, problems: &mut Problems<'a>) {
    let Some(value) = value else { return };
    let md = part(cx, value);
    let right = match md {
        Md::Node(at) if at.node.kind == MdKind::DIArgList => list,
        Md::Node(at) => at.node.fields.is_empty(),
        Md::String(_) | Md::Null => false,
        _ => true,
    };
    if !right {
        let words = if list { "a value, a `!DIArgList` or `!{}`" } else { "a value or `!{}`" };
        let name = if list { "value" } else { "address" };
        let message = format!("expected {words} for the {name} of a debug record, found {}", what(md));
        problems.push(Problem::new(message));
    }
}

/// The type of what a record names: as it is written.
fn type_of(cx: &RuleContext<'_>, operand: Operand) -> TypeId {
    cx.ty(operand.ty)
}

fn may_be_entry_value(cx: &RuleContext<'_>, operand: Operand) -> bool {
    match operand.value {
        Value::Const(_) => {
            matches!(cx.constant(operand), Some(Const::Undef | Const::Poison | Const::Error))
        }
        Value::Local(id) => is_swift_async(cx, id),
        Value::Error => true,
        _ => false,
    }
}

fn is_swift_async(cx: &RuleContext<'_>, id: LocalId) -> bool {
    let Some(LocalKind::Argument(n)) = cx.body.local(id).map(|l| l.kind) else { return false };
    let params = cx.summary.params(cx.function);
    params
        .get(n as usize)
        .is_some_and(|p| cx.summary.tables.attrs(p.attrs).iter().any(|a| a.kind == AttrKind::SwiftAsync))
}

/// Whether what a record describes and its location are in one subprogram; true where that is not known.
fn one_subprogram<'s>(
    described: Node<'s>,
    location: Node<'s>,
    name: &str,
    problems: &mut Problems<'s>,
) -> bool {
    let subprogram = |node: Node<'s>| node.node(F::Scope).and_then(Node::subprogram);
    let (Some(a), Some(b)) = (subprogram(described), subprogram(location)) else { return true };
    if a.same(b) {
        return true;
    }
    let message = format!(
        "the {name} of the debug record is in the subprogram {}, but its location is in {}",
        name_of(a),
        name_of(b)
    );
    problems.push(Problem::new(message).about(described, "the described node"));
    false
}
