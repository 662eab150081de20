//! Tracing rays, reporting hits, calling callables (SPV_KHR_ray_tracing); queries are in [`super::ray_query`].

use wavelens_syntax::spirv::tables::{ExecutionModel, Op, StorageClass};

use super::arithmetics::{unfit, wrong};
use super::execution_limitations::require_models;
use crate::code::{Id, Inst};
use crate::context::RuleContext;
use wavelens_base::Verdict;

/// Types of operands and results of the ray and mesh instructions.
#[derive(Clone, Copy)]
pub(super) enum What {
    Structure,
    Bool,
    I32,
    U32,
    F32,
    F32s(u32),
    /// Four columns of three floats.
    Transform,
    /// A pair of float vectors, or of floats.
    Pair,
}

impl What {
    fn fits(self, m: &RuleContext<'_>, ty: Id) -> bool {
        let narrow = m.width(ty) == 32;
        match self {
            What::Structure => m.op(ty) == Op::TypeAccelerationStructureKHR,
            What::Bool => m.is_bool(ty),
            What::I32 => m.is_int(ty) && narrow,
            What::U32 => m.is_unsigned(ty) && narrow,
            What::F32 => m.is_float(ty) && narrow,
            What::F32s(n) => m.is_float_vector(ty) && m.dimension(ty) == n && narrow,
            What::Transform => m.matrix(ty).is_some_and(|(rows, columns, _, component)| {
                rows == 3 && columns == 4 && m.is_float(component) && m.width(component) == 32
            }),
            What::Pair => {
                let array = m.def(ty).filter(|d| d.op() == Op::TypeArray && m.uint(d.word(3)) == Some(2));
                array.is_some_and(|d| m.is_float_scalar_or_vector(d.word(2)))
            }
        }
    }

    fn name(self) -> String {
        match self {
            What::Structure => "an acceleration structure".to_owned(),
            What::Bool => "a Boolean".to_owned(),
            What::I32 => "a 32-bit integer".to_owned(),
            What::U32 => "a 32-bit unsigned integer".to_owned(),
            What::F32 => "a 32-bit float".to_owned(),
            What::F32s(n) => format!("a vector of {n} 32-bit floats"),
            What::Transform => "a matrix of 4 columns of 3 32-bit floats".to_owned(),
            What::Pair => "an array of two elements".to_owned(),
        }
    }
}

/// Checks operands from `first` on against a list, or the result where `first` is 0 and the instruction has one.
pub(super) fn operands(m: &RuleContext<'_>, inst: Inst<'_>, first: usize, list: &[What]) -> Verdict {
    list.iter().enumerate().try_for_each(|(i, what)| {
        let index = first + i;
        if what.fits(m, m.operand_type(inst, index)) {
            return Ok(());
        }
        let name = inst.op().info().and_then(|info| info.operand_names().nth(index));
        let place = name.map_or_else(|| format!("operand {}", i + 1), str::to_owned);
        unfit(m, inst, index, &format!("{} as {place}", what.name()))
    })
}

/// Checks the result's type.
pub(super) fn result(m: &RuleContext<'_>, inst: Inst<'_>, what: What) -> Verdict {
    if what.fits(m, inst.ty()) {
        return Ok(());
    }
    unfit(m, inst, 0, &format!("{} as Result Type", what.name()))
}

/// An operand that is a variable in one of these storage classes.
pub(super) fn variable(
    m: &RuleContext<'_>,
    inst: Inst<'_>,
    index: usize,
    classes: &[u32],
    what: &str,
) -> Verdict {
    let id = inst.operand(index);
    match m.def(id).filter(|d| d.op() == Op::Variable) {
        Some(def) if classes.contains(&def.operand(2)) => Ok(()),
        _ => wrong(index, format!("`{}` is not a variable for {what}", m.name(id))),
    }
}

pub(super) fn instruction(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    use ExecutionModel as E;
    use What::*;
    match inst.op() {
        Op::TraceRayKHR => {
            require_models(m, inst, &[E::RayGenerationKHR, E::ClosestHitKHR, E::MissKHR])?;
            operands(m, inst, 0, &[Structure, I32, I32, I32, I32, I32, F32s(3), F32, F32s(3), F32])?;
            let classes = [StorageClass::RayPayloadKHR, StorageClass::IncomingRayPayloadKHR];
            variable(m, inst, 10, &classes, "a ray payload")
        }
        Op::ReportIntersectionKHR => {
            require_models(m, inst, &[E::IntersectionKHR])?;
            result(m, inst, Bool)?;
            operands(m, inst, 2, &[F32, U32])
        }
        Op::ExecuteCallableKHR => {
            require_models(m, inst, &[E::RayGenerationKHR, E::ClosestHitKHR, E::MissKHR, E::CallableKHR])?;
            operands(m, inst, 0, &[U32])?;
            let classes = [StorageClass::CallableDataKHR, StorageClass::IncomingCallableDataKHR];
            variable(m, inst, 1, &classes, "callable data")
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::testing::Shader;

    #[test]
    fn only_some_stages_trace_rays() {
        let shader = Shader {
            head: r#"; target-env: vulkan1.3
OpCapability RayTracingKHR
OpExtension "SPV_KHR_ray_tracing""#,
            entry: r#"OpEntryPoint CallableKHR %main "main""#,
            types: "%data = OpTypePointer Private %uint
%v = OpVariable %data Private",
            body: "OpExecuteCallableKHR %u0 %v",
            ..Shader::NEW
        };
        expect![[r#"
            error[interface] `OpEntryPoint CallableKHR %main "main"`: `%v` is used by this entry point but missing from its interface, which since SPIR-V 1.4 lists all global variables; this module is read as version 1.6
              30:1 `%v`: the variable
              fix: Add `%v`
              | OpEntryPoint CallableKHR %main "main" %v
            error[operand-type] `%v`: `%v` is not a variable for callable data
              30:1 `%v`: defined here
        "#]]
        .assert_eq(&shader.findings());
    }
}
