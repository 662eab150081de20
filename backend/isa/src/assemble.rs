//! From an instruction line to bytes.

use crate::{
    convert::SDWA_DWORD,
    describe,
    encode::{self, Bytes, Fixup},
    error::{ErrorKind, Fault, Found, Joint, MatchError, Place, Problem},
    inst::Inst,
    matcher::{self, Miss},
    operand::{Line, Mods, Sep, Value},
    operands,
    prepare::{self, Actual, Actuals},
    register::{Half, RegFile},
    tables::{self, Candidate, Candidates, Formal, Formals, Row, flag, name, special},
    target::{Target, WaveSize},
    validate,
    vocabulary::is_dpp_control,
};

/// An instruction and its bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Encoded {
    /// The instruction.
    pub inst: Inst,
    bytes: Bytes,
    /// An operand was [`crate::Value::Unknown`]: the bytes are not final, and neither is the size.
    pub(crate) unknown: bool,
}

impl Encoded {
    /// 4 to 20 bytes, little endian. Bytes under a fixup are zero.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.bytes.get(..usize::from(self.bytes.len)).unwrap_or(&[])
    }

    /// Where symbols go into its bytes.
    pub fn fixups(&self) -> impl Iterator<Item = Fixup> {
        self.bytes.fixups.into_iter().flatten()
    }
}

/// An encoding that the mnemonic's suffix asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct ForcedEncoding {
    e32: bool,
    e64: bool,
    dpp: bool,
    sdwa: bool,
}

impl ForcedEncoding {
    /// The mnemonic without its suffix, and the encoding that the suffix asks for.
    pub(crate) fn split(mnemonic: &str) -> (&str, ForcedEncoding) {
        let no = ForcedEncoding::default();
        for (suffix, f) in [
            ("_e64_dpp", ForcedEncoding { e64: true, dpp: true, ..no }),
            ("_e64", ForcedEncoding { e64: true, ..no }),
            ("_e32", ForcedEncoding { e32: true, ..no }),
            ("_dpp", ForcedEncoding { dpp: true, ..no }),
            ("_sdwa", ForcedEncoding { sdwa: true, ..no }),
        ] {
            if let Some(base) = mnemonic.strip_suffix(suffix) {
                return (base, f);
            }
        }
        (mnemonic, no)
    }

    /// Whether rows of a variant are candidates: Default, VOP3, SDWA, SDWA9, DPP or VOP3_DPP, counted from 0.
    pub(crate) fn variant(self, v: u8) -> bool {
        match (self.e32, self.e64, self.dpp, self.sdwa) {
            (_, true, true, _) => v == 5,
            (true, ..) => v == 0,
            (_, true, ..) => v == 1,
            (.., true) => v == 2 || v == 3,
            (_, _, true, _) => v == 4,
            _ => true,
        }
    }

    /// Whether a row has the encoding.
    fn accepts(self, row: Row) -> bool {
        let vop3 = row.has(flag::VOP3);
        !((self.e32 && vop3)
            || (self.e64 && !vop3)
            || (self.dpp && !row.has(flag::DPP))
            || (self.sdwa && !row.has(flag::SDWA)))
    }

    fn name(self) -> &'static str {
        match (self.e32, self.e64, self.dpp, self.sdwa) {
            (_, true, true, _) => "e64_dpp",
            (true, ..) => "e32",
            (_, true, ..) => "e64",
            (.., true) => "sdwa",
            (_, _, true, _) => "dpp",
            _ => "",
        }
    }
}

/// The rows that a mnemonic in lower case may mean, its name in the tables, and the encoding that its suffix asks for.
pub(crate) fn candidates_of(target: Target, written: &str) -> Option<(Candidates, &str, ForcedEncoding)> {
    let (base, forced) = ForcedEncoding::split(written);
    let candidates = tables::lookup(base);
    // a spelling that stands for another name, such as one of an older generation
    if candidates.is_none_or(|c| c.renamed)
        && let Some((to, _)) = tables::renames(base).find(|(_, avail)| target.can(*avail))
    {
        return tables::lookup(to).map(|candidates| (candidates, to, forced));
    }
    candidates.map(|candidates| (candidates, base, forced))
}

/// Finds the instruction that `line` means on `target`, checks it and encodes it.
///
/// Accepts and encodes what `llvm-mc` of LLVM 22 does.
///
/// # Errors
///
/// The first mistake, with the operand it is in.
pub fn assemble(target: Target, line: &Line<'_>) -> Result<Encoded, MatchError> {
    assemble_named(target, line, None)
}

/// [`assemble`], where mistakes name the instruction in other words than its mnemonic: "`v_mov_b32` with DPP".
fn assemble_named(target: Target, line: &Line<'_>, name: Option<&str>) -> Result<Encoded, MatchError> {
    let lower;
    let written = if line.mnemonic.bytes().any(|b| b.is_ascii_uppercase()) {
        lower = line.mnemonic.to_ascii_lowercase();
        lower.as_str()
    } else {
        line.mnemonic
    };
    let Some((candidates, mnemonic, forced)) = candidates_of(target, written) else {
        return Err(MatchError::new(Place::Mnemonic, Fault::UnknownMnemonic));
    };
    let actuals = match prepare::prepare(line, mnemonic, target) {
        Ok(a) => a,
        Err(e) => return Err(unsupported(target, candidates, forced).unwrap_or(e)),
    };
    let has_no_name = |value: &Value<'_>| !matches!(value, Value::Named { .. } | Value::Word(_));
    let without_names = line.operands.iter().filter(|operand| has_no_name(&operand.value)).count();
    // An encoding that the suffix asks for explains a mistake better than others, then one that has a place for each operand: a form
    // with an implied destination fits further, and would have the last operand too many.
    let rank = |miss: &Miss, c: &Candidate| {
        let is_modifier = miss.wanted.is_some_and(describe::is_modifier);
        let has_places = matcher::places(*c) >= without_names;
        (forced.accepts(Row::new(c.row)), has_places, miss.at, miss.problem.is_some(), !is_modifier)
    };
    // Of two that fit as far, the one that takes as many operands, and any of its registers.
    let details = |miss: &Miss, c: &Candidate| {
        let is_any = !matches!(miss.wanted, Some(Formal::Single(_)));
        (matcher::required(*c) == actuals.len(), is_any)
    };
    let explains_better = |(a, c): (&Miss, &Candidate), (b, other): &(Miss, Candidate)| {
        let order = rank(a, c).cmp(&rank(b, other));
        order.then_with(|| details(a, c).cmp(&details(b, other))).is_gt()
    };
    let mut best: Option<(Miss, Candidate)> = None;
    for c in candidates.available(target, forced) {
        match matcher::attempt(line, &actuals, c, target) {
            Ok(mut m) => {
                let row = Row::new(c.row);
                if !forced.accepts(row) {
                    continue;
                }
                matcher::complete(&mut m);
                if row.special() == special::MAC_SDWA_VI && m.inst.imm(name::DST_SEL) != SDWA_DWORD {
                    continue;
                }
                if !validate::vopd_fits(&m.inst, row, target) {
                    continue;
                }
                if !m.unknown {
                    validate::check(&m, line, target)?;
                }
                let bytes = encode::encode(&m.inst, target);
                return Ok(Encoded { inst: m.inst, bytes, unknown: m.unknown });
            }
            Err(miss) => {
                if best.as_ref().is_none_or(|best| explains_better((&miss, &c), best)) {
                    best = Some((miss, c));
                }
            }
        }
    }
    if let Some(e) = unsupported(target, candidates, forced) {
        return Err(e);
    }
    match best {
        Some((miss, _)) => {
            let named = name.map_or_else(|| format!("`{written}`"), str::to_owned);
            Err(explain(line, &actuals, miss, written, &named, target))
        }
        // The operands fit, but in another encoding.
        None => Err(no_such_encoding(forced)),
    }
}

/// Whether some encoding of the instruction takes `neg` and `abs` around operand `index`.
pub fn takes_neg(mnemonic: &str, index: usize) -> bool {
    let (base, forced) = ForcedEncoding::split(mnemonic);
    tables::lookup(base).is_some_and(|candidates| {
        let mut rows = candidates.iter().filter(|c| forced.variant(c.variant));
        rows.any(|c| Formals::new(c.formals).get(index).is_some_and(matcher::takes_neg))
    })
}

/// The error for a mnemonic that the target does not have, or not with the encoding.
fn unsupported(t: Target, c: Candidates, forced: ForcedEncoding) -> Option<MatchError> {
    if c.iter().any(|c| forced.variant(c.variant) && t.can(c.avail)) {
        return None;
    }
    if c.iter().any(|c| t.can(c.avail)) {
        return Some(no_such_encoding(forced));
    }
    let other = if t.wave_size() == WaveSize::W32 { WaveSize::W64 } else { WaveSize::W32 };
    if let Some(o) = t.with_wave_size(other)
        && c.iter().any(|c| forced.variant(c.variant) && o.can(c.avail))
    {
        return Some(MatchError::new(Place::Mnemonic, Fault::OtherWaveSize(other)));
    }
    let targets = Target::names()
        .filter(|n| {
            Target::named(n).is_some_and(|t| c.iter().any(|c| forced.variant(c.variant) && t.can(c.avail)))
        })
        .collect();
    Some(MatchError::new(Place::Mnemonic, Fault::OtherTargets(targets)))
}

fn no_such_encoding(forced: ForcedEncoding) -> MatchError {
    MatchError::new(Place::Mnemonic, Fault::NoEncoding(forced.name()))
}

/// The modifier of an operand that fits without it.
fn refused_modifier(line: &Line<'_>, at: u8, t: Target) -> Option<&'static str> {
    let modifier = line.operands.get(usize::from(at))?.mods.outermost()?;
    let mut other = line.clone();
    other.operands.get_mut(usize::from(at))?.mods = Mods::NONE;
    let fits = assemble(t, &other).err().is_none_or(|e| e.place != Place::Operand(at));
    fits.then_some(modifier)
}

/// A whole vector register in the place of a half.
fn missing_half(f: Formal, value: Option<Value<'_>>) -> Option<crate::Reg> {
    let Some(Value::Reg(found)) = value else { return None };
    let is_whole = found.file == RegFile::Vgpr && found.dwords == 1 && found.half == Half::Full;
    (is_whole && describe::takes_halves(f)).then_some(found)
}

/// How many entries a bracketed list may have, and how many it has, where its end is expected in it.
fn too_long(actuals: &Actuals<'_>, at: usize, wanted: Formal) -> Option<(usize, usize)> {
    let (Formal::Token(id) | Formal::Single(id)) = wanted else { return None };
    let (_, from) = actuals.get(at).filter(|_| tables::token(id) == "]")?;
    let of_list = |i: &usize| actuals.get(*i).is_some_and(|(_, other)| other == from);
    let first = (0..at).find(of_list)?;
    // Without the brackets.
    Some((at - first - 1, (first..actuals.len()).take_while(of_list).count() - 2))
}

/// A processor of each generation on which the operands fit.
fn elsewhere(line: &Line<'_>, mnemonic: &str) -> Vec<&'static str> {
    const GENERATIONS: [&str; 12] = [
        "gfx600", "gfx700", "gfx801", "gfx900", "gfx90a", "gfx942", "gfx950", "gfx1010", "gfx1030",
        "gfx1100", "gfx1200", "gfx1250",
    ];
    let fits = |name: &&str| {
        let Some((t, (candidates, base, forced))) =
            Target::named(name).and_then(|t| Some((t, candidates_of(t, mnemonic)?)))
        else {
            return false;
        };
        let Ok(actuals) = prepare::prepare(line, base, t) else { return false };
        let mut rows = candidates.available(t, forced);
        rows.any(|c| forced.accepts(Row::new(c.row)) && matcher::attempt(line, &actuals, c, t).is_ok())
    };
    GENERATIONS.into_iter().filter(fits).collect()
}

/// "gfx900, gfx90a, gfx942 and 3 others".
fn some(names: &[&str]) -> String {
    match names {
        [a, b, c, rest @ ..] if rest.len() > 1 => format!("{a}, {b}, {c} and {} others", rest.len()),
        [head @ .., last] if !head.is_empty() => format!("{} and {last}", head.join(", ")),
        _ => names.concat(),
    }
}

fn is_same_modifier(one: Value<'_>, other: Option<Value<'_>>) -> bool {
    match (one, other) {
        (Value::Named { name, .. }, Some(Value::Named { name: other, .. })) => name == other,
        (Value::Word(name), Some(Value::Word(other))) => name == other,
        _ => false,
    }
}

/// As a number with a sign or without.
fn fits(n: i64, bits: u32) -> bool {
    (-1 << (bits - 1)..1 << bits).contains(&n)
}

/// `off`, or an attribute or an export target in the place of a register or number.
fn misplaced<'a>(line: &Line<'a>, at: u8, f: Formal) -> Option<&'a str> {
    let Some(Value::Word(word)) = line.operands.get(usize::from(at)).map(|o| o.value) else { return None };
    let takes_other = || describe::is_register_or_number(f) && !describe::precedes_attribute(f);
    (word == "off" || is_attribute_or_target(word) && takes_other()).then_some(word)
}

/// `attr0.x`, `mrt0`, `pos1`.
fn is_attribute_or_target(word: &str) -> bool {
    let is_numbered = |prefix: &&str| {
        word.strip_prefix(*prefix).is_some_and(|n| n.starts_with(|c: char| c.is_ascii_digit()))
    };
    ["attr", "mrt", "pos", "param"].iter().any(is_numbered)
}

/// Whether a symbol or an expression would be right if it were a number.
fn wants_number(line: &Line<'_>, at: u8, t: Target) -> bool {
    let mut other = line.clone();
    match other.operands.get_mut(usize::from(at)) {
        Some(operand) if matches!(operand.value, Value::Word(word) if is_attribute_or_target(word)) => {
            return false;
        }
        Some(operand) if matches!(operand.value, Value::Symbol | Value::Word(_)) => {
            operand.value = Value::Int(0)
        }
        _ => return false,
    }
    assemble(t, &other).is_ok()
}

/// What is wrong with the operands for the encoding that a modifier asks for: with DPP or SDWA, some must be vector registers.
fn with_encoding(line: &Line<'_>, at: u8, mnemonic: &str, t: Target) -> Option<MatchError> {
    let word = match line.operands.get(usize::from(at))?.value {
        Value::Named { name, .. } | Value::Word(name) => name,
        _ => return None,
    };
    let (kind, suffix) = match word {
        _ if is_dpp_control(word) || matches!(word, "dpp8" | "row_mask" | "bank_mask") => ("DPP", "_dpp"),
        "dst_sel" | "dst_unused" | "src0_sel" | "src1_sel" => ("SDWA", "_sdwa"),
        _ => return None,
    };
    let base = mnemonic.strip_suffix("_e32").unwrap_or(mnemonic);
    if base.ends_with(suffix) {
        return None;
    }
    [format!("{base}{suffix}"), format!("{base}_e64{suffix}")].into_iter().find_map(|name| {
        let shown = format!("`{mnemonic}` with {kind}");
        let error = assemble_named(t, &Line { mnemonic: &name, ..line.clone() }, Some(&shown)).err()?;
        let is_operand =
            matches!(error.place, Place::Operand(i) if i < at) && error.kind == ErrorKind::InvalidOperand;
        is_operand.then_some(error)
    })
}

/// Why the best candidate does not fit; `named` is how mistakes name the instruction.
fn explain(
    line: &Line<'_>,
    actuals: &Actuals<'_>,
    miss: Miss,
    mnemonic: &str,
    named: &str,
    t: Target,
) -> MatchError {
    if miss.at >= actuals.len() {
        let what = miss.wanted.map_or_else(|| "an operand".to_owned(), |f| describe::formal(f, t));
        let text = match miss.wanted {
            Some(Formal::Token(_) | Formal::Single(_)) => {
                format!("too few operands for {named}, or missing {what} after them")
            }
            _ => format!("missing operand of {named}: expected {what}"),
        };
        return MatchError::operand(Place::End, ErrorKind::MissingOperand, Problem::new(text));
    }
    let (actual, from) = actuals.get(miss.at).unwrap_or((Actual::Operand, 0));
    let value = line.operands.get(usize::from(from)).map(|o| o.value);
    let has_name =
        matches!(value, Some(Value::Named { .. } | Value::Word(_))) || matches!(actual, Actual::CPol(_));
    let (kind, problem) = match (miss.problem, miss.wanted) {
        (Some(problem), _) if has_name => (ErrorKind::InvalidModifier, *problem),
        (Some(problem), _) => (ErrorKind::InvalidOperand, *problem),
        (None, wanted) if wanted.is_none_or(|f| !describe::has_example(f)) && wants_number(line, from, t) => {
            let found = match value {
                Some(Value::Word(word)) => Found::Word(word.to_owned()),
                _ => Found::Expression,
            };
            let problem = Problem::new(format!("{named}: expected a number")).with(Joint::Found, Some(found));
            (ErrorKind::InvalidOperand, Problem { end: ", which has no value above this line", ..problem })
        }
        (None, Some(f)) if !has_name => wrong_value(line, actuals, miss.at, f, named, t),
        (None, Some(f)) if let Some(word) = misplaced(line, from, f) => {
            let text = format!("{named}: expected {}", describe::formal(f, t));
            let problem = Problem::new(text).with(Joint::Found, Some(Found::Word(word.to_owned())));
            (ErrorKind::InvalidOperand, Problem { by_wave_size: describe::is_lane_mask(f), ..problem })
        }
        (None, Some(f)) if describe::is_register_or_number(f) => {
            let text = format!("missing operand of {named} before this: expected {}", describe::formal(f, t));
            (ErrorKind::MissingOperand, Problem::new(text))
        }
        (None, _) if has_name => match with_encoding(line, from, mnemonic, t) {
            Some(error) => return error,
            None => (ErrorKind::InvalidModifier, wrong_modifier(line, from, mnemonic, named, t)),
        },
        (None, _) => (ErrorKind::ExtraOperand, Problem::new(format!("too many operands for {named}"))),
    };
    MatchError::operand(Place::Operand(from.saturating_add(problem.skipped)), kind, problem)
}

/// An operand without a name that is not what its place takes.
fn wrong_value(
    line: &Line<'_>,
    actuals: &Actuals<'_>,
    at: usize,
    f: Formal,
    named: &str,
    t: Target,
) -> (ErrorKind, Problem) {
    let (actual, from) = actuals.get(at).unwrap_or((Actual::Operand, 0));
    let written = line.operands.get(usize::from(from)).map(|o| o.value);
    let value = match actual {
        Actual::Reg(found) => Some(Value::Reg(found)),
        _ => written,
    };
    let invalid = |problem| (ErrorKind::InvalidOperand, problem);
    if let Some(modifier) = refused_modifier(line, from, t) {
        return invalid(Problem::new(format!("{named} does not take `{modifier}` at this operand")));
    }
    if describe::is_modifier(f) && matches!(written, Some(Value::Reg(_))) {
        let text = format!("unexpected operand of {named}: only modifiers can follow here");
        return (ErrorKind::ExtraOperand, Problem::new(text));
    }
    if let Some(half) = missing_half(f, written) {
        // Encodings with halves have seven bits for the number.
        let example = if half.index > 127 { "v0".to_owned() } else { half.name().to_string() };
        let text = format!("{named}: expected half of a vector register, such as `{example}.l`");
        return invalid(Problem::new(text).with(Joint::Found, Some(Found::Register(half))));
    }
    if let Some((most, found)) = too_long(actuals, at, f) {
        let text = format!("{named}: expected at most {most} registers in the list, found {found}");
        return invalid(Problem::new(text));
    }
    if let Some(Value::Int(n)) = value
        && let Some(bits) = matcher::literal_bits(f).filter(|bits| !fits(n, *bits))
    {
        return invalid(Problem::new(format!("a literal of {named} must fit in {bits} bits")));
    }
    if matches!(value, Some(Value::Float(_))) && matcher::takes_literal(f) {
        let problem =
            Problem::new(format!("{named} cannot represent")).with(Joint::Object, Some(Found::Expression));
        return invalid(Problem { end: " in its literal", ..problem });
    }
    let mut text = format!("{named}: expected {}", describe::formal(f, t));
    let mut end = "";
    let found = match value {
        Some(Value::Reg(found)) => {
            if found.as_special().is_some() {
                if describe::is_scalar_register(f) {
                    text.push_str(", such as `s0`");
                }
                if found.dwords == 2 && !describe::takes_pairs(f, t) {
                    end = ", which is a pair";
                }
            }
            Some(Found::Register(found))
        }
        Some(Value::Int(n)) => Some(Found::Int(n)),
        Some(Value::Float(_) | Value::Symbol) => Some(Found::Expression),
        _ => None,
    };
    let by_wave_size = describe::is_lane_mask(f);
    invalid(Problem { end, by_wave_size, ..Problem::new(text).with(Joint::Found, found) })
}

/// A modifier that the instruction does not take, or has already.
fn wrong_modifier(line: &Line<'_>, from: u8, mnemonic: &str, named: &str, t: Target) -> Problem {
    let operand = line.operands.get(usize::from(from));
    let value = operand.map(|o| o.value);
    let what = match value {
        Some(Value::Named { name, .. }) => format!("`{name}:`"),
        Some(Value::Word(w)) => format!("`{w}`"),
        _ => "this modifier".to_owned(),
    };
    let follows_space = operand.is_some_and(|o| o.sep == Sep::Space);
    let is_unknown = match value {
        Some(Value::Named { name, .. }) => !operands::is_modifier(name),
        Some(Value::Word(word)) => {
            follows_space && !is_attribute_or_target(word) && !operands::is_modifier(word)
        }
        _ => false,
    };
    let mut before = line.operands.iter().take(from.into());
    if before.any(|o| is_same_modifier(o.value, value)) {
        return Problem::new(format!("duplicate modifier {what}"));
    }
    if is_unknown {
        return Problem::new(format!("unknown modifier {what}"));
    }
    // Another version of LLVM may take it on the same processor.
    let mut others = elsewhere(line, mnemonic);
    others.retain(|other| *other != t.name());
    Problem::new(match others {
        others if others.is_empty() => format!("{named} does not take {what} here"),
        others => format!("{named} does not take {what} on {t}; it does on {}", some(&others)),
    })
}
