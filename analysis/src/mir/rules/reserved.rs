//! Registers that the allocator leaves alone, so that nobody asks whether they are live.

use wavelens_isa::mir::{Machine, Register};

use crate::mir::context::Cx;

/// Whether the allocator leaves a register alone.
pub(super) fn is_reserved(cx: &mut Cx<'_>, register: Register) -> bool {
    if cx.reserved.is_empty() {
        cx.reserved = reserved_units(cx);
    }
    let reserved = |u: u16| cx.reserved.get(usize::from(u)).copied().unwrap_or(false);
    match cx.machine {
        // A tuple with a reserved part is reserved.
        Machine::Amdgpu => cx.t.units(register).any(reserved),
        Machine::X86 | Machine::Aarch64 => cx.t.units(register).all(reserved),
    }
}

fn reserved_units(cx: &Cx<'_>) -> Vec<bool> {
    let mut reserved: Vec<bool> = cx.t.reserved_units(cx.cpu_rows).collect();
    reserved.push(false);
    let mut set = |name: &str, value: bool| {
        if let Some(register) = cx.t.register(name) {
            for unit in cx.t.units(register) {
                if let Some(slot) = reserved.get_mut(usize::from(unit)) {
                    *slot = value;
                }
            }
        }
    };
    // Frame and base pointers are reserved in functions that need them.
    let frame: &[&str] = match cx.machine {
        Machine::X86 => &["rbp", "rbx"],
        // The last two where there is SVE or SME.
        Machine::Aarch64 => &["x18", "x19", "fp", "ffr", "za"],
        Machine::Amdgpu => &[],
    };
    for name in frame {
        set(name, true);
    }
    if cx.machine != Machine::Amdgpu {
        return reserved;
    }
    // The table is that of a plain function; here the function itself says which registers hold its frame.
    for name in ["sgpr0_sgpr1_sgpr2_sgpr3", "sgpr32", "sgpr33"] {
        set(name, false);
    }
    for name in ["private_rsrc_reg", "fp_reg", "sp_reg"] {
        set(name, true);
    }
    for (key, text) in &cx.f.properties.target_values {
        if !key.contains('.') {
            set(text.text.trim().strip_prefix('$').unwrap_or(""), true);
        }
    }
    reserved
}
