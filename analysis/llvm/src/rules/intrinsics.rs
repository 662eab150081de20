//! Intrinsics: their signatures, immediate operands, and uses of their names.
//!
//! Source: LLVM Language Reference, "Intrinsic Functions"; signatures from LLVM's Intrinsics*.td.

mod declarations;

use rustc_hash::FxHashSet;

use super::super::body::{Inst, Opcode};
use super::super::intrinsic_match::{
    Mismatch, current_name, has_old_shape, is_redeclared, is_removed, is_upgraded, match_current,
    match_signature, matches_newer,
};
use super::super::mangling::full_name;
use super::super::operand::{Const, OperandId, Value};
use super::super::tables::Intrinsic;
use super::super::types::{Type, TypeId};
use super::call_site::Site;
use super::debug_info::becomes_record;
use super::intrinsic_calls;
use crate::context::{ModuleContext, RuleContext};
use wavelens_base::{Severity, Verdict, fail};

wavelens_syntax::rules! {
    SIGNATURE {
        code: "intrinsic-signature",
        severity: Severity::Error,
        title: "an intrinsic is declared and called with one of its signatures",
        explain: "An intrinsic is expanded by the compiler, which knows only the signatures of its definition. The \
            types in the name (`.i64`) and those of the signature must agree.",
        example: r"declare i32 @llvm.ctpop.i64(i64)
define i32 @f(i64 %x) {
  %bits = call i32 @llvm.ctpop.i64(i64 %x)
  ret i32 %bits
}
",
        fixed: r"declare i64 @llvm.ctpop.i64(i64)
define i64 @f(i64 %x) {
  %bits = call i64 @llvm.ctpop.i64(i64 %x)
  ret i64 %bits
}
",
        source: "LLVM `Verifier::visitIntrinsicCall`: \"Intrinsic has incorrect argument type!\"; LLVM Language \
            Reference, \"Intrinsic Functions\"",
    }

    IMMEDIATE {
        code: "intrinsic-immediate",
        severity: Severity::Error,
        title: "an `immarg` operand is a constant within its range",
        explain: "These operands become part of an instruction's encoding or select the code to generate: they must \
            be constants in the call itself, not values.",
        example: r"declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @f(ptr %to, ptr %from, i1 %volatile) {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 8, i1 %volatile)
  ret void
}
",
        fixed: r"declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @f(ptr %to, ptr %from) {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 8, i1 false)
  ret void
}
",
        source: "LLVM `Verifier::visitCallBase`: \"immarg operand has non-immediate parameter\"; LLVM Language \
            Reference, \"Parameter Attributes\", `immarg`",
    }

    ADDRESS {
        code: "intrinsic-address",
        severity: Severity::Error,
        title: "an intrinsic is only called by name",
        explain: "An intrinsic is not a function: it is expanded at the call and has no address. Only a few \
            intrinsics can be invoked.",
        example: r"declare void @llvm.trap()
define void @f(ptr %p) {
  store ptr @llvm.trap, ptr %p
  ret void
}
",
        fixed: r"declare void @llvm.trap()
define void @f(ptr %p) {
  call void @llvm.trap()
  ret void
}
",
        source: "LLVM `Verifier::visitFunction`: \"Invalid user of intrinsic instruction!\"; LLVM Language \
            Reference, \"Intrinsic Functions\"",
    }

    OPERANDS {
        code: "intrinsic-operands",
        severity: Severity::Error,
        title: "the operands of an intrinsic obey its own rules",
        explain: "Many intrinsics relate their operands beyond the signature: numbers of lanes that must agree, an \
            index within a vector, a token from a certain call.",
        example: r"declare i8 @llvm.bswap.i8(i8)
define i8 @f(i8 %x) {
  %swapped = call i8 @llvm.bswap.i8(i8 %x)
  ret i8 %swapped
}
",
        fixed: r"declare i16 @llvm.bswap.i16(i16)
define i16 @f(i16 %x) {
  %swapped = call i16 @llvm.bswap.i16(i16 %x)
  ret i16 %swapped
}
",
        source: "LLVM `Verifier::visitIntrinsicCall`: \"bswap must be an even number of bytes\" and its other \
            cases; LLVM Language Reference, the section of the intrinsic",
    }
}

pub(super) fn function(cx: &mut RuleContext<'_>) {
    addresses(cx);
    let mut found = Vec::new();
    let mut reported: FxHashSet<&str> = FxHashSet::default();
    {
        let cx = &*cx;
        let mut add = |id, verdict: Verdict| {
            found.extend(verdict.err().map(|fault| fault.diagnostic(|part| cx.part_range(id, part))));
        };
        for (id, inst) in cx.insts() {
            let Some(call) = cx.body.call(inst) else { continue };
            let name = cx.callee_name(call).unwrap_or("");
            if !name.starts_with("llvm.") {
                continue;
            }
            let Type::Function { result, params, vararg } = cx.types.get(cx.call_ty(inst)) else { continue };
            let site = Site {
                rule: &SIGNATURE,
                cx,
                id,
                inst,
                call,
                name,
                result,
                params: cx.types.list(params),
                vararg,
            };
            if inst.opcode == Opcode::Invoke && !can_be_invoked(name) {
                let message = format!("intrinsic `@{name}` must not be invoked");
                add(id, fail(&ADDRESS, message));
                continue;
            }
            let declared = cx.global(cx.body.tables.operand(call.callee));
            if let Some(declared) = declared
                && !declared.value_type.is_error()
                && declared.value_type != cx.call_ty(inst)
                && !(has_old_shape(name, param_count(cx, declared.value_type))
                    && has_old_shape(name, site.params.len()))
                && !fits_new_declaration(&site, declared.value_type)
                && !is_renamed_after_types(&site, declared.value_type)
                && (!is_removed(name, param_count(cx, declared.value_type))
                    || is_renamed(&site, declared.value_type))
                && !becomes_record(cx, call)
            {
                // The second declaration of the name is reported.
                let mut others = cx.scope.globals.iter().filter(|g| g.value_type == cx.call_ty(inst));
                if others.any(|g| cx.scope.global_name(g).strip_prefix('@') == Some(name)) {
                    continue;
                }
                let (is, called) = (cx.display_ty(declared.value_type), cx.display_ty(cx.call_ty(inst)));
                let message = format!("`@{name}` is declared as `{is}`, but called as `{called}`");
                let place = cx.scope.place(declared.summary, declared.head.item);
                let fault = site.wrong(message).map_err(|fault| fault.related(place, "declared here"));
                add(id, fault);
                continue;
            }
            let name = &*current_name(name);
            // An older version takes the name of a newer intrinsic for that of any function.
            let known = Intrinsic::lookup(name).filter(|intrinsic| cx.scope.reads(intrinsic.since()));
            let known = known.map(|i| (i, match_current(cx.scope, &cx.types, i, cx.call_ty(inst))));
            let intrinsic = match known {
                // What a newer version asks of the operands is not known.
                Some((intrinsic, _)) if matches_newer(cx.scope, &cx.types, intrinsic, cx.call_ty(inst)) => {
                    continue;
                }
                Some((intrinsic, Ok(_))) => intrinsic,
                Some((intrinsic, Err(mismatch))) if !is_upgraded(name, site.params.len()) => {
                    let is_told = declared.is_some() && cx.scope.follows(declarations::VERIFIED);
                    if !is_told && reported.insert(site.name) {
                        let message =
                            explain(intrinsic, mismatch, site.result, site.params, |ty| cx.display_ty(ty));
                        add(
                            id,
                            match mismatch {
                                Mismatch::Parameter(n) => site.wrong_argument(n, message),
                                _ => site.wrong(message),
                            },
                        );
                    }
                    continue;
                }
                _ => {
                    add(id, intrinsic_calls::upgraded::check(&site.under(&OPERANDS)));
                    continue;
                }
            };
            let immediates = immediates(&site.under(&IMMEDIATE), intrinsic);
            let operands = || intrinsic_calls::check(&site.under(&OPERANDS), intrinsic.name());
            add(id, immediates.and_then(|()| operands()));
        }
    }
    cx.diagnostics.append(&mut found);
}

/// How many parameters a function of this type has, without those that `...` stands for.
fn param_count(cx: &RuleContext<'_>, function: TypeId) -> usize {
    match cx.types.get(function) {
        Type::Function { params, .. } => cx.types.list(params).len(),
        _ => 0,
    }
}

/// Whether LLVM replaces an old declaration by one that a call fits.
fn fits_new_declaration(site: &Site<'_, '_>, declared: TypeId) -> bool {
    let called = site.cx.call_ty(site.inst);
    let fits = |intrinsic| match_signature(&site.cx.scope.structs, &site.cx.types, intrinsic, called).is_ok();
    is_redeclared(site.name, param_count(site.cx, declared)) && Intrinsic::lookup(site.name).is_some_and(fits)
}

/// Whether LLVM names the declaration after its types, which its name does not fit, and upgrades the call with it.
fn is_renamed_after_types(site: &Site<'_, '_>, declared: TypeId) -> bool {
    let own = |intrinsic| full_name(&site.cx.scope.structs, &site.cx.types, intrinsic, declared);
    has_old_shape(site.name, site.params.len())
        && Intrinsic::lookup(site.name).and_then(own).is_some_and(|own| own != site.name)
}

/// Whether LLVM makes a call anew when it reads it, because the intrinsic was another one: attributes, bundles, attachments and
/// calling convention of the call are dropped.
pub(super) fn is_remade(cx: &RuleContext<'_>, inst: &Inst) -> bool {
    let Some(call) = cx.body.call(inst) else { return false };
    let Some(name) = cx.callee_name(call).filter(|name| name.starts_with("llvm.")) else { return false };
    let is_current = || {
        Intrinsic::lookup(name)
            .is_some_and(|i| match_signature(&cx.scope.structs, &cx.types, i, cx.call_ty(inst)).is_ok())
    };
    becomes_record(cx, call) || is_upgraded(name, call.args.len as usize) && !is_current()
}

/// Whether LLVM only renames an intrinsic: a call must then have the type of the declaration. It makes a literal struct of a named
/// result.
fn is_renamed(site: &Site<'_, '_>, declared: TypeId) -> bool {
    let (types, name) = (&site.cx.types, &*current_name(site.name));
    let Type::Function { result, .. } = types.get(declared) else { return false };
    let is_named = |ty: TypeId| matches!(types.get(ty), Type::NamedStruct(_));
    let fits =
        |intrinsic: Intrinsic| match_signature(&site.cx.scope.structs, types, intrinsic, declared).is_ok();
    name != site.name
        && !is_named(result)
        && !is_named(site.result)
        && Intrinsic::lookup(name).is_some_and(fits)
}

/// `display` writes the types of `result` and `params`, which the intrinsic is declared or called with.
fn explain(
    intrinsic: Intrinsic,
    mismatch: Mismatch,
    result: TypeId,
    params: &[TypeId],
    display: impl Fn(TypeId) -> String,
) -> String {
    let name = intrinsic.name();
    let why = match mismatch {
        Mismatch::Result => format!("cannot return `{}` here", display(result)),
        Mismatch::Parameter(n) => {
            format!(
                "cannot take `{}` as argument {}",
                params.get(n).map_or_else(String::new, |t| display(*t)),
                n + 1
            )
        }
        Mismatch::Parameters => {
            let given: Vec<String> = params.iter().map(|t| display(*t)).collect();
            format!("cannot take `({})`", given.join(", "))
        }
        Mismatch::TooMany => format!("takes fewer arguments than the {} here", params.len()),
        Mismatch::TooFew if params.is_empty() => "has no arguments here".into(),
        Mismatch::TooFew => format!("takes more arguments than the {} here", params.len()),
        Mismatch::Variadic(true) => "must be declared and called with variable arguments (`...`)".into(),
        Mismatch::Variadic(false) => "must not be declared or called with variable arguments (`...`)".into(),
    };
    format!("`{name}` {why}: its signature is {}", intrinsic.readable())
}

fn can_be_invoked(name: &str) -> bool {
    [
        "donothing",
        "seh.try.begin",
        "seh.try.end",
        "seh.scope.begin",
        "seh.scope.end",
        "coro.resume",
        "coro.destroy",
        "coro.await.suspend",
        "experimental.patchpoint",
        "fake.use",
        "experimental.gc.statepoint",
        "wasm.throw",
        "wasm.rethrow",
        "objc.clang.arc",
    ]
    .iter()
    .any(|allowed| name["llvm.".len()..].starts_with(allowed))
        || Intrinsic::lookup(name).is_none()
}

fn immediates(site: &Site<'_, '_>, intrinsic: Intrinsic) -> Verdict {
    let cx = site.cx;
    let args = site.args();
    for n in intrinsic.immediates() {
        let Some(arg) = args.get(n) else { continue };
        let constant = match arg.value {
            Value::Error => continue,
            _ => cx.constant(*arg),
        };
        let immediate = matches!(
            constant,
            Some(
                Const::Int(_)
                    | Const::Wide(_)
                    | Const::Bool(_)
                    | Const::Double(_)
                    | Const::Decimal(_)
                    | Const::HexFloat(_)
                    | Const::ZeroInitializer
                    | Const::Error
                    | Const::Expr(_)
            )
        );
        if !immediate {
            let message =
                format!("argument {} of `{}` must be a constant in the call itself", n + 1, intrinsic.name());
            return site.wrong_argument(n, message);
        }
    }
    for (n, low, high) in intrinsic.ranges() {
        let Some(arg) = args.get(n).filter(|_| intrinsic.immediates().any(|i| i == n)) else { continue };
        let Some(value) = cx.body.tables.int_of(*arg) else { continue };
        let signed = match cx.types.int_bits(cx.ty(arg.ty)) {
            Some(bits @ 1..=63) => (value << (64 - bits)) >> (64 - bits),
            _ => value,
        };
        if !(low..high).contains(&signed) {
            let message = format!(
                "argument {} of `{}` must be between {low} and {}, is {signed}",
                n + 1,
                intrinsic.name(),
                high - 1
            );
            return site.wrong_argument(n, message);
        }
    }
    Ok(())
}

/// Names of intrinsics that are neither called nor in a bundle that may hold them.
fn addresses(cx: &mut RuleContext<'_>) {
    let body = cx.body;
    let tables = &body.tables;
    let intrinsic: Vec<bool> = (0..tables.names.len() as u32)
        .map(|n| tables.names.get(super::super::names::NameId(n)).starts_with("llvm."))
        .collect();
    if !intrinsic.contains(&true) {
        return;
    }
    let mut allowed: FxHashSet<u32> = body.calls.iter().map(|c| c.callee.0).collect();
    for bundle in &body.cold.bundles {
        if tables.name(bundle.tag) == "clang.arc.attachedcall" {
            allowed.extend(bundle.operands.start..bundle.operands.start + bundle.operands.len);
        }
    }
    for (n, operand) in tables.operands.iter().enumerate() {
        let Value::Global(symbol) = operand.value else { continue };
        let Some(name) = symbol.as_name() else { continue };
        if !intrinsic.get(name.0 as usize).copied().unwrap_or(false) || allowed.contains(&(n as u32)) {
            continue;
        }
        let text = tables.names.get(name);
        if is_function(cx.scope.global(symbol, &tables.names), text) {
            let range = cx.operand_range(OperandId(n as u32));
            cx.report(&ADDRESS, range, format!("the address of intrinsic `@{text}` must not be taken"));
        }
    }
}

fn is_function(global: Option<&super::super::scope::GlobalInfo>, name: &str) -> bool {
    match global {
        Some(global) => matches!(global.kind, super::super::scope::GlobalKind::Function(_)),
        None => Intrinsic::lookup(name).is_some(),
    }
}

pub(super) fn module(cx: &mut ModuleContext<'_>) {
    declarations::module(cx);
    let tables = &cx.summary.tables;
    let mut found = Vec::new();
    for (n, operand) in tables.operands.iter().enumerate() {
        let Value::Global(symbol) = operand.value else { continue };
        let Some(name) = symbol.as_name().map(|n| tables.names.get(n)) else { continue };
        if name.starts_with("llvm.") && is_function(cx.scope.global(symbol, &tables.names), name) {
            let message = format!("the address of intrinsic `@{name}` must not be taken");
            found.push((cx.ranges.operand(OperandId(n as u32)), message));
        }
    }
    for (range, message) in found {
        cx.report(&ADDRESS, range, message);
    }
}

#[cfg(test)]
mod tests;
