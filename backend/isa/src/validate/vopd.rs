//! Dual instructions: register banks and parities.

use super::{Check, Checked};
use crate::{
    convert::ABS,
    error::{Conflict, ErrorKind, Fault, Place},
    inst::{Inst, MachineOperand},
    literal,
    register::Reg,
    tables::{Row, flag, kind::Ty, name, special},
    target::Target,
};

const X: [u16; 4] = [name::VDST_X, name::SRC0X, name::VSRC1X, name::VSRC2X];
const Y: [u16; 4] = [name::VDST_Y, name::SRC0Y, name::VSRC1Y, name::VSRC2Y];

/// The vector register of component operand `i`: result, then three sources.
fn vector(inst: &Inst, names: [u16; 4], i: usize) -> Option<Reg> {
    let row = inst.row.row();
    let x = names[0] == name::VDST_X;
    // with the literal between its sources (`fmamk`), the second source is the third operand
    let literal_first = row.find(names[2]).and_then(|i| i.checked_sub(1)).is_some_and(|before| {
        let n = row.name(before);
        n == name::IMM_X || n == name::IMM
    });
    let i = match (literal_first, i) {
        (true, 2) => return None,
        (true, 3) => 2,
        _ => i,
    };
    let mut r = inst.reg(names[i]);
    if i == 3 && r.is_none() {
        // the accumulator of a multiply-add is its result
        r = inst.reg(if x { name::SRC2X } else { name::SRC2Y });
    }
    r.filter(|r| r.is_vector())
}

const DOT: &str = "v_dual_dot2acc_f32_bf16";

fn has_dot(row: Row) -> bool {
    row.mnemonic() == DOT || second(row.tail()) == Some(DOT)
}

/// [`vector`] as LLVM computes it next to `v_dual_dot2acc_f32_bf16`: it does not count that instruction's modifiers, and so takes
/// other operands for its sources and for those of the following half.
fn uncounted(inst: &Inst, y: bool, i: usize) -> Option<Reg> {
    const MODIFIERS: [[u16; 3]; 2] = [
        [name::SRC0X_MODIFIERS, name::VSRC1X_MODIFIERS, name::VSRC2X_MODIFIERS],
        [name::SRC0Y_MODIFIERS, name::VSRC1Y_MODIFIERS, name::VSRC2Y_MODIFIERS],
    ];
    const ACCUMULATORS: [u16; 2] = [name::SRC2X, name::SRC2Y];
    /// The positions of the sources after one result, by the number of modifiers.
    const PLACES: [[usize; 3]; 4] = [[1, 2, 3], [2, 3, 4], [2, 4, 5], [2, 4, 6]];
    let row = inst.row.row();
    let count = |names: &[u16]| names.iter().filter(|n| row.find(**n).is_some()).count();
    let half = |y: usize| {
        let names = [X, Y][y];
        let dot = if y == 0 { row.mnemonic() == DOT } else { second(row.tail()) == Some(DOT) };
        let modifiers = if dot { 0 } else { count(&MODIFIERS[y]) };
        (count(&names[1..]) + count(&ACCUMULATORS[y..=y]), modifiers)
    };
    let Some(source) = i.checked_sub(1) else { return vector(inst, [X, Y][usize::from(y)], 0) };
    let (sources, modifiers) = half(usize::from(y));
    if source >= sources {
        return None;
    }
    let before = if y { half(0).0 + half(0).1 } else { 0 };
    match inst.operands().get(PLACES.get(modifiers)?.get(source)? + 1 + before) {
        Some(MachineOperand::Reg(r)) if r.is_vector() => Some(*r),
        _ => None,
    }
}

fn banks_overlap(a: Reg, b: Reg, mask: u16) -> bool {
    (0..u16::from(a.dwords))
        .any(|i| (0..u16::from(b.dwords)).any(|j| (a.index + i) & mask == (b.index + j) & mask))
}

/// The component operand that breaks a rule of the short encoding or, if `long`, of VOPD3.
fn conflict(inst: &Inst, row: Row, long: bool, t: Target) -> Option<usize> {
    if long {
        for n in [name::SRC0X, name::SRC0Y] {
            if let Some(MachineOperand::Imm(v)) = inst.named(n)
                && literal::inline_code(v, Ty::I32, t).is_none()
                && literal::inline_code(v, Ty::I64, t).is_none()
            {
                return Some(1);
            }
        }
        for n in [name::VSRC1X, name::VSRC1Y, name::VSRC2X, name::VSRC2Y, name::IMM] {
            if matches!(inst.named(n), Some(MachineOperand::Imm(_))) {
                return Some(2);
            }
        }
    }
    let skip_sources = row.special() == special::DUAL_MOV_MOV;
    let masks: [u16; 4] = if long { [1, 3, 3, 3] } else { [1, 3, 3, 1] };
    for (i, mask) in masks.into_iter().enumerate() {
        let registers = if long && has_dot(row) {
            (uncounted(inst, false, i), uncounted(inst, true, i))
        } else {
            (vector(inst, X, i), vector(inst, Y, i))
        };
        let (Some(a), Some(b)) = registers else { continue };
        if skip_sources && i > 0 {
            continue;
        }
        if i == 0 {
            if a.overlaps(b) {
                return Some(0);
            }
            if long {
                continue;
            }
        }
        let may_share = t.facts().dual_halves_may_share(t);
        if banks_overlap(a, b, mask) && (!may_share || i == 0 || a != b) {
            return Some(i);
        }
    }
    None
}

fn prefers_long(inst: &Inst, row: Row, t: Target) -> bool {
    if conflict(inst, row, false, t).is_none() {
        return false;
    }
    match conflict(inst, row, true, t) {
        Some(i) => i == 0,
        None => true,
    }
}

/// Whether this is the encoding to use, not the other of gfx1250's two.
pub(crate) fn fits(inst: &Inst, row: Row, t: Target) -> bool {
    if !row.has(flag::VOPD) || !t.facts().has_vopd3 {
        return true;
    }
    if !row.has(flag::VOPD3) {
        return !prefers_long(inst, row, t);
    }
    // a dual move takes |number| in its short form
    if row.mnemonic() == "v_dual_mov_b32"
        && inst.imm(name::SRC0Y_MODIFIERS) & ABS != 0
        && matches!(inst.named(name::SRC0Y), Some(MachineOperand::Imm(_)))
    {
        return false;
    }
    // LLVM prefers the short form where it can express the same
    let short = has_short_form(row)
        && row.special() != special::DUAL_CNDMASK
        && [
            name::SRC0X_MODIFIERS,
            name::SRC0Y_MODIFIERS,
            name::VSRC1X_MODIFIERS,
            name::VSRC1Y_MODIFIERS,
            name::VSRC2X_MODIFIERS,
            name::VSRC2Y_MODIFIERS,
        ]
        .iter()
        .all(|n| inst.imm(*n) == 0);
    !short || prefers_long(inst, row, t)
}

/// Whether both halves exist in the short encoding.
fn has_short_form(row: Row) -> bool {
    crate::tables::lookup(row.mnemonic()).is_some_and(|c| {
        let tail = second(row.tail());
        c.iter().any(|c| {
            let other = Row::new(c.row);
            !other.has(flag::VOPD3) && second(other.tail()) == tail && c.avail == row.avail()
        })
    })
}

fn second(tail: &str) -> Option<&str> {
    tail.split("::").nth(1)?.split_whitespace().next()
}

pub(super) fn check(c: &Checked<'_>) -> Check {
    if !c.row.has(flag::VOPD) {
        return Ok(());
    }
    let long = c.row.has(flag::VOPD3);
    if long {
        for (i, o) in c.line.operands.iter().enumerate() {
            if o.mods.abs {
                return c.fail(
                    Place::Operand(i.min(254) as u8),
                    ErrorKind::InvalidModifier,
                    "dual instructions do not take |abs| in their long encoding",
                );
            }
        }
    }
    let Some(i) = conflict(c.inst, c.row, long, c.t) else { return Ok(()) };
    let place = match c.place(Y[i]) {
        Place::Mnemonic => c.place(X[i]),
        p => p,
    };
    let conflict = match (i, long) {
        (0, true) => Conflict::DualResults,
        (0, false) => Conflict::DualParity,
        _ => Conflict::DualBanks(i - 1),
    };
    c.violates(place, Fault::Conflict(conflict))
}
