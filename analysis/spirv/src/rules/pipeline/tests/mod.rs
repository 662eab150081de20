//! Pairs of stages that fit together or not, with what is found.

mod buffers;
mod interfaces;
mod payloads;
mod resources;

use std::fmt::Write as _;

use expect_test::expect;
use wavelens_syntax::spirv::tables::ExecutionModel;

use super::{check_sections, feeds, order};
use crate::scope::model_name;
use wavelens_base::Options;

/// Two stages with a variable each.
pub(super) struct Pair<'t> {
    pub(super) models: [&'t str; 2],
    pub(super) modes: &'t str,
    /// The storage classes of the variables.
    pub(super) classes: [&'t str; 2],
    pub(super) decorations: &'t str,
    pub(super) types: &'t str,
}

pub(super) const TYPES: &str = "%void = OpTypeVoid
%bool = OpTypeBool
%short = OpTypeInt 16 1
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%half = OpTypeFloat 16
%float = OpTypeFloat 32
%double = OpTypeFloat 64
%ivec2 = OpTypeVector %int 2
%vec2 = OpTypeVector %float 2
%vec3 = OpTypeVector %float 3
%vec4 = OpTypeVector %float 4
%dvec2 = OpTypeVector %double 2
%dvec3 = OpTypeVector %double 3
%mat2 = OpTypeMatrix %vec2 2
%mat3x2 = OpTypeMatrix %vec2 3
%mat2x3 = OpTypeMatrix %vec3 2
%u1 = OpConstant %uint 1
%u2 = OpConstant %uint 2
%u3 = OpConstant %uint 3
%spec = OpSpecConstant %uint 3
%floats2 = OpTypeArray %float %u2
%floats3 = OpTypeArray %float %u3
%floats_spec = OpTypeArray %float %spec
%endless = OpTypeRuntimeArray %float
%endless_ints = OpTypeRuntimeArray %int
%s_float = OpTypeStruct %float
%s_int = OpTypeStruct %int
%s_float2 = OpTypeStruct %float %float
%s_mixed = OpTypeStruct %float %vec3
%s_mixed4 = OpTypeStruct %float %vec4
";

impl Pair<'_> {
    /// The messages about two types of the variables, without the related places.
    pub(super) fn found(&self, first: &str, second: &str) -> String {
        let Pair { models, modes, classes, decorations, types } = self;
        let text = format!(
            "; Version: 1.3
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint {} %a \"a\" %first
OpEntryPoint {} %b \"b\" %second
{modes}
{decorations}
{TYPES}{types}
%first_ptr = OpTypePointer {} {first}
%second_ptr = OpTypePointer {} {second}
%first = OpVariable %first_ptr {}
%second = OpVariable %second_ptr {}
%fn = OpTypeFunction %void
%a = OpFunction %void None %fn
%a_entry = OpLabel
%x = OpLoad {first} %first
OpReturn
OpFunctionEnd
%b = OpFunction %void None %fn
%b_entry = OpLabel
%y = OpLoad {second} %second
OpReturn
OpFunctionEnd
",
            models[0], models[1], classes[0], classes[1], classes[0], classes[1]
        );
        let found = check_sections(&text, &Options::default());
        let lines = found.iter().map(|finding| format!("  {}: {}\n", finding.rule.code, finding.message));
        lines.collect()
    }

    /// A line for each of `pairs`, two types with a bar between them, and what is found below it.
    pub(super) fn all(&self, pairs: &[&str]) -> String {
        let mut shown = String::new();
        for pair in pairs {
            let (first, second) = pair.split_once(" | ").unwrap();
            _ = write!(shown, "{pair}\n{}", self.found(first, second));
        }
        shown
    }
}

/// Each model with its place in a pipeline, and those that its outputs can go to.
#[test]
fn stages_follow_each_other() {
    type X = ExecutionModel;
    let models = [
        X::TaskNV,
        X::TaskEXT,
        X::MeshNV,
        X::MeshEXT,
        X::Vertex,
        X::TessellationControl,
        X::TessellationEvaluation,
        X::Geometry,
        X::Fragment,
        X::GLCompute,
    ];
    let shown = models.map(|model| {
        let next = models.iter().filter(|next| feeds(model, **next)).map(|next| model_name(*next));
        format!("{} {}: {}\n", order(model), model_name(model), next.collect::<Vec<_>>().join(" "))
    });
    expect![[r#"
        0 TaskNV: 
        0 TaskEXT: 
        1 MeshNV: Fragment
        1 MeshEXT: Fragment
        2 Vertex: TessellationControl Geometry Fragment
        3 TessellationControl: TessellationEvaluation
        4 TessellationEvaluation: Geometry Fragment
        5 Geometry: Fragment
        6 Fragment: 
        16 GLCompute: 
    "#]]
    .assert_eq(&shown.concat());
}

#[test]
fn huge_types_are_not_counted_out() {
    let nested: String = (0..8).map(|n| format!("%a{} = OpTypeArray %a{n} %many\n", n + 1)).collect();
    for ty in
        ["%a0 = OpTypeStruct", "%a0 = OpTypeVector %float 4294967295", "%a0 = OpTypeVector %bit 4294967295"]
    {
        let types = format!(
            "%float = OpTypeFloat 32\n%bit = OpTypeInt 1 0\n%uint = OpTypeInt 32 0\n%many = OpConstant %uint 4294967295\n{ty}\n{nested}"
        );
        let text = pipeline!("OpDecorate %out Location 0\nOpDecorate %in Location 0", "%a8", "%a8");
        let text = text.replace("%int = OpTypeInt 32 1\n%float = OpTypeFloat 32\n", &types);
        assert!(text.contains("%a8 = OpTypeArray"));
        check_sections(&text, &Options::default());
    }
}
