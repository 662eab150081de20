//! Tensors (SPV_ARM_tensors), and tensor layouts and views (SPV_NV_tensor_addressing).

use wavelens_syntax::spirv::tables::{Op, TensorOperands};

use super::arithmetics::{unfit, wrong};
use crate::code::{Id, Inst};
use crate::context::RuleContext;
use crate::flat::NONE;
use crate::ops;
use wavelens_base::{Fault, Verdict};

pub(super) fn instruction(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    match inst.op() {
        Op::TensorReadARM => read(m, inst),
        Op::TensorWriteARM => write(m, inst),
        Op::TensorQuerySizeARM => query_size(m, inst),
        Op::CreateTensorLayoutNV => result(m, inst, Op::TypeTensorLayoutNV),
        Op::CreateTensorViewNV => result(m, inst, Op::TypeTensorViewNV),
        Op::TensorLayoutSetBlockSizeNV | Op::TensorLayoutSetDimensionNV | Op::TensorLayoutSetStrideNV => {
            values(m, inst, Op::TypeTensorLayoutNV, |dimensions| dimensions)
        }
        Op::TensorLayoutSliceNV => {
            values(m, inst, Op::TypeTensorLayoutNV, |dimensions| dimensions.saturating_mul(2))
        }
        Op::TensorLayoutSetClampValueNV => values(m, inst, Op::TypeTensorLayoutNV, |_| 1),
        Op::TensorViewSetDimensionNV | Op::TensorViewSetStrideNV => {
            values(m, inst, Op::TypeTensorViewNV, |dimensions| dimensions)
        }
        Op::TensorViewSetClipNV => values(m, inst, Op::TypeTensorViewNV, |_| 4),
        _ => Ok(()),
    }
}

/// The type of a tensor operand, which must give its rank.
fn ranked(m: &RuleContext<'_>, inst: Inst<'_>, operand: usize) -> Result<Id, Box<Fault>> {
    let ty = m.operand_type(inst, operand);
    match m.def(ty).filter(|d| d.op() == Op::TypeTensorARM && d.words().len() > 3) {
        Some(_) => Ok(ty),
        None => unfit(m, inst, operand, "a tensor with a rank").map(|()| ty),
    }
}

/// The rank of a tensor type, where it is a known constant.
fn rank(m: &RuleContext<'_>, tensor: Id) -> Option<u64> {
    m.uint(m.def(tensor)?.word(3))
}

fn is_scalar_or_array(m: &RuleContext<'_>, ty: Id) -> bool {
    m.is_scalar(ty) || m.op(ty) == Op::TypeArray && m.is_scalar(m.element(ty))
}

fn coordinates(m: &RuleContext<'_>, inst: Inst<'_>, operand: usize, tensor: Id) -> Verdict {
    let ty = m.operand_type(inst, operand);
    let rank = rank(m, tensor).filter(|r| *r != 0);
    let array = m.def(ty).filter(|d| d.op() == Op::TypeArray && m.is_int(d.word(2)));
    let fits = array.zip(rank).is_some_and(|(array, rank)| m.uint(array.word(3)).is_none_or(|n| n == rank));
    match fits {
        true => Ok(()),
        false => unfit(m, inst, operand, "an array of integers, one for each dimension of the tensor"),
    }
}

fn non_private(mask: u32, availability: u32) -> bool {
    mask & availability == 0 || mask & TensorOperands::NonPrivateElementARM != 0
}

fn read(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    if !is_scalar_or_array(m, inst.ty()) {
        return unfit(m, inst, 0, "a scalar or array of scalars as Result Type");
    }
    let tensor = ranked(m, inst, 2)?;
    let element = m.element(tensor);
    if m.component(inst.ty()) != element {
        return unfit(
            m,
            inst,
            0,
            &format!("{}, the element type of the tensor, as Result Type", m.type_name(element)),
        );
    }
    coordinates(m, inst, 3, tensor)?;
    let Some(mask) = inst.opt_operand(4) else { return Ok(()) };
    if mask & TensorOperands::OutOfBoundsValueARM != 0 {
        let ty = m.operand_type(inst, 5);
        if ty == NONE || m.component(ty) != element {
            return unfit(m, inst, 5, &format!("{}, the element type of the tensor", m.type_name(element)));
        }
    }
    if mask & TensorOperands::MakeElementAvailableARM != 0 {
        return wrong(4, "MakeElementAvailableARM can be used only for writes");
    }
    if !non_private(mask, TensorOperands::MakeElementVisibleARM) {
        return wrong(4, "MakeElementVisibleARM requires NonPrivateElementARM");
    }
    Ok(())
}

fn write(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let tensor = ranked(m, inst, 0)?;
    coordinates(m, inst, 1, tensor)?;
    let object = m.operand_type(inst, 2);
    if !is_scalar_or_array(m, object) || m.component(object) != m.element(tensor) {
        let element = m.type_name(m.element(tensor));
        let operand = inst.operand(2);
        let message = format!(
            "the element type of the tensor is {element}, but `{}` is {}",
            m.name(operand),
            m.type_name(object)
        );
        return wrong(2, message);
    }
    let Some(mask) = inst.opt_operand(3) else { return Ok(()) };
    if mask & TensorOperands::OutOfBoundsValueARM != 0 {
        return wrong(3, "OutOfBoundsValueARM can be used only for reads");
    }
    if mask & TensorOperands::MakeElementVisibleARM != 0 {
        return wrong(3, "MakeElementVisibleARM can be used only for reads");
    }
    if !non_private(mask, TensorOperands::MakeElementAvailableARM) {
        return wrong(3, "MakeElementAvailableARM requires NonPrivateElementARM");
    }
    Ok(())
}

fn query_size(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    if !m.is_int(inst.ty()) {
        return unfit(m, inst, 0, "an integer as Result Type");
    }
    let tensor = ranked(m, inst, 2)?;
    let dimension = inst.operand(3);
    if !ops::is_constant(m.op(dimension)) || !m.is_int(m.type_of(dimension)) {
        return wrong(3, format!("Dimension must be an integer constant, `{}` is not", m.name(dimension)));
    }
    match (rank(m, tensor), m.uint(dimension)) {
        (Some(rank), Some(at)) if at >= rank => {
            wrong(3, format!("dimension {at} is out of range for a tensor of rank {rank}"))
        }
        _ => Ok(()),
    }
}

fn result(m: &RuleContext<'_>, inst: Inst<'_>, op: Op) -> Verdict {
    match m.op(inst.ty()) == op {
        true => Ok(()),
        false if op == Op::TypeTensorViewNV => unfit(m, inst, 0, "a tensor view as Result Type"),
        false => unfit(m, inst, 0, "a tensor layout as Result Type"),
    }
}

/// A layout or view with some 32-bit values set, as many as `needed` says for the number of dimensions.
fn values(m: &RuleContext<'_>, inst: Inst<'_>, op: Op, needed: fn(u64) -> u64) -> Verdict {
    result(m, inst, op)?;
    if m.operand_type(inst, 2) != inst.ty() {
        return unfit(m, inst, 2, &format!("{}, the Result Type", m.type_name(inst.ty())));
    }
    let given = inst.count().saturating_sub(3) as u64;
    let dimensions = m.def(inst.ty()).and_then(|ty| m.uint(ty.operand(1)));
    if let Some(needed) = dimensions.map(needed).filter(|n| *n != given) {
        return wrong(2, format!("{} expects {needed} values, found {given}", inst.op().name()));
    }
    for operand in 3..inst.count() {
        let ty = m.operand_type(inst, operand);
        if !m.is_int(ty) || m.width(ty) != 32 {
            return unfit(m, inst, operand, "a 32-bit integer");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::testing::marks;

    #[test]
    fn coordinates_and_elements_fit_the_tensor() {
        marks(expect![[r#"
            ; target-env: spv1.6
            OpCapability Shader
            OpCapability Linkage
            OpCapability TensorsARM
            OpExtension "SPV_ARM_tensors"
            OpMemoryModel Logical GLSL450
            %void = OpTypeVoid
            %uint = OpTypeInt 32 0
            %float = OpTypeFloat 32
            %1 = OpConstant %uint 1
            %2 = OpConstant %uint 2
            %pair = OpTypeArray %uint %2
            %one = OpTypeArray %uint %1
            %at = OpConstantComposite %pair %1 %1
            %short = OpConstantComposite %one %1
            %tensor = OpTypeTensorARM %float %2
            %pointer = OpTypePointer UniformConstant %tensor
            %variable = OpVariable %pointer UniformConstant
            %fn = OpTypeFunction %void
            %f = OpFunction %void None %fn
            %entry = OpLabel
            %t = OpLoad %tensor %variable
            %a = OpTensorReadARM %float %t %at
            %b = OpTensorReadARM %uint %t %at
            ;                    ^^^^^ error[operand-type]: expected float, the element type of the tensor, as Result Type, found uint
            ;                        = line 8:1: defined here
            %c = OpTensorReadARM %float %t %short
            ;                              ^^^^^^ error[operand-type]: expected an array of integers, one for each dimension of the tensor, found uint[1]
            ;                                   = line 15:1: defined here
            %d = OpTensorQuerySizeARM %uint %t %2
            ;                                  ^^ error[operand-type]: dimension 2 is out of range for a tensor of rank 2
            ;                                   = line 11:1: defined here
            OpTensorWriteARM %t %at %1
            ;                       ^^ error[operand-type]: the element type of the tensor is float, but `%1` is uint
            ;                        = line 10:1: defined here
            OpReturn
            OpFunctionEnd
        "#]]);
    }

    #[test]
    fn only_tensors_with_a_rank_are_read() {
        marks(expect![[r#"
            ; target-env: spv1.6
            OpCapability Shader
            OpCapability Linkage
            OpCapability TensorsARM
            OpExtension "SPV_ARM_tensors"
            OpMemoryModel Logical GLSL450
            %void = OpTypeVoid
            %uint = OpTypeInt 32 0
            %float = OpTypeFloat 32
            %i0 = OpConstant %uint 0
            %1 = OpConstant %uint 1
            %one = OpTypeArray %uint %1
            %at = OpConstantComposite %one %i0
            %unranked = OpTypeTensorARM %float
            %ranked = OpTypeTensorARM %float %1
            %f1 = OpConstant %float 1
            %fn = OpTypeFunction %void
            %f = OpFunction %void None %fn
            %entry = OpLabel
            %u = OpUndef %unranked
            %r = OpUndef %ranked
            %a = OpTensorReadARM %float %u %at
            ;                           ^^ error[operand-type]: expected a tensor with a rank, found tensorarm %unranked
            ;                            = line 20:1: defined here
            %b = OpTensorReadARM %float %r %at
            %c = OpTensorReadARM %float %f1 %at
            ;                           ^^^ error[operand-type]: expected a tensor with a rank, found float
            ;                             = line 16:1: defined here
            OpTensorWriteARM %u %at %f1
            ;                ^^ error[operand-type]: expected a tensor with a rank, found tensorarm %unranked
            ;                 = line 20:1: defined here
            OpTensorWriteARM %r %at %f1
            %d = OpTensorQuerySizeARM %uint %u %i0
            ;                               ^^ error[operand-type]: expected a tensor with a rank, found tensorarm %unranked
            ;                                = line 20:1: defined here
            %e = OpTensorQuerySizeARM %uint %r %i0
            %g = OpTensorQuerySizeARM %uint %r %1
            ;                                  ^^ error[operand-type]: dimension 1 is out of range for a tensor of rank 1
            ;                                   = line 11:1: defined here
            %h = OpTensorQuerySizeARM %float %r %i0
            ;                         ^^^^^^ error[operand-type]: expected an integer as Result Type, found float
            ;                              = line 9:1: defined here
            OpReturn
            OpFunctionEnd
        "#]]);
    }
}
