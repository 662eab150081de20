//! The command line's contract: exit statuses, and what goes to which stream.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn wavelens(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_wavelens"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A program that refuses its arguments closes its input early.
    let _ = child.stdin.take().map(|mut s| s.write_all(input.as_bytes()));
    child.wait_with_output().expect("the program ends")
}

fn lines(output: &Output) -> Vec<Value> {
    String::from_utf8_lossy(&output.stdout).lines().filter_map(|l| serde_json::from_str(l).ok()).collect()
}

#[test]
fn a_clean_text_gives_an_object_and_status_0() {
    let output = wavelens(&["check", "--format", "json", "--dialect", "llvm", "-"], "\n");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(lines(&output), [serde_json::json!({"file": "-", "dialect": "llvm", "diagnostics": []})]);
}

#[test]
fn an_error_that_a_test_expects_is_an_error_in_json_and_information_for_people() {
    let text = "; RUN: not llvm-as < %s 2>&1\n@g = global i32 %x\n";
    let output = wavelens(&["check", "--format", "json", "--dialect", "llvm", "-"], text);
    let found = lines(&output).remove(0)["diagnostics"][0].clone();
    assert_eq!((&found["severity"], &found["expected"]), (&Value::from("error"), &Value::from(true)));
    assert_eq!(output.status.code(), Some(0));
    let shown = wavelens(&["check", "--dialect", "llvm", "-"], text);
    assert!(String::from_utf8_lossy(&shown.stdout).starts_with("info["));
}

#[test]
fn json_gives_the_place_first_at_which_llvm_reports() {
    let text = "!0 = !{}\n!0 = !{}\n!named = !{!0}\n";
    let output = wavelens(&["check", "--format", "json", "--dialect", "llvm", "-"], text);
    let file = lines(&output).remove(0);
    let all = file["diagnostics"].as_array().expect("a list");
    let found = all.iter().find(|d| d["code"] == "duplicate-name").expect("the second definition");
    let related: Vec<_> = found["related"].as_array().expect("a list").iter().map(|r| &r["line"]).collect();
    assert_eq!((&found["line"], &related[..]), (&Value::from(3), &[&Value::from(1), &Value::from(2)][..]));
    assert_eq!(found["fixes"][0]["edits"][0]["line"], 2);
}

#[test]
fn an_unreadable_path_is_one_line_and_status_2_and_the_others_are_checked() {
    let output = wavelens(&["check", "--format", "json", "no/such/file.ll", "-", "--dialect", "llvm"], "");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1);
    assert_eq!(lines(&output).len(), 1);
}

#[test]
fn an_unknown_option_is_status_2() {
    assert_eq!(wavelens(&["check", "--no-such-option", "x.ll"], "").status.code(), Some(2));
    assert_eq!(wavelens(&["check", "--dialect", "pascal", "x.ll"], "").status.code(), Some(2));
    // Only findings have the form that SARIF is for.
    for command in ["isa", "compare", "advise", "passes", "remarks", "encode"] {
        assert_eq!(wavelens(&[command, "--format", "sarif", "-"], "").status.code(), Some(2), "{command}");
    }
}

#[test]
fn no_command_prints_help() {
    let output = wavelens(&[], "");
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stdout).contains("Usage: wavelens"));
}

#[test]
fn every_code_is_explained() {
    let list = wavelens(&["explain"], "");
    let text = String::from_utf8_lossy(&list.stdout).into_owned();
    assert!(text.contains("syntax-error"));
    let output = wavelens(&["explain", "syntax-error"], "");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(wavelens(&["explain", "no-such-code"], "").status.code(), Some(2));
}

#[test]
fn trees_are_lossless() {
    let output =
        wavelens(&["parse", "--verify-lossless", "--dialect", "llvm", "-"], "define \u{0} %\r\n}\t\"");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

/// `OpCapability Shader` in a module of version 1.0, and a last word.
fn spirv_binary(last: u32) -> Vec<u8> {
    [0x0723_0203, 0x10000, 0, 1, 0, 0x2_0011, 1, last].iter().flat_map(|w: &u32| w.to_be_bytes()).collect()
}

#[test]
fn spirv_binaries_open_as_text() {
    let folder = std::env::temp_dir().join(format!("wavelens-cli-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let path = folder.join("a.spv");
    let name = path.to_string_lossy();
    std::fs::write(&path, spirv_binary(0x1_0000)).expect("a file for the test");
    let output = wavelens(&["disassemble", "--raw-id", &name], "");
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(text.lines().skip(5).map(str::trim).collect::<Vec<_>>(), ["OpCapability Shader", "OpNop"]);
    let output = wavelens(&["check", "--format", "json", &name], "");
    assert_eq!(lines(&output)[0]["dialect"], "spirv");
    std::fs::write(&path, spirv_binary(7)).expect("a file for the test");
    let output = wavelens(&["check", &name], "");
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(complaint.contains("corrupt SPIR-V at word 7 (byte 0x1c)"), "{complaint}");
    assert_eq!(output.status.code(), Some(2));
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}

#[test]
fn what_is_not_compiled_says_why() {
    let llvm = "define void @f() {\n  ret i32 %x\n}\n";
    let mistyped = "expected `void`, the function's result type, found `i32` [type-mismatch]";
    let assembly = "\ts_nop 0\n\tv_foo v0\n";
    let cases: &[(&[&str], &str, i32, String)] = &[
        (
            &["isa", "--dialect", "llvm", "-"],
            llvm,
            2,
            format!(
                "-:2:7: {mistyped}\nwavelens: -: not compiled: it has 2 errors; see `wavelens check -`\n"
            ),
        ),
        (
            &["isa", "--dialect", "llvm", "--only", "@g", "-"],
            llvm,
            2,
            "-: no function `@g` with a body; the file defines `@f`\n".to_owned(),
        ),
        (
            &["isa", "--dialect", "amdgpu", "-"],
            assembly,
            1,
            "-:2: left out: unknown instruction `v_foo`\n".to_owned(),
        ),
        (&["isa", "--dialect", "amdgpu", "-"], "", 2, "-: the file contains no code\n".to_owned()),
        (&["compare", "--dialect", "amdgpu", "-"], "", 2, "-: no kernel to compare\n".to_owned()),
        (
            &["passes", "--dialect", "spirv", "-"],
            "",
            2,
            "-: only LLVM IR and Machine IR go through passes\n".to_owned(),
        ),
        (
            &["isa", "--llvm-path", "/no/such/folder", "--dialect", "llvm", "-"],
            llvm,
            2,
            "/no/such/folder: not a folder\n".to_owned(),
        ),
        (
            &["isa", "-"],
            "hello",
            2,
            "-: cannot tell the dialect from name or content; use `--dialect` (llvm, mir, spirv or amdgpu)\n"
                .to_owned(),
        ),
    ];
    for (arguments, text, code, said) in cases {
        let output = wavelens(arguments, text);
        assert_eq!(String::from_utf8_lossy(&output.stderr), format!("wavelens: {said}"), "{arguments:?}");
        assert_eq!(output.status.code(), Some(*code), "{arguments:?}");
    }
}

#[test]
fn graphs_are_printed_for_all_functions_or_the_one_that_is_named() {
    let text = "define void @f() {\n  ret void\n}\n\ndefine void @g() {\n  ret void\n}\n";
    let all = wavelens(&["cfg", "--dialect", "llvm", "-"], text);
    assert_eq!(String::from_utf8_lossy(&all.stdout).matches("digraph").count(), 2);
    let one = wavelens(&["cfg", "--dialect", "llvm", "--function", "g", "--format", "svg", "-"], text);
    let picture = String::from_utf8_lossy(&one.stdout);
    assert!(picture.starts_with("<svg") && picture.contains("@g") && !picture.contains("@f"), "{picture}");
    let text_of = wavelens(&["cfg", "--dialect", "llvm", "--function", "g", "--format", "text", "-"], text);
    assert_eq!(
        String::from_utf8_lossy(&text_of.stdout),
        "@g: 1 block\n\n%0  line 6, 1 instruction\n  ret void\n"
    );
    let none = wavelens(&["cfg", "--dialect", "llvm", "--function", "h", "-"], text);
    assert_eq!(none.status.code(), Some(2));
    assert_eq!(
        String::from_utf8_lossy(&none.stderr),
        "wavelens: -: no function `h` with a body; the file defines `@f`, `@g`\n"
    );
}

/// The commands of these tests are built in.
#[test]
fn tests_are_run_and_their_outcome_is_the_exit_status() {
    let folder = std::env::temp_dir().join(format!("wavelens-cli-lit-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let run = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).expect("a file");
        let output = wavelens(&["lit", "--format", "json", &path.to_string_lossy()], "");
        let object = lines(&output).into_iter().next().unwrap_or_default();
        let codes = object["diagnostics"].as_array().into_iter().flatten().map(|d| d["code"].clone());
        (output.status.code(), object["verdict"].clone(), codes.collect::<Vec<_>>())
    };
    assert_eq!(run("a.ll", "; RUN: cat %s | count 1\n"), (Some(0), "passed".into(), vec![]));
    let failed = vec![Value::from("run-line-failed")];
    assert_eq!(run("b.ll", "; RUN: cat %s | count 2\n"), (Some(1), "failed".into(), failed));
    let refused = vec![Value::from("run-line-refused")];
    let marker = folder.join("marker");
    let hostile = format!("; RUN: echo a\n; RUN: touch {}\n", marker.display());
    assert_eq!(run("c.ll", &hostile), (Some(2), "notRun".into(), refused));
    assert!(!marker.exists());
    assert_eq!(run("d.ll", "; REQUIRES: no-such-target\n; RUN: false\n").1, "unsupported");
    assert_eq!(run("e.ll", "; XFAIL: *\n; RUN: false\n").1, "expectedlyFailed");
    std::fs::remove_dir_all(folder).expect("the folder goes");
}

#[test]
fn a_module_is_written_as_a_binary() {
    let folder = std::env::temp_dir().join(format!("wavelens-encode-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let binary = folder.join("module.spv");
    let to = binary.to_str().expect("the path is Unicode");
    let text = "OpCapability Shader\nOpMemoryModel Logical GLSL450\n";
    let output = wavelens(&["encode", "--dialect", "spirv", "-o", to, "-"], text);
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), &b""[..]));
    let words = std::fs::read(&binary).expect("the file is there");
    assert_eq!(words.get(..4), Some(&0x0723_0203u32.to_le_bytes()[..]));
    let shown = wavelens(&["disassemble", to], "");
    assert!(String::from_utf8_lossy(&shown.stdout).contains("OpMemoryModel Logical GLSL450"));
    let refused = wavelens(&["encode", "--dialect", "amdgpu", "-o", to, "-"], "s_endpgm\n");
    assert_eq!(refused.status.code(), Some(2));
    let broken = wavelens(&["encode", "--dialect", "spirv", "-o", to, "-"], "OpCapability Shadr\n");
    assert_eq!(broken.status.code(), Some(1));
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn code_next_to_triton_s_ir_is_shown_until_an_option_or_an_edit_asks_for_other() {
    let folder = std::env::temp_dir().join(format!("wavelens-next-to-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (ir, code) = (folder.join("k.llir"), folder.join("k.amdgcn"));
    let write =
        |path: &std::path::Path, text: &str| std::fs::write(path, text).expect("the folder can be written");
    write(&ir, "target triple = \"amdgcn-amd-amdhsa\"\ndefine amdgpu_kernel void @k() {\n  ret void\n}\n");
    write(&code, ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\nk:\n  s_nop 7\n  s_endpgm\n");
    let shown = |options: &[&str]| {
        let path = ir.to_str().expect("the path is Unicode");
        let output = wavelens(&[&["isa", "--no-config"], options, &[path]].concat(), "");
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
    };
    let text = shown(&[]);
    assert!(
        text.contains("s_nop 7") && text.contains("code of k.amdgcn, which was compiled from "),
        "{text}"
    );
    assert!(!shown(&["--llvm-path", "/no/such/folder", "--opt", "1"]).contains("s_nop 7"));
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(10);
    let edited = std::fs::File::options().append(true).open(&ir).and_then(|file| file.set_modified(later));
    let text = shown(&[]);
    assert!(edited.is_ok() && !text.contains("s_nop 7"), "{text}");
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn a_dump_of_passes_is_read_and_not_compiled() {
    let at = |line: &str| format!("define i32 @f(i32 %a) {{\n  %x = add i32 %a, {line}\n  ret i32 %x\n}}\n");
    let dump = format!(
        "; *** IR Dump After A on f ***\n{}warning: in f\n; *** IR Dump After InstCombinePass on f ***\n{}",
        at("1"),
        at("2")
    );
    let run = |arguments: &[&str]| {
        let output = wavelens(&[arguments, &["-"]].concat(), &dump);
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
    };
    assert!(run(&["check"]).contains("no findings"));
    let passes = run(&["passes", "--function", "f"]);
    assert!(
        passes.contains("InstCombinePass on f: +1 -1\n") && passes.contains("+  %x = add i32 %a, 2"),
        "{passes}"
    );
    let trace = run(&["trace", "--line", "3"]);
    assert!(trace.contains("%x in `f`, line 3") && trace.contains("InstCombinePass: changed"), "{trace}");
    assert!(run(&["isa"]).contains("a dump of passes is not compiled"));
}
