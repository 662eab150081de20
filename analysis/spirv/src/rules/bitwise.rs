//! Bits (SPIR-V specification, section 3.52.14).

use wavelens_syntax::spirv::tables::Op;

use super::arithmetics::{unfit, unfit_dimension};
use crate::code::{Id, Inst};
use crate::context::RuleContext;
use wavelens_base::Verdict;
use wavelens_base::configuration::DeviceFeature;

fn is_int(m: &RuleContext<'_>, ty: Id) -> bool {
    m.is_int_scalar_or_vector(ty) || m.is_int_coop_vector(ty)
}

pub(super) fn instruction(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let result = inst.ty();
    let ty = |i: usize| m.operand_type(inst, i);
    let scalar = |i: usize| match m.is_int(ty(i)) {
        true => Ok(()),
        false => unfit(m, inst, i, "an integer"),
    };
    match inst.op() {
        Op::ShiftRightLogical | Op::ShiftRightArithmetic | Op::ShiftLeftLogical => {
            if !is_int(m, result) {
                return unfit(m, inst, 0, "an integer scalar or vector as Result Type");
            }
            for i in [2, 3] {
                if !is_int(m, ty(i)) {
                    return unfit(m, inst, i, "an integer scalar or vector");
                }
                if m.dimension(ty(i)) != m.dimension(result) {
                    return unfit_dimension(m, inst, i);
                }
                if i == 2 && m.width(ty(i)) != m.width(result) {
                    return unfit(
                        m,
                        inst,
                        i,
                        &format!("components of the same width as in {}", m.type_name(result)),
                    );
                }
            }
            Ok(())
        }
        Op::BitwiseOr | Op::BitwiseXor | Op::BitwiseAnd | Op::Not => {
            if !is_int(m, result) {
                return unfit(m, inst, 0, "an integer scalar or vector as Result Type");
            }
            for i in 2..inst.count() {
                if !is_int(m, ty(i)) {
                    return unfit(m, inst, i, "an integer scalar or vector");
                }
                if m.dimension(ty(i)) != m.dimension(result) {
                    return unfit_dimension(m, inst, i);
                }
                if m.width(ty(i)) != m.width(result) {
                    return unfit(
                        m,
                        inst,
                        i,
                        &format!("components of the same width as in {}", m.type_name(result)),
                    );
                }
            }
            Ok(())
        }
        Op::BitFieldInsert => {
            base(m, inst)?;
            if ty(3) != result {
                return unfit(m, inst, 3, &format!("{}, the Result Type", m.type_name(result)));
            }
            scalar(4)?;
            scalar(5)
        }
        Op::BitFieldSExtract | Op::BitFieldUExtract => {
            base(m, inst)?;
            scalar(3)?;
            scalar(4)
        }
        Op::BitReverse => base(m, inst),
        Op::BitCount => {
            if !m.is_int_scalar_or_vector(result) {
                return unfit(m, inst, 0, "an integer scalar or vector as Result Type");
            }
            base(m, inst)?;
            if m.dimension(ty(2)) != m.dimension(result) {
                return unfit_dimension(m, inst, 2);
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

fn base(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let ty = m.operand_type(inst, 2);
    if !m.is_int_scalar_or_vector(ty) {
        return unfit(m, inst, 2, "an integer scalar or vector");
    }
    let has_other_widths = m.scope.features.device.has(DeviceFeature::MAINTENANCE9);
    if m.scope.env.is_vulkan() && m.width(ty) != 32 && !has_other_widths {
        return unfit(
            m,
            inst,
            2,
            "a 32-bit integer scalar or vector in Vulkan without the feature maintenance9 [VUID-RuntimeSpirv-None-10824]",
        );
    }
    if ty != inst.ty() && inst.op() != Op::BitCount {
        return unfit(m, inst, 2, &format!("{}, the Result Type", m.type_name(inst.ty())));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
