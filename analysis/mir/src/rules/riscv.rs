//! Immediates of RISC-V (LLVM's `RISCVInstrInfo::verifyInstruction`).

use std::fmt;

use wavelens_isa::mir::Machine;

use super::amdgpu::immediates::BAD_IMMEDIATE;
use crate::context::{Inst, Reg, RuleContext};
use wavelens_base::{Verdict, fail_at};

pub(super) fn instructions(cx: &mut RuleContext<'_>) {
    if !matches!(cx.machine, Machine::Riscv32 | Machine::Riscv64) {
        return;
    }
    let instructions = std::mem::take(&mut cx.instructions);
    for inst in instructions.iter().flatten() {
        let verdict = check_immediates(cx, inst);
        cx.conclude(inst, verdict);
    }
    cx.instructions = instructions;
}

fn check_immediates(cx: &RuleContext<'_>, inst: &Inst<'_>) -> Verdict {
    for index in 0..inst.desc.operand_count() {
        let (Some(expected), Some(operand)) = (inst.desc.operand(index), cx.operand(inst, index)) else {
            continue;
        };
        let kind = expected.kind;
        if !(FIRST..=LAST).contains(&kind) {
            continue;
        }
        if operand.register().is_some() {
            return fail_at(&BAD_IMMEDIATE, index, "expected an immediate, found a register");
        }
        let Some(value) = operand.immediate() else { continue };
        if let Some(allowed) = Allowed::of(kind, cx.machine == Machine::Riscv64)
            && !allowed.contains(if is_rounding(kind) { i64::from(value as u32) } else { value })
        {
            return fail_at(&BAD_IMMEDIATE, index, format!("expected {allowed}, found {value}"));
        }
        if kind == VECTOR_ROUNDING && value == DYNAMIC && !reads_mode(cx, inst) {
            return fail_at(&BAD_IMMEDIATE, index, "the dynamic rounding mode must read `$frm`");
        }
    }
    Ok(())
}

/// Whether a kind is a rounding mode, of which LLVM looks at 32 bits.
fn is_rounding(kind: u8) -> bool {
    matches!(kind, ROUNDING | VECTOR_ROUNDING)
}

fn reads_mode(cx: &RuleContext<'_>, inst: &Inst<'_>) -> bool {
    let Some(mode) = cx.t.register("frm") else { return true };
    let mut registers =
        cx.operands(inst).filter_map(|operand| operand.register().filter(|_| !operand.is_def()));
    registers.any(|register| cx.reg(register) == Reg::Physical(mode))
}

/// The first and the last kind of operand that must be an immediate (`RISCVOp::OperandType` of LLVM 22).
const FIRST: u8 = 13;
const LAST: u8 = 89;
const ROUNDING: u8 = 76;
const VECTOR_ROUNDING: u8 = 83;
/// The rounding mode that `$frm` holds.
const DYNAMIC: i64 = 7;

/// The immediates that an operand may be.
struct Allowed {
    /// First and last of each range.
    ranges: [Option<(i64, i64)>; 2],
    multiple_of: i64,
}

impl Allowed {
    /// Those of a kind of operand; `None` where they are not known.
    fn of(kind: u8, is_64_bit: bool) -> Option<Self> {
        let from = |first, last| Self { ranges: [Some((first, last)), None], multiple_of: 1 };
        let two = |one, other| Self { ranges: [Some(one), Some(other)], multiple_of: 1 };
        let unsigned = |bits: u32| from(0, (1 << bits) - 1);
        let positive = |bits: u32| from(1, (1 << bits) - 1);
        let signed = |bits: u32| from(-(1 << (bits - 1)), (1 << (bits - 1)) - 1);
        let nonzero = |bits: u32| two((-(1 << (bits - 1)), -1), (1, (1 << (bits - 1)) - 1));
        let scaled = |multiple_of: i64, allowed: Self| Self { multiple_of, ..allowed };
        let shift = 5 + u32::from(is_64_bit);
        Some(match kind {
            13 => unsigned(1),
            14 | 80 => unsigned(2),
            15 => scaled(2, unsigned(2)),
            16 => unsigned(3),
            17 => unsigned(4),
            18 => unsigned(5),
            19 => positive(5),
            20 => from(4, 31),
            21 => from(1, 32),
            22 => from(6, 32),
            23 => scaled(2, unsigned(5)),
            25 => unsigned(6),
            26 => scaled(2, unsigned(6)),
            27 => unsigned(7),
            28 => scaled(4, unsigned(7)),
            29 => scaled(8, unsigned(7)),
            30 => scaled(4, unsigned(8)),
            31 => unsigned(8),
            32 => scaled(8, unsigned(8)),
            33 => from(32, 255),
            34 => scaled(8, unsigned(9)),
            35 => unsigned(9),
            36 => unsigned(10),
            37 => scaled(4, positive(10)),
            39 => unsigned(12),
            41 => unsigned(16),
            42 => positive(16),
            43 => unsigned(shift),
            44 => positive(shift),
            45 => unsigned(32),
            46 => unsigned(48),
            50 => two((-1, -1), (1, 31)),
            51 => signed(5),
            52 => nonzero(5),
            53 => from(-15, 16),
            54 => signed(6),
            55 => nonzero(6),
            56 => signed(8),
            57 => signed(10),
            58 => scaled(16, nonzero(10)),
            60 => signed(11),
            61 => scaled(32, signed(12)),
            63 => nonzero(16),
            64 => signed(20),
            65 => signed(26),
            66 => two((1, 31), (0xf_ffe0, 0xf_ffff)),
            69 => from(0, 10),
            ROUNDING | VECTOR_ROUNDING => two((0, 4), (7, 7)),
            77 => from(1, 1),
            78 => from(0, 5),
            79 => two((0, 2), (4, 7)),
            81 => from(3, 6),
            82 => from(0, 0),
            85 => two((1, 2), (4, 4)),
            86 | 87 => unsigned(20),
            88 => signed(12),
            89 => signed(32),
            _ => return None,
        })
    }

    fn contains(&self, value: i64) -> bool {
        let is_inside = |(first, last): &(i64, i64)| (*first..=*last).contains(&value);
        self.ranges.iter().flatten().any(is_inside) && value % self.multiple_of == 0
    }
}

impl fmt::Display for Allowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.multiple_of {
            1 => f.write_str("an immediate ")?,
            n => write!(f, "a multiple of {n} ")?,
        }
        for (n, (first, last)) in self.ranges.iter().flatten().enumerate() {
            match (n, first == last) {
                (0, true) => write!(f, "that is {first}")?,
                (0, false) => write!(f, "from {first} to {last}")?,
                (_, true) => write!(f, " or {first}")?,
                (_, false) => write!(f, " or from {first} to {last}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::Allowed;

    #[test]
    fn immediates_of_each_kind() {
        let all: Vec<String> = (super::FIRST..=super::LAST)
            .filter_map(|kind| Some(format!("{kind}: {}", Allowed::of(kind, true)?)))
            .collect();
        expect![[r#"
            13: an immediate from 0 to 1
            14: an immediate from 0 to 3
            15: a multiple of 2 from 0 to 3
            16: an immediate from 0 to 7
            17: an immediate from 0 to 15
            18: an immediate from 0 to 31
            19: an immediate from 1 to 31
            20: an immediate from 4 to 31
            21: an immediate from 1 to 32
            22: an immediate from 6 to 32
            23: a multiple of 2 from 0 to 31
            25: an immediate from 0 to 63
            26: a multiple of 2 from 0 to 63
            27: an immediate from 0 to 127
            28: a multiple of 4 from 0 to 127
            29: a multiple of 8 from 0 to 127
            30: a multiple of 4 from 0 to 255
            31: an immediate from 0 to 255
            32: a multiple of 8 from 0 to 255
            33: an immediate from 32 to 255
            34: a multiple of 8 from 0 to 511
            35: an immediate from 0 to 511
            36: an immediate from 0 to 1023
            37: a multiple of 4 from 1 to 1023
            39: an immediate from 0 to 4095
            41: an immediate from 0 to 65535
            42: an immediate from 1 to 65535
            43: an immediate from 0 to 63
            44: an immediate from 1 to 63
            45: an immediate from 0 to 4294967295
            46: an immediate from 0 to 281474976710655
            50: an immediate that is -1 or from 1 to 31
            51: an immediate from -16 to 15
            52: an immediate from -16 to -1 or from 1 to 15
            53: an immediate from -15 to 16
            54: an immediate from -32 to 31
            55: an immediate from -32 to -1 or from 1 to 31
            56: an immediate from -128 to 127
            57: an immediate from -512 to 511
            58: a multiple of 16 from -512 to -1 or from 1 to 511
            60: an immediate from -1024 to 1023
            61: a multiple of 32 from -2048 to 2047
            63: an immediate from -32768 to -1 or from 1 to 32767
            64: an immediate from -524288 to 524287
            65: an immediate from -33554432 to 33554431
            66: an immediate from 1 to 31 or from 1048544 to 1048575
            69: an immediate from 0 to 10
            76: an immediate from 0 to 4 or 7
            77: an immediate that is 1
            78: an immediate from 0 to 5
            79: an immediate from 0 to 2 or from 4 to 7
            80: an immediate from 0 to 3
            81: an immediate from 3 to 6
            82: an immediate that is 0
            83: an immediate from 0 to 4 or 7
            85: an immediate from 1 to 2 or 4
            86: an immediate from 0 to 1048575
            87: an immediate from 0 to 1048575
            88: an immediate from -2048 to 2047
            89: an immediate from -2147483648 to 2147483647"#]]
        .assert_eq(&all.join("\n"));
        let contains = |kind, value, is_64_bit| Allowed::of(kind, is_64_bit).map(|a| a.contains(value));
        assert_eq!((contains(43, 32, true), contains(43, 32, false)), (Some(true), Some(false)));
        assert_eq!((contains(66, 0xf_ffe0, true), contains(66, 0xf_ffdf, true)), (Some(true), Some(false)));
        assert_eq!((contains(58, -16, true), contains(58, 0, true)), (Some(true), Some(false)));
        assert_eq!((contains(58, 8, true), contains(50, -1, true)), (Some(false), Some(true)));
    }

    #[test]
    fn immediates() {
        let findings = |instruction: &str| {
            let text = format!(
                "--- |\n  target triple = \"riscv64\"\n  define void @f() {{ ret void }}\n...\n---\nname: f\nbody: |\n  bb.0:\n    {instruction}\n...\n"
            );
            wavelens_check::testing::findings(wavelens_base::Dialect::Mir, &text)
        };
        expect![[r#"
            error[bad-immediate] 9:21 `2048`: expected an immediate from -2048 to 2047, found 2048
        "#]]
        .assert_eq(&findings("$x2 = ADDI $x1, 2048"));
        expect![[r#"
            error[bad-immediate] 9:21 `$x1`: expected an immediate, found a register
        "#]]
        .assert_eq(&findings("$x2 = SLLI $x1, $x1"));
        expect![[r#"
            error[bad-immediate] 9:21 `64`: expected an immediate from 0 to 63, found 64
        "#]]
        .assert_eq(&findings("$x2 = SLLI $x1, 64"));
        let add = "$v8 = PseudoVFADD_VV_M1_E32 $v8, $v9, $v10, 7, $noreg, 5, 0";
        expect![[r#"
            error[bad-immediate] 9:49 `7`: the dynamic rounding mode must read `$frm`
        "#]]
        .assert_eq(&findings(add));
        expect![""].assert_eq(&findings(&format!("{add}, implicit $frm")));
    }
}
