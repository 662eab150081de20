//! Places of each language at which an editor proposes words, with the starts of words that reach all of them.

use super::PROCESSORS;

/// A place in a text, and the starts of the words that are proposed there.
#[derive(Debug, Clone)]
pub struct Place {
    pub extension: &'static str,
    /// A processor, or `-`.
    pub machine: &'static str,
    pub before: String,
    pub after: String,
    pub starts: &'static [&'static str],
}

const MODULE: &str = "OpCapability Shader
OpCapability Kernel
%std = OpExtInstImport \"GLSL.std.450\"
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main \"main\"
%void = OpTypeVoid
%bool = OpTypeBool
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%v2float = OpTypeVector %float 2
%v4float = OpTypeVector %float 4
%mat = OpTypeMatrix %v4float 4
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%sampled = OpTypeSampledImage %image
%pair = OpTypeStruct %float %v4float
%pointer = OpTypePointer Function %pair
%pointer_int = OpTypePointer Function %int
%function = OpTypeFunction %void
%true = OpConstantTrue %bool
%c1 = OpConstant %int 1
%u2 = OpConstant %uint 2
%f3 = OpConstant %float 3
%v = OpConstantComposite %v4float %f3 %f3 %f3 %f3
";

const BODY: &str = "%main = OpFunction %void None %function
%start = OpLabel
%x = OpVariable %pointer Function
%y = OpVariable %pointer_int Function
%z = OpLoad %int %y
";

const END: &str = "\nOpReturn\nOpFunctionEnd\n";

fn place(
    extension: &'static str,
    before: impl Into<String>,
    after: &str,
    starts: &'static [&'static str],
) -> Place {
    let machine = if extension == "mir" { "gfx90a" } else { "-" };
    Place { extension, machine, before: before.into(), after: after.to_owned(), starts }
}

fn spirv() -> Vec<Place> {
    let body = |line: &str| format!("{MODULE}{BODY}{line}");
    let results = &[
        "OpA", "OpB", "OpC", "OpD", "OpE", "OpF", "OpG", "OpI", "OpL", "OpM", "OpN", "OpO", "OpP", "OpQ",
        "OpR", "OpS", "OpT", "OpU", "OpV", "OpW",
    ];
    vec![
        place("spvasm", body("%r = "), END, results),
        place("spvasm", body(""), END, &["OpB", "OpEm", "OpM", "OpR", "OpS"]),
        place("spvasm", body("%r = OpExtInst %float %std "), END, &["", "A", "F", "S", "U"]),
        place("spvasm", "OpCapability ", "\n", &["", "A", "F", "I", "S", "U"]),
        place("spvasm", "OpDecorate %a ", "\n", &["", "F", "R"]),
        place("spvasm", "OpDecorate %a BuiltIn ", "\n", &["", "S"]),
        place("spvasm", "OpExecutionMode %a ", "\n", &["", "S"]),
        place("spvasm", "%t = OpTypeImage %f ", "\n", &[""]),
        place("spvasm", "%t = OpTypePointer ", "\n", &[""]),
    ]
}

fn llvm() -> Vec<Place> {
    let body = "declare void @g(ptr, i32)\n%pair = type { i32, ptr }\n@data = global i32 0\n\
        define i32 @f(ptr %p, i32 %a, float %b, <4 x i32> %v, i1 %c) {\nstart:\n  %x = load i32, ptr %p\n  ";
    let with = |line: &str| format!("{body}{line}");
    let end = "\n  ret i32 0\n}\n";
    vec![
        place("ll", with(""), end, &["", "a", "c", "f", "i", "s", "u"]),
        place("ll", with("%r = "), end, &["", "a", "c", "f", "i", "s", "u"]),
        place(
            "ll",
            with("call void @"),
            end,
            &["", "llvm.a", "llvm.c", "llvm.f", "llvm.m", "llvm.v", "llvm.amdgcn.s"],
        ),
        place("ll", "define ", " void @f() {\n  ret void\n}\n", &["", "a", "d", "p"]),
        place("ll", "define void @f() ", " {\n  ret void\n}\n", &["", "a", "m", "n", "s"]),
        place("ll", "define void @f(ptr ", " %p) {\n  ret void\n}\n", &["", "a", "n"]),
        place("ll", "@g = ", " global i32 0\n", &[""]),
        place("ll", "!0 = !", "\n", &["DI"]),
        place("ll", "!0 = !DIBasicType(", ")\n", &[""]),
        place("ll", "!0 = !DICompositeType(tag: ", ")\n", &["DW_"]),
    ]
}

fn mir() -> Vec<Place> {
    let body = "name: f\ntracksRegLiveness: true\nregisters:\n  - { id: 0, class: vgpr_32 }\nbody: |\n  bb.0:\n    \
        liveins: $sgpr0, $vgpr0\n    %1:_(s32) = COPY $vgpr0\n    %2:_(p1) = G_IMPLICIT_DEF\n    ";
    let with = |line: &str| format!("{body}{line}");
    vec![
        place(
            "mir",
            with("%3:_(s32) = "),
            "\n    S_ENDPGM 0\n",
            &["G_", "G_A", "G_F", "G_I", "G_S", "G_U", "G_V", "S_ADD", "V_ADD", "DS_", "BUFFER_", "PHI"],
        ),
        place("mir", with(""), "\n    S_ENDPGM 0\n", &["", "S_C", "G_B", "G_M", "DBG", "INL"]),
        place("mir", with("%3:"), " = COPY $vgpr0\n", &["", "s", "v", "a"]),
        place("mir", with("%3:vgpr_32 = COPY $"), "\n", &["", "sgpr", "vgpr", "a", "v", "e"]),
        place("mir", "name: f\n", "\nbody: |\n", &["", "s"]),
        place("mir", "name: f\nframeInfo:\n  ", "\nbody: |\n", &[""]),
    ]
}

fn amdgpu() -> Vec<Place> {
    let starts = &["", "s_", "v_", "ds_", "buffer_", "global_", "image_", "flat_", ".amdhsa_", "."];
    let of = |machine| Place { machine, ..place("s", "", "\n", starts) };
    PROCESSORS.into_iter().map(of).collect()
}

/// All places.
pub fn places() -> Vec<Place> {
    [spirv(), llvm(), mir(), amdgpu()].concat()
}
