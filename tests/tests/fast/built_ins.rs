//! Built-ins of Vulkan with each type, storage class and execution model: recorded is what the rules accept.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use expect_test::expect_file;
use wavelens_base::{Dialect, Options};
use wavelens_check::check_text;
use wavelens_syntax::spirv::tables::Kind;

const TYPES: [&str; 14] = [
    "bool", "int", "uint", "long", "uvec2", "uvec3", "uvec4", "float", "vec2", "vec3", "vec4", "uints",
    "uvec3s", "floats4",
];
const MORE_TYPES: [&str; 4] = ["floats2", "mat4x3", "uvec2s", "float_s"];
const MODELS: [&str; 14] = [
    "Vertex",
    "TessellationControl",
    "TessellationEvaluation",
    "Geometry",
    "Fragment",
    "GLCompute",
    "TaskEXT",
    "MeshEXT",
    "RayGenerationKHR",
    "IntersectionKHR",
    "AnyHitKHR",
    "ClosestHitKHR",
    "MissKHR",
    "CallableKHR",
];
const CLASSES: [&str; 2] = ["Input", "Output"];

fn module(built_in: &str, ty: &str, class: &str, model: &str) -> String {
    let modes = match model {
        "Fragment" => "OpExecutionMode %main OriginUpperLeft\nOpExecutionMode %main DepthReplacing\n",
        "GLCompute" | "TaskEXT" => "OpExecutionMode %main LocalSize 1 1 1\n",
        "MeshEXT" => {
            "OpExecutionMode %main LocalSize 1 1 1\nOpExecutionMode %main OutputVertices 3\n\
             OpExecutionMode %main OutputPrimitivesEXT 2\nOpExecutionMode %main OutputTrianglesEXT\n"
        }
        "Geometry" => {
            "OpExecutionMode %main Triangles\nOpExecutionMode %main OutputVertices 3\n\
             OpExecutionMode %main OutputTriangleStrip\n"
        }
        "TessellationControl" => "OpExecutionMode %main OutputVertices 3\n",
        "TessellationEvaluation" => "OpExecutionMode %main Triangles\n",
        _ => "",
    };
    let capabilities: String = [
        "Shader",
        "Geometry",
        "Tessellation",
        "RayTracingKHR",
        "Int64",
        "ClipDistance",
        "CullDistance",
        "SampleRateShading",
        "DrawParameters",
        "MultiView",
        "DeviceGroup",
        "FragmentShadingRateKHR",
        "MultiViewport",
        "GroupNonUniformBallot",
        "FragmentFullyCoveredEXT",
        "FragmentDensityEXT",
        "StencilExportEXT",
        "ShaderLayer",
        "ShaderViewportIndex",
        "FragmentBarycentricKHR",
        "RayCullMaskKHR",
        "CoreBuiltinsARM",
        "ShaderSMBuiltinsNV",
    ]
    .iter()
    .map(|name| format!("OpCapability {name}\n"))
    .collect();
    // It has other rules for what primitives have.
    let mesh = if model.ends_with("EXT") { "OpCapability MeshShadingEXT\n" } else { "" };
    let extensions: String = [
        "KHR_ray_tracing",
        "EXT_mesh_shader",
        "KHR_fragment_shading_rate",
        "EXT_fragment_fully_covered",
        "EXT_fragment_invocation_density",
        "EXT_shader_stencil_export",
        "KHR_fragment_shader_barycentric",
        "KHR_ray_cull_mask",
        "ARM_core_builtins",
        "NV_shader_sm_builtins",
    ]
    .iter()
    .map(|name| format!("OpExtension \"SPV_{name}\"\n"))
    .collect();
    format!(
        "{capabilities}{mesh}{extensions}OpMemoryModel Logical GLSL450\n\
         OpEntryPoint {model} %main \"main\" %v\n{modes}\
         OpDecorate %v BuiltIn {built_in}\n\
         %void = OpTypeVoid\n%bool = OpTypeBool\n%int = OpTypeInt 32 1\n%uint = OpTypeInt 32 0\n\
         %long = OpTypeInt 64 1\n%float = OpTypeFloat 32\n%uvec2 = OpTypeVector %uint 2\n\
         %uvec3 = OpTypeVector %uint 3\n%uvec4 = OpTypeVector %uint 4\n%vec2 = OpTypeVector %float 2\n\
         %vec3 = OpTypeVector %float 3\n%vec4 = OpTypeVector %float 4\n%mat4x3 = OpTypeMatrix %vec3 4\n\
         %c1 = OpConstant %uint 1\n%c2 = OpConstant %uint 2\n%c4 = OpConstant %uint 4\n\
         %uints = OpTypeArray %uint %c1\n%uvec2s = OpTypeArray %uvec2 %c2\n%uvec3s = OpTypeArray %uvec3 %c2\n\
         %floats2 = OpTypeArray %float %c2\n%floats4 = OpTypeArray %float %c4\n%float_s = OpTypeArray %floats2 %c4\n\
         %ptr = OpTypePointer {class} %{ty}\n%v = OpVariable %ptr {class}\n%fn = OpTypeFunction %void\n\
         %main = OpFunction %void None %fn\n%entry = OpLabel\n%use = OpLoad %{ty} %v\nOpReturn\nOpFunctionEnd\n"
    )
}

/// What the rule about built-ins says of a module.
fn messages(text: &str) -> Vec<String> {
    let options = Options { target_env: Some("vulkan1.3".to_owned()), ..Options::default() };
    let findings = check_text(Dialect::Spirv, text, &options).into_iter();
    findings.filter(|finding| finding.rule.code == "built-in").map(|finding| finding.message).collect()
}

#[test]
fn types_classes_and_models_of_built_ins() {
    let mut out = String::new();
    let names: BTreeSet<&str> =
        (0..6000).filter_map(|value| Kind::BuiltIn.valued(value)).map(|entry| entry.name).collect();
    let folder = std::env::var_os("WAVELENS_DUMP");
    for built_in in names {
        let mut all = String::new();
        let mut tried = |ty: &str, class: &str, model: &str| {
            let text = module(built_in, ty, class, model);
            let messages = messages(&text);
            if let Some(folder) = &folder {
                let verdict = if messages.is_empty() { "good" } else { "bad" };
                let name = format!("{built_in}.{ty}.{class}.{model}.{verdict}");
                std::fs::write(Path::new(folder).join(name), text).expect("the folder can be written");
            }
            _ = writeln!(all, "{messages:?}");
            messages
        };
        let fits = |messages: &[String]| !messages.iter().any(|message| message.starts_with("expected "));
        let types = TYPES.into_iter().chain(MORE_TYPES);
        let types: Vec<&str> = types.filter(|ty| fits(&tried(ty, "Input", "Fragment"))).collect();
        let some = types.first().copied().unwrap_or("uint");
        let mut line = format!("{built_in}: {};", types.join(" "));
        for class in CLASSES {
            let models: Vec<&str> =
                MODELS.into_iter().filter(|model| tried(some, class, model).is_empty()).collect();
            let shown = if models.len() == MODELS.len() { "all".to_owned() } else { models.join(" ") };
            _ = write!(line, " {class}: {shown};");
        }
        // The others are of extensions and have no rules.
        if all.lines().any(|messages| messages != "[]") {
            _ = writeln!(out, "{line}");
        }
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/recorded/built-ins.txt");
    expect_file![file].assert_eq(&out);
}
