//! Types of cooperative matrices and vectors, and of tensors.

use wavelens_syntax::spirv::tables::{Capability, ExecutionMode, Op, Scope as ScopeValue, TensorClampMode};

use super::types::{is_int32, positive_length, wrong};
use crate::Verdict;
use crate::spirv::code::{Id, Inst};
use crate::spirv::context::{Definition, RuleContext};
use crate::spirv::ops;

pub(super) fn check(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    match inst.op() {
        Op::TypeCooperativeMatrixNV | Op::TypeCooperativeMatrixKHR => coop_matrix(m, inst),
        Op::TypeCooperativeVectorNV => {
            if !m.is_int(inst.operand(1)) && !m.is_float(inst.operand(1)) {
                return wrong(1, "Component Type of a cooperative vector must be an integer or float type");
            }
            positive_length(m, inst, 2)
        }
        Op::TypeTensorLayoutNV => {
            tensor_dimension(m, inst)?;
            let clamp = inst.operand(2);
            if !is_int32(m, clamp) {
                return wrong(2, "ClampMode must be a 32-bit integer");
            }
            if m.uint(clamp).is_some_and(|v| v > u64::from(TensorClampMode::RepeatMirrored)) {
                return wrong(2, "unknown ClampMode value");
            }
            Ok(())
        }
        Op::TypeTensorViewNV => tensor_view(m, inst),
        Op::TypeTensorARM => tensor_arm(m, inst),
        _ => Ok(()),
    }
}

fn coop_matrix(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let component = inst.operand(1);
    if !m.is_int(component) && !m.is_float(component) {
        return wrong(1, "Component Type of a cooperative matrix must be an integer or float type");
    }
    if m.is_bfloat16(component) && !m.has_capability(Capability::BFloat16CooperativeMatrixKHR) {
        return wrong(1, "bfloat16 components require the BFloat16CooperativeMatrixKHR capability");
    }
    if m.is_fp8(component) && !m.has_capability(Capability::Float8CooperativeMatrixEXT) {
        return wrong(1, "8-bit float components require the Float8CooperativeMatrixEXT capability");
    }
    let last = if inst.op() == Op::TypeCooperativeMatrixKHR { 5 } else { 4 };
    for operand in 2..=last {
        let id = inst.operand(operand);
        if !m.is_int(m.type_of(id)) || !ops::is_constant(m.op(id)) {
            return wrong(operand, format!("`{}` is not an integer constant", m.name(id)));
        }
    }
    if m.uint(inst.operand(2)) == Some(u64::from(ScopeValue::Workgroup)) {
        for entry in &m.scope.entry_points {
            let size = m
                .scope
                .modes_of(entry.function)
                .iter()
                .rev()
                .find(|(mode, _)| matches!(*mode, ExecutionMode::LocalSize | ExecutionMode::LocalSizeId));
            let Some((_, size)) = size else {
                return wrong(
                    2,
                    "a cooperative matrix of Workgroup scope requires LocalSize or LocalSizeId on every entry point",
                );
            };
            let Some(size) = m.scope.code.inst(*size).filter(|s| s.op() == Op::ExecutionModeId) else {
                continue;
            };
            let late = |id: &Id| matches!(m.definition(*id), Definition::Module(at) if at > inst.at);
            if let Some(id) = (2..5).map(|i| size.operand(i)).find(late) {
                let message = format!(
                    "a cooperative matrix of Workgroup scope must follow the constants of LocalSizeId, `{}`",
                    m.name(id)
                );
                return wrong(2, message);
            }
        }
    }
    Ok(())
}

fn tensor_dimension(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let dim = inst.operand(1);
    if !is_int32(m, dim) {
        return wrong(1, "Dim must be a 32-bit integer");
    }
    match m.uint(dim) {
        Some(0 | 6..) => wrong(1, "Dim must be between 1 and 5"),
        _ => Ok(()),
    }
}

fn tensor_view(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    tensor_dimension(m, inst)?;
    if !m.is_bool(m.type_of(inst.operand(2))) {
        return wrong(2, "HasDimensions must be a Boolean");
    }
    let dims = inst.count().saturating_sub(3) as u64;
    let (mut mask, mut known) = (0u64, true);
    for operand in 3..inst.count() {
        let id = inst.operand(operand);
        if !is_int32(m, id) {
            return wrong(operand, "a permutation value must be a 32-bit integer");
        }
        match m.uint(id) {
            Some(v) if v >= dims => {
                return wrong(operand, "a permutation value must be less than the number of dimensions");
            }
            Some(v) => mask |= 1 << v.min(63),
            None => known = false,
        }
    }
    if known && dims < 64 && mask != (1 << dims) - 1 {
        return wrong(3, "the permutation values must be a permutation of the dimensions");
    }
    match m.uint(inst.operand(1)) {
        Some(n) if n != dims => {
            wrong(1, format!("expected {n} permutation values for {n} dimensions, found {dims}"))
        }
        _ => Ok(()),
    }
}

fn tensor_arm(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    if !m.is_scalar(inst.operand(1)) {
        return wrong(1, "Element Type of a tensor must be a scalar type");
    }
    let Some(rank) = inst.opt_operand(2) else { return Ok(()) };
    if !ops::is_constant(m.op(rank)) || !m.is_int(m.type_of(rank)) {
        return wrong(2, "Rank must be an integer constant");
    }
    let value = m.uint(rank);
    if value == Some(0) {
        return wrong(2, "Rank must be at least 1");
    }
    let Some(shape) = inst.opt_operand(3).and_then(|id| m.def(id)) else { return Ok(()) };
    if !ops::is_constant(shape.op()) {
        return wrong(3, "Shape must be a constant");
    }
    let array = m.def(shape.ty()).filter(|d| d.op() == Op::TypeArray && m.is_int(d.word(2)));
    let length = array.and_then(|a| m.uint(a.word(3)));
    if array.is_none() || value.is_some() && length.is_some() && value != length {
        return wrong(3, "Shape must be an array with an integer for each dimension");
    }
    if (2..shape.count()).any(|i| m.uint(shape.operand(i)) == Some(0)) {
        return wrong(3, "every dimension of Shape must be at least 1");
    }
    Ok(())
}
