//! Checking files: what is read, what is reported, which status ends the run.

use expect_test::expect;

use super::{BAD, Folder, GOOD, WARNED, err, expect_run, finish, out, shown};

#[test]
fn task_01_check_a_clean_file() {
    let folder = Folder::new("01", &[("a.ll", GOOD)]);
    expect_run(
        &folder,
        &["check", "a.ll"],
        expect![[r#"
        1 file checked: no findings
        exit status 0
    "#]],
    );
}

#[test]
fn task_02_check_a_file_with_an_error() {
    let folder = Folder::new("02", &[("a.ll", BAD)]);
    expect_run(
        &folder,
        &["check", "a.ll"],
        expect![[r#"
            error[undefined-value]: use of undefined value `%valeu`; did you mean `%value`?
             --> a.ll:2:16
              |
            2 |   %r = add i32 %valeu, 1
              |                ^^^^^^
              |
              = help: Replace with `%value`

            1 file checked: 1 error, 0 warnings
            exit status 1
        "#]],
    );
}

#[test]
fn task_03_check_standard_input() {
    let folder = Folder::new("03", &[]);
    let output = folder.run_on(&["check", "--dialect", "llvm", "-"], BAD);
    expect![[r#"
        error[undefined-value]: use of undefined value `%valeu`; did you mean `%value`?
         --> -:2:16
          |
        2 |   %r = add i32 %valeu, 1
          |                ^^^^^^
          |
          = help: Replace with `%value`

        1 file checked: 1 error, 0 warnings
        exit status 1
    "#]]
    .assert_eq(&shown(&output));
}

#[test]
fn task_04_check_a_folder() {
    let files = [("b/x.ll", BAD), ("a/y.ll", GOOD), ("notes.txt", "define"), (".git/z.ll", BAD)];
    let folder = Folder::new("04", &files);
    expect_run(
        &folder,
        &["check", "-q", "."],
        expect![[r#"
            error[undefined-value]: use of undefined value `%valeu`; did you mean `%value`?
             --> b/x.ll:2:16
              |
            2 |   %r = add i32 %valeu, 1
              |                ^^^^^^
              |
              = help: Replace with `%value`

            exit status 1
        "#]],
    );
}

#[test]
fn task_05_a_folder_reports_what_it_skips() {
    let files = [("x86.s", "\tmovl %eax, %ebx\n"), ("arm.s", "\tmov r0, r1\n"), ("a.ll", GOOD)];
    let folder = Folder::new("05", &files);
    expect_run(
        &folder,
        &["check", "."],
        expect![[r#"
        wavelens: note: skipped 2 files that do not look like AMDGPU assembly (`--dialect amdgpu` checks them)
        1 file checked: no findings
        exit status 0
    "#]],
    );
    expect_run(
        &folder,
        &["check", "--dialect", "llvm", "."],
        expect![[r#"
        wavelens: note: skipped 2 files of another dialect
        1 file checked: no findings
        exit status 0
    "#]],
    );
}

#[test]
fn task_06_nothing_to_check_is_an_error() {
    let folder = Folder::new("06", &[("x86.s", "\tmovl %eax, %ebx\n"), ("empty/readme", "")]);
    expect_run(
        &folder,
        &["check", "."],
        expect![[r#"
        wavelens: no files to check in .; skipped 1 file that does not look like AMDGPU assembly (`--dialect amdgpu` checks them)
        exit status 2
    "#]],
    );
    expect_run(
        &folder,
        &["check", "empty"],
        expect![[r#"
        wavelens: no files to check in empty
        exit status 2
    "#]],
    );
}

#[test]
fn task_07_a_missing_file_does_not_stop_the_others() {
    let folder = Folder::new("07", &[("a.ll", GOOD)]);
    expect_run(
        &folder,
        &["check", "missing.ll", "a.ll"],
        expect![[r#"
        wavelens: missing.ll: No such file or directory (os error 2)
        1 file checked: no findings
        exit status 2
    "#]],
    );
}

#[test]
fn task_08_colors_are_for_terminals_unless_forced() {
    let folder = Folder::new("08", &[("a.ll", BAD)]);
    let colored = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut command = folder.command(&[&["check", "a.ll"], arguments].concat());
        command.envs(variables.iter().copied());
        out(&finish(command, "")).contains('\u{1b}')
    };
    assert!(!colored(&[], &[]));
    assert!(colored(&["--color", "always"], &[]));
    assert!(colored(&[], &[("CLICOLOR_FORCE", "1")]));
    assert!(!colored(&["--color", "never"], &[("CLICOLOR_FORCE", "1")]));
    assert!(colored(&["--color=always"], &[("NO_COLOR", "1")]));
    assert!(!colored(&[], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
}

#[test]
fn task_09_an_unknown_color_is_refused() {
    let folder = Folder::new("09", &[("a.ll", GOOD)]);
    expect_run(
        &folder,
        &["check", "--color", "sometimes", "a.ll"],
        expect![[r#"
        error: invalid value 'sometimes' for '--color <WHEN>'
          [possible values: auto, always, never]

        For more information, try '--help'.
        exit status 2
    "#]],
    );
}

#[test]
fn task_10_quiet_prints_findings_alone() {
    let folder = Folder::new("10", &[("a.ll", BAD), ("b.s", "\tnop\n")]);
    let output = folder.run(&["check", "--quiet", "."]);
    assert_eq!(err(&output), "");
    assert!(out(&output).starts_with("error[undefined-value]"), "{}", out(&output));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn task_11_verbose_names_each_file() {
    let folder = Folder::new("11", &[("a.ll", BAD), ("b.s", "\tnop\n")]);
    let output = err(&folder.run(&["check", "-v", "."]));
    let lines: Vec<&str> = output.lines().map(|l| l.split(", ").take(2).last().unwrap_or(l)).collect();
    assert!(output.contains("wavelens: a.ll: llvm, 1 finding, "), "{output}");
    assert!(output.contains("wavelens: b.s: skipped: does not look like AMDGPU assembly\n"), "{output}");
    assert!(lines.len() >= 3, "{output}");
    let output = folder.run(&["check", "-v", "-q", "."]);
    assert_eq!(output.status.code(), Some(2), "they contradict each other");
}

#[test]
fn task_12_warnings_fail_a_build_that_asks_for_it() {
    let folder = Folder::new("12", &[("a.ll", WARNED)]);
    assert_eq!(folder.run(&["check", "a.ll"]).status.code(), Some(0));
    expect_run(
        &folder,
        &["check", "--error-on-warning", "a.ll"],
        expect![[r#"
            warning[store-to-constant]: store to the constant `@c` is undefined behavior
             --> a.ll:4:20
              |
            1 | @c = constant i32 1
              | -- declared here
            ...
            4 |   store i32 2, ptr @c
              |                    ^^

            1 file checked: 0 errors, 1 warning
            exit status 1
        "#]],
    );
}

#[test]
fn task_13_a_code_is_switched_off() {
    let folder = Folder::new("13", &[("a.ll", WARNED)]);
    let arguments = ["check", "--error-on-warning", "--allow", "store-to-constant", "a.ll"];
    expect_run(
        &folder,
        &arguments,
        expect![[r#"
        1 file checked: no findings
        exit status 0
    "#]],
    );
}

#[test]
fn task_14_a_misspelled_code_is_refused() {
    let folder = Folder::new("14", &[("a.ll", GOOD)]);
    expect_run(
        &folder,
        &["check", "--allow", "store-to-constnat", "a.ll"],
        expect![[r#"
        wavelens: unknown code `store-to-constnat` in `--allow`; did you mean `store-to-constant`?
        exit status 2
    "#]],
    );
    expect_run(
        &folder,
        &["check", "--severity", "undefined-vale=warning", "a.ll"],
        expect![[r#"
        wavelens: unknown code `undefined-vale` in `--severity`; did you mean `undefined-value`?
        exit status 2
    "#]],
    );
}

#[test]
fn task_15_a_severity_is_changed() {
    let folder = Folder::new("15", &[("a.ll", WARNED), ("b.ll", BAD)]);
    let status = |arguments: &[&str]| folder.run(arguments).status.code();
    assert_eq!(status(&["check", "--severity", "store-to-constant=error", "a.ll"]), Some(1));
    assert_eq!(status(&["check", "--severity", "undefined-value=warning", "b.ll"]), Some(0));
    let arguments = ["check", "--severity", "undefined-value=hint,store-to-constant=info", "a.ll", "b.ll"];
    expect_run(
        &folder,
        &arguments,
        expect![[r#"
            info[store-to-constant]: store to the constant `@c` is undefined behavior
             --> a.ll:4:20
              |
            1 | @c = constant i32 1
              | -- declared here
            ...
            4 |   store i32 2, ptr @c
              |                    ^^

            hint[undefined-value]: use of undefined value `%valeu`; did you mean `%value`?
             --> b.ll:2:16
              |
            2 |   %r = add i32 %valeu, 1
              |                ^^^^^^
              |
              = help: Replace with `%value`

            2 files checked: 0 errors, 0 warnings, 2 hints
            exit status 0
        "#]],
    );
}
