//! What a test's `RUN:` lines say about how it is compiled, as far as it is harmless: no flag that writes a file, loads a
//! plugin or starts anything is taken from a file.

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunLine {
    pub processor: Option<String>,
    /// 0 to 3.
    pub opt_level: Option<u8>,
    /// A pipeline for `opt`; empty: none.
    pub passes: String,
    /// Flags for `llc`.
    pub flags: Vec<String>,
}

/// Lines at the start of a file that are looked at.
const HEAD: usize = 60;

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

/// Reads the first `RUN:` line that compiles for AMDGPU.
pub fn run_line(text: &str) -> Option<RunLine> {
    let mut joined = String::new();
    for line in text.lines().take(HEAD) {
        let comment = line.trim_start_matches([';', '#', '/', ' ']);
        let Some(command) = comment.strip_prefix("RUN:").filter(|_| comment.len() < line.len()) else {
            continue;
        };
        match command.trim_end().strip_suffix('\\') {
            Some(open) => joined.push_str(open),
            None => {
                joined.push_str(command);
                if joined.contains("amdgcn") || joined.contains("gfx") {
                    return Some(read(&joined)).filter(|found| *found != RunLine::default());
                }
                joined.clear();
            }
        }
    }
    None
}

fn read(command: &str) -> RunLine {
    let mut found = RunLine::default();
    for part in command.split('|') {
        let mut words = part.split_whitespace().map(|w| w.replace(['\'', '"'], ""));
        let tool = words.next().unwrap_or_default();
        for word in words {
            // LLVM takes one dash and two.
            let word = word.strip_prefix("--").map_or(word.clone(), |w| format!("-{w}"));
            match (tool.as_str(), word.split_once('=')) {
                (_, Some(("-mcpu", processor))) if is_plain(processor) => {
                    found.processor.get_or_insert(processor.to_owned());
                }
                ("opt", Some(("-passes", passes))) if is_harmless(passes) => found.passes = passes.to_owned(),
                ("llc", Some((name, value))) if FLAGS_WITH_VALUE.contains(&name) && is_plain(value) => {
                    found.flags.push(word);
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
        let found = run_line(text).expect("a line");
        assert_eq!(found.processor.as_deref(), Some("gfx906"));
        assert_eq!(
            (found.opt_level, found.passes.as_str()),
            (Some(1), "function(sroa,instcombine),default<O1>")
        );
        assert_eq!(found.flags, ["-global-isel=1", "-mattr=+wavefrontsize64"]);
    }

    #[test]
    fn others_are_left() {
        assert_eq!(run_line("; RUN: opt -passes=dot-cfg -mcpu=gfx900;rm %s\n"), None);
        assert_eq!(run_line("define void @f() {\n"), None);
    }
}
