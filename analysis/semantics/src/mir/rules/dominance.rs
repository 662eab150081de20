//! Virtual registers from block to block: what a block reads comes out of every block before it.

use rustc_hash::{FxHashMap, FxHashSet};

use super::liveness;
use crate::Diagnostic;
use crate::mir::context::{Inst, Reg, RuleContext};
use crate::mir::model::*;

wavelens_syntax::rules! {
    NOT_DOMINATED {
        code: "definition-does-not-dominate",
        severity: crate::Severity::Error,
        title: "a definition of a virtual register dominates its uses",
        explain: "On a path without a definition the register would have an unknown value. Use PHI to join values, or IMPLICIT_DEF where any value is acceptable.",
        example: r#"---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1, %bb.2

    S_CBRANCH_SCC0 %bb.2, implicit undef $scc
    S_BRANCH %bb.1

  bb.1:
    successors: %bb.2

    %0:sreg_32 = S_MOV_B32 0
    S_BRANCH %bb.2

  bb.2:
    S_NOP 0, implicit %0
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1, %bb.2

    %0:sreg_32 = S_MOV_B32 0
    S_CBRANCH_SCC0 %bb.2, implicit undef $scc
    S_BRANCH %bb.1

  bb.1:
    successors: %bb.2

    S_BRANCH %bb.2

  bb.2:
    S_NOP 0, implicit %0
    S_ENDPGM 0
...
"#,
        source: "LLVM MachineVerifier::visitMachineFunctionAfter: \"Virtual register defs don't dominate all uses.\"",
    }
}

/// A set of small numbers for each block.
#[derive(Debug, Default)]
pub(super) struct Sets {
    words: usize,
    bits: Vec<u64>,
}

impl Sets {
    pub(super) fn new(blocks: usize, numbers: usize) -> Self {
        let words = numbers.div_ceil(64);
        Sets { words, bits: vec![0; blocks * words] }
    }

    pub(super) fn has(&self, block: u32, number: u32) -> bool {
        let at = block as usize * self.words + number as usize / 64;
        self.bits.get(at).is_some_and(|w| w >> (number % 64) & 1 != 0)
    }

    pub(super) fn add(&mut self, block: u32, number: u32) -> bool {
        let at = block as usize * self.words + number as usize / 64;
        let Some(word) = self.bits.get_mut(at) else { return false };
        let old = *word;
        *word |= 1 << (number % 64);
        *word != old
    }

    fn row(&self, block: u32) -> &[u64] {
        let at = block as usize * self.words;
        self.bits.get(at..at + self.words).unwrap_or(&[])
    }

    /// Adds what of a row another one does not have. Whether any was new.
    fn add_without(&mut self, block: u32, row: &[u64], without: &[u64]) -> bool {
        let at = block as usize * self.words;
        let own = self.bits.get_mut(at..at + self.words).unwrap_or(&mut []);
        let mut changed = false;
        for ((own, word), without) in own.iter_mut().zip(row).zip(without) {
            let new = word & !without & !*own;
            *own |= new;
            changed |= new != 0;
        }
        changed
    }
}

/// The numbers in a row.
fn numbers(row: impl IntoIterator<Item = u64>) -> impl Iterator<Item = u32> {
    (0..).zip(row).flat_map(|(index, mut word)| {
        std::iter::from_fn(move || {
            let bit = (word != 0).then(|| word.trailing_zeros())?;
            word &= word - 1;
            Some(index * 64 + bit)
        })
    })
}

/// What is live where.
#[derive(Debug)]
pub(super) struct Flow {
    reachable: Vec<bool>,
    pub(super) live_out: Sets,
    passed: Sets,
}

impl Flow {
    pub(super) fn new(order: &[u32], blocks: usize, registers: usize) -> Self {
        let mut reachable = vec![false; blocks];
        for block in order {
            if let Some(slot) = reachable.get_mut(*block as usize) {
                *slot = true;
            }
        }
        Flow { reachable, live_out: Sets::new(blocks, registers), passed: Sets::new(blocks, registers) }
    }

    pub(super) fn reachable(&self, block: u32) -> bool {
        self.reachable.get(block as usize).copied().unwrap_or(false)
    }

    pub(super) fn is_live_out(&self, block: u32, register: u32) -> bool {
        self.live_out.has(block, register) || self.passed.has(block, register)
    }
}

/// Registers that may pass through blocks, in one walk, as LLVM has it.
pub(super) fn pass(cx: &RuleContext<'_>, order: &[u32], flow: &mut Flow, killed: &Sets) {
    let words = flow.passed.words;
    for block in order {
        let mut row = vec![0u64; words];
        for predecessor in cx.cfg.predecessors(*block) {
            if !flow.reachable(*predecessor) {
                continue;
            }
            let (out, through) = (flow.live_out.row(*predecessor), flow.passed.row(*predecessor));
            for ((word, a), b) in row.iter_mut().zip(out).zip(through) {
                *word |= a | b;
            }
        }
        let at = *block as usize * words;
        for (i, word) in row.iter().enumerate() {
            let stop = flow.live_out.bits.get(at + i).copied().unwrap_or(0)
                | killed.bits.get(at + i).copied().unwrap_or(0);
            if let Some(slot) = flow.passed.bits.get_mut(at + i) {
                *slot = word & !stop;
            }
        }
    }
}

/// Blocks to look at, each once.
struct Queue {
    blocks: Vec<u32>,
    is_queued: Vec<bool>,
}

impl Queue {
    fn push(&mut self, block: u32) {
        if let Some(is_queued) = self.is_queued.get_mut(block as usize)
            && !std::mem::replace(is_queued, true)
        {
            self.blocks.push(block);
        }
    }

    fn pop(&mut self) -> Option<u32> {
        let block = self.blocks.pop()?;
        if let Some(is_queued) = self.is_queued.get_mut(block as usize) {
            *is_queued = false;
        }
        Some(block)
    }
}

/// What later blocks need must come out of every earlier one.
pub(super) fn require(
    cx: &mut RuleContext<'_>,
    instructions: &[Option<Inst<'_>>],
    flow: &Flow,
    killed: &Sets,
    wanted: &[FxHashMap<u32, crate::TextRange>],
) {
    let blocks = cx.f.blocks.len();
    let mut required = Sets::new(blocks, cx.f.registers.len());
    let mut places: FxHashMap<u32, crate::TextRange> = FxHashMap::default();
    let mut todo = Queue { blocks: Vec::new(), is_queued: vec![false; blocks] };
    for block in 0..blocks as u32 {
        let own: Vec<(u32, crate::TextRange)> =
            wanted.get(block as usize).map(|w| w.iter().map(|(r, p)| (*r, *p)).collect()).unwrap_or_default();
        for predecessor in cx.cfg.predecessors(block) {
            for (register, place) in &own {
                if !flow.live_out.has(*predecessor, *register) && required.add(*predecessor, *register) {
                    todo.push(*predecessor);
                    let first = places.entry(*register).or_insert(*place);
                    if place.start() < first.start() {
                        *first = *place;
                    }
                }
            }
        }
        let body = cx.block_of(block).map_or(&[][..], |b| b.instructions.of(instructions));
        for phi in body.iter().flatten().take_while(|i| i.is_phi()) {
            for index in (1..phi.order.len()).step_by(2) {
                let (Some(value), Some(from)) = (cx.operand(phi, index), cx.operand(phi, index + 1)) else {
                    continue;
                };
                let (Some(register), OperandKind::Block(number, _)) = (value.register(), from.kind) else {
                    continue;
                };
                let (Reg::Virtual(v), Some(predecessor)) = (cx.reg(register), cx.blocks.get(&number)) else {
                    continue;
                };
                let reads = !value.has(operand_flag::UNDEF) && !value.has(operand_flag::INTERNAL);
                if reads && !flow.live_out.has(*predecessor, v) && required.add(*predecessor, v) {
                    todo.push(*predecessor);
                    places.entry(v).or_insert(value.range);
                }
            }
        }
    }
    while let Some(block) = todo.pop() {
        let row = required.row(block).to_vec();
        for predecessor in cx.cfg.predecessors(block) {
            if *predecessor != block
                && required.add_without(*predecessor, &row, flow.live_out.row(*predecessor))
            {
                todo.push(*predecessor);
            }
        }
    }
    let mut reported = FxHashSet::default();
    for block in 0..blocks as u32 {
        let entry = block == 0;
        let killed_here = killed.row(block);
        let row = required.row(block).iter().zip(killed_here);
        let faulty = row.map(|(required, killed)| if entry { *required } else { required & killed });
        for register in numbers(faulty) {
            let was_killed = killed.has(block, register);
            if !reported.insert(register) {
                continue;
            }
            let name = cx.f.register_text(register);
            let place = places.get(&register).copied().unwrap_or_else(|| cx.block_range(block));
            if was_killed {
                let text = cx.block_text(block);
                let message = format!("`{name}` was killed in `{text}`, but is used here");
                let diagnostic = Diagnostic::new(&liveness::USE_AFTER_KILL, place, message);
                let killed = cx.first_operand(place, |operand| liveness::kills(cx, operand, register));
                cx.diagnostics.push(liveness::with_kill(diagnostic, killed));
            } else {
                let mut d = Diagnostic::new(
                    &NOT_DOMINATED,
                    place,
                    format!("definition of `{name}` does not dominate this use"),
                );
                if let Some((_, operand)) = cx.virtual_of(register).definition
                    && let Some(operand) = cx.f.operands.get(operand as usize)
                {
                    d = d.related(crate::Place::Here(operand.range), "definition is here");
                }
                cx.diagnostics.push(d);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::mir::rules::findings;

    #[test]
    fn dominance() {
        expect![[r#"
            error[definition-does-not-dominate] 12:23 `%0`: definition of `%0` does not dominate this use
              10:5 `%0:vgpr_32`: definition is here
        "#]].assert_eq(&findings("tracksRegLiveness: true\n", "  bb.0:\n    successors: %bb.1, %bb.2\n    S_CBRANCH_SCC1 %bb.2, implicit undef $scc\n  bb.1:\n    successors: %bb.2\n    %0:vgpr_32 = IMPLICIT_DEF\n  bb.2:\n    %1:vgpr_32 = COPY %0\n    S_ENDPGM 0\n"));
    }
}
