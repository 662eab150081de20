//! Bytes that two stages read.

use std::fmt::Write as _;

use expect_test::expect;

use super::Pair;

/// Blocks with members at offsets, as `blocks` of the layout rules has them: `%type offset`, and decorations of the member.
fn shared_blocks(class: &str, other: &str, pairs: &[&str]) -> String {
    let mut shown = String::new();
    for pair in pairs {
        let mut decorations = String::from(
            "OpDecorate %First Block\nOpDecorate %Second Block\nOpDecorate %a16 ArrayStride 16\nOpDecorate %a4 ArrayStride 4\nOpDecorate %a_spec ArrayStride 4\nOpDecorate %endless ArrayStride 4\nOpDecorate %structs ArrayStride 16\nOpMemberDecorate %inner 0 Offset 0\nOpMemberDecorate %inner 1 Offset 8\n",
        );
        for variable in ["first", "second"] {
            decorations +=
                &format!("OpDecorate %{variable} DescriptorSet 1\nOpDecorate %{variable} Binding 2\n");
        }
        let mut types = String::from(
            "%a16 = OpTypeArray %vec4 %u2\n%a4 = OpTypeArray %int %u3\n%a_spec = OpTypeArray %int %spec\n%inner = OpTypeStruct %float %int\n%structs = OpTypeArray %inner %u2\n",
        );
        let (first, second) = pair.split_once(" | ").unwrap();
        for (block, members) in [("First", first), ("Second", second)] {
            let mut own = String::new();
            for (index, member) in members.split(", ").enumerate() {
                let words: Vec<&str> = member.split(' ').collect();
                own += &format!(" {}", words[0]);
                decorations += &format!("OpMemberDecorate %{block} {index} Offset {}\n", words[1]);
                for decoration in words[2..].chunks(2) {
                    let decoration = decoration.join(" ").replace(" -", "");
                    decorations += &format!("OpMemberDecorate %{block} {index} {decoration}\n");
                }
            }
            types += &format!("%{block} = OpTypeStruct{own}\n");
        }
        let stages = Pair {
            models: ["Vertex", "Fragment"],
            modes: "",
            classes: [class, other],
            decorations: &decorations,
            types: &types,
        };
        _ = write!(shown, "{pair}\n{}", stages.found("%First", "%Second"));
    }
    shown
}

#[test]
fn stages_read_the_same_bytes() {
    let pairs = &[
        "%float 0, %int 4 | %float 0, %int 4",
        "%float 0, %int 4 | %float 0, %uint 4",
        "%float 0, %int 4 | %float 0, %float 4",
        "%float 0, %int 4 | %float 0, %int 8",
        "%float 0, %int 4 | %float 0, %int 6",
        "%int 4, %float 0 | %float 0, %int 4",
        "%float 0 | %half 0",
        "%float 0 | %half 2",
        "%float 0 | %half 4",
        "%vec4 0 | %vec3 0, %float 12",
        "%vec4 0 | %vec3 0, %int 12",
        "%vec4 0 | %vec2 0, %vec2 8",
        "%vec4 0 | %vec2 0, %vec2 6",
        "%double 0 | %float 0",
        "%dvec2 16 | %double 16, %double 24",
        "%dvec2 16 | %double 16, %int 24",
        "%mat2 0 MatrixStride 16 ColMajor - | %mat2 0 MatrixStride 16 ColMajor -",
        "%mat2 0 MatrixStride 16 ColMajor - | %mat2 0 MatrixStride 16 RowMajor -",
        "%mat2 0 MatrixStride 16 ColMajor - | %mat2 0 MatrixStride 8 ColMajor -",
        "%mat2 0 MatrixStride 16 ColMajor - | %vec2 0, %vec2 16",
        "%mat2 0 MatrixStride 16 ColMajor - | %vec2 0, %ivec2 16",
        "%mat2 0 MatrixStride 16 ColMajor - | %vec2 0, %ivec2 8",
        "%mat3x2 0 MatrixStride 8 ColMajor - | %vec2 0, %vec2 8, %ivec2 16",
        "%mat3x2 0 MatrixStride 8 ColMajor - | %vec2 0, %vec2 8, %vec2 16, %int 24",
        "%mat3x2 0 MatrixStride 16 RowMajor - | %vec3 0, %int 12, %vec3 16",
        "%mat3x2 0 MatrixStride 16 RowMajor - | %vec2 0, %int 8",
        "%a16 0 | %vec4 0, %vec4 16",
        "%a16 0 | %vec4 0, %ivec2 16",
        "%a16 0 | %vec4 0, %ivec2 32",
        "%a4 0 | %int 0, %int 4, %float 8",
        "%a4 0 | %int 0, %int 4, %float 12",
        "%a_spec 0 | %int 0, %int 4, %float 8",
        "%endless 0 | %float 0, %float 4",
        "%endless 0 | %int 0",
        "%endless 0 | %float 0, %int 4",
        "%inner 0 | %float 0, %int 8",
        "%inner 0 | %float 0, %float 8",
        "%inner 16 | %float 16, %float 20, %int 24",
        "%inner 16 | %int 16",
        "%structs 0 | %float 0, %int 8, %float 16, %int 24",
        "%structs 0 | %float 0, %int 8, %float 16, %float 24",
    ];
    expect![[r#"
        %float 0, %int 4 | %float 0, %int 4
        %float 0, %int 4 | %float 0, %uint 4
        %float 0, %int 4 | %float 0, %float 4
          shared-buffer: `1` of type float at byte 4 of set 1, binding 2 overlaps `1` of type int at byte 4 in the Vertex shader
        %float 0, %int 4 | %float 0, %int 8
        %float 0, %int 4 | %float 0, %int 6
          shared-buffer: `1` of type int at byte 6 of set 1, binding 2 overlaps `1` of type int at byte 4 in the Vertex shader
        %int 4, %float 0 | %float 0, %int 4
        %float 0 | %half 0
          shared-buffer: `0` of type float16_t at byte 0 of set 1, binding 2 overlaps `0` of type float at byte 0 in the Vertex shader
        %float 0 | %half 2
          shared-buffer: `0` of type float16_t at byte 2 of set 1, binding 2 overlaps `0` of type float at byte 0 in the Vertex shader
        %float 0 | %half 4
        %vec4 0 | %vec3 0, %float 12
        %vec4 0 | %vec3 0, %int 12
          shared-buffer: `1` of type int at byte 12 of set 1, binding 2 overlaps `0` of type vec4 at byte 0 in the Vertex shader
        %vec4 0 | %vec2 0, %vec2 8
        %vec4 0 | %vec2 0, %vec2 6
          shared-buffer: `1` of type vec2 at byte 6 of set 1, binding 2 overlaps `0` of type vec4 at byte 0 in the Vertex shader
        %double 0 | %float 0
          shared-buffer: `0` of type float at byte 0 of set 1, binding 2 overlaps `0` of type double at byte 0 in the Vertex shader
        %dvec2 16 | %double 16, %double 24
        %dvec2 16 | %double 16, %int 24
          shared-buffer: `1` of type int at byte 24 of set 1, binding 2 overlaps `0` of type dvec2 at byte 16 in the Vertex shader
        %mat2 0 MatrixStride 16 ColMajor - | %mat2 0 MatrixStride 16 ColMajor -
        %mat2 0 MatrixStride 16 ColMajor - | %mat2 0 MatrixStride 16 RowMajor -
          shared-buffer: `0` of type mat2 (row-major) at byte 0 of set 1, binding 2 overlaps `0` of type mat2 at byte 0 in the Vertex shader
        %mat2 0 MatrixStride 16 ColMajor - | %mat2 0 MatrixStride 8 ColMajor -
        %mat2 0 MatrixStride 16 ColMajor - | %vec2 0, %vec2 16
        %mat2 0 MatrixStride 16 ColMajor - | %vec2 0, %ivec2 16
          shared-buffer: `1` of type ivec2 at byte 16 of set 1, binding 2 overlaps `0` of type mat2 at byte 0 in the Vertex shader
        %mat2 0 MatrixStride 16 ColMajor - | %vec2 0, %ivec2 8
        %mat3x2 0 MatrixStride 8 ColMajor - | %vec2 0, %vec2 8, %ivec2 16
          shared-buffer: `2` of type ivec2 at byte 16 of set 1, binding 2 overlaps `0` of type mat3x2 at byte 0 in the Vertex shader
        %mat3x2 0 MatrixStride 8 ColMajor - | %vec2 0, %vec2 8, %vec2 16, %int 24
        %mat3x2 0 MatrixStride 16 RowMajor - | %vec3 0, %int 12, %vec3 16
        %mat3x2 0 MatrixStride 16 RowMajor - | %vec2 0, %int 8
          shared-buffer: `1` of type int at byte 8 of set 1, binding 2 overlaps `0` of type mat3x2 (row-major) at byte 0 in the Vertex shader
        %a16 0 | %vec4 0, %vec4 16
        %a16 0 | %vec4 0, %ivec2 16
          shared-buffer: `1` of type ivec2 at byte 16 of set 1, binding 2 overlaps `0` of type vec4[2] at byte 0 in the Vertex shader
        %a16 0 | %vec4 0, %ivec2 32
        %a4 0 | %int 0, %int 4, %float 8
          shared-buffer: `2` of type float at byte 8 of set 1, binding 2 overlaps `0` of type int[3] at byte 0 in the Vertex shader
        %a4 0 | %int 0, %int 4, %float 12
        %a_spec 0 | %int 0, %int 4, %float 8
        %endless 0 | %float 0, %float 4
        %endless 0 | %int 0
          shared-buffer: `0` of type int at byte 0 of set 1, binding 2 overlaps `0` of type float[] at byte 0 in the Vertex shader
        %endless 0 | %float 0, %int 4
        %inner 0 | %float 0, %int 8
        %inner 0 | %float 0, %float 8
          shared-buffer: `1` of type float at byte 8 of set 1, binding 2 overlaps `0` of type struct %inner at byte 0 in the Vertex shader
        %inner 16 | %float 16, %float 20, %int 24
        %inner 16 | %int 16
          shared-buffer: `0` of type int at byte 16 of set 1, binding 2 overlaps `0` of type struct %inner at byte 16 in the Vertex shader
        %structs 0 | %float 0, %int 8, %float 16, %int 24
        %structs 0 | %float 0, %int 8, %float 16, %float 24
          shared-buffer: `3` of type float at byte 24 of set 1, binding 2 overlaps `0` of type struct %inner[2] at byte 0 in the Vertex shader
    "#]].assert_eq(&shared_blocks("Uniform", "Uniform", pairs));
    let few = &["%float 0, %int 4 | %float 0, %float 4", "%float 0 | %half 2", "%float 0 | %half 4"];
    expect![[r#"
        %float 0, %int 4 | %float 0, %float 4
          shared-push-constant: `1` of type float at byte 4 of the push constants overlaps `1` of type int at byte 4 in the Vertex shader
        %float 0 | %half 2
          shared-push-constant: `0` of type float16_t at byte 2 of the push constants overlaps `0` of type float at byte 0 in the Vertex shader
        %float 0 | %half 4
    "#]].assert_eq(&shared_blocks("PushConstant", "PushConstant", few));
    // Storage buffers are compared only if their blocks have one name.
    expect![[r#"
        %float 0, %int 4 | %float 0, %float 4
          shared-buffer: `1` of type float at byte 4 of set 1, binding 2 overlaps `1` of type int at byte 4 in the Vertex shader
        %float 0 | %half 2
          shared-buffer: `0` of type float16_t at byte 2 of set 1, binding 2 overlaps `0` of type float at byte 0 in the Vertex shader
        %float 0 | %half 4
    "#]].assert_eq(&shared_blocks("StorageBuffer", "StorageBuffer", few));
    expect![[r#"
        %float 0, %int 4 | %float 0, %float 4
          shared-buffer: `1` of type float at byte 4 of set 1, binding 2 overlaps `1` of type int at byte 4 in the Vertex shader
          shared-descriptor: `%second` at set 1, binding 2 is a storage buffer, but a uniform buffer in the Vertex shader
    "#]].assert_eq(&shared_blocks("Uniform", "StorageBuffer", &few[..1]));
}
