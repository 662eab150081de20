//! Instructions that only some execution models have: checked against the entry points that reach the function.

use wavelens_syntax::spirv::tables::{Kind, Op};
use wavelens_syntax::wording;

use crate::code::{Id, Inst};
use crate::context::RuleContext;
use crate::flat::NONE;
use crate::scope::{EntryPoint, model_name};
use wavelens_base::{Fault, Severity, Verdict};

wavelens_syntax::rules! {
    EXECUTION_MODEL {
        code: "execution-model",
        severity: Severity::Error,
        title: "an instruction, built-in or storage class is reachable only from entry points whose execution model supports it",
        explain: "The function is called, directly or indirectly, from an entry point of an execution model for which the instruction has no meaning. Move the call or split the function.",
        example: r#"OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
%void = OpTypeVoid
%fn = OpTypeFunction %void
%main = OpFunction %void None %fn
%entry = OpLabel
OpKill
OpFunctionEnd
"#,
        fixed: r#"OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main"
OpExecutionMode %main OriginUpperLeft
%void = OpTypeVoid
%fn = OpTypeFunction %void
%main = OpFunction %void None %fn
%entry = OpLabel
OpKill
OpFunctionEnd
"#,
        source: "SPIR-V specification, section 3.3 (Execution Model); SPIRV-Tools validate_cfg.cpp: \"OpKill requires Fragment execution model\"; VUID-StandaloneSpirv-CallableDataKHR-04704, VUID-StandaloneSpirv-HitAttributeKHR-04701, VUID-StandaloneSpirv-IncomingCallableDataKHR-04705, VUID-StandaloneSpirv-IncomingRayPayloadKHR-04699, VUID-StandaloneSpirv-None-04637, VUID-StandaloneSpirv-None-04640, VUID-StandaloneSpirv-None-04644, VUID-StandaloneSpirv-None-04645, VUID-StandaloneSpirv-None-07321, VUID-StandaloneSpirv-RayPayloadKHR-04698, VUID-StandaloneSpirv-ShaderRecordBufferKHR-07119",
    }
}

/// The function that contains an instruction of the chunk.
pub(super) fn function_of(m: &RuleContext<'_>, inst: Inst<'_>) -> Id {
    if m.is_function() {
        return m.inst(m.first).map_or(NONE, Inst::id);
    }
    for at in (m.first..inst.at).rev() {
        match m.inst(at).map(|i| (i.op(), i.id())) {
            Some((Op::Function, id)) => return id,
            Some((Op::FunctionEnd, _)) => return NONE,
            _ => {}
        }
    }
    NONE
}

/// The entry points that reach the instruction.
pub(super) fn entry_points<'m>(
    m: &'m RuleContext<'_>,
    inst: Inst<'_>,
) -> impl Iterator<Item = &'m EntryPoint> {
    let function = function_of(m, inst);
    let indexes = m.scope.functions.get(&function).map_or(&[][..], |f| f.entry_points.as_slice());
    indexes.iter().filter_map(|e| m.scope.entry_points.get(*e as usize))
}

/// Every entry point that reaches the instruction must be of one of these models.
pub(super) fn require_models(m: &RuleContext<'_>, inst: Inst<'_>, models: &[u32]) -> Verdict {
    require_models_in_vulkan(m, inst, models, "")
}

/// The same for a rule of Vulkan; `vuid` is ` [VUID-...]`.
pub(super) fn require_models_in_vulkan(
    m: &RuleContext<'_>,
    inst: Inst<'_>,
    models: &[u32],
    vuid: &str,
) -> Verdict {
    match entry_points(m, inst).find(|e| !models.contains(&e.model)) {
        None => Ok(()),
        Some(entry) => {
            let names: Vec<&str> = models.iter().map(|x| model_name(*x)).collect();
            let message = format!(
                "{} requires the execution model {}, but is reachable from the {} entry point \"{}\"{vuid}",
                inst.op().name(),
                wording::alternatives(names),
                model_name(entry.model),
                entry.name
            );
            Err(Fault::new(&EXECUTION_MODEL, message).once())
        }
    }
}

/// Every entry point of one of these models that reaches the instruction must have one of these modes.
pub(super) fn require_modes(m: &RuleContext<'_>, inst: Inst<'_>, models: &[u32], modes: &[u32]) -> Verdict {
    let lacks = |e: &&EntryPoint| {
        models.contains(&e.model) && !modes.iter().any(|mode| m.scope.has_mode(e.function, *mode))
    };
    match entry_points(m, inst).find(lacks) {
        None => Ok(()),
        Some(entry) => {
            let names: Vec<&str> =
                modes.iter().filter_map(|x| Kind::ExecutionMode.valued(*x)).map(|e| e.name).collect();
            let message = format!(
                "{} requires the execution mode {} on entry point \"{}\"",
                inst.op().name(),
                wording::alternatives(names),
                entry.name
            );
            Err(Fault::new(&EXECUTION_MODEL, message).once())
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::testing::Shader;

    #[test]
    fn instructions_of_one_stage_stay_in_it() {
        let shader = Shader {
            body: "OpKill
%l2 = OpLabel
%d = OpDPdx %float %f1",
            ..Shader::NEW
        };
        expect![[r#"
            error[execution-model] `OpKill`: OpKill requires the execution model Fragment, but is reachable from the GLCompute entry point "main"
            error[execution-model] `%d = OpDPdx %float %f1`: OpDPdx requires the execution mode DerivativeGroupLinearKHR or DerivativeGroupQuadsKHR on entry point "main"
        "#]].assert_eq(&shader.findings());
    }
}
