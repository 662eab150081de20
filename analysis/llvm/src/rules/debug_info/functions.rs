//! `!dbg` on functions, on globals and on instructions: what it may be, and that code is in its own function's subprogram.

use rustc_hash::FxHashSet;

use super::facts::{self, subprograms};
use super::node::{Node, what};
use super::problem::{Problem, dropped, rejected};
use crate::body::{Inst, Opcode};
use crate::context::{ModuleContext, RuleContext};
use crate::debug_info::DebugInfo;
use crate::metadata::{FieldName as F, MdKind};
use crate::metadata_view::Md;
use crate::operand::Value;
use crate::scope::{GlobalInfo, NodeRef};
use crate::summary::Linkage;
use crate::types::Span;
use wavelens_base::TextRange;

/// `!dbg` of the functions and variables of a chunk.
pub(super) fn attachments(cx: &mut ModuleContext<'_>, facts: &DebugInfo) {
    let summary = cx.summary;
    let mut found = Vec::new();
    for function in &summary.functions {
        let mut given = 0;
        for (range, at) in attached(cx, function.attachments) {
            given += 1;
            let node = Node { scope: cx.scope, at };
            let is_subprogram = node.kind() == MdKind::DISubprogram;
            let problem = if node.kind() == MdKind::Unknown {
                continue;
            } else if !function.is_definition {
                match is_subprogram && node.is_distinct() {
                    true => Problem::new("`!dbg` of a declaration must not be a `distinct !DISubprogram`"),
                    false => continue,
                }
            } else if given > 1 {
                Problem::new("a function must have at most one `!dbg`")
            } else if !is_subprogram {
                let what = what(Md::Node(at));
                Problem::new(format!("expected a `!DISubprogram` for `!dbg` of a function, found {what}"))
            } else if !node.is_distinct() {
                Problem::new("`!dbg` of a function definition must be a `distinct !DISubprogram`")
            } else if let Some((summary, item)) = facts.attached.get(&at.key())
                && (*summary, *item) != (cx.summary_index, function.head.item)
            {
                let problem = Problem::new("this `!DISubprogram` is also attached to another function");
                let place = cx.scope.place(*summary, *item);
                found.push(dropped(range, &problem).related(place, "the other function"));
                continue;
            } else {
                continue;
            };
            found.push(dropped(range, &problem.about(node, "the referenced node")));
        }
    }
    for global in &summary.globals {
        for (range, at) in attached(cx, global.attachments) {
            if !matches!(at.node.kind, MdKind::DIGlobalVariableExpression | MdKind::Unknown) {
                let what = what(Md::Node(at));
                let message = format!(
                    "expected a `!DIGlobalVariableExpression` for `!dbg` of a variable, found {what}"
                );
                let node = Node { scope: cx.scope, at };
                let problem = Problem::new(message).about(node, "the referenced node");
                found.push(dropped(range, &problem));
            }
        }
    }
    cx.diagnostics.append(&mut found);
}

fn attached<'a>(cx: &ModuleContext<'a>, span: Span) -> Vec<(TextRange, NodeRef<'a>)> {
    let tables = &cx.summary.tables;
    let attachments = tables.attachments(span).iter().enumerate();
    attachments
        .filter(|(_, a)| tables.name(a.kind) == "dbg")
        .filter_map(|(n, a)| {
            let range = cx.ranges.cold.attachments.get(span.start as usize + n).copied().unwrap_or_default();
            Some((range, cx.node(a.value)?))
        })
        .collect()
}

/// The subprogram of the function being checked.
pub(super) fn own_subprogram<'a>(cx: &RuleContext<'a>) -> Option<Node<'a>> {
    let at = subprograms(cx.scope, cx.summary_index, cx.function).next()?;
    Some(Node { scope: cx.scope, at }).filter(|n| n.kind() == MdKind::DISubprogram)
}

/// A subprogram's name, for messages.
pub(super) fn name_of(subprogram: Node<'_>) -> String {
    match subprogram.text(F::Name) {
        None | Some("") => "one without a name".into(),
        Some(name) => format!("`{name}`"),
    }
}

/// Locations of the instructions of a body.
pub(super) fn locations(cx: &mut RuleContext<'_>) {
    let body = cx.body;
    let own = own_subprogram(cx);
    let mut seen: FxHashSet<(u32, u32)> = FxHashSet::default();
    let mut scopes: FxHashSet<(u32, u32)> = FxHashSet::default();
    let mut found = Vec::new();
    for (id, inst) in cx.insts() {
        let mut is_located = false;
        for (n, attachment) in body.attachments(inst).iter().enumerate() {
            let kind = body.tables.name(attachment.kind);
            is_located |= kind == "dbg";
            if !matches!(kind, "dbg" | "llvm.loop" | "DIAssignID") {
                continue;
            }
            let Some(at) = cx.node(attachment.value) else { continue };
            let range = || {
                let range = body.ranges.cold.attachments.get(inst.attachments.start as usize + n).copied();
                range.unwrap_or_else(|| body.inst_range(id))
            };
            let node = Node { scope: cx.scope, at };
            match kind {
                "dbg" => {
                    if seen.insert(at.key())
                        && let Err(problem) = location(node, own, &mut scopes)
                    {
                        let is_location = matches!(node.kind(), MdKind::DILocation | MdKind::Unknown);
                        let is_rejected = !is_location && cx.scope.follows(23);
                        found.push(if is_rejected { rejected } else { dropped }(range(), &problem));
                    }
                }
                "llvm.loop" => {
                    let inner = node.elements().skip(1).filter_map(Md::node).map(|at| Node { at, ..node });
                    for inner in inner.filter(|n| n.kind() == MdKind::DILocation) {
                        if seen.insert(inner.at.key())
                            && let Err(problem) = location(inner, own, &mut scopes)
                        {
                            found.push(dropped(range(), &problem));
                        }
                    }
                }
                _ if !assigns(cx, inst) => {
                    let word = inst.opcode.word();
                    let message =
                        format!("`!DIAssignID` applies to `alloca`, `store` and intrinsics, not to `{word}`");
                    found.push(dropped(range(), &Problem::new(message)));
                }
                _ => {}
            }
        }
        if !is_located
            && own.is_some()
            && let Some(problem) = call(cx, inst)
        {
            found.push(dropped(body.inst_range(id), &problem));
        }
    }
    cx.diagnostics.append(&mut found);
}

fn assigns(cx: &RuleContext<'_>, inst: &Inst) -> bool {
    match inst.opcode {
        Opcode::Alloca | Opcode::Store | Opcode::Error => true,
        Opcode::Call => {
            let name = cx.body.call(inst).and_then(|call| cx.callee_name(call));
            name.is_some_and(|n| n.starts_with("llvm."))
        }
        _ => false,
    }
}

/// Whether `node` is a location within the subprogram `own`.
fn location<'s>(
    node: Node<'s>,
    own: Option<Node<'s>>,
    scopes: &mut FxHashSet<(u32, u32)>,
) -> Result<(), Problem<'s>> {
    if node.kind() == MdKind::Unknown {
        return Ok(());
    }
    if node.kind() != MdKind::DILocation {
        let what = what(Md::Node(node.at));
        let message = format!("expected a `!DILocation` for `!dbg` of an instruction, found {what}");
        return Err(Problem::new(message).about(node, "the referenced node"));
    }
    if !matches!(node.number(F::AtomGroup), Some(0))
        && let Some(subprogram) = node.node(F::Scope).and_then(Node::subprogram)
        && !subprogram.is_true(F::KeyInstructions)
    {
        let message = "`atomGroup` of a location requires `keyInstructions: true` in its subprogram";
        return Err(Problem::new(message).about(subprogram, "the subprogram"));
    }
    let Some(own) = own else { return Ok(()) };
    let mut outermost = node;
    // Each location and scope is visited once: what encloses one that was visited has been compared.
    while let Some(next) = outermost.node(F::InlinedAt) {
        if !scopes.insert(next.at.key()) {
            return Ok(());
        }
        outermost = next;
    }
    let Some(mut scope) = outermost.node(F::Scope).filter(|s| s.is_local_scope()) else { return Ok(()) };
    loop {
        if !scopes.insert(scope.at.key()) {
            return Ok(());
        }
        if scope.kind() == MdKind::DISubprogram {
            break;
        }
        let Some(next) = scope.node(F::Scope).filter(|s| s.is_local_scope()) else { return Ok(()) };
        scope = next;
    }
    match scope {
        subprogram if !subprogram.same(own) => {
            let message = format!(
                "the location is in the subprogram {}, but the function's subprogram is {}",
                name_of(subprogram),
                name_of(own)
            );
            Err(Problem::new(message).about(subprogram, "the subprogram of the location"))
        }
        _ => Ok(()),
    }
}

/// A call without a location, of a function that could be inlined here.
fn call<'s>(cx: &RuleContext<'s>, inst: &Inst) -> Option<Problem<'s>> {
    let call = cx.body.call(inst).filter(|_| inst.opcode.is_call())?;
    let Value::Global(_) = cx.body.tables.operand(call.callee).value else { return None };
    let global = cx.global(cx.body.tables.operand(call.callee))?;
    let (_, callee) = cx.scope.function(global)?;
    if !callee.is_definition || is_interposable(cx, global) {
        return None;
    }
    let at = subprograms(cx.scope, global.summary, callee).next()?;
    let name = cx.scope.global_name(global);
    let message = format!("missing `!dbg` on this call of `{name}`: both functions have debug information");
    Some(Problem::new(message).about(Node { scope: cx.scope, at }, "the subprogram of the callee"))
}

/// Whether the linker may take another definition; also where that depends on more than the linkage.
fn is_interposable(cx: &RuleContext<'_>, global: &GlobalInfo) -> bool {
    match global.head.linkage {
        Linkage::Weak | Linkage::LinkOnce | Linkage::Common | Linkage::ExternWeak => true,
        linkage => !global.head.dso_local && !linkage.is_local() && facts::of(cx.scope).interposition,
    }
}
