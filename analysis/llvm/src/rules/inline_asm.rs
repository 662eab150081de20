//! Inline assembly: constraints against arguments.
//!
//! Source: LLVM Language Reference, "Inline Asm Constraint String".

use wavelens_syntax::wording;

use super::super::attribute::AttrKind;
use super::super::body::Opcode;
use super::super::operand::Value;
use super::super::types::{Type, TypeId};
use super::call_site::Site;
use wavelens_base::{Severity, Verdict};

wavelens_syntax::rules! {
    ASM {
        code: "inline-asm",
        severity: Severity::Error,
        title: "the constraints of inline assembly agree with its arguments and result",
        explain: "Constraints are matched to arguments and results by position. An indirect constraint (`*m`) takes \
            a pointer with `elementtype(T)`; label constraints (`!i`) are for `callbr`, one per indirect \
            destination.",
        example: r#"define void @f(ptr %p) {
  call void asm "", "*m"(ptr %p)
  ret void
}
"#,
        fixed: r#"define void @f(ptr %p) {
  call void asm "", "*m"(ptr elementtype(i32) %p)
  ret void
}
"#,
        source: "LLVM `Verifier::verifyInlineAsmCall`: \"Operand for indirect constraint must have elementtype \
            attribute\"; LLVM Language Reference, \"Inline Assembler Expressions\"",
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Class {
    Output { indirect: bool },
    Input,
    Clobber,
    Label,
}

/// What a constraint is for; `None` if it cannot be understood.
fn classify(text: &str, before: &[Class]) -> Option<Class> {
    let (class, rest) = match text.as_bytes().first()? {
        b'~' => (Class::Clobber, text.get(1..).filter(|rest| rest.starts_with('{'))?),
        b'=' => {
            let rest = text.get(1..)?;
            (Class::Output { indirect: rest.starts_with('*') }, rest)
        }
        b'!' => (Class::Label, text.get(1..)?),
        _ => (Class::Input, text),
    };
    let rest = rest.strip_prefix('*').unwrap_or(rest).trim_start_matches(['&', '%']);
    if rest.is_empty() || rest.matches('{').count() > rest.matches('}').count() {
        return None;
    }
    // A number names the output that shares its place.
    if let (Class::Input, Ok(shared)) = (class, rest.parse::<usize>())
        && !matches!(before.get(shared), Some(Class::Output { .. }))
    {
        return None;
    }
    Some(class)
}

/// Constraints against the function type: their order and number.
fn constraints(site: &Site<'_, '_>, text: &str) -> Verdict {
    let types = &site.cx.types;
    if site.vararg {
        return site.wrong("inline assembly must not have variable arguments");
    }
    let (mut seen, mut outputs, mut inputs, mut direct) = (Vec::new(), 0, 0, 0);
    let (mut clobbered, mut labelled) = (false, false);
    for part in text.split(',').filter(|_| !text.is_empty()) {
        let Some(class) = classify(part, &seen) else {
            return site.wrong(format!("invalid constraint `{part}`"));
        };
        match class {
            Class::Output { .. } if direct > 0 || clobbered || labelled => {
                return site.wrong(format!(
                    "the output constraint `{part}` must precede inputs, clobbers and labels"
                ));
            }
            Class::Input | Class::Label | Class::Output { indirect: true } if clobbered => {
                return site.wrong(format!("the constraint `{part}` must precede clobbers"));
            }
            Class::Output { indirect: false } => outputs += 1,
            Class::Output { indirect: true } => inputs += 1,
            Class::Input => (inputs, direct) = (inputs + 1, direct + 1),
            Class::Clobber => clobbered = true,
            Class::Label => labelled = true,
        }
        seen.push(class);
    }
    if inputs != site.params.len() {
        return site.wrong(format!(
            "expected {} input constraints, one per argument, found {inputs}",
            site.params.len()
        ));
    }
    let fields = match types.get(site.result) {
        Type::Struct { fields, .. } => Some(types.list(fields).len()),
        _ => None,
    };
    let fits = match outputs {
        _ if site.result.is_error() => true,
        0 => site.result == TypeId::VOID,
        1 => fields.is_none(),
        _ => fields == Some(outputs) || matches!(types.get(site.result), Type::NamedStruct(_)),
    };
    if fits {
        return Ok(());
    }
    let wanted = match fields {
        _ if site.result == TypeId::VOID => 0,
        Some(fields) => fields,
        None => 1,
    };
    let wanted = wording::count("output constraints", wanted, outputs);
    site.wrong(format!("{wanted}: the result type is `{}`", site.cx.display_ty(site.result)))
}

/// A `callbr` of an intrinsic: the only one is `llvm.amdgcn.kill`, whose indirect destination ends the lanes.
fn intrinsic(site: &Site<'_, '_>) -> Verdict {
    let (cx, call) = (site.cx, site.call);
    if site.name != "llvm.amdgcn.kill" {
        return site.wrong("`callbr` applies only to inline assembly and `llvm.amdgcn.kill`");
    }
    if !call.bundles.is_empty() {
        return site.wrong("a `callbr` of an intrinsic must not have operand bundles");
    }
    let [_, killed] = cx.body.operands(call.destinations) else {
        return site.wrong("a `callbr` of `llvm.amdgcn.kill` must have one indirect destination");
    };
    let first = cx.body.block_of(*killed).and_then(|b| cx.body.block_insts(b).next());
    let ends = first.is_none_or(|(_, inst)| {
        matches!(inst.opcode, Opcode::Unreachable | Opcode::Error)
            || cx.body.call(inst).and_then(|c| cx.callee_name(c)) == Some("llvm.amdgcn.unreachable")
    });
    if ends {
        Ok(())
    } else {
        site.wrong("the indirect destination of `llvm.amdgcn.kill` must be a block with only `unreachable`")
    }
}

pub(super) fn check(site: &Site<'_, '_>) -> Verdict {
    let (cx, call) = (site.cx, site.call);
    let tables = &cx.body.tables;
    let is_callbr = site.inst.opcode == Opcode::CallBr;
    let Value::Asm(index) = tables.operand(call.callee).value else {
        if is_callbr && !site.name.starts_with("llvm.") {
            return site.wrong("`callbr` applies only to inline assembly");
        }
        if is_callbr {
            return intrinsic(site);
        }
        return Ok(());
    };
    let Some(asm) = tables.cold.asms.get(index as usize) else { return Ok(()) };
    constraints(site, tables.name(asm.constraints))?;
    if is_callbr && asm.unwind {
        return site.wrong("inline assembly of a `callbr` must not unwind");
    }
    let (mut n, mut labels) = (0, 0);
    for constraint in tables.name(asm.constraints).split(',') {
        let text = constraint.trim_start();
        if text.starts_with('!') {
            labels += 1;
            continue;
        }
        let is_output = text.starts_with('=');
        if text.starts_with('~') || text.is_empty() {
            continue;
        }
        let indirect = text.trim_start_matches(['=', '&', '+']).starts_with('*');
        if is_output && !indirect {
            continue;
        }
        let Some(arg) = site.args().get(n) else { break };
        let element = site.arg_attrs(n).has(AttrKind::ElementType);
        let ty = cx.ty(arg.ty);
        if indirect && !ty.is_error() && !cx.types.is_ptr(ty) {
            let message = format!("an indirect constraint requires a pointer, found `{}`", cx.display_ty(ty));
            return site.wrong_argument(n, message);
        }
        if indirect && !element {
            return site.wrong_argument(n, "an indirect constraint requires `elementtype(...)`");
        }
        if !indirect && element {
            return site.wrong_argument(n, "`elementtype` requires an indirect constraint");
        }
        n += 1;
    }
    let destinations = (call.destinations.len as usize).saturating_sub(1);
    if is_callbr && labels != destinations {
        return site.wrong(format!(
            "expected {}, one per indirect destination, found {labels}",
            wording::number(destinations, "label constraints")
        ));
    }
    if !is_callbr && labels > 0 {
        return site.wrong("label constraints apply only to `callbr`");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn faults() {
        marks(expect![[r#"
            define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
              call void asm "", "!i"()
            ; ^^^^^^^^^^^^^^^^^^^^^^^^ error[inline-asm]: label constraints apply only to `callbr`
              ret void
            }
        "#]]);
        marks(expect![[r#"
            define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
              call void asm "", "*m"(ptr %p)
            ;                            ^^ error[inline-asm]: an indirect constraint requires `elementtype(...)`
              ret void
            }
        "#]]);
        marks(expect![[r#"
            define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
              callbr void asm "", "!i"() to label %a []
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[inline-asm]: expected 0 label constraints, one per indirect destination, found 1
            a:
              ret void
            }
        "#]]);
        marks(expect![[r#"
            define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
              call void asm "", "r"(ptr elementtype(i32) %p)
            ;                                            ^^ error[inline-asm]: `elementtype` requires an indirect constraint
              ret void
            }
        "#]]);
    }
}
