//! Memory: offsets, cache policies, register classes.

use super::{Check, Checked};
use std::borrow::Cow;

use crate::{
    error::{Alignment, ErrorKind, Fault, Place},
    generation::Policies,
    inst::MachineOperand,
    operand::Value,
    operands::cpol,
    register::RegFile,
    tables::{Row, feature, flag, flag_set, name, special},
    target::{Level, Target},
};

fn is_signed(v: i64, bits: u32) -> bool {
    v >= -(1 << (bits - 1)) && v < 1 << (bits - 1)
}

fn is_unsigned(v: i64, bits: u32) -> bool {
    v >= 0 && v < 1 << bits
}

fn signed_range(bits: u32) -> (i64, i64) {
    (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
}

fn unsigned_range(bits: u32) -> (i64, i64) {
    (0, (1 << bits) - 1)
}

/// The smallest and largest offset that the instruction takes.
pub(crate) fn offset_range(row: Row, t: Target) -> (i64, i64) {
    let facts = t.facts();
    if row.has(flag::FLAT) {
        let bits = facts.flat_offset_bits;
        return match row.has(flag_set::SEGMENT) || facts.flat_offset_is_signed {
            _ if !t.has(feature::FLAT_INST_OFFSETS) => (0, 0),
            true => signed_range(bits),
            false => unsigned_range(bits - 1),
        };
    }
    if row.has(flag::SMRD) {
        return scalar_offset_range(row, t);
    }
    if row.has(flag_set::BUFFER) {
        return unsigned_range(facts.buffer_offset_bits);
    }
    unsigned_range(16)
}

/// That of scalar loads. Those of buffers cannot go backwards.
fn scalar_offset_range(row: Row, t: Target) -> (i64, i64) {
    let facts = t.facts();
    match (row.has(flag::SMEM_BUFFER), facts.scalar_offset_is_signed) {
        (true, _) => unsigned_range(facts.scalar_buffer_offset_bits),
        (false, true) => signed_range(facts.scalar_offset_bits),
        (false, false) => unsigned_range(facts.scalar_offset_bits),
    }
}

pub(super) fn offset(c: &Checked<'_>) -> Check {
    let Some(i) = c.row.find(name::OFFSET) else { return Ok(()) };
    let MachineOperand::Imm(v) = c.op(i) else { return Ok(()) };
    let facts = c.t.facts();
    let fail = |(least, most): (i64, i64)| c.violates(c.place_of(i), Fault::Offset { least, most, found: v });
    if c.row.has(flag::FLAT) {
        if !c.t.has(feature::FLAT_INST_OFFSETS) && v != 0 {
            return c.fail(
                c.place_of(i),
                ErrorKind::InvalidModifier,
                format!("flat instructions of {} have no offset", c.t),
            );
        }
        let bits = facts.flat_offset_bits;
        let negative = c.row.has(flag_set::SEGMENT) || facts.flat_offset_is_signed;
        if !is_signed(v, bits) || (!negative && v < 0) {
            return fail(if negative { signed_range(bits) } else { unsigned_range(bits - 1) });
        }
        return Ok(());
    }
    if c.row.has(flag::SMRD) {
        let (least, most) = scalar_offset_range(c.row, c.t);
        // Before that, the kind of the operand says what fits.
        let is_checked = facts.has_scalar_policies;
        return if is_checked && !(least..=most).contains(&v) { fail((least, most)) } else { Ok(()) };
    }
    if facts.has_wide_buffer_offset() && c.row.has(flag_set::BUFFER) {
        let bits = facts.buffer_offset_bits;
        return if is_unsigned(v, bits) { Ok(()) } else { fail(unsigned_range(bits)) };
    }
    // the reference lets 16 bits through where the field has 12
    if !is_unsigned(v, 16) {
        return fail(unsigned_range(16));
    }
    Ok(())
}

pub(super) fn coherency(c: &Checked<'_>) -> Check {
    if c.row.find(name::CPOL).is_none() {
        return Ok(());
    }
    let v = c.inst.imm(name::CPOL);
    let place = c.place(name::CPOL);
    let facts = c.t.facts();
    if facts.policies == Policies::Hints {
        return hints(c, v, place);
    }
    let fail = |m: Cow<'static, str>| c.fail(place, ErrorKind::InvalidModifier, m);
    if c.row.has(flag::SMRD) {
        if v != 0 && !facts.has_scalar_policies {
            return fail(format!("scalar memory instructions of {} have no cache policy", c.t).into());
        }
        if v & !(cpol::GLC | cpol::DLC) != 0 {
            return fail("scalar memory instructions take glc and dlc only".into());
        }
    }
    if facts.has_scc
        && facts.policies == Policies::Bits
        && v & cpol::SCC != 0
        && !c.row.has(flag_set::BUFFER | flag::MIMG | flag::FLAT)
    {
        return fail("scc does not belong to this instruction".into());
    }
    let word = if facts.policies == Policies::Scopes { "sc0" } else { "glc" };
    if c.row.has(flag::IS_ATOMIC_RET) {
        if !c.row.has(flag::MIMG) && v & cpol::GLC == 0 {
            return c.fail(
                Place::Mnemonic,
                ErrorKind::InvalidModifier,
                format!("an atomic that returns the old value requires `{word}`"),
            );
        }
    } else if c.row.has(flag::IS_ATOMIC_NO_RET) && v & cpol::GLC != 0 {
        return fail(format!("an atomic without result cannot have `{word}`").into());
    }
    Ok(())
}

/// Offsets scale with the size of the data where a vector register holds the offset, and in scalar loads.
fn scales(c: &Checked<'_>) -> bool {
    if c.row.has(flag::SMRD) {
        return c.row.has(flag::MAY_LOAD)
            && !c.row.has(flag::SMEM_BUFFER)
            && !c.row.mnemonic().starts_with("s_prefetch");
    }
    // the lane is all that these add to their base
    if !c.row.has(flag::FLAT) || c.row.mnemonic().contains("_addtid_") {
        return false;
    }
    if c.row.has(flag::FLAT_SCRATCH) {
        return c.row.find(name::VADDR).is_some();
    }
    c.row.find(name::SADDR).is_some()
}

/// Temporal hints and scopes of gfx12.
fn hints(c: &Checked<'_>, v: i64, place: Place) -> Check {
    if v & cpol::SCALE_OFFSET != 0 && !scales(c) {
        return c.fail(
            place,
            ErrorKind::InvalidModifier,
            format!("`{}` cannot scale its offset", c.inst.mnemonic()),
        );
    }
    let (th, scope) = (v & cpol::TH, v & cpol::SCOPE);
    let fail = |m: &'static str| c.fail(place, ErrorKind::InvalidModifier, m);
    if c.row.has(flag::IS_ATOMIC_RET)
        && c.row.has(flag::FLAT | flag::MUBUF)
        && th & cpol::TH_ATOMIC_RETURN == 0
    {
        return fail("an atomic that returns the old value requires th:TH_ATOMIC_RETURN");
    }
    if c.row.has(flag::IS_ATOMIC_NO_RET)
        && c.row.has(flag::FLAT)
        && th & cpol::TH_ATOMIC_RETURN != 0
        && c.t.level() == Level::Llvm24
    {
        return fail("th:TH_ATOMIC_RETURN requires a register for the old value");
    }
    if th == 0 {
        return Ok(());
    }
    if c.row.has(flag::SMRD) && matches!(th, 4..=6) {
        return fail("scalar memory instructions do not take this temporal hint");
    }
    if th == 3 {
        let real = v & cpol::REAL_BYPASS != 0;
        let system = scope == cpol::SCOPE;
        match (real, system) {
            (true, false) => return fail("this temporal hint requires `scope:SCOPE_SYS`"),
            (false, true) => return fail("this temporal hint must not be used with `scope:SCOPE_SYS`"),
            _ => {}
        }
    }
    let (kind, name) = if c.row.has(flag_set::ATOMIC) {
        (cpol::TYPE_ATOMIC, "TH_ATOMIC_")
    } else if cpol::stores(c.row) {
        (cpol::TYPE_STORE, "TH_STORE_")
    } else {
        (cpol::TYPE_LOAD, "TH_LOAD_")
    };
    if v & kind == 0 {
        return c.fail(
            place,
            ErrorKind::InvalidModifier,
            format!("this instruction takes hints that start with {name}"),
        );
    }
    Ok(())
}

fn accumulator(c: &Checked<'_>, n: u16) -> Option<bool> {
    c.inst.reg(n).map(|r| r.file == RegFile::Agpr)
}

/// Data and result come both from VGPRs, or both from AGPRs where memory instructions reach them.
pub(super) fn agpr(c: &Checked<'_>) -> Check {
    if !c.row.has(flag_set::BUFFER | flag::FLAT | flag::MIMG | flag::DS) {
        return Ok(());
    }
    let ds = c.row.has(flag::DS);
    let data_name = if ds { name::DATA0 } else { name::VDATA };
    let (dst, data) = (accumulator(c, name::VDST), accumulator(c, data_name));
    let mixed = |n: u16| {
        c.fail(
            c.place(n),
            ErrorKind::InvalidOperand,
            "data and result must be all vector registers or all accumulator registers",
        )
    };
    if ds && data.is_some() {
        let second = accumulator(c, name::DATA1);
        if second.is_some() && second != data {
            return mixed(name::DATA1);
        }
    }
    if c.t.facts().loads_accumulators {
        return if dst.is_some() && data.is_some() && dst != data { mixed(data_name) } else { Ok(()) };
    }
    for (n, a) in [(name::VDST, dst), (data_name, data)] {
        if a == Some(true) {
            return c.fail(
                c.place(n),
                ErrorKind::InvalidOperand,
                format!("memory instructions of {} do not reach accumulator registers", c.t),
            );
        }
    }
    Ok(())
}

/// Tuples of vector registers start at even ones on gfx90a and later CDNA.
pub(super) fn alignment(c: &Checked<'_>) -> Check {
    let is_odd = |op: &MachineOperand| matches!(op, MachineOperand::Reg(r) if r.is_vector() && r.dwords > 1 && r.index & 1 == 1);
    if !c.inst.operands().iter().any(is_odd) || c.row.special() == special::READ_B96_TR {
        return Ok(());
    }
    let facts = c.t.facts();
    if !facts.aligns_vector_tuples {
        return Ok(());
    }
    if facts.loads_tr6_unaligned && c.row.mnemonic().contains("b96_tr_b6")
        || c.row.mnemonic().contains("load_tr6")
    {
        return Ok(());
    }
    for (i, op) in c.inst.operands().iter().enumerate() {
        if let MachineOperand::Reg(r) = op
            && is_odd(op)
        {
            return c.violates(c.place_of(i), Fault::Alignment(Alignment::OddTuple(*r)));
        }
    }
    Ok(())
}

pub(super) fn gds(c: &Checked<'_>) -> Check {
    if !c.row.has(flag::DS) {
        return Ok(());
    }
    if c.row.has(flag::GWS) {
        if c.t.facts().aligns_gws_data
            && c.row.special() == special::GWS_ALIGNED
            && let Some(r) = c.inst.reg(name::DATA0)
            && r.index & 1 == 1
        {
            return c.violates(c.place(name::DATA0), Fault::Alignment(Alignment::OddRegister));
        }
        return Ok(());
    }
    if c.inst.imm(name::GDS) != 0 && !c.t.has(feature::GDS) {
        return c.fail(c.place(name::GDS), ErrorKind::InvalidModifier, format!("{} has no GDS", c.t));
    }
    Ok(())
}

pub(super) fn tfe(c: &Checked<'_>) -> Check {
    let store = c.row.has(flag::MAY_STORE) && c.row.has(flag_set::BUFFER);
    let word = c.line.operands.iter().position(|o| matches!(o.value, Value::Word("tfe" | "notfe")));
    if store && (word.is_some() || c.row.tail().ends_with("tfe")) {
        let place = word.map_or_else(|| c.place(name::TFE), |index| Place::Operand(index.min(254) as u8));
        return c.fail(place, ErrorKind::InvalidModifier, "a store does not take `tfe`");
    }
    Ok(())
}
