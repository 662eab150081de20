//! Folding of LLVM IR: functions, blocks, comments, and runs of small entities of one kind. Debug information is kept apart from other
//! metadata.

use wavelens_base::{TextRange, TextSize};

use super::Cx;
use super::cfg::block_range;
use crate::answers::{Fold, FoldKind};

/// What can be folded in the chunk.
pub(crate) fn folds(cx: &Cx<'_>) -> Vec<Fold> {
    let mut folds = Vec::new();
    let region = |range: TextRange| Fold { range, kind: FoldKind::Region };
    for body in &cx.lowered.bodies {
        folds.push(region(body.range));
        let blocks = (0..body.blocks.len() as u32).map(|b| block_range(body, b));
        folds.extend(blocks.filter(|r| cx.slice(*r).contains('\n')).map(region));
        for range in &body.inst_ranges {
            if cx.slice(*range).contains('\n') {
                folds.push(region(*range));
            }
        }
    }
    runs(cx.text, &mut folds);
    folds
}

/// What kind of entity a line at column 0 starts, if it is one that comes in runs.
fn class(line: &str) -> Option<FoldKind> {
    match line.as_bytes().first()? {
        b';' => Some(FoldKind::Comment),
        b'!' if line.contains("= !DI") || line.contains("= distinct !DI") => Some(FoldKind::DebugInfo),
        b'!' => Some(FoldKind::Run('!')),
        b'@' => Some(FoldKind::Run('@')),
        b'%' => Some(FoldKind::Run('%')),
        b'$' => Some(FoldKind::Run('$')),
        b'^' => Some(FoldKind::Run('^')),
        b'd' if line.starts_with("declare") => Some(FoldKind::Run('d')),
        b'a' if line.starts_with("attributes") => Some(FoldKind::Run('a')),
        _ => None,
    }
}

/// Consecutive lines of one class; between declarations blank lines and comments are usual.
fn runs(text: &str, folds: &mut Vec<Fold>) {
    let mut run: Option<(FoldKind, usize, usize)> = None;
    let mut at = 0;
    let mut in_function = false;
    let mut flush = |run: Option<(FoldKind, usize, usize)>| {
        if let Some((kind, start, end)) = run {
            let range = TextRange::new(TextSize::new(start as u32), TextSize::new(end as u32));
            folds.push(Fold { range, kind });
        }
    };
    for line in text.split_inclusive('\n') {
        let end = at + line.trim_end().len();
        let kind = match in_function {
            true => line.trim_start().starts_with("#dbg_").then_some(FoldKind::DebugInfo),
            false => class(line),
        };
        match (&mut run, kind) {
            (Some((now, _, last)), Some(kind)) if *now == kind => *last = end,
            (Some((FoldKind::Run('d'), ..)), None | Some(FoldKind::Comment))
                if line.trim().is_empty() || line.starts_with(';') => {}
            (_, kind) => {
                flush(run.take());
                run = kind.map(|kind| (kind, at, end));
            }
        }
        in_function = match in_function {
            true => !line.starts_with('}'),
            false => line.starts_with("define"),
        };
        at += line.len();
    }
    flush(run);
}
