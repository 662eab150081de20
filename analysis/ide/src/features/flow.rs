//! The control-flow graph of a function, for showing it.

use rustc_hash::FxHashSet;
use wavelens_base::TextSize;

use super::{ask, outline};
use crate::answers::{Flow, Symbol, SymbolKind};
use crate::db::View;

/// The graph of the function around an offset of the file.
pub fn flow(view: View<'_>, offset: TextSize) -> Option<Flow> {
    let (index, _, at) = view.chunk_at(offset)?;
    ask!(view, index, cfg::flow(at)).flatten()
}

/// The graph of the function around an offset, or else of the next that has a body, or else of the last.
pub fn nearest_flow(view: View<'_>, offset: TextSize) -> Option<Flow> {
    flow(view, offset).or_else(|| {
        let starts = function_starts(view);
        let (before, after) = starts.split_at(starts.iter().filter(|s| **s < offset).count());
        after.iter().chain(before.iter().rev()).find_map(|start| flow(view, *start))
    })
}

fn function_starts(view: View<'_>) -> Vec<TextSize> {
    fn starts(symbols: &[Symbol], into: &mut Vec<TextSize>) {
        for symbol in symbols {
            match symbol.kind {
                SymbolKind::Function | SymbolKind::EntryPoint => into.push(symbol.selection.start()),
                _ => starts(&symbol.children, into),
            }
        }
    }
    let mut offsets = Vec::new();
    starts(&outline(view), &mut offsets);
    offsets
}

/// The graphs of all functions with a body, in the order of the text.
pub fn flows(view: View<'_>) -> Vec<Flow> {
    let mut flows: Vec<Flow> =
        function_starts(view).into_iter().filter_map(|offset| flow(view, offset)).collect();
    // Two names of one body.
    let mut seen = FxHashSet::default();
    flows.retain(|flow| seen.insert((flow.function.clone(), flow.nodes.first().map(|node| node.range))));
    flows
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use wavelens_base::Dialect;

    use super::*;
    use crate::features::tests::at_cursor;

    fn check(dialect: Dialect, fixture: &str, expected: expect_test::Expect) {
        let text = at_cursor(dialect, fixture, |view, _| {
            let whole = view.whole_text();
            let mut out = String::new();
            for flow in flows(view) {
                let name = |n: usize| flow.nodes.get(n).map_or("?", |n| n.name.as_str());
                out.push_str(&format!("{}\n", flow.function));
                for node in &flow.nodes {
                    let text = whole.get(std::ops::Range::<usize>::from(node.range)).unwrap_or("?");
                    let (first, last) = (text.lines().next(), text.lines().last());
                    let (first, last) = (first.unwrap_or("").trim(), last.unwrap_or("").trim());
                    out.push_str(&format!("  {} ({}): {first} .. {last}\n", node.name, node.instructions));
                }
                for edge in &flow.edges {
                    out.push_str(&format!("  {} -> {} {}\n", name(edge.from), name(edge.to), edge.label));
                }
                for edge in flow.dominator_tree().edges {
                    out.push_str(&format!("  {} dominates {}\n", name(edge.from), name(edge.to)));
                }
            }
            out
        });
        expected.assert_eq(&text);
    }

    #[test]
    fn beside_functions_the_next_one_is_nearest() {
        let nearest = |fixture: &str| {
            let at = |view: View<'_>, at| nearest_flow(view, at).map(|f| f.function).unwrap_or_default();
            at_cursor(Dialect::Llvm, fixture, at)
        };
        assert_eq!(nearest("$0@g = global i8 0\ndefine void @a() {\n  ret void\n}\n"), "@a");
        let two =
            "define void @a() {\n  ret void\n}\n\n$0@g = global i8 0\ndefine void @b() {\n  ret void\n}\n";
        assert_eq!(nearest(two), "@b");
        assert_eq!(nearest("define void @a() {\n  ret void\n}\n\n!0 = !{$0}\n"), "@a");
        assert_eq!(nearest("@g = $0global i8 0\n"), "");
    }

    #[test]
    fn llvm() {
        check(
            Dialect::Llvm,
            "declare void @g()\n\ndefine void @f(i1 %c) {\nentry:\n  br label %loop\n\nloop:\n  br i1 %c, label %loop, label %done\n\ndone:\n  call void @g()\n  ret void\n}\n",
            expect![[r#"
                @f
                  %entry (1): entry: .. br label %loop
                  %loop (1): loop: .. br i1 %c, label %loop, label %done
                  %done (2): done: .. ret void
                  %entry -> %loop 
                  %loop -> %loop true
                  %loop -> %done false
                  %entry dominates %loop
                  %loop dominates %done
            "#]],
        );
    }

    #[test]
    fn mir() {
        check(
            Dialect::Mir,
            "name: f\nbody: |\n  bb.0:\n    successors: %bb.1(0x60000000), %bb.2(0x20000000)\n    S_CBRANCH_SCC1 %bb.2, implicit $scc\n\n  bb.1:\n    successors: %bb.2\n    S_NOP 0\n\n  bb.2:\n    S_ENDPGM 0\n...\n",
            expect![[r#"
                f
                  bb.0 (1): bb.0: .. S_CBRANCH_SCC1 %bb.2, implicit $scc
                  bb.1 (1): bb.1: .. S_NOP 0
                  bb.2 (1): bb.2: .. S_ENDPGM 0
                  bb.0 -> bb.1 75 %
                  bb.0 -> bb.2 25 %
                  bb.1 -> bb.2 
                  bb.0 dominates bb.1
                  bb.0 dominates bb.2
            "#]],
        );
    }

    #[test]
    fn spirv() {
        check(
            Dialect::Spirv,
            "OpName %f \"main\"\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%bool = OpTypeBool\n%true = OpConstantTrue %bool\n%f = OpFunction %void None %fn\n%a = OpLabel\nOpSelectionMerge %c None\nOpBranchConditional %true %b %c\n%b = OpLabel\nOpBranch %c\n%c = OpLabel\nOpReturn\nOpFunctionEnd\n",
            expect![[r#"
                main
                  %a (2): %a = OpLabel .. OpBranchConditional %true %b %c
                  %b (1): %b = OpLabel .. OpBranch %c
                  %c (1): %c = OpLabel .. OpReturn
                  %a -> %b true
                  %a -> %c false, merge
                  %b -> %c merge
                  %a dominates %b
                  %a dominates %c
            "#]],
        );
    }

    #[test]
    fn amdgpu() {
        check(
            Dialect::Amdgpu,
            ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1030\"\n.type f,@function\nf:\n  s_cbranch_scc1 end\n  s_nop 0\nend:\n  s_endpgm\n.type g,@function\ng:\n  s_endpgm\n",
            expect![[r#"
                f
                  f (1): s_cbranch_scc1 end .. s_cbranch_scc1 end
                  +1 (1): s_nop 0 .. s_nop 0
                  end (1): s_endpgm .. s_endpgm
                  f -> +1 false
                  f -> end true
                  +1 -> end 
                  f dominates +1
                  f dominates end
                g
                  g (1): s_endpgm .. s_endpgm
            "#]],
        );
    }
}
