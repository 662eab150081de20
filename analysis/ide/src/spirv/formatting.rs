//! The layouts of `spirv-dis`.

use rustc_hash::FxHashMap;
use wavelens_base::TextEdit;
use wavelens_syntax::machine::{Element, Node};
use wavelens_syntax::spirv::SpirvKind::{self, *};
use wavelens_syntax::spirv::parse;

use crate::formatting::{Blank, ChunkText, Gap, Gaps, SpirvLayout};

/// The column of opcodes.
const OPCODE_COLUMN: usize = 15;
/// Columns for each level of nesting, and for the body of a block.
const NEST: usize = 2;

type Inst<'t> = Node<'t, SpirvKind>;

/// Edits that lay out a chunk.
pub(crate) fn format(chunk: &ChunkText<'_>) -> Vec<TextEdit> {
    let parse = parse(chunk.text);
    let mut gaps = Gaps::new(chunk.text, parse.lexed(), chunk.newline, chunk.is_first);
    let layout = chunk.style.spirv;
    let root = parse.root(chunk.text);
    let nesting = match layout {
        SpirvLayout::Nested => nesting(root),
        SpirvLayout::Aligned | SpirvLayout::Plain => Vec::new(),
    };
    for (index, element) in root.elements().enumerate() {
        match element {
            Element::Node(inst) => {
                instruction(&mut gaps, inst, layout, nesting.get(index).copied().flatten());
            }
            Element::Token(_) => gaps.token(Gap::Keep),
        }
    }
    gaps.finish(chunk.next.is_empty(), Blank::Optional)
}

/// `nest`: columns before the opcode of an instruction in a block.
fn instruction(gaps: &mut Gaps<'_, SpirvKind>, inst: Inst<'_>, layout: SpirvLayout, nest: Option<usize>) {
    if !is_sound(inst) {
        return inst.all_tokens().for_each(|_| gaps.token(Gap::Keep));
    }
    let column = if layout == SpirvLayout::Plain { 0 } else { OPCODE_COLUMN };
    let nest = nest.unwrap_or(0);
    let is_label = inst.token(OPCODE).is_some_and(|t| t.text() == "OpLabel");
    let blank = if layout == SpirvLayout::Nested && is_label { Blank::Wanted } else { Blank::Optional };
    let line = |indent| Gap::Line { indent, blank };
    if let Some(result) = inst.child(RESULT) {
        let name = result.first_token().map_or(0, |t| t.text().len());
        gaps.token(line(column.saturating_sub(name + 3)));
        gaps.token(Gap::Space);
    }
    let mut operands = inst.tokens();
    if operands.next().is_some() {
        let gap = match inst.child(RESULT) {
            Some(_) => Gap::Column(gaps.column() + 1 + nest),
            None => line(column + nest),
        };
        gaps.token(gap);
    }
    let mut before = OPCODE;
    for token in operands {
        let kind = token.kind();
        let is_loose = |kind| matches!(kind, COMMA | L_PAREN | R_PAREN);
        gaps.token(if is_loose(before) || is_loose(kind) { Gap::Squeeze } else { Gap::Space });
        before = kind;
    }
}

/// Whether an instruction is one, and its strings end.
fn is_sound(inst: Inst<'_>) -> bool {
    inst.token(OPCODE).is_some()
        && inst.tokens().next().is_some_and(|t| t.kind() == OPCODE)
        && inst.tokens().all(|t| t.kind() != STRING || t.text().len() > 1 && t.text().ends_with('"'))
}

/// Where control flow goes from a block.
#[derive(Debug, Default)]
struct Exits<'t> {
    merge: Option<&'t str>,
    continues: Option<&'t str>,
    /// The targets of a conditional branch or a switch, and the body of a loop.
    inner: Vec<&'t str>,
    /// The target of an unconditional branch.
    next: Option<&'t str>,
}

/// Columns before the opcode of each instruction that is in a block, as `spirv-dis --nested-indent` has them.
fn nesting(root: Inst<'_>) -> Vec<Option<usize>> {
    let insts: Vec<_> = root.elements().collect();
    let mut blocks: Vec<Exits<'_>> = Vec::new();
    let mut by_label: FxHashMap<&str, usize> = FxHashMap::default();
    let mut block_of = vec![None; insts.len()];
    let mut is_inside = false;
    for (index, element) in insts.iter().enumerate() {
        let Element::Node(inst) = element else { continue };
        let Some(opcode) = inst.token(OPCODE) else { continue };
        let operands: Vec<&str> = inst.tokens().skip(1).map(|t| t.text()).collect();
        if opcode.text() == "OpLabel" {
            let label = inst.child(RESULT).and_then(|r| r.first_token()).map_or("", |t| t.text());
            by_label.insert(label, blocks.len());
            blocks.push(Exits::default());
            is_inside = true;
        }
        let Some(last) =
            blocks.len().checked_sub(1).filter(|_| is_inside && opcode.text() != "OpFunctionEnd")
        else {
            is_inside = false;
            continue;
        };
        block_of[index] = Some((last, opcode.text() == "OpLabel"));
        let exits = &mut blocks[last];
        match opcode.text() {
            "OpLoopMerge" => {
                exits.merge = operands.first().copied();
                exits.continues = operands.get(1).copied();
            }
            "OpSelectionMerge" => exits.merge = operands.first().copied(),
            "OpBranch" if exits.continues.is_some() => exits.inner.extend(operands.first()),
            "OpBranch" => exits.next = operands.first().copied(),
            "OpBranchConditional" => exits.inner.extend(operands.iter().skip(1).take(2)),
            "OpSwitch" => exits.inner.extend(operands.iter().skip(1).step_by(2)),
            _ => {}
        }
    }
    let levels = levels(&blocks, &by_label);
    let columns = |(block, is_label): (usize, bool)| levels[block] * NEST + if is_label { 0 } else { NEST };
    block_of.into_iter().map(|place| place.map(columns)).collect()
}

/// The nesting level of each block: a merge block is as deep as its header, the continue target of a loop one deeper, branches two.
fn levels(blocks: &[Exits<'_>], by_label: &FxHashMap<&str, usize>) -> Vec<usize> {
    let mut levels: Vec<Option<usize>> = vec![None; blocks.len()];
    let mut visited = vec![false; blocks.len()];
    for root in 0..blocks.len() {
        // Blocks that nothing leads to start at no level.
        if root > 0 && (visited[root] || by_label.is_empty()) {
            continue;
        }
        let mut stack = vec![root];
        levels[root].get_or_insert(0);
        while let Some(index) = stack.pop() {
            if std::mem::replace(&mut visited[index], true) {
                continue;
            }
            let (exits, level) = (&blocks[index], levels[index].unwrap_or(0));
            let find = |label: &&str| by_label.get(*label).copied();
            let mut nest = |label: Option<usize>, level: usize| {
                if let Some(block) = label {
                    levels[block].get_or_insert(level);
                }
            };
            let merge = exits.merge.as_ref().and_then(find);
            let continues = exits.continues.as_ref().and_then(find);
            let next = exits.next.as_ref().and_then(find);
            nest(merge, level);
            nest(continues, level + 1);
            exits.inner.iter().for_each(|label| nest(find(label), level + 2));
            nest(next, level);
            stack.extend(exits.inner.iter().filter_map(find));
            stack.extend([next, continues, merge].into_iter().flatten());
        }
    }
    levels.into_iter().map(|level| level.unwrap_or(0)).collect()
}
