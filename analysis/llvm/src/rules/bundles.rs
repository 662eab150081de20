//! Operand bundles of calls.
//!
//! Source: LLVM Language Reference, "Operand Bundles".

use super::super::attribute::AttrKind;
use super::super::attribute_set::AttributeSet;
use super::super::body::Opcode;
use super::super::operand::{Const, Operand, Value};
use super::super::types::TypeId;
use super::call_site::Site;
use wavelens_base::{Severity, Verdict};

wavelens_syntax::rules! {
    BUNDLE {
        code: "operand-bundle",
        severity: Severity::Error,
        title: "an operand bundle occurs once and has the operands of its tag",
        explain: "Code generation and optimizers read the operands of the bundles that LLVM defines by position. A \
            bundle with other operands, or one that occurs twice, cannot be lowered.",
        example: r#"define void @f(ptr %callee) {
  call void %callee() [ "kcfi"() ]
  ret void
}
"#,
        fixed: r#"define void @f(ptr %callee) {
  call void %callee() [ "kcfi"(i32 42) ]
  ret void
}
"#,
        source: "LLVM `Verifier::visitCallBase`: \"Expected exactly one kcfi bundle operand\"; LLVM Language \
            Reference, \"Operand Bundles\"",
    }
}

const ONCE: &[&str] = &[
    "deopt",
    "funclet",
    "gc-transition",
    "gc-live",
    "cfguardtarget",
    "preallocated",
    "ptrauth",
    "kcfi",
    "clang.arc.attachedcall",
    "convergencectrl",
];

const ARC: &[&str] = &[
    "objc_retainAutoreleasedReturnValue",
    "objc_claimAutoreleasedReturnValue",
    "objc_unsafeClaimAutoreleasedReturnValue",
];

/// Whether the call or its callee says so.
fn never_returns(site: &Site<'_, '_>) -> bool {
    let of_callee = || {
        let (summary, function) = site.cx.callee(site.call)?;
        let attrs = AttributeSet::new(site.cx.scope, &summary.tables, function.attrs, |_| TypeId::ERROR);
        Some(attrs.has(AttrKind::NoReturn))
    };
    let is_trap = matches!(site.name, "llvm.trap" | "llvm.ubsantrap");
    site.fn_attrs().has(AttrKind::NoReturn) || is_trap || of_callee() == Some(true)
}

pub(super) fn check(site: &Site<'_, '_>) -> Verdict {
    let cx = site.cx;
    let body = cx.body;
    let mut seen: Vec<&str> = Vec::new();
    for bundle in site.call.bundles.of(&body.cold.bundles) {
        let tag = body.tables.name(bundle.tag);
        let operands = body.operands(bundle.operands);
        let wrong = |message: String| site.wrong_at(bundle.range, message);
        if ONCE.contains(&tag) && seen.contains(&tag) {
            return wrong(format!("more than one `{tag}` bundle"));
        }
        seen.push(tag);
        if operands.iter().any(|o| o.value == Value::Error) {
            continue;
        }
        let count = |n: usize| {
            if operands.len() == n {
                return Ok(());
            }
            let plural = if n == 1 { "" } else { "s" };
            wrong(format!("expected {n} operand{plural} in a `{tag}` bundle, found {}", operands.len()))
        };
        let ty = |n: usize| operands.get(n).map_or(TypeId::ERROR, |o| cx.ty(o.ty));
        let opcode = |n: usize| opcode(site, operands.get(n).copied());
        match tag {
            "funclet" => {
                count(1)?;
                if !matches!(opcode(0), Some(Opcode::CatchPad | Opcode::CleanupPad | Opcode::Error)) {
                    return wrong(
                        "the operand of a `funclet` bundle must be a `catchpad` or `cleanuppad`".into(),
                    );
                }
            }
            "cfguardtarget" => count(1)?,
            "ptrauth" => {
                count(2)?;
                if ty(0) != TypeId::I32 || !is_int(site, operands[0]) {
                    return wrong("the key of a `ptrauth` bundle must be an `i32` constant".into());
                }
                if ty(1) != TypeId::I64 {
                    return wrong("the discriminator of a `ptrauth` bundle must be an `i64`".into());
                }
                if cx.global(body.tables.operand(site.call.callee)).is_some() {
                    return wrong("a direct call must not have a `ptrauth` bundle".into());
                }
            }
            "kcfi" => {
                count(1)?;
                if ty(0) != TypeId::I32 || !is_int(site, operands[0]) {
                    return wrong("the operand of a `kcfi` bundle must be an `i32` constant".into());
                }
            }
            "preallocated" => {
                count(1)?;
                if callee(site, operands[0]) != Some("llvm.call.preallocated.setup") {
                    return wrong(
                        "the operand of a `preallocated` bundle must be a token of `llvm.call.preallocated.setup`".into(),
                    );
                }
            }
            "clang.arc.attachedcall" => {
                let never_returns = site.result == TypeId::VOID && never_returns(site);
                if !cx.types.is_ptr(site.result) && !never_returns {
                    return wrong(format!("a call with a `{tag}` bundle must return a pointer"));
                }
                let function = operands.first().filter(|_| operands.len() == 1).and_then(|o| match o.value {
                    Value::Global(symbol) => Some(body.tables.names.get(symbol.as_name()?)),
                    _ => None,
                });
                let Some(name) = function else {
                    return wrong(format!("the operand of a `{tag}` bundle must be one function"));
                };
                let plain = name.strip_prefix("llvm.objc.").map(|rest| format!("objc_{rest}"));
                if !ARC.contains(&plain.as_deref().unwrap_or(name)) {
                    return wrong(format!("`@{name}` must not be attached to a call"));
                }
            }
            "convergencectrl" => {
                count(1)?;
                let name = callee(site, operands[0]).unwrap_or("");
                if !name.starts_with("llvm.experimental.convergence.") {
                    return wrong(
                        "the operand of a `convergencectrl` bundle must be a convergence token".into(),
                    );
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn is_int(site: &Site<'_, '_>, operand: Operand) -> bool {
    matches!(
        site.cx.constant(operand),
        Some(Const::Int(_) | Const::Wide(_) | Const::Bool(_) | Const::ZeroInitializer)
    )
}

/// The opcode of the instruction that an operand is the result of; [`Opcode::Error`] for what is not known.
fn opcode(site: &Site<'_, '_>, operand: Option<Operand>) -> Option<Opcode> {
    let operand = operand?;
    if operand.value == Value::Error {
        return Some(Opcode::Error);
    }
    let local = site.cx.body.local_of(operand)?;
    match local.kind {
        super::super::body::LocalKind::Undefined => Some(Opcode::Error),
        super::super::body::LocalKind::Inst(i) => {
            site.cx.inst(super::super::body::InstId(i)).map(|i| i.opcode)
        }
        _ => None,
    }
}

/// Name of the function whose call an operand is the result of.
pub(super) fn callee<'a>(site: &Site<'a, '_>, operand: Operand) -> Option<&'a str> {
    let inst = site.cx.inst(site.cx.body.defining_inst(operand)?)?;
    site.cx.callee_name(site.cx.body.call(inst)?)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn faults() {
        marks(expect![[r#"
            define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
              call void %p() [ "kcfi"() ]
            ;                  ^^^^^^^^ error[operand-bundle]: expected 1 operand in a `kcfi` bundle, found 0
              ret void
            }
        "#]]);
        marks(expect![[r#"
            define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
              call void %p() [ "kcfi"(i64 0) ]
            ;                  ^^^^^^^^^^^^^ error[operand-bundle]: the operand of a `kcfi` bundle must be an `i32` constant
              ret void
            }
        "#]]);
        marks(expect![[r#"
            define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
              call void %p() [ "ptrauth"(i64 0, i64 0) ]
            ;                  ^^^^^^^^^^^^^^^^^^^^^^^ error[operand-bundle]: the key of a `ptrauth` bundle must be an `i32` constant
              ret void
            }
        "#]]);
        marks(expect![[r#"
            define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
              call void %p() [ "ptrauth"(i32 0, i32 0) ]
            ;                  ^^^^^^^^^^^^^^^^^^^^^^^ error[operand-bundle]: the discriminator of a `ptrauth` bundle must be an `i64`
              ret void
            }
        "#]]);
    }
}
