//! Where blocks and edges go: layers from the top, every edge from one layer to the next. `rust-sugiyama` orders the layers and
//! aligns what is in them.

use std::panic::{AssertUnwindSafe, catch_unwind};

use rust_sugiyama::configure::{Config, RankingType};

/// Pixels between blocks of a layer, between layers, and the width kept free for an edge that passes a layer.
const BESIDE: f64 = 26.0;
const BELOW: f64 = 44.0;
const PASSING: f64 = 10.0;
/// Pixels between edges at the rim of a block.
const PORTS: f64 = 40.0;

/// Pixels from the left and the top.
pub(super) type Point = (f64, f64);

/// A drawn graph.
#[derive(Debug, Default)]
pub(super) struct Layout {
    /// The upper left corner of each block.
    pub(super) corners: Vec<Point>,
    /// In the order of the edges given.
    pub(super) routes: Vec<Route>,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// The way of an edge.
#[derive(Debug, Clone, Default)]
pub(super) struct Route {
    /// From the upper end to the lower.
    pub(super) points: Vec<Point>,
    /// The edge leads up: its head is at the first point.
    pub(super) back: bool,
    /// It leads to the block it leaves, around its right side.
    pub(super) own: bool,
}

/// Layers of an acyclic version of the graph.
struct Layers {
    /// Of each block; longest path from a root.
    layer: Vec<usize>,
    /// Edges turned round to break cycles.
    turned: Vec<bool>,
}

/// Places blocks of given widths and heights. `None` when the library fails.
pub(super) fn place(sizes: &[(f64, f64)], edges: &[(usize, usize)]) -> Option<Layout> {
    let Layers { layer, turned } = layers(sizes.len(), edges);
    // Blocks first, then a point wherever an edge passes a layer.
    let mut vertices: Vec<(u32, (f64, f64))> = (0u32..).zip(sizes.iter().copied()).collect();
    let mut layer_of = layer.clone();
    let mut links = Vec::new();
    let mut chains = Vec::new();
    for (&(from, to), turned) in edges.iter().zip(&turned) {
        let (upper, lower) = if *turned { (to, from) } else { (from, to) };
        let mut chain = vec![upper];
        for between in layer[upper] + 1..layer[lower] {
            chain.push(vertices.len());
            vertices.push((vertices.len() as u32, (PASSING, 1.0)));
            layer_of.push(between);
        }
        if upper != lower {
            chain.push(lower);
        }
        links.extend(chain.windows(2).map(|w| (w[0] as u32, w[1] as u32)));
        chains.push(chain);
    }
    links.sort_unstable();
    links.dedup();
    let x = columns(&vertices, &links)?;

    let mut heights = vec![0f64; layer.iter().max().map_or(0, |l| l + 1)];
    for (size, layer) in sizes.iter().zip(&layer) {
        heights[*layer] = heights[*layer].max(size.1);
    }
    let mut tops = Vec::with_capacity(heights.len());
    let mut height = 0.0;
    for h in &heights {
        tops.push(height);
        height += h + BELOW;
    }
    let left = (0..vertices.len()).map(|v| x[v] - vertices[v].1.0 / 2.0).fold(f64::MAX, f64::min);
    let right = (0..vertices.len()).map(|v| x[v] + vertices[v].1.0 / 2.0).fold(0.0, f64::max);
    let x: Vec<f64> = x.iter().map(|x| x - left).collect();
    let corners: Vec<Point> =
        sizes.iter().zip(&layer).zip(&x).map(|((s, l), x)| (x - s.0 / 2.0, tops[*l])).collect();

    let (below, above) = ports(&chains, &x, sizes);
    let routes = chains.iter().zip(&turned).enumerate().map(|(edge, (chain, turned))| {
        let mut points = Vec::new();
        if let [only] = chain.as_slice() {
            let ((x, y), (w, h)) = (corners[*only], sizes[*only]);
            points = vec![(x + w, y + h * 0.3), (x + w, y + h * 0.7)];
        }
        if let [upper, between @ .., lower] = chain.as_slice() {
            points.push((below[edge], corners[*upper].1 + sizes[*upper].1));
            for point in between {
                let layer = layer_of[*point];
                points.extend([(x[*point], tops[layer]), (x[*point], tops[layer] + heights[layer])]);
            }
            points.push((above[edge], corners[*lower].1));
        }
        Route { points, back: *turned, own: chain.len() == 1 }
    });
    Some(Layout {
        routes: routes.collect(),
        corners,
        width: (right - left).max(0.0) + BESIDE,
        height: (height - BELOW).max(0.0),
    })
}

fn layers(blocks: usize, edges: &[(usize, usize)]) -> Layers {
    let mut out = vec![Vec::new(); blocks];
    for (index, (from, to)) in edges.iter().enumerate() {
        out[*from].push((index, *to));
    }
    let mut turned = vec![false; edges.len()];
    let mut order = Vec::with_capacity(blocks);
    // 0: not seen; 1: on the path; 2: done.
    let mut state = vec![0u8; blocks];
    for root in 0..blocks {
        if state[root] != 0 {
            continue;
        }
        let mut path = vec![(root, 0)];
        state[root] = 1;
        while let Some((block, next)) = path.last_mut() {
            match out[*block].get(*next) {
                Some((edge, to)) => {
                    *next += 1;
                    match state[*to] {
                        0 => {
                            state[*to] = 1;
                            path.push((*to, 0));
                        }
                        1 => turned[*edge] = true,
                        _ => {}
                    }
                }
                None => {
                    state[*block] = 2;
                    order.push(*block);
                    path.pop();
                }
            }
        }
    }
    let mut down = vec![Vec::new(); blocks];
    for (&(from, to), turned) in edges.iter().zip(&turned).filter(|((from, to), _)| from != to) {
        let (upper, lower) = if *turned { (to, from) } else { (from, to) };
        down[upper].push(lower);
    }
    let mut layer = vec![0; blocks];
    // A reverse post-order of the search is a topological order of what is left when its back edges are turned.
    for upper in order.into_iter().rev() {
        for lower in &down[upper] {
            layer[*lower] = layer[*lower].max(layer[upper] + 1);
        }
    }
    Layers { layer, turned }
}

/// The middle of each vertex, from the left.
fn columns(vertices: &[(u32, (f64, f64))], links: &[(u32, u32)]) -> Option<Vec<f64>> {
    let config = Config {
        vertex_spacing: BESIDE,
        ranking_type: RankingType::Up,
        dummy_vertices: false,
        transpose: vertices.len() < 400,
        ..Config::default()
    };
    let place = || rust_sugiyama::from_vertices_and_edges(vertices, links, &config);
    let parts = catch_unwind(AssertUnwindSafe(place)).ok()?;
    let mut x = vec![0.0; vertices.len()];
    let mut start = 0.0;
    for (part, ..) in parts {
        let half = |v: usize| vertices.get(v).map_or(0.0, |v| v.1.0 / 2.0);
        let left = part.iter().map(|(v, (x, _))| x - half(*v)).fold(f64::MAX, f64::min);
        let mut end = start;
        for (vertex, (at, _)) in part {
            let at = at - left + start;
            end = f64::max(end, at + half(vertex));
            *x.get_mut(vertex)? = at;
        }
        start = end + BESIDE;
    }
    Some(x)
}

/// Where each edge leaves its upper block and enters its lower one: side by side, in the order of where they come from and go to.
fn ports(chains: &[Vec<usize>], x: &[f64], sizes: &[(f64, f64)]) -> (Vec<f64>, Vec<f64>) {
    let mut below = vec![0.0; chains.len()];
    let mut above = vec![0.0; chains.len()];
    let mut leaving = vec![Vec::new(); sizes.len()];
    let mut entering = vec![Vec::new(); sizes.len()];
    for (edge, chain) in chains.iter().enumerate() {
        if let [upper, second, ..] = chain.as_slice()
            && let [.., before, lower] = chain.as_slice()
        {
            leaving[*upper].push((x[*second], edge));
            entering[*lower].push((x[*before], edge));
        }
    }
    for (ports, all) in [(&mut below, leaving), (&mut above, entering)] {
        for (block, mut edges) in all.into_iter().enumerate() {
            edges.sort_by(|a, b| a.0.total_cmp(&b.0));
            let step = PORTS.min(sizes[block].0 / (edges.len() + 1) as f64);
            let middle = (edges.len() as f64 - 1.0) / 2.0;
            for (n, (_, edge)) in edges.into_iter().enumerate() {
                ports[edge] = x[block] + (n as f64 - middle) * step;
            }
        }
    }
    (below, above)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_do_not_overlap_and_edges_lead_down() {
        let mut state = 7u32;
        let mut random = move |n: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            ((state >> 16) % n) as usize
        };
        for blocks in 1..40u32 {
            let sizes: Vec<_> =
                (0..blocks).map(|_| (40.0 + random(200) as f64, 20.0 + random(90) as f64)).collect();
            let edges: Vec<_> = (0..blocks * 2).map(|_| (random(blocks), random(blocks))).collect();
            let layout = place(&sizes, &edges).expect("a layout");
            let boxes: Vec<_> = layout.corners.iter().zip(&sizes).collect();
            for (n, (a, s)) in boxes.iter().enumerate() {
                assert!(
                    a.0 >= -0.01 && a.0 + s.0 <= layout.width + 0.01 && a.1 + s.1 <= layout.height + 0.01
                );
                for (b, t) in &boxes[..n] {
                    let beside = a.0 + s.0 <= b.0 + 0.01 || b.0 + t.0 <= a.0 + 0.01;
                    let below = a.1 + s.1 <= b.1 || b.1 + t.1 <= a.1;
                    assert!(beside || below, "{a:?} {s:?} {b:?} {t:?}");
                }
            }
            for route in &layout.routes {
                assert!(route.points.windows(2).all(|w| w[0].1 <= w[1].1), "{route:?}");
            }
        }
    }
}
