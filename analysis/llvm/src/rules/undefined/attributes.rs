//! What a function returns against what its header says, and calls that name other attributes than their callee.

use super::arguments::value;
use super::{Finder, Written};
use crate::attribute::AttrKind;
use crate::body::{Inst, InstId, LocalKind, Opcode};
use crate::operand::OperandId;
use crate::underlying::Root;
use wavelens_base::Severity;

wavelens_syntax::rules! {
    ABI {
        code: "abi-attribute-mismatch",
        severity: Severity::Warning,
        title: "a call and its callee pass an argument in the same way",
        explain: "`byval`, `byref`, `inalloca`, `preallocated`, `sret`, `inreg`, `zeroext` and `signext` decide how an \
            argument is passed. If only one of the call and the function has one, or with another type, the callee reads \
            something else than was passed.\n\n\
            Switch it off for callees that ignore the argument.",
        example: r"declare void @g(i8 zeroext)
define void @f(i8 %x) {
  call void @g(i8 %x)
  ret void
}
",
        fixed: r"declare void @g(i8 zeroext)
define void @f(i8 %x) {
  call void @g(i8 zeroext %x)
  ret void
}
",
        source: "LLVM pass `lint`: \"ABI attribute not present on both function and call-site\"; LLVM Language \
            Reference, \"Parameter Attributes\"",
    }

    RETURNED_ALLOCA {
        code: "returned-alloca",
        severity: Severity::Warning,
        title: "a function does not return the address of its own stack",
        explain: "The memory of an `alloca` ends when its function returns. An access through the returned address has \
            undefined behavior.\n\n\
            Switch it off for functions whose result is only compared.",
        example: r"define ptr @f() {
  %a = alloca i32
  ret ptr %a
}
",
        fixed: r"define i32 @f() {
  %a = alloca i32
  %x = load i32, ptr %a
  ret i32 %x
}
",
        source: "LLVM pass `lint`: \"Returning alloca value\"; LLVM Language Reference, \"'alloca' Instruction\"",
    }
}

/// Attributes that change how an argument is passed.
const ABI_ATTRIBUTES: &[AttrKind] = &[
    AttrKind::ZExt,
    AttrKind::SExt,
    AttrKind::InReg,
    AttrKind::ByVal,
    AttrKind::ByRef,
    AttrKind::InAlloca,
    AttrKind::Preallocated,
    AttrKind::StructRet,
];

pub(super) fn call(finder: &mut Finder<'_, '_>, _: InstId, inst: &Inst) {
    let cx = finder.cx();
    let Some(call) = cx.body.call(inst) else { return };
    let Some(global) = cx.global(cx.body.tables.operand(call.callee)) else { return };
    // A call with another type is reported as that.
    if global.value_type != cx.call_ty(inst) {
        return;
    }
    let Some((summary, function)) = cx.scope.function(global) else { return };
    if cx.callee_name(call).is_some_and(|name| name.starts_with("llvm.")) {
        return;
    }
    let place = cx.scope.place(global.summary, global.head.item);
    for (n, param) in summary.params(function).iter().enumerate() {
        let (own, theirs) = (finder.argument(call, n), Written::new(&summary.tables, param.attrs));
        if own.list.is_empty() && theirs.list.is_empty() {
            continue;
        }
        let has_other_type = |kind: AttrKind| {
            let mine = own.ty(kind).map(|ty| cx.ty(ty));
            let other = theirs.ty(kind).map(|ty| cx.scope.canonical(global.summary, ty));
            matches!((mine, other), (Some(a), Some(b)) if a != b && !a.is_error() && !b.is_error())
        };
        let differs = ABI_ATTRIBUTES.iter().find_map(|kind| match (own.has(*kind), theirs.has(*kind)) {
            (false, true) => Some((kind, "its parameter is, but not this argument")),
            (true, false) => Some((kind, "this argument is, but not its parameter")),
            (true, true) if has_other_type(*kind) => {
                Some((kind, "this argument and its parameter name different types"))
            }
            _ => None,
        });
        if let Some((kind, how)) = differs {
            let range = cx.operand_range(OperandId(call.args.start + n as u32));
            let message = format!("`{}` mismatch: {how}", kind.word());
            finder.report(&ABI, range, message).related.push(wavelens_base::Related {
                place,
                message: if function.is_definition { "defined here" } else { "declared here" }.to_owned(),
            });
        }
    }
}

/// What a function returns.
pub(super) fn result(finder: &mut Finder<'_, '_>, id: InstId, inst: &Inst) {
    if inst.opcode != Opcode::Ret || inst.operands.is_empty() {
        return;
    }
    let cx = finder.cx();
    let operand = cx.body.operand(inst, 0);
    let range = cx.body.operand_range(id, 0);
    let (tables, function) = (&cx.summary.tables, cx.function);
    if value(finder, Written::new(tables, function.ret_attrs), operand, range, "result") {
        return;
    }
    if !cx.types.is_ptr(cx.ty(operand.ty)) {
        return;
    }
    let source = finder.objects.source(operand);
    if let Root::Alloca(_) = source.root {
        let message = format!("the result is the address of `{}`, which ends here", finder.name(source.root));
        finder.report_pointer(&RETURNED_ALLOCA, range, message, &source);
        return;
    }
    let is_returned =
        |param: &crate::summary::Param| Written::new(tables, param.attrs).has(AttrKind::Returned);
    let Some(returned) = cx.summary.params(function).iter().position(is_returned) else { return };
    let is_other = match source.root {
        Root::Argument(n) => n as usize != returned,
        Root::Global(_) => true,
        _ => false,
    };
    if is_other {
        let local =
            cx.body.locals.get(returned).filter(|local| local.kind == LocalKind::Argument(returned as u32));
        let name = local.map_or_else(String::new, |local| cx.display_local(local.name));
        let message = format!("`{name}` is `returned`, but this returns `{}`", finder.name(source.root));
        finder.report_pointer(&super::arguments::VIOLATED, range, message, &source);
    }
}
