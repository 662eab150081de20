//! Calls whose arguments alias, or that outlive the caller's stack; and functions that return an address of their own stack.

use super::{Callee, Finder, parameter};
use crate::attribute::AttrKind;
use crate::body::{Call, Flags, Inst, InstId};
use crate::operand::OperandId;
use crate::underlying::{Root, Source};
use wavelens_base::Severity;

wavelens_syntax::rules! {
    ALIAS {
        code: "noalias-overlap",
        severity: Severity::Warning,
        title: "a `noalias` argument does not alias another argument",
        explain: "Memory that is written through a `noalias` parameter must not be accessed through another one. The same \
            pointer passed twice violates that if either is written through. The two regions of a `memcpy` are equal or do \
            not overlap; `memmove` allows both.\n\n\
            Switch it off for callees that access one of the two only.",
        example: r"declare void @g(ptr noalias, ptr)
define void @f(ptr %p) {
  call void @g(ptr %p, ptr %p)
  ret void
}
",
        fixed: r"declare void @g(ptr noalias, ptr)
define void @f(ptr %p, ptr %q) {
  call void @g(ptr %p, ptr %q)
  ret void
}
",
        source: "LLVM pass `lint`: \"noalias argument aliases another argument\", \"memcpy source and destination \
            overlap\"; LLVM Language Reference, \"Parameter Attributes\", `noalias`",
    }

    TAIL {
        code: "tail-call-alloca",
        severity: Severity::Warning,
        title: "a `tail` call does not take the address of a local variable",
        explain: "`tail` says that the callee does not access the caller's stack: code generation may give it the caller's \
            frame. An argument that points into an `alloca` of the caller then points to overwritten memory. Arguments \
            passed `byval` are copied.\n\n\
            Switch it off for callees that ignore the argument.",
        example: r"declare void @g(ptr)
define void @f() {
  %a = alloca i32
  tail call void @g(ptr %a)
  ret void
}
",
        fixed: r"declare void @g(ptr)
define void @f() {
  %a = alloca i32
  call void @g(ptr %a)
  ret void
}
",
        source: "LLVM pass `lint`: \"Call with \\\"tail\\\" keyword references alloca\"; LLVM Language Reference, \
            \"'call' Instruction\", `tail`",
    }
}

pub(super) fn check(finder: &mut Finder<'_, '_>, _: InstId, inst: &Inst) {
    let cx = finder.cx();
    let Some(call) = cx.body.call(inst) else { return };
    let args = cx.body.operands(call.args);
    if cx.callee_name(call).is_some_and(|name| name.starts_with("llvm.")) {
        copy(finder, call);
        return;
    }
    let is_pointer = |n: &usize| args.get(*n).is_some_and(|arg| cx.types.is_ptr(cx.ty(arg.ty)));
    let pointers: Vec<usize> = (0..args.len()).filter(is_pointer).collect();
    if pointers.is_empty() {
        return;
    }
    let callee = finder.callee(call);
    if inst.flags.has(Flags::TAIL) {
        for n in &pointers {
            let source = finder.objects.source(args[*n]);
            if matches!(source.root, Root::Alloca(_)) && !has(finder, call, callee, *n, &[AttrKind::ByVal]) {
                let name = finder.name(source.root);
                let message =
                    format!("`tail` call with the address of `{name}`, which is on the caller's stack");
                let range = cx.operand_range(OperandId(call.args.start + *n as u32));
                finder.report_pointer(&TAIL, range, message, &source);
            }
        }
    }
    if pointers.len() > 1 {
        aliases(finder, call, callee, &pointers);
    }
}

/// Whether an argument has one of some attributes, at the call or at its callee.
fn has(finder: &Finder<'_, '_>, call: &Call, callee: Callee<'_>, n: usize, kinds: &[AttrKind]) -> bool {
    let (own, theirs) = (finder.argument(call, n), parameter(callee, n));
    kinds.iter().any(|kind| own.has(*kind) || theirs.is_some_and(|theirs| theirs.has(*kind)))
}

fn aliases(finder: &mut Finder<'_, '_>, call: &Call, callee: Callee<'_>, pointers: &[usize]) {
    let cx = finder.cx();
    let args = cx.body.operands(call.args);
    let read_only = [AttrKind::ReadOnly, AttrKind::ReadNone];
    for n in pointers.iter().filter(|n| has(finder, call, callee, **n, &[AttrKind::NoAlias])) {
        let source = finder.objects.source(args[*n]);
        let is_read_only = has(finder, call, callee, *n, &read_only);
        let other = pointers.iter().filter(|other| *other != n).find(|other| {
            is_same(finder, &source, &finder.objects.source(args[**other]))
                && !has(finder, call, callee, **other, &[AttrKind::ByVal, AttrKind::ReadNone])
                && !(is_read_only && has(finder, call, callee, **other, &read_only))
        });
        if let Some(other) = other {
            let message =
                format!("`noalias` argument {} is the same pointer as argument {}", n + 1, other + 1);
            let range = |n: usize| cx.operand_range(OperandId(call.args.start + n as u32));
            let place = wavelens_base::Place::Here(range(*other));
            let diagnostic = finder.report_pointer(&ALIAS, range(*n), message, &source);
            diagnostic
                .related
                .insert(0, wavelens_base::Related { place, message: "the other argument".to_owned() });
            return;
        }
    }
}

/// Whether two pointers are certainly equal, and point to something.
fn is_same(finder: &Finder<'_, '_>, a: &Source<'_>, b: &Source<'_>) -> bool {
    let is_object = matches!(a.root, Root::Global(_) | Root::Alloca(_) | Root::Argument(_) | Root::Result(_));
    is_object
        && a.root == b.root
        && finder.objects.offset(a).is_some_and(|at| finder.objects.offset(b) == Some(at))
}

/// Both regions of a copy.
fn copy(finder: &mut Finder<'_, '_>, call: &Call) {
    let cx = finder.cx();
    let name = cx.callee_name(call).unwrap_or("");
    let args = cx.body.operands(call.args);
    let [to, from, length, ..] = args else { return };
    if !name.starts_with("llvm.memcpy.") {
        return;
    }
    let Some(length) = finder.objects.int(*length) else { return };
    let (to, from) = (finder.objects.source(*to), finder.objects.source(*from));
    if to.root != from.root || !matches!(to.root, Root::Global(_) | Root::Alloca(_) | Root::Argument(_)) {
        return;
    }
    let (Some(a), Some(b)) = (finder.objects.offset(&to), finder.objects.offset(&from)) else { return };
    if a != b && a.abs_diff(b) < length.value {
        let message = format!(
            "`memcpy` of {} bytes between overlapping regions {} bytes apart is undefined behavior",
            length.value,
            a.abs_diff(b)
        );
        let range = cx.operand_range(OperandId(call.args.start));
        let diagnostic = finder.report_pointer(&ALIAS, range, message, &to);
        let title = "Replace with `@llvm.memmove`";
        let callee = cx.operand_range(call.callee);
        diagnostic.set_guess(
            title,
            vec![wavelens_base::TextEdit::new(callee, format!("@{}", name.replacen("memcpy", "memmove", 1)))],
        );
    }
}
