//! What the verifier accepts and code generation for AMDGPU refuses, ignores or takes for something else. Warnings all of them.
//!
//! A rule that depends on the processor is quiet where nothing names one.

pub(crate) mod attributes;
mod barrier_fence;
mod constrained;
mod foreign;
pub(super) mod functions;
pub(crate) mod intrinsics;
pub(super) mod operations;
pub(super) mod values;
pub(super) mod variables;

use std::cell::LazyCell;

use rustc_hash::FxHashSet;
use wavelens_isa::{Target, is_amdgpu};

use super::call_site::Site;
use crate::attribute_set::AttributeSet;
use crate::context::{ModuleContext, RuleContext};
use crate::operand::{LocalId, Value};
use crate::scope::Scope;
use crate::tables::selection::{self, Selector};
use crate::types::{Type, TypeId};
use wavelens_base::{Diagnostic, Part, Rule, Verdict};

/// The address space of the local data share.
const LDS: u32 = 3;
/// That of the region, which GDS is called in LLVM IR.
const REGION: u32 = 2;

/// The rules of this folder.
pub(crate) static RULES: &[&[&Rule]] = &[
    attributes::RULES,
    barrier_fence::RULES,
    functions::RULES,
    intrinsics::RULES,
    operations::RULES,
    variables::RULES,
];

pub(super) fn module(cx: &mut ModuleContext<'_>) {
    functions::names(cx);
    if is_compiled(cx.scope) {
        attributes::module(cx);
        functions::module(cx);
        variables::module(cx);
    } else if foreign::is_compiled(cx.scope) {
        functions::foreign_layout(cx);
    }
}

pub(super) fn function(cx: &mut RuleContext<'_>) {
    let mut found = Vec::new();
    if is_compiled(cx.scope) {
        compiled(cx, &mut found);
    } else if foreign::is_compiled(cx.scope) {
        calls(cx, &mut found, foreign::check);
    }
    cx.diagnostics.append(&mut found);
}

fn compiled(cx: &RuleContext<'_>, found: &mut Vec<Diagnostic>) {
    let own = AttributeSet::new(cx.scope, &cx.summary.tables, cx.function.attrs, |_| TypeId::ERROR);
    let target = target(cx.scope, &own).filter(|target| !has_other_features(cx.scope, &own, *target));
    let run = cx.scope.configuration.run.as_ref();
    let is_global = run.is_some_and(|run| run.is_global_isel() && !run.has_fallback());
    let selector = if is_global { Selector::Global } else { Selector::Dag };
    operations::function(cx, target, selector, found);
    barrier_fence::function(cx, target, found);
    variables::function(cx, target, found);
    calls(cx, found, |site, used| {
        if !site.name.starts_with("llvm.amdgcn.") {
            return foreign::check(site, used);
        }
        intrinsics::check(site, target, selector, used)?;
        values::check(site, target, selector)
    });
}

/// Asks about the calls of intrinsics.
fn calls(
    cx: &RuleContext<'_>,
    found: &mut Vec<Diagnostic>,
    ask: impl Fn(&Site<'_, '_>, &Used<'_>) -> Verdict,
) {
    let find_used = || {
        let locals = cx.body.tables.operands.iter().filter_map(|operand| match operand.value {
            Value::Local(id) => Some(id),
            _ => None,
        });
        locals.collect()
    };
    let used = Used::new(&find_used);
    for (id, inst) in cx.insts() {
        let Some(call) = cx.body.call(inst) else { continue };
        let name = cx.callee_name(call).unwrap_or("");
        if !name.starts_with("llvm.") {
            continue;
        }
        let Type::Function { result, params, vararg } = cx.types.get(cx.call_ty(inst)) else { continue };
        let params = cx.types.list(params);
        let rule = &intrinsics::TARGET_INTRINSIC;
        let site = Site { rule, cx, id, inst, call, name, result, params, vararg };
        found.extend(ask(&site, &used).err().map(|fault| {
            fault.diagnostic(|part| match part {
                Part::Whole => cx.operand_range(call.callee),
                part => cx.part_range(id, part),
            })
        }));
    }
}

/// The locals that something uses, looked for where it matters.
type Used<'a> = LazyCell<FxHashSet<LocalId>, &'a dyn Fn() -> FxHashSet<LocalId>>;

/// Whether code is generated for AMDGPU, as far as is known: a RUN line of `opt` leaves open what becomes of its output, and one that is
/// expected to fail tests what is reported.
fn is_compiled(scope: &Scope) -> bool {
    let is_amdgpu = scope.triple.as_deref().is_some_and(is_amdgpu);
    let run = scope.configuration.run.as_ref();
    is_amdgpu && run.is_none_or(|run| run.is_compilation() && !run.fails && !run.stops_before_selection())
}

/// Whether a feature is on that the processor does not have by itself and that may bring instructions.
fn has_other_features(scope: &Scope, attributes: &AttributeSet<'_>, target: Target) -> bool {
    let own = attributes.string("target-features").unwrap_or("").split(',');
    let given = scope.configuration.features.iter().map(|feature| feature.value.as_str());
    own.chain(given).filter_map(|feature| feature.trim().strip_prefix('+')).any(|name| {
        !WITHOUT_INSTRUCTIONS.contains(&name)
            && !target.has_feature(name)
            && !selection::has_feature(target, name)
    })
}

/// Features that choose among what the processor can do.
const WITHOUT_INSTRUCTIONS: &[&str] = &[
    "auto-waitcnt-before-barrier",
    "cumode",
    "dumpcode",
    "enable-ds128",
    "enable-flat-scratch",
    "enable-prt-strict-null",
    "flat-for-global",
    "load-store-opt",
    "max-private-element-size-16",
    "max-private-element-size-4",
    "max-private-element-size-8",
    "precise-memory",
    "promote-alloca",
    "real-true16",
    "si-scheduler",
    "sramecc",
    "tgsplit",
    "trap-handler",
    "unaligned-access-mode",
    "unaligned-buffer-access",
    "unaligned-ds-access",
    "unaligned-scratch-access",
    "unsafe-ds-offset-folding",
    "wavefrontsize32",
    "wavefrontsize64",
    "xnack",
];

/// The processor that a function with these attributes is compiled for, with its wave size; `None` if that is not known.
pub(super) fn target(scope: &Scope, attributes: &AttributeSet<'_>) -> Option<Target> {
    let target = Target::named(scope.configuration.processor_of(attributes.string("target-cpu"))?)?;
    let wave = scope.configuration.wave_size_of(attributes.string("target-features").unwrap_or(""));
    wave.and_then(|wave| target.with_wave_size(wave)).or(Some(target))
}
