//! Control flow of SPIR-V assembly, for showing it.

use wavelens_base::TextSize;
use wavelens_spirv::blocks::{Body, functions};
use wavelens_spirv::code::Inst;
use wavelens_spirv::context::RuleContext;
use wavelens_spirv::type_names::debug_name;
use wavelens_syntax::spirv::tables::Op;

use super::Cx;
use super::place::{inst_at, module};
use crate::answers::{Flow, FlowEdge, FlowNode};

/// The graph of the function around an offset.
pub fn flow(cx: &Cx<'_>, at: TextSize) -> Option<Flow> {
    let m = module(cx);
    let here = inst_at(cx, at)? as u32 + m.first;
    let (first, last) = functions(&m).into_iter().find(|(first, last)| (*first..=*last).contains(&here))?;
    let body = Body::new(&m, first, last)?;
    let range =
        |inst: u32| cx.lowered.inst_ranges.get((inst - m.first) as usize).copied().unwrap_or_default();
    let nodes = body.blocks.iter().map(|b| FlowNode {
        name: m.name(b.label),
        range: range(b.first).cover(range(b.last)) + cx.start(),
        instructions: b.last - b.first,
    });
    let mut edges = Vec::new();
    for (from, block) in body.blocks.iter().enumerate() {
        let Some(end) = m.inst(block.last) else { continue };
        for (n, to) in body.cfg.successors(from as u32).iter().enumerate() {
            let label = match (end.op(), n) {
                (Op::BranchConditional, 0) => "true".to_owned(),
                (Op::BranchConditional, _) => "false".to_owned(),
                (Op::Switch, 0) => "default".to_owned(),
                (Op::Switch, n) => match end.operand_words(2 * n) {
                    [low, high] => (u64::from(*low) | u64::from(*high) << 32).to_string(),
                    words => words.first().map_or_else(String::new, |w| (*w as i32).to_string()),
                },
                _ => String::new(),
            };
            let role = roles(&m, &body, from as u32, *to);
            let label = [Some(label).filter(|l| !l.is_empty()), role.map(str::to_owned)];
            let label = label.into_iter().flatten().collect::<Vec<_>>().join(", ");
            edges.push(FlowEdge { from, to: *to as usize, label });
        }
    }
    let id = m.inst(first)?.id();
    let name = debug_name(&m, id).unwrap_or_else(|| m.name(id));
    Some(Flow { function: name, nodes: nodes.collect(), edges })
}

/// What an edge is in structured control flow: it ends a construct, continues a loop, or goes back to its header.
fn roles(m: &RuleContext<'_>, body: &Body, from: u32, to: u32) -> Option<&'static str> {
    let headers = body.blocks.iter().enumerate().filter_map(|(n, b)| Some((n as u32, m.inst(b.merge?)?)));
    let target = |merge: Inst<'_>, operand: usize| body.by_label.get(&merge.operand(operand)) == Some(&to);
    let mut found = None;
    for (header, merge) in headers {
        let is_loop = merge.op() == Op::LoopMerge;
        if is_loop && header == to && body.dominates(to, from) {
            return Some("back edge");
        }
        if target(merge, 0) {
            found = Some("merge");
        } else if is_loop && target(merge, 1) {
            found = found.or(Some("continue"));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use wavelens_base::Dialect;

    use crate::features;
    use crate::features::tests::at_cursor;

    #[test]
    fn edges_of_a_loop_have_their_roles() {
        let text = "%v = OpTypeVoid\n%t = OpTypeFunction %v\n%b = OpTypeBool\n%c = OpConstantTrue %b\n%f = OpFunction %v None %t\n%$0entry = OpLabel\nOpBranch %head\n%head = OpLabel\nOpLoopMerge %end %next None\nOpBranchConditional %c %body %end\n%body = OpLabel\nOpBranch %next\n%next = OpLabel\nOpBranch %head\n%end = OpLabel\nOpReturn\nOpFunctionEnd\n";
        let flow = at_cursor(Dialect::Spirv, text, features::flow).expect("a graph");
        let labels: Vec<&str> = flow.edges.iter().map(|e| e.label.as_str()).collect();
        assert_eq!(labels, ["", "true", "false, merge", "continue", "back edge"]);
    }

    #[test]
    fn edges_say_when_they_are_taken() {
        let text = "%v = OpTypeVoid\n%t = OpTypeFunction %v\n%int = OpTypeInt 32 1\n%n = OpConstant %int 1\n%b = OpTypeBool\n%c = OpConstantTrue %b\n%f = OpFunction %v None %t\n%$0entry = OpLabel\nOpSelectionMerge %end None\nOpBranchConditional %c %yes %end\n%yes = OpLabel\nOpSelectionMerge %out None\nOpSwitch %n %out 7 %seven -1 %seven\n%seven = OpLabel\nOpBranch %out\n%out = OpLabel\nOpBranch %end\n%end = OpLabel\nOpReturn\nOpFunctionEnd\n";
        let flow = at_cursor(Dialect::Spirv, text, features::flow);
        let edges = flow.map(|flow| {
            let name = |n: usize| flow.nodes.get(n).map_or("?", |n| n.name.as_str());
            let edges =
                flow.edges.iter().map(|e| format!("{} -> {} {}\n", name(e.from), name(e.to), e.label));
            edges.collect::<String>()
        });
        expect![[r#"
            %entry -> %yes true
            %entry -> %end false, merge
            %yes -> %out default, merge
            %yes -> %seven 7
            %yes -> %seven -1
            %seven -> %out merge
            %out -> %end merge
        "#]]
        .assert_eq(&edges.unwrap_or_default());
    }
}
