//! Checks of a matched instruction that no operand can make alone.

mod image;
mod matrix;
mod memory;
mod vop;
mod vopd;

use std::borrow::Cow;

use crate::{
    error::{ErrorKind, Fault, Literal, MatchError, Place, Problem},
    generation::Generation,
    inst::{Inst, MachineOperand},
    literal,
    matched::{Matched, NOT_WRITTEN},
    operand::{Line, Value},
    register::{Reg, Special},
    tables::{Row, feature, flag, flag_set, kind::OpType, name, special},
    target::{Level, Target},
};

pub(crate) use memory::offset_range;
pub(crate) use vopd::fits as vopd_fits;

/// Everything a check may look at.
pub(crate) struct Checked<'c> {
    pub(crate) inst: &'c Inst,
    pub(crate) from: &'c [u8],
    pub(crate) row: Row,
    pub(crate) line: &'c Line<'c>,
    pub(crate) t: Target,
}

pub(crate) type Check = Result<(), MatchError>;

impl Checked<'_> {
    /// The operand of the line that a named operand came from.
    pub(crate) fn place(&self, n: u16) -> Place {
        self.row.find(n).map_or(Place::Mnemonic, |i| self.place_of(i))
    }

    /// The operand of the line that operand `i` of the row came from.
    pub(crate) fn place_of(&self, i: usize) -> Place {
        match self.from.get(i) {
            Some(&from) if from != NOT_WRITTEN => Place::Operand(from),
            _ => Place::Mnemonic,
        }
    }

    /// An operand or a modifier that is not what its instruction takes.
    pub(crate) fn fail(&self, place: Place, kind: ErrorKind, text: impl Into<Cow<'static, str>>) -> Check {
        Err(MatchError::operand(place, kind, Problem::new(text)))
    }

    /// A rule about several operands, or about the bits of one, is not met.
    pub(crate) fn violates(&self, place: Place, fault: Fault) -> Check {
        Err(MatchError::new(place, fault))
    }

    /// Whether the named operand was written.
    pub(crate) fn given(&self, n: u16) -> bool {
        self.place(n) != Place::Mnemonic
    }

    pub(crate) fn op(&self, i: usize) -> MachineOperand {
        self.inst.ops.get(i).copied().unwrap_or_default()
    }

    /// A number in a source operand that is not an inline constant.
    pub(crate) fn is_literal(&self, i: usize) -> bool {
        match (self.op(i), self.row.kind(i).optype) {
            (MachineOperand::Imm(v), OpType::Src(ty) | OpType::Inline(ty)) => {
                self.inst.is_forced(i) || !literal::counts_as_inline(v, ty, self.t)
            }
            (MachineOperand::Imm(_), _) => true,
            _ => false,
        }
    }
}

/// All checks, in LLVM's order.
pub(crate) fn check(m: &Matched, line: &Line<'_>, t: Target) -> Check {
    let c = Checked { inst: &m.inst, from: &m.from, row: m.inst.row.row(), line, t };
    let row = c.row;
    // Loads into LDS count as both.
    if row.has(flag::VALU) && !row.has(flag::FLAT | flag::MUBUF) {
        lds_direct(&c)?;
        vop::op_sel_halves(&c)?;
        vop::bf16_constant(&c)?;
        vop::literals(&c)?;
        vop::constant_bus(&c)?;
        vopd::check(&c)?;
        int_clamp(&c)?;
        vop::op_sel(&c)?;
        matrix::neg(&c, name::NEG_LO)?;
        matrix::neg(&c, name::NEG_HI)?;
        vop::dpp(&c)?;
        vop::movrels(&c)?;
        matrix::accvgpr_write(&c)?;
        matrix::src2(&c)?;
        matrix::mfma(&c)?;
        matrix::wmma(&c)?;
        matrix::scales(&c)?;
        matrix::blgp(&c)?;
        vop::div_scale(&c)?;
    } else {
        scalar_literals(&c)?;
        image::check(&c)?;
        memory::offset(&c)?;
        memory::coherency(&c)?;
        memory::agpr(&c)?;
        memory::gds(&c)?;
        wait_null(&c)?;
        sleep(&c)?;
        memory::tfe(&c)?;
    }
    memory::alignment(&c)
}

/// Whether the sizes of registers agree with the modifiers, which tells rows with the same encoding apart.
pub(crate) fn sizes_fit(inst: &Inst, row: Row, t: Target) -> bool {
    let line = Line::default();
    let c = Checked { inst, from: &[], row, line: &line, t };
    image::sizes_fit(&c) && matrix::mfma_formats(&c).is_ok() && matrix::wmma(&c).is_ok()
}

fn lds_direct(c: &Checked<'_>) -> Check {
    let lds = Reg::special(Special::LdsDirect, 1);
    if !c.row.has(flag_set::LONG | flag::VOP1 | flag::VOP2 | flag::VOPC | flag::SDWA) {
        return Ok(());
    }
    for n in [name::SRC0, name::SRC1, name::SRC2] {
        if c.row.find(n).is_none() {
            break;
        }
        if c.inst.reg(n) != Some(lds) {
            continue;
        }
        let why = if !c.t.facts().has_lds_direct_operand {
            format!("lds_direct does not exist on {}", c.t)
        } else if c.row.special() == special::REV || c.row.has(flag::SDWA) {
            "this instruction cannot read lds_direct".to_owned()
        } else if n != name::SRC0 {
            "only the first source can be lds_direct".to_owned()
        } else {
            continue;
        };
        return c.fail(c.place(n), ErrorKind::InvalidOperand, why);
    }
    Ok(())
}

fn int_clamp(c: &Checked<'_>) -> Check {
    if c.row.has(flag::INT_CLAMP) && c.inst.imm(name::CLAMP) != 0 && !c.t.has(feature::INT_CLAMP) {
        return c.fail(
            c.place(name::CLAMP),
            ErrorKind::InvalidModifier,
            format!("{} cannot clamp integers", c.t),
        );
    }
    Ok(())
}

fn scalar_literals(c: &Checked<'_>) -> Check {
    if !c.row.has(flag::SOP2 | flag::SOPC) {
        return Ok(());
    }
    let (mut count, mut value) = (0, None);
    for n in [name::SRC0, name::SRC1, name::IMM] {
        let Some(i) = c.row.find(n) else { continue };
        let optype = c.row.kind(i).optype;
        if optype.src().is_none() {
            continue;
        }
        match c.op(i) {
            MachineOperand::Imm(v) if matches!(optype, OpType::KImm(_)) || c.is_literal(i) => {
                if value != Some(v) {
                    value = Some(v);
                    count += 1;
                }
            }
            MachineOperand::Symbol(_) => count += 1,
            _ => continue,
        }
        if count > 1 {
            return c.violates(c.place_of(i), Fault::Literal(Literal::Second));
        }
    }
    Ok(())
}

fn wait_null(c: &Checked<'_>) -> Check {
    if c.row.special() == special::WAITCNT_NULL && c.inst.reg(name::SDST) != Some(Reg::NULL) {
        return c.fail(c.place(name::SDST), ErrorKind::InvalidOperand, "the first operand must be null");
    }
    Ok(())
}

/// `s_monitor_sleep` with its highest bit never wakes up, which LLVM 24 rejects.
fn sleep(c: &Checked<'_>) -> Check {
    let forever = c.inst.imm(name::SIMM16) & 0x8000 != 0;
    if forever
        && c.t.level() == Level::Llvm24
        && c.t.generation() == Generation::Gfx12_5
        && c.row.mnemonic() == "s_monitor_sleep"
    {
        let text = format!("{} cannot sleep forever: the number must be at most 32767", c.t);
        return c.fail(c.place(name::SIMM16), ErrorKind::InvalidOperand, text);
    }
    Ok(())
}

/// Whether the operand was written as this modifier.
pub(crate) fn spelled(line: &Line<'_>, place: Place, word: &str) -> bool {
    let Place::Operand(i) = place else { return false };
    matches!(line.operands.get(usize::from(i)).map(|o| o.value), Some(Value::Named { name, .. }) if name == word)
}
