//! Registers that the allocator leaves alone, so that nobody asks whether they are live.

use wavelens_isa::mir::{Machine, Register};

use crate::mir::context::RuleContext;

/// Whether the allocator leaves a register alone.
pub(super) fn is_reserved(cx: &mut RuleContext<'_>, register: Register) -> bool {
    if cx.reserved.is_empty() {
        cx.reserved = reserved_units(cx);
    }
    let reserved = |u: u16| cx.reserved.get(usize::from(u)).copied().unwrap_or(false);
    match cx.machine {
        // A tuple with a reserved part is reserved.
        Machine::Amdgpu => cx.t.units(register).any(reserved),
        _ => cx.t.units(register).all(reserved),
    }
}

fn reserved_units(cx: &RuleContext<'_>) -> Vec<bool> {
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
    // Frame and base pointers are reserved in functions that need them, some others on some systems.
    let frame: &[&str] = match cx.machine {
        Machine::X86 => &["rbp", "rbx"],
        // The last two where there is SVE or SME.
        Machine::Aarch64 => &["x18", "x19", "fp", "ffr", "za"],
        Machine::Arm => &["r6", "r7", "r9", "r11"],
        Machine::Avr => &["r28", "r29"],
        Machine::Hexagon => &["r19", "r30", "r31"],
        Machine::Loongarch64 => &["r22", "r31"],
        Machine::Mips => &["fp", "fp_64", "s7", "s7_64", "gp", "gp_64", "ra", "ra_64"],
        Machine::Powerpc => &["r2", "r13", "r29", "r30", "r31", "x2", "x13", "x29", "x30", "x31", "vrsave"],
        Machine::Riscv32 | Machine::Riscv64 => &["x3", "x4", "x8", "x9", "x18", "x27"],
        Machine::Systemz => &["r11d", "r13d", "r14d", "r15d"],
        Machine::Amdgpu | Machine::Nvptx | Machine::Wasm => &[],
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
