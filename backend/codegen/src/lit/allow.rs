//! Which commands of a RUN line may run: programs of a list, and no option that starts or loads something, reads more arguments
//! from a file, or writes outside the private folder.

use std::path::{Component, Path, PathBuf};

use super::builtin::{BUILTINS, Substitution};
use super::{Command, Places, Refusal, Target, Test};

/// Programs that may run. `not`, `count`, `split-file` and a few commands for files are our own.
pub const PROGRAMS: &[&str] =
    &["llc", "opt", "llvm-as", "llvm-dis", "llvm-mc", "FileCheck", "spirv-as", "spirv-val", "spirv-dis"];

/// Commands of one test.
const MAX_COMMANDS: usize = 1000;
/// Words of one command.
const MAX_WORDS: usize = 1000;

/// A command without `not`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bare<'c> {
    pub(super) program: &'c str,
    pub(super) arguments: &'c [String],
    pub(super) nots: u32,
    /// `not --crash`
    pub(super) crash: bool,
}

/// Takes `not` from the start of a command.
pub(super) fn bare(words: &[String]) -> Option<Bare<'_>> {
    let (mut nots, mut crash, mut rest) = (0, false, words);
    loop {
        let (first, after) = rest.split_first()?;
        rest = after;
        match first.as_str() {
            "not" | "!" => {
                nots += 1;
                if let Some(("--crash", after)) = rest.split_first().map(|(w, after)| (w.as_str(), after)) {
                    (crash, rest) = (true, after);
                }
            }
            program => return Some(Bare { program, arguments: rest, nots, crash }),
        }
    }
}

/// All commands of a test that may not run.
pub(super) fn refusals(test: &Test, places: &Places) -> Vec<Refusal> {
    let commands = |line: &super::Line| line.steps.iter().map(|step| step.pipeline.len()).sum::<usize>();
    if test.lines.iter().map(commands).sum::<usize>() > MAX_COMMANDS {
        let reason = format!("the test has more than {MAX_COMMANDS} commands");
        return vec![Refusal { line: 1, reason }];
    }
    let mut found = Vec::new();
    for line in &test.lines {
        let commands = line.steps.iter().flat_map(|step| &step.pipeline);
        let reasons = commands.filter_map(|command| check(command, places).err());
        found.extend(reasons.map(|reason| Refusal { line: line.number, reason }));
    }
    found
}

/// Whether a command may run; if not, why.
fn check(command: &Command, places: &Places) -> Result<(), String> {
    if command.words.len() > MAX_WORDS {
        return Err(format!("a command has more than {MAX_WORDS} words"));
    }
    let Bare { program, arguments, .. } = bare(&command.words).ok_or("the command is missing")?;
    if program == "env" || program.contains('=') {
        return Err("environment variables are not set".to_owned());
    }
    let is_own = BUILTINS.contains(&program);
    if !is_own && !PROGRAMS.contains(&program) {
        return Err(format!("`{program}` is not one of the programs that are run"));
    }
    for target in [&command.output, &command.error] {
        if let Target::File { path, .. } = target {
            written(path, places)?;
        }
    }
    if let Some(path) = &command.input {
        readable(path, places)?;
    }
    match program {
        "rm" | "mkdir" | "split-file" => arguments
            .iter()
            .filter(|word| !word.starts_with('-'))
            // What `split-file` reads is the first one.
            .skip(usize::from(program == "split-file"))
            .try_for_each(|path| written(path, places)),
        "sed" => Substitution::of(arguments)
            .and_then(|found| found.file.map_or(Ok(()), |file| readable(file, places))),
        "cat" => arguments.iter().try_for_each(|path| readable(path, places)),
        _ if is_own => Ok(()),
        _ => check_arguments(program, arguments, places),
    }
}

fn check_arguments(program: &str, arguments: &[String], places: &Places) -> Result<(), String> {
    let mut previous: Option<&str> = None;
    for word in arguments {
        if word.contains('\0') || word.contains('\n') {
            return Err("an argument has a line end".to_owned());
        }
        if word.starts_with('@') {
            return Err(format!("`{word}` would be read as more arguments"));
        }
        let Some(option) = option(word) else {
            match previous.take().filter(|name| names_output(name)) {
                Some(_) => written(word, places)?,
                None => readable(word, places)?,
            }
            continue;
        };
        let (name, value) = match option.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (option, None),
        };
        check_option(program, word, name, value, places)?;
        previous = value.is_none().then_some(name);
    }
    Ok(())
}

/// The name of an option, with its value after `=`. A dash alone is standard input or output.
fn option(word: &str) -> Option<&str> {
    word.strip_prefix("--").or_else(|| word.strip_prefix('-')).filter(|name| !name.is_empty())
}

fn check_option(
    program: &str,
    word: &str,
    name: &str,
    value: Option<&str>,
    places: &Places,
) -> Result<(), String> {
    let words = || name.split(['-', '_']);
    let first = words().next().unwrap_or("");
    let starts = first == "load" && !name.starts_with("load-store")
        || words().any(|w| matches!(w, "plugin" | "plugins" | "command" | "channel" | "interactive" | "config"))
        || first == "view"
        // These name the programs that draw and compare.
        || name.starts_with("print-changed-")
        || name == "print-changed" && value.is_some_and(|v| v.contains("diff") || v.contains("dot"))
        || name == "passes" && value.is_some_and(|v| v.contains("view-"))
        || name == "run-pass" && value.is_some_and(|v| v.contains("view-"));
    if starts {
        return Err(format!("`{word}` may start or load other programs"));
    }
    // Patterns and texts, which name no file.
    let is_text = match program {
        "FileCheck" => name.starts_with('D') || name.contains("check") || name.contains("prefix"),
        _ => {
            matches!(name, "passes" | "mattr" | "defsym")
                || name.starts_with("pass-remarks=")
                || name == "debug-only"
        }
    };
    let Some(value) = value else {
        // `-I/folder`
        return match name.find(['/', '\\']).filter(|_| !is_text) {
            Some(_) => readable(name.strip_prefix('I').unwrap_or(name), places),
            None => Ok(()),
        };
    };
    if is_text {
        return Ok(());
    }
    if matches!(name, "I" | "input-file" | "include") {
        return readable(value, places);
    }
    let is_path =
        names_output(name) || value.contains(['/', '\\']) || value.contains("..") || value.starts_with('~');
    if is_path { written(value, places) } else { Ok(()) }
}

/// Whether the value of an option may be a file that is written.
fn names_output(option: &str) -> bool {
    let words = || option.split(['-', '_']);
    const NAMES: &[&str] = &[
        "o",
        "output",
        "out",
        "file",
        "filename",
        "dir",
        "directory",
        "path",
        "dump",
        "prefix",
        "log",
        "record",
    ];
    words().any(|word| NAMES.contains(&word))
}

/// Only below the private folder.
fn written(path: &str, places: &Places) -> Result<(), String> {
    let expanded = places.expand(path);
    if matches!(expanded.as_str(), "-" | "/dev/null") {
        return Ok(());
    }
    let plain = plain(Path::new(&expanded), &places.folder);
    match places.is_private(&plain) && plain != places.folder && !expanded.starts_with('~') {
        true => Ok(()),
        false => Err(format!("`{path}` may be written outside the private folder")),
    }
}

fn readable(path: &str, places: &Places) -> Result<(), String> {
    let expanded = places.expand(path);
    let is_file = expanded.contains(['/', '\\']) || expanded.contains("..") || expanded.starts_with('~');
    if !is_file || expanded == "/dev/null" {
        return Ok(());
    }
    let plain = plain(Path::new(&expanded), &places.folder);
    match places.is_readable(&plain) && !expanded.starts_with('~') {
        true => Ok(()),
        false => Err(format!("`{path}` is outside the folders that may be read")),
    }
}

/// A path without `.` and `..`, from the folder in which programs run.
pub(super) fn plain(path: &Path, folder: &Path) -> PathBuf {
    let mut found = PathBuf::new();
    for component in folder.join(path).components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => drop(found.pop()),
            other => found.push(other),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lit::{Join, Line, Step};

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(|word| word.trim_matches('\'').to_owned()).collect()
    }

    /// Why a command may not run.
    fn refused(line: &str) -> Option<String> {
        let command = Command { words: words(line), ..Command::default() };
        refused_command(command)
    }

    fn refused_command(command: Command) -> Option<String> {
        let step = Step { join: Join::Always, pipeline: vec![command] };
        let test = Test {
            name: "a.ll".to_owned(),
            folder: Some("/suite/test".into()),
            roots: vec!["/suite".into()],
            lines: vec![Line { number: 1, steps: vec![step] }],
            ..Test::default()
        };
        crate::lit::refusals(&test).into_iter().next().map(|refusal| refusal.reason)
    }

    #[test]
    fn what_tests_commonly_run_may_run() {
        let lines = [
            "llc -mtriple=amdgcn -mcpu=gfx900 -verify-machineinstrs -o - %s",
            "llc -mtriple=amdgcn -o %t %s",
            "llc -o /dev/null %s",
            "llc -filetype=obj -o %t.o -enable-load-pre -amdgpu-load-store-vectorizer=0 %s",
            "not --crash llc -run-pass=none -o - %s",
            "opt -S -passes='function(sroa<modify-cfg>,load-store-vectorizer)' %s",
            "opt -S -passes=inline %S/Inputs/other.ll",
            "opt %S/../Inputs/other.ll -o %t/x.bc",
            "llvm-mc -triple=amdgcn -show-encoding -I%S/Inputs -defsym X=1 %s",
            "FileCheck --check-prefixes=A,B -DFILE=/any/thing --implicit-check-not={{a/b}} --input-file=%t %s",
            "spirv-as --target-env vulkan1.3 -o %t.spv %s",
            "split-file %s %t",
            "rm -rf %t",
            "mkdir -p %t/a",
            "sed s/GFX/900/g %s",
            "count 0",
            "echo hello",
        ];
        for line in lines {
            assert_eq!(refused(line), None, "{line}");
        }
    }

    #[test]
    fn hostile_commands_may_not_run() {
        let lines = [
            // Other programs.
            "sh -c 'touch /tmp/x'",
            "bash %s",
            "python3 %s",
            "%python %s",
            "curl http://localhost",
            "./llc %s",
            "/tmp/llc %s",
            "%t/llc %s",
            "%S/llc %s",
            "../llc %s",
            "chmod +x %t",
            "cp %s /tmp/x",
            "mv %s /tmp/x",
            "ln -s / %t",
            "tee /tmp/x",
            "xargs llc",
            "exec llc",
            "eval llc",
            "not sh",
            "not --crash bash",
            "! sh",
            "$(touch /tmp/x)",
            "`touch /tmp/x`",
            "lli %s",
            "clang %s",
            // What others would run with.
            "env LD_PRELOAD=%t.so llc %s",
            "LD_PRELOAD=%t.so llc %s",
            "PATH=. llc %s",
            "env -i llc %s",
            // Code from elsewhere.
            "opt -load=%t.so %s",
            "opt -load %t.so %s",
            "opt --load=evil.so %s",
            "opt -load-pass-plugin=evil.so %s",
            "opt --load-pass-plugin evil.so %s",
            "opt -fpass-plugin=%t %s",
            "llc -load=./x.so %s",
            // Programs that these start.
            "opt -passes=view-cfg %s",
            "opt -view-cfg %s",
            "llc -view-isel-dags %s",
            "opt -print-changed=dot-cfg %s",
            "opt -print-changed=diff %s",
            "opt -print-changed-diff-path=evil -passes=sroa %s",
            "opt -print-changed-dot-path=%t %s",
            "opt -mlgo-interactive-channel-base=x %s",
            // More arguments.
            "llc @%t",
            "llc @/etc/passwd",
            "FileCheck @%s",
            // Files elsewhere.
            "llc %s -o /tmp/x",
            "llc %s -o=/tmp/x",
            "llc %s -o ../x",
            "llc %s -o %S/x",
            "llc %s -o %t/../../../x",
            "llc %s -o ~/x",
            "opt -pass-remarks-output=/tmp/x %s",
            "opt -pass-remarks-output %S/x %s",
            "llc -split-dwarf-output=%S/x %s",
            "opt -info-output-file=/tmp/x %s",
            "opt -time-trace-file=%p/x %s",
            "llc /etc/passwd",
            "llc %S/../../secret",
            "llvm-mc -I/etc %s",
            "FileCheck --input-file=/etc/passwd %s",
            "cat /etc/passwd",
            "cat ~/x",
            "sed s/a/b/g /etc/passwd",
            "sed -i s/a/b/g %s",
            "sed 's/a/b/e' %s",
            "rm -rf /",
            "rm -rf %S",
            "rm -rf %t/../../..",
            "mkdir -p /tmp/x",
            "split-file %s /tmp/x",
            "split-file %s %S",
        ];
        assert!(lines.len() >= 50);
        for line in lines {
            assert!(refused(line).is_some(), "{line}");
        }
    }

    #[test]
    fn redirections_stay_in_the_private_folder() {
        let to = |path: &str| {
            let output = Target::File { path: path.to_owned(), append: false };
            refused_command(Command { words: words("llc %s"), output, ..Command::default() })
        };
        assert_eq!(to("%t"), None);
        assert_eq!(to("/dev/null"), None);
        for path in ["/tmp/x", "%S/x", "../../x", "~/x", "%t/../../../x"] {
            assert!(to(path).is_some(), "{path}");
        }
        let from = |path: &str| {
            refused_command(Command {
                words: words("llc"),
                input: Some(path.to_owned()),
                ..Command::default()
            })
        };
        assert_eq!(from("%s"), None);
        assert!(from("/etc/passwd").is_some());
    }
}
