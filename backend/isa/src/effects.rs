//! What an instruction reads, writes and counts.

use crate::{inst::Inst, register::Reg, target::Target};

/// One register access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    pub reg: Reg,
    /// Not written in the line (`exec`, `vcc`, `scc`, `m0`, `mode`).
    pub implicit: bool,
    /// A write that keeps part of the old value (16-bit halves, `tied` inputs): also a read for liveness.
    pub partial: bool,
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
    Load,
    Sample,
    Bvh,
    Store,
    Ds,
    Km,
    /// gfx1250
    X,
    /// gfx1250
    Async,
    /// gfx1250
    Tensor,
}

/// Which unit executes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum IssueClass {
    Salu,
    Smem,
    Valu,
    /// Transcendental unit.
    Trans,
    /// Matrix core.
    Matrix,
    /// Buffer, image, flat, global and scratch.
    Vmem,
    Lds,
    Export,
    Branch,
    /// Waits, nops, messages and all the rest.
    #[default]
    Other,
}

/// The static facts of one instruction.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Effects {
    pub reads: Vec<Access>,
    pub writes: Vec<Access>,
    /// Counters that rise when it issues, and fall when the result is there (or the source has been read, for [`Counter::Exp`]).
    pub counters: Vec<Counter>,
    pub class: IssueClass,
    /// Branch to the label in operand 0.
    pub branch: bool,
    /// Nothing after it is reached (`s_endpgm`, `s_branch`, `s_setpc_b64`).
    pub terminates: bool,
    pub may_load: bool,
    pub may_store: bool,
}

/// Reads, writes and counters of an instruction.
pub fn effects(_target: Target, _inst: &Inst) -> Effects {
    Effects::default()
}
