//! Specialization constants that stages share by their number.

use rustc_hash::FxHashMap;
use wavelens_syntax::spirv::tables::Decoration;

use super::stage::{Stage, shown};
use super::types::{TypeOf, same_type};
use super::{Found, Mismatch, Place};
use crate::code::Inst;
use crate::context::RuleContext;
use crate::ops;
use wavelens_base::Severity;

wavelens_syntax::rules! {
    SHARED_SPECIALIZATION {
        code: "shared-specialization",
        severity: Severity::Warning,
        title: "a SpecId has one type in all stages",
        explain: "Applications mostly give one list of values to all stages of a pipeline. A number that is a constant of another type in another stage gets a value that was meant for the other one. Vulkan allows a list for each stage: allow this code if yours have one.",
        example: specialization!("%float", "1.0", "%int", "1"),
        fixed: specialization!("%int", "1", "%int", "1"),
        source: "Vulkan specification, Specialization Constants",
    }
}

/// The scalar specialization constants of a module, with their numbers.
fn constants<'m>(m: &'m RuleContext<'_>) -> impl Iterator<Item = (u32, Inst<'m>)> {
    let scalars = m.scope.code.iter().filter(|i| i.is_whole() && ops::is_scalar_spec_constant(i.op()));
    scalars.filter_map(move |inst| Some((m.decoration_word(inst.id(), Decoration::SpecId)?, inst)))
}

pub(super) fn check(first: &Stage<'_>, second: &Stage<'_>, found: &mut Found<'_>) {
    if first.module == second.module {
        return;
    }
    let (m, n) = (second.m, first.m);
    let mut others = FxHashMap::default();
    for (number, other) in constants(n) {
        others.entry(number).or_insert(other);
    }
    for (number, own) in constants(m) {
        let Some(other) =
            others.get(&number).filter(|other| !same_type(TypeOf(m, own.ty()), TypeOf(n, other.ty())))
        else {
            continue;
        };
        let message = format!(
            "{} with SpecId {number} has type {}, {} in {} has type {}",
            shown(m, own.id()),
            m.type_name(own.ty()),
            shown(n, other.id()),
            first.title(),
            n.type_name(other.ty())
        );
        let (at, other) = (Place::of(m, own.id()), Place::of(n, other.id()));
        let label = "the other constant is here".to_owned();
        let mismatch =
            Mismatch { rule: &SHARED_SPECIALIZATION, at, message, other, label, is_warning: false };
        found.add(second, first, mismatch);
    }
}
