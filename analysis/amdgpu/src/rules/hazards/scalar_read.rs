//! gfx12: a scalar register that vector instructions have read before gets a new value, and is read too early.

use wavelens_isa::{Reg, RegFile, Special, Traits};

use super::{Code, Field, Hazard, Mitigation};

wavelens_syntax::rules! {
    RULE {
        code: "hazard-scalar-read",
        severity: wavelens_base::Severity::Hint,
        title: "on gfx12.0, a scalar register that a vector instruction has read must be waited for after each write",
        explain: "Only LLVM's hazard recognizer keeps the two apart; the instruction set manual does not require it. The rule reports \
hints, and only on request (`pedantic`). The register may deliver its old value again. A vector reader waits for a \
scalar writer with `s_wait_alu depctr_sa_sdst(0)`, for a vector writer with `depctr_va_sdst(0)` (`depctr_va_vcc(0)` for \
`vcc`); a scalar reader waits for a scalar writer only. Scalar memory, buffer and image instructions end the hazard \
too. Before calls and returns nothing may be left, and after them every register counts as read.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1200\"\nv_mov_b32 v0, s4\ns_mov_b32 s4, 1\nv_mov_b32 v1, s4\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1200\"\nv_mov_b32 v0, s4\ns_mov_b32 s4, 1\n\
s_wait_alu depctr_sa_sdst(0)\nv_mov_b32 v1, s4\n",
        source: "LLVM AMDGPUWaitSGPRHazards",
    }
}

/// Writers that a reader has to wait for, as bits.
const SCALAR: usize = 1;
const VECTOR: usize = 2;
const CONDITION: usize = 4;

/// The line that waits for a set of them.
const WAITS: [&str; 8] = [
    "",
    "s_wait_alu depctr_sa_sdst(0)",
    "s_wait_alu depctr_va_sdst(0)",
    "s_wait_alu depctr_sa_sdst(0) depctr_va_sdst(0)",
    "s_wait_alu depctr_va_vcc(0)",
    "s_wait_alu depctr_sa_sdst(0) depctr_va_vcc(0)",
    "s_wait_alu depctr_va_sdst(0) depctr_va_vcc(0)",
    "s_wait_alu depctr_sa_sdst(0) depctr_va_sdst(0) depctr_va_vcc(0)",
];

/// Registers by number; those of `vcc` count as one, which the writer's unit stands for.
#[derive(Clone, Copy, Default, PartialEq)]
struct State {
    /// Vector instructions have read one of the pair.
    read: u128,
    by_scalar: u128,
    by_vector: u128,
    condition: usize,
}

fn bits(reg: Reg) -> Option<u128> {
    let first = match reg.file {
        RegFile::Sgpr => u32::from(reg.index),
        RegFile::Ttmp => 108 + u32::from(reg.index),
        RegFile::Special if is_condition(reg) => 106,
        _ => return None,
    };
    let mask = (1_u128 << u32::from(reg.dwords).min(32)) - 1;
    mask.checked_shl(first).filter(|m| *m != 0)
}

fn pair(bits: u128) -> u128 {
    let first = bits.trailing_zeros() & !1;
    3_u128.checked_shl(first).unwrap_or(0)
}

fn is_condition(reg: Reg) -> bool {
    matches!(reg.as_special(), Some(Special::VccLo | Special::VccHi))
}

impl State {
    fn join(&mut self, other: &State) -> bool {
        let old = *self;
        self.read |= other.read;
        self.by_scalar |= other.by_scalar;
        self.by_vector |= other.by_vector;
        self.condition |= other.condition;
        *self != old
    }

    fn wait(&mut self, what: usize) {
        if what & SCALAR != 0 {
            self.by_scalar = 0;
        }
        if what & VECTOR != 0 {
            self.by_vector = 0;
        }
        self.condition &= !what;
    }

    /// What the instruction fails to wait for, with a register of it.
    fn step(&mut self, code: &Code<'_>, index: usize) -> Option<(usize, Reg)> {
        let segment = code.is(index, Traits::FLAT);
        if code.is(index, Traits::SMEM) || code.is(index, Traits::VMEM) && !segment {
            self.wait(SCALAR | VECTOR | CONDITION);
            return None;
        }
        for (field, what) in [
            (Field::ScalarResult, SCALAR),
            (Field::VectorScalar, VECTOR),
            (Field::VectorCondition, CONDITION),
        ] {
            if code.waits_for_field(index, field) {
                self.wait(what);
            }
        }
        let vector = code.is(index, Traits::VALU);
        if !vector && !code.is(index, Traits::SALU) {
            return None;
        }
        let mut missing = (0, None);
        if matches!(code.mnemonic(index), "s_setpc_b64" | "s_swappc_b64") {
            let left = if self.by_scalar != 0 { SCALAR } else { 0 }
                | if self.by_vector != 0 { VECTOR } else { 0 }
                | self.condition;
            missing = (left, code.sources(index).next());
        } else {
            let named = |a: &&wavelens_isa::Access| !a.implicit() || is_condition(a.reg());
            for reg in code.reads(index).iter().filter(named).map(|a| a.reg()) {
                let need = self.read_by(reg, vector);
                if need != 0 {
                    missing = (missing.0 | need, missing.1.or(Some(reg)));
                }
            }
        }
        self.wait(missing.0);
        if code.mnemonic(index) == "s_swappc_b64" && !culls(code, index) {
            self.read = u128::MAX;
        }
        for reg in
            code.writes(index).iter().filter(|a| !a.implicit() || is_condition(a.reg())).map(|a| a.reg())
        {
            self.write_by(reg, vector);
        }
        Some((missing.0, missing.1?)).filter(|m| m.0 != 0)
    }

    fn read_by(&mut self, reg: Reg, vector: bool) -> usize {
        let Some(bits) = bits(reg) else { return 0 };
        let pair = pair(bits);
        // A scalar reader stops until the vector units have written.
        if !vector && !is_condition(reg) {
            self.by_vector = 0;
        }
        if self.read & pair == 0 {
            self.read |= if vector { pair } else { 0 };
            return 0;
        }
        if is_condition(reg) {
            if !vector && self.condition & CONDITION != 0 {
                self.condition = 0;
            }
            return self.condition;
        }
        let scalar = if self.by_scalar & bits != 0 { SCALAR } else { 0 };
        scalar | if self.by_vector & bits != 0 { VECTOR } else { 0 }
    }

    fn write_by(&mut self, reg: Reg, vector: bool) {
        let Some(bits) = bits(reg).filter(|b| self.read & pair(*b) != 0) else { return };
        match (is_condition(reg), vector) {
            (true, true) => self.condition = CONDITION,
            (true, false) => self.condition = SCALAR,
            (false, true) => self.by_vector |= bits,
            (false, false) => self.by_scalar |= bits,
        }
    }
}

/// `ds_nop`s make the registers forget who read them.
fn culls(code: &Code<'_>, call: usize) -> bool {
    call.checked_sub(1).is_some_and(|before| code.mnemonic(before) == "ds_nop")
}

/// Callers may have read every register.
fn returns(code: &Code<'_>) -> bool {
    let has = |name| (0..code.graph.instructions.len()).any(|i| code.mnemonic(i) == name);
    has("s_setpc_b64") && !has("s_endpgm")
}

pub(super) fn find(code: &Code<'_>) -> Vec<(usize, Hazard)> {
    let graph = code.graph;
    let entry = State { read: if returns(code) { u128::MAX } else { 0 }, ..State::default() };
    let step = |index: usize, state: &mut State| {
        state.step(code, index);
    };
    let mut found = Vec::new();
    for (block, mut state) in graph.forward(entry, usize::MAX, step, |own, other, _| own.join(other)) {
        for index in graph.block(block) {
            if let Some((missing, reg)) = state.step(code, index) {
                found.extend(hazard(code, index, missing, reg).map(|h| (index, h)));
            }
        }
    }
    found
}

fn hazard(code: &Code<'_>, index: usize, missing: usize, reg: Reg) -> Option<Hazard> {
    let traits = if missing & SCALAR != 0 { Traits::SALU } else { Traits::VALU };
    let producer = code.reaching(index, |i| code.is(i, traits) && code.writes_register(i, reg), |_| false);
    let what = match producer {
        Some(_) => format!("`{}` is read before its new value is there", reg.name()),
        None => "scalar results may not have arrived, and the code after this cannot tell".to_owned(),
    };
    let mitigation = Mitigation::Line(WAITS.get(missing).copied()?);
    Some(Hazard { producer: producer.unwrap_or(index), what, cause: "written here", mitigation })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks_pedantic;

    #[test]
    fn scalar_registers_deliver_old_values() {
        marks_pedantic(
            "gfx1200",
            expect![[r#"
                v_mov_b32 v0, s4
                s_mov_b32 s4, 1
                s_mov_b32 s6, 1
                s_add_co_u32 s5, s4, s6
                ;^^^^^^^^^^^^^^^^^^^^^^ hint[hazard-scalar-read]: `s4` is read before its new value is there; `s_wait_alu depctr_sa_sdst(0)` is needed between them (LLVM's hazard recognizer; not required by the ISA manual)
                ;                     = line 2:1: written here
                ;                     = fix: s_wait_alu depctr_sa_sdst(0)
                v_readfirstlane_b32 s4, v1
                v_mov_b32 v1, s4
                ;^^^^^^^^^^^^^^^ hint[hazard-scalar-read]: `s4` is read before its new value is there; `s_wait_alu depctr_va_sdst(0)` is needed between them (LLVM's hazard recognizer; not required by the ISA manual)
                ;              = line 5:1: written here
                ;              = fix: s_wait_alu depctr_va_sdst(0)
                v_cndmask_b32 v0, v1, v2, vcc_lo
                v_cmp_eq_u32 vcc_lo, v0, v1
                v_cndmask_b32 v0, v1, v2, vcc_lo
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[hazard-scalar-read]: `vcc_lo` is read before its new value is there; `s_wait_alu depctr_va_vcc(0)` is needed between them (LLVM's hazard recognizer; not required by the ISA manual)
                ;                              = line 8:1: written here
                ;                              = fix: s_wait_alu depctr_va_vcc(0)
                s_mov_b32 s4, 2
                s_wait_alu depctr_sa_sdst(0)
                v_mov_b32 v1, s4
                s_mov_b32 s4, 2
                s_load_b32 s8, s[10:11], 0x0
                v_mov_b32 v1, s4
            "#]],
        );
    }

    #[test]
    fn callers_and_callees_have_read_everything() {
        marks_pedantic(
            "gfx1200",
            expect![[r#"
                s_mov_b32 s4, 1
                v_mov_b32 v0, s4
                ;^^^^^^^^^^^^^^^ hint[hazard-scalar-read]: `s4` is read before its new value is there; `s_wait_alu depctr_sa_sdst(0)` is needed between them (LLVM's hazard recognizer; not required by the ISA manual)
                ;              = line 1:1: written here
                ;              = fix: s_wait_alu depctr_sa_sdst(0)
                s_mov_b32 s5, 1
                s_setpc_b64 s[30:31]
                ;^^^^^^^^^^^^^^^^^^^ hint[hazard-scalar-read]: scalar results may not have arrived, and the code after this cannot tell; `s_wait_alu depctr_sa_sdst(0)` is needed between them (LLVM's hazard recognizer; not required by the ISA manual)
                ;                  = line 4:1: written here
                ;                  = fix: s_wait_alu depctr_sa_sdst(0)
            "#]],
        );
        marks_pedantic(
            "gfx1200",
            expect![[r#"
                s_swappc_b64 s[30:31], s[0:1]
                s_mov_b32 s4, 1
                v_mov_b32 v0, s4
                ;^^^^^^^^^^^^^^^ hint[hazard-scalar-read]: `s4` is read before its new value is there; `s_wait_alu depctr_sa_sdst(0)` is needed between them (LLVM's hazard recognizer; not required by the ISA manual)
                ;              = line 2:1: written here
                ;              = fix: s_wait_alu depctr_sa_sdst(0)
                ds_nop
                s_endpgm
            "#]],
        );
        marks_pedantic(
            "gfx1200",
            expect![[r#"
                s_mov_b32 s4, 1
                v_mov_b32 v0, s4
                s_endpgm
            "#]],
        );
    }
}
