//! Graphs of blocks as text for terminals: blocks in the order of the file, loops with a bar at the side.

use std::collections::BTreeSet;
use std::fmt::Write;

use wavelens_ide::features::Flow;
use wavelens_syntax::wording::number;

use super::{Block, shorten};

/// Blocks that are named in front of another.
const LISTED: usize = 6;

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

fn graph(flow: &Flow, block: impl Fn(usize) -> Block) -> String {
    let loops = flow.loops();
    let around = |node: usize| loops.iter().filter(move |(_, body)| body.binary_search(&node).is_ok());
    let mut out = format!("{}: {}", flow.function, number(flow.nodes.len(), "blocks"));
    if !loops.is_empty() {
        let _ = write!(out, ", {}", number(loops.len(), "loops"));
    }
    out.push('\n');
    for (index, node) in flow.nodes.iter().enumerate() {
        let bars = "| ".repeat(around(index).count());
        let Block { line, text } = block(index);
        let size = number(node.instructions as usize, "instructions");
        let _ = write!(out, "\n{bars}{}  line {}, {size}", node.name, line + 1);
        if loops.iter().any(|(header, _)| *header == index) {
            out.push_str(", loop header");
        }
        // A switch may go to a block more than once.
        let before: BTreeSet<usize> =
            flow.edges.iter().filter(|edge| edge.to == index).map(|edge| edge.from).collect();
        let before: Vec<&str> =
            before.into_iter().filter_map(|from| Some(flow.nodes.get(from)?.name.as_str())).collect();
        match before.len() {
            0 if index > 0 => out.push_str(", no predecessor"),
            0 => {}
            1..=LISTED => _ = write!(out, ", from {}", before.join(", ")),
            many => {
                let first = before.get(..LISTED).unwrap_or_default().join(", ");
                let _ = write!(out, ", from {first} and {} more", many - LISTED);
            }
        }
        out.push('\n');
        if let Some(last) = last_instruction(&text) {
            let _ = writeln!(out, "{bars}  {}", shorten(&last, COLUMNS));
        }
        let edges: Vec<_> = flow.edges.iter().filter(|edge| edge.from == index).collect();
        let width = edges.iter().map(|edge| edge.label.chars().count()).max().unwrap_or(0);
        for edge in edges {
            let name = flow.nodes.get(edge.to).map_or("?", |node| node.name.as_str());
            let is_back = around(index).any(|(header, _)| *header == edge.to);
            let is_exit = around(index).any(|(_, body)| body.binary_search(&edge.to).is_err());
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
        let note = if depth == 0 && index > 0 { "  (unreachable)" } else { "" };
        let _ = writeln!(out, "{}{}{note}", "  ".repeat(depth), node.name);
        let below = children.get(index).into_iter().flatten().rev();
        open.extend(below.map(|child| (*child, depth + 1)));
    }
    out
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use wavelens_ide::Document;
    use wavelens_ide::db::{Database, View};
    use wavelens_ide::features;
    use wavelens_semantics::{Dialect, Options};

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
