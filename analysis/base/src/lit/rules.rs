//! Rules for the lines that lit and FileCheck read.

use std::collections::{BTreeMap, BTreeSet};

use memchr::memchr;
use smol_str::SmolStr;
use wavelens_syntax::{closest, wording};

use super::checks::{Check, FileCheck, Kind, checks};
use super::directives::{Directive, Keyword};
use super::shell::parse;
use crate::{Finding, Severity, TextRange, TextSize};

wavelens_syntax::rules! {
    UNUSED_PREFIX {
        code: "unused-check-prefix",
        severity: Severity::Warning,
        title: "every CHECK line has a prefix that a RUN line names",
        explain: "FileCheck ignores lines whose prefix no RUN line names, so what such a line says is not tested. Switch it off for tests that \
            keep lines for later.",
        example: "; RUN: llc -mtriple=amdgcn %s | FileCheck --check-prefix=GFX9 %s\n; GFX9-LABEL: f:\n; GFX8-NEXT: s_endpgm\n",
        fixed: "; RUN: llc -mtriple=amdgcn %s | FileCheck --check-prefix=GFX9 %s\n; GFX9-LABEL: f:\n; GFX9-NEXT: s_endpgm\n",
        source: "LLVM, FileCheck: `--check-prefix`",
    }
    MISSING_PREFIX {
        code: "missing-check-prefix",
        severity: Severity::Warning,
        title: "every prefix that a RUN line names has a CHECK line",
        explain: "FileCheck fails if one of its prefixes has no CHECK line, unless `--allow-unused-prefixes` is given. Switch it off where the test \
            suite sets that option.",
        example: "; RUN: llc -mtriple=amdgcn %s | FileCheck --check-prefixes=GCN,GFX9 %s\n; GCN: s_endpgm\n",
        fixed: "; RUN: llc -mtriple=amdgcn %s | FileCheck --check-prefixes=GCN %s\n; GCN: s_endpgm\n",
        source: "LLVM, FileCheck: `--allow-unused-prefixes`",
    }
    INVALID_PREFIX {
        code: "invalid-check-prefix",
        severity: Severity::Warning,
        title: "prefixes are valid and named once",
        explain: "FileCheck fails if a prefix has other characters than letters, digits, `-` and `_`, or is named \
            twice, also once for CHECK lines and once for comments.",
        example: "; RUN: llc -mtriple=amdgcn %s | FileCheck --check-prefixes=GCN,GCN %s\n; GCN: s_endpgm\n",
        fixed: "; RUN: llc -mtriple=amdgcn %s | FileCheck --check-prefixes=GCN %s\n; GCN: s_endpgm\n",
        source: "LLVM, FileCheck: `ValidateCheckPrefixes`",
    }
    UNDEFINED_VARIABLE {
        code: "undefined-check-variable",
        severity: Severity::Warning,
        title: "variables of CHECK lines are defined before they are used",
        explain: "A CHECK line that uses a variable that no line before it defines never matches. `[[NAME:pattern]]` defines one, \
            `-DNAME=value` on the command line too.",
        example: "; RUN: llc -mtriple=amdgcn %s | FileCheck %s\n; CHECK: v_mov_b32 [[REG]], 0\n",
        fixed: "; RUN: llc -mtriple=amdgcn %s | FileCheck %s\n; CHECK: v_mov_b32 [[REG:v[0-9]+]], 0\n",
        source: "LLVM, FileCheck: \"undefined variable\"",
    }
    UNCLOSED_VARIABLE {
        code: "unclosed-check-variable",
        severity: Severity::Warning,
        title: "`[[` of a CHECK line has a `]]`",
        explain: "FileCheck fails on a `[[` without `]]` in the same line. Write `{{\\[\\[}}`, or `CHECK{LITERAL}:`, to find two brackets in the \
            output.",
        example: "; RUN: llc -mtriple=amdgcn %s | FileCheck %s\n; CHECK: v_mov_b32 [[REG:v[0-9]+, 0\n",
        fixed: "; RUN: llc -mtriple=amdgcn %s | FileCheck %s\n; CHECK: v_mov_b32 [[REG:v[0-9]+]], 0\n",
        source: "LLVM, FileCheck: \"Invalid substitution block, no ]] found\"",
    }
}

/// What is wrong with the prefixes and the variables of a test with some directives.
pub fn check(text: &str, directives: &[Directive]) -> Vec<Finding> {
    let mut found = Vec::new();
    let runs: Vec<&Directive> = directives.iter().filter(|d| d.keyword == Keyword::Run).collect();
    let uses: Vec<(&Directive, FileCheck)> = runs
        .iter()
        .flat_map(|run| FileCheck::of(&parse(&run.text)).into_iter().map(move |f| (*run, f)))
        .collect();
    if uses.is_empty() || !text.contains("FileCheck") {
        return found;
    }
    // What a substitution or another file says is not known.
    let has_unknown = runs.iter().any(|run| has_unknown(&run.text)) || uses.iter().any(|(_, f)| f.is_open);
    let own = || uses.iter().filter(|(_, f)| f.reads_test);
    let prefixes: BTreeSet<SmolStr> = own().flat_map(|(_, f)| f.prefixes.iter().cloned()).collect();
    let lines = checks(text, &prefixes);
    let mut by_prefix: BTreeMap<&str, Vec<&Check>> = BTreeMap::new();
    for line in &lines {
        by_prefix.entry(&line.prefix).or_default().push(line);
    }
    for (run, file_check) in own() {
        invalid_prefixes(run, file_check, &mut found);
        missing_prefixes(run, file_check, &by_prefix, &prefixes, &mut found);
    }
    if !has_unknown && own().count() == uses.len() {
        let comments = uses.iter().flat_map(|(_, f)| f.comment_prefixes.iter().cloned()).collect();
        unused_prefixes(text, &prefixes, &comments, &mut found);
    }
    for range in lines.iter().filter_map(|line| line.unclosed) {
        found.push(Finding::new(&UNCLOSED_VARIABLE, range, "missing `]]` after this `[[` in the line"));
    }
    if !has_unknown {
        undefined_variables(own().map(|(_, f)| f), &by_prefix, &mut found);
    }
    found
}

/// Whether substitutions of a RUN line are defined somewhere else.
fn has_unknown(run: &str) -> bool {
    run.contains("%{") || run.contains("%if ")
}

/// Where a word of a RUN line is.
pub(super) fn place(run: &Directive, word: &str) -> TextRange {
    let is_word = |at: usize| {
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let (before, after) = (run.text.get(..at), run.text.get(at + word.len()..));
        !before.is_some_and(|b| b.ends_with(is_part)) && !after.is_some_and(|a| a.starts_with(is_part))
    };
    let at = run.text.match_indices(word).map(|(at, _)| at).find(|at| is_word(*at));
    let range = |at: usize| TextRange::at(TextSize::new(u32::try_from(at).unwrap_or(0)), TextSize::of(word));
    at.map_or(run.range, |at| run.place(range(at)))
}

fn invalid_prefixes(run: &Directive, file_check: &FileCheck, found: &mut Vec<Finding>) {
    let mut seen = BTreeSet::new();
    for prefix in file_check.prefixes.iter().chain(&file_check.comment_prefixes) {
        let is_valid = prefix.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
        let message = if !is_valid && !prefix.contains('%') {
            format!("invalid prefix `{prefix}`: it must have only letters, digits, `-` and `_`")
        } else if !seen.insert(prefix) {
            format!("the prefix `{prefix}` is named twice")
        } else {
            continue;
        };
        found.push(Finding::new(&INVALID_PREFIX, place(run, prefix), message));
    }
}

fn missing_prefixes(
    run: &Directive,
    file_check: &FileCheck,
    lines: &BTreeMap<&str, Vec<&Check>>,
    prefixes: &BTreeSet<SmolStr>,
    found: &mut Vec<Finding>,
) {
    let is_there = |prefix: &SmolStr| lines.contains_key(prefix.as_str());
    let is_known = file_check.prefixes.iter().all(|prefix| !prefix.contains('%') && !prefix.is_empty());
    if file_check.allows_unused || file_check.is_open || !is_known {
        return;
    }
    for prefix in file_check.prefixes.iter().filter(|prefix| !is_there(prefix)) {
        let others = compared(prefixes).filter(|other| *other != prefix.as_str());
        let near = closest(prefix, others).map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        let message = format!("FileCheck looks for the prefix `{prefix}`, but no line has it{near}");
        found.push(Finding::new(&MISSING_PREFIX, place(run, prefix), message));
    }
}

/// Names that a misspelled one is compared with: none of very many.
fn compared<N: AsRef<str>>(names: &BTreeSet<N>) -> impl Iterator<Item = &str> {
    names.iter().take_while(|_| names.len() <= 500).map(AsRef::as_ref)
}

/// Lines that look like CHECK lines and have another prefix.
fn unused_prefixes(
    text: &str,
    prefixes: &BTreeSet<SmolStr>,
    comments: &BTreeSet<SmolStr>,
    found: &mut Vec<Finding>,
) {
    let mut start = 0usize;
    let mut reported = BTreeMap::<&str, ()>::new();
    for line in text.split_inclusive('\n') {
        let line_start = start;
        start += line.len();
        if !matches!(line.trim_ascii_start().as_bytes(), [b';' | b'#' | b'/', ..]) {
            continue;
        }
        let content = line.trim_start().trim_start_matches([';', '#', '/']).trim_start();
        let Some(word) = memchr(b':', content.as_bytes()).and_then(|colon| content.get(..colon)) else {
            continue;
        };
        let suffix = Kind::ALL.iter().filter(|(kind, ..)| *kind != Kind::Plain).find_map(
            |(kind, suffix, _)| match kind {
                Kind::Count => {
                    word.rsplit_once(suffix).filter(|(_, n)| n.parse::<u32>().is_ok()).map(|(p, _)| p)
                }
                _ => word.strip_suffix(suffix),
            },
        );
        let is_name = |p: &str| {
            p.starts_with(|c: char| c.is_ascii_uppercase())
                && p.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || matches!(c, '-' | '_'))
        };
        let prefix = suffix.unwrap_or(word);
        let is_known = prefixes.contains(prefix) || prefixes.contains(word) || comments.contains(prefix);
        if is_known || !is_name(prefix) {
            continue;
        }
        // Without a suffix a word is only one if it is nearly a prefix.
        let known = || compared(prefixes);
        let near = |p: &str| closest(p, known()).filter(|near| near.len() > 3);
        if suffix.is_none() && (word.len() <= 3 || near(word).is_none()) {
            continue;
        }
        if matches!(prefix, "COM" | "RUN") || reported.insert(prefix, ()).is_some() {
            continue;
        }
        let place =
            line_start + (line.len() - line.trim_start().len()) + (line.trim_start().len() - content.len());
        let range = TextRange::at(TextSize::new(u32::try_from(place).unwrap_or(0)), TextSize::of(prefix));
        let near = near(prefix).map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        let message = format!("no RUN line checks the prefix `{prefix}`{near}");
        found.push(Finding::new(&UNUSED_PREFIX, range, message));
    }
}

/// Uses of variables that no line before them defines, for any FileCheck that reads them.
fn undefined_variables<'f>(
    file_checks: impl Iterator<Item = &'f FileCheck>,
    lines: &BTreeMap<&str, Vec<&Check>>,
    found: &mut Vec<Finding>,
) {
    let (mut reported, mut known) = (BTreeSet::new(), BTreeSet::new());
    for file_check in file_checks {
        let mut defined: BTreeSet<&str> = file_check.defines.iter().map(SmolStr::as_str).collect();
        let read: BTreeSet<&str> = file_check.prefixes.iter().map(SmolStr::as_str).collect();
        // Most runs of a file read the same lines.
        if !known.insert((read.clone(), defined.clone())) {
            continue;
        }
        let mut own: Vec<&Check> =
            read.iter().filter_map(|prefix| lines.get(prefix)).flatten().copied().collect();
        own.sort_by_key(|line| line.word_range.start());
        for line in own {
            for variable in &line.variables {
                if variable.is_definition {
                    defined.insert(&variable.name);
                } else if !defined.contains(variable.name.as_str()) && reported.insert(variable.range.start())
                {
                    let message = wording::undefined("variable", &variable.name, compared(&defined));
                    found.push(Finding::new(&UNDEFINED_VARIABLE, variable.range, message));
                }
            }
        }
    }
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
        expected.assert_eq(&check(text, &directives(text)).into_iter().map(shown).collect::<String>());
    }

    #[test]
    fn prefixes_are_named_and_used() {
        messages(
            "; RUN: llc %s | FileCheck --check-prefixes=GCN,GFX9,GCN,A.B %s\n; RUN: llc %s | FileCheck -check-prefix=GFX10 -allow-unused-prefixes %s\n\
             ; GCN-LABEL: f:\n; GFX8-NEXT: a\n; GFX8-NEXT: b\n; GFX90: c\n; NOTE: d\n; GCNX: e\n; lower-NEXT: f\n; GFX-COUNT-2: g\n; GFX-COUNT-x: h\n",
            expect![[r#"
                invalid-check-prefix `GCN`: the prefix `GCN` is named twice
                invalid-check-prefix `A.B`: invalid prefix `A.B`: it must have only letters, digits, `-` and `_`
                missing-check-prefix `GFX9`: FileCheck looks for the prefix `GFX9`, but no line has it
                missing-check-prefix `A.B`: FileCheck looks for the prefix `A.B`, but no line has it
                unused-check-prefix `GFX8`: no RUN line checks the prefix `GFX8`; did you mean `GFX9`?
                unused-check-prefix `GFX`: no RUN line checks the prefix `GFX`; did you mean `GFX9`?
            "#]],
        );
    }

    #[test]
    fn variables_are_defined_before_they_are_used() {
        messages(
            "; RUN: llc %s | FileCheck --check-prefixes=A,B -DX=1 %s\n; RUN: llc %s | FileCheck --check-prefix=B %s\n\
             ; A: [[Y]] [[Y:y]] [[X]]\n; B: [[X]] [[Y]] [[Z\n; B: [[Y]]\n",
            expect![[r#"
                unclosed-check-variable `[[`: missing `]]` after this `[[` in the line
                undefined-check-variable `Y`: use of undefined variable `Y`
                undefined-check-variable `X`: use of undefined variable `X`
                undefined-check-variable `Y`: use of undefined variable `Y`
                undefined-check-variable `Y`: use of undefined variable `Y`
            "#]],
        );
    }

    #[test]
    fn what_a_substitution_says_is_not_known() {
        for run in
            ["llc %s | FileCheck %{options} %s", "llc %if a %{ -x %} %s | FileCheck %s", "%FileCheckRaw %s"]
        {
            messages(&format!("; RUN: {run}\n; CHECK: [[A]]\n; OTHER-NEXT: x\n"), expect![[""]]);
        }
        messages("; RUN: llc %s | FileCheck other.txt\n; CHECK: [[A]]\n; OTHER-NEXT: x\n", expect![[""]]);
        messages("; RUN: llc %s\n; CHECK: [[A]]\n; OTHER-NEXT: x\n", expect![[""]]);
    }
}
