//! Image instructions: sizes of data and address, dimensions and masks.

use super::{Check, Checked};
use crate::{
    error::{Conflict, ErrorKind, Fault, Place},
    tables::{feature, flag, flag_set, name},
    target::Target,
};

/// Numbers of coordinates and of gradients, by the number of the dimension.
const COORDS: [u32; 8] = [1, 2, 3, 3, 2, 3, 3, 4];
const GRADIENTS: [u32; 8] = [2, 4, 6, 4, 2, 4, 4, 4];

pub(super) fn check(c: &Checked<'_>) -> Check {
    if c.row.has(flag::TENSOR_CNT) && c.inst.imm(name::R128) != 0 {
        return c.fail(c.place(name::R128), ErrorKind::InvalidModifier, "r128 must be clear here");
    }
    if !c.row.has(flag_set::IMAGE) || c.row.find(name::RSRC).or(c.row.find(name::SRSRC)).is_none() {
        return Ok(());
    }
    let t = c.t;
    let bvh = c.row.has(flag::MIMG_BVH);
    if c.inst.imm(name::D16) != 0 && !t.facts().has_image_d16 {
        return c.fail(c.place(name::D16), ErrorKind::InvalidModifier, format!("{} has no d16", t.name()));
    }
    if t.facts().has_image_dim && !bvh && !c.given(name::DIM) && c.row.find(name::DIM).is_some() {
        return c.fail(
            Place::End,
            ErrorKind::MissingOperand,
            "an image instruction requires its dimension, such as dim:SQ_RSRC_IMG_2D",
        );
    }
    let dim = c.inst.imm(name::DIM).clamp(0, 7) as usize;
    if c.row.has(flag::MIMG_MSAA) && !matches!(dim, 6 | 7) {
        return c.fail(
            c.place(name::DIM),
            ErrorKind::InvalidModifier,
            "this instruction requires an MSAA dimension",
        );
    }
    data_size(c)?;
    address_size(c, dim)?;
    let dmask = c.inst.imm(name::DMASK) & 15;
    if c.row.has(flag::MAY_LOAD) && c.row.has(flag::MAY_STORE) && !bvh && !matches!(dmask, 1 | 3 | 15) {
        return c.fail(
            c.place(name::DMASK),
            ErrorKind::InvalidModifier,
            "`dmask` of an image atomic must be 0x1, 0x3 or 0xf",
        );
    }
    if c.row.has(flag::GATHER4) && dmask.count_ones() != 1 {
        return c.fail(
            c.place(name::DMASK),
            ErrorKind::InvalidModifier,
            "`dmask` must have exactly one bit set for this instruction",
        );
    }
    Ok(())
}

/// Only the sizes, for instructions that were decoded.
pub(super) fn sizes_fit(c: &Checked<'_>) -> bool {
    if !c.row.has(flag_set::IMAGE) {
        return true;
    }
    let dim = c.inst.imm(name::DIM).clamp(0, 7) as usize;
    data_size(c).is_ok() && address_size(c, dim).is_ok()
}

fn data_size(c: &Checked<'_>) -> Check {
    let t = c.t;
    let Some(data) = c.inst.reg(name::VDATA) else { return Ok(()) };
    if c.row.find(name::DMASK).is_none() || c.row.has(flag::MIMG_BVH) {
        return Ok(());
    }
    let extra = i64::from(c.inst.imm(name::TFE) != 0);
    let mask = match c.inst.imm(name::DMASK) & 15 {
        0 => 1,
        m => m,
    };
    let mut size = if c.row.has(flag::GATHER4) { 4 } else { i64::from(mask.count_ones()) };
    let packed = !t.has(feature::UNPACKED_D16_VMEM) && c.row.find(name::D16).is_some();
    if packed && c.inst.imm(name::D16) != 0 {
        size = (size + 1) / 2;
    }
    if i64::from(data.dwords) == size + extra {
        return Ok(());
    }
    c.fail(
        c.place(name::VDATA),
        ErrorKind::InvalidOperand,
        format!("`dmask` selects {}, but the data operand has {}", registers(size + extra), data.dwords),
    )
}

/// "1 register", "3 registers".
fn registers(count: i64) -> String {
    format!("{count} register{}", if count == 1 { "" } else { "s" })
}

/// The largest number of address registers that can be named one by one (non-sequential addresses).
fn nsa_limit(t: Target, sampler: bool) -> u32 {
    if sampler { t.facts().nsa_sample_addresses } else { t.facts().nsa_addresses }
}

fn address_size(c: &Checked<'_>, dim: usize) -> Check {
    let t = c.t;
    if !t.facts().has_image_dim {
        return Ok(());
    }
    let (Some(first), Some(end)) =
        (c.row.find(name::VADDR0), c.row.find(name::SRSRC).or(c.row.find(name::RSRC)))
    else {
        return Ok(());
    };
    let a16 = c.inst.imm(name::A16) != 0;
    let count = end - first;
    let dwords = |i: usize| match c.op(i) {
        crate::inst::MachineOperand::Reg(r) => u32::from(r.dwords),
        _ => 1,
    };
    if c.row.has(flag::MIMG_BVH) {
        if a16 == c.row.has(flag::MIMG_BVH_A16) {
            return Ok(());
        }
        let registers = (first..end).map(|i| i64::from(dwords(i))).sum();
        return c.violates(c.place(name::A16), Fault::Conflict(Conflict::AddressSize { registers, a16 }));
    }
    let mut actual = if count > 1 { count as u32 } else { dwords(first) };
    let mut expected = u32::from(c.row.has(flag::MIMG_EXTRA1)) + 2 * u32::from(c.row.has(flag::MIMG_EXTRA2));
    let components =
        if c.row.has(flag::MIMG_NO_COORDS) { 0 } else { COORDS[dim] } + u32::from(c.row.has(flag::MIMG_LOD));
    expected += if a16 { components.div_ceil(2) } else { components };
    if c.row.has(flag::MIMG_GRADIENTS) {
        let half = (a16 && !t.has(feature::G16)) || c.row.has(flag::MIMG_G16);
        expected += if half { (GRADIENTS[dim] / 2).next_multiple_of(2) } else { GRADIENTS[dim] };
    }
    if count > 1 {
        if t.has(feature::PARTIAL_NSAENCODING) && expected > nsa_limit(t, c.row.has(flag::VSAMPLE)) {
            actual = count as u32 - 1 + dwords(end - 1);
        }
    } else {
        if expected > 12 {
            expected = 16;
        }
        if actual == 8 && (5..=7).contains(&expected) {
            return Ok(());
        }
    }
    if actual == expected {
        return Ok(());
    }
    c.fail(
        c.place_of(first),
        ErrorKind::InvalidOperand,
        format!(
            "the address has {}; this dimension {} `a16` requires {expected}",
            registers(actual.into()),
            if a16 { "with" } else { "without" }
        ),
    )
}
