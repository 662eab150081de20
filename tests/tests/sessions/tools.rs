//! Outside tools as a user has them: within the limits of `wavelens start`, and without text that opens files.

use std::process::Command;

/// What `wavelens isa` prints about a text, to both streams; `None` when a tool is not installed.
fn isa(name: &str, text: &str) -> Option<String> {
    printed(&["isa", "--mcpu", "gfx1030"], name, text)
}

/// What a command prints about a text.
fn printed(arguments: &[&str], name: &str, text: &str) -> Option<String> {
    let path = std::env::temp_dir().join(format!("wavelens-tools-{}-{name}", std::process::id()));
    std::fs::write(&path, text).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_wavelens"));
    let output = command.args(arguments).arg(&path).output().expect("the program starts");
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

/// Machine IR as LLVM's tests have it, for a RUN line.
fn machine_ir(run: &str) -> String {
    format!(
        "# RUN: llc -mtriple=amdgcn -mcpu=gfx900 {run} -o - %s\n---\nname: f\ntracksRegLiveness: true\nbody: |\n  bb.0:\n    \
         liveins: $vgpr0\n    %0:vgpr_32 = COPY $vgpr0\n    %1:sreg_32 = S_MOV_B32 5\n    \
         %2:vgpr_32 = V_ADD_U32_e32 %1, %0, implicit $exec\n    $vgpr0 = COPY %2\n    SI_RETURN implicit $vgpr0\n...\n"
    )
}

#[test]
fn passes_are_those_of_the_run_line() {
    let passes = |name: &str, run: &str| printed(&["passes", "--summary"], name, &machine_ir(run));
    let Some(one) = passes("one.mir", "-run-pass=si-fold-operands") else { return };
    assert!(one.contains("(si-fold-operands) on f: +1 -2") && !one.contains("finalize-isel"), "{one}");
    let Some(stopped) = passes("stop.mir", "-stop-after si-fold-operands") else { return };
    assert!(stopped.contains("early-tailduplication") && !stopped.contains("greedy"), "{stopped}");
    let Some(never) = passes("never.mir", "-O0 -stop-after=machine-scheduler") else { return };
    assert!(never.contains("the pass `machine-scheduler` does not run in this pipeline"), "{never}");
    let to = ["passes", "--run-to", "machine-scheduler"];
    let Some(never) = printed(&to, "to.mir", &machine_ir("-O0")) else { return };
    assert!(never.contains("the pass `machine-scheduler` does not run in this pipeline"), "{never}");
    let Some(isa) = printed(&["isa", "-v"], "isa.mir", &machine_ir("-run-pass=si-fold-operands")) else {
        return;
    };
    assert!(isa.contains("-run-pass=si-fold-operands") && isa.contains("V_ADD_U32_e32 5, %0"), "{isa}");
    let Some(end) = printed(&["isa"], "end.mir", &machine_ir("-O0 -stop-after=machine-scheduler")) else {
        return;
    };
    assert!(end.contains("does not run in this pipeline") && end.contains("$vgpr0 = V_ADD_U32_e32"), "{end}");
}

#[test]
fn passes_read_the_text_of_a_newer_llvm() {
    let text = "target triple = \"amdgpu9.42-amd-amdhsa\"\ndefine amdgpu_kernel void @f(ptr addrspace(1) %p, i1 %c) {\n  \
        %x = select i1 %c, float f0x3F800000, float +inf\n  store float %x, ptr addrspace(1) %p\n  ret void\n}\n";
    let Some(passes) = printed(&["passes", "--summary"], "newer.ll", text) else { return };
    assert!(passes.contains(" on f: "), "{passes}");
}

#[test]
fn code_is_for_the_target_of_the_run_line() {
    let body = "define amdgpu_ps float @f(float %a) {\n  %b = fadd float %a, 1.0\n  ret float %b\n}\n";
    let run = |run: &str| format!("; RUN: opt -S < %s\n; RUN: {run} | FileCheck %s\n{body}");
    let of =
        |name: &str, options: &[&str], text: &str| printed(&[&["isa", "-v"], options].concat(), name, text);
    // No processor: `llc` has its own.
    let Some(isa) = of("southern.ll", &[], &run("llc -mtriple=amdgcn < %s")) else { return };
    assert!(
        isa.contains("command: ") && isa.contains(" -mtriple=amdgcn ") && !isa.contains("-mcpu"),
        "{isa}"
    );
    assert!(isa.contains("v_add_f32_e32 v0, 1.0, v0"), "{isa}");
    // Graphics functions are refused for HSA.
    let Some(isa) = of("graphics.ll", &[], body) else { return };
    assert!(isa.contains("-mcpu=gfx1100 -mtriple=amdgcn-amd-amdpal "), "{isa}");
    let Some(isa) = of("sed.ll", &[], &run("sed 's/fadd/fsub/g' %s | llc -mtriple=amdgcn -mcpu=gfx900"))
    else {
        return;
    };
    assert!(isa.contains("v_add_f32_e32 v0, -1.0, v0"), "{isa}");
    let options = ["--run-line", "7"];
    let Some(wrong) = of("number.ll", &options, &run("llc -mtriple=amdgcn < %s")) else { return };
    assert!(wrong.ends_with("no RUN line 7: the file has RUN lines 1, 2\n"), "{wrong}");
    let options =
        ["--triple", "amdgcn-amd-amdhsa", "--mcpu", "gfx1030", "--mattr", "+wavefrontsize64", "-O0"];
    let text = "define amdgpu_kernel void @f() {\n  ret void\n}\n";
    let Some(isa) = of("options.ll", &options, text) else { return };
    let command = "-mcpu=gfx1030 -mattr=+wavefrontsize64 -mtriple=amdgcn-amd-amdhsa -O0 ";
    assert!(isa.contains(command), "{isa}");
}

#[test]
fn the_reason_of_a_refusal_is_told() {
    // Valid for the checker, which does not know that there is no such library function.
    let text = "; RUN: llc -mtriple=amdgcn-amd-amdhsa < %s\ndefine i32 @f(fp128 %a) {\n  %r = fptosi fp128 %a to i32\n  ret i32 %r\n}\n";
    let Some(isa) = printed(&["isa"], "reason.ll", text) else { return };
    assert!(isa.contains("the compiler fails in `f`: unsupported library call operation"), "{isa}");
    assert!(isa.contains("(in the pass `AMDGPU DAG->DAG Pattern Instruction Selection`)"), "{isa}");
}
