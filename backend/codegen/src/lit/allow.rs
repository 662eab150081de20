//! Which commands of a RUN line may run: programs of a list, with options of a list, whose values are examined by what they are:
//! a file that is read, one that is written, text, or a plain word. Unknown options are refused.

use wavelens_base::lit::sed::Substitution;

use super::builtin::BUILTINS;
use super::options::{self, Value};
use super::places::Places;
use super::{Command, Refusal, Target, Test};

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

/// Whether a command may run; if not, why. What is examined are the words that the program is given, with all substitutions.
fn check(command: &Command, places: &Places) -> Result<(), String> {
    if command.words.len() > MAX_WORDS {
        return Err(format!("a command has more than {MAX_WORDS} words"));
    }
    let words: Vec<String> = command.words.iter().map(|word| places.expand(word)).collect();
    let Bare { program, arguments, .. } = bare(&words).ok_or("the command is missing")?;
    if program == "env" || program.contains('=') {
        return Err("environment variables are not set".to_owned());
    }
    let is_own = BUILTINS.contains(&program);
    if !is_own && !PROGRAMS.contains(&program) {
        return Err(format!("`{program}` is not one of the programs that are run"));
    }
    for target in [&command.output, &command.error] {
        if let Target::File { path, .. } = target {
            places.find_written(&places.expand(path))?;
        }
    }
    if let Some(path) = &command.input {
        places.find(&places.expand(path))?;
    }
    let mut paths = arguments.iter().filter(|word| !word.starts_with('-'));
    match program {
        "rm" | "mkdir" => paths.try_for_each(|path| places.find_written(path).map(drop)),
        // What it reads is the first one.
        "split-file" => paths.skip(1).try_for_each(|path| places.find_written(path).map(drop)),
        "cat" => paths.try_for_each(|path| places.find(path).map(drop)),
        "sed" => Substitution::of(arguments.iter().map(String::as_str))
            .and_then(|found| found.file.map_or(Ok(()), |file| places.find(file).map(drop))),
        _ if is_own => Ok(()),
        _ => check_arguments(program, arguments, places),
    }
}

/// Programs that, without `-o`, write next to what they read.
const WRITE_NEXT_TO_INPUT: [&str; 3] = ["llc", "llvm-as", "llvm-dis"];

fn check_arguments(program: &str, arguments: &[String], places: &Places) -> Result<(), String> {
    let (mut has_output, mut inputs) = (false, Vec::new());
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        if word.contains(['\0', '\n', '\r']) {
            return Err("an argument has a line end".to_owned());
        }
        if word.starts_with('@') {
            return Err(format!("`{word}` would be read as more arguments"));
        }
        // Also the value of an option for a number.
        if word.strip_prefix('-').is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit())) {
            continue;
        }
        if !word.starts_with('-') {
            places.find(word)?;
            inputs.push(word);
            continue;
        }
        let option = options::read(program, word)
            .ok_or_else(|| format!("`{word}` is not a known option of {program}, and may name a file"))?;
        let next = if option.value.is_none() { words.as_slice().first() } else { None };
        // Whether a program takes a word that begins with a dash for the value or for an option is not guessed.
        if option.takes != Value::Plain
            && let Some(next) = next.filter(|next| next.starts_with('-') && *next != "-")
        {
            return Err(format!("`{word}` is followed by the option `{next}` instead of its value"));
        }
        match option.takes {
            Value::Refused => return Err(format!("`{word}` may start programs or write files of any name")),
            Value::Plain => option.value.map_or(Ok(()), |value| plain(word, value))?,
            Value::Text => option.value.map_or(Ok(()), |value| text(program, option.name, value))?,
            Value::Read => option.value.map_or(Ok(()), |value| read(value, places))?,
            Value::Written => {
                has_output |= option.name.trim_start_matches('-') == "o";
                if let Some(value) = option.value.or_else(|| words.next().map(String::as_str)) {
                    written(value, places)?;
                }
            }
        }
        // A text that may be the name of an input as well is examined as both.
        if option.takes == Value::Text
            && let Some(value) = next
        {
            text(program, option.name, value)?;
        }
    }
    if WRITE_NEXT_TO_INPUT.contains(&program)
        && !has_output
        && let Some(input) = inputs.into_iter().find(|input| !places.is_in_private(input))
    {
        return Err(format!("{program} writes next to `{input}`; name the output with `-o`"));
    }
    Ok(())
}

/// A number or a word of a list.
fn plain(word: &str, value: &str) -> Result<(), String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '+' | '.' | ',' | ':');
    if !value.chars().all(is_part) {
        return Err(format!("the value of `{word}` is not a plain word"));
    }
    // They are the names of programs that compare and draw.
    let starts = word.trim_start_matches('-').starts_with("print-changed")
        && (value.contains("diff") || value.contains("dot"));
    if starts { Err(format!("`{word}` starts another program")) } else { Ok(()) }
}

/// Words that are not paths. Some passes draw graphs, or are given files.
fn text(program: &str, name: &str, value: &str) -> Result<(), String> {
    const PASSES: [&str; 5] = ["view-", "dot-", "gcov", "filename", "file="];
    let names_passes = program != "FileCheck" && (name == "p" || name.contains("pass"));
    match PASSES.iter().find(|part| names_passes && value.contains(**part)) {
        Some(part) => Err(format!("`-{name}` names a pass with `{part}`, which may use any file")),
        None => Ok(()),
    }
}

fn read(value: &str, places: &Places) -> Result<(), String> {
    // Also a list of several, and a word in place of a file: `-basic-block-sections=all`.
    if value == "-" { Ok(()) } else { places.find(value).map(drop) }
}

fn written(value: &str, places: &Places) -> Result<(), String> {
    if value == "-" { Ok(()) } else { places.find_written(value).map(drop) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lit::{Join, Line, Step};
    use crate::private::new_folder;

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
        let parent = new_folder(&std::env::temp_dir(), "wavelens-allow-").expect("a folder");
        let (suite, private) = (parent.join("suite"), parent.join("private"));
        std::fs::create_dir_all(suite.join("test"))
            .and_then(|()| std::fs::create_dir(&private))
            .expect("folders");
        let test = Test {
            name: "a.ll".to_owned(),
            folder: Some(suite.join("test")),
            roots: vec![suite],
            lines: vec![Line { number: 1, steps: vec![step] }],
            ..Test::default()
        };
        let places = Places::new(&test, &private).expect("they are folders");
        let found = refusals(&test, &places).into_iter().next().map(|refusal| refusal.reason);
        let _ = std::fs::remove_dir_all(parent);
        found
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
            "llvm-as %s -o %t.bc",
            "llvm-as %S/x.ll -o %t.bc",
            "llvm-dis %t.bc",
            "llc -mtriple amdgcn -mcpu gfx900 -debug-only=isel -stop-after si-fold-operands,1 %s",
            "llc -mattr +wavefrontsize64 < %s",
            "opt -passes default<O2> -unroll-count 4 -mem-intrinsic-expand-size -1 %s",
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
            "opt -passes=dot-cfg %s",
            "opt -dot-cfg-dir=%t %s",
            "opt -exec-on-ir-change=x %s",
            // Options that are not known, and their values.
            "llc -some-new-option=%t %s",
            "llc --some-new-option %s",
            "llc -- -o x",
            "llc ---o=x %s",
            "llc -unroll-count=/tmp/x %s",
            "spirv-as -output /tmp/x %s",
            // A value or an option.
            "llc %s -o -passes=../../x",
            "llc %s -o --",
            "llc -mcpu -passes /etc/passwd",
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
            "llc %s -o ../private/y",
            "llc %s -o /private/y",
            "llc %S/x.ll",
            "llvm-as %S/x.ll",
            "llvm-dis %S/x.bc",
            "opt -lowertypetests-write-summary %S/x %s",
            "opt -lowertypetests-write-summary=%S/x %s",
            "opt -wholeprogramdevirt-write-summary=/tmp/x %s",
            "llvm-mc -lowertypetests-write-summary=/tmp/x %s",
            "opt -lowertypetests-read-summary=/etc/passwd %s",
            "opt -passes=memprof-use<profile-filename=/etc/passwd> %s",
            "opt -passes memprof-use<profile-filename=/etc/passwd> %s",
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
