//! No output of a command holds a character that a terminal would obey, whatever is in a file and in its name.

use std::path::{Path, PathBuf};
use std::process::Command;

const PIECES: [&str; 16] = [
    "a",
    "`",
    "\u{1b}[31m",
    "\u{1b}]0;t\u{7}",
    "\u{1b}[2J",
    "\u{9b}2J",
    "\u{9d}0;t\u{9c}",
    "\u{202e}",
    "\u{2066}",
    "\u{61c}",
    "\u{200f}",
    "\u{7f}",
    "\u{8}",
    "\u{2028}",
    "\u{feff}",
    "é",
];

/// 500 names.
fn names() -> impl Iterator<Item = String> {
    let piece = |index: usize| PIECES[index % PIECES.len()];
    (0..500).map(move |n| format!("{}{}{}{n}", piece(n), piece(n / 16 + 1), piece(n / 5)))
}

/// A file in which each name is defined and is part of a mistake.
fn texts() -> [(&'static str, String); 4] {
    let all = |line: &dyn Fn(&str) -> String| names().map(|name| line(&name)).collect::<String>();
    [
        (
            "ll",
            all(&|n| {
                format!(
                    "define i64 @\"{n}\"(i32 %\"{n}\") {{\n\"b{n}\":\n  br label %\"c{n}\"\n\"c{n}\":\n  ret i64 %\"{n}\"\n}}\n"
                )
            }),
        ),
        (
            "mir",
            all(&|n| {
                format!(
                    "---\nname: '{n}'\nbody: |\n  bb.0.\"{n}\":\n    successors: %bb.1\n  bb.1:\n    S_NOP 0, implicit @\"{n}\"\n    UNKNOWN @\"{n}\"\n...\n"
                )
            }),
        ),
        (
            "spvasm",
            "OpCapability Shader\nOpMemoryModel Logical GLSL450\n".to_owned()
                + &all(&|n| format!("OpName %void \"{n}\"\nOpEntryPoint Fragment %f \"{n}\"\n"))
                + "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%f = OpFunction %void None %fn\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n",
        ),
        (
            "s",
            ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n".to_owned()
                + &all(&|n| format!("\"{n}\":\n  s_branch \"{n}\"\n  s_nop \"{n}\"\n  .section \"{n}\"\n")),
        ),
    ]
}

fn is_obeyed(c: char) -> bool {
    let turns = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
    turns || c.is_control() && !matches!(c, '\n' | '\t')
}

fn check(arguments: &[&str], file: &Path) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_wavelens")).args(arguments).arg(file).output().expect("it starts");
    for bytes in [&output.stdout, &output.stderr] {
        let text = String::from_utf8_lossy(bytes);
        let line = text.lines().find(|line| line.contains(is_obeyed));
        assert_eq!(line, None, "{arguments:?} {file:?}");
    }
    let is_json = arguments.contains(&"json") && !output.stdout.is_empty();
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    for line in lines.lines().filter(|_| is_json) {
        assert!(serde_json::from_str::<serde_json::Value>(line).is_ok(), "{arguments:?}: {line}");
    }
}

fn folder() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("wavelens-terminal-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("is writable");
    folder
}

#[test]
fn what_commands_print_is_not_obeyed() {
    let folder = folder();
    let name = if cfg!(windows) { "a\u{202e}" } else { "a\u{1b}]0;t\u{7}\u{202e}\u{9b}1m" };
    for (extension, text) in texts() {
        let file = folder.join(format!("{name}.{extension}"));
        std::fs::write(&file, text).expect("is writable");
        for format in ["human", "json", "sarif", "github"] {
            check(&["check", "--format", format], &file);
        }
        for format in ["text", "dot", "svg"] {
            check(&["cfg", "--format", format], &file);
        }
        check(&["cfg", "--dominators", "--format", "text"], &file);
        check(&["fmt", "--check"], &file);
        check(&["parse"], &file);
        check(&["target"], &file);
        check(&["check"], &folder.join(format!("{name}-missing.{extension}")));
    }
    let _ = std::fs::remove_dir_all(folder);
}
