//! What a text says of its own target: in RUN lines, comments, directives and its triple.

use memchr::memmem;
use smol_str::SmolStr;

use super::{Env, Invocation, Options, RunLine, listing, processor_name, run_lines};
use crate::Dialect;

/// What a text says itself. Holds no ranges, so that it changes only with what it says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stated {
    /// The programs of RUN lines that read the file.
    pub runs: Vec<Invocation>,
    /// All RUN lines.
    pub run_count: u32,
    /// `.amdgcn_target`.
    pub target_id: Option<SmolStr>,
    /// The target id of what AMD's disassembler writes before a shader: `asic(GFX11)`, `wave_size(64)`.
    pub listed: Option<SmolStr>,
    /// `target triple`.
    pub triple: Option<SmolStr>,
    /// The processor of a command that a compiler wrote into the first comments: IREE's `; llc -mtriple=... -mcpu=gfx942 ...`.
    pub reproduced: Option<SmolStr>,
    /// `; target-env:`.
    pub environment: Option<Env>,
    /// The universal environment of `; Version:`.
    pub version: Option<Env>,
}

crate::lazy_box::empty!(Stated);

/// Programs whose options say what a file of a dialect is for, the strongest first.
fn programs(dialect: Dialect) -> &'static [&'static str] {
    match dialect {
        Dialect::Llvm => &["llc", "opt", "llvm-as", "llvm-reduce"],
        Dialect::Mir => &["llc", "llvm-reduce"],
        Dialect::Amdgpu => &["llvm-mc"],
        Dialect::Spirv => &["spirv-as"],
    }
}

impl Stated {
    /// What the comments of a text say. The rest of [`Stated`] needs a lexer and is left to the dialects.
    pub fn in_comments(dialect: Dialect, text: &str) -> Stated {
        Stated::with_comments(dialect, text, &run_lines(text))
    }

    fn with_comments(dialect: Dialect, text: &str, lines: &[RunLine]) -> Stated {
        let (environment, version) = match dialect {
            Dialect::Spirv if text.contains(';') => Env::from_comments(text),
            _ => (None, None),
        };
        let listed = if dialect == Dialect::Amdgpu { listing::target_id(text) } else { None };
        let reproduced = if dialect == Dialect::Spirv { None } else { reproduced_processor(text) };
        Stated { environment, version, listed, reproduced, ..Stated::of_section(dialect, lines, None) }
    }

    /// What RUN lines say about the file, or about a section of it.
    pub fn of_section(dialect: Dialect, runs: &[RunLine], section: Option<&str>) -> Stated {
        let invocation =
            |line: &RunLine| programs(dialect).iter().find_map(|name| line.invocation(&[name], section));
        let is_own = |i: &Invocation| match (dialect, &i.triple) {
            (Dialect::Amdgpu, Some(triple)) => wavelens_isa::is_amdgpu(triple),
            _ => true,
        };
        let run_count = u32::try_from(runs.len()).unwrap_or(u32::MAX);
        let runs = runs.iter().filter_map(invocation).filter(is_own).collect();
        Stated { runs, run_count, ..Stated::default() }
    }

    /// What a whole text says.
    pub fn of(dialect: Dialect, text: &str) -> Stated {
        Stated::of_lines(dialect, text, &run_lines(text))
    }

    /// What a whole text with some RUN lines says.
    pub fn of_lines(dialect: Dialect, text: &str, lines: &[RunLine]) -> Stated {
        let mut stated = Stated::with_comments(dialect, text, lines);
        match dialect {
            Dialect::Amdgpu => stated.target_id = quoted_after(text, ".amdgcn_target"),
            Dialect::Llvm | Dialect::Mir => stated.triple = quoted_after(text, "target triple"),
            Dialect::Spirv => {}
        }
        stated
    }

    /// What several parts of one text say, in order.
    pub fn join<'s>(parts: impl IntoIterator<Item = &'s Stated>) -> Stated {
        let mut all = Stated::default();
        for part in parts {
            let before = all.run_count;
            all.run_count += part.run_count;
            let renumbered = |run: &Invocation| Invocation { number: run.number + before, ..run.clone() };
            all.runs.extend(part.runs.iter().map(renumbered));
            all.target_id = all.target_id.or_else(|| part.target_id.clone());
            all.listed = all.listed.or_else(|| part.listed.clone());
            all.triple = all.triple.or_else(|| part.triple.clone());
            all.reproduced = all.reproduced.or_else(|| part.reproduced.clone());
            all.environment = all.environment.or(part.environment);
            all.version = all.version.or(part.version);
        }
        all
    }

    /// The RUN lines that differ in what a file is for, each by its first, with the prefixes of all.
    pub fn distinct_runs(&self) -> Vec<Invocation> {
        let mut distinct: Vec<Invocation> = Vec::new();
        for run in &self.runs {
            match distinct.iter_mut().find(|d| d.is_same_target(run) && d.fails == run.fails) {
                Some(same) => same.prefixes.extend(run.prefixes.iter().cloned()),
                None => distinct.push(run.clone()),
            }
        }
        distinct
    }

    /// The RUN lines under which a module of LLVM IR is accepted and means something else: rules depend on the architecture.
    pub fn accepted_targets(&self) -> Vec<Invocation> {
        let mut distinct: Vec<Invocation> = Vec::new();
        for run in self.runs.iter().filter(|run| !run.fails) {
            if !distinct.iter().any(|d| d.architecture() == run.architecture()) {
                distinct.push(run.clone());
            }
        }
        distinct
    }

    /// The RUN line that the user chose; else the first for the processor that the user chose, that compiles for AMDGPU, for AMDGPU,
    /// with a target, of all.
    pub(super) fn run(&self, options: &Options) -> Option<&Invocation> {
        if let Some(number) = options.run {
            return self.runs.iter().find(|r| r.number == number);
        }
        let asked = options.target.as_deref().map(processor_name);
        let find = |is_wanted: &dyn Fn(&Invocation) -> bool| self.runs.iter().find(|run| is_wanted(run));
        find(&|run| asked.is_some() && run.own_processor() == asked)
            .or_else(|| find(&|run| run.is_amdgpu() && run.is_compilation() && !run.fails))
            .or_else(|| find(&Invocation::is_amdgpu))
            .or_else(|| find(&|run| run.triple.is_some() || run.processor.is_some()))
            .or_else(|| self.runs.first())
    }
}

/// The processor of the first command in the comments that a text begins with.
fn reproduced_processor(text: &str) -> Option<SmolStr> {
    let comments = text.lines().map_while(|line| line.strip_prefix(';').or(line.is_empty().then_some("")));
    let is_command =
        |words: &Vec<&str>| matches!(words.first(), Some(&("llc" | "opt" | "clang" | "llvm-mc")));
    let mut commands = comments.map(|line| line.split_whitespace().collect()).filter(is_command);
    commands.find_map(|words| {
        let processor = words.iter().find_map(|word| word.trim_start_matches('-').strip_prefix("mcpu="))?;
        wavelens_isa::Target::of_id(processor).map(|_| processor.into())
    })
}

/// The string after the first line that starts with a word.
fn quoted_after(text: &str, word: &str) -> Option<SmolStr> {
    let starts_line = |at: &usize| {
        let before = text.get(..*at).unwrap_or("");
        let before = before.trim_end_matches(|c: char| c.is_whitespace() && c != '\n');
        before.is_empty() || before.ends_with('\n')
    };
    let places = memmem::find_iter(text.as_bytes(), word).filter(starts_line);
    let mut lines = places.filter_map(|at| text.get(at + word.len()..)?.lines().next());
    let rest = lines.find_map(|rest| rest.split_once('"'))?.1;
    Some(rest.split('"').next()?.into())
}
