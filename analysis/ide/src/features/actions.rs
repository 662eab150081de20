//! Code actions: fixes of findings, and what a dialect offers at a place.

use std::collections::BTreeMap;

use wavelens_base::{Finding, Severity, TextEdit, TextRange, TextSize, sizes};

use super::ask;
use super::respellings::respellings;
use super::trial::{Difference, Trial};
use crate::answers::{Action, ActionKind};
use crate::db::{View, findings, findings_of};

/// For each code among some fixes that has more certain ones in the file: all at once, as far as they do not overlap.
fn fix_all(view: View<'_>, here: &[Action]) -> Vec<Action> {
    let mut codes: Vec<&str> = here.iter().filter_map(|a| Some(a.finding.as_ref()?.rule.code)).collect();
    codes.sort_unstable();
    codes.dedup();
    if codes.is_empty() {
        return Vec::new();
    }
    let found = findings(view);
    let all = codes.into_iter().filter_map(|code| {
        let mut edits: Vec<TextEdit> = Vec::new();
        let mut count = 0;
        let fixes = found.iter().filter(|f| f.rule.code == code).filter_map(|f| f.fix.as_ref());
        for fix in fixes.filter(|fix| fix.certain) {
            let overlaps =
                |e: &TextEdit| edits.iter().rev().take(64).any(|o| o.range.intersect(e.range).is_some());
            if !fix.edits.iter().any(overlaps) {
                edits.extend(fix.edits.iter().cloned());
                count += 1;
            }
        }
        let title = format!("Fix all {count} `{code}` in this file");
        (count > 1).then(|| Action { kind: ActionKind::QuickFix, ..Action::in_file(title, edits) })
    });
    all.collect()
}

/// A range with all of its first and of its last line.
fn whole_lines(view: View<'_>, range: TextRange) -> TextRange {
    let line = |offset: TextSize| {
        let (index, chunk, at) = view.chunk_at(offset)?;
        let (before, after) = view.text(chunk).split_at_checked(at.into())?;
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let end = after.find('\n').unwrap_or(after.len()) + usize::from(at);
        Some(TextRange::new(TextSize::new(start as u32), TextSize::new(end as u32)) + view.start(index))
    };
    [range.start(), range.end()].into_iter().filter_map(line).fold(range, TextRange::cover)
}

/// The fixes of findings that touch a range of the file, those of others in its lines, then what the dialect offers there and no fix
/// does.
pub fn actions(view: View<'_>, range: TextRange) -> Vec<Action> {
    let mut all = Vec::new();
    let lines = whole_lines(view, range);
    for index in view.chunks_in(lines) {
        for finding in findings_of(view, index) {
            if let (Some(fix), Some(_)) = (&finding.fix, finding.range.intersect(lines)) {
                all.push(Action {
                    title: fix.title.clone(),
                    kind: ActionKind::QuickFix,
                    edits: fix.edits.clone(),
                    finding: Some(finding),
                    in_file: true,
                    likely: false,
                });
            }
        }
    }
    let is_elsewhere = |action: &Action| {
        action.finding.as_ref().is_some_and(|finding| finding.range.intersect(range).is_none())
    };
    all.sort_by_key(is_elsewhere);
    all.extend(fix_all(view, &all));
    add_new(view, lines, &mut all, offers(view, range));
    let respelt = respelt(view, lines, &all);
    add_new(view, lines, &mut all, respelt);
    keep_harmless(view, all)
}

/// Adds those after which lines do not read as after one that is there.
fn add_new(view: View<'_>, lines: TextRange, all: &mut Vec<Action>, more: Vec<Action>) {
    let fixed: Vec<String> = all.iter().filter_map(|fix| lines_after(view, lines, fix)).collect();
    let is_new = |offer: &Action| lines_after(view, lines, offer).is_none_or(|after| !fixed.contains(&after));
    all.extend(more.into_iter().filter(is_new));
}

/// Other spellings of what errors in some lines are about that nothing fixes, and other values.
fn respelt(view: View<'_>, range: TextRange, fixes: &[Action]) -> Vec<Action> {
    let is_fixed =
        |finding: &Finding| fixes.iter().any(|fix| fix.finding.as_ref().is_some_and(|f| f == finding));
    let here = view.chunks_in(range).flat_map(|index| findings_of(view, index));
    let open = here.filter(|finding| {
        finding.severity == Severity::Error && finding.range.intersect(range).is_some() && !is_fixed(finding)
    });
    let open: Vec<Finding> = open.collect();
    let length: usize = view.chunks().iter().map(|chunk| view.text(*chunk).len()).sum();
    // Editors ask at each move of the cursor: a trial copies the text.
    if open.is_empty() || length > sizes::TRIED_ACTIONS {
        return Vec::new();
    }
    let trial = Trial::new(view);
    let mut left = sizes::TRIED_ACTIONS;
    open.iter().flat_map(|finding| respellings(view, finding, &trial, &mut left)).collect()
}

/// What whole lines of one chunk read after an action that changes nothing else.
fn lines_after(view: View<'_>, lines: TextRange, action: &Action) -> Option<String> {
    let (index, chunk, _) = view.chunk_at(lines.start())?;
    let own = lines.checked_sub(view.start(index))?;
    let text = view.text(chunk).get(std::ops::Range::<usize>::from(own))?;
    let local = |edit: &TextEdit| {
        let range = lines.contains_range(edit.range).then(|| edit.range - lines.start())?;
        Some(TextEdit { range, text: edit.text.clone() })
    };
    let edits: Option<Vec<TextEdit>> = action.edits.iter().map(local).collect();
    TextEdit::apply_all(text, &edits?)
}

/// Leaves out actions after which there is a new error. One on the line of the finding that an action fixes was hidden by that.
pub(super) fn keep_harmless(view: View<'_>, actions: Vec<Action>) -> Vec<Action> {
    let length: usize = view.chunks().iter().map(|chunk| view.text(*chunk).len()).sum();
    if actions.is_empty() || length.saturating_mul(actions.len() + 1) > sizes::TRIED_ACTIONS {
        return actions;
    }
    let text = view.whole_text();
    let trial = Trial::new(view);
    let harmless = |action: &Action| {
        view.db.unwind_if_revision_cancelled();
        let Some(Difference { before, after }) = trial.try_edits(&action.edits) else { return false };
        let Some(edited) = TextEdit::apply_all(&text, &action.edits) else { return false };
        let before = count(&text, before.iter());
        let fixed = action.finding.as_ref().map(|f| line(&text, f.range.start().into()));
        let was_hidden = |f: &&Finding| {
            fixed.is_some_and(|fixed| fixed == line(&text, old_offset(f.range.start().into(), &action.edits)))
        };
        let elsewhere = count(&edited, after.iter().filter(|f| !was_hidden(f)));
        elsewhere.iter().all(|(error, n)| before.get(error).is_some_and(|before| n <= before))
    };
    actions.into_iter().filter(harmless).collect()
}

/// Errors by code and by the text that they are about, with their number. Numbers in names may change with an edit.
fn count<'f>(
    text: &str,
    errors: impl Iterator<Item = &'f Finding>,
) -> BTreeMap<(&'static str, String), usize> {
    let mut all = BTreeMap::new();
    for error in errors {
        let subject = text.get(std::ops::Range::<usize>::from(error.range)).unwrap_or_default();
        let subject: String = subject.chars().filter(|c| !c.is_ascii_digit()).collect();
        *all.entry((error.rule.code, subject)).or_default() += 1;
    }
    all
}

fn line(text: &str, at: usize) -> usize {
    text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count()
}

/// Where a place of the edited text was before.
fn old_offset(at: usize, edits: &[TextEdit]) -> usize {
    let mut edits: Vec<&TextEdit> = edits.iter().collect();
    edits.sort_by_key(|edit| edit.range.start());
    // How much longer the text has become up to here.
    let mut longer = 0isize;
    for edit in edits {
        let start = usize::from(edit.range.start()).saturating_add_signed(longer);
        if start + edit.text.len() > at {
            return at.min(start).saturating_add_signed(-longer);
        }
        longer += edit.text.len() as isize - usize::from(edit.range.len()) as isize;
    }
    at.saturating_add_signed(-longer)
}

/// What the dialect offers in a range, besides the fixes of findings.
pub fn offers(view: View<'_>, range: TextRange) -> Vec<Action> {
    let Some((index, chunk, at)) = view.chunk_at(range.start()) else { return Vec::new() };
    let start = view.start(index);
    let mut local = TextRange::at(at, range.len());
    // In the indentation what the line holds is meant.
    if range.is_empty()
        && let Some((before, after)) = view.text(chunk).split_at_checked(at.into())
        && matches!(before.trim_end_matches([' ', '\t']).bytes().last(), None | Some(b'\n'))
    {
        local += TextSize::of(after) - TextSize::of(after.trim_start_matches([' ', '\t']));
    }
    let mut own = ask!(view, index, actions::actions(local)).unwrap_or_default();
    for action in own.iter_mut().filter(|action| !action.in_file) {
        action.edits.iter_mut().for_each(|e| e.range += start);
    }
    own
}
