//! Operands as the matcher compares them: cache policies joined, lists opened, formats found.

use std::borrow::Cow;

use crate::{
    error::{Alignment, ErrorKind, Fault, MatchError, Place, Problem},
    generation::Policies,
    literal,
    operand::{Line, Mods, Operand, Sep, Term, Value},
    operands::{Read, cpol, format},
    register::{Reg, RegFile, Special, register_range},
    tables::feature,
    target::Target,
};

/// One thing to match with a formal operand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Actual<'a> {
    /// The operand as written.
    Operand,
    Token(&'a str),
    Reg(Reg),
    CPol(i64),
    Format(i64),
    Attr(i64),
    Chan(i64),
}

/// Matchable operands, and the operand as written that each comes from.
pub(crate) struct Actuals<'a> {
    list: [(Actual<'a>, u8); 36],
    len: usize,
    /// Some value was unknown.
    pub(crate) unknown: bool,
}

impl<'a> Actuals<'a> {
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn get(&self, i: usize) -> Option<(Actual<'a>, u8)> {
        self.list.get(..self.len)?.get(i).copied()
    }

    fn push(&mut self, a: Actual<'a>, from: usize) -> Result<(), MatchError> {
        match self.list.get_mut(self.len) {
            Some(slot) => {
                *slot = (a, from.min(255) as u8);
                self.len += 1;
                Ok(())
            }
            None => error(from, ErrorKind::ExtraOperand, "too many operands"),
        }
    }
}

fn error<T>(i: usize, kind: ErrorKind, text: impl Into<Cow<'static, str>>) -> Result<T, MatchError> {
    problem(i, kind, Problem::new(text))
}

fn problem<T>(i: usize, kind: ErrorKind, problem: Problem) -> Result<T, MatchError> {
    Err(MatchError::operand(Place::Operand(i.min(255) as u8), kind, problem))
}

fn check(r: Reg, i: usize, t: Target) -> Result<Reg, MatchError> {
    if r.exists_on(t) {
        Ok(r)
    } else {
        error(i, ErrorKind::NoSuchRegister, format!("register `{}` does not exist on {}", r.name(), t))
    }
}

/// A bracketed list of single registers as one tuple.
fn tuple(terms: &[Term<'_>], i: usize, t: Target) -> Result<Reg, MatchError> {
    let mut regs = terms.iter().map(|x| match x {
        Term::Reg(r) => Some(*r),
        _ => None,
    });
    let Some(Some(first)) = regs.next() else {
        return error(i, ErrorKind::InvalidOperand, "expected a list of registers");
    };
    let mut n = 1;
    check(first, i, t)?;
    if terms.len() == 1 && first.dwords == 1 {
        return Ok(first);
    }
    if first.dwords != 1 {
        let message = format!("expected single 32-bit registers in the list, found `{}`", first.name());
        return error(i, ErrorKind::InvalidOperand, message);
    }
    for r in regs {
        let r = r.map(|r| if first.file == RegFile::Sgpr { after_last_scalar(r, t) } else { r });
        let ok = r.is_some_and(|r| {
            r.file == first.file && r.dwords == 1 && r.index == first.index + n && r.half == first.half
        });
        if !ok {
            let message = match r {
                Some(r) if r.file == first.file => "registers in a list must be consecutive".to_owned(),
                Some(r) => format!(
                    "registers in a list must be of one kind, found `{}` and `{}`",
                    first.name(),
                    r.name()
                ),
                None => "expected a list of registers".to_owned(),
            };
            return error(i, ErrorKind::InvalidOperand, message);
        }
        n += 1;
    }
    if first.file == RegFile::Special {
        let pair = n == 2
            && matches!(
                first.as_special(),
                Some(
                    Special::ExecLo
                        | Special::VccLo
                        | Special::FlatScratchLo
                        | Special::XnackMaskLo
                        | Special::TbaLo
                        | Special::TmaLo
                )
            );
        return if pair {
            Ok(Reg { dwords: 2, ..first })
        } else {
            error(i, ErrorKind::InvalidOperand, "these registers form no pair")
        };
    }
    let prefix = match first.file {
        RegFile::Vgpr => "v",
        RegFile::Agpr => "a",
        RegFile::Sgpr => "s",
        _ => "ttmp",
    };
    let whole = Reg { dwords: n.min(255) as u8, ..first };
    if whole.ends_in_vcc(t) {
        return if t.is_newer() && matches!(n, 3 | 4 | 8 | 16) && first.index.is_multiple_of(4) {
            Ok(whole)
        } else {
            error(i, ErrorKind::InvalidOperand, format!("`{}` is not a tuple on {t}", whole.name()))
        };
    }
    let (lo, hi) = (i64::from(first.index), i64::from(first.index + n - 1));
    match register_range(prefix, lo, hi, first.half) {
        Some(Ok(r)) => check(r, i, t),
        _ => {
            let place = Place::Operand(i.min(255) as u8);
            Err(MatchError::new(place, Fault::Alignment(Alignment::NoTuple)))
        }
    }
}

/// VCC as the scalar registers that it is encoded as, where it follows the last of those with a number: LLVM 24 reads
/// `[s104, s105, vcc_lo, vcc_hi]`.
fn after_last_scalar(r: Reg, t: Target) -> Reg {
    let index = match r.as_special() {
        Some(Special::VccLo) if r.dwords == 1 => t.facts().named_sgprs,
        Some(Special::VccHi) => t.facts().named_sgprs + 1,
        _ => return r,
    };
    Reg { file: RegFile::Sgpr, index, ..r }
}

/// `attr0.x` as attribute and channel.
fn attribute(word: &str) -> Option<(i64, i64)> {
    let (number, channel) = word.strip_prefix("attr")?.rsplit_once('.')?;
    let chan = ["x", "y", "z", "w"].iter().position(|c| *c == channel)? as i64;
    let attr: i64 = number.parse().ok()?;
    (number.bytes().all(|b| b.is_ascii_digit()) && attr <= 32).then_some((attr, chan))
}

/// A register name whose number no file has, such as `v256`.
fn is_register_of_any_number(word: &str) -> bool {
    let stem = word.strip_suffix(".l").or_else(|| word.strip_suffix(".h")).unwrap_or(word);
    ["v", "s", "ttmp", "acc", "a"].iter().filter_map(|p| stem.strip_prefix(p)).any(is_register_number)
}

/// Whether these are the digits of a register's name. A number that does not fit into 32 bits makes the name that of a symbol.
pub fn is_register_number(digits: &str) -> bool {
    digits.bytes().all(|b| b.is_ascii_digit()) && digits.parse::<u32>().is_ok()
}

/// Whether the words of cache policies are modifiers of the instruction: elsewhere they are names of symbols.
fn takes_policy(mnemonic: &str) -> bool {
    const SCALAR_MEMORY: [&str; 9] = [
        "s_load",
        "s_store",
        "s_buffer",
        "s_scratch",
        "s_atomic",
        "s_dcache",
        "s_prefetch",
        "s_atc",
        "s_mem",
    ];
    match mnemonic.get(..2) {
        Some("v_") => false,
        Some("s_") => SCALAR_MEMORY.iter().any(|p| mnemonic.starts_with(p)),
        _ => true,
    }
}

/// Opens and joins the operands of a line.
pub(crate) fn prepare<'a>(line: &'a Line<'a>, mnemonic: &str, t: Target) -> Result<Actuals<'a>, MatchError> {
    let mut out = Actuals { list: [(Actual::Operand, 0); 36], len: 0, unknown: false };
    let typed = mnemonic.starts_with("tbuffer_");
    let takes_policy = takes_policy(mnemonic);
    let ops = &line.operands;
    let mut i = 0;
    while let Some(o) = ops.get(i) {
        if o.sep == Sep::DoubleColon {
            second_instruction(o.value, i, &mut out, t)?;
            i += 1;
            continue;
        }
        if typed && out.len == 3 {
            i = typed_format(line, i, &mut out, t)?;
            continue;
        }
        if takes_policy
            && o.mods == Mods::NONE
            && let Some(next) = policy(line, i, mnemonic, &mut out, t)?
        {
            i = next;
            continue;
        }
        single(line, i, mnemonic, &mut out, t)?;
        i += 1;
    }
    Ok(out)
}

/// The mnemonic after the `::` of a dual instruction.
fn second_instruction<'a>(
    value: Value<'a>,
    i: usize,
    out: &mut Actuals<'a>,
    t: Target,
) -> Result<(), MatchError> {
    let Value::Word(w) = value else {
        return error(i, ErrorKind::InvalidOperand, "expected the second instruction after `::`");
    };
    if !t.has(feature::VOPD) {
        return error(i, ErrorKind::InvalidOperand, format!("{} has no dual instructions", t));
    }
    out.push(Actual::Token("::"), i)?;
    out.push(Actual::Token(w), i)
}

/// An operand that is neither joined with others nor a mnemonic.
fn single<'a>(
    line: &'a Line<'a>,
    i: usize,
    mnemonic: &str,
    out: &mut Actuals<'a>,
    t: Target,
) -> Result<(), MatchError> {
    let o = &line.operands[i];
    if (o.mods.lit || o.mods.lit64) && matches!(o.value, Value::Reg(_) | Value::RegList(_)) {
        return error(i, ErrorKind::InvalidModifier, "`lit` applies only to numbers");
    }
    if o.mods.lit64 && mnemonic.starts_with("v_") && !literal::has_literal64(t) {
        return error(i, ErrorKind::InvalidModifier, format!("{} has no 64-bit literals", t));
    }
    let takes_attributes = || mnemonic.starts_with("v_interp") || mnemonic.ends_with("param_load");
    match o.value {
        // an export's target, on processors without the register too
        Value::Reg(r) if i == 0 && r == Reg::special(Special::Null, 1) && mnemonic.starts_with("exp") => {}
        Value::Reg(r) => {
            check(r, i, t)?;
        }
        Value::RegList(range) => {
            let terms = line.terms(range);
            let is_address = mnemonic.starts_with("image_")
                && t.facts().has_image_dim
                && out.len == 1
                && o.mods == Mods::NONE;
            if is_address {
                return addresses(terms, i, out, t);
            }
            // the matcher reads modifiers from the operand as written
            return out.push(Actual::Reg(tuple(terms, i, t)?), i);
        }
        Value::Word(w) if w.starts_with("attr") && takes_attributes() => {
            let Some((attribute, channel)) = attribute(w) else {
                let message = format!(
                    "`{w}` is not an attribute: expected attr0 to attr32 with a channel, such as attr0.x"
                );
                return error(i, ErrorKind::InvalidOperand, message);
            };
            out.push(Actual::Attr(attribute), i)?;
            return out.push(Actual::Chan(channel), i);
        }
        Value::Word(w) if let Some((file, _)) = w.split_once('[') => {
            return error(i, ErrorKind::NoSuchRegister, format!("unknown register file `{file}`"));
        }
        Value::Word(w) if w != "a16" && is_register_of_any_number(w) => {
            return error(i, ErrorKind::NoSuchRegister, format!("unknown register `{w}`"));
        }
        _ => {}
    }
    out.push(Actual::Operand, i)
}

/// The separate address registers of an image instruction: `[v0, v2]`.
fn addresses<'a>(terms: &[Term<'_>], i: usize, out: &mut Actuals<'a>, t: Target) -> Result<(), MatchError> {
    let several = terms.len() > 1;
    if several {
        out.push(Actual::Token("["), i)?;
    }
    for x in terms {
        let Term::Reg(r) = x else {
            return error(i, ErrorKind::InvalidOperand, "expected a list of registers");
        };
        out.push(Actual::Reg(check(*r, i, t)?), i)?;
    }
    if several {
        out.push(Actual::Token("]"), i)?;
    }
    Ok(())
}

/// Joins the cache policies that start at operand `i`; the next operand's index if there was any.
fn policy<'a>(
    line: &'a Line<'a>,
    i: usize,
    mnemonic: &str,
    out: &mut Actuals<'a>,
    t: Target,
) -> Result<Option<usize>, MatchError> {
    let (value, next) = if t.facts().policies == Policies::Hints {
        hints_and_scopes(line, i, &mut out.unknown, t)?
    } else {
        policy_words(line, i, mnemonic, t)?
    };
    if next == i {
        return Ok(None);
    }
    out.push(Actual::CPol(value), i)?;
    Ok(Some(next))
}

/// The policies of gfx12 from operand `i` on, and the next operand's index: `th:TH_LOAD_NT scope:SCOPE_SE`.
fn hints_and_scopes(
    line: &Line<'_>,
    i: usize,
    unknown: &mut bool,
    t: Target,
) -> Result<(i64, usize), MatchError> {
    let (mut th, mut scope, mut nv, mut scale) = (false, false, false, false);
    let (mut policy, mut at) = (0, i);
    while let Some(o) = line.operands.get(at) {
        if at > i && o.sep != Sep::Space {
            break;
        }
        let read = match o.value {
            Value::Named { name: "th", value } if !th => {
                th = true;
                cpol::th(line, value)
            }
            Value::Named { name: "scope", value } if !scope => {
                scope = true;
                cpol::scope(line, value)
            }
            Value::Word("nv") if !nv && t.facts().has_scale_offset => {
                nv = true;
                Read::Value(cpol::NV)
            }
            Value::Word("scale_offset") if !scale && t.facts().has_scale_offset => {
                scale = true;
                Read::Value(cpol::SCALE_OFFSET)
            }
            _ => break,
        };
        match read {
            Read::Value(v) => policy |= v,
            Read::Unknown => *unknown = true,
            Read::Bad(p) => return problem(at, ErrorKind::InvalidModifier, p),
            Read::No => break,
        }
        at += 1;
    }
    Ok((policy, at))
}

/// The policies before gfx12 from operand `i` on, and the next operand's index: `glc slc`.
fn policy_words(line: &Line<'_>, i: usize, mnemonic: &str, t: Target) -> Result<(i64, usize), MatchError> {
    let ops = &line.operands;
    let (mut policy, mut written, mut at) = (0, 0, i);
    while let Some(o) = ops.get(at) {
        if at > i && o.sep != Sep::Space {
            break;
        }
        let word = match o.value {
            Value::Word(w) => w,
            // the status bit has the same name as the policy; after a resource it is the offset
            Value::Reg(r)
                if r == Reg::special(Special::Scc, 1)
                    && at >= 2
                    && !mnemonic.starts_with("s_")
                    && !matches!(ops.get(at - 1).map(|o| o.value), Some(Value::Reg(r)) if r.dwords == 4) =>
            {
                "scc"
            }
            _ => break,
        };
        let Some((bit, off)) = cpol::word(word, mnemonic, t) else { break };
        if !cpol::supported(bit, t) {
            let message = format!("`{word}` does not exist on {}", t);
            return error(at, ErrorKind::InvalidModifier, message);
        }
        if written & bit != 0 {
            let same = |o: &&Operand<'_>| matches!(o.value, Value::Word(w) if cpol::word(w, mnemonic, t).is_some_and(|(b, _)| b == bit));
            let message = match ops.get(i..at).unwrap_or(&[]).iter().find(same).map(|o| o.value) {
                Some(Value::Word(earlier)) if earlier != word => format!("`{word}` contradicts `{earlier}`"),
                _ => format!("duplicate modifier `{word}`"),
            };
            return error(at, ErrorKind::InvalidModifier, message);
        }
        written |= bit;
        if !off {
            policy |= bit;
        }
        at += 1;
    }
    Ok((policy, at))
}

/// The format and scalar offset of a typed buffer instruction, in either order; the next operand's index.
fn typed_format<'a>(
    line: &'a Line<'a>,
    start: usize,
    out: &mut Actuals<'a>,
    t: Target,
) -> Result<usize, MatchError> {
    let ops = &line.operands;
    let mut i = start;
    let mut found = None;
    let number = |i: usize, name: &str, max: i64| -> Result<Option<i64>, MatchError> {
        match ops.get(i).map(|o| o.value) {
            Some(Value::Named { name: n, value }) if n == name => match line.terms(value) {
                [Term::Int(v)] if (0..=max).contains(v) => Ok(Some(*v)),
                [Term::Unknown] => Ok(Some(0)),
                [Term::List(_)] => {
                    error(i, ErrorKind::InvalidModifier, "missing scalar offset before the names of formats")
                }
                _ => error(i, ErrorKind::InvalidModifier, format!("`{name}` must be between 0 and {max}")),
            },
            _ => Ok(None),
        }
    };
    if t.facts().has_unified_formats {
        if let Some(v) = number(i, "format", 127)? {
            found = Some(v);
            i += 1;
        }
    } else {
        let (mut d, mut n) = (None, None);
        for _ in 0..2 {
            if d.is_none() {
                d = number(i, "dfmt", 15)?;
                i += usize::from(d.is_some());
            }
            if n.is_none() {
                n = number(i, "nfmt", 7)?;
                i += usize::from(n.is_some());
            }
        }
        if d.is_some() || n.is_some() {
            found = Some(format::split(d.unwrap_or(1), n.unwrap_or(0)));
        }
    }
    let slot = out.len;
    out.push(Actual::Format(found.unwrap_or(format::default(t))), start)?;
    let Some(o) = ops.get(i) else { return Ok(i) };
    if let Value::Reg(r) = o.value {
        check(r, i, t)?;
    }
    out.push(Actual::Operand, i)?;
    i += 1;
    if let Some(Value::Named { name: "format", value }) = ops.get(i).map(|o| o.value) {
        if found.is_some() {
            return error(
                i,
                ErrorKind::InvalidModifier,
                "duplicate format: `format` or `dfmt` and `nfmt` must be written once",
            );
        }
        match format::format(line, value, t) {
            Read::Value(v) => out.list[slot].0 = Actual::Format(v),
            Read::Bad(p) => return problem(i, ErrorKind::InvalidModifier, p),
            _ => out.unknown = true,
        }
        i += 1;
    }
    Ok(i)
}
