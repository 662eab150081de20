//! Recursion outside of Vulkan, which has a rule of its own.

use crate::context::RuleContext;
use crate::rules::decorations::{Found, ModuleFinding};
use wavelens_base::Severity;

wavelens_syntax::rules! {
    RECURSION {
        code: "recursion",
        severity: Severity::Warning,
        title: "the calls of an entry point do not form a cycle",
        explain: "Devices have no stack that grows: functions are inlined, or their memory is counted in advance. The reference validator checks this for Vulkan only, where it is an error of the code `entry-point`.\n\nSwitch it off for consumers that support recursion.",
        example: r#"OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%main = OpFunction %void None %fn
%a = OpLabel
%x = OpFunctionCall %void %f
OpReturn
OpFunctionEnd
%f = OpFunction %void None %fn
%b = OpLabel
%y = OpFunctionCall %void %f
OpReturn
OpFunctionEnd
"#,
        fixed: r#"OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%main = OpFunction %void None %fn
%a = OpLabel
%x = OpFunctionCall %void %f
OpReturn
OpFunctionEnd
%f = OpFunction %void None %fn
%b = OpLabel
OpReturn
OpFunctionEnd
"#,
        source: "SPIR-V specification, section 2.16.1 (Universal Validation Rules): the static function-call graph for an entry point must not contain cycles",
    }
}

pub(super) fn module(m: &RuleContext<'_>, found: &mut Found) {
    if m.scope.env.is_vulkan() {
        return;
    }
    for entry in &m.scope.entry_points {
        let Some(function) = m.scope.functions.get(&entry.function) else { continue };
        if function.is_recursive {
            let message = format!("the calls of the entry point `{}` form a cycle", m.name(entry.function));
            let finding =
                ModuleFinding { operand: Some(1), ..ModuleFinding::new(entry.inst, &RECURSION, message) };
            found.add(finding.related(m.scope.defs.get(entry.function as usize).copied(), "the function"));
        }
    }
}
