//! Folding of Machine IR: blocks, and the lists of the YAML.

use super::Cx;
use super::ide_support::{block_range, function, ir};
use crate::ide::{Fold, FoldKind};
use crate::llvm;
use wavelens_syntax::mir::MirKind;

pub fn folds(cx: &Cx<'_>) -> Vec<Fold> {
    if let Some(inner) = ir(cx) {
        return llvm::folding::folds(&inner);
    }
    let Some(f) = function(cx) else { return Vec::new() };
    let blocks = (0..f.blocks.len()).map(|b| block_range(f, b));
    let parse = wavelens_syntax::mir::parse(cx.text);
    let lists = parse
        .root(cx.text)
        .descendants()
        .filter(|n| matches!(n.kind(), MirKind::ENTRY))
        .map(|n| n.range())
        .filter(|range| cx.slice(*range).trim_end().contains('\n'))
        .collect::<Vec<_>>();
    blocks.chain(lists).map(|range| Fold { range, kind: FoldKind::Region }).collect()
}
