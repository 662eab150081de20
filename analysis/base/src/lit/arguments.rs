//! The options, passes and features that RUN lines name.

use wavelens_syntax::{closest, is_one_slip, wording};

use super::directives::{Directive, Keyword};
use super::known::{List, has_option, options};
use super::shell::{Command, Word, parse};
use crate::{Finding, Fix, Severity, TextEdit, TextRange, TextSize};

wavelens_syntax::rules! {
    UNKNOWN_OPTION {
        code: "unknown-option",
        severity: Severity::Warning,
        title: "options of RUN lines exist",
        explain: "The programs of LLVM stop at an option that they do not know, so the test fails. Only options that resemble one of LLVM 22 are \
            reported: others may come from a plugin, a newer LLVM or a fork. Switch it off for tests of another LLVM.",
        example: "; RUN: llc -mtriple=amdgcn -mcup=gfx900 %s\n",
        fixed: "; RUN: llc -mtriple=amdgcn -mcpu=gfx900 %s\n",
        source: "LLVM, `CommandLineParser`: \"Unknown command line argument\"",
    }
    UNKNOWN_PASS {
        code: "unknown-pass",
        severity: Severity::Warning,
        title: "passes that RUN lines name exist",
        explain: "`llc` and `opt` stop at the name of a pass that is not registered. Only names that resemble a pass of LLVM 22 are reported. Switch \
            it off for tests of another LLVM.",
        example: "; RUN: llc -mtriple=amdgcn -stop-after=amdgpu-isle %s\n",
        fixed: "; RUN: llc -mtriple=amdgcn -stop-after=amdgpu-isel %s\n",
        source: "LLVM, `TargetPassConfig`: \"pass is not registered\"",
    }
    UNKNOWN_FEATURE {
        code: "unknown-feature",
        severity: Severity::Warning,
        title: "AMDGPU features that RUN lines name exist",
        explain: "LLVM prints a warning for a feature in `-mattr` that it does not know, and ignores it. Only names that resemble a feature of LLVM \
            22 are reported. Switch it off for tests of another LLVM.",
        example: "; RUN: llc -mtriple=amdgcn -mcpu=gfx1100 -mattr=+wavefrontsie64 %s\n",
        fixed: "; RUN: llc -mtriple=amdgcn -mcpu=gfx1100 -mattr=+wavefrontsize64 %s\n",
        source: "LLVM, `SubtargetFeatures`: \"is not a recognized feature for this target\"",
    }
}

/// What is wrong with the options of RUN lines.
pub fn check(directives: &[Directive]) -> Vec<Finding> {
    let mut found = Vec::new();
    for run in directives.iter().filter(|directive| directive.keyword == Keyword::Run) {
        for command in parse(&run.text).commands() {
            if let Some((program, arguments)) = program(command) {
                check_command(run, program, arguments, &mut found);
            }
        }
    }
    found
}

/// The program that a command runs, without folders, and its arguments.
fn program(command: &Command) -> Option<(&str, &[Word])> {
    let is_wrapper =
        |word: &&Word| matches!(word.text.as_str(), "not" | "--crash" | "env") || word.text.contains('=');
    let at = command.words.iter().take_while(is_wrapper).count();
    let (program, arguments) = command.words.get(at..)?.split_first()?;
    Some((program.text.rsplit('/').next().unwrap_or(&program.text).trim_start_matches('%'), arguments))
}

/// An option as it is written.
struct Written<'w> {
    /// Without dashes.
    name: &'w str,
    /// What follows `=`, or the next word.
    value: Option<&'w str>,
    /// Of the name and of the value, in the command line, if quotes are only around the word.
    name_at: TextSize,
    value_at: TextSize,
}

impl<'w> Written<'w> {
    fn of(word: &'w Word, next: Option<&'w Word>) -> Option<Written<'w>> {
        let option = word.text.strip_prefix("--").or_else(|| word.text.strip_prefix('-'))?;
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let dashes = TextSize::of(word.text.as_str()) - TextSize::of(option);
        let quote = TextSize::new(u32::from(word.range.len() > TextSize::of(word.text.as_str())));
        let name_at = word.range.start() + quote + dashes;
        let (name, value, value_at) = match option.split_once('=') {
            Some((name, value)) => (name, Some(value), name_at + TextSize::of(name) + TextSize::of('=')),
            None => (option, next.map(|n| n.text.as_str()), next.map_or(name_at, |n| n.range.start())),
        };
        (name.len() > 2 && name.chars().all(is_part)).then_some(Written { name, value, name_at, value_at })
    }
}

fn check_command(run: &Directive, program: &str, arguments: &[Word], found: &mut Vec<Finding>) {
    let Some(known) = options(program) else { return };
    let is_amdgpu = arguments.iter().any(|word| word.text.contains("amdgcn") || word.text.contains("amdgpu"));
    for (index, word) in arguments.iter().enumerate() {
        let Some(written) = Written::of(word, arguments.get(index + 1)) else { continue };
        if is_known(program, written.name) {
            let list = List::of(program, written.name).filter(|list| *list != List::Features || is_amdgpu);
            if let (Some(list), Some(value)) = (list, written.value) {
                check_list(run, list, value, written.value_at, found);
            }
        } else if let Some(near) = closest(written.name, known.clone()) {
            // An option that was cut off is meant more likely than another that is as near.
            let mut begun = known.clone().filter(|option| option.starts_with(written.name));
            let near = begun.next().filter(|_| begun.next().is_none()).unwrap_or(near);
            let message = format!("unknown option `-{}` of {program}; did you mean `-{near}`?", written.name);
            let range = run.place(TextRange::at(written.name_at, TextSize::of(written.name)));
            found.push(finding(&UNKNOWN_OPTION, range, message, near));
        }
    }
}

/// Whether a program has an option, also one whose value follows without `=`.
fn is_known(program: &str, name: &str) -> bool {
    let joined = match program {
        "FileCheck" => name.starts_with('D'),
        _ => name.starts_with(['O', 'I', 'D', 'l', 'L']) && !name.starts_with("lo"),
    };
    joined || has_option(program, name)
}

fn check_list(run: &Directive, list: List, value: &str, at: TextSize, found: &mut Vec<Finding>) {
    for (start, word) in words(value) {
        let (start, name) = match (list, word.strip_prefix(['+', '-'])) {
            (List::Features, Some(name)) => (start + 1, name),
            (List::Features, None) => continue,
            _ => (start, word),
        };
        if name.len() < 4 || name.contains('%') || list.has(name) {
            continue;
        }
        // LLVM had other passes and features, whose names are near those of today; LLVM 23 writes `prolog-epilog` for `prologepilog`.
        let letters = |name: &str| name.replace('-', "");
        let is_meant = |near: &&str| is_one_slip(name, near) && letters(name) != letters(near);
        let Some(near) = closest(name, list.names()).filter(is_meant) else { continue };
        let rule = if list == List::Features { &UNKNOWN_FEATURE } else { &UNKNOWN_PASS };
        let message = wording::unknown(list.item(), name, list.names());
        let start = at + TextSize::new(u32::try_from(start).unwrap_or(0));
        found.push(finding(rule, run.place(TextRange::at(start, TextSize::of(name))), message, near));
    }
}

/// What is wrong with `+name` or `-name` of `-mattr=` for AMDGPU, as one line.
pub fn unknown_feature(feature: &str) -> Option<String> {
    let Some(name) = feature.strip_prefix(['+', '-']) else {
        return Some(format!("expected `+` or `-` before the AMDGPU feature `{feature}`"));
    };
    let (list, name) = (List::Features, name.to_ascii_lowercase());
    (!list.has(&name)).then(|| match closest(&name, list.names()) {
        Some(near) => format!("unknown AMDGPU feature `{name}`; did you mean `{near}`?"),
        None => format!("unknown AMDGPU feature `{name}`; `llc -mtriple=amdgcn -mattr=help` lists all"),
    })
}

/// The names in a list of passes or features, with their places; parameters in `<>` left out.
fn words(value: &str) -> Vec<(usize, &str)> {
    let (mut words, mut start, mut depth) = (Vec::new(), 0, 0u32);
    for (at, c) in value.char_indices().chain([(value.len(), ',')]) {
        if depth == 0 && matches!(c, ',' | '(' | ')' | '<') {
            words.extend(value.get(start..at).filter(|word| !word.is_empty()).map(|word| (start, word)));
        }
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && matches!(c, ',' | '(' | ')' | '>') {
            start = at + 1;
        }
    }
    words
}

/// A finding whose range is replaced by the name that is meant.
fn finding(rule: &'static crate::Rule, range: TextRange, message: String, near: &str) -> Finding {
    let edits = vec![TextEdit { range, text: near.to_owned() }];
    let fix = Fix { title: format!("Replace with `{near}`"), certain: false, edits };
    Finding { fix: Some(fix), ..Finding::new(rule, range, message) }
}

/// What can be written at the end of a RUN line that is typed: how much of the last word it replaces, and the names.
pub fn candidates(run: &str) -> Option<(usize, Vec<String>)> {
    let script = parse(run);
    let command = script.commands().last()?;
    let (program, arguments) = program(command)?;
    let typed = run.rsplit([' ', '\t']).next()?;
    let option = typed.trim_start_matches('-');
    if let Some((name, value)) = option.split_once('=') {
        let list = List::of(program, name)?;
        let last = value.rsplit([',', '(', ')']).next()?;
        let sign = last.strip_prefix(['+', '-']).map_or("", |name| last.strip_suffix(name).unwrap_or(""));
        let sign = if sign.is_empty() && list == List::Features { "+" } else { sign };
        return Some((last.len(), list.names().map(|name| format!("{sign}{name}")).collect()));
    }
    if !typed.starts_with('-') {
        let (name, _) =
            arguments.iter().rev().nth(1).map(|word| word.text.trim_start_matches('-')).zip(Some(()))?;
        let list = List::of(program, name).filter(|list| *list == List::MachinePasses)?;
        return Some((typed.len(), list.names().map(str::to_owned).collect()));
    }
    let dashes = typed.get(..typed.len() - option.len())?;
    Some((typed.len(), options(program)?.map(|name| format!("{dashes}{name}")).collect()))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::lit::directives::directives;

    fn messages(text: &str, expected: Expect) {
        let shown = |f: Finding| {
            let range = std::ops::Range::<usize>::from(f.range);
            format!("{} `{}`: {}\n", f.rule.code, &text[range], f.message)
        };
        expected.assert_eq(&check(&directives(text)).into_iter().map(shown).collect::<String>());
    }

    #[test]
    fn options_that_resemble_one_are_reported() {
        messages(
            "; RUN: llc -mtriple=amdgcn --mcup=gfx900 -global-isle=1 %s | FileCheck --chek-prefixes=A -DX=1 %s\n\
             # RUN: not --crash llc -verify-machineinstr -O2 -foo-bar-plugin -o - %s\n\
             ; RUN: rm -mcup %t && opt -S '-passess=dce' < %s\n",
            expect![[r#"
                unknown-option `mcup`: unknown option `-mcup` of llc; did you mean `-mcpu`?
                unknown-option `global-isle`: unknown option `-global-isle` of llc; did you mean `-global-isel`?
                unknown-option `chek-prefixes`: unknown option `-chek-prefixes` of FileCheck; did you mean `-check-prefixes`?
                unknown-option `verify-machineinstr`: unknown option `-verify-machineinstr` of llc; did you mean `-verify-machineinstrs`?
                unknown-option `passess`: unknown option `-passess` of opt; did you mean `-passes`?
            "#]],
        );
    }

    #[test]
    fn passes_that_resemble_one_are_reported() {
        messages(
            "# RUN: llc -run-pass=si-fold-operand,none -o - %s\n\
             # RUN: llc -stop-after si-fold-operands,1 -start-before=greddy %s\n\
             ; RUN: opt -passes='module(function(instcombne<no-verify-fixpoint>,dce,simplifycfg<hoist-commn-insts>),globaldce),print<x>' %s\n\
             ; RUN: opt -passes='default<O2>,my-plugin' %s\n",
            expect![[r#"
                unknown-pass `si-fold-operand`: unknown pass `si-fold-operand`; did you mean `si-fold-operands`?
                unknown-pass `greddy`: unknown pass `greddy`; did you mean `greedy`?
                unknown-pass `instcombne`: unknown pass `instcombne`; did you mean `instcombine`?
            "#]],
        );
    }

    #[test]
    fn features_of_amdgpu_that_resemble_one_are_reported() {
        messages(
            "; RUN: llc -mtriple=amdgcn -mattr=+wavefrontsie64,-wavefrontsize32,+WavefrontSize64 %s\n\
             ; RUN: llc -mtriple=riscv32 -mattr=+xnak %s\n",
            expect![[r#"
                unknown-feature `wavefrontsie64`: unknown AMDGPU feature `wavefrontsie64`; did you mean `wavefrontsize64`?
            "#]],
        );
    }

    #[test]
    fn candidates_depend_on_the_program_and_the_option() {
        let of = |run: &str, name: &str| {
            let (replaced, names) = candidates(run).unwrap_or_default();
            (replaced, names.iter().any(|n| n == name))
        };
        assert_eq!(of("llc -mtriple=amdgcn -mc", "-mcpu"), (3, true));
        assert_eq!(of("llc %s | FileCheck --check", "--check-prefixes"), (7, true));
        assert_eq!(of("not llc -run-pass=none,gre", "greedy"), (3, true));
        assert_eq!(of("llc -stop-after gre", "greedy"), (3, true));
        assert_eq!(of("opt -passes='function(inst", "instcombine"), (4, true));
        assert_eq!(of("llc -mtriple=amdgcn -mattr=-wave", "-wavefrontsize64"), (5, true));
        assert_eq!(of("rm -r", "-mcpu"), (0, false));
    }

    #[test]
    fn features_are_judged_by_their_names() {
        for (feature, message) in [
            ("+xnack", ""),
            ("-XNACK", ""),
            ("xnack", "expected `+` or `-` before the AMDGPU feature `xnack`"),
            ("+xnak", "unknown AMDGPU feature `xnak`; did you mean `xnack`?"),
            ("-qqqqqqqq", "unknown AMDGPU feature `qqqqqqqq`; `llc -mtriple=amdgcn -mattr=help` lists all"),
        ] {
            assert_eq!(unknown_feature(feature).unwrap_or_default(), message);
        }
    }

    #[test]
    fn lists_are_divided() {
        for (list, expected) in [
            ("a,bc", &[(0, "a"), (2, "bc")][..]),
            ("f(a<x,y>,b),c", &[(0, "f"), (2, "a"), (9, "b"), (12, "c")]),
            ("a<b<c>,d>,e", &[(0, "a"), (10, "e")]),
            (",,a)", &[(2, "a")]),
            ("a>b", &[(2, "b")]),
        ] {
            assert_eq!(words(list), expected, "{list}");
        }
    }
}
