//! Expert scheduling (gfx12 and later): where `SCHED_MODE` is 2, the hardware does not check whether a vector register is still written
//! by vector instructions or still read by memory operations. `s_wait_alu` waits for both, by two counters.
//!
//! The counters are those of LLVM's SIInsertWaitcnts: `VA_VDST` counts vector instructions, `VM_VSRC` memory operations that have not read
//! their vector registers. Instructions of different pipes end out of order: while two kinds are open, only a wait for 0 covers any.

use rustc_hash::FxHashMap;
use wavelens_isa::{Access, Counter, Half, IssueClass, RegFile, Traits};

use super::halves::{BOTH, Halves, halves};
use crate::context::RuleContext;
use crate::flow::{Graph, dword_name, dwords};
use crate::rules::inserted_line::insert_before;
use crate::rules::named_operand;
use crate::wait_counters::all_waits;
use wavelens_base::{Diagnostic, Place};

wavelens_syntax::rules! {
    ALU_WAIT {
        code: "missing-alu-wait",
        severity: wavelens_base::Severity::Warning,
        title: "in expert scheduling mode, a vector register must not be used before the instruction that uses it is done",
        explain: "Usually the hardware holds an instruction back until vector registers that it uses are written and read. A wave that \
sets `SCHED_MODE` to 2 (`s_setreg_imm32_b32 hwreg(HW_REG_WAVE_SCHED_MODE, 0, 2), 2`) has to wait itself: `s_wait_alu depctr_va_vdst(n)` \
before memory operations and exports that use the result of a vector instruction, or write what it reads, `s_wait_alu depctr_vm_vsrc(n)` before a register is \
written that a memory operation may not have read yet. `n` is how many newer instructions may be open: the wait in the message is the \
weakest one on all paths. Vector instructions see each other's results without a wait. Transcendental, double precision, matrix and dot \
product instructions end out of order with all others, as LDS, flat and other memory operations do with each other: while two kinds are open, `n` \
is 0. A wait for the result of a memory operation covers its sources. The mode is followed through the function; code that is reached in \
different modes is left alone.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1201\"\ns_setreg_imm32_b32 hwreg(HW_REG_WAVE_SCHED_MODE, 0, 2), 2\n\
v_add_f32 v1, v2, v3\nglobal_store_b32 v0, v1, s[0:1]\ns_endpgm\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1201\"\ns_setreg_imm32_b32 hwreg(HW_REG_WAVE_SCHED_MODE, 0, 2), 2\n\
v_add_f32 v1, v2, v3\ns_wait_alu depctr_va_vdst(0)\nglobal_store_b32 v0, v1, s[0:1]\ns_endpgm\n",
        source: "LLVM SIInsertWaitcnts, expert scheduling mode: VA_VDST and VM_VSRC",
    }
}

/// `HW_REG_WAVE_SCHED_MODE` from bit 0.
const SCHED_MODE: i64 = 26;

/// The pipes of vector instructions and the units that read registers for memory, each a bit.
const SIDE: u8 = 1;
const DOUBLE: u8 = 2;
const TRANS: u8 = 4;
const MATRIX: u8 = 8;

/// Instructions for double precision that LLVM's `DPMACCInstructionTable` leaves to the pipe of single precision, and with them all
/// comparisons of 64 bits.
const NOT_DOUBLE: [&str; 5] = ["v_cmp", "v_fmac_", "v_fmaak_", "v_fmamk_", "v_pk_"];

/// Half a register that a vector instruction reads, and a memory operation must not write before: the number of the half with this bit.
const SOURCE: u32 = 1 << 31;

/// What memory operations that read registers count in, with the number of the first bit above those of a half: uses of one half by operations
/// that end by other counters are kept apart.
const ENDS: [&[Counter]; 7] = [
    &[Counter::Load],
    &[Counter::Store],
    &[Counter::Ds],
    &[Counter::Sample],
    &[Counter::Bvh],
    &[Counter::Load, Counter::Ds],
    &[Counter::Store, Counter::Ds],
];
const ENDS_BIT: u32 = 16;
const HALF: u32 = (1 << ENDS_BIT) - 1;

/// A use of half a register that may not be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Open {
    /// Instructions that were counted up to it.
    number: u32,
    producer: u32,
}

/// One of the two counters: the last open use of each half of a register.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Queue {
    /// The most that it counts: the hardware holds back one more.
    full: u32,
    counted: u32,
    /// The kinds that are open on some way here.
    kinds: u8,
    /// Those that are open on all ways, by whoever knows most: only these make a wait above 0 that is there cover nothing. Of gfx1250 AMD's
    /// own compiler (that of Triton 3.9) lets matrix instructions end in order with others, LLVM 24 does not.
    sure: u8,
    open: FxHashMap<u32, Open>,
}

impl Queue {
    fn new(full: u32) -> Queue {
        Queue { full, counted: 0, kinds: 0, sure: 0, open: FxHashMap::default() }
    }

    fn newer(&self, open: Open) -> u32 {
        self.counted - open.number
    }

    /// Counts an instruction that uses halves of registers.
    fn issue(&mut self, [kind, sure]: [u8; 2], count: u32, producer: usize, uses: impl Iterator<Item = u32>) {
        if self.sure.count_ones() < 2 && (self.sure | sure).count_ones() > 1 {
            // A full counter has held back what came after these.
            self.wait(self.full);
        }
        self.kinds |= kind;
        self.sure |= sure;
        self.counted += count;
        let open = Open { number: self.counted, producer: producer as u32 };
        self.open.extend(uses.map(|half| (half, open)));
    }

    fn wait(&mut self, left: u32) {
        if left == 0 {
            self.open.clear();
            (self.kinds, self.sure) = (0, 0);
        } else if self.sure.count_ones() < 2 {
            let counted = self.counted;
            self.open.retain(|_, open| counted - open.number < left);
        }
    }

    /// The last use of one of the halves, and the weakest wait that covers it.
    fn needed(&self, uses: impl Iterator<Item = u32>) -> Option<Missing> {
        let keys = |half: u32| (0..ENDS.len() as u32).map(move |end| half | end << ENDS_BIT);
        let uses = uses.flat_map(keys).filter_map(|half| Some((half, *self.open.get(&half)?)));
        let (half, open) = uses.max_by_key(|(half, open)| (open.number, std::cmp::Reverse(*half)))?;
        let left = if self.kinds.count_ones() < 2 { self.newer(open).min(self.full - 1) } else { 0 };
        let (dword, is_source) = ((half & HALF) / 2, half & SOURCE != 0);
        Some(Missing { left, dword, producer: open.producer, is_source })
    }

    /// Takes what is open on another way. Returns whether more is open now, or less is newer.
    fn join(&mut self, other: &Queue) -> bool {
        let counted = self.counted.max(other.counted);
        let shift = counted - self.counted;
        self.open.values_mut().for_each(|open| open.number += shift);
        self.counted = counted;
        let mut changed = other.kinds & !self.kinds != 0 || self.sure & !other.sure != 0;
        self.kinds |= other.kinds;
        self.sure &= other.sure;
        for (half, open) in &other.open {
            let open = Open { number: open.number + counted - other.counted, ..*open };
            match self.open.get_mut(half) {
                Some(known) if known.number >= open.number => {}
                Some(known) => (*known, changed) = (open, true),
                None => (_, changed) = (self.open.insert(*half, open), true),
            }
        }
        changed
    }
}

/// A wait that is missing.
struct Missing {
    left: u32,
    dword: u32,
    producer: u32,
    /// The register must not be written before it is read.
    is_source: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct State {
    /// Whether the hardware leaves the waits to the program here.
    is_expert: bool,
    /// Of another mode, or of two.
    is_unknown: bool,
    /// Vector instructions, by the registers that they write and, as [`SOURCE`], read.
    vector: Queue,
    /// Memory operations that read registers.
    memory: Queue,
}

impl State {
    fn new(is_expert: bool, is_unknown: bool) -> State {
        State { is_expert, is_unknown, vector: Queue::new(15), memory: Queue::new(7) }
    }

    fn set(&mut self, is_expert: bool, is_unknown: bool) {
        *self = State::new(is_expert, is_unknown);
    }
}

/// Reports the uses of one function that come too early, each with the waits that are missing before it.
pub(crate) fn function(cx: &mut RuleContext<'_>) {
    let (graph, steps) = (cx.graph, cx.steps);
    if !(0..graph.instructions.len()).any(|index| sched_mode(graph, index) == Some(Some(2))) {
        return;
    }
    let over = |index: usize, state: &mut State| {
        if !steps.spend(1 + state.vector.open.len() as u64 / 64) || graph.follows_gap(index) {
            state.set(false, true);
        }
        step(graph, index, state);
    };
    let join = |own: &mut State, other: &State, _: bool| {
        let is_mixed = own.is_unknown || other.is_unknown || own.is_expert != other.is_expert;
        if is_mixed {
            let changed = !own.is_unknown;
            own.set(false, true);
            return changed;
        }
        let vector = own.vector.join(&other.vector);
        own.memory.join(&other.memory) || vector
    };
    for (block, mut state) in graph.forward(State::new(false, false), 64, over, join) {
        for index in graph.block(block) {
            let [vector, memory] = missing(graph, index, &state);
            if vector.is_some() || memory.is_some() {
                let diagnostic = report(cx, index, vector, memory);
                cx.diagnostics.push(diagnostic);
            }
            over(index, &mut state);
        }
    }
}

fn report(
    cx: &RuleContext<'_>,
    index: usize,
    vector: Option<Missing>,
    memory: Option<Missing>,
) -> Diagnostic {
    let graph = cx.graph;
    let (range, nested) =
        graph.instructions.get(index).map_or_else(Default::default, |i| (i.range, i.nested));
    let fields = [("va_vdst", &vector), ("vm_vsrc", &memory)].into_iter();
    let fields =
        fields.filter_map(|(name, missing)| Some(format!("depctr_{name}({})", missing.as_ref()?.left)));
    let wait = format!("s_wait_alu {}", fields.collect::<Vec<_>>().join(" "));
    let dword = vector.as_ref().or(memory.as_ref()).map_or(0, |missing| missing.dword as usize);
    let is_source = vector.as_ref().is_some_and(|missing| missing.is_source);
    let is_read = vector.is_some()
        && !is_source
        && graph.effects.get(index).is_some_and(|e| e.reads.iter().any(|r| dwords(r.reg()).contains(&dword)));
    let what = if is_read { "read" } else { "write" };
    let message = format!("missing `{wait}` before this {what} of `{}`", dword_name(dword));
    let operand = named_operand::range(graph, cx.text, index, dword, is_read);
    let mut diagnostic = Diagnostic::new(&ALU_WAIT, operand, message);
    let of_vector =
        if is_source { "this instruction may not have read it yet" } else { "this instruction writes it" };
    let producers = [(vector, of_vector), (memory, "this operation may not have read it yet")];
    for (missing, note) in producers {
        if let Some(producer) = missing.and_then(|m| graph.instructions.get(m.producer as usize)) {
            diagnostic = diagnostic.related(Place::Here(producer.range), note);
        }
    }
    if !nested {
        diagnostic = insert_before(diagnostic, cx.text, range, &wait);
    }
    graph.show_nested(index, diagnostic)
}

/// What an instruction sets the scheduling mode to: `Some(None)` where it cannot be known.
fn sched_mode(graph: &Graph<'_>, index: usize) -> Option<Option<i64>> {
    let inst = &graph.instructions.get(index)?.encoded;
    let field = inst.number("simm16").filter(|_| inst.mnemonic().starts_with("s_setreg"))?;
    let (register, first, bits) = (field & 63, field >> 6 & 31, (field >> 11 & 31) + 1);
    (register == SCHED_MODE && first < 2)
        .then(|| inst.number("imm").filter(|_| first == 0 && bits >= 2).map(|value| value & 3))
}

/// Vector instructions: not loads from LDS through the vector unit, which have their own field, nor loads into LDS.
fn is_vector(graph: &Graph<'_>, index: usize) -> bool {
    let class = graph.effects.get(index).map(|effect| effect.class);
    matches!(class, Some(IssueClass::Valu | IssueClass::Trans | IssueClass::Matrix))
}

/// The pipe of a vector instruction.
fn pipe(graph: &Graph<'_>, index: usize) -> u8 {
    let Some(inst) = graph.instructions.get(index).map(|i| &i.encoded) else { return SIDE };
    let (name, traits) = (inst.mnemonic(), inst.traits());
    let base = name.trim_end_matches("_dpp").trim_end_matches("_e32").trim_end_matches("_e64");
    // On gfx1250 matrices of single and double precision are not for the matrix pipe.
    let is_wide = graph.target.facts().has_vgpr_msb && ["x4_f32", "x4_f64"].iter().any(|w| base.contains(w));
    match () {
        () if traits.any(Traits::WMMA) && is_wide => SIDE,
        () if traits.any(Traits::WMMA) || traits.any(Traits::DOT) => MATRIX,
        () if traits.any(Traits::TRANS) => TRANS,
        () if name.starts_with("v_dual") || NOT_DOUBLE.iter().any(|start| name.starts_with(start)) => SIDE,
        () if base.ends_with("_f64") => DOUBLE,
        () => SIDE,
    }
}

/// The unit that reads the vector registers of a memory operation.
fn reader(graph: &Graph<'_>, index: usize) -> Option<u8> {
    let traits = graph.instructions.get(index)?.encoded.traits();
    match () {
        () if traits.any(Traits::FLAT) => Some(1),
        () if traits.any(Traits::DS) => Some(2),
        () if traits.any(Traits::VMEM) => Some(4),
        () => None,
    }
}

/// Halves of vector registers that accesses use, each with a number of its own.
fn parts(graph: &Graph<'_>, index: usize, accesses: &[Access], is_vector: bool) -> Vec<u32> {
    let Some(instruction) = graph.instructions.get(index) else { return Vec::new() };
    let mut found = Vec::new();
    // A load that keeps half of its register does not read it.
    let is_kept = |a: &Access| {
        let name = a.operand().map_or("", |o| instruction.encoded.operand_name(o.into()));
        !is_vector && (a.partial() || name.ends_with("_in"))
    };
    let is_read = |a: &&Access| a.reg().file == RegFile::Vgpr && !a.implicit() && !is_kept(a);
    for access in accesses.iter().filter(is_read) {
        let used: Halves = match access.reg().half {
            Half::Lo => 1,
            Half::Hi => 2,
            Half::Full if is_vector => BOTH,
            Half::Full => halves(graph.target, instruction, access),
        };
        let halves = dwords(access.reg()).flat_map(|dword| [(1, 2 * dword), (2, 2 * dword + 1)]);
        found.extend(halves.filter(|(bit, _)| used & bit != 0).map(|(_, number)| number as u32));
    }
    found
}

/// The waits for vector instructions and for memory operations that are missing before an instruction.
fn missing(graph: &Graph<'_>, index: usize, state: &State) -> [Option<Missing>; 2] {
    let Some((effect, instruction)) = graph.effects.get(index).zip(graph.instructions.get(index)) else {
        return [None, None];
    };
    let is_vector = is_vector(graph, index);
    if !state.is_expert || effect.call || instruction.encoded.traits().any(Traits::LDS_DIRECT) {
        return [None, None];
    }
    let writes = parts(graph, index, effect.writes, is_vector);
    // A vector instruction that writes half a register writes the other half back.
    let whole = writes.iter().flat_map(|half| if is_vector { [half & !1, half | 1] } else { [*half, *half] });
    let memory = state.memory.needed(whole);
    if is_vector {
        return [None, memory];
    }
    let reads = parts(graph, index, effect.reads, false);
    let sources = writes.clone().into_iter().map(|half| half | SOURCE);
    [state.vector.needed(reads.into_iter().chain(writes).chain(sources)), memory]
}

/// The counters by which a use ends.
fn ends(half: u32) -> &'static [Counter] {
    ENDS.get(((half & !SOURCE) >> ENDS_BIT) as usize).copied().unwrap_or(&[])
}

fn step(graph: &Graph<'_>, index: usize, state: &mut State) {
    let (Some(instruction), Some(effect)) = (graph.instructions.get(index), graph.effects.get(index)) else {
        return;
    };
    // After a finding its waits are taken to be there.
    let [vector, memory] = missing(graph, index, state);
    vector.into_iter().for_each(|missing| state.vector.wait(missing.left));
    memory.into_iter().for_each(|missing| state.memory.wait(missing.left));
    let inst = &instruction.encoded;
    match sched_mode(graph, index) {
        Some(mode) => state.set(mode == Some(2), !matches!(mode, Some(0 | 2))),
        // The callee may set another mode.
        None if effect.call => state.set(false, true),
        None => {}
    }
    if !state.is_expert {
        return;
    }
    if inst.mnemonic() == "s_wait_alu" {
        let field = |shift: u32, bits: u32| {
            let value = inst.number("simm16").map_or(u32::MAX, |n| n as u32) >> shift & ((1 << bits) - 1);
            (value + 1 < 1 << bits).then_some(value)
        };
        field(12, 4).into_iter().for_each(|left| state.vector.wait(left));
        field(2, 3).into_iter().for_each(|left| state.memory.wait(left));
        return;
    }
    let waits =
        if effect.class == IssueClass::Other { all_waits(graph.target, instruction) } else { Vec::new() };
    let is_of_memory = |counter: &Counter| !matches!(counter, Counter::Exp | Counter::Km | Counter::X);
    for (counter, left) in waits.iter().filter(|(counter, _)| is_of_memory(counter)) {
        // An operation that is done has read its registers, and so have older ones of its unit.
        let counted = state.memory.counted;
        let is_done = |half: u32, open: &Open| counted - open.number >= *left && ends(half).contains(counter);
        let mut last: FxHashMap<Option<u8>, u32> = FxHashMap::default();
        for (_, open) in state.memory.open.iter().filter(|(half, open)| is_done(**half, open)) {
            let last = last.entry(reader(graph, open.producer as usize)).or_default();
            *last = open.number.max(*last);
        }
        state.memory.open.retain(|half, open| {
            let last = last.get(&reader(graph, open.producer as usize));
            !is_done(*half, open) && last.is_none_or(|last| open.number >= *last)
        });
    }
    if is_vector(graph, index) {
        // A matrix instruction with scales is two instructions.
        let count = if inst.mnemonic().contains("wmma_scale") { 2 } else { 1 };
        let writes = parts(graph, index, effect.writes, true);
        let reads = parts(graph, index, effect.reads, true).into_iter().map(|half| half | SOURCE);
        let pipe = pipe(graph, index);
        let sure = if pipe == MATRIX && graph.target.facts().has_vgpr_msb { SIDE } else { pipe };
        state.vector.issue([pipe, sure], count, index, writes.into_iter().chain(reads));
    } else if let Some(kind) = reader(graph, index) {
        let reads = parts(graph, index, effect.reads, false);
        let is_end = |ends: &&[Counter]| ends.iter().all(|counter| effect.counters.contains(counter));
        let end = ENDS.iter().rposition(is_end).unwrap_or(0) as u32;
        state.memory.issue([kind, kind], 1, index, reads.into_iter().map(|half| half | end << ENDS_BIT));
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn results_and_sources_are_waited_for() {
        marks(
            "gfx1201",
            expect![[r#"
                s_setreg_imm32_b32 hwreg(HW_REG_WAVE_SCHED_MODE, 0, 2), 2
                v_add_f32 v1, v2, v3
                v_add_f32 v4, v2, v3
                global_store_b32 v0, v1, s[0:1]
                ;                    ^^ warning[missing-alu-wait]: missing `s_wait_alu depctr_va_vdst(1)` before this read of `v1`
                ;                     = line 2:1: this instruction writes it
                ;                     = fix: s_wait_alu depctr_va_vdst(1)
                global_store_b32 v5, v4, s[0:1]
                ;                    ^^ warning[missing-alu-wait]: missing `s_wait_alu depctr_va_vdst(0)` before this read of `v4`
                ;                     = line 3:1: this instruction writes it
                ;                     = fix: s_wait_alu depctr_va_vdst(0)
                v_mov_b32 v0, 0
                ;         ^^ warning[missing-alu-wait]: missing `s_wait_alu depctr_vm_vsrc(1)` before this write of `v0`
                ;          = line 4:1: this operation may not have read it yet
                ;          = fix: s_wait_alu depctr_vm_vsrc(1)
                v_mov_b32 v5, 0
                ;         ^^ warning[missing-alu-wait]: missing `s_wait_alu depctr_vm_vsrc(0)` before this write of `v5`
                ;          = line 5:1: this operation may not have read it yet
                ;          = fix: s_wait_alu depctr_vm_vsrc(0)
                s_endpgm
            "#]],
        );
    }

    #[test]
    fn sources_of_vector_instructions_are_read_before_a_load_writes_them() {
        marks(
            "gfx1201",
            expect![[r#"
                s_setreg_imm32_b32 hwreg(HW_REG_WAVE_SCHED_MODE, 0, 2), 2
                v_add_f32 v9, v2, v3
                v_add_f32 v8, v3, v3
                global_load_b32 v2, v[4:5], off
                ;               ^^ warning[missing-alu-wait]: missing `s_wait_alu depctr_va_vdst(1)` before this write of `v2`
                ;                = line 2:1: this instruction may not have read it yet
                ;                = fix: s_wait_alu depctr_va_vdst(1)
                global_load_b32 v3, v[4:5], off
                ;               ^^ warning[missing-alu-wait]: missing `s_wait_alu depctr_va_vdst(0)` before this write of `v3`
                ;                = line 3:1: this instruction may not have read it yet
                ;                = fix: s_wait_alu depctr_va_vdst(0)
                s_endpgm
            "#]],
        );
    }

    #[test]
    fn pipes_end_out_of_order() {
        marks(
            "gfx1201",
            expect![[r#"
                s_setreg_imm32_b32 hwreg(HW_REG_WAVE_SCHED_MODE, 0, 2), 2
                v_exp_f32 v1, v2
                v_add_f32 v4, v2, v3
                global_store_b32 v0, v1, s[0:1]
                ;                    ^^ warning[missing-alu-wait]: missing `s_wait_alu depctr_va_vdst(0)` before this read of `v1`
                ;                     = line 2:1: this instruction writes it
                ;                     = fix: s_wait_alu depctr_va_vdst(0)
                s_wait_alu depctr_va_vdst(0) depctr_vm_vsrc(0)
                v_add_f64 v[2:3], v[4:5], v[6:7]
                v_add_f64 v[8:9], v[4:5], v[6:7]
                ds_store_b64 v0, v[2:3]
                ;                ^^^^^^ warning[missing-alu-wait]: missing `s_wait_alu depctr_va_vdst(1)` before this read of `v2`
                ;                     = line 6:1: this instruction writes it
                ;                     = fix: s_wait_alu depctr_va_vdst(1)
                global_store_b32 v1, v4, s[0:1]
                v_mov_b32 v0, 0
                ;         ^^ warning[missing-alu-wait]: missing `s_wait_alu depctr_vm_vsrc(0)` before this write of `v0`
                ;          = line 8:1: this operation may not have read it yet
                ;          = fix: s_wait_alu depctr_vm_vsrc(0)
                s_endpgm
            "#]],
        );
    }

    #[test]
    fn comparisons_of_64_bits_end_in_order_with_the_others() {
        marks(
            "gfx1250",
            expect![[r#"
                s_setreg_imm32_b32 hwreg(HW_REG_WAVE_SCHED_MODE, 0, 2), 2
                v_cmpx_ne_u64_e32 s[6:7], v[4:5]
                v_mov_b32 v1, 0
                v_cmp_lt_f64 s2, v[4:5], v[6:7]
                v_readfirstlane_b32 s4, v2
                s_wait_alu depctr_va_vdst(2)
                global_load_b32 v3, v1, s[0:1]
                s_endpgm
            "#]],
        );
    }

    #[test]
    fn a_full_counter_holds_back_the_next_instruction() {
        marks(
            "gfx1201",
            expect![[r#"
                s_setreg_imm32_b32 hwreg(HW_REG_WAVE_SCHED_MODE, 0, 2), 2
                ds_store_b32 v9, v1
                ds_load_b32 v30, v10
                ds_load_b32 v31, v10
                ds_load_b32 v32, v10
                ds_load_b32 v33, v10
                ds_load_b32 v34, v10
                ds_load_b32 v35, v10
                ds_load_b32 v36, v10
                v_mov_b32 v9, 0
                ;         ^^ warning[missing-alu-wait]: missing `s_wait_alu depctr_vm_vsrc(6)` before this write of `v9`
                ;          = line 2:1: this operation may not have read it yet
                ;          = fix: s_wait_alu depctr_vm_vsrc(6)
                ds_store_b32 v8, v1
                ds_load_b32 v30, v10
                ds_load_b32 v31, v10
                ds_load_b32 v32, v10
                ds_load_b32 v33, v10
                ds_load_b32 v34, v10
                ds_load_b32 v35, v10
                ds_load_b32 v36, v10
                global_load_b32 v37, v[2:3], off
                v_mov_b32 v8, 0
                s_endpgm
            "#]],
        );
    }

    #[test]
    fn waits_are_taken_into_account() {
        marks(
            "gfx1201",
            expect![[r#"
                v_add_f32 v1, v2, v3
                global_store_b32 v0, v1, s[0:1]
                s_setreg_imm32_b32 hwreg(HW_REG_WAVE_SCHED_MODE, 0, 2), 2
                v_mov_b32 v0, 0
                v_add_f32 v1, v2, v3
                v_add_f32 v2, v1, v3
                s_wait_alu depctr_va_vdst(1)
                global_load_b32 v4, v1, s[0:1]
                s_wait_loadcnt 0x0
                v_mov_b32 v1, v4
                v_mov_b16_e32 v6.h, 3
                ds_load_u8_d16 v6, v5
                s_setreg_imm32_b32 hwreg(HW_REG_WAVE_SCHED_MODE, 0, 2), 0
                global_store_b32 v0, v1, s[0:1]
                s_endpgm
            "#]],
        );
    }

    #[test]
    fn the_mode_is_known_where_ways_join() {
        marks(
            "gfx1201",
            expect![[r#"
                s_cbranch_scc0 l
                s_setreg_imm32_b32 hwreg(HW_REG_WAVE_SCHED_MODE, 0, 2), 2
                v_mov_b32 v1, 0
                global_store_b32 v0, v1, s[0:1]
                ;                    ^^ warning[missing-alu-wait]: missing `s_wait_alu depctr_va_vdst(0)` before this read of `v1`
                ;                     = line 3:1: this instruction writes it
                ;                     = fix: s_wait_alu depctr_va_vdst(0)
                l:
                v_mov_b32 v1, 0
                global_store_b32 v0, v1, s[0:1]
                s_setreg_imm32_b32 hwreg(HW_REG_WAVE_SCHED_MODE, 0, 2), 2
                m:
                ds_store_b32 v1, v2
                ;                ^^ warning[missing-alu-wait]: missing `s_wait_alu depctr_va_vdst(2)` before this read of `v2`
                ;                 = line 11:1: this instruction writes it
                ;                 = fix: s_wait_alu depctr_va_vdst(2)
                v_mov_b32 v2, 0
                ;         ^^ warning[missing-alu-wait]: missing `s_wait_alu depctr_vm_vsrc(0)` before this write of `v2`
                ;          = line 10:1: this operation may not have read it yet
                ;          = fix: s_wait_alu depctr_vm_vsrc(0)
                v_nop
                v_nop
                s_cbranch_scc0 m
                s_endpgm
            "#]],
        );
    }

    #[test]
    fn a_load_of_one_way_does_not_hide_a_store_of_another() {
        marks(
            "gfx1201",
            expect![[r#"
                s_setreg_imm32_b32 hwreg(HW_REG_WAVE_SCHED_MODE, 0, 2), 2
                global_load_b32 v4, v[2:3], off
                s_cbranch_execz next
                s_wait_loadcnt 0x0
                global_store_b32 v[0:1], v2, off
                next:
                s_wait_loadcnt 0x0
                v_mov_b32 v2, 0
                ;         ^^ warning[missing-alu-wait]: missing `s_wait_alu depctr_vm_vsrc(0)` before this write of `v2`
                ;          = line 5:1: this operation may not have read it yet
                ;          = fix: s_wait_alu depctr_vm_vsrc(0)
                v_mov_b32 v3, 0
                s_endpgm
            "#]],
        );
    }
}
