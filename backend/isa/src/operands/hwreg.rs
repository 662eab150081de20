//! `hwreg(HW_REG_MODE, 0, 4)`.

use super::{Read, bad, bad_number, bad_term};
use crate::generation::{Generation::*, NEWEST, Span};
use crate::{
    operand::{Line, Term, TermRange},
    target::Target,
};

const ALL: Span = Span(Unnamed, NEWEST);
const GFX9_TO_11: Span = Span(Gfx9, Gfx11_7);
const GFX9_AND_10: Span = Span(Gfx9, Gfx10_3);
const GFX10_AND_11: Span = Span(Gfx10_1, Gfx11_7);
const FROM_GFX10: Span = Span(Gfx10_1, NEWEST);
const FROM_GFX12_5: Span = Span(Gfx12_5, NEWEST);
const GFX10: Span = Span(Gfx10_1, Gfx10_3);
const GFX11: Span = Span(Gfx11, Gfx11_7);
const FROM_GFX12: Span = Span(Gfx12, NEWEST);
const CDNA3_AND_4: Span = Span(Gfx940, Gfx950);
const BEFORE_GFX10: Span = Span(Unnamed, Gfx950);
const BEFORE_GFX12: Span = Span(Unnamed, Gfx11_7);
const GFX10_1: Span = Span(Gfx10_1, Gfx10_1);
const GFX10_3_AND_11: Span = Span(Gfx10_3, Gfx11_7);

/// Whether a word is the name of a register on some processor.
pub(crate) fn is_name(word: &str) -> bool {
    REGISTERS.iter().any(|r| r.name == word)
}

struct Register {
    name: &'static str,
    number: i64,
    exists_on: Span,
}

const fn row(name: &'static str, number: i64, exists_on: Span) -> Register {
    Register { name, number, exists_on }
}

#[rustfmt::skip]
static REGISTERS: &[Register] = &[
    row("HW_REG_WAVE_MODE", 1, FROM_GFX12), row("HW_REG_WAVE_STATUS", 2, FROM_GFX12), row("HW_REG_WAVE_STATE_PRIV", 4, FROM_GFX12),
    row("HW_REG_WAVE_GPR_ALLOC", 5, FROM_GFX12), row("HW_REG_WAVE_LDS_ALLOC", 6, FROM_GFX12),
    row("HW_REG_WAVE_EXCP_FLAG_PRIV", 17, FROM_GFX12), row("HW_REG_WAVE_EXCP_FLAG_USER", 18, FROM_GFX12),
    row("HW_REG_WAVE_TRAP_CTRL", 19, FROM_GFX12), row("HW_REG_WAVE_SCRATCH_BASE_LO", 20, FROM_GFX12),
    row("HW_REG_WAVE_SCRATCH_BASE_HI", 21, FROM_GFX12), row("HW_REG_WAVE_HW_ID1", 23, FROM_GFX12),
    row("HW_REG_WAVE_HW_ID2", 24, FROM_GFX12), row("HW_REG_WAVE_SCHED_MODE", 26, FROM_GFX12),
    row("HW_REG_WAVE_DVGPR_ALLOC_LO", 31, FROM_GFX12), row("HW_REG_WAVE_DVGPR_ALLOC_HI", 32, FROM_GFX12),
    row("HW_REG_MODE", 1, ALL), row("HW_REG_STATUS", 2, ALL), row("HW_REG_TRAPSTS", 3, BEFORE_GFX12),
    row("HW_REG_HW_ID", 4, BEFORE_GFX10), row("HW_REG_GPR_ALLOC", 5, ALL), row("HW_REG_LDS_ALLOC", 6, ALL),
    row("HW_REG_IB_STS", 7, ALL),
    row("HW_REG_PERF_SNAPSHOT_DATA", 10, FROM_GFX12), row("HW_REG_PERF_SNAPSHOT_PC_LO", 11, FROM_GFX12),
    row("HW_REG_PERF_SNAPSHOT_PC_HI", 12, FROM_GFX12),
    row("HW_REG_SH_MEM_BASES", 15, GFX9_TO_11), row("HW_REG_TBA_LO", 16, GFX9_AND_10), row("HW_REG_TBA_HI", 17, GFX9_AND_10),
    row("HW_REG_TMA_LO", 18, GFX9_AND_10), row("HW_REG_TMA_HI", 19, GFX9_AND_10),
    row("HW_REG_FLAT_SCR_LO", 20, GFX10_AND_11), row("HW_REG_FLAT_SCR_HI", 21, GFX10_AND_11),
    row("HW_REG_XNACK_MASK", 22, GFX10_1), row("HW_REG_HW_ID1", 23, FROM_GFX10), row("HW_REG_HW_ID2", 24, FROM_GFX10),
    row("HW_REG_POPS_PACKER", 25, GFX10), row("HW_REG_PERF_SNAPSHOT_DATA", 27, GFX11),
    row("HW_REG_SHADER_CYCLES", 29, GFX10_3_AND_11), row("HW_REG_SHADER_CYCLES_HI", 30, FROM_GFX12),
    row("HW_REG_DVGPR_ALLOC_LO", 31, FROM_GFX12), row("HW_REG_DVGPR_ALLOC_HI", 32, FROM_GFX12),
    row("HW_REG_PERF_SNAPSHOT_PC_LO", 18, GFX11), row("HW_REG_PERF_SNAPSHOT_PC_HI", 19, GFX11),
    row("HW_REG_STATE_PRIV", 4, FROM_GFX12), row("HW_REG_PERF_SNAPSHOT_DATA1", 15, FROM_GFX12),
    row("HW_REG_PERF_SNAPSHOT_DATA2", 16, FROM_GFX12), row("HW_REG_EXCP_FLAG_PRIV", 17, FROM_GFX12),
    row("HW_REG_EXCP_FLAG_USER", 18, FROM_GFX12), row("HW_REG_TRAP_CTRL", 19, FROM_GFX12),
    row("HW_REG_SCRATCH_BASE_LO", 20, FROM_GFX12), row("HW_REG_SCRATCH_BASE_HI", 21, FROM_GFX12),
    row("HW_REG_SHADER_CYCLES_LO", 29, FROM_GFX12),
    row("HW_REG_IB_STS2", 28, FROM_GFX12_5), row("HW_REG_XNACK_MASK", 34, FROM_GFX12_5),
    row("HW_REG_XNACK_STATE_PRIV", 33, FROM_GFX12_5),
    row("HW_REG_XCC_ID", 20, CDNA3_AND_4), row("HW_REG_SQ_PERF_SNAPSHOT_DATA", 21, CDNA3_AND_4),
    row("HW_REG_SQ_PERF_SNAPSHOT_DATA1", 22, CDNA3_AND_4), row("HW_REG_SQ_PERF_SNAPSHOT_PC_LO", 23, CDNA3_AND_4),
    row("HW_REG_SQ_PERF_SNAPSHOT_PC_HI", 24, CDNA3_AND_4),
    row("HW_REG_HW_ID", 23, GFX10),
];

/// The registers of a processor.
pub(crate) fn names(t: Target) -> impl Iterator<Item = &'static str> {
    REGISTERS.iter().filter(move |r| r.exists_on.contains(t.generation())).map(|r| r.name)
}

/// The number of a register, if the processor has it.
pub(crate) fn number(name: &str, t: Target) -> Option<i64> {
    REGISTERS.iter().find(|r| r.name == name && r.exists_on.contains(t.generation())).map(|r| r.number)
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
            match known.find(|r| r.exists_on.contains(t.generation())) {
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
        .find(|r| r.number == id && r.exists_on.contains(t.generation()))
        .map_or_else(|| id.to_string(), |r| r.name.to_owned());
    if offset == 0 && size == 32 {
        format!("hwreg({name})")
    } else {
        format!("hwreg({name}, {offset}, {size})")
    }
}
