//! Bits (SPIR-V specification, section 3.52.14).

use wavelens_syntax::spirv::tables::Op;

use super::arithmetics::unfit;
use crate::spirv::code::{Id, Inst};
use crate::spirv::context::{Check, Module};

fn is_int(m: &Module<'_>, ty: Id) -> bool {
    m.is_int_scalar_or_vector(ty) || m.is_int_coop_vector(ty)
}

pub(super) fn check(m: &Module<'_>, inst: Inst<'_>) -> Check {
    let result = inst.ty();
    let ty = |i: usize| m.operand_type(inst, i);
    let scalar = |i: usize| match m.is_int(ty(i)) {
        true => Ok(()),
        false => unfit(m, inst, i, "an integer here"),
    };
    match inst.op() {
        Op::ShiftRightLogical | Op::ShiftRightArithmetic | Op::ShiftLeftLogical => {
            if !is_int(m, result) {
                return unfit(m, inst, 0, "an integer scalar or vector as result");
            }
            for i in [2, 3] {
                if !is_int(m, ty(i)) {
                    return unfit(m, inst, i, "integer scalars or vectors");
                }
                if m.dimension(ty(i)) != m.dimension(result) {
                    return unfit(m, inst, i, "as many components as the result has");
                }
                if i == 2 && m.width(ty(i)) != m.width(result) {
                    return unfit(
                        m,
                        inst,
                        i,
                        &format!("components as wide as those of {}", m.type_name(result)),
                    );
                }
            }
            Ok(())
        }
        Op::BitwiseOr | Op::BitwiseXor | Op::BitwiseAnd | Op::Not => {
            if !is_int(m, result) {
                return unfit(m, inst, 0, "an integer scalar or vector as result");
            }
            for i in 2..inst.count() {
                if !is_int(m, ty(i)) {
                    return unfit(m, inst, i, "integer scalars or vectors");
                }
                if m.dimension(ty(i)) != m.dimension(result) {
                    return unfit(m, inst, i, "as many components as the result has");
                }
                if m.width(ty(i)) != m.width(result) {
                    return unfit(
                        m,
                        inst,
                        i,
                        &format!("components as wide as those of {}", m.type_name(result)),
                    );
                }
            }
            Ok(())
        }
        Op::BitFieldInsert => {
            base(m, inst)?;
            if ty(3) != result {
                return unfit(m, inst, 3, &format!("{} like the result", m.type_name(result)));
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
                return unfit(m, inst, 0, "an integer scalar or vector as result");
            }
            base(m, inst)?;
            if m.dimension(ty(2)) != m.dimension(result) {
                return unfit(m, inst, 2, "as many components as the result has");
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

fn base(m: &Module<'_>, inst: Inst<'_>) -> Check {
    let ty = m.operand_type(inst, 2);
    if !m.is_int_scalar_or_vector(ty) {
        return unfit(m, inst, 2, "an integer scalar or vector");
    }
    if m.scope.env.is_vulkan() && m.width(ty) != 32 {
        return unfit(m, inst, 2, "32-bit integers in Vulkan");
    }
    if ty != inst.ty() && inst.op() != Op::BitCount {
        return unfit(m, inst, 2, &format!("{} like the result", m.type_name(inst.ty())));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::spirv::rules::testing::Shader;

    #[test]
    fn bits_are_of_integers() {
        let shader = Shader {
            body: "%a = OpBitwiseAnd %float %i0 %i1
%b = OpShiftLeftLogical %int %i0 %f1
%c = OpBitFieldInsert %int %i0 %u1 %i0 %i1
%d = OpBitCount %int %f1",
            ..Shader::NEW
        };
        expect![[r#"
            error[operand-type] `%float`: OpBitwiseAnd takes an integer scalar or vector as result; the result is float
            error[operand-type] `%f1`: OpShiftLeftLogical takes integer scalars or vectors; `%f1` is float
            error[operand-type] `%u1`: OpBitFieldInsert takes int like the result; `%u1` is uint
            error[operand-type] `%f1`: OpBitCount takes an integer scalar or vector; `%f1` is float
        "#]].assert_eq(&shader.findings());
    }
}
