//! Instructions with rules of their own.

use super::constant_bus::CONSTANT_BUS;
use super::{Check, Processor, kind_of, names, target_flag};
use crate::context::{Reg, RuleContext, fail_in};
use crate::model::*;
use wavelens_base::{Verdict, fail};
use wavelens_isa::Generation;

wavelens_syntax::rules! {
    DIV_SCALE {
        code: "bad-div-scale",
        severity: wavelens_base::Severity::Error,
        title: "`src0` of V_DIV_SCALE is the same as `src1` or `src2`, without absolute value",
        explain: "V_DIV_SCALE scales one of the two numbers of a division: the encoding can name only these.",
        example: r#"---
name: f
body: |
  bb.0:
    %0:vgpr_32 = IMPLICIT_DEF
    %1:vgpr_32 = IMPLICIT_DEF
    %2:vgpr_32 = IMPLICIT_DEF
    %3:vgpr_32, %4:sreg_64 = V_DIV_SCALE_F32_e64 0, %0, 0, %1, 0, %2, 0, 0, implicit $mode, implicit $exec
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    %0:vgpr_32 = IMPLICIT_DEF
    %1:vgpr_32 = IMPLICIT_DEF
    %2:vgpr_32 = IMPLICIT_DEF
    %3:vgpr_32, %4:sreg_64 = V_DIV_SCALE_F32_e64 0, %1, 0, %1, 0, %2, 0, 0, implicit $mode, implicit $exec
    S_ENDPGM 0
...
"#,
        source: "LLVM SIInstrInfo::verifyInstruction: \"v_div_scale_{f32|f64} require src0 = src1 or src2\"",
    }

    SCALAR_SOURCE {
        code: "bad-scalar-source",
        severity: wavelens_base::Severity::Error,
        title: "scalar sources are registers that the instruction can read",
        explain: "V_ACCVGPR_WRITE_B32 does not read a scalar register before gfx90a; G_AMDGPU_WAVE_ADDRESS requires a physical scalar register.",
        example: r#"---
name: f
body: |
  bb.0:
    %0:_(p5) = G_IMPLICIT_DEF
    %1:_(p5) = G_AMDGPU_WAVE_ADDRESS %0
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    %1:_(p5) = G_AMDGPU_WAVE_ADDRESS $sgpr32
    S_ENDPGM 0
...
"#,
        source: "LLVM SIInstrInfo::verifyInstruction, AMDGPU::V_ACCVGPR_WRITE_B32",
    }

    RELATIVE_MOVE {
        code: "bad-relative-move",
        severity: wavelens_base::Severity::Error,
        title: "V_MOVRELS_B32 and V_MOVRELD_B32 have the whole vector register as an implicit operand",
        explain: "The instructions select a register by its number in `$m0`, so that every register of the vector may be read or written.",
        example: r#"---
name: f
body: |
  bb.0:
    $vgpr0 = V_MOVRELS_B32_e32 undef $vgpr1, implicit $m0, implicit $exec
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    $vgpr0 = V_MOVRELS_B32_e32 undef $vgpr1, implicit $m0, implicit $exec, implicit $vgpr1_vgpr2
    S_ENDPGM 0
...
"#,
        source: "LLVM SIInstrInfo::verifyInstruction: \"missing implicit register operands\"",
    }
}

pub(super) fn check_special(cx: &RuleContext<'_>, check: &Check<'_, '_>) -> Verdict {
    match cx.f.opcode_text(check.inst.source) {
        "V_DIV_SCALE_F32_e64" | "V_DIV_SCALE_F64_e64" => return check_div_scale(cx, check),
        "V_ACCVGPR_WRITE_B32_e64" if check.processor.is_some_and(|p| !p.gfx90a()) => {
            let Some(source) = check.operand(cx, names().src0) else { return Ok(()) };
            if kind_of(cx, source).is_some_and(super::Kind::is_scalar) {
                let message = format!(
                    "`V_ACCVGPR_WRITE_B32` must not read a scalar register on {}",
                    check.processor_name(cx)
                );
                return fail_in(&SCALAR_SOURCE, source.range, message);
            }
        }
        "V_WRITELANE_B32" => return check_write_lane(cx, check),
        "V_MOVRELS_B32_e32" | "V_MOVRELS_B32_e64" => return check_relative_move(cx, check, false),
        "V_MOVRELD_B32_e32" | "V_MOVRELD_B32_e64" => return check_relative_move(cx, check, true),
        "G_AMDGPU_WAVE_ADDRESS" => {
            let Some(source) = cx.operand(check.inst, 1) else { return Ok(()) };
            if source.register().is_none_or(|r| matches!(cx.reg(r), Reg::Virtual(_))) {
                return fail_in(&SCALAR_SOURCE, source.range, "expected a physical scalar register");
            }
        }
        _ => {}
    }
    check_scratch_base(cx, check)
}

/// On gfx12.5 scalar instructions on 64 bits read the upper half of the base of scratch memory wrongly.
fn check_scratch_base(cx: &RuleContext<'_>, check: &Check<'_, '_>) -> Verdict {
    let is_affected = check.is(target_flag::SALU)
        && matches!(check.processor, Some(Processor::Known(t)) if t.generation() == Generation::Gfx12_5)
        && cx.f.opcode_text(check.inst.source).contains("64");
    if !is_affected {
        return Ok(());
    }
    let base = cx.t.register("src_flat_scratch_base_hi").map(Reg::Physical);
    let reads = |operand: &&Operand| {
        !operand.is_def() && operand.register().is_some_and(|r| Some(cx.reg(r)) == base && base.is_some())
    };
    match cx.operands(check.inst).find(reads) {
        Some(operand) => {
            let message = format!(
                "scalar instructions on 64 bits cannot read `$src_flat_scratch_base_hi` on {}",
                check.processor_name(cx)
            );
            fail_in(&SCALAR_SOURCE, operand.range, message)
        }
        None => Ok(()),
    }
}

/// Before gfx10, value and lane are in the same scalar register if both are scalar; `$m0` does not count.
fn check_write_lane(cx: &RuleContext<'_>, check: &Check<'_, '_>) -> Verdict {
    let m0 = cx.t.register("m0").map(Reg::Physical);
    let mut scalars = [names().src0, names().src1].into_iter().filter_map(|name| {
        let operand = check.operand(cx, name)?;
        let reg = cx.reg(operand.register()?);
        (kind_of(cx, operand)?.is_scalar() && Some(reg) != m0).then_some(reg)
    });
    if let (Some(value), Some(lane)) = (scalars.next(), scalars.next())
        && value != lane
        && check.processor.is_some_and(|p| p.facts().constant_bus_limit < 2)
    {
        let message =
            format!("the instruction reads 2 scalar registers, {} can read 1", check.processor_name(cx));
        return fail(&CONSTANT_BUS, message);
    }
    Ok(())
}

/// Moves to and from a register that `$m0` counts from a first one name the whole vector in their last operand.
fn check_relative_move(cx: &RuleContext<'_>, check: &Check<'_, '_>, writes: bool) -> Verdict {
    let inst = check.inst;
    let first = inst.desc.operand_count() + inst.desc.implicit_uses().count();
    let vector = first + usize::from(writes);
    if inst.order.len() <= vector {
        let what = if writes { "an implicit definition and an implicit use" } else { "an implicit use" };
        return fail(&RELATIVE_MOVE, format!("missing {what} of the whole vector register"));
    }
    if writes && cx.tied_to(inst, first) != Some(vector) {
        let message = "the implicit definition of the vector must be tied to its implicit use";
        return fail(&RELATIVE_MOVE, message);
    }
    let ids = names();
    let part = check.operand(cx, if writes { ids.vdst } else { ids.src0 });
    let whole = cx.operand(inst, vector).filter(|o| !o.is_def()).and_then(Operand::register);
    let Some((part, register)) = part.and_then(|o| Some((o, o.register()?))) else { return Ok(()) };
    let is_part = whole.is_some_and(|whole| match (cx.reg(whole), cx.reg(register)) {
        (Reg::Physical(whole), Reg::Physical(part)) => {
            let units: Vec<u16> = cx.t.units(whole).collect();
            whole != part && cx.t.units(part).all(|u| units.contains(&u))
        }
        (whole, part) => whole == part && register.sub.is_some(),
    });
    if !is_part {
        return fail_in(
            &RELATIVE_MOVE,
            part.range,
            "the register must be part of the vector register of the last operand",
        );
    }
    Ok(())
}

fn check_div_scale(cx: &RuleContext<'_>, check: &Check<'_, '_>) -> Verdict {
    let ids = names();
    let sources = [ids.src0, ids.src1, ids.src2].map(|n| check.operand(cx, n));
    if let [Some(a), Some(b), Some(c)] = sources {
        let reg = |o: &Operand| o.register().map(|r| cx.reg(r));
        if let (Some(first), Some(second), Some(third)) = (reg(a), reg(b), reg(c))
            && first != second
            && first != third
        {
            return fail_in(&DIV_SCALE, a.range, "`src0` must be the same register as `src1` or `src2`");
        }
    }
    for name in [ids.src0_modifiers, ids.src1_modifiers, ids.src2_modifiers] {
        let Some(modifiers) = check.operand(cx, name) else { continue };
        if modifiers.immediate().is_some_and(|v| v & 2 != 0) {
            return fail_in(
                &DIV_SCALE,
                modifiers.range,
                "`V_DIV_SCALE` must not have an absolute value modifier",
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn wave_address() {
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                %0:_(p5) = G_IMPLICIT_DEF
                %1:_(p5) = G_AMDGPU_WAVE_ADDRESS %0
            ;                                    ^^ error[bad-scalar-source]: expected a physical scalar register
            ...
        "#]]);
    }
}
