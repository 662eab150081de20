//! Where virtual registers hold a value: defined on each path, and not killed since.

use wavelens_base::TextSize;
use wavelens_base::cfg::Cfg;
use wavelens_mir::model::{Function, Instruction, RegisterName, operand_flag};

use super::Cx;
use super::ide_support::successors;

/// What an instruction does to a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    Reads,
    Kills,
    /// Defines it as dead.
    Discards,
    Defines,
}

impl Access {
    /// Whether the register holds another value afterwards, or none.
    fn defines(self) -> bool {
        matches!(self, Access::Defines | Access::Discards)
    }
}

/// An access, with its block and the start of its instruction.
#[derive(Debug, Clone, Copy)]
struct Event {
    block: u32,
    at: TextSize,
    access: Access,
}

/// The accesses to virtual registers, seen from an operand that is written.
#[derive(Debug)]
pub(super) struct Reaching {
    /// By register, in the order of the text; an instruction reads before it defines.
    events: Vec<Vec<Event>>,
    cfg: Cfg,
    /// The block of the operand.
    block: Option<u32>,
    /// The start of the operand's line, and of the operand.
    line: TextSize,
    operand: TextSize,
    /// Whether each register has one definition at most.
    pub(super) is_ssa: bool,
}

impl Reaching {
    pub(super) fn new(cx: &Cx<'_>, f: &Function, line: TextSize, operand: TextSize) -> Reaching {
        let mut events = vec![Vec::new(); f.registers.len()];
        for (block, source) in (0..).zip(&f.blocks) {
            for instruction in source.instructions.of(&f.instructions) {
                for (register, access) in accesses(f, instruction) {
                    if let Some(events) = events.get_mut(register as usize) {
                        events.push(Event { block, at: instruction.range.start(), access });
                    }
                }
            }
        }
        let defines = |event: &&Event| event.access.defines();
        let is_ssa = events.iter().all(|events| events.iter().filter(defines).count() < 2);
        let blocks = 0..f.blocks.len();
        let cfg = Cfg::new(blocks.map(|block| successors(cx, f, block).into_iter().map(|b| b as u32)));
        let block = f.blocks.partition_point(|block| block.range.start() <= operand).checked_sub(1);
        Reaching { events, cfg, block: block.map(|block| block as u32), line, operand, is_ssa }
    }

    fn events(&self, register: u32) -> &[Event] {
        self.events.get(register as usize).map_or(&[], Vec::as_slice)
    }

    fn in_block(&self, register: u32, block: u32) -> &[Event] {
        let events = self.events(register);
        let from = events.partition_point(|event| event.block < block);
        let to = events.partition_point(|event| event.block <= block);
        events.get(from..to).unwrap_or(&[])
    }

    /// Whether anything defines the register.
    pub(super) fn has_definition(&self, register: u32) -> bool {
        self.events(register).iter().any(|event| event.access.defines())
    }

    /// Whether the register holds a value at the operand, whatever way control comes.
    pub(super) fn has_value(&self, register: u32) -> bool {
        let Some(here) = self.block else { return self.has_definition(register) };
        let own = self.in_block(register, here);
        let before = own.partition_point(|event| event.at < self.line);
        self.has_value_after(register, here, own.get(..before).unwrap_or(&[]))
    }

    /// Whether the register holds a value where control comes from: at the end of a block, or of any block before this one.
    pub(super) fn has_value_on_edge(&self, register: u32, from: Option<u32>) -> bool {
        let Some(here) = self.block else { return self.has_definition(register) };
        let mut edges = self.cfg.predecessors(here).iter().copied();
        edges.any(|edge| {
            from.is_none_or(|from| edge == from)
                && self.has_value_after(register, edge, self.in_block(register, edge))
        })
    }

    /// Whether the register holds a value after the first events in a block.
    fn has_value_after(&self, register: u32, block: u32, events: &[Event]) -> bool {
        let tells = |access: &Access| matches!(access, Access::Kills | Access::Defines);
        let last = |events: &[Event]| events.iter().map(|event| event.access).rfind(tells);
        let defines = |access: Access| access == Access::Defines;
        let arrives = |block: u32| last(self.in_block(register, block)).map(defines);
        // Nothing comes before the entry.
        let arrives = |block: u32| arrives(block).or((block == 0).then_some(false));
        last(events).map_or_else(
            || block != 0 && self.all(block, |block| self.cfg.predecessors(block), arrives),
            defines,
        )
    }

    /// Whether control may come from a block.
    pub(super) fn is_predecessor(&self, block: usize) -> bool {
        self.block.is_none_or(|here| self.cfg.predecessors(here).contains(&(block as u32)))
    }

    /// Whether nothing reads the register's value after this instruction.
    pub(super) fn is_last_use(&self, register: u32) -> bool {
        let Some(here) = self.block else { return true };
        let defines = |event: &Event| event.access.defines();
        let own = self.in_block(register, here);
        let after = own.partition_point(|event| event.at <= self.operand);
        own.get(after).map(defines).unwrap_or_else(|| {
            let first = |block: u32| self.in_block(register, block).first().map(defines);
            self.all(here, |block| self.cfg.successors(block), first)
        })
    }

    /// Follows edges from a block, past blocks that `decides` has no answer for. Whether all its answers are yes.
    fn all<'e>(
        &self,
        start: u32,
        edges: impl Fn(u32) -> &'e [u32],
        decides: impl Fn(u32) -> Option<bool>,
    ) -> bool {
        let mut seen = vec![false; self.cfg.len()];
        let mut open = vec![start];
        while let Some(block) = open.pop() {
            for next in edges(block) {
                match decides(*next) {
                    Some(true) => {}
                    Some(false) => return false,
                    None => {
                        let seen = seen.get_mut(*next as usize);
                        open.extend(seen.is_some_and(|seen| !std::mem::replace(seen, true)).then_some(*next));
                    }
                }
            }
        }
        true
    }
}

/// What an instruction does to virtual registers, reads first.
fn accesses(f: &Function, instruction: &Instruction) -> Vec<(u32, Access)> {
    let is_phi = f.opcode_text(instruction).ends_with("PHI");
    let mut found = Vec::new();
    for operand in f.operands_of(instruction) {
        let Some(register) = operand.register() else { continue };
        let RegisterName::Virtual(index) = register.name else { continue };
        let has = |flag: u16| operand.has(flag);
        if operand.is_def() {
            let is_dead = has(operand_flag::DEAD);
            found.push((index, if is_dead { Access::Discards } else { Access::Defines }));
        } else if !has(operand_flag::UNDEF | operand_flag::INTERNAL | operand_flag::DEBUG) && !is_phi {
            let kills = has(operand_flag::KILLED);
            found.push((index, if kills { Access::Kills } else { Access::Reads }));
        }
    }
    found.sort_by_key(|(_, access)| access.defines());
    found
}
