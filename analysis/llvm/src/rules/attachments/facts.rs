//! Attachments that state a fact about one value or call: `!nofree`, `!captures`, `!alloc_token`, `!callee_type`.
//!
//! Source: LLVM Language Reference, "Metadata" and the paragraph of each kind.

use super::super::tbaa::check_tag;
use super::fault::wrong;
use crate::body::{Inst, Opcode};
use crate::context::RuleContext;
use crate::metadata_view::Md;
use crate::operand::Value;
use crate::scope::{GlobalKind, NodeRef, Scope};
use crate::types::Type;
use wavelens_base::Verdict;

pub(super) fn check(cx: &RuleContext<'_>, inst: &Inst, kind: &str, node: NodeRef<'_>) -> Verdict {
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

/// What LLVM 24 asks of attachments that LLVM 22 does not look at.
pub(super) fn check_of_24(cx: &RuleContext<'_>, inst: &Inst, kind: &str, node: NodeRef<'_>) -> Verdict {
    if inst.opcode == Opcode::Error || !node.is_tuple() {
        return Ok(());
    }
    let scope = cx.scope;
    let word = inst.opcode.word();
    match kind {
        "noundef" if inst.opcode != Opcode::Load => {
            wrong(format!("`!noundef` applies to loads, not to `{word}`"))
        }
        "noundef" if !node.is_empty() => wrong("the node of `!noundef` must be empty"),
        "nofpclass" if inst.opcode != Opcode::Load => {
            wrong(format!("`!nofpclass` applies to loads, not to `{word}`"))
        }
        "nofpclass" => no_fp_class(cx, inst, node),
        "invariant.load" => {
            let is_intrinsic = || {
                cx.body
                    .call(inst)
                    .and_then(|call| cx.callee_name(call))
                    .is_none_or(|n| n.starts_with("llvm."))
            };
            match inst.opcode {
                Opcode::Load => Ok(()),
                _ if inst.opcode.is_call() && is_intrinsic() => Ok(()),
                _ => wrong(format!(
                    "`!invariant.load` applies to loads and intrinsics that only read, not to `{word}`"
                )),
            }
        }
        "inline_history" if !inst.opcode.is_call() => {
            wrong(format!("`!inline_history` applies to calls, not to `{word}`"))
        }
        "inline_history" => {
            let is_function = |entry: Md<'_>| match entry {
                Md::Null | Md::Unknown => true,
                Md::Value(id, tables) => match tables.operand(id).value {
                    Value::Global(symbol) => scope
                        .global(symbol, &tables.names)
                        .is_none_or(|global| matches!(global.kind, GlobalKind::Function(_))),
                    _ => false,
                },
                _ => false,
            };
            match node.operands(scope).all(is_function) {
                true => Ok(()),
                false => wrong("an operand of `!inline_history` must be a function or `null`"),
            }
        }
        "amdgpu.expected.active.lanes" => match node.operand(scope, 0) {
            Md::Int { bits: 32, .. } | Md::Unknown if node.len() == 1 => Ok(()),
            _ => wrong("`!amdgpu.expected.active.lanes` must have one operand, an `i32`"),
        },
        _ => Ok(()),
    }
}

/// A mask of the classes that a load does not give.
fn no_fp_class(cx: &RuleContext<'_>, inst: &Inst, node: NodeRef<'_>) -> Verdict {
    let ty = cx.result_ty(inst);
    let scalar = cx.types.scalar(ty);
    if matches!(cx.types.get(scalar), Type::Int(_) | Type::Ptr(_)) {
        return wrong(format!("`!nofpclass` requires a floating-point value, found `{}`", cx.display_ty(ty)));
    }
    match node.operand(cx.scope, 0) {
        Md::Unknown if node.len() == 1 => Ok(()),
        Md::Int { bits: 32, value } if node.len() == 1 => match value {
            Some(1..=0x3ff) | None => Ok(()),
            Some(mask) => wrong(format!("the mask of `!nofpclass` must be between 1 and 1023, is {mask}")),
        },
        _ => wrong("`!nofpclass` must have one operand, an `i32`"),
    }
}

/// `!tbaa.struct`: an offset, a size and a `!tbaa` tag for each field of what is copied. Older versions do not look at it.
pub(super) fn copied_fields(scope: &Scope, node: NodeRef<'_>) -> Verdict {
    if !node.is_tuple() {
        return Ok(());
    }
    if !node.len().is_multiple_of(3) {
        return wrong(
            "the operands of `!tbaa.struct` must come in groups of three: offset, size and `!tbaa` tag",
        );
    }
    let mut before = 0;
    for field in 0..node.len() / 3 {
        let operand = |n| node.operand(scope, field * 3 + n);
        for (n, what) in [(0, "offset"), (1, "size")] {
            if !matches!(operand(n), Md::Int { .. } | Md::Unknown) {
                return wrong(format!("the {what} of a field in `!tbaa.struct` must be a constant integer"));
            }
        }
        if let Md::Int { value: Some(offset), .. } = operand(0) {
            if offset < before {
                return wrong("the offsets of the fields in `!tbaa.struct` must not decrease");
            }
            before = offset;
        }
        match operand(2) {
            Md::Node(tag) => check_tag(scope, tag)?,
            Md::Null | Md::Unknown => {}
            _ => return wrong("the tag of a field in `!tbaa.struct` must be a node or `null`"),
        }
    }
    Ok(())
}

/// Properties of a loop that have a fixed form.
pub(super) fn loop_properties(scope: &Scope, node: NodeRef<'_>) -> Verdict {
    const NAME: &str = "llvm.loop.estimated_trip_count";
    for property in node.operands(scope).filter_map(Md::node).filter(|property| property.is_tuple()) {
        match property.operands(scope).next() {
            Some(Md::String(NAME)) => {}
            Some(Md::String(name @ ("llvm.loop.vectorize.enable" | "llvm.loop.distribute.enable")))
                if property.len() > 1 && scope.follows(24) =>
            {
                return wrong(format!("`{name}` must not have a value in LLVM 24"));
            }
            _ => continue,
        }
        let is_count = matches!(property.operand(scope, 1), Md::Int { bits: ..=32, .. } | Md::Unknown);
        if property.len() != 2 || !is_count {
            return wrong(format!("`{NAME}` must have one value, an integer of at most 32 bits"));
        }
    }
    Ok(())
}

/// LLVM 24 does not know this metadata.
fn no_free(cx: &RuleContext<'_>, inst: &Inst, node: NodeRef<'_>) -> Verdict {
    if cx.scope.reads(24) {
        return Ok(());
    }
    let ty = cx.result_ty(inst);
    if inst.opcode != Opcode::IntToPtr || !ty.is_error() && !cx.types.is_ptr(ty) {
        return wrong(format!(
            "`!nofree` applies to `inttoptr` to a pointer, not to `{}`",
            inst.opcode.word()
        ));
    }
    if node.is_empty() { Ok(()) } else { wrong("the node of `!nofree` must be empty") }
}

fn captures(cx: &RuleContext<'_>, inst: &Inst, node: NodeRef<'_>) -> Verdict {
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
        // LLVM 24 names the type alone, without the offset.
        let is_name = ty.len() == 1 && matches!(ty.operand(scope, 0), Md::String(_) | Md::Unknown);
        if is_name && scope.reads(24) {
            continue;
        }
        let right = !scope.follows(24)
            && ty.len() == 2
            && matches!(ty.operand(scope, 0), Md::Int { value: Some(0), .. } | Md::Unknown)
            && match ty.operand(scope, 1) {
                Md::String(name) => name.ends_with(".generalized"),
                other => other.is_unknown(),
            };
        if !right {
            let form = match scope.follows(24) {
                true => "`!{!\"name\"}`",
                false => "`!{i64 0, !\"name.generalized\"}`",
            };
            return wrong(format!("a type in `!callee_type` must have the form {form}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::findings;
    use wavelens_base::{Dialect, Options};
    use wavelens_check::testing::findings_with;

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
    fn fields_of_copies() {
        let found = |fields: &str, llvm_level| {
            let text = format!(
                "define void @f(ptr %p) {{\n  store i8 0, ptr %p, !tbaa.struct !0\n  ret void\n}}\n!0 = !{{{fields}}}\n!1 = !{{!2, !2, i64 0}}\n!2 = !{{!\"int\", !3, i64 0}}\n!3 = !{{!\"root\"}}\n"
            );
            let options = Options { llvm_level, ..Options::default() };
            let found = findings_with(Dialect::Llvm, &text, &options);
            found.lines().filter(|line| line.starts_with("error")).collect::<String>()
        };
        for right in ["", "i64 0, i64 4, !1", "i64 0, i64 4, null", "i64 4, i64 4, !1, i64 4, i64 0, null"] {
            assert_eq!(found(right, Some(24)), "", "{right}");
        }
        for (wrong, message) in [
            ("i64 0, i64 4", "groups of three"),
            ("i64 0, !2, !1", "the size of a field"),
            ("!2, i64 0, !1", "the offset of a field"),
            ("i64 0, i64 4, !\"x\"", "the tag of a field"),
            ("i64 0, i64 4, !3", "a tag must have the form"),
            ("i64 4, i64 4, null, i64 0, i64 4, null", "must not decrease"),
        ] {
            assert!(found(wrong, Some(24)).contains(message), "{wrong}");
            assert_eq!(found(wrong, Some(22)) + &found(wrong, None), "", "{wrong}");
        }
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
            3: metadata-attachment: an operand of `!captures` must be `address_is_null`, `address`, `read_provenance` or `provenance`
            4: metadata-attachment: `!captures` requires a store of a pointer, found `i64`
            5: metadata-attachment: `!alloc_token` must have the form `!{!"type", i1 contains-pointers}`
            5: metadata-attachment: a type in `!callee_type` must have the form `!{i64 0, !"name.generalized"}`
            6: metadata-attachment: `!alloc_token` applies to calls, not to `ret`
        "#]].assert_eq(&findings(text));
    }
}
