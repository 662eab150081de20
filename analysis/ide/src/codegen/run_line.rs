//! What a RUN line says about how a file is compiled, as far as it is harmless: no flag that writes a file, loads a plugin or
//! starts anything is taken from a file.

use wavelens_semantics::configuration::{RunLine, run_lines};

/// How a RUN line compiles.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunOptions {
    /// 0 to 3.
    pub opt_level: Option<u8>,
    /// A pipeline for `opt`; empty: none.
    pub passes: String,
    /// Flags for `llc`.
    pub flags: Vec<String>,
    /// Where compilation ends before assembly.
    pub end: Option<RunEnd>,
}

/// Where the `llc` of a RUN line ends before it writes assembly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunEnd {
    /// `-run-pass`: these passes run, and no others.
    Passes(Vec<String>),
    /// `-stop-after` or `-stop-before`, as it is written, with the pass.
    Stop(String),
}

impl RunEnd {
    fn of(option: &str, value: &str) -> Option<RunEnd> {
        if value.is_empty() || !is_plain(value) {
            return None;
        }
        match option {
            "-run-pass" => {
                let passes = value.split(',').filter(|pass| !matches!(*pass, "none" | ""));
                let passes: Vec<String> = passes.map(str::to_owned).collect();
                (!passes.is_empty()).then_some(RunEnd::Passes(passes))
            }
            "-stop-after" | "-stop-before" => Some(RunEnd::Stop(format!("{option}={value}"))),
            _ => None,
        }
    }

    /// The option as `llc` takes it.
    pub fn flag(&self) -> String {
        match self {
            RunEnd::Passes(passes) => format!("-run-pass={}", passes.join(",")),
            RunEnd::Stop(flag) => flag.clone(),
        }
    }

    /// Changes a request, so that `llc` does what the RUN line does, and prints what the first pass gets.
    pub fn apply(&self, flags: &mut Vec<String>) {
        if let RunEnd::Passes(passes) = self {
            // `-run-pass` excludes these.
            flags.retain(|flag| !flag.starts_with("-start-"));
            flags.extend(passes.first().map(|pass| format!("-print-before={pass}")));
        }
        flags.push(self.flag());
    }
}

/// Flags that are taken as they are.
const FLAGS: &[&str] =
    &["-global-isel", "-enable-misched", "-enable-no-nans-fp-math", "-verify-machineinstrs"];

/// Flags that are taken with a plain value.
const FLAGS_WITH_VALUE: &[&str] = &[
    "-mattr",
    "-global-isel",
    "-global-isel-abort",
    "-start-before",
    "-start-after",
    "-denormal-fp-math",
    "-denormal-fp-math-f32",
    "-fp-contract",
    "-amdhsa-code-object-version",
    "-enable-misched",
    "-misched",
    "-regalloc",
    "-amdgpu-function-calls",
];

/// Words of pipelines that only change code. Also those that start with `amdgpu-`.
const PASSES: &[&str] = &[
    "adce",
    "aggressive-instcombine",
    "always-inline",
    "argpromotion",
    "atomic-expand",
    "bdce",
    "cgscc",
    "codegenprepare",
    "consthoist",
    "constmerge",
    "correlated-propagation",
    "dce",
    "deadargelim",
    "default",
    "div-rem-pairs",
    "dse",
    "early-cse",
    "fix-irreducible",
    "flatten-cfg",
    "float2int",
    "function",
    "function-attrs",
    "globaldce",
    "globalopt",
    "gvn",
    "gvn-hoist",
    "indvars",
    "infer-address-spaces",
    "inline",
    "instcombine",
    "instsimplify",
    "internalize",
    "ipsccp",
    "jump-threading",
    "lcssa",
    "licm",
    "load-store-vectorizer",
    "loop",
    "loop-deletion",
    "loop-idiom",
    "loop-instsimplify",
    "loop-mssa",
    "loop-reduce",
    "loop-rotate",
    "loop-simplify",
    "loop-simplifycfg",
    "loop-unroll",
    "loop-unroll-full",
    "loop-vectorize",
    "lower-switch",
    "lowerswitch",
    "mem2reg",
    "memcpyopt",
    "memssa",
    "mergefunc",
    "module",
    "nary-reassociate",
    "newgvn",
    "O0",
    "O1",
    "O2",
    "O3",
    "Os",
    "Oz",
    "reassociate",
    "require",
    "sccp",
    "scalarizer",
    "separate-const-offset-from-gep",
    "simple-loop-unswitch",
    "simplifycfg",
    "sink",
    "slp-vectorizer",
    "slsr",
    "speculative-execution",
    "sroa",
    "structurizecfg",
    "tailcallelim",
    "unify-loop-exits",
    "uniformity",
    "vector-combine",
    "verify",
];

/// What the RUN line of this number says, or the first that compiles for AMDGPU.
pub fn run_options(text: &str, number: Option<u32>) -> RunOptions {
    let is_amdgpu = |line: &RunLine| {
        let mut words = line.programs.iter().flat_map(|p| &p.arguments);
        words.any(|word| word.contains("amdgcn") || word.contains("gfx"))
    };
    let lines = run_lines(text);
    let line = match number {
        Some(number) => lines.iter().find(|line| line.number == number),
        None => lines.iter().find(|line| is_amdgpu(line)),
    };
    line.map(read).unwrap_or_default()
}

fn read(line: &RunLine) -> RunOptions {
    let mut found = RunOptions::default();
    for program in &line.programs {
        for (at, word) in program.arguments.iter().enumerate() {
            // LLVM takes one dash and two.
            let word = word.strip_prefix("--").map_or(word.to_string(), |w| format!("-{w}"));
            match (program.name.as_str(), word.split_once('=')) {
                ("opt", Some(("-passes", passes))) if is_harmless(passes) => found.passes = passes.to_owned(),
                ("llc", Some((name, value))) if FLAGS_WITH_VALUE.contains(&name) && is_plain(value) => {
                    found.flags.push(word);
                }
                ("llc", Some((name, value))) => found.end = RunEnd::of(name, value).or(found.end),
                ("llc", None) if RunEnd::of(&word, "pass").is_some() => {
                    let value = program.arguments.get(at + 1).map_or("", |value| value.as_str());
                    found.end = RunEnd::of(&word, value).or(found.end);
                }
                ("llc", None) if FLAGS.contains(&word.as_str()) => found.flags.push(word),
                ("llc", None) if word.starts_with("-O") => {
                    found.opt_level = word.get(2..).and_then(|l| l.parse().ok()).filter(|l| *l <= 3);
                }
                _ => {}
            }
        }
    }
    found
}

fn is_plain(value: &str) -> bool {
    value.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-_,.".contains(&b))
}

/// Whether a pipeline holds only passes of the list.
fn is_harmless(passes: &str) -> bool {
    let mut words = passes.split([',', '(', ')', '<', '>', ';', ' ']).filter(|w| !w.is_empty());
    let is_parameter =
        |w: &str| w.contains('=') || w.starts_with("no-") || w.bytes().all(|b| b.is_ascii_digit());
    words.all(|w| {
        PASSES.contains(&w) || w.starts_with("amdgpu-") || (is_parameter(w) && is_plain(&w.replace('=', "")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn harmless_words_are_taken() {
        let text = "; RUN: llc -mtriple=x86_64 -O3 < %s | FileCheck %s\n\
            ; RUN: opt -passes='function(sroa,instcombine),default<O1>' -load-pass-plugin=evil.so %s \\\n\
            ; RUN:   | llc -mtriple=amdgcn --mcpu=gfx906 -O1 -global-isel=1 -o evil.s -mattr=+wavefrontsize64\n";
        let found = run_options(text, None);
        assert_eq!(
            (found.opt_level, found.passes.as_str()),
            (Some(1), "function(sroa,instcombine),default<O1>")
        );
        assert_eq!(found.flags, ["-global-isel=1", "-mattr=+wavefrontsize64"]);
        assert_eq!(run_options(text, Some(1)).opt_level, Some(3));
    }

    #[test]
    fn a_run_line_may_end_before_assembly() {
        let flags = |run: &str| {
            let end = run_options(&format!("# RUN: llc -mtriple=amdgcn {run} %s\n"), None).end;
            let mut flags = vec!["-start-before=finalize-isel".to_owned()];
            end.iter().for_each(|end| end.apply(&mut flags));
            flags.join(" ")
        };
        assert_eq!(
            flags("-run-pass=none,si-fold-operands,dead-mi-elimination -o -"),
            "-print-before=si-fold-operands -run-pass=si-fold-operands,dead-mi-elimination"
        );
        assert_eq!(flags("--run-pass greedy"), "-print-before=greedy -run-pass=greedy");
        assert_eq!(flags("-stop-after=amdgpu-isel"), "-start-before=finalize-isel -stop-after=amdgpu-isel");
        assert_eq!(flags("-run-pass=none"), "-start-before=finalize-isel");
        assert_eq!(flags("-stop-after='x;rm'"), "-start-before=finalize-isel");
    }

    #[test]
    fn others_are_left() {
        let nothing = RunOptions::default();
        assert_eq!(run_options("; RUN: opt -passes='dot-cfg' -mcpu=gfx900;rm %s\n", None), nothing);
        assert_eq!(run_options("define void @f() {\n", None), nothing);
    }
}
