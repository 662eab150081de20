//! What an instruction reads, writes and counts.

use crate::{
    convert::{SDWA_DWORD, SDWA_PRESERVE},
    inst::{Inst, MachineOperand},
    operands::cpol,
    register::{Half, Reg, Special},
    tables::{IMPLICIT, Row, feature, flag, flag_set, name},
    target::Target,
};

/// One register access: a register, the operand that names it, and whether all of it is written. A function has millions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Access(u32);

/// The number of no operand.
const NO_OPERAND: u32 = 31;

impl Access {
    /// `operand`: see [`Access::operand`]. `partial`: see [`Access::partial`].
    pub fn new(reg: Reg, operand: Option<u8>, partial: bool) -> Access {
        let operand = operand.map_or(NO_OPERAND, u32::from).min(NO_OPERAND);
        Access(reg.pack() | u32::from(partial) << Reg::PACKED_BITS | operand << (Reg::PACKED_BITS + 1))
    }

    /// The register.
    pub fn reg(self) -> Reg {
        Reg::unpack(self.0)
    }

    /// The same access of another register.
    pub fn with_reg(self, reg: Reg) -> Access {
        Access::new(reg, self.operand(), self.partial())
    }

    /// Index into [`Inst::operands`]; `None` for a register that the line does not name (`exec`, `vcc`, `scc`, `m0`,
    /// `mode`).
    pub fn operand(self) -> Option<u8> {
        let operand = self.0 >> (Reg::PACKED_BITS + 1);
        (operand != NO_OPERAND).then_some(operand as u8)
    }

    /// A write that keeps part of the old value (16-bit halves, lanes that DPP leaves alone, `_d16_hi` loads): the old
    /// value is among the reads too.
    pub fn partial(self) -> bool {
        self.0 >> Reg::PACKED_BITS & 1 == 1
    }

    /// Not written in the line.
    pub fn implicit(self) -> bool {
        self.operand().is_none()
    }
}

impl std::fmt::Debug for Access {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Access")
            .field("reg", &self.reg())
            .field("operand", &self.operand())
            .field("partial", &self.partial())
            .finish()
    }
}

/// Counters that outstanding operations increment, and waits wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Counter {
    /// vmcnt before gfx12.
    Vm,
    /// lgkmcnt before gfx12.
    Lgkm,
    /// expcnt.
    Exp,
    /// vscnt of gfx10 and gfx11.
    Vs,
    /// `loadcnt`, from gfx12 on.
    Load,
    /// `samplecnt`, from gfx12 on.
    Sample,
    /// `bvhcnt`, from gfx12 on.
    Bvh,
    /// `storecnt`, from gfx12 on.
    Store,
    /// `dscnt`, from gfx12 on: LDS and GDS.
    Ds,
    /// `kmcnt`, from gfx12 on: scalar memory and messages.
    Km,
    /// gfx1250: addresses are not translated yet, so that the registers may be read once more.
    X,
    /// gfx1250
    Async,
    /// gfx1250
    Tensor,
}

/// Which unit executes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum IssueClass {
    /// Scalar ALU.
    Salu,
    /// Scalar memory.
    Smem,
    /// Vector ALU.
    Valu,
    /// Transcendental unit.
    Trans,
    /// Matrix core.
    Matrix,
    /// Buffer, image, flat, global and scratch.
    Vmem,
    /// LDS and GDS.
    Lds,
    /// Exports.
    Export,
    /// Branches.
    Branch,
    /// Waits, nops, messages and all the rest.
    #[default]
    Other,
}

/// The static facts of one instruction.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Effects {
    /// Registers that it reads.
    pub reads: Vec<Access>,
    /// Registers that it writes.
    pub writes: Vec<Access>,
    /// Counters that rise when it issues, and fall when the result is there (or the source has been read, for
    /// [`Counter::Exp`]).
    pub counters: Vec<Counter>,
    /// The unit that issues it.
    pub class: IssueClass,
    /// Jumps to the label in one of its operands.
    pub branch: bool,
    /// A branch that is not always taken.
    pub conditional: bool,
    /// Whether it calls.
    pub call: bool,
    /// Nothing after it is reached (`s_endpgm`, `s_branch`, `s_setpc_b64`).
    pub terminates: bool,
    /// Whether it may read memory.
    pub may_load: bool,
    /// Whether it may write memory.
    pub may_store: bool,
    /// Reads or writes registers that `m0` selects: more than it names.
    pub indexed: bool,
}

fn implicit_register(name: &str, t: Target) -> Option<Reg> {
    let mask = |s| Some(Reg::special(s, if t.wave64() { 2 } else { 1 }));
    match name {
        "EXEC" => mask(Special::ExecLo),
        "VCC" => mask(Special::VccLo),
        "SCC" => Some(Reg::special(Special::Scc, 1)),
        "M0" => Some(Reg::special(Special::M0, 1)),
        "MODE" => Some(Reg::special(Special::Mode, 1)),
        "FLAT_SCR" if t.facts().flat_scratch.is_some() => Some(Reg::special(Special::FlatScratchLo, 2)),
        _ => None,
    }
}

fn issue_class(row: Row) -> IssueClass {
    if row.has(flag::IS_BRANCH | flag::IS_CALL) {
        IssueClass::Branch
    } else if row.has(flag::SMRD) {
        IssueClass::Smem
    } else if row.has(flag::DS | flag::LDSDIR) {
        IssueClass::Lds
    } else if row.has(flag_set::VMEM) {
        IssueClass::Vmem
    } else if row.has(flag::EXP) {
        IssueClass::Export
    } else if row.has(flag_set::WMMA | flag::IS_MAI) && !row.mnemonic().starts_with("v_accvgpr") {
        IssueClass::Matrix
    } else if row.has(flag::TRANS) {
        IssueClass::Trans
    } else if row.has(flag::VALU) {
        IssueClass::Valu
    } else if row.has(flag::SOPP) {
        IssueClass::Other
    } else if row.has(flag::SALU) {
        IssueClass::Salu
    } else {
        IssueClass::Other
    }
}

/// A cache invalidation that no counter waits for before gfx12. `buffer_wbl2` writes back, and is counted.
fn is_invalidation(row: Row) -> bool {
    let m = row.mnemonic();
    m.starts_with("buffer_wbinv") || m.starts_with("buffer_gl") || m.starts_with("buffer_inv")
}

/// An image atomic that does not return the old value. The tables have one row for both kinds, with a result.
fn is_silent_image_atomic(row: Row, inst: &Inst) -> bool {
    row.mnemonic().starts_with("image_atomic") && inst.imm(name::CPOL) & cpol::GLC == 0
}

fn counters(row: Row, inst: &Inst, t: Target) -> Vec<Counter> {
    let m = row.mnemonic();
    let mut out = Vec::new();
    let is_split = t.facts().has_split_counters;
    let stores = row.has(flag::MAY_STORE)
        && (!row.has(flag::MAY_LOAD) || row.has(flag::IS_ATOMIC_NO_RET))
        && !row.has(flag::IS_ATOMIC_RET)
        || is_silent_image_atomic(row, inst);
    let store = || match t.facts().counts_stores {
        true if is_split => Counter::Store,
        true => Counter::Vs,
        false => Counter::Vm,
    };
    let load = || if is_split { Counter::Load } else { Counter::Vm };
    let lds = || if is_split { Counter::Ds } else { Counter::Lgkm };
    let scalar = || if is_split { Counter::Km } else { Counter::Lgkm };
    if row.has(flag::TENSOR_CNT) {
        out.push(Counter::Tensor);
    } else if row.has(flag::ASYNC_CNT) {
        out.push(Counter::Async);
    } else if row.has(flag::DS) {
        out.push(lds());
        if row.has(flag::GWS) || inst.imm(name::GDS) != 0 {
            out.push(Counter::Exp);
        }
    } else if row.has(flag::FLAT) {
        if m.starts_with("global_wb") {
            out.push(Counter::Store);
        } else if m.starts_with("global_inv") {
            out.push(Counter::Load);
        } else if row.has(flag_set::MEMORY) {
            out.push(if stores { store() } else { load() });
            if !row.has(flag_set::SEGMENT) {
                out.push(lds());
            }
        }
    } else if row.has(flag_set::BUFFER | flag_set::IMAGE) {
        if !is_invalidation(row) {
            out.push(if stores {
                store()
            } else if row.has(flag::MIMG_BVH) && is_split {
                Counter::Bvh
            } else if row.has(flag::VSAMPLE) && !row.has(flag::MIMG_MSAA) && is_split {
                Counter::Sample
            } else {
                load()
            });
            if row.has(flag::MAY_STORE) && t.facts().stores_count_exports {
                out.push(Counter::Exp);
            }
        }
    } else if row.has(flag::SMRD) {
        if row.has(flag::LGKM_CNT) {
            out.push(scalar());
        }
    } else if row.has(flag::EXP | flag::LDSDIR) || m.ends_with("param_load") {
        out.push(Counter::Exp);
    } else if m.starts_with("s_sendmsg") || m == "s_barrier_leave" || m == "s_get_barrier_state" {
        out.push(scalar());
    }
    let memory = flag_set::BUFFER | flag::FLAT | flag::VIMAGE | flag::VSAMPLE | flag::SMRD;
    let is_repeated = row.has(memory) && row.has(flag_set::MEMORY) && !row.has(flag::ASYNC_CNT);
    if is_repeated && t.has(feature::WAIT_XCNT) {
        out.push(Counter::X);
    }
    out
}

/// Reads, writes and counters of an instruction.
pub fn effects(target: Target, inst: &Inst) -> Effects {
    let row = inst.row.row();
    let m = row.mnemonic();
    let branch =
        row.has(flag::IS_BRANCH) && row.find(name::SIMM16).is_some() || m.starts_with("s_subvector_loop");
    let mut e = Effects {
        class: issue_class(row),
        counters: counters(row, inst, target),
        branch,
        conditional: branch && m != "s_branch",
        call: row.has(flag::IS_CALL) || m == "s_call_b64" || m == "s_swappc_b64",
        terminates: matches!(
            m,
            "s_branch" | "s_setpc_b64" | "s_rfe_b64" | "s_rfe_restore_b64" | "s_set_pc_i64"
        ) || m.starts_with("s_endpgm"),
        may_load: row.has(flag::MAY_LOAD),
        may_store: row.has(flag::MAY_STORE),
        indexed: m.starts_with("v_movrel") || m.starts_with("s_movrel"),
        ..Effects::default()
    };
    let outs = row.outs();
    let returns = !is_silent_image_atomic(row, inst);
    for (i, op) in inst.operands().iter().enumerate() {
        let MachineOperand::Reg(reg) = *op else { continue };
        if reg == Reg::NULL {
            continue;
        }
        let index = u8::try_from(i).ok();
        if i < outs {
            let tied = row.ties().any(|(a, b)| a == i || b == i);
            if tied && returns_nothing(row, inst) {
                continue;
            }
            let kept = tied && keeps_old_value(row, inst);
            let partial = kept
                || reg.half != Half::Full
                || inst.imm(name::DST_UNUSED) == SDWA_PRESERVE
                    && row.has(flag::SDWA)
                    && inst.imm(name::DST_SEL) != SDWA_DWORD;
            let a = Access::new(reg, index, partial);
            e.writes.extend(returns.then_some(a));
            if partial && !tied {
                e.reads.push(a);
            }
        } else {
            let n = row.name(i);
            if n == name::OLD && !keeps_old_value(row, inst) {
                continue;
            }
            e.reads.push(Access::new(reg, index, false));
        }
    }
    let ignores_m0 = ignores_m0(row, inst, target);
    for (list, out) in [(row.uses(), &mut e.reads), (row.defs(), &mut e.writes)] {
        for i in list {
            let name = IMPLICIT.get(usize::from(*i)).filter(|n| !(ignores_m0 && **n == "M0"));
            if let Some(reg) = name.and_then(|n| implicit_register(n, target)) {
                out.push(Access::new(reg, None, false));
            }
        }
    }
    e
}

/// Whether an image atomic leaves its data register alone: only one with `glc` (from gfx12 on `th:TH_ATOMIC_RETURN`) returns the
/// old value.
fn returns_nothing(row: Row, inst: &Inst) -> bool {
    row.has(flag::MIMG | flag::VIMAGE)
        && row.has(flag::MAY_LOAD)
        && row.has(flag::MAY_STORE)
        && inst.imm(name::CPOL) & cpol::GLC == 0
}

/// Whether an LDS instruction reads no limit from `m0`, as from gfx9 on; some still read an address from it.
fn ignores_m0(row: Row, inst: &Inst, t: Target) -> bool {
    let readers = ["addtid", "append", "consume", "ordered_count"];
    row.has(flag::DS)
        && t.facts().ignores_m0_in_lds
        && !row.has(flag::GWS)
        && inst.imm(name::GDS) == 0
        && !readers.iter().any(|word| row.mnemonic().contains(word))
}

/// Whether a tied result keeps lanes or bits of its old value, rather than only accumulate.
fn keeps_old_value(row: Row, inst: &Inst) -> bool {
    if row.has(flag::DPP) && row.find(name::OLD).is_some() {
        // every lane is written when nothing is masked and lanes without source become zero
        let full = inst.imm(name::ROW_MASK) == 15
            && inst.imm(name::BANK_MASK) == 15
            && inst.imm(name::BOUND_CTRL) == 1;
        return row.find(name::DPP8).is_none() && !full;
    }
    // Atomics read their data there, and replace it.
    let half = row.find(name::VDATA_IN).is_some() && row.mnemonic().contains("d16");
    row.find(name::VDST_IN).is_some() || half
}
