//! From Machine IR to the files that its debug information names.

use wavelens_base::TextSize;

use super::Cx;
use super::ide_support::{function, ir};
use crate::answers::SourcePlace;

/// The place in the source of the instruction around an offset; in the embedded IR as there.
pub fn place(cx: &Cx<'_>, at: TextSize) -> Option<SourcePlace> {
    if let Some(inner) = ir(cx) {
        return crate::llvm::source::place(&inner, at);
    }
    let f = function(cx)?;
    let inst = f.instructions.iter().find(|inst| inst.range.contains_inclusive(at))?;
    let named = inst.metadata.of(&f.metadata).iter().rev();
    named.filter_map(|own| Some((own, cx.scope.llvm.metadata(own.number)?))).find_map(|(own, node)| {
        let is_location = node.node.kind == wavelens_llvm::metadata::MdKind::DILocation;
        is_location.then(|| crate::llvm::source::of_node(&cx.scope.llvm, node, own.range))?
    })
}

/// The names of files in the embedded IR.
pub fn links(cx: &Cx<'_>) -> Vec<SourcePlace> {
    ir(cx).map_or_else(Vec::new, |inner| crate::llvm::source::links(&inner))
}
