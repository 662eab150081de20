//! Addresses of LDS in the part that belongs to one wave: sums with what is computed from the number of the wave.
//!
//! The number is read from a lane of the thread's number without its lowest bits (`v_lshrrev_b32 v3, 6, v0`, `v_readfirstlane_b32 s4, v3`).
//! Instructions are looked for on the way that the text goes, back to the first place where ways join.

use wavelens_isa::{Access, Reg, RegFile};

use crate::flow::{Graph, Steps, dwords};

/// Steps back from a register to where it came from.
const DEEPEST: u32 = 8;

/// Bits of the number of a lane, at least.
const LANE_BITS: i64 = 5;

/// The registers that a walk back reads.
pub(super) struct Origins<'g> {
    pub(super) graph: &'g Graph<'g>,
    pub(super) steps: &'g Steps,
}

impl Origins<'_> {
    /// The scalar instructions that compute from the number of the wave what is added to the address of an access.
    pub(super) fn of_wave(&self, index: usize) -> Vec<usize> {
        let mut found = Vec::new();
        let name = |a: &&Access| self.operand_name(index, a).starts_with("addr");
        if let Some(address) = self.reads(index).iter().find(name) {
            self.add_terms(index, address.reg(), DEEPEST, &mut found);
        }
        found
    }

    fn add_terms(&self, index: usize, sum: Reg, depth: u32, found: &mut Vec<usize>) {
        let Some(writer) = self.writer(index, sum).filter(|_| depth > 0) else { return };
        if !["v_add_", "v_or_b32", "v_mov_b32"].iter().any(|start| self.name(writer).starts_with(start)) {
            return;
        }
        for term in self.reads(writer).iter().filter(|a| a.operand().is_some()).map(|a| a.reg()) {
            match term.file {
                RegFile::Vgpr => self.add_terms(writer, term, depth - 1, found),
                RegFile::Sgpr if self.is_of_wave(writer, term, depth) => {
                    found.extend(self.writer(writer, term));
                }
                _ => {}
            }
        }
    }

    fn is_of_wave(&self, index: usize, reg: Reg, depth: u32) -> bool {
        let Some(writer) = self.writer(index, reg).filter(|_| depth > 0) else { return false };
        let mut sources = self.reads(writer).iter().filter(|a| a.operand().is_some()).map(|a| a.reg());
        match self.name(writer) {
            "v_readfirstlane_b32" => sources.any(|lane| self.is_number_of_wave(writer, lane)),
            "s_mul_i32" | "s_lshl_b32" | "s_mov_b32" => {
                sources.any(|reg| self.is_of_wave(writer, reg, depth - 1))
            }
            _ => false,
        }
    }

    /// Whether a register is the number of a thread without the bits of the lane.
    fn is_number_of_wave(&self, index: usize, reg: Reg) -> bool {
        let Some(writer) = self.writer(index, reg) else { return false };
        let bits = self.graph.instructions.get(writer).and_then(|i| i.encoded.number("src0"));
        self.name(writer).starts_with("v_lshrrev_b32") && bits.is_some_and(|bits| bits >= LANE_BITS)
    }

    /// The last instruction before `index` that writes a register.
    fn writer(&self, index: usize, reg: Reg) -> Option<usize> {
        let mut block = self.graph.block_of(index);
        for i in (0..index).rev() {
            if i + 1 == self.graph.block(block).start {
                let before = block.checked_sub(1)?;
                if self.graph.cfg.predecessors(block as u32) != [before as u32] {
                    return None;
                }
                block = before;
            }
            let effect = self.graph.effects.get(i)?;
            if !self.steps.spend(1) || effect.call || self.graph.follows_gap(i + 1) {
                return None;
            }
            let is_it = |w: &Access| dwords(w.reg()).any(|dword| dwords(reg).contains(&dword));
            if effect.writes.iter().any(is_it) {
                return Some(i);
            }
        }
        None
    }

    fn reads(&self, index: usize) -> &[Access] {
        self.graph.effects.get(index).map_or(&[], |effect| effect.reads)
    }

    fn name(&self, index: usize) -> &'static str {
        self.graph.instructions.get(index).map_or("", |i| i.encoded.mnemonic())
    }

    fn operand_name(&self, index: usize, access: &Access) -> &'static str {
        let operand = access.operand().zip(self.graph.instructions.get(index));
        operand.map_or("", |(operand, i)| i.encoded.operand_name(operand.into()))
    }
}
