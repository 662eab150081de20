//! `wavelens reduce` as a user types it.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use expect_test::expect;

const SPIRV: &str = "OpCapability Shader\nOpMemoryModel Logical GLSL450\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n\
    %main = OpFunction %void None %fn\n%a = OpLabel\nOpBranch %b\n%b = OpLabel\nOpReturn\nOpFunctionEnd\n";

/// A file of its own for each test.
fn file(name: &str, text: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("wavelens-reduce-{}-{name}", std::process::id()));
    std::fs::write(&path, text).expect("a file");
    path
}

fn reduce(path: &PathBuf, arguments: &[&str], test: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wavelens"));
    command.arg("reduce").args(arguments).arg(path).arg("--").args(test);
    command.output().expect("the program starts")
}

/// The lines of the output after a margin, so that white space before all of them is compared.
fn with_margin(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).lines().map(|line| format!("|{line}\n")).collect()
}

#[test]
fn texts_with_new_errors_are_not_tested_unless_asked() {
    let path = file("valid.spvasm", SPIRV);
    let test = ["grep", "-q", "OpReturn"];
    let valid = reduce(&path, &["-q"], &test);
    expect![[r#"
        |               OpCapability Shader
        |               OpMemoryModel Logical GLSL450
        |       %void = OpTypeVoid
        |         %fn = OpTypeFunction %void
        |       %main = OpFunction %void None %fn
        |          %a = OpLabel
        |               OpReturn
        |               OpFunctionEnd
    "#]]
    .assert_eq(&with_margin(&valid));
    let any = reduce(&path, &["-q", "--invalid"], &test);
    expect![[r#"
        |               OpReturn
    "#]]
    .assert_eq(&with_margin(&any));
    let _ = std::fs::remove_file(path);
}

#[test]
fn an_interrupt_leaves_the_smallest_text_so_far() {
    let path = file("interrupted.s", "s_nop 1\ns_nop 2\ns_nop 3\ns_endpgm\n");
    // The first test that fails takes longer than anybody waits.
    let test = ["/bin/sh", "-c", "grep -q 's_nop 2' {} && grep -q s_endpgm {} || sleep 60"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_wavelens"));
    command.arg("reduce").arg(&path).arg("--").args(test).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("the program starts");
    std::thread::sleep(Duration::from_secs(3));
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status().expect("a signal");
    assert!(sent.success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("s_endpgm"), "{text}");
    let summary = String::from_utf8_lossy(&output.stderr);
    assert!(summary.contains("; interrupted"), "{summary}");
    let _ = std::fs::remove_file(path);
}

/// A command that always writes to the same file: a run can read what another one has written.
#[test]
fn tests_that_disturb_each_other_are_repeated_alone() {
    let (path, shared) = (file("shared.s", "s_nop 1\ns_nop 2\ns_nop 3\ns_endpgm\n"), file("shared", ""));
    let script = format!("cp {{}} {0}; sleep 0.05; grep -q 's_nop 2' {0}", shared.display());
    for arguments in [["-q", "--jobs", "1"].as_slice(), &["-q"]] {
        let output = reduce(&path, arguments, &["/bin/sh", "-c", &script]);
        assert!(output.status.success(), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stdout).contains("s_nop 2"), "{arguments:?}: {output:?}");
    }
    let _ = (std::fs::remove_file(path), std::fs::remove_file(shared));
}

#[test]
fn a_crash_is_reported_with_its_pass() {
    if !wavelens_test_support::required::program("llc-22") {
        return;
    }
    let text = "target triple = \"amdgcn-amd-amdhsa\"\ndefine void @bad(i32 %a, ptr addrspace(1) %p) {\n  %t = add i32 %a, 3\n  \
        %r = call i32 @llvm.amdgcn.sdot4(i32 %t, i32 %a, i32 1, i1 0)\n  store i32 %r, ptr addrspace(1) %p\n  ret void\n}\n\
        declare i32 @llvm.amdgcn.sdot4(i32, i32, i32, i1)\n";
    let (path, report) = (file("crash.ll", text), file("crash.md", ""));
    let mut command = Command::new(env!("CARGO_BIN_EXE_wavelens"));
    command
        .args(["reduce", "-q", "--while", "crash", "--mcpu", "gfx600", "--report"])
        .arg(&report)
        .arg(&path);
    assert!(command.output().expect("the program starts").status.success());
    let written = std::fs::read_to_string(&report).expect("a report");
    for part in [
        "# LLVM ERROR: Cannot select: intrinsic %llvm.amdgcn.sdot4\n",
        "- failing pass: AMDGPU DAG->DAG Pattern Instruction Selection on `bad`\n",
        "call i32 @llvm.amdgcn.sdot4(",
        "-mcpu=gfx600",
        "Stack dump:",
    ] {
        assert!(written.contains(part), "{part:?} in {written}");
    }
    assert!(!written.contains("%t = add"), "{written}");
    let _ = (std::fs::remove_file(path), std::fs::remove_file(report));
}
