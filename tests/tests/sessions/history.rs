//! The history of a value, limits in CI, remarks and advice, as a user types them.

use std::process::{Command, Output};

const KERNEL: &str = r#"target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %1 = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr float, ptr addrspace(1) %in, i32 %1
  %v = load float, ptr addrspace(1) %p
  %dead = mul i32 %1, 3
  %w = fmul float %v, 2.0
  %same = fmul float %v, 2.0
  %x = fadd float %w, %same
  %q = getelementptr float, ptr addrspace(1) %out, i32 %1
  store float %x, ptr addrspace(1) %q
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
"#;

/// Runs the program on a text; `None` where `llc` is not installed.
fn run(name: &str, arguments: &[&str], text: &str) -> Option<Output> {
    if !wavelens_test_support::required::program("llc-22") {
        return None;
    }
    let path = std::env::temp_dir().join(format!("wavelens-history-{}-{name}.ll", std::process::id()));
    std::fs::write(&path, text).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_wavelens"));
    let output = command.args(arguments).arg(&path).output().expect("the program starts");
    let _ = std::fs::remove_file(path);
    Some(output)
}

fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The passes and what they did, one line each.
fn steps(output: &Output) -> Vec<String> {
    let history: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let steps = history["steps"].as_array().expect("steps").iter();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let pass = |s: &serde_json::Value| match s["argument"].as_str() {
        Some(argument) => argument.to_owned(),
        None => text(&s["pass"]),
    };
    steps.map(|s| format!("{} {}", pass(s), text(&s["change"])).trim().to_owned()).collect()
}

#[test]
fn a_value_is_followed_to_the_assembly() {
    let arguments = ["trace", "--value", "%w", "--mcpu", "gfx900", "--format", "json"];
    let Some(output) = run("w", &arguments, KERNEL) else { return };
    let steps = steps(&output);
    assert_eq!(steps.first().map(String::as_str), Some("start"), "{steps:?}");
    assert!(steps.contains(&"amdgpu-isel selected".to_owned()), "{steps:?}");
    assert_eq!(steps.last().map(String::as_str), Some("assembly emitted"), "{steps:?}");
    let history: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&history["line"], &history["function"]), (&7.into(), &"k".into()));
    let last = history["steps"].as_array().and_then(|s| s.last()).map(|s| s["after"][0]["text"].to_string());
    assert!(last.as_ref().is_some_and(|t| t.contains("v_add_f32")), "{last:?}");
}

#[test]
fn equal_values_are_merged_and_dead_ones_deleted() {
    let opt = |value: &str| {
        let pipeline = ["--passes", "function(early-cse,dce)"];
        let arguments = [&["trace", "--format", "json", "--value", value][..], &pipeline].concat();
        Some(steps(&run(value, &arguments, KERNEL)?))
    };
    let (Some(same), Some(dead)) = (opt("same"), opt("dead")) else { return };
    assert_eq!(same.get(1).map(String::as_str), Some("EarlyCSEPass merged"), "{same:?}");
    assert!(dead.len() == 2 && dead[1].starts_with("EarlyCSEPass"), "{dead:?}");
    assert!(!dead[1].contains("merged"), "{dead:?}");
}

#[test]
fn unnamed_values_are_followed_too() {
    let arguments = ["trace", "--value", "1", "--mcpu", "gfx900"];
    let Some(output) = run("unnamed", &arguments, KERNEL) else { return };
    let text = printed(&output);
    assert!(text.contains("%1 in `k`, line 3\n"), "{text}");
    assert!(text.contains("%_1 = call i32 @llvm.amdgcn.workitem.id.x()"), "{text}");
    // The kernel's arguments are loaded at the same location.
    assert!(!text.contains("S_LOAD"), "{text}");
}

#[test]
fn what_is_not_there_is_reported() {
    for (option, value, problem) in [
        ("--value", "%none", "no function defines the value `%none`"),
        ("--line", "1", "line 1 is not an instruction of a function"),
    ] {
        let Some(output) = run(value.trim_start_matches('%'), &["trace", option, value], KERNEL) else {
            return;
        };
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(problem), "{said}");
        assert_eq!(output.status.code(), Some(2));
    }
}

#[test]
fn a_kernel_beyond_a_threshold_fails() {
    let status = |name: &str, more: &[&str]| {
        let arguments = [&["compare", "--targets", "gfx900", "--opt-levels", "0,2"][..], more].concat();
        let output = run(name, &arguments, KERNEL)?;
        Some((output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned()))
    };
    let Some((code, said)) = status("above", &["--fail-above", "vgpr=1"]) else { return };
    assert_eq!((code, said.lines().count()), (Some(1), 2), "{said}");
    assert!(said.contains("kernel `k` on gfx900 -O2: ") && said.contains("at most 1 accepted"), "{said}");
    assert_eq!(status("fine", &["--fail-above", "vgpr=256,sgpr=102"]).map(|s| s.0), Some(Some(0)));
    let (code, said) = status("unknown", &["--fail-above", "vgrp=1"]).expect("llc is there");
    assert_eq!(code, Some(2));
    assert!(said.contains("unknown figure `vgrp`"), "{said}");
    // A target without figures passes no threshold.
    let (code, said) =
        status("missing", &["--targets", "gfx900,gfx9999", "--fail-above", "vgpr=256"]).expect("llc");
    assert_eq!(code, Some(2), "{said}");
}

#[test]
fn a_comparison_fails_where_it_is_worse_than_its_baseline() {
    let compare = ["compare", "--targets", "gfx900", "--format", "json"];
    let Some(first) = run("first", &compare, KERNEL) else { return };
    let path = std::env::temp_dir().join(format!("wavelens-baseline-{}.json", std::process::id()));
    std::fs::write(&path, &first.stdout).expect("a file");
    let baseline = ["--baseline", path.to_str().expect("a path")];
    let arguments = [&compare[..], &baseline].concat();
    let same = run("same", &arguments, KERNEL).expect("llc is there");
    assert_eq!(same.status.code(), Some(0), "{}", String::from_utf8_lossy(&same.stderr));
    let better = String::from_utf8_lossy(&first.stdout).replace("\"vgprs\":", "\"vgprs\":0,\"was\":");
    std::fs::write(&path, better).expect("a file");
    let worse = run("worse", &arguments, KERNEL).expect("llc is there");
    let said = String::from_utf8_lossy(&worse.stderr).into_owned();
    assert_eq!(worse.status.code(), Some(1), "{said}");
    assert!(said.contains("kernel `k` on gfx900: ") && said.contains(" VGPRs, 0 in the baseline"), "{said}");
    std::fs::write(&path, "no JSON").expect("a file");
    let refused = run("refused", &arguments, KERNEL).expect("llc is there");
    assert_eq!(refused.status.code(), Some(2));
    let _ = std::fs::remove_file(path);
}

#[test]
fn remarks_name_lines_of_the_file() {
    let text = "declare void @g()\ndefine void @f() {\n  call void @g()\n  ret void\n}\n";
    let arguments = ["remarks", "--passes", "default<O2>", "--pass", "inline", "--mcpu", "gfx900"];
    let Some(output) = run("remarks", &arguments, text) else { return };
    let text = printed(&output);
    assert!(
        text.contains(":3: missed: g will not be inlined into f because its definition is unavailable"),
        "{text}"
    );
}

#[test]
fn advice_is_repeated_by_its_command() {
    // More live values than registers of 8 waves.
    let mut text =
        "target triple = \"amdgcn-amd-amdhsa\"\ndefine amdgpu_kernel void @k(ptr addrspace(1) %p) {\n"
            .to_owned();
    for n in 0..80 {
        text += &format!("  %p{n} = getelementptr i32, ptr addrspace(1) %p, i32 {}\n", n * 64);
        text += &format!("  %v{n} = load volatile i32, ptr addrspace(1) %p{n}\n");
    }
    for n in (0..80).rev() {
        text += &format!("  store volatile i32 %v{n}, ptr addrspace(1) %p{n}\n");
    }
    text += "  ret void\n}\n";
    let arguments = ["advise", "--mcpu", "gfx900", "--all", "--format", "json"];
    let Some(output) = run("advise", &arguments, &text) else { return };
    let advice: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let trials = advice[0]["trials"].as_array().expect("trials");
    assert!(trials.len() > 5, "{advice}");
    let trial = trials.iter().find(|t| t["options"][0] == "--attribute").expect("an attribute");
    let option = |n: usize| trial["options"][n].as_str().unwrap_or_default().to_owned();
    let (first, second) = (option(0), option(1));
    let isa = ["isa", "--mcpu", "gfx900", "--function", "k", "--format", "json", &first, &second];
    let isa = run("repeated", &isa, &text).expect("llc is there");
    let isa: serde_json::Value = serde_json::from_slice(&isa.stdout).expect("JSON");
    for figure in ["vgprs", "sgprs", "occupancy", "vgpr_spills"] {
        assert_eq!(isa["kernels"][0][figure], trial["resources"][figure], "{figure}: {trial}");
    }
}
