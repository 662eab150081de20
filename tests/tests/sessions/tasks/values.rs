//! Wrong values of options: status 2, one line that names what is near or known, and no finding.

use super::{Folder, GOOD, err, out};

/// The one line of a command that is refused.
fn refusal(folder: &Folder, arguments: &[&str]) -> String {
    let output = folder.run(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}{}", out(&output), err(&output));
    assert_eq!(out(&output), "", "{arguments:?}");
    let error = err(&output);
    assert_eq!(error.lines().count(), 1, "{arguments:?}: {error}");
    error.trim_end().to_owned()
}

const ASSEMBLY: &str = "v_add_f32 v0, v1, v2\ns_endpgm\n";

#[test]
fn task_54_an_unknown_processor_or_environment_is_refused() {
    let folder = Folder::new("values-target", &[("a.s", ASSEMBLY), ("a.ll", GOOD)]);
    let near = "wavelens: unknown AMDGPU processor `gfx9421`; did you mean `gfx942`?";
    for command in ["check", "encode", "target", "cfg", "report", "isa", "compare"] {
        assert_eq!(refusal(&folder, &[command, "--mcpu", "gfx9421", "a.s"]), near, "{command}");
    }
    assert_eq!(refusal(&folder, &["compare", "--targets", "gfx9421", "a.ll"]), near);
    let known = refusal(&folder, &["check", "--target-env", "vulkan9", "a.ll"]);
    assert!(
        known.starts_with("wavelens: unknown SPIR-V environment `vulkan9`; known are spv1.0,"),
        "{known}"
    );
    assert_eq!(
        refusal(&folder, &["isa", "--mattr", "+wavefrontsize63", "a.ll"]),
        "wavelens: unknown AMDGPU feature `wavefrontsize63`; did you mean `wavefrontsize64`?"
    );
}

#[test]
fn task_54_a_removed_processor_is_warned_about() {
    let folder =
        Folder::new("values-removed", &[("a.s", "s_nop 0\nv_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]\n")]);
    let output = folder.run(&["check", "--format", "concise", "--mcpu", "gfx940", "a.s"]);
    assert_eq!(output.status.code(), Some(1), "{}{}", out(&output), err(&output));
    assert!(
        err(&output).contains("warning: processor `gfx940` was removed in LLVM 20; use `gfx942`"),
        "{}",
        err(&output)
    );
    assert!(out(&output).contains("a.s:2:1: error:"), "{}", out(&output));
    for command in ["encode", "target", "cfg", "report", "isa"] {
        let output = folder.run(&[command, "--mcpu", "gfx940", "a.s"]);
        let warning = "warning: processor `gfx940` was removed in LLVM 20; use `gfx942`";
        assert!(err(&output).contains(warning), "{command}: {}", err(&output));
    }
}

#[test]
fn task_55_a_run_line_that_is_not_there_is_refused() {
    let run = "; RUN: llc -mtriple=amdgcn -mcpu=gfx900 %s\n; RUN: FileCheck %s\n";
    let folder = Folder::new("values-run", &[("a.ll", &format!("{run}{GOOD}")), ("b.ll", GOOD)]);
    let there = "wavelens: a.ll: no RUN line 9: the file has RUN lines 1, 2";
    for command in ["check", "target", "isa", "lit"] {
        assert_eq!(refusal(&folder, &[command, "--run-line", "9", "a.ll"]), there, "{command}");
    }
    assert_eq!(
        refusal(&folder, &["check", "--run-line", "1", "b.ll"]),
        "wavelens: b.ll: no RUN line 1: the file has no RUN lines"
    );
    assert_eq!(
        refusal(&folder, &["isa", "--run-line", "2", "a.ll"]),
        "wavelens: a.ll: RUN line 2 names no target; use RUN line 1"
    );
}

#[test]
fn task_56_a_folder_that_is_not_there_is_refused() {
    let folder = Folder::new("values-include", &[("a.s", ASSEMBLY)]);
    for command in ["check", "encode"] {
        let arguments = [command, "--mcpu", "gfx900", "-I", "nowhere", "a.s"];
        assert_eq!(refusal(&folder, &arguments), "wavelens: `-I nowhere`: not a folder");
    }
    let arguments = ["isa", "--llvm-path", "nowhere", "a.s"];
    assert_eq!(refusal(&folder, &arguments), "wavelens: nowhere: not a folder");
}

#[test]
fn task_57_assembly_without_a_processor_is_not_encoded() {
    let folder = Folder::new("values-encode", &[("a.s", ASSEMBLY), ("data.s", ".long 1\n")]);
    assert_eq!(
        refusal(&folder, &["encode", "a.s"]),
        "wavelens: a.s: the file names no processor; use `--mcpu gfx1100`, or write `.amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"`"
    );
    assert_eq!(folder.run(&["encode", "data.s"]).status.code(), Some(0), "data needs none");
}

#[test]
fn task_58_a_project_file_with_a_mistake_is_refused_once() {
    let files =
        [("p/wavelens.toml", "tarhet = \"gfx942\"\n"), ("p/a.ll", GOOD), ("p/b.ll", GOOD), ("c.ll", GOOD)];
    let folder = Folder::new("values-project", &files);
    for command in ["check", "isa", "target"] {
        let line = refusal(&folder, &[command, "p/a.ll"]);
        assert!(
            line.contains("wavelens.toml:1:1: unknown field `tarhet`, expected one of"),
            "{command}: {line}"
        );
    }
    let output = folder.run(&["check", "."]);
    assert_eq!((output.status.code(), err(&output).matches("tarhet").count()), (Some(2), 1));
    assert!(err(&output).ends_with("1 file checked: no findings\n"), "{}", err(&output));
    // Without the project file, or with another one.
    std::fs::write(folder.0.join("good.toml"), "allow = []\n").expect("a file");
    assert_eq!(folder.run(&["check", "--no-config", "."]).status.code(), Some(0));
    assert_eq!(folder.run(&["check", "--config", "good.toml", "."]).status.code(), Some(0));
    let line = refusal(&folder, &["check", "--config", "p/wavelens.toml", "c.ll"]);
    assert!(line.contains("unknown field"), "{line}");
    let line = refusal(&folder, &["check", "--config", "missing.toml", "c.ll"]);
    assert!(line.contains("missing.toml: No such file"), "{line}");
}

#[test]
fn task_59_a_wrong_value_in_the_project_file_is_refused() {
    let files = [("wavelens.toml", "allow = [\"undefined-valu\"]\ntarget = \"gfx9\"\n"), ("a.ll", GOOD)];
    let folder = Folder::new("values-toml", &files);
    let line = refusal(&folder, &["check", "a.ll"]);
    assert!(line.contains("(and 1 mistake more)") && line.contains("wavelens.toml:"), "{line}");
}
