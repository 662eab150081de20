//! Fast math by default (SPV_KHR_float_controls2): old ways to say it must not meet it.

use rustc_hash::FxHashSet;
use wavelens_syntax::spirv::tables::{Decoration, ExecutionMode, FPFastMathMode, Op};

use super::execution_limitations::entry_points;
use super::mode_setting::EXECUTION_MODE;
use crate::code::{Id, Inst};
use crate::context::RuleContext;
use crate::flat::NONE;
use wavelens_base::{Verdict, fail};

pub(super) fn instruction(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let own = (inst.id() != NONE).then(|| old_way(m, inst.id())).flatten();
    // A constant carries its decoration to where it is used.
    let Some(old) = own.or_else(|| inst.ids().find_map(|(_, _, id)| of_constant(m, id))) else {
        return Ok(());
    };
    for entry in entry_points(m, inst) {
        if m.scope.has_mode(entry.function, ExecutionMode::FPFastMathDefault) {
            return fail(
                &EXECUTION_MODE,
                format!(
                    "{old} is reachable from entry point \"{}\", which has FPFastMathDefault",
                    entry.name
                ),
            );
        }
    }
    Ok(())
}

fn old_way(m: &RuleContext<'_>, id: Id) -> Option<&'static str> {
    m.decorations(id).iter().filter(|d| d.member.is_none()).find_map(|d| match d.kind {
        Decoration::NoContraction => Some("NoContraction"),
        Decoration::FPFastMathMode => {
            let mask = m.scope.params(d).first().copied().unwrap_or(0);
            (mask & FPFastMathMode::Fast != 0).then_some("FPFastMathMode Fast")
        }
        _ => None,
    })
}

/// What decorates a module's constant or one that it is made of.
fn of_constant(m: &RuleContext<'_>, id: Id) -> Option<&'static str> {
    let (mut work, mut seen) = (vec![id], FxHashSet::default());
    while let Some(id) = work.pop() {
        let is_composed = |op: Op| matches!(op, Op::SpecConstantOp | Op::SpecConstantComposite);
        let Some(def) = m.def(id).filter(|d| is_composed(d.op()) && seen.insert(id)) else { continue };
        if let Some(found) = old_way(m, id) {
            return Some(found);
        }
        work.extend(def.ids().map(|(_, _, part)| part));
    }
    None
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::testing::marks;

    #[test]
    fn a_call_or_a_constant_brings_the_old_decoration() {
        marks(expect![[r#"
            ; target-env: spv1.3
            OpCapability Kernel
            OpCapability Shader
            OpCapability Addresses
            OpCapability FloatControls2
            OpExtension "SPV_KHR_float_controls2"
            OpMemoryModel Physical64 OpenCL
            OpEntryPoint Kernel %main "main"
            OpExecutionModeId %main FPFastMathDefault %float %none
            OpDecorate %fast FPFastMathMode Fast
            OpDecorate %add NoContraction
            OpDecorate %apart NoContraction
            %void = OpTypeVoid
            %int = OpTypeInt 32 0
            %none = OpConstant %int 0
            %float = OpTypeFloat 32
            %zero = OpConstant %float 0
            %fast = OpSpecConstantOp %float FAdd %zero %zero
            %fn = OpTypeFunction %void
            %main = OpFunction %void None %fn
            %entry = OpLabel
            %call = OpFunctionCall %void %callee
            OpReturn
            OpFunctionEnd
            %callee = OpFunction %void None %fn
            %begin = OpLabel
            %add = OpFAdd %float %zero %zero
            ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[execution-mode]: NoContraction is reachable from entry point "main", which has FPFastMathDefault
            %mul = OpFMul %float %zero %fast
            ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[execution-mode]: FPFastMathMode Fast is reachable from entry point "main", which has FPFastMathDefault
            OpReturn
            OpFunctionEnd
            %uncalled = OpFunction %void None %fn
            %start = OpLabel
            %apart = OpFAdd %float %zero %zero
            OpReturn
            OpFunctionEnd
        "#]]);
    }
}
