//! Arguments of calls against the function type written before the callee.

use super::{At, INVALID_OPERAND, fast_flags};
use crate::body::{Flags, LocalKind};
use crate::lower::rules::VOID_NAMED;
use crate::operand::OperandId;
use crate::types::{Type, TypeId};
use wavelens_base::{Severity, TextRange};

wavelens_syntax::rules! {
    CALL_ARGUMENTS {
        code: "call-arguments",
        severity: Severity::Error,
        title: "the arguments of a call agree with its function type",
        explain: "The function type before the callee decides how arguments are passed. Their number and types must \
            agree with it, except for the variable arguments of a `...` function.",
        example: r"declare void @g(i32)
define void @f() {
  call void (i32) @g()
  ret void
}
",
        fixed: r"declare void @g(i32)
define void @f() {
  call void (i32) @g(i32 1)
  ret void
}
",
        source: "LLVM `LLParser`: \"not enough parameters specified for call\" and \"argument is not of expected \
            type\"; LLVM Language Reference, \"'call' Instruction\"",
    }
}

pub(super) fn call(at: &mut At<'_, '_>) {
    let Some(call) = at.cx.body.call(at.inst) else { return };
    let range = at.cx.body.inst_range(at.id);
    let ty = at.cx.call_ty(at.inst);
    for n in 0..call.destinations.len {
        let operand = OperandId(call.destinations.start + n);
        let own = at.cx.ty(at.cx.body.tables.operand(operand).ty);
        if !own.is_error() && own != TypeId::LABEL {
            let message = format!("expected a `label` as destination, found `{}`", at.cx.display_ty(own));
            let range = at.cx.operand_range(operand);
            at.cx.report(&INVALID_OPERAND, range, message);
        }
    }
    let Type::Function { params, vararg, .. } = at.cx.types.get(ty) else {
        let written = at.cx.ty(at.inst.ty);
        if matches!(written, TypeId::LABEL | TypeId::METADATA) {
            let message = format!("a function must not return type `{}`", at.cx.display_ty(written));
            at.cx.report(&INVALID_OPERAND, range, message);
        }
        return;
    };
    let params: Vec<TypeId> = at.cx.types.list(params).to_vec();
    for n in 0..call.args.len {
        let own = at.ty(n);
        let operand_range = at.cx.body.operand_range(at.id, n);
        match params.get(n as usize) {
            Some(param) if *param != own && !own.is_error() && !param.is_error() => {
                let message =
                    format!("expected `{}`, found `{}`", at.cx.display_ty(*param), at.cx.display_ty(own));
                at.cx.report(&CALL_ARGUMENTS, operand_range, message);
            }
            None if !vararg => {
                let message = count(params.len(), call.args.len);
                at.cx.report(&CALL_ARGUMENTS, operand_range, message);
                break;
            }
            _ => {}
        }
    }
    if (call.args.len as usize) < params.len() {
        let message = count(params.len(), call.args.len);
        at.cx.report(&CALL_ARGUMENTS, range, message);
    }
    if call.ellipsis {
        let musttail = at.inst.flags.has(Flags::MUSTTAIL);
        if !musttail || !at.cx.function.vararg {
            let message = "`...` is allowed only in `musttail` calls in variadic functions";
            at.cx.report(&CALL_ARGUMENTS, range, message);
        }
    } else if at.inst.flags.has(Flags::MUSTTAIL) && at.cx.function.vararg {
        let message = "a `musttail` call in a variadic function must end with `...`";
        at.cx.report(&CALL_ARGUMENTS, range, message);
    }
    fast_flags(at);
    void_named(at);
}

/// Lowering knows `void` when it is written; here also names for it count.
fn void_named(at: &mut At<'_, '_>) {
    let Some(result) = at.inst.result else { return };
    let Some(local) = at.cx.body.local(result) else { return };
    let range: TextRange = local.range;
    if at.cx.local_ty(result) == TypeId::VOID && matches!(local.kind, LocalKind::Inst(_)) {
        let message = "an instruction without a result must not be named";
        at.cx.report(&VOID_NAMED, range, message);
    }
}

fn count(takes: usize, given: u32) -> String {
    let arguments = if takes == 1 { "argument" } else { "arguments" };
    format!("expected {takes} {arguments}, found {given}")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn arguments_and_parameters() {
        marks(expect![[r#"
            declare i32 @g(i32, ptr)
            define void @f(i64 %x, ptr %p) {
              %a = call i32 (i32, ptr) @g(i64 %x, ptr %p)
            ;                                 ^^ error[call-arguments]: expected `i32`, found `i64`
              %b = call i32 (i32, ptr) @g(i32 1)
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[call-arguments]: expected 2 arguments, found 1
              %c = call i32 (i32, ptr) @g(i32 1, ptr %p, i32 2)
            ;                                                ^ error[call-arguments]: expected 2 arguments, found 3
              ret void
            }
        "#]]);
    }
}
