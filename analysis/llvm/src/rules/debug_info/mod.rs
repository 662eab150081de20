//! Debug information that LLVM cannot use: it drops all of a module's, with a warning, for one node that is wrong.
//!
//! Source: LLVM Language Reference, "Specialized Metadata Nodes", and what LLVM 22's verifier asks of them.

mod expression;
mod facts;
mod fields;
mod functions;
mod kinds;
mod node;
pub(super) mod problem;
pub(super) mod records;

use facts::VERSION;
use node::{Node, what};
use problem::{INVALID, Problem, dropped};
pub(super) use records::becomes_record;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::arena::Ranges;
use crate::context::{ModuleContext, RuleContext};
use crate::debug_info::DebugInfo;
use crate::metadata::{MdKind, MdValue};
use crate::metadata_view::Md;
use crate::scope::{NodeRef, Scope};
use crate::summary::NamedMetadata;
use wavelens_base::{Diagnostic, Severity, TextRange};

wavelens_syntax::rules! {
    VERSION_FLAG {
        code: "debug-info-version",
        severity: Severity::Warning,
        title: "a module with debug info has the flag `Debug Info Version` with value 3",
        explain: "LLVM keeps debug information only if the module flag `Debug Info Version` is 3, and drops it \
            otherwise, with a warning.\n\n\
            Switch it off for modules whose debug information does not matter.",
        example: r#"!llvm.dbg.cu = !{!0}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/src")
"#,
        fixed: r#"!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
"#,
        source: "LLVM `UpgradeDebugInfo`: \"ignoring debug info with an invalid version\"; LLVM, \"Source Level \
            Debugging\"",
    }
}

/// What is wrong with a node of a chunk, each with the range of the field that it is about.
fn problems<'s>(node: Node<'s>, ranges: &Ranges) -> impl Iterator<Item = (TextRange, Problem<'s>)> {
    let mut problems = Vec::new();
    fields::check(node, &mut problems);
    kinds::check(node, &mut problems);
    let at = node.at;
    problems.into_iter().map(move |problem| {
        let field = problem.field.and_then(|name| at.fields().iter().position(|f| f.name == name));
        let range = field.and_then(|n| ranges.cold.md_fields.get(at.node.fields.start as usize + n).copied());
        (range.unwrap_or_else(|| node_range(at, ranges)), problem)
    })
}

/// Puts what holds of the module's debug information as a whole, and of what many of its nodes share, into its scope.
pub(crate) fn complete(scope: &mut Scope) {
    let (mut expressions, mut lists) = (FxHashMap::default(), FxHashMap::default());
    for (index, (_, summary)) in scope.summaries.iter().enumerate() {
        let tables = &summary.tables;
        for (at, node) in tables.cold.md_nodes.iter().enumerate() {
            let at = NodeRef { tables, node, summary: Some(index as u32), index: at as u32 };
            let node = Node { scope, at };
            match at.node.kind {
                MdKind::DIExpression => expressions.extend(expression::long(node)),
                _ => fields::check_long_lists(node, &mut lists),
            }
        }
    }
    scope.debug_info = facts::gather(scope);
    (scope.long_expressions, scope.long_lists) = (expressions, lists);
}

/// Whether LLVM keeps the debug information of a module: the module's flag has the version that it reads.
pub fn keeps_debug_info(scope: &Scope) -> bool {
    facts::of(scope).version == Some(VERSION)
}

fn node_range(at: NodeRef<'_>, ranges: &Ranges) -> TextRange {
    ranges.cold.md_nodes.get(at.index as usize).copied().unwrap_or_default()
}

fn is_checked(kind: MdKind) -> bool {
    !matches!(kind, MdKind::Tuple | MdKind::Unknown | MdKind::DIArgList)
}

pub(super) fn module(cx: &mut ModuleContext<'_>) {
    let facts = facts::of(cx.scope);
    let read = facts.version == Some(VERSION);
    let (summary, ranges, scope) = (cx.summary, cx.ranges, cx.scope);
    let tables = &summary.tables;
    for (index, node) in tables.cold.md_nodes.iter().enumerate().filter(|(_, n)| is_checked(n.kind)) {
        let at = NodeRef { tables, node, summary: Some(cx.summary_index), index: index as u32 };
        let kept = facts.kept.contains(&at.key());
        if !kept && !read {
            continue;
        }
        for (range, problem) in problems(Node { scope, at }, ranges) {
            let mut diagnostic = dropped(range, &problem);
            if kept {
                diagnostic.severity = Severity::Error;
                diagnostic.message = problem.message;
            }
            cx.diagnostics.push(diagnostic);
        }
        if node.kind == MdKind::DICompileUnit {
            unlisted(cx, facts, at, node_range(at, ranges));
        }
    }
    for named in &summary.cold.named_metadata {
        match tables.name(named.name) {
            "llvm.dbg.cu" if !read => version(cx, facts, named),
            "llvm.dbg.cu" => units(cx, named),
            name if read && name.starts_with("llvm.dbg.") => {
                let problem = Problem::new(format!(
                    "unknown named metadata `!{name}`; only `!llvm.dbg.cu` may begin with `llvm.dbg.`"
                ));
                cx.diagnostics.push(dropped(cx.item_range(named.item), &problem));
            }
            _ => {}
        }
    }
    if read {
        functions::attachments(cx, facts);
    }
}

fn version(cx: &mut ModuleContext<'_>, facts: &DebugInfo, named: &NamedMetadata) {
    let range = cx.item_range(named.item);
    let problem = match facts.version {
        None => "the module does not have the flag `Debug Info Version`".to_owned(),
        Some(version) => format!("the flag `Debug Info Version` must be {VERSION}, is {version}"),
    };
    cx.report(&VERSION_FLAG, range, format!("LLVM drops the module's debug information: {problem}"));
}

fn units(cx: &mut ModuleContext<'_>, named: &NamedMetadata) {
    let values = named.values.of(&cx.summary.cold.named_metadata_values);
    for (n, value) in values.iter().enumerate() {
        let Some(at) = cx.node(*value) else { continue };
        if !matches!(at.node.kind, MdKind::DICompileUnit | MdKind::Unknown) {
            let node = Node { scope: cx.scope, at };
            let message =
                format!("expected a `!DICompileUnit` in `!llvm.dbg.cu`, found {}", what(Md::Node(at)));
            let problem = Problem::new(message).about(node, "the referenced node");
            cx.diagnostics.push(dropped(cx.entry_range(named, n), &problem));
        }
    }
}

/// A compile unit that is in use but not listed.
fn unlisted(cx: &mut ModuleContext<'_>, facts: &DebugInfo, at: NodeRef<'_>, range: TextRange) {
    // The list itself goes with what LLVM drops.
    let is_kept = facts.version == Some(VERSION) && facts.listed.contains(&at.key());
    if facts.kept.contains(&at.key()) && !is_kept {
        let message =
            "LLVM drops the debug information, but other metadata still refers to this `!DICompileUnit`";
        cx.report(&INVALID, range, message).severity = Severity::Error;
        return;
    }
    if is_kept {
        return;
    }
    let own = cx.summary.cold.metadata.iter().find(|def| def.node == at.index).map(|def| def.number);
    let is_used = own.is_none_or(|number| {
        let mut fields = cx.scope.summaries.iter().flat_map(|(_, s)| &s.tables.cold.md_fields);
        fields.any(|f| f.value == MdValue::Number(number))
    });
    if is_used {
        let problem = Problem::new("`!llvm.dbg.cu` does not list this `!DICompileUnit`");
        cx.diagnostics.push(dropped(range, &problem));
    }
}

pub(super) fn function(cx: &mut RuleContext<'_>) {
    let facts = facts::of(cx.scope);
    records::one_format(cx, facts);
    if facts.version != Some(VERSION) {
        attached(cx, facts);
        return;
    }
    let (tables, ranges, scope) = (&cx.body.tables, &cx.body.ranges, cx.scope);
    for (index, node) in tables.cold.md_nodes.iter().enumerate().filter(|(_, n)| is_checked(n.kind)) {
        let at = NodeRef { tables, node, summary: None, index: index as u32 };
        let found = problems(Node { scope, at }, ranges);
        cx.diagnostics.extend(found.map(|(range, problem)| dropped(range, &problem)));
    }
    functions::locations(cx);
    records::check(cx);
}

/// Nodes that an instruction's attachments lead to stay where LLVM drops debug information: there it rejects one that is wrong.
fn attached(cx: &mut RuleContext<'_>, facts: &DebugInfo) {
    let (scope, tables) = (cx.scope, &cx.body.tables);
    let (mut seen, mut found) = (FxHashSet::default(), Vec::new());
    for (n, attachment) in tables.cold.attachments.iter().enumerate() {
        // LLVM takes locations out of loops as well.
        if matches!(tables.name(attachment.kind), "dbg" | "llvm.loop") {
            continue;
        }
        let mut open: Vec<_> = scope.resolve_first(attachment.value, tables, None).into_iter().collect();
        while let Some(at) = open.pop() {
            if facts.kept.contains(&at.key()) || !seen.insert(at.key()) {
                continue;
            }
            if is_checked(at.node.kind)
                && let Some((_, problem)) = problems(Node { scope, at }, &cx.body.ranges).next()
            {
                let range = cx.body.ranges.cold.attachments.get(n).copied().unwrap_or_default();
                let mut diagnostic = Diagnostic::new(&INVALID, range, problem.message);
                diagnostic.severity = Severity::Error;
                found.push(match (Node { scope, at }).place() {
                    Some(place) => diagnostic.related(place, "the node"),
                    None => diagnostic,
                });
            }
            let fields = at.fields().iter();
            open.extend(fields.filter_map(|f| scope.resolve_first(f.value, at.tables, at.summary)));
        }
    }
    cx.diagnostics.append(&mut found);
}

#[cfg(test)]
mod tests;
