//! Control flow of Machine IR, for showing it.

use wavelens_base::TextSize;

use super::Cx;
use super::ide_support::{block_range, function, ir, successors};
use crate::answers::{Flow, FlowEdge, FlowNode};

/// A probability in parts of 2^31, unless it is certain.
fn percent(parts: u32) -> Option<String> {
    let percent = f64::from(parts) * 100.0 / f64::from(1u32 << 31);
    let digits = usize::from(percent > 0.0 && !(1.0..=99.0).contains(&percent)) * 2;
    (parts < 1 << 31).then(|| format!("{percent:.digits$} %"))
}

/// The graph of the function around an offset.
pub fn flow(cx: &Cx<'_>, at: TextSize) -> Option<Flow> {
    if let Some(inner) = ir(cx) {
        return crate::llvm::cfg::flow(&inner, at);
    }
    let f = function(cx)?;
    let mut edges = Vec::new();
    let mut nodes = Vec::new();
    for (from, block) in f.blocks.iter().enumerate() {
        let name = f.names.get(block.name);
        let dot = if name.is_empty() { "" } else { "." };
        nodes.push(FlowNode {
            name: format!("bb.{}{dot}{name}", block.number),
            range: block_range(f, from) + cx.start(),
            instructions: block.instructions.len() as u32,
        });
        let written = block.successors.map(|s| s.of(&f.successors)).unwrap_or_default();
        let label = |to: usize| {
            let number = f.blocks.get(to).map(|b| b.number);
            let successor = written.iter().find(|s| Some(s.block) == number);
            successor.and_then(|s| s.probability).and_then(percent).unwrap_or_default()
        };
        let reached = successors(cx, f, from);
        edges.extend(reached.into_iter().map(|to| FlowEdge { from, to, label: label(to) }));
    }
    Some(Flow { function: f.properties.name.text.to_string(), nodes, edges })
}

#[cfg(test)]
mod tests {
    use super::percent;

    #[test]
    fn probabilities_are_percentages() {
        let shown = [0, 1 << 20, 1 << 30, 0x7c00_0000, 0x7fff_0000, 1 << 31].map(percent);
        let shown: Vec<_> = shown.iter().map(Option::as_deref).collect();
        assert_eq!(shown, [Some("0 %"), Some("0.05 %"), Some("50 %"), Some("97 %"), Some("100.00 %"), None]);
    }
}
