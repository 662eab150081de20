//! Names that instructions and operands can have.

use crate::assemble::{ForcedEncoding, candidates_of};
use crate::operands::{cpol, dpp, export, format, hwreg, modifiers, sendmsg, swizzle, syntax, wait};
use crate::slots::Takes;
use crate::tables::{self, Row};
use crate::target::{Target, WaveSize};

/// Every mnemonic of any processor, without encoding suffixes, in alphabetical order.
pub fn all_mnemonics() -> impl Iterator<Item = &'static str> {
    tables::mnemonics().map(|(name, _)| name)
}

/// The processors that have a mnemonic, oldest first; none for a word that is not a mnemonic.
pub fn processors_with(mnemonic: &str) -> Vec<&'static str> {
    let lower = mnemonic.to_ascii_lowercase();
    let has = |name: &&str| {
        Target::named(name).is_some_and(|target| {
            let other = match target.wave64() {
                true => WaveSize::W32,
                false => WaveSize::W64,
            };
            [Some(target), target.with_wave_size(other)].into_iter().flatten().any(|target| {
                candidates_of(target, &lower)
                    .is_some_and(|(c, _, f)| c.iter().any(|c| f.variant(c.variant) && target.can(c.avail)))
            })
        })
    };
    Target::names().filter(has).collect()
}

/// The words that can follow `name:` of a modifier.
pub fn values(target: Target, name: &str) -> Vec<String> {
    let list = |words: &[&str]| words.iter().map(|w| (*w).to_owned()).collect();
    match name {
        "dim" => modifiers::DIMS.iter().map(|d| format!("SQ_RSRC_IMG_{d}")).collect(),
        "th" => list(cpol::HINTS),
        "scope" => list(&cpol::SCOPES),
        "format" => format::names_of(target),
        _ => syntax::words_of(name).map_or_else(Vec::new, list),
    }
}

/// The calls that an operand takes: `vmcnt` of `s_waitcnt`, `hwreg`.
pub fn calls(target: Target, takes: &Takes) -> Vec<&'static str> {
    match takes {
        Takes::Message => vec!["sendmsg"],
        Takes::HardwareRegister => vec!["hwreg"],
        Takes::Counters => wait::COUNTERS.to_vec(),
        Takes::DependencyCounters => wait::dependency_counters(target).map(|c| c.name).collect(),
        Takes::Delay => wait::DELAY_FIELDS.to_vec(),
        Takes::IndexMode => vec!["gpr_idx"],
        _ => Vec::new(),
    }
}

/// The words that can be the argument of a call at a position from 0; `first` is the first argument.
pub fn arguments(target: Target, call: &str, position: usize, first: &str) -> Vec<&'static str> {
    match (call, position) {
        ("hwreg", 0) => hwreg::names(target).collect(),
        ("sendmsg", 0) => sendmsg::names(target).collect(),
        ("sendmsg", 1) => sendmsg::operations(first, target),
        ("instid0" | "instid1", 0) => wait::DEPS.to_vec(),
        ("instskip", 0) => wait::SKIPS.to_vec(),
        ("gpr_idx", _) => modifiers::INDEX_MODES.to_vec(),
        ("swizzle", 0) => swizzle::modes(target).to_vec(),
        _ => Vec::new(),
    }
}

/// The largest value that a counter takes on a processor: `vmcnt`, `depctr_va_vdst`.
pub fn counter_limit(target: Target, name: &str) -> Option<i64> {
    wait::limit(name, target)
}

/// The words and forms of DPP controls on a processor: `quad_perm`, `row_shl`.
pub fn dpp_controls(target: Target) -> impl Iterator<Item = &'static str> {
    dpp::CONTROLS.iter().copied().filter(move |c| dpp::supported(c, target))
}

/// Whether a word is a DPP control of some processor.
pub fn is_dpp_control(word: &str) -> bool {
    dpp::CONTROLS.contains(&word)
}

/// Whether two mnemonics or opcodes have different types in the same place, as `V_ADD_F16` and `V_ADD_F32` have: one is not the other
/// misspelt.
pub fn differ_in_type(a: &str, b: &str) -> bool {
    let is_type = |part: &str| {
        let digits = part.strip_prefix(['b', 'f', 'i', 'u', 'B', 'F', 'I', 'U']);
        digits.is_some_and(|digits| matches!(digits, "8" | "16" | "24" | "32" | "64" | "128"))
    };
    a.split('_').zip(b.split('_')).any(|(a, b)| a != b && is_type(a) && is_type(b))
}

/// The export targets of a processor.
pub fn export_targets(target: Target) -> Vec<String> {
    (0..64).filter_map(|id| export::name(id, target)).collect()
}

/// Words of cache policies of a processor, for vector or scalar memory instructions.
pub fn cache_policies(target: Target, mnemonic: &str) -> Vec<&'static str> {
    cpol::words(target, mnemonic)
}

/// Number of a hardware register.
pub fn hardware_register(target: Target, name: &str) -> Option<i64> {
    hwreg::number(name, target)
}

/// Number of a message.
pub fn message(target: Target, name: &str) -> Option<i64> {
    sendmsg::number(name, target)
}

/// The encoding that a mnemonic's suffix asks for: the mnemonic without it, and the suffix.
pub fn split_mnemonic(mnemonic: &str) -> (&str, &str) {
    let (base, _) = ForcedEncoding::split(mnemonic);
    (base, mnemonic.get(base.len()..).unwrap_or(""))
}

/// The constant bits of a mnemonic's first encoding, those of the first word first: in one format they are ordered as the opcodes are.
pub fn opcode(target: Target, mnemonic: &str) -> Option<u128> {
    let (candidates, _, forced) = candidates_of(target, mnemonic)?;
    let first = candidates.available(target, forced).next()?;
    Some(Row::new(first.row).value().rotate_right(32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_of_a_mnemonic() {
        assert_eq!(processors_with("v_no_such"), Vec::<&str>::new());
        let found = processors_with("s_wait_loadcnt");
        assert!(found.contains(&"gfx1200") && !found.contains(&"gfx1100"));
    }
}
