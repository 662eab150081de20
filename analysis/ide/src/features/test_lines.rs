//! Lines that lit and FileCheck read: navigation, hover and completion, the same in every dialect.

use wavelens_base::lit::arguments::candidates;
use wavelens_base::lit::checks::Kind;
use wavelens_base::lit::directives::{Keyword, directives};
use wavelens_base::lit::names::{Lines, Mention, Name};
use wavelens_base::{TextRange, TextSize};
use wavelens_isa::Target as Processor;

use super::Target;
use crate::answers::{Completion, CompletionKind, Hover, Role};
use crate::db::View;

/// Whether an offset is in a comment that lit or FileCheck may read, which the line alone tells.
fn is_test_line(view: View<'_>, offset: TextSize) -> bool {
    line_before(view, offset).is_some_and(|(line, _)| line.contains(':'))
}

/// Whether a hover may know something about an offset: the line of a directive, or the first word of any other. What a
/// CHECK line expects is not worth reading the whole file for.
fn is_explained(view: View<'_>, offset: TextSize) -> bool {
    line_before(view, offset).is_some_and(|(line, at)| match line.find(':') {
        Some(colon) => at <= colon || Keyword::ALL.iter().any(|(_, word, _)| line.contains(word)),
        None => false,
    })
}

/// The comment line around an offset, and how much of it precedes the offset.
fn line_before(view: View<'_>, offset: TextSize) -> Option<(String, usize)> {
    let (_, chunk, at) = view.chunk_at(offset)?;
    let text = view.text(chunk);
    let at = usize::from(at);
    let start = text.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
    let line = text.get(start..)?.lines().next()?;
    line.trim_start().starts_with([';', '#', '/']).then(|| (line.to_owned(), at - start))
}

/// The names like the one at an offset, with that one.
fn mentions(view: View<'_>, offset: TextSize) -> Option<(Mention, Vec<Mention>)> {
    if !is_test_line(view, offset) {
        return None;
    }
    let mut all = Lines::of(&view.whole_text()).mentions();
    let here = all.iter().find(|m| m.range.contains_inclusive(offset))?.clone();
    all.retain(|m| m.name == here.name);
    Some((here, all))
}

/// Where a prefix is named in RUN lines; the definition of a variable that precedes its use.
pub(super) fn definition(view: View<'_>, offset: TextSize) -> Vec<Target> {
    let Some((here, all)) = mentions(view, offset) else { return Vec::new() };
    let mut found: Vec<&Mention> = all.iter().filter(|m| m.is_definition).collect();
    if let Name::Variable(_) = here.name {
        let before = found.iter().rposition(|m| m.range.start() <= here.range.start());
        found = before.and_then(|at| found.get(at).copied()).into_iter().collect();
    }
    found.into_iter().map(|m| Target { origin: here.range, range: m.range, file: None }).collect()
}

/// Every place of the name at an offset, with what it does there.
pub(super) fn places(view: View<'_>, offset: TextSize) -> Vec<(TextRange, Role)> {
    let Some((_, all)) = mentions(view, offset) else { return Vec::new() };
    let role = |m: &Mention| if m.is_definition { Role::Definition } else { Role::Reference };
    let mut places: Vec<_> = all.iter().map(|m| (m.range, role(m))).collect();
    places.sort_by_key(|(range, _)| range.start());
    places
}

/// Substitutions of RUN lines.
const SUBSTITUTIONS: &[(&str, &str)] = &[
    ("%s", "The path of this test."),
    ("%t", "A path for temporary files of this test."),
    ("%S", "The folder of this test."),
    ("%p", "The folder of this test."),
    ("%T", "A folder for temporary files."),
    ("%%", "A percent sign."),
];

pub(super) fn hover(view: View<'_>, offset: TextSize) -> Option<Hover> {
    if !is_explained(view, offset) {
        return None;
    }
    let lines = Lines::of(&view.whole_text());
    if let Some(check) = lines.checks.iter().find(|check| check.word_range.contains(offset)) {
        let (_, _, text) = Kind::ALL.iter().find(|(kind, ..)| *kind == check.kind)?;
        let runs: Vec<String> = lines.runs_of(&check.prefix).iter().map(u32::to_string).collect();
        let runs = match runs.as_slice() {
            [one] => format!("Checked by RUN line {one}."),
            all => format!("Checked by RUN lines {}.", all.join(", ")),
        };
        return Some(Hover { range: check.word_range, markdown: format!("{text}\n\n{runs}") });
    }
    let (_, run, _) = lines.runs.iter().find(|(_, run, _)| run.range.contains(offset))?;
    if run.keyword_range.contains(offset) {
        let (.., text) = Keyword::ALL.iter().find(|(keyword, ..)| *keyword == run.keyword)?;
        return Some(Hover { range: run.keyword_range, markdown: (*text).to_owned() });
    }
    let at = usize::from(run.offset(offset)?);
    let (name, text) = SUBSTITUTIONS.iter().find(|(name, _)| {
        let starts = [at, at.saturating_sub(1)];
        starts.iter().any(|start| run.text.get(*start..).is_some_and(|rest| rest.starts_with(name)))
    })?;
    let start = run.text.get(at.saturating_sub(1)..)?.find(name)? + at.saturating_sub(1);
    let range = run.place(TextRange::at(TextSize::new(u32::try_from(start).ok()?), TextSize::of(*name)));
    Some(Hover { range, markdown: (*text).to_owned() })
}

/// Processors, substitutions and keywords in RUN lines; prefixes of CHECK lines. Ranges count from the start of the file.
pub(super) fn complete(view: View<'_>, offset: TextSize) -> Vec<Completion> {
    let Some((line, at)) = line_before(view, offset) else { return Vec::new() };
    let before = line.get(..at).unwrap_or("");
    let word_start = before.rfind([' ', '=', ',', '\t']).map_or(0, |at| at + 1);
    let typed = before.get(word_start..).unwrap_or("");
    let range = TextRange::new(offset - TextSize::of(typed), offset);
    let item = |kind, label: &str| Completion::new(kind, range, label);
    if before.contains("RUN:") {
        let option = before.get(..word_start).unwrap_or("");
        if option.ends_with("-mcpu=") || option.ends_with("-mcpu ") {
            return Processor::names().map(|name| item(CompletionKind::Constant, name)).collect();
        }
        let known = |(name, text): &(&str, &str)| item(CompletionKind::Variable, name).detail(*text);
        return match typed.starts_with('%') {
            true => SUBSTITUTIONS.iter().map(known).collect(),
            false => arguments(view, offset),
        };
    }
    let is_first = before.trim_start_matches([';', '#', '/', ' ', '\t']).len() == typed.len();
    if !is_first || before.contains(':') || typed.is_empty() {
        return Vec::new();
    }
    let lines = Lines::of(&view.whole_text());
    let mut prefixes: Vec<&str> =
        lines.runs.iter().flat_map(|(.., f)| f).flat_map(|f| &f.prefixes).map(|p| p.as_str()).collect();
    prefixes.sort_unstable();
    prefixes.dedup();
    let starts = |label: &str| label.starts_with(typed);
    let keywords = Keyword::ALL.iter().filter(|(keyword, word, _)| *keyword != Keyword::End && starts(word));
    let keywords = keywords.map(|(_, word, text)| item(CompletionKind::Keyword, word).documentation(*text));
    let checks = prefixes.iter().flat_map(|prefix| {
        Kind::ALL.iter().filter(|(kind, ..)| *kind != Kind::Count).map(move |(_, suffix, text)| {
            Completion::new(CompletionKind::Keyword, range, format!("{prefix}{suffix}:")).documentation(*text)
        })
    });
    checks.filter(|check| starts(&check.label)).chain(keywords).collect()
}

/// Options, passes and features in the RUN line that holds an offset.
fn arguments(view: View<'_>, offset: TextSize) -> Vec<Completion> {
    let whole = view.whole_text();
    let run = directives(&whole)
        .into_iter()
        .find(|d| d.keyword == Keyword::Run && d.range.contains_inclusive(offset));
    let typed = run.as_ref().and_then(|run| run.text.get(..usize::from(run.offset(offset)?)));
    let Some((replaced, names)) = typed.and_then(candidates) else { return Vec::new() };
    let range = TextRange::new(offset - TextSize::new(u32::try_from(replaced).unwrap_or(0)), offset);
    let typed = typed.and_then(|typed| typed.get(typed.len() - replaced..)).unwrap_or("");
    let names = names.into_iter().filter(|name| name.starts_with(typed));
    names.map(|name| Completion::new(CompletionKind::Constant, range, name)).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use wavelens_base::Dialect;

    use crate::features::tests::{at_cursor, places};
    use crate::features::{complete, definition, hover, references};

    const TEST: &str = "; RUN: llc -mcpu=gfx900 %s | FileCheck --check-prefixes=GCN,GFX9 %s\n\
        ; GCN: [[A:v0]]\n; GFX9-NEXT: [[A]]\ndefine void @f() {\n  ret void\n}\n";

    /// The test with the cursor before some text.
    fn with_cursor(before: &str) -> String {
        TEST.replacen(before, &format!("$0{before}"), 1)
    }

    fn check_definition(before: &str, expected: Expect) {
        let found = at_cursor(Dialect::Llvm, &with_cursor(before), |view, offset| {
            places(view, definition(view, offset).into_iter().map(|target| target.range))
        });
        expected.assert_eq(&found);
    }

    #[test]
    fn prefixes_lead_to_run_lines_and_variables_to_their_pattern() {
        check_definition("GFX9-NEXT", expect!["1:61 GFX9\n"]);
        check_definition("A]]", expect!["2:10 A\n"]);
        let uses = |declarations| {
            at_cursor(Dialect::Llvm, &with_cursor("GCN,"), |view, offset| {
                places(view, references(view, offset, declarations))
            })
        };
        expect!["1:57 GCN\n2:3 GCN\n"].assert_eq(&uses(true));
        expect!["2:3 GCN\n"].assert_eq(&uses(false));
    }

    #[test]
    fn hovers_explain_the_kind_of_line() {
        let shown = |before: &str| {
            at_cursor(Dialect::Llvm, &with_cursor(before), |view, offset| {
                hover(view, offset).map(|h| h.markdown)
            })
            .unwrap_or_default()
        };
        expect![[r#"
            The pattern matches on the line after the previous match.

            Checked by RUN line 1."#]]
        .assert_eq(&shown("GFX9-NEXT"));
        expect!["A command of the test. The test passes if all commands succeed, in order."]
            .assert_eq(&shown("RUN"));
        expect!["The path of this test."].assert_eq(&shown("%s"));
    }

    #[test]
    fn prefixes_and_processors_are_completed() {
        let labels = |text: &str| {
            at_cursor(Dialect::Llvm, text, |view, offset| {
                complete(view, offset).items.into_iter().map(|item| item.label).collect::<Vec<_>>()
            })
        };
        let found = labels(&TEST.replace("; GFX9-NEXT", "; GF$0\n; GFX9-NEXT"));
        assert!(found.contains(&"GFX9-LABEL:".to_owned()), "{found:?}");
        let found = labels(&TEST.replace("gfx900", "gfx94$0"));
        assert!(found.contains(&"gfx942".to_owned()), "{found:?}");
        let found = labels(&TEST.replace("gfx900", "gfx900 -stop-after=si-fold$0"));
        assert_eq!(found, ["si-fold-operands"]);
        let found = labels(&TEST.replace("-mcpu=gfx900", "-mcp$0"));
        assert_eq!(found, ["-mcp-use-is-copy-instr", "-mcpu"]);
    }
}
