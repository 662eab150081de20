//! `hwreg(HW_REG_MODE, 0, 4)`.

use super::{Read, bad, bad_number, bad_term};
use crate::{
    operand::{Line, Term, TermRange},
    tables::feature,
    target::Target,
};

type Has = fn(Target) -> bool;

fn always(_: Target) -> bool {
    true
}
fn gfx9_to_11(t: Target) -> bool {
    (9..=11).contains(&t.major())
}
fn gfx9_10(t: Target) -> bool {
    matches!(t.major(), 9 | 10)
}
fn gfx10_11(t: Target) -> bool {
    matches!(t.major(), 10 | 11)
}
fn gfx10(t: Target) -> bool {
    t.major() == 10
}
fn gfx10_up(t: Target) -> bool {
    t.major() >= 10
}
fn gfx11(t: Target) -> bool {
    t.major() == 11
}
fn gfx12(t: Target) -> bool {
    t.major() >= 12
}
fn gfx940(t: Target) -> bool {
    t.gfx940()
}
fn before_10(t: Target) -> bool {
    t.major() < 10
}
fn before_12(t: Target) -> bool {
    t.major() < 12
}
fn before_1030(t: Target) -> bool {
    t.major() == 10 && !t.has(feature::GFX10_3_INSTS)
}
fn has_shader_cycles(t: Target) -> bool {
    t.major() == 11 || (t.major() == 10 && t.has(feature::GFX10_3_INSTS))
}
fn gfx1250(t: Target) -> bool {
    t.gfx1250()
}

/// Whether a word is the name of a register on some processor.
pub(crate) fn is_name(word: &str) -> bool {
    REGISTERS.iter().any(|r| r.name == word)
}

struct Register {
    name: &'static str,
    number: i64,
    exists_on: Has,
}

const fn row(name: &'static str, number: i64, exists_on: Has) -> Register {
    Register { name, number, exists_on }
}

#[rustfmt::skip]
static REGISTERS: &[Register] = &[
    row("HW_REG_WAVE_MODE", 1, gfx12), row("HW_REG_WAVE_STATUS", 2, gfx12), row("HW_REG_WAVE_STATE_PRIV", 4, gfx12),
    row("HW_REG_WAVE_GPR_ALLOC", 5, gfx12), row("HW_REG_WAVE_LDS_ALLOC", 6, gfx12),
    row("HW_REG_WAVE_EXCP_FLAG_PRIV", 17, gfx12), row("HW_REG_WAVE_EXCP_FLAG_USER", 18, gfx12),
    row("HW_REG_WAVE_TRAP_CTRL", 19, gfx12), row("HW_REG_WAVE_SCRATCH_BASE_LO", 20, gfx12),
    row("HW_REG_WAVE_SCRATCH_BASE_HI", 21, gfx12), row("HW_REG_WAVE_HW_ID1", 23, gfx12),
    row("HW_REG_WAVE_HW_ID2", 24, gfx12), row("HW_REG_WAVE_SCHED_MODE", 26, gfx12),
    row("HW_REG_WAVE_DVGPR_ALLOC_LO", 31, gfx12), row("HW_REG_WAVE_DVGPR_ALLOC_HI", 32, gfx12),
    row("HW_REG_MODE", 1, always), row("HW_REG_STATUS", 2, always), row("HW_REG_TRAPSTS", 3, before_12),
    row("HW_REG_HW_ID", 4, before_10), row("HW_REG_GPR_ALLOC", 5, always), row("HW_REG_LDS_ALLOC", 6, always),
    row("HW_REG_IB_STS", 7, always),
    row("HW_REG_PERF_SNAPSHOT_DATA", 10, gfx12), row("HW_REG_PERF_SNAPSHOT_PC_LO", 11, gfx12),
    row("HW_REG_PERF_SNAPSHOT_PC_HI", 12, gfx12),
    row("HW_REG_SH_MEM_BASES", 15, gfx9_to_11), row("HW_REG_TBA_LO", 16, gfx9_10), row("HW_REG_TBA_HI", 17, gfx9_10),
    row("HW_REG_TMA_LO", 18, gfx9_10), row("HW_REG_TMA_HI", 19, gfx9_10),
    row("HW_REG_FLAT_SCR_LO", 20, gfx10_11), row("HW_REG_FLAT_SCR_HI", 21, gfx10_11),
    row("HW_REG_XNACK_MASK", 22, before_1030), row("HW_REG_HW_ID1", 23, gfx10_up), row("HW_REG_HW_ID2", 24, gfx10_up),
    row("HW_REG_POPS_PACKER", 25, gfx10), row("HW_REG_PERF_SNAPSHOT_DATA", 27, gfx11),
    row("HW_REG_SHADER_CYCLES", 29, has_shader_cycles), row("HW_REG_SHADER_CYCLES_HI", 30, gfx12),
    row("HW_REG_DVGPR_ALLOC_LO", 31, gfx12), row("HW_REG_DVGPR_ALLOC_HI", 32, gfx12),
    row("HW_REG_PERF_SNAPSHOT_PC_LO", 18, gfx11), row("HW_REG_PERF_SNAPSHOT_PC_HI", 19, gfx11),
    row("HW_REG_STATE_PRIV", 4, gfx12), row("HW_REG_PERF_SNAPSHOT_DATA1", 15, gfx12),
    row("HW_REG_PERF_SNAPSHOT_DATA2", 16, gfx12), row("HW_REG_EXCP_FLAG_PRIV", 17, gfx12),
    row("HW_REG_EXCP_FLAG_USER", 18, gfx12), row("HW_REG_TRAP_CTRL", 19, gfx12),
    row("HW_REG_SCRATCH_BASE_LO", 20, gfx12), row("HW_REG_SCRATCH_BASE_HI", 21, gfx12),
    row("HW_REG_SHADER_CYCLES_LO", 29, gfx12),
    row("HW_REG_IB_STS2", 28, gfx1250), row("HW_REG_XNACK_MASK", 34, gfx1250),
    row("HW_REG_XCC_ID", 20, gfx940), row("HW_REG_SQ_PERF_SNAPSHOT_DATA", 21, gfx940),
    row("HW_REG_SQ_PERF_SNAPSHOT_DATA1", 22, gfx940), row("HW_REG_SQ_PERF_SNAPSHOT_PC_LO", 23, gfx940),
    row("HW_REG_SQ_PERF_SNAPSHOT_PC_HI", 24, gfx940),
    row("HW_REG_HW_ID", 23, gfx10),
];

/// The registers of a processor.
pub(crate) fn names(t: Target) -> impl Iterator<Item = &'static str> {
    REGISTERS.iter().filter(move |r| (r.exists_on)(t)).map(|r| r.name)
}

/// The number of a register, if the processor has it.
pub(crate) fn number(name: &str, t: Target) -> Option<i64> {
    REGISTERS.iter().find(|r| r.name == name && (r.exists_on)(t)).map(|r| r.number)
}

/// Arguments of `hwreg(...)`.
pub(crate) fn call(line: &Line<'_>, args: TermRange, t: Target) -> Read {
    let terms = line.terms(args);
    if !matches!(terms.len(), 1 | 3) {
        return bad(format!(
            "hwreg takes a register, or a register, an offset and a size, found {} arguments",
            terms.len()
        ));
    }
    let id = match terms.first() {
        Some(Term::Int(v)) => *v,
        Some(Term::Word(w)) => {
            let mut known = REGISTERS.iter().filter(|r| r.name == *w).peekable();
            if known.peek().is_none() {
                return bad(format!("unknown hardware register `{w}`"));
            }
            match known.find(|r| (r.exists_on)(t)) {
                Some(r) => r.number,
                None => return bad(format!("hardware register `{w}` does not exist on {}", t)),
            }
        }
        Some(Term::Unknown) => return Read::Unknown,
        term => return bad_term("expected the name or number of a hardware register", term),
    };
    let number = |i: usize, default: i64| match terms.get(i) {
        None => Read::Value(default),
        Some(Term::Int(v)) => Read::Value(*v),
        Some(Term::Unknown) => Read::Unknown,
        found => bad_term("expected an integer", found),
    };
    let (offset, size) = match (number(1, 0), number(2, 32)) {
        (Read::Value(a), Read::Value(b)) => (a, b),
        (Read::Bad(p), _) | (_, Read::Bad(p)) => return Read::Bad(p),
        _ => return Read::Unknown,
    };
    if !(0..64).contains(&id) {
        return bad_number("the number of a hardware register must be between 0 and 63", id);
    }
    if !(0..32).contains(&offset) {
        return bad_number("the bit offset must be between 0 and 31", offset);
    }
    if !(1..=32).contains(&size) {
        return bad_number("the size must be between 1 and 32 bits", size);
    }
    Read::Value(id | offset << 6 | (size - 1) << 11)
}

/// An encoded operand as `hwreg(...)`.
pub(crate) fn print(v: i64, t: Target) -> String {
    let (id, offset, size) = (v & 63, v >> 6 & 31, (v >> 11 & 31) + 1);
    let name = REGISTERS
        .iter()
        .find(|r| r.number == id && (r.exists_on)(t))
        .map_or_else(|| id.to_string(), |r| r.name.to_owned());
    if offset == 0 && size == 32 {
        format!("hwreg({name})")
    } else {
        format!("hwreg({name}, {offset}, {size})")
    }
}
