//! Loads whose results nothing reads, which are outstanding while another instruction writes their registers.
//!
//! The manuals ask for a wait before a result is read. What they say of results that are overwritten is about memory: a flat load
//! and another load of the same register.

use std::cell::RefCell;

use rustc_hash::{FxHashMap, FxHashSet};
use wavelens_isa::{Counter, Reg, Special};

use super::pending::{Pending, State, Use, is_memory};
use crate::flow::{Graph, Steps, dword_name, dwords, is_vector_dword};
use crate::rules::inserted_line::insert_before;
use crate::rules::named_operand;
use crate::wait_counters::{Wait, wait_text, waits_text};
use wavelens_base::{Diagnostic, Place};

wavelens_syntax::rules! {
    OVERWRITTEN_LOAD {
        code: "overwritten-load",
        severity: wavelens_base::Severity::Hint,
        title: "a register should not be written while a load of it is outstanding, even if nothing reads what it loads",
        explain: "The instruction set manuals require a wait before the result of a load is read. They do not say that an arithmetic \
instruction must wait before it overwrites a result that nothing reads: LLVM waits, because a load that ends later replaces the \
new value. The rule reports hints, and only on request (`pedantic`). Where any path reads the result, `missing-wait` warns. \
The better correction is often to remove the load.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\nglobal_load_dword v1, v0, s[0:1]\n\
v_mov_b32 v1, 0\nv_add_u32 v2, v1, v0\ns_endpgm\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\nv_mov_b32 v1, 0\nv_add_u32 v2, v1, v0\ns_endpgm\n",
        source: "LLVM SIInsertWaitcnts; not required by the instruction set manuals, \"Manually Resolved Dependencies: S_WAITCNT\" and \
\"Data Dependency Resolution\"",
    }
}

/// Which results of loads nothing reads. Each is looked up once.
pub(super) struct UnreadLoads<'g> {
    graph: &'g Graph<'g>,
    steps: &'g Steps,
    known: RefCell<FxHashMap<(u32, u16), bool>>,
}

impl<'g> UnreadLoads<'g> {
    pub(super) fn new(graph: &'g Graph<'g>, steps: &'g Steps) -> UnreadLoads<'g> {
        UnreadLoads { graph, steps, known: RefCell::default() }
    }

    /// Whether the instruction at `index`, which writes the register of a load, needs no wait according to the manuals.
    pub(super) fn may_overwrite(&self, index: usize, pending: &Pending) -> bool {
        let is_load = pending.what == Use::Fills && pending.counter != Counter::Exp;
        if !is_load || self.graph.effects.get(index).is_none_or(|e| is_memory(e.class)) {
            return false;
        }
        let key = (pending.producer, pending.dword);
        if let Some(known) = self.known.borrow().get(&key) {
            return *known;
        }
        let is_unread = self.is_unread(pending.producer as usize, pending.dword.into());
        self.known.borrow_mut().insert(key, is_unread);
        is_unread
    }

    /// Whether every path from an instruction on writes a register before it reads it. A vector instruction that runs under another
    /// `exec` leaves the result in some lanes.
    fn is_unread(&self, producer: usize, dword: usize) -> bool {
        let graph = self.graph;
        let exec = dwords(Reg::special(Special::ExecLo, 2));
        let mut seen = FxHashSet::default();
        let mut work = vec![(producer + 1, false)];
        'paths: while let Some((start, mut has_new_exec)) = work.pop() {
            let block = graph.block_of(start);
            for index in start..graph.block(block).end {
                let Some(effect) = graph.effects.get(index) else { return false };
                let reads = || effect.reads.iter().flat_map(|access| dwords(access.reg()));
                let is_unclear = effect.call || effect.indexed || graph.follows_gap(index);
                if !self.steps.spend(1) || is_unclear || reads().any(|d| d == dword) {
                    return false;
                }
                let is_kept = has_new_exec && is_vector_dword(dword);
                for write in effect.writes {
                    let written = dwords(write.reg());
                    if written.contains(&dword) && !write.partial() && !is_kept {
                        continue 'paths;
                    }
                    has_new_exec |= written.start < exec.end && exec.start < written.end;
                }
            }
            let next = graph.cfg.successors(block as u32);
            let last = graph.block(block).end.checked_sub(1).and_then(|last| graph.instructions.get(last));
            if next.is_empty() && last.is_none_or(|i| !i.encoded.mnemonic().starts_with("s_endpgm")) {
                return false;
            }
            for next in next {
                let state = (graph.block(*next as usize).start, has_new_exec);
                if seen.insert(state) {
                    work.push(state);
                }
            }
        }
        true
    }

    /// Hints at the loads that the instruction at `index` overwrites, each once in a function.
    pub(super) fn report(
        &self,
        text: &str,
        index: usize,
        state: &State,
        known: &mut FxHashSet<u32>,
        out: &mut Vec<Diagnostic>,
    ) {
        let (Some(effect), Some(instruction)) =
            (self.graph.effects.get(index), self.graph.instructions.get(index))
        else {
            return;
        };
        let written = |p: &&Pending| {
            let dword = usize::from(p.dword);
            effect.writes.iter().any(|w| dwords(w.reg()).contains(&dword)) && self.may_overwrite(index, p)
        };
        for pending in state.iter().filter(written) {
            if !known.insert(pending.producer) {
                continue;
            }
            let wait = self.wait(pending, state);
            let name = dword_name(pending.dword.into());
            let message = format!(
                "`{name}` is written while a load of it is outstanding, whose result nothing reads; `{}` waits for it \
(not required by the ISA manual)",
                wait.replace('\n', "`, `")
            );
            let operand = named_operand::range(self.graph, text, index, pending.dword.into(), false);
            let mut diagnostic = Diagnostic::new(&OVERWRITTEN_LOAD, operand, message);
            if let Some(load) = self.graph.instructions.get(pending.producer as usize) {
                diagnostic = diagnostic.related(Place::Here(load.range), "the load");
            }
            if !instruction.nested {
                diagnostic = insert_before(diagnostic, text, instruction.range, &wait);
            }
            out.push(self.graph.show_nested(index, diagnostic));
        }
    }

    /// The wait for an operation: for two counters after a flat access.
    fn wait(&self, pending: &Pending, state: &State) -> String {
        let of = |p: &Pending| Wait { counter: p.counter, left: p.left(self.graph) };
        let is_other = |p: &&Pending| {
            (p.producer, p.dword, p.what) == (pending.producer, pending.dword, pending.what)
                && p.counter != pending.counter
        };
        let either = || pending.or.map(|(counter, _)| Wait { counter, left: 0 });
        let Wait { counter, left } = of(pending);
        match state.iter().find(is_other).map(of).or_else(either) {
            Some(second) => waits_text(self.graph.target, Wait { counter, left }, second),
            None => wait_text(self.graph.target, counter, left),
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::{marks, marks_pedantic};

    #[test]
    fn unread_results_are_hints() {
        marks(
            "gfx942",
            expect![[r#"
                global_load_dword v4, v0, s[0:1]
                v_mov_b32 v4, 0
                v_mov_b32 v5, v4
                s_endpgm
            "#]],
        );
        marks_pedantic(
            "gfx942",
            expect![[r#"
                global_load_dword v4, v0, s[0:1]
                v_mov_b32 v4, 0
                ;         ^^ hint[overwritten-load]: `v4` is written while a load of it is outstanding, whose result nothing reads; `s_waitcnt vmcnt(0)` waits for it (not required by the ISA manual)
                ;          = line 1:1: the load
                ;          = fix: s_waitcnt vmcnt(0)
                v_mov_b32 v5, v4
                s_endpgm
            "#]],
        );
    }

    #[test]
    fn one_hint_for_one_load() {
        marks_pedantic(
            "gfx942",
            expect![[r#"
                global_load_dwordx2 v[4:5], v0, s[0:1]
                v_mov_b32 v4, 0
                ;         ^^ hint[overwritten-load]: `v4` is written while a load of it is outstanding, whose result nothing reads; `s_waitcnt vmcnt(0)` waits for it (not required by the ISA manual)
                ;          = line 1:1: the load
                ;          = fix: s_waitcnt vmcnt(0)
                v_mov_b32 v5, 0
                s_load_dwordx2 s[4:5], s[0:1], 0x0
                s_mov_b64 s[4:5], 0
                ;         ^^^^^^ hint[overwritten-load]: `s4` is written while a load of it is outstanding, whose result nothing reads; `s_waitcnt lgkmcnt(0)` waits for it (not required by the ISA manual)
                ;              = line 4:1: the load
                ;              = fix: s_waitcnt lgkmcnt(0)
                s_endpgm
            "#]],
        );
    }

    #[test]
    fn a_flat_load_is_waited_for_by_two_counters() {
        marks_pedantic(
            "gfx942",
            expect![[r#"
                flat_load_dword v4, v[0:1]
                v_mov_b32 v4, 0
                ;         ^^ hint[overwritten-load]: `v4` is written while a load of it is outstanding, whose result nothing reads; `s_waitcnt vmcnt(0) lgkmcnt(0)` waits for it (not required by the ISA manual)
                ;          = line 1:1: the load
                ;          = fix: s_waitcnt vmcnt(0) lgkmcnt(0)
                v_mov_b32 v5, v4
                s_endpgm
            "#]],
        );
    }

    #[test]
    fn results_that_a_path_reads_are_warnings() {
        marks(
            "gfx942",
            expect![[r#"
                global_load_dword v4, v0, s[0:1]
                s_cbranch_scc0 other
                v_mov_b32 v4, 0
                ;         ^^ warning[missing-wait]: missing `s_waitcnt vmcnt(0)` before this write of `v4`
                ;          = line 1:1: this operation writes it later
                ;          = fix: s_waitcnt vmcnt(0)
                s_endpgm
                other:
                s_waitcnt vmcnt(0)
                v_mov_b32 v5, v4
                s_endpgm
            "#]],
        );
        // Lanes that are turned off keep the result.
        marks(
            "gfx942",
            expect![[r#"
                global_load_dword v4, v0, s[0:1]
                s_and_saveexec_b64 s[2:3], vcc
                v_mov_b32 v4, 0
                ;         ^^ warning[missing-wait]: missing `s_waitcnt vmcnt(0)` before this write of `v4`
                ;          = line 1:1: this operation writes it later
                ;          = fix: s_waitcnt vmcnt(0)
                s_mov_b64 exec, s[2:3]
                v_mov_b32 v5, v4
                s_endpgm
            "#]],
        );
        // A caller may read it.
        marks(
            "gfx942",
            expect![[r#"
                global_load_dword v4, v0, s[0:1]
                s_cbranch_scc0 other
                v_mov_b32 v4, 0
                ;         ^^ warning[missing-wait]: missing `s_waitcnt vmcnt(0)` before this write of `v4`
                ;          = line 1:1: this operation writes it later
                ;          = fix: s_waitcnt vmcnt(0)
                other:
                s_setpc_b64 s[30:31]
            "#]],
        );
    }

    #[test]
    fn loads_end_out_of_order() {
        marks(
            "gfx942",
            expect![[r#"
                global_load_dword v4, v0, s[0:1]
                ds_read_b32 v4, v0
                ;           ^^ warning[missing-wait]: missing `s_waitcnt vmcnt(0)` before this write of `v4`
                ;            = line 1:1: this operation writes it later
                ;            = fix: s_waitcnt vmcnt(0)
                s_waitcnt vmcnt(0) lgkmcnt(0)
                v_mov_b32 v5, v4
                s_endpgm
            "#]],
        );
    }

    #[test]
    fn an_overwritten_load_hides_nothing() {
        marks(
            "gfx942",
            expect![[r#"
                global_load_dword v4, v0, s[0:1]
                global_load_dword v6, v0, s[0:1]
                v_mov_b32 v4, 0
                v_mov_b32 v5, v6
                ;             ^^ warning[missing-wait]: missing `s_waitcnt vmcnt(0)` before this read of `v6`
                ;              = line 2:1: this operation writes it
                ;              = fix: s_waitcnt vmcnt(0)
                s_endpgm
            "#]],
        );
    }
}
