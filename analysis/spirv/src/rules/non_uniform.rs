//! Group operations (SPIR-V specification, section 3.52.24).

use wavelens_syntax::spirv::tables::{GroupOperation, Op};

use super::arithmetics::{unfit, wrong};
use super::scopes::{self, is_non_uniform};
use crate::code::{Id, Inst};
use crate::context::RuleContext;
use crate::ops;
use wavelens_base::Verdict;

fn is_value(m: &RuleContext<'_>, ty: Id) -> bool {
    m.is_float_scalar_or_vector(ty) || m.is_int_scalar_or_vector(ty) || m.is_bool_scalar_or_vector(ty)
}

fn is_ballot(m: &RuleContext<'_>, ty: Id) -> bool {
    m.is_unsigned_vector(ty) && m.dimension(ty) == 4
}

pub(super) fn instruction(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let op = inst.op();
    if !is_non_uniform(op) {
        return Ok(());
    }
    if !matches!(op, Op::GroupNonUniformQuadAllKHR | Op::GroupNonUniformQuadAnyKHR) {
        scopes::execution(m, inst, 2)?;
    }
    let result = inst.ty();
    let ty = |i: usize| m.operand_type(inst, i);
    let need =
        |fits: bool, operand: usize, what: &str| if fits { Ok(()) } else { unfit(m, inst, operand, what) };
    let boolean = || need(m.is_bool(result), 0, "a Boolean as Result Type");
    let same = |i: usize| need(ty(i) == result, i, &format!("{}, the Result Type", m.type_name(result)));
    let ballot = |i: usize| need(is_ballot(m, ty(i)), i, "a vector of 4 unsigned integers");
    match op {
        Op::GroupNonUniformElect => boolean(),
        Op::GroupNonUniformAny | Op::GroupNonUniformAll => {
            boolean()?;
            need(m.is_bool(ty(3)), 3, "a Boolean")
        }
        Op::GroupNonUniformAllEqual => {
            boolean()?;
            need(is_value(m, ty(3)), 3, "a scalar or vector")
        }
        Op::GroupNonUniformBroadcast
        | Op::GroupNonUniformShuffle
        | Op::GroupNonUniformShuffleXor
        | Op::GroupNonUniformShuffleUp
        | Op::GroupNonUniformShuffleDown
        | Op::GroupNonUniformQuadBroadcast
        | Op::GroupNonUniformQuadSwap => {
            need(is_value(m, result), 0, "a scalar or vector as Result Type")?;
            same(3)?;
            need(m.is_unsigned(ty(4)), 4, "an unsigned integer")?;
            let constant = op == Op::GroupNonUniformQuadSwap
                || matches!(op, Op::GroupNonUniformBroadcast | Op::GroupNonUniformQuadBroadcast)
                    && m.scope.version < 0x10500;
            if constant && !ops::is_constant(m.op(inst.operand(4))) {
                return wrong(4, "before SPIR-V 1.5, this operand must be a constant");
            }
            Ok(())
        }
        Op::GroupNonUniformBroadcastFirst => {
            need(is_value(m, result), 0, "a scalar or vector as Result Type")?;
            same(3)
        }
        Op::GroupNonUniformBallot => {
            need(is_ballot(m, result), 0, "a vector of 4 unsigned integers as Result Type")?;
            need(m.is_bool(ty(3)), 3, "a Boolean")
        }
        Op::GroupNonUniformInverseBallot => {
            boolean()?;
            ballot(3)
        }
        Op::GroupNonUniformBallotBitExtract => {
            boolean()?;
            ballot(3)?;
            need(m.is_unsigned(ty(4)), 4, "an unsigned integer")
        }
        Op::GroupNonUniformBallotBitCount => {
            need(m.is_unsigned(result), 0, "an unsigned integer as Result Type")?;
            ballot(4)?;
            let known = inst.operand(3) <= GroupOperation::ExclusiveScan;
            if m.scope.env.is_vulkan() && !known {
                return wrong(
                    3,
                    "in Vulkan, the group operation must be Reduce, InclusiveScan or ExclusiveScan [VUID-StandaloneSpirv-OpGroupNonUniformBallotBitCount-04685]",
                );
            }
            Ok(())
        }
        Op::GroupNonUniformBallotFindLSB | Op::GroupNonUniformBallotFindMSB => {
            need(m.is_unsigned(result), 0, "an unsigned integer as Result Type")?;
            ballot(3)
        }
        Op::GroupNonUniformRotateKHR => {
            need(is_value(m, result), 0, "a scalar or vector as Result Type")?;
            same(3)?;
            need(m.is_unsigned(ty(4)), 4, "an unsigned integer")?;
            if inst.count() > 5 {
                cluster_size(m, inst)?;
                if m.uint(inst.operand(5)).is_some_and(|n| !n.is_power_of_two()) {
                    return wrong(5, "ClusterSize must be a power of 2");
                }
            }
            Ok(())
        }
        _ if (Op::GroupNonUniformIAdd.0..=Op::GroupNonUniformLogicalXor.0).contains(&op.0) => {
            arithmetic(m, inst)
        }
        _ => Ok(()),
    }
}

fn cluster_size(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    if !m.is_unsigned(m.operand_type(inst, 5)) {
        return unfit(m, inst, 5, "an unsigned integer as ClusterSize");
    }
    if !ops::is_constant(m.op(inst.operand(5))) {
        return wrong(5, "ClusterSize must be a constant");
    }
    Ok(())
}

fn arithmetic(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let result = inst.ty();
    let (fits, needed) = match inst.op() {
        Op::GroupNonUniformFAdd
        | Op::GroupNonUniformFMul
        | Op::GroupNonUniformFMin
        | Op::GroupNonUniformFMax => {
            (m.is_float_scalar_or_vector(result), "a float scalar or vector as Result Type")
        }
        Op::GroupNonUniformLogicalAnd | Op::GroupNonUniformLogicalOr | Op::GroupNonUniformLogicalXor => {
            (m.is_bool_scalar_or_vector(result), "a Boolean or vector of Booleans as Result Type")
        }
        Op::GroupNonUniformUMin | Op::GroupNonUniformUMax => {
            (m.is_unsigned_scalar_or_vector(result), "an unsigned integer scalar or vector as Result Type")
        }
        _ => (m.is_int_scalar_or_vector(result), "an integer scalar or vector as Result Type"),
    };
    if !fits {
        return unfit(m, inst, 0, needed);
    }
    if m.operand_type(inst, 4) != result {
        return unfit(m, inst, 4, &format!("{}, the Result Type", m.type_name(result)));
    }
    let group = inst.operand(3);
    let partitioned = matches!(
        group,
        GroupOperation::PartitionedReduceNV
            | GroupOperation::PartitionedInclusiveScanNV
            | GroupOperation::PartitionedExclusiveScanNV
    );
    if inst.count() <= 5 {
        return match group {
            GroupOperation::ClusteredReduce => {
                wrong(3, "missing ClusterSize, which ClusteredReduce requires")
            }
            _ if partitioned => wrong(3, "missing Ballot, which a partitioned operation requires"),
            _ => Ok(()),
        };
    }
    if partitioned {
        let ty = m.operand_type(inst, 5);
        if !m.is_int_scalar_or_vector(ty) || m.dimension(ty) != 4 {
            return unfit(m, inst, 5, "a vector of 4 integers as Ballot");
        }
        return Ok(());
    }
    cluster_size(m, inst)
}

#[cfg(test)]
mod tests;
