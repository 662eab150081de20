//! `wavelens report`, with a shell script in the place of `llvm-as`.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use expect_test::{Expect, expect};

const GOOD: &str = "define i32 @f(i32 %x) {\n  %y = mul i32 %x, %x\n  %z = add i32 %x, 1\n  ret i32 %y\n}\n\n\
    define void @g() {\n  ret void\n}\n";
const BAD: &str = "define i32 @f(i32 %x) {\n  %y = add i32 %valeu, %x\n  ret i32 %y\n}\n\n\
    define void @g() {\n  ret void\n}\n";

/// A new folder with the program and the file.
fn folder(name: &str, script: &str, text: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("wavelens-report-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let program = folder.join("llvm-as");
    std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).expect("a script");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("a program");
    std::fs::write(folder.join("a.ll"), text).expect("a file");
    folder
}

fn report(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wavelens"));
    command.current_dir(folder).args(["report", "--llvm-path", "."]).args(arguments).arg("a.ll");
    let output = command.output().expect("the program starts");
    let text = [output.stdout, output.stderr].map(|s| String::from_utf8_lossy(&s).into_owned()).concat();
    let is_build = |line: &&str| line.starts_with("- wavelens: ");
    text.lines().filter(|line| !is_build(line)).map(|line| format!("{line}\n")).collect()
}

fn check(name: &str, script: &str, text: &str, arguments: &[&str], expected: Expect) {
    let folder = folder(name, script, text);
    expected.assert_eq(&report(&folder, arguments));
    let _ = std::fs::remove_dir_all(folder);
}

/// Rejects what has a multiplication, as no version of LLVM does.
const NO_MUL: &str = "if [ \"$1\" = --version ]; then echo 'LLVM version 99.0'; exit; fi\n\
    if grep -q mul \"$2\"; then echo \"$0: $2:2:8: error: a 'mul' is too slow\" >&2; exit 1; fi";

#[test]
fn a_missed_error_is_reduced() {
    check(
        "missed",
        NO_MUL,
        GOOD,
        &[],
        expect![[r##"
            # Missed error: llvm-as reports "a 'mul' is too slow"

            - llvm-as: LLVM version 99.0
            - reduced from 115 to 61 bytes

            `a.ll`:

            ```text
            define i32 @f() {
                mul i32 poison, poison
              unreachable
            }
            ```

            `wavelens check a.ll`:

            ```text
            no errors
            ```

            `llvm-as -disable-output a.ll`:

            ```text
            llvm-as: a.ll:2:8: error: a 'mul' is too slow
            ```
        "##]],
    );
}

#[test]
fn a_false_alarm_is_reduced() {
    check(
        "alarm",
        NO_MUL,
        BAD,
        &[],
        expect![[r#"
        # False alarm: `undefined-value` in a file that llvm-as accepts

        - llvm-as: LLVM version 99.0
        - reduced from 98 to 57 bytes

        `a.ll`:

        ```text
        define i32 @f() {
            add i32 poison, %x
          unreachable
        }
        ```

        `wavelens check a.ll`:

        ```text
        a.ll:2:21: error[undefined-value]: use of undefined value `%x`
        ```

        `llvm-as -disable-output a.ll`:

        ```text
        no errors
        ```
    "#]],
    );
}

#[test]
fn a_file_can_be_reported_as_it_is() {
    check(
        "whole",
        NO_MUL,
        BAD,
        &["--time-limit", "0"],
        expect![[r#"
        # False alarm: `undefined-value` in a file that llvm-as accepts

        - llvm-as: LLVM version 99.0

        `a.ll`:

        ```text
        define i32 @f(i32 %x) {
          %y = add i32 %valeu, %x
          ret i32 %y
        }

        define void @g() {
          ret void
        }
        ```

        `wavelens check a.ll`:

        ```text
        a.ll:2:16: error[undefined-value]: use of undefined value `%valeu`
        ```

        `llvm-as -disable-output a.ll`:

        ```text
        no errors
        ```
    "#]],
    );
}

#[test]
fn what_both_accept_is_not_reduced() {
    check(
        "same",
        "exit 0",
        "define void @g() {\n  ret void\n}\n",
        &[],
        expect![[r#"
            wavelens: note: a.ll: both sides accept the file: there is nothing to report
        "#]],
    );
}
