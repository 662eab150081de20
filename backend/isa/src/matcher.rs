//! Compares operands with the templates of instruction rows, in LLVM's order.

use crate::{
    describe,
    error::{Found, Joint, Problem},
    inst::{Inst, MAX_OPERANDS, MachineOperand},
    literal::{self, Number, Store},
    matched::{Matched, NOT_WRITTEN},
    operand::{Line, Mods, Value},
    operands::{Read, cpol, modifiers},
    prepare::{Actual, Actuals},
    register::Reg,
    tables::{
        self, Candidate, Formal, Formals, Row, feature, flag, flag_set,
        kind::{Class, Imm, Kind, ModKind, OpType, Regs, Ty},
        kind_of,
    },
    target::{Level, Target},
};

/// How far a candidate got.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Miss {
    /// Index into the actuals; their number when an operand is missing.
    pub(crate) at: usize,
    /// What was expected there.
    pub(crate) wanted: Option<Formal>,
    /// What the operand's own family says.
    pub(crate) problem: Option<Box<Problem>>,
}

enum Fit {
    Yes,
    /// Took more than one operand.
    Took(usize),
    No(Option<Box<Problem>>),
}

/// What a number is stored as.
#[derive(Clone, Copy)]
struct Literal {
    ty: Ty,
    /// It is a literal in the instruction, even where an inline constant has the value.
    is_mandatory: bool,
}

struct Attempt<'a, 'l> {
    line: &'l Line<'a>,
    target: Target,
    row: Row,
    out: Matched,
}

/// Tries one candidate.
pub(crate) fn attempt<'l>(
    line: &'l Line<'l>,
    actuals: &'l Actuals<'l>,
    c: Candidate,
    t: Target,
) -> Result<Matched, Miss> {
    attempt_with(line, actuals, c, t, |_, _| {})
}

/// Likewise. `observe` is called for each operand as written with the formal that took it, and with `None` for formals without one.
pub(crate) fn attempt_with<'l>(
    line: &'l Line<'l>,
    actuals: &'l Actuals<'l>,
    c: Candidate,
    t: Target,
    mut observe: impl FnMut(Option<u8>, Formal),
) -> Result<Matched, Miss> {
    let row = Row::new(c.row);
    let mut a = Attempt {
        line,
        target: t,
        row,
        out: Matched { inst: Inst::new(c.row), from: [NOT_WRITTEN; MAX_OPERANDS], unknown: actuals.unknown },
    };
    let formals = Formals::new(c.formals);
    let mut at = 0;
    let mut refused = None;
    let mut f = 0;
    while let Some(formal) = formals.get(f) {
        at = a.after_switches(actuals, at);
        f += 1;
        let Some((actual, from)) = actuals.get(at) else {
            observe(None, formal);
            if optional(formal) {
                continue;
            }
            return Err(Miss { at, wanted: Some(formal), problem: None });
        };
        match a.fit(formal, actual, from) {
            Fit::Yes => {
                observe(Some(from), formal);
                at += 1;
            }
            Fit::Took(n) => {
                (at..at + n).filter_map(|i| actuals.get(i)).for_each(|(_, from)| observe(Some(from), formal));
                at += n;
            }
            Fit::No(problem) => {
                if !optional(formal) || problem.is_some() {
                    return Err(Miss { at, wanted: Some(formal), problem });
                }
                if is_offset(formal) {
                    refused = Some((at, formal));
                }
            }
        }
    }
    at = a.after_switches(actuals, at);
    if at < actuals.len() {
        let wanted = refused.filter(|(place, _)| *place == at).map(|(_, formal)| formal);
        return Err(Miss { at, wanted, problem: None });
    }
    Ok(a.out)
}

/// The offset of a scalar load is optional, but written without a name: a number in its place is meant as one.
fn is_offset(f: Formal) -> bool {
    matches!(f, Formal::Operand { kind: k, .. } if matches!(kind_of(k).class, Class::SmrdOffset8 | Class::SmrdLiteral))
}

/// How many operands have to be written.
pub(crate) fn required(c: Candidate) -> usize {
    let formals = Formals::new(c.formals);
    (0..formals.len()).filter_map(|i| formals.get(i)).filter(|f| !optional(*f)).count()
}

/// How many operands without a name can be written.
pub(crate) fn places(c: Candidate) -> usize {
    let formals = Formals::new(c.formals);
    (0..formals.len()).filter_map(|i| formals.get(i)).filter(|f| !describe::is_modifier(*f)).count()
}

fn optional(f: Formal) -> bool {
    matches!(f, Formal::Operand { kind: k, .. } if kind_of(k).optional)
}

/// 64-bit and larger scalar classes also take `null`, which is defined as one register of 32 bits.
fn takes_null(regs: Regs) -> bool {
    matches!(regs, Regs::S64 | Regs::S64XExec | Regs::S(3 | 4 | 8 | 16))
}

pub(crate) fn register_fits(r: Reg, regs: Regs, t: Target) -> bool {
    r.is_in(regs) || (r == Reg::NULL && takes_null(regs) && t.facts().has_null)
}

impl Attempt<'_, '_> {
    fn mods(&self, from: u8) -> Mods {
        self.line.operands.get(usize::from(from)).map_or(Mods::NONE, |o| o.mods)
    }

    fn value(&self, from: u8) -> Value<'_> {
        self.line.operands.get(usize::from(from)).map_or(Value::Unknown, |o| o.value)
    }

    fn set(&mut self, index: usize, v: MachineOperand, from: u8) {
        if let (Some(slot), Some(f)) = (self.out.inst.ops.get_mut(index), self.out.from.get_mut(index)) {
            *slot = v;
            *f = from;
        }
    }

    fn fit(&mut self, formal: Formal, actual: Actual<'_>, from: u8) -> Fit {
        match formal {
            Formal::Token(id) => {
                let word = tables::token(id);
                yes(match actual {
                    Actual::Token(w) => w == word,
                    Actual::Operand => match self.value(from) {
                        Value::Word(w) if self.mods(from) == Mods::NONE => {
                            let needs_word = word != "tfe" && self.row.mnemonic().starts_with("ds_gws_");
                            let may_be_off = matches!(word, "gds" | "tfe") && !needs_word;
                            w == word || may_be_off && w.strip_prefix("no") == Some(word)
                        }
                        _ => false,
                    },
                    _ => false,
                })
            }
            Formal::Single(id) => {
                let word = tables::token(id);
                let r = self.register(actual, from);
                yes(r.is_some()
                    && r == crate::register::named_register(word)
                    && self.mods(from) == Mods::NONE)
            }
            Formal::Operand { index, kind: k } => self.operand(usize::from(index), kind_of(k), actual, from),
        }
    }

    /// The first place from `at` on without a word that only says what is absent.
    fn after_switches(&self, actuals: &Actuals<'_>, mut at: usize) -> usize {
        while actuals.get(at).is_some_and(|(_, from)| self.switches_off(from)) {
            at += 1;
        }
        at
    }

    /// Whether an operand says that a word is absent with which the instruction has another row: `nodone`, `nolds`. LLVM 24 reads it.
    fn switches_off(&self, from: u8) -> bool {
        let Value::Word(word) = self.value(from) else { return false };
        let Some(word @ ("done" | "lds" | "row_en")) = word.strip_prefix("no") else { return false };
        let has_word = |c: &Candidate| {
            let formals = Formals::new(c.formals);
            (0..formals.len())
                .any(|f| matches!(formals.get(f), Some(Formal::Token(id)) if tables::token(id) == word))
        };
        self.target.is_newer()
            && tables::lookup(self.row.mnemonic())
                .is_some_and(|all| all.iter().any(|c| self.target.can(c.avail) && has_word(&c)))
    }

    fn register(&self, actual: Actual<'_>, from: u8) -> Option<Reg> {
        match actual {
            Actual::Reg(r) => Some(r),
            Actual::Operand => match self.value(from) {
                Value::Reg(r) => Some(r),
                _ => None,
            },
            _ => None,
        }
    }

    /// The number of an operand; `None` inside for unknown.
    fn number(&self, actual: Actual<'_>, from: u8) -> Option<Option<Number>> {
        if actual != Actual::Operand {
            return None;
        }
        match self.value(from) {
            Value::Int(v) => Some(Some(Number::Int(v))),
            Value::Float(b) => Some(Some(Number::Float(b))),
            Value::Unknown => Some(None),
            _ => None,
        }
    }

    fn operand(&mut self, index: usize, k: &'static Kind, actual: Actual<'_>, from: u8) -> Fit {
        let t = self.target;
        let mods = self.mods(from);
        let plain = !(mods.neg || mods.abs || mods.sext);
        let reg = self.register(actual, from);
        let is_unknown = actual == Actual::Operand && self.value(from) == Value::Unknown;
        match k.class {
            Class::Reg(_) | Class::BoolReg | Class::VRegOrOff | Class::DppReg(_) | Class::RegMods(..)
                if is_unknown =>
            {
                self.put_unknown(index, k, mods, from)
            }
            Class::Reg(regs) => match reg {
                Some(r) if plain && register_fits(r, regs, t) => {
                    self.put(index, MachineOperand::Reg(r), from)
                }
                _ => Fit::No(None),
            },
            Class::BoolReg => match reg {
                Some(r) if plain && self.is_lane_mask(r) => self.put(index, MachineOperand::Reg(r), from),
                _ => Fit::No(None),
            },
            Class::VRegOrOff => match (reg, self.value(from)) {
                (Some(r), _) if r.is_in(Regs::V(1)) && plain => self.put(index, MachineOperand::Reg(r), from),
                (None, Value::Word("off")) => self.put(index, MachineOperand::None, from),
                _ => Fit::No(None),
            },
            Class::DppReg(m) => match reg {
                Some(r)
                    if self.allowed(mods, m)
                        && (r.is_in(Regs::V(1)) || (r.is_in(Regs::V(2)) && t.has(feature::DPALU_DPP))) =>
                {
                    self.put_mods(index, k, MachineOperand::Reg(r), mods, from)
                }
                _ => Fit::No(None),
            },
            Class::RegMods(regs, m) => match reg {
                Some(r) if self.allowed(mods, m) && r.is_in(regs) => {
                    self.put_mods(index, k, MachineOperand::Reg(r), mods, from)
                }
                _ => Fit::No(None),
            },
            Class::Sdwa(_, m) if self.allowed(mods, m) => self.sdwa_source(index, k, actual, from),
            Class::AnyRegOrImm if plain => self.register_or_number(index, k, actual, from),
            Class::Sdwa(..) | Class::AnyRegOrImm => Fit::No(None),
            Class::Src { .. } => self.source(index, k, actual, from),
            Class::KImm(ty) => match self.number(actual, from) {
                Some(Some(n)) if plain && literal::is_literal(n, ty, false, self.row, t) => {
                    let v = self.stored(n, Literal { ty, is_mandatory: true }, mods);
                    self.put(index, MachineOperand::Imm(v), from)
                }
                Some(None) => self.put_unknown(index, k, mods, from),
                _ => Fit::No(None),
            },
            Class::Branch => self.branch_target(index, k, actual, from),
            Class::AttrChan => match actual {
                Actual::Chan(c) => self.put(index, MachineOperand::Imm(c), from),
                _ => Fit::No(None),
            },
            Class::PlainImm
            | Class::S16
            | Class::U16
            | Class::SmrdOffset8
            | Class::SmrdLiteral
            | Class::SmemOffset
            | Class::SplitBarrier => self.plain_number(index, k, actual, from),
            Class::CPolWith(glc) => match actual {
                Actual::CPol(v) if (v & cpol::GLC != 0) == glc => {
                    self.put(index, MachineOperand::Imm(v), from)
                }
                _ => Fit::No(None),
            },
            Class::Imm(imm) => self.immediate(index, imm, actual, from),
        }
    }

    fn sdwa_source(&mut self, index: usize, k: &'static Kind, actual: Actual<'_>, from: u8) -> Fit {
        let Class::Sdwa(ty, _) = k.class else { return Fit::No(None) };
        let t = self.target;
        let mods = self.mods(from);
        if let Some(r) = self.register(actual, from) {
            let takes_scalars = t.facts().sdwa_takes_scalars;
            let fits =
                if takes_scalars { r.is_in(Regs::Vs32) || r.is_inline_value() } else { r.is_in(Regs::V(1)) };
            return if fits {
                self.put_mods(index, k, MachineOperand::Reg(r), mods, from)
            } else {
                Fit::No(None)
            };
        }
        match self.number(actual, from) {
            Some(Some(n)) if t.facts().sdwa_takes_scalars && literal::is_inlinable(n, ty, t) => {
                let v = self.stored(n, self.literal_of(index + 1, ty), mods);
                self.put_mods(index, k, MachineOperand::Imm(v), mods, from)
            }
            Some(None) if t.facts().sdwa_takes_scalars => self.put_unknown(index, k, mods, from),
            _ => Fit::No(None),
        }
    }

    fn register_or_number(&mut self, index: usize, k: &'static Kind, actual: Actual<'_>, from: u8) -> Fit {
        let t = self.target;
        let mods = self.mods(from);
        if let Some(r) = self.register(actual, from) {
            return if r.is_in(Regs::Vs32) || r.is_inline_value() {
                self.put_mods(index, k, MachineOperand::Reg(r), mods, from)
            } else {
                Fit::No(None)
            };
        }
        let literal = self.literal_of(index + 1, Ty::I32);
        match self.number(actual, from) {
            Some(Some(n))
                if literal::is_inlinable(n, literal.ty, t)
                    || literal::is_literal(n, literal.ty, false, self.row, t) =>
            {
                let v = self.stored(n, literal, mods);
                self.put_mods(index, k, MachineOperand::Imm(v), mods, from)
            }
            Some(None) => self.put_unknown(index, k, mods, from),
            _ => Fit::No(None),
        }
    }

    /// A label, or the distance in dwords.
    fn branch_target(&mut self, index: usize, k: &'static Kind, actual: Actual<'_>, from: u8) -> Fit {
        match self.value(from) {
            Value::Unknown => self.put_unknown(index, k, self.mods(from), from),
            _ if actual != Actual::Operand => Fit::No(None),
            Value::Symbol | Value::Word(_) => self.put(index, MachineOperand::Symbol(from), from),
            Value::Int(v) if (-0x8000..=0xFFFF).contains(&v) => self.put(index, MachineOperand::Imm(v), from),
            Value::Float(bits) if crate::operands::modifiers::of_expression(bits) == 0 => {
                self.put(index, MachineOperand::Imm(0), from)
            }
            Value::Int(v) => {
                let text = "the distance of a branch must be between -32768 and 32767 dwords";
                Fit::No(Some(Box::new(Problem::new(text).with(Joint::Is, Some(Found::Int(v))))))
            }
            _ => Fit::No(None),
        }
    }

    fn plain_number(&mut self, index: usize, k: &'static Kind, actual: Actual<'_>, from: u8) -> Fit {
        let mods = self.mods(from);
        if mods.neg || mods.abs || mods.sext {
            return Fit::No(None);
        }
        let v = match self.number(actual, from) {
            Some(Some(Number::Int(v))) => v,
            Some(Some(Number::Float(b))) => b as i64,
            Some(None) => return self.put_unknown(index, k, mods, from),
            None => return Fit::No(None),
        };
        let ok = match k.class {
            Class::S16 => (-0x8000..=0xFFFF).contains(&v),
            Class::U16 => (0..=0xFFFF).contains(&v),
            Class::SmrdOffset8 => (0..=0xFF).contains(&v),
            Class::SmrdLiteral => (0x100..=0xFFFF_FFFF).contains(&v),
            Class::SplitBarrier => literal::is_inlinable(Number::Int(v), Ty::I32, self.target),
            _ => true,
        };
        if !ok {
            return Fit::No(None);
        }
        self.put(index, MachineOperand::Imm(v), from)
    }

    fn immediate(&mut self, index: usize, imm: Imm, actual: Actual<'_>, from: u8) -> Fit {
        match (imm, actual) {
            (Imm::CPol, Actual::CPol(v))
            | (Imm::FORMAT, Actual::Format(v))
            | (Imm::InterpAttr, Actual::Attr(v)) => self.put(index, MachineOperand::Imm(v), from),
            (_, Actual::Operand) => {
                let (r, n) = modifiers::read(imm, self.line, from.into(), self.target);
                match r {
                    Read::Value(v) => {
                        self.set(index, MachineOperand::Imm(v), from);
                        Fit::Took(n)
                    }
                    Read::Unknown => {
                        self.out.unknown = true;
                        self.set(index, MachineOperand::Imm(0), from);
                        Fit::Took(n)
                    }
                    Read::Bad(problem) => Fit::No(Some(Box::new(problem))),
                    Read::No => Fit::No(None),
                }
            }
            _ => Fit::No(None),
        }
    }

    /// A register, an inline constant, a literal or an expression, each with the modifiers of the class.
    fn source(&mut self, index: usize, k: &'static Kind, actual: Actual<'_>, from: u8) -> Fit {
        let Class::Src { regs, inline, lit, expr, mods: m } = k.class else { return Fit::No(None) };
        let t = self.target;
        let mods = self.mods(from);
        // without modifiers in the encoding they still change a number
        let folds =
            m == ModKind::No && !self.allowed(mods, m) && lit.is_some() && self.folds_modifiers(index, mods);
        if !(self.allowed(mods, m) || folds) {
            return Fit::No(None);
        }
        if let Some(r) = self.register(actual, from) {
            return if !self.allowed(mods, m) {
                Fit::No(None)
            } else if r.is_in(regs) || r.is_inline_value() {
                self.put_mods(index, k, MachineOperand::Reg(r), mods, from)
            } else {
                Fit::No(None)
            };
        }
        if let Some(n) = self.number(actual, from) {
            let Some(n) = n else { return self.put_unknown(index, k, mods, from) };
            let fp = mods.neg || mods.abs;
            // a whole number and its double have their signs in different bits
            let whole = folds && fp && inline == Ty::F64 && matches!(n, Number::Int(_));
            let forced = mods.lit || mods.lit64;
            if mods.lit64 && self.target.is_newer() && self.row.has(flag_set::LONG) {
                return Fit::No(None);
            }
            let ok = literal::is_inlinable(n, inline, t) && !whole && !forced
                || lit.is_some_and(|ty| literal::is_literal(n, ty, fp, self.row, t));
            if !ok {
                return Fit::No(None);
            }
            let at = if k.optype == OpType::InputMods { index + 1 } else { index };
            let n = if m == ModKind::No { literal::modified(n, inline, mods) } else { n };
            let v = self.stored(n, self.literal_of(at, inline), mods);
            if forced {
                self.out.inst.force(at, mods.lit && self.target.is_newer());
            }
            return self.put_mods(index, k, MachineOperand::Imm(v), mods, from);
        }
        let wide = lit == Some(Ty::I64) && regs == Regs::S64 && literal::has_literal64(t);
        if actual == Actual::Operand
            && matches!(self.value(from), Value::Symbol | Value::Word(_))
            && (expr || wide)
        {
            return self.put(index, MachineOperand::Symbol(from), from);
        }
        Fit::No(None)
    }

    fn allowed(&self, mods: Mods, m: ModKind) -> bool {
        match m {
            ModKind::No => !(mods.neg || mods.abs || mods.sext),
            ModKind::Fp => !mods.sext,
            ModKind::Any => true,
            // LLVM 22 reads `sext` with DPP, where only SDWA has it.
            ModKind::Int if self.target.level() == Level::Llvm24 && !self.target.facts().has_sdwa => {
                !(mods.neg || mods.abs || mods.sext)
            }
            ModKind::Int => !(mods.neg || mods.abs),
        }
    }

    /// Short vector encodings of instructions whose other encodings take modifiers there: `neg` and `abs` change the
    /// number, `sext` does nothing.
    fn folds_modifiers(&self, index: usize, mods: Mods) -> bool {
        let dual = self.row.has(flag::VOPD) && self.target.facts().has_vopd3;
        if self.row.has(flag::HAS_IMM | flag::VOP3P | flag::VOPD3 | flag::DPP | flag::SDWA) {
            return false;
        }
        if !self.row.has(flag::VOP1 | flag::VOP2 | flag::VOPC | flag::VOP3) {
            return dual && !mods.sext;
        }
        let wanted = if mods.sext { ModKind::Int } else { ModKind::Fp };
        let name = self.row.name(index);
        let mnemonic = self.row.mnemonic();
        tables::lookup(mnemonic.strip_suffix("_e32").or(mnemonic.strip_suffix("_e64")).unwrap_or(mnemonic))
            .is_some_and(|c| {
                c.iter().filter(|c| self.target.can(c.avail)).any(|c| {
                    let row = Row::new(c.row);
                    row.find(name)
                        .and_then(|i| i.checked_sub(1))
                        .is_some_and(|i| source_modifiers(row.kind(i).class) == wanted)
                })
            })
    }

    fn is_lane_mask(&self, r: Reg) -> bool {
        r.is_inline_value() || r.is_in(if self.target.wave64() { Regs::S64 } else { Regs::S32 })
    }

    /// What a number is stored as in the source operand at `index`; `ty` where its kind names no type.
    fn literal_of(&self, index: usize, ty: Ty) -> Literal {
        let k = self.row.kind(index);
        match k.optype.src() {
            Some(ty) => Literal { ty, is_mandatory: matches!(k.optype, OpType::KImm(_)) },
            None => Literal { ty, is_mandatory: false },
        }
    }

    fn stored(&self, n: Number, literal: Literal, mods: Mods) -> i64 {
        let o = Store {
            lit: mods.lit,
            lit64: mods.lit64,
            mandatory: self.row.has(flag::HAS_IMM),
            size: self.row.size(),
        };
        literal::store(n, literal.ty, literal.is_mandatory, o, self.target)
    }

    fn put(&mut self, index: usize, v: MachineOperand, from: u8) -> Fit {
        self.set(index, v, from);
        Fit::Yes
    }

    /// Stores an operand whose kind may put modifiers in front of it.
    fn put_mods(&mut self, index: usize, k: &'static Kind, v: MachineOperand, mods: Mods, from: u8) -> Fit {
        if k.optype != OpType::InputMods {
            return self.put(index, v, from);
        }
        let code = i64::from(mods.neg) | i64::from(mods.abs) << 1 | i64::from(mods.sext) << 4;
        self.set(index, MachineOperand::Imm(code), from);
        self.put(index + 1, v, from)
    }

    fn put_unknown(&mut self, index: usize, k: &'static Kind, mods: Mods, from: u8) -> Fit {
        self.out.unknown = true;
        self.put_mods(index, k, MachineOperand::Imm(0), mods, from)
    }
}

/// The modifiers that an operand of the class can have.
pub(crate) fn source_modifiers(class: Class) -> ModKind {
    match class {
        Class::Src { mods, .. } | Class::DppReg(mods) | Class::RegMods(_, mods) | Class::Sdwa(_, mods) => {
            mods
        }
        _ => ModKind::No,
    }
}

pub(crate) fn takes_neg(f: Formal) -> bool {
    matches!(f, Formal::Operand { kind: k, .. } if source_modifiers(kind_of(k).class) == ModKind::Fp)
}

/// Whether a formal operand takes a number that is not an inline constant.
pub(crate) fn takes_literal(f: Formal) -> bool {
    matches!(f, Formal::Operand { kind: k, .. } if matches!(kind_of(k).class, Class::Src { lit: Some(_), .. }))
}

/// The width of the literal that an operand takes.
pub(crate) fn literal_bits(f: Formal) -> Option<u32> {
    let Formal::Operand { kind: k, .. } = f else { return None };
    let Class::Src { lit: Some(ty), .. } = kind_of(k).class else { return None };
    Some(if matches!(ty, Ty::I16 | Ty::F16 | Ty::BF16) { 16 } else { 32 })
}

fn yes(b: bool) -> Fit {
    if b { Fit::Yes } else { Fit::No(None) }
}

/// Operands that the line does not name: copies of tied ones, defaults, and bits that go elsewhere.
pub(crate) fn complete(m: &mut Matched) {
    let row = m.inst.row.row();
    for (a, b) in row.ties() {
        if a < MAX_OPERANDS && b < MAX_OPERANDS {
            let (x, y) = (m.inst.ops[a], m.inst.ops[b]);
            if matches!(x, MachineOperand::None) {
                m.inst.ops[a] = y;
            } else if matches!(y, MachineOperand::None) {
                m.inst.ops[b] = x;
            }
        }
    }
    crate::convert::apply(m, row);
}
