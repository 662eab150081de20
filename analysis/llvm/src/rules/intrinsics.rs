//! Intrinsics: their signatures, immediate operands, and uses of their names.
//!
//! Source: LLVM Language Reference, "Intrinsic Functions"; signatures from LLVM's Intrinsics*.td.

use rustc_hash::FxHashSet;

use super::super::body::{Inst, Opcode};
use wavelens_syntax::llvm::NEWER_SINCE;

use super::super::intrinsic_match::{
    Mismatch, current_name, has_old_shape, is_redeclared, is_removed, is_upgraded, match_signature,
    matches_newer,
};
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
            let known = Intrinsic::lookup(name)
                .map(|i| (i, match_signature(&cx.scope.structs, &cx.types, i, cx.call_ty(inst))));
            let reads_newer = cx.scope.llvm_level.is_none_or(|level| level >= NEWER_SINCE);
            let intrinsic = match known {
                // What LLVM 23 asks of the operands is not known.
                Some((intrinsic, Err(_)))
                    if reads_newer
                        && matches_newer(&cx.scope.structs, &cx.types, intrinsic, cx.call_ty(inst)) =>
                {
                    continue;
                }
                Some((intrinsic, Ok(_))) => intrinsic,
                Some((intrinsic, Err(mismatch))) if !is_upgraded(name, site.params.len()) => {
                    if reported.insert(site.name) {
                        let message = explain(&site, intrinsic, mismatch);
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

fn explain(site: &Site<'_, '_>, intrinsic: Intrinsic, mismatch: Mismatch) -> String {
    let name = intrinsic.name();
    let ty = |ty: TypeId| site.cx.display_ty(ty);
    let why = match mismatch {
        Mismatch::Result => format!("cannot return `{}` here", ty(site.result)),
        Mismatch::Parameter(n) => {
            format!(
                "cannot take `{}` as argument {}",
                site.params.get(n).map_or_else(String::new, |t| ty(*t)),
                n + 1
            )
        }
        Mismatch::Parameters => {
            let given: Vec<String> = site.params.iter().map(|t| ty(*t)).collect();
            format!("cannot take `({})`", given.join(", "))
        }
        Mismatch::TooMany => format!("takes fewer arguments than the {} here", site.params.len()),
        Mismatch::TooFew if site.params.is_empty() => "has no arguments here".into(),
        Mismatch::TooFew => format!("takes more arguments than the {} here", site.params.len()),
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
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn calls_of_removed_intrinsics_are_made_anew() {
        marks(expect![[r#"
            declare i16 @llvm.x86.avx512.mask.vpshufbitqmb.128(<16 x i8>, <16 x i8>, i6)
            define i16 @f(<16 x i8> %a, i16 %m) {
              %r = call i16 @llvm.x86.avx512.mask.vpshufbitqmb.128(<16 x i8> %a, <16 x i8> %a, i16 %m)
            ;               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[deprecated-intrinsic]: `@llvm.x86.avx512.mask.vpshufbitqmb.128` was replaced in newer versions of LLVM: LLVM rewrites the call when it reads the file
              ret i16 %r
            }
        "#]]);
    }

    #[test]
    fn what_is_written_at_a_call_that_is_made_anew_is_dropped() {
        marks(expect![[r#"
            define i32 @f(i1 %c, ptr %p, i32 %x, <4 x i1> %m, <4 x i32> %v) {
            entry:
              %s = alloca i32
              call amdgpu_vs void @llvm.lifetime.start.p0(i64 4, ptr byref(i32) %s) [ "funclet"(token none) ]
              call void @llvm.masked.store.v4i32.p0(<4 x i32> zeroext %v, ptr %p, i32 4, <4 x i1> %m)
              br i1 %c, label %a, label %b
            a:
              br label %b
            b:
              %y = phi i32 [ 1, %entry ], [ 2, %a ]
              call void @llvm.dbg.value(metadata i32 %y, metadata !0, metadata !DIExpression()), !nonnull !1
              %z = phi i32 [ 1, %entry ], [ 2, %a ]
              ret i32 %z
            }
            declare void @llvm.lifetime.start.p0(i64, ptr)
            declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, i32, <4 x i1>)
            declare void @llvm.dbg.value(metadata, metadata, metadata)
            !0 = !{}
            !1 = !{i8 1}
        "#]]);
    }

    /// LLVM replaces these declarations before it looks at calls; those of lifetime markers it leaves to their calls.
    #[test]
    fn a_call_as_of_today_fits_an_old_declaration() {
        marks(expect![[r#"
            declare void @llvm.memset.p0.i64(ptr, i8, i64, i32, i1)
            declare i32 @llvm.ctlz.i32(i32)
            declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, i32, <4 x i1>)
            declare void @llvm.lifetime.start.p0(i64, ptr)
            define void @f(i32 %x, ptr %p, <4 x i1> %m, <4 x i32> %v) {
              %s = alloca i32
              call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 4, i1 false)
              %n = call i32 @llvm.ctlz.i32(i32 %x, i1 true)
              call void @llvm.masked.store.v4i32.p0(<4 x i32> %v, ptr %p, <4 x i1> %m)
              call void @llvm.masked.store.v4i32.p0(<4 x i32> %v, ptr %p, i32 4)
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-signature]: `@llvm.masked.store.v4i32.p0` is declared as `void (<4 x i32>, ptr, i32, <4 x i1>)`, but called as `void (<4 x i32>, ptr, i32)`
            ;                                                                  = line 3:14: declared here
              call void @llvm.lifetime.start.p0(ptr %s)
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-signature]: `@llvm.lifetime.start.p0` is declared as `void (i64, ptr)`, but called as `void (ptr)`
            ;                                         = line 4:14: declared here
              ret void
            }
        "#]]);
    }

    /// LLVM asks the declaration whether an intrinsic is an old one.
    #[test]
    fn a_call_of_old_does_not_fit_another_declaration() {
        marks(expect![[r#"
            declare i32 @llvm.ctlz.i32()
            declare i64 @llvm.cttz.i64(i64, i1)
            declare i32 @llvm.nvvm.brev32()
            declare i64 @llvm.nvvm.brev64(i64)
            define void @f(i32 %x, i64 %y) {
              call i32 @llvm.ctlz.i32(i32 %x)
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-signature]: `@llvm.ctlz.i32` is declared as `i32 ()`, but called as `i32 (i32)`
            ;                               = line 1:13: declared here
            ;          ^^^^^^^^^^^^^^ hint[deprecated-intrinsic]: `@llvm.ctlz.i32` was replaced in newer versions of LLVM: it now takes a second argument: whether zero gives poison
              call i64 @llvm.cttz.i64(i64 %y)
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-signature]: `@llvm.cttz.i64` is declared as `i64 (i64, i1)`, but called as `i64 (i64)`
            ;                               = line 2:13: declared here
            ;          ^^^^^^^^^^^^^^ hint[deprecated-intrinsic]: `@llvm.cttz.i64` was replaced in newer versions of LLVM: it now takes a second argument: whether zero gives poison
              call i32 @llvm.nvvm.brev32(i32 %x)
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-signature]: `@llvm.nvvm.brev32` is declared as `i32 ()`, but called as `i32 (i32)`
            ;                                  = line 3:13: declared here
            ;          ^^^^^^^^^^^^^^^^^ hint[deprecated-intrinsic]: `@llvm.nvvm.brev32` was replaced in newer versions of LLVM: LLVM rewrites the call when it reads the file
              call i64 @llvm.nvvm.brev64(i64 %y)
            ;          ^^^^^^^^^^^^^^^^^ hint[deprecated-intrinsic]: `@llvm.nvvm.brev64` was replaced in newer versions of LLVM: LLVM rewrites the call when it reads the file
              ret void
            }
        "#]]);
    }

    #[test]
    fn renamed_intrinsics_are_called_as_declared() {
        marks(expect![[r#"
            declare i32 @llvm.experimental.vector.reduce.smin.v4i32(<4 x i32>)
            declare float @llvm.experimental.vector.reduce.v2.fadd.f32.v4f32(float, <4 x float>)
            declare <8 x i8> @llvm.arm.neon.vqadds.v8i8(<8 x i8>, <8 x i8>)
            declare <4 x i8> @llvm.arm.neon.vqsubu.v8i8(<4 x i8>, <4 x i8>)
            define void @f(<4 x i32> %i, <4 x float> %x, <8 x i8> %v, <4 x i8> %w) {
              call i32 @llvm.experimental.vector.reduce.smin.v4i32(<4 x i32> %i)
            ;          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[deprecated-intrinsic]: `@llvm.experimental.vector.reduce.smin.v4i32` was replaced in newer versions of LLVM: use `llvm.vector.reduce...`
              call float @llvm.experimental.vector.reduce.v2.fadd.f32.v4f32(float 0.0, <4 x float> %x)
            ;            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[deprecated-intrinsic]: `@llvm.experimental.vector.reduce.v2.fadd.f32.v4f32` was replaced in newer versions of LLVM: use `llvm.vector.reduce...`
              call <8 x i8> @llvm.arm.neon.vqadds.v8i8(<8 x i8> %v, <8 x i8> %v)
            ;               ^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[deprecated-intrinsic]: `@llvm.arm.neon.vqadds.v8i8` was replaced in newer versions of LLVM: LLVM rewrites the call when it reads the file
              call <4 x i8> @llvm.arm.neon.vqsubu.v8i8(<4 x i8> %w, <4 x i8> %w)
            ;               ^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[deprecated-intrinsic]: `@llvm.arm.neon.vqsubu.v8i8` was replaced in newer versions of LLVM: LLVM rewrites the call when it reads the file
              call i32 @llvm.experimental.vector.reduce.smin.v4i32(i32 1)
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-signature]: `@llvm.experimental.vector.reduce.smin.v4i32` is declared as `i32 (<4 x i32>)`, but called as `i32 (i32)`
            ;                                                           = line 1:13: declared here
            ;          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[deprecated-intrinsic]: `@llvm.experimental.vector.reduce.smin.v4i32` was replaced in newer versions of LLVM: use `llvm.vector.reduce...`
              call <8 x i8> @llvm.arm.neon.vqsubu.v8i8(<8 x i8> %v, <8 x i8> %v)
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-signature]: `@llvm.arm.neon.vqsubu.v8i8` is declared as `<4 x i8> (<4 x i8>, <4 x i8>)`, but called as `<8 x i8> (<8 x i8>, <8 x i8>)`
            ;                                                                  = line 4:18: declared here
            ;               ^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[deprecated-intrinsic]: `@llvm.arm.neon.vqsubu.v8i8` was replaced in newer versions of LLVM: LLVM rewrites the call when it reads the file
              call float @llvm.experimental.vector.reduce.v2.fmul.f32.v4f32(float 0.0, <4 x i32> %i)
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-signature]: `llvm.vector.reduce.fmul` cannot return `float` here: its signature is `element of T (element of T, T)` where `T` is a vector
            ;            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[deprecated-intrinsic]: `@llvm.experimental.vector.reduce.v2.fmul.f32.v4f32` was replaced in newer versions of LLVM: use `llvm.vector.reduce...`
              ret void
            }
        "#]]);
    }

    #[test]
    fn llvm_makes_a_literal_struct_of_a_named_result() {
        marks(expect![[r#"
            %pair = type { i32, i1 }
            declare %pair @llvm.umul.with.overflow.i32(i32, i32)
            define void @f(i32 %i) {
              %r = call %pair @llvm.umul.with.overflow.i32(i32 %i, i32 3)
              ret void
            }
        "#]]);
        marks(expect![[r#"
            %pair = type { i32, i2 }
            declare %pair @llvm.umul.with.overflow.i32(i32, i32)
            define void @f(i32 %i) {
              %r = call %pair @llvm.umul.with.overflow.i32(i32 %i, i32 3)
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-signature]: `llvm.umul.with.overflow` cannot return `%pair` here: its signature is `{T, i1 like T} (T, T)` where `T` is an integer or a vector of them
              ret void
            }
        "#]]);
    }

    #[test]
    fn faults() {
        marks(expect![[r#"
            @g = global ptr @llvm.trap
            ;               ^^^^^^^^^^ error[intrinsic-address]: the address of intrinsic `@llvm.trap` must not be taken
            declare void @llvm.trap()
        "#]]);
        marks(expect![[r#"
            define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
              call i32 @llvm.ctpop.i64(i64 0)
            ;                              ^ error[intrinsic-signature]: `llvm.ctpop` cannot take `i64` as argument 1: its signature is `T (T)` where `T` is an integer or a vector of them
              ret void
            }
        "#]]);
        marks(expect![[r#"
            define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
              call void @llvm.trap(i32 0)
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-signature]: `@llvm.trap` is declared as `void ()`, but called as `void (i32)`
            ;                           = line 5:14: declared here
              ret void
            }
            declare void @llvm.trap()
        "#]]);
        // Debug calls become records, which have no result and take the arguments they need.
        marks(expect![[r#"
            define void @f(i32 %x) {
              call i32 @llvm.dbg.value(metadata i32 %x, metadata !1, metadata !DIExpression())
              call void @llvm.dbg.value(metadata i32 %x, metadata !1, metadata !DIExpression(), i32 0, i32 1)
              call void @llvm.dbg.value(metadata i32 %x, i32 %x, metadata !DIExpression())
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-signature]: `@llvm.dbg.value` is declared as `void (metadata, metadata, metadata)`, but called as `void (metadata, i32, metadata)`
            ;                                                                            = line 8:14: declared here
              call void @llvm.dbg.value(metadata i32 %x, i64 0, metadata !1, metadata !DIExpression())
              ret void
            }
            declare void @llvm.dbg.value(metadata, metadata, metadata)
            !1 = !{}
        "#]]);
        marks(expect![[r#"
            define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
              %a = call i32 @llvm.ctlz.i32(i32 %i, i1 %c)
            ;                                         ^^ error[intrinsic-immediate]: argument 2 of `llvm.ctlz` must be a constant in the call itself
              ret void
            }
            declare i32 @llvm.ctlz.i32(i32, i1)
        "#]]);
    }

    #[test]
    fn calls_of_renamed_intrinsics_have_the_type_of_the_declaration() {
        marks(expect![[r#"
            define void @f() {
              %a = call <vscale x 1 x i8> @llvm.experimental.stepvector.nxv8i64()
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-signature]: `@llvm.experimental.stepvector.nxv8i64` is declared as `<vscale x 8 x i64> ()`, but called as `<vscale x 1 x i8> ()`
            ;                                                                   = line 5:28: declared here
            ;                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[deprecated-intrinsic]: `@llvm.experimental.stepvector.nxv8i64` was replaced in newer versions of LLVM: use `@llvm.stepvector.nxv8i64`
            ;                                                                 = fix:   %a = call <vscale x 1 x i8> @llvm.stepvector.nxv8i64()
              ret void
            }
            declare <vscale x 8 x i64> @llvm.experimental.stepvector.nxv8i64()
        "#]]);
    }

    #[test]
    fn calls_of_old_shape_are_made_anew() {
        marks(expect![[r#"
            declare void @llvm.lifetime.end.p0(i64, ptr)
            define void @f(ptr %p) {
              call void @llvm.lifetime.end.p0(i67 4, ptr %p)
              ret void
            }
        "#]]);
    }
}
