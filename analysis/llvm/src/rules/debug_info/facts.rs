//! What the whole module says about its debug information.

use crate::debug_info::DebugInfo;
use crate::metadata::MdValue;
use crate::metadata_view::Md;
use crate::scope::{NodeRef, Scope};
use crate::summary::Function;

/// The version of debug information that LLVM keeps.
pub(super) const VERSION: u64 = 3;

/// The facts about a scope.
pub(super) fn of(scope: &Scope) -> &DebugInfo {
    &scope.debug_info
}

/// Gathers them from all summaries.
pub(super) fn gather(scope: &Scope) -> DebugInfo {
    let mut facts = DebugInfo::default();
    let mut roots = Vec::new();
    for (index, (_, summary)) in scope.summaries.iter().enumerate() {
        let index = index as u32;
        facts.format = facts.format.or(summary.debug_format);
        let tables = &summary.tables;
        let resolve = |value: MdValue| scope.resolve_first(value, tables, Some(index));
        for named in &summary.cold.named_metadata {
            let nodes =
                named.values.of(&summary.cold.named_metadata_values).iter().copied().filter_map(resolve);
            match tables.name(named.name) {
                "llvm.dbg.cu" => facts.listed.extend(nodes.map(NodeRef::key)),
                "llvm.module.flags" => {
                    for node in nodes {
                        roots.push(node);
                        match node.operand(scope, 1) {
                            Md::String("SemanticInterposition") => facts.interposition = true,
                            Md::String("Debug Info Version") if facts.version.is_none() => {
                                facts.version = version(scope, node);
                            }
                            _ => {}
                        }
                    }
                }
                name if name.starts_with("llvm.dbg.") || name == "llvm.gcov" => {}
                _ => roots.extend(nodes),
            }
        }
        let attachments = tables.cold.attachments.iter();
        roots.extend(attachments.filter(|a| tables.name(a.kind) != "dbg").filter_map(|a| resolve(a.value)));
        for function in summary.functions.iter().filter(|f| f.is_definition) {
            for node in subprograms(scope, index, function) {
                facts.attached.entry(node.key()).or_insert((index, function.head.item));
            }
        }
    }
    while let Some(node) = roots.pop() {
        if facts.kept.insert(node.key()) {
            let fields = node.fields().iter();
            roots.extend(fields.filter_map(|f| scope.resolve_first(f.value, node.tables, node.summary)));
        }
    }
    facts
}

/// What is attached to a function as `!dbg`.
pub(super) fn subprograms<'s>(
    scope: &'s Scope,
    summary: u32,
    function: &Function,
) -> impl Iterator<Item = NodeRef<'s>> + use<'s> {
    let tables = scope.summary(summary).map(|s| &s.tables);
    let attachments = tables.map_or(&[][..], |t| t.attachments(function.attachments));
    attachments.iter().filter_map(move |a| {
        let tables = tables?;
        (tables.name(a.kind) == "dbg").then(|| scope.resolve_first(a.value, tables, Some(summary)))?
    })
}

fn version(scope: &Scope, flag: NodeRef<'_>) -> Option<u64> {
    match flag.operand(scope, 2) {
        Md::Int { value, .. } => value,
        _ if flag.len() < 3 => None,
        _ => Some(0),
    }
}
