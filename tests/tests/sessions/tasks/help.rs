//! Help, versions, completions, and mistakes in arguments.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use expect_test::expect;

use super::{Folder, GOOD, err, expect_run, finish, out, shown};

#[test]
fn task_29_help_for_each_command() {
    let folder = Folder::new("29", &[]);
    let help = out(&folder.run(&["--help"]));
    let commands = help.split("\nOptions:\n").next().expect("commands");
    let names = commands.lines().filter_map(|l| l.strip_prefix("  ")?.split_whitespace().next());
    let names: Vec<&str> = names.collect();
    assert!(names.len() > 12, "{names:?}");
    for name in names {
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

        Check and fix:
          check        Find errors in files and folders
          fmt          Format files and folders
          explain      Explain the code of a finding, or list all codes
          interface    Compare the interfaces of the SPIR-V modules of a pipeline
          lit          Run the RUN lines of LLVM tests, and report the first mismatch of each

        See what a file compiles to:
          isa          Print the machine code that a file compiles to, and the resources of each kernel
          compare      Compare the resources of each kernel on several processors
          advise       Try changes that give kernels more waves or fewer spills
          passes       Print what each pass of the compiler changed
          trace        Print what each pass of the compiler did to a value or a line
          remarks      Print the optimization remarks of the compiler
          cfg          Print the control-flow graphs of a file's functions
          target       Print what a file is checked and compiled for, and where each value comes from

        Assemble and disassemble:
          encode       Assemble AMDGPU or SPIR-V assembly and print the bytes of each instruction
          disassemble  Print a SPIR-V binary or an AMDGPU code object as text
          parse        Print the syntax tree of a file

        Report bugs:
          reduce       Make a file smaller while it keeps a finding, crashes a compiler, or passes a test
          report       Write a report about a file on which Wavelens and the reference tool disagree

        Set up:
          doctor       Report which external tools were found, and how to install the others
          lsp          Serve an editor on standard input and output
          completions  Print a script that completes commands in a shell
          man          Print manual pages

        Options:
              --color <WHEN>   When to use colors: auto means on a terminal, and follows NO_COLOR and
                               CLICOLOR_FORCE [default: auto] [possible values: auto, always, never]
          -q, --quiet          Print results only: no notes, no progress, no summary
          -v, --verbose        Print on standard error what is done with each file
              --config <FILE>  Read this project file instead of the nearest wavelens.toml above each file
              --no-config      Read no project file
          -h, --help           Print help
          -V, --version        Print version

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

            Usage: wavelens check --format <FORMAT> [PATH]...

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
    for command in ["isa", "compare", "passes", "cfg"] {
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
