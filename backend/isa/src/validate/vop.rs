//! Vector ALU: literals, the constant bus, `op_sel` and DPP.

use super::{Check, Checked};
use crate::{
    convert::{ABS, OP_SEL_0},
    error::{Conflict, ErrorKind, Fault, Literal, Place},
    generation::Generation,
    inst::MachineOperand,
    literal,
    matched::{SOURCES, is_half, is_high},
    matcher::source_modifiers,
    operand::Value,
    register::{Reg, RegFile, Special},
    tables::{
        feature, flag, flag_set,
        kind::{ModKind, OpType, Regs, Ty},
        name, special,
    },
    target::Level,
};

/// Sources in the order of the line, mandatory literals last.
pub(super) fn sources(c: &Checked<'_>, mandatory: bool) -> impl Iterator<Item = usize> {
    let names: [u16; 8] = if c.row.has(flag::VOPD) {
        [
            name::SRC0X,
            name::VSRC1X,
            name::VSRC2X,
            name::SRC0Y,
            name::VSRC1Y,
            name::VSRC2Y,
            if mandatory { name::IMM_X } else { u16::MAX },
            if mandatory { name::IMM } else { u16::MAX },
        ]
    } else {
        let none = u16::MAX;
        [name::SRC0, name::SRC1, name::SRC2, if mandatory { name::IMM } else { none }, none, none, none, none]
    };
    let row = c.row;
    names.into_iter().filter_map(move |n| if n == u16::MAX { None } else { row.find(n) })
}

/// `op_sel` must say the same as the halves of 16-bit registers.
pub(super) fn op_sel_halves(c: &Checked<'_>) -> Check {
    if c.t.has(feature::TRUE16_BIT_INSTS)
        && c.row.has(flag::VOP3)
        && c.row.mnemonic().starts_with("v_cvt_sr_")
        && c.row.find(name::OP_SEL).is_none()
        && c.inst.named(name::SRC0).is_some_and(is_high)
    {
        let text = format!("`{}` reads the low half of its first source", c.row.mnemonic());
        return c.fail(c.place(name::SRC0), ErrorKind::InvalidOperand, text);
    }
    let bits = c.inst.imm(name::OP_SEL);
    if bits == 0 || !c.t.has(feature::TRUE16_BIT_INSTS) {
        return Ok(());
    }
    let mut i = 0;
    for n in [name::SRC0, name::SRC1, name::SRC2, name::VDST] {
        let Some(op) = c.inst.named(n) else { continue };
        if is_half(op) && is_high(op) != (bits >> i & 1 == 1) {
            return c.violates(c.place(name::OP_SEL), Fault::Conflict(Conflict::OpSel));
        }
        i += 1;
    }
    Ok(())
}

/// From gfx12.5 on an inline constant is one of `f32`, whose high half has the `bf16` of the same value.
pub(super) fn bf16_constant(c: &Checked<'_>) -> Check {
    let applies = c.t.level() == Level::Llvm24 && c.t.generation() >= Generation::Gfx12_5;
    if !applies || !c.row.has(flag::VOP1 | flag::VOP3) || c.row.find(name::SRC1).is_some() {
        return Ok(());
    }
    let Some(i) = c.row.find(name::SRC0) else { return Ok(()) };
    let is_inline = c.row.kind(i).optype.src() == Some(Ty::BF16)
        && matches!(c.op(i), MachineOperand::Imm(_))
        && !c.is_literal(i);
    if is_inline && c.inst.imm(name::SRC0_MODIFIERS) & OP_SEL_0 == 0 {
        let text = format!(
            "{} reads a `bf16` inline constant from the high half: the long form with `op_sel:[1,0]` is required",
            c.t
        );
        return c.fail(c.place_of(i), ErrorKind::InvalidOperand, text);
    }
    Ok(())
}

/// One literal value, and none where the encoding has no room.
pub(super) fn literals(c: &Checked<'_>) -> Check {
    let mandatory = c.row.has(flag::HAS_IMM);
    if !c.row.has(flag_set::LONG | flag::VOPD) && !mandatory {
        return Ok(());
    }
    let (mut count, mut value, mut last) = (0, None, 0);
    for i in sources(c, mandatory) {
        let optype = c.row.kind(i).optype;
        let Some(ty) = optype.src() else { continue };
        match c.op(i) {
            MachineOperand::Imm(v) if matches!(optype, OpType::KImm(_)) || c.is_literal(i) => {
                let forced =
                    matches!(optype, OpType::KImm(Ty::F64)) || (mandatory && optype == OpType::Src(Ty::F64));
                let fp64 = forced || ty == Ty::F64;
                let short =
                    if fp64 { v as u32 == 0 } else { u32::try_from(v).is_ok() || i32::try_from(v).is_ok() };
                let fits = u32::try_from(v).is_ok() || i32::try_from(v).is_ok();
                if !short && !fits && !forced && (!literal::has_literal64(c.t) || c.row.size() != 4) {
                    return c.violates(c.place_of(i), Fault::Literal(Literal::Wide));
                }
                let v = if fp64 && short && !forced { v >> 32 & 0xFFFF_FFFF } else { v };
                let v = if ty == Ty::F16 { v & 0xFFFF } else { v };
                if value != Some(v) {
                    value = Some(v);
                    count += 1;
                }
            }
            MachineOperand::Symbol(_) => count += 1,
            _ => continue,
        }
        last = i;
    }
    if count == 0 {
        return Ok(());
    }
    if !mandatory && !c.t.has(feature::VOP3_LITERAL) {
        let encoding = if c.row.has(flag::VOP3P) { "VOP3P" } else { "VOP3" };
        let is_symbol = matches!(c.op(last), MachineOperand::Symbol(_));
        return c.violates(c.place_of(last), Fault::Literal(Literal::NoRoom { encoding, is_symbol }));
    }
    if count > 1 {
        return c.violates(c.place_of(last), Fault::Literal(Literal::Second));
    }
    Ok(())
}

fn limit(c: &Checked<'_>) -> usize {
    let facts = c.t.facts();
    let reads_one = c.row.special() == special::SHIFT64
        && (!facts.shifts_read_two_scalars || c.row.mnemonic().starts_with("v_lshlrev"));
    if reads_one { 1 } else { facts.constant_bus_limit }
}

/// Scalar registers and literals read together.
pub(super) fn constant_bus(c: &Checked<'_>) -> Check {
    let any = flag_set::LONG | flag::VOPC | flag::VOP1 | flag::VOP2 | flag::SDWA | flag::VOPD;
    if !c.row.has(any) {
        return Ok(());
    }
    let lane = c.inst.reg(name::SRC1);
    if c.row.special() == special::WRITELANE && lane == Some(Reg::special(Special::M0, 1)) {
        return Ok(());
    }
    let mut literals = 0;
    let mut literal_size = 0;
    if c.row.has(flag::HAS_IMM) && c.row.find(name::IMM).is_some() {
        literals = 1;
        literal_size = 4;
    }
    let mut used: [Option<Reg>; 8] = [None; 8];
    let mut count = 0;
    for u in c.row.uses() {
        let r = match crate::tables::IMPLICIT.get(usize::from(*u)).copied() {
            Some("VCC") => Reg::VCC,
            Some("M0") => Reg::special(Special::M0, 1),
            Some("FLAT_SCR") => Reg::special(Special::FlatScratchLo, 2),
            _ => continue,
        };
        used[0] = Some(r);
        count = 1;
        break;
    }
    let mut last = None;
    for i in sources(c, false) {
        match c.op(i) {
            MachineOperand::Reg(r) => {
                if r.is_scalar() && r != Reg::NULL {
                    last = Some(i);
                    if !used.contains(&Some(r)) {
                        if let Some(slot) = used.get_mut(count) {
                            *slot = Some(r);
                        }
                        count += 1;
                    }
                }
            }
            MachineOperand::Imm(_) | MachineOperand::Symbol(_) => {
                let symbol = matches!(c.op(i), MachineOperand::Symbol(_));
                if !symbol && !c.is_literal(i) {
                    continue;
                }
                let Some(ty) = c.row.kind(i).optype.src() else { continue };
                let size = if ty.bits() == 64 && !matches!(ty, Ty::V2F32 | Ty::V2I32) { 8 } else { 4 };
                last = Some(i);
                if literals == 0 {
                    literals = 1;
                    literal_size = size;
                } else if literal_size != size {
                    literals = 2;
                }
            }
            MachineOperand::None => {}
        }
    }
    if count + literals <= 1 || count + literals <= limit(c) {
        return Ok(());
    }
    let place = last.map_or(Place::Mnemonic, |i| c.place_of(i));
    c.violates(
        place,
        Fault::ConstantBus { mnemonic: c.inst.mnemonic(), reads: count + literals, limit: limit(c) },
    )
}

/// Bits of `op_sel` that an instruction ignores must be clear.
pub(super) fn op_sel(c: &Checked<'_>) -> Check {
    let bits = c.inst.imm(name::OP_SEL);
    let bad = || {
        let message = format!("`{}` does not support this value of op_sel", c.row.mnemonic());
        c.fail(c.place(name::OP_SEL), ErrorKind::InvalidModifier, message)
    };
    if c.row.special() == special::PERMLANE16 && bits & !3 != 0 {
        let message =
            format!("`{}` uses only the first two values of op_sel: the others must be 0", c.row.mnemonic());
        return c.fail(c.place(name::OP_SEL), ErrorKind::InvalidModifier, message);
    }
    if c.t.facts().packs_scalars_once
        && matches!(c.row.mnemonic(), "v_pk_add_f32" | "v_pk_mul_f32" | "v_pk_fma_f32")
    {
        let hi = c.inst.imm(name::OP_SEL_HI);
        for (j, src) in [name::SRC0, name::SRC1, name::SRC2].into_iter().enumerate() {
            if c.inst.reg(src).is_some_and(|r| r.is_scalar() && r.file != RegFile::Ttmp)
                && (bits | hi) >> j & 1 == 1
            {
                let place = if bits >> j & 1 == 1 { c.place(name::OP_SEL) } else { c.place(src) };
                return c.fail(
                    place,
                    ErrorKind::InvalidModifier,
                    format!("a scalar source {j} gives both halves its first register: op_sel and op_sel_hi must be 0 for it"),
                );
            }
        }
    }
    let dot = c.row.has(flag::IS_DOT);
    if dot && c.t.facts().fixes_op_sel_of_dots {
        if bits != 0 {
            return bad();
        }
        if c.row.find(name::OP_SEL_HI).is_some() && c.inst.imm(name::OP_SEL_HI) != -1 {
            return c.fail(
                c.place(name::OP_SEL_HI),
                ErrorKind::InvalidModifier,
                "this instruction requires the default op_sel_hi",
            );
        }
    }
    if dot
        && c.t.facts().ignores_op_sel_of_dots
        && c.row.has(flag::VOP3)
        && !c.row.has(flag::VOP3P)
        && bits & 3 != 0
    {
        return bad();
    }
    Ok(())
}

fn has_pair(c: &Checked<'_>) -> bool {
    [name::VDST, name::SRC0, name::SRC1, name::SRC2]
        .iter()
        .any(|n| c.row.find(*n).is_some_and(|i| matches!(c.row.kind(i).regs, Regs::V(2) | Regs::Vs64)))
}

/// 64-bit DPP knows `row_newbcast` only, and most targets have no scalar second source.
pub(super) fn dpp(c: &Checked<'_>) -> Check {
    let control = c.row.find(name::DPP_CTRL);
    let double = c.t.facts().multiplies_as_dpp64
        && matches!(c.row.mnemonic(), "v_mul_hi_i32" | "v_mul_hi_u32" | "v_mul_lo_u32" | "v_mad_u32");
    if control.is_some() && (double || has_pair(c)) {
        let v = c.inst.imm(name::DPP_CTRL);
        let legal = (0x150..=0x15F).contains(&v);
        if !legal {
            return c.fail(
                c.place(name::DPP_CTRL),
                ErrorKind::InvalidModifier,
                match c.t.facts().has_row_newbcast {
                    true => "`row_newbcast` is the only DPP control for 64-bit operands",
                    false => "`row_share` is the only DPP control for 64-bit operands",
                },
            );
        }
    }
    // LLVM reads a bare word in the third place of a comparison as the second source of the long form, if that
    // source takes `neg` and `abs`
    let word = c.line.operands.get(2).is_some_and(|o| matches!(o.value, Value::Word(_)));
    if control.is_some()
        && word
        && c.row.has(flag::VOPC)
        && c.place(name::DPP_CTRL) == Place::Operand(2)
        && c.row
            .find(name::SRC1_MODIFIERS)
            .is_some_and(|i| source_modifiers(c.row.kind(i).class) == ModKind::Fp)
        && c.row.mnemonic().starts_with("v_cmp_")
    {
        return c.fail(
            c.place(name::DPP_CTRL),
            ErrorKind::InvalidOperand,
            "this word is read as an operand here: write the result, such as vcc, as well",
        );
    }
    if (control.is_some() || c.row.find(name::DPP8).is_some()) && !c.t.has(feature::DPPSRC1_SGPR) {
        let scalar = match c.inst.named(name::SRC1) {
            Some(MachineOperand::Reg(r)) => r.is_scalar(),
            Some(MachineOperand::Imm(_)) => true,
            _ => false,
        };
        if scalar {
            return c.fail(
                c.place_src1(),
                ErrorKind::InvalidOperand,
                format!("with DPP the second source must be a vector register on {}", c.t),
            );
        }
    }
    Ok(())
}

impl Checked<'_> {
    fn place_src1(&self) -> Place {
        match self.place(name::SRC1) {
            Place::Mnemonic => self.place(name::SRC1_MODIFIERS),
            p => p,
        }
    }
}

/// Relative moves read vector registers only.
pub(super) fn movrels(c: &Checked<'_>) -> Check {
    if c.row.special() != special::MOVRELS_SDWA {
        return Ok(());
    }
    match c.inst.reg(name::SRC0) {
        Some(r) if !r.is_scalar() => Ok(()),
        _ => c.fail(c.place(name::SRC0), ErrorKind::InvalidOperand, "the source must be a vector register"),
    }
}

/// `v_div_scale` has no room for `abs`.
pub(super) fn div_scale(c: &Checked<'_>) -> Check {
    if c.row.special() != special::DIV_SCALE {
        return Ok(());
    }
    // the second source is not looked at
    for (src, modifier) in [SOURCES[0], SOURCES[2]] {
        if c.inst.imm(modifier) & ABS != 0 {
            return c.fail(c.place(src), ErrorKind::InvalidModifier, "this instruction does not take |abs|");
        }
    }
    Ok(())
}
