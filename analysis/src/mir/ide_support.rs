//! What the answers for editors share.

use wavelens_isa::mir::Tables;
use wavelens_syntax::machine::{Kind, Lexed};
use wavelens_syntax::mir::MirKind;

use super::Cx;
use super::model::Function;
use crate::{TextRange, TextSize, llvm};

/// The embedded IR of a chunk, as the LLVM dialect's answers want it.
pub(super) fn ir<'db>(cx: &Cx<'db>) -> Option<llvm::Cx<'db>> {
    Some(crate::ide::ChunkCx {
        view: cx.view,
        lowered: cx.lowered.ir.as_ref()?,
        scope: &cx.scope.llvm,
        text: cx.text,
        index: cx.index,
        chunk: cx.chunk,
    })
}

pub(super) fn function<'db>(cx: &Cx<'db>) -> Option<&'db Function> {
    cx.lowered.function.as_ref()
}

/// The tables of the file's target.
pub(super) fn tables(cx: &Cx<'_>) -> Option<&'static Tables> {
    Some(cx.scope.machine?.tables())
}

/// The token at an offset that is no blank: the one that starts there, or the one that ends there.
pub(super) fn token_at(lexed: &Lexed<MirKind>, at: TextSize) -> Option<(MirKind, TextRange)> {
    let index = lexed.at_offset(at);
    [Some(index), index.checked_sub(1)]
        .into_iter()
        .flatten()
        .filter(|i| !lexed.kind(*i).is_trivia() && lexed.kind(*i) != MirKind::NEWLINE)
        .map(|i| (lexed.kind(i), lexed.range(i)))
        .find(|(_, range)| range.contains_inclusive(at))
}

/// From a block's label to the end of its last instruction.
pub(super) fn block_range(f: &Function, block: usize) -> TextRange {
    let Some(block) = f.blocks.get(block) else { return TextRange::default() };
    block.instructions.of(&f.instructions).last().map_or(block.range, |i| block.range.cover(i.range))
}
