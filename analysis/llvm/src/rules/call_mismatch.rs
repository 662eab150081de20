//! Calls that do not fit the function that they name: its type or its calling convention is another.

use super::super::attribute_set::AttributeSet;
use super::super::lower::convention_name;
use super::super::operand::OperandId;
use super::super::types::{Type, TypeId};
use crate::context::RuleContext;
use wavelens_base::{Diagnostic, Severity};

wavelens_syntax::rules! {
    MISMATCH {
        code: "call-mismatch",
        severity: Severity::Warning,
        title: "a call uses its callee's function type and calling convention",
        explain: "LLVM accepts a call whose function type or calling convention differs from those of the callee, \
            but executing it has undefined behavior, and `instcombine` may replace the call by `unreachable`. \
            A callee declared with `...`, or with the attribute `\"thunk\"`, is not reported if the fixed \
            parameters agree.\n\n\
            Switch it off for modules in which such calls are never executed.",
        example: r"declare void @g(i32)
define void @f(i64 %x) {
  call void @g(i64 %x)
  ret void
}
",
        fixed: r"declare void @g(i64)
define void @f(i64 %x) {
  call void @g(i64 %x)
  ret void
}
",
        source: "LLVM pass `lint`: \"Call argument type mismatches callee parameter type\"; LLVM Language \
            Reference, \"'call' Instruction\" and \"Calling Conventions\"",
    }
}

pub(super) fn function(cx: &mut RuleContext<'_>) {
    let mut found: Vec<Diagnostic> = Vec::new();
    for (_, inst) in cx.insts() {
        let Some(call) = cx.body.call(inst) else { continue };
        let Some(name) = cx.callee_name(call).filter(|n| !n.starts_with("llvm.")) else { continue };
        let Some(global) = cx.global(cx.body.tables.operand(call.callee)) else { continue };
        let Some((summary, callee)) = cx.scope.function(global) else { continue };
        let (declared, called) = (global.value_type, cx.call_ty(inst));
        let message = if !fits(cx, declared, called, callee.is_definition) {
            format!(
                "`@{name}` has type `{}`, but is called as `{}`: undefined behavior",
                cx.display_ty(declared),
                cx.display_ty(called)
            )
        } else if callee.cc != call.cc && !is_like_c(callee.cc, call.cc) {
            let (has, takes) = (convention_name(callee.cc), convention_name(call.cc));
            format!(
                "`@{name}` has calling convention `{has}`, but is called with `{takes}`: undefined behavior"
            )
        } else {
            continue;
        };
        let attrs = AttributeSet::new(cx.scope, &summary.tables, callee.attrs, |_| TypeId::ERROR);
        if attrs.string("thunk").is_some() {
            continue;
        }
        let what = if callee.is_definition { "defined here" } else { "declared here" };
        let diagnostic = Diagnostic::new(&MISMATCH, cx.operand_range(OperandId(call.callee.0)), message);
        found.push(diagnostic.related(cx.scope.place(global.summary, global.head.item), what));
    }
    cx.diagnostics.append(&mut found);
}

fn fits(cx: &RuleContext<'_>, declared: TypeId, called: TypeId, is_definition: bool) -> bool {
    if declared == called {
        return true;
    }
    let types = &cx.types;
    match (types.get(declared), types.get(called)) {
        (Type::Function { params, vararg, .. }, Type::Function { params: called_params, .. }) => {
            // `declare i32 @f(...)` is how a C compiler says that it does not know the parameters; `@objc_msgSend` is called as what it
            // goes on to.
            vararg && !is_definition && types.list(called_params).starts_with(types.list(params))
        }
        _ => true,
    }
}

/// Conventions of ARM that are C's there.
fn is_like_c(a: u32, b: u32) -> bool {
    let c = |cc| matches!(cc, 0 | 66..=68);
    c(a) && c(b)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn types_and_conventions() {
        marks(expect![[r#"
            declare void @f(i32)
            declare i32 @unknown(...)
            declare ptr @objc_msgSend(ptr, ptr, ...)
            declare void @thunk(...) "thunk"
            define fastcc void @fast() {
              ret void
            }
            define void @g(i64 %x, ptr %p) {
              call void @f(i64 %x)
            ;           ^^ warning[call-mismatch]: `@f` has type `void (i32)`, but is called as `void (i64)`: undefined behavior
            ;            = line 1:14: declared here
              %a = call i32 @f(i32 1)
            ;               ^^ warning[call-mismatch]: `@f` has type `void (i32)`, but is called as `i32 (i32)`: undefined behavior
            ;                = line 1:14: declared here
              %b = call i32 @unknown(i64 %x)
              call void @objc_msgSend(ptr %p, ptr %p)
              call void @objc_msgSend(i64 %x)
            ;           ^^^^^^^^^^^^^ warning[call-mismatch]: `@objc_msgSend` has type `ptr (ptr, ptr, ...)`, but is called as `void (i64)`: undefined behavior
            ;                       = line 3:13: declared here
              call i64 @thunk(i64 %x)
              call void @fast()
            ;           ^^^^^ warning[call-mismatch]: `@fast` has calling convention `fastcc`, but is called with `ccc`: undefined behavior
            ;               = line 5:20: defined here
              call fastcc void @fast()
              ret void
            }
        "#]]);
    }
}
