//! How many scalar values a vector instruction may read.

use wavelens_isa::mir::Register;

use super::immediates::is_inline;
use super::{Check, kind_of_class, names, target_flag};
use crate::context::{Reg, RuleContext, VirtualKind, fail_in};
use crate::model::*;
use wavelens_base::{Verdict, fail};

wavelens_syntax::rules! {
    CONSTANT_BUS {
        code: "constant-bus",
        severity: wavelens_base::Severity::Error,
        title: "a vector instruction reads no more scalar values than the constant bus allows",
        explain: "The constant bus carries one scalar register or literal before gfx10, and two since gfx10 (one for 64-bit shifts).",
        example: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  define void @f() #0 { ret void }
  attributes #0 = { "target-cpu"="gfx900" }
...
---
name: f
body: |
  bb.0:
    %0:sreg_32 = IMPLICIT_DEF
    %1:sreg_32 = IMPLICIT_DEF
    %2:vgpr_32 = V_ADD_U32_e64 %0, %1, 0, implicit $exec
    S_ENDPGM 0
...
"#,
        fixed: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  define void @f() #0 { ret void }
  attributes #0 = { "target-cpu"="gfx900" }
...
---
name: f
body: |
  bb.0:
    %0:sreg_32 = IMPLICIT_DEF
    %1:sreg_32 = IMPLICIT_DEF
    %2:vgpr_32 = V_ADD_U32_e64 %0, %0, 0, implicit $exec
    S_ENDPGM 0
...
"#,
        source: "LLVM SIInstrInfo::verifyInstruction: \"VOP* instruction violates constant bus restriction\"",
    }

    LITERALS {
        code: "too-many-literals",
        severity: wavelens_base::Severity::Error,
        title: "an instruction has at most one literal, where its encoding has room for one",
        explain: "A literal is an extra dword after the instruction; VOP3 does not have one before gfx10. Integers from -16 to 64 and a few floating-point values are inline constants and need no literal.",
        example: r#"---
name: f
body: |
  bb.0:
    $sgpr0 = S_ADD_U32 1000, 2000, implicit-def $scc
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    $sgpr0 = S_ADD_U32 1000, 20, implicit-def $scc
    S_ENDPGM 0
...
"#,
        source: "LLVM SIInstrInfo::verifyInstruction: \"SOP2/SOPC instruction requires too many immediate constants\"",
    }
}

/// What an operand puts on the bus.
enum Load {
    Free,
    Register(Register),
    Virtual(u32),
    Literal,
}

fn load(cx: &RuleContext<'_>, operand: &Operand, kind: u8, inverse_pi: bool) -> Option<Load> {
    let Some(register) = operand.register() else {
        return Some(match operand.kind {
            OperandKind::Immediate(value) if is_inline(value, kind, inverse_pi)? => Load::Free,
            OperandKind::Mnemonic | OperandKind::Frame { .. } => Load::Free,
            _ => Load::Literal,
        });
    };
    if operand.is_def() {
        return Some(Load::Free);
    }
    Some(match cx.reg(register) {
        Reg::None => Load::Free,
        Reg::Virtual(v) => match cx.virtual_of(v).kind {
            VirtualKind::Class(class) if kind_of_class(class).is_scalar() => Load::Virtual(v),
            VirtualKind::Class(_) => Load::Free,
            _ => return None,
        },
        Reg::Physical(physical) => {
            let name = cx.t.register_name(physical);
            let on_bus = ["sreg_32", "sreg_64"]
                .iter()
                .any(|c| cx.t.class(c).is_some_and(|c| cx.t.contains(c, physical)));
            if on_bus && !matches!(name.as_str(), "sgpr_null" | "sgpr_null64") {
                Load::Register(physical)
            } else {
                Load::Free
            }
        }
    })
}

pub(super) fn check_constant_bus(cx: &RuleContext<'_>, check: &Check<'_, '_>) -> Verdict {
    if check.is(target_flag::SOP2 | target_flag::SOPC) {
        check_scalar_literals(cx, check)?;
    }
    let name = cx.f.opcode_text(check.inst.source);
    let (true, Some(processor)) = (check.is(target_flag::VALU) && name != "V_WRITELANE_B32", check.processor)
    else {
        return Ok(());
    };
    let ids = names();
    let sources = if check.index(cx, ids.src0).is_some() {
        [ids.src0, ids.src1, ids.src2, u16::MAX]
    } else {
        [ids.src0_x, ids.vsrc1_x, ids.src0_y, ids.vsrc1_y]
    };
    let mut literal = check.operand(cx, ids.imm).map(|o| (o.kind, o.range));
    let mut count = usize::from(literal.is_some());
    let (mut registers, mut virtuals) = (Vec::new(), Vec::new());
    for index in sources.into_iter().filter_map(|s| check.index(cx, s)) {
        let (Some(operand), Some(expected)) = (cx.operand(check.inst, index), check.inst.desc.operand(index))
        else {
            continue;
        };
        match load(cx, operand, expected.kind, processor.facts().has_inverse_pi) {
            None => return Ok(()),
            Some(Load::Free) => {}
            Some(Load::Register(r)) if registers.contains(&r) => {}
            Some(Load::Register(r)) => {
                registers.push(r);
                count += 1;
            }
            Some(Load::Virtual(v)) if virtuals.contains(&v) => {}
            Some(Load::Virtual(v)) => {
                virtuals.push(v);
                count += 1;
            }
            Some(Load::Literal) => match literal {
                None => {
                    literal = Some((operand.kind, operand.range));
                    count += 1;
                }
                Some((first, _)) if first != operand.kind => {
                    return fail_in(
                        &LITERALS,
                        operand.range,
                        format!("`{name}` must not have more than one literal"),
                    );
                }
                Some(_) => {}
            },
        }
    }
    let implicit = cx.operands(check.inst).filter(|o| o.is_implicit() && !o.is_def());
    let implicit = implicit.filter_map(|o| match cx.reg(o.register()?) {
        Reg::Physical(r) => Some(r),
        _ => None,
    });
    let is_read = |r: &Register| {
        matches!(cx.t.register_name(*r).as_str(), "vcc" | "vcc_lo" | "vcc_hi" | "m0" | "flat_scr")
    };
    let read = { implicit }.find(is_read);
    if let Some(read) = read {
        let overlaps = |r: &Register| cx.t.units(*r).any(|u| cx.t.units(read).any(|v| u == v));
        count += usize::from(!registers.iter().any(overlaps));
    }
    let shift = ["V_LSHLREV_B64", "V_LSHL_B64", "V_LSHRREV_B64", "V_LSHR_B64", "V_ASHRREV_I64", "V_ASHR_I64"];
    let is_shift = || shift.iter().any(|s| name.starts_with(s));
    let limit = if count > 1 && processor.facts().constant_bus_limit > 1 && !is_shift() { 2 } else { 1 };
    if count > limit {
        let message = format!(
            "`{name}` reads {count} scalar values (registers and literals), but {} can read only {limit}",
            check.processor_name(cx)
        );
        return fail(&CONSTANT_BUS, message);
    }
    let vop3_literal = literal.filter(|_| check.is(target_flag::VOP3));
    if let Some((_, range)) = vop3_literal.filter(|_| !processor.facts().has_vop3_literals) {
        return fail_in(
            &LITERALS,
            range,
            format!(
                "`{name}` (VOP3) must not have a literal on {}, and the value is not an inline constant of this operand",
                check.processor_name(cx)
            ),
        );
    }
    Ok(())
}

/// SOP2 and SOPC have room for one literal.
fn check_scalar_literals(cx: &RuleContext<'_>, check: &Check<'_, '_>) -> Verdict {
    let ids = names();
    let literal = |name: u16| -> Option<(OperandKind, wavelens_base::TextRange)> {
        let index = check.index(cx, name)?;
        let operand = cx.operand(check.inst, index)?;
        let kind = check.inst.desc.operand(index)?.kind;
        let inverse_pi = check.processor.is_none_or(|p| p.facts().has_inverse_pi);
        let literal = match operand.kind {
            OperandKind::Register(_) | OperandKind::Frame { .. } => false,
            OperandKind::Immediate(value) => !is_inline(value, kind, inverse_pi)?,
            _ => true,
        };
        literal.then_some((operand.kind, operand.range))
    };
    if let (Some(a), Some(b)) = (literal(ids.src0), literal(ids.src1))
        && a.0 != b.0
    {
        return fail_in(&LITERALS, b.1, "a scalar instruction must not have more than one literal");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn scalar_literals() {
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                %0:sreg_32 = S_ADD_U32 1234, 12345, implicit-def $scc
            ;                                ^^^^^ error[too-many-literals]: a scalar instruction must not have more than one literal
            ...
        "#]]);
    }
}
