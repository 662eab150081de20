//! Growing selections, for every dialect, over the lossless tree.

use rowan::Language;
use wavelens_base::{Dialect, TextRange, TextSize};
use wavelens_syntax::{amdgpu, llvm, mir, spirv};

use crate::db::View;

/// Ranges around an offset of the file, innermost first: the token, the nodes around it, the chunk, the file.
pub fn selection_ranges(view: View<'_>, offset: TextSize) -> Vec<TextRange> {
    let Some((index, chunk, at)) = view.chunk_at(offset) else { return Vec::new() };
    let green = view.green(chunk).clone();
    let mut ranges = match view.dialect() {
        Dialect::Llvm => around::<llvm::LlvmLanguage>(green, at),
        Dialect::Mir => around::<mir::MirLanguage>(green, at),
        Dialect::Spirv => around::<spirv::SpirvLanguage>(green, at),
        Dialect::Amdgpu => around::<amdgpu::AmdgpuLanguage>(green, at),
    };
    // A node without the blanks at its ends may lack the blank that the cursor is in.
    let mut last = TextRange::empty(at);
    ranges.retain(|range| {
        let grows = range.contains_range(last) && *range != last;
        if grows {
            last = *range;
        }
        grows
    });
    let start = view.start(index);
    ranges.iter_mut().for_each(|r| *r += start);
    ranges.push(TextRange::new(TextSize::new(0), view.start(view.chunks().len())));
    ranges.dedup();
    ranges
}

fn around<L: Language>(green: rowan::GreenNode, at: TextSize) -> Vec<TextRange> {
    let root = rowan::SyntaxNode::<L>::new_root(green);
    if !root.text_range().contains_inclusive(at) {
        return Vec::new();
    }
    // Between two tokens the one with letters is meant.
    let wordy = |t: &rowan::SyntaxToken<L>| {
        t.text().starts_with(|c: char| c.is_alphanumeric() || "%@!#$_.\"^".contains(c))
    };
    let token = match root.token_at_offset(at) {
        rowan::TokenAtOffset::None => return vec![root.text_range()],
        rowan::TokenAtOffset::Single(t) => t,
        rowan::TokenAtOffset::Between(l, r) => {
            if wordy(&l) && !wordy(&r) {
                l
            } else {
                r
            }
        }
    };
    let mut ranges = vec![token.text_range()];
    ranges.extend(token.parent_ancestors().map(|n| trimmed(&n)));
    ranges.push(root.text_range());
    ranges.dedup();
    ranges
}

/// A node's range without the blanks at its ends.
fn trimmed<L: Language>(node: &rowan::SyntaxNode<L>) -> TextRange {
    let text = node.text().to_string();
    let range = node.text_range();
    let front = text.len() - text.trim_start().len();
    let back = text.len() - text.trim_end().len();
    if front + back >= text.len() {
        return range;
    }
    TextRange::new(range.start() + TextSize::new(front as u32), range.end() - TextSize::new(back as u32))
}

/// A dump of the tree of the chunk at an offset of the file.
pub fn syntax_tree(view: View<'_>, offset: TextSize) -> Option<String> {
    let (_, chunk, _) = view.chunk_at(offset)?;
    let green = view.green(chunk).clone();
    Some(match view.dialect() {
        Dialect::Llvm => format!("{:#?}", rowan::SyntaxNode::<llvm::LlvmLanguage>::new_root(green)),
        Dialect::Mir => format!("{:#?}", rowan::SyntaxNode::<mir::MirLanguage>::new_root(green)),
        Dialect::Spirv => format!("{:#?}", rowan::SyntaxNode::<spirv::SpirvLanguage>::new_root(green)),
        Dialect::Amdgpu => format!("{:#?}", rowan::SyntaxNode::<amdgpu::AmdgpuLanguage>::new_root(green)),
    })
}
