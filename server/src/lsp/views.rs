//! Requests beyond the protocol, for the views of editors: syntax trees, control flow, live registers.

use lsp_types::TextDocumentPositionParams;
use serde::Deserialize;
use serde_json::{Value, json};
use tower_lsp::jsonrpc::Result;
use wavelens_ide::features;

use super::requests::at;
use super::snapshot::{DocumentView, Snapshot};

/// The tree of the chunk at a position, for looking at the parser's work.
pub(super) fn syntax_tree(snapshot: &Snapshot, p: &TextDocumentPositionParams) -> Result<Option<String>> {
    let Some((_, view, offset)) = at(snapshot, p) else { return Ok(None) };
    Ok(features::syntax_tree(view, offset))
}

/// Parameters of `wavelens/controlFlow`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FlowParams {
    #[serde(flatten)]
    pub(super) at: TextDocumentPositionParams,
    /// The dominator tree instead.
    #[serde(default)]
    dominators: bool,
    /// The block to draw a large graph around: the first whose name contains this; without it, the one at the position.
    #[serde(default)]
    block: Option<String>,
}

/// The control-flow graph of the function nearest to a position: nodes and edges, in Graphviz' language, and as a picture.
pub(super) fn control_flow(snapshot: &Snapshot, p: &FlowParams) -> Result<Option<Value>> {
    let Some((document, view, offset)) = at(snapshot, &p.at) else { return Ok(None) };
    let Some(whole) = features::nearest_flow(view, offset) else { return Ok(None) };
    let whole = if p.dominators { whole.dominator_tree() } else { whole };
    let block = match &p.block {
        Some(name) => {
            let place = |is_it: &dyn Fn(&str) -> bool| whole.nodes.iter().position(|n| is_it(&n.name));
            let bare = |name: &str| name.trim_start_matches('%').to_owned();
            place(&|own| bare(own) == bare(name)).or_else(|| place(&|own| own.contains(name)))
        }
        None => whole.nodes.iter().position(|n| n.range.contains_inclusive(offset)),
    };
    let graph = crate::picture::drawable(&whole, block.unwrap_or(0));
    let flow = &graph.flow;
    let positions = &document.positions;
    let nodes: Vec<Value> = flow
        .nodes
        .iter()
        .map(|n| json!({ "name": n.name, "range": positions.range(n.range), "instructions": n.instructions }))
        .collect();
    let edges: Vec<Value> =
        flow.edges.iter().map(|e| json!({ "from": e.from, "to": e.to, "label": e.label })).collect();
    let dot = flow.dot();
    let mut answer = json!({
        "function": flow.function, "nodes": nodes, "edges": edges, "dot": dot, "blocks": whole.nodes.len(),
    });
    if let (Some(_), Some(found)) = (&p.block, block.and_then(|block| whole.nodes.get(block))) {
        answer["found"] = json!(positions.range(found.range));
    }
    match crate::picture::svg(std::slice::from_ref(&graph), blocks(document)) {
        Ok(svg) => answer["svg"] = svg.into(),
        Err(problem) => answer["problem"] = problem.into(),
    }
    Ok(Some(answer))
}

/// Where registers are live in the function around a position. Instructions are named by their lines.
pub(super) fn live_registers(snapshot: &Snapshot, p: &TextDocumentPositionParams) -> Result<Option<Value>> {
    let Some((document, view, offset)) = at(snapshot, p) else { return Ok(None) };
    let Some(map) = features::live_map(view, offset) else { return Ok(None) };
    let lines: Vec<u32> = map.instructions.iter().map(|at| document.positions.position(*at).line).collect();
    let registers = map.registers.iter().map(|r| json!({ "name": r.name, "spans": r.spans }));
    Ok(Some(json!({
        "function": map.function, "lines": lines, "registers": registers.collect::<Vec<_>>(),
    })))
}

/// Graphs of functions of a document as SVG; `Err` is a sentence for the user.
pub(super) fn picture(
    document: &DocumentView,
    flows: &[features::Flow],
) -> std::result::Result<String, String> {
    let graphs: Vec<_> = flows.iter().map(|flow| crate::picture::drawable(flow, 0)).collect();
    crate::picture::svg(&graphs, blocks(document))
}

/// The part of a document that belongs to a node.
pub(super) fn blocks(
    document: &DocumentView,
) -> impl Fn(&features::Flow, usize) -> crate::picture::Block + '_ {
    let positions = &document.positions;
    move |flow, node| {
        let range = flow.nodes.get(node).map(|n| n.range).unwrap_or_default();
        let bytes = std::ops::Range::<usize>::from(range);
        let text = positions.rope.get_byte_slice(bytes).map(|s| s.to_string()).unwrap_or_default();
        crate::picture::Block { line: positions.position(range.start()).line, text }
    }
}
