//! Relations and logic (SPIR-V specification, section 3.52.15).

use wavelens_syntax::spirv::tables::{AddressingModel, Capability, Op};

use super::arithmetics::{unfit, unfit_dimension, wrong};
use crate::code::Inst;
use crate::context::RuleContext;
use wavelens_base::Verdict;

pub(super) fn instruction(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let op = inst.op();
    let result = inst.ty();
    let ty = |i: usize| m.operand_type(inst, i);
    let bool_result = || match m.is_bool_scalar_or_vector(result) {
        true => Ok(()),
        false => unfit(m, inst, 0, "a Boolean or vector of Booleans as Result Type"),
    };
    match op {
        Op::Any | Op::All => {
            if !m.is_bool(result) {
                return unfit(m, inst, 0, "a Boolean as Result Type");
            }
            if !m.is_bool_vector(ty(2)) {
                return unfit(m, inst, 2, "a vector of Booleans");
            }
            Ok(())
        }
        Op::IsNan | Op::IsInf | Op::IsFinite | Op::IsNormal | Op::SignBitSet => {
            bool_result()?;
            if !m.is_float_scalar_or_vector(ty(2)) {
                return unfit(m, inst, 2, "a float scalar or vector");
            }
            if m.dimension(ty(2)) != m.dimension(result) {
                return unfit_dimension(m, inst, 2);
            }
            Ok(())
        }
        Op::FOrdEqual
        | Op::FUnordEqual
        | Op::FOrdNotEqual
        | Op::FUnordNotEqual
        | Op::FOrdLessThan
        | Op::FUnordLessThan
        | Op::FOrdGreaterThan
        | Op::FUnordGreaterThan
        | Op::FOrdLessThanEqual
        | Op::FUnordLessThanEqual
        | Op::FOrdGreaterThanEqual
        | Op::FUnordGreaterThanEqual
        | Op::LessOrGreater
        | Op::Ordered
        | Op::Unordered => {
            bool_result()?;
            if !m.is_float_scalar_or_vector(ty(2)) {
                return unfit(m, inst, 2, "a float scalar or vector");
            }
            if m.dimension(ty(2)) != m.dimension(result) {
                return unfit_dimension(m, inst, 2);
            }
            if ty(3) != ty(2) {
                return unfit(m, inst, 3, &format!("{}, the type of the left operand", m.type_name(ty(2))));
            }
            Ok(())
        }
        Op::LogicalEqual | Op::LogicalNotEqual | Op::LogicalOr | Op::LogicalAnd | Op::LogicalNot => {
            bool_result()?;
            (2..inst.count()).try_for_each(|i| match ty(i) == result {
                true => Ok(()),
                false => unfit(m, inst, i, &format!("{}, the Result Type", m.type_name(result))),
            })
        }
        Op::Select => select(m, inst),
        Op::IEqual
        | Op::INotEqual
        | Op::UGreaterThan
        | Op::UGreaterThanEqual
        | Op::ULessThan
        | Op::ULessThanEqual
        | Op::SGreaterThan
        | Op::SGreaterThanEqual
        | Op::SLessThan
        | Op::SLessThanEqual => {
            bool_result()?;
            for i in [2, 3] {
                if !m.is_int_scalar_or_vector(ty(i)) {
                    return unfit(m, inst, i, "an integer scalar or vector");
                }
                if m.dimension(ty(i)) != m.dimension(result) {
                    return unfit_dimension(m, inst, i);
                }
            }
            if m.width(ty(2)) != m.width(ty(3)) {
                return unfit(
                    m,
                    inst,
                    3,
                    &format!("components of the same width as in {}", m.type_name(ty(2))),
                );
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

fn select(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let result = inst.ty();
    let composites = m.scope.version >= 0x10400;
    let mut dimension = 1;
    match m.op(result) {
        Op::TypePointer | Op::TypeUntypedPointerKHR => {
            if m.scope.addressing_model == Some(AddressingModel::Logical)
                && m.lacks_capability(Capability::VariablePointersStorageBuffer)
            {
                return wrong(
                    0,
                    "OpSelect of pointers requires the VariablePointers or VariablePointersStorageBuffer capability",
                );
            }
        }
        Op::TypeSampledImage | Op::TypeImage | Op::TypeSampler => {
            if m.lacks_capability(Capability::BindlessTextureNV) {
                return wrong(0, "OpSelect of images and samplers requires the BindlessTextureNV capability");
            }
        }
        Op::TypeVector | Op::TypeVectorIdEXT => dimension = m.dimension(result),
        Op::TypeBool | Op::TypeInt | Op::TypeFloat => {}
        Op::TypeArray | Op::TypeMatrix | Op::TypeStruct if composites => {}
        _ => {
            let needed = if composites {
                "a scalar or composite as Result Type"
            } else {
                "a scalar or vector as Result Type"
            };
            return unfit(m, inst, 0, needed);
        }
    }
    let condition = m.operand_type(inst, 2);
    if !m.is_bool_scalar_or_vector(condition) {
        return unfit(m, inst, 2, "a Boolean or vector of Booleans as Condition");
    }
    if m.dimension(condition) != dimension && (!composites || m.is_bool_vector(condition)) {
        return unfit(m, inst, 2, "a Condition with as many components as Result Type");
    }
    (3..5).try_for_each(|i| match m.operand_type(inst, i) == result {
        true => Ok(()),
        false => unfit(m, inst, i, &format!("{}, the Result Type", m.type_name(result))),
    })
}

#[cfg(test)]
mod tests;
