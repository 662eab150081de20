//! RUN lines of LLVM's tests: which programs run on a file, for which target, and whether they are expected to fail.

use smol_str::SmolStr;
use wavelens_isa::WaveSize;

use crate::{TextRange, TextSize};

/// One `RUN:` command, continued lines included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunLine {
    /// Counted from 1 among the commands of the file.
    pub number: u32,
    /// From `RUN:` to the end of its last line.
    pub range: TextRange,
    /// In the order of the pipe.
    pub programs: Vec<Program>,
}

/// One program of a RUN line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Program {
    /// Without folder, `%` and version: `llc`.
    pub name: SmolStr,
    /// As a shell would pass them.
    pub arguments: Vec<SmolStr>,
    /// `not`, or `not --crash`.
    pub fails: bool,
    /// It reads the output of the program before it.
    pub is_piped: bool,
}

/// What the options of an LLVM program say about the target.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Invocation {
    /// Number of the RUN line.
    pub number: u32,
    /// Its name without folders.
    pub program: SmolStr,
    /// As a shell would pass them.
    pub arguments: Vec<SmolStr>,
    /// It is expected to fail: `not` stands before it.
    pub fails: bool,
    /// Of `-mtriple` and `-triple`.
    pub triple: Option<SmolStr>,
    /// Of `-mcpu`.
    pub processor: Option<SmolStr>,
    /// `+wavefrontsize64`, in the order written, in lower case.
    pub features: Vec<SmolStr>,
    /// Of `--amdhsa-code-object-version`.
    pub code_object_version: Option<u32>,
    /// `-defsym`: name and value.
    pub defines: Vec<(SmolStr, SmolStr)>,
    /// Prefixes of the `FileCheck` that reads the output.
    pub prefixes: Vec<SmolStr>,
}

impl Invocation {
    /// Whether the triple is one of AMDGPU.
    pub fn is_amdgpu(&self) -> bool {
        let is_named = self.processor.as_ref().is_some_and(|p| p.starts_with("gfx"));
        self.triple.as_ref().map_or(is_named, |triple| triple.starts_with("amdgcn"))
    }

    /// Whether another invocation makes the same of a file. Its place, its outcome and its other options may differ.
    pub fn is_same_target(&self, other: &Invocation) -> bool {
        (&self.triple, &self.processor, &self.features, self.code_object_version, &self.defines)
            == (&other.triple, &other.processor, &other.features, other.code_object_version, &other.defines)
    }
}

/// The wave size that features ask for: the last that is switched on, else the other of one that is switched off.
pub fn wave_size<'f>(features: impl Iterator<Item = &'f str>) -> Option<WaveSize> {
    let mut found = None;
    for feature in features {
        found = match feature {
            "+wavefrontsize32" => Some(WaveSize::W32),
            "+wavefrontsize64" => Some(WaveSize::W64),
            "-wavefrontsize32" if found != Some(WaveSize::W64) => Some(WaveSize::W64),
            "-wavefrontsize64" if found != Some(WaveSize::W32) => Some(WaveSize::W32),
            _ => found,
        };
    }
    found
}

/// All RUN lines of a text, in order.
pub fn run_lines(text: &str) -> Vec<RunLine> {
    let mut found: Vec<RunLine> = Vec::new();
    if !text.contains("RUN:") {
        return found;
    }
    let mut open: Option<(TextRange, String)> = None;
    let mut start = 0usize;
    for line in text.split_inclusive('\n') {
        let line_start = start;
        start += line.len();
        let line = line.trim_end();
        let Some(at) = command_start(line) else { continue };
        let command = line.get(at + "RUN:".len()..).unwrap_or("").trim();
        let size = |n: usize| TextSize::new(u32::try_from(n).unwrap_or(u32::MAX));
        let range = TextRange::new(size(line_start + at), size(line_start + line.len()));
        let (range, mut whole) = match open.take() {
            Some((before, whole)) => (before.cover(range), whole + " "),
            None => (range, String::new()),
        };
        match command.strip_suffix('\\') {
            Some(head) => {
                whole.push_str(head);
                open = Some((range, whole));
            }
            None => {
                whole.push_str(command);
                let number = u32::try_from(found.len()).unwrap_or(u32::MAX).saturating_add(1);
                found.push(RunLine { number, range, programs: programs(&whole) });
            }
        }
    }
    found
}

/// Where `RUN:` starts in a line: after the start of a comment, as a word of its own.
fn command_start(line: &str) -> Option<usize> {
    let at = line.find("RUN:")?;
    let before = line.get(..at)?;
    let is_comment = before.trim_start().starts_with([';', '#', '/', '*', '@', '!', '<', '-']);
    let is_word = !before.ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    (is_comment && is_word || before.trim().is_empty()).then_some(at)
}

/// A word of the shell, or what separates commands.
#[derive(Debug, PartialEq, Eq)]
enum Word {
    Text(String),
    Pipe,
    Separator,
    /// `<`, `>`, `2>&1`: the next word is a file, unless it was part of the operator.
    Redirect {
        takes_file: bool,
    },
}

fn words(command: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = command.chars().peekable();
    let flush = |word: &mut Option<String>, words: &mut Vec<Word>| words.extend(word.take().map(Word::Text));
    while let Some(c) = chars.next() {
        match c {
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                while let Some(inner) = chars.next().filter(|inner| *inner != c) {
                    if inner == '\\' && c == '"' {
                        word.extend(chars.next());
                    } else {
                        word.push(inner);
                    }
                }
            }
            '\\' => word.get_or_insert_default().extend(chars.next()),
            c if c.is_whitespace() => flush(&mut word, &mut words),
            '|' | '&' | ';' => {
                flush(&mut word, &mut words);
                let doubled = chars.next_if_eq(&c).is_some();
                words.push(if c == '|' && !doubled { Word::Pipe } else { Word::Separator });
            }
            '<' | '>' => {
                // `2>` is an operator, `a2>` is a word and an operator.
                if word.as_ref().is_some_and(|w| w.bytes().all(|b| b.is_ascii_digit())) {
                    word = None;
                }
                flush(&mut word, &mut words);
                chars.next_if_eq(&'>');
                let copies = chars.next_if_eq(&'&').is_some();
                while copies && chars.next_if(|c| c.is_ascii_digit() || *c == '-').is_some() {}
                words.push(Word::Redirect { takes_file: !copies });
            }
            // `%{...}` and `%if ... %{ ... %}` are lit's own; braces belong to the word.
            c => word.get_or_insert_default().push(c),
        }
    }
    flush(&mut word, &mut words);
    words
}

fn programs(command: &str) -> Vec<Program> {
    let mut programs = Vec::new();
    let mut words = words(command).into_iter().peekable();
    let mut is_piped = false;
    while words.peek().is_some() {
        let mut own: Vec<SmolStr> = Vec::new();
        let mut end = None;
        while let Some(word) = words.next() {
            match word {
                Word::Text(text) => own.push(text.into()),
                Word::Redirect { takes_file } => {
                    if takes_file
                        && let Some(Word::Text(file)) = words.next_if(|w| matches!(w, Word::Text(_)))
                    {
                        // An input file is an argument as any other: `< %s`.
                        own.extend(file.starts_with("%s").then(|| SmolStr::from(file)));
                    }
                }
                separator => {
                    end = Some(separator);
                    break;
                }
            }
        }
        programs.extend(program(own, is_piped));
        is_piped = end == Some(Word::Pipe);
    }
    programs
}

fn program(words: Vec<SmolStr>, is_piped: bool) -> Option<Program> {
    let mut words = words.into_iter().peekable();
    let mut fails = false;
    loop {
        let word = words.next()?;
        match word.as_str() {
            "not" => {
                fails = !fails;
                words.next_if(|w| w == "--crash");
            }
            "env" => while words.next_if(|w| w.contains('=')).is_some() {},
            _ => {
                let name = word.rsplit('/').next().unwrap_or(&word).trim_start_matches('%');
                return Some(Program { name: name.into(), arguments: words.collect(), fails, is_piped });
            }
        }
    }
}

/// The options that a program takes with a value as the next word. Others have it after `=`.
const VALUES: &[&str] = &[
    "triple",
    "mtriple",
    "arch",
    "march",
    "mcpu",
    "mattr",
    "defsym",
    "amdhsa-code-object-version",
    "check-prefix",
    "check-prefixes",
];

/// Name and value of the options of a program that takes LLVM's command line. One dash is as good as two.
fn options(arguments: &[SmolStr]) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let Some(option) = word.strip_prefix("--").or_else(|| word.strip_prefix('-')) else { continue };
        match option.split_once('=') {
            Some((name, value)) => found.push((name, value)),
            None if VALUES.contains(&option) => {
                found.push((option, words.next().map_or("", SmolStr::as_str)))
            }
            None => found.push((option, "")),
        }
    }
    found
}

impl RunLine {
    /// The first of some programs that reads the file, with what its options say.
    pub fn invocation(&self, names: &[&str]) -> Option<Invocation> {
        let is_asked = |p: &&Program| names.contains(&p.name.as_str());
        let at = self.programs.iter().position(|p| is_asked(&p) && (p.is_piped || p.reads_file()))?;
        let program = self.programs.get(at)?;
        let mut found = Invocation {
            number: self.number,
            program: program.name.clone(),
            arguments: program.arguments.clone(),
            fails: program.fails,
            ..Invocation::default()
        };
        for (name, value) in options(&program.arguments) {
            match name {
                "triple" | "mtriple" => found.triple = Some(value.into()),
                "arch" | "march" if found.triple.is_none() => found.triple = Some(value.into()),
                "mcpu" => found.processor = Some(value.into()),
                "mattr" => {
                    let features = value.split(',').map(str::trim).filter(|f| !f.is_empty());
                    found.features.extend(features.map(|f| SmolStr::from(f.to_ascii_lowercase())));
                }
                "amdhsa-code-object-version" => found.code_object_version = value.parse().ok(),
                "defsym" => {
                    let (name, value) = value.split_once('=').unwrap_or((value, "0"));
                    found.defines.push((name.into(), value.into()));
                }
                _ => {}
            }
        }
        let check = self.programs.get(at + 1..).unwrap_or(&[]).iter().find(|p| p.name == "FileCheck");
        if let Some(check) = check {
            for (name, value) in options(&check.arguments) {
                if matches!(name, "check-prefix" | "check-prefixes") {
                    found.prefixes.extend(value.split(',').map(SmolStr::from));
                }
            }
            if found.prefixes.is_empty() {
                found.prefixes.push("CHECK".into());
            }
        }
        Some(found)
    }
}

impl Program {
    /// Whether the test file is what it reads: `%s`, or a part of it that split-file wrote.
    fn reads_file(&self) -> bool {
        self.arguments.iter().any(|a| a == "%s" || a.ends_with("=%s"))
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(text: &str, names: &[&str], expected: Expect) {
        let mut shown = String::new();
        for line in run_lines(text) {
            let Some(i) = line.invocation(names) else { continue };
            let or = |s: &Option<SmolStr>| s.as_deref().unwrap_or("-").to_owned();
            let not = if i.fails { "not " } else { "" };
            shown.push_str(&format!(
                "{}: {not}{} {} {} [{}]",
                i.number,
                i.program,
                or(&i.triple),
                or(&i.processor),
                i.features.join(" ")
            ));
            i.code_object_version.iter().for_each(|v| shown.push_str(&format!(" v{v}")));
            i.defines.iter().for_each(|(n, v)| shown.push_str(&format!(" {n}={v}")));
            shown.push_str(&format!(" {}\n", i.prefixes.join(",")));
        }
        expected.assert_eq(&shown);
    }

    #[test]
    fn both_dashes_both_ways_to_write_values_and_continued_lines() {
        check(
            "// RUN: llvm-mc -triple=amdgcn -mcpu=gfx900 %s | FileCheck %s\n\
             // RUN: not llvm-mc --triple amdgcn-amd-amdpal --mcpu gfx1010 \\\n\
             // RUN:   -mattr=+WavefrontSize64,-wavefrontsize32 --amdhsa-code-object-version=4 \\\n\
             // RUN:   -defsym X=1 %s 2>&1 | FileCheck --check-prefixes=A,B %s\n\
             ; RUN: llvm-mc -arch=amdgcn < %s\n",
            &["llvm-mc"],
            expect![[r#"
                1: llvm-mc amdgcn gfx900 [] CHECK
                2: not llvm-mc amdgcn-amd-amdpal gfx1010 [+wavefrontsize64 -wavefrontsize32] v4 X=1 A,B
                3: llvm-mc amdgcn - [] 
            "#]],
        );
    }

    #[test]
    fn quotes_redirections_and_other_programs() {
        check(
            "# RUN: rm -rf %t && split-file %s %t\n\
             # RUN: llc -mtriple=amdgcn '-mcpu=gfx90a' -o - %s 2>/dev/null; echo x\n\
             # RUN: opt -S < %s | llc -march=amdgcn -mcpu=\"gfx942\" | FileCheck %s\n\
             # RUN: not --crash /usr/bin/llc -mcpu=gfx1100 -filetype=null %s\n\
             #   PRERUN: llc -mcpu=tahiti %s\n\
             name: RUN: llc -mcpu=tahiti %s\n",
            &["llc"],
            expect![[r#"
                2: llc amdgcn gfx90a [] 
                3: llc amdgcn gfx942 [] CHECK
                4: not llc - gfx1100 [] 
            "#]],
        );
    }

    #[test]
    fn the_wave_size_is_the_last_that_is_switched_on() {
        let of = |features: &str| wave_size(features.split(','));
        assert_eq!(of("+xnack"), None);
        assert_eq!(of("+wavefrontsize32,-wavefrontsize64"), Some(WaveSize::W32));
        assert_eq!(of("-wavefrontsize32,+wavefrontsize64"), Some(WaveSize::W64));
        assert_eq!(of("-wavefrontsize32"), Some(WaveSize::W64));
    }
}
