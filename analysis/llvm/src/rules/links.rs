//! Attachments of globals that name another global: `!associated` and `!implicit.ref`; those that an ifunc must not have.
//!
//! Source: LLVM Language Reference, "'associated' Metadata" and "'implicit.ref' Metadata".

use super::attachments::fault::{ATTACHMENT, wrong};
use crate::body::Opcode;
use crate::context::ModuleContext;
use crate::metadata_view::Md;
use crate::operand::{Const, OperandId, Value};
use crate::scope::NodeRef;
use crate::summary::{GlobalHead, Summary};
use crate::types::{Span, Type};
use wavelens_base::Verdict;

pub(super) fn module(cx: &mut ModuleContext<'_>) {
    let summary = cx.summary;
    let globals = summary.globals.iter().map(|g| (g.head, g.attachments, g.init.is_none()));
    let functions = summary.functions.iter().map(|f| (f.head, f.attachments, !f.is_definition));
    let aliases = summary.cold.aliases.iter().map(|a| (a.head, a.attachments, false));
    let mut found: Vec<(usize, String)> =
        summary.cold.aliases.iter().flat_map(|a| misplaced(cx, a.attachments)).collect();
    let all = globals.chain(functions).chain(aliases);
    for (head, attachments, declared) in all.filter(|(_, a, _)| !a.is_empty()) {
        found.extend(check(cx, head, attachments, declared));
    }
    for (index, message) in found {
        let range = cx.ranges.cold.attachments.get(index).copied().unwrap_or_default();
        cx.report(&ATTACHMENT, range, message);
    }
}

/// Attachments of an ifunc that only functions may have.
fn misplaced(cx: &ModuleContext<'_>, attachments: Span) -> Vec<(usize, String)> {
    let kinds = cx.summary.tables.attachments(attachments).iter().map(|a| cx.summary.tables.name(a.kind));
    let wrong = kinds.enumerate().filter(|(_, kind)| matches!(*kind, "prof" | "dbg"));
    wrong
        .map(|(n, kind)| (attachments.start as usize + n, format!("an ifunc must not have `!{kind}`")))
        .collect()
}

/// Indexes of the attachments that are wrong, and why.
fn check(
    cx: &ModuleContext<'_>,
    head: GlobalHead,
    attachments: Span,
    declared: bool,
) -> Vec<(usize, String)> {
    let tables = &cx.summary.tables;
    let mut found = Vec::new();
    for (n, attachment) in tables.attachments(attachments).iter().enumerate() {
        let kind = tables.name(attachment.kind);
        if !matches!(kind, "associated" | "implicit.ref") {
            continue;
        }
        let Some(node) = cx.node(attachment.value).filter(|n| n.is_tuple()) else { continue };
        let verdict = if declared && kind == "implicit.ref" {
            wrong("`!implicit.ref` applies only to definitions")
        } else {
            target(cx, head, kind, node)
        };
        found.extend(verdict.err().map(|fault| (attachments.start as usize + n, fault.message)));
    }
    found
}

fn target<'a>(cx: &ModuleContext<'a>, head: GlobalHead, kind: &str, node: NodeRef<'a>) -> Verdict {
    if node.len() != 1 {
        return wrong(format!("`!{kind}` must have one operand, a global"));
    }
    let (id, summary) = match (node.operand(cx.scope, 0), node.summary.and_then(|s| cx.scope.summary(s))) {
        (Md::Unknown, _) | (Md::Value(..), None) => return Ok(()),
        (Md::Value(id, _), Some(summary)) => (id, summary),
        _ => return wrong(format!("the operand of `!{kind}` must be a global, as in `!{{ptr @g}}`")),
    };
    if !matches!(
        summary.tables.types.get(summary.operand(id).ty),
        Type::Ptr(_) | Type::Named(_) | Type::Error
    ) {
        return wrong(format!("the operand of `!{kind}` must be a pointer"));
    }
    let own = cx.scope.global_index(head.name, &cx.summary.tables.names);
    if own.is_some() && own == pointee(cx, summary, id) {
        return wrong(format!("`!{kind}` of a global must not refer to the global itself"));
    }
    Ok(())
}

/// The global that a constant points to, casts and aliases aside.
fn pointee<'a>(cx: &ModuleContext<'a>, mut summary: &'a Summary, mut id: OperandId) -> Option<u32> {
    for _ in 0..16 {
        let operand = summary.operand(id);
        if let Value::Global(symbol) = operand.value {
            let index = cx.scope.global_index(symbol, &summary.tables.names)?;
            let Some((next, alias)) = cx.scope.alias(cx.scope.globals.get(index as usize)?) else {
                return Some(index);
            };
            (summary, id) = (next, alias.target);
            continue;
        }
        let Some(Const::Expr(expr)) = summary.tables.const_of(operand) else { return None };
        let expr = summary.tables.cold.exprs.get(expr as usize)?;
        if !matches!(expr.opcode, Opcode::BitCast | Opcode::AddrSpaceCast) {
            return None;
        }
        id = OperandId(expr.operands.start);
    }
    None
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::findings;

    #[test]
    fn names_another_global() {
        let text = "@a = alias i32, ptr @g\n@g = global i32 0, !associated !0\n\
                    @h = external global i32, !implicit.ref !0\ndefine void @f() !implicit.ref !1 {\n  ret void\n}\n\
                    !0 = !{ptr @a}\n!1 = !{ptr @a, ptr @h}\n";
        expect![[r#"
            2: metadata-attachment: `!associated` of a global must not refer to the global itself
            3: metadata-attachment: `!implicit.ref` applies only to definitions
            4: metadata-attachment: `!implicit.ref` must have one operand, a global
        "#]]
        .assert_eq(&findings(text));
    }

    #[test]
    fn ifuncs() {
        let text = "@i = ifunc void (), ptr @r, !prof !0, !associated !0, !x !0\ndefine ptr @r() {\n  ret ptr null\n}\n!0 = !{}\n";
        expect![[r#"
            1: metadata-attachment: an ifunc must not have `!prof`
            1: metadata-attachment: `!associated` must have one operand, a global
        "#]]
        .assert_eq(&findings(text));
    }
}
