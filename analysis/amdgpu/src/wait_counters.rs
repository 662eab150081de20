//! The counters that waits name: how far they count, and how each generation writes a wait for them.

use wavelens_isa::{self as isa, Counter, MachineOperand, Target};

use crate::assembler::program::Instruction;

/// What a counter holds at most: an operation waits to issue when so many are open.
pub(crate) fn capacity(target: Target, counter: Counter) -> u32 {
    let named = |name| isa::counter_limit(target, name).map_or(63, |limit| limit as u32);
    match counter {
        Counter::Exp | Counter::Bvh => 7,
        Counter::Km => 31,
        Counter::Vm => named("vmcnt"),
        Counter::Lgkm => named("lgkmcnt"),
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
    let [vm, exp, lgkm] = isa::waitcnt_counts(target, bits);
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
        Counter::Exp if !target.facts().has_split_counters => format!("s_waitcnt expcnt({left})"),
        Counter::Exp => format!("s_wait_expcnt {left:#x}"),
        Counter::Load => format!("s_wait_loadcnt {left:#x}"),
        Counter::Sample => format!("s_wait_samplecnt {left:#x}"),
        Counter::Bvh => format!("s_wait_bvhcnt {left:#x}"),
        Counter::Ds => format!("s_wait_dscnt {left:#x}"),
        Counter::Store => format!("s_wait_storecnt {left:#x}"),
        Counter::X => format!("s_wait_xcnt {left:#x}"),
        _ => format!("s_wait_kmcnt {left:#x}"),
    }
}

/// A wait until a counter is at most `left`.
#[derive(Clone, Copy)]
pub(crate) struct Wait {
    pub(crate) counter: Counter,
    pub(crate) left: u32,
}

/// The waits for two counters of one access, in one instruction where the generation has one. Otherwise on two lines.
pub(crate) fn waits_text(target: Target, first: Wait, second: Wait) -> String {
    let both = |name: &str| format!("{name} {:#x}", first.left << 8 | second.left);
    match (first.counter, second.counter) {
        (Counter::Vm, Counter::Lgkm) => format!("s_waitcnt vmcnt({}) lgkmcnt({})", first.left, second.left),
        (Counter::Load, Counter::Ds) => both("s_wait_loadcnt_dscnt"),
        (Counter::Store, Counter::Ds) => both("s_wait_storecnt_dscnt"),
        _ => format!(
            "{}\n{}",
            wait_text(target, first.counter, first.left),
            wait_text(target, second.counter, second.left)
        ),
    }
}

/// What an instruction waits for on gfx12 and later, where `s_waitcnt` stands for the counters that took the place of its own.
pub(crate) fn all_waits(target: Target, instruction: &Instruction) -> Vec<(Counter, u32)> {
    let own = waits(target, instruction);
    if !target.facts().has_split_counters || instruction.encoded.mnemonic() != "s_waitcnt" {
        return own;
    }
    let split = |(counter, left): (Counter, u32)| {
        let counters: &[Counter] = match counter {
            Counter::Vm => &[Counter::Load, Counter::Sample, Counter::Bvh],
            Counter::Lgkm => &[Counter::Ds, Counter::Km],
            _ => &[Counter::Exp],
        };
        counters.iter().map(move |counter| (*counter, left))
    };
    own.into_iter().flat_map(split).collect()
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use expect_test::expect;

    use super::*;

    const GENERATIONS: [&str; 7] = ["gfx600", "gfx803", "gfx900", "gfx1030", "gfx1100", "gfx1200", "gfx1250"];
    const COUNTERS: [Counter; 10] = [
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

    fn target(name: &str) -> Target {
        Target::named(name).expect("a processor")
    }

    #[test]
    fn counters_hold_so_many() {
        let mut out = String::new();
        for name in GENERATIONS {
            let counts = COUNTERS.map(|counter| format!("{counter:?} {}", capacity(target(name), counter)));
            _ = writeln!(out, "{name}: {}", counts.join(", "));
        }
        expect![[r#"
            gfx600: Vm 15, Lgkm 15, Exp 7, Load 63, Sample 63, Bvh 7, Ds 63, Km 31, Store 63, X 63
            gfx803: Vm 15, Lgkm 15, Exp 7, Load 63, Sample 63, Bvh 7, Ds 63, Km 31, Store 63, X 63
            gfx900: Vm 63, Lgkm 15, Exp 7, Load 63, Sample 63, Bvh 7, Ds 63, Km 31, Store 63, X 63
            gfx1030: Vm 63, Lgkm 63, Exp 7, Load 63, Sample 63, Bvh 7, Ds 63, Km 31, Store 63, X 63
            gfx1100: Vm 63, Lgkm 63, Exp 7, Load 63, Sample 63, Bvh 7, Ds 63, Km 31, Store 63, X 63
            gfx1200: Vm 63, Lgkm 63, Exp 7, Load 63, Sample 63, Bvh 7, Ds 63, Km 31, Store 63, X 63
            gfx1250: Vm 63, Lgkm 63, Exp 7, Load 63, Sample 63, Bvh 7, Ds 63, Km 31, Store 63, X 63
        "#]]
        .assert_eq(&out);
    }

    /// What is waited for when one bit of the operand is clear, and when one bit is set.
    #[test]
    fn each_bit_of_the_operand_belongs_to_a_field() {
        let mut out = String::new();
        let shown = |fields: Vec<(Counter, u32)>| {
            fields.iter().map(|(counter, count)| format!(" {counter:?} {count}")).collect::<String>()
        };
        for name in GENERATIONS.into_iter().filter(|name| target(name).major() < 12) {
            _ = writeln!(out, "{name}:{}", shown(waitcnt_fields(target(name), 0)));
            for bit in 0..16 {
                let clear = shown(waitcnt_fields(target(name), !(1 << bit)));
                let set = shown(waitcnt_fields(target(name), 1 << bit));
                _ = writeln!(out, "{bit}:{clear};{set}");
            }
        }
        expect![[r#"
            gfx600: Vm 0 Exp 0 Lgkm 0
            0: Vm 14; Vm 1 Exp 0 Lgkm 0
            1: Vm 13; Vm 2 Exp 0 Lgkm 0
            2: Vm 11; Vm 4 Exp 0 Lgkm 0
            3: Vm 7; Vm 8 Exp 0 Lgkm 0
            4: Exp 6; Vm 0 Exp 1 Lgkm 0
            5: Exp 5; Vm 0 Exp 2 Lgkm 0
            6: Exp 3; Vm 0 Exp 4 Lgkm 0
            7:; Vm 0 Exp 0 Lgkm 0
            8: Lgkm 14; Vm 0 Exp 0 Lgkm 1
            9: Lgkm 13; Vm 0 Exp 0 Lgkm 2
            10: Lgkm 11; Vm 0 Exp 0 Lgkm 4
            11: Lgkm 7; Vm 0 Exp 0 Lgkm 8
            12:; Vm 0 Exp 0 Lgkm 0
            13:; Vm 0 Exp 0 Lgkm 0
            14:; Vm 0 Exp 0 Lgkm 0
            15:; Vm 0 Exp 0 Lgkm 0
            gfx803: Vm 0 Exp 0 Lgkm 0
            0: Vm 14; Vm 1 Exp 0 Lgkm 0
            1: Vm 13; Vm 2 Exp 0 Lgkm 0
            2: Vm 11; Vm 4 Exp 0 Lgkm 0
            3: Vm 7; Vm 8 Exp 0 Lgkm 0
            4: Exp 6; Vm 0 Exp 1 Lgkm 0
            5: Exp 5; Vm 0 Exp 2 Lgkm 0
            6: Exp 3; Vm 0 Exp 4 Lgkm 0
            7:; Vm 0 Exp 0 Lgkm 0
            8: Lgkm 14; Vm 0 Exp 0 Lgkm 1
            9: Lgkm 13; Vm 0 Exp 0 Lgkm 2
            10: Lgkm 11; Vm 0 Exp 0 Lgkm 4
            11: Lgkm 7; Vm 0 Exp 0 Lgkm 8
            12:; Vm 0 Exp 0 Lgkm 0
            13:; Vm 0 Exp 0 Lgkm 0
            14:; Vm 0 Exp 0 Lgkm 0
            15:; Vm 0 Exp 0 Lgkm 0
            gfx900: Vm 0 Exp 0 Lgkm 0
            0: Vm 62; Vm 1 Exp 0 Lgkm 0
            1: Vm 61; Vm 2 Exp 0 Lgkm 0
            2: Vm 59; Vm 4 Exp 0 Lgkm 0
            3: Vm 55; Vm 8 Exp 0 Lgkm 0
            4: Exp 6; Vm 0 Exp 1 Lgkm 0
            5: Exp 5; Vm 0 Exp 2 Lgkm 0
            6: Exp 3; Vm 0 Exp 4 Lgkm 0
            7:; Vm 0 Exp 0 Lgkm 0
            8: Lgkm 14; Vm 0 Exp 0 Lgkm 1
            9: Lgkm 13; Vm 0 Exp 0 Lgkm 2
            10: Lgkm 11; Vm 0 Exp 0 Lgkm 4
            11: Lgkm 7; Vm 0 Exp 0 Lgkm 8
            12:; Vm 0 Exp 0 Lgkm 0
            13:; Vm 0 Exp 0 Lgkm 0
            14: Vm 47; Vm 16 Exp 0 Lgkm 0
            15: Vm 31; Vm 32 Exp 0 Lgkm 0
            gfx1030: Vm 0 Exp 0 Lgkm 0
            0: Vm 62; Vm 1 Exp 0 Lgkm 0
            1: Vm 61; Vm 2 Exp 0 Lgkm 0
            2: Vm 59; Vm 4 Exp 0 Lgkm 0
            3: Vm 55; Vm 8 Exp 0 Lgkm 0
            4: Exp 6; Vm 0 Exp 1 Lgkm 0
            5: Exp 5; Vm 0 Exp 2 Lgkm 0
            6: Exp 3; Vm 0 Exp 4 Lgkm 0
            7:; Vm 0 Exp 0 Lgkm 0
            8: Lgkm 62; Vm 0 Exp 0 Lgkm 1
            9: Lgkm 61; Vm 0 Exp 0 Lgkm 2
            10: Lgkm 59; Vm 0 Exp 0 Lgkm 4
            11: Lgkm 55; Vm 0 Exp 0 Lgkm 8
            12: Lgkm 47; Vm 0 Exp 0 Lgkm 16
            13: Lgkm 31; Vm 0 Exp 0 Lgkm 32
            14: Vm 47; Vm 16 Exp 0 Lgkm 0
            15: Vm 31; Vm 32 Exp 0 Lgkm 0
            gfx1100: Vm 0 Exp 0 Lgkm 0
            0: Exp 6; Vm 0 Exp 1 Lgkm 0
            1: Exp 5; Vm 0 Exp 2 Lgkm 0
            2: Exp 3; Vm 0 Exp 4 Lgkm 0
            3:; Vm 0 Exp 0 Lgkm 0
            4: Lgkm 62; Vm 0 Exp 0 Lgkm 1
            5: Lgkm 61; Vm 0 Exp 0 Lgkm 2
            6: Lgkm 59; Vm 0 Exp 0 Lgkm 4
            7: Lgkm 55; Vm 0 Exp 0 Lgkm 8
            8: Lgkm 47; Vm 0 Exp 0 Lgkm 16
            9: Lgkm 31; Vm 0 Exp 0 Lgkm 32
            10: Vm 62; Vm 1 Exp 0 Lgkm 0
            11: Vm 61; Vm 2 Exp 0 Lgkm 0
            12: Vm 59; Vm 4 Exp 0 Lgkm 0
            13: Vm 55; Vm 8 Exp 0 Lgkm 0
            14: Vm 47; Vm 16 Exp 0 Lgkm 0
            15: Vm 31; Vm 32 Exp 0 Lgkm 0
        "#]]
        .assert_eq(&out);
    }

    #[test]
    fn waits_are_written_as_the_generation_has_them() {
        let mut out = String::new();
        for name in ["gfx1100", "gfx1200"] {
            let texts = COUNTERS.map(|counter| wait_text(target(name), counter, 10));
            _ = writeln!(out, "{name}: {}", texts.join(", "));
        }
        expect![[r#"
            gfx1100: s_waitcnt vmcnt(10), s_waitcnt lgkmcnt(10), s_waitcnt expcnt(10), s_wait_loadcnt 0xa, s_wait_samplecnt 0xa, s_wait_bvhcnt 0xa, s_wait_dscnt 0xa, s_wait_kmcnt 0xa, s_wait_storecnt 0xa, s_wait_xcnt 0xa
            gfx1200: s_waitcnt vmcnt(10), s_waitcnt lgkmcnt(10), s_wait_expcnt 0xa, s_wait_loadcnt 0xa, s_wait_samplecnt 0xa, s_wait_bvhcnt 0xa, s_wait_dscnt 0xa, s_wait_kmcnt 0xa, s_wait_storecnt 0xa, s_wait_xcnt 0xa
        "#]].assert_eq(&out);
    }
}
