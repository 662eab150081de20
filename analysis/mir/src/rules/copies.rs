//! Instructions that copy registers and their parts: COPY, COPY_LANEMASK, REG_SEQUENCE, INSERT_SUBREG.

use wavelens_isa::mir::{Machine, opcode};

use crate::context::{Inst, Reg, RuleContext, VirtualKind, fail_in};
use crate::model::*;
use wavelens_base::{Verdict, fail, fail_at};

wavelens_syntax::rules! {
    COPY_SOURCE {
        code: "copy-of-no-register",
        severity: wavelens_base::Severity::Warning,
        title: "the operands of COPY are registers",
        explain: "The LLVM verifier does not check this and reads other operands as registers.",
        example: r#"---
name: f
body: |
  bb.0:
    %0:vgpr_32 = COPY 7
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    %0:vgpr_32 = V_MOV_B32_e32 7, implicit $exec
    S_ENDPGM 0
...
"#,
        source: "LLVM TargetOpcodes: COPY; not checked by MachineVerifier",
    }

    COPY_SIZES {
        code: "copy-mismatch",
        severity: wavelens_base::Severity::Error,
        title: "source and destination of COPY have the same type or size",
        explain: "A physical register whose class has the size of the value is accepted too.",
        example: r#"---
name: f
body: |
  bb.0:
    %0:_(s32) = G_IMPLICIT_DEF
    %1:_(s64) = COPY %0
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    %0:_(s32) = G_IMPLICIT_DEF
    %1:_(s32) = COPY %0
    S_ENDPGM 0
...
"#,
        source: "LLVM MachineVerifier::visitMachineInstrBefore: \"Copy Instruction is illegal with mismatching sizes\"",
    }

    COPY_LANES {
        code: "bad-lane-copy",
        severity: wavelens_base::Severity::Error,
        title: "COPY_LANEMASK copies some lanes of a whole register, not all",
        explain: "The mask has a bit for each lane of the source. A copy of all lanes is a COPY.",
        example: r#"---
name: f
body: |
  bb.0:
    %0:vreg_64 = IMPLICIT_DEF
    %1:vreg_64 = COPY_LANEMASK %0, lanemask(0xf)
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    %0:vreg_64 = IMPLICIT_DEF
    %1:vreg_64 = COPY_LANEMASK %0, lanemask(0x3)
    S_ENDPGM 0
...
"#,
        source: "LLVM MachineVerifier::visitMachineInstrBefore: \"COPY_LANEMASK cannot be used to do full copy\"",
    }

    REG_SEQUENCE {
        code: "bad-reg-sequence",
        severity: wavelens_base::Severity::Error,
        title: "REG_SEQUENCE has pairs of a register and a subregister index, and defines a virtual register",
        explain: "Each pair gives one part of the result.",
        example: r#"---
name: f
body: |
  bb.0:
    %0:vgpr_32 = IMPLICIT_DEF
    %1:vreg_64 = REG_SEQUENCE %0, %subreg.sub0, %0
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    %0:vgpr_32 = IMPLICIT_DEF
    %1:vreg_64 = REG_SEQUENCE %0, %subreg.sub0, %0, %subreg.sub1
    S_ENDPGM 0
...
"#,
        source: "LLVM MachineVerifier::visitMachineInstrBefore: \"Invalid number of operands for REG_SEQUENCE\"",
    }
}

pub(super) fn check(cx: &RuleContext<'_>, inst: &Inst<'_>) -> Verdict {
    match inst.desc.generic {
        opcode::COPY => check_copy(cx, inst),
        opcode::COPY_LANEMASK => check_copy_lanes(cx, inst),
        opcode::REG_SEQUENCE => check_reg_sequence(cx, inst),
        opcode::INSERT_SUBREG => check_insert_subreg(cx, inst),
        _ => Ok(()),
    }
}

fn check_copy(cx: &RuleContext<'_>, inst: &Inst<'_>) -> Verdict {
    let (Some(to), Some(from)) = (cx.operand(inst, 0), cx.operand(inst, 1)) else { return Ok(()) };
    let (Some(to_register), Some(from_register)) = (to.register(), from.register()) else {
        // The LLVM verifier reads the operand as a register, whatever it is.
        let wrong = usize::from(to.register().is_some());
        return fail_at(&COPY_SOURCE, wrong, "operands of COPY must be registers");
    };
    let (to_type, from_type) = (cx.type_of(to), cx.type_of(from));
    match (to_type, from_type) {
        (Some(a), Some(b)) if a != b => {
            let message = format!("COPY must not change the type from `{b}` to `{a}`");
            return fail_in(&COPY_SIZES, inst.source.range, message);
        }
        (Some(_), Some(_)) | (None, None) => return Ok(()),
        _ => {}
    }
    if to_register.sub.is_some() || from_register.sub.is_some() {
        return Ok(());
    }
    let sizes = (
        copied_bits(cx, to_register, to_type, from_type),
        copied_bits(cx, from_register, from_type, to_type),
    );
    match sizes {
        (Some(to), Some(from)) if to != from && to != 0 && from != 0 => {
            let message = format!("COPY must not change the size from {from} bits to {to} bits");
            fail_in(&COPY_SIZES, inst.source.range, message)
        }
        _ => Ok(()),
    }
}

fn check_copy_lanes(cx: &RuleContext<'_>, inst: &Inst<'_>) -> Verdict {
    for index in [0, 1] {
        let register = cx.operand(inst, index).and_then(Operand::register);
        if register.is_some_and(|register| register.sub.is_some()) {
            return fail_at(&COPY_LANES, index, "operands of COPY_LANEMASK must not have a subregister");
        }
    }
    let Some(Operand { kind: OperandKind::LaneMask(Some(mask)), .. }) = cx.operand(inst, 2) else {
        return Ok(());
    };
    if *mask == 0 {
        return fail_at(&COPY_LANES, 2, "COPY_LANEMASK must copy at least one lane");
    }
    let Some(all) = cx.operand(inst, 1).and_then(|from| lanes(cx, from)) else { return Ok(()) };
    if *mask == all {
        return fail_at(
            &COPY_LANES,
            2,
            "the mask of COPY_LANEMASK must not have all lanes of the source: use COPY",
        );
    }
    if *mask > all {
        return fail_at(&COPY_LANES, 2, format!("the source has only the lanes `{all:#x}`"));
    }
    Ok(())
}

/// The lanes of a register; AMDGPU has two in 32 bits.
fn lanes(cx: &RuleContext<'_>, operand: &Operand) -> Option<u64> {
    let class = match cx.reg(operand.register()?) {
        Reg::Virtual(v) => match cx.virtual_of(v).kind {
            VirtualKind::Class(class) => class,
            _ => return None,
        },
        Reg::Physical(register) => cx.t.minimal_class(register)?,
        Reg::None => return None,
    };
    let bits = cx.t.class_bits(class);
    let is_known = cx.machine == Machine::Amdgpu && bits.is_multiple_of(32) && (32..=1024).contains(&bits);
    is_known.then(|| u64::MAX >> (64 - bits / 16))
}

/// The size of a register in a copy from or to `other`; `None` if any size fits.
fn copied_bits(
    cx: &RuleContext<'_>,
    register: &RegisterOperand,
    own: Option<Type>,
    other: Option<Type>,
) -> Option<u64> {
    match cx.reg(register) {
        Reg::Virtual(v) => match (own, cx.virtual_of(v).kind) {
            (Some(ty), _) => super::generic::type_bits(cx, ty).filter(|_| !ty.is_scalable()),
            (None, VirtualKind::Class(class)) => Some(cx.t.class_bits(class).into()),
            _ => None,
        },
        Reg::Physical(p) => {
            // A register has room for the types of its classes, whatever its size.
            let fits = match other {
                Some(Type::Scalar(bits)) => cx.t.is_for_type(p, 0, bits as u16),
                Some(Type::Vector { lanes, element: Element::Scalar(bits), scalable }) => {
                    cx.t.is_for_type(p, lanes | u16::from(scalable) << 15, bits as u16)
                }
                _ => cx.t.is_for_any_type(p),
            };
            if fits { None } else { Some(cx.t.class_bits(cx.t.minimal_class(p)?).into()) }
        }
        Reg::None => None,
    }
}

fn check_reg_sequence(cx: &RuleContext<'_>, inst: &Inst<'_>) -> Verdict {
    let count = inst.order.len();
    if count.is_multiple_of(2) {
        let message = "REG_SEQUENCE must have pairs of a register and a subregister index";
        return fail(&REG_SEQUENCE, message);
    }
    for index in (1..count).step_by(2) {
        let (Some(register), Some(part)) = (cx.operand(inst, index), cx.operand(inst, index + 1)) else {
            continue;
        };
        if register.register().is_none() {
            return fail_at(&REG_SEQUENCE, index, "expected a register");
        }
        let is_part = match part.kind {
            OperandKind::SubIndex(_) => true,
            // Negative numbers too are less than the count.
            OperandKind::Immediate(v) => v != 0 && v < cx.t.sub_index_count() as i64,
            _ => false,
        };
        if !is_part {
            return fail_at(&REG_SEQUENCE, index + 1, "expected a subregister index (`%subreg.sub0`)");
        }
    }
    let Some(register) = cx.operand(inst, 0).and_then(Operand::register) else { return Ok(()) };
    if matches!(cx.reg(register), Reg::Physical(_)) {
        return fail_at(&REG_SEQUENCE, 0, "REG_SEQUENCE must define a virtual register");
    }
    if register.sub.is_some() {
        return fail_at(&REG_SEQUENCE, 0, "REG_SEQUENCE must not define a subregister");
    }
    Ok(())
}

fn check_insert_subreg(cx: &RuleContext<'_>, inst: &Inst<'_>) -> Verdict {
    let (Some(inserted), Some(part)) = (cx.operand(inst, 2), cx.operand(inst, 3)) else { return Ok(()) };
    let Some(register) = inserted.register() else { return Ok(()) };
    let bits_of =
        |name: Symbol| cx.known_sub_index(name).map(|index| u32::from(cx.t.sub_index_span(index).0));
    let size = if register.sub.is_some() {
        bits_of(register.sub)
    } else {
        match cx.reg(register) {
            Reg::Virtual(v) => match cx.virtual_of(v).kind {
                VirtualKind::Class(c) => Some(cx.t.class_bits(c)),
                _ => None,
            },
            Reg::Physical(p) => cx.t.minimal_class(p).map(|c| cx.t.class_bits(c)),
            Reg::None => None,
        }
    };
    let room = match part.kind {
        OperandKind::SubIndex(name) => bits_of(name),
        _ => None,
    };
    // 65535 bits stand for a size that is not known.
    match (size.filter(|bits| *bits != 65535), room) {
        (Some(size), Some(room)) if room < size => {
            let message = format!("expected a subregister value of {room} bits, found {size} bits");
            fail_at(&REG_SEQUENCE, 2, message)
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::{findings, marks};

    #[test]
    fn copies_of_lanes() {
        let of = |copy: &str| findings("", &format!("  bb.0:\n    %0:vreg_128 = IMPLICIT_DEF\n    {copy}\n"));
        for good in ["3", "0x3", "-1"] {
            assert_eq!(of(&format!("%1:vreg_128 = COPY_LANEMASK %0, lanemask({good})")), "", "{good}");
        }
        expect![[r#"
            error[bad-lane-copy] 6:37 `lanemask(0)`: COPY_LANEMASK must copy at least one lane
        "#]]
        .assert_eq(&of("%1:vreg_128 = COPY_LANEMASK %0, lanemask(0)"));
        expect![[r#"
            error[bad-lane-copy] 6:37 `lanemask(0xff)`: the mask of COPY_LANEMASK must not have all lanes of the source: use COPY
        "#]].assert_eq(&of("%1:vreg_128 = COPY_LANEMASK %0, lanemask(0xff)"));
        expect![[r#"
            error[bad-lane-copy] 6:37 `lanemask(0x100)`: the source has only the lanes `0xff`
        "#]]
        .assert_eq(&of("%1:vreg_128 = COPY_LANEMASK %0, lanemask(0x100)"));
        expect![[r#"
            error[bad-lane-copy] 6:32 `%0.sub0_sub1`: operands of COPY_LANEMASK must not have a subregister
        "#]]
        .assert_eq(&of("%1:vreg_64 = COPY_LANEMASK %0.sub0_sub1, lanemask(1)"));
        expect![[r#"
            error[syntax-error] 6:46 `0x1ffffffffffffffff`: expected a 64-bit integer, found `0x1ffffffffffffffff`
        "#]].assert_eq(&of("%1:vreg_128 = COPY_LANEMASK %0, lanemask(0x1ffffffffffffffff)"));
        expect![[r#"
            error[syntax-error] 6:46 `)`: expected a 64-bit integer, found `)`
        "#]]
        .assert_eq(&of("%1:vreg_128 = COPY_LANEMASK %0, lanemask()"));
        expect![[r#"
            error[bad-immediate] 6:11 `lanemask(1)`: expected an immediate
        "#]]
        .assert_eq(&of("S_NOP lanemask(1)"));
    }

    #[test]
    fn copies_and_sequences() {
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                %0:_(s32) = G_IMPLICIT_DEF
                %1:vreg_64 = COPY %0
            ;   ^^^^^^^^^^^^^^^^^^^^ error[copy-mismatch]: COPY must not change the size from 32 bits to 64 bits
            ...
        "#]]);
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                %0:sreg_32 = COPY 5
            ;                     ^ warning[copy-of-no-register]: operands of COPY must be registers
            ...
        "#]]);
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                %0:vgpr_32 = IMPLICIT_DEF
                %1:vreg_64 = REG_SEQUENCE %0, %subreg.sub0, %0
            ;                ^^^^^^^^^^^^ error[bad-reg-sequence]: REG_SEQUENCE must have pairs of a register and a subregister index
            ...
        "#]]);
    }

    #[test]
    fn numbers_of_subregister_indexes() {
        let of = |number: i64| {
            let sequence = format!("%1:sreg_64 = REG_SEQUENCE %0, {number}, %0, 2");
            findings("", &format!("  bb.0:\n    %0:sreg_32 = IMPLICIT_DEF\n    {sequence}\n    S_ENDPGM 0\n"))
        };
        assert_eq!([of(1), of(-1)], ["", ""]);
        expect![[r#"
            error[bad-reg-sequence] 6:35 `0`: expected a subregister index (`%subreg.sub0`)
            error[bad-reg-sequence] 6:35 `900000`: expected a subregister index (`%subreg.sub0`)
        "#]]
        .assert_eq(&[of(0), of(900_000)].concat());
    }

    #[test]
    fn registers_with_a_class_for_the_type() {
        let copies = |copies: &str| {
            let liveins = "liveins: $vgpr0, $sgpr0, $sgpr4_sgpr5, $vcc";
            findings("tracksRegLiveness: true\n", &format!("  bb.0:\n    {liveins}\n{copies}"))
        };
        let right = ["s16", "<2 x s16>"].map(|ty| format!("    %0:_({ty}) = COPY $vgpr0\n")).concat();
        assert_eq!(copies(&right.replacen("%0", "%1", 1)), "");
        assert_eq!(copies("    %0:_(s1) = COPY $vcc\n    %1:_(s1) = COPY $sgpr4_sgpr5\n"), "");
        expect![[r#"
            error[copy-mismatch] 7:5 `%0:_(s1) = COPY $vgpr0`: COPY must not change the size from 32 bits to 1 bits
        "#]]
        .assert_eq(&copies("    %0:_(s1) = COPY $vgpr0\n"));
    }
}
