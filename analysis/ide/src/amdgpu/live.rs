//! The live registers of a function of assembly.

use wavelens_amdgpu::flow::{RegSet, dword_name};
use wavelens_base::TextSize;

use super::Cx;
use super::queries::facts_at;
use crate::answers::LiveMap;
use crate::assembly::{Extent, Line};

/// The largest function, in instructions, that gets a map.
const INSTRUCTIONS: usize = 50_000;

/// The map of the function around an offset.
pub(crate) fn live_map(cx: &Cx<'_>, at: TextSize) -> Option<LiveMap> {
    let listing = facts_at(cx, at);
    if listing.extent == Extent::Chunk {
        return None;
    }
    let function = listing.function_at(cx.start() + at)?;
    let lines = listing.lines.get(function.lines.clone()).filter(|lines| lines.len() <= INSTRUCTIONS)?;
    let mut live: Vec<Vec<usize>> = vec![Vec::new(); lines.len()];
    let starts = function.blocks.iter().map(|(start, _)| start.saturating_sub(function.lines.start));
    let starts: Vec<usize> = starts.chain([lines.len()]).collect();
    for (block, range) in starts.windows(2).enumerate() {
        let mut set = RegSet::default();
        for (_, to, _) in function.edges.iter().filter(|(from, ..)| *from == block) {
            function.live_ins.get(*to).into_iter().for_each(|next| _ = set.union(next));
        }
        for index in (range[0]..range[1]).rev() {
            let Some(line) = lines.get(index) else { continue };
            live[index] = step_back(line, &mut set);
        }
    }
    let instructions = lines.iter().map(|line| line.instruction.range.start()).collect();
    Some(LiveMap::new(function.name.clone(), instructions, live, |dword| dword_name(*dword)))
}

/// From what is live after an instruction to what is live before it. Returns what is live there or written by it.
fn step_back(line: &Line, set: &mut RegSet) -> Vec<usize> {
    set.step_back(&line.effects.reads, &line.effects.writes);
    let mut all = *set;
    line.effects.writes.iter().for_each(|write| all.insert(write.reg()));
    all.general_dwords().collect()
}
