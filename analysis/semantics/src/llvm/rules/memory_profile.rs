//! `!memprof` and `!callsite`.
//!
//! Source: LLVM Language Reference, "'memprof' Metadata" and "'callsite' Metadata".

use super::super::metadata_view::Md;
use super::super::scope::{NodeRef, Scope};
use super::attachments::{Verdict, wrong};

/// Blocks of `!{call stack, !"tag", ..., pairs of sizes ...}`.
pub(super) fn check(scope: &Scope, node: NodeRef<'_>) -> Verdict {
    if node.is_empty() {
        return wrong("`!memprof` holds at least one block");
    }
    for block in node.operands(scope) {
        match block {
            Md::Node(block) if block.is_tuple() => self::block(scope, block)?,
            Md::Unknown | Md::Node(_) => {}
            _ => return wrong("`!memprof` holds blocks, which are nodes"),
        }
    }
    Ok(())
}

fn block(scope: &Scope, block: NodeRef<'_>) -> Verdict {
    if block.len() < 2 {
        return wrong("a block of `!memprof` has a call stack and a tag");
    }
    match block.operand(scope, 0) {
        Md::Node(stack) => call_stack(scope, stack)?,
        Md::Unknown => {}
        _ => return wrong("a block of `!memprof` begins with a call stack, a node"),
    }
    let tags =
        block.operands(scope).skip(1).take_while(|md| matches!(md, Md::String(_) | Md::Unknown)).count();
    if tags == 0 {
        return wrong("the call stack in a block of `!memprof` is followed by a tag, a string");
    }
    for pair in block.operands(scope).skip(1 + tags) {
        let right = match pair {
            Md::Unknown => true,
            Md::Node(pair) => {
                pair.len() == 2 && pair.operands(scope).all(|n| matches!(n, Md::Int { .. } | Md::Unknown))
            }
            _ => false,
        };
        if !right {
            return wrong("after the tags a block of `!memprof` holds pairs of integers");
        }
    }
    Ok(())
}

/// One or more integers.
pub(super) fn call_stack(scope: &Scope, node: NodeRef<'_>) -> Verdict {
    if !node.is_tuple() {
        return Ok(());
    }
    if node.is_empty() {
        return wrong("a call stack holds at least one integer");
    }
    if node.operands(scope).all(|n| matches!(n, Md::Int { .. } | Md::Unknown)) {
        Ok(())
    } else {
        wrong("a call stack holds integers")
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::llvm::rules::check;

    #[test]
    fn what_is_reported() {
        check(
            r#"define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g(), !memprof !0
  ret void
}
declare void @g()
!0 = !{}
"#,
            expect![[r#"
                error[metadata-attachment] 2:19 `!memprof !0`: `!memprof` holds at least one block
            "#]],
        );
        check(
            r#"define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g(), !callsite !0
  ret void
}
declare void @g()
!0 = !{}
"#,
            expect![[r#"
                error[metadata-attachment] 2:19 `!callsite !0`: a call stack holds at least one integer
            "#]],
        );
        check(
            r#"define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g(), !callsite !0
  ret void
}
declare void @g()
!0 = !{!"x"}
"#,
            expect![[r#"
                error[metadata-attachment] 2:19 `!callsite !0`: a call stack holds integers
            "#]],
        );
        check(
            r#"define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g(), !memprof !0
  ret void
}
declare void @g()
!0 = !{!1}
!1 = !{null, !"cold"}
"#,
            expect![[r#"
                error[metadata-attachment] 2:19 `!memprof !0`: a block of `!memprof` begins with a call stack, a node
            "#]],
        );
    }
}
