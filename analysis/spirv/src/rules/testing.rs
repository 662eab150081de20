//! The findings about a few lines of a module, for the `expect!` tests next to the rules.

use wavelens_base::Dialect;
use wavelens_check::testing;

/// Checks a module and compares its marks: the text is both input and expected value ([`testing::marked`]).
#[track_caller]
pub(crate) fn marks(text: expect_test::Expect) {
    testing::marks(Dialect::Spirv, text.data(), |marked| text.assert_eq(marked));
}

/// Findings about a text.
pub(crate) fn findings(text: &str) -> String {
    testing::findings(Dialect::Spirv, text)
}

const ENTRY: &str = "OpEntryPoint GLCompute %main \"main\"
OpExecutionMode %main LocalSize 1 1 1";

const TYPES: &str = "%void = OpTypeVoid
%bool = OpTypeBool
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%ivec2 = OpTypeVector %int 2
%vec2 = OpTypeVector %float 2
%vec3 = OpTypeVector %float 3
%vec4 = OpTypeVector %float 4
%mat2 = OpTypeMatrix %vec2 2
%true = OpConstantTrue %bool
%i0 = OpConstant %int 0
%i1 = OpConstant %int 1
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u2 = OpConstant %uint 2
%u3 = OpConstant %uint 3
%f1 = OpConstant %float 1
%v2 = OpConstantComposite %vec2 %f1 %f1
%v4 = OpConstantComposite %vec4 %f1 %f1 %f1 %f1
%m2 = OpConstantComposite %mat2 %v2 %v2
%fn = OpTypeFunction %void";

/// A module for a shader: its first lines, its types, and the body of its only function.
pub(crate) struct Shader<'t> {
    /// Comments, capabilities (`Shader` without others) and extensions.
    pub(crate) head: &'t str,
    /// The entry point `%main` and its execution modes: a compute shader's, if nothing else is said.
    pub(crate) entry: &'t str,
    /// Names and decorations.
    pub(crate) annotations: &'t str,
    pub(crate) types: &'t str,
    pub(crate) body: &'t str,
}

impl Shader<'_> {
    pub(crate) const NEW: Self = Shader { head: "", entry: ENTRY, annotations: "", types: "", body: "" };

    /// The findings with a code.
    pub(crate) fn findings_of(&self, code: &str) -> String {
        let code = format!("[{code}]");
        self.findings().split_inclusive('\n').filter(|line| line.contains(&code)).collect()
    }

    /// Findings, without their line numbers, which the frame around the lines makes meaningless.
    pub(crate) fn findings(&self) -> String {
        let Shader { head, entry, annotations, types, body } = self;
        // Later versions want all variables listed in the entry point.
        let env = if head.contains("target-env") { "" } else { "; target-env: spv1.3\n" };
        let shader = if head.contains("OpCapability") { "" } else { "\nOpCapability Shader" };
        let model = if head.contains("VulkanMemoryModel") { "Vulkan" } else { "GLSL450" };
        let text = format!(
            "{env}{head}{shader}\nOpMemoryModel Logical {model}\n{entry}\n{annotations}\n{TYPES}\n{types}\n%main = OpFunction %void None %fn\n%entry = OpLabel\n{body}\nOpReturn\nOpFunctionEnd\n"
        );
        let mut out = String::new();
        for line in findings(&text).lines() {
            let place = line.split_once("] ").and_then(|(code, rest)| Some((code, rest.split_once(' ')?.1)));
            match place {
                Some((code, rest)) => out.push_str(&format!("{code}] {rest}\n")),
                None => out.push_str(&format!("{line}\n")),
            }
        }
        out
    }
}
