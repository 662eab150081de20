//! Files and folders as shells, editors and other programs name them.

use std::fs;

use super::{BAD, Folder, GOOD, WARNED, err, finish, out};

const CLEAN: &str = "1 file checked: no findings\n";

#[test]
fn task_61_a_name_may_start_with_a_dash() {
    let folder = Folder::new("dash", &[("-a.ll", GOOD)]);
    assert_eq!(err(&folder.run(&["check", "--", "-a.ll"])), CLEAN);
    assert_eq!(folder.run(&["check", "-a.ll"]).status.code(), Some(2));
}

#[test]
fn task_62_options_follow_paths() {
    let folder = Folder::new("after", &[("a.ll", BAD), ("b.ll", WARNED)]);
    let output = folder.run(&["check", "b.ll", "a.ll", "--format", "concise", "-q"]);
    let shown = out(&output);
    let files: Vec<&str> = shown.lines().filter_map(|line| line.split(':').next()).collect();
    // In the order given.
    assert_eq!(files, ["b.ll", "a.ll"]);
}

#[test]
fn task_63_lists_have_commas_or_are_repeated() {
    let folder = Folder::new("lists", &[("a.ll", BAD)]);
    for allowed in [
        &["--allow", "undefined-value,type-mismatch"][..],
        &["--allow", "type-mismatch", "--allow", "undefined-value"],
    ] {
        let arguments = [&["check"][..], allowed, &["a.ll"]].concat();
        assert_eq!(err(&folder.run(&arguments)), CLEAN);
    }
}

#[test]
fn task_64_empty_files_and_those_of_windows_are_files() {
    let folder = Folder::new("windows", &[("empty.ll", ""), ("crlf.ll", &BAD.replace('\n', "\r\n"))]);
    assert_eq!(err(&folder.run(&["check", "empty.ll"])), CLEAN);
    let output = folder.run(&["check", "-q", "--format", "concise", "crlf.ll"]);
    assert!(out(&output).starts_with("crlf.ll:2:16: error: use of undefined value"), "{}", out(&output));
    // Formatting keeps the ends of lines.
    let text = "define void @f() {\r\nret void\r\n}\r\n";
    assert_eq!(out(&folder.run_on(&["fmt", "--dialect", "llvm", "-"], text)), GOOD.replace('\n', "\r\n"));
}

#[test]
#[cfg(unix)]
fn task_65_links_and_folders_with_odd_names_end() {
    let folder = Folder::new("links", &[("a.ll", GOOD), ("folder.ll/b.ll", GOOD)]);
    std::os::unix::fs::symlink(".", folder.0.join("loop")).expect("a link");
    assert_eq!(err(&folder.run(&["check"])), "2 files checked: no findings\n");
}

#[test]
#[cfg(unix)]
fn task_66_a_pipe_is_checked() {
    let folder = Folder::new("pipe", &[("a.ll", BAD)]);
    let program = folder.command(&[]).get_program().to_owned();
    let mut shell = std::process::Command::new("bash");
    shell.arg("-c").arg("\"$0\" check -q --dialect llvm <(cat a.ll)").arg(program).current_dir(&folder.0);
    let output = finish(shell, "");
    assert_eq!(output.status.code(), Some(1), "{}", err(&output));
}

#[test]
fn task_67_results_before_a_problem_are_printed() {
    let folder = Folder::new("partly", &[("a.ll", BAD)]);
    fs::write(folder.0.join("wavelens.toml"), "").expect("a file");
    let output = folder.run(&["check", "--format", "concise", "a.ll", "missing.ll"]);
    assert!(out(&output).starts_with("a.ll:2:16: error:"), "{}", out(&output));
    assert!(err(&output).starts_with("wavelens: missing.ll: "), "{}", err(&output));
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn task_68_formatting_names_what_it_leaves() {
    let broken = "define i32 @f(i32 %a) {\n      %x = add i32 %a,, 1\n      ret i32 %a\n}\n";
    let counted = format!("{GOOD};   CHECK: [[@LINE-1]]\n");
    let folder = Folder::new("left", &[("a.ll", broken), ("b.ll", &counted), ("c.ll", GOOD)]);
    let output = folder.run(&["fmt"]);
    assert_eq!(
        err(&output),
        "wavelens: note: a.ll: what has a syntax error is left as it is: line 2\n\
         wavelens: note: b.ll: left as it is: its test counts lines (`@LINE`)\n\
         1 file formatted, 2 files left unchanged\n"
    );
    let formatted = fs::read_to_string(folder.0.join("a.ll")).unwrap_or_default();
    assert_eq!(formatted, broken.replace("      ret", "  ret"));
}
