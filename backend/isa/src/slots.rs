//! What each operand of an instruction can be: for showing a line and for completing it.

use crate::tables::kind::Print;
use crate::{
    assemble::candidates_of,
    inst::Inst,
    matcher,
    operand::{Line, Value},
    operands::{cpol, syntax::Syntax},
    prepare,
    register::{self, Half, Reg, RegFile},
    tables::{
        self, Formal, Formals, Row,
        kind::{Class, Imm, Kind, ModKind, OpType, Regs},
        kind_of,
    },
    target::Target,
    validate,
};

/// A set of registers, such as pairs of scalar registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegisterSet(Regs);

impl RegisterSet {
    /// Whether the processor has the register and an operand of this set takes it.
    pub(crate) fn contains(self, reg: Reg, target: Target) -> bool {
        let pairs = target.facts().aligns_vector_tuples;
        let vector = matches!(reg.file, RegFile::Vgpr | RegFile::Agpr);
        let aligned = !(pairs && vector && reg.dwords > 1 && reg.index % 2 == 1);
        let lane_mask = match self.0 {
            Regs::S1 | Regs::S1XExec => reg.dwords == if target.wave64() { 2 } else { 1 },
            _ => true,
        };
        aligned && lane_mask && reg.exists_on(target) && matcher::register_fits(reg, self.0, target)
    }

    /// The registers of the set in the order of their files, named ones last.
    pub fn all(self, target: Target) -> Vec<Reg> {
        let counts = [RegFile::Vgpr, RegFile::Agpr, RegFile::Sgpr, RegFile::Ttmp];
        let mut found = Vec::new();
        for file in counts {
            for dwords in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 16, 32] {
                for half in [Half::Full, Half::Lo, Half::Hi] {
                    let end = if file == RegFile::Vgpr || file == RegFile::Agpr { 256 } else { 106 };
                    let all = (0..end).map(|index| Reg { file, index, dwords, half });
                    found.extend(all.filter(|r| register::is_tuple(*r) && self.contains(*r, target)));
                }
            }
        }
        found.extend(register::specials().filter(|r| self.contains(*r, target)));
        found
    }
}

/// The named registers that a source of any size takes, such as `src_scc`: each is one value.
pub fn inline_registers(target: Target) -> impl Iterator<Item = Reg> {
    register::specials().filter(move |reg| reg.is_inline_value() && reg.exists_on(target))
}

/// What is allowed around an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum SourceModifiers {
    /// No modifiers.
    #[default]
    None,
    /// `neg` and `abs`.
    Float,
    /// `sext`.
    Integer,
}

/// Which operands one place of an instruction takes.
#[allow(missing_docs, reason = "fields are named as in the syntax")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Takes {
    /// This word: `off`, `idxen`, `vcc`.
    Word(&'static str),
    /// A register.
    Register(RegisterSet),
    /// A register or `off`.
    RegisterOrOff(RegisterSet),
    /// A register, an inline constant, or with `literal` any number of the type.
    Source {
        registers: RegisterSet,
        ty: &'static str,
        literal: bool,
    },
    /// A number that always follows the instruction.
    Literal(&'static str),
    Number {
        min: i64,
        max: i64,
    },
    /// A label, or a distance in dwords.
    Label,
    /// An attribute of interpolation, such as `attr0.x`.
    Attribute,
    /// Bits of the cache policy, see [`cache_policies`].
    CachePolicy,
    /// A word that switches something on: `clamp`.
    Flag(&'static str),
    /// `name:value`.
    Named {
        name: &'static str,
        value: NamedValue,
    },
    /// A lane permutation, see [`dpp_controls`].
    DppControl,
    /// A message, see [`message`].
    Message,
    /// `hwreg(...)`, see [`hardware_register`].
    HardwareRegister,
    /// `vmcnt(0)` of `s_waitcnt`.
    Counters,
    /// `depctr_va_vdst(0)`.
    DependencyCounters,
    /// `instid0(VALU_DEP_1)`.
    Delay,
    /// `{ export_ready: 1 }`, see [`event_field`].
    Event,
    /// `gpr_idx(...)`
    IndexMode,
    /// An export target, see [`export_targets`].
    ExportTarget,
    /// `p0`, `p10` or `p20`.
    InterpolationSlot,
}

/// What follows the colon of a modifier.
#[allow(missing_docs, reason = "fields are named as in the syntax")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamedValue {
    Number {
        min: i64,
        max: i64,
    },
    /// One of [`values`].
    Word,
    /// Bits in square brackets, one for each source and the result.
    Bits,
    /// Lanes in square brackets: how many numbers below which limit.
    Lanes {
        count: u8,
        limit: u8,
    },
    /// A number of bytes, or `swizzle(...)`.
    Swizzle,
    /// A format number, or names in square brackets.
    Format,
}

/// One operand of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The name in the instruction table, such as `vdst`; for words and modifiers the word.
    pub name: &'static str,
    /// Index into [`Inst::operands`]; `None` for words of the template.
    pub operand: Option<usize>,
    /// What is valid there.
    pub takes: Takes,
    /// Whether it may be left out.
    pub is_optional: bool,
    pub(crate) is_result: bool,
    /// What is allowed around it.
    pub modifiers: SourceModifiers,
}

/// The operands of one encoding of a mnemonic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// `e32`, `e64`, `sdwa`, `dpp`, `e64_dpp`; empty for instructions with one encoding.
    pub encoding: &'static str,
    /// Operands in the order of the text.
    pub slots: Vec<Slot>,
}

/// A line with the slot of each operand as written.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// By operand as written; `None` for operands that no encoding takes.
    pub slots: Vec<Option<Slot>>,
    /// The instruction, if the line is one.
    pub inst: Option<Inst>,
}

fn slot(formal: Formal, row: Row, target: Target) -> Option<Slot> {
    let (index, kind) = match formal {
        Formal::Token(id) | Formal::Single(id) => {
            let word = tables::token(id);
            return Some(Slot {
                name: word,
                operand: None,
                takes: Takes::Word(word),
                is_optional: false,
                is_result: false,
                modifiers: SourceModifiers::None,
            });
        }
        Formal::Operand { index, kind } => (usize::from(index), kind_of(kind)),
    };
    let value = if kind.optype == OpType::InputMods { index + 1 } else { index };
    let takes = takes(kind, row, value, target)?;
    let own = tables::NAMES.get(usize::from(row.name(value))).copied().unwrap_or("");
    let name = match takes {
        Takes::Flag(word) | Takes::Named { name: word, .. } => word,
        _ => own,
    };
    let modifiers = match matcher::source_modifiers(kind.class) {
        ModKind::No => SourceModifiers::None,
        ModKind::Fp | ModKind::Any => SourceModifiers::Float,
        ModKind::Int => SourceModifiers::Integer,
    };
    let is_result = value < row.outs();
    Some(Slot { name, operand: Some(value), takes, is_optional: kind.optional, is_result, modifiers })
}

fn takes(kind: &Kind, row: Row, value: usize, t: Target) -> Option<Takes> {
    let ty = || row.kind(value).optype.src().map(|ty| ty.name());
    let set = RegisterSet;
    Some(match kind.class {
        Class::Reg(regs) | Class::RegMods(regs, _) => Takes::Register(set(regs)),
        Class::DppReg(_) => Takes::Register(set(match row.kind(value).regs {
            wide @ Regs::V(_) => wide,
            Regs::Vs64 => Regs::V(2),
            Regs::Vs128 => Regs::V(4),
            _ => Regs::V(1),
        })),
        Class::BoolReg => Takes::Register(set(if t.wave64() { Regs::S64 } else { Regs::S32 })),
        Class::VRegOrOff => Takes::RegisterOrOff(set(Regs::V(1))),
        Class::Src { regs, inline, lit, .. } => {
            Takes::Source { registers: set(regs), ty: ty().unwrap_or(inline.name()), literal: lit.is_some() }
        }
        Class::AnyRegOrImm => {
            Takes::Source { registers: set(Regs::Vs32), ty: ty().unwrap_or("i32"), literal: true }
        }
        Class::Sdwa(inline, _) if t.facts().sdwa_takes_scalars => {
            Takes::Source { registers: set(Regs::Vs32), ty: ty().unwrap_or(inline.name()), literal: false }
        }
        Class::Sdwa(..) => Takes::Register(set(Regs::V(1))),
        Class::KImm(ty) => Takes::Literal(ty.name()),
        Class::S16 => Takes::Number { min: -0x8000, max: 0xFFFF },
        Class::U16 => Takes::Number { min: 0, max: 0xFFFF },
        Class::SmrdOffset8 => Takes::Number { min: 0, max: 0xFF },
        Class::SmrdLiteral => Takes::Number { min: 0x100, max: 0xFFFF_FFFF },
        Class::SmemOffset => {
            let (min, max) = validate::offset_range(row, t);
            Takes::Number { min, max }
        }
        Class::SplitBarrier => Takes::Number { min: -16, max: 64 },
        Class::PlainImm => Takes::Number { min: i64::from(i32::MIN), max: i64::from(u32::MAX) },
        Class::Branch => Takes::Label,
        Class::AttrChan => Takes::Attribute,
        Class::CPolWith(_) => Takes::CachePolicy,
        Class::Imm(imm) => return modifier(imm, kind, row, t),
    })
}

/// What an operand that is neither a register nor a plain number takes.
fn modifier(imm: Imm, kind: &Kind, row: Row, t: Target) -> Option<Takes> {
    let named = |name, value| Takes::Named { name, value };
    let offset = || {
        let (min, max) = validate::offset_range(row, t);
        named("offset", NamedValue::Number { min, max })
    };
    Some(match imm {
        Imm::BLGP
            if kind.print == Print::BLGP
                && t.facts().negates_f64_products
                && row.mnemonic().contains("f64") =>
        {
            named("neg", NamedValue::Bits)
        }
        Imm::R128A16 => Takes::Flag(if t.facts().has_a16_for_r128 { "a16" } else { "r128" }),
        Imm::Offset | Imm::SMEMOffsetMod | Imm::OptSMEMOffsetMod | Imm::FlatOffset => offset(),
        Imm::OModSI => named("mul", NamedValue::Number { min: 0, max: 4 }),
        Imm::Dim => named("dim", NamedValue::Word),
        Imm::DPP8 => named("dpp8", NamedValue::Lanes { count: 8, limit: 8 }),
        Imm::DPPCtrl => Takes::DppControl,
        Imm::Swizzle => named("offset", NamedValue::Swizzle),
        Imm::FORMAT => named("format", NamedValue::Format),
        Imm::Hwreg => Takes::HardwareRegister,
        Imm::SendMsg => Takes::Message,
        Imm::GPRIdxMode => Takes::IndexMode,
        Imm::Endpgm => Takes::Number { min: 0, max: 0xFFFF },
        Imm::InterpSlot => Takes::InterpolationSlot,
        Imm::InterpAttr => Takes::Attribute,
        Imm::ExpTgt => Takes::ExportTarget,
        Imm::CPol => Takes::CachePolicy,
        Imm::SWaitCnt => Takes::Counters,
        Imm::DepCtr => Takes::DependencyCounters,
        Imm::SDelayALU => Takes::Delay,
        Imm::WaitEvent => Takes::Event,
        _ => match Syntax::of(imm)? {
            Syntax::Flag(name) => Takes::Flag(name),
            Syntax::Number { name, max } | Syntax::Masked { name, max } => {
                named(name, NamedValue::Number { min: 0, max })
            }
            Syntax::Bits(name) => named(name, NamedValue::Bits),
            Syntax::Word { name, .. } => named(name, NamedValue::Word),
        },
    })
}

/// Reads the operands of a line as the encoding that takes most of them.
pub fn read_line(target: Target, line: &Line<'_>) -> Reading {
    let mut reading = Reading { slots: vec![None; line.operands.len()], inst: None };
    reading.inst = crate::assemble(target, line).ok().map(|e| e.inst);
    let lower = line.mnemonic.to_ascii_lowercase();
    let Some((candidates, mnemonic, forced)) = candidates_of(target, &lower) else { return reading };
    let Ok(actuals) = prepare::prepare(line, mnemonic, target) else { return reading };
    let mut most = 0;
    for c in candidates.iter().filter(|c| forced.variant(c.variant) && target.can(c.avail)) {
        if reading.inst.is_some_and(|i| i.row.0 != c.row) {
            continue;
        }
        let row = Row::new(c.row);
        let mut slots = vec![None; line.operands.len()];
        let mut read = 0;
        let result = matcher::attempt_with(line, &actuals, c, target, |from, formal| {
            let is_bracket = matches!(formal, Formal::Token(id)
                if matches!(tables::token(id), "[" | "]"));
            let Some(from) = from.filter(|_| !is_bracket) else { return };
            if let Some(place) = slots.get_mut(usize::from(from)) {
                read = read.max(usize::from(from) + 1);
                *place = slot(formal, row, target);
            }
        });
        if result.is_ok() {
            read = usize::MAX;
        }
        if read > most {
            most = read;
            reading.slots = slots;
        }
        if result.is_ok() {
            break;
        }
    }
    join_policies(line, row_policy(&reading), &mut reading.slots);
    reading
}

fn row_policy(reading: &Reading) -> Option<Slot> {
    reading.slots.iter().flatten().find(|s| s.takes == Takes::CachePolicy).cloned()
}

/// Words of one cache policy, and parts of one format, are several operands as written.
fn join_policies(line: &Line<'_>, policy: Option<Slot>, slots: &mut [Option<Slot>]) {
    for (operand, slot) in line.operands.iter().zip(slots) {
        let word = match operand.value {
            Value::Word(word) => word,
            Value::Named { name, .. } => name,
            _ => continue,
        };
        if slot.is_none() && cpol::is_word(word) {
            slot.clone_from(&policy);
        }
        if matches!(word, "format" | "dfmt" | "nfmt") {
            *slot = Some(Slot {
                name: "format",
                operand: None,
                takes: Takes::Named { name: "format", value: NamedValue::Format },
                is_optional: true,
                is_result: false,
                modifiers: SourceModifiers::None,
            });
        }
    }
}

/// What can follow the operands of a line, over all encodings that take them.
pub fn expected(target: Target, line: &Line<'_>) -> Vec<Slot> {
    let lower = line.mnemonic.to_ascii_lowercase();
    let Some((candidates, mnemonic, forced)) = candidates_of(target, &lower) else { return Vec::new() };
    let Ok(actuals) = prepare::prepare(line, mnemonic, target) else { return Vec::new() };
    let mut found: Vec<Slot> = Vec::new();
    for c in candidates.iter().filter(|c| forced.variant(c.variant) && target.can(c.avail)) {
        let row = Row::new(c.row);
        let mut next = Vec::new();
        let result = matcher::attempt_with(line, &actuals, c, target, |from, formal| {
            if from.is_none() {
                next.push(formal);
            }
        });
        if result.is_err_and(|miss| miss.at < actuals.len()) {
            continue;
        }
        for slot in next.into_iter().filter_map(|formal| slot(formal, row, target)) {
            if !found.iter().any(|s| s.name == slot.name && s.takes == slot.takes) {
                found.push(slot);
            }
        }
    }
    found
}

/// The operands of each encoding of a mnemonic on a processor.
pub fn templates(target: Target, mnemonic: &str) -> Vec<Template> {
    let lower = mnemonic.to_ascii_lowercase();
    let Some((candidates, _, forced)) = candidates_of(target, &lower) else { return Vec::new() };
    let mut found: Vec<Template> = Vec::new();
    for c in candidates.iter().filter(|c| forced.variant(c.variant) && target.can(c.avail)) {
        let row = Row::new(c.row);
        let formals = Formals::new(c.formals);
        let formals = (0..formals.len()).filter_map(|i| formals.get(i));
        let slots = formals.filter_map(|f| slot(f, row, target)).collect();
        let template = Template { encoding: row.encoding(), slots };
        if !found.contains(&template) {
            found.push(template);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operand::{Mods, Sep};

    fn line<'a>(mnemonic: &'a str, values: &[Value<'a>]) -> Line<'a> {
        let mut line = Line::default();
        line.clear(mnemonic);
        values.iter().for_each(|v| line.push(Sep::Comma, Mods::NONE, *v));
        line
    }

    fn reg(name: &str) -> Value<'static> {
        Value::Reg(register::named_register(name).expect("a register"))
    }

    fn names(slots: &[Slot]) -> Vec<&'static str> {
        slots.iter().map(|s| s.name).collect()
    }

    #[test]
    fn operands_as_written_have_the_names_of_the_table() {
        let target = Target::named("gfx900").expect("a processor");
        let reading = read_line(target, &line("v_add_f32", &[reg("v0"), Value::Int(2), reg("v1")]));
        assert!(reading.inst.is_some());
        let slots: Vec<Slot> = reading.slots.into_iter().flatten().collect();
        assert_eq!(names(&slots), ["vdst", "src0", "src1"]);
        assert!(slots[0].is_result);
        assert!(matches!(slots[1].takes, Takes::Source { ty: "f32", literal: true, .. }));
    }

    #[test]
    fn every_modifier_of_the_table_takes_something() {
        let target = Target::named("gfx1100").expect("a processor");
        for kind in tables::KINDS {
            if let Class::Imm(imm) = kind.class {
                assert!(modifier(imm, kind, Row::new(0), target).is_some(), "{imm:?}");
            }
        }
    }

    #[test]
    fn what_can_follow_depends_on_what_is_written() {
        let target = Target::named("gfx900").expect("a processor");
        let next = expected(target, &line("v_add_f32", &[reg("v0")]));
        assert_eq!(names(&next), ["src0", "src0", "src0"]);
        let next = expected(target, &line("global_load_dwordx4", &[reg("v0")]));
        assert!(next.is_empty());
        let quad = RegisterSet(Regs::V(4)).all(target);
        let mut wide = line("global_load_dwordx4", &[Value::Reg(quad[0])]);
        wide.push(Sep::Comma, Mods::NONE, reg("v4"));
        let next = expected(target, &wide);
        assert_eq!(names(&next), ["saddr"]);
    }

    #[test]
    fn tuples_start_where_the_processor_allows() {
        let old = Target::named("gfx900").expect("a processor");
        let new = Target::named("gfx90a").expect("a processor");
        let pairs = RegisterSet(Regs::V(2));
        assert_eq!(pairs.all(old).len(), 255);
        assert_eq!(pairs.all(new).len(), 128);
        let scalars: Vec<String> = RegisterSet(Regs::S64).all(old).iter().map(|r| r.name()).collect();
        assert!(scalars.contains(&"s[2:3]".to_owned()) && !scalars.contains(&"s[1:2]".to_owned()));
        assert!(scalars.contains(&"vcc".to_owned()) && !scalars.contains(&"vcc_lo".to_owned()));
    }

    #[test]
    fn offsets_have_the_range_of_the_generation() {
        let range = |processor: &str, mnemonic: &str| {
            let target = Target::named(processor).expect("a processor");
            let slots = templates(target, mnemonic).into_iter().flat_map(|t| t.slots);
            slots.filter(|s| s.name == "offset").map(|s| s.takes).next()
        };
        let bytes = |min, max| Some(Takes::Named { name: "offset", value: NamedValue::Number { min, max } });
        assert_eq!(range("gfx900", "global_load_dword"), bytes(-4096, 4095));
        assert_eq!(range("gfx1010", "global_load_dword"), bytes(-2048, 2047));
        assert_eq!(range("gfx1200", "global_load_b32"), bytes(-8_388_608, 8_388_607));
        assert_eq!(range("gfx900", "ds_read_b32"), bytes(0, 65535));
        assert_eq!(range("gfx900", "buffer_load_dword"), bytes(0, 4095));
    }
}
