//! Attributes: what excludes what, which types and values each may have, and which function they fit.
//!
//! Where a word may stand at all is the parser's rule. Source: LLVM Language Reference, "Parameter Attributes" and "Function
//! Attributes".

use super::super::attribute::{AttrKind, AttrValue, memory};
use super::super::attribute_set::{AttributeSet, Entry};
use super::super::check::{FunctionCx, ModuleCx};
use super::super::layout::{Layout, is_sized};
use super::super::scope::Scope;
use super::super::summary::UnnamedAddr;
use super::super::tables::Intrinsic;
use super::super::tables::attributes::BOOLEAN_STRINGS;
use super::super::types::{Type, TypeId, Types};
use crate::{Rule, Severity, TextRange};

pub(super) static CONFLICT: Rule = Rule {
    code: "attribute-conflict",
    severity: Severity::Error,
    explain: "Two attributes contradict each other, or one needs another that is missing.\n\n\
              ```llvm\ndefine void @f() optnone {   ; `optnone` requires `noinline`\n```\n\n\
              Source: LLVM Language Reference, \"Function Attributes\" and \"Parameter Attributes\".",
};

pub(super) static TYPE: Rule = Rule {
    code: "attribute-type",
    severity: Severity::Error,
    explain: "An attribute stands on a value whose type it says nothing about: `zeroext` is for integers, `nonnull` for pointers.\n\n\
              ```llvm\ndeclare void @f(float zeroext)\n```\n\n\
              Source: LLVM Language Reference, \"Parameter Attributes\".",
};

pub(super) static VALUE: Rule = Rule {
    code: "attribute-value",
    severity: Severity::Error,
    explain: "The value of an attribute is out of its range, or not one of its words.\n\n\
              ```llvm\ndeclare void @f() vscale_range(3, 8)   ; not a power of two\n```\n\n\
              Source: LLVM Language Reference, \"Function Attributes\".",
};

pub(super) const RULES: &[&Rule] = &[&CONFLICT, &TYPE, &VALUE];

/// A mistake and the attribute that it is about.
struct Mistake {
    rule: &'static Rule,
    /// Index into the attributes of the place; `None`: the whole place.
    index: Option<u32>,
    message: String,
}

type Verdict = Result<(), Mistake>;

fn conflict(entry: Option<&Entry<'_>>, message: impl Into<String>) -> Verdict {
    Err(Mistake { rule: &CONFLICT, index: entry.map(|e| e.index), message: message.into() })
}

fn value(entry: &Entry<'_>, message: impl Into<String>) -> Verdict {
    Err(Mistake { rule: &VALUE, index: Some(entry.index), message: message.into() })
}

/// What is known about the function that attributes belong to.
struct Site<'a> {
    scope: &'a Scope,
    types: &'a Types,
    layout: &'a Layout,
    result: TypeId,
    /// Of the function type; a call may have more arguments.
    params: &'a [TypeId],
    /// Its name begins with `llvm.`.
    is_intrinsic: bool,
    is_asm: bool,
    /// `None` for a call.
    unnamed_addr: Option<UnnamedAddr>,
}

pub(super) fn module(cx: &mut ModuleCx<'_>) {
    let layout = Layout::of(cx.scope.data_layout.as_deref());
    let (scope, summary, at) = (cx.scope, cx.summary, cx.summary_index);
    let tables = &summary.tables;
    let canonical = |ty| scope.canonical(at, ty);
    let mut found: Vec<(u32, Mistake)> = Vec::new();
    for function in &summary.functions {
        let params = summary.params(function);
        if function.attrs.is_empty()
            && function.ret_attrs.is_empty()
            && params.iter().all(|p| p.attrs.is_empty())
        {
            continue;
        }
        let name = function.head.name.as_name().map_or("", |n| tables.names.get(n));
        if Intrinsic::lookup(name).is_some() {
            // LLVM replaces what is written by what it knows.
            continue;
        }
        let param_types: Vec<_> = params.iter().map(|p| canonical(p.ty)).collect();
        let set = |span| AttributeSet::new(scope, tables, span, canonical);
        let sets: Vec<_> = params.iter().map(|p| set(p.attrs)).collect();
        let site = Site {
            scope,
            types: &cx.types,
            layout: &layout,
            result: canonical(function.result),
            params: &param_types,
            is_intrinsic: name.starts_with("llvm."),
            is_asm: false,
            unnamed_addr: Some(function.head.unnamed_addr),
        };
        let own = set(function.attrs);
        site.verify(&set(function.ret_attrs), &sets, &own, &mut |m| found.push((function.head.item, m)));
        if let Some((entry, _)) = own.string_entry("aarch64_zt0_undef") {
            let message = "`aarch64_zt0_undef` can only stand on a call".to_owned();
            found.push((function.head.item, Mistake { rule: &CONFLICT, index: Some(entry.index), message }));
        }
        variant(scope, &own, name, function.head.item, &mut found);
    }
    for (item, mistake) in found {
        let place = mistake.index.and_then(|i| cx.ranges.attrs.get(i as usize)).copied();
        let range = place.unwrap_or_else(|| cx.item_range(item));
        cx.report(mistake.rule, range, mistake.message);
    }
}

pub(super) fn function(cx: &mut FunctionCx<'_>) {
    let mut layout = None;
    let mut found: Vec<(TextRange, Mistake)> = Vec::new();
    let body = cx.body;
    for (id, inst) in cx.insts() {
        let Some(call) = body.call(inst) else { continue };
        let arg_attrs = call.arg_attrs.of(&body.arg_attrs);
        if call.fn_attrs.is_empty() && call.ret_attrs.is_empty() && arg_attrs.iter().all(|a| a.is_empty()) {
            continue;
        }
        let Type::Function { result, params, .. } = cx.types.get(cx.call_ty(inst)) else { continue };
        let callee = body.tables.operand(call.callee);
        let scope = cx.scope;
        let set = |span| AttributeSet::new(scope, &body.tables, span, |ty| cx.ty(ty));
        let sets: Vec<_> = arg_attrs.iter().map(|span| set(*span)).collect();
        let site = Site {
            scope,
            types: &cx.types,
            layout: layout.get_or_insert_with(|| Layout::of(scope.data_layout.as_deref())),
            result,
            params: cx.types.list(params),
            is_intrinsic: cx.callee_name(call).is_some_and(|n| n.starts_with("llvm.")),
            is_asm: matches!(callee.value, super::super::operand::Value::Asm(_)),
            unnamed_addr: None,
        };
        let whole = body.inst_range(id);
        site.verify(&set(call.ret_attrs), &sets, &set(call.fn_attrs), &mut |m| found.push((whole, m)));
        // Arguments beyond the function type's parameters.
        let args = body.operands(call.args);
        for n in site.params.len()..args.len() {
            let (Some(arg), Some(set)) = (args.get(n), sets.get(n)) else { break };
            if let Err(mistake) = site.extra_argument(n, cx.ty(arg.ty), set, &sets) {
                found.push((whole, mistake));
            }
        }
    }
    for (whole, mistake) in found {
        let place = mistake.index.and_then(|i| body.ranges.attrs.get(i as usize)).copied();
        cx.report(mistake.rule, place.unwrap_or(whole), mistake.message);
    }
}

/// Pairs that no parameter has both of.
const EXCLUSIVE: &[(AttrKind, AttrKind)] = &[
    (AttrKind::InAlloca, AttrKind::ReadOnly),
    (AttrKind::StructRet, AttrKind::Returned),
    (AttrKind::ZExt, AttrKind::SExt),
    (AttrKind::ReadNone, AttrKind::ReadOnly),
    (AttrKind::ReadNone, AttrKind::WriteOnly),
    (AttrKind::ReadOnly, AttrKind::WriteOnly),
    (AttrKind::Writable, AttrKind::ReadNone),
    (AttrKind::Writable, AttrKind::ReadOnly),
];

/// For pointers only.
const ON_POINTERS: &[AttrKind] = &[
    AttrKind::NoAlias,
    AttrKind::NonNull,
    AttrKind::ReadNone,
    AttrKind::ReadOnly,
    AttrKind::Dereferenceable,
    AttrKind::DereferenceableOrNull,
    AttrKind::Writable,
    AttrKind::DeadOnUnwind,
    AttrKind::Initializes,
    AttrKind::Captures,
    AttrKind::DeadOnReturn,
    AttrKind::Nest,
    AttrKind::SwiftError,
    AttrKind::Preallocated,
    AttrKind::InAlloca,
    AttrKind::ByVal,
    AttrKind::StructRet,
    AttrKind::ByRef,
    AttrKind::ElementType,
    AttrKind::AllocatedPointer,
];

/// Pairs that no function has both of.
const EXCLUSIVE_ON_FUNCTIONS: &[(AttrKind, AttrKind)] = &[
    (AttrKind::NoInline, AttrKind::AlwaysInline),
    (AttrKind::OptimizeNone, AttrKind::OptimizeForSize),
    (AttrKind::OptimizeNone, AttrKind::MinSize),
    (AttrKind::OptimizeNone, AttrKind::OptimizeForDebugging),
    (AttrKind::SanitizeRealtime, AttrKind::SanitizeRealtimeBlocking),
    (AttrKind::OptimizeForDebugging, AttrKind::OptimizeForSize),
    (AttrKind::OptimizeForDebugging, AttrKind::MinSize),
];

fn exclusive(set: &AttributeSet<'_>, pairs: &[(AttrKind, AttrKind)]) -> Verdict {
    for (a, b) in pairs {
        if set.has(*a) && set.has(*b) {
            return conflict(set.get(*b), format!("`{}` and `{}` exclude each other", a.word(), b.word()));
        }
    }
    Ok(())
}

impl Site<'_> {
    fn verify(
        &self,
        result: &AttributeSet<'_>,
        params: &[AttributeSet<'_>],
        own: &AttributeSet<'_>,
        report: &mut dyn FnMut(Mistake),
    ) {
        if let Err(mistake) = self.value(result, self.result) {
            report(mistake);
        }
        if let Err(mistake) = self.parameters(params, report) {
            report(mistake);
        }
        if own.is_empty() {
            return;
        }
        for check in [Self::words, Self::own, Self::strings] {
            if let Err(mistake) = check(self, own) {
                report(mistake);
            }
        }
        let writes = |bits: u64| bits >> memory::ARGMEM & 2 != 0;
        let writable = params.iter().find_map(|p| p.get(AttrKind::Writable));
        if let (Some(writable), Some(effects)) = (writable, own.int(AttrKind::Memory))
            && !writes(effects)
        {
            let message =
                "`writable` on a parameter of a function whose `memory(...)` does not write `argmem`";
            report(Mistake { rule: &CONFLICT, index: Some(writable.index), message: message.into() });
        }
    }

    fn parameters(&self, params: &[AttributeSet<'_>], report: &mut dyn FnMut(Mistake)) -> Verdict {
        let once = [
            AttrKind::Nest,
            AttrKind::Returned,
            AttrKind::StructRet,
            AttrKind::SwiftSelf,
            AttrKind::SwiftAsync,
            AttrKind::SwiftError,
        ];
        let mut seen = [false; 6];
        for (n, (set, ty)) in params.iter().zip(self.params).enumerate() {
            if set.is_empty() {
                continue;
            }
            if !self.is_intrinsic {
                if let Some(entry) = set.get(AttrKind::ImmArg) {
                    return conflict(Some(entry), "`immarg` is for intrinsics only");
                }
                if let Some(entry) = set.get(AttrKind::ElementType).filter(|_| !self.is_asm) {
                    return conflict(
                        Some(entry),
                        "`elementtype` is for calls of intrinsics and inline assembly only",
                    );
                }
            }
            if let Err(mistake) = self.value(set, *ty) {
                report(mistake);
            }
            for (kind, seen) in once.iter().zip(&mut seen) {
                if set.has(*kind) && std::mem::replace(seen, true) {
                    let word = kind.word();
                    return conflict(set.get(*kind), format!("more than one parameter has `{word}`"));
                }
            }
            if let Some(entry) = set.get(AttrKind::Returned) {
                self.returned(entry, *ty)?;
            }
            if set.has(AttrKind::StructRet) && n > 1 {
                let entry = set.get(AttrKind::StructRet);
                return conflict(entry, "`sret` belongs on the first or second parameter");
            }
            if set.has(AttrKind::InAlloca) && n + 1 != self.params.len() {
                return conflict(set.get(AttrKind::InAlloca), "`inalloca` belongs on the last parameter");
            }
        }
        Ok(())
    }

    fn returned(&self, entry: &Entry<'_>, ty: TypeId) -> Verdict {
        let vectors = self.types.is_vector(ty) && self.types.is_vector(self.result);
        if ty == self.result || vectors || ty.is_error() || self.result.is_error() {
            return Ok(());
        }
        Err(Mistake {
            rule: &TYPE,
            index: Some(entry.index),
            message: format!(
                "`returned` on a {}, but the result is {}",
                self.display(ty),
                self.display(self.result)
            ),
        })
    }

    fn extra_argument(
        &self,
        n: usize,
        ty: TypeId,
        set: &AttributeSet<'_>,
        all: &[AttributeSet<'_>],
    ) -> Verdict {
        if set.is_empty() {
            return Ok(());
        }
        self.value(set, ty)?;
        let before = all.get(..n).unwrap_or(&[]);
        for kind in [AttrKind::Nest, AttrKind::Returned] {
            if set.has(kind) && before.iter().any(|s| s.has(kind)) {
                return conflict(set.get(kind), format!("more than one argument has `{}`", kind.word()));
            }
        }
        if let Some(entry) = set.get(AttrKind::Returned) {
            self.returned(entry, ty)?;
        }
        // A statepoint's variable arguments are those of the function it wraps.
        if set.has(AttrKind::StructRet) && !self.is_intrinsic {
            return conflict(set.get(AttrKind::StructRet), "`sret` cannot stand on a variable argument");
        }
        if set.has(AttrKind::InAlloca) && n + 1 != all.len() {
            return conflict(set.get(AttrKind::InAlloca), "`inalloca` belongs on the last argument");
        }
        Ok(())
    }

    fn display(&self, ty: TypeId) -> String {
        self.scope.display_type(self.types, ty)
    }

    /// Attributes of one parameter or result.
    fn value(&self, set: &AttributeSet<'_>, ty: TypeId) -> Verdict {
        if set.is_empty() || ty.is_error() {
            return Ok(());
        }
        self.words(set)?;
        if let Some(entry) = set.get(AttrKind::ImmArg)
            && set.iter().any(|e| !matches!(e.attr.kind, AttrKind::ImmArg | AttrKind::Range))
        {
            return conflict(Some(entry), "`immarg` goes with no other attribute but `range`");
        }
        let passing =
            [AttrKind::ByVal, AttrKind::InAlloca, AttrKind::Preallocated, AttrKind::Nest, AttrKind::ByRef];
        let mut ways: Vec<_> = passing.iter().filter_map(|k| set.get(*k)).collect();
        ways.extend(set.get(AttrKind::StructRet).or_else(|| set.get(AttrKind::InReg)));
        if let [first, second, ..] = ways[..] {
            let (a, b) = (first.attr.kind.word(), second.attr.kind.word());
            return conflict(Some(second), format!("`{a}` and `{b}` exclude each other"));
        }
        exclusive(set, EXCLUSIVE)?;
        for entry in set.iter() {
            if let Some(wants) = self.wrong_type(entry.attr.kind, ty) {
                let (word, ty) = (entry.attr.kind.word(), self.display(ty));
                let message = format!("`{word}` is for {wants}, this is {ty}");
                return Err(Mistake { rule: &TYPE, index: Some(entry.index), message });
            }
            if entry.attr.kind == AttrKind::Range
                && let (Some(range), Some(own)) =
                    (self.types.int_bits(entry.ty), self.types.int_bits(self.types.scalar(ty)))
                && range != own
            {
                let message = format!("`range` of i{range} on {}", self.display(ty));
                return Err(Mistake { rule: &TYPE, index: Some(entry.index), message });
            }
        }
        for kind in [AttrKind::ByVal, AttrKind::ByRef, AttrKind::InAlloca, AttrKind::Preallocated] {
            let Some(entry) = set.get(kind) else { continue };
            let word = kind.word();
            if is_sized(self.scope, self.types, entry.ty) == Some(false) {
                return value(
                    entry,
                    format!("`{word}` needs a type with a size, {} has none", self.display(entry.ty)),
                );
            }
            let size = self.layout.alloc_bytes(self.scope, self.types, entry.ty);
            if size.is_some_and(|bytes| bytes >= 1 << 32) {
                return value(entry, format!("`{word}` of 4 GiB or more"));
            }
        }
        Ok(())
    }

    /// What an attribute is for, if a type is not of that.
    fn wrong_type(&self, kind: AttrKind, ty: TypeId) -> Option<&'static str> {
        let types = self.types;
        match kind {
            AttrKind::AllocAlign | AttrKind::SExt | AttrKind::ZExt if !types.is_int(ty) => Some("integers"),
            AttrKind::Range if !types.is_int_or_vector(ty) => Some("integers"),
            AttrKind::Alignment if !types.is_ptr_or_vector(ty) => Some("pointers"),
            AttrKind::NoUndef if ty == TypeId::VOID => Some("values"),
            AttrKind::NoFPClass if !self.has_float(ty) => Some("floating point values"),
            kind if ON_POINTERS.contains(&kind) && !types.is_ptr(ty) => Some("pointers"),
            _ => None,
        }
    }

    fn has_float(&self, mut ty: TypeId) -> bool {
        for _ in 0..64 {
            match self.types.get(ty) {
                Type::Array { element, .. } => ty = element,
                Type::Struct { .. } | Type::NamedStruct(_) => return true,
                _ => break,
            }
        }
        self.types.is_float_or_vector(ty)
    }

    /// String attributes that are true or false.
    fn words(&self, set: &AttributeSet<'_>) -> Verdict {
        for (entry, key, text) in set.strings() {
            if !matches!(text, "" | "true" | "false") && BOOLEAN_STRINGS.contains(&key) {
                return value(entry, format!("`\"{key}\"` is `\"true\"` or `\"false\"`, not `\"{text}\"`"));
            }
        }
        Ok(())
    }

    /// Attributes of the function itself.
    fn own(&self, set: &AttributeSet<'_>) -> Verdict {
        if set.has(AttrKind::OptimizeNone) && !set.has(AttrKind::NoInline) {
            return conflict(set.get(AttrKind::OptimizeNone), "`optnone` requires `noinline`");
        }
        exclusive(set, EXCLUSIVE_ON_FUNCTIONS)?;
        if set.has(AttrKind::JumpTable) && self.unnamed_addr.is_some_and(|u| u != UnnamedAddr::Global) {
            return conflict(set.get(AttrKind::JumpTable), "`jumptable` requires `unnamed_addr`");
        }
        if let Some(entry) = set.get(AttrKind::AllocSize)
            && let AttrValue::Pair(size, count) = entry.attr.value
        {
            for (what, n) in [("element size", Some(size)), ("number of elements", count)] {
                let Some(n) = n else { continue };
                match self.params.get(n as usize) {
                    None => {
                        return value(
                            entry,
                            format!("`allocsize`: {what} is parameter {n}, which does not exist"),
                        );
                    }
                    Some(ty) if !self.types.is_int(*ty) && !ty.is_error() => {
                        let ty = self.display(*ty);
                        return value(
                            entry,
                            format!("`allocsize`: {what} is parameter {n}, which is {ty}, not an integer"),
                        );
                    }
                    _ => {}
                }
            }
        }
        if let Some(entry) = set.get(AttrKind::AllocKind)
            && let AttrValue::Int(kind) = entry.attr.value
        {
            if (kind & 7).count_ones() != 1 {
                return value(entry, "`allockind` needs exactly one of alloc, realloc and free");
            }
            if kind & 4 != 0 && kind & 0x38 != 0 {
                return value(entry, "`allockind(\"free\")` goes without uninitialized, zeroed and aligned");
            }
            if kind & 0x18 == 0x18 {
                return value(entry, "`allockind` cannot be both zeroed and uninitialized");
            }
        }
        if let Some(entry) = set.get(AttrKind::VScaleRange)
            && let AttrValue::Pair(min, max) = entry.attr.value
        {
            let max = max.unwrap_or(min);
            if !min.is_power_of_two() {
                return value(entry, format!("`vscale_range` from {min}, which is not a power of two"));
            }
            if max != 0 && min > max {
                return value(entry, format!("`vscale_range` from {min} to {max}"));
            }
            if max != 0 && !max.is_power_of_two() {
                return value(entry, format!("`vscale_range` to {max}, which is not a power of two"));
            }
        }
        Ok(())
    }

    /// String attributes of functions.
    fn strings(&self, set: &AttributeSet<'_>) -> Verdict {
        if !set.has(AttrKind::String) {
            return Ok(());
        }
        let has = |key: &str| set.string_entry(key).is_some();
        for (entry, key, text) in set.strings() {
            let allowed: &[&str] = match key {
                "frame-pointer" => &["all", "non-leaf", "none", "reserved", "non-leaf-no-reserve"],
                "sign-return-address" => &["none", "all", "non-leaf"],
                "sign-return-address-key" => &["a_key", "b_key"],
                "branch-target-enforcement" | "branch-protection-pauth-lr" | "guarded-control-stack" => {
                    &["", "true", "false"]
                }
                _ => &[],
            };
            if !allowed.is_empty() && !allowed.contains(&text) {
                let allowed: Vec<_> =
                    allowed.iter().filter(|w| !w.is_empty()).map(|w| format!("`{w}`")).collect();
                return value(entry, format!("`\"{key}\"` is one of {}, not `{text}`", allowed.join(", ")));
            }
            match key {
                "patchable-function-prefix" | "patchable-function-entry" | "warn-stack-size"
                    if text.parse::<u32>().is_err() =>
                {
                    return value(entry, format!("`\"{key}\"` takes an unsigned number, not `{text}`"));
                }
                "patchable-function-entry-section" | "alloc-variant-zeroed" if text.is_empty() => {
                    return value(entry, format!("`\"{key}\"` must not be empty"));
                }
                "denormal-fp-math" | "denormal-fp-math-f32" if !is_denormal_mode(text) => {
                    return value(entry, format!("`{text}` is no mode of denormals"));
                }
                "vector-function-abi-variant" if text.split(',').any(|v| !is_vector_variant(v.trim())) => {
                    return value(
                        entry,
                        format!(
                            "`{text}` names no vector variant (`_ZGV<isa><mask><lanes><parameters>_<name>`)"
                        ),
                    );
                }
                "sign-return-address-key" if !has("sign-return-address") => {
                    return conflict(
                        Some(entry),
                        "`\"sign-return-address-key\"` without `\"sign-return-address\"`",
                    );
                }
                "modular-format" if text.split(',').count() < 5 => {
                    return value(entry, "`\"modular-format\"` takes at least 5 fields, divided by commas");
                }
                "target-features" if text.split(',').any(|f| !f.is_empty() && !f.starts_with(['+', '-'])) => {
                    return value(entry, "a target feature begins with `+` or `-`");
                }
                "aarch64_pstate_sm_enabled" if has("aarch64_pstate_sm_compatible") => {
                    return conflict(
                        Some(entry),
                        format!("`{key}` and `aarch64_pstate_sm_compatible` exclude each other"),
                    );
                }
                _ => {}
            }
        }
        for state in ["za", "zt0"] {
            let keys = ["new", "in", "inout", "out", "preserves"].map(|w| format!("aarch64_{w}_{state}"));
            let mut found =
                keys.iter().map(String::as_str).chain(["aarch64_za_state_agnostic"]).filter(|k| has(k));
            if let (Some(a), Some(b)) = (found.next(), found.next()) {
                return conflict(
                    set.string_entry(b).map(|(e, _)| e),
                    format!("`{a}` and `{b}` exclude each other"),
                );
            }
        }
        Ok(())
    }
}

fn is_denormal_mode(text: &str) -> bool {
    let one = |word: &str| matches!(word, "" | "ieee" | "preserve-sign" | "positive-zero" | "dynamic");
    let (out, input) = text.split_once(',').unwrap_or((text, ""));
    one(out) && one(input)
}

/// A shallow look at a name of the vector function ABI.
fn is_vector_variant(name: &str) -> bool {
    name.strip_prefix("_ZGV").is_some_and(|rest| rest.len() >= 4 && rest.contains('_'))
}

/// `alloc-variant-zeroed` names a function that must fit.
fn variant(scope: &Scope, own: &AttributeSet<'_>, name: &str, item: u32, found: &mut Vec<(u32, Mistake)>) {
    let Some((entry, target)) = own.string_entry("alloc-variant-zeroed") else { return };
    let Some(global) = scope.global_named(target) else { return };
    let Some((summary, function)) = scope.function(global) else { return };
    let at = global.summary;
    let theirs = AttributeSet::new(scope, &summary.tables, function.attrs, |ty| scope.canonical(at, ty));
    let family = own.string("alloc-family");
    let why = if family.is_some() && theirs.string("alloc-family") != family {
        "of the same `alloc-family`"
    } else if theirs.int(AttrKind::AllocKind).is_none_or(|k| k & 16 == 0) {
        "with `allockind(\"zeroed\")`"
    } else if scope.global_named(name).is_some_and(|g| g.value_type != global.value_type) {
        "of the same type"
    } else {
        return;
    };
    let message = format!("`alloc-variant-zeroed` must name a function {why}; `@{target}` is none");
    found.push((item, Mistake { rule: &CONFLICT, index: Some(entry.index), message }));
}
