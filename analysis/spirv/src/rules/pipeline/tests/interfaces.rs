//! Outputs and the inputs of the next stage: locations, decorations, built-ins.

use std::fmt::Write as _;

use expect_test::expect;

use super::Pair;

fn between(models: [&str; 2], decorations: &str, pairs: &[&str]) -> String {
    let decorations =
        format!("{decorations}\nOpDecorate %B1 Block\nOpDecorate %B2 Block\nOpDecorate %B3 Block");
    let types = "%B1 = OpTypeStruct %float
%B2 = OpTypeStruct %float %vec2
%B3 = OpTypeStruct %vec2 %float
%blocks = OpTypeArray %B2 %u2
%vec3s = OpTypeArray %vec3 %u3
%mat2s = OpTypeArray %mat2 %u2
%ints3 = OpTypeArray %int %u3
%floats2s = OpTypeArray %floats2 %u3";
    let pair = Pair { models, modes: "", classes: ["Output", "Input"], decorations: &decorations, types };
    pair.all(pairs)
}

#[test]
fn inputs_are_the_outputs_at_their_locations() {
    let pairs = &[
        "%float | %float",
        "%float | %int",
        "%int | %uint",
        "%half | %float",
        "%vec4 | %vec3",
        "%vec3 | %vec4",
        "%vec2 | %ivec2",
        "%double | %double",
        "%double | %vec2",
        "%dvec2 | %vec4",
        "%dvec3 | %dvec2",
        "%dvec2 | %dvec3",
        "%mat2 | %mat2",
        "%mat2 | %mat3x2",
        "%mat3x2 | %mat2",
        "%mat2x3 | %mat2",
        "%floats3 | %floats2",
        "%floats2 | %floats3",
        "%floats_spec | %floats2",
        "%mat2s | %mat2",
        "%mat2 | %mat2s",
        "%B1 | %B1",
        "%B1 | %B2",
        "%B2 | %B1",
        "%B2 | %B3",
        "%blocks | %B2",
        "%B2 | %blocks",
        "%s_float2 | %s_float",
        "%s_mixed | %s_float2",
        "%vec3s | %floats3",
        "%bool | %float",
    ];
    let at = "OpDecorate %first Location 1\nOpDecorate %second Location 1";
    expect![[r#"
        %float | %float
        %float | %int
          stage-type: input `%second` at location 1 has type int, output `%first` at location 1 has type float [VUID-RuntimeSpirv-OpEntryPoint-07754]
        %int | %uint
          stage-type: input `%second` at location 1 has type uint, output `%first` at location 1 has type int
        %half | %float
          stage-type: input `%second` at location 1 has type float, output `%first` at location 1 has type float16_t [VUID-RuntimeSpirv-OpEntryPoint-07754]
        %vec4 | %vec3
        %vec3 | %vec4
          stage-input: missing output of the Vertex shader at location 1, component 3 for input `%second` of type vec4 [VUID-RuntimeSpirv-OpEntryPoint-08743]
        %vec2 | %ivec2
          stage-type: input `%second` at location 1 has type ivec2, output `%first` at location 1 has type vec2 [VUID-RuntimeSpirv-OpEntryPoint-07754]
        %double | %double
        %double | %vec2
          stage-type: input `%second` at location 1 has type vec2, output `%first` at location 1 has type double [VUID-RuntimeSpirv-OpEntryPoint-07754]
        %dvec2 | %vec4
          stage-type: input `%second` at location 1 has type vec4, output `%first` at location 1 has type dvec2 [VUID-RuntimeSpirv-OpEntryPoint-07754]
        %dvec3 | %dvec2
        %dvec2 | %dvec3
          stage-input: missing output of the Vertex shader at location 2, components 0 to 1 for input `%second` of type dvec3 [VUID-RuntimeSpirv-OpEntryPoint-08743]
        %mat2 | %mat2
        %mat2 | %mat3x2
          stage-input: missing output of the Vertex shader at location 3, components 0 to 1 for input `%second` of type mat3x2 [VUID-RuntimeSpirv-OpEntryPoint-08743]
        %mat3x2 | %mat2
          stage-type: input `%second` at location 1 has type mat2, output `%first` at location 1 has type mat3x2
        %mat2x3 | %mat2
          stage-type: input `%second` at location 1 has type mat2, output `%first` at location 1 has type mat2x3
        %floats3 | %floats2
          stage-type: input `%second` at location 1 has type float[2], output `%first` at location 1 has type float[3]
        %floats2 | %floats3
          stage-input: missing output of the Vertex shader at location 3, component 0 for input `%second` of type float[3] [VUID-RuntimeSpirv-OpEntryPoint-08743]
        %floats_spec | %floats2
        %mat2s | %mat2
          stage-type: input `%second` at location 1 has type mat2, output `%first` at location 1 has type mat2[2]
        %mat2 | %mat2s
          stage-input: missing output of the Vertex shader at location 3, components 0 to 1 for input `%second` of type mat2[2] [VUID-RuntimeSpirv-OpEntryPoint-08743]
        %B1 | %B1
        %B1 | %B2
          stage-block: input block `%second` has 2 members, output block `%first` has 1
          stage-input: missing output of the Vertex shader at location 2 for input member 1 of `%second` of type vec2 [VUID-RuntimeSpirv-OpEntryPoint-08743]
        %B2 | %B1
          stage-block: input block `%second` has 1 members, output block `%first` has 2
        %B2 | %B3
          stage-input: missing output of the Vertex shader at location 1, component 1 for input member 0 of `%second` of type vec2 [VUID-RuntimeSpirv-OpEntryPoint-08743]
          stage-type: input member 1 of `%second` at location 2 has type float, output member 1 of `%first` at location 2 has type vec2
        %blocks | %B2
        %B2 | %blocks
          stage-input: missing output of the Vertex shader at location 3 for input member 0 of `%second` of type float [VUID-RuntimeSpirv-OpEntryPoint-08743]
          stage-input: missing output of the Vertex shader at location 4 for input member 1 of `%second` of type vec2 [VUID-RuntimeSpirv-OpEntryPoint-08743]
        %s_float2 | %s_float
          stage-type: input `%second` at location 1 has type struct %s_float, output `%first` at location 1 has type struct %s_float2
        %s_mixed | %s_float2
          stage-type: input `%second` at location 1 has type struct %s_float2, output `%first` at location 1 has type struct %s_mixed
        %vec3s | %floats3
          stage-type: input `%second` at location 1 has type float[3], output `%first` at location 1 has type vec3[3]
        %bool | %float
    "#]].assert_eq(&between(["Vertex", "Fragment"], at, pairs));
    let few = &["%float | %float", "%vec2 | %float", "%vec3 | %vec2", "%vec4 | %vec2", "%mat2 | %vec2"];
    let later = "OpDecorate %first Location 1\nOpDecorate %second Location 2";
    expect![[r#"
        %float | %float
          stage-input: missing output of the Vertex shader at location 2 for input `%second` of type float [VUID-RuntimeSpirv-OpEntryPoint-08743]
        %vec2 | %float
          stage-input: missing output of the Vertex shader at location 2 for input `%second` of type float [VUID-RuntimeSpirv-OpEntryPoint-08743]
        %vec3 | %vec2
          stage-input: missing output of the Vertex shader at location 2 for input `%second` of type vec2 [VUID-RuntimeSpirv-OpEntryPoint-08743]
        %vec4 | %vec2
          stage-input: missing output of the Vertex shader at location 2 for input `%second` of type vec2 [VUID-RuntimeSpirv-OpEntryPoint-08743]
        %mat2 | %vec2
          stage-type: input `%second` at location 2 has type vec2, output `%first` at location 1 has type mat2
    "#]].assert_eq(&between(["Vertex", "Fragment"], later, few));
    let component =
        "OpDecorate %first Location 1\nOpDecorate %second Location 1\nOpDecorate %second Component 1";
    expect![[r#"
        %float | %float
          stage-input: missing output of the Vertex shader at location 1 for input `%second` of type float [VUID-RuntimeSpirv-OpEntryPoint-08743]
        %vec2 | %float
          stage-type: input `%second` at location 1 has type float, output `%first` at location 1 has type vec2
        %vec3 | %vec2
          stage-type: input `%second` at location 1 has type vec2, output `%first` at location 1 has type vec3
        %vec4 | %vec2
          stage-type: input `%second` at location 1 has type vec2, output `%first` at location 1 has type vec4
        %mat2 | %vec2
          stage-input: missing output of the Vertex shader at location 1, component 2 for input `%second` of type vec2 [VUID-RuntimeSpirv-OpEntryPoint-08743]
    "#]].assert_eq(&between(["Vertex", "Fragment"], component, few));
    let both = "OpDecorate %first Location 1\nOpDecorate %first Component 2\nOpDecorate %second Location 1\nOpDecorate %second Component 2";
    expect![[r#"
        %vec2 | %float
          stage-type: input `%second` at location 1 has type float, output `%first` at location 1 has type vec2
        %float | %vec2
          stage-input: missing output of the Vertex shader at location 1, component 3 for input `%second` of type vec2 [VUID-RuntimeSpirv-OpEntryPoint-08743]
    "#]].assert_eq(&between(["Vertex", "Fragment"], both, &["%vec2 | %float", "%float | %vec2"]));
}

#[test]
fn arrays_over_vertices_are_one_value() {
    let at = "OpDecorate %first Location 0\nOpDecorate %second Location 0";
    let pairs = &[
        "%float | %floats3",
        "%int | %floats3",
        "%floats2 | %floats2s",
        "%floats2 | %vec3s",
        "%vec3 | %vec3s",
        "%floats3 | %floats3",
        "%floats3 | %ints3",
        "%float | %float",
        "%vec3s | %vec3",
    ];
    let mut shown = String::new();
    for models in [
        ["Vertex", "Geometry"],
        ["Vertex", "TessellationControl"],
        ["TessellationControl", "TessellationEvaluation"],
        ["TessellationEvaluation", "Geometry"],
        ["TessellationEvaluation", "Fragment"],
        ["Geometry", "Fragment"],
        ["MeshEXT", "Fragment"],
    ] {
        _ = write!(shown, "{} to {}\n{}", models[0], models[1], between(models, at, pairs));
    }
    expect![[r#"
        Vertex to Geometry
        %float | %floats3
        %int | %floats3
          stage-type: input `%second` at location 0 has type float, output `%first` at location 0 has type int [VUID-RuntimeSpirv-OpEntryPoint-07754]
        %floats2 | %floats2s
        %floats2 | %vec3s
          stage-input: missing output of the Vertex shader at location 0, components 1 to 2 for input `%second` of type vec3 [VUID-RuntimeSpirv-OpEntryPoint-08743]
        %vec3 | %vec3s
        %floats3 | %floats3
          stage-type: input `%second` at location 0 has type float, output `%first` at location 0 has type float[3]
        %floats3 | %ints3
          stage-type: input `%second` at location 0 has type int, output `%first` at location 0 has type float[3] [VUID-RuntimeSpirv-OpEntryPoint-07754]
        %float | %float
        %vec3s | %vec3
          stage-type: input `%second` at location 0 has type vec3, output `%first` at location 0 has type vec3[3]
        Vertex to TessellationControl
        %float | %floats3
        %int | %floats3
          stage-type: input `%second` at location 0 has type float, output `%first` at location 0 has type int [VUID-RuntimeSpirv-OpEntryPoint-07754]
        %floats2 | %floats2s
        %floats2 | %vec3s
          stage-input: missing output of the Vertex shader at location 0, components 1 to 2 for input `%second` of type vec3 [VUID-RuntimeSpirv-OpEntryPoint-08743]
        %vec3 | %vec3s
        %floats3 | %floats3
          stage-type: input `%second` at location 0 has type float, output `%first` at location 0 has type float[3]
        %floats3 | %ints3
          stage-type: input `%second` at location 0 has type int, output `%first` at location 0 has type float[3] [VUID-RuntimeSpirv-OpEntryPoint-07754]
        %float | %float
        %vec3s | %vec3
          stage-type: input `%second` at location 0 has type vec3, output `%first` at location 0 has type vec3[3]
        TessellationControl to TessellationEvaluation
        %float | %floats3
          stage-mode: neither tessellation shader has a mode Triangles, Quads or Isolines [VUID-VkGraphicsPipelineCreateInfo-pStages-00732]
          stage-mode: neither tessellation shader has the mode OutputVertices [VUID-VkGraphicsPipelineCreateInfo-pStages-00734]
        %int | %floats3
          stage-mode: neither tessellation shader has a mode Triangles, Quads or Isolines [VUID-VkGraphicsPipelineCreateInfo-pStages-00732]
          stage-mode: neither tessellation shader has the mode OutputVertices [VUID-VkGraphicsPipelineCreateInfo-pStages-00734]
          stage-type: input `%second` at location 0 has type float, output `%first` at location 0 has type int [VUID-RuntimeSpirv-OpEntryPoint-07754]
        %floats2 | %floats2s
          stage-mode: neither tessellation shader has a mode Triangles, Quads or Isolines [VUID-VkGraphicsPipelineCreateInfo-pStages-00732]
          stage-mode: neither tessellation shader has the mode OutputVertices [VUID-VkGraphicsPipelineCreateInfo-pStages-00734]
          stage-input: missing output of the TessellationControl shader at location 1, component 0 for input `%second` of type float[2] [VUID-RuntimeSpirv-OpEntryPoint-08743]
        %floats2 | %vec3s
          stage-mode: neither tessellation shader has a mode Triangles, Quads or Isolines [VUID-VkGraphicsPipelineCreateInfo-pStages-00732]
          stage-mode: neither tessellation shader has the mode OutputVertices [VUID-VkGraphicsPipelineCreateInfo-pStages-00734]
          stage-input: missing output of the TessellationControl shader at location 0, components 1 to 2 for input `%second` of type vec3 [VUID-RuntimeSpirv-OpEntryPoint-08743]
        %vec3 | %vec3s
          stage-mode: neither tessellation shader has a mode Triangles, Quads or Isolines [VUID-VkGraphicsPipelineCreateInfo-pStages-00732]
          stage-mode: neither tessellation shader has the mode OutputVertices [VUID-VkGraphicsPipelineCreateInfo-pStages-00734]
        %floats3 | %floats3
          stage-mode: neither tessellation shader has a mode Triangles, Quads or Isolines [VUID-VkGraphicsPipelineCreateInfo-pStages-00732]
          stage-mode: neither tessellation shader has the mode OutputVertices [VUID-VkGraphicsPipelineCreateInfo-pStages-00734]
        %floats3 | %ints3
          stage-mode: neither tessellation shader has a mode Triangles, Quads or Isolines [VUID-VkGraphicsPipelineCreateInfo-pStages-00732]
          stage-mode: neither tessellation shader has the mode OutputVertices [VUID-VkGraphicsPipelineCreateInfo-pStages-00734]
          stage-type: input `%second` at location 0 has type int, output `%first` at location 0 has type float [VUID-RuntimeSpirv-OpEntryPoint-07754]
        %float | %float
          stage-mode: neither tessellation shader has a mode Triangles, Quads or Isolines [VUID-VkGraphicsPipelineCreateInfo-pStages-00732]
          stage-mode: neither tessellation shader has the mode OutputVertices [VUID-VkGraphicsPipelineCreateInfo-pStages-00734]
        %vec3s | %vec3
          stage-mode: neither tessellation shader has a mode Triangles, Quads or Isolines [VUID-VkGraphicsPipelineCreateInfo-pStages-00732]
          stage-mode: neither tessellation shader has the mode OutputVertices [VUID-VkGraphicsPipelineCreateInfo-pStages-00734]
        TessellationEvaluation to Geometry
        %float | %floats3
        %int | %floats3
          stage-type: input `%second` at location 0 has type float, output `%first` at location 0 has type int [VUID-RuntimeSpirv-OpEntryPoint-07754]
        %floats2 | %floats2s
        %floats2 | %vec3s
          stage-input: missing output of the TessellationEvaluation shader at location 0, components 1 to 2 for input `%second` of type vec3 [VUID-RuntimeSpirv-OpEntryPoint-08743]
        %vec3 | %vec3s
        %floats3 | %floats3
          stage-type: input `%second` at location 0 has type float, output `%first` at location 0 has type float[3]
        %floats3 | %ints3
          stage-type: input `%second` at location 0 has type int, output `%first` at location 0 has type float[3] [VUID-RuntimeSpirv-OpEntryPoint-07754]
        %float | %float
        %vec3s | %vec3
          stage-type: input `%second` at location 0 has type vec3, output `%first` at location 0 has type vec3[3]
        TessellationEvaluation to Fragment
        %float | %floats3
          stage-input: missing output of the TessellationEvaluation shader at location 1, component 0 for input `%second` of type float[3] [VUID-RuntimeSpirv-OpEntryPoint-08743]
        %int | %floats3
          stage-input: missing output of the TessellationEvaluation shader at location 1, component 0 for input `%second` of type float[3] [VUID-RuntimeSpirv-OpEntryPoint-08743]
        %floats2 | %floats2s
          stage-input: missing output of the TessellationEvaluation shader at location 2, component 0 for input `%second` of type float[2][3] [VUID-RuntimeSpirv-OpEntryPoint-08743]
        %floats2 | %vec3s
          stage-input: missing output of the TessellationEvaluation shader at location 0, components 1 to 2 for input `%second` of type vec3[3] [VUID-RuntimeSpirv-OpEntryPoint-08743]
        %vec3 | %vec3s
          stage-input: missing output of the TessellationEvaluation shader at location 1, components 0 to 2 for input `%second` of type vec3[3] [VUID-RuntimeSpirv-OpEntryPoint-08743]
        %floats3 | %floats3
        %floats3 | %ints3
          stage-type: input `%second` at location 0 has type int[3], output `%first` at location 0 has type float[3] [VUID-RuntimeSpirv-OpEntryPoint-07754]
        %float | %float
        %vec3s | %vec3
          stage-type: input `%second` at location 0 has type vec3, output `%first` at location 0 has type vec3[3]
        Geometry to Fragment
        %float | %floats3
          stage-input: missing output of the Geometry shader at location 1, component 0 for input `%second` of type float[3] [VUID-RuntimeSpirv-OpEntryPoint-08743]
        %int | %floats3
          stage-input: missing output of the Geometry shader at location 1, component 0 for input `%second` of type float[3] [VUID-RuntimeSpirv-OpEntryPoint-08743]
        %floats2 | %floats2s
          stage-input: missing output of the Geometry shader at location 2, component 0 for input `%second` of type float[2][3] [VUID-RuntimeSpirv-OpEntryPoint-08743]
        %floats2 | %vec3s
          stage-input: missing output of the Geometry shader at location 0, components 1 to 2 for input `%second` of type vec3[3] [VUID-RuntimeSpirv-OpEntryPoint-08743]
        %vec3 | %vec3s
          stage-input: missing output of the Geometry shader at location 1, components 0 to 2 for input `%second` of type vec3[3] [VUID-RuntimeSpirv-OpEntryPoint-08743]
        %floats3 | %floats3
        %floats3 | %ints3
          stage-type: input `%second` at location 0 has type int[3], output `%first` at location 0 has type float[3] [VUID-RuntimeSpirv-OpEntryPoint-07754]
        %float | %float
        %vec3s | %vec3
          stage-type: input `%second` at location 0 has type vec3, output `%first` at location 0 has type vec3[3]
        MeshEXT to Fragment
        %float | %floats3
          stage-input: missing output of the MeshEXT shader at location 1, component 0 for input `%second` of type float[3] [VUID-RuntimeSpirv-OpEntryPoint-08743]
        %int | %floats3
          stage-input: missing output of the MeshEXT shader at location 1, component 0 for input `%second` of type float[3] [VUID-RuntimeSpirv-OpEntryPoint-08743]
        %floats2 | %floats2s
          stage-input: missing output of the MeshEXT shader at location 1, component 0 for input `%second` of type float[2][3] [VUID-RuntimeSpirv-OpEntryPoint-08743]
        %floats2 | %vec3s
          stage-input: missing output of the MeshEXT shader at location 0, components 1 to 2 for input `%second` of type vec3[3] [VUID-RuntimeSpirv-OpEntryPoint-08743]
        %vec3 | %vec3s
          stage-input: missing output of the MeshEXT shader at location 1, components 0 to 2 for input `%second` of type vec3[3] [VUID-RuntimeSpirv-OpEntryPoint-08743]
        %floats3 | %floats3
          stage-input: missing output of the MeshEXT shader at location 1, component 0 for input `%second` of type float[3] [VUID-RuntimeSpirv-OpEntryPoint-08743]
        %floats3 | %ints3
          stage-input: missing output of the MeshEXT shader at location 1, component 0 for input `%second` of type int[3] [VUID-RuntimeSpirv-OpEntryPoint-08743]
        %float | %float
        %vec3s | %vec3
    "#]].assert_eq(&shown);
}

#[test]
fn decorations_of_both_stages() {
    let mut shown = String::new();
    for (models, first, second) in [
        (["Vertex", "Fragment"], "", "Flat"),
        (["Vertex", "Fragment"], "Flat", "Flat"),
        (["Vertex", "Fragment"], "Flat", ""),
        (["Vertex", "Fragment"], "NoPerspective", "Flat"),
        (["Vertex", "Fragment"], "Centroid", "Sample"),
        (["Vertex", "Fragment"], "Flat", "PerVertexKHR"),
        (["Vertex", "Geometry"], "Flat", "Centroid"),
        (["MeshEXT", "Fragment"], "PerPrimitiveEXT", "PerPrimitiveEXT"),
        (["MeshEXT", "Fragment"], "PerPrimitiveEXT", "Flat"),
        (["MeshEXT", "Fragment"], "", "PerPrimitiveEXT"),
        (["TessellationControl", "TessellationEvaluation"], "Patch", "Patch"),
        (["TessellationControl", "TessellationEvaluation"], "Patch", ""),
        (["TessellationControl", "TessellationEvaluation"], "", "Patch"),
    ] {
        let decorate = |name: &str, decoration: &str| match decoration {
            "" => format!("OpDecorate {name} Location 0\n"),
            _ => format!("OpDecorate {name} Location 0\nOpDecorate {name} {decoration}\n"),
        };
        let decorations = decorate("%first", first) + &decorate("%second", second);
        _ = write!(shown, "{} {first} to {} {second}: ", models[0], models[1]);
        shown += &between(models, &decorations, &["%floats3 | %floats3"]);
    }
    expect![[r#"
        Vertex  to Fragment Flat: %floats3 | %floats3
        Vertex Flat to Fragment Flat: %floats3 | %floats3
        Vertex Flat to Fragment : %floats3 | %floats3
          stage-interpolation: interpolation of input `%second` is none, of output `%first` it is Flat; the output's has no effect
        Vertex NoPerspective to Fragment Flat: %floats3 | %floats3
          stage-interpolation: interpolation of input `%second` is Flat, of output `%first` it is NoPerspective; the output's has no effect
        Vertex Centroid to Fragment Sample: %floats3 | %floats3
          stage-interpolation: interpolation of input `%second` is Sample, of output `%first` it is Centroid; the output's has no effect
        Vertex Flat to Fragment PerVertexKHR: %floats3 | %floats3
          stage-type: input `%second` at location 0 has type float, output `%first` at location 0 has type float[3]
        Vertex Flat to Geometry Centroid: %floats3 | %floats3
          stage-type: input `%second` at location 0 has type float, output `%first` at location 0 has type float[3]
        MeshEXT PerPrimitiveEXT to Fragment PerPrimitiveEXT: %floats3 | %floats3
          stage-input: missing output of the MeshEXT shader at location 1, component 0 for input `%second` of type float[3] [VUID-RuntimeSpirv-OpEntryPoint-08743]
        MeshEXT PerPrimitiveEXT to Fragment Flat: %floats3 | %floats3
          stage-input: missing output of the MeshEXT shader at location 1, component 0 for input `%second` of type float[3] [VUID-RuntimeSpirv-OpEntryPoint-08743]
        MeshEXT  to Fragment PerPrimitiveEXT: %floats3 | %floats3
          stage-input: missing output of the MeshEXT shader at location 1, component 0 for input `%second` of type float[3] [VUID-RuntimeSpirv-OpEntryPoint-08743]
        TessellationControl Patch to TessellationEvaluation Patch: %floats3 | %floats3
          stage-mode: neither tessellation shader has a mode Triangles, Quads or Isolines [VUID-VkGraphicsPipelineCreateInfo-pStages-00732]
          stage-mode: neither tessellation shader has the mode OutputVertices [VUID-VkGraphicsPipelineCreateInfo-pStages-00734]
        TessellationControl Patch to TessellationEvaluation : %floats3 | %floats3
          stage-mode: neither tessellation shader has a mode Triangles, Quads or Isolines [VUID-VkGraphicsPipelineCreateInfo-pStages-00732]
          stage-mode: neither tessellation shader has the mode OutputVertices [VUID-VkGraphicsPipelineCreateInfo-pStages-00734]
          stage-decoration: output `%first` is decorated with Patch, input `%second` is not [VUID-RuntimeSpirv-OpVariable-08746]
        TessellationControl  to TessellationEvaluation Patch: %floats3 | %floats3
          stage-mode: neither tessellation shader has a mode Triangles, Quads or Isolines [VUID-VkGraphicsPipelineCreateInfo-pStages-00732]
          stage-mode: neither tessellation shader has the mode OutputVertices [VUID-VkGraphicsPipelineCreateInfo-pStages-00734]
          stage-decoration: input `%second` is decorated with Patch, output `%first` is not [VUID-RuntimeSpirv-OpVariable-08746]
    "#]].assert_eq(&shown);
}

#[test]
fn blocks_of_built_ins() {
    let types = "%clip1 = OpTypeArray %float %u1
%clip2 = OpTypeArray %float %u2
%A = OpTypeStruct %vec4 %float
%B = OpTypeStruct %vec4 %float
%A_vertices = OpTypeArray %A %u3
%B_vertices = OpTypeArray %B %u3
%clips1 = OpTypeArray %clip1 %u3
%clips2 = OpTypeArray %clip2 %u3
%floats_vertices = OpTypeArray %float %u3";
    let mut shown = String::new();
    for (models, decorations, pair) in [
        (
            ["Vertex", "Geometry"],
            "%A 0 Position, %A 1 PointSize, %B 0 Position, %B 1 PointSize",
            "%A | %B_vertices",
        ),
        (["Vertex", "Geometry"], "%A 0 Position, %A 1 PointSize, %B 0 Position", "%A | %B_vertices"),
        (
            ["Vertex", "Geometry"],
            "%A 0 Position, %A 1 PointSize, %B 1 PointSize, %B 0 Position",
            "%A | %B_vertices",
        ),
        (["Geometry", "Fragment"], "%A 0 Position, %B 1 PointSize", "%A | %B"),
        (["Vertex", "Geometry"], "%first ClipDistance, %second ClipDistance", "%clip1 | %clips1"),
        (["Vertex", "Geometry"], "%first ClipDistance, %second ClipDistance", "%clip1 | %clips2"),
        (["Vertex", "Geometry"], "%first ClipDistance, %second ClipDistance", "%clip2 | %clips1"),
        (["Vertex", "Geometry"], "%first CullDistance, %second ClipDistance", "%clip2 | %clips1"),
        (["Vertex", "Geometry"], "%first Position, %second PointSize", "%vec4 | %floats_vertices"),
        (["Vertex", "Geometry"], "%first Position, %second PrimitiveId", "%vec4 | %int"),
        (["Geometry", "Fragment"], "%first Layer, %second PrimitiveId", "%int | %int"),
        (["MeshEXT", "Fragment"], "%first Layer, %second PrimitiveId", "%floats3 | %int"),
        (["Vertex", "Fragment"], "%first Layer, %second PrimitiveId", "%int | %int"),
        (["Geometry", "Fragment"], "%first PrimitiveId, %second PrimitiveId", "%int | %int"),
    ] {
        let mut lines = String::new();
        for decoration in decorations.split(", ") {
            let words: Vec<&str> = decoration.split(' ').collect();
            _ = match words[..] {
                [id, value] => writeln!(lines, "OpDecorate {id} BuiltIn {value}"),
                [id, member, value] => writeln!(lines, "OpMemberDecorate {id} {member} BuiltIn {value}"),
                _ => Ok(()),
            };
        }
        lines += "OpDecorate %A Block\nOpDecorate %B Block\n";
        let stages = Pair { models, modes: "", classes: ["Output", "Input"], decorations: &lines, types };
        _ = write!(shown, "{} to {}, {decorations}\n{}", models[0], models[1], stages.all(&[pair]));
    }
    expect![[r#"
        Vertex to Geometry, %A 0 Position, %A 1 PointSize, %B 0 Position, %B 1 PointSize
        %A | %B_vertices
        Vertex to Geometry, %A 0 Position, %A 1 PointSize, %B 0 Position
        %A | %B_vertices
          stage-built-in: input block `%second` has the built-ins Position, the output block of the Vertex shader has Position, PointSize [VUID-RuntimeSpirv-OpVariable-08746]
        Vertex to Geometry, %A 0 Position, %A 1 PointSize, %B 1 PointSize, %B 0 Position
        %A | %B_vertices
        Geometry to Fragment, %A 0 Position, %B 1 PointSize
        %A | %B
        Vertex to Geometry, %first ClipDistance, %second ClipDistance
        %clip1 | %clips1
        Vertex to Geometry, %first ClipDistance, %second ClipDistance
        %clip1 | %clips2
          stage-built-in: input ClipDistance has 2 elements, the output of the Vertex shader has 1
        Vertex to Geometry, %first ClipDistance, %second ClipDistance
        %clip2 | %clips1
        Vertex to Geometry, %first CullDistance, %second ClipDistance
        %clip2 | %clips1
          stage-built-in: missing output ClipDistance of the Vertex shader for input `%second`
        Vertex to Geometry, %first Position, %second PointSize
        %vec4 | %floats_vertices
          stage-built-in: missing output PointSize of the Vertex shader for input `%second`
        Vertex to Geometry, %first Position, %second PrimitiveId
        %vec4 | %int
        Geometry to Fragment, %first Layer, %second PrimitiveId
        %int | %int
          stage-built-in: missing output PrimitiveId of the Geometry shader for input `%second` [VUID-VkGraphicsPipelineCreateInfo-pStages-00740]
        MeshEXT to Fragment, %first Layer, %second PrimitiveId
        %floats3 | %int
          stage-built-in: missing output PrimitiveId of the MeshEXT shader for input `%second` [VUID-VkGraphicsPipelineCreateInfo-PrimitiveId-06264]
        Vertex to Fragment, %first Layer, %second PrimitiveId
        %int | %int
        Geometry to Fragment, %first PrimitiveId, %second PrimitiveId
        %int | %int
    "#]].assert_eq(&shown);
}
