//! RUN lines of LLVM's tests: which programs run on a file, for which target, and whether they are expected to fail.

use smol_str::SmolStr;
use wavelens_isa::{WaveSize, is_amdgpu, processor_of_triple};

use crate::TextRange;
use crate::lit::directives::{Directive, directives};
use crate::lit::shell::{Command, Redirect, Script, Stream};
use crate::lit::{Run, runs};

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
    /// It is expected to fail: `not` precedes it.
    pub fails: bool,
    /// Of `-mtriple` and `-triple`.
    pub triple: Option<SmolStr>,
    /// Of `-mcpu`.
    pub processor: Option<SmolStr>,
    /// `+wavefrontsize64`, in the order written, in lower case.
    pub features: Vec<SmolStr>,
    /// `--target-env` of `spirv-as`.
    pub environment: Option<SmolStr>,
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
        self.triple.as_ref().map_or(is_named, |triple| is_amdgpu(triple))
    }

    /// The processor of `-mcpu`, or the one that the triple names.
    pub fn own_processor(&self) -> Option<&str> {
        self.processor.as_deref().or_else(|| processor_of_triple(self.triple.as_deref()?))
    }

    /// Whether machine code is generated, so that nothing of the target is left open.
    pub fn is_compilation(&self) -> bool {
        self.program == "llc"
    }

    /// Whether instructions are selected by GlobalISel.
    pub fn is_global_isel(&self) -> bool {
        let is_on = |argument: &SmolStr| {
            let option = argument.trim_start_matches('-');
            matches!(option, "global-isel" | "global-isel=1" | "global-isel=true")
        };
        self.arguments.iter().any(is_on)
    }

    /// Whether `llc` stops before GlobalISel judges what the target can do.
    pub fn stops_before_selection(&self) -> bool {
        self.arguments.iter().any(|argument| {
            matches!(argument.trim_start_matches('-'), "stop-after=irtranslator" | "stop-before=legalizer")
        })
    }

    /// Whether SelectionDAG compiles the functions that GlobalISel cannot.
    pub fn has_fallback(&self) -> bool {
        self.arguments.iter().any(|argument| {
            matches!(argument.trim_start_matches('-'), "global-isel-abort=0" | "global-isel-abort=2")
        })
    }

    /// The first word of the triple.
    pub(super) fn architecture(&self) -> Option<&str> {
        self.triple.as_deref()?.split('-').next()
    }

    /// Whether another invocation makes the same of a file. Its place, its outcome and its other options may differ.
    pub fn is_same_target(&self, other: &Invocation) -> bool {
        (&self.triple, &self.processor, &self.features, self.code_object_version, &self.defines)
            == (&other.triple, &other.processor, &other.features, other.code_object_version, &other.defines)
    }
}

/// The wave size that features ask for: that of the last one, or the other if that one is switched off.
pub fn wave_size<'f>(features: impl Iterator<Item = &'f str>) -> Option<WaveSize> {
    let mut found = None;
    for feature in features {
        found = match feature {
            "+wavefrontsize32" => Some(WaveSize::W32),
            "+wavefrontsize64" => Some(WaveSize::W64),
            "-wavefrontsize32" => Some(WaveSize::W64),
            "-wavefrontsize64" => Some(WaveSize::W32),
            _ => found,
        };
    }
    found
}

/// All RUN lines of a text, in order.
pub fn run_lines(text: &str) -> Vec<RunLine> {
    if text.contains("RUN:") { run_lines_of(&directives(text)) } else { Vec::new() }
}

/// All RUN lines among the directives of a text, in order.
pub fn run_lines_of(directives: &[Directive]) -> Vec<RunLine> {
    let mut written = Vec::new();
    let mut line = |run: Run| {
        let programs = programs(&run.script, &mut written);
        RunLine { number: run.number, range: run.range, programs }
    };
    runs(directives).into_iter().map(&mut line).collect()
}

/// A file that `sed` writes, and what writes it.
type Written = (SmolStr, Vec<Program>);

/// The programs of a RUN line. One that reads what `sed` wrote into a file before is as one that reads a pipe of it.
fn programs(script: &Script, written: &mut Vec<Written>) -> Vec<Program> {
    let mut found = Vec::new();
    for step in &script.steps {
        let mut programs = pipeline(&step.pipeline);
        if let Some(first) = step.pipeline.first()
            && let Some((_, before)) = written.iter().rev().find(|(file, _)| reads(first, file))
        {
            programs.iter_mut().take(1).for_each(|program| program.is_piped = true);
            programs.splice(0..0, before.iter().cloned());
        }
        let is_template = !programs.is_empty() && programs.iter().all(|program| program.name == "sed");
        match output(&step.pipeline).filter(|_| is_template) {
            Some(file) => written.push((file.clone(), programs)),
            None => found.extend(programs),
        }
    }
    found
}

/// The file that a pipeline writes.
fn output(pipeline: &[Command]) -> Option<&SmolStr> {
    pipeline.last()?.redirects.iter().find_map(|redirect| match redirect {
        Redirect::File { stream: Stream::Output, append: false, file } => Some(&file.text),
        _ => None,
    })
}

/// Whether a command names a file, or has it as its standard input.
fn reads(command: &Command, file: &SmolStr) -> bool {
    let is_input = |redirect: &Redirect| matches!(redirect, Redirect::Input(word) if word.text == *file);
    command.words.iter().any(|word| word.text == *file) || command.redirects.iter().any(is_input)
}

fn pipeline(commands: &[Command]) -> Vec<Program> {
    let mut found = Vec::new();
    for (index, command) in commands.iter().enumerate() {
        // An input file is an argument as any other: `< %s`.
        let input = command.redirects.iter().filter_map(|redirect| match redirect {
            Redirect::Input(file) if file.text.starts_with("%s") => Some(file),
            _ => None,
        });
        let words = command.words.iter().chain(input).map(|word| word.text.clone()).collect();
        found.extend(program(words, index > 0));
    }
    found
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
                // LLVM's tests of debug information name `llc` so.
                let name = if name == "llc_dwarf" { "llc" } else { name };
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
    "target-env",
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
    /// The first of some programs that reads the file, or a section of it that `split-file` writes, with what its options say.
    pub fn invocation(&self, names: &[&str], section: Option<&str>) -> Option<Invocation> {
        let is_asked = |p: &Program| names.contains(&p.name.as_str());
        let reads = |p: &Program| match section {
            None => p.is_piped || p.reads_file(),
            Some(name) => p.arguments.iter().any(|a| a.strip_suffix(name).is_some_and(|a| a.ends_with('/'))),
        };
        let at = self.programs.iter().position(|p| is_asked(p) && reads(p))?;
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
                "arch" | "march" if found.triple.is_none() => {
                    let system =
                        if matches!(program.name.as_str(), "llc" | "opt") { DEFAULT_SYSTEM } else { "" };
                    found.triple = Some(format!("{}{system}", architecture(value)).into());
                }
                "mcpu" => found.processor = Some(value.into()),
                "mattr" => {
                    let features = value.split(',').map(str::trim).filter(|f| !f.is_empty());
                    found.features.extend(features.map(|f| SmolStr::from(f.to_ascii_lowercase())));
                }
                "target-env" => found.environment = Some(value.into()),
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

/// `-march` changes the architecture of the default triple alone. `llc` takes functions such as `fabs` for those of the C library if the
/// system has one, so `-march=amdgcn` and `-mtriple=amdgcn` give other code.
const DEFAULT_SYSTEM: &str = "-pc-linux-gnu";

/// The architecture of a triple that belongs to a target of LLVM: `-march` names targets.
fn architecture(target: &str) -> &str {
    match target {
        "x86-64" => "x86_64",
        "x86" => "i386",
        "ppc32" => "powerpc",
        "ppc32le" => "powerpcle",
        target => target,
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
    use crate::lit::sed;

    fn check(text: &str, names: &[&str], expected: Expect) {
        let mut shown = String::new();
        for line in run_lines(text) {
            let Some(i) = line.invocation(names, None) else { continue };
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
             ; RUN: llvm-mc -arch=amdgcn < %s\n\
             ; RUN: llvm-mc -arch x86-64 %s\n",
            &["llvm-mc"],
            expect![[r#"
                1: llvm-mc amdgcn gfx900 [] CHECK
                2: not llvm-mc amdgcn-amd-amdpal gfx1010 [+wavefrontsize64 -wavefrontsize32] v4 X=1 A,B
                3: llvm-mc amdgcn - [] 
                4: llvm-mc x86_64 - [] 
            "#]],
        );
    }

    #[test]
    fn definitions_are_expanded() {
        check(
            "; DEFINE: %{run} = llc -mcpu=gfx900 %s | FileCheck -check-prefix=%{p} %s\n; DEFINE: %{p} = A\n; RUN: %{run}\n\
             ; REDEFINE: %{p} = B\n; RUN: %{run}\n",
            &["llc"],
            expect![[r#"
                1: llc - gfx900 [] A
                2: llc - gfx900 [] B
            "#]],
        );
    }

    #[test]
    fn what_sed_writes_is_read_later() {
        let text = "; RUN: sed 's/A/1/' %s > %t.1\n; RUN: sed 's/B/2/' < %t.1 >%t.2 && llc -mcpu=gfx900 < %t.2\n\
                    ; RUN: llc -mcpu=gfx906 %t.1 -o %t.3\n; RUN: llc -mcpu=gfx908 %t.3\n; RUN: llc -mcpu=gfx90a %s > %t.1\n";
        check(
            text,
            &["llc"],
            expect![[r#"
                2: llc - gfx900 [] 
                3: llc - gfx906 [] 
                5: llc - gfx90a [] 
            "#]],
        );
        let edited = |line: &RunLine| sed::edited(&line.programs, "A B").ok().flatten().unwrap_or_default();
        let edited: Vec<String> = run_lines(text).iter().map(edited).collect();
        assert_eq!(edited, ["", "1 2", "1 B", "", ""]);
    }

    #[test]
    fn quotes_redirections_and_other_programs() {
        check(
            "# RUN: rm -rf %t && split-file %s %t\n\
             # RUN: llc -mtriple=amdgcn '-mcpu=gfx90a' -o - %s 2>/dev/null; echo x\n\
             # RUN: opt -S < %s | llc -march=amdgcn -mcpu=\"gfx942\" | FileCheck %s\n\
             # RUN: %llc_dwarf -march=x86-64 %s -o - | FileCheck %s\n\
             # RUN: not --crash /usr/bin/llc -mcpu=gfx1100 -filetype=null %s\n\
             #   PRERUN: llc -mcpu=tahiti %s\n\
             name: RUN: llc -mcpu=tahiti %s\n",
            &["llc"],
            expect![[r#"
                2: llc amdgcn gfx90a [] 
                3: llc amdgcn-pc-linux-gnu gfx942 [] CHECK
                4: llc x86_64-pc-linux-gnu - [] CHECK
                5: not llc - gfx1100 [] 
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
