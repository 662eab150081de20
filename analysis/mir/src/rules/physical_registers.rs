//! Which physical registers are live: by their units, and by what LLVM's set of registers keeps.

use wavelens_isa::mir::{Machine, Register, Tables};

use crate::context::RuleContext;

/// Definitions and kills that are looked at.
const LIMIT: usize = 512;

/// What a block defines and kills, in order. LLVM keeps a set of registers, from which the kill of a part takes the part alone: a
/// register may be live although all its units are killed.
#[derive(Debug, Default)]
pub(super) struct History {
    events: Vec<(Register, bool)>,
}

impl History {
    pub(super) fn clear(&mut self) {
        self.events.clear();
    }

    pub(super) fn push(&mut self, register: Register, is_defined: bool) {
        self.events.push((register, is_defined));
    }

    /// Whether a register or a part of it was defined, and since then nothing killed that contains what both have in common.
    pub(super) fn is_live(&self, t: &Tables, register: Register) -> bool {
        let own: Vec<u16> = t.units(register).collect();
        let bits = |of: Register| t.minimal_class(of).map_or(0, |class| t.class_bits(class));
        let mut killed: Vec<Register> = Vec::new();
        for (other, is_defined) in self.events.iter().rev().take(LIMIT) {
            if !is_defined {
                killed.push(*other);
                continue;
            }
            let common: Vec<u16> = t.units(*other).filter(|unit| own.contains(unit)).collect();
            // Some machines give a register and its lower half the same units.
            let least = bits(*other).min(bits(register));
            let contains = |kill: &Register| {
                bits(*kill) >= least && common.iter().all(|unit| t.units(*kill).any(|other| other == *unit))
            };
            if !common.is_empty() && !killed.iter().any(contains) {
                return true;
            }
        }
        false
    }
}

/// Callee-saved registers that the function does not save are live everywhere, once it is known which it saves.
pub(super) fn pristine(cx: &RuleContext<'_>, units: &mut [bool]) {
    // An object that holds one tells as much as the key does.
    let is_known = cx.f.properties.callee_saved_valid
        || cx.f.frame.iter().any(|object| !object.callee_saved.text.is_empty());
    if !is_known {
        return;
    }
    let convention = match cx.machine {
        Machine::Amdgpu => Some("csr_amdgpu"),
        Machine::X86 => Some("csr_64"),
        Machine::Aarch64 => Some("csr_aarch64_aapcs"),
        _ => None,
    };
    for (mask, name) in cx.t.facts().masks.iter().enumerate() {
        // Where the processor chooses the convention, any may be in use.
        if convention.map_or(!name.contains("all"), |convention| name == convention) {
            for (unit, live) in units.iter_mut().enumerate() {
                *live |= cx.t.mask_keeps(mask, unit as u16);
            }
        }
    }
    for object in &cx.f.frame {
        let saved = object.callee_saved.text.trim().strip_prefix('$').and_then(|name| cx.t.register(name));
        if let Some(saved) = saved {
            set_units(cx, saved, units, false);
        }
    }
}

pub(super) fn set_units(cx: &RuleContext<'_>, register: Register, units: &mut [bool], value: bool) {
    for unit in cx.t.units(register) {
        if let Some(slot) = units.get_mut(usize::from(unit)) {
            *slot = value;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::findings;

    #[test]
    fn kills_of_parts_leave_the_whole() {
        let is_undefined = |lines: &[&str]| {
            let body: String = lines.iter().map(|line| format!("    {line}\n")).collect();
            let blocks = format!("  bb.0:\n    liveins: $sgpr0_sgpr1_sgpr2_sgpr3\n{body}    S_ENDPGM 0\n");
            let found = findings("tracksRegLiveness: true\n", &blocks);
            assert!(found.is_empty() || found.contains("undefined-physical-register"), "{found}");
            !found.is_empty()
        };
        let parts = ["S_NOP 0, implicit killed $sgpr0", "S_NOP 0, implicit killed $sgpr1"];
        assert!(!is_undefined(&[parts[0], parts[1], "S_NOP 0, implicit $sgpr0_sgpr1"]));
        assert!(is_undefined(&[parts[0], parts[1], "S_NOP 0, implicit $sgpr1"]));
        assert!(is_undefined(&["S_NOP 0, implicit killed $sgpr0_sgpr1", "S_NOP 0, implicit $sgpr0_sgpr1"]));
        assert!(is_undefined(&["dead $sgpr4_sgpr5 = S_MOV_B64 0", "S_NOP 0, implicit $sgpr4"]));
    }
}
