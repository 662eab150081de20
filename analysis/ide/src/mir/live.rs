//! Registers that are live at an instruction.

use wavelens_isa::mir::Tables;
use wavelens_mir::model::{Function, Instruction, OperandKind, RegisterName, Symbol, operand_flag};

use super::Cx;
use super::ide_support::{Virtual, block_index, successors, tables, virtuals};
use crate::answers::LiveMap;

/// Words of all blocks' sets together; larger functions are left alone.
const WORDS: usize = 1 << 22;
/// Registers that are named.
const NAMED: usize = 24;

/// A set of virtual registers and of register units.
type Set = Vec<u64>;

fn set(set: &mut Set, bit: usize, value: bool) {
    if let Some(word) = set.get_mut(bit / 64) {
        *word = *word & !(1 << (bit % 64)) | u64::from(value) << (bit % 64);
    }
}

fn has(set: &Set, bit: usize) -> bool {
    set.get(bit / 64).is_some_and(|word| word >> (bit % 64) & 1 != 0)
}

struct Liveness<'a> {
    cx: &'a Cx<'a>,
    f: &'a Function,
    tables: Option<&'static Tables>,
    /// Bits of virtual registers come first, then those of units.
    virtuals: usize,
    words: usize,
    /// What each block reads in phis of its successors.
    phi_uses: Vec<Vec<usize>>,
}

impl<'a> Liveness<'a> {
    fn new(cx: &'a Cx<'a>, f: &'a Function) -> Option<Self> {
        let tables = tables(cx);
        let virtuals = f.registers.len();
        let words = (virtuals + tables.map_or(0, |t| t.facts().units)).div_ceil(64);
        if f.broken || words.checked_mul(f.blocks.len())? > WORDS {
            return None;
        }
        let mut phi_uses = vec![Vec::new(); f.blocks.len()];
        for inst in f.instructions.iter().filter(|i| is_phi(f, i)) {
            for pair in f.operands_of(inst).windows(2) {
                let [value, block] = pair else { continue };
                let (Some(register), OperandKind::Block(number, _)) = (value.register(), block.kind) else {
                    continue;
                };
                let from = block_index(f, number);
                if let (RegisterName::Virtual(v), Some(uses)) =
                    (register.name, from.and_then(|b| phi_uses.get_mut(b)))
                {
                    uses.push(v as usize);
                }
            }
        }
        Some(Liveness { cx, f, tables, virtuals, words, phi_uses })
    }

    fn units(&self, name: Symbol) -> Vec<usize> {
        let Some(tables) = self.tables else { return Vec::new() };
        let register = tables.register(self.f.names.get(name));
        register.map_or_else(Vec::new, |r| tables.units(r).map(|u| self.virtuals + usize::from(u)).collect())
    }

    fn bits(&self, name: RegisterName) -> Vec<usize> {
        match name {
            RegisterName::None => Vec::new(),
            RegisterName::Virtual(v) => vec![v as usize],
            RegisterName::Physical(name) => self.units(name),
        }
    }

    /// From what is live after an instruction to what is live before it.
    fn step(&self, inst: &Instruction, live: &mut Set) {
        if self.f.opcode_text(inst).starts_with("DBG_") {
            return;
        }
        let operands = self.f.operands_of(inst);
        for operand in operands {
            match operand.kind {
                OperandKind::Register(register) if operand.is_def() => {
                    let is_part = register.sub.is_some() && !operand.has(operand_flag::UNDEF);
                    if !is_part {
                        self.bits(register.name).into_iter().for_each(|bit| set(live, bit, false));
                    }
                }
                OperandKind::Mask(name) => self.clobber(name, live),
                _ => {}
            }
        }
        if is_phi(self.f, inst) {
            return;
        }
        for operand in operands {
            let Some(register) = operand.register() else { continue };
            let is_part = operand.is_def() && register.sub.is_some();
            let reads =
                !operand.has(operand_flag::UNDEF | operand_flag::DEBUG) && (!operand.is_def() || is_part);
            if reads && !operand.has(operand_flag::INTERNAL) {
                self.bits(register.name).into_iter().for_each(|bit| set(live, bit, true));
            }
        }
    }

    /// Adds what an instruction writes, whether or not anything reads it.
    fn add_written(&self, inst: &Instruction, live: &mut Set) {
        for operand in self.f.operands_of(inst).iter().filter(|operand| operand.is_def()) {
            if let OperandKind::Register(register) = operand.kind {
                self.bits(register.name).into_iter().for_each(|bit| set(live, bit, true));
            }
        }
    }

    /// A call destroys the units that its mask does not keep.
    fn clobber(&self, name: Symbol, live: &mut Set) {
        let Some(tables) = self.tables else { return };
        let name = self.f.names.get(name);
        let Some(mask) = tables.facts().masks.iter().position(|m| m.eq_ignore_ascii_case(name)) else {
            return;
        };
        for unit in 0..tables.facts().units {
            if !tables.mask_keeps(mask, unit as u16) {
                set(live, self.virtuals + unit, false);
            }
        }
    }

    /// What is live at the start of each block.
    fn at_starts(&self) -> Vec<Set> {
        let count = self.f.blocks.len();
        let next: Vec<Vec<usize>> = (0..count).map(|block| successors(self.cx, self.f, block)).collect();
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (block, to) in next.iter().enumerate() {
            for to in to {
                before[*to].push(block);
            }
        }
        let mut starts = vec![vec![0; self.words]; count];
        let mut open: Vec<usize> = (0..count).collect();
        let mut waits = vec![true; count];
        while let Some(block) = open.pop() {
            self.cx.view.db.unwind_if_revision_cancelled();
            waits[block] = false;
            let mut live = self.at_end(block, next.get(block).map_or(&[], Vec::as_slice), &starts);
            let own = self.f.blocks.get(block).map_or(&[][..], |b| b.instructions.of(&self.f.instructions));
            own.iter().rev().for_each(|inst| self.step(inst, &mut live));
            if starts[block] != live {
                starts[block] = live;
                for from in &before[block] {
                    if !std::mem::replace(&mut waits[*from], true) {
                        open.push(*from);
                    }
                }
            }
        }
        starts
    }

    fn at_end(&self, block: usize, next: &[usize], starts: &[Set]) -> Set {
        let mut live = vec![0; self.words];
        for start in next.iter().filter_map(|to| starts.get(*to)) {
            live.iter_mut().zip(start).for_each(|(word, own)| *word |= own);
        }
        self.phi_uses.get(block).into_iter().flatten().for_each(|v| set(&mut live, *v, true));
        live
    }
}

fn is_phi(f: &Function, inst: &Instruction) -> bool {
    matches!(f.opcode_text(inst), "PHI" | "G_PHI")
}

/// The registers whose values are needed at an instruction or later, as a line of text.
pub(super) fn live_before(cx: &Cx<'_>, f: &Function, index: usize) -> Option<String> {
    let liveness = Liveness::new(cx, f)?;
    let block = f.blocks.iter().position(|b| b.instructions.indices().contains(&index))?;
    let starts = liveness.at_starts();
    let mut live = liveness.at_end(block, &successors(cx, f, block), &starts);
    let own = f.blocks.get(block)?.instructions.indices();
    for inst in f.instructions.get(index..own.end)?.iter().rev() {
        liveness.step(inst, &mut live);
    }
    let names: Vec<String> =
        virtual_names(f, &live).into_iter().chain(physical_names(cx, f, &liveness, &live)).collect();
    if names.is_empty() {
        return Some("Live before: nothing".to_owned());
    }
    let shown: Vec<String> = names.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
    let more = match names.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!("Live before ({}): {}{more}", names.len(), shown.join(", ")))
}

/// The largest function, in instructions, that gets a map.
const INSTRUCTIONS: usize = 20_000;

/// The live registers at each instruction of the chunk's function.
pub(crate) fn live_map(cx: &Cx<'_>) -> Option<LiveMap> {
    let f = super::ide_support::function(cx).filter(|f| f.instructions.len() <= INSTRUCTIONS)?;
    let liveness = Liveness::new(cx, f)?;
    let starts = liveness.at_starts();
    let physical = physical_registers(cx, f, &liveness);
    let (mut instructions, mut live) = (Vec::new(), Vec::new());
    for (block, own) in f.blocks.iter().enumerate() {
        let mut set = liveness.at_end(block, &successors(cx, f, block), &starts);
        let first = live.len();
        for inst in own.instructions.of(&f.instructions).iter().rev() {
            liveness.step(inst, &mut set);
            let mut all = set.clone();
            liveness.add_written(inst, &mut all);
            let virtuals = (0..liveness.virtuals).filter(|v| has(&all, *v));
            let named = named_physical(&physical, &liveness, &all).into_iter().map(|n| liveness.virtuals + n);
            live.push(virtuals.chain(named).collect::<Vec<usize>>());
            instructions.push(cx.start() + inst.range.start());
        }
        live[first..].reverse();
        instructions[first..].reverse();
    }
    let all = virtuals(f);
    let name = |number: &usize| match number.checked_sub(liveness.virtuals) {
        Some(n) => physical.get(n).map_or_else(String::new, |(name, _)| format!("${name}")),
        None => virtual_name(f, &all, *number),
    };
    Some(LiveMap::new(f.properties.name.text.to_string(), instructions, live, name))
}

fn virtual_names(f: &Function, live: &Set) -> Vec<String> {
    let all = virtuals(f);
    (0..f.registers.len()).filter(|v| has(live, *v)).map(|v| virtual_name(f, &all, v)).collect()
}

fn virtual_name(f: &Function, all: &[Virtual], v: usize) -> String {
    let class = all.get(v).map_or("", |info| f.names.get(info.class));
    let colon = if class.is_empty() { "" } else { ":" };
    format!("{}{colon}{class}", f.register_text(v as u32))
}

/// The physical registers that the function names, without reserved ones, with their units: large ones first.
fn physical_registers<'a>(
    cx: &Cx<'_>,
    f: &'a Function,
    liveness: &Liveness<'_>,
) -> Vec<(&'a str, Vec<usize>)> {
    let Some(tables) = liveness.tables else { return Vec::new() };
    let rows = cx.scope.rows_of(Some(f), tables);
    let named = f.physical_registers().into_iter().map(|name| f.names.get(name));
    let named = named.filter_map(|name| Some((name, tables.register(name)?)));
    let named =
        named.filter(|(_, register)| !tables.units(*register).any(|u| tables.is_reserved_unit(rows, u)));
    let mut found: Vec<(&str, Vec<usize>)> = named
        .map(|(name, register)| (name, tables.units(register).map(usize::from).collect::<Vec<_>>()))
        .filter(|(_, units)| !units.is_empty())
        .collect();
    found.sort_by_key(|(_, units)| std::cmp::Reverse(units.len()));
    found
}

/// Numbers of the registers whose units are all live, without parts of others, in the order of the machine.
fn named_physical(all: &[(&str, Vec<usize>)], liveness: &Liveness<'_>, live: &Set) -> Vec<usize> {
    let mut kept: Vec<usize> = Vec::new();
    for (number, (_, units)) in all.iter().enumerate() {
        let is_live = units.iter().all(|u| has(live, liveness.virtuals + u));
        if is_live && !kept.iter().any(|other| units.iter().all(|u| all[*other].1.contains(u))) {
            kept.push(number);
        }
    }
    kept.sort_by_key(|number| all[*number].1.first().copied());
    kept
}

/// The physical registers that the function names and whose units are all live, without parts of others and reserved ones.
fn physical_names(cx: &Cx<'_>, f: &Function, liveness: &Liveness<'_>, live: &Set) -> Vec<String> {
    let all = physical_registers(cx, f, liveness);
    named_physical(&all, liveness, live).into_iter().map(|number| format!("${}", all[number].0)).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use wavelens_base::Dialect;

    use crate::features;
    use crate::features::tests::at_cursor;

    #[test]
    fn values_are_live_up_to_their_last_use() {
        let text = "--- |\n  target triple = \"amdgcn-amd-amdhsa\"\n  define void @f() { ret void }\n...\n---\nname: f\nbody: |\n  bb.0:\n    liveins: $vgpr0_vgpr1, $sgpr4\n    %0:vgpr_32 = COPY $vgpr1\n    %1:sreg_32 = COPY $sgpr4\n    %2:vgpr_32 = V_MOV_B32_e32 0, implicit $exec\n  bb.1:\n    %3:vgpr_32 = PHI %0, %bb.0, %4, %bb.1\n    %4:vgpr_32 = V_ADD_U32_e64 %3, %2, 0, implicit $exec\n    S_CMP_EQ_U32 %1, 0, implicit-def $scc\n    S_CBRANCH_SCC1 %bb.1, implicit $scc\n  bb.2:\n    S_ENDPGM 0\n...\n";
        let live = |at: &str| {
            at_cursor(Dialect::Mir, &text.replacen(at, &format!("$0{at}"), 1), |view, offset| {
                let hover = features::hover(view, offset).map_or(String::new(), |h| h.markdown);
                hover.lines().rfind(|l| l.starts_with("Live")).unwrap_or("nothing").to_owned()
            })
        };
        let shown: String =
            ["COPY $vgpr1", "COPY $sgpr4", "V_MOV", "PHI", "V_ADD", "S_CMP", "S_CBRANCH", "S_ENDPGM"]
                .iter()
                .map(|at| format!("{at}: {}\n", live(at)))
                .collect();
        expect![[r#"
            COPY $vgpr1: Live before (2): `$sgpr4`, `$vgpr1`
            COPY $sgpr4: Live before (2): `%0:vgpr_32`, `$sgpr4`
            V_MOV: Live before (2): `%0:vgpr_32`, `%1:sreg_32`
            PHI: Live before (2): `%1:sreg_32`, `%2:vgpr_32`
            V_ADD: Live before (3): `%1:sreg_32`, `%2:vgpr_32`, `%3:vgpr_32`
            S_CMP: Live before (3): `%1:sreg_32`, `%2:vgpr_32`, `%4:vgpr_32`
            S_CBRANCH: Live before (4): `%1:sreg_32`, `%2:vgpr_32`, `%4:vgpr_32`, `$scc`
            S_ENDPGM: Live before: nothing
        "#]]
        .assert_eq(&shown);
    }
}
