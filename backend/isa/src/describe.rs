//! Words for what an operand can be, in messages.

use crate::{
    tables::{
        self, Formal, feature,
        kind::{Class, Imm, Kind, Regs},
        kind_of,
    },
    target::{Target, WaveSize},
};

/// A set of registers of a processor.
fn registers(r: Regs, t: Target) -> String {
    let count = |what: &str, n: u8| {
        if n == 1 { format!("a single {what}") } else { format!("a tuple of {n} {what}s") }
    };
    match r {
        Regs::V(n) => count("vector register", n),
        Regs::A(n) => count("accumulator register", n),
        Regs::Av(n) if t.has(feature::MAIINSTS) => count("vector or accumulator register", n),
        Regs::Av(n) => count("vector register", n),
        Regs::VLo => "one of v0 to v127".into(),
        Regs::V16 => "half of a vector register (such as v0.l)".into(),
        Regs::V16Lo => "half of one of v0 to v127 (such as v0.l)".into(),
        Regs::S(1) | Regs::SXNull(1) => ONE_SCALAR.into(),
        Regs::S(n) | Regs::SXNull(n) => count("scalar register", n),
        Regs::S64 | Regs::S64XExec | Regs::S64XExecXNull => "a pair of scalar registers".into(),
        Regs::S1 | Regs::S1XExec => "a lane mask".into(),
        Regs::Vs64 => "a pair of vector or scalar registers".into(),
        Regs::Vs128 => "four vector or scalar registers".into(),
        Regs::Vs32 | Regs::Vs16 => "a vector or scalar register".into(),
        Regs::Vs32Lo | Regs::Vs16Lo => "one of v0 to v127, a scalar register".into(),
        Regs::VOrLds => "a vector register or lds_direct".into(),
        Regs::None
        | Regs::S32
        | Regs::S32XM0
        | Regs::S32XExec
        | Regs::S32XM0XExec
        | Regs::S32XExecHi
        | Regs::SOrLds => ONE_SCALAR.into(),
    }
}

const ONE_SCALAR: &str = "a single scalar register";

/// The registers of a formal operand that takes nothing else.
fn only_registers(f: Formal) -> Option<Regs> {
    let Formal::Operand { kind: k, .. } = f else { return None };
    match kind_of(k).class {
        Class::Reg(regs) | Class::RegMods(regs, _) => Some(regs),
        _ => None,
    }
}

/// The registers of a formal operand.
fn registers_of(f: Formal) -> Option<Regs> {
    let Formal::Operand { kind: k, .. } = f else { return None };
    match kind_of(k).class {
        Class::Src { regs, .. } => Some(regs),
        _ => only_registers(f),
    }
}

/// Whether a formal operand is one scalar register.
pub(crate) fn is_scalar_register(f: Formal) -> bool {
    use Regs::{S, S32, S32XExec, S32XExecHi, S32XM0, S32XM0XExec, SOrLds, SXNull};
    only_registers(f).is_some_and(|regs| {
        matches!(
            regs,
            Regs::None | S(1) | SXNull(1) | S32 | S32XM0 | S32XExec | S32XM0XExec | S32XExecHi | SOrLds
        )
    })
}

/// Whether a formal operand can be a pair of scalar registers.
pub(crate) fn takes_pairs(f: Formal, t: Target) -> bool {
    let is_pair = |r| matches!(r, Regs::S64 | Regs::S64XExec | Regs::S64XExecXNull | Regs::Vs64);
    registers_of(f).is_some_and(is_pair) || is_lane_mask(f) && t.wave64()
}

/// Whether a formal operand is a mask with a bit for each lane of a wave.
pub(crate) fn is_lane_mask(f: Formal) -> bool {
    matches!(f, Formal::Operand { kind: k, .. } if kind_of(k).class == Class::BoolReg)
}

/// Whether the description of a formal operand has an example: it has a syntax of its own.
pub(crate) fn has_example(f: Formal) -> bool {
    if matches!(registers_of(f), Some(Regs::V16 | Regs::V16Lo)) {
        return true;
    }
    let Formal::Operand { kind: k, .. } = f else { return false };
    match kind_of(k).class {
        Class::AttrChan => true,
        Class::Imm(Imm::InterpSlot | Imm::Endpgm) => false,
        Class::Imm(imm) => immediate(imm).is_some(),
        _ => false,
    }
}

/// Whether a formal operand is a modifier with a name, rather than a register or a number.
pub(crate) fn is_modifier(f: Formal) -> bool {
    let Formal::Operand { kind: k, .. } = f else { return false };
    matches!(kind_of(k).class, Class::Imm(i) if immediate(i).is_none())
}

/// Whether the vector registers of a formal operand are halves.
pub(crate) fn takes_halves(f: Formal) -> bool {
    matches!(registers_of(f), Some(Regs::V16 | Regs::V16Lo | Regs::Vs16 | Regs::Vs16Lo))
}

/// Whether a formal operand is neither a word nor a modifier.
pub(crate) fn is_register_or_number(f: Formal) -> bool {
    let Formal::Operand { kind: k, .. } = f else { return false };
    !is_modifier(f) && !matches!(kind_of(k).class, Class::CPolWith(_))
}

/// Whether an attribute follows a formal operand.
pub(crate) fn precedes_attribute(f: Formal) -> bool {
    let Formal::Operand { kind: k, .. } = f else { return false };
    matches!(kind_of(k).class, Class::Imm(Imm::InterpSlot))
}

/// An immediate that is not a modifier.
fn immediate(i: Imm) -> Option<&'static str> {
    Some(match i {
        Imm::InterpAttr => "an attribute such as attr0.x",
        Imm::InterpSlot => "p0, p10 or p20",
        Imm::SWaitCnt => "counters such as vmcnt(0)",
        Imm::DepCtr => "counters such as depctr_va_vdst(0)",
        Imm::Hwreg => "a hardware register such as hwreg(HW_REG_MODE)",
        Imm::SendMsg => "a message such as sendmsg(MSG_INTERRUPT)",
        Imm::ExpTgt => "an export target such as mrt0",
        Imm::SDelayALU => "a delay such as instid0(VALU_DEP_1)",
        Imm::WaitEvent => "an event such as { export_ready: 1 }, or a 16-bit number",
        Imm::GPRIdxMode => "an index mode such as gpr_idx(SRC0)",
        Imm::Endpgm => "a 16-bit number",
        _ => return None,
    })
}

/// What a formal operand takes.
pub(crate) fn formal(f: Formal, t: Target) -> String {
    let regs = |r| registers(r, t);
    match f {
        Formal::Token(id) | Formal::Single(id) => {
            format!("`{}`", tables::token(id))
        }
        Formal::Operand { kind: k, .. } => match kind_of(k).class {
            Class::Reg(r) | Class::RegMods(r, _) => regs(r),
            Class::Src { regs: r, lit, .. } => {
                format!("{} or an {}", regs(r), if lit.is_some() { "immediate" } else { "inline constant" })
            }
            Class::AnyRegOrImm => "a register or a number".into(),
            Class::DppReg(_) => "a single vector register".into(),
            Class::Sdwa(..) if !t.facts().sdwa_takes_scalars => "a vector register".into(),
            Class::Sdwa(..) => "a vector or scalar register".into(),
            Class::BoolReg => match t.wave_size() {
                WaveSize::W32 => "a lane mask (one scalar register in wave32)".into(),
                WaveSize::W64 => "a lane mask (a pair of scalar registers in wave64)".into(),
            },
            Class::VRegOrOff => "a vector register or `off`".into(),
            Class::KImm(_) => "a literal constant".into(),
            Class::Branch => "a label or a 16-bit jump distance".into(),
            Class::S16 => "a 16-bit number".into(),
            Class::U16 => "an unsigned 16-bit number".into(),
            Class::SmrdOffset8 => "an unsigned 8-bit offset".into(),
            Class::SmrdLiteral => "an unsigned 32-bit offset".into(),
            Class::SmemOffset | Class::PlainImm | Class::SplitBarrier => "a number".into(),
            Class::AttrChan => "an attribute such as attr0.x".into(),
            Class::CPolWith(true) => "`glc`".into(),
            Class::CPolWith(false) => "a cache policy without `glc`".into(),
            Class::Imm(i) => match immediate(i) {
                Some(words) => words.into(),
                None => format!("the operand `{}`", modifier_name(i, kind_of(k))),
            },
        },
    }
}

fn modifier_name(i: Imm, k: &Kind) -> String {
    match i {
        Imm::CPol => "cache policy".into(),
        Imm::DPPCtrl => "DPP control".into(),
        Imm::FlatOffset | Imm::Offset => "offset".into(),
        _ => k.print.prefix().map_or_else(|| format!("{i:?}").to_lowercase(), str::to_owned),
    }
}
