//! Applying fixes, and reducing a file to a mistake.

use std::fs;

use expect_test::expect;

use super::{BAD, FIXABLE, Folder, GOOD, expect_run, finish, shown};

#[test]
fn task_17_fixes_are_applied() {
    let folder = Folder::new("17", &[("a.ll", FIXABLE), ("b.ll", BAD)]);
    expect_run(
        &folder,
        &["check", "--fix", "-q", "a.ll"],
        expect![[r#"
        exit status 0
    "#]],
    );
    expect![[r#"
        define float @f(i8 %x) {
          %z = zext i8 %x to i64
          ret float 0.0
        }
    "#]]
    .assert_eq(&folder.read("a.ll"));
    // What is only likely is left to the user.
    folder.run(&["check", "--fix", "b.ll"]);
    assert_eq!(folder.read("b.ll"), BAD);
    folder.run(&["check", "--fix", "--unsafe-fixes", "b.ll"]);
    assert_eq!(folder.read("b.ll"), BAD.replace("valeu", "value"));
}

#[cfg(unix)]
#[test]
fn task_16_a_full_disk_costs_no_text() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let text = format!("{FIXABLE}; {}\n", "x".repeat(4096));
    let folder = Folder::new("17-full", &[("a.ll", &text)]);
    let fix = |limit: &str| {
        let mut command = std::process::Command::new("sh");
        // Writing beyond the limit fails, as on a disk that is full.
        let script = format!("trap '' XFSZ; ulimit -f {limit}; exec \"$0\" check --fix a.ll");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_wavelens")]).current_dir(&folder.0);
        finish(command, "")
    };
    let output = fix("1");
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
    assert_eq!(folder.read("a.ll"), text);
    assert_eq!(fs::read_dir(&folder.0).expect("the folder is there").count(), 1);
    // With space its permissions stay, and a link still leads to it.
    fs::set_permissions(folder.0.join("a.ll"), PermissionsExt::from_mode(0o640)).expect("it is ours");
    fs::rename(folder.0.join("a.ll"), folder.0.join("b.ll")).expect("a new name");
    symlink("b.ll", folder.0.join("a.ll")).expect("a link");
    let output = fix("unlimited");
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    assert_ne!(folder.read("b.ll"), text);
    let mode = |name: &str| folder.0.join(name).symlink_metadata().expect("it is there").permissions().mode();
    assert_eq!((mode("b.ll") & 0o777, mode("a.ll") & 0o170_000), (0o640, 0o120_000));
}

#[test]
fn task_18_fixes_are_shown_as_a_diff() {
    let folder = Folder::new("18", &[("a.ll", FIXABLE)]);
    expect_run(
        &folder,
        &["check", "--fix", "--diff", "a.ll"],
        expect![[r#"
        --- a.ll
        +++ a.ll
        @@ -1,4 +1,4 @@
        -define f32 @f(u8 %x) {
        -  %z = zext u8 %x to i64
        -  ret f32 0.0
        +define float @f(i8 %x) {
        +  %z = zext i8 %x to i64
        +  ret float 0.0
         }
        1 file checked: no findings (4 fixes shown, nothing written)
        exit status 1
    "#]],
    );
    assert_eq!(folder.read("a.ll"), FIXABLE);
    folder.run(&["check", "--fix", "a.ll"]);
    assert_eq!(folder.run(&["check", "--diff", "a.ll"]).status.code(), Some(0), "nothing is left to fix");
}

#[test]
fn task_19_standard_input_is_fixed_to_standard_output() {
    let folder = Folder::new("19", &[]);
    let output = folder.run_on(&["check", "--fix", "--dialect", "llvm", "-"], FIXABLE);
    expect![[r#"
        define float @f(i8 %x) {
          %z = zext i8 %x to i64
          ret float 0.0
        }
        1 file checked: no findings (4 fixes applied)
        exit status 0
    "#]]
    .assert_eq(&shown(&output));
    let output = folder.run_on(&["check", "--fix", "--format", "json", "--dialect", "llvm", "-"], FIXABLE);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn task_20_a_file_that_is_not_text_is_not_written() {
    let folder = Folder::new("20", &[]);
    let mut bytes = FIXABLE.as_bytes().to_vec();
    bytes.extend_from_slice(b"; \xff\n");
    fs::write(folder.0.join("a.ll"), &bytes).expect("a file");
    let output = folder.run(&["check", "--fix", "a.ll"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(fs::read(folder.0.join("a.ll")).expect("the file is there"), bytes);
}

#[test]
fn task_60_a_file_is_reduced_to_a_mistake() {
    let more = "define i32 @g(i32 %x) {\n  %y = mul i32 %x, %x\n  ret i32 %y\n}\n\n";
    let folder = Folder::new("reduce", &[("a.ll", &format!("{more}{BAD}")), ("good.ll", GOOD)]);
    expect_run(
        &folder,
        &["reduce", "--quiet", "--while", "undefined-value", "a.ll"],
        expect![[r#"
            define i32 @f() {
              add i32 %valeu, 1
              unreachable
            }
            exit status 0
        "#]],
    );
    // The file of the text is the last argument of the command.
    expect_run(
        &folder,
        &["reduce", "--quiet", "a.ll", "--", "grep", "-q", "mul"],
        expect![[r#"
            define i32 @g() {
              mul i32 poison, poison
              unreachable
            }
            exit status 0
        "#]],
    );
    expect_run(
        &folder,
        &["reduce", "--while", "undefined-value", "good.ll"],
        expect![[r#"
            wavelens: good.ll: nothing to keep: no finding of `undefined-value`
            exit status 2
        "#]],
    );
    expect_run(
        &folder,
        &["reduce", "--while", "no-such-code", "good.ll"],
        expect![[r#"
            wavelens: unknown code `no-such-code`; `wavelens explain` lists all codes
            exit status 2
        "#]],
    );
    assert_eq!(folder.run(&["reduce", "good.ll"]).status.code(), Some(2));
}
