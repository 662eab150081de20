//! Graphs of blocks as text for terminals: blocks in the order of the file, loops with a bar at the side.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use wavelens_ide::features::{Flow, FlowEdge};
use wavelens_syntax::wording::number;

use super::{Block, shorten};

/// Blocks that are named in front of another.
const LISTED: usize = 6;

/// Levels of loops, and of a tree, that are shown by bars and indents: a chain of 16,000 blocks would take 256 MB.
const DEPTH: usize = 40;

/// Characters of an instruction.
const COLUMNS: usize = 100;

/// Graphs below each other. `block` gives the part of the file that belongs to a node.
pub(crate) fn graphs(flows: &[Flow], block: impl Fn(&Flow, usize) -> Block) -> String {
    let texts: Vec<String> = flows.iter().map(|flow| graph(flow, |node| block(flow, node))).collect();
    texts.join("\n")
}

/// Trees whose edges go from a block to those that it dominates, below each other.
pub(crate) fn trees(flows: &[Flow]) -> String {
    let texts: Vec<String> = flows.iter().map(tree).collect();
    texts.join("\n")
}

/// What is next to each block of a graph: to look through all edges or loops for each would take long.
struct Around<'f> {
    /// The edges from each block.
    edges: Vec<Vec<&'f FlowEdge>>,
    /// The blocks before each. A switch may go to a block more than once.
    before: Vec<BTreeSet<usize>>,
    /// By header.
    loops: BTreeMap<usize, Vec<usize>>,
    /// The header of the innermost loop around each block, and how many loops are around it.
    inside: Vec<Option<(usize, usize)>>,
}

impl<'f> Around<'f> {
    fn new(flow: &'f Flow) -> Self {
        let count = flow.nodes.len();
        let (mut edges, mut before) = (vec![Vec::new(); count], vec![BTreeSet::new(); count]);
        for edge in &flow.edges {
            if let (Some(from), Some(to)) = (edges.get_mut(edge.from), before.get_mut(edge.to)) {
                from.push(edge);
                to.insert(edge.from);
            }
        }
        let loops: BTreeMap<usize, Vec<usize>> = flow.loops().into_iter().collect();
        // Natural loops are nested or apart: the innermost is the smallest.
        let mut inside: Vec<Option<(usize, usize)>> = vec![None; count];
        let mut by_size: Vec<_> = loops.iter().collect();
        by_size.sort_by_key(|(_, body)| body.len());
        for (header, body) in by_size {
            for block in body {
                if let Some(place) = inside.get_mut(*block) {
                    place.get_or_insert((*header, 0)).1 += 1;
                }
            }
        }
        Around { edges, before, loops, inside }
    }

    fn is_in_loop(&self, header: usize, block: usize) -> bool {
        self.loops.get(&header).is_some_and(|body| body.binary_search(&block).is_ok())
    }
}

/// A bar for each loop around a block, or how many there are.
fn bars(depth: usize) -> String {
    if depth > DEPTH { format!("| ({depth} loops) | ") } else { "| ".repeat(depth) }
}

fn graph(flow: &Flow, block: impl Fn(usize) -> Block) -> String {
    let around = Around::new(flow);
    let mut out = format!("{}: {}", flow.function, number(flow.nodes.len(), "blocks"));
    if !around.loops.is_empty() {
        let _ = write!(out, ", {}", number(around.loops.len(), "loops"));
    }
    out.push('\n');
    let parts = flow.nodes.iter().zip(&around.edges).zip(around.before.iter().zip(&around.inside));
    for (index, ((node, edges), (before, inside))) in parts.enumerate() {
        let bars = bars(inside.map_or(0, |(_, depth)| depth));
        let Block { line, text } = block(index);
        let size = number(node.instructions as usize, "instructions");
        let _ = write!(out, "\n{bars}{}  line {}, {size}", node.name, line + 1);
        if around.loops.contains_key(&index) {
            out.push_str(", loop header");
        }
        let listed: Vec<&str> = before
            .iter()
            .take(LISTED)
            .filter_map(|from| Some(flow.nodes.get(*from)?.name.as_str()))
            .collect();
        let listed = listed.join(", ");
        match before.len() {
            0 if index > 0 => out.push_str(", no predecessor"),
            0 => {}
            1..=LISTED => _ = write!(out, ", from {listed}"),
            many => _ = write!(out, ", from {listed} and {} more", many - LISTED),
        }
        out.push('\n');
        if let Some(last) = last_instruction(&text) {
            let _ = writeln!(out, "{bars}  {}", shorten(&last, COLUMNS));
        }
        let width = edges.iter().map(|edge| edge.label.chars().count()).max().unwrap_or(0);
        for edge in edges {
            let name = flow.nodes.get(edge.to).map_or("?", |node| node.name.as_str());
            let is_back = around.is_in_loop(edge.to, index);
            let is_exit = inside.is_some_and(|(header, _)| !around.is_in_loop(header, edge.to));
            let note = match (is_back, is_exit) {
                (true, _) => " (back)",
                (_, true) => " (leaves the loop)",
                _ => "",
            };
            let gap = if width == 0 { "" } else { " " };
            let _ = writeln!(out, "{bars}  {:width$}{gap}-> {name}{note}", edge.label);
        }
    }
    out
}

/// The last instruction of a block's text, also one that goes over several lines.
fn last_instruction(text: &str) -> Option<String> {
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with(';') && !line.starts_with("//"))
        .collect();
    let last = lines.len().checked_sub(1)?;
    let first = match lines.get(last) {
        // The cases of LLVM's `switch`.
        Some(line) if line.starts_with(']') => {
            lines.iter().rposition(|l| l.contains("switch ")).unwrap_or(last)
        }
        _ => last,
    };
    let words = lines.get(first..)?.iter().flat_map(|line| line.split_whitespace());
    Some(words.collect::<Vec<_>>().join(" "))
}

fn tree(flow: &Flow) -> String {
    let mut out = format!("{}: dominator tree of {}\n\n", flow.function, number(flow.nodes.len(), "blocks"));
    let mut children = vec![Vec::new(); flow.nodes.len()];
    let mut is_root = vec![true; flow.nodes.len()];
    for edge in &flow.edges {
        if let (Some(list), Some(root)) = (children.get_mut(edge.from), is_root.get_mut(edge.to)) {
            list.push(edge.to);
            *root = false;
        }
    }
    let roots = (0..flow.nodes.len()).rev().filter(|node| is_root.get(*node) == Some(&true));
    let mut open: Vec<(usize, usize)> = roots.map(|node| (node, 0)).collect();
    while let Some((index, depth)) = open.pop() {
        let Some(node) = flow.nodes.get(index) else { continue };
        let note = match depth {
            0 if index > 0 => "  (unreachable)".to_owned(),
            0..=DEPTH => String::new(),
            _ => format!("  (depth {depth})"),
        };
        let _ = writeln!(out, "{}{}{note}", "  ".repeat(depth.min(DEPTH)), node.name);
        let below = children.get(index).into_iter().flatten().rev();
        open.extend(below.map(|child| (*child, depth + 1)));
    }
    out
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use wavelens_base::{Dialect, Options};
    use wavelens_ide::Document;
    use wavelens_ide::db::{Database, View};
    use wavelens_ide::features;

    use super::*;

    fn flows(dialect: Dialect, text: &str) -> Vec<Flow> {
        let mut db = Database::default();
        let document = Document::new(&mut db, dialect, text, Options::default());
        features::flows(View::new(&db, document.file()))
    }

    fn drawn(dialect: Dialect, text: &str) -> String {
        graphs(&flows(dialect, text), |flow, node| {
            let range = std::ops::Range::<usize>::from(flow.nodes[node].range);
            Block { line: text[..range.start].matches('\n').count() as u32, text: text[range].to_owned() }
        })
    }

    const LOOPS: &str = "define void @f(i1 %c, i32 %n) {
entry:
  br label %outer

outer:
  br label %inner

inner:
  %x = add i32 %n, 1
  br i1 %c, label %inner, label %latch

latch:
  switch i32 %n, label %done [
    i32 0, label %outer
    i32 1, label %done
  ]

done:
  ret void

dead:
  unreachable
}
";

    #[test]
    fn loops_have_bars_and_edges_their_conditions() {
        expect![[r#"
            @f: 6 blocks, 2 loops

            %entry  line 2, 1 instruction
              br label %outer
              -> %outer

            | %outer  line 5, 1 instruction, loop header, from %entry, %latch
            |   br label %inner
            |   -> %inner

            | | %inner  line 8, 2 instructions, loop header, from %outer, %inner
            | |   br i1 %c, label %inner, label %latch
            | |   true  -> %inner (back)
            | |   false -> %latch (leaves the loop)

            | %latch  line 12, 1 instruction, from %inner
            |   switch i32 %n, label %done [ i32 0, label %outer i32 1, label %done ]
            |   default -> %done (leaves the loop)
            |   0       -> %outer (back)
            |   1       -> %done (leaves the loop)

            %done  line 18, 1 instruction, from %latch
              ret void

            %dead  line 21, 1 instruction, no predecessor
              unreachable
        "#]]
        .assert_eq(&drawn(Dialect::Llvm, LOOPS));
    }

    #[test]
    fn deep_trees_and_loops_have_the_depth_in_words() {
        let chain: String = (0..50).map(|n| format!("b{n}:\n  br label %b{}\n", n + 1)).collect();
        let back = |n: usize| format!("e{n}:\n  br i1 %c, label %b{n}, label %e{}\n", n.max(1) - 1);
        let nest: String = (0..50).rev().map(back).collect();
        let text = format!(
            "define void @f(i1 %c) {{\nentry:\n  br label %b0\n{chain}b50:\n  br label %e49\n{nest}}}\n"
        );
        let drawn = drawn(Dialect::Llvm, &text);
        assert!(drawn.contains("\n| (50 loops) | %b49  line"), "{drawn}");
        let dominators: Vec<Flow> = flows(Dialect::Llvm, &text).iter().map(Flow::dominator_tree).collect();
        let tree = trees(&dominators);
        assert!(tree.lines().any(|line| line.ends_with("%b49  (depth 50)") && line.len() < 110), "{tree}");
    }

    #[test]
    fn blocks_of_machine_code() {
        let text = "name: f\nbody: |\n  bb.0:\n    successors: %bb.1(0x60000000), %bb.2(0x20000000)\n    S_CBRANCH_SCC1 %bb.2, implicit $scc\n\n  bb.1:\n    successors: %bb.1, %bb.2\n    S_CBRANCH_SCC1 %bb.1, implicit $scc\n\n  bb.2:\n    S_ENDPGM 0\n...\n";
        expect![[r#"
            f: 3 blocks, 1 loop

            bb.0  line 3, 1 instruction
              S_CBRANCH_SCC1 %bb.2, implicit $scc
              75 % -> bb.1
              25 % -> bb.2

            | bb.1  line 7, 1 instruction, loop header, from bb.0, bb.1
            |   S_CBRANCH_SCC1 %bb.1, implicit $scc
            |   -> bb.1 (back)
            |   -> bb.2 (leaves the loop)

            bb.2  line 11, 1 instruction, from bb.0, bb.1
              S_ENDPGM 0
        "#]]
        .assert_eq(&drawn(Dialect::Mir, text));
        let text = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n.type f,@function\nf:\n  s_nop 0\n.L1:\n  s_cbranch_scc1 .L1\n  s_endpgm\n";
        expect![[r#"
            f: 3 blocks, 1 loop

            f  line 4, 1 instruction
              s_nop 0
              -> .L1

            | .L1  line 6, 1 instruction, loop header, from f, .L1
            |   s_cbranch_scc1 .L1
            |   false -> +2 (leaves the loop)
            |   true  -> .L1 (back)

            +2  line 7, 1 instruction, from .L1
              s_endpgm
        "#]]
        .assert_eq(&drawn(Dialect::Amdgpu, text));
    }

    #[test]
    fn structured_control_flow() {
        let text = "OpName %f \"main\"\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%bool = OpTypeBool\n%true = OpConstantTrue %bool\n%f = OpFunction %void None %fn\n%a = OpLabel\nOpSelectionMerge %c None\nOpBranchConditional %true %b %c\n%b = OpLabel\nOpBranch %c\n%c = OpLabel\nOpReturn\nOpFunctionEnd\n";
        expect![[r#"
            main: 3 blocks

            %a  line 7, 2 instructions
              OpBranchConditional %true %b %c
              true         -> %b
              false, merge -> %c

            %b  line 10, 1 instruction, from %a
              OpBranch %c
              merge -> %c

            %c  line 12, 1 instruction, from %a, %b
              OpReturn
        "#]]
        .assert_eq(&drawn(Dialect::Spirv, text));
    }

    #[test]
    fn dominators_are_a_tree() {
        let flows: Vec<Flow> = flows(Dialect::Llvm, LOOPS).iter().map(Flow::dominator_tree).collect();
        expect![[r#"
            @f: dominator tree of 6 blocks

            %entry
              %outer
                %inner
                  %latch
                    %done
            %dead  (unreachable)
        "#]]
        .assert_eq(&trees(&flows));
    }
}
