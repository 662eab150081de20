//! The examples of the rules: two entry points that differ in a few words.

/// A vertex and a fragment shader with one variable between them: decorations, and its two types.
macro_rules! pipeline {
    ($decorations:literal, $out:literal, $in:literal) => {
        concat!(
            "OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %vs \"vs\" %out
OpEntryPoint Fragment %fs \"fs\" %in
OpExecutionMode %fs OriginUpperLeft
",
            $decorations,
            "
%void = OpTypeVoid
%int = OpTypeInt 32 1
%float = OpTypeFloat 32
%out_ptr = OpTypePointer Output ",
            $out,
            "
%in_ptr = OpTypePointer Input ",
            $in,
            "
%out = OpVariable %out_ptr Output
%in = OpVariable %in_ptr Input
%fn = OpTypeFunction %void
%vs = OpFunction %void None %fn
%vs_entry = OpLabel
OpReturn
OpFunctionEnd
%fs = OpFunction %void None %fn
%fs_entry = OpLabel
OpReturn
OpFunctionEnd
"
        )
    };
}

/// A vertex and a fragment shader with a block between them: the members of each.
macro_rules! block {
    ($out:literal, $in:literal) => {
        concat!(
            "OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %vs \"vs\" %out
OpEntryPoint Fragment %fs \"fs\" %in
OpExecutionMode %fs OriginUpperLeft
OpDecorate %Out Block
OpDecorate %In Block
OpDecorate %out Location 0
OpDecorate %in Location 0
%void = OpTypeVoid
%float = OpTypeFloat 32
%Out = OpTypeStruct ",
            $out,
            "
%In = OpTypeStruct ",
            $in,
            "
%out_ptr = OpTypePointer Output %Out
%in_ptr = OpTypePointer Input %In
%out = OpVariable %out_ptr Output
%in = OpVariable %in_ptr Input
%fn = OpTypeFunction %void
%vs = OpFunction %void None %fn
%vs_entry = OpLabel
OpReturn
OpFunctionEnd
%fs = OpFunction %void None %fn
%fs_entry = OpLabel
OpReturn
OpFunctionEnd
"
        )
    };
}

/// Two tessellation shaders with a value that one of them decorates: the decoration of the output.
macro_rules! patch {
    ($decoration:literal) => {
        concat!(
            "OpCapability Tessellation
OpMemoryModel Logical GLSL450
OpEntryPoint TessellationControl %control \"control\" %out
OpEntryPoint TessellationEvaluation %evaluation \"evaluation\" %in
OpExecutionMode %control OutputVertices 3
OpExecutionMode %evaluation Triangles
OpDecorate %out Location 0
OpDecorate %in Location 0
",
            $decoration,
            "OpDecorate %in Patch
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%three = OpConstant %uint 3
%float = OpTypeFloat 32
%floats = OpTypeArray %float %three
%out_ptr = OpTypePointer Output %floats
%in_ptr = OpTypePointer Input %floats
%out = OpVariable %out_ptr Output
%in = OpVariable %in_ptr Input
%fn = OpTypeFunction %void
%control = OpFunction %void None %fn
%control_entry = OpLabel
OpReturn
OpFunctionEnd
%evaluation = OpFunction %void None %fn
%evaluation_entry = OpLabel
OpReturn
OpFunctionEnd
"
        )
    };
}

/// Two tessellation shaders: the mode of the first, and Triangles.
macro_rules! tessellation {
    ($mode:literal) => {
        concat!(
            "OpCapability Tessellation
OpMemoryModel Logical GLSL450
OpEntryPoint TessellationControl %control \"control\"
OpEntryPoint TessellationEvaluation %evaluation \"evaluation\"
OpExecutionMode %control OutputVertices 3
OpExecutionMode %control ",
            $mode,
            "
OpExecutionMode %evaluation Triangles
%void = OpTypeVoid
%fn = OpTypeFunction %void
%control = OpFunction %void None %fn
%control_entry = OpLabel
OpReturn
OpFunctionEnd
%evaluation = OpFunction %void None %fn
%evaluation_entry = OpLabel
OpReturn
OpFunctionEnd
"
        )
    };
}

/// A geometry shader, with a part of its interface, and a fragment shader that reads PrimitiveId.
macro_rules! primitive_id {
    ($output:literal) => {
        concat!(
            "OpCapability Geometry
OpMemoryModel Logical GLSL450
OpEntryPoint Geometry %gs \"gs\"",
            $output,
            "
OpEntryPoint Fragment %fs \"fs\" %in_id
OpExecutionMode %gs InputPoints
OpExecutionMode %gs OutputPoints
OpExecutionMode %gs OutputVertices 1
OpExecutionMode %fs OriginUpperLeft
OpDecorate %out_id BuiltIn PrimitiveId
OpDecorate %in_id BuiltIn PrimitiveId
OpDecorate %in_id Flat
%void = OpTypeVoid
%int = OpTypeInt 32 1
%out_ptr = OpTypePointer Output %int
%in_ptr = OpTypePointer Input %int
%out_id = OpVariable %out_ptr Output
%in_id = OpVariable %in_ptr Input
%fn = OpTypeFunction %void
%gs = OpFunction %void None %fn
%gs_entry = OpLabel
OpReturn
OpFunctionEnd
%fs = OpFunction %void None %fn
%fs_entry = OpLabel
%id = OpLoad %int %in_id
OpReturn
OpFunctionEnd
"
        )
    };
}

/// A vertex and a fragment shader that use one binding: the two types.
macro_rules! descriptor {
    ($first:literal, $second:literal) => {
        concat!(
            "; Version: 1.3
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %vs \"vs\"
OpEntryPoint Fragment %fs \"fs\"
OpExecutionMode %fs OriginUpperLeft
OpDecorate %first DescriptorSet 0
OpDecorate %first Binding 0
OpDecorate %second DescriptorSet 0
OpDecorate %second Binding 0
%void = OpTypeVoid
%float = OpTypeFloat 32
%storage = OpTypeImage %float 2D 0 0 0 2 Rgba8
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%sampled = OpTypeSampledImage %image
%first_ptr = OpTypePointer UniformConstant ",
            $first,
            "
%second_ptr = OpTypePointer UniformConstant ",
            $second,
            "
%first = OpVariable %first_ptr UniformConstant
%second = OpVariable %second_ptr UniformConstant
%fn = OpTypeFunction %void
%vs = OpFunction %void None %fn
%vs_entry = OpLabel
%a = OpLoad ",
            $first,
            " %first
OpReturn
OpFunctionEnd
%fs = OpFunction %void None %fn
%fs_entry = OpLabel
%b = OpLoad ",
            $second,
            " %second
OpReturn
OpFunctionEnd
"
        )
    };
}

/// A vertex and a fragment shader that use the same bytes: the storage class, decorations, and the members of the second block.
macro_rules! block_layout {
    ($class:literal, $decorations:literal, $members:literal) => {
        concat!(
            "; Version: 1.3
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %vs \"vs\"
OpEntryPoint Fragment %fs \"fs\"
OpExecutionMode %fs OriginUpperLeft
OpDecorate %First Block
OpDecorate %Second Block
OpMemberDecorate %First 0 Offset 0
OpMemberDecorate %First 1 Offset 16
OpMemberDecorate %Second 0 Offset 0
OpMemberDecorate %Second 1 Offset 16
",
            $decorations,
            "%void = OpTypeVoid
%int = OpTypeInt 32 1
%float = OpTypeFloat 32
%vec4 = OpTypeVector %float 4
%First = OpTypeStruct %vec4 %int
%Second = OpTypeStruct ",
            $members,
            "
%first_ptr = OpTypePointer ",
            $class,
            " %First
%second_ptr = OpTypePointer ",
            $class,
            " %Second
%first = OpVariable %first_ptr ",
            $class,
            "
%second = OpVariable %second_ptr ",
            $class,
            "
%fn = OpTypeFunction %void
%vs = OpFunction %void None %fn
%vs_entry = OpLabel
%a = OpLoad %First %first
OpReturn
OpFunctionEnd
%fs = OpFunction %void None %fn
%fs_entry = OpLabel
%b = OpLoad %Second %second
OpReturn
OpFunctionEnd
"
        )
    };
}

/// Two modules with a specialization constant: type and value of each.
macro_rules! specialization {
    ($first:literal, $one:literal, $second:literal, $other:literal) => {
        concat!(
            "; RUN: split-file %s %t
;--- a.spvasm
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %vs \"vs\"
OpDecorate %size SpecId 0
%void = OpTypeVoid
%int = OpTypeInt 32 1
%float = OpTypeFloat 32
%size = OpSpecConstant ",
            $first,
            " ",
            $one,
            "
%fn = OpTypeFunction %void
%vs = OpFunction %void None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
;--- b.spvasm
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %fs \"fs\"
OpExecutionMode %fs OriginUpperLeft
OpDecorate %size SpecId 0
%void = OpTypeVoid
%int = OpTypeInt 32 1
%float = OpTypeFloat 32
%size = OpSpecConstant ",
            $second,
            " ",
            $other,
            "
%fn = OpTypeFunction %void
%fs = OpFunction %void None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
"
        )
    };
}

/// A task and a mesh shader with a payload: its members in each.
macro_rules! payload {
    ($task:literal, $mesh:literal) => {
        concat!(
            "; target-env: vulkan1.3
OpCapability MeshShadingEXT
OpExtension \"SPV_EXT_mesh_shader\"
OpMemoryModel Logical GLSL450
OpEntryPoint TaskEXT %ts \"ts\" %given
OpEntryPoint MeshEXT %ms \"ms\" %taken
OpExecutionMode %ts LocalSize 1 1 1
OpExecutionMode %ms LocalSize 1 1 1
OpExecutionMode %ms OutputVertices 3
OpExecutionMode %ms OutputPrimitivesEXT 1
OpExecutionMode %ms OutputTrianglesEXT
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%one = OpConstant %uint 1
%Given = OpTypeStruct ",
            $task,
            "
%Taken = OpTypeStruct ",
            $mesh,
            "
%given_ptr = OpTypePointer TaskPayloadWorkgroupEXT %Given
%taken_ptr = OpTypePointer TaskPayloadWorkgroupEXT %Taken
%given = OpVariable %given_ptr TaskPayloadWorkgroupEXT
%taken = OpVariable %taken_ptr TaskPayloadWorkgroupEXT
%fn = OpTypeFunction %void
%ts = OpFunction %void None %fn
%ts_entry = OpLabel
OpEmitMeshTasksEXT %one %one %one %given
OpFunctionEnd
%ms = OpFunction %void None %fn
%ms_entry = OpLabel
OpSetMeshOutputsEXT %one %one
OpReturn
OpFunctionEnd
"
        )
    };
}
