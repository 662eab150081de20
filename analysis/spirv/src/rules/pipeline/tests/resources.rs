//! Descriptors of one binding, and the modes of stages.

use std::fmt::Write as _;

use expect_test::expect;

use super::Pair;

#[test]
fn descriptors_of_one_binding() {
    let types = "%sampler = OpTypeSampler
%acceleration = OpTypeAccelerationStructureKHR
%2d = OpTypeImage %float 2D 0 0 0 1 Unknown
%2d_array = OpTypeImage %float 2D 0 1 0 1 Unknown
%2d_samples = OpTypeImage %float 2D 0 0 1 1 Unknown
%3d = OpTypeImage %float 3D 0 0 0 1 Unknown
%2d_int = OpTypeImage %int 2D 0 0 0 1 Unknown
%2d_uint = OpTypeImage %uint 2D 0 0 0 1 Unknown
%storage = OpTypeImage %float 2D 0 0 0 2 Rgba8
%storage_f = OpTypeImage %float 2D 0 0 0 2 R32f
%storage_any = OpTypeImage %float 2D 0 0 0 2 Unknown
%texels = OpTypeImage %float Buffer 0 0 0 1 Unknown
%storage_texels = OpTypeImage %float Buffer 0 0 0 2 Rgba8
%either = OpTypeImage %float 2D 0 0 0 0 Unknown
%attachment = OpTypeImage %float SubpassData 0 0 0 2 Unknown
%combined = OpTypeSampledImage %2d
%combined_3d = OpTypeSampledImage %3d
%combined_texels = OpTypeSampledImage %texels
%many_2d = OpTypeArray %2d %u2
%many_3d = OpTypeArray %3d %u2
%many_storage = OpTypeArray %storage %u2
%all_storage = OpTypeRuntimeArray %storage";
    let decorations = "OpDecorate %first DescriptorSet 3\nOpDecorate %first Binding 1\nOpDecorate %second DescriptorSet 3\nOpDecorate %second Binding 1";
    let pair = |classes| Pair { models: ["Vertex", "Fragment"], modes: "", classes, decorations, types };
    let pairs = &[
        "%sampler | %sampler",
        "%sampler | %combined",
        "%sampler | %2d",
        "%sampler | %storage",
        "%2d | %combined",
        "%2d | %storage",
        "%2d | %combined_3d",
        "%2d | %2d_array",
        "%2d_array | %2d",
        "%2d | %2d_samples",
        "%2d_samples | %2d",
        "%2d | %2d_int",
        "%2d_int | %2d_uint",
        "%storage | %storage_f",
        "%storage | %storage_any",
        "%storage | %storage",
        "%storage | %storage_texels",
        "%texels | %combined_texels",
        "%texels | %storage_texels",
        "%combined_texels | %combined",
        "%attachment | %2d",
        "%attachment | %attachment",
        "%acceleration | %acceleration",
        "%acceleration | %sampler",
        "%either | %storage",
        "%many_2d | %many_3d",
        "%many_2d | %many_storage",
        "%many_2d | %all_storage",
        "%2d | %many_storage",
    ];
    expect![[r#"
        %sampler | %sampler
        %sampler | %combined
        %sampler | %2d
        %sampler | %storage
          shared-descriptor: `%second` at set 3, binding 1 is a storage image, but a sampler in the Vertex shader
        %2d | %combined
        %2d | %storage
          shared-descriptor: `%second` at set 3, binding 1 is a storage image, but a sampled image in the Vertex shader
        %2d | %combined_3d
          shared-descriptor: `%second` at set 3, binding 1 is an image of dimension 3D, but 2D in the Vertex shader
        %2d | %2d_array
          shared-descriptor: `%second` at set 3, binding 1 is arrayed, but not in the Vertex shader
        %2d_array | %2d
          shared-descriptor: `%second` at set 3, binding 1 is not arrayed, but is in the Vertex shader
        %2d | %2d_samples
          shared-descriptor: `%second` at set 3, binding 1 is multisampled, but not in the Vertex shader
        %2d_samples | %2d
          shared-descriptor: `%second` at set 3, binding 1 is not multisampled, but is in the Vertex shader
        %2d | %2d_int
          shared-descriptor: `%second` at set 3, binding 1 is an image of int, but of float in the Vertex shader
        %2d_int | %2d_uint
          shared-descriptor: `%second` at set 3, binding 1 is an image of uint, but of int in the Vertex shader
        %storage | %storage_f
          shared-descriptor: `%second` at set 3, binding 1 is an image of format R32f, but Rgba8 in the Vertex shader
        %storage | %storage_any
        %storage | %storage
        %storage | %storage_texels
          shared-descriptor: `%second` at set 3, binding 1 is a storage texel buffer, but a storage image in the Vertex shader
        %texels | %combined_texels
        %texels | %storage_texels
          shared-descriptor: `%second` at set 3, binding 1 is a storage texel buffer, but a uniform texel buffer in the Vertex shader
        %combined_texels | %combined
          shared-descriptor: `%second` at set 3, binding 1 is a combined image sampler, but a uniform texel buffer in the Vertex shader
        %attachment | %2d
          shared-descriptor: `%second` at set 3, binding 1 is a sampled image, but an input attachment in the Vertex shader
        %attachment | %attachment
        %acceleration | %acceleration
        %acceleration | %sampler
          shared-descriptor: `%second` at set 3, binding 1 is a sampler, but an acceleration structure in the Vertex shader
        %either | %storage
        %many_2d | %many_3d
        %many_2d | %many_storage
          shared-descriptor: `%second` at set 3, binding 1 is a storage image, but a sampled image in the Vertex shader
        %many_2d | %all_storage
        %2d | %many_storage
          shared-descriptor: `%second` at set 3, binding 1 is a storage image, but a sampled image in the Vertex shader
    "#]].assert_eq(&pair(["UniformConstant"; 2]).all(pairs));
    let mut shown = String::new();
    for classes in [["Uniform", "StorageBuffer"], ["StorageBuffer"; 2], ["UniformConstant", "Uniform"]] {
        let first = if classes[0] == "UniformConstant" { "%2d" } else { "%s_float" };
        _ = write!(shown, "{} {}\n{}", classes[0], classes[1], pair(classes).found(first, "%s_float"));
    }
    expect![[r#"
        Uniform StorageBuffer
          shared-descriptor: `%second` at set 3, binding 1 is a storage buffer, but a uniform buffer in the Vertex shader
        StorageBuffer StorageBuffer
        UniformConstant Uniform
          shared-descriptor: `%second` at set 3, binding 1 is a uniform buffer, but a sampled image in the Vertex shader
    "#]].assert_eq(&shown);
}

#[test]
fn modes_of_tessellation() {
    let found = |models: [&str; 2], modes: &str| {
        let modes = modes.replace("a ", "OpExecutionMode %a ").replace("b ", "OpExecutionMode %b ");
        let pair = Pair { models, modes: &modes, classes: ["Private"; 2], decorations: "", types: "" };
        pair.found("%float", "%float")
    };
    let mut shown = String::new();
    for modes in [
        "a OutputVertices 3\nb Triangles",
        "a OutputVertices 3\na Triangles",
        "a OutputVertices 3\na Triangles\nb Triangles",
        "a OutputVertices 3\na Quads\nb Isolines",
        "a OutputVertices 3\na Isolines\nb Triangles",
        "a OutputVertices 3",
        "b Quads",
        "b OutputVertices 3\nb Quads",
        "a OutputVertices 3\nb OutputVertices 3\nb Quads",
        "a OutputVertices 3\nb OutputVertices 4\nb Quads",
    ] {
        let found = found(["TessellationControl", "TessellationEvaluation"], modes);
        _ = write!(shown, "{}\n{found}", modes.replace('\n', ", "));
    }
    for made in ["Triangles", "Quads", "Isolines", "PointMode", "VertexOrderCw"] {
        for read in
            ["InputPoints", "InputLines", "InputLinesAdjacency", "Triangles", "InputTrianglesAdjacency"]
        {
            let found = found(["TessellationEvaluation", "Geometry"], &format!("a {made}\nb {read}"));
            _ = write!(shown, "{made} to {read}\n{found}");
        }
    }
    expect![[r#"
        a OutputVertices 3, b Triangles
        a OutputVertices 3, a Triangles
        a OutputVertices 3, a Triangles, b Triangles
        a OutputVertices 3, a Quads, b Isolines
          stage-mode: mode Isolines differs from Quads of the TessellationControl shader [VUID-VkGraphicsPipelineCreateInfo-pStages-00733]
        a OutputVertices 3, a Isolines, b Triangles
          stage-mode: mode Triangles differs from Isolines of the TessellationControl shader [VUID-VkGraphicsPipelineCreateInfo-pStages-00733]
        a OutputVertices 3
          stage-mode: neither tessellation shader has a mode Triangles, Quads or Isolines [VUID-VkGraphicsPipelineCreateInfo-pStages-00732]
        b Quads
          stage-mode: neither tessellation shader has the mode OutputVertices [VUID-VkGraphicsPipelineCreateInfo-pStages-00734]
        b OutputVertices 3, b Quads
        a OutputVertices 3, b OutputVertices 3, b Quads
        a OutputVertices 3, b OutputVertices 4, b Quads
          stage-mode: OutputVertices is 4, in the TessellationControl shader it is 3 [VUID-VkGraphicsPipelineCreateInfo-pStages-00735]
        Triangles to InputPoints
          stage-mode: the Geometry shader reads points, tessellation makes triangles [VUID-VkGraphicsPipelineCreateInfo-pStages-00739]
        Triangles to InputLines
          stage-mode: the Geometry shader reads lines, tessellation makes triangles [VUID-VkGraphicsPipelineCreateInfo-pStages-00739]
        Triangles to InputLinesAdjacency
          stage-mode: the Geometry shader reads lines with adjacency, tessellation makes triangles [VUID-VkGraphicsPipelineCreateInfo-pStages-00739]
        Triangles to Triangles
        Triangles to InputTrianglesAdjacency
          stage-mode: the Geometry shader reads triangles with adjacency, tessellation makes triangles [VUID-VkGraphicsPipelineCreateInfo-pStages-00739]
        Quads to InputPoints
          stage-mode: the Geometry shader reads points, tessellation makes triangles [VUID-VkGraphicsPipelineCreateInfo-pStages-00739]
        Quads to InputLines
          stage-mode: the Geometry shader reads lines, tessellation makes triangles [VUID-VkGraphicsPipelineCreateInfo-pStages-00739]
        Quads to InputLinesAdjacency
          stage-mode: the Geometry shader reads lines with adjacency, tessellation makes triangles [VUID-VkGraphicsPipelineCreateInfo-pStages-00739]
        Quads to Triangles
        Quads to InputTrianglesAdjacency
          stage-mode: the Geometry shader reads triangles with adjacency, tessellation makes triangles [VUID-VkGraphicsPipelineCreateInfo-pStages-00739]
        Isolines to InputPoints
          stage-mode: the Geometry shader reads points, tessellation makes lines [VUID-VkGraphicsPipelineCreateInfo-pStages-00739]
        Isolines to InputLines
        Isolines to InputLinesAdjacency
          stage-mode: the Geometry shader reads lines with adjacency, tessellation makes lines [VUID-VkGraphicsPipelineCreateInfo-pStages-00739]
        Isolines to Triangles
          stage-mode: the Geometry shader reads triangles, tessellation makes lines [VUID-VkGraphicsPipelineCreateInfo-pStages-00739]
        Isolines to InputTrianglesAdjacency
          stage-mode: the Geometry shader reads triangles with adjacency, tessellation makes lines [VUID-VkGraphicsPipelineCreateInfo-pStages-00739]
        PointMode to InputPoints
        PointMode to InputLines
          stage-mode: the Geometry shader reads lines, tessellation makes points [VUID-VkGraphicsPipelineCreateInfo-pStages-00739]
        PointMode to InputLinesAdjacency
          stage-mode: the Geometry shader reads lines with adjacency, tessellation makes points [VUID-VkGraphicsPipelineCreateInfo-pStages-00739]
        PointMode to Triangles
          stage-mode: the Geometry shader reads triangles, tessellation makes points [VUID-VkGraphicsPipelineCreateInfo-pStages-00739]
        PointMode to InputTrianglesAdjacency
          stage-mode: the Geometry shader reads triangles with adjacency, tessellation makes points [VUID-VkGraphicsPipelineCreateInfo-pStages-00739]
        VertexOrderCw to InputPoints
        VertexOrderCw to InputLines
        VertexOrderCw to InputLinesAdjacency
        VertexOrderCw to Triangles
        VertexOrderCw to InputTrianglesAdjacency
    "#]].assert_eq(&shown);
}
