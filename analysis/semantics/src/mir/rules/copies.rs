//! Instructions that copy registers and their parts: COPY, REG_SEQUENCE, INSERT_SUBREG.

use wavelens_isa::mir::opcode;

use crate::mir::context::{Cx, Inst, Reg, VirtualKind};
use crate::mir::model::*;

pub(in crate::mir) static COPY_SOURCE: crate::Rule = crate::Rule {
    code: "copy-of-no-register",
    severity: crate::Severity::Warning,
    explain: "A COPY copies a register to a register. LLVM's verifier does not look at other operands, and takes them for registers.",
    ..crate::Rule::UNDOCUMENTED
};
rule!(
    COPY_SIZES,
    "copy-mismatch",
    "A COPY's source and destination have the same type, or the same size. A physical register that belongs to a class for values of the type fits too."
);
rule!(
    REG_SEQUENCE,
    "bad-reg-sequence",
    "A REG_SEQUENCE has pairs of a register and a subregister index, and defines a virtual register."
);
pub(in crate::mir) const RULES: &[&crate::Rule] = &[&COPY_SIZES, &COPY_SOURCE, &REG_SEQUENCE];

pub(super) fn check(cx: &mut Cx<'_>, inst: &Inst<'_>) {
    match inst.desc.generic {
        opcode::COPY => copy(cx, inst),
        opcode::REG_SEQUENCE => reg_sequence(cx, inst),
        opcode::INSERT_SUBREG => insert_subreg(cx, inst),
        _ => {}
    }
}

fn copy(cx: &mut Cx<'_>, inst: &Inst<'_>) {
    let (Some(to), Some(from)) = (cx.operand(inst, 0), cx.operand(inst, 1)) else { return };
    let (Some(to_register), Some(from_register)) = (to.register(), from.register()) else {
        // LLVM never looks; what it makes of the operand is undefined.
        let source = if to.register().is_some() { from.range } else { to.range };
        cx.report(&COPY_SOURCE, source, "a COPY copies a register to a register");
        return;
    };
    let (to_type, from_type) = (cx.type_of(to), cx.type_of(from));
    if let (Some(a), Some(b)) = (to_type, from_type) {
        if a != b {
            cx.report(&COPY_SIZES, inst.source.range, format!("a COPY from {b} to {a}: the types differ"));
        }
        return;
    }
    if to_type.is_none() && from_type.is_none() {
        return;
    }
    if to_register.sub.is_some() || from_register.sub.is_some() {
        return;
    }
    let size = |cx: &Cx<'_>,
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
        cx.report(&COPY_SIZES, inst.source.range, format!("a COPY from {} bits to {} bits", b.0, a.0));
    }
}

fn reg_sequence(cx: &mut Cx<'_>, inst: &Inst<'_>) {
    let count = inst.order.len();
    if count.is_multiple_of(2) {
        cx.report(
            &REG_SEQUENCE,
            inst.source.opcode_range,
            "a REG_SEQUENCE has pairs of a register and a subregister index",
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
            cx.report(&REG_SEQUENCE, range, "a REG_SEQUENCE defines a virtual register");
        }
        if register.sub.is_some() {
            cx.report(&REG_SEQUENCE, range, "a REG_SEQUENCE defines a whole register");
        }
    }
}

fn insert_subreg(cx: &mut Cx<'_>, inst: &Inst<'_>) {
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
        cx.report(&REG_SEQUENCE, inserted.range, format!("{size} bits do not fit a part of {room} bits"));
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::mir::rules::findings;

    #[test]
    fn copies_and_sequences() {
        expect![[r#"
            error[copy-mismatch] 6:5 `%1:vreg_64 = COPY %0`: a COPY from 32 bits to 64 bits
        "#]]
        .assert_eq(&findings("", "  bb.0:\n    %0:_(s32) = G_IMPLICIT_DEF\n    %1:vreg_64 = COPY %0\n"));
        expect![[r#"
            warning[copy-of-no-register] 5:23 `5`: a COPY copies a register to a register
        "#]]
        .assert_eq(&findings("", "  bb.0:\n    %0:sreg_32 = COPY 5\n"));
        expect![[r#"
            error[bad-reg-sequence] 6:18 `REG_SEQUENCE`: a REG_SEQUENCE has pairs of a register and a subregister index
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
            error[copy-mismatch] 7:5 `%0:_(s1) = COPY $vgpr0`: a COPY from 32 bits to 1 bits
        "#]]
        .assert_eq(&copies("    %0:_(s1) = COPY $vgpr0\n"));
    }
}
