//! Constants (SPIR-V specification, section 3.52.7).

use rustc_hash::FxHashSet;
use wavelens_syntax::spirv::tables::{Capability, Op, StorageClass};
use wavelens_syntax::wording;

use crate::code::{Id, Inst};
use crate::context::RuleContext;
use crate::literal;
use crate::lower::rules::INVALID_LITERAL;
use crate::ops;
use crate::rules::instruction;
use wavelens_base::Severity;
use wavelens_base::{Verdict, fail_at};

wavelens_syntax::rules! {
    CONSTANT_TYPE {
        code: "constant-type",
        severity: Severity::Error,
        title: "a constant has the value and constituents that its type requires",
        explain: "The number and types of the constituents follow from Result Type, and all of them must be constants.",
        example: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%float = OpTypeFloat 32
%bool = OpTypeBool
%true = OpConstantTrue %float
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%float = OpTypeFloat 32
%bool = OpTypeBool
%true = OpConstantTrue %bool
"#,
        source: "SPIR-V specification, Constant-Creation Instructions; SPIRV-Tools validate_constants.cpp: \"is not a boolean type\", \"Constituent\"",
    }
}

fn wrong(operand: usize, message: impl Into<String>) -> Verdict {
    fail_at(&CONSTANT_TYPE, operand, message)
}

pub(super) fn instruction(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    match inst.op() {
        Op::ConstantTrue | Op::ConstantFalse | Op::SpecConstantTrue | Op::SpecConstantFalse
            if !m.is_bool(inst.ty()) =>
        {
            return wrong(0, wording::expected("a Boolean type as Result Type", m.type_name(inst.ty())));
        }
        Op::Constant | Op::SpecConstant => number(m, inst)?,
        Op::ConstantComposite | Op::SpecConstantComposite => composite(m, inst)?,
        Op::ConstantSampler if m.op(inst.ty()) != Op::TypeSampler => {
            return wrong(0, wording::expected("a sampler type as Result Type", m.type_name(inst.ty())));
        }
        Op::ConstantNull if !is_nullable(m, inst.ty()) => {
            let (name, ty) = (m.name(inst.ty()), m.type_name(inst.ty()));
            return wrong(0, format!("the type `{name}`, {ty}, does not have a null value"));
        }
        Op::SpecConstantOp => operation(m, inst)?,
        Op::ConstantDataKHR => data(m, inst)?,
        _ => {}
    }
    if ops::is_constant(inst.op())
        && m.has_capability(Capability::Shader)
        && !m.is_pointer(inst.ty())
        && let Some(capability) = m.missing_arithmetic(inst.ty())
    {
        let what = format!("a constant of {}", m.type_name(inst.ty()));
        return Err(instruction::missing_arithmetic(&CONSTANT_TYPE, 0, &what, capability));
    }
    Ok(())
}

/// The words of an array of integers.
fn data(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let array = inst.ty();
    if m.op(array) != Op::TypeArray || !m.is_int(m.element(array)) {
        return wrong(0, format!("expected an array of integers, found {}", m.type_name(array)));
    }
    let given = inst.count().saturating_sub(2);
    if given == 0 {
        return wrong(0, "expected at least 1 literal".to_owned());
    }
    let Some(length) = m.def(array).and_then(|array| m.const_int32(array.word(3)).1) else { return Ok(()) };
    let bytes = u64::from(length) * u64::from(m.width(m.element(array)) / 8);
    let wanted = bytes.div_ceil(4) as usize;
    match given == wanted {
        true => Ok(()),
        false => wrong(
            0,
            format!(
                "expected {} for {}, found {given}",
                wording::number(wanted, "literals"),
                m.type_name(array)
            ),
        ),
    }
}

/// Words that were injected may make no number of the type.
fn number(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let Some(ty) = m.scope.number_type(inst.ty()) else {
        return wrong(0, format!("{} is not an integer or float type", m.type_name(inst.ty())));
    };
    literal::check_words(inst.operand_words(2), ty).or_else(|message| fail_at(&INVALID_LITERAL, 2, message))
}

fn part(m: &RuleContext<'_>, inst: Inst<'_>, operand: usize, ty: Id) -> Verdict {
    let id = inst.operand(operand);
    if !ops::is_constant_or_undef(m.op(id)) {
        return wrong(operand, format!("`{}` is not a constant", m.name(id)));
    }
    let own = m.type_of(id);
    if own != ty {
        let (ty, own) = m.type_names(ty, own);
        return wrong(operand, format!("expected {ty}, but `{}` is {own}", m.name(id)));
    }
    Ok(())
}

fn count(m: &RuleContext<'_>, inst: Inst<'_>, parts: u64) -> Verdict {
    let given = inst.count().saturating_sub(2) as u64;
    if given == parts {
        return Ok(());
    }
    wrong(
        0,
        format!(
            "expected {} for {}, found {given}",
            wording::number(parts as usize, "constituents"),
            m.type_name(inst.ty())
        ),
    )
}

fn composite(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let Some(ty) = m.def(inst.ty()) else { return Ok(()) };
    let parts = 2..inst.count();
    match ty.op() {
        Op::TypeVector => {
            count(m, inst, u64::from(ty.word(3)))?;
            parts.clone().try_for_each(|i| part(m, inst, i, ty.word(2)))
        }
        Op::TypeVectorIdEXT => {
            if let (_, Some(n)) = m.const_int32(ty.word(3)) {
                count(m, inst, u64::from(n))?;
            }
            parts.clone().try_for_each(|i| part(m, inst, i, ty.word(2)))
        }
        Op::TypeMatrix => {
            count(m, inst, u64::from(ty.word(3)))?;
            let column = ty.word(2);
            for i in parts {
                let id = inst.operand(i);
                if !ops::is_constant_or_undef(m.op(id)) {
                    return wrong(i, format!("`{}` is not a constant", m.name(id)));
                }
                let own = m.type_of(id);
                let fits = m.is_vector(own)
                    && m.element(own) == m.element(column)
                    && m.dimension(own) == m.dimension(column);
                if !fits {
                    return wrong(
                        i,
                        format!(
                            "`{}` is {}, but a column is {}",
                            m.name(id),
                            m.type_name(own),
                            m.type_name(column)
                        ),
                    );
                }
            }
            Ok(())
        }
        Op::TypeArray => {
            if let (true, Some(n)) = m.const_int32(ty.word(3)) {
                count(m, inst, u64::from(n))?;
            }
            parts.clone().try_for_each(|i| part(m, inst, i, ty.word(2)))
        }
        Op::TypeStruct => {
            let members = m.members(inst.ty());
            count(m, inst, members.len() as u64)?;
            members.iter().enumerate().try_for_each(|(i, member)| part(m, inst, i + 2, *member))
        }
        Op::TypeCooperativeMatrixKHR | Op::TypeCooperativeMatrixNV => {
            count(m, inst, 1)?;
            part(m, inst, 2, ty.word(2))
        }
        Op::TypeTensorARM if ty.words().len() == 5 => tensor(m, inst, ty),
        op if ops::is_composite(op) => Ok(()),
        _ => wrong(0, format!("{} is not a composite type", m.type_name(inst.ty()))),
    }
}

fn tensor(m: &RuleContext<'_>, inst: Inst<'_>, ty: Inst<'_>) -> Verdict {
    let shape = m.def(ty.operand(3));
    if let Some(n) = shape.and_then(|s| m.uint(s.operand(2))) {
        count(m, inst, n)?;
    }
    let rank = m.uint(ty.operand(2)).unwrap_or(0);
    for i in 2..inst.count() {
        let id = inst.operand(i);
        if !ops::is_constant_or_undef(m.op(id)) {
            return wrong(i, format!("`{}` is not a constant", m.name(id)));
        }
        if rank == 1 {
            part(m, inst, i, ty.operand(1))?;
        } else if rank > 1 {
            let Some(own) = m.def(m.type_of(id)) else { continue };
            let fits = own.op() == Op::TypeTensorARM
                && own.operand(1) == ty.operand(1)
                && m.uint(own.operand(2)).is_none_or(|r| r == rank - 1);
            if !fits {
                return wrong(i, format!("`{}` is not a tensor with one dimension less", m.name(id)));
            }
            let (Some(outer), Some(inner)) = (shape, m.def(own.operand(3))) else { continue };
            for d in 2..inner.count() {
                let (own, needed) = (m.uint(inner.operand(d)), m.uint(outer.operand(d + 1)));
                if own.is_some() && needed.is_some() && own != needed {
                    return wrong(
                        i,
                        format!("the shape of `{}` differs from that of the tensor", m.name(id)),
                    );
                }
            }
        }
    }
    Ok(())
}

/// Whether a type has a null value. Each type is looked into once, however often it is used.
fn is_nullable(m: &RuleContext<'_>, ty: Id) -> bool {
    let (mut work, mut seen) = (vec![ty], FxHashSet::default());
    while let Some(ty) = work.pop() {
        if !seen.insert(ty) {
            continue;
        }
        let Some(def) = m.def(ty) else { return false };
        match def.op() {
            Op::TypeBool
            | Op::TypeInt
            | Op::TypeFloat
            | Op::TypeEvent
            | Op::TypeDeviceEvent
            | Op::TypeReserveId
            | Op::TypeQueue => {}
            Op::TypeArray
            | Op::TypeMatrix
            | Op::TypeCooperativeMatrixNV
            | Op::TypeCooperativeMatrixKHR
            | Op::TypeVectorIdEXT
            | Op::TypeVector => work.push(def.word(2)),
            Op::TypeStruct => work.extend(m.members(ty)),
            Op::TypePointer | Op::TypeUntypedPointerKHR
                if def.word(2) != StorageClass::PhysicalStorageBuffer => {}
            Op::TypeTensorARM if def.words().len() > 4 => work.push(def.word(2)),
            _ => return false,
        }
    }
    true
}

fn operation(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let op = Op(inst.operand(2) as u16);
    let kernel = !m.lacks_capability(Capability::Kernel);
    match op {
        Op::QuantizeToF16 if m.lacks_capability(Capability::Shader) => {
            wrong(2, "QuantizeToF16 in OpSpecConstantOp requires the Shader capability")
        }
        Op::UConvert if !m.scope.features.uconvert_spec_constant_op && !kernel => {
            wrong(2, "before SPIR-V 1.4, UConvert in OpSpecConstantOp requires the Kernel capability")
        }
        Op::ConvertFToS
        | Op::ConvertSToF
        | Op::ConvertFToU
        | Op::ConvertUToF
        | Op::ConvertPtrToU
        | Op::ConvertUToPtr
        | Op::GenericCastToPtr
        | Op::PtrCastToGeneric
        | Op::Bitcast
        | Op::FNegate
        | Op::FAdd
        | Op::FSub
        | Op::FMul
        | Op::FDiv
        | Op::FRem
        | Op::FMod
        | Op::AccessChain
        | Op::InBoundsAccessChain
        | Op::PtrAccessChain
        | Op::InBoundsPtrAccessChain
            if !kernel =>
        {
            wrong(2, format!("{} in OpSpecConstantOp requires the Kernel capability", op.name()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
