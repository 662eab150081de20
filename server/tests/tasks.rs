//! What a user does on the command line, one test for each task: arguments, streams, exit status. Behaviour follows ruff and clippy.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use expect_test::{Expect, expect};
use serde_json::Value;

/// A folder of its own for each test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str, files: &[(&str, &str)]) -> Folder {
        let path = std::env::temp_dir().join(format!("wavelens-tasks-{test}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        let folder = Folder(path);
        for (name, text) in files {
            let file = folder.0.join(name);
            fs::create_dir_all(file.parent().expect("a parent")).expect("a folder");
            fs::write(file, text).expect("a file");
        }
        folder
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wavelens"));
        command.args(arguments).current_dir(&self.0).env_clear();
        for name in ["PATH", "HOME", "SYSTEMROOT"] {
            command.envs(std::env::var_os(name).map(|value| (name, value)));
        }
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.run_on(arguments, "")
    }

    fn run_on(&self, arguments: &[&str], input: &str) -> Output {
        finish(self.command(arguments), input)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).expect("the file is there")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn finish(mut command: Command, input: &str) -> Output {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    // A program that refuses its arguments closes its input early.
    let _ = child.stdin.take().map(|mut s| s.write_all(input.as_bytes()));
    child.wait_with_output().expect("the program ends")
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Exit status, standard output and standard error, as a user sees them.
fn shown(output: &Output) -> String {
    let code = output.status.code().map_or("killed".to_owned(), |c| c.to_string());
    format!("{}{}exit status {code}\n", out(output), err(output))
}

fn expect_run(folder: &Folder, arguments: &[&str], expected: Expect) {
    expected.assert_eq(&shown(&folder.run(arguments)));
}

const GOOD: &str = "define void @f() {\n  ret void\n}\n";
const BAD: &str = "define i32 @f(i32 %value) {\n  %r = add i32 %valeu, 1\n  ret i32 %r\n}\n";
/// A warning: a store to a constant.
const WARNED: &str = "@c = constant i32 1\n\ndefine void @f() {\n  store i32 2, ptr @c\n  ret void\n}\n";
/// A mistake with a certain fix.
const FIXABLE: &str = "define f32 @f(u8 %x) {\n  %z = zext u8 %x to i64\n  ret f32 0.0\n}\n";

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
              = help: Write `%value`

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
          = help: Write `%value`

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
              = help: Write `%value`

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
              = help: Write `%value`

            2 files checked: 0 errors, 0 warnings, 2 hints
            exit status 0
        "#]],
    );
}

#[test]
fn task_16_an_error_cannot_be_allowed() {
    let folder = Folder::new("16", &[("a.ll", BAD)]);
    let output = folder.run(&["check", "--allow", "undefined-value", "a.ll"]);
    assert_eq!(output.status.code(), Some(1));
    let note =
        "wavelens: note: `--allow` does not apply to errors; `--severity undefined-value=warning` does\n";
    assert!(err(&output).starts_with(note), "{}", err(&output));
}

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
              "title": "Write `%value`"
            }
          ],
          "help": [
            "Write `%value`"
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
    assert!(out(&output).contains("\"uri\": \"caf%E9.ll\""), "{}", out(&output));
}

#[test]
fn task_28_a_long_line_is_cut() {
    let calls: String = (0..3000).map(|n| format!("call void @missing{n}() ")).collect();
    let text = format!("define void @f() {{ {calls} ret void }}\n");
    let folder = Folder::new("28", &[("a.ll", &text)]);
    let output = out(&folder.run(&["check", "a.ll"]));
    assert!(output.lines().all(|l| l.chars().count() <= 160), "a line is longer");
    assert!(output.len() < 20 * text.len(), "{} bytes of {}", output.len(), text.len());
    // All of them are there.
    assert_eq!(output.matches("error[undefined-value]").count(), 3000);
    let last = output.lines().last().unwrap_or_default();
    assert_eq!(last, "error[undefined-value]: a.ll:1:73895: use of undefined value `@missing2999`");
}

#[test]
fn task_29_help_for_each_command() {
    let folder = Folder::new("29", &[]);
    let help = out(&folder.run(&["--help"]));
    let commands = help.split("Commands:\n").nth(1).and_then(|h| h.split("\n\n").next()).expect("commands");
    let names: Vec<&str> = commands.lines().filter_map(|l| l.split_whitespace().next()).collect();
    assert!(names.len() > 12, "{names:?}");
    for name in names.into_iter().filter(|n| *n != "help") {
        let output = folder.run(&[name, "--help"]);
        let text = out(&output);
        assert_eq!(output.status.code(), Some(0), "{name}");
        assert!(
            text.contains("\nExamples:\n  wavelens") || text.contains("\nExamples:\n  "),
            "{name}: {text}"
        );
        assert!(text.contains("\nExit status:\n  0  "), "{name}: {text}");
        assert!(text.lines().all(|l| l.chars().count() <= 100), "{name}: {text}");
        let page = out(&folder.run(&["man", name]));
        assert!(page.contains(&format!("wavelens\\-{name}")), "{page}");
    }
    expect![[r#"
        Language server and checker for LLVM IR, Machine IR, SPIR-V assembly and AMDGPU assembly

        Usage: wavelens [OPTIONS] [COMMAND]

        Commands:
          check        Find errors in files and folders
          fmt          Format files and folders
          encode       Assemble AMDGPU or SPIR-V assembly and print the bytes of each instruction
          disassemble  Print a SPIR-V binary or an AMDGPU code object as text
          parse        Print the syntax tree of a file
          target       Print what a file is checked and compiled for, and where each value comes from
          lit          Run the RUN lines of LLVM tests, and report the first mismatch of each
          explain      Explain the code of a finding, or list all codes
          isa          Print the machine code that a file compiles to, and the resources of each kernel
          compare      Compare the resources of each kernel on several processors
          advise       Try changes that give kernels more waves or fewer spills
          passes       Print what each pass of the compiler changed
          remarks      Print the optimization remarks of the compiler
          trace        Print what each pass of the compiler did to a value or a line
          cfg          Print the control-flow graphs of a file's functions
          reduce       Make a file smaller while it keeps a finding, crashes a compiler, or passes a test
          doctor       Report which external tools were found, and how to install the others
          completions  Print a script that completes commands in a shell
          man          Print manual pages
          lsp          Serve an editor on standard input and output
          help         Print this message or the help of the given subcommand(s)

        Options:
          -h, --help     Print help
          -V, --version  Print version

        Output:
              --color <WHEN>  When to use colors: auto means on a terminal, and follows NO_COLOR and
                              CLICOLOR_FORCE [default: auto] [possible values: auto, always, never]
          -q, --quiet         Print results only: no notes, no progress, no summary
          -v, --verbose       Print on standard error what is done with each file

        Examples:
          wavelens check kernel.ll          Find errors in a file
          wavelens check .                  Find errors in all files below this folder
          wavelens fmt kernel.ll            Format a file
          wavelens explain undefined-value  Say what a code means
          wavelens doctor                   Say which external tools were found

        `wavelens COMMAND --help` says more about a command.
    "#]]
    .assert_eq(&help);
}

#[test]
fn task_30_versions_for_a_bug_report() {
    let folder = Folder::new("30", &[]);
    let output = out(&folder.run(&["--version"]));
    let lines: Vec<&str> = output.lines().map(|l| l.split(':').next().unwrap_or(l)).collect();
    assert_eq!(lines.first(), Some(&concat!("wavelens ", env!("CARGO_PKG_VERSION"))));
    assert_eq!(lines.get(1..), Some(&["commit", "LLVM tables", "SPIR-V tables"][..]));
    assert_eq!(out(&folder.run(&["-V"])).lines().count(), 1);
}

#[test]
fn task_31_codes_are_listed_and_explained() {
    let folder = Folder::new("31", &[]);
    let list = out(&folder.run(&["explain"]));
    let line =
        list.lines().find(|l| l.trim_start().starts_with("store-to-constant ")).expect("the code is listed");
    let words: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(words[..2], ["store-to-constant", "warning"]);
    assert!(words.len() > 5, "{line}");
    expect_run(
        &folder,
        &["explain", "store-to-constnat"],
        expect![[r#"
        wavelens: unknown code `store-to-constnat`; did you mean `store-to-constant`?
        exit status 2
    "#]],
    );
}

#[test]
fn task_32_completions_for_shells() {
    let folder = Folder::new("32", &[]);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = folder.run(&["completions", shell]);
        assert_eq!(output.status.code(), Some(0), "{shell}");
        assert!(out(&output).contains("error-on-warning"), "{shell}");
    }
    assert_eq!(folder.run(&["completions", "tcsh"]).status.code(), Some(2));
}

#[test]
fn task_33_manual_pages_are_installed() {
    let folder = Folder::new("33", &[]);
    let output = folder.run(&["man", "--out", "man1"]);
    assert_eq!(shown(&output), "exit status 0\n");
    assert!(folder.read("man1/wavelens-check.1").contains("Exit status"));
    assert!(Path::new(&folder.0.join("man1/wavelens.1")).exists());
    assert!(
        !Path::new(&folder.0.join("man1/wavelens-radv-worker.1")).exists(),
        "hidden commands have no page"
    );
}

#[test]
fn task_34_a_misspelled_option_or_command() {
    let folder = Folder::new("34", &[("a.ll", GOOD)]);
    expect_run(
        &folder,
        &["check", "--formta", "json", "a.ll"],
        expect![[r#"
        error: unexpected argument '--formta' found

          tip: a similar argument exists: '--format'

        Usage: wavelens check --format <FORMAT> <PATH>...

        For more information, try '--help'.
        exit status 2
    "#]],
    );
    expect_run(
        &folder,
        &["chekc", "a.ll"],
        expect![[r#"
        error: unrecognized subcommand 'chekc'

          tip: a similar subcommand exists: 'check'

        Usage: wavelens [OPTIONS] [COMMAND]

        For more information, try '--help'.
        exit status 2
    "#]],
    );
    expect_run(
        &folder,
        &["check"],
        expect![[r#"
        error: the following required arguments were not provided:
          <PATH>...

        Usage: wavelens check <PATH>...

        For more information, try '--help'.
        exit status 2
    "#]],
    );
}

#[test]
fn task_35_a_missing_compiler_says_how_to_get_it() {
    let folder = Folder::new("35", &[("a.ll", GOOD)]);
    let mut command = folder.command(&["isa", "--mcpu", "gfx1100", "a.ll"]);
    command.env("PATH", &folder.0);
    let output = finish(command, "");
    expect![[r#"
        wavelens: a.ll: no `llc` with the AMDGPU target was found: install LLVM (`apt-get install llvm`), or say which folder it is in (`--llvm-path`, in editors `wavelens.llvm.path`)
        exit status 2
    "#]].assert_eq(&shown(&output));
}

#[test]
fn task_36_one_function_has_one_option() {
    let folder = Folder::new("36", &[("a.ll", GOOD)]);
    for command in ["isa", "compare", "advise", "passes", "remarks", "trace", "cfg"] {
        let help = out(&folder.run(&[command, "--help"]));
        assert!(help.contains("--function <NAME"), "{command}: {help}");
        assert!(!help.contains("--only"), "{command}: {help}");
    }
    // The former name still works.
    for option in ["--function", "--only"] {
        let output = folder.run(&["isa", option, "g", "a.ll"]);
        assert_eq!(err(&output), "wavelens: a.ll: no function `g` with a body; the file defines `@f`\n");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn task_37_an_interrupt_says_what_was_done() {
    let folder = Folder::new("37", &[("a.ll", GOOD)]);
    let mut command = folder.command(&["check", "--dialect", "llvm", "a.ll", "-"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    // It waits for its input, which never ends.
    let stdin = child.stdin.take();
    let pid = child.id().to_string();
    let handles_interrupts = || {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let caught = status.lines().find_map(|l| l.strip_prefix("SigCgt:")).unwrap_or_default();
        u64::from_str_radix(caught.trim(), 16).is_ok_and(|mask| mask & 2 != 0)
    };
    while !handles_interrupts() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    Command::new("kill").args(["-INT", &pid]).status().expect("kill runs");
    let output = child.wait_with_output().expect("the program ends");
    drop(stdin);
    let said = shown(&output);
    let (before, after) = (err(&output), "of 2 files\nexit status 130\n");
    assert!(before.starts_with("wavelens: interrupted after ") && said.ends_with(after), "{said}");
}

#[test]
fn task_38_a_language_client_passes_stdio() {
    let folder = Folder::new("38", &[]);
    // The client goes away at once.
    assert_eq!(folder.run(&["lsp", "--stdio"]).status.code(), Some(1));
}

#[test]
fn task_39_without_a_command_there_is_help() {
    let folder = Folder::new("39", &[]);
    let output = folder.run(&[]);
    assert_eq!(out(&output), out(&folder.run(&["-h"])));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_file_is_reduced_to_a_mistake() {
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
                mul
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
