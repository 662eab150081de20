//! From an instruction line to bytes.

use crate::{
    convert::SDWA_DWORD,
    describe,
    encode::{self, Bytes, Fixup},
    error::{ErrorKind, MatchError, Place},
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
    let lower;
    let written = if line.mnemonic.bytes().any(|b| b.is_ascii_uppercase()) {
        lower = line.mnemonic.to_ascii_lowercase();
        lower.as_str()
    } else {
        line.mnemonic
    };
    let Some((candidates, mnemonic, forced)) = candidates_of(target, written) else {
        return Err(MatchError::new(
            Place::Mnemonic,
            ErrorKind::UnknownMnemonic,
            format!("unknown instruction `{written}`"),
        ));
    };
    let actuals = match prepare::prepare(line, mnemonic, target) {
        Ok(a) => a,
        Err(e) => return Err(unsupported(target, candidates, written, forced).unwrap_or(e)),
    };
    // An encoding that the suffix asks for explains a mistake better than others.
    let rank = |miss: &Miss, c: &Candidate| {
        let is_modifier = miss.wanted.is_some_and(describe::is_modifier);
        (forced.accepts(Row::new(c.row)), miss.at, miss.problem.is_some(), !is_modifier)
    };
    let takes_as_many = |c: &Candidate| matcher::required(*c) == actuals.len();
    let explains_better = |(a, c): (&Miss, &Candidate), (b, other): &(Miss, Candidate)| {
        let order = rank(a, c).cmp(&rank(b, other));
        order.then_with(|| takes_as_many(c).cmp(&takes_as_many(other))).is_gt()
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
    if let Some(e) = unsupported(target, candidates, written, forced) {
        return Err(e);
    }
    match best {
        Some((miss, _)) => Err(explain(line, &actuals, miss, written, target)),
        // The operands fit, but in another encoding.
        None => Err(no_such_encoding(target, written, forced)),
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
fn unsupported(t: Target, c: Candidates, written: &str, forced: ForcedEncoding) -> Option<MatchError> {
    if c.iter().any(|c| forced.variant(c.variant) && t.can(c.avail)) {
        return None;
    }
    if c.iter().any(|c| t.can(c.avail)) {
        return Some(no_such_encoding(t, written, forced));
    }
    let other = if t.wave_size() == WaveSize::W32 { WaveSize::W64 } else { WaveSize::W32 };
    if let Some(o) = t.with_wave_size(other)
        && c.iter().any(|c| forced.variant(c.variant) && o.can(c.avail))
    {
        return Some(MatchError::new(
            Place::Mnemonic,
            ErrorKind::WrongTarget,
            format!("`{written}` exists for waves of {} lanes only", other.lanes()),
        ));
    }
    let targets: Vec<_> = Target::names()
        .filter(|n| {
            Target::named(n).is_some_and(|t| c.iter().any(|c| forced.variant(c.variant) && t.can(c.avail)))
        })
        .collect();
    let mut e = MatchError::new(
        Place::Mnemonic,
        ErrorKind::WrongTarget,
        format!("`{written}` does not exist on {}", t),
    );
    e.targets = targets;
    Some(e)
}

fn no_such_encoding(t: Target, written: &str, forced: ForcedEncoding) -> MatchError {
    let message = match forced.name() {
        "" => format!("`{written}` has no encoding with these operands on {}", t),
        suffix => {
            let (base, _) = ForcedEncoding::split(written);
            format!("`{base}` has no {suffix} encoding on {}", t)
        }
    };
    MatchError::new(Place::Mnemonic, ErrorKind::WrongEncoding, message)
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

/// An attribute or an export target in the place of a register or number.
fn misplaced<'a>(line: &Line<'a>, at: u8, f: Formal) -> Option<&'a str> {
    let Some(Value::Word(word)) = line.operands.get(usize::from(at)).map(|o| o.value) else { return None };
    (is_attribute_or_target(word) && !describe::precedes_attribute(f)).then_some(word)
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
        let error = assemble(t, &Line { mnemonic: &name, ..line.clone() }).err()?;
        let is_operand =
            matches!(error.place, Place::Operand(i) if i < at) && error.kind == ErrorKind::InvalidOperand;
        let message = error.message.replacen(&format!("`{name}`"), &format!("`{mnemonic}` with {kind}"), 1);
        is_operand.then_some(MatchError { message, ..error })
    })
}

fn explain(line: &Line<'_>, actuals: &Actuals<'_>, miss: Miss, mnemonic: &str, t: Target) -> MatchError {
    if miss.at >= actuals.len() {
        let what = miss.wanted.map_or_else(|| "an operand".to_owned(), |f| describe::formal(f, t));
        let message = match miss.wanted {
            Some(Formal::Token(_) | Formal::Single(_)) => {
                format!("too few operands for `{mnemonic}`, or missing {what} after them")
            }
            _ => format!("missing operand of `{mnemonic}`: expected {what}"),
        };
        return MatchError::new(Place::End, ErrorKind::MissingOperand, message);
    }
    let (actual, from) = actuals.get(miss.at).unwrap_or((Actual::Operand, 0));
    let place = Place::Operand(from);
    let value = line.operands.get(usize::from(from)).map(|o| o.value);
    let named =
        matches!(value, Some(Value::Named { .. } | Value::Word(_))) || matches!(actual, Actual::CPol(_));
    if let Some(p) = miss.problem {
        return MatchError::new(
            place,
            if named { ErrorKind::InvalidModifier } else { ErrorKind::InvalidOperand },
            p,
        );
    }
    match miss.wanted {
        wanted
            if !wanted.is_some_and(|f| describe::formal(f, t).contains(" such as "))
                && wants_number(line, from, t) =>
        {
            let what = match value {
                Some(Value::Word(word)) => format!("`{word}`"),
                _ => "this expression".to_owned(),
            };
            let message =
                format!("`{mnemonic}`: expected a number, found {what}, which has no value above this line");
            MatchError::new(place, ErrorKind::InvalidOperand, message)
        }
        Some(_) if !named && let Some(modifier) = refused_modifier(line, from, t) => {
            let message = format!("`{mnemonic}` does not take `{modifier}` at this operand");
            MatchError::new(place, ErrorKind::InvalidOperand, message)
        }
        Some(f) if !named && describe::is_modifier(f) && matches!(value, Some(Value::Reg(_))) => {
            let message = format!("unexpected operand of `{mnemonic}`: only modifiers can follow here");
            MatchError::new(place, ErrorKind::ExtraOperand, message)
        }
        Some(f) if !named && let Some(half) = missing_half(f, value) => {
            // Encodings with halves have seven bits for the number.
            let example = if half.index > 127 { "v0".to_owned() } else { half.name().to_string() };
            let half = half.name();
            let message = format!(
                "`{mnemonic}`: expected half of a vector register, such as `{example}.l`, found `{half}`"
            );
            MatchError::new(place, ErrorKind::InvalidOperand, message)
        }
        Some(f) if !named && let Some((most, found)) = too_long(actuals, miss.at, f) => {
            let message =
                format!("`{mnemonic}`: expected at most {most} registers in the list, found {found}");
            MatchError::new(place, ErrorKind::InvalidOperand, message)
        }
        Some(f) if !named => {
            let mut expected = describe::formal(f, t);
            let value = match actual {
                Actual::Reg(found) => Some(Value::Reg(found)),
                _ => value,
            };
            let found = match value {
                Some(Value::Reg(found)) => {
                    let is_pair = found.as_special().is_some() && found.dwords == 2;
                    if found.as_special().is_some() && expected == "a single scalar register" {
                        expected.push_str(", such as `s0`");
                    }
                    let note = if is_pair && !expected.contains("pair") { ", which is a pair" } else { "" };
                    format!(", found `{}`{note}", found.name())
                }
                Some(Value::Int(n))
                    if let Some(bits) = matcher::literal_bits(f).filter(|bits| !fits(n, *bits)) =>
                {
                    let message = format!("a literal of `{mnemonic}` must fit in {bits} bits");
                    return MatchError::new(place, ErrorKind::InvalidOperand, message);
                }
                Some(Value::Float(_)) if matcher::takes_literal(f) => {
                    let message = format!("`{mnemonic}` cannot represent this expression in its literal");
                    return MatchError::new(place, ErrorKind::InvalidOperand, message);
                }
                Some(Value::Int(n)) => format!(", found {n}"),
                Some(Value::Float(_) | Value::Symbol) => ", found this expression".to_owned(),
                _ => String::new(),
            };
            let message = format!("`{mnemonic}`: expected {expected}{found}");
            MatchError::new(place, ErrorKind::InvalidOperand, message)
        }
        Some(f) if value == Some(Value::Word("off")) => {
            let message = format!("`{mnemonic}`: expected {}, found `off`", describe::formal(f, t));
            MatchError::new(place, ErrorKind::InvalidOperand, message)
        }
        Some(f)
            if describe::is_register_or_number(f)
                && let Some(word) = misplaced(line, from, f) =>
        {
            let message = format!("`{mnemonic}`: expected {}, found `{word}`", describe::formal(f, t));
            MatchError::new(place, ErrorKind::InvalidOperand, message)
        }
        Some(f) if describe::is_register_or_number(f) => {
            let message =
                format!("missing operand of `{mnemonic}` before this: expected {}", describe::formal(f, t));
            MatchError::new(place, ErrorKind::MissingOperand, message)
        }
        Some(_) | None if named && let Some(error) = with_encoding(line, from, mnemonic, t) => error,
        Some(_) | None if named => {
            let what = match value {
                Some(Value::Named { name, .. }) => format!("`{name}:`"),
                Some(Value::Word(w)) => format!("`{w}`"),
                _ => "this modifier".to_owned(),
            };
            let before = line.operands.iter().take(from.into());
            let follows_space = line.operands.get(usize::from(from)).is_some_and(|o| o.sep == Sep::Space);
            let is_unknown = match value {
                Some(Value::Named { name, .. }) => !operands::is_modifier(name),
                Some(Value::Word(word)) => {
                    follows_space && !is_attribute_or_target(word) && !operands::is_modifier(word)
                }
                _ => false,
            };
            let message = match before.filter(|o| is_same_modifier(o.value, value)).count() {
                0 if is_unknown => format!("unknown modifier {what}"),
                0 => match elsewhere(line, mnemonic) {
                    others if others.is_empty() => format!("`{mnemonic}` does not take {what} here"),
                    others => {
                        format!("`{mnemonic}` does not take {what} on {t}; it does on {}", some(&others))
                    }
                },
                _ => format!("duplicate modifier {what}"),
            };
            MatchError::new(place, ErrorKind::InvalidModifier, message)
        }
        _ => MatchError::new(place, ErrorKind::ExtraOperand, format!("too many operands for `{mnemonic}`")),
    }
}
