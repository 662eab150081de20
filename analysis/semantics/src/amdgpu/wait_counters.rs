//! The counters that waits name: how far they count, and how each generation writes a wait for them.

use wavelens_isa::{Counter, MachineOperand, Target};

use crate::amdgpu::assembler::program::Instruction;

/// What a counter holds at most: an operation waits to issue when so many are open.
pub(crate) fn capacity(target: Target, counter: Counter) -> u32 {
    match (counter, target.major()) {
        (Counter::Exp | Counter::Bvh, _) => 7,
        (Counter::Km, _) => 31,
        (Counter::Vm, ..9) | (Counter::Lgkm, ..10) => 15,
        _ => 63,
    }
}

/// What an instruction waits for: counters with how many may stay open.
pub(crate) fn waits(target: Target, instruction: &Instruction) -> Vec<(Counter, u32)> {
    let inst = instruction.encoded.inst();
    let imm = || {
        inst.operands().iter().rev().find_map(|o| match o {
            MachineOperand::Imm(value) => Some(*value as u32),
            _ => None,
        })
    };
    let all = [
        Counter::Vm,
        Counter::Lgkm,
        Counter::Exp,
        Counter::Load,
        Counter::Sample,
        Counter::Bvh,
        Counter::Ds,
        Counter::Km,
        Counter::Store,
        Counter::X,
    ];
    let single = |counter| imm().map(|n| vec![(counter, n)]).unwrap_or_default();
    match inst.mnemonic() {
        "s_waitcnt" => imm().map(|bits| waitcnt_fields(target, bits)).unwrap_or_default(),
        "s_waitcnt_vmcnt" => single(Counter::Vm),
        "s_waitcnt_lgkmcnt" => single(Counter::Lgkm),
        "s_waitcnt_expcnt" | "s_wait_expcnt" => single(Counter::Exp),
        "s_wait_loadcnt" => single(Counter::Load),
        "s_wait_samplecnt" => single(Counter::Sample),
        "s_wait_bvhcnt" => single(Counter::Bvh),
        "s_wait_dscnt" => single(Counter::Ds),
        "s_wait_kmcnt" => single(Counter::Km),
        "s_wait_storecnt" => single(Counter::Store),
        "s_wait_xcnt" => single(Counter::X),
        "s_wait_loadcnt_dscnt" => imm()
            .map(|bits| vec![(Counter::Load, bits >> 8 & 63), (Counter::Ds, bits & 63)])
            .unwrap_or_default(),
        "s_wait_storecnt_dscnt" => imm()
            .map(|bits| vec![(Counter::Store, bits >> 8 & 63), (Counter::Ds, bits & 63)])
            .unwrap_or_default(),
        "s_wait_idle" => all.iter().map(|c| (*c, 0)).collect(),
        _ => Vec::new(),
    }
}

/// The fields of `s_waitcnt`'s number.
pub fn waitcnt_fields(target: Target, bits: u32) -> Vec<(Counter, u32)> {
    let (vm, exp, lgkm) = match target.major() {
        11.. => (bits >> 10 & 63, bits & 7, bits >> 4 & 63),
        10 => (bits & 15 | (bits >> 14 & 3) << 4, bits >> 4 & 7, bits >> 8 & 63),
        9 => (bits & 15 | (bits >> 14 & 3) << 4, bits >> 4 & 7, bits >> 8 & 15),
        _ => (bits & 15, bits >> 4 & 7, bits >> 8 & 15),
    };
    // A field with all bits set waits for nothing.
    [(Counter::Vm, vm), (Counter::Exp, exp), (Counter::Lgkm, lgkm)]
        .into_iter()
        .filter(|(counter, n)| *n < capacity(target, *counter))
        .collect()
}

/// The wait that leaves `left` operations of a counter open.
pub(crate) fn wait_text(target: Target, counter: Counter, left: u32) -> String {
    match counter {
        Counter::Vm => format!("s_waitcnt vmcnt({left})"),
        Counter::Lgkm => format!("s_waitcnt lgkmcnt({left})"),
        Counter::Exp if target.major() < 12 => format!("s_waitcnt expcnt({left})"),
        Counter::Exp => format!("s_wait_expcnt {left:#x}"),
        Counter::Load => format!("s_wait_loadcnt {left:#x}"),
        Counter::Sample => format!("s_wait_samplecnt {left:#x}"),
        Counter::Bvh => format!("s_wait_bvhcnt {left:#x}"),
        Counter::Ds => format!("s_wait_dscnt {left:#x}"),
        Counter::X => format!("s_wait_xcnt {left:#x}"),
        _ => format!("s_wait_kmcnt {left:#x}"),
    }
}
