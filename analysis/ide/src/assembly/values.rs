//! Where the values in registers come from, and where they are last used.

use wavelens_amdgpu::flow::{EffectsOf, Graph, RegSet, dword_name, dwords};
use wavelens_codegen::MoveKind::{self, Copy, Reload, Spill};
use wavelens_isa::{Access, RegFile};

/// Vector registers that hold one value, or parts of one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CodeValue {
    /// `v3` or `v[4:7]`.
    pub registers: String,
    /// How many registers.
    pub size: u32,
    /// Instructions whose result it can be, ascending; none where it is there at the start.
    pub(crate) writers: Vec<usize>,
    /// The last instruction, in the order of the text, that can read it.
    pub(crate) last_use: Option<usize>,
}

/// An instruction that only moves a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeMove {
    /// Spill, reload or copy.
    pub kind: MoveKind,
    /// Number of the instruction.
    pub at: usize,
    /// `v3` or `v[4:7]`.
    pub registers: String,
    /// The instruction that computed the value; for a reload, the first that reads it.
    pub origin: Option<usize>,
}

impl CodeValue {
    /// Numbers instructions from another start.
    pub(super) fn shift(&mut self, by: usize) {
        self.writers.iter_mut().chain(&mut self.last_use).for_each(|at| *at += by);
    }
}

impl CodeMove {
    /// Numbers instructions from another start.
    pub(super) fn shift(&mut self, by: usize) {
        std::iter::once(&mut self.at).chain(&mut self.origin).for_each(|at| *at += by);
    }
}

/// Instructions that are looked at for the values of one function: a walk for each register can be much longer than the code.
const MAX_STEPS: usize = 20_000_000;

/// Which way paths are followed.
#[derive(Clone, Copy)]
enum Direction {
    Back,
    Forward,
}

/// The paths of one function.
pub(super) struct Paths<'g, 'p> {
    graph: &'g Graph<'p>,
    steps: usize,
}

impl<'g, 'p> Paths<'g, 'p> {
    pub(super) fn new(graph: &'g Graph<'p>) -> Self {
        Paths { graph, steps: 0 }
    }

    fn block_of(&self, at: usize) -> usize {
        self.graph.starts.partition_point(|start| *start <= at).saturating_sub(1)
    }

    /// The instructions whose result a register can hold before an instruction.
    fn writers(&mut self, dword: usize, at: usize) -> Vec<usize> {
        self.along(Direction::Back, at, |effects| {
            let write = access(effects.writes, dword);
            (write.is_some(), write.is_some_and(|w| !w.partial()))
        })
    }

    /// The instructions that can read what a register holds before an instruction.
    fn readers(&mut self, dword: usize, at: usize) -> Vec<usize> {
        self.along(Direction::Forward, at, |effects| {
            let is_read = access(effects.reads, dword).is_some();
            (is_read, access(effects.writes, dword).is_some_and(|w| !w.partial()))
        })
    }

    /// The instructions on all paths from before an instruction, ascending: `visit` tells which are meant, and which end their path.
    fn along(
        &mut self,
        direction: Direction,
        at: usize,
        visit: impl Fn(&EffectsOf<'_>) -> (bool, bool),
    ) -> Vec<usize> {
        let graph = self.graph;
        let mut found = Vec::new();
        let mut reached = vec![false; graph.cfg.len()];
        let block = self.block_of(at);
        let instructions = graph.block(block);
        let part = match direction {
            Direction::Back => instructions.start..at,
            Direction::Forward => at..instructions.end,
        };
        let mut open = vec![(block, part)];
        while let Some((block, mut range)) = open.pop() {
            let mut is_at_end = false;
            while !is_at_end
                && let Some(index) = match direction {
                    Direction::Back => range.next_back(),
                    Direction::Forward => range.next(),
                }
            {
                self.steps += 1;
                let Some(effects) = graph.effects.get(index) else { continue };
                let (is_meant, is_last) = visit(&effects);
                found.extend(is_meant.then_some(index));
                is_at_end = is_last;
            }
            if is_at_end || self.steps > MAX_STEPS {
                continue;
            }
            let next = match direction {
                Direction::Back => graph.cfg.predecessors(block as u32),
                Direction::Forward => graph.cfg.successors(block as u32),
            };
            for next in next {
                if let Some(reached) = reached.get_mut(*next as usize)
                    && !std::mem::replace(reached, true)
                {
                    open.push((*next as usize, graph.block(*next as usize)));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The vector registers of a set that is live before an instruction; neighbours that the same instructions wrote are one value.
    pub(super) fn live_values(&mut self, live: &RegSet, at: usize) -> Vec<CodeValue> {
        let mut runs: Vec<(usize, usize, Vec<usize>, Option<usize>)> = Vec::new();
        for dword in live.vector_dwords() {
            let writers = self.writers(dword, at);
            let last_use = self.readers(dword, at).last().copied();
            match runs.last_mut() {
                Some((_, last, by, used)) if *last + 1 == dword && *by == writers => {
                    *last = dword;
                    *used = (*used).max(last_use);
                }
                _ => runs.push((dword, dword, writers, last_use)),
            }
        }
        let value = |(first, last, writers, last_use): (usize, usize, Vec<usize>, Option<usize>)| CodeValue {
            registers: name(first, last),
            size: (last - first + 1) as u32,
            writers,
            last_use,
        };
        // What was cut short is not known.
        if self.steps > MAX_STEPS { Vec::new() } else { runs.into_iter().map(value).collect() }
    }

    /// Spills, reloads and copies between registers. LLVM marks the first two by comments: `comment` gives that of an instruction.
    pub(super) fn moves<'t>(&mut self, comment: impl Fn(usize) -> &'t str) -> Vec<CodeMove> {
        let graph = self.graph;
        let mut found = Vec::new();
        for (at, instruction) in graph.instructions.iter().enumerate() {
            let Some(effects) = graph.effects.get(at) else { continue };
            let comment = comment(at);
            let vector =
                |accesses: &[Access]| accesses.iter().rfind(|a| !a.implicit() && is_vector(a)).copied();
            let (kind, access) = if comment.contains("Folded Spill") {
                // The value is the last vector register that is named; an address goes before it.
                (Spill, vector(effects.reads))
            } else if comment.contains("Folded Reload") {
                (Reload, vector(effects.writes))
            } else if is_copy(instruction.encoded.mnemonic()) {
                (Copy, vector(effects.reads))
            } else {
                continue;
            };
            let Some(access) = access else { continue };
            let Some(dword) = dwords(access.reg()).next() else { continue };
            let origin = match kind {
                Reload => self.readers(dword, at + 1).first().copied(),
                Spill | Copy => self.writers(dword, at).last().copied(),
            };
            if self.steps > MAX_STEPS {
                break;
            }
            found.push(CodeMove { kind, at, registers: access.reg().name(), origin });
        }
        found
    }
}

fn access(accesses: &[Access], dword: usize) -> Option<&Access> {
    accesses.iter().find(|a| dwords(a.reg()).any(|d| d == dword))
}

fn is_vector(access: &Access) -> bool {
    matches!(access.reg().file, RegFile::Vgpr | RegFile::Agpr)
}

/// Whether an instruction only copies a vector register.
fn is_copy(mnemonic: &str) -> bool {
    let name = mnemonic.trim_end_matches("_e32").trim_end_matches("_e64");
    let plain = [
        "v_mov_b32",
        "v_mov_b64",
        "v_mov_b16",
        "v_accvgpr_read_b32",
        "v_accvgpr_write_b32",
        "v_accvgpr_mov_b32",
    ];
    plain.contains(&name)
}

/// `v3`, or `v[4:7]` for several registers.
fn name(first: usize, last: usize) -> String {
    let (from, to) = (dword_name(first), dword_name(last));
    match (from.split_at_checked(1), first == last) {
        (Some((file, from)), false) => format!("{file}[{from}:{}]", to.get(1..).unwrap_or("")),
        _ => from,
    }
}
