//! Immediates of RISC-V (LLVM's `RISCVInstrInfo::verifyInstruction`).

use wavelens_isa::mir::Machine;

use super::amdgpu::immediates::BAD_IMMEDIATE;
use crate::mir::context::{Inst, Reg, RuleContext};
use crate::{Verdict, fail_at};

pub(super) fn check(cx: &mut RuleContext<'_>) {
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
        if !is_allowed(kind, value, cx.machine == Machine::Riscv64).unwrap_or(true) {
            let message = format!("the immediate {value} does not fit this operand");
            return fail_at(&BAD_IMMEDIATE, index, message);
        }
        if kind == VECTOR_ROUNDING && value == DYNAMIC && !reads_mode(cx, inst) {
            return fail_at(&BAD_IMMEDIATE, index, "the dynamic rounding mode must read `$frm`");
        }
    }
    Ok(())
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
const VECTOR_ROUNDING: u8 = 83;
/// The rounding mode that `$frm` holds.
const DYNAMIC: i64 = 7;

/// Whether an immediate may be in an operand of a kind; `None` where that is not known.
fn is_allowed(kind: u8, value: i64, is_64_bit: bool) -> Option<bool> {
    let unsigned = |bits: u32| (0..1i64 << bits).contains(&value);
    let signed = |bits: u32| (-(1i64 << (bits - 1))..1i64 << (bits - 1)).contains(&value);
    let scaled = |bits: u32, scale: i64| unsigned(bits) && value % scale == 0;
    let rounding = || matches!(value as u32, 0..=4 | 7);
    Some(match kind {
        13 => unsigned(1),
        14 | 80 => unsigned(2),
        15 => scaled(2, 2),
        16 => unsigned(3),
        17 => unsigned(4),
        18 => unsigned(5),
        19 => unsigned(5) && value != 0,
        20 => (4..32).contains(&value),
        21 => (1..=32).contains(&value),
        22 => (6..=32).contains(&value),
        23 => scaled(5, 2),
        25 => unsigned(6),
        26 => scaled(6, 2),
        27 => unsigned(7),
        28 => scaled(7, 4),
        29 => scaled(7, 8),
        30 => scaled(8, 4),
        31 => unsigned(8),
        32 => scaled(8, 8),
        33 => (32..256).contains(&value),
        34 => scaled(9, 8),
        35 => unsigned(9),
        36 => unsigned(10),
        37 => scaled(10, 4) && value != 0,
        39 => unsigned(12),
        41 => unsigned(16),
        42 => unsigned(16) && value != 0,
        43 => unsigned(5 + u32::from(is_64_bit)),
        44 => unsigned(5 + u32::from(is_64_bit)) && value != 0,
        45 => unsigned(32),
        46 => unsigned(48),
        50 => value == -1 || unsigned(5) && value != 0,
        51 => signed(5),
        52 => signed(5) && value != 0,
        53 => (-15..=16).contains(&value),
        54 => signed(6),
        55 => signed(6) && value != 0,
        56 => signed(8),
        57 => signed(10),
        58 => signed(10) && value % 16 == 0 && value != 0,
        60 => signed(11),
        61 => signed(12) && value % 32 == 0,
        63 => signed(16) && value != 0,
        64 => signed(20),
        65 => signed(26),
        66 => (1..32).contains(&value) || (0xf_ffe0..=0xf_ffff).contains(&value),
        69 => (0..=10).contains(&value),
        76 | VECTOR_ROUNDING => rounding(),
        77 => value == 1,
        78 => (0..=5).contains(&value),
        79 => matches!(value, 0..=2 | 4..=7),
        81 => (3..=6).contains(&value),
        82 => value == 0,
        85 => matches!(value, 1 | 2 | 4),
        86 | 87 => unsigned(20),
        88 => signed(12),
        89 => signed(32),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::is_allowed;

    #[test]
    fn immediates_of_each_kind() {
        let allowed = |kind: u8| {
            let of = |value: i64| is_allowed(kind, value, true);
            let values = (-2048..=2048).filter(|value| of(*value) == Some(true));
            let values: Vec<i64> = values.collect();
            format!("{kind}: {:?} to {:?}, {}", values.first(), values.last(), values.len())
        };
        let all: Vec<String> =
            (super::FIRST..=super::LAST).filter(|k| is_allowed(*k, 0, true).is_some()).map(allowed).collect();
        expect![[r#"
            13: Some(0) to Some(1), 2
            14: Some(0) to Some(3), 4
            15: Some(0) to Some(2), 2
            16: Some(0) to Some(7), 8
            17: Some(0) to Some(15), 16
            18: Some(0) to Some(31), 32
            19: Some(1) to Some(31), 31
            20: Some(4) to Some(31), 28
            21: Some(1) to Some(32), 32
            22: Some(6) to Some(32), 27
            23: Some(0) to Some(30), 16
            25: Some(0) to Some(63), 64
            26: Some(0) to Some(62), 32
            27: Some(0) to Some(127), 128
            28: Some(0) to Some(124), 32
            29: Some(0) to Some(120), 16
            30: Some(0) to Some(252), 64
            31: Some(0) to Some(255), 256
            32: Some(0) to Some(248), 32
            33: Some(32) to Some(255), 224
            34: Some(0) to Some(504), 64
            35: Some(0) to Some(511), 512
            36: Some(0) to Some(1023), 1024
            37: Some(4) to Some(1020), 255
            39: Some(0) to Some(2048), 2049
            41: Some(0) to Some(2048), 2049
            42: Some(1) to Some(2048), 2048
            43: Some(0) to Some(63), 64
            44: Some(1) to Some(63), 63
            45: Some(0) to Some(2048), 2049
            46: Some(0) to Some(2048), 2049
            50: Some(-1) to Some(31), 32
            51: Some(-16) to Some(15), 32
            52: Some(-16) to Some(15), 31
            53: Some(-15) to Some(16), 32
            54: Some(-32) to Some(31), 64
            55: Some(-32) to Some(31), 63
            56: Some(-128) to Some(127), 256
            57: Some(-512) to Some(511), 1024
            58: Some(-512) to Some(496), 63
            60: Some(-1024) to Some(1023), 2048
            61: Some(-2048) to Some(2016), 128
            63: Some(-2048) to Some(2048), 4096
            64: Some(-2048) to Some(2048), 4097
            65: Some(-2048) to Some(2048), 4097
            66: Some(1) to Some(31), 31
            69: Some(0) to Some(10), 11
            76: Some(0) to Some(7), 6
            77: Some(1) to Some(1), 1
            78: Some(0) to Some(5), 6
            79: Some(0) to Some(7), 7
            80: Some(0) to Some(3), 4
            81: Some(3) to Some(6), 4
            82: Some(0) to Some(0), 1
            83: Some(0) to Some(7), 6
            85: Some(1) to Some(4), 3
            86: Some(0) to Some(2048), 2049
            87: Some(0) to Some(2048), 2049
            88: Some(-2048) to Some(2047), 4096
            89: Some(-2048) to Some(2048), 4097"#]]
        .assert_eq(&all.join("\n"));
        assert_eq!(is_allowed(43, 32, true), Some(true));
        assert_eq!(is_allowed(43, 32, false), Some(false));
        assert_eq!(is_allowed(66, 0xf_ffe0, true), Some(true));
        assert_eq!(is_allowed(66, 0xf_ffdf, true), Some(false));
    }

    #[test]
    fn immediates() {
        let findings = |instruction: &str| {
            let text = format!(
                "--- |\n  target triple = \"riscv64\"\n  define void @f() {{ ret void }}\n...\n---\nname: f\nbody: |\n  bb.0:\n    {instruction}\n...\n"
            );
            crate::testing::findings(crate::Dialect::Mir, &text)
        };
        expect![[r#"
            error[bad-immediate] 9:21 `2048`: the immediate 2048 does not fit this operand
        "#]]
        .assert_eq(&findings("$x2 = ADDI $x1, 2048"));
        expect![[r#"
            error[bad-immediate] 9:21 `$x1`: expected an immediate, found a register
        "#]]
        .assert_eq(&findings("$x2 = SLLI $x1, $x1"));
        expect![[r#"
            error[bad-immediate] 9:21 `64`: the immediate 64 does not fit this operand
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
