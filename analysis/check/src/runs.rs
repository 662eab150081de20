//! Checking a test file under each of its RUN lines: a finding that holds only under some of them names them, and errors that a
//! test expects are not mistakes.

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use wavelens_isa::Target;
use wavelens_syntax::wording;

use wavelens_base::configuration::{
    Configuration, Invocation, Program, RunLine, Stated, other_processor, run_lines, unknown_processor,
};
use wavelens_base::lit::directives::Directive;
use wavelens_base::lit::sed;
use wavelens_base::{Dialect, Finding, Options, Severity, TextRange, TextSize, lit};

/// A test of assembly with one RUN line for each processor.
macro_rules! test_for {
    ($($processor:literal)*) => {
        concat!($("// RUN: llvm-mc -triple=amdgcn -mcpu=", $processor, " %s\n",)* "s_nop 0\n")
    };
}

wavelens_syntax::rules! {
    EXPECTED_ERROR {
        code: "expected-error",
        severity: Severity::Warning,
        title: "an error that a test expects is found",
        explain: "A RUN line that starts with `not` expects errors, and a CHECK line with `error:` and a line number expects one on \
            that line. Errors that a test expects are shown as information. One that is expected and not found means that the test \
            fails, or that this checker does not know the rule. Switch it off while the expected output of a test is out of date.",
        example: "// RUN: not llvm-mc -triple=amdgcn -mcpu=gfx900 %s\ns_nop 0\n",
        fixed: "// RUN: llvm-mc -triple=amdgcn -mcpu=gfx900 %s\ns_nop 0\n",
        source: "LLVM Testing Infrastructure Guide, `not` and FileCheck",
    }
    UNKNOWN_PROCESSOR {
        code: "unknown-processor",
        severity: Severity::Warning,
        title: "the processor of a RUN line exists",
        explain: "LLVM prints a warning for a processor that it does not know, and goes on with a default that has few features. \
            Findings that depend on the processor are left out. Switch it off for tests of processors that LLVM 22 does not have.",
        example: "// RUN: llvm-mc -triple=amdgcn -mcpu=gfx9421 %s\ns_nop 0\n",
        fixed: "// RUN: llvm-mc -triple=amdgcn -mcpu=gfx942 %s\ns_nop 0\n",
        source: "LLVM, `MCSubtargetInfo`: \"is not a recognized processor for this target\"",
    }
    UNCHECKED_RUN_LINE {
        code: "unchecked-run-line",
        severity: Severity::Info,
        title: "a file is checked under a limited number of RUN lines",
        explain: "A file is checked once for each target that its RUN lines name, up to 32. Split a test with more.",
        example: test_for!(
            "gfx600" "gfx601" "gfx602" "gfx700" "gfx701" "gfx702" "gfx703" "gfx704" "gfx705" "gfx801" "gfx802" "gfx803" "gfx805"
            "gfx810" "gfx900" "gfx902" "gfx904" "gfx906" "gfx908" "gfx909" "gfx90a" "gfx90c" "gfx942" "gfx950" "gfx1010" "gfx1011"
            "gfx1012" "gfx1013" "gfx1030" "gfx1031" "gfx1032" "gfx1033" "gfx1034"
        ),
        fixed: test_for!("gfx900" "gfx1030"),
        source: "LLVM Testing Infrastructure Guide, RUN lines; the limit is Wavelens's own",
    }
}

/// RUN lines with different targets that a file is checked under.
const LIMIT: usize = 32;

/// The RUN lines that a file is checked under: those that differ in what rules depend on. Empty if one check says all.
pub fn checked_runs(dialect: Dialect, text: &str, options: &Options) -> Vec<Invocation> {
    checked(dialect, &run_lines(text), options)
}

/// Those of a file's RUN lines.
pub(crate) fn checked(dialect: Dialect, lines: &[RunLine], options: &Options) -> Vec<Invocation> {
    if options.run.is_some() || options.target.is_some() || lines.is_empty() {
        return Vec::new();
    }
    let stated = Stated::of_section(dialect, lines, None);
    let mut runs: Vec<Invocation> = match dialect {
        Dialect::Mir | Dialect::Amdgpu => stated.distinct_runs(),
        // The file is valid if any program is to accept it.
        Dialect::Llvm if stated.runs.iter().any(|run| !run.fails) => stated.accepted_targets(),
        Dialect::Llvm | Dialect::Spirv => {
            let accepted = stated.runs.iter().any(|run| !run.fails);
            stated.runs.into_iter().filter(|_| !accepted).take(1).collect()
        }
    };
    // A program may fail after it has read the file.
    let reads_only = |run: &Invocation| matches!(run.program.as_str(), "llvm-as" | "llvm-mc" | "spirv-as");
    for run in &mut runs {
        run.fails &= reads_only(run) || dialect == Dialect::Mir;
    }
    let is_plain = |run: &Invocation| !run.fails && !programs(lines, run.number).is_some_and(sed::is_edited);
    if runs.len() == 1 && runs.iter().all(is_plain) { Vec::new() } else { runs }
}

/// The programs of a RUN line.
pub(crate) fn programs(lines: &[RunLine], number: u32) -> Option<&[Program]> {
    lines.iter().find(|line| line.number == number).map(|line| &*line.programs)
}

/// What is wrong with the lines that lit and FileCheck read.
pub(crate) fn test_line_findings(
    dialect: Dialect,
    text: &str,
    directives: &[Directive],
    lines: &[RunLine],
) -> Vec<Finding> {
    let mut found = unknown_processors(dialect, text, lines);
    found.extend(lit::rules::check(text, directives));
    found.extend(lit::arguments::check(directives));
    found
}

/// A warning for each RUN line whose AMDGPU processor does not exist.
fn unknown_processors(dialect: Dialect, text: &str, lines: &[RunLine]) -> Vec<Finding> {
    let stated = Stated::of_section(dialect, lines, None);
    let unknown = stated.runs.iter().filter_map(|run| {
        let is_amdgpu = run.triple.as_ref().is_some_and(|triple| wavelens_isa::is_amdgpu(triple));
        let name = run.processor.as_deref().filter(|_| is_amdgpu)?;
        let agrees = run.triple.as_ref().is_none_or(|triple| wavelens_isa::agrees_with_triple(triple, name));
        if Target::named(name).is_some() && agrees {
            return None;
        }
        // A substitution of the test suite.
        let line = lines.iter().find(|line| line.number == run.number && !name.contains('%'))?;
        let at = text.get(std::ops::Range::<usize>::from(line.range))?.find(name)?;
        let start = line.range.start() + TextSize::new(u32::try_from(at).ok()?);
        Some(Finding::new(
            &UNKNOWN_PROCESSOR,
            TextRange::at(start, TextSize::of(name)),
            match &run.triple {
                Some(triple) if !agrees => other_processor(name, triple),
                _ => unknown_processor(name),
            },
        ))
    });
    unknown.collect()
}

/// Checks a text under each RUN line and joins the findings. `check` is called with options that choose one.
pub(crate) fn check_runs(
    dialect: Dialect,
    text: &str,
    options: &Options,
    lines: &[RunLine],
    runs: &[Invocation],
    check: impl Fn(&Options) -> Vec<Finding> + Sync,
) -> Vec<Finding> {
    let (checked, rest) = runs.split_at(runs.len().min(LIMIT));
    let of_run = |run: &Invocation| check(&Options { run: Some(run.number), ..options.clone() });
    let found: Vec<Vec<Finding>> = checked.par_iter().map(of_run).collect();
    let stated = Stated::of_lines(dialect, text, lines);
    let checked: Vec<Run<'_>> = checked.iter().map(|run| Run::new(dialect, &stated, options, run)).collect();
    let expected = missing_errors(dialect, text, &checked, lines, &found);
    let mut findings = join(&checked, found);
    findings.extend(expected);
    if let Some(line) = rest.first().and_then(|run| lines.iter().find(|line| line.number == run.number)) {
        let message =
            format!("the file is checked under the first {LIMIT} targets of RUN lines, not under this one");
        findings.push(Finding::new(&UNCHECKED_RUN_LINE, line.range, message));
    }
    findings
}

/// A RUN line with its configuration, and its name in messages.
struct Run<'r> {
    invocation: &'r Invocation,
    configuration: Configuration,
    /// `gfx1030 (RUN line 3)`.
    name: String,
}

impl<'r> Run<'r> {
    fn new(dialect: Dialect, stated: &Stated, options: &Options, invocation: &'r Invocation) -> Self {
        let options = Options { run: Some(invocation.number), ..options.clone() };
        let configuration = Configuration::decide(dialect, stated, &options);
        let name = match configuration.name() {
            name if name.is_empty() => invocation.program.clone(),
            name => name,
        };
        let name = format!("{name} (RUN line {})", invocation.number);
        Run { invocation, configuration, name }
    }
}

/// One finding for each that several RUN lines have in common.
fn join(runs: &[Run<'_>], found: Vec<Vec<Finding>>) -> Vec<Finding> {
    let mut places: FxHashMap<(TextRange, &str, usize), usize> = FxHashMap::default();
    let mut joined: Vec<(Finding, Vec<usize>)> = Vec::new();
    for (index, (run, findings)) in runs.iter().zip(found).enumerate() {
        let mut counts: FxHashMap<(TextRange, &str), usize> = FxHashMap::default();
        for finding in findings {
            let finding = if run.invocation.fails { finding.expected() } else { finding };
            let place = (finding.range, finding.rule.code);
            let count = counts.entry(place).or_default();
            let key = (place.0, place.1, *count);
            *count += 1;
            match places.get(&key).and_then(|at| joined.get_mut(*at)) {
                Some((first, under)) => {
                    under.push(index);
                    if finding.severity < first.severity {
                        *first = finding;
                    }
                }
                None => {
                    places.insert(key, joined.len());
                    joined.push((finding, vec![index]));
                }
            }
        }
    }
    let finish = |(mut finding, under): (Finding, Vec<usize>)| {
        let expects = |index: &usize| runs.get(*index).is_some_and(|run| run.invocation.fails);
        // Of an error that only some RUN lines expect, those that do not are the news.
        let named: Vec<usize> = under.iter().copied().filter(|i| finding.expected || !expects(i)).collect();
        if finding.expected || under.len() < runs.len() {
            let named = if named.is_empty() { &under } else { &named };
            let runs = named.iter().filter_map(|index| runs.get(*index));
            let names = wording::list(runs.map(|run| &run.name));
            let word = if finding.expected { "the test expects an error on" } else { "on" };
            finding.message = wording::with_clause(finding.message, &format!("{word} {names}"));
        }
        finding
    };
    joined.into_iter().map(finish).collect()
}

/// A warning for each error that a test expects and that was not found.
fn missing_errors(
    dialect: Dialect,
    text: &str,
    runs: &[Run<'_>],
    lines: &[RunLine],
    found: &[Vec<Finding>],
) -> Vec<Finding> {
    let starts: Vec<usize> = line_starts(text);
    let line_of = |finding: &Finding| starts.partition_point(|s| *s <= usize::from(finding.range.start()));
    let mut missing: Vec<(TextRange, String, Vec<String>)> = Vec::new();
    for (run, findings) in runs.iter().zip(found).filter(|(run, _)| run.invocation.fails) {
        let configuration = &run.configuration;
        let is_known = match dialect {
            Dialect::Amdgpu => {
                configuration.target().is_some() && configuration.other_features().next().is_none()
            }
            Dialect::Llvm | Dialect::Mir | Dialect::Spirv => true,
        };
        if !is_known {
            continue;
        }
        let errors = || findings.iter().filter(|f| f.severity == Severity::Error);
        let on_lines: Vec<(TextRange, usize)> = expected_lines(text, &starts, &run.invocation.prefixes);
        let own: Vec<(TextRange, String)> = if on_lines.is_empty() {
            let is_met = errors().next().is_some() || dialect == Dialect::Mir;
            let line = lines.iter().find(|line| line.number == run.invocation.number).filter(|_| !is_met);
            let message = |line: &RunLine| {
                (line.range, "this RUN line expects an error, and none was found".to_owned())
            };
            line.map(message).into_iter().collect()
        } else {
            let is_missing = |(_, line): &&(TextRange, usize)| !errors().any(|error| line_of(error) == *line);
            let message = |(range, line): &(TextRange, usize)| {
                (*range, format!("an error is expected on line {line}, and none was found"))
            };
            on_lines.iter().filter(is_missing).map(message).collect()
        };
        for (range, message) in own {
            let name = run.name.clone();
            match missing.iter_mut().find(|(r, m, _)| (*r, m.as_str()) == (range, &message)) {
                Some((.., names)) => names.push(name),
                None => missing.push((range, message, vec![name])),
            }
        }
    }
    let message = |(range, message, names): (TextRange, String, Vec<String>)| {
        Finding::new(&EXPECTED_ERROR, range, format!("{message}; on {}", wording::list(names)))
    };
    missing.into_iter().map(message).collect()
}

fn line_starts(text: &str) -> Vec<usize> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect()
}

/// The lines, counted from 1, on which CHECK lines with some prefixes expect an error: `// ERR: :[[@LINE-1]]:5: error:`.
fn expected_lines(text: &str, starts: &[usize], prefixes: &[SmolStr]) -> Vec<(TextRange, usize)> {
    let mut found = Vec::new();
    for (index, start) in starts.iter().enumerate() {
        let line = text.get(*start..).and_then(|rest| rest.lines().next()).unwrap_or("");
        let Some(reference) = line.find("@LINE").filter(|_| line.contains("error:")) else { continue };
        let comment = line.trim_start().trim_start_matches(['/', ';', '#']).trim_start();
        let Some((word, _)) = comment.split_once(':') else { continue };
        let suffixes = ["-NEXT", "-DAG", "-SAME", "-LABEL"];
        let prefix = suffixes.iter().find_map(|s| word.strip_suffix(s)).unwrap_or(word);
        if !prefixes.iter().any(|p| p == prefix) {
            continue;
        }
        let offset: String = line
            .get(reference + "@LINE".len()..)
            .unwrap_or("")
            .chars()
            .take_while(|c| c.is_ascii_digit() || matches!(c, '+' | '-' | ' '))
            .filter(|c| *c != ' ')
            .collect();
        let offset = if offset.is_empty() { Some(0) } else { offset.parse::<i64>().ok() };
        let expected = offset.and_then(|offset| usize::try_from(index as i64 + 1 + offset).ok());
        let range = TextRange::at(TextSize::new(*start as u32), TextSize::of(line));
        found.extend(expected.map(|line| (range, line)));
    }
    found
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::{check_text, dialect};
    use wavelens_base::configuration::{Fallback, Known, Origin};

    fn check(dialect: Dialect, text: &str, expected: Expect) {
        let shown = |f: Finding| {
            let line = text[..f.range.start().into()].matches('\n').count() + 1;
            format!("{line}: {:?} {}: {}\n", f.severity, f.rule.code, f.message)
        };
        let found = check_text(dialect, text, &Options::default()).into_iter().map(shown);
        expected.assert_eq(&found.collect::<String>());
    }

    /// Codes of what is found in a function with a stack slot in address space 0, which AMDGPU does not have.
    fn codes_of_alloca(head: &str, options: &Options) -> Vec<&'static str> {
        let text = format!("{head}define void @f() {{\n  %a = alloca i32\n  ret void\n}}\n");
        check_text(Dialect::Llvm, &text, options).iter().map(|f| f.rule.code).collect()
    }

    #[test]
    fn llvm_ir_is_checked_for_the_target_of_run_lines_and_options() {
        let of = |head: &str| codes_of_alloca(head, &Options::default());
        assert_eq!(of("; RUN: llc -mtriple=amdgcn -mcpu=gfx900 < %s\n"), ["stack-slot"]);
        assert_eq!(of("; RUN: opt -mtriple=amdgcn-amd-amdhsa -passes=sroa -S %s\n"), ["stack-slot"]);
        assert_eq!(of("; RUN: llc -mtriple=x86_64 < %s\n"), [""; 0]);
        assert_eq!(of("; RUN: opt -S < %s\n; RUN: llc -mtriple=amdgcn < %s\n"), ["stack-slot"]);
        // The command line of a tool replaces what the module says.
        assert_eq!(of("; RUN: llc -mtriple=amdgcn < %s\ntarget triple = \"x86_64\"\n"), ["stack-slot"]);

        let asked = Options { target: Some("gfx900".to_owned()), ..Options::default() };
        assert_eq!(codes_of_alloca("", &asked), ["stack-slot"]);
        assert_eq!(codes_of_alloca("target triple = \"x86_64\"\n", &asked), [""; 0]);
        let fallback = |origin| {
            let target = Some(Known::new("gfx900".to_owned(), origin));
            Options { fallback: Fallback { target, ..Fallback::default() }, ..Options::default() }
        };
        assert_eq!(codes_of_alloca("", &fallback(Origin::Project("wavelens.toml".into()))), ["stack-slot"]);
        assert_eq!(codes_of_alloca("", &fallback(Origin::Setting)), [""; 0]);
    }

    /// The processors of RUN lines that are compared: three generations, both wave sizes, near relatives.
    const PROCESSORS: [&str; 5] =
        ["gfx900", "gfx908", "gfx90a", "gfx1030 -mattr=+wavefrontsize64", "gfx1100"];

    /// Checks a test once under its RUN lines and once under each of them by itself: the findings must be the same.
    fn compare(dialect: Dialect, text: &str) {
        let options = Options::default();
        let lines = run_lines(text);
        let runs = checked(dialect, &lines, &options);
        if runs.len() < 2 || !wavelens_base::parts::parts(dialect, text).is_empty() {
            return;
        }
        let mut separate =
            check_runs(dialect, text, &options, &lines, &runs, |options| check_text(dialect, text, options));
        separate.retain(|f| !dialect::test_rules().any(|rule| rule == f.rule));
        let mut shared = check_text(dialect, text, &options);
        shared.retain(|f| !dialect::test_rules().any(|rule| rule == f.rule));
        assert_eq!(wavelens_base::finding::finish(separate, &options), shared, "{text}");
    }

    #[test]
    fn checks_of_several_processors_share_only_what_they_have_in_common() {
        for (dialect, comment, program) in [
            (Dialect::Amdgpu, "//", "llvm-mc -triple=amdgcn-amd-amdhsa"),
            (Dialect::Mir, "#", "llc -mtriple=amdgcn-amd-amdhsa -run-pass=none"),
        ] {
            let header = |cpu: &str| format!("{comment} RUN: {program} -mcpu={cpu} %s\n");
            let header: String = PROCESSORS.into_iter().map(header).collect();
            for rule in dialect::rules(dialect) {
                // What else names a processor would be the only one.
                let lines = rule.example.lines().filter(|line| !line.contains(".amdgcn_target"));
                compare(dialect, &format!("{header}{}", lines.map(|l| format!("{l}\n")).collect::<String>()));
            }
        }
    }

    #[test]
    fn embedded_ir_is_checked_again_for_another_triple() {
        let run = |triple: &str| format!("# RUN: llc -mtriple={triple} -run-pass=none -o - %s\n");
        let runs = ["amdgcn -mcpu=gfx900", "amdgcn -mcpu=gfx1030", "x86_64", "amdgcn -mcpu=gfx1100"].map(run);
        let ir = "--- |\n  define void @f(i32 %x) {\n    call void asm \"\", \"Q\"(i32 %x)\n    ret i32 0\n  }\n...\n";
        let text = format!("{}{ir}", runs.concat());
        compare(Dialect::Mir, &text);
        check(
            Dialect::Mir,
            &text,
            expect![[r#"
            7: Warning asm-constraint: AMDGPU has no constraint `Q`; on gfx900 (RUN line 1), gfx1030 (RUN line 2) and gfx1100 (RUN line 4)
            8: Error type-mismatch: expected `void`, the function's result type, found `i32`
        "#]],
        );
    }

    #[test]
    fn what_instructions_need_is_not_shared_with_other_processors() {
        let header: String =
            PROCESSORS.map(|cpu| format!("// RUN: llvm-mc -triple=amdgcn -mcpu={cpu} %s\n")).concat();
        for line in [
            "v_mov_b32 v0, v1",
            "v_add_f32_dpp v0, v1, v2 row_shl:1",
            "v_mov_b32_dpp v0, v1 row_share:1",
            "v_mov_b32_sdwa v0, v1 dst_sel:BYTE_0",
            "v_fma_f32 v0, v1, v2, 0x1234",
            "v_add_f16_e32 v0.l, v1.l, v2.h",
            "v_mfma_f32_32x32x1f32 a[0:31], v0, v1, a[0:31]",
            "v_pk_fma_f32 v[0:1], v[2:3], v[4:5], v[6:7]",
            "v_pk_fma_f32 v[1:2], v[2:3], v[4:5], v[6:7]",
            "v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v3, v4",
            "s_load_dword s0, s[2:3], 0x1fffff",
            "s_mov_b32 s104, s105",
            "s_waitcnt vmcnt(63)",
            "s_getreg_b32 s0, hwreg(HW_REG_SH_MEM_BASES)",
            "global_load_dword v0, v[2:3], off offset:-4096 slc",
            "flat_load_dword v0, v[1:2] offset:4095 glc",
            "buffer_load_dword v0, off, s[0:3], s4 offset:4095 dlc",
            "ds_read_b64 v[1:2], v0",
            "image_load v0, v1, s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_1D",
            "exp pos4 v0, v0, v0, v0",
        ] {
            compare(Dialect::Amdgpu, &format!("{header}{line}\n"));
        }
    }

    /// The tests of LLVM, where the folder of one is named.
    #[test]
    fn tests_of_llvm_find_the_same_under_shared_run_lines() {
        let Some(folder) = std::env::var_os("WAVELENS_LLVM_TESTS") else { return };
        let mut folders = vec![std::path::PathBuf::from(folder)];
        let mut compared = 0;
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).expect("a folder of tests").flatten() {
                let path = entry.path();
                let dialect = match path.extension().and_then(|e| e.to_str()) {
                    _ if path.is_dir() => {
                        folders.push(path);
                        continue;
                    }
                    Some("s") => Dialect::Amdgpu,
                    Some("mir") => Dialect::Mir,
                    _ => continue,
                };
                let Ok(text) = std::fs::read_to_string(&path) else { continue };
                compare(dialect, &text);
                compared += 1;
            }
        }
        println!("{compared} files");
    }

    #[test]
    fn a_finding_names_the_run_lines_that_it_holds_under() {
        check(
            Dialect::Amdgpu,
            "// RUN: llvm-mc -triple=amdgcn -mcpu=gfx900 %s\n\
             // RUN: llvm-mc -triple=amdgcn -mcpu=gfx1030 %s\n\
             // RUN: llvm-mc -triple=amdgcn -mcpu=gfx1030 -mattr=+wavefrontsize64 %s\n\
             v_add_u32 v0, v1, v2\nfoo_bar v1\nv_cmp_eq_u32 vcc_lo, v0, v1\n",
            expect![[r#"
                4: Error instruction-not-on-target: `v_add_u32` is not supported on gfx1030; use `v_add_nc_u32`; on gfx1030 (RUN line 2) and gfx1030 wave64 (RUN line 3)
                5: Error unknown-instruction: unknown instruction `foo_bar`
                6: Error invalid-operand: expected `vcc`, found `vcc_lo`, because waves of gfx900 have 64 lanes here; on gfx900 (RUN line 1) and gfx1030 wave64 (RUN line 3)
            "#]],
        );
    }

    #[test]
    fn errors_that_a_test_expects_are_information() {
        check(
            Dialect::Amdgpu,
            "// RUN: not llvm-mc -triple=amdgcn -mcpu=gfx900 %s 2>&1 | FileCheck --check-prefix=GFX9 %s\n\
             // RUN: not llvm-mc -triple=amdgcn -mcpu=gfx1030 %s 2>&1 | FileCheck --check-prefix=GFX10 %s\n\
             s_mov_b32 s0\n\
             // GFX9: :[[@LINE-1]]:1: error: too few operands\n\
             s_nop 0\n\
             // GFX10: :[[@LINE-1]]:1: error: too few operands\n",
            expect![[r#"
                3: Info operand-count: missing operand of `s_mov_b32`: expected a single scalar register or an immediate; the test expects an error on gfx900 (RUN line 1) and gfx1030 (RUN line 2)
                6: Warning expected-error: an error is expected on line 5, and none was found; on gfx1030 (RUN line 2)
            "#]],
        );
        check(
            Dialect::Amdgpu,
            "// RUN: not llvm-mc -triple=amdgcn -mcpu=gfx900 %s\ns_nop 0\n",
            expect![[r#"
                1: Warning expected-error: this RUN line expects an error, and none was found; on gfx900 (RUN line 1)
            "#]],
        );
    }

    #[test]
    fn an_error_under_a_run_line_that_expects_none_stays_one() {
        check(
            Dialect::Amdgpu,
            "// RUN: llvm-mc -triple=amdgcn -mcpu=gfx900 %s\n\
             // RUN: not llvm-mc -triple=amdgcn -mcpu=gfx1030 %s\ns_mov_b32 s0\n",
            expect![[r#"
                3: Error operand-count: missing operand of `s_mov_b32`: expected a single scalar register or an immediate
            "#]],
        );
    }

    #[test]
    fn removed_processors_are_reported_with_their_successor() {
        check(
            Dialect::Amdgpu,
            "// RUN: llvm-mc -triple=amdgcn -mcpu=gfx940 %s\ns_nop 0\nv_add_nc_u32 v0, v1, v2\n",
            expect![[r#"
                1: Warning unknown-processor: processor `gfx940` was removed in LLVM 20; use `gfx942`
                3: Error instruction-not-on-target: `v_add_nc_u32` is not supported on the generic processor, which LLVM assumes because it does not know gfx940
            "#]],
        );
    }

    #[test]
    fn without_a_processor_instructions_of_features_do_not_exist() {
        check(
            Dialect::Amdgpu,
            "// RUN: llvm-mc -triple=amdgcn %s\nbuffer_wbinvl1_sc\nv_mac_f32 v0, v1, v2\nds_write_b32 v0, v1 gds\n",
            expect![[r#"
                3: Error instruction-not-on-target: `v_mac_f32` is not supported on the generic processor; it is supported on gfx6, gfx7, gfx8 and 12 others
                4: Error invalid-modifier: the generic processor has no GDS
            "#]],
        );
    }

    #[test]
    fn a_module_of_spirv_that_spirv_as_rejects_has_no_errors_by_mistake() {
        check(
            Dialect::Spirv,
            "; RUN: not spirv-as --target-env spv1.0 %s\nOpCapability Addresses\nOpCapability Kernel\nOpCapability Linkage\nOpCapability Foo\nOpMemoryModel Physical64 OpenCL\n",
            expect![[r#"
                5: Info invalid-operand: unknown Capability `Foo`; the test expects an error on spirv-as (RUN line 1)
            "#]],
        );
    }

    #[test]
    fn a_module_that_no_program_accepts_has_no_errors_by_mistake() {
        check(
            Dialect::Llvm,
            "; RUN: not llvm-as < %s 2>&1 | FileCheck %s\n; CHECK: [[@LINE+1]]:25: error: use of undefined value\n\
             define i32 @f() { ret i32 %x }\n",
            expect![[r#"
                3: Info undefined-value: use of undefined value `%x`; the test expects an error on llvm-as (RUN line 1)
            "#]],
        );
    }
}
