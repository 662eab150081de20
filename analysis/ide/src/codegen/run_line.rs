//! What a RUN line says about how a file is compiled, as far as it is harmless: no flag that writes a file, loads a plugin or
//! starts anything is taken from a file.

use smol_str::SmolStr;
use wavelens_base::configuration::{Program, RunLine, run_lines};
use wavelens_base::lit::sed;

/// How a RUN line compiles. Triple, processor and features are part of the configuration.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct RunOptions {
    /// 0 to 3.
    pub opt_level: Option<u8>,
    /// A pipeline for `opt`; empty: none.
    pub passes: String,
    /// Target and flags of `opt`, where it runs.
    pub opt_flags: Option<Vec<String>>,
    /// Flags for `llc`.
    pub flags: Vec<String>,
    /// Where compilation ends before assembly.
    pub end: Option<RunEnd>,
    /// `llc` runs, so that the line says all of the compilation.
    pub is_compilation: bool,
    /// The programs of the line: `sed` may change the text first.
    programs: Vec<Program>,
    /// The first pass that is not run from a file.
    refused_pass: Option<String>,
}

impl RunOptions {
    /// The text as the compiler of the RUN line gets it: no line is added or removed.
    ///
    /// # Errors
    /// One sentence, where the line changes the text in a way that is not known here.
    pub(super) fn text(&self, text: &str) -> Result<Option<String>, String> {
        sed::edited(&self.programs, text)
    }

    /// Why the line cannot be run as it is written.
    pub(super) fn refusal(&self) -> Option<String> {
        let pass = self.refused_pass.as_ref()?;
        Some(format!("the RUN line runs `{pass}`, which is not run from a file; `--passes` runs it"))
    }
}

/// Where the `llc` of a RUN line ends before it writes assembly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunEnd {
    /// `-run-pass`: these passes run, and no others.
    Passes(Vec<String>),
    /// `-passes`: the same for the pipelines of the new pass manager.
    Pipeline(String),
    /// `-stop-after` or `-stop-before`, as it is written, with the pass.
    Stop(String),
}

impl RunEnd {
    fn of(option: &str, value: &str) -> Option<RunEnd> {
        // A pipeline nests: `machine-function(verify)`.
        if value.is_empty() || !is_plain(&value.replace(['(', ')', '<', '>', ';'], "")) {
            return None;
        }
        match option {
            "passes" => Some(RunEnd::Pipeline(value.to_owned())),
            _ if !is_plain(value) => None,
            "run-pass" => Some(RunEnd::Passes(value.split(',').map(str::to_owned).collect())),
            "stop-after" | "stop-before" => Some(RunEnd::Stop(format!("-{option}={value}"))),
            _ => None,
        }
    }

    /// The option as `llc` takes it.
    pub fn flag(&self) -> String {
        match self {
            RunEnd::Passes(passes) => format!("-run-pass={}", passes.join(",")),
            RunEnd::Pipeline(passes) => format!("-passes={passes}"),
            RunEnd::Stop(flag) => flag.clone(),
        }
    }

    /// Changes a request, so that `llc` does what the RUN line does, and prints what the first pass gets.
    pub fn apply(&self, flags: &mut Vec<String>) {
        let first = match self {
            RunEnd::Passes(passes) => passes.iter().map(String::as_str).find(|pass| *pass != "none"),
            RunEnd::Pipeline(passes) => passes.split([',', '(', ')']).find(|pass| is_machine_pass(pass)),
            RunEnd::Stop(_) => None,
        };
        if !matches!(self, RunEnd::Stop(_)) {
            // `-run-pass` excludes these.
            flags.retain(|flag| !flag.starts_with("-start-"));
        }
        let name = first.and_then(|pass| pass.split([',', '<']).next());
        flags.extend(name.map(|name| format!("-print-before={name}")));
        flags.push(self.flag());
    }
}

/// Whether a word of a pipeline is a pass that may change code, and not what holds, prints or computes something.
fn is_machine_pass(word: &str) -> bool {
    let name = word.split('<').next().unwrap_or(word);
    !matches!(
        name,
        "" | "cgscc" | "function" | "invalidate" | "machine-function" | "module" | "print" | "require"
    )
}

/// First words of the flags that are taken, with a plain value or none. They choose among algorithms of code generation.
const FAMILIES: &[&str] = &[
    "aarch64",
    "allow",
    "amdgcn",
    "amdgpu",
    "amdhsa",
    "attributor",
    "denormal",
    "disable",
    "early",
    "emit",
    "enable",
    "exception",
    "force",
    "fp",
    "frame",
    "global",
    "greedy",
    "gvn",
    "inline",
    "jump",
    "large",
    "licm",
    "loop",
    "machine",
    "max",
    "mem",
    "misched",
    "no",
    "nvptx",
    "post",
    "pre",
    "r600",
    "reassociate",
    "regalloc",
    "regbankselect",
    "relocation",
    "rewrite",
    "sgpr",
    "simplify",
    "simplifycfg",
    "sink",
    "slp",
    "split",
    "start",
    "stress",
    "structurizecfg",
    "tail",
    "tailcallopt",
    "two",
    "unroll",
    "vectorize",
    "vector",
    "verify",
    "vgpr",
    "wwm",
];

/// Words of flags whose value may be a file, or that only print.
const OUTPUT: &[&str] = &[
    "config",
    "dir",
    "directory",
    "dot",
    "dump",
    "file",
    "filename",
    "hook",
    "library",
    "log",
    "model",
    "out",
    "output",
    "path",
    "plugin",
    "print",
    "profile",
    "record",
    "report",
    "save",
    "trace",
    "view",
    "write",
];

/// Flags whose value may be the next word.
const WITH_VALUE: &[&str] = &[
    "start-before",
    "start-after",
    "stop-before",
    "stop-after",
    "run-pass",
    "passes",
    "o",
    "mtriple",
    "mcpu",
    "mattr",
    "march",
    "x",
];

/// What the configuration says.
const TARGET: &[&str] = &["mtriple", "triple", "march", "mcpu", "mattr"];

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

/// What a RUN line says. `None` without a line of this number.
pub(super) fn run_options(text: &str, number: u32) -> Option<RunOptions> {
    run_lines(text).iter().find(|line| line.number == number).map(read)
}

/// What the line would say that runs `opt` with a pipeline.
pub fn is_harmless_pipeline(passes: &str) -> bool {
    refused_pass(passes).is_none()
}

fn read(line: &RunLine) -> RunOptions {
    let mut found = RunOptions { programs: line.programs.clone(), ..RunOptions::default() };
    for program in &line.programs {
        match program.name.as_str() {
            "opt" if !found.is_compilation => read_opt(&program.arguments, &mut found),
            "llc" if !found.is_compilation => read_llc(&program.arguments, &mut found),
            _ => {}
        }
    }
    found
}

/// Names and values of options, without dashes.
fn options(arguments: &[SmolStr]) -> impl Iterator<Item = (&str, Option<&str>)> {
    let mut words = arguments.iter();
    std::iter::from_fn(move || {
        loop {
            let word = words.next()?;
            let Some(option) = word.strip_prefix("--").or_else(|| word.strip_prefix('-')) else { continue };
            return Some(match option.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None if WITH_VALUE.contains(&option) => (option, words.next().map(SmolStr::as_str)),
                None => (option, None),
            });
        }
    })
}

fn read_opt(arguments: &[SmolStr], found: &mut RunOptions) {
    let mut flags = Vec::new();
    for (name, value) in options(arguments) {
        match (name, value) {
            ("passes", Some(passes)) => {
                passes.clone_into(&mut found.passes);
                found.refused_pass = refused_pass(passes);
            }
            ("O0" | "O1" | "O2" | "O3" | "Os" | "Oz", None) => found.passes = format!("default<{name}>"),
            (name, Some(value)) if TARGET.contains(&name) && is_plain(value) => {
                flags.push(format!("-{name}={value}"))
            }
            // The syntax before `-passes`, which `opt` still takes for passes of code generation.
            (name, None) if PASSES.contains(&name) => flags.push(format!("-{name}")),
            _ => flags.extend(harmless(name, value)),
        }
    }
    found.opt_flags = Some(flags);
}

fn read_llc(arguments: &[SmolStr], found: &mut RunOptions) {
    found.is_compilation = true;
    for (name, value) in options(arguments) {
        let level = name.strip_prefix('O').map(|level| value.unwrap_or(level));
        if let Some(level) = level {
            found.opt_level = level.parse().ok().filter(|level| *level <= 3);
        } else if let Some(end) = RunEnd::of(name, value.unwrap_or("")) {
            // Several `-run-pass` add up.
            found.end = match (found.end.take(), end) {
                (Some(RunEnd::Passes(mut all)), RunEnd::Passes(more)) => {
                    all.extend(more);
                    Some(RunEnd::Passes(all))
                }
                (_, end) => Some(end),
            };
        } else {
            found.flags.extend(harmless(name, value));
        }
    }
}

/// The flag as a compiler takes it, if it can be taken from a file.
fn harmless(name: &str, value: Option<&str>) -> Option<String> {
    let mut words = name.split('-');
    let is_known = words.next().is_some_and(|first| FAMILIES.contains(&first))
        && !words.any(|word| OUTPUT.contains(&word));
    if !is_known || TARGET.contains(&name) || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') {
        return None;
    }
    match value {
        Some(value) if is_plain(value) => Some(format!("-{name}={value}")),
        Some(_) => None,
        None => Some(format!("-{name}")),
    }
}

fn is_plain(value: &str) -> bool {
    value.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-_,.".contains(&b))
}

/// The first word of a pipeline that is not a pass of the list.
fn refused_pass(passes: &str) -> Option<String> {
    let mut words = passes.split([',', '(', ')', '<', '>', ';', ' ']).filter(|w| !w.is_empty());
    let is_parameter =
        |w: &str| w.contains('=') || w.starts_with("no-") || w.bytes().all(|b| b.is_ascii_digit());
    let is_harmless = |w: &&str| {
        PASSES.contains(w) || w.starts_with("amdgpu-") || (is_parameter(w) && is_plain(&w.replace('=', "")))
    };
    words.find(|w| !is_harmless(w)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(run: &str) -> RunOptions {
        run_options(&format!("; RUN: {run}\n"), 1).unwrap_or_default()
    }

    #[test]
    fn harmless_words_are_taken() {
        let found = of(
            "opt -passes='function(sroa,instcombine),default<O1>' -load-pass-plugin=evil.so -amdgpu-internalize-symbols %s \\\n\
            ; RUN:   | llc -mtriple=amdgcn --mcpu=gfx906 -O1 -global-isel=1 -o evil.s -mattr=+wavefrontsize64 -amdgpu-s-branch-bits=4 \\\n\
            ; RUN:   --amdgpu-load-store-vectorizer=0 -verify-machineinstrs -start-before finalize-isel -mcpu gfx900",
        );
        assert_eq!(
            (found.opt_level, found.passes.as_str(), found.refusal()),
            (Some(1), "function(sroa,instcombine),default<O1>", None)
        );
        assert_eq!(found.opt_flags, Some(vec!["-amdgpu-internalize-symbols".to_owned()]));
        let flags = [
            "-global-isel=1",
            "-amdgpu-s-branch-bits=4",
            "-amdgpu-load-store-vectorizer=0",
            "-verify-machineinstrs",
            "-start-before=finalize-isel",
        ];
        assert_eq!(found.flags, flags);
        assert!(found.is_compilation);
    }

    #[test]
    fn flags_that_write_load_or_start_something_are_left() {
        let found = of(
            "llc -o=x --o x -load=./x.so -load ./x.so -pass-remarks-output=x -stats -info-output-file=x -amdgpu-dump-x=y -dot-cfg-x=y \
            -amdgpu-module-log-dir=. -enable-x=/etc/passwd -enable-y=~x -split-dwarf-file=x -view-dag-combine1-dags -x ir @x %s",
        );
        assert_eq!(found.flags, [""; 0]);
        let refused = of("opt -passes='sroa,dot-cfg' %s | llc").refusal().unwrap_or_default();
        assert_eq!(refused, "the RUN line runs `dot-cfg`, which is not run from a file; `--passes` runs it");
    }

    #[test]
    fn a_run_line_may_end_before_assembly() {
        let flags = |run: &str| {
            let end = of(&format!("llc -mtriple=amdgcn {run} %s")).end;
            let mut flags = vec!["-start-before=finalize-isel".to_owned()];
            end.iter().for_each(|end| end.apply(&mut flags));
            flags.join(" ")
        };
        assert_eq!(
            flags("-run-pass=none,si-fold-operands,dead-mi-elimination -o -"),
            "-print-before=si-fold-operands -run-pass=none,si-fold-operands,dead-mi-elimination"
        );
        assert_eq!(flags("-run-pass a -run-pass=b"), "-print-before=a -run-pass=a,b");
        assert_eq!(flags("--run-pass greedy"), "-print-before=greedy -run-pass=greedy");
        assert_eq!(flags("-stop-after=amdgpu-isel"), "-start-before=finalize-isel -stop-after=amdgpu-isel");
        assert_eq!(flags("-run-pass=none"), "-run-pass=none");
        assert_eq!(flags("-passes 'greedy<wwm>'"), "-print-before=greedy -passes=greedy<wwm>");
        assert_eq!(
            flags(
                "--passes='require<live-intervals>,function(machine-function(phi-node-elimination)),print<x>'"
            ),
            "-print-before=phi-node-elimination \
             -passes=require<live-intervals>,function(machine-function(phi-node-elimination)),print<x>"
        );
        assert_eq!(flags("-passes='x|rm'"), "-start-before=finalize-isel");
        assert_eq!(flags("-stop-after='x;rm'"), "-start-before=finalize-isel");
    }

    #[test]
    fn sed_changes_the_text() {
        let found = of("sed 's/V/900/g' %s | llc -mtriple=amdgcn");
        assert_eq!(found.text("gfxV V\n"), Ok(Some("gfx900 900\n".to_owned())));
        assert_eq!(of("llc %s").text("x"), Ok(None));
        assert!(of("sed -n 's/a/b/p' %s | llc").text("a").is_err());
    }
}
