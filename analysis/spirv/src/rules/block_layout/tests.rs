//! Blocks with members at offsets.

use expect_test::expect;

use crate::rules::testing::Shader;

#[test]
fn members_are_aligned_and_do_not_overlap() {
    let shader = Shader {
        head: "; target-env: vulkan1.0",
        annotations: "OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpMemberDecorate %block 1 Offset 4
OpMemberDecorate %block 2 Offset 16
OpDecorate %arr ArrayStride 4
OpDecorate %var DescriptorSet 0
OpDecorate %var Binding 0
OpDecorate %b2 Block
OpMemberDecorate %b2 0 Offset 0
OpDecorate %var2 DescriptorSet 0
OpDecorate %var2 Binding 1",
        types: "%arr = OpTypeArray %float %u2
%block = OpTypeStruct %float %vec3 %float
%p = OpTypePointer Uniform %block
%var = OpVariable %p Uniform
%b2 = OpTypeStruct %arr
%p2 = OpTypePointer Uniform %b2
%var2 = OpVariable %p2 Uniform",
        ..Shader::NEW
    };
    expect![[r#"
        error[block-layout] `%block`: member 1 of `%block` in Uniform at offset 4 is not aligned to 16 bytes (uniform buffer layout rules); the feature VK_KHR_relaxed_block_layout allows it
          8:1 `OpMemberDecorate %block 1 Offset 4`: the offset of this member
        error[block-layout] `%b2`: member 0 of `%b2` in Uniform has ArrayStride 4, which is not a multiple of 16 (uniform buffer layout rules); the feature uniformBufferStandardLayout allows it
          14:1 `OpMemberDecorate %b2 0 Offset 0`: the offset of this member
    "#]].assert_eq(&shader.findings());
}

/// What is found for blocks with members at offsets, as uniform and as storage buffers. A type may be followed by decorations
/// of the member.
fn blocks(env: &str, annotations: &str, types: &str, blocks: &[&str]) -> String {
    let head = format!(
        "; target-env: {env}\nOpCapability Shader\nOpCapability Float64\nOpCapability Int64\nOpCapability Int16\n\
        OpCapability StorageBuffer16BitAccess\n\
        OpCapability UniformAndStorageBuffer16BitAccess\nOpExtension \"SPV_KHR_16bit_storage\"\n\
        OpExtension \"SPV_KHR_storage_buffer_storage_class\""
    );
    let mut shown = String::new();
    for block in blocks {
        let mut members = String::new();
        let mut annotations = format!(
            "{annotations}\nOpDecorate %block Block\nOpDecorate %var DescriptorSet 0\nOpDecorate %var Binding 0\n"
        );
        for (index, member) in block.split(", ").enumerate() {
            let mut words = member.split(' ');
            members += &format!(" {}", words.next().unwrap_or_default());
            if let Some(offset) = words.next() {
                annotations += &format!("OpMemberDecorate %block {index} Offset {offset}\n");
            }
            let rest: Vec<&str> = words.collect();
            for decoration in rest.chunks(2) {
                let decoration = decoration.join(" ").replace(" -", "");
                annotations += &format!("OpMemberDecorate %block {index} {decoration}\n");
            }
        }
        for class in ["Uniform", "StorageBuffer"] {
            let types = format!(
                "%half = OpTypeFloat 16\n%double = OpTypeFloat 64\n%short = OpTypeInt 16 1\n%long = OpTypeInt 64 0\n\
                %hvec3 = OpTypeVector %half 3\n%dvec2 = OpTypeVector %double 2\n%mat3x2 = OpTypeMatrix %vec2 3\n\
                %u5 = OpConstant %uint 5\n{types}\n%block = OpTypeStruct{members}\n\
                %p = OpTypePointer {class} %block\n%var = OpVariable %p {class}"
            );
            let shader = Shader { head: &head, annotations: &annotations, types: &types, ..Shader::NEW };
            let found = shader.findings();
            let found = found.lines().filter_map(|line| line.strip_prefix("error"));
            let found: Vec<&str> = found.filter_map(|line| Some(line.split_once("`: ")?.1)).collect();
            let found = if found.is_empty() { "accepted".to_owned() } else { found.join("; ") };
            shown += &format!("{block}; {class}: {found}\n");
        }
    }
    shown
}

#[test]
fn scalars_and_vectors() {
    let found = blocks(
        "vulkan1.0",
        "",
        "",
        &[
            "%float 0, %float 4",
            "%float 4, %float 0",
            "%float 0, %float 3",
            "%float 0, %float 2",
            "%float 0, %vec2 8",
            "%float 0, %vec2 4",
            "%float 0, %vec3 16, %float 28",
            "%float 0, %vec3 16, %float 24",
            "%vec3 8",
            "%vec4 8",
            "%vec4 16",
            "%half 0, %half 2",
            "%half 0, %hvec3 8",
            "%half 0, %hvec3 4",
            "%short 2, %float 4",
            "%short 1",
            "%double 8, %long 16",
            "%double 4",
            "%dvec2 8",
            "%dvec2 16, %float 32",
            "%dvec2 16, %float 28",
            "%float",
            "%float 0, %float",
        ],
    );
    expect![[r#"
        %float 0, %float 4; Uniform: accepted
        %float 0, %float 4; StorageBuffer: accepted
        %float 4, %float 0; Uniform: accepted
        %float 4, %float 0; StorageBuffer: accepted
        %float 0, %float 3; Uniform: member 1 of `%block` in Uniform at offset 3 is not aligned to 4 bytes (uniform buffer layout rules)
        %float 0, %float 3; StorageBuffer: member 1 of `%block` in StorageBuffer at offset 3 is not aligned to 4 bytes (storage buffer layout rules)
        %float 0, %float 2; Uniform: member 1 of `%block` in Uniform at offset 2 is not aligned to 4 bytes (uniform buffer layout rules)
        %float 0, %float 2; StorageBuffer: member 1 of `%block` in StorageBuffer at offset 2 is not aligned to 4 bytes (storage buffer layout rules)
        %float 0, %vec2 8; Uniform: accepted
        %float 0, %vec2 8; StorageBuffer: accepted
        %float 0, %vec2 4; Uniform: member 1 of `%block` in Uniform at offset 4 is not aligned to 8 bytes (uniform buffer layout rules); the feature VK_KHR_relaxed_block_layout allows it
        %float 0, %vec2 4; StorageBuffer: member 1 of `%block` in StorageBuffer at offset 4 is not aligned to 8 bytes (storage buffer layout rules); the feature VK_KHR_relaxed_block_layout allows it
        %float 0, %vec3 16, %float 28; Uniform: accepted
        %float 0, %vec3 16, %float 28; StorageBuffer: accepted
        %float 0, %vec3 16, %float 24; Uniform: member 2 of `%block` in Uniform at offset 24 overlaps the previous member, which ends at offset 27 (uniform buffer layout rules)
        %float 0, %vec3 16, %float 24; StorageBuffer: member 2 of `%block` in StorageBuffer at offset 24 overlaps the previous member, which ends at offset 27 (storage buffer layout rules)
        %vec3 8; Uniform: member 0 of `%block` in Uniform at offset 8 is not aligned to 16 bytes (uniform buffer layout rules); the feature scalarBlockLayout allows it
        %vec3 8; StorageBuffer: member 0 of `%block` in StorageBuffer at offset 8 is not aligned to 16 bytes (storage buffer layout rules); the feature scalarBlockLayout allows it
        %vec4 8; Uniform: member 0 of `%block` in Uniform at offset 8 is not aligned to 16 bytes (uniform buffer layout rules); the feature scalarBlockLayout allows it
        %vec4 8; StorageBuffer: member 0 of `%block` in StorageBuffer at offset 8 is not aligned to 16 bytes (storage buffer layout rules); the feature scalarBlockLayout allows it
        %vec4 16; Uniform: accepted
        %vec4 16; StorageBuffer: accepted
        %half 0, %half 2; Uniform: accepted
        %half 0, %half 2; StorageBuffer: accepted
        %half 0, %hvec3 8; Uniform: accepted
        %half 0, %hvec3 8; StorageBuffer: accepted
        %half 0, %hvec3 4; Uniform: member 1 of `%block` in Uniform at offset 4 is not aligned to 8 bytes (uniform buffer layout rules); the feature VK_KHR_relaxed_block_layout allows it
        %half 0, %hvec3 4; StorageBuffer: member 1 of `%block` in StorageBuffer at offset 4 is not aligned to 8 bytes (storage buffer layout rules); the feature VK_KHR_relaxed_block_layout allows it
        %short 2, %float 4; Uniform: accepted
        %short 2, %float 4; StorageBuffer: accepted
        %short 1; Uniform: member 0 of `%block` in Uniform at offset 1 is not aligned to 2 bytes (uniform buffer layout rules)
        %short 1; StorageBuffer: member 0 of `%block` in StorageBuffer at offset 1 is not aligned to 2 bytes (storage buffer layout rules)
        %double 8, %long 16; Uniform: accepted
        %double 8, %long 16; StorageBuffer: accepted
        %double 4; Uniform: member 0 of `%block` in Uniform at offset 4 is not aligned to 8 bytes (uniform buffer layout rules)
        %double 4; StorageBuffer: member 0 of `%block` in StorageBuffer at offset 4 is not aligned to 8 bytes (storage buffer layout rules)
        %dvec2 8; Uniform: member 0 of `%block` in Uniform at offset 8 is not aligned to 16 bytes (uniform buffer layout rules); the feature scalarBlockLayout allows it
        %dvec2 8; StorageBuffer: member 0 of `%block` in StorageBuffer at offset 8 is not aligned to 16 bytes (storage buffer layout rules); the feature scalarBlockLayout allows it
        %dvec2 16, %float 32; Uniform: accepted
        %dvec2 16, %float 32; StorageBuffer: accepted
        %dvec2 16, %float 28; Uniform: member 1 of `%block` in Uniform at offset 28 overlaps the previous member, which ends at offset 31 (uniform buffer layout rules)
        %dvec2 16, %float 28; StorageBuffer: member 1 of `%block` in StorageBuffer at offset 28 overlaps the previous member, which ends at offset 31 (storage buffer layout rules)
        %float; Uniform: missing Offset decoration on member 0 of `%block`, which is used as a block
        %float; StorageBuffer: missing Offset decoration on member 0 of `%block`, which is used as a block
        %float 0, %float; Uniform: missing Offset decoration on member 1 of `%block`, which is used as a block
        %float 0, %float; StorageBuffer: missing Offset decoration on member 1 of `%block`, which is used as a block
    "#]].assert_eq(&found);
}

#[test]
fn arrays_matrices_and_structures() {
    let found = blocks(
        "vulkan1.0",
        "OpDecorate %a4 ArrayStride 4
OpDecorate %a16 ArrayStride 16
OpDecorate %a0 ArrayStride 0
OpDecorate %a20 ArrayStride 20
OpDecorate %v8 ArrayStride 8
OpDecorate %rows ArrayStride 32
OpDecorate %few ArrayStride 16
OpDecorate %nested ArrayStride 32
OpDecorate %tight ArrayStride 16
OpDecorate %endless ArrayStride 16
OpDecorate %structs ArrayStride 16
OpDecorate %short_structs ArrayStride 8
OpMemberDecorate %inner 0 Offset 0
OpMemberDecorate %inner 1 Offset 4
OpMemberDecorate %wrong 0 Offset 0
OpMemberDecorate %wrong 1 Offset 2",
        "%a4 = OpTypeArray %float %u3
%a16 = OpTypeArray %float %u3
%a0 = OpTypeArray %float %u3
%a20 = OpTypeArray %float %u3
%v8 = OpTypeArray %vec4 %u2
%rows = OpTypeArray %mat2 %u2
%few = OpTypeArray %mat2 %u2
%pair = OpTypeArray %float %u2
%nested = OpTypeArray %a16 %u2
%tight = OpTypeArray %a4 %u2
%endless = OpTypeRuntimeArray %float
%inner = OpTypeStruct %float %float
%wrong = OpTypeStruct %float %float
%structs = OpTypeArray %inner %u5
%short_structs = OpTypeArray %inner %u2",
        &[
            "%a4 0",
            "%a16 0, %float 48",
            "%a16 0, %float 36",
            "%a16 0, %float 32",
            "%a16 4",
            "%a0 0",
            "%a20 0",
            "%v8 0",
            "%mat2 0 MatrixStride 8 ColMajor -",
            "%mat2 0 MatrixStride 16 ColMajor -",
            "%mat2 0 MatrixStride 12 ColMajor -",
            "%mat2 0 MatrixStride 16 RowMajor -, %float 32",
            "%mat2 0 MatrixStride 16 RowMajor -, %float 20",
            "%mat3x2 0 MatrixStride 16 RowMajor -, %float 28",
            "%mat3x2 0 MatrixStride 16 RowMajor -, %float 24",
            "%mat3x2 0 MatrixStride 16 ColMajor -, %float 48",
            "%mat3x2 0 MatrixStride 16 ColMajor -, %float 44",
            "%rows 0 MatrixStride 16 ColMajor -",
            "%rows 0 MatrixStride 12 ColMajor -",
            "%few 0 MatrixStride 16 ColMajor -",
            "%nested 0",
            "%tight 0",
            "%endless 0",
            "%endless 16, %float 0",
            "%endless 0, %float 64",
            "%inner 0, %float 8",
            "%inner 0, %float 16",
            "%inner 0, %float 4",
            "%inner 4",
            "%wrong 0",
            "%structs 0, %float 80",
            "%structs 0, %float 72",
            "%short_structs 0",
        ],
    );
    expect![[r#"
        %a4 0; Uniform: member 0 of `%block` in Uniform has ArrayStride 4, which is not a multiple of 16 (uniform buffer layout rules); the feature uniformBufferStandardLayout allows it
        %a4 0; StorageBuffer: accepted
        %a16 0, %float 48; Uniform: accepted
        %a16 0, %float 48; StorageBuffer: accepted
        %a16 0, %float 36; Uniform: member 1 of `%block` in Uniform at offset 36 overlaps the previous member, which ends at offset 47 (uniform buffer layout rules); the feature uniformBufferStandardLayout allows it
        %a16 0, %float 36; StorageBuffer: accepted
        %a16 0, %float 32; Uniform: member 1 of `%block` in Uniform at offset 32 overlaps the previous member, which ends at offset 47 (uniform buffer layout rules)
        %a16 0, %float 32; StorageBuffer: member 1 of `%block` in StorageBuffer at offset 32 overlaps the previous member, which ends at offset 35 (storage buffer layout rules)
        %a16 4; Uniform: member 0 of `%block` in Uniform at offset 4 is not aligned to 16 bytes (uniform buffer layout rules); the feature uniformBufferStandardLayout allows it
        %a16 4; StorageBuffer: accepted
        %a0 0; Uniform: member 0 of `%block` in Uniform has an array with ArrayStride 0 (uniform buffer layout rules)
        %a0 0; StorageBuffer: member 0 of `%block` in StorageBuffer has an array with ArrayStride 0 (storage buffer layout rules)
        %a20 0; Uniform: member 0 of `%block` in Uniform has ArrayStride 20, which is not a multiple of 16 (uniform buffer layout rules); the feature uniformBufferStandardLayout allows it
        %a20 0; StorageBuffer: accepted
        %v8 0; Uniform: member 0 of `%block` in Uniform has ArrayStride 8, which is not a multiple of 16 (uniform buffer layout rules)
        %v8 0; StorageBuffer: member 0 of `%block` in StorageBuffer has ArrayStride 8, which is not a multiple of 16 (storage buffer layout rules)
        %mat2 0 MatrixStride 8 ColMajor -; Uniform: member 0 of `%block` in Uniform has MatrixStride 8, which is not a multiple of 16 (uniform buffer layout rules); the feature uniformBufferStandardLayout allows it
        %mat2 0 MatrixStride 8 ColMajor -; StorageBuffer: accepted
        %mat2 0 MatrixStride 16 ColMajor -; Uniform: accepted
        %mat2 0 MatrixStride 16 ColMajor -; StorageBuffer: accepted
        %mat2 0 MatrixStride 12 ColMajor -; Uniform: member 0 of `%block` in Uniform has MatrixStride 12, which is not a multiple of 16 (uniform buffer layout rules); the feature scalarBlockLayout allows it
        %mat2 0 MatrixStride 12 ColMajor -; StorageBuffer: member 0 of `%block` in StorageBuffer has MatrixStride 12, which is not a multiple of 8 (storage buffer layout rules); the feature scalarBlockLayout allows it
        %mat2 0 MatrixStride 16 RowMajor -, %float 32; Uniform: accepted
        %mat2 0 MatrixStride 16 RowMajor -, %float 32; StorageBuffer: accepted
        %mat2 0 MatrixStride 16 RowMajor -, %float 20; Uniform: member 1 of `%block` in Uniform at offset 20 overlaps the previous member, which ends at offset 23 (uniform buffer layout rules)
        %mat2 0 MatrixStride 16 RowMajor -, %float 20; StorageBuffer: member 1 of `%block` in StorageBuffer at offset 20 overlaps the previous member, which ends at offset 23 (storage buffer layout rules)
        %mat3x2 0 MatrixStride 16 RowMajor -, %float 28; Uniform: accepted
        %mat3x2 0 MatrixStride 16 RowMajor -, %float 28; StorageBuffer: accepted
        %mat3x2 0 MatrixStride 16 RowMajor -, %float 24; Uniform: member 1 of `%block` in Uniform at offset 24 overlaps the previous member, which ends at offset 27 (uniform buffer layout rules)
        %mat3x2 0 MatrixStride 16 RowMajor -, %float 24; StorageBuffer: member 1 of `%block` in StorageBuffer at offset 24 overlaps the previous member, which ends at offset 27 (storage buffer layout rules)
        %mat3x2 0 MatrixStride 16 ColMajor -, %float 48; Uniform: accepted
        %mat3x2 0 MatrixStride 16 ColMajor -, %float 48; StorageBuffer: accepted
        %mat3x2 0 MatrixStride 16 ColMajor -, %float 44; Uniform: member 1 of `%block` in Uniform at offset 44 overlaps the previous member, which ends at offset 47 (uniform buffer layout rules)
        %mat3x2 0 MatrixStride 16 ColMajor -, %float 44; StorageBuffer: member 1 of `%block` in StorageBuffer at offset 44 overlaps the previous member, which ends at offset 47 (storage buffer layout rules)
        %rows 0 MatrixStride 16 ColMajor -; Uniform: accepted
        %rows 0 MatrixStride 16 ColMajor -; StorageBuffer: accepted
        %rows 0 MatrixStride 12 ColMajor -; Uniform: member 0 of `%block` in Uniform has MatrixStride 12, which is not a multiple of 16 (uniform buffer layout rules); the feature scalarBlockLayout allows it
        %rows 0 MatrixStride 12 ColMajor -; StorageBuffer: member 0 of `%block` in StorageBuffer has MatrixStride 12, which is not a multiple of 8 (storage buffer layout rules); the feature scalarBlockLayout allows it
        %few 0 MatrixStride 16 ColMajor -; Uniform: member 0 of `%block` in Uniform has ArrayStride 16, but its elements have 32 bytes (uniform buffer layout rules)
        %few 0 MatrixStride 16 ColMajor -; StorageBuffer: member 0 of `%block` in StorageBuffer has ArrayStride 16, but its elements have 32 bytes (storage buffer layout rules)
        %nested 0; Uniform: member 0 of `%block` in Uniform has ArrayStride 32, but its elements have 36 bytes (uniform buffer layout rules)
        %nested 0; StorageBuffer: member 0 of `%block` in StorageBuffer has ArrayStride 32, but its elements have 36 bytes (storage buffer layout rules)
        %tight 0; Uniform: member 0 of `%block` in Uniform has ArrayStride 4, which is not a multiple of 16 (uniform buffer layout rules); the feature uniformBufferStandardLayout allows it
        %tight 0; StorageBuffer: accepted
        %endless 0; Uniform: in Vulkan, a structure with a runtime array requires the BufferBlock decoration [VUID-StandaloneSpirv-OpTypeRuntimeArray-04680]
        %endless 0; StorageBuffer: accepted
        %endless 16, %float 0; Uniform: in Vulkan, only the last member can be a runtime array [VUID-StandaloneSpirv-OpTypeRuntimeArray-04680]; in Vulkan, a structure with a runtime array requires the BufferBlock decoration [VUID-StandaloneSpirv-OpTypeRuntimeArray-04680]
        %endless 16, %float 0; StorageBuffer: in Vulkan, only the last member can be a runtime array [VUID-StandaloneSpirv-OpTypeRuntimeArray-04680]
        %endless 0, %float 64; Uniform: the runtime array in `%block` must be its last member; in Vulkan, only the last member can be a runtime array [VUID-StandaloneSpirv-OpTypeRuntimeArray-04680]; in Vulkan, a structure with a runtime array requires the BufferBlock decoration [VUID-StandaloneSpirv-OpTypeRuntimeArray-04680]
        %endless 0, %float 64; StorageBuffer: the runtime array in `%block` must be its last member; in Vulkan, only the last member can be a runtime array [VUID-StandaloneSpirv-OpTypeRuntimeArray-04680]
        %inner 0, %float 8; Uniform: member 1 of `%block` in Uniform at offset 8 overlaps the previous member, which ends at offset 15 (uniform buffer layout rules); the feature uniformBufferStandardLayout allows it
        %inner 0, %float 8; StorageBuffer: accepted
        %inner 0, %float 16; Uniform: accepted
        %inner 0, %float 16; StorageBuffer: accepted
        %inner 0, %float 4; Uniform: member 1 of `%block` in Uniform at offset 4 overlaps the previous member, which ends at offset 15 (uniform buffer layout rules)
        %inner 0, %float 4; StorageBuffer: member 1 of `%block` in StorageBuffer at offset 4 overlaps the previous member, which ends at offset 7 (storage buffer layout rules)
        %inner 4; Uniform: member 0 of `%block` in Uniform at offset 4 is not aligned to 16 bytes (uniform buffer layout rules); the feature uniformBufferStandardLayout allows it
        %inner 4; StorageBuffer: accepted
        %wrong 0; Uniform: member 1 of `%wrong` in Uniform at offset 2 is not aligned to 4 bytes (uniform buffer layout rules)
        %wrong 0; StorageBuffer: member 1 of `%wrong` in StorageBuffer at offset 2 is not aligned to 4 bytes (storage buffer layout rules)
        %structs 0, %float 80; Uniform: accepted
        %structs 0, %float 80; StorageBuffer: accepted
        %structs 0, %float 72; Uniform: member 1 of `%block` in Uniform at offset 72 overlaps the previous member, which ends at offset 79 (uniform buffer layout rules); the feature uniformBufferStandardLayout allows it
        %structs 0, %float 72; StorageBuffer: accepted
        %short_structs 0; Uniform: member 0 of `%block` in Uniform has ArrayStride 8, which is not a multiple of 16 (uniform buffer layout rules); the feature uniformBufferStandardLayout allows it
        %short_structs 0; StorageBuffer: accepted
    "#]].assert_eq(&found);
}

#[test]
fn vectors_in_relaxed_layouts() {
    let found = blocks(
        "vulkan1.1",
        "",
        "",
        &[
            "%float 0, %vec2 4",
            "%float 0, %vec2 12",
            "%float 0, %vec2 6",
            "%float 0, %vec3 4",
            "%float 0, %vec3 8",
            "%float 0, %vec4 4",
            "%float 0, %vec4 16",
            "%float 0, %dvec2 8",
            "%float 0, %dvec2 16",
            "%half 0, %hvec3 2",
            "%half 0, %hvec3 12",
        ],
    );
    expect![[r#"
        %float 0, %vec2 4; Uniform: accepted
        %float 0, %vec2 4; StorageBuffer: accepted
        %float 0, %vec2 12; Uniform: member 1 of `%block` in Uniform is a vector at offset 12 that straddles a 16-byte boundary (uniform buffer layout rules); the feature scalarBlockLayout allows it
        %float 0, %vec2 12; StorageBuffer: member 1 of `%block` in StorageBuffer is a vector at offset 12 that straddles a 16-byte boundary (storage buffer layout rules); the feature scalarBlockLayout allows it
        %float 0, %vec2 6; Uniform: member 1 of `%block` in Uniform at offset 6 is not aligned to 4 bytes (uniform buffer layout rules)
        %float 0, %vec2 6; StorageBuffer: member 1 of `%block` in StorageBuffer at offset 6 is not aligned to 4 bytes (storage buffer layout rules)
        %float 0, %vec3 4; Uniform: accepted
        %float 0, %vec3 4; StorageBuffer: accepted
        %float 0, %vec3 8; Uniform: member 1 of `%block` in Uniform is a vector at offset 8 that straddles a 16-byte boundary (uniform buffer layout rules); the feature scalarBlockLayout allows it
        %float 0, %vec3 8; StorageBuffer: member 1 of `%block` in StorageBuffer is a vector at offset 8 that straddles a 16-byte boundary (storage buffer layout rules); the feature scalarBlockLayout allows it
        %float 0, %vec4 4; Uniform: member 1 of `%block` in Uniform is a vector at offset 4 that straddles a 16-byte boundary (uniform buffer layout rules); the feature scalarBlockLayout allows it
        %float 0, %vec4 4; StorageBuffer: member 1 of `%block` in StorageBuffer is a vector at offset 4 that straddles a 16-byte boundary (storage buffer layout rules); the feature scalarBlockLayout allows it
        %float 0, %vec4 16; Uniform: accepted
        %float 0, %vec4 16; StorageBuffer: accepted
        %float 0, %dvec2 8; Uniform: member 1 of `%block` in Uniform is a vector at offset 8 that straddles a 16-byte boundary (uniform buffer layout rules); the feature scalarBlockLayout allows it
        %float 0, %dvec2 8; StorageBuffer: member 1 of `%block` in StorageBuffer is a vector at offset 8 that straddles a 16-byte boundary (storage buffer layout rules); the feature scalarBlockLayout allows it
        %float 0, %dvec2 16; Uniform: accepted
        %float 0, %dvec2 16; StorageBuffer: accepted
        %half 0, %hvec3 2; Uniform: accepted
        %half 0, %hvec3 2; StorageBuffer: accepted
        %half 0, %hvec3 12; Uniform: member 1 of `%block` in Uniform is a vector at offset 12 that straddles a 16-byte boundary (uniform buffer layout rules); the feature scalarBlockLayout allows it
        %half 0, %hvec3 12; StorageBuffer: member 1 of `%block` in StorageBuffer is a vector at offset 12 that straddles a 16-byte boundary (storage buffer layout rules); the feature scalarBlockLayout allows it
    "#]].assert_eq(&found);
}

/// Offsets and strides that are constants by id: those that follow from a specialization are not known.
#[test]
fn layouts_by_id() {
    let shader = |annotations: &str| {
        format!(
            "; target-env: vulkan1.4
OpCapability Shader
OpCapability UntypedPointersKHR
OpCapability DescriptorHeapEXT
OpExtension \"SPV_KHR_untyped_pointers\"
OpExtension \"SPV_EXT_descriptor_heap\"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main \"main\" %heap
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %heap BuiltIn ResourceHeapEXT
OpDecorate %spec SpecId 0
{annotations}%void = OpTypeVoid
%uint = OpTypeInt 32 0
%0u = OpConstant %uint 0
%4u = OpConstant %uint 4
%spec = OpSpecConstant %uint 8
%image = OpTypeImage %uint Buffer 0 0 0 2 R32ui
%s = OpTypeStruct %image %uint
%pointer = OpTypeUntypedPointerKHR UniformConstant
%heap = OpUntypedVariableKHR %pointer UniformConstant
%fn = OpTypeFunction %void
%main = OpFunction %void None %fn
%entry = OpLabel
%part = OpUntypedAccessChainKHR %pointer %s %heap %0u
OpReturn
OpFunctionEnd
"
        )
    };
    let member = |n: u32, by: &str| format!("OpMemberDecorateIdEXT %s {n} OffsetIdEXT {by}\n");
    let found = |first: &str, second: &str| {
        crate::rules::testing::findings(&shader(&format!("{}{}", member(0, first), member(1, second))))
    };
    let layout = |found: String| found.lines().filter(|line| line.contains("block-layout")).count();
    assert_eq!(layout(found("%0u", "%4u")), 0);
    assert_eq!(layout(found("%0u", "%spec")), 0);
    assert_eq!(layout(crate::rules::testing::findings(&shader(&member(0, "%0u")))), 1);
}

/// Handles have the size of the addressing mode where textures are bindless, pointers that of the addressing model.
#[test]
fn handles_and_pointers_have_sizes() {
    let found = |head: &str, mode: &str, member: &str, first: u32, second: u32| {
        Shader {
            head: &format!(
                "; target-env: vulkan1.2\nOpCapability Shader\nOpCapability PhysicalStorageBufferAddresses\n{head}"
            ),
            annotations: &format!(
                "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset {first}\nOpMemberDecorate %block 1 Offset {second}\n\
                 OpDecorate %var DescriptorSet 0\nOpDecorate %var Binding 0\nOpDecorate %to Block\nOpMemberDecorate %to 0 Offset 0"
            ),
            entry: &format!("{mode}OpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 1 1 1"),
            types: &format!(
                "%image = OpTypeImage %float 2D 0 0 0 1 Unknown\n%sampled = OpTypeSampledImage %image\n%sampler = OpTypeSampler\n\
                 %to = OpTypeStruct %uint\n%ptr = OpTypePointer PhysicalStorageBuffer %to\n%block = OpTypeStruct {member} %uint\n\
                 %p = OpTypePointer StorageBuffer %block\n%var = OpVariable %p StorageBuffer"
            ),
            body: "%x = OpLoad %block %var",
        }
        .findings_of("block-layout")
    };
    let bindless = "OpCapability BindlessTextureNV\nOpExtension \"SPV_NV_bindless_texture\"";
    let mut shown = String::new();
    for member in ["%image", "%sampled", "%sampler", "%ptr"] {
        for bits in [0, 32, 64] {
            let mode = format!("OpSamplerImageAddressingModeNV {bits}\n");
            let (head, mode) = if bits == 0 { ("", "") } else { (bindless, mode.as_str()) };
            for (first, second) in [(0, 0), (0, 4), (0, 8), (4, 12)] {
                let found = found(head, mode, member, first, second);
                shown +=
                    &format!("{member} at {first} and a number at {second}, handles of {bits} bits\n{found}");
            }
        }
    }
    expect![[r#"
        %image at 0 and a number at 0, handles of 0 bits
        %image at 0 and a number at 4, handles of 0 bits
        %image at 0 and a number at 8, handles of 0 bits
        %image at 4 and a number at 12, handles of 0 bits
        %image at 0 and a number at 0, handles of 32 bits
        error[block-layout] `%block`: member 1 of `%block` in StorageBuffer at offset 0 overlaps the previous member, which ends at offset 3 (storage buffer layout rules)
        %image at 0 and a number at 4, handles of 32 bits
        %image at 0 and a number at 8, handles of 32 bits
        %image at 4 and a number at 12, handles of 32 bits
        %image at 0 and a number at 0, handles of 64 bits
        error[block-layout] `%block`: member 1 of `%block` in StorageBuffer at offset 0 overlaps the previous member, which ends at offset 7 (storage buffer layout rules)
        %image at 0 and a number at 4, handles of 64 bits
        error[block-layout] `%block`: member 1 of `%block` in StorageBuffer at offset 4 overlaps the previous member, which ends at offset 7 (storage buffer layout rules)
        %image at 0 and a number at 8, handles of 64 bits
        %image at 4 and a number at 12, handles of 64 bits
        error[block-layout] `%block`: member 0 of `%block` in StorageBuffer at offset 4 is not aligned to 8 bytes (storage buffer layout rules)
        %sampled at 0 and a number at 0, handles of 0 bits
        %sampled at 0 and a number at 4, handles of 0 bits
        %sampled at 0 and a number at 8, handles of 0 bits
        %sampled at 4 and a number at 12, handles of 0 bits
        %sampled at 0 and a number at 0, handles of 32 bits
        error[block-layout] `%block`: member 1 of `%block` in StorageBuffer at offset 0 overlaps the previous member, which ends at offset 3 (storage buffer layout rules)
        %sampled at 0 and a number at 4, handles of 32 bits
        %sampled at 0 and a number at 8, handles of 32 bits
        %sampled at 4 and a number at 12, handles of 32 bits
        %sampled at 0 and a number at 0, handles of 64 bits
        error[block-layout] `%block`: member 1 of `%block` in StorageBuffer at offset 0 overlaps the previous member, which ends at offset 7 (storage buffer layout rules)
        %sampled at 0 and a number at 4, handles of 64 bits
        error[block-layout] `%block`: member 1 of `%block` in StorageBuffer at offset 4 overlaps the previous member, which ends at offset 7 (storage buffer layout rules)
        %sampled at 0 and a number at 8, handles of 64 bits
        %sampled at 4 and a number at 12, handles of 64 bits
        error[block-layout] `%block`: member 0 of `%block` in StorageBuffer at offset 4 is not aligned to 8 bytes (storage buffer layout rules)
        %sampler at 0 and a number at 0, handles of 0 bits
        %sampler at 0 and a number at 4, handles of 0 bits
        %sampler at 0 and a number at 8, handles of 0 bits
        %sampler at 4 and a number at 12, handles of 0 bits
        %sampler at 0 and a number at 0, handles of 32 bits
        error[block-layout] `%block`: member 1 of `%block` in StorageBuffer at offset 0 overlaps the previous member, which ends at offset 3 (storage buffer layout rules)
        %sampler at 0 and a number at 4, handles of 32 bits
        %sampler at 0 and a number at 8, handles of 32 bits
        %sampler at 4 and a number at 12, handles of 32 bits
        %sampler at 0 and a number at 0, handles of 64 bits
        error[block-layout] `%block`: member 1 of `%block` in StorageBuffer at offset 0 overlaps the previous member, which ends at offset 7 (storage buffer layout rules)
        %sampler at 0 and a number at 4, handles of 64 bits
        error[block-layout] `%block`: member 1 of `%block` in StorageBuffer at offset 4 overlaps the previous member, which ends at offset 7 (storage buffer layout rules)
        %sampler at 0 and a number at 8, handles of 64 bits
        %sampler at 4 and a number at 12, handles of 64 bits
        error[block-layout] `%block`: member 0 of `%block` in StorageBuffer at offset 4 is not aligned to 8 bytes (storage buffer layout rules)
        %ptr at 0 and a number at 0, handles of 0 bits
        error[block-layout] `%block`: member 1 of `%block` in StorageBuffer at offset 0 overlaps the previous member, which ends at offset 7 (storage buffer layout rules)
        %ptr at 0 and a number at 4, handles of 0 bits
        error[block-layout] `%block`: member 1 of `%block` in StorageBuffer at offset 4 overlaps the previous member, which ends at offset 7 (storage buffer layout rules)
        %ptr at 0 and a number at 8, handles of 0 bits
        %ptr at 4 and a number at 12, handles of 0 bits
        error[block-layout] `%block`: member 0 of `%block` in StorageBuffer at offset 4 is not aligned to 8 bytes (storage buffer layout rules)
        %ptr at 0 and a number at 0, handles of 32 bits
        error[block-layout] `%block`: member 1 of `%block` in StorageBuffer at offset 0 overlaps the previous member, which ends at offset 7 (storage buffer layout rules)
        %ptr at 0 and a number at 4, handles of 32 bits
        error[block-layout] `%block`: member 1 of `%block` in StorageBuffer at offset 4 overlaps the previous member, which ends at offset 7 (storage buffer layout rules)
        %ptr at 0 and a number at 8, handles of 32 bits
        %ptr at 4 and a number at 12, handles of 32 bits
        error[block-layout] `%block`: member 0 of `%block` in StorageBuffer at offset 4 is not aligned to 8 bytes (storage buffer layout rules)
        %ptr at 0 and a number at 0, handles of 64 bits
        error[block-layout] `%block`: member 1 of `%block` in StorageBuffer at offset 0 overlaps the previous member, which ends at offset 7 (storage buffer layout rules)
        %ptr at 0 and a number at 4, handles of 64 bits
        error[block-layout] `%block`: member 1 of `%block` in StorageBuffer at offset 4 overlaps the previous member, which ends at offset 7 (storage buffer layout rules)
        %ptr at 0 and a number at 8, handles of 64 bits
        %ptr at 4 and a number at 12, handles of 64 bits
        error[block-layout] `%block`: member 0 of `%block` in StorageBuffer at offset 4 is not aligned to 8 bytes (storage buffer layout rules)
    "#]]
    .assert_eq(&shown);
}

/// What a pointer to a buffer goes to is laid out by Vulkan's rules in its environments alone.
#[test]
fn blocks_behind_physical_pointers_follow_vulkan() {
    let found = |environment: &str| {
        Shader {
            head: &format!(
                "; target-env: {environment}\nOpCapability Shader\nOpCapability PhysicalStorageBufferAddresses\n\
                 OpExtension \"SPV_KHR_physical_storage_buffer\""
            ),
            annotations: "OpDecorate %array ArrayStride 12\nOpDecorate %to Block\nOpMemberDecorate %to 0 Offset 0\n\
                          OpDecorate %holder Block\nOpMemberDecorate %holder 0 Offset 0",
            entry: "OpEntryPoint GLCompute %main \"main\" %var\nOpExecutionMode %main LocalSize 1 1 1",
            types: "%v3 = OpTypeVector %float 3\n%array = OpTypeRuntimeArray %v3\n%to = OpTypeStruct %array\n\
                    %ptr = OpTypePointer PhysicalStorageBuffer %to\n%holder = OpTypeStruct %ptr\n\
                    %p = OpTypePointer PushConstant %holder\n%var = OpVariable %p PushConstant",
            body: "%x = OpLoad %holder %var\n%y = OpCompositeExtract %ptr %x 0",
        }
        .findings_of("block-layout")
    };
    expect![""].assert_eq(&found("spv1.5"));
    expect![[r#"
        error[block-layout] `%to`: member 0 of `%to` in PhysicalStorageBuffer has ArrayStride 12, which is not a multiple of 16 (storage buffer layout rules); the feature scalarBlockLayout allows it
    "#]].assert_eq(&found("vulkan1.2"));
}
