//! Options of LLVM's programs by what their values are: what the examination of RUN lines reads.
//!
//! `--help-hidden` tells flags, numbers and choices from values that are any text. What such a text means, a file that is read or
//! written, or words, is decided here by hand, once; an option that is in none of these lists is refused.

use std::collections::BTreeMap;
use std::process::Command;

use crate::Outcome;
use crate::repository::output;

/// Programs whose options are listed. The first two name all those of the libraries, which the others accept as well.
const PROGRAMS: [&str; 6] = ["llc", "opt", "llvm-as", "llvm-dis", "llvm-mc", "FileCheck"];

/// Values that are the path of a file or folder that is read.
const READ: &[&str] = &[
    "I",
    "basic-block-sections",
    "cgscc-inline-replay",
    "chr-function-list",
    "chr-module-list",
    "codegen-data-use-path",
    "dfsan-abilist",
    "extract-blocks-file",
    "forceattrs-csv-path",
    "fs-profile-file",
    "fs-remapping-file",
    "input-file",
    "internalize-public-api-file",
    "ir2vec-vocab-path",
    "lowertypetests-read-summary",
    "memory-profile-file",
    "memprof-import-summary",
    "mir2vec-vocab-path",
    "ml-inliner-ir2vec-vocab-file",
    "ms-secure-hotpatch-functions-file",
    "pgo-test-profile-file",
    "pgo-test-profile-remapping-file",
    "polly-import-jscop-dir",
    "profile-file",
    "profile-remapping-file",
    "rewrite-map-file",
    "sample-profile-file",
    "sample-profile-inline-replay",
    "sample-profile-remapping-file",
    "summary-file",
    "thinlto-workload-def",
    "use-ctx-profile",
    "wholeprogramdevirt-read-summary",
];

/// Values that are the path of a file or folder that is written, or the start of one.
const WRITE: &[&str] = &[
    "amdgpu-module-splitting-print-module-dotcfg",
    "amdgpu-module-splitting-print-partition-summaries",
    "as-secure-log-file",
    "crash-diagnostics-dir",
    "cs-profile-path",
    "cs-profilegen-file",
    "debugify-export",
    "info-output-file",
    "instrument-cold-function-only-path",
    "ir-dump-directory",
    "lowertypetests-write-summary",
    "lto-pass-remarks-output",
    "lto-stats-file",
    "module-summary-dot-file",
    "o",
    "opt-bisect-print-ir-path",
    "pass-remarks-output",
    "polly-dump-after-file",
    "polly-dump-before-file",
    "print-on-crash-path",
    "split-dwarf-output",
    "thin-link-bitcode-file",
    "time-trace-file",
    "verify-di-preserve-export",
    "wholeprogramdevirt-write-summary",
];

/// Values that are words, patterns or names of things in the module, and never of a file.
const TEXT: &[&str] = &[
    "D",
    "M",
    "aa-pipeline",
    "arch",
    "asan-debug-func",
    "binutils-version",
    "break-anti-dependencies",
    "cfg-func-name",
    "check-functions-filter",
    "check-prefix",
    "comment-prefixes",
    "cphoistfn",
    "data-layout",
    "debug-only",
    "default-gcov-version",
    "defsym",
    "disable-builtin",
    "dump-input",
    "dump-input-filter",
    "emscripten-cxx-exceptions-allowed",
    "enable-builtin",
    "expandvp-override-evl-transform",
    "expandvp-override-mask-transform",
    "fdebug-compilation-dir",
    "fdebug-prefix-map",
    "filter-passes",
    "filter-print-funcs",
    "force-attribute",
    "force-remove-attribute",
    "hotcoldsplit-cold-section-name",
    "icp-ignored-base-types",
    "implicit-check-not",
    "internalize-public-api-list",
    "main-file-name",
    "march",
    "mattr",
    "mcfg-func-name",
    "mcpu",
    "memprof-debug-func",
    "memprof-runtime-default-options",
    "mips32-function-mask",
    "ml-inliner-model-selector",
    "ms-secure-hotpatch-functions-list",
    "mtriple",
    "nsan-shadow-type-mapping",
    "nvptx-lower-global-ctor-dtor-id",
    "nvvm-reflect-add",
    "opt-bisect",
    "opt-disable",
    "pgo-trace-func-hash",
    "polly-context",
    "polly-debug-func",
    "polly-ignore-func",
    "polly-import-jscop-postfix",
    "polly-only-func",
    "polly-only-region",
    "polly-opt-maximize-bands",
    "polly-opt-optimize-only",
    "polly-opt-outer-coincidence",
    "polly-opt-simplify-deps",
    "print-after",
    "print-before",
    "print-bfi-func-name",
    "print-bpi-func-name",
    "profile-context-root",
    "reserve-regs-for-regalloc",
    "run-pass",
    "sbvec-allow-files",
    "sbvec-collect-seeds",
    "sbvec-passes",
    "spirv-ext",
    "start-after",
    "start-before",
    "stop-after",
    "stop-before",
    "sve-tail-folding",
    "target-abi",
    "trap-func",
    "triple",
    "verify-pseudo-probe-funcs",
    "wholeprogramdevirt-skip",
    "x",
    "x86-align-branch",
];

/// Ends and starts of the names of options with texts, of which there are too many to list.
const TEXT_ENDS: [&str; 5] =
    ["-disable-rule", "-only-enable-rule", "-prefix", "-sched-strategy", "-callsite-instr"];
const TEXT_STARTS: [&str; 4] = ["rename-exclude-", "passes", "pass-remarks", "lto-pass-remarks-"];

/// Flags that start a program, or write files whose names the document decides.
const REFUSED: &[&str] = &["load", "load-pass-plugin", "x86-lvi-load-opt-plugin"];
const REFUSED_PARTS: [&str; 3] = ["view", "dot", "interactive"];
const REFUSED_STARTS: [&str; 4] = ["print-changed-", "exec-", "lto-aix-", "polly-dump-"];

/// What an option may be given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// Nothing, a number, or one of several words.
    Plain,
    Text,
    Read,
    Write,
    Refused,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Plain => "plain",
            Kind::Text => "text",
            Kind::Read => "read",
            Kind::Write => "write",
            Kind::Refused => "refused",
        }
    }

    /// By the name, and by what the help says of the value.
    fn of(program: &str, name: &str, value: Option<&str>) -> Kind {
        const NUMBERS: [&str; 10] =
            ["uint", "int", "number", "ulong", "long", "N", "x", "seed", "char", "choice"];
        let is_refused = name.split('-').any(|part| REFUSED_PARTS.contains(&part))
            || REFUSED_STARTS.iter().any(|start| name.starts_with(start))
            || REFUSED.contains(&name);
        if is_refused {
            return Kind::Refused;
        }
        match (program, name) {
            ("llc", "split-dwarf-file") => return Kind::Text,
            (_, "split-dwarf-file") => return Kind::Write,
            (_, "p") | (_, "check-prefixes") => return Kind::Text,
            _ => {}
        }
        let is_text = TEXT.contains(&name)
            || TEXT_ENDS.iter().any(|end| name.ends_with(end))
            || TEXT_STARTS.iter().any(|start| name.starts_with(start));
        match value {
            _ if READ.contains(&name) => Kind::Read,
            _ if WRITE.contains(&name) => Kind::Write,
            _ if is_text => Kind::Text,
            None => Kind::Plain,
            Some(value) if NUMBERS.contains(&value) => Kind::Plain,
            Some(_) => Kind::Refused,
        }
    }
}

/// The table: sections of a program and a kind, then one name a line. `names` are options that no help shows, by program.
pub(super) fn table(hidden: &[(&str, Vec<String>)]) -> Outcome<String> {
    let mut all: BTreeMap<(usize, Kind), Vec<String>> = BTreeMap::new();
    let mut library: BTreeMap<String, Kind> = BTreeMap::new();
    for (at, program) in PROGRAMS.into_iter().enumerate() {
        let help = output(Command::new(format!("{program}-22")).arg("--help-hidden"))?;
        let help = String::from_utf8_lossy(&help).into_owned();
        let mut found: BTreeMap<String, Kind> =
            options(&help).map(|(name, value)| (name.to_owned(), Kind::of(program, name, value))).collect();
        let unseen = hidden.iter().filter(|(of, _)| *of == program).flat_map(|(_, names)| names);
        for name in unseen {
            found.entry(name.clone()).or_insert_with(|| Kind::of(program, name, None));
        }
        for (name, kind) in found {
            // `FileCheck` is not linked with the libraries.
            if program == "FileCheck" || library.get(&name) != Some(&kind) {
                all.entry((at, kind)).or_default().push(name.clone());
            }
            if program == "llc" {
                library.insert(name, kind);
            }
        }
    }
    let mut text = String::from(
        "# Written by `cargo xtask tables lit` from LLVM 22 (Apache-2.0 WITH LLVM-exception).\n",
    );
    for ((program, kind), names) in all {
        let program = PROGRAMS.get(program).copied().unwrap_or_default();
        text.push_str(&format!("[{program} {}]\n{}\n", kind.name(), names.join("\n")));
    }
    Ok(text)
}

/// Names and what the help calls their values: `choice` where it lists them.
fn options(help: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    let mut lines = help.lines().peekable();
    std::iter::from_fn(move || {
        loop {
            let line = lines.next()?.trim_start();
            let Some(option) = line.strip_prefix('-').map(|o| o.strip_prefix('-').unwrap_or(o)) else {
                continue;
            };
            let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ':');
            let end = option.find(|c| !is_part(c)).unwrap_or(option.len());
            let (name, rest) = option.split_at(end);
            if name.is_empty() || name.ends_with('.') {
                continue;
            }
            let rest = rest.strip_prefix(['=', ' ']).unwrap_or(rest);
            let value = rest.strip_prefix('<').and_then(|v| Some(v.split_once('>')?.0));
            let lists = lines.peek().is_some_and(|next| next.trim_start().starts_with('='));
            return Some((name, if lists { Some("choice") } else { value }));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_from_the_help() {
        let help = "OPTIONS:\n  --a=<uint>  - A\n  --b=<value>  - B\n    =one  -  x\n  -c  - C\n  -o <filename> - O\n";
        let found: Vec<_> = options(help).collect();
        assert_eq!(found, [("a", Some("uint")), ("b", Some("choice")), ("c", None), ("o", Some("filename"))]);
    }

    #[test]
    fn a_text_of_unknown_meaning_is_refused() {
        let of = |name, value| Kind::of("opt", name, value);
        assert_eq!(of("new-file", Some("filename")), Kind::Refused);
        assert_eq!(of("new-limit", Some("uint")), Kind::Plain);
        assert_eq!(of("lowertypetests-write-summary", Some("string")), Kind::Write);
        assert_eq!(of("view-cfg", None), Kind::Refused);
    }
}
