//! The stages of pipelines: modules that fit together have no findings, each seeded mismatch has one.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;
use wavelens_base::Options;
use wavelens_check::disassemble::{IdStyle, disassemble};
use wavelens_spirv::rules::pipeline::{Module, check};
use wavelens_test_support::required;
use wavelens_tests::client::Client;
use wavelens_tests::random::Random;

macro_rules! files {
    ($($name:literal),*) => { &[$(($name, include_str!(concat!("../../data/spirv/interface/", $name, ".spvasm")))),*] };
}

type Pipeline = &'static [(&'static str, &'static str)];

/// What glslang makes of a vertex and a fragment shader with all kinds of interfaces.
const SCENE: Pipeline = files!["scene.vert", "scene.frag"];
/// The stages with tessellation and a geometry shader.
const PATCH: Pipeline = files!["patch.vert", "patch.tesc", "patch.tese", "patch.geom", "patch.frag"];
/// A mesh shader and its fragment shader.
const MESH: Pipeline = files!["mesh.mesh", "mesh.frag"];

/// The codes of all findings.
fn codes(texts: &[(PathBuf, String)]) -> Vec<&'static str> {
    let options = Options::default();
    let modules: Vec<Module> =
        texts.iter().flat_map(|(path, text)| Module::read(path.clone(), text, &options)).collect();
    let found = check(&modules, &[], &options).expect("one pipeline");
    found.into_iter().flatten().map(|finding| finding.rule.code).collect()
}

fn texts(pipeline: Pipeline) -> Vec<(PathBuf, String)> {
    pipeline.iter().map(|(name, text)| (PathBuf::from(name), (*text).to_owned())).collect()
}

#[test]
fn stages_that_fit_have_no_findings() {
    for pipeline in [SCENE, PATCH, MESH] {
        assert_eq!(codes(&texts(pipeline)), [""; 0], "{}", pipeline[0].0);
    }
}

/// A file, a part of its text, what replaces it, and the code that is found.
type Seed = (&'static str, &'static str, &'static str, &'static str);

const SCENE_SEEDS: &[Seed] = &[
    ("scene.vert", "%normal Location 0", "%normal Location 30", "stage-input"),
    ("scene.frag", "%normal Location 0", "%normal Location 20", "stage-input"),
    ("scene.frag", "%uv Location 1", "%uv Location 21", "stage-input"),
    ("scene.frag", "%alpha Component 0", "%alpha Component 3", "stage-input"),
    ("scene.frag", "%beta Component 1", "%beta Component 2", "stage-input"),
    (
        "scene.frag",
        "%uv = OpVariable %_ptr_Input_v2float",
        "%uv = OpVariable %_ptr_Input_v3float",
        "stage-input",
    ),
    ("scene.frag", "%surface Location 7", "%surface Location 8", "stage-input"),
    (
        "scene.frag",
        "OpTypeStruct %v4float %v2float %_arr_float_uint_2",
        "OpTypeStruct %v2float %v4float %_arr_float_uint_2",
        "stage-input",
    ),
    (
        "scene.frag",
        "OpTypeStruct %v4float %v2float %_arr_float_uint_2",
        "OpTypeStruct %v4float %v2float",
        "stage-block",
    ),
    ("scene.frag", "OpTypeArray %float %uint_2", "OpTypeArray %float %uint_4", "stage-input"),
    (
        "scene.frag",
        "%Part = OpTypeStruct %v4float %float",
        "%Part = OpTypeStruct %float %v4float",
        "stage-input",
    ),
    ("scene.frag", "%part Location 12", "%part Location 13", "stage-input"),
    ("scene.frag", "%tangents Location 4", "%tangents Location 5", "stage-type"),
    (
        "scene.frag",
        "%tangents = OpVariable %_ptr_Input_mat3v3float",
        "%three = OpConstant %uint 3\n%columns = OpTypeArray %v3float %three\n%in_columns = OpTypePointer Input %columns\n%tangents = OpVariable %in_columns",
        "stage-type",
    ),
    ("scene.frag", "%id = OpVariable %_ptr_Input_int", "%id = OpVariable %_ptr_Input_uint", "stage-type"),
    ("scene.frag", "%id = OpVariable %_ptr_Input_int", "%id = OpVariable %_ptr_Input_float", "stage-type"),
    (
        "scene.frag",
        "%mask = OpVariable %_ptr_Input_v4uint",
        "%mask = OpVariable %_ptr_Input_v4float",
        "stage-type",
    ),
    (
        "scene.frag",
        "%mask = OpVariable %_ptr_Input_v4uint",
        "%mask = OpVariable %_ptr_Input_uint",
        "stage-type",
    ),
    (
        "scene.frag",
        "%exact = OpVariable %_ptr_Input_v2double",
        "%exact = OpVariable %_ptr_Input_v4float",
        "stage-type",
    ),
    ("scene.frag", "OpDecorate %depth NoPerspective\n", "", "stage-interpolation"),
    ("scene.frag", "%id Flat", "%id Centroid", "stage-interpolation"),
    (
        "scene.frag",
        "%heights = OpVariable %_ptr_UniformConstant_11",
        "%heights = OpVariable %_ptr_UniformConstant_69",
        "shared-descriptor",
    ),
    (
        "scene.frag",
        "OpTypeImage %float 2D 0 0 0 2 Rgba8",
        "OpTypeImage %float 2D 0 0 0 2 R32f",
        "shared-descriptor",
    ),
    (
        "scene.frag",
        "%target = OpVariable %_ptr_UniformConstant_39",
        "%target = OpVariable %_ptr_UniformConstant_10",
        "shared-descriptor",
    ),
    (
        "scene.frag",
        "%albedo = OpVariable %_ptr_UniformConstant_10",
        "%albedo = OpVariable %_ptr_UniformConstant_39",
        "shared-descriptor",
    ),
    (
        "scene.frag",
        "%nearest = OpVariable %_ptr_UniformConstant_50",
        "%nearest = OpVariable %_ptr_UniformConstant_39",
        "shared-descriptor",
    ),
    ("scene.frag", "OpTypeImage %uint 2D", "OpTypeImage %int 2D", "shared-descriptor"),
    (
        "scene.frag",
        "%sky = OpVariable %_ptr_UniformConstant_69",
        "%sky = OpVariable %_ptr_UniformConstant_11",
        "shared-descriptor",
    ),
    (
        "scene.frag",
        "%layers = OpVariable %_ptr_UniformConstant_80",
        "%layers = OpVariable %_ptr_UniformConstant_11",
        "shared-descriptor",
    ),
    (
        "scene.frag",
        "%depths = OpVariable %_ptr_UniformConstant_88",
        "%depths = OpVariable %_ptr_UniformConstant_11",
        "shared-descriptor",
    ),
    (
        "scene.frag",
        "%curve = OpVariable %_ptr_UniformConstant_96",
        "%curve = OpVariable %_ptr_UniformConstant_11",
        "shared-descriptor",
    ),
    ("scene.frag", "%Lights BufferBlock", "%Lights Block", "shared-descriptor"),
    ("scene.frag", "%View 2 Offset 80", "%View 2 Offset 84", "shared-buffer"),
    (
        "scene.frag",
        "%View = OpTypeStruct %mat4v4float %v4float %float %int",
        "%View = OpTypeStruct %mat4v4float %v4float %int %float",
        "shared-buffer",
    ),
    ("scene.frag", "%View 0 ColMajor", "%View 0 RowMajor", "shared-buffer"),
    ("scene.frag", "%View 0 MatrixStride 16", "%View 0 MatrixStride 32", "shared-buffer"),
    (
        "scene.frag",
        "%_arr_v4float_uint_4 ArrayStride 16",
        "%_arr_v4float_uint_4 ArrayStride 32",
        "shared-buffer",
    ),
    ("scene.frag", "%Object 1 Offset 64", "%Object 1 Offset 72", "shared-push-constant"),
    (
        "scene.frag",
        "%Object = OpTypeStruct %mat4v4float %v4float %int",
        "%Object = OpTypeStruct %mat4v4float %int %v4float",
        "shared-push-constant",
    ),
    ("scene.vert", "%Object 0 ColMajor", "%Object 0 RowMajor", "shared-push-constant"),
    (
        "scene.frag",
        "%SCALE = OpSpecConstant %float 1",
        "%SCALE = OpSpecConstant %int 1",
        "shared-specialization",
    ),
    (
        "scene.frag",
        "%FOG = OpSpecConstantTrue %bool",
        "%FOG = OpSpecConstant %uint 1",
        "shared-specialization",
    ),
    (
        "scene.frag",
        "%LIGHTS = OpSpecConstant %int 4",
        "%LIGHTS = OpSpecConstant %uint 4",
        "shared-specialization",
    ),
    ("scene.frag", "%LIGHTS SpecId 0", "%LIGHTS SpecId 2", "shared-specialization"),
];

const PATCH_SEEDS: &[Seed] = &[
    ("patch.tesc", "%normal Location 0", "%normal Location 5", "stage-input"),
    ("patch.tese", "OpDecorate %level Patch\n", "", "stage-decoration"),
    ("patch.tesc", "OpDecorate %plane Patch\n", "", "stage-decoration"),
    ("patch.tese", "%plane Location 3", "%plane Location 4", "stage-input"),
    ("patch.tese", "%uvs Location 1", "%uvs Location 9", "stage-input"),
    (
        "patch.tese",
        "%plane = OpVariable %_ptr_Input_v4float",
        "%vec4u = OpTypeVector %uint 4\n%in_vec4u = OpTypePointer Input %vec4u\n%plane = OpVariable %in_vec4u",
        "stage-type",
    ),
    (
        "patch.tesc",
        "OpExecutionMode %main OutputVertices 3",
        "OpExecutionMode %main OutputVertices 3\nOpExecutionMode %main Quads",
        "stage-mode",
    ),
    ("patch.tesc", "OpExecutionMode %main OutputVertices 3\n", "", "stage-mode"),
    (
        "patch.tese",
        "OpExecutionMode %main Triangles",
        "OpExecutionMode %main Triangles\nOpExecutionMode %main OutputVertices 4",
        "stage-mode",
    ),
    ("patch.tese", "OpExecutionMode %main Triangles\n", "", "stage-mode"),
    (
        "patch.tese",
        "OpExecutionMode %main Triangles",
        "OpExecutionMode %main Triangles\nOpExecutionMode %main PointMode",
        "stage-mode",
    ),
    ("patch.geom", "OpExecutionMode %main Triangles", "OpExecutionMode %main InputLines", "stage-mode"),
    (
        "patch.geom",
        "OpExecutionMode %main Triangles",
        "OpExecutionMode %main InputTrianglesAdjacency",
        "stage-mode",
    ),
    (
        "patch.geom",
        "OpMemberDecorate %gl_PerVertex_0 1 BuiltIn PointSize",
        "OpMemberDecorate %gl_PerVertex_0 1 BuiltIn ClipDistance",
        "stage-built-in",
    ),
    ("patch.geom", "%gl_PrimitiveID BuiltIn PrimitiveId", "%gl_PrimitiveID BuiltIn Layer", "stage-built-in"),
    ("patch.geom", "%uv Location 1", "%uv Location 2", "stage-input"),
    ("patch.frag", "%normals Location 0", "%normals Location 4", "stage-input"),
];

const MESH_SEEDS: &[Seed] = &[
    ("mesh.frag", "OpDecorate %tint PerPrimitiveNV\n", "", "stage-decoration"),
    ("mesh.mesh", "OpDecorate %tint PerPrimitiveNV\n", "", "stage-decoration"),
    ("mesh.frag", "%color Location 0", "%color Location 6", "stage-input"),
    (
        "mesh.frag",
        "%color = OpVariable %_ptr_Input_v3float",
        "%color = OpVariable %_ptr_Input_v4float",
        "stage-input",
    ),
];

#[test]
fn each_seeded_mismatch_is_found() {
    let mut problems = Vec::new();
    for (pipeline, seeds) in [(SCENE, SCENE_SEEDS), (PATCH, PATCH_SEEDS), (MESH, MESH_SEEDS)] {
        for (file, from, to, code) in seeds {
            let mut texts = texts(pipeline);
            let (_, text) = texts.iter_mut().find(|(path, _)| path.as_os_str() == *file).expect("a file");
            // Lines are indented.
            let squeezed: String = text.lines().map(|line| format!("{}\n", line.trim_start())).collect();
            assert!(squeezed.contains(from), "{file} has no `{from}`");
            *text = squeezed.replacen(from, to, 1);
            let found = codes(&texts);
            if !found.contains(code) {
                problems.push(format!("{file}: `{from}` -> `{to}`: {code} is missing in {found:?}"));
            }
        }
    }
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems.join("\n"));
}

/// The declarations of one pair, as GLSL: for the vertex and for the fragment shader.
fn pair(random: &mut Random) -> (String, String) {
    let (mut vertex, mut fragment) = ("#version 450\n".to_owned(), "#version 450\n".to_owned());
    let (mut writes, mut reads) = (String::new(), String::new());
    let mut location = 0;
    for number in 0..1 + random.below(6) {
        let (ty, locations, is_float) = [
            ("float", 1, true),
            ("vec2", 1, true),
            ("vec3", 1, true),
            ("vec4", 1, true),
            ("mat2", 2, true),
            ("mat4x3", 4, true),
            ("int", 1, false),
            ("uvec3", 1, false),
            ("double", 1, false),
            ("dvec3", 2, false),
        ][random.below(10)];
        let (array, count) = [("", 1), ("", 1), ("[2]", 2)][random.below(3)];
        let own =
            if is_float { ["", "noperspective ", "centroid ", "sample "][random.below(4)] } else { "flat " };
        // Only the decoration of the input counts.
        let output = if random.below(2) == 0 { "" } else { own };
        vertex += &format!("layout(location = {location}) out {output}{ty} v{number}{array};\n");
        writes += &format!("  v{number}{} = {ty}(position.x);\n", if count == 2 { "[0]" } else { "" });
        // Not every output is read.
        if random.below(4) > 0 {
            fragment += &format!("layout(location = {location}) in {own}{ty} v{number}{array};\n");
            let index = if count == 2 { "[0]" } else { "" };
            let part = if ty.starts_with("mat") {
                "[0].x"
            } else if ty.contains("vec") {
                ".x"
            } else {
                ""
            };
            reads += &format!("  result += float(v{number}{index}{part});\n");
        }
        location += locations * count + random.below(2);
    }
    if random.below(2) == 0 {
        let members = ["vec4 a; vec2 b;", "float a; vec3 b; vec4 c;", "mat3 a; vec4 b;"][random.below(3)];
        vertex += &format!("layout(location = {location}) out Block {{ {members} }} block;\n");
        fragment += &format!("layout(location = {location}) in Block {{ {members} }} block;\n");
        writes += "  block.b *= 0;\n";
        reads += "  result += block.b.x;\n";
    }
    if random.below(2) == 0 {
        let members = "mat4 matrix; vec4 tint; float time; int count; vec2 list[3]; mat3x2 small;";
        // A stage may leave out the last members.
        let fewer = ["mat4 matrix; vec4 tint;", members][random.below(2)];
        let layout = ["std140", "std140, row_major"][random.below(2)];
        vertex += &format!("layout({layout}, set = 0, binding = 0) uniform U {{ {members} }} u;\n");
        fragment += &format!("layout({layout}, set = 0, binding = 0) uniform U {{ {fewer} }} u;\n");
        writes += "  gl_Position = u.matrix * u.tint * u.time;\n";
        reads += "  result += u.tint.x;\n";
    }
    if random.below(2) == 0 {
        vertex += "layout(push_constant) uniform P { mat4 transform; } p;\n";
        fragment += [
            "layout(push_constant) uniform P { layout(offset = 64) vec4 color; } p;\n",
            "layout(push_constant) uniform P { mat4 transform; vec4 color; } p;\n",
        ][random.below(2)];
        writes += "  gl_Position += p.transform * vec4(1);\n";
        reads += "  result += p.color.x;\n";
    }
    let resources = [
        ("sampler2D", "texture(NAME, vec2(0)).x"),
        ("samplerCubeShadow", "texture(NAME, vec4(1))"),
        ("isampler2DArray", "float(texture(NAME, vec3(0)).x)"),
        ("usamplerBuffer", "float(texelFetch(NAME, 0).x)"),
        ("sampler2DMS", "texelFetch(NAME, ivec2(0), 0).x"),
    ];
    for number in 0..random.below(3) {
        let (ty, read) = resources[random.below(resources.len())];
        let read = read.replace("NAME", &format!("s{number}"));
        let declaration = format!("layout(set = 1, binding = {number}) uniform {ty} s{number};\n");
        vertex += &declaration;
        fragment += &declaration;
        writes += &format!("  gl_Position.x += {read};\n");
        reads += &format!("  result += {read};\n");
    }
    if random.below(2) == 0 {
        let declaration = "layout(constant_id = 3) const int SIZE = 2;\nlayout(constant_id = 7) const bool FAST = true;\nlayout(std430, set = 2, binding = 1) buffer B { uint count; vec4 list[]; } b;\n";
        vertex += declaration;
        fragment += declaration;
        writes += "  gl_Position.y += b.list[SIZE].x;\n";
        reads += "  if (FAST) result += b.list[SIZE].y + b.count;\n";
    }
    vertex += &format!(
        "layout(location = 0) in vec3 position;\nvoid main() {{\n  gl_Position = vec4(position, 1);\n{writes}}}\n"
    );
    fragment +=
        &format!("layout(location = 0) out float result;\nvoid main() {{\n  result = 0;\n{reads}}}\n");
    (vertex, fragment)
}

#[test]
fn pairs_that_glslang_compiles_have_no_findings() {
    if !required::program("glslangValidator") {
        return;
    }
    let mut random = Random::new(21);
    let pairs: Vec<(String, String)> = (0..200).map(|_| pair(&mut random)).collect();
    let problems: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = pairs.chunks(25).map(|share| scope.spawn(|| problems_of(share))).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("no panic")).collect()
    });
    assert!(problems.is_empty(), "{} of 200\n{}", problems.len(), problems.join("\n"));
}

/// The pairs with findings.
fn problems_of(pairs: &[(String, String)]) -> Vec<String> {
    let folder = std::env::temp_dir();
    let folder = folder.join(format!("wavelens-pairs-{}-{:p}", std::process::id(), pairs.as_ptr()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut problems = Vec::new();
    for (vertex, fragment) in pairs {
        let compiled = [("vert", vertex), ("frag", fragment)];
        let found = codes(&compiled.map(|(stage, text)| compile(&folder, stage, text)));
        if !found.is_empty() {
            problems.push(format!("{found:?}\n{vertex}\n{fragment}"));
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    problems
}

/// What glslang makes of a shader, as text.
fn compile(folder: &Path, stage: &str, text: &str) -> (PathBuf, String) {
    let (input, output) = (folder.join(format!("a.{stage}")), folder.join(format!("a.{stage}.spv")));
    std::fs::write(&input, text).expect("a shader");
    let done = Command::new("glslangValidator").arg("-V").arg(&input).arg("-o").arg(&output).output();
    let done = done.expect("glslangValidator");
    assert!(done.status.success(), "{}\n{text}", String::from_utf8_lossy(&done.stdout));
    let bytes = std::fs::read(output).expect("a module");
    (PathBuf::from(stage), disassemble(&bytes, IdStyle::Friendly).expect("a binary"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn editors_compare_a_document_with_a_file() {
    let folder = std::env::temp_dir().join(format!("wavelens-interface-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let vertex = folder.join("patch.vert.spvasm");
    std::fs::write(&vertex, PATCH[0].1.replace("%uv Location 1", "%uv Location 7")).expect("a file");
    let mut client = Client::start(&["utf-8"], json!({})).await;
    let (own, other) =
        (format!("file://{}/patch.tesc.spvasm", folder.display()), format!("file://{}", vertex.display()));
    client.open(&own, "spirv", PATCH[1].1).await;
    let command =
        json!({ "command": "wavelens.interface", "arguments": [{ "uri": own, "others": [other] }] });
    let answer = client.ask("workspace/executeCommand", command).await;
    let found = &answer["files"][0]["diagnostics"][0];
    assert_eq!(answer["files"][0]["uri"], json!(own));
    assert_eq!(found["code"], "stage-input");
    assert_eq!(found["relatedInformation"][0]["location"]["uri"], json!(other));
    assert_eq!(answer["files"][1]["diagnostics"], json!([]));
    let text = std::fs::read_to_string(answer["file"].as_str().unwrap_or_default()).unwrap_or_default();
    assert!(text.contains("patch.vert.spvasm:") && text.contains("location 7"), "{text}");
    let _ = std::fs::remove_dir_all(&folder);
    assert!(client.stop().await);
}
