//! Attachments that state a fact about one value or call: `!nofree`, `!captures`, `!alloc_token`, `!callee_type`.
//!
//! Source: LLVM Language Reference, "Metadata" and the paragraph of each kind.

use super::fault::wrong;
use crate::body::{Inst, Opcode};
use crate::context::FunctionContext;
use crate::metadata_view::Md;
use crate::scope::{NodeRef, Scope};
use wavelens_base::Verdict;

pub(super) fn check(cx: &FunctionContext<'_>, inst: &Inst, kind: &str, node: NodeRef<'_>) -> Verdict {
    if inst.opcode == Opcode::Error || !node.is_tuple() {
        return Ok(());
    }
    match kind {
        "nofree" => no_free(cx, inst, node),
        "captures" => captures(cx, inst, node),
        _ if !inst.opcode.is_call() => {
            wrong(format!("`!{kind}` applies to calls, not to `{}`", inst.opcode.word()))
        }
        "alloc_token" => alloc_token(cx.scope, node),
        "callee_type" => callee_type(cx.scope, node),
        _ => Ok(()),
    }
}

/// `llvm.loop.estimated_trip_count` among the properties of a loop.
pub(super) fn trip_counts(scope: &Scope, node: NodeRef<'_>) -> Verdict {
    const NAME: &str = "llvm.loop.estimated_trip_count";
    for property in node.operands(scope).filter_map(Md::node).filter(|property| property.is_tuple()) {
        if !matches!(property.operands(scope).next(), Some(Md::String(NAME))) {
            continue;
        }
        let is_count = matches!(property.operand(scope, 1), Md::Int { bits: ..=32, .. } | Md::Unknown);
        if property.len() != 2 || !is_count {
            return wrong(format!("`{NAME}` must have one value, an integer of at most 32 bits"));
        }
    }
    Ok(())
}

fn no_free(cx: &FunctionContext<'_>, inst: &Inst, node: NodeRef<'_>) -> Verdict {
    let ty = cx.result_ty(inst);
    if inst.opcode != Opcode::IntToPtr || !ty.is_error() && !cx.types.is_ptr(ty) {
        return wrong(format!(
            "`!nofree` applies to `inttoptr` to a pointer, not to `{}`",
            inst.opcode.word()
        ));
    }
    if node.is_empty() { Ok(()) } else { wrong("the node of `!nofree` must be empty") }
}

fn captures(cx: &FunctionContext<'_>, inst: &Inst, node: NodeRef<'_>) -> Verdict {
    if inst.opcode != Opcode::Store {
        return wrong(format!("`!captures` applies to `store`, not to `{}`", inst.opcode.word()));
    }
    let ty = cx.operand_ty(inst, 0);
    if !ty.is_error() && !cx.types.is_ptr(ty) {
        return wrong(format!("`!captures` requires a store of a pointer, found `{}`", cx.display_ty(ty)));
    }
    if node.is_empty() {
        return wrong("`!captures` must have at least one operand");
    }
    for entry in node.operands(cx.scope) {
        match entry {
            Md::Unknown | Md::String("address_is_null" | "address" | "read_provenance" | "provenance") => {}
            _ => {
                return wrong(
                    "an operand of `!captures` must be `address_is_null`, `address`, `read_provenance` or `provenance`",
                );
            }
        }
    }
    Ok(())
}

fn alloc_token(scope: &Scope, node: NodeRef<'_>) -> Verdict {
    let right = node.len() == 2
        && matches!(node.operand(scope, 0), Md::String(_) | Md::Unknown)
        && matches!(node.operand(scope, 1), Md::Int { .. } | Md::Unknown);
    if right {
        Ok(())
    } else {
        wrong("`!alloc_token` must have the form `!{!\"type\", i1 contains-pointers}`")
    }
}

fn callee_type(scope: &Scope, list: NodeRef<'_>) -> Verdict {
    for entry in list.operands(scope) {
        let ty = match entry {
            Md::Unknown => continue,
            Md::Node(ty) => ty,
            _ => return wrong("an operand of `!callee_type` must be a node"),
        };
        let right = ty.len() == 2
            && matches!(ty.operand(scope, 0), Md::Int { value: Some(0), .. } | Md::Unknown)
            && match ty.operand(scope, 1) {
                Md::String(name) => name.ends_with(".generalized"),
                other => other.is_unknown(),
            };
        if !right {
            return wrong("a type in `!callee_type` must have the form `!{i64 0, !\"name.generalized\"}`");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::findings;

    #[test]
    fn estimated_trip_counts() {
        let of = |count: &str| {
            let text = format!(
                "define void @f() {{\n  br label %a\na:\n  br label %a, !llvm.loop !0\n}}\n!0 = distinct !{{!0, !1}}\n!1 = !{{!\"llvm.loop.estimated_trip_count\"{count}}}\n"
            );
            findings(&text)
        };
        expect![""].assert_eq(&of(", i32 1"));
        expect![[r#"
            4: metadata-attachment: `llvm.loop.estimated_trip_count` must have one value, an integer of at most 32 bits
        "#]].assert_eq(&of(", i64 1"));
        assert_eq!(of(""), of(", i64 1"));
        assert_eq!(of(", i32 1, i32 1"), of(", i64 1"));
    }

    #[test]
    fn facts() {
        let text = "define void @f(ptr %p, i64 %n) {
  %a = add i64 %n, 1, !nofree !0
  store ptr %p, ptr %p, !captures !1
  store i64 %n, ptr %p, !captures !1
  call void @f(ptr %p, i64 %n), !alloc_token !1, !callee_type !2
  ret void, !alloc_token !3
}
!0 = !{}
!1 = !{!\"all\"}
!2 = !{!3}
!3 = !{i64 0, !\"_ZTSFvvE\"}
";
        expect![[r#"
            2: metadata-attachment: `!nofree` applies to `inttoptr` to a pointer, not to `add`
            3: metadata-attachment: an operand of `!captures` must be `address_is_null`, `address`, `read_provenance` or `provenance`
            4: metadata-attachment: `!captures` requires a store of a pointer, found `i64`
            5: metadata-attachment: `!alloc_token` must have the form `!{!"type", i1 contains-pointers}`
            5: metadata-attachment: a type in `!callee_type` must have the form `!{i64 0, !"name.generalized"}`
            6: metadata-attachment: `!alloc_token` applies to calls, not to `ret`
        "#]].assert_eq(&findings(text));
    }
}
