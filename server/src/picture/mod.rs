//! Graphs of blocks as SVG, and as text in `text`.
//!
//! The picture names its colours as custom properties (`--ink`, `--paper`, ...), light or dark as the viewer likes; an editor sets them
//! to its theme's. Each block is a group with its line in `data-line`, counted from 0.

mod layout;
pub(crate) mod text;

use std::borrow::Cow;
use std::fmt::Write;

use wavelens_ide::features::Flow;
use wavelens_syntax::wording::number;

use self::layout::{Layout, Point, Route};

/// Blocks beyond which a layout takes too long to wait for.
pub(crate) const MOST_BLOCKS: usize = 1500;
/// Blocks of the part that is drawn of a graph that is too large even with its loops collapsed.
const NEARBY_BLOCKS: usize = 60;
/// Blocks beyond which only names are drawn.
const MANY_BLOCKS: usize = 80;
/// Lines and characters of a block's text that are drawn.
const LINES: usize = 12;
const COLUMNS: usize = 64;

/// Pixels.
const CHARACTER: f64 = 7.3;
const LINE: f64 = 16.0;
const MARGIN: f64 = 8.0;

const STYLE: &str = "\
svg.flow{--ink:#1f2328;--faint:#656d76;--paper:#ffffff;--block:#f6f8fa;--rim:#afb8c1;--edge:#57606a;--yes:#1a7f37;--no:#cf222e;--back:#8250df}
@media(prefers-color-scheme:dark){svg.flow{--ink:#e6edf3;--faint:#8d96a0;--paper:#0d1117;--block:#161b22;--rim:#444c56;--edge:#8d96a0;--yes:#3fb950;--no:#f85149;--back:#a371f7}}
svg.flow{background:var(--paper)}
.flow text{font:12px ui-monospace,Menlo,Consolas,monospace;fill:var(--ink);white-space:pre}
.flow .name{font-weight:bold}.flow .count,.flow .label{fill:var(--faint)}.flow .label{font-size:11px}
.flow rect{fill:var(--block);stroke:var(--rim)}
.flow path{fill:none;stroke:var(--edge);stroke-width:1.4}.flow .tip{fill:context-stroke;stroke:none}
.flow .merge{stroke-dasharray:6 3}.flow .continue{stroke-dasharray:2 3}
.flow .yes{stroke:var(--yes)}.flow .no{stroke:var(--no)}.flow .back{stroke:var(--back)}
";

/// What can be drawn of a graph.
#[derive(Debug)]
pub(crate) struct Drawable<'f> {
    pub(crate) flow: Cow<'f, Flow>,
    title: String,
}

/// The graph, or, where it has too many blocks to draw, the graph of its loops, or else the part around a block.
pub(crate) fn drawable(flow: &Flow, block: usize) -> Drawable<'_> {
    let (name, count) = (&flow.function, flow.nodes.len());
    let blocks = number(count, "blocks");
    if count <= MOST_BLOCKS {
        return Drawable { title: format!("{name}: {blocks}"), flow: Cow::Borrowed(flow) };
    }
    let collapsed = flow.collapsed();
    if collapsed.nodes.len() <= MOST_BLOCKS {
        let title = format!("{name}: {blocks}, loops and straight lines collapsed");
        return Drawable { title, flow: Cow::Owned(collapsed) };
    }
    let part = flow.near(block, NEARBY_BLOCKS);
    let at = flow.nodes.get(block).map_or("", |node| &node.name);
    let title = format!("{name}: {blocks}, the {} nearest to {at}", part.nodes.len());
    Drawable { title, flow: Cow::Owned(part) }
}

/// What is drawn of a block.
pub(crate) struct Block {
    /// Line of the file it begins in, from 0.
    pub(crate) line: u32,
    /// Its text.
    pub(crate) text: String,
}

/// Draws graphs below each other. `block` gives the part of the file that belongs to a node; `Err` is a sentence for the user.
pub(crate) fn svg(graphs: &[Drawable<'_>], block: impl Fn(&Flow, usize) -> Block) -> Result<String, String> {
    let mut body = String::new();
    let (mut width, mut height) = (0f64, 0f64);
    for Drawable { flow, title } in graphs {
        let blocks = drawn(flow, &block);
        let layout =
            place(flow, &blocks).ok_or_else(|| format!("`{}` could not be laid out", flow.function))?;
        let _ = writeln!(
            body,
            "<g class=\"function\" transform=\"translate({MARGIN} {:.0})\"><text class=\"name\" y=\"-10\">{}</text>",
            height + 3.0 * MARGIN,
            escape(title)
        );
        for (edge, route) in flow.edges.iter().zip(&layout.routes) {
            draw_edge(&mut body, &edge.label, route);
        }
        for (block, corner) in blocks.iter().zip(&layout.corners) {
            draw_block(&mut body, block, *corner);
        }
        body.push_str("</g>\n");
        width = width.max(layout.width).max(title.chars().count() as f64 * CHARACTER);
        height += layout.height + 5.0 * MARGIN;
    }
    let (width, height) = ((width + 2.0 * MARGIN).ceil(), height.ceil());
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"flow\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\">\n<style>\n{STYLE}</style>\n<defs>\
         <marker id=\"tip\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"7\" markerHeight=\"7\" \
         orient=\"auto-start-reverse\"><path class=\"tip\" d=\"M0 0L10 5L0 10z\"/></marker></defs>\n{body}</svg>\n"
    ))
}

fn drawn(flow: &Flow, block: impl Fn(&Flow, usize) -> Block) -> Vec<Drawn> {
    let brief = flow.nodes.len() > MANY_BLOCKS;
    let nodes = flow.nodes.iter().enumerate();
    nodes
        .map(|(index, node)| {
            let Block { line, text } = block(flow, index);
            let text = if brief { Vec::new() } else { excerpt(&text, &node.name) };
            Drawn { line, name: node.name.clone(), count: node.instructions, text }
        })
        .collect()
}

fn place(flow: &Flow, blocks: &[Drawn]) -> Option<Layout> {
    let sizes: Vec<_> = blocks.iter().map(Drawn::size).collect();
    let edges: Vec<_> = flow.edges.iter().map(|e| (e.from, e.to)).collect();
    let known = edges.iter().all(|(from, to)| *from < sizes.len() && *to < sizes.len());
    known.then(|| layout::place(&sizes, &edges)).flatten()
}

/// The first characters of a text.
fn shorten(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// The first lines of a block's text, without its label.
fn excerpt(text: &str, name: &str) -> Vec<String> {
    let label = name.trim_start_matches('%');
    let mut lines: Vec<String> = text
        .lines()
        .map(str::trim)
        .filter(|l| {
            let bare = l.trim_start_matches('%').trim_matches('"');
            let is_label = bare.starts_with(label) && (bare.ends_with(':') || bare.ends_with("= OpLabel"));
            // The arrows say what Machine IR's list of successors does.
            !l.is_empty() && !l.starts_with(';') && !l.starts_with("successors:") && !is_label
        })
        .map(|l| l.split_whitespace().collect::<Vec<_>>().join(" "))
        .map(|l| shorten(&l, COLUMNS))
        .collect();
    if lines.len() > LINES {
        // The end says where control goes.
        let last = lines.pop();
        let left = lines.len() - (LINES - 2);
        lines.truncate(LINES - 2);
        lines.push(format!("… {left} more"));
        lines.extend(last);
    }
    lines
}

struct Drawn {
    line: u32,
    name: String,
    count: u32,
    text: Vec<String>,
}

impl Drawn {
    fn heading(&self) -> usize {
        self.name.chars().count() + 2 + self.count.to_string().len()
    }

    /// Width and height.
    fn size(&self) -> (f64, f64) {
        let columns = self.text.iter().map(|l| l.chars().count()).max().unwrap_or(0).max(self.heading());
        (columns as f64 * CHARACTER + 2.0 * MARGIN, (self.text.len() + 1) as f64 * LINE + 1.5 * MARGIN)
    }
}

fn draw_block(out: &mut String, block: &Drawn, (x, y): Point) {
    let (width, height) = block.size();
    let (line, text_x) = (block.line, x + MARGIN);
    let _ = writeln!(
        out,
        "<g class=\"block\" data-line=\"{line}\"><title>line {}</title>\
         <rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"3\"/>\
         <text class=\"name\" x=\"{text_x:.1}\" y=\"{:.1}\">{} <tspan class=\"count\">{}</tspan></text>",
        line + 1,
        y + LINE,
        escape(&block.name),
        block.count
    );
    for (text, n) in block.text.iter().zip(2..) {
        let y = y + f64::from(n) * LINE;
        let _ = writeln!(out, "<text x=\"{text_x:.1}\" y=\"{y:.1}\">{}</text>", escape(text));
    }
    out.push_str("</g>\n");
}

fn draw_edge(out: &mut String, label: &str, route: &Route) {
    let [first, rest @ ..] = route.points.as_slice() else { return };
    let mut d = format!("M{:.1} {:.1}", first.0, first.1);
    let mut at = *first;
    for to in rest {
        let (dx, dy) = if route.own { (24.0, 0.0) } else { (0.0, (to.1 - at.1) / 2.0) };
        let _ = if at.0 == to.0 && !route.own {
            write!(d, " L{:.1} {:.1}", to.0, to.1)
        } else {
            write!(
                d,
                " C{:.1} {:.1}, {:.1} {:.1}, {:.1} {:.1}",
                at.0 + dx,
                at.1 + dy,
                to.0 + dx,
                to.1 - dy,
                to.0,
                to.1
            )
        };
        at = *to;
    }
    let kind = match label.split(", ").next().unwrap_or(label) {
        _ if route.back => "back",
        "true" => "yes",
        "false" => "no",
        _ => "plain",
    };
    let role = match label.rsplit(", ").next() {
        Some("merge") => " merge",
        Some("continue") => " continue",
        _ => "",
    };
    let end = if route.back { "marker-start" } else { "marker-end" };
    let _ = writeln!(out, "<path class=\"{kind}{role}\" d=\"{d}\" {end}=\"url(#tip)\"/>");
    if !label.is_empty() {
        // At the end that the edge leaves.
        let (x, y) = if route.back { (at.0 + 4.0, at.1 - 6.0) } else { (first.0 + 4.0, first.1 + 12.0) };
        let _ = writeln!(out, "<text class=\"label\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", escape(label));
    }
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // XML knows no other control characters.
            c if c.is_control() && c != '\t' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use wavelens_base::TextRange;
    use wavelens_ide::features::{FlowEdge, FlowNode};

    use super::*;

    fn flow(blocks: usize, edges: &[(usize, usize, &str)]) -> Flow {
        let node = |n| FlowNode { name: format!("%b{n}"), range: TextRange::default(), instructions: 3 };
        let edge = |&(from, to, label): &(usize, usize, &str)| FlowEdge { from, to, label: label.to_owned() };
        Flow {
            function: "@f<int>".to_owned(),
            nodes: (0..blocks).map(node).collect(),
            edges: edges.iter().map(edge).collect(),
        }
    }

    fn text(_: &Flow, index: usize) -> Block {
        Block { line: index as u32, text: format!("b{index}:\n  %x = icmp slt i32 %a, 4\n  ret void\n") }
    }

    #[test]
    fn loops_self_edges_and_unreachable_blocks_are_drawn() {
        let flow = flow(5, &[(0, 1, "true"), (0, 2, "false"), (1, 1, ""), (2, 0, ""), (1, 3, "")]);
        let svg = svg(&[drawable(&flow, 0)], text).unwrap_or_default();
        for block in 0..5 {
            assert!(svg.contains(&format!("data-line=\"{block}\"")), "{svg}");
        }
        assert_eq!(svg.matches("<path class=\"back\"").count(), 2, "{svg}");
        assert!(svg.contains("class=\"yes\"") && svg.contains("@f&lt;int&gt;: 5 blocks"));
        assert!(!svg.contains("b1:"), "labels are headings already");
    }

    #[test]
    fn long_blocks_are_shortened_in_the_middle() {
        let text: String = (0..40).map(|n| format!("i{n}\n")).collect();
        let lines = excerpt(&text, "%b");
        assert_eq!(lines.len(), LINES);
        assert_eq!(lines[LINES - 2..], ["… 29 more".to_owned(), "i39".to_owned()]);
    }

    #[test]
    fn of_a_graph_without_loops_the_part_around_a_block_is_drawn() {
        let edges: Vec<(usize, usize, &str)> = (0..MOST_BLOCKS)
            .flat_map(|n| [(2 * n, 2 * n + 1, ""), (2 * n, 2 * n + 2, ""), (2 * n + 1, 2 * n + 2, "")])
            .collect();
        let flow = flow(2 * MOST_BLOCKS + 1, &edges);
        let svg = svg(&[drawable(&flow, 700)], text).expect("is drawn");
        assert!(svg.contains("@f&lt;int&gt;: 3001 blocks, the 60 nearest to %b700"), "{svg}");
        assert!(svg.contains(">%b700 <") && !svg.contains(">%b800 <"), "{svg}");
    }

    #[test]
    fn a_large_graph_is_drawn_without_the_insides_of_loops() {
        let edges: Vec<(usize, usize, &str)> = (0..MOST_BLOCKS)
            .flat_map(|n| [(n, n + 1, ""), (n + 1, n.max(1), "")])
            .chain([(MOST_BLOCKS, MOST_BLOCKS + 1, "")])
            .collect();
        let svg = svg(&[drawable(&flow(MOST_BLOCKS + 2, &edges), 0)], text).expect("is drawn");
        assert!(svg.contains("blocks, loops and straight lines collapsed"), "{svg}");
    }
}
