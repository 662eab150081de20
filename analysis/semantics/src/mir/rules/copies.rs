//! Instructions that copy registers and their parts: COPY, REG_SEQUENCE, INSERT_SUBREG.

use wavelens_isa::mir::opcode;

use crate::mir::context::{Inst, Reg, RuleContext, VirtualKind};
use crate::mir::model::*;

wavelens_syntax::rules! {
    COPY_SOURCE {
        code: "copy-of-no-register",
        severity: crate::Severity::Warning,
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
        severity: crate::Severity::Error,
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

    REG_SEQUENCE {
        code: "bad-reg-sequence",
        severity: crate::Severity::Error,
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

pub(super) fn check(cx: &mut RuleContext<'_>, inst: &Inst<'_>) {
    match inst.desc.generic {
        opcode::COPY => copy(cx, inst),
        opcode::REG_SEQUENCE => reg_sequence(cx, inst),
        opcode::INSERT_SUBREG => insert_subreg(cx, inst),
        _ => {}
    }
}

fn copy(cx: &mut RuleContext<'_>, inst: &Inst<'_>) {
    let (Some(to), Some(from)) = (cx.operand(inst, 0), cx.operand(inst, 1)) else { return };
    let (Some(to_register), Some(from_register)) = (to.register(), from.register()) else {
        // LLVM never looks; what it makes of the operand is undefined.
        let source = if to.register().is_some() { from.range } else { to.range };
        cx.report(&COPY_SOURCE, source, "operands of COPY must be registers");
        return;
    };
    let (to_type, from_type) = (cx.type_of(to), cx.type_of(from));
    if let (Some(a), Some(b)) = (to_type, from_type) {
        if a != b {
            cx.report(
                &COPY_SIZES,
                inst.source.range,
                format!("COPY must not change the type from {b} to {a}"),
            );
        }
        return;
    }
    if to_type.is_none() && from_type.is_none() {
        return;
    }
    if to_register.sub.is_some() || from_register.sub.is_some() {
        return;
    }
    let size = |cx: &RuleContext<'_>,
                register: &RegisterOperand,
                own: Option<Type>,
                other: Option<Type>|
     -> Option<(u64, bool)> {
        match cx.reg(register) {
            Reg::Virtual(v) => match (own, cx.virtual_of(v).kind) {
                (Some(ty), _) => Some((super::generic::type_bits(cx, ty)?, ty.is_scalable())),
                (None, VirtualKind::Class(class)) => Some((cx.t.class_bits(class).into(), false)),
                _ => None,
            },
            Reg::Physical(p) => {
                // A register holds what one of its classes is for, whatever its size.
                let fits = match other {
                    Some(Type::Scalar(bits)) => cx.t.is_for_type(p, 0, bits as u16),
                    Some(Type::Vector { lanes, element: Element::Scalar(bits), scalable }) => {
                        cx.t.is_for_type(p, lanes | u16::from(scalable) << 15, bits as u16)
                    }
                    _ => cx.t.is_for_any_type(p),
                };
                if fits {
                    return None;
                }
                Some((cx.t.class_bits(cx.t.minimal_class(p)?).into(), false))
            }
            Reg::None => None,
        }
    };
    let (Some(a), Some(b)) =
        (size(cx, to_register, to_type, from_type), size(cx, from_register, from_type, to_type))
    else {
        return;
    };
    if a.1 || b.1 || a.0 == 0 || b.0 == 0 {
        return;
    }
    if a.0 != b.0 {
        cx.report(
            &COPY_SIZES,
            inst.source.range,
            format!("COPY must not change the size from {} bits to {} bits", b.0, a.0),
        );
    }
}

fn reg_sequence(cx: &mut RuleContext<'_>, inst: &Inst<'_>) {
    let count = inst.order.len();
    if count.is_multiple_of(2) {
        cx.report(
            &REG_SEQUENCE,
            inst.source.opcode_range,
            "REG_SEQUENCE must have pairs of a register and a subregister index",
        );
        return;
    }
    for index in (1..count).step_by(2) {
        let (Some(register), Some(part)) = (cx.operand(inst, index), cx.operand(inst, index + 1)) else {
            continue;
        };
        if register.register().is_none() {
            cx.report(&REG_SEQUENCE, register.range, "expected a register");
        }
        let valid = match part.kind {
            OperandKind::SubIndex(_) => true,
            OperandKind::Immediate(v) => v > 0 && v < cx.t.sub_index_count() as i64,
            _ => false,
        };
        if !valid {
            cx.report(&REG_SEQUENCE, part.range, "expected a subregister index (`%subreg.sub0`)");
        }
    }
    if let Some(register) = cx.operand(inst, 0).and_then(Operand::register) {
        let range = cx.operand(inst, 0).map_or(inst.source.range, |o| o.range);
        if matches!(cx.reg(register), Reg::Physical(_)) {
            cx.report(&REG_SEQUENCE, range, "REG_SEQUENCE must define a virtual register");
        }
        if register.sub.is_some() {
            cx.report(&REG_SEQUENCE, range, "REG_SEQUENCE must not define a subregister");
        }
    }
}

fn insert_subreg(cx: &mut RuleContext<'_>, inst: &Inst<'_>) {
    let (Some(inserted), Some(part)) = (cx.operand(inst, 2), cx.operand(inst, 3)) else { return };
    let Some(register) = inserted.register() else { return };
    let size = if register.sub.is_some() {
        cx.known_sub_index(register.sub).map(|i| u32::from(cx.t.sub_index_span(i).0))
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
        OperandKind::SubIndex(name) => cx.known_sub_index(name).map(|i| u32::from(cx.t.sub_index_span(i).0)),
        _ => None,
    };
    if let (Some(size), Some(room)) = (size, room)
        && room < size
        && room != 65535
        && size != 65535
    {
        cx.report(
            &REG_SEQUENCE,
            inserted.range,
            format!("expected a subregister value of {room} bits, found {size} bits"),
        );
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::mir::rules::findings;

    #[test]
    fn copies_and_sequences() {
        expect![[r#"
            error[copy-mismatch] 6:5 `%1:vreg_64 = COPY %0`: COPY must not change the size from 32 bits to 64 bits
        "#]]
        .assert_eq(&findings("", "  bb.0:\n    %0:_(s32) = G_IMPLICIT_DEF\n    %1:vreg_64 = COPY %0\n"));
        expect![[r#"
            warning[copy-of-no-register] 5:23 `5`: operands of COPY must be registers
        "#]]
        .assert_eq(&findings("", "  bb.0:\n    %0:sreg_32 = COPY 5\n"));
        expect![[r#"
            error[bad-reg-sequence] 6:18 `REG_SEQUENCE`: REG_SEQUENCE must have pairs of a register and a subregister index
        "#]].assert_eq(&findings(
            "",
            "  bb.0:\n    %0:vgpr_32 = IMPLICIT_DEF\n    %1:vreg_64 = REG_SEQUENCE %0, %subreg.sub0, %0\n",
        ));
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
