//! Formats of findings, and output into pipes, full disks and terminals.

use std::fs;
use std::process::Stdio;

use expect_test::expect;
use serde_json::Value;

use super::{BAD, Folder, GOOD, err, expect_run, finish, out, shown};

#[test]
fn task_21_json_lines_for_a_script() {
    // A letter of two bytes and one of two UTF-16 units precede the mistake.
    let text = "@\"é𝄞\" = global ptr @missing\n";
    let folder = Folder::new("21", &[("a.ll", text), ("b.ll", GOOD)]);
    let output = folder.run(&["check", "--format", "json", "a.ll", "b.ll"]);
    let lines: Vec<Value> = out(&output).lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[1]["diagnostics"], serde_json::json!([]));
    let first = &lines[0]["diagnostics"][0];
    assert_eq!((&first["column"], &first["utf16_column"]), (&24.into(), &21.into()), "{first}");
    assert_eq!(err(&output), "");
}

#[test]
fn task_22_json_has_fixes() {
    let folder = Folder::new("22", &[("a.ll", BAD)]);
    let output = folder.run(&["check", "--format", "json", "a.ll"]);
    let file: Value = serde_json::from_str(&out(&output)).expect("JSON");
    expect![[r#"
        {
          "code": "undefined-value",
          "column": 16,
          "end_column": 22,
          "end_line": 2,
          "fixes": [
            {
              "certain": false,
              "edits": [
                {
                  "column": 16,
                  "end_column": 22,
                  "end_line": 2,
                  "line": 2,
                  "text": "%value",
                  "utf16_column": 16,
                  "utf16_end_column": 22
                }
              ],
              "title": "Replace with `%value`"
            }
          ],
          "help": [
            "Replace with `%value`"
          ],
          "line": 2,
          "message": "use of undefined value `%valeu`; did you mean `%value`?",
          "related": [],
          "severity": "error",
          "utf16_column": 16,
          "utf16_end_column": 22
        }
    "#]]
    .assert_eq(&format!("{:#}\n", file["diagnostics"][0]));
}

#[test]
fn task_23_annotations_for_github() {
    let folder = Folder::new("23", &[("100%, a:b.ll", BAD)]);
    expect_run(
        &folder,
        &["check", "--format", "github", "."],
        expect![[r#"
            ::error title=wavelens (undefined-value),file=100%25%2C a%3Ab.ll,line=2,endLine=2,col=16,endColumn=22::100%25, a:b.ll:2:16: use of undefined value `%25valeu`; did you mean `%25value`? [undefined-value]
            exit status 1
        "#]],
    );
}

#[test]
fn task_24_output_into_a_closed_pipe() {
    let text =
        "define void @f() {\n".to_owned() + &"  call void @missing()\n".repeat(5000) + "  ret void\n}\n";
    let folder = Folder::new("24", &[("a.ll", &text)]);
    let mut command = folder.command(&["check", "a.ll"]);
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!((output.status.code(), err(&output)), (Some(0), String::new()));
}

#[cfg(target_os = "linux")]
#[test]
fn task_25_a_full_disk_is_reported() {
    let folder = Folder::new("25", &[("a.ll", BAD)]);
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("the device is there");
    let output = folder.command(&["check", "a.ll"]).stdout(full).output().expect("the program ends");
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).starts_with("wavelens: standard output: No space left"), "{}", err(&output));
}

#[test]
fn task_26_names_cannot_control_the_terminal() {
    let folder = Folder::new("26", &[]);
    if fs::write(folder.0.join("\u{1b}[31mred\n.ll"), BAD).is_err() {
        return; // Such a name is not possible here.
    }
    let output = folder.run(&["check", "."]);
    assert!(!shown(&output).contains('\u{1b}'), "{}", shown(&output));
    assert!(out(&output).contains(r"--> \u{1b}[31mred\n.ll:2:16"), "{}", out(&output));
    let output = folder.run(&["check", "\u{1b}]0;title\u{7}.ll"]);
    assert!(!err(&output).contains('\u{1b}'), "{}", err(&output));
}

#[cfg(target_os = "linux")]
#[test]
fn task_27_names_that_are_not_unicode() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new("27", &[]);
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9.ll");
    fs::write(folder.0.join(name), BAD).expect("a file");
    let mut command = folder.command(&["check"]);
    command.arg(name);
    let output = finish(command, "");
    assert!(out(&output).contains("--> caf\\xe9.ll:2:16"), "{}", shown(&output));
    let output = folder.run(&["check", "--format", "sarif", "."]);
    assert!(out(&output).contains("\"uri\":\"caf%E9.ll\""), "{}", out(&output));
}

#[test]
fn task_28_a_long_line_is_cut() {
    let calls: String = (0..3000).map(|n| format!("call void @missing{n}() ")).collect();
    let text = format!("define void @f() {{ {calls} ret void }}\n");
    let folder = Folder::new("28", &[("a.ll", &text)]);
    let output = out(&folder.run(&["check", "a.ll"]));
    assert!(output.lines().all(|l| l.chars().count() <= 160), "a line is longer");
    assert!(output.len() < 20 * text.len(), "{} bytes of {}", output.len(), text.len());
    // Fifty are shown; the rest is counted, and listed on request.
    assert_eq!(output.matches("error[undefined-value]").count(), 51);
    assert!(
        output.contains("error[undefined-value]: and 2,950 more in a.ll; `--format concise` lists all"),
        "{output}"
    );
    let all = out(&folder.run(&["check", "--format", "concise", "a.ll"]));
    assert_eq!(all.matches("[undefined-value]").count(), 3000);
    let last = "a.ll:1:73895: error: use of undefined value `@missing2999` [undefined-value]";
    assert!(all.lines().any(|line| line == last), "{all}");
}
