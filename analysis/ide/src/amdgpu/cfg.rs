//! Control flow of AMDGPU assembly, for showing it.

use wavelens_base::TextSize;

use super::Cx;
use super::queries::facts_at;
use crate::answers::{Flow, FlowEdge, FlowNode};

/// The graph of the function around an offset.
pub fn flow(cx: &Cx<'_>, at: TextSize) -> Option<Flow> {
    let listing = facts_at(cx, at);
    let function = listing.function_at(cx.start() + at)?;
    let ends = function.blocks.iter().skip(1).map(|(start, _)| *start).chain([function.lines.end]);
    let nodes = function.blocks.iter().zip(ends).filter_map(|((start, name), end)| {
        let (first, last) = (listing.lines.get(*start)?, listing.lines.get(end.checked_sub(1)?)?);
        let range = first.instruction.range.cover(last.instruction.range);
        Some(FlowNode { name: name.clone(), range, instructions: (end - start) as u32 })
    });
    let decides = |from: &usize| function.edges.iter().filter(|(other, ..)| other == from).count() > 1;
    let edges = function.edges.iter().map(|(from, to, jump)| FlowEdge {
        from: *from,
        to: *to,
        // Of a conditional branch: taken, or not.
        label: match (decides(from), jump) {
            (true, true) => "true".to_owned(),
            (true, false) => "false".to_owned(),
            (false, _) => String::new(),
        },
    });
    Some(Flow { function: function.name.clone(), nodes: nodes.collect(), edges: edges.collect() })
}
