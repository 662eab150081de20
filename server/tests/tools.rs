//! Outside tools as a user has them: within the limits of `wavelens start`, and without text that opens files.
#![cfg(unix)]

use std::process::Command;

/// What `wavelens isa` prints about a text, to both streams; `None` when a tool is not installed.
fn isa(name: &str, text: &str) -> Option<String> {
    let path = std::env::temp_dir().join(format!("wavelens-tools-{}-{name}", std::process::id()));
    std::fs::write(&path, text).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_wavelens"));
    let output = command.args(["isa", "--mcpu", "gfx1030"]).arg(&path).output().expect("the program starts");
    let _ = std::fs::remove_file(path);
    let streams = [output.stdout, output.stderr].map(|s| String::from_utf8_lossy(&s).into_owned());
    let text = streams.concat();
    if text.contains("was found: install") {
        eprintln!("skipped: {text}");
        return None;
    }
    Some(text)
}

/// The translator reads a file, which it must find although it cannot look into other processes.
#[test]
fn opencl_modules_are_translated() {
    let text = "OpCapability Addresses\nOpCapability Kernel\nOpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %k \"k\"\n\
        %void = OpTypeVoid\n%fn = OpTypeFunction %void\n%k = OpFunction %void None %fn\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n";
    if let Some(text) = isa("k.spvasm", text) {
        assert!(text.contains("s_endpgm"), "{text}");
    }
}

#[test]
fn no_file_is_opened_for_a_document() {
    let secret = std::env::temp_dir().join(format!("wavelens-secret-{}", std::process::id()));
    std::fs::write(&secret, "this_is_secret\n").expect("a file");
    let include = format!(".include \\22{}\\22", secret.display());
    let kernel = "define amdgpu_kernel void @k() {\n  ret void\n}\n";
    let inline = format!(
        "define amdgpu_kernel void @k() {{\n  call void asm sideeffect \"{include}\", \"\"()\n  ret void\n}}\n"
    );
    let assembly = format!(".include \"{}\"\ns_endpgm\n", secret.display());
    for (name, text) in [
        ("a.ll", format!("module asm \"{include}\"\n{kernel}")),
        ("b.ll", format!("module asm \"{}\"\n{kernel}", include.replace('i', "\\69"))),
        ("c.ll", inline),
        ("d.s", assembly),
    ] {
        let Some(text) = isa(name, &text) else { continue };
        assert!(!text.contains("this_is_secret"), "{name}: {text}");
        assert!(name == "d.s" || text.contains("could open files"), "{name}: {text}");
    }
    let _ = std::fs::remove_file(secret);
}
