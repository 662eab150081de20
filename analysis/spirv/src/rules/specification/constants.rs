//! Specialization constants: composites that contain them, identifiers given twice, and the operands of OpSpecConstantOp.

use rustc_hash::FxHashMap;
use wavelens_syntax::spirv::tables::{Capability, Decoration, Op};

use crate::code::{Id, Inst};
use crate::context::RuleContext;
use crate::ops;
use crate::rules::decorations::{Found, ModuleFinding};
use wavelens_base::{Severity, Verdict, fail, fail_at};

wavelens_syntax::rules! {
    SPECIALIZATION {
        code: "specialization-constant",
        severity: Severity::Warning,
        title: "specialization constants are declared so that they can be specialized",
        explain: "A composite with a specialization constant in it is an OpSpecConstantComposite: a consumer may fold an OpConstantComposite before it specializes. Two constants with one SpecId get one value. An OpSpecConstantOp follows the rules of the instruction that it names, of which the reference validator checks few.\n\nSwitch it off for consumers that specialize first.",
        example: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
OpDecorate %size SpecId 0
%int = OpTypeInt 32 0
%pair = OpTypeVector %int 2
%size = OpSpecConstant %int 1
%both = OpConstantComposite %pair %size %size
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
OpDecorate %size SpecId 0
%int = OpTypeInt 32 0
%pair = OpTypeVector %int 2
%size = OpSpecConstant %int 1
%both = OpSpecConstantComposite %pair %size %size
"#,
        source: "SPIR-V specification, section 2.12 (Specialization), OpConstantComposite, OpSpecConstantComposite and OpSpecConstantOp",
    }
}

pub(super) fn check(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    match inst.op() {
        Op::ConstantComposite => {
            for operand in 2..inst.count() {
                let constituent = inst.operand(operand);
                if ops::is_spec_constant(m.op(constituent)) {
                    let message = format!(
                        "`{}` is a specialization constant: the composite must be an OpSpecConstantComposite",
                        m.name(constituent)
                    );
                    return fail_at(&SPECIALIZATION, operand, message);
                }
            }
            Ok(())
        }
        Op::SpecConstantOp => operation(m, inst),
        _ => Ok(()),
    }
}

/// Identifiers that two constants have.
pub(super) fn module(m: &RuleContext<'_>, found: &mut Found) {
    let mut seen: FxHashMap<u32, (Id, u32)> = FxHashMap::default();
    for inst in m.scope.code.iter().filter(|inst| inst.is_whole() && inst.op() == Op::Decorate) {
        if inst.operand(1) != Decoration::SpecId {
            continue;
        }
        let Some(number) = inst.opt_operand(2) else { continue };
        match seen.get(&number) {
            Some((other, at)) if *other != inst.operand(0) => {
                let message = format!(
                    "`{}` has the SpecId {number} of `{}`: both get the same value",
                    m.name(inst.operand(0)),
                    m.name(*other)
                );
                let finding = ModuleFinding::new(inst.at, &SPECIALIZATION, message);
                found.add(finding.related(Some(*at), "the other constant"));
            }
            Some(_) => {}
            None => {
                seen.insert(number, (inst.operand(0), inst.at));
            }
        }
    }
}

/// What the types of an operation must be.
fn operation(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let Some(op) = inst.opt_operand(2).and_then(|number| u16::try_from(number).ok()).map(Op) else {
        return Ok(());
    };
    let result = inst.ty();
    let ty = |n: usize| m.type_of(inst.operand(3 + n));
    let known = (3..inst.count()).all(|n| m.def(m.type_of(inst.operand(n))).is_some());
    if !known || m.def(result).is_none() {
        return Ok(());
    }
    let name = op.name();
    let wrong = |n: usize, wanted: &str| {
        let message = format!("{name} expects {wanted}, found {}", m.type_name(ty(n)));
        fail_at(&SPECIALIZATION, 3 + n, message)
    };
    let result_is = |wanted: &str| {
        let message = format!("{name} gives {wanted}, not {}", m.type_name(result));
        fail(&SPECIALIZATION, message)
    };
    let is_int = |ty| m.is_int_scalar_or_vector(ty);
    let is_float = |ty| m.is_float_scalar_or_vector(ty);
    let is_bool = |ty| m.is_bool_scalar_or_vector(ty);
    let operands = inst.count().saturating_sub(3);
    let all = |fits: &dyn Fn(Id) -> bool, wanted: &str, count: usize| {
        (0..count.min(operands)).try_for_each(|n| if fits(ty(n)) { Ok(()) } else { wrong(n, wanted) })
    };
    match op {
        Op::SNegate
        | Op::Not
        | Op::IAdd
        | Op::ISub
        | Op::IMul
        | Op::UDiv
        | Op::SDiv
        | Op::UMod
        | Op::SRem
        | Op::SMod
        | Op::ShiftRightLogical
        | Op::ShiftRightArithmetic
        | Op::ShiftLeftLogical
        | Op::BitwiseOr
        | Op::BitwiseXor
        | Op::BitwiseAnd => {
            if !is_int(result) {
                return result_is("an integer");
            }
            all(&is_int, "integers", 2)?;
            (0..2.min(operands)).try_for_each(|n| {
                if m.dimension(ty(n)) == m.dimension(result) {
                    Ok(())
                } else {
                    wrong(n, &format!("as many components as {}", m.type_name(result)))
                }
            })
        }
        Op::LogicalOr | Op::LogicalAnd | Op::LogicalNot | Op::LogicalEqual | Op::LogicalNotEqual => {
            if !is_bool(result) {
                return result_is("a Boolean");
            }
            all(&is_bool, "Booleans", 2)
        }
        Op::IEqual
        | Op::INotEqual
        | Op::ULessThan
        | Op::SLessThan
        | Op::UGreaterThan
        | Op::SGreaterThan
        | Op::ULessThanEqual
        | Op::SLessThanEqual
        | Op::UGreaterThanEqual
        | Op::SGreaterThanEqual => {
            if !is_bool(result) {
                return result_is("a Boolean");
            }
            all(&is_int, "integers", 2)
        }
        Op::Select => {
            if !is_bool(ty(0)) {
                return wrong(0, "a Boolean as Condition");
            }
            (1..3.min(operands)).try_for_each(|n| {
                if ty(n) == result {
                    Ok(())
                } else {
                    wrong(n, &format!("{}, the Result Type", m.type_name(result)))
                }
            })
        }
        Op::QuantizeToF16 => {
            if !is_float(result) || m.width(result) != 32 {
                return result_is("a 32-bit float");
            }
            if ty(0) == result {
                Ok(())
            } else {
                wrong(0, &format!("{}, the Result Type", m.type_name(result)))
            }
        }
        Op::SConvert | Op::UConvert => {
            if !is_int(result) {
                return result_is("an integer");
            }
            all(&is_int, "an integer", 1)
        }
        Op::FConvert => {
            if !is_float(result) {
                return result_is("a float");
            }
            all(&is_float, "a float", 1)
        }
        Op::FNegate | Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FRem | Op::FMod
            if m.has_capability(Capability::Kernel) =>
        {
            if !is_float(result) {
                return result_is("a float");
            }
            all(&is_float, "floats", 2)
        }
        _ => Ok(()),
    }
}
