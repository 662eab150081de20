//! Real shaders through the worker, where glslangValidator and the driver are installed.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use wavelens_base::{Dialect, Options};
use wavelens_check::disassemble::{IdStyle, disassemble};
use wavelens_codegen::radv::client::Workers;
use wavelens_codegen::radv::driver::find_driver;
use wavelens_codegen::radv::{self, Executable, PipelineRequest};
use wavelens_codegen::{Cancel, Failure, Limits, Source};
use wavelens_ide::codegen::{Plan, Settings};
use wavelens_test_support::required;

/// GLSL and HLSL for many features.
const SHADERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/shaders");

const COMPUTE: &str = "#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { float data[]; };
layout(push_constant) uniform P { float k; };
void main() { data[gl_GlobalInvocationID.x] *= k; }
";

const FRAGMENT: &str = "#version 450
layout(location = 0) in vec3 normal;
layout(location = 1) flat in uint index;
layout(set = 0, binding = 1) uniform sampler2D image[4];
layout(location = 0) out vec4 color;
void main() { color = texture(image[index & 3], normal.xy) * normal.z; }
";

const VERTEX: &str = "#version 450
layout(location = 0) in vec3 position;
layout(set = 1, binding = 0) uniform U { mat4 matrix; };
void main() { gl_Position = matrix * vec4(position, 1.0); }
";

/// `None` when glslangValidator is not installed.
fn words(source: &str, stage: &str) -> Option<Vec<u32>> {
    // Tests run at once and compile the same stages.
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("wavelens-radv-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    let (input, output) = (folder.join(format!("shader.{stage}")), folder.join("shader.spv"));
    std::fs::write(&input, source).expect("a file can be written");
    let status = Command::new("glslangValidator")
        .args(["-V", "--target-env", "vulkan1.2", "-o"])
        .args([&output, &input])
        .output()
        .ok()?;
    assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stdout));
    let bytes = std::fs::read(&output).expect("the shader was compiled");
    let _ = std::fs::remove_dir_all(folder);
    Some(bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
}

fn workers() -> Option<Workers> {
    let driver = find_driver(None)?;
    let program = PathBuf::from(env!("CARGO_BIN_EXE_wavelens"));
    Some(Workers::new(program, vec!["radv-worker".to_owned()], driver))
}

fn compile(workers: &Workers, target: &str, words: Vec<u32>) -> Result<Vec<Executable>, Failure> {
    let request = PipelineRequest { words, entry_points: Vec::new() };
    workers.compile(target, &request, &Limits::default(), &Cancel::default())
}

#[test]
fn compute_vertex_and_fragment_stages_compile() {
    let (Some(workers), Some(compute)) = (workers(), words(COMPUTE, "comp")) else {
        required::skip("glslangValidator or RADV is not installed");
        return;
    };
    for target in ["gfx900", "gfx1030"] {
        let found = compile(&workers, target, compute.clone()).expect("compiles");
        assert_eq!(found.len(), 1);
        assert!(found[0].statistic("VGPRs") > 0, "{:?}", found[0].statistics);
        assert!(found[0].assembly.contains("s_endpgm"), "{}", found[0].assembly);
    }
    for (source, stage) in [(VERTEX, "vert"), (FRAGMENT, "frag")] {
        let module = words(source, stage).expect("glslangValidator compiles");
        let found = compile(&workers, "gfx1030", module).expect("compiles");
        assert!(found.iter().any(|e| e.assembly.contains("s_endpgm")), "{stage}: {found:?}");
    }
}

/// Each operation of this shader changes one instruction.
#[test]
fn operations_tell_the_lines_of_their_instructions() {
    let (Some(workers), Some(compute)) = (workers(), words(COMPUTE, "comp")) else {
        required::skip("glslangValidator or RADV is not installed");
        return;
    };
    let bytes: Vec<u8> = compute.iter().flat_map(|word| word.to_le_bytes()).collect();
    let text = disassemble(&bytes, IdStyle::Friendly).expect("it is a module");
    let options = Options { target: Some("gfx1030".to_owned()), ..Options::default() };
    let request =
        Plan::of(Dialect::Spirv, &text, options.clone()).request(&Settings::default()).expect("is compiled");
    let report = radv::compile(&request, &workers, &Limits::default(), &Cancel::default()).expect("compiles");
    let word = |text: &str, at: u32, number: usize| {
        text.lines().nth(at as usize).and_then(|line| line.split_whitespace().nth(number)).map(str::to_owned)
    };
    let found: Vec<_> = report
        .lines
        .iter()
        .map(|l| (word(&report.isa, l.line, 0), word(&text, l.source.unwrap_or(0), 2)))
        .collect();
    let pair = |isa: &str, operation: &str| (Some(isa.to_owned()), Some(operation.to_owned()));
    assert!(found.contains(&pair("buffer_load_dword", "OpLoad")), "{found:?}\n{}", report.isa);
    assert!(found.contains(&pair("v_mul_f32_e32", "OpFMul")), "{found:?}\n{}", report.isa);
}

#[test]
fn a_worker_that_dies_is_replaced() {
    let (Some(workers), Some(compute)) = (workers(), words(COMPUTE, "comp")) else {
        required::skip("glslangValidator or RADV is not installed");
        return;
    };
    let mut damaged = compute.clone();
    // An instruction that runs past the end: no checker would let it through.
    damaged.truncate(40);
    let failure = compile(&workers, "gfx1030", damaged).expect_err("is refused or dies");
    assert!(matches!(failure, Failure::Crashed { .. }), "{failure:?}");
    assert!(compile(&workers, "gfx1030", compute).is_ok());
}

#[test]
fn a_driver_that_is_none_is_one_sentence() {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_wavelens"));
    let workers =
        Workers::new(program, vec!["radv-worker".to_owned()], Path::new("/no/such/driver.so").to_owned());
    let failure = compile(&workers, "gfx1030", vec![0]).expect_err("has no driver");
    assert!(matches!(failure, Failure::NoTool(_)), "{failure:?}");
}

/// The shaders of the corpus, disassembled, as the editor asks for their code.
#[test]
fn the_shaders_of_the_corpus_compile() {
    let (Some(workers), Some(_)) = (workers(), words(COMPUTE, "comp")) else {
        required::skip("glslangValidator or RADV is not installed");
        return;
    };
    let mut modules = Vec::new();
    for entry in std::fs::read_dir(SHADERS).expect("the corpus is in the tree").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some((base, stage)) = name.rsplit_once('.') else { continue };
        // HLSL needs other options.
        if ["comp", "vert", "frag"].contains(&stage) && !base.contains('.') {
            let source = std::fs::read_to_string(entry.path()).expect("a shader is text");
            let words = words(&source, stage).expect("glslangValidator is installed");
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            modules.push((name, disassemble(&bytes, IdStyle::Friendly).expect("it is a module")));
        }
    }
    modules.sort();
    assert!(modules.len() > 10, "{}", modules.len());
    for target in ["gfx1030", "gfx900", "gfx1100"] {
        let (mut tried, mut compiled) = (0, 0);
        for (name, text) in &modules {
            let options = Options { target: Some(target.to_owned()), ..Options::default() };
            // Some need options of the device that nothing here names, as for scalar layout.
            let Ok(request) = Plan::of(Dialect::Spirv, text, options.clone()).request(&Settings::default())
            else {
                continue;
            };
            assert_eq!(request.source, Source::Vulkan, "{name}");
            match radv::compile(&request, &workers, &Limits::default(), &Cancel::default()) {
                Ok(report) => {
                    (tried, compiled) = (tried + 1, compiled + u32::from(report.isa.contains("s_endpgm")));
                }
                // The module needs more than this device has.
                Err(Failure::Refused(why)) => println!("{target} {name}: {why}"),
                Err(failure) => {
                    tried += 1;
                    println!("{target} {name}: {}", failure.sentence());
                }
            }
        }
        assert!(tried > 10 && compiled * 100 >= tried * 95, "{target}: {compiled} of {tried}");
    }
}
