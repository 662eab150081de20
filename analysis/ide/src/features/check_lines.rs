//! RUN and CHECK lines, the same in every dialect: their colours and their folds.

use std::collections::BTreeSet;
use std::ops::Range;

use smol_str::SmolStr;
use wavelens_base::lit::checks::{Check, FileCheck, checks};
use wavelens_base::lit::directives::{Directive, Keyword, directives};
use wavelens_base::lit::shell::parse;
use wavelens_base::{TextRange, TextSize};

use crate::answers::{Fold, FoldKind, TokenKind, TokenModifiers, TokenSpan};
use crate::db::View;

/// Larger files are dumps, not tests.
const SIZE: usize = 2 << 20;
/// CHECK lines in a row that are worth folding.
const FOLDED_LINES: usize = 3;

/// The RUN and CHECK lines of a file; none where no RUN line names a prefix.
#[derive(Default)]
struct TestLines {
    text: String,
    runs: Vec<Directive>,
    checks: Vec<Check>,
}

impl TestLines {
    fn of(view: View<'_>) -> TestLines {
        let size: usize = view.chunks().iter().map(|chunk| view.text(*chunk).len()).sum();
        if size > SIZE {
            return TestLines::default();
        }
        let text = view.whole_text();
        let mut runs = directives(&text);
        runs.retain(|directive| directive.keyword == Keyword::Run);
        let found = runs.iter().flat_map(|run| FileCheck::of(&parse(&run.text)));
        let prefixes: BTreeSet<SmolStr> = found.flat_map(|found| found.prefixes).collect();
        TestLines { checks: checks(&text, &prefixes), runs, text }
    }

    fn slice(&self, range: TextRange) -> &str {
        self.text.get(Range::<usize>::from(range)).unwrap_or("")
    }

    /// The range of the line around an offset, without its end.
    fn line(&self, offset: TextSize) -> TextRange {
        let (before, after) = self.text.split_at_checked(offset.into()).unwrap_or_default();
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let end = usize::from(offset) + after.find('\n').unwrap_or(after.len());
        TextRange::new(TextSize::new(start as u32), TextSize::new(end as u32))
    }
}

/// Gives the lines of tests in a range their colours: those of the dialect are for comments.
pub(super) fn add_tokens(view: View<'_>, range: TextRange, spans: &mut Vec<TokenSpan>) {
    let lines = TestLines::of(view);
    let mut own = Vec::new();
    for run in lines.runs.iter().filter(|run| run.range.intersect(range).is_some()) {
        run_line(&lines, run, &mut own);
    }
    for check in lines.checks.iter().filter(|check| check.word_range.intersect(range).is_some()) {
        check_line(&lines, check, &mut own);
    }
    if own.is_empty() {
        return;
    }
    own.retain(|span| !span.range.is_empty());
    own.sort_by_key(|span| span.range.start());
    // What a CHECK line expects may be a RUN line.
    let mut end = TextSize::new(0);
    own.retain(|span| {
        let is_free = span.range.start() >= end;
        end = end.max(span.range.end());
        is_free
    });
    let mut kept = Vec::with_capacity(spans.len() + own.len());
    for span in std::mem::take(spans) {
        // Of a comment the part before the line's word stays.
        let first = own.partition_point(|o| o.range.end() <= span.range.start());
        match own.get(first).filter(|o| o.range.start() < span.range.end()) {
            None => kept.push(span),
            Some(o) if span.range.start() < o.range.start() => {
                kept.push(TokenSpan { range: TextRange::new(span.range.start(), o.range.start()), ..span });
            }
            Some(_) => {}
        }
    }
    kept.extend(own);
    kept.sort_by_key(|span| span.range.start());
    *spans = kept;
}

fn span(range: TextRange, kind: TokenKind) -> TokenSpan {
    TokenSpan { range, kind, modifiers: TokenModifiers::NONE }
}

/// `RUN:`, the programs, and `%s`.
fn run_line(lines: &TestLines, run: &Directive, own: &mut Vec<TokenSpan>) {
    own.push(span(run.keyword_range, TokenKind::CheckPrefix));
    let mut marked = Vec::new();
    for command in parse(&run.text).commands() {
        let mut at_program = true;
        for word in &command.words {
            let is_prefix =
                matches!(word.text.as_str(), "not" | "--crash" | "env") || word.text.contains('=');
            let kind = match word.text.as_str() {
                "%s" | "%t" | "%S" | "%p" | "%T" => TokenKind::Parameter,
                _ if at_program && !is_prefix => TokenKind::Function,
                _ => continue,
            };
            at_program &= is_prefix;
            marked.push(span(run.place(word.range), kind));
        }
    }
    // The rest, line by line.
    let mut at = run.keyword_range.end();
    while at < run.range.end() {
        let line = lines.line(at);
        let end = line.end().min(run.range.end());
        fill(TextRange::new(at.min(end), end), &marked, own);
        at = line.end() + TextSize::new(1);
    }
}

/// The word, variables, regular expressions, and what is expected.
fn check_line(lines: &TestLines, check: &Check, own: &mut Vec<TokenSpan>) {
    own.push(span(check.word_range, TokenKind::CheckPrefix));
    let mut marked: Vec<TokenSpan> = Vec::new();
    for variable in &check.variables {
        let modifiers =
            if variable.is_definition { TokenModifiers::DEFINITION } else { TokenModifiers::NONE };
        marked.push(TokenSpan { range: variable.range, kind: TokenKind::Parameter, modifiers });
    }
    let pattern = lines.slice(check.pattern_range);
    let mut at = 0;
    while let Some(open) = pattern.get(at..).and_then(|rest| rest.find("{{")).map(|open| at + open) {
        let end =
            pattern.get(open..).and_then(|rest| rest.find("}}")).map_or(pattern.len(), |end| open + end + 2);
        let range = TextRange::new(TextSize::new(open as u32), TextSize::new(end as u32));
        marked.push(span(range + check.pattern_range.start(), TokenKind::Regex));
        at = end;
    }
    marked.sort_by_key(|span| span.range.start());
    fill(check.pattern_range, &marked, own);
}

/// A range with its marked parts; the rest is dimmed.
fn fill(range: TextRange, marked: &[TokenSpan], own: &mut Vec<TokenSpan>) {
    let mut at = range.start();
    for part in
        marked.iter().filter(|part| range.contains_range(part.range) && part.range.start() >= range.start())
    {
        if part.range.start() < at {
            continue;
        }
        own.push(span(TextRange::new(at, part.range.start()), TokenKind::CheckBody));
        own.push(*part);
        at = part.range.end();
    }
    own.push(span(TextRange::new(at, range.end()), TokenKind::CheckBody));
}

/// CHECK lines in a row, each run as one fold from the end of its first line.
pub(super) fn folds(view: View<'_>) -> Vec<Fold> {
    let lines = TestLines::of(view);
    let mut runs: Vec<(TextRange, usize)> = Vec::new();
    for check in &lines.checks {
        let line = lines.line(check.word_range.start());
        match runs.last_mut() {
            Some((run, count)) if run.end() + TextSize::new(1) == line.start() => {
                *run = run.cover(line);
                *count += 1;
            }
            _ => runs.push((line, 1)),
        }
    }
    let runs = runs.into_iter().filter(|(_, count)| *count >= FOLDED_LINES);
    runs.map(|(range, _)| Fold { range, kind: FoldKind::Checks }).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use wavelens_base::{Dialect, TextRange, TextSize};

    use crate::answers::{FoldKind, TokenKind};
    use crate::features;
    use crate::features::tests::at_cursor;

    const TEST: &str = "\
; RUN: not llc -mcpu=gfx900 < %s \\
; RUN:   | FileCheck --check-prefix=GFX %s

define void @f() {
; GFX-LABEL: f:
; GFX:       ; %bb.0:
; GFX-NEXT:    s_mov [[X:s[0-9]+]], {{.*}}
; CHECK: no prefix
  ret void
}
";

    #[test]
    fn a_line_that_is_expected_is_no_run_line() {
        let text = "; RUN: opt < %s | FileCheck %s\n; CHECK: the line RUN: opt %s\n";
        at_cursor(Dialect::Llvm, text, |view, _| {
            let spans = features::tokens(view, TextRange::up_to(TextSize::of(text)));
            assert!(spans.windows(2).all(|two| two[0].range.end() <= two[1].range.start()), "{spans:?}");
        });
    }

    #[test]
    fn lines_of_tests_have_colours() {
        let shown = at_cursor(Dialect::Llvm, TEST, |view, _| {
            let spans = features::tokens(view, TextRange::up_to(TextSize::of(TEST)));
            let text = |range: TextRange| &TEST[usize::from(range.start())..usize::from(range.end())];
            let own = spans.iter().filter(|s| {
                let line = TEST[..usize::from(s.range.start())].rfind('\n').map_or(0, |end| end + 1);
                TEST[line..].starts_with(';')
            });
            own.map(|s| format!("{:?} `{}`\n", s.kind, text(s.range))).collect::<String>()
        });
        expect![[r#"
            Comment `; `
            CheckPrefix `RUN:`
            CheckBody ` not `
            Function `llc`
            CheckBody ` -mcpu=gfx900 < %s \`
            CheckBody `; RUN:   | `
            Function `FileCheck`
            CheckBody ` --check-prefix=GFX `
            Parameter `%s`
            Comment `; `
            CheckPrefix `GFX-LABEL:`
            CheckBody ` f:`
            Comment `; `
            CheckPrefix `GFX:`
            CheckBody `       ; %bb.0:`
            Comment `; `
            CheckPrefix `GFX-NEXT:`
            CheckBody `    s_mov [[`
            Parameter `X`
            CheckBody `:s[0-9]+]], `
            Regex `{{.*}}`
            Comment `; CHECK: no prefix`
        "#]]
        .assert_eq(&shown);
    }

    #[test]
    fn check_lines_are_one_fold() {
        at_cursor(Dialect::Llvm, TEST, |view, _| {
            let folds: Vec<_> =
                features::folds(view).into_iter().filter(|f| f.kind == FoldKind::Checks).collect();
            assert_eq!(folds.len(), 1);
            let text = &TEST[usize::from(folds[0].range.start())..usize::from(folds[0].range.end())];
            assert!(text.starts_with("; GFX-LABEL") && text.ends_with("{{.*}}"), "{text}");
        });
    }

    #[test]
    fn what_no_run_line_names_is_a_comment() {
        let text = "; RUN: llc < %s\n; CHECK: a\n; CHECK: b\n; CHECK: c\n";
        at_cursor(Dialect::Llvm, text, |view, _| {
            let spans = features::tokens(view, TextRange::up_to(TextSize::of(text)));
            assert!(
                spans
                    .iter()
                    .filter(|s| s.range.start() > TextSize::new(17))
                    .all(|s| s.kind == TokenKind::Comment)
            );
            assert!(features::folds(view).iter().all(|f| f.kind != FoldKind::Checks));
        });
    }
}
