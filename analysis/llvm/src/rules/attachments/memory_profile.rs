//! `!memprof` and `!callsite`.
//!
//! Source: LLVM Language Reference, "'memprof' Metadata" and "'callsite' Metadata".

use super::fault::wrong;
use crate::metadata_view::Md;
use crate::scope::{NodeRef, Scope};
use wavelens_base::Verdict;

/// Blocks of `!{call stack, !"tag", pairs of sizes ...}`.
pub(super) fn check(scope: &Scope, node: NodeRef<'_>) -> Verdict {
    if node.is_empty() {
        return wrong("`!memprof` must have at least one block");
    }
    for block in node.operands(scope) {
        match block {
            Md::Node(block) if block.is_tuple() => self::block(scope, block)?,
            Md::Unknown | Md::Node(_) => {}
            _ => return wrong("an element of `!memprof` must be a node"),
        }
    }
    Ok(())
}

fn block(scope: &Scope, block: NodeRef<'_>) -> Verdict {
    if block.len() < 2 {
        return wrong("an element of `!memprof` must have a call stack and a tag");
    }
    match block.operand(scope, 0) {
        Md::Node(stack) => call_stack(scope, stack)?,
        Md::Unknown => {}
        _ => return wrong("the first operand of an element of `!memprof`, the call stack, must be a node"),
    }
    if !matches!(block.operand(scope, 1), Md::String(_) | Md::Unknown) {
        return wrong("the second operand of an element of `!memprof`, the tag, must be a string");
    }
    for pair in block.operands(scope).skip(2) {
        let right = match pair {
            Md::Unknown => true,
            Md::Node(pair) => {
                pair.len() == 2 && pair.operands(scope).all(|n| matches!(n, Md::Int { .. } | Md::Unknown))
            }
            _ => false,
        };
        if !right {
            return wrong("operands after the tag of an element of `!memprof` must be pairs of integers");
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
        return wrong("a call stack must have at least one operand");
    }
    if node.operands(scope).all(|n| matches!(n, Md::Int { .. } | Md::Unknown)) {
        Ok(())
    } else {
        wrong("an operand of a call stack must be an integer")
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn faults() {
        marks(expect![[r#"
            define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
              call void @g(), !memprof !0
            ;                 ^^^^^^^^^^^ error[metadata-attachment]: `!memprof` must have at least one block
              ret void
            }
            declare void @g()
            !0 = !{}
        "#]]);
        marks(expect![[r#"
            define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
              call void @g(), !callsite !0
            ;                 ^^^^^^^^^^^^ error[metadata-attachment]: a call stack must have at least one operand
              ret void
            }
            declare void @g()
            !0 = !{}
        "#]]);
        marks(expect![[r#"
            define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
              call void @g(), !callsite !0
            ;                 ^^^^^^^^^^^^ error[metadata-attachment]: an operand of a call stack must be an integer
              ret void
            }
            declare void @g()
            !0 = !{!"x"}
        "#]]);
        marks(expect![[r#"
            define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
              call void @g(), !memprof !0
            ;                 ^^^^^^^^^^^ error[metadata-attachment]: the first operand of an element of `!memprof`, the call stack, must be a node
              ret void
            }
            declare void @g()
            !0 = !{!1}
            !1 = !{null, !"cold"}
        "#]]);
    }
}
