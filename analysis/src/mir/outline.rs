//! Outline of Machine IR: a function with its blocks.

use super::Cx;
use super::ide_support::{block_range, function, ir};
use crate::TextRange;
use crate::ide::{Symbol, SymbolKind};
use crate::{TextSize, llvm};

/// The chunk's outline entries, in order.
pub fn outline(cx: &Cx<'_>) -> Vec<Symbol> {
    if let Some(inner) = ir(cx) {
        return llvm::outline::outline(&inner);
    }
    let Some(f) = function(cx) else { return Vec::new() };
    let range = TextRange::up_to(TextSize::of(cx.text.trim_end()));
    let children = f.blocks.iter().enumerate().map(|(index, block)| {
        let name = f.names.get(block.name);
        Symbol {
            name: format!("bb.{}", block.number),
            detail: name.to_owned(),
            kind: SymbolKind::Label,
            range: block_range(f, index),
            selection: block.range,
            children: Vec::new(),
        }
    });
    let name = &f.properties.name;
    vec![Symbol {
        name: name.text.to_string(),
        detail: format!("{} blocks, {} instructions", f.blocks.len(), f.instructions.len()),
        kind: SymbolKind::Function,
        range: range.cover(name.range),
        selection: name.range,
        children: children.collect(),
    }]
}
