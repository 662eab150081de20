//! Code actions: fixes of findings, and what a dialect offers at a place.

use wavelens_semantics::{TextEdit, TextRange};

use super::ask;
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

/// The fixes of findings that touch a range of the file, then what the dialect offers there.
pub fn actions(view: View<'_>, range: TextRange) -> Vec<Action> {
    let mut all = Vec::new();
    for index in view.chunks_in(range) {
        for finding in findings_of(view, index) {
            if let (Some(fix), Some(_)) = (&finding.fix, finding.range.intersect(range)) {
                all.push(Action {
                    title: fix.title.clone(),
                    kind: ActionKind::QuickFix,
                    edits: fix.edits.clone(),
                    finding: Some(finding),
                    in_file: true,
                });
            }
        }
    }
    all.extend(fix_all(view, &all));
    all.extend(offers(view, range));
    all
}

/// What the dialect offers in a range, besides the fixes of findings.
pub fn offers(view: View<'_>, range: TextRange) -> Vec<Action> {
    let Some((index, _, at)) = view.chunk_at(range.start()) else { return Vec::new() };
    let start = view.start(index);
    let local = TextRange::at(at, range.len());
    let mut own = ask!(view, index, actions::actions(local)).unwrap_or_default();
    for action in own.iter_mut().filter(|action| !action.in_file) {
        action.edits.iter_mut().for_each(|e| e.range += start);
    }
    own
}
