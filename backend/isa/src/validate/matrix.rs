//! Matrix instructions and dot products.

use super::{Check, Checked, spelled};
use crate::{
    error::{Conflict, ErrorKind, Fault},
    generation::Generation,
    inst::MachineOperand,
    tables::{feature, flag, flag_set, name, special},
    target::Level,
};

/// `neg_lo`/`neg_hi` only on sources that have modifiers; llvm-mc drops them on DPP forms.
pub(super) fn neg(c: &Checked<'_>, n: u16) -> Check {
    let listed = c.row.has(flag_set::WMMA | flag::IS_DOT);
    if !listed || c.row.has(flag::DPP) || c.row.find(n).is_none() {
        return Ok(());
    }
    let bits = c.inst.imm(n);
    // LLVM 22 takes them
    let keeps_signs = c.row.has(flag::IS_WMMA)
        && c.t.level() == Level::Llvm24
        && c.t.generation() == Generation::Gfx12_5
        && !["_iu", "_f64_"].iter().any(|kind| c.row.mnemonic().contains(kind));
    for (j, (_, modifier)) in crate::matched::SOURCES.iter().enumerate() {
        if (c.row.find(*modifier).is_none() || keeps_signs && j < 2) && bits >> j & 1 == 1 {
            return c.fail(
                c.place(n),
                ErrorKind::InvalidModifier,
                format!("source {j} of this instruction cannot be negated"),
            );
        }
    }
    Ok(())
}

pub(super) fn accvgpr_write(c: &Checked<'_>) -> Check {
    if c.row.special() != special::ACCVGPR_WRITE || c.t.facts().accumulator_writes_take_scalars {
        return Ok(());
    }
    match c.inst.reg(name::SRC0) {
        Some(r) if r.is_scalar() => c.fail(
            c.place(name::SRC0),
            ErrorKind::InvalidOperand,
            "the source must be a vector register or an inline constant",
        ),
        _ => Ok(()),
    }
}

pub(super) fn src2(c: &Checked<'_>) -> Check {
    if !c.row.has(flag::IS_MAI) || !c.t.has(feature::MFMAINLINE_LITERAL_BUG) {
        return Ok(());
    }
    let Some(i) = c.row.find(name::SRC2) else { return Ok(()) };
    if matches!(c.op(i), MachineOperand::Imm(_)) && !c.is_literal(i) {
        return c.fail(
            c.place_of(i),
            ErrorKind::InvalidOperand,
            format!("{} cannot read an inline constant here", c.t.name()),
        );
    }
    Ok(())
}

/// Dwords of a source in one of the 8-, 6- and 4-bit formats.
fn format_dwords(format: i64) -> u8 {
    match format {
        2 | 3 => 6,
        4 => 4,
        _ => 8,
    }
}

/// Formats of 8, 6 and 4 bits want tuples of their size.
pub(super) fn mfma_formats(c: &Checked<'_>) -> Check {
    if c.row.special() != special::MFMA_F8F6F4 {
        return Ok(());
    }
    for (src, format) in [(name::SRC0, name::CBSZ), (name::SRC1, name::BLGP)] {
        let v = c.inst.imm(format);
        if c.inst.reg(src).is_some_and(|r| r.dwords != format_dwords(v)) {
            return c.fail(
                c.place(src),
                ErrorKind::InvalidOperand,
                format!("this format requires a tuple of {} registers", format_dwords(v)),
            );
        }
    }
    Ok(())
}

pub(super) fn mfma(c: &Checked<'_>) -> Check {
    if !c.row.has(flag::IS_MAI) {
        return Ok(());
    }
    if c.row.special() == special::MFMA_F8F6F4 {
        return mfma_formats(c);
    }
    let (Some(src), Some(dst)) = (c.inst.reg(name::SRC2), c.inst.reg(name::VDST)) else { return Ok(()) };
    if src != dst && dst.dwords > 4 && src.overlaps(dst) {
        return c.violates(c.place(name::SRC2), Fault::Conflict(Conflict::PartialOverlap));
    }
    Ok(())
}

/// The same for gfx1250's formats.
pub(super) fn wmma(c: &Checked<'_>) -> Check {
    if c.row.special() != special::WMMA_F8F6F4 {
        return Ok(());
    }
    // 16x16x128: twice the registers of the wave64 form
    for (src, format) in [(name::SRC0, name::MATRIX_A_FMT), (name::SRC1, name::MATRIX_B_FMT)] {
        if c.row.find(format).is_none() {
            continue;
        }
        let n = 2 * format_dwords(c.inst.imm(format));
        if c.inst.reg(src).is_some_and(|r| r.dwords != n) {
            return c.fail(
                c.place(src),
                ErrorKind::InvalidOperand,
                format!("this format requires a tuple of {n} registers"),
            );
        }
    }
    Ok(())
}

/// A scale other than E8 needs FP4, and two matrices of FP4 need the same format of scales: LLVM 24 asks for both.
pub(super) fn scales(c: &Checked<'_>) -> Check {
    const E8: i64 = 0;
    const FP4: i64 = 4;
    if c.t.level() != Level::Llvm24 || c.row.special() != special::WMMA_F8F6F4 {
        return Ok(());
    }
    let of = |n| c.row.find(n).map(|_| c.inst.imm(n));
    let sides =
        [(name::MATRIX_A_FMT, name::MATRIX_A_SCALE_FMT), (name::MATRIX_B_FMT, name::MATRIX_B_SCALE_FMT)];
    let [Some(a), Some(b)] = sides.map(|(format, scale)| Some((of(format)?, of(scale)?))) else {
        return Ok(());
    };
    for ((_, place), (format, scale)) in sides.into_iter().zip([a, b]) {
        if scale != E8 && format != FP4 {
            let text = "only a matrix of FP4 can have this format of scales";
            return c.fail(c.place(place), ErrorKind::InvalidModifier, text);
        }
    }
    if a.0 == FP4 && b.0 == FP4 && a.1 != b.1 {
        let text = "the scales of two matrices of FP4 must have the same format";
        return c.fail(c.place(name::MATRIX_B_SCALE_FMT), ErrorKind::InvalidModifier, text);
    }
    Ok(())
}

/// gfx942 spells the modifier of f64 products `neg`, everything else `blgp`.
pub(super) fn blgp(c: &Checked<'_>) -> Check {
    if !c.given(name::BLGP) {
        return Ok(());
    }
    let place = c.place(name::BLGP);
    let is_neg = spelled(c.line, place, "neg");
    let uses_neg = c.t.facts().negates_f64_products && c.row.special() == special::MFMA_F64_GFX940;
    if is_neg == uses_neg {
        return Ok(());
    }
    c.fail(
        place,
        ErrorKind::InvalidModifier,
        if uses_neg {
            "this instruction takes `neg:`, not `blgp:`"
        } else {
            "this instruction does not take `neg:`"
        },
    )
}
