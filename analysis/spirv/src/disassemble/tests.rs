//! Modules with their names, and words that make none.

use expect_test::{Expect, expect};

use super::super::encode;
use super::*;
use wavelens_base::Options;

fn bytes(words: &[u32], to_bytes: fn(u32) -> [u8; 4]) -> Vec<u8> {
    words.iter().flat_map(|w| to_bytes(*w)).collect()
}

fn assembled(text: &str) -> Vec<u32> {
    let encoded = encode(text, &Options::default());
    assert!(!encoded.is_refused, "{text}");
    encoded.words()
}

/// What the text's words look like with friendly names, after checking that what is printed is stable.
fn check(text: &str, expected: Expect) {
    let words = assembled(text);
    let print = |words: &[u32], to_bytes, style| {
        disassemble(&bytes(words, to_bytes), style).unwrap_or_else(|e| e.to_string())
    };
    // The assembler finds the bound from the ids it sees, and there are none in `!` words.
    let insts = |words: Vec<u32>| words.get(HEADER..).unwrap_or_default().to_vec();
    let raw = print(&words, u32::to_le_bytes, IdStyle::Raw);
    assert_eq!(insts(assembled(&raw)), insts(words.clone()), "{raw}");
    let body = |text: &str| -> String {
        text.lines().skip(HEADER).map(|l| format!("{}\n", l.trim_start())).collect()
    };
    let friendly = print(&words, u32::to_be_bytes, IdStyle::Friendly);
    let again = print(&assembled(&friendly), u32::to_le_bytes, IdStyle::Friendly);
    assert_eq!(body(&again), body(&friendly));
    expected.assert_eq(&body(&friendly));
}

#[test]
fn names_come_from_names_builtins_types_and_values() {
    check(
        r#"OpCapability Shader
           %glsl = OpExtInstImport "GLSL.std.450"
           OpMemoryModel Logical GLSL450
           OpEntryPoint Fragment %1 "main" %3
           OpName %1 "main"
           OpName %2 "main"
           OpName %9 "7 up \"x\""
           OpDecorate %3 BuiltIn FragCoord
           %4 = OpTypeVoid
           %5 = OpTypeFloat 32
           %6 = OpTypeVector %5 4
           %7 = OpTypePointer Input %6
           %3 = OpVariable %7 Input
           %8 = OpConstant %5 -1.5
           %9 = OpTypeFunction %4
           %1 = OpFunction %4 None %9
           %2 = OpLabel
           %10 = OpExtInst %5 %glsl FMin %8 %8
           %11 = OpLoad %6 %3 Volatile|Aligned 4
           OpReturn
           OpFunctionEnd"#,
        expect![[r#"
            OpCapability Shader
            %12 = OpExtInstImport "GLSL.std.450"
            OpMemoryModel Logical GLSL450
            OpEntryPoint Fragment %main "main" %gl_FragCoord
            OpName %main "main"
            OpName %main_0 "main"
            OpName %_7_up__x_ "7 up \"x\""
            OpDecorate %gl_FragCoord BuiltIn FragCoord
            %void = OpTypeVoid
            %float = OpTypeFloat 32
            %v4float = OpTypeVector %float 4
            %_ptr_Input_v4float = OpTypePointer Input %v4float
            %gl_FragCoord = OpVariable %_ptr_Input_v4float Input
            %float_n1_5 = OpConstant %float -1.5
            %_7_up__x_ = OpTypeFunction %void
            %main = OpFunction %void None %_7_up__x_
            %main_0 = OpLabel
            %10 = OpExtInst %float %12 FMin %float_n1_5 %float_n1_5
            %11 = OpLoad %v4float %gl_FragCoord Volatile|Aligned 4
            OpReturn
            OpFunctionEnd
        "#]],
    );
}

#[test]
fn literals_keep_their_bits() {
    check(
        "%1 = OpString \"two\nlines \\\\ é\"",
        expect![[r#"
            %1 = OpString "two
            lines \\ é"
        "#]],
    );
    check(
        "%1 = OpTypeInt 64 1
         %2 = OpConstant %1 -5000000000
         %3 = OpTypeFloat 32
         %4 = OpConstant %3 -0x1.800002p+128
         %5 = OpTypeInt 8 0
         %6 = OpSpecConstant %5 255
         %7 = OpSpecConstantOp %5 UMod %6 %6
         OpSwitch %6 %8 1 %9 255 %8",
        expect![[r#"
            %long = OpTypeInt 64 1
            %long_n5000000000 = OpConstant %long -5000000000
            %float = OpTypeFloat 32
            %float_n0x1_800002p_128 = OpConstant %float -0x1.800002p+128
            %uchar = OpTypeInt 8 0
            %6 = OpSpecConstant %uchar 255
            %7 = OpSpecConstantOp %uchar UMod %6 %6
            OpSwitch %6 %8 1 %9 255 %8
        "#]],
    );
}

#[test]
fn what_is_not_known_stays_in_words() {
    check(
        "OpName %2 \"named\"\n OpDecorate %2 !65000 7\n OpUnknown(65001, 3) 1 2\n %4 = OpTypeArray !5 !6 !7",
        expect![[r#"
            OpName %2 "named"
            OpDecorate %2 !0xfde8 !0x7
            OpUnknown(65001, 3) 0x1 0x2
            OpUnknown(28, 5) 0x4 0x5 0x6 0x7
        "#]],
    );
}

#[test]
fn unknown_sets_stay_in_words() {
    check(
        "%1 = OpExtInstImport !5\n OpUnknown(12, 5) 2 3 1 7",
        expect![[r#"
            %1 = OpExtInstImport !0x5
            OpUnknown(12, 5) 0x2 0x3 0x1 0x7
        "#]],
    );
}

#[test]
fn corrupt_binaries_are_refused_with_a_place() {
    let refused = |words: &[u32], cut: usize| {
        let mut bytes = bytes(words, u32::to_le_bytes);
        bytes.truncate(bytes.len() - cut);
        disassemble(&bytes, IdStyle::Raw).map_err(|e| format!("{e}\n")).err().unwrap_or_default()
    };
    let header = [MAGIC, 0x10000, 0, 9, 0];
    let with = |more: &[u32]| [&header[..], more].concat();
    let found = [
        refused(&[MAGIC], 2),
        refused(&[1, 2], 0),
        refused(&header, 4),
        refused(&with(&[0x2_0011]), 1),
        refused(&with(&[0x2_0011, 1, 0]), 0),
        refused(&with(&[0x2_0011, 1, 0x4_0015, 5]), 0),
    ];
    expect![[r#"
        corrupt SPIR-V at word 0 (byte 0x0): expected a magic number of 4 bytes, found 2 bytes
        corrupt SPIR-V at word 0 (byte 0x0): expected the magic number 0x07230203, found 0x00000001
        corrupt SPIR-V at word 4 (byte 0x10): expected 5 header words, the file ends after 4
        corrupt SPIR-V at word 5 (byte 0x14): the last word of the file has only 3 bytes
        corrupt SPIR-V at word 7 (byte 0x1c): OpNop has a word count of 0
        corrupt SPIR-V at word 7 (byte 0x1c): OpTypeInt has a word count of 4, but the module ends after 2 words
    "#]]
    .assert_eq(&found.concat());
}

/// A name for each kind of type and of number.
#[test]
fn names_of_each_type() {
    check(
        r#"OpCapability Kernel
           OpCapability Addresses
           OpCapability Linkage
           OpMemoryModel Physical64 OpenCL
           OpName %1 ""
           OpName %2 "a b.c"
           OpName %3 "a_b_c"
           OpDecorate %4 BuiltIn GlobalInvocationId
           OpDecorate %5 BuiltIn SubgroupSize
           %6 = OpTypeVoid
           %7 = OpTypeBool
           %8 = OpTypeInt 8 0
           %9 = OpTypeInt 16 0
           %10 = OpTypeInt 32 0
           %11 = OpTypeInt 64 0
           %12 = OpTypeInt 8 1
           %13 = OpTypeInt 16 1
           %14 = OpTypeInt 32 1
           %15 = OpTypeInt 64 1
           %16 = OpTypeInt 24 0
           %17 = OpTypeInt 24 1
           %18 = OpTypeFloat 16
           %19 = OpTypeFloat 32
           %20 = OpTypeFloat 64
           %21 = OpTypeFloat 16 BFloat16KHR
           %22 = OpTypeFloat 8 Float8E4M3EXT
           %23 = OpTypeFloat 8 Float8E5M2EXT
           %24 = OpTypeVector %19 4
           %25 = OpTypeMatrix %24 3
           %26 = OpConstant %10 4
           %27 = OpTypeArray %19 %26
           %28 = OpTypeRuntimeArray %19
           %29 = OpTypeStruct %19 %10
           %30 = OpTypePointer CrossWorkgroup %29
           %31 = OpTypePointer Function %19
           %32 = OpTypePipe ReadOnly
           %33 = OpTypePipe WriteOnly
           %34 = OpTypeEvent
           %35 = OpTypeDeviceEvent
           %36 = OpTypeReserveId
           %37 = OpTypeQueue
           %38 = OpTypePipeStorage
           %39 = OpTypeNamedBarrier
           %40 = OpTypeOpaque "thing"
           %41 = OpTypeSampler
           %42 = OpTypeFunction %6 %30
           %43 = OpConstantTrue %7
           %44 = OpConstantFalse %7
           %45 = OpConstant %14 -7
           %46 = OpConstant %19 0.5
           %47 = OpConstant %20 -2
           %48 = OpConstant %11 18446744073709551615
           %49 = OpConstant %10 4
           %50 = OpSpecConstant %10 4
           %1 = OpConstantNull %10
           %2 = OpConstantNull %10
           %3 = OpConstantNull %10
           %4 = OpConstantNull %10
           %5 = OpConstantNull %10"#,
        expect![[r#"
            OpCapability Kernel
            OpCapability Addresses
            OpCapability Linkage
            OpMemoryModel Physical64 OpenCL
            OpName %_ ""
            OpName %a_b_c "a b.c"
            OpName %a_b_c_0 "a_b_c"
            OpDecorate %gl_GlobalInvocationID BuiltIn GlobalInvocationId
            OpDecorate %SubgroupSize BuiltIn SubgroupSize
            %void = OpTypeVoid
            %bool = OpTypeBool
            %uchar = OpTypeInt 8 0
            %ushort = OpTypeInt 16 0
            %uint = OpTypeInt 32 0
            %ulong = OpTypeInt 64 0
            %char = OpTypeInt 8 1
            %short = OpTypeInt 16 1
            %int = OpTypeInt 32 1
            %long = OpTypeInt 64 1
            %u24 = OpTypeInt 24 0
            %i24 = OpTypeInt 24 1
            %half = OpTypeFloat 16
            %float = OpTypeFloat 32
            %double = OpTypeFloat 64
            %bfloat16 = OpTypeFloat 16 BFloat16KHR
            %fp8e4m3 = OpTypeFloat 8 Float8E4M3EXT
            %fp8e5m2 = OpTypeFloat 8 Float8E5M2EXT
            %v4float = OpTypeVector %float 4
            %mat3v4float = OpTypeMatrix %v4float 3
            %uint_4 = OpConstant %uint 4
            %_arr_float_uint_4 = OpTypeArray %float %uint_4
            %_runtimearr_float = OpTypeRuntimeArray %float
            %_struct_29 = OpTypeStruct %float %uint
            %_ptr_CrossWorkgroup__struct_29 = OpTypePointer CrossWorkgroup %_struct_29
            %_ptr_Function_float = OpTypePointer Function %float
            %PipeReadOnly = OpTypePipe ReadOnly
            %PipeWriteOnly = OpTypePipe WriteOnly
            %Event = OpTypeEvent
            %DeviceEvent = OpTypeDeviceEvent
            %ReserveId = OpTypeReserveId
            %Queue = OpTypeQueue
            %PipeStorage = OpTypePipeStorage
            %NamedBarrier = OpTypeNamedBarrier
            %Opaque_thing = OpTypeOpaque "thing"
            %41 = OpTypeSampler
            %42 = OpTypeFunction %void %_ptr_CrossWorkgroup__struct_29
            %true = OpConstantTrue %bool
            %false = OpConstantFalse %bool
            %int_n7 = OpConstant %int -7
            %float_0_5 = OpConstant %float 0.5
            %double_n2 = OpConstant %double -2
            %ulong_18446744073709551615 = OpConstant %ulong 18446744073709551615
            %uint_4_0 = OpConstant %uint 4
            %50 = OpSpecConstant %uint 4
            %_ = OpConstantNull %uint
            %a_b_c = OpConstantNull %uint
            %a_b_c_0 = OpConstantNull %uint
            %gl_GlobalInvocationID = OpConstantNull %uint
            %SubgroupSize = OpConstantNull %uint
        "#]],
    );
}

#[test]
fn generators_have_names() {
    let known = (0..64).filter_map(|n| Some(format!("{n} {}\n", generator_name(n)?)));
    expect![[r#"
        0 Khronos
        6 Khronos LLVM/SPIR-V Translator
        7 Khronos SPIR-V Tools Assembler
        8 Khronos Glslang Reference Front End
        13 Google Shaderc over Glslang
        14 Google spiregg
        15 Google rspirv
        17 Khronos SPIR-V Tools Linker
        21 Google clspv
        22 Google MLIR SPIR-V Serializer
        23 Google Tint Compiler
        28 gfx-rs community naga
        40 NVIDIA Slang Compiler
        43 LLVM LLVM SPIR-V Backend
    "#]]
    .assert_eq(&known.collect::<String>());
}
