//! Rules of the SPIR-V specification that the reference validator does not check: warnings, because it accepts the module.

pub(super) mod access;
pub(super) mod branches;
pub(super) mod calls;
pub(super) mod constants;
pub(super) mod derivatives;
pub(super) mod interpolation;
pub(super) mod non_uniform;
pub(super) mod precision;
pub(super) mod transform_feedback;

use super::decorations::Found;
use crate::code::Inst;
use crate::context::RuleContext;
use wavelens_base::{Fault, Verdict};

/// Looks at the instructions of a chunk.
pub(crate) fn check(m: &RuleContext<'_>, add: &mut dyn FnMut(u32, Box<Fault>)) {
    let checks: [fn(&RuleContext<'_>, Inst<'_>) -> Verdict; 4] =
        [branches::check, constants::check, access::check, non_uniform::check];
    for inst in m.insts().filter(|inst| inst.is_whole()) {
        for check in checks {
            if let Err(fault) = check(m, inst) {
                add(inst.at, fault);
            }
        }
    }
}

/// Looks at what all chunks declare.
pub(crate) fn module(m: &RuleContext<'_>, found: &mut Found) {
    calls::module(m, found);
    constants::module(m, found);
    interpolation::module(m, found);
    precision::module(m, found);
    transform_feedback::module(m, found);
}

#[cfg(test)]
mod tests;
