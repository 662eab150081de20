//! Folding ranges.

use wavelens_base::TextRange;

use super::{ask, check_lines};
use crate::answers::{Fold, FoldKind};
use crate::db::View;

/// Lines from which a run is worth folding.
const RUN_LINES: usize = 3;

/// The folds of a file.
pub fn folds(view: View<'_>) -> Vec<Fold> {
    let mut all: Vec<Fold> = Vec::new();
    let mut runs: Vec<(Fold, usize)> = Vec::new();
    for index in 0..view.chunks().len() {
        view.db.unwind_if_revision_cancelled();
        let Some(chunk) = view.chunks().get(index) else { continue };
        let (start, text) = (view.start(index), view.text(*chunk));
        for fold in ask!(view, index, folding::folds()).unwrap_or_default() {
            let moved = Fold { range: fold.range + start, ..fold };
            if fold.kind == FoldKind::Region {
                all.push(moved);
                continue;
            }
            let written = text.get(std::ops::Range::<usize>::from(fold.range)).unwrap_or("");
            let lines = written.bytes().filter(|b| *b == b'\n').count() + 1;
            match runs.last_mut() {
                // Only a line end between them: the run goes on in the next chunk.
                Some((last, count))
                    if last.kind == fold.kind
                        && u32::from(moved.range.start()).saturating_sub(last.range.end().into()) <= 2 =>
                {
                    last.range = last.range.cover(moved.range);
                    *count += lines;
                }
                _ => runs.push((moved, lines)),
            }
        }
    }
    all.extend(super::outline::parts_of(view).into_iter().map(|part| {
        let range = TextRange::new(part.name_range.start(), part.range.end());
        Fold { range, kind: FoldKind::Region }
    }));
    all.extend(runs.into_iter().filter(|(_, lines)| *lines >= RUN_LINES).map(|(fold, _)| fold));
    let checks = check_lines::folds(view);
    // Of comments that begin there too, the CHECK lines are what a reader folds.
    all.retain(|fold| {
        fold.kind != FoldKind::Comment || !checks.iter().any(|c| c.range.contains_range(fold.range))
    });
    all.extend(checks);
    all.sort_by_key(|f| (f.range.start(), std::cmp::Reverse(f.range.end())));
    all
}
