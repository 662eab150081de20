//! What users of other checkers look for: which files, which findings, how they are printed.

use std::fs;

use expect_test::expect;

use super::{BAD, FIXABLE, Folder, GOOD, WARNED, err, expect_run, finish, out, shown};

#[test]
fn task_40_without_a_path_the_current_folder_is_checked() {
    let folder = Folder::new("cwd", &[("a.ll", GOOD), ("b/c.ll", GOOD)]);
    assert_eq!(err(&folder.run(&["check"])), "2 files checked: no findings\n");
    assert_eq!(err(&folder.run(&["fmt", "--check"])), "0 files would be formatted, 2 files left unchanged\n");
}

#[test]
fn task_41_findings_have_a_line_each() {
    let folder = Folder::new("concise", &[("a.ll", BAD), ("b.ll", WARNED)]);
    expect_run(
        &folder,
        &["check", "--format", "concise", "."],
        expect![[r#"
            a.ll:2:16: error: use of undefined value `%valeu`; did you mean `%value`? [undefined-value]
            b.ll:4:20: warning: store to the constant `@c` is undefined behavior [store-to-constant]
            2 files checked: 1 error, 1 warning
            exit status 1
        "#]],
    );
}

#[test]
fn task_42_findings_are_counted_by_code() {
    let folder = Folder::new("statistics", &[("a.ll", BAD), ("b.ll", FIXABLE)]);
    expect_run(
        &folder,
        &["check", "-q", "--statistics", "."],
        expect![[r#"
                  4  error    syntax-error  4 fixable
                  1  error    undefined-value
            exit status 1
        "#]],
    );
    let json = out(&folder.run(&["check", "--statistics", "--format", "json", "a.ll"]));
    assert!(json.starts_with("{\"code\":\"undefined-value\",\"severity\":\"error\",\"count\":1,"), "{json}");
}

#[test]
fn task_43_files_of_folders_are_left_out() {
    let files = [("a.ll", GOOD), ("build/b.ll", BAD), ("c.gen.ll", BAD), ("d/e.ll", BAD)];
    let folder = Folder::new("exclude", &files);
    let arguments = ["check", "--exclude", "build/", "--exclude", "*.gen.ll", "--exclude", "d/e.ll", "."];
    assert_eq!(err(&folder.run(&arguments)), "1 file checked: no findings\n");
    // What is named is checked.
    assert_eq!(folder.run(&["check", "--exclude", "build", "build/b.ll"]).status.code(), Some(1));
    fs::write(folder.0.join("wavelens.toml"), "exclude = [\"build\", \"*.gen.ll\", \"d/*.ll\"]\n")
        .expect("a file");
    assert_eq!(err(&folder.run(&["check"])), "1 file checked: no findings\n");
    let output = folder.run(&["check", "--exclude", "a[", "."]);
    assert_eq!(err(&output), "wavelens: `--exclude a[`: unclosed character class; missing ']'\n");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn task_44_standard_input_has_the_name_of_a_file() {
    let folder = Folder::new("stdin", &[("wavelens.toml", "severity.undefined-value = \"warning\"\n")]);
    let output = folder.run_on(&["check", "--stdin-filename", "x/a.ll", "--format", "concise", "-"], BAD);
    expect![[r#"
        x/a.ll:2:16: warning: use of undefined value `%valeu`; did you mean `%value`? [undefined-value]
        1 file checked: 0 errors, 1 warning
        exit status 0
    "#]]
    .assert_eq(&shown(&output));
    let output = folder.run_on(&["fmt", "--stdin-filename", "a.ll"], "define void @f() {\nret void\n}\n");
    assert_eq!(out(&output), GOOD);
    assert_eq!(folder.run(&["check", "--stdin-filename", "a.ll", "b.ll"]).status.code(), Some(2));
}

#[test]
fn task_45_a_report_goes_to_a_file() {
    let folder = Folder::new("output", &[("a.ll", BAD)]);
    let output = folder.run(&["check", "-q", "--format", "json", "--output", "report.json", "a.ll"]);
    assert_eq!((out(&output), output.status.code()), (String::new(), Some(1)));
    assert!(folder.read("report.json").starts_with("{\"file\":\"a.ll\""));
    let output = folder.run(&["check", "--output", "no/report.json", "a.ll"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).starts_with("wavelens: no/report.json: "), "{}", err(&output));
}

#[test]
fn task_46_a_check_stops_after_some_errors() {
    let many: String = (0..9).map(|n| BAD.replace("@f", &format!("@f{n}"))).collect();
    let folder = Folder::new("max", &[("a.ll", &many), ("b.ll", &many)]);
    let output = folder.run(&["check", "--max-errors", "3", "--format", "concise", "."]);
    assert_eq!(out(&output).lines().count(), 3);
    assert_eq!(
        err(&output),
        "wavelens: note: stopped after 3 errors\n1 file checked: 3 errors, 0 warnings\n"
    );
    assert_eq!(
        out(&folder.run(&["check", "--max-errors", "10", "--format", "concise", "."])).lines().count(),
        10
    );
    assert_eq!(folder.run(&["check", "--jobs", "1", "."]).status.code(), Some(1));
}

#[test]
fn task_47_a_code_is_off() {
    let folder = Folder::new("off", &[("a.ll", BAD)]);
    for option in [["--severity", "undefined-value=off"], ["--allow", "undefined-value"]] {
        let output = folder.run(&["check", option[0], option[1], "a.ll"]);
        assert_eq!(err(&output), "1 file checked: no findings\n");
    }
}

#[test]
fn task_48_a_comment_allows_a_code() {
    let text = BAD.replace("valeu, 1", "valeu, 1 ; wavelens: allow(undefined-value)");
    let folder = Folder::new("comment", &[("a.ll", &text)]);
    assert_eq!(err(&folder.run(&["check", "a.ll"])), "1 file checked: no findings\n");
    fs::write(folder.0.join("a.ll"), format!("; wavelens: allow-file(type-mismatch)\n{GOOD}"))
        .expect("a file");
    let output = folder.run(&["check", "--format", "concise", "a.ll"]);
    assert_eq!(out(&output), "a.ll:1:24: warning: `type-mismatch` is not reported here [unused-allow]\n");
    folder.run(&["check", "--fix", "a.ll"]);
    assert_eq!(folder.read("a.ll"), GOOD);
}

#[test]
fn task_49_known_findings_are_in_a_baseline() {
    let folder = Folder::new("baseline", &[("a.ll", BAD)]);
    let output = folder.run(&["check", "--write-baseline", "known.json", "."]);
    assert_eq!(output.status.code(), Some(0));
    assert!(err(&output).contains("known.json: 1 finding\n"), "{}", err(&output));
    // Lines above may come and go; what is new is reported.
    let new = BAD.replace("@f", "@g").replace("%valeu, 1", "%valeu, 2");
    fs::write(folder.0.join("a.ll"), format!("; new\n\n{BAD}{new}")).expect("a file");
    let output = folder.run(&["check", "--baseline", "known.json", "--format", "concise", "."]);
    assert_eq!(out(&output).lines().count(), 1, "{}", out(&output));
    assert!(out(&output).starts_with("a.ll:8:16: error"), "{}", out(&output));
    fs::write(folder.0.join("a.ll"), GOOD).expect("a file");
    let output = folder.run(&["check", "--baseline", "known.json", "."]);
    assert!(err(&output).contains("1 other is gone"), "{}", err(&output));
    let output = folder.run(&["check", "--baseline", "a.ll", "."]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn task_50_many_findings_of_a_code_become_a_few() {
    let many: String =
        (0..1500).map(|n| format!("define void @f{n}() {{\n  ret void\nb:\n  ret void\n}}\n")).collect();
    let folder = Folder::new("volume", &[("a.ll", &many)]);
    let output = folder.run(&["check", "a.ll"]);
    let text = out(&output);
    assert_eq!(text.matches("unreachable-block").count(), 11, "{text}");
    assert!(text.ends_with("]: and 1,490 more in a.ll; `--format concise` lists all\n\n"), "{text}");
    assert!(err(&output).contains("1,500"), "{}", err(&output));
}

#[test]
fn task_51_a_watch_checks_again_after_a_change() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;

    let folder = Folder::new("watch", &[("a.ll", GOOD)]);
    let mut command = folder.command(&["check", "--watch", "."]);
    let mut child = command.stderr(Stdio::piped()).stdout(Stdio::null()).spawn().expect("the program starts");
    let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines().map_while(Result::ok);
    assert_eq!(lines.next().as_deref(), Some("1 file checked: no findings"));
    assert_eq!(lines.next().as_deref(), Some("wavelens: waiting for changes; Ctrl-C ends"));
    fs::write(folder.0.join("a.ll"), format!("{BAD}\n")).expect("a file");
    assert_eq!(lines.next().as_deref(), Some("1 file checked: 1 error, 0 warnings"));
    child.kill().expect("it runs");
    let _ = child.wait();
}

#[test]
fn task_52_codes_are_found_by_words_in_any_case() {
    let folder = Folder::new("words", &[]);
    let explained = |arguments: &[&str]| out(&folder.run(&[&["explain"], arguments].concat()));
    assert!(explained(&["Undefined-VALUE"]).starts_with("undefined-value (error; LLVM IR)"));
    assert!(explained(&["error[undefined-value]:"]).starts_with("undefined-value (error; LLVM IR)"));
    let two = explained(&["undefined-value", "type-mismatch"]);
    assert!(two.contains("\ntype-mismatch (error;"), "{two}");
    assert!(
        explained(&["phi", "predecessor"]).starts_with("bad-phi"),
        "{}",
        explained(&["phi", "predecessor"])
    );
    let json = explained(&["--format", "json", "undefined-value"]);
    let object: serde_json::Value = serde_json::from_str(&json).expect("an object");
    assert_eq!((&object["code"], &object["severity"]), (&"undefined-value".into(), &"error".into()));
    let output = folder.run(&["explain", "undefined-value", "type-mismach"]);
    assert_eq!(
        (err(&output).as_str(), output.status.code()),
        ("wavelens: unknown code `type-mismach`; did you mean `type-mismatch`?\n", Some(2))
    );
}

#[test]
fn task_53_a_file_that_cannot_be_written_is_counted_as_it_is() {
    use std::os::unix::fs::PermissionsExt;

    let folder = Folder::new("unwritten", &[("a.ll", FIXABLE), ("b.ll", FIXABLE)]);
    fs::set_permissions(folder.0.join("a.ll"), PermissionsExt::from_mode(0o444)).expect("it is ours");
    let output = finish(folder.command(&["check", "--fix", "--format", "concise", "."]), "");
    // Whoever runs tests as root may write everything.
    if output.status.code() == Some(0) {
        return;
    }
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("a.ll: not fixed: "), "{}", err(&output));
    assert!(
        err(&output).ends_with("2 files checked: 4 errors, 0 warnings (4 fixes applied)\n"),
        "{}",
        err(&output)
    );
    assert_eq!(out(&output).lines().count(), 4, "{}", out(&output));
}
